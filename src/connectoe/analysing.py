"""Which move, and why: the best that all engines together can say about a position."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import lru_cache
from threading import Event
from typing import TYPE_CHECKING, Any

from connectoe.errors import ConnectoeError
from connectoe.game import ONGOING, Game
from connectoe.match import Match

if TYPE_CHECKING:
    from connectoe.engines.analysis import Candidate, Found
    from connectoe.engines.connect_four import ExactConnectFour
    from connectoe.engines.tables import Table

SHARE = {"win": 1.0, "draw": 0.5, "loss": 0.0}
LONGEST_LINE = 60
NODES_A_SECOND = 4_000_000
"""What a solver may look at for each second there is; it takes less than half of the time."""
LOOKS = 0.25
"""Seconds between two looks at what a search has found so far."""


def analyse(game: Game, position: Any, *, seconds: float = 2.0, stop: Event | None = None, seed: int = 0) -> Found:
    """Every legal move with what it is worth, best first: exactly where that is known, else estimated.

    >>> import connectoe
    >>> state = connectoe.load("tic-tac-toe").start.play("a1").play("b1")
    >>> found = analyse(state.game, state.position)
    >>> found.result, in_words(found.candidates[0])
    ('win', 'wins in 5')
    """
    found = None
    for found in analysis(game, position, seconds=seconds, stop=stop, seed=seed):  # noqa: B007
        pass
    assert found is not None
    return found


def analysis(
    game: Game, position: Any, *, seconds: float = 2.0, stop: Event | None = None, seed: int = 0
) -> Iterator[Found]:
    """What is known so far, again and again while it gets better, for so many seconds or until it is stopped.

    >>> import connectoe
    >>> game = connectoe.load("connect-four")
    >>> len(list(analysis(game, game.rules.start, seconds=0.1))) >= 1
    True
    """
    if game.rules.outcome(position) != ONGOING:
        raise ConnectoeError("there is nothing to analyse: the game is over")
    if not 0 <= seconds <= 86_400:
        raise ConnectoeError(f"the time to analyse is between 0 and 86,400 seconds, not {seconds}")
    table = small_table(game)
    exact = _from_table(table, position) if table else solved_by_search(game, position, int(NODES_A_SECOND * seconds))
    if exact is not None:
        yield exact
    else:
        yield from _from_search(game, position, seconds, stop, seed)


@lru_cache(maxsize=32)
def small_table(game: Game) -> Table | None:
    """The table of a solved game if there is one, or if it is small enough to be made at once.

    >>> import connectoe
    >>> small_table(connectoe.load("ultimate")) is None
    True
    """
    from connectoe.engines.tables import load_table

    return load_table(game)


@lru_cache(maxsize=8)
def exact_solver(game: Game) -> ExactConnectFour | None:
    """The solver that answers exactly, if it has the time, for Connect Four and C4 with a Twist; None for other games.

    >>> import connectoe
    >>> exact_solver(connectoe.load("ultimate")) is None
    True
    """
    from connectoe.engines.c4_twist import ExactC4Twist
    from connectoe.engines.connect_four import ExactConnectFour

    solvers = {"connect-four": ExactConnectFour, "c4-twist": ExactC4Twist}
    if game.id not in solvers or not type(game).__module__.startswith("connectoe.games."):
        return None
    return solvers[game.id](game)


def solved_by_search(game: Game, position: Any, nodes: int) -> Found | None:
    """Every move with its exact value, if a solver finds it within so many nodes.

    >>> import connectoe
    >>> state = connectoe.load("connect-four", cols=5, rows=4).start
    >>> in_words(solved_by_search(state.game, state.position, 1_000_000).candidates[0])
    'draws'
    """
    from connectoe.engines.analysis import Candidate, best_first
    from connectoe.engines.connect_four import NotSolved

    solver = exact_solver(game)
    if solver is None:
        return None
    try:
        values = solver.moves(position, max(nodes, 1))
    except NotSolved:
        return None
    return best_first(
        [Candidate(move, value.result, value.plies, SHARE[value.result]) for move, value in values.items()]
    )


def _from_table(table: Table, position: Any) -> Found:
    rules = table.game.rules
    found = _values_in(table, position)
    line = [found.move]
    position = rules.play(position, found.move)
    while rules.outcome(position) == ONGOING and len(line) < LONGEST_LINE:
        line.append(_values_in(table, position).move)
        position = rules.play(position, line[-1])
    return found._replace(line=tuple(line))


def _values_in(table: Table, position: Any) -> Found:
    from connectoe.engines.analysis import Candidate, best_first

    values = table.moves(position)
    return best_first(
        [Candidate(move, value.result, value.plies, SHARE[value.result]) for move, value in values.items()]
    )


def _from_search(game: Game, position: Any, seconds: float, stop: Event | None, seed: int) -> Iterator[Found]:
    from connectoe.engines.mcts import MCTS

    engine = MCTS(game, seed=seed)
    engine.search(position, simulations=1)  # compiles, if need be, before the clock runs
    deadline = time.perf_counter() + seconds
    while True:
        left = deadline - time.perf_counter()
        found = engine.search(position, seconds=max(0.0, min(LOOKS, left)), stop=stop)
        yield _without_loose_ends(found)
        if found.result or left <= LOOKS or (stop is not None and stop.is_set()):
            return


def _without_loose_ends(found: Found) -> Found:
    """What was found, without the lengths of games that are proven but perhaps not the shortest or longest."""
    candidates = [
        candidate if candidate.plies in (None, 1) else candidate._replace(plies=None) for candidate in found.candidates
    ]
    return found._replace(candidates=tuple(candidates))


def in_words(candidate: Candidate) -> str:
    """What is known of a move, for people.

    >>> from connectoe.engines.analysis import Candidate
    >>> in_words(Candidate(0, "loss", 12, 0.0)), in_words(Candidate(0, None, None, 0.5, 100))
    ('loses in 12', 'wins 50% of the points (40% to 60%, 100 games)')
    """
    if candidate.result:
        verb = {"win": "wins", "loss": "loses", "draw": "draws"}[candidate.result]
        return verb if candidate.plies is None or candidate.result == "draw" else f"{verb} in {candidate.plies}"
    if candidate.visits == 0:
        return "has not been looked at"
    low, high = candidate.interval
    return f"wins {candidate.share:.0%} of the points ({low:.0%} to {high:.0%}, {candidate.visits:,} games)"


def as_data(match: Match, found: Found) -> dict[str, Any]:
    """An analysis of the position a match stands at, as plain data for JSON, seen from the player to move.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("tic-tac-toe"))
    >>> as_data(match, analyse(match.game, match.state.position))["result"]
    'draw'
    """
    return {
        "game": match.game.id,
        "options": match.game.options,
        "moves": match.moves,
        "turn": match.turn,
        "result": found.result,
        "plies": found.plies,
        "exact": found.result is not None,
        "candidates": [
            {
                "move": match.game.move_text(candidate.move),
                "result": candidate.result,
                "plies": candidate.plies,
                "exact": candidate.result is not None,
                "share": round(candidate.share, 6),
                "visits": candidate.visits,
            }
            for candidate in found.candidates
        ],
    }
