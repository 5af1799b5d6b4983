"""nested: nested Monte Carlo search of level 1, compiled (Cazenave, IJCAI 2009)."""

from typing import Any, NamedTuple

import numpy as np

from dragon import TERMINAL, Search, Trait, frozen, hookimpl
from dragon.rules.kernels.playout import play_to_end
from dragon.rules.template import kernel, moves, payoff, play, turn
from dragon.search.budget import simulations_budget
from dragon.search.driver import DONE, PAUSED, KernelDriver, backend_of, run_of

RUN = np.dtype([(name, "i8") for name in ("nodes", "stop", "ply", "made", "most", "moves")])


class Memory(NamedTuple):
    states: Any  # records[3]: the root, the playout, and a playout within it
    out: Any  # int64[2, width]: lists of moves, of the playout and of that within it
    weights: Any  # float64[0]: without chance there are no odds
    paid: Any  # int64[2, moves of the root]: units after each, and playouts
    random: Any  # uint64[1]
    runs: Any  # RUN[1]


@frozen
class Nested(Search):
    """Playouts whose every move is the best of a random playout each, and what they like best."""

    name = "nested"
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN})
    proves, limits = False, frozenset({"seconds", "nodes", "simulations"})

    def improve(self, state, limit, rng):
        most, until = simulations_budget(None, limit, 1000)
        root, arrays = state.moves(), backend_of(self, state)
        memory = Memory(
            states=arrays.states(3),
            out=arrays.zeros(2, arrays.width),
            weights=arrays.zeros(0, kind=float),
            paid=arrays.zeros(2, len(root)),
            random=arrays.random(int(rng.integers(1 << 63))),
            runs=arrays.runs(run_of(RUN, self, most=most, moves=len(root))),
        )
        driver = KernelDriver(__name__, self, state, limit, memory, arrays)
        driver.go_on()
        units, made = (arrays.listed(memory.paid[row], len(root)) for row in (0, 1))
        means = [n / max(count, 1) for n, count in zip(units, made, strict=True)]
        best = max(range(len(root)), key=lambda i: (made[i] > 0, means[i]))
        value, extra = means[best] * state.unit, {"simulations": sum(made), "budget": until}
        yield driver.budget.result(value, line=(root[best],), extra=extra)


@kernel
def advance(m, s, run):
    """Plays the move that does best for its mover in one random playout after each."""
    best = most = 0
    for i in range(moves(s, m.out[0])):
        m.states[2] = s
        play(m.states[2], m.out[0, i])
        run.nodes += 1 + play_to_end(m.states[2], m.out[1], m.weights, m.random, False)
        units = payoff(m.states[2], turn(s))
        if i == 0 or units > most:
            best, most = i, units
    play(s, m.out[0, best])


@kernel
def resume(m):
    """Goes on until DONE, after `most` playouts, or PAUSED, at `stop` nodes."""
    run, s = m.runs[0], m.states[1]
    while run.made < run.most and run.nodes < run.stop:
        at = run.made % run.moves
        if run.ply == 0:  # a new playout, after the next of the root's moves
            m.states[1] = m.states[0]
            moves(s, m.out[0])
            play(s, m.out[0, at])
            run.nodes += 1
        else:
            advance(m, s, run)
        run.ply += 1
        if turn(s) == TERMINAL:
            m.paid[0, at] += payoff(s, turn(m.states[0]))
            m.paid[1, at] += 1
            run.made, run.ply = run.made + 1, 0
    return DONE if run.made == run.most else PAUSED


@hookimpl
def dragon_searches():
    return [Nested]
