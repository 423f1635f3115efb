"""Monte Carlo tree search for any game: UCT with proven results (MCTS-Solver, Winands et al. 2008).

A search repeats: select a leaf by UCT, expand it, simulate a random game from there, and backpropagate the result.
Results are kept from player 0's point of view and converted for the player to move, so that a player may move
twice in a row. A node whose result is certain is proven, and proofs climb the tree: one winning move proves a win,
and when all moves are proven, the best of them proves the node.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from threading import Event
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.core.rules import DRAWN, ONGOING
from connectoe.core.state import comparable
from connectoe.core.strength import Tuning
from connectoe.engines.engine import (
    UNKNOWN,
    Analysis,
    Candidate,
    Estimate,
    Exact,
    Limits,
    best_first,
    refuse_if_over,
)
from connectoe.engines.mcts_simulations import Tree, larger, make_descent, make_simulations, make_transplant, new_tree
from connectoe.engines.playouts import stream_of

MOST_PRIOR = 1000
MOST_VISITS = 2_000_000_000
"""Visits of a root at which its search ends, whatever its limits: more cannot be counted."""
MOST_MOVES = np.iinfo(np.int16).max
FIRST_CAPACITY = 1 << 16
MOST_NODES = 1 << 23
"""Nodes of the largest tree, 0.3 GB; then it stops growing, but keeps learning."""
SLICE = 0.02
"""Seconds between two checks of the clock."""


@lru_cache(maxsize=64)
def _simulations(game: Game, sees_wins: bool, prior: int, trust: float, unit: float) -> Callable[..., int]:
    moves = len(game.move_texts)
    if moves > MOST_MOVES:
        raise ConnectoeError(f"{game.id} has {moves:,} different moves; a tree search can tell {MOST_MOVES:,} apart")
    return make_simulations(game.rules, game.ply_limit, Tuning(0, sees_wins, prior, trust, unit))


@lru_cache(maxsize=64)
def _descent(game: Game) -> Callable[..., int]:
    """Return a function that finds a position in a tree; not compiled for positions that hold arrays."""
    rules = game.rules
    if not rules.has_arrays:
        return make_descent(rules)

    def descent(tree: Tree, root: Any, position: Any) -> int:
        target = comparable(position)
        waiting = [(0, root, 0)]
        while waiting:
            node, here, depth = waiting.pop()
            if depth and comparable(here) == target:
                return node
            if depth < 2 and rules.outcome(here) == ONGOING:
                children = tree.children(node)
                moves = tree.nodes["move"][children].tolist()
                waiting += [
                    (child, rules.play(here, move), depth + 1) for child, move in enumerate(moves, children.start)
                ]
        return 0

    return descent


@lru_cache(maxsize=1)
def _transplant() -> Callable[..., None]:
    return make_transplant()


class MCTS:
    """A tree search of one game; it keeps its tree between moves.

    >>> import connectoe
    >>> game = connectoe.load("connect-four")
    >>> state = game.start
    >>> for move in "d c d c d c".split():
    ...     state = state.play(move)
    >>> found = MCTS(game, seed=1).search(state.position, Limits(simulations=1000))
    >>> game.move_text(found.move), found.result, found.plies
    ('d', 'win', 1)
    """

    limited_by: ClassVar[tuple[str, ...]] = ("simulations", "seconds", "stop")
    is_deterministic: ClassVar[bool] = False

    def __init__(
        self,
        game: Game,
        *,
        exploration: float | None = None,
        sees_wins: bool | None = None,
        prior: int | None = None,
        trust: float | None = None,
        unit: float | None = None,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        self.game = game
        has_opinion = prior != 0 or trust != 0
        tuned = (has_opinion and game.tuning_with_opinion) or game.tuning
        self.exploration = tuned.exploration if exploration is None else exploration
        self.sees_wins = tuned.sees_wins if sees_wins is None else sees_wins
        self.prior = tuned.prior if prior is None else prior
        self.trust = tuned.trust if trust is None else trust
        self.unit = tuned.unit if unit is None else unit
        if not 0 <= self.prior <= MOST_PRIOR or not 0 <= self.trust <= 1 or not 0 < self.unit <= 10_000:
            given = f"{self.prior}, {self.trust} and {self.unit:g}"
            raise ConnectoeError(
                f"a prior is between 0 and {MOST_PRIOR} visits, trust between 0 and 1, a unit above 0, not {given}"
            )
        if not game.rules.evaluate:  # without it there is no opinion
            self.prior, self.trust = 0, 0.0
        self.streams = [np.array([_first_of_stream(seed, number)], np.uint64) for number in range(threads)]
        self.trees: list[Tree] = []
        self.root: Any = None

    def search(self, position: Any, limits: Limits) -> Analysis:
        """Return what simulations within the limits find about every legal move."""
        refuse_if_over(self.game, position)
        limits.check(self.limited_by)
        self._go_to(position)
        deadline = math.inf if limits.seconds is None else time.perf_counter() + limits.seconds
        shares = _split(limits.simulations, len(self.trees))
        if len(self.trees) == 1:
            self._grow(0, shares[0], deadline, limits.stop)
        else:
            with ThreadPoolExecutor(len(self.trees)) as pool:
                jobs = [pool.submit(self._grow, i, share, deadline, limits.stop) for i, share in enumerate(shares)]
                for job in jobs:
                    job.result()
        return self._analysis()

    def _go_to(self, position: Any) -> None:
        """Make the position the root, keeping what is known about it from the search before."""
        if self.root is not None and comparable(self.root) == comparable(position):
            return
        moves = len(self.game.move_texts)
        kept = [self._subtree(tree, position) for tree in self.trees] if self.trees else [None] * len(self.streams)
        self.trees = [new_tree(FIRST_CAPACITY, moves) if tree is None else tree for tree in kept]
        self.root = position

    def _subtree(self, tree: Tree, position: Any) -> Tree | None:
        """Return the tree below the node that stands for the position, if it is at most two moves below the root."""
        node = _descent(self.game)(tree, self.root, position)
        if not node:
            return None
        kept = new_tree(max(FIRST_CAPACITY, tree.nodes.size), tree.moves.size)
        _transplant()(tree, node, kept)
        return kept

    def _grow(self, number: int, simulations: int | None, deadline: float, stop: Event | None) -> None:
        """Run simulations on one of the trees."""
        run = _simulations(self.game, self.sees_wins, self.prior, self.trust, self.unit)
        left = simulations
        at_once = 64
        while left is None or left > 0:
            tree = self.trees[number]
            count = at_once if left is None else min(at_once, left)
            room = 2 * tree.nodes.size <= MOST_NODES
            begun = time.perf_counter()
            done = run(tree, self.root, count, self.exploration, self.streams[number], room)
            now = time.perf_counter()
            if done < count:
                if tree.nodes[0]["proven"] != ONGOING:
                    return
                self.trees[number] = larger(tree)
            elif now - begun < SLICE / 2:
                at_once *= 2
            if left is not None:
                left -= done
            is_full = tree.nodes[0]["visits"] >= MOST_VISITS
            if is_full or now >= deadline or (stop is not None and stop.is_set()):
                return

    def _analysis(self) -> Analysis:
        """Return the analysis of all trees together."""
        rules = self.game.rules
        mover = rules.player(self.root)
        merged: dict[int, list[float]] = {move: [0, 0.0, ONGOING, 0, 0] for move in rules.legal_moves(self.root)}
        for tree in self.trees:
            children = tree.nodes[tree.children(0)]
            columns = [children[field].tolist() for field in ("move", "points", "proven", "distance", "visits")]
            columns.append(self._simulated(children).tolist())
            for move, points, proven, distance, visits, made in zip(*columns, strict=True):
                entry = merged[move]
                entry[0] += visits
                entry[1] += points
                if proven != ONGOING:
                    entry[2:4] = [proven, distance + 1]
                entry[4] += made
        candidates = []
        for move, (visits, score, proven, distance, made) in merged.items():
            value: Exact | Estimate
            if proven == DRAWN:
                value = Exact("draw")
            elif proven != ONGOING:
                value = Exact("win" if proven == mover else "loss", int(distance))
            elif visits:
                share = score / visits if mover == 0 else 1 - score / visits
                value = Estimate.from_visits(share, int(made)) if made else Estimate(share)
            else:
                value = UNKNOWN
            candidates.append(Candidate(move, value, int(made)))
        random.Random(int(self.streams[0][0])).shuffle(candidates)  # equal candidates come in random order
        return best_first(candidates, self._line())

    def _simulated(self, children: NDArray[Any]) -> NDArray[Any]:
        """Return how many simulations went through these nodes: their visits without those of the prior."""
        ends_the_game = (children["proven"] != ONGOING) & (children["distance"] == 0)  # these began with none
        return children["visits"] - np.where(ends_the_game, 0, self.prior)

    def _line(self) -> tuple[int, ...]:
        """Return the moves that the first tree expects: proven wins, else what was visited most."""
        tree = self.trees[0]
        node, moves = 0, []
        while len(children := tree.nodes[tree.children(node)]):
            mover, proven = tree.nodes["mover"][node], children["proven"]
            is_win, is_loss = proven == mover, proven == 1 - mover
            if is_win.any():
                best = int(np.where(is_win, children["distance"], np.iinfo(np.int16).max).argmin())
            else:
                best = int(np.where(is_loss & ~is_loss.all(), -1, children["visits"]).argmax())
                if not self._simulated(children)[best]:
                    break
            moves.append(int(children["move"][best]))
            node = tree.children(node).start + best
        return tuple(moves)


def _first_of_stream(seed: int, number: int) -> Any:
    with np.errstate(over="ignore"):
        return stream_of(seed & (1 << 63) - 1, number)


def _split(total: int | None, parts: int) -> list[int | None]:
    if total is None:
        return [None] * parts
    return [total * (part + 1) // parts - total * part // parts for part in range(parts)]
