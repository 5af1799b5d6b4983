"""Modules that moved: an old name is told with its new place, which is there."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

import dragon
from dragon.moved import KEPT, MOVED, Finder, install


@pytest.mark.parametrize("old", sorted(MOVED.keys() - KEPT))
def test_an_old_name_says_where_its_module_is(old: str) -> None:
    import_module(MOVED[old])
    with pytest.raises(ModuleNotFoundError, match="has moved: see ") as caught:
        import_module(old)
    assert caught.value.name == old
    assert f"{old} has moved: see {MOVED[old]}, and" in str(caught.value)


@pytest.mark.parametrize("old", sorted(KEPT))
def test_an_old_name_that_plugins_may_import_works_with_a_warning(old: str) -> None:
    sys.modules.pop(old, None)
    new = import_module(MOVED[old])
    with pytest.warns(DeprecationWarning, match=f"{old} has moved; import {MOVED[old]}"):
        module = import_module(old)
    names = [k for k, v in vars(new).items() if getattr(v, "__module__", "") == new.__name__]
    assert len(names) > 3
    assert all(getattr(module, name) is getattr(new, name) for name in names)


def test_other_names_are_missing_as_ever() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'dragon\.nothing'"):
        import_module("dragon.nothing")


def test_the_finder_is_asked_once_and_last() -> None:
    assert dragon.game("nim")
    install()
    assert sys.meta_path.count(Finder) == 1
