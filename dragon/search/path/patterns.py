"""Pattern databases: the number of moves that a group of pieces needs, with all others ignored.

The pieces outside the group become equal. A search from the goal by the game's own moves visits
every placement of the group, and counts only moves of its pieces; a byte holds the number. It is a
breadth-first search with costs of 0 and 1: states that cost nothing more are visited at once, the
others after all of these.

Sources: Culberson and Schaeffer 1998 (pattern databases); Korf and Felner 2002 (disjoint ones,
whose numbers can be added).

The *promise* of a state is an upper bound of its final payoff in units, by the rule `bounds` and by
pattern databases. A search does not expand a state whose promise is smaller than the target value.
`Nodes` has states, the ways to them, and a hash table of places. A state at the place of another is
kept only if it has secured more. Nodes are not moved or removed: when there is no room for the
successors of a state, the search has to end.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from abc import abstractmethod
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from dragon.bits import bit, mix, u64
from dragon.compiler.specialise import announced
from dragon.errors import PluginError
from dragon.rules.layout import hash_words
from dragon.rules.record import RecordGame, RecordState, rules_of
from dragon.rules.rules import Patterns, Rules
from dragon.rules.template import (
    HAS_BANKED,
    HAS_BOUNDS,
    HAS_KEY,
    HAS_PLACE,
    HAS_REDUCE,
    LARGEST,
    banked,
    bounds,
    kernel,
    key,
    moves,
    place,
    play,
    reduce,
)
from dragon.search.driver import DONE, GROW, PAUSED, Kernel, KernelDriver

NOTHING = -(1 << 60)
"""A number below every payoff in units: no state is left."""


@kernel
def placed(s, words):
    """Return the hashed place of a state, 0 to keep it nowhere; words: the record as uint64."""
    if HAS_PLACE:
        return mix(u64(place(s)))
    return mix(u64(key(s))) if HAS_KEY else mix(hash_words(words))


@kernel
def secured(s):
    """Return the units that are certain already, by which two states at a place can differ."""
    return banked(s) if HAS_BANKED else 0


@kernel
def listed(s, out):
    """Write the moves of a state, without those that the rule `reduce` drops; return how many."""
    n = moves(s, out)
    return reduce(s, out, n) if HAS_REDUCE else n


def indexed(cells, steps):
    """Return the cells of the pieces of a group as an index of its table.

    cells: uint8[any], the piece of each cell; steps: int64[256], a power of the number of cells for
    each piece of the group, 0 for others.
    """
    index = 0
    for cell in range(len(cells)):
        index += np.int64(cell) * steps[cells[cell]]
    return index


@kernel
def promise(s, data, patterns):
    """Return the upper bound of seat 0's final units; data: uint8[any], the record's bytes."""
    least, most = bounds(s) if HAS_BOUNDS else (-LARGEST, LARGEST)
    most = min(most, LARGEST)
    if len(patterns.steps):
        cells, end = data[patterns.span[0] : patterns.span[1]], 0
        for partition in range(len(patterns.sizes)):
            left, begin, end = 0, end, end + patterns.sizes[partition]
            for group in range(begin, end):
                index = indexed(cells, patterns.steps[group])
                left += patterns.table[patterns.begin[group] + index]
            most = min(most, max(least, secured(s) - left))  # a line without the goal pays `least`
    return most


PER_NODE = 64
"""Bytes of a node without its record: those in `Nodes`, and eight more."""
RUN_FIELDS = [
    ("nodes", "i8"),
    ("stop", "i8"),  # pause when this many nodes have been visited
    ("ply", "i8"),
    ("asked", "i8"),  # the upper bound of all lines, in units
    ("next", "i8"),  # the best upper bound of the other states, if no line has `asked`
]
"""The budget of a search that lowers an upper bound, and the place where it paused."""
FULL = {"stopped": "the memory is full; give it more megabytes"}
"""The notes of a result when memory was full."""


class Nodes(NamedTuple):
    """Room for c nodes, the first of which is the root."""

    words: Any  # uint64[c, itemsize / 8]: the records
    data: Any  # uint8[c, itemsize]: the same memory
    parents: Any  # int64[c]
    codes: Any  # int64[c]: the move that led to each
    promises: Any  # int64[c]: units
    places: Any  # uint64[c]
    slots: Any  # int32[2**k >= 2c]: 1 + the node at a place, 0 for none


def room_of(rules: Rules, megabytes: float) -> tuple[Any, Nodes]:
    """Return the number of records and of empty nodes that fit in this memory (10**6 bytes)."""
    c = max(4 * rules.width, int(megabytes * 1e6) // (rules.layout.itemsize + PER_NODE))
    c = min(c, 1 << 30)
    states = np.zeros(c, rules.layout)
    return states, Nodes(
        words=states.view(np.uint64).reshape(c, -1),
        data=states.view(np.uint8).reshape(c, -1),
        parents=np.zeros(c, np.int64),
        codes=np.zeros(c, np.int64),
        promises=np.zeros(c, np.int64),
        places=np.zeros(c, np.uint64),
        slots=np.zeros(1 << (2 * c - 1).bit_length(), np.int32),
    )


def codes_to(nodes: Nodes, node: int) -> list[int]:
    """Return the codes of the moves from the root to a node."""
    codes: list[int] = []
    while node:
        codes.append(int(nodes.codes[node]))
        node = int(nodes.parents[node])
    return codes[::-1]


@kernel
def slot_of(nodes, place):
    """Return the slot of a place, or the empty slot for it."""
    last = len(nodes.slots) - 1
    slot = np.int64(place & u64(last))
    while nodes.slots[slot] and nodes.places[nodes.slots[slot] - 1] != place:
        slot = (slot + 1) & last
    return slot


@kernel
def keep(states, nodes, node):
    """Enter a node at its place; return False if a node there has secured as much."""
    place = placed(states[node], nodes.words[node])
    nodes.places[node] = place
    if place == 0:
        return True
    slot = slot_of(nodes, place)
    if nodes.slots[slot] and secured(states[nodes.slots[slot] - 1]) >= secured(states[node]):
        return False
    nodes.slots[slot] = node + 1
    return True


@kernel
def outdone(nodes, node):
    """Return True if a later node at its place has secured more."""
    place = nodes.places[node]
    return place != 0 and nodes.slots[slot_of(nodes, place)] != node + 1


NOT_REACHED = 255
"""The entry of a placement that was not reached; others are smaller."""
MOST_ENTRIES = 1 << 28
"""The most entries of a table, of a byte each: the cells to the power of the group's pieces."""
RUN = np.dtype(
    [
        ("stop", "i8"),  # 0: do nothing
        ("now", "i8"),  # the number of waiting states that cost no more,
        ("later", "i8"),  # and of those that cost one more
        ("cost", "i8"),
        ("wrong", "i8"),  # whether a move moved more than one piece
    ]
)


class Tables(NamedTuple):
    """The pattern databases of a game, for kernels; empty if it has none."""

    span: Any  # int64[2]: the first byte of the cells in a record, and the end
    sizes: Any  # int64[partitions]: the number of groups of each
    steps: Any  # int64[groups, 256]: of each piece, see `promise.indexed`
    begin: Any  # int64[groups]: the first entry of each group
    table: Any  # uint8[any]


class Memory(NamedTuple):
    """The memory of the kernel."""

    states: Any  # records[3]: the goal, a state, and the one after a move
    data: Any  # uint8[3, itemsize]: the same memory
    span: Any  # int64[2]: the first byte of the cells, and the end
    now: Any  # records[any]: a stack of states to be visited
    later: Any  # records[any]: those that cost one more
    codes: Any  # int64[width]
    steps: Any  # int64[256]
    table: Any  # uint8[entries]
    seen: Any  # uint64[entries * cells / 64]: a bit for each entry and place of the gap
    runs: Any  # RUN[1]


@kernel
def gap_of(cells):
    for cell in range(len(cells)):
        if cells[cell] == 0:
            return np.int64(cell)
    return 0


@kernel
def visit(m, run):
    """Visit states[1], unless it was visited before, and put its successors on the stacks."""
    cells, others = m.data[1, m.span[0] : m.span[1]], m.data[2, m.span[0] : m.span[1]]
    index = indexed(cells, m.steps)
    at = index * len(cells) + gap_of(cells)
    if m.seen[at >> 6] & bit(at & 63):
        return
    m.seen[at >> 6] |= bit(at & 63)
    if m.table[index] == NOT_REACHED:
        m.table[index] = run.cost
    for i in range(moves(m.states[1], m.codes)):
        m.states[2] = m.states[1]
        play(m.states[2], m.codes[i])
        changed = 0
        for cell in range(len(cells)):
            changed += cells[cell] != others[cell]
        if changed > 2:
            run.wrong = 1
        after = indexed(others, m.steps)
        at = after * len(cells) + gap_of(others)
        if not m.seen[at >> 6] & bit(at & 63):
            if after == index:
                m.now[run.now] = m.states[2]
                run.now += 1
            else:
                m.later[run.later] = m.states[2]
                run.later += 1


@kernel
def resume(m):
    """Visit every placement from which the goal can be reached."""
    run = m.runs[0]
    if run.stop == 0:
        return PAUSED
    while run.now or run.later:
        if run.now == 0:
            run.cost += 1
            for i in range(run.later):
                m.now[i] = m.later[i]
            run.now, run.later = run.later, 0
        width = len(m.codes)
        if max(run.now, run.later) + width > min(len(m.now), len(m.later)):
            return GROW
        run.now -= 1
        m.states[1] = m.now[run.now]
        visit(m, run)
        if run.wrong or run.cost >= NOT_REACHED:
            return DONE
    return DONE


class ProvingDriver(KernelDriver):
    """A driver that searches for a line of one upper bound after another."""

    def ask_less(self) -> bool:
        """Go on with the next upper bound; return False if there is none."""
        run = self.m.runs[0]
        if run["next"] == NOTHING:
            return False
        run["asked"], run["next"] = run["next"], NOTHING
        return True

    @abstractmethod
    def line(self) -> tuple[str, ...]:
        """Return the line that was found, which pays `asked` units."""

    def extra(self) -> dict[str, Any]:
        """Return the notes of a result."""
        return {}


class Maker(Kernel):
    """The kernel, and its memory for one group."""

    stack = ("now", "later")

    def __init__(self, state: RecordState, patterns: Patterns, steps: Any) -> None:
        """state: the goal, with one piece in place of all that are not in the group."""
        layout = state.rules.layout
        (cells,) = layout[patterns.cells].shape
        entries = cells ** int(np.count_nonzero(steps))
        states = np.zeros(3, layout)
        m = Memory(
            states=states,
            data=states.view(np.uint8).reshape(3, -1),
            span=_span(layout, patterns),
            now=np.zeros(1 << 12, layout),
            later=np.zeros(1 << 12, layout),
            codes=np.zeros(state.rules.width, np.int64),
            steps=steps,
            table=np.full(entries, NOT_REACHED, np.uint8),
            seen=np.zeros(entries * cells // 64 + 1, np.uint64),
            runs=np.zeros(1, RUN),
        )
        super().__init__(__name__, state, m)

    def table(self) -> Any:
        """Return uint8[entries]; raise PluginError if a move moves several pieces."""
        self.m.now[0] = self.m.states[0]
        self.m.runs[0]["stop"] = self.m.runs[0]["now"] = 1
        self._resume()
        if self.m.runs[0]["wrong"]:
            raise PluginError(
                f"{self.rules.label} declares patterns, but a move there moves more than one "
                "piece; leave `patterns` out of its Rules"
            )
        return self.m.table


def tables_of(game: RecordGame, wanted: bool = True) -> Tables:
    """Return the pattern databases of a game, made once in a process; empty if not wanted."""
    rules = rules_of(game)
    if wanted and rules.patterns is not None:
        return _made(rules, RecordState(game, rules.first), rules.patterns)
    none, table = np.zeros(0, np.int64), np.zeros(0, np.uint8)
    return Tables(np.zeros(2, np.int64), none, none.reshape(0, 256), none, table)


@cache
def _made(rules: Rules, first: RecordState, patterns: Patterns) -> Tables:
    """Return the tables of a game that begins with `first`."""
    cells, groups = _cells(rules, patterns), [*chain(*patterns.partitions)]
    made, steps = [], np.zeros((len(groups), 256), np.int64)
    with announced(lambda: f"making pattern databases for {rules.label}"):
        for i, group in enumerate(groups):
            for power, piece in enumerate(group):
                steps[i, piece] = cells**power
            made.append(Maker(_forgotten(first, patterns, group), patterns, steps[i]).table())
    begin = np.cumsum([0, *(len(table) for table in made[:-1])]).astype(np.int64)
    sizes = np.array([len(partition) for partition in patterns.partitions], np.int64)
    return Tables(_span(rules.layout, patterns), sizes, steps, begin, np.concatenate(made))


def _span(layout: Any, patterns: Patterns) -> Any:
    """Return the first byte of the cells in a record, and the end: int64[2]."""
    dtype, begin = layout.fields[patterns.cells][:2]
    return np.array([begin, begin + dtype.itemsize], np.int64)


def _cells(rules: Rules, patterns: Patterns) -> int:
    """Count the cells of a game; raise PluginError for an impossible field or group."""
    dtype = (rules.layout.fields or {}).get(patterns.cells, (None,))[0]
    if dtype is None or dtype.base != np.uint8 or len(dtype.shape) != 1:
        raise PluginError(
            f"{rules.label} has patterns of the field {patterns.cells!r}; it must be an array of "
            "u1 in the layout, the number of the piece on each cell"
        )
    (cells,) = dtype.shape
    for group in chain(*patterns.partitions):
        if cells ** len(group) > MOST_ENTRIES:
            raise PluginError(
                f"{rules.label} has a pattern of {len(group)} pieces on {cells} cells, whose "
                "table would be too large; keep fewer pieces in a group"
            )
    return int(cells)


def _forgotten(first: RecordState, patterns: Patterns, group: tuple[int, ...]) -> RecordState:
    """Return the goal with all pieces outside the group replaced by the same one."""
    record = first.record
    patterns.goal(record)
    others = [int(p) for p in record[patterns.cells] if p and p not in group]
    for cell, piece in enumerate(record[patterns.cells]):
        if int(piece) in others:
            record[patterns.cells][cell] = others[0]
    return RecordState(first.game, bytes(record.tobytes()))
