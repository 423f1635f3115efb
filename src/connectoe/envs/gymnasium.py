"""A game for Gymnasium: one agent against a named opponent.

    import gymnasium
    import connectoe.envs.gymnasium  # registers all games with Gymnasium, as connectoe/GAME-v0

    env = gymnasium.make("connectoe/connect-four-v0", opponent="easy", side="second")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(choose(observation, info["action_mask"]))

The options of a game are keywords too: `gymnasium.make("connectoe/c4-twist-v0", bombs=2)`.
With `swap="yes"` the last action swaps sides; see `actions`.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any, SupportsInt

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from connectoe.core.catalogue import game_ids, load
from connectoe.core.errors import ConnectoeError, IllegalMove
from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.envs.actions import action_count, action_mask, agent_to_move, play_action, side_of, winning_agent
from connectoe.envs.observing import observed, planes_of
from connectoe.envs.rendering import RENDER_MODES, check_render_mode, rendered
from connectoe.players import player

SIDES = ("first", "second", "random")


class AgainstOpponent(gymnasium.Env[NDArray[np.int8], Any]):
    """The agent's own moves are the steps; the opponent answers within them.

    The reward is 1 for a win, -1 for a loss, else 0. An illegal move loses, and `info["illegal"]` says why it is
    illegal. `info["action_mask"]` marks the legal moves, as does `action_masks()`, which some libraries call.

    >>> env = AgainstOpponent("tic-tac-toe", opponent="easy")
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, info["action_mask"].tolist()
    ((2, 3, 3), [1, 1, 1, 1, 1, 1, 1, 1, 1])
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - Gymnasium's own way

    def __init__(
        self,
        game: str | Path | ModuleType | type[Game] | Game,
        opponent: str = "random",
        side: str = "first",
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        """`opponent` is any player that `connectoe.player` knows; `side` says whether the agent moves first, second, or
        at random one of the two after each reset."""
        if side not in SIDES:
            raise ConnectoeError(f"there is no side {side!r:.30}; the sides are: {', '.join(SIDES)}")
        check_render_mode(render_mode)
        self.game = load(game, **options)
        self.side = side
        self.render_mode = render_mode
        self.opponent_name = opponent
        self._opponent = player(opponent, self.game)
        planes = planes_of(self.game)
        self.observation_space = spaces.Box(0, planes.highest, planes.shape, np.int8)
        self.action_space = spaces.Discrete(action_count(self.game))
        self.match = Match(self.game)
        self.agent = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Begin a new game; if the opponent moves first, it has moved already."""
        super().reset(seed=seed)
        if seed is not None:
            self._opponent = player(self.opponent_name, self.game, int(self.np_random.integers(1 << 60)))
        self.agent = int(self.np_random.integers(2)) if self.side == "random" else SIDES.index(self.side)
        self.match = Match(self.game)
        self._answer()
        return self._seen(), self._info()

    def step(self, action: SupportsInt) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Play the agent's move, then the opponent's until the agent is to move again."""
        if self._is_over:
            raise ConnectoeError("this game is over: reset() begins another")
        try:
            play_action(self.match, int(action))
        except IllegalMove as error:
            self.match.resign(side_of(self.match, self.agent))
            return self._seen(), -1.0, True, False, {**self._info(), "illegal": str(error)}
        self._answer()
        outcome, won_by = self.match.outcome, winning_agent(self.match)
        reward = 0.0 if won_by is None else 1.0 if won_by == self.agent else -1.0
        is_too_long = outcome is None and self.match.ply >= self.game.ply_limit
        if self.render_mode == "human":
            self.render()
        return self._seen(), reward, outcome is not None, is_too_long, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which moves are legal now."""
        return self._mask().astype(bool)

    def render(self) -> Any:
        """Return the board as text or SVG; the mode `human` prints it."""
        return rendered(self.match, self.render_mode)

    @property
    def _is_over(self) -> bool:
        return self.match.turn is None or self.match.ply >= self.game.ply_limit

    def _mask(self) -> NDArray[np.int8]:
        mask = action_mask(self.match)
        if self._is_over:
            mask[:] = 0
        return mask

    def _answer(self) -> None:
        while agent_to_move(self.match) == 1 - self.agent and not self._is_over:
            self.match.play(self._opponent.choose(self.match))

    def _seen(self) -> NDArray[np.int8]:
        return observed(self.game, self.match.state.position, side_of(self.match, self.agent))

    def _info(self) -> dict[str, Any]:
        outcome = self.match.outcome
        info = {"action_mask": self._mask(), "agent": self.agent, "side": side_of(self.match, self.agent)}
        return info | ({"reason": outcome.reason} if outcome else {})


for game_id in game_ids():
    gymnasium.register(f"connectoe/{game_id}-v0", f"{__name__}:AgainstOpponent", kwargs={"game": game_id})
