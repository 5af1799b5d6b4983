"""Drivers that are kept for the next search: it finds what a new one would."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

import dragon
from dragon import Limit, Result, State
from dragon.modes import CHECKED, JIT

compiled = import_module("dragon.search.alphabeta.compiled")


def after(moves: str) -> State[Any]:
    state = dragon.game("connect4").start()
    for move in moves:
        state = state.after(move)
    return state


STATES = [after(moves) for moves in ("", "4444", "12345", "4453", "44444")]


def said(result: Result) -> tuple[Any, ...]:
    return result.value, result.bound, result.line, result.nodes, result.extra


@pytest.fixture(autouse=True)
def none_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_free", [])


@pytest.mark.parametrize(
    "settings", ["", "shuffle=true", "table=false", "driver='mtdf'", "megabytes=0.01"]
)
def test_a_search_that_is_asked_again_answers_as_a_new_one(settings: str) -> None:
    search, limit = dragon.search(f"alphabeta({settings})"), Limit(nodes=3000)
    kept, new = [], []
    for i, state in enumerate(STATES * 2):
        kept.append(said(search.best(state, limit, seed=i % 3)))
        assert len(compiled._free) == 1, "there is one driver, and it was given back"
    for i, state in enumerate(STATES * 2):
        compiled._free.clear()
        new.append(said(search.best(state, limit, seed=i % 3)))
    assert kept == new


def test_searches_that_take_turns_have_a_driver_each() -> None:
    search, limit = dragon.search("alphabeta"), Limit(nodes=3000)
    alone = [[said(result) for result in search.results(state, limit)] for state in STATES[:3]]
    streams = [search.results(state, limit) for state in STATES[:3]]
    turns: list[list[Any]] = [[], [], []]
    for _ in range(40):
        for turn, stream in zip(turns, streams, strict=True):
            turn += [said(result) for result in [next(stream, None)] if result is not None]
    assert turns == alone
    assert len(compiled._free) == 2


def test_a_search_that_is_left_keeps_its_driver() -> None:
    search = dragon.search("alphabeta")
    stream = search.results(STATES[0], Limit(nodes=3000))
    next(stream)
    stream.close()
    assert compiled._free == []


def test_a_driver_serves_the_same_question_alone() -> None:
    search, state = dragon.search("alphabeta"), STATES[0]
    search.best(state, Limit(depth=3))
    (driver,) = compiled._free
    assert driver.fits(search, state, Limit(depth=3, nodes=5))
    assert not driver.fits(search, state, Limit(depth=4))
    assert not driver.fits(search, dragon.game("tictactoe").start(), Limit(depth=3))
    assert not driver.fits(dragon.search("alphabeta"), state, Limit(depth=3))
    for mode, value in ((CHECKED, "1"), (JIT, "numba")):
        with mode.under(value):
            assert not driver.fits(search, state, Limit(depth=3))


def test_large_memory_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "MOST_BYTES", 1000)
    dragon.search("alphabeta").best(STATES[0], Limit(nodes=100))
    assert compiled._free == []
