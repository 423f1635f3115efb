"""`connectoe draw`."""

from __future__ import annotations

from pathlib import Path

import click

from connectoe.commands.shared import game_options, load_game, match_after, write_file


@click.command()
@click.argument("game")
@click.argument("moves", nargs=-1)
@game_options
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False),
    help="Write an .svg, .png or .txt file instead of drawing in the terminal.",
)
@click.option(
    "--theme",
    type=click.Choice(["auto", "light", "dark"]),
    default="auto",
    show_default=True,
    help="Colours of the picture.",
)
@click.option("--position", metavar="TEXT", help="Start from this position.")
@click.option("--width", type=click.IntRange(16, 8192), help="Width of a PNG in pixels.")
def draw(
    game: str,
    moves: tuple[str, ...],
    options: tuple[str, ...],
    output: str | None,
    theme: str,
    position: str | None,
    width: int | None,
) -> None:
    """Draw the board of GAME after MOVES, as a picture or as text."""
    from connectoe.draw.png import png
    from connectoe.draw.svg import svg
    from connectoe.draw.text import text
    from connectoe.terminal.screen import wants_colour

    scene = match_after(load_game(game, options), moves, position).scene()
    words = [scene.status, *scene.notes]
    if output is None:
        click.echo("\n".join([text(scene, colour=wants_colour()), *words]))
        return
    kind = Path(output).suffix.lower()
    if kind == ".svg":
        content = svg(scene, theme).encode()
    elif kind == ".png":
        content = png(scene, theme, width)
    elif kind == ".txt":
        content = "\n".join([text(scene), *words, ""]).encode()
    else:
        raise click.UsageError(f"a picture is an .svg, .png or .txt file, not {output[:100]!r}")
    write_file(output, content)
