"""Plugins import of dragon what the reference says they may, name by name."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import dragon
from dragon.rules import template
from dragon.rules.contract import RULES

ROOT = Path(__file__).parents[1]
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
SECTION = REFERENCE.partition("\n## What plugins may import\n")[2].partition("\n## ")[0]
ROW = re.compile(r"^\| `(dragon(?:\.\w+)+)` \| ([^|]*) \|", re.MULTILINE)
LISTED = {
    module: set(re.findall(r"`(\w+)`", names)) if "`" in names else None
    for module, names in ROW.findall(SECTION)
}
"""The names of each module; None for all of them that are its own."""
SOURCES = [
    path
    for folder in ("games", "tournaments", "tests/plugin", "tests/plugin_searches")
    for path in (ROOT / folder).glob("dragon_*")
] + [path for path in (ROOT / "dragon" / "templates").iterdir() if path.is_dir()]
SNIPPETS = re.compile(r"^```py(?:thon|con)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def is_module(path: str) -> bool:
    """Return True if this is the import name of a module of dragon, and not of a name in one."""
    file = ROOT / path.replace(".", "/")
    return file.with_suffix(".py").exists() or (file / "__init__.py").exists()


def imported(source: str) -> Iterator[tuple[str, str]]:
    """Yield the module and the name of all of dragon that a source imports, or takes of one."""
    tree = ast.parse(source)
    modules = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                path = f"{node.module}.{alias.name}"
                if path.startswith("dragon.") and is_module(path) and not own(path):
                    modules[alias.asname or alias.name] = path
                elif node.module.partition(".")[0] == "dragon":
                    yield node.module, alias.name
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "dragon":
                    modules[alias.asname or alias.name] = alias.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and (path := modules.get(ast.unparse(node.value))):
            yield path, node.attr


def own(path: str) -> bool:
    """Return True for a function of `dragon` that has the name of a module, such as `search`."""
    return not isinstance(getattr(dragon, path.removeprefix("dragon."), dragon), ModuleType)


def names_of(module: str) -> set[str]:
    """Return the names of a module that are its own and that do not begin with `_`."""
    found = importlib.import_module(module)
    tree = ast.parse(Path(str(found.__file__)).read_text(encoding="utf-8"))
    names = {*getattr(found, "__all__", ()), *(RULES if found is template else ())}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom):  # `x as x` is how a module says that x is its own
            names |= {alias.name for alias in node.names if alias.asname == alias.name}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {
                each.id for t in targets for each in ast.walk(t) if isinstance(each, ast.Name)
            }
    return {name for name in names if not name.startswith("_")}


def allowed(module: str, name: str) -> bool:
    """Return True if the list has a name of a module."""
    if module == "dragon":
        return name in dragon.__all__ or name in ("__version__", "config", "protocols")
    names = LISTED.get(module, set())
    return name in (names_of(module) if names is None else names)


def forbidden(source: str) -> list[str]:
    """Return the names of dragon that a source imports and should not."""
    return [f"{module}.{name}" for module, name in imported(source) if not allowed(module, name)]


@pytest.mark.samples("common", "dragon_flat")
@pytest.mark.parametrize("plugin", SOURCES, ids=lambda path: path.stem)
def test_plugins_import_what_they_may(plugin: Path) -> None:
    files = [plugin] if plugin.is_file() else sorted(plugin.rglob("*.py"))
    wrong = {str(f): found for f in files if (found := forbidden(f.read_text(encoding="utf-8")))}
    assert wrong == {}, "take another name, or add it to the list in docs/reference.md"


def snippets(page: Path) -> str:
    """Return the imports in the examples of a page."""
    found = SNIPPETS.findall(page.read_text(encoding="utf-8"))
    lines = [line.removeprefix(">>> ").strip() for text in found for line in text.splitlines()]
    return "\n".join(line for line in lines if re.match(r"(from|import) [\w. ,]+$", line))


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.stem)
def test_examples_import_what_plugins_may(page: Path) -> None:
    assert forbidden(snippets(page)) == []


@pytest.mark.parametrize("module", LISTED)
def test_what_is_listed_is_there(module: str) -> None:
    try:
        found = importlib.import_module(module)
    except dragon.errors.ConfigError as missing:
        pytest.skip(str(missing))  # an extra that is not installed
    assert [name for name in LISTED[module] or names_of(module) if not hasattr(found, name)] == []


@pytest.mark.full
def test_the_list_is_no_longer_than_it_must_be() -> None:
    """Each name is taken by a plugin or an example, or is explained on a page."""
    taken = set()
    for plugin in SOURCES:
        for file in [plugin] if plugin.is_file() else plugin.rglob("*.py"):
            taken |= {*imported(file.read_text(encoding="utf-8"))}
    pages = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md")]
    written = "\n".join(text.replace(SECTION, "") for text in pages)
    for module, names in LISTED.items():
        used = any(other == module for other, _ in taken) or module in written
        assert used, f"{module} is in the list, and no plugin or page uses it"
        for name in names or ():
            assert (module, name) in taken or re.search(rf"\b{name}\b", written), (module, name)


def test_a_name_that_is_not_listed_is_found() -> None:
    assert forbidden("from dragon.bits import u64") == []
    assert forbidden("from dragon.search.driver import KernelDriver, PaceKeeper") == [
        "dragon.search.driver.PaceKeeper"
    ]
    assert forbidden("from dragon.boards import sight\nsight.KING\nsight.PAWN") == [
        "dragon.boards.sight.PAWN"
    ]
    assert forbidden("import dragon\ndragon.game('nim')\ndragon.cli") == ["dragon.cli"]
    assert forbidden("from dragon.compiler.specialise import specialise, Kernels") == [
        "dragon.compiler.specialise.Kernels"
    ]
    assert forbidden("from dragon.rules import interpreted\ninterpreted.bind") == [
        "dragon.rules.interpreted.bind"
    ]
