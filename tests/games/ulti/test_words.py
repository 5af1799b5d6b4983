"""Names as people write them, Hungarian, and the suits that a terminal shows."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
import dragon_ulti
from dragon.cli import main
from dragon.errors import BadNotation, ConfigError
from dragon_ulti import notation, request
from dragon_ulti.cards import RANKS, SYMBOLS, card, folded, names, read_cards, spoken
from dragon_ulti.cli import report
from dragon_ulti.contracts import CONTRACTS, bid, canonical, said
from dragon_ulti.language import HUNGARIAN, speaking
from dragon_ulti.worlds import read_known

SMALL = "HA H7 / HK L8 / LA L7"
OWN = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)


def shown(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["ulti", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


# ---- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("40-100", "forty_hundred"),
        ("negyvenszáz", "forty_hundred"),
        ("Negyvenszaz", "forty_hundred"),
        ("20-100", "twenty_hundred"),
        ("húszszáz", "twenty_hundred"),
        ("Four aces", "four_aces"),
        ("négy ász", "four_aces"),
        ("négy tízes", "four_tens"),
        ("parti", "party"),
        ("party without trump", "no_trump_party"),
        ("durchmars", "durchmars_no_trump"),
        ("színes durchmars", "durchmars_trump"),
        ("ulti+durchmars", "ulti+durchmars_trump"),
        ("40-100 and ulti", "forty_hundred+ulti"),
        ("40-100 és ulti", "forty_hundred+ulti"),
        ("rebetli", "betli"),
        ("redurchmars", "durchmars_no_trump"),
        ("ultti", "ultti"),
        ("40-100 ulti", "forty_hundred+ulti"),
        ("40 100, ulti", "forty_hundred+ulti"),
        ("40-100-ulti", "forty_hundred+ulti"),
        ("4 ász", "four_aces"),
        ("4 aces", "four_aces"),
        ("ulti durchmars", "ulti+durchmars_trump"),
        ("passz", "party"),
        ("egyszerű játék", "party"),
        ("terített betli", "betli"),
        ("piros betli", "betli"),
        ("színtelen terített durchmars", "durchmars_no_trump"),
        ("piros ulti", "piros ulti"),
        ("terített ulti", "terített ulti"),
        ("ulti+", "ulti+"),
    ],
)
def test_contracts_have_the_names_that_are_printed_and_said(written: str, meant: str) -> None:
    assert canonical(written) == meant


@pytest.mark.parametrize(
    ("written", "trump", "opened", "doubled"),
    [
        ("piros ulti", "H", False, ""),
        ("zöld 40-100 ulti", "L", False, ""),
        ("ulti in hearts", "H", False, ""),
        ("ulti ♠", "L", False, ""),
        ("red open durchmars", "H", True, ""),
        ("terített betli", None, True, ""),
        ("piros betli", None, False, "rebetli"),
        ("redurchmars", None, False, "redurchmars"),
    ],
)
def test_what_a_bid_says_beside_its_contracts(
    written: str, trump: str | None, opened: bool, doubled: str
) -> None:
    call = said(written)
    assert (call.trump, call.open, call.doubled, call.unknown) == (trump, opened, doubled, "")


def test_a_suit_in_a_bid_is_the_trump() -> None:
    answer = json.loads(shown("solve", SMALL, "--contract", "zöld ulti", "--json"))
    assert (answer["contract"], answer["trump"]) == ("ulti", "L")
    again = json.loads(shown("solve", SMALL, "--contract", "zöld ulti", "--trump=L", "--json"))
    assert again["declarer_wins"] == answer["declarer_wins"]
    wrong = CliRunner().invoke(
        main, ["ulti", "solve", SMALL, "--contract", "piros ulti", "--trump", "L"]
    )
    assert wrong.exit_code == 2
    assert "'piros ulti' names another suit than the trump L; leave one of them out" in wrong.stderr
    value = {"hands": [["HA"], ["HK"], ["LA"]], "contract": "piros ulti"}
    assert request.asked(json.dumps(value), None, None, "real")[0].trump == "H"


def test_suggestions_are_names_that_people_type() -> None:
    keys = {name for name in CONTRACTS if "_" in name} | {folded(name) for name in CONTRACTS}
    typed = ["401000", "40100x", "negy asx", "forty_hundrd", "durchmars_trmp", "negyvenszas",
             "ultti"]  # fmt: skip
    for word in typed:
        with pytest.raises(ValueError, match="there is no contract") as wrong:
            bid(word)
        hint = re.search(r"did you mean '([^']+)'", str(wrong.value))
        assert hint, word
        assert hint[1] not in keys - {"ulti"}
        assert bid(hint[1])
        assert "_" not in str(wrong.value).replace(word, "").replace("forty_hundrd", "")


def test_a_durchmars_with_a_trump_has_one() -> None:
    answer = json.loads(shown("solve", SMALL, "--contract", "durchmars", "--trump=zöld", "--json"))
    assert (answer["contract"], answer["trump"]) == ("durchmars_trump", "L")


def test_every_printed_title_is_read_back() -> None:
    for name, contract in CONTRACTS.items():
        assert canonical(contract.title) == canonical(HUNGARIAN[contract.title]) == name
    both = bid("forty_hundred+ulti")
    assert bid(both.title) == both


@pytest.mark.parametrize("text", ["HA", "ha", "PA", "pá", "♥A", "♥\ufe0fA"])
def test_the_ace_of_hearts(text: str) -> None:
    assert card(text) == 7


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("PVII", "H7"),
        ("piros ász", "HA"),
        ("ten of hearts", "HX"),
        ("P:A,K,F", "HA HK HO"),
        ("P: AKF 7, Z:X9 MA", "HA HK HO H7 LX L9 AA"),
        ("P:A", "HA"),
        ("P A K, Z: VIII", "HA HK L8"),
        ("♥ A 7 ♠ 8", "HA H7 L8"),
        ("♥\ufe0f: A 10; ♦ VII IX", "HA HX B7 B9"),
        ("piros király felső, tök tízes", "HK HO BX"),
        ("piros: ász, király; zöld: hetes", "HA HK L7"),
        ("ace of acorns, Ten of Bells", "AA BX"),
        ("A A", "AA"),
    ],
)
def test_hands_as_people_write_them(written: str, meant: str) -> None:
    assert read_cards(written, "a hand", written) == read_cards(meant, "a hand", meant)


@pytest.mark.parametrize(
    ("written", "wrong"),
    [
        ("HA K", "'K' is not a card"),
        ("HA H", "'H' is not a card"),
        ("P: Q", "'P Q' is not a card"),
        ("P:", "'P' is not a card"),
        ("H AA", "'H AA' is not a card"),
        ("HKA", "'HKA' is not a card"),
        ("Q:A", "'Q' is not a card"),
        ("ten of", "'ten' is not a card"),
    ],
)
def test_what_is_not_a_card_is_named(written: str, wrong: str) -> None:
    with pytest.raises(BadNotation, match=wrong):
        read_cards(written, "a hand", written)


def styles(cards: list[int]) -> list[str]:
    """A hand in each way to write it."""
    suits: dict[int, list[int]] = {}
    for number in cards:
        suits.setdefault(number >> 3, []).append(number & 7)
    roman = ["VII", "VIII", "IX", "X", "U", "F", "K", "Á"]
    words = ["hetes", "nyolcas", "kilences", "tízes", "alsó", "felső", "király", "ász"]
    hungarian = ["piros", "zöld", "makk", "tök"]
    return [
        names(cards),
        ", ".join("PZMT"[c >> 3] + roman[c & 7] for c in cards),
        " ".join(f"{hungarian[c >> 3]} {words[c & 7]}" for c in cards),
        ", ".join(map(spoken, cards)),
        "; ".join(f"{'HLAB'[s]}: {', '.join(RANKS[v] for v in vs)}" for s, vs in suits.items()),
        " ".join(f"{'PZMT'[s]}:{''.join(RANKS[v] for v in vs)}" for s, vs in suits.items()),
        " ".join(f"{SYMBOLS[s]} {' '.join(RANKS[v] for v in vs)}" for s, vs in suits.items()),
    ]


HANDS = st.lists(st.integers(0, 31), min_size=1, max_size=12, unique=True)


@settings(max_examples=60)
@given(HANDS)
def test_a_hand_is_the_same_in_each_way_to_write_it(cards: list[int]) -> None:
    for text in styles(cards):
        assert sorted(read_cards(text, "a hand", text)) == sorted(cards), text


@pytest.mark.full
@settings(max_examples=100)
@given(HANDS, st.integers(0, 6), st.data())
def test_garbage_in_a_hand_is_told_or_changes_nothing(
    cards: list[int], style: int, data: st.DataObject
) -> None:
    text = styles(cards)[style]
    at = data.draw(st.sampled_from([i for i in range(len(text) + 1) if text[i : i + 1] in "; ,"]))
    junk = data.draw(st.text("QWERDSYCVJG?!.-#_3456", min_size=1, max_size=4))
    changed = f"{text[:at]} {junk}{text[at:]}"
    with suppress(BadNotation):  # which names what is not a card
        assert sorted(read_cards(changed, "a hand", changed)) == sorted(cards), changed


@settings(max_examples=40)
@given(HANDS, st.integers(0, 6), st.booleans())
def test_what_is_known_is_the_same_in_each_way_to_write_it(
    cards: list[int], style: int, absent: bool
) -> None:
    text = styles(cards)[style].replace(";", ",")
    words = f"1: {'nem ' * absent}{text}, 2: 20 40"
    known = read_known(words, ())
    assert (known.lacked if absent else known.held) == {(1, number) for number in cards}, words
    assert not (known.held if absent else known.lacked)
    assert known.announced == {(2, "40 20")}


@settings(max_examples=40)
@given(HANDS.filter(lambda cards: len(cards) % 3 == 0), st.integers(0, 6))
def test_commas_in_hands_are_no_clauses(cards: list[int], style: int) -> None:
    n = len(cards) // 3
    hands = [cards[:n], cards[n : 2 * n], cards[2 * n :]]
    text = " / ".join(styles(hand)[style] for hand in hands)
    game: Any = dragon.game("ulti(contract='betli', prerequisites=false)")
    assert game.parse(f"{text}, lead 1") == game.parse(" / ".join(map(names, hands)) + ", lead 1")


def test_cards_in_hungarian() -> None:
    assert [card(word) for word in ["piros ász", "P:A", "ace of hearts"]] == [7, 7, 7]
    assert [card(word) for word in ["PA", "Z8", "MA", "T10", "PF"]] == [7, 9, 23, 27, 5]
    assert read_known("1: not T", OWN) == read_known("1: not B", OWN)


def test_a_game_takes_the_same_names() -> None:
    game: Any = dragon.game("ulti(contract='40-100 + ulti', trump='zöld')")
    assert (game.contract, game.trump) == ("forty_hundred+ulti", "L")
    value = {"hands": [["PA"], ["PK"], ["ZA"]], "contract": "ulti és 40-100", "trump": "zöld"}
    assert str(game.parse(json.dumps(value))).startswith("HA / HK / LA")
    with pytest.raises(ConfigError, match="'lila' is not a suit; write H, L, A or B"):
        dragon.game("ulti(trump='lila')")


def test_commands_take_the_same_names() -> None:
    english = json.loads(shown("solve", SMALL, "--contract", "ulti", "--trump", "H", "--json"))
    words = ("PA P7 / PK Z8 / ZA Z7", "--contract", "Ulti", "--trump", "piros", "--json")
    hungarian = json.loads(shown("solve", *words))
    assert english | {"seconds": 0, "nodes": 0} == hungarian | {"seconds": 0, "nodes": 0}


# ---- Hungarian -----------------------------------------------------------------------------------


TRANSLATES = ("tr", "bad_notation")
"""What is given texts that have their Hungarian."""


@pytest.mark.full
def test_every_text_has_its_hungarian() -> None:
    said = set()
    for file in Path(dragon_ulti.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in TRANSLATES:
                first = node.args[0]
                ways = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
                if file.name != "language.py":
                    said |= {way.value for way in ways if isinstance(way, ast.Constant)}
    assert len(said) > 130
    assert said <= set(HUNGARIAN)
    table = tomllib.loads(files("dragon_ulti").joinpath("hungarian.toml").read_text("utf-8"))
    assert set(table["refused"]) <= said | {notation.HINT, "a hand", "a discard", "the talon"}
    holes = re.compile(r"{\w+(?:!r|:,)?}")
    for english, hungarian in HUNGARIAN.items():
        assert sorted(holes.findall(english)) == sorted(holes.findall(hungarian)), english


@pytest.mark.full
def test_answers_in_hungarian() -> None:
    out = shown("solve", SMALL, "--contract", "ulti", "--language", "hu")
    assert "ulti, piros (H)       megvan" in out
    assert "a legjobb játék" in out
    review = shown("review", f"{SMALL}, played H7 HK L7", "--contract", "ulti", "--language=hu")
    assert "hiba, és elbukik a bemondás; jó: ♥A" in review
    hand = "PA PX PK PF P7 ZA ZX MA M8 T9"
    advice = shown("advise", hand, "--samples", "2", "--language", "hu", "--trump", "piros")
    assert "40-100 és ulti, piros: ha minden lap nyílt, 2 osztás 100.0%-ában van meg" in advice
    for text in (out, review, advice, shown("table", SMALL, "--language", "hu")):
        left = re.findall(r"made|fails|declarer|seat|mistake|party|deals|trump", text)
        assert not left
    assert "made" in shown("solve", SMALL, "--contract", "ulti"), "the next answer is in English"


def test_what_is_lacking_in_hungarian() -> None:
    out = shown("solve", shown("deal", "--seed", "1", "--code").strip(), "--language", "hu")
    assert "kell" in out
    assert "needs" not in out


REFUSED = {
    "HA / HK L8": "2 kéz; három kell",
    "HA HZ / HK L8 / LA L7": "'HZ' nem lap",
    "HA HA / HK L8 / LA L7": "HA kétszer van itt: felvevő",
    "HA H7 / HK L8 / LA HK": "HK itt is, ott is van: 1. védő, 2. védő",
    "HA H7 / HK L8 / LA": "nem mindenkinél ugyanannyi lap van",
    "deal=00": "egy osztás 61 számjegy",
    f"{SMALL}, plyed HA": "'plyed HA' nem érthető",
    f"{SMALL}, lead 3": "nem mond helyet",
    f"{SMALL}, played HA L8": "nem szabályos itt",
    f"{SMALL}, played HA HK L8": "nincs nála: 2. védő",
    '{"hands": 3}': "nincs benne",
}
"""Deals that cannot be, and what is said of each."""


@pytest.mark.parametrize("deal", REFUSED)
def test_what_is_refused_is_refused_in_hungarian(deal: str) -> None:
    asked = ["ulti", "solve", deal, "--contract", "ulti", "--language", "hu"]
    result = CliRunner().invoke(main, asked)
    assert result.exit_code == 2
    assert REFUSED[deal] in result.stderr, result.stderr


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["HA HK"], "2 lap; egy kéz: 10 vagy 12 lap; talon nélkül tíz"),
        (["HA HX HK HO H7 LX LA AA A8 B9", "--contract", "ultti"], "nincs ilyen bemondás: 'ultti'"),
        (["HA HX HK HO H7 LX LA AA A8 B9", "--holds", "1: HA"], "HA a saját kezében van"),
        (["HA HX HK HO H7 LX LA AA A8 B9", "--trump", "lila"], "'lila' nem szín"),
    ],
)
def test_a_hand_is_refused_in_hungarian(asked: list[str], said: str) -> None:
    with speaking("en"):  # a command that is not begun leaves its language behind
        result = CliRunner().invoke(main, ["ulti", "advise", *asked, "--language", "hu"])
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


# ---- German suits --------------------------------------------------------------------------------


def test_german_suits_where_they_are_asked_for() -> None:
    plain = shown("solve", SMALL, "--contract", "ulti")
    german = shown("solve", SMALL, "--contract", "ulti", "--suits", "german")
    assert "🍃" not in plain
    assert {*"🍃🌰🔔"} <= {*german}
    assert not {*"♠♣♦"} & {*german}
    assert "2. védő" not in german
    seats = [line for line in german.splitlines() if line.startswith("🍃 8")]
    assert [line.index("🍃 A 7") for line in seats] == [43], "in its column, one sign being wide"


@pytest.mark.parametrize(
    ("terminal", "encoding", "variable", "shown"),
    [
        (True, "UTF-8", "VTE_VERSION", True),
        (True, "utf-8", "TERM", False),
        (True, "latin-1", "VTE_VERSION", False),
        (False, "utf-8", "VTE_VERSION", False),
    ],
)
def test_german_suits_where_the_terminal_can_show_them(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, encoding: str, variable: str, shown: bool
) -> None:
    for name in report.ABLE:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, "1")
    stdout = SimpleNamespace(isatty=lambda: terminal, encoding=encoding)
    monkeypatch.setattr(report.sys, "stdout", stdout)
    report.DRAWN.set("auto")
    assert report.german() is shown
