"""More players for tests: each does one thing that no player may do to the process it is in."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator

from attrs import field, frozen
from attrs.validators import in_

from dragon import Result, Search, hookimpl

_kept: list[bytearray] = []


def leak(state):
    """Ten megabytes more at every question."""
    _kept.append(bytearray(10 << 20))


def burst(state):
    """Use as much as it can get, at once."""
    while True:
        _kept.append(bytearray(50 << 20))


def hoard(state):
    """Ask for too much, and play on without."""
    try:
        return bytearray(4 << 30)
    except MemoryError:
        return None


def fork(state):
    """A second process that comes back with an answer of its own."""
    os.fork()


def litter(state):
    """A process that stays behind."""
    if os.fork() == 0:
        time.sleep(600)
        os._exit(0)


def desert(state):
    """A process that leaves the session and its parent, and has no environment."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve(shutil.which("sleep"), ["sleep", "606"], {})
        os._exit(0)
    os.wait()


def flood(state):
    """Megabytes on stdout and stderr."""
    for _ in range(4):
        os.write(1, b"n" * (1 << 20))
        print("o" * (1 << 16), file=sys.stderr)


def deaf(state):
    """Never ends, and cannot be asked to."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(60)


def tamper(state):
    """Changes the state it was given, which is frozen, so that it has won."""
    object.__setattr__(state, "left", 1)


DEEDS = {
    deed.__name__: deed for deed in (leak, burst, hoard, fork, litter, desert, flood, deaf, tamper)
}


@frozen
class Rogue(Search):
    """The first legal move; its deed is done at every question of more than one node."""

    name = "rogue"
    proves = False
    deed: str = field(default="leak", validator=in_(DEEDS))

    def improve(self, state, limit, rng) -> Iterator[Result]:
        """One answer."""
        move = state.moves()[0]
        if limit.simulations != 1:
            DEEDS[self.deed](state)
        yield Result(0.0, line=(move,), nodes=1)


@hookimpl
def dragon_searches() -> list[type[Search]]:
    """The player."""
    return [Rogue]
