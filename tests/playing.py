"""Words that let tests read like play."""

from __future__ import annotations

from connectoe import Game, State, load


def after(game: Game | str, moves: str = "", **options: object) -> State:
    """The state after these moves, separated by blanks, from the start of a game."""
    state = (load(game, **options) if isinstance(game, str) else game).start
    for move in moves.split():
        state = state.play(move)
    return state
