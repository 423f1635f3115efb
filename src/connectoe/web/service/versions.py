"""Which rules a stored match is played by: those of its game, or of an earlier version of somebody's own game."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from connectoe.core.catalogue import load, load_known
from connectoe.core.errors import ConnectoeError, UnknownGame
from connectoe.core.game import Game
from connectoe.core.own_games import in_version, own_game_of
from connectoe.engines.exact.fingerprint import rules_fingerprint
from connectoe.web.service.refusals import Refused, RulesGone
from connectoe.web.service.storage import Row


class Played(NamedTuple):
    """The game of a match, and whether its rules have changed since the match began."""

    game: Game
    is_outdated: bool = False


@lru_cache(maxsize=256)
def shared(game: Game) -> Game:
    """Return the one object that stands for a game with its options in all matches.

    Each object has its own list of moves: 5 kB for Ultimate, ten times as much on the widest board.
    """
    return game


def game_of(row: Row) -> Played:
    """Return the game of a stored match, by the rules it began with; raise RulesGone if these are not known."""
    if not row.rules or version_now(row) in (row.rules, ""):
        try:
            return Played(shared(load_known(row.game, **row.options)))
        except UnknownGame:
            raise RulesGone(f"this is a match of {row.game!r}, a game that this server does not offer now") from None
    before = in_version(row.rules)
    if before is None:
        raise RulesGone(f"the rules of {row.game!r} have changed since this match, and the old ones are not known here")
    try:
        old = load(before, **row.options)
    except ConnectoeError as error:
        raise RulesGone(f"the rules that this match was played by cannot be used any more: {error}") from error
    try:
        new = load_known(row.game, **row.options)
    except ConnectoeError:  # such an option may be gone
        return Played(old, is_outdated=True)
    is_same = rules_fingerprint(new) == rules_fingerprint(old) and new.move_texts == old.move_texts
    return Played(new) if is_same else Played(old, is_outdated=True)


def version_now(row: Row) -> str:
    """Return the version of the match's game that is offered now; empty for a game that comes from no file."""
    own = own_game_of(row.game)
    return own.version if own else ""


def must_have_its_rules(is_outdated: bool) -> None:
    """Raise an error for a change to a match whose rules have changed."""
    if is_outdated:
        raise Refused(
            "the rules of this game have changed since this match began: it can be looked at and downloaded, but not "
            "played on; begin a new one"
        )
