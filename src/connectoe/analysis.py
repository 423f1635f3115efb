"""What each move of a position is worth, from the best source there is: a table, an exact solver, or searches."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import lru_cache
from pkgutil import resolve_name
from threading import Event
from typing import TYPE_CHECKING, Any

from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game, declares
from connectoe.core.match import Match
from connectoe.core.rules import ONGOING
from connectoe.engines.engine import (
    OPPOSITE,
    Analysis,
    Candidate,
    Estimate,
    Exact,
    Limits,
    NotSolved,
    Solver,
    best_first,
)
from connectoe.engines.plain_mcts import PlainMCTS
from connectoe.engines.readiness import is_ready

if TYPE_CHECKING:
    from connectoe.engines.alpha_beta import AlphaBeta
    from connectoe.engines.exact.lookup import Table

SOLVER_SHARE = 0.5
"""The share of the time in which a solver must find the value of at least one move."""
FIRST_NODES = 100_000
"""The nodes that a solver may search before anything else is asked; a few hundredths of a second."""
LOOKS = 0.25
"""Seconds between two looks at what a search has found so far."""


def analyse(
    game: Game,
    position: Any,
    *,
    seconds: float = 2.0,
    stop: Event | None = None,
    seed: int = 0,
    drawn: Collection[int] = (),
    waits: bool = True,
) -> Analysis:
    """Return every legal move with its value, best first: exactly where that is known, else estimated.

    Moves in `drawn` end the game as a draw: those by which a match would repeat itself too often. Unless it `waits`,
    the plain tree search answers where engines are not compiled yet.

    >>> import connectoe
    >>> state = connectoe.load("tic-tac-toe").start.play("a1").play("b1")
    >>> found = analyse(state.game, state.position)
    >>> found.result, str(found.candidates[0].value)
    ('win', 'win in 5')
    """
    found = None
    for found in improving_analysis(  # noqa: B007
        game, position, seconds=seconds, stop=stop, seed=seed, drawn=drawn, waits=waits
    ):
        pass
    assert found is not None
    return found


def improving_analysis(
    game: Game,
    position: Any,
    *,
    seconds: float = 2.0,
    stop: Event | None = None,
    seed: int = 0,
    drawn: Collection[int] = (),
    waits: bool = True,
) -> Iterator[Analysis]:
    """Yield what is known so far, again whenever it gets better, until the time is over or it is stopped.

    >>> import connectoe
    >>> game = connectoe.load("connect-four")
    >>> len(list(improving_analysis(game, game.rules.start, seconds=0.1))) >= 1
    True
    """
    if game.rules.outcome(position) != ONGOING:
        raise ConnectoeError("there is nothing to analyse: the game is over")
    if not 0 <= seconds <= 86_400:
        raise ConnectoeError(f"the time to analyse is between 0 and 86,400 seconds, not {seconds}")
    if waits:
        small_table(game)  # made now, if it is small enough
    search = _from_best_source if waits or is_ready(game, "analysis") else _from_what_is_ready
    for found in search(game, position, seconds, stop, seed):
        yield _with_draws(found, drawn) if drawn else found


def is_fully_ready(game: Game) -> bool:
    """Whether an analysis that does not wait for a compiler answers as well as one that does."""
    return is_ready(game, "analysis") or known_table(game) is not None


def _with_draws(found: Analysis, drawn: Collection[int]) -> Analysis:
    """Return what was found, with some of the moves known to end the game as a draw."""
    candidates = [
        candidate._replace(value=Exact("draw")) if candidate.move in drawn else candidate
        for candidate in found.candidates
    ]
    is_length_known = found.length_known and (
        found.move not in drawn or all(candidate.plies or candidate.result == "draw" for candidate in candidates)
    )
    ordered = best_first(candidates, found.line, by_visits=False, length_known=is_length_known)
    return ordered._replace(line_repeats=found.line_repeats and ordered.line == found.line)


def _from_what_is_ready(game: Game, position: Any, seconds: float, stop: Event | None, seed: int) -> Iterator[Analysis]:
    """Yield what the plain tree search finds until the engines are ready, or a table knows the answer."""
    engine = PlainMCTS(game, seed=seed)
    book = book_move(game, position)
    known_table(game)  # imports what takes a while, before the clock runs
    deadline = time.perf_counter() + seconds
    while True:
        table = known_table(game)
        exact = _search_exactly(table, position, Limits()) if table else None
        if exact:
            yield exact
            return
        left = deadline - time.perf_counter()
        if is_ready(game, "analysis"):
            yield from _from_best_source(game, position, max(0.0, left), stop, seed)
            return
        found = engine.search(position, Limits(seconds=max(0.0, min(LOOKS, left)), stop=stop))
        yield _together(found, {}, None, book)
        if found.result or left <= LOOKS or (stop is not None and stop.is_set()):
            return


def _from_best_source(game: Game, position: Any, seconds: float, stop: Event | None, seed: int) -> Iterator[Analysis]:
    """Yield an analysis by a table, the exact solver or searches; engines that are not compiled yet are compiled."""
    table = known_table(game)
    exact = _search_exactly(table, position, Limits()) if table else None
    if exact:
        yield exact
        return
    solver = exact_solver(game)
    values: dict[int, Exact] = {}
    began = time.perf_counter()
    if solver:
        exact = _search_exactly(solver, position, Limits(nodes=FIRST_NODES))  # compiles before the clock runs
        if exact:
            yield exact
            return
        began = time.perf_counter()
        if seconds > 0:
            for found in _from_searches(game, position, 0.0, stop, seed):
                yield found  # at once
            for values in _solved_so_far(solver, position, seconds, stop, moves=len(found.candidates)):
                known = _with_values(found, values)
                yield known
            if values and known.length_known:
                return
    left = seconds - (time.perf_counter() - began)
    for found in _from_searches(game, position, max(left, seconds / 4), stop, seed):
        yield _with_values(found, values) if values else found


def _solved_so_far(
    solver: Solver, position: Any, seconds: float, stop: Event | None, moves: int
) -> Iterator[dict[int, Exact]]:
    """Yield the values that a solver knows, for a share of the time, and then to its end if there are any by then."""
    known: dict[int, Exact] = {}
    for share in (SOLVER_SHARE, 1 - SOLVER_SHARE):
        for values in solver.known_values(position, Limits(seconds=seconds * share, stop=stop)):
            known |= {move: value for move, value in values.items() if value.plies or move not in known}
            yield dict(known)
        if len(known) == moves and all(value.plies or value.result == "draw" for value in known.values()):
            return
        if not known:
            return


def _with_values(found: Analysis, values: dict[int, Exact]) -> Analysis:
    """Return what was found, with the exact values of some of the moves."""
    candidates = [
        candidate._replace(value=values.get(candidate.move, candidate.value)) for candidate in found.candidates
    ]
    is_length_known = all(candidate.result == "draw" or candidate.plies for candidate in candidates)
    return best_first(candidates, found.line, by_visits=False, length_known=is_length_known)


def _search_exactly(engine: Table | Solver, position: Any, limits: Limits) -> Analysis | None:
    """Return what an exact engine finds, or None if it does not know or find the values."""
    try:
        return engine.search(position, limits)
    except NotSolved:
        return None


def small_table(game: Game) -> Table | None:
    """Return the table of a solved game if there is one, or if it is small enough to be made at once.

    >>> import connectoe
    >>> small_table(connectoe.load("ultimate")) is None
    True
    """
    from connectoe.engines.exact.tables import load_table

    return load_table(game)


def known_table(game: Game) -> Table | None:
    """Return the table of a solved game if it exists; one that another process makes is found from then on."""
    from connectoe.engines.exact.tables import load_table

    return load_table(game, make="never")


@lru_cache(maxsize=8)
def exact_solver(game: Game) -> Solver | None:
    """Return the exact solver that the game declares, or None.

    >>> import connectoe
    >>> exact_solver(connectoe.load("ultimate")) is None
    True
    """
    where = game.solver() if declares(game, "solver") else None
    if where is None:
        return None
    solver: Solver = resolve_name(where)(game)
    return solver


def solved_by_search(game: Game, position: Any, nodes: int) -> Analysis | None:
    """Return every move with its exact value, if the game's solver finds it within this many nodes.

    >>> import connectoe
    >>> state = connectoe.load("connect-four", cols=5, rows=4).start
    >>> solved_by_search(state.game, state.position, 1_000_000).result
    'draw'
    """
    solver = exact_solver(game)
    return _search_exactly(solver, position, Limits(nodes=nodes)) if solver else None


def book_move(game: Game, position: Any) -> Candidate | None:
    """Return a best move with its exact value, where the game's solver has it in its opening book.

    >>> import connectoe
    >>> start = connectoe.load("connect-four").start
    >>> str(book_move(start.game, start.position).value)
    'win in 41'
    """
    solver = exact_solver(game)
    return solver.book_move(position) if solver else None


SIMULATIONS_AFTER = 1000
"""The simulations that give a move that the tree search neglected a short look of its own."""
FEW_VISITS = 100
"""A share based on fewer simulations than this says little."""
EXACT_AT_ONCE = 2
"""A proof by the tree search that is at most this long, in plies, is the shortest."""


def _from_searches(game: Game, position: Any, seconds: float, stop: Event | None, seed: int) -> Iterator[Analysis]:
    """Yield what the tree search and, beside it, alpha-beta find: one estimates, the other proves exact lengths."""
    from connectoe.engines.mcts import MCTS

    book = book_move(game, position)
    engine = MCTS(game, seed=seed)
    engine.search(position, Limits(simulations=1))  # compiles, if need be, before the clock runs
    with _Proofs(game, position) as proofs:
        deadline = time.perf_counter() + seconds
        neglected: dict[int, Candidate] | None = None
        while True:
            left = deadline - time.perf_counter()
            pause = max(0.0, min(LOOKS, left))
            found = engine.search(position, Limits(seconds=pause, stop=stop))
            if found.result and neglected is None:
                # The tree search stops at a proof, and may hardly have looked at some of the moves.
                share = max(0.0, deadline - time.perf_counter()) / len(found.candidates)
                limits = Limits(simulations=SIMULATIONS_AFTER, seconds=share, stop=stop)
                neglected = {
                    candidate.move: _looked_at(game, position, candidate.move, limits, seed)
                    for candidate in found.candidates
                    if not candidate.result and candidate.visits < FEW_VISITS
                }
            elif found.result:
                proofs.wait(pause)  # the tree search has done what it can
            found = _together(found, neglected or {}, proofs.found, book)
            yield found
            are_lengths_known = proofs.are_complete or all(
                candidate.plies or candidate.result in ("draw", None) for candidate in found.candidates
            )
            if (found.result and are_lengths_known) or left <= LOOKS or (stop is not None and stop.is_set()):
                return


class _Proofs:
    """Alpha-beta on a thread of its own, where it can search the game; `found` is what it knows so far."""

    def __init__(self, game: Game, position: Any) -> None:
        self.found: Analysis | None = None
        self.position = position
        self.engine = _alpha_beta(game)
        self.stop = Event()
        self.searching: Future[None] | None = None
        self.thread = ThreadPoolExecutor(1)

    @property
    def are_complete(self) -> bool:
        """Whether nothing more will come."""
        return self.searching is None or self.searching.done()

    def wait(self, seconds: float) -> None:
        """Wait this long, or until nothing more will come."""
        if self.searching:
            wait([self.searching], seconds)

    def _search(self, engine: AlphaBeta) -> None:
        self.found = engine.search(self.position, Limits(stop=self.stop), every_move=True, tell=self._hear)

    def _hear(self, found: Analysis) -> None:
        self.found = found

    def __enter__(self) -> _Proofs:
        if self.engine:
            self.engine.search(self.position, Limits(nodes=1), every_move=True)  # compiles, if need be
            self.searching = self.thread.submit(self._search, self.engine)
        return self

    def __exit__(self, *problem: object) -> None:
        self.stop.set()
        self.thread.shutdown()
        if self.searching:
            self.searching.result()


def _alpha_beta(game: Game) -> AlphaBeta | None:
    from connectoe.engines.alpha_beta import AlphaBeta, supports

    return AlphaBeta(game) if supports(game) else None


def _looked_at(game: Game, position: Any, move: int, limits: Limits, seed: int) -> Candidate:
    """Return what a short tree search of the position after a move says about it."""
    from connectoe.engines.mcts import MCTS

    rules = game.rules
    following = rules.play(position, move)
    found = MCTS(game, seed=seed).search(following, limits)
    is_same_player = rules.player(following) == rules.player(position)
    visits = sum(candidate.visits for candidate in found.candidates)
    if found.result:
        return Candidate(move, Exact(found.result if is_same_player else OPPOSITE[found.result]), visits)
    return Candidate(move, Estimate.from_visits(found.share if is_same_player else 1 - found.share, visits), visits)


def _together(
    found: Analysis, neglected: dict[int, Candidate], proofs: Analysis | None, book: Candidate | None
) -> Analysis:
    """Return what a tree search has found, with short looks at the moves it neglected and everything known for
    certain.
    """
    proven = {candidate.move: candidate for candidate in proofs.candidates} if proofs else {}
    candidates = []
    for estimated in found.candidates:
        candidate = neglected.get(estimated.move, estimated)
        if candidate.result and candidate.plies and candidate.plies > EXACT_AT_ONCE:
            candidate = candidate._replace(value=Exact(candidate.result))  # it proves a result, not its length
        if book and book.result == "loss":
            candidate = candidate._replace(value=Exact("loss"))  # if the best move loses, all do
        proof = book if book and candidate.move == book.move else proven.get(candidate.move)
        if proof and proof.result:
            candidate = candidate._replace(value=Exact(proof.result, candidate.plies or proof.plies))
        candidates.append(candidate)
    line = proofs.line if proofs and proofs.is_exact else found.line
    together = best_first(candidates, line, by_visits=False)
    if book:  # no estimate is above the truth
        best, *others = sorted(together.candidates, key=lambda candidate: candidate.move != book.move)
        return Analysis((best, *others), line if line[0] == best.move else (best.move,))
    best = together.candidates[0]
    if best.result == "win":
        is_shortest = best.plies is not None and (
            best.plies <= 1
            or bool(proofs and best.plies <= proofs.depth + 1)
            or all(candidate.result and (candidate.plies or candidate.result != "win") for candidate in candidates)
        )
    else:
        is_shortest = all(candidate.plies for candidate in candidates if candidate.result == "loss")
    return together._replace(length_known=is_shortest)


def as_data(match: Match, found: Analysis) -> dict[str, Any]:
    """Return the analysis of the position a match stands at as plain data for JSON, seen from the player to move.

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
