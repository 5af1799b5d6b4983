"""breadth and beam: layer after layer of states, all of them or the best ones alone.

Breadth-first search expands all states at a depth before those that are one move deeper, each once
(Moore 1959). Beam search keeps a fixed number of states of each layer, those with the best upper
bounds (Lowerre 1976): it finds lines where a full search would be too large, and proves nothing.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dragon.core import TERMINAL, Bound, Limit, Result, Search
from dragon.rules.record import RecordState
from dragon.rules.template import WIDTH, kernel, payoff, play, turn
from dragon.search.driver import DONE, PAUSED, KernelDriver, run_of
from dragon.search.path.patterns import (
    FULL,
    NOTHING,
    Nodes,
    Tables,
    codes_to,
    keep,
    listed,
    promise,
    room_of,
)

RUN = np.dtype(
    [
        ("nodes", "i8"),
        ("stop", "i8"),  # pause when this many nodes have been visited
        ("ply", "i8"),
        ("at", "i8"),  # the number of expanded states of the layer,
        ("size", "i8"),  # and of all its states
    ]
)
"""The budget of a run, and the place where it paused."""
RESULTS = np.dtype(
    [
        ("best", "i8"),  # units of the best end that was found,
        ("found", "i8"),  # and its node, or 0
        ("full", "i8"),  # whether there is no room for another node
        ("count", "i8"),  # nodes that are kept
    ]
)


class Memory(NamedTuple):
    """The memory of the kernel, with room for c nodes."""

    states: Any  # records[c]
    nodes: Nodes
    layer: Any  # int64[any]: the nodes to expand
    out: Any  # int64[width]
    patterns: Tables
    runs: Any  # RUN[1]
    results: Any  # RESULTS[1]


class LayersDriver(KernelDriver):
    """The kernel, the memory for all nodes, and the next layer."""

    def __init__(
        self, search: Search, state: RecordState, limit: Limit, tables: Tables, megabytes: float
    ) -> None:
        """megabytes: the memory of all nodes."""
        states, nodes = room_of(state.rules, megabytes)
        m = Memory(
            states=states,
            nodes=nodes,
            layer=np.zeros(1, np.int64),
            out=np.zeros(state.rules.width, np.int64),
            patterns=tables,
            runs=run_of(RUN, size=1),
            results=run_of(RESULTS, best=NOTHING),
        )
        self.first = 1
        """The first node after the layer."""
        self.narrowed = False
        """True if states have been left out."""
        super().__init__(__name__, search, state, limit, m)

    def fresh(self) -> Any:
        """Return the nodes of the next layer with a bound above the best end."""
        results = self.m.results[0]
        found = np.arange(self.first, int(results["count"]))
        return found[self.m.nodes.promises[found] > results["best"]]

    def next_layer(self, most: int | None) -> bool:
        """Go to the next layer, and keep `most` of it; return False if it is empty."""
        run, fresh = self.m.runs[0], self.fresh()
        if most is not None and len(fresh) > most:
            promised = self.m.nodes.promises[fresh]
            fresh = np.sort(fresh[np.argsort(-promised, kind="stable")[:most]])
            self.narrowed = True
        self.m = self.m._replace(layer=fresh)
        self.first = int(self.m.results[0]["count"])
        run["at"], run["size"] = 0, len(fresh)
        return len(fresh) > 0

    def claim(self, before: Result, depth: int, done: bool) -> Result:
        """Return the result after a layer, or a part of one."""
        results, unit, nodes = self.m.results[0], self.root.unit, self.m.nodes
        fresh, found, states = self.fresh(), int(results["found"]), int(results["count"])
        extra: dict[str, Any] = {"depth": depth, "layer": len(fresh), "states": states}
        extra |= FULL if results["full"] else {}
        if found:
            proven = done and not len(fresh) and not self.narrowed
            bound = Bound.EXACT if proven else Bound.LOWER
            line = self.moves_of(codes_to(nodes, found))
            return self.budget.result(int(results["best"]) * unit, bound, line, extra=extra)
        if not done or not len(fresh):
            bound = Bound.ESTIMATE if self.narrowed else Bound.UPPER
            return self.budget.result(before.value, bound, before.line, extra=extra)
        ahead = int(fresh[nodes.promises[fresh].argmax()])
        bound = Bound.ESTIMATE if self.narrowed else Bound.UPPER
        value = int(nodes.promises[ahead]) * unit
        return self.budget.result(value, bound, self.moves_of(codes_to(nodes, ahead)), extra=extra)


@kernel
def open_node(m, run, node):
    """Expand a node: keep successors with a bound above the best end, each place once."""
    results = m.results[0]
    for i in range(listed(m.states[node], m.out)):
        at = results.count
        m.states[at] = m.states[node]
        play(m.states[at], m.out[i])
        run.nodes += 1
        over = turn(m.states[at]) == TERMINAL
        most = (
            payoff(m.states[at], 0) if over else promise(m.states[at], m.nodes.data[at], m.patterns)
        )
        if most <= results.best or not (over or keep(m.states, m.nodes, at)):
            continue
        m.nodes.parents[at], m.nodes.codes[at], m.nodes.promises[at] = node, m.out[i], most
        results.count += 1
        if over:
            results.best, results.found, m.nodes.places[at] = most, at, 0


@kernel
def resume(m):
    """Expand the layer until it or the memory ends (DONE), or `stop` nodes (PAUSED)."""
    run, results = m.runs[0], m.results[0]
    if run.stop == 0:
        return PAUSED
    if results.count == 0:
        keep(m.states, m.nodes, 0)
        results.count = 1
    while run.at < run.size:
        if run.nodes >= run.stop:
            return PAUSED
        if results.count + WIDTH > len(m.states):
            results.full = 1
            return DONE
        open_node(m, run, m.layer[run.at])
        run.at += 1
    return DONE
