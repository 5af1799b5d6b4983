"""Two searches by a third party: the documentation shows their files, and they do what it says."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dragon
from dragon import TERMINAL, Limit
from dragon.bits import Random
from dragon.laws import check_search
from dragon.modes import CHECKED, JIT
from dragon.rules import template
from dragon.rules.contract import OPTIONAL, RULES
from dragon.rules.playout import step
from dragon.rules.record import RecordState

pytestmark = pytest.mark.samples(2)

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "write-a-search.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
KERNELS = REFERENCE.partition("\n## Kernels\n")[2].partition("\n## ")[0]
PLUGIN = ROOT / "tests" / "plugin_searches"
LINES = {"dragon_flat.py": 25, "dragon_nested.py": 90}
"""How long each file may be, so that it is read at one sitting."""


def install(folder: Path) -> None:
    """The plugin as an installer would leave it."""
    for name in LINES:
        (folder / name).write_text((PLUGIN / name).read_text(encoding="utf-8"), encoding="utf-8")
    info = folder / "dragon_two_searches-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: dragon-two-searches\nVersion: 1.0\n"
    )
    (info / "entry_points.txt").write_text("[dragon]\nflat = dragon_flat\nnested = dragon_nested\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder where it is installed."""
    made = tmp_path_factory.mktemp("site")
    install(made)
    return made


@pytest.fixture(scope="module")
def searches(folder: Path) -> Iterator[dict[str, dragon.Search]]:
    """The searches by name, imported."""
    sys.path.insert(0, str(folder))
    modules = [name.removesuffix(".py") for name in LINES]
    try:
        made = [importlib.import_module(name).dragon_searches() for name in modules]
        yield {search.name: search() for (search,) in made}
    finally:
        sys.path.remove(str(folder))
        for name in modules:
            sys.modules.pop(name, None)


@pytest.mark.parametrize("name", LINES)
def test_the_page_shows_each_file(name: str) -> None:
    source = (PLUGIN / name).read_text(encoding="utf-8")
    assert f"<!-- tests/plugin_searches/{name} -->\n```python\n{source}```\n" in PAGE
    assert len(source.splitlines()) <= LINES[name]


def test_the_page_shows_the_entry_points() -> None:
    entries = (PLUGIN / "pyproject.toml").read_text(encoding="utf-8")
    block = PAGE.partition("```toml\n")[2].partition("```")[0]
    assert "flat" in block
    assert block in entries


def test_the_reference_names_all_that_a_template_may_name() -> None:
    text = KERNELS.partition("### What a template may name")[2]
    names = {name for name in vars(template) if not name.startswith("_")}
    names |= {*RULES, *(f"HAS_{name.upper()}" for name in OPTIONAL)}
    for name in names - {"annotations", "Any", "RULES", "missing"}:
        assert re.search(rf"`{name}[`(]", text), name


def test_the_reference_names_what_a_record_state_has() -> None:
    for name in ("data", "game", "rules", "record", "view", "text", "code", "play"):
        assert hasattr(RecordState, name)
        assert re.search(rf"`{name}[`(]", KERNELS), name


def nested_in_python(state: Any, simulations: int, seed: int) -> float:
    """The value that `nested` finds, by the definition: each move the best of a playout each."""
    random = Random(int(np.random.default_rng(seed).integers(1 << 63)))
    paid: list[list[float]] = [[] for _ in state.moves()]
    for made in range(simulations):
        at = made % len(paid)
        here = state.after(state.moves()[at])
        while here.turn != TERMINAL:
            ends = []
            for move in here.moves():
                end = here.after(move)
                while end.turn != TERMINAL:
                    end = step(end, random)
                ends.append(end.payoff()[here.turn])
            here = here.after(here.moves()[ends.index(max(ends))])
        paid[at].append(here.payoff()[state.turn])
    return max(sum(each) / len(each) for each in paid if each)


POSITIONS = (
    ("tictactoe", "X../.O./... X", 20),
    ("connect4", "......./......./......./......./...O.../..XXO.. X", 2),
    ("hex(size=3)", "X../.O./... X", 15),
    ("nex(rows=2, cols=2)", "", 12),
)


@pytest.mark.parametrize(
    ("spec", "text", "simulations", "checked"),
    [(*position, "0") for position in POSITIONS]
    + [
        pytest.param(*position, "1", marks=[pytest.mark.full] * (position is not POSITIONS[0]))
        for position in POSITIONS
    ],
)
def test_nested_does_what_its_definition_says(
    searches: dict[str, dragon.Search], spec: str, text: str, simulations: int, checked: str
) -> None:
    game = dragon.game(spec)
    state = game.parse(text) if text else game.start()
    with JIT.under("1"), CHECKED.under(checked):
        found = searches["nested"].best(state, Limit(simulations=simulations), seed=3)
    assert found.value == pytest.approx(nested_in_python(state, simulations, 3))
    assert found.extra["simulations"] == simulations


@pytest.mark.parametrize("name", ["flat", "nested"])
def test_they_find_a_win_in_one(searches: dict[str, dragon.Search], name: str) -> None:
    state = dragon.game("tictactoe").parse("XX./OO./... X")
    found = searches[name].best(state)
    assert state.after(found.move).turn == TERMINAL
    assert found.value == 1.0


@pytest.mark.samples("flat-nim")
@pytest.mark.parametrize(
    "spec",
    [
        "tictactoe", "nim", "nex(rows=2, cols=3)",
        pytest.param("connect4", marks=pytest.mark.full),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["flat", "nested"])
def test_they_keep_the_laws(searches: dict[str, dragon.Search], name: str, spec: str) -> None:
    search, game = searches[name], dragon.game(spec)
    verdicts = list(check_search(search, game))
    assert [str(v) for v in verdicts if not v.passed] == []


@pytest.mark.parametrize("nodes", [1, 2, 499, 500, 501, 4000])
def test_a_limit_of_nodes_ends_a_playout_at_the_next_move(
    searches: dict[str, dragon.Search], nodes: int
) -> None:
    state = dragon.game("connect4").start()
    found = searches["nested"].best(state, Limit(nodes=nodes))
    assert nodes <= found.nodes < nodes + 7 * 42
    assert found.move in state.moves()


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command line with the plugin installed."""
    environment = {k: v for k, v in os.environ.items() if k not in ("DRAGON_PLUGINS", "DRAGON_JIT")}
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "dragon", *words],
        cwd=folder, env={**environment, "PYTHONPATH": path}, text=True, timeout=300,
        capture_output=True,
    )  # fmt: skip


@pytest.mark.full
def test_the_commands_of_the_page_work(folder: Path) -> None:
    block = PAGE.partition("## Trying it")[2].partition("```sh\n")[2].partition("```")[0]
    assert block.count("dragon ") == 4
    (folder / "searches.toml").write_text((PLUGIN / "searches.toml").read_text(encoding="utf-8"))
    for line in block.splitlines()[1:]:
        ran = run(folder, *line.split()[1:])
        assert ran.returncode == 0, (line, ran.stderr)
        assert "BROKEN" not in ran.stdout
    assert "flat" in ran.stdout, "the crosstable"


@pytest.mark.full
def test_with_checks_a_kernel_is_told_its_mistake(tmp_path: Path) -> None:
    """It would otherwise write past the end of its memory."""
    install(tmp_path)
    host = tmp_path / "dragon_nested.py"
    right = host.read_text(encoding="utf-8")
    wrong = right.replace("arrays.zeros(2, arrays.width)", "arrays.zeros(2, 3)")
    assert wrong != right
    host.write_text(wrong, encoding="utf-8")
    ran = run(tmp_path, "solve", "tictactoe", "--search", "nested", "--checked")
    assert ran.returncode != 0
    assert "ValueError: a kernel gives `moves` less room than the width of the game" in ran.stderr
    assert "Traceback" not in ran.stderr
