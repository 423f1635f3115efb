"""The compiled part of alpha-beta: a principal-variation search to a fixed depth, within a window of scores.

Iterative deepening, limits and results are in `alpha_beta.py`, which also explains what scores mean and which of them
can be trusted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectoe.core.rules import DRAWN, ONGOING, STRONGEST_OPINION, Rules, rule
from connectoe.engines.compiling import compiled
from connectoe.engines.hashing import hash_rule

WIN = 30_000
"""The worth of a game just won; one less for each ply it takes."""
PROVEN = 20_000
"""Scores beyond this, either way, are won or lost games."""
INFINITE = 32_000
DEEPEST = 250
"""The longest line looked at, in plies."""

# An entry of the transposition table is two ints: the position's hash, and
#
#   bits 0..15  move | 16..23  depth | 24..25  bound | 26  settled | 27..42  score + INFINITE | 43..50  which search
#
# A score, or a bound of it, is settled if it does not depend on an opinion: no deeper search can change it. The entries
# 2n and 2n + 1 belong together: the first keeps what took the most work, the second whatever came last.

UPPER, LOWER, EXACT = 1, 2, 3
NO_MOVE = 0xFFFF

# What a search reports, by its place in the array `report`.
NODES, BEST, STOPPED, OPINION = range(4)

NODES_BETWEEN_LOOKS = 1024
"""How often a search checks whether it should stop."""
FIRST_MOVES = 8
"""How many moves of a node are tried in the order of their promise; the others are tried in the order of the rules."""
KILLER, SECOND_KILLER = 1 << 61, 1 << 60
"""The promise of a killer move: more than any history."""

STEP = np.dtype(
    [
        (field, np.int64)
        for field in (
            "key",  # the position's hash
            "mover",  # the player to move
            "hint",  # the move that was best here before
            "alpha",
            "beta",
            "floor",  # alpha as it was at first
            "count",  # how many moves are in the list
            "is_listed",  # whether these are all moves
            "tried",  # how many of them have been tried
            "is_scout",  # whether the move being tried was given a null window
            "best",  # the value of the best move so far
            "best_move",
            "opinion",  # whether that value rests on an opinion
        )
    ]
)
"""A node on the line that a search is looking at."""


class SearchMemory(NamedTuple):
    """What searches of one game remember and share.

    >>> new_memory(1, move_count=7).table.shape
    (65536, 2)
    """

    table: NDArray[np.int64]
    """The transposition table: shape (entries, 2)."""
    killers: NDArray[np.int64]
    """The last two moves that refuted something, for each ply."""
    history: NDArray[np.int64]
    """How often, and how far from the end of a line, a move refuted something: shape (plies, moves)."""
    replies: NDArray[np.int64]
    """The same by the move before it: shape (moves, moves)."""
    lines: NDArray[np.int64]
    """The best line of play found from each ply on, and at the end of each row its length."""
    steps: NDArray[Any]
    """The nodes of the line being looked at, of type STEP, for each ply."""
    moves: NDArray[np.int64]
    """The moves to try at each ply: shape (plies, moves)."""
    promise: NDArray[np.int64]
    """How promising each of these moves is."""


def new_memory(megabytes: float, move_count: int) -> SearchMemory:
    """Return an empty memory, with a transposition table of at most this many megabytes."""
    entries = 2
    while 2 * entries * 16 <= megabytes * (1 << 20):
        entries *= 2
    return SearchMemory(
        np.zeros((entries, 2), np.int64),
        np.full((DEEPEST + 1, 2), NO_MOVE, np.int64),
        np.zeros((DEEPEST + 1, move_count), np.int64),
        np.zeros((move_count, move_count), np.int64),
        np.zeros((DEEPEST + 1, DEEPEST + 1), np.int64),
        np.zeros(DEEPEST + 1, STEP),
        np.zeros((DEEPEST + 1, move_count), np.int64),
        np.zeros((DEEPEST + 1, move_count), np.int64),
    )


# Parts of the search that are the same for all games: compiled once, not with each game. Only what is done once per
# node is here: compiled code counts references to arrays, and doing so for every move takes longer than the search.


@rule
def keep(
    table: NDArray[np.int64],
    key: int,
    move: int,
    height: int,
    ply: int,
    bound: int,
    value: int,
    opinion: int,
    number: int,
) -> int:
    """Store what was found about a node, and whether it rests on an opinion."""
    is_settled = 1 - opinion
    plies = WIN - abs(value) - ply  # to the end, if it is proven
    if value > PROVEN and bound != UPPER:
        is_settled = 1
        if opinion and bound == EXACT and plies > height:
            bound = LOWER  # there may be a faster win, too deep for this search
        else:
            opinion = 0
    elif value < -PROVEN and bound != LOWER:
        is_settled = 1
        if opinion and bound == EXACT and plies > height:
            bound = UPPER
        else:
            opinion = 0
    lasting = value  # wins and losses are kept in plies from here, not from the root
    if value > PROVEN:
        lasting += ply
    elif value < -PROVEN:
        lasting -= ply
    entry = 2 * (key & len(table) // 2 - 1)
    kept = table[entry, 1]
    if table[entry, 0] != key and kept >> 43 == number and (kept >> 16 & 255) > height:
        entry += 1
    table[entry, 0] = key
    table[entry, 1] = (
        move | height << 16 | bound << 24 | is_settled << 26 | (lasting + INFINITE) << 27 | number << 43
    )  # fmt: skip
    return opinion


@rule
def look_up(
    table: NDArray[np.int64], key: int, height: int, ply: int, low: int, high: int
) -> tuple[int, bool, int, int]:
    """Return what the table knows of a node: a good move; whether that replaces a search, and then the value, or a
    bound of it, and whether it rests on an opinion.
    """
    hint, value, opinion = NO_MOVE, 0, 0
    first = 2 * (key & len(table) // 2 - 1)
    for entry in range(first, first + 2):
        if table[entry, 0] == key:
            known = table[entry, 1]
            hint = known & 0xFFFF
            opinion = 1 - (known >> 26 & 1)
            value = (known >> 27 & 0xFFFF) - INFINITE
            if value > PROVEN:
                value -= ply
            elif value < -PROVEN:
                value += ply
            bound = known >> 24 & 3
            if (
                high - low == 1  # on the principal variation the line of play is wanted
                and (opinion == 0 or (known >> 16 & 255) >= height)
                and ((bound & LOWER and value >= high) or (bound & UPPER and value <= low))
            ):
                return hint, True, value, opinion
    return hint, False, value, opinion


@rule
def note_line(lines: NDArray[np.int64], ply: int, move: int) -> None:
    """Make the best line from a ply on this move, followed by the best line from the next ply on."""
    length = lines[ply + 1, DEEPEST]
    lines[ply, 0] = move
    for index in range(length):
        lines[ply, index + 1] = lines[ply + 1, index]
    lines[ply, DEEPEST] = length + 1


def make_search(rules: Rules, move_count: int) -> Callable[..., int]:
    """Return a compiled search: `search(root, depth, alpha, beta, budget, number, memory, stop, report)`.

    It returns the score of the ongoing position `root` if that lies between alpha and beta, else a bound of it: one
    that is at most alpha, or at least beta. It ends early after `budget` nodes or when `stop[0]` is not 0.
    """
    legal_moves, play, outcome, player = rules.legal_moves, rules.play, rules.outcome, rules.player
    evaluate, hashed = rules.evaluate, hash_rule(rules)
    if evaluate is None:

        @rule
        def opinion_of(position: Any) -> int:
            return 0
    else:

        @rule
        def opinion_of(position: Any) -> int:
            opinion: int = evaluate(position)
            return max(-STRONGEST_OPINION, min(STRONGEST_OPINION, opinion))

    def search(
        root: Any, depth: int, alpha: int, beta: int, budget: int, number: int, memory: Any, stop: Any, report: Any
    ) -> int:
        table, killers, history, replies, lines, steps, moves, promise = memory
        path = [root for _ in range(depth + 1)]
        nodes = 0
        ply = 0
        here = steps[0]
        here.mover = player(root)
        here.key = hashed(root)
        here.alpha, here.beta = alpha, beta
        here.hint = look_up(table, here.key, depth, 0, alpha, beta)[0]
        report[STOPPED] = 0
        report[BEST] = NO_MOVE
        value: int = 0
        opinion = 0
        is_entering, is_returning = True, False

        while True:
            here = steps[ply]
            if is_entering:
                is_entering = False
                # No line is worth more than winning at once, nor less than losing at once.
                here.beta = min(here.beta, WIN - ply - 1)
                here.alpha = max(here.alpha, ply + 1 - WIN)
                here.floor = here.alpha
                here.best = -INFINITE
                here.best_move = NO_MOVE
                here.opinion = 0
                here.tried = 0
                lines[ply, DEEPEST] = 0
                # Most nodes need only one move, which was good here before or elsewhere at this ply. So all moves are
                # listed only when that was not enough.
                here.count = 0
                here.is_listed = 0
                favourite = here.hint if here.hint != NO_MOVE else killers[ply, 0]
                if favourite != NO_MOVE:
                    for move in legal_moves(path[ply]):
                        if move == favourite:
                            moves[ply, 0] = move
                            promise[ply, 0] = 0
                            here.count = 1
                            break

            if is_returning:
                # Back from a move: `value` is what it is worth. A scout that did better than expected goes again.
                is_returning = False
                if here.is_scout and here.alpha < value < here.beta:
                    here.is_scout = 0
                    ply += 1
                    below = steps[ply]
                    is_same_mover = here.mover == below.mover
                    below.alpha = here.alpha if is_same_mover else -here.beta
                    below.beta = here.beta if is_same_mover else -here.alpha
                    is_entering = True
                    continue
                move = moves[ply, here.tried - 1]
            else:
                if here.tried == here.count and not here.is_listed and here.alpha < here.beta:
                    here.is_listed = 1
                    favourite = moves[ply, 0] if here.tried else NO_MOVE
                    count = here.tried
                    for move in legal_moves(path[ply]):
                        if move != favourite:
                            moves[ply, count] = move
                            promise[ply, count] = history[ply, move]
                            if ply > 0:
                                promise[ply, count] += 4 * replies[moves[ply - 1, steps[ply - 1].tried - 1], move]
                            if move == killers[ply, 0]:
                                promise[ply, count] = KILLER
                            elif move == killers[ply, 1]:
                                promise[ply, count] = SECOND_KILLER
                            count += 1
                    here.count = count

                if here.tried == here.count or here.alpha >= here.beta:
                    # All moves are tried, or enough: note what was found, and return.
                    value, opinion = here.best, here.opinion
                    height = depth - ply
                    if here.tried == 0:
                        value, opinion = here.alpha, 0
                    elif height > 1:
                        bound = LOWER if value >= here.beta else EXACT if value > here.floor else UPPER
                        opinion = keep(table, here.key, here.best_move, height, ply, bound, value, opinion, number)
                    if ply == 0:
                        break
                    ply -= 1
                    if steps[ply].mover != here.mover:
                        value = -value
                    is_returning = True
                    continue

                if nodes >= budget or (nodes % NODES_BETWEEN_LOOKS == 0 and stop[0] != 0):
                    report[STOPPED] = 1
                    value = steps[0].best
                    break

                # The next move: the most promising one.
                chosen = here.tried
                if chosen < FIRST_MOVES:
                    for other in range(chosen + 1, here.count):
                        if promise[ply, other] > promise[ply, chosen]:
                            chosen = other
                move = moves[ply, chosen]
                moves[ply, chosen] = moves[ply, here.tried]
                promise[ply, chosen] = promise[ply, here.tried]
                moves[ply, here.tried] = move
                here.tried += 1
                nodes += 1
                child = play(path[ply], move)
                result = outcome(child)
                lines[ply + 1, DEEPEST] = 0
                if result != ONGOING:
                    value, opinion = 0, 0
                    if result != DRAWN:
                        value = WIN - ply - 1 if result == here.mover else ply + 1 - WIN
                elif ply + 1 == depth:
                    value, opinion = opinion_of(child), 1
                    if here.mover == 1:
                        value = -value
                else:
                    path[ply + 1] = child
                    below = steps[ply + 1]
                    below.mover = player(child)
                    is_same_mover = here.mover == below.mover
                    # Only the first move has the whole window; of others it is enough to show that they are no better.
                    here.is_scout = here.tried > 1 and here.beta - here.alpha > 1
                    low = here.alpha
                    high = low + 1 if here.is_scout else here.beta
                    if not is_same_mover:
                        low, high = -high, -low
                    below.alpha, below.beta = low, high
                    # What the table knows of it: a good move, and perhaps enough to need no search.
                    hint = NO_MOVE
                    is_known = False
                    height = depth - ply - 1
                    if height > 1:
                        below.key = hashed(child)
                        hint, is_known, value, opinion = look_up(table, below.key, height, ply + 1, low, high)
                    below.hint = hint
                    if is_known:
                        if not is_same_mover:
                            value = -value
                        is_returning = True
                    else:
                        ply += 1
                        is_entering = True
                    continue

            # The move is worth `value` to the player of this node.
            here.opinion |= opinion
            if value > here.best:
                here.best = value
                here.best_move = move
                if ply == 0:
                    report[BEST] = move
                if value > here.alpha:
                    here.alpha = value
                    if here.beta - here.floor > 1:
                        note_line(lines, ply, move)
                    if value >= here.beta:
                        here.opinion = opinion  # this move alone is the reason
                        weight = (depth - ply) * (depth - ply)
                        history[ply, move] += weight
                        if ply > 0:
                            replies[moves[ply - 1, steps[ply - 1].tried - 1], move] += weight
                        if killers[ply, 0] != move:
                            killers[ply, 1] = killers[ply, 0]
                            killers[ply, 0] = move

        report[NODES] = nodes
        report[OPINION] = opinion
        return value

    return compiled(search)
