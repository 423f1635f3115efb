"""Building blocks of games: a recipe declares board, pieces, moves and ends, and gives a complete game."""

from connectoe.core.options import option
from connectoe.core.rules import DRAWN, ONGOING, rule
from connectoe.kit.blocks import chosen
from connectoe.kit.boards import columns, grid
from connectoe.kit.effects import capture, flip, rotate
from connectoe.kit.ends import full, line, most, repetition, stuck
from connectoe.kit.moves import bomb, drop, place, pop
from connectoe.kit.moves_by_hand import by_hand
from connectoe.kit.nested import nested
from connectoe.kit.nested_recipe import NestedRecipe
from connectoe.kit.pieces import bombs, crosses, discs, lights, marks, numbers, rings, small_marks
from connectoe.kit.recipe import Recipe
from connectoe.kit.removing import clear, fall
from connectoe.kit.resting import drop_through, turn
from connectoe.kit.sliding import push_row, slide_row
from connectoe.kit.totals import total
from connectoe.kit.walking import jump, pass_, step

__all__ = [
    "DRAWN",
    "ONGOING",
    "NestedRecipe",
    "Recipe",
    "bomb",
    "bombs",
    "by_hand",
    "capture",
    "chosen",
    "clear",
    "columns",
    "crosses",
    "discs",
    "drop",
    "drop_through",
    "fall",
    "flip",
    "full",
    "grid",
    "jump",
    "lights",
    "line",
    "marks",
    "most",
    "nested",
    "numbers",
    "option",
    "pass_",
    "place",
    "pop",
    "push_row",
    "repetition",
    "rings",
    "rotate",
    "rule",
    "slide_row",
    "small_marks",
    "step",
    "stuck",
    "total",
    "turn",
]
