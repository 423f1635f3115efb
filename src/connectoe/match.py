"""A match: a whole game with its moves, players and result, and its records as text and JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date as date_of_day
from types import MappingProxyType
from typing import TYPE_CHECKING

from connectoe.errors import ConnectoeError, IllegalMove
from connectoe.game import Game, Outcome, is_int
from connectoe.state import State, comparable

if TYPE_CHECKING:
    from connectoe.scene import Piece, Scene

REPETITION = Outcome(None, "repetition")
AGREEMENT = Outcome(None, "agreement")
RESIGNATION = "resignation"
TIMES_TO_DRAW = 3
"""How often the same position must stand, with the same player to move, for a match to be drawn."""
LIVES_KEPT_EVERY = 8
"""The plies after which it is written down which piece is which, so that no long match is followed from its start."""


TAG_NAME = re.compile("[A-Za-z][A-Za-z0-9_]{0,40}")
OWN_TAGS = ("Connectoe", "Game", "Options", "First", "Second", "Date", "Start", "Result", "Reason")
"""The headers of a record that say what the match itself knows."""


def _text(given: object, what: str) -> str:
    """The text that was given; refused if a record could not hold it."""
    if not isinstance(given, str):
        raise ConnectoeError(f"{what} is a text, not {given!r:.40}")
    if any("\ud800" <= character <= "\udfff" for character in given):
        raise ConnectoeError(f"{what} holds half a character (a lone surrogate)")
    return given


def _two_names(players: Sequence[str]) -> tuple[str, str]:
    if isinstance(players, str) or len(players) != 2 or not all(isinstance(name, str) for name in players):
        raise ConnectoeError(f"players are two names, not {players!r:.40}")
    return _text(players[0], "the name of a player"), _text(players[1], "the name of a player")


def _day(text: str) -> str:
    try:
        return date_of_day.fromisoformat(text).isoformat() if text else ""
    except (ValueError, TypeError):
        raise ConnectoeError(f"a date looks like 2026-11-15, not {text!r:.30}") from None


def _tag_name(name: str) -> str:
    if not isinstance(name, str) or not TAG_NAME.fullmatch(name) or name in OWN_TAGS:
        raise ConnectoeError(f"the tag {name!r:.40} must be a word that is no header of its own")
    return name


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
        players: Sequence[str] = ("", ""),
        date: str = "",
        start: State | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> None:
        if start is not None and start.game != game:
            raise ConnectoeError(f"the start position is one of {start.game!r}, the match is one of {game!r}")
        self.game = game
        self.players = _two_names(players)
        self.date = _day(date)
        """ISO date of the day it was played, or empty."""
        self.tags = {_tag_name(name): _text(str(value), f"the tag {name}") for name, value in (tags or {}).items()}
        """Anything else to remember about the match, by name."""
        self._comments: dict[int, str] = {}
        self._states = [game.start if start is None else start]
        self._times_seen = Counter([comparable(self._states[0].position)])
        self._lives: dict[int, dict[str, str]] = {}
        self._ended_by_players: Outcome | None = None

    @property
    def start(self) -> State:
        """The state the match began with.

        >>> import connectoe
        >>> game = connectoe.load("tic-tac-toe")
        >>> Match(game, start=game.state("3/1X1/3 O")).start.turn
        1
        """
        return self._states[0]

    @property
    def state(self) -> State:
        """The state that stands on the board now.

        >>> import connectoe
        >>> match = Match(connectoe.load("tic-tac-toe"))
        >>> match.play("b2")
        >>> match.state.text
        '3/1X1/3 O'
        """
        return self._states[-1]

    def state_at(self, ply: int) -> State:
        """The state that stood on the board after so many moves.

        >>> import connectoe
        >>> match = Match(connectoe.load("tic-tac-toe"))
        >>> match.play("b2")
        >>> match.state_at(0) == match.start, match.state_at(1) == match.state
        (True, True)
        """
        if not 0 <= ply <= self.ply:
            raise IllegalMove(f"the match has {self.ply} moves: there is no state after {ply}")
        return self._states[ply]

    @property
    def moves(self) -> list[str]:
        """The moves so far, in notation.

        >>> import connectoe
        >>> [match] = connectoe.read_matches('[Connectoe "1"] [Game "tic-tac-toe"] 1. b2 a1')
        >>> match.moves
        ['b2', 'a1']
        """
        return [self.game.move_text(state.last.move) for state in self._states[1:] if state.last]

    @property
    def comments(self) -> Mapping[int, str]:
        """What was said after so many moves; 0 is before the first. To be read: `comment` says something.

        >>> import connectoe
        >>> [match] = connectoe.read_matches('[Connectoe "1"] [Game "tic-tac-toe"] 1. b2 {the middle}')
        >>> match.comments[1]
        'the middle'
        """
        return MappingProxyType(self._comments)

    @property
    def ply(self) -> int:
        """How many moves have been made.

        >>> import connectoe
        >>> match = connectoe.Match(connectoe.load("connect-four"))
        >>> match.play("d")
        >>> match.ply
        1
        """
        return len(self._states) - 1

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on.

        >>> import connectoe
        >>> match = Match(connectoe.load("tic-tac-toe"))
        >>> match.resign()
        >>> match.outcome
        Outcome(winner=1, reason='resignation')
        """
        if self._ended_by_players:
            return self._ended_by_players
        if self.state.outcome:
            return self.state.outcome
        if self.game.can_repeat and self._times_seen[comparable(self.state.position)] >= TIMES_TO_DRAW:
            return REPETITION
        return None

    @property
    def turn(self) -> int | None:
        """The player to move; None when the match is over.

        >>> import connectoe
        >>> match = Match(connectoe.load("tic-tac-toe"))
        >>> match.play("b2")
        >>> match.turn
        1
        """
        return None if self.outcome else self.state.turn

    @property
    def status(self) -> str:
        """One line for people: whose turn it is, or how the match ended.

        >>> import connectoe
        >>> Match(connectoe.load("shift-tac-toe")).status
        'O to move'
        """
        return self.state.status_of(self.outcome)

    def legal_moves(self) -> list[str]:
        """The legal moves in notation, sorted; none when the match is over.

        >>> import connectoe
        >>> match = Match(connectoe.load("connect-four", cols=3))
        >>> match.legal_moves()
        ['a', 'b', 'c']
        """
        return [] if self.outcome else self.state.legal_moves()

    def repeating_moves(self) -> list[int]:
        """The legal moves after which the same position stands for the third time, so that the match is drawn.

        >>> import connectoe
        >>> match = Match(connectoe.load("shift-tac-toe"))
        >>> for slide in "747":
        ...     match.play(slide)
        >>> [match.game.move_text(move) for move in match.repeating_moves()]
        ['4']
        """
        if not self.game.can_repeat or self.outcome:
            return []
        play, position = self.game.rules.play, self.state.position
        return [
            move
            for move in self.state.moves()
            if self._times_seen[comparable(play(position, move))] >= TIMES_TO_DRAW - 1
        ]

    def play(self, move: str | int) -> None:
        """Plays a move for the player whose turn it is.

        >>> import connectoe
        >>> match = Match(connectoe.load("connect-four"))
        >>> match.play("d")
        >>> match.play("h")
        Traceback (most recent call last):
        connectoe.errors.IllegalMove: 'h' is no move of connect-four: a move is the letter of a column, like d
        """
        outcome = self.outcome
        if outcome:
            text = self.game.move_text(self.game.move_number(move))
            raise IllegalMove(f"{text!r} comes after the end: the match is {self.game.how_it_ended(outcome)}")
        self._states.append(self.state.play(move))
        self._times_seen[comparable(self.state.position)] += 1

    def undo(self) -> str:
        """Takes back the last move, or first a resignation or agreed draw; returns what was taken back.

        >>> import connectoe
        >>> match = Match(connectoe.load("connect-four"))
        >>> match.play("d")
        >>> match.undo(), match.moves
        ('d', [])
        """
        if self._ended_by_players:
            taken, self._ended_by_players = self._ended_by_players.reason, None
            return taken
        if len(self._states) == 1:
            raise IllegalMove("there is no move to take back")
        taken = self.game.move_text(self.state.last.move) if self.state.last else ""
        self._comments.pop(self.ply, None)
        self._lives.pop(self.ply, None)
        self._times_seen[comparable(self._states.pop().position)] -= 1
        return taken

    def copy(self) -> Match:
        """Another match that stands where this one does; what happens to one does not happen to the other.

        >>> import connectoe
        >>> match = Match(connectoe.load("connect-four"))
        >>> other = match.copy()
        >>> other.play("d")
        >>> match.ply, other.ply
        (0, 1)
        """
        twin = Match(self.game, players=self.players, date=self.date, start=self.start, tags=self.tags)
        twin._comments = dict(self._comments)
        twin._states = list(self._states)
        twin._times_seen = self._times_seen.copy()
        twin._lives = dict(self._lives)
        twin._ended_by_players = self._ended_by_players
        return twin

    __copy__ = copy

    def beginning(self, ply: int) -> Match:
        """Another match, of the first moves of this one; no resignation or agreed draw ends it.

        >>> import connectoe
        >>> match = Match(connectoe.load("connect-four"))
        >>> for move in "ded":
        ...     match.play(move)
        >>> match.resign()
        >>> match.beginning(2).moves, match.beginning(3).status
        (['d', 'e'], 'O to move')
        """
        earlier = self.copy()
        earlier._ended_by_players = None
        while earlier.ply > ply:
            earlier.undo()
        return earlier

    def resign(self, player: int | None = None) -> None:
        """The player (the one to move, if not said) gives up; the other wins.

        >>> import connectoe
        >>> match = Match(connectoe.load("connect-four"))
        >>> match.resign()
        >>> match.status
        'O wins: resignation'
        """
        loser = self._still_playing() if player is None else player
        if not is_int(loser) or loser not in (0, 1):
            raise IllegalMove(f"players are 0 and 1, not {loser!r}")
        self._still_playing()
        self._ended_by_players = Outcome(1 - int(loser), RESIGNATION)

    def agree_draw(self) -> None:
        """Both players agree that nobody wins.

        >>> import connectoe
        >>> match = Match(connectoe.load("connect-four"))
        >>> match.agree_draw()
        >>> match.status
        'Draw: agreement'
        """
        self._still_playing()
        self._ended_by_players = AGREEMENT

    def _still_playing(self) -> int:
        if outcome := self.outcome:
            raise IllegalMove(f"the match is over: it is {self.game.how_it_ended(outcome)}")
        return int(self.game.rules.player(self.state.position))

    def comment(self, text: str, ply: int | None = None) -> None:
        """Says something about the last move, or about another by its number; 0 is before the first.

        >>> import connectoe
        >>> match = Match(connectoe.load("connect-four"))
        >>> match.play("d")
        >>> match.comment("the middle, as always")
        >>> match.comment("a friendly match", 0)
        >>> dict(match.comments)
        {1: 'the middle, as always', 0: 'a friendly match'}
        """
        ply = self.ply if ply is None else ply
        if not is_int(ply) or not 0 <= ply <= self.ply:
            raise ConnectoeError(f"a comment belongs to a number of moves up to {self.ply}, not to {ply!r:.20}")
        self._comments[int(ply)] = _text(text, "a comment")

    def scene(self, ply: int | None = None) -> Scene:
        """What the board looks like now, or did after so many moves, each piece under one id for as long as it lives.

        >>> import connectoe
        >>> match = Match(connectoe.load("shift-tac-toe"))
        >>> match.play("1")
        >>> before = match.scene().pieces[0]
        >>> match.play("9")
        >>> after = match.scene().pieces[0]
        >>> before.id == after.id, before.x > after.x
        (True, True)
        """
        ply = self.ply if ply is None else ply
        scene = self.state_at(ply).scene()
        if ply == self.ply:
            scene.status = self.status
            if self.outcome and not self.state.outcome:
                scene.targets.clear()
        scene.pieces = self._named_for_life(scene.pieces, ply)
        return scene

    def stages(self, ply: int) -> list[list[Piece]]:
        """How move number `ply` happened: the pieces after each of its steps, the last as in `scene(ply)`.

        >>> import connectoe
        >>> match = Match(connectoe.load("shift-tac-toe"))
        >>> for move in "119":
        ...     match.play(move)
        >>> [[(piece.id, piece.x, piece.y) for piece in pieces] for pieces in match.stages(3)]
        [[('piece-a1-1', -0.65, 2.5), ('piece-a2-2', 0.5, 1.5)], [('piece-a1-1', -0.65, 2.5), ('piece-a2-2', 0.5, 2.5)]]
        """
        last = self.state_at(ply).last
        if last is None:
            return []
        between = [self._named_for_life(pieces, ply - 1) for pieces in self.game.stages(last.before, last.move)]
        return [*between, self.scene(ply).pieces]

    def _named_for_life(self, pieces: Sequence[Piece], ply: int) -> list[Piece]:
        if type(self.game).travels is Game.travels:
            return list(pieces)
        lives = self._lives_at(ply)
        return [piece._replace(id=lives.get(piece.id, piece.id)) for piece in pieces]

    def _lives_at(self, ply: int) -> dict[str, str]:
        """For each piece id of a scene, which names a place, the id under which that piece came in."""
        known = ply - ply % LIVES_KEPT_EVERY
        while known and known not in self._lives:
            known -= LIVES_KEPT_EVERY
        if known:
            lives = self._lives[known]
        else:
            lives = {piece.id: piece.id for piece in self.game.scene(self.start.position).pieces}
        for number in range(known + 1, ply + 1):
            lives = self._lives_after(lives, number)
            if number % LIVES_KEPT_EVERY == 0:
                self._lives[number] = lives
        return lives

    def _lives_after(self, lives: dict[str, str], ply: int) -> dict[str, str]:
        """The same after one more move: pieces go elsewhere, leave, and come in."""
        state = self._states[ply]
        goes = self.game.travels(state.last.before, state.last.move) if state.last else {}
        now_at = {place: goes.get(place, place) for place in lives}
        after = {place: lives[before] for before, place in now_at.items() if place is not None}
        for piece in self.game.scene(state.position).pieces:
            after.setdefault(piece.id, f"{piece.id}-{ply}")
        return after

    def to_text(self) -> str:
        """The match as a record for people, much like chess's PGN.

        >>> import connectoe
        >>> match = Match(connectoe.load("tic-tac-toe"), players=("Ann", "Bob"))
        >>> match.play("b2")
        >>> print(match.to_text())
        [Connectoe "1"]
        [Game "tic-tac-toe"]
        [First "Ann"]
        [Second "Bob"]
        [Result "*"]
        <BLANKLINE>
        1. b2 *
        <BLANKLINE>
        """
        from connectoe.records import to_text

        return to_text(self)

    def to_json(self) -> str:
        """The match as one line of JSON.

        >>> import connectoe
        >>> match = Match(connectoe.load("tic-tac-toe"))
        >>> match.to_json()
        '{"connectoe": 1, "game": "tic-tac-toe", ...}'
        """
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
            self._comments,
            self.start,
            self.moves,
            self._ended_by_players,
        )

    def __repr__(self) -> str:
        return f"<Match of {self.game!r}: {self.ply} move{'' if self.ply == 1 else 's'}, {self.status}>"
