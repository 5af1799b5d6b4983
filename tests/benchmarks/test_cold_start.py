"""The time of a first answer: real processes, an empty cache, then a warm one.

Processor seconds of whole processes, the least of several, as multiples of what `import numba`
takes in the same run. Run with `pytest tests/benchmarks/test_cold_start.py -s`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import pytest

TURNS = 5
CASES = [
    ("tictactoe", "mcts", 2.5),
    ("connect4", "alphabeta", 2.5),
    ("nex(rows=4, cols=4)", "alphabeta", 4.0),
    ("nex(rows=5, cols=5)", "mcts", 4.0),
    ("ulti", "alphabeta", 4.0),
]
WARM = 1.3
PARTS = """
import json, sys, time
made = {}
def timed(module, name, part):
    function = getattr(module, name)
    def call(*given, **named):
        begun = time.process_time()
        try:
            return function(*given, **named)
        finally:
            made[part] = made.get(part, 0.0) + time.process_time() - begun
    setattr(module, name, call)
import dragon.cli
made["imports"] = time.process_time()
import dragon.compiler.entries as entries, dragon.compiler.machine as machine
import dragon.rules.rehearsal as preparation, dragon.compiler.specialise as specialise
timed(machine, "object_code", "LLVM")
timed(entries, "compile_entry", "front end and LLVM")
timed(specialise, "_fingerprint", "fingerprints")
timed(preparation, "check_rules", "checks")
sys.argv = ["dragon", *sys.argv[1:]]
try:
    dragon.cli.main()
finally:
    print(json.dumps(made | {"total": time.process_time()}), file=sys.stderr)
"""


def seconds(*command: str, cache: Path) -> float:
    """Processor seconds of a process and its children."""
    before = os.times()
    other = "PYTHONDONTWRITEBYTECODE", "DRAGON_OPTIMISED"
    environment = {k: v for k, v in os.environ.items() if k not in other}
    subprocess.run(command, check=True, capture_output=True,
                   env=environment | {"DRAGON_CACHE": str(cache), "DRAGON_JIT": "1"})  # fmt: skip
    after = os.times()
    return after.children_user + after.children_system - before.children_user - (
        before.children_system)  # fmt: skip


def parts(game: str, search: str, cache: Path) -> dict[str, float]:
    """Split a cold start into its parts."""
    ran = subprocess.run(
        [sys.executable, "-c", PARTS, "solve", game, "--search", search, "--nodes", "1000"],
        check=True, capture_output=True, text=True,
        env=os.environ | {"DRAGON_CACHE": str(cache), "DRAGON_OPTIMISED": "0"},
    )  # fmt: skip
    found: dict[str, float] = json.loads(ran.stderr.splitlines()[-1])
    return found


def test_a_first_answer_in_a_second(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="what is measured against")
    cache, missed = tmp_path / "cache", []
    unit = min(seconds(sys.executable, "-c", "import numba", cache=cache) for _ in range(TURNS))
    print(f"\nimport numba: {unit:.2f} s of processor time, the least of {TURNS}")
    for game, search, most in CASES:
        command = (sys.executable, "-m", "dragon", "solve", game, "--search", search,
                   "--nodes", "1000")  # fmt: skip
        cold, warm = [], []
        for _ in range(TURNS):
            shutil.rmtree(cache, ignore_errors=True)
            cold.append(seconds(*command, cache=cache))
            warm.append(seconds(*command, cache=cache))
        ratio, again = min(cold) / unit, min(warm) / unit
        shutil.rmtree(cache)
        spent = ", ".join(f"{name} {s:.2f}" for name, s in parts(game, search, cache).items())
        print(f"{game + ' ' + search:<30} cold {ratio:.2f} (at most {most}), "
              f"warm {again:.2f} (at most {WARM}); {spent}")  # fmt: skip
        missed += [f"{game} {search} cold"] * (ratio > most)
        missed += [f"{game} {search} warm"] * (again > WARM)
    assert missed == []


def test_the_smallest_tournament_costs_two_and_a_half_imports_of_numba(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="what is measured against")
    toml, results = tmp_path / "smallest.toml", tmp_path / "results"
    toml.write_text(
        'name = "smallest"\ngames = 1\ngame = {name = "tictactoe"}\n'
        '[[player]]\nsearch = "random"\n[[player]]\nsearch = "exhaustive"\n'
    )
    commands = {
        "import numba": ("-c", "import numba"),
        "two games": ("-m", "dragon", "tournament", str(toml), "--out", str(results)),
    }
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for turn in range(2 * TURNS + 1):  # the first warms the caches
        shutil.rmtree(results, ignore_errors=True)
        for name, command in commands.items():
            begun = time.perf_counter()
            spent = seconds(sys.executable, *command, cache=tmp_path / "cache")
            if turn:
                found[name].append((spent, time.perf_counter() - begun))
    pairs = zip(*found.values(), strict=True)
    ratios = [[games / numba for numba, games in zip(*pair, strict=True)] for pair in pairs]
    spent, wall = (median(each) for each in zip(*ratios, strict=True))
    print(f"\ntwo games: {spent:.2f} times `import numba` in processor time, {wall:.2f} in wall")
    assert spent < 2.5
