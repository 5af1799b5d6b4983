"""A deck as a picture: its monsters on a ring with what links them, or its matrices.

A picture is marks on paper, and has forms as SVG and PNG; nothing is downloaded to draw it. PNG is
drawn by matplotlib, which is imported when it is asked for.
"""

from __future__ import annotations

import io
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from math import atan2, ceil, cos, degrees, hypot, pi, radians, sin
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from attrs import frozen

from dragon.boards.material import n as short
from dragon.errors import ConfigError
from dragon_cards.card import PROPERTIES
from dragon_small_world.links import edges, label
from dragon_small_world.links import matrix as table_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dragon_small_world.links import Links

    Point = tuple[float, float]


INK, PAPER, EDGE = "#20262e", "#ffffff", "#d5dae2"
FONT = "text{font-family:'Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif}"
HALO = ".halo{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}"
MIDDLE = 0.35
"""The distance from the middle of letters down to the baseline, as a part of the type's size."""
DOTS = 100
"""Pixels of the file in an inch of matplotlib."""
SCALE = 1.5
"""Pixels of the file in a pixel of the picture."""
MOST_PIXELS = 4000
"""Pixels along a side; a larger picture is drawn smaller."""
POINT = 72 / DOTS
"""The unit in which matplotlib counts type and lines, in pixels of the file."""


@frozen
class Line:
    """A straight line."""

    start: tuple[float, float]
    end: tuple[float, float]
    colour: str
    width: float
    opacity: float = 1.0
    title: str = ""
    """The text that a browser shows when it is pointed at."""
    kinds: str = ""
    """Classes, for a style."""

    @property
    def svg(self) -> str:
        (x1, y1), (x2, y2) = self.start, self.end
        return _element(
            "line", self.kinds, f"<title>{escape(self.title)}</title>", x1=x1, y1=y1, x2=x2, y2=y2,
            stroke=self.colour, stroke_width=self.width, opacity=self.opacity,
        )  # fmt: skip


@frozen
class Text:
    """A line of type, its middle at the height of y."""

    x: float
    y: float
    text: str
    size: float
    colour: str = INK
    anchor: str = "middle"
    """The part of it that is at x: `start`, `middle` or `end`."""
    turn: float = 0.0
    """Degrees, clockwise."""
    bold: bool = False
    halo: bool = False
    """Draw a patch of paper under it, so that lines behind it do not cross it."""
    kinds: str = ""

    @property
    def svg(self) -> str:
        turned = f"rotate({short(self.turn)} {short(self.x)} {short(self.y)})" if self.turn else ""
        return _element(
            "text", f"{'halo ' * self.halo}{self.kinds}".strip(), escape(self.text), x=self.x,
            y=self.y, dy=f"{MIDDLE}em", font_size=self.size, text_anchor=self.anchor,
            fill=self.colour, font_weight="600" * self.bold, transform=turned,
        )  # fmt: skip


@frozen
class Dot:
    """A filled circle."""

    x: float
    y: float
    radius: float
    colour: str = INK
    kinds: str = ""

    @property
    def svg(self) -> str:
        return _element("circle", self.kinds, cx=self.x, cy=self.y, r=self.radius, fill=self.colour)


@frozen
class Box:
    """A square with a thin edge."""

    x: float
    y: float
    side: float
    colour: str

    @property
    def svg(self) -> str:
        return _element(
            "rect", x=self.x, y=self.y, width=self.side, height=self.side, fill=self.colour,
            stroke=EDGE,
        )  # fmt: skip


Mark = Line | Text | Dot | Box


@frozen
class Picture:
    """Marks on a sheet of paper; lengths are in pixels, y grows downwards."""

    x: float
    """The left edge of the paper."""
    y: float
    """Its upper edge."""
    width: float
    height: float
    title: str
    marks: tuple[Mark, ...]
    """The first at the bottom."""
    style: str = ""
    """More rules for browsers."""

    @property
    def svg(self) -> str:
        """The text of an SVG file."""
        box = " ".join(map(short, (self.x, self.y, self.width, self.height)))
        size = f'width="{short(self.width)}" height="{short(self.height)}"'
        return "".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size} role="img">',
                f"<title>{escape(self.title)}</title><style>{FONT}{HALO}{self.style}</style>",
                f'<rect x="{short(self.x)}" y="{short(self.y)}" {size} fill="{PAPER}"/>',
                *(mark.svg for mark in self.marks),
                "</svg>",
            ]
        )

    def _repr_svg_(self) -> str:
        """Return the SVG file, which notebooks show."""
        return self.svg


def _element(name: str, kinds: str = "", inside: str = "", **attributes: str | float) -> str:
    """Return an SVG element; attributes that are empty are left out, and `_` stands for `-`."""
    given = {word.replace("_", "-"): value for word, value in attributes.items()}
    texts = {k: v if isinstance(v, str) else short(v) for k, v in given.items()} | {"class": kinds}
    shown = "".join(f" {k}={quoteattr(text)}" for k, text in texts.items() if text)
    return f"<{name}{shown}>{inside}</{name}>" if inside else f"<{name}{shown}/>"


def png(picture: Picture) -> bytes:
    """Return the bytes of a PNG file; raise ConfigError where matplotlib is missing.

    Letters that the font of matplotlib lacks are drawn as boxes.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as missing:
        raise ConfigError(
            "PNG needs matplotlib; install it with pip install 'dragon-search[plot]', or draw "
            "an .svg, which needs nothing"
        ) from missing
    scale = min(SCALE, MOST_PIXELS / max(picture.width, picture.height))
    size = (picture.width * scale / DOTS, picture.height * scale / DOTS)
    figure = Figure(figsize=size, dpi=DOTS)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(picture.x, picture.x + picture.width)
    axes.set_ylim(picture.y + picture.height, picture.y)
    for level, mark in enumerate(picture.marks):
        _draw(axes, mark, scale * POINT, level)
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        figure.savefig(out, format="png", dpi=DOTS, metadata={"Title": picture.title})
    return out.getvalue()


def _draw(axes: Any, mark: Mark, unit: float, level: int) -> None:
    """Draw a mark above those of a lower level; unit: points in a pixel of the picture."""
    from matplotlib import patches, patheffects

    if isinstance(mark, Line):
        (x1, y1), (x2, y2) = mark.start, mark.end
        axes.plot(
            (x1, x2), (y1, y2), color=mark.colour, lw=mark.width * unit, alpha=mark.opacity,
            zorder=level,
        )  # fmt: skip
    elif isinstance(mark, Dot):
        axes.add_patch(
            patches.Circle((mark.x, mark.y), mark.radius, color=mark.colour, lw=0, zorder=level)
        )
    elif isinstance(mark, Box):
        axes.add_patch(
            patches.Rectangle(
                (mark.x, mark.y), mark.side, mark.side, facecolor=mark.colour,
                edgecolor=EDGE, lw=unit, zorder=level,
            )
        )  # fmt: skip
    elif isinstance(mark, Text):
        side = {"start": "left", "middle": "center", "end": "right"}[mark.anchor]
        effects = [patheffects.withStroke(linewidth=3 * unit, foreground="white")]
        axes.text(
            mark.x, mark.y, mark.text.replace("$", r"\$"), fontsize=mark.size * unit,
            color=mark.colour, ha=side, va="center_baseline", rotation=-mark.turn,
            rotation_mode="anchor", fontweight="bold" if mark.bold else "normal",
            path_effects=effects if mark.halo else [], zorder=level,
        )  # fmt: skip


COLOURS = {
    "type": "#2f6db3", "attribute": "#a33b8f", "level": "#2d8a4e", "atk": "#c4442f",
    "def": "#a07414",
}  # fmt: skip
"""The colour of each property, dark enough to be read on white."""
LETTER = 0.66
"""The width of a letter, at most, as a part of the size of its type."""
LABEL = 12.0
"""The size of type on edges."""
ROOM = 46.0
"""The radius of the ring for a single edge; it grows with the root of their number, so that the
paper grows with the number of labels."""
NAME, LARGEST = 13.0, 24.0
"""The least and the largest size of names; they grow with the ring, to be read when a large
picture is shown small."""
UNEVEN = 1e-3
"""A little of its own for each monster, so that no two eigenvalues are equal."""
CROWD = 3
"""More links for each monster than this are many."""
STEPS = tuple(0.5 + sign * step / 100 for step in range(0, 39, 2) for sign in (1, -1))[1:]
"""The places on its edge that a label may have, the middle first."""
GRAIN = 5.0
"""Labels cover squares of this side; no square should be covered twice."""


CELL, COUNT, BORDER = 26.0, 12.0, 12.0
"""The side of a cell of a matrix, the size of numbers, and the margin beside it."""


def graph(links: Links) -> Picture:
    """Draw the links of a deck; in a browser, a monster under the pointer shows its links alone."""
    names, n = links.deck.names, len(links.deck.names)
    order = _ring(links)
    linked = list(edges(links))
    radius = max(150.0, n * 26 / (2 * pi), ROOM * len(linked) ** 0.5)
    size = min(LARGEST, max(NAME, radius / 32))
    place = {
        i: (radius * cos(2 * pi * k / n - pi / 2), radius * sin(2 * pi * k / n - pi / 2))
        for k, i in enumerate(order)
    }
    half = max(
        (1 + (24 + size * LETTER * len(names[i])) / radius) * max(abs(x), abs(y))
        for i, (x, y) in place.items()
    )
    marks = (
        *_edges(links, linked, place),
        *_names(names, order, place, size),
        *_legend(half, max(1.0, size / NAME)),
    )
    below = 50 * max(1.0, size / NAME)
    return Picture(
        -half, -half, 2 * half, 2 * half + below, f"links of {n} monsters", marks, _style(n)
    )


def _style(n: int) -> str:
    """Return the rules of style by which other links fade while one monster is pointed at."""
    aside = "".join(f"svg:has(.m{i}:hover) .link:not(.l{i}){{opacity:.04}}" for i in range(n))
    return f".name,circle{{cursor:pointer}}{aside}"


def _ring(links: Links) -> list[int]:
    """Return an order round the ring: short edges for few links, long ones for many.

    Two eigenvectors of the Laplacian give each monster a place in the plane, and the order is
    that of the angles. Those of the second and third smallest eigenvalues bring linked
    monsters together (Hall 1970), those of the largest two set them far apart.
    """
    near = links.adjacency.astype(float)
    laplacian = np.diag(near.sum(1) + UNEVEN * np.arange(len(near))) - near
    _, vectors = np.linalg.eigh(laplacian)
    if vectors.shape[1] < 3:
        return list(range(len(near)))
    first, second = (-1, -2) if near.sum() > 2 * CROWD * len(near) else (1, 2)
    x, y = (_signed(vectors[:, column]) for column in (first, second))
    angles = np.arctan2(y, x)
    return [int(i) for i in np.lexsort((np.arange(len(near)), angles.round(9)))]


def _signed(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the vector with the sign that makes its largest part positive on every machine."""
    large = int(np.argmax(abs(vector).round(6)))
    return vector if vector[large] > 0 else -vector


def _edges(
    links: Links, linked: Sequence[tuple[int, int, str]], place: dict[int, Point]
) -> Iterator[Mark]:
    """Yield the lines, then their labels along them, those of the shortest lines first."""
    labels = []
    faint = 0.55 if len(linked) < 100 else 0.4
    for a, b, word in linked:
        text = label(links.deck.pool, links.deck.places[a], word)
        what = f"{links.deck.names[a]} - {links.deck.names[b]}: {text}"
        kinds = f"link l{a} l{b}"
        yield Line(place[a], place[b], COLOURS[word], 1.4, faint, what, kinds)
        (x1, y1), (x2, y2) = place[a], place[b]
        labels.append((hypot(x2 - x1, y2 - y1), place[a], place[b], word, text, kinds))
    taken: Counter[tuple[int, int]] = Counter()
    for _, start, end, word, text, kinds in sorted(labels):
        turn = _upright(degrees(atan2(end[1] - start[1], end[0] - start[0])))
        wide = LABEL * LETTER * len(text) + 4
        (x, y), covered = _free(taken, start, end, wide, turn)
        taken.update(covered)
        yield Text(x, y, text, LABEL, COLOURS[word], turn=turn, halo=True, kinds=f"edge {kinds}")


def _upright(angle: float) -> float:
    """Return the direction in degrees, turned so that text along it is not upside down."""
    turned = (angle + 90) % 180 - 90
    return turned if turned > -89.9 else 90.0


def _free(
    taken: Counter[tuple[int, int]], start: Point, end: Point, wide: float, turn: float
) -> tuple[Point, set[tuple[int, int]]]:
    """Return the place on a line where a label covers the least, and its squares."""
    found: tuple[float, Point, set[tuple[int, int]]] | None = None
    for step in STEPS:
        x, y = (a + step * (b - a) for a, b in zip(start, end, strict=True))
        squares = _covered(x, y, wide, turn)
        count = sum(taken[square] for square in squares)
        if found is None or count < found[0]:
            found = count, (x, y), squares
        if not count:
            break
    assert found is not None
    return found[1], found[2]


def _covered(x: float, y: float, wide: float, turn: float) -> set[tuple[int, int]]:
    """Return the squares of the paper that a label covers."""
    along, across = int(wide / GRAIN) + 1, int(LABEL / GRAIN) + 1
    c, s = cos(radians(turn)), sin(radians(turn))
    found = set()
    for i in range(along + 1):
        for j in range(across + 1):
            u, v = (i / along - 0.5) * wide, (j / across - 0.5) * LABEL
            found.add((int((x + u * c - v * s) // GRAIN), int((y + u * s + v * c) // GRAIN)))
    return found


def _names(
    names: Sequence[str], order: Sequence[int], place: dict[int, Point], size: float
) -> Iterator[Mark]:
    """Yield a dot for each monster, and its name outside the ring, never upside down."""
    for i in order:
        x, y = place[i]
        away = 1 + (4 + size / 2) / hypot(x, y)
        angle = degrees(atan2(y, x))
        left = abs(angle) > 90
        turn, anchor = (angle + 180, "end") if left else (angle, "start")
        yield Dot(x, y, 5 * size / NAME, kinds=f"m{i}")
        yield Text(
            x * away, y * away, names[i], size, anchor=anchor, turn=turn, bold=True,
            kinds=f"name m{i}",
        )  # fmt: skip


def _legend(half: float, scale: float) -> Iterator[Mark]:
    """Yield the legend: the colour of each property."""
    step = 110.0 * scale
    x, y = -step * len(PROPERTIES) / 2, half + 16 * scale
    for word in PROPERTIES:
        text = word.upper() if word in ("atk", "def") else word
        yield Line((x, y), (x + 22 * scale, y), COLOURS[word], 4 * scale, title=text)
        yield Text(x + 28 * scale, y, text, NAME * scale, anchor="start", kinds="key")
        x += step


def matrix(links: Links, squared: bool = False) -> Picture:
    """Return the deck's matrix: links, or how many bridges lead from one monster to another."""
    names, n = links.deck.names, len(links.deck.names)
    table = table_of(links, squared)
    margin = 16 + NAME * LETTER * max(map(len, names))
    side = margin + n * CELL + BORDER
    title = "how many bridges lead from a row to a column" if squared else "who is linked with whom"
    marks = (*_headings(names, margin), *_cells(table, margin, squared))
    return Picture(0, 0, side, side, title, marks)


def _headings(names: Sequence[str], margin: float) -> Iterator[Mark]:
    """Yield the headings of the rows and columns."""
    for i, name in enumerate(names):
        at = margin + (i + 0.5) * CELL
        yield Text(margin - 8, at, name, NAME, anchor="end", bold=True, kinds="name")
        yield Text(at, margin - 8, name, NAME, anchor="start", turn=-90, bold=True, kinds="name")


def _cells(table: Sequence[Sequence[int]], margin: float, squared: bool) -> Iterator[Mark]:
    """Yield a box for each place, darker the more there are."""
    most = max(1, *map(max, table))
    for i, row in enumerate(table):
        for j, count in enumerate(row):
            x, y = margin + j * CELL, margin + i * CELL
            shade = ceil(255 - 175 * count / most) if count else 255
            yield Box(x, y, CELL, f"#{shade:02x}{min(255, shade + 30):02x}ff")
            if squared:
                yield Text(x + CELL / 2, y + CELL / 2, str(count or "·"), COUNT, kinds="cell")
