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
from connectoe.engines.playouts import below, next_random, random_move_rule, stream_of
from connectoe.errors import ConnectoeError
from connectoe.game import DRAWN, ONGOING, Game, rule
from connectoe.state import comparable

NODE = np.dtype(
    [
        ("first_child", np.uint32),  # 0 while it has not been expanded
        ("child_count", np.int16),
        ("move", np.int16),  # the move that leads to it
        ("mover", np.int8),  # the player to move, once it has been expanded
        ("proven", np.int8),  # ONGOING while not known, else who wins, or DRAWN
        ("distance", np.int16),  # moves to the end, if it is proven, along the way it was
        ("visits", np.int32),
        ("points", np.float64),  # the sum of results for player 0: 1 a win, 0.5 a draw, or between them
        ("share", np.float32),  # of the points, for the player who moves to it; or UNTRIED, or LOST
        ("doubt", np.float32),  # 1 / sqrt(visits), or 0 if its share is UNTRIED or LOST
        ("spread", np.float32),  # sqrt(log(visits + 1)), which multiplies the doubt about its children
    ]
)
"""A node of a search, 36 bytes. The last three fields follow from others, but a choice looks at all children of a node,
and a simulation changes one of them: so what choices need is kept ready."""
MOST_PRIOR = 1000
MOST_VISITS = 2_000_000_000
"""Visits of a root at which its search ends, whatever its limits: more cannot be counted."""
MOST_MOVES = np.iinfo(np.int16).max
UNTRIED, LOST = 1e6, -1e6
"""In place of a share: a child to choose before all others, and one to choose last."""


class Tree(NamedTuple):
    """The nodes of a search; the children of a node stand side by side, and node 0 is the root.

    >>> tree = new_tree(100)
    >>> int(tree.used[0]), int(tree.nodes[0]["visits"]), int(tree.nodes[0]["first_child"])
    (1, 0, 0)
    """

    nodes: NDArray[Any]
    used: NDArray[Any]
    """One number: how many nodes there are."""

    def children(self, node: int) -> slice:
        """Which of the nodes are the children of a node: none before it is expanded.

        >>> new_tree(100).children(0)
        slice(0, 0, None)
        """
        first = int(self.nodes["first_child"][node])
        return slice(first, first + int(self.nodes["child_count"][node]) if first else first)


def new_tree(capacity: int) -> Tree:
    """A tree that is only a root, with room to grow.

    >>> new_tree(100).nodes.size
    100
    """
    tree = Tree(np.empty(capacity, NODE), np.ones(1, np.int64))
    tree.nodes[0] = np.zeros((), NODE)
    tree.nodes[0]["proven"] = ONGOING
    return tree


def larger(tree: Tree) -> Tree:
    """The same tree with twice the room.

    >>> larger(new_tree(100)).nodes.size
    200
    """
    grown = new_tree(2 * tree.nodes.size)
    grown.nodes[: tree.nodes.size] = tree.nodes
    grown.used[:] = tree.used
    return grown


EXPAND_AFTER = 1
"""Visits a leaf has before it is expanded; 1 nearly doubles the simulations a second against 0."""
DEEPEST = 1024
"""Moves from the root to the deepest leaf."""
FIRST_CAPACITY = 1 << 16
MOST_NODES = 1 << 23
"""Nodes of the largest tree, 0.3 GB; then it grows no more, but goes on learning."""
SLICE = 0.02
"""Seconds between two looks at the clock."""


def make_simulations(
    legal_moves: Any,
    play: Any,
    outcome: Any,
    player: Any,
    random_move: Any,
    move_count: int,
    ply_limit: int,
    sees_wins: bool,
    evaluate: Any = None,
    prior: int = 0,
    trust: float = 0.0,
    unit: float = 1.0,
) -> Callable[..., int]:
    """Compiled simulations for these rules on a tree; the compiled function returns how many it ran.

    With `sees_wins`, a player in a simulated game who can win at once does. With a `prior`, a new node begins as if it
    had been visited so many times and brought what `evaluate` promises; with `trust`, so large a share of the result of
    a simulation is what `evaluate` promised where it began. An evaluation of one `unit` promises 73% of the points.

    Where a function below needs one node only, it is given the node and not the array: compiled code counts who holds
    an array, and that takes time.

    >>> import connectoe
    >>> rules = connectoe.load("tic-tac-toe").rules
    >>> run = make_simulations(*rules[1:5], random_move_rule(rules), move_count=9, ply_limit=1000, sees_wins=False)
    >>> tree = new_tree(1000)
    >>> run(tree, rules.start, 50, 0.7, np.array([1], np.uint64), True), int(tree.nodes[0]["visits"])
    (50, 50)
    """

    opinion = evaluate or player  # the latter is never asked: without an evaluation there is no prior and no trust

    @rule
    def promised(position: Any) -> Any:
        """The share of the points that player 0 seems to have."""
        return 1 / (1 + math.exp(-opinion(position) / unit))

    @rule
    def select_child(nodes: Any, node: Any, exploration: Any) -> Any:
        """The child with the best upper confidence bound for the player to move."""
        first = nodes[node].first_child
        spread = exploration * nodes[node].spread
        best, best_bound = first, nodes[first].share + spread * nodes[first].doubt
        for number in range(1, nodes[node].child_count):
            child = nodes[first + number]
            bound = child.share + spread * child.doubt
            if bound > best_bound:
                best, best_bound = np.uint32(first + number), bound
        return best

    @rule
    def expand(nodes: Any, used: Any, node: Any, position: Any, moves: Any, state: Any) -> bool:
        """Adds the children of a node; returns whether any of them ends the game. Those that do are proven at once."""
        mover = player(position)
        count = 0
        for move in legal_moves(position):
            moves[count] = move
            count += 1
        first = np.uint32(used[0])
        turned = below(state, count)  # they are tried in order, which begins anywhere, so that no move has an advantage
        any_ended = False
        for number in range(count):
            move = moves[number + turned - (count if number + turned >= count else 0)]
            after = play(position, move)
            ended = outcome(after)
            child = nodes[first + number]
            child.first_child = 0
            child.move = move
            child.proven = ended
            child.distance = 0
            child.visits = 0
            child.points = 0
            child.share = LOST if ended == 1 - mover else UNTRIED
            child.doubt = 0.0
            if prior > 0 and ended == ONGOING:
                share = promised(after)
                child.visits = prior
                child.points = prior * share
                child.share = share if mover == 0 else 1 - share
                child.doubt = 1 / math.sqrt(prior)
            any_ended |= ended != ONGOING
        nodes[node].first_child = first
        nodes[node].child_count = count
        nodes[node].mover = mover
        used[0] = first + count
        return any_ended

    @rule
    def prove(nodes: Any, node: Any) -> bool:
        """Whether the children of a node prove its result, which is then noted with its distance."""
        mover = nodes[node].mover
        first = nodes[node].first_child
        nearest_win, farthest_draw, farthest_loss = 32000, -1, -1
        all_known = True
        for number in range(nodes[node].child_count):
            proven, distance = nodes[first + number].proven, nodes[first + number].distance
            if proven == ONGOING:
                all_known = False
            elif proven == mover:
                nearest_win = min(nearest_win, distance)
            elif proven == DRAWN:
                farthest_draw = max(farthest_draw, distance)
            else:
                farthest_loss = max(farthest_loss, distance)
        if nearest_win < 32000:
            nodes[node].proven = mover
            nodes[node].distance = nearest_win + 1
            return True
        if not all_known:
            return False
        nodes[node].proven = 1 - mover if farthest_draw < 0 else DRAWN
        nodes[node].distance = (farthest_loss if farthest_draw < 0 else farthest_draw) + 1
        return True

    @rule
    def add_result(node: Any, points: float, mover: int) -> None:
        """Adds the result of a simulation to a node that this player has moved to."""
        node.visits += 1
        node.points += points
        visits = np.float32(node.visits)
        share = np.float32(node.points) / visits
        node.share = LOST if node.proven == 1 - mover else share if mover == 0 else np.float32(1) - share
        node.doubt = 0.0 if node.proven == 1 - mover else np.float32(1) / math.sqrt(visits)
        node.spread = math.sqrt(math.log(visits + np.float32(1)))

    @rule
    def winning_move(position: Any) -> Any:
        """A move that wins at once, or -1."""
        mover = player(position)
        for move in legal_moves(position):
            if outcome(play(position, move)) == mover:
                return move
        return -1

    def simulations(tree: Tree, root: Any, count: int, exploration: float, stream: Any, stops_when_full: bool) -> int:
        nodes, used = tree.nodes, tree.used
        moves = np.empty(move_count, np.int64)
        path = np.zeros(DEEPEST, np.uint32)
        state = stream[0]
        done = 0
        while done < count and nodes[0].proven == ONGOING:
            # Select a leaf.
            position = root
            node = path[0]
            depth = 0
            while nodes[node].first_child != 0 and nodes[node].proven == ONGOING and depth < DEEPEST - 1:
                node = select_child(nodes, node, np.float32(exploration))
                position = play(position, np.int64(nodes[node].move))
                depth += 1
                path[depth] = node
            # Expand it.
            is_leaf = nodes[node].first_child == 0 and nodes[node].proven == ONGOING
            if is_leaf and (nodes[node].visits >= EXPAND_AFTER + prior or depth == 0):
                if used[0] + move_count <= nodes.size:
                    state = next_random(state)
                    if expand(nodes, used, node, position, moves, state):
                        prove(nodes, node)
                elif stops_when_full:
                    break
            # Simulate.
            result = int(nodes[node].proven)
            is_certain = result != ONGOING
            promise = promised(position) if trust > 0 and not is_certain else 0.0
            ply = 0
            while result == ONGOING and ply < ply_limit:
                chosen = -1
                if sees_wins:
                    chosen = int(winning_move(position))
                if chosen < 0:
                    state = next_random(state)
                    chosen = int(random_move(position, state, moves))
                position = play(position, chosen)
                result = int(outcome(position))
                ply += 1
            # Backpropagate.
            points = 1.0 if result == 0 else 0.0 if result == 1 else 0.5
            if trust > 0 and not is_certain:
                points = (1 - trust) * points + trust * promise
            for step in range(depth, -1, -1):
                if is_certain and step < depth:
                    is_certain = prove(nodes, path[step])
                add_result(nodes[path[step]], points, int(nodes[path[step - 1]].mover) if step > 0 else 0)
            done += 1
        stream[0] = state
        return done

    return compiled(simulations)


def make_transplant() -> Callable[..., None]:
    """A compiled function that copies the part of a tree below a node into a new one, as its root.

    >>> old, new = new_tree(100), new_tree(100)
    >>> old.nodes[0]["visits"] = 7
    >>> make_transplant()(old, 0, new)
    >>> int(new.nodes[0]["visits"])
    7
    """

    def transplant(tree: Tree, node: int, target: Tree) -> None:
        origin = np.empty(target.nodes.size, np.uint32)
        origin[0] = node
        used = 1
        done = 0
        while done < used:
            target.nodes[done] = tree.nodes[origin[done]]
            copied = target.nodes[done]
            if copied.first_child != 0:
                for number in range(copied.child_count):
                    origin[used + number] = copied.first_child + number
                copied.first_child = used
                used += copied.child_count
            done += 1
        target.used[0] = used

    return compiled(transplant)


@lru_cache(maxsize=64)
def _simulations(game: Game, sees_wins: bool, prior: int, trust: float, unit: float) -> Callable[..., int]:
    rules = game.rules
    moves = len(game.move_texts)
    if moves > MOST_MOVES:
        raise ConnectoeError(f"{game.id} has {moves:,} different moves; a tree search can tell {MOST_MOVES:,} apart")
    return make_simulations(
        *rules[1:5], random_move_rule(rules), moves, game.ply_limit, sees_wins, rules.evaluate, prior, trust, unit
    )


def make_descent(play: Any, outcome: Any) -> Callable[..., int]:
    """A compiled function that finds the node of a position one or two moves below the root; 0 if there is none.

    >>> import connectoe
    >>> rules = connectoe.load("tic-tac-toe").rules
    >>> make_descent(rules.play, rules.outcome)(new_tree(100), rules.start, rules.play(rules.start, 4))
    0
    """

    def descent(tree: Tree, root: Any, target: Any) -> int:
        nodes = tree.nodes
        first = np.int64(nodes[0].first_child)
        if first == 0:
            return 0
        for number in range(nodes[0].child_count - 1, -1, -1):
            node = first + number
            here = play(root, np.int64(nodes[node].move))
            if here == target:
                return int(node)
            below = np.int64(nodes[node].first_child)
            if below != 0 and outcome(here) == ONGOING:
                for deeper in range(nodes[node].child_count - 1, -1, -1):
                    if play(here, np.int64(nodes[below + deeper].move)) == target:
                        return int(below + deeper)
        return 0

    return compiled(descent)


@lru_cache(maxsize=64)
def _descent(game: Game) -> Callable[..., int]:
    """How to find a position in a tree: compiled, but for positions that hold arrays, which do not compare there."""
    rules = game.rules
    if all(isinstance(field, int) for field in rules.start):
        return make_descent(rules.play, rules.outcome)

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
        prior: int | None = None,
        trust: float | None = None,
        unit: float | None = None,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        self.game = game
        tuned = (TUNED if prior == 0 and trust == 0 else WITH_OPINIONS).get(game.id, DEFAULT)
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
        if not game.rules.evaluate:  # then there is no opinion to be had
            self.prior, self.trust = 0, 0.0
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
        node = _descent(self.game)(tree, self.root, position)
        if not node:
            return None
        kept = new_tree(max(FIRST_CAPACITY, tree.nodes.size))
        _transplant()(tree, node, kept)
        return kept

    def _grow(self, number: int, simulations: int | None, deadline: float, stop: Event | None) -> None:
        """Runs simulations on one of the trees."""
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

    def _found(self) -> Found:
        """What the trees say together."""
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
            share = 0.5 if visits == 0 else score / visits if mover == 0 else 1 - score / visits
            result = None if proven == ONGOING else "draw" if proven == DRAWN else "win" if proven == mover else "loss"
            plies = int(distance) if result in ("win", "loss") else None
            share = {"win": 1.0, "draw": 0.5, "loss": 0.0, None: share}[result]
            candidates.append(Candidate(move, result, plies, share, int(made)))
        return best_first(candidates, self._line())

    def _simulated(self, children: NDArray[Any]) -> NDArray[Any]:
        """How many simulations went through these nodes: their visits, without those they only began with."""
        ends_the_game = (children["proven"] != ONGOING) & (children["distance"] == 0)  # these began with none
        return children["visits"] - np.where(ends_the_game, 0, self.prior)

    def _line(self) -> tuple[int, ...]:
        """The moves that the first tree expects: proven wins, else what was visited most."""
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


class Tuning(NamedTuple):
    """What plays best, as matches have shown; docs/results/tuning.md has the measurements.

    >>> Tuning(exploration=0.7, sees_wins=False) == DEFAULT
    True
    """

    exploration: float
    sees_wins: bool
    prior: int = 0
    """How many visits the game's own evaluation counts for in a new node."""
    trust: float = 0.0
    """The share of a simulation's result that is the evaluation's instead."""
    unit: float = 50
    """The evaluation that promises 73% of the points."""


DEFAULT = Tuning(0.7, False)
TUNED = {
    "connect-four": Tuning(0.4, False),
    "connect-tac-toe": Tuning(0.45, False),
    "semaphores": Tuning(0.45, False),
    "ultimate": Tuning(0.45, False),
    "advanced": Tuning(0.3, False),
}
"""Without opinions."""
WITH_OPINIONS = {**TUNED, "ultimate": Tuning(0.35, False, prior=8, trust=0.4, unit=45)}
