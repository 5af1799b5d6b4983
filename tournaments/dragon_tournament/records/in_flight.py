"""The notes of games in progress, which outlive the process that plays them.

A line of JSON before and after every question put to a player, and the record of every game
that has ended. When the process dies, they show which games it had finished, whose turn it
was in the next one, and what had been played there. A process that is sent the signal TRACE
writes down where it is, whatever it is at (faulthandler).
"""

from __future__ import annotations

import errno
import faulthandler
import json
import os
import signal
import time
from pathlib import Path
from typing import Any

from attrs import Factory, define, field, frozen

from dragon.errors import TournamentError
from dragon_tournament.records.record import Reason, Record

NOBODY = -1
TRACE: int | None = getattr(signal, "SIGUSR2", None)
"""The signal on which a process writes where its player is; None where there is none such."""
LONGEST = 4096  # bytes of a note that puts a question, at most
BEREFT = 87  # the exit code of a worker in which a player has closed, or used up, the files


@frozen(kw_only=True)
class ProcessDeath:
    """A player, by its seat, that brought its process down, and the game until then."""

    seat: int
    reason: Reason
    detail: str
    moves: tuple[Any, ...] = ()
    nodes: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()


@define
class InFlightLog:
    """The notes of the games of one job. Without a folder nothing is written or timed.

    Every method that writes raises TournamentError where the notes cannot be kept.
    """

    folder: Path | None = None
    id: str = ""
    _notes: Any = field(default=None, init=False)
    _trace: Any = field(default=None, init=False)

    def open(self) -> None:
        """Start the files; the process that plays calls this."""
        if self.folder is not None:
            try:
                self._notes = open(self.path, "ab", buffering=0)  # noqa: SIM115 - see close()
                self._trace = open(self.trace_path, "wb", buffering=0)  # noqa: SIM115
            except OSError as wrong:
                raise self._lost(wrong) from None
            faulthandler.enable(self._trace, all_threads=True)
            if TRACE is not None:
                faulthandler.register(TRACE, self._trace, all_threads=True)
            self._note({"pid": os.getpid()})

    @property
    def supervised(self) -> bool:
        """Return True if another process reads the notes when this process dies."""
        return self._notes is not None

    def _lost(self, wrong: OSError) -> TournamentError:
        """Raise the error that ends the run; end the process if a player removed the files."""
        if wrong.errno in (errno.EBADF, errno.EMFILE):
            os._exit(BEREFT)
        return TournamentError(
            f"the notes of a game cannot be kept in {self.folder}: {wrong.strerror or wrong}; "
            f"make room there, or set TMPDIR to another folder"
        )

    @property
    def path(self) -> Path:
        """The notes."""
        assert self.folder is not None
        return self.folder / f"{self.id}.jsonl"

    @property
    def trace_path(self) -> Path:
        """The file that says where a player was when its process died."""
        return self.path.with_suffix(".trace")

    def _note(self, table: dict[str, Any]) -> None:
        if self._notes is not None:
            try:
                self._notes.write(json.dumps(table).encode() + b"\n")
            except OSError as wrong:
                raise self._lost(wrong) from None

    def begin(self, game: str) -> None:
        """The game of that id begins."""
        self._note({"game": game})

    def shared(self, name: str, add: str) -> str:
        """Add to a note that all processes of the run share; return what was in it."""
        if self.folder is None:
            return ""
        try:
            with open(self.folder / f"{name}.note", "a+") as note:
                note.seek(0)
                before = note.read()
                note.write(add)
        except OSError as wrong:
            raise self._lost(wrong) from None
        return before

    def asked(self, seat: int, patience: float) -> None:
        """Note a question to `seat`, which has `patience` seconds before the process is ended."""
        self._note({"seat": seat, "patience": patience, "at": time.monotonic()})

    def answered(self, seat: int, seconds: float, nodes: int) -> None:
        """Note that `seat` has answered."""
        self._note({"back": seat, "seconds": seconds, "nodes": nodes})

    def played(self, move: str) -> None:
        """A move was made on the board."""
        self._note({"move": move})

    def doomed(self, why: str) -> None:
        """Note the reason for which this process is about to be ended."""
        self._note({"why": why})

    def ended(self, record: Record) -> None:
        """A game has its record."""
        self._note({"record": record.to_line()})

    def close(self) -> None:
        """End the notes: every game of the job has its record."""
        if self._notes is not None:
            if TRACE is not None:
                faulthandler.unregister(TRACE)
            faulthandler.disable()
            self._notes.close()
            self._trace.close()
            self._notes = self._trace = None

    def remove(self) -> None:
        """Delete the files, if there are any."""
        if self.folder is not None:
            self.path.unlink(missing_ok=True)
            self.trace_path.unlink(missing_ok=True)


@define
class InFlightState:
    """The content of the notes: the job, and the game that was in progress."""

    pid: int | None = None
    """The process, if it has begun."""
    records: list[Record] = Factory(list)
    """The records of the games that it has finished."""
    game: str = ""
    """The id of the game in progress; empty where none was."""
    seat: int = NOBODY
    patience: float = 0.0
    why: str = ""
    moves: list[str] = Factory(list)
    nodes: dict[int, int] = Factory(dict)
    seconds: dict[int, float] = Factory(dict)

    def add(self, note: dict[str, Any]) -> None:
        """Update the state of the game by one note."""
        if "pid" in note:
            self.pid = note["pid"]
        elif "game" in note:
            self._next(note["game"])
        elif "seat" in note:
            self.seat, self.patience = note["seat"], note["patience"]
        elif "back" in note:
            seat, self.seat = note["back"], NOBODY
            self.nodes[seat] = self.nodes.get(seat, 0) + note["nodes"]
            self.seconds[seat] = self.seconds.get(seat, 0.0) + note["seconds"]
        elif "move" in note:
            self.moves.append(note["move"])
        elif "why" in note:
            self.why = note["why"]
        else:
            self.records.append(Record.from_line(note["record"]))
            self._next("")

    def _next(self, game: str) -> None:
        self.game, self.seat, self.moves, self.nodes, self.seconds = game, NOBODY, [], {}, {}


def in_flight_state(notes: InFlightLog) -> InFlightState:
    """Return the state that the notes so far describe."""
    state = InFlightState()
    try:
        lines = notes.path.read_bytes().split(b"\n")
    except FileNotFoundError:  # the process died before it began
        return state
    for line in lines[:-1]:  # what follows the last newline was never finished
        state.add(json.loads(line))
    return state


def question(path: Path) -> tuple[int, float, float] | None:
    """The open question in notes: the process, the time it was asked, and its seconds.

    The time is one of time.monotonic(). None where no question is open.
    """
    try:
        with path.open("rb") as notes:
            first = notes.readline()
            notes.seek(max(0, notes.seek(0, os.SEEK_END) - LONGEST))
            last = notes.read().split(b"\n")[-2:][0]
        note = json.loads(last) if b'"patience"' in last else {}
        return (json.loads(first)["pid"], note["at"], note["patience"]) if "at" in note else None
    except (FileNotFoundError, ValueError):  # it has just been removed, or is being written
        return None


def process_death(notes: InFlightLog, seats: int, how: str, stalled: bool = False) -> ProcessDeath:
    """The outcome of the game in progress; `how` describes the death of the process.

    stalled: it was ended since its player did not come back.
    The seat is NOBODY if no player was being asked.
    """
    state = in_flight_state(notes)
    try:
        trace = notes.trace_path.read_text(errors="replace").strip()
    except FileNotFoundError:
        trace = ""
    if stalled:
        state.seconds[state.seat] = state.seconds.get(state.seat, 0.0) + state.patience
        detail = f"did not come back within {state.patience:g} seconds\n{trace}"
    else:
        detail = state.why or f"{how}\n{trace}".strip()
    return ProcessDeath(
        seat=state.seat,
        reason=Reason.TIMEOUT if stalled else Reason.CRASH,
        detail=detail,
        moves=tuple(state.moves),
        nodes=tuple(state.nodes.get(k, 0) for k in range(seats)),
        seconds=tuple(round(state.seconds.get(k, 0.0), 6) for k in range(seats)),
    )
