"""What the JSON API accepts and returns; its OpenAPI description is made from these models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import BaseModel, ConfigDict, FailFast, Field

from connectoe.people import ladder_of
from connectoe.players import DESCRIPTIONS
from connectoe.web.service.names import LONGEST_NAME
from connectoe.web.service.next_version import MOST_MOVES

MatchId = Annotated[str, Path(max_length=20, description="The id of a match.", examples=["k3v9x2m8ab"])]
GameId = Annotated[str, Field(max_length=60, description="The id of a game.", examples=["connect-four"])]
MoveText = Annotated[str, Field(max_length=20)]
Moves = Annotated[
    list[MoveText],
    FailFast(),
    Field(default_factory=list, max_length=MOST_MOVES, description="Moves in notation.", examples=[["d", "d", "e"]]),
]
Options = Annotated[
    dict[Annotated[str, Field(max_length=40)], int | Annotated[str, Field(max_length=40)]],
    Field(
        default_factory=dict,
        max_length=20,
        description="Options of the game that differ from its defaults.",
        examples=[{"rows": 5}],
    ),
]


class Strict(BaseModel):
    """A request body; other fields are refused."""

    model_config = ConfigDict(extra="forbid")


class SeatWish(Strict):
    """Who is to sit there: you, anybody with the link, or an engine."""

    kind: Literal["me", "open", "engine"] = Field(
        description="`me`: you; `open`: the first to join with the code `invite`; `engine`: an engine of a `level`.",
        examples=["me"],
    )
    name: str = Field(default="", max_length=LONGEST_NAME, description="Your name, if you like.", examples=["Ann"])
    level: str | None = Field(
        default=None,
        max_length=20,
        description=f"An engine's level: {', '.join(DESCRIPTIONS)}. "
        f"Or an opponent like a person: {', '.join(ladder_of())}.",
        examples=["medium"],
    )


class NewMatch(Strict):
    """A match to create."""

    game: GameId
    options: Options
    seats: Annotated[list[SeatWish], FailFast()] = Field(
        min_length=2,
        max_length=2,
        description="The first and the second player.",
        examples=[[{"kind": "me", "name": "Ann"}, {"kind": "engine", "level": "medium"}]],
    )
    start: str | None = Field(default=None, max_length=10_000, description="A position to begin from.", examples=[None])
    moves: Moves


class Joining(Strict):
    """A request for the open seat."""

    invite: str = Field(max_length=100, description="The code at the end of the link to join.", examples=["3fb1c0"])
    name: str = Field(default="", max_length=LONGEST_NAME, examples=["Bob"])


class OneMove(Strict):
    """A move, and the number of moves it follows."""

    move: MoveText = Field(examples=["d"])
    ply: int = Field(ge=0, le=MOST_MOVES, examples=[0])


class OfferAnswer(Strict):
    """An offer, or the answer to the opponent's."""

    answer: bool | None = Field(
        default=None,
        description="Leave it out to make an offer. `true` accepts the opponent's offer, which `draw_offer` or "
        "`undo_offer` of the match names by seat; `false` declines it, or withdraws your own. A move declines it, too.",
        examples=[None],
    )


class UndoAsked(OfferAnswer):
    """A request for an undo, or the answer to the opponent's."""

    ply: int | None = Field(
        default=None,
        ge=0,
        le=MOST_MOVES + 1,
        description="The number of moves made when the undo was wanted; a resignation or agreement counts as one. With "
        "it, a request can be repeated after a lost answer without taking more back.",
        examples=[1],
    )


class Position(Strict):
    """A position to analyse, given by the moves that lead to it."""

    game: GameId = Field(examples=["tic-tac-toe"])
    options: Options = Field(examples=[{}])
    start: str | None = Field(default=None, max_length=10_000, examples=[None])
    moves: Moves = Field(examples=[["b2", "a1"]])
    seconds: float = Field(default=1.0, ge=0, le=10, examples=[1.0])


class SeatSeen(BaseModel):
    """Who sits there."""

    kind: Literal["person", "open", "engine"]
    name: str
    level: str | None
    present: bool


class MatchSeen(BaseModel):
    """A match as it stands; `yours` are the seats you may move for."""

    id: str
    version: int
    game: str
    options: dict[str, int | str]
    start: str
    moves: list[str]
    ply: int
    turn: int | None
    result: str | None
    reason: str | None
    status: str
    position: str
    seats: list[SeatSeen]
    draw_offer: int | None
    undo_offer: int | None
    rematch: str | None
    thinking: bool
    note: str
    practice: bool
    rules_changed: bool
    yours: list[int]


class MatchMade(MatchSeen):
    """A new match, the secrets of your seats and the code for the open seat. Keep the secrets: they are shown once."""

    secrets: dict[str, str]
    invite: str | None


class MatchJoined(MatchSeen):
    """The match you joined, with the secret of your seat."""

    secret: str


class Candidate(BaseModel):
    """What a move is worth."""

    move: str
    result: Literal["win", "draw", "loss"] | None
    plies: int | None
    exact: bool
    share: float
    visits: int


class Analysis(BaseModel):
    """What a position is worth to the player to move; the moves come best first."""

    game: str
    options: dict[str, int | str]
    moves: list[str]
    turn: int | None
    result: Literal["win", "draw", "loss"] | None
    plies: int | None
    exact: bool
    candidates: list[Candidate]


class GameOption(BaseModel):
    """An option of a game."""

    name: str
    default: int | str
    allowed: str
    meaning: str


class GameSeen(BaseModel):
    """A game."""

    id: str
    name: str
    summary: str
    move_help: str
    symbols: list[str]
    options: list[GameOption]


class OpponentSeen(BaseModel):
    """Somebody to play against."""

    level: str = Field(description="What a seat's `level` is for this opponent.")
    kind: Literal["engine", "person"]
    name: str | None = Field(description="The name of an opponent like a person.")
    words: str = Field(description="How this opponent plays.")


class Problem(BaseModel):
    """What was wrong."""

    error: str


REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "Not a legal move, option, position or seat; `error` says why."},
    403: {"model": Problem, "description": "Not your seat."},
    404: {"model": Problem, "description": "No such match."},
    409: {"description": "The match has changed meanwhile; `match` is the match as it stands now.", "model": Problem},
    413: {"model": Problem, "description": "The body is too large."},
    429: {"model": Problem, "description": "Too many requests."},
}
