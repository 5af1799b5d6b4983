"""Modules that moved: an old name is told with its new place, which is there."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import dragon
from dragon.bits import Random
from dragon.errors import one_line
from dragon.moved import KEPT, MOVED, NAMES, Finder, install
from dragon.rules.record import rules_of
from dragon.rules.rehearsal import kernels_of


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


def test_the_changelog_names_every_module_that_moved() -> None:
    text = (Path(__file__).parents[1] / "CHANGELOG.md").read_text(encoding="utf-8")
    names = {old: re.escape(old.rpartition(".")[2]) for old in MOVED}
    assert not [old for old, name in names.items() if not re.search(rf"[`.]{name}[`.]", text)]


KERNEL = "dragon.rules.kernels.playout.finish"
"""A kernel that moved, where the rule of the same name is now imported."""


@pytest.mark.parametrize("old", sorted(NAMES.keys() - {KERNEL}))
def test_an_old_name_says_what_it_has_become(old: str) -> None:
    module, _, name = old.replace("*", "moves").rpartition(".")
    with pytest.raises(ImportError, match=re.escape(f"{module}.{name} {NAMES[old]}")):
        exec(f"from {module} import {name}", {})
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        import_module(module).nothing  # noqa: B018


def test_a_kernel_that_calls_the_former_kernel_finish_is_told_its_new_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "of_former_times.py").write_text(
        "from dragon.rules.kernels.playout import finish\n"
        "from dragon.rules.template import kernel\n\n\n"
        "@kernel\ndef play(s, out, weights, random):\n"
        "    return finish(s, out, weights, random, False)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    rules = rules_of(dragon.game("connect4"))
    given = np.zeros(1, rules.layout)[0], np.zeros(9, int), np.zeros(0), Random(1).state
    with pytest.raises(dragon.RuleError, match=f"kernel of this name {NAMES[KERNEL]}"):
        kernels_of("of_former_times", rules).play(*given)


def test_a_name_that_a_module_does_not_have_comes_with_a_remedy() -> None:
    for source, remedy in (
        ("from dragon.cli_tools import Grup", "did you mean 'Group'?"),
        ("import dragon.cli_tools\ndragon.cli_tools.Grup", "did you mean 'Group'?"),
        ("from dragon.boards.squares import EDGE", 'see "What plugins may import" in the'),
    ):
        with pytest.raises((ImportError, AttributeError)) as caught:
            exec(source, {})
        assert f"; {remedy}" in one_line(caught.value)


def test_other_names_are_missing_as_ever() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'dragon\.nothing'"):
        import_module("dragon.nothing")


def test_the_finder_is_asked_once_and_last() -> None:
    assert dragon.game("nim")
    install()
    assert sys.meta_path.count(Finder) == 1
