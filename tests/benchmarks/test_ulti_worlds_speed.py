"""Worlds of closed hands that are solved in a second, in a kernel and one by one, by contract.

The ratio is taken in one run, turn about, of processor time: ten deals that the declarer would make
with open cards, at its first lead; every card of it is searched in every world. By one and by the
other all are worth the same; see tests/search/test_worlds.py.
"""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any

import pytest

import dragon
from dragon.modes import OPTIMISED

CONTRACTS = (
    "no_trump_party", "party", "forty_hundred", "twenty_hundred", "four_aces", "four_tens",
    "ulti", "betli", "durchmars_no_trump", "durchmars_trump",
)  # fmt: skip
DEALS, WORLDS = 10, 20


def speed(game: Any, search: Any) -> tuple[float, float]:
    """Worlds a second, and nodes in each."""
    nodes, spent = 0, 0.0
    for seed in range(DEALS):
        state = game.start(seed)
        begun = time.process_time()
        nodes += search.best(state, seed=seed).nodes
        spent += time.process_time() - begun
    return DEALS * WORLDS / spent, nodes / (DEALS * WORLDS)


@pytest.mark.budget(60)  # winnable deals of a durchmars are rare
@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_kernel_solves_more_worlds_a_second(
    contract: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    winnable = ", winnable=true" if contract != "twenty_hundred" else ""  # few of which are
    game = dragon.game(f"ulti(contract={contract!r}, cards='hidden'{winnable})")
    search = dragon.search(f"determinize(samples={WORLDS})")
    with OPTIMISED.under("1"):
        search.best(game.start(DEALS), seed=0)
        ours, few = speed(game, search)
        with monkeypatch.context() as patch:
            patch.setattr(import_module("dragon.search.worlds"), "solves", lambda *_: False)
            search.best(game.start(DEALS), seed=0)
            theirs, many = speed(game, search)
    print(
        f"{contract}: {ours:,.0f} worlds a second, {few:,.0f} nodes each; one by one {theirs:,.0f},"
        f" {many:,.0f} nodes each: {ours / theirs:.1f} times"
    )
    assert ours > 1.2 * theirs
