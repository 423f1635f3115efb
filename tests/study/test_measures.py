"""What is measured of games, on games made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectoe import Match, load
from connectoe.commands.study import numbers_of_games
from connectoe.core.errors import ConnectoeError
from connectoe.study.breakdowns import by_ending, pie, uses
from connectoe.study.chunks import GameEvaluation, GameSample, PlayedGames, Results
from connectoe.study.measures import MEASURES, chosen_measures, score_of
from connectoe.study.plan import chunks_of, make_plan
from connectoe.study.playing import play_chunk
from connectoe.study.random_games import random_moves
from connectoe.study.samples import course_of, ending_of, evaluation_of, sample_of
from tests.study.studying import figures_of


def played(game_id: str, moves: str) -> Match:
    match = Match(load(game_id))
    for move in moves.split():
        match.play(move)
    return match


def test_every_measure_says_in_a_sentence_what_it_means() -> None:
    for measure in MEASURES.values():
        assert measure.meaning.endswith("."), measure.name
        assert measure.title


def test_every_measure_is_explained_on_the_page_about_studies() -> None:
    page = (Path(__file__).parents[2] / "docs" / "studies.md").read_text()
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    missing = [name for name in MEASURES if not any(f"`{name}`" in row for row in rows)]
    assert not missing, f"the table of measures in docs/studies.md has no row for {missing}"


def test_an_unknown_measure_is_refused_with_the_list_of_those_there_are() -> None:
    with pytest.raises(ConnectoeError, match="no measure 'fun'; the measures are: first_score"):
        chosen_measures(["draws", "fun"])


def test_the_winner_who_was_behind_at_first_makes_a_drama() -> None:
    told = course_of([-0.5, -0.5, 0.5, 1.0], result=0)
    assert told == GameEvaluation(changes=0.25, drama=0.5, decisive=0.75, settled=0.5)
    # The same game seen from the other side of the table.
    assert course_of([0.5, 0.5, -0.5, -1.0], result=1) == told


def test_a_game_that_is_level_all_along_has_no_drama_and_no_lead() -> None:
    assert course_of([0.0, 0.0], result=2) == GameEvaluation(0.0, 0.0, None, None)


@pytest.mark.slow
def test_a_search_sees_that_the_winner_of_a_blunder_was_not_ahead_from_the_start() -> None:
    match = played("tic-tac-toe", "b2 a1 a2 c2 c3 b3 c1 a3 b1")  # nobody errs badly, and it ends in a draw
    assert match.outcome
    assert match.outcome.winner is None
    told = evaluation_of(match, simulations=300, seed=1)
    assert told.decisive is None
    lost = played("tic-tac-toe", "b2 a1 a2 c1 b3 b1")  # X lets O have the bottom row
    blunder = evaluation_of(lost, simulations=300, seed=1)
    assert blunder.settled is not None
    assert blunder.settled > 0.6


def test_bombs_marks_and_slides_are_counted_with_their_moves() -> None:
    assert sample_of(played("c4-twist", "d *d *c")).uses == {"bomb": [2, 3]}
    assert sample_of(played("connect-tac-toe", "d1 +e1 c1")).uses == {"mark": [2]}
    assert sample_of(played("shift-tac-toe", "1 9 2")).uses == {"slide": [2]}


def test_two_steps_of_ultimate_ultimate_are_one_turn() -> None:
    sample = sample_of(played("ultimate-ultimate", "5.5.1 +2 2.1.1 +2"))
    assert (sample.moves, sample.turns) == (4, 2)


@pytest.mark.slow
def test_a_tally_by_tie_is_one_that_gives_both_players_a_tally() -> None:
    from connectoe.games.ultimate_ultimate.rules import COMPLETED, tallies_of

    game = load("ultimate-ultimate")
    happens = game.special_events["tally by tie"]
    ties = 0
    position = game.rules.start
    for move in random_moves(game, 1, seed=5)[0][:900]:
        after = game.rules.play(position, move)
        changed = [(int(a), int(b)) for a, b in zip(position.boards[:81], after.boards[:81], strict=True) if a != b]
        if changed and changed[0][1] < COMPLETED:
            old, new = changed[0]
            is_tie = all(tallies_of(player, new) == tallies_of(player, old) + 1 for player in (0, 1))
            assert happens(position, move) == is_tie
            ties += is_tie
        position = after
    assert ties


def test_the_pie_is_cut_at_the_opening_nearest_to_even() -> None:
    few = {"c": score_of(Results(5, 5))}
    found = pie({"a": score_of(Results(60, 40)), "b": score_of(Results(49, 51)), **few})
    assert found
    assert (found.move, found.among) == ("b", 2)  # c is exactly even, but ten games say little
    assert pie(few) is None


def test_the_pie_is_even_or_not_only_where_the_games_can_tell() -> None:
    def verdict(*openings: list[int]) -> tuple[bool, bool]:
        found = pie({f"{number}": score_of(Results(*results)) for number, results in enumerate(openings)})
        assert found
        return found.is_even, found.any_may_be_even

    assert verdict([16, 14, 0]) == (False, True)  # 53%, by thirty games
    assert verdict([5300, 4700, 0]) == (True, True)
    assert verdict([6000, 4000, 0]) == (False, False)
    assert verdict([6000, 4000, 0], [20, 11, 0]) == (False, True)  # the second, at 64.5%, may be even for all we know
    # Alone, this one is even; picked from a hundred, it may be the luckiest of them.
    assert verdict([300, 300, 0])[0]
    assert not verdict([300, 300, 0], *[[900, 500, 0]] * 99)[0]


def test_slides_per_drop_are_counted_game_by_game() -> None:
    samples = [
        GameSample(0, moves, moves, None, branching=3.0, decisions=1.0, uses={"slide": slides})
        for moves, slides in ((4, [2]), (2, []))
    ]
    use = uses(PlayedGames(Results(2), samples=samples))["slide"]
    assert use.a_game
    assert use.per_other_move
    assert use.when
    assert (use.a_game.value, use.when.value) == (0.5, 0.5)
    assert use.per_other_move.value == pytest.approx((1 / 3 + 0) / 2, abs=1e-6)


def test_how_a_game_ends_is_named_by_the_kind_of_line() -> None:
    assert ending_of(played("connect-four", "a b a b a b a")) == "a line of discs"
    repeated = played("shift-tac-toe", "7 4 7 4")
    assert repeated.outcome
    assert ending_of(repeated) == "repetition"


@pytest.mark.slow
def test_random_semaphores_end_by_a_line_of_some_colour() -> None:
    _, chunk = chunks_of(make_plan([load("semaphores", rows=3, cols=3)], ["random"], 2000, records=0, evaluated=0))
    games = play_chunk(chunk).games
    assert games
    endings = by_ending(PlayedGames.merged([games]))
    assert set(endings) == {"a green line", "a yellow line", "a red line"}
    assert sum(share.value for share in endings.values() if share) == pytest.approx(1)


@pytest.mark.slow
def test_better_play_wins_at_tic_tac_toe(tmp_path: Path) -> None:
    [gap] = figures_of(load("tic-tac-toe"), ["random", "easy"], 200, tmp_path).skill
    assert (gap.stronger, gap.weaker) == ("easy", "random")
    assert gap.score
    assert gap.score.low > 0.6


def test_neighbours_play_as_many_games_as_is_said_for_them() -> None:
    names = ["mcts:5", "mcts:9,exploration=1", "random"]
    asked = numbers_of_games("mcts:5=40,mcts:9,exploration=1=30,random=9,mcts:5/mcts:9,exploration=1=8", names)
    plan = make_plan([load("tic-tac-toe")], names, asked)
    games = {pairing.players: pairing.games for pairing in plan.pairings if pairing.players}
    assert games["mcts:5", "mcts:5"] == 40
    assert games["mcts:5", "mcts:9,exploration=1"] == games["mcts:9,exploration=1", "mcts:5"] == 4
    assert games["random", "mcts:9,exploration=1"] == 4  # nothing is said: as many as the fewer, half with each side


def test_the_direction_of_a_line_is_known_in_every_game_with_lines() -> None:
    ways = {
        "connect-four": ("a b a b a b a", "column"),
        "tic-tac-toe": ("a1 a2 b1 b2 c1", "row"),
        "semaphores": ("a1 d3 b2 d2 c3", "diagonal"),
        "shift-tac-toe": ("1 2 1 2 1", "column"),
    }
    for game_id, (moves, direction) in ways.items():
        assert sample_of(played(game_id, moves)).direction == direction
    assert sample_of(played("connect-four", "a b")).direction is None
