"""Puzzles: one page each, solved on the board. All of them work without any script, and nothing is stored."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, Request, Response

from connectoe.core.catalogue import game_ids, load_known
from connectoe.core.exercises import Attempt
from connectoe.core.game import Game
from connectoe.puzzles.exercise import exercise_of
from connectoe.puzzles.grading import GRADES, grade
from connectoe.puzzles.puzzle import Puzzle
from connectoe.puzzles.solving import judge
from connectoe.puzzles.store import file_of
from connectoe.puzzles.themes import themes
from connectoe.puzzles.wording import proof_in_words, said_of
from connectoe.web.http.answers import page, redirect
from connectoe.web.http.learn_pages import Hint, Played, Tried
from connectoe.web.http.match_pages import Since
from connectoe.web.http.pools import WorkingRoute
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
    shown = [{"id": game.id, "name": game.name, "picture": demo_picture(game.id)} for game in games]
    return page(request, "puzzles.html", games=shown, grades=GRADES)


@router.get("/puzzles/{game_id}")
def _today(game_id: str) -> Response:
    return redirect(_address(puzzle_for(load_known(game_id))))


@router.get("/puzzles/{game_id}/grade/{wanted}")
def _of_grade(
    game_id: str, wanted: Annotated[int, Path(ge=1, le=5)], after: Annotated[str, Query(max_length=20)] = ""
) -> Response:
    """Show any puzzle of a grade, or of the nearest grade that has one, but not the one before."""
    by_grade = _by_grade(load_known(game_id))
    nearest = min(by_grade, key=lambda found: abs(found - wanted))
    others = [puzzle for puzzle in by_grade[nearest] if puzzle.id != after]
    return redirect(_address(random.choice(others or by_grade[nearest])))


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
    return _shown(request, puzzle, _attempt(puzzle, played), tried=tried, hint=hint, since=since)


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
    if since is not None:  # a script, which shows the answer in place
        return _shown(request, puzzle, after, tried=tried, since=since)
    return redirect(link_to(_address(puzzle), after.played, tried))


@router.get("/puzzles/{game_id}/{puzzle_id}/preview")
def _preview(
    game_id: str, puzzle_id: PuzzleId, move: Annotated[str, Query(max_length=20)], played: Played = ""
) -> dict[str, Any]:
    return preview(_attempt(puzzle_named(game_id, puzzle_id), played).match, move)


@lru_cache(maxsize=16)
def _by_grade(game: Game) -> dict[int, list[Puzzle]]:
    found: dict[int, list[Puzzle]] = {}
    for puzzle in puzzles_of_game(game):
        found.setdefault(grade(puzzle), []).append(puzzle)
    return found


def _attempt(puzzle: Puzzle, played: str) -> Attempt:
    return Attempt.begin(puzzle.game, exercise_of(puzzle), played.split())


def _address(puzzle: Puzzle) -> str:
    return f"/puzzles/{puzzle.game.id}/{puzzle.id}"


def _shown(request: Request, puzzle: Puzzle, attempt: Attempt, *, tried: str = "", **how: Any) -> Response:
    """Return the page of a puzzle."""
    game, graded = puzzle.game, grade(puzzle)
    others = {"Another like this": graded, "A harder one": graded + 1, "An easier one": graded - 1}
    context = exercise_context(
        attempt,
        address=_address(puzzle),
        tried=tried,
        grade=graded,
        grades=GRADES,
        is_of_today=puzzle == puzzle_for(game),
        themes=themes(puzzle),
        proof=proof_in_words(puzzle),
        others=[
            (words, f"/puzzles/{game.id}/grade/{wanted}?after={puzzle.id}")
            for words, wanted in others.items()
            if wanted in GRADES
        ],
        **how,
    )
    if tried and attempt.task and tried in attempt.match.legal_moves():
        moves = [*attempt.match.moves[len(puzzle.moves) :], tried]
        judgement = judge(puzzle, moves)
        context["said"] = Said(said_of(puzzle, tried, judgement), "wrong" if judgement.verdict == "wrong" else "right")
    return page(request, "puzzle.html", here="/puzzles", **context)
