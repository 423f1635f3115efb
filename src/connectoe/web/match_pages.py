"""The pages of a match: playing it, who sits there, and looking back at it. All of it works without any script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from markupsafe import Markup

from connectoe.draw.svg import inline_svg, piece_svg
from connectoe.draw.text import text as text_picture
from connectoe.game import Game
from connectoe.match import Match
from connectoe.scene import Piece, Scene
from connectoe.web.answers import page, to
from connectoe.web.api import analysis_of, keys_of, looked_at, matches_of, take
from connectoe.web.board import board, changes, happened, measures, preview
from connectoe.web.matches import MOST_MOVES
from connectoe.web.names import LONGEST_NAME
from connectoe.web.refusals import BadName
from connectoe.web.thinking import Thinking
from connectoe.web.views import MatchView, ended_by_players
from connectoe.web.words import changed_options, in_words, is_record, opponents, seat_name, status_words, undo_words

router = APIRouter(include_in_schema=False)
HINT_SECONDS = 1.0
LONGEST_TOOL = 40
MOST_LISTED = 100
"""The moves that a page lists; a match of ultimate ultimate tic-tac-toe has thousands."""


# Playing.


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


def scene_after(match: Match, ply: int) -> Scene:
    """The board after so many moves; when the match is over, nobody is told what to do next.

    >>> import connectoe
    >>> match = Match(connectoe.load("ultimate"))
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

    >>> from connectoe import load
    >>> from connectoe.web.keys import Keys
    >>> from connectoe.web.matches import Matches, Wish
    >>> from connectoe.web.storage import Storage
    >>> matches = Matches(Storage("sqlite://"))
    >>> ann = Keys(browser="ann")
    >>> made = matches.create(ann, load("tic-tac-toe"), (Wish("me"), Wish("me")))
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
    analysis = await analysis_of(request, HINT_SECONDS, lambda: view.match)
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
            "others": opponents(view),
            "is_record": is_record(view),
        }
        for view in matches_of(request).recent(keys_of(request))
    ]
    return page(request, "recent.html", found=found)


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

    def answer() -> Response:
        view = looked_at(request, match_id)
        return page(request, template, **_match_facts(request, view, since, found, tool, in_letters))

    return await run_in_threadpool(answer)


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
    return to(f"/matches/{match_id}" + (f"?{urlencode({'tool': tool})}" if tool else ""))  # it stays in hand


@router.post("/matches/{match_id}/undo")
def _undo(
    request: Request, match_id: str, ply: Annotated[int | None, Form(ge=0, le=MOST_MOVES + 1)] = None
) -> Response:
    matches_of(request).undo(match_id, keys_of(request), ply)
    return to(f"/matches/{match_id}")


@router.post("/matches/{match_id}/resign")
def _resign(request: Request, match_id: str) -> Response:
    matches_of(request).resign(match_id, keys_of(request))
    return to(f"/matches/{match_id}")


@router.post("/matches/{match_id}/draw")
def _draw(request: Request, match_id: str) -> Response:
    matches_of(request).offer_draw(match_id, keys_of(request))
    return to(f"/matches/{match_id}")


@router.post("/matches/{match_id}/answer")
def _answer(
    request: Request, match_id: str, offer: Annotated[str, Form(max_length=10)], yes: Annotated[bool, Form()]
) -> Response:
    matches_of(request).answer(match_id, keys_of(request), offer, yes)
    return to(f"/matches/{match_id}")


@router.post("/matches/{match_id}/rematch")
def _rematch(request: Request, match_id: str) -> Response:
    take(request, "create")
    return to(f"/matches/{matches_of(request).rematch(match_id, keys_of(request))}")


# Seats that change hands.


@router.get("/matches/{match_id}/join/{invite}")
def _invited(request: Request, match_id: str, invite: str) -> Response:
    view = matches_of(request).view(match_id, keys_of(request))
    if view.yours:
        return to(f"/matches/{match_id}")
    return _asked_to_join(request, view, invite)


def _asked_to_join(request: Request, view: MatchView, invite: str, name: str = "", problem: str = "") -> Response:
    """The form for the open seat; with the problem, if the name entered before could not be taken."""
    number = matches_of(request).invited(view.id, invite)
    return page(
        request,
        "join.html",
        code=400 if problem else 200,
        problem=problem[:1].upper() + problem[1:],
        entered_name=name,
        view=view,
        game=view.match.game,
        host=view.seats[1 - number].name or "A friend",
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
        return to(f"/matches/{match_id}")
    try:
        matches.join(match_id, keys, invite, name)
    except BadName as error:  # the seat is still open
        return _asked_to_join(request, matches.view(match_id, keys), invite, name, str(error))
    return to(f"/matches/{match_id}")


@router.get("/matches/{match_id}/seat/{secret}")
def _moving_seat(request: Request, match_id: str, secret: str) -> Response:
    view = matches_of(request).view(match_id, keys_of(request))
    return page(request, "seat.html", view=view, game=view.match.game, secret=secret)


@router.post("/matches/{match_id}/seat")
def _move_seat(request: Request, match_id: str, secret: Annotated[str, Form(max_length=200)]) -> Response:
    take(request, "join")
    matches_of(request).claim(match_id, keys_of(request), secret)
    return to(f"/matches/{match_id}")


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
    return page(
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
        return happened(match.beginning(ply), since)
    if ply < since <= match.ply:
        scene = match.scene(ply)
        return [changes(match.scene(since).pieces, scene.pieces, scene) | {"slide": {}}]
    return []
