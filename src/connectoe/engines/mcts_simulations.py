"""The compiled part of Monte Carlo tree search: the tree, and simulations on it.

Limits, threads and results are in `mcts.py`, which also explains how the search works.

Steps that are the same for all games are functions of their own, compiled once and not with each game. Where one of
them needs a single node, it is given the node and not the array: compiled code counts references to arrays, and
that takes time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectoe.core.rules import DRAWN, ONGOING, Rules, rule
from connectoe.core.strength import Tuning
from connectoe.engines.compiling import compiled
from connectoe.engines.playouts import below, next_random, overwriting_rules, random_move_rule

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
"""A node of a search, 36 bytes. The last three fields follow from others, but they are stored, because a choice looks
at all children of a node while a simulation changes only one.
"""
UNTRIED, LOST = 1e6, -1e6
"""In place of a share: a child to choose before all others, and one to choose last."""


EXPAND_AFTER = 1
"""Visits a leaf has before it is expanded; with 1 instead of 0, there are nearly twice as many simulations per
second."""
DEEPEST = 1024
"""Moves from the root to the deepest leaf."""


class Tree(NamedTuple):
    """The nodes of a search; the children of a node stand side by side, and node 0 is the root.

    >>> tree = new_tree(100, move_count=7)
    >>> int(tree.used[0]), int(tree.nodes[0]["visits"]), int(tree.nodes[0]["first_child"])
    (1, 0, 0)
    """

    nodes: NDArray[Any]
    used: NDArray[Any]
    """One number: how many nodes there are."""
    path: NDArray[Any]
    """Room for the nodes from the root to a leaf."""
    moves: NDArray[Any]
    """Room for the legal moves of a position."""

    def children(self, node: int) -> slice:
        """Return which nodes are the children of a node: none before it is expanded."""
        first = int(self.nodes["first_child"][node])
        return slice(first, first + int(self.nodes["child_count"][node]) if first else first)


def new_tree(capacity: int, move_count: int) -> Tree:
    """Return a tree that is only a root, with room to grow, for a game with this many different moves."""
    room = np.zeros(DEEPEST, np.uint32), np.zeros(move_count, np.int64)
    tree = Tree(np.empty(capacity, NODE), np.ones(1, np.int64), *room)
    tree.nodes[0] = np.zeros((), NODE)
    tree.nodes[0]["proven"] = ONGOING
    return tree


def larger(tree: Tree) -> Tree:
    """Return the same tree with twice the room."""
    grown = new_tree(2 * tree.nodes.size, tree.moves.size)
    grown.nodes[: tree.nodes.size] = tree.nodes
    grown.used[:] = tree.used
    return grown


@rule
def select_child(nodes: Any, node: Any, exploration: Any) -> Any:
    """Return the child with the best upper confidence bound for the player to move."""
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
    """Add the result of a simulation to a node that this player has moved to."""
    node.visits += 1
    node.points += points
    visits = np.float32(node.visits)
    share = np.float32(node.points) / visits
    node.share = LOST if node.proven == 1 - mover else share if mover == 0 else np.float32(1) - share
    node.doubt = 0.0 if node.proven == 1 - mover else np.float32(1) / math.sqrt(visits)
    node.spread = math.sqrt(math.log(visits + np.float32(1)))


def make_simulations(rules: Rules, ply_limit: int, tuning: Tuning) -> Callable[..., int]:
    """Return compiled simulations for these rules on a tree; the compiled function returns how many it ran.

    With `tuning.sees_wins`, a player in a simulated game who can win at once does. With a `prior`, a new node begins as
    if it had been visited that many times, with the result that `evaluate` predicts. With `trust`, that share of a
    simulation's result is what `evaluate` predicts where it begins. Exploration is an argument of each call.
    """
    legal_moves, outcome, player = rules.legal_moves, rules.outcome, rules.player
    play: Any = rules.play
    opinion = rules.evaluate or player  # the latter is never called: without an evaluation there is no prior or trust
    random_move = random_move_rule(rules)
    copied, play_over = overwriting_rules(rules)
    _, sees_wins, prior, trust, unit = tuning

    @rule
    def promised(position: Any) -> Any:
        """Return the share of the points that player 0 seems to have."""
        return 1 / (1 + math.exp(-opinion(position) / unit))

    @rule
    def expand(nodes: Any, used: Any, node: Any, position: Any, moves: Any, state: Any) -> bool:
        """Add the children of a node; return whether any of them ends the game. Those that do are proven at once."""
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
    def winning_move(position: Any) -> Any:
        """Return a move that wins at once, or -1."""
        mover = player(position)
        for move in legal_moves(position):
            if outcome(play(position, move)) == mover:
                return move
        return -1

    def simulations(tree: Tree, root: Any, count: int, exploration: float, stream: Any, stops_when_full: bool) -> int:
        nodes, used, path, moves = tree
        path[0] = 0  # the root
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
                if used[0] + moves.size <= nodes.size:
                    state = next_random(state)
                    if expand(nodes, used, node, position, moves, state):
                        prove(nodes, node)
                elif stops_when_full:
                    break
            # Simulate.
            result = int(nodes[node].proven)
            is_certain = result != ONGOING
            promise = promised(position) if trust > 0 and not is_certain else 0.0
            position = copied(position)
            ply = 0
            while result == ONGOING and ply < ply_limit:
                chosen = -1
                if sees_wins:
                    chosen = int(winning_move(position))
                if chosen < 0:
                    state = next_random(state)
                    chosen = int(random_move(position, state, moves))
                position = play_over(position, chosen)
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
    """Return a compiled function that copies the part of a tree below a node into a new one, as its root."""

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


def make_descent(rules: Rules) -> Callable[..., int]:
    """Return a compiled function that finds the node of a position one or two moves below the root, or 0."""
    play: Any = rules.play
    outcome = rules.outcome

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
