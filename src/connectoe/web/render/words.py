"""Words for a match, its seats and its moves, as the pages show them."""

from __future__ import annotations

from typing import NamedTuple

from connectoe.core.game import Game
from connectoe.core.match import AGREEMENT
from connectoe.people import character_of, next_person
from connectoe.web.service.next_version import MOST_MOVES
from connectoe.web.service.views import MatchView, last_turn_of

MOST_NAMED = 3
"""How many moves are named one by one when somebody asks to take them back."""


def seat_name(view: MatchView, number: int) -> str:
    """Return the name of the player on a seat."""
    seat, symbol = view.seats[number], view.match.game.symbols[number]
    if character := character_of(seat.level):
        return character.name
    if seat.kind == "engine":
        return f"{(seat.level or '').capitalize()} engine"
    return seat.name or ("Nobody yet" if seat.kind == "open" else symbol)


def names_of_others(view: MatchView) -> str:
    """Return the names of those the viewer plays against, or of the players if the viewer only watches."""
    if is_record(view):
        return "nobody: a record"
    nameless = {"open": "nobody yet", "person": "a friend"}
    names = [
        seat.name if seat.name and seat.kind == "person" else nameless.get(seat.kind) or seat_name(view, number)
        for number, seat in enumerate(view.seats)
        if number not in view.yours
    ]
    return " and ".join(names) or "yourself"


def is_record(view: MatchView) -> bool:
    """Whether a match is a pasted record: it came with all its moves, and its end."""
    return len(view.yours) == 2 and view.version == 1 and view.match.outcome is not None


def status_words(view: MatchView) -> str:
    """Return how a match stands, as told to the viewer."""
    match, outcome = view.match, view.match.outcome
    if outcome:
        if match.ply >= MOST_MOVES and outcome == AGREEMENT:  # nobody was asked to agree
            return f"Draw: a match has at most {MOST_MOVES:,} moves"
        if outcome.winner is None or len(view.yours) != 1:
            return match.status
        return f"You {'win' if outcome.winner in view.yours else 'lose'}: {outcome.reason}"
    turn = match.turn
    assert turn is not None
    if turn in view.yours:
        return "Your turn" if len(view.yours) == 1 else match.status
    if view.seats[turn].kind == "engine":
        return f"{seat_name(view, turn)} is thinking…"
    if view.seats[turn].kind == "open":
        return "Waiting for somebody to join"
    return f"{seat_name(view, turn)} to move"


class Ending(NamedTuple):
    """The end of a match, as the card beside the board tells the viewer."""

    title: str
    why: str
    result: str
    """`won`, `lost`, `drawn`, or `over` for somebody who did not play, or played both sides."""


def ending_words(view: MatchView) -> Ending | None:
    """Return who won and why; None while the match goes on."""
    match, outcome = view.match, view.match.outcome
    if not outcome:
        return None
    is_too_long = match.ply >= MOST_MOVES and outcome == AGREEMENT
    reason = f"a match has at most {MOST_MOVES:,} moves" if is_too_long else outcome.reason
    moves = "1 move" if match.ply == 1 else f"{match.ply:,} moves"
    why = f"{reason[:1].upper()}{reason[1:]}, after {moves}."
    if outcome.winner is None:
        return Ending("A draw", why, "drawn")
    if len(view.yours) != 1:
        return Ending(f"{seat_name(view, outcome.winner)} wins", why, "over")
    has_won = outcome.winner in view.yours
    return Ending("You win" if has_won else "You lose", why, "won" if has_won else "lost")


class NextOpponent(NamedTuple):
    """Somebody a little stronger, whom the page suggests after a win against one of the people."""

    level: str
    name: str
    words: str
    first: str
    """Who begins, as the form for a new match says it."""


def next_opponent(view: MatchView) -> NextOpponent | None:
    """Return whom to play after a win against one of the people; None in all other cases."""
    outcome = view.match.outcome
    if not outcome or len(view.yours) != 1 or outcome.winner not in view.yours:
        return None
    (mine,) = view.yours
    level = next_person(view.seats[1 - mine].level)
    character = character_of(level)
    if level is None or character is None:
        return None
    return NextOpponent(level, character.name, str(character), "other" if mine else "me")


def now_words(view: MatchView) -> str:
    """Return what the viewer may do now; nothing when the match is over."""
    match, turn = view.match, view.match.turn
    if turn is None:
        return ""
    if turn in view.yours:
        return match.game.may_do(match.state.position)
    return f"It is {match.game.symbols[turn]}'s turn."


def idle_words(view: MatchView) -> str:
    """Return the answer to a press on the board that means nothing."""
    if view.match.turn is None:
        return "the match is over"
    if not view.yours:
        return "you only watch this match"
    return now_words(view) if view.may_move else "it is not your turn"


def undo_words(view: MatchView, asker: int) -> str:
    """Return the moves that an undo would take back, as told to the viewer."""
    match = view.match
    first = last_turn_of(match, asker) or 0
    named = [
        f"your {match.moves[ply]}" if match.side_of(ply) in view.yours else match.moves[ply]
        for ply in range(first, match.ply)
    ]
    if len(named) > MOST_NAMED:
        return f"the last {len(named)} moves"
    return " and ".join([", ".join(named[:-1])] * (len(named) > 1) + named[-1:])


def answer_words(view: MatchView) -> list[str]:
    """Return which of the viewer's offers were declined."""
    other = seat_name(view, 1 - min(view.yours, default=0))
    declined = {"draw": "declined a draw", "undo": "declined to take moves back"}
    return [
        f"{other} {declined[answer.offer]}" for answer in view.answers if answer.is_declined and not view.match.outcome
    ]


def side_words(view: MatchView, seat: int) -> str:
    """Return whom a side of the graph belongs to."""
    symbol, name = view.match.game.symbols[seat], seat_name(view, seat)
    return symbol if name == symbol else f"{symbol} · {name}"


def changed_options(game: Game) -> list[str]:
    """Return the options that differ from the defaults, in words."""
    return [
        f"{option.meaning}: {getattr(game, option.name)}"
        for option in game.all_options()
        if getattr(game, option.name) != option.default
    ]
