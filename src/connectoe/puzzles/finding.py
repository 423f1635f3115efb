"""Finding puzzles: levels play games from random openings, and each position they reach is tried.

Every game is made from the seed and its number alone, and games are looked at in the order of their numbers. So the
same puzzles are found with any number of processes, and a search that was interrupted goes on where it was.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterable, Mapping
from functools import partial
from itertools import count as count_from
from typing import Any, NamedTuple

from connectoe.core.game import Game
from connectoe.core.match import Match
from connectoe.core.options import OptionValue
from connectoe.core.rules import Rules
from connectoe.core.state import comparable
from connectoe.engines.alpha_beta import supports
from connectoe.players import player
from connectoe.puzzles.grading import GRADES, grade, measured, tempting_move
from connectoe.puzzles.proving import OnlyMove, prover
from connectoe.puzzles.puzzle import Puzzle, puzzle_from
from connectoe.running import workers
from connectoe.running.openings import opening
from connectoe.running.sources import Source, game_from, source_of

SEATS = ("easy", "medium")
"""The levels that play the games: good enough to be sensible, weak enough to leave something to find."""
MOST_OF_A_GRADE = 0.4
"""The share of the puzzles that may be of one grade, so that there are some for everybody."""
EVEN_GAMES = 3
"""The games per wanted puzzle for which that share holds; after them, puzzles of any grade are accepted."""
GAMES_PER_PUZZLE = 40
"""The games for each wanted puzzle after which a search for puzzles ends without all of them."""


MOST_OF_A_GAME = 3
"""The puzzles that are taken from one game."""


class Searched(NamedTuple):
    """A game that was searched: its number, and the puzzles found in it, as lines of text."""

    number: int
    found: tuple[str, ...]


def can_have_puzzles(game: Game) -> bool:
    """Whether puzzles can be looked for: the proof search needs positions that are made of ints."""
    return supports(game)


def look_at_game(game: Game, seed: int, number: int) -> list[Puzzle]:
    """Play one game and return the puzzles in it: of each length that occurs one, since short ones are far more
    frequent, and not more than a few."""
    dice = random.Random(f"{game.id} {game.options_text} {seed} {number}")
    match = Match(game)
    for move in opening(game, dice.getrandbits(40), dice.randint(0, game.puzzle_making.opening)):
        match.play(move)
    seats = [player(dice.choice(SEATS), game, dice.getrandbits(30)) for _ in range(2)]
    found: dict[int, list[tuple[int, OnlyMove]]] = {}
    while (turn := match.turn) is not None and match.ply < game.ply_limit:
        only = prover(game).only_move(match.state.position)
        if only:
            found.setdefault(only.plies, []).append((match.ply, only))
        match.play(seats[turn].choose(match))
    lengths = dice.sample(sorted(found), min(MOST_OF_A_GAME, len(found)))
    return [_puzzle(match, *dice.choice(found[plies])) for plies in lengths]


def _puzzle(match: Match, ply: int, only: OnlyMove) -> Puzzle:
    """Return the puzzle at a ply of a match, with its line and grade."""
    game, state = match.game, match.state_at(ply)
    line = prover(game).line(state.position, only.plies) if only.goal == "win" else [only.move]
    also = prover(game).also_winning(state.position, line) if only.goal == "win" else []
    tempting = tempting_move(game, state.position, only.move)
    return Puzzle(
        game,
        tuple(match.moves[:ply]),
        only.goal,
        only.plies,
        tuple(map(game.move_text, line)),
        only.proof,
        tuple((place, game.move_text(move)) for place, move in also),
        None if tempting is None else game.move_text(tempting),
        measured(game, state, game.move_text(only.move)),
    )


def image_of(rules: Rules, position: Any) -> tuple[Any, ...]:
    """Return what a position and all its mirror images have in common, and no other position has."""
    return min(comparable(image) for image in (position, *(mirror(position) for mirror in rules.mirrors)))


class Collection:
    """Puzzles of one game, no two alike in a mirror and not too many of one grade.

    >>> import connectoe
    >>> Collection(connectoe.load("tic-tac-toe"), count=10).is_full
    False
    """

    def __init__(self, game: Game, count: int, puzzles: Iterable[Puzzle] = ()) -> None:
        self.game = game
        self.count = count
        self.puzzles: list[Puzzle] = []
        self._images: set[tuple[Any, ...]] = set()
        self._grades = dict.fromkeys(GRADES, 0)
        for puzzle in puzzles:
            self.add(puzzle)

    @property
    def is_full(self) -> bool:
        """Whether there are as many puzzles as wanted."""
        return len(self.puzzles) >= self.count

    def add(self, puzzle: Puzzle, *, is_even: bool = False) -> bool:
        """Add a puzzle and return True, unless it is there already or, if grades are to be even, too many of its grade
        are."""
        image = image_of(self.game.rules, puzzle.state.position)
        its_grade = grade(puzzle)
        most = max(1, round(MOST_OF_A_GRADE * self.count)) if is_even else self.count
        if self.is_full or image in self._images or self._grades[its_grade] >= most:
            return False
        self._images.add(image)
        self._grades[its_grade] += 1
        self.puzzles.append(puzzle)
        return True


def looks(game: Game, seed: int, first: int = 0, processes: int = 1) -> Generator[Searched]:
    """Yield what games hold, in the order of their numbers from `first` on, without end."""
    if processes <= 1:
        for number in count_from(first):
            yield _look(game, seed, number)
    look = partial(_look_in_worker, source_of(game), game.options, seed)
    held: dict[int, Searched] = {}
    following = first
    with workers.stopping(workers.processes(processes)()) as pool:
        for number, seen in workers.completed(pool, look, count_from(first), processes):
            held[number] = seen
            while following in held:
                yield held.pop(following)
                following += 1


def _look(game: Game, seed: int, number: int) -> Searched:
    return Searched(number, tuple(puzzle.as_line() for puzzle in look_at_game(game, seed, number)))


def _look_in_worker(source: Source, options: Mapping[str, OptionValue], seed: int, number: int) -> Searched:
    return _look(game_from(source, options), seed, number)


def added(collection: Collection, searched: Searched, *, is_even: bool) -> bool:
    """Add what a game holds to a collection; return whether anything was added."""
    before = len(collection.puzzles)
    for line in searched.found:
        collection.add(puzzle_from(collection.game, line), is_even=is_even)
    return len(collection.puzzles) > before
