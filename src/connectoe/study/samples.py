"""What is counted in a single game: its moves, and its course as a tree search sees it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from zlib import crc32

from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.core.rules import DRAWN
from connectoe.core.squares import Square
from connectoe.study.chunks import GameEvaluation, GameSample
from connectoe.study.plan import seed_of

PLY_LIMIT = "ply limit"
MOST_EVALUATED = 60
"""Positions of a game that are evaluated; in longer games this many, evenly spread."""


def result_of(match: Match) -> int:
    """Return the side that won, or DRAWN; a match that was stopped counts as drawn."""
    outcome = match.outcome
    return DRAWN if outcome is None or outcome.winner is None else outcome.winner


def result_by_beginner(match: Match) -> int:
    """Return 0 if the player won who moved first, whichever side that player had at the end, 1 or DRAWN otherwise."""
    result = result_of(match)
    return result if result == DRAWN else result ^ match.is_swapped


def ending_of(match: Match) -> str:
    """Return how a match ended: one of `Game.endings`, by repetition, or at the ply limit."""
    return match.outcome.kind if match.outcome else PLY_LIMIT


def record_of(match: Match) -> str:
    """Return the record of a match; one that was stopped at the ply limit is agreed a draw."""
    if match.outcome is None:
        match = match.copy()
        match.agree_draw()
        match.comment("stopped at the ply limit")
    return match.to_text()


@lru_cache(maxsize=64)
def kinds_of_moves(game: Game) -> dict[int, str]:
    """Return the kind of each special move of a game."""
    return {
        move: kind
        for kind, pattern in game.special_moves.items()
        for move, text in enumerate(game.move_texts)
        if re.fullmatch(pattern, text)
    }


def direction_of(line: Sequence[Square]) -> str | None:
    """Return the direction of a line, or None if there is none."""
    if not line:
        return None
    (first_column, first_row), (last_column, last_row) = line[0], line[-1]
    return "column" if first_column == last_column else "row" if first_row == last_row else "diagonal"


def sample_of(match: Match) -> GameSample:
    """Return what is counted in a match move by move."""
    rules, kinds, events = match.game.rules, kinds_of_moves(match.game), match.game.special_events
    choices: list[int] = []
    uses: dict[str, list[int]] = {name: [] for name in [*dict.fromkeys(kinds.values()), *events]}
    turns, last_player = 0, None
    for ply in range(1, match.ply + 1):
        last = match.state_at(ply).last
        if last is None:  # a swap of sides
            continue
        choices.append(sum(1 for _ in rules.legal_moves(last.before)))
        turns += rules.player(last.before) != last_player
        last_player = rules.player(last.before)
        if last.move in kinds:
            uses[kinds[last.move]].append(ply)
        for name, happens in events.items():
            if happens(last.before, last.move):
                uses[name].append(ply)
    outcome = match.outcome
    return GameSample(
        line=crc32(" ".join(match.moves).encode()),
        moves=match.ply,
        turns=turns,
        direction=direction_of(outcome.line) if outcome and outcome.winner is not None else None,
        branching=round(sum(choices) / max(1, len(choices)), 4),
        decisions=round(sum(count > 1 for count in choices) / max(1, len(choices)), 4),
        uses=uses,
    )


def evaluation_of(match: Match, simulations: int, seed: int) -> GameEvaluation:
    """Evaluate the positions of a match by tree search, and return what that says about its course."""
    from connectoe.engines.engine import Limits
    from connectoe.engines.mcts import MCTS

    game = match.game
    plies = range(match.ply)
    if len(plies) > MOST_EVALUATED:
        plies = [match.ply * step // MOST_EVALUATED for step in range(MOST_EVALUATED)]  # type: ignore[assignment]
    values = []
    for ply in plies:
        position = match.state_at(ply).position
        found = MCTS(game, seed=seed_of(seed, ply)).search(position, Limits(simulations=simulations))
        value = 2 * found.share - 1
        values.append(value if game.rules.player(position) == 0 else -value)
    return course_of(values, result_of(match))


def course_of(values: list[float], result: int) -> GameEvaluation:
    """Return what the values of a game's positions for player 0, from -1 to 1, say about its course."""
    count = len(values)
    leaders = [(value > 0) - (value < 0) for value in values]
    changes = round(sum(a != b for a, b in pairwise(leaders)) / count, 4)
    if result == DRAWN:
        return GameEvaluation(changes, round(sum(abs(value) for value in values) / count, 4), None, None)
    won = values if result == 0 else [-value for value in values]
    # The gap between the winner's value and the higher one is twice as large as the value is below 0.
    drama = sum(max(0.0, -2 * value) for value in won) / count
    threshold = max(-value for value in won)
    decisive = next((ply for ply, value in enumerate(won) if value > threshold), count)
    settled = next((ply + 1 for ply in range(count - 1, -1, -1) if won[ply] <= 0), 0)
    return GameEvaluation(changes, round(drama, 4), round(decisive / count, 4), round(settled / count, 4))
