"""The contract of a game.

A game is one class. It declares

- what it is called: `id`, `name`, `summary`, and its options, as class attributes;
- its rules: `make_rules(**options)`, a factory that returns the start position and four pure functions:
  `legal_moves`, `play`, `outcome` and `player`. A position is a small NamedTuple of ints (a wide game may keep a
  numpy array in it), and a move is an int. Engines compile these functions as they are, so they use only what Numba
  compiles, and no int grows past 62 bits;
- its notation: the text of every move, in the order of the move's int;
- its words, such as `reason`, `why_illegal`, `write` and `read`, and its look, `scene`.

`State` puts a position and its game together for people; `Match` plays a whole game.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from connectoe.core import field_texts
from connectoe.core.configured import Configured
from connectoe.core.errors import BadPosition, IllegalMove, IncompleteGame
from connectoe.core.options import OptionValue
from connectoe.core.outcome import Outcome
from connectoe.core.rules import DRAWN, LastMove, Planes, Rules, is_int
from connectoe.core.squares import Square
from connectoe.core.state import State, can_be_played
from connectoe.core.strength import KnownResult, Levels, PuzzleMaking, Tuning
from connectoe.draw.text import text

if TYPE_CHECKING:
    from connectoe.core.exercises import Exercise
    from connectoe.core.setting_up import SettingUp
    from connectoe.scene import Piece, Scene, Target


class Game(Configured):
    """A game with its options chosen; subclasses are the games.

    >>> import connectoe
    >>> game = connectoe.load("c4-twist", bombs=2)
    >>> game.options
    {'cols': 7, 'rows': 6, 'connect': 4, 'bombs': 2}
    >>> game.move_from("*d"), game.move_text(3)
    (10, 'd')
    """

    id: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str]
    """One sentence that makes people want to play."""
    move_help: ClassVar[str] = ""
    """What a move looks like, to complete the sentence 'a move is …'."""
    symbols: ClassVar[tuple[str, str]] = ("X", "O")
    """What players 0 and 1 are called."""
    can_repeat: ClassVar[bool] = False
    """Whether a position can occur again; if so, a match is drawn when one occurs for the third time."""
    ply_limit: ClassVar[int] = 1000
    """The number of moves after which engines stop playing a game out and count it as drawn."""
    endings: ClassVar[tuple[str, ...]] = ("a line", "a draw")
    """The kinds of ending, in the order in which `Rules.ending` numbers them; without that rule, won and drawn."""
    pieces_travel: ClassVar[bool] = False
    """Whether pieces that are named by their places move; `stages` then shows where each of them goes."""
    moves_run_together: ClassVar[bool] = False
    """Whether moves, each of one character, may be written without spaces between them."""
    tools: ClassVar[tuple[str, ...]] = ()
    """The tools a player chooses from before pressing a place that stands for several moves."""
    tool_pictures: ClassVar[Mapping[str, str]] = {}
    """What pictures a tool: a kind of piece, perhaps with its text, as `disc` and `numbered 3`, or a sign: `sign ↻`."""
    special_moves: ClassVar[Mapping[str, str]] = {}
    """Kinds of moves that studies count: a name and a regular expression for the notation, as `bomb` and `[*].`."""
    special_events: ClassVar[Mapping[str, Callable[[Any, int], bool]]] = {}
    """Events that studies count: a name, and a test of whether a move in a position causes the event."""
    tuning: ClassVar[Tuning] = Tuning()
    """Settings of the tree search when it learns from simulated games alone."""
    tuning_with_opinion: ClassVar[Tuning | None] = None
    """Settings of the tree search when it also asks `Rules.evaluate`; None for the same settings."""
    lessons: ClassVar[Sequence[Exercise]] = ()
    """How to play it with its usual options, as exercises; without any, some are made from the rules."""
    puzzle_making: ClassVar[PuzzleMaking] = PuzzleMaking()
    """How the search for puzzles goes."""
    make_rules: ClassVar[Callable[..., Rules]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for choice in cls.option_list:
            if hasattr(Game, choice.name) or choice.name in (*Game.__annotations__, "rules"):
                raise TypeError(f"option {choice.name!r} would hide Game.{choice.name}; give it another name")
        cls._made_rules = {}

    def __init__(self, /, **options: object) -> None:
        super().__init__(**options)
        self.check_options()
        self.rules = self._rules_once()

    _made_rules: ClassVar[dict[tuple[OptionValue, ...], Rules]]

    def _rules_once(self) -> Rules:
        """Return the rules for these options: the same functions each time, so that engines compile them once."""
        chosen = {choice.name: self._options[choice.name] for choice in self.option_list}
        key = tuple(chosen.values())
        if key not in self._made_rules:
            self._made_rules[key] = type(self).make_rules(**chosen)
        return self._made_rules[key]

    # What a game must define.

    def notation(self) -> Sequence[str]:
        """Return the text of every move, in the order of the moves' ints. Texts are unique and contain no spaces.

        >>> import connectoe
        >>> connectoe.load("connect-four").notation()
        ['a', 'b', 'c', 'd', 'e', 'f', 'g']
        """
        raise IncompleteGame(f"{type(self).__name__} does not define its notation")

    def scene(self, position: Any, last: LastMove | None = None) -> Scene:
        """Return what the position looks like; `last` is the move that led to it, if known.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> [piece.id for piece in game.scene(game.start.play("b2").position).pieces]
        ['mark-b2']
        """
        raise IncompleteGame(f"{type(self).__name__} does not define its scene")

    # What a game should define; the defaults are plain.

    def check_options(self) -> None:
        """Raise BadOption if options that are valid one by one do not go together.

        >>> import connectoe
        >>> connectoe.load("semaphores", rows=5, cols=5)
        Traceback (most recent call last):
        connectoe.core.errors.BadOption: a board of 5 rows and 5 columns is too large: it may have at most 24 squares
        """

    def reason(self, position: Any) -> str:
        """Return why this finished position is over, in words.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> game.reason(game.state("XXX/OO1/3 O").position)
        'three marks a3-c3'
        """
        if self.endings == Game.endings:
            return "no move is left" if self.rules.outcome(position) == DRAWN else "a line"
        return self.ending(position)

    def winning_line(self, position: Any) -> Sequence[Square]:
        """Return the squares of the line that won this finished position, from end to end; none if no line did.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> game.winning_line(game.state("XXX/OO1/3 O").position)
        ((0, 2), (1, 2), (2, 2))
        """
        return ()

    def why_illegal(self, position: Any, move: int) -> str:
        """Return why this move is illegal in this ongoing position, in the words of the rules.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> game.why_illegal(game.start.play("b2").position, game.move_from("b2"))
        'there is a mark on b2 already'
        """
        return "the rules do not allow it now"

    def goal(self) -> str:
        """Return how to win, in one sentence.

        >>> import connectoe
        >>> connectoe.load("connect-four", connect=5).goal()
        'Get five of your discs in line: across, upright or diagonally.'
        """
        return self.summary

    def may_do(self, position: Any) -> str:
        """Return what the player to move may do in this ongoing position, in a sentence or two.

        >>> import connectoe
        >>> game = connectoe.load("c4-twist")
        >>> game.may_do(game.start.position)
        'Drop a disc into a column, or bomb a column to empty it.'
        """
        return f"A move is {self.move_help}." if self.move_help else ""

    def refusals(self, position: Any) -> Sequence[Target]:
        """Return the places that stand for no legal move in this ongoing position; each says why.

        By default these are places of the start position whose moves are not legal now; of moves of two presses, the
        first places from which no move is legal now.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> [(place.move, place.says) for place in game.refusals(game.start.play("b2").position)]
        [('b2', 'there is a mark on b2 already')]
        """
        legal = set(self.rules.legal_moves(position))
        places = [(self.move_from(place.move), place) for place in self._places_at_start if place.first is None]
        places += self._first_places_without_a_move(position)
        return [place._replace(says=self.why_illegal(position, move)) for move, place in places if move not in legal]

    def _first_places_without_a_move(self, position: Any) -> list[tuple[int, Target]]:
        """Return one move for each place of the start position that is pressed first and leads to no move now."""
        found = {(*place.first[:4], place.tool): place for place in self._places_at_start if place.first}
        for target in self.scene(position).targets if found else ():
            if target.first:
                found.pop((*target.first[:4], target.tool), None)
        return [
            (self.move_from(place.move), place._replace(x=x, y=y, width=width, height=height))
            for (x, y, width, height, _), place in found.items()
        ]

    @cached_property
    def _places_at_start(self) -> list[Target]:
        return self.scene(self.rules.start).targets

    def board(self, position: Any) -> list[Any]:
        """Return the board as plain rows of text, top first.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> game.board(game.start.play("b2").position)
        ['...', '.X.', '...']
        """
        return text(self.scene(position)).splitlines()

    def write(self, position: Any) -> str:
        """Return the position as a short line of text.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> game.write(game.start.play("b2").position)
        '3/1X1/3 O'
        """
        return field_texts.written(position)

    def read(self, text: str) -> Any:
        """Return the position that such a line stands for, or raise BadPosition.

        This parses and makes cheap checks; it does not prove that play can lead to the position.

        >>> import connectoe
        >>> connectoe.load("tic-tac-toe").read("3/1X1/3 O")
        Position(own=0, other=16, turn=1)
        """
        position = field_texts.read(text, self.rules.start, self.id)
        if not can_be_played(self.rules, position, len(self.move_texts)):
            raise BadPosition(f"the rules of {self.id} do not allow such a position")
        return position

    def setting_up(self) -> SettingUp | None:
        """Return how positions are set up by hand, where their texts begin with the rows of the board; else None.

        >>> import connectoe
        >>> [sign.name for sign in connectoe.load("tic-tac-toe").setting_up().signs]
        ["X's mark", "O's mark"]
        """
        return None

    def stages(self, position: Any, move: int) -> Sequence[Sequence[Piece]]:
        """Return the pieces after each step of a move that happens in steps; nothing for one that happens at once.

        A piece keeps the id it had before the move. If `pieces_travel`, the last stage shows where each piece ends up,
        which identifies it in the scene after the move.

        >>> import connectoe
        >>> game = connectoe.load("shift-tac-toe")
        >>> state = game.start.play("1").play("1")
        >>> slid, fallen = game.stages(state.position, game.move_from("9"))
        >>> [(piece.id, piece.x, piece.y) for piece in slid]  # the lower one has gone left, and the upper one will fall
        [('piece-a1', -0.65, 2.5), ('piece-a2', 0.5, 1.5)]
        """
        return []

    def planes(self) -> Planes | None:
        """Return the planes that `Rules.observe` fills, if the game has that rule."""
        return None

    # What engines should know. Exact play is not inherited, since a subclass may have other rules: see `declares`.

    def levels(self) -> Levels:
        """Return how much each level searches before a move; by default, it follows from how long games last."""
        return Levels()

    def solver(self) -> str | None:
        """Return where to find the game's exact solver, as `package.module:Class`; None if it has none."""
        return None

    def has_perfect_play(self) -> bool:
        """Whether perfect play is available within seconds, by a table that is quickly made or by the solver."""
        return False

    def known_result(self) -> KnownResult | None:
        """Return what best play leads to, if that is known without a table."""
        return None

    # What follows from these.

    def ending(self, position: Any) -> str:
        """Return which of the game's `endings` this finished position is."""
        rule = self.rules.ending
        return self.endings[rule(position) if rule else int(self.rules.outcome(position) == DRAWN)]

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
        """The int of every move, by its text."""
        return {text: move for move, text in enumerate(self.move_texts)}

    def move_text(self, move: int) -> str:
        """Return the notation of a move."""
        return self.move_texts[self.move_number(move)]

    def move_number(self, move: str | int) -> int:
        """Return the int of a move given in notation or as an int, legal now or not."""
        if isinstance(move, str):
            return self.move_from(move)
        if not is_int(move) or not 0 <= move < len(self.move_texts):
            raise IllegalMove(f"{move!r:.40} is no move of {self.id}: its moves are 0..{len(self.move_texts) - 1}")
        return int(move)

    def move_from(self, text: str) -> int:
        """Return the int of the move that a notation stands for, legal now or not.

        >>> import connectoe
        >>> connectoe.load("tic-tac-toe").move_from("b2")
        4
        >>> connectoe.load("tic-tac-toe").move_from("z9")
        Traceback (most recent call last):
        connectoe.core.errors.IllegalMove: 'z9' is no move of tic-tac-toe: a move is a square from a1 ...
        """
        move = self.move_numbers.get(text)
        if move is None:
            shown = text if len(text) <= 20 else text[:20] + "…"
            raise IllegalMove(f"{shown!r} is no move of {self.id}: a move is {self.move_help or 'one of its texts'}")
        return move

    @property
    def start(self) -> State:
        """The state in which the game starts.

        >>> import connectoe
        >>> connectoe.load("tic-tac-toe").start
        <State of load('tic-tac-toe'): 3/3/3 X>
        """
        # Arrays are copied, so that no caller can change the start for the others.
        start = self.rules.start
        return State(self, type(start)(*(field.copy() if getattr(field, "ndim", 0) else field for field in start)))

    def state(self, text: str) -> State:
        """Return the state that a position text (see `State.text`) stands for, or raise BadPosition.

        >>> import connectoe
        >>> game = connectoe.load("connect-four")
        >>> game.state("7/7/7/7/7/3X3 O").turn
        1
        """
        if len(text) > 10_000:
            raise BadPosition(f"a position of {self.id} is one short line, this has {len(text)} characters")
        return State(self, self.read(text.strip()))

    @classmethod
    def rules_text(cls) -> str:
        """Return the rules in words: the docstring of the game's file, or of its `rules.py`."""
        home = sys.modules[cls.__module__]
        return sys.modules.get(f"{home.__name__}.rules", home).__doc__ or f"{cls.name}.\n\n{cls.summary}"

    def how_it_ended(self, outcome: Outcome) -> str:
        """Return the outcome with the players' symbols, to complete the sentence 'the game is …'.

        >>> import connectoe
        >>> connectoe.load("shift-tac-toe").how_it_ended(Outcome(0, "resignation"))
        'won by O: resignation'
        """
        return f"{'drawn' if outcome.winner is None else f'won by {self.symbols[outcome.winner]}'}: {outcome.reason}"


def declares(game: Game, name: str) -> bool:
    """Whether a game's own class declares this, as opposed to a base class whose rules may be different."""
    return is_built_in(type(game)) or name in vars(type(game))


def is_built_in(game: type[Game]) -> bool:
    """Whether a game belongs to this package."""
    return game.__module__.startswith("connectoe.games.")
