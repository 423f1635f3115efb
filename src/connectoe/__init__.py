"""Connectoe: the games that cross tic-tac-toe with Connect Four.

>>> import connectoe
>>> game = connectoe.load("connect-four")
>>> state = game.start.play("d").play("d")
>>> state.turn
0
>>> match = connectoe.Match(game)
>>> for move in "a b a b a b a".split():
...     match.play(move)
>>> match.outcome.winner, match.outcome.reason
(0, 'four discs a1-a4')
"""

from connectoe.core.catalogue import game_ids, load
from connectoe.core.errors import BadOption, BadPosition, BadRecord, ConnectoeError, IllegalMove, UnknownGame
from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.core.options import Option, option
from connectoe.core.outcome import Outcome
from connectoe.core.records import read_matches
from connectoe.core.rules import DRAWN, ONGOING, LastMove, Planes, Rules, rule
from connectoe.core.state import State
from connectoe.players import player

__version__ = "0.1.0"

__all__ = [
    "DRAWN",
    "ONGOING",
    "BadOption",
    "BadPosition",
    "BadRecord",
    "ConnectoeError",
    "Game",
    "IllegalMove",
    "LastMove",
    "Match",
    "Option",
    "Outcome",
    "Planes",
    "Rules",
    "State",
    "UnknownGame",
    "__version__",
    "game_ids",
    "load",
    "option",
    "player",
    "read_matches",
    "rule",
]
