"""Boards in boards: each square of a large board is a small board, and the winner of the small one has the square.

A position keeps as many small boards in a word as fit into 62 bits. It has some words for the pieces of each player,
then the small boards that each has won and those that are finished, as cells of the large board, then the number of
the board to play on, or ANY.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from connectoe.core.errors import BadGame, BadOption
from connectoe.core.rules import Planes, Rules, rule
from connectoe.kit.blocks import Context, Layer, Move
from connectoe.kit.boards import Board, BoardSpec
from connectoe.kit.compose import looked_up, lowest_number, numbers_on
from connectoe.kit.pieces import Kind
from connectoe.kit.positions import position_type
from connectoe.kit.tuples import Rule, replaced

ANY = 255
"""In the field `board`: the player may choose the board."""
BITS = 62
CLOSED, OPEN = "closed", "open"
WON = Kind("board", "boards", "claim", "XO")


class NestedSpec(NamedTuple):
    """A board of boards as a recipe declares it."""

    outer: BoardSpec
    inner: BoardSpec
    length: Any
    sends: Any
    when_won: Any


def nested(outer: BoardSpec, inner: BoardSpec, line: Any = 3, sends: Any = False, when_won: Any = CLOSED) -> NestedSpec:
    """Return a board whose squares are boards; `line` pieces in line win a small one.

    With `sends`, the square of a move inside its small board is the board on which the opponent must play. A won board
    is "closed", or stays "open" until it is full.

    >>> from connectoe.kit import grid
    >>> nested(grid(3, 3), grid(3, 3), sends=True).when_won
    'closed'
    """
    return NestedSpec(outer, inner, line, sends, when_won)


@dataclass(frozen=True)
class OuterContext(Context):
    """The large board, on which a finished small board is a square that is taken."""

    finished: int = 0

    @property
    def taken(self) -> Rule:
        """The rule for the finished boards."""
        place = self.finished

        @rule
        def finished_boards(position: Any) -> int:
            return position[place]

        return finished_boards


@dataclass(frozen=True)
class Nest:
    """A board of boards of certain sizes, and where a position keeps what."""

    inner: Board
    outer: Board
    words: int
    per_word: int
    width: int
    sends: bool
    closes: bool
    length: int

    @property
    def boards(self) -> int:
        """The number of small boards."""
        return self.outer.cols * self.outer.rows

    @property
    def won(self) -> int:
        """The place of the boards that the player to move has won, after which the other fields follow."""
        return 2 * self.words

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of a position's fields."""
        words = [f"{whose}_{number}" for whose in ("own", "other") for number in range(self.words)]
        return (*words, "own_won", "other_won", "finished", "board", "turn")

    def pieces_on(self, position: Any, owner: int, board: int) -> int:
        """Return the pieces of the player to move (0) or the opponent (1) on a small board."""
        word = position[owner * self.words + board // self.per_word]
        return int(word >> self.width * (board % self.per_word) & (1 << self.width) - 1)


def nest_from(spec: NestedSpec, value: Any) -> Nest:
    """Return the boards of a recipe, given how to find the values of its options."""
    inner, outer = (Board(value(board.cols), value(board.rows), board.cell) for board in (spec.inner, spec.outer))
    try:
        inner.check(wide=False)
        outer.check(wide=False)
    except BadOption as error:
        raise BadGame(f"{error}, as one of the boards in nested(…)") from None
    if value(spec.when_won) not in (CLOSED, OPEN):
        raise BadGame(f'nested takes when_won="closed" or when_won="open", not {value(spec.when_won)!r:.40}')
    sends = value(spec.sends)
    if type(sends) is not bool:
        raise BadGame(f"nested takes sends=True or sends=False, or chosen(option, {{…}}) of the two, not {sends!r:.40}")
    if sends and (inner.cols, inner.rows) != (outer.cols, outer.rows):
        raise BadGame("only small boards of the size of the large one send the opponent to a board")
    width = inner.cols * inner.height
    per_word = BITS // width
    words = -(-outer.cols * outer.rows // per_word)
    closes = value(spec.when_won) == CLOSED
    return Nest(inner, outer, words, per_word, width, sends, closes, value(spec.length))


def outer_context(nest: Nest, values: Mapping[int, Any], symbols: tuple[str, str]) -> OuterContext:
    """Return what the ends of a recipe of boards in boards are bound to."""
    layers = (Layer(nest.won, WON, 0), Layer(nest.won + 1, WON, 1))
    return OuterContext(nest.outer, nest.fields, layers, (), values, symbols, finished=nest.won + 2)


def unfinished(context: OuterContext) -> Rule:
    """Return the rule whether a small board can still be played on."""
    finished, every_board = context.taken, context.board.full

    @rule
    def can_move(position: Any) -> bool:
        return bool(finished(position) != every_board)

    return can_move


def word_at(first: int, count: int) -> Rule:
    """Return the rule for one of several neighbouring fields, by its number."""

    @rule
    def only(position: Any, number: int) -> int:
        return position[first]

    if count == 1:
        return only
    rest = word_at(first + 1, count - 1)

    @rule
    def one_of(position: Any, number: int) -> int:
        return position[first] if number == 0 else rest(position, number - 1)

    return one_of


def with_bits_in(count: int) -> Rule:
    """Return the rule that adds bits to one of the first fields, by its number."""
    put, place = replaced(count - 1), count - 1

    @rule
    def added(fields: Any, number: int, bits: int) -> Any:
        return put(fields, fields[place] | (bits if number == place else 0))

    if count == 1:
        return added
    rest = with_bits_in(count - 1)

    @rule
    def all_added(fields: Any, number: int, bits: int) -> Any:
        return rest(added(fields, number, bits), number, bits)

    return all_added


def nested_rules(nest: Nest, move: Move, found: Rule) -> Rules:
    """Return the rules of a move on small boards, given that it only puts pieces there, and the end of the game."""
    words, boards, per_board = nest.words, nest.boards, len(move.places)
    won, position_class, one = nest.won, position_type(nest.fields), (1 << nest.width) - 1
    other_won, finished, where, turn = won + 1, won + 2, won + 3, won + 4
    own_word, other_word, add = word_at(0, words), word_at(words, words), with_bits_in(words)
    word_of = looked_up([board // nest.per_word for board in range(boards)])
    shift_of = looked_up([nest.width * (board % nest.per_word) for board in range(boards)])
    outer_cell = looked_up([nest.outer.cell_at(square) for square in nest.outer.squares])
    inner_cells, inner_change, in_line = move.cells, move.change, nest.inner.has_line(nest.length)
    all_boards = nest.outer.full
    lowest_board = lowest_number([nest.outer.cell_at(square) for square in nest.outer.squares], nest.outer)
    cells_in_order = [place.cell for place in move.places]
    cell_of = looked_up(cells_in_order)
    count_of, nth_of, lowest_of = numbers_on(cells_in_order, nest.inner)
    inner_full, sends, closes = nest.inner.full, nest.sends, nest.closes
    squares = [nest.inner.square_at(cell) for cell in cells_in_order]
    sent_to = looked_up([nest.outer.squares.index(square) for square in squares] if sends else [0])

    @rule
    def small_board(position: Any, board: int) -> Any:
        word, shift = word_of(board), shift_of(board)
        return own_word(position, word) >> shift & one, other_word(position, word) >> shift & one, position[turn]

    @rule
    def cells(position: Any, board: int) -> int:
        return inner_cells(small_board(position, board), 0)

    @rule
    def open_boards(position: Any) -> int:
        return all_boards & ~position[finished] if position[where] == ANY else 1 << outer_cell(position[where])

    @rule
    def legal_moves(position: Any) -> Iterator[int]:
        left_boards = open_boards(position)
        while left_boards != 0:
            board = lowest_board(left_boards)
            left_boards &= left_boards - 1
            left = cells(position, board)
            while left != 0:
                yield board * per_board + lowest_of(left)
                left &= left - 1

    @rule
    def pick(position: Any, random: int) -> int:
        board = position[where]
        if board != ANY:
            left = cells(position, board)
            return board * per_board + nth_of(left, random * count_of(left) >> 32)
        count, left_boards = 0, open_boards(position)
        while left_boards != 0:
            count += count_of(cells(position, lowest_board(left_boards)))
            left_boards &= left_boards - 1
        number, left_boards = random * count >> 32, open_boards(position)
        board = lowest_board(left_boards)
        left = cells(position, board)
        while number >= count_of(left):
            number -= count_of(left)
            left_boards &= left_boards - 1
            board = lowest_board(left_boards)
            left = cells(position, board)
        return board * per_board + nth_of(left, number)

    @rule
    def play(position: Any, move: int) -> Any:
        board = move // per_board
        number = move - board * per_board
        before = small_board(position, board)
        after = inner_change(before, 0, cell_of(number))
        own, cell = after[0], outer_cell(board)
        decided = (position[won] | position[other_won]) >> cell & 1
        is_won = (1 if in_line(own) else 0) & ~decided
        is_full = 1 if own | after[1] == inner_full else 0
        own_won = position[won] | is_won << cell
        done = position[finished] | (is_full | is_won if closes else is_full) << cell
        following = ANY
        if sends:
            sent = sent_to(number)
            following = ANY if done >> outer_cell(sent) & 1 else sent
        own_words = add(position[:words], word_of(board), (own ^ before[0]) << shift_of(board))
        rest = (position[other_won], own_won, done, following, 1 - position[turn])
        return position_class(*(position[words:won] + own_words + rest))

    @rule
    def outcome(position: Any) -> int:
        how = found(position)
        return how & 3 if how >= 0 else -1

    @rule
    def player(position: Any) -> int:
        return position[turn]

    @rule
    def ending(position: Any) -> int:
        return found(position) >> 2

    start = position_class(*([0] * (2 * words + 3)), ANY, 0)
    return Rules(start, legal_moves, play, outcome, player, ending=ending, pick=pick)


def nested_planes(nest: Nest, kind: Kind) -> Planes:
    """Return the names of the planes of boards in boards."""
    names = (f"own {kind.plural}", f"opponent's {kind.plural}", "own boards", "opponent's boards", "boards to play on")
    return Planes(names, nest.outer.rows * nest.inner.rows, nest.outer.cols * nest.inner.cols)


def observing_nested(nest: Nest) -> Rule:
    """Return the rule `observe` of boards in boards."""
    words, won, boards, one = nest.words, nest.won, nest.boards, (1 << nest.width) - 1
    own_word, other_word = word_at(0, words), word_at(words, words)
    per_word, width, cols, rows, height = nest.per_word, nest.width, nest.inner.cols, nest.inner.rows, nest.inner.height
    outer_rows, outer_height = nest.outer.rows, nest.outer.height
    other_won, finished, where, turn = won + 1, won + 2, won + 3, won + 4

    @rule
    def observe(position: Any, viewer: int, planes: Any) -> None:
        first = 0 if viewer == position[turn] else 1
        for board in range(boards):
            word, shift = board // per_word, width * (board % per_word)
            own, other = own_word(position, word) >> shift & one, other_word(position, word) >> shift & one
            column, row = board // outer_rows, board % outer_rows
            cell = column * outer_height + row
            top, left = (outer_rows - 1 - row) * rows, column * cols
            is_open = position[finished] >> cell & 1 == 0 and (position[where] == ANY or position[where] == board)
            for x in range(cols):
                for y in range(rows):
                    down, right, square = top + rows - 1 - y, left + x, x * height + y
                    planes[first, down, right] = own >> square & 1
                    planes[1 - first, down, right] = other >> square & 1
                    planes[2 + first, down, right] = position[won] >> cell & 1
                    planes[3 - first, down, right] = position[other_won] >> cell & 1
                    planes[4, down, right] = 1 if is_open else 0

    return observe


def check_pieces(kinds: Sequence[Kind]) -> None:
    """Raise BadGame if a recipe of boards in boards has other pieces than one kind of each player."""
    if len(kinds) != 1 or kinds[0].is_shared or kinds[0].number or kinds[0].in_hand is not None:
        raise BadGame("boards in boards are played with one kind of piece, as marks() or discs(), without in_hand")


def check_moves(moves: Sequence[Move]) -> Move:
    """Return the one move of a recipe of boards in boards, or raise BadGame."""
    if len(moves) != 1 or not moves[0].only_adds or moves[0].groups != 1 or moves[0].owes:
        raise BadGame(
            "on boards in boards a recipe has one move, which puts a piece on a small board and has no effects, "
            "as place() or drop()"
        )
    return moves[0]
