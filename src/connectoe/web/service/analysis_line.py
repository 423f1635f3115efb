"""A line of play on the analysis board, described completely by its link; the server stores nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import parse_qsl, urlencode

from connectoe.core.catalogue import load_known
from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.web.service.refusals import Refused

OPTION = "option-"
"""What the names of options begin with in a link, as they do in the form for a new match."""
LONGEST_LINK = 7_000
"""In characters; many servers in front of this one refuse more than 8,000."""
MOST_OTHERS = 6
"""How many other lines a link keeps; the oldest is dropped first."""


@dataclass(frozen=True)
class AnalysisLine:
    """A start, the moves from it, how many of them are on the board, and the lines that were left for this one.

    >>> from connectoe import load
    >>> line = AnalysisLine(load("connect-four", cols=6), moves=("c", "d", "c"), ply=1)
    >>> line.link
    '/analyse/connect-four?option-cols=6&moves=c+d+c&ply=1'
    >>> line.after("e").link
    '/analyse/connect-four?option-cols=6&moves=c+e&also=c+d+c'
    """

    game: Game
    start: str | None = None
    moves: tuple[str, ...] = ()
    ply: int = 0
    others: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def from_query(cls, game_id: str, fields: Iterable[tuple[str, str]]) -> AnalysisLine:
        """Return the line that the fields of a link describe, or raise ConnectoeError if there is no such line."""
        fields = list(fields)
        given = dict(fields)
        options = {name.removeprefix(OPTION): value for name, value in given.items() if is_option(name)}
        moves = tuple(given.get("moves", "").split())
        others = tuple(tuple(value.split()) for name, value in fields if name == "also" and value.strip())
        line = cls(load_known(game_id, **options), given.get("start") or None, moves, len(moves), others[-MOST_OTHERS:])
        ply = given.get("ply", "")
        if ply.isascii() and ply.isdigit() and len(ply) < 7:
            line = line.at(int(ply))
        line.check()
        return line

    @classmethod
    def of_match(cls, match: Match, ply: int | None = None) -> AnalysisLine:
        """Return the line of a match; if that is too long for a link, only the position after `ply` moves."""
        ply = match.ply if ply is None else ply
        start = None if match.start == match.game.start else match.start.text
        line = cls(match.game, start, tuple(match.moves), ply)
        return line if line.fits else cls(match.game, match.state_at(ply).text)

    def check(self) -> None:
        """Raise ConnectoeError unless the line, and the others, can be played."""
        _ = self.match
        for other in self.others:
            _played(self._begun(), other)

    @cached_property
    def match(self) -> Match:
        """The whole line, played."""
        return _played(self._begun(), self.moves)

    @cached_property
    def shown(self) -> Match:
        """The line as far as it is on the board."""
        return self.match.beginning(self.ply)

    def _begun(self) -> Match:
        return Match(self.game, start=None if self.start is None else self.game.state(self.start))

    def at(self, ply: int) -> AnalysisLine:
        """Return the same line with another number of moves on the board."""
        return replace(self, ply=min(ply, len(self.moves)))

    def after(self, move: str) -> AnalysisLine:
        """Return the line after a move; if it leaves this line, this one is kept among the others."""
        played = [*self.shown.moves, move]
        return self._changed_to(tuple(played), len(played))

    def changed_to_other(self, number: int) -> AnalysisLine:
        """Return one of the other lines, on the board as far as the move by which it leaves this one."""
        other = self.others[number]
        return self._changed_to(other, min(common(self.moves, other) + 1, len(other)))

    def without_other(self, number: int) -> AnalysisLine:
        """Return the line without one of the others."""
        return replace(self, others=self.others[:number] + self.others[number + 1 :])

    def _changed_to(self, moves: tuple[str, ...], ply: int) -> AnalysisLine:
        for longer in (self.moves, *self.others):
            if longer[: len(moves)] == moves:  # it goes along a line that is there already
                moves = longer
                break
        kept = [line for line in (*self.others, self.moves) if line != moves[: len(line)]]
        kept = list(dict.fromkeys(kept))[-MOST_OTHERS:]
        line = replace(self, moves=moves, ply=ply, others=tuple(kept))
        while line.others and not line.fits:
            line = line.without_other(0)
        if not line.fits:
            raise Refused("this line is too long for a link: set up its last position instead")
        return line

    @property
    def is_at_start(self) -> bool:
        """Whether the usual start of the game is on the board."""
        return self.start is None and self.ply == 0

    @property
    def fits(self) -> bool:
        """Whether the link is short enough."""
        return len(self.link) <= LONGEST_LINK

    @property
    def setting(self) -> list[tuple[str, str]]:
        """The fields of the link that say where the line begins: the options, and the start."""
        changed = [
            (OPTION + option.name, str(getattr(self.game, option.name)))
            for option in self.game.all_options()
            if getattr(self.game, option.name) != option.default
        ]
        return changed + ([("start", self.start)] if self.start is not None else [])

    @property
    def query(self) -> str:
        """The link's fields, as the part of an address after the question mark."""
        fields = self.setting
        if self.moves:
            fields.append(("moves", " ".join(self.moves)))
        if self.ply != len(self.moves):
            fields.append(("ply", str(self.ply)))
        return urlencode(fields + [("also", " ".join(other)) for other in self.others])

    @property
    def link(self) -> str:
        """The address of the analysis board with this line on it."""
        return self.link_with()

    def link_with(self, **more: str) -> str:
        """Return the link with further fields that are no part of the line; empty ones are left out."""
        query = "&".join(filter(None, [self.query, urlencode({name: value for name, value in more.items() if value})]))
        return f"/analyse/{self.game.id}" + (f"?{query}" if query else "")


def is_option(field: str) -> bool:
    """Whether a field of a link or a form holds an option of the game."""
    return field.startswith(OPTION)


def line_from(game_id: str, query: str) -> AnalysisLine:
    """Return the line that a query describes."""
    if len(query) > 2 * LONGEST_LINK:
        raise Refused("this link is too long")
    return AnalysisLine.from_query(game_id, parse_qsl(query))


def common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many moves two lines have in common at their beginnings.

    >>> common("d d c".split(), "d d e f".split())
    2
    """
    pairs = zip(one, other, strict=False)
    return next((number for number, (mine, theirs) in enumerate(pairs) if mine != theirs), min(len(one), len(other)))


def _played(match: Match, moves: Sequence[str]) -> Match:
    for number, move in enumerate(moves, start=1):
        try:
            match.play(move)
        except ConnectoeError as error:
            raise Refused(f"move {number}: {error}") from error
    return match
