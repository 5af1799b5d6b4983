"""The searches, one file each; their kernels are in `dragon.search.kernels`."""

from __future__ import annotations

from dragon.core import Search
from dragon.hookspecs import hookimpl


@hookimpl
def dragon_searches() -> list[type[Search]]:
    """The searches of dragon itself."""
    from dragon.search.algorithm_x import AlgorithmX
    from dragon.search.alphabeta import AlphaBeta
    from dragon.search.count import Count
    from dragon.search.dancing_cells import DancingCells
    from dragon.search.determinize import Determinize
    from dragon.search.dfpn import DfPn
    from dragon.search.dlx import DLX
    from dragon.search.engine import Engine
    from dragon.search.exhaustive import Exhaustive
    from dragon.search.greedy import Greedy
    from dragon.search.mcts import MCTS
    from dragon.search.montecarlo import MonteCarlo
    from dragon.search.negamax import Negamax
    from dragon.search.random import Random

    return [
        AlgorithmX,
        AlphaBeta,
        Count,
        DancingCells,
        Determinize,
        DfPn,
        DLX,
        Engine,
        Exhaustive,
        Greedy,
        MCTS,
        MonteCarlo,
        Negamax,
        Random,
    ]
