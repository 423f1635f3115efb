"""The side of open_spiel: its C++ random rollouts and its C++ MCTSBot, in an environment that has open_spiel.

Moves of connect_four are columns from the left. Moves of ultimate_tic_tac_toe are 9 * board + square, both counted row
by row from the top left; open_spiel makes two actions of such a move where the player may choose the board.
"""

from __future__ import annotations

import time
from typing import Any

import pyspiel  # type: ignore[import-not-found, unused-ignore]
from sides import answer

EXPLORATION = 1.4
"""The usual constant of UCT, the square root of two."""
MEMORY = 1000
"""Megabytes a search may take: never reached here."""
NO_LIMIT = 1_000_000_000


def playouts(game: str, amount: int, seed: int) -> dict[str, float]:
    """Play random games from the start, one after the other.

    The rollouts cannot be called from Python. But a search of one simulation only evaluates the root, and the evaluator
    is told how many rollouts an evaluation takes.
    """
    loaded = pyspiel.load_game(game)
    evaluator = pyspiel.RandomRolloutEvaluator(amount, seed)
    bot = pyspiel.MCTSBot(loaded, evaluator, EXPLORATION, 1, MEMORY, False, seed, False)
    start = loaded.new_initial_state()
    began = time.perf_counter()
    bot.mcts_search(start)
    return {"done": amount, "seconds": time.perf_counter() - began}


def searches(game: str, amount: int, simulations: int, positions: list[list[int]], seed: int) -> dict[str, float]:
    """Search `amount` times, going round the positions, which are given as moves from the start."""
    loaded = pyspiel.load_game(game)
    states = [state_after(loaded, moves) for moves in positions]
    done, seconds = 0, 0.0
    for number in range(amount):
        bot = mcts_bot(loaded, seed + number, simulations=simulations)
        state = states[number % len(states)]
        began = time.perf_counter()
        root = bot.mcts_search(state)
        seconds += time.perf_counter() - began
        done += root.explore_count
    return {"done": done, "seconds": seconds}


def mcts_bot(game: Any, seed: int, *, simulations: int = NO_LIMIT, seconds: float = -1.0) -> Any:
    """Return an MCTSBot with one rollout per simulation that proves wins and losses."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    policy = pyspiel.ChildSelectionPolicy.UCT
    return pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, MEMORY, True, seed, False, policy, seconds)


def chooses_board(state: Any) -> bool:
    """Whether the next action only chooses a board, and the square comes with the action after it."""
    return state.get_game().get_type().short_name == "ultimate_tic_tac_toe" and forced_board(state) is None


def forced_board(state: Any) -> int | None:
    """Return the board in which the next action marks a square, from the text of the state."""
    words = str(state).rsplit("Forced board:", 1)[1].split()
    return None if words[0] == "any" else int(words[0])


def state_after(game: Any, moves: list[int]) -> Any:
    """Return the state after these moves."""
    state = game.new_initial_state()
    for move in moves:
        play(state, move)
    return state


def play(state: Any, move: int) -> None:
    """Play a move, which is one action or two."""
    if state.get_game().get_type().short_name != "ultimate_tic_tac_toe":
        state.apply_action(move)
        return
    board, square = divmod(move, 9)
    if chooses_board(state):
        state.apply_action(board)
    assert forced_board(state) == board, f"open_spiel plays on another board than {board} now"
    state.apply_action(square)


def legal_moves(state: Any) -> list[int]:
    """Return the legal moves, as numbered in this file."""
    if state.get_game().get_type().short_name != "ultimate_tic_tac_toe":
        return list(state.legal_actions())
    if not chooses_board(state):
        return [9 * forced_board(state) + square for square in state.legal_actions()]  # type: ignore[operator]
    return [9 * board + square for board in state.legal_actions() for square in state.child(board).legal_actions()]


def look(game: str, moves: list[int]) -> dict[str, Any]:
    """Return the legal moves after these moves, or the result for the first player, from open_spiel."""
    state = state_after(pyspiel.load_game(game), moves)
    if state.is_terminal():
        return {"legal": [], "result": state.returns()[0]}
    return {"legal": legal_moves(state), "result": None}


def choose(game: str, moves: list[int], seconds: float, seed: int) -> dict[str, Any]:
    """Return the move MCTSBot chooses in that time; where it takes two actions, each has half of it."""
    loaded = pyspiel.load_game(game)
    state = state_after(loaded, moves)
    if game != "ultimate_tic_tac_toe":
        return {"move": mcts_bot(loaded, seed, seconds=seconds).step(state)}
    if chooses_board(state):
        seconds /= 2
        state.apply_action(mcts_bot(loaded, seed, seconds=seconds).step(state))
    board = forced_board(state)
    assert board is not None
    return {"move": 9 * board + mcts_bot(loaded, seed + 1, seconds=seconds).step(state)}


if __name__ == "__main__":
    answer({"playouts": playouts, "searches": searches, "look": look, "choose": choose})
