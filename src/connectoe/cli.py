"""The command `connectoe`. Each command imports what it needs only when it runs, so that --help is quick."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from connectoe.errors import BadOption, ConnectoeError, UnknownGame

if TYPE_CHECKING:
    from connectoe.game import Game
    from connectoe.match import Match
    from connectoe.state import State

Command = Callable[..., Any]


class WrongCall(click.ClickException):
    """The command was called wrongly, as opposed to called on wrong content."""

    exit_code = 2


class Refusing(click.Group):
    """A group of commands that reports what Connectoe refuses in one line, without a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; exit code 2 for a wrong call (game, option), 1 for wrong content (move, record)."""
        try:
            return super().invoke(ctx)
        except ConnectoeError as error:
            refusal = WrongCall if isinstance(error, UnknownGame | BadOption) else click.ClickException
            raise refusal(printable(str(error))) from error


def printable(text: str) -> str:
    """The text without characters that a terminal would act on."""
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


@click.group(cls=Refusing, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="connectoe", message="connectoe %(version)s")
def main() -> None:
    """Play the games that cross tic-tac-toe with Connect Four.

    `connectoe games` lists them, `connectoe rules GAME` explains one, `connectoe play GAME` plays it. GAME is an id
    from the list, or a Python file with a game of your own.
    """


def game_options(command: Command) -> Command:
    """Adds --option k=v to a command that takes GAME."""
    return click.option(
        "--option",
        "-O",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        help="Choose an option of the game; may be repeated. `connectoe rules GAME` lists them.",
    )(command)


def load_game(name: str, options: Iterable[str] = ()) -> Game:
    """The game a command was asked for."""
    from connectoe.catalogue import load

    chosen = {}
    for text in options:
        key, equals, value = text.partition("=")
        if not equals:
            raise BadOption(f"an option is given as NAME=VALUE, not {text[:40]!r}")
        chosen[key.strip()] = value.strip()
    return load(name, **chosen)


def state_after(game: Game, moves: Iterable[str], position: str | None = None) -> State:
    """The state after moves given on the command line, each an argument or several in one."""
    from connectoe.replaying import BadMove, split_moves

    state = game.state(position) if position else game.start
    for number, move in enumerate(split_moves(game, " ".join(moves)), start=1):
        try:
            state = state.play(move)
        except ConnectoeError as error:
            raise BadMove(f"move {number}: {error}", number) from error
    return state


@main.command()
def games() -> None:
    """List the games."""
    from rich.console import Console
    from rich.table import Table

    from connectoe.catalogue import game_class, game_ids

    table = Table("game", "what it is", "options (default first)", title="The games of Connectoe", title_justify="left")
    for game_id in game_ids():
        game = game_class(game_id)
        choices = [
            f"{option.name}={option.default}"
            + (
                ""
                if isinstance(option.allowed, range)
                else "".join(f",{v}" for v in option.allowed if v != option.default)
            )
            for option in game.option_list
        ]
        table.add_row(f"[bold]{game_id}[/bold]", game.summary, "  ".join(choices) or "–")
    Console().print(table)
    click.echo("Read the rules with `connectoe rules GAME`, play with `connectoe play GAME`.")


@main.command()
@click.argument("game")
def rules(game: str) -> None:
    """Explain the rules of GAME and its options."""
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.table import Table

    from connectoe.catalogue import game_class

    found = game_class(game)
    title, _, text = (sys.modules[found.__module__].__doc__ or found.__doc__ or found.summary).partition("\n")
    console = Console(width=min(Console().width, 100))
    console.print(f"[bold]{title.strip().rstrip('.')}[/bold]\n")
    console.print(Markdown(text.strip() or found.summary))
    if found.option_list:
        table = Table("option", "default", "allowed", "meaning")
        for option in found.option_list:
            table.add_row(option.name, str(option.default), option.allowed_text, option.meaning)
        console.print()
        console.print(table)


@main.command()
@click.argument("game", required=False)
@game_options
@click.option("--x", "x_player", metavar="PLAYER", default="human", help="Who plays X: human (default) or random.")
@click.option("--o", "o_player", metavar="PLAYER", default="human", help="Who plays O: human (default) or random.")
@click.option("--position", metavar="TEXT", help="Begin from this position instead of the usual start.")
@click.option("--resume", type=click.Path(dir_okay=False), help="Go on with the match saved in this file.")
@click.option("--seed", type=int, help="Make random choices repeatable.")
def play(
    game: str | None,
    options: tuple[str, ...],
    x_player: str,
    o_player: str,
    position: str | None,
    resume: str | None,
    seed: int | None,
) -> None:
    """Play GAME in the terminal, with a friend or against the computer.

    Without GAME, choose one from a list. While playing, type a move, or `help` to see what else there is.
    """
    from connectoe.match import Match
    from connectoe.terminal import Table, choose_game, choose_players

    seats = {"X": x_player, "O": o_player}
    if resume:
        if game or options or position:
            raise click.UsageError("--resume knows the game, its options and position: give it alone")
        match = read_records(resume)[-1]
    elif game is None:
        if options or position:
            raise click.UsageError("options and a position need the GAME they belong to")
        chosen = choose_game()
        if chosen is None:
            return
        match = Match(chosen)
        if (x_player, o_player) == ("human", "human"):
            seats = choose_players(chosen)
    else:
        chosen = load_game(game, options)
        match = Match(chosen, start=chosen.state(position) if position else None)
    Table(match, seats, seed).play()


@main.command()
@click.argument("game")
@click.argument("moves", nargs=-1)
@game_options
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one object a line.")
@click.option("--ignore-after-end", is_flag=True, help="Ignore moves after the end of a game instead of refusing them.")
@click.pass_context
def replay(
    ctx: click.Context,
    game: str,
    moves: tuple[str, ...],
    options: tuple[str, ...],
    as_json: bool,
    ignore_after_end: bool,
) -> None:
    """Play MOVES of GAME and show where they lead.

    With `-` for MOVES, read one game a line from standard input (moves separated by blanks) and answer each. A bad
    line is answered by {"error", "line", "move"}; the others go on, and the exit code is 1.
    """
    from connectoe.replaying import BadMove, replay, split_moves

    chosen = load_game(game, options)
    lines: Iterable[bytes] = sys.stdin.buffer if moves == ("-",) else [" ".join(moves).encode(errors="replace")]
    failed = False
    write = sys.stdout.write
    for number, line in enumerate(lines, start=1):
        try:
            end = replay(chosen, split_moves(chosen, line.decode(errors="replace")), ignore_after_end)
        except BadMove as error:
            failed = True
            if as_json:
                write(json.dumps({"error": str(error), "line": number, "move": error.number}) + "\n")
            else:
                click.echo(f"line {number}, move {error.number}: {printable(str(error))}", err=True)
            continue
        if as_json:
            write(json.dumps(end) + "\n")
        else:
            click.echo(as_text(chosen, end))
    if failed:
        ctx.exit(1)


def as_text(game: Game, end: dict[str, Any]) -> str:
    """The end of a replayed game for people."""
    state = state_after(game, end["moves"])
    words = f"{game.symbols[end['turn']]} to move" if end["turn"] is not None else f"{end['result']}: {end['reason']}"
    if end["result"] in ("0", "1"):
        words = f"{game.symbols[int(end['result'])]} wins: {end['reason']}"
    notes = state.scene().notes if end["turn"] is not None else []
    return "\n".join([str(state), words, *notes, f"position: {end['position']}"])


@main.command()
@click.argument("game")
@click.argument("depth", type=click.IntRange(0, 60))
@game_options
@click.option("--position", metavar="TEXT", help="Count from this position instead of the start.")
@click.option("--divide", is_flag=True, help="Show the count below each first move.")
def perft(game: str, depth: int, options: tuple[str, ...], position: str | None, divide: bool) -> None:
    """Count the lines of play of GAME that are DEPTH moves long."""
    chosen = load_game(game, options)
    state = chosen.state(position) if position else chosen.start
    if depth == 0:
        click.echo(1)
        return
    total = 0
    with progress_bar(f"perft {depth}", len(state.moves())) as step:
        from connectoe.engines.perft import perft as count

        counts = {}
        for move in state.moves():
            counts[chosen.move_text(move)] = below = count(chosen, depth - 1, chosen.rules.play(state.position, move))
            total += below
            step()
    if divide:
        for text in sorted(counts):
            click.echo(f"{text}\t{counts[text]}")
    click.echo(total)


class progress_bar:  # noqa: N801 - read as a verb: with progress_bar(...) as step
    """A progress bar on standard error, if a person is looking: `with progress_bar("work", 10) as step: step()`."""

    def __init__(self, what: str, steps: int) -> None:
        self.what = what
        self.steps = steps
        self.bar: Any = None

    def __enter__(self) -> Callable[[], None]:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self.bar = Progress(console=Console(stderr=True), transient=True)
            task = self.bar.add_task(self.what, total=self.steps)
            self.bar.start()
            return lambda: self.bar.advance(task)
        return lambda: None

    def __exit__(self, *problem: object) -> None:
        if self.bar:
            self.bar.stop()


@main.command()
@click.argument("game")
@click.argument("moves", nargs=-1)
@game_options
@click.option(
    "--output", "-o", type=click.Path(dir_okay=False), help="An .svg, .png or .txt file; the terminal if not given."
)
@click.option("--theme", type=click.Choice(["auto", "light", "dark"]), default="auto", show_default=True)
@click.option("--position", metavar="TEXT", help="Begin from this position instead of the usual start.")
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
    state = state_after(load_game(game, options), moves, position)
    if output is None:
        from connectoe.draw.text import text

        click.echo("\n".join([text(state.scene(), colour=sys.stdout.isatty()), state.status, *state.scene().notes]))
        return
    kind = Path(output).suffix.lower()
    if kind == ".svg":
        made = state.svg(theme).encode()
    elif kind == ".png":
        from connectoe.draw.svg import png

        made = png(state.scene(), theme, width)
    elif kind == ".txt":
        made = f"{state}\n{state.status}\n".encode()
    else:
        raise click.UsageError(f"a picture is an .svg, .png or .txt file, not {output!r}")
    write_file(output, made)


@main.command()
@click.argument("moves", nargs=-1, required=True)
def grid(moves: tuple[str, ...]) -> None:
    """Play Shift Tac Toe MOVES, the digits 1 to 9, and print the final 3x3 grid; moves after a win are ignored."""
    from connectoe.games.shift_tac_toe import final_grid

    rows = final_grid("".join("".join(moves).split()))
    shown = [f"[{','.join(repr(cell) for cell in row)}]" for row in rows]
    click.echo(f"[{shown[0]},\n{shown[1]},\n{shown[2]}]")


@main.command()
@click.argument("source", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--to", "form", type=click.Choice(["text", "json"]), help="The other form, if not said.")
@click.option("--output", "-o", type=click.Path(dir_okay=False), help="Where to write; standard output if not given.")
def convert(source: str, form: str | None, output: str | None) -> None:
    """Convert records of matches in SOURCE (`-`: standard input) between text and JSON."""
    text = read_text(source)
    matches = matches_in(text, source)
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


def read_text(source: str) -> str:
    """What stands in a file, or on standard input for `-`."""
    try:
        content = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise click.FileError(source, error.strerror or "cannot be read") from error
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ConnectoeError(
            f"{source} is not UTF-8 text: byte {error.start} is {content[error.start]:#04x}"
        ) from error


def read_records(source: str) -> list[Match]:
    """The matches recorded in a file."""
    return matches_in(read_text(source), source)


def matches_in(text: str, source: str) -> list[Match]:
    """The matches in a text that came from `source`."""
    from connectoe.records import read_matches

    try:
        return read_matches(text)
    except ConnectoeError as error:
        raise ConnectoeError(f"{'standard input' if source == '-' else source}: {error}") from error


def write_file(output: str, content: bytes) -> None:
    """Writes a whole file."""
    try:
        Path(output).write_bytes(content)
    except OSError as error:
        raise click.FileError(output, error.strerror or "cannot be written") from error
