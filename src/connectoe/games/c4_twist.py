"""C4 with a Twist.

Connect Four with an explosive. Two players take turns to drop a disc of theirs into one of seven columns; four discs in
line, across, upright or diagonally, win. Each player also has one bomb. Instead of dropping a disc you may bomb a
column: all its discs are gone, the bomb is spent, and that was your turn. A full column cannot be bombed; an empty one
can, which is a way to pass. Discs never move sideways, so clearing a column makes no new line. When all cells are full
and nobody has a line, it is a draw, for a bomb is of no use then either. Boards may have other sizes, as long as
columns times (rows + 1) is at most 62.

A move is the letter of a column to drop a disc, `d`, or a star and the letter to bomb it, `*d`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from connectoe.board import (
    PRIME,
    bit,
    by_player,
    by_remainder,
    cells_of,
    check_nothing_floats,
    column_name,
    columns_mirrored,
    full_mask,
    has_line,
    how_many,
    masks_from,
    open_lines,
    show,
    side_to_move,
    split_fields,
    unsqueeze,
)
from connectoe.errors import BadPosition
from connectoe.game import DRAWN, ONGOING, LastMove, Planes, Rules, option, rule
from connectoe.games.connect_four import ConnectFour, stacked, unstacked
from connectoe.reach import bits_of, can_be_reached, is_there_a_way
from connectoe.scene import Highlight, Panel, Piece, Scene, Target

FEW = 500
"""Positions that are looked at in search of a way to one that is read, where it is hardly in doubt."""


class Position(NamedTuple):
    """The discs of the player to move and of the opponent, as in `board.py`, whose turn it is, and the bombs left.

    >>> C4Twist().start.play("a").play("*a").position
    Position(own=0, other=0, turn=0, own_bombs=1, other_bombs=0)
    """

    own: int
    other: int
    turn: int
    own_bombs: int
    other_bombs: int


BOMB_WORTH = 40
"""What a bomb in hand counts in `evaluate`, where a line of three that is still open counts 9."""


def rules(cols: int, rows: int, connect: int, bombs: int) -> Rules:
    """Connect Four with `bombs` a player; move `column` drops a disc, move `cols + column` bombs the column.

    >>> without_bombs = rules(cols=7, rows=6, connect=4, bombs=0)
    >>> list(without_bombs.legal_moves(without_bombs.start))
    [0, 1, 2, 3, 4, 5, 6]
    """
    height = rows + 1
    full = full_mask(cols, rows)
    tops = full & ~(full >> 1)
    column_by_remainder = by_remainder([bit(column, rows - 1, rows) for column in range(cols)])
    one_column = (1 << rows) - 1

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        open_tops = tops & ~(position.own | position.other)
        while open_tops != 0:
            column = column_by_remainder[(open_tops & -open_tops) % PRIME]
            open_tops &= open_tops - 1
            yield column
            if position.own_bombs > 0:
                yield cols + column

    @rule
    def pick(position: Position, random: int) -> int:
        open_tops = tops & ~(position.own | position.other)
        is_armed = 1 if position.own_bombs > 0 else 0  # then each column stands for a drop and a bomb
        number = random * how_many(open_tops) >> 32 - is_armed
        bomb = cols * (number & is_armed)
        number >>= is_armed
        if open_tops == tops:
            return bomb + number
        for _ in range(number):
            open_tops &= open_tops - 1
        return bomb + column_by_remainder[(open_tops & -open_tops) % PRIME]

    @rule
    def play(position: Position, move: int) -> Position:
        own, other = position.own, position.other
        if move >= cols:
            left = ~(one_column << ((move - cols) * height))
            return Position(other & left, own & left, 1 - position.turn, position.other_bombs, position.own_bombs - 1)
        # Adding the column's lowest bit carries up to its first empty cell.
        landed = (own | other) + (1 << (move * height)) & ~(own | other)
        return Position(other, own | landed, 1 - position.turn, position.other_bombs, position.own_bombs)

    @rule
    def outcome(position: Position) -> int:
        # A bomb takes discs away, so only the player who has just moved can have a line, and only by a drop.
        if has_line(position.other, rows, connect):
            return 1 - position.turn
        if position.own | position.other == full:
            return DRAWN
        return ONGOING

    @rule
    def ending(position: Position) -> int:
        return 0 if has_line(position.other, rows, connect) else 1

    @rule
    def player(position: Position) -> int:
        return position.turn

    fits = (bombs + 1) ** 2 << (cols * height + 1) <= 1 << 62

    @rule
    def pack(position: Position) -> int:
        packed = stacked(position.own, position.other) << 1 | position.turn
        return (packed * (bombs + 1) + position.own_bombs) * (bombs + 1) + position.other_bombs

    @rule
    def unpack(packed: int) -> Position:
        other_bombs = packed % (bombs + 1)
        packed //= bombs + 1
        own_bombs = packed % (bombs + 1)
        packed //= bombs + 1
        own, other = unstacked(packed >> 1, full, rows)
        return Position(own, other, packed & 1, own_bombs, other_bombs)

    @rule
    def mirror(position: Position) -> Position:
        return Position(
            columns_mirrored(position.own, cols, rows),
            columns_mirrored(position.other, cols, rows),
            position.turn,
            position.own_bombs,
            position.other_bombs,
        )

    @rule
    def evaluate(position: Position) -> int:
        own, other = position.own, position.other
        lead = open_lines(own, other, full, rows, connect, 3) - open_lines(other, own, full, rows, connect, 3)
        lead += BOMB_WORTH * (position.own_bombs - position.other_bombs)
        return lead if position.turn == 0 else -lead

    @rule
    def observe(position: Position, viewer: int, planes: Any) -> None:
        first = 0 if viewer == position.turn else 1
        show(position.own, planes, first, cols, rows)
        show(position.other, planes, 1 - first, cols, rows)
        planes[2 + first] = position.own_bombs
        planes[3 - first] = position.other_bombs

    return Rules(
        Position(0, 0, 0, bombs, bombs),
        legal_moves,
        play,
        outcome,
        player,
        pack if fits else None,
        unpack if fits else None,
        (mirror,) if fits else (),
        ending=ending,
        evaluate=evaluate,
        pick=pick,
        observe=observe,
    )


class C4Twist(ConnectFour):
    """Connect Four with bombs.

    >>> state = C4Twist().start
    >>> for move in "d d *d".split():
    ...     state = state.play(move)
    >>> state.text
    '7/7/7/7/7/7 O 0 1'
    """

    id = "c4-twist"
    name = "C4 with a Twist"
    summary = "Connect Four with a bomb each: one blast empties a whole column."
    move_help = "the letter of a column, like d to drop a disc, or *d to bomb the column"
    special_moves: ClassVar[Mapping[str, str]] = {"bomb": "[*].+"}
    tools = ("disc", "bomb")
    bombs: int = option(1, range(4), "bombs each player has")
    make_rules = staticmethod(rules)

    def notation(self) -> Sequence[str]:
        """The columns to drop into, then the columns to bomb."""
        columns = super().notation()
        return [*columns, *(f"*{column}" for column in columns)]

    def planes(self) -> Planes:
        """The discs of both, and how many bombs each has left."""
        names = ("own discs", "opponent's discs", "own bombs", "opponent's bombs")
        return Planes(names, self.rows, self.cols, highest=max(1, self.bombs))

    def symmetries(self) -> Mapping[str, Sequence[int]]:
        """Left and right are alike."""
        mirror = super().symmetries()["mirror"]
        return {"mirror": [*mirror, *(self.cols + column for column in mirror)]}

    def why_illegal(self, position: Any, move: int) -> str:
        """A full column, or no bomb left."""
        if move < self.cols:
            return super().why_illegal(position, move)
        if position.own_bombs == 0:
            return f"{self.symbols[position.turn]} has no bomb left"
        return f"column {column_name(move - self.cols)} is full, and a full column cannot be bombed"

    def write(self, position: Any) -> str:
        """As in Connect Four, then the bombs left to X and to O: `7/7/7/7/7/3X3 O 1 1`."""
        first, second = bombs_by_player(position)
        return f"{super().write(position)} {first} {second}"

    def read(self, text: str) -> Any:
        """The position, if play from an empty board can lead to it."""
        board, mover, *counts = split_fields(text, ["board", "player to move", "bombs of X", "bombs of O"])
        turn = side_to_move(mover, self.symbols)
        first, second = masks_from(unsqueeze(board, self.cols, self.rows, "XO"), "XO")
        for symbol, count in zip(self.symbols, counts, strict=True):
            if count not in map(str, range(self.bombs + 1)):
                raise BadPosition(f"{symbol} has 0 to {self.bombs} bombs, not {count[:20]!r}")
        check_nothing_floats(first | second, self.rows)
        own_bombs, other_bombs = by_player(int(counts[0]), int(counts[1]), turn)
        position = Position(*by_player(first, second, turn), turn, own_bombs, other_bombs)
        if has_line(position.own, self.rows, self.connect):
            raise BadPosition(f"{mover} has a line already, and the game ended there")
        used = 2 * self.bombs - own_bombs - other_bombs
        if abs(blasted_lead(self.rules.start, position)) > used * self.most_blasted_lead():
            raise BadPosition(
                f"turns that alternate and {used} bomb{'' if used == 1 else 's'} do not lead to "
                f"{first.bit_count()} discs of X and {second.bit_count()} of O with {mover} to move"
            )
        if has_line(position.other, self.rows, self.connect) and not self._last_discs(position.own, position.other):
            raise BadPosition(f"no one disc, dropped last, can have made all lines of {self.symbols[1 - turn]}")
        if not (self._can_be_played(position) if used else self._can_be_dropped(first, second)):
            raise BadPosition("no order of moves leads to these discs and bombs")
        return position

    def _can_be_played(self, position: Position) -> bool:
        """Whether the players can have come here turn by turn with bombs; nearly always known for certain."""
        discs_of = by_player(*position[:3])
        used = [self.bombs - left for left in bombs_by_player(position)]
        whole = discs_of[0] | discs_of[1]
        is_won = has_line(position.other, self.rows, self.connect)
        columns = [((1 << self.rows) - 1) << column * (self.rows + 1) for column in range(self.cols)]

        # Backwards. A bomb is taken back on a column that is empty; what it blasted can have been any discs, so up to
        # so many of any colour can be taken back after it: (discs, turn, bombs of X, bombs of O, discs of any colour).
        def earlier(node: tuple[int, int, int, int, int]) -> Iterator[tuple[int, int, int, int, int]]:
            discs, turn, first_bombs, second_bombs, blasted = node
            mover = 1 - turn
            is_won_here = is_won and discs == whole
            free = (
                self._last_discs(position.own, position.other)
                if is_won_here
                else discs_of[mover] & discs & ~(discs >> 1)
            )
            for disc in bits_of(free):
                yield discs ^ disc, mover, first_bombs, second_bombs, blasted
            if is_won_here:
                return
            if (first_bombs, second_bombs)[mover] and not all(discs & column for column in columns):
                yield discs, mover, first_bombs - turn, second_bombs - mover, blasted + self.rows - 1
            if blasted:
                yield discs, mover, first_bombs, second_bombs, blasted - 1
            if blasted and not (discs or first_bombs or second_bombs):
                yield discs, turn, 0, 0, 0

        if is_there_a_way((whole, position.turn, used[0], used[1], 0), (0, 0, 0, 0, 0), earlier) is False:
            return False
        # What that leaves out, lines that would have ended the game before, matters on the smallest boards only.
        return can_be_reached(self.rules, position, lambda earlier: self.may_become(earlier, position), FEW)

    def most_blasted_lead(self) -> int:
        """How many more discs of one player than of the other a bomb can take away.

        The column is not full, and between two runs of a player's discs too short to win lies one of the other's.

        >>> C4Twist().most_blasted_lead()
        3
        """
        return max(discs - 2 * (discs // self.connect) for discs in range(self.rows))

    def may_become(self, earlier: Position, later: Position) -> bool:
        """Whether nothing visible speaks against play leading from one position to another.

        A column with discs that do not belong there in the end must still be bombed, before it is full.

        >>> game = C4Twist()
        >>> one_disc = game.start.play("d")
        >>> game.may_become(one_disc.position, one_disc.play("*d").position)
        True
        >>> game.may_become(one_disc.play("*d").position, one_disc.position)
        False
        """
        had, left = bombs_by_player(earlier), bombs_by_player(later)
        if had[0] < left[0] or had[1] < left[1]:
            return False
        discs, final = by_player(*earlier[:3]), by_player(*later[:3])
        wrong = discs[0] & ~final[0] | discs[1] & ~final[1]
        spare = sum(had) - sum(left)  # bombs that may go anywhere
        lead, room = 0, 0  # what the columns to be bombed hold, and what may still be dropped into them
        for column in {column for column, _ in cells_of(wrong, self.rows)}:
            first, second = (cells >> column * (self.rows + 1) & (1 << self.rows) - 1 for cells in discs)
            height = (first | second).bit_count()
            spare -= 1
            lead += first.bit_count() - second.bit_count()
            room += self.rows - 1 - height
            if spare < 0 or height == self.rows:
                return False
        return abs(blasted_lead(earlier, later) - lead) <= room + spare * self.most_blasted_lead()

    def scene(self, position: Any, last: LastMove | None = None) -> Scene:
        """Connect Four's picture, with the bombs left in a tray under the board."""
        scene = super().scene(position, last)
        if last and last.move >= self.cols:
            scene.highlights.append(Highlight("last", last.move - self.cols, 0, 1, self.rows))
        if self.bombs:
            width = max(self.cols, 2 * self.bombs)
            left = (self.cols - width) / 2
            y = self.rows + 1.2
            scene.panels.append(Panel(left, y - 0.5, width, 1, "tray"))  # as high as a bomb, also when it is empty
            first, second = bombs_by_player(position)
            for number in range(first):
                scene.pieces.append(Piece(f"bomb-X{number + 1}", left + 0.5 + number, y, "bomb", 0))
            for number in range(second):
                scene.pieces.append(Piece(f"bomb-O{number + 1}", left + width - 0.5 - number, y, "bomb", 1))
            scene.notes.append(f"bombs left: X {first}, O {second}")
        return scene

    def stages(self, position: Any, move: int) -> Sequence[Sequence[Piece]]:
        """A bomb: it is in the middle of its column, and nothing is blasted yet."""
        if move < self.cols:
            return []
        spent = f"bomb-{self.symbols[position.turn]}{position.own_bombs}"
        x, y = move - self.cols + 0.5, self.rows / 2
        return [[piece._replace(x=x, y=y) if piece.id == spent else piece for piece in self.scene(position).pieces]]

    def target(self, move: int) -> Target:
        """The column that stands for a drop or a bomb."""
        if move < self.cols:
            return super().target(move)
        column = move - self.cols
        return Target(self.move_text(move), column, 0, 1, self.rows, "bomb", f"bomb column {column_name(column)}")


def bombs_by_player(position: Position) -> tuple[int, int]:
    """The bombs left to X and to O.

    >>> bombs_by_player(C4Twist(bombs=3).start.play("*d").position)
    (2, 3)
    """
    return by_player(position.own_bombs, position.other_bombs, position.turn)


def blasted_lead(earlier: Position, later: Position) -> int:
    """How many more of X's than of O's discs bombs must take away between two positions.

    Every turn drops a disc or uses a bomb, and turns alternate. So discs dropped and bombs used are as many for X as
    for O, or one more when O is to move; whatever is missing on the board was blasted.

    >>> start = C4Twist().start
    >>> blasted_lead(start.position, start.play("d").play("*d").position)
    1
    """
    return turns_ahead(earlier) - turns_ahead(later)


def turns_ahead(position: Position) -> int:
    """By how many turns the discs on the board and the bombs left put X ahead of O, apart from whose turn it is.

    >>> start = C4Twist().start
    >>> turns_ahead(start.position), turns_ahead(start.play("d").position), turns_ahead(start.play("*d").position)
    (0, 0, 0)
    """
    discs, left = by_player(*position[:3]), bombs_by_player(position)
    return (discs[0].bit_count() - left[0]) - (discs[1].bit_count() - left[1]) - position.turn
