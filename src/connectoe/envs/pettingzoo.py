"""A game for PettingZoo: two agents, `player_0` and `player_1`, that move by turns (the AEC API).

from connectoe.envs.pettingzoo import env

game = env("c4-twist", bombs=2)
game.reset(seed=1)
for agent in game.agent_iter():
    observation, reward, terminated, truncated, info = game.last()
    game.step(None if terminated or truncated else choose(observation["observation"], observation["action_mask"]))
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from connectoe.core.catalogue import load
from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.envs.actions import action_count, action_mask, agent_to_move, play_action, side_of, winning_agent
from connectoe.envs.observing import observed, planes_of
from connectoe.envs.rendering import RENDER_MODES, check_render_mode, rendered

AGENTS = ("player_0", "player_1")


def env(game: str | Path | ModuleType | type[Game] | Game, render_mode: str | None = None, **options: object) -> Any:
    """Return the environment for general use: an illegal move loses, and calls in the wrong order are refused."""
    itself = GameEnv(load(game, **options), render_mode)
    forgiving = wrappers.TerminateIllegalWrapper(itself, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(forgiving))


class GameEnv(AECEnv):  # type: ignore[misc]
    """The environment itself; an illegal move raises IllegalMove, with the reason.

    An agent sees the position from its own side. While the other agent is to move, none of its moves is legal. The
    winner gets 1, the loser -1, both 0 for a draw, and a game that reaches the ply limit is truncated. With `swap=yes`
    the last action swaps sides; see `actions`.

    >>> import connectoe
    >>> game = GameEnv(connectoe.load("tic-tac-toe"))
    >>> game.reset()
    >>> for move in (0, 3, 1, 4, 2):
    ...     game.step(move)
    >>> game.rewards
    {'player_0': 1, 'player_1': -1}
    """

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        super().__init__()
        check_render_mode(render_mode)
        self.game = game
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{game.id.replace('-', '_')}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = list(AGENTS)
        planes, moves = planes_of(game), action_count(game)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, planes.highest, planes.shape, np.int8),
                    "action_mask": spaces.Box(0, 1, (moves,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.action_spaces = {agent: spaces.Discrete(moves) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent sees: a dict of `observation`, (planes, rows, columns), and `action_mask`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the moves of the game, as ints."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. Nothing in it is random, so the seed changes nothing."""
        self.match = Match(self.game)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[agent_to_move(self.match) or 0]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the position from this agent's side and its legal moves, none if the other agent is to move."""
        number = AGENTS.index(agent)
        mask = action_mask(self.match)
        if agent_to_move(self.match) != number:
            mask[:] = 0
        seen = observed(self.game, self.match.state.position, side_of(self.match, number))
        return {"observation": seen, "action_mask": mask}

    def step(self, action: Any) -> None:
        """Play a move, given as an int; None for an agent whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        play_action(self.match, int(action))
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0
        outcome = self.match.outcome
        if outcome:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.infos = {name: {"reason": outcome.reason} for name in AGENTS}
            winner = winning_agent(self.match)
            if winner is not None:
                self.rewards = {name: 1 if winner == index else -1 for index, name in enumerate(AGENTS)}
        elif self.match.ply >= self.game.ply_limit:
            self.truncations = dict.fromkeys(AGENTS, True)
        next_agent = agent_to_move(self.match)
        self.agent_selection = AGENTS[1 - AGENTS.index(agent) if next_agent is None else next_agent]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the board as text or SVG; the mode `human` prints it."""
        return rendered(self.match, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
