"""Random openings, for players who would otherwise play the same game again and again."""

from __future__ import annotations

import random

from connectoe.core.game import Game
from connectoe.core.looking import wins_at_once
from connectoe.core.match import Match


def opening(game: Game, seed: int, plies: int) -> list[str]:
    """Return random moves that neither end the game nor leave a win in one move; fewer if there are no such moves.

    By the pie rule it is at most one move, to which the second player answers.
    """
    if game.swap == "yes":
        plies, game = min(plies, 1), game.plain
    choice = random.Random(f"{game.id} {game.options_text} {seed}")
    for length in range(plies, -1, -1):
        for _ in range(20):
            match = Match(game)
            while len(match.moves) < length and not match.outcome:
                match.play(choice.choice(match.legal_moves()))
            if not match.outcome and not wins_at_once(game.rules, match.state.position):
                return match.moves
    return []
