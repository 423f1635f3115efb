"""What the pages say, in words, of a match, its seats and its moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from connectoe.game import Game
from connectoe.match import AGREEMENT
from connectoe.web.matches import MOST_MOVES
from connectoe.web.views import MatchView, last_turn_of

MOST_NAMED = 3
"""The moves that are named one by one when somebody asks to take them back."""


def seat_name(view: MatchView, number: int) -> str:
    """What somebody at a match is called.

    >>> from connectoe import load
    >>> from connectoe.web.keys import Keys
    >>> from connectoe.web.matches import Matches, Wish
    >>> from connectoe.web.storage import Storage
    >>> matches = Matches(Storage("sqlite://"))
    >>> seats = Wish("me"), Wish("engine", level="easy")
    >>> made = matches.create(Keys(browser="ann"), load("tic-tac-toe"), seats)
    >>> view = matches.view(made.id, Keys())
    >>> seat_name(view, 0), seat_name(view, 1)
    ('X', 'Easy engine')
    """
    seat, symbol = view.seats[number], view.match.game.symbols[number]
    if seat.kind == "engine":
        return f"{(seat.level or '').capitalize()} engine"
    return seat.name or ("Nobody yet" if seat.kind == "open" else symbol)


def opponents(view: MatchView) -> str:
    """Whom the viewer plays against, or who plays if the viewer only watches.

    >>> from connectoe import load
    >>> from connectoe.web.keys import Keys
    >>> from connectoe.web.matches import Matches, Wish
    >>> from connectoe.web.storage import Storage
    >>> matches, ann = Matches(Storage("sqlite://")), Keys(browser="ann")
    >>> made = matches.create(ann, load("tic-tac-toe"), (Wish("me"), Wish("open")))
    >>> opponents(matches.view(made.id, ann))
    'nobody yet'
    >>> opponents(matches.join(made.id, Keys(browser="bob"), made.invite, "")[0])
    'a friend'
    """
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
    """Whether somebody has put in the record of a match to look at: it came with all its moves, and its end.

    >>> from connectoe import load
    >>> from connectoe.web.keys import Keys
    >>> from connectoe.web.matches import Matches, Wish
    >>> from connectoe.web.storage import Storage
    >>> matches, ann = Matches(Storage("sqlite://")), Keys(browser="ann")
    >>> made = matches.create(ann, load("connect-four"), (Wish("me"), Wish("me")), moves="dededed")
    >>> begun = matches.create(ann, load("connect-four"), (Wish("me"), Wish("me")), moves="dedede")
    >>> is_record(matches.view(made.id, ann)), is_record(matches.view(begun.id, ann))
    (True, False)
    """
    return len(view.yours) == 2 and view.version == 1 and view.match.outcome is not None


def status_words(view: MatchView) -> str:
    """How a match stands, said to the viewer.

    >>> from connectoe import load
    >>> from connectoe.web.keys import Keys
    >>> from connectoe.web.matches import Matches, Wish
    >>> from connectoe.web.storage import Storage
    >>> matches = Matches(Storage("sqlite://"))
    >>> ann = Keys(browser="ann")
    >>> made = matches.create(ann, load("tic-tac-toe"), (Wish("me"), Wish("engine", level="easy")))
    >>> status_words(matches.view(made.id, ann)), status_words(matches.view(made.id, Keys()))
    ('Your turn', 'X to move')
    """
    match, outcome = view.match, view.match.outcome
    if outcome:
        if match.ply >= MOST_MOVES and outcome == AGREEMENT:  # to which nobody was asked to agree
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


def undo_words(view: MatchView, asker: int) -> str:
    """The moves that would be taken back if a player's wish for an undo were granted, said to the viewer.

    >>> from connectoe import load
    >>> from connectoe.web.keys import Keys
    >>> from connectoe.web.matches import Matches, Wish
    >>> from connectoe.web.storage import Storage
    >>> matches = Matches(Storage("sqlite://"))
    >>> ann, bob = Keys(browser="ann"), Keys(browser="bob")
    >>> made = matches.create(ann, load("connect-four"), (Wish("me", "Ann"), Wish("open")), moves="de")
    >>> joined = matches.join(made.id, bob, made.invite, "Bob")
    >>> undo_words(matches.view(made.id, bob), 0), undo_words(matches.view(made.id, ann), 0)
    ('d and your e', 'your d and e')
    """
    match = view.match
    first = last_turn_of(match, asker) or 0
    named = [
        f"your {match.moves[ply]}" if match.state_at(ply).turn in view.yours else match.moves[ply]
        for ply in range(first, match.ply)
    ]
    if len(named) > MOST_NAMED:
        return f"the last {len(named)} moves"
    return " and ".join([", ".join(named[:-1])] * (len(named) > 1) + named[-1:])


def in_words(candidate: Mapping[str, Any]) -> str:
    """What is known of a move, for people.

    >>> in_words({"result": "win", "plies": 5, "share": 1.0}), in_words({"result": None, "share": 0.625})
    ('wins in 5', 'expected score 62%')
    """
    if candidate["result"] is None:
        return f"expected score {candidate['share']:.0%}"
    verb = {"win": "wins", "loss": "loses", "draw": "draws"}[candidate["result"]]
    return verb if candidate["result"] == "draw" or not candidate["plies"] else f"{verb} in {candidate['plies']}"


def changed_options(game: Game) -> list[str]:
    """The options that are not as usual, in words.

    >>> from connectoe import load
    >>> changed_options(load("c4-twist", bombs=2))
    ['bombs each player has: 2']
    """
    return [
        f"{option.meaning}: {game.options[option.name]}"
        for option in game.option_list
        if game.options[option.name] != option.default
    ]
