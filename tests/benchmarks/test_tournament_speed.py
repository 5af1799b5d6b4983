"""The cost of a tournament itself: games a second, milliseconds and bytes a game.

    pytest tests/benchmarks/test_tournament_speed.py -s

The bounds asserted are those that the documentation promises, on two cores that are not idle.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from dragon import plugins
from dragon.bridges.engine import close_idle
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.dask import DaskExecutor
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.runner import Observer, run
from dragon_tournament.schedule import Schedule
from dragon_tournament.tournament import Tournament

FAST = 10_000
MANY = 100_000
MILLION = 1_000_000


def resident() -> float:
    """Megabytes of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


class Instant:
    """Games that take no time: what is left is what a tournament costs."""

    name: ClassVar[str] = "instant"

    def map(self, tournament: Tournament, pairings: Iterator[Pairing]) -> Generator[Record]:
        for p in pairings:
            yield Record(
                id=p.id, game="nim", seats=p.seats, teams=(0, 1), opening=p.opening,
                moves=("3", "3", "3", "1"), scores=(-1.0, 1.0), points=(0.0, 1.0),
                reason=Reason.TERMINAL, nodes=(10, 12), seconds=(0.001, 0.002),
                seed=p.seed, deal=p.deal,
            )  # fmt: skip


class Gauge(Observer):
    """Memory and time at the quarters of a run."""

    def __init__(self, games: int) -> None:
        self.games, self.played = games, 0
        self.start = time.perf_counter()
        self.memory: list[float] = []
        self.seconds = 0.0

    def record(self, record: Record) -> None:
        self.played += 1
        if self.played % (self.games // 4) == 0:
            self.memory.append(resident())
            self.seconds = time.perf_counter() - self.start


def tournament_of(games: int) -> Tournament:
    """Nim between two players who move at random."""
    players = [{"search": "random", "name": name} for name in ("a", "b")]
    return parse({"name": "fast", "game": "nim", "games": games // 2, "player": players})


def spent() -> float:
    """Seconds of processor time of this process and its children that have ended."""
    return sum(os.times()[:4])


def test_10_000_fast_games_in_ten_seconds_of_two_cores(tmp_path: Path) -> None:
    """Measured in processor time: the clock's is longer where others use the cores."""
    from dragon_tournament.executors.local import ProcessExecutor

    start, before = time.perf_counter(), spent()
    outcome = run(tournament_of(FAST), tmp_path, ProcessExecutor(2))
    seconds, used = time.perf_counter() - start, spent() - before
    print(f"\n{FAST:,} games in {seconds:.1f} s, {FAST / seconds:,.0f} a second")
    print(f"{used:.1f} s of processor time, {1000 * used / FAST:.2f} ms a game")
    assert outcome.missing == 0
    assert used < 2 * 10


def test_schedule_seed_and_record_cost_less_than_a_millisecond(tmp_path: Path) -> None:
    gauge = Gauge(MANY)
    run(tournament_of(MANY), tmp_path, Instant(), observer=gauge)
    print(f"\n{1000 * gauge.seconds / MANY:.3f} ms a game")
    print(f"megabytes at each quarter of {MANY:,} records: {[round(m, 1) for m in gauge.memory]}")
    assert gauge.seconds / MANY < 0.001
    assert gauge.memory[-1] - gauge.memory[0] < 10  # bytes a game: less than 133


def test_standings_of_a_million_records_in_seconds(tmp_path: Path) -> None:
    dice = random.Random(1)
    names = ("alphabeta(depth=4)", "mcts(c=0.7)", "random", "greedy")
    with (tmp_path / "records.jsonl").open("w") as file:
        for number in range(MILLION // 2):
            two = dice.sample(names, 2)
            for seats in (two, two[::-1]):
                points: Any = dice.choice(((1.0, 0.0), (0.0, 1.0), (0.5, 0.5)))
                table = {
                    "id": f"{dice.getrandbits(64):016x}", "game": "nex(rows=3, cols=3)",
                    "seats": seats, "teams": [0, 1], "opening": ["b2"],
                    "moves": ["a1", "b3", "c2"], "scores": [2 * p - 1 for p in points],
                    "points": points, "reason": "terminal",
                    "nodes": [dice.randrange(10**6), dice.randrange(10**6)],
                    "seconds": [0.25, 0.125], "seed": number, "deal": number, "failed": [],
                    "detail": "", "position": "",
                }  # fmt: skip
                file.write(json.dumps(table) + "\n")
    start = time.perf_counter()
    command = [sys.executable, "-c", MEASURED, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - start
    print(f"\nstandings of {MILLION:,} records in {seconds:.1f} s; {done.stderr.strip()}")
    assert "1,000,000 games on record" in done.stdout
    assert seconds < 60
    assert float(done.stderr.split()[0]) < 400


MEASURED = """
import resource, sys
from dragon.cli import main
main(["standings", sys.argv[1]], standalone_mode=False)
used = resource.getrusage(resource.RUSAGE_SELF)
print(f"{used.ru_maxrss / 1000:.0f} MB, {used.ru_utime:.1f} s of one core", file=sys.stderr)
"""


def test_a_clock_is_used_by_an_engine_as_by_the_search_itself() -> None:
    """Milliseconds a move at 1 + 0.2 seconds: within a tenth of each other."""
    game = "hex(size=7)"
    command = [sys.executable, "-m", "dragon", "gtp", game, "--search", "mcts"]
    tournament = parse(
        {
            "game": game, "games": 8, "clock": {"seconds": 1, "increment": 0.2},
            "player": [{"search": "mcts"},
                       {"name": "engine", "search": "engine", "command": command}],
        }
    )  # fmt: skip
    spent, moves = dict.fromkeys(("mcts", "engine"), 0.0), dict.fromkeys(("mcts", "engine"), 0)
    records = list(InlineExecutor().map(tournament, Schedule(tournament).games()))
    close_idle()
    for record in records:
        for seat, name in enumerate(record.seats):
            spent[name] += record.seconds[seat]
            moves[name] += len(record.moves[seat::2])
    each = {name: 1000 * spent[name] / moves[name] for name in spent}
    print(f"{each['mcts']:.0f} ms a move itself, {each['engine']:.0f} ms as an engine")
    assert 0.9 < each["engine"] / each["mcts"] < 1.1


KILL = 14.0  # seconds between two machines that are taken away
SCRIPTED = Path(__file__).parents[1] / "scripted"


def test_preempted_machines_end_all_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three workers, of which one is killed every 14 seconds, and six games of 40 seconds each."""
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    monkeypatch.syspath_prepend(str(SCRIPTED))
    paths = os.pathsep.join(filter(None, [str(SCRIPTED), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("PYTHONPATH", paths)
    plugins.manager.cache_clear()
    tournament = parse({
        "game": "nim(pile=10)", "games": 3,
        "player": [{"search": "scripted", "name": name, "delay": 4.0} for name in "ab"],
    })  # fmt: skip
    file = tmp_path / "scheduler.json"
    with (tmp_path / "dask.log").open("wb") as log:

        def start(*arguments: str) -> subprocess.Popen[bytes]:
            command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
            return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)

        def worker() -> subprocess.Popen[bytes]:
            more = ("--nthreads", "1", "--local-directory", str(tmp_path))
            return start("worker", "--scheduler-file", str(file), *more)

        def kill(process: subprocess.Popen[bytes]) -> None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

        at = ("--host", "127.0.0.1", "--port", "0")
        scheduler = start("scheduler", *at, "--scheduler-file", str(file))
        while not (file.exists() and file.read_text().rstrip().endswith("}")):
            time.sleep(0.05)
        workers, over, killed = [worker() for _ in range(3)], threading.Event(), 0
        dice = random.Random(1)

        def take_away() -> None:
            nonlocal killed
            while not over.wait(KILL):
                number = dice.randrange(3)
                kill(workers[number])
                workers[number] = worker()
                killed += 1

        taking = threading.Thread(target=take_away)
        taking.start()
        begun = time.perf_counter()
        try:
            address = json.loads(file.read_text())["address"]
            outcome = run(tournament, tmp_path / "out", DaskExecutor(scheduler=address))
        finally:
            over.set()
            taking.join()
            for process in (*workers, scheduler):
                kill(process)
    seconds = time.perf_counter() - begun
    print(f"\n6 games of 40 s in {seconds:.0f} s; {killed} workers were killed")
    assert (outcome.missing, outcome.aside, outcome.report.played) == (0, 0, 6)
