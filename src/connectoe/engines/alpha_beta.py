"""Alpha-beta: the best move by looking at every line of play a number of moves deep.

Principal-variation search with iterative deepening, a transposition table, killer moves, the history heuristic and
aspiration windows, for any game whose position is made of ints. At the end of a line the game's own `evaluate` is asked
how the position looks; a game without one is searched for forced wins and losses alone.

Scores are seen from the player to move. A win in n plies is worth `WIN - n`, a loss in n plies `n - WIN`, a draw 0, and
everything between is opinion. A player may move twice running, so a score changes its sign only where the player does.

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
from typing import Any, NamedTuple

import numpy as np

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
from connectoe.engines.analysis import Candidate
from connectoe.errors import ConnectoeError
from connectoe.game import DRAWN, ONGOING, STRONGEST_OPINION, Game

MARGIN = 64
"""How far a score may differ from that of the search one ply less deep before the search must be repeated."""


@lru_cache(maxsize=64)
def _search_engine(game: Game) -> Callable[..., int]:
    rules = game.rules
    return make_search(
        rules.legal_moves, rules.play, rules.outcome, rules.player, rules.evaluate, rules.pack, len(game.move_texts)
    )


def supports(game: Game) -> bool:
    """Whether alpha-beta can search a game: its positions are made of ints alone.

    >>> import connectoe
    >>> supports(connectoe.load("advanced")), supports(connectoe.load("ultimate-ultimate"))
    (True, False)
    """
    return not game.rules.has_arrays and len(game.move_texts) < NO_MOVE


def plies_to_end(score: int) -> int | None:
    """In how many plies a game of this score is won or lost; None if it is neither, as far as is known.

    >>> plies_to_end(WIN - 7), plies_to_end(8 - WIN), plies_to_end(120)
    (7, 8, None)
    """
    return WIN - abs(score) if abs(score) > PROVEN else None


def result_of(score: int) -> str:
    """What a score that is no opinion means: 'win', 'draw' or 'loss'.

    >>> result_of(WIN - 7), result_of(0)
    ('win', 'draw')
    """
    return "win" if score > PROVEN else "loss" if score < -PROVEN else "draw"


def share_of(score: int) -> float:
    """About which share of the points a score promises, for people; a rough guess, as games differ.

    >>> share_of(WIN - 7), share_of(0), round(share_of(100), 2)
    (1.0, 0.5, 0.66)
    """
    return float(score > 0) if abs(score) > PROVEN else 1 / (1 + math.exp(-score / 150))


class Verdict(NamedTuple):
    """What a search found out about a position, seen from the player to move.

    >>> verdict = Verdict(move=3, score=WIN - 7, exact=True, depth=7, nodes=1000, line=(3, 2, 3))
    >>> verdict.result, verdict.plies
    ('win', 7)
    """

    move: int
    score: int
    """See the text of the module."""
    exact: bool
    """Whether the score is the truth and not an opinion."""
    depth: int
    """The depth that was searched completely."""
    nodes: int
    """The moves that were tried on the way."""
    line: tuple[int, ...]
    """The best play of both, beginning with `move`, as far as it is known."""
    candidates: tuple[Candidate, ...] = ()
    """All legal moves, best first, if they were asked for."""

    @property
    def result(self) -> str | None:
        """'win', 'draw' or 'loss' where that is certain.

        >>> Verdict(move=3, score=40, exact=False, depth=7, nodes=1000, line=(3,)).result is None
        True
        """
        return result_of(self.score) if self.exact or abs(self.score) > PROVEN else None

    @property
    def plies(self) -> int | None:
        """How many plies a game that is won or lost lasts, at most; exactly so many if the score is exact.

        >>> Verdict(move=3, score=0, exact=True, depth=7, nodes=1000, line=(3,)).plies is None
        True
        """
        return plies_to_end(self.score)


class AlphaBeta:
    """Alpha-beta search of one game. It remembers what it has seen from one search to the next.

    >>> import connectoe
    >>> game = connectoe.load("connect-four")
    >>> state = game.start
    >>> for move in "d d c c e".split():
    ...     state = state.play(move)
    >>> verdict = AlphaBeta(game, table_megabytes=1).search(state.position, depth=6)
    >>> verdict.result, verdict.plies, len(verdict.line)
    ('loss', 2, 2)
    """

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
        """Forgets everything, so that the next search comes out as if it were the first.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> engine = AlphaBeta(game, table_megabytes=1)
        >>> first = engine.search(game.rules.start, depth=6)
        >>> engine.forget()
        >>> engine.search(game.rules.start, depth=6) == first
        True
        """
        self._memory.table[:] = 0
        self._searches = 0

    def search(
        self,
        position: Any,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        stop: Event | None = None,
        candidates: bool = False,
        tell: Callable[[Verdict], None] | None = None,
    ) -> Verdict:
        """What can be found out about an ongoing position so deep, with so many nodes, in so many seconds, or until it
        is stopped; and less if the truth is found before. Whenever it ends, there is a legal move.

        With `candidates`, every legal move is searched for itself, and `tell` hears what is known after each depth.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> verdict = AlphaBeta(game, table_megabytes=1).search(game.rules.start, depth=9, candidates=True)
        >>> verdict.result, {candidate.result for candidate in verdict.candidates}
        ('draw', {'draw'})
        """
        if self.game.rules.outcome(position) != ONGOING:
            raise ConnectoeError("there is nothing to search: the game is over")
        if depth is None and nodes is None and seconds is None and stop is None:
            raise ConnectoeError("a search needs a limit: depth, nodes, seconds, or something that stops it")
        if min(limit for limit in (depth, nodes, seconds, 0) if limit is not None) < 0:
            raise ConnectoeError("a search cannot have less than nothing as its limit")
        self._searches = self._searches % 255 + 1
        self._memory.killers[:] = NO_MOVE
        self._memory.history[:] = 0
        self._memory.replies[:] = 0
        deepest = DEEPEST if depth is None else min(depth, DEEPEST)
        every_move = partial(self._every_move, tell=tell)
        find: Callable[[Any, int, _Limits], Verdict] = every_move if candidates else self._best_move
        with _Limits(nodes, seconds, stop) as limits:
            if current_thread() is not main_thread() or (nodes is not None and nodes < UNNOTICED):
                return find(position, deepest, limits)
            # Compiled code does not hear Ctrl-C, but whoever waits for a thread now and then does.
            with ThreadPoolExecutor(1) as thread:
                try:
                    finding = thread.submit(find, position, deepest, limits)
                    while not wait([finding], timeout=0.1).done:
                        pass
                    return finding.result()
                except KeyboardInterrupt:
                    limits.is_over[0] = 1
                    raise

    def _best_move(self, position: Any, deepest: int, limits: _Limits) -> Verdict:
        verdict = Verdict(int(next(iter(self.game.rules.legal_moves(position)))), 0, False, 0, 0, ())
        for depth in range(1, deepest + 1):
            if limits.are_reached():
                break
            verdict = self._deepened(position, depth, verdict, limits)
            if verdict.exact:
                break
        return verdict._replace(nodes=limits.nodes_used)

    def _deepened(self, position: Any, depth: int, before: Verdict, limits: _Limits) -> Verdict:
        """What a search one ply deeper finds; or, if it is stopped too early, what was found before."""
        search = _search_engine(self.game)
        margin = MARGIN
        low, high = (before.score - margin, before.score + margin) if before.depth else (-INFINITE, INFINITE)
        while True:
            score = search(
                position,
                depth,
                low,
                high,
                limits.nodes_left,
                self._searches,
                self._memory,
                limits.is_over,
                self._report,
            )
            limits.nodes_used += int(self._report[NODES])
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
        return Verdict(
            move=int(self._report[BEST]),
            score=int(score),
            exact=bool(is_exact),
            depth=before.depth if is_stopped else depth,
            nodes=0,
            line=tuple(int(move) for move in line),
        )

    def _every_move(
        self, position: Any, deepest: int, limits: _Limits, tell: Callable[[Verdict], None] | None
    ) -> Verdict:
        moves = self.game.rules.legal_moves(position)
        known = sorted((self._glimpse(position, int(move)) for move in moves), key=_by_score)
        verdict = _of_all(known, 1, 0)
        for depth in range(2, deepest + 1):
            if all(move.exact for move in known):
                break
            deeper = []
            for move in known:
                if limits.are_reached():
                    break
                deeper.append(move if move.exact else self._followed(position, move, depth, limits))
            is_whole = len(deeper) == len(known) and all(move.exact or move.depth == depth for move in deeper)
            # Opinions of different depths do not compare, so that of an unfinished round only the truths are kept.
            kept = [new if is_whole or new.exact else old for new, old in zip(deeper, known, strict=False)]
            known = sorted(kept + known[len(kept) :], key=_by_score)
            verdict = _of_all(known, depth if is_whole else depth - 1, limits.nodes_used)
            if not is_whole:
                break
            if tell:
                tell(verdict)
        return verdict._replace(nodes=limits.nodes_used)

    def _glimpse(self, position: Any, move: int) -> Verdict:
        """What can be said about a move without looking any further."""
        rules = self.game.rules
        following = rules.play(position, move)
        result, mover = rules.outcome(following), rules.player(position)
        if result == ONGOING:
            score = rules.evaluate(following) if rules.evaluate else 0
            return Verdict(move, score if mover == 0 else -score, False, 1, 0, (move,))
        score = 0 if result == DRAWN else WIN - 1 if result == mover else 1 - WIN
        return Verdict(move, score, True, 1, 0, (move,))

    def _followed(self, position: Any, before: Verdict, depth: int, limits: _Limits) -> Verdict:
        """What a deeper search says about a move."""
        rules = self.game.rules
        following = rules.play(position, before.move)
        sign = 1 if rules.player(following) == rules.player(position) else -1
        found_before = before._replace(score=_one_ply_later(sign * before.score), depth=before.depth - 1)
        found = self._deepened(following, depth - 1, found_before, limits)
        if found is found_before:
            return before
        return found._replace(
            move=before.move,
            score=_one_ply_earlier(sign * found.score),
            depth=found.depth + 1,
            line=(before.move, *found.line),
        )


def _of_all(moves: list[Verdict], depth: int, nodes: int) -> Verdict:
    """What moves come to, the best of which is the first, if all those not settled were searched so deep."""
    best = moves[0]
    # A win is the fastest if no other move can win faster, which would have been seen if it is not beyond the depth.
    is_fastest = best.score > PROVEN and WIN - best.score <= depth + 1
    return best._replace(
        exact=best.exact and (is_fastest or all(move.exact for move in moves)),
        depth=depth,
        nodes=nodes,
        candidates=tuple(_candidate(move) for move in moves),
    )


def _by_score(verdict: Verdict) -> int:
    return -verdict.score


def _candidate(verdict: Verdict) -> Candidate:
    return Candidate(
        verdict.move, verdict.result, verdict.plies if verdict.exact else None, share_of(verdict.score), visits=0
    )


def _one_ply_earlier(score: int) -> int:
    return score - 1 if score > PROVEN else score + 1 if score < -PROVEN else score


def _one_ply_later(score: int) -> int:
    return score + 1 if score > PROVEN else score - 1 if score < -PROVEN else score


UNNOTICED = 1_000_000
"""So many nodes are searched before anybody thinks of pressing Ctrl-C."""


class _Limits:
    """What ends a search: so many nodes, so much time, or somebody's wish. A thread keeps watch over the latter two."""

    def __init__(self, nodes: int | None, seconds: float | None, stop: Event | None) -> None:
        self.nodes = 1 << 62 if nodes is None else nodes
        self.nodes_used = 0
        self.is_over = np.zeros(1, np.int64)
        self.deadline = math.inf if seconds is None else monotonic() + seconds
        self.stop = stop
        self.is_done = Event()
        self.watch: Thread | None = None

    @property
    def nodes_left(self) -> int:
        return max(0, self.nodes - self.nodes_used)

    def are_reached(self) -> bool:
        is_stopped = self.stop is not None and self.stop.is_set()
        return bool(is_stopped or self.is_over[0] or self.nodes_left == 0 or monotonic() >= self.deadline)

    def _keep_watch(self) -> None:
        while not self.is_done.is_set():
            if (self.stop is not None and self.stop.is_set()) or monotonic() >= self.deadline:
                self.is_over[0] = 1
                return
            left = max(0.0, self.deadline - monotonic())
            self.is_done.wait(min(left, 3600.0 if self.stop is None else 0.02))

    def __enter__(self) -> _Limits:
        if not self.are_reached() and (self.stop is not None or self.deadline < math.inf):
            self.watch = Thread(target=self._keep_watch, daemon=True)
            self.watch.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.is_done.set()
        if self.watch:
            self.watch.join()
