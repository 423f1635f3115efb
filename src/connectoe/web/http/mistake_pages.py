"""Your mistakes: after a match, find the better move in each position where yours gave something away. All of it works
without scripts.

Positions come back, after longer and longer times, until they are solved several times. A browser remembers them in a
cookie.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Path, Request, Response

from connectoe.core.exercises import Attempt, Exercise, Task
from connectoe.core.swapping import SWAP_MOVE
from connectoe.review import Mistake
from connectoe.web.http.answers import page, redirect
from connectoe.web.http.exercise_requests import Looked, MoveText, Played, Pressed
from connectoe.web.http.pools import WorkingRoute
from connectoe.web.http.remembering import due_mistakes, names_in, remember_answer, remember_mistakes
from connectoe.web.http.requests import client_of, keys_of, matches_of, services_of
from connectoe.web.render.animation import preview
from connectoe.web.render.exercise_page import exercise_context
from connectoe.web.render.words import is_record, seat_name, side_words
from connectoe.web.service.next_version import MOST_MOVES
from connectoe.web.service.refusals import NoSuchMatch, NoSuchPage
from connectoe.web.service.reviews import Review
from connectoe.web.service.views import MatchView

router = APIRouter(include_in_schema=False, route_class=WorkingRoute)
Ply = Annotated[int, Path(ge=0, le=MOST_MOVES)]
Side = Literal["", "0", "1", "both"]
"""Whose mistakes are wanted; empty for those of the viewer."""


class _Retried(NamedTuple):
    """A mistake that is tried again, and the match it was made in."""

    view: MatchView
    mistakes: list[Mistake]
    mistake: Mistake
    exercise: Exercise

    @property
    def address(self) -> str:
        return _address(self.view.id, self.mistake.ply)


@router.get("/mistakes")
def _next_due(request: Request) -> Response:
    """Go to the position that comes back first; forget those of matches that are gone."""
    gone: set[str] = set()
    for match_id, ply in due_mistakes(request):
        if match_id not in gone:
            with suppress(NoSuchMatch):
                matches_of(request).view(match_id, keys_of(request))
                return remember_mistakes(request, redirect(_address(match_id, ply)), dict.fromkeys(gone, ()))
            gone.add(match_id)
    return remember_mistakes(request, redirect("/matches"), dict.fromkeys(gone, ()))


@router.get("/matches/{match_id}/mistakes")
def _overview(request: Request, match_id: str, side: Side = "") -> Response:
    view, review = _review(request, match_id)
    is_awaited = services_of(request).reviews.is_awaited(review)
    whose = _whose(request, view, side)
    mistakes = review.mistakes_of(whose) if review.is_done else []
    kept = [review.accuracy(player) for player in (0, 1)]
    shown = page(
        request,
        "mistakes.html",
        view=view,
        game=view.match.game,
        review=review,
        is_awaited=is_awaited,
        sides=[(side_words(view, player), share) for player, share in enumerate(kept) if share is not None],
        choices=_choices(view, whose),
        mistakes=[(each, _given_away(each), _address(view.id, each.ply)) for each in mistakes],
    )
    if is_awaited or (is_record(view) and len(whose) == 2):  # nobody knows yet which side of a record one had
        return shown
    return remember_mistakes(request, shown, {view.id: [each.ply for each in mistakes if each.player in view.yours]})


@router.get("/matches/{match_id}/mistakes/{ply}")
def _position(request: Request, match_id: str, ply: Ply, look: Looked) -> Response:
    view, review = _review(request, match_id)
    if services_of(request).reviews.is_awaited(review) or not _mistake_at(view, review, ply):
        return redirect(f"/matches/{match_id}/mistakes")  # what is known by now
    retried = _retried(view, review, ply)
    attempt = Attempt.begin(view.match.game, retried.exercise, look.played)
    shown = _shown(request, retried, attempt, **look.how)
    return remember_answer(request, shown, view.id, ply, is_right=False) if look.hint and attempt.task else shown


@router.post("/matches/{match_id}/mistakes/{ply}")
def _play(request: Request, match_id: str, ply: Ply, press: Pressed) -> Response:
    view, review = _review(request, match_id)
    retried = _retried(view, review, ply)
    trial = press.on(Attempt.begin(view.match.game, retried.exercise, press.played))
    shown = trial.answer(retried.address, partial(_shown, request, retried))
    return remember_answer(request, shown, view.id, ply, is_right=trial.is_right)


@router.get("/matches/{match_id}/mistakes/{ply}/preview")
def _preview(request: Request, match_id: str, ply: Ply, move: MoveText, played: Played = "") -> dict[str, Any]:
    view, review = _review(request, match_id)
    exercise = _retried(view, review, ply).exercise
    return preview(Attempt.begin(view.match.game, exercise, played.split()).match, move)


def _address(match_id: str, ply: int) -> str:
    return f"/matches/{match_id}/mistakes/{ply}"


def _whose(request: Request, view: MatchView, side: str = "") -> frozenset[int]:
    """Return whose mistakes are shown: those of the side that is wanted, else the viewer's.

    For somebody who played both sides, or keeps a record, that is the side with the name they gave last. Somebody who
    only watched sees those of both.
    """
    possible = view.yours or frozenset((0, 1))
    if side:
        return possible & {int(side)} if side != "both" else possible
    name = names_in(request).get("name")
    named = frozenset(number for number, seat in enumerate(view.seats) if name and seat.name == name)
    return named if len(named) == 1 and len(view.yours) == 2 else possible


def _choices(view: MatchView, whose: frozenset[int]) -> list[tuple[str, str, bool]]:
    """Return whose mistakes can be shown: the query, the words, and whether these are shown now."""
    if len(view.yours) == 1:
        return []
    sides = [(str(player), side_words(view, player), whose == {player}) for player in (0, 1)]
    return [("both", "Both sides", len(whose) == 2), *sides]


def _review(request: Request, match_id: str) -> tuple[MatchView, Review]:
    return services_of(request).review(match_id, keys_of(request), client_of(request))


def _mistake_at(view: MatchView, review: Review, ply: int) -> Mistake | None:
    mistakes = review.mistakes_of(view.yours or frozenset((0, 1)))
    return next((each for each in mistakes if each.ply == ply), None)


def _retried(view: MatchView, review: Review, ply: int) -> _Retried:
    found = _mistake_at(view, review, ply)
    if found is None:
        raise NoSuchPage(f"there is no mistake of yours after {ply} moves of this match")
    return _Retried(view, review.mistakes_of(frozenset((found.player,))), found, _exercise(view, found))


def _given_away(mistake: Mistake) -> str:
    """Return what a mistake gave away."""
    if mistake.is_proven:
        return f"gave a {mistake.before} away for a {mistake.after}"
    return f"gave about {mistake.cost:.0%} of the points away"


def _exercise(view: MatchView, mistake: Mistake) -> Exercise:
    """Return the exercise of finding a better move than a mistake."""
    match = view.match
    who = "you" if view.yours == {mistake.player} else seat_name(view, mistake.player)
    played = "swapped sides" if mistake.played == SWAP_MOVE else f"played {mistake.played}"
    asked = f"In the match {who} {played}, which {_given_away(mistake)}. Find a better move."
    right = f"Right: it keeps the {mistake.before}." if mistake.is_proven else "Right: that is much better."
    wrong = {re.escape(mistake.played): "That is what was played. Look for something better."}
    task = Task(asked, " ".join(mistake.better), right, wrong, "There is a better move. Try again.")
    start = "" if match.start == match.game.start else match.start.text
    return Exercise("Find the better move", (task,), start, " ".join(match.moves[: mistake.ply]))


def _shown(request: Request, retried: _Retried, attempt: Attempt, **how: Any) -> Response:
    """Return the page of a position that is tried again."""
    later = [each.ply for each in retried.mistakes if each.ply > retried.mistake.ply]
    context = exercise_context(
        attempt,
        address=retried.address,
        view=retried.view,
        mistake=retried.mistake,
        better=retried.mistake.better,
        next_link=_address(retried.view.id, later[0]) if later else "",
        **how,
    )
    return page(request, "mistake.html", here="/matches", **context)
