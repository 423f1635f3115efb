"""Packages with games, installed as `pip` would install them."""

from __future__ import annotations

from pathlib import Path

import pytest


def install_game(patch: pytest.MonkeyPatch, folder: Path, game_id: str, module: str, source: str = "") -> None:
    """Install a game that is in a module, which is made from its source if there is one."""
    if source:
        (folder / f"{module}.py").write_text(source)
    about = folder / "somebodys_game-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: somebodys-game\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[connectoe.games]\n{game_id} = {module}\n")
    patch.syspath_prepend(folder)
