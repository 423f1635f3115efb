"""The lesson of a game: the exercises that it declares, or some made from its rules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING

from connectoe.core.exercises import Exercise, Task, can_win_at_once, check_exercise, loses_soon
from connectoe.core.game import declares

if TYPE_CHECKING:
    from connectoe.core.game import Game

GAMES, LONGEST, SECONDS = 200, 200, 1.0
"""How many random games are searched for positions, the most moves of each, and the most seconds in all."""
MOST_LOOKED_AT = 100
"""A position with more moves than this is left out: it would take too long."""
_made: dict[tuple[type[Game], tuple[object, ...]], tuple[Exercise, ...]] = {}


def lesson_of(game: Game) -> tuple[Exercise, ...]:
    """Return the exercises that teach a game: its own, or a few made from its rules.

    >>> import connectoe
    >>> lesson_of(connectoe.load("tic-tac-toe"))[0].title
    'Three in line'
    """
    if game.lessons and declares(game, "lessons"):
        return tuple(game.lessons)
    key = type(game), tuple(game.options.values())
    if key not in _made:
        _made[key] = made_from_rules(game)
    return _made[key]


def check_lessons(game: Game) -> None:
    """Raise BadGame if one of the exercises that a game declares does not agree with its rules."""
    for exercise in game.lessons:
        check_exercise(game, exercise)


def made_from_rules(game: Game, seed: int = 0) -> tuple[Exercise, ...]:
    """Return exercises found by random play: to win with one move, and not to lose by the next.

    A game in which neither is found gets its first move as the only exercise.
    """
    chance, begun = random.Random(seed), monotonic()
    win: Exercise | None = None
    save: Exercise | None = None
    for _ in range(GAMES):
        state, moves = game.start, list[str]()
        while state.outcome is None and len(moves) < min(LONGEST, game.ply_limit):
            if monotonic() - begun > SECONDS or (win and save):
                return _lesson(game, win, save)
            legal = state.moves()
            if len(legal) <= MOST_LOOKED_AT:
                wins = [move for move in legal if can_win_at_once(game, state.position, move)]
                if wins and len(wins) < len(legal):
                    win = win or _to_win(game, moves, wins)
                elif not wins and not save:
                    saves = [move for move in legal if not loses_soon(game, state.position, move)]
                    save = _to_save(game, moves, saves) if 0 < len(saves) < len(legal) else None
            moves.append(game.move_text(chance.choice(legal)))
            state = state.play(moves[-1])
    return _lesson(game, win, save)


def _lesson(game: Game, *found: Exercise | None) -> tuple[Exercise, ...]:
    exercises = tuple(exercise for exercise in found if exercise)
    return exercises or (_first_move(game),)


def _texts(game: Game, moves: Sequence[int]) -> str:
    return " ".join(game.move_text(move) for move in moves)


def _symbol_after(game: Game, moves: Sequence[str]) -> str:
    turn = Exercise("", (), moves=" ".join(moves)).begin(game).turn
    return game.symbols[turn or 0]


def _to_win(game: Game, moves: Sequence[str], wins: Sequence[int]) -> Exercise:
    words = f"{game.goal()} You are {_symbol_after(game, moves)}, and one move wins. Find it."
    other = "The game goes on after that. Look for the move that ends it."
    task = Task(words, _texts(game, wins), otherwise=other, aim="win")
    return Exercise("Win with one move", (task,), moves=" ".join(moves))


def _to_save(game: Game, moves: Sequence[str], saves: Sequence[int]) -> Exercise:
    me = _symbol_after(game, moves)
    other = next(symbol for symbol in game.symbols if symbol != me)
    words = f"You are {me}, and {other} is about to win. Play so that {other} does not win with the next move."
    task = Task(
        words, _texts(game, saves), f"Now {other} cannot win at once.", {}, f"{other} wins after that.", aim="save"
    )
    return Exercise("Do not lose", (task,), moves=" ".join(moves))


def _first_move(game: Game) -> Exercise:
    words = f"{game.goal()} {game.may_do(game.start.position)} Make a first move."
    return Exercise("The first move", (Task(words, _texts(game, game.start.moves()), "That is how a move is made."),))
