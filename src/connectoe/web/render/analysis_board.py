"""What the analysis board shows: a line of play, what its moves are worth, and what was played in the studies."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from connectoe.core.match import Match
from connectoe.draw.text import text as text_picture
from connectoe.engines.engine import Analysis
from connectoe.engines.readiness import is_ready
from connectoe.web.render.animation import steps_between
from connectoe.web.render.boards import board_shown, measures
from connectoe.web.render.match_page import MOST_LISTED, scene_after, symbol_of
from connectoe.web.render.templates import html
from connectoe.web.render.value_marks import ValueShown, best_tool, marks_svg, value_shown
from connectoe.web.render.values import Worth, is_final, worth_at_end, worth_of
from connectoe.web.render.words import changed_options
from connectoe.web.service.analysis_line import AnalysisLine, common
from connectoe.web.service.drafts import can_be_set_up
from connectoe.web.service.openings import openings

MOST_ROWS = 100
"""How many moves the explorer lists."""
LONG_QUERY = 1_000
FEW_LISTED = 15
OTHER_MOVES = 6
"""How many moves of another line are written out."""


class ExplorerRow(NamedTuple):
    """A move in the explorer: what it is worth, and how it was played in the studies."""

    move: str
    value: ValueShown | None
    games: int
    frequency: float
    """The share of the games in this position in which the move was made."""
    score: float
    """The share of the points that the player who made it won."""


class Step(NamedTuple):
    """A link to another number of moves of the line."""

    ply: int
    sign: str
    words: str
    link: str


class OtherLine(NamedTuple):
    """Another line: the moves by which it leaves this one, and the links that open and remove it."""

    words: str
    link: str
    removal: str


def board_context(
    line: AnalysisLine,
    *,
    address: str,
    note: str,
    since: int | None = None,
    analysis: Analysis | None = None,
    shows_values: bool = False,
    **more: Any,
) -> dict[str, Any]:
    """Return what `analysis_board.html` shows.

    `address` is that of the server, `note` what is said during an analysis, `since` the ply that the page shows so far.
    `shows_values` is on where a viewer without scripts has asked for values, which go on being shown.
    """
    match, shown = line.match, line.shown
    scene = scene_after(shown, line.ply)
    outcome = shown.outcome
    fields: dict[str, object] = {"line": line.query} | ({"values": 1} if shows_values else {})
    board = board_shown(
        scene,
        action=f"/analyse/{line.game.id}/play",
        fields=fields,
        tools=line.game.tools,
        pictures=line.game.tool_pictures,
        steps=() if since is None else steps_between(match, since, line.ply),
        refusals=() if outcome else line.game.refusals(shown.state.position),
        otherwise="the game is over" if outcome else line.game.may_do(shown.state.position),
    )
    return {
        "line": line,
        "game": line.game,
        "match": match,
        "ply": line.ply,
        "scene": scene,
        "options": changed_options(line.game),
        "option_list": line.game.all_options(),
        "entered": {f"option-{name}": str(value) for name, value in line.game.options.items()},
        "status_symbol": symbol_of(outcome.winner if outcome else shown.turn, scene),
        "symbols": [symbol_of(seat, scene) for seat in (0, 1)],
        "board": board._replace(picture=board.picture + marks_svg(shown, analysis)),
        "fields": fields,
        "is_over": outcome is not None,
        "worth": worth_at_end(shown) if outcome else worth_of(shown, analysis) if analysis else None,
        "explorer": explorer_context(shown, analysis),
        "setting": urlencode(line.setting),
        "steps": _steps(line),
        "moves": _listed(line),
        "others": [_other(line, number) for number in range(len(line.others))],
        "shows_values": shows_values,
        "values_link": line.link_with(values="1"),
        "play_link": f"/new/{line.game.id}?{AnalysisLine.of_match(shown).query}",
        "set_up_link": _set_up_link(line),
        "address": address,
        "note": note,
        "measures": measures(scene),
        "text": text_picture(scene),
        "position": shown.state.text,
        "record": match.to_text(),
        **more,
    }


def _set_up_link(line: AnalysisLine) -> str:
    """Return the way to the page on which the position is changed by hand; empty where that cannot be done."""
    if not can_be_set_up(line.game):
        return ""
    fields = [*AnalysisLine(line.game).setting, ("draft", line.shown.state.text)]
    return f"/analyse/{line.game.id}/set-up?{urlencode(fields)}"


def _steps(line: AnalysisLine) -> list[Step]:
    last = len(line.moves)
    steps = [
        (0, "«", "To the start"),
        (max(0, line.ply - 1), "‹", "One move back"),
        (min(line.ply + 1, last), "›", "One move on"),
        (last, "»", "To the end"),
    ]
    return [Step(ply, sign, words, line.at(ply).link) for ply, sign, words in steps]


def _listed(line: AnalysisLine) -> list[Step]:
    """Return the moves around the position on the board; fewer of a long line, since each link holds all of it."""
    most = MOST_LISTED if len(line.query) < LONG_QUERY else FEW_LISTED
    plies = range(max(0, line.ply - most) + 1, min(len(line.moves), line.ply + most) + 1)
    return [Step(ply, line.moves[ply - 1], "", line.at(ply).link) for ply in plies]


def _other(line: AnalysisLine, number: int) -> OtherLine:
    other = line.others[number]
    shared = common(line.moves, other)
    words = " ".join([f"{shared + 1}.", *other[shared : shared + OTHER_MOVES]])
    more = " …" if len(other) > shared + OTHER_MOVES else ""
    return OtherLine(words + more, line.changed_to_other(number).link, line.without_other(number).link)


def explorer_context(match: Match, analysis: Analysis | None) -> dict[str, Any]:
    """Return what `_explorer.html` shows: every move that has a value or was played in the studies."""
    known = openings(match.game)
    studied = {one.move: one for one in known.moves(match.state)} if not match.outcome else {}
    total = sum(one.games for one in studied.values())
    values = {match.game.move_text(one.move): value_shown(one.value) for one in analysis.candidates} if analysis else {}
    rows = []
    for move in list(dict.fromkeys([*values, *studied]))[:MOST_ROWS]:
        one = studied.get(move)
        games, score = (one.games, one.share) if one else (0, 0.0)
        rows.append(ExplorerRow(move, values.get(move), games, games / total if total else 0.0, score))
    return {"rows": rows, "games": total, "all_games": known.games, "is_over": match.outcome is not None}


def values_data(line: AnalysisLine, analysis: Analysis | None) -> dict[str, Any]:
    """Return what the script of the page needs to show the values; without an analysis the game is over."""
    shown = line.shown
    worth: Worth = worth_of(shown, analysis) if analysis else worth_at_end(shown)
    moves = {shown.game.move_text(one.move): value_shown(one.value) for one in analysis.candidates} if analysis else {}
    fields = {"line": line.query}
    explorer = explorer_context(shown, analysis)
    return {
        "worth": worth._asdict(),
        "is_final": analysis is None or is_final(analysis),
        "is_by_engine": is_ready(line.game, "analysis"),
        "words": {move: value.words for move, value in moves.items()},
        "best_tool": best_tool(shown, analysis) if analysis else "",
        "marks": marks_svg(shown, analysis),
        "explorer": html("_explorer.html", explorer=explorer, game=line.game, fields=fields),
    }
