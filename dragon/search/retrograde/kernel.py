"""The kernel of retrograde analysis: the values of all positions, level by level from the ends.

First every position gets a code: how many moves it has, or how the game has ended. A level is a
distance to the end in plies. On each level, the positions settled on the last one are propagated to
their predecessors, by the rule `before` or by the edges of a list; each predecessor counts its
moves that are still unknown (Thompson 1986). A position is settled when one of its moves is known
to win, or when all its moves are known (where there are scores: only then). Positions that are
never settled are draws, since either side can stay in a cycle.

Propagation has two steps: entries are written into lists, one for each part of the codes, and then
applied part by part. So several threads can do both: each has its own lists, no two write to the
same part, and a part fits into the processor's cache. Without `before`, a sweep on each level
examines all positions that are not settled, and their successors (`verification`). The result of a
level does not depend on the order of work, since only earlier levels are read.

The drivers are at the end of the file: a thread with its memory, and a list of positions. `making`,
which orders the levels, stays apart from them.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call,assignment"

from __future__ import annotations

import time
from collections import deque
from typing import Any

import numpy as np

from dragon.bits import bit, ctz, shr
from dragon.core import TERMINAL
from dragon.errors import Objection, SearchError
from dragon.rules.record import RecordState
from dragon.rules.rules import Rules
from dragon.rules.template import (
    HAS_BANKED,
    HAS_BEFORE,
    WIDTH,
    before,
    kernel,
    moves,
    payoff,
    turn,
)
from dragon.search.driver import DONE, PAUSED, Kernel, words_of
from dragon.search.retrograde.positions import (
    ASKED,
    BATCH,
    BLOCK,
    COUNT,
    CROWDED,
    DRAWABLE,
    DRAWN,
    EDGE,
    FOR_LISTS,
    FOUND,
    FULL,
    HEARD,
    LIST,
    LISTED,
    LOST,
    NODE,
    NONE,
    PART,
    RESULTS,
    RUN,
    SETTLED,
    SLOT,
    WON,
    WRONG,
    Memory,
    list_positions,
    meet,
    result_of,
)
from dragon.search.retrograde.table import CODE
from dragon.search.retrograde.verification import follow, open_rank
from dragon.search.two_sided import MOST_IN_ENTRY

SPARE = BATCH + 2 * WIDTH
"""Entries that may be written into a list before it is reported full."""


@kernel
def count(m, run):
    """Give each position its first code."""
    for at in range(run.at, run.end):
        m.codes[at] = count_listed(m, run, at) if LISTED else count_numbered(m, run, at)
    return DONE


@kernel
def count_numbered(m, run, number):
    """Return the code of a position with its moves, or its result where the game is over."""
    seat, s = open_rank(m, number), m.states[1]
    if seat < 0:
        return NONE
    if turn(s) != TERMINAL:
        return moves(s, m.out)
    units = payoff(s, seat)
    meet(m.results[0], units)
    m.results[0].settled += 1
    return SETTLED + result_of(units)


@kernel
def count_listed(m, run, number):
    """Return the code of a position of which `value` is known by moves that end the game."""
    results = m.results[0]
    code, value = np.int64(m.codes[number]), np.int64(m.nodes[number].value)
    won = results.win and value == results.win
    if code and (results.scores or not won):
        return code | (DRAWABLE if value == 0 and not results.scores else 0)
    results.settled += 1
    return SETTLED + 4 * run.level + result_of(value)


@kernel
def enter_for(m, number, result, units):
    """Write an entry for a position into the list of its part; return how many were there."""
    part = number >> PART
    at = m.listed[part]
    m.lists[part, at] = (number & (1 << PART) - 1) << 2 | result
    if LISTED and m.units.shape[1]:
        m.units[part, at] = units
    m.listed[part] = at + 1
    return at


@kernel
def propagate_numbered(m, number, result):
    """Write entries for the positions before one, by `before`; return True if a list is full."""
    open_rank(m, number)
    room, full = m.lists.shape[1] - SPARE, False
    for i in range(before(m.states[1], m.out)):
        full |= enter_for(m, m.out[i], result, 0) >= room
    return full


@kernel
def hear(m, run):
    """Read the next edge to each position in `heard`; drop those without one.

    The loop is short, so that many reads overlap.
    """
    left = 0
    for i in range(run.heard):
        at = np.int64(m.heard[i].edge)
        if at:
            edge, each = m.edges[at - 1], m.heard[left]
            each.node, each.result = m.heard[i].node, m.heard[i].result
            each.origin, each.edge = edge.origin, edge.next
            if HAS_BANKED:
                each.gain = m.gains[at - 1]
            left += 1
    run.heard = left


@kernel
def propagate_listed(m, run):
    """Write entries for the positions before those in `heard`; return True if a list is full."""
    room, full = m.lists.shape[1] - SPARE, False
    while run.heard and not full:
        hear(m, run)
        for i in range(run.heard):
            each = m.heard[i]
            same, result, units = each.origin & 1, np.int64(each.result), 0
            if m.results[0].scores:
                value = np.int64(m.nodes[each.node].value)
                units = value if same else -value
                if HAS_BANKED:
                    units += each.gain
            if same:  # the same side moves there: a win here is a win there
                result = WON - result
            full |= enter_for(m, np.int64(each.origin) >> 1, result, units) >= room
    return full


@kernel
def propagate(m, run):
    """Write entries for the positions before those that the last level has settled."""
    wanted, fresh = (SETTLED >> 2) + run.level - 1, m.fresh[(run.level - 1) & 1]
    at, end, full = run.at, run.end, LISTED and propagate_listed(m, run)
    while at < end and not full:
        block = at >> BLOCK
        marks = shr(fresh[block >> 6], block & 63)
        block = block + ctz(marks) if marks else (block >> 6) + 1 << 6
        at = max(at, block << BLOCK)
        last = min(block + 1 << BLOCK, end) if marks else at
        while at < last and not full:
            code = np.int64(m.codes[at])
            if code >> 2 == wanted:
                if LISTED:
                    heard = m.heard[run.heard]
                    heard.node, heard.edge, heard.result = at, m.nodes[at].edges, code & 3
                    run.heard += 1
                    full = run.heard == BATCH and propagate_listed(m, run)
                else:
                    full = propagate_numbered(m, at, code & 3)
            at += 1
    run.at = at
    if LISTED and not full:
        full = propagate_listed(m, run)
    return FULL if full else DONE


@kernel
def apply(codes, entries, level, fresh):
    """Apply entries to some codes; return how many positions that settles.

    codes: uint16 or uint32[2**PART or less]; entries: uint32[any]; fresh: uint64[any], a mark for
    each block in which a position is settled.
    """
    found = 0
    for each in entries:
        at, result = np.int64(each) >> 2, np.int64(each) & 3
        code = np.int64(codes[at])
        if code >= SETTLED:
            continue
        code -= 1
        if result == DRAWN:
            code |= DRAWABLE
        if result == LOST:
            code = SETTLED + 4 * level + WON
        elif code & ~DRAWABLE == 0:
            code = SETTLED + 4 * level + (DRAWN if code else LOST)
        if code >= SETTLED:
            fresh[at >> BLOCK + 6] |= bit(at >> BLOCK & 63)
            found += 1
        codes[at] = code
    return found


@kernel
def apply_scores(codes, entries, level, fresh, nodes, units):
    """Do what `apply` does where there are scores; nodes: NODE[any], units: int32[any]."""
    found = 0
    for i in range(len(entries)):
        at = np.int64(entries[i]) >> 2
        node, code = nodes[at], np.int64(codes[at]) - 1
        node.value = max(node.value, units[i])
        if code == 0:
            code = SETTLED + 4 * level + result_of(node.value)
            fresh[at >> BLOCK + 6] |= bit(at >> BLOCK & 63)
            found += 1
        codes[at] = code
    return found


@kernel
def resume(m):
    """Go on until DONE, PAUSED at `stop`, FULL, CROWDED or WRONG."""
    run = m.runs[0]
    if run.stop == 0:
        return PAUSED
    if LISTED and run.phase == LIST:
        return list_positions(m, run)
    if run.phase == COUNT:
        return count(m, run)
    if LISTED or HAS_BEFORE:
        return propagate(m, run)
    return follow(m, run)


ROUND = 0.2
"""Seconds that a thread works between two looks at Ctrl-C and at what it has listed."""
MOVES = 1 << 18
"""Moves that are listed between two looks at Ctrl-C: some hundredths of a second."""
MOST_POSITIONS = (1 << 31) - 2
"""The most positions of a list."""
IN_TABLE = 16
"""Bytes of a listed position in the finished table."""
NO_UNITS = np.zeros((0, 0), np.int32)


def memory(rules: Rules, **shared: Any) -> Memory:
    """Return the memory of one thread, whose arrays are its own except for those that are given."""
    arrays: dict[str, Any] = {
        "codes": np.zeros(0, CODE), "nodes": np.zeros(0, NODE), "edges": np.zeros(0, EDGE),
        "gains": np.zeros(0, np.int32), "slots": np.zeros(0, SLOT),
        "found": np.zeros(BATCH + rules.width, FOUND), "heard": np.zeros(BATCH, HEARD),
        "lists": np.zeros((0, 0), np.uint32), "units": NO_UNITS,
        "listed": np.zeros(0, np.int64), "fresh": np.zeros((2, 0), np.uint64),
        "places": np.zeros(0, np.uint64), "values": np.zeros(0, np.int32),
        "plies": np.zeros(0, np.int32), "asked": np.zeros(BATCH + 1 + rules.width, ASKED),
        "out": np.zeros(2 * rules.width, np.int64), "runs": np.zeros(1, RUN),
        "results": np.zeros(1, RESULTS), **shared,
    }  # fmt: skip
    if "states" not in arrays:
        arrays["states"] = np.zeros(3, rules.layout)
    return Memory(words=words_of(arrays["states"]), **arrays)


class Worker(Kernel):
    """The kernel of one thread, and its lists."""

    statuses = Kernel.statuses | {FULL, CROWDED, WRONG}

    def __init__(self, state: RecordState, m: Memory, listed: bool, template: str = "kernel"):
        self.run, self.results = m.runs[0], m.results[0]
        super().__init__(f"{__package__}.{template}", state, m, FOR_LISTS if listed else None)
        self.run["stop"] = 1

    def work(self, waiting: deque[tuple[int, int]]) -> int:
        """Take slices for a round, until none is left or a list is full; put the rest back."""
        end, status = time.monotonic() + ROUND, DONE
        while status == DONE:
            try:
                self.run["at"], self.run["end"] = waiting.popleft()
            except IndexError:
                break
            status = self._resume()
            if status != DONE and self.run["at"] < self.run["end"]:
                waiting.appendleft((int(self.run["at"]), int(self.run["end"])))
            elif time.monotonic() > end:
                break
        return status

    def apply(self, workers: list[Worker], parts: deque[int]) -> int:
        """Apply the lists of all workers, part by part; return how many positions it settles."""
        level, total = int(self.run["level"]), 0
        fresh = self.m.fresh[level & 1]
        while True:
            try:
                part = parts.popleft()
            except IndexError:
                return total
            at, end = part << PART, part + 1 << PART
            own, marks = self.m.codes[at:end], fresh[at >> BLOCK + 6 : end >> BLOCK + 6]
            for each in workers:
                if n := int(each.m.listed[part]):
                    entries = each.m.lists[part, :n]
                    if self.results["scores"]:
                        nodes = self.m.nodes[at:end]
                        units = each.m.units[part, :n]
                        done = self._kernel.apply_scores(own, entries, level, marks, nodes, units)
                    else:
                        done = self._kernel.apply(own, entries, level, marks)
                    total += int(done)
                    each.m.listed[part] = 0

    def finish(self) -> None:
        """Propagate what a full list has interrupted, without taking more."""
        self.run["at"] = self.run["end"]
        self._resume()


class PositionList(Worker):
    """All positions that a state leads to, and the moves between them."""

    def __init__(self, state: RecordState, megabytes: float) -> None:
        """megabytes: the limit of all of it. Raises Objection and SearchError."""
        rules = state.rules
        if rules.largest > MOST_IN_ENTRY:
            raise Objection(f"tables hold payoffs up to {MOST_IN_ENTRY:,} units; largest is higher")
        self.limit = megabytes
        self._of_position = rules.layout.itemsize + NODE.itemsize + 4 + IN_TABLE
        self._of_edge = EDGE.itemsize + (4 if rules.banked else 0)
        least, most = 2 * (BATCH + rules.width), int(megabytes * 1e6)
        positions = min(max(least, most // self._of_position), MOST_POSITIONS)
        edges = min(max(least, most // self._of_edge), (1 << 32) - 2)
        try:  # memory is taken when it is first written
            m = memory(
                rules, states=np.zeros(positions, rules.layout),
                codes=np.zeros(positions, np.uint32), nodes=np.zeros(positions, NODE),
                edges=np.zeros(edges, EDGE), gains=np.zeros(edges if rules.banked else 0, np.int32),
                slots=np.zeros(1 << 12, SLOT),
            )  # fmt: skip
        except MemoryError:
            raise SearchError(
                f"this machine does not give {megabytes:,.0f} megabytes; ask for less"
            ) from None
        super().__init__(state, m, True)
        self.run["phase"] = LIST

    @property
    def count(self) -> int:
        """The number of positions so far."""
        return int(self.results["count"])

    @property
    def megabytes(self) -> float:
        """The memory of positions, moves and slots."""
        edges = int(self.results["edges"]) * self._of_edge
        return float(self.count * self._of_position + edges + self.m.slots.nbytes) / 1e6

    def held(self) -> dict[str, Any]:
        """Return the part of the memory that a checkpoint holds; slots follow from it."""
        m, n, edges = self.m, self.count, int(self.results["edges"])
        return {"states": m.states[:n], "nodes": m.nodes[:n], "codes": m.codes[:n],
                "edges": m.edges[:edges], "gains": m.gains[:edges], "runs": m.runs,
                "results": m.results}  # fmt: skip

    def take(self, held: dict[str, Any]) -> None:
        """Go on with the memory of a checkpoint; raise SearchError where it is too large."""
        for name, array in held.items():
            if len(array) > len(getattr(self.m, name)):
                raise SearchError(
                    f"the checkpoint takes more than {self.limit:,.0f} megabytes; give it more by "
                    "--megabytes"
                )
            getattr(self.m, name)[: len(array)] = array
        size = len(self.m.slots)
        while 3 * (self.count + BATCH + self.rules.width) > 2 * size:
            size *= 2
        self._empty_slots(size)
        self.run["stop"] = self.run["nodes"]

    def _empty_slots(self, size: int) -> None:
        self.hold(self.m._replace(slots=np.zeros(size, SLOT)))
        self.run["filled"] = 0

    def extend(self) -> bool:
        """List for a while; return True if all is listed. Raises SearchError where memory ends."""
        self.run["stop"] += MOVES
        status = self._resume()
        if status == CROWDED:
            self._empty_slots(2 * len(self.m.slots))
        if status != FULL and self.megabytes <= self.limit:
            return status == DONE
        raise SearchError(
            f"{self.rules.label} has more than {self.count:,} positions, which take "
            f"{self.limit:,.0f} megabytes ({int(self.run['at']):,} of them are opened, and there "
            "are more); give it more by --megabytes, or take a smaller game"
        )
