"""A hook for telling people about work that may take a while, such as compiling. Engines announce, programs show."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

Announcer = Callable[[str], AbstractContextManager[object]]
_announcer: Announcer = nullcontext


def announce(text: str) -> AbstractContextManager[object]:
    """Return a context in which the work happens; by default nothing is shown."""
    return _announcer(text)


def set_announcer(announcer: Announcer) -> None:
    """Show all announcements of this process with this function, for example as a spinner."""
    global _announcer
    _announcer = announcer
