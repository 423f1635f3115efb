"""Progress in puzzles, remembered by the browser in one cookie, since there are no accounts.

A cookie holds 4 kB, so of each game it keeps the numbers, the choice of theme and grade, the last puzzles that were
done, and those that return soonest, by the beginnings of their ids.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from urllib.parse import quote, unquote

from fastapi import Request, Response

from connectoe.core.game import Game
from connectoe.puzzles.grading import GRADES, grade
from connectoe.puzzles.puzzle import Puzzle
from connectoe.puzzles.selecting import puzzles_by_theme, selected
from connectoe.puzzles.store import puzzles_of
from connectoe.puzzles.training import RETURNS, Training
from connectoe.web.http.cookies import PUZZLES, cookie_of, set_cookie

MOST_GAMES, MOST_DONE, MOST_RETURNING = 10, 20, 6
SHORT = 5
"""The letters of a puzzle's id that are kept; among 300 puzzles, two share them once in some twenty games."""
QUARTERS = 4
NUMBER = re.compile("[0-9]{1,7}")


@dataclass
class Practice:
    """A browser's practice with the puzzles of one game."""

    training: Training = field(default_factory=Training)
    theme: str = ""
    """The theme that is wanted; empty for all."""
    grade: int = 0
    """The grade that is wanted; 0 for the one that suits the player."""

    def note(self, puzzle: Puzzle, today: date, *, solved: bool, is_of_today: bool) -> None:
        """Take the first result of a puzzle into account."""
        if self.training.counts(puzzle.id):
            self.training.note(puzzle.id, solved=solved)
        if is_of_today:
            self.training.note_day(today, solved=solved)

    def want(self, game: Game, theme: str | None, wanted_grade: int | None) -> None:
        """Change what is wanted; None leaves it, and a theme that the game does not have stands for all."""
        if theme is not None:
            self.theme = theme if theme in puzzles_by_theme(game) else ""
        if wanted_grade is not None:
            self.grade = wanted_grade

    def choose(self, game: Game, dice: random.Random) -> Puzzle | None:
        """Return the next puzzle: of the theme, and of the grade that is wanted or the nearest that there is."""
        puzzles = selected(game, self.theme)
        if self.grade and puzzles:
            nearest = min({grade(puzzle) for puzzle in puzzles}, key=lambda found: abs(found - self.grade))
            puzzles = [puzzle for puzzle in puzzles if grade(puzzle) == nearest]
        return self.training.choose(puzzles, dice)


def practice_in(request: Request, game: Game) -> Practice:
    """Return how a browser's practice with a game goes; a fresh start if it has none or the cookie was changed."""
    section = _sections(request).get(game.id, "")
    ids = {puzzle.id[:SHORT]: puzzle.id for puzzle in puzzles_of(game)} if section else {}
    return _read(section, ids)


def all_practice(request: Request) -> dict[str, Practice]:
    """Return the numbers of a browser's practice with each game it has practised."""
    return {game_id: _read(section, {}) for game_id, section in _sections(request).items()}


def remember_practice(request: Request, response: Response, game: Game, practice: Practice) -> Response:
    """Let the browser remember how practice with a game goes."""
    sections = _sections(request)
    written = _written(practice)
    if sections.get(game.id, _written(Practice())) != written:
        others = [(known, section) for known, section in sections.items() if known != game.id]
        kept = [*others, (game.id, written)][-MOST_GAMES:]
        value = quote("|".join(f"{known}~{section}" for known, section in kept), safe="")
        response.headers.append("set-cookie", set_cookie(request, PUZZLES, value))
    return response


def _sections(request: Request) -> dict[str, str]:
    parts = unquote(cookie_of(request, PUZZLES)[:4000]).split("|")
    return {game_id: section for game_id, _, section in (part.partition("~") for part in parts) if section}


def _written(practice: Practice) -> str:
    training = practice.training
    numbers = (round(training.grade * QUARTERS), training.streak, training.best_streak, training.tried, training.solved)
    days = (training.day, training.days, training.best_days)
    soonest = sorted(training.returning.items(), key=lambda item: item[1][0])[:MOST_RETURNING]
    theme = "" if set(practice.theme) & set("~|") else practice.theme
    return "~".join(
        (
            theme,
            ".".join(map(str, (practice.grade, *numbers, *days))),
            ".".join(known[:SHORT] for known in training.done[-MOST_DONE:]),
            ".".join(f"{known[:SHORT]}.{due}.{times}" for known, (due, times) in soonest),
        )
    )


def _read(section: str, ids: Mapping[str, str]) -> Practice:
    parts = section.split("~")
    numbers = parts[1].split(".") if len(parts) == 4 else []
    if len(numbers) != 9 or not all(map(NUMBER.fullmatch, numbers)):
        return Practice()
    wanted, quarters, streak, best, tried, solved, day, days, best_days = map(int, numbers)
    returning = parts[3].split(".")
    training = Training(
        grade=min(max(quarters / QUARTERS, GRADES[0]), GRADES[-1]),
        streak=streak,
        best_streak=best,
        tried=tried,
        solved=solved,
        done=[ids[known] for known in parts[2].split(".") if known in ids],
        returning={
            ids[known]: [int(due), min(int(times), len(RETURNS) - 1)]
            for known, due, times in zip(returning[::3], returning[1::3], returning[2::3], strict=False)
            if known in ids and NUMBER.fullmatch(due) and NUMBER.fullmatch(times)
        },
        day=day,
        days=days,
        best_days=best_days,
    )
    return Practice(training, parts[0], wanted if wanted in GRADES else 0)
