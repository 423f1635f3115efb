"""What a position is worth is the same wherever one asks: hints, pages, the API, the command, and table or solver.

python -m tests.web.test_one_answer 20      20 positions of each solved game, and of each ply of Connect Four
"""

from __future__ import annotations

import html
import json
import random
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from connectoe import Game, Match, load
from connectoe.analysis import exact_solver, known_table
from connectoe.analysis_words import value_in_words
from connectoe.engines.engine import Candidate, Exact, Limits, best_first
from connectoe.preparing import Job, prepare
from tests.commands.calling import connectoe
from tests.installing import install_game
from tests.nim import NIM
from tests.web.serving import served

pytestmark = pytest.mark.slow

SMALL: list[tuple[str, dict[str, Any]]] = [
    ("tic-tac-toe", {}),
    ("semaphores", {"rows": 3, "cols": 3}),
    ("shift-tac-toe", {"edition": "pressman", "both": "mover"}),
    ("shift-tac-toe", {"edition": "pressman", "both": "draw"}),
    ("connect-four", {"cols": 4, "rows": 4}),
    ("c4-twist", {"cols": 3, "rows": 3, "connect": 3}),
    ("connect-tac-toe", {"cols": 3, "rows": 3, "discs": 3}),
    ("nim", {"sticks": 30}),
]
LARGER: list[tuple[str, dict[str, Any]]] = [
    ("semaphores", {"rows": 3, "cols": 4}),
    ("semaphores", {"rows": 4, "cols": 3}),
    ("semaphores", {"rows": 2, "cols": 6}),
    ("shift-tac-toe", {"edition": "sliders", "both": "mover"}),
    ("shift-tac-toe", {"edition": "sliders", "both": "draw"}),
    ("connect-four", {"cols": 5, "rows": 4}),
    ("connect-four", {"cols": 4, "rows": 5, "connect": 3}),
    ("c4-twist", {"cols": 4, "rows": 4}),
    ("connect-tac-toe", {"cols": 4, "rows": 3}),
]
PLIES_IN_TESTS = (0, 3, 20, 24, 28, 32, 36, 40)
"""The plies of Connect Four that are known at once, by the opening book or by a short search."""
PATIENCE = 10.0
"""The seconds in which every position of Connect Four is solved."""


class Answer(NamedTuple):
    """What a position is worth to the player to move, and what each move is worth, in words."""

    position: str
    moves: dict[str, str]

    @classmethod
    def from_json(cls, told: Any) -> Answer:
        def words(one: dict[str, Any]) -> str:
            return value_in_words(Exact(one["result"], one["plies"])) if one["exact"] else "not known"

        return cls(words(told), {one["move"]: words(one) for one in told["candidates"]})


def truth(match: Match) -> Answer:
    """What the table of the game says, or its solver; moves that repeat a position too often draw."""
    source = known_table(match.game) or exact_solver(match.game)
    assert source
    values = dict(source.search(match.state.position, Limits()).values)
    values |= dict.fromkeys(match.repeating_moves(), Exact("draw"))
    best = best_first(Candidate(move, value) for move, value in values.items())
    moves = {match.game.move_text(move): value_in_words(value) for move, value in values.items()}
    return Answer(value_in_words(best.candidates[0].value), moves)


def answers(browser: httpx.Client, match: Match) -> Iterator[tuple[str, Answer]]:
    """Every way to ask, and its answer."""
    described = {"game": match.game.id, "options": match.game.options, "moves": match.moves}
    told = browser.post("/api/v1/analyse", json={**described, "seconds": PATIENCE}).json()
    yield "the API", Answer.from_json(told)

    seats = [{"kind": "me"}, {"kind": "me"}]
    made = browser.post("/api/v1/matches", json={**described, "seats": seats}).json()
    told = browser.post(f"/api/v1/matches/{made['id']}/hint", params={"seconds": PATIENCE}).json()
    yield "the API's hint", Answer.from_json(told)
    hints = browser.get(f"/matches/{made['id']}?hint=true").text
    listed = dict(re.findall(r'<li><code>(.+?)</code><span class="exact">(.+?)</span></li>', hints))
    yield "the hint on the page", Answer(next(iter(listed.values())), listed)
    told = browser.get(f"/matches/{made['id']}/values/{match.ply}").json()
    yield "the replay", Answer(told["best"]["words"], {told["best"]["move"]: told["best"]["words"]})

    link = f"/analyse/{match.game.id}"
    fields = {f"option-{name}": value for name, value in match.game.options.items()} | {"moves": " ".join(match.moves)}
    shown = browser.get(link, params={**fields, "values": 1}).text
    worth = re.search(r'id="value-bar" role="img" aria-label="\w+: (.+?)"', shown)
    assert worth
    rows = re.findall(r'<tr id="row-(.+?)">.*?class="for-readers">(.+?), exact</span>', shown, re.DOTALL)
    yield "the analysis page", Answer(worth[1], {html.unescape(move): words for move, words in rows})
    told = browser.get(f"{link}/values", params={**fields, "seconds": PATIENCE}).json()
    yield "the analysis board", Answer(told["worth"]["words"].partition(": ")[2], told["words"])

    options = [f"--option={name}={value}" for name, value in match.game.options.items()]
    said = connectoe("analyse", match.game.id, *options, "--json", f"--seconds={PATIENCE}", "--", *match.moves)
    yield "the command", Answer.from_json(json.loads(said.stdout))


def hold_together(browser: httpx.Client, match: Match) -> None:
    """All answers are the same; the page's hints list only some of the moves."""
    known = truth(match)
    for source, answer in answers(browser, match):
        expected = {move: known.moves[move] for move in answer.moves}
        assert answer == Answer(known.position, expected), f"{source}: {match.game!r} {' '.join(match.moves)}"
        is_partial = source in ("the hint on the page", "the replay")
        assert is_partial or answer.moves.keys() == known.moves.keys(), source


def random_match(game: Game, dice: random.Random, ply: int | None = None) -> Match:
    """A match that is not over after this many random moves, or any number of them."""
    while True:
        match = Match(game)
        wanted = dice.randrange(24) if ply is None else ply
        while match.ply < wanted and not match.outcome:
            match.play(dice.choice(match.legal_moves()))
        if match.ply == wanted and not match.outcome:
            return match


def check_solved(browser: httpx.Client, game: Game, positions: int, seed: int = 0) -> None:
    prepare(Job(game, "table"))
    assert known_table(game)
    dice = random.Random(seed)
    for _ in range(positions):
        hold_together(browser, random_match(game, dice))


def check_connect_four(browser: httpx.Client, ply: int, positions: int) -> None:
    game = load("connect-four")
    prepare(Job(game, "analysis"))
    dice = random.Random(ply)
    for _ in range(positions):
        hold_together(browser, random_match(game, dice, ply))


@contextmanager
def asked(folder: Path) -> Iterator[httpx.Client]:
    """Somebody who asks a server that knows that game too."""
    with pytest.MonkeyPatch.context() as patch, served(f"sqlite:///{folder}/matches.db") as site:
        install_game(patch, folder, "nim", "somebodys_nim", NIM)
        browser = site.browser()
        browser.get("/about")  # the cookie
        yield browser


@pytest.fixture(scope="module")
def ann(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with asked(tmp_path_factory.mktemp("answers")) as browser:
        yield browser


@pytest.mark.parametrize(("game_id", "options"), SMALL, ids=str)
def test_a_solved_game_has_one_answer(ann: httpx.Client, game_id: str, options: dict[str, Any]) -> None:
    check_solved(ann, load(game_id, **options), positions=3)


@pytest.mark.parametrize("ply", PLIES_IN_TESTS)
def test_connect_four_has_one_answer(ann: httpx.Client, ply: int) -> None:
    check_connect_four(ann, ply, positions=1)


def check_all(positions: int) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder, asked(Path(folder)) as browser:
        for game_id, options in [*SMALL, *LARGER]:
            game = load(game_id, **options)
            check_solved(browser, game, positions)
            print(f"{game!r}: one answer in {positions} positions", flush=True)
        for ply in range(42):
            check_connect_four(browser, ply, positions)
            print(f"Connect Four at ply {ply}: one answer in {positions} positions", flush=True)


if __name__ == "__main__":
    check_all(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
