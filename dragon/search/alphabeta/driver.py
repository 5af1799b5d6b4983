"""The driver of alpha-beta's kernel: its memory, its iterations, and its threads.

The memory of one search is reused by the next. Further threads are helpers of the driver: each has
its own memory, and all share one transposition table. Helpers search the same state as the driver,
and the first to finish gives the answer (Lazy SMP). All threads stop after each slice. Between two
slices the driver looks at the clock, lets the table grow, averages the history of all threads, and
yields results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np

from dragon.compiler.kernel import Bindings
from dragon.compiler.location import Breach
from dragon.core import Limit, State, Trait
from dragon.modes import JIT, checked
from dragon.rules.record import RecordState, has_kernels
from dragon.search.alphabeta.chance import STARS
from dragon.search.alphabeta.depth import (
    LINE,
    extension,
    futility_margin,
    longest_line,
    reduces_late,
    selective,
    tries_null_moves,
)
from dragon.search.alphabeta.kernel import START
from dragon.search.alphabeta.moves import CLAIMS
from dragon.search.alphabeta.values import (
    Outcome,
    asks_solved,
    counts_distance,
    highest_of,
    scale_of,
    steps,
)
from dragon.search.driver import (
    DONE,
    LONGER,
    PAUSED,
    Fields,
    Kernel,
    TableDriver,
    backend_of,
    lengthened,
    run_of,
    settings_of,
    words_of,
)
from dragon.search.interpreted import InterpretedBackend
from dragon.search.move_ordering import HISTORY
from dragon.search.table import ENTRY, FIRST_MEGABYTES, Lease, Table
from dragon.search.two_sided import refuse_later, side, whole_units

SLICE_MOVES = 100_000
"""Moves listed between two looks at the clock, where lists are long."""
FIRST_PLIES = 128
"""Plies for which there is room at first: some games may last for thousands."""
KEPT, MOST_BYTES = 2, 1 << 24
"""The number of drivers kept for later searches, and the most bytes that a kept one may have."""
ALONE = 1000
"""The nodes of a search before helpers join: about as many as are visited while a thread starts."""
SHARING = {"SHARED": True}
"""The binding of kernels of threads; see `moves`."""
LONGER_SLICE = 8
"""The factor by which slices are longer with several threads, which wait for one another after
each."""
FRAME = np.dtype(
    [
        ("alpha", "i8"),  # the window; alpha rises
        ("beta", "i8"),
        ("first_alpha", "i8"),  # alpha on entry
        ("best", "i8"),
        ("upper", "i8"),  # no value exceeds it
        ("banked", "i8"),  # steps that the mover's side has banked
        ("key", "u8"),  # of the transposition table, mixed; 0: the frame is not looked up
        ("began", "i8"),  # the node count on entry
        ("base", "i8"),  # index of the ply's first move on the stack
        ("n", "i8"),
        ("at", "i8"),  # the next move to try, or NULL_MOVE
        ("put_off", "i8"),  # moves at the end that were put off, since another thread searches them
        ("claim", "u8"),  # for the move being tried, or 0
        ("best_index", "i8"),
        ("depth", "i8"),
        ("low_seat0", "i8"),  # the window from seat 0's side, set by the parent
        ("high_seat0", "i8"),
        ("sign", "i8"),  # 1 where the mover is on seat 0's side, else -1
        ("seat", "i8"),  # to move
        ("horizon", "i1"),  # whether `best` rests on an evaluation
        ("reduction", "i1"),  # plies by which the move being tried, or the null move, is reduced
        ("null_window", "i1"),  # whether the move being tried has a null window
        ("sorted", "i1"),
        ("least", "f8"),  # of a chance node: bounds of the average
        ("most", "f8"),
        ("probing", "i1"),  # whether its outcomes are still probed
        ("single", "i1"),  # whether only the most promising move is searched (a probe),
        ("partial", "i1"),  # and others were left out
        ("lineless", "i1"),  # whether chance decides above, so that no line comes here
        ("after_null", "i1"),  # whether the other side has just made a null move
    ],
    align=True,
)
"""The frame of a ply; values and windows are steps from the mover's side."""
MORE_SETTINGS = {
    "seed": "u8",
    "futility": "i8",  # the margin of a ply, in steps; 0: off
    "refuses": "i1",  # whether chance is refused
    "star": "i1",  # whether outcomes have windows,
    "probe": "i1",  # and are probed first
}
"""The fields beside AlphaBeta's settings by their names, and those of another type."""
RUN = np.dtype(
    [
        ("mode", "i8"),  # where the kernel paused
        ("ply", "i8"),
        ("nodes", "i8"),
        ("stop", "i8"),  # pause when this many nodes have been visited,
        ("listed", "i8"),  # or this many moves listed: a list may be long
        ("pause", "i8"),
        ("age", "i8"),  # of the table's entries that count
    ],
    align=True,
)
"""The budget of a run, and the place where it paused."""
RESULTS = np.dtype(
    [
        ("value_seat0", "i8"),  # of the state just left, from seat 0's side
        ("horizon", "i8"),  # whether that rests on an evaluation
        ("hits", "i8"),  # how often the table decided
        ("root_best", "i8"),  # index of the root's best move in the last iteration, or -1
        ("learnt", "i8"),  # counters of history, of either side, beyond which all are 0
        ("partial", "i1"),  # whether the value is that of a probe
        ("met_chance", "i1"),  # whether chance has decided at a ply
    ],
    align=True,
)
"""The results of a run."""


class Memory(NamedTuple):
    """The arrays of the kernel, for p plies and `room` moves on the stack."""

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
    table: Any  # ENTRY[2**k], of all threads
    claims: Any  # uint64[CLAIMS], of all threads
    lines: Any  # int64[p, min(p, LINE)], the line from each ply, or its beginning
    lengths: Any  # int64[p]
    random: Any  # uint64[1], scratch
    tablebase: Any  # uint8[any]
    settings: Any  # of `settings_of`, and MORE_SETTINGS[1]
    runs: Any  # RUN[1]
    results: Any  # RESULTS[1]


def deepened(m: Memory, plies: int) -> Memory:
    """Return the memory with room for more plies, keeping its contents."""
    killers = np.full((plies, 2), -1, np.int64)
    killers[: len(m.killers)] = m.killers
    lines = np.zeros((plies, min(plies, LINE)), np.int64)
    lines[: len(m.lines), : m.lines.shape[1]] = m.lines
    states = lengthened(m.states, plies)
    return m._replace(
        states=states, words=words_of(states), frames=lengthened(m.frames, plies),
        killers=killers, lines=lines, lengths=lengthened(m.lengths, plies),
    )  # fmt: skip


class Searcher(Protocol):
    """A kernel, with its budget, its results, and the frame of its root."""

    m: Any
    backend: Any
    run: Any
    results: Any
    top: Any


class Deep(Kernel):
    """A kernel whose memory gets room for more plies where lines are long."""

    stack = ("codes", "scores", "places", "odds", "lows", "highs")
    deepest: int
    """Plies for which it ever needs room."""

    def lengthen(self) -> None:
        """Make room for plies, or for moves."""
        plies = len(self.m.frames)
        if self.m.runs[0]["ply"] + 2 <= plies:
            super().lengthen()
        elif plies < self.deepest:
            self.hold(deepened(self.m, min(LONGER * plies, self.deepest)))
        else:
            raise Breach("turn: the game goes on for more than plies = {plies}")

    def hold(self, m: Memory) -> None:
        super().hold(m)
        self.top = self.backend.first(m.frames)


class Driver(Deep, TableDriver):
    """The working memory of the search of one state."""

    template = "dragon.search.alphabeta.kernel"

    def __init__(
        self, settings: Any, state: State[Any], limit: Limit, seed: int, lease: Lease
    ) -> None:
        self.settings, self.lines = settings, True

        def visit(after: State[Any]) -> None:  # the kernel refuses chance
            refuse_later(settings, after, state, chance=True)

        arrays = backend_of(settings, state, whole_units, visit)
        self.scale, self.most = scale_of(state), steps(state, state.largest)
        if isinstance(arrays, InterpretedBackend):
            arrays.names |= {"scale": lambda: self.scale, "keep_line": keep_linked}
        self.highest = highest_of(state)
        self.sooner, asks = counts_distance(settings, state), asks_solved(settings, state)
        self.selective, room = selective(settings, state), arrays.room
        self.deepest = longest_line(settings, state) + 2
        table = lease.of(state, FIRST_MEGABYTES) if settings.table else None
        p = min(self.deepest, FIRST_PLIES)
        states = arrays.states(p)
        shares = table is not None and settings.threads > 1
        m = Memory(
            states=states,
            words=arrays.words(states),
            frames=arrays.zeros(p, kind=FRAME),
            codes=arrays.zeros(room),
            odds=arrays.zeros(room, kind=float),
            lows=arrays.zeros(room),
            highs=arrays.zeros(room),
            scores=arrays.zeros(room),
            places=arrays.zeros(room),
            killers=arrays.full(p, 2, value=-1),
            history=arrays.zeros(2, HISTORY),
            table=arrays.table(_NO_TABLE if table is None else table.entries),
            claims=arrays.zeros(CLAIMS if shares else 1, kind=np.uint64),
            lines=arrays.zeros(p, min(p, LINE)) if arrays.compiled else {},
            lengths=arrays.zeros(p),
            random=arrays.random(0),
            tablebase=arrays.tablebase(asks),
            settings=arrays.runs(run_of(
                settings_of(settings.__class__, **MORE_SETTINGS), settings, seed=seed,
                sooner=self.sooner, solved=asks,
                quiescence=extension(settings, state), late=reduces_late(settings, state),
                null=tries_null_moves(settings, state),
                futility=futility_margin(settings, state),
                refuses=settings.chance is None, star=settings.chance in STARS,
                probe=settings.chance == STARS[-1],
            )),
            runs=arrays.runs(run_of(
                RUN, settings, mode=START, pause=SLICE_MOVES, age=0 if table is None else table.age
            )),
            results=arrays.runs(run_of(RESULTS, settings, root_best=-1)),
        )  # fmt: skip
        self.results, self._seed = arrays.first(m.results), arrays.first(m.settings)["seed"]
        self._chance = isinstance(state, RecordState) and Trait.CHANCE in state.rules.traits
        super().__init__(self.template, settings, state, limit, self.extended(m, arrays), arrays)
        self.lend(lease)
        self._for = JIT(), checked()
        """The further settings that its kernel depends on."""

    def extended(self, m: Memory, arrays: Any) -> Any:
        """Return the memory of the template, which may have further arrays."""
        return m

    @property
    def met_chance(self) -> bool:
        """True if the value may depend on chance. For a plain State this is known only once chance
        is met."""
        return self._chance or self.results["met_chance"][0] != 0

    def fits(self, settings: Any, state: State[Any]) -> bool:
        """Return whether it can be renewed for a search."""
        known = self.settings is settings and self.rules is getattr(state, "rules", None)
        return known and self._for == (JIT(), checked())

    def renew(self, state: RecordState, limit: Limit, seed: int, lease: Lease) -> Driver:
        """Reset the driver to serve a search that it fits."""
        self.lines = True
        m = self.m
        if self.settings.table:
            self.take(lease.of(state, FIRST_MEGABYTES))
        m.killers.fill(-1)
        m.history[:, : self.results["learnt"][0]] = 0
        self.results["learnt"][0], self._seed[0] = 0, seed
        self.lease = lease
        self.restart(state, limit)
        return self

    def restart(self, state: Any, limit: Limit) -> None:
        """Begin at another state of the same game, keeping the table, killers and history."""
        self.turn_to(state)
        self.stops_at = self.lease.grows_at()
        restarted(self)
        self.allow(limit)

    def search(self, depth: int, low: int, high: int) -> Outcome:
        """Search one iteration; if the budget ends it, return the root's best move and value so
        far."""
        begin(self, depth, low, high)
        if self.go_on():
            return self.found(self)
        best = self.top["best"][0]
        if not self.m.lengths[0] or best <= self.top["first_alpha"][0]:
            return Outcome(0, (), horizon=True, finished=False)
        best *= side(self.root)
        return Outcome(best, _line(self), horizon=True, finished=False)

    def found(self, searcher: Searcher) -> Outcome:
        """Return the outcome of a kernel that is done with its iteration."""
        found = searcher.results
        return Outcome(
            found["value_seat0"][0], _line(searcher), found["horizon"][0] != 0, finished=True
        )

    def paused(self) -> None:
        """Read how often the table decided, and let the next slice list as many moves again."""
        self.hits, self.run["listed"][0] = self.results["hits"][0], 0

    def release(self) -> None:
        """Give the driver back for later searches; the caller must not use it any more."""
        if not self.backend.compiled:
            return
        m = self.m
        small = m.lines.nbytes + m.states.nbytes + m.codes.nbytes <= MOST_BYTES
        if small and self.root.rules.tablebase is None:
            if m.table.nbytes > 1e6 * FIRST_MEGABYTES:
                self.m = m._replace(table=_NO_TABLE)
            _free.append(self)
            del _free[:-KEPT]


def _line(searcher: Searcher) -> Any:
    """Return the codes of the root's line."""
    m = searcher.m
    if searcher.backend.compiled:
        return searcher.backend.listed(m.lines[0], int(m.lengths[0]))
    codes: list[Any] = []
    rest = m.lines[0] if m.lengths[0] else None
    while rest is not None and len(codes) < LINE:
        code, rest = rest
        codes.append(code)
    return codes


def keep_linked(m: Memory, d: int, code: Any) -> None:
    """Keep the principal variation from ply d as a linked list: a move, and the child's line.

    It replaces the kernel's `keep_line` when interpreted. That copies the child's line, which takes
    too long where lines have thousands of moves.
    """
    m.lines[d] = code, (m.lines[d + 1] if m.lengths[d + 1] else None)
    m.lengths[d] = 1


def begin(searcher: Searcher, depth: int, low: int, high: int) -> None:
    """Prepare a kernel for an iteration in a window from seat 0's side."""
    top = searcher.top
    searcher.run["mode"][0] = START
    top["depth"][0], top["low_seat0"][0], top["high_seat0"][0] = depth, low, high


def restarted(searcher: Searcher) -> None:
    """Clear the results of a kernel, and the nodes that it has visited."""
    found = searcher.results
    searcher.run["nodes"][0], found["hits"][0], found["root_best"][0] = 0, 0, -1


_NO_TABLE = np.zeros(4, ENTRY)
_free: list[Driver] = []


def borrow(settings: Any, state: State[Any], limit: Limit, seed: int, lease: Lease) -> Driver:
    """Return a driver: the one that the same Search gave back, or a new one."""
    for driver in tuple(_free):
        if has_kernels(state) and driver.fits(settings, state):
            try:
                _free.remove(driver)
            except ValueError:  # another thread was quicker
                continue
            return driver.renew(state, limit, seed, lease)
    return Driver(settings, state, limit, seed, lease)


class Helper(Deep):
    """A thread's own memory beside that of a driver, and the table that they share."""

    def __init__(self, state: RecordState, m: Memory, deepest: int) -> None:
        """Make a helper for the memory `m` of a driver at that state; deepest: its plies."""
        own = {"table": m.table, "claims": m.claims, "tablebase": m.tablebase}
        own |= {name: np.zeros_like(a) for name, a in m._asdict().items() if name not in own}
        own["words"] = words_of(own["states"])
        own["killers"][:] = -1
        own["history"][:] = m.history
        own["settings"], own["runs"], own["results"] = (
            m.settings.copy(), m.runs.copy(), m.results.copy(),
        )  # fmt: skip
        own["runs"]["nodes"] = own["results"]["hits"] = own["runs"]["stop"] = 0
        self.run, self.results, self.deepest = Fields(own["runs"]), Fields(own["results"]), deepest
        super().__init__("dragon.search.alphabeta.kernel", state, Memory(**own), SHARING)
        self.status = DONE


class ThreadedDriver(Driver):
    """A driver with helpers, as soon as the search is long enough for them."""

    def __init__(
        self, settings: Any, state: RecordState, limit: Limit, seed: int, lease: Lease
    ) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self.helpers: list[Helper] = []
        self._new_pool: Callable[[], ThreadPoolExecutor] = lambda: ThreadPoolExecutor(
            settings.threads
        )
        self._pool = self._new_pool()
        super().__init__(settings, state, limit, seed, lease)

    def prepare(self, template: str, bound: Mapping[str, Any] | Bindings | None) -> None:
        """Compile the kernel for threads, or load it."""
        super().prepare(template, SHARING)

    def allow(self, limit: Limit) -> None:
        super().allow(limit)
        longer = LONGER_SLICE * self.settings.threads
        self._pace.most *= longer
        self.run["pause"][0] = longer * SLICE_MOVES

    def restart(self, state: Any, limit: Limit) -> None:
        super().restart(state, limit)
        for helper in self.helpers:
            helper.turn_to(state)
            restarted(helper)

    def search(self, depth: int, low: int, high: int) -> Outcome:
        self.m.claims[:] = 0
        self._asked = depth, low, high
        self._first: Helper | None = None
        for helper in self.helpers:
            self._begin(helper)
        try:
            return super().search(depth, low, high)
        except BaseException:
            self.release()
            raise

    def _begin(self, helper: Helper) -> None:
        begin(helper, *self._asked)
        helper.status = PAUSED

    def found(self, searcher: Searcher) -> Outcome:
        """Return the outcome of the first to be done."""
        first = self._first or searcher
        best = first.results["root_best"][0]
        searchers: list[Searcher] = [self, *self.helpers]
        for each in searchers:
            each.results["root_best"][0] = best
        return super().found(first)

    def work(self, stop: int) -> int:
        """Run a slice in all threads; when one finishes the iteration, all stop."""
        from concurrent.futures import wait

        if self.budget.nodes < ALONE:
            return super().work(min(stop, ALONE))
        if not self.helpers:
            for _ in range(self.settings.threads - 1):
                self.helpers.append(Helper(self.root, self.m, self.deepest))
                self._begin(self.helpers[-1])
        self._agree()
        runs = self._runs()
        share, rest = divmod(stop - self.budget.nodes, self.settings.threads)
        for run in runs:
            run["stop"][0] = run["nodes"][0] + share
        runs[0]["stop"][0] += rest

        def advance(searcher: Kernel) -> int:
            try:
                return searcher._resume()
            finally:  # the others end their slices too, so that none waits for long
                for run in runs:
                    run["stop"][0] = 0

        # A helper without nodes to spend would finish at once, and so end the slice for all others.
        searching = [helper for helper in self.helpers if share and helper.status == PAUSED]
        futures = [self._pool.submit(advance, helper) for helper in searching]
        try:
            status = advance(self)
        finally:
            wait(futures)
        for helper, future in zip(searching, futures, strict=True):
            helper.status = future.result()
        self.budget.nodes = sum(run["nodes"][0] for run in runs)
        done = [helper for helper in searching if helper.status == DONE]
        if status == PAUSED and done:
            self._first, status = done[0], DONE
        return status

    def _agree(self) -> None:
        """Give all threads the mean of their histories, so that all reduce the same late moves.

        A shared history would do the same without this step, but counters that several threads
        write to are slow.
        """
        learnt = [each.m.history for each in (self, *self.helpers)]
        mean = sum(learnt) // len(learnt)
        for history in learnt:
            history[:] = mean

    def paused(self) -> None:
        """Read the table's decisions of all threads."""
        super().paused()
        for helper in self.helpers:
            self.hits += helper.results["hits"][0]
            helper.run["listed"][0] = 0

    def take(self, table: Table) -> None:
        """Use this table from now on, in all threads."""
        super().take(table)
        for helper in self.helpers:
            helper.m = helper.m._replace(table=self.m.table)
            helper.run["age"][0] = table.age

    def release(self) -> None:
        """End the threads until the next search. Such a driver is not reused by other searches."""
        self._pool.shutdown()
        self._pool = self._new_pool()

    def _runs(self) -> list[Fields]:
        return [self.run, *(helper.run for helper in self.helpers)]
