"""Mistakes in the JSON API: which moves of a match gave something away, and how well both sides played."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from connectoe.web.http.pools import PlayingRoute, slow
from connectoe.web.http.requests import client_of, keys_of, services_of
from connectoe.web.http.schemas import REFUSALS, MatchId, Problem

router = APIRouter(prefix="/api/v1", route_class=PlayingRoute, tags=["analysis"])

Result = Literal["win", "draw", "loss"]
RESPONSES: dict[int | str, dict[str, Any]] = {
    **REFUSALS,
    503: {"model": Problem, "description": "Too many matches are being reviewed; try again in a while."},
}


class MistakeSeen(BaseModel):
    """A move that gave something away."""

    ply: int = Field(description="The moves before it.")
    player: int = Field(description="The side of the player who made it; after a swap, the one they have at the end.")
    played: str
    better: list[str] = Field(description="The moves that keep what this one gave away, best first.")
    before: Result | None = Field(description="The result before the move, to the player who made it, if proven.")
    after: Result | None = Field(description="The result after it, if proven.")
    proven: bool = Field(description="Whether both results are proven; if not, the mistake is an estimate.")
    cost: float = Field(description="The share of the points that it gave away.")


class ReviewSeen(BaseModel):
    """What is known about the moves of a match so far."""

    done: bool = Field(description="Whether nothing better will come; until then, ask again after a second.")
    provisional: bool = Field(
        description="Whether it was made before the engines of the game were ready; a better one follows unless `done`."
    )
    looked_at: int = Field(description="How many moves were looked at.")
    total: int = Field(description="How many are; of a very long match, the last ones.")
    accuracy: list[float | None] = Field(description="The share of the points that the moves of each side kept.")
    mistakes: list[MistakeSeen] = Field(description="The mistakes of both sides, in the order of play.")


@router.get("/matches/{match_id}/review", responses=RESPONSES)
@slow
def review(match_id: MatchId, request: Request) -> ReviewSeen:
    """Return the mistakes of a match that is over; the first request begins to look for them."""
    services = services_of(request)
    _, found = services.review(match_id, keys_of(request), client_of(request))
    moves = list(found.moves)
    return ReviewSeen(
        done=not services.reviews.is_awaited(found),
        provisional=found.is_provisional,
        looked_at=len(moves),
        total=found.total,
        accuracy=[found.accuracy(player) for player in (0, 1)],
        mistakes=[MistakeSeen(**move.mistake.as_data()) for move in moves if move.mistake],
    )
