"""Nex: a connection game in which stones change sides; João Pedro Neto, 2004."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs
from attrs import field, frozen

from dragon import Game, RecordGame, Search, hookimpl
from dragon_nex.board import COLOURS, LARGEST
from dragon_nex.layers import Layers
from dragon_nex.nextable import NexTable

if TYPE_CHECKING:
    import click

    from dragon import RecordState, Rules
    from dragon.picks import Picks
    from dragon.transcript import Transcript

TRANSFORMS = ("always", "without-generates")
ENDINGS = ("draw", "fill")


def _size(instance: Nex, attribute: attrs.Attribute[int], value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LARGEST:
        raise ValueError(
            f"{attribute.name} must be a whole number from 1 to {LARGEST}, not {value!r}"
        )
    if attribute.name == "cols" and instance.rows * value < 2:
        raise ValueError("a board of one cell has no moves; set rows or cols to 2 or more")


def _flag(instance: Nex, attribute: attrs.Attribute[bool], value: bool) -> None:
    if not isinstance(value, bool):
        raise ValueError(f"{attribute.name} must be true or false, not {value!r}")


def _one_of(*words: str) -> Any:
    def check(instance: Nex, attribute: attrs.Attribute[str], value: str) -> None:
        if value not in words:
            known = " or ".join(map(repr, words))
            raise ValueError(f"{attribute.name} must be {known}, not {value!r}")

    return check


@frozen
class Nex(RecordGame):
    """Join your two edges; stones are placed with neutral ones, and change sides.

    >>> import dragon
    >>> state = dragon.game("nex(rows=3, cols=3)").start()
    >>> len(state.moves()), str(state.after("Bb2?c1"))
    (72, '.../.B./?.. W')
    """

    name = "nex"
    rows: int = field(default=11, validator=_size)
    """Black joins row a to the last row."""
    cols: int = field(default=11, validator=_size)
    """White joins column 1 to the last column."""
    swap: bool = field(default=False, validator=_flag)
    """White may answer the first move by taking it over: the seats change colours."""
    transforms: str = field(default="always", validator=_one_of(*TRANSFORMS))
    """`without-generates`: stones change sides only when none can be generated."""
    ending: str = field(default="draw", validator=_one_of(*ENDINGS))
    """`fill`: the last empty cell and the last neutral are taken alone, so nobody draws."""

    @property
    def layers(self) -> Layers:
        """The counts of stones that can occur."""
        late = self.transforms == "without-generates"
        return Layers(self.rows * self.cols, self.swap, late, self.ending == "fill")

    @property
    def has_table(self) -> bool:
        """Whether its positions can be those of a table, made or not; see `dragon_nex.table`."""
        from dragon_nex.table.index import MOST_CELLS

        usual = self.transforms == "always" and self.ending == "draw"
        return usual and self.rows * self.cols <= MOST_CELLS

    def rules(self) -> Rules:
        """The rules for these parameters, built when a game begins."""
        from dragon_nex.rules import nex_rules

        return nex_rules(self)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """Their colours, unless they may swap them."""
        return () if self.swap else COLOURS

    def picks(self, state: RecordState, chosen: tuple[str, ...]) -> Picks:
        """What may be pointed at after the cells in `chosen`; see `dragon.picks`."""
        from dragon_nex.picks import picks

        return picks(self, state, chosen)

    def ways(self, move: str) -> tuple[tuple[str, ...], ...]:
        """The orders in which a move's cells may be pointed at."""
        from dragon_nex.picks import ways

        return ways(move)

    def write(self, transcript: Transcript) -> str | None:
        """A game as a log of this game's own format; see `dragon.transcript`."""
        from dragon_nex.transcript import write

        return write(self, transcript)

    def transcribed(self, text: str) -> Transcript:
        """The game that a log or a record tells."""
        from dragon_nex.transcript import transcribed

        return transcribed(self, text)


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The games of this package."""
    return [Nex]


@hookimpl
def dragon_searches() -> list[type[Search]]:
    """The searches of this package."""
    return [NexTable]


@hookimpl
def dragon_commands() -> list[click.Command]:
    """`dragon nex`."""
    from dragon_nex.cli import nex

    return [nex]
