"""`connectoe convert`."""

from __future__ import annotations

from pathlib import Path

import click

from connectoe.commands.shared import matches_in, read_text, write_file


@click.command()
@click.argument("source", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--to", "form", type=click.Choice(["text", "json"]), help="The other form, if not said.")
@click.option("--output", "-o", type=click.Path(dir_okay=False), help="Where to write; standard output if not given.")
@click.option("--game", "games", multiple=True, metavar="FILE", help="The file of a game of your own in the records.")
def convert(source: str, form: str | None, output: str | None, games: tuple[str, ...]) -> None:
    """Convert records of matches in SOURCE (`-`: standard input) between text and JSON."""
    from connectoe.catalogue import game_class

    text = read_text(source)
    matches = matches_in(text, source, *(game_class(game) for game in games), own_game="--game FILE.py")
    if form is None and output:
        form = "json" if Path(output).suffix.lower() in (".json", ".jsonl") else "text"
    if form is None:
        form = "text" if text.lstrip("\ufeff \t\r\n").startswith("{") else "json"
    if form == "json":
        made = "".join(match.to_json() + "\n" for match in matches)
    else:
        made = "\n".join(match.to_text() for match in matches)
    if output:
        write_file(output, made.encode())
    else:
        click.echo(made, nl=False)
