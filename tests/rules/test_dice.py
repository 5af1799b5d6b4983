"""Rolls of two dice against all pairs of numbers."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from dragon.boards.track import roll_odds, roll_words, rolls
from tests.compiler.compiled import compile_function

FIRST = 100


@pytest.mark.parametrize("doubles", [True, False])
@pytest.mark.parametrize("compiled", [True, False])
def test_rolls_are_as_likely_as_pairs_of_numbers(doubles: bool, compiled: bool) -> None:
    listing, weighing = (
        map(compile_function, (rolls, roll_odds)) if compiled else (rolls, roll_odds)
    )
    pairs = [(a, b) for a, b in product(range(1, 7), repeat=2) if doubles or a != b]
    expected = Counter(f"roll{max(pair)}-{min(pair)}" for pair in pairs)
    codes, odds = np.zeros(21, np.int64), np.zeros(len(expected))
    assert listing(codes, FIRST, doubles) == len(expected)
    weighing(odds, doubles)
    texts = {code: text for text, code in reversed(list(roll_words(FIRST).items()))}
    found = {
        texts[code]: weight for code, weight in zip(codes.tolist(), odds.tolist(), strict=False)
    }
    assert found == pytest.approx({text: n / len(pairs) for text, n in expected.items()})


def test_a_roll_may_be_written_either_way_round() -> None:
    words = roll_words(FIRST)
    assert len(words) == 36
    assert len(set(words.values())) == 21
    assert all(words[f"roll{a}-{b}"] == words[f"roll{b}-{a}"]
               for a, b in product(range(1, 7), repeat=2))  # fmt: skip
