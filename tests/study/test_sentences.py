"""What a report says in sentences."""

from __future__ import annotations

from typing import Any

from connectoe.statistics import Measurement
from connectoe.study.chunks import Results, Theory
from connectoe.study.figures import (
    Comparisons,
    Origin,
    PairingFigures,
    SkillFigure,
    StudyFigures,
    VariantDifference,
    VariantFigures,
)
from connectoe.study.sentences import answers, differences


def level(player: str = "hard", **details: Any) -> PairingFigures:
    """The figures of a player against itself."""
    usual = {"results": Results(50, 50), "written_down": 100, "different": 100, "always_alike": False}
    return PairingFigures((player, player), **{**usual, **details})


def variant(
    *pairings: PairingFigures, theory: Theory | None = None, skill: tuple[SkillFigure, ...] = ()
) -> VariantFigures:
    return VariantFigures("the game", {}, theory, list(pairings), list(skill))


def share(value: float) -> Measurement:
    return Measurement(value, 0.0, 1.0, 100)


def said_about(
    score: tuple[float, float, float], draws: float, stopped: float = 0.0, repeated: float = 0.0,
    theory: Theory | None = None, **details: Any,
) -> dict[str, str]:  # fmt: skip
    measures = {"first_score": Measurement(*score, games=100), "draws": share(draws)}
    endings = {"ply limit": share(stopped), "repetition": share(repeated), "a line": share(1 - stopped - repeated)}
    return dict(answers(variant(level(measures=measures, endings=endings, **details), theory=theory)))


def test_a_report_begins_with_plain_answers() -> None:
    assert said_about((0.7, 0.68, 0.72), 0)["Is it fair?"].startswith("No: moving first is an advantage. Between hard")
    assert said_about((0.48, 0.47, 0.49), 0)["Is it fair?"].startswith("Nearly: moving second is an advantage.")
    assert said_about((0.51, 0.49, 0.53), 0)["Is it fair?"].startswith("Yes, as far as these games can tell.")
    assert said_about((0.6, 0.4, 0.8), 0)["Is it fair?"].startswith("Too few games to tell.")
    theory = Theory("win", 41, {})
    assert said_about((0.6, 0.4, 0.8), 0, plies=1, theory=theory)["Is it fair?"].endswith(
        "Between hard players after 1 random move the first player scores 60.0% (40.0 to 80.0). "
        "In theory, with best play the first player wins, in 41 moves."
    )
    draws = [
        said_about((0.5, 0.4, 0.6), share)["How often does it tie?"].split(":")[0] for share in (0, 0.01, 0.1, 0.9, 1)
    ]
    assert draws == ["Never so far", "Hardly ever", "Sometimes", "Mostly", "Always so far"]


def test_a_few_games_are_no_reason_for_a_verdict() -> None:
    few = said_about((0.9, 0.6, 1.0), 0, results=Results(4))
    assert few["Is it fair?"].startswith("Too few games to tell.")


def test_repeated_games_are_mentioned_if_the_players_are_not_random() -> None:
    def fair(different: int, always_alike: bool) -> str:
        details: dict[str, Any] = {"results": Results(40), "written_down": 40}
        return said_about((1.0, 0.9, 1.0), 0, **details, different=different, always_alike=always_alike)["Is it fair?"]

    assert fair(different=1, always_alike=True).endswith(
        "These players always make the same move in the same position: the 40 games are only 1 different game, and say "
        "little about others."
    )
    assert "different" not in fair(different=30, always_alike=True)
    assert "different" not in fair(different=1, always_alike=False), "games repeated by chance are as good as others"


def test_a_game_that_sometimes_does_not_end_is_mentioned_first() -> None:
    assert "Does it end?" not in said_about((0.5, 0.4, 0.6), 0)
    question, answer = next(iter(said_about((0.5, 0.48, 0.52), 0, stopped=0.2, repeated=0.0004).items()))
    assert question == "Does it end?"
    assert answer == (
        "Not always: of the games between hard players, 20.0% were stopped at the ply limit and under 0.1% ended by "
        "repetition. Both count as half a point."
    )


def test_nothing_else_is_said_about_a_game_that_never_ends() -> None:
    assert said_about((0.5, 0.48, 0.52), 0, stopped=1.0, results=Results(0, 0, 100)) == {
        "Does it end?": "No: every game was stopped at the ply limit, so nothing else can be said."
    }


def test_a_game_that_always_ends_by_repetition_is_not_called_fair() -> None:
    openings = {"l": Measurement(0.5, 0.49, 0.51, games=100)}
    said = said_about((0.5, 0.48, 0.52), 1.0, repeated=1.0, results=Results(0, 0, 100), openings=openings)
    question, answer = next(iter(said.items()))
    assert question == "Does it end?"
    assert answer == "Only by repetition: every game was drawn that way, and nobody ever won."
    assert said["Is it fair?"].startswith("This cannot be answered: nobody wins.")
    assert said["How often does it tie?"].startswith("Always so far: 100.0%")
    assert "What would the pie rule change?" not in said


def test_repetitions_are_mentioned_if_there_are_some() -> None:
    assert said_about((0.5, 0.48, 0.52), 0.4, repeated=0.3)["Does it end?"] == (
        "Yes, but some games only by repetition, which is a draw: 30.0% between hard players."
    )


def test_players_listed_in_the_wrong_order_are_told_from_those_who_cannot_be_told_apart() -> None:
    def skill(low: float, high: float, games: int = 100) -> str:
        gap = SkillFigure("random", "easy", Measurement((low + high) / 2, low, high, games))
        return answers(variant(level("random"), skill=(gap,)))[0][1]

    assert skill(0.1, 0.3).startswith(
        "Not in the order in which the players are listed, weakest first: random scores 20.0%"
    )
    assert skill(0.4, 0.6).startswith("Not as far as these games can tell")
    assert skill(0.6, 0.8).startswith("Yes")
    assert skill(0.6, 1.0, games=4).startswith("Not as far as these games can tell")


def test_an_opening_is_called_even_or_not_only_if_the_games_can_tell() -> None:
    def pie_rule(value: float, low: float, high: float) -> str:
        return answers(variant(level("easy", openings={"d": Measurement(value, low, high, games=50)})))[0][1]

    assert pie_rule(0.57, 0.45, 0.68).startswith("Too few games to tell; nearest to even is d: after it")
    assert pie_rule(0.52, 0.42, 0.62).startswith("Too few games to tell; nearest to even is d: after it")
    assert pie_rule(0.57, 0.56, 0.59).startswith("No opening is even; the nearest is d: after it")
    assert pie_rule(0.52, 0.49, 0.54).startswith("The opening to choose is d: after it")


def test_the_best_of_many_openings_has_a_wider_interval() -> None:
    score = Measurement(0.52, 0.49, 0.54, games=500)
    [(_, said)] = answers(variant(level("easy", openings=dict.fromkeys("abcdefg", score))))
    assert said == (
        "The opening to choose is a: after it the first player scores 52.0% (47.9 to 54.7, widened for "
        "7 openings) between easy players."
    )


def test_the_pie_rule_asks_the_strongest_players_who_tried_most_openings() -> None:
    tried, liked = (Measurement(value, 0.5, 0.95, games=500) for value in (0.52, 0.9))
    broad = level("random", openings=dict.fromkeys("abcd", tried))
    narrow = level("hard", openings={"d": liked})

    def said(moves: dict[str, str]) -> list[str]:
        return [answer for _, answer in answers(variant(broad, narrow, theory=Theory("win", 9, moves)))]

    assert said({"a": "loss", "b": "draw", "c": "loss", "d": "win"}) == [
        "In theory, with best play the first player wins, in 9 moves.",
        "In theory, choose b, for a draw. The most even opening in these games is a: after it the first player scores "
        "52.0% (49.5 to 100.0, widened for 4 openings) between random players.",
    ]
    assert said(dict.fromkeys("abcd", "draw"))[1].startswith("In theory, any opening will do: all are drawn. The most")
    assert said(dict.fromkeys("abcd", "win"))[1].startswith("In theory, it does not help: no opening is drawn, so the")
    assert said({"a": "win"})[1].startswith("Too few games to tell; nearest to even is a: after it the first player")


def test_a_difference_in_length_has_its_unit_once() -> None:
    row = VariantDifference("easy", 1, "length", value=-2.0, low=-3.0, high=-1.0, p=0.001, p_holm=0.001, real=True)
    variants = [VariantFigures(name, {}, None, [], []) for name in "ab"]
    origin = Origin("0.1.0", 0, ["easy"], games=200, chunks=4)
    figures = StudyFigures("c4-twist", "C4", origin, 1000, None, {}, variants, Comparisons(0, "Holm", 1, 0.05, [row]))
    assert differences(figures) == ["b compared with a, between easy players: length -2.0 moves (-3.0 to -1.0)."]
