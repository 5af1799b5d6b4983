"""Deck lists and hands: the odds that a list means, words in conditions, two decks compared."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragon.cli import main
from dragon.errors import ConfigError
from dragon_hands import service
from dragon_hands.importing import any_deck
from dragon_hands.odds import odds
from dragon_hands.question import Question


def run(*arguments: object) -> object:
    return CliRunner().invoke(main, ["hands", *map(str, arguments)], prog_name="dragon")


def any_of(text: str, *conditions: str, hand: int = 5, size: int | None = None) -> Fraction:
    """The exact odds of any condition."""
    found = odds(any_deck(text, more=conditions, size=size), Question(hand)).any.fraction
    assert found is not None
    return found


def some(copies: int, size: int, hand: int) -> Fraction:
    """The odds of at least one of some copies."""
    return 1 - Fraction(comb(size - copies, hand), comb(size, hand))


PUBLISHED = {  # the wrong figures that were reported are 12.50, 36.38, 27.73 and 0.00 %
    ("- 3x Mathmech Circular\n37 other", "Mathmech Circular", 5): "33.76%",
    ("4 Cauldron Familiar\n56 Swamp\n\nSideboard\n6 Duress", "Cauldron Familiar", 7): "39.95%",
    ("3 Mathmech Circular\n17 other", "Mathmech Circular", 4): "50.88%",
    ("3 Mathmech Circular\n17 other", "Mathmech Circular", 5): "60.09%",
    ("3 Ash Blossom", "Ash Blossom", 5): "33.76%",
}


@pytest.mark.parametrize("case", PUBLISHED, ids=range(len(PUBLISHED)))
def test_a_list_has_the_odds_that_it_means(case: tuple[str, str, int], tmp_path: Path) -> None:
    text, condition, hand = case
    file = tmp_path / "deck.txt"
    file.write_text(text, encoding="utf-8")
    shown = run("odds", file, "--condition", condition, "--hand", hand)
    assert PUBLISHED[case] in shown.stdout, shown.output
    *_, page = service.odds(service.Estimated(deck=_asked(text, condition), hand=hand))
    assert f"{page['any']['p']:.2%}" == PUBLISHED[case]


def _asked(text: str, condition: str) -> str:
    """The deck file that the page makes of a list, with a condition."""
    made = service.read(service.DeckText(deck=text))["file"]
    return made.replace("conditions: []", f"conditions: [{condition}]")


def test_a_condition_in_the_words_of_the_list_names_its_cards() -> None:
    deck = "3 Ash Blossom\n2 ash\n1 Foo Bar\n34 other"
    assert any_of(deck, "Ash Blossom") == some(5, 40, 5)
    assert any_of(deck, "ash blossom & joyous spring") == some(5, 40, 5)
    assert any_of(deck, "hand trap") == some(5, 40, 5)
    assert any_of(deck, "foo bar") == some(1, 40, 5)
    magic = "4 Urza's Saga\n4 L\u00f3rien Revealed\n52 Island"
    for word in (
        "Urza\u2019s Saga",
        "urza\u00b4s saga",
        "Lorien Revealed",
        "LO\u0301RIEN REVEALED",
    ):
        assert any_of(magic, word, hand=7) == some(4, 60, 7)
    assert any_of(deck, "2+ other") == 1 - Fraction(6, comb(40, 5)) - 34 * Fraction(15, comb(40, 5))
    with pytest.raises(
        ConfigError, match=r"no card and no tag is called 'Ash Blosom'.*did you mean"
    ):
        any_of(deck, "Ash Blosom")
    with pytest.raises(
        ConfigError, match=r"did you mean 'Effect Veiler'.*367 cards; .* fetches all"
    ):
        any_of(deck, "Effect Veilr")
    known = any_deck(deck, more=["Effect Veiler"])
    assert any("'Effect Veiler' (in '1+ Effect Veiler'), so it counts" in w for w in known.warnings)
    assert any_of(deck, "Effect Veiler") == 0


def test_the_size_is_given_where_a_list_does_not_say_it(tmp_path: Path) -> None:
    assert any_of("3 Sangan", "Sangan") == some(3, 40, 5)
    assert any_of("3 Sangan", "Sangan", size=60) == some(3, 60, 5)
    assert any_of("deck: {A: {qty: 3}}\nconditions: [A]", size=60) == some(3, 60, 5)
    file = tmp_path / "deck.txt"
    file.write_text("3 Sangan", encoding="utf-8")
    for command in ("odds", "sensitivity"):
        shown = run(command, file, "--condition", "Sangan", "--size", 60)
        assert f"{float(some(3, 60, 5)):.2%}" in shown.stdout
    refused = run("odds", file, "--condition", "Sangan", "--size", 2)
    assert (refused.exit_code, "size 2, but 3 cards are listed" in refused.stderr) == (2, True)


ARENA = "Deck\n24 Island (ELD) 254\n4 Opt (ELD) 59\n32 Fblthp, the Lost (WAR) 50"
LIVE = "Pok\u00e9mon: 20\n20 Pikachu SVI 62\n\nEnergy: 40\n40 Lightning Energy SVE 4"
HERO = "### Deck\n# Class: Mage\n# 2x (1) Arcane Missiles\n# 28x (2) Frostbolt"


@pytest.mark.parametrize(("deck", "card", "game", "hand"), [
    (ARENA, "Island", "Magic", 7),
    (LIVE, "Pikachu", "Pok\u00e9mon", 7),
])  # fmt: skip
def test_hands_have_as_many_cards_as_the_game_of_a_list_deals(
    tmp_path: Path, deck: str, card: str, game: str, hand: int
) -> None:
    file = tmp_path / "list.txt"
    file.write_text(deck, encoding="utf-8")
    words = ("--condition", card, "--json")
    shown = run("odds", file, *words)
    note = f"hands of {hand} cards, as in {game}; --hand N asks for others"
    assert json.loads(shown.stdout)["hand"] == hand
    assert note in shown.stderr
    copies = 24 if game == "Magic" else 20
    assert json.loads(shown.stdout)["any"]["p"] == float(some(copies, 60, hand))
    other = run("odds", file, *words, "--hand", 5)
    assert (json.loads(other.stdout)["hand"], note in other.stderr) == (5, False)
    yaml = tmp_path / "deck.yaml"
    yaml.write_text(run("import", file, "--condition", card).stdout, encoding="utf-8")
    for command in ("odds", "sensitivity", "diff"):
        again = run(command, *[yaml] * (1 + (command == "diff")), "--json")
        assert f"{float(some(copies, 60, hand)):.9f}"[:9] in again.stdout, command
    assert service.read(service.DeckText(deck=deck))["hand"] == hand
    (last,) = [*service.odds(service.Estimated(deck=yaml.read_text("utf-8")))][-1:]
    assert last["hand"] == hand


def test_a_hand_is_not_guessed_where_the_game_deals_several(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text(HERO, encoding="utf-8")
    shown = run("odds", file, "--condition", "Frostbolt", "--json")
    assert json.loads(shown.stdout)["hand"] == 5
    assert "hands of 5 cards, which may not be those of Hearthstone" in shown.stderr
    said = "deck: {A: {qty: 3}}\nhand: 3\nconditions: [A]"
    file.write_text(said, encoding="utf-8")
    shown = run("odds", file, "--exact")
    assert ("3 cards" in shown.stdout, "as in" in shown.stderr) == (True, False)
    assert json.loads(run("odds", file, "--json").stdout)["any"]["p"] == float(some(3, 40, 3))
    with pytest.raises(ConfigError, match=r"deck:2: hand must be at least 1, not 0 @ hand"):
        any_deck(said.replace("hand: 3", "hand: 0"))


def test_short_lists_are_as_valid_on_the_page() -> None:
    found = service.read(service.DeckText(deck="3 Sangan\n4 other"))
    assert (found["total"], found["blanks"]) == (7, 4)
    again = service.read(service.DeckText(deck=found["file"]))
    assert (again["total"], again["cards"]) == (7, found["cards"])


def test_two_decks_are_compared(tmp_path: Path) -> None:
    before, after = tmp_path / "a.txt", tmp_path / "b.yaml"
    before.write_text("3 Ash Blossom\n2 D.D. Crow\n35 other", encoding="utf-8")
    after.write_text(
        "deck:\n  Ash Blossom & Joyous Spring: {qty: 2}\n  Foo: {qty: 1, tags: [Starter]}\n"
        "conditions: [Starter]\n",
        encoding="utf-8",
    )
    result = run("diff", before, after, "--condition", "Ash Blossom", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert [(row["name"], row["before"], row["after"]) for row in found["cards"]] == [
        ("Ash Blossom & Joyous Spring", 3, 2), ("D.D. Crow", 2, 0), ("Foo", 0, 1),
    ]  # fmt: skip
    odds_of = {row["text"]: (row["before"]["p"], row["after"]["p"]) for row in found["conditions"]}
    assert odds_of["Starter"] == (0, pytest.approx(float(some(1, 40, 5))))
    assert odds_of["Ash Blossom"] == pytest.approx((float(some(3, 40, 5)), float(some(2, 40, 5))))
    assert found["any"]["difference"] == pytest.approx(float(some(3, 40, 5) - some(3, 40, 5)))
    shown = run("diff", before, after, "--condition", "Ash Blossom").stdout
    assert " -1 Ash Blossom & Joyous Spring: 3 to 2" in shown
    assert "33.76%" in shown
    unknown = run("diff", before, after, "--condition", "Fooo")
    assert (unknown.exit_code, "did you mean 'Foo'?" in unknown.stderr) == (2, True)
    assert "the same cards" in run("diff", before, before).stdout


@pytest.mark.parametrize("way", [
    "--mulligan london --keep Alpha", "--mulligan redraw --keep Alpha --prizes 2 --hand 3",
    "--mulligan replace --hand 3", "--turn 2 --on-the-play", "--given Beta --sharing count",
    "--seen Alpha --hand 2", "--in-hand Beta --free never", "--bottom Beta",
])  # fmt: skip
def test_two_decks_are_compared_by_hands_of_any_kind(tmp_path: Path, way: str) -> None:
    """Each side is what `odds` says of it by the same options; a condition may be --keep's too."""
    decks = [tmp_path / name for name in ("a.txt", "b.txt")]
    decks[0].write_text("3 Alpha\n1 Beta\n8 other", encoding="utf-8")
    decks[1].write_text("2 Alpha\n2 Beta\n10 other", encoding="utf-8")
    asked = ("--condition", "Alpha", *way.split(), "--json")
    found = json.loads(run("diff", *decks, *asked).stdout)
    for side, deck in zip(("before", "after"), decks, strict=True):
        alone = json.loads(run("odds", deck, *asked).stdout)
        row = found["conditions"][0]
        assert {"text": row["text"], **row[side]} == alone["conditions"][0]
        assert found["any"][side] == alone["any"]
        same = ("hand", "sharing", "free", "mulligan", "turn", "seen", "keep")
        assert [found.get(key) for key in same] == [alone.get(key) for key in same]


def test_a_card_that_one_of_two_decks_lacks_is_told_with_the_deck(tmp_path: Path) -> None:
    decks = [tmp_path / name for name in ("a.txt", "b.txt")]
    decks[0].write_text("3 Alpha\n8 other", encoding="utf-8")
    decks[1].write_text("2 Alpha\n2 Beta\n10 other", encoding="utf-8")
    result = run("diff", *decks, "--seen", "Beta")
    assert result.exit_code == 2
    assert f"no card is called 'Beta' in {decks[0]}" in result.stderr


def test_a_deck_is_written_as_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "deck.txt"
    file.write_text("3 Ash Blossom\nSide\n2 D.D. Crow", encoding="utf-8")
    ydk = run("export", file, "--to", "ydk").stdout
    assert ydk.splitlines()[1:] == [
        "#main",
        *["14558127"] * 3,
        "#extra",
        "!side",
        *["24508238"] * 2,
    ]
    link = run("export", file, "--to", "ydke").stdout.strip()
    assert run("export", link, "--to", "ydk").stdout == ydk
    assert run("export", file).stdout == (
        "Main deck (40)\n3 Ash Blossom & Joyous Spring\n37 other\nSide deck (2)\n2 D.D. Crow\n"
    )
    file.write_text("3 Foo", encoding="utf-8")
    lost = run("export", file, "--to", "ydk")
    assert lost.exit_code == 2
    assert "no passcode is known of 'Foo'" in lost.stderr
