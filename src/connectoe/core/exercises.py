"""An exercise: a position, what to do there, which moves count, and the answers to other moves.

Lessons consist of exercises. An exercise is plain data, written down beside the rules of its game; `Attempt` is a
learner's progress through it, which a page or a terminal shows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from connectoe.core.errors import BadGame, ConnectoeError, IllegalMove
from connectoe.core.match import Match
from connectoe.core.rules import ONGOING

if TYPE_CHECKING:
    from connectoe.core.game import Game

Aim = Literal["", "win", "save", "trap"]
NOT_ASKED = "The rules allow that, but it is not what this exercise asks for. Try again."


@dataclass(frozen=True)
class Task:
    """One move to find in an exercise, with the answers to right and wrong moves."""

    words: str
    """What to do."""
    right: str
    """The moves that count, with blanks between them."""
    says: str = ""
    """The answer to one of them; by default, how the game ended or that it was right."""
    wrong: Mapping[str, str] = field(default_factory=dict)
    """The answers to likely mistakes, by regular expressions for whole moves; the first that matches counts."""
    otherwise: str = NOT_ASKED
    """The answer to all other moves."""
    hint: str = ""
    """A hint in words; without it, the move itself is the hint."""
    replies: str = ""
    """The moves that follow a right one on the board, as the other player's answer."""
    aim: Aim = ""
    """What the right moves do, and no other move does, so that it can be checked: they win at once (`win`); they do not
    lose at once or let the other player win with the next move (`save`); or they win with the move after next, whatever
    the other player does (`trap`).
    """

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that count.

        >>> Task("Win.", "a1 c3").moves
        ('a1', 'c3')
        """
        return tuple(self.right.split())


@dataclass(frozen=True)
class Exercise:
    """A position of a game with its usual options, and the moves to find from there.

    >>> import connectoe
    >>> line = Exercise("Three in line", (Task("Win.", "a1", aim="win"),), start="XO1/XO1/3 X")
    >>> game = connectoe.load("tic-tac-toe")
    >>> begun = Attempt.begin(game, line)
    >>> begun.answer("b1")
    Answer(is_right=False, words='The rules allow that, but it is not what this exercise asks for. Try again.')
    >>> begun.after("a1").said
    'X wins: three marks a1-a3.'
    """

    title: str
    tasks: tuple[Task, ...]
    start: str = ""
    """The position as text; without it, the start of the game."""
    moves: str = ""
    """Moves from there to the position on the board, with blanks between them."""

    def begin(self, game: Game) -> Match:
        """Return a match at the position of the exercise."""
        match = Match(game, start=game.state(self.start) if self.start else None)
        for move in self.moves.split():
            match.play(move)
        return match


class Answer(NamedTuple):
    """The answer to a move in an exercise."""

    is_right: bool
    words: str


@dataclass(frozen=True)
class Attempt:
    """An exercise and the part of it that is solved."""

    exercise: Exercise
    match: Match
    """The game so far, with the replies; not to be changed."""
    played: tuple[str, ...] = ()
    """The right moves so far, one for each task that is done."""
    said: str = ""
    """The answer to the last of them."""

    @classmethod
    def begin(cls, game: Game, exercise: Exercise, played: Sequence[str] = ()) -> Attempt:
        """Return an attempt after some right moves; raise IllegalMove if one of them is not right."""
        attempt = cls(exercise, exercise.begin(game))
        for move in played:
            attempt = attempt.after(move)
        return attempt

    @property
    def task(self) -> Task | None:
        """The task to solve now; None when all are solved."""
        number = len(self.played)
        return self.exercise.tasks[number] if number < len(self.exercise.tasks) else None

    def answer(self, move: str) -> Answer:
        """Return whether a move solves the task, and the answer to it."""
        task, state = self.task, self.match.state
        if task is None:
            return Answer(False, "This exercise is solved.")
        if move in task.moves:
            return Answer(True, task.says)
        number = state.game.move_numbers.get(move)
        if move not in self.match.legal_moves():
            why = state.game.why_illegal(state.position, number) if number is not None else "this is no move"
            return Answer(False, f"{why[:1].upper()}{why[1:]}.")
        fitting = [words for pattern, words in task.wrong.items() if re.fullmatch(pattern, move)]
        return Answer(False, fitting[0] if fitting else task.otherwise)

    def after(self, move: str) -> Attempt:
        """Return the attempt after a right move and the replies to it; raise IllegalMove for any other move."""
        task = self.task
        if task is None or not self.answer(move).is_right:
            raise IllegalMove(f"{move[:20]!r} does not solve this exercise")
        match = self.match.copy()
        match.play(move)
        said = task.says or (f"{match.status}." if match.outcome else "Right.")
        for reply in task.replies.split():
            match.play(reply)
        return Attempt(self.exercise, match, (*self.played, move), said)


# Checking that what an exercise says is true.


def check_exercise(game: Game, exercise: Exercise) -> None:
    """Raise BadGame if an exercise cannot be played as it is written, or its moves do not do what it says."""
    try:
        _check_tasks(Attempt.begin(game, exercise))
    except BadGame:
        raise
    except (ConnectoeError, re.error) as error:
        raise _wrong(exercise, str(error)) from error


def _wrong(exercise: Exercise, why: str) -> BadGame:
    return BadGame(f"the exercise {exercise.title!r} is wrong: {why}")


def _check_tasks(attempt: Attempt) -> None:
    """Check the task of an attempt, and all that follow, by each of the right moves."""
    exercise, task, state = attempt.exercise, attempt.task, attempt.match.state
    if task is None:
        return
    if not (exercise.title and task.words and task.moves):
        raise _wrong(exercise, "it needs a title, and each task needs words and a right move")
    legal = state.legal_moves()
    for move in task.moves:
        if move not in legal:
            raise _wrong(exercise, state.why_illegal(move) or "")
    others = [move for move in legal if move not in task.moves]
    for pattern in task.wrong:
        if not any(re.fullmatch(pattern, move) for move in others):
            raise _wrong(exercise, f"{pattern!r} among its mistakes fits no legal move that is not right")
    if task.aim:
        for move in legal:
            if _reaches(task.aim, state.game, state.position, state.game.move_from(move)) != (move in task.moves):
                does = "does not do" if move in task.moves else "also does"
                raise _wrong(exercise, f"{move!r} {does} what its aim, {task.aim!r}, says")
    for move in task.moves:
        _check_tasks(attempt.after(move))


def _reaches(aim: Aim, game: Game, position: Any, move: int) -> bool:
    rules = game.rules
    mover, after = int(rules.player(position)), rules.play(position, move)
    if aim == "save":
        return not _wins_within(game, after, 1 - mover, 1)
    return _wins_within(game, after, mover, 0 if aim == "win" else 2)


def _wins_within(game: Game, position: Any, player: int, plies: int) -> bool:
    """Whether a player can force a win within this many moves of both."""
    rules = game.rules
    outcome = rules.outcome(position)
    if outcome != ONGOING or not plies:
        return bool(outcome == player)
    following = (rules.play(position, move) for move in rules.legal_moves(position))
    wins = (_wins_within(game, after, player, plies - 1) for after in following)
    return any(wins) if rules.player(position) == player else all(wins)


def can_win_at_once(game: Game, position: Any, move: int) -> bool:
    """Whether a move wins the game for the player who makes it."""
    return _reaches("win", game, position, move)


def loses_soon(game: Game, position: Any, move: int) -> bool:
    """Whether a move loses at once, or lets the other player win with the next move."""
    return not _reaches("save", game, position, move)
