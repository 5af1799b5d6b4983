"""Drawing: a board of cells as SVG. An element that can be clicked has its name in `data-cell`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import field, frozen

from dragon.rules.notation import escape

SIDES = ("Black", "White", "Red", "Blue")
"""The names of the sides' colours, in the order of the seats."""
STONES = (
    ("#2a2a2e", "#000"),
    ("#fdfcf9", "#8d8474"),
    ("#c4452d", "#7a2415"),
    ("#2f62a8", "#173a68"),
)
"""Fill and outline of the stones of each side."""
NEUTRAL = -1
"""The side of stones that belong to neither player."""
GREY = ("#a9a9ad", "#77777b")
LINE = "#b3966a"
"""The colour of lines between points, and round cells."""
RIM = 8
"""The width of the coloured edges of a board, in user units."""
CORNERS = ((0, -20), (17, -10), (17, 10), (0, 20), (-17, 10), (-17, -10))
"""The corners of a hexagon from its middle: the topmost, then clockwise."""
NAMINGS = ("rows", "columns", "chess")
"""Row letter and column number; column letter and row number; the same with rows from below."""


def cell_name(row: int, column: int, naming: str = "rows", rows: int = 0) -> str:
    """The name of a cell; `rows` of the board are needed where they are counted from below.

    >>> cell_name(2, 11), cell_name(2, 11, "columns"), cell_name(2, 11, "chess", rows=8)
    ('c12', 'l3', 'l6')
    """
    if naming == "rows":
        return f"{chr(97 + row)}{column + 1}"
    return f"{chr(97 + column)}{rows - row if naming == 'chess' else row + 1}"


def labels(rows: int, columns: int, naming: str = "rows") -> tuple[list[str], list[str]]:
    """The labels beside the rows, from the top, and above the columns.

    >>> labels(2, 3), labels(2, 3, "chess")
    ((['a', 'b'], ['1', '2', '3']), (['2', '1'], ['a', 'b', 'c']))
    """
    down = [cell_name(r, 0, naming, rows) for r in range(rows)]
    across = [cell_name(0, c, naming, rows) for c in range(columns)]
    if naming == "rows":
        return [name[:1] for name in down], [name[1:] for name in across]
    return [name[1:] for name in down], [name[:1] for name in across]


@frozen
class Drawing:
    """A board: for each cell, by rows, the side whose stone is there, NEUTRAL, or None."""

    board: Sequence[Sequence[int | None]]
    slant: bool = False
    """Hexagons, each row half a cell further right; else round cells."""
    edges: tuple[int, ...] = ()
    """The sides that join top to bottom and left to right, drawn as a rim of hexagons."""
    by_column: bool = False
    """Whole columns are pointed at, by their number; else cells, by their names."""
    naming: str = "rows"
    """The naming of cells, one of `NAMINGS`."""
    letters: Sequence[Sequence[str]] = ()
    """The letter on each stone; empty where each side has one kind."""

    lines: Sequence[Sequence[tuple[int, int]]] = ()
    """Rows and columns of points that are joined; where there are any, only these are drawn."""
    notes: Mapping[tuple[int, int], str] = field(factory=dict)
    """What stands small in the corner of a cell, by row and column."""

    @property
    def step(self) -> tuple[int, int, int]:
        """The distances from a cell to the next in its row, and to the next row, and the slant
        of rows."""
        return (34, 30, 17) if self.slant else (40, 40, 0)

    @property
    def origin(self) -> tuple[int, int]:
        """The middle of the first cell, in user units."""
        rim = RIM + 2 if self.edges else 0
        return (26 if self.by_column else 46) + rim, 50 + rim

    def middle(self, row: int, column: int) -> tuple[int, int]:
        """The middle of a cell, in user units."""
        (left, top), (across, down, lean) = self.origin, self.step
        return left + column * across + row * lean, top + row * down

    def svg(self) -> str:
        left = self.origin[0]
        rows, columns = len(self.board), len(self.board[0])
        x, y = self.middle(rows - 1, columns - 1)
        margin = 30 + (RIM + 2 if self.edges else 0)
        width, height = x + margin, y + margin
        down, across = labels(rows, columns, self.naming)
        parts = [f'<rect width="{width}" height="{height}" rx="8" fill="#fbf6ec"/>']
        if self.edges:
            parts += self._rim()
        for line in self.lines:
            parts.append(_band("polyline", [self.middle(*point) for point in line], LINE, 2))
        points = {point for line in self.lines for point in line}
        for r in range(rows):
            x, y = self.middle(r, 0)
            if not self.by_column:
                parts.append(_label(x - left + 16, y, down[r]))
            parts += (self._cell(r, c) for c in range(columns) if not points or (r, c) in points)
        parts += [_label(self.middle(0, c)[0], 18, across[c]) for c in range(columns)]
        notes = ((*self.middle(*place), escape(text)) for place, text in self.notes.items())
        if noted := "".join(_label(x - 15, y - 16, text, size=9) for x, y, text in notes):
            parts.append(f'<g pointer-events="none">{noted}</g>')
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
            f"{''.join(parts)}</svg>"
        )

    def _cell(self, row: int, column: int) -> str:
        x, y = self.middle(row, column)
        points = " ".join(f"{x + dx},{y + dy}" for dx, dy in CORNERS)
        hexagon = f'<polygon points="{points}" fill="#ead7b1" stroke="#b3966a"/>'
        radius = 8 if self.lines else 18
        shape = hexagon if self.slant else _disc(x, y, radius, "#ead7b1", LINE)
        side = self.board[row][column]
        if side is not None:
            fill, line = GREY if side == NEUTRAL else STONES[side % len(STONES)]
            shape += _disc(x, y, 13 if self.slant else 15, fill, line)
            if self.letters:
                ink = STONES[1][0] if side in (0, 2, 3) else STONES[0][0]
                shape += _label(x, y, escape(self.letters[row][column]), ink)
        name = cell_name(row, column, self.naming, len(self.board))
        name = str(column + 1) if self.by_column else name
        return f'<g data-cell="{name}" aria-label="{self._said(row, column)}">{shape}</g>'

    def _said(self, row: int, column: int) -> str:
        """Return the label of a cell for a screen reader; for a column, the number of its
        stones."""
        if self.by_column:
            held = sum(each[column] is not None for each in self.board)
            return f"{held} of {len(self.board)} stones"
        side = self.board[row][column]
        if side is None:
            return "empty"
        said = "neutral" if side == NEUTRAL else SIDES[side % len(SIDES)].lower()
        return f"{said} {escape(self.letters[row][column])}" if self.letters else said

    def _rim(self) -> Iterator[str]:
        """Draw bands behind the outer hexagons, in the colours of the sides that join them.

        They meet in the sharp corners, and in the blunt ones halfway along the edge between.
        """
        rows, columns = range(len(self.board)), range(len(self.board[0]))

        def corner(row: int, column: int, number: int) -> tuple[float, float]:
            (x, y), (dx, dy) = self.middle(row, column), CORNERS[number]
            return x + dx, y + dy

        def half(row: int, column: int, number: int) -> tuple[float, float]:
            (x, y), (u, v) = (corner(row, column, n) for n in (number, number + 1))
            return (x + u) / 2, (y + v) / 2

        above = [corner(0, c, n) for c in columns for n in (5, 0)] + [half(0, columns[-1], 0)]
        right = [corner(r, columns[-1], n) for r in rows for n in (1, 2)]
        below = [corner(rows[-1], c, n) for c in columns[::-1] for n in (2, 3)]
        below.append(half(rows[-1], 0, 3))
        left = [corner(r, 0, n) for r in rows[::-1] for n in (4, 5)]
        around = [*above, *right[:-1], *below, *left]
        one, other = (STONES[side] for side in self.edges)
        yield _band("polygon", around, other[1], 2 * RIM + 2)
        yield _band("polygon", around, other[0], 2 * RIM)
        for side in (above, below):
            yield _band("polyline", side, one[0], 2 * RIM + 2)


def _disc(x: int, y: int, radius: int, fill: str, line: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{line}"/>'


def _band(kind: str, points: Sequence[tuple[float, float]], colour: str, width: int) -> str:
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return (
        f'<{kind} points="{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
        'stroke-linejoin="round"/>'
    )


def _label(x: int, y: int, text: str, ink: str = "#6b5d4a", size: int = 14) -> str:
    return (
        f'<text x="{x}" y="{y + 5}" font-family="sans-serif" font-size="{size}" fill="{ink}" '
        f'text-anchor="middle">{text}</text>'
    )
