"""Opponents and analyses that never wait for a compiler.

Levels are defined by what their compiled engines look at. Until those are compiled, the plain tree search plays for
them with what a short time allows: `easy` and `medium` look at as much as always in nearly every game, `hard` at less.
People look less far ahead until their searches are compiled.
"""

from __future__ import annotations

import random
from functools import partial

from connectoe.core.errors import UnknownPlayer
from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.core.swapping import is_before_swap
from connectoe.engines.effort import levels_of, simulations_for
from connectoe.engines.engine import Limits
from connectoe.engines.pie_rule import by_pie_rule
from connectoe.engines.plain_mcts import PlainMCTS
from connectoe.engines.readiness import Part, is_ready
from connectoe.people import PREFIX, STRONGEST, STUDIES_FROM, person
from connectoe.players import (
    DESCRIPTIONS,
    LEVELS,
    PERFECT,
    Player,
    can_play_perfectly,
    may_have_perfect,
    moves_of,
    player,
    strongest_level,
)

PATIENCE = {"easy": 0.8, "medium": 1.2, "hard": 2.0, PERFECT: 2.0}
"""The seconds that people wait at most for the first move of a level whose engine is not ready."""
NEEDS: dict[str, Part] = {"easy": "levels", "medium": "levels", "hard": "hard", PERFECT: "hard"}
"""What must be prepared for a level; a perfect player needs a table, or what a strong one needs."""


class PromptPerson:
    """One of the people, answering at once: until their searches are ready, they look less far.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("tic-tac-toe"))
    >>> PromptPerson("person:otto", match.game, seed=1).choose(match) in match.legal_moves()
    True
    """

    def __init__(self, name: str, game: Game, seed: int | None = None) -> None:
        self._who = name.removeprefix(PREFIX)
        self.game = game
        self.seed = seed
        self._person = person(self._who, game, seed, is_plain=True)
        self.name = self._person.name
        self.describes = self._person.describes

    @property
    def is_full_strength(self) -> bool:
        """Whether the last move was chosen at full skill."""
        return self._person.is_full_strength

    def choose(self, match: Match) -> str:
        """Return the person's move."""
        if not self._person.is_full_strength and self._can_be_itself():
            strongest = partial(player, STRONGEST, self.game, self.seed)
            self._person = person(self._who, self.game, self.seed, strongest=strongest)
        return self._person.choose(match)

    def _can_be_itself(self) -> bool:
        """Whether all that the person looks with is ready, the strongest level included if some moves are studied."""
        if self._person.skill > STUDIES_FROM and not at_full_strength(strongest_level(self.game), self.game):
            return False
        return is_ready(self.game, "people")


class PromptPlayer:
    """A level that answers at once: by its engine where that is ready, until then by the plain tree search.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("tic-tac-toe"))
    >>> PromptPlayer("easy", match.game, seed=1).choose(match) in match.legal_moves()
    True
    """

    def __init__(self, name: str, game: Game, seed: int | None = None, seconds: float | None = None) -> None:
        if name not in PATIENCE:
            raise UnknownPlayer(f"{name[:40]!r} is no level: the levels are {', '.join(PATIENCE)}")
        if name == PERFECT and not may_have_perfect(game):
            raise UnknownPlayer(f"there is no perfect player for {game.name} with these options: it is not solved here")
        self.name = name
        self.describes = DESCRIPTIONS[name]
        self.game = game
        self.seed = seed
        self.seconds = seconds
        self.is_full_strength = True
        """Whether the last move was chosen at the level's full strength."""
        self._engine_players: dict[str, Player] = {}
        self._stand_in = PlainMCTS(game, seed=random.randrange(1 << 60) if seed is None else seed)

    def choose(self, match: Match) -> str:
        """Return the move that the level, or the search that stands in for it, finds best."""
        moves_of(match)
        if self.name == PERFECT and not may_have_perfect(self.game):  # it turned out to be too large to be solved
            self.name, self.describes = "hard", DESCRIPTIONS["hard"]
        for name in (self.name, "hard") if self.name == PERFECT else (self.name,):
            if name in self._engine_players or at_full_strength(name, self.game):
                self.is_full_strength = name == self.name
                return self._engine_player(name).choose(match)
        return self._choose_by_stand_in(match)

    def _engine_player(self, name: str) -> Player:
        """Return the player of that name, which keeps what it knows from one move to the next."""
        if name not in self._engine_players:
            self._engine_players[name] = player(name, self.game, self.seed, self.seconds)
        return self._engine_players[name]

    def _choose_by_stand_in(self, match: Match) -> str:
        from connectoe.analysis import book_move

        position = match.state.position
        if self.name in ("hard", PERFECT) and not is_before_swap(match) and (known := book_move(self.game, position)):
            self.is_full_strength = True
            return self.game.move_text(known.move)
        level = self.name if self.name in LEVELS else "hard"
        usual = getattr(levels_of(self.game), level)
        wanted = simulations_for(level, usual, len(match.state.moves()))
        seconds = PATIENCE[self.name] if self.seconds is None else self.seconds
        if self.seconds is None and match.ply and match.state_at(match.ply - 1).turn == match.turn:
            seconds /= 2  # the second move of a turn
        found = self._stand_in.search(position, Limits(simulations=wanted, seconds=seconds))
        looked = sum(candidate.visits for candidate in found.candidates)
        self.is_full_strength = found.result is not None or (self.name != PERFECT and looked >= wanted - 1)
        return by_pie_rule(match, found)


def at_full_strength(name: str, game: Game) -> bool:
    """Whether a level can play as it is defined without anybody waiting."""
    if name == PERFECT:
        return can_play_perfectly(game, is_solver_ready=is_ready(game, NEEDS[PERFECT]))
    return is_ready(game, NEEDS[name])


def prompt_player(name: str, game: Game, seed: int | None = None, seconds: float | None = None) -> Player:
    """Return the opponent of that name; levels and people never wait for a compiler, other engines are compiled as
    needed."""
    if name.startswith(PREFIX):
        if name != STRONGEST:
            return PromptPerson(name, game.plain, seed)
        name = strongest_level(game)
    if name in PATIENCE:
        return PromptPlayer(name, game.plain, seed, seconds)
    return player(name, game, seed, seconds)
