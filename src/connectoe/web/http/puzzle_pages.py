"""Puzzles: one page each, solved on the board without any script; a cookie remembers how practice goes."""

from __future__ import annotations

import random
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, Request, Response

from connectoe.core.catalogue import game_ids, load_known
from connectoe.core.exercises import Attempt
from connectoe.puzzles.exercise import exercise_of
from connectoe.puzzles.grading import GRADES, grade
from connectoe.puzzles.puzzle import Puzzle
from connectoe.puzzles.selecting import puzzles_by_theme
from connectoe.puzzles.solving import Judgement, judge
from connectoe.puzzles.store import file_of, today
from connectoe.puzzles.themes import MEANINGS, themes
from connectoe.puzzles.wording import progress_of, proof_in_words, said_of
from connectoe.web.http.answers import page, redirect
from connectoe.web.http.learn_pages import Hint, Played, Tried
from connectoe.web.http.match_pages import Since
from connectoe.web.http.pools import WorkingRoute
from connectoe.web.http.practising import Practice, all_practice, practice_in, remember_practice
from connectoe.web.http.requests import services_of
from connectoe.web.render.animation import preview
from connectoe.web.render.demo import demo_picture
from connectoe.web.render.exercise_page import Said, exercise_context, link_to
from connectoe.web.service.known_puzzles import puzzle_for, puzzle_named, puzzles_of_game
from connectoe.web.service.next_version import MOST_MOVES

router = APIRouter(include_in_schema=False, route_class=WorkingRoute)

PuzzleId = Annotated[str, Path(max_length=20)]


@router.get("/puzzles")
def _choose(request: Request) -> Response:
    games = [game for game in map(load_known, game_ids()) if file_of(game).is_file()]
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
    return page(request, "puzzles.html", games=shown)


@router.get("/puzzles/{game_id}")
def _today(game_id: str) -> Response:
    return redirect(_address(puzzle_for(load_known(game_id))))


@router.get("/puzzles/{game_id}/practice")
def _practice(request: Request, game_id: str) -> Response:
    """Show how practice goes, and let people choose a theme and a grade."""
    game = load_known(game_id)
    puzzles_of_game(game)
    practice = practice_in(request, game)
    counts = [(theme, len(puzzles), MEANINGS.get(theme, "")) for theme, puzzles in puzzles_by_theme(game).items()]
    return page(
        request,
        "practice.html",
        here="/puzzles",
        game=game,
        themes=counts,
        grades=GRADES,
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
def _puzzle(
    request: Request,
    game_id: str,
    puzzle_id: PuzzleId,
    played: Played = "",
    tried: Tried = "",
    hint: Hint = 0,
    since: Since = None,
) -> Response:
    puzzle = puzzle_named(game_id, puzzle_id)
    services_of(request).open_game(puzzle.game)
    practice, attempt = practice_in(request, puzzle.game), _attempt(puzzle, played)
    if hint and attempt.task:
        _note(practice, puzzle, solved=False)
    shown = _shown(request, puzzle, attempt, practice, tried=tried, hint=hint, since=since)
    return remember_practice(request, shown, puzzle.game, practice)


@router.post("/puzzles/{game_id}/{puzzle_id}")
def _play(
    request: Request,
    game_id: str,
    puzzle_id: PuzzleId,
    move: Annotated[str, Form(max_length=20)],
    played: Annotated[str, Form(max_length=2000)] = "",
    since: Annotated[int | None, Form(alias="from", ge=0, le=MOST_MOVES)] = None,
) -> Response:
    puzzle = puzzle_named(game_id, puzzle_id)
    attempt = _attempt(puzzle, played)
    is_right = attempt.answer(move).is_right
    after, tried = (attempt.after(move), "") if is_right else (attempt, move)
    practice = practice_in(request, puzzle.game)
    if is_right and not after.task:
        _note(practice, puzzle, solved=True)
    elif not is_right and (judgement := _judgement(puzzle, attempt, move)):
        _note(practice, puzzle, solved=judgement.verdict != "wrong")
    if since is not None:  # a script, which shows the answer in place
        answer = _shown(request, puzzle, after, practice, tried=tried, since=since)
    else:
        answer = redirect(link_to(_address(puzzle), after.played, tried))
    return remember_practice(request, answer, puzzle.game, practice)


@router.get("/puzzles/{game_id}/{puzzle_id}/preview")
def _preview(
    game_id: str, puzzle_id: PuzzleId, move: Annotated[str, Query(max_length=20)], played: Played = ""
) -> dict[str, Any]:
    return preview(_attempt(puzzle_named(game_id, puzzle_id), played).match, move)


def _note(practice: Practice, puzzle: Puzzle, *, solved: bool) -> None:
    practice.note(puzzle, today(), solved=solved, is_of_today=puzzle == puzzle_for(puzzle.game))


def _attempt(puzzle: Puzzle, played: str) -> Attempt:
    return Attempt.begin(puzzle.game, exercise_of(puzzle), played.split())


def _address(puzzle: Puzzle) -> str:
    return f"/puzzles/{puzzle.game.id}/{puzzle.id}"


def _judgement(puzzle: Puzzle, attempt: Attempt, move: str) -> Judgement | None:
    """Return what a legal move of an attempt that is not solved yet is worth."""
    if not attempt.task or move not in attempt.match.legal_moves():
        return None
    return judge(puzzle, [*attempt.match.moves[len(puzzle.moves) :], move])


def _shown(
    request: Request, puzzle: Puzzle, attempt: Attempt, practice: Practice, *, tried: str = "", **how: Any
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
