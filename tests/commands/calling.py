"""Calling commands: in this process, in one of its own, and at a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from contextlib import suppress
from typing import Any

from click.testing import CliRunner, Result

from connectoe.cli import main


def connectoe(*arguments: str, stdin: str | bytes = "") -> Result:
    """Run the command in this process and return its result."""
    result = CliRunner().invoke(main, list(arguments), input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def words_of(*arguments: str, stdin: str) -> str:
    """Return the output of a command with all whitespace as single blanks."""
    return " ".join(connectoe(*arguments, stdin=stdin).output.split())


def run(*arguments: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command in its own process, with real streams."""
    return subprocess.run([sys.executable, "-m", "connectoe", *arguments], stderr=subprocess.PIPE, **more)


def on_a_terminal(*arguments: str, **settings: str) -> str:
    """Return what the command writes to a terminal, with no input."""
    shown, terminal = pty.openpty()
    command = [sys.executable, "-m", "connectoe", *arguments]
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=terminal, env={**os.environ, **settings}, check=True)
    os.close(terminal)
    written = b""
    with suppress(OSError):  # the other end is closed, and all has been read
        while more := os.read(shown, 4096):
            written += more
    os.close(shown)
    return written.decode()
