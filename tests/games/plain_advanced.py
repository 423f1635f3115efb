"""Advanced Tic Tac Toe once more, as pieces that walk about, to hold the real one against.

Squares are (column, row) from (1, 1) to (3, 3); the edge places have a 0 or a 4.
"""

from __future__ import annotations

from dataclasses import dataclass

DIRECTIONS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "S": "N", "E": "W", "W": "E"}
ALL_LINES = [
    *([(column, row) for column in (1, 2, 3)] for row in (1, 2, 3)),
    *([(column, row) for row in (1, 2, 3)] for column in (1, 2, 3)),
    [(1, 1), (2, 2), (3, 3)],
    [(1, 3), (2, 2), (3, 1)],
]


@dataclass
class Walker:
    """A piece; `at` is None in hand."""

    owner: str
    number: int
    at: tuple[int, int] | None = None
    facing: str = ""


def inside(place: tuple[int, int]) -> bool:
    return 1 <= place[0] <= 3 and 1 <= place[1] <= 3


class PlainAdvanced:
    """A game in progress."""

    def __init__(self, both: str) -> None:
        self.both = both
        self.walkers = [Walker(owner, number) for owner in "XO" for number in range(1, 6)]
        self.crown, self.other = "X", "O"
        self.to_place = ["X", "O"]
        self.result: str | None = None

    @property
    def mover(self) -> str:
        return self.to_place[0]

    def hand(self, owner: str) -> list[Walker]:
        return [walker for walker in self.walkers if walker.owner == owner and walker.at is None]

    def standing(self, place: tuple[int, int]) -> Walker | None:
        for walker in self.walkers:
            if walker.at == place:
                return walker
        return None

    def edge(self) -> dict[str, tuple[int, int]]:
        places = {}
        for i in (1, 2, 3):
            places[f"N{'xabc'[i]}"] = (i, 4)
            places[f"S{'xabc'[i]}"] = (i, 0)
            places[f"W{i}"] = (0, i)
            places[f"E{i}"] = (4, i)
        return places

    def legal_moves(self) -> list[str]:
        return sorted(
            f"{walker.number}{name}"
            for walker in self.hand(self.mover)
            for name, place in self.edge().items()
            if self.standing(place) is None
        )

    def play(self, move: str) -> None:
        (walker,) = (walker for walker in self.hand(self.mover) if walker.number == int(move[0]))
        walker.at = self.edge()[move[1:]]
        walker.facing = OPPOSITE[move[1]]
        self.to_place = [owner for owner in self.to_place[1:] if self.hand(owner)]
        if not self.to_place:
            self.march()
            self.look()
            self.crown, self.other = self.other, self.crown
            self.to_place = [owner for owner in (self.crown, self.other) if self.hand(owner)]

    def march(self) -> None:
        for number in range(1, 6):
            for owner in (self.crown, self.other):
                for walker in self.walkers:
                    if (walker.owner, walker.number) == (owner, number) and walker.at is not None:
                        self.walk(walker)

    def walk(self, walker: Walker) -> None:
        start = walker.at
        assert start is not None
        across, up = DIRECTIONS[walker.facing]

        def steps(count: int) -> tuple[int, int]:
            return start[0] + count * across, start[1] + count * up

        chain: list[Walker] = []
        while (ahead := self.standing(steps(len(chain) + 1))) is not None:
            chain.append(ahead)
        may_push = (
            walker.number == 4 or not chain or (len(chain) == 1 and chain[0].number == 1 and walker.number in (2, 3, 5))
        )
        if not may_push:
            if not inside(start):
                walker.at = None
            return
        for distance, shoved in enumerate(chain, start=1):
            was_waiting = not inside(steps(distance))
            shoved.at = None if was_waiting or not inside(steps(distance + 1)) else steps(distance + 1)
        walker.at = steps(1) if inside(steps(1)) else None

    def look(self) -> None:
        with_line = set()
        for line in ALL_LINES:
            owners = {walker.owner if (walker := self.standing(square)) else "" for square in line}
            if len(owners) == 1:
                with_line |= owners - {""}
        if len(with_line) == 2:
            self.result = "draw" if self.both == "draw" else None
        elif with_line:
            (self.result,) = with_line
