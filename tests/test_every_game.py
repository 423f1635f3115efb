"""What holds for every game, whatever its rules."""

from __future__ import annotations

import pickle
import random
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from connectoe import Game, State, game_ids, load, read_matches
from connectoe.core.rules import ONGOING
from connectoe.core.state import comparable
from connectoe.draw.text import text
from connectoe.engines.perft import interpreted_perft, perft
from connectoe.scene import Target
from tests.games.symmetries import SYMMETRIES, symmetries
from tests.marks import check_marks
from tests.random_play import any_game, any_match

ROOT = Path(__file__).parents[1]
HEADINGS = [
    "Goal",
    "Equipment",
    "A turn",
    "The end",
    "Notation",
    "Options",
    "Decisions on open points",
    "Known numbers",
]
"""The headings of the reference, below how to play."""
each_game = pytest.mark.parametrize("game_id", game_ids())
EXAMPLES = min(40, settings().max_examples)
unhurried = settings(deadline=None, max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))


def pages_without(game_id: str) -> Iterator[str]:
    """What the documentation does not say about a game."""
    game, room = load(game_id), game_id.replace("-", "_")
    page = ROOT / "docs" / "rules" / f"{game_id}.md"
    text = page.read_text() if page.is_file() else ""
    if not text.startswith(f"# {game.name}\n"):
        yield f"docs/rules/{game_id}.md, a page that begins with '# {game.name}'"
    for level, headings in {"## ": ["How to play", "Reference"], "### ": HEADINGS}.items():
        if [line.removeprefix(level) for line in text.splitlines() if line.startswith(level)] != headings:
            yield f"in docs/rules/{game_id}.md, the headings {level}{', '.join(headings)}"
    for name, wanted in {
        "README.md": f"docs/rules/{game_id}.md",
        "docs/rules.md": f"\nrules/{game_id}\n",
        "docs/formats.md": f"\n{game_id}-move ",
        "docs/training.md": f"\n| {game_id} | ",
    }.items():
        if wanted not in (ROOT / name).read_text():
            yield f"in {name}, a line with {wanted.strip()!r}"
    for name in (f"{game_id}.perft", f"test_{room}.py"):
        if not (ROOT / "tests" / "games" / name).is_file():
            yield f"tests/games/{name}"


def rules_without(game_id: str) -> Iterator[str]:
    """What games of users may leave out, but a built-in game does not say."""
    game, room = load(game_id), f"src/connectoe/games/{game_id.replace('-', '_')}"
    if not game.rules.ending or game.endings is Game.endings:
        yield f"in {room}/engines.py, the rule `ending`, and in its class `endings`"
    if not game.rules.observe or not game.planes():
        yield f"in {room}/engines.py, the rule `observe`, and in its class `planes`"
    for kind in set(game.endings) - ENDING_WORDS.keys():
        yield f"in ENDING_WORDS of tests/test_every_game.py, how the reason of the ending {kind!r} begins"
    if game_id not in SYMMETRIES:
        yield f"in SYMMETRIES of tests/games/symmetries.py, the symmetries of {game_id}"


@each_game
def test_nothing_that_every_built_in_game_has_is_missing(game_id: str) -> None:
    missing = [*pages_without(game_id), *rules_without(game_id)]
    assert not missing, f"{game_id} still needs:\n- " + "\n- ".join(missing)


@each_game
def test_every_option_is_explained_on_the_page_and_refuses_what_is_not_allowed(game_id: str) -> None:
    page = (ROOT / "docs" / "rules" / f"{game_id}.md").read_text()
    for option in load(game_id).option_list:
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{option.name}` |")]
        assert f"| {option.explained} |" in row.replace("`", "")
        with pytest.raises(ValueError, match=f"{option.name} .* may be {option.allowed_text}"):
            load(game_id, **{option.name: "nonsense"})
    with pytest.raises(ValueError, match="has no option 'colour'"):
        load(game_id, colour="red")


def perft_lines() -> Iterator[tuple[str, int, int, str]]:
    for game_id in game_ids():
        table = ROOT / "tests" / "games" / f"{game_id}.perft"
        for line in table.read_text().splitlines() if table.is_file() else ():
            figures = line.split("#")[0].split()
            if figures:
                depth, count, options, by = figures
                assert by in ("rules", "plain", "connectoe"), line
                yield game_id, int(depth), int(count), options


def game_with(game_id: str, options: str) -> Game:
    return load(game_id, **dict(option.split("=") for option in options.split(",") if options != "-"))


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "options"), sorted({(line[0], line[3]) for line in perft_lines()}))
def test_the_perft_table_is_reproduced(game_id: str, options: str) -> None:
    game = game_with(game_id, options)
    for _, depth, count, _ in [line for line in perft_lines() if (line[0], line[3]) == (game_id, options)]:
        assert perft(game, depth) == count
        if count < 20_000:
            assert interpreted_perft(game, depth) == count


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "options"), sorted({(line[0], line[3]) for line in perft_lines()}))
def test_interpreted_equals_compiled_wherever_random_play_leads(game_id: str, options: str) -> None:
    game = game_with(game_id, options)
    choice = random.Random(7)
    depth = 1 if len(game.move_texts) > 200 else 2
    for _ in range(12):
        state = game.start
        for _ in range(choice.randrange(150)):
            if state.outcome:
                break
            state = state.play(choice.choice(state.moves()))
        assert perft(game, depth, state.position) == interpreted_perft(game, depth, state.position)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", [game_id for game_id in game_ids() if load(game_id).option_list])
@settings(unhurried, max_examples=3)
@given(st.data())
def test_interpreted_equals_compiled_with_any_options(game_id: str, data: st.DataObject) -> None:
    match = data.draw(any_match(game_id))
    depth = 1 if len(match.game.move_texts) > 200 else 2
    for position in (match.start.position, match.state.position):
        assert perft(match.game, depth, position) == interpreted_perft(match.game, depth, position)


@each_game
@unhurried
@given(st.data())
def test_an_ongoing_position_has_a_legal_move_and_a_finished_one_has_none(game_id: str, data: st.DataObject) -> None:
    match = data.draw(any_match(game_id))
    state = match.state
    if state.outcome is None:
        assert state.legal_moves()
        assert state.turn in (0, 1)
    else:
        assert state.legal_moves() == []
        assert state.turn is None
        assert state.outcome.winner in (0, 1, None)
        assert state.outcome.reason
        assert state.outcome.kind in match.game.endings


@each_game
@unhurried
@given(st.data())
def test_every_game_says_how_to_win_and_what_one_may_do(game_id: str, data: st.DataObject) -> None:
    match = data.draw(any_match(game_id))
    words = [match.game.goal()] + ([] if match.state.outcome else [match.game.may_do(match.state.position)])
    for sentence in words:
        assert sentence.endswith(".")
        assert sentence[0].isupper()
        assert len(sentence) <= 130
    assert words[0] != match.game.summary


@each_game
@unhurried
@given(st.data())
def test_a_refused_place_stands_for_an_illegal_move_and_says_why(game_id: str, data: st.DataObject) -> None:
    state = data.draw(any_match(game_id)).state
    if state.outcome:
        return
    legal = state.legal_moves()
    for place in state.game.refusals(state.position):
        assert place.move not in legal
        assert place.says == state.game.why_illegal(state.position, state.game.move_from(place.move))
        for target in state.scene().targets:
            assert place.tool != target.tool or not overlap(place, target)


def overlap(one: Target, other: Target) -> bool:
    return (
        one.x + 0.1 < other.x + other.width
        and other.x + 0.1 < one.x + one.width
        and one.y + 0.1 < other.y + other.height
        and other.y + 0.1 < one.y + one.height
    )


ENDING_WORDS = {
    "three marks": "three marks ",
    "a line of discs": r"\w+ discs ",
    "a line of marks": r"\w+ marks ",
    "board full": "board full$",
    "no disc can be dropped": "no disc can be dropped$",
    "a green line": r"\w+ green ",
    "a yellow line": r"\w+ yellow ",
    "a red line": r"\w+ red ",
    "all squares red": "all squares are red$",
    "a line": "three pieces ",
    "lines for both": "both have a line|[OX] made lines for both",
    "a line of the mover": "three (in|on) [a-z ]+$",
    "a line of the opponent": "three (in|on) [a-z ]+, by the opponent's slide$",
    "three boards in line": "three boards ",
    "no board left": "all boards are ",
    "most boards": "most boards, ",
    "three 9x9 boards in line": "three 9x9 boards ",
    "no 9x9 board left": "all 9x9 boards are closed",
}
"""For each way to end, what the reason of such an outcome begins with."""


@pytest.mark.slow
@each_game
@unhurried
@given(st.data())
def test_the_ending_of_a_game_is_what_its_reason_says(game_id: str, data: st.DataObject) -> None:
    game = data.draw(any_game(game_id))
    choice = random.Random(data.draw(st.integers(0, 2**32)))
    state = game.start
    for _ in range(200 if len(game.move_texts) < 200 else 4000):
        if state.outcome:
            break
        state = state.play(choice.choice(state.moves()))
    if state.outcome:
        assert game.rules.ending
        ending = game.endings[game.rules.ending(state.position)]
        assert re.match(ENDING_WORDS[ending], state.outcome.reason)
        assert state.outcome.kind == ending
        is_won_by_line = state.outcome.winner is not None and ending not in ("lines for both", "most boards")
        assert len(state.outcome.line) >= (3 if is_won_by_line else 0)
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(state.outcome.line)}
        assert len(steps) == is_won_by_line
        assert steps <= {(1, 0), (0, 1), (1, 1), (1, -1)}


@pytest.mark.slow
@pytest.mark.parametrize("game_id", [game_id for game_id in game_ids() if load(game_id).rules.pick])
@unhurried
@given(st.data())
def test_random_numbers_pick_every_legal_move_equally_often(game_id: str, data: st.DataObject) -> None:
    match = data.draw(any_match(game_id))
    pick, position, moves = match.game.rules.pick, match.state.position, match.state.moves()
    assume(pick)  # boards of several words have none
    assert pick
    for number, move in enumerate(moves):
        # All random numbers from the first to the last that stand for this move, and no others.
        first, beyond = (-(-(each << 32) // len(moves)) for each in (number, number + 1))
        for random_number in (first, (first + beyond) // 2, beyond - 1):
            assert pick(position, random_number) == move


@pytest.mark.parametrize("game_id", [game_id for game_id in game_ids() if load(game_id).rules.play_over])
@unhurried
@given(st.data())
def test_playing_over_a_copy_leads_where_playing_does_and_leaves_the_position_alone(
    game_id: str, data: st.DataObject
) -> None:
    match = data.draw(any_match(game_id))
    rules, position = match.game.rules, match.state.position
    assert rules.copied
    assert rules.play_over
    before = comparable(position)
    over = rules.copied(position)
    for number in data.draw(st.lists(st.integers(0, 2**16), max_size=20)):
        if rules.outcome(position) != ONGOING:
            break
        moves = list(rules.legal_moves(position))
        move = moves[number % len(moves)]
        position, over = rules.play(position, move), rules.play_over(over, move)
        assert comparable(over) == comparable(position)
    assert comparable(match.state.position) == before


@each_game
@unhurried
@given(st.data())
def test_no_two_pieces_share_a_place_or_an_id(game_id: str, data: st.DataObject) -> None:
    match = data.draw(any_match(game_id))
    for scene in (match.scene(), match.state.scene()):
        on_board = [piece for piece in scene.pieces if piece.kind not in ("claim", "tally")]
        assert len({(piece.x, piece.y) for piece in on_board}) == len(on_board)
        assert len({piece.id for piece in scene.pieces}) == len(scene.pieces)


@each_game
@unhurried
@given(st.data())
def test_the_targets_of_a_scene_are_the_legal_moves(game_id: str, data: st.DataObject) -> None:
    match = data.draw(any_match(game_id))
    targets = match.scene().targets
    assert sorted(target.move for target in targets) == match.legal_moves()
    assert all(target.says and target.tool for target in targets)
    assert len({target.says for target in targets}) == len(targets)


@each_game
@unhurried
@given(st.data())
def test_a_position_text_reads_back(game_id: str, data: st.DataObject) -> None:
    match = data.draw(any_match(game_id))
    state = match.state
    assert "\n" not in state.text
    again = state.game.state(state.text)
    assert again == state
    assert hash(again) == hash(state)
    assert (again.turn, again.outcome, again.legal_moves()) == (state.turn, state.outcome, state.legal_moves())


@each_game
@unhurried
@given(st.data())
def test_a_state_survives_pickling(game_id: str, data: st.DataObject) -> None:
    match = data.draw(any_match(game_id))
    again = pickle.loads(pickle.dumps(match.state))
    assert again == match.state
    assert again.legal_moves() == match.state.legal_moves()


@each_game
@unhurried
@given(
    st.data(),
    st.tuples(st.text(), st.text()),
    st.text(),
    st.sampled_from(["", "resign", "draw"]),
    st.dictionaries(st.sampled_from(["Event", "Round"]), st.text()),
)
def test_a_match_reads_back_from_text_and_json(
    game_id: str, data: st.DataObject, players: tuple[str, str], comment: str, end: str, tags: dict[str, str]
) -> None:
    match = data.draw(any_match(game_id))
    match.players = players
    match.date = "2026-11-15"
    match.tags = tags
    match.comment(comment)
    if end and not match.outcome:
        match.resign() if end == "resign" else match.agree_draw()
    assert read_matches(match.to_text()) == [match]
    assert read_matches(match.to_json()) == [match]
    assert read_matches(match.to_text() + "\n" + match.to_text()) == [match, match]
    assert read_matches(match.to_json() + "\n" + match.to_json()) == [match, match]


@each_game
@unhurried
@given(st.data())
def test_undo_restores_every_position(game_id: str, data: st.DataObject) -> None:
    match = data.draw(any_match(game_id))
    game, moves = match.game, match.moves
    states = [game.start]
    for move in moves:
        states.append(states[-1].play(move))
    for state in reversed(states):
        assert match.state == state
        if match.moves:
            match.undo()
    assert match.moves == []
    for move in moves:
        match.play(move)
    assert match.state == states[-1]


@each_game
@unhurried
@given(st.data())
def test_mirror_images_agree(game_id: str, data: st.DataObject) -> None:
    match = data.draw(any_match(game_id))
    game = match.game
    for mirrored in symmetries(game).values():
        assert sorted(mirrored) == list(range(len(game.move_texts)))
        image = game.start
        for move in match.moves:
            image = image.play(mirrored[game.move_from(move)])
        assert image.turn == match.state.turn
        assert sorted(image.moves()) == sorted(mirrored[move] for move in match.state.moves())
        ends = (image.outcome, match.state.outcome)
        assert (ends[0] and ends[0].winner) == (ends[1] and ends[1].winner)


@each_game
@unhurried
@given(st.data())
def test_an_illegal_move_is_refused_with_a_reason_of_that_game(game_id: str, data: st.DataObject) -> None:
    match = data.draw(any_match(game_id))
    state = match.state
    legal = set(state.moves())
    for move, text_of in enumerate(state.game.move_texts):
        why = state.why_illegal(move)
        assert (why is None) == (move in legal)
        if why:
            assert text_of in why
            assert Game.why_illegal(state.game, state.position, move) not in why


@each_game
@unhurried
@given(st.data())
def test_notation_is_unique_and_has_no_blanks(game_id: str, data: st.DataObject) -> None:
    game = data.draw(any_game(game_id))
    texts = game.move_texts
    assert len(set(texts)) == len(texts)
    assert all(text and text.split() == [text] and game.move_from(text) == move for move, text in enumerate(texts))


@each_game
@unhurried
@given(st.data())
def test_pictures_are_drawn(game_id: str, data: st.DataObject) -> None:
    match = data.draw(any_match(game_id))
    for theme in ("auto", "light", "dark"):
        ElementTree.fromstring(match.state.svg(theme))
    lines = text(match.scene()).splitlines()
    assert len(lines) >= 3 or match.game.options.get("rows", 3) in (1, 2)
    assert max(map(len, lines)) <= 100
    assert "\033[" in text(match.scene(), colour=True)


@each_game
@unhurried
@given(st.data())
def test_every_picture_shows_the_last_move_and_how_the_game_was_won(game_id: str, data: st.DataObject) -> None:
    match = data.draw(any_match(game_id))
    scene, outcome = match.scene(), match.state.outcome
    kinds = {mark.kind for mark in scene.highlights}
    assert ("last" in kinds) == bool(match.moves)
    assert ("win" in kinds) == bool(scene.strokes)
    if outcome is None:
        assert "win" not in kinds
    elif outcome.winner is not None and outcome.kind != "most boards":
        assert "win" in kinds
        assert outcome.winner in {stroke.owner for stroke in scene.strokes}
    check_marks(scene)


@each_game
@unhurried
@given(st.data())
def test_the_board_is_rows_of_text(game_id: str, data: st.DataObject) -> None:
    match = data.draw(any_match(game_id))
    board = match.state.board()
    assert board
    assert all(isinstance(row, list if match.game.id == "shift-tac-toe" else str) for row in board)


@each_game
@unhurried
@given(st.data(), st.text())
def test_any_text_as_a_position_is_refused_or_reads_back(game_id: str, data: st.DataObject, line: str) -> None:
    check_reading(data.draw(any_game(game_id)), line)


@each_game
@unhurried
@given(st.data())
def test_a_damaged_position_text_is_refused_or_reads_back(game_id: str, data: st.DataObject) -> None:
    match = data.draw(any_match(game_id))
    line = match.state.text
    at = data.draw(st.integers(0, len(line)))
    cut = data.draw(st.integers(0, 3))
    alphabet = st.sampled_from(sorted(set(line)) + list("XOxo/ -019.é\x00"))
    line = line[:at] + data.draw(st.text(alphabet, max_size=3)) + line[at + cut :]
    check_reading(match.game, line)


def check_reading(game: Game, line: str) -> None:
    """A position text is either refused with a reason, or stands for a state that behaves."""
    try:
        state = game.state(line)
    except ValueError as error:
        assert type(error).__name__ == "BadPosition"
        assert str(error)
        return
    assert isinstance(state, State)
    assert game.state(state.text) == state
    assert state.outcome or state.legal_moves()
    text(state.scene())
