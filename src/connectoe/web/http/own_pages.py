"""Pages for inventors about the games that they serve from files: mistakes, changes, and the matches of testers."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Literal, NamedTuple

from fastapi import APIRouter, Path, Request, Response

from connectoe.core.errors import UnknownGame
from connectoe.core.own_games import FileMistake, own_game_of, own_games
from connectoe.core.records import written
from connectoe.web.http.addresses import is_at_the_server
from connectoe.web.http.pools import WorkingRoute
from connectoe.web.http.requests import matches_of
from connectoe.web.service.refusals import NotYourSeat

router = APIRouter(include_in_schema=False, route_class=WorkingRoute)
GameId = Annotated[str, Path(max_length=60)]


class OwnGameShown(NamedTuple):
    """A game served from a file; without an id if it has never been without a mistake."""

    id: str
    file: str
    mistake: FileMistake | None
    may_download: bool


def own_games_shown(request: Request) -> list[OwnGameShown]:
    """Return the games that are served from files, in the order in which they were named."""
    shown = []
    for own in own_games():
        found = own.current
        shown.append(OwnGameShown(found.id if found else "", own.file.name, own.mistake, is_at_the_server(request)))
    return shown


def version_of_all() -> str:
    """Return a text that changes whenever one of the files changes; empty if no game is served from a file."""
    seen = [(own.current, own.version, str(own.mistake)) for own in own_games()]
    return sha256(repr([(version, mistake) for _, version, mistake in seen]).encode()).hexdigest()[:16] if seen else ""


@router.get("/own-games/version")
def _version() -> dict[str, str]:
    return {"version": version_of_all()}


@router.get("/own-games/{game_id}/records")
def _records(request: Request, game_id: GameId, format: Literal["text", "json"] = "text") -> Response:
    """Return all matches of a game that is served from a file; only to its inventor, at the server."""
    if own_game_of(game_id) is None:
        raise UnknownGame(f"{game_id[:40]!r} is not one of the games that this server offers from a file")
    if not is_at_the_server(request):
        raise NotYourSeat("the matches of all players can be downloaded only on the machine that serves them")
    text = written(matches_of(request).of_game(game_id), format)
    suffix, kind = ("jsonl", "application/json") if format == "json" else ("txt", "text/plain; charset=utf-8")
    headers = {"content-disposition": f'attachment; filename="{game_id}.{suffix}"'}
    return Response(text, media_type=kind, headers=headers)
