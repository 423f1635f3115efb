"""The pages around matches: the games, a new match, a record to look at, and about all this.

Everything here works without any script. Pages, those of `match_pages.py` too, only show what `Matches` says and pass
on what people want; no rule of a game and no right of a player is decided here.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Query, Request, Response
from fastapi.responses import FileResponse
from markupsafe import Markup

from connectoe.catalogue import game_ids, known_class, load_known
from connectoe.draw.svg import colour_names, inline_svg, style_sheet
from connectoe.errors import BadOption, ConnectoeError
from connectoe.match import Match
from connectoe.players import opponents
from connectoe.records import read_matches
from connectoe.web.answers import page, to
from connectoe.web.api import count_engines, count_work, keys_of, matches_of, take
from connectoe.web.demo import demo
from connectoe.web.documents import about_options, as_html, docs_folder
from connectoe.web.guard import PICTURE_HEADERS
from connectoe.web.matches import MOST_MOVES, Wish
from connectoe.web.names import LONGEST_NAME
from connectoe.web.refusals import NoSuchMatch, Refused
from connectoe.web.thinking import TooMany
from connectoe.web.views import ended_by_players

router = APIRouter(include_in_schema=False)
DEFAULT_LEVEL = "medium"
LONGEST_RECORD = 200_000
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")


# Games.


@router.get("/")
def _gallery(request: Request) -> Response:
    simplest_first = sorted(game_ids(), key=lambda game_id: len(load_known(game_id).move_texts))
    games = [_game_card(game_id) for game_id in simplest_first]
    counted = NUMBERS[len(games)] if len(games) < len(NUMBERS) else str(len(games))
    return page(request, "gallery.html", games=games, counted=counted)


@router.get("/colours.css")
def _colours() -> Response:
    return Response(colour_names() + style_sheet("auto"), media_type="text/css")


@router.get("/games/{game_id}/demo")
def _demo(game_id: str) -> list[dict[str, Any]]:
    return demo(game_id)[1]


def _game_card(game_id: str) -> dict[str, Any]:
    found = known_class(game_id)
    picture = Markup(inline_svg(demo(game_id)[0]))
    return {"id": game_id, "name": found.name, "summary": found.summary, "picture": picture}


@router.get("/rules/{game_id}")
def _rules(request: Request, game_id: str) -> Response:
    game_id = game_id.removesuffix(".md")
    found = known_class(game_id)
    file = docs_folder() / "rules" / f"{game_id}.md"
    if game_id in game_ids() and file.is_file():
        words = as_html(file.read_text(encoding="utf-8"))
    else:  # a game somebody has installed: its own words
        words = Markup("<h1>{}</h1><p>{}</p><p>A move is {}.</p>").format(found.name, found.summary, found.move_help)
    return page(request, "rules.html", game=found, words=words)


@router.get("/pictures/{name}.svg")
def _doc_picture(name: str) -> Response:
    file = docs_folder() / "pictures" / f"{name}.svg"
    if not re.fullmatch(r"[a-z0-9-]{1,80}", name) or not file.is_file():
        raise NoSuchMatch("there is no such picture")
    return FileResponse(file, media_type="image/svg+xml", headers=PICTURE_HEADERS)


# A new match.


async def _form(request: Request) -> dict[str, str]:
    return {name: value for name, value in (await request.form()).items() if isinstance(value, str)}


Fields = Annotated[dict[str, str], Depends(_form)]


@router.get("/new")
def _choose(request: Request) -> Response:
    return to("/")


@router.get("/new/{game_id}")
def _new(
    request: Request,
    game_id: str,
    origin: Annotated[str, Query(alias="from", max_length=20)] = "",
    ply: Annotated[int, Query(ge=0, le=MOST_MOVES)] = 0,
) -> Response:
    return _asked(request, game_id, _begun(request, origin, ply) if origin else None, {"from": origin})


def _asked(
    request: Request, game_id: str, begun: Match | None, entered: Mapping[str, str], problem: str = ""
) -> Response:
    """The form for a new match, with what was entered before; and with the problem, if that could not be done."""
    game = begun.game if begun else load_known(game_id)
    scene = begun.scene() if begun else demo(game_id)[0]
    return page(
        request,
        "new.html",
        code=400 if problem else 200,
        here="/new",
        problem=problem[:1].upper() + problem[1:],
        entered=entered,
        about_options=about_options(game_id),
        game=game,
        options=game.option_list,
        levels=opponents(game),
        default=DEFAULT_LEVEL,
        begun=begun,
        picture=Markup(inline_svg(scene)),
        longest=LONGEST_NAME,
    )


def _begun(request: Request, origin: str, ply: int) -> Match:
    """The beginning of a match that another goes on from."""
    return matches_of(request).view(origin, keys_of(request)).match.beginning(ply)


@router.post("/matches")
def _create(request: Request, fields: Fields) -> Response:
    seats = wishes(fields)
    count_work(request, seats)
    matches, keys = matches_of(request), keys_of(request)
    origin, ply = fields.get("from", ""), fields.get("ply", "")
    begun = None
    if origin:
        begun = _begun(request, origin[:20], int(ply) if ply.isascii() and ply.isdigit() and len(ply) < 7 else 0)
    options = {name.removeprefix("option-"): value for name, value in fields.items() if name.startswith("option-")}
    game_id = fields.get("game", "")
    try:
        game = begun.game if begun else load_known(game_id, **options)
        count_engines(request, game, seats)
        if begun:
            made = matches.create(keys, game, seats, begun.start, begun.moves)
        else:
            made = matches.create(keys, game, seats)
    except TooMany:
        raise
    except (BadOption, Refused) as error:
        return _asked(request, game_id, begun, fields, str(error))
    return to(f"/matches/{made.id}")


def wishes(fields: Mapping[str, str]) -> tuple[Wish, Wish]:
    """Who shall play, by what a form says; if it says nothing, the person who sent it begins against an engine.

    >>> wishes({})
    (Wish(kind='me', name='', level=None), Wish(kind='engine', name='', level='medium'))
    >>> wishes({"opponent": "link", "first": "other", "name": "Ann"})
    (Wish(kind='open', name='', level=None), Wish(kind='me', name='Ann', level=None))
    """
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


@router.get("/analysis")
def _paste(request: Request) -> Response:
    return page(request, "paste.html", record="", problem="")


@router.post("/analysis")
def _pasted(request: Request, record: Annotated[str, Form(max_length=LONGEST_RECORD)]) -> Response:
    take(request, "create")
    try:
        read = read_matches(record)
        if not read:
            raise Refused("there is no match in it")
        match = read[0]
        seats = Wish("me", match.players[0][:LONGEST_NAME]), Wish("me", match.players[1][:LONGEST_NAME])
        made = matches_of(request).create(
            keys_of(request), match.game, seats, match.start, match.moves, ended_by_players(match)
        )
    except ConnectoeError as error:
        return page(request, "paste.html", code=400, record=record, problem=str(error))
    return to(f"/matches/{made.id}/analysis")


# About all this.


@router.get("/about")
def _about(request: Request) -> Response:
    return page(request, "about.html")


@router.get("/docs")
def _api_page(request: Request) -> Response:
    described = request.app.openapi()
    calls = [
        {
            "path": path,
            "method": method.upper(),
            "words": as_html("\n".join([facts["description"], "", *_fields(_body(facts, described), described)])),
            "example": _example(_body(facts, described)),
        }
        for path, methods in described["paths"].items()
        for method, facts in methods.items()
    ]
    return page(request, "api.html", calls=calls, words=as_html(described["info"]["description"]))


Schema = Mapping[str, Any]


def _body(facts: Schema, described: Schema) -> Schema:
    """The description of the body that a call is sent with."""
    content = facts.get("requestBody", {}).get("content", {})
    return _named(content.get("application/json", {}).get("schema", {}), described)


def _named(schema: Schema, described: Schema) -> Schema:
    """What a reference to a description refers to; empty if it is none."""
    found: Schema = described["components"]["schemas"].get(schema.get("$ref", "").rpartition("/")[2], {})
    return found


def _fields(schema: Schema, described: Schema, within: str = "") -> Iterator[str]:
    """Lines about the fields of a body, and about the fields of what it lists, as far as they are described."""
    for name, field in schema.get("properties", {}).items():
        if field.get("description"):
            yield f"- `{within}{name}`: {field['description']}"
        yield from _fields(_named(field.get("items", {}), described), described, f"{name}[].")


def _example(schema: Schema) -> str:
    """A body to send, made from the examples of its fields."""
    fields = {
        name: field["examples"][0]
        for name, field in schema.get("properties", {}).items()
        if field.get("examples") and field["examples"][0] is not None
    }
    return json.dumps(fields) if fields else ""
