"""Opening hands: sampled beside numpy in the same run, and exact answers for wide decks."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from dragon_hands.counting import Draws, bit_fields, counted
from dragon_hands.formula import formulas_of
from dragon_hands.importing import load
from dragon_hands.odds import odds
from dragon_hands.question import Question
from dragon_hands.reading import parse_deck

HERE = Path(__file__).parents[1] / "oracles" / "hands"
OUTSIDE = Path(__file__).parents[3] / "shared" / "oracles" / "hands" / "s05_overlap_tags.yaml"
HANDS = 10_000_000
PIECE = 1_000_000


def spec_of_overlap():
    """The outside deck of overlapping tags, or the project's own that is like it."""
    text = (OUTSIDE if OUTSIDE.exists() else HERE / "overlap.yaml").read_text(encoding="utf-8")
    return parse_deck(text.partition("conditions:")[0] + "conditions: [Starter AND Extender]\n")


def numpy_hands_a_second(spec, hands):
    """Make the same estimate by numpy: partial Fisher-Yates in columns, and Hall's three counts."""
    starter = np.array([c.answers("Starter") for c in spec.main for _ in range(c.copies)])
    extender = np.array([c.answers("Extender") for c in spec.main for _ in range(c.copies)])
    rng, n = np.random.default_rng(1), spec.total
    begun, rows, hits = time.perf_counter(), np.arange(PIECE // 10), 0
    for _ in range(hands // len(rows)):
        deck = np.tile(np.arange(n, dtype=np.int8), (len(rows), 1))
        for i in range(5):
            j = rng.integers(i, n, len(rows))
            deck[rows, i], deck[rows, j] = deck[rows, j], deck[rows, i]
        drawn = deck[:, :5]
        s, e = starter[drawn].sum(1), extender[drawn].sum(1)
        either = (starter | extender)[drawn].sum(1)
        hits += int(((s >= 1) & (e >= 1) & (either >= 2)).sum())
    return hands / (time.perf_counter() - begun), hits / hands


def test_twenty_million_hands_a_second_and_many_times_numpy():
    spec = spec_of_overlap()
    truth = odds(spec, Question(policy="never")).any.p
    draws = Draws(bit_fields(formulas_of(spec, "distinct"), spec.copies, 5), 1)
    draws.draw(1000)
    rates = []
    for _ in range(4):
        begun = time.perf_counter()
        hits = draws.draw(HANDS)[0]
        rates.append(HANDS / (time.perf_counter() - begun))
        assert abs(hits / HANDS - truth) < 5 * (truth * (1 - truth) / HANDS) ** 0.5
    peer, p = numpy_hands_a_second(spec, PIECE)
    assert abs(p - truth) < 0.003
    print(f"{max(rates) / 1e6:.1f} M hands/s, numpy {peer / 1e6:.2f} M/s")
    assert max(rates) > 5 * peer
    assert max(rates) > 20e6


def wide(names, total):
    """A deck of many names with tags that overlap, and conditions on them."""
    rows = "".join(
        f"  C{i}:\n    qty: {1 + (i < total - names)}\n    tags: [T{i % 5}, U{i % 7}, V{i % 11}]\n"
        for i in range(names)
    )
    asked = ["T0 AND U1", "2+ T1 AND V3", "(C0 OR C1) AND U2 AND 1- T4", "V1 AND V2 AND V4"]
    return parse_deck(f"deck:\n{rows}conditions:\n" + "".join(f"  - {a}\n" for a in asked))


def best_of(function, turns=5):
    taken = []
    for _ in range(turns):
        begun = time.perf_counter()
        function()
        taken.append(time.perf_counter() - begun)
    return min(taken)


def test_twenty_groups_take_under_fifty_milliseconds():
    spec = wide(20, 40)
    copies = spec.copies

    def answer():
        return counted(formulas_of(spec, "distinct"), copies, 5)

    answer()  # compiles
    taken = best_of(answer)
    whole = best_of(lambda: odds(spec, Question()))
    print(f"20 groups: {1e3 * taken:.1f} ms; with its notes {1e3 * whole:.1f} ms")
    assert taken < 0.05


def test_sixty_cards_of_forty_names_take_under_a_second():
    spec = wide(40, 60)
    odds(spec, Question())
    five, six = (best_of(lambda h=h: odds(spec, Question(h)), 2) for h in (5, 6))
    print(f"40 names of 60 cards: {1e3 * five:.0f} ms with 5, {1e3 * six:.0f} ms with 6")
    assert five < 1
    assert six < 1


def test_the_deck_of_the_tests_takes_milliseconds():
    spec = load(str(HERE / "overlap.yaml"))
    taken = best_of(lambda: odds(spec, Question()))
    print(f"overlap: {1e3 * taken:.2f} ms")
    assert taken < 0.05
