"""Hypothesis strategies: any game with any options, and play of any length in it."""

from __future__ import annotations

from hypothesis import strategies as st

from connectoe import BadOption, Game, Match, game_ids, load
from connectoe.catalogue import game_class

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
def any_match(draw: st.DrawFn, *ids: str, longest: int = 60) -> Match:
    """A match after some random moves, perhaps over."""
    game = draw(any_game(*ids))
    match = Match(game)
    choices = draw(st.lists(st.integers(0, 10_000), max_size=longest))
    for choice in choices:
        moves = match.legal_moves()
        if not moves:
            break
        match.play(moves[choice % len(moves)])
    return match
