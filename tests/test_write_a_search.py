"""A search by somebody else, written from the documentation: its two files, as a plugin."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon import TERMINAL, Bound, Limit, template
from dragon.laws import check_search
from dragon.modes import CHECKED, JIT
from dragon.record import RecordState

PAGE = (Path(__file__).parent.parent / "docs" / "write-a-search.md").read_text(encoding="utf-8")
FILES = dict(
    re.findall(r"<!-- (dragon_minimax\w*\.py) -->\n```python\n(.*?)^```$", PAGE, re.M | re.S)
)
MODES = {"compiled": ("1", "0"), "checked": ("1", "1"), "plain": ("0", "0")}


def install(folder: Path) -> None:
    """The plugin as an installer would leave it."""
    for name, source in FILES.items():
        (folder / name).write_text(source, encoding="utf-8")
    info = folder / "dragon_minimax-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: dragon-minimax\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[dragon]\nminimax = dragon_minimax\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where it is installed."""
    made = tmp_path_factory.mktemp("site")
    install(made)
    return made


@pytest.fixture(scope="module")
def minimax(folder: Path) -> Iterator[dragon.Search]:
    """The search, imported."""
    sys.path.insert(0, str(folder))
    try:
        (made,) = importlib.import_module("dragon_minimax").dragon_searches()
        yield made()
    finally:
        sys.path.remove(str(folder))
        for name in FILES:
            sys.modules.pop(name.removesuffix(".py"), None)


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> Iterator[str]:
    """How rules and kernels run."""
    jit, checked = MODES[request.param]
    with JIT.under(jit), CHECKED.under(checked):
        yield request.param


def test_the_page_has_both_files() -> None:
    assert sorted(FILES) == ["dragon_minimax.py", "dragon_minimax_kernel.py"]


def test_the_page_names_all_that_a_template_may_name() -> None:
    text = PAGE.partition("## What a template may name")[2]
    for name in vars(template):
        if not name.startswith("_") and name != "annotations":
            assert re.search(rf"`{name}[`(]", text), name


def test_the_page_names_what_a_record_state_has() -> None:
    for name in ("data", "game", "rules", "record", "view", "text", "code", "play"):
        assert hasattr(RecordState, name)
        assert re.search(rf"`{name}[`(]", PAGE), name


def test_the_kernel_does_the_work(minimax: dragon.Search, monkeypatch: pytest.MonkeyPatch) -> None:
    def visit(*arguments: Any) -> None:
        raise AssertionError("in plain Python")

    monkeypatch.setattr(sys.modules["dragon_minimax"].Plain, "visit", visit)
    start = dragon.game("tictactoe").start()
    with JIT.under("1"):
        assert minimax.best(start, Limit(depth=5)).nodes == 23_018
    with JIT.under("0"), pytest.raises(AssertionError, match="in plain Python"):
        minimax.best(start, Limit(depth=5))


POSITIONS = (
    ("tictactoe", "X../.O./..X O", 9),
    ("tictactoe", ".../.../... X", 4),
    ("connect4", "......./......./......./......./...O.../..XXO.. X", 4),
    ("hex(size=3)", "X../.O./... X", 7),
    ("nex(rows=2, cols=2)", "", 9),
)


@pytest.mark.parametrize(("spec", "text", "depth"), POSITIONS)
def test_it_agrees_with_negamax(
    minimax: dragon.Search, mode: str, spec: str, text: str, depth: int
) -> None:
    game = dragon.game(spec)
    state = game.parse(text) if text else game.start()
    found = minimax.best(state, Limit(depth=depth))
    wanted = dragon.search("negamax").best(state, Limit(depth=depth))
    assert found.value == wanted.value
    assert found.bound is wanted.bound


@pytest.mark.parametrize("spec", ["tictactoe", "connect4", "nim(pile=9)"])
def test_it_visits_every_path_once_for_each_depth(
    minimax: dragon.Search, mode: str, spec: str
) -> None:
    state = dragon.game(spec).start()
    paths = [dragon.perft(state, length) for length in range(5)]
    visited = 0
    for depth, result in enumerate(minimax.results(state, Limit(depth=4)), 1):
        visited += sum(paths[: depth + 1])
        assert result.nodes == visited
    assert depth == 4


def minimum_and_maximum(state: Any) -> float:
    """The value for seat 0, by the definition."""
    if state.turn == TERMINAL:
        return float(state.payoff()[0])
    values = [minimum_and_maximum(state.after(move)) for move in state.moves()]
    return max(values) if state.turn == 0 else min(values)


@settings(deadline=None, max_examples=20)
@given(data=st.data())
def test_it_finds_the_value_of_any_late_position(minimax: dragon.Search, data: Any) -> None:
    state: Any = dragon.game("tictactoe").start()
    for _ in range(4):
        state = state.after(data.draw(st.sampled_from(list(state.moves()))))
    sign = 1 if state.turn == 0 else -1
    found = minimax.best(state)
    assert (sign * found.value, found.bound) == (minimum_and_maximum(state), Bound.EXACT)


@pytest.mark.parametrize("spec", ["tictactoe", "connect4", "nim", "nex(rows=2, cols=3)"])
def test_it_keeps_the_laws(minimax: dragon.Search, spec: str) -> None:
    verdicts = list(check_search(minimax, dragon.game(spec)))
    assert [str(v) for v in verdicts if not v.passed] == []
    kernels = "law_kernels_agree_with_plain_python" in {v.law for v in verdicts}
    assert kernels == (spec != "nim")  # which has no Rules


@pytest.mark.parametrize("nodes", [1, 2, 499, 500, 501, 4000])
def test_a_slice_ends_where_it_should(minimax: dragon.Search, mode: str, nodes: int) -> None:
    state = dragon.game("connect4").start()
    assert minimax.best(state, Limit(nodes=nodes)).nodes == nodes


def run(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """The command line with the plugin installed."""
    environment = {k: v for k, v in os.environ.items() if k not in ("DRAGON_PLUGINS", "DRAGON_JIT")}
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "dragon", *words],
        cwd=folder, env={**environment, "PYTHONPATH": path, **more}, text=True, timeout=300,
        capture_output=True,
    )  # fmt: skip


def test_the_commands_of_the_page_work(folder: Path) -> None:
    block = PAGE.partition("## Trying it")[2].partition("```sh\n")[2].partition("```")[0]
    assert block.count("dragon ") == 4
    for line in block.splitlines()[1:]:
        words = line.split()
        own = dict(word.split("=") for word in words if word.startswith("DRAGON_"))
        ran = run(folder, *words[len(own) + 1 :], **own)
        assert (ran.returncode, ran.stderr) == (0, ""), line
        assert "BROKEN" not in ran.stdout


def test_with_checks_a_kernel_is_told_its_mistake(tmp_path: Path) -> None:
    """Which would otherwise write past the end of its memory."""
    install(tmp_path)
    host = tmp_path / "dragon_minimax_kernel.py"
    right = host.read_text(encoding="utf-8")
    wrong = right.replace("np.zeros(p, FRAME)", "np.zeros(3, FRAME)")
    assert wrong != right
    host.write_text(wrong, encoding="utf-8")
    solve = ("solve", "tictactoe", "--search", "minimax", "--depth", "3", "--checked")
    ran = run(tmp_path, *solve)
    assert ran.returncode != 0
    assert "IndexError: an index is out of bounds" in ran.stderr
    assert "Traceback" not in ran.stderr
