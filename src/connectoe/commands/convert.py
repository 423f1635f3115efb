"""`connectoe convert`."""

from __future__ import annotations

from pathlib import Path

import click

from connectoe.commands.shared import matches_in, read_text, write_file


@click.command()
@click.argument("source", type=click.Path(dir_okay=False, allow_dash=True))
@click.option(
    "--to",
    "form",
    type=click.Choice(["text", "json"]),
    help="The form to write; by default the other one, or what the name of the output file says.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False),
    help="The file to write, compressed if it ends in .gz; by default standard output.",
)
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="FILE",
    help="The file of a game of your own that the records are of; may be repeated.",
)
def convert(source: str, form: str | None, output: str | None, games: tuple[str, ...]) -> None:
    """Convert the records of matches in SOURCE (`-` for standard input) between text and JSON."""
    from connectoe.core.catalogue import game_class
    from connectoe.core.records import file_content, form_for, is_json, written

    text = read_text(source)
    matches = matches_in(text, source, *(game_class(game) for game in games), own_game="--game FILE.py")
    if form is None and output:
        form = form_for(Path(output))
    if form is None:
        form = "text" if is_json(text) else "json"
    records = written(matches, form)
    if output:
        write_file(output, file_content(records, Path(output)))
    else:
        click.echo(records, nl=False)
