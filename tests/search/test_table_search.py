"""The search `table`: perfect play from the files of `dragon table`, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner, Result

import dragon
from dragon import TERMINAL, Bound, Limit, config
from dragon.cli import main
from dragon.errors import ConfigError, Objection, SearchError
from dragon.gtp.server import GtpServer
from dragon.laws import check_search
from dragon.search.retrograde.making import Maker
from dragon.search.retrograde.search import TableSearch
from dragon.search.retrograde.table import kept_file, place_of, read
from dragon.web import limits
from tests.search.test_retrograde import CYCLIC, POINTS, Maze, Walk, reachable

THREE_IN_A_ROW = "gomoku(rows=3, columns=3, line=3)"
GAMES = [
    "tictactoe",
    "hex(size=3)",
    "dots_and_boxes(rows=1, columns=2)",
    "nex(rows=2, cols=3)",
    THREE_IN_A_ROW,
]


def invoke(*words: object) -> Result:
    return CliRunner().invoke(main, [*map(str, words)], prog_name="dragon")


def tabled(game: Any, path: Path, seed: int = 0, **how: Any) -> TableSearch:
    """The search from a table of a game that is made and written to `path`."""
    Maker(game.start(seed), 50, **how).make().write(path)
    return TableSearch(str(path), seed)


@pytest.mark.samples("dots_and_boxes*")
@pytest.mark.parametrize("spec", GAMES)
def test_it_plays_as_well_as_the_whole_tree(spec: str, tmp_path: Path) -> None:
    game = dragon.game(spec)
    search = tabled(game, tmp_path / "a.table")
    states = dict(reachable(game.start()))
    for state, (value, plies) in [*states.items()][:: max(1, len(states) // 60)]:
        sign = 1 if state.turn == 0 else -1
        result = search.best(state)
        assert (result.value, result.bound) == (sign * value, Bound.EXACT)
        worth = {m: after.payoff()[0] if (after := state.after(m)).turn == TERMINAL
                 else states[after][0] for m in state.moves()}  # fmt: skip
        assert result.extra["moves"].keys() == worth.keys()
        assert {m: each["value"] for m, each in result.extra["moves"].items()} == {
            m: sign * v for m, v in worth.items()
        }
        assert set(result.extra["optimal"]) == {m for m, v in worth.items() if v == value}
        end = state
        for move in result.line:
            end = end.after(move)
        assert end.turn == TERMINAL
        assert end.payoff()[0] == value
        if "distance" in result.extra:
            assert result.extra["distance"] == len(result.line) == plies


@pytest.mark.full
def test_listed_and_numbered_tables_are_played_alike(tmp_path: Path) -> None:
    game = dragon.game(THREE_IN_A_ROW)
    numbered = tabled(game, tmp_path / "numbered")
    listed = tabled(game, tmp_path / "listed", listed=True)
    state = game.start()
    for _ in range(4):
        one, other = numbered.best(state), listed.best(state)
        assert (one.value, one.line, one.extra) == (other.value, other.line, other.extra)
        state = state.after(state.moves()[-1])


def test_lines_of_cyclic_games_end(tmp_path: Path) -> None:
    bounds = set()
    for seed in range(6):
        start = Maze().start(seed)
        search = tabled(Maze(), tmp_path / f"{seed}", seed)
        result = search.best(start)
        assert len(result.line) <= 41
        bounds.add(result.bound)
        assert ("distance" in result.extra) == (result.value != 0)
    assert bounds == {Bound.EXACT}


def test_a_win_that_the_limit_of_plies_cuts_off_is_an_estimate(tmp_path: Path) -> None:
    for seed in range(40):
        search = tabled(Walk(), tmp_path / f"{seed}", seed)
        start = Walk().start(seed)
        result = search.best(start)
        if result.extra.get("distance", 0) > 2:
            record = start.record
            record.ply = Walk().limit - 2
            late = search.best(type(start)(Walk(), record.tobytes()))
            assert (late.value, late.bound) == (result.value, Bound.ESTIMATE)
            return
    raise AssertionError("no maze has a win of more than two plies")


def test_other_files_are_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.table"
    search = tabled(dragon.game("tictactoe"), path)
    assert search.objection(dragon.game("tictactoe")) is None
    assert f"{path} is a table of tictactoe, not of hex(size=3)" in str(
        search.objection(dragon.game("hex(size=3)"))
    )
    with pytest.raises(Objection, match="is a table of tictactoe"):
        search.best(dragon.game("hex(size=3)").start())
    assert "games by Rules, and nim is not one" in str(search.objection(dragon.game("nim")))
    assert "chance" in str(search.objection(dragon.game("backgammon")))
    missing = TableSearch(str(tmp_path / "none"))
    assert "cannot read" in str(missing.objection(dragon.game("tictactoe")))
    data = path.read_bytes()
    path.write_bytes(data[:-9])
    assert "is cut off" in str(search.objection(dragon.game("tictactoe")))
    path.write_bytes(data.replace(b'"identity": "', b'"identity": "0', 1))
    assert search.objection(dragon.game("tictactoe")) is not None


def test_a_table_of_another_first_position_is_refused(tmp_path: Path) -> None:
    search = tabled(Maze(), tmp_path / "a.table", 3)
    assert search.objection(Maze()) is None
    assert "another first position" in str(evolve(search, seed=4).objection(Maze()))


def test_a_damaged_byte_is_found_where_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.table"
    search = tabled(dragon.game("tictactoe"), path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert search.objection(dragon.game("tictactoe")) is None  # the first line is as it was
    with pytest.raises(ConfigError, match="is damaged"):
        search.best(dragon.game("tictactoe").start())


def test_a_position_that_the_table_does_not_have_is_refused(tmp_path: Path) -> None:
    start = Maze().start(CYCLIC)
    search = tabled(Maze(), tmp_path / "a.table", CYCLIC, listed=True)
    places = set(read(tmp_path / "a.table", start).places.tolist())
    for point in range(POINTS):
        record = start.record
        record.at = point
        state = type(start)(Maze(), record.tobytes())
        if state.turn != TERMINAL and place_of(state) not in places:
            with pytest.raises(SearchError, match="does not lead to"):
                search.best(state)
            return
    raise AssertionError("every point can be reached")


def test_every_law_of_searches_holds(tmp_path: Path) -> None:
    game = dragon.game("tictactoe")
    search = tabled(game, tmp_path / "a.table")
    assert [each for each in check_search(search, game) if not each.passed] == []


def test_the_pages_offer_it_where_a_table_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRAGON_DATA", str(tmp_path))
    game = dragon.game("tictactoe")
    assert TableSearch().objection(game) is not None
    kept = kept_file(game)
    kept.parent.mkdir()
    tabled(game, kept)
    assert limits.search("table").objection(game) is None
    with pytest.raises(ConfigError, match="path names a file"):
        limits.search(f"table(path={str(kept)!r})")


def test_a_kept_table_needs_no_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAGON_DATA", str(tmp_path))
    spec = "hex(size=3)"
    absent = (
        f'table: there is no table of {spec} yet; make it with `dragon table "{spec}" --keep`, '
        "or name a file: table(path='FILE')"
    )
    said = invoke("solve", spec, "--search", "table")
    assert (said.exit_code, said.stderr) == (2, f"dragon: {absent}\n")
    made = json.loads(invoke("table", spec, "--keep", "--json").stdout)
    assert made["file"] == str(kept_file(dragon.game(spec)))
    found = json.loads(invoke("solve", spec, "--search", "table", "--json").stdout)
    assert (found["value"], found["bound"], found["move"]) == (made["value"], "=", "b2")
    assert invoke("solve", "hex(size=2)", "--search", "table").exit_code == 2
    for other in ("--out", "--from"):
        assert "drop --out and --from" in invoke("table", spec, "--keep", other, "x").stderr


def test_a_data_folder_that_cannot_be_written_is_told_with_its_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("DRAGON_DATA", str(tmp_path / "file"))
    said = invoke("table", "tictactoe", "--keep")
    assert said.exit_code == 2
    assert f"cannot write {kept_file(dragon.game('tictactoe'))}: " in said.stderr
    assert said.stderr.endswith("; set DRAGON_DATA to a folder that can be written\n")


def test_a_page_and_a_record_may_name_no_file(tmp_path: Path) -> None:
    search = tabled(dragon.game("tictactoe"), tmp_path / "a.table")
    record = config.Elsewhere("a record", "leave it out")
    with pytest.raises(ConfigError, match="path names a file"):
        config.search(str(search), elsewhere=record)
    assert config.search("table", elsewhere=record) == TableSearch()


@pytest.mark.full
def test_a_tournament_and_a_match_through_gtp_are_not_lost(tmp_path: Path) -> None:
    search = tabled(dragon.game("tictactoe"), tmp_path / "a.table")
    file = tmp_path / "t.toml"
    file.write_text(
        'game = "tictactoe"\ngames = 8\n[[player]]\nname = "perfect"\nsearch = "table"\n'
        f'path = {json.dumps(search.path)}\n[[player]]\nname = "other"\nsearch = "random"\n'
    )
    out = tmp_path / "out"
    ran = invoke("tournament", file, "--workers", "0", "--out", out)
    assert ran.exit_code == 0, ran.output
    with (out / "records.jsonl").open() as lines:
        records = [json.loads(line) for line in lines]
    assert len(records) == 16  # with seats exchanged
    for each in records:
        assert each["reason"] == "terminal"
        assert each["scores"][each["seats"].index("perfect")] >= 0
    server = GtpServer(dragon.game("tictactoe"), search, Limit())
    said = [str(each) for each in server.answers(["play black a1", "genmove white"])]
    assert said == ["=\n\n", "= b2\n\n"]
