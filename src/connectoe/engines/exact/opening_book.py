"""The opening book of Connect Four: a best move for every position of the usual board that a perfect player meets.

The solver of `connect_four.py` needs most of a minute for the start and seconds for each of the next few moves; later
it is quick. A player who plays the best move every time meets few positions early on, whatever the opponent does, on
either side. The book holds those, each with a best move and its score, and all positions of up to three discs.
`python docs/results/make_opening.py` has the solver work them out.

The book is lines of text: moves that lead to the position, the best move, and the score for the player who makes it.
The start, for instance, is `- d 1`: dropping in the middle wins with the very last disc. A line stands for its mirror
image too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from connectoe.board import columns_mirrored
from connectoe.core.game import Game, is_built_in
from connectoe.core.state import State
from connectoe.engines.engine import Candidate
from connectoe.engines.exact.connect_four import Allowance, ExactConnectFour

FILE = Path(__file__).with_name("connect_four_opening.txt")
BOARD = {"cols": 7, "rows": 6, "connect": 4}
START = "-"
"""How the text writes that no move has been made."""


class BookEntry(NamedTuple):
    """A best move of a position, and its score for the player who makes it.

    >>> BookEntry(move=3, score=1).score
    1
    """

    move: int
    score: int


Book = dict[tuple[int, int], BookEntry]
"""The entries, by the discs of the player to move and of the opponent."""


def has_book(game: Game) -> bool:
    """Whether this is played like Connect Four on the board that the book is for."""
    return (
        is_built_in(type(game))
        and ExactConnectFour.can_solve(game)
        and all(game.options[name] == size for name, size in BOARD.items())
    )


def image(game: Game, position: Any) -> tuple[tuple[int, int], bool]:
    """Return the discs of a position or of its mirror image, whichever come first, and whether it was the latter."""
    own, other = int(position[0]), int(position[1])
    cols, rows = int(game.options["cols"]), int(game.options["rows"])
    return min(((own, other), False), ((columns_mirrored(own, cols, rows), columns_mirrored(other, cols, rows)), True))


def book_from(game: Game, text: str) -> Book:
    """Return the book that a text holds."""
    book = {}
    for line in text.splitlines():
        moves, best, score = line.split()
        position = game.rules.start
        for move in moves.replace(START, ""):
            position = game.rules.play(position, game.move_number(move))
        discs, is_mirrored = image(game, position)
        column = game.move_number(best)
        book[discs] = BookEntry(BOARD["cols"] - 1 - column if is_mirrored else column, int(score))
    return book


@lru_cache(maxsize=2)
def packaged_book(game: Game) -> Book:
    """Return the book that comes with the package."""
    return book_from(game, FILE.read_text())


class ConnectFourWithBook(ExactConnectFour):
    """The exact solver with an opening book for the usual board.

    >>> import connectoe
    >>> start = connectoe.load("connect-four").start
    >>> solver = ConnectFourWithBook(start.game)
    >>> solver.best_move(start), str(solver.value(start)), solver.nodes
    (3, 'win in 41', 0)
    """

    def __init__(self, game: Game, table_megabytes: int = 64, report: Callable[[int], None] | None = None) -> None:
        super().__init__(game, table_megabytes, report)
        self.book = packaged_book(game) if has_book(game) and FILE.exists() else {}

    @property
    def has_book(self) -> bool:
        """Whether it has a book for this board."""
        return bool(self.book)

    def best_move(self, position: Any, node_limit: int | None = None) -> int:
        """Return one of the moves with the highest score; found sooner than all of them."""
        position = self._position(position)
        allowance = Allowance(node_limit)
        moves = self._legal_moves(position)
        entry = self.entry(position)
        if entry:
            return entry.move
        best = self._score_within(position, -self._highest, self._highest, allowance)
        alpha = self._alpha_after(best - 1)
        for move in sorted(moves, key=self._from_the_middle)[:-1]:
            after = self.game.rules.play(position, move)
            score = self._score_of_the_end(after)
            if self._score_within(after, alpha, alpha + 1, allowance) <= alpha if score is None else score == best:
                return move
        return max(moves, key=self._from_the_middle)  # none of the others was the best

    def entry(self, position: Any) -> BookEntry | None:
        """Return what the book holds about a position."""
        discs, is_mirrored = image(self.game, position)
        entry = self.book.get(discs)
        if entry and is_mirrored:
            return entry._replace(move=BOARD["cols"] - 1 - entry.move)
        return entry

    def book_move(self, position: Any) -> Candidate | None:
        """Return a best move from the book with its value."""
        entry = self.entry(position)
        return Candidate(entry.move, self._value_of(entry.score, position)) if entry else None

    def _from_the_middle(self, move: int) -> tuple[int, int]:
        return abs(2 * move - (int(self.game.options["cols"]) - 1)), move

    def _score_within(self, position: Any, low: int, high: int, allowance: Allowance) -> int:
        entry = self.entry(position) if self.book else None
        return entry.score if entry else super()._score_within(position, low, high, allowance)


def book_lines(
    solver: ConnectFourWithBook, most_discs: int, all_up_to: int, tell: Callable[[str], None]
) -> Iterator[list[str]]:
    """Yield the lines of the book for 0 discs, then for 1, and so on; `tell` gets each line as it is found.

    They hold what a perfect player meets up to `most_discs`, and all positions there are up to `all_up_to` discs.
    """
    game = solver.game
    met = Layers(game)
    all_positions = Layers(game)
    for layers in (met, all_positions):
        layers.add(game.start, "")
    for first in game.start.legal_moves():
        met.add(game.start.play(first), first)
    for discs in range(most_discs + 1):
        lines = []
        for state, moves in met.with_discs(discs):
            best = game.move_text(solver.best_move(state))
            lines.append(f"{moves or START} {best} {solver.score(state)}")
            tell(lines[-1])
            after = state.play(best)
            for reply in after.legal_moves():
                met.add(after.play(reply), moves + best + reply)
        for state, moves in all_positions.with_discs(discs) if discs <= all_up_to else ():
            for move in state.legal_moves():
                all_positions.add(state.play(move), moves + move)
            if not met.has(state):
                lines.append(f"{moves} {game.move_text(solver.best_move(state))} {solver.score(state)}")
                tell(lines[-1])
        yield lines


class Layers:
    """Positions by the number of their discs, each with moves that lead to it; of mirror images only the first.

    >>> import connectoe
    >>> game = connectoe.load("connect-four")
    >>> layers = Layers(game)
    >>> layers.add(game.start.play("a"), "a")
    >>> layers.has(game.start.play("g")), [moves for _, moves in layers.with_discs(1)]
    (True, ['a'])
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.found: dict[int, dict[tuple[int, int], tuple[State, str]]] = {}

    def add(self, state: State, moves: str) -> None:
        """Add a position, unless it is there or the game is over in it."""
        if not state.outcome:
            self.found.setdefault(len(moves), {}).setdefault(image(self.game, state.position)[0], (state, moves))

    def has(self, state: State) -> bool:
        """Whether a position, or its mirror image, is there."""
        discs, _ = image(self.game, state.position)
        return any(discs in layer for layer in self.found.values())

    def with_discs(self, discs: int) -> list[tuple[State, str]]:
        """Return the positions with so many discs."""
        return list(self.found.get(discs, {}).values())
