"""Names as people write them, Hungarian, and the suits that a terminal shows."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

import dragon
import dragon_ulti
from dragon.cli import main
from dragon.errors import ConfigError
from dragon_ulti import notation, suits
from dragon_ulti.cards import card
from dragon_ulti.contracts import CONTRACTS, bid, canonical
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
    ],
)
def test_contracts_have_the_names_that_are_printed_and_said(written: str, meant: str) -> None:
    assert canonical(written) == meant


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


def test_cards_in_hungarian() -> None:
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
    for name in suits.ABLE:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, "1")
    stdout = SimpleNamespace(isatty=lambda: terminal, encoding=encoding)
    monkeypatch.setattr(suits.sys, "stdout", stdout)
    suits.DRAWN.set("auto")
    assert suits.german() is shown
