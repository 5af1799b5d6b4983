"""Queens: n of them on a board of n x n, none of which attacks another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import field, frozen

from dragon.cover import Option, Problem
from dragon_puzzles.puzzle import Board, Cell, Puzzle, cells_in, letters, within


@frozen
class Queens(Puzzle):
    """Place n queens on a board of n x n squares, so that none attacks another.

    >>> problem = Queens(n=4).problem()
    >>> len(problem.primary), len(problem.secondary), str(problem.options[4])
    (8, 10, 'b1')
    """

    name = "queens"
    n: int = field(default=8, validator=within(1, 200))
    """The number of queens, of ranks and of files."""

    def problem(self) -> Problem:
        """Return the problem: ranks and files once; diagonals of 2 or more squares at most once.

        Ranks and files come from the middle outward, in "organ-pipe order", which keeps
        the search tree small (TAOCP 4B, 7.2.2.1).
        """
        middle = sorted(range(self.n), key=lambda i: (abs(2 * i - self.n + 1), i))
        primary = [text for i in middle for text in (f"rank{i + 1}", f"file-{letters(i)}")]
        slants = range(1, 2 * self.n - 2)
        secondary = [f"{way}{i}" for way in ("up", "down") for i in slants]
        return Problem(primary, tuple(self._options(set(secondary))), secondary)

    def _options(self, diagonals: set[str]) -> Iterator[Option]:
        for file in range(self.n):
            for rank in range(self.n):
                slants = f"up{file - rank + self.n - 1}", f"down{file + rank}"
                items = [f"rank{rank + 1}", f"file-{letters(file)}"]
                items += [slant for slant in slants if slant in diagonals]
                yield Option(tuple(items), f"{letters(file)}{rank + 1}")

    def board(self, chosen: Iterable[Option]) -> Board:
        """Return the board with the queens placed, rank 1 at the bottom as in chess."""
        squares = cells_in(" ".join(map(str, chosen)))
        marks: dict[Cell, str] = {(self.n - 1 - rank, file): "Q" for file, rank in squares}
        tints = {(r, c): 13 for r in range(self.n) for c in range(self.n) if (r + c) % 2}
        ranks = tuple(str(self.n - r) for r in range(self.n))
        files: Sequence[str] = [letters(c) for c in range(self.n)]
        return Board(self.n, self.n, marks, tints, sides=(ranks, tuple(files)))
