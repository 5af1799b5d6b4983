"""The public face: `__all__` sorted and whole; the examples in docstrings run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest

import dragon
import dragon.laws

PACKAGES = (
    "dragon",
    "dragon_classics",
    "dragon_hands",
    "dragon_nex",
    "dragon_pokemon",
    "dragon_puzzles",
    "dragon_small_world",
    "dragon_tournament",
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
        for name, value in vars(module).items()
        if not name.startswith("_") and not isinstance(value, ModuleType) and name != "annotations"
    }
    borrowed = {"Any", "Game", "Iterator", "Search", "frozen"} if module is dragon.laws else set()
    assert public - borrowed == set(module.__all__)


def every_module() -> list[str]:
    names = []
    for package in PACKAGES:
        names.append(package)
        path = importlib.import_module(package).__path__
        names += [m.name for m in pkgutil.walk_packages(path, f"{package}.")]
    return [name for name in names if not name.endswith("__main__")]


@pytest.mark.parametrize("name", every_module())
def test_the_examples_of_a_module_run(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_the_names_of_covers_are_sorted_and_no_module_hides_one() -> None:
    import dragon.cover

    modules = {path.stem for path in Path(dragon.cover.__file__).parent.glob("*.py")}
    assert dragon.cover.__all__ == sorted(dragon.cover.__all__)
    assert modules.isdisjoint(dragon.cover.__all__)
