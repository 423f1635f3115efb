"""The measures: each a function of the games of one pairing, with a sentence that says what it means to an inventor.

A measure that Ludii has too names its metric in `ludii` (github.com/Ludeme/Ludii, the classes under
Evaluation/src/metrics, in their later versions); where ours differ, the docstring says how. Shares of games and of
points have Wilson's interval, all others a bootstrap interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from connectoe.core.errors import ConnectoeError
from connectoe.core.match import REPETITION
from connectoe.statistics import (
    Measurement,
    bootstrap,
    bootstrap_mean,
    deviation_of,
    measured,
    share_of_games,
    share_of_points,
)
from connectoe.study.chunks import GameEvaluation, PlayedGames, Results
from connectoe.study.samples import PLY_LIMIT

Compute = Callable[[PlayedGames], Measurement | None]


class Measure(NamedTuple):
    """A measure: its name, its meaning, and how it is computed.

    >>> MEASURES["draws"].ludii
    'Drawishness'
    """

    name: str
    title: str
    meaning: str
    compute: Compute
    ludii: str = ""
    is_share: bool = True
    """Whether it is shown in percent."""
    unit: str = "points"
    """What it is counted in."""
    quantity: str = ""
    """The title without the unit."""


MEASURES: dict[str, Measure] = {}


def measure(
    title: str, meaning: str, ludii: str = "", is_share: bool = True, unit: str = ""
) -> Callable[[Compute], Compute]:
    """Add the decorated function to the measures, under its name; its full title ends with the unit, if it has one."""

    def add(function: Compute) -> Compute:
        name = function.__name__
        full_title = f"{title} in {unit}" if unit else title
        MEASURES[name] = Measure(name, full_title, meaning, function, ludii, is_share, unit or "points", title)
        return function

    return add


@measure(
    "First player's score",
    "The share of the points that moving first wins, a draw being half: 50% is fair.",
    "AdvantageP1",
)
def first_score(games: PlayedGames) -> Measurement | None:
    """Return the first player's share of the points; Ludii's AdvantageP1, which counted only wins in older versions."""
    return score_of(games.results)


def score_of(results: Results) -> Measurement | None:
    """Return the first player's share of the points."""
    return share_of_points(*results.won_drawn_lost)


@measure("First player's advantage", "How many more of the games the first player wins than the second: 0% is fair.")
def advantage(games: PlayedGames) -> Measurement | None:
    """Return the share of games won by the first player minus that won by the second."""
    score = first_score(games)
    return score and measured(2 * score.value - 1, 2 * score.low - 1, 2 * score.high - 1, score.games)


@measure("Won by the first player", "How often the first player wins outright.")
def first_wins(games: PlayedGames) -> Measurement | None:
    """Return the share of games won by the first player."""
    return share_of_games(games.results.first, games.played)


@measure("Won by the second player", "How often the second player wins outright.")
def second_wins(games: PlayedGames) -> Measurement | None:
    """Return the share of games won by the second player."""
    return share_of_games(games.results.second, games.played)


@measure("Draws", "How many games tie out, repetition included, the ply limit not.", "Drawishness")
def draws(games: PlayedGames) -> Measurement | None:
    """Return the share of games drawn by the rules, repetition included; Ludii's Drawishness."""
    return share_of_games(drawn_by_the_rules(games), games.played)


def drawn_by_the_rules(games: PlayedGames) -> int:
    """Return the number of drawn games that were not stopped at the ply limit."""
    return games.results.drawn - games.endings.get(PLY_LIMIT, 0)


@measure(
    "Balance", "How alike the players' chances to win are: 100% is fair, 0% is one player always winning.", "Balance"
)
def balance(games: PlayedGames) -> Measurement | None:
    """Return one minus the gap between the shares of games won; Ludii's Balance.

    Its interval is that of the advantage, and reaches 1 if that contains 0.
    """
    gap = advantage(games)
    if gap is None:
        return None
    least = 0.0 if gap.low <= 0 <= gap.high else min(abs(gap.low), abs(gap.high))
    most = max(abs(gap.low), abs(gap.high))
    return measured(1 - abs(gap.value), 1 - most, 1 - least, gap.games)


@measure("Completion", "How many games somebody wins: low is a game that fizzles out.", "Completion")
def completion(games: PlayedGames) -> Measurement | None:
    """Return the share of games with a winner; Ludii's Completion."""
    return share_of_games(games.results.first + games.results.second, games.played)


@measure("Stopped", "How many games go round in circles: ended by repetition, a draw, or stopped at the ply limit.")
def stopped(games: PlayedGames) -> Measurement | None:
    """Return the share of games that ended by repetition or at the ply limit."""
    return share_of_games(games.endings.get(PLY_LIMIT, 0) + games.endings.get(REPETITION.kind, 0), games.played)


@measure("At the ply limit", "How many games were still going on after the most moves a study plays.", "Timeouts")
def timeouts(games: PlayedGames) -> Measurement | None:
    """Return the share of games stopped at the ply limit; Ludii's Timeouts."""
    return share_of_games(games.endings.get(PLY_LIMIT, 0), games.played)


@measure("Length", "How many moves a game takes, both players' counted.", "DurationMoves", False, unit="moves")
def length(games: PlayedGames) -> Measurement | None:
    """Return the mean number of moves; Ludii's DurationMoves."""
    return bootstrap(games.lengths)


@measure(
    "Spread of the length", "How much games differ in length: the standard deviation in moves.", "", is_share=False
)
def length_spread(games: PlayedGames) -> Measurement | None:
    """Return the standard deviation of the number of moves; Ludii's DurationTurnsStdDev, of moves instead of turns."""
    return bootstrap(games.lengths, deviation_of)


@measure(
    "Length", "How often the turn passes; fewer than moves if a turn has several.", "DurationTurns", False, unit="turns"
)
def turns(games: PlayedGames) -> Measurement | None:
    """Return the mean number of turns in the sampled games; Ludii's DurationTurns."""
    return bootstrap_mean([float(game.turns) for game in games.samples])


@measure("Branching factor", "How many moves a player can choose from.", "BranchingFactorAverage", is_share=False)
def branching(games: PlayedGames) -> Measurement | None:
    """Return the mean over games of the mean number of legal moves; Ludii's BranchingFactorAverage."""
    return bootstrap_mean([game.branching for game in games.samples])


@measure("Real decisions", "How many of the moves had an alternative.", "DecisionMoves")
def decisions(games: PlayedGames) -> Measurement | None:
    """Return the mean share of moves with more than one legal move; Ludii's DecisionMoves."""
    return bootstrap_mean([game.decisions for game in games.samples], bounds=(0.0, 1.0))


def _evaluated(
    games: PlayedGames, number: Callable[[GameEvaluation], float | None], most: float = 1.0
) -> Measurement | None:
    return bootstrap_mean([value for game in games.evaluations if (value := number(game)) is not None], (0.0, most))


@measure("Lead changes", "How many of the moves turn the tables, by a stronger engine's judgement.", "LeadChange")
def lead_changes(games: PlayedGames) -> Measurement | None:
    """Return the mean share of moves at which the expected winner changes.

    Ludii's LeadChange, but that also counts the first position as a change.
    """
    return _evaluated(games, lambda game: game.changes)


@measure(
    "Drama",
    "How far behind the later winner was on average: 0 never, 2 lost all along.",
    "DramaAverage",
    is_share=False,
)
def drama(games: PlayedGames) -> Measurement | None:
    """Return the mean gap between the winner's evaluation and the higher one, from -1 to 1 each; Ludii's DramaAverage.

    In a drawn game both players count as winners, as they do there.
    """
    return _evaluated(games, lambda game: game.drama, most=2.0)


@measure(
    "Decisiveness",
    "How much of a won game is over when the winner stands better than the loser ever did: the rest is playing it out.",
    "DecisivenessMoves",
)
def decisiveness(games: PlayedGames) -> Measurement | None:
    """Return the mean share of a won game before the winner's evaluation exceeds the highest the loser ever has.

    Ludii's DecisivenessMoves, with its DecisivenessThreshold, but that also counts drawn games.
    """
    return _evaluated(games, lambda game: game.decisive)


@measure("Settled", "How much of a won game is over when the later winner is ahead for good.")
def settled(games: PlayedGames) -> Measurement | None:
    """Return the mean share of a won game until the winner is ahead and stays so."""
    return _evaluated(games, lambda game: game.settled)


def chosen_measures(names: Iterable[str] = ()) -> list[Measure]:
    """Return the measures with these names, or all of them."""
    names = list(names)
    for name in names:
        if name not in MEASURES:
            raise ConnectoeError(f"there is no measure {name[:40]!r}; the measures are: {', '.join(MEASURES)}")
    return [known for name, known in MEASURES.items() if name in names or not names]
