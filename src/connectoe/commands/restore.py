"""`connectoe restore`."""

from __future__ import annotations

import click


@click.command()
@click.argument("matches", nargs=-1)
@click.option("--database", metavar="URL", help="The database of the server; by default the file in your data folder.")
@click.option("--all", "everything", is_flag=True, help="Bring back all that have expired.")
def restore(matches: tuple[str, ...], database: str | None, everything: bool) -> None:
    """Bring back MATCHES that have expired on a server; without any, list those that can be brought back.

    The server may run meanwhile.
    """
    from connectoe.web.http.serving import default_database
    from connectoe.web.service import expiry
    from connectoe.web.service.storage import Storage

    storage = Storage(database or default_database())
    found = expiry.expired_matches(storage)
    if not matches and not everything:
        for match_id, hours in found:
            click.echo(f"{match_id}  for another {hours / expiry.DAY:.0f} days")
        click.echo(f"{len(found):,} matches can be brought back", err=True)
        return
    restored = expiry.restore(storage, [match_id for match_id, _ in found] if everything else matches)
    for match_id in restored:
        click.echo(match_id)
    missing = [match_id for match_id in matches if match_id not in restored]
    if missing and not everything:
        raise click.ClickException(f"not among the expired matches: {' '.join(missing)}")
