"""Nex: a connection game in which stones change sides; João Pedro Neto, 2004."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs
from attrs import field, frozen
from attrs.validators import in_, instance_of

from dragon import RecordGame
from dragon_nex.board import COLOURS, LARGEST, Board, Layers

if TYPE_CHECKING:
    from dragon import RecordState, Rules
    from dragon.protocols import Clicks, Transcript


def _size(instance: Nex, attribute: attrs.Attribute[int], value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LARGEST:
        raise ValueError(
            f"{attribute.name} must be a whole number from 1 to {LARGEST}, not {value!r}"
        )
    if attribute.name == "cols" and instance.rows * value < 2:
        raise ValueError("a board of one cell has no moves; set rows or cols to 2 or more")


def _one_of(*words: str) -> Any:
    """Return a field that holds one of the words; the first is the default."""
    return field(default=words[0], validator=in_(words), metadata={"choices": words})


@frozen
class Nex(RecordGame):
    """Join your two edges; stones are placed with neutral ones, and change sides.

    The board is that of hex: a cell touches those left and right of it, the two above and the two
    below. Black joins row a to the last row, White column 1 to the last column. Black begins. A
    move is one of two:

    Generate: a stone of your own colour and a neutral one, on two empty cells. Point at the
    cell of your own stone, then at that of the neutral one.

    Transform: two neutral stones become your own, and one own stone that was on the board before
    the move becomes neutral. Point at the two neutral stones, then at the one given up.

    The side that has joined its two edges once the move is complete has won. A side that cannot
    move has drawn: a draw needs fewer than two empty cells and fewer than two neutral stones.

    >>> import dragon
    >>> state = dragon.game("nex(rows=3, cols=3)").start()
    >>> len(state.moves()), str(state.after("Bb2?c1"))
    (72, '.../.B./?.. W')
    """

    name = "nex"
    small = "nex(rows=2, cols=4)"
    rows: int = field(default=11, validator=_size)
    """Black joins row a to the last row."""
    cols: int = field(default=11, validator=_size)
    """White joins column 1 to the last column."""
    swap: bool = field(default=False, validator=instance_of(bool))
    """White may answer the first move by taking it over: the seats change colours."""
    transforms: str = _one_of("always", "without-generates")
    """`without-generates`: stones change sides only when none can be generated."""
    ending: str = _one_of("draw", "fill")
    """`fill`: the last empty cell and the last neutral are taken alone, so there is no draw."""

    @property
    def layers(self) -> Layers:
        """The counts of stones that can occur."""
        late = self.transforms == "without-generates"
        return Layers(self.rows * self.cols, self.swap, late, self.ending == "fill")

    def rules(self) -> Rules:
        """The rules for these parameters, built when a game begins."""
        from dragon_nex.notation import NexNotation
        from dragon_nex.rules import nex_rules
        from dragon_nex.table.lookup import tablebase

        return nex_rules(Board(self.rows, self.cols), self.layers, NexNotation, tablebase)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """Their colours, unless they may swap them."""
        return () if self.swap else COLOURS

    def next_clicks(self, state: RecordState, chosen: tuple[str, ...]) -> Clicks:
        """Return the cells that may be clicked after those in `chosen`."""
        from dragon_nex.notation import next_clicks

        return next_clicks(Board(self.rows, self.cols), self.layers, state, chosen)

    def clicks(self, move: str) -> tuple[tuple[str, ...], ...]:
        """The orders in which a move's cells may be clicked."""
        from dragon_nex.notation import clicks

        return clicks(move)

    def write_transcript(self, transcript: Transcript) -> str | None:
        """A log of one game; None for what no log tells: options, another start, no moves at all.

        The format is that of `dragon_nex.records`.
        """
        from dragon_nex.records import log, outcome

        if not transcript.moves or transcript.start or self != Nex(self.rows, self.cols):
            return None
        state = self.start()
        for move in transcript.moves:
            state = state.after(move)
        return log(self.rows, self.cols, transcript.moves, transcript.players, outcome(state))

    def read_transcripts(self, text: str) -> list[Transcript]:
        """The games of a log or record; raises BadNotation.

        A record without a size is of this game's board, where its cells are on it.
        """
        from dragon.protocols import Transcript
        from dragon_nex.records import read_records

        found = []
        for record in read_records(text, "the record"):
            rows, cols = record.checked_board()
            if record.size is None and rows <= self.rows and cols <= self.cols:
                rows, cols = self.rows, self.cols
            players = (record.black, record.white) if record.black or record.white else ()
            found.append(Transcript(str(Nex(rows, cols)), record.moves, players=players))
        return found
