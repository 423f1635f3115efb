"""Puzzles in the JSON API: lists, the puzzle of the day, and whether a move is right."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, FailFast, Field

from connectoe.core.catalogue import load_known
from connectoe.puzzles.data import as_data
from connectoe.puzzles.puzzle import Puzzle
from connectoe.puzzles.selecting import puzzles_by_theme, selected
from connectoe.puzzles.solving import judge
from connectoe.puzzles.themes import MEANINGS
from connectoe.puzzles.wording import hints, proof_in_words, said_of, task
from connectoe.web.http.pools import PlayingRoute, slow
from connectoe.web.http.schemas import MoveText, Problem, Strict
from connectoe.web.service.known_puzzles import puzzle_for, puzzle_named

router = APIRouter(prefix="/api/v1/puzzles", route_class=PlayingRoute, tags=["puzzles"])

GameId = Annotated[str, Path(max_length=60, description="The id of a game.", examples=["connect-four"])]
PuzzleId = Annotated[str, Path(max_length=20, description="The id of a puzzle.", examples=["0a1b2c3d4e"])]
Theme = Annotated[str | None, Query(max_length=60, examples=["win in 2"])]
REFUSALS: dict[int | str, dict[str, object]] = {
    400: {"model": Problem, "description": "Not a legal move; `error` says why."},
    404: {"model": Problem, "description": "No such game or puzzle."},
}


class Failures(BaseModel):
    """How often a level failed to find the solution."""

    failed: int
    of: int


class PuzzleSeen(BaseModel):
    """A puzzle without its solution."""

    id: str
    game: str
    options: dict[str, int | str]
    moves: list[str] = Field(description="The moves from the start to the position.")
    position: str
    turn: int
    goal: Literal["win", "draw"]
    plies: int = Field(description="The plies of the win; for a draw, those within which every other move loses.")
    own_moves: int
    proof: Literal["table", "solver", "search"]
    grade: int
    themes: list[str]
    failures: dict[str, Failures]
    task: str


class ThemeSeen(BaseModel):
    """A theme of puzzles."""

    theme: str
    puzzles: int = Field(description="How many puzzles of the game have it.")
    meaning: str | None


class AsGood(BaseModel):
    """A move that is as good as one of the line."""

    ply: int
    move: str


class SolutionSeen(BaseModel):
    """The solution of a puzzle."""

    line: list[str]
    also: list[AsGood]
    tempting: str | None
    hints: list[str]
    proof: str


class MovesTried(Strict):
    """Moves from the position of a puzzle on, of both sides; the last one is judged."""

    moves: Annotated[list[MoveText], FailFast()] = Field(min_length=1, max_length=100, examples=[["d"]])


class Judged(BaseModel):
    """The judgement of a move."""

    verdict: Literal["solved", "right", "wrong"]
    reply: str | None
    plies_left: int
    leaves_the_line: bool
    words: str


@router.get("/{game}", responses={404: REFUSALS[404]})
@slow
def puzzles(
    game: GameId,
    grade: Annotated[int | None, Query(ge=1, le=5)] = None,
    theme: Theme = None,
    most: Annotated[int, Query(ge=1, le=500)] = 100,
) -> list[PuzzleSeen]:
    """List the puzzles of a game, of all grades and themes or of one."""
    wanted = selected(load_known(game), theme or "", grade or 0)
    return [_seen(puzzle) for puzzle in wanted[:most]]


@router.get("/{game}/themes", responses={404: REFUSALS[404]})
@slow
def puzzle_themes(game: GameId) -> list[ThemeSeen]:
    """List the themes of a game's puzzles."""
    known = puzzles_by_theme(load_known(game))
    return [ThemeSeen(theme=theme, puzzles=len(found), meaning=MEANINGS.get(theme)) for theme, found in known.items()]


@router.get("/{game}/daily", responses=REFUSALS)
@slow
def daily(game: GameId, day: Annotated[date | None, Query(examples=["2026-11-18"])] = None) -> PuzzleSeen:
    """Return the puzzle of the day, by default of today in UTC; it is the same for everybody."""
    return _seen(puzzle_for(load_known(game), day))


@router.get("/{game}/{puzzle}", responses={404: REFUSALS[404]})
@slow
def puzzle(game: GameId, puzzle: PuzzleId) -> PuzzleSeen:
    """Return a puzzle."""
    return _seen(puzzle_named(game, puzzle))


@router.post("/{game}/{puzzle}/moves", responses=REFUSALS)
@slow
def judge_moves(game: GameId, puzzle: PuzzleId, tried: MovesTried) -> Judged:
    """Say whether the last of some moves is right, and what the opponent answers. Nothing is stored."""
    found = puzzle_named(game, puzzle)
    judgement = judge(found, tried.moves)
    return Judged(**judgement.as_data(), words=said_of(found, tried.moves[-1], judgement))


@router.get("/{game}/{puzzle}/solution", responses={404: REFUSALS[404]})
@slow
def solution(game: GameId, puzzle: PuzzleId) -> SolutionSeen:
    """Return the solution of a puzzle, with hints that lead to it."""
    found = puzzle_named(game, puzzle)
    data = as_data(found)
    return SolutionSeen(
        line=data["line"],
        also=data["also"],
        tempting=found.tempting,
        hints=hints(found),
        proof=proof_in_words(found),
    )


def _seen(puzzle: Puzzle) -> PuzzleSeen:
    return PuzzleSeen(**as_data(puzzle, with_solution=False), task=task(puzzle))
