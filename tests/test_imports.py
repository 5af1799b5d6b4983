"""Imports that are cheap stay cheap. Which way imports run, `lint-imports` says."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import dragon
from dragon.modes import JIT
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.runner import run

DEAR = ("numba", "llvmlite", "numpy", "matplotlib", "starlette", "uvicorn", "cattrs",
        "dask", "distributed", "optuna", "sqlalchemy")  # fmt: skip


@pytest.mark.full
def test_importing_a_plugin_is_cheap() -> None:
    """One after the other, in a process: who loads what is dear is the first to do so."""
    names = ["dragon", *sorted({e.value.partition(":")[0] for e in entry_points(group="dragon")})]
    code = (
        "import sys\nfrom importlib import import_module\n"
        f"for name in {names}:\n"
        f"    import_module(name)\n    print(name, *sorted(set({DEAR!r}) & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == names


@pytest.mark.full
def test_asking_for_games_and_searches_is_cheap() -> None:
    code = (
        "import sys, dragon; dragon.games(), dragon.searches(); "
        f"print(*sorted(set({DEAR!r}) & set(sys.modules)))"
    )
    environment = {k: v for k, v in os.environ.items() if k != "DRAGON_PLUGINS"}
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert ran.stdout.split() == []


@pytest.mark.full
def test_one_module_imports_numba_and_one_chooses_it() -> None:
    importing = set()
    for file in sorted(Path(dragon.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in ("numba", "dragon.compiler.fallback"):
                if any(f"{each}.".startswith(f"{name}.") for each in names):
                    importing.add((file.stem, name))
    assert importing == {("fallback", "numba"), ("specialise", "dragon.compiler.fallback")}


# ---- what a command loads ------------------------------------------------------------------------

COMPILER = {"numba", "llvmlite"}
LOADED = """
import contextlib, io, sys
from dragon.cli import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main(sys.argv[1:], prog_name="dragon")
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def loaded(*words: str, **more: str) -> set[str]:
    """The top-level modules that a process has loaded when a command has ended."""
    environment = {k: v for k, v in os.environ.items() if k not in ("DRAGON_PLUGINS", "DRAGON_JIT")}
    ran = subprocess.run(
        [sys.executable, "-c", LOADED, *words],
        capture_output=True, text=True, check=True, env=environment | more,
    )  # fmt: skip
    assert ran.stderr == ""
    return set(ran.stdout.split())


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A cache folder with an index."""
    folder = str(tmp_path_factory.mktemp("cache"))
    loaded("--help", DRAGON_CACHE=folder)
    return folder


def plugins_of(names: set[str]) -> set[str]:
    return {name for name in names if name.startswith("dragon_")}


def test_help_imports_no_plugin_and_nothing_dear(indexed: str) -> None:
    found = loaded("--help", DRAGON_CACHE=indexed)
    assert found & {*DEAR, "tqdm"} == set()
    assert plugins_of(found) == set()


@pytest.mark.full
@pytest.mark.parametrize("command", ["games", "searches", "ulti bids"])
def test_lists_import_nothing_dear(command: str, indexed: str) -> None:
    assert loaded(*command.split(), DRAGON_CACHE=indexed) & set(DEAR) == set()


@pytest.mark.full
def test_solve_loads_the_plugin_of_its_game_alone(indexed: str) -> None:
    found = loaded("solve", "tictactoe", DRAGON_JIT="0", DRAGON_CACHE=indexed)
    assert plugins_of(found) == {"dragon_classics"}
    assert found & set(DEAR) == {"numpy"}
    assert "subprocess" not in found  # of the search `engine`, which was not asked for


@pytest.mark.full
def test_searches_within_settings_are_found_alone(indexed: str) -> None:
    words = ("solve", "kuhn", "--search", "determinize(search='exhaustive', samples=2)")
    found = loaded(*words, "--position", "?K pass", DRAGON_JIT="0", DRAGON_CACHE=indexed)
    assert plugins_of(found) == {"dragon_classics"}
    assert "subprocess" not in found


@pytest.mark.full
def test_a_report_loads_no_compiler(indexed: str, tmp_path: Path) -> None:
    players = [{"search": "random", "name": name} for name in "ab"]
    table = {"game": "nex(rows=3, cols=3)", "games": 2, "player": players}
    with JIT.under("0"):
        run(parse(table), tmp_path, InlineExecutor())
    for command in ("standings", "show", "report"):
        found = loaded(command, str(tmp_path), DRAGON_CACHE=indexed)
        assert found & COMPILER == set(), command
        others = set() if command == "standings" else {"dragon_nex"}
        assert plugins_of(found) <= {"dragon_tournament"} | others, command
