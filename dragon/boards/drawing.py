"""Drawing: a board of cells as SVG. An element that can be clicked has its name in `data-cell`.

A surface has the places and the look of cells (`SURFACES`), a kind of piece the look of pieces
(`dragon.boards.material`). Each cell is an SVG group at its place, and its piece is drawn about its
middle.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import product

from attrs import field, frozen

from dragon.boards import material as m
from dragon.boards.material import n, paint
from dragon.rules.notation import escape

SIDES = ("Black", "White", "Red", "Blue", "Yellow")
"""The names of the sides' colours; the first are those of the seats in their order."""
NEUTRAL = -1
"""The side of stones that belong to neither player."""
RIM = 8
"""The width of the coloured edges of a board, in user units."""
CORNERS = ((0, -20), (17, -10), (17, 10), (0, 20), (-17, 10), (-17, -10))
"""The corners of a hexagon from its middle: the topmost, then clockwise."""
NAMINGS = ("rows", "columns", "chess")
"""Row letter and column number; column letter and row number; the same with rows from below."""
Cell = tuple[int, int]
Point = tuple[float, float]


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
    surface: str = "wood"
    """One of `SURFACES`."""
    edges: tuple[int, ...] = ()
    """The sides that join top to bottom and left to right, drawn as a rim of hexagons."""
    by_column: bool = False
    """Whole columns are pointed at, by their number; else cells, by their names."""
    naming: str = "rows"
    """The naming of cells, one of `NAMINGS`."""
    letters: Sequence[Sequence[str]] = ()
    """The letter of each piece."""
    several: bool = False
    """True if the letters tell kinds of pieces apart: they are written on the pieces, and read by
    screen readers."""
    pieces: Mapping[str, str] = {}
    """The kind of piece by its letter, of `material.KINDS`, or the text on a usual piece; that
    of "" for all others."""
    lines: Sequence[Sequence[Cell]] = ()
    """Rows and columns of points that are joined; where there are any, only these are drawn."""
    in_line: int = 0
    """The number of stones in a straight line that is drawn as won; 0 for none."""
    marks: Collection[Cell] = ()
    """The cells of the last move, which are tinted."""
    front: int | None = None
    """The seat that sits below, where a board has a front; a page turns it for the other."""
    die: int = 0
    """The number of a die that lies in the upper left corner of the frame; 0 for none."""
    title: str = ""
    """The title of the picture, which screen readers read."""
    notes: Mapping[tuple[int, int], str] = field(factory=dict)
    """The small texts in the corners of cells, by row and column."""

    @property
    def rows(self) -> int:
        return len(self.board)

    @property
    def columns(self) -> int:
        return len(self.board[0])

    @property
    def look(self) -> Surface:
        return SURFACES[self.surface]

    def middle(self, row: float, column: float) -> Point:
        """The middle of a cell, in user units."""
        (across, down, lean), (left, top, *_) = self.look.step, self.look.margins
        rim = RIM if self.edges else 0
        return left + rim + column * across + row * lean, top + rim + row * down

    def svg(self) -> str:
        x, y = self.middle(self.rows - 1, self.columns - 1)
        rim = RIM if self.edges else 0
        wide, high = x + self.look.margins[2] + rim, y + self.look.margins[3] + rim
        parts = [self.look.ground(self), *self._notes()]
        parts += [self._cell(*cell) for cell in self.cells()]
        if chain := self.chain():
            parts.append(m.won(m.line([self.middle(*cell) for cell in chain])))
        parts.append(self.rolled(self.die))
        return m.sheet((0, 0, wide, high), "".join(parts), escape(self.title), self.front)

    def cells(self) -> list[Cell]:
        """The cells in the order in which they are drawn: boxes lie below edges, these below
        dots."""
        points = {point for line in self.lines for point in line}
        every = product(range(self.rows), range(self.columns))
        cells = [cell for cell in every if not points or cell in points]
        if self.surface == "dots":
            cells.sort(key=lambda cell: -(cell[0] % 2) - cell[1] % 2)
        return cells

    def rolled(self, number: int) -> str:
        """Draw a die with its label; nothing for 0."""
        if not number:
            return ""
        x, y, *_ = self.area()
        place = f'aria-label="die {number}" transform="translate({n(x - 9.5)},{n(y - 9.5)})"'
        return f"<g {place}>{m.die(number, size=14)}</g>"

    def _cell(self, row: int, column: int) -> str:
        x, y = self.middle(row, column)
        shape = self.look.cell(self, row, column)
        if (row, column) in self.marks:
            shape += m.circle(0, 0, 17, paint("tint"), 'fill-opacity=".8"')
        side = self.board[row][column]
        if side is not None:
            shape += self._piece(row, column, side)
        name = cell_name(row, column, self.naming, self.rows)
        name = str(column + 1) if self.by_column else name
        return (
            f'<g data-cell="{name}" aria-label="{self._said(row, column)}" '
            f'transform="translate({n(x)},{n(y)})">{shape}</g>'
        )

    def _piece(self, row: int, column: int, side: int) -> str:
        """Draw the piece on a cell, about its middle."""
        letter = self.letters[row][column] if self.letters else ""
        colour = m.NEUTRAL if side == NEUTRAL else m.SIDES[side % len(m.SIDES)]
        if self.surface == "dots":
            return _drawn(row, column, "ink" if side == NEUTRAL else colour, letter)
        named = self.pieces.get(letter) or self.pieces.get(letter.upper(), "")
        if named in m.DOMINOES:
            way = (1, 0) if named == "upright" else (0, 1)
            before = 0  # such a run of cells has one tiling
            while self._at(row - way[0] * (before + 1), column - way[1] * (before + 1)) == side:
                before += 1
            return "" if before % 2 else m.domino(named, colour)
        usual = "disc" if self.lines else self.look.piece
        kind = named if named in m.KINDS else self.pieces.get("", usual)
        shape = m.piece(kind, colour, self.look.radius)
        if (said := named or letter * self.several) and named not in m.KINDS:
            ink = paint("engraved" if colour in ("ivory", "yellow", "amber") else "ivory")
            shape += m.text(0, 0, escape(said), 16, ink, 700)
        return shape

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
        return f"{said} {escape(self.letters[row][column])}" if self.several else said

    def _notes(self) -> Iterator[str]:
        for (row, column), note in self.notes.items():
            x, y = self.middle(row, column)
            ink = paint("inlay" if self.surface == "checkered" else "engraved")
            yield m.text(x + 18, y - 14.5, escape(note), 8, f'{ink} text-anchor="end"', 700)

    # ---- what has been won

    def chain(self) -> list[Cell]:
        """The cells that won, from end to end: a straight line of stones, or a chain of hexagons
        from edge to edge; none where there are none."""
        if self.in_line:
            return next(self._straight(), [])
        found = (self._joined(side, across) for across, side in enumerate(self.edges))
        return next(filter(None, found), [])

    def _straight(self) -> Iterator[list[Cell]]:
        for row, column in product(range(self.rows), range(self.columns)):
            if (side := self.board[row][column]) in (None, NEUTRAL):
                continue
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row, column)]
                while self._at(line[-1][0] + down, line[-1][1] + right) == side:
                    line.append((line[-1][0] + down, line[-1][1] + right))
                if len(line) >= self.in_line and self._at(row - down, column - right) != side:
                    yield line

    def _joined(self, side: int, across: int) -> list[Cell]:
        """Return a shortest chain of a side from top to bottom, or from left to right."""
        starts = product(range(self.rows), [0]) if across else product([0], range(self.columns))
        ways = [[cell] for cell in starts if self._at(*cell) == side]
        seen = {way[0] for way in ways}
        for way in ways:
            row, column = way[-1]
            if (column == self.columns - 1) if across else (row == self.rows - 1):
                return way
            for down, right in ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)):
                cell = (row + down, column + right)
                if self._at(*cell) == side and cell not in seen:
                    seen.add(cell)
                    ways.append([*way, cell])
        return []

    def _at(self, row: int, column: int) -> int | None:
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return self.board[row][column] if inside else None

    # ---- names and lines

    def names(self, down: float, across: float, ink: str = "inlay", size: float = 11) -> str:
        """The names of rows at x = `down`, and of columns at y = `across`; smaller on few cells."""
        size = min(size, 0.03 * max(self.area()[2:]) + 1)
        rows, columns = labels(self.rows, self.columns, self.naming)
        marks = [] if self.by_column else [
            m.text(down + self.middle(r, 0)[0] - self.middle(0, 0)[0], self.middle(r, 0)[1],
                   name, size, paint(ink))
            for r, name in enumerate(rows)
        ]  # fmt: skip
        marks += [
            m.text(self.middle(0, c)[0], across, name, size, paint(ink))
            for c, name in enumerate(columns)
        ]
        return "".join(marks)

    def grid(self, start: float = 0) -> str:
        """The `d` of lines through cells from `start` on, or between them from -0.5 on."""
        (x, y), rows, columns = self.middle(start, start), self.rows, self.columns
        last = self.middle(rows - 1 - start, columns - 1 - start)
        across = [(x, self.middle(r + start, 0)[1]) for r in range(rows + (start < 0))]
        upright = [(self.middle(0, c + start)[0], y) for c in range(columns + (start < 0))]
        return "".join(f"M{n(a)} {n(b)}H{n(last[0])}" for a, b in across) + "".join(
            f"M{n(a)} {n(b)}V{n(last[1])}" for a, b in upright
        )

    def area(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of all cells together."""
        (x, y), (right, bottom) = self.middle(-0.5, -0.5), self.middle(self.rows, self.columns)
        return x, y, right - x - self.look.step[0] / 2, bottom - y - self.look.step[1] / 2


# ---- surfaces


@frozen
class Surface:
    """The way in which a board's cells lie and look."""

    ground: Callable[[Drawing], str]
    """The parts of the drawing below all cells."""
    cell: Callable[[Drawing, int, int], str]
    """An empty cell about its middle; the first shape is what can be pointed at."""
    piece: str = "stone"
    """The kind of pieces where the game does not name any."""
    radius: float = 15
    step: tuple[float, float, float] = (40, 40, 0)
    """The distances from a cell to the next in its row, and to the next row, and the slant of
    rows."""
    margins: tuple[float, float, float, float] = (44, 44, 28, 28)
    """The distances from the middles of the outer cells to the edge of the drawing: left, top,
    right, bottom."""


def _clear(wide: float, high: float, r: float = 0) -> str:
    return m.rect(-wide / 2, -high / 2, wide, high, paint("shade"), r, 'fill-opacity="0"')


def _square(drawing: Drawing, row: int, column: int) -> str:
    return _clear(40, 40)


def _frame(drawing: Drawing, wide: float, look: str, r: float = 6, corner: float = 0) -> str:
    """A board's frame, `corner` wider to the left and above, for the names."""
    x, y, width, height = drawing.area()
    more = wide + corner
    return m.slab(x - more, y - more, width + wide + more, height + wide + more, look, r)


def _checkered(drawing: Drawing) -> str:
    """Squares of two woods, with the names inside the edge squares, unless notes name the squares;
    a1 is a dark one."""
    x, y, wide, high = drawing.area()
    rows, columns = drawing.rows, drawing.columns
    down, across = labels(rows, columns, drawing.naming)
    dark = [c for c in product(range(rows), range(columns)) if (c[0] + c[1] + rows) % 2]
    d = "".join(f"M{n(x + 40 * c)} {n(y + 40 * r)}h40v40h-40z" for r, c in dark)
    marks = [] if drawing.notes else [
        m.text(x + (4 if len(name) == 1 else 6.5), y + 40 * r + 6.5, name, 8.5,
               paint("inlay" if (r, 0) in dark else "engraved"), 700)
        for r, name in enumerate(down)
    ] + [
        m.text(x + 40 * c + 35.5, y + high - 6, name, 8.5,
               paint("inlay" if (rows - 1, c) in dark else "engraved"), 700)
        for c, name in enumerate(across)
    ]  # fmt: skip
    light = m.rect(x, y, wide, high, paint("face"), 0, 'fill-opacity=".7"')
    return (
        _frame(drawing, 6, paint("walnut")) + m.rect(x, y, wide, high, paint("maple"), 1)
        + m.path(d, paint("oak")) + light + "".join(marks)
    )  # fmt: skip


def _plain(field: str, line: str) -> Callable[[Drawing], str]:
    """Return the ground of a framed field with lines between its cells, and names on the frame."""

    def ground(drawing: Drawing) -> str:
        x, y, wide, high = drawing.area()
        shape = _frame(drawing, 7, paint("walnut"), 6, 12) + m.sunk(x, y, wide, high, paint(field))
        shape += m.path(drawing.grid(-0.5), paint("none", line, 1.2))
        rows, columns = drawing.rows, drawing.columns
        if field == "felt" and min(rows, columns) >= 6:
            spots = product((1.5, rows - 2.5), (1.5, columns - 2.5))
            at = (drawing.middle(*spot) for spot in spots)
            shape += "".join(m.circle(a, b, 3, paint(line)) for a, b in at)
        return shape + drawing.names(x - 9.5, y - 9.5)

    return ground


def _crossings(drawing: Drawing) -> str:
    """Crossings of lines on a board of kaya, with star points on large boards."""
    x, y = drawing.middle(0, 0)
    shape = _frame(drawing, 4, paint("kaya"), 5, 12)
    d = drawing.grid() if not drawing.lines else "".join(
        m.line([drawing.middle(*point) for point in line]) for line in drawing.lines
    )  # fmt: skip
    wide = 2.2 if drawing.lines else 1.1
    shape += m.path(d, paint("none", "engraved", wide), m.ROUND)
    size = drawing.rows
    if not drawing.lines and size == drawing.columns and size >= 9 and size % 2:
        far = 3 if size > 12 else 2
        places = [*product((far, size - 1 - far), repeat=2), (size // 2, size // 2)]
        at = (drawing.middle(*place) for place in places)
        shape += "".join(m.circle(a, b, 3.2, paint("engraved")) for a, b in at)
    far = 28 if size < 10 else 25  # beside the last move, which is a ring around its stone
    return shape + drawing.names(x - far, y - far, "engraved", 11 if size < 12 else 14)


def _crossing(drawing: Drawing, row: int, column: int) -> str:
    point = m.circle(0, 0, 4, paint("engraved")) if drawing.lines else ""
    return m.circle(0, 0, 19.6, paint("shade"), 'fill-opacity="0"') + point


def _rack(drawing: Drawing) -> str:
    """An upright rack on two feet."""
    x, y, wide, high = drawing.area()
    look = paint("rack", "rack-edge", 1.4)
    feet = "".join(m.slab(at, y + high - 10, 28, 26, look, 5) for at in (x - 14, x + wide - 14))
    body = m.slab(x - 7, y - 7, wide + 14, high + 14, look, 10)
    return feet + body + drawing.names(0, y - 16, "faint", 12)


def _opening(drawing: Drawing, row: int, column: int) -> str:
    return (
        m.circle(0, 0, 16.5, paint("sheet", "rack-edge", 1.4))
        + m.circle(0, 0, 16, paint("dent"), 'opacity=".5"') + _clear(40, 40)
    )  # fmt: skip


def _sheet(drawing: Drawing) -> str:
    return _frame(drawing, 12, paint("sheet"), 4)


def _edge(drawing: Drawing, row: int, column: int) -> str:
    """An edge that can be drawn between two dots; a box, or a dot."""
    if row % 2 == column % 2:
        return _clear(*((44, 44) if row % 2 else (12, 12)))
    wide, high, d = (40, 24, "M-26 0H26") if column % 2 else (24, 40, "M0-26V26")
    dashes = f'{m.ROUND} stroke-dasharray="1 6"'
    return _clear(wide, high) + m.path(d, paint("none", "faint", 1.2), dashes)


def _drawn(row: int, column: int, colour: str, letter: str) -> str:
    """An edge drawn by a pen, a box with its owner's letter, or a dot."""
    if row % 2 == column % 2 == 0:
        return m.circle(0, 0, 5, paint(colour))
    if row % 2 == column % 2:
        box = m.rect(-24.5, -24.5, 49, 49, paint(colour), 2, 'fill-opacity=".85"')
        return box + m.text(0, 0, escape(letter), 24, paint("ivory"), 700)
    return m.path("M-26 0H26" if column % 2 else "M0-26V26", paint("none", colour, 4.5), m.ROUND)


def _hexagons(drawing: Drawing) -> str:
    """The shadow of the board, its rim and its names."""
    around = _around(drawing)
    below = [(x + 1.5, y + 3.5) for side in around for x, y in side]
    shade = f'{m.ROUND} stroke-opacity=".2"'
    shape = m.path(m.line(below, True), paint("none", "shade", 2 * RIM if drawing.edges else 4),
                   shade)  # fmt: skip
    if drawing.edges:
        one, other = (m.SIDES[side] for side in drawing.edges)
        every = m.line([point for side in around for point in side], True)
        shape += _band(every, other) + _band(m.line(around[0]) + m.line(around[2]), one)
    x, y = drawing.middle(0, 0)
    far = 12 + (RIM if drawing.edges else 0)
    return shape + drawing.names(x - 18 - far, y - 20 - far, "faint", 12)


def _band(d: str, side: str) -> str:
    edge = "faint" if side == "ebony" else f"{side}-edge"  # black on a dark page would vanish
    joins = 'stroke-linejoin="round"'
    return m.path(d, paint("none", edge, 2 * RIM + 2.4), joins) + m.path(
        d, paint("none", side, 2 * RIM), joins
    )


def _hexagon(drawing: Drawing, row: int, column: int) -> str:
    return m.path(m.line(CORNERS, True), paint("maple", "oak", 1.2), m.ROUND)


def _around(drawing: Drawing) -> tuple[list[Point], ...]:
    """The outer corners of a board of hexagons: above, right, below, left.

    The sides meet in the sharp corners, and in the blunt ones halfway along the edge between.
    """
    rows, columns = range(drawing.rows), range(drawing.columns)

    def corner(row: int, column: int, number: int) -> Point:
        (x, y), (dx, dy) = drawing.middle(row, column), CORNERS[number]
        return x + dx, y + dy

    def half(row: int, column: int, number: int) -> Point:
        (x, y), (u, v) = (corner(row, column, k) for k in (number, number + 1))
        return (x + u) / 2, (y + v) / 2

    above = [corner(0, c, k) for c in columns for k in (5, 0)] + [half(0, columns[-1], 0)]
    right = [corner(r, columns[-1], k) for r in rows for k in (1, 2)]
    below = [corner(rows[-1], c, k) for c in columns[::-1] for k in (2, 3)]
    below.append(half(rows[-1], 0, 3))
    left = [corner(r, 0, k) for r in rows[::-1] for k in (4, 5)]
    return above, right[:-1], below, left


SURFACES = {
    "checkered": Surface(_checkered, _square, "disc", margins=(28, 28, 28, 29)),
    "felt": Surface(_plain("felt", "felt-edge"), _square, "disc", 16),
    "wood": Surface(_plain("maple", "oak"), _square, "disc"),
    "crossings": Surface(_crossings, _crossing, "stone", 17.5, margins=(38, 38, 26, 27)),
    "rack": Surface(_rack, _opening, "counter", 16.5, margins=(36, 52, 36, 40)),
    "dots": Surface(_sheet, _edge, step=(26, 26, 0), margins=(26, 26, 26, 27)),
    "hexes": Surface(_hexagons, _hexagon, "stone", 13, (34, 30, 17), (42, 46, 24, 27)),
}
"""Squares of two woods, green squares, plain squares, crossings of lines, a rack with holes, dots
with edges and boxes between, hexagons."""
