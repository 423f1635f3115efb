r"""Writing records of matches, as text for people and as JSON for programs; `records.py` reads them.

The text resembles chess's PGN:

    [Connectoe "1"]                     the version of this format
    [Game "c4-twist"]
    [Options "cols=7 rows=6 connect=4 bombs=2"]
    [First "Ann"]                       player 0
    [Second "Bob"]                      player 1
    [Date "2026-11-15"]
    [Start "7/7/7/7/7/3X3 O 2 2"]       the start position, if it is not the usual one
    [Result "0-1"]                      1-0, 0-1, 1/2-1/2, or * while the match goes on
    [Reason "resignation"]

    1. d d 2. *d {boom} c 0-1

Other tags are kept. In quoted texts and comments \\, \", \} and \n stand for these characters.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from connectoe.core.game import Game
    from connectoe.core.match import Match

VERSION = 1
RESULTS = {"0": "1-0", "1": "0-1", "draw": "1/2-1/2", None: "*"}
ESCAPES = {"\\": "\\\\", '"': '\\"', "}": "\\}", "\n": "\\n", "\r": "\\r"}
LINE_WIDTH = 80


def to_text(match: Match) -> str:
    """Return the match as text."""
    outcome = match.outcome
    result = RESULTS[outcome.result if outcome else None]
    game = match.game
    headers = {"Connectoe": str(VERSION), "Game": game.id, "Options": game.options_text}
    headers |= {"First": match.players[0], "Second": match.players[1], "Date": match.date}
    headers["Start"] = match.start.text if match.start != game.start else ""
    headers |= {"Result": result, "Reason": outcome.reason if outcome else ""}
    lines = [f'[{name} "{escaped(value)}"]' for name, value in headers.items() if value]
    lines += [f'[{name} "{escaped(value)}"]' for name, value in match.tags.items()]
    return "\n".join([*lines, "", *_wrapped(_movetext(match, result)), ""])


def _movetext(match: Match, result: str) -> Iterator[str]:
    if 0 in match.comments:
        yield f"{{{escaped(match.comments[0])}}}"
    begins_second = match.start.turn == 1 and _takes_turns(match.game)
    for ply, move in enumerate(match.moves, start=1):
        number, is_second = divmod(ply - 1 + begins_second, 2)
        yield move if is_second and ply > 1 else f"{number + 1}{'...' if is_second else '.'} {move}"
        if ply in match.comments:
            yield f"{{{escaped(match.comments[ply])}}}"
    yield result


def _takes_turns(game: Game) -> bool:
    """Whether the players alternate, so that a number stands for a pair of moves of both."""
    state = game.start
    for player in (0, 1):
        if state.turn != player:
            return False
        state = state.play(state.moves()[0])
    return state.turn != 1


def _wrapped(words: Iterator[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > LINE_WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def to_json(match: Match) -> str:
    """Return the match as one line of JSON."""
    return json.dumps(to_dict(match), ensure_ascii=False)


def to_dict(match: Match) -> dict[str, Any]:
    """Return the match as plain data, ready for JSON."""
    outcome = match.outcome
    return {
        "connectoe": VERSION,
        "game": match.game.id,
        "options": match.game.options,
        "players": list(match.players),
        "date": match.date or None,
        "start": match.start.text if match.start != match.game.start else None,
        "moves": match.moves,
        "comments": {str(number): text for number, text in sorted(match.comments.items())},
        "tags": dict(match.tags),
        "result": outcome.result if outcome else None,
        "reason": outcome.reason if outcome else None,
    }


def escaped(text: str) -> str:
    """Return a text as it stands between quotation marks or in a comment."""
    return "".join(ESCAPES.get(character, character) for character in text)
