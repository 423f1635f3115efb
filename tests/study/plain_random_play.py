"""What uniformly random play comes to, worked out instead of played, to hold studies against."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from connectoe import DRAWN, ONGOING, Game

Chances = list[tuple[float, float, float]]
"""After this many moves, the chance that the game has just been won by the first player, by the second, or drawn."""


def exact_chances(game: Game) -> Chances:
    """Of a game small enough to list all its positions: the chance of each position after one move, two moves and so
    on, until the game is over but for one chance in 10**12. Positions may come back, and nobody minds."""
    rules = game.rules
    numbers, positions = {rules.start: 0}, [rules.start]
    outcomes, origins, targets = [], [], []
    for number, position in enumerate(positions):  # which grows meanwhile
        outcomes.append(rules.outcome(position))
        if outcomes[-1] == ONGOING:
            for move in rules.legal_moves(position):
                after = rules.play(position, move)
                if after not in numbers:
                    numbers[after] = len(positions)
                    positions.append(after)
                origins.append(number)
                targets.append(numbers[after])
    outcome, origin = np.array(outcomes), np.array(origins)
    choices = np.bincount(origin, minlength=outcome.size)
    here = np.zeros(outcome.size)
    here[0] = 1.0
    chances: Chances = [(0.0, 0.0, 0.0)]
    while here.sum() > 1e-12:
        there = np.bincount(targets, weights=(here / np.maximum(1, choices))[origin], minlength=outcome.size)
        first, second, drawn = (float(there[outcome == result].sum()) for result in (0, 1, DRAWN))
        chances.append((first, second, drawn))
        here = np.where(outcome == ONGOING, there, 0.0)
    return chances


def chances_of_matches(game: Game, most_moves: int) -> list[float]:
    """The chance that a match is over after this many moves, by following every line of play with its own history: it
    ends, too, when a position occurs for the third time."""
    rules = game.rules
    over = [0.0] * (most_moves + 1)

    def follow(history: list[Any], chance: float) -> None:
        position = history[-1]
        if rules.outcome(position) != ONGOING or history.count(position) == 3:
            over[len(history) - 1] += chance
        elif len(history) <= most_moves:
            following = [rules.play(position, move) for move in rules.legal_moves(position)]
            for after in following:
                follow([*history, after], chance / len(following))

    follow([rules.start], 1.0)
    return over


def chance_that_the_first_player_wins_semaphores() -> float:
    """On 3x3, from nothing but the rules' own words: all 4**9 boards at once, the fullest first.

    A board is a number of nine digits from 0 (empty) to 3 (red); every move adds one to a digit, so that the sum of the
    digits tells who is to move."""
    boards = np.arange(4**9)
    colours = np.array([boards // 4**square % 4 for square in range(9)])
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    has_line = np.zeros(boards.size, bool)
    for line in lines:
        same = [colours[a] == colours[b] for a, b in pairwise(line)]
        has_line |= same[0] & same[1] & (colours[line[0]] > 0)
    moves_made = colours.sum(axis=0)
    mover_wins = np.zeros(boards.size)
    for made in range(26, -1, -1):
        now = boards[(moves_made == made) & ~has_line]
        won, choices = np.zeros(now.size), np.zeros(now.size)
        for square in range(9):
            can = colours[square][now] < 3
            after = now[can] + 4**square
            won[can] += np.where(has_line[after], 1.0, 1.0 - mover_wins[after])
            choices += can
        mover_wins[now] = won / choices
    return float(mover_wins[0])
