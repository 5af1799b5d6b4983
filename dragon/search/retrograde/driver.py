"""The drivers of the kernels: a thread with its memory, and a list of positions."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

import numpy as np

from dragon.errors import Objection, SearchError
from dragon.rules.record import RecordState
from dragon.rules.rules import Rules
from dragon.search.driver import DONE, Kernel, words_of
from dragon.search.retrograde.positions import (
    ASKED,
    BATCH,
    BLOCK,
    CROWDED,
    EDGE,
    FOR_LISTS,
    FOUND,
    FULL,
    HEARD,
    LIST,
    NODE,
    PART,
    RUN,
    SLOT,
    WRONG,
    Memory,
)
from dragon.search.retrograde.table import CODE
from dragon.search.two_sided import MOST_IN_ENTRY

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
        "out": np.zeros(2 * rules.width, np.int64), "runs": np.zeros(1, RUN), **shared,
    }  # fmt: skip
    if "states" not in arrays:
        arrays["states"] = np.zeros(3, rules.layout)
    return Memory(words=words_of(arrays["states"]), **arrays)


class Worker(Kernel):
    """The kernel of one thread, and its lists."""

    statuses = Kernel.statuses | {FULL, CROWDED, WRONG}

    def __init__(self, state: RecordState, m: Memory, listed: bool, template: str = "kernel"):
        self.run = m.runs[0]
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
                    if self.run["scores"]:
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
        try:  # memory that is not written to yet is not taken yet
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
        return int(self.run["count"])

    @property
    def megabytes(self) -> float:
        """The memory of positions, moves and slots."""
        edges = int(self.run["edges"]) * self._of_edge
        return float(self.count * self._of_position + edges + self.m.slots.nbytes) / 1e6

    def held(self) -> dict[str, Any]:
        """Return the part of the memory that a checkpoint holds; slots follow from it."""
        m, n, edges = self.m, self.count, int(self.run["edges"])
        return {"states": m.states[:n], "nodes": m.nodes[:n], "codes": m.codes[:n],
                "edges": m.edges[:edges], "gains": m.gains[:edges], "runs": m.runs}  # fmt: skip

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
