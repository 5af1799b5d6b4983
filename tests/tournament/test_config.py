"""A tournament's file: what it may say, and every mistake in it with its address."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from itertools import islice
from pathlib import Path

import attrs
import pytest

from dragon import ConfigError, Limit
from dragon_tournament import dragon_formats
from dragon_tournament.adjudication import Adjudication, Draw, Resign
from dragon_tournament.cli import tournament
from dragon_tournament.clock import Clock
from dragon_tournament.config.positions import OpeningsTable
from dragon_tournament.config.reading import parse, read
from dragon_tournament.config.tables import File
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.referees.match import Match
from dragon_tournament.referees.race import Race
from dragon_tournament.referees.solo import Estimate
from dragon_tournament.schedule import Schedule
from dragon_tournament.statistics.sprt import Sprt
from dragon_tournament.tournament import Encounter, Openings

TWO = [{"search": "random"}, {"search": "exhaustive"}]
NIM = {"name": "nim", "pile": 7}
FOLDER = Path(__file__).parents[2] / "tournaments"
FILES = sorted(file for file in FOLDER.glob("*.toml") if not file.stem.startswith("tune-"))


def problems(table: dict[str, object]) -> tuple[str, ...]:
    """Give what parse objects to."""
    with pytest.raises(ConfigError) as caught:
        parse(table)
    return caught.value.problems


def test_a_small_file_says_all_that_is_needed(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(
        '[game]\nname="nim"\n[[player]]\nsearch="random"\n[[player]]\nsearch="negamax"\n'
    )
    tournament = read(file)
    assert tournament.name == "small"
    assert str(tournament.game) == "nim"
    assert [p.name for p in tournament.players] == ["random", "negamax"]
    assert tournament.games == 1
    assert isinstance(tournament.referee, Match)


def test_settings_limits_and_names_of_players() -> None:
    tournament = parse(
        {
            "game": "nim(pile=5)",
            "limit": {"nodes": 100},
            "player": [
                {"search": "alphabeta", "depth": 3},
                {"search": "alphabeta(depth=3)"},
                {"search": "alphabeta", "limit": {"depth": 2}},
                {"search": "random", "name": "chance"},
            ],
        }
    )
    assert [p.name for p in tournament.players] == [
        "alphabeta(depth=3)",
        "alphabeta(depth=3) (2)",
        "alphabeta [depth=2]",
        "chance",
    ]
    assert [p.limit for p in tournament.players] == [
        Limit(nodes=100),
        Limit(nodes=100),
        Limit(depth=2),
        Limit(nodes=100),
    ]


def test_a_given_name_never_meets_a_numbered_one() -> None:
    table = {"game": NIM, "player": [{"search": "random"}, {"search": "negamax", "name": "random"}]}
    assert [p.name for p in parse(table).players] == ["random (2)", "random"]


def test_lines_are_lists_or_text() -> None:
    table = {
        "game": NIM,
        "player": TWO,
        "openings": {"lines": [["1", "2"], "1; 3", "2 2", [1]]},
    }
    assert parse(table).openings == Openings(lines=(("1", "2"), ("1", "3"), ("2", "2"), ("1",)))
    assert parse(table).games == 4


def test_random_openings() -> None:
    table = {"game": NIM, "player": TWO, "openings": {"random": 2, "count": 3}}
    assert parse(table).games == 3


def test_pairings_replace_the_format() -> None:
    table = {"game": NIM, "games": 5, "player": TWO, "pairing": [{"seats": ["random", "random"]}]}
    assert parse(table).encounters == (Encounter(("random", "random")),)


@pytest.mark.usefixtures("scripted")
def test_the_traits_choose_the_referee() -> None:
    claims = {"player": [{"search": "guess"}, {"search": "guess", "value": 1.0}]}
    assert isinstance(parse({"game": "stairs", **claims}).referee, Race)
    assert isinstance(parse({"game": "dice", **claims}).referee, Estimate)
    assert isinstance(parse({"game": "three", **claims}).referee, Match)


def test_a_table_with_one_bracket_or_a_capital_has_its_remedy() -> None:
    found = problems({"Game": "nim", "player": {"search": "random"}})
    assert "no setting 'Game' here; did you mean 'game'?" in found[0]
    assert '[player] is one table; write [[player]] with search = "..." for each @ player' in found


def test_every_problem_is_told_at_once() -> None:
    found = problems(
        {
            "colour": "red",
            "formt": "gauntlet",
            "seed": -1,
            "games": "many",
            "game": {"name": "nim", "pile": "high"},
            "limit": {"node": 5},
            "player": [
                {"search": "alphabta"},
                {"search": "alphabeta", "dept": 3},
                {"search": "random", "limit": {"nodes": -1}},
                {"name": "nobody"},
            ],
            "openings": {"lines": [3]},
        }
    )
    expected = [
        ("no setting 'colour'", "@ top level"),
        ("no setting 'formt' here; did you mean 'format'?", "@ top level"),
        ("seed", "@ seed"),
        ("must be a whole number, not 'many'", "@ games"),
        ("must be a whole number, not 'high'", "@ game.pile"),
        ("no setting 'node' here; did you mean 'nodes'?", "@ limit"),
        ("no search called 'alphabta'; did you mean 'alphabeta'?", "@ player[0]"),
        ("no setting 'dept' here; did you mean 'depth'?", "@ player[1]"),
        ("nodes must be a positive whole number", "@ player[2].limit.nodes"),
        ("needs a search", "@ player[3]"),
        ("must be a list of moves", "@ openings.lines[0]"),
    ]
    for reason, address in expected:
        assert any(reason in line and address in line for line in found), (reason, address, found)
    assert len(found) == len(expected)


MISTAKES = [
    ({"game": NIM, "player": TWO, "tc": "8+0.08"}, "write clock = { seconds = 8, inc", "@ tc"),
    ({"game": NIM, "player": TWO, "concurrency": 4}, "give the command --workers", "@ concurrency"),
    ({"game": NIM, "player": [{"search": "random", "tc": "inf"}, TWO[1]]}, "write clock", "[0].tc"),
    ({"game": NIM, "player": [{"search": "random", "limit": {"movetime": 100}}, TWO[1]]},
     "write seconds = 0.1", "@ player[0].limit.movetime"),
    ({"game": NIM, "player": [{"search": "UCI"}, TWO[1]]}, 'protocol = "uci"', "@ player[0]."),
    ({"game": NIM, "player": TWO, "clock": {"seconds": 8, "inc": 1}}, "increment", "@ clock.inc"),
    ({"game": NIM, "player": [{"search": "alphabeta"}] * 2,
      "adjudication": {"draw": {"value": 0.1, "movenumber": 40}}},
     "write after, which is in plies", "@ adjudication.draw.movenumber"),
    ({"game": NIM, "player": TWO, "dev_engine": "x"}, "write [[player]] with", "@ dev_engine"),
    ({"game": NIM, "player": TWO, "tournament": {}}, "belong to the top level", "@ tournament"),
    ({"game": NIM, "player": TWO, "rounds": 5}, "games is the number for", "@ rounds"),
    ({"game": NIM, "player": TWO, "players": []}, "write [[player]] with search", "@ players"),
    ({"game": NIM, "player": TWO, "openings": {"random": 2, "format": "epd"}},
     "says what the file holds", "@ openings.format"),
    ({"game": NIM, "player": [{"search": "random"}, {"search": "negamax", "games": 3}]},
     "write it above the first [[player]]", "@ player[1].games"),
    ({"game": "ulti", "player": [{"search": "random"}] * 2 + [{"search": "determinize"}]},
     "needs hidden (ulti has none; ulti(cards='hidden') has)", "@ player[2]"),
    ({"player": TWO}, "no game", "@ game"),
    ({"game": "nexx", "player": TWO}, "did you mean 'nex'?", "@ game"),
    ({"game": 3, "player": TWO}, "must be a table", "@ game"),
    ({"game": NIM}, "no players", "@ player"),
    ({"game": NIM, "player": [{"search": "random"}]}, "has no opponent", ""),
    ({"game": NIM, "player": TWO, "name": "../up"}, "a folder can have", ""),
    ({"game": NIM, "player": TWO, "format": "swis"}, "did you mean 'swiss'?", "@ format"),
    ({"game": NIM, "player": TWO, "rating": "openskil"}, "mean 'openskill'?", "@ rating"),
    ({"game": NIM, "player": TWO, "name": ""}, "a folder can have", "@ name"),
    ({"game": NIM, "player": TWO, "name": "x" * 300}, "at most 100", "@ name"),
    ({"game": NIM, "player": TWO, "reference": "negamax"}, "for a race or", "@ reference"),
    ({"game": NIM, "player": [{"search": "random", "nam": "x"}, TWO[1]]}, "'name'?", "@ player[0]"),
    ({"game": NIM, "player": [{"search": "mcts", "limits": {}}, TWO[1]]}, "'limit'?", "player[0]"),
    ({"game": NIM, "player": TWO, "games": 0}, "games", "@ games"),
    ({"game": NIM, "player": TWO, "games": 999_999_999_999}, "are the most", "@ games"),
    ({"game": NIM, "player": TWO, "limit": {"seconds": 1e300}}, "at most 10000000", "@ limit"),
    ({"game": NIM, "player": TWO, "pairing": [{"seats": 3}]}, "list of players' names", "seats"),
    ({"game": NIM, "player": TWO, "margin": -0.1}, "margin", "@ margin"),
    ({"game": NIM, "player": TWO, "stall": float("inf")}, "stall", "@ stall"),
    ({"game": NIM, "player": [{"search": "random", "name": "x"}] * 2}, "two players", "'x'"),
    ({"game": NIM, "player": TWO, "pairing": [{"seats": ["randm", "random"]}]}, "'random'?", "[0]"),
    ({"game": NIM, "player": TWO, "pairing": [{"seats": ["random"]}]}, "2 players", "pairing[0]"),
    ({"game": NIM, "player": TWO, "format": "gauntlet", "pairing": []}, "exclude", "pairing"),
    ({"game": NIM, "player": TWO, "openings": {}}, "needs lines", "@ openings"),
    ({"game": NIM, "player": TWO, "openings": {"lines": ["1"], "random": 2}}, "exclude", "@ ope"),
    ({"game": NIM, "player": TWO, "openings": {"lines": ["1 9"]}}, "'9'", "@ openings.lines[0]"),
    ({"game": NIM, "player": TWO, "openings": {"lines": ["1", "3 3 1"]}}, "ends the game", "[1]"),
    ({"game": NIM, "player": TWO, "openings": {"random": 9}}, "take fewer", "@ openings.random"),
    ({"game": NIM, "player": TWO, "games": 1, "openings": {"lines": ["1", "2"]}}, "unpl", "games"),
]  # fmt: skip


def test_the_settings_are_listed_once() -> None:
    with pytest.raises(ConfigError) as raised:
        parse({"game": NIM, "player": TWO, "uvw": 1, "xyz": 1})
    assert [("settings: seed" in each) for each in raised.value.problems] == [True, False]


@pytest.mark.parametrize(("table", "reason", "address"), MISTAKES)
def test_a_mistake_has_reason_and_address(
    table: dict[str, object], reason: str, address: str
) -> None:
    found = problems(table)
    assert len(found) == 1, found
    assert reason in found[0]
    assert address in found[0]


def test_brackets_nested_without_end_are_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "deep.toml"
    file.write_text(f"game = {'[' * 5000}{']' * 5000}\n")
    with pytest.raises(ConfigError, match="nested too deep"):
        read(file)


def test_a_player_is_named_whose_limit_changes_nothing() -> None:
    table = {
        "game": NIM,
        "limit": {"simulations": 50},
        "player": [{"search": "alphabeta"}, {"search": "mcts"}, {"search": "random"},
                   {"search": "negamax", "name": "slow", "limit": {"depth": 3, "simulations": 9}}],
    }  # fmt: skip
    others = "ignores a limit in simulations, but not one in seconds or nodes or depth"
    assert parse(table).caveats() == [f"alphabeta {others}", f"slow: negamax {others}"]
    assert parse({"game": NIM, "player": TWO, "limit": {"nodes": 5}}).caveats() == []


@pytest.mark.usefixtures("scripted")
def test_a_search_that_cannot_play_the_game_is_refused_at_once() -> None:
    table: dict[str, object] = {"game": "lucky"}
    table["player"] = [{"search": "dfpn"}, {"search": "negamax"}]
    found = problems(table)
    assert [line.rpartition("@ ")[2] for line in found] == ["player[0]", "player[1]"]
    assert all("chance" in line for line in found)


def test_the_file_is_named_in_every_line(tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text('seed = "x"\ngames = 0\n[game]\nname = "nim"\n')
    with pytest.raises(ConfigError) as caught:
        read(file)
    assert len(caught.value.problems) == 3
    assert all(line.startswith(f"{file}: ") for line in caught.value.problems)


def test_broken_toml_is_one_line_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text('name = "x"\ngames = = 3\n')
    with pytest.raises(ConfigError) as caught:
        read(file)
    (line,) = str(caught.value).splitlines()
    assert line.startswith(f"{file}:2:9: not valid TOML: ")


@pytest.mark.parametrize("text", [None, b"\xff\xfe", b""])
def test_unreadable_files_are_one_sentence(tmp_path: Path, text: bytes | None) -> None:
    file = tmp_path / "file.toml"
    if text is not None:
        file.write_bytes(text)
    with pytest.raises(ConfigError, match=r"file\.toml"):
        read(file)
    with pytest.raises(ConfigError, match="cannot read"):
        read(tmp_path)


@pytest.mark.samples("nex-3x3", "connect4-*", "kuhn")
@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_the_files_of_the_repository_are_in_order(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dragon_nex.table.lookup.lacking", lambda rows, cols: None)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    tournament = read(file)
    assert tournament.name == file.stem
    games = {instance.game.name for instance in tournament.instances} or {tournament.game.name}
    assert len(games) > 1 or file.stem.startswith(games.pop().replace("_", "-"))


def test_a_table_that_is_not_there_is_told_before_the_first_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRAGON_DATA", str(tmp_path))
    (file,) = (file for file in FILES if file.stem == "nex-4x4")
    with pytest.raises(ConfigError) as caught:
        read(file)
    (sentence,) = caught.value.problems
    remedy = "there is no table of 4x4 yet; make it with `dragon nex table 4x4`"
    assert sentence == f"{file}: nextable: {remedy} @ player[0]"


def test_who_cannot_see_what_is_hidden_is_told_what_can() -> None:
    with pytest.raises(ConfigError) as caught:
        parse({"game": "ulti(cards='hidden')", "player": [{"search": "mcts(c=0.7)"}]})
    way = "determinize(search='mcts(c=0.7)')"
    assert any(f"; wrap it in {way}" in line for line in caught.value.problems)
    parse({"game": "ulti(cards='hidden')", "player": [{"search": way}, {"search": "random"}]})


DOCS = Path(__file__).parents[2] / "docs"
BLOCKS = [
    (page, number, text)
    for page in ("tournaments.md", "tournament-statistics.md")
    for number, text in enumerate(
        re.findall(r"^```toml\n(.*?)^```$", (DOCS / page).read_text(), re.MULTILINE | re.DOTALL)
    )
]


@pytest.mark.full
@pytest.mark.parametrize(("page", "number", "text"), BLOCKS, ids=lambda v: str(v)[:20])
def test_every_example_of_the_documentation_can_be_played(
    page: str, number: int, text: str
) -> None:
    """Complete what an example leaves out: a game, a small limit, and some players."""
    table = tomllib.loads(text)
    table.setdefault("game", "connect4")
    table.setdefault("limit", {"simulations": 20})
    names = ("new", "old") if "sprt" in table else ("new", "old", "third", "fourth")
    names = (*names, "fifth", "sixth") if "rounds" in table else names
    table.setdefault("player", [{"search": "mcts", "name": name} for name in names])
    found = parse(table, folder=FILES[0].parent)
    records = list(InlineExecutor().map(found, islice(Schedule(found).games(), 2)))
    assert len(records) == 2
    assert not any(record.failed for record in records), records


def test_every_setting_is_documented() -> None:
    text = (DOCS / "tournaments.md").read_text()
    tables = (File, OpeningsTable, Encounter, Limit, Clock, Sprt, Adjudication, Resign, Draw)
    for cls in (*tables, *dragon_formats()):
        for attribute in attrs.fields(cls):
            assert f"`{attribute.name}`" in text or f"[{attribute.name}]" in text, attribute.name
    for reason in Reason:
        assert f"`{reason}`" in text
    for attribute in attrs.fields(Record):
        assert f"`{attribute.name}`" in text, attribute.name
    for option in tournament.params:
        if option.param_type_name == "option":
            assert option.opts[0] in text
