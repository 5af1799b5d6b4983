"""Watchdog: a thread that notices a compiled rule that does not return, names it, ends the process.

Compiled code looks at no clock and hears no Ctrl-C. Whoever runs it in slices does so between
two of them, which a rule that goes round for ever never allows. The watchdog looks at the frames
of the other threads. Where one has stood at the same call for a second, and records of a game
are in reach there, it runs that game's rules from these records on in checked code, of which
every loop ends. What it finds is told; compiled code cannot be stopped but by ending the process.
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
from types import FrameType
from typing import Any

from attrs import define

from dragon.blame import Endless
from dragon.errors import DragonError
from dragon.rehearsal import FIRST_PLIES, Mishap, records_of, rehearse
from dragon.rules import Rules
from dragon.stderr import say

LOOK = 0.25
"""Seconds between two looks."""
PATIENCE = 1.0
"""Seconds for which a call may last before it is looked into; then twice as long, and so on."""
DEAF = 1.5
"""Seconds after Ctrl-C for which a call of compiled code may go on."""
NEAR = 3
"""Frames at the end of a stack in which the records of a call are looked for."""
MOST, PLIES = 200, 100
"""Records that are looked into, and the plies that are played from each but the first."""
FAILED, INTERRUPTED = 2, 130


@define
class _Call:
    """A call at which a thread stands."""

    frame: FrameType
    at: int
    """The instruction in its frame."""
    since: float
    due: float
    """When it is looked into."""


Scene = dict[tuple[Rules, bytes], int]
"""The records in reach of a call, and the plies that are to be played from each."""


def watch(tell: Callable[[str], object] = say) -> None:
    """Begins to watch the threads of this process; to be called by its main thread, once.

    tell: is given the sentence with which the process ends.
    """
    if not any(isinstance(each, _Watchdog) for each in threading.enumerate()):
        _Watchdog(tell).start()


class _Watchdog(threading.Thread):
    def __init__(self, tell: Callable[[str], object]) -> None:
        super().__init__(name="watchdog", daemon=True)
        self.tell = tell
        self.calls: dict[int, _Call] = {}
        """By thread the call of compiled rules that it stands at."""
        self.inquiry: threading.Thread | None = None
        """Looks into a call."""
        self.pressed: float | None = None
        """When Ctrl-C was pressed."""
        self.pipe = _wakeup()

    def run(self) -> None:
        while True:
            self._listen()
            now, own = time.monotonic(), {threading.get_ident()}
            if self.inquiry is not None:
                own.add(self.inquiry.ident or 0)
            self.calls = {
                thread: self._call(thread, frame, now)
                for thread, frame in sys._current_frames().items()
                if thread not in own and _near(frame)
            }
            if self.pressed is not None and now > self.pressed + DEAF:
                self._interrupt(self.pressed)
                self.pressed = None
            for thread, call in self.calls.items():
                busy = self.inquiry is not None and self.inquiry.is_alive()
                if now > call.due and not busy:
                    call.due = now + (now - call.since)
                    inquiry = threading.Thread(
                        target=_look_into, args=(thread, call, self.tell), daemon=True
                    )
                    self.inquiry = inquiry
                    inquiry.start()

    def _call(self, thread: int, frame: FrameType, now: float) -> _Call:
        known = self.calls.get(thread)
        if known is not None and known.frame is frame and known.at == frame.f_lasti:
            return known
        return _Call(frame, frame.f_lasti, now, now + PATIENCE)

    def _listen(self) -> None:
        """Waits for the next look; notes a Ctrl-C."""
        if self.pipe is None:
            time.sleep(LOOK)
        elif select.select([self.pipe], [], [], LOOK)[0] and (
            signal.SIGINT in os.read(self.pipe, 64) and self.pressed is None
        ):
            self.pressed = time.monotonic()

    def _interrupt(self, pressed: float) -> None:
        """Ends the process if the main thread is still in the call in which Ctrl-C found it."""
        call = self.calls.get(threading.main_thread().ident or 0)
        if call is not None and call.since < pressed:
            label = _near(call.frame)[0][1].label
            _end(
                self.tell, f"interrupted; the compiled code of {label} did not return", INTERRUPTED
            )


def _wakeup() -> int | None:
    """A file that tells of signals as they come, also while compiled code runs; None: no such."""
    if threading.current_thread() is not threading.main_thread() or os.name != "posix":
        return None
    mine, theirs = os.pipe()
    os.set_blocking(theirs, False)
    before = signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    if before == -1:
        return mine
    signal.set_wakeup_fd(before)  # somebody else listens
    os.close(mine)
    os.close(theirs)
    return None


def _near(frame: FrameType) -> list[tuple[Any, Rules, dict[str, Any]]]:
    """Who has rules at the end of a stack: the owner, its rules, and the names in its frame."""
    found, near = [], frame
    for _ in range(NEAR):
        held = near.f_locals
        for owner in list(held.values()):
            own = getattr(owner, "__dict__", None)
            rules = own.get("rules") if type(own) is dict else None
            if isinstance(rules, Rules):
                found.append((owner, rules, held))
        if near.f_back is None:
            break
        near = near.f_back
    return found


def _scene(frame: FrameType) -> Scene:
    """The records in reach of a call."""
    found: Scene = {}
    for owner, rules, held in _near(frame):
        data = held.get("data")
        if isinstance(data, bytes) and len(data) == rules.layout.itemsize:
            found[rules, data] = FIRST_PLIES
        for records in records_of(owner):
            for i in range(min(MOST, len(records))):
                found.setdefault((rules, records[i].tobytes()), PLIES if i else FIRST_PLIES)
    return found


def _look_into(thread: int, call: _Call, tell: Callable[[str], object]) -> None:
    """Ends the process if a rule goes round for ever from a record in reach of this call.

    A kernel that is only busy changes its records: what changes between two looks is left out.
    """
    before = _scene(call.frame)
    time.sleep(LOOK)
    if sys._current_frames().get(thread) is not call.frame or call.frame.f_lasti != call.at:
        return
    scene = [each for each in _scene(call.frame).items() if each[0] in before]
    found = (_endless(rules, data, plies) for (rules, data), plies in scene)
    mishaps = [mishap for mishap in found if mishap is not None]
    if mishaps:
        shortest = min(mishaps, key=lambda mishap: len(mishap.moves))
        _end(tell, f"dragon: {shortest.whole()}; this ends the process", FAILED)


def _endless(rules: Rules, data: bytes, plies: int) -> Mishap | None:
    """What keeps these rules from coming to an end from a record on."""
    with suppress(DragonError):  # of what cannot be compiled to be checked, nothing is known
        mishap = rehearse(rules, data, plies, tries=1)
        if mishap is not None and (
            plies == FIRST_PLIES or isinstance(mishap.error.__cause__, Endless)
        ):
            return mishap
    return None


def _end(tell: Callable[[str], object], sentence: str, code: int) -> None:
    tell(sentence)
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    os._exit(code)
