"""`connectoe new`."""

from __future__ import annotations

import keyword
from pathlib import Path

import click

TEMPLATES = Path(__file__).parent / "templates"


@click.command()
@click.argument("name")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Where to write the files, instead of the current folder.",
)
@click.option(
    "--recipe/--plain",
    default=True,
    help="Declare the game by building blocks of the kit, in a dozen lines (the default), or write its rules as "
    "functions, in which anything is possible.",
)
def new(name: str, folder: Path, recipe: bool) -> None:
    """Write the file of a new game called NAME, to start from, and a file with its tests.

    The game is complete: play it, then change its rules. `connectoe new my_game` writes my_game.py and
    test_my_game.py.
    """
    from connectoe.core.catalogue import game_ids
    from connectoe.core.errors import ConnectoeError, UnknownGame

    stem = name.removesuffix(".py").replace("-", "_").lower()
    if not stem.isidentifier() or not stem.isascii() or keyword.iskeyword(stem) or stem.startswith("_"):
        raise UnknownGame(f"a game is named by letters, digits and _, as my_game, not {name[:40]!r}")
    words = stem.replace("_", " ").strip()
    game_id = words.replace(" ", "-")
    if game_id in game_ids():
        raise UnknownGame(f"there is a game {game_id!r} already: give yours another name")
    facts = {
        "id": game_id,
        "name": words.capitalize(),
        "class_name": words.title().replace(" ", ""),
        "file": f"{stem}.py",
        "test_file": f"test_{stem}.py",
    }
    kind = "recipe" if recipe else "plain"
    written = {folder / facts["file"]: f"{kind}_game.txt", folder / facts["test_file"]: f"{kind}_test.txt"}
    for file in written:
        if file.exists():
            raise ConnectoeError(f"{file} exists already: choose another name, or remove it first")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, template in written.items():
            with file.open("x", encoding="utf-8") as writing:
                writing.write((TEMPLATES / template).read_text(encoding="utf-8").format(**facts))
    except OSError as error:
        raise click.FileError(str(error.filename or folder)[:100], error.strerror or str(error)) from error
    game, tests = written
    click.echo(f"wrote {game} and {tests}. Now try:")
    for command in (f"connectoe serve {game} --open", f"connectoe check {game}", f"python -m pytest {tests}"):
        click.echo(f"  {command}")
