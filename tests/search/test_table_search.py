"""The search `table`: perfect play from files of `dragon table`, in games of several kinds."""

from __future__ import annotations

import json
import os
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dragon
from dragon import TERMINAL, Bound, ConfigError, GameError, Objection
from dragon.cli import main
from dragon.config import Elsewhere, from_elsewhere
from dragon.search.retrograde import search
from dragon.search.retrograde.choice import maker_of
from dragon.search.retrograde.search import TableSearch

GAMES = [
    "tictactoe",  # draws, and distances
    "gomoku(rows=3, columns=3, line=3)",  # numbers
    "hex(size=3)",
    "breakthrough(rows=4, columns=3)",
    "kalah(pits=2, seeds=2)",  # scores, and turns in a row
    "dots_and_boxes(rows=1, columns=2)",  # banked payoff
    "nex(rows=2, cols=3)",
]


def ask(*words: str) -> Any:
    return CliRunner().invoke(main, [*words])


@cache
def truth(state: Any) -> float:
    """The payoff of seat 0 with best play, by all lines from here."""
    if state.turn == TERMINAL:
        return float(state.payoff()[0])
    best = max if state.teams[state.turn] == state.teams[0] else min
    return best(truth(state.after(move)) for move in state.moves())


def made(spec: str, folder: Path) -> TableSearch:
    path = folder / "made.table"
    maker_of(dragon.game(spec).start()).make().write(path)
    return TableSearch(str(path))


def positions(game: Any, count: int) -> list[Any]:
    dice, found = random.Random(str(game)), []
    while len(found) < count:
        state = game.start()
        while state.turn != TERMINAL:
            found.append(state)
            state = state.after(dice.choice(list(state.moves())))
    return found


@pytest.mark.parametrize("spec", GAMES)
def test_values_and_best_moves_are_those_of_all_lines(spec: str, tmp_path: Path) -> None:
    table = made(spec, tmp_path)
    for state in positions(dragon.game(spec), 60):
        sign = 1 if state.teams[state.turn] == state.teams[0] else -1
        after = {str(move): sign * truth(state.after(move)) for move in state.moves()}
        result = table.best(state)
        assert result.bound is Bound.EXACT
        assert result.value == max(after.values()) == sign * truth(state)
        assert {str(m): w["value"] for m, w in result.extra["moves"].items()} == after
        assert set(map(str, result.extra["optimal"])) == {
            move for move, value in after.items() if value == result.value
        }
        end = state
        for move in result.line:
            end = end.after(move)
        assert end.turn == TERMINAL
        assert sign * end.payoff()[0] == result.value
        assert result.extra.get("distance", len(result.line)) == len(result.line)


@pytest.mark.parametrize("spec", ["tictactoe", "hex(size=3)", "breakthrough(rows=4, columns=3)"])
def test_the_winner_takes_no_longer_than_the_distance(spec: str, tmp_path: Path) -> None:
    """Whatever the loser plays, and the loser delays until then at its best."""
    table = made(spec, tmp_path)
    dice, tried = random.Random(spec), 0
    for state in positions(dragon.game(spec), 40):
        here, result = state, table.best(state)
        if result.value <= 0:
            continue
        winner, plies = state.turn, 0
        while here.turn != TERMINAL:
            own = here.turn == winner
            here = here.after(table.best(here).move if own else dice.choice(list(here.moves())))
            plies += 1
        assert plies <= result.extra["distance"]
        assert here.payoff()[winner] == result.value
        tried += 1
    assert tried > 5


def test_a_line_that_is_too_long_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, start = made("tictactoe", tmp_path), dragon.game("tictactoe").start()
    assert len(table.best(start).line) == 9
    monkeypatch.setattr(search, "LONGEST_LINE", 4)
    assert len(table.best(start).line) == 4


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("", "table plays from a file; make one by `dragon table 'hex(size=3)' --out FILE`"),
        ("absent.table", "cannot read the table absent.table: No such file or directory; give"),
        ("made.table", "made.table is a table of tictactoe, not of hex(size=3); make it again"),
        ("other.txt", "other.txt cannot be read: it is not a table, or is damaged; make it again"),
        (".", "cannot read .: Is a directory; give another file"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_by_name(
    path: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made("tictactoe", tmp_path)
    Path("other.txt").write_text("hello\n")
    found = TableSearch(path)
    assert str(found.objection(dragon.game("hex(size=3)"))).startswith(sentence)
    with pytest.raises(Objection, match=re.escape(sentence)):
        found.best(dragon.game("hex(size=3)").start())
    said = ask("solve", "hex(size=3)", "--search", str(found))
    assert (said.exit_code, said.stderr.startswith(f"dragon: {sentence}")) == (2, True), said.stderr


@pytest.mark.parametrize("spec", ["kuhn", "backgammon", "queens", "small_world"])
def test_games_without_tables_are_refused(spec: str, tmp_path: Path) -> None:
    assert "table" in str(made("tictactoe", tmp_path).objection(dragon.game(spec)))


def test_a_position_that_no_game_comes_to_is_refused(tmp_path: Path) -> None:
    game: Any = dragon.game("breakthrough(rows=4, columns=3)")
    found = made(str(game), tmp_path)
    with pytest.raises(GameError, match=r"does not lead to BBB/BBB/WWW/WW\. W; ask another"):
        found.best(game.parse("BBB/BBB/WWW/WW. W"))  # a stone is gone, and Black has not moved


def test_each_changed_bit_is_met_or_harmless(tmp_path: Path) -> None:
    found, start = made("tictactoe", tmp_path), dragon.game("tictactoe").start()
    path, dice = Path(found.path), random.Random(3)
    whole, met = path.read_bytes(), 0
    asked = positions(dragon.game("tictactoe"), 30)
    right = [found.best(state) for state in asked]
    for _ in range(60):
        at = dice.randrange(len(whole) * 8)
        changed = bytearray(whole)
        changed[at // 8] ^= 1 << at % 8
        path.write_bytes(changed)
        os.utime(path, ns=(at, at))
        try:
            assert [found.best(state) for state in asked] == right
        except (ConfigError, Objection):
            met += 1
    assert met > 30
    path.write_bytes(whole)
    assert found.best(start).value == 0, "a file that is mended is read again"


def test_a_table_is_read_only_where_the_user_typed_its_path() -> None:
    with from_elsewhere(Elsewhere("a record", "run it yourself")):
        assert dragon.search("table") == TableSearch()
        with pytest.raises(ConfigError, match=r"path names a file, .* which a record may not"):
            dragon.search("table(path='/etc/passwd')")


def test_it_plays_a_tournament_and_by_the_go_text_protocol(tmp_path: Path) -> None:
    found = made("tictactoe", tmp_path)
    file = tmp_path / "tables.toml"
    file.write_text(
        "games = 4\n[game]\nname = 'tictactoe'\n"
        f"[[player]]\nname = 'table'\nsearch = 'table'\npath = '{found.path}'\n"
        "[[player]]\nname = 'random'\nsearch = 'random'\n"
    )
    said = ask("tournament", str(file), "--out", str(tmp_path / "out"), "--json")
    assert said.exit_code == 0, said.output
    records = (tmp_path / "out" / "records.jsonl").read_text()
    assert '"reason": "crash"' not in records
    (player,) = (row for row in json.loads(said.stdout)["players"] if row["name"] == "table")
    assert (player["played"], player["lost"]) == (8, 0)
    answer = CliRunner().invoke(
        main, ["gtp", "tictactoe", "--search", str(found)], input="genmove black\nquit\n"
    )
    assert answer.stdout.startswith("= "), answer.output
