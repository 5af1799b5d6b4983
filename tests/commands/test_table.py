"""`dragon table`: what it prints, keeps, and says of mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest
from attrs import evolve
from click.testing import CliRunner, Result

import dragon
from dragon.cli import main
from dragon.search.retrograde.making import Maker
from dragon.search.retrograde.table import read

GAME = "tictactoe"


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["table", *map(str, words)], prog_name="dragon")


def test_a_table_is_made_verified_and_asked() -> None:
    shown = run(GAME, "--position", "X../.O./..X O", "--verify").stdout
    assert "positions  4,520: 2,836 won, 1,052 drawn, 632 lost by the side to move\n" in shown
    assert "verified   every position follows from those after it\n" in shown
    assert "to move    O\nvalue      = 0\nbest       a2 b1 b3 c2\n" in shown
    lost = run(GAME, "--position", "X.O/.../O.X X").stdout
    assert "value      = 1, in 1 plies\nbest       b2\n" in lost


def test_a_file_is_kept_and_asked(tmp_path: Path) -> None:
    file = tmp_path / "ttt.table"
    made = json.loads(run(GAME, "--out", file, "--json").stdout)
    assert (made["positions"], made["longest"], made["cycles"], made["value"]) == (4520, 5, 0, 0.0)
    assert made["file"] == str(file)
    asked = json.loads(run(GAME, "--from", file, "--position", "XX./OO./... X", "--json").stdout)
    assert (asked["value"], asked["distance"], asked["moves"]) == (1.0, 1, ["a3"])
    assert "rate" not in asked
    assert run("hex(size=3)", "--from", file).exit_code == 2
    table = cast(Any, read(file, cast(Any, dragon.game(GAME).start())))
    evolve(table, values=-table.values).write(file)
    wrong = run(GAME, "--from", file, "--verify")
    assert "dragon: the table is wrong about " in wrong.stderr
    assert wrong.exit_code == 1


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["nim"], 2, "tables are made of games by Rules, and nim is not one"),
        (["backgammon"], 2, "tables do not support chance (backgammon)"),
        ([GAME, "--out", "a", "--from", "b"], 2, "drop one"),
        ([GAME, "--out", "/"], 2, "cannot write /: it is a folder; give another path"),
        ([GAME, "--from", "/nowhere"], 2, "cannot read /nowhere: No such file or directory"),
        ([GAME, "--position", "XXX/OO./... O"], 2, "the game is over in XXX/OO./... O"),
        (["connect4", "--megabytes", "2"], 1, "positions, which take 2 megabytes"),
    ],
)
def test_mistakes_are_sentences(words: list[str], code: int, sentence: str) -> None:
    result = run(*words)
    assert sentence in result.stderr
    assert result.exit_code == code, result.output


def test_ctrl_c_says_how_far_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Any, watch: Any) -> None:
        watch("finding", 1234, None)
        raise KeyboardInterrupt

    monkeypatch.setattr(Maker, "make", interrupted)
    result = run(GAME)
    assert "interrupted while finding, at 1,234 positions; none is kept\n" in result.stderr
    assert result.exit_code == 130
    assert result.stdout == ""
