"""The plan of a study: what is played, in which chunks, from which seeds. It is saved before the first game.

A plan depends on what was asked for and on the rules alone, never on the machine: the same question gives the same
plan, the same plan the same games, and so the same figures, however many workers play them and in whatever order.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import version
from itertools import pairwise
from typing import Any, NamedTuple

from connectoe.catalogue import game_file, load
from connectoe.errors import ConnectoeError, UnknownPlayer
from connectoe.game import Game, Value

FORMAT = 1
RECORDS = 1000
"""The games of a pairing that are written down move by move, if there are more."""
EVALUATED = 40
"""The games of a pairing whose positions a tree search evaluates."""
EVALUATION = 1000
"""The simulations it has for a position."""
VARIED_BY_CHANCE = 4
"""Random moves at the beginning of a game between players who would play the same game again and again."""
RANDOM_MOVES_A_CHUNK = 20_000_000
MILLISECONDS_A_CHUNK = 1200
"""What a chunk is meant to take; by a fixed reckoning, so that plans are alike on all machines."""


class Source(NamedTuple):
    """A game as it travels to a worker: its id, or the file it stands in.

    >>> import connectoe
    >>> source_of(connectoe.load("connect-four"))
    Source(game='connect-four', text=None)
    """

    game: str
    text: str | None = None


class Pairing(NamedTuple):
    """Games of one variant between two players, the first of which moves first; without players, its theory.

    >>> Pairing(0, ("easy", "easy"), games=100, chunk=30, plies=0, records=100, evaluated=40).chunks
    4
    """

    variant: int
    players: tuple[str, str] | None
    games: int = 1
    chunk: int = 1
    """Games in a chunk."""
    plies: int = 0
    """Random moves each game begins with."""
    records: int = 0
    evaluated: int = 0

    @property
    def chunks(self) -> int:
        """How many chunks its games are cut into.

        >>> Pairing(0, ("random", "random"), games=1000, chunk=256).chunks
        4
        """
        return -(-self.games // self.chunk)


class Chunk(NamedTuple):
    """A part of a study that one worker plays: everything it needs to know.

    >>> import connectoe
    >>> plan = make_plan([connectoe.load("tic-tac-toe")], ["random"], games=1000)
    >>> [(chunk.number, chunk.players, chunk.games) for chunk in chunks_of(plan)]
    [(0, None, 1), (1, ('random', 'random'), 1000)]
    """

    number: int
    source: Source
    options: dict[str, Value]
    players: tuple[str, str] | None
    games: int
    seed: int
    plies: int
    records: int
    evaluated: int
    evaluation: int


class Plan(NamedTuple):
    """A study as it is asked for.

    >>> import connectoe
    >>> plan = make_plan([connectoe.load("tic-tac-toe")], ["random", "easy"], games=1000, seed=7)
    >>> [pairing.players for pairing in plan.pairings if pairing.players]
    [('random', 'random'), ('easy', 'easy'), ('easy', 'random'), ('random', 'easy')]
    >>> plan_from(plan.to_json()) == plan
    True
    """

    source: Source
    variants: tuple[dict[str, Value], ...]
    """The options of each."""
    rules: tuple[str, ...]
    """A fingerprint of each variant's rules: a plan is not continued under other rules."""
    players: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    seed: int
    evaluation: int
    version: str

    def to_json(self) -> str:
        """The plan as JSON, the same text for the same plan.

        >>> import connectoe
        >>> json.loads(make_plan([connectoe.load("tic-tac-toe")], ["random"]).to_json())["seed"]
        0
        """
        data = {"connectoe study": FORMAT, **self._asdict()}
        data["source"] = self.source._asdict()
        data["pairings"] = [pairing._asdict() for pairing in self.pairings]
        return json.dumps(data, indent=1, ensure_ascii=False) + "\n"

    def game(self, variant: int) -> Game:
        """The game of a variant.

        >>> import connectoe
        >>> make_plan([connectoe.load("c4-twist", bombs=2)], ["random"]).game(0)
        load('c4-twist', bombs=2)
        """
        return game_from(self.source, self.variants[variant])


def plan_from(text: str) -> Plan:
    """The plan in such a JSON text.

    >>> plan_from("{}")
    Traceback (most recent call last):
    connectoe.errors.ConnectoeError: this is no plan of a study: ...
    """
    try:
        data = json.loads(text)
        if data.pop("connectoe study") != FORMAT:
            raise ValueError("it is of another version of Connectoe")
        data["source"] = Source(**data["source"])
        data["pairings"] = tuple(
            Pairing(**{**pairing, "players": tuple(pairing["players"]) if pairing["players"] else None})
            for pairing in data["pairings"]
        )
        for name in ("variants", "rules", "players"):
            data[name] = tuple(data[name])
        return Plan(**data)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ConnectoeError(f"this is no plan of a study: {error}") from error


def source_of(game: Game) -> Source:
    """What a worker needs to load the game.

    >>> import connectoe
    >>> source_of(connectoe.load("ultimate")).game
    'ultimate'
    """
    file = game_file(game)
    return Source(game.id) if file is None else Source(file.name, file.read_text())


@lru_cache(maxsize=64)
def code_of(source: Source) -> Source:
    """The source without what Python does not read: comments, and where lines break. Sources of which this is the same
    are the same game.

    >>> plain, remarked = "turn = 1\\n", "# Whose turn it is.\\nturn = (1)  # O\\n"
    >>> code_of(Source("mine.py", plain)) == code_of(Source("mine.py", remarked))
    True
    """
    return source if source.text is None else source._replace(text=ast.dump(ast.parse(source.text)))


def game_from(source: Source, options: Mapping[str, Value]) -> Game:
    """The game that a source stands for. The text of a game's file is put into the cache folder of the worker.

    >>> game_from(Source("c4-twist"), {"bombs": 2})
    load('c4-twist', bombs=2)
    """
    if source.text is None:
        return load(source.game, **options)
    from connectoe.engines.cache import user_cache_folder

    digest = hashlib.sha256(source.text.encode()).hexdigest()[:16]
    file = user_cache_folder() / "studied" / digest / source.game
    if not file.exists():
        from connectoe.study.running import write_whole

        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, source.text.encode())
    return load(file, **options)


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
    """A plan: every variant played by each player against itself, and against its neighbour in the list.

    `games` is how many of each pairing, or how many by player and by pair of neighbours ("easy/medium"); neighbours of
    whom nothing is said play as many as the fewer of the two. Half of their games are with each side first.

    >>> import connectoe
    >>> plan = make_plan([connectoe.load("tic-tac-toe")], ["easy", "medium"], {"easy": 500, "medium": 100})
    >>> [pairing.games for pairing in plan.pairings if pairing.players]
    [500, 100, 50, 50]
    >>> wanted = {"easy": 500, "medium": 100, "easy/medium": 20}
    >>> plan = make_plan([connectoe.load("tic-tac-toe")], ["easy", "medium"], wanted)
    >>> [pairing.games for pairing in plan.pairings if pairing.players]
    [500, 100, 10, 10]
    """
    from connectoe.engines.tables import rules_fingerprint

    if not variants or not players:
        raise ConnectoeError("a study needs a game and somebody who plays it")
    if len(set(variants)) < len(variants) or len(set(players)) < len(players):
        raise ConnectoeError("a study has each variant and each player once")
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
    """What two neighbours in the list of players are called together where numbers of games are given.

    >>> pair_name("medium", "hard")
    'medium/hard'
    """
    return f"{weaker}/{stronger}"


def _numbers_of_games(players: Sequence[str], games: int | Mapping[str, int]) -> dict[str, int]:
    """How many games each player plays against itself, and each two neighbours play together."""
    pairs = {pair_name(*two): two for two in pairwise(players)}
    if isinstance(games, int):
        numbers = dict.fromkeys([*players, *pairs], games)
    else:
        for name in players:
            if name not in games:
                raise ConnectoeError(f"it is not said how many games {name} plays")
        for name in games:
            if name not in players and name not in pairs:
                known = ", ".join([*players, *pairs])
                raise ConnectoeError(f"nobody here is called {name[:40]!r}; games can be given for {known}")
        fewer = {name: min(games[weaker], games[stronger]) for name, (weaker, stronger) in pairs.items()}
        numbers = fewer | dict(games)
    for number in numbers.values():
        if not 1 <= number <= 10**9:
            raise ConnectoeError(f"the number of games is between 1 and 1,000,000,000, not {number}")
    return numbers


def _check(name: str, variants: Sequence[Game]) -> None:
    """Refuses players that do not exist, and those who play by the clock: their games would be others every time."""
    from connectoe.players import player

    if "seconds" in name or name.startswith("exec:"):
        raise UnknownPlayer(
            f"{name[:40]!r} does not play the same again: a study needs players limited by work, not time"
        )
    for game in variants:
        player(name, game)


def always_alike(game: Game, players: Iterable[str]) -> set[str]:
    """Those of the players who would play one game again and again: little or nothing in them is left to chance.

    >>> import connectoe
    >>> sorted(always_alike(connectoe.load("connect-four"), ["random", "mcts:50", "alpha-beta:50", "hard"]))
    ['alpha-beta:50', 'hard']
    """
    from connectoe.engines.opening import has_opening
    from connectoe.players import ALPHA_BETA_NODES, SOLVERS_FOR

    players = set(players)
    alike = {name for name in players if name.startswith("alpha-beta:") and "seconds" not in name}
    if game.id in (*SOLVERS_FOR, *ALPHA_BETA_NODES):
        alike.add("hard")
    if has_opening(game):
        alike.add("perfect")
    return alike & players


def _random_length(game: Game) -> float:
    from connectoe.study.random_games import random_games

    return float(random_games(game, 256, seed=0).lengths.mean())


def _chunk(game: Game, first: str, second: str, length: float) -> int:
    """How many games make a chunk."""
    if first == second == "random":
        return max(1, round(RANDOM_MOVES_A_CHUNK / length))
    milliseconds = sum(_milliseconds_a_move(game, name, length) for name in (first, second)) / 2 * length
    return max(1, round(MILLISECONDS_A_CHUNK / milliseconds))


def _milliseconds_a_move(game: Game, name: str, length: float) -> float:
    """About what a player takes for a move."""
    from connectoe.players import BUDGETS, LEVELS, OTHER_GAMES, simulations_of

    simulations = 0.0
    if name in LEVELS:
        simulations = getattr(BUDGETS.get(game.id, OTHER_GAMES), name)
    elif name.startswith("mcts:"):
        simulations = simulations_of(name)
    elif name != "random":
        simulations = 1000
    return 0.25 + simulations * length * 0.00005


def chunks_of(plan: Plan) -> Iterator[Chunk]:
    """The chunks of a plan. A seed belongs to a chunk, and so does what is played, whoever plays it. It is made of what
    is played, not of the chunk's number: other studies of the same have the same chunks.

    >>> import connectoe
    >>> plan = make_plan([connectoe.load("tic-tac-toe")], ["random"], games=10_000_000)
    >>> chunks = list(chunks_of(plan))
    >>> sum(chunk.games for chunk in chunks if chunk.players), len({chunk.seed for chunk in chunks}) == len(chunks)
    (10000000, True)
    >>> sum(chunk.records for chunk in chunks)
    1000
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
    """What a chunk plays, as text: chunks of which this is the same come to the same, whatever study they belong to.

    >>> import connectoe
    >>> few, many = (make_plan([connectoe.load("tic-tac-toe")], ["easy"], games) for games in (20_000, 50_000))
    >>> first_of_few, first_of_many = list(chunks_of(few))[1], list(chunks_of(many))[1]
    >>> key_of(few, first_of_few) == key_of(many, first_of_many)
    True
    """
    rules = plan.rules[plan.variants.index(chunk.options)]
    return json.dumps([plan.version, rules, chunk._replace(number=0, source=code_of(plan.source))])


def seed_of(*things: object) -> int:
    """A seed made of numbers, texts and tuples of them, below 2**62.

    >>> seed_of(1, 2) == seed_of(1, 2), seed_of(1, 2) == seed_of(2, 1), seed_of(1, 2) < 2**62
    (True, False, True)
    """
    return int.from_bytes(hashlib.sha256(repr(things).encode()).digest()[:8], "big") >> 2


def describe(options: Mapping[str, Value], among: Sequence[Mapping[str, Value]]) -> str:
    """What tells a variant from the others: the options in which they differ, or 'the game' where none do.

    >>> describe({"bombs": 2, "cols": 7}, [{"bombs": 1, "cols": 7}, {"bombs": 2, "cols": 7}])
    'bombs=2'
    """
    telling = [name for name in options if len({other[name] for other in among}) > 1]
    return " ".join(f"{name}={options[name]}" for name in telling) or "the game"


def facts(plan: Plan) -> dict[str, Any]:
    """What a report says about how it was made.

    >>> import connectoe
    >>> facts(make_plan([connectoe.load("tic-tac-toe")], ["random"], games=50))["games"]
    50
    """
    return {
        "connectoe": plan.version,
        "seed": plan.seed,
        "players": list(plan.players),
        "games": sum(pairing.games for pairing in plan.pairings if pairing.players),
        "chunks": sum(pairing.chunks for pairing in plan.pairings),
    }
