"""Polyominoes: a board and pieces of one's own, turned and mirrored at will."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product
from typing import Any

from attrs import field, frozen
from attrs.validators import instance_of

from dragon.config import read_text
from dragon.core import Bound, Limit
from dragon.cover import Option, Problem, covers
from dragon.errors import BadNotation, ConfigError
from dragon_puzzles import svg
from dragon_puzzles.boards import Board, Cell, cells_in, letters, name, named, tiled
from dragon_puzzles.pieces import Piece, Tray, board_of, pieces_of, read, tray_of
from dragon_puzzles.puzzle import Puzzle
from dragon_puzzles.shapes import placed, turned

Laid = tuple[tuple[str, tuple[Cell, ...]], ...]
"""Pieces and the cells where they lie, in order."""
LONGEST = 1_000_000
"""Bytes of a file."""


def _pieces(text: str) -> Iterator[Piece]:
    """Yield the pieces of a setting."""
    for part in filter(None, map(str.strip, text.split(","))):
        yield from pieces_of(part)


def _checked(puzzle: Polyominoes, attribute: Any, value: str) -> None:
    if not isinstance(value, str):
        raise ValueError(f"{attribute.name} must be a text, not {value!r}")
    try:
        board_of(value) if attribute.name == "area" else [*_pieces(value)]
    except BadNotation as wrong:
        raise ValueError(f"{attribute.name}: {wrong}") from None


@frozen
class Polyominoes(Puzzle):
    """Fill a board of your own with pieces of your own.

    >>> covers(Polyominoes(area="4x4", pieces="4 T4").problem()).count()
    2
    """

    name = "polyominoes"
    area: str = field(default="4x4", validator=_checked)
    """The board: `6x10`, or rows with / between them: . for a cell, ? if it may stay free, # for
    none."""
    pieces: str = field(default="4 T4", validator=_checked)
    """Pieces with commas between them: copies, name and shape, `2 hook XX/X., 0:3 T4, * I1`."""
    mirrored: bool = field(default=True, validator=instance_of(bool))
    """Whether pieces may be turned over."""
    file: str | None = field(default=None, metadata={"outside": True})
    """A file with a board and pieces, which replaces both."""

    def __attrs_post_init__(self) -> None:
        if self.file is None:
            try:
                tray_of(*board_of(self.area), _pieces(self.pieces))
            except BadNotation as wrong:
                raise ValueError(str(wrong)) from None

    @cached_property
    def tray(self) -> Tray:
        """The board and the pieces in use; raise ConfigError for a file that is not understood."""
        if self.file is None:
            return tray_of(*board_of(self.area), _pieces(self.pieces))
        try:
            return read(read_text(self.file, "a board and pieces", LONGEST))
        except BadNotation as wrong:
            where = "stdin" if self.file == "-" else self.file
            raise ConfigError(f"{where}, {wrong}") from None

    def problem(self) -> Problem:
        """Return the problem: pieces as often as there are copies, and every cell once."""
        tray = self.tray
        own = [each for each in tray.pieces if (each.least, each.most) != (1, 1)]
        return Problem(
            (*(each.name for each in tray.pieces), *map(name, sorted(tray.cells))),
            tuple(self._options()),
            map(name, sorted(tray.free)),
            {each.name: (each.least, each.most) for each in own},
        )

    def _options(self) -> Iterator[Option]:
        tray = self.tray
        for piece in tray.pieces:
            for shape in turned(piece.shape, self.mirrored):
                for cells in placed(shape, tray.size, tray.cells | tray.free):
                    names = [name((row, col)) for row, col in cells]
                    yield Option((piece.name, *names), f"{piece.name}-{''.join(names)}")

    def laid(self, chosen: Iterable[Option]) -> Laid:
        """Return the pieces of options, in order."""
        pieces = ((o.items[0], tuple(sorted(cells_in(" ".join(o.items[1:]))))) for o in chosen)
        return tuple(sorted(pieces))

    def board(self, chosen: Iterable[Option]) -> Board:
        """Return the board with the pieces of options."""
        return self.pictured(self.laid(chosen))

    def pictured(self, laid: Laid) -> Board:
        """Return the board with pieces; copies of one are told apart by a small letter."""
        tray = self.tray
        order = [each.name for each in tray.pieces]
        marks = dict(zip(order, _short(order), strict=True))
        seen: dict[str, int] = {}
        pieces = []
        for called, cells in laid:
            copy = seen[called] = seen.get(called, -1) + 1
            many = tray.pieces[order.index(called)].most > 1
            tint = 1 + (order.index(called) + copy) % 12
            pieces.append((marks[called] + letters(copy) * many, tint, cells))
        gone = frozenset(product(range(tray.size[0]), range(tray.size[1]))) - tray.cells - tray.free
        return named(tiled(*tray.size, pieces, gone))

    def picture(self, laid: Laid) -> str:
        """Return the board with pieces as SVG."""
        return svg.picture(self.pictured(laid), str(self))

    def distinct(self, laid: Laid) -> bool:
        """Return True for one of the solutions that are the same up to symmetry: the first."""
        return all(laid <= tuple(sorted((n, tuple(sorted(map(turn, cells)))) for n, cells in laid))
                   for turn in (each.__getitem__ for each in self._turns))  # fmt: skip

    @cached_property
    def _turns(self) -> list[dict[Cell, Cell]]:
        """The symmetries of the board, by which every cell goes to another of its kind."""
        tray, found = self.tray, []
        both = sorted(tray.cells | tray.free)
        for flip, turns in product((False, True)[: 1 + self.mirrored], range(4)):
            moved = [(r, -c) if flip else (r, c) for r, c in both]
            for _ in range(turns):
                moved = [(c, -r) for r, c in moved]
            top, left = (min(axis) for axis in zip(*moved, strict=True))
            turn = {cell: (r - top, c - left) for cell, (r, c) in zip(both, moved, strict=True)}
            if {turn[cell] for cell in tray.cells} == tray.cells and {*turn.values()} == {*both}:
                found.append(turn)
        return found


def _short(names: list[str]) -> list[str]:
    """Return the shortest beginning of each name that no other has."""
    found = []
    for each in names:
        others = [other for other in names if other != each]
        cuts = (each[:n] for n in range(1, len(each) + 1))
        found.append(next((c for c in cuts if not any(o.startswith(c) for o in others)), each))
    return found


# ---- answers -----------------------------------------------------------------------------------


@frozen
class Packed:
    """The answer to a puzzle of pieces."""

    shown: tuple[Laid, ...]
    """The first solutions, each once up to symmetry."""
    solutions: int
    distinct: int
    """Solutions up to symmetry."""
    bound: Bound
    """`=` if there are no others."""
    nodes: int
    seconds: float


def pack(
    puzzle: Polyominoes, first: int = 1, every: bool = False, limit: Limit | None = None
) -> Packed:
    """Return the first solutions of a puzzle, and with `every` the number of all."""
    problem, shown, distinct, total = puzzle.problem(), list[Laid](), 0, 0
    search = covers(problem, limit=limit)
    for cover in search:
        total += 1
        laid = puzzle.laid(problem.options[o] for o in cover)
        if puzzle.distinct(laid):
            distinct += 1
            shown += [laid] * (len(shown) < first)
        if len(shown) == first and not every:
            break
    done = search.bound if total == search.found else Bound.LOWER
    return Packed(tuple(shown), total, distinct, done, search.nodes, search.seconds)
