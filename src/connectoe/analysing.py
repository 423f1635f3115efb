"""Which move, and why: the best that all engines together can say about a position."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import lru_cache
from threading import Event
from typing import TYPE_CHECKING, Any

from connectoe.errors import ConnectoeError
from connectoe.game import ONGOING, Game, is_built_in
from connectoe.match import Match

if TYPE_CHECKING:
    from connectoe.engines.alpha_beta import AlphaBeta, Verdict
    from connectoe.engines.analysis import Candidate, Found
    from connectoe.engines.connect_four import ExactConnectFour
    from connectoe.engines.tables import Table

SHARE = {"win": 1.0, "draw": 0.5, "loss": 0.0}
OPPOSITE = {"win": "loss", "draw": "draw", "loss": "win", None: None}
LONGEST_LINE = 60
NODES_A_SECOND = 4_000_000
"""What a solver may look at for each second there is; it takes less than half of the time."""
FIRST_NODES = 100_000
"""What a solver may look at before anything else is asked; a few hundredths of a second."""
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
) -> Found:
    """Every legal move with what it is worth, best first: exactly where that is known, else estimated.

    Moves that are said to be `drawn` end the game as a draw: those by which a match would repeat itself too often.

    >>> import connectoe
    >>> state = connectoe.load("tic-tac-toe").start.play("a1").play("b1")
    >>> found = analyse(state.game, state.position)
    >>> found.result, in_words(found.candidates[0])
    ('win', 'wins in 5')
    """
    found = None
    for found in analysis(game, position, seconds=seconds, stop=stop, seed=seed, drawn=drawn):  # noqa: B007
        pass
    assert found is not None
    return found


def analysis(
    game: Game,
    position: Any,
    *,
    seconds: float = 2.0,
    stop: Event | None = None,
    seed: int = 0,
    drawn: Collection[int] = (),
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
    for found in _of_position(game, position, seconds, stop, seed):
        yield _with_draws(found, drawn) if drawn else found


def _with_draws(found: Found, drawn: Collection[int]) -> Found:
    """What was found, knowing that some of the moves end the game as a draw."""
    from connectoe.engines.analysis import best_first

    candidates = [
        candidate._replace(result="draw", plies=None, share=SHARE["draw"]) if candidate.move in drawn else candidate
        for candidate in found.candidates
    ]
    is_length_known = found.length_known and (
        found.move not in drawn or all(candidate.plies or candidate.result == "draw" for candidate in candidates)
    )
    return best_first(candidates, found.line, by_visits=False, length_known=is_length_known)


def _of_position(game: Game, position: Any, seconds: float, stop: Event | None, seed: int) -> Iterator[Found]:
    """An analysis that knows of no moves before."""
    table = small_table(game)
    if table:
        yield _from_table(table, position)
        return
    exact = solved_by_search(game, position, FIRST_NODES)  # compiles, if need be, before the clock runs
    if exact is None and exact_solver(game) and NODES_A_SECOND * seconds > FIRST_NODES:
        yield from _from_search(game, position, 0.0, stop, seed)  # a solver knows nothing until it knows all
    began = time.perf_counter()
    exact = exact or solved_by_search(game, position, int(NODES_A_SECOND * seconds), stop)
    if exact is not None:
        yield exact
    else:
        left = seconds - (time.perf_counter() - began)
        yield from _from_search(game, position, max(left, seconds / 2), stop, seed)


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
    if game.id not in ("connect-four", "c4-twist") or not is_built_in(type(game)):
        return None
    from connectoe.engines.c4_twist import ExactC4Twist
    from connectoe.engines.opening import ConnectFourByHeart, WithoutBombs, is_connect_four

    if game.id == "connect-four":
        return ConnectFourByHeart(game)
    return WithoutBombs(game) if is_connect_four(game) else ExactC4Twist(game)


def solved_by_search(game: Game, position: Any, nodes: int, stop: Event | None = None) -> Found | None:
    """Every move with its exact value, if a solver finds it within so many nodes and before it is stopped.

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
        values = solver.moves(position, max(nodes, 1), stop)
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


SIMULATIONS_AFTER = 1000
"""How many simulations a move has that the tree search had little reason to look at."""
FEW_VISITS = 100
"""A share that rests on fewer simulations than this tells little."""
EXACT_AT_ONCE = 2
"""A proof of the tree search that is so short, in plies, is the shortest."""


def _from_search(game: Game, position: Any, seconds: float, stop: Event | None, seed: int) -> Iterator[Found]:
    """What the tree search and, beside it, alpha-beta find: the one estimates, the other proves the exact lengths."""
    from connectoe.engines.mcts import MCTS

    by_heart = known_by_heart(game, position)
    engine = MCTS(game, seed=seed)
    engine.search(position, simulations=1)  # compiles, if need be, before the clock runs
    with _Proofs(game, position) as proofs:
        deadline = time.perf_counter() + seconds
        neglected: dict[int, Candidate] | None = None
        while True:
            left = deadline - time.perf_counter()
            pause = max(0.0, min(LOOKS, left))
            found = engine.search(position, seconds=pause, stop=stop)
            if found.result and neglected is None:
                # The tree search stops at a proof, and may hardly have looked at some of the moves.
                share = max(0.0, deadline - time.perf_counter()) / len(found.candidates)
                neglected = {
                    candidate.move: _looked_at(game, position, candidate.move, share, stop, seed)
                    for candidate in found.candidates
                    if not candidate.result and candidate.visits < FEW_VISITS
                }
            elif found.result:
                proofs.wait(pause)  # the tree search has done what it can
            found = _together(found, neglected or {}, proofs.verdict, by_heart)
            yield found
            are_lengths_known = proofs.are_complete or all(
                candidate.plies or candidate.result in ("draw", None) for candidate in found.candidates
            )
            if (found.result and are_lengths_known) or left <= LOOKS or (stop is not None and stop.is_set()):
                return


class _Proofs:
    """Alpha-beta on a thread of its own, where it can search the game; `verdict` is what it knows so far."""

    def __init__(self, game: Game, position: Any) -> None:
        self.verdict: Verdict | None = None
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
        """Waits so long, or until nothing more will come."""
        if self.searching:
            wait([self.searching], seconds)

    def _search(self, engine: AlphaBeta) -> None:
        self.verdict = engine.search(self.position, stop=self.stop, candidates=True, tell=self._hear)

    def _hear(self, verdict: Verdict) -> None:
        self.verdict = verdict

    def __enter__(self) -> _Proofs:
        if self.engine:
            self.engine.search(self.position, nodes=1, candidates=True)  # compiles, if need be
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


def _looked_at(game: Game, position: Any, move: int, seconds: float, stop: Event | None, seed: int) -> Candidate:
    """What a short tree search of the position after a move says about it."""
    from connectoe.engines.analysis import Candidate
    from connectoe.engines.mcts import MCTS

    rules = game.rules
    following = rules.play(position, move)
    found = MCTS(game, seed=seed).search(following, simulations=SIMULATIONS_AFTER, seconds=seconds, stop=stop)
    is_same_player = rules.player(following) == rules.player(position)
    result = found.result if is_same_player else OPPOSITE[found.result]
    share = found.share if is_same_player else 1 - found.share
    visits = sum(candidate.visits for candidate in found.candidates)
    return Candidate(move, result, None, share, visits)


def known_by_heart(game: Game, position: Any) -> Candidate | None:
    """A best move with its exact value, in the opening of Connect Four.

    >>> import connectoe
    >>> start = connectoe.load("connect-four").start
    >>> in_words(known_by_heart(start.game, start.position))
    'wins in 41'
    """
    from connectoe.engines.analysis import Candidate
    from connectoe.engines.opening import ConnectFourByHeart

    solver = exact_solver(game)
    if not isinstance(solver, ConnectFourByHeart):
        return None
    known = solver.known(position)
    if known is None:
        return None
    value = solver.value(position)
    return Candidate(known.move, value.result, value.plies, SHARE[value.result])


def _together(
    found: Found, neglected: dict[int, Candidate], verdict: Verdict | None, by_heart: Candidate | None
) -> Found:
    """What a tree search has found, with the looks at moves it neglected and all that is known for sure."""
    from connectoe.engines.analysis import Found, best_first

    proven = {candidate.move: candidate for candidate in verdict.candidates} if verdict else {}
    candidates = []
    for estimated in found.candidates:
        candidate = neglected.get(estimated.move, estimated)
        if candidate.plies and candidate.plies > EXACT_AT_ONCE:
            candidate = candidate._replace(plies=None)  # the tree search proves a win or a loss, not its length
        if by_heart and by_heart.result == "loss":
            candidate = candidate._replace(result="loss", plies=None, share=0.0)  # if the best move loses, all do
        proof = by_heart if by_heart and candidate.move == by_heart.move else proven.get(candidate.move)
        if proof and proof.result:
            plies = candidate.plies or (proof.plies if proof.result != "draw" else None)
            candidate = candidate._replace(result=proof.result, plies=plies, share=SHARE[proof.result])
        candidates.append(candidate)
    line = verdict.line if verdict and verdict.exact else found.line
    together = best_first(candidates, line, by_visits=False)
    if by_heart:  # no estimate is above the truth
        best, *others = sorted(together.candidates, key=lambda candidate: candidate.move != by_heart.move)
        return Found((best, *others), line if line[0] == best.move else (best.move,))
    best = together.candidates[0]
    if best.result == "win":
        is_shortest = best.plies is not None and (
            best.plies <= 1
            or bool(verdict and best.plies <= verdict.depth + 1)
            or all(candidate.result and (candidate.plies or candidate.result != "win") for candidate in candidates)
        )
    else:
        is_shortest = all(candidate.plies for candidate in candidates if candidate.result == "loss")
    return together._replace(length_known=is_shortest)


def in_words(candidate: Candidate) -> str:
    """What is known of a move, for people.

    >>> from connectoe.engines.analysis import Candidate
    >>> in_words(Candidate(0, "loss", 12, 0.0)), in_words(Candidate(0, None, None, 0.5, 100))
    ('loses in 12', 'expected score 50% (40% to 60%, looked at 100 times)')
    """
    if candidate.result:
        verb = {"win": "wins", "loss": "loses", "draw": "draws"}[candidate.result]
        return verb if candidate.plies is None or candidate.result == "draw" else f"{verb} in {candidate.plies}"
    if candidate.visits == 0:
        return "has not been looked at"
    low, high = candidate.interval
    times = "once" if candidate.visits == 1 else f"{candidate.visits:,} times"
    return f"expected score {candidate.share:.0%} ({low:.0%} to {high:.0%}, looked at {times})"


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
