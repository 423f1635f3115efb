"""The command `connectoe`. Its subcommands are the files of the folder `commands`; each imports what it needs only when
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
from connectoe.core.errors import BadOption, ConnectoeError, UnknownGame, UnknownPlayer
from connectoe.engines.announcing import set_announcer
from connectoe.terminal.progress import progress
from connectoe.terminal.screen import replace_unknown_characters


class WrongCall(click.ClickException):
    """A wrong call of the command, as opposed to a correct call with wrong content."""

    exit_code = 2


class Commands(click.Group):
    """The commands in the folder, and those of single games in their rooms.

    Errors of Connectoe are reported in one line, without a traceback.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted(_command_modules())

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command in the file of that name."""
        module = _command_modules().get(name)
        command = getattr(import_module(module), name) if module else None
        return command if isinstance(command, click.Command) else None

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        """Parse the command line, with working output streams; --help and --version are answered here."""
        _open_missing_outputs()
        replace_unknown_characters()
        with _output_errors_in_one_line():
            return super().make_context(*arguments, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; the exit code is 2 for a wrong call (game, option), 1 for wrong content (move, record) and,
        as in a shell, 130 for Ctrl-C."""
        try:
            with _output_errors_in_one_line():
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


def _command_modules() -> dict[str, str]:
    """Return the modules of the commands by name: the files in `commands` and in `games/GAME/commands`."""
    package = Path(connectoe.commands.__file__ or "").parents[1]
    files = [*package.glob("commands/[!_]*.py"), *package.glob("games/*/commands/[!_]*.py")]
    return {
        file.stem: ".".join(("connectoe", *file.relative_to(package).with_suffix("").parts))
        for file in files
        if file.stem != "shared"
    }


@contextmanager
def _output_errors_in_one_line() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        _discard_output()
        raise click.ClickException(f"the output cannot be written: {error.strerror}") from error


def _open_missing_outputs() -> None:
    """Replace a closed standard output or error (as by >&-), so that the command can run in silence."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 - open until the end
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115


def _discard_output() -> None:
    """Discard what is still to be written to a failed standard output, so that exiting does not fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="connectoe", message="connectoe %(version)s")
def main() -> None:
    """Play the games that cross tic-tac-toe with Connect Four.

    `connectoe games` lists them, `connectoe rules GAME` explains one, `connectoe play GAME` plays it. GAME is an id
    from the list, or a Python file with a game of your own.
    """
    set_announcer(progress)
