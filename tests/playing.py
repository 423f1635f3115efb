"""Words that let tests read like play."""

from __future__ import annotations

from connectoe import Game, Match, State, load


def after(game: Game | str, moves: str = "", **options: object) -> State:
    """The state after these moves, separated by blanks, from the start of a game."""
    state = (load(game, **options) if isinstance(game, str) else game).start
    for move in moves.split():
        state = state.play(move)
    return state


def ending(played: State | Match) -> tuple[int | None, str] | None:
    """Who won and why, in words; None while it goes on."""
    return played.outcome[:2] if played.outcome else None
