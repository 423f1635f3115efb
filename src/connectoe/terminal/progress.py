"""Progress of long work, shown to a person at a terminal on standard error.

Nothing appears before a second has passed, so that short work is not announced and `rich` is not imported for it. One
line is shown at a time: work within other work that is shown already is not announced as well. A terminal that cannot
be drawn on gets a plain line, anything else, such as a file or a pipe, gets nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING

from connectoe.terminal.screen import columns_of, is_screen

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Tell = Callable[[str, float | None], None]
DELAY = 1.0
"""Seconds before anything is shown."""
COMPILING = "compiling if needed; "
"""What stands before the text while no game of engines is finished; the end of a long line is cut."""
_one_at_a_time = Lock()


@contextmanager
def progress(text: str, share: float | None = None, *, numbers: bool = True) -> Iterator[Tell]:
    """Show a text, with a bar if the share of the work that is done, from 0 to 1, is known; yield a function that
    changes both. The percentage and the time left are shown beside the bar unless `numbers` is off."""
    display = _Display(text, share, numbers)
    if not sys.stderr.isatty():
        yield display.tell
        return
    timer = Timer(DELAY, display.appear)
    timer.daemon = True
    timer.start()
    try:
        yield display.tell
    finally:
        try:
            timer.cancel()
            timer.join()
        finally:
            display.disappear()


@contextmanager
def progress_bar(text: str, steps: int, at_first: str = "") -> Iterator[Callable[[], None]]:
    """Show a bar for a number of steps; yield a function that is called after each.

    `at_first` stands before the text until the first step is done.
    """
    done = 0
    with progress(at_first + text, 0.0) as tell:

        def step() -> None:
            nonlocal done
            done += 1
            tell(text, done / max(steps, 1))

        yield step


class _Display:
    """A line of text, perhaps with a bar."""

    def __init__(self, text: str, share: float | None, numbers: bool) -> None:
        self.text = text
        self.share = share
        self.numbers = numbers
        self.is_first = False
        self.rich: tuple[Progress, TaskID] | None = None

    def tell(self, text: str, share: float | None = None) -> None:
        """Show this text and share from now on."""
        self.text, self.share = text, share
        if self.rich:
            shown, task = self.rich
            if share is not None and share < shown.tasks[0].completed:  # the next piece of work, with its own speed
                shown.reset(task)
            shown.update(task, description=text, total=None if share is None else 1, completed=share or 0)

    def appear(self) -> None:
        """Show the line, unless another one is being shown."""
        self.is_first = _one_at_a_time.acquire(blocking=False)
        if not self.is_first:
            return
        if not is_screen(sys.stderr):
            print(self.text, file=sys.stderr)
            return
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            Progress,
            SpinnerColumn,
            TaskProgressColumn,
            TextColumn,
            TimeRemainingColumn,
        )
        from rich.table import Column

        console = Console(stderr=True, width=columns_of(sys.stderr))
        one_line = Column(ratio=1, no_wrap=True, overflow="ellipsis")
        shown = Progress(
            SpinnerColumn("dots" if console.encoding.startswith("utf") else "line"),
            TextColumn("{task.description}", markup=False, table_column=one_line),
            *(() if self.share is None else (BarColumn(),)),
            *(() if self.share is None or not self.numbers else (TaskProgressColumn(), TimeRemainingColumn())),
            expand=True,
            console=console,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self.rich = shown, shown.add_task("")
        self.tell(self.text, self.share)
        shown.start()

    def disappear(self) -> None:
        """Take the line away."""
        if self.rich:
            self.rich[0].stop()
        if self.is_first:
            _one_at_a_time.release()
