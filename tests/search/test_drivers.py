"""Drivers that are kept for the next search: it finds what a new one would."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import attrs
import numpy as np
import pytest

import dragon
from dragon import Limit, Position, Result, State
from dragon.bits import Random
from dragon.errors import RuleError
from dragon.modes import CHECKED, JIT
from dragon.rules.record import RecordState
from dragon.search.driver import Lines, settings_of

pytestmark = pytest.mark.samples(1)

compiled = import_module("dragon.search.alphabeta.driver")


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
    assert driver.fits(search, state)
    assert not driver.fits(search, dragon.game("tictactoe").start())
    assert not driver.fits(dragon.search("alphabeta"), state)
    for mode, value in ((CHECKED, "1"), (JIT, "numba")):
        with mode.under(value):
            assert not driver.fits(search, state)


@pytest.mark.parametrize("spec", ["connect4", "chess", "nex(rows=3, cols=3)"])
def test_lines_are_written_as_their_states_write_them(spec: str) -> None:
    root, random = dragon.game(spec).start(), Random(5)
    lines = Lines(root.rules)
    lines.begin(root)
    codes, texts = walked(root, random, 9)
    for n in (3, 1, 9, 0, 6):
        assert lines(codes[:n]) == tuple(texts[:n])
    for plies in (9, 8, 9):  # which leave the line before somewhere
        codes, texts = walked(root, random, plies)
        assert lines(codes) == tuple(texts)
    second = root.play(codes[0])
    lines.begin(second)
    assert lines(codes[1:]) == tuple(texts[1:])


def walked(state: RecordState, random: Random, plies: int) -> tuple[list[int], list[str]]:
    """The codes and the texts of random moves."""
    codes, texts = [], []
    for _ in range(plies):
        if state.turn == dragon.TERMINAL:
            break
        codes.append(int(state.moves().codes[random(len(state.moves()))]))
        texts.append(state.text(codes[-1]))
        state = state.play(codes[-1])
    return codes, texts


def test_a_rule_that_fails_in_a_line_is_named() -> None:
    def play(s: Any, code: int) -> None:
        if code > 6:
            raise ValueError("no such column")

    lines = Lines(attrs.evolve(STATES[0].rules, play=play, first=b""))
    lines.begin(STATES[0])
    with pytest.raises(RuleError, match="no such column"):
        lines([7, 3])


def test_a_generator_is_made_when_something_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def default_rng(seed: Any) -> np.random.Generator:
        made.append(seed)
        return np.random.Generator(np.random.PCG64(seed))

    monkeypatch.setattr(np.random, "default_rng", default_rng)
    plain, shuffled = dragon.search("alphabeta"), dragon.search("alphabeta(shuffle=true)")
    plain.open().best(Position(STATES[0]), Limit(nodes=10), 3)
    assert made == []
    shuffled.open().best(Position(STATES[0]), Limit(nodes=10), 3)
    assert made == [3]


def test_what_is_drawn_depends_on_the_seed_even_where_a_search_says_it_does_not() -> None:
    drawn = []

    class Drawing(dragon.Run):
        def improve(self, position: Any, limit: Limit, rng: Any) -> Iterator[Result]:
            drawn.append(int(rng.integers(1 << 60)))
            yield Result(0.0)

    for rng in (0, 0, 1, np.random.default_rng(1)):
        Drawing(dragon.search("alphabeta")).best(Position(STATES[0]), rng=rng)
    assert drawn[0] == drawn[1] != drawn[2] == drawn[3]


def test_large_memory_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "MOST_BYTES", 1000)
    dragon.search("alphabeta").best(STATES[0], Limit(nodes=100))
    assert compiled._free == []


def of_a_game(search: str, spec: str, first_plies: int, limit: Limit) -> list[Any]:
    """Give a run's results for a game's first states, with room at first for these plies."""
    compiled.FIRST_PLIES = first_plies
    compiled._free.clear()
    found, state = [], dragon.game(spec).start()
    with dragon.search(search).open() as run:
        for _ in range(3):
            result = run.best(Position(state), limit)
            found.append(said(result))
            state = state.after(result.move)
    return found


@pytest.mark.full
@pytest.mark.parametrize(
    ("spec", "settings", "first"),
    [
        ("connect4", "deepening=true", 6),
        ("breakthrough(rows=4, columns=3)", "deepening=true", 3),
        ("reversi(size=4)", "deepening=false", 2),
        ("chess", "quiescence=4", 4),
    ],
)
def test_plies_get_room_as_lines_become_long(
    spec: str, settings: str, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, deepened = list[int](), compiled.deepened

    def counted(m: Any, plies: int) -> Any:
        made.append(plies)
        return deepened(m, plies)

    monkeypatch.setattr(compiled, "deepened", counted)
    monkeypatch.setattr(compiled, "FIRST_PLIES", compiled.FIRST_PLIES)  # is put back
    search, limit = f"alphabeta({settings})", Limit(nodes=20_000)
    known = of_a_game(search, spec, 1000, limit)
    assert not made
    assert of_a_game(search, spec, first, limit) == known
    assert made[0] == 4 * first


@pytest.mark.full
def test_plies_get_room_in_every_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "FIRST_PLIES", compiled.FIRST_PLIES)
    search = "alphabeta(deepening=false, threads=2)"
    known = of_a_game(search.replace("2", "1"), "reversi(size=4)", 1000, Limit())
    found = of_a_game(search, "reversi(size=4)", 2, Limit())
    assert [each[:2] for each in found] == [each[:2] for each in known]


def test_a_driver_that_is_kept_has_no_large_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "FIRST_MEGABYTES", 0.01)
    dragon.search("alphabeta").best(STATES[0], Limit(nodes=3000))
    (driver,) = compiled._free
    assert driver.m.table.nbytes < 1000


def test_settings_have_one_record_before_and_after_their_types_are_resolved() -> None:
    @attrs.frozen
    class Settings:
        depth: int = 1
        sooner: bool | None = None
        share: float | str = 0.5
        name: str = ""

    before: Any = settings_of.__wrapped__(Settings, share="i8", seed="u8")
    attrs.resolve_types(Settings)
    after: Any = settings_of.__wrapped__(Settings, share="i8", seed="u8")
    assert before == after
    assert before.names == ("depth", "sooner", "share", "seed")
