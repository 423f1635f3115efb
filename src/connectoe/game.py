"""The names that games written for version 0.1 import from here; new games import them from `connectoe`."""

from connectoe.core.game import Game
from connectoe.core.options import Option, option
from connectoe.core.outcome import Outcome
from connectoe.core.rules import DRAWN, ONGOING, LastMove, Planes, Rules, rule

__all__ = ["DRAWN", "ONGOING", "Game", "LastMove", "Option", "Outcome", "Planes", "Rules", "option", "rule"]
