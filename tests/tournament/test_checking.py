"""`dragon check DIR`: every game is replayed, and an edited record is found and named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import dragon
from dragon.cli import main
from dragon.transcripts import read
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records.record import Record
from dragon_tournament.report.forms import to_pgn
from dragon_tournament.runner import run

pytestmark = pytest.mark.usefixtures("scripted")
GLOOMY = {"search": "guess", "value": -0.95, "name": "gloomy"}
EVEN = {"search": "guess", "value": 0.0, "name": "even"}


def play(folder: Path, table: dict[str, Any]) -> list[dict[str, Any]]:
    """Play a tournament into a folder; return its records as they are written."""
    run(parse(table), folder, InlineExecutor())
    lines = (folder / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def write(folder: Path, records: list[dict[str, Any]]) -> None:
    lines = "".join(json.dumps(record) + "\n" for record in records)
    (folder / "records.jsonl").write_text(lines, encoding="utf-8")


def check(*args: object) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, args)])


def swapped(key: str) -> Callable[[dict[str, Any]], object]:
    return lambda record: record.update({key: record[key][::-1]})


def results(record: dict[str, Any]) -> None:
    record.update(scores=record["scores"][::-1], points=record["points"][::-1])


def last_move(record: dict[str, Any]) -> None:
    record["moves"] = record["moves"][:-1]


EDITS: dict[str, Callable[[dict[str, Any]], object]] = {
    "result": results,
    "points": swapped("points"),
    "players": swapped("seats"),
    "a move less": last_move,
    "an illegal move": lambda record: record["moves"].append(record["moves"][0]),
    "the reason": lambda record: record.update(reason="drawn"),
    "an opening": lambda record: record.update(opening=["a1"], moves=record["moves"][1:]),
    "the seed": lambda record: record.update(seed=record["seed"] + 1),
    "the deal": lambda record: record.update(deal=record["deal"] + 1),
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """300 games of tic-tac-toe between two players at random."""
    folder = tmp_path_factory.mktemp("check") / "ttt"
    players = [{"search": "random", "name": name} for name in "ab"]
    return folder, play(folder, {"game": "tictactoe", "games": 150, "player": players})


@pytest.mark.full
def test_all_games_of_a_tournament_hold(played: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, records = played
    write(folder, records)
    result = check(folder)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{folder}: all 300 games hold, 0 of them adjudicated\n"


@pytest.mark.full
@pytest.mark.parametrize("edit", EDITS)
def test_one_edited_record_of_300_is_found_and_named(
    edit: str, played: tuple[Path, list[dict[str, Any]]]
) -> None:
    folder, records = played
    copy = json.loads(json.dumps(records))
    number = next(n for n, r in enumerate(copy) if n > 100 and r["points"][0] != 0.5)
    EDITS[edit](copy[number])
    write(folder, copy)
    result = check(folder, "--json")
    (found,) = map(json.loads, result.stdout.splitlines())
    assert (result.exit_code, found["holds"], found["games"]) == (1, False, 300)
    assert [(w["game"], w["id"]) for w in found["wrong"]] == [(number + 1, records[number]["id"])]


@pytest.mark.full
def test_games_that_are_deleted_or_stand_twice_are_found(
    played: tuple[Path, list[dict[str, Any]]],
) -> None:
    folder, records = played
    write(folder, [*records[:70], *records[72:], records[9]])
    result = check(folder)
    assert (result.exit_code, result.stdout) == (1, f"{folder}: 298 of 298 games hold\n")
    assert f"line 299 has game {records[9]['id']} once more" in result.stderr
    assert "games without a record, though they were played: 2 of 300" in result.stderr
    log = folder / "diary.jsonl"
    kept = log.read_text(encoding="utf-8")
    write(folder, records[:70])
    for later in ("interrupted", "began"):  # then others are yet to be played
        line = json.dumps({"at": "2026-11-28T20:00:00+00:00", "what": later})
        log.write_text(f"{kept}{line}\n", encoding="utf-8")
        assert check(folder).exit_code == 0
    log.write_text(kept, encoding="utf-8")


def test_people_are_shown_the_game_and_the_reason(tmp_path: Path) -> None:
    players = [{"search": "random", "name": name} for name in "ab"]
    records = play(tmp_path, {"game": "nim(pile=7)", "games": 2, "player": players})
    results(records[2])
    write(tmp_path, [*records[:3], {**records[3], "points": [1.0, 1.0]}])
    result = check(tmp_path)
    assert (result.exit_code, result.stdout) == (1, f"{tmp_path}: 2 of 3 games hold\n")
    broken, edited = result.stderr.splitlines()
    paid = " to ".join(f"{score:g}" for score in records[2]["scores"])
    assert edited.startswith(f"dragon: {tmp_path}: game 3 ({records[2]['id']}): it pays ")
    assert edited.endswith(f", not {paid}; it was edited, or the rules have changed")
    assert "line 4: points are not one for the best team" in broken


@pytest.mark.samples("rules0-resigned")
@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ({"resign": {"value": 0.9, "moves": 2}}, "resigned"),
        ({"draw": {"value": 0.05, "moves": 2}}, "drawn"),
    ],
)
def test_the_arithmetic_of_adjudications_is_checked(
    rules: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    players = [GLOOMY if reason == "resigned" else EVEN, {**EVEN, "name": "other"}]
    table = {"game": "connect4", "games": 10, "openings": {"random": 2}, "player": players}
    records = play(tmp_path, {**table, "adjudication": rules})
    assert {record["reason"] for record in records} == {reason}
    assert "all 20 games hold, 20 of them adjudicated" in check(tmp_path).stdout
    copy = json.loads(json.dumps(records))
    assert len(copy[7]["values"]) == len(copy[7]["moves"])
    copy[7]["values"][-1] = 0.5
    write(tmp_path, copy)
    assert f"game 8 ({records[7]['id']}): its values do not end it" in check(tmp_path).stderr
    copy = json.loads(json.dumps(records))
    copy[3]["moves"] = copy[3]["moves"][:1]  # legal, and too early for the rule
    copy[3]["values"] = copy[3]["values"][:1]
    write(tmp_path, copy)
    assert f"game 4 ({records[3]['id']}): its values do not end it" in check(tmp_path).stderr


def test_a_game_that_its_values_would_have_ended_is_found(tmp_path: Path) -> None:
    table = {"game": "tictactoe", "player": [GLOOMY, EVEN], "moves": "full"}
    rules = {"resign": {"value": 0.99, "moves": 1}}
    (first, _) = play(tmp_path, {**table, "adjudication": rules})
    assert check(tmp_path).exit_code == 0
    first["values"][0] = -1.0
    write(tmp_path, [first])
    assert "its values end it as resigned at ply 1" in check(tmp_path).stderr


@pytest.mark.full
def test_a_race_is_replayed(tmp_path: Path) -> None:
    players = [{"search": name} for name in ("astar", "idastar")]
    (record,) = play(
        tmp_path, {"game": "sliding(rows=2, columns=3, scramble=8)", "player": players}
    )
    assert check(tmp_path).exit_code == 0
    for key in ("points", "scores"):
        edited = json.loads(json.dumps(record))
        edited[key] = edited[key][::-1] if edited[key][0] != edited[key][1] else [9.0, -9.0]
        if key == "points":
            edited[key] = [float(record[key][0] != 1.0), float(record[key][0] == 1.0)]
        write(tmp_path, [edited])
        assert "game 1 (" in check(tmp_path).stderr, key
    edited = json.loads(json.dumps(record))
    edited["moves"][0] = edited["moves"][0][:-1] + edited["moves"][0][:1]
    write(tmp_path, [edited])
    assert check(tmp_path).exit_code == 1


def test_luck_is_drawn_again(tmp_path: Path) -> None:
    players = [{"search": "random", "name": name} for name in "ab"]
    records = play(tmp_path, {"game": "einstein", "player": players})
    assert check(tmp_path).exit_code == 0
    for record in records:
        number = int(record["moves"][0].removeprefix("roll"))
        record["moves"][0] = f"roll{number % 6 + 1}"
    write(tmp_path, records)
    assert "chance draws " in check(tmp_path).stderr


@pytest.mark.samples("kuhn")
@pytest.mark.parametrize("game", ["kuhn", "goofspiel", "liars_dice"])
def test_games_of_chance_and_hidden_ones_hold(game: str, tmp_path: Path) -> None:
    players = [{"search": "random", "name": name} for name in "ab"]
    records = play(tmp_path, {"game": game, "games": 4, "player": players})
    result = check(tmp_path)
    assert (result.exit_code, result.stderr) == (0, ""), result.stderr
    results(records[3])
    if records[3]["scores"] != records[3]["scores"][::-1]:
        write(tmp_path, records)
        assert "game 4 (" in check(tmp_path).stderr


@pytest.mark.full
def test_full_moves_are_on_record_and_in_pgn(tmp_path: Path) -> None:
    players = [
        {"search": "alphabeta", "limit": {"depth": 2}},
        {"search": "montecarlo", "simulations": 9},
    ]
    table = {"game": "tictactoe", "games": 2, "moves": "full", "player": players}
    for line in play(tmp_path, table):
        record = Record.from_line(json.dumps(line))
        assert len(record.values) == len(record.work) == len(record.moves)
        for seat in (0, 1):
            spent = [work for work in record.work[seat::2] if work is not None]
            assert sum(work[1] for work in spent) == record.nodes[seat]
            assert sum(work[2] for work in spent) == pytest.approx(record.seconds[seat], abs=1e-4)
        depths = [work[0] for work in record.work if work is not None and work[0] is not None]
        assert depths
        assert max(depths) == 2
        (game,) = read(to_pgn(record), dragon.game("tictactoe"))
        assert len(game.comments) == len(record.moves)
        for ply, said in game.comments.items():
            value, spent_, nodes = said.split()
            assert float(value.split("/")[0]) == pytest.approx(record.values[ply - 1], abs=1e-5)
            assert spent_.endswith("s")
            assert nodes == f"n={record.work[ply - 1][1]}"  # type: ignore[index]
    assert check(tmp_path).exit_code == 0
