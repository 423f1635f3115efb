"""Lessons: the exercises of a game, one page each. All of them work without any script, and nothing is stored."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from connectoe.core.catalogue import load_known
from connectoe.core.exercises import Attempt, Exercise
from connectoe.core.game import Game
from connectoe.core.lessons import lesson_of
from connectoe.web.http.answers import page, redirect
from connectoe.web.http.exercise_requests import Looked, MoveText, Played, Pressed
from connectoe.web.http.pools import ReadingRoute
from connectoe.web.http.remembering import remember_lesson
from connectoe.web.http.requests import services_of
from connectoe.web.render.animation import preview
from connectoe.web.render.exercise_page import exercise_context
from connectoe.web.service.refusals import NoSuchPage

router = APIRouter(include_in_schema=False, route_class=ReadingRoute)

Number = Annotated[int, Path(ge=1, le=1000)]


@router.get("/learn")
def _choose() -> Response:
    return redirect("/")


@router.get("/learn/{game_id}")
def _begin(game_id: str) -> Response:
    return redirect(f"/learn/{load_known(game_id).id}/1")


@router.get("/learn/{game_id}/{number}")
def _step(request: Request, game_id: str, number: Number, look: Looked) -> Response:
    game, exercise = _exercise(game_id, number)
    services_of(request).open_game(game)
    attempt = Attempt.begin(game, exercise, look.played)
    return remember_lesson(request, _shown(request, number, attempt, **look.how), game.id)


@router.post("/learn/{game_id}/{number}")
def _play(request: Request, game_id: str, number: Number, press: Pressed) -> Response:
    game, exercise = _exercise(game_id, number)
    trial = press.on(Attempt.begin(game, exercise, press.played))
    return trial.answer(_address(game, number), partial(_shown, request, number))


@router.get("/learn/{game_id}/{number}/preview")
def _preview(game_id: str, number: Number, move: MoveText, played: Played = "") -> dict[str, Any]:
    return preview(Attempt.begin(*_exercise(game_id, number), played.split()).match, move)


def _exercise(game_id: str, number: int) -> tuple[Game, Exercise]:
    game = load_known(game_id)
    lesson = lesson_of(game)
    if number > len(lesson):
        raise NoSuchPage(f"the lesson of {game.name} has {len(lesson)} steps")
    return game, lesson[number - 1]


def _address(game: Game, number: int) -> str:
    return f"/learn/{game.id}/{number}"


def _shown(request: Request, number: int, attempt: Attempt, **how: Any) -> Response:
    """Return the page of a step of a lesson."""
    game = attempt.match.game
    lesson = lesson_of(game)
    steps = [
        {"number": one, "title": step.title, "link": _address(game, one)} for one, step in enumerate(lesson, start=1)
    ]
    context = exercise_context(
        attempt,
        address=_address(game, number),
        number=number,
        steps=steps,
        next_link=_address(game, number + 1) if number < len(lesson) else "",
        **how,
    )
    return page(request, "lesson.html", here="/learn", **context)
