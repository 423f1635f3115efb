"""How a game ended."""

from __future__ import annotations

from typing import NamedTuple

from connectoe.core.squares import Square


class Outcome(NamedTuple):
    """How a game ended: the winner (None for a draw), why in words, and the same as data.

    >>> import connectoe
    >>> outcome = connectoe.load("connect-four").state("7/7/7/7/OOO4/XXXX3 O").outcome
    >>> outcome.winner, outcome.reason, outcome.kind
    (0, 'four discs a1-d1', 'a line of discs')
    >>> outcome.line
    ((0, 0), (1, 0), (2, 0), (3, 0))
    """

    winner: int | None
    reason: str
    """Why, in words for people."""
    kind: str = ""
    """One of the game's `endings`, or how a match ended otherwise: 'resignation', 'agreement' or 'repetition'."""
    line: tuple[Square, ...] = ()
    """The squares of the line that won, from end to end; in games of boards within boards, squares of the large one."""

    @property
    def result(self) -> str:
        """'0', '1' or 'draw'.

        >>> Outcome(None, "board full").result
        'draw'
        """
        return "draw" if self.winner is None else str(self.winner)

    def __str__(self) -> str:
        return f"{'drawn' if self.winner is None else f'won by {self.winner}'}: {self.reason}"
