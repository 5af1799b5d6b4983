"""Tournaments of very many players: what is kept of them, how long it takes, what is printed."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dragon_tournament.report.html import to_html
from dragon_tournament.report.reader import open_results
from dragon_tournament.report.text import to_markdown, to_text
from dragon_tournament.statistics import rating
from dragon_tournament.statistics.rating import Comparisons, fit

Line = tuple[tuple[str, str], int]
"""Who played, first seat first, and the number of the game."""


def names(players: int) -> list[str]:
    return [f"p{number}" for number in range(players)]


def gauntlet(players: int, rounds: int) -> Iterator[Line]:
    first, *others = names(players)
    for index in range(rounds):
        for other in others:
            yield (first, other), index
            yield (other, first), index


def round_robin(players: int, rounds: int) -> Iterator[Line]:
    for index in range(rounds):
        for a in names(players):
            yield from (((a, b), index) for b in names(players) if a != b)


def written(path: Path, lines: Iterator[Line], players: int, **about: Any) -> Path:
    """A folder with games that were won by lot, of players of which the earlier are better."""
    path.mkdir()
    lots = random.Random(1)
    with (path / "records.jsonl").open("w") as file:
        for number, (seats, index) in enumerate(lines):
            file.write(line(number, seats, won(seats, lots), index, lots) + "\n")
    table = {"name": path.name, "dealt": False, "players": [{"name": n} for n in names(players)]}
    (path / "tournament.json").write_text(json.dumps({**table, **about}))
    return path


def won(seats: tuple[str, str], lots: random.Random) -> bool:
    ahead = (int(seats[1][1:]) - int(seats[0][1:])) / 3000
    return lots.random() < 1 / (1 + 10**-ahead)


def line(number: int, seats: tuple[str, str], first: bool, index: int, lots: random.Random) -> str:
    """The line of a record."""
    return json.dumps(
        {
            "id": f"{number:016x}", "game": "connect4", "seats": seats, "teams": [0, 1],
            "opening": [], "moves": lots.choices("0123456", k=25), "position": "",
            "scores": [1.0, -1.0] if first else [-1.0, 1.0],
            "points": [1.0, 0.0] if first else [0.0, 1.0], "reason": "terminal",
            "nodes": [3, 4], "seconds": [0.25, 0.5], "seed": 7, "deal": index, "index": index,
        }
    )  # fmt: skip


def swiss(players: int, rounds: int) -> Iterator[Line]:
    """Neighbours meet; that some may meet again does not matter here."""
    lots, points = random.Random(2), dict.fromkeys(names(players), 0.0)
    for index in range(rounds):
        order = sorted(points, key=lambda name: -points[name] + lots.random() / 2)
        for two in zip(order[::2], order[1::2], strict=True):
            points[two[0 if won(two, lots) else 1]] += 2
            yield two, index
            yield two[::-1], index


def games(players: int, rounds: int, openings: bool) -> Comparisons:
    """A Swiss as comparisons, its rounds of one opening each or all games of their own."""
    rng, strength = np.random.default_rng(1), np.random.default_rng(2).normal(0, 1, players)
    rows = []
    for index in range(rounds):
        order = np.argsort(strength + rng.normal(0, 0.5, players))
        for table, two in enumerate(zip(order[::2], order[1::2], strict=True)):
            for a, b in (two, two[::-1]):
                share = float(rng.random() < 1 / (1 + np.exp(strength[b] - strength[a] - 0.2)))
                rows.append((index if openings else index * players + table, a, b, 1, 1.0, share))
    return Comparisons(*(np.array(column) for column in zip(*rows, strict=True)))


@pytest.mark.samples("False")
@pytest.mark.parametrize("openings", [False, True])
def test_errors_that_are_estimated_are_near_the_exact_ones(
    openings: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, players = games(400, 12, openings), names(400)
    exact = fit(found, players)
    monkeypatch.setattr(rating, "DENSE", 0)
    near = fit(found, players)
    ratios = []
    for name in players:
        one, other = near.players[name], exact.players[name]
        assert one.elo == other.elo
        assert one.error is not None
        assert other.error is not None
        ratios.append(one.error / other.error)
    assert np.mean(ratios) == pytest.approx(1, abs=0.05)
    assert np.std(ratios) < 0.12
    assert near.first_seat is not None
    assert exact.first_seat is not None
    assert near.first_seat.error == pytest.approx(exact.first_seat.error, rel=0.02)


@pytest.mark.full
def test_only_pairs_that_met_are_kept() -> None:
    """A matrix of all pairs by all players would take 216 GB."""
    found, players = games(3000, 4, openings=False), names(3000)
    tracemalloc.start()
    fit(found, players)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 60_000_000


@pytest.mark.full
def test_long_tables_are_folded(tmp_path: Path) -> None:
    """A crosstable of 60 players has 3,540 rows."""
    found = open_results(written(tmp_path / "large", round_robin(60, 1), 60))
    found.read()
    summary = found.report()
    text, markdown = to_text(summary), to_markdown(summary)
    assert text.count("\n") < 400
    assert "(3,440 more are in report.json)" in text
    assert markdown.count("\n") < 2500
    assert "(2,540 more are in report.json)" in markdown
    page = to_html(summary, found.records, found.tally)
    assert "The best 50 of 60 players are shown." in page
    assert page.count("<tr>") < 700


@pytest.mark.full
@pytest.mark.budget(240)  # writing the records takes longer than reporting them
@pytest.mark.parametrize(
    ("name", "players", "rounds", "seconds"),
    [("gauntlet", 1000, 10, 10), ("swiss", 10_000, 14, 10), ("round-robin", 4, 83_334, 15)],
)
def test_large_tournaments_are_reported_soon_and_in_little_memory(
    tmp_path: Path, name: str, players: int, rounds: int, seconds: float
) -> None:
    make = {"gauntlet": gauntlet, "swiss": swiss, "round-robin": round_robin}[name]
    about = {"format": name, "games": 1, **({"rounds": rounds} if name == "swiss" else {})}
    place = written(tmp_path / name, make(players, rounds), players, **about)
    shown = tmp_path / "shown.txt"
    with shown.open("wb") as out:
        process = subprocess.Popen([sys.executable, "-m", "dragon", "standings", place], stdout=out)
        most = 0  # of its own: what rusage says begins with the memory of this process
        while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
            with suppress(OSError):
                shown_by = Path(f"/proc/{process.pid}/status").read_text()
                most = max(most, *map(int, re.findall(r"VmHWM:\s+(\d+)", shown_by)), 0)
            time.sleep(0.005)
        _, status, used = ended
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    assert "games on record" in shown.read_text(encoding="utf-8")
    assert used.ru_utime + used.ru_stime < seconds, used
    assert 10_000_000 < most * 1024 < 500_000_000, most
