"""Journal: the notes of a game in progress, which outlive the process that plays it.

A line of JSON before and after every question put to a player. When the process dies,
they tell whose turn it was and what had been played. A C-level timer (faulthandler)
ends a process whose player never comes back, and writes where it was.
"""

from __future__ import annotations

import faulthandler
import json
import os
from pathlib import Path
from typing import Any

from attrs import Factory, define, field, frozen

from dragon_tournament.record import Reason

NOBODY = -1


@frozen(kw_only=True)
class Casualty:
    """A player, by its seat, that brought its process down, and the game until then."""

    seat: int
    reason: Reason
    detail: str
    moves: tuple[Any, ...] = ()
    nodes: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()


@define
class Journal:
    """The notes of one game. Without a folder nothing is written and nothing is timed."""

    folder: Path | None = None
    id: str = ""
    _notes: Any = field(default=None, init=False)
    _trace: Any = field(default=None, init=False)

    def open(self) -> None:
        """Starts the files; call it in the process that plays."""
        if self.folder is not None:
            self._notes = open(self.path, "ab", buffering=0)  # noqa: SIM115 - closed by close()
            self._trace = open(self.trace_path, "wb", buffering=0)  # noqa: SIM115
            faulthandler.enable(self._trace, all_threads=True)
            self._note({"pid": os.getpid()})

    @property
    def path(self) -> Path:
        """The notes."""
        assert self.folder is not None
        return self.folder / f"{self.id}.jsonl"

    @property
    def trace_path(self) -> Path:
        """Where a player was when its process died."""
        return self.path.with_suffix(".trace")

    def _note(self, table: dict[str, Any]) -> None:
        if self._notes is not None:
            self._notes.write(json.dumps(table).encode() + b"\n")

    def asked(self, seat: int, patience: float) -> None:
        """`seat` is put a question and has `patience` seconds before the process ends."""
        if self._notes is not None:
            self._note({"seat": seat, "patience": patience})
            faulthandler.dump_traceback_later(patience, exit=True, file=self._trace)

    def answered(self, seat: int, seconds: float, nodes: int) -> None:
        """`seat` has come back."""
        if self._notes is not None:
            faulthandler.cancel_dump_traceback_later()
            self._note({"back": seat, "seconds": seconds, "nodes": nodes})

    def played(self, move: str) -> None:
        """A move was made on the board."""
        self._note({"move": move})

    def close(self) -> None:
        """Ends the notes; what they said is in the record."""
        if self._notes is not None:
            faulthandler.cancel_dump_traceback_later()
            faulthandler.disable()
            self._notes.close()
            self._trace.close()
            self._notes = self._trace = None

    def remove(self) -> None:
        """Deletes the files, where there are any."""
        if self.folder is not None:
            self.path.unlink(missing_ok=True)
            self.trace_path.unlink(missing_ok=True)


@define
class _Story:
    pid: int | None = None
    seat: int = NOBODY
    patience: float = 0.0
    moves: list[str] = Factory(list)
    nodes: dict[int, int] = Factory(dict)
    seconds: dict[int, float] = Factory(dict)


def _read(journal: Journal) -> _Story:
    story = _Story()
    try:
        lines = journal.path.read_bytes().split(b"\n")
    except FileNotFoundError:  # the process died before it began
        return story
    for line in lines[:-1]:  # what follows the last newline was never finished
        note = json.loads(line)
        if "pid" in note:
            story = _Story(pid=note["pid"])
        elif "seat" in note:
            story.seat, story.patience = note["seat"], note["patience"]
        elif "back" in note:
            seat, story.seat = note["back"], NOBODY
            story.nodes[seat] = story.nodes.get(seat, 0) + note["nodes"]
            story.seconds[seat] = story.seconds.get(seat, 0.0) + note["seconds"]
        else:
            story.moves.append(note["move"])
    return story


def process_of(journal: Journal) -> int | None:
    """The process that plays the game, if one has begun."""
    return _read(journal).pid


def casualty(journal: Journal, seats: int, death: str) -> Casualty:
    """What became of a game whose process died; `death` says how, as far as the parent saw.

    The seat is NOBODY if no player was being asked.
    """
    story = _read(journal)
    try:
        trace = journal.trace_path.read_text(errors="replace").strip()
    except FileNotFoundError:
        trace = ""
    stalled = trace.startswith("Timeout (")
    if stalled:
        story.seconds[story.seat] = story.seconds.get(story.seat, 0.0) + story.patience
        detail = f"did not come back within {story.patience:g} seconds\n{trace}"
    else:
        detail = f"{death}\n{trace}".strip()
    return Casualty(
        seat=story.seat,
        reason=Reason.TIMEOUT if stalled else Reason.CRASH,
        detail=detail,
        moves=tuple(story.moves),
        nodes=tuple(story.nodes.get(k, 0) for k in range(seats)),
        seconds=tuple(round(story.seconds.get(k, 0.0), 6) for k in range(seats)),
    )
