"""Reading records of matches, written as text or as JSON; `writing.py` writes them and describes the text form."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from connectoe.core.catalogue import load
from connectoe.core.errors import BadRecord, ConnectoeError
from connectoe.core.game import Game
from connectoe.core.match import AGREEMENT, REPETITION, RESIGNATION, Match
from connectoe.core.record_texts import OWN_TAGS
from connectoe.core.writing import ESCAPES, RESULTS, VERSION

REASONS_OF_MATCHES = (RESIGNATION, AGREEMENT.reason, REPETITION.reason)
RESULT_OF = {shown: result for result, shown in RESULTS.items()}
ESCAPED = {escape[1]: character for character, escape in ESCAPES.items()}

HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9_]{0,40}) "((?:[^"\\\n]|\\.)*)"\]')
COMMENT = re.compile(r"\{((?:[^}\\]|\\.)*)\}")
WORD = re.compile(r"[^\s{]+")
BLANKS = re.compile(r"\s*")
MOVE_NUMBER = re.compile(r"[0-9]+\.+")
JSON_BEGINS = re.compile(r"\s*(?:\{|\[\s*[{\]])")
LEADING_NUMBER = re.compile(r"^[0-9]+\.+(?=.)")


def read_matches(text: str, *games: type[Game]) -> list[Match]:
    """Return the matches in a text of records, in text form or as JSON.

    Games that are not installed can be given as classes.

    >>> [match] = read_matches('[Connectoe "1"] [Game "tic-tac-toe"] 1. b2 a1 *')
    >>> match.moves, match.turn
    (['b2', 'a1'], 0)
    >>> read_matches('[Connectoe "1"] [Game "tic-tac-toe"] 1. b2 b2')
    Traceback (most recent call last):
    connectoe.core.errors.BadRecord: line 1, move 2: 'b2' is not legal: there is a mark on b2 already
    """
    matches = list(each_match(text, *games))
    if not matches:
        raise BadRecord("there is no record in it")
    return matches


def each_match(text: str, *games: type[Game]) -> Iterator[Match]:
    """Yield the matches in a text of records one by one, each read only when it is asked for.

    >>> next(each_match('[Connectoe "1"] [Game "tic-tac-toe"] 1. b2 * [Connectoe "no such version"]')).moves
    ['b2']
    """
    text = text.removeprefix("\ufeff")
    own = {game.id: game for game in games}
    return _read_json(text, own) if is_json(text) else _read_text(text, own)


def is_json(text: str) -> bool:
    """Whether records are in JSON: one object after the other, or a list of them.

    >>> is_json('[{"connectoe": 1}]'), is_json('[Connectoe "1"]')
    (True, False)
    """
    return JSON_BEGINS.match(text.removeprefix("\ufeff")) is not None


def form_for(file: Path) -> str:
    """Return the form of records for a file name: 'json' for .json and .jsonl, else 'text', with or without .gz.

    >>> form_for(Path("match.JSON")), form_for(Path("matches.jsonl.gz")), form_for(Path("match"))
    ('json', 'json', 'text')
    """
    named = file.with_suffix("") if file.suffix.lower() == ".gz" else file
    return "json" if named.suffix.lower() in (".json", ".jsonl") else "text"


def written(matches: Iterable[Match], form: str) -> str:
    """Return the records of several matches as one text.

    >>> matches = [Match(load("tic-tac-toe")), Match(load("ultimate"))]
    >>> len(written(matches, "json").splitlines())
    2
    """
    if form == "json":
        return "".join(match.to_json() + "\n" for match in matches)
    return "\n".join(match.to_text() for match in matches)


def file_content(text: str, file: Path) -> bytes:
    r"""Return the bytes to write to a file: the text as UTF-8, compressed if the name ends in .gz.

    >>> file_content("…", Path("a.txt")), file_content("…", Path("a.txt.gz"))[:2]
    (b'\xe2\x80\xa6', b'\x1f\x8b')
    """
    return gzip.compress(text.encode(), mtime=0) if file.suffix.lower() == ".gz" else text.encode()


# Text


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: ESCAPED.get(found[1], found[1]), text, flags=re.DOTALL)


class _Reader:
    """A text and how far it has been read."""

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
        if begin and reader.next_character() != "[":
            after = reader.take(WORD) or reader.take(COMMENT)
            raise reader.problem(f": {after[0] if after else '{'!r:.22} comes after the result of the match", begin)
        headers = _read_headers(reader)
        try:
            match = _match_from(
                own,
                headers.get("Game"),
                _read_options(headers.get("Options", "")),
                (headers.get("First", ""), headers.get("Second", "")),
                headers.get("Date", ""),
                headers.get("Start"),
                {name: value for name, value in headers.items() if name not in OWN_TAGS},
            )
        except ConnectoeError as error:
            raise reader.problem(f": {error}", begin) from error
        names = match.players
        shown = _read_moves(reader, match)
        match.players = names  # by the sides at the end
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
        headers[found[1]] = said = _unescaped(found[2])
        if found[1] == "Connectoe" and said != str(VERSION):
            raise reader.problem(f": version {said[:20]!r} of the format is not known; this reads {VERSION}")
    if "Connectoe" not in headers:
        raise reader.problem(f': a record begins with [Connectoe "{VERSION}"]')
    return headers


def _read_options(text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in text.split():
        name, _, value = part.partition("=")
        if name in options:
            raise BadRecord(f"the option {name[:40]} stands twice")
        options[name] = value
    return options


def _read_moves(reader: _Reader, match: Match) -> str:
    """Play the moves that follow and return the result at their end, * if there is none."""
    comments: dict[int, list[str]] = {}
    result = "*"
    while (character := reader.next_character()) not in ("", "["):
        if character == "{":
            comment = reader.take(COMMENT)
            if not comment:
                raise reader.problem(": this comment has no closing }")
            comments.setdefault(match.ply, []).append(_unescaped(comment[1]))
            continue
        word = reader.take(WORD)
        if word is None or MOVE_NUMBER.fullmatch(word[0]):
            continue
        if word[0] in RESULT_OF:
            result = word[0]
            break
        move = word[0]
        if move not in match.game.move_numbers:
            move = LEADING_NUMBER.sub("", move)  # as in 1.d
        try:
            match.play(move)
        except ConnectoeError as error:
            raise reader.problem(f", move {match.ply + 1}: {error}") from error
    for ply, said in comments.items():
        match.comment(" ".join(said), ply)
    return result


# JSON

IN_JSON = {str: "a text", list: "an array", dict: "an object"}


def _read_json(text: str, own: dict[str, type[Game]]) -> Iterator[Match]:
    decoder = json.JSONDecoder(object_pairs_hook=_each_name_once)
    at = _end(BLANKS.match(text), 0)
    while at < len(text):
        try:
            data, at = decoder.raw_decode(text, at)
        except BadRecord:
            raise
        except (ValueError, RecursionError) as error:
            raise BadRecord(f"this is not JSON: {error}") from error
        for record in data if isinstance(data, list) else [data]:
            yield from_dict(record, *own.values())
        at = _end(BLANKS.match(text, at), at)


def _each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for name, value in pairs:
        if name in data:
            raise BadRecord(f"{name!r:.40} stands twice")
        data[name] = value
    return data


def from_dict(data: object, *games: type[Game]) -> Match:
    """Return the match that `to_dict` described.

    >>> from_dict({"connectoe": 1, "game": "tic-tac-toe", "moves": ["b2", "a1"]})
    <Match of load('tic-tac-toe'): 2 moves, X to move>
    """
    if not isinstance(data, dict) or data.get("connectoe") != VERSION or data["connectoe"] is True:
        raise BadRecord(f'a record in JSON is an object with "connectoe": {VERSION}')
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise BadRecord("a text in it holds half a character (a lone surrogate)") from None
    kinds = {"game": str, "options": dict, "players": list, "moves": list, "comments": dict, "tags": dict}
    for name, kind in kinds.items():
        if not isinstance(data.get(name, kind()), kind):
            raise BadRecord(f"{name!r} must be {IN_JSON[kind]}")
    players, moves = data.get("players", ["", ""]), data.get("moves", [])
    comments, tags = data.get("comments", {}), data.get("tags", {})
    if len(players) != 2 or not all(isinstance(name, str) for name in [*players, *moves, *comments.values()]):
        raise BadRecord("players are two texts, and moves and comments are texts")
    for name, value in tags.items():
        if not isinstance(value, str):
            raise BadRecord(f"the tag {name!r:.40} must be a text, not {json.dumps(value):.40}")
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
    match.players = players[0], players[1]  # by the sides at the end
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
    """End a match as its record says, or raise BadRecord if the moves contradict it."""
    outcome = match.outcome
    if outcome:
        # The words for a line may differ from version to version; those that the match itself gives do not.
        if reason in REASONS_OF_MATCHES and reason != outcome.reason:
            raise BadRecord(f"the reason is given as {reason}, but the moves end {match.game.how_it_ended(outcome)}")
        if result is not None and result != outcome.result:
            raise BadRecord(
                f"the result is given as {RESULTS[result]}, but the moves end {match.game.how_it_ended(outcome)}"
            )
        return
    if result is None:
        if reason:
            raise BadRecord(f"a reason for the end is given ({reason[:40]}), but the match goes on")
        return
    expected = AGREEMENT.reason if result == "draw" else RESIGNATION
    if reason not in (None, "", expected):
        raise BadRecord(f"the result is given as {RESULTS[result]} ({reason[:40]}), but the moves do not end the game")
    if result == "draw":
        match.agree_draw()
    else:
        match.resign(1 - int(result))
