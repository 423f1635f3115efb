"""A position together with its game, as users of the library handle it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from connectoe.core.errors import IllegalMove
from connectoe.core.outcome import Outcome
from connectoe.core.rules import DRAWN, ONGOING, LastMove, Rules
from connectoe.draw.svg import svg
from connectoe.draw.text import text

if TYPE_CHECKING:
    from connectoe.core.game import Game
    from connectoe.scene import Scene


def comparable(position: Any) -> tuple[Any, ...]:
    """Return all fields of a position, arrays included, in a form that can be compared and hashed.

    >>> import connectoe
    >>> comparable(connectoe.load("tic-tac-toe").start.play("b2").position)
    (0, 16, 1)
    """
    return tuple(field.tobytes() if getattr(field, "ndim", 0) else int(field) for field in position)


def can_be_played(rules: Rules, position: Any, move_count: int) -> bool:
    """Whether rules with `move_count` moves can handle a position they did not make: whether compiled code is safe."""
    try:
        if rules.pack and rules.unpack and comparable(rules.unpack(rules.pack(position))) != comparable(position):
            return False
        return rules.outcome(position) != ONGOING or (
            rules.player(position) in (0, 1) and all(0 <= move < move_count for move in rules.legal_moves(position))
        )
    except Exception:  # rules may fail in any way on such a position
        return False


class State:
    """A position of a game. Immutable; `play` returns the next one.

    >>> import connectoe
    >>> state = connectoe.load("tic-tac-toe").start
    >>> state = state.play("b2").play("a1")
    >>> state.turn, len(state.legal_moves())
    (0, 7)
    >>> state.text
    '3/1X1/O2 X'
    >>> state == state.game.state("3/1X1/O2 X")
    True
    >>> print(state)
    3 · · ·
    2 · X ·
    1[O]· ·
      a b c
    """

    __slots__ = ("_outcome", "game", "last", "position")
    game: Game
    position: Any
    last: LastMove | None
    _outcome: int

    def __init__(self, game: Game, position: Any, last: LastMove | None = None) -> None:
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "position", position)
        object.__setattr__(self, "last", last)
        object.__setattr__(self, "_outcome", int(game.rules.outcome(position)))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a State does not change; play returns a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a State does not change; play returns a new one")

    @property
    def turn(self) -> int | None:
        """The player to move, 0 or 1; None when the game is over.

        >>> import connectoe
        >>> connectoe.load("tic-tac-toe").start.play("b2").turn
        1
        """
        return int(self.game.rules.player(self.position)) if self._is_ongoing else None

    @property
    def _is_ongoing(self) -> bool:
        return self._outcome == ONGOING

    @property
    def outcome(self) -> Outcome | None:
        """Who won and why, or why it is a draw; None while the game goes on.

        >>> import connectoe
        >>> connectoe.load("tic-tac-toe").state("XXX/OO1/3 O").outcome
        Outcome(winner=0, reason='three marks a3-c3', kind='three marks', line=((0, 2), (1, 2), (2, 2)))
        >>> connectoe.load("tic-tac-toe").start.outcome is None
        True
        """
        if self._is_ongoing:
            return None
        winner = None if self._outcome == DRAWN else self._outcome
        game, position = self.game, self.position
        return Outcome(winner, game.reason(position), game.ending(position), tuple(game.winning_line(position)))

    def moves(self) -> list[int]:
        """Return the legal moves as ints; none when the game is over.

        >>> import connectoe
        >>> connectoe.load("connect-four").start.moves()
        [0, 1, 2, 3, 4, 5, 6]
        """
        return [int(move) for move in self.game.rules.legal_moves(self.position)] if self._is_ongoing else []

    def legal_moves(self) -> list[str]:
        """Return the legal moves in notation, sorted; none when the game is over.

        >>> import connectoe
        >>> connectoe.load("connect-four").start.legal_moves()
        ['a', 'b', 'c', 'd', 'e', 'f', 'g']
        """
        texts = self.game.move_texts
        return sorted(texts[move] for move in self.moves())

    def why_illegal(self, move: str | int) -> str | None:
        """Return why the move is illegal, in the words of the rules; None if it is legal.

        >>> import connectoe
        >>> connectoe.load("tic-tac-toe").start.play("b2").why_illegal("b2")
        "'b2' is not legal: there is a mark on b2 already"
        """
        number = self.game.move_number(move)
        text = self.game.move_text(number)
        if outcome := self.outcome:
            return f"{text!r} comes after the end: the game is {self.game.how_it_ended(outcome)}"
        if number in self.game.rules.legal_moves(self.position):
            return None
        return f"{text!r} is not legal: {self.game.why_illegal(self.position, number)}"

    def play(self, move: str | int) -> State:
        """Return the state after a move given in notation or as an int, or raise IllegalMove with the reason.

        >>> import connectoe
        >>> connectoe.load("connect-four").start.play("d").play(3).text
        '7/7/7/7/3O3/3X3 X'
        """
        number = self.game.move_number(move)
        problem = self.why_illegal(number)
        if problem:
            raise IllegalMove(problem)
        return State(self.game, self.game.rules.play(self.position, number), LastMove(self.position, number))

    @property
    def text(self) -> str:
        """The position as a short line of text that `Game.state` reads back.

        >>> import connectoe
        >>> connectoe.load("tic-tac-toe").start.play("b2").text
        '3/1X1/3 O'
        """
        return self.game.write(self.position)

    def board(self) -> list[Any]:
        """Return the board as plain rows of text, top first (Shift Tac Toe: the 3x3 grid as nested lists).

        >>> import connectoe
        >>> connectoe.load("tic-tac-toe").start.play("b2").board()
        ['...', '.X.', '...']
        """
        return self.game.board(self.position)

    def scene(self) -> Scene:
        """Return what the position looks like, for renderers.

        >>> import connectoe
        >>> scene = connectoe.load("tic-tac-toe").start.play("b2").scene()
        >>> scene.mover, len(scene.cells), len(scene.targets)
        (1, 9, 8)
        """
        scene = self.game.scene(self.position, self.last)
        scene.status = self.status
        scene.mover = self.turn
        return scene

    @property
    def status(self) -> str:
        """One line of text: whose turn it is, or how the game ended.

        >>> import connectoe
        >>> connectoe.load("tic-tac-toe").state("XXX/OO1/3 O").status
        'X wins: three marks a3-c3'
        """
        return self.status_of(self.outcome)

    def status_of(self, outcome: Outcome | None) -> str:
        """Return the same line for an outcome that only the match knows, such as a resignation.

        >>> import connectoe
        >>> connectoe.load("tic-tac-toe").start.status_of(Outcome(1, "resignation"))
        'O wins: resignation'
        """
        if outcome is None:
            return f"{self.game.symbols[self.game.rules.player(self.position)]} to move"
        if outcome.winner is None:
            return f"Draw: {outcome.reason}"
        return f"{self.game.symbols[outcome.winner]} wins: {outcome.reason}"

    def svg(self, theme: str = "auto") -> str:
        """Return a picture of the position; the theme is 'light', 'dark' or 'auto' (the viewer's system setting).

        >>> import connectoe
        >>> picture = connectoe.load("tic-tac-toe").start.svg(theme="dark")
        >>> picture[:4], "X to move" in picture
        ('<svg', True)
        """
        return svg(self.scene(), theme)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return text(self.scene())

    def __repr__(self) -> str:
        return f"<State of {self.game!r}: {self.text}>"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State)
            and self.game == other.game
            and comparable(self.position) == comparable(other.position)
        )

    def __hash__(self) -> int:
        return hash((self.game, comparable(self.position)))

    def __reduce__(self) -> tuple[Any, ...]:
        return State, (self.game, self.position, self.last)
