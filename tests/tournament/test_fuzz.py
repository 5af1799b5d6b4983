"""Folders of tournaments that a user edited, or a disk has spoilt: read, or refused in words."""

from __future__ import annotations

import json
import math
import random
import shutil
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dragon.cli import main
from dragon.errors import DragonError
from dragon.modes import JIT
from dragon.page import Nothing
from dragon.web import results
from dragon_tournament import service
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.runner import run
from dragon_tournament.service import Named

pytestmark = pytest.mark.usefixtures("scripted")
PLAYERS = [{"search": "random", "name": name} for name in "abc"]
RACERS = [
    {"search": "teller", "name": "near", "story": "1 ~ 3 3"},
    {"search": "teller", "name": "right", "story": "1 ~ 3 3; 2 = 3 2 2"},
    {"search": "teller", "name": "wrong", "story": "3 = 3"},
]
TABLES: dict[str, dict[str, Any]] = {
    "all": {"game": "nim", "games": 2, "openings": {"random": 2}, "player": PLAYERS},
    "sprt": {"game": "nim", "games": 4, "player": PLAYERS[:2], "sprt": {"elo0": 0, "elo1": 90}},
    "swiss": {"game": "nim", "format": "swiss", "rounds": 2, "player": PLAYERS},
    "knockout": {"game": "nim", "format": "knockout", "player": PLAYERS},
    "three": {"game": "three", "player": PLAYERS},
    "race": {"game": "stairs", "player": RACERS},
}
FILES = ("records.jsonl", "tournament.json", "diary.jsonl", "report.json")
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 9, 10**30, 0.5, -2.5, 1e308, float("nan"), float("inf"), "", "zz", "=1+1",
    "\ud800", "\x1b[2J", "x" * 5000, [], [9], [[]], ["a", 3], {}, {"name": {}}, [None, {}],
)  # fmt: skip


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in a value of JSON with each of its keys."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    found = [(value, key) for key in keys]
    for _, key in list(found):
        if isinstance(value[key], dict | list):
            found += places(value[key])
    return found


def edited(line: str, luck: random.Random) -> str:
    """A line of JSON with one or two values replaced, gone, or there twice."""
    table = json.loads(line)
    for _ in range(luck.randint(1, 2)):
        holder, key = luck.choice(places(table) or [({"a": 1}, "a")])
        what = luck.random()
        if what < 0.15:
            del holder[key]
        elif what < 0.25 and isinstance(holder, list):
            holder.append(deepcopy(holder[key]))
        else:
            holder[key] = deepcopy(luck.choice(VALUES))
    return json.dumps(table)


def spoilt(data: bytes, luck: random.Random) -> bytes:
    """Bytes with some of them changed, gone, or there twice."""
    at, n = luck.randrange(len(data) + 1), luck.choice((1, 3, 40))
    other = bytes(luck.randrange(256) for _ in range(luck.choice((0, 1, n))))
    return luck.choice((data[:at], data[:at] + other + data[at + n :], data[:at] + data[at - n :]))


def harm(folder: Path, luck: random.Random) -> None:
    """Does something to one of the files."""
    path = folder / luck.choice(FILES)
    if not path.exists():
        return
    data = path.read_bytes()
    if luck.random() < 0.3:
        path.write_bytes(spoilt(data, luck))
    elif path.suffix == ".json":
        path.write_text(edited(data.decode(), luck))
    else:
        lines = data.decode().splitlines()
        at = luck.randrange(len(lines))
        lines[at] = edited(lines[at], luck)
        path.write_text("\n".join(lines) + "\n")


def ask(out: Path) -> None:
    """Ask for all that a page shows; raise what is not a DragonError."""
    questions: tuple[Callable[[], Any], ...] = (
        lambda: service.tournaments(Nothing()),
        lambda: service.progress(Named("t")),
        lambda: service.standings(Named("t")),
        lambda: service.report(Named("t")),
    )
    for question in questions:
        try:
            json.dumps(question(), allow_nan=False, ensure_ascii=False).encode()
        except DragonError:
            continue


def tell(out: Path, luck: random.Random) -> None:
    """Ask commands."""
    command = luck.choice(
        (["standings"], ["standings", "--json"], ["show", "--game", "1"],
         *(["export", "--to", kind] for kind in ("csv", "pgn", "sgf", "json")),
         ["report", "--out", str(out.parent / "page.html")])
    )  # fmt: skip
    result = CliRunner().invoke(main, [command[0], str(out), *command[1:]])
    assert result.exit_code in (0, 1, 2), (command, result.output)
    assert "Traceback" not in result.output, (command, result.output)


@pytest.mark.parametrize("key", ["deal", "index"])
def test_a_number_that_no_machine_word_holds_is_counted(tmp_path: Path, key: str) -> None:
    run(parse(TABLES["knockout"]), tmp_path, InlineExecutor())
    records = tmp_path / "records.jsonl"
    first, *others = records.read_text().splitlines()
    table = json.loads(first)
    del table["index"]
    records.write_text("\n".join([json.dumps(table | {key: 10**30}), *others, ""]))
    result = CliRunner().invoke(main, ["standings", str(tmp_path)])
    assert result.exit_code in (0, 2), result.output
    assert "Traceback" not in result.output


@pytest.mark.samples(1)
@pytest.mark.parametrize("ended", ["half \ud800", math.inf, [1]])
def test_a_verdict_that_cannot_be_shown_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ended: Any
) -> None:
    monkeypatch.setenv(results.VARIABLE, str(tmp_path))
    out = tmp_path / "t"
    run(parse(TABLES["sprt"]), out, InlineExecutor())
    data = json.loads((out / "report.json").read_text())
    data["sprt"] |= {"ended": ended, "accepted": None}
    (out / "report.json").write_text(json.dumps(data))
    ask(out)


@pytest.mark.full
@pytest.mark.parametrize("count", [40, 1_000])
@pytest.mark.parametrize("name", TABLES)
def test_a_spoilt_folder_is_told_or_refused(
    tmp_path: Path, name: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    luck = random.Random(f"{name} {count}")
    monkeypatch.setenv(results.VARIABLE, str(tmp_path / "results"))
    with JIT.under("0"):
        run(parse(TABLES[name]), tmp_path / "sound", InlineExecutor())
        out = tmp_path / "results" / "t"
        for k in range(count // (1 if count < 100 else len(TABLES))):
            shutil.rmtree(out, ignore_errors=True)
            shutil.copytree(tmp_path / "sound", out)
            kept = {path.name: path.read_bytes() for path in out.iterdir()}
            harm(out, luck)
            try:
                ask(out)
                tell(out, luck)
                if k % 5 == 0:
                    run(parse(TABLES[name]), out, InlineExecutor())
            except DragonError:
                pass
            except BaseException as wrong:
                changed = [p for p in out.iterdir() if kept.get(p.name) != p.read_bytes()]
                said = {p.name: p.read_bytes()[:3000] for p in changed if p.name in FILES}
                raise AssertionError(f"case {k}: {said}") from wrong
