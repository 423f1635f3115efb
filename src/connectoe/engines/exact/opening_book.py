"""The opening book of Connect Four: the score of every early position of the usual board, and best moves further on.

The solver of `connect_four.py` needs several seconds for the start and up to a few seconds for each of the next moves;
later it is quick. The book holds all positions of up to four discs and, as far as they have been worked out, those of
five. A player who plays the best move every time meets few positions, whatever the opponent does, on either side: the
book holds those up to nine discs, each with a best move. `python docs/results/make_opening.py` has the solver
work them out.

The book is lines of text: moves that lead to the position, a best move, and the score for the player who makes it. The
start, for instance, is `- d 1`: dropping in the middle wins with the very last disc. A best move that was not worked
out is written `?`. A line stands for its mirror image too.
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
NOT_KNOWN = "?"
"""How the text writes that no best move was worked out."""


class BookEntry(NamedTuple):
    """The score of a position for the player to move, and a best move if it was worked out.

    >>> BookEntry(move=3, score=1).score
    1
    """

    move: int | None
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
        discs, is_mirrored = image(game, position_after(game, moves))
        column = None if best == NOT_KNOWN else game.move_number(best)
        if column is not None and is_mirrored:
            column = BOARD["cols"] - 1 - column
        book[discs] = BookEntry(column, int(score))
    return book


def position_after(game: Game, moves: str) -> Any:
    """Return the position that the moves of a line lead to."""
    position = game.rules.start
    for move in moves.replace(START, ""):
        position = game.rules.play(position, game.move_number(move))
    return position


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
        if entry and entry.move is not None:
            return entry.move
        best = self._score_within(position, -self._highest, self._highest, allowance)
        alpha = self._alpha_after(best - 1)
        *others, last = self._in_order(moves)
        for move in others:
            after = self.game.rules.play(position, move)
            score = self._score_of_the_end(after)
            if self._score_within(after, alpha, alpha + 1, allowance) <= alpha if score is None else score == best:
                return move
        return last  # none of the others was the best

    def entry(self, position: Any) -> BookEntry | None:
        """Return what the book holds about a position."""
        discs, is_mirrored = image(self.game, position)
        entry = self.book.get(discs)
        if entry and entry.move is not None and is_mirrored:
            return entry._replace(move=int(self.game.options["cols"]) - 1 - entry.move)
        return entry

    def book_move(self, position: Any) -> Candidate | None:
        """Return a best move from the book with its value."""
        entry = self.entry(position)
        if entry is None or entry.move is None:
            return None
        return Candidate(entry.move, self._value_of(entry.score, position))

    def score_from(self, low: int | None, position: Any) -> int:
        """Return the score of a position which is known to be at least `low`; that is quicker."""
        low = -self._highest if low is None else low
        return self._score_within(self._position(position), low, self._highest, Allowance(None))

    def _known_score(self, position: Any) -> int | None:
        entry = self.entry(position) if self.book else None
        return entry.score if entry else None

    def _score_within(self, position: Any, low: int, high: int, allowance: Allowance) -> int:
        known = self._known_score(position)
        return super()._score_within(position, low, high, allowance) if known is None else known


def book_lines(solver: ConnectFourWithBook, most_discs: int, all_up_to: int) -> Iterator[str]:
    """Yield the lines of the book, and add each to the solver's book when it is found.

    They hold all positions of up to `all_up_to` discs, and those that a perfect player meets up to `most_discs`. Scores
    come first, best moves when all scores are known: so a position comes twice if its best move was not known.
    """
    game = solver.game
    all_positions = Layers(game)
    all_positions.add(game.start, "")
    at_least: dict[tuple[int, int], int] = {}  # no move leads to more than the position before it is worth
    for discs in range(all_up_to + 1):
        for state, moves in all_positions.with_discs(discs):
            yield _line(solver, state, moves, needs_move=False, low=at_least.get(image(game, state.position)[0]))
            score = solver.score(state)
            for move in state.legal_moves() if discs < all_up_to else ():
                after = state.play(move)
                all_positions.add(after, moves + move)
                key, _ = image(game, after.position)
                at_least[key] = max(at_least.get(key, -score), -score)
    for discs in range(all_up_to):
        for state, moves in all_positions.with_discs(discs):
            yield _line(solver, state, moves)
    met = Layers(game)
    met.add(game.start, "")
    for first in game.start.legal_moves():
        met.add(game.start.play(first), first)
    for discs in range(most_discs + 1):
        for state, moves in met.with_discs(discs):
            yield _line(solver, state, moves)
            best = game.move_text(solver.best_move(state))
            after = state.play(best)
            for reply in after.legal_moves():
                met.add(after.play(reply), moves + best + reply)


def _line(
    solver: ConnectFourWithBook, state: State, moves: str, *, needs_move: bool = True, low: int | None = None
) -> str:
    """Return the line of a position, which is in the solver's book from now on; its score is at least `low`."""
    key, is_mirrored = image(state.game, state.position)
    entry = solver.book.get(key) or BookEntry(None, solver.score_from(low, state))
    solver.book[key] = entry
    if entry.move is None and needs_move:
        best = solver.best_move(state)
        entry = entry._replace(move=int(state.game.options["cols"]) - 1 - best if is_mirrored else best)
        solver.book[key] = entry
    found = solver.entry(state.position)
    assert found
    best_text = NOT_KNOWN if found.move is None else state.game.move_text(found.move)
    return f"{moves or START} {best_text} {found.score}"


class Layers:
    """Positions by the number of their discs, each with moves that lead to it; of mirror images only the first.

    >>> import connectoe
    >>> game = connectoe.load("connect-four")
    >>> layers = Layers(game)
    >>> layers.add(game.start.play("a"), "a")
    >>> layers.add(game.start.play("g"), "g")
    >>> [moves for _, moves in layers.with_discs(1)]
    ['a']
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.found: dict[int, dict[tuple[int, int], tuple[State, str]]] = {}

    def add(self, state: State, moves: str) -> None:
        """Add a position, unless it is there or the game is over in it."""
        if not state.outcome:
            self.found.setdefault(len(moves), {}).setdefault(image(self.game, state.position)[0], (state, moves))

    def with_discs(self, discs: int) -> list[tuple[State, str]]:
        """Return the positions with this many discs."""
        return list(self.found.get(discs, {}).values())
