"""Kernels against the textbook: `tests/reference` finds the same after as many nodes."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import dragon
from dragon import TERMINAL, State
from dragon.bits import Random
from dragon.rules.record import RecordState
from dragon.search.mcts.settings import FEW
from dragon.search.table import Table, borrow, give_back
from tests.reference.alphabeta import UNIT, AlphaBeta
from tests.reference.dfpn import DfPn
from tests.reference.uct import UCT

pytestmark = pytest.mark.samples(2)

MEGABYTES = 0.7
"""The size of a table that is too small to grow."""
BARE = (
    "killers=false, history=false, aspiration=false, bounds=false, solved=false, sooner=false, "
    f"deepening=true, futility=0.0, megabytes={MEGABYTES}"
)
"""Settings of alphabeta without the parts that the reference does not have."""
PARTS: dict[str, dict[str, Any]] = {
    "plain": {"pvs": False},
    "pvs": {},
    "table": {"table": True},
    "quiescence": {"table": True, "quiescence": 8},
    "null move": {"table": True, "null": True},
    "late moves": {"table": True, "late": True},
    "all": {"table": True, "quiescence": 8, "null": True, "late": True},
}
ALPHA_BETA = [
    *[("connect4", 6, part) for part in ("plain", "pvs", "table")],
    ("checkers", 6, "late moves"),
    ("chess", 4, "all"),
]
MORE = [
    (game, depth, part)
    for game, depth in (
        ("tictactoe", 9), ("nex(rows=3, cols=3)", 3), ("reversi(size=6)", 5), ("morris", 3),
        ("checkers", 6), ("breakthrough(rows=5, columns=4)", 5), ("hex(size=4)", 4),
    )
    for part in ("plain", "pvs", "table")
]  # fmt: skip
MORE += [("chess", 4, part) for part in ("quiescence", "null move", "late moves")]
POSITIONS = 3


def positions(spec: str, plies: int, count: int = POSITIONS) -> list[State[Any]]:
    """The start, and positions some random plies into the game."""
    found = [dragon.game(spec).start()]
    for seed in range(1, 40):
        dice, state = random.Random(seed), dragon.game(spec).start(seed)
        for _ in range(dice.randrange(1, plies)):
            if state.turn != TERMINAL:
                state = state.after(dice.choice(list(state.moves())))
        if state.turn >= 0:
            found.append(state)
        if len(found) == count:
            break
    return found


@pytest.fixture
def table() -> Any:
    """An empty table, and the next search's in the end."""
    lent = borrow(MEGABYTES)
    yield lent
    give_back(lent)


@pytest.mark.samples("connect4-6-pvs")
@pytest.mark.parametrize(
    ("game", "depth", "part"),
    [*ALPHA_BETA, *(pytest.param(*case, marks=pytest.mark.full) for case in MORE)],
)
def test_alpha_beta_visits_the_nodes_of_the_textbook(game: str, depth: int, part: str) -> None:
    on = {"table": False, "pvs": part != "plain", "quiescence": 0, "null": False, "late": False}
    on |= PARTS[part]
    settings = ", ".join(f"{name}={str(value).lower()}" for name, value in on.items())
    search = dragon.search(f"alphabeta({settings}, {BARE}, depth={depth})")
    for state in positions(game, 12):
        lent = borrow(MEGABYTES)
        reference = AlphaBeta(
            lent if on["table"] else None, on["pvs"], on["null"], on["late"], on["quiescence"]
        )
        expected = [
            (found.value / UNIT * state.unit, found.line, reference.nodes, reference.hits)
            for found in reference.deepen(state, depth)
        ]
        give_back(lent)
        results = list(search.results(state))
        assert [(r.value, r.line, r.nodes, r.extra["hits"]) for r in results] == expected


SIMULATED = [("tictactoe", 400), ("hex(size=4)", 200), ("backgammon", 20), ("ulti", 30)]
MORE_SIMULATED = [
    ("connect4", 300), ("nex(rows=3, cols=3)", 300), ("einstein", 100), ("kalah", 100),
    ("dots_and_boxes", 100), ("two048", 5), ("nim", 100),
]  # fmt: skip


@pytest.mark.samples("tictactoe-400")
@pytest.mark.parametrize(
    ("game", "simulations"),
    [*SIMULATED, *(pytest.param(*case, marks=pytest.mark.full) for case in MORE_SIMULATED)],
)
def test_mcts_grows_the_tree_of_the_textbook(game: str, simulations: int) -> None:
    compare(game, simulations)


TRANSPOSED = [("tictactoe", 400), ("hex(size=4)", 200), ("backgammon", 20)]
MORE_TRANSPOSED = [("connect4", 300), ("kalah", 100), ("dots_and_boxes", 100), ("nim", 100)]


@pytest.mark.samples("tictactoe-400")
@pytest.mark.parametrize(
    ("game", "simulations"),
    [*TRANSPOSED, *(pytest.param(*case, marks=pytest.mark.full) for case in MORE_TRANSPOSED)],
)
def test_mcts_shares_values_as_the_textbook(game: str, simulations: int) -> None:
    compare(game, simulations, transpositions=True)


def compare(game: str, simulations: int, transpositions: bool = False) -> None:
    """Compare trees of the product and of the reference, from several positions."""
    shares = f", transpositions={str(transpositions).lower()}"
    for seed, state in enumerate(positions(game, 8)):
        drawn = int(np.random.default_rng(seed).integers(1 << 63))
        wide = isinstance(state, RecordState) and state.rules.width > FEW
        reference = UCT(state, Random(drawn), wide=wide, transpositions=transpositions)
        reference.run(simulations)
        result = dragon.search(f"mcts(simulations={simulations}{shares})").best(state, seed=seed)
        visited = {
            str(child.move): {
                "visits": child.visits,
                "value": child.total / child.visits * state.unit,
            }
            for child in reference.root.children
            if child.visits
        }
        assert result.nodes == reference.nodes
        assert (str(result.bound) == "=") == (reference.root.proof is not None)
        assert result.extra["moves"].items() <= visited.items()


PROVEN = [("tictactoe", 3), ("hex(size=3)", 2), ("domineering(rows=4, columns=4)", 3)]
MORE_PROVEN = [("nex(rows=3, cols=3)", 4), ("nim", 5)]


@pytest.mark.samples("tictactoe-3-0.25-True")
@pytest.mark.parametrize(("epsilon", "weak"), [(0.0, False), (0.25, True)])
@pytest.mark.parametrize(
    ("game", "plies"),
    [*PROVEN, *(pytest.param(*case, marks=pytest.mark.full) for case in MORE_PROVEN)],
)
def test_dfpn_visits_the_nodes_of_the_textbook(
    game: str, plies: int, epsilon: float, weak: bool, table: Table
) -> None:
    search = dragon.search(
        f"dfpn(epsilon={epsilon}, weak={str(weak).lower()}, megabytes={MEGABYTES}, focus=1.0, "
        "ends=false, order=false, history=false, bounds=false, solved=false)"
    )
    for state in positions(game, plies):
        reference = DfPn(table.renew(), epsilon, weak)
        value = reference.solve(state) * state.unit
        result = search.best(state)
        assert (result.value, result.nodes) == (value, reference.nodes)
