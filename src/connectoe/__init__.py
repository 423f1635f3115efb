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

from connectoe.catalogue import game_ids, load
from connectoe.errors import BadOption, BadPosition, BadRecord, ConnectoeError, IllegalMove, UnknownGame
from connectoe.game import DRAWN, ONGOING, Game, Option, Outcome, Planes, Rules, option, rule
from connectoe.match import Match
from connectoe.players import player
from connectoe.records import read_matches
from connectoe.state import State

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
