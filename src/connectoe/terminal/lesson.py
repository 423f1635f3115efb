"""A lesson at a terminal: each exercise is drawn, moves are typed, and mistakes are answered in words."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Sequence

import click

from connectoe.core.catalogue import game_file
from connectoe.core.errors import ConnectoeError
from connectoe.core.exercises import Attempt, Exercise
from connectoe.core.game import Game
from connectoe.draw.text import text
from connectoe.terminal.boards import legal_moves_in_words, move_meant, row_in_play
from connectoe.terminal.choosing import ask, seat_options
from connectoe.terminal.screen import bold, fitted, is_screen, wants_colour


class TerminalLesson:
    """Exercises at a terminal, from the one with the index `number` on.

    >>> import connectoe
    >>> game = connectoe.load("tic-tac-toe")
    >>> TerminalLesson(game, game.lessons).attempt.exercise.title
    'Three in line'
    """

    def __init__(self, game: Game, exercises: Sequence[Exercise], number: int = 0) -> None:
        self.game = game
        self.exercises = exercises
        self.number = number
        self.attempt = Attempt.begin(game, exercises[number])
        self.message = ""
        self.shows_all = False
        self.commands: dict[str, tuple[Callable[[], None], str]] = {
            "hint": (self._hint, "get a hint"),
            "show": (self._show_move, "show a right move"),
            "skip": (self._skip, "go to the next step"),
            "back": (self._back, "go back to the step before"),
            "rules": (self._rules, "read the rules"),
            "board": (self._show_all, "see the whole board, if it is too tall for the terminal"),
            "?": (self._list_moves, "see the legal moves"),
            "help": (self._help, "see these commands"),
        }

    def run(self) -> bool:
        """Teach until the last exercise is solved; return False if the person leaves before."""
        while self.number < len(self.exercises):
            self._show()
            if self.attempt.task is None:
                self._open(self.number + 1)
                if self.number < len(self.exercises) and ask("Enter for the next step, q to leave: ") in (None, "q"):
                    return False
                continue
            if not self._answer():
                return False
        _, other_side = seat_options(self.game)
        command = ["connectoe", "play", str(game_file(self.game) or self.game.id), other_side, "easy"]
        click.echo(
            fitted(f"That was the lesson. Now play against easy. You are {self.game.symbols[0]}, and you begin:")
        )
        click.echo(f"\n  {shlex.join(command)}")
        return True

    def _open(self, number: int) -> None:
        self.number = number
        if number < len(self.exercises):
            self.attempt = Attempt.begin(self.game, self.exercises[number])

    def _show(self) -> None:
        """Draw the board, with what to do; on a screen in place of the last one."""
        if is_screen(sys.stdout):
            click.clear()
        scene, exercise = self.attempt.match.scene(), self.attempt.exercise
        title = bold(f"{self.game.name}, step {self.number + 1} of {len(self.exercises)}: {exercise.title}")
        said = [fitted(words) for words in (self.attempt.said, self.message) if words]
        task = [fitted(self.attempt.task.words)] if self.attempt.task else []
        used = sum(1 + part.count("\n") for part in [*said, *task]) + 7
        whole = text(scene, colour=wants_colour())
        is_tall = is_screen(sys.stdout) and len(whole.splitlines()) > shutil.get_terminal_size().lines - used
        board = row_in_play(scene) if is_tall and not self.shows_all and len(scene.rows_of_boards()) > 1 else whole
        click.echo("\n".join([title, "", board, "", *(f"{part}\n" for part in [*said, *task])]))
        self.message = ""
        self.shows_all = False

    def _answer(self) -> bool:
        """Do what a person types; return False when they leave."""
        turn = self.attempt.match.turn or 0
        typed = ask(f"{self.game.symbols[turn]}, your move (hint, skip, help, q): ")
        if typed is None:
            return False
        is_move = typed in self.game.move_numbers
        if typed.lower() in ("q", "quit", "exit") and not is_move:
            return False
        if typed.lower() in self.commands and not is_move:
            self.commands[typed.lower()][0]()
        elif typed:
            self._play(move_meant(self.game, typed))
        return True

    def _play(self, move: str) -> None:
        try:
            self.game.move_from(move)
        except ConnectoeError as error:
            self.message = str(error)
            return
        answer = self.attempt.answer(move)
        if answer.is_right:
            self.attempt = self.attempt.after(move)
        else:
            self.message = answer.words

    def _hint(self) -> None:
        task = self.attempt.task
        self.message = task.hint if task and task.hint else self._right_moves()

    def _show_move(self) -> None:
        self.message = self._right_moves()

    def _right_moves(self) -> str:
        moves = self.attempt.task.moves if self.attempt.task else ()
        return f"Play {' or '.join(moves[:3])}."

    def _list_moves(self) -> None:
        self.message = legal_moves_in_words(self.game, self.attempt.match.legal_moves())

    def _skip(self) -> None:
        self._open(self.number + 1)

    def _back(self) -> None:
        if self.number == 0:
            self.message = "This is the first step."
        self._open(max(0, self.number - 1))

    def _rules(self) -> None:
        self.message = self.game.rules_text().replace("`", "")

    def _show_all(self) -> None:
        self.shows_all = True

    def _help(self) -> None:
        words = [f"Type a move: {self.game.move_help}. Or:"]
        words += [f"- {name}: {meaning}" for name, (_, meaning) in self.commands.items()]
        self.message = "\n".join([*words, "- q: leave"])
