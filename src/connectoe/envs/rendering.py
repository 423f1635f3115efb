"""How environments show a match: `ansi` as text, `svg` as a picture, `human` printed."""

from __future__ import annotations

from connectoe.draw.svg import svg
from connectoe.draw.text import text
from connectoe.errors import ConnectoeError
from connectoe.match import Match

RENDER_MODES = ("human", "ansi", "svg")


def check_render_mode(mode: str | None) -> None:
    """Refuses a way to be shown that there is not.

    >>> check_render_mode("rgb_array")
    Traceback (most recent call last):
    connectoe.errors.ConnectoeError: there is no render mode 'rgb_array'; the modes are: human, ansi, svg
    """
    if mode is not None and mode not in RENDER_MODES:
        raise ConnectoeError(f"there is no render mode {mode[:30]!r}; the modes are: {', '.join(RENDER_MODES)}")


def rendered(match: Match, mode: str | None) -> str | None:
    """The match as its mode wants it; None where it was printed, or is not to be shown.

    >>> import connectoe
    >>> print(rendered(Match(connectoe.load("tic-tac-toe")), "ansi"))
    3 · · ·
    2 · · ·
    1 · · ·
      a b c
    """
    if mode == "svg":
        return svg(match.scene())
    if mode == "ansi":
        return text(match.scene())
    if mode == "human":
        print(text(match.scene()), end="\n\n")
    return None
