"""Replaying games given as moves, quickly: the rules decide how long it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from connectoe.errors import IllegalMove
from connectoe.game import DRAWN, ONGOING, Game, Outcome
from connectoe.match import REPETITION, TIMES_TO_DRAW
from connectoe.state import State, comparable


class BadMove(IllegalMove):
    """A move in a game that cannot be played there; `number` counts from 1.

    >>> import connectoe
    >>> replay(connectoe.load("tic-tac-toe"), ["b2", "b2"])
    Traceback (most recent call last):
    connectoe.replaying.BadMove: 'b2' is not legal: there is a mark on b2 already
    """

    def __init__(self, problem: str, number: int) -> None:
        super().__init__(problem)
        self.number = number


def split_moves(game: Game, line: str) -> list[str]:
    """The moves in a line, separated by blanks; in a game of one-character moves they may run together.

    >>> import connectoe
    >>> split_moves(connectoe.load("shift-tac-toe"), "123 332")
    ['1', '2', '3', '3', '3', '2']
    """
    words = line.split()
    if game.moves_run_together:
        return [move for word in words for move in word]
    return words


def replay(game: Game, moves: Sequence[str], ignore_after_end: bool = False) -> dict[str, Any]:
    """What a game comes to, as plain data for JSON.

    >>> import connectoe
    >>> end = replay(connectoe.load("tic-tac-toe"), ["b2", "a1"])
    >>> end["turn"], end["result"], end["board"]
    (0, None, ['...', '.X.', 'O..'])
    """
    legal_moves, play, outcome_of = game.rules.legal_moves, game.rules.play, game.rules.outcome
    numbers = game.move_numbers
    position = game.rules.start
    seen = {comparable(position): 1} if game.can_repeat else None
    outcome: int = outcome_of(position)
    repeated = False
    played = 0
    for text in moves:
        move = numbers.get(text, -1)
        if outcome != ONGOING or repeated:
            if ignore_after_end:
                break
            _refuse(game, position, text, played, REPETITION if repeated else None)
        if move not in legal_moves(position):
            _refuse(game, position, text, played, None)
        position = play(position, move)
        played += 1
        outcome = outcome_of(position)
        if seen is not None:
            key = comparable(position)
            seen[key] = seen.get(key, 0) + 1
            repeated = seen[key] >= TIMES_TO_DRAW and outcome == ONGOING
    over = outcome != ONGOING or repeated
    return {
        "game": game.id,
        "options": game.options,
        "moves": list(moves[:played]),
        "turn": None if over else int(game.rules.player(position)),
        "result": None if not over else "draw" if repeated or outcome == DRAWN else str(int(outcome)),
        "reason": None if not over else REPETITION.reason if repeated else game.reason(position),
        "legal": [] if over else sorted(game.move_texts[move] for move in legal_moves(position)),
        "position": game.write(position),
        "board": game.board(position),
    }


def _refuse(game: Game, position: Any, text: str, played: int, ended: Outcome | None) -> None:
    """Raises the reason why this move cannot be played here."""
    try:
        if ended:
            game.move_from(text)
            raise IllegalMove(f"{text!r} comes after the end: the match is {game.how_it_ended(ended)}")
        State(game, position).play(text)
    except IllegalMove as error:
        raise BadMove(str(error), played + 1) from error
