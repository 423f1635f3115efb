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
  "Following" below. These bounds cut the nodes for the empty 7x6 board to an eighth.
- The moves that make the most threats (empty cells that would complete a line) are tried first, then the middle.
- Each position's bounds are remembered in a transposition table, until near the end under one key for a position and
  its mirror image. Before any move is searched, all positions after it are looked up: one that is known to be good
  enough settles it.
- Positions near the end, which are by far the most, have a table of their own, small enough for the processor's
  cache. Looking into main memory for them would take longer than searching them.

**Following.** Each column fills from below. A player who always answers in the column in which the opponent has just
dropped gets every second cell of it. Take the player who has just moved, and call the cells from which an even number
of cells, none included, lies above in the column the *upper* cells, all others the *lower* cells (on six rows, a2, a4
and a6 are upper). Whether the number of empty cells is even or odd after the move decides what following is worth:

- Even: the follower drops on top of the opponent's disc, or, if that has filled its column to an upper cell, on the
  open upper cell of another column; as the number of empty cells is even, there is one. So the opponent gets no empty
  upper cell, except those that are open at once. If the opponent's discs together with the cells that are left to the
  opponent hold no line, the follower does not lose; if the follower has a threat on an upper cell that is not open,
  the follower wins, and the opponent never gets to the cells above it.
- Odd: let the follower have a threat on a lower cell of a column whose open cell is upper. The follower answers in
  this column too, and so gets its lower cells up to the threat, and follows in the others as above. Nobody but the
  opponent can run out of moves, and has to play below the threat in the end. If the opponent has no line among the
  cells that are left to the opponent, the follower wins.

A threat on row r, counted from 0, is carried out with at least rows - r cells empty, so that such a win is worth at
least (rows - r + 1) // 2. These are Victor Allis' rules "claimeven" and the odd threat ("A Knowledge-based Approach of
Connect-Four", 1988), taken for the whole board at once.

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

from connectoe.board import columns_mirrored, full_mask, has_line, how_many
from connectoe.core.rules import rule
from connectoe.engines.compiling import compiled
from connectoe.engines.exact.falling_discs import (
    GAME_OVER,
    GOLDEN,
    NO_POSITION,
    UNDECIDED,
    UNFINISHED,
    Words,
    columns_from_the_middle,
    make_winning_cells,
)

# Transposition tables. An entry is one word, read and written at once, so that threads may share a table:
#
#     bits  12..62   tag: the part of the position's hash that its place in the table does not say
#     bits   6..11   31 - upper bound of the score
#     bits   0..5    32 + lower bound of the score
#
# The hash is the key times an odd number, modulo a power of 2: different keys have different hashes, and place and tag
# together are the whole hash. So an entry is never taken for another position's. An empty entry, 0, says nothing: its
# bounds are -32 and 31.
BOUND_BITS = 6
BOUNDS_BITS = 2 * BOUND_BITS
LOWEST = -(1 << (BOUND_BITS - 1))
HIGHEST = -LOWEST - 1
BOUND_MASK = (1 << BOUND_BITS) - 1

NEAR_THE_END = 20
"""Positions with at most this many empty cells are kept in the small table, apart from their mirror images."""
SMALL_TABLE_BITS = 16
"""2**16 entries of 8 bytes: half a megabyte."""

# A frame of the search's stack: a position, what is asked about it, and its moves. Moves have a field for each column,
# columns counted from the middle outwards.
OWN = 0
DISCS = 1
MIRRORED_OWN = 2
MIRRORED_DISCS = 3
SAFE = 4  # the cells a disc may be dropped on without letting the opponent win at once
DANGER = 5  # the cells that would complete a line of the opponent
HASH = 6
LEFT = 7  # empty cells
ALPHA = 8  # the question: is the score above this?
BEST = 9  # the best score of a move so far
MOVES = 10
NEXT_MOVE = 11  # counts the moves that have been tried
FIRST_OF_MOVES = 12  # their ranks, best first; then by column: the safe cells, danger and hash after the move
FAR = 4
"""Scores above this and below its negative are ruled out first: that is quick."""
FIELDS_OF_MOVES = 4
COLUMN_BITS = 5  # a rank holds the column in its lowest bits
COLUMN_MASK = (1 << COLUMN_BITS) - 1


@lru_cache(maxsize=64)
def make_solver(cols: int, rows: int, connect: int) -> Callable[..., tuple[int, int]]:
    """Return a compiled solver for one board: it answers a score or a sign of `falling_discs.py`, and the nodes used.

    The score is sought between `low` and `high`; a score outside may be answered by any number on that side of them.
    A search that comes back UNFINISHED is continued by the same call with `goes_on` set; `frames` remembers the rest.
    """
    height = rows + 1
    cells = full_mask(cols, rows)
    bottom = sum(1 << (column * height) for column in range(cols))
    one_column = (1 << rows) - 1
    order = columns_from_the_middle(cols)
    row_cells = tuple(bottom << row for row in range(rows))
    upper_cells = sum(row_cells[row] for row in range(rows) if (rows - row) % 2)
    lower_cells = cells & ~upper_cells
    column_cells = tuple(one_column << (column * height) for column in order)
    mirrored_cells = tuple(one_column << ((cols - 1 - column) * height) for column in order)
    hash_bits = cols * height
    hash_mask = (1 << hash_bits) - 1
    spread = GOLDEN >> (64 - hash_bits) | 1
    small_bits = min(SMALL_TABLE_BITS, hash_bits)
    small_size = 1 << small_bits
    small_tag_bits = hash_bits - small_bits
    first_sequence = FIRST_OF_MOVES
    first_safe = FIRST_OF_MOVES + cols
    first_danger = FIRST_OF_MOVES + 2 * cols
    first_hash = FIRST_OF_MOVES + 3 * cols
    winning_cells = make_winning_cells(cols, rows, connect)

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
    def win_with(threats: int) -> int:
        """Return what a win is worth at least that is carried out on the lowest of these threats, or 0 without any."""
        if threats:
            for row in range(rows):
                if threats & row_cells[row]:
                    return (rows - row + 1) // 2
        return 0

    @rule
    def lower_cells_above(threats: int) -> int:
        """Return the lower cells above these upper ones."""
        for _ in range((rows - 1) // 2):
            threats |= threats << 2 & upper_cells & ~bottom
        return threats << 1 & cells

    @rule
    def score_by_following(opponent: int, discs: int, threats: int, left: int, alpha: int) -> int:
        """Return a score above alpha that a player with these threats reaches by following the opponent, who is to
        move with `left` empty cells; LOWEST if that is not certain."""
        open_cells = discs + bottom & cells
        open_upper = open_cells & upper_cells
        upper_threats = threats & upper_cells & ~open_cells
        if left % 2 == 0:
            score = win_with(upper_threats)
            if score > alpha:
                lower = lower_cells & ~discs & ~lower_cells_above(upper_threats)
                if not has_line(opponent | lower | open_upper, rows, connect):
                    return score
            return LOWEST
        lower_threats = threats & lower_cells
        if lower_threats:
            lower = lower_cells & ~discs & ~lower_cells_above(upper_threats)
            for column in range(cols):
                threat = lower_threats & column_cells[column]
                if threat and open_upper & column_cells[column]:
                    threat &= -threat
                    score = win_with(threat)
                    if score > alpha:
                        others = ~column_cells[column]
                        below = threat - 1 & column_cells[column] & upper_cells & ~discs
                        if not has_line(opponent | (lower | open_upper) & others | below, rows, connect):
                            return score
        return LOWEST

    @rule
    def tag_bits_for(left: int, large_tag_bits: int) -> int:
        return small_tag_bits if left <= NEAR_THE_END else large_tag_bits

    @rule
    def place_of(position_hash: int, left: int, tag_bits: int) -> int:
        return (0 if left <= NEAR_THE_END else small_size) + (position_hash >> tag_bits)

    @rule
    def bounds_in(entry: int, tag: int) -> tuple[int, int]:
        """Return the lower and upper bound that a table's entry holds for the position with this tag."""
        if entry >> BOUNDS_BITS != tag:
            return LOWEST, HIGHEST
        return LOWEST + (entry & BOUND_MASK), HIGHEST - (entry >> BOUND_BITS & BOUND_MASK)

    @rule
    def answer(lower: int, upper: int, alpha: int) -> int:
        """Return a bound of a score that says whether it is above alpha; UNDECIDED if neither of these does."""
        if lower > alpha:
            return lower
        return upper if upper <= alpha else UNDECIDED

    @rule
    def enter_next(frames: Words, ply: int) -> None:
        """Fill the frame above this one with the position after its next move."""
        sequence_number = frames[ply, NEXT_MOVE]
        frames[ply, NEXT_MOVE] = sequence_number + 1
        column = COLUMN_MASK - (frames[ply, first_sequence + sequence_number] & COLUMN_MASK)
        discs = frames[ply, DISCS]
        frames[ply + 1, OWN] = frames[ply, OWN] ^ discs
        frames[ply + 1, DISCS] = discs | (discs + bottom & column_cells[column])
        if frames[ply, LEFT] > NEAR_THE_END + 1:
            mirrored_discs = frames[ply, MIRRORED_DISCS]
            frames[ply + 1, MIRRORED_OWN] = frames[ply, MIRRORED_OWN] ^ mirrored_discs
            frames[ply + 1, MIRRORED_DISCS] = mirrored_discs | (mirrored_discs + bottom & mirrored_cells[column])
        frames[ply + 1, SAFE] = frames[ply, first_safe + column]
        frames[ply + 1, DANGER] = frames[ply, first_danger + column]
        frames[ply + 1, HASH] = frames[ply, first_hash + column]
        frames[ply + 1, LEFT] = frames[ply, LEFT] - 1
        frames[ply + 1, ALPHA] = -frames[ply, ALPHA] - 1

    @rule
    def remember(frames: Words, ply: int, score: int, table: Words, large_tag_bits: int) -> None:
        """Note what the search found out about the frame's position: a lower bound above alpha, or an upper bound."""
        position_hash, left = frames[ply, HASH], frames[ply, LEFT]
        tag_bits = tag_bits_for(left, large_tag_bits)
        place = place_of(position_hash, left, tag_bits)
        tag = position_hash & ((1 << tag_bits) - 1)
        entry = table[place]
        bounds = entry & ((1 << BOUNDS_BITS) - 1) if entry >> BOUNDS_BITS == tag else 0
        if score > frames[ply, ALPHA]:
            bounds = bounds & ~BOUND_MASK | (score - LOWEST)
        else:
            bounds = bounds & BOUND_MASK | (HIGHEST - score) << BOUND_BITS
        table[place] = tag << BOUNDS_BITS | bounds

    @rule
    def search(frames: Words, ply: int, table: Words, large_tag_bits: int, node_limit: int) -> tuple[int, int, int]:
        """Return the answer to frame 0's question as a bound of its score, after entering the position of frame `ply`.

        With it come the nodes it took and, if they were not enough, the ply to go on with.
        """
        # One long function, for a reason: if the look at a position is a function of its own, Numba counts references
        # to the arrays at every call of it, which took a quarter of the time.
        nodes = 0
        while nodes < node_limit:
            nodes += 1
            own, discs = frames[ply, OWN], frames[ply, DISCS]
            left, alpha = frames[ply, LEFT], frames[ply, ALPHA]
            highest = (left - 1) // 2

            # Is the question answered by the number of cells left, or by what is remembered?
            score = answer(-((left - 2) // 2), highest, alpha)
            if score == UNDECIDED:
                tag_bits = tag_bits_for(left, large_tag_bits)
                entry = table[place_of(frames[ply, HASH], left, tag_bits)]
                lower, upper = bounds_in(entry, frames[ply, HASH] & ((1 << tag_bits) - 1))
                score = answer(lower, upper, alpha)

            # By a look at each move and what it threatens?
            if score == UNDECIDED:
                other = own ^ discs
                safe = frames[ply, SAFE]
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
                    frames[ply, first_safe + column] = safe_after
                    frames[ply, first_danger + column] = threats
                if score == UNDECIDED and left <= 3:
                    score = 0  # after a move that does not win, two cells are left, and nobody wins by them

            # By what is remembered of the positions after each move? Those that must be searched are put in order.
            if score == UNDECIDED:
                mirrored_discs = frames[ply, MIRRORED_DISCS]
                mirrored_other = frames[ply, MIRRORED_OWN] ^ mirrored_discs
                # A threat above a cell where the opponent wins is of no use: by the time it can be carried out, the
                # opponent has just been stopped below, and takes it.
                useful = ~(frames[ply, DANGER] << 1)
                tag_bits = tag_bits_for(left - 1, large_tag_bits)
                best = LOWEST
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
                    lower, upper = bounds_in(entry, hash_after & ((1 << tag_bits) - 1))
                    if -upper > alpha:
                        score = -upper
                        break
                    if -lower <= alpha:
                        best = max(best, -lower)
                        continue
                    frames[ply, first_hash + column] = hash_after
                    # Most threats first; among equals the one nearest the middle, which has the lowest number.
                    threats = frames[ply, first_danger + column]
                    rank = how_many(threats & useful) << COLUMN_BITS | COLUMN_MASK - column
                    at = first_sequence + moves
                    while at > first_sequence and frames[ply, at - 1] < rank:
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
                    remember(frames, ply, score, table, large_tag_bits)
                else:
                    frames[ply, BEST] = score
                    score = UNDECIDED
            enter_next(frames, ply)
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
        table: Words,
        large_tag_bits: int,
        frames: Words,
        node_limit: int,
        goes_on: bool,
    ) -> tuple[int, int]:
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
            frames[0, OWN] = own
            frames[0, DISCS] = discs
            frames[0, MIRRORED_OWN] = columns_mirrored(own, cols, rows)
            frames[0, MIRRORED_DISCS] = columns_mirrored(discs, cols, rows)
            frames[0, SAFE] = safe
            frames[0, DANGER] = danger
            if left <= NEAR_THE_END:
                frames[0, HASH] = without_mirror_hashed(own, discs)
            else:
                frames[0, HASH] = hashed(own, discs, frames[0, MIRRORED_OWN], frames[0, MIRRORED_DISCS])
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
