"""A cover problem from a file, in the text format of Knuth's programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from attrs import field, frozen

from dragon.cover import Option, Problem, read
from dragon.errors import ConfigError
from dragon_puzzles.puzzle import Board, Cell, Puzzle, options_of

if TYPE_CHECKING:
    import attrs

    from dragon.cover import CoverState


def _path(puzzle: Cover, attribute: attrs.Attribute[str], value: str) -> None:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{attribute.name} must be the path of a file, not {value!r}")


@frozen
class Cover(Puzzle):
    """Cover the items of a file by options of that file; secondary items at most once."""

    name = "cover"
    file: str = field(validator=_path, metadata={"outside": True})
    """The path of a file in Knuth's format: items in the first line, then one option a line."""

    def problem(self) -> Problem:
        """Read the problem; raise BadNotation with the line of every mistake."""
        try:
            return read(self.file)
        except OSError as refused:
            raise ConfigError(
                f"{self.file}: cannot be read: {refused.strerror or refused}; set file to the "
                "path of a cover problem"
            ) from refused

    def board(self, chosen: Iterable[Option]) -> Board:
        """Return a row for each option, a column for each of its items, and a colour or `x`."""
        chosen = tuple(chosen)
        items = tuple(dict.fromkeys(item for option in chosen for item in option.items))
        column = {item: col for col, item in enumerate(items)}
        marks: dict[Cell, str] = {}
        for row, option in enumerate(chosen):
            marks |= {(row, column[i]): option.colours.get(i, "x") for i in option.items}
        tints = {(row, col): 1 + row % 12 for row, col in marks}
        names = tuple(str(row + 1) for row in range(len(chosen)))
        return Board(len(chosen), len(items), marks, tints, sides=(names, items))

    def draw(self, state: CoverState) -> str:
        """Return the options chosen, one a line, and the items still to be covered."""
        problem = state.table.problem
        rest = [item for i, item in enumerate(problem.primary) if state.left >> i & 1]
        lines = [*map(str, options_of(state)), *([f"left: {' '.join(rest)}"] if rest else [])]
        return "\n".join(lines)
