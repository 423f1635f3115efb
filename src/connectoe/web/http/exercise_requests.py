"""Requests to the page of an exercise, which lessons, puzzles and mistakes share.

The address of the page holds the right moves so far, the move that was tried last, and the hint that was asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from fastapi import Depends, Form, Query, Response

from connectoe.core.exercises import Attempt
from connectoe.web.http.answers import redirect
from connectoe.web.http.match_pages import Since
from connectoe.web.render.exercise_page import link_to
from connectoe.web.service.next_version import MOST_MOVES

MoveText = Annotated[str, Query(max_length=20)]
Played = Annotated[str, Query(max_length=2000)]


class Shown(NamedTuple):
    """What the page shows."""

    played: list[str]
    tried: str
    hint: int
    since: int | None

    @property
    def how(self) -> dict[str, Any]:
        """Everything but the right moves, as `exercise_context` takes it."""
        return {"tried": self.tried, "hint": self.hint, "since": self.since}


class Trial(NamedTuple):
    """A move that was tried: whether it is right, and the attempt after it."""

    is_right: bool
    attempt: Attempt
    move: str
    since: int | None

    def answer(self, address: str, show: Callable[..., Response]) -> Response:
        """Return the answer: to a script the page made by `show`, otherwise a redirection to it."""
        wrong = "" if self.is_right else self.move
        if self.since is not None:
            return show(self.attempt, tried=wrong, since=self.since)
        return redirect(link_to(address, self.attempt.played, wrong))


class Press(NamedTuple):
    """A move that is played on the page, after some right ones."""

    move: str
    played: list[str]
    since: int | None

    def on(self, attempt: Attempt) -> Trial:
        """Return what the move does to an attempt: nothing, unless it is right."""
        is_right = attempt.answer(self.move).is_right
        return Trial(is_right, attempt.after(self.move) if is_right else attempt, self.move, self.since)


async def _look(
    played: Played = "", tried: MoveText = "", hint: Annotated[int, Query(ge=0, le=2)] = 0, since: Since = None
) -> Shown:
    return Shown(played.split(), tried, hint, since)


async def _press(
    move: Annotated[str, Form(max_length=20)],
    played: Annotated[str, Form(max_length=2000)] = "",
    since: Annotated[int | None, Form(alias="from", ge=0, le=MOST_MOVES)] = None,
) -> Press:
    return Press(move, played.split(), since)


Looked = Annotated[Shown, Depends(_look)]
Pressed = Annotated[Press, Depends(_press)]
