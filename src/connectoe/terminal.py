"""Playing at a terminal: the board drawn in place, moves typed, and a few words besides."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Callable
from datetime import date
from itertools import count
from pathlib import Path
from typing import TypeVar

import click

from connectoe.catalogue import game_class, game_file, game_ids, load
from connectoe.draw.text import text
from connectoe.errors import ConnectoeError
from connectoe.game import Game
from connectoe.match import Match
from connectoe.players import Player, opponents, player
from connectoe.records import file_content, form_for, written
from connectoe.scene import Scene
from connectoe.screen import is_screen, wants_colour

Answer = TypeVar("Answer")
HUMAN = "human"
MOVES_SHOWN = 120
POINT = r"\s*(?:- |[0-9]\. )"
"""How a point of a list begins."""


def ask(prompt: str) -> str | None:
    """What a person types, without surrounding blanks; None when there is nobody left to ask.

    >>> from unittest.mock import patch
    >>> with patch("builtins.input", return_value=" d4 "):
    ...     ask("X, your move: ")
    'd4'
    """
    try:
        return input(prompt).strip()
    except (EOFError, RuntimeError):  # the end of the input, or no input at all
        click.echo()
        return None


def fitted(text: str, indent: str = "") -> str:
    """The text broken at blanks to fit the terminal beside an indent, paragraph by paragraph and point by point.

    >>> from unittest.mock import patch
    >>> with patch.dict("os.environ", COLUMNS="30"):
    ...     print(fitted("Drop discs into columns; four of yours in line win."))
    Drop discs into columns; four
    of yours in line win.
    """
    width = max(min(shutil.get_terminal_size().columns, 100) - len(indent), 20)

    def wrapper(indent: str) -> textwrap.TextWrapper:  # leaves words whole, such as files, to be copied
        return textwrap.TextWrapper(width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)

    paragraphs = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        points = re.split(rf"\n(?={POINT})", paragraph)
        filled = [wrapper("  " if re.match(POINT, point) else "").fill(" ".join(point.split())) for point in points]
        paragraphs.append("\n".join(filled))
    return "\n\n".join(paragraphs).replace("\n", f"\n{indent}")


def _bold(text: str) -> str:
    return click.style(text, bold=True) if wants_colour() else text


def choose_game() -> Game | None:
    """The game a person picks from the list; None if they would rather not.

    >>> from unittest.mock import patch
    >>> with patch("builtins.input", return_value="c4-twist"):
    ...     choose_game()
    Which game?
    ...
    load('c4-twist')
    """
    ids = game_ids()
    width = max(map(len, ids))
    click.echo("Which game?\n")
    for number, game_id in enumerate(ids, start=1):
        before = f"  {number}  {_bold(game_id)}{' ' * (width - len(game_id))}  "
        click.echo(before + fitted(game_class(game_id).summary, " " * (width + 7)))
    click.echo()
    while True:
        answer = ask("Number or name (q to quit): ")
        if answer is None or answer in ("q", "quit"):
            return None
        if answer.isascii() and answer.isdigit() and 1 <= int(answer[:9]) <= len(ids):
            return load(ids[int(answer) - 1])
        try:
            return load(answer)
        except ConnectoeError as error:
            click.echo(f"  {fitted(str(error), '  ')}")


def choose_players(game: Game) -> tuple[str, str] | None:
    """Who sits where, player 0 first: asks for the opponent, and which side the person takes; None if they leave.

    >>> from unittest.mock import patch
    >>> with patch("builtins.input", side_effect=["2", "O"]):
    ...     choose_players(load("tic-tac-toe"))
    <BLANKLINE>
    Against whom?
    ...
    ('random', 'human')
    """
    first, second = game.symbols
    known = opponents(game)
    kinds = {"1": HUMAN, **{str(number): name for number, name in enumerate(known, start=2)}}
    click.echo("\nAgainst whom?\n\n  1  a person here, at this keyboard")
    for number, name in list(kinds.items())[1:]:
        click.echo(f"  {number}  {fitted(f'{name}: {known[name]}', '     ')}")
    click.echo()
    kind = _choice("Number [1]: ", {"": HUMAN, **kinds, **{name: name for name in known}})
    if kind is None:
        return None
    if kind == HUMAN:
        return HUMAN, HUMAN
    sides = {"": (HUMAN, kind), first.lower(): (HUMAN, kind), second.lower(): (kind, HUMAN)}
    return _choice(f"You are {first} (moves first) or {second}? [{first}]: ", sides)


def seat_options(game: Game) -> tuple[str, str]:
    """The options of `connectoe play` that say who player 0 and player 1 are; without X and O, --x moves first.

    >>> seat_options(load("connect-four")), seat_options(load("shift-tac-toe"))
    (('--x', '--o'), ('--o', '--x'))
    """
    return ("--o", "--x") if game.symbols == ("O", "X") else ("--x", "--o")


def _choice(prompt: str, answers: dict[str, Answer]) -> Answer | None:
    """The choice a person makes among these answers; None if there is nobody left to ask."""
    while True:
        typed = ask(prompt)
        if typed is None:
            return None
        if typed.lower() in answers:
            return answers[typed.lower()]
        click.echo(f"  please answer {', '.join(answer for answer in answers if answer)}")


def _free_name_like(file: Path) -> Path:
    """A file beside this one that is not there yet: match-2.txt beside match.txt."""
    packed = file.suffix if file.suffix.lower() == ".gz" else ""
    unpacked = file.name.removesuffix(packed)
    ending = Path(unpacked).suffix if Path(unpacked).suffix[1:].isalpha() else ""
    stem = unpacked.removesuffix(ending)
    names = (file.with_name(f"{stem}-{number}{ending}{packed}") for number in count(2))
    return next(name for name in names if not name.exists())


class Table:
    """A match at a terminal, with a person or an engine on either side; `seats` names them, player 0 first.

    >>> Table(Match(load("tic-tac-toe")), ("human", "random")).match.players
    ('', 'random')
    """

    def __init__(
        self,
        match: Match,
        seats: tuple[str, str] = (HUMAN, HUMAN),
        seed: int | None = None,
        seconds: float | None = None,
    ) -> None:
        self.match = match
        self.game = match.game
        self.seats = seats
        self.seconds = seconds
        self.engines: dict[int, Player] = {
            side: player(name, self.game, None if seed is None else seed + side, seconds)
            for side, name in enumerate(seats)
            if name != HUMAN
        }
        names = [self.engines[side].name if side in self.engines else "" for side in (0, 1)]
        if match.players == ("", "") and any(names):
            match.players = (names[0], names[1])
        if not match.date:
            match.date = date.today().isoformat()
        self.kept = match.copy()
        """The match as it is in a file, or was at the beginning."""
        self.message = ""
        self.commands: dict[str, tuple[Callable[[str], None], str]] = {
            "?": (self._list_moves, "list the legal moves"),
            "hint": (self._hint, "what a strong player would do here"),
            "undo": (self._undo, "take back your last move"),
            "resign": (self._resign, "give up"),
            "draw": (self._agree_draw, "end the match as a draw that both agree to"),
            "save": (self._save, "save FILE (.json for JSON, else text)"),
            "rules": (self._rules, "read the rules"),
            "help": (self._help, "show these commands"),
        }
        self.has_rows_of_boards = len(match.scene().rows_of_boards()) > 1
        if self.has_rows_of_boards:
            self.commands["board"] = (self._show_boards, "show all boards, tall as they are")

    def play(self) -> None:
        """Plays until somebody leaves or, with nobody at the keyboard, until the match is over.

        >>> table = Table(Match(load("tic-tac-toe")), ("random", "random"), seed=1)
        >>> table.play()
        Tic-tac-toe
        ...
        >>> table.match.turn is None
        True
        """
        try:
            while self._goes_on():
                pass
        except KeyboardInterrupt:
            click.echo()
            self._say_what_is_lost()
            raise

    def _goes_on(self) -> bool:
        """Lets whoever is to move do so; False when nobody does any more."""
        turn = self.match.turn
        self.show()
        if turn in self.engines:
            self._engine_move(turn)
            return True
        if turn is None and len(self.engines) == 2:
            return False
        return self._answer(turn)

    def _say_what_is_lost(self) -> None:
        if self.match != self.kept:
            click.echo(fitted("The match was not saved; `save FILE` would have kept it."), err=True)

    def _engine_move(self, side: int) -> None:
        if sys.stdout.isatty():
            click.echo(f"{self.game.symbols[side]} ({self.engines[side].name}) is thinking …")
        move = self.engines[side].choose(self.match)
        self.match.play(move)
        self.message = f"{self.game.symbols[side]} ({self.engines[side].name}) plays {move}"

    def _answer(self, turn: int | None) -> bool:
        """Does what a person types; False when they leave."""
        if turn is None:
            prompt = "The match is over. undo, save FILE, or q to leave: "
        else:
            prompt = f"{self.game.symbols[turn]}, your move (? for moves, help for more): "
        typed = ask(prompt)
        if typed is None:
            self._say_what_is_lost()
            return False
        is_move = turn is not None and typed in self.game.move_numbers  # as q is on a board of 17 columns
        if typed.lower() in ("q", "quit", "exit") and not is_move:
            self._say_what_is_lost()
            return False
        word, _, rest = typed.partition(" ")
        self.message = ""
        try:
            if word.lower() in self.commands and not is_move:
                if rest.strip() and word.lower() != "save":
                    raise ConnectoeError(f"`{word}` stands alone: {rest.strip()[:40]!r} after it is not understood")
                self.commands[word.lower()][0](rest.strip())
            elif typed:
                self._play(typed)
        except ConnectoeError as error:
            self.message = fitted(str(error))
        return True

    def _play(self, typed: str) -> None:
        """Plays what was typed, forgiving capital letters where only one move can be meant."""
        if typed not in self.game.move_numbers:
            meant = [text for text in self.game.move_texts if text.lower() == typed.lower()]
            if len(meant) == 1:
                typed = meant[0]
        self.match.play(typed)

    def show(self) -> None:
        """Draws the board, in place of the last one if this is a screen.

        >>> match = Match(load("tic-tac-toe"))
        >>> match.play("b2")
        >>> Table(match).show()
        Tic-tac-toe
        <BLANKLINE>
        3 · · ·
        2 ·[X]·
        1 · · ·
          a b c
        """
        scene = self.match.scene()
        title = fitted(f"{self.game.name} ({self.game.options_text})" if self.game.options else self.game.name)
        if is_screen(sys.stdout):
            click.clear()
        words = [*map(fitted, scene.notes)]
        if self.match.turn is None:
            words.append(_bold(fitted(self.match.status)))
        taken = sum(1 + part.count("\n") for part in [title, "", "", *words]) + 2  # a message and the prompt
        board = self._board_in(shutil.get_terminal_size().lines - taken, scene)
        if self.message:
            words.append(self.message)
        click.echo("\n".join([_bold(title), "", board, "", *words]))
        self.message = ""

    def _board_in(self, lines: int, scene: Scene) -> str:
        """The board; on a screen where so many lines do not hold it, and if it is several rows of boards, the row in
        which one must play, or else that of the last move."""
        whole = text(scene, colour=wants_colour())
        if not is_screen(sys.stdout) or len(whole.splitlines()) <= lines or not self.has_rows_of_boards:
            return whole
        rows = scene.rows_of_boards()
        kinds_in = [{mark.kind for mark in row.highlights} for row in rows]
        shown = 0
        for kind in ("last", "forced"):  # where one must play matters more
            if sum(kind in kinds for kinds in kinds_in) == 1:
                shown = next(number for number, kinds in enumerate(kinds_in) if kind in kinds)
        says = (
            f"This is row {shown + 1} of {len(rows)}: together they are too tall for this terminal. `board` shows all."
        )
        return f"{text(rows[shown], colour=wants_colour())}\n\n{fitted(says)}"

    def _show_boards(self, rest: str) -> None:
        self.message = text(self.match.scene(), colour=wants_colour())

    def _list_moves(self, rest: str) -> None:
        moves = self.match.legal_moves()
        shown = " ".join(moves[:MOVES_SHOWN])
        more = f" … and {len(moves) - MOVES_SHOWN} more" if len(moves) > MOVES_SHOWN else ""
        self.message = fitted(f"{len(moves)} legal moves: {shown}{more}\n\nA move is {self.game.move_help}.")

    def _hint(self, rest: str) -> None:
        if outcome := self.match.outcome:
            raise ConnectoeError(f"there is no move to hint at: the match is {self.game.how_it_ended(outcome)}")
        from connectoe.analysing import analyse, in_words

        best = analyse(
            self.game, self.match.state.position, seconds=1.0, drawn=self.match.repeating_moves()
        ).candidates[0]
        self.message = f"hint: {self.game.move_text(best.move)}, {in_words(best)}"

    def _undo(self, rest: str) -> None:
        taken = [self.match.undo()]
        while self.match.turn in self.engines and self.match.moves:
            taken.append(self.match.undo())
        self.message = f"took back {' and '.join(reversed(taken))}"

    def _resign(self, rest: str) -> None:
        self.match.resign()

    def _agree_draw(self, rest: str) -> None:
        if self.engines:
            raise ConnectoeError("this opponent does not agree to draws")
        self.match.agree_draw()

    def _save(self, rest: str) -> None:
        usual_name = f"{self.game.id}-{self.match.date}.txt"
        file = Path(os.path.expanduser(rest or usual_name))
        try:
            if file.is_dir():
                raise ConnectoeError(f"{file} is a folder: save in it, as in `save {file / usual_name}`")
            with file.open("xb") as saved:
                saved.write(file_content(written([self.match], form_for(file)), file))
        except FileExistsError:
            raise ConnectoeError(
                f"{file} exists already: save under another name, as in `save {_free_name_like(file)}`"
            ) from None
        except ConnectoeError:
            raise
        except (OSError, ValueError) as error:
            problem = getattr(error, "strerror", None) or str(error)
            raise ConnectoeError(f"{str(file)[:100]} cannot be written: {problem}") from error
        self.kept = self.match.copy()
        self.message = f"saved to {file}; go on with `{shlex.join(self._command_to_resume(file))}`"

    def _command_to_resume(self, file: Path) -> list[str]:
        """What brings the match back, with the same opponents."""
        own = game_file(self.game)
        words = ["connectoe", "play", *([str(own)] if own else []), "--resume", str(file)]
        for option, name in zip(seat_options(self.game), self.seats, strict=True):
            words += [option, name] if name != HUMAN else []
        return words + ([] if self.seconds is None else ["--seconds", f"{self.seconds:g}"])

    def _rules(self, rest: str) -> None:
        rules = sys.modules[type(self.game).__module__].__doc__ or self.game.summary
        self.message = fitted(rules.replace("`", ""))

    def _help(self, rest: str) -> None:
        words = [f"  {name.ljust(8)}{says}" for name, (_, says) in self.commands.items()]
        words.append(f"  {'quit' if 'q' in self.game.move_numbers else 'q'.ljust(4)}    leave")
        self.message = "\n".join([fitted(f"Type a move: {self.game.move_help}. Or:"), *words])
