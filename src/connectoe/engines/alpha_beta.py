"""Alpha-beta: the best move by looking at every line of play a number of moves deep.

Principal-variation search with iterative deepening, a transposition table, killer moves, the history heuristic and
aspiration windows, for any game whose position is made of ints. At the end of a line the game's own `evaluate` is asked
how the position looks; a game without one is searched for forced wins and losses alone.

Scores are seen from the player to move. A win in n plies is worth `WIN - n`, a loss in n plies `n - WIN`, a draw 0, and
everything between is opinion. A player may move twice in a row, so a score changes its sign only where the player does.

What can be trusted whatever `evaluate` says:

- a win or a loss, because nothing but the end of a game is worth that much. No cut-off here is a guess (no null moves,
  no reductions), so a win in n plies that a search n deep has found is the fastest;
- any score of a search that never had to ask `evaluate`. Every node knows whether its score rests on an opinion.

What was tried and did not pay: looking for a win in one at the end of each line (51% in 120 games of C4 with a Twist at
equal time); keeping the nodes right above the ends of lines in the table (in Advanced Tic Tac Toe they are three in
four, and 3% of them are ever met again); the last move that refuted the move before as the first to try.

Literature: Knuth & Moore, An analysis of alpha-beta pruning (1975); Marsland & Campbell, Parallel search of strongly
ordered game trees (1982), for the principal variation; Schaeffer, The history heuristic (1989).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache, partial
from threading import Event, Thread, current_thread, main_thread
from time import monotonic
from typing import Any, ClassVar, NamedTuple

import numpy as np

from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.core.rules import DRAWN, ONGOING, STRONGEST_OPINION
from connectoe.engines.alpha_beta_search import (
    BEST,
    DEEPEST,
    INFINITE,
    NO_MOVE,
    NODES,
    OPINION,
    PROVEN,
    STOPPED,
    WIN,
    make_search,
    new_memory,
)
from connectoe.engines.engine import (
    UNKNOWN,
    Analysis,
    Candidate,
    Estimate,
    Exact,
    Limits,
    Result,
    refuse_if_over,
)

MARGIN = 64
"""How far a score may differ from that of the search one ply less deep before the search must be repeated."""


@lru_cache(maxsize=64)
def _search_engine(game: Game) -> Callable[..., int]:
    return make_search(game.rules, len(game.move_texts))


def supports(game: Game) -> bool:
    """Whether alpha-beta can search a game: its positions are made of ints alone."""
    return not game.rules.has_arrays and len(game.move_texts) < NO_MOVE


def plies_to_end(score: int) -> int | None:
    """Return the plies to the win or loss that a score stands for; None if it stands for neither."""
    return WIN - abs(score) if abs(score) > PROVEN else None


def share_of(score: int) -> float:
    """Return roughly the share of the points that a score promises, for people; games differ."""
    return float(score > 0) if abs(score) > PROVEN else 1 / (1 + math.exp(-score / 150))


class Scored(NamedTuple):
    """A move with its score, as far as a search has come; the text of the module says what a score is.

    >>> Scored(move=3, score=WIN - 7, is_exact=True, depth=7, line=(3, 2, 3)).candidate.value
    Exact(result='win', plies=7)
    """

    move: int
    score: int
    is_exact: bool
    """Whether the score is proven and not an opinion."""
    depth: int
    """The depth that was searched completely."""
    line: tuple[int, ...]
    """The best play of both, beginning with `move`, as far as it is known."""

    @property
    def candidate(self) -> Candidate:
        """The move with its value."""
        if self.is_exact or abs(self.score) > PROVEN:
            result: Result = "win" if self.score > PROVEN else "loss" if self.score < -PROVEN else "draw"
            return Candidate(self.move, Exact(result, plies_to_end(self.score) if self.is_exact else None))
        return Candidate(self.move, Estimate(share_of(self.score)) if self.depth else UNKNOWN)

    def analysis(self, candidates: tuple[Candidate, ...], nodes: int) -> Analysis:
        """Return the analysis whose best move this is."""
        return Analysis(candidates, self.line, self.is_exact, self.depth, nodes, self.score)


class AlphaBeta:
    """Alpha-beta search of one game. It remembers what it has seen from one search to the next.

    >>> import connectoe
    >>> game = connectoe.load("connect-four")
    >>> state = game.start
    >>> for move in "d d c c e".split():
    ...     state = state.play(move)
    >>> found = AlphaBeta(game, table_megabytes=1).search(state.position, Limits(depth=6))
    >>> found.result, found.plies, len(found.line)
    ('loss', 2, 2)
    """

    limited_by: ClassVar[tuple[str, ...]] = ("depth", "nodes", "seconds", "stop")
    is_deterministic: ClassVar[bool] = True

    def __init__(self, game: Game, table_megabytes: float = 64) -> None:
        if not supports(game):
            raise ConnectoeError(
                f"alpha-beta cannot search {game.id}: its positions are not made of whole numbers alone; mcts can"
            )
        self.game = game
        self._memory = new_memory(table_megabytes, len(game.move_texts))
        self._searches = 0
        self._report = np.zeros(4, np.int64)

    def forget(self) -> None:
        """Forget everything, so that the next search finds what the first one would."""
        self._memory.table[:] = 0
        self._searches = 0

    def search(
        self,
        position: Any,
        limits: Limits,
        *,
        every_move: bool = False,
        tell: Callable[[Analysis], None] | None = None,
    ) -> Analysis:
        """Return what a search within the limits finds about an ongoing position; there is always a legal move.

        Only the best move is a candidate. With `every_move`, every legal move is searched separately and is a
        candidate, and `tell` is called with what is known after each depth.
        """
        refuse_if_over(self.game, position)
        limits.check(self.limited_by)
        if not self._searches:  # compiles, if need be, before the clock runs
            self._deepened(position, 1, Scored(NO_MOVE, 0, False, 0, ()), _Watch(Limits(nodes=0)))
        self._searches = self._searches % 255 + 1
        self._memory.killers[:] = NO_MOVE
        self._memory.history[:] = 0
        self._memory.replies[:] = 0
        deepest = DEEPEST if limits.depth is None else min(limits.depth, DEEPEST)
        find: Callable[[Any, int, _Watch], Analysis]
        find = partial(self._every_move, tell=tell) if every_move else self._best_move
        with _Watch(limits) as watch:
            is_short = limits.nodes is not None and limits.nodes < UNNOTICED
            if is_short or current_thread() is not main_thread():
                return find(position, deepest, watch)
            # Compiled code does not notice Ctrl-C, but a thread that waits for another in short intervals does.
            with ThreadPoolExecutor(1) as thread:
                try:
                    finding = thread.submit(find, position, deepest, watch)
                    while not wait([finding], timeout=0.1).done:
                        pass
                    return finding.result()
                except KeyboardInterrupt:
                    watch.is_over[0] = 1
                    raise

    def _best_move(self, position: Any, deepest: int, watch: _Watch) -> Analysis:
        best = Scored(int(next(iter(self.game.rules.legal_moves(position)))), 0, False, 0, ())
        for depth in range(1, deepest + 1):
            if watch.is_time_to_stop():
                break
            best = self._deepened(position, depth, best, watch)
            if best.is_exact:
                break
        return best.analysis((best.candidate,), watch.nodes_used)

    def _deepened(self, position: Any, depth: int, before: Scored, watch: _Watch) -> Scored:
        """Return what a search one ply deeper finds; or, if it is stopped too early, what was found before."""
        search = _search_engine(self.game)
        margin = MARGIN
        low, high = (before.score - margin, before.score + margin) if before.depth else (-INFINITE, INFINITE)
        while True:
            score = search(
                position,
                depth,
                low,
                high,
                watch.nodes_left,
                self._searches,
                self._memory,
                watch.is_over,
                self._report,
            )
            watch.nodes_used += int(self._report[NODES])
            is_stopped = bool(self._report[STOPPED])
            if is_stopped or low < score < high:
                break
            margin *= 4
            is_far_off = margin > STRONGEST_OPINION or abs(score) > PROVEN
            if score <= low:
                low = -INFINITE if is_far_off else score - margin
            else:
                high = INFINITE if is_far_off else score + margin
        plies = plies_to_end(score)
        if is_stopped and (score <= low or (plies is not None and score < 0)):
            return before  # the moves that were tried lose or are no better, but not all were tried
        if is_stopped:  # a win is a win, but where not all moves were tried, another may be better than a draw
            is_exact = plies is not None and plies <= depth
        else:
            is_exact = not self._report[OPINION] or (plies is not None and plies <= depth)
        line = self._memory.lines[0, : self._memory.lines[0, DEEPEST]]
        return Scored(
            move=int(self._report[BEST]),
            score=int(score),
            is_exact=bool(is_exact),
            depth=before.depth if is_stopped else depth,
            line=tuple(int(move) for move in line),
        )

    def _every_move(
        self, position: Any, deepest: int, watch: _Watch, tell: Callable[[Analysis], None] | None
    ) -> Analysis:
        moves = self.game.rules.legal_moves(position)
        known = sorted((self._glimpse(position, int(move)) for move in moves), key=_by_score)
        found = _analysis_of_all(known, 1, 0)
        for depth in range(2, deepest + 1):
            if all(move.is_exact for move in known):
                break
            deeper = []
            for move in known:
                if watch.is_time_to_stop():
                    break
                deeper.append(move if move.is_exact else self._followed(position, move, depth, watch))
            is_whole = len(deeper) == len(known) and all(move.is_exact or move.depth == depth for move in deeper)
            # Opinions from different depths cannot be compared, so an unfinished round keeps only what is proven.
            kept = [new if is_whole or new.is_exact else old for new, old in zip(deeper, known, strict=False)]
            known = sorted(kept + known[len(kept) :], key=_by_score)
            found = _analysis_of_all(known, depth if is_whole else depth - 1, watch.nodes_used)
            if not is_whole:
                break
            if tell:
                tell(found)
        return found._replace(nodes=watch.nodes_used)

    def _glimpse(self, position: Any, move: int) -> Scored:
        """Return what can be said about a move without looking any further."""
        rules = self.game.rules
        following = rules.play(position, move)
        result, mover = rules.outcome(following), rules.player(position)
        if result == ONGOING:
            score = rules.evaluate(following) if rules.evaluate else 0
            return Scored(move, score if mover == 0 else -score, False, 1, (move,))
        score = 0 if result == DRAWN else WIN - 1 if result == mover else 1 - WIN
        return Scored(move, score, True, 1, (move,))

    def _followed(self, position: Any, before: Scored, depth: int, watch: _Watch) -> Scored:
        """Return what a deeper search says about a move."""
        rules = self.game.rules
        following = rules.play(position, before.move)
        sign = 1 if rules.player(following) == rules.player(position) else -1
        found_before = before._replace(score=_one_ply_later(sign * before.score), depth=before.depth - 1)
        found = self._deepened(following, depth - 1, found_before, watch)
        if found is found_before:
            return before
        return found._replace(
            move=before.move,
            score=_one_ply_earlier(sign * found.score),
            depth=found.depth + 1,
            line=(before.move, *found.line),
        )


def _analysis_of_all(moves: list[Scored], depth: int, nodes: int) -> Analysis:
    """Return the analysis of moves, best first, of which all that are not settled were searched to this depth."""
    best = moves[0]
    # A win is the fastest if no other move can win faster, which would have been seen if it is not beyond the depth.
    is_fastest = best.score > PROVEN and WIN - best.score <= depth + 1
    is_exact = best.is_exact and (is_fastest or all(move.is_exact for move in moves))
    candidates = tuple(move.candidate for move in moves)
    return best._replace(is_exact=is_exact, depth=depth).analysis(candidates, nodes)


def _by_score(move: Scored) -> int:
    return -move.score


def _one_ply_earlier(score: int) -> int:
    return score - 1 if score > PROVEN else score + 1 if score < -PROVEN else score


def _one_ply_later(score: int) -> int:
    return score + 1 if score > PROVEN else score - 1 if score < -PROVEN else score


UNNOTICED = 1_000_000
"""A search of fewer nodes ends before anybody presses Ctrl-C."""


class _Watch:
    """What ends a search: its nodes, which it counts, or the clock and the stop, which a thread watches."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.nodes_used = 0
        self.is_over = np.zeros(1, np.int64)
        self.deadline = math.inf if limits.seconds is None else monotonic() + limits.seconds
        self.is_done = Event()
        self.thread: Thread | None = None

    @property
    def nodes_left(self) -> int:
        return max(0, (1 << 62 if self.limits.nodes is None else self.limits.nodes) - self.nodes_used)

    def is_time_to_stop(self) -> bool:
        return bool(self.limits.is_stopped or self.is_over[0] or self.nodes_left == 0 or monotonic() >= self.deadline)

    def _keep_watch(self) -> None:
        while not self.is_done.is_set():
            if self.limits.is_stopped or monotonic() >= self.deadline:
                self.is_over[0] = 1
                return
            left = max(0.0, self.deadline - monotonic())
            self.is_done.wait(min(left, 3600.0 if self.limits.stop is None else 0.02))

    def __enter__(self) -> _Watch:
        if not self.is_time_to_stop() and (self.limits.stop is not None or self.deadline < math.inf):
            self.thread = Thread(target=self._keep_watch, daemon=True)
            self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.is_done.set()
        if self.thread:
            self.thread.join()
