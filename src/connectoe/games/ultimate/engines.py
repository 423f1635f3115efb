"""What engines may use of ultimate tic-tac-toe beyond its rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

from connectoe.core.rules import DRAWN, Planes, Rules, rule
from connectoe.core.strength import Levels, PuzzleMaking, Tuning
from connectoe.games.tic_tac_toe.engines import FREE, FREE_COUNT, marks_seen, show_3x3
from connectoe.games.tic_tac_toe.rules import HAS_THREE, LOWEST, has_three
from connectoe.games.ultimate.rules import ANY, LOW, Position, boards_to_play_on, marks_on
from connectoe.games.ultimate.rules import rules as plain_rules

if TYPE_CHECKING:
    from connectoe.games.ultimate import Ultimate

ENDINGS = ("three boards in line", "no board left", "most boards")
TUNING = Tuning(0.45)
TUNING_WITH_OPINION = Tuning(0.35, prior=8, trust=0.4, unit=45)
CERTAIN = 255
"""A chance of 1, as `winning_chances` gives it."""
PUZZLE_MAKING = PuzzleMaking(longest=9, nodes=200_000)


def levels(game: Ultimate) -> Levels:
    """Return how much each level searches before a move."""
    people = (0.0, 0.33, 0.67, 0.95, 1.07, 1.15, 1.21, 1.41, 1.77)
    return Levels(30, 600, 400_000, people=people)


@cache
def winning_chances() -> bytes:
    """Return a player's chance to win a 3x3 board that both fill at random, by `own << 9 | other`, in 255ths."""

    @cache
    def chance(own: int, other: int) -> float:
        if HAS_THREE[own]:
            return 1
        empty = [1 << square for square in range(9) if not (own | other) >> square & 1]
        if HAS_THREE[other] or not empty:
            return 0
        return sum(chance(own | mark, other) + chance(own, other | mark) for mark in empty) / (2 * len(empty))

    chances = bytearray(512 * 512)
    for own in range(512):
        other = free = 511 & ~own
        while other:  # every set of squares that are not the player's own; with no mark of the opponent's comes last
            chances[own << 9 | other] = round(CERTAIN * chance(own, other))
            other = other - 1 & free
        chances[own << 9] = round(CERTAIN * chance(own, 0))
    return bytes(chances)


def rules_for_engines(won_boards: str, undecided: str) -> Rules:
    """Return the rules, with the optional ones that engines use."""
    chances = winning_chances()

    @rule
    def pick(position: Position, random: int) -> int:
        low, high = position.own_low | position.other_low, position.own_high | position.other_high
        if position.board == ANY:
            return pick_anywhere(low, high, boards_to_play_on(position), random)
        marks = marks_on(low, high, position.board)
        return 9 * position.board + FREE[9 * marks + (random * FREE_COUNT[marks] >> 32)]

    @rule
    def pick_anywhere(low: int, high: int, boards: int, random: int) -> int:
        """Return the move that `pick` chooses for a player who may play on any open board."""
        free, uncounted = 0, boards
        while uncounted != 0:
            free += FREE_COUNT[marks_on(low, high, LOWEST[uncounted])]
            uncounted &= uncounted - 1
        left = random * free >> 32
        marks = marks_on(low, high, LOWEST[boards])
        while left >= FREE_COUNT[marks]:
            left -= FREE_COUNT[marks]
            boards &= boards - 1
            marks = marks_on(low, high, LOWEST[boards])
        return 9 * LOWEST[boards] + FREE[9 * marks + left]

    plain = plain_rules(won_boards, undecided)
    outcome = plain.outcome

    @rule
    def ending(position: Position) -> int:
        if has_three(position.other_won):
            return 0
        return 1 if outcome(position) == DRAWN else 2

    @rule
    def evaluate(position: Position) -> int:
        own, other = (position.own_low, position.own_high), (position.other_low, position.other_high)
        decided = position.finished | position.own_won | position.other_won
        lead = expected_lines(own, other, position.own_won, decided)
        lead -= expected_lines(other, own, position.other_won, decided)
        lead = 105 * lead // CERTAIN**3 + (30 if position.board == ANY else 8)  # it is good to be the one to move
        return lead if position.turn == 0 else -lead

    @rule
    def expected_lines(own: tuple[int, int], other: tuple[int, int], won: int, decided: int) -> int:
        """Return how many lines of boards a player may expect to win, as if boards were independent of each other, in
        255**3rds."""
        a, b, c = chances_on(0, own, other, won, decided)
        d, e, f = chances_on(3, own, other, won, decided)
        g, h, i = chances_on(6, own, other, won, decided)
        return a * b * c + d * e * f + g * h * i + a * d * g + b * e * h + c * f * i + a * e * i + c * e * g

    @rule
    def chances_on(
        first: int, own: tuple[int, int], other: tuple[int, int], won: int, decided: int
    ) -> tuple[int, int, int]:
        """Return a player's chance to win each of three small boards, beginning with the first."""
        return (
            chance_on(first, own, other, won, decided),
            chance_on(first + 1, own, other, won, decided),
            chance_on(first + 2, own, other, won, decided),
        )

    @rule
    def chance_on(board: int, own: tuple[int, int], other: tuple[int, int], won: int, decided: int) -> int:
        """Return a player's chance to win a small board, in 255ths."""
        if decided >> board & 1:
            return CERTAIN * (won >> board & 1)
        marks, others = marks_on(own[0], own[1], board), marks_on(other[0], other[1], board)
        return 1 * chances[marks << 9 | others]  # once, for compiled code to take the byte for an int

    @rule
    def observe(position: Position, viewer: int, planes: Any) -> None:
        first = 0 if viewer == position.turn else 1
        to_play_on = boards_to_play_on(position)
        for board in range(9):
            top, left = 6 - 3 * (board // 3), 3 * (board % 3)
            show_3x3(marks_on(position.own_low, position.own_high, board), planes, first, top, left)
            show_3x3(marks_on(position.other_low, position.other_high, board), planes, 1 - first, top, left)
            planes[2 + first, top : top + 3, left : left + 3] = position.own_won >> board & 1
            planes[3 - first, top : top + 3, left : left + 3] = position.other_won >> board & 1
            planes[4, top : top + 3, left : left + 3] = to_play_on >> board & 1

    def seen(mirror: bool, flip: bool, diagonal: bool) -> Callable[[Position], Position]:
        @rule
        def all_seen(low: int, high: int) -> tuple[int, int]:
            """Return a player's marks on boards 0..4 and 5..8 of the image."""
            seen_low, seen_high = 0, 0
            for board in range(9):
                marks = marks_seen(marks_on(low, high, board), mirror, flip, diagonal)
                there = LOWEST[marks_seen(1 << board, mirror, flip, diagonal)]
                if there < LOW:
                    seen_low |= marks << 9 * there
                else:
                    seen_high |= marks << 9 * (there - LOW)
            return seen_low, seen_high

        @rule
        def image(position: Position) -> Position:
            own_low, own_high = all_seen(position.own_low, position.own_high)
            other_low, other_high = all_seen(position.other_low, position.other_high)
            board = position.board
            return Position(
                own_low,
                other_low,
                own_high,
                other_high,
                marks_seen(position.own_won, mirror, flip, diagonal),
                marks_seen(position.other_won, mirror, flip, diagonal),
                marks_seen(position.finished, mirror, flip, diagonal),
                board if board == ANY else LOWEST[marks_seen(1 << board, mirror, flip, diagonal)],
                position.turn,
            )

        return image

    mirrors = tuple(seen(*ways) for ways in product((False, True), repeat=3) if any(ways))
    return plain._replace(ending=ending, evaluate=evaluate, pick=pick, mirrors=mirrors, observe=observe)


def planes(game: Ultimate) -> Planes:
    """Return the names of the planes that `observe` fills."""
    names = ("own marks", "opponent's marks", "own boards", "opponent's boards", "boards to play on")
    return Planes(names, 9, 9)
