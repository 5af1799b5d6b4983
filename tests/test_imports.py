"""Imports run one way, and the cheap ones stay cheap."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Container, Iterator, Sequence
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import dragon

ROOT = Path(dragon.__file__).parent.parent
LAYERS = (
    {"errors", "blame", "bits", "early", "hookspecs", "modes", "spawn", "stderr"},
    {"core", "gtp", "hidden", "proof", "transcript"},
    {"rules", "engine", "record", "specialise", "stamp", "cache", "compiler",
     "diagnose", "template", "table", "layout", "rehearsal", "watchdog",
     "board", "cells", "drawing", "grid", "notation", "perft", "picks", "playout", "kernels",
     "seats"},
    {"search", "cover"},
    {"config", "index", "plugins", "laws", "session"},
    {"cli", "commands", "web", "__main__"},
)  # fmt: skip
"""Each may import from its own layer and those above it in this list."""
TOURNAMENT = (
    {"units", "luck", "clock", "adjudication", "records"},
    {"statistics", "instance", "tournament"},
    {"formats"},
    {"referees"},
    {"config", "interrupts", "executors", "report", "folder"},
    {"runner"},
    {"bar", "cli", "page", "service", "shelf", "view"},
)  # fmt: skip
"""The same of the tournament."""
DEAR = ("numba", "llvmlite", "numpy", "matplotlib", "starlette", "uvicorn", "cattrs", "pebble",
        "dask", "distributed")  # fmt: skip


def modules(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        yield ".".join(parts).removesuffix(".__init__"), path


@cache
def imported(path: Path) -> tuple[tuple[str, int], ...]:
    """The modules that a file imports, anywhere but for type checkers, with their lines."""
    return tuple(_imported(ast.parse(path.read_text()), path))


def _imported(node: ast.AST, path: Path) -> Iterator[tuple[str, int]]:
    if isinstance(node, ast.Import):
        yield from ((alias.name, node.lineno) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"{path}:{node.lineno}: a relative import"
        for alias in node.names:
            yield f"{node.module}.{alias.name}", node.lineno
    elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        for statement in node.orelse:
            yield from _imported(statement, path)
    elif not isinstance(node, ast.expr):  # which no import is part of
        for inner in ast.iter_child_nodes(node):
            yield from _imported(inner, path)


def layer(
    name: str, package: str = "dragon", layers: Sequence[Container[str]] = LAYERS
) -> int | None:
    parts = name.split(".")
    if parts[0] != package or len(parts) < 2:
        return None
    return next((i for i, names in enumerate(layers) if parts[1] in names), None)


def test_every_module_has_a_layer() -> None:
    placed = [(name, layer(name)) for name, _ in modules(ROOT / "dragon")]
    games = ROOT / "tournaments" / "dragon_tournament"
    placed += [(name, layer(name, games.name, TOURNAMENT)) for name, _ in modules(games)]
    assert [n for n, where in placed if where is None] == ["dragon", "dragon_tournament"]


@pytest.mark.parametrize(
    ("folder", "layers"),
    [("dragon", LAYERS), ("tournaments/dragon_tournament", TOURNAMENT)],
    ids=["dragon", "dragon_tournament"],
)
def test_imports_run_one_way(folder: str, layers: Sequence[Container[str]]) -> None:
    wrong, package = [], Path(folder).name
    for name, path in modules(ROOT / folder):
        here = layer(name, package, layers)
        for target, line in imported(path):
            there = layer(target, package, layers)
            if here is not None and there is not None and there > here:
                wrong.append(f"{path}:{line}: {name} imports {target}")
    assert wrong == []


def test_the_core_imports_no_plugin_and_plugins_not_one_another() -> None:
    sources = [ROOT / "dragon", *(ROOT / "games").glob("dragon_*"),
               *(ROOT / "tournaments").glob("dragon_*")]  # fmt: skip
    wrong = []
    for folder in sources:
        for _, path in modules(folder):
            for target, line in imported(path):
                top = target.partition(".")[0]
                if top.startswith("dragon_") and top != folder.name:
                    wrong.append(f"{path}:{line}: imports {target}")
    assert wrong == []


@pytest.mark.parametrize(
    "name", ["dragon", *sorted({e.value.partition(":")[0] for e in entry_points(group="dragon")})]
)
def test_importing_a_plugin_is_cheap(name: str) -> None:
    code = f"import sys, {name}; print(*sorted(set({DEAR!r}) & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []


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
    assert found & set(DEAR) == set()
    assert plugins_of(found) == set()


@pytest.mark.parametrize("command", ["games", "searches"])
def test_lists_import_nothing_dear(command: str, indexed: str) -> None:
    assert loaded(command, DRAGON_CACHE=indexed) & set(DEAR) == set()


def test_solve_loads_the_plugin_of_its_game_alone(indexed: str) -> None:
    found = loaded("solve", "tictactoe", DRAGON_JIT="0", DRAGON_CACHE=indexed)
    assert plugins_of(found) == {"dragon_classics"}
    assert found & set(DEAR) == {"numpy"}
    assert "subprocess" not in found  # of the search `engine`, which was not asked for


def test_searches_within_settings_are_found_alone(indexed: str) -> None:
    words = ("solve", "kuhn", "--search", "determinize(search='exhaustive', samples=2)")
    found = loaded(*words, "--position", "?K pass", DRAGON_JIT="0", DRAGON_CACHE=indexed)
    assert plugins_of(found) == {"dragon_classics"}
    assert "subprocess" not in found


def test_a_report_loads_no_compiler(indexed: str, tmp_path: Path) -> None:
    file, out = tmp_path / "small.toml", str(tmp_path / "out")
    players = "\n".join(f'[[player]]\nsearch = "random"\nname = "{name}"' for name in "ab")
    file.write_text(f'game = "nex(rows=3, cols=3)"\ngames = 2\n{players}\n')
    env = {"DRAGON_CACHE": indexed}
    words = [sys.executable, "-m", "dragon", "tournament", str(file), "--workers", "0"]
    subprocess.run([*words, "--out", out], capture_output=True, check=True,
                   env={**os.environ, **env, "DRAGON_JIT": "0"})  # fmt: skip
    assert plugins_of(loaded("standings", out, **env)) == {"dragon_tournament"}
    for command in ("standings", "show", "report"):
        found = loaded(command, out, **env)
        assert found & COMPILER == set(), command
        assert plugins_of(found) <= {"dragon_tournament", "dragon_nex"}, command
