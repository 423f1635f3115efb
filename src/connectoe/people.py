"""Opponents like people: they overlook what is hidden, not what chance picks.

A person of this kind goes by feeling (how random games end after each move, which says nothing of traps) and by what
they see: forced wins and losses within a few plies. The longer such a line is, the more likely they are to overlook it.
They see a threat on the board sooner than one that their own move opens: a reply that would win after most other moves
too is a threat that everybody looks at, while one that wins only after this move surprises them.

One number, the skill from 0 to 3, decides how far they look, how attentive they are, and how good their feeling is:

- up to 1, a feeling comes from random games;
- up to 2, it is trained: it comes from a small tree search at more and more of their moves, and soon at all of them;
  what their own move opens surprises them less;
- up to 3, they have studied: more and more of their moves are those of the strongest level.

Nothing jumps from one skill to the next, so that people can be placed at even steps. A game declares the skills of its
ten people in `Levels.people`, as `connectoe ladder` has measured them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from connectoe.core.errors import ConnectoeError, UnknownPlayer
from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.core.rules import ONGOING
from connectoe.engines.effort import levels_of
from connectoe.engines.engine import Limits, NotSolved


class Character(NamedTuple):
    """The person in a sentence, which the name begins."""

    name: str
    describes: str

    def __str__(self) -> str:
        return f"{self.name} {self.describes}"


CHARACTERS = (
    Character("Pip", "is six and plays where it looks nice; sometimes misses a win that is right there"),
    Character("Nell", "is after her own line, and now and then forgets that you have one too"),
    Character("Otto", "blocks what stands on the board, but not what his own move opens"),
    Character("Mina", "plays fast, and is caught by traps of two moves"),
    Character("Hugo", "has played for years without studying; solid until it gets complicated"),
    Character("Vera", "sees most double threats, her own sooner than yours"),
    Character("Sam", "calculates when he has to, and stops one move too early"),
    Character("Iris", "rarely overlooks anything short; long plans slip past her"),
    Character("Boris", "plays in clubs, and punishes every loose move"),
    Character("Ada", "makes no mistakes that anybody has found"),
)
"""From the weakest to the strongest; the last one plays as the strongest level of the game."""
NAMES = tuple(character.name.lower() for character in CHARACTERS)
PREFIX = "person:"
"""The prefix of the names of people among the players."""
STRONGEST = PREFIX + NAMES[-1]
USUAL_SKILLS = tuple(number / 5 for number in range(9))
"""The skills of all but the last, in a game that declares none."""

LEAST_ATTENTION = 0.25
FEWEST_PLAYOUTS, MOST_PLAYOUTS = 4, 128
"""The random games after each move that make a feeling."""
MOST_RANDOM_GAMES = 81 * MOST_PLAYOUTS
"""The random games for one decision, so that it does not take long where there are hundreds of moves."""
FARTHEST_SIGHT = 7
"""The plies that somebody of skill 1 looks ahead."""
TRAINED_SIGHT = 6
"""The plies that somebody of skill 2 looks ahead beyond that."""
FEWEST_SIMULATIONS, MOST_SIMULATIONS = 500, 100_000
"""The simulations of the tree search by which somebody with a skill above 1 feels; the most from skill 2 on."""
WHOLLY_TRAINED = 1.25
"""The skill from which on somebody feels by the tree search at every move; between 1 and this, at a part of them."""
STUDIES_FROM = 2.0
"""The skill beyond which somebody has studied some moves."""
MOST_SKILL = 3.0
HIDDEN = 0.4
"""How visible a reply is that wins only after the one move that allows it; 1 for a threat that always stands."""
OTHERS_ASKED = 6
NODES = 200_000
"""The nodes that the search for one forced win may take; what takes more is not seen."""


class Chooser(Protocol):
    """Something that chooses moves."""

    def choose(self, match: Match) -> str:
        """Return a legal move."""
        ...


class Person:
    """Plays like a person of some skill, who asks `strongest` for the moves that they have studied.

    >>> import connectoe
    >>> match = Match(connectoe.load("tic-tac-toe"))
    >>> Person(match.game, skill=0.5, seed=1).choose(match) in match.legal_moves()
    True
    """

    is_deterministic = False
    is_timed = False
    is_full_strength = True

    def __init__(
        self,
        game: Game,
        skill: float,
        seed: int | None = None,
        name: str = "",
        describes: str = "plays like a person",
        strongest: Callable[[], Chooser] | None = None,
    ) -> None:
        if not 0 <= skill <= MOST_SKILL:
            raise UnknownPlayer(f"the skill of a person is between 0 and {MOST_SKILL:g}, not {skill}")
        self.game = game
        self.name = name or f"person:{skill:g}"
        self.describes = describes
        self.skill = skill
        usual, trained = min(skill, 1.0), min(max(skill - 1.0, 0.0), 1.0)
        self.attention = LEAST_ATTENTION + (1 - LEAST_ATTENTION) * usual
        self.hidden = HIDDEN + (1 - HIDDEN) * trained
        self.sight = 1 + round((FARTHEST_SIGHT - 1) * usual + TRAINED_SIGHT * trained)
        self.playouts = round(FEWEST_PLAYOUTS * (MOST_PLAYOUTS / FEWEST_PLAYOUTS) ** usual)
        simulations = FEWEST_SIMULATIONS * (MOST_SIMULATIONS / FEWEST_SIMULATIONS) ** trained
        self.simulations = round(simulations) if trained else 0
        self.searches = min(1.0, (skill - 1.0) / (WHOLLY_TRAINED - 1.0)) if trained else 0.0
        """The share of moves at which this person feels by the tree search."""
        self.studied = max(skill - STUDIES_FROM, 0.0) if strongest else 0.0
        """The share of moves that are those of the strongest level."""
        self.work = self.simulations or self.playouts
        self._make_strongest = strongest
        self._strongest: Chooser | None = None
        self.dice = random.Random(seed)

    def choose(self, match: Match) -> str:
        """Return a move: a win that is seen, or the move that feels best of those with no refutation seen."""
        if outcome := match.outcome:
            raise ConnectoeError(f"there is no move to choose: the match is {match.game.how_it_ended(outcome)}")
        if self._make_strongest and self.dice.random() < self.studied:
            self._strongest = self._strongest or self._make_strongest()
            return self._strongest.choose(match)
        position = match.state.position
        moves = match.state.moves()
        if won := self._winning_move(position):
            return self.game.move_text(won[0])
        games = self.games_after_each(len(moves))
        feelings = self._trained_feelings(position) or {move: self._feeling(position, move, games) for move in moves}
        by_feeling = sorted(moves, key=lambda move: -feelings[move])
        for move in by_feeling:
            if not self.sees_refutation(position, move, by_feeling):
                return self.game.move_text(move)
        return self.game.move_text(by_feeling[0])

    def games_after_each(self, moves: int) -> int:
        """Return how many random games this person feels after each of so many moves.

        >>> import connectoe
        >>> somebody = person("1", connectoe.load("ultimate-ultimate"))
        >>> somebody.games_after_each(9), somebody.games_after_each(729)
        (128, 14)
        """
        return max(1, min(int(self.playouts), MOST_RANDOM_GAMES // moves))

    def _sees(self, plies: int, visibility: float = 1.0) -> bool:
        """Whether something that takes this many plies is seen."""
        return self.dice.random() < visibility * float(self.attention ** ((plies + 1) / 2))

    def _winning_move(self, position: Any) -> list[int]:
        """Return a move that wins by force, if one is seen."""
        rules = self.game.rules
        player = rules.player(position)
        moves = [int(move) for move in rules.legal_moves(position)]
        with suppress(NotSolved):  # what takes too long to see is not seen
            for plies in range(1, self.sight + 1):
                if plies == 1 or self._forces(position, player, plies):
                    won = [move for move in moves if self._forces(rules.play(position, move), player, plies - 1)]
                    if won:
                        return [self.dice.choice(won)] if self._sees(plies) else []
        return []

    def sees_refutation(self, position: Any, move: int, others: Sequence[int]) -> bool:
        """Whether a move loses by force and the person sees it; `others` are all moves they think of."""
        rules = self.game.rules
        player = rules.player(position)
        after = rules.play(position, move)
        if rules.outcome(after) != ONGOING:
            return bool(rules.outcome(after) == 1 - player) and self._sees(1)
        with suppress(NotSolved):
            for plies in range(1, self.sight):
                if self._forces(after, 1 - player, plies):
                    stands = self.hidden + (1 - self.hidden) / plies
                    return self._sees(plies, self._visibility(position, after, others) if plies == 1 else stands)
        return False

    def _visibility(self, position: Any, after: Any, others: Sequence[int]) -> float:
        """Return how visible a reply is that wins at once: 1 if it would win after all other moves too."""
        rules = self.game.rules
        opponent = rules.player(after)
        reply = next(
            int(move) for move in rules.legal_moves(after) if rules.outcome(rules.play(after, move)) == opponent
        )
        asked = self.dice.sample(list(others), min(OTHERS_ASKED, len(others)))
        stands = sum(self._wins_by(rules.play(position, other), opponent, reply) for other in asked)
        return self.hidden + (1 - self.hidden) * stands / len(asked)

    def _wins_by(self, position: Any, player: int, reply: int) -> bool:
        rules = self.game.rules
        if rules.outcome(position) != ONGOING or rules.player(position) != player:
            return False
        return reply in rules.legal_moves(position) and bool(rules.outcome(rules.play(position, reply)) == player)

    def _forces(self, position: Any, player: int, plies: int) -> bool:
        """Whether a player forces a win within this many plies; raise NotSolved if that takes too long to see."""
        rules = self.game.rules
        outcome = rules.outcome(position)
        if outcome != ONGOING or plies < 1:
            return bool(outcome == player)
        if plies == 1:
            return rules.player(position) == player and any(
                rules.outcome(rules.play(position, move)) == player for move in rules.legal_moves(position)
            )
        search = _proof_search(self.game)
        return search is not None and bool(search.wins_within(position, player, plies, NODES))

    def _trained_feelings(self, position: Any) -> dict[int, float]:
        """Return how good each move feels to somebody with training: what a small tree search prefers; else nothing."""
        from connectoe.engines.mcts import MCTS

        if self.dice.random() >= self.searches:
            return {}
        found = MCTS(self.game, seed=self.dice.getrandbits(30)).search(position, Limits(simulations=self.simulations))
        return {candidate.move: -float(place) for place, candidate in enumerate(found.candidates)}

    def _feeling(self, position: Any, move: int, games: int) -> float:
        """Return how good a move feels: how random games after it end."""
        from connectoe.engines.playouts import play_out

        rules = self.game.rules
        player = rules.player(position)
        after = rules.play(position, move)
        if rules.outcome(after) != ONGOING:
            return 0.5
        seed = self.dice.getrandbits(30)
        shares = play_out(self.game, games, position=after, seed=seed, threads=1).shares
        return shares[player] + shares[2] / 2


@lru_cache(maxsize=8)
def _proof_search(game: Game) -> Any:
    """Return the search for forced wins; None for a game that it cannot search."""
    from connectoe.engines.alpha_beta import supports
    from connectoe.engines.proof_search import ProofSearch

    return ProofSearch(game, table_megabytes=4) if supports(game) else None


PATIENCE = 1.2
"""The seconds that people wait at most for a move while the engines of a game are being compiled."""
FARTHEST_PLAIN_SIGHT = 3
"""The plies that anybody looks ahead meanwhile."""


class PlainPerson(Person):
    """The same person before anything is compiled: looks less far ahead, and feels by fewer random games.

    >>> import connectoe
    >>> match = Match(connectoe.load("ultimate-ultimate"))
    >>> PlainPerson(match.game, skill=0.5, seed=1).choose(match) in match.legal_moves()
    True
    """

    is_full_strength = False
    _until = 0.0

    def choose(self, match: Match) -> str:
        """Return a move within a short time."""
        self.sight = min(self.sight, FARTHEST_PLAIN_SIGHT)
        self._make_strongest = None
        self._until = time.perf_counter() + PATIENCE
        return super().choose(match)

    def _trained_feelings(self, position: Any) -> dict[int, float]:
        return {}

    def _forces(self, position: Any, player: int, plies: int) -> bool:
        rules = self.game.rules
        outcome = rules.outcome(position)
        if outcome != ONGOING or plies < 1 or self._is_late(0.5):
            return bool(outcome == player)
        following = (rules.play(position, move) for move in rules.legal_moves(position))
        wins = (self._forces(after, player, plies - 1) for after in following)
        return any(wins) if rules.player(position) == player else all(wins)

    def _feeling(self, position: Any, move: int, games: int) -> float:
        rules = self.game.rules
        player = rules.player(position)
        share = PATIENCE * 0.5 / sum(1 for _ in rules.legal_moves(position))
        until = time.perf_counter() + share
        points = [0.5]
        for _ in range(games):
            after, ply = rules.play(position, move), 0
            while (outcome := rules.outcome(after)) == ONGOING and ply < self.game.ply_limit:
                after, ply = rules.play(after, self.dice.choice(list(rules.legal_moves(after)))), ply + 1
                if time.perf_counter() > until:
                    return sum(points) / len(points)
            points.append(1.0 if outcome == player else 0.0 if outcome == 1 - player else 0.5)
        return sum(points) / len(points)

    def _is_late(self, share: float) -> bool:
        """Whether this much of the time is over."""
        return time.perf_counter() > self._until - PATIENCE * (1 - share)


def skills_of(game: Game) -> tuple[float, ...]:
    """Return the skills of a game's people, all but the last."""
    return levels_of(game).people or USUAL_SKILLS


def ladder_of() -> dict[str, Character]:
    """Return the people by what they are called as players, from the weakest.

    >>> str(ladder_of()["person:mina"])
    'Mina plays fast, and is caught by traps of two moves'
    """
    return {PREFIX + each.name.lower(): each for each in CHARACTERS}


def character_of(player: str | None) -> Character | None:
    """Return the person behind a player's name such as `person:otto`; None for all other players."""
    name = (player or "").removeprefix(PREFIX)
    return CHARACTERS[NAMES.index(name)] if player != name and name in NAMES else None


def next_person(player: str | None) -> str | None:
    """Return the next player on the ladder; None after the last, and for players who are not on it.

    >>> next_person("person:otto"), next_person("person:ada"), next_person("easy")
    ('person:mina', None, None)
    """
    known = list(ladder_of())
    return known[known.index(player) + 1] if player in known[:-1] else None


def person(
    name: str,
    game: Game,
    seed: int | None = None,
    *,
    is_plain: bool = False,
    strongest: Callable[[], Chooser] | None = None,
) -> Person:
    """Return one of the people by name, or somebody of a skill given as a number; the last one is no `Person`.

    A plain one needs no compiler.

    >>> import connectoe
    >>> person("otto", connectoe.load("connect-four")).describes
    'blocks what stands on the board, but not what his own move opens'
    """
    kind = PlainPerson if is_plain else Person
    if name.lower() in NAMES[:-1]:
        number = NAMES.index(name.lower())
        return kind(game, skills_of(game)[number], seed, *CHARACTERS[number], strongest)
    try:
        skill = float(name)
    except ValueError:
        raise UnknownPlayer(f"there is nobody called {name[:30]!r}; the people are: {', '.join(NAMES)}") from None
    return kind(game, skill, seed, strongest=strongest)
