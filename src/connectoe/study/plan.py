"""The plan of a study: what is played, in which chunks, from which seeds. It is saved before the first game.

A plan depends only on the question and the rules, never on the machine: the same question gives the same plan, the same
plan the same games and figures, however many workers play them and in whatever order.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import pairwise
from typing import NamedTuple

from connectoe.core.errors import ConnectoeError, UnknownPlayer
from connectoe.core.game import Game
from connectoe.core.options import SWAP, OptionValue
from connectoe.running.sources import Source, code_of, game_from, source_of
from connectoe.study.checked import MEMBER, with_check, without_check

PROGRAM = "exec:"
"""The prefix of the names of players that are programs outside this package."""
FORMAT = 1
RECORDS = 1000
"""The most games of a pairing that are recorded."""
EVALUATED = 40
"""The most games of a pairing whose positions a tree search evaluates."""
EVALUATION = 1000
"""The simulations of that search, per position."""
VARIED_BY_CHANCE = 4
"""Random moves at the start of games between players who would otherwise play the same game every time."""
RANDOM_MOVES_PER_CHUNK = 20_000_000
MILLISECONDS_PER_CHUNK = 1200
"""The time a chunk should take, by fixed rates, so that plans are the same on all machines."""


class Pairing(NamedTuple):
    """Games of one variant between two players, the first of whom moves first; without players, its theory.

    >>> Pairing(0, ("easy", "easy"), games=100, chunk=30, plies=0, records=100, evaluated=40).chunks
    4
    """

    variant: int
    players: tuple[str, str] | None
    games: int = 1
    chunk: int = 1
    """Games in a chunk."""
    plies: int = 0
    """Random moves at the start of each game."""
    records: int = 0
    evaluated: int = 0

    @property
    def chunks(self) -> int:
        """The number of chunks its games are cut into."""
        return -(-self.games // self.chunk)


class Chunk(NamedTuple):
    """A part of a study that one worker plays, with everything it needs to know.

    >>> import connectoe
    >>> plan = make_plan([connectoe.load("tic-tac-toe")], ["random"], games=1000)
    >>> [(chunk.number, chunk.players, chunk.games) for chunk in chunks_of(plan)]
    [(0, None, 1), (1, ('random', 'random'), 1000)]
    """

    number: int
    source: Source
    options: dict[str, OptionValue]
    players: tuple[str, str] | None
    games: int
    seed: int
    plies: int
    records: int
    evaluated: int
    evaluation: int


class Plan(NamedTuple):
    """A study as planned.

    >>> import connectoe
    >>> plan = make_plan([connectoe.load("tic-tac-toe")], ["random", "easy"], games=1000, seed=7)
    >>> [pairing.players for pairing in plan.pairings if pairing.players]
    [('random', 'random'), ('easy', 'easy'), ('easy', 'random'), ('random', 'easy')]
    >>> plan_from(plan.to_json()) == plan
    True
    """

    source: Source
    variants: tuple[dict[str, OptionValue], ...]
    """The options of each variant."""
    rules: tuple[str, ...]
    """A fingerprint of the rules of each variant: a plan is not continued under other rules."""
    players: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    seed: int
    evaluation: int
    version: str

    def to_json(self) -> str:
        """Return the plan as JSON, the same text for the same plan."""
        data = {"connectoe study": FORMAT, **self._asdict()}
        data["source"] = self.source._asdict()
        data["pairings"] = [pairing._asdict() for pairing in self.pairings]
        return with_check(json.dumps(data, indent=1, ensure_ascii=False)) + "\n"

    def game(self, variant: int) -> Game:
        """Return the game of a variant."""
        return game_from(self.source, self.variants[variant])


def plan_from(text: str) -> Plan:
    """Return the plan in such a JSON text."""
    try:
        data = json.loads(without_check(text) if MEMBER in text else text)  # older plans have no checksum
        if data.pop("connectoe study") != FORMAT:
            raise ValueError("it was written by another version of Connectoe")
        source = data["source"]
        beside = tuple((name, text) for name, text in source.get("neighbours", ()))
        data["source"] = Source(**{**source, "neighbours": beside})
        data["pairings"] = tuple(
            Pairing(**{**pairing, "players": tuple(pairing["players"]) if pairing["players"] else None})
            for pairing in data["pairings"]
        )
        for name in ("variants", "rules", "players"):
            data[name] = tuple(data[name])
        return Plan(**data)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ConnectoeError(f"this is not the plan of a study: {error}") from error


def make_plan(
    variants: Sequence[Game],
    players: Sequence[str],
    games: int | Mapping[str, int] = 1000,
    *,
    seed: int = 0,
    plies: int | None = None,
    records: int = RECORDS,
    evaluated: int = EVALUATED,
    evaluation: int = EVALUATION,
) -> Plan:
    """Plan a study: every variant is played by each player against itself and against its neighbour in the list.

    `games` is the number of games of each pairing, or numbers by player and by pair of neighbours ("easy/medium"). A
    pair that is not mentioned plays the lower number of its two players. Each moves first in half of these games.
    """
    from connectoe.engines.exact.fingerprint import rules_fingerprint

    if not variants or not players:
        raise ConnectoeError("a study needs a game and a player")
    if len(set(variants)) < len(variants) or len(set(players)) < len(players):
        raise ConnectoeError("each variant and each player may be given only once")
    numbers = _numbers_of_games(players, games)
    for name in players:
        _check(name, variants)
    pairings = [Pairing(number, None) for number in range(len(variants))]
    for number, game in enumerate(variants):
        length = _random_length(game)
        if plies and plies >= length:
            raise ConnectoeError(
                f"random games of {game.id} last {length:.1f} moves on average: {plies} random moves at the beginning "
                "would leave nothing to the players"
            )
        both = [(name, name, numbers[name]) for name in players]
        for weaker, stronger in pairwise(players):
            half = max(1, numbers[pair_name(weaker, stronger)] // 2)
            both += [(stronger, weaker, half), (weaker, stronger, half)]
        for first, second, count in both:
            random_moves = VARIED_BY_CHANCE if {first, second} <= always_alike(game, players) else 0
            pairings.append(
                Pairing(
                    number,
                    (first, second),
                    count,
                    min(count, _chunk(game, first, second, length)),
                    random_moves if plies is None else plies,
                    min(count, records),
                    min(count, evaluated),
                )
            )
    return Plan(
        source_of(variants[0]),
        tuple(game.options for game in variants),
        tuple(rules_fingerprint(game) for game in variants),
        tuple(players),
        tuple(pairings),
        seed,
        evaluation,
        version("connectoe"),
    )


def pair_name(weaker: str, stronger: str) -> str:
    """Return the name of a pair of neighbours, as used where numbers of games are given."""
    return f"{weaker}/{stronger}"


def _numbers_of_games(players: Sequence[str], games: int | Mapping[str, int]) -> dict[str, int]:
    """Return the number of games of each player against itself and of each pair of neighbours."""
    pairs = {pair_name(*two): two for two in pairwise(players)}
    if isinstance(games, int):
        numbers = dict.fromkeys([*players, *pairs], games)
    else:
        for name in players:
            if name not in games:
                raise ConnectoeError(f"the number of games of {name} is missing")
        for name in games:
            if name not in players and name not in pairs:
                known = ", ".join([*players, *pairs])
                raise ConnectoeError(f"there is no player {name[:40]!r} in this study; games can be given for {known}")
        fewer = {name: min(games[weaker], games[stronger]) for name, (weaker, stronger) in pairs.items()}
        numbers = fewer | dict(games)
    for number in numbers.values():
        if not 1 <= number <= 10**9:
            raise ConnectoeError(f"the number of games must be between 1 and 1,000,000,000, not {number}")
    return numbers


def _check(name: str, variants: Sequence[Game]) -> None:
    """Raise an error for players that do not exist, and for those whose games cannot be repeated."""
    from connectoe.players import player

    for game in variants:
        if name.startswith(PROGRAM) or player(name, game).is_timed:
            raise UnknownPlayer(
                f"the games of {name[:40]!r} cannot be repeated: a study needs players limited by work, not time"
            )


def always_alike(game: Game, players: Iterable[str]) -> set[str]:
    """Return the players whose moves are not random, who would play the same game every time."""
    from connectoe.players import is_deterministic

    return {name for name in players if not name.startswith(PROGRAM) and is_deterministic(name, game)}


def _random_length(game: Game) -> float:
    from connectoe.study.random_games import random_games

    return float(random_games(game, 256, seed=0).lengths.mean())


def _chunk(game: Game, first: str, second: str, length: float) -> int:
    """Return the number of games in a chunk."""
    if first == second == "random":
        return max(1, round(RANDOM_MOVES_PER_CHUNK / length))
    milliseconds = sum(_milliseconds_a_move(game, name, length) for name in (first, second)) / 2 * length
    return max(1, round(MILLISECONDS_PER_CHUNK / milliseconds))


def _milliseconds_a_move(game: Game, name: str, length: float) -> float:
    """Return roughly how long a player takes for a move."""
    from connectoe.players import player

    return 0.25 + player(name, game).work * length * 0.00005


def chunks_of(plan: Plan) -> Iterator[Chunk]:
    """Yield the chunks of a plan.

    The seed of a chunk is made of what is played, not of its number, so other studies of the same game share chunks.
    """
    number = 0
    for pairing in plan.pairings:
        for first in range(0, pairing.games, pairing.chunk):
            games, options = min(pairing.chunk, pairing.games - first), plan.variants[pairing.variant]
            yield Chunk(
                number,
                plan.source,
                options,
                pairing.players,
                games,
                seed_of(plan.seed, *sorted(options.items()), pairing.players, pairing.plies, first),
                pairing.plies,
                max(0, min(games, pairing.records - first)),
                max(0, min(games, pairing.evaluated - first)),
                plan.evaluation,
            )
            number += 1


def key_of(plan: Plan, chunk: Chunk) -> str:
    """Return what a chunk plays, as text: chunks with equal keys have equal results, in whatever study."""
    rules = plan.rules[plan.variants.index(chunk.options)]
    return json.dumps([plan.version, rules, chunk._replace(number=0, source=code_of(plan.source))])


def seed_of(*things: object) -> int:
    """Return a seed below 2**62 made of numbers, texts and tuples of them."""
    return int.from_bytes(hashlib.sha256(repr(things).encode()).digest()[:8], "big") >> 2


def describe(options: Mapping[str, OptionValue], among: Sequence[Mapping[str, OptionValue]]) -> str:
    """Return the options of a variant in which the variants differ, or 'the game' if there are none."""
    chosen, *others = ({**one, SWAP.name: one.get(SWAP.name, SWAP.default)} for one in (options, *among))
    telling = [name for name in chosen if len({other[name] for other in others}) > 1]
    return " ".join(f"{name}={chosen[name]}" for name in telling) or "the game"
