"""An iteration of CFR+ over OpenSpiel's own games: dragon's kernel against their C++.

Both in processor time of one run. Flattening, a walk in Python over the whole game, comes before
and is given beside it.

    pytest -s tests/benchmarks/test_openspiel_games.py
"""

from __future__ import annotations

import time

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

import dragon  # noqa: E402
from dragon import Limit  # noqa: E402
from dragon.bridges.spiel import OpenSpiel, loaded  # noqa: E402

GAMES = {
    "kuhn_poker": (100, 300),
    "leduc_poker": (200, 15),
    "goofspiel(imp_info=True,num_cards=4,points_order=descending)": (200, 15),
    "dark_hex(board_size=2)": (200, 5),
    "battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1],num_shots=2)": (
        200,
        5,
    ),
}
"""The least ratio asked for, and iterations of theirs that are timed."""
SECONDS = 3.0


@pytest.mark.parametrize(("name", "asked", "times"), [(n, *row) for n, row in GAMES.items()])
def test_iterations(name: str, asked: int, times: int) -> None:
    """Print both times of an iteration and their ratio."""
    state = OpenSpiel(name).start()
    search = dragon.search("cfr(variant='cfr+')")
    begun = time.process_time()
    search.best(state, Limit(simulations=1))
    flattening = time.process_time() - begun
    rates = []
    for number in (100, 20_000):
        begun = time.process_time()
        search.best(state, Limit(simulations=number))
        rates.append((number, time.process_time() - begun))
    (few, early), (many, late) = rates
    ours = (late - early) / (many - few)
    solver = pyspiel.CFRPlusSolver(loaded(name))
    solver.evaluate_and_update_policy()
    begun = time.process_time()
    for _ in range(times):
        solver.evaluate_and_update_policy()
    theirs = (time.process_time() - begun) / times
    print(
        f"{name}: {theirs * 1e6:,.0f} us against {ours * 1e6:,.2f} us an iteration, "
        f"{theirs / ours:,.0f} times (asked {asked}); flattened in {flattening:.2f} s"
    )
