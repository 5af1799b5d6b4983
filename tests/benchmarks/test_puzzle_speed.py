"""Ten random 15-puzzles and Korf's first, with pattern databases and without."""

from __future__ import annotations

import time

import dragon
from dragon import Bound, Limit
from dragon.search.budget import processor_time

KORF = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"


def test_ten_random_15_puzzles_take_less_than_ten_seconds_each() -> None:
    game, search = dragon.game("sliding"), dragon.search("idastar")
    with processor_time():
        begun = time.process_time()
        search.best(game.start(), Limit(nodes=1))
        print(f"making the databases: {time.process_time() - begun:.2f} s")
        for seed in range(10):
            state = game.start(seed)
            result = search.best(state)
            print(f"{state}: {-result.value:.0f} moves, {result.nodes:,} nodes, "
                  f"{result.seconds:.2f} s")  # fmt: skip
            assert result.bound is Bound.EXACT
            assert result.seconds < 10


def test_the_first_instance_of_korf_takes_less_than_ten_seconds() -> None:
    state = dragon.game("sliding(gap='first')").parse(KORF)
    for spec in ("idastar", "idastar(patterns=false)"):
        with processor_time():
            result = dragon.search(spec).best(state)
        print(f"{spec}: {result.nodes:,} nodes, {result.seconds:.2f} s")
        assert (result.value, result.bound) == (-57, Bound.EXACT)
        assert result.seconds < 10


def test_the_central_game_of_peg_solitaire_takes_less_than_five_seconds() -> None:
    with processor_time():
        result = dragon.search("astar").best(dragon.game("peg_solitaire").start())
    print(f"{result.nodes:,} nodes, {result.seconds:.2f} s")
    assert (result.value, result.bound) == (1, Bound.EXACT)
    assert result.seconds < 5
