"""Plugins import of dragon what the reference says they may."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
LISTED = REFERENCE.partition("\n## What plugins may import\n")[2].partition("\n## ")[0]
PUBLIC = ["dragon", *re.findall(r"`(dragon\.[\w.]+)`", LISTED)]
SOURCES = [
    p
    for folder in ("games", "tournaments", "tests/plugin")
    for p in (ROOT / folder).glob("dragon_*")
]
SNIPPETS = re.compile(r"^```py(?:thon|con)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def imported(source: str) -> Iterator[tuple[str, list[str]]]:
    """Each module of dragon that a source imports, and the names it takes of it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)


def forbidden(source: str) -> list[str]:
    """The modules and names of dragon that a source imports and should not."""
    found = []
    for module, names in imported(source):
        if module.partition(".")[0] != "dragon":
            continue
        whole = [f"{module}.{name}" for name in names] if module in ("dragon", "dragon.web") else []
        for path in whole or [module]:
            listed = any(path == each or path.startswith(f"{each}.") for each in PUBLIC[1:])
            own = module == "dragon" and not (ROOT / f"{path.replace('.', '/')}.py").exists()
            if not (listed or own or path == "dragon"):
                found.append(path)
        found += [f"{module}.{name}" for name in names if name.startswith("_")]
    return found


@pytest.mark.parametrize("plugin", SOURCES, ids=lambda path: path.stem)
def test_plugins_import_what_they_may(plugin: Path) -> None:
    files = [plugin] if plugin.is_file() else sorted(plugin.rglob("*.py"))
    wrong = {str(f): found for f in files if (found := forbidden(f.read_text(encoding="utf-8")))}
    assert wrong == {}


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.stem)
def test_examples_import_what_plugins_may(page: Path) -> None:
    for snippet in SNIPPETS.findall(page.read_text(encoding="utf-8")):
        lines = [line.removeprefix(">>> ") for line in snippet.splitlines()]
        source = "\n".join(line for line in lines if re.match(r"(from|import) [\w. ,]+$", line))
        assert forbidden(source) == []


def test_what_is_listed_is_there() -> None:
    assert len(PUBLIC) > 15
    for module in PUBLIC:
        path = ROOT / module.replace(".", "/")
        assert path.is_dir() or path.with_suffix(".py").exists(), module
