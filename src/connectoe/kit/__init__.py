"""Building blocks of games: a recipe declares board, pieces, moves and ends, and gives a complete game."""

from connectoe.core.options import option
from connectoe.core.rules import DRAWN, ONGOING, rule
from connectoe.kit.boards import columns, grid
from connectoe.kit.ends import full, line, repetition, stuck
from connectoe.kit.moves import bomb, drop, place, pop
from connectoe.kit.pieces import bombs, discs, lights, marks, small_marks
from connectoe.kit.recipe import Recipe

__all__ = [
    "DRAWN",
    "ONGOING",
    "Recipe",
    "bomb",
    "bombs",
    "columns",
    "discs",
    "drop",
    "full",
    "grid",
    "lights",
    "line",
    "marks",
    "option",
    "place",
    "pop",
    "repetition",
    "rule",
    "small_marks",
    "stuck",
]
