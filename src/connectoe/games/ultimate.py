"""Ultimate tic-tac-toe.

Nine small tic-tac-toe boards make one large one. The square of your move inside its small board is the small board
your opponent must move in: mark the top right square of any board, and your opponent plays on the top right board.
Three of your marks in line win a small board; three small boards of yours in line win the game.

A board that is won or full is finished: nobody plays there any more. Whoever is sent to a finished board plays on any
unfinished one instead, and so does the first player in the first move. When every board is finished and nobody has
three in line, it is a draw.

With `won_boards=open` a won board stays in play until it is full, and belongs to whoever won it first; then only full
boards set your opponent free, and the draw comes when all are full.

A move is a square of the whole board, `a1` (bottom left) to `i9`: `e5` is the middle of the middle board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from connectoe.board import (
    Square,
    by_player,
    check_counts,
    lines_on,
    side_to_move,
    split_fields,
    square_name,
    squeeze,
    unsqueeze,
)
from connectoe.errors import BadPosition
from connectoe.game import DRAWN, ONGOING, Game, LastMove, Planes, Rules, option, rule
from connectoe.games.tic_tac_toe import (
    FREE,
    FREE_COUNT,
    FULL,
    HAS_THREE,
    LOWEST,
    has_three,
    show_3x3,
    squares_of,
    won_at_once,
)
from connectoe.scene import Cell, Highlight, Label, Panel, Piece, Scene, Stroke, Target

# The small boards, and the squares of each, are numbered alike; square s of board b is move 9 * b + s:
#
#   6 7 8
#   3 4 5
#   0 1 2

ANY = 9
"""In `Position.board`: the player may choose the board."""
LOW = 5
"""Boards 0..4 are kept in the `low` ints of a position, nine bits each, and boards 5..8 in the `high` ones."""


class Position(NamedTuple):
    """The marks, the won boards, and where to play.

    own_low, other_low     marks of the player to move and of the opponent on boards 0..4: bit 9 * b + s
    own_high, other_high   the same on boards 5..8: bit 9 * (b - 5) + s
    own_won, other_won     boards each has won: bit b
    finished               boards that nobody may play on any more: bit b
    board                  the board to play on, or ANY
    turn                   the player to move

    >>> Ultimate().start.play("e5").position.board
    4
    """

    own_low: int
    other_low: int
    own_high: int
    other_high: int
    own_won: int
    other_won: int
    finished: int
    board: int
    turn: int


@rule
def marks_on(low: int, high: int, board: int) -> int:
    """The marks on one small board, as nine bits.

    >>> position = Ultimate().start.play("e5").position
    >>> bin(marks_on(position.other_low, position.other_high, board=4))
    '0b10000'
    """
    return (low >> 9 * board if board < LOW else high >> 9 * (board - LOW)) & FULL


CERTAIN = 255


@cache
def winning_chances() -> bytes:
    """How likely a player wins a 3x3 board if marks of both fall on it at random, by `own << 9 | other`; in 255ths.

    >>> chances = winning_chances()
    >>> chances[0], chances[0b000_010_000 << 9], chances[0b000_000_011 << 9 | 0b111_000_000]
    (120, 169, 0)
    """

    @cache
    def chance(own: int, other: int) -> float:
        if HAS_THREE[own]:
            return 1
        empty = [1 << square for square in range(9) if not (own | other) >> square & 1]
        if HAS_THREE[other] or not empty:
            return 0
        return sum(chance(own | mark, other) + chance(own, other | mark) for mark in empty) / (2 * len(empty))

    return bytes(
        0 if own & other else round(CERTAIN * chance(own, other)) for own in range(512) for other in range(512)
    )


def rules(won_boards: str) -> Rules:
    """Ultimate tic-tac-toe, with won boards `closed` or `open`.

    >>> closed = rules(won_boards="closed")
    >>> len(list(closed.legal_moves(closed.start)))
    81
    """
    won_boards_close = won_boards == "closed"
    chances = winning_chances()

    @rule
    def legal_moves(position: Position) -> Iterator[int]:
        low, high = position.own_low | position.other_low, position.own_high | position.other_high
        boards = FULL & ~position.finished if position.board == ANY else 1 << position.board
        while boards != 0:
            board = LOWEST[boards]
            boards &= boards - 1
            squares = FULL & ~marks_on(low, high, board)
            while squares != 0:
                yield 9 * board + LOWEST[squares]
                squares &= squares - 1

    @rule
    def pick_anywhere(low: int, high: int, finished: int, random: int) -> int:
        """What `pick` gives to a player who may choose the board."""
        free, boards = 0, FULL & ~finished
        while boards != 0:
            free += FREE_COUNT[marks_on(low, high, LOWEST[boards])]
            boards &= boards - 1
        left, boards = random * free >> 32, FULL & ~finished
        marks = marks_on(low, high, LOWEST[boards])
        while left >= FREE_COUNT[marks]:
            left -= FREE_COUNT[marks]
            boards &= boards - 1
            marks = marks_on(low, high, LOWEST[boards])
        return 9 * LOWEST[boards] + FREE[9 * marks + left]

    @rule
    def pick(position: Position, random: int) -> int:
        low, high = position.own_low | position.other_low, position.own_high | position.other_high
        if position.board == ANY:
            return pick_anywhere(low, high, position.finished, random)
        marks = marks_on(low, high, position.board)
        return 9 * position.board + FREE[9 * marks + (random * FREE_COUNT[marks] >> 32)]

    @rule
    def play(position: Position, move: int) -> Position:
        # The board changes from move to move, and processors guess wrong what depends on it: so nothing branches here.
        board = move * 57 >> 9  # move // 9, but quicker
        square = move - 9 * board
        is_high = 1 if board >= LOW else 0
        mark = 1 << move - 9 * LOW * is_high
        low, high = position.own_low | mark & is_high - 1, position.own_high | mark & -is_high
        marks = marks_on(low, high, board)
        is_won = HAS_THREE[marks] & ~((position.own_won | position.other_won) >> board)
        is_full = 1 if marks | marks_on(position.other_low, position.other_high, board) == FULL else 0
        won = position.own_won | is_won << board
        finished = position.finished | (is_full | is_won if won_boards_close else is_full) << board
        following = ANY if finished >> square & 1 else square
        return Position(
            position.other_low, low, position.other_high, high, position.other_won, won, finished, following,
            1 - position.turn,
        )  # fmt: skip

    @rule
    def outcome(position: Position) -> int:
        if has_three(position.other_won):
            return 1 - position.turn
        if position.finished == FULL:
            return DRAWN
        return ONGOING

    @rule
    def ending(position: Position) -> int:
        return 0 if has_three(position.other_won) else 1

    @rule
    def player(position: Position) -> int:
        return position.turn

    @rule
    def chance_on(board: int, own: tuple[int, int], other: tuple[int, int], won: int, decided: int) -> int:
        """How likely a player wins a small board, in 255ths."""
        if decided >> board & 1:
            return CERTAIN * (won >> board & 1)
        marks, others = marks_on(own[0], own[1], board), marks_on(other[0], other[1], board)
        return 1 * chances[marks << 9 | others]  # once, for compiled code to take the byte for an int

    @rule
    def chances_on(
        first: int, own: tuple[int, int], other: tuple[int, int], won: int, decided: int
    ) -> tuple[int, int, int]:
        """The same on three boards, from the first of them on."""
        return (
            chance_on(first, own, other, won, decided),
            chance_on(first + 1, own, other, won, decided),
            chance_on(first + 2, own, other, won, decided),
        )

    @rule
    def expected_lines(own: tuple[int, int], other: tuple[int, int], won: int, decided: int) -> int:
        """How many lines of boards a player may expect to win, if boards had nothing to do with each other; in
        255**3rds."""
        a, b, c = chances_on(0, own, other, won, decided)
        d, e, f = chances_on(3, own, other, won, decided)
        g, h, i = chances_on(6, own, other, won, decided)
        return a * b * c + d * e * f + g * h * i + a * d * g + b * e * h + c * f * i + a * e * i + c * e * g

    @rule
    def evaluate(position: Position) -> int:
        own, other = (position.own_low, position.own_high), (position.other_low, position.other_high)
        decided = position.finished | position.own_won | position.other_won
        lead = expected_lines(own, other, position.own_won, decided)
        lead -= expected_lines(other, own, position.other_won, decided)
        lead = 105 * lead // CERTAIN**3 + (30 if position.board == ANY else 8)  # it is good to be the one to move
        return lead if position.turn == 0 else -lead

    @rule
    def observe(position: Position, viewer: int, planes: Any) -> None:
        first = 0 if viewer == position.turn else 1
        to_play_on = FULL & ~position.finished if position.board == ANY else 1 << position.board
        for board in range(9):
            top, left = 6 - 3 * (board // 3), 3 * (board % 3)
            show_3x3(marks_on(position.own_low, position.own_high, board), planes, first, top, left)
            show_3x3(marks_on(position.other_low, position.other_high, board), planes, 1 - first, top, left)
            planes[2 + first, top : top + 3, left : left + 3] = position.own_won >> board & 1
            planes[3 - first, top : top + 3, left : left + 3] = position.other_won >> board & 1
            planes[4, top : top + 3, left : left + 3] = to_play_on >> board & 1

    start = Position(0, 0, 0, 0, 0, 0, 0, ANY, 0)
    return Rules(
        start, legal_moves, play, outcome, player, ending=ending, evaluate=evaluate, pick=pick, observe=observe
    )


Boards = tuple[int, ...]
"""A player's marks, as nine bits a small board."""

GAP = 0.2
"""How far small boards stand apart in the picture."""


def square_of(move: int) -> Square:
    """The (column, row) of a move on the whole board.

    >>> square_of(4 * 9 + 1)
    (4, 3)
    """
    board, square = divmod(move, 9)
    return 3 * (board % 3) + square % 3, 3 * (board // 3) + square // 3


MOVES = {square_of(move): move for move in range(81)}
BOARD_PLACES = tuple(
    "middle" if row == column == "middle" else f"{row} {column}"
    for row in ("bottom", "middle", "top")
    for column in ("left", "middle", "right")
)


def board_name(board: int) -> str:
    """A small board by its corners.

    >>> board_name(0), board_name(4)
    ('a1-c3', 'd4-f6')
    """
    return f"{square_name(*square_of(9 * board))}-{square_name(*square_of(9 * board + 8))}"


def place(column: float, row: float) -> tuple[float, float]:
    """The middle of a square in the picture: small boards stand apart.

    >>> place(0, 8), place(3, 8)
    ((0.5, 0.5), (3.7, 0.5))
    """
    return column + 0.5 + GAP * (column // 3), 8.5 - row + GAP * (2 - row // 3)


class Ultimate(Game):
    """Ultimate tic-tac-toe.

    >>> state = Ultimate().start.play("e5").play("d4")
    >>> state.legal_moves()
    ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2', 'c3']
    """

    id = "ultimate"
    name = "Ultimate tic-tac-toe"
    summary = "Tic-tac-toe of tic-tac-toes: your square decides on which board your opponent must play."
    move_help = "a square from a1 (bottom left) to i9"
    endings = ("three boards in line", "no board left")
    won_boards: str = option(
        "closed",
        {"closed": "it is finished", "open": "it is played on until it is full"},
        "what becomes of a won board",
    )
    make_rules = staticmethod(rules)

    def notation(self) -> Sequence[str]:
        """The squares, board by board."""
        return [square_name(*square_of(move)) for move in range(81)]

    def planes(self) -> Planes:
        """The marks of both, the small boards each has won, and where to play."""
        names = ("own marks", "opponent's marks", "own boards", "opponent's boards", "boards to play on")
        return Planes(names, 9, 9)

    def symmetries(self) -> Mapping[str, Sequence[int]]:
        """A mirror and a quarter turn of the whole board; each small board turns with it."""
        squares = [square_of(move) for move in range(81)]
        return {
            "mirror": [MOVES[8 - column, row] for column, row in squares],
            "quarter turn": [MOVES[8 - row, column] for column, row in squares],
        }

    def marks(self, position: Position) -> tuple[Boards, Boards]:
        """The marks of players 0 and 1 on each small board.

        >>> game = Ultimate()
        >>> game.marks(game.start.play("a1").position)[0]
        (1, 0, 0, 0, 0, 0, 0, 0, 0)
        """
        own = tuple(marks_on(position.own_low, position.own_high, board) for board in range(9))
        other = tuple(marks_on(position.other_low, position.other_high, board) for board in range(9))
        return (own, other) if position.turn == 0 else (other, own)

    def won(self, position: Position) -> tuple[int, int]:
        """The boards that players 0 and 1 have won.

        >>> game = Ultimate()
        >>> game.won(game.rules.start)
        (0, 0)
        """
        return by_player(position.own_won, position.other_won, position.turn)

    def reason(self, position: Position) -> str:
        """The three boards in line, or that no board is left."""
        if self.rules.outcome(position) == DRAWN:
            return (
                f"all boards are {'finished' if self.won_boards == 'closed' else 'full'} and nobody has three in line"
            )
        line = lines_on(set(squares_of(position.other_won)), 3)[0]
        return f"three boards {', '.join(board_name(3 * row + column) for column, row in line)}"

    def why_illegal(self, position: Position, move: int) -> str:
        """Another board than the one to play on, a finished board, or a square that is taken."""
        board = move // 9
        if position.board not in (ANY, board):
            return f"{self.symbols[position.turn]} was sent to board {board_name(position.board)} and must play there"
        if position.finished >> board & 1:
            for owner, won in enumerate(self.won(position)):
                if won >> board & 1 and self.won_boards == "closed":
                    return f"board {board_name(board)} is finished: {self.symbols[owner]} has won it"
            return f"board {board_name(board)} is finished: it is full"
        return f"there is a mark on {self.move_text(move)} already"

    def board(self, position: Position) -> list[str]:
        """Nine rows of X, O and dots, top first."""
        first, second = self.marks(position)
        rows = []
        for row in range(8, -1, -1):
            places = [divmod(MOVES[column, row], 9) for column in range(9)]
            rows.append("".join("X" if first[b] >> s & 1 else "O" if second[b] >> s & 1 else "." for b, s in places))
        return rows

    def write(self, position: Position) -> str:
        """The rows from the top, the player to move, and the first square of the board to play on, or `any`.

        With open boards, the owner of each board too, as on a small board: a board may hold lines of both.
        """
        where = "any" if position.board == ANY else square_name(*square_of(9 * position.board))
        fields = [squeeze(self.board(position)), self.symbols[position.turn], where]
        if self.won_boards == "open":
            first, second = self.won(position)
            owners = ["X" if first >> board & 1 else "O" if second >> board & 1 else "." for board in range(9)]
            fields.append(squeeze(["".join(owners[row : row + 3]) for row in (6, 3, 0)]))
        return " ".join(fields)

    def read(self, text: str) -> Position:
        """The position, if play from an empty board can lead to it."""
        names = ["board", "player to move", "board to play on"]
        if self.won_boards == "open":
            names.append("owners of the boards")
        rows, mover, where, *owners = split_fields(text, names)
        turn = side_to_move(mover, self.symbols)
        signs = unsqueeze(rows, 9, 9, "XO")
        first, second = (self._marks_from(signs, sign) for sign in "XO")
        check_counts(self._joined(first), self._joined(second), turn, self.symbols, "mark")
        won = self._owners_from(owners[0], first, second) if owners else self._owners(first, second)
        full = sum(1 << board for board in range(9) if first[board] | second[board] == FULL)
        finished = full | (won[0] | won[1] if self.won_boards == "closed" else 0)
        corners = {square_name(*square_of(9 * board)): board for board in range(9)} | {"any": ANY}
        if where not in corners:
            raise BadPosition(
                f"the board to play on is any or its first square ({', '.join(corners)}), not {where[:20]!r}"
            )
        own, other = (first, second) if turn == 0 else (second, first)
        position = Position(
            self._joined(own[:LOW]), self._joined(other[:LOW]), self._joined(own[LOW:]), self._joined(other[LOW:]),
            won[turn], won[1 - turn], finished, corners[where], turn,
        )  # fmt: skip
        self._check_the_end(position)
        self._check_the_way(position, (first, second))
        return position

    @staticmethod
    def _marks_from(signs: list[str], sign: str) -> Boards:
        return tuple(
            sum(
                1 << square
                for square in range(9)
                for column, row in [square_of(9 * board + square)]
                if signs[8 - row][column] == sign
            )
            for board in range(9)
        )

    @staticmethod
    def _joined(boards: Boards) -> int:
        return sum(marks << 9 * board for board, marks in enumerate(boards))

    @staticmethod
    def _owners(first: Boards, second: Boards) -> tuple[int, int]:
        """Who has won which board, where a won board is closed."""
        for board in range(9):
            if has_three(first[board]) and has_three(second[board]):
                raise BadPosition(
                    f"both players have a line on board {board_name(board)}, but the first line closes it"
                )
            for marks in (first[board], second[board]):
                if has_three(marks) and not won_at_once(marks):
                    raise BadPosition(f"board {board_name(board)} was won before all these marks were made")
        return (
            sum(1 << board for board in range(9) if has_three(first[board])),
            sum(1 << board for board in range(9) if has_three(second[board])),
        )

    @staticmethod
    def _owners_from(text: str, first: Boards, second: Boards) -> tuple[int, int]:
        """Who has won which board, where the text says it."""
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

    def _check_the_end(self, position: Position) -> None:
        """Refuses positions that go on after three boards in line."""
        mover, opponent = self.symbols[position.turn], self.symbols[1 - position.turn]
        if has_three(position.own_won):
            raise BadPosition(f"{mover} has three boards in line already, and the game ended there")
        if has_three(position.other_won) and not won_at_once(position.other_won):
            raise BadPosition(f"{opponent} won the game before winning all these boards")

    def _check_the_way(self, position: Position, marks: tuple[Boards, Boards]) -> None:
        """Refuses marks that do not follow from each other: whoever is sent to an unfinished board marks it next."""
        mover, opponent = self.symbols[position.turn], self.symbols[1 - position.turn]
        # sent[player][board]: how often the player was sent to the board by a mark on the square of its number
        sent = [
            [sum(marks[1 - player][board] >> square & 1 for board in range(9)) for square in range(9)]
            for player in (0, 1)
        ]
        is_start = not any(marks[0])
        if position.board != ANY:
            name = board_name(position.board)
            if position.finished >> position.board & 1:
                raise BadPosition(f"{mover} cannot be sent to board {name}: it is finished")
            if not sent[position.turn][position.board]:
                raise BadPosition(f"no mark of {opponent} sends {mover} to board {name}")
        elif not is_start and not any(
            sent[position.turn][board] for board in range(9) if position.finished >> board & 1
        ):
            raise BadPosition(f"{mover} may not play on any board: no mark of {opponent} points to a finished one")
        begins = set()
        for player in (0, 1):
            for board in range(9):
                is_next = board == position.board and player == position.turn
                unasked = marks[player][board].bit_count() - (sent[player][board] - is_next)
                if unasked < 0 and not position.finished >> board & 1:
                    raise BadPosition(
                        f"{self.symbols[player]} was sent to board {board_name(board)} more often than it marked there"
                    )
                if unasked > 0:
                    begins.add((player, board))
        # While no board is finished, every turn but the first was asked for. Then the marks, as steps from (player,
        # board) to (opponent, square), make one walk (Euler's) if and only if all of them hang together with the first.
        if not position.finished and not is_start:
            reached = set(begins)
            waiting = list(begins)
            while waiting:
                player, board = waiting.pop()
                steps = {(1 - player, square) for square in range(9) if marks[player][board] >> square & 1}
                waiting += steps - reached
                reached |= steps
            if any(marks[player][board] and (player, board) not in reached for player in (0, 1) for board in range(9)):
                raise BadPosition("no order of moves leads to these marks")

    def scene(self, position: Position, last: LastMove | None = None) -> Scene:
        """Nine small boards that stand apart, with large marks over those that are won."""
        scene = Scene(self.symbols)
        self._add_boards(scene)
        outcome = self.rules.outcome(position)
        marks, won = self.marks(position), self.won(position)
        for owner in (0, 1):
            for board in range(9):
                is_covered = self.won_boards == "closed" and position.finished & (won[0] | won[1]) & 1 << board
                for square in range(9):
                    if marks[owner][board] >> square & 1 and not is_covered:
                        name = self.move_text(9 * board + square)
                        scene.pieces.append(
                            Piece(f"mark-{name}", *place(*square_of(9 * board + square)), "mark", owner)
                        )
                if won[owner] >> board & 1:
                    self._add_claim(scene, board, owner)
        if last:
            x, y = place(*square_of(last.move))
            scene.highlights.append(Highlight("last", x - 0.5, y - 0.5))
        if outcome in (0, 1):
            for line in lines_on(set(squares_of(position.other_won)), 3):
                for column, row in line:
                    scene.highlights.append(self._over("win", 3 * row + column))
                (from_column, from_row), (to_column, to_row) = line[0], line[-1]
                ends = *place(3 * from_column + 1, 3 * from_row + 1), *place(3 * to_column + 1, 3 * to_row + 1)
                scene.strokes.append(Stroke(*ends, outcome, size=3))
        elif outcome == ONGOING:
            if position.board == ANY:
                scene.notes.append(f"{self.symbols[position.turn]} may play on any open board")
            else:
                scene.highlights.append(self._over("forced", position.board))
                where = f"the {BOARD_PLACES[position.board]} board, {board_name(position.board)}"
                scene.notes.append(f"{self.symbols[position.turn]} must play on {where}")
            for move in self.rules.legal_moves(position):
                name = self.move_text(move)
                x, y = place(*square_of(move))
                scene.targets.append(Target(name, x - 0.5, y - 0.5, 1, 1, "mark", f"put your mark on {name}"))
        return scene

    def _add_boards(self, scene: Scene) -> None:
        side = 9 + 2 * GAP
        above = GAP if self.won_boards == "open" else 0  # room for the owners of the top boards
        scene.panels.append(Panel(0, -above, side, side + above))
        for board in range(9):
            x, y = place(*square_of(9 * board + 6))
            scene.panels.append(Panel(x - 0.5, y - 0.5, 3, 3, "small"))
        scene.cells += [Cell(*place(column, row)) for row in range(9) for column in range(9)]
        for i in range(9):
            x, y = place(i, i)
            scene.labels += [Label(x, side + 0.4, square_name(i, 0)[0]), Label(-0.4, y, str(i + 1))]

    def _add_claim(self, scene: Scene, board: int, owner: int) -> None:
        """Covers a closed board with its owner's mark; an open one is only tinted, with a small mark above it."""
        x, y = place(*square_of(9 * board + 4))
        if self.won_boards == "closed":
            scene.pieces.append(Piece(f"claim-{board_name(board)}", x, y, "claim", owner, size=3))
        else:
            scene.highlights.append(self._over(f"owner-{owner}", board))
            scene.pieces.append(Piece(f"owner-{board_name(board)}", x, y - 1.5 - GAP / 2, "mark", owner, size=0.4))

    @staticmethod
    def _over(kind: str, board: int) -> Highlight:
        x, y = place(*square_of(9 * board + 6))
        return Highlight(kind, x - 0.5, y - 0.5, 3, 3)
