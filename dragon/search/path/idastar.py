"""idastar: iterative-deepening A*, which keeps no more than the line that it is on (Korf 1985).

What is asked begins with the root's own promise. A depth-first search then follows every state
that promises as much, and notes the best promise among the others: where nothing that was asked
is found, that is asked next, and no line can be worth more. A state is not followed that comes
back to where the line was two plies before; with a table (Reinefeld and Marsland 1994), none that
has been followed for what is asked from a state at its place that had secured as much.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dragon.bits import u64
from dragon.core import TERMINAL, Limit, Search
from dragon.rules.record import RecordState
from dragon.rules.template import (
    HAS_REDUCE,
    WIDTH,
    kernel,
    moves,
    payoff,
    play,
    reduce,
    turn,
)
from dragon.search.driver import DONE, GROW, PAUSED, KernelDriver, room_for, run_of
from dragon.search.path.patterns import Tables
from dragon.search.path.promise import NOTHING, placed, promise, secured

FRAME = np.dtype(
    [
        ("place", "u8"),
        ("base", "i8"),  # where the ply's moves begin on the stack
        ("n", "i8"),
        ("at", "i8"),  # how many of them have been tried
    ]
)
ENTRY = np.dtype([("place", "u8"), ("asked", "i8"), ("secured", "i8")])
"""A state that was followed: its place, what was asked, and what it had secured."""
RUN = np.dtype(
    [
        ("nodes", "i8"),
        ("stop", "i8"),  # pause when this many nodes have been visited
        ("ply", "i8"),
        ("asked", "i8"),  # units; no line is worth more
        ("next", "i8"),  # the most that is promised by what has been left out
        ("found", "i8"),  # whether a line is worth what was asked
        ("began", "i8"),  # whether the root's moves are listed
    ]
)


class Memory(NamedTuple):
    """The memory of the kernel, for p plies."""

    states: Any  # records[p]
    words: Any  # uint64[p, itemsize / 8], the same memory
    data: Any  # uint8[p, itemsize], and again
    frames: Any  # FRAME[p]
    codes: Any  # int64[any]
    table: Any  # ENTRY[2**k], or none
    patterns: Tables
    runs: Any  # RUN[1]


class IDAStarDriver(KernelDriver):
    """The kernel, and the memory for one line."""

    def __init__(
        self, search: Search, state: RecordState, limit: Limit, tables: Tables, megabytes: float
    ) -> None:
        """megabytes: what the table may take; 0: there is none."""
        rules = state.rules
        held = int(megabytes * 1e6) // ENTRY.itemsize
        entries = 1 << max(4, held).bit_length() - 1 if megabytes else 0
        states = np.zeros(rules.plies + 2, rules.layout)
        m = Memory(
            states=states,
            words=states.view(np.uint64).reshape(len(states), -1),
            data=states.view(np.uint8).reshape(len(states), -1),
            frames=np.zeros(len(states), FRAME),
            codes=np.zeros(room_for(rules), np.int64),
            table=np.zeros(entries, ENTRY),
            patterns=tables,
            runs=run_of(RUN, search),
        )
        super().__init__(__name__, search, state, limit, m)

    def ask_less(self) -> bool:
        """From the root again, for the best that was promised elsewhere."""
        run = self.m.runs[0]
        if run["next"] == NOTHING:
            return False
        run["asked"], run["next"], self.m.frames[0]["at"] = run["next"], NOTHING, 0
        return True

    def extra(self) -> dict[str, Any]:
        """Nothing beside."""
        return {}

    def line(self) -> tuple[str, ...]:
        """The line that was found."""
        frames = self.m.frames[: int(self.m.runs[0]["ply"])]
        return self.moves_of(self.m.codes[frames["base"] + frames["at"] - 1].tolist())


def fresh(table, place, asked, units):
    """Return True if no state at a place was followed for what is asked that had secured as much.

    This one is, then, and its entry takes the place of what was there.
    """
    entry = table[np.int64(place & u64(len(table) - 1))]
    if entry.place == place and entry.asked == asked and entry.secured >= units:
        return False
    entry.place, entry.asked, entry.secured = place, asked, units
    return True


@kernel
def enter(m, d):
    """Lists the moves of ply d."""
    f = m.frames[d]
    f.base = 0 if d == 0 else m.frames[d - 1].base + m.frames[d - 1].n
    f.at = 0
    f.n = moves(m.states[d], m.codes[f.base :])
    if HAS_REDUCE:
        f.n = reduce(m.states[d], m.codes[f.base :], f.n)


@kernel
def follow(m, run, d):
    """Plays the next move of ply d; whether the state after it is to be followed."""
    f, s = m.frames[d], m.states[d + 1]
    m.states[d + 1] = m.states[d]
    play(s, m.codes[f.base + f.at])
    f.at += 1
    run.nodes += 1
    over = turn(s) == TERMINAL
    most = payoff(s, 0) if over else promise(s, m.data[d + 1], m.patterns)
    if most < run.asked:
        run.next = max(run.next, most)
        return False
    if over:
        run.found = 1
        return False
    here = m.frames[d + 1].place = placed(s, m.words[d + 1])
    if here == 0:
        return True
    if d and here == m.frames[d - 1].place and secured(m.states[d - 1]) >= secured(s):
        return False
    return len(m.table) == 0 or fresh(m.table, here, run.asked, secured(s))


@kernel
def resume(m):
    """Goes on until DONE, where what was asked is found or nothing is, or PAUSED at `stop`."""
    run = m.runs[0]
    if run.stop == 0:
        return PAUSED
    if not run.began:
        run.began, run.asked, run.next = 1, promise(m.states[0], m.data[0], m.patterns), NOTHING
        m.frames[0].place = placed(m.states[0], m.words[0])
        enter(m, 0)
    d = run.ply
    while not run.found:
        f = m.frames[d]
        if f.at == f.n:
            if d == 0:
                return DONE
            d -= 1
            run.ply = d
            continue
        if run.nodes >= run.stop:
            return PAUSED
        if f.base + f.n + WIDTH > len(m.codes):
            return GROW
        if follow(m, run, d):
            d += 1
            run.ply = d
            enter(m, d)
    run.ply = d + 1
    return DONE
