"""Solving puzzles at a terminal."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path

import click

from connectoe.atomic import atomic_file
from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.core.state import State
from connectoe.draw.text import text
from connectoe.puzzles.grading import grade
from connectoe.puzzles.puzzle import Puzzle
from connectoe.puzzles.solving import judge
from connectoe.puzzles.store import today
from connectoe.puzzles.themes import themes
from connectoe.puzzles.training import Training
from connectoe.puzzles.wording import hints, progress_of, proof_in_words, said_of, task
from connectoe.terminal.boards import legal_moves_in_words, move_meant
from connectoe.terminal.choosing import ask
from connectoe.terminal.screen import bold, fitted, is_screen, wants_colour

HELP = "Type a move; or hint, solution, skip (the next puzzle), ? (the legal moves), q (leave)."


def training_file(game: Game) -> Path:
    """Return the file that keeps how practice with the puzzles of a game goes."""
    from platformdirs import user_data_path

    return user_data_path("connectoe", appauthor=False) / "practice" / f"{game.id}.json"


def load_training(path: Path) -> Training:
    """Return how practice goes, from its file; a fresh start if there is none."""
    try:
        return Training.from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Training()


def save_training(path: Path, training: Training) -> None:
    """Keep how practice goes; where that cannot be written, it is forgotten."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(path) as file:
            file.write(training.to_json().encode())


def practise(puzzles: Sequence[Puzzle], path: Path, dice: random.Random) -> None:
    """Let a person solve one puzzle after the other, chosen to suit them, until they leave."""
    training = load_training(path)
    while puzzle := training.choose(puzzles, dice):
        solved = TerminalPuzzle(puzzle).solve()
        if solved is None:
            break
        training.note(puzzle.id, solved=solved)
        save_training(path, training)
        click.echo(fitted(f"{progress_of(training, today())}."))
        answer = ask("Return for the next puzzle, or q to leave: ")
        if answer is None or answer.lower() in ("q", "quit", "exit"):
            break


def practise_day(puzzle: Puzzle, path: Path, day: date) -> None:
    """Let a person solve the puzzle of a day, which counts for the days in a row."""
    solved = TerminalPuzzle(puzzle).solve()
    if solved is not None:
        training = load_training(path)
        if training.counts(puzzle.id):
            training.note(puzzle.id, solved=solved)
        training.note_day(day, solved=solved)
        save_training(path, training)
        click.echo(fitted(f"{progress_of(training, day)}."))


class TerminalPuzzle:
    """A puzzle at a terminal."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.game = puzzle.game
        self.played: list[str] = []
        self.hints = hints(puzzle)
        self.is_clean = True
        """Whether it was solved so far without a wrong move and without help."""
        self.message = ""
        self.commands: dict[str, Callable[[], bool]] = {
            "hint": self._hint,
            "?": self._list_moves,
            "help": self._help,
        }

    def solve(self) -> bool | None:
        """Return whether a person has solved it without help, or None if they leave before its end."""
        while True:
            self._show()
            typed = ask(f"{self.game.symbols[self.puzzle.state.turn or 0]}, your move (help for more): ")
            if typed is None or (typed.lower() in ("q", "quit", "exit") and typed not in self.game.move_numbers):
                return None
            word = typed.lower()
            if typed in self.game.move_numbers or word not in (*self.commands, "solution", "skip"):
                if typed and self._play(typed):
                    return self.is_clean
            elif word in self.commands:
                self.commands[word]()
            else:
                if word == "solution":
                    self._show_solution()
                return False

    def _state(self) -> State:
        state = self.puzzle.state
        for move in self.played:
            state = state.play(move)
        return state

    def _play(self, typed: str) -> bool:
        """Judge a move and play it if it is right; return whether the puzzle is solved."""
        move = move_meant(self.game, typed)
        try:
            judgement = judge(self.puzzle, [*self.played, move])
        except ConnectoeError as error:
            self.message = fitted(str(error))
            return False
        self.message = said_of(self.puzzle, move, judgement)
        if judgement.verdict == "wrong":
            self.is_clean = False
            self.message += " Try again."
            return False
        self.played += [move, *([judgement.reply] if judgement.reply else [])]
        if judgement.verdict == "solved":
            self._show()
            click.echo(fitted(proof_in_words(self.puzzle)))
            return True
        return False

    def _show(self) -> None:
        if is_screen(sys.stdout):
            click.clear()
        puzzle = self.puzzle
        facts = f"{self.game.name}, puzzle {puzzle.id}, grade {grade(puzzle)} of 5: {', '.join(themes(puzzle))}"
        click.echo(bold(fitted(facts)))
        click.echo(f"\n{text(self._state().scene(), colour=wants_colour())}\n")
        click.echo(task(puzzle) if not self.played else self._state().status)
        if self.message:
            click.echo(self.message)
        self.message = ""

    def _hint(self) -> bool:
        self.is_clean = False
        self.message = self.hints.pop(0) if len(self.hints) > 1 else self.hints[0]
        return True

    def _list_moves(self) -> bool:
        self.message = fitted(legal_moves_in_words(self.game, self._state().legal_moves()))
        return True

    def _help(self) -> bool:
        self.message = fitted(HELP)
        return True

    def _show_solution(self) -> None:
        """Play the solution through, move by move."""
        state = self.puzzle.state
        for move in self.puzzle.line:
            state = state.play(move)
            click.echo(f"\n{text(state.scene(), colour=wants_colour())}\n{move}: {state.status}")
        click.echo(fitted(proof_in_words(self.puzzle)))
