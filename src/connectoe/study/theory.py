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
