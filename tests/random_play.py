"""Hypothesis strategies: any game with any options, and play of any length in it."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from connectoe import BadOption, Game, Match, game_ids, load
from connectoe.core.catalogue import game_class

SMALL = {"cols": range(1, 9), "rows": range(1, 8)}
"""Sizes that make boards worth playing on; the full ranges have tests of their own."""


@st.composite
def any_game(draw: st.DrawFn, *ids: str) -> Game:
    """A game with options drawn from what it allows."""
    game_id = draw(st.sampled_from(ids or tuple(game_ids())))
    while True:
        options = {
            option.name: draw(st.sampled_from(SMALL.get(option.name, option.allowed)))
            for option in game_class(game_id).option_list
        }
        try:
            return load(game_id, **options)
        except BadOption:
            continue


@st.composite
def any_match(draw: st.DrawFn, *ids: str, longest: int = 120) -> Match:
    """A match after some random moves, perhaps over."""
    match = Match(draw(any_game(*ids)))
    choice = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, longest))):
        moves = match.legal_moves()
        if not moves:
            break
        match.play(choice.choice(moves))
    return match
