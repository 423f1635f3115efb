"""Strong solving: the value of every position that play can reach.

Two steps. First all unfinished positions are found breadth first, each kept as the int that the game's `pack` makes of
it; of positions that are mirror images of each other only one is kept, the one with the smallest int. Then their values
are worked out from the end of the game backwards.

A value is seen from the player to move: a win or a loss in a number of plies, where the winner hurries and the loser
resists, or a draw. All positions begin as draws. Going over a position means taking the best of what its moves lead
to now. A win or loss is always based on proofs, so it is never wrong; only its distance can be too long.
When going over all positions changes nothing, the distances are exact too (the true distances, taken one by one from
the shortest, each follow from shorter ones), and what is still a draw can be held forever: endless play is a draw.

A game in which no position can repeat is settled by going over the positions once, in the reverse of the order in which
they were found. `settled` marks a position whose moves all lead to settled ones; it is not visited again. What is left
is gone over until nothing changes.

Memory per position kept: 8 bytes for the packed position, 7 to 14 for finding it by hashing, and 2 for its value.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game, is_built_in
from connectoe.core.rules import ONGOING, Rules
from connectoe.core.wide import WidePosition
from connectoe.engines.compiling import compiled
from connectoe.engines.exact.mirrors import image_count, smallest_image
from connectoe.engines.exact.positions import FULLEST, Array, Positions, TooLarge, fill_slots, slot_of

Progress = Callable[[str, float], None]
"""Called with what is being done and the share of it that is done, from 0 to 1."""

LONGEST = 16_000
"""The longest win in plies that a value can hold."""
PIECE = 1 << 15
"""The positions processed between two checks of the clock, Ctrl-C and other threads."""
MOST_POSITIONS = 200_000_000
"""The most positions kept, by default: about 4 GB."""
EXACT_UP_TO = 200_000
"""The positions that an estimate counts one by one."""
SAMPLE = 100_000
"""The positions of each layer that an estimate looks at; with fewer of them the estimate is lower."""


class Solution(NamedTuple):
    """All unfinished positions of a game, up to mirror images, with their values.

    >>> import connectoe
    >>> solution = solve(connectoe.load("tic-tac-toe"))
    >>> len(solution.keys), solution.positions, int(solution.values[0])
    (627, 4520, 0)
    """

    keys: Array
    """The packed positions, smallest first."""
    values: Array
    """For each, seen from the player to move: plies to a win, minus the plies to a loss, or 0 for a draw."""
    tallies: dict[int, int]
    """Return how many positions have each value, every mirror image counted."""
    layers: int
    """One more than the number of moves after which every position has been seen."""
    sweeps: int
    """How often the positions were gone over."""
    seconds: dict[str, float]
    """The time taken to compile, to find the positions, to solve them, and to put them in order."""
    memory: int
    """The most bytes that all arrays took together."""

    @property
    def positions(self) -> int:
        """The number of unfinished positions, every mirror image counted."""
        return sum(self.tallies.values())


class TableSize(NamedTuple):
    """How many unfinished positions, up to mirror images, a game has.

    >>> import connectoe
    >>> estimate_size(connectoe.load("tic-tac-toe"))
    TableSize(kept=627, exact=True, at_least=False)
    """

    kept: int
    exact: bool
    at_least: bool = False
    """Whether this is only a lower bound."""


class Kernels(NamedTuple):
    """The compiled parts of strong solving for one game.

    >>> import connectoe
    >>> type(make_kernels(connectoe.load("tic-tac-toe").rules, 9)).__name__
    'Kernels'
    """

    expand: Any
    sweep: Any
    weigh: Any
    weigh_finished: Any


def solve(
    game: Game,
    *,
    threads: int | None = None,
    most_positions: int = MOST_POSITIONS,
    expected: int = 0,
    progress: Progress | None = None,
) -> Solution:
    """Return the value of every position; TooLarge if there are more than `most_positions` up to mirror images.

    The number of `expected` positions, if known, saves reallocating arrays.
    """
    tell = progress or (lambda what, part: None)
    kernels = _kernels(game)
    began = time.perf_counter()
    _compile(kernels)
    compiled_at = time.perf_counter()
    found, layers = _find(game, kernels, most_positions, expected, tell)
    found_at = time.perf_counter()
    keys, slots = found.keys, found.slots
    codes = np.zeros(found.count, np.int16)
    memory = max(found.largest, found.memory + codes.nbytes)
    sweeps = _sweep_until_settled(kernels, keys, slots, codes, layers, threads or os.cpu_count() or 1, tell)
    solved_at = time.perf_counter()
    del slots
    found.slots = np.empty(0, np.uint32)
    tell("putting in order", 0.0)
    values = codes >> 1
    tallies = _tally(kernels, keys[: found.count], values)
    longest = max(map(abs, tallies))
    order = np.argsort(keys[: found.count])
    sorted_keys = keys[order]
    if sorted_keys[-1] < 1 << 32:
        sorted_keys = sorted_keys.astype(np.uint32)
    sorted_values = values[order].astype(np.int8 if longest < 128 else np.int16)
    for kept in (sorted_keys, sorted_values):
        kept.flags.writeable = False
    memory = max(memory, found.memory + codes.nbytes + values.nbytes + order.nbytes + sorted_keys.nbytes)
    ordered_at = time.perf_counter()
    seconds = {
        "compiling": compiled_at - began,
        "finding": found_at - compiled_at,
        "solving": solved_at - found_at,
        "ordering": ordered_at - solved_at,
    }
    return Solution(sorted_keys, sorted_values, tallies, len(layers), sweeps, seconds, memory)


def count_finished(game: Game, solution: Solution, progress: Progress | None = None) -> dict[int, int]:
    """Return the number of reachable finished positions by their `outcome`, every mirror image counted."""
    tell = progress or (lambda what, part: None)
    kernels = _kernels(game)
    finished = Positions(8 * MOST_POSITIONS)
    moves = len(game.move_texts)
    total = len(solution.keys)
    for first in range(0, total, PIECE):
        piece = solution.keys[first : first + PIECE].astype(np.int64)
        at = 0
        while at < len(piece):
            finished.grow(moves)
            at, finished.count, _ = kernels.expand(
                piece, at, len(piece), finished.keys, finished.slots, finished.count, True
            )
        tell("counting finished positions", first / total)
    tallies = np.zeros(3, np.int64)
    kernels.weigh_finished(finished.keys[: finished.count], tallies)
    return {outcome: int(tally) for outcome, tally in enumerate(tallies)}


def estimate_size(game: Game, exactly_up_to: int = EXACT_UP_TO, progress: Progress | None = None) -> TableSize:
    """Return about how many unfinished positions there are up to mirror images; exact where there are few.

    The positions of each layer (after the same number of moves) are sampled, and the share of moves that lead from the
    sample to the same positions tells how many positions the next layer has. Games whose positions can repeat have no
    layers; if they have many positions, the result is only a lower bound.
    """
    kernels = _kernels(game)
    try:
        found, _ = _find(game, kernels, exactly_up_to, 0, progress or (lambda what, part: None))
        return TableSize(found.count, exact=True)
    except TooLarge:
        if game.can_repeat:
            return TableSize(exactly_up_to, exact=False, at_least=True)
    dice = np.random.default_rng(0)
    sample: Array = np.array([_pack_canonical(game)(game.rules.start)], np.int64)
    layer_size = total = 1.0
    while len(sample):
        following = Positions(SAMPLE * len(game.move_texts))
        at, children = 0, 0
        while at < len(sample):
            following.grow(len(game.move_texts))
            at, following.count, more = kernels.expand(
                sample, at, len(sample), following.keys, following.slots, following.count, False
            )
            children += more
        layer_size = _layer_size(following.count, children, len(sample) / layer_size)
        total += layer_size
        sample = following.keys[: following.count]
        if len(sample) > SAMPLE:
            sample = dice.choice(sample, SAMPLE, replace=False)
    return TableSize(round(total), exact=False)


def _layer_size(seen: int, children: int, share: float) -> float:
    """Return the size of a layer if `children` moves from a `share` of the layer before lead to `seen` positions.

    A position with p predecessors is missed with probability (1 - share)**p; on average p is children / share / size.
    """
    if share >= 1 or seen in (0, children):
        return float(children / share if seen == children and share < 1 else seen)
    low, high = float(seen), children / share
    for _ in range(60):
        size = (low + high) / 2
        if size * -math.expm1(children / share / size * math.log1p(-share)) < seen:
            low = size
        else:
            high = size
    return low


def _find(
    game: Game, kernels: Kernels, most: int, expected: int, tell: Progress
) -> tuple[Positions, list[tuple[int, int]]]:
    """Return all unfinished positions in the order they are found, and where each layer begins and ends."""
    if game.rules.outcome(game.rules.start) != ONGOING:
        raise ConnectoeError(f"{game!r} is over before it begins, so there is nothing to solve")
    moves = len(game.move_texts)
    found = Positions(most, expected)
    found.add(_pack_canonical(game)(game.rules.start))
    layers = []
    begin, at = 0, 0
    while begin < found.count:
        end = found.count
        while at < end:
            found.grow(moves)
            last = min(end, at + PIECE)
            at, found.count, _ = kernels.expand(found.keys, at, last, found.keys, found.slots, found.count, False)
            tell("finding positions", at / max(found.count, expected))
        layers.append((begin, end))
        begin = end
    found.check()
    return found, layers


def _compile(kernels: Kernels) -> None:
    """Compile what solving needs by calling it on empty arrays."""
    keys, slots, codes = np.empty(0, np.int64), np.zeros(1, np.uint32), np.empty(0, np.int16)
    fill_slots(keys, 0, slots)
    kernels.expand(keys, 0, 0, keys, slots, 0, False)
    kernels.sweep(keys, slots, codes, 0, 0)
    kernels.weigh(keys, codes, 0, np.zeros(1, np.int64))


def _sweep_until_settled(
    kernels: Kernels,
    keys: Array,
    slots: Array,
    codes: Array,
    layers: list[tuple[int, int]],
    threads: int,
    tell: Progress,
) -> int:
    """Go over the positions until nothing changes; return how often."""
    # The pieces of a layer are independent of each other where moves only lead on, so threads share them.
    pieces = [
        [(first, min(first + PIECE, end)) for first in range(begin, end, PIECE)] for begin, end in reversed(layers)
    ]
    sweeps = 0
    with ThreadPoolExecutor(threads) as pool:
        while any(pieces):
            sweeps += 1
            changed, done = 0, 0
            total = sum(map(len, pieces))
            what = "solving" if sweeps == 1 else f"solving, round {sweeps}"
            for number, layer in enumerate(pieces):
                answers = pool.map(lambda piece: kernels.sweep(keys, slots, codes, *piece), layer)
                waiting = []
                for piece, (changes, unsettled) in zip(layer, answers, strict=True):
                    changed += changes
                    done += 1
                    if unsettled:
                        waiting.append(piece)
                    tell(what, done / total)
                pieces[number] = waiting
            if not changed:
                break
    return sweeps


def _tally(kernels: Kernels, keys: Array, values: Array) -> dict[int, int]:
    """Return how many positions have each value, every mirror image counted."""
    longest = int(np.abs(values).max())
    tallies = np.zeros(2 * longest + 1, np.int64)
    kernels.weigh(keys, values, longest, tallies)
    return {value - longest: int(tally) for value, tally in enumerate(tallies) if tally}


def can_be_packed(game: Game) -> bool:
    """Whether the rules can pack a position into an int."""
    return game.rules.pack is not None and game.rules.unpack is not None


@lru_cache(maxsize=64)
def _kernels(game: Game) -> Kernels:
    if not can_be_packed(game):
        why = "a position does not fit into 62 bits; on a smaller board it may"
        if not is_built_in(type(game)) and not isinstance(game.rules.start, WidePosition):
            why = (
                "its rules have no `pack` and `unpack`, which make a position one int below 2**62 where it fits "
                "(docs/write-a-game.md has the contract)"
            )
        named = f"{game.name} ({game.options_text})" if game.options else game.name
        raise ConnectoeError(f"{named} cannot be solved for all positions: {why}")
    return make_kernels(game.rules, len(game.move_texts))


@lru_cache(maxsize=64)
def _pack_canonical(game: Game) -> Callable[[Any], int]:
    return smallest_image(game.rules)


def make_kernels(rules: Rules, move_count: int) -> Kernels:
    """Return the compiled parts of strong solving for these rules, whose moves are ints below `move_count`."""
    legal_moves, play, outcome, player = rules.legal_moves, rules.play, rules.outcome, rules.player
    unpack: Any = rules.unpack
    canonical = smallest_image(rules)
    images = image_count(rules)

    def expand(
        source: Array, first: int, last: int, keys: Array, slots: Array, count: int, finished: bool
    ) -> tuple[int, int, int]:
        """Add what the positions source[first:last] lead to, unfinished or finished, to the `count` keys.

        Return the first position that was left out for lack of room, the new count, and how many moves led to such.
        """
        most = min(len(keys), int(FULLEST * len(slots))) - move_count
        children = 0
        for at in range(first, last):
            if count > most:
                return at, count, children
            position = unpack(np.int64(source[at]))
            for move in legal_moves(position):
                following = play(position, move)
                if (outcome(following) != ONGOING) == finished:
                    children += 1
                    key = canonical(following)
                    slot = slot_of(key, keys, slots)
                    if slots[slot] == 0:
                        keys[count] = key
                        count += 1
                        slots[slot] = count
        return last, count, children

    def sweep(keys: Array, slots: Array, codes: Array, first: int, last: int) -> tuple[int, int]:
        """Work out keys[first:last] again, from the last; return how many changed and how many are not settled.

        A code is twice the value, plus 1 when settled: one number, so that threads never see one without the other.
        """
        changed, unsettled = 0, 0
        for at in range(last - 1, first - 1, -1):
            if codes[at] & 1:
                continue
            position = unpack(keys[at])
            mover = player(position)
            # From the worst to the best: losses (the later the better), a draw 0, wins (the sooner the better).
            best = -2 * LONGEST
            all_settled = True
            for move in legal_moves(position):
                following = play(position, move)
                ended = outcome(following)
                if ended != ONGOING:
                    value = 1 if ended == mover else (-1 if ended == 1 - mover else 0)
                else:
                    code: Any = np.int64(codes[np.int64(slots[slot_of(canonical(following), keys, slots)]) - 1])
                    all_settled = all_settled and code & 1 == 1
                    value = code >> 1 if player(following) == mover else -(code >> 1)
                    value += 1 if value > 0 else (-1 if value < 0 else 0)
                merit = LONGEST - value if value > 0 else (-LONGEST - value if value < 0 else 0)
                best = max(best, merit)
                if value == 1:
                    all_settled = True
                    break
            value = LONGEST - best if best > 0 else (-LONGEST - best if best < 0 else 0)
            if value >= LONGEST or value <= -LONGEST:
                raise OverflowError("a win takes too many plies")
            if value != codes[at] >> 1:
                changed += 1
            if not all_settled:
                unsettled += 1
            codes[at] = 2 * value + (1 if all_settled else 0)
        return changed, unsettled

    def weigh(keys: Array, values: Array, longest: int, tallies: Array) -> None:
        """Add up how many positions, mirror images counted, have each value from -longest to longest."""
        for at in range(len(keys)):
            tallies[longest + values[at]] += images(unpack(keys[at]), keys[at])

    def weigh_finished(keys: Array, tallies: Array) -> None:
        """Add up how many finished positions, mirror images counted, have each outcome."""
        for at in range(len(keys)):
            position = unpack(keys[at])
            tallies[outcome(position)] += images(position, keys[at])

    return Kernels(compiled(expand), compiled(sweep), compiled(weigh), compiled(weigh_finished))
