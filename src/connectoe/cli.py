"""The command `connectoe`: finds its commands in the folder `commands`, each of which imports what it needs only when
it runs, so that --help is quick."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import click

import connectoe.commands
from connectoe.commands.shared import CTRL_C, printable
from connectoe.errors import BadOption, ConnectoeError, UnknownGame, UnknownPlayer
from connectoe.screen import show_what_can_be_shown


class WrongCall(click.ClickException):
    """The command was called wrongly, as opposed to called on wrong content."""

    exit_code = 2


class Commands(click.Group):
    """The commands in the folder; what Connectoe refuses is reported in one line, without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every file of the folder that is a command."""
        folder = Path(connectoe.commands.__file__ or "").parent
        return sorted(file.stem for file in folder.glob("[!_]*.py") if file.stem != "shared")

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command in the file of that name."""
        if name not in self.list_commands(ctx):
            return None
        command = getattr(import_module(f"connectoe.commands.{name}"), name)
        return command if isinstance(command, click.Command) else None

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        """Reads the command line, with streams that can be written to; --help and --version answer right here."""
        _open_missing_outputs()
        show_what_can_be_shown()
        with _failing_output_told_in_a_line():
            return super().make_context(*arguments, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; exit code 2 for a wrong call (game, option), 1 for wrong content (move, record), and that
        of a shell for Ctrl-C."""
        try:
            with _failing_output_told_in_a_line():
                answer = super().invoke(ctx)
                sys.stdout.flush()
                return answer
        except KeyboardInterrupt:
            click.echo("\nAborted!", err=True)
            raise click.exceptions.Exit(CTRL_C) from None
        except click.NoSuchOption as error:
            takes_moves = error.ctx is not None and any(param.name == "moves" for param in error.ctx.command.params)
            if not takes_moves or error.option_name.startswith("--"):
                raise
            hint = "If it is a move, put -- before the moves, as in `-- a -a`."
            raise click.NoSuchOption(error.option_name, f"{error.message} {hint}", ctx=error.ctx) from error
        except ConnectoeError as error:
            is_wrong_call = isinstance(error, UnknownGame | BadOption | UnknownPlayer)
            raise (WrongCall if is_wrong_call else click.ClickException)(printable(str(error))) from error


@contextmanager
def _failing_output_told_in_a_line() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        _forget_output()
        raise click.ClickException(f"the output cannot be written: {error.strerror}") from error


def _open_missing_outputs() -> None:
    """Lets a command whose standard output or error is closed (as by >&-) do its work and say nothing."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 - open until the end
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115


def _forget_output() -> None:
    """Lets nothing more be written to a standard output that has failed, so that leaving does not fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="connectoe", message="connectoe %(version)s")
def main() -> None:
    """Play the games that cross tic-tac-toe with Connect Four.

    `connectoe games` lists them, `connectoe rules GAME` explains one, `connectoe play GAME` plays it. GAME is an id
    from the list, or a Python file with a game of your own.
    """
