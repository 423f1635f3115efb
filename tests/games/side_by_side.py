"""Holding a game against a plain reference of the same rules."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Protocol

from connectoe import Game


class PlainGame(Protocol):
    """A game under way, written a second time as plainly as can be."""

    def legal_moves(self) -> set[str]: ...

    def play(self, move: str) -> None: ...

    def undo(self) -> None: ...

    def result(self) -> str | None: ...

    def board(self) -> list[str]: ...


def play_in_lockstep(game: Game, plain: PlainGame, seed: int) -> None:
    """Plays one random game on both, holding moves, board and result against each other after each move."""
    dice = random.Random(seed)
    state = game.start
    while True:
        outcome = state.outcome
        assert (outcome.result if outcome else None) == plain.result(), state
        assert state.board() == plain.board(), state
        assert state.legal_moves() == sorted(plain.legal_moves()), state
        if outcome:
            return
        move = dice.choice(state.legal_moves())
        state = state.play(move)
        plain.play(move)


def plain_perft(plain: PlainGame, depth: int) -> int:
    """The lines of play `depth` moves long, by the plain reference."""
    moves = plain.legal_moves()
    if depth == 1:
        return len(moves)
    lines = 0
    for move in moves:
        plain.play(move)
        lines += plain_perft(plain, depth - 1)
        plain.undo()
    return lines


def plain_figures(game_id: str) -> list[tuple[int, int, dict[str, str]]]:
    """The (depth, count, options) of a game's perft table that say a plain reference confirms them."""
    lines = Path(__file__).with_name(f"{game_id}.perft").read_text().splitlines()
    figures = [line.split() for line in lines if line and not line.startswith("#")]
    return [
        (int(depth), int(count), {} if options == "-" else dict(part.split("=") for part in options.split(",")))
        for depth, count, options, by in figures
        if by == "plain"
    ]
