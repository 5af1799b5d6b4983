"""The base of all puzzles: a board drawn as text and as SVG, and bounds of settings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon.cover import CoverGame, Option
from dragon_puzzles import svg
from dragon_puzzles.boards import Board

if TYPE_CHECKING:
    from dragon.cover import CoverState


def within(least: int, most: int) -> Callable[[Any, Any, Any], None]:
    """Return a validator of whole numbers from `least` to `most`."""

    def check(puzzle: Any, attribute: Any, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(
                f"{attribute.name} must be a whole number from {least} to {most}, not {value!r}"
            )

    return check


def options_of(state: CoverState) -> list[Option]:
    """Return the options chosen in a state, in the order of choice."""
    options = state.table.problem.options
    return [options[number] for number in state.chosen]


@frozen
class Puzzle(CoverGame):
    """A cover problem whose options lie on a board of squares."""

    @abstractmethod
    def board(self, chosen: Iterable[Option]) -> Board:
        """Return the board to draw when these options are chosen."""

    def draw(self, state: CoverState) -> str:
        """Return the options chosen so far, as text."""
        return str(self.board(options_of(state)))

    def svg(self, state: CoverState) -> str:
        """Return the options chosen so far, as a picture."""
        return svg.picture(self.board(options_of(state)), str(self))
