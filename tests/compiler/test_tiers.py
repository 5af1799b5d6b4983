"""Code that is quickly made, and what takes its place."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dragon
from dragon import Limit
from dragon.bits import Random
from dragon.compiler import cache, entries, kernel, specialise
from dragon.compiler.entries import Entry, Machine, compile_entry
from dragon.compiler.kernel import Tiered
from dragon.compiler.program import Program
from dragon.modes import JIT, OPTIMISED
from dragon.rules.playout import SLICE, playouts

NODES = 60_000
ALPHABETA = "dragon.search.alphabeta.kernel"


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An empty cache, and a process that has compiled nothing."""
    monkeypatch.setenv("DRAGON_CACHE", str(tmp_path))
    monkeypatch.setattr(specialise, "_kernels", {})
    with OPTIMISED.under("0"):
        yield


def searched(nodes: int = NODES) -> tuple[Any, ...]:
    """Give what a search of a few slices finds."""
    found = dragon.search("alphabeta(megabytes=1)").best(
        dragon.game("connect4").start(), Limit(nodes=nodes)
    )
    return found.nodes, found.value, found.line, found.extra["hits"]


def code() -> Any:
    """The way to the kernel's code."""
    (kernels,) = (each for each in specialise._kernels.values() if each.template == ALPHABETA)
    return kernels.resume


def kept() -> list[bool]:
    """Tell of each kernel of that name on the disk if it was compiled quickly."""
    found = [each for each in cache.stored() if each.path.name.startswith("resume-")]
    return [cache.header_of(each)["hasty"] for each in found]


@pytest.mark.full
def test_what_has_run_for_long_is_compiled_anew_and_finds_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    quick = searched()
    assert isinstance(code(), Tiered)
    assert kept() == [True]
    monkeypatch.setattr(kernel, "LONG", code().spent + 1e-9)
    assert searched() == quick  # it has changed at one of the slices
    assert not isinstance(code(), Tiered)
    assert kept() == [False]
    specialise._kernels.clear()  # as in another process
    assert searched() == quick
    assert not isinstance(code(), Tiered)


def test_what_was_quickly_made_is_not_made_again_before_it_has_run_for_long() -> None:
    quick = searched(100)
    (file,) = (each.path for each in cache.stored() if each.path.name.startswith("resume-"))
    before = file.stat().st_ino
    specialise._kernels.clear()
    assert searched(100) == quick
    assert isinstance(code(), Tiered)
    assert file.stat().st_ino == before


@pytest.mark.full
def test_whoever_measures_time_is_given_the_best_at_once() -> None:
    quick = searched()
    for _ in range(2):  # from what was quickly made, and from what was not
        specialise._kernels.clear()
        with OPTIMISED.under("1"):
            assert searched() == quick
            assert not isinstance(code(), Tiered)
        assert kept() == [False]


@pytest.mark.full
def test_playouts_go_on_in_better_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def played() -> Any:
        return playouts(dragon.game("tictactoe").start(), 2 * SLICE + 7, Random(3))

    quick = played()
    monkeypatch.setattr(kernel, "LONG", -1.0)
    assert played() == quick
    assert [cache.header_of(each)["hasty"] for each in cache.stored()
            if each.path.name.startswith("playouts-")] == [False]  # fmt: skip
    with OPTIMISED.under("1"):
        assert played() == quick
    with JIT.under("0"):
        assert played() == quick


def total(numbers):  # type: ignore[no-untyped-def]
    found = 0
    for i in range(len(numbers)):
        found += numbers[i]
    return found


@pytest.mark.full
def test_where_nobody_counts_how_long_it_runs_it_is_the_best_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A Python without a quicker way to it than the entry itself does the same."""
    monkeypatch.setattr(entries, "fits", lambda: False)
    quick = searched(100)
    assert kept() == [False]
    with JIT.under("0"):
        assert searched(100) == quick


def test_arguments_of_another_kind_have_the_best_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program()

    def find(name: str, arguments: tuple[Any, ...]) -> Machine:
        made = Machine(*compile_entry(program, total, arguments, quick=True))
        made.better = lambda given: Machine(*compile_entry(program, total, given))
        return made

    entry = Entry("total", find)
    whole, parts = np.arange(5), np.arange(5) / 2
    assert entry(whole) == 10
    first = entry.call
    assert isinstance(first, Tiered)
    assert first(parts) == 5.0  # by way of the entry
    assert [each.better is None for each in entry._machines.values()] == [False, True]
    monkeypatch.setattr(kernel, "LONG", -1.0)
    assert (first(parts), first(whole), first(parts)) == (5.0, 10, 5.0)
    assert all(each.better is None for each in entry._machines.values())
    assert not isinstance(entry.call, Tiered)
    assert first(np.zeros(3, np.int32)) == 0  # whoever still has the old way


@pytest.mark.full
def test_what_was_quickly_made_in_this_process_is_not_timed() -> None:
    quick = searched(100)
    assert isinstance(code(), Tiered)
    with OPTIMISED.under("1"):
        assert searched(100) == quick
        assert not isinstance(code(), Tiered)


@pytest.mark.full
def test_threads_that_share_it_may_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = searched()
    monkeypatch.setattr(kernel, "LONG", code().spent + 1e-9)
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(searched, [NODES] * 4)) == {alone}
    assert not isinstance(code(), Tiered)
