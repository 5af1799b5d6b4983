"""astar: expand the state with the best upper bound first, until a terminal state is the best.

A* of Hart, Nilsson and Raphael 1968. All nodes are kept. Of equal bounds, the deepest node is
expanded first. A state is expanded again only if a better way to it is found.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dragon.core import TERMINAL, Limit, Search
from dragon.rules.record import RecordState
from dragon.rules.template import WIDTH, kernel, payoff, play, turn
from dragon.search.driver import DONE, PAUSED, run_of
from dragon.search.path.patterns import (
    FULL,
    NOTHING,
    RUN_FIELDS,
    Nodes,
    ProvingDriver,
    Tables,
    codes_to,
    keep,
    listed,
    outdone,
    promise,
    room_of,
)

DEPTHS = 22
"""The bits of a rank for the depth; above them is the upper bound, at most 2**40 units."""
DEEPEST = (1 << DEPTHS) - 1
"""Deeper nodes have this depth in their ranks."""
RUN = np.dtype([*RUN_FIELDS, ("open", "i8")])  # nodes in the heap
RESULTS = np.dtype(
    [
        ("found", "i8"),  # the end that pays `asked`, or 0
        ("full", "i8"),  # whether there is no room for another node
        ("count", "i8"),  # nodes that are kept
    ]
)


class Memory(NamedTuple):
    """The memory of the kernel, with room for c nodes."""

    states: Any  # records[c]
    nodes: Nodes
    ranks: Any  # int64[c]: a heap, the largest first
    heap: Any  # int32[c]: the nodes that have these ranks
    out: Any  # int64[width]
    patterns: Tables
    runs: Any  # RUN[1]
    results: Any  # RESULTS[1]


class AStarDriver(ProvingDriver):
    """The kernel, and the memory for all nodes."""

    def __init__(
        self, search: Search, state: RecordState, limit: Limit, tables: Tables, megabytes: float
    ) -> None:
        """megabytes: the memory of all nodes."""
        states, nodes = room_of(state.rules, megabytes)
        m = Memory(
            states=states,
            nodes=nodes,
            ranks=np.zeros(len(states), np.int64),
            heap=np.zeros(len(states), np.int32),
            out=np.zeros(state.rules.width, np.int64),
            patterns=tables,
            runs=run_of(RUN),
            results=run_of(RESULTS),
        )
        super().__init__(__name__, search, state, limit, m)

    def extra(self) -> dict[str, Any]:
        """Return the number of states that are kept."""
        results = self.m.results[0]
        return {"states": int(results["count"]), **(FULL if results["full"] else {})}

    def line(self) -> tuple[str, ...]:
        """Return the line to the end that was found."""
        return self.moves_of(codes_to(self.m.nodes, int(self.m.results[0]["found"])))


def push(ranks, heap, n, rank, node):
    """Put a node into a heap of n."""
    at = n
    while at and ranks[(at - 1) // 2] < rank:
        above = (at - 1) // 2
        ranks[at], heap[at] = ranks[above], heap[above]
        at = above
    ranks[at], heap[at] = rank, node


def drop_first(ranks, heap, n):
    """Remove the first node of a heap of n: sift the last one down from its place."""
    rank, node, at = ranks[n - 1], heap[n - 1], 0
    while 2 * at + 1 < n - 1:
        below = 2 * at + 1
        if below + 1 < n - 1 and ranks[below + 1] > ranks[below]:
            below += 1
        if ranks[below] <= rank:
            break
        ranks[at], heap[at] = ranks[below], heap[below]
        at = below
    ranks[at], heap[at] = rank, node


@kernel
def open_node(m, run, node, depth):
    """Expand a node: put its successors into the heap, except those reached as well before."""
    results = m.results[0]
    for i in range(listed(m.states[node], m.out)):
        at = results.count
        m.states[at] = m.states[node]
        play(m.states[at], m.out[i])
        run.nodes += 1
        if turn(m.states[at]) == TERMINAL:
            m.nodes.places[at], most = 0, payoff(m.states[at], 0)
        elif keep(m.states, m.nodes, at):
            most = min(run.asked, promise(m.states[at], m.nodes.data[at], m.patterns))
        else:
            continue
        m.nodes.parents[at], m.nodes.codes[at] = node, m.out[i]
        push(m.ranks, m.heap, run.open, (most << DEPTHS) + min(depth + 1, DEEPEST), at)
        results.count += 1
        run.open += 1


@kernel
def resume(m):
    """Search until an end is found or no bound is `asked` (DONE), or `stop` nodes (PAUSED)."""
    run, results = m.runs[0], m.results[0]
    if run.stop == 0:
        return PAUSED
    if results.count == 0:
        run.asked, run.next = promise(m.states[0], m.nodes.data[0], m.patterns), NOTHING
        keep(m.states, m.nodes, 0)
        m.ranks[0] = run.asked << DEPTHS
        results.count, run.open = 1, 1
    while run.open:
        rank, node = m.ranks[0], np.int64(m.heap[0])
        most, depth = rank >> DEPTHS, rank & ((1 << DEPTHS) - 1)
        if most < run.asked:
            run.next = most
            return DONE
        if turn(m.states[node]) == TERMINAL:
            results.found = node
            return DONE
        if run.nodes >= run.stop:
            return PAUSED
        if results.count + WIDTH > len(m.states):
            results.full = 1
            return DONE
        drop_first(m.ranks, m.heap, run.open)
        run.open -= 1
        if not outdone(m.nodes, node):
            open_node(m, run, node, depth)
    return DONE
