"""Examining a game of your own: mistakes that loading cannot find in half a second, or that would go unnoticed.

Loading a game finds what breaks the contract. Wrong mirrors, chance in the rules or a generator that leaks break
nothing, and give wrong tables, games that cannot be replayed, or a program that grows.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from time import perf_counter
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from connectoe.core.catalogue import built_in_ids
from connectoe.core.checking import check_play
from connectoe.core.errors import BadGame
from connectoe.core.game import Game, is_built_in
from connectoe.core.rules import ONGOING, LastMove, Rules
from connectoe.core.state import comparable
from connectoe.engines.cache import names_in
from connectoe.engines.refusals import NotCompiled, refusal_in

POSITIONS = 300
"""How many positions of random games are looked at."""
LONGER_GAMES, LONGER = 100, 3.0
"""How many random games are checked as in loading, and the most seconds for that."""
MOST_LINES = 20_000
"""How many lines of play are counted in plain Python, to compare them with compiled rules."""
SLOW = 2_000
"""The moves a second, in plain Python, below which rules are called slow."""
CHANCE = ("random", "secrets", "time")
OUTSIDE = ("print", "input", "open")
"""Functions that talk to the world outside the rules."""
PICTURES = 60
"""How many positions are drawn."""


Step = Callable[[Game], Iterator["Finding"]]
"""One thing that is looked at."""


class Finding(NamedTuple):
    """Something that is wrong with a game: in words, what to do about it, and where it is in its file."""

    words: str
    instead: str = ""
    line: int | None = None
    is_mistake: bool = True
    """Whether it is wrong, and not only worth knowing."""
    file: str = ""
    """The name of the file, if it is not the one that the game's class is in."""


def examined(game: Game, step: Callable[[], None] = lambda: None, steps: Sequence[Step] | None = None) -> list[Finding]:
    """Return what is wrong with a game, and what is worth knowing; `step` is called after each of the steps.

    >>> import connectoe
    >>> examined(connectoe.load("tic-tac-toe"))
    []
    """
    found: list[Finding] = []
    for look in STEPS if steps is None else steps:
        found += look(game)
        step()
    return found


def _line_of(function: Callable[..., Any]) -> int | None:
    """Return the line of the def of a function."""
    code = getattr(function, "__code__", None)
    if code is None:
        return None
    lines, first = inspect.getsourcelines(function)
    return next((first + at for at, text in enumerate(lines) if text.lstrip().startswith("def ")), int(first))


def _functions(rules: Rules) -> dict[str, Callable[..., Any]]:
    """Return the rules that are functions, by name."""
    found = {name: rule for name, rule in rules._asdict().items() if callable(rule) and name != "start"}
    return found | {f"mirror {number}": mirror for number, mirror in enumerate(rules.mirrors, start=1)}


def _positions(game: Game) -> Iterator[Any]:
    """Yield positions of random games that are not over."""
    rules, dice = game.rules, random.Random(1)
    while True:
        position, ply = rules.start, 0
        if rules.outcome(position) != ONGOING:
            return
        while rules.outcome(position) == ONGOING and ply < game.ply_limit:
            yield position
            position = rules.play(position, dice.choice(list(rules.legal_moves(position))))
            ply += 1


def _shown(position: Any) -> str:
    text = repr(position)
    return text if len(text) <= 80 else f"{text[:80]}…"


# The steps.


def _longer_play(game: Game) -> Iterator[Finding]:
    """The checks made when a game is loaded, in more games: moves listed twice, positions that do not pack, endings
    without a name.
    """
    try:
        check_play(game, LONGER_GAMES, LONGER)
    except BadGame as error:
        yield Finding(error.why or str(error), line=error.line)


def _chance(game: Game) -> Iterator[Finding]:
    """Rules that do not give the same answer each time."""
    rules = game.rules
    pure = "rules are pure functions: keep what changes in the position, and leave chance to the players"
    for name, rule in _functions(rules).items():
        code, known = getattr(rule, "__code__", None), getattr(rule, "__globals__", {})
        for word in sorted(names_in(code) & known.keys()) if code else ():
            module = known[word]
            if isinstance(module, ModuleType) and module.__name__.partition(".")[0] in CHANCE:
                yield Finding(f"{name} uses the module {module.__name__}", pure, _line_of(rule))
        for word in sorted(names_in(code).intersection(OUTSIDE) - known.keys()) if code else ():
            words = f"{name} uses {word}, which engines would call millions of times"
            yield Finding(words, f"leave {word} out of the rules", _line_of(rule))
    for position in islice(_positions(game), POSITIONS):
        for move in rules.legal_moves(position):
            if comparable(rules.play(position, move)) != comparable(rules.play(position, move)):
                words = f"play gives two different positions for {game.move_text(move)!r} in {_shown(position)}"
                yield Finding(words, pure, _line_of(rules.play))
                return
        if sorted(rules.legal_moves(position)) != sorted(rules.legal_moves(position)):
            yield Finding(f"legal_moves gives other moves each time in {_shown(position)}", pure)
            return


def _mirrors(game: Game) -> Iterator[Finding]:
    """Mirrors that do not agree with the rules: the positions after the mirrored one are not the mirrored ones."""
    rules = game.rules

    def after(position: Any) -> list[Any]:
        if rules.outcome(position) != ONGOING:
            return []
        return [rules.play(position, move) for move in rules.legal_moves(position)]

    for number, mirror in enumerate(rules.mirrors, start=1):
        for position in islice(_positions(game), POSITIONS):
            image = mirror(position)
            problem = ""
            if rules.outcome(image) != rules.outcome(position):
                problem = "one of them is over and the other is not"
            elif rules.player(image) != rules.player(position):
                problem = "another player is to move"
            elif {comparable(mirror(one)) for one in after(position)} != {comparable(one) for one in after(image)}:
                problem = "their moves do not lead to mirror images"
            if problem:
                made = f"it makes {_shown(image)} of {_shown(position)}"
                yield Finding(
                    f"mirror {number} does not agree with the rules: {made}, and {problem}",
                    "mirror every field of the position, or leave this mirror out: tables made with it would be wrong",
                    _line_of(mirror),
                )
                break


def _turns(game: Game) -> Iterator[Finding]:
    """A player who never has a turn."""
    movers = {game.rules.player(position) for position in islice(_positions(game), POSITIONS)}
    if not movers:
        words = "the game is over before it begins: outcome does not say ONGOING of the first position"
        yield Finding(words, line=_line_of(game.rules.outcome))
    elif len(movers) == 1:
        (mover,) = movers
        yield Finding(
            f"player {1 - mover} never has a turn: it is always the turn of player {mover}",
            "let play change whose turn it is, as in Position(…, 1 - position.turn)",
            _line_of(game.rules.play),
        )


def _pictures(game: Game) -> Iterator[Finding]:
    """Scenes that fail, and places on them that stand for no move, or moves without a place."""
    texts, line = set(game.move_texts), _line_of(game.scene)
    for position in islice(_positions(game), PICTURES):
        moves = list(game.rules.legal_moves(position))
        try:
            targets = {target.move for target in game.scene(position).targets}
            game.scene(game.rules.play(position, moves[-1]), LastMove(position, moves[-1]))
        except Exception as error:  # whatever an inventor's picture raises
            yield Finding(f"scene fails in {_shown(position)}: {type(error).__name__}: {error}", line=line)
            return
        unknown, missing = sorted(targets - texts), sorted({game.move_text(move) for move in moves} - targets)
        if unknown:
            words = f"scene has a place for {unknown[0]!r} in {_shown(position)}, and no move is called so"
            yield Finding(words, "a target has the text of its move, as notation returns it", line)
        elif missing:
            words = f"scene has no place for the legal move {missing[0]!r} in {_shown(position)}"
            yield Finding(words, "add a target for each legal move, or it cannot be played on the page", line)
        if unknown or missing:
            return


def _id(game: Game) -> Iterator[Finding]:
    """An id that is taken."""
    if game.id in built_in_ids() and not is_built_in(type(game)):
        words = f"its id is that of a built-in game, {game.id}, and records of the one would be read as the other's"
        yield Finding(words, "choose another id", is_mistake=False)


def _arrays(game: Game) -> Iterator[Finding]:
    """A generator that is given an array, which compiled code never releases."""
    rules = game.rules
    if rules.has_arrays and inspect.isgeneratorfunction(rules.legal_moves):
        yield Finding(
            "legal_moves is a generator over a position with arrays: compiled, it leaks an array with every call",
            "let it be a plain function that returns a generator, another @rule, over ints",
            _line_of(rules.legal_moves),
        )


def _compiling(game: Game) -> Iterator[Finding]:
    """Rules that do not compile, or do something else when they are compiled."""
    from connectoe.engines.compiling import try_to_compile
    from connectoe.engines.perft import interpreted_perft, perft

    rules, start = game.rules, game.start.position
    legal_moves = rules.legal_moves

    def count_moves(position: Any) -> int:
        count = 0
        for _ in legal_moves(position):
            count += 1
        return count

    a_move = next(iter(legal_moves(start)), 0) if rules.outcome(start) == ONGOING else 0
    planes = game.planes()
    arguments: dict[str, tuple[Any, ...]] = {"play": (start, a_move), "play_over": (start, a_move), "pick": (start, 0)}
    arguments["unpack"] = (int(rules.pack(start)) if rules.pack else 0,)
    arguments["observe"] = (start, 0, np.zeros(planes.shape if planes else (1, 1, 1), np.int8))
    refused = False
    for name, rule in _functions(rules).items():
        try:
            tried = count_moves if name == "legal_moves" else rule
            try_to_compile(tried, *arguments.get(name, (start,)))
        except NotCompiled as error:
            refused = True
            words, instead, file, line = error.refusal
            yield Finding(f"{name} does not compile: {words}", instead, line or _line_of(rule), file=file)
    if refused:
        return
    depth = 1
    while depth < 6 and (plain := interpreted_perft(game, depth)) and plain * 10 < MOST_LINES:
        depth += 1
    plain = interpreted_perft(game, depth)
    try:
        counted = perft(game, depth)
    except TypeError as error:
        refusal = refusal_in(str(error))
        yield Finding(f"the compiled rules fail: {refusal.words}", refusal.instead)
        return
    if plain != counted:
        yield Finding(
            f"compiled rules count {counted:,} lines of {depth} moves, plain ones {plain:,}",
            "compiled ints have 64 bits: keep every int below 63 bits, also on the way",
        )


def _speed(game: Game) -> Iterator[Finding]:
    """Rules that are slow in plain Python, in which the first answers are found."""
    begun = perf_counter()
    moves = sum(1 for _ in islice(_positions(game), POSITIONS))
    speed = moves / max(perf_counter() - begun, 1e-9)
    if speed < SLOW:
        yield Finding(
            f"the rules are slow: {speed:,.0f} moves a second in plain Python, where others make 20,000 and more",
            "keep ready-made tables at the top of the file, and look things up in them",
            is_mistake=False,
        )


BEFORE_COMPILING: tuple[Step, ...] = (_longer_play, _arrays, _chance, _turns, _mirrors, _pictures, _id)
"""The steps that take no compiler."""
STEPS: tuple[Step, ...] = (*BEFORE_COMPILING, _compiling, _speed)
