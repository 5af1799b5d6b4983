"""idastar: iterative-deepening A*, which keeps the current line alone (Korf 1985).

The first target value is the upper bound of the root. A depth-first search follows every state
whose upper bound is at least that, and notes the best bound of the others. If it does not find a
line of that value, the noted bound is the next one, and no line is worth more. It does not follow a
state at the place of the state two plies before. With a table (Reinefeld and Marsland 1994) it also
does not follow one at a place from which a state that had secured as much was followed in the same
iteration.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dragon.bits import u64
from dragon.core import TERMINAL, Limit, Search
from dragon.rules.record import RecordState
from dragon.rules.template import WIDTH, kernel, payoff, play, turn
from dragon.search.driver import DONE, GROW, PAUSED, room_for, run_of
from dragon.search.path.patterns import (
    NOTHING,
    RUN_FIELDS,
    ProvingDriver,
    Tables,
    listed,
    placed,
    promise,
    secured,
)

FRAME = np.dtype(
    [
        ("place", "u8"),
        ("base", "i8"),  # the first of the ply's moves on the stack
        ("n", "i8"),
        ("at", "i8"),  # the number of moves that have been tried
    ]
)
ENTRY = np.dtype([("place", "u8"), ("asked", "i8"), ("secured", "i8")])
"""A state that was followed: its place, the target value, and the units secured."""
RUN = np.dtype([*RUN_FIELDS, ("began", "i8")])  # whether the root's moves are listed
RESULTS = np.dtype([("found", "i8")])  # whether a line pays `asked`


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
    results: Any  # RESULTS[1]


class IDAStarDriver(ProvingDriver):
    """The kernel, and the memory for one line."""

    def __init__(
        self, search: Search, state: RecordState, limit: Limit, tables: Tables, megabytes: float
    ) -> None:
        """megabytes: the memory of the table; 0 for none."""
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
            runs=run_of(RUN),
            results=run_of(RESULTS),
        )
        super().__init__(__name__, search, state, limit, m)

    def ask_less(self) -> bool:
        """Start again at the root with the next upper bound; return False if there is none."""
        self.m.frames[0]["at"] = 0
        return super().ask_less()

    def line(self) -> tuple[str, ...]:
        frames = self.m.frames[: int(self.m.runs[0]["ply"])]
        return self.moves_of(self.m.codes[frames["base"] + frames["at"] - 1].tolist())


def fresh(table, place, asked, units):
    """Return False if a state at this place that had secured as much was followed for `asked`.

    Otherwise replace the entry by this state.
    """
    entry = table[np.int64(place & u64(len(table) - 1))]
    if entry.place == place and entry.asked == asked and entry.secured >= units:
        return False
    entry.place, entry.asked, entry.secured = place, asked, units
    return True


@kernel
def enter(m, d):
    """List the moves of ply d."""
    f = m.frames[d]
    f.base = 0 if d == 0 else m.frames[d - 1].base + m.frames[d - 1].n
    f.at = 0
    f.n = listed(m.states[d], m.codes[f.base :])


@kernel
def follow(m, run, d):
    """Play the next move of ply d; return whether to follow the state after it."""
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
        m.results[0].found = 1
        return False
    here = m.frames[d + 1].place = placed(s, m.words[d + 1])
    if here == 0:
        return True
    if d and here == m.frames[d - 1].place and secured(m.states[d - 1]) >= secured(s):
        return False
    return len(m.table) == 0 or fresh(m.table, here, run.asked, secured(s))


@kernel
def resume(m):
    """Search until a line pays `asked` or none does (DONE), or `stop` nodes (PAUSED)."""
    run = m.runs[0]
    if run.stop == 0:
        return PAUSED
    if not run.began:
        run.began, run.asked, run.next = 1, promise(m.states[0], m.data[0], m.patterns), NOTHING
        m.frames[0].place = placed(m.states[0], m.words[0])
        enter(m, 0)
    d = run.ply
    while not m.results[0].found:
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
