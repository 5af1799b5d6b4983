"""Boards of squares on which things move, as SVG; a click on one is told by its name."""

from __future__ import annotations

from collections.abc import Iterable

SIDE = 40
"""Of a square, in user units."""


def drawing(rows: int, columns: int, squares: Iterable[tuple[int, int, str, str]]) -> str:
    """Of each square its row, its column, its name, and what is drawn about its middle.

    A square without a name cannot be clicked.
    """
    size = f"0 0 {SIDE * columns + 8} {SIDE * rows + 8}"
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}">'
             '<rect width="100%" height="100%" rx="6" fill="#ead7b1"/>']  # fmt: skip
    for row, column, name, drawn in squares:
        named = f' data-cell="{name}" aria-label="{name}"' if name else ""
        x, y = SIDE * column + SIDE // 2 + 4, SIDE * row + SIDE // 2 + 4
        parts.append(f'<g{named} transform="translate({x},{y})">{drawn}</g>')
    return "".join(parts) + "</svg>"


def block(fill: str, side: int = SIDE, text: object = "") -> str:
    """A square of a colour, with a text on it."""
    half = side / 2
    rect = f'<rect x="-{half:g}" y="-{half:g}" width="{side}" height="{side}" fill="{fill}"/>'
    if text == "":
        return rect
    return f'{rect}<text y="6" font-family="sans-serif" text-anchor="middle">{text}</text>'


def disc(fill: str, radius: int) -> str:
    """A round thing."""
    return f'<circle r="{radius}" fill="{fill}"/>'
