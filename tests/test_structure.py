"""The structure of the source: how deep imports go within a plugin, and the files of a search."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DEEPEST = {"dragon_ulti": 9, "dragon_nex": 8, "dragon_hands": 8}
"""The most modules on a chain of imports, the package itself included, those in functions too."""
FILES = {"alphabeta": 8, "dfpn": 5, "nrpa": 3, "mcts": 8}
"""The most files of a search, besides policies, which are a file each."""


def imports(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a module imports anywhere, except for type checkers alone."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.If(test=ast.Name("TYPE_CHECKING")):
                continue
            case ast.ImportFrom(module=str(module), names=names):
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
        yield from imports(node)


def longest_chain(package: Path) -> list[str]:
    """Return the modules of the longest chain of imports within a package, the importer first."""
    modules = {}
    for path in package.rglob("*.py"):
        parts = path.relative_to(package.parent).with_suffix("").parts
        modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    after: dict[str, set[str]] = {name: set() for name in modules}
    for name, path in modules.items():
        for each in imports(ast.parse(path.read_text(encoding="utf-8"))):
            found = each if each in modules else each.rpartition(".")[0]
            after[name] |= {found} & modules.keys() - {name}

    @cache
    def chain(name: str) -> tuple[str, ...]:  # ends, since `lint-imports` allows no circles
        return (name, *max(map(chain, after[name]), key=len, default=()))

    return list(max(map(chain, modules), key=len))


@pytest.mark.full
@pytest.mark.parametrize("package", DEEPEST)
def test_chains_of_imports_within_a_plugin_are_short(package: str) -> None:
    assert 4 < len(longest_chain(ROOT / "games" / package)) <= DEEPEST[package]


def test_the_longest_chain_is_found(tmp_path: Path) -> None:
    package = tmp_path / "bag"
    package.mkdir()
    for name, text in {
        "__init__": "from bag import a",
        "a": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import bag.d",
        "b": "def late():\n    from bag.c import thing",
        "c": "import bag.a\nimport os",
        "d": "",
    }.items():
        (package / f"{name}.py").write_text(text)
    assert longest_chain(package) == ["bag.b", "bag.c", "bag.a"]


@pytest.mark.parametrize("search", FILES)
def test_a_search_is_a_handful_of_files(search: str) -> None:
    folder = ROOT / "dragon" / "search" / search
    assert 0 < len(list(folder.glob("*.py"))) <= FILES[search]


ONE_EACH = {"commands", "playouts", "selections"}
"""Packages of a file for each command or policy."""
LARGE = [
    init
    for top in ("dragon", "games", "tournaments")
    for init in sorted((ROOT / top).rglob("__init__.py"))
    if len(list(init.parent.glob("*.py"))) > 5 and init.parent.name not in ONE_EACH
]


@pytest.mark.parametrize("init", LARGE, ids=lambda init: init.parent.name)
def test_a_package_says_what_is_where(init: Path) -> None:
    """With more than four modules, its `__init__` names each of them, or imports it."""
    text = init.read_text(encoding="utf-8")
    modules = {path.stem for path in init.parent.glob("*.py")} - {"__init__", "__main__"}
    assert {name for name in modules if not re.search(rf"\b{name}\b", text)} == set()
