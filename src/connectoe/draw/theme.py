"""The colours of pictures, in a light and a dark theme that colour-blind people can tell apart, and their CSS."""

from __future__ import annotations

from connectoe.core.errors import ConnectoeError

LIGHT = {
    "paper": "#fbfaf7",
    "board": "#e6dfd1",
    "small": "#efe9dd",
    "square": "#fffdf8",
    "hole": "#fbfaf7",
    "outside": "#f3efe6",
    "line": "#b7ad9a",
    "ink": "#2b2a27",
    "quiet": "#6f685b",
    "orange": "#c74e00",
    "blue": "#0067a5",
    "on": "#ffffff",
    "last": "#ffd968",
    "corner": "#7a5c00",
    "win": "#9fe0c2",
    "forced": "#00846a",
    "green": "#009e73",
    "yellow": "#f0d21e",
    "red": "#cc3311",
    "gold": "#c99700",
}
DARK = {
    "paper": "#16181d",
    "board": "#353b48",
    "small": "#2c313c",
    "square": "#1f232b",
    "hole": "#16181d",
    "outside": "#262b34",
    "line": "#5a6272",
    "ink": "#ece8df",
    "quiet": "#a9a496",
    "orange": "#ff8a3d",
    "blue": "#5cb8f5",
    "on": "#10131a",
    "last": "#5e490c",
    "corner": "#ffd968",
    "win": "#185f45",
    "forced": "#3fd6b0",
    "green": "#2fc79a",
    "yellow": "#f5e04e",
    "red": "#ff6a4d",
    "gold": "#f0c040",
}
CONTRAST = {
    "paper": "#000000",
    "board": "#1c1c1c",
    "small": "#141414",
    "square": "#000000",
    "hole": "#000000",
    "outside": "#000000",
    "line": "#ffffff",
    "ink": "#ffffff",
    "quiet": "#ffffff",
    "orange": "#ffa64d",
    "blue": "#66ccff",
    "on": "#000000",
    "last": "#5c4a00",
    "corner": "#ffff00",
    "win": "#006644",
    "forced": "#00ffcc",
    "green": "#33ff99",
    "yellow": "#ffff33",
    "red": "#ff7070",
    "gold": "#ffd700",
}
THEMES = {"light": LIGHT, "dark": DARK}
PAGE_THEMES = {**THEMES, "contrast": CONTRAST}
"""What people can choose for the pages, instead of what their system asks for."""


COMMON = (
    ".connectoe{font-family:'DejaVu Sans','Segoe UI',system-ui,sans-serif}"
    ".connectoe text{text-anchor:middle;dominant-baseline:central}"
    ".connectoe .n{fill:none}.connectoe .r{stroke-linecap:round;stroke-linejoin:round}"
)


def _styles(colours: dict[str, str]) -> str:
    fills = "".join(f".f-{name}{{fill:{value}}}.s-{name}{{stroke:{value}}}" for name, value in colours.items())
    return f".connectoe text{{fill:{colours['ink']}}}.connectoe text.quiet{{fill:{colours['quiet']}}}" + "".join(
        f".connectoe {rule}}}" for rule in fills.split("}") if rule
    )


def style_sheet(theme: str = "auto") -> str:
    """Return the colours as CSS: those of one theme, or of both if the viewer's system is to choose."""
    if theme == "auto":
        return COMMON + _styles(LIGHT) + "@media (prefers-color-scheme:dark){" + _styles(DARK) + "}"
    if theme not in THEMES:
        raise ConnectoeError(f"there is no theme {theme[:20]!r}: themes are auto, light and dark")
    return COMMON + _styles(THEMES[theme])


def page_styles() -> str:
    """Return the colours of the pages as CSS variables, `--paper` and so on, and those of pictures made from them.

    The viewer's system chooses between light and dark, unless the page says otherwise by `data-theme`. Pictures have
    variables of their own, because pages may use the same names for other things inside.
    """
    variables = {
        name: "".join(f"--{colour}:{value};--picture-{colour}:{value};" for colour, value in colours.items())
        for name, colours in PAGE_THEMES.items()
    }
    chosen = "".join(f':root[data-theme="{name}"]{{{values}}}' for name, values in variables.items())
    dark = f"@media (prefers-color-scheme:dark){{:root{{{variables['dark']}}}}}"
    return (
        f":root{{{variables['light']}}}{dark}{chosen}"
        + COMMON
        + _styles({name: f"var(--picture-{name})" for name in LIGHT})
    )
