"""Playing one chunk of a study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

import numpy as np

from connectoe.core.game import Game
from connectoe.core.match import REPETITION, Match
from connectoe.running.sources import game_from
from connectoe.study.chunks import ChunkResult, PlayedGames, Results
from connectoe.study.plan import Chunk, seed_of
from connectoe.study.samples import PLY_LIMIT, ending_of, evaluation_of, record_of, result_by_beginner, sample_of
from connectoe.study.theory import theory_of


def play_chunk(chunk: Chunk) -> ChunkResult:
    """Return the result of a chunk: always the same for the same chunk, wherever it is played."""
    game = game_from(chunk.source, chunk.options)
    with _fresh_solver(game):
        if chunk.players is None:
            return ChunkResult(chunk.number, chunk.seed, theory=theory_of(game))
        if chunk.players == ("random", "random") and not chunk.plies and game.swap == "no":
            return ChunkResult(chunk.number, chunk.seed, _random_chunk(game, chunk))
        return ChunkResult(chunk.number, chunk.seed, _played_chunk(game, chunk))


_using_solver = Lock()


@contextmanager
def _fresh_solver(game: Game) -> Iterator[None]:
    """Give one chunk at a time the exact solver of a game, if it has one, with an empty memory.

    Positions remembered from other games or threads would change what it finds within its nodes.
    """
    from connectoe.analysis import exact_solver

    if exact_solver(game) is None:
        yield
        return
    with _using_solver:
        exact_solver.cache_clear()
        yield


def _random_chunk(game: Game, chunk: Chunk) -> PlayedGames:
    """Play random games in compiled code, and replay the first ones to look at them move by move."""
    from connectoe.study.random_games import BY_REPETITION, random_games, random_moves

    played = random_games(game, chunk.games, chunk.seed)
    openings = np.bincount(3 * played.openings + played.results, minlength=3 * len(game.move_texts)).reshape(-1, 3)
    names = [REPETITION.kind, PLY_LIMIT, *game.endings]
    endings = np.bincount(played.endings - BY_REPETITION, minlength=len(names)).tolist()
    lengths = np.bincount(played.lengths)
    wanted = max(chunk.records, chunk.evaluated)
    matches = [_match_of(game, moves) for moves in random_moves(game, wanted, chunk.seed)] if wanted else []
    return _with_details(
        chunk,
        matches,
        Results(*np.bincount(played.results, minlength=3).tolist()),
        {length: int(lengths[length]) for length in np.flatnonzero(lengths).tolist()},
        dict(zip(names, endings, strict=True)),
        {
            game.move_text(move): Results(*openings[move].tolist())
            for move in np.flatnonzero(openings.sum(axis=1)).tolist()
        },
    )


def _match_of(game: Game, moves: list[int]) -> Match:
    match = Match(game, players=("random", "random"))
    for move in moves:
        match.play(move)
    return match


def _played_chunk(game: Game, chunk: Chunk) -> PlayedGames:
    """Play games between two players."""
    assert chunk.players
    matches = [_played_match(game, chunk.players, seed_of(chunk.seed, i), chunk.plies) for i in range(chunk.games)]
    counts = [0, 0, 0]
    openings: dict[str, list[int]] = {}
    endings, lengths = Counter[str](), Counter[int]()
    for match in matches:
        result = result_by_beginner(match)
        counts[result] += 1
        openings.setdefault(match.moves[0], [0, 0, 0])[result] += 1
        endings[ending_of(match)] += 1
        lengths[match.ply] += 1
    return _with_details(
        chunk,
        matches,
        Results(*counts),
        {length: lengths[length] for length in sorted(lengths)},
        {name: endings[name] for name in sorted(endings)},
        {move: Results(*openings[move]) for move in sorted(openings)},
    )


def _played_match(game: Game, names: tuple[str, str], seed: int, plies: int) -> Match:
    from connectoe.players import player
    from connectoe.running.openings import opening

    players = [player(name, game, seed_of(seed, number)) for number, name in enumerate(names)]
    match = Match(game, players=names)
    for move in opening(game, seed, plies) if plies else []:
        match.play(move)
    while (turn := match.turn) is not None and match.ply < game.ply_limit:
        match.play(players[turn ^ match.is_swapped].choose(match))
    return match


def _with_details(
    chunk: Chunk,
    matches: list[Match],
    results: Results,
    lengths: dict[int, int],
    endings: dict[str, int],
    openings: dict[str, Results],
) -> PlayedGames:
    """Return the games with what is counted move by move in these matches."""
    return PlayedGames(
        results,
        lengths,
        endings,
        openings,
        [sample_of(match) for match in matches],
        [
            evaluation_of(match, chunk.evaluation, seed_of(chunk.seed, -1, number))
            for number, match in enumerate(matches[: chunk.evaluated])
        ],
        [record_of(match) for match in matches[: chunk.records]],
    )
