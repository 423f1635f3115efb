"""`connectoe check`."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import click

from connectoe.commands.shared import game_options, load_game, printable
from connectoe.terminal.progress import progress_bar

if TYPE_CHECKING:
    from connectoe.examining import Finding

WIDTH = 100


@click.command()
@click.argument("game")
@game_options
def check(game: str, options: tuple[str, ...]) -> None:
    """Look for mistakes in GAME, the file of a game of your own.

    Finds what breaks the contract, rules that do not compile (with what to write instead), mirrors that do not agree
    with the rules, chance in the rules, generators that leak, positions that do not pack, and slow rules. The exit code
    is 1 if there is a mistake.
    """
    from connectoe.core.errors import BadOption, ConnectoeError
    from connectoe.core.neighbours import neighbours_of
    from connectoe.core.own_games import mistake_from
    from connectoe.examining import STEPS, examined

    file = Path(game).resolve() if game.endswith(".py") else None
    try:
        chosen = load_game(game, options)
    except BadOption:
        raise
    except ConnectoeError as error:
        if file is None or not file.is_file():
            raise
        mistake = mistake_from(error, [file, *neighbours_of(file)])
        _tell("mistake", mistake.place, mistake.words, code=mistake.code)
        sys.exit(1)
    with progress_bar("checking", len(STEPS)) as step:
        found = examined(chosen, step)
    name = file.name if file else chosen.id
    for finding in found:
        _tell("mistake" if finding.is_mistake else "note", _place(finding, name), finding.words, finding.instead)
    mistakes = sum(finding.is_mistake for finding in found)
    if mistakes:
        click.echo(f"{mistakes} mistake{'s' if mistakes > 1 else ''} in {chosen.name}", err=True)
        sys.exit(1)
    click.echo(f"nothing is wrong with {chosen.name}" + (f" ({chosen.options_text})" if chosen.options else ""))


def _place(finding: Finding, name: str) -> str:
    file = finding.file or name
    return file if finding.line is None else f"{file}, line {finding.line}"


def _tell(kind: str, place: str, words: str, instead: str = "", code: str = "") -> None:
    click.echo(fill(printable(f"{kind}: {place}: {words}"), WIDTH, subsequent_indent="    "))
    if code:
        click.echo(f"    {printable(code)}")
    if instead:
        click.echo(fill(printable(f"write instead: {instead}"), WIDTH, initial_indent="    ", subsequent_indent="    "))
