"""Monte Carlo tree search for any game: UCT with proven results (MCTS-Solver, Winands et al. 2008).

A search repeats: select a leaf by UCT, expand it, simulate a random game from there, and backpropagate the result.
Results are kept from player 0's point of view and turned round for the player to move, so that a player may move
twice running. A node whose result is certain is proven, and proofs climb the tree: one winning move proves a win,
and when all moves are proven, the best of them proves the node.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from threading import Event
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectoe.engines.analysis import Candidate, Found, best_first
from connectoe.engines.compiling import compiled
from connectoe.engines.playouts import below, next_random, stream_of
from connectoe.errors import ConnectoeError
from connectoe.game import DRAWN, ONGOING, Game, rule
from connectoe.state import comparable


class Tree(NamedTuple):
    """The nodes of a search, field by field; the children of a node stand side by side, and node 0 is the root.

    >>> tree = new_tree(100)
    >>> int(tree.used[0]), int(tree.visits[0]), int(tree.first_child[0])
    (1, 0, 0)
    """

    first_child: NDArray[Any]
    """0 while a node has not been expanded."""
    child_count: NDArray[Any]
    move: NDArray[Any]
    """The move that leads to a node."""
    mover: NDArray[Any]
    """The player to move at an expanded node."""
    visits: NDArray[Any]
    score: NDArray[Any]
    """The sum of results for player 0: 1 a win, 0.5 a draw."""
    proven: NDArray[Any]
    """ONGOING while not known, else who wins, or DRAWN."""
    distance: NDArray[Any]
    """Moves to the end of a proven node, along the way it was proven."""
    used: NDArray[Any]
    """One number: how many nodes there are."""


def new_tree(capacity: int) -> Tree:
    """A tree that is only a root, with room to grow.

    >>> new_tree(100).move.size
    100
    """
    kinds = (np.int32, np.int32, np.int32, np.int8, np.int32, np.float64, np.int8, np.int16)
    fields = [np.zeros(capacity, kind) for kind in kinds]
    tree = Tree(*fields, np.ones(1, np.int64))  # type: ignore[call-arg]
    tree.proven[0] = ONGOING
    return tree


def larger(tree: Tree) -> Tree:
    """The same tree with twice the room.

    >>> larger(new_tree(100)).move.size
    200
    """
    grown = new_tree(2 * tree.move.size)
    for old, new in zip(tree, grown, strict=True):
        new[: old.size] = old
    return grown


EXPAND_AFTER = 1
"""Visits a leaf has before it is expanded; 1 nearly doubles the simulations a second against 0."""
DEEPEST = 1024
"""Moves from the root to the deepest leaf."""
FIRST_CAPACITY = 1 << 16
MOST_NODES = 1 << 23
"""Nodes of the largest tree, 0.25 GB; then it grows no more, but goes on learning."""
SLICE = 0.02
"""Seconds between two looks at the clock."""


def make_simulations(
    legal_moves: Any, play: Any, outcome: Any, player: Any, move_count: int, ply_limit: int, sees_wins: bool
) -> Callable[..., int]:
    """Compiled simulations for these rules on a tree; the compiled function returns how many it ran.

    With `sees_wins`, a player in a simulated game who can win at once does.

    >>> import connectoe
    >>> rules = connectoe.load("tic-tac-toe").rules
    >>> run = make_simulations(*rules[1:5], move_count=9, ply_limit=1000, sees_wins=False)
    >>> tree = new_tree(1000)
    >>> run(tree, rules.start, 50, 0.7, np.array([1], np.uint64), True), int(tree.visits[0])
    (50, 50)
    """

    @rule
    def select_child(tree: Tree, node: int, exploration: float, state: Any) -> Any:
        """The child with the best upper confidence bound for the player to move; one never visited comes first."""
        first, count = tree.first_child[node], tree.child_count[node]
        mover = tree.mover[node]
        spread = exploration * math.sqrt(math.log(tree.visits[node] + 1.0))
        best, best_bound = first, -1e9
        child = first + below(state, count)  # the search begins anywhere, so that no move has an advantage
        for _ in range(count):
            visits = tree.visits[child]
            if tree.proven[child] == 1 - mover:
                bound = -1e6
            elif visits == 0:
                return child
            else:
                share = tree.score[child] / visits
                bound = (share if mover == 0 else 1.0 - share) + spread / math.sqrt(visits)
            if bound > best_bound:
                best, best_bound = child, bound
            child += 1
            if child == first + count:
                child = first
        return best

    @rule
    def expand(tree: Tree, node: int, position: Any) -> None:
        """Adds the children of a node; those that end the game are proven at once."""
        first = tree.used[0]
        count = 0
        for move in legal_moves(position):
            child = first + count
            count += 1
            tree.first_child[child] = 0
            tree.move[child] = move
            tree.visits[child] = 0
            tree.score[child] = 0.0
            tree.proven[child] = outcome(play(position, move))
            tree.distance[child] = 0
        tree.first_child[node] = first
        tree.child_count[node] = count
        tree.mover[node] = player(position)
        tree.used[0] = first + count

    @rule
    def prove(tree: Tree, node: int) -> bool:
        """Whether the children of a node prove its result, which is then noted with its distance."""
        mover = tree.mover[node]
        first = tree.first_child[node]
        nearest_win, farthest_draw, farthest_loss = 32000, -1, -1
        all_known = True
        for child in range(first, first + tree.child_count[node]):
            proven, distance = tree.proven[child], tree.distance[child]
            if proven == ONGOING:
                all_known = False
            elif proven == mover:
                nearest_win = min(nearest_win, distance)
            elif proven == DRAWN:
                farthest_draw = max(farthest_draw, distance)
            else:
                farthest_loss = max(farthest_loss, distance)
        if nearest_win < 32000:
            tree.proven[node] = mover
            tree.distance[node] = nearest_win + 1
            return True
        if not all_known:
            return False
        tree.proven[node] = 1 - mover if farthest_draw < 0 else DRAWN
        tree.distance[node] = (farthest_loss if farthest_draw < 0 else farthest_draw) + 1
        return True

    @rule
    def winning_move(position: Any, moves: Any, count: int) -> Any:
        """A move that wins at once, or -1."""
        mover = player(position)
        for i in range(count):
            if outcome(play(position, moves[i])) == mover:
                return moves[i]
        return -1

    def simulations(tree: Tree, root: Any, count: int, exploration: float, stream: Any, stops_when_full: bool) -> int:
        moves = np.empty(move_count, np.int64)
        path = np.empty(DEEPEST, np.int32)
        state = stream[0]
        done = 0
        while done < count and tree.proven[0] == ONGOING:
            # Select a leaf.
            position = root
            node = 0
            depth = 0
            path[0] = 0
            while tree.first_child[node] != 0 and tree.proven[node] == ONGOING and depth < DEEPEST - 1:
                state = next_random(state)
                node = int(select_child(tree, node, exploration, state))
                position = play(position, tree.move[node])
                depth += 1
                path[depth] = node
            # Expand it.
            is_leaf = tree.first_child[node] == 0 and tree.proven[node] == ONGOING
            if is_leaf and (tree.visits[node] >= EXPAND_AFTER or node == 0):
                if tree.used[0] + move_count <= tree.move.size:
                    expand(tree, node, position)
                    prove(tree, node)
                elif stops_when_full:
                    break
            # Simulate.
            result = int(tree.proven[node])
            ply = 0
            while result == ONGOING and ply < ply_limit:
                choices = 0
                for move in legal_moves(position):
                    moves[choices] = move
                    choices += 1
                chosen = -1
                if sees_wins:
                    chosen = int(winning_move(position, moves, choices))
                if chosen < 0:
                    state = next_random(state)
                    chosen = int(moves[below(state, choices)])
                position = play(position, chosen)
                result = int(outcome(position))
                ply += 1
            # Backpropagate.
            score = 1.0 if result == 0 else 0.0 if result == 1 else 0.5
            is_certain = tree.proven[node] != ONGOING
            for step in range(depth, -1, -1):
                above = path[step]
                tree.visits[above] += 1
                tree.score[above] += score
                if is_certain and step < depth:
                    is_certain = prove(tree, above)
            done += 1
        stream[0] = state
        return done

    return compiled(simulations)


def make_transplant() -> Callable[..., None]:
    """A compiled function that copies the part of a tree below a node into a new one, as its root.

    >>> old, new = new_tree(100), new_tree(100)
    >>> old.visits[0] = 7
    >>> make_transplant()(old, 0, new)
    >>> int(new.visits[0])
    7
    """

    def transplant(tree: Tree, node: int, target: Tree) -> None:
        origin = np.empty(target.move.size, np.int32)
        origin[0] = node
        used = 1
        done = 0
        while done < used:
            old = origin[done]
            target.move[done] = tree.move[old]
            target.mover[done] = tree.mover[old]
            target.visits[done] = tree.visits[old]
            target.score[done] = tree.score[old]
            target.proven[done] = tree.proven[old]
            target.distance[done] = tree.distance[old]
            target.first_child[done] = 0
            target.child_count[done] = tree.child_count[old]
            if tree.first_child[old] != 0:
                target.first_child[done] = used
                for child in range(tree.child_count[old]):
                    origin[used] = tree.first_child[old] + child
                    used += 1
            done += 1
        target.used[0] = used

    return compiled(transplant)


@lru_cache(maxsize=64)
def _simulations(game: Game, sees_wins: bool) -> Callable[..., int]:
    rules = game.rules
    moves = len(game.move_texts)
    return make_simulations(
        rules.legal_moves, rules.play, rules.outcome, rules.player, moves, game.ply_limit, sees_wins
    )


@lru_cache(maxsize=1)
def _transplant() -> Callable[..., None]:
    return make_transplant()


class MCTS:
    """A search of one game that keeps its tree between moves.

    >>> import connectoe
    >>> game = connectoe.load("connect-four")
    >>> state = game.start
    >>> for move in "d c d c d c".split():
    ...     state = state.play(move)
    >>> found = MCTS(game, seed=1).search(state.position, simulations=1000)
    >>> game.move_text(found.move), found.result, found.plies
    ('d', 'win', 1)
    """

    def __init__(
        self,
        game: Game,
        *,
        exploration: float | None = None,
        sees_wins: bool | None = None,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        self.game = game
        tuned = TUNED.get(game.id, DEFAULT)
        self.exploration = tuned.exploration if exploration is None else exploration
        self.sees_wins = tuned.sees_wins if sees_wins is None else sees_wins
        self.streams = [np.array([_first_of_stream(seed, number)], np.uint64) for number in range(threads)]
        self.trees: list[Tree] = []
        self.root: Any = None

    def search(
        self,
        position: Any,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: Event | None = None,
    ) -> Found:
        """What the search finds within so many simulations, or so many seconds, or until it is stopped.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> found = MCTS(game, seed=1).search(game.state("XX1/OO1/3 X").position, simulations=500)
        >>> game.move_text(found.move), found.result
        ('c3', 'win')
        """
        if self.game.rules.outcome(position) != ONGOING:
            raise ConnectoeError("there is nothing to search: the game is over")
        if simulations is None and seconds is None and stop is None:
            raise ConnectoeError("a search needs a limit: simulations, seconds, or something that stops it")
        self._go_to(position)
        begun = time.perf_counter()
        deadline = math.inf if seconds is None else begun + seconds
        shares = _split(simulations, len(self.trees))
        if len(self.trees) == 1:
            self._grow(0, shares[0], deadline, stop)
        else:
            with ThreadPoolExecutor(len(self.trees)) as pool:
                jobs = [pool.submit(self._grow, i, share, deadline, stop) for i, share in enumerate(shares)]
                for job in jobs:
                    job.result()
        return self._found()

    def _go_to(self, position: Any) -> None:
        """Makes the position the root, keeping what is known about it from the search before."""
        if self.root is not None and comparable(self.root) == comparable(position):
            return
        kept = [self._subtree(tree, position) for tree in self.trees] if self.trees else [None] * len(self.streams)
        self.trees = [new_tree(FIRST_CAPACITY) if tree is None else tree for tree in kept]
        self.root = position

    def _subtree(self, tree: Tree, position: Any) -> Tree | None:
        """The tree below the node that stands for the position, if it is at most two moves below the root."""
        play, target = self.game.rules.play, comparable(position)
        waiting = [(0, self.root, 0)]
        while waiting:
            node, here, depth = waiting.pop()
            if depth and comparable(here) == target:
                kept = new_tree(max(FIRST_CAPACITY, tree.move.size))
                _transplant()(tree, node, kept)
                return kept
            if depth < 2 and tree.first_child[node] and self.game.rules.outcome(here) == ONGOING:
                first = int(tree.first_child[node])
                children = range(first, first + int(tree.child_count[node]))
                waiting += [(child, play(here, int(tree.move[child])), depth + 1) for child in children]
        return None

    def _grow(self, number: int, simulations: int | None, deadline: float, stop: Event | None) -> None:
        """Runs simulations on one of the trees."""
        run = _simulations(self.game, self.sees_wins)
        left = simulations
        at_once = 64
        while left is None or left > 0:
            tree = self.trees[number]
            count = at_once if left is None else min(at_once, left)
            room = 2 * tree.move.size <= MOST_NODES
            begun = time.perf_counter()
            done = run(tree, self.root, count, self.exploration, self.streams[number], room)
            now = time.perf_counter()
            if done < count:
                if tree.proven[0] != ONGOING:
                    return
                self.trees[number] = larger(tree)
            elif now - begun < SLICE / 2:
                at_once *= 2
            if left is not None:
                left -= done
            if now >= deadline or (stop is not None and stop.is_set()):
                return

    def _found(self) -> Found:
        """What the trees say together."""
        rules = self.game.rules
        mover = rules.player(self.root)
        merged: dict[int, list[float]] = {move: [0, 0.0, ONGOING, 0] for move in rules.legal_moves(self.root)}
        for tree in self.trees:
            first = int(tree.first_child[0])
            for child in range(first, first + int(tree.child_count[0]) if first else first):
                entry = merged[int(tree.move[child])]
                entry[0] += int(tree.visits[child])
                entry[1] += float(tree.score[child])
                if tree.proven[child] != ONGOING:
                    entry[2:] = [int(tree.proven[child]), int(tree.distance[child]) + 1]
        candidates = []
        for move, (visits, score, proven, distance) in merged.items():
            share = 0.5 if visits == 0 else score / visits if mover == 0 else 1 - score / visits
            result = None if proven == ONGOING else "draw" if proven == DRAWN else "win" if proven == mover else "loss"
            plies = int(distance) if result in ("win", "loss") else None
            share = {"win": 1.0, "draw": 0.5, "loss": 0.0, None: share}[result]
            candidates.append(Candidate(move, result, plies, share, int(visits)))
        return best_first(candidates, self._line())

    def _line(self) -> tuple[int, ...]:
        """The moves that the first tree expects: proven wins, else what was visited most."""
        tree = self.trees[0]
        node, moves = 0, []
        while tree.first_child[node]:
            first = int(tree.first_child[node])
            children = range(first, first + int(tree.child_count[node]))
            mover = int(tree.mover[node])
            wins = [child for child in children if tree.proven[child] == mover]
            if wins:
                node = min(wins, key=lambda child: int(tree.distance[child]))
            else:
                open_children = [child for child in children if tree.proven[child] != 1 - mover] or list(children)
                node = max(open_children, key=lambda child: int(tree.visits[child]))
                if not tree.visits[node]:
                    break
            moves.append(int(tree.move[node]))
        return tuple(moves)


def _first_of_stream(seed: int, number: int) -> Any:
    with np.errstate(over="ignore"):
        return stream_of(seed & (1 << 63) - 1, number)


def _split(total: int | None, parts: int) -> list[int | None]:
    if total is None:
        return [None] * parts
    return [total * (part + 1) // parts - total * part // parts for part in range(parts)]


class Tuning(NamedTuple):
    """What plays best, as matches have shown; docs/results/tuning.md has the measurements.

    >>> Tuning(exploration=0.7, sees_wins=False) == DEFAULT
    True
    """

    exploration: float
    sees_wins: bool


DEFAULT = Tuning(0.7, False)
TUNED = {
    "connect-four": Tuning(0.4, False),
    "connect-tac-toe": Tuning(0.45, False),
    "semaphores": Tuning(0.45, False),
    "ultimate": Tuning(0.45, False),
    "advanced": Tuning(0.3, False),
}
