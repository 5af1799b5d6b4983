"""Worlds that a kernel deals and solves: the same as one by one, and none that could not be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dragon
from dragon import TERMINAL, Limit
from dragon.bits import Random
from dragon.search.alphabeta.search import AlphaBeta
from dragon.search.table import Lease
from dragon.search.worlds import SolvedWorlds

SETTINGS = AlphaBeta(killers=False, megabytes=1)
ENDGAMES = {  # of a contract and how it is played
    "betli": "ulti(contract='betli', prerequisites=false, cards='hidden')",
    "ulti": "ulti(contract='ulti', prerequisites=false, cards='hidden')",
    "party": "ulti(contract='party', cards='hidden')",
    "points": "ulti(contract='party', objective='points', cards='hidden')",
    "aces": "ulti(contract='four_aces', rules='original', prerequisites=false, cards='hidden')",
}


def endgame(game: Any, rng: Any, size: int = 3) -> Any:
    """A deal of a few cards, some of them played at random."""
    from dragon_ulti.cards import names

    while True:
        cards = rng.permutation(32)[: 3 * size].tolist()
        hands = (cards[i : i + size] for i in range(0, 3 * size, size))
        state = game.parse(" / ".join(map(names, hands)))
        for _ in range(int(rng.integers(2 * size))):
            if state.turn != TERMINAL:
                state = state.after(state.moves()[int(rng.integers(len(state.moves())))])
        if state.turn != TERMINAL:
            return state


def worth(state: Any, known: dict[Any, float]) -> float:
    """The payoff of seat 0 by the whole tree of open cards."""
    if state.turn == TERMINAL:
        return float(state.payoff()[0])
    if state not in known:
        values = [worth(state.after(move), known) for move in state.moves()]
        known[state] = max(values) if state.turn == 0 else min(values)
    return known[state]


def solved(view: Any, worlds: int, seed: int) -> list[tuple[int, int, int]]:
    """The values of each move that the kernel finds in a number of worlds."""
    lease = Lease(1.0)
    kernel = SolvedWorlds(SETTINGS, view, [view.code(move) for move in view.moves()], seed, lease)
    kernel.allow(Limit())
    assert kernel.solve(worlds)
    lease.close()
    return kernel.sums()


@pytest.mark.samples("betli")
@pytest.mark.parametrize("name", ENDGAMES)
def test_worlds_of_endgames_are_worth_what_brute_force_says(name: str) -> None:
    game, rng = dragon.game(ENDGAMES[name]), np.random.default_rng(54)
    for seed in range(40):
        state = endgame(game, rng)
        view = state.seen(state.turn)
        random, expected = Random(seed), [[0, 0, 0] for _ in view.moves()]
        for _ in range(3):  # the same worlds as the kernel's, by the same draws
            world = view.dealt(view.turn, random.state)
            assert world.seen(view.turn) == view
            for sums, move in zip(expected, world.moves(), strict=True):
                value = round(worth(world.after(move), {}))
                sums[0], sums[1], sums[2] = sums[0] + 1, sums[1] + value, sums[2] + value * value
        assert solved(view, 3, seed) == [tuple(sums) for sums in expected], str(view)


def test_a_whole_hand_is_worth_what_worlds_are_one_by_one() -> None:
    game = dragon.game("ulti(contract='party', cards='hidden', marriages=true)")
    state = game.start(3)
    for _ in range(5):
        state = state.after(state.moves()[-1])
    view = state.seen(state.turn)
    search, random = dragon.search("alphabeta(megabytes=1)"), Random(7)
    opened = dragon.game("ulti(contract='party', marriages=true)")
    sums = [0] * len(view.moves())
    for _ in range(3):
        world = view.dealt(view.turn, random.state)
        for i, move in enumerate(view.moves()):
            after = opened.parse(str(world.after(move)))
            result = search.best(after)
            sums[i] += round(result.value) * (1 if after.turn == 0 else -1)
    assert [units for _, units, _ in solved(view, 3, 7)] == sums


def test_determinize_deals_in_the_kernel_and_keeps_to_its_limit() -> None:
    state = dragon.game("ulti(contract='betli', cards='hidden')").start(2)
    search = dragon.search("determinize(samples=20)")
    first, second = search.best(state, seed=3), search.best(state, seed=3)
    assert (first.value, first.line, first.nodes) == (second.value, second.line, second.nodes)
    assert first.extra["worlds"] == 20
    assert {each["simulations"] for each in first.extra["moves"].values()} == {20}
    few = dragon.search("determinize").best(state, Limit(nodes=2000), seed=3)
    assert few.nodes < 3000
    assert few.move in state.moves()
    asked = search.best(state.after(first.move), seed=3)  # a defender's value is its own
    assert -1 <= asked.value <= 1


def test_defenders_are_told_their_own_side_of_it() -> None:
    game = dragon.game("ulti(contract='betli', prerequisites=false, cards='hidden')")
    # seat 1 must take the trick, and leads A7: the betli fails if the declarer's other card is AA
    state = game.parse("H7 AA / H8 A7 / L7 L8").after("H7")
    result = dragon.search("determinize(samples=900)").best(state)
    assert result.value == pytest.approx(-1 / 3, abs=0.13)  # four standard errors
