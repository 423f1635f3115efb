"""Games between players: pairs from one opening with sides swapped, in this process or in several."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations
from multiprocessing.util import Finalize
from typing import NamedTuple

from connectoe.arena.external import PREFIX, SECONDS, ExternalPlayer, Forfeit, RunningEngines
from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.core.options import OptionValue
from connectoe.players import Player, player
from connectoe.running import workers
from connectoe.running.openings import opening
from connectoe.running.sources import Source, game_from, source_of

LONGEST = 20_000
"""Moves after which a game is called a draw."""


class Pair(NamedTuple):
    """Two games from one opening; in the first, A is player 0.

    >>> import connectoe
    >>> pair = play_pair(connectoe.load("tic-tac-toe"), ("random", "random"), number=0, seed=1, plies=2)
    >>> len(connectoe.read_matches("".join(pair.records)))
    2
    """

    number: int
    records: tuple[str, str]
    """Both games as JSON."""
    points: float
    """A's share of the two points."""
    results: tuple[str, str]
    forfeits: tuple[str, ...] = ()
    """Why external engines lost games by forfeit."""


def play_pair(
    game: Game,
    names: tuple[str, str],
    number: int,
    seed: int,
    plies: int,
    seconds: float = SECONDS,
    engines: RunningEngines | None = None,
) -> Pair:
    """Play two games of A and B from one opening, with sides swapped; external programs get `seconds` per move.

    They keep running in `engines`, or end with this pair.
    """
    if engines is None:
        with RunningEngines() as engines:
            return play_pair(game, names, number, seed, plies, seconds, engines)
    moves = opening(game, seed + number, plies)
    points = 0.0
    records, results, forfeits = [], [], []
    for a_is in (0, 1):
        seats = names if a_is == 0 else (names[1], names[0])
        match = Match(game, players=seats, tags={"Round": f"{number + 1}.{a_is + 1}"})
        for move in moves:
            match.play(move)
        if moves:
            match.comment("opening")
        forfeit = _play_on(match, seats, seed * 1_000_003 + 4 * number + 2 * a_is, seconds, engines)
        if forfeit:
            forfeits.append(forfeit)
        if match.outcome is None:
            match.agree_draw()
        winner, side_of_a = match.outcome.winner if match.outcome else None, a_is ^ match.is_swapped
        points += 0.5 if winner is None else float(winner == side_of_a)
        results.append("draw" if winner is None else "win" if winner == side_of_a else "loss")
        records.append(match.to_json())
    return Pair(number, (records[0], records[1]), points, (results[0], results[1]), tuple(forfeits))


def _play_on(match: Match, names: Sequence[str], seed: int, seconds: float, engines: RunningEngines) -> str | None:
    """Play a match to its end; return why an engine forfeited it, if one did."""
    players: list[Player] = []
    turn: int | None = 0
    try:
        for turn, name in enumerate(names):
            if name.startswith(PREFIX):
                engine = engines.engine(name, match.game, seconds)
                players.append(engine)
                engine.new_game(turn)
            else:
                players.append(player(name, match.game, seed + turn))
        while (turn := match.turn) is not None and match.ply < LONGEST:
            match.play(players[turn ^ match.is_swapped].choose(match))
    except Forfeit as problem:
        assert turn is not None
        name = names[turn ^ match.is_swapped]
        engines.end(name)
        match.resign(turn)
        match.comment(f"forfeit by player {turn}: {problem}")
        return f"{name} lost a game: {problem}"
    return None


@cache
def _engines_of_worker() -> RunningEngines:
    """Return the engines of this worker process, which end when it does."""
    engines = RunningEngines()
    Finalize(None, engines.close, exitpriority=0)
    return engines


def _pair_in_worker(
    source: Source,
    options: Mapping[str, OptionValue],
    names: tuple[str, str],
    seed: int,
    plies: int,
    seconds: float,
    number: int,
) -> Pair:
    """Call `play_pair` in a worker process, where the game is loaded from its source and engines keep running."""
    return play_pair(game_from(source, options), names, number, seed, plies, seconds, _engines_of_worker())


def different_games(pairs: Iterable[Pair]) -> int:
    """Return how many different games were played."""
    return len({tuple(json.loads(record)["moves"]) for pair in pairs for record in pair.records})


def check_competitor(name: str, game: Game) -> None:
    """Raise an error for a player that does not exist, or a program that cannot be started."""
    if name.startswith(PREFIX):
        ExternalPlayer(name, game).close()
    else:
        player(name, game)


def contest(
    game: Game,
    a: str,
    b: str,
    games: int,
    *,
    seed: int = 0,
    plies: int = 2,
    processes: int = 1,
    seconds: float = SECONDS,
) -> Generator[Pair]:
    """Yield the pairs of a match between two players as they finish."""
    if games < 2 or games % 2:
        raise ConnectoeError(f"games are played in pairs with sides swapped: give an even number from 2, not {games}")
    for name in (a, b):
        check_competitor(name, game)
    numbers = range(games // 2)
    if processes <= 1:
        with RunningEngines() as engines:
            for number in numbers:
                yield play_pair(game, (a, b), number, seed, plies, seconds, engines)
        return
    play = partial(_pair_in_worker, source_of(game), game.options, (a, b), seed, plies, seconds)
    with workers.stopping(workers.processes(processes)()) as pool:
        for _, pair in workers.completed(pool, play, numbers, processes):
            yield pair


def in_order(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield the pairs by number, each only after those before it.

    Otherwise the results that a stopping rule sees would depend on the speed of games, not on chance alone.
    """
    held: dict[int, Pair] = {}
    following = 0
    for pair in pairs:
        held[pair.number] = pair
        while following in held:
            yield held.pop(following)
            following += 1


def pairings(players: Sequence[str], against: str | None = None) -> list[tuple[str, str]]:
    """Return who plays whom: every pair of players, or all of them against one."""
    everybody = [*players, *([against] if against else [])]
    if len(set(everybody)) < len(everybody):
        raise ConnectoeError("each player takes part once")
    if len(everybody) < 2:
        raise ConnectoeError("a tournament needs two players or more")
    return [(name, against) for name in players] if against else list(combinations(players, 2))
