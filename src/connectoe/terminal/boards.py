"""The part of a board that a terminal shows, the moves there are, and the one that a person means by what they type."""

from __future__ import annotations

from collections.abc import Sequence

from connectoe.core.game import Game
from connectoe.draw.text import text
from connectoe.scene import Scene
from connectoe.terminal.screen import fitted, wants_colour

MOVES_SHOWN = 120


def row_in_play(scene: Scene) -> str:
    """Return, of a board that is too tall, the row of boards with the forced board, or else with the last move."""
    rows = scene.rows_of_boards()
    kinds_in = [{mark.kind for mark in row.highlights} for row in rows]
    shown = 0
    for kind in ("last", "forced"):  # the forced board matters more
        if sum(kind in kinds for kinds in kinds_in) == 1:
            shown = next(number for number, kinds in enumerate(kinds_in) if kind in kinds)
    note = f"This is row {shown + 1} of {len(rows)}: the terminal is too small for all. `board` shows them."
    return f"{text(rows[shown], colour=wants_colour())}\n\n{fitted(note)}"


def move_meant(game: Game, typed: str) -> str:
    """Return the move that was typed; letter case is ignored where only one move can be meant."""
    meant = [move for move in game.move_texts if move.lower() == typed.lower()]
    return meant[0] if typed not in game.move_numbers and len(meant) == 1 else typed


def legal_moves_in_words(game: Game, moves: Sequence[str]) -> str:
    """Return the legal moves, or the first of very many, and how a move is written."""
    shown = " ".join(moves[:MOVES_SHOWN])
    more = f" … and {len(moves) - MOVES_SHOWN} more" if len(moves) > MOVES_SHOWN else ""
    return f"{len(moves)} legal moves: {shown}{more}\n\nA move is {game.move_help}."
