"""The API: everything the pages do, as JSON under /api/v1, and live updates over a WebSocket."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field

from connectoe.catalogue import game_ids, known_class, load_known
from connectoe.game import Game
from connectoe.match import Match
from connectoe.players import DESCRIPTIONS
from connectoe.web.guard import PICTURE_HEADERS, Limits
from connectoe.web.keys import Keys
from connectoe.web.live import Live, Watcher
from connectoe.web.matches import MOST_MOVES, Matches, Wish
from connectoe.web.names import LONGEST_NAME
from connectoe.web.refusals import Refused
from connectoe.web.storage import AWAY
from connectoe.web.thinking import Thinking
from connectoe.web.views import MatchView

log = logging.getLogger("connectoe.web")
router = APIRouter(prefix="/api/v1")
ALIVE_EVERY = 15.0
"""The seconds after which a live connection on which nothing was told is told that it is alive."""
MatchId = Annotated[str, Path(max_length=20, description="The id of a match.", examples=["k3v9x2m8ab"])]
GameId = Annotated[str, Field(max_length=60, description="The id of a game.", examples=["connect-four"])]
MoveText = Annotated[str, Field(max_length=20)]
Moves = Annotated[
    list[MoveText],
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
    """What a request may contain, and nothing else."""

    model_config = ConfigDict(extra="forbid")


class SeatWish(Strict):
    """Who shall sit there: you, whoever has the link, or an engine."""

    kind: Literal["me", "open", "engine"] = Field(
        description="`me`: you; `open`: whoever joins first with the code `invite`; `engine`: an engine of a `level`.",
        examples=["me"],
    )
    name: str = Field(default="", max_length=LONGEST_NAME, description="Your name, if you like.", examples=["Ann"])
    level: str | None = Field(
        default=None, max_length=20, description=f"An engine's level: {', '.join(DESCRIPTIONS)}.", examples=["medium"]
    )


class NewMatch(Strict):
    """A match to be made."""

    game: GameId
    options: Options
    seats: list[SeatWish] = Field(
        min_length=2,
        max_length=2,
        description="The first and the second player.",
        examples=[[{"kind": "me", "name": "Ann"}, {"kind": "engine", "level": "medium"}]],
    )
    start: str | None = Field(default=None, max_length=10_000, description="A position to begin from.", examples=[None])
    moves: Moves


class Joining(Strict):
    """Somebody who takes the open seat."""

    invite: str = Field(max_length=100, description="The code at the end of the link to join.", examples=["3fb1c0"])
    name: str = Field(default="", max_length=LONGEST_NAME, examples=["Bob"])


class OneMove(Strict):
    """A move, and which one it is meant to be: the number of moves made before it."""

    move: MoveText = Field(examples=["d"])
    ply: int = Field(ge=0, le=MOST_MOVES, examples=[0])


class Answer(Strict):
    """An offer (null), or the answer to the opponent's."""

    answer: bool | None = Field(
        default=None,
        description="Leave it out to offer. `true` accepts the opponent's offer, which `draw_offer` or `undo_offer` of "
        "the match names by seat; `false` declines it, or withdraws your own. A move declines it, too.",
        examples=[None],
    )


class UndoAsked(Answer):
    """An undo that is asked for (null), or the answer to the opponent who asks."""

    ply: int | None = Field(
        default=None,
        ge=0,
        le=MOST_MOVES + 1,
        description="After how many moves it is asked for, a resignation or agreement counted as one: with it, asking "
        "again after a lost answer takes nothing more back.",
        examples=[1],
    )


class Position(Strict):
    """A position to be analysed, by the moves that lead to it."""

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
    yours: list[int]


class MatchMade(MatchSeen):
    """A new match with the secrets of the seats you hold and the code for the open seat. Keep the secrets: they are
    shown only now."""

    secrets: dict[str, str]
    invite: str | None


class MatchJoined(MatchSeen):
    """The match you joined, with the secret of your seat."""

    secret: str


class Candidate(BaseModel):
    """What is known of a move."""

    move: str
    result: Literal["win", "draw", "loss"] | None
    plies: int | None
    exact: bool
    share: float
    visits: int


class Analysis(BaseModel):
    """What is known of a position, seen from the player to move; moves best first."""

    game: str
    options: dict[str, int | str]
    moves: list[str]
    turn: int | None
    result: Literal["win", "draw", "loss"] | None
    plies: int | None
    exact: bool
    candidates: list[Candidate]


class GameOption(BaseModel):
    """A choice that a game offers."""

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


class Problem(BaseModel):
    """What was wrong, in words."""

    error: str


REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "Not a legal move, option, position or wish; the words say why."},
    403: {"model": Problem, "description": "Not your seat."},
    404: {"model": Problem, "description": "No such match."},
    409: {"description": "The match has changed meanwhile: `match` is how it stands now.", "model": Problem},
    413: {"model": Problem, "description": "A body that is too large."},
    429: {"model": Problem, "description": "Too much at once."},
}


def matches_of(request: Request) -> Matches:
    """The matches of the server that got the request."""
    matches: Matches = request.app.state.matches
    return matches


def keys_of(request: Request) -> Keys:
    """The secrets that came with the request."""
    keys: Keys = request.state.keys
    return keys


def take(request: Request, what: str, amount: float = 1) -> None:
    """Counts a client's requests of a kind; refused if there are too many."""
    request.app.state.limits.take(what, request.state.client, amount)


def looked_at(request: Request, match_id: str) -> MatchView:
    """The match, for somebody who looks at it: engines that play each other go on."""
    live: Live = request.app.state.live
    stored = matches_of(request).stored(match_id)
    was_watched = live.is_watched(match_id)
    live.look(match_id)
    if not was_watched:
        request.app.state.thinking.consider(stored)
    return matches_of(request).seen_by(stored, keys_of(request))


def count_work(request: Request, seats: tuple[Wish, Wish]) -> None:
    """Counts a new match against what its client may make, and engines against what they may do for it."""
    take(request, "create")
    if any(wish.kind == "engine" for wish in seats):
        take(request, "engines")


def count_engines(request: Request, game: Game, seats: tuple[Wish, Wish]) -> None:
    """Counts the compiling that a new match needs; a random player needs none."""
    if any(wish.kind == "engine" and wish.level != "random" for wish in seats):
        count_compiling(request, game)


def count_compiling(request: Request, game: Game) -> None:
    """Counts a variant that the engines must be compiled for: there are thousands, and each takes a while."""
    warming = request.app.state.thinking.warming
    if game not in warming.expected and not warming.is_ready(game):
        take(request, "compile")
        warming.expected.add(game)


@router.get("/games", tags=["games"])
def games() -> list[GameSeen]:
    """Every game there is, with its options."""
    return [_game(game_id) for game_id in game_ids()]


@router.get("/games/{game}", tags=["games"], responses={404: {"model": Problem, "description": "No such game."}})
def game(game: Annotated[str, Path(max_length=60, examples=["connect-four"])]) -> GameSeen:
    """One game."""
    return _game(game)


def _game(game_id: str) -> GameSeen:
    found = known_class(game_id)
    options = [
        GameOption(name=option.name, default=option.default, allowed=option.allowed_text, meaning=option.explained)
        for option in found.option_list
    ]
    return GameSeen(
        id=found.id,
        name=found.name,
        summary=found.summary,
        move_help=found.move_help,
        symbols=list(found.symbols),
        options=options,
    )


@router.post("/matches", status_code=201, tags=["matches"], responses=REFUSALS)
def create(new: NewMatch, request: Request) -> MatchMade:
    """Make a match. Programs keep the secrets it answers with and send them as `Authorization: Bearer SECRET`."""
    first, second = (Wish(seat.kind, seat.name, seat.level) for seat in new.seats)
    count_work(request, (first, second))
    game = load_known(new.game, **new.options)
    count_engines(request, game, (first, second))
    start = None if new.start is None else game.state(new.start)
    keys = keys_of(request)
    made = matches_of(request).create(keys, game, (first, second), start, new.moves)
    known = keys if keys.browser else Keys(bearer=next(iter(made.secrets.values()), ""))
    view = matches_of(request).view(made.id, known)
    secrets = {str(seat): secret for seat, secret in made.secrets.items()}
    data = view.data() | {"yours": sorted(made.secrets), "secrets": secrets, "invite": made.invite}
    return MatchMade(**data)


@router.get("/matches", tags=["matches"])
def recent(request: Request, most: Annotated[int, Query(ge=1, le=100)] = 50) -> list[MatchSeen]:
    """The matches this browser takes part in, the latest first."""
    return [MatchSeen(**view.data()) for view in matches_of(request).recent(keys_of(request), most)]


@router.get("/matches/{match_id}", response_model=MatchSeen, tags=["matches"], responses={404: REFUSALS[404]})
def read(match_id: MatchId, request: Request) -> Response:
    """How a match stands."""
    return _seen(looked_at(request, match_id))


@router.get(
    "/matches/{match_id}/record",
    tags=["matches"],
    response_class=Response,
    responses={200: {"content": {"text/plain": {}, "application/json": {}}}, 404: REFUSALS[404]},
)
def record(match_id: MatchId, request: Request, format: Literal["text", "json"] = "text") -> Response:
    """The record of a match."""
    match = matches_of(request).view(match_id, keys_of(request)).match
    if format == "json":
        return Response(match.to_json(), media_type="application/json")
    return Response(match.to_text(), media_type="text/plain; charset=utf-8")


@router.get(
    "/matches/{match_id}/picture.svg",
    tags=["matches"],
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}}, 404: REFUSALS[404]},
)
def picture(match_id: MatchId, request: Request, theme: Literal["auto", "light", "dark"] = "auto") -> Response:
    """A picture of the board."""
    from connectoe.draw.svg import svg

    match = matches_of(request).view(match_id, keys_of(request)).match
    return Response(svg(match.scene(), theme), media_type="image/svg+xml", headers=PICTURE_HEADERS)


@router.post("/matches/{match_id}/join", tags=["matches"], responses=REFUSALS)
def join(match_id: MatchId, joining: Joining, request: Request) -> MatchJoined:
    """Take the open seat of a match, with the code from its link."""
    take(request, "join")
    view, secret = matches_of(request).join(match_id, keys_of(request), joining.invite, joining.name)
    return MatchJoined(**view.data(), secret=secret)


@router.post("/matches/{match_id}/moves", response_model=MatchSeen, tags=["playing"], responses=REFUSALS)
def play(match_id: MatchId, made: OneMove, request: Request) -> Response:
    """Make a move. Sending the same move for the same ply again changes nothing, so a lost answer can be asked for."""
    return _seen(matches_of(request).play(match_id, keys_of(request), made.move, made.ply))


@router.post("/matches/{match_id}/undo", response_model=MatchSeen, tags=["playing"], responses=REFUSALS)
def undo(match_id: MatchId, asked: UndoAsked, request: Request) -> Response:
    """Take your last move back (against a person: ask for it), or answer the opponent who asks: `{"answer": true}`."""
    matches, keys = matches_of(request), keys_of(request)
    if asked.answer is not None:
        return _seen(matches.answer(match_id, keys, "undo", asked.answer))
    return _seen(matches.undo(match_id, keys, asked.ply))


@router.post("/matches/{match_id}/draw", response_model=MatchSeen, tags=["playing"], responses=REFUSALS)
def draw(match_id: MatchId, asked: Answer, request: Request) -> Response:
    """Offer a draw with `{}`, or answer the opponent who offers one: `{"answer": true}`."""
    matches, keys = matches_of(request), keys_of(request)
    if asked.answer is not None:
        return _seen(matches.answer(match_id, keys, "draw", asked.answer))
    return _seen(matches.offer_draw(match_id, keys))


@router.post("/matches/{match_id}/resign", response_model=MatchSeen, tags=["playing"], responses=REFUSALS)
def resign(match_id: MatchId, request: Request) -> Response:
    """Give up."""
    return _seen(matches_of(request).resign(match_id, keys_of(request)))


@router.post("/matches/{match_id}/rematch", response_model=MatchSeen, tags=["playing"], responses=REFUSALS)
def rematch(match_id: MatchId, request: Request) -> Response:
    """The next match of the same players with sides swapped; your secret stays the same."""
    take(request, "create")
    matches, keys = matches_of(request), keys_of(request)
    return _seen(matches.view(matches.rematch(match_id, keys), keys))


@router.post("/matches/{match_id}/hint", tags=["analysis"], responses=REFUSALS)
async def hint(
    match_id: MatchId, request: Request, seconds: Annotated[float, Query(ge=0, le=10, examples=[1.0])] = 1.0
) -> Analysis:
    """What each move is worth now; in matches between two people only when they are over."""
    view = await run_in_threadpool(_may_be_analysed, request, match_id)
    return await analysis_of(request, seconds, lambda: view.match)


@router.get("/matches/{match_id}/values/{ply}", tags=["analysis"], responses=REFUSALS)
async def values(
    match_id: MatchId,
    ply: Annotated[int, Path(ge=0, le=MOST_MOVES, examples=[0])],
    request: Request,
    seconds: Annotated[float, Query(ge=0, le=10, examples=[0.3])] = 0.3,
) -> Analysis:
    """What each move was worth after so many moves; in matches between two people only when they are over."""
    view = await run_in_threadpool(_may_be_analysed, request, match_id)
    if ply > view.match.ply:
        raise Refused(f"the match has {view.match.ply} moves: there is nothing after {ply}")
    return await analysis_of(request, seconds, lambda: view.match.beginning(ply))


def _may_be_analysed(request: Request, match_id: str) -> MatchView:
    view = matches_of(request).view(match_id, keys_of(request))
    if not view.is_practice and not view.match.outcome:
        raise Hidden("there are no hints while two people play; the analysis opens when the match is over")
    return view


async def analysis_of(request: Request, seconds: float, described: Callable[[], Match]) -> Analysis:
    """What a free engine finds out about the match that is described; it is counted before it is even looked at.

    Whoever waits for it keeps nobody else waiting, and may leave.
    """
    thinking: Thinking = request.app.state.thinking
    seconds = min(seconds, thinking.longest_analysis)
    take(request, "analyse", max(seconds, 1))

    def begun() -> Future[dict[str, Any]]:
        match = described()
        count_compiling(request, match.game)
        return thinking.analysis(match, seconds, request.state.client)

    promise = await run_in_threadpool(begun)
    found = asyncio.wrap_future(promise)
    while not (await asyncio.wait({found}, timeout=1.0))[0]:
        if await request.is_disconnected():
            promise.cancel()
            raise Refused("nobody waits for this any more")
    return Analysis(**found.result())


class Hidden(Refused):
    """A hint in a match between people."""

    status = 403


@router.post("/analyse", tags=["analysis"], responses=REFUSALS)
async def analyse(asked: Position, request: Request) -> Analysis:
    """What each move in a position is worth."""
    return await analysis_of(request, asked.seconds, lambda: _described(asked))


def _described(asked: Position) -> Match:
    game = load_known(asked.game, **asked.options)
    match = Match(game, start=None if asked.start is None else game.state(asked.start))
    for move in asked.moves:
        match.play(move)
    return match


def _seen(view: MatchView) -> Response:
    """The match as the description says; not checked against it each time, but by the tests."""
    return Response(json.dumps(view.data(), separators=(",", ":")), media_type="application/json")


@router.websocket("/matches/{match_id}/live")
async def live(websocket: WebSocket, match_id: str) -> None:
    """Sends how a match stands at once and after every change; what is sent here is ignored.

    Where nothing changes it sends `{"alive": true}` now and then: a page cannot see pings, and takes a connection on
    which nothing comes for dead.
    """
    keys: Keys = websocket.state.keys
    secret = websocket.query_params.get("secret")  # for programs that cannot set headers
    if secret:
        keys = Keys(bearer=secret[:200])
    limits: Limits = websocket.app.state.limits
    await websocket.accept()
    try:
        with limits.holding("watch", websocket.state.client):
            await _watch(websocket, match_id, keys)
    except Refused as refused:
        await websocket.send_text(json.dumps({"error": str(refused), "status": refused.status}))
        await websocket.close(4000 + refused.status)
    except AWAY as error:
        log.warning("the database does not answer: %s", type(error).__name__)
        with suppress(RuntimeError):  # gone already
            await websocket.close(1013)  # try again later


async def _watch(websocket: WebSocket, match_id: str, keys: Keys) -> None:
    matches: Matches = websocket.app.state.matches
    hub: Live = websocket.app.state.live
    view = await run_in_threadpool(matches.view, match_id, keys)
    watcher = Watcher(view.yours)
    changes_presence = hub.enter(match_id, watcher)
    try:
        view = await run_in_threadpool(matches.view, match_id, keys)  # what happened since is in it, or will be told
        watcher.tell(json.dumps(view.public(), separators=(",", ":")), view.version)
        await run_in_threadpool(_consider, websocket, match_id)
        if changes_presence:
            await run_in_threadpool(_tell_presence, websocket, match_id, watcher, True)
        await _until_gone(websocket, watcher)
    finally:
        if hub.leave(match_id, watcher):
            await run_in_threadpool(_tell_presence, websocket, match_id, watcher, False)


async def _until_gone(websocket: WebSocket, watcher: Watcher) -> None:
    async def tell() -> None:
        while True:
            try:
                told = await asyncio.wait_for(watcher.next(), ALIVE_EVERY)
            except TimeoutError:
                told = '{"alive":true}'
            await websocket.send_text(told)

    telling = asyncio.create_task(tell())
    try:
        while (await websocket.receive())["type"] != "websocket.disconnect":
            pass
    finally:
        telling.cancel()
        with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):  # gone while something was being sent
            await telling


def _consider(websocket: WebSocket, match_id: str) -> None:
    """Engines that play each other go on when somebody watches."""
    with suppress(Refused):
        websocket.app.state.thinking.consider(websocket.app.state.matches.stored(match_id))


def _tell_presence(websocket: WebSocket, match_id: str, watcher: Watcher, is_here: bool) -> None:
    """Lets the other side know that somebody came or went, on this process and others."""
    matches: Matches = websocket.app.state.matches
    if matches.storage.is_postgresql:
        matches.saw([(match_id, seat) for seat in watcher.seats], time.time() if is_here else 0.0)
    websocket.app.state.live.publish_again(match_id)
