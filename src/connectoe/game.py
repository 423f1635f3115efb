"""The contract of a game.

A game is one class in one file. It says, once,

- its facts: `id`, `name`, `summary`, and its options, as class attributes;
- its rules: `make_rules(**options)`, a factory that returns five things: the start position and the four pure
  functions `legal_moves`, `play`, `outcome` and `player`. A position is a small NamedTuple of ints (a wide game may
  keep a numpy array in it), a move is an int. The functions run as they are, as plain Python, and are compiled as
  they are by the engines; so they use only what Numba compiles, and no int grows past 62 bits;
- its notation: the text of every move, in the order of the move's int;
- its words and its look: `reason`, `why_illegal`, `board`, `write` and `read`, and `scene`.

`connectoe.state.State` puts a position and its game together for people; `connectoe.match.Match` plays a whole game.
CONTRIBUTING.md walks through a complete small game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar
from weakref import WeakSet

from connectoe.errors import BadOption, BadPosition, IllegalMove, IncompleteGame

if TYPE_CHECKING:
    from connectoe.scene import Piece, Scene
    from connectoe.state import State

ONGOING = -1
DRAWN = 2
"""What `outcome` answers: ONGOING, the player who won (0 or 1), or DRAWN."""

STRONGEST_OPINION = 10_000
"""How far `evaluate` may go: all that is further off has been proven."""

Function = TypeVar("Function", bound=Callable[..., Any])

rules_to_register: list[Callable[..., Any]] = []
"""Rule functions the compiler has not been told of yet; the engines take them from here when they first compile."""


def rule(function: Function) -> Function:
    """The function itself, unchanged; noted as one that engines may compile.

    >>> @rule
    ... def next_player(turn):
    ...     return 1 - turn
    >>> next_player(0)
    1
    """
    rules_to_register.append(function)
    _all_rules.add(function)
    return function


_all_rules: WeakSet[Callable[..., Any]] = WeakSet()


def is_rule(function: Callable[..., Any]) -> bool:
    """Whether a function was marked as one that engines may compile.

    >>> is_rule(rule), is_rule(rule(lambda position: 0))
    (False, True)
    """
    return function in _all_rules


class Rules(NamedTuple):
    """The rules of one game with one choice of options.

    `legal_moves`, `play` and `player` may take for granted that the position is ongoing; `outcome` decides that.
    An ongoing position always has a legal move: where it would have none, `outcome` says DRAWN or who won.

    >>> import connectoe
    >>> rules = connectoe.load("tic-tac-toe").rules
    >>> sorted(rules.legal_moves(rules.play(rules.start, 4)))
    [0, 1, 2, 3, 5, 6, 7, 8]
    """

    start: Any
    legal_moves: Callable[[Any], Iterator[int]]
    play: Callable[[Any, int], Any]
    outcome: Callable[[Any], int]
    player: Callable[[Any], int]

    # What engines can use if a game offers it; all of these are rule functions too.
    pack: Callable[[Any], int] | None = None
    """The position as one int below 2**62, different for different positions; for tables of solved games."""
    unpack: Callable[[int], Any] | None = None
    """The position that `pack` made this int of."""
    mirrors: tuple[Callable[[Any], Any], ...] = ()
    """The position seen in each of the board's mirrors (not the position itself): all of them are worth the same."""
    ending: Callable[[Any], int] | None = None
    """How a finished position ended: the number of one of `Game.endings`."""
    evaluate: Callable[[Any], int] | None = None
    """How good an ongoing position looks for player 0, between -10,000 and 10,000; for searches that stop early."""
    pick: Callable[[Any, int], int] | None = None
    """The move that `legal_moves` gives as number `random * count >> 32` of all, for a random number below 2**32; for
    games that can tell it without listing their moves, which makes random play faster."""
    copied: Callable[[Any], Any] | None = None
    """The same position with arrays of its own; together with `play_over`, for games whose positions hold arrays."""
    play_over: Callable[[Any, int], Any] | None = None
    """As `play`, but the arrays of the given position, which nobody needs any more, become those of the new one; it
    saves random play from making arrays for every move."""
    observe: Callable[[Any, int, Any], None] | None = None
    """Writes what a position looks like to a player into an array of zeros, plane by plane, as `Game.planes` names
    them; for those who train players."""

    @property
    def has_arrays(self) -> bool:
        """Whether positions hold arrays, and not ints alone; compiled code can neither compare nor pack such ones.

        >>> import connectoe
        >>> [connectoe.load(game).rules.has_arrays for game in ("ultimate", "ultimate-ultimate")]
        [False, True]
        """
        return not all(is_int(field) for field in self.start)


def is_int(thing: object) -> bool:
    """Whether something is a whole number, numpy's included; that True and False are ints is Python's affair.

    >>> is_int(5), is_int(5.0), is_int(True)
    (True, False, False)
    """
    return isinstance(thing, Integral) and not isinstance(thing, bool)


class Planes(NamedTuple):
    """What a player who learns sees of a position: boards of small numbers, one above the other.

    >>> Planes(("own discs", "opponent's discs"), rows=6, cols=7).shape
    (2, 6, 7)
    """

    names: tuple[str, ...]
    rows: int
    cols: int
    highest: int = 1
    """The largest number on them; the smallest is 0."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, rows from the top, columns.

        >>> Planes(("crosses",), 3, 3).shape
        (1, 3, 3)
        """
        return len(self.names), self.rows, self.cols


class Outcome(NamedTuple):
    """How a game ended: the winner (None for a draw) and why.

    >>> str(Outcome(0, "four discs a1-d1"))
    'won by 0: four discs a1-d1'
    """

    winner: int | None
    reason: str

    @property
    def result(self) -> str:
        """'0', '1' or 'draw'.

        >>> Outcome(None, "board full").result
        'draw'
        """
        return "draw" if self.winner is None else str(self.winner)

    def __str__(self) -> str:
        return f"{'drawn' if self.winner is None else f'won by {self.winner}'}: {self.reason}"


class LastMove(NamedTuple):
    """The move that led to a position, and the position it was made in, so that a picture can mark it.

    >>> import connectoe
    >>> state = connectoe.load("connect-four").start.play("d")
    >>> state.last.move, state.last.before == state.game.rules.start
    (3, True)
    """

    before: Any
    move: int


Value = int | str


class Option(NamedTuple):
    """A named choice a game offers: its default, what it may be, and what it means.

    >>> connect = Option("connect", 4, range(3, 7), "discs in line that win")
    >>> connect.value("5")
    5
    >>> connect.value(9)
    Traceback (most recent call last):
    connectoe.errors.BadOption: connect=9 is out of range: connect (discs in line that win) may be 3..6
    """

    name: str
    default: Value
    allowed: Sequence[Value]
    meaning: str
    effects: tuple[str, ...] = ()
    """What each of the allowed values does, in their order; empty where the values speak for themselves."""

    @property
    def explained(self) -> str:
        """What it means, and what each of its values does.

        >>> option("closed", {"closed": "is finished", "open": "is played on"}, "what a won board is").explained
        'what a won board is; closed: is finished; open: is played on'
        """
        values = [f"{value}: {does}" for value, does in zip(self.allowed, self.effects, strict=False)]
        return "; ".join([self.meaning, *values])

    @property
    def allowed_text(self) -> str:
        """What the option may be, for people: '3..6' or 'closed or open'.

        >>> Option("won_boards", "closed", ("closed", "open"), "whether won boards stay in play").allowed_text
        'closed or open'
        """
        if isinstance(self.allowed, range):
            return f"{self.allowed[0]}..{self.allowed[-1]}"
        return " or ".join(str(value) for value in self.allowed)

    def value(self, given: object) -> Value:
        """The value that was given, as this option's own type; refused if it is not allowed.

        >>> Option("bombs", 1, range(4), "bombs a player has").value("2")
        2
        """
        for value in self.allowed:
            if given == value and not isinstance(given, bool | float):
                return value
            if isinstance(given, str) and given.strip() == str(value):
                return value
        raise BadOption(
            f"{self.name}={str(given)[:40]} is out of range: {self.name} ({self.meaning}) may be {self.allowed_text}"
        )


def option(default: Value, allowed: Sequence[Value] | Mapping[Any, str], meaning: str) -> Any:
    """An option of a game, written as a class attribute: `bombs: int = option(1, range(4), "bombs a player has")`.

    What it may be is a range, a tuple of values, or a dict of values and what each of them does.

    >>> from connectoe.games.connect_four import ConnectFour
    >>> class WideConnectFour(ConnectFour):
    ...     cols: int = option(8, range(7, 9), "columns of the board")
    >>> WideConnectFour().cols, WideConnectFour(cols=7).cols
    (8, 7)
    """
    if isinstance(allowed, str) or not allowed:
        raise TypeError(f"what an option may be is a range or a tuple of values, not {allowed!r}")
    for value in allowed if not isinstance(allowed, range) else ():
        if (
            isinstance(value, bool)
            or not isinstance(value, int | str)
            or not str(value)
            or set(str(value)) & set(" ,=")
        ):
            raise TypeError(f"an option is an int, or a text without blanks, commas and equals signs, not {value!r}")
    if default not in allowed:
        raise TypeError(f"the default of an option is one of the values it may have, {allowed!r}, not {default!r}")
    effects = tuple(allowed.values()) if isinstance(allowed, Mapping) else ()
    return Option("", default, allowed if isinstance(allowed, range) else tuple(allowed), meaning, effects)


class Game:
    """A game with its options chosen; subclasses are the games.

    >>> import connectoe
    >>> game = connectoe.load("c4-twist", bombs=2)
    >>> game
    load('c4-twist', bombs=2)
    >>> game.options
    {'cols': 7, 'rows': 6, 'connect': 4, 'bombs': 2}
    >>> game.move_from("*d"), game.move_text(3)
    (10, 'd')
    """

    id: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str]
    """One sentence that makes a stranger want to play."""
    move_help: ClassVar[str] = ""
    """What a move looks like, completing 'a move is …'."""
    symbols: ClassVar[tuple[str, str]] = ("X", "O")
    """What players 0 and 1 are called."""
    can_repeat: ClassVar[bool] = False
    """Whether a position can come back; then a match is drawn when one stands for the third time."""
    ply_limit: ClassVar[int] = 1000
    """The moves after which engines that play or search a game out stop and count it as drawn."""
    endings: ClassVar[tuple[str, ...]] = ("a line", "a draw")
    """The ways a game can end, as `Rules.ending` numbers them; without that rule, won and drawn."""
    moves_run_together: ClassVar[bool] = False
    """Whether moves, all of one character, may be written without blanks between them."""
    tools: ClassVar[tuple[str, ...]] = ()
    """The tools of its targets among which a player chooses first, where a place stands for several moves."""
    special_moves: ClassVar[Mapping[str, str]] = {}
    """Kinds of moves whose use a study counts: a name and the regular expression of their notation, like `bomb` and
    `[*].`; none if all moves are alike."""
    option_list: ClassVar[tuple[Option, ...]] = ()
    make_rules: ClassVar[Callable[..., Rules]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = [value._replace(name=name) for name, value in vars(cls).items() if isinstance(value, Option)]
        for mine in own:
            if hasattr(Game, mine.name) or mine.name in (*Game.__annotations__, "options", "rules"):
                raise TypeError(f"option {mine.name!r} would hide Game.{mine.name}; give it another name")
        inherited = [choice for choice in cls.option_list if choice.name not in {mine.name for mine in own}]
        cls.option_list = (*inherited, *own)
        cls._made_rules = {}

    def __init__(self, /, **options: object) -> None:
        known = {choice.name: choice for choice in self.option_list}
        for name in options:
            if name not in known:
                has = ", ".join(known) if known else "none"
                raise BadOption(f"{self.id} has no option {name[:40]!r}; its options are: {has}")
        self._options: dict[str, Value] = {
            name: choice.value(options.get(name, choice.default)) for name, choice in known.items()
        }
        for name, value in self._options.items():
            setattr(self, name, value)
        self.check_options()
        self.rules = self._rules_once()

    _made_rules: ClassVar[dict[tuple[Value, ...], Rules]]

    @property
    def options(self) -> dict[str, Value]:
        """What was chosen for each option; a copy, so that nobody can change the game.

        >>> import connectoe
        >>> connectoe.load("ultimate").options
        {'won_boards': 'closed'}
        """
        return dict(self._options)

    def _rules_once(self) -> Rules:
        """The rules for these options; the same functions each time, so that engines compile them once."""
        key = tuple(self.options.values())
        if key not in self._made_rules:
            self._made_rules[key] = type(self).make_rules(**self.options)
        return self._made_rules[key]

    # What a game must say.

    def notation(self) -> Sequence[str]:
        """The text of every move of the game, in the order of the moves' ints. Texts are unique and have no blanks.

        >>> import connectoe
        >>> connectoe.load("connect-four").notation()
        ['a', 'b', 'c', 'd', 'e', 'f', 'g']
        """
        raise IncompleteGame(f"{type(self).__name__} does not say its notation")

    def scene(self, position: Any, last: LastMove | None = None) -> Scene:
        """What the position looks like; `last` is the move that led to it, if known.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> [piece.id for piece in game.scene(game.start.play("b2").position).pieces]
        ['mark-b2']
        """
        raise IncompleteGame(f"{type(self).__name__} does not say what it looks like")

    # What a game should say; these are plain answers until it does.

    def check_options(self) -> None:
        """Raises BadOption where options that are fine one by one do not go together.

        >>> import connectoe
        >>> connectoe.load("connect-four", cols=10, rows=10)
        Traceback (most recent call last):
        connectoe.errors.BadOption: a board of 10x10 is too large: cols * (rows + 1) may be at most 62
        """

    def reason(self, position: Any) -> str:
        """Why this finished position is finished, as in 'four discs a1-d1'; if a game does not say, which of its
        `endings` it is.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> game.reason(game.state("XXX/OO1/3 O").position)
        'three marks a3-c3'
        """
        is_drawn = self.rules.outcome(position) == DRAWN
        if self.endings == Game.endings:
            return "no move is left" if is_drawn else "a line"
        return self.endings[self.rules.ending(position) if self.rules.ending else int(is_drawn)]

    def why_illegal(self, position: Any, move: int) -> str:
        """Why this move is not legal in this ongoing position, in the words of the rules.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> game.why_illegal(game.start.play("b2").position, game.move_from("b2"))
        'there is a mark on b2 already'
        """
        return "the rules do not allow it now"

    def board(self, position: Any) -> list[Any]:
        """The board as plain rows of text, top first.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> game.board(game.start.play("b2").position)
        ['...', '.X.', '...']
        """
        from connectoe.draw.text import text

        return text(self.scene(position)).splitlines()

    def write(self, position: Any) -> str:
        """The position as a short line of text.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> game.write(game.start.play("b2").position)
        '3/1X1/3 O'
        """
        return ",".join(str(int(field)) for field in position)

    def read(self, text: str) -> Any:
        """The position such a line stands for; raises BadPosition with the reason if there cannot be one.

        >>> import connectoe
        >>> connectoe.load("tic-tac-toe").read("3/1X1/3 O")
        Position(own=0, other=16, turn=1)
        """
        fields = text.split(",")
        start = self.rules.start
        if len(fields) != len(start) or not all(re.fullmatch("0|[1-9][0-9]*", field) for field in fields):
            raise BadPosition(f"a position of {self.id} is {len(start)} numbers with commas between them")
        if any(len(field) > 19 or int(field) >= 1 << 63 for field in fields):
            raise BadPosition("a number in it is too large")
        position = type(start)(*map(int, fields))
        if not self._can_come_about(position):
            raise BadPosition(f"the rules of {self.id} do not lead to such a position")
        return position

    def _can_come_about(self, position: Any) -> bool:
        """Whether play can lead to a position: exactly in a game of some thousand positions, else by how it looks."""
        from connectoe.reach import can_be_reached

        rules, every_move = self.rules, range(len(self.move_texts))
        try:
            if rules.outcome(position) == ONGOING and (
                rules.player(position) not in (0, 1)
                or any(move not in every_move for move in rules.legal_moves(position))
            ):
                return False
        except Exception:  # rules may do anything with a position they did not make
            return False
        return can_be_reached(self.rules, position, lambda _: True, patience=3000)

    def travels(self, position: Any, move: int) -> Mapping[str, str | None]:
        """Where pieces go when this move is played, by piece id; None is out of the game, pieces not named stay.

        Only games whose pieces move and whose ids name places need to say this.

        >>> import connectoe
        >>> game = connectoe.load("shift-tac-toe")
        >>> game.travels(game.start.play("1").position, game.move_from("9"))
        {'piece-a1': 'piece-z1'}
        """
        return {}

    def stages(self, position: Any, move: int) -> Sequence[Sequence[Piece]]:
        """The pieces as they stand in between when this move happens in steps; none when it happens at once.

        A piece that was there before has the id it had then, a new one the id it gets. The scene after the move, which
        comes last, is not among them.

        >>> import connectoe
        >>> game = connectoe.load("shift-tac-toe")
        >>> state = game.start.play("1").play("1")
        >>> [slid] = game.stages(state.position, game.move_from("9"))
        >>> [(piece.id, piece.x, piece.y) for piece in slid]  # the lower one has gone, and the upper one will fall
        [('piece-a1', -0.65, 2.5), ('piece-a2', 0.5, 1.5)]
        """
        return []

    def planes(self) -> Planes | None:
        """What the planes are that `Rules.observe` fills, if the game has that rule.

        >>> import connectoe
        >>> connectoe.load("connect-four").planes().names
        ('own discs', "opponent's discs")
        """
        return None

    def symmetries(self) -> Mapping[str, Sequence[int]]:
        """The board's symmetries by name: for each move, by its int, the move that mirrors it.

        >>> import connectoe
        >>> list(connectoe.load("connect-four").symmetries()["mirror"])
        [6, 5, 4, 3, 2, 1, 0]
        """
        return {}

    # What follows from it.

    @cached_property
    def move_texts(self) -> tuple[str, ...]:
        """The text of every move, in the order of the moves' ints.

        >>> import connectoe
        >>> connectoe.load("c4-twist", cols=3).move_texts
        ('a', 'b', 'c', '*a', '*b', '*c')
        """
        return tuple(self.notation())

    @cached_property
    def move_numbers(self) -> dict[str, int]:
        """The int of every move, by its text.

        >>> import connectoe
        >>> connectoe.load("tic-tac-toe").move_numbers["b2"]
        4
        """
        return {text: move for move, text in enumerate(self.move_texts)}

    def move_text(self, move: int) -> str:
        """The notation of a move.

        >>> import connectoe
        >>> connectoe.load("tic-tac-toe").move_text(4)
        'b2'
        """
        return self.move_texts[self.move_number(move)]

    def move_number(self, move: str | int) -> int:
        """The int of a move given in notation or as an int, legal now or not.

        >>> import connectoe
        >>> connectoe.load("connect-four").move_number("d")
        3
        """
        if isinstance(move, str):
            return self.move_from(move)
        if not is_int(move) or not 0 <= move < len(self.move_texts):
            raise IllegalMove(f"{move!r:.40} is no move of {self.id}: its moves are 0..{len(self.move_texts) - 1}")
        return int(move)

    def move_from(self, text: str) -> int:
        """The move that a notation stands for, legal now or not.

        >>> import connectoe
        >>> connectoe.load("tic-tac-toe").move_from("b2")
        4
        >>> connectoe.load("tic-tac-toe").move_from("z9")
        Traceback (most recent call last):
        connectoe.errors.IllegalMove: 'z9' is no move of tic-tac-toe: a move is a square from a1 (bottom left) to c3
        """
        move = self.move_numbers.get(text)
        if move is None:
            shown = text if len(text) <= 20 else text[:20] + "…"
            raise IllegalMove(f"{shown!r} is no move of {self.id}: a move is {self.move_help or 'one of its texts'}")
        return move

    @property
    def start(self) -> State:
        """The state a game begins with.

        >>> import connectoe
        >>> connectoe.load("tic-tac-toe").start
        <State of load('tic-tac-toe'): 3/3/3 X>
        """
        from connectoe.state import State

        # Arrays are copied, so that nobody can change the start of everybody else's games.
        start = self.rules.start
        fields = [field.copy() if getattr(field, "ndim", 0) else field for field in start]
        return State(self, type(start)(*fields))

    def state(self, text: str) -> State:
        """The state that a position text (see `State.text`) stands for; refused if it cannot be.

        >>> import connectoe
        >>> game = connectoe.load("connect-four")
        >>> game.state("7/7/7/7/7/3X3 O").turn
        1
        """
        from connectoe.state import State

        if len(text) > 10_000:
            raise BadPosition(f"a position of {self.id} is one short line, this has {len(text)} characters")
        return State(self, self.read(text.strip()))

    @property
    def options_text(self) -> str:
        """The options on one line: 'cols=7 rows=6 connect=4'.

        >>> import connectoe
        >>> connectoe.load("connect-four", rows=5).options_text
        'cols=7 rows=5 connect=4'
        """
        return " ".join(f"{name}={value}" for name, value in self.options.items())

    def how_it_ended(self, outcome: Outcome) -> str:
        """The outcome for people, who know the players by their symbols, completing 'the game is …'.

        >>> import connectoe
        >>> connectoe.load("shift-tac-toe").how_it_ended(Outcome(0, "resignation"))
        'won by O: resignation'
        """
        return f"{'drawn' if outcome.winner is None else f'won by {self.symbols[outcome.winner]}'}: {outcome.reason}"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Game) and self._options == other._options

    def __hash__(self) -> int:
        return hash((type(self), tuple(self._options.items())))

    def __repr__(self) -> str:
        changed = [
            f"{choice.name}={self.options[choice.name]!r}"
            for choice in self.option_list
            if self.options[choice.name] != choice.default
        ]
        return f"load({', '.join([repr(self.id), *changed])})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self.options)


def _made_again(game_class: type[Game], options: dict[str, Value]) -> Game:
    return game_class(**options)


def is_built_in(game: type[Game]) -> bool:
    """Whether a game is one of this package, about which its engines know more than the contract says.

    >>> from connectoe.games.connect_four import ConnectFour
    >>> class Own(ConnectFour):
    ...     pass
    >>> is_built_in(ConnectFour), is_built_in(Own)
    (True, False)
    """
    return game.__module__.startswith("connectoe.games.")
