"""Checking that a game from outside this package keeps the contract, in plain Python, before anything is compiled.

Compiled code does not check the rules. A move that is listed twice, or a position that has none, would make it
write where it must not; here, a few random games find such mistakes and report them in words.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from pathlib import Path
from time import monotonic
from traceback import walk_tb
from typing import Any

import numpy as np

from connectoe.core.endless import ended_if_endless
from connectoe.core.errors import BadGame, BadOption, IncompleteGame
from connectoe.core.field_texts import can_be_written
from connectoe.core.game import Game, is_built_in
from connectoe.core.lessons import check_lessons
from connectoe.core.match import TIMES_TO_DRAW
from connectoe.core.rules import DRAWN, ONGOING, STRONGEST_OPINION, Rules, is_int, is_rule
from connectoe.core.state import comparable
from connectoe.core.swapping import SWAP_MOVE
from connectoe.core.wide import WidePosition
from connectoe.draw.pieces import PIECES
from connectoe.scene import Scene

GAMES, LONGEST, SECONDS = 8, 300, 0.5
"""The number of random games, the most moves of each, and the most seconds in all."""
LARGEST = 1 << 62

_kept_the_contract: set[Game] = set()


def checked(game_class: type[Game], options: Mapping[str, object]) -> Game:
    """Return a game of this class if it keeps the contract, or raise BadGame with what is wrong.

    >>> from connectoe.games.connect_four import ConnectFour
    >>> class Backwards(ConnectFour):
    ...     id = "backwards"
    ...     def notation(self):
    ...         return ["a"] * self.cols
    >>> checked(Backwards, {})
    Traceback (most recent call last):
    connectoe.core.errors.BadGame: the game Backwards breaks the contract: two of its moves are called 'a'
    """
    with _asking(game_class, "its rules cannot be made", "make_rules"), ended_if_endless():
        game = game_class(**options)
    if game not in _kept_the_contract:
        _check_facts(game)
        with ended_if_endless():
            check_play(game)
        if "lessons" in vars(game_class) and not is_built_in(game_class) and game == game_class():
            check_lessons(game)
        _kept_the_contract.add(game)
    return game


@contextmanager
def _asking(game: Game | type[Game], what: str, function: str) -> Iterator[None]:
    """Turn whatever a game's own code raises in a function into BadGame, with the line it comes from."""
    try:
        yield
    except (BadGame, BadOption, IncompleteGame):
        raise
    except Exception as error:
        where = ""
        for frame, line in walk_tb(error.__traceback__):
            if frame.f_globals.get("__name__") == game.__module__:
                where = f" (line {line} of {Path(frame.f_code.co_filename).name})"
        raise _broken(game, f"{what}: {type(error).__name__}: {error}{where}", function) from error


def _broken(game: Game | type[Game], why: str, function: str = "") -> BadGame:
    """Return the error for a game that breaks the contract; the function is a rule or a method of the game."""
    name = game.__name__ if isinstance(game, type) else type(game).__name__
    problem = BadGame(f"the game {name} breaks the contract: {why}")
    problem.why = why
    found = getattr(getattr(game, "rules", None), function, None) or getattr(game, function, None)
    problem.function = getattr(found, "__name__", function)
    return problem


def _shown(thing: object) -> str:
    text = repr(thing)
    return text if len(text) <= 80 else f"{text[:80]}…"


def _check_facts(game: Game) -> None:
    """Check the attributes of a game."""

    def wants(is_so: bool, why: str, function: str = "") -> None:
        if not is_so:
            raise _broken(game, why, function)

    wants(
        isinstance(game.id, str) and re.fullmatch("[A-Za-z0-9][A-Za-z0-9._-]*", game.id) is not None,
        f"its id is a word like 'my-game', not {_shown(game.id)}",
    )
    wants(
        len(game.symbols) == 2 and all(isinstance(symbol, str) and symbol for symbol in game.symbols),
        f"its symbols are two texts, one for each player, not {_shown(game.symbols)}",
    )
    wants(game.symbols[0] != game.symbols[1], f"its symbols are two different texts, not {_shown(game.symbols)}")
    wants(is_int(game.ply_limit) and game.ply_limit >= 1, f"its ply_limit is a number from 1, not {game.ply_limit!r}")
    for name, pattern in game.special_moves.items():
        try:
            re.compile(pattern)
        except re.error as error:
            raise _broken(game, f"special_moves[{name!r}] is no regular expression: {error}") from error
    rules = game.rules
    wants(isinstance(rules, Rules), f"make_rules returns connectoe.Rules, not {type(rules).__name__}", "make_rules")
    for name, function in rules._asdict().items():
        if name in ("legal_moves", "play", "outcome", "player") or (callable(function) and name != "start"):
            wants(callable(function), f"the rule {name} is a function, not {_shown(function)}", "make_rules")
            wants(is_rule(function), f"the function {name} is not marked with @rule, so it would not be compiled", name)
    wants(
        len(game.endings) == 2 or rules.ending is not None,
        f"it names {len(game.endings)} endings, but without the rule `ending` there are two: won, and drawn",
    )
    wants((rules.pack is None) == (rules.unpack is None), "its rules have one of pack and unpack, and need both")
    start = rules.start
    wants(
        isinstance(start, tuple) and hasattr(start, "_fields"),
        f"a position is a NamedTuple, and the start is {_shown(start)}",
    )
    _check_fields(game, start, "the start")
    with _asking(game, "notation fails", "notation"):
        texts = game.notation()
    wants(
        hasattr(texts, "__len__") and all(isinstance(text, str) for text in texts),
        f"notation returns a list of texts, not {_shown(texts)}",
        "notation",
    )
    for text in texts:
        wants(
            bool(text) and not re.search(r"\s", text),
            f"the text of a move has no blanks, not {_shown(text)}",
            "notation",
        )
    wants(
        SWAP_MOVE not in texts, f"no move is called {SWAP_MOVE!r}, which means the pie rule in every game", "notation"
    )
    twice = [text for text, times in Counter(texts).items() if times > 1]
    wants(not twice, f"two of its moves are called {twice[0] if twice else ''!r}", "notation")
    named_by = next(known for known in type(game).__mro__ if "special_moves" in vars(known))
    for name, pattern in game.special_moves.items() if not is_built_in(named_by) else ():
        if not any(re.fullmatch(pattern, text) for text in chain(texts, _texts_with_other_options(game))):
            raise _broken(game, f"special_moves[{name!r}] fits no move: {pattern!r} is to match the whole of its text")
    planes = game.planes()
    wants(
        (planes is None) == (rules.observe is None),
        "it has one of the rule observe and the method planes, and needs both",
    )
    wants(
        planes is None or planes.highest <= np.iinfo(np.int8).max,
        "the largest number on its planes is at most 127",
        "planes",
    )
    wants(all(map(is_rule, rules.mirrors)), "one of its mirrors is not marked with @rule")


def _texts_with_other_options(game: Game) -> Iterator[str]:
    """Return all moves with the lowest or highest value of each option, as not every variant has all moves."""
    for option in game.option_list:
        for value in (option.allowed[0], option.allowed[-1]):
            with suppress(Exception):  # such a game may be refused for reasons of its own
                yield from type(game)(**{**game.options, option.name: value}).notation()


def _check_fields(game: Game, position: Any, what: str) -> None:
    for name, field in zip(position._fields, position, strict=True):
        is_wide = isinstance(position, WidePosition) and name in position.wide_fields
        largest = 1 << 64 * position.words if is_wide else LARGEST
        if not isinstance(field, np.ndarray) and not (is_int(field) and abs(int(field)) < largest):
            raise _broken(
                game,
                f"the fields of a position are ints below 2**62 (a wide game may have arrays), and in {what} {name} is "
                f"{_shown(field)}",
            )


def check_play(game: Game, games: int = GAMES, seconds: float = SECONDS) -> None:
    """Check what the rules do in some random games, or raise BadGame."""
    rules, choice, begun = game.rules, random.Random(0), monotonic()
    for number in range(games):
        position = before = rules.start
        ply, times = 0, Counter[Any]()
        if _asked(game, "outcome", rules.outcome, position) == ONGOING:
            beginner = _asked(game, "player", rules.player, position)
            if beginner != 0:
                raise _broken(
                    game, f"player 0 moves first, and `player` says {_shown(beginner)} at the start", "player"
                )
        while (moves := _check_position(game, position, choice)) and ply < min(LONGEST, game.ply_limit):
            times[comparable(position)] += 1
            is_drawn = game.can_repeat and times[comparable(position)] == TIMES_TO_DRAW
            if is_drawn or monotonic() - begun > seconds:
                break
            move = choice.choice(moves)
            before_it = comparable(position)
            after = _asked(game, "play", rules.play, position, move)
            if rules.has_arrays and comparable(position) != before_it:
                raise _broken(
                    game, "play writes into an array of the position it is given: copy the array first", "play"
                )
            if type(after) is not type(position):
                raise _broken(
                    game,
                    f"play returns a {type(position).__name__}, not {_shown(after)}, for {game.move_text(move)!r}",
                    "play",
                )
            _check_fields(game, after, f"the position after {game.move_text(move)!r}")
            if rules.copied and rules.play_over:
                over = _asked(game, "play_over", rules.play_over, rules.copied(position), move)
                if comparable(over) != comparable(after):
                    raise _broken(
                        game, f"play_over makes {_shown(over)} of {_shown(position)}, not {_shown(after)}", "play_over"
                    )
            before, position, ply = position, after, ply + 1
        if number == 0:
            _check_words(game, position, before)
        if monotonic() - begun > seconds:
            return


def _asked(game: Game, name: str, function: Callable[..., Any], position: Any, *more: Any) -> Any:
    with _asking(game, f"{name} fails in {_shown(position)}", name):
        return function(position, *more)


def _check_position(game: Game, position: Any, choice: random.Random) -> list[int]:
    """Check a position and return its legal moves; none if it is finished."""
    rules, here = game.rules, f"in {_shown(position)}"
    result = _asked(game, "outcome", rules.outcome, position)
    if not is_int(result) or result not in (ONGOING, 0, 1, DRAWN):
        raise _broken(game, f"outcome is ONGOING, 0, 1 or DRAWN, not {_shown(result)}, {here}", "outcome")
    if rules.pack and rules.unpack:
        packed = _asked(game, "pack", rules.pack, position)
        if not is_int(packed) or not 0 <= packed < LARGEST:
            raise _broken(game, f"pack gives an int from 0 to below 2**62, not {_shown(packed)}, {here}", "pack")
        unpacked = _asked(game, "unpack", lambda _: rules.unpack(packed), position)  # type: ignore[misc]
        if comparable(unpacked) != comparable(position):
            raise _broken(game, f"unpack makes {_shown(unpacked)} of what pack made of {_shown(position)}", "unpack")
    for mirror in rules.mirrors:
        image = _asked(game, "a mirror", mirror, position)
        if type(image) is not type(position):
            why = f"a mirror returns a {type(position).__name__}, not {_shown(image)}, {here}"
            raise _broken(game, why, mirror.__name__)
    planes = game.planes()
    if planes and rules.observe:
        for viewer in (0, 1):
            seen = np.zeros(planes.shape, np.int8)
            _asked(game, "observe", rules.observe, position, viewer, seen)
            if seen.min() < 0 or seen.max() > planes.highest:
                raise _broken(
                    game, f"observe writes numbers from 0 to {planes.highest}, as planes says, {here}", "observe"
                )
    if result != ONGOING:
        if rules.ending:
            ending = _asked(game, "ending", rules.ending, position)
            if not is_int(ending) or not 0 <= ending < len(game.endings):
                raise _broken(
                    game, f"ending is 0 to {len(game.endings) - 1}, as `endings` names them, not {ending!r}", "ending"
                )
        return []
    mover = _asked(game, "player", rules.player, position)
    if is_int(mover) and mover > 1:
        raise _broken(game, f"games have two players, 0 and 1, and `player` says {mover} {here}", "player")
    if not is_int(mover) or mover not in (0, 1):
        raise _broken(game, f"player is 0 or 1, not {_shown(mover)}, {here}", "player")
    most = len(game.move_texts) + 1  # one more has one twice, and a generator may never end
    listed: list[int] = _asked(
        game, "legal_moves", lambda asked: list(islice(rules.legal_moves(asked), most)), position
    )
    if not listed:
        raise _broken(game, f"there is no legal move {here}, and outcome says that it is ongoing", "outcome")
    for move in listed:
        if not is_int(move) or not 0 <= move < len(game.move_texts):
            raise _broken(
                game,
                f"moves are ints from 0 to {len(game.move_texts) - 1}, one for each text of its notation, and "
                f"legal_moves has {_shown(move)} {here}",
                "notation",
            )
    if len(set(listed)) < len(listed):
        twice = next(move for number, move in enumerate(listed) if move in listed[:number])
        raise _broken(game, f"legal_moves has {game.move_text(twice)!r} twice {here}", "legal_moves")
    if rules.evaluate:
        opinion = _asked(game, "evaluate", rules.evaluate, position)
        if not is_int(opinion) or abs(opinion) > STRONGEST_OPINION:
            raise _broken(
                game, f"evaluate gives an int from -10,000 to 10,000, not {_shown(opinion)}, {here}", "evaluate"
            )
    if rules.pick:
        number = choice.randrange(1 << 32)
        picked, right = _asked(game, "pick", rules.pick, position, number), listed[number * len(listed) >> 32]
        if picked != right:
            raise _broken(
                game, f"pick gives {_shown(picked)} for the random number {number}, not {right}, {here}", "pick"
            )
    return listed


def _check_words(game: Game, position: Any, before: Any) -> None:
    """Check what a game says about the last position of a random game and about the one before it."""
    if game.rules.outcome(position) != ONGOING:
        reason = _asked(game, "reason", game.reason, position)
        if not isinstance(reason, str) or not reason:
            raise _broken(game, f"reason is a text, not {_shown(reason)}", "reason")
        line = _asked(game, "winning_line", game.winning_line, position)
        if not isinstance(line, Sequence) or not all(isinstance(square, tuple) and len(square) == 2 for square in line):
            raise _broken(
                game, f"winning_line is a sequence of squares like (0, 2), not {_shown(line)}", "winning_line"
            )
    if game.rules.outcome(before) == ONGOING:
        illegal = set(range(len(game.move_texts))) - set(game.rules.legal_moves(before))
        for move in sorted(illegal)[:1]:
            why = _asked(game, "why_illegal", game.why_illegal, before, move)
            if not isinstance(why, str):
                raise _broken(game, f"why_illegal is a text, not {_shown(why)}", "why_illegal")
    if type(game).scene is not Game.scene:
        for shown in (game.rules.start, position):
            scene = _asked(game, "scene", game.scene, shown)
            if not isinstance(scene, Scene):
                raise _broken(game, f"scene returns a connectoe.scene.Scene, not {_shown(scene)}", "scene")
            for piece in scene.pieces:
                if piece.kind not in PIECES:
                    known = ", ".join(sorted(PIECES))
                    wrong = f"scene has a piece of the kind {_shown(piece.kind)}; the kinds are {known}"
                    raise _broken(game, wrong, "scene")
    _check_texts(game, position)


def _check_texts(game: Game, position: Any) -> None:
    """Check that a position is written as text and read back."""
    if type(game).write is Game.write:
        if not can_be_written(position):
            raise _broken(game, "an array of its positions holds no ints or has no size: it needs `write` and `read`")
        if [np.shape(field) for field in position] != [np.shape(field) for field in game.rules.start]:
            raise _broken(game, "an array of its positions changes its shape: it needs `write` and `read` of its own")
    elif type(game).read is Game.read:
        raise _broken(game, "it has a `write` of its own, and needs a `read` that understands it", "write")
    text = _asked(game, "write", game.write, position)
    back = _asked(game, "read", lambda _: game.read(text), position)
    if comparable(back) != comparable(position):
        raise _broken(game, f"read makes {_shown(back)} of {text!r}, which write made of {_shown(position)}", "read")
