"""The actions of the environments: the moves of a game and, by the pie rule, one more that swaps sides.

Agents are numbered by who begins, sides as in the game: after a swap, agent 0 has side 1. An agent sees the position
from the side it has now, and is rewarded for that side's result.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.core.swapping import SWAP_MOVE
from connectoe.envs.observing import mask_of


def has_swap(game: Game) -> bool:
    """Whether the last action swaps sides."""
    return game.swap == "yes"


def action_count(game: Game) -> int:
    """Return the number of actions.

    >>> import connectoe
    >>> action_count(connectoe.load("connect-four")), action_count(connectoe.load("connect-four", swap="yes"))
    (7, 8)
    """
    return len(game.move_texts) + has_swap(game)


def action_text(game: Game, action: int) -> str:
    """Return the notation of an action.

    >>> import connectoe
    >>> action_text(connectoe.load("connect-four", swap="yes"), 7)
    'swap'
    """
    return SWAP_MOVE if has_swap(game) and action == len(game.move_texts) else game.move_text(action)


def play_action(match: Match, action: int) -> None:
    """Play an action for the agent whose turn it is."""
    is_swap = has_swap(match.game) and action == len(match.game.move_texts)
    match.play(SWAP_MOVE if is_swap else action)


def action_mask(match: Match) -> NDArray[np.int8]:
    """Return an array with a 1 for every legal action; all 0 when the match is over."""
    mask = np.zeros(action_count(match.game), np.int8)
    if match.turn is not None:
        mask[: len(match.game.move_texts)] = mask_of(match.game, match.state.position)
        mask[len(match.game.move_texts) :] = match.may_swap
    return mask


def side_of(match: Match, agent: int) -> int:
    """Return the side that an agent has now."""
    return agent ^ match.is_swapped


def agent_to_move(match: Match) -> int | None:
    """Return the agent whose turn it is; None when the match is over."""
    return None if match.turn is None else side_of(match, match.turn)


def winning_agent(match: Match) -> int | None:
    """Return the agent that has won, if one has."""
    winner = match.outcome.winner if match.outcome else None
    return None if winner is None else side_of(match, winner)
