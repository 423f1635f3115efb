"""Answers to people: a page, a redirect to another one, or the page that says what went wrong."""

from __future__ import annotations

import re
from typing import Any

from fastapi import Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from connectoe.core.own_games import own_game_of
from connectoe.draw.theme import PAGE_THEMES
from connectoe.web.http.cookies import THEME, cookie_of
from connectoe.web.render.templates import html


def page(request: Request, name: str, *, code: int = 200, **context: Any) -> Response:
    """Return a page made from a template."""
    here = request.url.path
    back = "/" if request.method != "GET" else f"{here}?{request.url.query}" if request.url.query else here
    about = {"here": here, "this_page": back, "theme": theme_of(request), **_mistaken(context)}
    return HTMLResponse(html(name, **{**about, **context}), status_code=code)


def theme_of(request: Request) -> str:
    """Return the colours that a browser has chosen; empty for those of the system."""
    theme = cookie_of(request, THEME)
    return theme if theme in PAGE_THEMES else ""


def _mistaken(context: dict[str, Any]) -> dict[str, Any]:
    """Return what is wrong with the file of the game that a page is about, if it is one that is being written."""
    own = own_game_of(context["game"].id) if "game" in context else None
    return {"mistaken": own.mistake if own else None}


def redirect(address: str) -> Response:
    """Send the sender of a form to the page that shows the result."""
    return RedirectResponse(address, status_code=303)


def problem_page(request: Request, status: int, message: str, has_record: bool = False) -> Response:
    """Return the page that says what could not be done; of a match that cannot be shown, there may be a record."""
    match_of_record = re.match(r"(/matches/[a-z0-9]+)", request.url.path) if has_record else None
    title = {404: "Not here", 403: "Not allowed", 409: "Too late", 429: "Slow down"}.get(status, "That did not work")
    words = message[:1].upper() + message[1:]
    match = re.match(r"(/matches/[a-z0-9]+)/(join)?", request.url.path) if status != 404 else None
    back, is_joining = (match[1], bool(match[2])) if match else ("", False)
    if is_joining and status == 403:
        title = "You cannot join by this link"
    record = f"/api/v1{match_of_record[1]}/record" if match_of_record else ""
    context = {"title": title, "message": words, "back": back, "is_joining": is_joining, "record": record}
    return page(request, "error.html", code=status, **context)
