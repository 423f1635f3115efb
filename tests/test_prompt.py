"""Opponents that never wait for a compiler."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectoe import Match, game_ids, load, player
from connectoe.core.errors import UnknownPlayer
from connectoe.core.game import Game
from connectoe.engines.plain_mcts import PlainMCTS
from connectoe.engines.readiness import Part
from connectoe.prompt import PromptPlayer, at_full_strength, prompt_player
from tests.nim import NIM


@pytest.fixture
def nothing_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("prompt", "players"):
        monkeypatch.setattr(f"connectoe.{module}.is_ready", lambda game, part: False)
    monkeypatch.setattr("connectoe.engines.announcing._announcer", lambda doing: pytest.fail(doing))


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.usefixtures("nothing_is_ready")
def test_easy_plays_every_game_before_anything_is_compiled(game_id: str) -> None:
    match = Match(load(game_id))
    easy = prompt_player("easy", match.game, seed=1)
    for _ in range(2):
        match.play(easy.choose(match))
    assert match.ply == 2


@pytest.mark.usefixtures("nothing_is_ready")
def test_medium_looks_at_as_much_as_always_and_hard_does_not() -> None:
    match = Match(load("shift-tac-toe"))
    medium, hard = (PromptPlayer(level, match.game, seed=1) for level in ("medium", "hard"))
    medium.choose(match)
    assert medium.is_full_strength
    hard.seconds = 0.05
    hard.choose(match)
    assert not hard.is_full_strength
    for move in "112":
        match.play(move)
    match.play("2")
    assert hard.choose(match) == "3"  # a win in one is certain
    assert hard.is_full_strength


@pytest.mark.usefixtures("nothing_is_ready")
def test_the_opening_book_is_known_before_anything_is_compiled() -> None:
    match = Match(load("connect-four"))
    for level in ("hard", "perfect"):
        opponent = PromptPlayer(level, match.game)
        assert opponent.choose(match) == "d"
        assert opponent.is_full_strength


def test_an_engine_takes_over_as_soon_as_it_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    ready: set[Part] = set()
    monkeypatch.setattr("connectoe.prompt.is_ready", lambda game, part: part in ready)
    searched: list[object] = []
    search = PlainMCTS.search
    monkeypatch.setattr(PlainMCTS, "search", lambda *asked: searched.append(asked) or search(*asked))  # type: ignore[func-returns-value]
    match = Match(load("tic-tac-toe"))
    easy = PromptPlayer("easy", match.game, seed=1)
    match.play(easy.choose(match))
    assert len(searched) == 1
    ready.add("levels")
    match.play(easy.choose(match))
    assert len(searched) == 1
    assert at_full_strength("medium", match.game)
    assert not at_full_strength("hard", match.game)


def test_a_perfect_player_plays_well_while_its_table_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    known: list[Game] = []
    monkeypatch.setattr("connectoe.prompt.can_play_perfectly", lambda game, is_solver_ready: game in known)
    monkeypatch.setattr("connectoe.prompt.is_ready", lambda game, part: False)
    match = Match(load("tic-tac-toe"))
    perfect = PromptPlayer("perfect", match.game, seed=1, seconds=0.05)
    match.play(perfect.choose(match))
    assert not perfect.is_full_strength
    known.append(match.game)
    match.play(perfect.choose(match))
    assert perfect.is_full_strength


def test_a_game_of_ones_own_has_a_perfect_player_until_it_turns_out_to_be_too_large(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "nim.py"
    file.write_text(NIM)
    match = Match(load(file))
    ready: set[Part] = set()
    for module in ("prompt", "players"):
        monkeypatch.setattr(f"connectoe.{module}.is_ready", lambda game, part: part in ready)
    monkeypatch.setattr("connectoe.players.can_play_perfectly", lambda game: False)
    monkeypatch.setattr("connectoe.prompt.can_play_perfectly", lambda game, is_solver_ready: False)
    perfect = PromptPlayer("perfect", match.game, seed=1, seconds=0.05)
    match.play(perfect.choose(match))
    assert perfect.name == "perfect"
    ready.add("table")  # it was tried, and there is none
    match.play(perfect.choose(match))
    assert perfect.name == "hard"
    with pytest.raises(UnknownPlayer, match="not solved here"):
        PromptPlayer("perfect", match.game)


def test_names_that_are_no_level() -> None:
    game = load("ultimate")
    with pytest.raises(UnknownPlayer, match="not solved here"):
        prompt_player("perfect", game)
    with pytest.raises(UnknownPlayer, match="there is no player 'somebody'"):
        prompt_player("somebody", game)
    with pytest.raises(UnknownPlayer, match="'random' is no level"):
        PromptPlayer("random", game)
    assert prompt_player("random", game).name == "random"


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.usefixtures("nothing_is_ready")
def test_people_play_every_game_before_anything_is_compiled(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectoe.engines.playouts._engine", lambda game: pytest.fail("compiled"))
    monkeypatch.setattr("connectoe.people._proof_search", lambda game: pytest.fail("compiled"))
    match = Match(load(game_id))
    boris = prompt_player("person:boris", match.game, seed=1)
    for _ in range(2):
        match.play(boris.choose(match))
    assert match.ply == 2
    assert not boris.is_full_strength  # type: ignore[attr-defined]


def test_a_person_plays_as_described_as_soon_as_the_engines_are_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectoe.prompt.is_ready", lambda game, part: part == "people")
    match = Match(load("tic-tac-toe"))
    otto = prompt_player("person:otto", match.game, seed=1)
    assert otto.name == "Otto"
    assert otto.choose(match) == player("person:otto", match.game, seed=1).choose(match)
    assert otto.is_full_strength  # type: ignore[attr-defined]


def test_a_person_who_has_studied_waits_for_no_compiler_of_the_strongest_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectoe.prompt.is_ready", lambda game, part: part == "people")
    monkeypatch.setattr("connectoe.prompt.player", lambda *_: pytest.fail("compiled"))
    match = Match(load("connect-four"))
    boris = prompt_player("person:boris", match.game, seed=1)
    boris.choose(match)
    assert not boris.is_full_strength  # type: ignore[attr-defined]


@pytest.mark.usefixtures("nothing_is_ready")
def test_the_strongest_person_is_the_strongest_level() -> None:
    assert prompt_player("person:ada", load("connect-four")).name == "perfect"
    assert prompt_player("person:ada", load("ultimate")).name == "hard"
