"""Ends of a recipe: lines, a full board, no move left, and positions that come back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from connectoe.board import Square, lines_on
from connectoe.board_texts import NUMBER_WORDS, line_text
from connectoe.core.errors import BadGame
from connectoe.core.rules import DRAWN, ONGOING, rule
from connectoe.kit.blocks import Context, End, Layer, Move, first_end
from connectoe.kit.boards import check_length
from connectoe.kit.pieces import Kind
from connectoe.kit.tuples import Rule, union

MOVER, OPPONENT, DRAW, FIRST, SECOND, OWNER = "mover", "opponent", "draw", "first", "second", "owner"
MOST = "most"


def leader_rule(own: Rule, other: Rule, how_many: Rule) -> Rule:
    """Return the rule for the player with more pieces on these cells, or for a draw if both have as many."""

    @rule
    def leader(position: Any) -> int:
        lead = how_many(own(position)) - how_many(other(position))
        if lead == 0:
            return DRAWN
        return position[-1] if lead > 0 else 1 - position[-1]

    return leader


def result_rule(winner: str, whose: int = 1) -> Rule:
    """Return the rule for the outcome: a draw, a certain player, or the one who has just moved or the opponent.

    `whose` is the owner of what decides: 1 for the player who has just moved, 0 for the one to move.
    """
    if winner not in (MOVER, OPPONENT, DRAW, FIRST, SECOND, OWNER):
        raise BadGame(f"who wins is mover, opponent, owner, first, second or draw, not {winner!r}")
    if winner in (DRAW, FIRST, SECOND):
        fixed = {DRAW: DRAWN, FIRST: 0, SECOND: 1}[winner]

        @rule
        def always(position: Any) -> int:
            return fixed

        return always
    is_to_move = (whose == 0) != (winner == OPPONENT) if winner in (OWNER, OPPONENT) else False

    @rule
    def to_move(position: Any) -> int:
        return position[-1]

    @rule
    def just_moved(position: Any) -> int:
        return 1 - position[-1]

    return to_move if is_to_move else just_moved


@dataclass
class line:  # noqa: N801 (recipes read like sentences)
    """A number of pieces of one kind in line, across, upright or diagonally, ends the game.

    `winner` says who wins: the "owner" of the line (for shared pieces the player who completed it), the owner's
    "opponent", the "first" or the "second" player, or nobody ("draw"). `both` says what happens when both players get a
    line: the "mover" wins, or the "opponent", or it is a "draw".

    >>> line(4).winner
    'owner'
    """

    length: Any
    piece: str | None = None
    winner: Any = OWNER
    both: Any = MOVER

    def bind(self, context: Context, moves: Sequence[Move], can_move: Rule) -> End:
        """Return the end on the recipe's board."""
        length, winner, both = context.value(self.length), context.value(self.winner), context.value(self.both)
        check_length("line", length)
        check_both(both)
        has_line = context.board.has_line(length)
        kinds = {layer.kind: None for layer in context.layers if self.piece in (None, layer.kind.name)}
        if not kinds:
            context.kind(self.piece)  # raises
        looks_at_both = any(move.may_help_opponent for move in moves)
        parts = []
        for kind in kinds:
            last = context.layer(kind, 1)
            if kind.is_shared or not looks_at_both:
                parts.append(one_line(last, has_line, winner))
            else:
                parts.append(two_lines(last, context.layer(kind, 0), has_line, winner, both))
        found, _ = reduce(lambda a, b: (first_end(a[0], a[1], b[0]), a[1] + 1), [(part, 1) for part in parts])
        wanted = [layer for layer in context.layers if layer.kind in kinds and (looks_at_both or layer.owner != 0)]

        def lines_in(position: Any) -> Iterator[tuple[Kind, tuple[Square, ...]]]:
            """Yield all lines with their kinds, those of the winner first."""
            loser_to_move = int(found(position)) & 3 != position[-1]
            for layer in sorted(wanted, key=lambda layer: (layer.owner == 0) == loser_to_move):
                for squares in lines_on(set(context.squares_of(position[layer.place])), length):
                    yield layer.kind, squares

        def reason(position: Any, number: int) -> str:
            texts = [line_text(squares, kind.plural) for kind, squares in lines_in(position) if kind == names[number]]
            return " and ".join(texts)

        names = list(kinds)
        return End(
            names=tuple(f"a line of {kind.plural}" for kind in kinds),
            found=found,
            reason=reason,
            goal=_goal(length, list(kinds), winner),
            lines=lambda position: [squares for _, squares in lines_in(position)],
        )


def check_both(both: Any) -> None:
    """Raise BadGame for what lines for both cannot do."""
    if both not in (MOVER, OPPONENT, DRAW):
        raise BadGame(f"what lines for both do is mover, opponent or draw, not {both!r:.40}")


def one_line(layer: Layer, has_line: Rule, winner: str) -> Rule:
    """Return the rule for a line of the player who has just moved, or of shared pieces."""
    place, result = layer.place, result_rule(winner)

    @rule
    def found(position: Any) -> int:
        return result(position) if has_line(position[place]) else ONGOING

    return found


def two_lines(last: Layer, following: Layer, has_line: Rule, winner: str, both: str) -> Rule:
    """Return the rule for lines of either player, where a move can make lines of both."""
    mine, theirs = last.place, following.place
    my_result, their_result, both_result = result_rule(winner, 1), result_rule(winner, 0), result_rule(both, 1)

    @rule
    def found(position: Any) -> int:
        if has_line(position[mine]):
            return both_result(position) if has_line(position[theirs]) else my_result(position)
        return their_result(position) if has_line(position[theirs]) else ONGOING

    return found


def _goal(length: int, kinds: Sequence[Any], winner: str) -> str:
    many = NUMBER_WORDS[length] if length < len(NUMBER_WORDS) else str(length)
    what = " or ".join(dict.fromkeys(kind.plural.split()[-1] for kind in kinds))
    is_shared = all(kind.is_shared for kind in kinds)
    alike = " of one colour" if is_shared and len(kinds) > 1 else ""
    whose = what if is_shared else f"of your {what}"
    where = "in line: across, upright or diagonally"
    if winner == OPPONENT:
        return f"Do not get {many} {whose}{alike} {where}; that loses."
    if winner in (FIRST, SECOND):
        player, rival = ("first", "second") if winner == FIRST else ("second", "first")
        return f"The {player} player wants {many} {what}{alike} {where}; the {rival} player wants none."
    if winner == DRAW:
        return f"The game is drawn when {many} {what}{alike} are {where}."
    return f"{'Complete' if is_shared else 'Get'} {many} {whose}{alike} {where}."


def pieces_of_each(context: Context, what: str, piece: str | None = None) -> tuple[Rule, Rule]:
    """Return the rules for the pieces of the player to move and of the opponent, of one kind or of all."""
    kinds = [context.kind(piece)] if piece else [layer.kind for layer in context.layers]
    shared = [kind.name for kind in kinds if kind.is_shared]
    if shared:
        raise BadGame(f"{what} counts pieces of each player, and a {shared[0]} belongs to nobody")
    return union(context.places(0, piece)), union(context.places(1, piece))


@dataclass
class full:  # noqa: N801
    """A full board ends the game: in a draw, or as `winner` says; with "most", the player with more on it wins.

    >>> full("second").winner
    'second'
    """

    winner: Any = DRAW

    def bind(self, context: Context, moves: Sequence[Move], can_move: Rule) -> End:
        """Return the end on the recipe's board."""
        board, taken, winner = context.board, context.taken, context.value(self.winner)
        cells = board.full
        if winner == MOST:
            result = leader_rule(*pieces_of_each(context, "full"), board.how_many)
        else:
            result = result_rule(winner)

        @rule
        def found(position: Any) -> int:
            return result(position) if taken(position) == cells else ONGOING

        return End(("board full",), found, lambda *_: "board full")


@dataclass
class stuck:  # noqa: N801
    """A player without a legal move ends the game: in a draw, or as `winner` says.

    The "mover" is the player who has just moved, the "opponent" the one who cannot.

    >>> stuck("mover").winner
    'mover'
    """

    winner: Any = DRAW

    def bind(self, context: Context, moves: Sequence[Move], can_move: Rule) -> End:
        """Return the end on the recipe's board."""
        winner = context.value(self.winner)
        result = result_rule(winner)
        goals = {MOVER: "Leave your opponent without a legal move.", OPPONENT: "Be the first without a legal move."}

        @rule
        def found(position: Any) -> int:
            return ONGOING if can_move(position) else result(position)

        return End(("no move left",), found, lambda *_: "no move is left", goals.get(winner, ""))


@dataclass
class repetition:  # noqa: N801
    """A position that occurs for the third time ends the game in a draw.

    >>> repetition().times
    3
    """

    times: int = 3
    winner: str = DRAW

    def __post_init__(self) -> None:
        if (self.times, self.winner) != (3, DRAW):
            raise BadGame("a game is drawn when a position occurs for the third time; repetition knows no other rule")


@dataclass
class most:  # noqa: N801
    """When the board is full or no move is left, the player with the most pieces on the board wins.

    >>> most().piece is None
    True
    """

    piece: str | None = None

    def bind(self, context: Context, moves: Sequence[Move], can_move: Rule) -> End:
        """Return the end on the recipe's board."""
        own, other = pieces_of_each(context, "most", self.piece)
        kinds = {layer.kind.plural for layer in context.layers if self.piece in (None, layer.kind.name)}
        what = kinds.pop() if len(kinds) == 1 else "pieces"
        taken, cells, how_many = context.taken, context.board.full, context.board.how_many
        leader = leader_rule(own, other, how_many)

        @rule
        def found(position: Any) -> int:
            return ONGOING if taken(position) != cells and can_move(position) else leader(position)

        def reason(position: Any, _: int) -> str:
            counts = sorted((how_many(own(position)), how_many(other(position))), reverse=True)
            return f"{counts[0]} {what} to {counts[1]}"

        goal = f"Have more {what} on the board than your opponent when it is full or no move is left."
        return End((f"most {what}",), found, reason, goal)
