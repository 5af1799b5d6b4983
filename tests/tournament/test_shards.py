"""Parts of a tournament that are played apart, and merged: the games of one run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dragon.cli import main
from dragon.errors import ConfigError
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.runner import run

PLAYERS = [{"search": "random", "name": name} for name in "abc"]
SOLVERS = [{"search": "astar"}, {"search": "idastar"}]
TABLE = {"game": "nim(pile=7)", "games": 7, "openings": {"random": 1}, "player": PLAYERS}


def records(folder: Path) -> list[dict[str, Any]]:
    """The records of a folder without what differs between two runs."""
    lines = (folder / "records.jsonl").read_text().splitlines()
    return [{k: v for k, v in json.loads(x).items() if k != "seconds"} for x in lines]


@pytest.mark.full
def test_four_shards_are_one_run(tmp_path: Path) -> None:
    whole, merged = tmp_path / "whole", tmp_path / "merged"
    run(parse(TABLE), whole, InlineExecutor())
    parts = []
    for number in range(1, 5):
        parts.append(tmp_path / f"part-{number}")
        outcome = run(parse(TABLE).sharded((number, 4)), parts[-1], InlineExecutor())
        assert outcome.report.played in (10, 11)
        assert outcome.missing == 0
    result = CliRunner().invoke(main, ["merge", *map(str, parts), "--out", str(merged)])
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{merged / 'records.jsonl'}: 42 games of 4 folders\n"
    assert records(merged) == records(whole)
    again = run(parse(TABLE), merged, InlineExecutor())
    assert (again.missing, again.report.played) == (0, 42)
    assert CliRunner().invoke(main, ["check", str(merged)]).exit_code == 0


def test_a_missing_part_is_played_by_the_merged_run(tmp_path: Path) -> None:
    run(parse(TABLE).sharded((2, 3)), tmp_path / "part", InlineExecutor())
    arguments = ["merge", str(tmp_path / "part"), str(tmp_path / "part"), "--out"]
    assert CliRunner().invoke(main, [*arguments, str(tmp_path / "all")]).exit_code == 0
    assert len(records(tmp_path / "all")) == 14
    outcome = run(parse(TABLE), tmp_path / "all", InlineExecutor())
    assert (outcome.missing, outcome.report.played) == (0, 42)


def test_parts_of_two_tournaments_are_not_merged(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("two", 2)):
        run(parse({**TABLE, "seed": seed}), tmp_path / name, InlineExecutor())
    folders = [str(tmp_path / name) for name in ("one", "two")]
    result = CliRunner().invoke(main, ["merge", *folders, "--out", str(tmp_path / "all")])
    assert result.exit_code == 2
    assert "is of another tournament" in result.stderr
    assert "(they differ in seed); merge the parts of one" in result.stderr
    assert not (tmp_path / "all").exists()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"format": "swiss", "rounds": 2}, "a swiss pairs by results"),
        ({"format": "knockout"}, "a knockout pairs by results"),
        (
            {"player": PLAYERS[:2], "sprt": {"elo0": 0, "elo1": 9}, "openings": {"random": 2}},
            "a test ends by results",
        ),
        ({"game": "sliding(rows=2, columns=2)", "player": SOLVERS}, "its players meet in one game"),
    ],
)  # fmt: skip
def test_what_results_decide_is_not_sharded(more: dict[str, Any], why: str) -> None:
    table = {**TABLE, **more}
    if "sliding" in table["game"]:
        del table["openings"]
    with pytest.raises(ConfigError, match=why):
        parse(table).sharded((1, 2))


@pytest.mark.parametrize("given", ["0/2", "3/2", "2", "a/b", "1/0"])
def test_a_part_that_is_none_is_refused(given: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["tournament", str(tmp_path / "x.toml"), "--shard", given])
    assert result.exit_code == 2
    assert f"{given!r} is not a part such as 2/5" in result.stderr
