"""Watchdog: a thread that names a compiled rule that loops for ever, and ends the process.

Compiled code reads no clock and handles no Ctrl-C. A search that runs it in slices does both
between two slices, which never happens if a rule loops for ever. When a call of compiled code has
lasted for a second, the watchdog continues the game from the records of that call in checked code,
where every loop is limited. If it finds a rule that loops, it reports that and ends the process,
since nothing else stops compiled code.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from dragon.compiler.location import Endless
from dragon.errors import DragonError
from dragon.process import say

if TYPE_CHECKING:  # in functions instead, as commands that compile nothing do without them
    from dragon.rules.rehearsal import Mishap
    from dragon.rules.rules import Rules

LOOK = 0.25
"""Seconds between two looks."""
PATIENCE = 1.0
"""Seconds after which a call is looked into; then twice as long, and so on."""
DEAF = 1.5
"""The seconds that a call may still take after Ctrl-C."""
STILL = 5.0
"""Seconds of processor time within which a kernel that was asked for a few thousand nodes has to
count one."""
MOST, PLIES = 200, 100
"""Records of an array that are looked into, and the plies played from each except the first."""
FAILED, INTERRUPTED = 2, 130


def watch(report: Callable[[str], object] = say, kernels: bool = False) -> None:
    """Begin to watch the compiled code of this process; the main thread calls this once.

    report: gets the sentence with which the process ends. kernels: whether kernels of searches are
    watched as well as rules; for laws, which ask them for few nodes.
    """
    if not any(isinstance(each, _Watchdog) for each in threading.enumerate()):
        _Watchdog(report, kernels).start()


class _Watchdog(threading.Thread):
    def __init__(self, report: Callable[[str], object], kernels: bool) -> None:
        super().__init__(name="watchdog", daemon=True)
        self.report, self.kernels = report, kernels
        self.since: dict[int, float] = {}
        """The time when each call in progress was first seen, by its number."""
        self.due: dict[int, float] = {}
        """The time when it is looked into next."""
        self.counted: dict[int, tuple[int, float]] = {}
        """The nodes that a kernel had counted, and this process's time when they last changed."""
        self.pressed = 0.0
        """The time when Ctrl-C was pressed."""
        self.inquiry: threading.Thread | None = None
        """The thread that looks into a call."""
        self.pipe = _wakeup()

    def run(self) -> None:
        while True:
            self._listen()
            now, own = time.monotonic(), self.inquiry and self.inquiry.ident
            running = {call: thread for call, thread in _calls().items() if thread != own}
            self.since = {call: self.since.get(call, now) for call in running}
            self.due = {call: self.due.get(call, now + PATIENCE) for call in running}
            if self.pressed and now > self.pressed + DEAF:
                deaf = [call for call in running if self.since[call] < self.pressed]
                self.pressed = 0.0
                if deaf:
                    self._interrupt(running[deaf[0]])
            if self.inquiry is not None and not self.inquiry.is_alive():
                self.inquiry = None
            if self.kernels:
                self._look_at_kernels(running)
            late = [call for call in running if now > self.due[call]]
            if late and self.inquiry is None:
                call = min(late, key=self.due.__getitem__)
                self.due[call] = now + (now - self.since[call])
                given = call, running[call]
                self.inquiry = threading.Thread(target=self._look_into, args=given, daemon=True)
                self.inquiry.start()

    def _listen(self) -> None:
        """Wait for the next look; note a Ctrl-C."""
        if self.pipe is None:
            time.sleep(LOOK)
        elif select.select([self.pipe], [], [], LOOK)[0] and (
            signal.SIGINT in os.read(self.pipe, 64) and not self.pressed
        ):
            self.pressed = time.monotonic()

    def _interrupt(self, thread: int) -> None:
        """End the process: a thread's compiled code has not returned since Ctrl-C was pressed."""
        last = _last_called(thread)
        label = last[0].label if last else "dragon"
        _end(self.report, f"interrupted; the compiled code of {label} did not return", INTERRUPTED)

    def _look_at_kernels(self, running: dict[int, int]) -> None:
        """End the process if a kernel neither returns nor counts a node any more."""
        now, before = time.process_time(), self.counted
        self.counted = {}
        for call, thread in running.items():
            last_called = _last_called(thread)
            owner = last_called[1] if last_called else None
            if not callable(owner) or (nodes := _nodes(kernel := owner())) is None:
                continue
            last = before.get(call, (nodes, now))
            self.counted[call] = last if last[0] == nodes else (nodes, now)
            if now - self.counted[call][1] > STILL and not self.inquiry and call in _calls():
                reason = (
                    f"does not return: it counted {nodes:,} nodes, and in {STILL:g} seconds none "
                    "since; does one of its loops never end?"
                )
                _end(self.report, f"dragon: {kernel.refusal(reason)}; this ends the process",
                     FAILED)  # fmt: skip

    def _look_into(self, call: int, thread: int) -> None:
        """End the process if a rule loops for ever from a record of a call.

        A kernel that makes progress changes its records, so records that change between two looks
        are skipped.
        """
        if (last := _last_called(thread)) is None:
            return
        rules, source = last
        before = _records(source)
        time.sleep(LOOK)
        records = [each for each in _records(source).items() if each[0] in before]
        if call not in _calls():  # else the records are still those that it was given
            return
        found = (_endless(rules, data, plies) for data, plies in records)
        mishaps = [mishap for mishap in found if mishap is not None]
        if mishaps and call in _calls():
            shortest = min(mishaps, key=lambda mishap: len(mishap.moves))
            _end(self.report, f"dragon: {shortest.with_moves()}; this ends the process", FAILED)


def _calls() -> dict[int, int]:
    """Return the calls of compiled code in progress; none before that module is imported."""
    ask = getattr(sys.modules.get("dragon.compiler.entries"), "calls", dict)
    found: dict[int, int] = ask()
    return found


def _last_called(thread: int) -> tuple[Rules, Any] | None:
    """Return the rules that a thread called last, and their record or a reference to its owner."""
    from dragon.rules.rule_errors import LAST_CALLED

    return LAST_CALLED.get(thread)


def _wakeup() -> int | None:
    """Return a file that receives signals even while compiled code runs; None if there is none."""
    if threading.current_thread() is not threading.main_thread() or os.name != "posix":
        return None
    mine, theirs = os.pipe()
    os.set_blocking(theirs, False)
    before = signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    if before == -1:
        return mine
    signal.set_wakeup_fd(before)  # another part of the process listens
    os.close(mine)
    os.close(theirs)
    return None


def _nodes(owner: Any) -> int | None:
    """Return the nodes that a kernel at work has counted; None for other objects."""
    runs = getattr(getattr(owner, "m", None), "runs", None)
    if runs is None or "nodes" not in (runs.dtype.names or ()) or not hasattr(owner, "refusal"):
        return None
    return int(runs["nodes"][0])


def _records(source: Any) -> dict[bytes, int]:
    """Return the records of a call, and the plies to be played from each."""
    from dragon.rules.rehearsal import FIRST_PLIES, records_of

    if isinstance(source, bytes):
        return {source: FIRST_PLIES}
    found: dict[bytes, int] = {}
    if (owner := source()) is not None:
        for records in records_of(owner):
            for i in range(min(MOST, len(records))):
                if i == 0 or any(records[i].tobytes()):  # it was never used
                    found.setdefault(records[i].tobytes(), PLIES if i else FIRST_PLIES)
    return found


def _endless(rules: Rules, data: bytes, plies: int) -> Mishap | None:
    """Return a game, from a record on, in which a rule loops for ever; None if none is found."""
    from dragon.rules.rehearsal import rehearse

    with suppress(DragonError):  # rules that cannot be compiled as checked code are not examined
        mishap = rehearse(rules, data, plies, tries=1)
        cause = None if mishap is None else mishap.error.__cause__
        if isinstance(cause, Endless) or "goes on for more than" in str(cause):
            return mishap
    return None


def _end(report: Callable[[str], object], sentence: str, code: int) -> None:
    report(sentence)
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    os._exit(code)
