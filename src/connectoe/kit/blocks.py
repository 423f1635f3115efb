"""What blocks are: declared in a recipe, bound to its board and pieces, and put together two by two.

A move block is a pair of rules. `cells(position, group)` gives the places it can be played on now, as a mask;
`change(position, group, cell)` gives the fields of the position after it, before the turn passes to the opponent. Most
blocks have one group; one that can be played on a cell in several ways has a group for each way.

An end block is one rule, `found(position)`: ONGOING, or four times the number of the ending plus the outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from connectoe.board import Square, cells_of
from connectoe.core.errors import BadGame
from connectoe.core.options import Option
from connectoe.core.rules import ONGOING, rule
from connectoe.kit.boards import Board
from connectoe.kit.pieces import Kind
from connectoe.kit.positions import position_type
from connectoe.kit.tuples import Fields, Rule, replaced, union

MIRROR, FLIP, DIAGONAL = "left and right", "top and bottom", "rows and columns"
"""What a symmetry of the board swaps."""
ALL_SYMMETRIES = frozenset({MIRROR, FLIP, DIAGONAL})

Box = tuple[float, float, float, float]
"""A part of the picture: left, top, width and height, in cells."""


class Layer(NamedTuple):
    """A field of a position that holds pieces on the board."""

    place: int
    kind: Kind
    owner: int | None
    """0 for the player to move, 1 for the opponent, None for shared pieces."""


class Counter(NamedTuple):
    """Two neighbouring fields of a position that count something of the player to move and of the opponent."""

    place: int
    name: str
    """What is counted: bombs, discs."""
    says: str
    """What is counted, as planes and position texts call it: bombs, discs in hand."""
    at_start: int
    most: int
    is_debt: bool = False
    """Whether it says that a player owes a certain move, 1 or 0."""


class Chosen(NamedTuple):
    """What an option's values stand for."""

    option: Any
    meanings: Mapping[Any, Any]


def chosen(option: Any, meanings: Mapping[Any, Any]) -> Chosen:
    """Return a value for a block that depends on an option: what each of its values stands for.

    >>> from connectoe import option
    >>> three = option("loses", ("loses", "wins"), "what three in a row does")
    >>> chosen(three, {"loses": "opponent", "wins": "owner"}).meanings["wins"]
    'owner'
    """
    return Chosen(option, meanings)


def value_of(given: Any, values: Mapping[int, Any]) -> Any:
    """Return a value that may be an option, or chosen by one, given the values of the options by their ids."""
    if isinstance(given, Chosen):
        value = value_of(given.option, values)
        if value not in given.meanings:
            raise BadGame(f"chosen() does not say what the value {value!r} of its option stands for")
        return given.meanings[value]
    return values[id(given)] if isinstance(given, Option) else given


@dataclass(frozen=True)
class Context:
    """What blocks are bound to: the board, the fields of a position, and the values of the options."""

    board: Board
    fields: tuple[str, ...]
    layers: tuple[Layer, ...]
    counters: tuple[Counter, ...]
    values: Mapping[int, Any]
    """The value of each option, by the id of the object that declares it."""
    symbols: tuple[str, str] = ("X", "O")

    def value(self, given: Any) -> Any:
        """Return a value that may be an option, or chosen by one."""
        return value_of(given, self.values)

    @property
    def position_class(self) -> type[Any]:
        """The NamedTuple of positions, whose masks come first."""
        return position_type(self.fields, len(self.layers), self.board.bits)

    @property
    def taken(self) -> Rule:
        """The rule for the cells with a piece on them."""
        return union([layer.place for layer in self.layers])

    def taken_by(self, position: Fields) -> int:
        """Return the cells with a piece on them."""
        cells: int = self.taken(position)
        return cells

    def kind(self, name: str | None) -> Kind:
        """Return the kind of this name; without a name, the first on the board."""
        if not isinstance(name, str | None):
            raise BadGame(f"a block is told its kind of piece by its name, as 'disc', not {type(name).__name__}(…)")
        kinds = list(dict.fromkeys(layer.kind for layer in self.layers))
        found = [kind for kind in kinds if name in (None, kind.name, kind.plural)]
        if not found:
            raise BadGame(f"the recipe has no {name!r}; its pieces are: {', '.join(kind.name for kind in kinds)}")
        return found[0]

    def layer(self, kind: Kind, owner: int = 0) -> Layer:
        """Return where pieces of a kind are, of the player to move or the opponent if they are not shared."""
        return next(found for found in self.layers if found.kind == kind and found.owner in (owner, None))

    def places(self, owner: int, piece: str | None = None) -> list[int]:
        """Return where the pieces of a player are, shared ones included; of one kind if it is named.

        The owner is 0 for the player to move and 1 for the opponent.
        """
        kind = self.kind(piece) if piece else None
        return [each.place for each in self.layers if each.owner in (owner, None) and kind in (None, each.kind)]

    def counter(self, name: str) -> Counter | None:
        """Return the counter of this name, if there is one."""
        return next((counter for counter in self.counters if counter.name == name), None)

    def squares_of(self, mask: int) -> list[Square]:
        """Return the squares of a mask."""
        return cells_of(mask, self.board.rows)


class MovePlace(NamedTuple):
    """One move of a block: where it is played, its text, and how it is shown."""

    group: int
    cell: int
    text: str
    says: str
    box: Box
    """Where it is pressed."""
    tool: str = ""
    """The tool it needs, if not that of its block."""
    says_anywhere: str = ""
    """`says` with {square} or {column} for the place, if it can be used for other boards."""
    first: tuple[float, float, float, float, str] | None = None
    """Where it is pressed before that, and what that does, if it takes two presses."""
    sign: str = ""
    """What its place shows after the first of two presses."""
    picture: str = ""
    """What pictures its tool, if not what pictures that of its block."""


Travels = Mapping[Square, Square | None]
"""Where pieces go, square by square; None for a piece that leaves the board. Pieces not named stay."""


def followed(first: Travels, second: Travels) -> Travels:
    """Return where pieces go that go twice.

    >>> followed({(0, 0): (0, 1), (2, 2): None}, {(0, 1): (1, 1)})
    {(0, 0): (1, 1), (2, 2): None, (0, 1): (1, 1)}
    """
    goes = {start: second.get(there, there) if there else None for start, there in first.items()}
    return {**goes, **{start: there for start, there in second.items() if start not in first}}


@dataclass
class Move:
    """A kind of move, bound to a board."""

    tool: str
    cells: Rule
    change: Rule
    places: Sequence[MovePlace]
    may_do: str
    """What the player may do with it, to complete the sentence 'you may …'."""
    why_illegal: Callable[[Any, MovePlace], str]
    last: Callable[[Any, MovePlace], Sequence[Square]]
    """The squares to highlight when it was the last move, given the position before it."""
    groups: int = 1
    says: Callable[[Any, MovePlace], str] | None = None
    """What the move does in a position, where that differs from position to position."""
    travels: Callable[[Any, MovePlace], Travels] | None = None
    """Where pieces go that were on the board before the move; None if they all stay."""
    moves_pieces: bool = False
    """Whether pieces go from one square to another by it, as opposed to on or off the board."""
    is_thrown: bool = False
    """Whether what it uses up is seen in the middle of its place before it takes effect."""
    symmetries: frozenset[str] = frozenset()
    """The symmetries of the board that the move respects."""
    may_help_opponent: bool = False
    """Whether it can complete a line of the opponent's."""
    needs_empty_cell: bool = False
    """Whether it can be played if and only if a cell of the board is empty, and one is enough."""
    fills_gaps_with: str = ""
    """The tool of another move: if any cell is empty, one of the two can be played, leaving debts aside."""
    only_adds: bool = False
    """Whether all it does is to put one piece on the board."""
    has_new_piece: bool = False
    """Whether one square, and no other, has a piece of the player's after it that had none before."""
    falls: bool = False
    """Whether what it leaves behind stands in columns without gaps, if it did before."""
    can_repeat: bool = False
    """Whether a position can come back by it."""
    counter: Counter | None = None
    """What it uses up."""
    owes: str = ""
    """The tool that the player must use in their next turn."""
    frees_when_stuck: bool = False
    """Whether a player who owes another move may play it after all if the other cannot be played."""
    is_last_resort: bool = False
    """Whether it can be played only if nothing else can."""
    picture: str = ""
    """What pictures its tool, if that is no piece: `sign ↓`."""


class MoveBlock(Protocol):
    """A kind of move as a recipe declares it."""

    def bind(self, context: Context) -> Move:
        """Return the move on the recipe's board."""


@dataclass
class End:
    """A way to end, bound to a board."""

    names: tuple[str, ...]
    found: Rule
    reason: Callable[[Any, int], str]
    """Why a position with the ending of this number is over, in words."""
    goal: str = ""
    lines: Callable[[Any], Sequence[tuple[Square, ...]]] = field(default=lambda position: ())
    """The lines that ended a position."""
    symmetries: frozenset[str] = ALL_SYMMETRIES


class EndBlock(Protocol):
    """A way to end as a recipe declares it."""

    def bind(self, context: Context, moves: Sequence[Move], can_move: Rule) -> End:
        """Return the end on the recipe's board; `can_move` is the rule whether there is a legal move."""


def either_cells(first: Rule, groups: int, second: Rule) -> Rule:
    """Return the cells of two blocks, given how many groups the first has."""

    @rule
    def cells(position: Any, group: int) -> int:
        return first(position, group) if group < groups else second(position, group - groups)

    return cells


def either_change(first: Rule, groups: int, second: Rule) -> Rule:
    """Return the changes of two blocks, given how many groups the first has."""

    @rule
    def change(position: Any, group: int, cell: int) -> Any:
        return first(position, group, cell) if group < groups else second(position, group - groups, cell)

    return change


def first_end(first: Rule, names: int, second: Rule) -> Rule:
    """Return the first of two ends that is found, given how many names the first has."""
    later = 4 * names

    @rule
    def found(position: Any) -> int:
        how = first(position)
        if how != ONGOING:
            return how
        how = second(position)
        return ONGOING if how == ONGOING else how + later

    return found


def while_in_hand(cells: Rule, place: int) -> Rule:
    """Return the cells of a block, none if nothing is left of what is counted at this place."""

    @rule
    def limited(position: Any, group: int) -> int:
        return cells(position, group) if position[place] > 0 else 0

    return limited


def spending(change: Rule, place: int) -> Rule:
    """Return the change of a block, and one less of what is counted at this place."""
    put = replaced(place)

    @rule
    def spent(position: Any, group: int, cell: int) -> Any:
        return put(change(position, group, cell), position[place] - 1)

    return spent


def limited_by(move: Move, counter: Counter | None, context: Context, what: str) -> Move:
    """Return the move, which uses up one piece in hand where they are counted."""
    if counter is None:
        return move
    place, why = counter.place, move.why_illegal
    move.cells, move.change = while_in_hand(move.cells, place), spending(move.change, place)
    move.why_illegal = lambda position, where: (
        why(position, where) if position[place] else f"{context.symbols[position[-1]]} has no {what} left"
    )
    move.counter = counter
    move.needs_empty_cell = False
    return move
