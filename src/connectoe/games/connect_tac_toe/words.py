"""Connect Tac Toe in words: notation, reasons, and positions as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectoe.board import Square, bit, by_player, cells_of, full_mask, has_line, lines_on, square_name
from connectoe.board_texts import (
    NUMBER_WORDS,
    board_rows,
    line_text,
    masks_from,
    side_to_move,
    split_fields,
    squeeze,
    unsqueeze,
)
from connectoe.core.errors import BadPosition
from connectoe.core.rules import DRAWN
from connectoe.core.setting_up import Choice, SettingUp, Sign, signs_of_players, whose_turn
from connectoe.games.connect_tac_toe.rules import Position, all_discs, all_pieces, up_to_highest

if TYPE_CHECKING:
    from connectoe.games.connect_tac_toe import ConnectTacToe

DISC_SIGNS = signs_of_players("disc", "disc")


def notation(game: ConnectTacToe) -> Sequence[str]:
    """Return the cells for discs, column by column, then the cells for marks."""
    cells = [square_name(column, row) for column in range(game.cols) for row in range(game.rows)]
    return [*cells, *(f"+{cell}" for cell in cells)]


def square_of(game: ConnectTacToe, move: int) -> Square:
    """Return the square (column, row) that a move puts its piece on."""
    return divmod(move % (game.cols * game.rows), game.rows)


def is_mark(game: ConnectTacToe, move: int) -> bool:
    """Whether a move places a mark."""
    return move >= game.cols * game.rows


def reason(game: ConnectTacToe, position: Position) -> str:
    """Return the winning line, "board full", or "no disc can be dropped"."""
    if game.rules.outcome(position) == DRAWN:
        is_full = all_pieces(position) == full_mask(game.cols, game.rows)
        return "board full" if is_full else "no disc can be dropped"
    return line_text(*winning_lines(game, position)[0])


def winning_line(game: ConnectTacToe, position: Position) -> tuple[Square, ...]:
    """Return the first line of the player who has just moved."""
    return next((line for line, _ in winning_lines(game, position)), ())


def winning_lines(game: ConnectTacToe, position: Position) -> list[tuple[tuple[Square, ...], str]]:
    """Return all lines of the player who has just moved, each with what it is made of."""
    return [
        (line, what)
        for pieces, length, what in (
            (position.other_discs, game.discs, "discs"),
            (position.other_marks, game.marks, "marks"),
        )
        for line in lines_on(set(cells_of(pieces, game.rows)), length)
    ]


def why_illegal(game: ConnectTacToe, position: Position, move: int) -> str:
    """Return the rule for discs or for marks that the move breaks."""
    column, row = square_of(game, move)
    name = square_name(column, row)
    discs = all_discs(position)
    can_drop = not all(is_mark(game, legal) for legal in game.rules.legal_moves(position))
    if is_mark(game, move) and position.own_owes and can_drop:
        return f"{game.symbols[position.turn]} owes a disc, having placed a mark the turn before"
    if all_pieces(position) & bit(column, row, game.rows):
        return f"there is a piece on {name} already"
    if is_mark(game, move):
        if not discs:
            return "no mark may be placed while no disc is on the board"
        highest = max(row for _, row in cells_of(discs, game.rows))
        return f"{name} is higher than the highest disc, which is in row {highest + 1}"
    if row and not all_pieces(position) & bit(column, row - 1, game.rows):
        return f"a disc cannot rest on {name}: nothing is under it"
    above = min(r for c, r in cells_of(discs, game.rows) if c == column and r > row)
    return f"a disc cannot pass the disc on {square_name(column, above)}"


def goal(game: ConnectTacToe) -> str:
    """Return how to win."""
    return f"Get {NUMBER_WORDS[game.discs]} of your discs, or {NUMBER_WORDS[game.marks]} of your marks, in line."


def may_do(game: ConnectTacToe, position: Position) -> str:
    """Return whether the player to move may choose between a disc and a mark."""
    can_drop, can_mark = (
        any(is_mark(game, move) == wanted for move in game.rules.legal_moves(position)) for wanted in (False, True)
    )
    if can_drop and can_mark:
        return "Drop a disc, or place a mark no higher than the highest disc; after a mark you owe a disc."
    if can_mark:
        return "Place a mark: no disc can be dropped."
    if position.own_owes:
        return "Drop a disc: you owe one, because you placed a mark the turn before."
    return "Drop a disc. Marks come later: none is higher than the highest disc."


def discs_by_player(position: Position) -> tuple[int, int]:
    """Return the discs of X and of O."""
    return by_player(position.own_discs, position.other_discs, position.turn)


def marks_by_player(position: Position) -> tuple[int, int]:
    """Return the marks of X and of O."""
    return by_player(position.own_marks, position.other_marks, position.turn)


def owes_by_player(position: Position) -> tuple[int, int]:
    """Return whether X and O owe a disc, as 1 or 0."""
    return by_player(position.own_owes, position.other_owes, position.turn)


def board(game: ConnectTacToe, position: Position) -> list[str]:
    """Return rows of X and O for discs, x and o for marks, and dots; top first."""
    discs, marks = discs_by_player(position), marks_by_player(position)
    return list(board_rows(game.cols, game.rows, "XOxo", *discs, *marks))


def write(game: ConnectTacToe, position: Position) -> str:
    """Return the rows from the top, the player to move, and who owes a disc: `7/7/7/7/7/2xXO2 O X`."""
    owing = "".join(symbol for symbol, owes in zip(game.symbols, owes_by_player(position), strict=True) if owes)
    return f"{squeeze(board(game, position))} {game.symbols[position.turn]} {owing or '-'}"


def setting_up(game: ConnectTacToe) -> SettingUp:
    """Return how discs and marks are set in holes, and who owes a disc."""
    marks = [Sign(sign.letter.lower(), f"{sign.letter}'s mark", "mark", sign.owner, 0.85) for sign in DISC_SIGNS]
    owing = {"-": "nobody", "X": "X", "O": "O", "XO": "both"}
    return SettingUp((*DISC_SIGNS, *marks), (whose_turn(game.symbols), Choice("owes a disc", owing)))


def read(game: ConnectTacToe, text: str) -> Position:
    """Return the position; refuse pieces that float or are too many, and games that had ended before."""
    cells, mover, owing = split_fields(text, ["board", "player to move", "who owes a disc"])
    turn = side_to_move(mover, game.symbols)
    if owing not in ("-", "X", "O", "XO"):
        raise BadPosition(f"who owes a disc is X, O, XO or -, not {owing[:20]!r}")
    first, second, first_marks, second_marks = masks_from(unsqueeze(cells, game.cols, game.rows, "XOxo"), "XOxo")
    position: Position = type(game.rules.start)(
        *by_player(first, second, turn),
        *by_player(first_marks, second_marks, turn),
        *by_player(int("X" in owing), int("O" in owing), turn),
        turn,
    )
    _check_places(game, position)
    _check_counts(game, position)
    _check_not_over_before(game, position)
    return position


def _check_places(game: ConnectTacToe, position: Position) -> None:
    """Raise BadPosition for a disc with nothing under it and for a mark that is higher than every disc."""
    discs, taken = all_discs(position), all_pieces(position)
    for column, row in cells_of(discs, game.rows):
        if row and not taken & bit(column, row - 1, game.rows):
            raise BadPosition(f"the disc on {square_name(column, row)} floats: nothing is under it")
    too_high = taken & ~up_to_highest(discs, full_mask(game.cols, game.rows), game.rows)
    if too_high:
        raise BadPosition(f"the mark on {square_name(*cells_of(too_high, game.rows)[0])} is higher than any disc")


def _check_counts(game: ConnectTacToe, position: Position) -> None:
    """Raise BadPosition for numbers of discs and marks that no game reaches."""
    discs, marks = (tuple(map(int.bit_count, kind)) for kind in (discs_by_player(position), marks_by_player(position)))
    counts = discs[0] + marks[0], discs[1] + marks[1]
    if counts[0] - counts[1] != position.turn:
        more = "one piece more than" if position.turn else "as many pieces as"
        raise BadPosition(
            f"with {game.symbols[position.turn]} to move, X must have {more} O; X has {counts[0]} and O has {counts[1]}"
        )
    for player, (symbol, owes) in enumerate(zip(game.symbols, owes_by_player(position), strict=True)):
        if owes and not marks[player]:
            raise BadPosition(f"{symbol} owes a disc without having placed a mark")
        # Between two marks of a player there was a disc, another after the last mark unless it is still owed, and the
        # first move of the game was a disc of X.
        most = discs[player] + 1 - (player == 0) - (not owes)
        if game.stuck == "draw" and marks[player] > max(0, most):
            raise BadPosition(f"{symbol} has too many marks: a mark must be followed by a disc")


def _check_not_over_before(game: ConnectTacToe, position: Position) -> None:
    """Raise BadPosition if the game was over before the last piece."""

    all_bits = game.cols * (game.rows + 1)

    def has_any_line(discs: int, marks: int) -> bool:
        return has_line(discs, game.rows, game.discs, all_bits) or has_line(marks, game.rows, game.marks, all_bits)

    if has_any_line(position.own_discs, position.own_marks):
        raise BadPosition(f"{game.symbols[position.turn]} has a line already, and the game ended there")
    discs, marks = position.other_discs, position.other_marks
    # A player who owes a disc has just placed a mark.
    last = marks if position.other_owes else discs
    others = [~bit(*square, game.rows) for square in cells_of(last, game.rows)]
    if has_any_line(discs, marks) and all(has_any_line(discs & other, marks & other) for other in others):
        raise BadPosition(f"no one piece, placed last, can have made all lines of {game.symbols[1 - position.turn]}")
