"""Free cards: best play against independent figures, brute force, and each rule of play."""

# ruff: noqa: E501
from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon.errors import BadNotation, ConfigError, IllegalMove
from dragon_hands import policy
from dragon_hands.deck import Card, Cost, Deck, Free, Requirement
from dragon_hands.exact import TooLarge
from dragon_hands.formula import either, formulas_of, model_of
from dragon_hands.grammar import parse
from dragon_hands.importing import load
from dragon_hands.odds import any_probability, odds, sampled
from dragon_hands.play import begun, choices, opened, playable
from dragon_hands.policy import gained
from dragon_hands.question import Question
from dragon_hands.reading import parse_deck

HERE = Path(__file__).parents[2] / "oracles" / "hands"
VALUES = json.loads((HERE / "values.json").read_text(encoding="utf-8"))


def share(text, policy="optimal", hand=5):
    return odds(parse_deck(text), Question(hand, policy=policy)).any.fraction


def one(free, condition="Alpha", more="", size=40):
    """A deck of one Alpha and three cards of a free effect."""
    return (
        f"size: {size}\ndeck:\n  Alpha: {{qty: 1, tags: [Good]}}\n"
        f"  Pot: {{qty: 3, free: {{{free}}}}}\n{more}conditions: ['{condition}']\n"
    )


@pytest.mark.parametrize("name", ["upstart", "desires", "prosperity", "duality", "desires_upstart"])
def test_best_play_as_computed_independently(name):
    known = VALUES[name]
    found = odds(load(str(HERE / f"{name}.yaml")), Question()).any.p
    digits = len(str(known["optimal"])) - 2
    assert found == pytest.approx(known["optimal"], abs=max(1e-12, 0.51 * 10**-digits))
    if "sampled" in known:
        p, error = known["sampled"]
        assert abs(found - p) < 3 * error
    if "never" in known:
        alone = odds(load(str(HERE / f"{name}.yaml")), Question(policy="never"))
        assert alone.any.numerator == known["never"]


def test_a_card_that_draws_one_thins_the_deck():
    found = share((HERE / "upstart.yaml").read_text(encoding="utf-8"))
    assert found == 1 - Fraction(comb(34, 5), comb(37, 5))


# ---- an independent brute force: cards by name, drawn one by one --------------------------------


class Slow:
    """Best play by plain recursion over cards by name."""

    def __init__(self, spec, sharing="distinct"):
        self.cards = {card.name: card for card in spec.main}
        self.conditions = [asked.condition for asked in spec.conditions]
        self.known = {}

    def count(self, name, held):
        return sum(self.cards[c].answers(name) for c in held)

    def passes(self, hand):
        return any(self.holds(condition, hand) for condition in self.conditions)

    def holds(self, condition, hand):  # clauses of different names on cards without tags
        parts = getattr(condition, "parts", None)
        if parts is not None:
            return all(self.holds(part, hand) for part in parts)
        n = self.count(condition.name, hand)
        ok = {"+": n >= condition.count, "-": n <= condition.count, "": n == condition.count}
        return ok[condition.sign]

    def value(self, hand, deck, bottom, used, drawn, barred):
        key = hand, deck, bottom, used, drawn, barred
        if key not in self.known:
            self.known[key] = self._value(*key)
        return self.known[key]

    def _value(self, hand, deck, bottom, used, drawn, barred):
        if self.passes(hand):
            return Fraction(1)
        best = Fraction(0)
        for name in set(hand):
            free = self.cards[name].free
            if free is None or (free.once and name in used) or (barred and free.count):
                continue
            if drawn and "NoPreviousDraws" in free.restrictions:
                continue
            mill = free.cost.count if free.cost and free.cost.kind == "BanishFromDeck" else 0
            if len(deck) + len(bottom) < mill + free.count + free.excavate:
                continue
            left = list(hand)
            left.remove(name)
            marks = (
                used | {name} if free.once else used,
                drawn or free.count > 0,
                barred or "NoMoreDraws" in free.restrictions,
            )
            for paid in self.ways_to_pay(free.cost, left):
                best = max(best, self.resolve(free, mill, paid, deck, bottom, marks))
        return best

    def ways_to_pay(self, cost, hand):
        """The hands that are left after a cost from the hand."""
        if cost is None or not cost.from_hand:
            return [tuple(sorted(hand))]
        if cost.names:
            ((words, n),) = cost.names
            able = [i for i, c in enumerate(hand) if any(self.cards[c].answers(w) for w in words)]
        else:
            able, n = list(range(len(hand))), cost.count
        return sorted({
            tuple(sorted(c for i, c in enumerate(hand) if i not in chosen))
            for chosen in combinations(able, n)
        })  # fmt: skip

    def from_top(self, deck, bottom, n):
        """Every sequence of n cards from the top, with its probability and what is left."""
        if n == 0:
            yield Fraction(1), (), deck, bottom
            return
        source = deck or bottom
        for name, copies in Counter(source).items():
            rest = list(source)
            rest.remove(name)
            after = (tuple(rest), bottom) if deck else (deck, tuple(rest))
            for p, drawn, d, b in self.from_top(*after, n - 1):
                yield p * Fraction(copies, len(source)), (name, *drawn), d, b

    def resolve(self, free, mill, hand, deck, bottom, marks):
        total = Fraction(0)
        for p, _, deck1, bottom1 in self.from_top(deck, bottom, mill):
            for q, drawn, deck2, bottom2 in self.from_top(deck1, bottom1, free.count):
                held = tuple(sorted((*hand, *drawn)))
                for r, seen, deck3, bottom3 in self.from_top(deck2, bottom2, free.excavate):
                    total += p * q * r * self.pick(free, held, seen, deck3, bottom3, marks)
        return total

    def pick(self, free, hand, seen, deck, bottom, marks):
        best = Fraction(0)
        for chosen in combinations(range(len(seen)), free.pick):
            rest = tuple(c for i, c in enumerate(seen) if i not in chosen)
            held = [*hand, *(seen[i] for i in chosen)]
            below = tuple(sorted((*bottom, *rest)))
            pile = deck
            if free.rest == "shuffle" and free.excavate:
                pile, below = tuple(sorted((*deck, *below))), ()
            short = free.condition is not None and not self.ways_to_pay(free.condition, held)
            for after in [] if short else self.ways_to_pay(free.condition, held):
                best = max(best, self.value(after, tuple(sorted(pile)), below, *marks))
        return best

    def odds(self, spec, hand):
        copies = [card.name for card in spec.main for _ in range(card.copies)]
        hands = Counter(
            tuple(sorted(copies[i] for i in chosen))
            for chosen in combinations(range(len(copies)), hand)
        )
        total = Fraction(0)
        for held, n in hands.items():
            rest = tuple(sorted((Counter(copies) - Counter(held)).elements()))
            total += n * self.value(held, rest, (), frozenset(), False, False)
        return total / comb(len(copies), hand)


frees = st.builds(
    Free,
    count=st.integers(0, 2),
    once=st.booleans(),
    cost=st.none()
    | st.builds(Cost, st.sampled_from(("Discard", "BanishFromHand", "BanishFromDeck")), st.just(1))
    | st.just(Cost("Discard", names=((("Junk", "Alpha"), 1),)))
    | st.just(Cost("PayLife", 1000)),
    condition=st.none()
    | st.just(Cost("Discard", 1))
    | st.just(Cost("BanishFromHand", names=((("Junk",), 1),))),
    restrictions=st.sampled_from(((), ("NoMoreDraws",), ("NoPreviousDraws",),
                                  ("NoPreviousDraws", "NoMoreDraws"))),
    excavate=st.integers(0, 2),
    pick=st.integers(0, 1),
    rest=st.sampled_from(("bottom", "shuffle")),
).filter(lambda free: free.pick <= free.excavate)  # fmt: skip


@pytest.mark.full
@given(
    frees,
    frees,
    st.tuples(st.integers(1, 2), st.integers(0, 2), st.integers(1, 2), st.integers(0, 2)),
    st.integers(1, 3),
    st.sampled_from(("Alpha", "Alpha AND Junk", "2+ Alpha", "Alpha AND 0 Junk", "Pot AND Alpha")),
)
@settings(max_examples=60)
def test_best_play_agrees_with_plain_recursion(first, second, copies, blanks, condition):
    alpha, junk, pot, jar = copies
    cards = (
        Card("Alpha", alpha),
        Card("Junk", junk),
        Card("Pot", pot, free=first),
        Card("Jar", jar, free=second),
    )
    size = min(7, alpha + junk + pot + jar + blanks)
    spec = Deck(cards, (Requirement(parse(condition), condition),), size)
    hand = 2
    wanted = Slow(spec).odds(spec, hand)
    assert odds(spec, Question(hand)).any.fraction == wanted
    objective = either(formulas_of(spec, "distinct"))
    base = odds(spec, Question(hand, policy="never")).any.fraction
    full = model_of(spec, objective, hand, shortcuts=False)
    assert base + gained(full) == wanted
    greedy = odds(spec, Question(hand, policy="greedy")).any.fraction
    assert base <= greedy <= wanted


# ---- the rules one by one ----------------------------------------------------------------------


def test_once_per_turn_is_by_name_and_lasts():
    twice = one("count: 1, oncePerTurn: false", "Alpha")
    once = one("count: 1, oncePerTurn: true", "Alpha")
    assert share(once) < share(twice)
    text = one(
        "count: 1, oncePerTurn: true", more="  Jar: {qty: 3, free: {count: 1, oncePerTurn: true}}\n"
    )
    assert share(once) < share(text) < share(twice.replace("qty: 3", "qty: 6"))


def test_a_cost_must_be_payable_before_anything_else():
    deck = "size: 6\ndeck:\n  Alpha: {qty: 1}\n  Pot: {qty: 1, free: {count: 1, oncePerTurn: true, cost: {type: BanishFromDeck, value: %d}}}\nconditions: [Alpha]\n"
    alone = share(deck % 3, "never", 3)
    assert share(deck % 3, hand=3) == alone  # three cards are left: three to banish, none to draw
    assert share(deck % 2, hand=3) > alone


@pytest.mark.parametrize("policy", ["optimal", "greedy"])
def test_a_cost_and_a_condition_of_playing_it_are_payable_together(policy):
    """With a single Junk, which would pay either, the card cannot be played."""
    free = Free(
        count=1, cost=Cost("Discard", names=((("Junk", "Toy"), 1),)),
        condition=Cost("Discard", names=((("Junk",), 1),)), timing="before",
    )  # fmt: skip
    cards = (Card("Pot", 1, free=free), Card("Junk", 1), Card("Toy", 1), Card("Alpha", 1))
    asked = Requirement(parse("Alpha"), "Alpha")
    model = model_of(Deck(cards, (asked,), 0), either(formulas_of(Deck(cards, (asked,), 0),
                     "distinct")), 3)  # fmt: skip
    names = [each.label for each in model.classes]
    hand = {"Pot": 1, "Junk": 1}
    at = opened(model, tuple(hand.get(name, 0) for name in names))
    assert playable(model, at) == []
    hand["Toy"] = 1
    at = begun(model, opened(model, tuple(hand.get(name, 0) for name in names)), names.index("Pot"))
    (paid,) = choices(model, at)
    assert paid[names.index("Toy")] == 1
    assert odds(Deck(cards, (asked,), 0), Question(3, policy=policy)).any.p == 1


def test_a_list_is_one_card_of_any_of_these_and_a_table_so_many_of_each():
    more = "  Junk: {qty: 2, tags: [Level 8]}\n  Scrap: {qty: 2, tags: [Book]}\n"
    either_ = one(
        "count: 2, oncePerTurn: true, cost: {type: Discard, value: [Level 8, Book]}", more=more
    )
    both = one(
        "count: 2, oncePerTurn: true, cost: {type: Discard, value: {Level 8: 1, Book: 1}}",
        more=more,
    )
    first = one("count: 2, oncePerTurn: true, cost: {type: Discard, value: Level 8}", more=more)
    assert share(both, "never") < share(both) < share(first) < share(either_)


def test_a_condition_that_cannot_be_met_loses_the_hand():
    text = one("count: 2, oncePerTurn: false, condition: {type: BanishFromHand, value: DARK}", "0 Brick",
               more="  Brick: {qty: 20}\n  Night: {qty: 3, tags: [DARK]}\n")  # fmt: skip
    alone = share(text, "never")
    assert alone == Fraction(comb(20, 5), comb(40, 5))
    assert share(text) == alone  # a hand with a brick keeps it, and a lost hand passes nothing
    lost = one("count: 1, oncePerTurn: true, condition: {type: Discard, value: Nothing}", "Alpha")
    assert share(lost) == share(lost, "never")
    assert share(lost, "greedy") == share(lost, "never")


def test_a_condition_comes_after_the_draw_or_before_it_by_choice():
    free = "count: 2, oncePerTurn: false, condition: {type: BanishFromHand, value: DARK}%s"
    more = "  Night: {qty: 3, tags: [DARK]}\n"
    after, before = one(free % "", more=more), one(free % ", condition_timing: before", more=more)
    assert share(before) < share(after)
    assert share("condition_timing: before\n" + after) == share(before)
    cost = one("count: 2, oncePerTurn: false, cost: {type: BanishFromHand, value: DARK}", more=more)
    assert share(cost) == share(before)


def test_draws_are_barred_and_cards_that_draw_nothing_are_not():
    dig = "oncePerTurn: true, restriction: [NoPreviousDraws, NoMoreDraws], excavate: {count: 3, pick: 1}"
    see = "  Jar: {qty: 3, free: {oncePerTurn: true, excavate: {count: 3, pick: 1}}}\n"
    draw = "  Jar: {qty: 3, free: {count: 3, oncePerTurn: true}}\n"
    alone = share(one(dig, more="  Jar: {qty: 3}\n"))
    assert share(one(dig, more=see)) > alone
    hand = "2 Pot, 2 Jar, 1 other"
    state = dragon_state(one(dig, more=draw)).after(hand)
    assert state.moves() == ("play Pot", "play Jar")
    drawn = state.after("play Jar")
    assert drawn.after(drawn.moves()[0]).moves() == ()
    dug = state.after("play Pot")
    picked = dug.after("see 3 other").after("pick 1 other")
    assert picked.turn == dragon.TERMINAL


def dragon_state(text, **more):
    """The start of a deck's game."""
    from dragon_hands.state import HandState, Table

    spec = parse_deck(text)
    objective = either(formulas_of(spec, "distinct"))
    return HandState(None, Table(model_of(spec, objective, 5, shortcuts=False)))


def test_what_is_not_picked_goes_to_the_bottom_or_is_shuffled_in():
    dig = one("oncePerTurn: true, excavate: {count: 2, pick: 1%s}")
    below = dragon_state(dig % "").after("3 Pot, 2 other").after("play Pot")
    below = below.after("see 2 other").after("pick 1 other")
    assert "bottom 1 other" in str(below)
    mixed = dragon_state(dig % ", rest: shuffle").after("3 Pot, 2 other").after("play Pot")
    assert "bottom" not in str(mixed.after("see 2 other").after("pick 1 other"))
    named = dragon_state(dig.replace("Pot", "Pot of Duality") % "").after(
        "3 Pot of Duality, 2 other"
    )
    named = named.after("play Pot of Duality").after("see 2 other").after("pick 1 other")
    assert "bottom" not in str(named)


def test_the_bottom_is_drawn_when_the_rest_is_gone():
    text = "size: 5\ndeck:\n  Alpha: {qty: 1}\n  Pot: {qty: 1, free: {oncePerTurn: true, excavate: {count: 3, pick: 0}}}\n  Jar: {qty: 1, free: {count: 3, oncePerTurn: true}}\nconditions: [Alpha]\n"
    assert share(text, hand=2) == 1 - Fraction(2 * 2 + 1, comb(5, 2)) + Fraction(2, comb(5, 2))


def test_a_played_card_is_in_the_graveyard_and_what_is_banished_not_in_the_deck():
    text = one(
        "count: 0, oncePerTurn: true, cost: {type: Discard, value: 1}", "Pot IN GY AND Alpha IN GY"
    )
    state = dragon_state(text).after("1 Alpha, 1 Pot, 3 other")
    assert state.after("play Pot").after("give 1 Alpha").payoff() == (1.0,)
    assert share(text, "never") == 0
    gone = one(
        "count: 0, oncePerTurn: true, cost: {type: BanishFromDeck, value: 1}", "Alpha IN Banished"
    )
    holds_pot = 1 - Fraction(comb(37, 5), comb(40, 5))
    no_alpha = Fraction(comb(39, 5) - comb(36, 5), comb(40, 5))
    assert share(gone) == no_alpha / 35 < holds_pot
    kept = one(
        "count: 0, oncePerTurn: true, cost: {type: BanishFromDeck, value: 1}",
        "0 Alpha IN Deck AND 0 Alpha",
    )
    assert share(kept) == share(gone)


def test_void_needs_three_cards_in_the_hand():
    text = "deck:\n  Alpha: {qty: 1}\n  Into the Void: {qty: 3, free: {count: 1, oncePerTurn: false}}\nconditions: [Alpha]\n"
    assert share(text, hand=2) == share(text, "never", 2)
    assert share(text, hand=3) > share(text, "never", 3)


def test_each_condition_is_played_for_alone_whatever_the_order():
    text = (HERE / "upstart.yaml").read_text(encoding="utf-8").replace("[Alpha]", "[%s]")
    text = text.replace("  Alpha: {qty: 3}", "  Alpha: {qty: 3}\n  Gamma: {qty: 3}")
    one_way = odds(parse_deck(text % "Alpha, Gamma"), Question())
    other = odds(parse_deck(text % "Gamma, Alpha"), Question())
    assert dict(one_way.conditions) == dict(other.conditions)
    assert len({s.fraction for _, s in one_way.conditions}) == 1
    assert one_way.any == other.any
    assert one_way.any.fraction > one_way.conditions[0][1].fraction


@pytest.mark.full
def test_policies_are_in_order():
    text = (HERE / "duality.yaml").read_text(encoding="utf-8")
    values = [share(text, policy) for policy in ("never", "greedy", "optimal")]
    assert values == sorted(values)
    assert values[0] < values[2]
    *_, seen = sampled(parse_deck(text), Question(policy="clairvoyant"), seed=4, most=4000)
    assert seen.any.p > float(values[2]) - 4 * seen.any.error


def test_an_estimate_gives_no_fraction():
    spec = load(str(HERE / "upstart.yaml"))
    question = Question(policy="clairvoyant")
    with pytest.raises(ValueError, match="an estimate is not a fraction"):
        _ = next(sampled(spec, question, most=10)).any.fraction
    with pytest.raises(ConfigError, match="only estimated"):
        any_probability(spec, question)


@pytest.mark.full
def test_the_clairvoyant_knows_the_order():
    """Two of four cards are dealt, and two pots dig one card each, once a turn, or draw it."""
    text = "size: 4\ndeck:\n  Alpha: {qty: 1}\n  Pot: {qty: 1, free: {count: 1, oncePerTurn: true, cost: {type: Discard, value: 1}}}\nconditions: [Alpha]\n"
    spec = parse_deck(text)
    wanted = 0
    for order in permutations(["Alpha", "Pot", "x", "y"]):
        wanted += "Alpha" in order[:2] or ("Pot" in order[:2] and order[2] == "Alpha")
    *_, found = sampled(spec, Question(2, policy="clairvoyant"), seed=1, most=6000)
    assert abs(found.any.p - wanted / 24) < 4 * found.any.error
    assert float(share(text, hand=2)) == wanted / 24


@pytest.mark.samples("upstart")
@pytest.mark.parametrize("name", ["upstart", "desires_upstart", "duality"])
def test_the_game_is_worth_what_the_odds_say(name):
    file = str(HERE / f"{name}.yaml")
    game = dragon.game(f"hands(file={file!r})")
    p = odds(load(file), Question()).any.p
    if name != "duality":  # a minute by plain search; the samplers compute what follows the deal
        assert dragon.search("exhaustive").best(game.start()).value == pytest.approx(p, abs=1e-12)
    found = dragon.search("stratified(simulations=20000)").best(game.start(), seed=2)
    assert abs(found.value - p) < 4 * found.error
    never = dragon.game(f"hands(file={file!r}, free=false)")
    q = odds(load(file), Question(policy="never")).any.p
    assert dragon.search("exhaustive").best(never.start()).value == pytest.approx(q, abs=1e-12)


def test_positions_are_read_back_and_others_refused():
    game = dragon.game("hands")
    state = game.start().after("1 Alpha, 1 Upstart Goblin, 3 other").after("play Upstart Goblin")
    assert state.turn == dragon.CHANCE
    assert game.parse(str(state)) == state
    for text in ("", "hand 1 Alpha", "hand 1 Omega; deck 1 other", "hand x", "deal 2",
                 "hand 1 Alpha; deck 1 other; pick Alpha", "hand 1 Alpha; deck 1 other; seen 1 Alpha"):  # fmt: skip
        with pytest.raises(BadNotation):
            game.parse(text)
    with pytest.raises(IllegalMove, match="is not a move here"):
        state.after("draw 9 Alpha")


@pytest.mark.full
def test_play_that_would_take_too_long_is_given_up_soon(monkeypatch):
    deck = parse_deck("""deck:
  A: {qty: 3}
  B: {qty: 3}
  C: {qty: 2}
  Pot of Desires: {qty: 2, free: {count: 2, oncePerTurn: true, cost: {type: 0, value: 10}}}
conditions: [A AND B AND 1- C]
""")
    exact = any_probability(deck, Question())
    monkeypatch.setattr(policy, "STRIDE", 1)
    monkeypatch.setattr(policy, "HOPELESS", 2_000)  # of 7,682 steps; by then some hands are done
    assert any_probability(deck, Question()) == exact
    monkeypatch.setattr(policy, "HOPELESS", 200)
    with pytest.raises(TooLarge):
        any_probability(deck, Question())
