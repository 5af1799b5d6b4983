"""Modules that moved: an old name is told with its new place, which is there."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

import dragon
from dragon.moved import MOVED, Finder, install


@pytest.mark.parametrize("old", MOVED)
def test_an_old_name_says_where_its_module_is(old: str) -> None:
    import_module(MOVED[old])
    with pytest.raises(ModuleNotFoundError, match="has moved: see ") as caught:
        import_module(old)
    assert caught.value.name == old
    assert f"{old} has moved: see {MOVED[old]}, and" in str(caught.value)


def test_other_names_are_missing_as_ever() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'dragon\.nothing'"):
        import_module("dragon.nothing")


def test_the_finder_is_asked_once_and_last() -> None:
    assert dragon.game("nim")
    install()
    assert sys.meta_path.count(Finder) == 1
