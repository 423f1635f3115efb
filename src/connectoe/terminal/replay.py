"""Replaying games given as lists of moves, fast: most of the time goes to the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from connectoe.core.errors import IllegalMove
from connectoe.core.game import Game
from connectoe.core.match import REPETITION, TIMES_TO_DRAW, Match
from connectoe.core.outcome import Outcome
from connectoe.core.rules import DRAWN, ONGOING
from connectoe.core.state import State, comparable


class BadMove(IllegalMove):
    """An illegal move in a replayed game; `number` counts the moves from 1.

    >>> import connectoe
    >>> replay(connectoe.load("tic-tac-toe"), ["b2", "b2"])
    Traceback (most recent call last):
    connectoe.terminal.replay.BadMove: 'b2' is not legal: there is a mark on b2 already
    """

    def __init__(self, problem: str, number: int) -> None:
        super().__init__(problem)
        self.number = number


def split_moves(game: Game, line: str) -> list[str]:
    """Return the moves in a line, separated by blanks; one-character moves may be written without blanks."""
    words = line.split()
    if game.moves_run_together:
        return [move for word in words for move in word]
    return words


def replay(game: Game, moves: Sequence[str], ignore_after_end: bool = False) -> dict[str, Any]:
    """Return the end of a game as plain data for JSON."""
    if game.swap == "yes":
        return _replay_by_pie_rule(game, moves, ignore_after_end)
    legal_moves, play, outcome_of = game.rules.legal_moves, game.rules.play, game.rules.outcome
    numbers = game.move_numbers
    position = game.rules.start
    seen = {comparable(position): 1} if game.can_repeat else None
    outcome: int = outcome_of(position)
    repeated = False
    played = 0
    for text in moves:
        move = numbers.get(text, -1)
        if outcome != ONGOING or repeated:
            if ignore_after_end:
                break
            _refuse(game, position, text, played, REPETITION if repeated else None)
        if move not in legal_moves(position):
            _refuse(game, position, text, played, None)
        position = play(position, move)
        played += 1
        outcome = outcome_of(position)
        if seen is not None:
            key = comparable(position)
            seen[key] = seen.get(key, 0) + 1
            repeated = seen[key] >= TIMES_TO_DRAW and outcome == ONGOING
    over = outcome != ONGOING or repeated
    return {
        "game": game.id,
        "options": game.options,
        "moves": list(moves[:played]),
        "turn": None if over else int(game.rules.player(position)),
        "result": None if not over else "draw" if repeated or outcome == DRAWN else str(int(outcome)),
        "reason": None if not over else REPETITION.reason if repeated else game.reason(position),
        "legal": [] if over else sorted(game.move_texts[move] for move in legal_moves(position)),
        "position": game.write(position),
        "board": game.board(position),
    }


def _replay_by_pie_rule(game: Game, moves: Sequence[str], ignore_after_end: bool) -> dict[str, Any]:
    """Return the same of a match by the pie rule, which knows more than the rules of the game."""
    match = Match(game)
    for number, text in enumerate(moves, start=1):
        if match.outcome and ignore_after_end:
            break
        try:
            match.play(text)
        except IllegalMove as error:
            raise BadMove(str(error), number) from error
    outcome = match.outcome
    return {
        "game": game.id,
        "options": game.options,
        "moves": match.moves,
        "turn": match.turn,
        "result": outcome.result if outcome else None,
        "reason": outcome.reason if outcome else None,
        "legal": match.legal_moves(),
        "position": match.state.text,
        "board": match.state.board(),
    }


def _refuse(game: Game, position: Any, text: str, played: int, ended: Outcome | None) -> None:
    """Raise BadMove with the reason why this move is illegal here."""
    try:
        if ended:
            game.move_from(text)
            raise IllegalMove(f"{text!r} comes after the end: the match is {game.how_it_ended(ended)}")
        State(game, position).play(text)
    except IllegalMove as error:
        raise BadMove(str(error), played + 1) from error
