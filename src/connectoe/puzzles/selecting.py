"""The puzzles of a game by theme and grade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from connectoe.core.game import Game
from connectoe.puzzles.grading import grade as grade_of
from connectoe.puzzles.puzzle import Puzzle
from connectoe.puzzles.store import puzzles_of
from connectoe.puzzles.themes import themes


@lru_cache(maxsize=16)
def puzzles_by_theme(game: Game) -> Mapping[str, Sequence[Puzzle]]:
    """Return the puzzles that come with a game by their themes, in the order of the themes' names.

    >>> import connectoe
    >>> list(puzzles_by_theme(connectoe.load("connect-four")))[:4]
    ['hidden', 'save the draw', 'under threat', 'win in 2']
    """
    found: dict[str, list[Puzzle]] = {}
    for puzzle in puzzles_of(game):
        for theme in themes(puzzle):
            found.setdefault(theme, []).append(puzzle)
    return {theme: tuple(found[theme]) for theme in sorted(found)}


def selected(game: Game, theme: str = "", grade: int = 0) -> Sequence[Puzzle]:
    """Return the puzzles of a game with a theme and of a grade, or of all; empty if there are none.

    >>> import connectoe
    >>> {grade_of(puzzle) for puzzle in selected(connectoe.load("connect-four"), "win in 2", 2)}
    {2}
    """
    puzzles = puzzles_by_theme(game).get(theme, ()) if theme else puzzles_of(game)
    return [puzzle for puzzle in puzzles if grade in (0, grade_of(puzzle))]
