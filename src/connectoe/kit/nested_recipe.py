"""Recipes of boards in boards: their words, position texts and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from typing import Any

from connectoe.board import Square, by_player, column_name, square_name
from connectoe.board_texts import (
    NUMBER_WORDS,
    check_counts,
    check_nothing_floats,
    side_to_move,
    split_fields,
    squeeze,
    unsqueeze,
)
from connectoe.core.errors import BadGame, BadPosition
from connectoe.core.rules import ONGOING, LastMove
from connectoe.core.setting_up import Choice, SettingUp, signs_of_players, whose_turn
from connectoe.core.state import can_be_played
from connectoe.kit.blocks import Move, MovePlace, first_end
from connectoe.kit.declared import declared_in
from connectoe.kit.ends import full, most, repetition, stuck
from connectoe.kit.nested import (
    ANY,
    Nest,
    check_moves,
    check_pieces,
    nest_from,
    nested_planes,
    nested_rules,
    observing_nested,
    outer_context,
    unfinished,
)
from connectoe.kit.recipe import Made, Recipe, bound_ends, context_for, kinds_in
from connectoe.scene import Cell, Highlight, Label, Panel, Piece, Scene, Stroke, Target

GAP = 0.2
"""How far small boards stand apart."""
ANYWHERE = "any"


class NestedRecipe(Recipe):
    """A recipe whose layout is `nested(...)`: its moves are played on small boards, its ends are about the large one.

    >>> from connectoe.kit import full, grid, line, marks, nested, place
    >>> class Small(NestedRecipe):
    ...     id, name, summary = "small", "Small", "Boards in a row."
    ...     layout = nested(grid(3, 1), grid(3, 3), line=3)
    ...     pieces = marks()
    ...     moves = [place()]
    ...     ends = [line(3), full()]
    >>> Small().start.play("a1").play("d1").board()
    ['.........', '.........', 'X..O.....']
    """

    is_nested = True

    @classmethod
    def _made_with(cls, values: Mapping[int, Any], looks_up: bool = True) -> Made:
        kinds = kinds_in(cls.pieces)
        with declared_in(cls, "layout"):
            nest = nest_from(cls.layout, context_for(None, (), values, cls.symbols, ()).value)  # type: ignore[arg-type]
        if not looks_up:
            nest = replace(nest, inner=nest.inner._replace(looks_up=False), outer=nest.outer._replace(looks_up=False))
        with declared_in(cls, "pieces"):
            check_pieces(kinds)
        with declared_in(cls, "opening"):
            if cls.opening:
                raise BadGame("boards in boards begin empty, without an opening")
        inside = context_for(nest.inner, kinds, values, cls.symbols, ())
        with declared_in(cls, "moves"):
            move = check_moves([block.bind(inside) for block in cls.moves])
        outside = outer_context(nest, values, cls.symbols)
        wanted = [end for end in cls.ends if not isinstance(end, repetition)]  # no position comes back
        if not any(isinstance(end, full | most | stuck) for end in wanted):
            wanted.append(full())
        ends = bound_ends(cls, wanted, outside, [move], unfinished(outside))
        found, _ = reduce(
            lambda one, end: (first_end(one[0], one[1], end.found), one[1] + len(end.names)),
            ends[1:],
            (ends[0].found, len(ends[0].names)),
        )
        rules = nested_rules(nest, move, found)._replace(observe=observing_nested(nest))
        moves = [
            (move, _on_board(nest, board, place, getattr(cls.moves[0], "text", "")))
            for board in range(nest.boards)
            for place in move.places
        ]
        return Made(outside, (move,), moves, ends, rules, nested_planes(nest, kinds[0]))

    def made_to_be_read(self) -> Made:
        """Return the recipe without the tables that only make it faster."""
        return self._made_with(self._values(self._options), looks_up=False)

    def where_pieces_are(self) -> list[tuple[int, int, float, float, str]]:
        """Return for each square the field and bit of a piece of the player to move, its place, and its name."""
        nest = self.nest
        return [
            (
                board // nest.per_word,
                nest.width * (board % nest.per_word) + nest.inner.cell_at(square),
                *_middle(nest, board, square),
                square_name(*_whole(nest, board, square)),
            )
            for board in range(nest.boards)
            for square in nest.inner.squares
        ]

    def boards_as_text(self, template: str) -> str:
        """Return a template with the sizes of the picture and the look of a piece put in."""
        kind = kinds_in(self.pieces)[0]
        width, height = _extent(self.nest)
        sizes = {"width": round(width, 3), "height": round(height, 3), "words": self.nest.words}
        return template.format(**sizes, cell=self.nest.inner.cell, kind=kind.name, look=kind.look)

    @cached_property
    def nest(self) -> Nest:
        """The boards in boards."""
        return nest_from(self.layout, context_for(None, (), self._values(self._options), self.symbols, ()).value)  # type: ignore[arg-type]

    def check_options(self) -> None:
        """Raise BadOption for a small or large board that does not fit into 62 bits."""
        self._check_made()

    @property
    def _move(self) -> Move:
        return self.made.blocks[0]

    def _where(self, board: int) -> str:
        """Return a small board by its corners: `d4-f6`."""
        squares = [
            _whole(self.nest, board, corner) for corner in (self.nest.inner.squares[0], self.nest.inner.squares[-1])
        ]
        return "-".join(square_name(*square) for square in squares)

    def _pieces(self, position: Any, owner: int, board: int) -> int:
        """Return the pieces of player 0 or 1 on a small board."""
        return self.nest.pieces_on(position, owner ^ position.turn, board)

    def _won(self, position: Any) -> tuple[int, int]:
        return by_player(position.own_won, position.other_won, position.turn)

    def why_illegal(self, position: Any, move: int) -> str:
        """Explain that another board must be played on, that the board is finished, or what its block says."""
        block, place = self.made.moves[move]
        cell = self.nest.outer.cell_at(self.nest.outer.squares[place.group])
        if position.board not in (ANY, place.group):
            return f"{self.symbols[position.turn]} was sent to board {self._where(position.board)} and must play there"
        if position.finished >> cell & 1:
            return f"board {self._where(place.group)} is finished"
        small = [self.nest.pieces_on(position, owner, place.group) for owner in (0, 1)]
        local = self._move.places[move % len(self._move.places)]
        return f"on board {self._where(place.group)}, {block.why_illegal((*small, position.turn), local)}"

    def goal(self) -> str:
        """Return how to win."""
        length = self.nest.length
        many = NUMBER_WORDS[length].capitalize() if length < len(NUMBER_WORDS) else str(length)
        return f"{super().goal()} {many} {kinds_in(self.pieces)[0].plural} in line win a small board."

    def may_do(self, position: Any) -> str:
        """Return what the player to move may do, and where."""
        where = "any open board" if position.board == ANY else f"board {self._where(position.board)}"
        text = f"{self._move.may_do} of {where}."
        return text[0].upper() + text[1:]

    def board(self, position: Any) -> list[Any]:
        """Return rows of X, O and dots of the whole board, top first."""
        nest = self.nest
        rows = [["."] * (nest.outer.cols * nest.inner.cols) for _ in range(nest.outer.rows * nest.inner.rows)]
        for owner, sign in enumerate("XO"):
            for board in range(nest.boards):
                mask = self._pieces(position, owner, board)
                for square in nest.inner.squares:
                    if mask >> nest.inner.cell_at(square) & 1:
                        column, row = _whole(nest, board, square)
                        rows[-1 - row][column] = sign
        return ["".join(row) for row in rows]

    def write(self, position: Any) -> str:
        """Return the rows from the top, the player to move, the board to play on, and who has won open boards."""
        fields = [squeeze(self.board(position)), self.symbols[position.turn]]
        if self.nest.sends:
            fields.append(ANYWHERE if position.board == ANY else self._corner(position.board))
        if not self.nest.closes:
            outer, won = self.nest.outer, self._won(position)
            signs = dict.fromkeys(outer.squares, ".")
            for owner, sign in enumerate("XO"):
                signs |= {square: sign for square in outer.squares if won[owner] >> outer.cell_at(square) & 1}
            rows = ["".join(signs[x, y] for x in range(outer.cols)) for y in range(outer.rows - 1, -1, -1)]
            fields.append(squeeze(rows))
        return " ".join(fields)

    def _corner(self, board: int) -> str:
        return square_name(*_whole(self.nest, board, (0, 0)))

    def setting_up(self) -> SettingUp | None:
        """Return how positions are set up by hand; None with open boards, which have owners too."""
        if not self.nest.closes:
            return None
        kind = kinds_in(self.pieces)[0]
        choices = [whose_turn(self.symbols)]
        if self.nest.sends:
            boards = {self._corner(board): f"board {self._where(board)}" for board in range(self.nest.boards)}
            choices.append(Choice("to play on", {ANYWHERE: "any board", **boards}))
        return SettingUp(signs_of_players(kind.look, kind.name), tuple(choices))

    def read(self, text: str) -> Any:
        """Return the position; refuse wrong numbers of pieces, floating ones, and boards that cannot be played on."""
        nest = self.nest
        names = ["board", "player to move"]
        names += ["board to play on"] * nest.sends + ["owners of the boards"] * (not nest.closes)
        rows, mover, *more = split_fields(text, names)
        turn = side_to_move(mover, self.symbols)
        signs = unsqueeze(rows, nest.outer.cols * nest.inner.cols, nest.outer.rows * nest.inner.rows, "XO")
        pieces = [[self._mask(signs, sign, board) for board in range(nest.boards)] for sign in "XO"]
        joined = [sum(mask << nest.width * board for board, mask in enumerate(masks)) for masks in pieces]
        check_counts(joined[0], joined[1], turn, self.symbols, "piece")
        where = ANY
        if nest.sends:
            corners = {self._corner(board): board for board in range(nest.boards)} | {ANYWHERE: ANY}
            if (named := more.pop(0)) not in corners:
                raise BadPosition(f"the board to play on is any or its first square, not {named[:20]!r}")
            where = corners[named]
        won = self._owners(more[0]) if more else self._winners(pieces)
        finished = 0
        for board, square in enumerate(nest.outer.squares):
            cell, both = 1 << nest.outer.cell_at(square), pieces[0][board] | pieces[1][board]
            if self._move.falls:
                check_nothing_floats(both, nest.inner.rows)
            if both == nest.inner.full or (nest.closes and (won[0] | won[1]) & cell):
                finished |= cell
        words = [0] * (2 * nest.words)
        for owner in (0, 1):
            for board, mask in enumerate(pieces[owner ^ turn]):
                words[owner * nest.words + board // nest.per_word] |= mask << nest.width * (board % nest.per_word)
        position = type(self.rules.start)(*words, *by_player(won[0], won[1], turn), finished, where, turn)
        is_closed = where != ANY and finished >> nest.outer.cell_at(nest.outer.squares[where]) & 1
        if is_closed or not can_be_played(self.rules, position, len(self.move_texts)):
            raise BadPosition(f"the rules of {self.id} do not allow such a position")
        return position

    def _mask(self, rows: Sequence[str], sign: str, board: int) -> int:
        inner = self.nest.inner
        places = [(square, _whole(self.nest, board, square)) for square in inner.squares]
        return inner.mask_of(square for square, (column, row) in places if rows[-1 - row][column] == sign)

    def _winners(self, pieces: Sequence[Sequence[int]]) -> list[int]:
        """Return who has won which board, where a won board is closed."""
        in_line = self.nest.inner.has_line(self.nest.length)
        for board in range(self.nest.boards):
            if in_line(pieces[0][board]) and in_line(pieces[1][board]):
                raise BadPosition(
                    f"both players have a line on board {self._where(board)}, but the first line closes it"
                )
        outer = self.nest.outer
        return [
            outer.mask_of(square for board, square in enumerate(outer.squares) if in_line(masks[board]))
            for masks in pieces
        ]

    def _owners(self, text: str) -> list[int]:
        """Return who has won which board, where the text says it."""
        outer = self.nest.outer
        rows = unsqueeze(text, outer.cols, outer.rows, "XO")
        return [outer.mask_of((x, y) for x, y in outer.squares if rows[-1 - y][x] == sign) for sign in "XO"]

    def scene(self, position: Any, last: LastMove | None = None) -> Scene:
        """Return small boards that stand apart, with large marks over those that are won."""
        nest, kind = self.nest, kinds_in(self.pieces)[0]
        scene, outcome = Scene(self.symbols), self.rules.outcome(position)
        width, height = _extent(nest)
        scene.panels.append(Panel(0, 0, width, height))
        won = self._won(position)
        for board, square in enumerate(nest.outer.squares):
            box = _box(nest, board)
            scene.panels.append(Panel(*box, "small"))
            scene.cells += [Cell(*_middle(nest, board, cell), nest.inner.cell) for cell in nest.inner.squares]
            owner = next((owner for owner in (0, 1) if won[owner] >> nest.outer.cell_at(square) & 1), None)
            if owner is not None and nest.closes:
                x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
                scene.pieces.append(Piece(f"claim-{self._where(board)}", x, y, "claim", owner, size=min(box[2:])))
                continue
            if owner is not None:
                scene.highlights.append(Highlight(f"owner-{owner}", *box))
            for player in (0, 1):
                mask = self._pieces(position, player, board)
                for cell in nest.inner.squares:
                    if mask >> nest.inner.cell_at(cell) & 1:
                        name = f"{kind.name}-{square_name(*_whole(nest, board, cell))}"
                        scene.pieces.append(Piece(name, *_middle(nest, board, cell), kind.look, player))
        self._add_labels(scene)
        if last:
            scene.highlights += [
                Highlight("last", x - 0.5, y - 0.5) for x, y in self._new_pieces(last.before, position)
            ]
        if outcome in (0, 1):
            for line in self.lines(position):
                boards = [nest.outer.squares.index(square) for square in line]
                scene.highlights += [Highlight("win", *_box(nest, board)) for board in boards]
                ends = [(x + w / 2, y + h / 2) for x, y, w, h in (_box(nest, boards[0]), _box(nest, boards[-1]))]
                scene.strokes.append(Stroke(*ends[0], *ends[1], outcome, size=3))
        elif outcome == ONGOING:
            self._add_targets(scene, position)
        return scene

    def _new_pieces(self, before: Any, after: Any) -> list[tuple[float, float]]:
        """Return where pieces have been put by a move."""
        nest = self.nest
        return [
            _middle(nest, board, cell)
            for board in range(nest.boards)
            for cell in nest.inner.squares
            if nest.pieces_on(after, 1, board) & ~nest.pieces_on(before, 0, board) & 1 << nest.inner.cell_at(cell)
        ]

    def _add_labels(self, scene: Scene) -> None:
        nest = self.nest
        _, height = _extent(nest)
        for board, (column, row) in enumerate(nest.outer.squares):
            for x, y in nest.inner.squares:
                across, down = _middle(nest, board, (x, y))
                whole = _whole(nest, board, (x, y))
                if row == y == 0:
                    scene.labels.append(Label(across, height + 0.4, column_name(whole[0])))
                if column == x == 0:
                    scene.labels.append(Label(-0.4, down, str(whole[1] + 1)))

    def _add_targets(self, scene: Scene, position: Any) -> None:
        mover = self.symbols[position.turn]
        if position.board != ANY:
            scene.highlights.append(Highlight("forced", *_box(self.nest, position.board)))
            scene.notes.append(f"{mover} must play on board {self._where(position.board)}")
        elif self.nest.sends:
            scene.notes.append(f"{mover} may play on any open board")
        for move in self.rules.legal_moves(position):
            block, place = self.made.moves[move]
            scene.targets.append(Target(place.text, *place.box, block.tool, place.says))


def _whole(nest: Nest, board: int, square: Square) -> Square:
    """Return a square of a small board as one of the whole board."""
    column, row = nest.outer.squares[board]
    return column * nest.inner.cols + square[0], row * nest.inner.rows + square[1]


def _extent(nest: Nest) -> tuple[float, float]:
    """Return the width and height of the whole board in a picture."""
    outer, inner = nest.outer, nest.inner
    return outer.cols * (inner.cols + GAP) - GAP, outer.rows * (inner.rows + GAP) - GAP


def _box(nest: Nest, board: int) -> tuple[float, float, float, float]:
    """Return where a small board is in a picture: left, top, width and height."""
    column, row = nest.outer.squares[board]
    left, top = column * (nest.inner.cols + GAP), (nest.outer.rows - 1 - row) * (nest.inner.rows + GAP)
    return left, top, nest.inner.cols, nest.inner.rows


def _middle(nest: Nest, board: int, square: Square) -> tuple[float, float]:
    left, top, _, height = _box(nest, board)
    return left + square[0] + 0.5, top + height - square[1] - 0.5


def _on_board(nest: Nest, board: int, place: MovePlace, text: str) -> MovePlace:
    """Return a place of a small board as one of the whole board, with a text of its own."""
    square = nest.inner.square_at(place.cell)
    column, row = _whole(nest, board, square)
    names = {"square": square_name(column, row), "column": f"{column_name(column)}{nest.outer.squares[board][1] + 1}"}
    says = (place.says_anywhere or place.says).format(**names)
    left, top, _, _ = _box(nest, board)
    x, y, width, height = place.box
    return MovePlace(board, place.cell, text.format(**names), says, (left + x, top + y, width, height))
