"""Progress on terminals that are narrow, or can only show lines, and on what is no terminal."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr

import pytest

from connectoe.engines.announcing import announce
from connectoe.terminal import progress as progress_module
from connectoe.terminal.progress import progress, progress_bar

COMPILING = "compiling the engine for this game; it is kept for the next time"


class Terminal(io.StringIO):
    """A terminal that remembers what is written to it."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True

    @property
    def lines(self) -> list[str]:
        """What was drawn, one line after the other, without colours and movements of the cursor."""
        plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.getvalue())
        return [line.strip() for line in re.split(r"[\r\n]+", plain) if line.strip()]

    def wait_until(self, shows: Callable[[list[str]], object]) -> None:
        """Wait for what is to be drawn."""
        end = time.monotonic() + 20
        while not shows(self.lines):
            assert time.monotonic() < end, self.lines
            time.sleep(0.01)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal of 40 columns, on which everything is shown at once."""
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(progress_module, "DELAY", 0)
    return Terminal()


def test_a_spinner_stays_one_line_and_leaves_nothing(terminal: Terminal) -> None:
    with redirect_stderr(terminal), progress(COMPILING):
        terminal.wait_until(lambda lines: len({line[0] for line in lines}) > 1)  # it spins
    assert {line[2:] for line in terminal.lines} == {COMPILING[:37] + "…"}
    assert terminal.getvalue().count("\n") == 1  # the last one, before the line is erased
    assert terminal.getvalue().endswith("\x1b[2K")  # the line is erased


def test_the_text_can_change(terminal: Terminal) -> None:
    with redirect_stderr(terminal), progress("analysing") as tell:
        terminal.wait_until(lambda lines: lines and lines[0].endswith("analysing"))
        tell("d: wins in [3]", None)
        terminal.wait_until(lambda lines: lines[-1].endswith("d: wins in [3]"))


def test_a_bar_shows_how_much_is_done(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with redirect_stderr(terminal), progress_bar("easy against hard", 4) as step:
        terminal.wait_until(lambda lines: lines and " 0%" in lines[0])
        step()
        terminal.wait_until(lambda lines: " 25%" in lines[-1])


def test_it_is_said_that_engines_may_be_compiled_until_the_first_games_are_finished(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with redirect_stderr(terminal), progress_bar("easy against hard", 4, progress_module.COMPILING) as step:
        terminal.wait_until(lambda lines: lines and "compiling if needed" in lines[0])
        step()
        terminal.wait_until(lambda lines: "easy against hard" in lines[-1] and "compiling" not in lines[-1])


def test_a_text_with_its_own_numbers_has_none_beside_the_bar(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with redirect_stderr(terminal), progress("studying: 0%", 0, numbers=False) as tell:
        tell("studying: half, a minute left", 0.5)
        terminal.wait_until(lambda lines: lines and "half" in lines[-1])
    assert "50%" not in terminal.lines[-1]
    assert ":--" not in terminal.lines[-1]


def test_a_bar_starts_again_for_the_next_piece_of_work(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with redirect_stderr(terminal), progress("counting", 0) as tell:
        terminal.wait_until(bool)
        tell("counting", 1)
        tell("solving", 0.1)
        terminal.wait_until(lambda lines: re.search("solving .* 10%", lines[-1]))


def test_a_terminal_that_cannot_be_drawn_on_gets_a_plain_line(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    with redirect_stderr(terminal), progress("adding up") as tell:
        terminal.wait_until(bool)
        tell("still adding up", None)
    assert terminal.getvalue() == "adding up\n"


def test_no_colours_where_none_are_wanted(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with redirect_stderr(terminal), progress("adding up"):
        terminal.wait_until(bool)
    assert not re.search(r"\x1b\[[0-9;]*3[0-9][0-9;]*m", terminal.getvalue())


def test_work_within_other_work_is_not_announced_as_well(terminal: Terminal) -> None:
    with redirect_stderr(terminal), progress("playing"):
        terminal.wait_until(bool)
        with progress("compiling"):
            time.sleep(0.2)
    assert {line[2:] for line in terminal.lines} == {"playing"}
    with redirect_stderr(terminal), progress("afterwards"):
        terminal.wait_until(lambda lines: lines[-1].endswith("afterwards"))


def test_an_interrupted_line_is_taken_away(terminal: Terminal) -> None:
    def interrupted() -> None:
        with redirect_stderr(terminal), progress("adding up"):
            terminal.wait_until(bool)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert terminal.getvalue().endswith("\x1b[2K")
    assert terminal.getvalue().count("\x1b[?25h") == terminal.getvalue().count("\x1b[?25l") == 1  # the cursor is back


def test_what_is_quick_is_not_announced(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "DELAY", 1)
    with redirect_stderr(terminal), progress("adding up"):
        pass
    assert terminal.getvalue() == ""


def test_what_is_no_terminal_gets_nothing(terminal: Terminal) -> None:
    file = io.StringIO()
    with redirect_stderr(file), progress_bar("adding up", 1) as step:
        time.sleep(0.1)
        step()
    assert file.getvalue() == ""


def test_a_library_announces_nothing_by_default() -> None:
    with announce("compiling"):
        pass
    help_page = "from connectoe.cli import main; main(['--help'], standalone_mode=False)"
    script = f"import sys; {help_page}; print('rich' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.endswith("False\n")
