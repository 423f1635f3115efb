"""Figures of a pairing that are more than one number: by ending, direction, opening and kind of move; pie rule and
skill.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from connectoe.statistics import Measurement, bootstrap_mean, share_of_games, widened
from connectoe.study.chunks import DIRECTIONS, PlayedGames, Results
from connectoe.study.measures import score_of

Breakdown = dict[str, Measurement | None]


def by_ending(games: PlayedGames) -> Breakdown:
    """Return the share of games that ended in each way, the most frequent first."""
    ways = sorted(games.endings.items(), key=lambda way: (-way[1], way[0]))
    return {name: share_of_games(count, games.played) for name, count in ways}


def by_direction(games: PlayedGames) -> Breakdown:
    """Return the share of each direction among the winning lines of the sampled games."""
    found = Counter(game.direction for game in games.samples if game.direction)
    return {name: share_of_games(found[name], found.total()) for name in DIRECTIONS} if found else {}


def by_opening(games: PlayedGames) -> Breakdown:
    """Return the first player's score after each first move that was played."""
    return {move: score_of(results) for move, results in games.openings.items()}


FEWEST_GAMES = 10
"""Games after an opening below which its score is not shown on the board."""
ENOUGH_FOR_THE_PIE = 30
"""Games after an opening below which it is not offered as the most even one."""
EVEN = 0.05
"""How far from one half an opening's score may be to be called even."""


@dataclass(frozen=True, slots=True)
class Pie:
    """The opening after which the players' chances are nearest to even.

    >>> pie({"a": score_of(Results(52, 48)), "b": score_of(Results(90, 10))}).is_even  # 100 games cannot tell
    False
    >>> pie({"a": score_of(Results(5200, 4800)), "b": score_of(Results(9000, 1000))}).is_even
    True
    """

    move: str
    score: Measurement
    """With an interval that holds for all openings it was picked from."""
    among: int
    """The number of these openings."""
    is_even: bool
    """Whether the whole interval is near one half."""
    any_may_be_even: bool
    """Whether the interval of any opening comes near one half."""


def pie(openings: Mapping[str, Measurement | None]) -> Pie | None:
    """Return the first move after which the players' chances are nearest to even; None if too few games tell.

    With the pie rule, where the second player may swap sides after the first move, it is the move to make. The best of
    many openings is likely to be a lucky one, so the intervals are widened to hold for all that are compared.
    """
    known = {move: score for move, score in openings.items() if score and score.games >= ENOUGH_FOR_THE_PIE}
    if not known:
        return None
    scores = {move: widened(score, len(known)) for move, score in known.items()}
    best = min(scores, key=lambda move: (abs(scores[move].value - 0.5), move))
    low, high = 0.5 - EVEN, 0.5 + EVEN
    return Pie(
        best,
        scores[best],
        len(known),
        low <= scores[best].low and scores[best].high <= high,
        any(score.low <= high and low <= score.high for score in scores.values()),
    )


@dataclass(frozen=True, slots=True)
class Use:
    """How a kind of special move is used."""

    a_game: Measurement | None
    """Uses per game."""
    any_at_all: Measurement | None
    """The share of games with at least one."""
    per_other_move: Measurement | None
    """Uses for each other move, such as slides per drop; in the games that have other moves."""
    when: Measurement | None
    """How much of the game is over at the first use, in the games that have one."""


def uses(games: PlayedGames) -> dict[str, Use]:
    """Return how each kind of special move is used in the sampled games."""
    found = {}
    for kind in games.samples[0].uses if games.samples else ():
        plies = [(game.uses[kind], game.moves) for game in games.samples]
        found[kind] = Use(
            bootstrap_mean([float(len(used)) for used, _ in plies]),
            share_of_games(sum(bool(used) for used, _ in plies), len(plies)),
            bootstrap_mean([len(used) / (moves - len(used)) for used, moves in plies if moves > len(used)]),
            bootstrap_mean([used[0] / moves for used, moves in plies if used]),
        )
    return found


def skill(stronger_first: PlayedGames, weaker_first: PlayedGames) -> Measurement | None:
    """Return the stronger player's share of the points, from games with each side first."""
    first, second, drawn = weaker_first.results
    return score_of(stronger_first.results.plus(Results(second, first, drawn)))
