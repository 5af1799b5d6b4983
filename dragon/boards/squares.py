"""Squares: pictures of what stands on squares, for games whose boards are no sets of stones."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

SIDE = 40
"""Of a square, in user units."""
EDGE = ' stroke="#8d8474"'


@frozen
class Square:
    """One square of a drawing."""

    row: float
    """From the top; halves lie between two rows."""
    column: float
    drawn: str
    """What is drawn about its middle: `block` and `disc`, one upon another."""
    name: str = ""
    """What moves call it; a square without a name cannot be clicked."""
    said: str = ""
    """What a screen reader says of it; its name if empty."""

    def svg(self) -> str:
        """The square at its place.

        >>> Square(0, 1, disc("#444", 14), "b1").svg()[:56]
        '<g data-cell="b1" aria-label="b1" transform="translate(6'
        """
        cell = f' data-cell="{self.name}"' if self.name else ""
        said = f' aria-label="{self.said or self.name}"' if self.said or self.name else ""
        x, y = (SIDE * at + SIDE // 2 + 4 for at in (self.column, self.row))
        return f'<g{cell}{said} transform="translate({x:g},{y:g})">{self.drawn}</g>'


def drawing(rows: int, columns: int, squares: Iterable[Square]) -> str:
    """The squares on a board, as SVG."""
    size = f"0 0 {SIDE * columns + 8} {SIDE * rows + 8}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}">'
        '<rect width="100%" height="100%" rx="6" fill="#ead7b1"/>'
        f"{''.join(square.svg() for square in squares)}</svg>"
    )


def block(fill: str, side: int = SIDE, text: object = "") -> str:
    """A square of a colour, with a text on it."""
    half = side / 2
    rect = f'<rect x="-{half:g}" y="-{half:g}" width="{side}" height="{side}" fill="{fill}"/>'
    return rect + _label(text)


def disc(fill: str, radius: int, text: object = "", ink: str = "") -> str:
    """A round thing, with a text on it; one whose text has a colour has an outline."""
    line = EDGE if ink else ""
    return f'<circle r="{radius}" fill="{fill}"{line}/>' + _label(text, ink)


def _label(text: object, ink: str = "") -> str:
    if text == "":
        return ""
    fill = f' fill="{ink}"' if ink else ""
    return f'<text y="6"{fill} font-family="sans-serif" text-anchor="middle">{text}</text>'
