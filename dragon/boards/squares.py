"""Squares: drawings of squares, for games whose boards are not sets of stones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import evolve, frozen

from dragon.protocols import Part, Place, Sum, drawn

SIDE = 40
"""The side of a square, in user units."""
EDGE = ' stroke="#8d8474"'


@frozen
class Square:
    """One square of a drawing."""

    row: float
    """The row from the top; a half lies between two rows."""
    column: float
    drawn: Part | tuple[Part, ...]
    """The drawing about its middle: `block` and `disc`, one upon another, or a Sum of such."""
    name: Part = ""
    """Its name in moves; a square without one cannot be clicked. A Sum of names is `said`."""
    said: Part | tuple[Part, ...] = ""
    """Its label for screen readers; if empty, its name."""
    text: Part = ""
    """Its text in a picture of text (`dragon.boards.counts`)."""

    def svg(self) -> str:
        """The square at its place.

        >>> Square(0, 1, disc("#444", 14), "b1").svg()[:56]
        '<g data-cell="b1" aria-label="b1" transform="translate(6'
        """
        return drawn(self.parts(), None)

    def parts(self) -> list[Part]:
        """The parts of the square, among which may be numbers of a record."""
        said: list[Part] = [' aria-label="', *_listed(self.said or self.name), '"']
        x, y = (SIDE * at + SIDE // 2 + 4 for at in (self.column, self.row))
        place = f' transform="translate({x:g},{y:g})">'
        named = said if said[1] else []
        return ["<g", _cell(self.name), *named, place, *_listed(self.drawn), "</g>"]


def _listed(parts: Part | tuple[Part, ...]) -> tuple[Part, ...]:
    return parts if isinstance(parts, tuple) else (parts,)


def _cell(name: Part) -> Part:
    """The attribute that names a cell; nothing for one without a name."""
    if isinstance(name, str):
        return f' data-cell="{name}"' if name else ""
    return evolve(name, shown={n: str(_cell(each)) for n, each in (name.shown or {}).items()})


def showing(
    row: float, column: float, number: Mapping[Place, int], drawn: Mapping[int, str],
    said: Mapping[int, str], name: Part = "", text: Mapping[int, str] | None = None,
) -> Square:  # fmt: skip
    """Return a square that shows a number of the record.

    drawn, said, text: what there is for each number; text: nothing in a picture of text if None.
    """
    written: Part = Sum(number, text) if text is not None else ""
    return Square(row, column, Sum(number, drawn), name, Sum(number, said), written)


def piles(most: int) -> tuple[dict[int, str], dict[int, str]]:
    """The drawings and names of up to `most` men on a square: Black's, White's below zero.

    >>> piles(2)[1]
    {0: 'empty', 1: '1 black', 2: '2 black', -1: '1 white', -2: '2 white'}
    """
    shapes, said = {0: block("#f6ead0", 36)}, {0: "empty"}
    for sign, fill, ink, side in (
        (1, "#2a2a2e", "#fff", "black"),
        (-1, "#fdfcf9", "#000", "white"),
    ):
        for n in range(1, most + 1):
            shapes[sign * n] = shapes[0] + disc(fill, 16, n, ink)
            said[sign * n] = f"{n} {side}"
    return shapes, said


def numbered(shape: str, number: Sum) -> tuple[Part, ...]:
    """A shape with a number of a record in place of the text `%`.

    >>> numbered(label("score %"), Sum({("score", ()): 1}))[2]
    '</text>'
    """
    before, after = shape.split("%")
    return before, number, after


def drawing(rows: int, columns: int, squares: Iterable[Square]) -> str:
    """The squares on a board, as SVG."""
    return drawn(drawing_parts(rows, columns, squares), None)


def drawing_parts(rows: int, columns: int, squares: Iterable[Square]) -> list[Part]:
    """The parts of the drawing, among which may be numbers of a record."""
    size = f"0 0 {SIDE * columns + 8} {SIDE * rows + 8}"
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}">'
        '<rect width="100%" height="100%" rx="6" fill="#ead7b1"/>',
        *(part for square in squares for part in square.parts()), "</svg>",
    ]  # fmt: skip


def block(fill: str, side: int = SIDE, text: object = "") -> str:
    """A square of a colour, with a text on it."""
    half = side / 2
    rect = f'<rect x="-{half:g}" y="-{half:g}" width="{side}" height="{side}" fill="{fill}"/>'
    return rect + label(text)


def disc(fill: str, radius: int, text: object = "", ink: str = "") -> str:
    """A disc, with a text on it; with a colour for the text, it has an outline."""
    line = EDGE if ink else ""
    return f'<circle r="{radius}" fill="{fill}"{line}/>' + label(text, ink)


def label(text: object, ink: str = "") -> str:
    if text == "":
        return ""
    fill = f' fill="{ink}"' if ink else ""
    return f'<text y="6"{fill} font-family="sans-serif" text-anchor="middle">{text}</text>'
