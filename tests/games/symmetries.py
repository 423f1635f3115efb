"""The symmetries of the boards: for each move, by its int, the move that mirrors it; what the games themselves do not
say and tests hold their rules against."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from connectoe import Game
from connectoe.board import Square

Moves = Sequence[int]


def symmetries(game: Game) -> dict[str, Moves]:
    """The symmetries of a game's board by name; those left out are made of these."""
    return SYMMETRIES[game.id](game)


def _columns(game: Game) -> dict[str, Moves]:
    return {"mirror": range(int(game.options["cols"]) - 1, -1, -1)}


def _columns_twice(game: Game) -> dict[str, Moves]:
    """The same for discs and for bombs."""
    mirror = _columns(game)["mirror"]
    return {"mirror": [*mirror, *(len(mirror) + column for column in mirror)]}


def _cells_twice(game: Game) -> dict[str, Moves]:
    """The same for discs and for marks."""
    cols, rows = int(game.options["cols"]), int(game.options["rows"])
    mirror = [column * rows + row for column in range(cols - 1, -1, -1) for row in range(rows)]
    return {"mirror": [*mirror, *(len(mirror) + cell for cell in mirror)]}


def _lights(game: Game) -> dict[str, Moves]:
    """Left and right are alike, and so are up and down; on a square board so are rows and columns."""
    cols, rows = int(game.options["cols"]), int(game.options["rows"])
    squares = [divmod(move, rows) for move in range(cols * rows)]
    found: dict[str, Moves] = {
        "mirror": [(cols - 1 - column) * rows + row for column, row in squares],
        "flip": [column * rows + rows - 1 - row for column, row in squares],
    }
    if cols == rows:
        found["quarter turn"] = [row * rows + rows - 1 - column for column, row in squares]
    return found


MIRRORED = [3 * (square // 3) + 2 - square % 3 for square in range(9)]
TURNED = [3 * (square % 3) + 2 - square // 3 for square in range(9)]


def _square_board(game: Game) -> dict[str, Moves]:
    """A mirror and a quarter turn make all eight symmetries of a square."""
    return {"mirror": MIRRORED, "quarter turn": TURNED}


def _boards(game: Game) -> dict[str, Moves]:
    """Of the whole board; each small board turns with it."""
    names = {name: move for move, name in enumerate(game.move_texts)}

    def named(square: Square) -> int:
        return names["abcdefghi"[square[0]] + str(square[1] + 1)]

    squares = [("abcdefghi".index(name[0]), int(name[1]) - 1) for name in game.move_texts]
    return {
        "mirror": [named((8 - column, row)) for column, row in squares],
        "quarter turn": [named((8 - row, column)) for column, row in squares],
    }


def _boards_of_boards(game: Game) -> dict[str, Moves]:
    """Of the whole and of every board in it alike: all moves are `B.S.C`, `+C` and `>B`."""

    def turned_moves(turned: list[int]) -> Moves:
        return [
            game.move_from("".join(str(turned[int(sign) - 1] + 1) if sign.isdigit() else sign for sign in name))
            for name in game.move_texts
        ]

    return {"mirror": turned_moves(MIRRORED), "quarter turn": turned_moves(TURNED)}


def _sliders(game: Game) -> dict[str, Moves]:
    """Left and right are alike in the Pressman edition; in the other the sliders begin fully right."""
    return {"mirror": [2, 1, 0, 6, 7, 8, 3, 4, 5]} if game.options["edition"] == "pressman" else {}


def _edges(game: Game) -> dict[str, Moves]:
    mirror = (2, 1, 0, 9, 10, 11, 8, 7, 6, 3, 4, 5)  # west and east change places
    quarter_turn = (5, 4, 3, 6, 7, 8, 11, 10, 9, 0, 1, 2)  # clockwise: north becomes east
    return {
        "mirror": [12 * number + edge for number in range(5) for edge in mirror],
        "quarter turn": [12 * number + edge for number in range(5) for edge in quarter_turn],
    }


SYMMETRIES: dict[str, Callable[[Game], dict[str, Moves]]] = {
    "tic-tac-toe": _square_board,
    "ultimate": _boards,
    "ultimate-ultimate": _boards_of_boards,
    "semaphores": _lights,
    "connect-four": _columns,
    "c4-twist": _columns_twice,
    "connect-tac-toe": _cells_twice,
    "shift-tac-toe": _sliders,
    "advanced": _edges,
}
