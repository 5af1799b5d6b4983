"""Boards of squares as SVG: a frame of wood, pieces in calm colours with walls between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dragon.boards import material as m
from dragon.boards.material import paint
from dragon.rules.notation import escape
from dragon_puzzles.boards import Board, Cell

SIDE = 40
"""The side of a square, in user units."""
MARGIN = 26
"""The margin around the board, which has the names of rows and columns."""
DARK = 13
"""The tint of a dark square; 1 to 12 are those of pieces."""


def picture(board: Board, title: str = "", extra: str = "", above: int = 0) -> str:
    """Return the SVG; `extra` is drawn over the board, with `above` units free for it."""
    left = MARGIN + 7 * max([0, *(len(text) - 1 for text in board.sides[0])])
    width = left + board.cols * SIDE + MARGIN
    height = board.rows * SIDE + 2 * MARGIN + above + (16 if title else 0)
    x, y = -left, -MARGIN - above
    parts = [
        m.head((x, y, width, height), escape(title or "puzzle")),
        m.slab(x + 0.5, y + 0.5, width - 2, height - 3, paint("walnut"), 8),
        *(_square(board, cell) for cell in board.cells()),
        *_edges(board),
        *(_mark(board, cell) for cell in board.cells() if cell in board.marks),
        *_sides(board),
        extra,
    ]
    if title:
        below = board.rows * SIDE + MARGIN - 1
        parts.append(
            m.text(board.cols * SIDE / 2, below, escape(_short(title, width)), 14, paint("inlay"))
        )
    return "".join(parts) + "</svg>"


def _short(title: str, width: int) -> str:
    """Return the part of a title that fits."""
    most = max(8, (width - 20) // 8)
    return title if len(title) <= most else title[: most - 1] + "…"


def _square(board: Board, cell: Cell) -> str:
    tint = board.tints.get(cell, 0)
    plain = "maple" if DARK in board.tints.values() else "sheet"
    look = paint("oak" if tint == DARK else f"p{tint}" if tint else plain)
    return m.rect(cell[1] * SIDE, cell[0] * SIDE, SIDE, SIDE, look)


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
    for look, found in zip((("faint", 0.8), ("ink", 2.2)), lines.values(), strict=True):
        if found:
            yield m.path("".join(found), paint("none", *look), m.ROUND)


def _mark(board: Board, cell: Cell) -> str:
    mark = board.marks[cell]
    x, y = (cell[1] + 0.5) * SIDE, (cell[0] + 0.5) * SIDE
    if mark == "Q":
        return f'<g transform="translate({x:g},{y:g})">{m.chessman("queen", "ebony")}</g>'
    return m.text(x, y, escape(mark), 17, paint("ink"), 700 if cell in board.strong else 0)


def _sides(board: Board) -> Iterator[str]:
    look = paint("inlay")
    for row, text in enumerate(board.sides[0]):
        yield m.text(-8 - 3.5 * len(text), (row + 0.5) * SIDE, escape(text), 12, look)
    for col, text in enumerate(board.sides[1]):
        yield m.text((col + 0.5) * SIDE, -12, escape(text), 12, look)


def bows(pairs: Iterable[tuple[int, int]]) -> str:
    """Return arcs above the first row, each of which joins two of its columns."""
    found = []
    for first, second in pairs:
        x, far = (first + 0.5) * SIDE, (second - first) * SIDE
        found.append(f"M{x:g},-5c0,{-height(far):g} {far:g},{-height(far):g} {far:g},0")
    return m.path("".join(found), paint("none", "inlay", 1.8), m.ROUND) if found else ""


def height(far: float) -> float:
    """Return the height of the handles of an arc that spans `far` units."""
    return 8 + far / 4
