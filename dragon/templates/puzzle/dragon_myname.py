"""MyName: cover a board with pieces of three squares that form an L, each square once.

Squares are the items of a cover problem, and every place of a piece is an option.
"""

from attrs import field, frozen
from attrs.validators import ge, le

from dragon import hookimpl
from dragon.cover import CoverGame, Option, Problem

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@frozen
class MyName(CoverGame):
    """Cover a board with pieces of three squares that form an L."""

    name = "myname"
    rows: int = field(default=4, validator=[ge(2), le(26)])
    columns: int = field(default=6, validator=[ge(2), le(26)])

    def squares(self):
        """The names of all squares, row by row."""
        return [f"{row}{i + 1}" for row in LETTERS[: self.rows] for i in range(self.columns)]

    def problem(self):
        """Each square lies under one piece; a piece is a block of four squares without one."""
        squares, wide, options = self.squares(), self.columns, []
        for i in range(len(squares) - wide):
            if (i + 1) % wide:
                block = [squares[j] for j in (i, i + 1, i + wide, i + wide + 1)]
                for gap in block:
                    piece = tuple(square for square in block if square != gap)
                    options.append(Option(piece, "-".join(piece)))
        return Problem(tuple(squares), tuple(options))

    def draw(self, state):
        """The board, with a letter for each piece that lies there."""
        options = state.table.problem.options
        drawn = dict.fromkeys(self.squares(), ".")
        for number, chosen in enumerate(state.chosen):
            drawn |= dict.fromkeys(options[chosen].items, LETTERS[number % 26])
        marks = [*drawn.values()]
        rows = (marks[i : i + self.columns] for i in range(0, len(marks), self.columns))
        return "\n".join(" ".join(row) for row in rows)


@hookimpl
def dragon_games():
    """Return the games of this plugin."""
    return [MyName]
