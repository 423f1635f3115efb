"""A game for OpenSpiel: all its algorithms that take a game of perfect information.

    from connectoe.envs.open_spiel import open_spiel_game

    game = open_spiel_game("shift-tac-toe", edition="pressman")

or, after `register_all()`, by name: `pyspiel.load_game("connectoe_shift_tac_toe(edition=pressman)")`.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyspiel

from connectoe.catalogue import game_ids, load
from connectoe.envs.observing import observed, planes_of
from connectoe.game import Game
from connectoe.match import Match

PREFIX = "connectoe_"


def open_spiel_game(game: str | Path | ModuleType | type[Game] | Game, /, **options: object) -> Any:
    """This game as one of OpenSpiel's.

    >>> state = open_spiel_game("connect-four", rows=5).new_initial_state()
    >>> state.apply_action(3)
    >>> state.current_player(), state.action_to_string(2)
    (1, 'c')
    """
    made = load(game, **options)
    return _game_class(type(made))(dict(made.options))


def register_all() -> None:
    """Makes every game known to `pyspiel.load_game`, as `connectoe_` and its id with underscores.

    >>> register_all()
    >>> pyspiel.load_game("connectoe_c4_twist(bombs=2)").num_distinct_actions()
    14
    """
    known = pyspiel.registered_names()
    for game in game_ids():
        made = _game_class(type(load(game)))
        if made.game_type.short_name not in known:
            pyspiel.register_game(made.game_type, made)


_made: dict[type[Game], Any] = {}


def _game_class(game_class: type[Game]) -> Any:
    """The class of OpenSpiel's games for one of ours; always the same."""
    if game_class not in _made:
        _made[game_class] = _new_game_class(game_class)
    return _made[game_class]


def _new_game_class(game_class: type[Game]) -> Any:
    """A class of OpenSpiel's games for one of ours, with the same options as parameters."""
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
        parameter_specification={option.name: option.default for option in game_class.option_list},
    )

    class SpielGame(pyspiel.Game):  # type: ignore[misc]
        """A game with its options, as OpenSpiel wants it."""

        game_type = kind

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            self.game = load(game_class, **(params or {}))
            facts = pyspiel.GameInfo(
                num_distinct_actions=len(self.game.move_texts),
                max_chance_outcomes=0,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=self.game.ply_limit,
            )
            super().__init__(kind, facts, params or {})

        def new_initial_state(self) -> SpielState:
            """The start."""
            return SpielState(self, Match(self.game))

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            """What sees positions as planes."""
            if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
                return Observer(self.game)
            from open_spiel.python.observation import IIGObserverForPublicInfoGame

            return IIGObserverForPublicInfoGame(iig_obs_type, params)

    return SpielGame


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A match, as OpenSpiel wants it; one that lasts too long is drawn.

    >>> state = open_spiel_game("tic-tac-toe").new_initial_state()
    >>> state.legal_actions()
    [0, 1, 2, 3, 4, 5, 6, 7, 8]
    """

    def __init__(self, game: Any, match: Match) -> None:
        super().__init__(game)
        self.match = match

    def current_player(self) -> Any:
        """Who is to move.

        >>> open_spiel_game("tic-tac-toe").new_initial_state().current_player()
        0
        """
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.match.turn

    def is_terminal(self) -> bool:
        """Whether the match is over.

        >>> open_spiel_game("tic-tac-toe").new_initial_state().is_terminal()
        False
        """
        return self.match.turn is None or self.match.ply >= self.match.game.ply_limit

    def returns(self) -> list[float]:
        """1 for the winner and -1 for the loser.

        >>> state = open_spiel_game("tic-tac-toe").new_initial_state()
        >>> for move in (0, 3, 1, 4, 2):
        ...     state.apply_action(move)
        >>> state.returns()
        [1.0, -1.0]
        """
        outcome = self.match.outcome
        if outcome is None or outcome.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if outcome.winner == 0 else [-1.0, 1.0]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.match.game.rules.legal_moves(self.match.state.position))

    def _apply_action(self, action: int) -> None:
        self.match.play(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.match.game.move_text(action)

    def __str__(self) -> str:
        return str(self.match.state)


class Observer:
    """OpenSpiel's way to ask for planes: `set_from` fills `tensor`.

    >>> Observer(load("connect-four")).tensor.shape
    (84,)
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        shape = planes_of(game).shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Looks at a state with the eyes of a player.

        >>> game = open_spiel_game("tic-tac-toe")
        >>> state, observer = game.new_initial_state(), Observer(game.game)
        >>> state.apply_action(0)
        >>> observer.set_from(state, 1)
        >>> observer.tensor.tolist().index(1)  # the opponent's marks are on the second plane
        15
        """
        self.dict["observation"][:] = observed(self.game, state.match.state.position, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """The position as text; players see the same.

        >>> game = open_spiel_game("tic-tac-toe")
        >>> Observer(game.game).string_from(game.new_initial_state(), 0)
        '3/3/3 X'
        """
        return str(state.match.state.text)
