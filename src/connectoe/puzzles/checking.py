"""Checking puzzles without the engines that made them: plain recursion over the rules, to the depth that is claimed."""

from __future__ import annotations

from typing import Any

from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.core.rules import ONGOING
from connectoe.core.state import comparable
from connectoe.puzzles.puzzle import Puzzle


class PlainProof:
    """Forced wins by the rules in plain Python: every move of one side, some move of the other.

    >>> import connectoe
    >>> state = connectoe.load("tic-tac-toe").start.play("a1").play("b1")
    >>> proof = PlainProof(state.game)
    >>> proof.wins_within(state.position, 0, 5), proof.wins_within(state.position, 0, 4)
    (True, False)
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._known: dict[tuple[Any, ...], bool] = {}

    def wins_within(self, position: Any, player: int, plies: int) -> bool:
        """Whether this player can force a win within this many plies, with either to move."""
        rules = self.game.rules
        outcome = rules.outcome(position)
        if outcome != ONGOING or plies < 1:
            return bool(outcome == player)
        key = (*comparable(position), player, plies)
        known = self._known.get(key)
        if known is None:
            after = (rules.play(position, move) for move in rules.legal_moves(position))
            following = (self.wins_within(image, player, plies - 1) for image in after)
            known = self._known[key] = any(following) if rules.player(position) == player else all(following)
        return known


def problems_of(puzzle: Puzzle) -> list[str]:
    """Return what is wrong with a puzzle, in words; nothing if plain recursion confirms all that it claims."""
    try:
        problems = _problems_of_line(puzzle)
    except ConnectoeError as error:
        return [f"its moves cannot be played: {error}"]
    check = _problems_of_win if puzzle.goal == "win" else _problems_of_draw
    return problems or check(puzzle, PlainProof(puzzle.game))


def _problems_of_line(puzzle: Puzzle) -> list[str]:
    solver = puzzle.state.turn
    if solver is None:
        return ["its game is over"]
    state, proof = puzzle.state, PlainProof(puzzle.game)
    for place, move in enumerate(puzzle.line):
        also = {other for where, other in puzzle.also if where == place}
        if place and any(
            not proof.wins_within(state.play(other).position, solver, puzzle.plies - place - 1) for other in also
        ):
            return [f"one of {', '.join(also)} is not as good as {move}"]
        state = state.play(move)
    if puzzle.goal == "draw":
        return []
    problems = []
    if len(puzzle.line) != puzzle.plies:
        problems.append(f"its line has {len(puzzle.line)} moves, not {puzzle.plies}")
    if state.outcome is None or state.outcome.winner != solver:
        problems.append("its line does not end with the win")
    return problems


def _problems_of_win(puzzle: Puzzle, proof: PlainProof) -> list[str]:
    game, position = puzzle.game, puzzle.state.position
    player = game.rules.player(position)
    solution = game.move_from(puzzle.solution)
    problems = []
    for move in puzzle.state.moves():
        after = game.rules.play(position, move)
        wins = proof.wins_within(after, player, puzzle.plies - 1)
        if move == solution and not wins:
            problems.append(f"{puzzle.solution} does not win within {puzzle.plies} plies")
        if move == solution and proof.wins_within(after, player, puzzle.plies - 2):
            problems.append(f"{puzzle.solution} wins sooner than in {puzzle.plies} plies")
        if move != solution and wins:
            problems.append(f"{game.move_text(move)} wins within {puzzle.plies} plies too")
    return problems


def _problems_of_draw(puzzle: Puzzle, proof: PlainProof) -> list[str]:
    game, position = puzzle.game, puzzle.state.position
    opponent = 1 - game.rules.player(position)
    problems = []
    for move in puzzle.state.moves():
        loses = proof.wins_within(game.rules.play(position, move), opponent, puzzle.plies - 1)
        if loses == (game.move_text(move) == puzzle.solution):
            how = "loses" if loses else "does not lose"
            problems.append(f"{game.move_text(move)} {how} within {puzzle.plies} plies")
    return problems
