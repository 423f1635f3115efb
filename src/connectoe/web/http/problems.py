"""Answers to requests that cannot be granted: JSON for programs, a page for people."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from connectoe.core.errors import ConnectoeError, UnknownGame
from connectoe.web.http.answers import problem_page
from connectoe.web.service.availability import AWAY
from connectoe.web.service.refusals import Refused, RulesGone, Stale

RETRY_AFTER = 2
"""The seconds after which a client may try again when the server was too busy."""


def answer(request: Request, status: int, message: str, has_record: bool = False, **more: Any) -> Response:
    """Return the answer to a request that cannot be granted."""
    if request.url.path.startswith("/api/"):
        response: Response = JSONResponse({"error": message, **more}, status)
    else:
        response = problem_page(request, status, message, has_record)
    if status == 503:
        response.headers["retry-after"] = str(RETRY_AFTER)
    return response


def failure(request: Request) -> Response:
    """Return the answer to a request at which the server failed."""
    return answer(request, 500, "the server made a mistake, and has logged it")


def add_problems(app: FastAPI) -> None:
    """Let an application answer to every kind of problem."""
    app.add_exception_handler(ConnectoeError, refused)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_exception_handler(HTTPException, _not_found)
    for kind in AWAY:
        app.add_exception_handler(kind, database_is_away)


def refused(request: Request, error: Exception) -> Response:
    """Return the answer to what the rules, the seats or the limits do not allow."""
    is_no_page = request.method == "GET" and isinstance(error, UnknownGame)
    status = error.status if isinstance(error, Refused) else 404 if is_no_page else 400
    more = {"match": error.view.data()} if isinstance(error, Stale) else {}
    return answer(request, status, str(error), isinstance(error, RulesGone), **more)


def database_is_away(request: Request, error: Exception) -> Response:
    """Return the answer to what needs a database that does not answer."""
    return answer(request, 503, "the database does not answer; try again in a moment")


def _not_understood(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    problems = [
        (".".join(str(part) for part in problem["loc"][1:]) or "request", problem["msg"])
        for problem in error.errors()[:5]
    ]
    words = "; ".join(f"{where}: {what}"[:200] for where, what in problems)
    if not request.url.path.startswith("/api/"):  # a person with an altered link; only programs need the details
        names = ", ".join(where[:40] for where, _ in problems)
        words = f"this address, or what was sent to it, cannot be understood: {names}"
    return answer(request, 422, words)


def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {404: "there is no such page", 405: "this address does not accept such requests"}
    return answer(request, error.status_code, words.get(error.status_code, str(error.detail)))
