"""The measures: each a function of the games of one pairing, with a sentence that says what it means to an inventor.

Those that Ludii has too name its metric in `ludii` (github.com/Ludeme/Ludii, the classes under Evaluation/src/metrics,
in their later versions); where ours differ, the measure's docstring says how. Shares of games
and of points have Wilson's interval, everything else a bootstrap interval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from connectoe.errors import ConnectoeError
from connectoe.match import REPETITION
from connectoe.study.playing import PLY_LIMIT
from connectoe.study.special import DIRECTIONS
from connectoe.study.statistics import (
    Estimate,
    bootstrap,
    bootstrap_values,
    for_all_of,
    rounded,
    share_of_points,
    wilson,
)

FIRST, SECOND, DRAW = 0, 1, 2


class Games(NamedTuple):
    """What was counted of the games of one pairing.

    >>> counted = games_from([{"games": 2, "results": [1, 0, 1], "lengths": {"9": 2}, "endings": {"a line": 2},
    ...                        "openings": {"d": [1, 0, 1]}, "sample": [], "evaluated": []}])
    >>> counted.results, counted.lengths
    ([1, 0, 1], {9: 2})
    """

    played: int
    results: list[int]
    """Won by the first player, by the second, and drawn."""
    lengths: dict[int, int]
    endings: dict[str, int]
    openings: dict[str, list[int]]
    sample: list[dict[str, Any]]
    evaluated: list[dict[str, float | None]]


def games_from(chunks: Iterable[dict[str, Any]]) -> Games:
    """All games of a pairing, from what its chunks say.

    >>> games_from([]).played
    0
    """
    results = [0, 0, 0]
    lengths, endings = Counter[int](), Counter[str]()
    openings: dict[str, list[int]] = {}
    sample, evaluated = [], []
    for data in chunks:
        results = [a + b for a, b in zip(results, data["results"], strict=True)]
        lengths.update({int(length): count for length, count in data["lengths"].items()})
        endings.update(data["endings"])
        for move, counts in data["openings"].items():
            openings[move] = [a + b for a, b in zip(openings.get(move, [0, 0, 0]), counts, strict=True)]
        sample += data["sample"]
        evaluated += data["evaluated"]
    return Games(
        sum(results),
        results,
        {length: lengths[length] for length in sorted(lengths)},
        {name: endings[name] for name in sorted(endings) if endings[name]},
        {move: openings[move] for move in sorted(openings)},
        sample,
        evaluated,
    )


class Measure(NamedTuple):
    """A measure: what it is called, what it means, and how it is worked out.

    >>> MEASURES["draws"].ludii
    'Drawishness'
    """

    name: str
    title: str
    meaning: str
    work_out: Callable[[Games], Estimate | None]
    ludii: str = ""
    is_share: bool = True
    """Whether it is shown in percent."""


MEASURES: dict[str, Measure] = {}


def _measure(title: str, meaning: str, ludii: str = "", is_share: bool = True) -> Callable[[Any], Any]:
    def note(function: Callable[[Games], Estimate | None]) -> Callable[[Games], Estimate | None]:
        name = function.__name__
        MEASURES[name] = Measure(name, title, meaning, function, ludii, is_share)
        return function

    return note


@_measure(
    "First player's score",
    "The share of the points that moving first wins, a draw being half: 50% is fair.",
    "AdvantageP1",
)
def first_score(games: Games) -> Estimate | None:
    """The first player's share of the points; Ludii's AdvantageP1, which once counted wins alone, as `first_wins` does.

    >>> first_score(Games(4, [2, 1, 1], {}, {}, {}, [], [])).value
    0.625
    """
    return score_of(games.results)


def score_of(results: Sequence[int]) -> Estimate | None:
    """The first player's share of the points, of games won by the first player, by the second, and drawn.

    >>> score_of([2, 1, 1]).value
    0.625
    """
    return share_of_points(results[FIRST], results[DRAW], results[SECOND])


@_measure("First player's advantage", "How many more of the games the first player wins than the second: 0% is fair.")
def advantage(games: Games) -> Estimate | None:
    """The share of games won by the first player less that won by the second.

    >>> advantage(Games(4, [2, 1, 1], {}, {}, {}, [], [])).value
    0.25
    """
    score = first_score(games)
    return score and rounded(Estimate(2 * score.value - 1, 2 * score.low - 1, 2 * score.high - 1, score.games))


@_measure("Won by the first player", "How often the first player wins outright.")
def first_wins(games: Games) -> Estimate | None:
    """The share of games won by the first player.

    >>> first_wins(Games(4, [2, 1, 1], {}, {}, {}, [], [])).value
    0.5
    """
    return wilson(games.results[FIRST], games.played)


@_measure("Won by the second player", "How often the second player wins outright.")
def second_wins(games: Games) -> Estimate | None:
    """The share of games won by the second player.

    >>> second_wins(Games(4, [2, 1, 1], {}, {}, {}, [], [])).value
    0.25
    """
    return wilson(games.results[SECOND], games.played)


@_measure("Draws", "How many games tie out, repetition included, the ply limit not.", "Drawishness")
def draws(games: Games) -> Estimate | None:
    """The share of games drawn by the rules, repetition included; Ludii's Drawishness.

    >>> draws(Games(4, [2, 1, 1], {}, {}, {}, [], [])).value
    0.25
    """
    return wilson(games.results[DRAW] - games.endings.get(PLY_LIMIT, 0), games.played)


@_measure(
    "Balance", "How alike the players' chances to win are: 100% is fair, 0% is one player always winning.", "Balance"
)
def balance(games: Games) -> Estimate | None:
    """One less the gap between the shares of games won; Ludii's Balance. Its interval is that of the advantage: it
    reaches 1 where nobody may have any.

    >>> balance(Games(4, [2, 1, 1], {}, {}, {}, [], [])).value
    0.75
    """
    gap = advantage(games)
    if gap is None:
        return None
    least = 0.0 if gap.low <= 0 <= gap.high else min(abs(gap.low), abs(gap.high))
    most = max(abs(gap.low), abs(gap.high))
    return rounded(Estimate(1 - abs(gap.value), 1 - most, 1 - least, gap.games))


@_measure("Completion", "How many games somebody wins: low is a game that fizzles out.", "Completion")
def completion(games: Games) -> Estimate | None:
    """The share of games with a winner; Ludii's Completion.

    >>> completion(Games(4, [2, 1, 1], {}, {}, {}, [], [])).value
    0.75
    """
    return wilson(games.results[FIRST] + games.results[SECOND], games.played)


@_measure("Stopped", "How many games go round in circles: ended by repetition, a draw, or stopped at the ply limit.")
def stopped(games: Games) -> Estimate | None:
    """The share of games ended by repetition or at the ply limit.

    >>> stopped(Games(4, [2, 1, 1], {}, {"a line": 3, "repetition": 1}, {}, [], [])).value
    0.25
    """
    return wilson(games.endings.get(PLY_LIMIT, 0) + games.endings.get(REPETITION.reason, 0), games.played)


@_measure("At the ply limit", "How many games were still going on after the most moves a study plays.", "Timeouts")
def timeouts(games: Games) -> Estimate | None:
    """The share of games stopped at the ply limit; Ludii's Timeouts.

    >>> timeouts(Games(4, [2, 1, 1], {}, {"a line": 4}, {}, [], [])).value
    0.0
    """
    return wilson(games.endings.get(PLY_LIMIT, 0), games.played)


@_measure("Length in moves", "How many moves a game takes, both players' counted.", "DurationMoves", is_share=False)
def length(games: Games) -> Estimate | None:
    """The mean number of moves; Ludii's DurationMoves.

    >>> length(Games(4, [2, 1, 1], {5: 1, 9: 3}, {}, {}, [], [])).value
    8.0
    """
    return bootstrap({float(moves): count for moves, count in games.lengths.items()})


@_measure(
    "Spread of the length", "How much games differ in length: the standard deviation in moves.", "", is_share=False
)
def length_spread(games: Games) -> Estimate | None:
    """The standard deviation of the number of moves; Ludii's DurationTurnsStdDev, of moves instead of turns.

    >>> length_spread(Games(2, [2, 0, 0], {4: 1, 8: 1}, {}, {}, [], [])).value
    2.0
    """

    def deviation(values: NDArray[Any], counts: NDArray[Any]) -> NDArray[Any]:
        games = counts.sum(axis=-1)
        means = counts @ values / games
        spread: NDArray[Any] = np.sqrt(np.maximum(0.0, counts @ values**2 / games - means**2))
        return spread

    return bootstrap({float(moves): count for moves, count in games.lengths.items()}, deviation)


@_measure(
    "Length in turns", "How often the turn passes; fewer than moves if a turn has several.", "DurationTurns", False
)
def turns(games: Games) -> Estimate | None:
    """The mean number of turns, in the games written down; Ludii's DurationTurns.

    >>> turns(Games(1, [1, 0, 0], {}, {}, {}, [{"turns": 7}], [])).value
    7.0
    """
    return bootstrap_values([float(game["turns"]) for game in games.sample])


@_measure("Branching factor", "How many moves a player can choose from.", "BranchingFactorAverage", is_share=False)
def branching(games: Games) -> Estimate | None:
    """The mean over games of the mean number of legal moves; Ludii's BranchingFactorAverage.

    >>> branching(Games(1, [1, 0, 0], {}, {}, {}, [{"branching": 6.5}], [])).value
    6.5
    """
    return bootstrap_values([game["branching"] for game in games.sample])


@_measure("Real decisions", "How many of the moves had an alternative.", "DecisionMoves")
def decisions(games: Games) -> Estimate | None:
    """The mean share of moves with more than one legal move; Ludii's DecisionMoves.

    >>> decisions(Games(1, [1, 0, 0], {}, {}, {}, [{"decisions": 0.9}], [])).value
    0.9
    """
    return bootstrap_values([game["decisions"] for game in games.sample], bounds=(0.0, 1.0))


def _evaluated(games: Games, what: str, most: float = 1.0) -> Estimate | None:
    return bootstrap_values([value for game in games.evaluated if (value := game[what]) is not None], (0.0, most))


@_measure("Lead changes", "How many of the moves turn the tables, by a stronger engine's judgement.", "LeadChange")
def lead_changes(games: Games) -> Estimate | None:
    """The mean share of moves at which the expected winner changes; Ludii's LeadChange, which also counts the first
    position as a change. Here it does not count.

    >>> lead_changes(Games(1, [1, 0, 0], {}, {}, {}, [], [{"changes": 0.25}])).value
    0.25
    """
    return _evaluated(games, "changes")


@_measure(
    "Drama",
    "How far behind the later winner was on average: 0 never, 2 lost all along.",
    "DramaAverage",
    is_share=False,
)
def drama(games: Games) -> Estimate | None:
    """The mean gap between the winner's evaluation and the higher one, from -1 to 1 each; Ludii's DramaAverage.

    In a drawn game both players count as winners, as they do there.

    >>> drama(Games(1, [1, 0, 0], {}, {}, {}, [], [{"drama": 0.1}])).value
    0.1
    """
    return _evaluated(games, "drama", most=2.0)


@_measure(
    "Decisiveness",
    "How much of a won game is over when the winner stands better than the loser ever did: the rest is playing it out.",
    "DecisivenessMoves",
)
def decisiveness(games: Games) -> Estimate | None:
    """The mean share of a won game before the winner's evaluation exceeds the highest the loser ever has; Ludii's
    DecisivenessMoves, with its DecisivenessThreshold, which also counts drawn games. Here they do not count.

    >>> decisiveness(Games(1, [1, 0, 0], {}, {}, {}, [], [{"decisive": 0.6}])).value
    0.6
    """
    return _evaluated(games, "decisive")


@_measure("Settled", "How much of a won game is over when the later winner is ahead for good.")
def settled(games: Games) -> Estimate | None:
    """The mean share of a won game until the winner is ahead and stays so.

    >>> settled(Games(2, [1, 0, 1], {}, {}, {}, [], [{"settled": 0.7}, {"settled": None}])).value
    0.7
    """
    return _evaluated(games, "settled")


def chosen_measures(names: Iterable[str] = ()) -> list[Measure]:
    """The measures of these names, or all of them.

    >>> chosen_measures(["fun"])
    Traceback (most recent call last):
    connectoe.errors.ConnectoeError: there is no measure 'fun'; the measures are: first_score, ...
    """
    names = list(names)
    for name in names:
        if name not in MEASURES:
            raise ConnectoeError(f"there is no measure {name[:40]!r}; the measures are: {', '.join(MEASURES)}")
    return [measure for name, measure in MEASURES.items() if name in names or not names]


# What is not one figure.


def by_ending(games: Games) -> dict[str, Estimate | None]:
    """How games end, with the share of each way, the most usual first.

    >>> by_ending(Games(4, [4, 0, 0], {}, {"a line": 3, "board full": 1}, {}, [], []))["a line"].value
    0.75
    """
    ways = sorted(games.endings.items(), key=lambda way: (-way[1], way[0]))
    return {name: wilson(count, games.played) for name, count in ways}


def by_direction(games: Games) -> dict[str, Estimate | None]:
    """Which way the lines run that win, in the games that were written down and say so.

    >>> by_direction(Games(1, [1, 0, 0], {}, {}, {}, [{"direction": "row"}, {"direction": None}], []))["row"].value
    1.0
    """
    found = Counter(game["direction"] for game in games.sample if game["direction"])
    return {name: wilson(found[name], found.total()) for name in DIRECTIONS} if found else {}


def by_opening(games: Games) -> dict[str, Estimate | None]:
    """The first player's score after each first move that was played.

    >>> by_opening(Games(4, [], {}, {}, {"d": [2, 1, 1]}, [], []))["d"].value
    0.625
    """
    return {move: score_of(counts) for move, counts in games.openings.items()}


ENOUGH_FOR_THE_PIE = 30
"""Games after an opening below which it is not offered as the one that balances best."""
EVEN = 0.05
"""How far from one half an opening's score may be to be called even."""


class Pie(NamedTuple):
    """The opening after which the players' chances are nearest to even.

    >>> pie({"a": score_of([52, 48, 0]), "b": score_of([90, 10, 0])}).is_even  # 100 games cannot tell
    False
    >>> pie({"a": score_of([5200, 4800, 0]), "b": score_of([9000, 1000, 0])}).is_even
    True
    """

    move: str
    score: Estimate
    """With an interval that holds for all the openings it was picked from."""
    among: int
    """How many these are."""
    is_even: bool
    """Whether all of the interval is near one half."""
    any_may_be_even: bool
    """Whether the interval of any opening comes near one half."""


def pie(openings: Mapping[str, Estimate | None]) -> Pie | None:
    """The first move after which the players' chances are nearest to even: with the pie rule, where the second player
    may swap sides after it, a wise first player makes it. None if no opening was played often enough.

    Whoever picks one of many openings for its score is likely to pick one that was lucky, so that intervals are made to
    hold for all openings that are compared.

    >>> pie({"d": score_of([80, 20, 0]), "a": score_of([52, 48, 0])}).move
    'a'
    """
    known = {move: score for move, score in openings.items() if score and score.games >= ENOUGH_FOR_THE_PIE}
    if not known:
        return None
    scores = {move: for_all_of(len(known), score) for move, score in known.items()}
    best = min(scores, key=lambda move: (abs(scores[move].value - 0.5), move))
    low, high = 0.5 - EVEN, 0.5 + EVEN
    return Pie(
        best,
        scores[best],
        len(known),
        low <= scores[best].low and scores[best].high <= high,
        any(score.low <= high and low <= score.high for score in scores.values()),
    )


class Use(NamedTuple):
    """How a kind of special move is used.

    >>> uses(Games(1, [1, 0, 0], {}, {}, {}, [{"moves": 10, "uses": {"bomb": [5]}}], []))["bomb"].a_game.value
    1.0
    """

    a_game: Estimate | None
    """Uses in a game."""
    any_at_all: Estimate | None
    """The share of games in which there is one."""
    per_other_move: Estimate | None
    """Uses for each move that is none, such as slides per drop; in the games that have such moves."""
    when: Estimate | None
    """How much of the game is over at the first of them, in the games that have one."""


def uses(games: Games) -> dict[str, Use]:
    """How the special moves are used in the games that were written down.

    >>> uses(Games(1, [1, 0, 0], {}, {}, {}, [], []))
    {}
    """
    kinds = games.sample[0]["uses"] if games.sample else {}
    found = {}
    for kind in kinds:
        plies = [(game["uses"][kind], game["moves"]) for game in games.sample]
        found[kind] = Use(
            bootstrap_values([float(len(used)) for used, _ in plies]),
            wilson(sum(bool(used) for used, _ in plies), len(plies)),
            bootstrap_values([len(used) / (moves - len(used)) for used, moves in plies if moves > len(used)]),
            bootstrap_values([used[0] / moves for used, moves in plies if used]),
        )
    return found


def skill(stronger_first: Games, weaker_first: Games) -> Estimate | None:
    """The stronger player's share of the points, with each side in half of the games: does better play win?

    >>> skill(Games(4, [3, 1, 0], {}, {}, {}, [], []), Games(4, [1, 3, 0], {}, {}, {}, [], [])).value
    0.75
    """
    first, second, drawn = stronger_first.results
    others_first, others_second, others_drawn = weaker_first.results
    return score_of([first + others_second, second + others_first, drawn + others_drawn])
