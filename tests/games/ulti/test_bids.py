"""The bids of a table against published lists, and the score sheet of an evening."""

from __future__ import annotations

import json
import string
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon.cli import main
from dragon.errors import ConfigError
from dragon_ulti.contracts import CONTRACTS, bid, said
from dragon_ulti.language import speaking
from dragon_ulti.sheet import KINDS, LEVELS, Deal, Sheet, Silent, read, settled, total
from dragon_ulti.stakes import SILENT, Stakes, common, ladder, listed, parts_of, read_stakes, title

LISTS: dict[str, Any] = tomllib.loads(
    (Path(__file__).parents[2] / "oracles" / "ulti_bids.toml").read_text("utf-8")
)
"""Published lists of bids with their sources."""


def rows(*names: str) -> list[dict[str, str]]:
    """The bids of lists, of all if none is named."""
    return [each for name in names or LISTS for each in LISTS[name]["bids"]]


def run(*arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(main, ["ulti", *arguments], input=given)


def table(**changes: Any) -> Stakes:
    """The usual values at a table that settles some points in another way."""
    rows = (f"{key} = {json.dumps(value)}" for key, value in changes.items())
    values = (
        f'[contracts."{name}"]\nmade = {v.made}\nlost = {v.lost}\nopen = {v.open}\n'
        + (f"red = {v.red}\n" if bid(name).trump else "")
        for name, v in common().values.items()
    )
    return read_stakes("\n".join([*values, "[table]", *rows]), "mine")


# ---- the ladder ----------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['pays']} {row['name']}")
def test_a_bid_pays_what_is_published(row: dict[str, str]) -> None:
    found = listed(said(row["name"]), common())
    assert found.made == sum(map(int, row["pays"].split("+")))
    assert "+" not in row["pays"] or found.amounts(True) == row["pays"]
    assert found in ladder(common())


def test_the_ladder_has_the_published_bids_and_no_others() -> None:
    over = {"name": "piros terített durchmars"}  # 24, of the second list alone
    plain = {title(said(row["name"])) for row in [*rows("tournament"), over]}
    aces = {title(said(row["name"])) for row in rows("four_aces")}
    assert {each.title for each in ladder(table(four_aces=False))} == plain
    assert {each.title for each in ladder(common())} == plain | aces
    assert (len(plain), len(plain | aces)) == (42, 54)


@pytest.mark.parametrize("name", [name for name in LISTS if LISTS[name]["ordered"]])
def test_the_order_is_the_published_one_but_for_bids_of_equal_worth(name: str) -> None:
    """Bids of equal worth outbid each other by a setting; lists do not agree on their order."""
    places = {each.title: (place, each.made) for place, each in enumerate(ladder(common()))}
    found = [places[title(said(row["name"]))] for row in rows(name)]
    apart = [(one, two) for one, two in pairwise(found) if one[0] > two[0]]
    assert all(one[1] == two[1] for one, two in apart)
    assert len(apart) == {"wikipedia": 9, "thesis": 0}[name]


def test_losses_of_the_list_that_doubles_them_are_a_setting() -> None:
    """They are twice the worth, except a betli's, and a party's beside an ulti."""
    doubled = evolve(common(), values={
        name: value if name in ("betli", "party") else evolve(value, lost=2 * value.made)
        for name, value in common().values.items()
    })  # fmt: skip
    differ = [row["name"] for row in rows("wikipedia")
              if listed(said(row["name"]), doubled).amounts(False) != row["fails"]]  # fmt: skip
    assert differ == ["passz", "piros passz"]  # 2 and 4: a setting, `lost`, of the party alone


def test_bids_rise_and_of_equal_ones_the_one_of_fewer_parts_is_higher() -> None:
    found = ladder(common())
    keys = [(each.made, -len(each.parts)) for each in found]
    assert keys == sorted(keys)
    said_so = [each.said for each in found]
    assert said_so.index("ulti") < said_so.index("betli"), "4+1 under 5"
    assert [each.made for each in ladder(table(equal="first"))] == sorted(k for k, _ in keys)


@pytest.mark.parametrize("language", ["en", "hu"])
def test_every_bid_is_read_as_it_is_written(language: str) -> None:
    with speaking(language):
        for each in ladder(common()):
            for text in (each.title, each.said):
                assert listed(said(text), common()) == each, text


def test_only_a_failed_ulti_costs_twice() -> None:
    for each in ladder(common()):
        for name, value in each.parts:
            assert value.lost == value.made * (2 if name == "ulti" else 1)


def test_the_command_prints_them() -> None:
    out = run("bids").stdout.splitlines()
    assert out[1].split() == ["party", "1", "1", "passz"]
    assert any(row.split() == ["ulti", "4+1", "8+1", "ulti"] for row in out)
    whole = json.loads(run("bids", "--json", "--language=hu").stdout)
    found, parts = whole["bids"], {each["contract"]: each for each in whole["parts"]}
    assert (parts["ulti"]["kontra"], parts["ulti"]["silent"]) == ([8, -12], [2, -4])
    assert (parts["durchmars_trump"]["silent"], parts["betli"]["silent"]) == ([3, -3], None)
    assert whole["table"]["failed_ulti"] == "once"
    assert len(found) == 54
    assert found[-1]["bid"] == "hearts 20-100 ulti open durchmars", "JSON has one language"
    assert (found[-1]["made"], found[-1]["trump"], found[-1]["open"]) == (48, "H", True)
    printed = " ".join(run("bids", "--language=hu").stdout.split())
    assert "piros 20-100 ulti terített 16+8+24 16+16+24" in printed


# ---- the sheet -----------------------------------------------------------------------------------

PLAYERS = "players: Anna, Béla, Csaba\n"


def paid(line: str, stakes: Stakes | None = None, players: str = PLAYERS) -> list[float]:
    stakes = stakes or common()
    sheet = read(players + line, "here", stakes)
    return [*total(settled(sheet, sheet.deals[0], stakes), sheet.players).values()]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Anna: passz; made", [2, -1, -1]),
        ("Anna: passz; failed", [-2, 1, 1]),
        ("Béla: ulti; made", [-5, 10, -5]),
        ("Béla: ulti; failed", [9, -18, 9]),
        ("Béla: ulti; ulti failed, party made", [7, -14, 7]),
        ("Anna: 40-100 ulti; 40-100 made, ulti failed", [-8, 4, 4]),
        ("Anna: piros ulti; made; kontra", [40, -20, -20]),
        # a failed ulti under kontra is three times its worth, and five times under rekontra
        ("Anna: ulti; ulti failed, party made; kontra ulti", [-22, 11, 11]),
        ("Anna: ulti; failed; rekontra ulti; kontra party", [-44, 22, 22]),
        ("Csaba: betli; failed; kontra Anna; rekontra Anna", [20, 5, -25]),
        ("Csaba: betli; made; kontra", [-10, -10, 20]),
        ("Csaba: piros betli; made", [-10, -10, 20]),
        ("Csaba: terített betli; failed", [20, 20, -40]),
        ("Anna: redurchmars; made", [24, -12, -12]),
        ("Anna: passz; made; silent ulti", [6, -3, -3]),
        ("Anna: passz; made; silent ulti failed", [-6, 3, 3]),
        ("Anna: passz; made; silent ulti Béla", [0, 3, -3]),
        ("Anna: piros passz; failed; silent 100 defenders; kontra", [-16, 8, 8]),
        ("Anna: passz; made; silent 100; silent durchmars", [10, -5, -5]),
        ("Anna: 40-100; made; silent durchmars", [14, -7, -7]),
        ("Anna: passz; thrown in", [-4, 2, 2]),
        ("Anna: piros 20-100 ulti terített durchmars; made", [96, -48, -48]),
        # Hungarian
        ("Béla: piros 40-100 ulti; 40-100 megvan, ulti bukott; kontra ulti", [16, -32, 16]),
        ("anna: 4 ász; parti bukott, négy ász megvan; csendes ulti bukott Csaba", [10, 1, -11]),
    ],
)
def test_a_deal_is_settled_part_by_part(line: str, expected: list[float]) -> None:
    assert paid(line) == expected


@pytest.mark.parametrize(
    ("line", "setting", "expected"),
    [
        ("Anna: ulti; failed; kontra ulti", {"failed_ulti": "doubled"}, [-34, 17, 17]),
        ("Anna: passz; made; silent ulti Béla", {"silent_ulti": "declarer"}, [-2, 1, 1]),
        ("Anna: passz; made; silent 100", {"silent_hundred": "beside"}, [6, -3, -3]),
        ("Anna: passz; thrown in", {"thrown": 1}, [-2, 1, 1]),
    ],
)
def test_what_sources_settle_otherwise_is_a_setting(
    line: str, setting: dict[str, Any], expected: list[float]
) -> None:
    assert paid(line, table(**setting)) == expected


def test_of_four_players_one_is_out() -> None:
    players = "players: Anna, Béla, Csaba, Dóra\n"
    assert paid("Anna: betli; made; out Dóra", players=players) == [10, -5, -5, 0]


MISTAKES = {
    "Anna ulti; made": "write a name, a colon and the bid",
    "Ana: ulti; made": "'Ana' does not play; did you mean 'Anna'? (Anna, Béla, Csaba)",
    "Anna: ultti; made": "there is no contract 'ultti'; did you mean 'ulti'?",
    "Anna: 40-100 ulti": "whether 40-100 and ulti was made is not said; write '40-100 made'",
    "Anna: ulti; ulti made": "whether party was made is not said",
    "Anna: ulti; betli made": "'betli' is not a part of ulti; its parts are ulti and party",
    "Anna: ulti; made; ulti failed": "ulti is settled twice",
    "Anna: ulti; won": "'won' is not understood; write made, failed, kontra",
    "Anna: ulti betli; made": "ulti and betli do not go together",
    "Anna: zöld betli; made": "betli has no trump; leave the suit out",
    "Anna: ulti; made; kontra; kontra": "ulti has the same kontra twice",
    "Anna: ulti; made; silent ulti": "ulti cannot be silent beside ulti",
    "Anna: betli; made; silent ulti": "ulti cannot be silent beside betli",
    "Anna: passz; made; silent tens": "silent 'tens' is not understood",
    "Anna: passz; failed; silent 100": "silent 100 does not go with the party's outcome",
    "Anna: passz; made; silent 100 failed": "only a silent ulti can fail",
    "Anna: ulti; thrown in": "only a party is thrown in",
    "Anna: passz; made; out Béla": "all of three players play",
}


@pytest.mark.parametrize("line", MISTAKES)
def test_a_mistake_has_its_line_and_a_remedy(line: str, tmp_path: Path) -> None:
    file = tmp_path / "evening.txt"
    file.write_text(f"{PLAYERS}\n{line}  # oh\n")
    result = run("score", str(file))
    assert result.exit_code == 2
    assert f"{file}:3: {MISTAKES[line]}" in result.stderr.replace("\n  ", " ")
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "stdin is empty; begin with"),
        ("Anna: ulti; made", "stdin:1: the first line names the players"),
        ("players: Anna, Béla", "stdin:1: 2 players are named"),
        ("players: Anna, anna, Béla", "3 players are named; write three or four names, each once"),
        ("players: Anna, Béla, védők", "'védők' cannot be a player's name"),
        ("players: A, B, C, D\nA: betli; made", "stdin:2: of four players one is out"),
    ],
)
def test_a_sheet_without_its_players_is_refused(text: str, wrong: str) -> None:
    result = run("score", "-", given=text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert wrong in result.stderr


def test_all_mistakes_of_a_sheet_are_told_at_once() -> None:
    with pytest.raises(ConfigError) as wrong:
        read(f"{PLAYERS}Anna: x; made\nBéla: betli\nAnna: betli; made", "here", common())
    assert [each[:7] for each in wrong.value.problems] == ["here:2:", "here:3:"]


def test_a_kind_that_does_not_pay_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"does not pay at this table \(table.silent"):
        paid("Anna: passz; made; silent durchmars", table(silent=["ulti", "hundred"]))


@pytest.mark.parametrize(
    ("setting", "wrong"),
    [
        ({"equal": "last"}, "equal must be 'fewer' or 'first'"),
        ({"silent": ["tens"]}, "silent has no 'tens'"),
        ({"thrown": -1}, "thrown must be a number from 0 up"),
        ({"kontra": 2}, "kontra"),
    ],
)
def test_a_mistake_in_the_table_has_its_address(setting: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ConfigError, match=wrong) as raised:
        table(**setting)
    assert all(each.startswith("mine: ") and "table" in each for each in raised.value.problems)


def test_totals_run_through_the_evening() -> None:
    text = f"{PLAYERS}Anna: ulti; made\nBéla: 40-100; failed # hm\n\nCsaba: betli; made\n"
    found = json.loads(run("score", "-", "--json", given=text).stdout)
    assert [deal["totals"]["Béla"] for deal in found["deals"]] == [-5, -13, -18]
    assert found["totals"] == {"Anna": 9, "Béla": -18, "Csaba": 9}
    assert [deal["line"] for deal in found["deals"]] == [2, 3, 5]
    out = run("score", "-", given=text).stdout.splitlines()
    assert out[0].split() == ["declarer", "bid", "Anna", "Béla", "Csaba"]
    assert out[1].split() == ["1", "Anna", "ulti", "+10", "10", "-5", "-5", "-5", "-5"]
    assert out[2] == "   ulti, made: Anna +8, Béla -4, Csaba -4"
    assert out[-1].split() == ["total", "9", "-18", "9"]
    hungarian = run("score", "-", "--language=hu", given=text).stdout
    assert "ulti, megvan: Anna +8" in hungarian


# ---- properties ----------------------------------------------------------------------------------


def tried(text: str) -> tuple[Sheet | None, tuple[str, ...]]:
    """The sheet of a text, or what is wrong with it."""
    try:
        return read(text, "here", common()), ()
    except ConfigError as wrong:
        return None, tuple(wrong.problems)


CALLS = st.sampled_from([each.call for each in ladder(common())])
NAMES = ("Anna", "Béla", "Nagy Csaba", "D2")


@st.composite
def deals(draw: Any, players: tuple[str, ...]) -> Deal:
    call, declarer = draw(CALLS), draw(st.sampled_from(players))
    out = ""
    if len(players) == 4:
        out = draw(st.sampled_from([who for who in players if who != declarer]))
    parts = parts_of(call)
    if parts == ("party",) and draw(st.booleans()):
        return Deal(0, declarer, call, {}, out=out)
    made = {part: draw(st.booleans()) for part in parts}
    here = [who for who in players if who not in (declarer, out)]
    levels = st.integers(0, len(LEVELS))
    kontra: dict[tuple[str, str], int] = {}
    for part in parts:
        common_level = draw(levels)
        for who in here:
            level = common_level if bid("+".join(parts)).trump else draw(levels)
            if level:
                kontra[part, who] = level
    silent = ()
    if "party" in made:
        side = declarer if made["party"] else "defenders"
        silent = draw(st.sampled_from([(), (Silent("hundred", side),)]))
        if "ulti" not in made:
            who = draw(st.sampled_from([declarer, *here]))
            silent += (Silent("ulti", who, draw(st.booleans())),)
    return Deal(0, declarer, call, made, kontra, silent, out)


def written(sheet: Sheet) -> str:
    """Return the sheet as text that `read` understands, in English."""
    return "\n".join([f"players: {', '.join(sheet.players)}", *map(_written, sheet.deals)]) + "\n"


def _written(deal: Deal) -> str:
    parts = [f"{deal.declarer}: {title(deal.call)}", *_clauses(deal)]
    return "; ".join(parts)


def _clauses(deal: Deal) -> Iterator[str]:
    if not deal.made:
        yield "thrown in"
    results = {*deal.made.values()}
    if len(results) == 1:
        yield "made" if True in results else "failed"
    elif results:
        words = {True: "made", False: "failed"}
        yield ", ".join(f"{CONTRACTS[p].title} {words[made]}" for p, made in deal.made.items())
    names = {level: word for word, level in LEVELS.items()}
    trump = bid("+".join(parts_of(deal.call))).trump
    seen = set()
    for (part, who), level in deal.kontra.items():
        text = f"{names[level]} {CONTRACTS[part].title}" + ("" if trump else f" by {who}")
        if text not in seen:
            seen.add(text)
            yield text
    for each in deal.silent:
        kind = next(word for word, named in KINDS.items() if named == each.kind)
        yield f"silent {kind}{'' if each.made else ' failed'} by {each.who}"
    if deal.out:
        yield f"out {deal.out}"


SHEETS = st.sampled_from([NAMES[:3], NAMES]).flatmap(
    lambda players: st.lists(deals(players), max_size=4).map(lambda d: Sheet(players, tuple(d)))
)


@pytest.mark.full
@settings(max_examples=60)
@given(SHEETS)
def test_a_sheet_reads_back_as_it_is_written_and_adds_up_to_nothing(sheet: Sheet) -> None:
    again = read(written(sheet), "here", common())
    assert again == sheet, written(sheet)
    for deal in again.deals:
        assert sum(total(settled(again, deal, common()), again.players).values()) == 0


@pytest.mark.full
@settings(max_examples=60)
@given(SHEETS.filter(lambda sheet: bool(sheet.deals)), st.data())
def test_what_is_inserted_is_told_with_its_line_or_changes_nothing(
    sheet: Sheet, data: st.DataObject
) -> None:
    rows = written(sheet).splitlines()
    at = data.draw(st.integers(1, len(rows) - 1))
    junk = data.draw(
        st.text(string.ascii_letters + string.punctuation + " 0123456789á", max_size=6)
    )
    place = data.draw(st.integers(0, len(rows[at])))
    rows[at] = rows[at][:place] + junk + rows[at][place:]
    again, problems = tried("\n".join(rows))
    if again is None:
        assert all(each.startswith(f"here:{at + 1}: ") for each in problems)
        return
    same = [deal for i, deal in enumerate(again.deals) if i != at - 1]
    assert same == [deal for i, deal in enumerate(sheet.deals) if i != at - 1]


@settings(max_examples=100)
@given(st.text(max_size=40))
def test_no_text_is_a_fault_of_the_reader(text: str) -> None:
    said(text)
    for whole in (
        text,
        f"{PLAYERS}{text}",
        f"{PLAYERS}Anna: {text}",
        f"{PLAYERS}Anna: ulti; {text}",
    ):
        again, problems = tried(whole)
        assert (again is None) == bool(problems)


def test_titles_name_what_is_silent() -> None:
    assert {*SILENT} == {"ulti", "hundred", "durchmars", "four_aces"}
    assert title(said("piros ulti")) == "hearts ulti"
