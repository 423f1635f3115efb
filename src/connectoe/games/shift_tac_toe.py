"""Shift Tac Toe.

Tic-tac-toe in a frame whose three rows are sliders. O begins. Each turn you drop a piece of yours into one of the
three columns of the 3x3 grid, where it falls to the lowest empty place, or you move one slider one step left or right.

A slider has five holders, so two of them always stand outside the grid. It has three stands: fully right, where all
begin, one step left of that, and fully left. Pieces ride along with their slider, in and out of the grid, and stay in
play outside it. After a slide, pieces that nothing supports fall straight down, the lower ones first. A falling piece
comes to rest right above the next piece below it, or on the floor; if its slider has no holder there, it is out of the
game.

Three of your pieces in a row, column or diagonal of the grid win; pieces outside it do not count. A slide that makes a
line only for your opponent loses, and one that makes a line for both wins for you (with `both=draw`, it is a draw). A
full column takes no piece, and a slider does not go past its ends. There are pieces enough for ever. A position that
stands for the third time is a draw.

With `edition=pressman` it is the boxed game of 1988: the sliders begin in the middle, each player has five discs, and a
disc that leaves the grid goes back to its owner's hand at once. With all five on the board you can only slide.

A move is a digit. `1` `2` `3` drop into the left, middle, right column; `4` `5` `6` slide the top, middle, bottom row
one step right; `7` `8` `9` one step left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from connectoe.board import Square, lines, side_to_move, split_fields, squeeze, unsqueeze
from connectoe.errors import BadPosition, IllegalMove
from connectoe.game import DRAWN, ONGOING, Game, LastMove, Planes, Rules, option, rule
from connectoe.games.tic_tac_toe import FREE, FREE_COUNT
from connectoe.scene import Cell, Highlight, Label, Panel, Piece, Scene, Stroke, Target

# The bits of the frame. Columns a, b, c are the grid; the two on either side of it are where sliders stick out.
#
#   3   14 15 | 16 17 18 | 19 20
#   2    7  8 |  9 10 11 | 12 13
#   1    0  1 |  2  3  4 |  5  6
#        y  z    a  b  c    d  e

COLUMNS = "yzabcde"
WIDTH = 7
LEFT = 2
"""How many columns of the frame lie left of the grid."""
ROW = 0b1111111
FRAME = (1 << 3 * WIDTH) - 1
LEFT_COLUMN = 0b0000100_0000100_0000100
MIDDLE_COLUMN = LEFT_COLUMN << 1
GRID_ROW = 0b0011100
HOLDERS = (0b1111100, 0b0111110, 0b0011111)
"""The columns a slider covers when it stands 0, 1 or 2 steps left of fully right."""
LINES = tuple(sum(1 << (WIDTH * row + LEFT + column) for column, row in line) for line in lines(3, 3, 3))
LINE_NAMES: dict[tuple[Square, ...], str] = {
    ((0, 0), (1, 0), (2, 0)): "in the bottom row",
    ((0, 1), (1, 1), (2, 1)): "in the middle row",
    ((0, 2), (1, 2), (2, 2)): "in the top row",
    ((0, 0), (0, 1), (0, 2)): "in the left column",
    ((1, 0), (1, 1), (1, 2)): "in the middle column",
    ((2, 0), (2, 1), (2, 2)): "in the right column",
    ((0, 0), (1, 1), (2, 2)): "on the rising diagonal",
    ((0, 2), (1, 1), (2, 0)): "on the falling diagonal",
}
ROW_NAMES = ("bottom", "middle", "top")
COLUMN_NAMES = ("left", "middle", "right")
STANDS = "RCL"
"""A slider's stand in position texts: fully right, in the middle (centre), fully left."""
DISCS = 5
"""Discs of a player in the Pressman edition."""
ENDS = -1.91, 4.91
"""In the picture, the middles of what slides a row left and right."""
HEAD = -0.95
"""In the picture, the top of the columns with their numbers."""


class Position(NamedTuple):
    """The pieces of O and of X, the sliders' steps left of fully right (two bits a row), and whose turn it is.

    >>> ShiftTacToe().start.play("1").position
    Position(noughts=4, crosses=0, sliders=0, turn=1)
    """

    noughts: int
    crosses: int
    sliders: int
    turn: int


@rule
def steps_left(sliders: int, row: int) -> int:
    """How many steps left of fully right the slider of a row stands.

    >>> slid = ShiftTacToe().start.play("9").position
    >>> [steps_left(slid.sliders, row) for row in range(3)]
    [1, 0, 0]
    """
    return sliders >> (2 * row) & 3


AT_AN_END = bytes(
    sum((steps_left(sliders, row) == end) << 3 * (end // 2) + 2 - row for row in range(3) for end in (0, 2))
    for sliders in range(64)
)
"""For each stand of the sliders, the slides that would go past an end: bits 0 to 5 for the moves 4 to 9."""


@rule
def has_line(pieces: int) -> bool:
    """Whether three of these pieces stand in line inside the grid.

    >>> has_line(GRID_ROW), has_line(GRID_ROW << 1)
    (True, False)
    """
    for line in LINES:  # noqa: SIM110 - Numba compiles no any()
        if pieces & line == line:
            return True
    return False


@rule
def fallen(pieces: int, taken: int, low_holders: int, middle_holders: int) -> int:
    """Where `pieces`, some of all that are `taken`, are when everything has fallen; the ones that fall out are gone.

    Whatever stands in the bottom row stays. A middle piece stays on a bottom piece and falls to the floor elsewhere.
    A top piece goes on what is there then. So one glance at each row, from below, settles all columns at once.

    >>> middle_piece = 1 << WIDTH + LEFT
    >>> fallen(middle_piece, middle_piece, low_holders=HOLDERS[0], middle_holders=HOLDERS[0]) == 1 << LEFT
    True
    """
    bottom = taken & ROW
    middle = taken >> WIDTH & ROW
    middle_to_bottom = ~bottom & low_holders
    stays_in_middle = middle & bottom
    filled_bottom = bottom | (middle & middle_to_bottom)
    top_to_middle = filled_bottom & ~stays_in_middle & middle_holders
    top_to_bottom = ~filled_bottom & low_holders

    own_bottom = pieces & ROW
    own_middle = pieces >> WIDTH & ROW
    own_top = pieces >> 2 * WIDTH
    return (
        (own_bottom | (own_middle & middle_to_bottom) | (own_top & top_to_bottom))
        | ((own_middle & stays_in_middle) | (own_top & top_to_middle)) << WIDTH
        | (own_top & stays_in_middle) << 2 * WIDTH
    )


@rule
def shifted(pieces: int, row: int, left: int, kept: int) -> int:
    """The pieces with one row moved a column left or right, as far as it is still in the columns `kept`.

    >>> places_of(shifted(GRID_ROW, row=0, left=1, kept=HOLDERS[1]))
    [(1, 0), (2, 0), (3, 0)]
    """
    moved = pieces >> (WIDTH * row) & ROW
    others = pieces & ~(ROW << (WIDTH * row))
    moved = (moved >> 1 if left else moved << 1) & kept
    return others | moved << (WIDTH * row)


@rule
def grid_mirrored(pieces: int) -> int:
    """The pieces of the grid with the left and right columns swapped.

    >>> places_of(grid_mirrored(1 << LEFT))
    [(4, 0)]
    """
    return pieces & MIDDLE_COLUMN | (pieces & LEFT_COLUMN) << 2 | pieces >> 2 & LEFT_COLUMN


def rules(edition: str, both: str) -> Rules:
    """Shift Tac Toe in one of its editions.

    >>> boxed = rules(edition="pressman", both="mover")
    >>> [steps_left(boxed.start.sliders, row) for row in range(3)]
    [1, 1, 1]
    """
    is_pressman = edition == "pressman"
    both_is_draw = both == "draw"
    start = Position(0, 0, 0b010101 if is_pressman else 0, 0)
    # In the Pressman edition only the grid holds discs, wherever the sliders stand.
    holders = (GRID_ROW, GRID_ROW, GRID_ROW) if is_pressman else HOLDERS
    kept = GRID_ROW if is_pressman else ROW

    @rule
    def may_drop(position: Position) -> bool:
        if not is_pressman:
            return True
        own = position.crosses if position.turn else position.noughts
        discs = 0
        while own:
            own &= own - 1
            discs += 1
        return discs < DISCS

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        if may_drop(position):
            top = (position.noughts | position.crosses) >> (2 * WIDTH + LEFT)
            for column in range(3):
                if not top >> column & 1:
                    yield column
        for down in range(3):
            if steps_left(position.sliders, 2 - down) > 0:
                yield 3 + down
        for down in range(3):
            if steps_left(position.sliders, 2 - down) < 2:
                yield 6 + down

    @rule
    def pick(position: Position, random: int) -> int:
        full = (position.noughts | position.crosses) >> (2 * WIDTH + LEFT) & 0b111 if may_drop(position) else 0b111
        illegal = full | AT_AN_END[position.sliders] << 3
        return FREE[9 * illegal + (random * FREE_COUNT[illegal] >> 32)]

    @rule
    def play(position: Position, move: int) -> Position:
        noughts, crosses, sliders = position.noughts, position.crosses, position.sliders
        if move < 3:
            dropped = 1 << (2 * WIDTH + LEFT + move)  # it enters at the top and falls like any other
            if position.turn:
                crosses |= dropped
            else:
                noughts |= dropped
        else:
            row = 2 - move % 3
            left = move // 6
            sliders += (1 if left else -1) << (2 * row)
            noughts = shifted(noughts, row, left, kept)
            crosses = shifted(crosses, row, left, kept)
        taken = noughts | crosses
        low, middle = holders[sliders & 3], holders[sliders >> 2 & 3]
        return Position(
            fallen(noughts, taken, low, middle), fallen(crosses, taken, low, middle), sliders, 1 - position.turn
        )

    @rule
    def outcome(position: Position) -> int:
        nought_line, cross_line = has_line(position.noughts), has_line(position.crosses)
        if nought_line and cross_line:
            return DRAWN if both_is_draw else 1 - position.turn
        if nought_line:
            return 0
        if cross_line:
            return 1
        return ONGOING

    @rule
    def ending(position: Position) -> int:
        if has_line(position.noughts) and has_line(position.crosses):
            return 2
        return 0 if outcome(position) == 1 - position.turn else 1

    @rule
    def player(position: Position) -> int:
        return position.turn

    @rule
    def pack(position: Position) -> int:
        return position.noughts | position.crosses << 21 | position.sliders << 42 | position.turn << 48

    @rule
    def unpack(packed: int) -> Position:
        return Position(packed & FRAME, packed >> 21 & FRAME, packed >> 42 & 0b111111, packed >> 48)

    @rule
    def mirror(position: Position) -> Position:
        return Position(
            grid_mirrored(position.noughts),
            grid_mirrored(position.crosses),
            0b101010 - position.sliders,  # each stand is as far from 2 as it was from 0
            position.turn,
        )

    @rule
    def observe(position: Position, viewer: int, planes: Any) -> None:
        for row in range(3):
            covered = HOLDERS[steps_left(position.sliders, row)]
            for column in range(WIDTH):
                place = WIDTH * row + column
                planes[viewer, 2 - row, column] = position.noughts >> place & 1
                planes[1 - viewer, 2 - row, column] = position.crosses >> place & 1
                planes[2, 2 - row, column] = covered >> column & 1

    # In the other edition the frame has a mirror image too, but its start, fully right, is not its own.
    mirrors = (mirror,) if is_pressman else ()
    return Rules(start, legal_moves, play, outcome, player, pack, unpack, mirrors, ending, pick=pick, observe=observe)


def places_of(pieces: int) -> list[Square]:
    """The (frame column, row) of each piece, the grid's columns being 2, 3 and 4; from the bottom left.

    >>> places_of(ShiftTacToe().start.play("1").position.noughts)
    [(2, 0)]
    """
    return [(index % WIDTH, index // WIDTH) for index in range(3 * WIDTH) if pieces >> index & 1]


def piece_id(place: Square) -> str:
    """A piece is called after its place: 'piece-b1', or 'piece-d1' for one right of the grid.

    >>> piece_id((2, 0))
    'piece-a1'
    """
    column, row = place
    return f"piece-{COLUMNS[column]}{row + 1}"


def hand_id(owner: int, number: int) -> str:
    """A disc in hand (Pressman edition), numbered from 1: the last one is dropped first.

    >>> hand_id(1, 5)
    'hand-1-5'
    """
    return f"hand-{owner}-{number}"


class ShiftTacToe(Game):
    """Shift Tac Toe, with sliders that carry pieces outside the grid or as the boxed game.

    >>> state = ShiftTacToe().start
    >>> for move in "129":
    ...     state = state.play(move)
    >>> state.board()[2], state.text
    (['X', '', ''], '5/5/OX3 RRC X')
    """

    id = "shift-tac-toe"
    name = "Shift Tac Toe"
    summary = "Drop a piece or slide a whole row: three in line win, until somebody pulls the floor from under them."
    move_help = "a digit: 1 2 3 drop, 4 5 6 slide the top, middle, bottom row right, 7 8 9 left"
    special_moves: ClassVar[Mapping[str, str]] = {"slide": "[4-9]"}
    symbols = ("O", "X")
    moves_run_together = True
    can_repeat = True
    endings = ("a line of the mover", "a line of the opponent", "lines for both")
    edition: str = option(
        "sliders",
        {
            "sliders": "sliders hold pieces outside the grid, and there are pieces enough for ever",
            "pressman": "the boxed game, with five discs each, which go back to the hand when they leave the grid",
        },
        "which edition is played",
    )
    both: str = option(
        "mover",
        {"mover": "whoever moved wins", "draw": "the game is drawn"},
        "what happens when a slide makes lines for both",
    )
    make_rules = staticmethod(rules)

    @property
    def is_pressman(self) -> bool:
        """Whether this is the boxed game, with five discs a player and nothing outside the grid.

        >>> ShiftTacToe().is_pressman, ShiftTacToe(edition="pressman").is_pressman
        (False, True)
        """
        return self.edition == "pressman"

    def notation(self) -> Sequence[str]:
        """The nine digits."""
        return "123456789"

    def planes(self) -> Planes:
        """The pieces of both in the whole frame, and the holders of the sliders; the grid is in the middle."""
        return Planes(("own pieces", "opponent's pieces", "holders"), 3, WIDTH)

    def symmetries(self) -> Mapping[str, Sequence[int]]:
        """Left and right are alike in the Pressman edition; the other begins fully right."""
        return {"mirror": [2, 1, 0, 6, 7, 8, 3, 4, 5]} if self.is_pressman else {}

    def reason(self, position: Position) -> str:
        """The line, or that both had one."""
        if has_line(position.noughts) and has_line(position.crosses):
            moved = self.symbols[1 - position.turn]
            return f"{moved} made lines for both" + ("" if self.both == "draw" else ", and the mover's counts")
        winner = self.rules.outcome(position)
        by_whom = ", by the opponent's slide" if winner == position.turn else ""
        return f"three {LINE_NAMES[self.winning_lines(position, winner)[0]]}{by_whom}"

    def winning_lines(self, position: Position, owner: int) -> list[tuple[Square, ...]]:
        """The lines of a player, as squares of the grid.

        >>> state = ShiftTacToe().start
        >>> for move in "12121":
        ...     state = state.play(move)
        >>> state.game.winning_lines(state.position, 0)
        [((0, 0), (0, 1), (0, 2))]
        """
        return [line for line, bits in zip(lines(3, 3, 3), LINES, strict=True) if position[owner] & bits == bits]

    def why_illegal(self, position: Position, move: int) -> str:
        """A full column, an empty hand, or a slider at its end."""
        if move < 3:
            if self.is_pressman and position[position.turn].bit_count() == DISCS:
                return f"all five discs of {self.symbols[position.turn]} are on the board, so only slides are left"
            return f"the {COLUMN_NAMES[move]} column is full"
        return f"the {ROW_NAMES[2 - move % 3]} slider is fully {'left' if move >= 6 else 'right'} already"

    def travels(self, position: Position, move: int) -> dict[str, str | None]:
        """Where each piece that changes its place goes, by piece id; None for one that leaves the game."""
        play = self.rules.play
        after: Position = play(position, move)
        taken = position.noughts | position.crosses
        found: dict[str, str | None] = {}
        for owner in range(2):
            for place in places_of(position[owner]):
                # The rules move pieces alike, whoever owns them: let this one be the only nought, and X be to move.
                piece = 1 << (WIDTH * place[1] + place[0])
                alone = play(Position(piece, taken & ~piece, position.sliders, 1), move)
                landed = places_of(alone.noughts)
                if landed != [place]:
                    gone = hand_id(owner, DISCS - after[owner].bit_count()) if self.is_pressman else None
                    found[piece_id(place)] = piece_id(landed[0]) if landed else gone
        if move < 3 and self.is_pressman:
            mover = position.turn
            (dropped,) = places_of(after[mover] & ~position[mover])
            found[hand_id(mover, DISCS - position[mover].bit_count())] = piece_id(dropped)
        return found

    def stages(self, position: Position, move: int) -> Sequence[Sequence[Piece]]:
        """A slide: the row has gone, and nothing has fallen yet."""
        if move < 3:
            return []
        row, step = 2 - move % 3, -1 if move >= 6 else 1
        slid = []
        for piece in self.scene(position).pieces:
            column, height = piece.id[-2], piece.id[-1]
            if piece.id.startswith("piece-") and int(height) == row + 1:
                x, y = middle(COLUMNS.index(column) + step, row)
                slid.append(piece._replace(x=x, y=y))
            else:
                slid.append(piece)
        return [slid]

    def board(self, position: Position) -> list[list[str]]:
        """The 3x3 grid as nested lists of 'O', 'X' and '', top row first."""
        signs = [["", "", ""] for _ in range(3)]
        for owner in range(2):
            for column, row in places_of(position[owner]):
                if LEFT <= column < LEFT + 3:
                    signs[2 - row][column - LEFT] = self.symbols[owner]
        return signs

    def write(self, position: Position) -> str:
        """The rows from the top, each as its slider's five holders (three squares in the Pressman edition) with empty
        ones counted; the sliders' stands from the top, R, C or L; the player to move: `5/5/1O3 RRC X`."""
        signs = {**dict.fromkeys(places_of(position.noughts), "O"), **dict.fromkeys(places_of(position.crosses), "X")}
        board = [
            "".join(signs.get((column, row), ".") for column in self.holder_columns(position.sliders, row))
            for row in (2, 1, 0)
        ]
        stands = "".join(STANDS[steps_left(position.sliders, row)] for row in (2, 1, 0))
        return f"{squeeze(board)} {stands} {self.symbols[position.turn]}"

    def holder_columns(self, sliders: int, row: int) -> range:
        """The frame columns where a row can hold pieces.

        >>> ShiftTacToe().holder_columns(0, row=0), ShiftTacToe(edition="pressman").holder_columns(0, row=0)
        (range(2, 7), range(2, 5))
        """
        return range(LEFT, LEFT + 3) if self.is_pressman else slider_columns(sliders, row)

    def read(self, text: str) -> Position:
        """The position, if play can lead to it."""
        from connectoe.reach.shift_tac_toe import can_come_about

        board, stands, mover = split_fields(text, ["rows", "stands of the sliders", "player to move"])
        turn = side_to_move(mover, self.symbols)
        if len(stands) != 3 or any(stand not in STANDS for stand in stands):
            raise BadPosition(f"the sliders stand R, C or L, three letters from the top, not {stands[:20]!r}")
        sliders = sum(STANDS.index(stand) << (2 * row) for row, stand in zip((2, 1, 0), stands, strict=True))
        pieces = [0, 0]
        for row, signs in zip((2, 1, 0), unsqueeze(board, 3 if self.is_pressman else 5, 3, "OX"), strict=True):
            for column, sign in zip(self.holder_columns(sliders, row), signs, strict=True):
                if sign != ".":
                    pieces[self.symbols.index(sign)] |= 1 << (WIDTH * row + column)
        position = Position(pieces[0], pieces[1], sliders, turn)
        self.check(position)
        if not can_come_about(position, self.rules, self.is_pressman):
            raise BadPosition("no order of moves leads to these pieces and sliders")
        return position

    def check(self, position: Position) -> None:
        """Refuses pieces without support and more discs than there are.

        >>> game = ShiftTacToe()
        >>> game.check(game.rules.start._replace(noughts=1 << WIDTH + LEFT))
        Traceback (most recent call last):
        connectoe.errors.BadPosition: the piece on a2 floats: nothing is under it
        """
        taken = position.noughts | position.crosses
        for column, row in places_of(taken):
            if row and not taken >> (WIDTH * (row - 1) + column) & 1:
                raise BadPosition(f"the piece on {COLUMNS[column]}{row + 1} floats: nothing is under it")
        for owner in range(2):
            if self.is_pressman and position[owner].bit_count() > DISCS:
                raise BadPosition(f"{self.symbols[owner]} has five discs, not {position[owner].bit_count()}")

    def scene(self, position: Position, last: LastMove | None = None) -> Scene:
        """Three sliders behind the window of the grid; columns and the ends of rows are targets."""
        scene = Scene(self.symbols)
        self._draw_frame(scene, position)
        for owner in range(2):
            scene.pieces += [
                Piece(piece_id(place), *middle(*place), "disc", owner) for place in places_of(position[owner])
            ]
            if self.is_pressman:
                self._draw_hand(scene, owner, DISCS - position[owner].bit_count())
        if last and last.move < 3:
            mover = last.before.turn
            for place in places_of(position[mover] & ~last.before[mover]):
                _mark(scene, "last", place)
        elif last:
            row = 2 - last.move % 3
            columns = slider_columns(position.sliders, row)
            (left, y), (right, _) = middle(columns[0], row), middle(columns[-1], row)
            scene.highlights.append(Highlight("last", left - 0.5, y - 0.5, right - left + 1, 1))
        outcome = self.rules.outcome(position)
        if outcome == ONGOING:
            self._add_targets(scene, position)
        for owner in range(2):
            for line in self.winning_lines(position, owner):
                ends = [(column + LEFT, row) for column, row in line]
                for place in ends:
                    _mark(scene, "win", place)
                scene.strokes.append(Stroke(*middle(*ends[0]), *middle(*ends[-1]), owner))
        return scene

    def _draw_frame(self, scene: Scene, position: Position) -> None:
        for row in range(3):
            columns = slider_columns(position.sliders, row)
            x, y = middle(columns[0], row)
            width = middle(columns[-1], row)[0] - x + 1
            scene.panels.append(Panel(x - 0.5, y - 0.42, width, 0.84, "slider"))
            for column in range(WIDTH):
                kind = "gap" if column not in columns else "square" if LEFT <= column < LEFT + 3 else "holder"
                scene.cells.append(Cell(*middle(column, row), kind))
            # Where a slider can still go there is room beyond its end.
            if columns[0] > 0:
                scene.labels.append(Label(ENDS[0], y, f"← {9 - row}"))
            if columns[-1] < WIDTH - 1:
                scene.labels.append(Label(ENDS[1], y, f"{6 - row} →"))
        for column in range(3):
            scene.labels.append(Label(column + 0.5, HEAD + 0.37, str(column + 1)))
        scene.highlights.append(Highlight("frame", -0.03, 0, 3.06, 3))

    def _draw_hand(self, scene: Scene, owner: int, discs: int) -> None:
        first = -1.95 + 5.3 * owner
        scene.panels.append(Panel(first - 0.2, 3.45, 2, 0.6, "tray"))
        for number in range(1, discs + 1):
            x = first + 0.4 * (number - 1)
            scene.pieces.append(Piece(hand_id(owner, number), x, 3.75, "disc", owner, size=0.48))

    def _add_targets(self, scene: Scene, position: Position) -> None:
        for move in self.rules.legal_moves(position):
            digit = self.move_text(move)
            if move < 3:
                says = f"drop a piece into the {COLUMN_NAMES[move]} column"
                scene.targets.append(Target(digit, move, HEAD, 1, 3 - HEAD, "drop", says))
            else:
                row, is_left = 2 - move % 3, move >= 6
                says = f"slide the {ROW_NAMES[row]} row {'left' if is_left else 'right'}"
                x = ENDS[0] if is_left else ENDS[1]
                scene.targets.append(Target(digit, x - 0.54, middle(0, row)[1] - 0.5, 1.08, 1, "slide", says))


def slider_columns(sliders: int, row: int) -> range:
    """The frame columns a slider stands in.

    >>> slider_columns(ShiftTacToe().start.play("9").position.sliders, row=0)
    range(1, 6)
    """
    first = LEFT - steps_left(sliders, row)
    return range(first, first + 5)


def middle(column: int, row: int) -> tuple[float, float]:
    """Where a place of the frame has its middle in the picture; a small gap sets the grid apart.

    >>> middle(LEFT, 0), middle(LEFT + 2, 2)
    ((0.5, 2.5), (2.5, 0.5))
    """
    apart = -0.15 if column < LEFT else 0.15 if column >= LEFT + 3 else 0.0
    return column - LEFT + 0.5 + apart, 2.5 - row


def _mark(scene: Scene, kind: str, place: Square) -> None:
    x, y = middle(*place)
    scene.highlights.append(Highlight(kind, x - 0.5, y - 0.5))


def final_grid(moves: str | Sequence[str]) -> list[list[str]]:
    """The 3x3 grid after these digits, as nested lists of 'O', 'X' and ''; what comes after a win is ignored.

    >>> final_grid("123332")
    [['', '', 'O'], ['', 'X', 'X'], ['O', 'X', 'O']]
    >>> final_grid("14")
    Traceback (most recent call last):
    connectoe.errors.IllegalMove: move 2: '4' is not legal: the top slider is fully right already
    """
    state = ShiftTacToe().start
    for number, move in enumerate(moves, 1):
        if state.outcome:
            break
        try:
            state = state.play(move)
        except IllegalMove as problem:
            raise IllegalMove(f"move {number}: {problem}") from None
    grid: list[list[str]] = state.board()
    return grid
