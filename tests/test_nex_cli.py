"""`dragon nex`: what its commands print, and what they say of wrong input."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dragon.cli import main
from dragon_nex.records import check, outcome, read_records

OUTSIDE = Path(__file__).parents[2] / "shared" / "oracles" / "nex" / "nex_records.json"
GAME = "Ba3?b1;Wa1?a2;Bc1?c2;Wb2?b3;Bb3Bc2?c1;B"
LOG = f"""Black:one
White:two
#games:2;
Game#1
Board:r3-c3
Init_State:;
{GAME}
Game#2
Board:r2-c3
Init_State:Ba1?a2;
Wb1?b2;Ba3?b3;
"""


def run(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["nex", *words])
    assert result.exit_code == code, (result.output, result.exception)
    return result


def told(*words: str) -> Any:
    return json.loads(run(*words, "--json").stdout)


def test_solve_tells_winner_distance_and_moves() -> None:
    shown = run("solve", "--size", "3x3").stdout
    assert "Black wins in 7 plies" in shown
    assert "42 moves keep that" in shown
    row = told("solve", "B../.W?/?.. B")
    assert row["game"] == "nex(rows=3, cols=3)"
    assert row["position"] == "B../.W?/?.. B"
    assert set(row["optimal"]) >= {row["line"][0]}
    assert "drawn with best play" in run("solve", "?./B. W").stdout


def test_solve_says_unknown_and_never_guesses() -> None:
    row = told("solve", "--size", "5x5", "--seconds", "0.05")
    assert row["value"] is None
    shown = run("solve", "--size", "5x5", "--seconds", "0.05").stdout
    assert "unknown: the search did not prove it in time" in shown


def test_solve_of_a_finished_game() -> None:
    row = told("solve", "B?/BW W")
    assert (row["value"], row["line"]) == (1, [])


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["solve"], "give a POSITION"),
        (["solve", "B../. B"], "rows of equal length"),
        (["solve", "BB/.? B"], "every move adds one stone"),
        (["solve", "--size", "3"], "is no board size; write rows x columns: 3x4"),
        (["solve", "--size", "1x1"], "2 cells"),
        (["solve", "--size", "3x3", "--search", "nonsense"], "nonsense"),
        (["table", "5x5"], "at most 16"),
        (["annotate", "nowhere.txt"], "is no file and no game"),
        (["annotate", GAME, "--game", "2"], "has 1 games"),
        (["annotate", "Ba1?a2;Wa1?b1;"], "move 2: "),
        (["annotate", "Ba1?a2;hello;"], "'hello' is no move"),
        (["annotate", GAME[:-1] + "W"], "the board says B"),
        (["records", "nowhere.txt"], "cannot read nowhere.txt"),
        (["atlas", "4x"], "is no board size"),
    ],
)
def test_a_mistake_is_one_sentence(words: list[str], reason: str) -> None:
    result = CliRunner().invoke(main, ["nex", *words])
    assert result.exit_code == 2
    assert reason in result.stderr
    assert "Traceback" not in result.stderr


def test_the_atlas_is_the_oracles_in_text_json_and_svg(tmp_path: Path) -> None:
    oracle = json.loads((Path(__file__).parent / "oracles" / "nex_values.json").read_text())
    picture = tmp_path / "atlas.svg"
    shown = run("atlas", "3x3", "--svg", str(picture)).stdout
    assert shown.startswith("Nex 3x3: 42 openings win, 30 draw, 0 lose")
    assert sum(map(shown.count, "+")) == 42
    assert shown.count("=") == 30
    row = told("atlas", "3x3")["openings"]
    assert {m: [o["value"], o["distance"] or 0] for m, o in row.items()} == oracle["3x3"][
        "openings"
    ]
    tree = ET.parse(picture).getroot()
    circles = [e for e in tree.iter() if e.tag.endswith("circle")]
    assert len(circles) == 9


def test_annotate_marks_a_mistake_and_what_was_better() -> None:
    shown = run("annotate", "Ba1?a2;Wa3?b1;", "--size", "3x3").stdout
    row = told("annotate", "Ba1?a2;Wa3?b1;", "--size", "3x3")
    assert row["plies"][0]["mistake"]  # drawn: 42 other openings win
    assert len(row["plies"][0]["best"]) == 42
    assert "won to drawn; better " in shown
    assert row["mistakes"]["black"] == 1
    assert told("annotate", GAME)["mistakes"] == {"black": 0, "white": 0}


def test_records_are_read_from_logs_and_lines(tmp_path: Path) -> None:
    file = tmp_path / "log.txt"
    file.write_text(LOG)
    first, second = told("records", str(file), "--mistakes")
    assert (first["black"], first["white"], first["result"]) == ("one", "two", "B")
    assert first["mistakes"] == [0, 0]
    assert (second["size"], second["result"]) == ([2, 3], None)
    assert second["moves"][0] == "Ba1?a2"
    shown = run("records", str(file), "--mistakes").stdout
    assert "2 of 2 games replay" in shown
    assert "one: " in shown
    file.write_text(GAME + "\n" + GAME.replace("c2?", "c2?c"))
    broken = run("records", str(file), code=1)
    assert "1 of 2 games replay" in broken.stdout


@pytest.mark.skipif(not OUTSIDE.exists(), reason="the old games are not in the project")
def test_the_old_games_replay_and_their_values_agree(tmp_path: Path) -> None:
    games = json.loads(OUTSIDE.read_text())
    assert len(games) == 61
    for old in games:
        file = tmp_path / "game.txt"
        file.write_text(old["record"])
        (game,) = read_records(old["record"], old["file"])
        states = check(game)
        assert game.board == (old["rows"], old["cols"])
        assert outcome(states[-1]) == old["computed_result"]
        if old.get("values"):
            row = told("annotate", str(file))
            values = [p["value"] for p in row["plies"]]
            assert values == old["values"][1:]
            errors = [
                sum(
                    a != b
                    for a, b in list(zip(old["values"], old["values"][1:], strict=False))[s::2]
                )
                for s in (0, 1)
            ]
            assert list(row["mistakes"].values()) == errors


def test_a_table_is_estimated_made_and_listed() -> None:
    row = told("table", "3x4", "--estimate")
    assert row["positions"] == 2_249_479
    made = told("table", "2x5", "--threads", "1")
    assert made["complete"]
    assert Path(made["folder"]).is_dir()
    assert "2x5" in run("table").stdout
    assert {"table": "2x5", "complete": True, "folder": made["folder"]} in told("table")
    assert "about " in run("table", "2x6", "--distances").stdout
