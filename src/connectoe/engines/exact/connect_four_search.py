"""The compiled part of the exact solver of Connect Four: a search with bitboards, for any board.

**The search** answers one question, "is the score above alpha?", and asks it for one alpha after the other until only
one score is possible. It is a negamax with an explicit stack over positions in the bit layout of `board.py`, and lives
by looking ahead without searching:

- Positions that are decided at sight are not searched. A player wins if a line can be made now; otherwise only
  *safe* moves are searched, after which the opponent has no line to make. So in every position that is entered, the
  player to move cannot win at once and has a safe move, and the score lies in

      -((left - 2) // 2)  <=  score  <=  (left - 1) // 2

- A move after which the opponent has no safe move wins, and is found without entering the position after it.
- So is a move after which the rest of the game can be played by following the opponent from column to column: see
  `following.py`. These bounds cut the nodes for the empty 7x6 board to an eighth.
- The moves that make the most threats (empty cells that would complete a line) are tried first, then the middle.
- Each position's bounds are remembered in a transposition table, until near the end under one key for a position and
  its mirror image. Before any move is searched, all positions after it are looked up: one that is known to be good
  enough settles it.
- Positions near the end, which are by far the most, have a table of their own, small enough for the processor's
  cache. Looking into main memory for them would take longer than searching them.

**Tried without success**, in a copy of this search in C, one run each on a busy machine, so that only the nodes are
sure: ordering moves by a history of cutoffs per cell, as in Tromp's Fhourstones (6 times as many
nodes); counting threats on lower cells of the first player and upper ones of the second twice (as many nodes); a table
of 512 MB instead of 64 (1% fewer nodes for the empty board); looking up the moves near the end only when they are
entered (a quarter more nodes in the same time); keeping mirror images together near the end (as many nodes);
when following, leaving only one of two open upper cells to the opponent (1% fewer nodes); a look whether the
opponent can have a line at all (5% fewer nodes, in as much time).

The bit layout is John Tromp's; null windows, safe moves and the order by threats are Pascal Pons' ("Solving Connect 4:
how to build a perfect AI"); looking up all moves first is Plaat's "enhanced transposition cutoff".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from connectoe.board import columns_mirrored, full_mask, how_many_on
from connectoe.core.rules import rule
from connectoe.core.wide import FITTING, sized, words_for
from connectoe.engines.compiling import compiled
from connectoe.engines.exact.falling_discs import (
    GAME_OVER,
    GOLDEN,
    GOLDEN_BITS,
    NO_POSITION,
    UNDECIDED,
    UNFINISHED,
    Words,
    columns_from_the_middle,
    make_winning_cells,
)
from connectoe.engines.exact.following import make_score_by_following
from connectoe.engines.wide_ints import ints_in

# Transposition tables. An entry is an int as wide as a board. One word is read and written at once, so that threads may
# share a table:
#
#     bits  12..62   tag: the part of the position's hash that its place in the table does not say
#     bits   6..11   31 - upper bound of the score
#     bits   0..5    32 + lower bound of the score
#
# The hash is the key times an odd number, modulo a power of 2: different keys have different hashes, and place and tag
# together are the whole hash. So an entry is never taken for another position's. An empty entry, 0, says nothing: its
# bounds are -32 and 31. In an entry of two words each bound has a bit more, and the tag has room for any hash.
BOUND_BITS = 6

NEAR_THE_END = 20
"""Positions with at most this many empty cells are kept in the small table, apart from their mirror images."""
SMALL_TABLE_BITS = 16
"""2**16 entries of 8 bytes, half a megabyte, or of 16."""

# A frame of the search's stack: what is asked about a position, the position, and its moves. It is a row of words, read
# as small numbers from `frames` and as ints as wide as a board, at the same place or further on, from `boards`.
LEFT = 0  # empty cells
ALPHA = 1  # the question: is the score above this?
BEST = 2  # the best score of a move so far
MOVES = 3
NEXT_MOVE = 4  # counts the moves that have been tried
OWN = 5  # from here on, boards
DISCS = 6
MIRRORED_OWN = 7
MIRRORED_DISCS = 8
SAFE = 9  # the cells a disc may be dropped on without letting the opponent win at once
DANGER = 10  # the cells that would complete a line of the opponent
HASH = 11
FIRST_OF_MOVES = 12  # by column, from the middle outwards: the safe cells, danger and hash after the move; then ranks
FIELDS_OF_MOVES = 4
FAR = 4
"""Scores above this and below its negative are ruled out first: that is quick."""
COLUMN_BITS = 5  # a rank holds the column in its lowest bits
COLUMN_MASK = (1 << COLUMN_BITS) - 1


def bits_of_bounds(bits: int) -> int:
    """Return the bits that both bounds take in an entry, on a board that takes this many bits in all."""
    return 2 * (BOUND_BITS if bits <= FITTING else BOUND_BITS + 1)


@lru_cache(maxsize=64)
def make_solver(cols: int, rows: int, connect: int, bits: int) -> Callable[..., tuple[int, int]]:
    """Return a compiled solver for one board: it answers a score or a sign of `falling_discs.py`, and the nodes used.

    The score is sought between `low` and `high`; a score outside may be answered by any number on that side of them.
    A search that comes back UNFINISHED is continued by the same call with `goes_on` set; the frames remember the rest.

    The search is written for ints of any size. Those of boards and entries have `bits` bits, at least as many as the
    board needs: more than 62 make it a search with wide ints.
    """
    height = rows + 1
    hash_bits = cols * height
    one, cells = sized(1, bits), sized(full_mask(cols, rows), bits)
    bottom = sized(sum(1 << (column * height) for column in range(cols)), bits)
    one_column = (1 << rows) - 1
    order = columns_from_the_middle(cols)
    column_cells = tuple(sized(one_column << (column * height), bits) for column in order)
    mirrored_cells = tuple(sized(one_column << ((cols - 1 - column) * height), bits) for column in order)
    hash_mask = sized((1 << hash_bits) - 1, bits)
    spread = sized(GOLDEN >> (GOLDEN_BITS - hash_bits) | 1, bits)
    bounds_bits = bits_of_bounds(bits)
    bound_bits = bounds_bits // 2
    bound_mask, bounds_mask = (1 << bound_bits) - 1, (1 << bounds_bits) - 1
    lowest_bound = -(1 << (bound_bits - 1))
    highest_bound = -lowest_bound - 1
    small_bits = min(SMALL_TABLE_BITS, hash_bits)
    small_size = 1 << small_bits
    small_tag_bits = hash_bits - small_bits
    first_safe, first_danger, first_hash, after_boards = (FIRST_OF_MOVES + field * cols for field in range(4))
    is_wide = bits > FITTING
    first_rank = words_for(bits) * after_boards
    winning_cells = make_winning_cells(cols, rows, connect, bits)
    score_by_following = make_score_by_following(cols, rows, connect, bits)
    how_many = how_many_on(bits)

    @rule
    def safe_cells(discs: int, danger: int) -> int:
        """Return where a disc may be dropped without letting the opponent, who wins on `danger`, win at once."""
        open_cells = discs + bottom & cells
        forced = open_cells & danger
        if forced:
            if forced & (forced - 1):
                return 0  # two lines to stop with one disc
            open_cells = forced
        return open_cells & ~(danger >> 1)

    @rule
    def hashed(own: int, discs: int, mirrored_own: int, mirrored_discs: int) -> int:
        # In each column, own + discs is below 2**(rows + 1) and lies between the discs' bits and twice that:
        # it says how high the column is and whose its discs are.
        key = min(own + discs, mirrored_own + mirrored_discs)
        return key * spread & hash_mask

    @rule
    def without_mirror_hashed(own: int, discs: int) -> int:
        return (own + discs) * spread & hash_mask

    @rule
    def tag_bits_for(left: int, large_tag_bits: int) -> int:
        return small_tag_bits if left <= NEAR_THE_END else large_tag_bits

    @rule
    def place_of(position_hash: int, left: int, tag_bits: int) -> int:
        return (0 if left <= NEAR_THE_END else small_size) + int(position_hash >> tag_bits)

    @rule
    def bounds_in(entry: int, tag: int) -> tuple[int, int]:
        """Return the lower and upper bound that a table's entry holds for the position with this tag."""
        if entry >> bounds_bits != tag:
            return lowest_bound, highest_bound
        bounds = int(entry & bounds_mask)
        return lowest_bound + (bounds & bound_mask), highest_bound - (bounds >> bound_bits)

    @rule
    def answer(lower: int, upper: int, alpha: int) -> int:
        """Return a bound of a score that says whether it is above alpha; UNDECIDED if neither of these does."""
        if lower > alpha:
            return lower
        return upper if upper <= alpha else UNDECIDED

    @rule
    def enter_next(boards: Words, frames: Words, ply: int) -> None:
        """Fill the frame above this one with the position after its next move."""
        sequence_number = frames[ply, NEXT_MOVE]
        frames[ply, NEXT_MOVE] = sequence_number + 1
        column = COLUMN_MASK - (frames[ply, first_rank + sequence_number] & COLUMN_MASK)
        discs = boards[ply, DISCS]
        boards[ply + 1, OWN] = boards[ply, OWN] ^ discs
        boards[ply + 1, DISCS] = discs | (discs + bottom & column_cells[column])
        if frames[ply, LEFT] > NEAR_THE_END + 1:
            mirrored_discs = boards[ply, MIRRORED_DISCS]
            boards[ply + 1, MIRRORED_OWN] = boards[ply, MIRRORED_OWN] ^ mirrored_discs
            boards[ply + 1, MIRRORED_DISCS] = mirrored_discs | (mirrored_discs + bottom & mirrored_cells[column])
        boards[ply + 1, SAFE] = boards[ply, first_safe + column]
        boards[ply + 1, DANGER] = boards[ply, first_danger + column]
        boards[ply + 1, HASH] = boards[ply, first_hash + column]
        frames[ply + 1, LEFT] = frames[ply, LEFT] - 1
        frames[ply + 1, ALPHA] = -frames[ply, ALPHA] - 1

    @rule
    def remember(boards: Words, frames: Words, ply: int, score: int, table: Words, large_tag_bits: int) -> None:
        """Note what the search found out about the frame's position: a lower bound above alpha, or an upper bound."""
        position_hash, left = boards[ply, HASH], frames[ply, LEFT]
        tag_bits = tag_bits_for(left, large_tag_bits)
        place = place_of(position_hash, left, tag_bits)
        tag = position_hash & ((one << tag_bits) - 1)
        entry = table[place]
        bounds = int(entry & bounds_mask) if entry >> bounds_bits == tag else 0
        if score > frames[ply, ALPHA]:
            bounds = bounds & ~bound_mask | (score - lowest_bound)
        else:
            bounds = bounds & bound_mask | (highest_bound - score) << bound_bits
        table[place] = tag << bounds_bits | bounds

    @rule
    def search(frames: Words, ply: int, table: Words, large_tag_bits: int, node_limit: int) -> tuple[int, int, int]:
        """Return the answer to frame 0's question as a bound of its score, after entering the position of frame `ply`.

        With it come the nodes it took and, if they were not enough, the ply to go on with.
        """
        # One long function, for a reason: if the look at a position is a function of its own, Numba counts references
        # to the arrays at every call of it, which took a quarter of the time.
        boards = ints_in(frames, one) if is_wide else frames
        nodes = 0
        while nodes < node_limit:
            nodes += 1
            own, discs = boards[ply, OWN], boards[ply, DISCS]
            left, alpha = frames[ply, LEFT], frames[ply, ALPHA]
            highest = (left - 1) // 2

            # Is the question answered by the number of cells left, or by what is remembered?
            score = answer(-((left - 2) // 2), highest, alpha)
            if score == UNDECIDED:
                tag_bits = tag_bits_for(left, large_tag_bits)
                entry = table[place_of(boards[ply, HASH], left, tag_bits)]
                lower, upper = bounds_in(entry, boards[ply, HASH] & ((one << tag_bits) - 1))
                score = answer(lower, upper, alpha)

            # By a look at each move and what it threatens?
            if score == UNDECIDED:
                other = own ^ discs
                safe = boards[ply, SAFE]
                for column in range(cols):
                    disc = safe & column_cells[column]
                    if disc == 0:
                        continue
                    discs_after = discs | disc
                    threats = winning_cells(own | disc) & ~discs_after
                    safe_after = safe_cells(discs_after, threats)
                    if safe_after == 0:
                        score = highest
                        break
                    followed = score_by_following(other, discs_after, threats, left - 1, alpha)
                    if followed > alpha:
                        score = followed
                        break
                    boards[ply, first_safe + column] = safe_after
                    boards[ply, first_danger + column] = threats
                if score == UNDECIDED and left <= 3:
                    score = 0  # after a move that does not win, two cells are left, and nobody wins by them

            # By what is remembered of the positions after each move? Those that must be searched are put in order.
            if score == UNDECIDED:
                mirrored_discs = boards[ply, MIRRORED_DISCS]
                mirrored_other = boards[ply, MIRRORED_OWN] ^ mirrored_discs
                # A threat above a cell where the opponent wins is of no use: by the time it can be carried out, the
                # opponent has just been stopped below, and takes it.
                useful = ~(boards[ply, DANGER] << 1)
                tag_bits = tag_bits_for(left - 1, large_tag_bits)
                best = lowest_bound
                moves = 0
                for column in range(cols):
                    disc = safe & column_cells[column]
                    if disc == 0:
                        continue
                    if left <= NEAR_THE_END + 1:
                        hash_after = without_mirror_hashed(other, discs | disc)
                    else:
                        mirrored_after = mirrored_discs | (mirrored_discs + bottom & mirrored_cells[column])
                        hash_after = hashed(other, discs | disc, mirrored_other, mirrored_after)
                    entry = table[place_of(hash_after, left - 1, tag_bits)]
                    lower, upper = bounds_in(entry, hash_after & ((one << tag_bits) - 1))
                    if -upper > alpha:
                        score = -upper
                        break
                    if -lower <= alpha:
                        best = max(best, -lower)
                        continue
                    boards[ply, first_hash + column] = hash_after
                    # Most threats first; among equals the one nearest the middle, which has the lowest number.
                    threats = boards[ply, first_danger + column]
                    rank = how_many(threats & useful) << COLUMN_BITS | COLUMN_MASK - column
                    at = first_rank + moves
                    while at > first_rank and frames[ply, at - 1] < rank:
                        frames[ply, at] = frames[ply, at - 1]
                        at -= 1
                    frames[ply, at] = rank
                    moves += 1
                frames[ply, BEST] = best
                frames[ply, MOVES] = moves
                frames[ply, NEXT_MOVE] = 0
                if score == UNDECIDED and moves == 0:
                    score = best

            # Hand what was answered down the stack, to the last position that has moves left to try; try the next.
            while score != UNDECIDED:
                if ply == 0:
                    return score, nodes, 0
                ply -= 1
                score = max(-score, frames[ply, BEST])
                if score > frames[ply, ALPHA] or frames[ply, NEXT_MOVE] == frames[ply, MOVES]:
                    remember(boards, frames, ply, score, table, large_tag_bits)
                else:
                    frames[ply, BEST] = score
                    score = UNDECIDED
            enter_next(boards, frames, ply)
            ply += 1
        return UNFINISHED, nodes, ply

    @rule
    def next_alpha(low: int, high: int) -> int:
        """Return the question to ask if the score lies between low and high.

        Scores far from 0 are ruled out first. Then: who wins? And then: is it more than the least that is known, which
        is likely far from the end of a game; and twice that, and so on.
        """
        if high > 2 * FAR and high // 2 >= low:
            return high // 2
        if low < -2 * FAR and -(-low // 2) < high:
            return -(-low // 2)
        middle = low + (high - low) // 2
        if low > 0:
            return min(2 * low - 1, middle)
        if high < 0:
            return max(2 * high, middle)
        return 0 if high > 0 else -1

    def solve(
        own: int,
        other: int,
        low: int,
        high: int,
        table_words: Words,
        large_tag_bits: int,
        frames: Words,
        node_limit: int,
        goes_on: bool,
    ) -> tuple[int, int]:
        table = ints_in(table_words, one) if is_wide else table_words
        boards = ints_in(frames, one) if is_wide else frames
        # Where to go on is kept in the frame after the last.
        ply = 0
        if goes_on:
            low, high, ply = frames[-1, 0], frames[-1, 1], frames[-1, 2]
        else:
            discs = own | other
            if own & other or discs & ~cells or discs + bottom & discs or winning_cells(own) & own:
                return NO_POSITION, 0
            left = how_many(cells ^ discs)
            if left == 0 or winning_cells(other) & other:
                return GAME_OVER, 0
            if discs + bottom & cells & winning_cells(own):
                return (left + 1) // 2, 0
            danger = winning_cells(other) & ~discs
            safe = safe_cells(discs, danger)
            if safe == 0:
                return -(left // 2), 0
            if left <= 2:
                return 0, 0
            boards[0, OWN] = own
            boards[0, DISCS] = discs
            boards[0, MIRRORED_OWN] = columns_mirrored(own, cols, rows)
            boards[0, MIRRORED_DISCS] = columns_mirrored(discs, cols, rows)
            boards[0, SAFE] = safe
            boards[0, DANGER] = danger
            if left <= NEAR_THE_END:
                boards[0, HASH] = without_mirror_hashed(own, discs)
            else:
                boards[0, HASH] = hashed(own, discs, boards[0, MIRRORED_OWN], boards[0, MIRRORED_DISCS])
            frames[0, LEFT] = left
            low = max(low, -((left - 2) // 2))
            high = min(high, (left - 1) // 2)
            frames[0, ALPHA] = next_alpha(low, high)
        nodes = 0
        while low < high:
            score, used, ply = search(frames, ply, table, large_tag_bits, node_limit - nodes)
            nodes += used
            if score == UNFINISHED:
                frames[-1, 0], frames[-1, 1], frames[-1, 2] = low, high, ply
                return UNFINISHED, nodes
            if score > frames[0, ALPHA]:
                low = score
            else:
                high = score
            frames[0, ALPHA] = next_alpha(low, high)
        return low, nodes

    return compiled(solve)
