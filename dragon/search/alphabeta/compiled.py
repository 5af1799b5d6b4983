"""The memory of alpha-beta's kernel, and its driver."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dragon.core import Limit, Trait
from dragon.rules.record import RecordState
from dragon.search.alphabeta.kernel import START
from dragon.search.alphabeta.settings import STARS, Outcome, Settings, asks_solved, counts_distance
from dragon.search.budget import Budget
from dragon.search.driver import KernelDriver, room_for, run_of
from dragon.search.move_ordering import HISTORY
from dragon.search.table import ENTRY, FIRST_MEGABYTES, Lease
from dragon.search.two_sided import side

SLICE_MOVES = 100_000
"""Moves listed between two looks at the clock, where lists are long."""

FRAME = np.dtype(
    [
        ("alpha", "i8"),  # the window from the mover's side; alpha rises
        ("beta", "i8"),
        ("first_alpha", "i8"),  # as it was on entry
        ("best", "i8"),
        ("upper", "i8"),  # no value exceeds it
        ("banked", "i8"),  # secured steps, from the mover's side
        ("key", "u8"),  # mixed
        ("base", "i8"),  # where the ply's moves begin on the stack
        ("n", "i8"),
        ("at", "i8"),  # the next move to try
        ("best_index", "i8"),
        ("depth", "i8"),
        ("low", "i8"),  # the window from seat 0's side, set by the parent
        ("high", "i8"),
        ("sign", "i8"),
        ("seat", "i8"),  # to move
        ("horizon", "i1"),  # whether it cut short what is below
        ("narrow", "i1"),  # whether the move being tried has a zero window
        ("sorted", "i1"),
        ("least", "f8"),  # of a chance node: what its outcomes are worth together
        ("most", "f8"),
        ("probing", "i1"),  # whether its outcomes are still probed
        ("single", "i1"),  # whether the most promising move alone is asked for,
        ("partial", "i1"),  # and others were left out
        ("lineless", "i1"),  # whether chance decides above, so that no line comes here
    ],
    align=True,
)
RUN = np.dtype(
    [
        ("mode", "i8"),
        ("ply", "i8"),
        ("value", "i8"),  # of the state just left, from seat 0's side
        ("horizon", "i8"),  # whether it cut that short
        ("nodes", "i8"),
        ("stop", "i8"),  # pause when this many nodes have been visited,
        ("listed", "i8"),  # or this many moves listed: a list may be long
        ("pause", "i8"),
        ("hits", "i8"),
        ("met_end", "i8"),  # whether a leaf was an end, or solved
        ("seed", "u8"),
        ("root_best", "i8"),  # index of the root's best move in the last iteration, or -1
        ("age", "i8"),  # of the table's entries that count
        ("table", "i1"),
        ("pvs", "i1"),
        ("killers", "i1"),
        ("history", "i1"),
        ("order", "i1"),
        ("sooner", "i1"),  # whether a quicker win is worth more
        ("shuffle", "i1"),
        ("reduce", "i1"),
        ("bounds", "i1"),
        ("solved", "i1"),
        ("refuses", "i1"),  # chance
        ("star", "i1"),  # whether outcomes have windows,
        ("probe", "i1"),  # and are probed first
        ("partial", "i1"),  # whether the value is that of a probe
    ],
    align=True,
)


class Memory(NamedTuple):
    """What the kernel works on, for p plies and `room` moves on the stack."""

    states: Any  # records[p]
    words: Any  # uint64[p, itemsize / 8], the same memory
    frames: Any  # FRAME[p]
    codes: Any  # int64[room]
    odds: Any  # float64[room], of outcomes
    lows: Any  # int64[room], what they are worth at least
    highs: Any  # int64[room], and at most
    scores: Any  # int64[room]
    places: Any  # int64[room], where the moves were in the game's list
    killers: Any  # int64[p, 2]
    history: Any  # int64[2, HISTORY]
    table: Any  # ENTRY[2**k]
    lines: Any  # int64[p, p], the line from each ply
    lengths: Any  # int64[p]
    random: Any  # uint64[1], scratch
    tablebase: Any  # uint8[any]
    runs: Any  # RUN[1]


class CompiledDriver(KernelDriver):
    """The working memory of the search of one state, on a game by Rules."""

    stack = ("codes", "scores", "places", "odds", "lows", "highs")

    def __init__(
        self, settings: Settings, state: RecordState, limit: Limit, seed: int, lease: Lease
    ) -> None:
        self.lines, self.met_chance = True, Trait.CHANCE in state.rules.traits
        self.sooner, asks = counts_distance(settings, state), asks_solved(settings, state)
        rules = state.rules
        table = lease.of(state, FIRST_MEGABYTES) if settings.table else None
        depths = [depth + 2 for depth in (settings.depth, limit.depth) if depth is not None]
        p, room = min([rules.plies + 2, *depths]), room_for(rules)
        states = np.zeros(p, rules.layout)
        age = 0 if table is None else table.age
        codes, scores, places, lows, highs = np.zeros((5, room), np.int64)
        m = Memory(
            states=states,
            words=states.view(np.uint64).reshape(p, -1),
            frames=np.zeros(p, FRAME),
            codes=codes,
            odds=np.zeros(room),
            lows=lows,
            highs=highs,
            scores=scores,
            places=places,
            killers=np.full((p, 2), -1, np.int64),
            history=np.zeros((2, HISTORY), np.int64),
            table=np.zeros(4, ENTRY) if table is None else table.entries,
            lines=np.zeros((p, p), np.int64),
            lengths=np.zeros(p, np.int64),
            random=np.zeros(1, np.uint64),
            tablebase=rules.opened(asks),
            runs=run_of(
                RUN, settings, age=age, seed=seed, root_best=-1, sooner=self.sooner, solved=asks,
                mode=START, pause=SLICE_MOVES, refuses=settings.chance is None,
                star=settings.chance in STARS, probe=settings.chance == STARS[-1],
            ),
        )  # fmt: skip
        super().__init__("dragon.search.alphabeta.kernel", settings, state, limit, m)
        self._lease, self.stops_at = lease, lease.grows_at()

    def restart(self, state: Any, limit: Limit) -> None:
        """Turns to another state of the same game; what was learnt of it stays."""
        self.turn_to(state)
        run = self.m.runs[0]
        run["nodes"], run["root_best"] = 0, -1
        self.budget = Budget(limit)

    def search(self, depth: int, low: int, high: int) -> Outcome:
        """One iteration; where the budget ended it, what the root had found."""
        m, run, frame = self.m, self.m.runs[0], self.m.frames[0]
        run["mode"], run["ply"], run["met_end"] = START, 0, False
        frame["depth"], frame["low"], frame["high"], frame["base"] = depth, low, high, 0
        m.lengths[0] = 0
        if self.go_on():
            value, met_end = int(run["value"]), bool(run["met_end"])
            return Outcome(value, self._line(), bool(run["horizon"]), True, met_end)
        if not m.lengths[0] or frame["best"] <= frame["first_alpha"]:
            return Outcome(0, (), horizon=True, finished=False)
        best = int(frame["best"]) * side(self.root)
        return Outcome(best, self._line(), horizon=True, finished=False)

    def paused(self) -> None:
        """Reads how often the table decided; the next slice, too, lists so many moves at most."""
        run = self.m.runs[0]
        self.hits, run["listed"] = int(run["hits"]), 0
        if self.budget.nodes == self.stops_at:
            table = self._lease.grow(self._kernel.transfer)
            self.m, run["age"] = self.m._replace(table=table.entries), table.age
            self.stops_at = self._lease.grows_at()

    def _line(self) -> tuple[str, ...]:
        if not self.lines:
            return ()
        return self.moves_of(self.m.lines[0, : self.m.lengths[0]].tolist())
