"""Your mistakes: after a match, find the better move where one gave something away. All of it works without scripts.

Positions come back until they are solved several times, ever later. A browser remembers them in a cookie.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Form, Path, Query, Request, Response

from connectoe.core.exercises import Attempt, Exercise, Task
from connectoe.core.match import Match
from connectoe.review import Mistake
from connectoe.web.http.answers import page, redirect
from connectoe.web.http.learn_pages import Hint, Played, Tried
from connectoe.web.http.match_pages import Since
from connectoe.web.http.pools import WorkingRoute
from connectoe.web.http.remembering import due_mistakes, remember_answer, remember_mistakes
from connectoe.web.http.requests import client_of, keys_of, services_of
from connectoe.web.render.animation import preview
from connectoe.web.render.exercise_page import exercise_context, link_to
from connectoe.web.render.words import side_words
from connectoe.web.service.next_version import MOST_MOVES
from connectoe.web.service.refusals import NoSuchPage, Refused
from connectoe.web.service.reviews import SECONDS, Review
from connectoe.web.service.views import MatchView

router = APIRouter(include_in_schema=False, route_class=WorkingRoute)
Ply = Annotated[int, Path(ge=0, le=MOST_MOVES)]


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
    due = due_mistakes(request)
    return redirect(_address(*due[0]) if due else "/matches")


@router.get("/matches/{match_id}/mistakes")
def _overview(request: Request, match_id: str) -> Response:
    view, review = _review(request, match_id)
    mistakes = review.mistakes_of(_whose(view)) if review.is_done else []
    kept = [review.accuracy(player) for player in (0, 1)]
    shown = page(
        request,
        "mistakes.html",
        view=view,
        game=view.match.game,
        review=review,
        sides=[(side_words(view, player), share) for player, share in enumerate(kept) if share is not None],
        mistakes=[(each, _given_away(each), _address(view.id, each.ply)) for each in mistakes],
    )
    return remember_mistakes(request, shown, view.id, [each.ply for each in mistakes if each.player in view.yours])


@router.get("/matches/{match_id}/mistakes/{ply}")
def _position(
    request: Request,
    match_id: str,
    ply: Ply,
    played: Played = "",
    tried: Tried = "",
    hint: Hint = 0,
    since: Since = None,
) -> Response:
    view, review = _review(request, match_id)
    if not review.is_done:
        return redirect(f"/matches/{match_id}/mistakes")
    retried = _retried(view, review, ply)
    attempt = Attempt.begin(view.match.game, retried.exercise, played.split())
    return _shown(request, retried, attempt, tried=tried, hint=hint, since=since)


@router.post("/matches/{match_id}/mistakes/{ply}")
def _play(
    request: Request,
    match_id: str,
    ply: Ply,
    move: Annotated[str, Form(max_length=20)],
    played: Annotated[str, Form(max_length=2000)] = "",
    since: Annotated[int | None, Form(alias="from", ge=0, le=MOST_MOVES)] = None,
) -> Response:
    view, review = _review(request, match_id)
    retried = _retried(view, review, ply)
    attempt = Attempt.begin(view.match.game, retried.exercise, played.split())
    is_right = attempt.answer(move).is_right
    after, tried = (attempt.after(move), "") if is_right else (attempt, move)
    if since is not None:  # a script, which shows the answer in place
        shown = _shown(request, retried, after, tried=tried, since=since)
    else:
        shown = redirect(link_to(retried.address, after.played, tried))
    return remember_answer(request, shown, view.id, ply, is_right)


@router.get("/matches/{match_id}/mistakes/{ply}/preview")
def _preview(
    request: Request, match_id: str, ply: Ply, move: Annotated[str, Query(max_length=20)], played: Played = ""
) -> dict[str, Any]:
    view, review = _review(request, match_id)
    exercise = _retried(view, review, ply).exercise
    return preview(Attempt.begin(view.match.game, exercise, played.split()).match, move)


def _address(match_id: str, ply: int) -> str:
    return f"/matches/{match_id}/mistakes/{ply}"


def _whose(view: MatchView) -> frozenset[int]:
    """Return whose mistakes are shown: the viewer's, or those of both to somebody who only watched."""
    return view.yours or frozenset((0, 1))


def _review(request: Request, match_id: str) -> tuple[MatchView, Review]:
    """Return a match that is over, and its review; begin it if that has not been done."""
    services = services_of(request)
    view = services.view_to_analyse(match_id, keys_of(request))
    if not view.match.outcome:
        raise Refused("mistakes are looked for when the match is over")
    review = services.reviews.find(view)
    if review is None:
        services.limits.count("analyse", client_of(request), max(1.0, SECONDS * view.match.ply))
        services.open_game(view.match.game)
        review = services.reviews.begin(view, client_of(request))
    return view, review


def _retried(view: MatchView, review: Review, ply: int) -> _Retried:
    mistakes = review.mistakes_of(_whose(view))
    found = next((each for each in mistakes if each.ply == ply), None)
    if found is None:
        raise NoSuchPage(f"there is no mistake of yours after {ply} moves of this match")
    return _Retried(view, mistakes, found, exercise_for(view.match, found))


def _given_away(mistake: Mistake) -> str:
    """Return what a mistake gave away."""
    if mistake.is_proven:
        return f"gave a {mistake.before} away for a {mistake.after}"
    return f"gave about {mistake.cost:.0%} of the points away"


def exercise_for(match: Match, mistake: Mistake) -> Exercise:
    """Return the exercise of finding a better move than a mistake."""
    asked = f"In the match you played {mistake.played}, which {_given_away(mistake)}. Find a better move."
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
