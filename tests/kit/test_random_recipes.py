"""Recipes drawn at random: whatever is declared is a complete game."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from connectoe import Match, State, load, read_matches
from connectoe.core.errors import BadGame
from connectoe.core.rules import ONGOING
from connectoe.engines.perft import interpreted_perft, perft
from connectoe.kit import (
    NestedRecipe,
    Recipe,
    bomb,
    bombs,
    by_hand,
    capture,
    clear,
    columns,
    discs,
    drop,
    drop_through,
    fall,
    flip,
    full,
    grid,
    jump,
    lights,
    line,
    marks,
    most,
    nested,
    numbers,
    pass_,
    place,
    pop,
    push_row,
    rotate,
    rule,
    slide_row,
    small_marks,
    step,
    stuck,
    total,
)
from connectoe.kit import turn as turn_lights
from connectoe.kit.eject import ejected
from connectoe.kit.recipe import kinds_in

winners = st.sampled_from(["owner", "opponent", "first", "second", "draw"])
small_sizes = st.tuples(st.integers(2, 5), st.integers(2, 5))
wide_sizes = st.sampled_from([(9, 7), (8, 8), (12, 5), (5, 13), (16, 16)])
sizes = st.one_of(small_sizes, wide_sizes)


@st.composite
def falling(draw: st.DrawFn, sizes: st.SearchStrategy[tuple[int, int]]) -> dict[str, Any]:
    """A board of columns with drops and perhaps pops and bombs."""
    moves: list[Any] = [drop()]
    pieces: list[Any] = [discs(in_hand=draw(st.sampled_from([None, 4])))]
    if draw(st.booleans()):
        moves.append(pop(whose=draw(st.sampled_from(["own", "any"]))))
    if draw(st.booleans()):
        moves.append(bomb())
        pieces.append(bombs(draw(st.integers(1, 2))))
    return {"layout": columns(*draw(sizes)), "pieces": pieces, "moves": moves}


@st.composite
def placing(draw: st.DrawFn, sizes: st.SearchStrategy[tuple[int, int]]) -> dict[str, Any]:
    """A grid on which marks are put, or lights are turned."""
    layout = grid(*draw(sizes))
    if draw(st.booleans()):
        return {
            "layout": layout,
            "pieces": lights(*("green", "yellow", "red")[: draw(st.integers(1, 3))]),
            "moves": [turn_lights()],
        }
    return {
        "layout": layout,
        "pieces": marks(in_hand=draw(st.sampled_from([None, 4])), shared=draw(st.booleans())),
        "moves": [place()],
    }


OWN_PIECES = [(marks(),), (discs(), small_marks()), numbers(1, 2, in_hand=None), numbers(1, 2, 3, in_hand=2)]


@st.composite
def effects(draw: st.DrawFn, is_grid: bool, looks_around: bool) -> list[Any]:
    """Effects that follow a move, in an order in which they go together."""
    found: list[Any] = []
    if looks_around:
        around = [flip(), flip(must=False), capture(), capture(many=1), capture(must=True)]
        found += draw(st.lists(st.sampled_from(around), max_size=1))
    found += draw(st.lists(st.sampled_from([clear(2), clear(3)]), max_size=1))
    found += draw(st.lists(st.sampled_from([rotate(2), empty_corner]), max_size=1)) if is_grid else []
    return found if is_grid else [*found, fall()] if draw(st.booleans()) else found


@rule
def empty_corner(fields: Any) -> Any:
    """The corner is emptied."""
    return (fields[0] & ~1, *fields[1:])


@rule
def upper_pieces(position: Any) -> Any:
    return position[0] & ~1


@rule
def lift(position: Any, cell: int) -> Any:
    """A piece is lifted."""
    return (position[0] & ~(1 << cell), *position[1:])


@st.composite
def walking(draw: st.DrawFn) -> dict[str, Any]:
    """A board on which pieces of one or several kinds are put, and move in all ways there are."""
    is_grid = draw(st.booleans())
    layout = (grid if is_grid else columns)(draw(st.sampled_from([2, 4])), draw(st.sampled_from([2, 4])))
    pieces = draw(st.sampled_from(OWN_PIECES))
    put = place if is_grid else drop
    where = "{square}" if is_grid else "{column}"
    moves: list[Any] = [
        put(f"{number}{where}", kind.name, then=draw(effects(is_grid, looks_around=True)))
        for number, kind in enumerate(pieces)
    ]
    ways, captures = draw(st.sampled_from(["all", "straight", "diagonal"])), draw(st.booleans())
    others = [
        step("s{from}{to}", ways=ways, captures=captures, then=draw(effects(is_grid, looks_around=True))),
        jump("j{from}{to}", piece=pieces[0].name, captures=captures),
        push_row("p{square}{push}", then=draw(effects(is_grid, looks_around=False))),
        slide_row("r{row}{push}", wraps=captures, then=draw(effects(is_grid, looks_around=False))),
        by_hand("h{square}", upper_pieces, lift),
        pass_(),
    ]
    if max(layout.cols, layout.rows) < 3:
        del others[1]  # no room to jump
    if not is_grid:
        others += [pop(then=draw(effects(is_grid, looks_around=False)))]
        others += [drop_through("t{square}", pieces[0].name, passes="all", then=capture())]
    moves += draw(st.lists(st.sampled_from(others), min_size=1, max_size=3, unique_by=id))
    return {"layout": layout, "pieces": pieces, "moves": moves}


@rule
def corner_taken(position: Any) -> Any:
    """The far corner is taken."""
    return 1 - position.turn if position[1] & 2 else ONGOING


@st.composite
def boards_in_boards(draw: st.DrawFn) -> type[Recipe]:
    """A board of small boards, on which pieces are put or dropped."""
    board, move = draw(st.sampled_from([(grid, place), (columns, drop), (columns, drop_through)]))
    outer, inner = draw(st.tuples(st.integers(2, 3), st.integers(2, 3))), draw(st.integers(2, 3))
    layout = nested(
        grid(*outer),
        board(inner, inner),
        line=2 if inner == 2 else draw(st.integers(2, 3)),
        sends=outer == (inner, inner) and draw(st.booleans()),
        when_won=draw(st.sampled_from(["closed", "open"])),
    )
    more = st.sampled_from([full(), full("most"), most(), stuck("mover"), stuck("second")])
    ends = [line(2, winner=draw(winners)), *draw(st.lists(more, max_size=1))]
    declared = {"id": "drawn", "name": "Drawn", "summary": "Boards drawn at random.", "__module__": __name__}
    parts = {"layout": layout, "pieces": draw(st.sampled_from([marks(), discs()])), "moves": [move()], "ends": ends}
    return type("Drawn", (NestedRecipe,), {**declared, **parts})


@st.composite
def recipes(draw: st.DrawFn, sizes: st.SearchStrategy[tuple[int, int]] = sizes) -> Recipe:
    if sizes is not wide_sizes and not draw(st.integers(0, 4)):
        return draw(boards_in_boards())()
    walks = [] if sizes is wide_sizes else [walking()]
    parts = draw(st.one_of(falling(sizes), placing(sizes), *walks))
    longest = max(parts["layout"].cols, parts["layout"].rows)
    length, winner = draw(st.integers(2, min(4, longest))), draw(winners)
    ends: list[Any] = [line(length, winner=winner, both=draw(st.sampled_from(["mover", "opponent", "draw"])))]
    ends += [full(draw(st.sampled_from(["draw", "first", "mover"])))] if draw(st.booleans()) else []
    if all(kind.number for kind in kinds_in(parts["pieces"])):
        ends += draw(st.lists(st.builds(total, st.integers(3, 5), st.just(2), winners, st.just("draw")), max_size=1))
    ends += [stuck(draw(st.sampled_from(["draw", "mover", "second"])))] if draw(st.booleans()) else []
    if not any(kind.is_shared for kind in kinds_in(parts["pieces"])):
        ends += draw(st.lists(st.sampled_from([most(), full("most"), corner_taken]), max_size=1))
    declared = {"id": "drawn", "name": "Drawn", "summary": "A game drawn at random.", "__module__": __name__}
    try:
        made: type[Recipe] = type("Drawn", (Recipe,), {**declared, **parts, "ends": ends})
    except BadGame as error:
        # too few pieces for a line, or nothing to begin with
        assume("can never hold" not in str(error) and "over before it begins" not in str(error))
        raise
    return made()


def depth_for(game: Recipe) -> int:
    """How deep lines of play are counted in well under a second."""
    many = len(game.move_texts)
    return 3 if many <= 25 else 2 if many <= 100 else 1


def random_states(game: Recipe, seed: int, longest: int = 40) -> list[State]:
    dice, states = random.Random(seed), [game.start]
    while states[-1].outcome is None and len(states) < longest:
        states.append(states[-1].play(dice.choice(states[-1].legal_moves())))
    return states


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(recipes(), st.integers(0, 999))
def test_a_recipe_is_a_whole_game(game: Recipe, seed: int) -> None:
    load(type(game))  # checks the contract: moves, packing, planes, words
    match = Match(game)
    for state in random_states(game, seed):
        if state.last and not match.outcome:
            match.play(state.last.move)
        assert game.state(state.text) == state
        assert len(state.scene().targets) == len(state.legal_moves())
        for illegal in set(range(len(game.move_texts))) - set(state.moves()):
            assert state.outcome or game.why_illegal(state.position, illegal)
    [again] = read_matches(match.to_text(), type(game))
    assert again.moves == match.moves
    if match.outcome:
        assert match.outcome.reason


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(recipes(), st.integers(0, 999))
def test_mirror_images_agree(game: Recipe, seed: int) -> None:
    rules = game.rules
    for state in random_states(game, seed, 12)[::3]:
        for mirror in rules.mirrors:
            image = mirror(state.position)
            assert rules.outcome(image) == rules.outcome(state.position)
            if rules.outcome(image) == ONGOING:
                after = {rules.play(image, move) for move in rules.legal_moves(image)}
                assert after == {mirror(rules.play(state.position, move)) for move in rules.legal_moves(state.position)}


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(recipes())
def test_an_ejected_recipe_is_the_same_game(tmp_path_factory: pytest.TempPathFactory, game: Recipe) -> None:
    file = tmp_path_factory.mktemp("ejected") / "drawn.py"
    file.write_text(ejected(game))
    plain = load(file)
    depth = depth_for(game)
    assert interpreted_perft(plain, depth) == interpreted_perft(game, depth)
    position = game.rules.start
    assert plain.rules.start == tuple(position)


@pytest.mark.slow
@settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(recipes(small_sizes))
def test_compiled_a_recipe_counts_what_it_counts_interpreted(game: Recipe) -> None:
    assert perft(game, 3) == interpreted_perft(game, 3)


@pytest.mark.slow
@settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(recipes(wide_sizes))
def test_compiled_a_recipe_with_a_wide_board_counts_what_it_counts_interpreted(game: Recipe) -> None:
    last_but_one = random_states(game, 1, 60)[-2].position
    for position in (game.rules.start, last_but_one):
        assert perft(game, 2, position) == interpreted_perft(game, 2, position)


def test_every_board_size_that_fits_has_as_many_squares_as_it_should() -> None:
    for cols, rows in product((1, 2, 7), (1, 3)):
        made = type(
            "Sized",
            (Recipe,),
            {
                "id": "sized",
                "name": "Sized",
                "summary": "A size.",
                "layout": grid(cols, rows),
                "pieces": marks(),
                "moves": [place()],
                "ends": [full()],
            },
        )
        assert len(made().notation()) == cols * rows
        assert interpreted_perft(made(), 1) == cols * rows
