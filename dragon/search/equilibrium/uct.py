"""UCT over information sets: the kernel of `ismcts` and of learnt best responses.

A *simulation* is one game. In `ismcts` it begins with a world that is dealt to the view at the
root, all seats choose by UCT at their own information sets, and beyond the first new one moves are
drawn. Since nodes are information sets of the mover, all visits of a node have the same moves, and
no availability counts are needed (P. Cowling, E. Powley and D. Whitehouse, "Information Set Monte
Carlo Tree Search", 2012). Against a *frozen* player one seat, the hero, chooses so, from the start
of the game on; the others play that player's distribution, which is queried where it is not known
yet.

Short names: m the Memory, run its RUN, s the record that is played, e an information set.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from dragon.bits import draw
from dragon.core import CHANCE, TERMINAL, Limit, State
from dragon.errors import SearchError
from dragon.rules.kernels.playout import pick, step
from dragon.rules.template import LARGEST, WIDTH, deal, kernel, moves, payoff, turn
from dragon.search.budget import Counted
from dragon.search.driver import DONE, GROW, PAUSED, backend_of, run_of
from dragon.search.equilibrium.chains import (
    ENTRY,
    SETS_FIELDS,
    SetsDriver,
    forget,
    look,
    look_as,
    make,
    set_at,
)

ASK = 5
"""A status: the frozen player has to be queried at the set `run.asked`."""
ASKED, ONCE = 1, 2
"""The frozen player's answer at a set is known: for all visits, or for the next one only."""
FIRST_SETS = 1 << 12
"""Information sets for which there is room at first."""
SETTINGS = np.dtype(
    [
        ("seat", "i8"),  # whose view is at the root, or the hero
        ("frozen", "i8"),  # whether the others are frozen
        ("room", "i8"),  # for which there must be space: the most sets of a game
        ("c", "f8"),
    ]
)
RUN = np.dtype(
    [
        ("nodes", "i8"),  # moves played
        ("stop", "i8"),  # pause at this count,
        ("last", "i8"),  # and end after this number of simulations
        ("learns", "i8"),  # whether choices are tried, and kept
        ("ply", "i8"),  # of the simulation that goes on, -1 for none
        ("chosen", "i8"),  # choices on its path
        ("inside", "i8"),  # whether all its sets were known before
        ("asked", "i8"),
    ]
)
"""The budget of a run, and the place where it paused."""
RESULTS = np.dtype(
    [
        *SETS_FIELDS,
        ("simulations", "i8"),
        ("sum", "f8"),  # of the units that `seat` got, and of their squares
        ("squares", "f8"),
    ]
)
"""The results of a run; the values of moves are in `tried` and `total`."""
SET = np.dtype([("first", "i8"), ("n", "i8"), ("visits", "i8"), ("known", "i8")])


class Memory(NamedTuple):
    """The arrays of a run."""

    states: Any  # records[3]: the root, the game that is played, scratch
    words: Any  # their uint64 words
    out: Any  # int64[width]
    odds: Any  # float64[width]
    chains: Any  # uint64[2, seats]; see `chains`
    views: Any  # uint64[2, seats]
    path: Any  # int64[plies, 3]: the set, the place of the move, and the seat of each choice
    line: Any  # int64[plies], the codes of all moves
    table: Any  # ENTRY[2 ** k]
    sets: Any  # SET[sets]
    tried: Any  # int64[sequences]
    total: Any  # float64[sequences], what tries were worth, from 0 to 1 each
    plays: Any  # float64[sequences], the frozen player's probabilities
    random: Any  # uint64[1]
    settings: Any  # SETTINGS[1]
    runs: Any  # RUN[1]
    results: Any  # RESULTS[1]


@kernel
def select(m, e, n, c):
    """Return a move by UCT (Kocsis and Szepesvari 2006): untried ones first, at random."""
    first = m.sets[e].first
    for i in range(n):
        if m.tried[first + i] == 0:
            k = draw(m.random, n)
            while m.tried[first + k] > 0:
                k = (k + 1) % n
            return k
    best, most = 0, -1.0
    log = math.log(float(m.sets[e].visits))
    for i in range(n):
        tries = m.tried[first + i]
        score = m.total[first + i] / tries + c * math.sqrt(log / tries)
        if score > most:
            best, most = i, score
    return best


@kernel
def best_of(m, e, n):
    """Return the move of the best mean; one at random where none was tried."""
    best, most = draw(m.random, n), -1.0
    for i in range(n):
        at = m.sets[e].first + i
        if m.tried[at] > 0 and m.total[at] / m.tried[at] > most:
            best, most = i, m.total[at] / m.tried[at]
    return best


@kernel
def answered(m, e, n):
    """Draw a move by the frozen player's probabilities."""
    each = m.sets[e]
    if each.known == ONCE:
        each.known = 0
    return pick(m.random, m.plays[each.first : each.first + n])


@kernel
def choose(m, seat, n):
    """Return the move of the seat to move, -1 where the frozen player must be queried first."""
    settings, run, e = m.settings[0], m.runs[0], set_at(m, 1, seat, n)
    if settings.frozen and seat != settings.seat:
        if e < 0 or m.sets[e].known == 0:
            run.asked = e
            return -1
        return answered(m, e, n)
    if e < 0:
        run.inside = settings.frozen
        return draw(m.random, n)
    if not run.learns:
        return best_of(m, e, n)
    if m.sets[e].visits == 0:
        run.inside = settings.frozen
    i = select(m, e, n, settings.c)
    m.path[run.chosen, 0], m.path[run.chosen, 1] = e, m.sets[e].first + i
    m.path[run.chosen, 2] = seat
    run.chosen += 1
    return i


@kernel
def start(m):
    """Begin a simulation."""
    settings, run = m.settings[0], m.runs[0]
    m.states[1] = m.states[0]
    if not settings.frozen and turn(m.states[1]) >= 0:
        deal(m.states[1], settings.seat, m.random)
    run.ply = run.chosen = 0
    run.inside = 1
    forget(m, 1)
    if settings.frozen:
        look(m, 1)


@kernel
def go_on(m):
    """Play to the end; return False where the frozen player must be queried first."""
    run, s, frozen = m.runs[0], m.states[1], m.settings[0].frozen
    while True:
        seat = turn(s)
        if seat == TERMINAL:
            return True
        if seat == CHANCE or not run.inside:
            code = step(s, seat, m.out, m.odds, m.random, False)
        else:
            if not frozen:
                look_as(m, 1, seat)
            n = moves(s, m.out)
            i = choose(m, seat, n)
            if i < 0:
                return False
            code = m.out[i]
        if frozen:
            m.line[run.ply] = code
        run.ply += 1
        run.nodes += 1
        make(m, 1, seat, code)
        if frozen and turn(s) != TERMINAL:
            look(m, 1)


@kernel
def learn(m):
    """Back up the payoff of a simulation to its choices."""
    run, results, s = m.runs[0], m.results[0], m.states[1]
    for d in range(run.chosen):
        m.sets[m.path[d, 0]].visits += 1
        m.tried[m.path[d, 1]] += 1
        m.total[m.path[d, 1]] += 0.5 + 0.5 * payoff(s, m.path[d, 2]) / LARGEST
    units = float(payoff(s, m.settings[0].seat))
    results.sum += units
    results.squares += units * units
    results.simulations += 1
    run.ply = -1


@kernel
def resume(m):
    """Simulate until `run.last` simulations are made, or `run.stop` moves; return the status."""
    run, results, room = m.runs[0], m.results[0], m.settings[0].room
    while True:
        if run.ply < 0:
            if results.simulations >= run.last:
                return DONE
            if run.nodes >= run.stop:
                return PAUSED
            start(m)
        short = results.sets + room >= len(m.sets)
        if (short or results.sequences + room * WIDTH >= len(m.tried)) and not results.full:
            return GROW
        if not go_on(m):
            return ASK
        learn(m)


class Tree(SetsDriver):
    """The information sets that simulations have met, from one state on."""

    statuses = SetsDriver.statuses | {ASK}
    pools = "tried", "total", "plays"

    def __init__(
        self, search: Any, state: State[Any], limit: Limit, seed: int, *, megabytes: float,
        hero: int | None = None, c: float,
    ) -> None:  # fmt: skip
        """hero: the seat that learns against a frozen player; None: all learn."""
        arrays: Any = backend_of(search, state, visit=bool)
        plies = arrays.plies + 2 if arrays.compiled else 2
        width, seats = arrays.width, len(state.teams)
        frozen = hero is not None
        n = FIRST_SETS + plies
        length = 4 * n + plies * width
        self.most, self.ahead = megabytes * 1e6, plies
        states = arrays.states(3)
        settings = run_of(SETTINGS, seat=hero if frozen else max(state.turn, 0), frozen=frozen,
                          room=plies if arrays.compiled else 0, c=c)  # fmt: skip
        m = Memory(
            states=states, words=arrays.words(states), out=arrays.zeros(width),
            odds=arrays.zeros(width, kind=float), chains=arrays.zeros(2, seats, kind=np.uint64),
            views=arrays.zeros(2, seats, kind=np.uint64), path=arrays.zeros(plies, 3),
            line=arrays.zeros(plies), table=arrays.zeros(1 << (2 * n).bit_length(), kind=ENTRY),
            sets=arrays.zeros(n, kind=SET), tried=arrays.zeros(length),
            total=arrays.zeros(length, kind=float),
            plays=arrays.zeros(length if frozen else 0, kind=float),
            random=arrays.random(seed), settings=arrays.runs(settings),
            runs=arrays.runs(run_of(RUN, ply=-1, learns=1)), results=arrays.runs(run_of(RESULTS)),
        )  # fmt: skip
        super().__init__("dragon.search.equilibrium.uct", search, state, limit, m, arrays)

    def simulate(self, simulations: int) -> bool:
        """Simulate up to this total of simulations; return False if the budget is spent."""
        self.run["last"][0] = simulations
        return self.go_on()

    def asks(self, simulations: int) -> bool:
        """Simulate; return True if the frozen player must be queried first."""
        self.run["last"][0] = simulations
        self.waits = False
        self.go_on()
        return self.waits

    def work(self, stop: int) -> int:
        """Go on as a driver does; end where the frozen player must be queried."""
        status = super().work(stop)
        self.waits = status == ASK
        if self.waits and self.run["asked"][0] < 0:
            raise SearchError(f"the information sets of {self.root.game} do not fit into memory")
        return DONE if self.waits else status

    def played(self) -> list[Any]:
        """Return the codes of the moves of the simulation that goes on."""
        return self.backend.listed(self.m.line, int(self.run["ply"][0]))  # type: ignore[no-any-return]

    def answer(self, probabilities: list[float], lasts: bool) -> None:
        """Set the frozen player's distribution, for all visits or for the next one."""
        each = self.m.sets[int(self.run["asked"][0])]
        for i, probability in enumerate(probabilities):
            self.m.plays[int(each["first"]) + i] = probability
        each["known"] = ASKED if lasts else ONCE

    def measure(self) -> None:
        """Stop learning, and start to measure."""
        for name in ("simulations", "sum", "squares"):
            self.m.results[0][name] = 0
        self.run["learns"][0], self.run["ply"][0] = 0, -1

    simulations = Counted("simulations", "results")
    """Simulations so far."""

    @property
    def mean(self) -> tuple[float, float]:
        """Return the mean payoff of `seat`, and its standard error."""
        n, results = max(1, self.simulations), self.m.results[0]
        mean = results["sum"] / n
        spread = max(0.0, results["squares"] / n - mean * mean)
        unit = self.root.unit
        return float(mean) * unit, float(np.sqrt(spread / n)) * unit

    def choices(self, e: int) -> list[tuple[int, float]]:
        """Return how often each move of a set was tried, and its mean as a payoff."""
        m, first, n = self.m, int(self.m.sets[e]["first"]), int(self.m.sets[e]["n"])
        largest = self.root.largest
        found = []
        for at in range(first, first + n):
            tries = int(m.tried[at])
            mean = float(m.total[at]) / tries if tries else 0.5
            found.append((tries, (2 * mean - 1) * largest))
        return found
