r"""Records of matches, as text for people and as JSON for programs. Both are versioned, both read back what they wrote.

The text is much like chess's PGN:

    [Connectoe "1"]                     the version of this format
    [Game "c4-twist"]
    [Options "cols=7 rows=6 connect=4 bombs=2"]
    [First "Ann"]                       player 0
    [Second "Bob"]                      player 1
    [Date "2026-11-15"]
    [Start "7/7/7/7/7/3X3 O 2 2"]       the start position, if it is not the usual one
    [Result "0-1"]                      1-0, 0-1, 1/2-1/2, or * while it goes on
    [Reason "resignation"]

    1. d d 2. *d {boom} c 0-1

Other tags are kept. In quoted texts and comments \\, \", \} and \n stand for these characters themselves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from connectoe.catalogue import load
from connectoe.errors import BadRecord, ConnectoeError
from connectoe.game import Game
from connectoe.match import OWN_TAGS, Match

VERSION = 1
RESULTS = {"0": "1-0", "1": "0-1", "draw": "1/2-1/2", None: "*"}
RESULT_OF = {shown: result for result, shown in RESULTS.items()}
ESCAPES = {"\\": "\\\\", '"': '\\"', "}": "\\}", "\n": "\\n", "\r": "\\r"}
ESCAPED = {escape[1]: character for character, escape in ESCAPES.items()}
LINE_WIDTH = 80

HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9_]{0,40}) "((?:[^"\\\n]|\\.)*)"\]')
COMMENT = re.compile(r"\{((?:[^}\\]|\\.)*)\}")
WORD = re.compile(r"[^\s{]+")
BLANKS = re.compile(r"\s*")
MOVE_NUMBER = re.compile(r"[0-9]+\.+")
LEADING_NUMBER = re.compile(r"^[0-9]+\.+(?=.)")


def to_text(match: Match) -> str:
    """The match as text.

    >>> match = Match(load("tic-tac-toe"))
    >>> match.play("b2")
    >>> to_text(match).splitlines()[-1]
    '1. b2 *'
    """
    outcome = match.outcome
    result = RESULTS[outcome.result if outcome else None]
    game = match.game
    headers = {"Connectoe": str(VERSION), "Game": game.id, "Options": game.options_text}
    headers |= {"First": match.players[0], "Second": match.players[1], "Date": match.date}
    headers["Start"] = match.start.text if match.start != game.start else ""
    headers |= {"Result": result, "Reason": outcome.reason if outcome else ""}
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in headers.items() if value]
    lines += [f'[{name} "{_escaped(value)}"]' for name, value in match.tags.items()]
    return "\n".join([*lines, "", *_wrapped(_movetext(match, result)), ""])


def _movetext(match: Match, result: str) -> Iterator[str]:
    if 0 in match.comments:
        yield f"{{{_escaped(match.comments[0])}}}"
    for number, move in enumerate(match.moves):
        yield f"{number // 2 + 1}. {move}" if number % 2 == 0 else move
        if number + 1 in match.comments:
            yield f"{{{_escaped(match.comments[number + 1])}}}"
    yield result


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
    """The match as one line of JSON.

    >>> match = Match(load("tic-tac-toe"))
    >>> read_matches(to_json(match)) == [match]
    True
    """
    return json.dumps(to_dict(match), ensure_ascii=False)


def to_dict(match: Match) -> dict[str, Any]:
    """The match as plain data, ready for JSON.

    >>> match = Match(load("c4-twist", bombs=2))
    >>> match.play("*d")
    >>> data = to_dict(match)
    >>> data["moves"], data["options"]["bombs"], data["result"]
    (['*d'], 2, None)
    """
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


def read_matches(text: str, *games: type[Game]) -> list[Match]:
    """The matches in a text of records, written as text or as JSON, one after the other.

    Games that are not installed can be given as classes.

    >>> [match] = read_matches('[Connectoe "1"] [Game "tic-tac-toe"] 1. b2 a1 *')
    >>> match.moves, match.turn
    (['b2', 'a1'], 0)
    >>> read_matches('[Connectoe "1"] [Game "tic-tac-toe"] 1. b2 b2')
    Traceback (most recent call last):
    connectoe.errors.BadRecord: line 1, move 2: 'b2' is not legal: there is a mark on b2 already
    """
    text = text.removeprefix("\ufeff")
    own = {game.id: game for game in games}
    if not text.strip():
        raise BadRecord("there is no record in it")
    return list(_read_json(text, own) if text.lstrip()[0] == "{" else _read_text(text, own))


# Text


def _escaped(text: str) -> str:
    return "".join(ESCAPES.get(character, character) for character in text)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: ESCAPED.get(found[1], found[1]), text, flags=re.DOTALL)


class _Reader:
    """A place in a text that moves forward as things are read from it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self.at = _end(BLANKS.match(self.text, self.at), self.at)
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def next_character(self) -> str:
        self.at = _end(BLANKS.match(self.text, self.at), self.at)
        return self.text[self.at : self.at + 1]

    def problem(self, what: str, at: int | None = None) -> BadRecord:
        line = self.text.count("\n", 0, self.at if at is None else at) + 1
        return BadRecord(f"line {line}{what}")


def _end(found: re.Match[str] | None, otherwise: int) -> int:
    return found.end() if found else otherwise


def _read_text(text: str, own: dict[str, type[Game]]) -> Iterator[Match]:
    reader = _Reader(text)
    while reader.next_character():
        begin = reader.at
        headers = _read_headers(reader)
        try:
            match = _match_from(
                own,
                headers.get("Game"),
                dict(part.partition("=")[::2] for part in headers.get("Options", "").split()),
                (headers.get("First", ""), headers.get("Second", "")),
                headers.get("Date", ""),
                headers.get("Start"),
                {name: value for name, value in headers.items() if name not in OWN_TAGS},
            )
        except ConnectoeError as error:
            raise reader.problem(f": {error}", begin) from error
        shown = _read_moves(reader, match)
        header = headers.get("Result", shown)
        for result in (header, shown):
            if result not in RESULT_OF:
                raise reader.problem(f": a result is 1-0, 0-1, 1/2-1/2 or *, not {result[:20]!r}")
        if shown not in (header, "*"):
            raise reader.problem(f": the header says {header}, the end of the moves says {shown}")
        try:
            _finish(match, RESULT_OF[header], headers.get("Reason"))
        except BadRecord as error:
            raise reader.problem(f": {error}") from error
        yield match


def _read_headers(reader: _Reader) -> dict[str, str]:
    headers: dict[str, str] = {}
    while reader.next_character() == "[":
        found = reader.take(HEADER)
        if not found:
            raise reader.problem(': a header looks like [Game "tic-tac-toe"]')
        if found[1] in headers:
            raise reader.problem(f": the header {found[1]} stands twice")
        headers[found[1]] = _unescaped(found[2])
    if "Connectoe" not in headers:
        raise reader.problem(f': a record begins with [Connectoe "{VERSION}"]')
    if headers["Connectoe"] != str(VERSION):
        raise reader.problem(
            f": version {headers['Connectoe'][:20]!r} of the format is not known; this reads {VERSION}"
        )
    return headers


def _read_moves(reader: _Reader, match: Match) -> str:
    """Plays the moves that follow and returns the result at their end, * if the text ends without one."""
    number = 0
    while character := reader.next_character():
        if character == "[":
            break
        if character == "{":
            comment = reader.take(COMMENT)
            if not comment:
                raise reader.problem(": this comment has no closing }")
            said = _unescaped(comment[1])
            match.comment(f"{match.comments[number]} {said}" if number in match.comments else said)
            continue
        word = reader.take(WORD)
        if word is None or MOVE_NUMBER.fullmatch(word[0]):
            continue
        if word[0] in RESULT_OF:
            return word[0]
        number += 1
        move = word[0]
        if move not in match.game.move_numbers:
            move = LEADING_NUMBER.sub("", move)  # as in 1.d
        try:
            match.play(move)
        except ConnectoeError as error:
            raise reader.problem(f", move {number}: {error}") from error
    return "*"


# JSON


def _read_json(text: str, own: dict[str, type[Game]]) -> Iterator[Match]:
    decoder = json.JSONDecoder()
    at = 0
    while at < len(text):
        try:
            data, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise BadRecord(f"this is not JSON: {error}") from error
        yield from_dict(data, *own.values())
        at = _end(BLANKS.match(text, at), at)


def from_dict(data: object, *games: type[Game]) -> Match:
    """The match that `to_dict` wrote.

    >>> from_dict({"connectoe": 1, "game": "tic-tac-toe", "moves": ["b2", "a1"]})
    <Match of load('tic-tac-toe'): 2 moves, X to move>
    """
    if not isinstance(data, dict) or data.get("connectoe") != VERSION or data["connectoe"] is True:
        raise BadRecord(f'a record in JSON is an object with "connectoe": {VERSION}')
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise BadRecord("a text in it holds half a character (a lone surrogate)") from None
    texts = {"game": str, "options": dict, "players": list, "moves": list, "comments": dict, "tags": dict}
    for name, kind in texts.items():
        if not isinstance(data.get(name, kind()), kind):
            raise BadRecord(f"{name!r} must be {'a text' if kind is str else 'a ' + kind.__name__}")
    players, moves = data.get("players", ["", ""]), data.get("moves", [])
    comments, tags = data.get("comments", {}), data.get("tags", {})
    if len(players) != 2 or not all(isinstance(name, str) for name in [*players, *moves, *comments.values()]):
        raise BadRecord("players are two texts, and moves and comments are texts")
    if not all(isinstance(value, str) for value in tags.values()):
        raise BadRecord("tags are texts")
    for name in ("date", "start", "result", "reason"):
        if not isinstance(data.get(name), str | None):
            raise BadRecord(f"{name!r} must be a text or null")
    own = {game.id: game for game in games}
    game, options = data.get("game"), data.get("options", {})
    match = _match_from(own, game, options, tuple(players), data.get("date") or "", data.get("start"), tags)
    for number, move in enumerate(moves, start=1):
        try:
            match.play(move)
        except ConnectoeError as error:
            raise BadRecord(f"move {number}: {error}") from error
    for key, said in comments.items():
        if not (key.isascii() and key.isdigit() and len(key) < 10 and int(key) <= len(moves)):
            raise BadRecord(f"a comment belongs to a number of moves up to {len(moves)}, not to {key[:20]!r}")
        match.comment(said, int(key))
    if data.get("result") not in RESULTS:
        raise BadRecord(f"a result is '0', '1', 'draw' or null, not {data.get('result')!r:.20}")
    _finish(match, data.get("result"), data.get("reason"))
    return match


# Both


def _match_from(
    own: dict[str, type[Game]],
    game_id: str | None,
    options: dict[str, Any],
    players: tuple[str, str],
    day: str,
    start: str | None,
    tags: dict[str, str],
) -> Match:
    if not game_id:
        raise BadRecord("the record does not name its game")
    if game_id.endswith(".py"):
        raise BadRecord("a record names its game by id, not by file")
    try:
        game = load(own.get(game_id, game_id), **{str(name): value for name, value in options.items()})
        begin = game.state(start) if start else None
        return Match(game, players=players, date=day, start=begin, tags=tags)
    except ConnectoeError as error:
        raise BadRecord(str(error)) from error


def _finish(match: Match, result: str | None, reason: str | None) -> None:
    """Ends a match as its record says, and refuses a record whose moves say otherwise."""
    outcome = match.outcome
    if outcome:
        if result is not None and result != outcome.result:
            raise BadRecord(
                f"the result is given as {RESULTS[result]}, but the moves end {match.game.how_it_ended(outcome)}"
            )
        return
    if result is None:
        return
    expected = "agreement" if result == "draw" else "resignation"
    if reason not in (None, "", expected):
        raise BadRecord(f"the result is given as {RESULTS[result]} ({reason[:40]}), but the moves do not end the game")
    if result == "draw":
        match.agree_draw()
    else:
        match.resign(1 - int(result))
