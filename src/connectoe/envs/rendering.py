"""How environments show a match: `ansi` as text, `svg` as a picture, `human` printed."""

from __future__ import annotations

from connectoe.core.errors import ConnectoeError
from connectoe.core.match import Match
from connectoe.draw.svg import svg
from connectoe.draw.text import text

RENDER_MODES = ("human", "ansi", "svg")


def check_render_mode(mode: str | None) -> None:
    """Raise ConnectoeError for an unknown render mode."""
    if mode is not None and mode not in RENDER_MODES:
        raise ConnectoeError(f"there is no render mode {mode[:30]!r}; the modes are: {', '.join(RENDER_MODES)}")


def rendered(match: Match, mode: str | None) -> str | None:
    """Return the match as text or SVG; None if it was printed, or is not to be shown."""
    if mode == "svg":
        return svg(match.scene())
    if mode == "ansi":
        return text(match.scene())
    if mode == "human":
        print(text(match.scene()), end="\n\n")
    return None
