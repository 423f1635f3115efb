"""The command `connectoe`: finds its commands in the folder `commands`, each of which imports what it needs only when
it runs, so that --help is quick."""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import click

import connectoe.commands
from connectoe.commands.shared import CTRL_C, printable
from connectoe.errors import BadOption, ConnectoeError, UnknownGame, UnknownPlayer


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

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; exit code 2 for a wrong call (game, option), 1 for wrong content (move, record), and that
        of a shell for Ctrl-C."""
        try:
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
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            _forget_output()
            raise click.ClickException(f"the output cannot be written: {error.strerror}") from error


def _forget_output() -> None:
    """Lets nothing more be written to a standard output that has failed, so that leaving does not fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_what_can_be_shown() -> None:
    """Lets a terminal that cannot show a sign show ? instead, and signs that cannot be read be read as such."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="connectoe", message="connectoe %(version)s")
def main() -> None:
    """Play the games that cross tic-tac-toe with Connect Four.

    `connectoe games` lists them, `connectoe rules GAME` explains one, `connectoe play GAME` plays it. GAME is an id
    from the list, or a Python file with a game of your own.
    """
    _show_what_can_be_shown()
