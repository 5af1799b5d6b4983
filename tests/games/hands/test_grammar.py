"""The language of conditions, and deck files: what is read, and what is said of mistakes."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dragon.errors import ConfigError
from dragon_hands.deck import ZONES, And, Clause, Not, Or, joined
from dragon_hands.grammar import Wrong, parse
from dragon_hands.importing import load
from dragon_hands.odds import any_probability
from dragon_hands.question import Question
from dragon_hands.reading import parse_deck

READ = {
    "A": Clause("A"),
    "1+ A": Clause("A"),
    "2 A": Clause("A", 2, ""),
    "12- A": Clause("A", 12, "-"),
    "10+ A IN deck": Clause("A", 10, "+", "Deck"),
    "2+Dragon": Clause("Dragon", 2, "+"),
    "A IN HAND": Clause("A"),
    "A IN gy": Clause("A", zone="GY"),
    "BRAND": Clause("BRAND"),
    "COLOR IN Banished": Clause("COLOR", zone="Banished"),
    "A and B": Clause("A and B"),
    "7 Colored Fish": Clause("Colored Fish", 7, ""),
    "1+ 7 Colored Fish": Clause("7 Colored Fish"),
    "'7 Colored Fish'": Clause("7 Colored Fish"),
    "'D/D Savant' AND \"A (B)\"": And((Clause("D/D Savant"), Clause("A (B)"))),
    "'It''s AND'": Clause("It's AND"),
    '"A" Cell Incubator': Clause('"A" Cell Incubator'),
    "Level Up!": Clause("Level Up!"),
    "Blue-Eyes White Dragon": Clause("Blue-Eyes White Dragon"),
    "Élan Vital": Clause("Élan Vital"),
    "A OR B AND C": And((Or((Clause("A"), Clause("B"))), Clause("C"))),
    "A OR (B AND C)": Or((Clause("A"), And((Clause("B"), Clause("C"))))),
    "A AND B AND C": And((Clause("A"), Clause("B"), Clause("C"))),
    "NOT A AND B": And((Not(Clause("A")), Clause("B"))),
    "NOT (A OR B)": Not(Or((Clause("A"), Clause("B")))),
    "((A))": Clause("A"),
}


@pytest.mark.parametrize("text", READ)
def test_conditions_are_read(text):
    assert parse(text) == READ[text]


MISTAKES = {
    "": (1, "ends where a card or tag should be named"),
    "A AND": (6, "ends where"),
    "AND A": (1, "needs a condition on both sides"),
    "A OR OR B": (6, "needs a condition on both sides"),
    "1+": (3, "ends where"),
    "(A": (1, "never closed"),
    "A)": (2, "closes nothing"),
    "()": (2, "should be named"),
    "A (B)": (3, "write AND or OR before it"),
    "2 + A": (3, "write 2+"),
    "-1 A": (1, "the sign comes last, as in 1-"),
    "A IN Grave AND B IN Deck": (6, "'Grave' is not a zone"),
    "A IN": (5, "is not a zone"),
    "IN Hand": (1, "IN follows the name"),
    "D/D Savant": (2, "quotation marks"),
    "A#": (2, "quotation marks"),
    "4-Starred Ladybug": (1, "begins with a number"),
    "3rd Move": (1, "begins with a number"),
    "1000 A": (1, "at most 999"),
    "A 'B' AND ''": (11, "an empty name"),
    "(" * 60 + "A" + ")" * 60: (52, "levels of brackets"),
    "A AND " * 2000 + "A": (1, "at most 10,000"),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_in_a_condition_has_a_place_and_a_remedy(text):
    column, said = MISTAKES[text]
    with pytest.raises(Wrong) as caught:
        parse(text)
    assert caught.value.at == column
    assert said in str(caught.value)


names = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z")) | st.just(" "),
    min_size=1,
    max_size=12,
).filter(lambda s: s.strip() and s.isprintable())
atoms = st.builds(
    Clause, names, st.integers(0, 999), st.sampled_from(("+", "-", "")), st.sampled_from(ZONES)
)


def _joined(parts):
    kind, found = parts
    whole = found[0]
    for part in found[1:]:
        whole = joined(kind, whole, part)
    return whole


trees = st.recursive(
    atoms,
    lambda inner: (
        st.builds(Not, inner)
        | st.tuples(st.sampled_from((And, Or)), st.lists(inner, min_size=2, max_size=3)).map(
            _joined
        )
    ),
    max_leaves=8,
)


@given(trees)
@example(And((Clause('A "', 1, "+", "Hand"), Clause('B"', 1, "-", "Hand"))))
@settings(max_examples=100)
def test_the_text_of_a_condition_is_read_back(condition):
    assert parse(str(condition)) == condition


@given(st.text(max_size=40) | st.text("()AB 12+-'\"INOTRD", max_size=40))
@settings(max_examples=60)
def test_any_text_is_read_or_refused(text):
    at = 1
    try:
        assert parse(str(parse(text))) == parse(text)
    except Wrong as wrong:
        at = wrong.at
    assert 1 <= at <= len(text) + 1


def test_only_texts_whose_order_matters_are_mixed():
    assert parse("A OR B AND C") != parse("A OR B AND C", and_first=True)
    assert parse("A AND B OR C") == parse("A AND B OR C", and_first=True)
    assert parse("(A OR B) AND C") == parse("(A OR B) AND C", and_first=True)
    assert str(parse("A OR B AND C", and_first=True)) == "A OR (B AND C)"


# ---- deck files --------------------------------------------------------------------------------

CARD = "deck:\n  Alpha:\n    qty: 3\n    tags: [Starter]\n"
END = "conditions: [Alpha]\n"
FREE = CARD + "  Pot:\n    qty: 2\n    free: {%s}\n" + END
# ruff: noqa: E501
WRONG = {
    "": "there is nothing in it",
    "conditions: [A]": "deck:1: deck is missing; write the cards under `deck:`",
    CARD: "there are no conditions",
    CARD + "conditions: []": "deck:5: there are no conditions; list at least one",
    "deck: []\n" + END: "deck:1: deck must be a table of keys, not a list",
    "deck:\n" + END: "deck:1: deck must be a table of keys, not nothing; list cards, each with its qty",
    "deck: {A: 3}\n" + END: "deck:1: must be a table of keys, not 3 @ deck.A",
    "deck: {Alpha: {tags: [x]}}\n" + END: "qty is missing; write `qty: 3` @ deck.Alpha.qty",
    "deck: {Alpha: {qty: three}}\n" + END: "deck:1: must be a whole number, not 'three' @ deck.Alpha.qty",
    "deck: {Alpha: {qty: .nan}}\n" + END: "not '.nan'",
    "deck: {Alpha: {qty: -1}}\n" + END: "qty must be at least 0, not -1 @ deck.Alpha.qty",
    "deck: {Alpha: {qty: 1.5}}\n" + END: "must be a whole number, not 1.5 @ deck.Alpha.qty",
    "deck: {Alpha: {qty: '3'}}\n" + END: None,
    "deck: {Alpha: {qty: 10000}}\n" + END: "qty must be at most 500, not 10000 @ deck.Alpha.qty",
    "deck: {Alpha: {qty: 0}}\n" + END: "deck:1: 0 cards",
    "deck: {Alpha: {qty: 300}, B: {qty: 300}}\n" + END: "600 cards",
    "deck:\n  Alpha: {qty: 1}\n  Alpha: {qty: 2}\n" + END: "deck:3: 'Alpha' occurs twice, first on line 2",
    "deck: {Alpha: {qty: 3, tags: [[x]]}}\n" + END: "a tag must be text of up to 200 letters, not a list @ deck.Alpha.tags",
    "dekc: {}\n" + CARD + END: "deck:1: no setting 'dekc' here; did you mean 'deck'? (settings: deck, conditions,",
    CARD + "conditions: [Alpha and Starter]": "keywords are upper case: AND, OR, IN, NOT",
    CARD + "conditions: [1-Alpha]": "1- Alpha asks for at most; else put a quantity before it",
    CARD + "conditions: ['Alpha AND']": "deck:5: condition 'Alpha AND', column 10",
    CARD + "conditions: [{a: 1}]": "a condition must be text, not a table of keys",
    CARD + "size: big\n" + END: "deck:5: must be a whole number, not 'big' @ size",
    CARD + "condition_timing: never\n" + END: "deck:5: condition_timing must be 'after' or 'before', not 'never' @ condition_timing",
    FREE % "count: 1": "deck:7: oncePerTurn is missing; write `oncePerTurn: true` or `false` @ deck.Pot.free",
    FREE % "oncePerTurn: maybe": "must be true or false, not 'maybe' @ deck.Pot.free.oncePerTurn",
    FREE % "oncePerTurn: true, draw: 1": "no setting 'draw' here (settings: oncePerTurn, count,",
    FREE % "oncePerTurn: true, cost: {type: Discrad, value: 1}": "did you mean 'Discard'?",
    FREE % "oncePerTurn: true, cost: {type: 4, value: 1}": "Discard or 3",
    FREE % "oncePerTurn: true, cost: {type: Discard}": "value is missing; write `value: 1` @ deck.Pot.free.cost",
    FREE % "oncePerTurn: true, cost: {type: Discard, value: 1.5}": "must be a whole number",
    FREE % "oncePerTurn: true, cost: {type: BanishFromDeck, value: [Alpha]}": "takes cards from the top",
    FREE % "oncePerTurn: true, condition: {type: PayLife, value: 1}": "is not one of Discard or 0",
    FREE % "oncePerTurn: true, restriction: [NoDraws]": "is not one of NoSpecialSummon or 0",
    FREE % "oncePerTurn: true, excavate: {count: 3}": "pick is missing; write `pick: 1` @ deck.Pot.free.excavate",
    FREE % "oncePerTurn: true, excavate: {count: 1, pick: 2}": "picks 2 of 1",
    FREE % "oncePerTurn: true, excavate: {count: 2, pick: 1, rest: top}": "rest must be 'bottom' or 'shuffle', not 'top' @ deck.Pot.free.excavate.rest",
    "deck: {": "deck:1: not YAML",
    "deck: *nothing\n": "undefined alias",
    "deck: !!python/object/apply:os.system [ls]\n" + END: "deck must be a table of keys, not a list",
    "\x00\x01\x02": "a character that YAML does not allow (U+0000)",
    "[" * 500: "more than 20 levels",
    "7 Colored Fish": "the file must be a table of keys",
    "deck: {7 Colored Fish: {qty: 3}}\nconditions: [7 Colored Fish]": "write 1+ 7 Colored Fish",
}  # fmt: skip


@pytest.mark.parametrize("text", [t for t, said in WRONG.items() if said])
def test_a_mistake_in_a_deck_file_has_a_line_and_a_remedy(text):
    with pytest.raises(ConfigError) as caught:
        parse_deck(text)
    assert WRONG[text] in str(caught.value)
    assert all(problem.startswith("deck:") for problem in caught.value.problems)


ODD = {
    "deck: {Alpha: {qty: 3, tag: [x]}}\n" + END: "deck:1: no setting 'tag' here; did you mean 'tags'? (settings: qty, tags, free); it is ignored @ deck.Alpha",
    CARD + "conditions: [2+ Trap IN Deck]": "(in '2+ Trap'), so it counts as zero; give a card that name, or that tag",
}  # fmt: skip


@pytest.mark.parametrize("text", ODD)
def test_what_is_odd_in_a_deck_file_is_a_warning(text):
    warnings = parse_deck(text).warnings
    assert sum(ODD[text] in each for each in warnings) == 1
    assert not any("never holds" in each for each in warnings)


def test_what_the_deck_lacks_counts_as_zero():
    """The conditions of the original's own document, on its own two cards."""
    cards = """deck:
  "Blue-Eyes White Dragon": {qty: 3, tags: [Monster, Dragon, Normal]}
  Pot of Desires: {qty: 2, tags: [Spell, Draw]}
"""
    asked = {
        "(2+ Monster AND 1 Spell) OR (3+ Spell IN Deck AND 1- Trap IN Hand)": "2+ Monster AND 1 Spell",
        "(Blue-Eyes White Dragon OR Dark Magician) AND 2+ Spell": "Blue-Eyes White Dragon AND 2+ Spell",
        "Dark Magician OR 2+ Dragon": "2+ Dragon",
        "0 Trap AND Dragon": "Dragon",
        "NOT Dark Magician": "1- Trap",
    }
    for text, same in asked.items():
        for sharing in ("distinct", "count"):
            question = Question(sharing=sharing)
            with_it = parse_deck(f'{cards}conditions: ["{text}"]')
            without = parse_deck(f'{cards}conditions: ["{same}"]')
            assert any_probability(with_it, question) == any_probability(without, question)
    assert any_probability(parse_deck(cards + "conditions: [Trap]"), Question()).p == 0
    assert any_probability(parse_deck(cards + "conditions: [1- Trap]"), Question()).p == 1


def test_a_quoted_number_of_copies_is_text():
    with pytest.raises(ConfigError, match=r"must be a whole number, not '3' @ deck\.Alpha\.qty"):
        parse_deck("deck: {Alpha: {qty: '3'}}\n" + END)


@pytest.mark.full
def test_a_mistake_is_not_told_again_by_what_follows_from_it():
    names = "".join(f"  A{i}: {{qty: 1}}\n" for i in range(10_000))
    for text in ("deck: {}\n" + END, f"deck:\n{names}conditions: [A1]"):
        with pytest.raises(ConfigError) as caught:
            parse_deck(text)
        assert len(caught.value.problems) == 1


def test_a_mistake_deep_in_a_card_has_its_own_line():
    with pytest.raises(ConfigError) as caught:
        parse_deck(
            """deck:
  Pot:
    qty: 2
    free:
      count: 99
      cost:
        type: Discard
        value: 1.5
      excavate:
        count: 2
        pick: 3
      oncePerTurn: once
conditions: [Pot]"""
        )
    assert caught.value.problems == (
        "deck:12: must be true or false, not 'once' @ deck.Pot.free.oncePerTurn",
        "deck:8: value must be a whole number, not 1.5 @ deck.Pot.free.cost.value",
        "deck:11: picks 3 of 2; pick no more than count @ deck.Pot.free.excavate.pick",
        "deck:5: count must be at most 60, not 99 @ deck.Pot.free.count",
    )


def test_every_mistake_is_told_at_once():
    with pytest.raises(ConfigError) as caught:
        parse_deck("deck: {A: {qty: x}, B: {qty: 2, tags: [[]]}}\nconditions: [C, 'A AND']")
    assert len(caught.value.problems) == 3


def test_a_bomb_of_aliases_is_not_expanded():
    lines = ["a0: &a0 [x, x]"] + [
        f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30)
    ]
    begun = time.process_time()
    for text in ("\n".join(lines), "\n".join([*lines, "deck: {A: {qty: 1, tags: *a29}}", END])):
        with pytest.raises(ConfigError):
            parse_deck(text)
    assert time.process_time() - begun < 5


def test_tags_may_be_shared_by_an_alias():
    spec = parse_deck(
        "deck:\n  A: {qty: 1, tags: &t [X, Y]}\n  B: {qty: 1, tags: *t}\nconditions: [X]"
    )
    assert [card.tags for card in spec.cards] == [("X", "Y"), ("X", "Y")]


def test_names_are_text_as_written():
    spec = parse_deck("deck:\n  No: {qty: 1}\n  1.50: {qty: 2}\n  null: {qty: 1}\nconditions: [No]")
    assert [card.name for card in spec.cards] == ["No", "1.50", "null"]


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        ("cost: {type: 0, value: 10}", "cost: {type: BanishFromDeck, value: 10}"),
        ("cost: {type: 1, value: 1}", "cost: {type: BanishFromHand, value: 1}"),
        ("cost: {type: 2, value: -1000}", "cost: {type: PayLife, value: -1000}"),
        ("cost: {type: 3, value: [Alpha]}", "cost: {type: Discard, value: Alpha}"),
        ("condition: {type: 0, value: 1}", "condition: {type: Discard, value: 1}"),
        ("condition: {type: 2, value: 1}", "condition: {type: BanishFromDeck, value: 1}"),
        ("restriction: [2, 1, 0]", "restriction: [NoPreviousDraws, NoMoreDraws, NoSpecialSummon]"),
        ("restriction: 1", "restriction: [NoMoreDraws]"),
    ],
)
def test_codes_and_names_of_kinds_mean_the_same(codes, words):
    assert parse_deck(FREE % f"oncePerTurn: true, {codes}") == parse_deck(
        FREE % f"oncePerTurn: true, {words}"
    )


def test_blanks_fill_the_deck_and_have_tags():
    spec = parse_deck(CARD + "conditions: [Non Engine, Empty Card]")
    assert (spec.total, spec.blanks) == (40, 37)
    assert spec.main[-1].tags == ("Empty", "Blank", "Non Engine")
    assert parse_deck(CARD + "size: 60\n" + END).total == 60
    assert parse_deck(CARD + "size: 0\n" + END).total == 3


def test_what_is_odd_is_a_warning():
    spec = parse_deck(CARD + "conditions: [4+ Alpha, 0+ Alpha, Alpha IN Extra, Alpha IN GY]")
    said = "\n".join(spec.warnings)
    assert "deck:1: 3 cards listed; 37 blanks fill the deck up to 40" in said
    assert "deck:5: '4+ Alpha' never holds: there are only 3" in said
    assert "'0+ Alpha' always holds" in said
    assert "'Alpha IN Extra' never holds" in said
    assert "'Alpha IN GY' never holds: no free card puts cards there" in said


KNOWN = "Ash Blossom & Joyous Spring"


@pytest.mark.parametrize(
    ("cards", "size", "warned"),
    [
        (f"{{{KNOWN}: {{qty: 3}}, A: {{qty: 3}}}}", 61, True),
        (f"{{{KNOWN}: {{qty: 3}}}}", 60, False),
        (f"{{{KNOWN}: {{qty: 3}}}}", 39, True),
        ("{A: {qty: 1}}", 100, False),  # a deck of any game
        ("{Lightning Bolt: {qty: 4}, Goblin Guide: {qty: 4}, Mountain: {qty: 53}}", 0, False),
        # of another game, with one name alike
        ("{" + ", ".join(f"{n}: {{qty: 1}}" for n in (KNOWN, *"BCDE")) + "}", 100, False),
    ],
)
def test_the_size_is_odd_for_cards_of_yugioh_alone(cards: str, size: int, warned: bool) -> None:
    spec = parse_deck(f"deck: {cards}\nsize: {size}\nconditions: [Empty Card]")
    assert any("has 40 to 60" in each for each in spec.warnings) == warned


def test_a_file_that_cannot_be_a_deck_is_refused_at_once(tmp_path):
    large = tmp_path / "large.yaml"
    with large.open("wb") as out:
        out.truncate(100_000_000)
    begun = time.process_time()
    with pytest.raises(ConfigError, match="more than 200,000 bytes"):
        load(str(large))
    assert time.process_time() - begun < 1
    junk = tmp_path / "junk.yaml"
    junk.write_bytes(b"deck:\n\xff\xfe\x80")
    with pytest.raises(ConfigError, match=r"junk.yaml:2: not a text file in UTF-8"):
        load(str(junk))
    with pytest.raises(ConfigError, match="cannot read"):
        load(str(tmp_path))
    with pytest.raises(ConfigError, match="No such file"):
        load(str(tmp_path / "none.yaml"))
