"""`connectoe convert`."""

from __future__ import annotations

from pathlib import Path

import click

from connectoe.commands.shared import matches_in, read_text, write_file


@click.command()
@click.argument("source", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--to", "form", type=click.Choice(["text", "json"]), help="The other form, if not said.")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False),
    help="Where to write, gzip for .gz; standard output if not given.",
)
@click.option("--game", "games", multiple=True, metavar="FILE", help="The file of a game of your own in the records.")
def convert(source: str, form: str | None, output: str | None, games: tuple[str, ...]) -> None:
    """Convert records of matches in SOURCE (`-`: standard input) between text and JSON."""
    from connectoe.catalogue import game_class
    from connectoe.records import file_content, form_for, is_json, written

    text = read_text(source)
    matches = matches_in(text, source, *(game_class(game) for game in games), own_game="--game FILE.py")
    if form is None and output:
        form = form_for(Path(output))
    if form is None:
        form = "text" if is_json(text) else "json"
    made = written(matches, form)
    if output:
        write_file(output, file_content(made, Path(output)))
    else:
        click.echo(made, nl=False)
