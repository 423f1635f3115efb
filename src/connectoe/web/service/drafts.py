"""A position that is being set up by hand: it is written as positions are, but need not be possible yet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.core.setting_up import TO_MOVE, Choice, SettingUp
from connectoe.core.state import State
from connectoe.web.service.refusals import Refused

LONGEST_DRAFT = 1_000
EMPTY = "."


@dataclass(frozen=True)
class Draft:
    """The signs on the board, row by row from the top, and the values of the choices beside it.

    >>> from connectoe import load
    >>> draft = draft_from(load("connect-four"), "7/7/7/7/7/3X3 O")
    >>> draft.after_press(38, "O").text
    '7/7/7/7/7/3O3 O'
    >>> draft.after_press(38, "X").text
    '7/7/7/7/7/7 X'
    >>> draft.after_press(0, "O").problem
    'the disc on a6 floats: nothing is under it'
    """

    game: Game
    rows: tuple[str, ...]
    values: tuple[str, ...]

    @property
    def setting_up(self) -> SettingUp:
        """What the game says about it."""
        known = self.game.setting_up()
        assert known
        return known

    @property
    def signs(self) -> str:
        """The sign on each cell, in reading order."""
        return "".join(self.rows)

    @property
    def text(self) -> str:
        """The draft as a position text, possible or not."""
        board = re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(self.rows))
        beside = ""
        for choice, value in zip(self.setting_up.choices, self.values, strict=True):
            beside += value if choice.is_joined else f" {value}"
        return board + beside

    @property
    def state(self) -> State | None:
        """The position, if it is possible."""
        try:
            return self.game.state(self.text)
        except ConnectoeError:
            return None

    @property
    def problem(self) -> str:
        """Why the position is not possible, in the words of the rules; empty if it is."""
        try:
            self.game.state(self.text)
        except ConnectoeError as error:
            return str(error)
        return ""

    def after_press(self, cell: int, letter: str) -> Draft:
        """Return the draft with a sign on a cell; pressed again, the cell is empty. Whose turn it is may follow."""
        signs = self.signs
        if not 0 <= cell < len(signs):
            raise Refused("there is no such place on the board")
        put = EMPTY if signs[cell] == letter else letter
        draft = self._with_signs(signs[:cell] + put + signs[cell + 1 :])
        return next((other for other in (draft, *draft._with_other_turn()) if other.state), draft)

    def emptied(self) -> Draft:
        """Return the draft with an empty board."""
        draft = self._with_signs(EMPTY * len(self.signs))
        return next((other for other in (draft, *draft._with_other_turn()) if other.state), draft)

    def with_values(self, chosen: Mapping[str, str]) -> Draft:
        """Return the draft with other values of the choices, by their names."""
        values = tuple(
            _checked(choice, chosen.get(choice.name, value))
            for choice, value in zip(self.setting_up.choices, self.values, strict=True)
        )
        return replace(self, values=values)

    def _with_other_turn(self) -> Iterator[Draft]:
        for choice in self.setting_up.choices:
            if choice.name == TO_MOVE:
                yield from (self.with_values({TO_MOVE: value}) for value in choice.values)

    def _with_signs(self, signs: str) -> Draft:
        width = len(self.rows[0])
        return replace(self, rows=tuple(signs[start : start + width] for start in range(0, len(signs), width)))


def can_be_set_up(game: Game) -> bool:
    """Whether the positions of a game can be set up by hand."""
    try:
        return game.setting_up() is not None and bool(draft_from(game, game.start.text).rows)
    except Refused:  # a class may inherit how positions are set up, and write other positions
        return False


def draft_from(game: Game, text: str) -> Draft:
    """Return the draft that a text stands for; refuse one that has not the shape of the game's positions."""
    known = game.setting_up()
    if known is None:
        raise Refused(f"positions of {game.name} cannot be set up by hand: write them as text instead")
    board, blank, beside = text[:LONGEST_DRAFT].partition(" ")
    rows = _rows_in(board)
    usual = _rows_in(game.start.text.split()[0])
    letters = {EMPTY, *(sign.letter for sign in known.signs)}
    if [len(row) for row in rows] != [len(row) for row in usual] or not set("".join(rows)) <= letters:
        raise Refused("this is no board of this game")
    values = _pattern(known).fullmatch(blank + beside)
    if not values:
        names = ", ".join(choice.name for choice in known.choices)
        raise Refused(f"after the board, a position says: {names}")
    return Draft(game, rows, values.groups())


def _pattern(known: SettingUp) -> re.Pattern[str]:
    """Return what the text beside the board looks like; each group is the value of a choice."""
    parts = []
    for choice in known.choices:
        values = sorted(map(re.escape, choice.values), key=len, reverse=True)
        parts.append(f"{'' if choice.is_joined else ' '}({'|'.join(values)})")
    return re.compile("".join(parts))


def _rows_in(board: str) -> tuple[str, ...]:
    return tuple(re.sub(r"[0-9]{1,3}", lambda run: EMPTY * int(run[0]), row) for row in board.split("/"))


def _checked(choice: Choice, value: str) -> str:
    if value not in choice.values:
        raise Refused(f"{choice.name!r} is one of {', '.join(choice.values)}, not {value[:20]!r}")
    return value
