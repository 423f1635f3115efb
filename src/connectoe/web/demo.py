"""Games that play themselves, for the living boards of the gallery."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

from connectoe.catalogue import load_known
from connectoe.draw.svg import ground_svg
from connectoe.game import Game
from connectoe.match import Match
from connectoe.scene import Scene
from connectoe.web.board import happened


@lru_cache(maxsize=64)
def demo(game_id: str) -> tuple[Scene, list[dict[str, Any]]]:
    """A picture from the middle of a game, and the steps of each move that follows; the same each time.

    Where sliders have moved, the new ground under the pieces comes along.

    >>> scene, moves = demo("connect-four")
    >>> len(scene.pieces) > 5, len(moves) > 3
    (True, True)
    """
    match = played_by_itself(load_known(game_id), most=60)
    middle = match.ply // 2
    scene = match.scene(middle)
    begun = Match(match.game)
    moves = []
    for number, move in enumerate(match.moves, start=1):
        begun.play(move)
        if number > middle:
            steps = happened(begun, number - 1)
            ground = ground_svg(match.scene(number)) if any(step["slide"] for step in steps) else ""
            moves.append({"steps": steps, "ground": ground})
    return scene, moves


def played_by_itself(game: Game, most: int) -> Match:
    """A match of somebody who wins where that takes one move, and does not let the other.

    >>> match = played_by_itself(load_known("connect-four"), most=60)
    >>> match.outcome is not None
    True
    """
    chance = random.Random(f"{game.id} {game.options_text}")
    match = Match(game)
    while match.ply < most and match.turn is not None:
        moves = match.state.legal_moves()
        chance.shuffle(moves)
        match.play(max(moves[:12], key=lambda move: _promise(match, move)))
    return match


def _promise(match: Match, move: str) -> int:
    after = match.state.play(move)
    if after.outcome:
        return 2 if after.outcome.winner == match.turn else -1
    replies = after.legal_moves()[:30]
    return 0 if any((found := after.play(reply).outcome) and found.winner == after.turn for reply in replies) else 1
