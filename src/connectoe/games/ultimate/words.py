"""Ultimate tic-tac-toe in words: notation, reasons, and positions as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectoe.board import Square, by_player, lines_on, square_name
from connectoe.board_texts import check_counts, side_to_move, split_fields, squeeze, unsqueeze
from connectoe.core.errors import BadPosition
from connectoe.core.rules import DRAWN
from connectoe.core.setting_up import EMPTY, Choice, Layout, SettingUp, signs_of_players, whose_turn
from connectoe.games.tic_tac_toe.rules import FULL, has_three, squares_in
from connectoe.games.tic_tac_toe.words import squares_of, won_at_once
from connectoe.games.ultimate.rules import ANY, LOW, Position, marks_on

if TYPE_CHECKING:
    from connectoe.games.ultimate import Ultimate

Boards = tuple[int, ...]
"""A player's marks, as nine bits for each small board."""


def square_of(move: int) -> Square:
    """Return the (column, row) of a move on the whole board."""
    board, square = divmod(move, 9)
    return 3 * (board % 3) + square % 3, 3 * (board // 3) + square // 3


ROWS = [[divmod(move, 9) for move in sorted(range(81), key=square_of) if square_of(move)[1] == row] for row in range(9)]
"""The (board, square) of each square of the whole board, row by row from the bottom."""
BY_LINES = "="
"""The choice, while a position with open boards is set up, that a board belongs to who has a line there."""


def board_name(board: int) -> str:
    """Return a small board by its corners: `d4-f6`."""
    return f"{square_name(*square_of(9 * board))}-{square_name(*square_of(9 * board + 8))}"


def marks_by_player(position: Position) -> tuple[Boards, Boards]:
    """Return the marks of players 0 and 1 on each small board."""
    own = tuple(marks_on(position.own_low, position.own_high, board) for board in range(9))
    other = tuple(marks_on(position.other_low, position.other_high, board) for board in range(9))
    return (own, other) if position.turn == 0 else (other, own)


def won_by_player(position: Position) -> tuple[int, int]:
    """Return the boards that players 0 and 1 have won."""
    return by_player(position.own_won, position.other_won, position.turn)


def notation(game: Ultimate) -> Sequence[str]:
    """Return the squares, board by board."""
    return [square_name(*square_of(move)) for move in range(81)]


def reason(game: Ultimate, position: Position) -> str:
    """Return the three boards in line, or that all boards are finished and how many each player won."""
    line = winning_line(game, position)
    if not line:
        all_are = f"all boards are {'finished' if game.won_boards == 'closed' else 'full'}"
        if game.rules.outcome(position) == DRAWN:
            equal = "" if game.undecided == "draw" else ", and both have won the same number"
            return f"{all_are} and nobody has three in line{equal}"
        more, fewer = sorted((boards.bit_count() for boards in won_by_player(position)), reverse=True)
        return f"most boards, {more} against {fewer}: {all_are} and nobody has three in line"
    return f"three boards {', '.join(board_name(3 * row + column) for column, row in line)}"


def winning_line(game: Ultimate, position: Position) -> tuple[Square, ...]:
    """Return the boards in line of the player who has just moved."""
    return next(iter(lines_on(set(squares_of(position.other_won)), 3)), ())


def why_illegal(game: Ultimate, position: Position, move: int) -> str:
    """Explain that another board must be played on, that the board is finished, or that the square is taken."""
    board = move // 9
    if position.board not in (ANY, board):
        return f"{game.symbols[position.turn]} was sent to board {board_name(position.board)} and must play there"
    if position.finished >> board & 1:
        for owner, won in enumerate(won_by_player(position)):
            if won >> board & 1 and game.won_boards == "closed":
                return f"board {board_name(board)} is finished: {game.symbols[owner]} has won it"
        return f"board {board_name(board)} is finished: it is full"
    return f"there is a mark on {game.move_text(move)} already"


def goal(game: Ultimate) -> str:
    """Return how to win."""
    or_most = "" if game.undecided == "draw" else ", or the most of them if nobody does"
    return f"Win three small boards in line{or_most}; three of your marks in line win a small board."


def may_do(game: Ultimate, position: Position) -> str:
    """Return on which squares the player to move may put a mark, and what that decides."""
    where = "any open board" if position.board == ANY else f"board {board_name(position.board)}"
    return f"Put your mark on an empty square of {where}. Where it stands there is the board your opponent plays on."


def board(game: Ultimate, position: Position) -> list[str]:
    """Return nine rows of X, O and dots, top first."""
    first, second = marks_by_player(position)
    return [
        "".join("X" if first[b] >> s & 1 else "O" if second[b] >> s & 1 else "." for b, s in row)
        for row in reversed(ROWS)
    ]


def write(game: Ultimate, position: Position) -> str:
    """Return the rows from the top, the player to move, and the first square of the board to play on, or `any`.

    With open boards, the owner of each board too, as on a small board: a board may hold lines of both.
    """
    where = "any" if position.board == ANY else square_name(*square_of(9 * position.board))
    fields = [squeeze(board(game, position)), game.symbols[position.turn], where]
    if game.won_boards == "open":
        first, second = won_by_player(position)
        owners = ["X" if first >> board & 1 else "O" if second >> board & 1 else "." for board in range(9)]
        fields.append(squeeze(["".join(owners[row : row + 3]) for row in (6, 3, 0)]))
    return " ".join(fields)


def setting_up(game: Ultimate) -> SettingUp:
    """Return how marks are set on squares, the board to play on, and with open boards who won each first."""
    boards = {square_name(*square_of(9 * board)): f"board {board_name(board)}" for board in range(9)}
    where = Choice("to play on", {"any": "any board", **boards})
    choices, signs = (whose_turn(game.symbols), where), signs_of_players("mark", "mark")
    if game.won_boards == "closed":
        return SettingUp(signs, choices)
    values = {BY_LINES: "by lines"} | {symbol: symbol for symbol in game.symbols}
    owners = tuple(Choice(f"owner of {board_name(board)}", values) for board in range(9))
    return SettingUp(signs, choices + owners, layout=Layout(9, _split, _join))


def _split(text: str) -> tuple[str, list[str]] | None:
    """Return the sign on each square, and the other fields; the owner of a board only where its lines do not say it."""
    try:
        rows, mover, where, owners = split_fields(text, ["board", "player", "board to play on", "owners"])
        signs = unsqueeze(rows, 9, 9, "XO")
        owner_of = "".join(reversed(unsqueeze(owners, 3, 3, "XO")))
    except BadPosition:
        return None
    by_lines = _owners_by_lines(signs)
    values = [BY_LINES if owner in (sign, EMPTY) else owner for owner, sign in zip(owner_of, by_lines, strict=True)]
    return "".join(signs), [mover, where, *values]


def _join(signs: Sequence[str], values: Sequence[str]) -> str:
    """Return the text of these squares and choices."""
    rows = ["".join(signs[start : start + 9]) for start in range(0, 81, 9)]
    chosen = zip(values[2:], _owners_by_lines(rows), strict=True)
    owners = "".join(sign if value == BY_LINES else value for value, sign in chosen)
    return " ".join([squeeze(rows), *values[:2], squeeze([owners[row : row + 3] for row in (6, 3, 0)])])


def _owners_by_lines(rows: Sequence[str]) -> list[str]:
    """Return who has a line on each board; nobody, where both have one."""
    pairs = zip(_marks_from(rows, "X"), _marks_from(rows, "O"), strict=True)
    lines = [(has_three(first), has_three(second)) for first, second in pairs]
    return ["X" if pair == (True, False) else "O" if pair == (False, True) else EMPTY for pair in lines]


def read(game: Ultimate, text: str) -> Position:
    """Return the position; refuse wrong numbers of marks, boards played on after they were won, games that had ended
    before, and a board to play on that no mark leads to."""
    names = ["board", "player to move", "board to play on"]
    if game.won_boards == "open":
        names.append("owners of the boards")
    rows, mover, where, *owners = split_fields(text, names)
    turn = side_to_move(mover, game.symbols)
    signs = unsqueeze(rows, 9, 9, "XO")
    first, second = (_marks_from(signs, sign) for sign in "XO")
    check_counts(_joined(first), _joined(second), turn, game.symbols, "mark")
    won = _owners_from(owners[0], first, second) if owners else _owners(first, second)
    full = sum(1 << board for board in range(9) if first[board] | second[board] == FULL)
    finished = full | (won[0] | won[1] if game.won_boards == "closed" else 0)
    corners = {square_name(*square_of(9 * board)): board for board in range(9)} | {"any": ANY}
    if where not in corners:
        raise BadPosition(f"the board to play on is any or its first square ({', '.join(corners)}), not {where[:20]!r}")
    own, other = (first, second) if turn == 0 else (second, first)
    position = Position(
        _joined(own[:LOW]), _joined(other[:LOW]), _joined(own[LOW:]), _joined(other[LOW:]),
        won[turn], won[1 - turn], finished, corners[where], turn,
    )  # fmt: skip
    _check_the_end(game, position)
    _check_where_to_play(game, position)
    return position


def _marks_from(signs: Sequence[str], sign: str) -> Boards:
    """Return the marks of a sign on each small board, from rows of signs, top first."""
    marks = [0] * 9
    for row, places in zip(reversed(signs), ROWS, strict=True):
        for found, (board, square) in zip(row, places, strict=True):
            if found == sign:
                marks[board] |= 1 << square
    return tuple(marks)


def _joined(boards: Boards) -> int:
    return sum(marks << 9 * board for board, marks in enumerate(boards))


def _owners(first: Boards, second: Boards) -> tuple[int, int]:
    """Return who has won which board, where a won board is closed."""
    for board in range(9):
        if has_three(first[board]) and has_three(second[board]):
            raise BadPosition(f"both players have a line on board {board_name(board)}, but the first line closes it")
        for marks in (first[board], second[board]):
            if has_three(marks) and not won_at_once(marks):
                raise BadPosition(f"board {board_name(board)} was won before all these marks were made")
    return (
        sum(1 << board for board in range(9) if has_three(first[board])),
        sum(1 << board for board in range(9) if has_three(second[board])),
    )


def _owners_from(text: str, first: Boards, second: Boards) -> tuple[int, int]:
    """Return who has won which board, where the text says it."""
    signs = "".join(reversed(unsqueeze(text, 3, 3, "XO")))
    for board, sign in enumerate(signs):
        lines = {sign for sign, marks in (("X", first[board]), ("O", second[board])) if has_three(marks)}
        if sign not in (lines or {"."}):
            owner = f"{sign} owns" if sign != "." else "nobody owns"
            has = " and ".join(sorted(lines)) or "nobody"
            raise BadPosition(f"{owner} board {board_name(board)}, but {has} has a line there")
    return (
        sum(1 << board for board in range(9) if signs[board] == "X"),
        sum(1 << board for board in range(9) if signs[board] == "O"),
    )


def _check_the_end(game: Ultimate, position: Position) -> None:
    """Raise BadPosition if play went on after three boards in line."""
    mover, opponent = game.symbols[position.turn], game.symbols[1 - position.turn]
    if has_three(position.own_won):
        raise BadPosition(f"{mover} has three boards in line already, and the game ended there")
    if has_three(position.other_won) and not won_at_once(position.other_won):
        raise BadPosition(f"{opponent} won the game before winning all these boards")


def _check_where_to_play(game: Ultimate, position: Position) -> None:
    """Raise BadPosition if no mark leads to the board to play on, or if a player did not play where a mark led."""
    mover, opponent = game.symbols[position.turn], game.symbols[1 - position.turn]
    marks = marks_by_player(position)
    # sent[player][board]: how often the player was sent to the board by a mark on the square of its number
    sent = [[sum(boards >> square & 1 for boards in marks[1 - player]) for square in range(9)] for player in (0, 1)]
    if position.board != ANY:
        name = board_name(position.board)
        if position.finished >> position.board & 1:
            raise BadPosition(f"{mover} cannot be sent to board {name}: it is finished")
        if not sent[position.turn][position.board]:
            raise BadPosition(f"no mark of {opponent} sends {mover} to board {name}")
    elif any(marks[0]) and not any(sent[position.turn][board] for board in squares_in(position.finished)):
        raise BadPosition(f"{mover} may not play on any board: no mark of {opponent} points to a finished one")
    for player in (0, 1):
        for board in squares_in(FULL & ~position.finished):
            is_next = board == position.board and player == position.turn
            if marks[player][board].bit_count() < sent[player][board] - is_next:
                raise BadPosition(
                    f"{game.symbols[player]} was sent to board {board_name(board)} more often than it marked there"
                )
