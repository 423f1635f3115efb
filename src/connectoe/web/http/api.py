"""The JSON API under /api/v1: everything the pages do, for programs."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from connectoe.analysis import as_data
from connectoe.core.catalogue import game_ids, known_class, load_known
from connectoe.core.match import Match
from connectoe.draw.svg import svg
from connectoe.people import ladder_of
from connectoe.players import opponents
from connectoe.web.http.guard import PICTURE_HEADERS
from connectoe.web.http.pools import PlayingRoute, playing, run_in, slow, working
from connectoe.web.http.requests import analysis_for, client_of, count, keys_of, matches_of, services_of
from connectoe.web.http.schemas import (
    REFUSALS,
    Analysis,
    GameOption,
    GameSeen,
    Joining,
    MatchId,
    MatchJoined,
    MatchMade,
    MatchSeen,
    NewMatch,
    OfferAnswer,
    OneMove,
    OpponentSeen,
    Position,
    Problem,
    UndoAsked,
)
from connectoe.web.service.bare_records import bare_record
from connectoe.web.service.keys import Keys
from connectoe.web.service.live import as_json
from connectoe.web.service.next_version import MOST_MOVES
from connectoe.web.service.refusals import Refused, RulesGone
from connectoe.web.service.seating import Wish
from connectoe.web.service.views import MatchView

router = APIRouter(prefix="/api/v1", route_class=PlayingRoute)


@router.get("/games", tags=["games"])
def games() -> list[GameSeen]:
    """List all games with their options."""
    return [_game(game_id) for game_id in game_ids()]


@router.get("/games/{game}", tags=["games"], responses={404: {"model": Problem, "description": "No such game."}})
def game(game: Annotated[str, Path(max_length=60, examples=["connect-four"])]) -> GameSeen:
    """Return a game with its options."""
    return _game(game)


@router.get(
    "/games/{game}/opponents", tags=["games"], responses={404: {"model": Problem, "description": "No such game."}}
)
def game_opponents(game: Annotated[str, Path(max_length=60, examples=["connect-four"])]) -> list[OpponentSeen]:
    """List the opponents: the levels of the engine, then opponents like people, each from the weakest."""
    levels = [
        OpponentSeen(level=level, kind="engine", name=None, words=words)
        for level, words in opponents(load_known(game)).items()
    ]
    people = [
        OpponentSeen(level=level, kind="person", name=person.name, words=str(person))
        for level, person in ladder_of().items()
    ]
    return levels + people


def _game(game_id: str) -> GameSeen:
    found = known_class(game_id)
    options = [
        GameOption(name=option.name, default=option.default, allowed=option.allowed_text, meaning=option.explained)
        for option in found.all_options()
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
async def create(new: NewMatch, request: Request) -> MatchMade:
    """Create a match. Programs keep the secrets in the answer and send them as `Authorization: Bearer SECRET`."""
    return await run_in(working if new.moves else playing, request, _create, new, request)


def _create(new: NewMatch, request: Request) -> MatchMade:
    first, second = (Wish(seat.kind, seat.name, seat.level) for seat in new.seats)
    services_of(request).count_new_match(client_of(request), (first, second))
    game = load_known(new.game, **new.options)
    services_of(request).count_engines(client_of(request), game, (first, second))
    start = None if new.start is None else game.state(new.start)
    keys = keys_of(request)
    made = matches_of(request).create(keys, game, (first, second), start, new.moves, client=client_of(request))
    known = keys if keys.browser else Keys(bearer=next(iter(made.secrets.values()), ""))
    view = matches_of(request).view(made.id, known)
    secrets = {str(seat): secret for seat, secret in made.secrets.items()}
    data = view.data() | {"yours": sorted(made.secrets), "secrets": secrets, "invite": made.invite}
    return MatchMade(**data)


@router.get("/matches", response_model=list[MatchSeen], tags=["matches"])
@slow
def recent(request: Request, most: Annotated[int, Query(ge=1, le=100)] = 50) -> Response:
    """List the matches this browser takes part in, the latest first."""
    views = matches_of(request).recent(keys_of(request), most)
    return Response(as_json([view.data() for view in views]), media_type="application/json")


@router.get("/matches/{match_id}", response_model=MatchSeen, tags=["matches"], responses={404: REFUSALS[404]})
def read(match_id: MatchId, request: Request) -> Response:
    """Return a match as it stands."""
    return _seen(services_of(request).look_at(match_id, keys_of(request)))


@router.get(
    "/matches/{match_id}/record",
    tags=["matches"],
    response_class=Response,
    responses={200: {"content": {"text/plain": {}, "application/json": {}}}, 404: REFUSALS[404]},
)
@slow
def record(match_id: MatchId, request: Request, format: Literal["text", "json"] = "text") -> Response:
    """Return the record of a match."""
    try:
        match = matches_of(request).view(match_id, keys_of(request)).match
    except RulesGone:
        if format == "json":
            raise
        text = bare_record(services_of(request).storage, match_id)
        return Response(text, media_type="text/plain; charset=utf-8")
    if format == "json":
        return Response(match.to_json(), media_type="application/json")
    return Response(match.to_text(), media_type="text/plain; charset=utf-8")


@router.get(
    "/matches/{match_id}/picture.svg",
    tags=["matches"],
    response_class=Response,
    responses={200: {"content": {"image/svg+xml": {}}}, 404: REFUSALS[404]},
)
@slow
def picture(match_id: MatchId, request: Request, theme: Literal["auto", "light", "dark"] = "auto") -> Response:
    """Return a picture of the board."""
    match = matches_of(request).view(match_id, keys_of(request)).match
    return Response(svg(match.scene(), theme), media_type="image/svg+xml", headers=PICTURE_HEADERS)


@router.post("/matches/{match_id}/join", tags=["matches"], responses=REFUSALS)
def join(match_id: MatchId, joining: Joining, request: Request) -> MatchJoined:
    """Take the open seat of a match, with the code from its link."""
    count(request, "join")
    view, secret = matches_of(request).join(match_id, keys_of(request), joining.invite, joining.name)
    return MatchJoined(**view.data(), secret=secret)


@router.post("/matches/{match_id}/moves", response_model=MatchSeen, tags=["playing"], responses=REFUSALS)
def play(match_id: MatchId, made: OneMove, request: Request) -> Response:
    """Make a move. The same move for the same ply changes nothing, so a request can be repeated after a lost answer."""
    return _seen(matches_of(request).play(match_id, keys_of(request), made.move, made.ply))


@router.post("/matches/{match_id}/undo", response_model=MatchSeen, tags=["playing"], responses=REFUSALS)
def undo(match_id: MatchId, asked: UndoAsked, request: Request) -> Response:
    """Take your last move back (a human opponent is asked), or answer the opponent who asks: `{"answer": true}`."""
    matches, keys = matches_of(request), keys_of(request)
    if asked.answer is not None:
        return _seen(matches.answer(match_id, keys, "undo", asked.answer))
    return _seen(matches.undo(match_id, keys, asked.ply))


@router.post("/matches/{match_id}/draw", response_model=MatchSeen, tags=["playing"], responses=REFUSALS)
def draw(match_id: MatchId, asked: OfferAnswer, request: Request) -> Response:
    """Offer a draw with `{}`, or answer the opponent who offers one: `{"answer": true}`.

    An offer that was declined or withdrawn may be repeated after your next move.
    """
    matches, keys = matches_of(request), keys_of(request)
    if asked.answer is not None:
        return _seen(matches.answer(match_id, keys, "draw", asked.answer))
    return _seen(matches.offer_draw(match_id, keys))


@router.post("/matches/{match_id}/resign", response_model=MatchSeen, tags=["playing"], responses=REFUSALS)
def resign(match_id: MatchId, request: Request) -> Response:
    """Resign."""
    return _seen(matches_of(request).resign(match_id, keys_of(request)))


@router.post("/matches/{match_id}/rematch", response_model=MatchSeen, tags=["playing"], responses=REFUSALS)
def rematch(match_id: MatchId, request: Request) -> Response:
    """Return the next match of the same players with sides swapped; your secret stays the same."""
    count(request, "create")
    matches, keys = matches_of(request), keys_of(request)
    return _seen(matches.view(matches.rematch(match_id, keys), keys))


@router.post("/matches/{match_id}/hint", tags=["analysis"], responses=REFUSALS)
async def hint(
    match_id: MatchId, request: Request, seconds: Annotated[float, Query(ge=0, le=10, examples=[1.0])] = 1.0
) -> Analysis:
    """Return what each move is worth now; in a match between two people only when it is over."""
    view = await run_in(working, request, services_of(request).view_to_analyse, match_id, keys_of(request))
    return Analysis(**as_data(*await analysis_for(request, seconds, lambda: view.match)))


@router.get("/matches/{match_id}/values/{ply}", tags=["analysis"], responses=REFUSALS)
async def values(
    match_id: MatchId,
    ply: Annotated[int, Path(ge=0, le=MOST_MOVES, examples=[0])],
    request: Request,
    seconds: Annotated[float, Query(ge=0, le=10, examples=[0.3])] = 0.3,
) -> Analysis:
    """Return what each move was worth at a ply; in a match between two people only when it is over."""
    view = await run_in(working, request, services_of(request).view_to_analyse, match_id, keys_of(request))
    if ply > view.match.ply:
        raise Refused(f"the match has {view.match.ply} moves: there is nothing after {ply}")
    return Analysis(**as_data(*await analysis_for(request, seconds, lambda: view.match.beginning(ply))))


@router.post("/analyse", tags=["analysis"], responses=REFUSALS)
async def analyse(asked: Position, request: Request) -> Analysis:
    """Return what each move in a position is worth."""
    return Analysis(**as_data(*await analysis_for(request, asked.seconds, lambda: _described(asked))))


def _described(asked: Position) -> Match:
    game = load_known(asked.game, **asked.options)
    match = Match(game, start=None if asked.start is None else game.state(asked.start))
    for move in asked.moves:
        match.play(move)
    return match


def _seen(view: MatchView) -> Response:
    """Return the match as `MatchSeen` describes it; tests check that, instead of every answer."""
    return Response(as_json(view.data()), media_type="application/json")
