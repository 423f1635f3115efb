"""Questions asked at a terminal before a match: which game, and who plays whom."""

from __future__ import annotations

from typing import TypeVar

import click

from connectoe.core.catalogue import game_class, game_ids, load
from connectoe.core.errors import ConnectoeError
from connectoe.core.game import Game
from connectoe.players import opponents
from connectoe.terminal.screen import bold, fitted

Answer = TypeVar("Answer")
HUMAN = "human"


def ask(prompt: str) -> str | None:
    """Return what a person types, without surrounding blanks; None at the end of the input."""
    try:
        return input(prompt).strip()
    except (EOFError, RuntimeError):  # the end of the input, or no input at all
        click.echo()
        return None


def choose_game() -> Game | None:
    """Return the game a person chooses from the list; None if they quit."""
    ids = game_ids()
    width = max(map(len, ids))
    click.echo("Which game?\n")
    for number, game_id in enumerate(ids, start=1):
        before = f"  {number}  {bold(game_id)}{' ' * (width - len(game_id))}  "
        click.echo(before + fitted(game_class(game_id).summary, " " * (width + 7)))
    click.echo()
    while True:
        answer = ask("Number or name (q to quit): ")
        if answer is None or answer in ("q", "quit"):
            return None
        if answer.isascii() and answer.isdigit() and 1 <= int(answer[:9]) <= len(ids):
            return load(ids[int(answer) - 1])
        try:
            return load(answer)
        except ConnectoeError as error:
            click.echo(f"  {fitted(str(error), '  ')}")


def choose_players(game: Game) -> tuple[str, str] | None:
    """Ask for the opponent and the side, and return the names of players 0 and 1; None at the end of the input."""
    first, second = game.symbols
    known = opponents(game)
    kinds = {"1": HUMAN, **{str(number): name for number, name in enumerate(known, start=2)}}
    click.echo("\nAgainst whom?\n\n  1  a person here, at this keyboard")
    for number, name in list(kinds.items())[1:]:
        click.echo(f"  {number}  {fitted(f'{name}: {known[name]}', '     ')}")
    click.echo()
    kind = _choice("Number [1]: ", {"": HUMAN, **kinds, **{name: name for name in known}})
    if kind is None:
        return None
    if kind == HUMAN:
        return HUMAN, HUMAN
    sides = {"": (HUMAN, kind), first.lower(): (HUMAN, kind), second.lower(): (kind, HUMAN)}
    return _choice(f"You are {first} (moves first) or {second}? [{first}]: ", sides)


def seat_options(game: Game) -> tuple[str, str]:
    """Return the options of `connectoe play` for players 0 and 1; in a game without X and O, --x moves first."""
    return ("--o", "--x") if game.symbols == ("O", "X") else ("--x", "--o")


def _choice(prompt: str, answers: dict[str, Answer]) -> Answer | None:
    """Return the value of the answer a person gives; None at the end of the input."""
    while True:
        typed = ask(prompt)
        if typed is None:
            return None
        if typed.lower() in answers:
            return answers[typed.lower()]
        click.echo(f"  please answer {', '.join(answer for answer in answers if answer)}")
