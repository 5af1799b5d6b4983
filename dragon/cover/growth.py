"""A cover problem's diagram grown by the compiled kernel, whose tables grow as it asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from attrs import define, field

from dragon.cover.kernels.diagram import (
    DONE,
    EDGE,
    FIELD,
    FRAME,
    GROW,
    RUN,
)
from dragon.cover.subproblems import Subproblems
from dragon.modes import jit_enabled
from dragon.specialise import Constants, specialise

FIRST_STATES, FIRST_DEPTHS = 1 << 8, 4
GROWTH = 1.5
"""Tables that are full become so many times as long."""


TABLES = ("_keys", "_ids", "_slots", "_first", "_counts", "_edges")
STACK = ("_avail", "_low", "_high", "_frames", "_key")
"""A row for each choice on the path, as deep as it has been."""


@define
class Unfinished:
    """A node of which not all branches have been seen."""

    total: int
    """How many branches there are."""
    tried: int = 0
    """How many have been begun."""
    option: int = 0
    """The option of the last one."""
    edges: list[tuple[int, int]] = field(factory=list)
    """The finished ones that lead to covers."""


class Growth(Protocol):
    """A diagram in the making."""

    @property
    def visits(self) -> int:
        """Subproblems come to, known ones too."""

    @property
    def states(self) -> int:
        """Subproblems solved."""

    @property
    def root(self) -> int:
        """The node of the whole problem; -1 before the end."""

    @property
    def full(self) -> bool:
        """Whether the megabytes are used up."""

    def advance(self, visits: int) -> bool:
        """Goes on for so many visits; True when the diagram is complete."""

    def tables(self) -> tuple[Any, Any]:
        """int64[nodes + 1] and EDGE[edges], as far as they have been made."""

    def counts(self) -> Sequence[int]:
        """The ways from each node to a cover; MANY may stand for so many or more."""

    def path(self) -> list[Unfinished]:
        """The unfinished nodes from the root down."""


def growth_of(whole: Subproblems, megabytes: float) -> Growth:
    """The growth that DRAGON_JIT selects."""
    if jit_enabled():
        return CompiledGrowth(whole, megabytes)
    from dragon.cover.growth_plain import PlainGrowth

    return PlainGrowth(whole, megabytes)


class CompiledGrowth:
    """A diagram in the making, in arrays."""

    def __init__(self, whole: Subproblems, megabytes: float) -> None:
        self.whole = whole
        self.full = False
        self._kernel = specialise("dragon.cover.kernels.diagram", Constants("cover diagrams"))
        self._room = megabytes * 1e6
        self._runs = np.zeros(1, RUN)
        self._run = self._runs[0]
        self._run["root"] = -1
        self._run["entering"] = 1
        self._run["nodes"] = 2
        self._run["by_options"] = bool(whole.counted)
        self._layout()
        self._stack()
        words = self._key.shape[1]
        self._keys = np.zeros((FIRST_STATES, words), np.uint64)
        self._ids = np.zeros(FIRST_STATES, np.int32)
        self._slots = np.full(2 * FIRST_STATES, -1, np.int32)
        self._first = np.zeros(FIRST_STATES + 3, np.int64)
        self._counts = np.zeros(FIRST_STATES + 3, np.int64)
        self._counts[DONE] = 1
        self._edges = np.zeros(max(2 * FIRST_STATES, 2 * len(self._pending)), EDGE)
        self._advance(0)  # compiles or loads the kernels before the clock starts
        self._kernel.rehash(self._slots, self._keys, 0)
        self.full = self._bytes() > self._room

    @property
    def visits(self) -> int:
        """Subproblems come to, known ones too."""
        return int(self._run["visits"])

    @property
    def states(self) -> int:
        """Subproblems solved."""
        return int(self._run["states"])

    @property
    def root(self) -> int:
        """The node of the whole problem; -1 before the end."""
        return int(self._run["root"])

    def advance(self, visits: int) -> bool:
        """Goes on for so many visits; True when the diagram is complete."""
        if self.root < 0 and not self.full:
            self._advance(visits)
        return self.root >= 0

    def tables(self) -> tuple[Any, Any]:
        """int64[nodes + 1] and EDGE[edges], as far as they have been made."""
        return self._first[: self._run["nodes"] + 1], self._edges[: self._run["edges"]]

    def counts(self) -> Any:
        """int64[nodes]: the ways from each node to a cover; MANY for so many or more."""
        return self._counts[: self._run["nodes"]]

    def path(self) -> list[Unfinished]:
        """The unfinished nodes from the root down."""
        if self.root >= 0:
            return []
        depth = int(self._run["depth"]) + (not self._run["entering"])
        frames = self._frames[:depth].tolist()
        ends = [frame[2] for frame in frames[1:]] + [int(self._run["pending"])]
        return [
            Unfinished(total, tried, option, self._pending[base:end].tolist())
            for (_, option, base, tried, total), end in zip(frames, ends, strict=False)
        ]

    def _advance(self, visits: int) -> None:
        self._run["stop"] = self.visits + visits
        while True:
            status = self._kernel.advance(
                self._runs,
                self._start,
                self._effects,
                self._rows,
                self._classes,
                self._fields,
                self._counted,
                self._avail,
                self._low,
                self._high,
                self._frames,
                self._pending,
                self._key,
                self._keys,
                self._ids,
                self._slots,
                self._first,
                self._counts,
                self._edges,
            )
            if status != GROW or not self._lengthen():
                return

    def _layout(self) -> None:
        """The problem's bit sets as words, and where the key's codes stand."""
        whole = self.whole
        self._counted = np.array(whole.counted, np.int64)
        primary, words = len(whole.rows), max(1, -(-len(whole.numbers) // 64))
        rows, strikes = list(whole.rows), dict[tuple[int, int], int]()
        classes, fields, bits = list[int](), [], primary
        for i, secondary in enumerate(whole.secondary):
            if bits % 64 + secondary.bits > 64:
                bits += 64 - bits % 64
            last = len(classes) + len(secondary.classes)
            fields.append((bits // 64, bits % 64, secondary.bits, len(classes), last))
            bits += secondary.bits
            for colour, row in secondary.classes.items():
                classes.append(len(rows))
                strikes[i, colour] = len(rows) + 1
                rows += [row, secondary.strikes(colour)]
        effects = [
            [*items, *(strikes[mark] for mark in marks)]
            for items, marks in zip(whole.items, whole.marks, strict=True)
        ]
        self._rows = _words(rows, words)
        self._start = np.cumsum([0, *map(len, effects)], dtype=np.int64)
        self._effects = np.array([row for own in effects for row in own], np.int64)
        self._classes = np.array(classes, np.int64)
        self._fields = np.array(fields, FIELD)
        self._key_words = words + len(whole.counted) if whole.counted else max(1, -(-bits // 64))

    def _stack(self) -> None:
        """One row for each choice on the path; those deeper than it has been come later."""
        whole, depths, words = self.whole, FIRST_DEPTHS, self._rows.shape[1]
        self._avail = np.zeros((depths, words), np.uint64)
        self._avail[0] = _words([whole.root.options], words)[0]
        self._low, self._high = np.zeros((2, depths, len(whole.rows)), np.int32)
        self._low[0] = whole.root.low
        self._high[0] = np.minimum(whole.root.high, max(1, len(whole.numbers)))
        self._frames = np.zeros(depths, FRAME)
        self._pending = np.zeros(len(whole.numbers) + whole.levels + 1, EDGE)
        self._key = np.zeros((depths, self._key_words), np.uint64)

    def _bytes(self) -> int:
        """What is in use: the tables, the stack, and the rows that both are made with."""
        tables = (getattr(self, name) for name in (*TABLES, *STACK, "_rows", "_pending"))
        return sum(table.nbytes for table in tables)

    def _lengthen(self) -> bool:
        """Makes the tables that are full longer; False, and full, when the megabytes are used."""
        states, nodes, edges = (int(self._run[name]) for name in ("states", "nodes", "edges"))
        longer: dict[str, int] = {}
        if self._run["depth"] + 1 == len(self._frames):
            longer |= dict.fromkeys(STACK, len(self._frames))
        if states >= len(self._keys):
            longer |= {"_keys": len(self._keys), "_ids": len(self._keys)}
        if nodes + 1 >= len(self._first):
            longer |= {"_first": len(self._first), "_counts": len(self._counts)}
        if edges + len(self._pending) > len(self._edges):
            longer["_edges"] = len(self._edges)
        lengths = {name: int(GROWTH * length) for name, length in longer.items()}
        slots = len(self._slots)
        while slots < 2 * lengths.get("_keys", 0):
            slots *= 2
        old = {name: getattr(self, name) for name in lengths}
        more = sum((lengths[name] - len(table)) * table[:1].nbytes for name, table in old.items())
        if self._bytes() + more + 4 * (slots - len(self._slots)) > self._room:
            self.full = True
            return False
        for name, table in old.items():
            new = np.zeros((lengths[name], *table.shape[1:]), table.dtype)
            new[: len(table)] = table
            setattr(self, name, new)
        if slots > len(self._slots):
            self._slots = np.full(slots, -1, np.int32)
            self._kernel.rehash(self._slots, self._keys, states)
        return True


def _words(rows: list[int], words: int) -> Any:
    """uint64[rows, words]: bit sets of any length."""
    data = b"".join(row.to_bytes(8 * words, "little") for row in rows)
    return np.frombuffer(data, "<u8").astype(np.uint64).reshape(len(rows), words)
