"""Named opponents. Each has a name, one sentence about it, and `choose(match)`."""

from __future__ import annotations

import random
from typing import ClassVar, Protocol

from connectoe.errors import ConnectoeError
from connectoe.game import Game
from connectoe.match import Match


class Player(Protocol):
    """Somebody who chooses moves."""

    name: ClassVar[str]
    describes: ClassVar[str]

    def choose(self, match: Match) -> str:
        """A legal move, in notation, for the player to move."""
        ...


class RandomPlayer:
    """Plays any legal move, each as likely as the others; the same moves again from the same seed.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("tic-tac-toe"))
    >>> RandomPlayer(match.game, seed=1).choose(match) in match.legal_moves()
    True
    """

    name: ClassVar[str] = "random"
    describes: ClassVar[str] = "plays any legal move"

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = game
        self.choice = random.Random(seed)

    def choose(self, match: Match) -> str:
        """Any legal move."""
        moves = match.legal_moves()
        if not moves:
            raise ConnectoeError(f"there is no move to choose: the match is {match.outcome}")
        return self.choice.choice(moves)


PLAYERS: dict[str, type[RandomPlayer]] = {player.name: player for player in (RandomPlayer,)}


def player(name: str, game: Game, seed: int | None = None) -> Player:
    """The opponent of that name for a game.

    >>> import connectoe
    >>> player("random", connectoe.load("ultimate")).describes
    'plays any legal move'
    """
    if name not in PLAYERS:
        raise ConnectoeError(f"there is no player {name[:40]!r}; the players are: {', '.join(PLAYERS)}")
    return PLAYERS[name](game, seed)
