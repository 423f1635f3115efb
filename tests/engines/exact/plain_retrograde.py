"""The value of every position, worked out a second time in plain Python and by another method.

From the finished positions backwards, along the moves that lead to them: a position is won for its player as soon as
one move leads to a position won for that player, and lost when the last of its moves leads to one that is lost. Taking
positions in the order of their distance makes the first win the quickest and the last loss the latest.

`python -m tests.engines.exact.plain_retrograde shift-tac-toe both=draw` holds a whole table against it: minutes for a
million positions.
"""

from __future__ import annotations

import sys
from collections import Counter, deque
from typing import Any

from connectoe import Game, load
from connectoe.core.rules import DRAWN, ONGOING
from connectoe.engines.exact.lookup import Table
from connectoe.engines.exact.tables import solved_table


def plain_values(game: Game) -> dict[Any, tuple[int | None, int]]:
    """For each position that play can reach: who wins it (None: nobody can force that), and in how many plies."""
    rules = game.rules
    predecessors: dict[Any, list[Any]] = {rules.start: []}
    moves_left: dict[Any, int] = {}
    value: dict[Any, tuple[int | None, int]] = {}
    waiting = [rules.start]
    while waiting:
        position = waiting.pop()
        outcome = rules.outcome(position)
        if outcome != ONGOING:
            value[position] = (None if outcome == DRAWN else outcome, 0)
            continue
        following = [rules.play(position, move) for move in rules.legal_moves(position)]
        moves_left[position] = len(following)
        for later in following:
            if later not in predecessors:
                predecessors[later] = []
                waiting.append(later)
            predecessors[later].append(position)
    by_distance = deque(position for position, (winner, _) in value.items() if winner is not None)
    while by_distance:
        position = by_distance.popleft()
        winner, plies = value[position]
        for earlier in predecessors[position]:
            if earlier in value:
                continue
            moves_left[earlier] -= 1
            if rules.player(earlier) == winner or moves_left[earlier] == 0:
                value[earlier] = (winner, plies + 1)
                by_distance.append(earlier)
    for position in moves_left.keys() - value.keys():
        value[position] = (None, 0)
    return value


def check_every_position(table: Table) -> Counter[str]:
    """How many positions are a win, a draw and a loss; fails where the table says otherwise, of any position."""
    rules = table.game.rules
    found: Counter[str] = Counter()
    for position, (winner, plies) in plain_values(table.game).items():
        if rules.outcome(position) != ONGOING:
            continue
        result = "draw" if winner is None else "win" if winner == rules.player(position) else "loss"
        found[result] += 1
        assert table.value(position) == (result, None if winner is None else plies), position
    assert [table.facts[name] for name in ("won", "drawn", "lost")] == [found["win"], found["draw"], found["loss"]]
    return found


if __name__ == "__main__":
    chosen = load(sys.argv[1], **dict(option.split("=") for option in sys.argv[2:]))
    print(chosen, "agrees on every position:", dict(check_every_position(solved_table(chosen))))
