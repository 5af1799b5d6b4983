"""Boards of squares as SVG: calm colours, walls between pieces, for light and dark pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

from dragon.rules.notation import escape
from dragon_puzzles.boards import Board, Cell

SIDE = 40
"""The side of a square, in user units."""
MARGIN = 26
"""The margin around the board, which has the names of rows and columns."""
CROWN = "M-12,10 L12,10 L13.5,-6 L6.5,1 L0,-11 L-6.5,1 L-13.5,-6 Z M-12,14 L12,14"
"""The path of a queen, centred on her square."""


@cache
def style() -> str:
    """Return the colours of paper, ink and twelve tints (13 is a dark square), light and dark."""
    text = (files("dragon_puzzles") / "puzzle.css").read_text(encoding="utf-8")
    return "".join(text.splitlines())


def picture(board: Board, title: str = "", extra: str = "", above: int = 0) -> str:
    """Return the SVG; `extra` is drawn over the board, with `above` units free for it."""
    left = MARGIN + 7 * max([0, *(len(text) - 1 for text in board.sides[0])])
    width = left + board.cols * SIDE + MARGIN
    height = board.rows * SIDE + 2 * MARGIN + above + (16 if title else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="puzzle" role="img" '
        f'viewBox="{-left} {-MARGIN - above} {width} {height}">'
        f"<title>{escape(title or 'puzzle')}</title><style>{style()}</style>"
        f'<rect class="paper" x="{-left}" y="{-MARGIN - above}" width="{width}" '
        f'height="{height}" rx="12"/>',
        *(_square(board, cell) for cell in board.cells()),
        *_edges(board),
        *(_mark(board, cell) for cell in board.cells() if cell in board.marks),
        *_sides(board),
        extra,
    ]
    if title:
        x, y = board.cols * SIDE / 2, board.rows * SIDE + MARGIN + 4
        parts.append(
            f'<text class="note" x="{x:g}" y="{y:g}">{escape(_short(title, width))}</text>'
        )
    return "".join(parts) + "</svg>"


def _short(title: str, width: int) -> str:
    """Return the part of a title that fits."""
    most = max(8, (width - 20) // 8)
    return title if len(title) <= most else title[: most - 1] + "…"


def _square(board: Board, cell: Cell) -> str:
    tint = board.tints.get(cell, 0)
    return (
        f'<rect class="{f"t{tint}" if tint else "cell"}" x="{cell[1] * SIDE}" '
        f'y="{cell[0] * SIDE}" width="{SIDE}" height="{SIDE}"/>'
    )


def _edges(board: Board) -> Iterator[str]:
    """Yield thin lines between cells of one part or of none, and walls between parts and around."""
    there = set(board.cells())
    lines: dict[str, list[str]] = {"line": [], "wall": []}
    for row in range(board.rows + 1):
        for col in range(board.cols + 1):
            here = (row, col)
            for other, step in (((row - 1, col), f"h{SIDE}"), ((row, col - 1), f"v{SIDE}")):
                if not {here, other} & there:
                    continue
                inside = here in there and other in there
                parts = board.blocks.get(here), board.blocks.get(other)
                if inside and parts[0] == parts[1] is not None and board.tints:
                    continue  # a piece is of one colour, without lines
                kind = "line" if inside and parts[0] == parts[1] else "wall"
                lines[kind].append(f"M{col * SIDE},{row * SIDE}{step}")
    for kind, found in lines.items():
        if found:
            yield f'<path class="{kind}" d="{"".join(found)}"/>'


def _mark(board: Board, cell: Cell) -> str:
    mark = board.marks[cell]
    x, y = (cell[1] + 0.5) * SIDE, (cell[0] + 0.5) * SIDE
    if mark == "Q":
        return f'<path class="glyph" transform="translate({x:g},{y:g})" d="{CROWN}"/>'
    strong = ' class="strong"' if cell in board.strong else ""
    return f'<text{strong} x="{x:g}" y="{y + 6:g}">{escape(mark)}</text>'


def _sides(board: Board) -> Iterator[str]:
    for row, text in enumerate(board.sides[0]):
        x = -8 - 3.5 * len(text)
        yield f'<text class="side" x="{x:g}" y="{(row + 0.5) * SIDE + 4:g}">{escape(text)}</text>'
    for col, text in enumerate(board.sides[1]):
        yield f'<text class="side" x="{(col + 0.5) * SIDE:g}" y="-8">{escape(text)}</text>'


def bows(pairs: Iterable[tuple[int, int]]) -> str:
    """Return arcs above the first row, each of which joins two of its columns."""
    found = []
    for first, second in pairs:
        x, far = (first + 0.5) * SIDE, (second - first) * SIDE
        found.append(f"M{x:g},-5c0,{-height(far):g} {far:g},{-height(far):g} {far:g},0")
    return f'<path class="bow" d="{"".join(found)}"/>' if found else ""


def height(far: float) -> float:
    """Return the height of the handles of an arc that spans `far` units."""
    return 8 + far / 4
