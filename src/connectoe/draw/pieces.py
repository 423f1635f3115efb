"""Pieces as SVG, each drawn around (0, 0) in a cell of size 1, in its owner's colour: orange crosses and blue rings."""

from __future__ import annotations

from collections.abc import Callable
from xml.sax.saxutils import escape

from connectoe.scene import Piece


def num(value: float) -> str:
    """Return a number for an attribute: three decimals at most, no trailing zeros."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _symbol(owner: str, colour: str, reach: float, width: float) -> str:
    """Return the owner's cross or ring, in the given colour."""
    if owner == "orange":
        return (
            f'<path class="n r s-{colour}" stroke-width="{width}" '
            f'd="M{-reach} {-reach}L{reach} {reach}M{reach} {-reach}L{-reach} {reach}"/>'
        )
    return f'<circle class="n s-{colour}" r="{round(reach * 1.12, 3)}" stroke-width="{width}"/>'


def _mark(piece: Piece, owner: str) -> str:
    return _symbol(owner, owner, 0.26, 0.13)


def _disc(piece: Piece, owner: str) -> str:
    return f'<circle class="f-{owner}" r="0.41"/>' + _symbol(owner, "on", 0.15, 0.075)


def _numbered(piece: Piece, owner: str) -> str:
    if owner == "orange":
        body = f'<rect class="f-{owner}" x="-0.33" y="-0.33" width="0.66" height="0.66" rx="0.12"/>'
    else:
        body = f'<circle class="f-{owner}" r="0.36"/>'
    arrow = ""
    if piece.facing:
        turn = {"N": 0, "E": 90, "S": 180, "W": 270}[piece.facing]
        arrow = f'<path class="f-{owner}" transform="rotate({turn})" d="M-0.17 -0.3L0 -0.49L0.17 -0.3Z"/>'
    number = f'<text class="f-on" style="fill:inherit" font-size="0.46" font-weight="bold">{escape(piece.text)}</text>'
    return f'{arrow}{body}<g class="f-on">{number}</g>'


def _green_light(piece: Piece, owner: str) -> str:
    return '<circle class="f-green s-ink" r="0.33" stroke-width="0.03"/>'


def _yellow_light(piece: Piece, owner: str) -> str:
    return '<path class="f-yellow s-ink r" stroke-width="0.03" d="M0 -0.38L0.38 0.28L-0.38 0.28Z"/>'


def _red_light(piece: Piece, owner: str) -> str:
    return '<rect class="f-red s-ink r" stroke-width="0.03" x="-0.31" y="-0.31" width="0.62" height="0.62"/>'


def _bomb(piece: Piece, owner: str) -> str:
    symbol = _symbol(owner, owner, 0.12, 0.07)
    return (
        '<path class="n r s-ink" stroke-width="0.06" d="M0.12 -0.2Q0.2 -0.42 0.36 -0.36"/>'
        '<circle class="f-gold" cx="0.37" cy="-0.36" r="0.07"/>'
        f'<circle class="f-ink" cy="0.06" r="0.3"/><g transform="translate(0 .06)">{symbol}</g>'
    )


def _tally(piece: Piece, owner: str) -> str:
    """Return as many small crosses or rings as the text says, or one and a number where they would not fit."""
    count = int(piece.text)
    if count > 3:
        return (
            f'<g transform="translate(-0.3 0)">{_symbol(owner, owner, 0.15, 0.1)}</g>'
            f'<text x="0.25" font-size="0.6">{count}</text>'
        )
    start = -0.42 * (count - 1) / 2
    return "".join(
        f'<g transform="translate({num(start + 0.42 * i)} 0)">{_symbol(owner, owner, 0.13, 0.1)}</g>'
        for i in range(count)
    )


def _crown(piece: Piece, owner: str) -> str:
    return (
        '<path class="f-gold s-ink r" stroke-width="0.03" '
        'd="M-0.34 0.24L-0.4 -0.2L-0.17 0L0 -0.3L0.17 0L0.4 -0.2L0.34 0.24Z"/>'
    )


def _claim(piece: Piece, owner: str) -> str:
    """Return what covers a finished board: its owner's symbol, or a dash for a draw."""
    if piece.owner is None:
        return '<path class="n r s-quiet" stroke-width="0.06" d="M-0.2 0L0.2 0"/>'
    return _symbol(owner, owner, 0.3, 0.11)


def _sign(piece: Piece, owner: str) -> str:
    """Return a sign, such as an arrow, in its owner's colour; for tools that are no pieces."""
    return lettered(piece.text, owner)


def lettered(text: str, colour: str) -> str:
    """Return a letter or sign as a piece."""
    letter = f'<text style="fill:inherit" font-size="0.72" font-weight="bold">{escape(text)}</text>'
    return f'<g class="f-{colour}">{letter}</g>'


PIECES: dict[str, Callable[[Piece, str], str]] = {
    "mark": _mark,
    "disc": _disc,
    "numbered": _numbered,
    "light-green": _green_light,
    "light-yellow": _yellow_light,
    "light-red": _red_light,
    "bomb": _bomb,
    "tally": _tally,
    "crown": _crown,
    "claim": _claim,
    "sign": _sign,
}
