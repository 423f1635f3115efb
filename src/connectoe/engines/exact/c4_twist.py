"""C4 with a Twist, exactly, as far as it goes: small boards, and the later part of games on larger ones.

**The score** of a position is seen from the player to move: a win in n moves, of both players together, is worth
SURE - n, a loss in n moves n - SURE, and a draw 0.

**The search** is that of Connect Four (`connect_four_search.py`): it asks "is the score above alpha?", looks only at
moves after which the opponent cannot win at once, tries those with the most threats first, and remembers bounds of
scores for a position and its mirror image together. What bombs change:

- Discs on the board do not tell how long a game can still last. But it gets shorter with every move: a disc takes one
  of the `left` empty cells, and a bomb gives back fewer than a column's `rows` cells, because it cannot be used on a
  full column, and is gone itself. So with `bombs` left to both players together, the game lasts at most

      longest = left + bombs * rows   moves, and every score but a draw's is at least SURE - longest away from 0.

- A score gets one nearer to 0 with every move. So the question whether there is a win within n moves is answered by
  looking n moves ahead, and it is asked for small n first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import Any, ClassVar

import numpy as np

from connectoe.board import columns_mirrored, full_mask, how_many
from connectoe.core.game import Game
from connectoe.core.rules import rule
from connectoe.core.wide import FITTING
from connectoe.engines.compiling import compiled
from connectoe.engines.engine import Exact
from connectoe.engines.exact.connect_four import ExactConnectFour
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

SURE = 512
"""More than the moves of the longest game."""

# An entry of the transposition table is two words: the key of the discs, and below the bounds the bombs left.
BOMBS_BITS = 2
BOUND_BITS = 11
BOUND_MASK = (1 << BOUND_BITS) - 1
BOMBS_MASK = (1 << 2 * BOMBS_BITS) - 1

# A frame of the search's stack.
OWN = 0
OTHER = 1
OWN_BOMBS = 2
OTHER_BOMBS = 3
LONGEST = 4
ALPHA = 5
BEST = 6
MOVES = 7
NEXT_MOVE = 8
FIRST_OF_MOVES = 9  # best first, each with its rank in the upper bits
MOVE_BITS = 6
MOVE_MASK = (1 << MOVE_BITS) - 1
EVEN = 64  # the rank of a move after which both players have as many threats
PRICE_OF_A_BOMB = 2  # in threats: it can be used only once


@rule
def one_move_earlier(score: int) -> int:
    """Return what the opponent's score after a move is worth before it."""
    if score > 0:
        return 1 - score
    return -1 - score if score < 0 else 0


@rule
def alpha_after(alpha: int) -> int:
    """Return what the opponent's score after a move must not exceed for the score before it to be above alpha."""
    return -2 - alpha if alpha >= 0 else -alpha


@lru_cache(maxsize=64)
def make_twist_solver(cols: int, rows: int, connect: int) -> Callable[..., tuple[int, int]]:
    """Return a compiled solver for one board, called like Connect Four's with the bombs left to either player."""
    height = rows + 1
    cells = full_mask(cols, rows)
    bottom = sum(1 << (column * height) for column in range(cols))
    one_column = (1 << rows) - 1
    column_cells = tuple(one_column << (column * height) for column in columns_from_the_middle(cols))
    winning_cells = make_winning_cells(cols, rows, connect)
    spread, spread_of_bombs = (GOLDEN >> (GOLDEN_BITS - bits) | 1 for bits in (62, 61))

    @rule
    def key_of(own: int, discs: int) -> int:
        mirrored = columns_mirrored(own, cols, rows) + columns_mirrored(discs, cols, rows)
        return min(own + discs, mirrored)

    @rule
    def place_of(key: int, bombs: int, place_bits: int) -> int:
        return 2 * ((key * spread + bombs * spread_of_bombs & (1 << 62) - 1) >> (62 - place_bits))

    @rule
    def enter_next(frames: Words, ply: int) -> None:
        """Fill the frame above this one with the position after its next move."""
        move = frames[ply, FIRST_OF_MOVES + frames[ply, NEXT_MOVE]] & MOVE_MASK
        frames[ply, NEXT_MOVE] += 1
        own, other = frames[ply, OWN], frames[ply, OTHER]
        own_bombs = frames[ply, OWN_BOMBS]
        longest = frames[ply, LONGEST] - 1
        if move < cols:
            discs = own | other
            own |= discs + bottom & column_cells[move]
        else:
            column = column_cells[move - cols]
            longest += 1 - rows + how_many((own | other) & column)
            own_bombs -= 1
            own &= ~column
            other &= ~column
        frames[ply + 1, OWN] = other
        frames[ply + 1, OTHER] = own
        frames[ply + 1, OWN_BOMBS] = frames[ply, OTHER_BOMBS]
        frames[ply + 1, OTHER_BOMBS] = own_bombs
        frames[ply + 1, LONGEST] = longest
        frames[ply + 1, ALPHA] = alpha_after(frames[ply, ALPHA])

    @rule
    def bounds_in(table: Words, place: int, key: int, bombs: int) -> tuple[int, int]:
        """Return the lower and upper bound that are remembered for a position."""
        bounds = table[place + 1]
        if table[place] != key or bounds & BOMBS_MASK != bombs:
            return -SURE, SURE
        bounds >>= 2 * BOMBS_BITS
        return (bounds & BOUND_MASK) - SURE, SURE - (bounds >> BOUND_BITS)

    @rule
    def insert(frames: Words, ply: int, moves: int, rank: int, move: int) -> None:
        """Put a move among those of a frame, behind all of the same rank or higher."""
        at = FIRST_OF_MOVES + moves
        while at > FIRST_OF_MOVES and frames[ply, at - 1] >> MOVE_BITS < rank:
            frames[ply, at] = frames[ply, at - 1]
            at -= 1
        frames[ply, at] = rank << MOVE_BITS | move

    @rule
    def search(frames: Words, ply: int, table: Words, place_bits: int, node_limit: int) -> tuple[int, int, int]:
        """Return the answer to frame 0's question as a bound of its score, after entering the position of frame `ply`.

        With it come the nodes it took and, if they were not enough, the ply to go on with. The player to move in a
        position that is entered cannot win at once.
        """
        nodes = 0
        while nodes < node_limit:
            nodes += 1
            own, other = frames[ply, OWN], frames[ply, OTHER]
            own_bombs, alpha = frames[ply, OWN_BOMBS], frames[ply, ALPHA]
            bombs = own_bombs << BOMBS_BITS | frames[ply, OTHER_BOMBS]
            discs = own | other
            score = UNDECIDED
            if discs == cells:
                score = 0
            elif alpha < 2 - SURE:
                score = 2 - SURE
            elif alpha >= SURE - 3:
                score = SURE - 3
            else:
                key = key_of(own, discs)
                lower, upper = bounds_in(table, place_of(key, bombs, place_bits), key, bombs)
                if lower > alpha:
                    score = lower
                elif upper <= alpha:
                    score = upper
            if score == UNDECIDED:
                moves = 0
                danger = winning_cells(other) & ~discs
                for column in range(cols):
                    disc = discs + bottom & column_cells[column]
                    if disc == 0:
                        continue
                    discs_after = discs | disc
                    if discs_after + bottom & danger == 0:
                        threats = winning_cells(own | disc) & ~discs_after
                        insert(frames, ply, moves, EVEN + how_many(threats) - how_many(danger & ~disc), column)
                        moves += 1
                    if own_bombs > 0:
                        kept = ~column_cells[column]
                        discs_after = discs & kept
                        danger_after = winning_cells(other & kept) & ~discs_after
                        if discs_after + bottom & danger_after == 0:
                            threats = winning_cells(own & kept) & ~discs_after
                            rank = EVEN + how_many(threats) - how_many(danger_after) - PRICE_OF_A_BOMB
                            insert(frames, ply, moves, rank, cols + column)
                            moves += 1
                frames[ply, MOVES] = moves
                frames[ply, NEXT_MOVE] = 0
                frames[ply, BEST] = -SURE
                if moves == 0:
                    score = 2 - SURE
                elif frames[ply, LONGEST] <= 2:
                    score = 0

            # Hand what was answered down the stack, to the last position that has moves left to try; try the next.
            while score != UNDECIDED:
                if ply == 0:
                    return score, nodes, 0
                ply -= 1
                score = max(one_move_earlier(score), frames[ply, BEST])
                if score > frames[ply, ALPHA] or frames[ply, NEXT_MOVE] == frames[ply, MOVES]:
                    bombs = frames[ply, OWN_BOMBS] << BOMBS_BITS | frames[ply, OTHER_BOMBS]
                    key = key_of(frames[ply, OWN], frames[ply, OWN] | frames[ply, OTHER])
                    place = place_of(key, bombs, place_bits)
                    lower, upper = bounds_in(table, place, key, bombs)
                    if score > frames[ply, ALPHA]:
                        lower = score
                    else:
                        upper = score
                    table[place] = key
                    table[place + 1] = ((SURE - upper) << BOUND_BITS | lower + SURE) << 2 * BOMBS_BITS | bombs
                else:
                    frames[ply, BEST] = score
                    score = UNDECIDED
            enter_next(frames, ply)
            ply += 1
        return UNFINISHED, nodes, ply

    @rule
    def next_alpha(low: int, high: int, longest: int) -> int:
        """Return the question to ask when the score lies between low and high."""
        if low > 0 or high < 0:
            return low + (high - low) // 2
        soonest_win, soonest_loss = SURE - high, SURE + low
        if high > 0 and (low == 0 or soonest_win <= soonest_loss):
            alpha = SURE - 1 - min(2 * soonest_win, longest)  # a win within twice the moves that do not suffice?
        else:
            alpha = min(2 * soonest_loss, longest) - SURE
        return min(max(alpha, low), high - 1)

    def solve(
        own: int,
        other: int,
        own_bombs: int,
        other_bombs: int,
        low: int,
        high: int,
        table: Words,
        place_bits: int,
        frames: Words,
        node_limit: int,
        goes_on: bool,
    ) -> tuple[int, int]:
        ply = 0
        if goes_on:
            low, high, ply = frames[-1, 0], frames[-1, 1], frames[-1, 2]
        else:
            discs = own | other
            if own & other or discs & ~cells or discs + bottom & discs or winning_cells(own) & own:
                return NO_POSITION, 0
            if discs == cells or winning_cells(other) & other:
                return GAME_OVER, 0
            if discs + bottom & cells & winning_cells(own):
                return SURE - 1, 0
            frames[0, OWN] = own
            frames[0, OTHER] = other
            frames[0, OWN_BOMBS] = own_bombs
            frames[0, OTHER_BOMBS] = other_bombs
            frames[0, LONGEST] = how_many(cells ^ discs) + (own_bombs + other_bombs) * rows
            low = max(low, 2 - SURE)
            high = min(high, SURE - 3)
            frames[0, ALPHA] = next_alpha(low, high, frames[0, LONGEST])
        longest = frames[0, LONGEST]
        nodes = 0
        while low < high:
            score, used, ply = search(frames, ply, table, place_bits, node_limit - nodes)
            nodes += used
            if score == UNFINISHED:
                frames[-1, 0], frames[-1, 1], frames[-1, 2] = low, high, ply
                return UNFINISHED, nodes
            # No score is nearer to 0 than the longest game allows, except 0 itself.
            if score > frames[0, ALPHA]:
                low = 0 if longest - SURE < score < 0 else score
            else:
                high = 0 if 0 < score < SURE - longest else score
            frames[0, ALPHA] = next_alpha(low, high, longest)
        return low, nodes

    return compiled(solve)


class ExactC4Twist(ExactConnectFour):
    """Exact values and best moves of c4-twist; the interface is that of connect-four, and the module explains scores.

    Few positions of the whole board can be solved: give a limit of nodes, and be ready for NotSolved.

    >>> import connectoe
    >>> state = connectoe.load("c4-twist").start
    >>> for move in "g b g c f d".split():
    ...     state = state.play(move)
    >>> solver = ExactC4Twist(state.game)
    >>> [state.game.move_text(move) for move in solver.best_moves(state)], str(solver.value(state))
    (['*b', '*c', '*d'], 'loss in 4')
    """

    most_bits: ClassVar[int] = FITTING

    @staticmethod
    def can_solve(game: Game) -> bool:
        """Whether this is C4 with a Twist."""
        return game.id == "c4-twist"

    def _prepare(self, cols: int, rows: int, connect: int, table_bits: int) -> None:
        self._place_bits = table_bits - 4
        self._table = np.zeros(2 << self._place_bits, np.int64)
        longest = self._cells + 2 * int(self.game.options["bombs"]) * rows
        self._frames_shape = (longest + 3, FIRST_OF_MOVES + 2 * cols)
        self._highest = SURE
        self._solve = make_twist_solver(cols, rows, connect)
        self._taking_turns = Lock()  # an entry of two words cannot be read and written at once

    def _search(self, position: Any, low: int, high: int, frames: Words, limit: int, goes_on: bool) -> tuple[int, int]:
        own, other, _, own_bombs, other_bombs = position
        with self._taking_turns:
            return self._solve(
                own, other, own_bombs, other_bombs, low, high, self._table, self._place_bits, frames, limit, goes_on
            )

    def _score_of_winning(self, left: int) -> int:
        return SURE - 1

    def _before(self, score: int) -> int:
        return one_move_earlier(score)

    def _alpha_after(self, alpha: int) -> int:
        return alpha_after(alpha)

    def _value_of(self, score: int, position: Any) -> Exact:
        if score == 0:
            return Exact("draw")
        return Exact("win" if score > 0 else "loss", SURE - abs(score))
