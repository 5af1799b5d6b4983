"""`dragon prove` and `dragon check`: what they print, keep, and say of mistakes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dragon.certificate import read
from dragon.cli import main

NEX = "nex(rows=2, cols=3)"


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], prog_name="dragon")


@pytest.mark.parametrize("command", ["prove", "check"])
def test_help_gives_examples(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"dragon {command} " in result.stdout.partition("Examples:")[2]


def test_a_proof_is_found_kept_and_replayed(tmp_path: Path) -> None:
    file = tmp_path / "nex.proof"
    made = run("prove", NEX, "--out", file)
    assert made.exit_code == 0, made.output
    assert "value     = 1\n" in made.stdout
    (proof,) = read(file)
    assert f"proof     >= 1: {len(proof.moves)} moves, replayed in " in made.stdout
    checked = run("check", file)
    assert checked.exit_code == 0, checked.output
    said = " ".join(checked.stdout.split())
    assert f"{file}: {NEX}, .../... B: >= 1 holds ({len(proof.moves)} moves, " in said


def test_json_tells_the_same(tmp_path: Path) -> None:
    file = tmp_path / "draw.proof"
    made = run("prove", "tictactoe", "--position", "X../.O./... X", "--out", file, "--json")
    answer = json.loads(made.stdout)
    assert (answer["at_least"], answer["at_most"], answer["proven"]) == (0.0, 0.0, True)
    assert [each["bound"] for each in answer["proofs"]] == [">=", "<="]
    assert (answer["file"], answer["turn"], answer["search"]) == (str(file), 0, "dfpn")
    rows = [json.loads(line) for line in run("check", file, "--json").stdout.splitlines()]
    assert [(row["holds"], row["reason"], row["moves"], row["positions"]) for row in rows] == [
        (True, None, each["moves"], each["positions"]) for each in answer["proofs"]
    ]


def test_a_claim_that_fails_is_told_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "nex.proof"
    run("prove", NEX, "--out", file)
    lines = file.read_text().splitlines()
    row: dict[str, Any] = json.loads(lines[1])
    lines[1] = json.dumps({**row, "play": "Ba1?zz"})
    file.write_text("\n".join(lines))
    result = run("check", file)
    assert result.exit_code == 1
    assert "fails" in result.stdout
    assert f"the proof plays Ba1?zz in {row['at']}, which is against the rules" in result.stderr
    (verdict,) = map(json.loads, run("check", file, "--json").stdout.splitlines())
    assert verdict["holds"] is False
    assert "against the rules" in verdict["reason"]


CLAIM = '{"proof": 1, "game": "nim(pile=4)", "position": "4 A", "bound": ">=", "value": 1.0}'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty"),
        ("{", "line 1: "),
        ("[" * 100_000, "line 1: "),
        (f"{CLAIM}\n{{}}", "line 2: 'at' is missing"),
        (CLAIM.replace('"proof": 1', '"proof": 7'), "line 1: a proof of version 7"),
        (CLAIM.replace("nim(", "nimm("), "did you mean"),
        (CLAIM.replace("4 A", "four"), "not a position|four"),
    ],
)
def test_a_bad_file_is_told_in_a_sentence(text: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.proof"
    file.write_text(text)
    result = run("check", file)
    assert result.exit_code == 2
    assert str(file) in result.stderr
    assert any(each in result.stderr for each in reason.split("|")), result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_file_that_is_no_text_or_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    assert "not a text file in UTF-8" in run("check", tmp_path / "bytes").stderr
    result = run("check", tmp_path / "none")
    assert (result.exit_code, "cannot read" in result.stderr) == (2, True)
    assert run("check", tmp_path).exit_code == 2


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (["nim", "--search", "alphabeta"], 2, "alphabeta writes no proofs"),
        (["kuhn"], 2, "does not support chance"),
        (["tictactoe", "--out", "nowhere/at/all.proof"], 2, "cannot write nowhere/at/all.proof"),
        (["tictactoe", "--position", "XXX/OO./... O"], 2, "the game is over"),
        (["tictactoe", "--nodes", "50"], 1, "the limit was reached"),
        (["tictactoe", "--most", "5"], 1, "more than 5 positions"),
        (["tictactoe", "--seconds", "nan"], 2, "--seconds"),
    ],
)
def test_what_cannot_be_proven_is_told(words: list[str], code: int, reason: str) -> None:
    result = run("prove", *words)
    assert result.exit_code == code, result.output
    assert reason in result.stderr
    assert "Traceback" not in result.stderr


def test_files_are_replayed_beside_one_that_cannot_be_read(tmp_path: Path) -> None:
    good, empty = tmp_path / "nim.proof", tmp_path / "empty.proof"
    run("prove", "nim(pile=3)", "--out", good)
    empty.write_text("")
    result = run("check", empty, good, tmp_path / "none", "--json")
    assert result.exit_code == 2
    assert [json.loads(line)["holds"] for line in result.stdout.splitlines()] == [True]
    assert "empty.proof is empty" in result.stderr
    assert "cannot read" in result.stderr


def test_what_a_limit_has_taken_is_told() -> None:
    answer = json.loads(run("prove", "tictactoe", "--nodes", "50", "--json").stdout)
    assert (answer["proven"], answer["nodes"] >= 50, answer["seconds"] > 0) == (False, True, True)


def test_what_is_known_at_a_limit_is_printed_and_no_file_is_made(tmp_path: Path) -> None:
    file = tmp_path / "none.proof"
    result = run("prove", "tictactoe", "--most", "5", "--out", file)
    assert result.exit_code == 1
    assert "value     = 0, without a proof yet" in result.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.full
def test_ctrl_c_tells_what_is_known(
    tmp_path: Path, ctrl_c: Callable[..., tuple[str, str, int]]
) -> None:
    words = ("prove", "nex(rows=4, cols=5)", "--json", "--out", str(tmp_path / "x.proof"))
    visit = ("dragon.search.budget", "Budget.late")
    out, err, code = ctrl_c(*words, of=visit, times=50, DRAGON_JIT="0")
    assert code == 130, err
    answer = json.loads(out)
    assert (answer["proven"], answer["file"], answer["proofs"]) == (False, None, [])
    assert "interrupted" in err
    assert list(tmp_path.iterdir()) == []
