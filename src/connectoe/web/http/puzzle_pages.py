"""Puzzles: one page each, solved on the board without any script; a cookie remembers how practice goes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from connectoe.core.catalogue import game_ids, load_known
from connectoe.core.exercises import Attempt
from connectoe.puzzles.exercise import exercise_of
from connectoe.puzzles.grading import GRADES, grade
from connectoe.puzzles.puzzle import Puzzle
from connectoe.puzzles.selecting import puzzles_by_theme
from connectoe.puzzles.solving import Judgement, judge
from connectoe.puzzles.store import file_of, today, why_none
from connectoe.puzzles.themes import MEANINGS, themes
from connectoe.puzzles.wording import progress_of, proof_in_words, said_of
from connectoe.web.http.answers import page, redirect
from connectoe.web.http.exercise_requests import Looked, MoveText, Played, Pressed
from connectoe.web.http.pools import WorkingRoute
from connectoe.web.http.practising import Practice, all_practice, practice_in, remember_practice
from connectoe.web.http.requests import services_of
from connectoe.web.render.animation import preview
from connectoe.web.render.demo import demo_picture
from connectoe.web.render.exercise_page import Said, exercise_context
from connectoe.web.service.known_puzzles import puzzle_for, puzzle_named, puzzles_of_game

router = APIRouter(include_in_schema=False, route_class=WorkingRoute)

PuzzleId = Annotated[str, Path(max_length=20)]


@router.get("/puzzles")
def _choose(request: Request) -> Response:
    everything = list(map(load_known, game_ids()))
    games = [game for game in everything if file_of(game).is_file()]
    known, day = all_practice(request), today()
    shown = [
        {
            "id": game.id,
            "name": game.name,
            "picture": demo_picture(game.id),
            "progress": progress_of(known[game.id].training, day) if game.id in known else "",
        }
        for game in games
    ]
    return page(
        request, "puzzles.html", games=shown, missing=[why_none(game) for game in everything if game not in games]
    )


@router.get("/puzzles/{game_id}")
def _today(game_id: str) -> Response:
    return redirect(_address(puzzle_for(load_known(game_id))))


@router.get("/puzzles/{game_id}/practice")
def _practice(request: Request, game_id: str) -> Response:
    """Show how practice goes, and let people choose a theme and a grade."""
    game = load_known(game_id)
    practice = practice_in(request, game)
    grades = Counter(map(grade, puzzles_of_game(game)))
    counts = [(theme, len(puzzles), MEANINGS.get(theme, "")) for theme, puzzles in puzzles_by_theme(game).items()]
    return page(
        request,
        "practice.html",
        here="/puzzles",
        game=game,
        themes=counts,
        grades=[(number, grades[number]) for number in GRADES if grades[number]],
        practice=practice,
        progress=progress_of(practice.training, today()),
    )


@router.get("/puzzles/{game_id}/next")
def _next(
    request: Request,
    game_id: str,
    theme: Annotated[str | None, Query(max_length=60)] = None,
    wanted: Annotated[int | None, Query(alias="grade", ge=0, le=5)] = None,
    skipped: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """Show the next puzzle that suits the browser's people; one that was skipped counts as failed."""
    game = load_known(game_id)
    puzzles_of_game(game)
    practice = practice_in(request, game)
    practice.want(game, theme, wanted)
    if skipped:
        _note(practice, puzzle_named(game_id, skipped), solved=False)
    puzzle = practice.choose(game, random.Random())
    return remember_practice(request, redirect(_address(puzzle or puzzle_for(game))), game, practice)


@router.get("/puzzles/{game_id}/{puzzle_id}")
def _puzzle(request: Request, game_id: str, puzzle_id: PuzzleId, look: Looked) -> Response:
    puzzle = puzzle_named(game_id, puzzle_id)
    services_of(request).open_game(puzzle.game)
    practice, attempt = practice_in(request, puzzle.game), _attempt(puzzle, look.played)
    if look.hint and attempt.task:
        _note(practice, puzzle, solved=False)
    shown = _shown(request, puzzle, practice, attempt, **look.how)
    return remember_practice(request, shown, puzzle.game, practice)


@router.post("/puzzles/{game_id}/{puzzle_id}")
def _play(request: Request, game_id: str, puzzle_id: PuzzleId, press: Pressed) -> Response:
    puzzle = puzzle_named(game_id, puzzle_id)
    attempt = _attempt(puzzle, press.played)
    trial = press.on(attempt)
    practice = practice_in(request, puzzle.game)
    if trial.is_right and not trial.attempt.task:
        _note(practice, puzzle, solved=True)
    elif not trial.is_right and (judgement := _judgement(puzzle, attempt, press.move)):
        _note(practice, puzzle, solved=judgement.verdict != "wrong")
    answer = trial.answer(_address(puzzle), partial(_shown, request, puzzle, practice))
    return remember_practice(request, answer, puzzle.game, practice)


@router.get("/puzzles/{game_id}/{puzzle_id}/preview")
def _preview(game_id: str, puzzle_id: PuzzleId, move: MoveText, played: Played = "") -> dict[str, Any]:
    return preview(_attempt(puzzle_named(game_id, puzzle_id), played.split()).match, move)


def _note(practice: Practice, puzzle: Puzzle, *, solved: bool) -> None:
    practice.note(puzzle, today(), solved=solved, is_of_today=puzzle == puzzle_for(puzzle.game))


def _attempt(puzzle: Puzzle, played: Sequence[str]) -> Attempt:
    return Attempt.begin(puzzle.game, exercise_of(puzzle), played)


def _address(puzzle: Puzzle) -> str:
    return f"/puzzles/{puzzle.game.id}/{puzzle.id}"


def _judgement(puzzle: Puzzle, attempt: Attempt, move: str) -> Judgement | None:
    """Return what a legal move of an attempt that is not solved yet is worth."""
    if not attempt.task or move not in attempt.match.legal_moves():
        return None
    return judge(puzzle, [*attempt.match.moves[len(puzzle.moves) :], move])


def _shown(
    request: Request, puzzle: Puzzle, practice: Practice, attempt: Attempt, *, tried: str = "", **how: Any
) -> Response:
    """Return the page of a puzzle."""
    game = puzzle.game
    context = exercise_context(
        attempt,
        address=_address(puzzle),
        tried=tried,
        grade=grade(puzzle),
        grades=GRADES,
        is_of_today=puzzle == puzzle_for(game),
        themes=themes(puzzle),
        proof=proof_in_words(puzzle),
        progress=progress_of(practice.training, today()),
        next_link=f"/puzzles/{game.id}/next",
        skip_link=f"/puzzles/{game.id}/next?skipped={puzzle.id}",
        **how,
    )
    if tried and (judgement := _judgement(puzzle, attempt, tried)):
        context["said"] = Said(said_of(puzzle, tried, judgement), "wrong" if judgement.verdict == "wrong" else "right")
    return page(request, "puzzle.html", here="/puzzles", **context)
