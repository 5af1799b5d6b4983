"""Equilibria beside OpenSpiel's C++, in one run: processor time, ours by theirs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dragon
from dragon import Limit
from dragon.search.equilibrium.kernel import VARIANTS
from dragon.search.equilibrium.sampling import Training
from dragon.search.equilibrium.sequences import flattened
from dragon.search.equilibrium.solution import Solution

THEIRS = """
import json, sys, time
import pyspiel

def timed(work, least):
    work()
    begun, times = time.process_time(), 0
    while time.process_time() - begun < least:
        work()
        times += 1
    return (time.process_time() - begun) / times

game = pyspiel.load_game(sys.argv[1])
cfr = pyspiel.CFRPlusSolver(game)
sampled = pyspiel.ExternalSamplingMCCFRSolver(game, 1)
average = cfr.average_policy()
print(json.dumps({
    "cfr": timed(cfr.evaluate_and_update_policy, 0.5),
    "mccfr": timed(sampled.run_iteration, 0.5),
    "nash_conv": timed(lambda: pyspiel.nash_conv(game, average), 0.5),
}))
"""


def theirs(name: str) -> dict[str, float]:
    """Return their seconds for each; skip where no Python with OpenSpiel is known."""
    python = os.environ.get("DRAGON_OPEN_SPIEL", sys.executable)
    ran = subprocess.run([python, "-c", THEIRS, name], capture_output=True, text=True)
    if "No module named 'pyspiel'" in ran.stderr:
        pytest.skip("set DRAGON_OPEN_SPIEL to a Python that has OpenSpiel (pip install open_spiel)")
    assert ran.returncode == 0, ran.stderr
    known: dict[str, float] = json.loads(ran.stdout)
    return known


def seconds(work: Callable[[], object], times: int) -> float:
    """Return the processor time of one of several, the best of seven."""
    best = float("inf")
    for _ in range(7):
        begun = time.process_time()
        for _ in range(times):
            work()
        best = min(best, (time.process_time() - begun) / times)
    return best


def ours(spec: str, iterations: int) -> dict[str, float]:
    """Return our seconds for each."""
    form = flattened(dragon.game(spec).start())
    solution = Solution(form, VARIANTS["cfr+"])
    solution.improve(1)
    known = solution.averages()
    search: Any = dragon.search("mccfr")
    training = Training(search, form.root, Limit(), 1)
    training.train(iterations)
    return {
        "cfr": seconds(lambda: solution.improve(iterations), 1) / iterations,
        "nash_conv": seconds(lambda: solution.nash_conv(known.plan), 20),
        "mccfr": seconds(lambda: training.train(training.iterations + iterations), 1) / iterations,
    }


@pytest.mark.parametrize(
    ("spec", "name", "iterations", "times"),
    [
        ("leduc", "leduc_poker", 2000, {"cfr": 250, "nash_conv": 1000, "mccfr": 4}),
        ("liars_dice", "liars_dice", 50, {"cfr": 150, "nash_conv": 1000, "mccfr": 4}),
    ],
)
def test_equilibria_beside_openspiel(
    spec: str, name: str, iterations: int, times: dict[str, float]
) -> None:
    other, own = theirs(name), ours(spec, iterations)
    ratios = {what: other[what] / own[what] for what in times}
    for what, ratio in ratios.items():
        print(f"{spec} {what}: {own[what]:.3e} s, OpenSpiel {other[what]:.3e} s, {ratio:.1f} times")
    for what, least in times.items():
        assert ratios[what] >= least, (what, ratios[what])


def test_simulations_of_ismcts() -> None:
    """Two million a second of processor time, on a machine that does nothing else."""
    view, search = dragon.game("leduc").parse("Ks ?"), dragon.search("ismcts")
    search.best(view, Limit(simulations=1000))
    spent = seconds(lambda: search.best(view, Limit(simulations=300_000)), 1)
    print(f"{300_000 / spent / 1e6:.1f} million simulations a second")
    assert np.isfinite(spent)
    assert 300_000 / spent >= 2e6
