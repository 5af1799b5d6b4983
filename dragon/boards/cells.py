"""Cells: the base of all boards: names of cells, bits, rows of text, pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

from attrs import field, frozen

from dragon.bits import u64
from dragon.boards.drawing import NAMINGS, NEUTRAL, SIDES, SURFACES, Drawing, cell_name, labels
from dragon.boards.material import KINDS
from dragon.boards.symmetry import Place, images, least_image
from dragon.errors import BadNotation, PluginError
from dragon.rules.notation import BaseNotation

EMPTY = "."
SIGNS = {
    "pawn": "♟♙", "knight": "♞♘", "bishop": "♝♗", "rook": "♜♖", "queen": "♛♕", "king": "♚♔",
    "stone": "●○", "disc": "●○", "counter": "●○", "crowned": "⛃⛁",
    "upright": "▮▯", "lying": "▬▭",
}  # fmt: skip
"""The signs of the darker and the lighter side's pieces by their kinds."""
LETTERS, NUMBERS = 26, 99
"""The most rows or columns that are named by a letter, and by a number."""
MOST_BITS = 1 << 16
"""Bits of a set."""


@frozen
class Cells(BaseNotation):
    """A rectangular board with a bit set of the record for each kind of stone or piece."""

    rows: int
    columns: int
    stones: Mapping[str, str]
    """The letter of each field of the record, or one letter for each of its sets. A set of more
    than 64 bits is an array of words, 64 bits in each."""
    where: Callable[[int, int], int] | None = None
    """The bit of the cell at (row, column), row 0 being the top; row * columns + column if None."""
    naming: str = field(default="rows", kw_only=True)
    """The naming of cells: `rows` (a1, a2, ... is the top row), `columns` (a1, b1, ... is the top
    row), `chess` (a1, b1, ... is the bottom row)."""
    slant: bool = field(default=False, kw_only=True)
    """True if cells are hexagons, each row half a cell further right."""
    symmetries: tuple[str, ...] = field(default=(), kw_only=True)
    """The symmetries of the game: `mirror`, `flip`, `half_turn`, `quarter_turn`, `transpose`. A law
    tests them, and `least_image` makes a key by them."""

    lines: tuple[tuple[Place, ...], ...] = field(default=(), kw_only=True)
    """Rows and columns of points in a line, as in nine men's morris: the lines are drawn, and no
    other places are cells."""

    surface: str = field(default="", kw_only=True)
    """The look of the board (`dragon.boards.drawing.SURFACES`): `checkered`, `felt`, `wood`,
    `crossings`, `rack`, `dots`, `hexes`. If empty: `hexes` where cells slant, `crossings` of
    `lines`, `checkered` where pieces move, `rack` where columns are played, else `wood`."""
    pieces: Mapping[str, str] = field(factory=dict, kw_only=True)
    """The kind of piece (`dragon.boards.material.KINDS`) by its letter, or by its capital for both
    sides: `{"K": "king"}`; that of "" for all others. A text of one or two signs is written on the
    usual piece of the surface."""
    in_line: int = field(default=0, kw_only=True)
    """The number of stones in a straight line that win, which a drawing shows by a line; 0: none.
    Where a rim of hexagons is joined, the chain is shown without it."""

    front: int | None = field(default=None, kw_only=True)
    """The seat that sits below, where a board has a front as that of chess: a page turns it for
    the other seat."""

    won: Callable[[Any, int], Any] | None = field(default=None, kw_only=True)
    """A function in Python: whether a seat has won on the board of a record. A text in which the
    seat to move has won is refused, since the game would have ended before."""

    def __attrs_post_init__(self) -> None:
        if self.naming not in NAMINGS:
            raise PluginError(
                f"a board's naming is {self.naming!r}; write one of {', '.join(NAMINGS)}"
            )
        self._check_size()
        letters = self._letters()
        if not all(self.stones.values()) or not letters:
            raise PluginError(
                f"the stones of a board are {dict(self.stones)!r}; write a field and its letters, "
                'such as {"stones": "XO"}'
            )
        if len(set(letters)) < len(letters) or any(x in "./" or x.isspace() for x in letters):
            raise PluginError(
                f"the letters {letters!r} of a board's stones must differ from one another, "
                "from '.', '/' and a space"
            )
        inside = {(row, column) for row in range(self.rows) for column in range(self.columns)}
        points = {point for line in self.lines for point in line}
        if self.lines and (self.symmetries or self.slant or points - inside):
            raise PluginError(
                f"the lines of a board of {self.rows} rows and {self.columns} columns need points "
                "on it, of which row 0, column 0 is the first, and neither slant nor symmetries"
            )
        if self.surface and self.surface not in SURFACES:
            raise PluginError(
                f"a board's surface is {self.surface!r}; write one of {', '.join(SURFACES)}"
            )
        if unknown := {kind for kind in self.pieces.values() if len(kind) > 2} - set(KINDS):
            raise PluginError(
                f"a board's pieces are {', '.join(sorted(unknown))}; take some of "
                f"{', '.join(KINDS)}"
            )
        self._check_bits()
        images(self.rows, self.columns, self.symmetries, self.slant)

    def _check_size(self) -> None:
        size = (self.rows, self.columns)
        if not all(isinstance(n, int) and n >= 1 for n in size):
            raise PluginError(
                f"a board has {self.rows!r} rows and {self.columns!r} columns; "
                "write whole numbers from 1 on"
            )
        most = (LETTERS, NUMBERS) if self.naming == "rows" else (NUMBERS, LETTERS)
        if size[0] > most[0] or size[1] > most[1]:
            raise PluginError(
                f"a board has {self.rows} rows and {self.columns} columns, and with the naming "
                f"{self.naming!r} it can have {most[0]} and {most[1]}; make it smaller, or take "
                "another naming"
            )

    def _check_bits(self) -> None:
        named: dict[int, str] = {}
        for name, place in self._places.items():
            at = self.bits[place]
            if not 0 <= at < MOST_BITS:
                raise PluginError(
                    f"`where` of a board gives {name} the bit {at}; give it one from 0 to "
                    f"{MOST_BITS - 1}"
                )
            if (other := named.setdefault(at, name)) != name:
                raise PluginError(
                    f"`where` of a board gives {other} and {name} the same bit, {at}; give each "
                    "cell its own"
                )

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of a record that the board itself reads."""
        return tuple(self.stones)

    def _check_fields(self, s: Any) -> None:
        for name in self.fields:
            if name not in s.dtype.names:
                raise PluginError(
                    f"a board speaks of a field {name!r}, which the record does not have; add it "
                    f"to the layout ({', '.join(s.dtype.names)})"
                )
        for name, letters in self.stones.items():
            held, needed = s[name].size, len(letters) * self._words
            if held < needed or held % len(letters):
                raise PluginError(
                    f"the field {name!r} of the record has {held} words of 64 bits, and the board "
                    f"needs {needed}; write [*board.layout, ...] as the layout"
                )

    @property
    def layout(self) -> list[tuple[Any, ...]]:
        """The fields of a record that hold the stones."""
        shape = (self._words,) if self._words > 1 else ()
        fields: list[tuple[Any, ...]] = []
        for name, letters in self.stones.items():
            full = (len(letters), *shape) if len(letters) > 1 else shape
            fields.append((name, "u8", full) if full else (name, "u8"))
        return fields

    @cached_property
    def span(self) -> int:
        """A number above every cell's bit: the number of cells, unless `where` leaves gaps."""
        return max(self.bits.values()) + 1

    @property
    def _words(self) -> int:
        """The number of 64-bit words of a set."""
        return (self.span + 63) // 64

    @cached_property
    def _places(self) -> dict[str, tuple[int, int]]:
        """The row and column of each cell, by its name."""
        rows, columns = range(self.rows), range(self.columns)
        points = {point for line in self.lines for point in line}
        return {self.name(r, c): (r, c) for r in rows for c in columns
                if not points or (r, c) in points}  # fmt: skip

    @cached_property
    def bits(self) -> dict[tuple[int, int], int]:
        """The bit of each cell, by its row and column."""
        where = self.where or (lambda row, column: row * self.columns + column)
        return {place: int(where(*place)) for place in self._places.values()}

    @cached_property
    def _cells(self) -> dict[int, tuple[int, int]]:
        """The row and column of each bit that stands for a cell."""
        return {bit: place for place, bit in self.bits.items()}

    def set_of(self, places: Iterable[Place]) -> Any:
        """The bit set of cells by row and column; places off the board are left out.

        It is a uint64; on a board of more than 64 bits uint64[words].

        >>> from dragon import Grid
        >>> int(Grid(3, 3, {"stones": "XO"}).set_of([(0, 0), (1, 1), (3, 3)]))
        17
        """
        import numpy as np

        held = sum(1 << self.bits[place] for place in {*places} if place in self.bits)
        words = np.array([u64(held >> 64 * w) for w in range(self._words)])
        return words if len(words) > 1 else words[0]

    def around(self, steps: Iterable[Place]) -> Any:
        """Return for each bit the set, as of `set_of`, of the cells at some steps from its cell.

        steps: rows down and columns to the right, such as those of `dragon.boards.sight`.

        uint64[span], or uint64[span, words]; empty for bits of no cell.

        >>> from dragon import Grid
        >>> Grid(3, 3, {"stones": "XO"}).around([(0, 1), (1, 0)]).tolist()[:3]
        [10, 20, 32]
        """
        import numpy as np

        steps, cells = [*steps], [self._cells.get(bit) for bit in range(self.span)]
        near = ([(cell[0] + r, cell[1] + c) for r, c in steps] if cell else [] for cell in cells)
        return np.array([self.set_of(each) for each in near], np.uint64)

    @property
    def least_image(self) -> Any:
        """A rule that makes a key of the stones, equal for all images by the `symmetries`.

        `image = board.least_image` in `rules`, and in the rule `key`: `return image(s.stones)`.
        The author adds whatever else distinguishes positions.
        """
        letters = self._letters()
        if len(self.stones) > 1 or len(letters) < 2:
            raise PluginError(
                f"the stones of a board are in the fields {', '.join(self.stones)}; its least "
                'image needs one field for all sides, such as {"stones": "XO"}'
            )
        seen = images(self.rows, self.columns, self.symmetries, self.slant)
        return least_image(self.bits, seen, len(letters), self._words)

    def images(self, text: str) -> tuple[str, ...]:
        """The images of a position's text by the `symmetries`, itself first."""
        board, _, rest = text.partition(" ")
        rows, found = board.split("/"), []
        for image in images(self.rows, self.columns, self.symmetries, self.slant):
            put = [[EMPTY] * self.columns for _ in range(self.rows)]
            for (row, column), (down, across) in image.items():
                put[down][across] = rows[row][column]
            found.append(" ".join(["/".join(map("".join, put)), *([rest] if rest else [])]))
        return tuple(found)

    def _letters(self) -> str:
        return "".join(self.stones.values())

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The colours that the seats' stones are drawn in."""
        return colours_of(len(self._letters()))

    def name(self, row: int, column: int) -> str:
        """The name of a cell; row 0 is the top."""
        return cell_name(row, column, self.naming, self.rows)

    def _not_a_cell(self, text: str) -> BadNotation:
        last = max(self._places, key=lambda name: (name[0], int(name[1:])))
        return BadNotation(f"{text!r} is not a cell; write a1 to {last}")

    def _held(self, s: Any) -> dict[str, int]:
        """The bit set of the cells with each letter, as a number of any size."""
        import numpy as np

        self._check_fields(s)
        held = {}
        for name, letters in self.stones.items():
            words = np.array(s[name], "<u8").reshape(len(letters), -1)
            for letter, own in zip(letters, words, strict=True):
                held[letter] = int.from_bytes(own.tobytes(), "little")
        return held

    def letter(self, s: Any, bit: int) -> str:
        return next((letter for letter, held in self._held(s).items() if held >> bit & 1), EMPTY)

    def board(self, s: Any) -> list[list[str]]:
        board = [[EMPTY] * self.columns for _ in range(self.rows)]
        for letter, held in self._held(s).items():
            while held:
                bit = held.bit_length() - 1
                held ^= 1 << bit
                if bit in self._cells:
                    row, column = self._cells[bit]
                    board[row][column] = letter
        return board

    def flaw(self, s: Any) -> str | None:
        """Report two sides that have a stone on one cell."""
        held = self._held(s)
        for letters in self.stones.values():
            for one, other in combinations(letters, 2):
                for bit, place in self._cells.items():
                    if (held[one] & held[other]) >> bit & 1:
                        return f"{one} and {other} are both on {self.name(*place)}"
        return None

    def _put(self, s: Any, rows: Sequence[str]) -> None:
        """Replace the stones of a record by those of the rows of letters."""
        import numpy as np

        self._check_fields(s)
        held = dict.fromkeys(self._letters(), 0)
        for r, row in enumerate(rows):
            for c, letter in enumerate(row):
                if letter != EMPTY:
                    held[letter] |= 1 << self.bits[r, c]
        for name, letters in self.stones.items():
            shape = np.shape(s[name])
            size = 8 * (int(np.prod(shape)) // len(letters))
            data = b"".join(held[letter].to_bytes(size, "little") for letter in letters)
            s[name] = np.frombuffer(data, "<u8").reshape(shape)

    def _refuse_won(self, s: Any, text: str, seat: int, names: Sequence[str]) -> None:
        """Raise BadNotation if the side to move has won, or both sides have."""
        if self.won is None or not self.won(s, seat):
            return
        others = any(self.won(s, other) for other in range(len(names)) if other != seat)
        reason = (
            f"both {' and '.join(names)} have won"
            if others
            else f"{names[seat]} is to move, but has won already, and that ended the game"
        )
        raise BadNotation(f"{text!r} cannot arise: {reason}")

    def _written(self, rows: Sequence[str]) -> str:
        """The rows of a board in the text of a position."""
        return "/".join(rows)

    def _spread(self, board: str) -> str:
        """Return such a text with a letter or a dot for each cell."""
        return board

    def _read_rows(self, board: str, text: str, mover: str) -> list[str]:
        """The rows of a board; raises BadNotation for another shape or an unknown letter."""
        rows, letters = self._spread(board).split("/"), self._letters()
        if len(rows) != self.rows or any(len(row) != self.columns for row in rows):
            example = f"{self._written([EMPTY * self.columns] * self.rows)} {mover}"
            raise BadNotation(
                f"{text!r:.80} is not a board of {self.rows} rows of {self.columns}; "
                f"write one like {example!r}"
            )
        for r, row in enumerate(rows):
            for c, letter in enumerate(row):
                if letter != EMPTY and letter not in letters:
                    known = ", ".join(letters)
                    raise BadNotation(
                        f"{letter!r} at {self.name(r, c)} in {text!r} is not a stone ({known} or .)"
                    )
                if letter != EMPTY and (r, c) not in self.bits:
                    raise BadNotation(
                        f"{text!r} has {letter} where no lines meet; stones are on points"
                    )
        return rows

    def _labels(self) -> tuple[list[str], list[str]]:
        return labels(self.rows, self.columns, self.naming)

    def picture(self, s: Any) -> str:
        """The board with the names of its rows and columns."""
        return self._pictured(s, {})

    def signed(self, s: Any) -> str:
        """The picture with chessmen, stones and draughtsmen as signs of Unicode."""
        return self._pictured(s, self.signs)

    @property
    def signs(self) -> Mapping[str, str]:
        """The sign of each letter that has one; none on plain wood, whose letters say more."""
        found, usual = {}, SURFACES[self._surface].piece
        for letter, name in zip(self._letters(), self._colours(), strict=True):
            own = self.pieces.get(letter) or self.pieces.get(letter.upper(), self.pieces.get(""))
            kind = own or (usual if self._surface not in ("wood", "dots") else "")
            if kind in SIGNS and name:
                found[letter] = SIGNS[kind][name in ("White", "Yellow")]
        return found

    def _pictured(self, s: Any, signs: Mapping[str, str]) -> str:
        down, across = self._labels()
        wide, left = max(map(len, across)), max(map(len, down))
        if self.slant:
            wide |= 1  # so that half a cell is a whole number of characters
        lines = [" " * (left + 2) + " ".join(f"{label:<{wide}}" for label in across)]
        behind, size = dict[int, str](), max(map(len, self.notes.values()), default=0)
        for (r, _), text in sorted(self.notes.items()):
            behind[r] = f"{behind.get(r, ' ')} {text:>{size}}"
        for r, row in enumerate(self.board(s)):
            shift = " " * (r * (wide + 1) // 2) if self.slant else ""
            shown = (
                signs.get(cell, cell) if (r, c) in self.bits else " " for c, cell in enumerate(row)
            )
            cells = " ".join(f"{cell:<{wide}}" for cell in shown)
            lines.append(f"{shift}{down[r]:>{left}}  {cells}{behind.get(r, '')}")
        return "\n".join(line.rstrip() for line in lines)

    @property
    def notes(self) -> Mapping[Place, str]:
        """Small texts in the corners of cells, or behind the rows of text; none by default."""
        return {}

    def svg(self, s: Any) -> str:
        """Draw the stones on the surface; the first kind is dark, the second white.

        Each cell has its name, as a move has it, in `data-cell` (`dragon.boards.clicks`).
        """
        return self.drawing_of(s).svg()

    @property
    def _surface(self) -> str:
        usual = "hexes" if self.slant else "crossings" if self.lines else "wood"
        return self.surface or usual

    def _colours(self) -> Sequence[str]:
        """The colour of each letter, "" for that of neutral stones."""
        return colours_of(len(self._letters()))

    def drawing_of(self, s: Any) -> Drawing:
        """The drawing of a record, which another notation may change (`attrs.evolve`)."""
        colours = (SIDES.index(name) if name else NEUTRAL for name in self._colours())
        side = dict(zip(self._letters(), colours, strict=True))
        letters = self.board(s)
        board = [[side.get(letter) for letter in row] for row in letters]
        return Drawing(
            board, self._surface, naming=self.naming, letters=letters, pieces=self.pieces,
            lines=self.lines, in_line=self.in_line, notes=self.notes, front=self.front,
        )  # fmt: skip


def colours_of(seats: int) -> tuple[str, ...]:
    """Return the usual colours for this number of seats."""
    return tuple(SIDES[i % len(SIDES)] for i in range(seats))
