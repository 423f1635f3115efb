"""What is written to terminals that are narrow, or can do nothing but show lines."""

from __future__ import annotations

import io
import time
from contextlib import redirect_stderr

import pytest

from connectoe.engines import compiling
from connectoe.screen import status_line


class Terminal(io.StringIO):
    """A terminal of which only what is written to it is known."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal of 40 columns."""
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


def shown(written: str) -> list[str]:
    """The texts that stood on the line, one after the other."""
    return written.split("\r\033[K")[1:]


def test_a_status_line_stays_one_line(terminal: Terminal) -> None:
    with redirect_stderr(terminal):
        for says in ("short", "x" * 39, "x" * 40, ""):
            status_line(says)
    assert shown(terminal.getvalue()) == ["short", "x" * 39, "x" * 38 + "…", ""]


def test_a_spinner_stays_one_line_and_leaves_nothing(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "WAIT", 0)
    with (
        redirect_stderr(terminal),
        compiling.spinner("compiling the engine for this game; it is kept for the next time"),
    ):
        time.sleep(0.25)
    first, second, *_, last = shown(terminal.getvalue())
    assert (first, second[0], last) == ("⠋ compiling the engine for this game; …", "⠙", "")
    assert len(first) < 40


def test_a_spinner_that_cannot_spin_says_it_once(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "WAIT", 0)
    monkeypatch.setenv("TERM", "dumb")
    with redirect_stderr(terminal), compiling.spinner("adding up"):
        time.sleep(0.25)
    assert terminal.getvalue() == "adding up\n"


def test_what_is_quick_is_not_announced(terminal: Terminal) -> None:
    with redirect_stderr(terminal), compiling.spinner("adding up"):
        pass
    assert terminal.getvalue() == ""
