"""`connectoe review`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from connectoe.commands.shared import game_options, load_game, match_after, matches_in, read_text
from connectoe.terminal.progress import progress_bar

if TYPE_CHECKING:
    from connectoe.core.match import Match
    from connectoe.review import Mistake, MoveReviewed


@click.command()
@click.argument("game")
@click.argument("moves", nargs=-1)
@game_options
@click.option("--record", metavar="FILE", help="Look at the matches saved in this file instead of MOVES.")
@click.option("--seconds", type=click.FloatRange(0, 60), default=0.3, show_default=True, help="Seconds per position.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object per match.")
def review(
    game: str, moves: tuple[str, ...], options: tuple[str, ...], record: str | None, seconds: float, as_json: bool
) -> None:
    """Say which MOVES of GAME gave something away, and what would have been better.

    Where both results are known exactly, a mistake is proven. Elsewhere it is an estimate: the move gave away a fifth
    of the points or more.
    """
    from connectoe.core.catalogue import game_class
    from connectoe.review import reviewed_moves

    if record is None:
        matches = [match_after(load_game(game, options), moves)]
    elif moves or options:
        raise click.UsageError("the saved matches have their moves and options: give only GAME with --record")
    else:
        matches = matches_in(
            read_text(record), record, game_class(game), own_game=f"connectoe review FILE.py --record {record}"
        )
    for match in matches:
        seen = []
        with progress_bar("looking at the moves", match.ply) as step:
            for move in reviewed_moves(match, seconds):
                seen.append(move)
                step()
        show(match, seen, as_json)


def show(match: Match, seen: list[MoveReviewed], as_json: bool) -> None:
    """Print what was found about a match."""
    from connectoe.review import accuracy

    shares = [accuracy(seen, player) for player in (0, 1)]
    mistakes = [move.mistake for move in seen if move.mistake]
    if as_json:
        facts = {"game": match.game.id, "options": match.game.options, "moves": match.moves}
        click.echo(json.dumps({**facts, "accuracy": shares, "mistakes": [each.as_data() for each in mistakes]}))
        return
    for mistake in mistakes:
        click.echo(in_words(match, mistake))
    for player, share in enumerate(shares):
        if share is not None:
            count = sum(mistake.player == player for mistake in mistakes)
            kept = f"{match.game.symbols[player]}: {share:.0%} of the points kept"
            click.echo(f"{kept}, {count} mistake{'s' if count != 1 else ''}")


def in_words(match: Match, mistake: Mistake) -> str:
    """Return a mistake in words."""
    who = f"move {mistake.ply + 1}, {match.game.symbols[mistake.player]} {mistake.played}"
    what = (
        f"gave a {mistake.before} away for a {mistake.after}"
        if mistake.is_proven
        else f"gave about {mistake.cost:.0%} of the points away"
    )
    return f"{who}: {what}; better: {', '.join(mistake.better)}"
