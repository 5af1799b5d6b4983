"""Advice: 200 worlds for ten cards, and how soon twelve cards have a ranking.

A hand of ten costs what its verdicts cost, so it is set beside the same verdicts asked for
one by one, turn about in one run.
"""

from __future__ import annotations

import time
from itertools import islice
from typing import Any

import pytest

from dragon_ulti.advice import advise
from dragon_ulti.answers import verdict
from dragon_ulti.question import Question, all_cells, read_hand
from dragon_ulti.worlds import Worlds, deal_of, unseen

HANDS = {
    "strong": "HA HK HO HX H7 LA L8 AA B9 BX",
    "middling": "HA H8 HO L7 L9 LA LK A8 AX BU",
    "low": "A7 A8 A9 AX H7 H8 LO L7 B7 B8",
}
TWELVE = "HA H8 HO L7 L9 LA LK A8 AX BU B9 BK"


@pytest.mark.parametrize("hand", HANDS)
def test_200_worlds_for_ten_cards(hand: str, benchmark: Any) -> None:
    list(advise(Question(read_hand(HANDS[hand]), all_cells(), samples=1)))
    question = Question(read_hand(HANDS[hand]), all_cells())

    def run() -> Any:
        *_, known = advise(question)
        return known

    known = benchmark.pedantic(run, rounds=3)
    benchmark.extra_info["nodes"] = known.nodes
    assert known.done
    assert known.seconds < 10


def test_sampling_is_quicker_than_verdicts_one_by_one() -> None:
    own, worlds = read_hand(HANDS["strong"]), 20
    cells = all_cells()
    list(advise(Question(own, cells, samples=1)))
    ratios = []
    for seed in range(3):
        begun = time.perf_counter()
        list(advise(Question(own, cells, samples=worlds, seed=seed)))
        ours = time.perf_counter() - begun
        begun = time.perf_counter()
        for world in islice(Worlds(unseen(own)).deals(seed), worlds):
            text = str(deal_of(own, world))
            for cell in cells:
                verdict(cell.game, text)
        ratios.append((time.perf_counter() - begun) / ours)
    print(f"one by one takes {min(ratios):.1f} to {max(ratios):.1f} times as long")
    assert min(ratios) > 1.5


def test_twelve_cards_are_ranked_within_seconds(benchmark: Any) -> None:
    list(advise(Question(read_hand(HANDS["low"]), all_cells(), samples=1)))

    def run() -> Any:
        for known in advise(Question(read_hand(TWELVE), all_cells())):
            if len(known.ranking()) == len(known.discards):
                return known
        raise AssertionError("some discard was never looked at")

    known = benchmark.pedantic(run, rounds=3)
    assert known.seconds < 5
