"""The pages around matches: the games, and a new match. All of them work without any script.

Pages, those of `match_pages.py` too, show what the services say and pass on what people want; no rule of a game and no
right of a player is decided here.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from fastapi.responses import FileResponse, HTMLResponse
from markupsafe import Markup

from connectoe.analysis_words import theory_in_words
from connectoe.core.catalogue import game_ids, known_class, load_known
from connectoe.core.errors import BadOption
from connectoe.core.match import Match
from connectoe.draw.svg import inline_svg
from connectoe.draw.theme import PAGE_THEMES, page_styles
from connectoe.people import ladder_of
from connectoe.players import opponents
from connectoe.web.http.answers import page, redirect, theme_of
from connectoe.web.http.cookies import THEME, set_cookie
from connectoe.web.http.guard import PICTURE_HEADERS
from connectoe.web.http.own_pages import own_games_shown, version_of_all
from connectoe.web.http.pools import ReadingRoute, playing, reading, run_in, working
from connectoe.web.http.remembering import knows_lesson, names_in, remember, remember_lesson
from connectoe.web.http.requests import client_of, keys_of, matches_of, services_of
from connectoe.web.render.demo import demo_moves, demo_picture
from connectoe.web.render.documents import about_options, as_html, docs_folder, own_rules, rules_page
from connectoe.web.render.templates import html
from connectoe.web.service.analysis_line import OPTION, is_option, line_from
from connectoe.web.service.names import LONGEST_NAME
from connectoe.web.service.next_version import MOST_MOVES
from connectoe.web.service.refusals import Refused, TooMany
from connectoe.web.service.seating import Wish

router = APIRouter(include_in_schema=False, route_class=ReadingRoute)


async def _form(request: Request) -> dict[str, str]:
    return {name: value for name, value in (await request.form()).items() if isinstance(value, str)}


Fields = Annotated[dict[str, str], Depends(_form)]
DEFAULT_LEVEL = "medium"
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")


# Games.


@router.get("/")
def _gallery(request: Request) -> Response:
    own = own_games_shown(request)
    theme = theme_of(request)
    if not own:
        return HTMLResponse(_gallery_of(tuple(game_ids()), theme))
    others = [game_id for game_id in game_ids() if game_id not in {each.id for each in own}]
    cards = [(each, _game_card(each.id) if each.id else None) for each in own]
    return HTMLResponse(_gallery_html(others, theme, own=cards, version=version_of_all()))


def draw_gallery() -> None:
    """Draw the gallery, whose pictures never change, before somebody waits for it."""
    _gallery_of(tuple(game_ids()), "")


@lru_cache(maxsize=len(PAGE_THEMES) + 1)
def _gallery_of(known: tuple[str, ...], theme: str) -> bytes:
    """Return the page that shows these games; made once, since it is the same for everybody with these colours."""
    return _gallery_html(known, theme).encode()


def _gallery_html(known: Sequence[str], theme: str, **more: Any) -> str:
    simplest_first = sorted(known, key=lambda game_id: len(load_known(game_id).move_texts))
    games = [_game_card(game_id) for game_id in simplest_first]
    counted = NUMBERS[len(games)] if len(games) < len(NUMBERS) else str(len(games))
    return html("gallery.html", here="/", this_page="/", theme=theme, games=games, counted=counted, **more)


@router.get("/colours.css")
def _colours() -> Response:
    return Response(page_styles(), media_type="text/css")


@router.post("/colours")
def _choose_colours(request: Request, fields: Fields) -> Response:
    """Let the browser remember which colours its people want; none of the themes means those of the system."""
    theme, back = fields.get("theme", ""), fields.get("back", "")
    answer = redirect(back if re.match(r"/(?![/\\])", back) else "/")
    answer.headers.append("set-cookie", set_cookie(request, THEME, theme if theme in PAGE_THEMES else ""))
    return answer


@router.get("/games/{game_id}/demo")
def _demo(game_id: str) -> list[dict[str, Any]]:
    return demo_moves(game_id)


def _game_card(game_id: str) -> dict[str, Any]:
    found = known_class(game_id)
    picture = demo_picture(game_id)
    theory = theory_in_words(load_known(game_id))
    return {"id": game_id, "name": found.name, "summary": found.summary, "theory": theory, "picture": picture}


@router.get("/rules/{game_id}")
def _rules(request: Request, game_id: str) -> Response:
    game_id = game_id.removesuffix(".md")
    game, rules = load_known(game_id), rules_page(game_id)
    own: dict[str, Any] = {} if rules else {"words": as_html(own_rules(type(game))), "picture": demo_picture(game_id)}
    return page(request, "rules.html", game=game, rules=rules, theory=theory_in_words(game), **own)


@router.get("/pictures/{name}.svg")
def _doc_picture(name: str) -> Response:
    file = docs_folder() / "pictures" / f"{name}.svg"
    if not re.fullmatch(r"[a-z0-9-]{1,80}", name) or not file.is_file():
        raise HTTPException(404)
    return FileResponse(file, media_type="image/svg+xml", headers=PICTURE_HEADERS)


# A new match.


@router.get("/new")
def _choose(request: Request) -> Response:
    return redirect("/")


@router.get("/new/{game_id}")
async def _new(
    request: Request,
    game_id: str,
    origin: Annotated[str, Query(alias="from", max_length=20)] = "",
    ply: Annotated[int, Query(ge=0, le=MOST_MOVES)] = 0,
) -> Response:
    """Show the form for a new match; one that continues from somewhere is described as the analysis board is."""
    line = "" if origin else request.url.query

    def form() -> Response:
        begun = _begun(request, game_id, {"from": origin, "ply": str(ply), "line": line})
        entered = {"from": origin, "line": line} | {name: value for name, value in parse_qsl(line) if is_option(name)}
        if begun:
            entered["first"] = "other" if begun.turn else "me"  # by default, one plays on for the side to move
        return _new_form(request, game_id, begun, entered)

    return await run_in(working if origin or line else reading, request, form)


def _new_form(
    request: Request, game_id: str, begun: Match | None, entered: dict[str, str], problem: str = ""
) -> Response:
    """Return the form for a new match; after a problem, with what was entered before."""
    game = begun.game if begun else load_known(game_id)
    services_of(request).open_game(game)
    return page(
        request,
        "new.html",
        code=400 if problem else 200,
        here="/new",
        problem=problem[:1].upper() + problem[1:],
        entered=names_in(request) | entered,
        about_options=about_options(game_id),
        game=game,
        options=game.all_options(),
        levels=opponents(game),
        people=ladder_of(),
        theory="" if begun else theory_in_words(game),
        default=DEFAULT_LEVEL,
        begun=begun,
        picture=Markup(inline_svg(begun.scene())) if begun else demo_picture(game_id),
        longest=LONGEST_NAME,
    )


def _begun(request: Request, game_id: str, fields: Mapping[str, str]) -> Match | None:
    """Return what a new match continues from: a match, or a line of the analysis board; None for the usual start."""
    origin, ply = fields.get("from", ""), fields.get("ply", "")
    if origin:
        after = int(ply) if ply.isascii() and ply.isdigit() and len(ply) < 7 else 0
        return matches_of(request).view(origin[:20], keys_of(request)).match.beginning(after)
    line = line_from(game_id, fields.get("line", ""))
    return None if line.is_at_start else line.shown


@router.post("/matches")
async def _create(request: Request, fields: Fields) -> Response:
    """Create a match; what it continues from may take long to read."""
    continues = fields.get("from") or fields.get("line")
    return await run_in(working if continues else playing, request, _created, request, fields)


def _created(request: Request, fields: dict[str, str]) -> Response:
    seats = wishes(names_in(request) | fields)
    services_of(request).count_new_match(client_of(request), seats)
    matches, keys = matches_of(request), keys_of(request)
    game_id = fields.get("game", "")
    begun = _begun(request, game_id, fields)
    options = {name.removeprefix(OPTION): value for name, value in fields.items() if is_option(name)}
    try:
        game = begun.game if begun else load_known(game_id, **options)
        services_of(request).count_engines(client_of(request), game, seats)
        if begun:
            made = matches.create(keys, game, seats, begun.start, begun.moves, client=client_of(request))
        else:
            made = matches.create(keys, game, seats, client=client_of(request))
    except TooMany:
        raise
    except (BadOption, Refused) as error:
        return _new_form(request, game_id, begun, fields, str(error))
    if begun or not any(wish.kind == "me" for wish in seats) or knows_lesson(request, game_id):
        return remember(request, redirect(f"/matches/{made.id}"), fields)
    offered = remember_lesson(request, redirect(f"/matches/{made.id}?first=1"), game_id)
    return remember(request, offered, fields)


def wishes(fields: Mapping[str, str]) -> tuple[Wish, Wish]:
    """Return who is to play according to a form; by default its sender begins against an engine."""
    opponent, level = fields.get("opponent", "engine"), fields.get("level", DEFAULT_LEVEL)
    me = Wish("me", fields.get("name", ""))
    others = {
        "engine": Wish("engine", level=level),
        "here": Wish("me", fields.get("other-name", "")),
        "link": Wish("open"),
        "watch": Wish("engine", level=fields.get("second-level", DEFAULT_LEVEL)),
    }
    if opponent not in others:
        raise Refused(f"an opponent is one of {', '.join(others)}, not {opponent[:20]!r}")
    if opponent == "watch":
        return Wish("engine", level=fields.get("first-level", DEFAULT_LEVEL)), others["watch"]
    first = fields.get("first", "me")
    if first == "chance":
        first = random.choice(("me", "other"))
    return (others[opponent], me) if first == "other" else (me, others[opponent])


# About the site.


@router.get("/about")
def _about(request: Request) -> Response:
    return page(request, "about.html")
