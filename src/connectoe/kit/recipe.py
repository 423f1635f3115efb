"""A game as a recipe: its board, pieces, moves and ends are declared, and everything else follows from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from connectoe.board import Square
from connectoe.board_texts import masks_from, unsqueeze
from connectoe.core.errors import BadGame, BadOption, BadPosition
from connectoe.core.game import Game
from connectoe.core.options import Option, OptionValue
from connectoe.core.rules import LastMove, Planes, Rules
from connectoe.core.setting_up import SettingUp
from connectoe.kit import look, texts, words
from connectoe.kit.blocks import (
    ALL_SYMMETRIES,
    Context,
    Counter,
    End,
    EndBlock,
    Layer,
    Move,
    MoveBlock,
    MovePlace,
    value_of,
)
from connectoe.kit.boards import Board, BoardSpec
from connectoe.kit.compose import numbered, passing_the_turn, put_together
from connectoe.kit.declared import check_declared, declared_in
from connectoe.kit.duties import can_move_at_all, either_can_move, only_if_stuck, with_duties
from connectoe.kit.ends import full, most, repetition, stuck
from connectoe.kit.packing import observing, with_packing
from connectoe.kit.pieces import Kind
from connectoe.kit.possible import check_possible, check_texts
from connectoe.kit.rules_by_hand import end_by_hand, is_by_hand
from connectoe.kit.tuples import Rule
from connectoe.scene import Piece, Scene


@dataclass(frozen=True)
class Made:
    """A recipe with its options chosen: its blocks bound to the board, and its rules."""

    context: Context
    blocks: tuple[Move, ...]
    moves: list[tuple[Move, MovePlace]]
    """Every move with its block, in the order of the moves' ints."""
    ends: tuple[End, ...]
    rules: Rules
    planes: Planes

    def end_of(self, position: Any) -> tuple[End, int]:
        """Return the end that a finished position has come to, and the number of its ending there."""
        number = int(self.rules.ending(position)) if self.rules.ending else 0
        for end in self.ends:
            if number < len(end.names):
                return end, number
            number -= len(end.names)
        raise BadGame("the position is not finished")


class Recipe(Game):
    """A game declared by its board, pieces, moves and ends.

    >>> from connectoe.kit import columns, discs, drop, full, line
    >>> class Small(Recipe):
    ...     id, name, summary = "small", "Small", "Connect Three."
    ...     layout = columns(4, 4)
    ...     pieces = discs()
    ...     moves = [drop()]
    ...     ends = [line(3), full()]
    >>> state = Small().start.play("a").play("b").play("a").play("b").play("a")
    >>> state.status
    'X wins: three discs a1-a3'
    """

    layout: ClassVar[Any]
    """The board."""
    is_nested: ClassVar[bool] = False
    """Whether the layout is boards in a board."""
    pieces: ClassVar[Kind | Sequence[Kind]]
    moves: ClassVar[Sequence[MoveBlock]]
    ends: ClassVar[Sequence[EndBlock | repetition | Rule]]
    opening: ClassVar[Any] = ""
    """The rows of the board at the start, as in position texts; empty for an empty board."""
    _made: ClassVar[dict[tuple[OptionValue, ...], Made]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._made = {}
        if cls.__module__.startswith("connectoe.kit."):
            return  # a kind of recipe, not one
        check_declared(cls)
        defaults = cls._with({option.name: option.default for option in cls.option_list})
        check_possible(cls, defaults)
        cls.endings = tuple(name for end in defaults.ends for name in end.names)
        cls.pieces_travel = any(block.moves_pieces for block in defaults.blocks)
        declared = vars(cls)
        if "can_repeat" not in declared:
            cls.can_repeat = any(block.can_repeat for block in defaults.blocks)
        if "tools" not in declared:
            tools = tuple(dict.fromkeys(place.tool or block.tool for block, place in defaults.moves))
            cls.tools = tools if len(tools) > 1 else ()
        if "tool_pictures" not in declared:
            cls.tool_pictures = {
                tool: picture
                for block, place in defaults.moves
                if (tool := place.tool or block.tool)
                and (picture := place.picture or block.picture or look.tool_picture(defaults.context, tool))
            }
        if "special_moves" not in declared:
            cls.special_moves = words.special_moves(defaults.blocks)
        if "move_help" not in declared:
            cls.move_help = words.move_help(defaults.blocks)

    @classmethod
    def _with(cls, options: Mapping[str, OptionValue]) -> Made:
        """Return the recipe with these options, made once."""
        key = tuple(options.values())
        if key not in cls._made:
            cls._made[key] = cls._made_with(cls._values(options))
        return cls._made[key]

    @classmethod
    def _made_with(cls, values: Mapping[int, Any]) -> Made:
        """Return the recipe with these values of its options."""
        return made_from(cls, values)

    @classmethod
    def _values(cls, options: Mapping[str, OptionValue]) -> dict[int, OptionValue]:
        """Return the value of each option, by the id of the object that declares it."""
        declared = {name: option for known in reversed(cls.__mro__) for name, option in vars(known).items()}
        return {
            id(option): options[name]
            for name, option in declared.items()
            if isinstance(option, Option) and name in options
        }

    def made_to_be_read(self) -> Made:
        """Return the recipe without the tables that only make it faster, to write its rules out."""
        return made_from(type(self), self._values(self._options), looks_up=False)

    @classmethod
    def make_rules(cls, **options: OptionValue) -> Rules:
        """Return the rules for a choice of options."""
        return cls._with(options).rules

    @property
    def made(self) -> Made:
        """The blocks, bound to the board."""
        return self._with(self._options)

    def check_options(self) -> None:
        """Raise BadOption for a board that is too large, or options that do not go together."""
        board_from(self.layout, self._values(self._options)).check()
        self._check_made()

    def _check_made(self) -> None:
        try:
            assert self.made
        except BadGame as error:
            raise BadOption(f"{self.name} cannot be played so: {error}") from error

    def planes(self) -> Planes:
        """Return the names of the planes that `observe` fills."""
        return self.made.planes

    def notation(self) -> Sequence[str]:
        """Return the texts of the moves, block by block."""
        return [place.text for _, place in self.made.moves]

    def reason(self, position: Any) -> str:
        """Return why this finished position is over."""
        end, number = self.made.end_of(position)
        return end.reason(position, number)

    def winning_line(self, position: Any) -> Sequence[Square]:
        """Return the first line that ended this finished position, if one did."""
        return next(iter(self.lines(position)), ())

    def lines(self, position: Any) -> Sequence[tuple[Square, ...]]:
        """Return all lines that ended this finished position."""
        return self.made.end_of(position)[0].lines(position)

    def why_illegal(self, position: Any, move: int) -> str:
        """Return which rule of its block the move breaks."""
        block, place = self.made.moves[move]
        return block.why_illegal(position, place)

    def goal(self) -> str:
        """Return how to win."""
        return " ".join(end.goal for end in self.made.ends if end.goal) or self.summary

    def may_do(self, position: Any) -> str:
        """Return what the player to move may do."""
        return words.may_do(self, position)

    def board(self, position: Any) -> list[Any]:
        """Return rows of the signs of pieces, and dots, top first."""
        return texts.board(self, position)

    def write(self, position: Any) -> str:
        """Return the rows from the top, the player to move, and what the players have in hand."""
        return texts.write(self, position)

    def read(self, text: str) -> Any:
        """Return the position of such a text, or raise BadPosition."""
        return texts.read(self, text)

    def setting_up(self) -> SettingUp | None:
        """Return how positions are set up by hand."""
        return texts.setting_up(self)

    def scene(self, position: Any, last: LastMove | None = None) -> Scene:
        """Return what the position looks like."""
        return look.scene(self, position, last)

    def stages(self, position: Any, move: int) -> Sequence[Sequence[Piece]]:
        """Return the pieces after the steps of a move that moves pieces."""
        return look.stages(self, position, move)


def board_from(spec: BoardSpec, values: Mapping[int, Any]) -> Board:
    """Return the board of a recipe, given the values of its options."""
    return Board(value_of(spec.cols, values), value_of(spec.rows, values), spec.cell)


def made_from(recipe: type[Recipe], values: Mapping[int, Any], looks_up: bool = True) -> Made:
    """Return a recipe with its blocks bound and its rules made."""
    kinds = kinds_in(recipe.pieces)
    debts = [value_of(getattr(block, "owes", ""), values) for block in recipe.moves]
    board = board_from(recipe.layout, values)._replace(looks_up=looks_up)
    with declared_in(recipe, "pieces"):
        context = context_for(board, kinds, values, recipe.symbols, list(dict.fromkeys(filter(None, debts))))
    blocks = bound_moves(recipe, context)
    check_texts(recipe, blocks)
    moves = numbered(blocks, board)
    wanted = [end for end in recipe.ends if not isinstance(end, repetition)]
    if not any(isinstance(end, stuck | most) for end in wanted) and not _ends_when_stuck(wanted, blocks):
        wanted.append(stuck())
    is_told_when_full = any(isinstance(end, full) for end in wanted)
    can_move = can_move_at_all(context, blocks, moves.can_move) if is_told_when_full else moves.can_move
    if any(block.is_last_resort for block in blocks):
        can_move = either_can_move(context, blocks, passing_the_turn(context))
    ends = bound_ends(recipe, wanted, context, blocks, can_move)
    with declared_in(recipe, "opening"):
        start = [*pieces_at_start(context, context.value(recipe.opening))]
    start += [counter.at_start for counter in context.counters for _ in (0, 1)] + [0]
    symmetries = ALL_SYMMETRIES.intersection(*(block.symmetries for block in blocks), *(end.symmetries for end in ends))
    observe, planes = observing(context)
    rules = put_together(context, start, moves, ends)
    rules = with_packing(rules, context, symmetries, all(block.falls for block in blocks))._replace(observe=observe)
    return Made(context, blocks, moves.moves, ends, rules, planes)


def kinds_in(pieces: Any) -> tuple[Kind, ...]:
    """Return the kinds of pieces of a recipe."""
    return tuple(_flat(pieces))


def _flat(pieces: Any) -> Iterator[Kind]:
    if isinstance(pieces, Kind):
        yield pieces
    else:
        for part in pieces:
            yield from _flat(part)


def _ends_when_stuck(ends: Sequence[Any], blocks: Sequence[Move]) -> bool:
    """Whether the game ends anyway when no move is left: on a full board, where one can move on any other."""
    return any(isinstance(end, full) for end in ends) and any(block.needs_empty_cell for block in blocks)


def bound_ends(
    recipe: type[Recipe], wanted: Sequence[Any], context: Context, moves: Sequence[Move], can_move: Any
) -> tuple[End, ...]:
    """Return the ends of a recipe, bound to the board."""
    bound = []
    for end in wanted:
        with declared_in(recipe, "ends", next((at for at, each in enumerate(recipe.ends) if each is end), None)):
            bound.append(end_by_hand(end) if is_by_hand(end) else end.bind(context, moves, can_move))
    return tuple(bound)


def bound_moves(recipe: type[Recipe], context: Context) -> tuple[Move, ...]:
    """Return the moves, bound to the board; debts and moves of last resort depend on the others."""
    moves = []
    for number, block in enumerate(recipe.moves):
        with declared_in(recipe, "moves", number):
            move = block.bind(context)
            if not move.places:
                size = f"{context.board.cols}x{context.board.rows}"
                raise BadGame(f"{type(block).__name__}() can never be played on a board of {size}")
            moves.append(move)
    with declared_in(recipe, "moves"):
        if all(move.is_last_resort for move in moves):
            raise BadGame("a player passes only if there is no other move: add another one, as place(), to moves")
        with_others(context, moves)
    return tuple(moves)


def with_others(context: Context, moves: Sequence[Move]) -> None:
    """Let debts and moves of last resort depend on the other moves."""
    for move in moves:
        if move.is_last_resort:
            others = numbered([other for other in moves if not other.is_last_resort], context.board).can_move
            move.cells = only_if_stuck(move.cells, others)
    with_duties(context, moves)


def pieces_at_start(context: Context, opening: str) -> list[int]:
    """Return the pieces of each layer at the start."""
    if not opening:
        return [0 for _ in context.layers]
    signs = "".join(texts.sign_of(layer) for layer in context.layers)
    try:
        return masks_from(unsqueeze(opening, context.board.cols, context.board.rows, signs), signs)
    except BadPosition as error:
        raise BadGame(f"opening has the rows of the board from the top, as in position texts: {error}") from None


def context_for(
    board: Board, kinds: Sequence[Kind], values: Mapping[int, Any], symbols: tuple[str, str], debts: Sequence[str]
) -> Context:
    """Return what blocks are bound to: the board, and the fields of a position for these kinds of pieces."""
    fields: list[str] = []
    layers, counters = [], []
    on_board = [kind for kind in kinds if kind.is_on_board]
    for kind in on_board:
        tail = "" if len(on_board) == 1 else f"_{_as_field(kind.plural)}"
        names = [_as_field(kind.plural)] if kind.is_shared else [f"own{tail}", f"other{tail}"]
        for owner, name in enumerate(names):
            layers.append(Layer(len(fields), kind, None if kind.is_shared else owner))
            fields.append(name)
    for kind in kinds:
        if kind.in_hand is not None:
            many = value_of(kind.in_hand, values)
            if type(many) is not int or many < 0:
                raise BadGame(f"in_hand says how many {kind.plural} a player has, a number from 0, not {many!r:.40}")
            says = f"{kind.plural} in hand" if kind.is_on_board else kind.plural
            counters.append(Counter(len(fields), kind.plural, says, many, many))
            fields += [f"own_{_as_field(says)}", f"other_{_as_field(says)}"]
    for owed in debts:
        counters.append(Counter(len(fields), owed, "debt", 0, 1, is_debt=True))
        tail = "" if len(debts) == 1 else f"_{_as_field(owed)}"
        fields += [f"own_owes{tail}", f"other_owes{tail}"]
    return Context(board, (*fields, "turn"), tuple(layers), tuple(counters), values, symbols)


def _as_field(words: str) -> str:
    return re.sub(r"\W+", "_", words)
