"""Mulligans, known cards, prizes and turns: published figures, and brute force over orders."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import pytest
from attrs import evolve
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from dragon.errors import ConfigError
from dragon_hands.chances import Listed
from dragon_hands.formula import formulas_of
from dragon_hands.grammar import parse
from dragon_hands.odds import odds, probabilities, sampled
from dragon_hands.question import MULLIGANS, Question, asked
from dragon_hands.reading import parse_deck


def deck(size, cards, *conditions):
    rows = "".join(f"  {name}: {{qty: {n}}}\n" for name, n in cards.items())
    texts = "".join(f"  - {each}\n" for each in conditions)
    return parse_deck(f"size: {size}\ndeck:\n{rows}conditions:\n{texts}")


def any_of(spec, **question):
    return odds(spec, Question(**question)).any


# ---- published figures ---------------------------------------------------------------------------


@pytest.mark.parametrize(("cards", "printed"), [(3, "41.25%"), (4, "50.98%")])
def test_replaced_cards_of_hearthstone(cards, printed):
    """Two copies among 30, all else replaced, and a card drawn.

    https://indefinitestudies.org/2014/11/27/in-hearthstone-how-likely-is-a-turn-1-undertaker/
    """
    spec = deck(30, {"Undertaker": 2}, "Undertaker")
    asked_for = {"hand": cards, "mulligan": "replace", "turn": 1}
    assert any_of(spec, **asked_for).percent == printed
    assert any_of(spec, **asked_for, keep=parse("Undertaker")).percent == printed
    fails = [
        Fraction(comb(28, cards), comb(30, cards)),
        Fraction(comb(28 - cards, cards), comb(30 - cards, cards)),
        Fraction(28 - cards, 30 - cards),
    ]
    assert any_of(spec, **asked_for).fraction == 1 - fails[0] * fails[1] * fails[2]


def test_one_card_by_the_cards_drawn_after_replacing_three():
    """The table of "Math in Hearthstone #1", r/CompetitiveHS, 10 December 2016."""
    spec = deck(30, {"Reno": 1}, "Reno")
    printed = {
        0: 20,
        1: 22.96,
        2: 25.92,
        3: 28.89,
        5: 34.81,
        10: 49.63,
        14: 61.48,
        26: 97.03,
        27: 100,
    }
    for turn, percent in printed.items():
        found = any_of(spec, hand=3, mulligan="replace", turn=turn)
        assert 100 * found.p == pytest.approx(percent, abs=0.011), turn


MULLIGAN = {1: 88.33, 2: 77.85, 3: 68.46, 4: 60.05, 5: 52.54, 6: 45.86, 7: 39.91, 8: 34.64,
            9: 29.98, 10: 25.86, 11: 22.24, 12: 19.06, 13: 16.28, 14: 13.86, 15: 11.75,
            16: 9.92, 17: 8.34, 18: 6.99, 19: 5.82, 20: 4.83}  # fmt: skip
"""Hands of seven without a Basic, by their number in 60 cards: P. Roberts, "The Probabilities
Behind the Opening Hand", sixprizes.com, 13 January 2013."""


def test_mulligans_of_pokemon_by_the_number_of_basics():
    for basics, percent in MULLIGAN.items():
        spec = deck(60, {"Basic": basics}, "Basic")
        found = odds(spec, Question(7, mulligan="redraw", keep=parse("Basic")))
        assert found.any.fraction == 1
        (kept,) = found.kept
        assert 100 - 100 * kept.share.p == pytest.approx(percent, abs=0.006), basics


def test_basics_of_a_hand_that_has_one():
    """The rows of ChallengerG's table at pojo.com, July 2001, without their first column."""
    rows = {6: (40.12, 12.28, 1.64, 0.10), 10: (41.15, 24.69, 7.16, 1.07)}
    for basics, (*row,) in rows.items():
        spec = deck(60, {"Basic": basics}, *(f"{n} Basic" for n in range(1, 5)))
        shares = odds(spec, Question(7, given=parse("Basic"))).conditions
        for percent, (_, share) in zip(row, shares, strict=True):
            assert 100 * share.p == pytest.approx(percent / (1 - MULLIGAN[basics] / 100), abs=0.02)


def test_one_card_of_sixty_is_a_prize_in_a_tenth_of_games():
    spec = deck(60, {"Candy": 1}, "Candy IN Prizes", "Candy IN Deck", "Candy")
    found = odds(spec, Question(7, prizes=6))
    assert [share.fraction for _, share in found.conditions] == [
        Fraction(6, 60), Fraction(47, 60), Fraction(7, 60)
    ]  # fmt: skip


def test_the_london_mulligan_for_one_card_and_for_two():
    """A deck of four Chalices and ten ways to cast one on turn 1 has both in 62.5 % of hands of
    five to seven: M. Gilmore, "The London Mulligan: An Eternal Perspective", 22 February 2019.
    A single card of which there are four is missed by each hand of seven alike.
    """
    spec = deck(60, {"Chalice": 4, "Mana": 10}, "Chalice", "Chalice AND Mana")
    one, both = (p for _, p in odds(spec, Question(7, mulligan="london", mulligans=2)).conditions)
    misses = Fraction(comb(56, 7), comb(60, 7))
    assert one.fraction == 1 - misses**3
    assert 100 * both.p == pytest.approx(62.5, abs=0.1)
    to_one = any_of(evolve(spec, conditions=spec.conditions[:1]), hand=7, mulligan="london")
    assert to_one.fraction == 1 - misses**7


# ---- brute force over orders ---------------------------------------------------------------------

ASKED = {
    "A": lambda hand, deck, prizes: "A" in hand,
    "2+ A": lambda hand, deck, prizes: hand.count("A") >= 2,
    "A AND 1- B": lambda hand, deck, prizes: "A" in hand and hand.count("B") <= 1,
    "B AND NOT A OR C": lambda hand, deck, prizes: ("B" in hand and "A" not in hand) or "C" in hand,
    "1+ A IN Deck": lambda hand, deck, prizes: "A" in deck,
    "0 C": lambda hand, deck, prizes: "C" not in hand,
    "A IN Prizes": lambda hand, deck, prizes: "A" in prizes,
    "B OR A IN Prizes": lambda hand, deck, prizes: "B" in hand or "A" in prizes,
}
WANTED = {
    **dict.fromkeys(("A", "2+ A", "A AND 1- B", "1+ A IN Deck"), "A"),
    "B AND NOT A OR C": "BC",
    "0 C": "",
}
"""The cards that a condition asks for."""
IN_PRIZES = {name for name in ASKED if "Prizes" in name}


def mean(rows):
    rows = list(rows)
    return tuple(sum(column) / Fraction(len(rows)) for column in zip(*rows, strict=True))


def without(cards, *gone):
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left


class Brute:
    """All orders, card by card: no counts, and nothing of the product."""

    def __init__(self, cards, question, condition, keep, given_):
        self.cards, self.q = cards, question
        self.asks, self.keep, self.keeps = ASKED[condition], keep, ASKED[keep] if keep else None
        self.gives = ASKED[given_] if given_ else lambda *_: True

    def settle(self, hand, pile, bottom):
        q, rows = self.q, []
        for order in permutations(pile):
            for low in permutations(bottom):
                prizes, rest = order[: q.prizes], (*order[q.prizes :], *low)
                later = [*hand, *rest[: q.draws]]
                a = self.asks(later, rest[q.draws :], prizes)
                b = self.gives(hand, rest, prizes)
                rows.append((a, a and b, b))
        return mean(rows)

    def hands(self, cards, number):
        for chosen in combinations(range(len(cards)), number):
            yield [cards[i] for i in chosen], [c for i, c in enumerate(cards) if i not in chosen]

    def london(self, n, most, down):
        rows = []
        for hand, rest in self.hands(self.cards, self.q.hand):
            options = list(self.hands(hand, len(hand) - n * down))
            if self.keeps:
                good = [each for each in options if self.keeps(each[0], [*rest, *each[1]], [])]
                options = good or (options if n == most else [])
            found = [self.settle(kept, rest, low) for kept, low in options]
            if n != most and (not self.keeps or not options):
                found.append(self.london(n + 1, most, down))
            rows.append(max(found))
        return mean(rows)

    def replace(self):
        rows = []
        for hand, rest in self.hands(self.cards, self.q.hand):
            options = [
                (kept, aside) for n in range(len(hand) + 1) for kept, aside in self.hands(hand, n)
            ]
            if self.q.keep:
                names = WANTED[self.keep]
                options = [([c for c in hand if c in names], [c for c in hand if c not in names])]
            rows.append(max(
                mean(self.settle([*kept, *come], [*left, *aside], [])
                     for come, left in self.hands(rest, len(aside)))
                for kept, aside in options
            ))  # fmt: skip
        return mean(rows)

    def row(self):
        q = self.q
        if q.mulligan == "none":
            held, gone, low = ([n for n, k in each for _ in range(k)]
                               for each in (q.in_hand, q.seen, q.bottom))  # fmt: skip
            cards = without(self.cards, *held, *gone, *low)
            return mean(self.settle([*held, *hand], rest, low)
                        for hand, rest in self.hands(cards, q.hand - len(held)))  # fmt: skip
        if q.mulligan == "replace":
            return self.replace()
        most = q.hand - 1 if q.mulligan == "london" and q.mulligans is None else q.mulligans
        if most is not None:
            return self.london(0, most, q.mulligan == "london")
        kept = [(hand, rest) for hand, rest in self.hands(self.cards, q.hand)
                if self.keeps(hand, rest, [])]  # fmt: skip
        return mean(self.settle(hand, rest, []) for hand, rest in kept) if kept else None


@st.composite
def openings(draw):
    """A small deck, a question, and the texts of its conditions."""
    a, b, c = (draw(st.integers(least, most)) for least, most in ((1, 3), (0, 2), (0, 1)))
    spec = deck(6, {"A": a, "B": b, "C": c}, draw(st.sampled_from(sorted(ASKED))))
    mulligan, hand = draw(st.sampled_from(MULLIGANS)), draw(st.integers(1, 3))
    prizes = draw(st.integers(0, 2))
    plain = sorted(set(ASKED) - IN_PRIZES)
    given_ = draw(st.none() | st.sampled_from(sorted(ASKED) if prizes else plain))
    keep = draw(st.none() | st.sampled_from(plain)) if mulligan != "none" else None
    known = {}
    if mulligan == "none":
        for name in ("in_hand", "seen", "bottom"):
            known[name] = draw(st.sampled_from(((), (("A", 1),), (("B", 1),))))
    most = None
    if mulligan in ("london", "redraw"):
        least = keep is None and mulligan == "redraw"
        most = draw(st.integers(1, 2) if least else st.none() | st.integers(0, 1))
        most = most if most is None or mulligan == "redraw" else min(most, hand - 1)
    question = Question(
        hand, "distinct", "never", mulligan, most, keep and parse(keep), given_ and parse(given_),
        prizes, draw(st.integers(0, 2)), draw(st.booleans()), **known,
    )  # fmt: skip
    return spec, question, keep, given_


@pytest.mark.full
@given(openings())
@settings(max_examples=80, deadline=None, phases=[Phase.explicit, Phase.generate])
def test_every_way_agrees_with_all_orders(opening):
    spec, question, keep, given_ = opening
    cards = [card.name for card in spec.main for _ in range(card.copies)]
    try:
        question.checked(spec)
    except ConfigError:
        return
    row = Brute(cards, question, spec.conditions[0].text, keep, given_).row()
    if row is None or not row[2]:
        with pytest.raises(ConfigError, match="ask for less"):
            probabilities(spec, question, formulas_of(spec, "distinct"))
        return
    found = probabilities(spec, question, formulas_of(spec, "distinct"))
    assert found.shares[0].fraction == row[1] / row[2]
    if given_:
        assert found.given.fraction == row[2]


# ---- wider decks, and hands dealt at random ------------------------------------------------------

MAGIC = """
size: 60
deck:
  Plains: {qty: 13, tags: [Land]}
  Island: {qty: 11, tags: [Land, Blue]}
  Bear: {qty: 6, tags: [Creature, Cheap]}
  Ponder: {qty: 4, tags: [Cheap]}
  Wurm: {qty: 4, tags: [Creature]}
conditions:
  - 2+ Land AND Blue AND Cheap
  - 3+ Land AND 2+ Creature
"""
LANDS = parse("2+ Land AND 5- Land")
WAYS = {
    "known": Question(5, in_hand=(("Island", 2),), seen=(("Wurm", 1),), bottom=(("Bear", 2),),
                      turn=3, on_the_play=True),
    "deep": Question(3, seen=(("Plains", 13), ("Island", 11)), bottom=(("Bear", 3),), turn=32),
    "given": Question(7, given=parse("Ponder IN Prizes OR Bear"), prizes=6, turn=2),
    "london": Question(7, mulligan="london", mulligans=1, keep=LANDS, turn=2),
    "to five": Question(7, mulligan="london", mulligans=2, given=parse("Island")),
    "redraw": Question(7, mulligan="redraw", keep=parse("Creature"), prizes=6, turn=1),
    "once": Question(5, mulligan="redraw", mulligans=1),
    "replace": Question(4, mulligan="replace", keep=parse("Cheap OR Blue"), turn=2),
    "best": Question(3, mulligan="replace", turn=1),
}  # fmt: skip


@pytest.mark.samples(1)
@pytest.mark.parametrize("way", WAYS)
def test_dealt_hands_are_within_four_standard_errors(way):
    spec = parse_deck(MAGIC)
    found = odds(spec, WAYS[way])
    (*_, drawn) = sampled(spec, WAYS[way], seed=5, most=800)
    for (_, share), (_, rough) in zip(found.conditions, drawn.conditions, strict=True):
        assert abs(share.p - rough.p) < 4 * rough.error, way
    assert abs(found.any.p - drawn.any.p) < 4 * drawn.any.error
    assert drawn.any.p >= max(rough.p for _, rough in drawn.conditions)
    for one, other in zip(found.kept, drawn.kept, strict=False):
        assert one.mulligans == other.mulligans
        assert abs(one.share.p - other.share.p) < 4 * other.share.error
    if found.given:
        assert abs(found.given.p - drawn.given.p) < 4 * drawn.given.error


@pytest.mark.full
def test_listing_and_counting_agree(monkeypatch):
    """Cards that come later are counted; the same is listed card by card for free cards."""
    spec = parse_deck(MAGIC)
    few = ("known", "redraw", "best", "once")
    counted = [odds(spec, WAYS[way]).any.fraction for way in few]
    monkeypatch.setattr("dragon_hands.opening.Counted", lambda n, *rest: Listed(spec, *rest))
    assert [odds(spec, WAYS[way]).any.fraction for way in few] == counted


@pytest.mark.full
def test_a_table_of_hands_agrees_with_the_counter(monkeypatch):
    """Hands that satisfy are looked up where there are decisions, if the table is small."""
    spec = parse_deck(MAGIC.replace("3+ Land", "9+ Island IN Deck AND 3+ Land"))
    few = [evolve(WAYS["london"], turn=turn) for turn in (0, 3)]
    tabled = [odds(spec, each).any.fraction for each in few]
    monkeypatch.setattr("dragon_hands.chances.MOST_CELLS", 0)
    assert [odds(spec, each).any.fraction for each in few] == tabled


def test_a_plain_way_gives_the_figures_of_opening_hands():
    """A turn is a larger hand where nothing is known, and random prizes change nothing."""
    spec = parse_deck(MAGIC)
    plain = odds(spec, Question(9)).any.fraction
    assert odds(spec, Question(7, turn=2)).any.fraction == plain
    assert odds(spec, Question(7, turn=3, on_the_play=True)).any.fraction == plain
    assert odds(spec, Question(7, turn=2, prizes=6)).any.fraction == plain
    assert odds(spec, Question(7, turn=2, given=parse("0+ Land"))).any.fraction == plain
    kept = Question(7, mulligan="redraw", keep=parse("Creature"), turn=2)
    same = evolve(kept, mulligan="none", keep=None, given=kept.keep)
    assert odds(spec, kept).any.fraction == odds(spec, same).any.fraction


def test_free_cards_are_played_from_a_hand_that_is_given():
    """A hand in which one Upstart Goblin is given, in a deck of one Alpha: a card more is seen."""
    spec = parse_deck(
        "deck:\n  Alpha: {qty: 1}\n"
        "  Upstart Goblin: {qty: 3, free: {count: 1, oncePerTurn: false}}\nconditions: [Alpha]\n"
    )
    asked_for = Question(5, given=parse("1 Upstart Goblin"))
    in_hand = Fraction(4, 37)  # among the 4 cards that are not Goblins, of 37
    left = 35  # in the deck, 2 of them Goblins; a Goblin that is drawn draws again
    again = Fraction(1, left - 1) + Fraction(1, left - 1) * Fraction(1, left - 2)
    chance = in_hand + (1 - in_hand) * (Fraction(1, left) + Fraction(2, left) * again)
    found = odds(spec, asked_for)
    assert found.any.fraction == chance
    assert odds(spec, evolve(asked_for, policy="never")).any.fraction == in_hand
    (*_, drawn) = sampled(spec, asked_for, most=1500)
    assert abs(drawn.any.p - float(chance)) < 4 * drawn.any.error


# ---- the texts of a question ---------------------------------------------------------------------


def ask(*conditions, hand=None, text=MAGIC, **start):
    return asked(lambda more: parse_deck(text, "deck", more), conditions, hand, start)


def test_the_texts_of_a_question_are_read_as_conditions():
    spec, question = ask(mulligan="london", keep="2+ Land", given="Island")
    assert len(spec.conditions) == 2
    assert (question.hand, question.keep, question.given) == (7, parse("2+ Land"), parse("Island"))
    spec, question = ask("Wurm", in_hand="2 Bear AND Ponder", seen="Wurm", bottom=None)
    assert [each.text for each in spec.conditions][-1] == "Wurm"
    assert (question.hand, question.in_hand) == (3, (("Bear", 2), ("Ponder", 1)))
    _, question = ask(seen="2 Blue")  # the tag of one card
    assert question.seen == (("Island", 2),)
    spec, _ = ask(given="Bear OR Wurm AND Island")
    assert any("--given: read from left to right" in each for each in spec.warnings)


@pytest.mark.parametrize(("start", "said"), [
    ({"mulligan": "replace"}, "add --hand 3, or 4"),
    ({"mulligan": "redraw"}, "add --keep"),
    ({"keep": "Land"}, "need --mulligan"),
    ({"mulligan": "london", "mulligans": 7}, "at most 6 London mulligans"),
    ({"mulligan": "london", "in_hand": "Bear"}, "a known hand is not mulliganed"),
    ({"in_hand": "Land"}, "'Land' is not one card but 'Plains', 'Island'"),
    ({"seen": "5 Ponder"}, "5 copies of 'Ponder' are known, and the deck has 4"),
    ({"seen": "1- Ponder"}, "list cards, as in"),
    ({"given": "Bear IN Prizes"}, "add --prizes 6"),
    ({"mulligan": "redraw", "keep": "Bear IN Prizes", "prizes": 6}, "leave IN Prizes out of"),
    ({"mulligan": "london", "keep": "Land AND", "given": "Bear"}, "--keep: condition 'Land AND'"),
    ({"given": "9 Ponder"}, None),
    ({"mulligan": "redraw", "keep": "9 Ponder"}, None),
    ({"turn": 70}, "ask for an earlier turn"),
    ({"prizes": 58, "hand": 3}, "58 prizes"),
])  # fmt: skip
def test_what_does_not_suit_is_refused_with_a_remedy(start, said):
    with pytest.raises(ConfigError) as refused:
        odds(*ask(**start))
    assert (said or "ask for less") in str(refused.value)
    assert len(refused.value.problems) == 1


def test_a_list_with_a_given_condition_alone_still_needs_conditions():
    with pytest.raises(ConfigError, match="there are no conditions"):
        ask(text="deck:\n  Alpha: {qty: 3}\n", given="Alpha")
