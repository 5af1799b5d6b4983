"""The public face: `__all__` sorted and whole; the examples in docstrings run."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path
from types import ModuleType

import pytest

import dragon
import dragon.laws

PACKAGES = (
    "dragon",
    "dragon_boards",
    "dragon_cards",
    "dragon_classics",
    "dragon_hands",
    "dragon_nex",
    "dragon_pokemon",
    "dragon_puzzles",
    "dragon_small_world",
    "dragon_tournament",
    "dragon_ulti",
)


def constants_then_classes_then_functions(name: str) -> tuple[int, str]:
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


@pytest.mark.parametrize("module", [dragon, dragon.laws], ids=lambda m: m.__name__)
def test_all_is_sorted(module: ModuleType) -> None:
    assert list(module.__all__) == sorted(module.__all__, key=constants_then_classes_then_functions)


@pytest.mark.parametrize("module", [dragon, dragon.laws], ids=lambda m: m.__name__)
def test_all_is_whole(module: ModuleType) -> None:
    public = {
        name
        for name, value in (vars(module) | getattr(module, "_LAZY", {})).items()
        if not name.startswith("_") and not isinstance(value, ModuleType) and name != "annotations"
    }
    borrowed = (
        {"Any", "Game", "Iterator", "Search", "frozen"}
        if module is dragon.laws
        else {"TYPE_CHECKING"}
    )
    assert public - borrowed == set(module.__all__)


def with_examples() -> list[str]:
    """The modules that hold an example; to look for one in every object takes seconds."""
    found = []
    for package in PACKAGES:
        (folder,) = importlib.import_module(package).__path__
        for path in sorted(Path(folder).rglob("*.py")):
            if ">>> " in path.read_text(encoding="utf-8"):
                parts = (package, *path.relative_to(folder).with_suffix("").parts)
                found.append(".".join(part for part in parts if part != "__init__"))
    return found


@pytest.mark.parametrize("name", with_examples())
def test_the_examples_of_a_module_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linecache.checkcache", lambda *_: None)  # a look at each file ever read
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert failed == 0
    assert tried > 0


def test_the_names_of_covers_are_sorted_and_no_module_hides_one() -> None:
    import dragon.cover

    modules = {path.stem for path in Path(dragon.cover.__file__).parent.glob("*.py")}
    assert dragon.cover.__all__ == sorted(dragon.cover.__all__)
    assert modules.isdisjoint(dragon.cover.__all__)
