"""What the pages of a match show: playing it, and looking back at it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from connectoe.core.match import Match
from connectoe.draw.svg import inline_svg, piece_svg
from connectoe.draw.text import text as text_picture
from connectoe.people import character_of
from connectoe.scene import Piece, Scene
from connectoe.web.render.animation import steps_between, steps_since
from connectoe.web.render.boards import board_shown, measures, steps_text
from connectoe.web.render.codes import qr_code
from connectoe.web.render.templates import part
from connectoe.web.render.values import worth_at_end
from connectoe.web.render.words import (
    answer_words,
    changed_options,
    ending_words,
    idle_words,
    next_opponent,
    now_words,
    seat_name,
    side_words,
    status_words,
    undo_words,
)
from connectoe.web.service.analysis_line import AnalysisLine
from connectoe.web.service.endings import PlayersEnding
from connectoe.web.service.views import MatchView

MOST_LISTED = 100
"""How many moves a page lists; a match of ultimate ultimate tic-tac-toe has thousands."""


class SeatShown(NamedTuple):
    """A seat as the page shows it."""

    number: int
    symbol: Markup
    name: str
    who: str
    presence: str
    is_to_move: bool


class Hint(NamedTuple):
    """A move that looks good, and what it is worth in words."""

    move: str
    words: str
    is_exact: bool = False


def match_context(
    view: MatchView,
    *,
    address: str,
    note: str,
    is_reachable: bool = False,
    since: int | None = None,
    hints: Sequence[Hint] = (),
    in_letters: bool = False,
) -> dict[str, Any]:
    """Return what `_match.html` shows.

    `address` is that of the server, and `is_reachable` whether other machines reach it there; `note` is what is said
    during an analysis, and `since` the ply that the page shows.
    """
    match = view.match
    scene = view.once("scene", lambda: scene_after(match, match.ply))
    outcome = match.outcome
    marked = outcome.winner if outcome else match.turn
    status = status_words(view)
    moves = view.once("moves", lambda: list(enumerate(match.moves, start=1))[-MOST_LISTED:])
    steps = "" if since is None else view.once(("steps", since), lambda: steps_text(steps_since(match, since, scene)))
    board = board_shown(
        scene,
        action=f"/matches/{view.id}/move",
        fields={"ply": match.ply},
        tools=match.game.tools,
        pictures=match.game.tool_pictures,
        may_move=view.may_move,
        steps=steps,
        hint=hints[0].move if hints else "",
        waiting=min(view.yours, default=None),
        refusals=match.game.refusals(match.state.position) if view.may_move else (),
        otherwise=idle_words(view),
        picture=view.once("picture", lambda: Markup(inline_svg(scene))),
    )
    return {
        "view": view,
        "match": match,
        "game": match.game,
        "options": changed_options(match.game),
        "scene": scene,
        "status": status,
        "status_symbol": symbol_of(marked, scene),
        "goal": match.game.goal(),
        "now": now_words(view),
        "ending": ending_words(view),
        "next_opponent": next_opponent(view),
        "setting": AnalysisLine.of_match(match).setting if outcome else [],
        "seats": _seats_shown(view, scene),
        "board": board,
        "moves": moves,
        "move_items": view.once("move items", lambda: part("move_items", view.id, moves)),
        "can_undo": can_undo(view),
        "taken_back": undo_words(view, view.undo_offer) if view.undo_offer is not None else "",
        "undo_ply": match.ply + (PlayersEnding.of_match(match) is not None),
        "is_of_engines": all(seat.kind == "engine" for seat in view.seats),
        "measures": view.once("measures", lambda: measures(scene)),
        "text": view.once("text", lambda: text_picture(scene)) if in_letters else None,
        "hints": hints,
        "answers": answer_words(view),
        "may_analyse": view.is_practice or outcome is not None,
        "analysis_link": AnalysisLine.of_match(match).link if view.is_practice or outcome else "",
        "symbols": [symbol_of(seat, scene) for seat in (0, 1)],
        "worth": worth_at_end(match) if outcome else None,
        "can_flip": scene.may_flip,
        "address": address,
        "qr": qr_code(f"{address}/matches/{view.id}/join/{view.invite}") if view.invite and is_reachable else "",
        "hint_note": note,
        "title": ("● " if view.may_move and not view.is_practice else "") + status,
    }


def analysis_context(view: MatchView, *, note: str, ply: int | None, since: int | None) -> dict[str, Any]:
    """Return what `analysis.html` shows: the match after a number of moves; `since` is the ply that the page shows."""
    match = view.match
    ply = match.ply if ply is None else min(ply, match.ply)
    scene = scene_after(match, ply)
    outcome = match.outcome
    return {
        "view": view,
        "match": match,
        "game": match.game,
        "options": changed_options(match.game),
        "ply": ply,
        "scene": scene,
        "status_symbol": symbol_of(outcome.winner if outcome and ply == match.ply else match.state_at(ply).turn, scene),
        "sides": [side_words(view, seat) for seat in (0, 1)],
        "note": note,
        "may_analyse": view.is_practice or outcome is not None,
        "analysis_link": AnalysisLine.of_match(match, ply).link,
        "end": worth_at_end(match)._asdict() if outcome else None,
        "board": board_shown(scene, may_move=False, steps=() if since is None else steps_between(match, since, ply)),
        "moves": list(enumerate(match.moves, start=1))[max(0, ply - MOST_LISTED) : ply + MOST_LISTED],
        "measures": measures(scene),
        "text": text_picture(scene),
    }


def scene_after(match: Match, ply: int) -> Scene:
    """Return the board after a number of moves; when the match is over, without what a player would have to do next."""
    scene = match.scene(ply)
    if ply == match.ply and match.outcome:
        scene.notes.clear()
        scene.highlights[:] = [mark for mark in scene.highlights if mark.kind != "forced"]
    return scene


def can_undo(view: MatchView) -> bool:
    """Whether there is anything that the viewer may take back, or ask to."""
    match = view.match
    if match.outcome and not view.is_practice:
        return False
    if view.yours and PlayersEnding.of_match(match):
        return True
    return any(match.side_of(ply) in view.yours for ply in range(match.ply))


def symbol_of(owner: int | None, scene: Scene) -> Markup:
    """Return a player's mark; nothing for nobody."""
    return Markup("" if owner is None else piece_svg(Piece("symbol", 0, 0, "mark", owner), scene))


def _seats_shown(view: MatchView, scene: Scene) -> list[SeatShown]:
    shown = []
    for number, seat in enumerate(view.seats):
        symbol = view.match.game.symbols[number]
        you = "you" if number in view.yours else ""
        who = {"engine": "engine", "open": "waiting for a friend"}.get(seat.kind, you or "person")
        presence = "" if seat.kind != "person" or number in view.yours else "here" if seat.present else "away"
        name = seat_name(view, number)
        if character := character_of(seat.level):
            who = character.describes
        said = f"{symbol} · {who}" if name != symbol else who
        shown.append(SeatShown(number, symbol_of(number, scene), name, said, presence, view.match.turn == number))
    return shown
