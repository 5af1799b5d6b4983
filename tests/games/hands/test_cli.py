"""`dragon hands`: what its commands print, and what they say of mistakes."""

from __future__ import annotations

import base64
import json
import sys
from itertools import product
from math import comb
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragon.cli import main
from dragon_cards.store import given
from dragon_hands.exact import TooLarge
from dragon_hands.importing import load
from dragon_hands.odds import any_probability
from dragon_hands.question import Question

HERE = Path(__file__).parents[2] / "oracles" / "hands"
OVERLAP, UPSTART = str(HERE / "overlap.yaml"), str(HERE / "upstart.yaml")
KEYS = ["hand", "sharing", "free", "any", "all", "bricks", "conditions", "warnings"]
SHARE = ["p", "numerator", "denominator", "error", "exact"]
COMMANDS = [(), ("odds",), ("sensitivity",), ("optimise",), ("copies",), ("sample",),
            ("import",), ("plot",)]  # fmt: skip


def run(*arguments, **more):
    return CliRunner().invoke(main, ["hands", *map(str, arguments)], prog_name="dragon", **more)


def as_json(*arguments):
    """The JSON on stdout."""
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_gives_examples(command):
    result = run(*command, "--help")
    assert result.exit_code == 0
    assert f"dragon hands {' '.join(command)}".strip() in result.stdout.partition("Examples:")[2]


def test_odds_give_the_documented_object():
    row = as_json("odds", OVERLAP)
    assert list(row) == KEYS
    assert list(row["any"]) == SHARE
    assert row["any"]["numerator"] == 262_866
    assert row["any"]["denominator"] == 658_008
    assert row["any"]["exact"] is True
    assert row["any"]["error"] == 0
    assert [c["text"] for c in row["conditions"]][:2] == ["Starter AND Extender", "2+ Starter"]
    assert list(row["conditions"][0]) == ["text", *SHARE]
    assert row["any"]["p"] + row["bricks"]["p"] == pytest.approx(1)
    assert any("cards of its own" in w for w in row["warnings"])


def test_two_sizes_stand_side_by_side():
    row = as_json("odds", OVERLAP, "--hands", "5,6")
    assert list(row) == ["hands"]
    assert list(row["hands"]) == ["5", "6"]
    assert row["hands"]["6"]["any"]["denominator"] == 3_838_380
    table = run("odds", OVERLAP, "--hands", "5,6").stdout
    assert "5 cards" in table
    assert "6 cards" in table
    assert "39.95%" in table
    assert "/" not in table
    assert "39.95% = 262,866/658,008" in run("odds", OVERLAP, "--exact").stdout


def test_an_estimate_is_told_as_one():
    row = as_json("odds", OVERLAP, "--sample", 5000, "--seed", 3)
    assert row["any"]["exact"] is False
    assert row["any"]["numerator"] is None
    assert row["any"]["hands"] == 5000
    assert 0 < row["any"]["error"] < 0.01
    assert row == as_json("odds", OVERLAP, "--sample", 5000, "--seed", 3)
    table = run("odds", OVERLAP, "--sample", 5000, "--seed", 3).stdout
    low, high = row["any"]["interval"]
    assert "5 cards, 5,000 hands drawn" in table
    assert f"({100 * low:.2f} to {100 * high:.2f})" in table


@pytest.mark.full
def test_check_gives_both():
    row = as_json("odds", UPSTART, "--check", "--sample", 2000)
    assert row["any"]["exact"] is True
    assert row["check"]["any"]["exact"] is False
    assert abs(row["any"]["p"] - row["check"]["any"]["p"]) < 4 * row["check"]["any"]["error"]


def test_policies_and_sharing_are_asked_for():
    assert as_json("odds", UPSTART, "--free", "never")["any"]["numerator"] == 222_111
    assert as_json("odds", OVERLAP, "--sharing", "count")["any"]["numerator"] == 321_309
    seen = as_json("odds", UPSTART, "--free", "clairvoyant", "--sample", 500)
    assert seen["free"] == "clairvoyant"
    assert seen["any"]["exact"] is False


def test_an_estimate_tells_of_other_readings_too():
    exact = as_json("odds", OVERLAP)["warnings"]
    assert any("cards of its own" in w for w in exact)
    assert as_json("odds", OVERLAP, "--sample", 100)["warnings"] == exact
    played = as_json("odds", UPSTART, "--sample", 100)["warnings"]
    assert played == as_json("odds", UPSTART)["warnings"]


def test_a_warning_of_one_size_says_which():
    both = run("odds", OVERLAP, "--hands", "5,6").stderr
    assert "warning: 5 cards: any condition: 39.95%" in both
    assert "warning: 6 cards: any condition: 51.40%" in both
    assert both.count("blanks fill the deck") == 1


def test_the_clairvoyant_is_exact_where_there_is_nothing_to_foresee():
    row = as_json("odds", OVERLAP, "--free", "clairvoyant")
    assert row["any"]["numerator"] == 262_866


def test_a_long_condition_does_not_widen_the_table(tmp_path):
    file = tmp_path / "deck.yaml"
    asked = " AND ".join(["Alpha"] * 500)
    file.write_text(f"deck: {{Alpha: {{qty: 3}}}}\nconditions: [{asked}]\n", encoding="utf-8")
    result = run("odds", file)
    assert max(map(len, result.stdout.splitlines())) < 120
    assert max(map(len, result.stderr.splitlines())) < 700
    assert as_json("odds", file)["conditions"][0]["text"] == asked


def test_ctrl_c_while_all_hands_are_counted_leaves_nothing(monkeypatch):
    """A number that was known sooner may itself be beyond counting; that is not a traceback."""
    asked = []

    def broken_off(function, *arguments):
        asked.append(arguments[1].policy)
        raise KeyboardInterrupt if len(asked) == 1 else TooLarge

    run("odds", "--help")  # imports every command, so that none keeps what stands in here
    monkeypatch.setattr("dragon_hands.cli.odds.interruptible", broken_off)
    result = run("odds", UPSTART, "--json")
    assert asked == ["optimal", "never"]
    assert result.exit_code == 130
    assert json.loads(result.stdout) == {}


def test_stdin_is_a_file_too():
    text = Path(OVERLAP).read_text(encoding="utf-8")
    result = run("odds", "-", "--json", input=text)
    assert json.loads(result.stdout)["any"]["numerator"] == 262_866


def test_sensitivity_changes_one_copy():
    row = as_json("sensitivity", OVERLAP)
    assert row["complete"] is True
    assert row["any"]["numerator"] == 262_866
    both = next(card for card in row["cards"] if card["card"] == "Both")
    assert both["fewer"]["p"] < row["any"]["p"] < both["more"]["p"]
    edited = Path(OVERLAP).read_text(encoding="utf-8").replace("Both: {qty: 3", "Both: {qty: 4")
    again = json.loads(run("odds", "-", "--json", input=edited).stdout)
    assert again["any"]["numerator"] == both["more"]["numerator"]


@pytest.mark.full
def test_copies_are_the_least_that_reach_the_target():
    asked = ("copies", UPSTART, "--for", 0.5, "--free", "never", "--card", "Alpha", "--most", 60)
    (alpha,) = as_json(*asked)["cards"]
    assert alpha["needed"] == 5  # 1 - C(35, 5) / C(40, 5) = 0.507
    assert alpha["curve"][-1][1] >= 0.5 > alpha["curve"][-2][1]
    goblins = ("copies", UPSTART, "--for", 0.999, "--card", "Upstart Goblin", "--most", 60)
    (goblin,) = as_json(*goblins)["cards"]
    assert goblin["needed"] == 33  # 4 blanks of 40 never fill a hand; 5 do, once in C(8, 3) times
    (goblin,) = as_json(*goblins, "--free", "never")["cards"]
    assert goblin["needed"] is None


def test_copies_end_at_what_the_game_allows(tmp_path, monkeypatch):
    table = "id,name,attribute,type,level,tcg\n1,Upstart Goblin,,,,1\n2,Alpha,DARK,Fiend,4,\n"
    monkeypatch.setattr("dragon_hands.ratios.store", lambda: given(table, "cards"))
    file = tmp_path / "deck.yaml"
    file.write_text(
        "deck: {Alpha: {qty: 3}, Upstart Goblin: {qty: 3}, Others: {qty: 4}}\n"
        "conditions: [Alpha OR Others]\n"
    )
    rows = {row["card"]: row for row in as_json("copies", file, "--for", 1)["cards"]}
    assert {name: (row["most"], row["needed"]) for name, row in rows.items()} == {
        "Alpha": (3, None), "Upstart Goblin": (1, None), "Others": (34, 33),
    }  # fmt: skip
    assert len(rows["Alpha"]["curve"]) == 4
    assert "not reached: 63.93% with 3" in run("copies", file, "--card", "Alpha").stdout
    goblin = run("copies", file, "--card", "Upstart Goblin", "--free", "never").stdout
    assert "1  makes no difference: 63.93%" in goblin
    most = as_json("optimise", file, "--total", 10)["copies"]
    assert most["Alpha"] <= 3


@pytest.mark.full
def test_optimise_finds_and_proves_the_best():
    row = as_json("optimise", OVERLAP, "--vary", "One=0..3", "--vary", "Both=0..3",
               "--vary", "Other=0..5", "--total", 6)  # fmt: skip
    assert row["proven"] is True
    best = 0
    for one in range(4):
        for both in range(4):
            for other in range(6):
                if one + both + other <= 6:
                    text = Path(OVERLAP).read_text(encoding="utf-8")
                    text = text.replace("One: {qty: 3", f"One: {{qty: {one}")
                    text = text.replace("Both: {qty: 3", f"Both: {{qty: {both}")
                    text = text.replace("Other: {qty: 5", f"Other: {{qty: {other}")
                    found = json.loads(run("odds", "-", "--json", input=text).stdout)
                    best = max(best, found["any"]["numerator"])
    assert row["any"]["numerator"] == best
    assert sum(row["copies"].values()) <= 6


@pytest.mark.parametrize("asked", ["1- A AND 2 B", "1 A AND 2 B IN Deck", "A AND 4+ Blank"])
def test_optimise_proves_nothing_by_the_present_copies(tmp_path, asked):
    """With one A and one B, `1- A` always holds and `2 B` never can: that changes with them."""
    file = tmp_path / "deck.yaml"
    file.write_text(
        f"deck: {{A: {{qty: 1}}, B: {{qty: 1}}}}\nsize: 12\nconditions: [{asked}]\n",
        encoding="utf-8",
    )
    row = as_json("optimise", file, "--vary", "A=0..6", "--vary", "B=0..6", "--total", 10)
    deck = load(str(file))
    decks = (
        deck.with_copies({"A": a, "B": b}) for a, b in product(range(7), repeat=2) if a + b <= 10
    )
    assert row["proven"] is True
    assert row["any"]["p"] == max(any_probability(each, Question()).p for each in decks)


def test_optimise_tells_apart_what_only_costs_ask_for(tmp_path):
    """Eights pay for Trade-In, of which no condition speaks; copies of Zeta are no better."""
    text = (
        "deck:\n  Goal: {qty: 3}\n  Trade-In: {qty: 3, free: {oncePerTurn: false, count: 2, "
        "cost: {type: Discard, value: Eight}}}\n  Zeta: {qty: %d}\n"
        "  Alpha: {qty: %d, tags: [Eight]}\nconditions: [Goal]\nsize: 20\n"
    )
    files = {}
    for zeta, alpha in product(range(4), repeat=2):
        if zeta + alpha <= 3:
            file = files[zeta, alpha] = tmp_path / f"{zeta}-{alpha}.yaml"
            file.write_text(text % (zeta, alpha), encoding="utf-8")
    row = as_json("optimise", files[3, 0], "--vary", "Zeta=0..3", "--vary", "Alpha=0..3",
                  "--total", 3)  # fmt: skip
    best = max(files, key=lambda each: any_probability(load(str(files[each])), Question()).fraction)
    assert best == (0, 3)
    assert (row["copies"]["Zeta"], row["copies"]["Alpha"], row["proven"]) == (0, 3, True)


def test_optimise_keeps_to_what_is_allowed(tmp_path):
    file = tmp_path / "deck.yaml"
    file.write_text("deck: {A: {qty: 3}, B: {qty: 3}}\nconditions: [A]\n", encoding="utf-8")
    assert as_json("optimise", file, "--most", 1, "--total", 2)["copies"]["A"] == 1
    none = run("copies", file, "--most", 0).stdout
    assert "A       3     0  not reached: 0.00% with 0" in none


def test_what_is_nearly_certain_is_not_said_to_be(tmp_path):
    file = tmp_path / "deck.yaml"
    file.write_text("deck: {A: {qty: 30}, B: {qty: 30}}\nsize: 60\nconditions: ['NOT 30 A']\n")
    found = run("odds", file, "--hand", 30, "--exact").stdout.split()
    assert ">99.99%" in found
    assert "<0.01%" in found
    assert "100.00%" not in found
    assert as_json("odds", file, "--hand", 30)["bricks"]["p"] == 1 / comb(60, 30)
    assert "0.00% (0.00 to <0.01)" in run("odds", file, "--hand", 30, "--sample", 100_000).stdout


@pytest.mark.parametrize(
    "text",
    ['"deck":\n  A: {qty: 3}\n"conditions": [A]\n', "  deck:\n    A: {qty: 3}\n  conditions: [A]\n",
     '{"deck": {"A": {"qty": 3}}, "conditions": ["A"]}'],
)  # fmt: skip
def test_deck_files_are_known_however_their_keys_are_written(tmp_path, text):
    file = tmp_path / "deck.yaml"
    file.write_text(text, encoding="utf-8")
    assert as_json("odds", file)["any"]["p"] == pytest.approx(0.3376, abs=1e-4)


def test_misspelt_keys_of_a_deck_file_are_told(tmp_path):
    file = tmp_path / "deck.yaml"
    file.write_text("decks:\n  A: {qty: 3}\ncondition:\n  - A\n", encoding="utf-8")
    said = run("odds", file).stderr
    assert "deck.yaml:1: no setting 'decks' here; did you mean 'deck'?" in said
    assert "deck.yaml:3: no setting 'condition' here; did you mean 'conditions'?" in said


def test_optimise_is_exact_where_more_is_not_better(tmp_path):
    file = tmp_path / "deck.yaml"
    file.write_text(
        "deck: {A: {qty: 2}, B: {qty: 3}}\nconditions: [1 A AND 1- B]\n", encoding="utf-8"
    )
    row = as_json("optimise", file, "--vary", "A=0..9", "--vary", "B=1..3", "--total", 12)
    assert row["proven"] is True
    assert row["copies"]["B"] == 1
    ps = [as_json("odds", _with(tmp_path, n), "--free", "never")["any"]["p"] for n in range(10)]
    assert row["any"]["p"] == max(ps)


def _with(folder, n):
    file = folder / f"{n}.yaml"
    file.write_text(
        f"deck: {{A: {{qty: {n}}}, B: {{qty: 1}}}}\nconditions: [1 A AND 1- B]\n", encoding="utf-8"
    )
    return file


def test_sample_shows_why_hands_pass():
    rows = as_json("sample", OVERLAP, "-n", 20, "--seed", 2)
    assert len(rows) == 20
    assert all(len(row["cards"]) == 5 for row in rows)
    passing = as_json("sample", OVERLAP, "-n", 3, "--only", "pass")
    assert all(row["passes"] for row in passing)
    for row in passing:
        for reason in row["passes"]:
            used = [name for each in reason["given"] for name in each["cards"]]
            assert all(row["cards"].count(name) >= used.count(name) for name in used)
    assert "brick" in run("sample", OVERLAP, "--only", "brick").stdout
    assert "(Starter: " in run("sample", OVERLAP, "--only", "pass").stdout


CSV = (
    "id,name,attribute,type,level,atk,def\n"
    "1,Alpha,FIRE,Dragon,4,1800,0\n2,\"Beta, the Second\",DARK,Fiend,8,?,?\n3,Pot of Desires,,,,,\n"
)  # fmt: skip


def test_import_makes_a_deck_file(tmp_path):
    cards, ydk, out = tmp_path / "cards.csv", tmp_path / "my.ydk", tmp_path / "my.yaml"
    cards.write_text(CSV, encoding="utf-8")
    ydk.write_text("#created by me\n#main\n1\n1\n2\n3\n99\n#extra\n2\n!side\n1\n", encoding="utf-8")
    made = run("import", ydk, "--cards", cards, "--condition", "Dragon", "--out", out)
    assert made.exit_code == 0
    assert "my.ydk, line 7: not known: 99" in made.stderr
    spec = load(str(out))
    assert [(c.name, c.copies) for c in spec.cards] == [
        ("Alpha", 2), ("Beta, the Second", 1), ("Pot of Desires", 1), ("Card 99", 1),
    ]  # fmt: skip
    assert spec.cards[0].tags == ("Dragon", "FIRE", "Level 4", "Monster")
    assert spec.cards[2].free.count == 2
    assert spec.extra[0].name == "Beta, the Second"
    again = run("import", ydk, "--cards", cards, "--out", out)
    assert again.exit_code == 2
    assert "--force" in again.stderr
    assert "a deck file" in run("import", out, "--cards", cards).stderr
    printed = run("import", _link(1, 1, 2), "--cards", cards, "--condition", "Alpha")
    assert "qty: 2" in printed.stdout
    dash = run("import", _link(1, 1, 2), "--cards", cards, "--condition", "Alpha", "--out", "-")
    assert (dash.exit_code, dash.stdout) == (0, printed.stdout)


def _link(*ids):
    main_deck = base64.b64encode(b"".join(n.to_bytes(4, "little") for n in ids)).decode()
    return f"ydke://{main_deck}!!!"


NAMES = "Main deck (40)\n3 Ash Blossom\nEffekt Veiler x2\n3 Small World\nFoo: the Bar!\n31x other\n"


def test_a_deck_is_given_as_people_have_it(tmp_path):
    """Names with parts, small errors and counts; a ydke link; a file; no note of spells."""
    names = tmp_path / "names.txt"
    names.write_text(NAMES, encoding="utf-8")
    made = load(str(names), ["Hand Trap"])
    assert [(c.name, c.copies) for c in made.cards] == [
        ("Ash Blossom & Joyous Spring", 3), ("Effect Veiler", 2), ("Small World", 3),
        ("Foo: the Bar!", 1),
    ]  # fmt: skip
    assert "Hand Trap" in made.cards[0].tags
    assert "Spell" in made.cards[2].tags
    link = _link(14558127, 14558127, 14558127, 97268402, 97268402)
    sure = 658_008 - comb(35, 5)
    for deck, notes in (names, 3), (link, 1):
        shown = run("odds", deck, "--condition", "Hand Trap", "--json")
        assert json.loads(shown.stdout)["any"]["numerator"] == sure
        assert len(shown.stderr.splitlines()) == notes, shown.stderr
    refused = run("odds", names)
    assert refused.exit_code == 2
    assert "give --condition" in refused.stderr
    assert "Hand Trap 5" in refused.stderr


def test_a_condition_is_asked_besides_those_of_the_file():
    row = as_json("odds", OVERLAP, "--condition", "3+ Starter", "--free", "never")
    assert row["conditions"][-1]["text"] == "3+ Starter"
    wrong = run("sample", OVERLAP, "--condition", "Starter AND")
    assert wrong.exit_code == 2
    assert wrong.stderr.startswith("dragon: --condition: condition 'Starter AND', column 12")
    unknown = run("odds", OVERLAP, "--condition", "1+ Zebra", "--free", "never")
    assert unknown.exit_code == 2
    assert "dragon: --condition: no card and no tag is called 'Zebra'" in unknown.stderr
    none = run("odds", OVERLAP, "--condition", "1+ Effect Veiler", "--free", "never")
    assert none.exit_code == 0
    assert "'Effect Veiler' (in '1+ Effect Veiler'), so it counts as zero" in none.stderr


def test_an_import_says_what_is_missing(tmp_path):
    cards, ydk = tmp_path / "cards.csv", tmp_path / "my.ydk"
    cards.write_text(CSV, encoding="utf-8")
    ydk.write_text("1\n2\n38 other\n", encoding="utf-8")
    made = run("import", ydk, "--cards", cards, "--condition", "Dragon AND Starter")
    assert made.exit_code == 0
    assert made.stderr == (
        "note: no card and no tag is called 'Starter' (in '1+ Starter'), so it counts as zero; "
        "give a card that name, or that tag\n"
    )
    wrong = run("import", ydk, "--cards", cards, "--condition", "Dragon AND")
    assert wrong.exit_code == 2
    assert wrong.stderr.startswith("dragon: --condition: condition 'Dragon AND', column 11")


def test_no_more_is_read_than_a_deck_list_can_have(tmp_path):
    ydk = tmp_path / "my.ydk"
    ydk.write_bytes(b"#main\n" + b"1\n" * 200_000)
    result = run("import", ydk)
    assert result.exit_code == 2
    assert "my.ydk has more than 262,144 bytes" in result.stderr
    ydk.write_bytes(b"#main\n" + b"1\n" * 200)
    assert "more than 150 cards" in run("import", ydk).stderr


@pytest.mark.full
def test_plot_prints_bars_and_draws_pictures(tmp_path):
    row = as_json("plot", OVERLAP)
    assert all(sum(shares) == pytest.approx(1) for shares in row["histogram"].values())
    assert "#" in run("plot", OVERLAP).stdout
    points = as_json("plot", OVERLAP, "--kind", "convergence", "--sample", 256)["convergence"]
    assert [p["hands"] for p in points] == [64, 128, 256]
    pytest.importorskip("matplotlib", reason="pictures need the extra plot")
    for kind in ("histogram", "convergence"):
        image = tmp_path / f"{kind}.png"
        assert (
            run("plot", OVERLAP, "--kind", kind, "--sample", 256, "--image", image).exit_code == 0
        )
        assert image.read_bytes()[:4] == b"\x89PNG"
    wrong = run("plot", OVERLAP, "--image", tmp_path / "x.nothing")
    assert wrong.exit_code == 2
    assert "cannot draw" in wrong.stderr


@pytest.mark.full
def test_the_odds_by_turn_are_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="pictures need the extra plot")
    drawn = as_json("plot", UPSTART, "--kind", "turns", "--image", tmp_path / "turns.svg")
    assert len(drawn["turns"]) == 11
    assert b"<svg" in (tmp_path / "turns.svg").read_bytes()


def test_without_matplotlib_there_is_a_remedy(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run("plot", OVERLAP, "--image", tmp_path / "x.png")
    assert result.exit_code == 2
    assert "pip install 'dragon-search[plot]'" in result.stderr


MISTAKES = {
    "no file": (["odds", "nowhere.yaml"], "cannot read nowhere.yaml"),
    "no number to reach": (["copies", OVERLAP, "--for", "nan"], "nan is not a number"),
    "no number as precision": (["odds", OVERLAP, "--precision", "nan"], "nan is not a number"),
    "two sizes": (["odds", OVERLAP, "--hand", "6", "--hands", "5,6"], "not both"),
    "hand of none": (["odds", OVERLAP, "--hand", "0"], "--hand"),
    "hand too large": (["odds", OVERLAP, "--hand", "41"], "from a deck of 40"),
    "sizes": (["odds", OVERLAP, "--hands", "five"], "write 5,6"),
    "sharing": (["odds", OVERLAP, "--sharing", "none"], "--sharing"),
    "policy": (["odds", OVERLAP, "--free", "best"], "--free"),
    "no hands": (["odds", OVERLAP, "--sample", "0"], "--sample"),
    "no precision": (["odds", OVERLAP, "--precision", "0"], "--precision"),
    "unknown card": (["copies", OVERLAP, "--card", "Bot"], "did you mean 'Both'"),
    "unknown to vary": (["optimise", OVERLAP, "--vary", "Onne=0..3"], "did you mean 'One'"),
    "range": (["optimise", OVERLAP, "--vary", "One"], "write NAME=0..3"),
    "range upside down": (["optimise", OVERLAP, "--vary", "One=3..1"], "0 <= least <= most"),
    "vary and limits": (["optimise", OVERLAP, "--vary", "One=0..3", "--most", "1"], "leave --ban"),
    "vary twice": (["optimise", OVERLAP, "--vary", "One=1", "--vary", "One=2"], "a card twice"),
    "estimates as fractions": (["odds", OVERLAP, "--sample", "9", "--exact"], "add --check"),
    "no room": (["optimise", OVERLAP, "--vary", "One=3..3", "--total", "1"], "raise the total"),
    "target": (["copies", OVERLAP, "--for", "1.5"], "--for"),
    "clairvoyant": (["sensitivity", OVERLAP, "--free", "clairvoyant"], "only estimated"),
    "cards": (["import", "ydke://AQAAAA==!!!", "--cards", OVERLAP], "no column id"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_a_sentence_and_exit_code_2(case, refused):
    arguments, expected = MISTAKES[case]
    refused(run(*arguments), expected)


def test_a_deck_file_with_mistakes_tells_all_of_them(tmp_path):
    file = tmp_path / "bad.yaml"
    file.write_text("deck:\n  A: {qty: x}\n  B: {qtty: 1}\nconditions: [C AND]\n", encoding="utf-8")
    result = run("odds", file)
    assert result.exit_code == 2
    for line in (2, 3, 4):
        assert f"bad.yaml:{line}: " in result.stderr


def test_a_bad_line_of_a_list_is_noted_and_the_rest_is_used(tmp_path):
    cards, ydk = tmp_path / "cards.csv", tmp_path / "my.ydk"
    cards.write_text(CSV, encoding="utf-8")
    for text, noted, code in (
        ("#main\n1\nAlpa\n", "", 0),
        ("#main\n1\nydke://AQ==!!!\n", "my.ydk, line 3: the main part of the link is cut off", 0),
        ("#main\n1\nydke://@@!!!\n", "my.ydk, line 3: the main part of the link is broken", 0),
        ("#main\n", "my.ydk: no card in it", 2),
    ):
        ydk.write_text(text, encoding="utf-8")
        result = run("import", ydk, "--cards", cards)
        assert (result.exit_code, noted in result.stderr) == (code, True), result.stderr
        if not code:
            assert "Alpha:\n    qty:" in result.stdout


@pytest.mark.full
def test_turns_stand_side_by_side_with_what_is_given_and_kept(tmp_path):
    file = tmp_path / "deck.yaml"
    file.write_text("deck: {Alpha: {qty: 3}, Beta: {qty: 6}}\nconditions: [Alpha]\n", "utf-8")
    kept = ("odds", file, "--mulligan", "london", "--keep", "Alpha OR Beta", "--given", "Beta")
    row = as_json(*kept, "--by-turn", "0..2,4")
    assert list(row) == ["turns"]
    assert list(row["turns"]) == ["0", "1", "2", "4"]
    shares = [each["any"]["p"] for each in row["turns"].values()]
    assert shares == sorted(shares)
    one = as_json(*kept, "--turn", 2)
    assert one == row["turns"]["2"]
    way = ["mulligan", "turn", "keep", "given"]
    assert list(one) == [*KEYS[:3], *way, *KEYS[3:-1], "kept", "warnings"]
    assert sum(each["p"] for each in one["kept"]) == pytest.approx(1)
    assert [(each["mulligans"], each["cards"]) for each in one["kept"]][:2] == [(0, 7), (1, 6)]
    assert one["given"]["text"] == "Beta"
    text = run(*kept, "--by-turn", "1,2").stdout
    assert "7 cards; mulligan london; keep Alpha OR Beta; given Beta\n" in text
    for part in ("  turn 1  turn 2\n", "\nkept: 7 cards", "\ngiven: Beta"):
        assert part in text
    bars = run("plot", file, "--kind", "turns", "--by-turn", "1..3", "--given", "Beta").stdout
    assert [line.split()[0] for line in bars.splitlines()] == ["Alpha", "1", "2", "3"]
    for wrong, said in (
        (("odds", file, "--by-turn", "3..1"), "write 1..10"),
        (("odds", file, "--by-turn", "1", "--hands", "5,6"), "only one of them"),
        (("plot", file, "--mulligan", "london"), "as it is dealt"),
        (("plot", file, "--by-turn", "1..3"), "--kind turns"),
    ):
        result = run(*wrong)
        assert (result.exit_code, said in result.stderr) == (2, True), result.stderr


def test_a_deck_on_stdin_is_read_once(tmp_path):
    text = "deck: {Alpha: {qty: 3}, Beta: {qty: 6}}\nconditions: [Alpha]\n"
    found = run("odds", "-", "--given", "Beta", input=text)
    assert found.exit_code == 0, found.stderr
    refused = run("odds", "-", "--given", "Beta AND", input=text)
    assert (refused.exit_code, "--given: condition 'Beta AND'" in refused.stderr) == (2, True)


def test_other_copies_are_judged_by_the_same_mulligan(tmp_path):
    file = tmp_path / "deck.yaml"
    file.write_text("deck: {Alpha: {qty: 3}, Beta: {qty: 6}}\nconditions: [Alpha]\n", "utf-8")
    way = ("--mulligan", "redraw", "--keep", "Beta", "--turn", "1")
    now = as_json("odds", file, *way)["any"]
    row = as_json("sensitivity", file, *way)
    assert row["any"] == now
    more = as_json("optimise", file, *way, "--vary", "Alpha=0..3", "--vary", "Beta=1..6")
    assert more["now"] == now
    assert more["any"]["p"] >= now["p"]


@pytest.mark.full
def test_ctrl_c_prints_what_is_known(ctrl_c):
    """An endless estimate is stopped; what there is is printed and marked."""
    words = ("hands", "odds", OVERLAP, "--json", "--precision", "0.000001")
    out, err, code = ctrl_c(*words, of=("dragon_hands.odds", "Wanted.part_done"), times=3)
    assert code == 130, err
    row = json.loads(out)
    assert row["any"]["exact"] is False
    assert any("interrupted" in w for w in row["warnings"])
    assert "Traceback" not in err


def never(*_):
    raise TooLarge


def test_a_deck_too_large_to_count_is_sampled_for_a_while_and_says_so(monkeypatch):
    monkeypatch.setattr("dragon_hands.odds.counted", never)
    monkeypatch.setattr("dragon_hands.odds.bit_fields", never)
    monkeypatch.setattr("dragon_hands.odds.PATIENCE", 0.01)
    row = as_json("odds", OVERLAP)
    assert row["any"]["exact"] is False
    assert row["any"]["hands"] == 500  # one slice, of the 200,000 hands that are usual
    assert any("an exact answer takes too long" in w for w in row["warnings"])
    monkeypatch.undo()
    seen = as_json("odds", UPSTART, "--free", "clairvoyant", "--sample", 500)
    assert not any("too long" in w for w in seen["warnings"])


@pytest.mark.full
def test_a_deck_too_large_for_best_play_is_sampled_and_says_so(monkeypatch):
    monkeypatch.setattr("dragon_hands.policy.MOST_WORK", 3)
    monkeypatch.setattr("dragon_hands.odds.USUAL_PLAYED", 2000)
    result = run("odds", str(HERE / "duality.yaml"), "--json")
    assert result.exit_code == 0
    row = json.loads(result.stdout)
    assert row["free"] == "greedy"
    assert row["any"]["exact"] is False
    assert any("takes too long" in w for w in row["warnings"])
    duality = str(HERE / "duality.yaml")
    alone = run("sensitivity", duality, "--json")
    assert "of opening hands alone" in alone.stderr
    assert json.loads(alone.stdout) == as_json("sensitivity", duality, "--free", "never")
    assert json.loads(alone.stdout)["free"] == "never"
    monkeypatch.setattr("dragon_hands.cli.copies._now", never)
    refused = run("sensitivity", duality)
    assert refused.exit_code == 1
    assert "give a smaller --hand" in refused.stderr
