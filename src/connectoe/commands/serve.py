"""`connectoe serve`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from connectoe.web.service.warming import Scope


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--lan",
    is_flag=True,
    help="Let others in your network play: listen on all interfaces (as --host 0.0.0.0), and put an address that they "
    "can reach into links.",
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for all interfaces."
)
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="The port; 0 for a free one."
)
@click.option(
    "--database",
    metavar="URL",
    help="Where matches are stored: sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME. By default a file in "
    "your data folder.",
)
@click.option(
    "--thinkers",
    default=2,
    show_default=True,
    type=click.IntRange(1, 64),
    help="How many engines may think at once.",
)
@click.option(
    "--longest-analysis",
    default=10.0,
    show_default=True,
    type=click.FloatRange(0, 10),
    metavar="SECONDS",
    help="The longest time for a hint or an analysis; longer requests get this.",
)
@click.option(
    "--behind-proxy",
    is_flag=True,
    help="Trust the X-Forwarded-For and -Proto headers of the proxy in front of this server.",
)
@click.option("--open", "opens", is_flag=True, help="Open the page in a browser.")
@click.option(
    "--no-warming", is_flag=True, help="Compile the engines of a game only when somebody opens it, not in advance."
)
@click.option("--unlimited", is_flag=True, help="Set no limits on clients; for tests and private servers.")
@click.option(
    "--processes",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="How many processes share the port, best one per core; several need PostgreSQL.",
)
@click.option("--access-log", is_flag=True, help="Log every request, without the secrets in it.")
def serve(
    files: tuple[Path, ...],
    lan: bool,
    host: str,
    port: int,
    database: str | None,
    thinkers: int,
    longest_analysis: float,
    behind_proxy: bool,
    opens: bool,
    no_warming: bool,
    unlimited: bool,
    processes: int,
    access_log: bool,
) -> None:
    """Serve the games as web pages, for yourself or for others.

    FILES are games of your own, which come first. Save a file, and the game changes; a mistake in it is shown on the
    page.
    """
    try:
        from connectoe.web.http.serving import serve as run
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"the web page needs more packages ({error.name} is missing): pip install 'connectoe[web]'"
        ) from None
    if lan:
        host = "0.0.0.0"  # noqa: S104 - as asked for # nosec B104
    prepares: Scope = "asked" if no_warming else "all"
    run(
        host,
        port,
        database,
        thinkers,
        longest_analysis,
        behind_proxy,
        opens,
        prepares,
        unlimited,
        access_log,
        processes,
        files,
    )
