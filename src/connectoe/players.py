"""Named opponents, from a kind beginner to the strongest this package has. Each has a name, one sentence about it, and
`choose(match)`.

A level is defined by how much its engine looks at, not by time, so that it plays alike on every machine. An engine can
also be named with its settings, which is how levels are tuned:

    mcts:1000                              1,000 simulations a move
    mcts:1000,exploration=0.5,sees_wins=1  with other settings than the game's own
    mcts:1000,prior=8,trust=0.4            and with what the game's `evaluate` thinks of a position
    mcts:seconds=0.5                       half a second a move
    alpha-beta:100000                      100,000 nodes a move; or depth=6, or seconds=0.5
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from connectoe.errors import ConnectoeError, UnknownPlayer
from connectoe.game import Game, is_built_in
from connectoe.match import Match

if TYPE_CHECKING:
    from connectoe.engines.analysis import Found
    from connectoe.engines.opening import ConnectFourByHeart
    from connectoe.engines.tables import Table


class Player(Protocol):
    """Somebody who chooses moves.

    >>> class LeftmostPlayer:
    ...     name, describes = "leftmost", "drops as far left as it can"
    ...     def choose(self, match: Match) -> str:
    ...         return match.legal_moves()[0]
    >>> import connectoe
    >>> LeftmostPlayer().choose(Match(connectoe.load("connect-four")))
    'a'
    """

    name: str
    describes: str

    def choose(self, match: Match) -> str:
        """A legal move, in notation, for the player to move.

        >>> import connectoe
        >>> match = Match(connectoe.load("connect-four"))
        >>> player("random", match.game).choose(match) in match.legal_moves()
        True
        """
        ...


class RandomPlayer:
    """Plays any legal move, each as likely as the others; the same moves again from the same seed.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("tic-tac-toe"))
    >>> RandomPlayer(match.game, seed=1).choose(match) in match.legal_moves()
    True
    """

    name = "random"
    describes = "plays any legal move"

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = game
        self.choice = random.Random(seed)

    def choose(self, match: Match) -> str:
        """Any legal move.

        >>> import connectoe
        >>> match = Match(connectoe.load("connect-four", cols=1))
        >>> RandomPlayer(match.game).choose(match)
        'a'
        """
        return self.choice.choice(_moves_of(match))


class Thinker:
    """Somebody who asks an engine.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("tic-tac-toe"))
    >>> for move in "b2 a1 c3".split():
    ...     match.play(move)
    >>> player("easy", match.game, seed=1).choose(match) in match.legal_moves()
    True
    """

    def __init__(
        self,
        name: str,
        describes: str,
        search: Callable[[Any], Found],
        rank: Callable[[Any], Found] | None = None,
    ) -> None:
        self.name = name
        self.describes = describes
        self.search = search
        self.rank = rank
        """Tells all moves apart, if `search` finds only the best."""

    def choose(self, match: Match) -> str:
        """The move the engine finds best.

        >>> import connectoe
        >>> match = Match(connectoe.load("tic-tac-toe"))
        >>> for move in "b2 a1 b1 a2".split():
        ...     match.play(move)
        >>> player("medium", match.game).choose(match)
        'b3'
        """
        _moves_of(match)
        return match.game.move_text(self.search(match.state.position).move)


class SolvingFirst:
    """Somebody who plays the best move where a solver finds it within so many nodes; else, of the moves that the solver
    finds safe, the one that an engine likes best; else what the engine likes.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("connect-four", cols=4, rows=4))
    >>> player("hard", match.game, seed=1).choose(match) in match.legal_moves()
    True
    """

    def __init__(self, thinker: Thinker, game: Game, nodes: int) -> None:
        self.name = thinker.name
        self.describes = thinker.describes
        self.thinker = thinker
        self.game = game
        self.nodes = nodes

    def choose(self, match: Match) -> str:
        """The best move, or what the engine takes for it.

        >>> import connectoe
        >>> match = connectoe.Match(connectoe.load("connect-four"))
        >>> for move in "d c d c d c".split():
        ...     match.play(move)
        >>> player("hard", match.game).choose(match)
        'd'
        """
        from connectoe.analysing import exact_solver
        from connectoe.engines.connect_four import NotSolved
        from connectoe.engines.opening import ConnectFourByHeart

        _moves_of(match)
        solver = exact_solver(self.game)
        position = match.state.position
        if not solver or not self.nodes:
            return self.thinker.choose(match)
        share = self.nodes // 3
        with suppress(NotSolved):
            if isinstance(solver, ConnectFourByHeart):
                return match.game.move_text(solver.best_move(position, share))
            return match.game.move_text(solver.best_moves(position, share)[0])
        safe = set(match.state.moves())
        with suppress(NotSolved):
            safe = set(solver.safe_moves(position, self.nodes - share))
        found = self.thinker.search(position)
        if found.move not in safe and self.thinker.rank:
            found = self.thinker.rank(position)
        return match.game.move_text(next(candidate.move for candidate in found.candidates if candidate.move in safe))


class PerfectPlayer:
    """Plays by the table of a solved game, or by an exact solver that is quick enough: wins as soon as it can, and
    loses as late as it can.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("tic-tac-toe"))
    >>> for move in "a1 b1".split():
    ...     match.play(move)
    >>> PerfectPlayer(match.game, seed=1).choose(match) in ("a2", "b2", "a3")
    True
    """

    name = "perfect"
    describes = "never lets go of a won or drawn position; only where the game is solved"

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.solver = _quick_solver(game)
        self.table = None if self.solver else _table_of(game)
        self.choice = random.Random(seed)

    def choose(self, match: Match) -> str:
        """One of the best moves.

        >>> import connectoe
        >>> match = connectoe.Match(connectoe.load("tic-tac-toe"))
        >>> PerfectPlayer(match.game).choose(match) in match.legal_moves()
        True
        """
        _moves_of(match)
        position = match.state.position
        if self.table:
            best = self.table.best_moves(position, match.repeating_moves())
            return match.game.move_text(self.choice.choice(sorted(best)))
        assert self.solver
        return match.game.move_text(self.solver.best_move(position))


def _quick_solver(game: Game) -> ConnectFourByHeart | None:
    """The solver that answers within seconds wherever a perfect player gets to, if the game has one."""
    from connectoe.analysing import exact_solver
    from connectoe.engines.opening import ConnectFourByHeart, has_opening

    solver = exact_solver(game) if has_opening(game) else None
    return solver if isinstance(solver, ConnectFourByHeart) else None


@lru_cache(maxsize=32)
def _table_of(game: Game) -> Table:
    from connectoe.engines.compiling import spinner
    from connectoe.engines.positions import TooLarge
    from connectoe.engines.retrograde import can_be_packed, estimate
    from connectoe.engines.tables import load_table

    table = load_table(game, make="never")
    if table is None and can_be_packed(game) and estimate(game, enough=MOST_POSITIONS).kept <= MOST_POSITIONS:
        with spinner(f"solving {game.id}; the table is kept for the next time"), suppress(TooLarge):
            table = load_table(game, make="always")
    if table is None:
        raise UnknownPlayer(
            f"there is no perfect player for {game.name} with these options: it is not solved here "
            "(`connectoe solve` tells what it would take)"
        )
    return table


def _moves_of(match: Match) -> list[str]:
    if outcome := match.outcome:
        raise ConnectoeError(f"there is no move to choose: the match is {match.game.how_it_ended(outcome)}")
    return match.legal_moves()


class Budgets(NamedTuple):
    """How many simulations the levels of a game have for a move.

    >>> easy, medium, hard = BUDGETS["connect-four"]
    >>> easy < medium < hard
    True
    """

    easy: int
    medium: int
    hard: int


BUDGETS = {
    "tic-tac-toe": Budgets(6, 30, 5_000),
    "semaphores": Budgets(20, 400, 400_000),
    "shift-tac-toe": Budgets(20, 300, 100_000),
    "connect-four": Budgets(30, 600, 300_000),
    "c4-twist": Budgets(30, 600, 300_000),
    "connect-tac-toe": Budgets(30, 600, 400_000),
    "advanced": Budgets(60, 800, 200_000),
    "ultimate": Budgets(30, 600, 400_000),
    "ultimate-ultimate": Budgets(12, 80, 5_000),
}
"""Measured so that each level clearly beats the one before, and `hard` takes under two seconds on one core."""
ALPHA_BETA_NODES = {"advanced": 6_000_000, "c4-twist": 4_000_000, "connect-tac-toe": 6_000_000}
"""What `hard` looks at in the games where alpha-beta beats the tree search at equal time; docs/results/tuning.md."""
RANKING_NODES = 200_000
"""What alpha-beta looks at to tell all moves apart, each for itself, where its best one will not do."""
SOLVERS_FOR = ("connect-four", "c4-twist")
SOLVER_NODES = 6_000_000
"""What `hard` lets an exact solver look at first, in the games that have one."""
SOLVER_SHARE = 0.6
"""The share of its time that `hard` gives the solver, if it plays by the clock."""
SOLVER_NODES_A_SECOND = 9_000_000
"""What the solver may look at for each second of the whole time; that takes less than its share."""
OTHER_GAMES = Budgets(30, 600, 20_000)


def _budgets(game: Game) -> Budgets:
    """What the levels have for a move of this game."""
    budgets = BUDGETS.get(game.id, OTHER_GAMES)
    tallies = game.options.get("tallies")
    if isinstance(tallies, int) and tallies > USUAL_TALLIES:  # a simulated game lasts as many times as long
        budgets = budgets._replace(hard=budgets.hard * USUAL_TALLIES // tallies)
    return budgets


USUAL_TALLIES = 3
PERFECT = "perfect"
MOST_POSITIONS = 5_000_000
"""The largest table, in positions up to mirror images, that `perfect` makes on first need: a few seconds' work."""

PERFECT_AT_HAND: dict[str, Callable[[Game], bool]] = {
    "tic-tac-toe": lambda game: True,
    "shift-tac-toe": lambda game: True,
    "semaphores": lambda game: _cells(game) <= 12,
    "connect-four": lambda game: _cells(game) <= 20 or _has_the_usual_board(game),
    "c4-twist": lambda game: (
        _has_the_usual_board(game) if game.options["bombs"] == 0 else game.options["bombs"] == 1 and _cells(game) <= 16
    ),
    "connect-tac-toe": lambda game: _cells(game) <= 9,
}
"""Where a perfect player is at hand: a table takes seconds to make (docs/results/solved.md) or the opening is known."""


def _has_the_usual_board(game: Game) -> bool:
    return all(option.default == game.options[option.name] for option in game.option_list if option.name != "bombs")


def _cells(game: Game) -> int:
    return int(game.options["cols"]) * int(game.options["rows"])


LEVELS = {
    "easy": "looks a little ahead and never misses a win in one",
    "medium": "sees simple threats, and makes you work for a win",
    "hard": "thinks for a second or two; beating it is an achievement",
}
NAMES = ("random", *LEVELS, PERFECT)
DESCRIPTIONS = {"random": RandomPlayer.describes, **LEVELS, PERFECT: PerfectPlayer.describes}


def has_perfect(game: Game) -> bool:
    """Whether a perfect player would be at hand within seconds, told without looking for one.

    >>> import connectoe
    >>> has_perfect(connectoe.load("connect-four")), has_perfect(connectoe.load("ultimate"))
    (True, False)
    """
    is_at_hand = PERFECT_AT_HAND.get(game.id)
    return is_built_in(type(game)) and is_at_hand is not None and is_at_hand(game)


def opponents(game: Game) -> dict[str, str]:
    """The named players that are at hand for a game, from the weakest, and what each is like.

    >>> import connectoe
    >>> list(opponents(connectoe.load("ultimate")))
    ['random', 'easy', 'medium', 'hard']
    """
    return {name: words for name, words in DESCRIPTIONS.items() if name != PERFECT or has_perfect(game)}


def player(name: str, game: Game, seed: int | None = None, seconds: float | None = None) -> Player:
    """The opponent of that name for a game; with `seconds`, it thinks so long instead of so far.

    >>> import connectoe
    >>> player("hard", connectoe.load("ultimate")).describes
    'thinks for a second or two; beating it is an achievement'
    """
    if seconds is not None and not 0 <= seconds <= 3600:
        raise UnknownPlayer(f"the time for a move is between 0 and 3600 seconds, not {seconds}")
    if name == "random":
        return RandomPlayer(game, seed)
    if name in LEVELS:
        simulations = _budgets(game)._asdict()[name]
        if name == "hard" and game.id in SOLVERS_FOR:
            nodes = SOLVER_NODES if seconds is None else int(SOLVER_NODES_A_SECOND * seconds)
            rest = None if seconds is None else seconds * (1 - SOLVER_SHARE)
            if game.id in ALPHA_BETA_NODES:
                limits = {"nodes": ALPHA_BETA_NODES[game.id]} if rest is None else {"seconds": rest}
                return SolvingFirst(_alpha_beta(name, LEVELS[name], game, limits), game, nodes)
            return SolvingFirst(_mcts(name, LEVELS[name], game, seed, simulations, rest), game, nodes)
        if name == "hard" and game.id in ALPHA_BETA_NODES:
            limits = {"nodes": ALPHA_BETA_NODES[game.id]} if seconds is None else {"seconds": seconds}
            return _alpha_beta(name, LEVELS[name], game, limits)
        opinions = {} if name == "hard" else {"prior": 0, "trust": 0.0}  # the others learn from simulated games alone
        return _mcts(name, LEVELS[name], game, seed, simulations, seconds, **opinions)
    if name == PERFECT:
        return PerfectPlayer(game, seed)
    kind, colon, settings = name.partition(":")
    if kind == "mcts" and colon:
        return _named_mcts(name, settings, game, seed)
    if kind == "alpha-beta" and colon:
        return _named_alpha_beta(name, settings, game)
    names = ", ".join(NAMES)
    raise UnknownPlayer(
        f"there is no player {name[:40]!r}; the players are: {names}, mcts:SIMULATIONS, alpha-beta:NODES"
    )


def _mcts(
    name: str,
    describes: str,
    game: Game,
    seed: int | None,
    simulations: int | None,
    seconds: float | None,
    **settings: Any,
) -> Thinker:
    from connectoe.engines.mcts import MCTS

    engine = MCTS(game, seed=random.randrange(1 << 60) if seed is None else seed, **settings)
    if seconds is not None:
        simulations = None
    return Thinker(name, describes, lambda position: engine.search(position, simulations=simulations, seconds=seconds))


def _settings(kind: str, text: str, first: str, kinds: dict[str, Callable[[str], Any]]) -> dict[str, Any]:
    """The settings of an engine, as in `1000,exploration=0.7`; a bare number is the `first` of them."""
    chosen: dict[str, Any] = {}
    for part in text.split(","):
        key, _, value = part.partition("=") if "=" in part else (first, "=", part)
        try:
            chosen[key] = kinds[key](value)
        except (KeyError, ValueError):
            raise UnknownPlayer(f"{part[:30]!r} is no setting of {kind}: it has {', '.join(kinds)}") from None
    limits = [chosen[limit] for limit in (first, "depth", "seconds") if limit in chosen]
    if not limits or min(limits) < 0:
        raise UnknownPlayer(f"'{kind}:{text[:30]}' needs a number of {first} or seconds that is not negative")
    return chosen


MCTS_SETTINGS: dict[str, Callable[[str], Any]] = {
    "simulations": int,
    "seconds": float,
    "exploration": float,
    "sees_wins": lambda text: bool(int(text)),
    "prior": int,
    "trust": float,
    "unit": float,
}


def simulations_of(name: str) -> int:
    """How many simulations a player called `mcts:…` has for a move; none if it plays by the clock.

    >>> simulations_of("mcts:exploration=0.5,simulations=100"), simulations_of("mcts:seconds=1")
    (100, 0)
    """
    chosen = _settings("mcts", name.removeprefix("mcts:"), "simulations", MCTS_SETTINGS)
    return int(chosen.get("simulations", 0))


def _named_mcts(name: str, settings: str, game: Game, seed: int | None) -> Thinker:
    """An MCTS player as its settings say: `1000`, `seconds=0.5`, `1000,exploration=0.7,sees_wins=1`."""
    chosen = _settings("mcts", settings, "simulations", MCTS_SETTINGS)
    limits = [chosen.pop(limit, None) for limit in ("simulations", "seconds")]
    return _mcts(name, "Monte Carlo tree search", game, seed, limits[0], limits[1], **chosen)


def _named_alpha_beta(name: str, settings: str, game: Game) -> Thinker:
    """An alpha-beta player as its settings say: `100000` nodes, `depth=6`, `seconds=0.5`."""
    limits = _settings("alpha-beta", settings, "nodes", {"nodes": int, "depth": int, "seconds": float})
    return _alpha_beta(name, "alpha-beta search", game, limits)


def _alpha_beta(name: str, describes: str, game: Game, limits: Mapping[str, Any]) -> Thinker:
    from connectoe.engines.alpha_beta import AlphaBeta
    from connectoe.engines.analysis import Candidate, Found

    engine = AlphaBeta(game)

    def search(position: Any) -> Found:
        verdict = engine.search(position, **limits)
        best = Candidate(verdict.move, verdict.result, verdict.plies, 0.5)
        return Found((best,), verdict.line)

    def rank(position: Any) -> Found:
        return Found(engine.search(position, nodes=RANKING_NODES, candidates=True).candidates)

    return Thinker(name, describes, search, rank)
