"""The pages: what people see, and the forms they send. Everything here works without any script.

Pages only show what `Matches` says and pass on what people want; no rule of a game and no right of a player is decided
here.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Form, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse, RedirectResponse
from fastapi.templating import Jinja2Templates
from markupsafe import Markup

from connectoe.catalogue import game_ids, known_class, load_known
from connectoe.draw.svg import colour_names, inline_svg, piece_svg, style_sheet
from connectoe.draw.text import text as text_picture
from connectoe.errors import BadOption, ConnectoeError
from connectoe.game import Game
from connectoe.match import Match
from connectoe.players import DESCRIPTIONS, PERFECT, has_perfect
from connectoe.records import read_matches
from connectoe.scene import Piece, Scene
from connectoe.web.api import analysis_of, count_work, keys_of, look, matches_of, take
from connectoe.web.board import board, changes, happened, measures, preview
from connectoe.web.demo import demo
from connectoe.web.documents import about_options, as_html, docs_folder
from connectoe.web.matches import LONGEST_NAME, MOST_MOVES, BadName, MatchView, NoSuchMatch, Refused, Wish
from connectoe.web.thinking import Thinking
from connectoe.web.words import changed_options, in_words, seat_name, status_words, undo_words

HERE = Path(__file__).parent
router = APIRouter(include_in_schema=False)
templates = Jinja2Templates(directory=HERE / "templates")
DEFAULT_LEVEL = "medium"
HINT_SECONDS = 1.0
LONGEST_RECORD = 200_000
LONGEST_TOOL = 40
MOST_LISTED = 100
"""The moves that a page lists; a match of ultimate ultimate tic-tac-toe has thousands."""
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")


def problem(request: Request, status: int, message: str) -> Response:
    """The page that says in words what could not be done."""
    title = {404: "Not here", 403: "Not allowed", 409: "Too late", 429: "Slow down"}.get(status, "That did not work")
    words = message[:1].upper() + message[1:]
    match = re.match(r"(/matches/[a-z0-9]+)/(join)?", request.url.path) if status != 404 else None
    back, is_joining = (match[1], bool(match[2])) if match else ("", False)
    if is_joining and status == 403:
        title = "You cannot join by this link"
    return _page(request, "error.html", code=status, title=title, message=words, back=back, is_joining=is_joining)


def _page(request: Request, name: str, *, code: int = 200, **facts: Any) -> Response:
    return templates.TemplateResponse(request, name, {"here": request.url.path, **facts}, status_code=code)


def _to(address: str) -> Response:
    return RedirectResponse(address, status_code=303)


# Games.


@router.get("/")
def _gallery(request: Request) -> Response:
    simplest_first = sorted(game_ids(), key=lambda game_id: len(load_known(game_id).move_texts))
    games = [_game_card(game_id) for game_id in simplest_first]
    counted = NUMBERS[len(games)] if len(games) < len(NUMBERS) else str(len(games))
    return _page(request, "gallery.html", games=games, counted=counted)


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
    return _page(request, "rules.html", game=found, words=words)


@router.get("/pictures/{name}.svg")
def _doc_picture(name: str) -> Response:
    file = docs_folder() / "pictures" / f"{name}.svg"
    if not re.fullmatch(r"[a-z0-9-]{1,80}", name) or not file.is_file():
        raise NoSuchMatch("there is no such picture")
    return FileResponse(file, media_type="image/svg+xml")


# A new match.


async def _form(request: Request) -> dict[str, str]:
    return {name: value for name, value in (await request.form()).items() if isinstance(value, str)}


Fields = Annotated[dict[str, str], Depends(_form)]


@router.get("/new")
def _choose(request: Request) -> Response:
    return _to("/")


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
    return _page(
        request,
        "new.html",
        code=400 if problem else 200,
        problem=problem[:1].upper() + problem[1:],
        entered=entered,
        about_options=about_options(game_id),
        game=game,
        options=game.option_list,
        levels={name: words for name, words in DESCRIPTIONS.items() if name != PERFECT or has_perfect(game)},
        default=DEFAULT_LEVEL,
        begun=begun,
        picture=Markup(inline_svg(scene)),
        longest=LONGEST_NAME,
    )


def _begun(request: Request, origin: str, ply: int) -> Match:
    """The beginning of a match that another goes on from."""
    return _first_moves(matches_of(request).view(origin, keys_of(request)).match, ply)


def _first_moves(match: Match, ply: int) -> Match:
    earlier = match.copy()
    while earlier.ply > ply:
        earlier.undo()
    return earlier


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
        if begun:
            made = matches.create(keys, begun.game, seats, begun.start, begun.moves)
        else:
            made = matches.create(keys, load_known(game_id, **options), seats)
    except (BadOption, Refused) as error:
        return _asked(request, game_id, begun, fields, str(error))
    return _to(f"/matches/{made.id}")


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


# A match.


@dataclass(frozen=True)
class SeatShown:
    """A seat as the page shows it."""

    number: int
    symbol: Markup
    name: str
    who: str
    presence: str
    is_to_move: bool


def _symbol(owner: int, scene: Scene) -> Markup:
    piece = piece_svg(Piece("symbol", 0, 0, "mark", owner), scene)
    return Markup(f'<svg class="connectoe" viewBox="-.5 -.5 1 1" aria-hidden="true">{piece}</svg>')


def _seats_shown(view: MatchView, scene: Scene) -> list[SeatShown]:
    shown = []
    for number, seat in enumerate(view.seats):
        symbol = view.match.game.symbols[number]
        you = "you" if number in view.yours else ""
        who = {"engine": "engine", "open": "waiting for a friend"}.get(seat.kind, you or "person")
        presence = "" if seat.kind != "person" or number in view.yours else "here" if seat.present else "away"
        name = seat_name(view, number)
        said = f"{symbol} · {who}" if name != symbol else who
        shown.append(SeatShown(number, _symbol(number, scene), name, said, presence, view.match.turn == number))
    return shown


def ended_by_players(match: Match) -> str:
    """How the players ended a match without a move, as `Matches.create` wants it said; empty if they did not.

    >>> match = Match(load_known("connect-four"))
    >>> ended_by_players(match)
    ''
    >>> match.resign(0)
    >>> ended_by_players(match)
    'resignation 0'
    """
    outcome = match.outcome
    if outcome is None or match.state.outcome or outcome.reason not in ("resignation", "agreement"):
        return ""
    return outcome.reason if outcome.winner is None else f"{outcome.reason} {1 - outcome.winner}"


def scene_after(match: Match, ply: int) -> Scene:
    """The board after so many moves; when the match is over, nobody is told what to do next.

    >>> match = Match(load_known("ultimate"))
    >>> match.play("e5")
    >>> scene_after(match, 1).notes
    ['O must play on the middle board, d4-f6']
    >>> match.resign()
    >>> scene_after(match, 1).notes
    []
    """
    scene = match.scene(ply)
    if ply == match.ply and match.outcome:
        scene.notes.clear()
        scene.highlights[:] = [mark for mark in scene.highlights if mark.kind != "forced"]
    return scene


def can_undo(view: MatchView) -> bool:
    """Whether there is anything that the viewer may take back, or ask to.

    >>> from connectoe.web.storage import Storage
    >>> from connectoe.web.matches import Keys, Matches
    >>> matches = Matches(Storage("sqlite://"))
    >>> ann = Keys(browser="ann")
    >>> made = matches.create(ann, load_known("tic-tac-toe"), (Wish("me"), Wish("me")))
    >>> can_undo(matches.view(made.id, ann)), can_undo(matches.play(made.id, ann, "b2", 0))
    (False, True)
    """
    match = view.match
    if match.outcome and not view.is_practice:
        return False
    if view.yours and ended_by_players(match):
        return True
    return any(match.state_at(ply).turn in view.yours for ply in range(match.ply))


Hints = list[dict[str, Any]] | None


def _match_facts(
    request: Request, view: MatchView, since: int | None, found: Hints, tool: str, in_letters: bool
) -> dict[str, Any]:
    match = view.match
    scene = scene_after(match, match.ply)
    outcome = match.outcome
    marked = outcome.winner if outcome else match.turn
    return {
        "view": view,
        "match": match,
        "game": match.game,
        "options": changed_options(match.game),
        "scene": scene,
        "status": status_words(view),
        "status_symbol": _symbol(marked, scene) if marked is not None else "",
        "seats": _seats_shown(view, scene),
        "board": board(
            scene,
            action=f"/matches/{view.id}/move",
            fields={"ply": match.ply},
            tools=match.game.tools,
            may_move=view.may_move,
            steps=happened(match, since) if since is not None else (),
            hint=found[0]["move"] if found else "",
            tool=tool,
            waiting=min(view.yours, default=None),
        ),
        "moves": list(enumerate(match.moves, start=1))[-MOST_LISTED:],
        "can_undo": can_undo(view),
        "taken_back": undo_words(view, view.undo_offer) if view.undo_offer is not None else "",
        "undo_ply": match.ply + bool(ended_by_players(match)),
        "is_of_engines": all(seat.kind == "engine" for seat in view.seats),
        "measures": measures(scene),
        "text": text_picture(scene) if in_letters else None,
        "hints": found,
        "may_analyse": view.is_practice or outcome is not None,
        "can_flip": not any("→" in label.text for label in scene.labels),
        "address": str(request.base_url).rstrip("/"),
        "hint_note": _note(request, match.game),
        "title": ("● " if view.may_move and not view.is_practice else "") + status_words(view),
    }


def _note(request: Request, game: Game) -> str:
    """What is said while somebody waits for an analysis."""
    thinking: Thinking = request.app.state.thinking
    note = thinking.note_for(game)
    return f"{note[0].upper()}{note[1:]}…"


async def _hints(request: Request, match_id: str) -> Hints:
    view = await run_in_threadpool(matches_of(request).view, match_id, keys_of(request))
    if not view.is_practice or view.match.outcome:
        return None
    analysis = await analysis_of(request, view.match, HINT_SECONDS)
    candidates = [candidate.model_dump() for candidate in analysis.candidates[:5]]
    return [candidate | {"words": in_words(candidate)} for candidate in candidates]


Flag = Annotated[bool, Query()]
Ply = Annotated[int | None, Query(ge=0, le=MOST_MOVES)]
Since = Annotated[int | None, Query(alias="from", ge=0, le=MOST_MOVES)]


@router.get("/matches")
def _recent(request: Request) -> Response:
    found = [
        {
            "view": view,
            "game": view.match.game.name,
            "status": status_words(view),
            "others": " and ".join(seat_name(view, seat) for seat in (0, 1) if seat not in view.yours) or "yourself",
        }
        for view in matches_of(request).recent(keys_of(request))
    ]
    return _page(request, "recent.html", found=found)


@router.get("/matches/{match_id}")
async def _match(
    request: Request, match_id: str, hint: Flag = False, tool: Annotated[str, Query(max_length=LONGEST_TOOL)] = ""
) -> Response:
    return await _shown(request, "match.html", match_id, None, hint, tool, in_letters=True)


@router.get("/matches/{match_id}/board")
async def _board(
    request: Request, match_id: str, since: Since = None, hint: Flag = False, letters: Flag = False
) -> Response:
    return await _shown(request, "_match.html", match_id, since, hint, "", in_letters=letters)


async def _shown(
    request: Request, template: str, match_id: str, since: int | None, hint: bool, tool: str, in_letters: bool
) -> Response:
    found = await _hints(request, match_id) if hint else None

    def page() -> Response:
        look(request, match_id)
        view = matches_of(request).view(match_id, keys_of(request))
        return _page(request, template, **_match_facts(request, view, since, found, tool, in_letters))

    return await run_in_threadpool(page)


@router.get("/matches/{match_id}/preview")
def _preview(request: Request, match_id: str, move: Annotated[str, Query(max_length=20)]) -> dict[str, Any]:
    return preview(matches_of(request).view(match_id, keys_of(request)).match, move)


@router.post("/matches/{match_id}/move")
def _move(
    request: Request,
    match_id: str,
    move: Annotated[str, Form(max_length=20)],
    ply: Annotated[int, Form(ge=0, le=MOST_MOVES)],
    tool: Annotated[str, Form(max_length=LONGEST_TOOL)] = "",
) -> Response:
    matches_of(request).play(match_id, keys_of(request), move, ply)
    return _to(f"/matches/{match_id}" + (f"?{urlencode({'tool': tool})}" if tool else ""))  # it stays in hand


@router.post("/matches/{match_id}/undo")
def _undo(
    request: Request, match_id: str, ply: Annotated[int | None, Form(ge=0, le=MOST_MOVES + 1)] = None
) -> Response:
    matches_of(request).undo(match_id, keys_of(request), ply)
    return _to(f"/matches/{match_id}")


@router.post("/matches/{match_id}/resign")
def _resign(request: Request, match_id: str) -> Response:
    matches_of(request).resign(match_id, keys_of(request))
    return _to(f"/matches/{match_id}")


@router.post("/matches/{match_id}/draw")
def _draw(request: Request, match_id: str) -> Response:
    matches_of(request).offer_draw(match_id, keys_of(request))
    return _to(f"/matches/{match_id}")


@router.post("/matches/{match_id}/answer")
def _answer(
    request: Request, match_id: str, offer: Annotated[str, Form(max_length=10)], yes: Annotated[bool, Form()]
) -> Response:
    matches_of(request).answer(match_id, keys_of(request), offer, yes)
    return _to(f"/matches/{match_id}")


@router.post("/matches/{match_id}/rematch")
def _rematch(request: Request, match_id: str) -> Response:
    take(request, "create")
    return _to(f"/matches/{matches_of(request).rematch(match_id, keys_of(request))}")


# Seats that change hands.


@router.get("/matches/{match_id}/join/{invite}")
def _invited(request: Request, match_id: str, invite: str) -> Response:
    view = matches_of(request).view(match_id, keys_of(request))
    if view.yours:
        return _to(f"/matches/{match_id}")
    return _asked_to_join(request, view, invite)


def _asked_to_join(request: Request, view: MatchView, invite: str, name: str = "", problem: str = "") -> Response:
    """The form for the open seat; with the problem, if the name entered before could not be taken."""
    number = matches_of(request).invited(view.id, invite)
    return _page(
        request,
        "join.html",
        code=400 if problem else 200,
        problem=problem[:1].upper() + problem[1:],
        entered_name=name,
        view=view,
        game=view.match.game,
        host=seat_name(view, 1 - number),
        symbol=_symbol(number, view.match.scene()),
        letter=view.match.game.symbols[number],
        options=changed_options(view.match.game),
        invite=invite,
        longest=LONGEST_NAME,
        picture=Markup(inline_svg(view.match.scene())),
    )


@router.post("/matches/{match_id}/join")
def _join(
    request: Request,
    match_id: str,
    invite: Annotated[str, Form(max_length=100)],
    name: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    take(request, "join")
    matches, keys = matches_of(request), keys_of(request)
    if matches.view(match_id, keys).yours:  # the form was sent twice
        return _to(f"/matches/{match_id}")
    try:
        matches.join(match_id, keys, invite, name)
    except BadName as error:  # the seat is still open
        return _asked_to_join(request, matches.view(match_id, keys), invite, name, str(error))
    return _to(f"/matches/{match_id}")


@router.get("/matches/{match_id}/seat/{secret}")
def _moving_seat(request: Request, match_id: str, secret: str) -> Response:
    view = matches_of(request).view(match_id, keys_of(request))
    return _page(request, "seat.html", view=view, game=view.match.game, secret=secret)


@router.post("/matches/{match_id}/seat")
def _move_seat(request: Request, match_id: str, secret: Annotated[str, Form(max_length=200)]) -> Response:
    take(request, "join")
    matches_of(request).claim(match_id, keys_of(request), secret)
    return _to(f"/matches/{match_id}")


# Looking back.


@router.get("/matches/{match_id}/analysis")
def _analysis(request: Request, match_id: str, ply: Ply = None, since: Since = None) -> Response:
    view = matches_of(request).view(match_id, keys_of(request))
    match = view.match
    ply = match.ply if ply is None else min(ply, match.ply)
    scene = scene_after(match, ply)
    outcome = match.outcome
    end = None if outcome is None else {"0": 1.0, "1": 0.0, "draw": 0.5}[outcome.result]
    marked = outcome.winner if outcome and ply == match.ply else match.state_at(ply).turn
    return _page(
        request,
        "analysis.html",
        view=view,
        match=match,
        game=match.game,
        options=changed_options(match.game),
        ply=ply,
        scene=scene,
        status_symbol=_symbol(marked, scene) if marked is not None else "",
        sides=[_side(view, seat) for seat in (0, 1)],
        note=_note(request, match.game),
        may_analyse=view.is_practice or outcome is not None,
        end="" if end is None else end,
        board=board(scene, may_move=False, steps=() if since is None else _steps_between(match, since, ply)),
        moves=list(enumerate(match.moves, start=1))[max(0, ply - MOST_LISTED) : ply + MOST_LISTED],
        measures=measures(scene),
        text=text_picture(scene),
    )


def _side(view: MatchView, seat: int) -> str:
    """Who a side of the graph belongs to."""
    symbol, name = view.match.game.symbols[seat], seat_name(view, seat)
    return symbol if name == symbol else f"{symbol} · {name}"


def _steps_between(match: Match, since: int, ply: int) -> list[dict[str, Any]]:
    """How the pieces go from one position of a match to another: forward move by move, back at once."""
    if since < ply:
        return happened(_first_moves(match, ply), since)
    if ply < since <= match.ply:
        scene = match.scene(ply)
        return [changes(match.scene(since).pieces, scene.pieces, scene) | {"slide": {}}]
    return []


@router.get("/analysis")
def _paste(request: Request) -> Response:
    return _page(request, "paste.html", record="", problem="")


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
        return _page(request, "paste.html", code=400, record=record, problem=str(error))
    return _to(f"/matches/{made.id}/analysis")


# About all this.


@router.get("/about")
def _about(request: Request) -> Response:
    return _page(request, "about.html")


@router.get("/docs")
def _api_page(request: Request) -> Response:
    described = request.app.openapi()
    calls = [
        {"path": path, "method": method.upper(), **facts, "example": _example(facts, described)}
        for path, methods in described["paths"].items()
        for method, facts in methods.items()
    ]
    return _page(request, "api.html", calls=calls, words=as_html(described["info"]["description"]))


def _example(facts: Mapping[str, Any], described: Mapping[str, Any]) -> str:
    """A body to send, made from the examples of its fields."""
    content = facts.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    schema = described["components"]["schemas"].get(content.get("$ref", "").rpartition("/")[2], {})
    fields = {
        name: field["examples"][0]
        for name, field in schema.get("properties", {}).items()
        if field.get("examples") and field["examples"][0] is not None
    }
    return json.dumps(fields) if fields else ""
