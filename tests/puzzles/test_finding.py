"""Puzzles of a small game of one's own, in which the right move is known: in Nim it leaves a multiple of four."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from connectoe import Game, load
from connectoe.commands.puzzles import find
from connectoe.puzzles.finding import Collection, image_of
from connectoe.puzzles.puzzle import Puzzle, Tries, puzzle_from
from connectoe.puzzles.store import Making, PuzzleFile, file_of, puzzles_of, read_puzzles, write_puzzles
from tests.commands.calling import connectoe
from tests.nim import NIM


@pytest.fixture(scope="module")
def nim_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("puzzles") / "nim.py"
    path.write_text(NIM)
    return path


@pytest.fixture(scope="module")
def nim(nim_file: Path) -> Game:
    return load(nim_file)


@pytest.fixture(scope="module")
def found(nim: Game, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Puzzle]]:
    path = tmp_path_factory.mktemp("found") / "nim.txt"
    return path, find(nim, Making(seed=3, wanted=5), path, processes=1).puzzles


@pytest.mark.slow
def test_the_only_winning_move_of_nim_leaves_a_multiple_of_four(found: tuple[Path, list[Puzzle]]) -> None:
    assert len(found[1]) == 5
    for puzzle in found[1]:
        assert int(puzzle.solution) == puzzle.state.position.sticks % 4
        assert (puzzle.goal, puzzle.proof) == ("win", "table")
        assert puzzle.plies == len(puzzle.line) == 2 * (puzzle.state.position.sticks // 4) + 1


@pytest.mark.slow
def test_an_interrupted_search_goes_on_to_the_same_puzzles(
    nim: Game, found: tuple[Path, list[Puzzle]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, puzzles = found
    half = tmp_path / "half.txt"
    stop_after(monkeypatch, puzzles=2)
    with pytest.raises(SystemExit) as stopped:
        find(nim, Making(seed=3, wanted=5), half, processes=1)
    assert stopped.value.code == 130
    assert len(read_puzzles(half, nim).puzzles) == 2
    monkeypatch.undo()
    assert find(nim, Making(seed=3, wanted=5), half, processes=1).puzzles == puzzles
    assert half.read_text() == whole.read_text()


def stop_after(monkeypatch: pytest.MonkeyPatch, puzzles: int) -> None:
    """Press Ctrl-C once that many puzzles are found."""
    plainly = Collection.add

    def add(collection: Collection, puzzle: Puzzle, *, is_even: bool = False) -> bool:
        if len(collection.puzzles) == puzzles:
            raise KeyboardInterrupt
        return plainly(collection, puzzle, is_even=is_even)

    monkeypatch.setattr(Collection, "add", add)


@pytest.mark.slow
def test_the_puzzles_of_a_one_file_game_lie_beside_it(
    nim: Game, nim_file: Path, found: tuple[Path, list[Puzzle]]
) -> None:
    file_of(nim).write_text(found[0].read_text())
    puzzles_of.cache_clear()
    assert file_of(nim).parent == nim_file.parent
    assert list(puzzles_of(nim)) == found[1]
    assert puzzles_of(load(nim_file, sticks=20)) == ()
    listed = [json.loads(line) for line in connectoe("puzzles", str(nim_file), "--list", "--json").output.splitlines()]
    assert [puzzle["id"] for puzzle in listed] == [puzzle.id for puzzle in found[1]]
    assert "all 5 puzzles are right" in connectoe("puzzles", str(nim_file), "--check", "--processes", "1").output


def test_a_position_and_its_mirror_images_are_one_puzzle() -> None:
    game = load("tic-tac-toe")
    corners = [game.start.play(corner).position for corner in ("a1", "a3", "c1", "c3")]
    assert len({image_of(game.rules, position) for position in corners}) == 1
    assert image_of(game.rules, game.start.play("b2").position) != image_of(game.rules, corners[0])


def puzzle_after(moves: str, **facts: Any) -> Puzzle:
    """Some puzzle of tic-tac-toe, in the position after these moves."""
    return Puzzle(load("tic-tac-toe"), tuple(moves.split()), "win", 5, ("b2", "a3", "b3"), "table", **facts)


def test_a_collection_takes_no_puzzle_twice_and_not_all_of_one_grade() -> None:
    collection = Collection(load("tic-tac-toe"), count=5)
    hard = {"easy": Tries(5, 5), "medium": Tries(5, 5)}
    assert collection.add(puzzle_after("a1 b1"), is_even=True)
    assert not collection.add(puzzle_after("c1 b1"), is_even=True), "a mirror image"
    assert collection.add(puzzle_after("a1 c2"), is_even=True)
    assert not collection.add(puzzle_after("b1 c2"), is_even=True), "two of five are enough"
    assert collection.add(puzzle_after("b1 c2", levels=hard), is_even=True)
    assert collection.add(puzzle_after("b1 c1")), "where grades need not be even"
    assert not collection.is_full


def test_a_file_of_puzzles_is_for_one_game_with_its_options(tmp_path: Path) -> None:
    game, path = load("tic-tac-toe"), tmp_path / "some.txt"
    puzzle = puzzle_after("a1 b1", tempting="b2", levels={"easy": Tries(3, 5)})
    write_puzzles(path, game, PuzzleFile(Making(seed=1, wanted=1), (puzzle,)))
    assert read_puzzles(path, game).puzzles == (puzzle,)
    assert puzzle_from(game, puzzle.as_line()) == puzzle
    wrong = connectoe("puzzles", "connect-four", "--check", "-o", str(path))
    assert (wrong.exit_code, "holds no puzzles of load('connect-four')" in wrong.output) == (1, True)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("win\t5", "7 columns"),
        ("mate\t5\ttable\ta1\ta3\t-\t-", "not a puzzle"),
        ("win\t5\ttable\ta1\tz9\t-\t-", "'z9' is no move of tic-tac-toe"),
        ("win\t5\ttable\ta1\ta3\t-\t-\teasy often", "look like `easy 3/4`"),
    ],
)
def test_a_damaged_file_is_refused_with_the_line(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "bad.txt"
    write_puzzles(path, load("tic-tac-toe"), PuzzleFile(Making(seed=1, wanted=1), ()))
    path.write_text(path.read_text() + line + "\n")
    answer = connectoe("puzzles", "tic-tac-toe", "--list", "-o", str(path))
    assert answer.exit_code == 1
    assert f"line 4: {problem}" in " ".join(answer.output.split()) or problem in answer.output


def test_a_game_without_proofs_has_no_puzzles() -> None:
    answer = connectoe("puzzles", "ultimate-ultimate", "--count", "1")
    assert (answer.exit_code, "too large for a search to prove" in answer.output) == (1, True)
