"""Practice that adapts: puzzles get harder after success and easier after failure, and failed ones return."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any

from connectoe.puzzles.grading import GRADES, grade
from connectoe.puzzles.puzzle import Puzzle

STEP_UP, STEP_DOWN = 0.25, 0.5
"""How much the suitable grade rises after a puzzle solved without help, and falls after any other."""
RETURNS = (2, 5, 12, 30)
"""After how many other puzzles a failed one returns; each time it is solved, the next number counts."""
REMEMBERED = 1000
"""How many puzzles are remembered as done."""


@dataclass
class Training:
    """How a player's practice with the puzzles of one game is going.

    >>> training = Training()
    >>> training.note("abc", solved=True)
    >>> training.streak, training.grade
    (1, 1.25)
    """

    grade: float = float(GRADES[0])
    """The grade that suits the player."""
    streak: int = 0
    """The puzzles solved in a row, without help."""
    best_streak: int = 0
    tried: int = 0
    solved: int = 0
    done: list[str] = field(default_factory=list)
    """The ids of the last puzzles."""
    returning: dict[str, list[int]] = field(default_factory=dict)
    """Failed puzzles by id: after how many puzzles in all each is due, and how often it was solved since."""
    day: int = 0
    """The last day whose puzzle was solved or failed, as `date.toordinal` counts."""
    days: int = 0
    """The puzzles of the day solved on days in a row, up to that day."""
    best_days: int = 0

    def counts(self, puzzle_id: str) -> bool:
        """Whether a puzzle counts now: one that is done does not, until it is due to return."""
        if puzzle_id in self.returning:
            return self.returning[puzzle_id][0] <= self.tried
        return puzzle_id not in self.done

    def note(self, puzzle_id: str, *, solved: bool) -> None:
        """Take a puzzle into account; one that needed a hint or a second try does not count as solved."""
        self.tried += 1
        self.done = [*(known for known in self.done if known != puzzle_id), puzzle_id][-REMEMBERED:]
        if solved:
            self.solved += 1
            self.streak += 1
            self.best_streak = max(self.best_streak, self.streak)
            self.grade = min(float(GRADES[-1]), self.grade + STEP_UP)
        else:
            self.streak = 0
            self.grade = max(float(GRADES[0]), self.grade - STEP_DOWN)
        times = self.returning[puzzle_id][1] + 1 if solved and puzzle_id in self.returning else 0
        if times == len(RETURNS):
            del self.returning[puzzle_id]
        elif not solved or times:
            self.returning[puzzle_id] = [self.tried + RETURNS[times], times]

    def note_day(self, day: date, *, solved: bool) -> None:
        """Take the puzzle of a day into account; the first result of a day counts.

        >>> training = Training()
        >>> for number in (17, 18, 19):
        ...     training.note_day(date(2026, 11, number), solved=True)
        >>> training.days_in_a_row(date(2026, 11, 20)), training.days_in_a_row(date(2026, 11, 21))
        (3, 0)
        """
        if self.day == day.toordinal():
            return
        self.days = self.days_in_a_row(day) + 1 if solved else 0
        self.best_days = max(self.best_days, self.days)
        self.day = day.toordinal()

    def days_in_a_row(self, today: date) -> int:
        """Return on how many days in a row the puzzle of the day was solved, up to today or yesterday."""
        return self.days if today.toordinal() - self.day in (0, 1) else 0

    def choose(self, puzzles: Sequence[Puzzle], dice: random.Random) -> Puzzle | None:
        """Return the next puzzle: one that is due to return, else a new one of the grade that suits the player."""
        by_id = {puzzle.id: puzzle for puzzle in puzzles}
        due = [known for known, (when, _) in self.returning.items() if when <= self.tried and known in by_id]
        if due:
            return by_id[min(due, key=lambda known: self.returning[known][0])]
        done = set(self.done)
        fresh = [puzzle for puzzle in puzzles if puzzle.id not in done]
        if not fresh:
            longest_ago = [by_id[known] for known in self.done if known in by_id]
            fresh = longest_ago[: len(longest_ago) // 2 + 1]
        if not fresh:
            return None
        nearest = min(abs(grade(puzzle) - self.grade) for puzzle in fresh)
        return dice.choice([puzzle for puzzle in fresh if abs(grade(puzzle) - self.grade) < nearest + 0.5])

    def to_json(self) -> str:
        """Return it as text for a file."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Training:
        """Return what `to_json` wrote; a fresh start if the text is not of that kind."""
        try:
            found: Any = cls(**json.loads(text))
            found.note("", solved=False)  # a bad text fails here, not in the middle of practice
            return cls(**json.loads(text))
        except (TypeError, ValueError, AttributeError, KeyError, IndexError):
            return cls()
