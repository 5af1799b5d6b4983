"""The board as a picture: SVG, hexagons in a parallelogram, sides in the colours that join them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import cos, pi, sin, sqrt

from dragon.rules.notation import escape
from dragon_nex.board import BLACK, NEUTRAL, WHITE, Board

RADIUS = 24.0
"""From a cell's centre to its corners, in user units."""
WIDE, HIGH = sqrt(3) * RADIUS, 1.5 * RADIUS
"""From a cell to the next in its row, and from row to row."""
STONE = 0.68 * RADIUS
RIM = 0.42 * RADIUS
"""The width by which the coloured sides stand out."""
MARGIN = 2.1 * RADIUS

FONT = "'Helvetica Neue', Helvetica, Arial, sans-serif"
"""Text has its looks as attributes: a page may forbid styles inside."""
TEXTS = {
    "label": 'font-size="14" fill="#6b5d4a"',
    "told": 'font-size="15" fill="#4a4034" font-weight="600"',
    "mark": 'font-size="17" fill="#fff8ec" font-weight="700"',
}
GRADIENTS = {
    BLACK: ("#6a6a70", "#2a2a2e", "#0c0c0e"),
    WHITE: ("#ffffff", "#f4f1ea", "#cfc8ba"),
    NEUTRAL: ("#f0a878", "#cf6a35", "#98431a"),
}
NAMES = {BLACK: "black", WHITE: "white", NEUTRAL: "neutral"}
OUTLINES = {BLACK: "#000", WHITE: "#8d8474", NEUTRAL: "#7a3414"}


def centre(cell: tuple[int, int]) -> tuple[float, float]:
    """Return the middle of a cell; each row is half a cell further right than the one above."""
    return (cell[1] + cell[0] / 2) * WIDE, cell[0] * HIGH


def corner(cell: tuple[int, int], number: int, radius: float = RADIUS) -> tuple[float, float]:
    """A corner of a cell: 0 is the topmost, then clockwise."""
    x, y = centre(cell)
    angle = pi / 3 * number - pi / 2
    return x + radius * cos(angle), y + radius * sin(angle)


def between(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """The point halfway."""
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def draw(
    board: Board,
    stones: Mapping[tuple[int, int], str],
    chain: Collection[tuple[int, int]] = (),
    marks: Collection[tuple[int, int]] = (),
    title: str = "",
) -> str:
    """The SVG text; `chain` is a winning chain, `marks` are cells of the last move."""
    right, bottom = centre((board.rows - 1, board.cols - 1))
    x0, y0 = -WIDE / 2 - MARGIN, -RADIUS - MARGIN
    width, height = right - 2 * x0, bottom - 2 * y0 + (26 if title else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_n(x0)} {_n(y0)} {_n(width)} '
        f'{_n(height)}" role="img" font-family="{FONT}" text-anchor="middle">'
        f"<title>{escape(title or 'Nex')}</title><defs>",
        *(
            f'<radialGradient id="{NAMES[letter]}" cx="0.36" cy="0.32" r="0.75">'
            f'<stop offset="0" stop-color="{light}"/><stop offset="0.45" stop-color="{middle}"/>'
            f'<stop offset="1" stop-color="{dark}"/></radialGradient>'
            for letter, (light, middle, dark) in GRADIENTS.items()
        ),
        "</defs>",
        f'<rect x="{_n(x0)}" y="{_n(y0)}" width="{_n(width)}" height="{_n(height)}" rx="14" '
        'fill="#fbf6ec"/>',
        *_sides(board),
        *(_cell(cell, board.name(cell), stones.get(cell)) for cell in board.cells()),
        '<g pointer-events="none">',
        *(_stone(cell, letter, cell in chain) for cell, letter in stones.items()),
        *(
            _band("polygon", [corner(cell, n, RADIUS - 3) for n in range(6)], "#2e7fd0", 3)
            for cell in marks
        ),
        "</g>",
        *_labels(board),
    ]
    if title:
        x, y = x0 + width / 2, y0 + height - 16
        parts.append(_text("told", x, y, escape(title)))
    return "".join(parts) + "</svg>"


def _sides(board: Board) -> Iterator[str]:
    """Bands behind the outer cells: black above and below, white left and right.

    They meet in the sharp corners, and in the blunt ones halfway along the edge between;
    white runs all around, and black over it.
    """
    last_row, last_col = board.rows - 1, board.cols - 1
    columns, rows = range(board.cols), range(board.rows)
    halves = (
        between(corner((0, last_col), 0), corner((0, last_col), 1)),
        between(corner((last_row, 0), 3), corner((last_row, 0), 4)),
    )
    above = [*(corner((0, c), n) for c in columns for n in (5, 0)), halves[0]]
    right = [corner((r, last_col), n) for r in rows for n in (1, 2)]
    below = [*(corner((last_row, c), n) for c in reversed(columns) for n in (2, 3)), halves[1]]
    left = [corner((r, 0), n) for r in reversed(rows) for n in (4, 5)]
    round_all = above + right[:-1] + below + left[:-1]
    yield _band("polygon", round_all, "#8d8474", 2 * RIM + 2)
    yield _band("polygon", round_all, "#ffffff", 2 * RIM)
    for side in (above, below):
        yield _band("polyline", side, "#1b1b1e", 2 * RIM + 2)


def _band(kind: str, points: list[tuple[float, float]], colour: str, width: float) -> str:
    path = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
    return (
        f'<{kind} points="{path}" fill="none" stroke="{colour}" stroke-width="{_n(width)}" '
        'stroke-linejoin="round"/>'
    )


def _cell(cell: tuple[int, int], name: str, stone: str | None) -> str:
    """A cell with its name, so that it can be pointed at, and what is on it."""
    holds = NAMES[stone] if stone else "empty"
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in (corner(cell, n) for n in range(6)))
    return (
        f'<polygon points="{points}" fill="#ead7b1" stroke="#b3966a" stroke-width="1.4" '
        f'stroke-linejoin="round" data-cell="{name}" aria-label="{holds}"/>'
    )


def _stone(cell: tuple[int, int], letter: str, chained: bool) -> str:
    x, y = centre(cell)
    stroke, width = ("#2f9e57", 4.0) if chained else (OUTLINES[letter], 1.0)
    disc = (
        f'<circle cx="{_n(x + 1.2)}" cy="{_n(y + 1.8)}" r="{_n(STONE)}" fill="#3a2a12" '
        f'opacity="0.28"/><circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(STONE)}" '
        f'fill="url(#{NAMES[letter]})" stroke="{stroke}" stroke-width="{_n(width)}"/>'
    )
    if letter == NEUTRAL:
        disc += _text("mark", x, y + 6, "?")
    return disc


def _labels(board: Board) -> Iterator[str]:
    """Row letters left and right, column numbers above and below, along the slant."""
    away = RADIUS + RIM + 13
    for r in range(board.rows):
        for col, side in ((0, -1), (board.cols - 1, 1)):
            x, y = centre((r, col))
            yield _text("label", x + side * (WIDE / 2 + RIM + 13), y + 5, chr(97 + r))
    for c in range(board.cols):
        for row, side in ((0, -1), (board.rows - 1, 1)):
            x, y = centre((row, c))
            down = side * away
            yield _text("label", x + down / sqrt(3) * 0.55, y + down + 5, str(c + 1))


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text x="{_n(x)}" y="{_n(y)}" {TEXTS[kind]}>{text}</text>'


def _n(x: float) -> str:
    """A number of at most two decimals."""
    return f"{x:.2f}".rstrip("0").rstrip(".")
