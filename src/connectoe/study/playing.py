"""Playing one chunk of a study: the games, what is counted of them, and what a stronger engine says about some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from threading import Lock
from typing import Any
from zlib import crc32

import numpy as np

from connectoe.game import DRAWN, Game
from connectoe.match import REPETITION, Match
from connectoe.study.plan import Chunk, game_from, seed_of
from connectoe.study.special import direction_of, events_of, kinds_of_moves

PLY_LIMIT = "ply limit"
MOST_EVALUATED = 60
"""Positions of a game that are evaluated; of longer games as many as that, evenly spread."""
SOLVER_NODES = 5_000_000
"""What an exact solver may look at for the theory of a game."""


def play_chunk(chunk: Chunk) -> dict[str, Any]:
    """What came out of a chunk, as plain data for JSON; the same for the same chunk, wherever it is played.

    >>> import connectoe
    >>> from connectoe.study.plan import chunks_of, make_plan
    >>> plan = make_plan([connectoe.load("tic-tac-toe")], ["random"], games=100, evaluated=1)
    >>> theory, played = (play_chunk(chunk) for chunk in chunks_of(plan))
    >>> theory["theory"]["value"], sum(played["results"]), len(played["records"])
    ('draw', 100, 100)
    """
    game = game_from(chunk.source, chunk.options)
    answer: dict[str, Any] = {"chunk": chunk.number, "seed": chunk.seed}
    with _solver_without_memories(game):
        if chunk.players is None:
            return answer | {"theory": theory_of(game)}
        if chunk.players == ("random", "random") and not chunk.plies:
            return answer | _random_chunk(game, chunk)
        return answer | _played_chunk(game, chunk)


_using_solver = Lock()


@contextmanager
def _solver_without_memories(game: Game) -> Iterator[None]:
    """The exact solver of a game, if it has one, for one chunk at a time: its memory of other games, played before or
    by another thread, would change what it finds within its nodes."""
    from connectoe.analysing import exact_solver

    if exact_solver(game) is None:
        yield
        return
    with _using_solver:
        exact_solver.cache_clear()
        yield


def _random_chunk(game: Game, chunk: Chunk) -> dict[str, Any]:
    """Random games: all are counted by compiled code, and the first ones are played again from what it wrote down."""
    from connectoe.study.random_games import BY_REPETITION, random_games, random_moves

    played = random_games(game, chunk.games, chunk.seed)
    openings = np.bincount(3 * played.openings + played.results, minlength=3 * len(game.move_texts)).reshape(-1, 3)
    names = [REPETITION.reason, PLY_LIMIT, *game.endings]
    endings = np.bincount(played.endings - BY_REPETITION, minlength=len(names)).tolist()
    lengths = np.bincount(played.lengths)
    wanted = max(chunk.records, chunk.evaluated)
    matches = [_match_of(game, moves) for moves in random_moves(game, wanted, chunk.seed)] if wanted else []
    return {
        "games": chunk.games,
        "results": np.bincount(played.results, minlength=3).tolist(),
        "lengths": {str(length): int(lengths[length]) for length in np.flatnonzero(lengths).tolist()},
        "endings": dict(zip(names, endings, strict=True)),
        "openings": {
            game.move_text(move): openings[move].tolist() for move in np.flatnonzero(openings.sum(axis=1)).tolist()
        },
        **_looked_at(chunk, matches),
    }


def _match_of(game: Game, moves: list[int]) -> Match:
    match = Match(game, players=("random", "random"))
    for move in moves:
        match.play(move)
    return match


def _played_chunk(game: Game, chunk: Chunk) -> dict[str, Any]:
    """Games between players."""
    assert chunk.players
    matches = [_played_match(game, chunk.players, seed_of(chunk.seed, i), chunk.plies) for i in range(chunk.games)]
    results = [0, 0, 0]
    openings: dict[str, list[int]] = {}
    endings = Counter[str]()
    for match in matches:
        result = result_of(match)
        results[result] += 1
        openings.setdefault(match.moves[0], [0, 0, 0])[result] += 1
        endings[ending_of(match)] += 1
    lengths = Counter(match.ply for match in matches)
    return {
        "games": chunk.games,
        "results": results,
        "lengths": {str(length): lengths[length] for length in sorted(lengths)},
        "endings": {name: endings[name] for name in sorted(endings)},
        "openings": {move: openings[move] for move in sorted(openings)},
        **_looked_at(chunk, matches),
    }


def _played_match(game: Game, names: tuple[str, str], seed: int, plies: int) -> Match:
    from connectoe.players import player
    from connectoe.study.openings import opening

    players = [player(name, game, seed_of(seed, number)) for number, name in enumerate(names)]
    match = Match(game, players=names)
    for move in opening(game, seed, plies) if plies else []:
        match.play(move)
    while (turn := match.turn) is not None and match.ply < game.ply_limit:
        match.play(players[turn].choose(match))
    return match


def result_of(match: Match) -> int:
    """Who won, or DRAWN; a match that was stopped counts as drawn.

    >>> import connectoe
    >>> result_of(Match(connectoe.load("tic-tac-toe"))) == DRAWN
    True
    """
    outcome = match.outcome
    return DRAWN if outcome is None or outcome.winner is None else outcome.winner


def ending_of(match: Match) -> str:
    """How a match ended: one of `Game.endings`, by repetition, or at the ply limit.

    >>> import connectoe
    >>> match = Match(connectoe.load("tic-tac-toe"))
    >>> for move in "a1 b1 a2 b2 a3".split():
    ...     match.play(move)
    >>> ending_of(match)
    'three marks'
    """
    from connectoe.engines.playouts import ending_rule

    if match.outcome is None:
        return PLY_LIMIT
    if match.outcome == REPETITION:
        return REPETITION.reason
    return match.game.endings[ending_rule(match.game)(match.state.position)]


def _looked_at(chunk: Chunk, matches: list[Match]) -> dict[str, Any]:
    return {
        "sample": [sample_of(match) for match in matches],
        "evaluated": [
            evaluation_of(match, chunk.evaluation, seed_of(chunk.seed, -1, number))
            for number, match in enumerate(matches[: chunk.evaluated])
        ],
        "records": [_record(match) for match in matches[: chunk.records]],
    }


def _record(match: Match) -> str:
    if match.outcome is None:
        match = match.copy()
        match.agree_draw()
        match.comment("stopped at the ply limit")
    return match.to_text()


def sample_of(match: Match) -> dict[str, Any]:
    """What is counted of a game move by move: its turns, how many moves could be chosen from, and special moves; and
    which way the line runs that won it.

    >>> import connectoe
    >>> match = Match(connectoe.load("c4-twist"))
    >>> for move in ["d", "*d", "c"]:
    ...     match.play(move)
    >>> sample = sample_of(match)
    >>> sample["turns"], sample["branching"], sample["decisions"], sample["uses"]
    (3, 14.0, 1.0, {'bomb': [2]})
    """
    rules, kinds, events = match.game.rules, kinds_of_moves(match.game), events_of(match.game)
    choices: list[int] = []
    uses: dict[str, list[int]] = {name: [] for name in [*dict.fromkeys(kinds.values()), *events]}
    turns, last_player = 0, None
    for ply in range(1, match.ply + 1):
        last = match.state_at(ply).last
        assert last
        choices.append(sum(1 for _ in rules.legal_moves(last.before)))
        turns += rules.player(last.before) != last_player
        last_player = rules.player(last.before)
        if last.move in kinds:
            uses[kinds[last.move]].append(ply)
        for name, happens in events.items():
            if happens(last.before, last.move):
                uses[name].append(ply)
    outcome = match.outcome
    return {
        "line": crc32(" ".join(match.moves).encode()),  # tells different games apart
        "moves": match.ply,
        "turns": turns,
        "direction": direction_of(outcome.reason) if outcome and outcome.winner is not None else None,
        "branching": round(sum(choices) / max(1, len(choices)), 4),
        "decisions": round(sum(count > 1 for count in choices) / max(1, len(choices)), 4),
        "uses": uses,
    }


def evaluation_of(match: Match, simulations: int, seed: int) -> dict[str, float | None]:
    """What a tree search says about a game: how often the lead changed, how far the winner was behind, and when the
    game was decided; the last two are None in a drawn one. measures.py says what these are.

    >>> import connectoe
    >>> match = Match(connectoe.load("tic-tac-toe"))
    >>> for move in "b2 b1 a1 c3 a3 a2 c1".split():
    ...     match.play(move)
    >>> evaluation_of(match, simulations=200, seed=1)["settled"] < 0.8
    True
    """
    from connectoe.engines.mcts import MCTS

    game = match.game
    plies = range(match.ply)
    if len(plies) > MOST_EVALUATED:
        plies = [match.ply * step // MOST_EVALUATED for step in range(MOST_EVALUATED)]  # type: ignore[assignment]
    values = []
    for ply in plies:
        position = match.state_at(ply).position
        found = MCTS(game, seed=seed_of(seed, ply)).search(position, simulations=simulations)
        value = 2 * found.share - 1
        values.append(value if game.rules.player(position) == 0 else -value)
    return story(values, result_of(match))


def story(values: list[float], result: int) -> dict[str, float | None]:
    """What the values of a game's positions for player 0, from -1 to 1, tell about it.

    >>> story([0.1, -0.2, 0.3, 0.8], result=0)
    {'changes': 0.5, 'drama': 0.1, 'decisive': 0.5, 'settled': 0.5}
    """
    count = len(values)
    leaders = [(value > 0) - (value < 0) for value in values]
    changes = sum(a != b for a, b in pairwise(leaders)) / count
    if result == DRAWN:
        drama = sum(abs(value) for value in values) / count
        return {"changes": round(changes, 4), "drama": round(drama, 4), "decisive": None, "settled": None}
    won = values if result == 0 else [-value for value in values]
    # The winner's value is short of the higher of both by twice as much as it is below 0.
    drama = sum(max(0.0, -2 * value) for value in won) / count
    threshold = max(-value for value in won)
    decisive = next((ply for ply, value in enumerate(won) if value > threshold), count)
    settled = next((ply + 1 for ply in range(count - 1, -1, -1) if won[ply] <= 0), 0)
    return {
        "changes": round(changes, 4),
        "drama": round(drama, 4),
        "decisive": round(decisive / count, 4),
        "settled": round(settled / count, 4),
    }


def theory_of(game: Game) -> dict[str, Any] | None:
    """What best play leads to, and each first move, where the game can be solved here; None where not.

    It does not ask what happens to have been solved on this machine before: the answer must be the same everywhere.

    >>> import connectoe
    >>> theory_of(connectoe.load("tic-tac-toe"))["value"]
    'draw'
    """
    from connectoe.analysing import known_by_heart, solved_by_search
    from connectoe.engines.positions import TooLarge
    from connectoe.engines.retrograde import can_be_packed, estimate
    from connectoe.engines.tables import load_table
    from connectoe.players import MOST_POSITIONS

    start = game.rules.start
    if can_be_packed(game):
        with suppress(TooLarge):
            if estimate(game).kept <= MOST_POSITIONS and (table := load_table(game, make="always")):
                value = table.value(start)
                moves = {game.move_text(move): str(worth.result) for move, worth in sorted(table.moves(start).items())}
                return {"value": value.result, "plies": value.plies, "moves": moves}
    solved = solved_by_search(game, start, SOLVER_NODES)
    if solved and solved.result:
        values = sorted((candidate.move, str(candidate.result)) for candidate in solved.candidates)
        return {
            "value": solved.result,
            "plies": solved.plies,
            "moves": {game.move_text(move): value for move, value in values},
        }
    known = known_by_heart(game, start)
    if known:
        return {"value": known.result, "plies": known.plies, "moves": {game.move_text(known.move): str(known.result)}}
    return None
