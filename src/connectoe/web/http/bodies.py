"""Long bodies of requests, for threads to read.

The framework reads bodies in the event loop, where nobody else is served meanwhile, and takes a tenth of a second for
some of those that may be sent.
"""

from __future__ import annotations

import asyncio

from starlette.exceptions import HTTPException
from starlette.requests import Request

SHORT = 2048
"""The bytes up to which a body is left to the framework; those of few requests are longer."""
MOST_NAMES = 100
"""How many fields a form, and how many names the objects in JSON, have at most."""
FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")


def read_long_body(request: Request) -> None:
    """Read a form or JSON from the body of a request, which has come; the framework finds it read."""
    asyncio.run(_read_form(request) if _is_form(request) else _read_json(request))


def _is_form(request: Request) -> bool:
    return request.headers.get("content-type", "").lower().startswith(FORMS)


async def _read_form(request: Request) -> None:
    await request.form(max_files=0, max_fields=MOST_NAMES)


async def _read_json(request: Request) -> None:
    try:
        told = await request.json()
    except (ValueError, RecursionError):
        return  # the framework finds that out at once, and says it in words
    if _has_many_names(told):
        raise HTTPException(400, "there are too many names in what was sent")


def _has_many_names(told: object) -> bool:
    names, left = 0, [told]
    while left and names <= MOST_NAMES:
        each = left.pop()
        if isinstance(each, dict):
            names += len(each)
            left += each.values()
        elif isinstance(each, list):
            left += [one for one in each if isinstance(one, (dict, list))]
    return names > MOST_NAMES
