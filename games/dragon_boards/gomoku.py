"""Gomoku: five stones in an unbroken line win. Also every m,n,k-game: rows, columns, line.

A record holds each side's stones as words of 64 bits, and `over`, set once one completes a line.
"""

from __future__ import annotations

from itertools import product

from attrs import field
from attrs.validators import ge, le

from dragon import TERMINAL, Grid, RecordGame, Rules, frozen, rule
from dragon.bits import bit, draw, elements, has
from dragon_boards.numbers import filling, knowledge, of_gomoku

DOWN, ACROSS = (0, 1, 1, 1), (1, 0, 1, -1)
"""The steps along a row, a column and both diagonals."""

MOST_NUMBERED = 16
"""The most cells of a board whose positions are numbered: 16 cells have ten million."""


@frozen
class Gomoku(RecordGame):
    """Place a stone in turn; five or more stones of a side in an unbroken line win.

    Black and White (X and O in text) place a stone on a free cell in turn. A side with `line` of
    them or more in a row, a column or a diagonal without gaps wins. A full board is a draw.
    """

    name, aliases = "gomoku", ("five in a row", "m,n,k")
    small = "gomoku(rows=3, columns=3, line=3)"
    rows: int = field(default=15, validator=[ge(1), le(26)])
    columns: int = field(default=15, validator=[ge(1), le(26)])
    line: int = field(default=5, validator=[ge(1), le(26)])
    """The number of stones in a line that wins."""

    def __attrs_post_init__(self) -> None:
        if self.line > (longest := max(self.rows, self.columns)):
            raise ValueError(f"no line of this board has {self.line} cells; the most is {longest}")

    def rules(self):
        rows, columns, line = self.rows, self.columns, self.line
        area = rows * columns
        words = (area + 63) // 64

        @rule
        def holds(s, seat, row, column):
            """Return True if a side has a stone on a cell, which may be off the board."""
            if not (0 <= row < rows and 0 <= column < columns):
                return False
            cell = row * columns + column
            return has(s.stones[seat, cell >> 6], cell & 63)

        @rule
        def run(s, seat, cell, down, across):
            """Return the number of a side's stones next to a cell in a direction, without a gap."""
            n, row, column = 0, cell // columns + down, cell % columns + across
            while holds(s, seat, row, column):
                row, column, n = row + down, column + across, n + 1
            return n

        @rule
        def longest(s, seat, cell):
            """Return the length of the longest line through a stone of a side on a cell."""
            most = 0
            for k in range(4):
                down, across = DOWN[k], ACROSS[k]
                both = run(s, seat, cell, down, across) + run(s, seat, cell, -down, -across)
                most = max(most, 1 + both)
            return most

        @rule
        def turn(s):
            return TERMINAL if s.over or s.ply == area else s.ply % 2

        @rule
        def moves(s, out):
            n = 0
            for w in range(words):
                taken = s.stones[0, w] | s.stones[1, w]
                cells = ~taken if w < area // 64 else ~taken & (bit(area & 63) - bit(0))
                n = elements(cells, out, n, 64 * w)
            return n

        @rule
        def sample(s, random):
            """Draw cells at random until one is free: a board is seldom full."""
            cell = draw(random, area)
            while has(s.stones[0, cell >> 6] | s.stones[1, cell >> 6], cell & 63):
                cell = draw(random, area)
            return cell

        @rule
        def play(s, cell):
            seat = s.ply % 2
            s.stones[seat, cell >> 6] |= bit(cell & 63)
            s.over = int(longest(s, seat, cell) >= line)
            s.ply += 1

        @rule
        def payoff(s, seat):
            if not s.over:
                return 0
            return 1 if seat != s.ply % 2 else -1

        @rule
        def order(s, out, n, scores):
            """Order by the longest line that a stone makes, or takes from the other side."""
            seat = s.ply % 2
            for i in range(n):
                own, other = longest(s, seat, out[i]), longest(s, 1 - seat, out[i])
                scores[i] = 2 * max(own, other) + int(own >= other)

        def windows():
            """Yield the bit sets of `line` cells in a row."""
            for row, column in product(range(rows), range(columns)):
                for down, across in zip(DOWN, ACROSS, strict=True):
                    cells = [(row + n * down, column + n * across) for n in range(line)]
                    if all(0 <= r < rows and 0 <= c < columns for r, c in cells):
                        yield sum(1 << r * columns + c for r, c in cells)

        def won(s, seat):
            return any(
                holds(s, seat, *divmod(cell, columns)) and longest(s, seat, cell) >= line
                for cell in range(area)
            )

        def settle(s):
            s.over = won(s, 1 - int(s.ply) % 2)

        grid = Grid(
            rows, columns, {"stones": "XO"}, naming="columns", settle=settle, won=won,
            surface="crossings", in_line=line,
        )  # fmt: skip
        return Rules(
            [("stones", "u8", (2, words)), ("ply", "i8"), ("over", "i8")], moves, play, turn,
            payoff, width=area, plies=area, sample=sample, order=order, notation=grid,
            **filling(rows, columns, line, sample, play),
            **(of_gomoku(area, windows()) if area <= MOST_NUMBERED else {}),
            **(knowledge(windows(), line) if area <= 64 else {}),
        )  # fmt: skip
