"""Pictures of a deck as SVG: its links as a graph, and its matrices.

Nothing is downloaded: monsters are drawn by name. Each edge of the graph is coloured and named
by the property that links its two ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import atan2, ceil, cos, degrees, hypot, pi, sin
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import numpy as np

from dragon_small_world.links import linking, told
from dragon_small_world.words import PROPERTIES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dragon_small_world.links import Links

COLOURS = {
    "type": "#2f6db3", "attribute": "#a33b8f", "level": "#2d8a4e", "atk": "#c4442f",
    "def": "#a07414",
}  # fmt: skip
"""Of each property, dark enough to be read on white."""
STYLE = (
    "text{font-family:'Helvetica Neue',Helvetica,Arial,sans-serif;fill:#20262e}"
    ".name{font-weight:600;font-size:13px;dominant-baseline:central}"
    ".edge{font-size:10px;text-anchor:middle;dominant-baseline:central;"
    "paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}"
    ".key{font-size:13px;dominant-baseline:central}"
    ".cell{font-size:12px;text-anchor:middle;dominant-baseline:central}"
)
LETTER = 0.66
"""The width of a letter, as a part of the size of its type."""
CELL = 26.0
UNEVEN = 1e-3
"""A little of its own for each monster, so that no two eigenvalues are equal."""
CROWD = 3
"""More links for each monster than this are many."""
STEPS = tuple(0.5 + sign * step / 100 for step in range(0, 38, 2) for sign in (1, -1))[1:]
"""Where on its edge a label may stand, the middle first."""


def graph(links: Links) -> str:
    """The SVG text of a deck's links: monsters on a ring, those linked near one another."""
    names = links.deck.names
    order = _ring(links)
    margin = 24 + 13 * LETTER * max(map(len, names))
    edges = [(a, b) for a, b in zip(*np.nonzero(np.triu(links.adjacency)), strict=True)]
    radius = max(150.0, len(names) * 26 / (2 * pi), 54 * len(edges) ** 0.5)
    half = radius + margin
    place = {
        i: (
            radius * cos(2 * pi * k / len(order) - pi / 2),
            radius * sin(2 * pi * k / len(order) - pi / 2),
        )
        for k, i in enumerate(order)
    }
    parts = [
        _head(-half, -half, 2 * half, 2 * half + 50, f"links of {len(names)} monsters"),
        *_edges(links, edges, place),
        *_names(names, order, place),
        *_legend(half),
    ]
    return "".join(parts) + "</svg>"


def _ring(links: Links) -> list[int]:
    """An order round the ring: of few links short edges, of many long ones with room for labels.

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
    """The vector or its negative: the one whose largest part is above 0, on every machine."""
    large = int(np.argmax(abs(vector).round(6)))
    return vector if vector[large] > 0 else -vector


def _edges(
    links: Links, edges: Sequence[tuple[int, int]], place: dict[int, tuple[float, float]]
) -> Iterator[str]:
    """Lines first, then their labels, each where it covers no other if there is such a place."""
    labels = []
    for a, b in edges:
        first, second = links.deck.places[a], links.deck.places[b]
        word = linking(links, first, second)
        assert word is not None
        (x1, y1), (x2, y2) = place[a], place[b]
        names = f"{links.deck.names[a]} - {links.deck.names[b]}"
        text = told(links.deck.pool, first, word)
        yield (
            f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" '
            f'stroke="{COLOURS[word]}" stroke-width="1.4" opacity="0.55">'
            f"<title>{escape(names)}: {escape(text)}</title></line>"
        )
        labels.append((hypot(x2 - x1, y2 - y1), x1, y1, x2, y2, word, text))
    taken: list[tuple[float, float, float]] = []
    for _, x1, y1, x2, y2, word, text in sorted(labels):
        wide = 10 * LETTER * len(text) + 4
        x, y = _free(taken, (x1, y1, x2, y2), wide)
        taken.append((x, y, wide))
        yield (
            f'<text class="edge" x="{_n(x)}" y="{_n(y)}" style="fill:{COLOURS[word]}">'
            f"{escape(text)}</text>"
        )


def _free(
    taken: Sequence[tuple[float, float, float]],
    line: tuple[float, float, float, float],
    wide: float,
) -> tuple[float, float]:
    """The place on a line where a label covers the least of those that are there."""
    x1, y1, x2, y2 = line
    best, least = (x1, y1), float("inf")
    for step in STEPS:
        x, y = x1 + step * (x2 - x1), y1 + step * (y2 - y1)
        covered = sum(
            max(0.0, (wide + w) / 2 - abs(x - u)) * max(0.0, 12 - abs(y - v)) for u, v, w in taken
        )
        if covered < least:
            best, least = (x, y), covered
        if not covered:
            break
    return best


def _names(
    names: Sequence[str], order: Sequence[int], place: dict[int, tuple[float, float]]
) -> Iterator[str]:
    """A dot for each monster, and its name outside the ring, never upside down."""
    for i in order:
        x, y = place[i]
        angle = degrees(atan2(y, x))
        left = abs(angle) > 90
        turn, anchor, shift = (angle + 180, "end", -10) if left else (angle, "start", 10)
        yield (
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="5" fill="#20262e"/>'
            f'<text class="name" text-anchor="{anchor}" transform="translate({_n(x)} {_n(y)}) '
            f'rotate({_n(turn)})" x="{shift}">{escape(names[i])}</text>'
        )


def _legend(half: float) -> Iterator[str]:
    step = 110.0
    x, y = -step * len(PROPERTIES) / 2, half + 16
    for word in PROPERTIES:
        text = word.upper() if word in ("atk", "def") else word
        yield (
            f'<line x1="{_n(x)}" y1="{_n(y)}" x2="{_n(x + 22)}" y2="{_n(y)}" '
            f'stroke="{COLOURS[word]}" stroke-width="4"/>'
            f'<text class="key" x="{_n(x + 28)}" y="{_n(y)}">{text}</text>'
        )
        x += step


def matrix(links: Links, squared: bool = False) -> str:
    """The SVG text of the deck's matrix: links, or how many bridges lead from one to another."""
    names, n = links.deck.names, len(links.deck.names)
    table = (links.squared if squared else links.adjacency.astype(int)).tolist()
    wide = 16 + 13 * LETTER * max(map(len, names))
    high = 16 + 13 * LETTER * max(map(len, names))
    most = max(1, *(max(row) for row in table))
    title = "how many bridges lead from a row to a column" if squared else "who is linked with whom"
    parts = [_head(0, 0, wide + n * CELL + 12, high + n * CELL + 12, title)]
    for i, name in enumerate(names):
        at = high + (i + 0.5) * CELL
        parts.append(
            f'<text class="name" text-anchor="end" x="{_n(wide - 8)}" y="{_n(at)}">'
            f"{escape(name)}</text>"
        )
        across = wide + (i + 0.5) * CELL
        parts.append(
            f'<text class="name" transform="translate({_n(across)} {_n(high - 8)}) rotate(-90)">'
            f"{escape(name)}</text>"
        )
    for i, row in enumerate(table):
        for j, count in enumerate(row):
            parts.append(_cell(wide + j * CELL, high + i * CELL, count, count / most, squared))
    return "".join(parts) + "</svg>"


def _cell(x: float, y: float, count: int, strength: float, numbered: bool) -> str:
    shade = ceil(255 - 175 * strength) if count else 255
    box = (
        f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(CELL)}" height="{_n(CELL)}" '
        f'fill="rgb({shade},{min(255, shade + 30)},255)" stroke="#d5dae2"/>'
    )
    if not numbered:
        return box
    return box + (
        f'<text class="cell" x="{_n(x + CELL / 2)}" y="{_n(y + CELL / 2)}">{count or "·"}</text>'
    )


def _head(x: float, y: float, width: float, height: float, title: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="{_n(x)} {_n(y)} {_n(width)} {_n(height)}" '
        f'width="{_n(width)}" height="{_n(height)}" role="img"><title>{escape(title)}</title>'
        f'<style>{STYLE}</style><rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" '
        f'height="{_n(height)}" fill="#fff"/>'
    )


def _n(x: float) -> str:
    """A number of at most two decimals."""
    return f"{x:.2f}".rstrip("0").rstrip(".")
