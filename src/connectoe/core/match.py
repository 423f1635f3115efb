"""A match: a whole game with its moves, players and result, and its records as text and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from connectoe.core import writing
from connectoe.core.budget import check_budget
from connectoe.core.errors import ConnectoeError, IllegalMove
from connectoe.core.game import Game
from connectoe.core.outcome import Outcome
from connectoe.core.piece_ids import PieceIds
from connectoe.core.record_texts import checked_day, checked_text, tag_name, two_names
from connectoe.core.rules import is_int
from connectoe.core.state import State, comparable
from connectoe.core.swapping import SWAP_MOVE, may_swap, swap_note, why_no_swap

if TYPE_CHECKING:
    from connectoe.scene import Piece, Scene

REPETITION = Outcome(None, "repetition", "repetition")
AGREEMENT = Outcome(None, "agreement", "agreement")
RESIGNATION = "resignation"
TIMES_TO_DRAW = 3
"""How often the same position must occur, with the same player to move, for a match to be drawn."""


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
    Outcome(winner=0, reason='resignation', ...)
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
        self.players = two_names(players)
        self.date = checked_day(date)
        """ISO date of the day it was played, or empty."""
        self.tags = {
            tag_name(name): checked_text(str(value), f"the tag {name}") for name, value in (tags or {}).items()
        }
        """Anything else to remember about the match, by name."""
        self._comments: dict[int, str] = {}
        self._states = [game.start if start is None else start]
        self._times_seen = Counter([comparable(self._states[0].position)])
        self._piece_ids = PieceIds()
        self._ended_by_players: Outcome | None = None
        self._swap_ply: int | None = None

    @property
    def start(self) -> State:
        """The state in which the match started."""
        return self._states[0]

    @property
    def state(self) -> State:
        """The current state."""
        return self._states[-1]

    def state_at(self, ply: int) -> State:
        """Return the state after this many moves.

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
        return [self.game.move_text(state.last.move) if state.last else SWAP_MOVE for state in self._states[1:]]

    @property
    def is_swapped(self) -> bool:
        """Whether the players have changed sides by the pie rule; `players` are then named by their new sides."""
        return self._swap_ply is not None

    @property
    def may_swap(self) -> bool:
        """Whether the player to move may answer `swap`."""
        return may_swap(self)

    def side_of(self, ply: int) -> int | None:
        """Return the side that the player who moved after `ply` moves has now; before a swap it was the other."""
        turn = self.state_at(ply).turn
        was_before = self._swap_ply is not None and ply < self._swap_ply
        return 1 - turn if was_before and turn is not None else turn

    @property
    def comments(self) -> Mapping[int, str]:
        """Comments by the number of moves before them, read-only; `comment` adds one.

        >>> import connectoe
        >>> [match] = connectoe.read_matches('[Connectoe "1"] [Game "tic-tac-toe"] 1. b2 {the middle}')
        >>> match.comments[1]
        'the middle'
        """
        return MappingProxyType(self._comments)

    @property
    def ply(self) -> int:
        """The number of moves made."""
        return len(self._states) - 1

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on.

        >>> import connectoe
        >>> match = Match(connectoe.load("tic-tac-toe"))
        >>> match.resign()
        >>> match.outcome
        Outcome(winner=1, reason='resignation', ...)
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
        """The player to move; None when the match is over."""
        return None if self.outcome else self.state.turn

    @property
    def status(self) -> str:
        """One line of text: whose turn it is, or how the match ended.

        >>> import connectoe
        >>> Match(connectoe.load("shift-tac-toe")).status
        'O to move'
        """
        return self.state.status_of(self.outcome)

    def legal_moves(self) -> list[str]:
        """Return the legal moves in notation, sorted; none when the match is over.

        >>> import connectoe
        >>> match = Match(connectoe.load("connect-four", cols=3))
        >>> match.legal_moves()
        ['a', 'b', 'c']
        """
        if self.outcome:
            return []
        return self.state.legal_moves() + ([SWAP_MOVE] if self.may_swap else [])

    def repeating_moves(self) -> list[int]:
        """Return the legal moves that draw the match because the same position occurs for the third time.

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
        """Play a move for the player whose turn it is.

        >>> import connectoe
        >>> match = Match(connectoe.load("connect-four"))
        >>> match.play("d")
        >>> match.play("h")
        Traceback (most recent call last):
        connectoe.core.errors.IllegalMove: 'h' is no move of connect-four: a move is the letter of a column, like d
        """
        check_budget()
        outcome = self.outcome
        if outcome:
            text = move if move == SWAP_MOVE else self.game.move_text(self.game.move_number(move))
            raise IllegalMove(f"{text!r} comes after the end: the match is {self.game.how_it_ended(outcome)}")
        if move == SWAP_MOVE and self.game.swap == "yes":
            self._swap()
            return
        self._states.append(self.state.play(move))
        self._times_seen[comparable(self.state.position)] += 1

    def _swap(self) -> None:
        if not self.may_swap:
            raise IllegalMove(why_no_swap(self))
        self._states.append(State(self.game, self.state.position))
        self._swap_ply = self.ply
        self.players = (self.players[1], self.players[0])

    def undo(self) -> str:
        """Take back the last move, or a resignation or agreed draw after it, and return what was taken back.

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
        taken = self.moves[-1]
        self._comments.pop(self.ply, None)
        self._piece_ids.forget(self.ply)
        if self.ply == self._swap_ply:
            self._swap_ply = None
            self.players = (self.players[1], self.players[0])
            self._states.pop()
            return taken
        self._times_seen[comparable(self._states.pop().position)] -= 1
        return taken

    def copy(self) -> Match:
        """Return an independent copy of the match.

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
        twin._piece_ids = self._piece_ids.copy()
        twin._ended_by_players = self._ended_by_players
        twin._swap_ply = self._swap_ply
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Match:
        return self.copy()  # its states cannot change, so that both can share them

    def beginning(self, ply: int) -> Match:
        """Return a copy of the match after this many moves, without a resignation or agreed draw.

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
        """Let a player resign, by default the one to move; the other wins.

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
        self._ended_by_players = Outcome(1 - int(loser), RESIGNATION, RESIGNATION)

    def agree_draw(self) -> None:
        """End the match as a draw by agreement."""
        self._still_playing()
        self._ended_by_players = AGREEMENT

    def _still_playing(self) -> int:
        if outcome := self.outcome:
            raise IllegalMove(f"the match is over: it is {self.game.how_it_ended(outcome)}")
        return int(self.game.rules.player(self.state.position))

    def comment(self, text: str, ply: int | None = None) -> None:
        """Comment on the last move, or on another by its number; 0 is before the first move.

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
        self._comments[int(ply)] = checked_text(text, "a comment")

    def scene(self, ply: int | None = None) -> Scene:
        """Return what the board looks like, now or after `ply` moves; a piece keeps its id while it is in play.

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
        scene = self.state_at(ply if ply != self._swap_ply else ply - 1).scene()
        if ply == self.ply and self.may_swap:
            scene.notes.append(swap_note(self))
        if ply == self.ply:
            scene.status = self.status
            scene.mover = self.turn
            if self.outcome and not self.state.outcome:
                scene.targets.clear()
        scene.pieces = self._piece_ids.named(scene.pieces, self._states, ply)
        return scene

    def stages(self, ply: int, after: Scene | None = None) -> list[list[Piece]]:
        """Return the pieces after each step of move number `ply`, the last as in `scene(ply)`.

        `after` is that scene, if it has been made before.

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
        stages = list(self.game.stages(last.before, last.move))
        if self.game.pieces_travel:
            stages = stages[:-1]  # the last of them shows the end of the move, as the scene does
        last_pieces = (after or self.scene(ply)).pieces
        return [*(self._piece_ids.named(pieces, self._states, ply - 1) for pieces in stages), last_pieces]

    def to_text(self) -> str:
        """Return the match as a text record, similar to chess's PGN.

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
        return writing.to_text(self)

    def to_json(self) -> str:
        """Return the match as one line of JSON.

        >>> import connectoe
        >>> match = Match(connectoe.load("tic-tac-toe"))
        >>> match.to_json()
        '{"connectoe": 1, "game": "tic-tac-toe", ...}'
        """
        return writing.to_json(self)

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
