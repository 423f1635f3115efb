"""The exact value of a game, where it can be worked out in a few seconds."""

from __future__ import annotations

from connectoe.core.game import Game
from connectoe.study.chunks import Theory

SOLVER_NODES = 5_000_000
"""Nodes an exact solver may visit."""


def theory_of(game: Game) -> Theory | None:
    """Return the value of the game and of each first move, or None if it cannot be solved here.

    The answer is the same on all machines: it does not depend on what happens to be solved on this one.
    """
    from connectoe.analysis import book_move, solved_by_search
    from connectoe.engines.exact.tables import AFFORDABLE, load_table

    if game.swap == "yes":
        plain = theory_of(game.plain)
        return plain and _by_pie_rule(plain)
    start = game.rules.start
    table = load_table(game, make="affordable")
    if table and len(table) <= AFFORDABLE:
        value = table.value(start)
        moves = {game.move_text(move): str(worth.result) for move, worth in sorted(table.moves(start).items())}
        return Theory(value.result, value.plies, moves)
    solved = solved_by_search(game, start, SOLVER_NODES)
    if solved and solved.result:
        values = sorted((candidate.move, str(candidate.result)) for candidate in solved.candidates)
        return Theory(solved.result, solved.plies, {game.move_text(move): value for move, value in values})
    known = book_move(game, start)
    if known and known.result:
        return Theory(known.result, known.plies, {game.move_text(known.move): str(known.result)})
    return None


def _by_pie_rule(plain: Theory) -> Theory | None:
    """Return the value of a game by the pie rule: the second player takes the better side after each first move."""
    values = {move: "draw" if value == "draw" else "loss" for move, value in plain.moves.items()}
    if "draw" not in values.values() and len(values) < 2:  # only the best move is known
        return None
    return Theory("draw" if "draw" in values.values() else "loss", None, values)
