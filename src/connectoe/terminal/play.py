"""Playing at a terminal: the board is drawn in place, moves and a few commands are typed."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable
from datetime import date
from itertools import count
from pathlib import Path

import click

from connectoe.core.catalogue import game_file
from connectoe.core.errors import ConnectoeError
from connectoe.core.match import Match
from connectoe.core.records import file_content, form_for, written
from connectoe.core.swapping import SWAP_MOVE
from connectoe.draw.text import text
from connectoe.players import Player
from connectoe.preparing import prepare_in_background
from connectoe.prompt import PromptPerson, PromptPlayer, prompt_player
from connectoe.scene import Scene
from connectoe.terminal.boards import legal_moves_in_words, move_meant, row_in_play
from connectoe.terminal.choosing import HUMAN, ask, seat_options
from connectoe.terminal.screen import bold, fitted, is_screen, wants_colour


def _free_name_like(file: Path) -> Path:
    """Return a similar name that is free: match-2.txt if there is a match.txt."""
    packed = file.suffix if file.suffix.lower() == ".gz" else ""
    unpacked = file.name.removesuffix(packed)
    ending = Path(unpacked).suffix if Path(unpacked).suffix[1:].isalpha() else ""
    stem = unpacked.removesuffix(ending)
    names = (file.with_name(f"{stem}-{number}{ending}{packed}") for number in count(2))
    return next(name for name in names if not name.exists())


class TerminalMatch:
    """A match at a terminal; `seats` names the person or engine that plays each side, player 0 first.

    >>> import connectoe
    >>> TerminalMatch(Match(connectoe.load("tic-tac-toe")), ("human", "random")).match.players
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
            side: prompt_player(name, self.game, None if seed is None else seed + side, seconds)
            for side, name in enumerate(seats)
            if name != HUMAN
        }
        if any(isinstance(engine, PromptPlayer | PromptPerson) for engine in self.engines.values()):
            prepare_in_background(self.game)
        names = [self.engines[side].name if side in self.engines else "" for side in (0, 1)]
        if match.players == ("", "") and any(names):
            match.players = (names[0], names[1])
        if not match.date:
            match.date = date.today().isoformat()
        self.kept = match.copy()
        """The match as it was saved last, or at the beginning."""
        self.message = ""
        self.commands: dict[str, tuple[Callable[[str], None], str]] = {
            "?": (self._list_moves, "list the legal moves"),
            "hint": (self._hint, "suggest a strong move"),
            "undo": (self._undo, "take back your last move"),
            "resign": (self._resign, "give up"),
            "draw": (self._agree_draw, "end the match as a draw by agreement"),
            "save": (self._save, "save FILE (.json for JSON, else text)"),
            "rules": (self._rules, "read the rules"),
            "help": (self._help, "show these commands"),
        }
        self.has_rows_of_boards = len(match.scene().rows_of_boards()) > 1
        if self.has_rows_of_boards:
            self.commands["board"] = (self._show_boards, "show all boards at once")

    def play(self) -> None:
        """Play until a person leaves or, if two engines play, until the match is over."""
        try:
            while self._goes_on():
                pass
        except KeyboardInterrupt:
            click.echo()
            self._warn_if_unsaved()
            raise

    def _goes_on(self) -> bool:
        """Show the board and let the player to move do so; return False when play ends."""
        turn = self.match.turn
        self.show()
        if turn is not None and self._seat(turn) in self.engines:
            self._engine_move(turn)
            return True
        if turn is None and len(self.engines) == 2:
            return False
        return self._answer(turn)

    def _warn_if_unsaved(self) -> None:
        if self.match != self.kept:
            click.echo(fitted("The match was not saved; `save FILE` would have kept it."), err=True)

    def _seat(self, side: int) -> int:
        """Return which of the seats has a side; they change sides by the pie rule."""
        return side ^ self.match.is_swapped

    def _engine_move(self, side: int) -> None:
        engine = self.engines[self._seat(side)]
        if sys.stdout.isatty():
            click.echo(f"{self.game.symbols[side]} ({engine.name}) is thinking …")
        move = engine.choose(self.match)
        self.match.play(move)
        self.message = f"{self.game.symbols[side]} ({engine.name}) plays {move}"
        if move == SWAP_MOVE:
            first, second = self.game.symbols
            self.message = f"{engine.name} swaps sides: it plays {first} now, and you {second}"
        if not getattr(engine, "is_full_strength", True):
            self.message += " (not yet at full strength: its engine is being prepared)"

    def _answer(self, turn: int | None) -> bool:
        """Do what a person types; return False when they leave."""
        if turn is None:
            prompt = "The match is over. undo, save FILE, or q to leave: "
        else:
            prompt = f"{self.game.symbols[turn]}, your move (? for moves, help for more): "
        typed = ask(prompt)
        if typed is None:
            self._warn_if_unsaved()
            return False
        is_move = turn is not None and typed in self.game.move_numbers  # q may be one in somebody's own game
        if typed.lower() in ("q", "quit", "exit") and not is_move:
            self._warn_if_unsaved()
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
        self.match.play(move_meant(self.game, typed))

    def show(self) -> None:
        """Draw the board, on a screen in place of the last one."""
        scene = self.match.scene()
        title = fitted(f"{self.game.name} ({self.game.options_text})" if self.game.options else self.game.name)
        if is_screen(sys.stdout):
            click.clear()
        words = [*map(fitted, scene.notes)]
        if self.match.turn is None:
            words.append(bold(fitted(self.match.status)))
        used = sum(1 + part.count("\n") for part in [title, "", "", *words]) + 2  # a message and the prompt
        board = self._board_in(shutil.get_terminal_size().lines - used, scene)
        if self.message:
            words.append(self.message)
        click.echo("\n".join([bold(title), "", board, "", *words]))
        self.message = ""

    def _board_in(self, lines: int, scene: Scene) -> str:
        """Return the board as text. If it is taller than the screen's `lines` and has several rows of boards, return
        only the row with the forced board, or else the row of the last move."""
        whole = text(scene, colour=wants_colour())
        if not is_screen(sys.stdout) or len(whole.splitlines()) <= lines or not self.has_rows_of_boards:
            return whole
        return row_in_play(scene)

    def _show_boards(self, rest: str) -> None:
        self.message = text(self.match.scene(), colour=wants_colour())

    def _list_moves(self, rest: str) -> None:
        self.message = fitted(legal_moves_in_words(self.game, self.match.legal_moves()))

    def _hint(self, rest: str) -> None:
        if outcome := self.match.outcome:
            raise ConnectoeError(f"there is no move to hint at: the match is {self.game.how_it_ended(outcome)}")
        from connectoe.analysis import analyse
        from connectoe.analysis_words import in_words

        prepare_in_background(self.game)
        drawn = self.match.repeating_moves()
        best = analyse(self.game, self.match.state.position, seconds=1.0, drawn=drawn, waits=False).candidates[0]
        self.message = f"hint: {self.game.move_text(best.move)}, {in_words(best)}"

    def _undo(self, rest: str) -> None:
        undone = [self.match.undo()]
        while (turn := self.match.turn) is not None and self._seat(turn) in self.engines and self.match.moves:
            undone.append(self.match.undo())
        self.message = f"took back {' and '.join(reversed(undone))}"

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
        """Return the command that resumes the match against the same opponents."""
        own = game_file(self.game)
        words = ["connectoe", "play", *([str(own)] if own else []), "--resume", str(file)]
        for option, name in zip(seat_options(self.game), self.seats, strict=True):
            words += [option, name] if name != HUMAN else []
        return words + ([] if self.seconds is None else ["--seconds", f"{self.seconds:g}"])

    def _rules(self, rest: str) -> None:
        self.message = fitted(self.game.rules_text().replace("`", ""))

    def _help(self, rest: str) -> None:
        words = [f"  {name.ljust(8)}{meaning}" for name, (_, meaning) in self.commands.items()]
        words.append(f"  {'quit' if 'q' in self.game.move_numbers else 'q'.ljust(4)}    leave")
        self.message = "\n".join([fitted(f"Type a move: {self.game.move_help}. Or:"), *words])
