"""A small game whose moves take two presses, from one square to another; the text of its file."""

WALK = '''\
"""Walk.

Each player has a man in a corner, who walks one step in turn. Whoever reaches the opposite corner first wins.
"""

from typing import NamedTuple

from connectoe import ONGOING, Game, Rules, rule
from connectoe.board import square_name
from connectoe.scene import Piece, Scene


class Position(NamedTuple):
    first: int
    second: int
    turn: int


def rules():
    @rule
    def legal_moves(position):
        here = position.first if position.turn == 0 else position.second
        other = position.second if position.turn == 0 else position.first
        for there in range(9):
            step = abs(here % 3 - there % 3) + abs(here // 3 - there // 3)
            if step == 1 and there != other:
                yield 9 * here + there

    @rule
    def play(position, move):
        if position.turn == 0:
            return Position(move % 9, position.second, 1)
        return Position(position.first, move % 9, 0)

    @rule
    def outcome(position):
        if position.first == 8:
            return 0
        return 1 if position.second == 0 else ONGOING

    @rule
    def player(position):
        return position.turn

    return Rules(Position(0, 8, 0), legal_moves, play, outcome, player)


class Walk(Game):
    id = "walk"
    name = "Walk"
    summary = "Reach the other corner."
    move_help = "two squares, as a1-a2"
    symbols = ("White", "Black")
    can_repeat = True
    tools = ("walk",)
    tool_pictures = {"walk": "sign →"}
    make_rules = staticmethod(rules)

    def notation(self):
        names = [square_name(square % 3, square // 3) for square in range(9)]
        return [f"{here}-{there}" for here in names for there in names]

    def scene(self, position, last=None):
        scene = Scene(self.symbols)
        scene.add_grid(3, 3)
        for owner, here in enumerate((position.first, position.second)):
            scene.pieces.append(Piece(f"man-{owner}", *scene.middle(here % 3, here // 3), "mark", owner))
        if self.rules.outcome(position) == ONGOING:
            for move in self.rules.legal_moves(position):
                here, there = divmod(move, 9)
                text = self.move_text(move)
                squares = [(square % 3, square // 3) for square in (here, there)]
                scene.target(text, squares[1], "walk", f"walk to {text[3:]}", squares[0], f"take the man on {text[:2]}")
        return scene
'''
