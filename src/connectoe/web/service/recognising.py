"""Recognising what somebody pastes: a record, a list of moves, or a position, with or without a header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from connectoe.core.catalogue import game_ids, load_known
from connectoe.core.errors import BadPosition, ConnectoeError
from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.core.records import read_matches
from connectoe.web.service.refusals import Refused

LONGEST_TEXT = 200_000
COMMENT = re.compile(r"\{[^}]*\}|;[^\n]*")
NUMBER = re.compile(r"\d+\.+")
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
    """A text that is neither a record nor moves nor a position."""


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
    try:
        found = read_matches(_with_header(text, game) if text[0] == "[" and HEADERS.match(text) else text)
    except ConnectoeError as error:
        raise NotRecognised(f"this looks like a record, but cannot be read: {error}") from error
    if not found:
        raise NotRecognised("there is no match in this record")
    match = found[0]
    words = f"a record of {match.game.name} with {_counted(match.ply)}"
    return Recognised(match, "record", words if len(found) == 1 else f"{words}, the first of {len(found):,}")


def _with_header(text: str, game: Game | None) -> str:
    """Return a text record with the headers that every record has, where they are missing."""
    names = HEADERS.findall(text.split("]\n\n")[0] if "]\n\n" in text else text)
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
            unknown = next(word for word in _words(text, game) if _matching(word, game) is None)
            raise NotRecognised(
                f"{unknown[:20]!r} is no move of {game.name}: a move is {game.move_help or 'one of its texts'}"
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
            continue
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = [one.match.game.name for one in fitting]
        listed = ", ".join(names[:MOST_NAMED]) + (" and others" if len(names) > MOST_NAMED else "")
        raise NotRecognised(f"this fits several games ({listed}): choose one")
    raise NotRecognised("this is no record, and neither moves nor a position of any game: choose a game to learn why")


def _counted(moves: int) -> str:
    return "1 move" if moves == 1 else f"{moves:,} moves"


# Moves.


def moves_in(text: str, game: Game) -> list[str] | None:
    """Return the moves in a text, legal or not; None if it is no list of moves.

    Numbers, comments and a result are left out, and moves may be written without blanks between them.

    >>> from connectoe import load
    >>> moves_in("1.d d 2... C {hm} 1-0", load("c4-twist"))
    ['d', 'd', 'c']
    >>> moves_in("d*dc", load("c4-twist")), moves_in("hello", load("c4-twist"))
    (['d', '*d', 'c'], None)
    """
    found: list[str] = []
    for word in _words(text, game):
        moves = _matching(word, game)
        if moves is None:
            return None
        found += moves
    return found or None


def _words(text: str, game: Game) -> list[str]:
    """Return the words of a list of moves without what is not a move; a number is one if the game has such a move."""
    words = re.split(r"[\s,]+", COMMENT.sub(" ", text).strip(", \n\t\r"))
    words = [word if word in game.move_numbers else NUMBER.sub("", word, count=1) for word in words]
    return [word for word in words if word and word not in RESULTS]


def _matching(word: str, game: Game) -> list[str] | None:
    """Return the moves that a word consists of; None if it does not."""
    if word in game.move_numbers:
        return [word]
    return _split(word, game, game.move_texts) or _split(word.casefold(), game, _folded(game))


def _split(word: str, game: Game, spellings: Sequence[str]) -> list[str] | None:
    """Return the moves in a word by one spelling of them, always the longest that fits."""
    known = dict(zip(spellings, game.move_texts, strict=True))
    move = re.compile("|".join(map(re.escape, sorted(known, key=len, reverse=True))))
    moves, at = [], 0
    while found := move.match(word, at):
        moves.append(known[found[0]])
        at = found.end()
    return moves if moves and at == len(word) else None


def _folded(game: Game) -> Sequence[str]:
    """Return the moves in small letters, if that leaves them different from each other."""
    folded = [move.casefold() for move in game.move_texts]
    return folded if len(set(folded)) == len(folded) else game.move_texts


def played(moves: Sequence[str], game: Game) -> Match:
    """Return a match with these moves, or raise NotRecognised with the number of the move that is not legal."""
    match = Match(game)
    for number, move in enumerate(moves, start=1):
        try:
            match.play(move)
        except ConnectoeError as error:
            raise NotRecognised(f"move {number}: {error}") from error
    return match
