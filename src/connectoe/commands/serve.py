"""`connectoe serve`."""

from __future__ import annotations

import click


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for everybody.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="The port; 0 for any free one."
)
@click.option(
    "--database",
    metavar="URL",
    help="Where matches are stored: sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME. By default a file of yours.",
)
@click.option(
    "--thinkers",
    default=2,
    show_default=True,
    type=click.IntRange(1, 64),
    help="How many engine moves are thought about at once.",
)
@click.option(
    "--longest-analysis",
    default=10.0,
    show_default=True,
    type=click.FloatRange(0, 10),
    metavar="SECONDS",
    help="How long a hint or an analysis may think; those who ask for more get this.",
)
@click.option(
    "--behind-proxy", is_flag=True, help="Believe X-Forwarded-For and -Proto of the proxy before this server."
)
@click.option("--open", "opens", is_flag=True, help="Open the page in a browser.")
@click.option("--no-warming", is_flag=True, help="Compile the engines of a game only when it is first played.")
@click.option(
    "--unlimited", is_flag=True, help="Let every client do as much as it likes; for tests and private servers."
)
@click.option("--access-log", is_flag=True, help="Write a line for every request, without the secrets in it.")
def serve(
    host: str,
    port: int,
    database: str | None,
    thinkers: int,
    longest_analysis: float,
    behind_proxy: bool,
    opens: bool,
    no_warming: bool,
    unlimited: bool,
    access_log: bool,
) -> None:
    """Serve the games as a web page, for yourself or for others."""
    try:
        from connectoe.web.serving import serve as run
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"the web page needs more packages ({error.name} is missing): pip install 'connectoe[web]'"
        ) from None
    run(host, port, database, thinkers, longest_analysis, behind_proxy, opens, not no_warming, unlimited, access_log)
