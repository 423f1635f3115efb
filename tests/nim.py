"""A small game of somebody else's, as a file would hold it."""

from __future__ import annotations

NIM = """
from typing import NamedTuple

from connectoe import DRAWN, ONGOING, Game, Rules, option, rule
from connectoe.scene import Scene


class Position(NamedTuple):
    sticks: int
    turn: int


def rules(sticks):
    @rule
    def legal_moves(position):
        for move in range(min(3, position.sticks)):
            yield move

    @rule
    def play(position, move):
        return Position(position.sticks - 1 - move, 1 - position.turn)

    @rule
    def outcome(position):
        return ONGOING if position.sticks else 1 - position.turn

    @rule
    def player(position):
        return position.turn

    @rule
    def pack(position):
        return position.sticks << 1 | position.turn

    @rule
    def unpack(packed):
        return Position(packed >> 1, packed & 1)

    @rule
    def ending(position):
        return 0

    @rule
    def evaluate(position):
        return 0

    @rule
    def pick(position, random):
        return random * min(3, position.sticks) >> 32

    return Rules(
        Position(sticks, 0), legal_moves, play, outcome, player, pack, unpack, (), ending, evaluate, pick
    )


class Nim(Game):
    id = "nim"
    name = "Nim"
    summary = "Who takes the last stick wins."
    sticks: int = option(21, range(1, 100), "sticks at the start")
    make_rules = staticmethod(rules)

    def notation(self):
        return ["1", "2", "3"]

    def why_illegal(self, position, move):
        return "there are not as many sticks"

    def reason(self, position):
        return "the last stick"

    def scene(self, position, last=None):
        return Scene(self.symbols)

    def write(self, position):
        return f"{position.sticks} {position.turn}"

    def read(self, text):
        return Position(*map(int, text.split()))
"""
