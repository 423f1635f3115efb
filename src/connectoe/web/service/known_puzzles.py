"""The puzzles that come with the games, found by their ids."""

from __future__ import annotations

from datetime import date

from connectoe.core.catalogue import load_known
from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.puzzles.puzzle import Puzzle
from connectoe.puzzles.store import puzzle_of, puzzle_of_the_day, puzzles_of, today, why_none
from connectoe.web.service.refusals import NoSuchPuzzle


def puzzles_of_game(game: Game) -> tuple[Puzzle, ...]:
    """Return the puzzles that come with a game; raise NoSuchPuzzle if it has none."""
    known = puzzles_of(game)
    if not known:
        raise NoSuchPuzzle(why_none(game))
    return known


def puzzle_named(game_id: str, puzzle_id: str) -> Puzzle:
    """Return the puzzle of a game with that id, or raise NoSuchPuzzle."""
    game = load_known(game_id)
    try:
        return puzzle_of(game, puzzle_id)
    except ConnectoeError as error:
        raise NoSuchPuzzle(str(error)) from error


def puzzle_for(game: Game, day: date | None = None) -> Puzzle:
    """Return the puzzle of a day, by default of today; it is the same for everybody."""
    return puzzle_of_the_day(puzzles_of_game(game), day or today())
