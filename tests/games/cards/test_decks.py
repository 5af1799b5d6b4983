"""Decks of all kinds are read alike; what is not understood is noted, and the rest is used."""

from __future__ import annotations

import base64

import pytest

from dragon.errors import ConfigError
from dragon_cards.card import EXTRA as ABOVE
from dragon_cards.card import Card, Store
from dragon_cards.decks import BLANK, EXTRA, MAIN, SIDE, DeckList, deck_in, read_deck
from dragon_cards.store import starter

ASH, VEILER, CROW = "Ash Blossom & Joyous Spring", "Effect Veiler", "D.D. Crow"


def listed(deck: DeckList, *sections: str) -> dict[str, int]:
    """The known cards of a deck by name, with their copies."""
    return {card.name: copies for card, copies in deck.cards(*sections).items()}


def link(*parts: list[int]) -> str:
    """The `ydke://` link of main, extra and side."""
    coded = (b"".join(c.to_bytes(4, "little") for c in part) for part in parts)
    return "ydke://" + "".join(base64.b64encode(part).decode() + "!" for part in coded)


SAME = {
    "ydk": "#created by me\n#main\n14558127\n14558128\n97268402\n#extra\n!side\n24508238\n",
    "ydke": link([14558127, 14558127, 97268402], [], [24508238]),
    "names": "// mine\ndeck:\n2x ash blossom & joyous spring\nEffect  Veiler\nSIDE: 1\nDD Crow",
    "yaml": f"deck:\n  {ASH}: {{qty: 2}}\n  Veiler:\n    qty: 1\n    tags: [x]\n"
            f"side: {{{CROW}: {{qty: 1}}}}\nsize: 3\nconditions: [x]",
}  # fmt: skip


@pytest.mark.parametrize("kind", SAME)
def test_a_deck_of_any_kind_is_the_same(kind: str) -> None:
    deck = deck_in(SAME[kind], starter())
    assert listed(deck, MAIN) == {ASH: 2, VEILER: 1}
    assert listed(deck, SIDE) == {CROW: 1}
    assert deck.size() - deck.blanks == 3
    assert (deck.size(), deck.unknown_of()) == (3 if kind == "yaml" else 40, ())
    assert deck.notes_of() == (
        ("the deck, line 3: 'Veiler' is read as 'Effect Veiler'",) if kind == "yaml" else ()
    )


@pytest.mark.parametrize(
    "line", ["3 Effect Veiler", "3x effect veiler", "Effect Veiler x3", "3X  EFFECT VEILER",
             "97268402 x 3", "3 97268402", "97268402 3", "3 Efect Veiler"],
)  # fmt: skip
def test_copies_are_read_in_many_ways(line: str) -> None:
    assert listed(deck_in(line, starter())) == {VEILER: 3}


def test_a_name_that_begins_with_a_number_is_a_name() -> None:
    store = Store((Card(1, "7 Colored Fish"),), "here")
    assert listed(deck_in("7 Colored Fish", store)) == {"7 Colored Fish": 1}
    assert listed(deck_in("2 7 Colored Fish", store)) == {"7 Colored Fish": 2}
    assert listed(deck_in("7 Colored Fi", store)) == {"7 Colored Fish": 1}


def test_bad_lines_are_noted_and_the_rest_is_used() -> None:
    text = f"3 Blue-Eyes\n{link([97268402])}\n0 Sangan\n2 Pot of Nothing\n12345678\nEfect Veiler\n"
    deck = deck_in(text + link([24508238], []) + "AAA", starter())
    assert listed(deck) == {VEILER: 1, CROW: 1}
    assert deck.size() - deck.blanks == 3 + 2 + 1 + 1 + 1
    assert deck.unknown_of() == ("Blue-Eyes", "Pot of Nothing", "12345678")
    notes = [note.partition(", ")[2] for note in deck.notes_of()]
    assert notes[0].startswith("line 1: 'Blue-Eyes' may be 'Blue-Eyes White Dragon' or 'Blue-")
    assert notes[1].startswith("line 2: a ydke:// link has main, extra and side, each ended by a !")
    assert notes[2] == "line 6: 'Efect Veiler' is read as 'Effect Veiler'"
    assert notes[3].startswith("line 7: the side part of the link is broken")
    assert notes[-1].startswith("line 4: not known: 'Pot of Nothing', 12345678 (cards: the starter")


def test_what_fills_a_deck_is_blank_and_an_extra_deck_finds_its_place() -> None:
    store = Store((Card(1, "Alpha"), Card(2, "Omega", kind=ABOVE)), "here")
    deck = deck_in("3 Alpha\n1 Omega\n4 other", store)
    assert (listed(deck, MAIN), listed(deck, EXTRA)) == ({"Alpha": 3}, {"Omega": 1})
    assert deck.size() == 7
    deck = deck_in("deck:\n  Alpha: {qty: 3}\n  Alpha: {qty: 1}\nsize: 0\n", store)
    assert (deck.size(), listed(deck, MAIN)) == (3, {"Alpha": 3})
    assert deck.notes_of() == ("the deck, line 3: 'Alpha' occurs twice, first on line 2; keep one",)
    deck = deck_in("deck:\n  Alpha: {qty: 3}\n  Beta:\n  Gamma: {qty: x}\n", store)
    assert (deck.size(), deck.entries[-1].card) == (40, BLANK)
    assert [note[:35] for note in deck.notes_of()] == [
        "the deck, line 3: 'Beta' needs qty;", "the deck, line 4: 'Gamma' needs qty",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("ydke://", "main, extra and side"),
        ("ydke://%%%!!!", "part of the link is broken"),
        ("ydke://AAA=!!!", "cut off"),
        ("ydke://!!!", "no card in it"),
        ("no-such-file.ydk", "no deck file"),
        ("", "no deck file ''"),
        ("x" * 5000, "no deck file"),
        ("a\0b", "no deck file"),
    ],
)
def test_a_deck_that_cannot_be_read_is_refused(given: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        read_deck(given, starter())


@pytest.mark.samples("0", "4")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("#main\n\n#extra\n!side\n", "no card in it"),
        ("14558127\n" * 10_000, "line 151: more than 150 cards"),
        ("deck:\n  A: {qty: 999}\n", "line 2: more than 150 cards"),
        ("deck:\n  A: [\n", "not YAML"),
        ("deck: {" + "[" * 500, "more than 20 levels"),
        ("deck:\n  - A\n", "no card in it"),
        ("Deck\n", "no card in it"),
    ],
    ids=range(7),
)
def test_a_text_without_a_deck_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        deck_in(text, starter())


@pytest.mark.parametrize("line", ["Deck: My cool deck", "deck: Sky Striker", "Deck Name: 60 wins"])
def test_the_name_of_a_deck_is_not_a_card(line: str) -> None:
    deck = deck_in(f"{line}\n3 Effect Veiler", starter())
    assert (deck.names("main"), deck.notes_of()) == ({"Effect Veiler": 3}, ())
