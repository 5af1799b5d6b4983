"""The searches, one file or folder each."""

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
        MCCFR, MCTS, MonteCarlo, Negamax, NMCS, NRPA, Policy, Random, TableSearch,
    ]  # fmt: skip
