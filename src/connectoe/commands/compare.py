"""`connectoe compare`."""

from __future__ import annotations

from typing import Any

import click

from connectoe.commands.study import run_study, study_options


@click.command()
@click.argument("game")
@study_options
def compare(game: str, **asked: Any) -> None:
    """Compare variants of GAME: what would a different rule change?

    This is a study of several options, for instance `connectoe compare c4-twist --option bombs=0,1,2`. The other
    variants are compared with the first one; differences are tested, and corrected for their number.
    """
    run_study(game, **asked, at_least=2)
