"""Moves of a recipe that put pieces on the board or take them off: drop, place, pop and bomb."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from connectoe.board import column_name, square_name
from connectoe.core.errors import BadGame
from connectoe.core.rules import rule
from connectoe.kit.blocks import ALL_SYMMETRIES, MIRROR, Context, Move, MovePlace, Travels, limited_by
from connectoe.kit.declared import filled
from connectoe.kit.pieces import Kind
from connectoe.kit.rules_by_hand import followed_by
from connectoe.kit.tuples import Rule, mapped, replaced, union

OWN, ANY = "own", "any"
DRAW, FREE = "draw", "free"


def column_places(context: Context, text: str, says: str, at_top: bool = True) -> list[MovePlace]:
    """Return a place for each column, pressed anywhere in it or, if not `at_top`, at its lowest cell."""
    board = context.board
    found = []
    for column in range(board.cols):
        letter = column_name(column)
        box = (column, 0, 1, board.rows) if at_top else (column, board.rows - 1, 1, 1)
        words = filled(text, column=letter), says.format(column=letter)
        found.append(MovePlace(0, column * board.height, *words, box, says_anywhere=says))
    return found


def square_places(context: Context, text: str, says: str) -> list[MovePlace]:
    """Return a place for each square."""
    board = context.board
    found = []
    for column, row in board.squares:
        name = square_name(column, row)
        box = (column, board.rows - 1 - row, 1, 1)
        words = filled(text, square=name), says.format(square=name)
        found.append(MovePlace(0, board.cell_at((column, row)), *words, box, says_anywhere=says))
    return found


@dataclass
class drop:  # noqa: N801 (recipes read like sentences)
    """A piece is dropped into a column and falls to its lowest empty cell.

    >>> drop("{column}").text
    '{column}'
    """

    text: str = "{column}"
    piece: str | None = None
    then: Any = ()

    def bind(self, context: Context) -> Move:
        """Return the move on the recipe's board."""
        board, taken = context.board, context.taken
        kind = context.kind(self.piece)
        place = context.layer(kind).place
        put, one, floor, to_floor = replaced(place), board.one, board.floor, board.rows - 1

        @rule
        def open_columns(position: Any, group: int) -> int:
            return floor & ~(taken(position) >> to_floor)

        @rule
        def dropped(position: Any, group: int, cell: int) -> Any:
            pieces = taken(position)
            # Adding the column's lowest bit carries up to its first empty cell.
            return put(position, position[place] | (pieces + (one << cell)) & ~pieces)

        def landing(position: Any, where: MovePlace) -> Any:
            pieces = context.taken_by(position)
            return context.squares_of(pieces + (1 << where.cell) & ~pieces)

        move = Move(
            tool=kind.name,
            cells=open_columns,
            change=dropped,
            places=column_places(context, self.text, f"drop a {kind.name} in column {{column}}"),
            may_do=f"drop a {kind.name} into a column that is not full",
            why_illegal=lambda _, where: f"column {column_name(where.cell // board.height)} is full",
            last=landing,
            symmetries=frozenset({MIRROR}),
            needs_empty_cell=True,
            only_adds=True,
            has_new_piece=True,
            falls=True,
        )
        move = followed_by(self.then, context, move)
        return limited_by(move, context.counter(kind.plural), context, kind.name)


@dataclass
class place:  # noqa: N801
    """A piece is put on an empty square.

    `up_to` names a kind of piece: the square must not be higher than the highest of these on the board. `owes` names
    the piece that the player must play in the next turn; if that cannot be done, the game is a "draw", or with
    `when_stuck="free"` the player may play this again. `then` is an effect, as `flip()` or `rotate()`, or several.

    >>> place("+{square}").text
    '+{square}'
    """

    text: str = "{square}"
    piece: str | None = None
    up_to: str = ""
    owes: Any = ""
    when_stuck: Any = DRAW
    then: Any = ()

    def bind(self, context: Context) -> Move:
        """Return the move on the recipe's board."""
        board, taken = context.board, context.taken
        kind = context.kind(self.piece)
        layer = context.layer(kind).place
        put, one, full = replaced(layer), board.one, board.full

        @rule
        def empty(position: Any, group: int) -> int:
            return full & ~taken(position)

        @rule
        def placed(position: Any, group: int, cell: int) -> Any:
            return put(position, position[layer] | one << cell)

        when_stuck = context.value(self.when_stuck)
        if when_stuck not in (DRAW, FREE):
            raise BadGame(f'place takes when_stuck="draw" or when_stuck="free", not {when_stuck!r:.40}')
        cells, why = empty, f"there is no empty square for a {kind.name}"
        if self.up_to:
            highest = context.kind(self.up_to)
            cells = up_to_highest(context, highest)
            why = f"a {kind.name} is not put higher than the highest {highest.name}"

        whose = f"a {kind.name}" if kind.is_shared else f"your {kind.name}"
        move = Move(
            tool=kind.name,
            cells=cells,
            change=placed,
            places=square_places(context, self.text, f"put {whose} on {{square}}"),
            may_do=f"put {whose} on an empty square",
            why_illegal=lambda position, where: already_taken(context, position, where.cell) or why,
            last=lambda _, where: [board.square_at(where.cell)],
            symmetries=frozenset({MIRROR}) if self.up_to else ALL_SYMMETRIES,
            needs_empty_cell=not self.up_to,
            fills_gaps_with=context.kind(self.up_to).name if self.up_to else "",
            only_adds=True,
            has_new_piece=True,
            owes=context.value(self.owes),
            frees_when_stuck=when_stuck == FREE,
        )
        move = followed_by(self.then, context, move)
        return limited_by(move, context.counter(kind.plural), context, kind.name)


def already_taken(context: Context, position: Any, cell: int) -> str:
    """Explain that a square is taken, and by what; return an empty text if it is empty."""
    for layer in context.layers:
        if position[layer.place] >> cell & 1:
            return f"there is a {layer.kind.name} on {square_name(*context.board.square_at(cell))} already"
    return ""


def up_to_highest(context: Context, kind: Kind) -> Rule:
    """Return the rule for empty cells that are not higher than the highest piece of a kind, in any column."""
    taken, floor, rows = context.taken, context.board.floor, context.board.rows
    pieces = union([layer.place for layer in context.layers if layer.kind == kind])

    @rule
    def low_cells(position: Any, group: int) -> int:
        highest = pieces(position)
        for row in range(rows - 1, -1, -1):
            if highest & floor << row:
                return floor * ((2 << row) - 1) & ~taken(position)  # in each column the bits 0 to row
        return 0

    return low_cells


def column_changed(context: Context, change: Rule) -> Rule:
    """Return the change that a rule of a mask and a column makes to the pieces of all layers."""
    each = mapped(change, [layer.place for layer in context.layers])

    @rule
    def changed(position: Any, group: int, cell: int) -> Any:
        return each(position, cell)

    return changed


@dataclass
class pop:  # noqa: N801
    """The lowest piece of a column is taken out, and those above it fall by one.

    `whose` says which pieces a player may pop: "own" or "any".

    >>> pop("-{column}").whose
    'own'
    """

    text: str = "-{column}"
    whose: Any = OWN
    then: Any = ()

    def bind(self, context: Context) -> Move:
        """Return the move on the recipe's board."""
        board = context.board
        kind = context.kind(None)
        whose = context.value(self.whose)
        if whose not in (OWN, ANY):
            raise BadGame(f'pop takes whose="own" or whose="any", not {whose!r}')
        is_any = whose == ANY or kind.is_shared
        own = union(context.places(0))
        floor, one_column, taken = board.floor, board.first_column, context.taken

        @rule
        def own_pieces(position: Any, group: int) -> int:
            return own(position) & floor

        @rule
        def any_pieces(position: Any, group: int) -> int:
            return taken(position) & floor

        @rule
        def sunk(cells: int, cell: int) -> int:
            column = one_column << cell
            return cells & ~column | (cells & column) >> 1 & column

        def why(position: Any, where: MovePlace) -> str:
            name = square_name(*board.square_at(where.cell))
            if not context.taken_by(position) >> where.cell & 1:
                return f"there is no {kind.name} on {name} to pop"
            return f"the {kind.name} on {name} is not yours"

        def falls(position: Any, where: MovePlace) -> Travels:
            column = where.cell // board.height
            taken = [square for square in context.squares_of(context.taken_by(position)) if square[0] == column]
            return {(column, row): (column, row - 1) if row else None for _, row in taken}

        move = Move(
            tool="pop",
            picture="sign ↓",
            cells=any_pieces if is_any else own_pieces,
            change=column_changed(context, sunk),
            places=column_places(context, self.text, f"pop the lowest {kind.name} out of column {{column}}", False),
            may_do=f"pop {'the' if is_any else 'one of your'} {kind.plural} out of the bottom of a column",
            why_illegal=why,
            last=lambda _, where: [board.square_at(where.cell)],
            travels=falls,
            moves_pieces=True,
            symmetries=frozenset({MIRROR}),
            may_help_opponent=True,
            falls=True,
            can_repeat=True,
        )
        return followed_by(self.then, context, move)


@dataclass
class bomb:  # noqa: N801
    """All pieces of a column that is not full are taken off the board, at the cost of a bomb.

    >>> bomb().text
    '*{column}'
    """

    text: str = "*{column}"
    then: Any = ()

    def bind(self, context: Context) -> Move:
        """Return the move on the recipe's board."""
        board, taken = context.board, context.taken
        floor, to_floor, one_column = board.floor, board.rows - 1, board.first_column

        @rule
        def open_columns(position: Any, group: int) -> int:
            return floor & ~(taken(position) >> to_floor)

        @rule
        def cleared(cells: int, cell: int) -> int:
            return cells & ~(one_column << cell)

        def gone(position: Any, where: MovePlace) -> Travels:
            pieces = context.squares_of(context.taken_by(position) & one_column << where.cell)
            return dict.fromkeys(pieces)

        def why(position: Any, where: MovePlace) -> str:
            return f"column {column_name(where.cell // board.height)} is full, and a full column cannot be bombed"

        move = Move(
            tool="bomb",
            cells=open_columns,
            change=column_changed(context, cleared),
            places=column_places(context, self.text, "bomb column {column}"),
            may_do="bomb a column to empty it",
            why_illegal=why,
            last=lambda _, where: [(where.cell // board.height, row) for row in range(board.rows)],
            travels=gone,
            is_thrown=True,
            symmetries=frozenset({MIRROR}),
            falls=True,
        )
        counter = context.counter("bombs")
        if counter is None:
            raise BadGame("a recipe with bomb() needs bombs among its pieces: pieces = discs(), bombs(1)")
        return limited_by(followed_by(self.then, context, move), counter, context, "bomb")
