"""Links as QR codes, which a phone reads from a screen."""

from __future__ import annotations

from functools import lru_cache

import segno
from markupsafe import Markup


@lru_cache(maxsize=64)
def qr_code(link: str) -> Markup:
    """Return a link as a QR code: an SVG element, dark on light whatever the theme, since cameras need that."""
    code = segno.make(link, micro=False, error="m")
    return Markup(code.svg_inline(scale=4, border=3, dark="#000", light="#fff", title="QR code of the link to join"))
