"""Timekeeper: ends the worker processes whose player does not come back.

It reads in their notes which questions are open. A timer within the worker would be a thread for
every question, which takes longer than a quick game does. Time in which a worker is stopped
(SIGSTOP), and time in which this process does not run itself, counts for nothing.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from pathlib import Path

from attrs import define

from dragon_tournament.executors import process_group
from dragon_tournament.executors.process_group import alive
from dragon_tournament.records.in_flight import TRACE, question

LOOK = 0.25  # seconds between two looks


@define
class _Open:
    """A question that has not been answered."""

    asked: float
    spared: float = 0.0
    """Seconds that do not count."""
    warned: bool = False
    """Whether its process has been told to write down where it is."""


class Timekeeper(threading.Thread):
    """Looks at the notes in a folder again and again, from `start` to `close`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(name="timekeeper", daemon=True)
        self.folder = folder
        self.ended: set[int] = set()
        """Processes that it has ended; they may be taken out when this is known."""
        self._open: dict[Path, _Open] = {}
        self._last = time.monotonic()
        self._closing = threading.Event()

    def run(self) -> None:
        while not self._closing.wait(LOOK):
            self.look(time.monotonic())

    def close(self) -> None:
        """Ends the thread."""
        self._closing.set()
        if self.is_alive():
            self.join()

    def look(self, now: float) -> None:
        """Looks at all open questions; `now` is a time.monotonic()."""
        passed, self._last = now - self._last, now
        before, self._open = self._open, {}
        for path in self.folder.glob("*.jsonl"):
            if (found := question(path)) is None:
                continue
            pid, asked, patience = found
            held = before.get(path)
            if held is None or held.asked != asked:
                held = _Open(asked)
            self._open[path] = held
            state = process_group.state(pid)
            if state == "T":
                held.spared += passed
            elif passed > 4 * LOOK:
                held.spared += passed - LOOK
            if state == "Z":  # the process that waits for it will tell how it ended
                continue
            if held.warned:
                if alive(pid) and pid in process_group.all_in(self.folder):
                    self.ended.add(pid)  # before anybody can hear of it
                    process_group.end(pid)
            elif now > asked + patience + held.spared:
                held.warned = True
                with suppress(OSError):
                    os.kill(pid, TRACE or 0)
