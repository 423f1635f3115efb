"""Recognising what somebody pastes: a record, a list of moves, or a position, with or without a header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from connectoe.core.budget import check_budget
from connectoe.core.catalogue import game_ids, load_known
from connectoe.core.errors import BadPosition, ConnectoeError
from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.core.records import each_match
from connectoe.core.swapping import SWAP_MOVE
from connectoe.web.service.refusals import Refused

LONGEST_TEXT = 200_000
COMMENT = re.compile(r"\{[^}]*\}?|;[^\n]*")
"""A comment that is never closed reaches to the end of the text, so that the text is searched only once."""
NUMBER = re.compile(r"\A\d+\.+")
RESULTS = {"1-0", "0-1", "1/2-1/2", "½-½", "*"}
HEADERS = re.compile(r'\[\s*([A-Za-z]\w*)\s+"')
MOST_NAMED = 3


class Recognised(NamedTuple):
    """What a text turned out to be: a match, the kind of text, and the same in words."""

    match: Match
    kind: str
    """`record`, `moves` or `position`."""
    words: str


class NotRecognised(Refused):
    """A text that is neither a record, nor moves, nor a position."""


def recognised(text: str, game: Game | None = None) -> Recognised:
    """Return the match that a text stands for, or raise NotRecognised with the reason.

    Without a game, the text must name it, or fit only one.

    >>> from connectoe import load
    >>> found = recognised("1. d d 2. c", load("connect-four"))
    >>> found.match.moves, found.words
    (['d', 'd', 'c'], '3 moves of Connect Four')
    >>> recognised("ddcdf", load("connect-four")).match.ply
    5
    >>> recognised("7/7/7/7/7/3X3 O", load("connect-four")).words
    'a position of Connect Four, O to move'
    >>> recognised('[Game "tic-tac-toe"] 1. b2 a1').words
    'a record of Tic-tac-toe with 2 moves'
    """
    text = text.lstrip("\ufeff").strip()
    if not text:
        raise NotRecognised("there is nothing to read: paste moves, a position or a record")
    if len(text) > LONGEST_TEXT:
        raise NotRecognised(f"this is too long: at most {LONGEST_TEXT:,} characters are read")
    if text[0] in "[{":
        return _from_record(text, game)
    if game:
        return _from_bare_text(text, game)
    return _from_any_game(text)


def _from_record(text: str, game: Game | None) -> Recognised:
    """Return the first record in a text; the others are not even read."""
    try:
        match = next(each_match(_with_header(text, game) if HEADERS.match(text) else text), None)
    except ConnectoeError as error:
        raise NotRecognised(f"this looks like a record, but cannot be read: {error}") from error
    if match is None:
        raise NotRecognised("there is no match in this record")
    words = f"a record of {match.game.name} with {_counted(match.ply)}"
    is_one = text.count('[Connectoe "') + text.count('"connectoe":') <= 1
    return Recognised(match, "record", words if is_one else f"{words}, the first of several")


def _with_header(text: str, game: Game | None) -> str:
    """Return a text record with the headers that every record has, where they are missing."""
    names = HEADERS.findall(text.partition("]\n\n")[0])
    missing = [] if "Connectoe" in names else ['[Connectoe "1"]']
    if "Game" not in names:
        if game is None:
            raise NotRecognised("this record does not name its game: choose one")
        missing.append(f'[Game "{game.id}"]')
        if "Options" not in names and game.options:
            missing.append(f'[Options "{game.options_text}"]')
    return "\n".join([*missing, text])


def _from_bare_text(text: str, game: Game) -> Recognised:
    moves = moves_in(text, game)
    if moves is not None:
        return Recognised(played(moves, game), "moves", f"{_counted(len(moves))} of {game.name}")
    try:
        state = game.state(text)
    except BadPosition as error:
        first = text.split()[0]
        if _matching(first, game) or NUMBER.match(first):
            unknown = next((word for word in _words(text, game) if _matching(word, game) is None), "")
            what = f"{unknown[:20]!r} is no" if unknown else "this contains no"
            raise NotRecognised(
                f"{what} move of {game.name}: a move is {game.move_help or 'one of its texts'}"
            ) from error
        raise NotRecognised(
            f"this is no record and no list of moves of {game.name}; as a position it cannot be read: {error}"
        ) from error
    return Recognised(Match(game, start=state), "position", f"a position of {game.name}, {state.status}")


def _from_any_game(text: str) -> Recognised:
    fitting = []
    for game_id in game_ids():
        try:
            fitting.append(_from_bare_text(text, load_known(game_id)))
        except ConnectoeError:
            check_budget()
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = [one.match.game.name for one in fitting]
        listed = ", ".join(names[:MOST_NAMED]) + (" and others" if len(names) > MOST_NAMED else "")
        raise NotRecognised(f"this fits several games ({listed}): choose one")
    raise NotRecognised("this is not a record, nor moves or a position of any game: choose a game to learn why")


def _counted(moves: int) -> str:
    return "1 move" if moves == 1 else f"{moves:,} moves"


# Moves.


def moves_in(text: str, game: Game) -> list[str] | None:
    """Return the moves in a text, legal or not; None if it is no list of moves.

    Numbers, comments and a result are left out, and moves may be written without blanks between them. Where moves are
    the letters of columns, these may all be given by their numbers instead.

    >>> from connectoe import load
    >>> moves_in("1.d d 2... C {hm} 1-0", load("c4-twist"))
    ['d', 'd', 'c']
    >>> moves_in("d*dc", load("c4-twist")), moves_in("hello", load("c4-twist"))
    (['d', '*d', 'c'], None)
    >>> moves_in("1. 4 4 2. 3", load("c4-twist"))
    ['d', 'd', 'c']
    """
    found: list[str] = []
    words = _words(text, game)
    columns = _columns_by_number(game)
    if all(columns.keys() >= set(word) for word in words):
        return [columns[digit] for word in words for digit in word] or None
    for word in words:
        moves = _matching(word, game)
        if moves is None:
            return None
        found += moves
    return found or None


def _columns_by_number(game: Game) -> dict[str, str]:
    """Return the columns of a game whose moves are their letters by digits from 1, as most records number them."""
    letters = enumerate("abcdefghi", start=1)
    columns = {str(number): letter for number, letter in letters if letter in game.move_numbers}
    return {} if columns.keys() & game.move_numbers.keys() else columns


def _words(text: str, game: Game) -> list[str]:
    """Return the words of a list of moves without what is not a move; a number is one if the game has such a move."""
    words = re.split(r"[\s,]+", COMMENT.sub(_blank, text).strip(", \n\t\r"))
    words = [word if word in game.move_numbers else NUMBER.sub("", word) for word in words]
    return [word for word in words if word and word not in RESULTS]


def _blank(comment: re.Match[str]) -> str:
    return comment[0] if comment[0][0] == "{" and comment[0][-1] != "}" else " "


def _matching(word: str, game: Game) -> list[str] | None:
    """Return the moves that a word consists of; None if it does not."""
    if word in game.move_numbers or (word == SWAP_MOVE and game.swap == "yes"):
        return [word]
    exact, folded = _spellings(game)
    return _split(word, exact) or _split(word.casefold(), folded)


class _Spelling(NamedTuple):
    """The moves by the way they are written, and how long these texts are, the longest first."""

    moves: dict[str, str]
    lengths: list[int]


@lru_cache(maxsize=64)
def _spellings(game: Game) -> tuple[_Spelling, _Spelling]:
    """Return the moves as they are, and in small letters, if that leaves them different from each other."""
    exact = {move: move for move in game.move_texts}
    folded = {move.casefold(): move for move in exact}
    lengths = sorted(set(map(len, exact)), reverse=True)
    return _Spelling(exact, lengths), _Spelling(folded if len(folded) == len(exact) else exact, lengths)


def _split(word: str, spelling: _Spelling) -> list[str] | None:
    """Return the moves in a word, always the longest that fits; None if there is anything else in it."""
    moves, at = [], 0
    while at < len(word):
        fitting = (length for length in spelling.lengths if word[at : at + length] in spelling.moves)
        length = next(fitting, 0)
        if not length:
            return None
        moves.append(spelling.moves[word[at : at + length]])
        at += length
    return moves


def played(moves: Sequence[str], game: Game) -> Match:
    """Return a match with these moves, or raise NotRecognised with the number of the move that is not legal."""
    match = Match(game)
    for number, move in enumerate(moves, start=1):
        try:
            match.play(move)
        except ConnectoeError as error:
            raise NotRecognised(f"move {number}: {error}") from error
    return match
