"""Games that play themselves, for the living boards of the gallery."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from connectoe.core.catalogue import load_known
from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.core.rules import ONGOING
from connectoe.core.state import State
from connectoe.draw.svg import ground_svg, inline_svg
from connectoe.scene import Scene
from connectoe.web.render.animation import steps_since


def demo_picture(game_id: str) -> Markup:
    """Return a picture from the middle of a game; the same each time."""
    return _picture(load_known(game_id))


@lru_cache(maxsize=64)
def _picture(game: Game) -> Markup:
    match = _demo_match(game)
    return Markup(inline_svg(match.scene(match.ply // 2)))


def demo_moves(game_id: str) -> list[dict[str, Any]]:
    """Return the steps of each move that follows after the picture.

    Where the ground under the pieces has changed, because a slider has moved or a tray was filled, the new one comes
    along.
    """
    return _moves(load_known(game_id))


@lru_cache(maxsize=64)
def _moves(game: Game) -> list[dict[str, Any]]:
    match = _demo_match(game)
    middle = match.ply // 2
    begun = Match(match.game)
    moves = []
    for number, move in enumerate(match.moves, start=1):
        begun.play(move)
        if number > middle:
            before, after = (_ground(match.scene(ply)) for ply in (number - 1, number))
            moves.append({"steps": steps_since(begun, number - 1), "ground": after if after != before else ""})
    return moves


@lru_cache(maxsize=64)
def _demo_match(game: Game) -> Match:
    """Return the match that is shown. Special moves, like bombs, are not all used up in its first half."""
    match = played_by_itself(game, most=60)
    special = [_is_special(game, move) for move in match.moves]
    if any(special) and not any(special[match.ply // 2 :]):
        match = played_by_itself(game, most=60, saves_special_moves=True)
    return match


def _is_special(game: Game, move: str) -> bool:
    return any(re.fullmatch(pattern, move) for pattern in game.special_moves.values())


def _ground(scene: Scene) -> str:
    lasting = [mark for mark in scene.highlights if mark.kind not in ("last", "forced", "owed")]
    return ground_svg(replace(scene, highlights=lasting))


def played_by_itself(game: Game, most: int, saves_special_moves: bool = False) -> Match:
    """A match between players who win if that takes one move, and do not let the other win so."""
    chance = random.Random(f"{game.id} {game.options_text}")
    match = Match(game)
    while match.ply < most and match.turn is not None:
        moves = match.state.legal_moves()
        chance.shuffle(moves)
        if saves_special_moves:
            moves.sort(key=lambda move: _is_special(game, move))
        match.play(max(moves[:12], key=lambda move: _promise(match.state, move)))
    return match


def _promise(state: State, move: str) -> int:
    """Return how good a move looks: it wins, lets nobody win at once, lets the opponent win, or loses."""
    rules, position = state.game.rules, state.position
    after = State(state.game, rules.play(position, state.game.move_from(move)))
    outcome = rules.outcome(after.position)
    if outcome != ONGOING:
        return 2 if outcome == state.turn else -1
    for reply in after.legal_moves()[:30]:
        if rules.outcome(rules.play(after.position, state.game.move_from(reply))) == after.turn:
            return 0
    return 1
