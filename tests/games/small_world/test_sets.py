"""Bridges in sets: every form of the score agrees, and the best sets are the best."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_cards.card import Card, Store
from dragon_small_world import bridges
from dragon_small_world.bridges import best_sets, numerators, squared_numerator, squared_numerators
from dragon_small_world.links import links_of
from dragon_small_world.pool import Deck, Pool, read_deck
from dragon_small_world.pool import starter_pool as starter
from dragon_small_world.score import bits_of, joined

pytestmark = pytest.mark.samples(1)

MONSTER = st.tuples(
    st.sampled_from("ABC"), st.sampled_from("XYZ"), st.integers(1, 3),
    st.sampled_from([-1, 0, 1, 2]), st.sampled_from([-1, 0, 1, 2]),
)  # fmt: skip


@st.composite
def tables(draw, most=14, fewest=3):
    """The links of a small deck in a small pool, with few values so that many are equal."""
    rows = draw(st.lists(MONSTER, min_size=fewest, max_size=most))
    names = draw(st.permutations(range(len(rows))))
    monsters = tuple(
        Card(i + 1, f"M{names[i]:02}", *row[:2], *row[2:]) for i, row in enumerate(rows)
    )
    n = draw(st.integers(1, min(8, len(rows))))
    places = tuple(sorted(draw(st.permutations(range(len(rows))))[:n]))
    pool = Pool(Store(monsters, "here"))
    deck = Deck(pool, places, tuple((i, 1) for i in places), n, 0, ())
    return links_of(deck, draw(st.sampled_from(["text", "zero", "never"])))


def best_by_squaring(links, k, allowed=None):
    """All sets by numerator, then names, each judged by a square of the whole matrix."""
    names = [monster.name for monster in links.deck.pool.monsters]
    places = [i for i in range(len(names)) if allowed is None or allowed[i]]
    found = [
        (-squared_numerator(links, chosen), sorted(names[i] for i in chosen))
        for chosen in combinations(places, k)
    ]
    return sorted(found)


def named(links, found):
    names = [monster.name for monster in links.deck.pool.monsters]
    return [(-s.numerator, [names[i] for i in s.places]) for s in found.sets]


@given(tables())
@settings(max_examples=60)
def test_the_theorem_agrees_with_squaring(links):
    assert numerators(links).tolist() == squared_numerators(links)


@pytest.mark.full
@given(tables(), st.data())
@settings(max_examples=60)
def test_the_score_of_a_set_agrees_with_squaring(links, data):
    size = len(links.table)
    chosen = data.draw(st.lists(st.integers(0, size - 1), unique=True, max_size=5))
    assert bits_of(links).numerator(chosen) == squared_numerator(links, chosen)


@pytest.mark.full
@given(tables(), st.integers(1, 3), st.integers(1, 12))
@settings(max_examples=60)
def test_the_best_sets_are_the_best_in_order(links, k, count):
    *_, found = best_sets(links, k, count if k < 3 else 1)
    expected = best_by_squaring(links, k)
    assert found.done
    if not expected:
        assert not found.sets
        return
    assert found.proven
    if k < 3:
        assert named(links, found) == expected[:count]
    else:
        assert named(links, found)[0][0] == expected[0][0]
        assert named(links, found)[0] in expected


@pytest.mark.full
@given(tables(most=11), st.integers(4, 6))  # of 14 monsters there are 3,003 sets to try
@settings(max_examples=60)
def test_larger_sets_are_true_and_within_their_bound(links, k):
    *_, found = best_sets(links, k)
    expected = best_by_squaring(links, k)
    assert bool(found.sets) == bool(expected)
    for chosen in found.sets:
        assert len(set(chosen.places)) == k
        assert squared_numerator(links, chosen.places) == chosen.numerator
        assert chosen.numerator <= -expected[0][0] <= found.upper


@pytest.mark.full
@given(tables(fewest=5), st.data())
@settings(max_examples=60)
def test_what_is_not_allowed_is_not_chosen(links, data):
    size = len(links.table)
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)), bool)
    *_, found = best_sets(links, 2, 5, allowed)
    assert named(links, found) == best_by_squaring(links, 2, allowed)[:5]


@pytest.mark.full
@given(tables(), st.integers(1, 3))
@settings(max_examples=40)
def test_every_step_of_the_stream_holds(links, k):
    best = best_by_squaring(links, k)
    for found in best_sets(links, k):
        assert found.upper >= -best[0][0]
        for chosen in found.sets:
            assert squared_numerator(links, chosen.places) == chosen.numerator


@pytest.mark.full
@given(tables())
@settings(max_examples=25)
def test_kernels_and_their_plain_form_try_the_same_sets(links):
    runs = []
    for enabled in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(bridges, "jit_enabled", lambda on=enabled: on)
            runs.append([[f.sets, f.upper, f.tried] for k in (2, 3) for f in _last(links, k)])
    assert runs[0] == runs[1]


def _last(links, k):
    *_, found = best_sets(links, k)
    return [found]


def large(n):
    """A deck of n monsters of the starter pool, taken evenly."""
    pool = starter()
    places = tuple(range(0, len(pool.monsters), len(pool.monsters) // n))[:n]
    deck = Deck(pool, places, tuple((i, 1) for i in places), n, 0, ())
    return links_of(deck, "text")


@pytest.mark.parametrize("n", [pytest.param(63, marks=pytest.mark.full), 64, 65, 130])
def test_decks_of_more_than_one_word_are_scored_alike(n):
    links = large(n)
    bits = bits_of(links)
    *_, found = best_sets(links, 2, 3)
    for chosen in found.sets:
        assert squared_numerator(links, chosen.places) == chosen.numerator
        assert bits.numerator(chosen.places) == chosen.numerator
    assert numerators(links)[:20].tolist() == squared_numerators(links)[:20]


@pytest.mark.full
def test_the_best_pair_of_the_starter_pool_is_that_of_all_pairs():
    links = links_of(read_deck("mathmech", starter()), "text")
    bits = bits_of(links)
    m = len(starter().monsters)
    best = max(bits.numerator(pair) for pair in combinations(range(m), 2))
    *_, found = best_sets(links, 2)
    assert found.sets[0].numerator == best


def test_joining_a_bridge_twice_changes_nothing():
    bits = bits_of(links_of(read_deck("mathmech", starter()), "text"))
    crow = starter().find("Shinobird Crow")
    assert joined(bits, [crow, crow]) == joined(bits, [crow])
    assert sum(row.bit_count() for row in joined(bits, [])) == bits.start == 116
