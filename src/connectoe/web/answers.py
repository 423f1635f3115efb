"""What a request for a page is answered with: the page, another one to go to, or the one that says what went wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from fastapi import Request, Response
from fastapi.responses import RedirectResponse
from fastapi.templating import Jinja2Templates

templates = Jinja2Templates(directory=Path(__file__).parent / "templates")


def problem(request: Request, status: int, message: str) -> Response:
    """The page that says in words what could not be done."""
    title = {404: "Not here", 403: "Not allowed", 409: "Too late", 429: "Slow down"}.get(status, "That did not work")
    words = message[:1].upper() + message[1:]
    match = re.match(r"(/matches/[a-z0-9]+)/(join)?", request.url.path) if status != 404 else None
    back, is_joining = (match[1], bool(match[2])) if match else ("", False)
    if is_joining and status == 403:
        title = "You cannot join by this link"
    return page(request, "error.html", code=status, title=title, message=words, back=back, is_joining=is_joining)


def page(request: Request, name: str, *, code: int = 200, **facts: Any) -> Response:
    """A page made of one of the templates."""
    return templates.TemplateResponse(request, name, {"here": request.url.path, **facts}, status_code=code)


def to(address: str) -> Response:
    """Sends whoever has sent a form on to the page that shows what came of it."""
    return RedirectResponse(address, status_code=303)
