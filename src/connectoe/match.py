"""A match: a whole game with its moves, players and result, and its records as text and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from connectoe.errors import ConnectoeError, IllegalMove
from connectoe.game import Game, Outcome
from connectoe.state import State, comparable

if TYPE_CHECKING:
    from connectoe.scene import Scene

REPETITION = Outcome(None, "repetition")
AGREEMENT = Outcome(None, "agreement")
TIMES_TO_DRAW = 3
"""How often the same position must stand, with the same player to move, for a match to be drawn."""


class Match:
    """A game being played: it knows its moves, repetition, resignation and agreed draws.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("tic-tac-toe"), players=("Ann", "Bob"))
    >>> for move in "b2 a1 c1 a3 a2".split():
    ...     match.play(move)
    >>> match.turn, match.undo()
    (1, 'a2')
    >>> match.play("a2")
    >>> match.resign()
    >>> match.outcome
    Outcome(winner=0, reason='resignation')
    >>> print(match.to_text())
    [Connectoe "1"]
    [Game "tic-tac-toe"]
    [First "Ann"]
    [Second "Bob"]
    [Result "1-0"]
    [Reason "resignation"]
    <BLANKLINE>
    1. b2 a1 2. c1 a3 3. a2 1-0
    <BLANKLINE>
    >>> connectoe.read_matches(match.to_text())[0] == match
    True
    """

    def __init__(
        self,
        game: Game,
        *,
        players: tuple[str, str] = ("", ""),
        date: str = "",
        start: State | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        if start is not None and start.game != game:
            raise ConnectoeError(f"the start position is one of {start.game!r}, the match is one of {game!r}")
        self.game = game
        self.players = players
        self.date = date
        """ISO date of the day it was played, or empty."""
        self.tags = dict(tags or {})
        """Anything else to remember about the match, by name."""
        self.comments: dict[int, str] = {}
        """What was said after so many moves; 0 is before the first."""
        self._states = [game.start if start is None else start]
        self._times_seen = Counter([comparable(self._states[0].position)])
        self._ended_by_players: Outcome | None = None

    @property
    def start(self) -> State:
        """The state the match began with."""
        return self._states[0]

    @property
    def state(self) -> State:
        """The state that stands on the board now."""
        return self._states[-1]

    @property
    def moves(self) -> list[str]:
        """The moves so far, in notation."""
        return [self.game.move_text(state.last.move) for state in self._states[1:] if state.last]

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""
        if self._ended_by_players:
            return self._ended_by_players
        if self.state.outcome:
            return self.state.outcome
        if self.game.can_repeat and self._times_seen[comparable(self.state.position)] >= TIMES_TO_DRAW:
            return REPETITION
        return None

    @property
    def turn(self) -> int | None:
        """The player to move; None when the match is over."""
        return None if self.outcome else self.state.turn

    @property
    def status(self) -> str:
        """One line for people: whose turn it is, or how the match ended."""
        return self.state.status_of(self.outcome)

    def legal_moves(self) -> list[str]:
        """The legal moves in notation, sorted; none when the match is over."""
        return [] if self.outcome else self.state.legal_moves()

    def play(self, move: str | int) -> None:
        """Plays a move for the player whose turn it is."""
        outcome = self.outcome
        if outcome:
            number = self.game.move_from(move) if isinstance(move, str) else move
            raise IllegalMove(f"{self.game.move_text(number)!r} comes after the end: the match is {outcome}")
        self._states.append(self.state.play(move))
        self._times_seen[comparable(self.state.position)] += 1

    def undo(self) -> str:
        """Takes back the last move, or first a resignation or agreed draw; returns what was taken back."""
        if self._ended_by_players:
            taken, self._ended_by_players = self._ended_by_players.reason, None
            return taken
        if len(self._states) == 1:
            raise IllegalMove("there is no move to take back")
        taken = self.moves[-1]
        self.comments.pop(len(self._states) - 1, None)
        self._times_seen[comparable(self._states.pop().position)] -= 1
        return taken

    def resign(self, player: int | None = None) -> None:
        """The player (the one to move, if not said) gives up; the other wins."""
        loser = self._still_playing() if player is None else player
        if loser not in (0, 1):
            raise IllegalMove(f"players are 0 and 1, not {loser!r}")
        self._still_playing()
        self._ended_by_players = Outcome(1 - loser, "resignation")

    def agree_draw(self) -> None:
        """Both players agree that nobody wins."""
        self._still_playing()
        self._ended_by_players = AGREEMENT

    def _still_playing(self) -> int:
        turn = self.turn
        if turn is None:
            raise IllegalMove(f"the match is over: it is {self.outcome}")
        return turn

    def comment(self, text: str) -> None:
        """Says something about the last move."""
        self.comments[len(self._states) - 1] = text

    def scene(self) -> Scene:
        """What the board looks like now, each piece under one id for as long as it lives, wherever it goes."""
        scene = self.state.scene()
        scene.status = self.status
        if self.outcome and not self.state.outcome:
            scene.targets.clear()
        if type(self.game).travels is not Game.travels:
            lives = self._lives()
            scene.pieces = [piece._replace(id=lives.get(piece.id, piece.id)) for piece in scene.pieces]
        return scene

    def _lives(self) -> dict[str, str]:
        """For each piece id of the present scene, which names a place, the id under which that piece came in."""
        lives = {piece.id: piece.id for piece in self.game.scene(self.start.position).pieces}
        for number, state in enumerate(self._states[1:], start=1):
            if state.last:
                goes = self.game.travels(state.last.before, state.last.move)
                now_at = {place: goes.get(place, place) for place in lives}
                lives = {place: lives[before] for before, place in now_at.items() if place is not None}
            for piece in self.game.scene(state.position).pieces:
                lives.setdefault(piece.id, f"{piece.id}-{number}")
        return lives

    def to_text(self) -> str:
        """The match as a record for people, much like chess's PGN."""
        from connectoe.records import to_text

        return to_text(self)

    def to_json(self) -> str:
        """The match as one line of JSON."""
        from connectoe.records import to_json

        return to_json(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self._facts() == other._facts()

    __hash__ = None  # type: ignore[assignment]

    def _facts(self) -> tuple[object, ...]:
        return (
            self.game,
            self.players,
            self.date,
            self.tags,
            self.comments,
            self.start,
            self.moves,
            self._ended_by_players,
        )

    def __repr__(self) -> str:
        return f"<Match of {self.game!r}: {len(self._states) - 1} moves, {self.status}>"
