"""A recipe in words: what a move looks like, and what a player may do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from connectoe.kit.blocks import Move

if TYPE_CHECKING:
    from connectoe.kit.recipe import Recipe


def move_help(blocks: Sequence[Move]) -> str:
    """Return what moves look like, by an example of each block: "d to drop a disc in column d"."""
    middle = [block.places[len(block.places) // 2] for block in blocks if block.places]
    return ", or ".join(f"{place.text} to {place.says}" for place in middle)


def special_moves(blocks: Sequence[Move]) -> Mapping[str, str]:
    """Return the kinds of moves that a study counts, if there are several: all but the first."""
    found = {}
    for block in blocks[1:]:
        if block.places and block.tool not in found:
            found[block.tool] = "|".join(sorted({_pattern(place.text) for place in block.places}))
    return found


def _pattern(text: str) -> str:
    """Return a regular expression for texts like this one, of the same shape: letters, digits and signs."""
    return re.sub(r"[a-z]+|[0-9]+|[^a-z0-9]+", _shape, text)


def _shape(part: re.Match[str]) -> str:
    if part[0].isdigit():
        return "[0-9]+"
    return "[a-z]+" if part[0].isalpha() else "".join(f"[{sign}]" for sign in part[0])


def may_do(game: Recipe, position: Any) -> str:
    """Return what the player to move may do in this ongoing position."""
    moves = game.made.moves
    possible = {id(moves[move][0]) for move in game.rules.legal_moves(position)}
    phrases = list(dict.fromkeys(block.may_do for block in game.made.blocks if id(block) in possible))
    text = ", or ".join(phrases)
    return f"{text[:1].upper()}{text[1:]}." if text else ""
