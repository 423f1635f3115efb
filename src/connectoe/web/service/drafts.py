"""A position that is being set up by hand: it is written like other positions, but may not be possible yet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.core.setting_up import EMPTY, TO_MOVE, Choice, SettingUp
from connectoe.core.state import State
from connectoe.web.service.refusals import Refused

LONGEST_DRAFT = 1_000


@dataclass(frozen=True)
class Draft:
    """The signs on the board in reading order, and the values of the choices beside it.

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
    signs: tuple[str, ...]
    values: tuple[str, ...]

    @property
    def setting_up(self) -> SettingUp:
        """What the game says about it."""
        known = self.game.setting_up()
        assert known
        return known

    @property
    def columns(self) -> int:
        """How many cells a row has."""
        layout = self.setting_up.layout
        return layout.columns if layout else len(_usual_rows(self.game)[0])

    @property
    def text(self) -> str:
        """The draft as a position text, possible or not."""
        layout = self.setting_up.layout
        if layout:
            return layout.join(self.signs, self.values)
        rows = ["".join(self.signs[start : start + self.columns]) for start in range(0, len(self.signs), self.columns)]
        board = re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(rows))
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

    def after_press(self, cell: int, in_hand: str) -> Draft:
        """Return the draft with a piece on a cell; whose turn it is follows, where that makes the position possible.

        Pressed again, the piece turns if it can, and at last the cell is empty.
        """
        if not 0 <= cell < len(self.signs):
            raise Refused("there is no such place on the board")
        known = [sign for sign in self.setting_up.signs if sign.in_hand == in_hand]
        letters = [sign.letter for sign in known] + [EMPTY]
        before = self.signs[cell]
        single = {sign.letter for sign in known if sign.is_single}
        signs = [EMPTY if sign in single else sign for sign in self.signs]
        signs[cell] = letters[letters.index(before) + 1] if before in letters[:-1] else letters[0]
        draft = replace(self, signs=tuple(signs))
        return next((other for other in (draft, *draft._with_other_turn()) if other.state), draft)

    def emptied(self) -> Draft:
        """Return the draft with an empty board."""
        draft = replace(self, signs=(EMPTY,) * len(self.signs))
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


def can_be_set_up(game: Game) -> bool:
    """Whether the positions of a game can be set up by hand."""
    try:
        return game.setting_up() is not None and bool(draft_from(game, game.start.text).signs)
    except Refused:  # a class may inherit how positions are set up, and write other positions
        return False


def draft_from(game: Game, text: str) -> Draft:
    """Return the draft that a text stands for; refuse one that has not the shape of the game's positions."""
    known = game.setting_up()
    if known is None:
        raise Refused(f"positions of {game.name} cannot be set up by hand: write them as text instead")
    if known.layout:
        return _split(game, known, known.layout.split(text[:LONGEST_DRAFT]))
    board, blank, beside = text[:LONGEST_DRAFT].partition(" ")
    rows = _rows_in(board)
    letters = {EMPTY, *(sign.letter for sign in known.signs)}
    if list(map(len, rows)) != list(map(len, _usual_rows(game))) or not set("".join(rows)) <= letters:
        raise Refused("this is not a board of this game")
    values = _pattern(known).fullmatch(blank + beside)
    if not values:
        names = ", ".join(choice.name for choice in known.choices)
        raise Refused(f"after the board, a position says: {names}")
    return Draft(game, tuple("".join(rows)), values.groups())


def _split(game: Game, known: SettingUp, found: tuple[Sequence[str], Sequence[str]] | None) -> Draft:
    """Return the draft with the signs and values that a layout has found in a text."""
    if found is None:
        raise Refused("this is not a position of this game")
    signs, values = found
    chosen = tuple(_checked(choice, value) for choice, value in zip(known.choices, values, strict=True))
    return Draft(game, tuple(signs), chosen)


def _pattern(known: SettingUp) -> re.Pattern[str]:
    """Return what the text beside the board looks like; each group is the value of a choice."""
    parts = []
    for choice in known.choices:
        values = sorted(map(re.escape, choice.values), key=len, reverse=True)
        parts.append(f"{'' if choice.is_joined else ' '}({'|'.join(values)})")
    return re.compile("".join(parts))


def _usual_rows(game: Game) -> tuple[str, ...]:
    return _rows_in(game.start.text.split()[0])


def _rows_in(board: str) -> tuple[str, ...]:
    return tuple(re.sub(r"[0-9]{1,3}", lambda run: EMPTY * int(run[0]), row) for row in board.split("/"))


def _checked(choice: Choice, value: str) -> str:
    if value not in choice.values:
        raise Refused(f"{choice.name!r} is one of {', '.join(choice.values)}, not {value[:20]!r}")
    return value
