"""Setting up a position on the board, for the analysis board. The link holds the draft; no script is needed."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from connectoe.core.setting_up import EMPTY
from connectoe.web.http.answers import page, redirect
from connectoe.web.http.pages import Fields
from connectoe.web.http.pools import WorkingRoute
from connectoe.web.render.set_up_page import set_up_context
from connectoe.web.service.analysis_line import line_from
from connectoe.web.service.drafts import LONGEST_DRAFT, Draft, draft_from

router = APIRouter(include_in_schema=False, route_class=WorkingRoute)
CHOICE = "choice-"
"""What the names of the fields begin with that hold the choices beside the board."""


@router.get("/analyse/{game_id}/set-up")
def _set_up(
    request: Request,
    game_id: str,
    draft: Annotated[str, Query(max_length=LONGEST_DRAFT)] = "",
    tool: Annotated[str, Query(max_length=10)] = "",
) -> Response:
    game = line_from(game_id, request.url.query).game
    shown = draft_from(game, draft or game.start.text)
    return page(request, "set_up.html", here="/analyse", **set_up_context(shown, _in_hand(shown, tool)))


@router.post("/analyse/{game_id}/set-up")
def _change(request: Request, game_id: str, fields: Fields) -> Response:
    setting = fields.get("setting", "")
    draft = draft_from(line_from(game_id, setting).game, fields.get("draft", ""))
    tool = _in_hand(draft, fields.get("tool", ""))
    cell = fields.get("move", "")
    chosen = {name.removeprefix(CHOICE): value for name, value in fields.items() if name.startswith(CHOICE)}
    if cell.isascii() and cell.isdigit() and len(cell) < 5:
        draft = draft.after_press(int(cell), tool)
    elif fields.get("clear"):
        draft = draft.emptied()
    elif chosen:
        draft = draft.with_values(chosen)
    query = "&".join(filter(None, [setting, urlencode({"draft": draft.text, "tool": tool})]))
    return redirect(f"/analyse/{game_id}/set-up?{query}")


def _in_hand(draft: Draft, tool: str) -> str:
    """Return the piece in hand; the first one, unless another was chosen."""
    pieces = [sign.in_hand for sign in draft.setting_up.signs]
    return tool if tool in (*pieces, EMPTY) else pieces[0]
