"""The opening of Connect Four by heart: a best move for every position of the usual board that a perfect player meets.

The solver of `connect_four.py` needs most of a minute for the start and seconds for each of the next few moves; later
it is quick. Whoever plays the best move every time meets only few positions early on, whatever the opponent does, on
either side: those come with the package, each with a best move and its score, and so do all positions up to three.
`python docs/results/make_opening.py` has the solver work them out.

They are lines of text: moves that lead to the position, the best move, and the score for who makes it. The start, for
instance, is `- d 1`: dropping in the middle wins with the very last disc. A line stands for its mirror image too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from connectoe.board import columns_mirrored
from connectoe.engines.connect_four import Allowance, ExactConnectFour
from connectoe.game import Game, is_built_in
from connectoe.state import State

FILE = Path(__file__).with_name("connect_four_opening.txt")
BOARD = {"cols": 7, "rows": 6, "connect": 4}
START = "-"
"""How the text writes that no move has been made."""


class Known(NamedTuple):
    """A best move of a position, and its score for the player who makes it.

    >>> Known(move=3, score=1).score
    1
    """

    move: int
    score: int


Opening = dict[tuple[int, int], Known]
"""What is known by heart, by the discs of the player to move and of the opponent."""


def is_connect_four(game: Game) -> bool:
    """Whether a game is played like Connect Four: it is, or it is C4 with a Twist without its bombs.

    >>> import connectoe
    >>> is_connect_four(connectoe.load("c4-twist", bombs=0)), is_connect_four(connectoe.load("c4-twist"))
    (True, False)
    """
    if not is_built_in(type(game)):
        return False
    return game.id == "connect-four" or (game.id == "c4-twist" and game.options["bombs"] == 0)


def has_opening(game: Game) -> bool:
    """Whether this is played like Connect Four on the board whose opening is known.

    >>> import connectoe
    >>> has_opening(connectoe.load("connect-four")), has_opening(connectoe.load("connect-four", cols=8))
    (True, False)
    """
    return is_connect_four(game) and all(game.options[name] == size for name, size in BOARD.items())


def image(game: Game, position: Any) -> tuple[tuple[int, int], bool]:
    """The discs of a position or of its mirror image, whichever come first, and whether it was the mirror image.

    >>> import connectoe
    >>> start = connectoe.load("connect-four").start
    >>> image(start.game, start.play("a").position)[0] == image(start.game, start.play("g").position)[0]
    True
    """
    own, other = int(position[0]), int(position[1])
    cols, rows = int(game.options["cols"]), int(game.options["rows"])
    return min(((own, other), False), ((columns_mirrored(own, cols, rows), columns_mirrored(other, cols, rows)), True))


def opening_from(game: Game, text: str) -> Opening:
    """What a text of the opening says.

    >>> import connectoe
    >>> opening_from(connectoe.load("connect-four"), "- d 1")
    {(0, 0): Known(move=3, score=1)}
    """
    opening = {}
    for line in text.splitlines():
        moves, best, score = line.split()
        position = game.rules.start
        for move in moves.replace(START, ""):
            position = game.rules.play(position, game.move_number(move))
        discs, is_mirrored = image(game, position)
        column = game.move_number(best)
        opening[discs] = Known(BOARD["cols"] - 1 - column if is_mirrored else column, int(score))
    return opening


@lru_cache(maxsize=2)
def known_opening(game: Game) -> Opening:
    """The opening that comes with the package.

    >>> import connectoe
    >>> game = connectoe.load("connect-four")
    >>> known_opening(game)[image(game, game.rules.start)[0]]
    Known(move=3, score=1)
    """
    return opening_from(game, FILE.read_text())


class ConnectFourByHeart(ExactConnectFour):
    """The exact solver, which knows the opening of the usual board by heart.

    >>> import connectoe
    >>> start = connectoe.load("connect-four").start
    >>> solver = ConnectFourByHeart(start.game)
    >>> solver.best_move(start), str(solver.value(start)), solver.nodes
    (3, 'win in 41', 0)
    """

    def __init__(self, game: Game, table_megabytes: int = 64, report: Callable[[int], None] | None = None) -> None:
        super().__init__(game, table_megabytes, report)
        self.opening = known_opening(game) if has_opening(game) and FILE.exists() else {}

    def best_move(self, position: Any, node_limit: int | None = None) -> int:
        """One of the moves with the highest score; found sooner than all of them.

        >>> import connectoe
        >>> state = connectoe.load("connect-four").start.play("d").play("d")
        >>> solver = ConnectFourByHeart(state.game)
        >>> solver.best_move(state), solver.nodes
        (3, 0)
        """
        position = self._position(position)
        allowance = Allowance(node_limit)
        moves = self._legal_moves(position)
        known = self.known(position)
        if known:
            return known.move
        best = self._score_within(position, -self._highest, self._highest, allowance)
        alpha = self._alpha_after(best - 1)
        for move in sorted(moves, key=self._from_the_middle)[:-1]:
            after = self.game.rules.play(position, move)
            score = self._score_of_the_end(after)
            if self._score_within(after, alpha, alpha + 1, allowance) <= alpha if score is None else score == best:
                return move
        return max(moves, key=self._from_the_middle)  # none of the others was the best

    def known(self, position: Any) -> Known | None:
        """What is known by heart about a position.

        >>> import connectoe
        >>> game = connectoe.load("connect-four")
        >>> ConnectFourByHeart(game).known(game.rules.start)
        Known(move=3, score=1)
        """
        discs, is_mirrored = image(self.game, position)
        known = self.opening.get(discs)
        if known and is_mirrored:
            return known._replace(move=BOARD["cols"] - 1 - known.move)
        return known

    def _from_the_middle(self, move: int) -> tuple[int, int]:
        return abs(2 * move - (int(self.game.options["cols"]) - 1)), move

    def _score_within(self, position: Any, low: int, high: int, allowance: Allowance) -> int:
        known = self.known(position) if self.opening else None
        return known.score if known else super()._score_within(position, low, high, allowance)


class WithoutBombs(ConnectFourByHeart):
    """The same solver for C4 with a Twist when nobody has a bomb from the start: that is Connect Four.

    >>> import connectoe
    >>> start = connectoe.load("c4-twist", bombs=0).start
    >>> str(WithoutBombs(start.game).value(start))
    'win in 41'
    """

    game_id: ClassVar[str] = "c4-twist"


def worked_out(
    solver: ConnectFourByHeart, most_discs: int, all_up_to: int, tell: Callable[[str], None]
) -> Iterator[list[str]]:
    """The lines of the opening, those with 0 discs, then with 1, and so on; each line is told as it is found.

    They are what a perfect player meets up to `most_discs`, and all positions there are up to `all_up_to` discs.

    >>> import connectoe
    >>> small = ConnectFourByHeart(connectoe.load("connect-four", cols=4, rows=4), table_megabytes=1)
    >>> list(worked_out(small, 1, 0, lambda line: None))
    [['- b 0'], ['a b 0', 'b b 0']]
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
        for state, moves in met.of(discs):
            best = game.move_text(solver.best_move(state))
            lines.append(f"{moves or START} {best} {solver.score(state)}")
            tell(lines[-1])
            after = state.play(best)
            for reply in after.legal_moves():
                met.add(after.play(reply), moves + best + reply)
        for state, moves in all_positions.of(discs) if discs <= all_up_to else ():
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
    >>> layers.has(game.start.play("g")), [moves for _, moves in layers.of(1)]
    (True, ['a'])
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.found: dict[int, dict[tuple[int, int], tuple[State, str]]] = {}

    def add(self, state: State, moves: str) -> None:
        """Adds a position, unless it is there or the game is over in it.

        >>> import connectoe
        >>> layers = Layers(connectoe.load("connect-four"))
        >>> layers.add(layers.game.start, "")
        >>> len(layers.of(0))
        1
        """
        if not state.outcome:
            self.found.setdefault(len(moves), {}).setdefault(image(self.game, state.position)[0], (state, moves))

    def has(self, state: State) -> bool:
        """Whether a position, or its mirror image, is there.

        >>> import connectoe
        >>> layers = Layers(connectoe.load("connect-four"))
        >>> layers.has(layers.game.start)
        False
        """
        discs, _ = image(self.game, state.position)
        return any(discs in layer for layer in self.found.values())

    def of(self, discs: int) -> list[tuple[State, str]]:
        """The positions with so many discs.

        >>> import connectoe
        >>> Layers(connectoe.load("connect-four")).of(3)
        []
        """
        return list(self.found.get(discs, {}).values())
