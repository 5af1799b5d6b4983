"""`dragon nex`: what its commands print, and what they say of wrong input."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dragon.cli import main
from dragon_nex.annotation import replay
from dragon_nex.records import outcome, read_records

OUTSIDE = Path(__file__).parents[4] / "shared" / "oracles" / "nex" / "nex_records.json"
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


def as_json(*words: str) -> Any:
    return json.loads(run(*words, "--json").stdout)


@pytest.mark.full
def test_solve_tells_winner_distance_and_moves() -> None:
    shown = run("solve", "--size", "3x3").stdout
    assert "Black wins in 7 plies" in shown
    assert "42 moves keep that" in shown
    row = as_json("solve", "B../.W?/?.. B")
    assert row["game"] == "nex(rows=3, cols=3)"
    assert row["position"] == "B../.W?/?.. B"
    assert set(row["optimal"]) >= {row["line"][0]}
    assert "drawn with best play" in run("solve", "?./B. W").stdout


@pytest.mark.full
def test_solve_says_unknown_and_never_guesses() -> None:
    row = as_json("solve", "--size", "5x5", "--seconds", "0.05")
    assert row["value"] is None
    shown = run("solve", "--size", "5x5", "--seconds", "0.05").stdout
    assert "unknown: the search did not prove it in time" in shown


def test_solve_of_a_finished_game() -> None:
    row = as_json("solve", "B?/BW W")
    assert (row["value"], row["line"]) == (1, [])


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["solve"], "give a POSITION"),
        (["solve", "B../. B"], "rows of equal length"),
        (["solve", "BB/.? B"], "every move adds one stone"),
        (["solve", "--size", "3"], "is not a board size; write rows x columns: 3x4"),
        (["solve", "--size", "1x1"], "2 cells"),
        (["solve", "--size", "3x3", "--search", "nonsense"], "nonsense"),
        (["table", "5x5"], "at most 16"),
        (["annotate", "nowhere.txt"], "is neither a file nor a game"),
        (["annotate", GAME, "--game", "2"], "has 1 game, and no game 2"),
        (["annotate", "Ba1?a2;Wa1?b1;"], "move 2: "),
        (["annotate", "Ba1?a2;hello;"], "'hello' is not a move"),
        (["annotate", GAME[:-1] + "W"], "the board says B"),
        (["records", "nowhere.txt"], "cannot read nowhere.txt"),
        (["atlas", "4x"], "is not a board size"),
        (["atlas", "3x3", "--svg", "nowhere/a.svg"], "there is no folder nowhere to draw a.svg in"),
        (["annotate", ""], "is neither a file nor a game"),
    ],
)
def test_a_mistake_is_one_sentence(words: list[str], reason: str) -> None:
    result = CliRunner().invoke(main, ["nex", *words])
    assert result.exit_code == 2
    assert reason in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.full
def test_the_atlas_is_the_oracles_in_text_json_and_svg(tmp_path: Path) -> None:
    oracle = json.loads((Path(__file__).parents[2] / "oracles" / "nex_values.json").read_text())
    picture = tmp_path / "atlas.svg"
    shown = run("atlas", "3x3", "--svg", str(picture)).stdout
    assert shown.startswith("Nex 3x3: 42 openings win, 30 draw, 0 lose")
    assert sum(map(shown.count, "+")) == 42
    assert shown.count("=") == 30
    row = as_json("atlas", "3x3")["openings"]
    assert {m: [o["value"], o["distance"] or 0] for m, o in row.items()} == oracle["3x3"][
        "openings"
    ]
    tree = ET.parse(picture).getroot()
    circles = [e for e in tree.iter() if e.tag.endswith("circle")]
    assert len(circles) == 9


@pytest.mark.full
def test_annotate_marks_a_mistake_and_what_was_better() -> None:
    shown = run("annotate", "Ba1?a2;Wa3?b1;", "--size", "3x3").stdout
    row = as_json("annotate", "Ba1?a2;Wa3?b1;", "--size", "3x3")
    assert row["plies"][0]["mistake"]  # drawn: 42 other openings win
    assert len(row["plies"][0]["best"]) == 42
    assert "won to drawn; better " in shown
    assert row["mistakes"]["black"] == 1
    assert as_json("annotate", GAME)["mistakes"] == {"black": 0, "white": 0}


@pytest.mark.full
def test_annotate_says_how_many_moves_it_could_not_judge() -> None:
    shown = run("annotate", "Ba1?a2;Wa3?b1;", "--size", "9x9", "--seconds", "0.01").stdout
    assert shown.endswith("\nmistakes: Black 0, White 0, 2 moves not judged\n")


def test_annotate_says_that_it_takes_the_first_of_many(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("Ba1?a2;\nBa1?b1;\nBa1?b2;\n")
    first = run("annotate", str(file), "--size", "2x2")
    assert "has 3 games, and this is the first; --game N takes another, up to" in first.stderr
    assert "Ba1?a2" in first.stdout
    third = run("annotate", str(file), "--size", "2x2", "--game", "3")
    assert third.stderr == ""
    assert "Ba1?b2" in third.stdout


def test_moves_that_nobody_can_judge_are_counted_apart(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("Ba1?a2;Wa3?b1;")
    words = ("records", str(file), "--size", "3x3", "--mistakes", "--search", "random")
    assert as_json(*words)[0]["unjudged"] == [1, 1]
    shown = run(*words).stdout
    assert "2 moves not judged" in shown
    assert "Black: 0 mistakes in 0 moves, and 1 moves not judged" in shown


@pytest.mark.full
def test_records_are_read_from_logs_and_lines(tmp_path: Path) -> None:
    file = tmp_path / "log.txt"
    file.write_text(LOG)
    first, second = as_json("records", str(file), "--mistakes")
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


def test_what_records_tells_in_json_it_reads_back(tmp_path: Path) -> None:
    file, again = tmp_path / "log.txt", tmp_path / "log.json"
    file.write_text(LOG)
    rows = as_json("records", str(file))
    again.write_text(json.dumps(rows))
    kept = ("size", "black", "white", "moves", "recorded", "result", "problem")
    assert [[row[k] for k in kept] for row in as_json("records", str(again))] == [
        [row[k] for k in kept] for row in rows
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[", "neither JSON nor a line of moves"),
        ("[7]", "game 1: write an object with `moves`"),
        ('[{"moves": 3}]', "game 1: write an object with `moves`"),
        ('[{"moves": ["hello"]}]', "'hello' is not a move"),
        ('[{"moves": [], "size": 3}]', "'3' is not a board size"),
        ('[{"record": "Ba1?a2;", "rows": 2, "cols": "x"}]', "'2xx' is not a board size"),
        ('[{"record": "Ba1?a2;", "recorded": "Black"}]', "'Black' is not a result"),
        ("[]", "no game is here"),
    ],
)
def test_a_wrong_list_of_games_is_one_sentence(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "games.json"
    file.write_text(text)
    assert reason in run("records", str(file), code=2).stderr


MISTAKES = {
    "pseudoRand_solver2": (50, 67, 173, 0, 149),
    "random_solver3x3": (5, 5, 19, 0, 15),
    "rand_solver2_blackwin": (1, 1, 4, 1, 3),
    "solver2_solver1": (1, 0, 3, 0, 2),
    "solver_solver3x3": (1, 0, 3, 0, 2),
    "2_1_black": (1, 0, 3, 0, 2),
}
"""Of each group of the old games: how many, Black's mistakes and moves, White's."""


@pytest.mark.full
@pytest.mark.skipif(not OUTSIDE.exists(), reason="the old games are not in the project")
def test_the_mistakes_of_the_old_games_are_as_published(tmp_path: Path) -> None:
    """docs/nex-solved.md has them in a table; two games of 61 are on boards without values."""
    games = [game for game in json.loads(OUTSIDE.read_text()) if game["rows"] == 3]
    assert len(games) == 59
    file = tmp_path / "games.json"
    file.write_text(json.dumps(games))
    found = {name: [0, 0, 0, 0, 0] for name in MISTAKES}
    for row in as_json("records", str(file), "--mistakes"):
        assert row["unjudged"] == [0, 0]
        name = next(each for each in found if f"({each}" in row["source"])
        moves = len(row["moves"][::2]), len(row["moves"][1::2])
        new = (1, row["mistakes"][0], moves[0], row["mistakes"][1], moves[1])
        found[name] = [a + b for a, b in zip(found[name], new, strict=True)]
    assert {name: tuple(counts) for name, counts in found.items()} == MISTAKES
    page = (Path(__file__).parents[3] / "docs" / "nex-solved.md").read_text()
    for games, *counts in MISTAKES.values():
        black, white = ("{} in {}".format(*counts[i : i + 2]) for i in (0, 2))
        assert f"| {games} | {black} | {white} |" in page


@pytest.mark.full
@pytest.mark.skipif(not OUTSIDE.exists(), reason="the old games are not in the project")
def test_the_old_games_replay_and_their_values_agree(tmp_path: Path) -> None:
    games = json.loads(OUTSIDE.read_text())
    assert len(games) == 61
    for old in games:
        file = tmp_path / "game.txt"
        file.write_text(old["record"])
        (game,) = read_records(old["record"], old["file"])
        states = replay(game)
        assert game.board == (old["rows"], old["cols"])
        assert outcome(states[-1]) == old["computed_result"]
        if old.get("values"):
            row = as_json("annotate", str(file))
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


@pytest.mark.full
def test_a_table_is_estimated_made_and_listed() -> None:
    row = as_json("table", "3x4", "--estimate")
    assert row["positions"] == 2_249_479
    made = as_json("table", "2x5", "--threads", "1")
    assert made["complete"]
    assert Path(made["folder"]).is_dir()
    assert "2x5" in run("table").stdout
    assert {"table": "2x5", "complete": True, "folder": made["folder"]} in as_json("table")
    assert "about " in run("table", "2x6", "--distances").stdout


@pytest.mark.parametrize(
    ("position", "size"), [("x" * 26, "1x26"), ("B", "1x1"), ("/" * 30, "31x0")]
)
def test_a_position_of_no_board_is_refused_by_its_size(position: str, size: str) -> None:
    said = run("solve", position, code=2).stderr
    assert f"POSITION: {size} must have 1 to 19 rows and columns, and 2 cells" in said
    assert "Traceback" not in said
