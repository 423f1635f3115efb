"""Monte Carlo tree search in plain Python: the search of `mcts.py`, without a compiler and hundreds of times slower.

It answers while a game's engines are being compiled, and tests hold the compiled search against it.
"""

from __future__ import annotations

import math
import random
import time
from typing import Any, ClassVar

from connectoe.core.game import Game
from connectoe.core.rules import DRAWN, ONGOING
from connectoe.core.state import comparable
from connectoe.engines.engine import UNKNOWN, Analysis, Candidate, Estimate, Exact, Limits, best_first, refuse_if_over

DEEPEST = 1024
"""Moves from the root to the deepest leaf."""
MOVES_BETWEEN_PAUSES = 64
"""Moves of a simulated game after which other threads may run and the clock is looked at."""


class Node:
    """A position of the tree, reached by a move, with what the simulations through it have found."""

    __slots__ = ("children", "distance", "move", "mover", "points", "proven", "visits")

    def __init__(self, move: int, proven: int = ONGOING) -> None:
        self.move = move
        self.proven = proven
        """ONGOING while the result is not known, else who wins, or DRAWN."""
        self.distance = 0
        """Moves to the end, if it is proven."""
        self.mover = 0
        self.visits = 0
        self.points = 0.0
        """The sum of the results for player 0."""
        self.children: list[Node] = []

    def share(self, player: int) -> float:
        """Return the share of the points that a player has won here."""
        share = self.points / self.visits
        return share if player == 0 else 1 - share


class PlainMCTS:
    """A tree search of one game that needs no compiler; searches of the same position add to each other.

    >>> import connectoe
    >>> state = connectoe.load("connect-four").start
    >>> for move in "d c d c d c".split():
    ...     state = state.play(move)
    >>> found = PlainMCTS(state.game, seed=1).search(state.position, Limits(simulations=50))
    >>> state.game.move_text(found.move), found.result, found.plies
    ('d', 'win', 1)
    """

    limited_by: ClassVar[tuple[str, ...]] = ("simulations", "seconds", "stop")
    is_deterministic: ClassVar[bool] = False

    def __init__(self, game: Game, seed: int = 0, exploration: float | None = None) -> None:
        self.game = game
        self.exploration = game.tuning.exploration if exploration is None else exploration
        self.dice = random.Random(seed)
        self._root = Node(-1)
        self._searched: Any = None

    def search(self, position: Any, limits: Limits) -> Analysis:
        """Return what the simulations that the limits allow find about every legal move."""
        refuse_if_over(self.game, position)
        limits.check(self.limited_by)
        deadline = math.inf if limits.seconds is None else time.perf_counter() + limits.seconds
        if self._searched is None or comparable(self._searched) != comparable(position):
            self._root, self._searched = Node(-1), position
        root = self._root
        done = 0
        while root.proven == ONGOING and (limits.simulations is None or done < limits.simulations):
            self._simulate(root, position, deadline)
            done += 1
            time.sleep(0)  # lets other threads of this process run
            if time.perf_counter() >= deadline or limits.is_stopped:
                break
        return self._analysis(root, position)

    def _simulate(self, root: Node, position: Any, deadline: float) -> None:
        """Select a leaf, expand it, play a random game from there, and hand its result back up the tree."""
        rules = self.game.rules
        path = [root]
        node = root
        while node.children and node.proven == ONGOING and len(path) < DEEPEST:
            node = self._selected(node)
            position = rules.play(position, node.move)
            path.append(node)
        if not node.children and node.proven == ONGOING and (node.visits or node is root):
            self._expand(node, position)
        is_certain = node.proven != ONGOING
        result = node.proven if is_certain else self._random_game(position, deadline)
        points = 1.0 if result == 0 else 0.0 if result == 1 else 0.5
        for depth in range(len(path) - 1, -1, -1):
            node = path[depth]
            if is_certain and depth < len(path) - 1:
                is_certain = prove(node)
            node.visits += 1
            node.points += points

    def _selected(self, node: Node) -> Node:
        """Return the child with the best upper confidence bound for the player to move."""
        spread = self.exploration * math.sqrt(math.log(node.visits + 1))
        mover = node.mover
        best, best_bound = node.children[0], -math.inf
        for child in node.children:
            if child.proven == 1 - mover:
                continue
            if not child.visits:
                return child
            bound = child.share(mover) + spread / math.sqrt(child.visits)
            if bound > best_bound:
                best, best_bound = child, bound
        return best

    def _expand(self, node: Node, position: Any) -> None:
        """Give a node its children, in random order so that no move has an advantage."""
        rules = self.game.rules
        node.mover = rules.player(position)
        moves = list(rules.legal_moves(position))
        self.dice.shuffle(moves)
        node.children = [Node(move, rules.outcome(rules.play(position, move))) for move in moves]
        prove(node)

    def _random_game(self, position: Any, deadline: float) -> int:
        """Return how a random game ends; one that takes too long counts as drawn."""
        rules = self.game.rules
        pick = rules.pick
        for ply in range(self.game.ply_limit):
            outcome = rules.outcome(position)
            if outcome != ONGOING:
                return outcome
            if ply % MOVES_BETWEEN_PAUSES == MOVES_BETWEEN_PAUSES - 1:
                time.sleep(0)
                if time.perf_counter() >= deadline:
                    break
            if pick:
                move = pick(position, self.dice.getrandbits(32))
            else:
                move = self.dice.choice(list(rules.legal_moves(position)))
            position = rules.play(position, move)
        return DRAWN

    def _analysis(self, root: Node, position: Any) -> Analysis:
        mover = root.mover
        candidates = [_candidate(child, mover) for child in root.children]
        if not candidates:  # no time for a single simulation
            candidates = [Candidate(int(move), UNKNOWN) for move in self.game.rules.legal_moves(position)]
            self.dice.shuffle(candidates)
        return best_first(candidates, _expected(root))


def prove(node: Node) -> bool:
    """Whether the children of a node prove its result, which is then noted with its distance."""
    wins = [child.distance for child in node.children if child.proven == node.mover]
    if wins:
        node.proven, node.distance = node.mover, min(wins) + 1
        return True
    if any(child.proven == ONGOING for child in node.children):
        return False
    draws = [child.distance for child in node.children if child.proven == DRAWN]
    node.proven = DRAWN if draws else 1 - node.mover
    node.distance = max(draws or [child.distance for child in node.children]) + 1
    return True


def _candidate(child: Node, mover: int) -> Candidate:
    value: Exact | Estimate
    if child.proven == DRAWN:
        value = Exact("draw")
    elif child.proven != ONGOING:
        value = Exact("win" if child.proven == mover else "loss", child.distance + 1)
    elif child.visits:
        value = Estimate.from_visits(child.share(mover), child.visits)
    else:
        value = UNKNOWN
    return Candidate(int(child.move), value, child.visits)


def _expected(node: Node) -> tuple[int, ...]:
    """Return the moves that the tree expects: proven wins, else what was visited most."""
    moves = []
    while node.children:
        wins = [child for child in node.children if child.proven == node.mover]
        others = [child for child in node.children if child.proven != 1 - node.mover] or node.children
        node = min(wins, key=lambda child: child.distance) if wins else max(others, key=lambda child: child.visits)
        if not wins and not node.visits:
            break
        moves.append(int(node.move))
    return tuple(moves)
