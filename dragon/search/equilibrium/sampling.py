"""Monte Carlo counterfactual regret minimization: its kernel, memory and driver.

In each *walk* one seat, the hero, learns. By external sampling it tries each of its moves, while
chance and the others draw theirs; by outcome sampling it draws its own, too, and weights each
sample by the inverse of its probability (importance sampling). The average strategy of a seat is
updated when another seat is the hero. Information sets are put into a table as they are met.

Source: M. Lanctot, K. Waugh, M. Zinkevich and M. Bowling, "Monte Carlo Sampling for Regret
Minimization in Extensive Games" (2009). Walk t counts t times, as in N. Brown and T. Sandholm,
"Solving Imperfect-Information Games via Discounted Regret Minimization" (2019).

Short names: m the Memory, run its RUN, d a ply, f its FRAME, e an information set.

The module is imported when a search begins, since `mccfr` has to be quick to import.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dragon.bits import draw
from dragon.core import CHANCE, TERMINAL, Limit, Position, State
from dragon.errors import GameError, SearchError
from dragon.rules.kernels.playout import step
from dragon.rules.template import SEATS, WIDTH, kernel, moves, payoff, turn
from dragon.search.budget import FOREVER, Counted, lengthened
from dragon.search.driver import DONE, GROW, PAUSED, backend_of, run_of
from dragon.search.equilibrium.chains import (
    ENTRY,
    SETS_FIELDS,
    SetsDriver,
    descend,
    forget,
    key_of,
    look,
    set_at,
    view_hash,
)

UNLIKE = 5
"""A status: a set has another number of moves than before."""
FIRST_SETS = 1 << 12
"""Information sets for which there is room at first."""
SETTINGS = np.dtype(
    [
        ("outcome", "i8"),  # whether the hero draws its moves, too
        ("explore", "f8"),  # the share of them drawn uniformly
    ]
)
RUN = np.dtype(
    [
        ("nodes", "i8"),  # states visited
        ("stop", "i8"),  # pause at this count,
        ("last", "i8"),  # and end after this number of walks
        ("hero", "i8"),  # the seat that learns
        ("depth", "i8"),  # the ply of the walk that goes on, -1 for none
        ("weight", "f8"),  # of this walk
    ]
)
"""The budget of a run, and the place where it paused."""
RESULTS = np.dtype(
    [
        *SETS_FIELDS,
        ("walks", "i8"),
        ("worth", "f8"),  # the sum of what walks of seat 0 were worth, and of their weights
        ("visits", "f8"),
    ]
)
"""The results of a run; its strategy is in `regret` and `total`."""
FRAME = np.dtype(
    [
        ("turn", "i8"),
        ("set", "i8"),  # -1 where there is no room for it
        ("n", "i8"),  # moves
        ("i", "i8"),  # the one that is tried,
        ("end", "i8"),  # and the first that is not
        ("value", "f8"),  # what an end, or chance's move, is worth to the hero
        ("drawn", "f8"),  # the probability by which the hero came here
    ]
)
SET = np.dtype(
    [
        ("view", "u8"),  # the key of its view
        ("first", "i8"),  # the place of its first move in `regret` and `total`
        ("n", "i8"),
        ("worth", "f8"),  # the sum of what it was worth to its seat, and of the weights
        ("visits", "f8"),
    ]
)


KEPT = "runs", "results"
"""The records that a file keeps."""


class Memory(NamedTuple):
    """The arrays of a run."""

    states: Any  # records[plies + 2], of the plies; the last is scratch
    words: Any  # their uint64 words
    codes: Any  # int64[plies + 1, width], the moves at each ply
    odds: Any  # float64[width]
    frames: Any  # FRAME[plies + 1]
    chains: Any  # uint64[plies + 1, seats]; see `chains`
    views: Any  # uint64[plies + 1, seats]
    shares: Any  # float64[plies + 1, width], the probability of each move
    worths: Any  # float64[plies + 1, width], what it is worth to the hero
    table: Any  # ENTRY[2 ** k]
    sets: Any  # SET[sets]
    regret: Any  # float64[sequences]
    total: Any  # float64[sequences], the weighted sum of strategies
    random: Any  # uint64[1]
    settings: Any  # SETTINGS[1]
    runs: Any  # RUN[1]
    results: Any  # RESULTS[1]


@kernel
def match(m, d, e, n):
    """Write the probability of each move by regret matching."""
    whole = 0.0
    if e >= 0:
        first = m.sets[e].first
        for i in range(n):
            m.shares[d, i] = max(m.regret[first + i], 0.0)
            whole += m.shares[d, i]
    for i in range(n):
        m.shares[d, i] = m.shares[d, i] / whole if whole > 0.0 else 1.0 / n


@kernel
def drawn(m, d, n, explore):
    """Draw a move by its probability, or uniformly with the probability of exploration."""
    point = draw(m.random, 1 << 30) / 1073741824.0
    for i in range(n - 1):
        point -= explore / n + (1.0 - explore) * m.shares[d, i]
        if point < 0.0:
            return i
    return n - 1


@kernel
def enter(m, d):
    """Begin the state at ply d; return False where its set has another number of moves."""
    run, f, s = m.runs[0], m.frames[d], m.states[d]
    run.nodes += 1
    f.turn, f.i, f.end = turn(s), 0, 0
    if f.turn == TERMINAL:
        f.value = float(payoff(s, run.hero))
        return True
    look(m, d)
    if f.turn == CHANCE:
        m.codes[d, 0] = step(s, CHANCE, m.codes[d], m.odds, m.random, False)
        f.end = 1
        return True
    f.n = moves(s, m.codes[d])
    known = m.results[0].sets
    f.set = set_at(m, d, f.turn, f.n)
    if m.results[0].sets > known:
        m.sets[f.set].view = key_of(m.views[d, f.turn], f.turn)
    if f.set >= 0 and m.sets[f.set].n != f.n:
        return False
    match(m, d, f.set, f.n)
    if f.turn == run.hero and not m.settings[0].outcome:
        f.end = f.n
    else:
        f.i = drawn(m, d, f.n, m.settings[0].explore if f.turn == run.hero else 0.0)
        f.end = f.i + 1
    return True


@kernel
def leave(m, d):
    """Update regrets at ply d, when all its moves have been tried; return its worth to the hero."""
    settings, run, f = m.settings[0], m.runs[0], m.frames[d]
    if f.turn < 0:
        return f.value
    last = f.end - 1
    if f.turn != run.hero:
        if f.set >= 0 and f.turn == (run.hero + 1) % SEATS:
            first = m.sets[f.set].first
            for i in range(f.n):
                m.total[first + i] += run.weight / f.drawn * m.shares[d, i]
        return m.worths[d, last]
    value = 0.0
    if settings.outcome:
        likely = settings.explore / f.n + (1.0 - settings.explore) * m.shares[d, last]
        for i in range(f.n):
            m.worths[d, i] = m.worths[d, i] / likely if i == last else 0.0
    for i in range(f.n):
        value += m.shares[d, i] * m.worths[d, i]
    if f.set >= 0:
        each, weight = m.sets[f.set], run.weight / f.drawn
        for i in range(f.n):
            m.regret[each.first + i] += weight * (m.worths[d, i] - value)
        each.worth += weight * value
        each.visits += weight
    return value


@kernel
def begin(m):
    """Begin a walk; return False where a set has another number of moves than before."""
    run, walks = m.runs[0], m.results[0].walks
    run.hero = walks % SEATS
    run.weight = 1.0 + walks // SEATS
    run.depth = 0
    m.frames[0].drawn = 1.0
    forget(m, 0)
    return enter(m, 0)


@kernel
def down(m, d):
    """Go on with the next move at ply d; return False as `enter` does."""
    settings, run, f = m.settings[0], m.runs[0], m.frames[d]
    likely = 1.0
    if settings.outcome and f.turn == run.hero:
        likely = settings.explore / f.n + (1.0 - settings.explore) * m.shares[d, f.i]
    m.frames[d + 1].drawn = f.drawn * likely
    descend(m, d, f.turn, m.codes[d, f.i])
    run.depth = d + 1
    return enter(m, d + 1)


@kernel
def up(m, d):
    """Leave ply d, and give its worth to the ply before."""
    run, results = m.runs[0], m.results[0]
    value = leave(m, d)
    run.depth = d - 1
    if d > 0:
        before = m.frames[d - 1]
        if before.turn >= 0:
            m.worths[d - 1, before.i] = value
        else:
            before.value = value
        before.i += 1
        return
    results.walks += 1
    if run.hero == 0:
        results.worth += run.weight * value
        results.visits += run.weight


@kernel
def resume(m):
    """Walk until `run.last` walks are made, or `run.stop` states visited; return the status."""
    run, results = m.runs[0], m.results[0]
    while True:
        d = run.depth
        if d >= 0 and m.frames[d].i >= m.frames[d].end:
            up(m, d)
            continue
        if d < 0 and results.walks >= run.last:
            return DONE
        if run.nodes >= run.stop:
            return PAUSED
        short = results.sets >= len(m.sets) or results.sequences + WIDTH >= len(m.regret)
        if short and not results.full:
            return GROW
        if not (begin(m) if d < 0 else down(m, d)):
            return UNLIKE


class Training(SetsDriver):
    """The strategies that have been learnt of a game, from one state on."""

    statuses = SetsDriver.statuses | {UNLIKE}
    pools = "regret", "total"

    def __init__(self, search: Any, state: State[Any], limit: Limit, seed: int) -> None:
        arrays: Any = backend_of(search, state, visit=bool)
        plies = arrays.plies + 2 if arrays.compiled else 2
        width, seats = arrays.width, len(state.teams)
        self.most = search.megabytes * 1e6
        states = arrays.states(plies)
        settings = run_of(SETTINGS, search, outcome=search.sampling == "outcome")
        m = Memory(
            states=states, words=arrays.words(states), codes=arrays.zeros(plies, width),
            odds=arrays.zeros(width, kind=float), frames=arrays.zeros(plies, kind=FRAME),
            chains=arrays.zeros(plies, seats, kind=np.uint64),
            views=arrays.zeros(plies, seats, kind=np.uint64),
            shares=arrays.zeros(plies, width, kind=float),
            worths=arrays.zeros(plies, width, kind=float),
            table=arrays.zeros(2 * FIRST_SETS, kind=ENTRY),
            sets=arrays.zeros(FIRST_SETS, kind=SET),
            regret=arrays.zeros(4 * FIRST_SETS + width, kind=float),
            total=arrays.zeros(4 * FIRST_SETS + width, kind=float),
            random=arrays.random(seed), settings=arrays.runs(settings),
            runs=arrays.runs(run_of(RUN, depth=-1)), results=arrays.runs(run_of(RESULTS)),
        )  # fmt: skip
        super().__init__("dragon.search.equilibrium.sampling", search, state, limit, m, arrays)

    def train(self, iterations: int) -> bool:
        """Iterate up to this total of iterations; return False if the budget is spent."""
        self.run["last"][0] = iterations * len(self.root.teams)
        return self.go_on()

    def end_walk(self) -> None:
        """Go on to the end of the walk, between two of which `arrays` are made."""
        if self.run["depth"][0] >= 0:
            self.run["last"][0] = self.walks
            self.work(FOREVER)

    def arrays(self) -> dict[str, Any]:
        """Return the arrays that `restore` needs, in another run too."""
        sets, sequences = self.sets, int(self.m.results[0]["sequences"])
        cut = {"sets": sets, "regret": sequences, "total": sequences}
        found = {name: np.array(getattr(self.m, name)[:n]) for name, n in cut.items()}
        whole = {name: np.array(getattr(self.m, name)) for name in ("table", "random", *KEPT)}
        room = np.array([len(self.m.sets), len(self.m.regret)])
        return {**found, **whole, "room": room, "start": self._start()}

    def restore(self, arrays: dict[str, Any]) -> bool:
        """Go on from the walks of another run; return False if the game began otherwise there."""
        if not np.array_equal(arrays["start"], self._start()):
            return False
        sets, sequences = map(int, arrays["room"])
        longer = {name: lengthened(arrays[name], sequences) for name in ("regret", "total")}
        longer |= {"sets": lengthened(arrays["sets"], sets), "table": arrays["table"]}
        self.hold(self.m._replace(**longer))
        self.m.random[:] = arrays["random"]
        for name in KEPT:
            record = getattr(self.m, name)
            source = arrays.get(name, arrays["runs"])  # older files have one record of all
            for each in record.dtype.names:
                record[each] = source[each]
        self.run["depth"][0] = -1
        return True

    def _start(self) -> Any:
        """Return the hashes of what the seats see at the start, and the shape of the game."""
        seats = range(len(self.root.teams))
        seen = [int(view_hash(self.root.seen(seat))) for seat in seats]
        return np.array([*seen, self.m.codes.shape[1]], np.uint64)

    def work(self, stop: int) -> int:
        """Go on as a driver does; raise GameError for a set with other moves than before."""
        status = super().work(stop)
        if status == UNLIKE:
            state = self.backend.state_at(self.m, int(self.run["depth"][0]))
            raise GameError(
                f"{state} looks to seat {state.turn}, after an equal history, like a state that "
                "has another number of moves"
            )
        return status

    @property
    def iterations(self) -> int:
        """Iterations so far: walks of each seat."""
        return self.walks // len(self.root.teams)

    walks = Counted("walks", "results")
    """Walks so far."""

    def value(self) -> float:
        """Return the expected payoff of seat 0 under the strategies so far."""
        results = self.m.results[0]
        return self._paid(results["worth"] / results["visits"]) if results["visits"] else 0.0

    def _paid(self, units: float) -> float:
        """Return units as a payoff; an estimate from few samples may exceed the largest payoff, and
        is cut."""
        most = self.root.largest
        return float(min(most, max(-most, float(units) * self.root.unit)))

    def set_of(self, position: Position) -> int | None:
        """Return the information set of the seat to move; None if it has not been met.

        Raises SearchError where only the view is known (the game began elsewhere), and several
        information sets have it.
        """
        m, seat, view = self.m, position.state.turn, position.state.seen(position.state.turn)
        if position.information[:1] == (self.root.seen(seat),):
            return self.number_of(seat, position.information)
        key = int(key_of(view_hash(view), seat))
        if self.backend.compiled:
            met = np.flatnonzero(m.sets["view"][: self.sets] == np.uint64(key)).tolist()
        else:
            met = [e for e in range(self.sets) if m.sets[e]["view"] == key]
        if len(met) > 1:
            raise SearchError(
                f"{view} is reached in {len(met)} different ways from {self.root}; begin there, "
                "and play to it"
            )
        return met[0] if met else None

    def strategy(self, e: int) -> tuple[list[float], float | None]:
        """Return the average strategy at an information set, and its worth where that is known."""
        each = self.m.sets[e]
        first, n, visits = int(each["first"]), int(each["n"]), float(each["visits"])
        totals = [float(self.m.total[first + i]) for i in range(n)]
        whole = sum(totals)
        even = [1 / n] * n
        worth = self._paid(float(each["worth"]) / visits) if visits else None
        return [total / whole for total in totals] if whole > 0 else even, worth
