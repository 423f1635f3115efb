"""The analysis board: a game to play freely, described by its link. All of it works without any script.

Nothing is stored, except a pasted record that is too long for a link, or that somebody wants to keep.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request, Response
from markupsafe import Markup

from connectoe.core.catalogue import game_ids, known_class, load_known
from connectoe.core.errors import ConnectoeError
from connectoe.core.match import Match
from connectoe.draw.svg import inline_svg
from connectoe.engines.engine import Analysis
from connectoe.web.http.answers import page, redirect
from connectoe.web.http.match_pages import Flag, Since, note_for
from connectoe.web.http.pools import WorkingRoute, run_in, working
from connectoe.web.http.requests import analysis_for, count, keys_of, matches_of, services_of
from connectoe.web.render.analysis_board import board_context, values_data
from connectoe.web.render.animation import preview
from connectoe.web.render.demo import demo_picture
from connectoe.web.service.analysis_line import LONGEST_LINK, AnalysisLine, line_from
from connectoe.web.service.endings import PlayersEnding
from connectoe.web.service.names import LONGEST_NAME
from connectoe.web.service.next_version import MOST_MOVES
from connectoe.web.service.recognising import LONGEST_TEXT, recognised
from connectoe.web.service.seating import Wish

router = APIRouter(include_in_schema=False, route_class=WorkingRoute)
SECONDS = 1.0
"""How long a page without scripts waits for values."""
LONGEST_LOOK = 20_000
"""How many characters are looked at while somebody is typing."""
UNDERSTOOD = ("record", "moves", "position")

Text = Annotated[str, Form(alias="record", max_length=LONGEST_TEXT)]
LineField = Annotated[str, Form(max_length=2 * LONGEST_LINK)]
MoveField = Annotated[str, Form(max_length=20)]


# Choosing what to analyse.


@router.get("/analyse")
def _choose(request: Request) -> Response:
    return _choices(request)


@router.get("/analysis")
def _choose_by_old_address() -> Response:
    return redirect("/analyse")


def _choices(request: Request, text: str = "", chosen: str = "", problem: str = "") -> Response:
    """Return the page with all games and a field to paste into; after a problem, with what was entered before."""
    games = [
        {"id": game_id, "name": known_class(game_id).name, "picture": demo_picture(game_id)}
        for game_id in sorted(game_ids(), key=lambda game_id: len(load_known(game_id).move_texts))
    ]
    said = problem[:1].upper() + problem[1:]
    context = {"here": "/analyse", "games": games, "record": text, "chosen": chosen, "problem": said}
    return page(request, "analyse.html", code=400 if problem else 200, **context)


@router.post("/analyse")
def _pasted(request: Request, text: Text, game: Annotated[str, Form(max_length=60)] = "") -> Response:
    count(request, "analyse")
    try:
        found = recognised(text, load_known(game) if game else None)
        return _opened(request, found.match, found.kind)
    except ConnectoeError as error:
        return _choices(request, text, game, str(error))


@router.post("/analysis")
def _kept(request: Request, text: Text, game: Annotated[str, Form(max_length=60)] = "") -> Response:
    try:
        return _stored(request, recognised(text, load_known(game) if game else None).match)
    except ConnectoeError as error:
        return _choices(request, text, game, str(error))


def _opened(request: Request, match: Match, kind: str) -> Response:
    """Return the way to a match on the analysis board; one that is too long for a link is stored instead."""
    line = AnalysisLine.of_match(match)
    if len(line.moves) < match.ply:
        return _stored(request, match)
    return redirect(line.link_with(understood=kind))


def _stored(request: Request, match: Match) -> Response:
    """Store a match and return the way to its replay."""
    count(request, "create")
    seats = Wish("me", match.players[0][:LONGEST_NAME]), Wish("me", match.players[1][:LONGEST_NAME])
    ending = PlayersEnding.of_match(match)
    made = matches_of(request).create(keys_of(request), match.game, seats, match.start, match.moves, ending)
    return redirect(f"/matches/{made.id}/analysis")


# The board.


@router.get("/analyse/{game_id}")
async def _board(
    request: Request,
    game_id: str,
    since: Since = None,
    values: Flag = False,
    understood: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    line = await run_in(working, request, _line_of, request, game_id)
    words = _understood(line, understood)
    return await _shown(request, line, since=since, shows_values=values, understood=words)


def _line_of(request: Request, game_id: str) -> AnalysisLine:
    return line_from(game_id, request.url.query)


def _understood(line: AnalysisLine, kind: str) -> str:
    """Return how a pasted text was understood, if this page is the answer to one."""
    if kind not in UNDERSTOOD:
        return ""
    moves = "1 move" if len(line.moves) == 1 else f"{len(line.moves)} moves"
    return {"record": f"a record with {moves}", "moves": moves, "position": "a position"}[kind]


async def _shown(
    request: Request, line: AnalysisLine, *, shows_values: bool = False, code: int = 200, **context: Any
) -> Response:
    """Return the page of a line, with the values of its moves if asked for."""
    analysis = await _analysis(request, line, SECONDS) if shows_values else None

    def made() -> Response:
        services_of(request).open_game(line.game)
        note, address = note_for(request, line.game), str(request.base_url).rstrip("/")
        shown = board_context(line, address=address, note=note, analysis=analysis, shows_values=shows_values, **context)
        return page(request, "analysis_board.html", code=code, here="/analyse", **shown)

    return await run_in(working, request, made)


async def _analysis(request: Request, line: AnalysisLine, seconds: float) -> Analysis | None:
    """Return the analysis of the position on the board; None if the game is over there."""
    if await run_in(working, request, lambda: line.shown.outcome):
        return None
    return (await analysis_for(request, seconds, lambda: line.shown))[1]


@router.get("/analyse/{game_id}/values")
async def _values(
    request: Request, game_id: str, seconds: Annotated[float, Query(ge=0, le=10)] = SECONDS
) -> dict[str, Any]:
    line = await run_in(working, request, _line_of, request, game_id)
    return await run_in(working, request, values_data, line, await _analysis(request, line, seconds))


@router.get("/analyse/{game_id}/preview")
def _preview(request: Request, game_id: str, move: Annotated[str, Query(max_length=20)]) -> dict[str, Any]:
    return preview(_line_of(request, game_id).shown, move)


@router.post("/analyse/{game_id}/play")
async def _play(
    request: Request,
    game_id: str,
    move: MoveField,
    line: LineField = "",
    values: Annotated[bool, Form()] = False,
    since: Annotated[int | None, Form(alias="from", ge=0, le=MOST_MOVES)] = None,
) -> Response:
    def played() -> AnalysisLine:
        after = line_from(game_id, line).after(move)
        after.check()
        return after

    after = await run_in(working, request, played)
    if since is not None:  # a script, which shows the answer in place
        return await _shown(request, after, since=since)
    return redirect(after.link_with(values="1" if values else ""))


@router.post("/analyse/{game_id}")
async def _set_up(request: Request, game_id: str, text: Text, line: LineField = "") -> Response:
    count(request, "analyse")
    before = await run_in(working, request, line_from, game_id, line)
    try:
        return await run_in(working, request, lambda: _opened(request, *recognised(text, before.game)[:2]))
    except ConnectoeError as error:
        problem = str(error)
        said = problem[:1].upper() + problem[1:]
        return await _shown(request, before, code=400, pasted=text, problem=said)


@router.post("/analyse/{game_id}/look")
def _look(
    request: Request,
    game_id: str,
    text: Annotated[str, Form(alias="record", max_length=LONGEST_LOOK)] = "",
    line: LineField = "",
) -> Response:
    """Return what a text would be recognised as, with a picture, while it is being typed."""
    try:
        found = recognised(text, line_from(game_id, line).game)
    except ConnectoeError as error:
        return page(request, "_recognised.html", problem=str(error))
    return page(request, "_recognised.html", found=found, picture=Markup(inline_svg(found.match.scene())))
