"""Named opponents, from a beginner to the strongest this package has. Each has a name, a description and
`choose(match)`.

A level is defined by how much its engine looks at, not by time, so that it plays alike on every machine. An engine can
also be named with its settings, which is how levels are tuned:

    mcts:1000                              1,000 simulations per move
    mcts:1000,exploration=0.5,sees_wins=1  with other settings than the game's own
    mcts:1000,prior=8,trust=0.4            and with what the game's `evaluate` thinks of a position
    mcts:seconds=0.5                       half a second per move
    alpha-beta:100000                      100,000 nodes per move; or depth=6, or seconds=0.5
    person:otto                            one of the people of `people.py`; or person:0.3, by skill
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from connectoe.core.errors import ConnectoeError, UnknownPlayer
from connectoe.core.game import Game, declares, is_built_in
from connectoe.core.match import Match
from connectoe.core.swapping import is_before_swap
from connectoe.engines.effort import levels_of, simulations_for
from connectoe.engines.engine import Analysis, Engine, Limits, NotSolved, Solver
from connectoe.engines.pie_rule import by_pie_rule
from connectoe.engines.readiness import is_ready

if TYPE_CHECKING:
    from connectoe.engines.exact.lookup import Table


class Player(Protocol):
    """A player of one game; a class of your own needs no more than this.

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
        """Return a legal move, in notation, for the player to move.

        >>> import connectoe
        >>> match = Match(connectoe.load("connect-four"))
        >>> player("random", match.game).choose(match) in match.legal_moves()
        True
        """
        ...


class KnownPlayer(Player, Protocol):
    """A player of this package, with the facts that are needed to plan many games."""

    @property
    def is_deterministic(self) -> bool:
        """Whether it would play the same game every time, because little or nothing is left to chance."""
        ...

    @property
    def is_timed(self) -> bool:
        """Whether the clock limits it, so that its games differ every time."""
        ...

    @property
    def work(self) -> int:
        """About how much it looks at for a move, measured in simulated games."""
        ...


class RandomPlayer:
    """Plays any legal move, each with the same chance; the same seed gives the same moves.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("tic-tac-toe"))
    >>> RandomPlayer(match.game, seed=1).choose(match) in match.legal_moves()
    True
    """

    name = "random"
    describes = "plays any legal move"
    is_deterministic = False
    is_timed = False
    work = 0

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = game
        self.choice = random.Random(seed)

    def choose(self, match: Match) -> str:
        """Return any legal move."""
        return self.choice.choice(moves_of(match))


SOME_WORK = 1000
"""The work of players that simulate no games; the exact figure does not matter."""


class EnginePlayer:
    """Plays the move that an engine finds best within its limits.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("tic-tac-toe"))
    >>> for move in "b2 a1 b1 a2".split():
    ...     match.play(move)
    >>> player("medium", match.game).choose(match)
    'b3'
    """

    def __init__(self, name: str, describes: str, engine: Engine, limits: Limits, *, work: int | None = None) -> None:
        self.name = name
        self.describes = describes
        self.engine = engine
        self.limits = limits
        self.is_deterministic = engine.is_deterministic and limits.seconds is None
        self.is_timed = limits.seconds is not None
        self.work = SOME_WORK if work is None else work

    def choose(self, match: Match) -> str:
        """Return the move the engine finds best; by the pie rule, an even first move, or the better side."""
        moves_of(match)
        return by_pie_rule(match, self.search(match.state.position))

    def search(self, position: Any) -> Analysis:
        """Return what the engine finds within the limits; a weak level looks at more where there are many moves."""
        limits = self.limits
        if limits.simulations is not None and self.name in LEVELS:
            moves = sum(1 for _ in self.engine.game.rules.legal_moves(position))
            limits = limits._replace(simulations=simulations_for(self.name, limits.simulations, moves))
        return self.engine.search(position, limits)


class SolverFirstPlayer:
    """Plays the best move if a solver finds it; otherwise the move that another player's engine prefers, among those
    that the solver has found to be safe if there are any.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("connect-four"))
    >>> for move in "d c d c d c".split():
    ...     match.play(move)
    >>> player("hard", match.game).choose(match)
    'd'
    """

    is_deterministic = True  # nearly: a seed matters only where the solver finds nothing

    def __init__(
        self, other: EnginePlayer, solver: Solver, nodes: int, rank: Callable[[Any], Analysis] | None = None
    ) -> None:
        self.name = other.name
        self.describes = other.describes
        self.is_timed = other.is_timed
        self.work = other.work
        self.other = other
        self.solver = solver
        self.nodes = nodes
        self.rank = rank
        """Compares all moves, if the other player's engine finds only the best."""

    def choose(self, match: Match) -> str:
        """Return the best move, or the one that seems best."""
        moves_of(match)
        position = match.state.position
        if not self.nodes or is_before_swap(match):
            return self.other.choose(match)
        share = self.nodes // 3
        with suppress(NotSolved):
            return match.game.move_text(self.solver.best_move(position, share))
        safe = set(match.state.moves())
        with suppress(NotSolved):
            safe = set(self.solver.safe_moves(position, self.nodes - share))
        found = self.other.search(position)
        if found.move not in safe and self.rank:
            found = self.rank(position)
        return match.game.move_text(next(candidate.move for candidate in found.candidates if candidate.move in safe))


class PerfectPlayer:
    """Plays by the table of a solved game, or by an exact solver that is quick enough: wins as soon as it can, and
    loses as late as it can. In a position that play cannot lead to, and the table does not hold, it plays as `hard`.

    >>> import connectoe
    >>> match = connectoe.Match(connectoe.load("tic-tac-toe"))
    >>> for move in "a1 b1".split():
    ...     match.play(move)
    >>> PerfectPlayer(match.game, seed=1).choose(match) in ("a2", "b2", "a3")
    True
    """

    name = "perfect"
    describes = "never lets go of a won or drawn position; only where the game is solved"
    is_timed = False
    work = SOME_WORK

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.game = game
        self.seed = seed
        self.solver = _book_solver(game)
        self.table = None if self.solver else _table_of(game)
        self.is_deterministic = self.solver is not None
        self.choice = random.Random(seed)

    def choose(self, match: Match) -> str:
        """Return one of the best moves."""
        from connectoe.analysis import analyse

        moves_of(match)
        position = match.state.position
        if is_before_swap(match):
            return by_pie_rule(match, analyse(self.game, position, seconds=1.0))
        if self.solver:
            return match.game.move_text(self.solver.best_move(position))
        assert self.table
        try:
            best = self.table.best_moves(position, match.repeating_moves())
        except NotSolved:
            return player("hard", self.game, self.seed).choose(match)
        return match.game.move_text(self.choice.choice(sorted(best)))


def _book_solver(game: Game) -> Solver | None:
    """Return the game's exact solver if it has an opening book, so that it answers soon from the start on."""
    from connectoe.analysis import exact_solver

    solver = exact_solver(game)
    return solver if solver and solver.has_book else None


def _table_of(game: Game) -> Table:
    from connectoe.engines.announcing import announce
    from connectoe.engines.exact.tables import load_table

    table = load_table(game, make="never")
    if table is None:
        with announce(f"solving {game.id}; the table is kept for the next time"):
            table = load_table(game, make="affordable")
    if table is None:
        raise UnknownPlayer(
            f"there is no perfect player for {game.name} with these options: it is not solved here "
            "(`connectoe solve` tells what it would take)"
        )
    return table


def moves_of(match: Match) -> list[str]:
    """Return the legal moves; raise ConnectoeError if the match is over."""
    if outcome := match.outcome:
        raise ConnectoeError(f"there is no move to choose: the match is {match.game.how_it_ended(outcome)}")
    return match.legal_moves()


RANKING_NODES = 200_000
"""The nodes in which alpha-beta compares all moves, one by one, if its best one is not safe."""
SOLVER_SHARE = 0.6
"""The share of its time that `hard` gives the solver, if it plays by the clock."""
PERFECT = "perfect"

LEVELS = {
    "easy": "looks a little ahead and never misses a win in one",
    "medium": "sees simple threats, and makes you work for a win",
    "hard": "thinks for a second or two; beating it is an achievement",
}
NAMES = ("random", *LEVELS, PERFECT)
DESCRIPTIONS = {"random": RandomPlayer.describes, **LEVELS, PERFECT: PerfectPlayer.describes}


def has_perfect(game: Game) -> bool:
    """Whether a perfect player is available within seconds; none is made to find out.

    >>> import connectoe
    >>> has_perfect(connectoe.load("connect-four")), has_perfect(connectoe.load("ultimate"))
    (True, False)
    """
    if declares(game, "has_perfect_play") and game.has_perfect_play():
        return True
    return not is_built_in(type(game)) and is_ready(game, "table") and can_play_perfectly(game)


def may_have_perfect(game: Game) -> bool:
    """Whether a perfect player is available or may be soon: it is not known yet how large a game of one's own is."""
    is_unknown = not is_built_in(type(game)) and game.rules.pack is not None and not is_ready(game, "table")
    return is_unknown or has_perfect(game)


def can_play_perfectly(game: Game, *, is_solver_ready: bool = False) -> bool:
    """Whether a perfect player can start at once: there is a table, or a solver with an opening book is ready."""
    from connectoe.engines.exact.tables import load_table

    if is_solver_ready and _book_solver(game):
        return True
    return load_table(game, make="never") is not None


def opponents(game: Game) -> dict[str, str]:
    """Return the named players that a game has, from the weakest, and what each is like.

    >>> import connectoe
    >>> list(opponents(connectoe.load("ultimate")))
    ['random', 'easy', 'medium', 'hard']
    """
    return {name: words for name, words in DESCRIPTIONS.items() if name != PERFECT or has_perfect(game)}


def player(name: str, game: Game, seed: int | None = None, seconds: float | None = None) -> KnownPlayer:
    """Return the opponent of that name for a game; with `seconds`, the clock limits it and not what it looks at.

    >>> import connectoe
    >>> player("hard", connectoe.load("ultimate")).describes
    'thinks for a second or two; beating it is an achievement'
    """
    game = game.plain  # a player asks the match about the pie rule
    if seconds is not None and not 0 <= seconds <= 3600:
        raise UnknownPlayer(f"the time for a move is between 0 and 3600 seconds, not {seconds}")
    if name == "random":
        return RandomPlayer(game, seed)
    if name in LEVELS:
        return _level(name, game, seed, seconds)
    if name == PERFECT:
        return PerfectPlayer(game, seed)
    kind, colon, settings = name.partition(":")
    if kind == "mcts" and colon:
        return _named_mcts(name, settings, game, seed)
    if kind == "alpha-beta" and colon:
        return _named_alpha_beta(name, settings, game)
    if kind == "person" and colon:
        return _person(settings, game, seed)
    names = ", ".join(NAMES)
    raise UnknownPlayer(
        f"there is no player {name[:40]!r}; the players are: {names}, mcts:SIMULATIONS, alpha-beta:NODES, person:NAME"
    )


def _person(who: str, game: Game, seed: int | None) -> KnownPlayer:
    """Return one of the people; the strongest plays as the strongest level that the game has."""
    from connectoe.people import NAMES as PEOPLE
    from connectoe.people import person

    strongest = partial(player, strongest_level(game), game, seed)
    return strongest() if who.lower() == PEOPLE[-1] else person(who, game, seed, strongest=strongest)


def strongest_level(game: Game) -> str:
    """Return the name of the strongest level that a game has."""
    return PERFECT if has_perfect(game) else "hard"


def is_deterministic(name: str, game: Game) -> bool:
    """Whether the player of that name would play the same game every time; no table is made to find out.

    >>> import connectoe
    >>> is_deterministic("alpha-beta:1000", connectoe.load("ultimate"))
    True
    """
    return _book_solver(game.plain) is not None if name == PERFECT else player(name, game).is_deterministic


def _level(name: str, game: Game, seed: int | None, seconds: float | None) -> KnownPlayer:
    """Return the player of a level, which looks at as much as the game declares."""
    levels = levels_of(game)
    if name != "hard":  # these learn from simulated games alone
        limits = _by_clock_or(seconds, Limits(simulations=getattr(levels, name)))
        return _mcts(name, LEVELS[name], game, seed, limits, work=getattr(levels, name), prior=0, trust=0.0)
    from connectoe.analysis import exact_solver
    from connectoe.engines.alpha_beta import AlphaBeta, supports

    solver = exact_solver(game) if levels.solver_nodes else None
    rest = seconds * (1 - SOLVER_SHARE) if seconds is not None and solver else seconds
    rank = None
    if levels.hard_nodes and supports(game):
        engine = AlphaBeta(game)
        rank = partial(engine.search, limits=Limits(nodes=RANKING_NODES), every_move=True)
        limits = _by_clock_or(rest, Limits(nodes=levels.hard_nodes))
        other = EnginePlayer(name, LEVELS[name], engine, limits, work=levels.hard)
    else:
        limits = _by_clock_or(rest, Limits(simulations=levels.hard))
        other = _mcts(name, LEVELS[name], game, seed, limits, work=levels.hard)
    if solver is None:
        return other
    nodes = levels.solver_nodes if seconds is None else int(SOLVER_SHARE * seconds * solver.nodes_a_second)
    return SolverFirstPlayer(other, solver, nodes, rank)


def _by_clock_or(seconds: float | None, limits: Limits) -> Limits:
    return limits if seconds is None else Limits(seconds=seconds)


def _mcts(
    name: str, describes: str, game: Game, seed: int | None, limits: Limits, *, work: int, **settings: Any
) -> EnginePlayer:
    from connectoe.engines.mcts import MCTS

    engine = MCTS(game, seed=random.randrange(1 << 60) if seed is None else seed, **settings)
    return EnginePlayer(name, describes, engine, limits, work=work)


def _settings(kind: str, text: str, first: str, kinds: dict[str, Callable[[str], Any]]) -> dict[str, Any]:
    """Return the settings of an engine, as in `1000,exploration=0.7`; a bare number is the `first` of them."""
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


def _named_mcts(name: str, settings: str, game: Game, seed: int | None) -> EnginePlayer:
    """Return an MCTS player as its settings say: `1000`, `seconds=0.5`, `1000,exploration=0.7,sees_wins=1`."""
    chosen = _settings("mcts", settings, "simulations", MCTS_SETTINGS)
    limits = Limits(simulations=chosen.pop("simulations", None), seconds=chosen.pop("seconds", None))
    return _mcts(name, "Monte Carlo tree search", game, seed, limits, work=limits.simulations or 0, **chosen)


def _named_alpha_beta(name: str, settings: str, game: Game) -> EnginePlayer:
    """Return an alpha-beta player as its settings say: `100000` nodes, `depth=6`, `seconds=0.5`."""
    from connectoe.engines.alpha_beta import AlphaBeta

    limits = _settings("alpha-beta", settings, "nodes", {"nodes": int, "depth": int, "seconds": float})
    return EnginePlayer(name, "alpha-beta search", AlphaBeta(game), Limits(**limits))
