"""The pages of a match: playing it, who sits there, and looking back at it. All of them work without any script."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Form, Path, Query, Request, Response
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from connectoe.analysis_words import value_in_words
from connectoe.core.game import Game
from connectoe.core.lessons import lesson_of
from connectoe.core.swapping import SWAP_MOVE
from connectoe.draw.svg import inline_svg
from connectoe.web.http.addresses import address_for_others, is_this_machine
from connectoe.web.http.answers import page, redirect
from connectoe.web.http.pools import PlayingRoute, playing, run_in, slow, working
from connectoe.web.http.remembering import due_mistakes, names_in, remember
from connectoe.web.http.requests import analysis_for, count, keys_of, matches_of, services_of
from connectoe.web.render.animation import preview
from connectoe.web.render.documents import rules_page
from connectoe.web.render.match_page import Hint, analysis_context, match_context
from connectoe.web.render.templates import html
from connectoe.web.render.values import values_shown
from connectoe.web.render.words import changed_options, is_record, names_of_others, status_words
from connectoe.web.service.names import LONGEST_NAME
from connectoe.web.service.next_version import MOST_MOVES
from connectoe.web.service.refusals import BadName, Refused
from connectoe.web.service.views import MatchView

router = APIRouter(include_in_schema=False, route_class=PlayingRoute)
HINT_SECONDS = 1.0
VALUE_SECONDS = 0.3
MOST_HINTS = 5

Flag = Annotated[bool, Query()]
Ply = Annotated[int | None, Query(ge=0, le=MOST_MOVES)]
Since = Annotated[int | None, Query(alias="from", ge=0, le=MOST_MOVES)]


class Fragment(NamedTuple):
    """The part of a page that a script asks for: the match, without what stands around it."""

    since: int | None
    """The ply that the page shows; None where no script asks."""
    letters: bool
    """Whether the board is wanted in letters, too."""


async def _fragment(since: Since = None, letters: Flag = False) -> Fragment:
    return Fragment(since, letters)


FragmentAsked = Annotated[Fragment, Depends(_fragment)]


# Playing.


@router.get("/matches")
@slow
def _recent(request: Request) -> Response:
    found = [
        {
            "view": view,
            "game": view.match.game.name,
            "status": status_words(view),
            "others": names_of_others(view),
            "is_record": is_record(view),
        }
        for view in matches_of(request).recent(keys_of(request))
    ]
    without_rules = matches_of(request).recent_without_rules(keys_of(request))
    return page(request, "recent.html", found=found, without_rules=without_rules, due=len(due_mistakes(request)))


@router.get("/matches/{match_id}")
async def _match(request: Request, match_id: str, hint: Flag = False, first: Flag = False) -> Response:
    hints = await _hints(request, match_id) if hint else ()

    def shown() -> Response:
        view = _looked_at(request, match_id)
        game = view.match.game
        context = _context(view, Fragment(None, True), hints, address_for_others(request), note_for(request, game))
        lesson = lesson_of(game) if first and not view.match.outcome else ()
        return page(request, "match.html", steps_of_lesson=len(lesson), rules=rules_page(game.id), **context)

    return await run_in(playing, request, shown)


@router.get("/matches/{match_id}/board")
async def _board(request: Request, match_id: str, asked: FragmentAsked, hint: Flag = False) -> Response:
    hints = await _hints(request, match_id) if hint else ()
    return await run_in(playing, request, lambda: _fragment_of(request, _looked_at(request, match_id), asked, hints))


def _looked_at(request: Request, match_id: str) -> MatchView:
    return services_of(request).look_at(match_id, keys_of(request))


def _fragment_of(request: Request, view: MatchView, asked: Fragment, hints: tuple[Hint, ...] = ()) -> Response:
    return HTMLResponse(fragment(request, view, asked, hints))


def fragment(request: Request, view: MatchView, asked: Fragment, hints: tuple[Hint, ...] = ()) -> bytes:
    """Return the part of the page that shows the match; all who only watch it share one."""
    address, note = address_for_others(request), note_for(request, view.match.game)

    def made() -> bytes:
        return html("_match.html", **_context(view, asked, hints, address, note)).encode()

    if view.yours or hints:
        return made()
    return view.once(("fragment", asked, address, note, view.seats, view.note), made)


def _context(view: MatchView, asked: Fragment, hints: tuple[Hint, ...], address: str, note: str) -> dict[str, Any]:
    return match_context(
        view,
        address=address,
        is_reachable=not is_this_machine(urlsplit(address).hostname or ""),
        note=note,
        since=asked.since,
        hints=hints,
        in_letters=asked.letters,
    )


def note_for(request: Request, game: Game) -> str:
    """Return the note shown during an analysis."""
    note = services_of(request).warming.note_for(game)
    return f"{note[0].upper()}{note[1:]}…"


async def _hints(request: Request, match_id: str) -> tuple[Hint, ...]:
    view = await run_in(playing, request, matches_of(request).view, match_id, keys_of(request))
    if not view.is_practice or view.match.outcome:
        return ()
    match, analysis = await analysis_for(request, HINT_SECONDS, lambda: view.match)
    hints = [
        Hint(match.game.move_text(one.move), value_in_words(one.value), one.result is not None)
        for one in analysis.candidates[:MOST_HINTS]
    ]
    if match.may_swap and analysis.share < 0.5:
        hints.insert(0, Hint(SWAP_MOVE, f"the other side is better: it has {1 - analysis.share:.0%}"))
    return tuple(hints)


@router.get("/matches/{match_id}/preview")
def _preview(request: Request, match_id: str, move: Annotated[str, Query(max_length=20)]) -> dict[str, Any]:
    return preview(matches_of(request).view(match_id, keys_of(request)).match, move)


def _changed(request: Request, view: MatchView, asked: Fragment) -> Response:
    """Return the match after a change: a fragment for a script, for a form the way to the page."""
    if asked.since is not None:
        return _fragment_of(request, view, asked)
    return redirect(f"/matches/{view.id}")


@router.post("/matches/{match_id}/move")
def _move(
    request: Request,
    match_id: str,
    asked: FragmentAsked,
    move: Annotated[str, Form(max_length=20)],
    ply: Annotated[int, Form(ge=0, le=MOST_MOVES)],
) -> Response:
    return _changed(request, matches_of(request).play(match_id, keys_of(request), move, ply), asked)


@router.post("/matches/{match_id}/undo")
def _undo(
    request: Request,
    match_id: str,
    asked: FragmentAsked,
    ply: Annotated[int | None, Form(ge=0, le=MOST_MOVES + 1)] = None,
) -> Response:
    return _changed(request, matches_of(request).undo(match_id, keys_of(request), ply), asked)


@router.post("/matches/{match_id}/resign")
def _resign(request: Request, match_id: str, asked: FragmentAsked) -> Response:
    return _changed(request, matches_of(request).resign(match_id, keys_of(request)), asked)


@router.post("/matches/{match_id}/draw")
def _draw(request: Request, match_id: str, asked: FragmentAsked) -> Response:
    return _changed(request, matches_of(request).offer_draw(match_id, keys_of(request)), asked)


@router.post("/matches/{match_id}/answer")
def _answer(
    request: Request,
    match_id: str,
    asked: FragmentAsked,
    offer: Annotated[str, Form(max_length=10)],
    yes: Annotated[bool, Form()],
) -> Response:
    return _changed(request, matches_of(request).answer(match_id, keys_of(request), offer, yes), asked)


@router.post("/matches/{match_id}/rematch")
def _rematch(request: Request, match_id: str) -> Response:
    count(request, "create")
    return redirect(f"/matches/{matches_of(request).rematch(match_id, keys_of(request))}")


# Seats that change hands.


@router.get("/matches/{match_id}/join/{invite}")
def _invited(request: Request, match_id: str, invite: str) -> Response:
    view = matches_of(request).view(match_id, keys_of(request))
    if view.yours:
        return redirect(f"/matches/{match_id}")
    return _join_form(request, view, invite, names_in(request).get("name", ""))


def _join_form(request: Request, view: MatchView, invite: str, name: str = "", problem: str = "") -> Response:
    """Return the form for the open seat; with the problem, if the name entered before could not be accepted."""
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
    count(request, "join")
    matches, keys = matches_of(request), keys_of(request)
    if matches.view(match_id, keys).yours:  # the form was sent twice
        return redirect(f"/matches/{match_id}")
    try:
        matches.join(match_id, keys, invite, name)
    except BadName as error:  # the seat is still open
        return _join_form(request, matches.view(match_id, keys), invite, name, str(error))
    return remember(request, redirect(f"/matches/{match_id}"), {"name": name})


@router.get("/matches/{match_id}/seat/{secret}")
def _moving_seat(request: Request, match_id: str, secret: str) -> Response:
    view = matches_of(request).view(match_id, keys_of(request))
    return page(request, "seat.html", view=view, game=view.match.game, secret=secret)


@router.post("/matches/{match_id}/seat")
def _move_seat(request: Request, match_id: str, secret: Annotated[str, Form(max_length=200)]) -> Response:
    count(request, "join")
    matches_of(request).claim(match_id, keys_of(request), secret)
    return redirect(f"/matches/{match_id}")


# Looking back.


@router.get("/matches/{match_id}/analysis")
@slow
def _analysis(request: Request, match_id: str, ply: Ply = None, since: Since = None) -> Response:
    view = matches_of(request).view(match_id, keys_of(request))
    note = note_for(request, view.match.game)
    return page(request, "analysis.html", **analysis_context(view, note=note, ply=ply, since=since))


@router.get("/matches/{match_id}/values/{ply}")
async def _values(
    request: Request,
    match_id: str,
    ply: Annotated[int, Path(ge=0, le=MOST_MOVES)],
    seconds: Annotated[float, Query(ge=0, le=10)] = VALUE_SECONDS,
) -> dict[str, Any]:
    view = await run_in(working, request, services_of(request).view_to_analyse, match_id, keys_of(request))
    match = view.match
    if ply > match.ply:
        raise Refused(f"the match has {match.ply} moves: there is nothing after {ply}")
    _, analysis = await analysis_for(request, seconds, lambda: match.beginning(ply))
    return values_shown(match, ply, analysis)
