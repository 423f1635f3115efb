"""A scene as a PNG picture."""

from __future__ import annotations

from connectoe.core.errors import ConnectoeError
from connectoe.draw.svg import svg
from connectoe.scene import Scene

MOST_PIXELS = 100_000_000
"""The size of the largest picture that is drawn."""


def png(scene: Scene, theme: str = "light", width: int | None = None) -> bytes:
    """Return the scene as a PNG picture; needs the extra `connectoe[png]`."""
    try:
        import resvg_py
    except ImportError:
        raise ConnectoeError("PNG pictures need one more package: pip install 'connectoe[png]'") from None
    picture = svg(scene, "light" if theme == "auto" else theme)
    if width:
        *_, across, down = (float(number) for number in picture.split('viewBox="')[1].split('"')[0].split())
        height = round(width * down / across)
        if width * height > MOST_PIXELS:
            raise ConnectoeError(f"a picture of {width}x{height} pixels is too large: choose a smaller width")
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, width=width, zoom=None if width else 2))
