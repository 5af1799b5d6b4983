"""Exact odds: independent figures, brute force, and each decision about what a clause means."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon.errors import ConfigError
from dragon_hands.counting import bit_fields, count_hands, counted
from dragon_hands.deck import And, Card, Clause, Deck, Not, Or, Requirement
from dragon_hands.exact import Allowance, TooLarge, successes
from dragon_hands.examples import assignment, examples
from dragon_hands.formula import either, formula, formulas_of
from dragon_hands.importing import load
from dragon_hands.odds import odds, sampled
from dragon_hands.question import Question
from dragon_hands.reading import parse_deck

HERE = Path(__file__).parents[2] / "oracles" / "hands"
VALUES = json.loads((HERE / "values.json").read_text(encoding="utf-8"))
OUTSIDE = Path(__file__).parents[4] / "shared" / "oracles" / "hands"
SHARINGS = ("distinct", "count")
STAPLES = "  Alpha: {qty: 3, tags: [Starter]}\n  Beta: {qty: 3, tags: [Starter, Extender]}\n"


def any_of(text, hand=5, sharing="distinct", policy="never"):
    """The exact probability of a deck's conditions."""
    spec = parse_deck(text) if isinstance(text, str) else text
    return odds(spec, Question(hand, sharing, policy)).any.fraction


def deck(*conditions, cards=STAPLES):
    return f"deck:\n{cards}conditions:\n" + "".join(f"  - {each}\n" for each in conditions)


# ---- figures of independent programs -----------------------------------------------------------


@pytest.mark.parametrize("sharing", SHARINGS)
def test_overlapping_tags_as_counted_independently(sharing):
    found = odds(load(str(HERE / "overlap.yaml")), Question(5, sharing))
    assert (found.any.numerator, found.any.denominator) == (VALUES["overlap"][sharing], 658_008)
    assert [s.numerator for _, s in found.conditions] == VALUES["overlap"][f"each_{sharing}"]


def outside():
    if not OUTSIDE.is_dir():
        pytest.skip("the outside oracles are not there")
    return sorted(OUTSIDE.glob("*.yaml"))


def test_every_outside_oracle_as_fractions():
    for file in outside():
        known = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
        for sharing in SHARINGS:
            if f"exact_{sharing}" in known:
                row = known[f"exact_{sharing}"]
                found = odds(load(str(file)), Question(known["hand"], sharing, "never"))
                assert found.any.numerator == row["any_numerator"], (file.stem, sharing)
                assert found.any.denominator == row["denominator"]
                assert [s.p for _, s in found.conditions] == pytest.approx(row["per"], abs=1e-15)
        if "exact_optimal_play" in known:
            best = odds(load(str(file)), Question(known["hand"]))
            assert best.any.p == pytest.approx(known["exact_optimal_play"], abs=1e-12), file.stem
            alone = odds(load(str(file)), Question(known["hand"], policy="never"))
            assert alone.any.p == pytest.approx(known["exact_without_free_cards"], abs=1e-12)


def test_one_name_is_hypergeometric():
    for copies, hand in product(range(1, 5), (1, 5, 6, 40)):
        text = deck("Alpha", cards=f"  Alpha: {{qty: {copies}}}\n")
        wanted = 1 - Fraction(comb(40 - copies, hand), comb(40, hand))
        assert any_of(text, hand) == wanted


# ---- an independent brute force ----------------------------------------------------------------


def ways(condition):
    """Each way to satisfy a condition: clauses that need cards, and clauses to be tested."""
    if isinstance(condition, Clause):
        return [([condition], [])]
    if isinstance(condition, Not):
        return [([], [condition])]
    parts = [ways(part) for part in condition.parts]
    if isinstance(condition, Or):
        return [way for part in parts for way in part]
    return [
        ([c for needs, _ in chosen for c in needs], [t for _, tests in chosen for t in tests])
        for chosen in product(*parts)
    ]


def seen(clause, zones):
    return [i for i, card in enumerate(zones[clause.zone]) if card.answers(clause.name)]


def has_cards(clauses, zones):
    """Tell whether cards can be handed out to the clauses, none twice."""
    for zone in zones:
        slots = [seen(c, zones) for c in clauses if c.zone == zone and c.sign != "-"
                 for _ in range(c.count)]  # fmt: skip
        if len(slots) > len(zones[zone]):
            return False
        if not any(
            all(i in slot for i, slot in zip(order, slots, strict=False))
            for order in permutations(range(len(zones[zone])), len(slots))
        ):
            return False
    return True


def within(clause, zones):
    n = len(seen(clause, zones))
    return {"+": True, "-": n <= clause.count, "": n == clause.count}[clause.sign]


def holds(condition, zones, sharing):
    if sharing == "count":
        if isinstance(condition, Clause):
            n = len(seen(condition, zones))
            return n >= condition.count if condition.sign == "+" else within(condition, zones)
        if isinstance(condition, Not):
            return not holds(condition.part, zones, sharing)
        kind = all if isinstance(condition, And) else any
        return kind(holds(part, zones, sharing) for part in condition.parts)
    for needs, tests in ways(condition):
        if (
            all(within(c, zones) for c in needs)
            and has_cards(needs, zones)
            and not any(holds(t.part, zones, sharing) for t in tests)
        ):
            return True
    return False


def brute(spec, hand, sharing):
    """Hands of each condition, any, all."""
    copies = [card for card in spec.main for _ in range(card.copies)]
    found = [0] * (len(spec.conditions) + 2)
    for chosen in combinations(range(len(copies)), hand):
        zones = {
            "Hand": [copies[i] for i in chosen],
            "Deck": [card for i, card in enumerate(copies) if i not in chosen],
            "GY": [],
            "Banished": [],
        }
        each = [holds(asked.condition, zones, sharing) for asked in spec.conditions]
        for i, ok in enumerate([*each, any(each), all(each)]):
            found[i] += ok
    return found


TAGS = ("X", "Y", "Z")
cards = st.lists(
    st.tuples(st.integers(0, 2), st.lists(st.sampled_from(TAGS), unique=True, max_size=3)),
    min_size=1, max_size=4,
)  # fmt: skip
clauses = st.builds(
    Clause,
    st.sampled_from((*TAGS, "C0", "C1")),
    st.integers(0, 2),
    st.sampled_from(("+", "-", "")),
    st.sampled_from(("Hand", "Hand", "Hand", "Deck", "GY")),
)
trees = st.recursive(
    clauses,
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(And, st.lists(inner, min_size=2, max_size=3).map(tuple))
        | st.builds(Or, st.lists(inner, min_size=2, max_size=3).map(tuple))
    ),
    max_leaves=5,
)


@st.composite
def specs(draw):
    made = tuple(Card(f"C{i}", qty, tuple(tags)) for i, (qty, tags) in enumerate(draw(cards)))
    size = min(6, sum(card.copies for card in made) + draw(st.integers(0, 2)))
    asked = tuple(
        Requirement(tree, str(tree)) for tree in draw(st.lists(trees, min_size=1, max_size=3))
    )
    spec = Deck(made, asked, size)
    return spec if spec.total else Deck((Card("C0", 2),), asked, 2)


@given(specs(), st.integers(1, 4), st.sampled_from(SHARINGS))
@settings(max_examples=100)
def test_counts_agree_with_brute_force(spec, hand, sharing):
    hand = min(hand, spec.total)
    if spec.total > 8:
        return
    formulas = formulas_of(spec, sharing)
    copies = spec.copies
    wanted = brute(spec, hand, sharing)
    plain = [successes((each,), copies, hand) for each in formulas]
    assert plain == wanted[:-2]
    assert successes(either(formulas), copies, hand) == wanted[-2]
    assert successes(tuple(formulas), copies, hand) == wanted[-1]
    assert count_hands(bit_fields(formulas, copies, hand)) == wanted


@pytest.mark.full
@given(specs(), st.integers(0, 99), st.sampled_from(SHARINGS))
@settings(max_examples=100)
def test_a_witness_is_found_exactly_where_a_condition_holds(spec, seed, sharing):
    copies = [card for card in spec.main for _ in range(card.copies)]
    hand, rest = copies[seed % 3 :][:3], copies[: seed % 3] + copies[seed % 3 + 3 :]
    for asked in spec.conditions:
        given_ = assignment(asked.condition, hand, rest, (), sharing)
        zones = {"Hand": hand, "Deck": rest, "GY": [], "Banished": []}
        assert (given_ is not None) == holds(asked.condition, zones, sharing)


def test_both_ways_to_count_agree_on_a_large_deck():
    rows = "".join(
        f"  C{i}: {{qty: {1 + i % 3}, tags: [T{i % 5}, U{i % 7}, V{i % 4}]}}\n" for i in range(20)
    )
    spec = parse_deck(deck("T1 AND U2 AND V3", "2+ T0 AND 1- U4", "T4 OR U5 AND V2", cards=rows))
    for sharing in SHARINGS:
        formulas = formulas_of(spec, sharing)
        copies = spec.copies
        whole = [successes(o, copies, 6) for o in (either(formulas), tuple(formulas))]
        assert count_hands(bit_fields(formulas, copies, 6))[-2:] == whole
        assert counted(formulas, copies, 6)[-2:] == whole


def test_hands_too_many_for_one_way_are_counted_by_the_other():
    spec = parse_deck(
        deck("Starter AND Extender", cards=STAPLES).replace("deck:", "size: 90\ndeck:")
    )
    formulas = formulas_of(spec, "distinct")
    copies = spec.copies
    with pytest.raises(TooLarge):
        count_hands(bit_fields(formulas, copies, 45))
    with pytest.raises(TooLarge):
        successes(either(formulas), copies, 45, Allowance(3))
    found = counted(formulas, copies, 45)
    assert 0 < found[0] < comb(90, 45)


def test_many_wide_conditions_are_given_up_soon():
    """Work is measured by what a prospect costs, and shared by all conditions of a question."""
    rows = "".join(f"  C{i}: {{qty: 1, tags: [T{i % 17}, U{i % 13}]}}\n" for i in range(200))
    asked = (f"T{i % 17} AND 2+ U{i % 13} AND 2- C{i}" for i in range(60))
    formulas = formulas_of(parse_deck(deck(*asked, cards=rows)), "distinct")
    allowance = Allowance(3_000)
    with pytest.raises(TooLarge):
        successes(either(formulas), [1] * 200, 5, allowance)
    with pytest.raises(TooLarge):  # nothing is left for another
        successes((formulas[0],), [1] * 200, 5, allowance)


# ---- what clauses mean -------------------------------------------------------------------------


def test_distinct_needs_a_card_for_each_clause():
    one = deck("Starter AND Extender", cards="  Beta: {qty: 1, tags: [Starter, Extender]}\n")
    assert any_of(one) == 0
    assert any_of(one, sharing="count") == Fraction(5, 40)


def test_distinct_holds_under_or_too():
    cards = "  Alpha: {qty: 1, tags: [Dragon]}\n  Other: {qty: 1, tags: [Dragon]}\n"
    text = deck("(Alpha OR Other) AND 2+ Dragon", cards=cards)
    assert any_of(text) == 0
    assert any_of(text, sharing="count") == Fraction(5 * 4, 40 * 39)


def test_exactly_counts_the_whole_hand_and_needs_its_cards():
    assert any_of(deck("1 Alpha AND Alpha")) == 0
    assert any_of(deck("1 Alpha AND Alpha"), sharing="count") == any_of(deck("1 Alpha"))


def test_at_most_counts_the_whole_hand_in_either_order():
    for text in ("2+ Starter AND 1- Starter", "1- Starter AND 2+ Starter"):
        assert any_of(deck(text)) == 0


def test_at_most_needs_no_card():
    assert any_of(deck("Alpha AND 3- Starter")) == any_of(
        deck("Alpha AND 3- Starter"), sharing="count"
    )


def test_not_is_tested_by_itself():
    assert any_of(deck("NOT Alpha")) == any_of(deck("0 Alpha"))
    both = any_of(deck("Starter AND Extender"))
    assert any_of(deck("NOT (Starter AND Extender)")) == 1 - both
    assert any_of(deck("Beta AND NOT Starter")) == 0


def test_brackets_are_not_needed_where_order_does_not_matter():
    found = odds(parse_deck(deck("Alpha OR Beta AND Extender")), Question())
    left, right = deck("(Alpha OR Beta) AND Extender"), deck("Alpha OR (Beta AND Extender)")
    assert found.any.fraction == any_of(left) != any_of(right)
    (note,) = (w for w in found.warnings if "left to right" in w)
    assert note.startswith("deck:5: ")
    assert "(Alpha OR Beta) AND Extender" in note
    assert "Alpha OR (Beta AND Extender)" in note
    same = odds(parse_deck(deck("Alpha AND Beta OR Extender")), Question())
    assert not any("left to right" in w for w in same.warnings)


def test_bracketings_that_differ_only_once_free_cards_are_played_are_told():
    """Both readings hold of no hand as dealt, since nothing is in the graveyard."""
    cards = "".join(
        f"  {name}: {{qty: 3, free: {{count: 1, oncePerTurn: false}}}}\n" for name in "PQ"
    )
    text = deck("P IN GY OR Q IN GY AND Gamma", cards=f"{cards}  Gamma: {{qty: 3}}\n")
    found = odds(parse_deck(text), Question())
    right = text.replace("Q IN GY AND Gamma", "(Q IN GY AND Gamma)")
    other = odds(parse_deck(right), Question()).any
    (note,) = (w for w in found.warnings if "left to right" in w)
    assert found.any.percent in note
    assert other.percent in note
    assert other.fraction > found.any.fraction
    assert "before free cards" not in note


def test_the_warning_of_sharing_has_both_figures():
    said = "\n".join(odds(parse_deck(deck("Starter AND Extender")), Question()).warnings)
    assert "cards of its own" in said
    assert "counts for every clause" in said
    warnings = odds(parse_deck(deck("Starter AND 3- Extender")), Question()).warnings
    assert not any("counts for every clause" in w for w in warnings)


def test_zones():
    cards = "  Garnet: {qty: 1}\n"
    assert any_of(deck("Garnet IN Deck", cards=cards)) == Fraction(35, 40)
    assert any_of(deck("36+ Blank IN Deck", cards=cards)) == 0
    assert any_of(deck("35+ Blank IN Deck", cards=cards)) == Fraction(5, 40)
    assert any_of(deck("Garnet IN GY", cards=cards)) == 0
    assert any_of(deck("0 Garnet IN Banished", cards=cards)) == 1
    extra = "extra:\n  Fusion: {qty: 2}\n" + deck("2 Fusion IN Extra AND Garnet", cards=cards)
    assert any_of(extra) == Fraction(5, 40)
    assert any_of(extra.replace("2 Fusion", "3+ Fusion")) == 0


def test_names_and_tags_are_the_same_to_a_clause_and_case_settles_what_it_can():
    both = "  Alpha: {qty: 1}\n  Other: {qty: 2, tags: [Alpha]}\n"
    assert any_of(deck("Alpha", cards=both)) == 1 - Fraction(comb(37, 5), comb(40, 5))
    assert any_of(deck("alpha", cards=both)) == any_of(deck("Alpha", cards=both))
    differing = "  Alpha: {qty: 1}\n  ALPHA: {qty: 2}\n"
    assert any_of(deck("ALPHA", cards=differing)) == 1 - Fraction(comb(38, 5), comb(40, 5))
    with pytest.raises(ConfigError, match="no card and no tag is called 'alpha'"):
        any_of(deck("alpha", cards=differing))


def test_any_and_each_do_not_depend_on_the_order_of_conditions():
    one = odds(parse_deck(deck("Alpha", "Extender", "2+ Starter")), Question())
    two = odds(parse_deck(deck("2+ Starter", "Extender", "Alpha")), Question())
    assert (one.any, one.all) == (two.any, two.all)
    assert dict(one.conditions) == dict(two.conditions)


def test_bricks_are_what_any_leaves():
    found = odds(parse_deck(deck("Starter")), Question())
    assert found.bricks.fraction + found.any.fraction == 1


def test_all_asks_each_condition_by_itself():
    both = deck("Starter", "Extender", cards="  Beta: {qty: 1, tags: [Starter, Extender]}\n")
    assert odds(parse_deck(both), Question()).all.fraction == Fraction(5, 40)


@pytest.mark.full
def test_more_alternatives_than_can_be_kept_are_refused():
    many = " AND ".join(f"(C{i} OR C{i + 1})" for i in range(0, 40, 2))
    rows = "".join(f"  C{i}: {{qty: 1}}\n" for i in range(40))
    with pytest.raises(ConfigError, match="alternatives"):
        any_of(deck(many, cards=rows))
    overlapping = " AND ".join(f"T{i}" for i in range(14))
    card = f"  A: {{qty: 9, tags: [{', '.join(f'T{i}' for i in range(14))}]}}\n"
    card += "".join(f"  B{i}: {{qty: 1, tags: [T{i}]}}\n" for i in range(14))
    with pytest.raises(ConfigError, match="overlapping"):
        any_of(deck(overlapping, cards=card), hand=20)
    assert any_of(deck(overlapping, cards=card), hand=20, sharing="count") > 0


@pytest.mark.parametrize("hand", [0, 41, 10_000])
def test_a_hand_must_come_from_the_deck(hand):
    with pytest.raises(ConfigError, match="from a deck of 40"):
        parse_deck(deck("Alpha")).checked_hand(hand)


def test_examples_pass_as_often_as_they_should():
    spec = parse_deck(deck("Starter AND Extender"))
    dealt = examples(spec, 5, "distinct", seed=3)
    n = 4000
    share = sum(bool(next(dealt).passes) for _ in range(n)) / n
    p = float(any_of(deck("Starter AND Extender")))
    assert abs(share - p) < 4 * (p * (1 - p) / n) ** 0.5


def test_the_game_pays_what_the_odds_say():
    file = str(HERE / "overlap.yaml")
    for sharing in SHARINGS:
        game = dragon.game(f"hands(file={file!r}, sharing={sharing!r})")
        value = dragon.search("exhaustive").best(game.start()).value
        assert value == pytest.approx(odds(load(file), Question(5, sharing)).any.p, abs=1e-12)
    each = [share.p for _, share in odds(load(file), Question()).conditions]
    for i, p in enumerate(each, 1):
        game = dragon.game(f"hands(file={file!r}, condition={i})")
        assert dragon.search("exhaustive").best(game.start()).value == pytest.approx(p, abs=1e-12)
    assert formula(Clause("Trap"), load(file))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"sharing": "some"}, "sharing must be 'distinct' or 'count', not 'some'"),
        ({"policy": "best"}, "policy must be 'optimal', 'greedy', 'never' or 'clairvoyant'"),
        ({"hand": 0}, "'hand' must be >= 1"),
    ],
)
def test_a_question_of_other_words_is_refused(given, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        Question(**given)


def test_no_hand_is_larger_than_the_deck():
    spec = parse_deck(deck("Alpha"))
    with pytest.raises(ConfigError, match="a hand of 41 cards from a deck of 40"):
        odds(spec, Question(hand=41))
    with pytest.raises(ConfigError, match="a hand of 41 cards from a deck of 40"):
        next(sampled(spec, Question(hand=41)))
