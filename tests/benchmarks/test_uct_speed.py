"""UCT beside plain C++ for the same games (`uct.cpp`) and beside OpenSpiel's, in processor time.

`pytest -s tests/benchmarks/test_uct_speed.py` prints simulations per second of both, and the bytes
that a simulation takes. The variable DRAGON_OPEN_SPIEL names a Python that has OpenSpiel, if this
one does not.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dragon
from dragon import Limit
from dragon.rules.record import rules_of
from dragon.search.mcts.driver import Tree
from dragon.search.mcts.search import MCTS
from dragon.search.mcts.settings import NODE_BYTES

CASES = {"connect4": ("connect4", 1_000_000, 0.7), "hex": ("hex", 300_000, 0.9),
         "gomoku": ("gomoku", 150_000, 0.8)}  # fmt: skip
"""The game, the simulations of both, and the least ratio, with room for a busy machine."""
ROUNDS = 5
"""By turns; the best rate of each counts."""
SEARCH = "mcts(megabytes=4000)"
OPEN_SPIEL = {
    "connect4": ("connect_four", 200_000, ROUNDS, 6.0),
    "hex": ("hex(board_size=11)", 300_000, 3, 60.0),
}
"""Its name of the game, the simulations of both, the rounds, and the least ratio on a busy
machine."""
THEIRS = """
import json, sys, time
import pyspiel

simulations = int(sys.argv[2])
game = pyspiel.load_game(sys.argv[1])
playouts = pyspiel.RandomRolloutEvaluator(1, 1)
bot = pyspiel.MCTSBot(game, playouts, 1.0, simulations, 4000, True, 1, False)
begun = time.process_time()
bot.mcts_search(game.new_initial_state())
print(json.dumps(simulations / (time.process_time() - begun)))
"""


@pytest.fixture(scope="module")
def yardstick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    binary = tmp_path_factory.mktemp("uct") / "uct"
    source = Path(__file__).with_name("uct.cpp")
    flags = ["-O3", "-march=native", "-ffast-math", "-std=c++20"]
    subprocess.run([compiler, *flags, "-o", binary, source], check=True)
    return binary


def rate(spec: str, simulations: int) -> float:
    """Simulations per second of processor time."""
    begun = time.process_time()
    result = dragon.search(SEARCH).best(
        dragon.game(spec).start(), Limit(simulations=simulations), seed=1
    )
    return float(result.extra["simulations"]) / (time.process_time() - begun)


@pytest.mark.parametrize("name", CASES)
def test_uct_beside_plain_cpp(yardstick: Path, name: str) -> None:
    spec, simulations, least = CASES[name]
    rate(spec, 100)  # compiled
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(rate(spec, simulations))
        run = subprocess.run([yardstick, name, str(simulations)], capture_output=True, text=True,
                             check=True)  # fmt: skip
        theirs.append(json.loads(run.stdout)["simulations"])
    print(f"\n{spec}: {max(ours):,.0f} beside {max(theirs):,.0f} simulations a second: "
          f"{max(ours) / max(theirs):.2f}")  # fmt: skip
    assert max(ours) / max(theirs) >= least


@pytest.mark.parametrize("spec", OPEN_SPIEL)
def test_uct_beside_open_spiel(spec: str) -> None:
    name, simulations, rounds, least = OPEN_SPIEL[spec]
    python = os.environ.get("DRAGON_OPEN_SPIEL", sys.executable)
    rate(spec, 100)  # compiled
    ours, theirs = [], []
    for _ in range(rounds):
        ours += [rate(spec, simulations) for _ in range(3)]  # a small part of the time of theirs
        command = [python, "-c", THEIRS, name, str(simulations)]
        ran = subprocess.run(command, capture_output=True, text=True)
        if "No module named 'pyspiel'" in ran.stderr:
            pytest.skip("set DRAGON_OPEN_SPIEL to a Python with OpenSpiel (pip install open_spiel)")
        assert ran.returncode == 0, ran.stderr
        theirs.append(json.loads(ran.stdout))
    print(f"\n{spec}: {max(ours):,.0f} beside {max(theirs):,.0f} simulations a second: "
          f"{max(ours) / max(theirs):.1f}")  # fmt: skip
    assert max(ours) / max(theirs) >= least


# An expanded state has a block for each eight of its moves, tried or not, and as many once all are
# tried. Of hex 11 the first are 960 bytes, nine tenths of them of moves that have not been tried
# after 100,000 simulations: 205 bytes for each simulation, 111 after 300,000, when fewer states are
# new.
@pytest.mark.parametrize(
    ("spec", "simulations", "most"),
    [("connect4", 100_000, 140), ("hex", 300_000, 120), ("gomoku", 100_000, 740)],
)
def test_memory_of_a_simulation(spec: str, simulations: int, most: int) -> None:
    game = dragon.game(spec)
    tree = Tree(MCTS(megabytes=4000.0), game.start(), None, 1, None)  # type: ignore[arg-type]
    while tree.simulations < simulations:
        tree.advance(simulations, 1 << 60, lambda: False)
    nodes = tree.size + int(tree.m.runs[0]["blocks"]) - 1
    print(f"\n{spec}, {rules_of(game).width} moves: "  # type: ignore[arg-type]
          f"{nodes * NODE_BYTES / simulations:,.0f} bytes a simulation")  # fmt: skip
    assert nodes * NODE_BYTES / simulations <= most
