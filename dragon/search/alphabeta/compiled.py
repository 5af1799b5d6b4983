"""The driver of alpha-beta's kernel, on memory that serves one search after another."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from dragon.compiler.location import Breach
from dragon.core import Limit, Trait
from dragon.modes import JIT, checked
from dragon.rules.record import RecordState
from dragon.search.alphabeta.claims import CLAIMS
from dragon.search.alphabeta.kernel import START
from dragon.search.alphabeta.memory import FRAME, LINE, Memory, deepened, run_for
from dragon.search.alphabeta.settings import (
    Outcome,
    Settings,
    asks_solved,
    counts_distance,
    prunes,
    scale_of,
    steps,
)
from dragon.search.driver import LONGER, Fields, Kernel, TableDriver, room_for, words_of
from dragon.search.move_ordering import HISTORY
from dragon.search.table import ENTRY, FIRST_MEGABYTES, Lease
from dragon.search.two_sided import side

SLICE_MOVES = 100_000
"""Moves listed between two looks at the clock, where lists are long."""
FIRST_PLIES = 128
"""Plies for which there is room at first: some games may last for thousands."""
KEPT, MOST_BYTES = 2, 1 << 24
"""Drivers that are kept for searches to come, and what the memory of one may take."""


class Searcher(Protocol):
    """A kernel, with its run and the frame of its root."""

    m: Any
    run: Fields
    top: Fields


class Deep(Kernel):
    """A kernel whose memory gets room for more plies where lines are long."""

    stack = ("codes", "scores", "places", "odds", "lows", "highs")
    deepest: int
    """Plies for which it ever needs room."""

    def lengthen(self) -> None:
        """Makes room for plies, or for moves."""
        plies = len(self.m.frames)
        if self.m.runs[0]["ply"] + 2 <= plies:
            super().lengthen()
        elif plies < self.deepest:
            self.hold(deepened(self.m, min(LONGER * plies, self.deepest)))
        else:
            raise Breach("turn: the game goes on for more than plies = {plies}")

    def hold(self, m: Memory) -> None:
        """Works on this memory from now on."""
        super().hold(m)
        self.top = Fields(m.frames)


class CompiledDriver(Deep, TableDriver):
    """The working memory of the search of one state, on a game by Rules."""

    def __init__(
        self, settings: Settings, state: RecordState, limit: Limit, seed: int, lease: Lease
    ) -> None:
        self.settings, self.lines = settings, True
        self.met_chance = Trait.CHANCE in state.rules.traits
        self.scale, self.most = scale_of(state), steps(state, state.largest)
        self.sooner = counts_distance(settings, state)
        rules = state.rules
        table = lease.of(state, FIRST_MEGABYTES) if settings.table else None
        self.selective = prunes(settings, state)
        self.deepest, room = rules.plies + 2, room_for(rules)
        p = min(self.deepest, FIRST_PLIES)
        states = np.zeros(p, rules.layout)
        shares = table is not None and settings.threads > 1
        codes, scores, places, lows, highs = np.zeros((5, room), np.int64)
        m = Memory(
            states=states,
            words=words_of(states),
            frames=np.zeros(p, FRAME),
            codes=codes,
            odds=np.zeros(room),
            lows=lows,
            highs=highs,
            scores=scores,
            places=places,
            killers=np.full((p, 2), -1, np.int64),
            history=np.zeros((2, HISTORY), np.int64),
            table=_NO_TABLE if table is None else table.entries,
            claims=np.zeros(CLAIMS if shares else 1, np.uint64),
            lines=np.zeros((p, min(p, LINE)), np.int64),
            lengths=np.zeros(p, np.int64),
            random=np.zeros(1, np.uint64),
            tablebase=rules.opened(asks_solved(settings, state)),
            runs=run_for(settings, state, 0 if table is None else table.age, seed, SLICE_MOVES),
        )  # fmt: skip
        super().__init__("dragon.search.alphabeta.kernel", settings, state, limit, m)
        self.lend(lease)
        self._for = JIT(), checked()
        """What its kernel depends on besides."""

    def fits(self, settings: Settings, state: RecordState) -> bool:
        """Return True if it can be renewed for a search."""
        known = self.settings is settings and self.rules is state.rules
        return known and self._for == (JIT(), checked())

    def renew(self, state: RecordState, limit: Limit, seed: int, lease: Lease) -> CompiledDriver:
        """The same driver as if it were new, for a search that it fits."""
        self.lines = True
        m = self.m
        if self.settings.table:
            self.take(lease.of(state, FIRST_MEGABYTES))
        m.killers.fill(-1)
        m.history[:, : self.run["learnt"][0]] = 0
        self.run["learnt"][0], self.run["seed"][0] = 0, seed
        self.lease = lease
        self.restart(state, limit)
        return self

    def restart(self, state: Any, limit: Limit) -> None:
        """Turns to another state of the same game; what was learnt of it stays."""
        self.turn_to(state)
        self.stops_at = self.lease.grows_at()
        run = self.run
        run["nodes"][0], run["hits"][0], run["root_best"][0] = 0, 0, -1
        self.allow(limit)

    def search(self, depth: int, low: int, high: int) -> Outcome:
        """One iteration; where the budget ended it, what the root had found."""
        begin(self, depth, low, high)
        if self.go_on():
            return self.found(self)
        best = self.top["best"][0]
        if not self.m.lengths[0] or best <= self.top["first_alpha"][0]:
            return Outcome(0, (), horizon=True, finished=False)
        best *= side(self.root)
        return Outcome(best, _line(self.m), horizon=True, finished=False)

    def found(self, searcher: Searcher) -> Outcome:
        """What a kernel has found that is done with its iteration."""
        run = searcher.run
        return Outcome(run["value"][0], _line(searcher.m), run["horizon"][0] != 0, True)

    def paused(self) -> None:
        """Reads how often the table decided; the next slice, too, lists so many moves at most."""
        self.hits, self.run["listed"][0] = self.run["hits"][0], 0

    def release(self) -> None:
        """Lets the searches to come have it; its user keeps nothing of it."""
        m = self.m
        small = m.lines.nbytes + m.states.nbytes + m.codes.nbytes <= MOST_BYTES
        if small and self.rules.tablebase is None:
            if m.table.nbytes > 1e6 * FIRST_MEGABYTES:
                self.m = m._replace(table=_NO_TABLE)
            _free.append(self)
            del _free[:-KEPT]


def _line(m: Memory) -> Any:
    """The codes of the root's line."""
    return m.lines[0, : m.lengths[0]].tolist()


def begin(searcher: Searcher, depth: int, low: int, high: int) -> None:
    """Readies a kernel for an iteration."""
    top = searcher.top
    searcher.run["mode"][0] = START
    top["depth"][0], top["low"][0], top["high"][0] = depth, low, high


_NO_TABLE = np.zeros(4, ENTRY)
_free: list[CompiledDriver] = []


def borrow(
    settings: Settings, state: RecordState, limit: Limit, seed: int, lease: Lease
) -> CompiledDriver:
    """A driver for a search; the one that served the same Search before, if it was given back."""
    for driver in tuple(_free):
        if driver.fits(settings, state):
            try:
                _free.remove(driver)
            except ValueError:  # another thread was quicker
                continue
            return driver.renew(state, limit, seed, lease)
    return CompiledDriver(settings, state, limit, seed, lease)
