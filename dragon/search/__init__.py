"""The searches, one file or folder each.

Read `simple` first, which is the textbook's; then `alphabeta` or `mcts`::

    simple, montecarlo     random, greedy, negamax, exhaustive; flat and nested Monte Carlo
    alphabeta, mcts, dfpn, nrpa, path   searches by kernels: `search`, `driver` and `kernel` of each
    retrograde             tables of solved games; equilibrium: games with hidden information
    determinize, worlds    searches of random worlds that agree with a view, and their kernel

Shared by these::

    budget, driver         a run's limit; kernels in slices, over a game's rules
    interpreted            kernels as plain Python, over any State
    table, move_ordering   the transposition table; hash move, killers, history
    two_sided              objections, sides and units of games of two sides
"""

from __future__ import annotations

from dragon.core import Search
from dragon.hookspecs import hookimpl


@hookimpl
def dragon_searches() -> list[type[Search]]:
    """The searches of dragon itself."""
    from dragon.search.alphabeta.search import AlphaBeta
    from dragon.search.determinize import Determinize
    from dragon.search.dfpn.search import DfPn
    from dragon.search.equilibrium.cfr import CFR
    from dragon.search.equilibrium.ismcts import ISMCTS
    from dragon.search.equilibrium.mccfr import MCCFR
    from dragon.search.equilibrium.policy import Policy
    from dragon.search.mcts.search import MCTS
    from dragon.search.montecarlo import NMCS, MonteCarlo
    from dragon.search.nrpa import NRPA
    from dragon.search.path import AStar, Beam, Breadth, IDAStar
    from dragon.search.retrograde.search import TableSearch
    from dragon.search.simple import Exhaustive, Greedy, Negamax, Random

    return [
        AlphaBeta, AStar, Beam, Breadth, CFR, Determinize, DfPn, Exhaustive, Greedy, IDAStar,
        ISMCTS, MCCFR, MCTS, MonteCarlo, Negamax, NMCS, NRPA, Policy, Random, TableSearch,
    ]  # fmt: skip
