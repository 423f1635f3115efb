"""Connect Tac Toe.

Connect Four and tic-tac-toe on one board of seven columns and six rows. Each turn you drop a disc or place a mark. Four
discs of yours in line win, and so do three marks of yours; discs and marks never count together.

- A disc is dropped from the top. It may pass through marks or come to rest on one, as you wish, but never passes a
  disc. It rests on an empty cell with the floor or any piece right under it, so a column can offer several cells:
  with marks on d2 and d3 alone, a disc may rest on d4 or on d1.
- A mark does not fall. It goes on any empty cell that is not higher than the highest disc on the whole board; while no
  disc is on the board, no mark may be placed.
- After placing a mark, your own next turn must be a disc: you owe it. If you owe a disc and none can be dropped, the
  game is drawn. So it is when the board is full without a line.

Two readings are options. With `drop=any-gap` a disc may also pass discs, and rest on any empty cell with the floor or a
piece right under it. With `stuck=free`, who owes a disc that cannot be dropped may place another mark instead. Boards
may have other sizes, as long as columns times (rows + 1) is at most 62.

A move is the cell where a disc comes to rest, `d3`, or a plus and the cell for a mark, `+d3`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from connectoe.board import (
    PRIME,
    Square,
    bit,
    board_rows,
    by_player,
    by_remainder,
    cells_of,
    check_board_size,
    columns_mirrored,
    full_mask,
    has_line,
    how_many,
    line_text,
    lines_on,
    masks_from,
    open_lines,
    show,
    side_to_move,
    split_fields,
    square_name,
    squeeze,
    unsqueeze,
)
from connectoe.errors import BadPosition
from connectoe.game import DRAWN, ONGOING, Game, LastMove, Planes, Rules, option, rule
from connectoe.reach import bits_of, is_there_a_way
from connectoe.scene import Highlight, Label, Panel, Piece, Scene


class Position(NamedTuple):
    """The discs and marks of the player to move and of the opponent, and whether each owes a disc (1) or not (0).

    Discs and marks have the bit layout of `board.py`. The moves are the cells in the order of their bits, without the
    guard row; on 7 columns of 6 rows, discs are 0..41 and marks 42..83:

          5 11 17 23 29 35 41   row 6
          4 10 16 22 28 34 40
          3  9 15 21 27 33 39
          2  8 14 20 26 32 38
          1  7 13 19 25 31 37
          0  6 12 18 24 30 36   row 1
          a  b  c  d  e  f  g

    >>> position = ConnectTacToe().start.play("b1").play("+a1").position
    >>> position.own_discs == bit(1, 0, rows=6), position.other_marks == bit(0, 0, rows=6), position.other_owes
    (True, True, 1)
    """

    own_discs: int
    other_discs: int
    own_marks: int
    other_marks: int
    own_owes: int
    other_owes: int
    turn: int


@rule
def floor_of(full: int) -> int:
    """The lowest cell of each column: a cell of the board with none right under it.

    >>> cells_of(floor_of(full_mask(3, 6)), 6)
    [(0, 0), (1, 0), (2, 0)]
    """
    return full & ~(full << 1)


@rule
def under_discs(discs: int, full: int, rows: int) -> int:
    """The cells that have a disc somewhere above them in their column.

    >>> cells_of(under_discs(bit(3, 2, rows=6), full_mask(7, 6), 6), 6)
    [(3, 0), (3, 1)]
    """
    under = discs >> 1 & full
    for _ in range(rows - 2):
        under |= under >> 1 & full
    return under


@rule
def up_to_highest(discs: int, full: int, rows: int) -> int:
    """The cells that are not higher than the highest of these discs, in any column.

    >>> cells_of(up_to_highest(bit(0, 1, rows=6), full_mask(2, 6), 6), 6)
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    floor = floor_of(full)
    for row in range(rows - 1, -1, -1):
        if discs & floor << row:
            return floor * ((2 << row) - 1)  # in each column the bits 0 to row
    return 0


def rules(cols: int, rows: int, discs: int, marks: int, drop: str, stuck: str) -> Rules:
    """Connect Tac Toe on cols x rows cells with `discs` discs or `marks` marks in line.

    >>> small = rules(cols=3, rows=3, discs=3, marks=3, drop="through-marks", stuck="draw")
    >>> list(small.legal_moves(small.start))
    [0, 3, 6]
    """
    cells = cols * rows
    full = full_mask(cols, rows)
    floor = floor_of(full)
    cell_by_remainder = by_remainder([bit(*divmod(cell, rows), rows) for cell in range(cells)])
    any_gap = drop == "any-gap"
    stuck_is_free = stuck == "free"

    @rule
    def resting_cells(position: Position) -> int:
        """The cells where a disc that is dropped can come to rest."""
        all_discs = position.own_discs | position.other_discs
        taken = all_discs | position.own_marks | position.other_marks
        resting = (taken << 1 | floor) & full & ~taken
        if any_gap:
            return resting
        return resting & ~under_discs(all_discs, full, rows)

    @rule
    def markable_cells(position: Position, resting: int) -> int:
        """The cells where a mark may be placed; none for who owes a disc that can come to rest somewhere."""
        if position.own_owes and not (stuck_is_free and not resting):
            return 0
        all_discs = position.own_discs | position.other_discs
        taken = all_discs | position.own_marks | position.other_marks
        return up_to_highest(all_discs, full, rows) & ~taken

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        resting = resting_cells(position)
        markable = markable_cells(position, resting)
        while resting:
            lowest = resting & -resting
            resting ^= lowest
            yield cell_by_remainder[lowest % PRIME]
        while markable:
            lowest = markable & -markable
            markable ^= lowest
            yield cells + cell_by_remainder[lowest % PRIME]

    @rule
    def pick(position: Position, random: int) -> int:
        resting = resting_cells(position)
        markable = markable_cells(position, resting)
        discs_to_drop = how_many(resting)
        number = random * (discs_to_drop + how_many(markable)) >> 32
        is_mark = number >= discs_to_drop
        left = markable if is_mark else resting
        for _ in range(number - discs_to_drop if is_mark else number):
            left &= left - 1
        return (cells if is_mark else 0) + cell_by_remainder[(left & -left) % PRIME]

    @rule
    def play(position: Position, move: int) -> Position:
        disc, mark = 0, 0
        if move < cells:
            disc = 1 << (move + move // rows)
        else:
            mark = 1 << (move - cells + (move - cells) // rows)
        return Position(
            position.other_discs,
            position.own_discs | disc,
            position.other_marks,
            position.own_marks | mark,
            position.other_owes,
            1 if mark else 0,
            1 - position.turn,
        )

    @rule
    def outcome(position: Position) -> int:
        if has_line(position.other_discs, rows, discs) or has_line(position.other_marks, rows, marks):
            return 1 - position.turn
        if position.own_discs | position.other_discs | position.own_marks | position.other_marks == full:
            return DRAWN
        # Without that duty there is always a move: where no disc can rest, all empty cells are under discs, so that
        # marks may go there.
        if position.own_owes and not stuck_is_free and not resting_cells(position):
            return DRAWN
        return ONGOING

    @rule
    def ending(position: Position) -> int:
        if has_line(position.other_discs, rows, discs):
            return 0
        if has_line(position.other_marks, rows, marks):
            return 1
        is_full = position.own_discs | position.other_discs | position.own_marks | position.other_marks == full
        return 3 if is_full else 2

    @rule
    def player(position: Position) -> int:
        return position.turn

    fits = 5**cells << 3 <= 1 << 62

    @rule
    def pack(position: Position) -> int:
        # A cell is a digit to base 5: empty, a disc or a mark of the player to move or of the opponent.
        packed = 0
        for cell in range(cells):
            shift = cell + cell // rows
            packed = (
                5 * packed
                + (position.own_discs >> shift & 1)
                + 2 * (position.other_discs >> shift & 1)
                + 3 * (position.own_marks >> shift & 1)
                + 4 * (position.other_marks >> shift & 1)
            )
        return packed << 3 | position.own_owes << 2 | position.other_owes << 1 | position.turn

    @rule
    def unpack(packed: int) -> Position:
        own_discs, other_discs, own_marks, other_marks = 0, 0, 0, 0
        digits = packed >> 3
        for cell in range(cells - 1, -1, -1):
            here = 1 << (cell + cell // rows)
            digit = digits % 5
            digits //= 5
            if digit == 1:
                own_discs |= here
            elif digit == 2:
                other_discs |= here
            elif digit == 3:
                own_marks |= here
            elif digit == 4:
                other_marks |= here
        return Position(own_discs, other_discs, own_marks, other_marks, packed >> 2 & 1, packed >> 1 & 1, packed & 1)

    @rule
    def mirror(position: Position) -> Position:
        return Position(
            columns_mirrored(position.own_discs, cols, rows),
            columns_mirrored(position.other_discs, cols, rows),
            columns_mirrored(position.own_marks, cols, rows),
            columns_mirrored(position.other_marks, cols, rows),
            position.own_owes,
            position.other_owes,
            position.turn,
        )

    @rule
    def worth(own_discs: int, own_marks: int, others: int) -> int:
        """What a player's open lines are worth. Marks count far more: three are enough, and they need not fall."""
        return open_lines(own_discs, own_marks | others, full, rows, discs, 3) + 8 * open_lines(
            own_marks, own_discs | others, full, rows, marks, 4
        )

    @rule
    def evaluate(position: Position) -> int:
        own, other = position.own_discs | position.own_marks, position.other_discs | position.other_marks
        lead = worth(position.own_discs, position.own_marks, other)
        lead -= worth(position.other_discs, position.other_marks, own)
        lead += 20 * (position.other_owes - position.own_owes)  # who owes a disc cannot complete three marks next
        lead = max(-10_000, min(10_000, lead))
        return lead if position.turn == 0 else -lead

    @rule
    def observe(position: Position, viewer: int, planes: Any) -> None:
        first = 0 if viewer == position.turn else 1
        show(position.own_discs, planes, first, cols, rows)
        show(position.other_discs, planes, 1 - first, cols, rows)
        show(position.own_marks, planes, 2 + first, cols, rows)
        show(position.other_marks, planes, 3 - first, cols, rows)
        planes[4 + first] = position.own_owes
        planes[5 - first] = position.other_owes

    return Rules(
        Position(0, 0, 0, 0, 0, 0, 0),
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


class ConnectTacToe(Game):
    """Connect Tac Toe, with the readings its text leaves open as options.

    >>> state = ConnectTacToe().start.play("d1").play("+a1")
    >>> state.play("e1").why_illegal("+b1")
    "'+b1' is not legal: O owes a disc, ..."
    """

    id = "connect-tac-toe"
    name = "Connect Tac Toe"
    summary = "Drop discs or place marks on one board: four discs or three marks in line win."
    move_help = "a cell, like d3 to drop a disc that rests there, or +d3 to place a mark"
    special_moves: ClassVar[Mapping[str, str]] = {"mark": "[+].+"}
    endings = ("a line of discs", "a line of marks", "no disc can be dropped", "board full")
    cols: int = option(7, range(1, 32), "columns of the board")
    rows: int = option(6, range(1, 62), "rows of the board")
    discs: int = option(4, range(3, 7), "discs in line that win")
    marks: int = option(3, range(3, 7), "marks in line that win")
    drop: str = option(
        "through-marks",
        {
            "through-marks": "marks, but never a disc",
            "any-gap": "anything, down to any empty cell with the floor or a piece right under it",
        },
        "what a falling disc may pass",
    )
    stuck: str = option(
        "draw",
        {"draw": "the game is drawn", "free": "the player may place a mark after all"},
        "what happens when a player owes a disc and can drop none",
    )
    tools = ("disc", "mark")
    make_rules = staticmethod(rules)

    def check_options(self) -> None:
        """Refuses boards that do not fit into the 62 bits a position has."""
        check_board_size(self.cols, self.rows)

    def notation(self) -> Sequence[str]:
        """The cells for discs, column by column, then the cells for marks."""
        cells = [square_name(column, row) for column in range(self.cols) for row in range(self.rows)]
        return [*cells, *(f"+{cell}" for cell in cells)]

    def planes(self) -> Planes:
        """The discs and marks of both, and whether each owes a disc."""
        names = ("own discs", "opponent's discs", "own marks", "opponent's marks", "own debt", "opponent's debt")
        return Planes(names, self.rows, self.cols)

    def symmetries(self) -> Mapping[str, Sequence[int]]:
        """Left and right are alike."""
        mirror = [column * self.rows + row for column in range(self.cols - 1, -1, -1) for row in range(self.rows)]
        return {"mirror": [*mirror, *(len(mirror) + cell for cell in mirror)]}

    def square_of(self, move: int) -> Square:
        """The square (column, row) that a move puts its piece on.

        >>> game = ConnectTacToe()
        >>> game.square_of(game.move_from("d3")), game.square_of(game.move_from("+d3"))
        ((3, 2), (3, 2))
        """
        return divmod(move % (self.cols * self.rows), self.rows)

    def is_mark(self, move: int) -> bool:
        """Whether a move places a mark.

        >>> game = ConnectTacToe()
        >>> game.is_mark(game.move_from("d3")), game.is_mark(game.move_from("+d3"))
        (False, True)
        """
        return move >= self.cols * self.rows

    def winning_lines(self, position: Position) -> list[tuple[tuple[Square, ...], str]]:
        """The lines of the player who has just moved, each with what it is made of.

        >>> state = ConnectTacToe().start
        >>> for move in "a1 b1 a2 b2 a3 b3 a4".split():
        ...     state = state.play(move)
        >>> state.game.winning_lines(state.position)
        [(((0, 0), (0, 1), (0, 2), (0, 3)), 'discs')]
        """
        return [
            (line, what)
            for pieces, length, what in (
                (position.other_discs, self.discs, "discs"),
                (position.other_marks, self.marks, "marks"),
            )
            for line in lines_on(set(cells_of(pieces, self.rows)), length)
        ]

    def reason(self, position: Position) -> str:
        """The winning line, that the board is full, or that an owed disc cannot be dropped."""
        if self.rules.outcome(position) == DRAWN:
            is_full = all_pieces(position) == full_mask(self.cols, self.rows)
            return "board full" if is_full else "no disc can be dropped"
        return line_text(*self.winning_lines(position)[0])

    def why_illegal(self, position: Position, move: int) -> str:
        """What a disc or a mark must heed there."""
        column, row = self.square_of(move)
        name = square_name(column, row)
        discs = position.own_discs | position.other_discs
        a_disc_can_be_dropped = not all(map(self.is_mark, self.rules.legal_moves(position)))
        if self.is_mark(move) and position.own_owes and a_disc_can_be_dropped:
            return f"{self.symbols[position.turn]} owes a disc, having placed a mark the turn before"
        if all_pieces(position) & bit(column, row, self.rows):
            return f"there is a piece on {name} already"
        if self.is_mark(move):
            if not discs:
                return "no mark may be placed while no disc is on the board"
            highest = max(row for _, row in cells_of(discs, self.rows))
            return f"{name} is higher than the highest disc, which is in row {highest + 1}"
        if row and not all_pieces(position) & bit(column, row - 1, self.rows):
            return f"a disc cannot rest on {name}: nothing is under it"
        above = min(r for c, r in cells_of(discs, self.rows) if c == column and r > row)
        return f"a disc cannot pass the disc on {square_name(column, above)}"

    def board(self, position: Position) -> list[str]:
        """Rows of X and O for discs, x and o for marks, and dots; top first."""
        discs, marks = discs_by_player(position), marks_by_player(position)
        return list(board_rows(self.cols, self.rows, "XOxo", *discs, *marks))

    def write(self, position: Position) -> str:
        """The rows from the top, the player to move, and who owes a disc: `7/7/7/7/7/2xXO2 O X`."""
        owing = "".join(symbol for symbol, owes in zip(self.symbols, owes_by_player(position), strict=True) if owes)
        return f"{squeeze(self.board(position))} {self.symbols[position.turn]} {owing or '-'}"

    def read(self, text: str) -> Position:
        """The position, if play from an empty board can lead to it."""
        board, mover, owing = split_fields(text, ["board", "player to move", "who owes a disc"])
        turn = side_to_move(mover, self.symbols)
        if owing not in ("-", "X", "O", "XO"):
            raise BadPosition(f"who owes a disc is X, O, XO or -, not {owing[:20]!r}")
        owes = int("X" in owing), int("O" in owing)
        first, second, first_marks, second_marks = masks_from(unsqueeze(board, self.cols, self.rows, "XOxo"), "XOxo")
        position = Position(
            *by_player(first, second, turn),
            *by_player(first_marks, second_marks, turn),
            *by_player(*owes, turn),
            turn,
        )
        self.check_pieces(position)
        winner = self.symbols[1 - turn]
        if self.rules.outcome(position) == 1 - turn and not self._last_pieces(position):
            raise BadPosition(f"no one piece, placed last, can have made all lines of {winner}")
        if not self._can_be_played(position):
            raise BadPosition("no order of moves leads to these pieces")
        return position

    def check_pieces(self, position: Position) -> None:
        """Refuses a position that a look at its pieces shows to be impossible.

        >>> game = ConnectTacToe()
        >>> game.check_pieces(game.rules.start._replace(other_discs=bit(3, 1, rows=6), turn=1))
        Traceback (most recent call last):
        connectoe.errors.BadPosition: the disc on d2 floats: nothing is under it
        """
        discs, marks, owes = discs_by_player(position), marks_by_player(position), owes_by_player(position)
        taken = all_pieces(position)
        for column, row in cells_of(discs[0] | discs[1], self.rows):
            if row and not taken & bit(column, row - 1, self.rows):
                raise BadPosition(f"the disc on {square_name(column, row)} floats: nothing is under it")
        full = full_mask(self.cols, self.rows)
        too_high = (marks[0] | marks[1]) & ~up_to_highest(discs[0] | discs[1], full, self.rows)
        for square in cells_of(too_high, self.rows):
            raise BadPosition(f"the mark on {square_name(*square)} is higher than any disc")
        counts = [(discs[player] | marks[player]).bit_count() for player in (0, 1)]
        if counts[0] - counts[1] != position.turn:
            more = "one piece more than" if position.turn else "as many pieces as"
            raise BadPosition(
                f"with {self.symbols[position.turn]} to move, X must have {more} O; "
                f"X has {counts[0]} and O has {counts[1]}"
            )
        for player, symbol in enumerate(self.symbols):
            made = marks[player].bit_count()
            if owes[player] and not made:
                raise BadPosition(f"{symbol} owes a disc without having placed a mark")
            if self.stuck == "draw" and not takes_turns(
                discs[player].bit_count(), made, starts_with_disc=player == 0, ends_with_mark=bool(owes[player])
            ):
                raise BadPosition(f"{symbol} has too many marks: a mark must be followed by a disc")
        if has_line(position.own_discs, self.rows, self.discs) or has_line(position.own_marks, self.rows, self.marks):
            raise BadPosition(f"{self.symbols[position.turn]} has a line already, and the game ended there")

    def _last_pieces(self, position: Position) -> int:
        """Which pieces of the player who has just moved can have been placed last: there was no line without it."""
        discs, marks = position.other_discs, position.other_marks
        return sum(
            piece
            for piece in bits_of(marks if position.other_owes else discs)
            if not has_line(discs & ~piece, self.rows, self.discs)
            and not has_line(marks & ~piece, self.rows, self.marks)
        )

    def _can_be_played(self, position: Position) -> bool:
        """Whether the players can have placed these pieces turn by turn, making no line before the last of them."""
        discs_of, marks_of = discs_by_player(position), marks_by_player(position)
        all_discs, whole = discs_of[0] | discs_of[1], all_pieces(position)
        full = full_mask(self.cols, self.rows)
        last = self._last_pieces(position)

        # Backwards: the pieces on the board, and whether X and O owe a disc.
        def earlier(node: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
            pieces, *owes = node
            player = 1 - pieces.bit_count() % 2
            discs = pieces & all_discs
            free = pieces & ~(discs >> 1)  # what a disc rests on was there before it
            if pieces == whole:
                free &= last
            if owes[player]:
                free &= marks_of[player]
            else:
                free &= discs_of[player]
                if self.drop == "through-marks":
                    free &= ~under_discs(discs, full, self.rows)
            for piece in bits_of(free):
                left = pieces ^ piece
                if left & ~all_discs & ~up_to_highest(left & all_discs, full, self.rows):
                    continue  # a mark would be higher than any disc
                drops, marks = (left & discs_of[player]).bit_count(), (left & marks_of[player]).bit_count()
                for owed in (1, 0) if marks else (0,):
                    if self.stuck == "draw":
                        if (owed and owes[player]) or not takes_turns(drops, marks, player == 0, bool(owed)):
                            continue
                    elif owed and owes[player] and self._can_drop(left & all_discs, left):
                        continue
                    yield (left, owed, owes[1]) if player == 0 else (left, owes[0], owed)

        return is_there_a_way((whole, *owes_by_player(position)), (0, 0, 0), earlier, patience=6000) is not False

    def _can_drop(self, discs: int, taken: int) -> bool:
        """Whether a disc can come to rest anywhere."""
        full = full_mask(self.cols, self.rows)
        resting = (taken << 1 | floor_of(full)) & full & ~taken
        if self.drop == "through-marks":
            resting &= ~under_discs(discs, full, self.rows)
        return resting != 0

    def scene(self, position: Position, last: LastMove | None = None) -> Scene:
        """Discs and marks on a board of holes, and under it the discs that are owed."""
        scene = Scene(self.symbols)
        scene.add_grid(self.cols, self.rows, "hole")
        for owner, discs in enumerate(discs_by_player(position)):
            for square in cells_of(discs, self.rows):
                scene.pieces.append(Piece(f"disc-{square_name(*square)}", *scene.middle(*square), "disc", owner))
        for owner, marks in enumerate(marks_by_player(position)):
            for square in cells_of(marks, self.rows):
                name, letter = f"mark-{square_name(*square)}", self.symbols[owner].lower()
                scene.pieces.append(Piece(name, *scene.middle(*square), "mark", owner, letter, size=0.85))
        if last:
            scene.highlight("last", [self.square_of(last.move)])
        outcome = self.rules.outcome(position)
        if outcome in (0, 1):
            for line, _ in self.winning_lines(position):
                scene.win(line, outcome)
        self.show_owed_discs(scene, position)
        if outcome == ONGOING:
            for move in self.rules.legal_moves(position):
                name = square_name(*self.square_of(move))
                if self.is_mark(move):
                    scene.target(self.move_text(move), self.square_of(move), "mark", f"place a mark on {name}")
                else:
                    scene.target(name, self.square_of(move), "disc", f"drop a disc that rests on {name}")
        return scene

    def show_owed_discs(self, scene: Scene, position: Position) -> None:
        """Puts the discs that are owed into a tray under the board: X's on the left, O's on the right.

        >>> game, scene = ConnectTacToe(), Scene()
        >>> game.show_owed_discs(scene, game.start.play("d1").play("+a1").position)
        >>> scene.notes
        ['O owes a disc']
        """
        middle, y = self.cols / 2, self.rows + 1.3
        scene.panels.append(Panel(middle - 2.5, y - 0.5, 5, 1, "tray"))  # always, so that the picture keeps its size
        owes = owes_by_player(position) if self.rules.outcome(position) not in (0, 1) else (0, 0)
        if any(owes):
            scene.labels.append(Label(middle, y, "owed", "note"))
        for owner, x in enumerate((middle - 2, middle + 2)):
            if owes[owner]:
                scene.highlights.append(Highlight("owed", x - 0.5, y - 0.5))
                scene.pieces.append(Piece(f"owed-{self.symbols[owner]}", x, y, "disc", owner))
                scene.notes.append(f"{self.symbols[owner]} owes a disc")


def takes_turns(discs: int, marks: int, starts_with_disc: bool, ends_with_mark: bool) -> bool:
    """Whether one player's next turns can be so many discs and marks, with a disc between any two marks.

    >>> takes_turns(discs=1, marks=2, starts_with_disc=False, ends_with_mark=True)
    True
    >>> takes_turns(discs=1, marks=2, starts_with_disc=True, ends_with_mark=True)
    False
    """
    if marks == 0:
        return not (discs and ends_with_mark)
    return marks <= discs + 1 - starts_with_disc - (not ends_with_mark)


def discs_by_player(position: Position) -> tuple[int, int]:
    """The discs of X and of O.

    >>> discs_by_player(ConnectTacToe().start.play("a1").position)
    (1, 0)
    """
    return by_player(position.own_discs, position.other_discs, position.turn)


def marks_by_player(position: Position) -> tuple[int, int]:
    """The marks of X and of O.

    >>> marks_by_player(ConnectTacToe().start.play("b1").play("+a1").position)
    (0, 1)
    """
    return by_player(position.own_marks, position.other_marks, position.turn)


def owes_by_player(position: Position) -> tuple[int, int]:
    """Whether X and O owe a disc.

    >>> owes_by_player(ConnectTacToe().start.play("b1").play("+a1").position)
    (0, 1)
    """
    return by_player(position.own_owes, position.other_owes, position.turn)


def all_pieces(position: Position) -> int:
    """All cells that are taken.

    >>> cells_of(all_pieces(ConnectTacToe().start.play("b1").play("+a1").position), 6)
    [(0, 0), (1, 0)]
    """
    return position.own_discs | position.other_discs | position.own_marks | position.other_marks
