"""Games that play themselves, for the living boards of the gallery."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

from connectoe.core.catalogue import load_known
from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.draw.svg import ground_svg
from connectoe.scene import Scene
from connectoe.web.render.animation import steps_since


@lru_cache(maxsize=64)
def demo(game_id: str) -> tuple[Scene, list[dict[str, Any]]]:
    """A picture from the middle of a game, and the steps of each move that follows; the same each time.

    Where the ground under the pieces has changed, because a slider has moved or a tray was filled, the new one comes
    along. Special moves, like bombs, are not all used up before.
    """
    game = load_known(game_id)
    match = played_by_itself(game, most=60)
    special = [_is_special(game, move) for move in match.moves]
    if any(special) and not any(special[match.ply // 2 :]):
        match = played_by_itself(game, most=60, saves_special_moves=True)
    middle = match.ply // 2
    begun = Match(match.game)
    moves = []
    for number, move in enumerate(match.moves, start=1):
        begun.play(move)
        if number > middle:
            before, after = (_ground(match.scene(ply)) for ply in (number - 1, number))
            moves.append({"steps": steps_since(begun, number - 1), "ground": after if after != before else ""})
    return match.scene(middle), moves


def _is_special(game: Game, move: str) -> bool:
    return any(re.fullmatch(pattern, move) for pattern in game.special_moves.values())


def _ground(scene: Scene) -> str:
    lasting = [mark for mark in scene.highlights if mark.kind not in ("last", "forced", "owed")]
    return ground_svg(replace(scene, highlights=lasting))


def played_by_itself(game: Game, most: int, saves_special_moves: bool = False) -> Match:
    """A match of somebody who wins where that takes one move, and does not let the other."""
    chance = random.Random(f"{game.id} {game.options_text}")
    match = Match(game)
    while match.ply < most and match.turn is not None:
        moves = match.state.legal_moves()
        chance.shuffle(moves)
        if saves_special_moves:
            moves.sort(key=lambda move: _is_special(game, move))
        match.play(max(moves[:12], key=lambda move: _promise(match, move)))
    return match


def _promise(match: Match, move: str) -> int:
    after = match.state.play(move)
    if after.outcome:
        return 2 if after.outcome.winner == match.turn else -1
    replies = after.legal_moves()[:30]
    return 0 if any((found := after.play(reply).outcome) and found.winner == after.turn for reply in replies) else 1
