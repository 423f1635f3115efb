"""Games for OpenSpiel, for all its algorithms that take games of perfect information.

    from connectoe.envs.open_spiel import open_spiel_game

    game = open_spiel_game("shift-tac-toe", edition="pressman")

or, after `register_all()`, by name: `pyspiel.load_game("connectoe_shift_tac_toe(edition=pressman)")`.
With `swap=yes` the last action swaps sides; see `actions`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np
import pyspiel

from connectoe.core.catalogue import game_ids, load
from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.envs.actions import (
    action_count,
    action_text,
    agent_to_move,
    has_swap,
    play_action,
    side_of,
    winning_agent,
)
from connectoe.envs.observing import observed, planes_of

PREFIX = "connectoe_"
SWAPPED = " swapped"
"""What is added to the text of a position after a swap, since the position is the same and the players are not."""


def open_spiel_game(game: str | Path | ModuleType | type[Game] | Game, /, **options: object) -> Any:
    """Return a game as an OpenSpiel game."""
    loaded = load(game, **options)
    spiel_class = _game_class(cast(Any, type(loaded)))
    return spiel_class(dict(loaded.options))


def register_all() -> None:
    """Register every game with `pyspiel.load_game`, as `connectoe_` and its id with underscores."""
    known = pyspiel.registered_names()
    for game in game_ids():
        spiel_class = _game_class(cast(Any, type(load(game))))
        if spiel_class.game_type.short_name not in known:
            pyspiel.register_game(spiel_class.game_type, spiel_class)


@cache
def _game_class(game_class: Any) -> Any:
    """Return the OpenSpiel class for one of our classes, with the same options as parameters."""
    kind = pyspiel.GameType(
        short_name=PREFIX + game_class.id.replace("-", "_"),
        long_name=game_class.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={option.name: option.default for option in game_class.all_options()},
    )

    class SpielGame(pyspiel.Game):  # type: ignore[misc]
        """A game with its options."""

        game_type = kind

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            self.game = load(game_class, **(params or {}))
            info = pyspiel.GameInfo(
                num_distinct_actions=action_count(self.game),
                max_chance_outcomes=0,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=self.game.ply_limit,
            )
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> SpielState:
            """Return the start state."""
            return SpielState(self, Match(self.game))

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            """Return an observer that sees positions as planes."""
            if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
                return Observer(self.game)
            from open_spiel.python.observation import IIGObserverForPublicInfoGame

            return IIGObserverForPublicInfoGame(iig_obs_type, params)

    return SpielGame


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A match as an OpenSpiel state; one that reaches the ply limit is drawn.

    >>> state = open_spiel_game("tic-tac-toe").new_initial_state()
    >>> state.legal_actions()
    [0, 1, 2, 3, 4, 5, 6, 7, 8]
    """

    def __init__(self, game: Any, match: Match) -> None:
        super().__init__(game)
        self.match = match

    def current_player(self) -> Any:
        """Return the player to move."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else agent_to_move(self.match)

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.match.turn is None or self.match.ply >= self.match.game.ply_limit

    def returns(self) -> list[float]:
        """Return 1 for the winner and -1 for the loser, 0 for both in a draw."""
        winner = winning_agent(self.match)
        if winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if winner == 0 else [-1.0, 1.0]

    def _legal_actions(self, player: int) -> list[int]:
        game = self.match.game
        moves = sorted(game.rules.legal_moves(self.match.state.position))
        return [*moves, len(game.move_texts)] if has_swap(game) and self.match.may_swap else moves

    def _apply_action(self, action: int) -> None:
        play_action(self.match, int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return action_text(self.match.game, action)

    def __str__(self) -> str:
        return f"{self.match.state}{SWAPPED if self.match.is_swapped else ''}"


class Observer:
    """An observer as OpenSpiel defines it: `set_from` fills `tensor`.

    >>> Observer(load("connect-four")).tensor.shape
    (84,)
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        shape = planes_of(game).shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with what a player sees of a state."""
        match = state.match
        self.dict["observation"][:] = observed(self.game, match.state.position, side_of(match, player))

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the position as text, the same for both players; it says if they have swapped sides."""
        return f"{state.match.state.text}{SWAPPED if state.match.is_swapped else ''}"
