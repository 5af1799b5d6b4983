"""Threads that search one state on one table: proofs that are right, however they interleave."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import dragon
from dragon import Bound, Limit, State
from dragon.bits import Random, mix, u64
from dragon.modes import JIT
from dragon.search.alphabeta.depth import late_move_reduction
from dragon.search.alphabeta.driver import Helper, ThreadedDriver
from dragon.search.alphabeta.moves import LAST, LEAST_DEPTH, LEAST_NODES, overtaken, reduction
from dragon.search.alphabeta.search import AlphaBeta
from dragon.search.driver import PAUSED
from dragon.search.move_ordering import SECOND_KILLER
from dragon.search.table import ENTRY, EXACT, LOWER, Lease, probe, store
from dragon.search.two_sided import side
from tests.compiler.compiled import compile_function

pytestmark = pytest.mark.samples(1)

compiled = import_module("dragon.search.alphabeta.driver")
moves = import_module("dragon.search.alphabeta.moves")
driver = import_module("dragon.search.driver")
SMALL = {
    "nex(rows=3, cols=3)": 1,
    "hex(size=3)": 1,
    "tictactoe": 2,
    "connect4": 22,
    "nim(pile=10)": 0,
}
"""Games, and how many random plies are played before they are solved."""
LARGE = {
    "hex(size=4)": 2,
    "breakthrough(rows=4, columns=4)": 2,
    "domineering(rows=5, columns=5)": 2,
    "dots_and_boxes(rows=2, columns=2)": 2,
    "nex(rows=3, cols=4)": 1,
    "reversi": 52,
    "ulti(contract='party')": 12,
}


@pytest.fixture(autouse=True)
def helpers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Helpers join before the first node, and slices are short, so that small trees are shared."""
    monkeypatch.setattr(compiled, "ALONE", 0)
    monkeypatch.setattr(driver, "SLICE", 2000)


def drawn(spec: str, plies: int, seed: int) -> State[Any]:
    """A state that is not over after this number of random plies, of those that are worth a try."""
    state, random = dragon.game(spec).start(seed), Random(seed)
    for _ in range(plies):
        moves = state.distinct()
        after = state.after(moves[random(len(moves))])
        if after.turn == dragon.TERMINAL:
            break
        state = after
    return state


def check(spec: str, plies: int, seed: int, threads: int) -> None:
    state = drawn(spec, plies, seed)
    known = dragon.search("alphabeta").best(state)
    # eight entries to a thousand: they are overwritten all the time
    megabytes = (0.0002, 0.003, 0.03)[seed % 3]
    found = dragon.search(f"alphabeta(threads={threads}, megabytes={megabytes})").best(state)
    assert (found.value, found.bound) == (known.value, Bound.EXACT)
    assert found.extra.get("distance") == known.extra.get("distance")
    here = state
    for move in found.line:
        assert move in here.moves()
        here = here.after(move)
    if here.turn == dragon.TERMINAL:
        assert here.payoff()[0] * side(state) == known.value


@pytest.mark.full
@pytest.mark.parametrize("spec", SMALL)
def test_threads_on_a_tiny_table_find_the_value(spec: str) -> None:
    for seed in range(6):
        check(spec, SMALL[spec], seed, 2 + seed % 2)


@pytest.mark.full
@pytest.mark.parametrize("spec", {**SMALL, **LARGE})
def test_threads_find_the_value_whatever_the_seed(spec: str) -> None:
    plies = {**SMALL, **LARGE}[spec]
    for seed in range(200 if spec in SMALL else 20):
        check(spec, plies, seed, 2 + seed % 3)


@pytest.mark.parametrize("spec", ["tictactoe", "nex(rows=3, cols=3)"])
def test_threads_agree_with_a_search_of_everything(spec: str) -> None:
    state = dragon.game(spec).start()
    if spec != "tictactoe":
        state = drawn(spec, 5, 1)
    found = dragon.search("alphabeta(threads=2)").best(state)
    assert found.value == dragon.search("exhaustive").best(state).value


@pytest.mark.full
@pytest.mark.parametrize("settings", ["driver='mtdf'", "deepening=false", "pvs=false, late=true"])
def test_other_settings_have_threads_too(settings: str) -> None:
    state = drawn("connect4", 26, 4)
    known = dragon.search("alphabeta").best(state)
    found = dragon.search(f"alphabeta(threads=2, {settings})").best(state)
    assert (found.value, found.bound) == (known.value, known.bound)


def test_all_nodes_count_and_none_is_too_many() -> None:
    state = dragon.game("connect4").start()
    for nodes in (1, 2, 777, 5001):
        assert dragon.search("alphabeta(threads=3)").best(state, Limit(nodes=nodes)).nodes == nodes


def test_fewer_nodes_than_threads_are_one_thread_s_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else helpers with nothing to do end the slice before it begins, thousands of times."""
    slices, work = [], ThreadedDriver.work

    def counted(self: Any, stop: int) -> int:
        slices.append(stop)
        return int(work(self, stop))

    monkeypatch.setattr(ThreadedDriver, "work", counted)
    state = dragon.game("connect4").start()
    for _ in range(5):
        dragon.search("alphabeta(threads=3)").best(state, Limit(nodes=5001))
    assert len(slices) < 500


def test_a_small_search_has_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "ALONE", 10**9)
    monkeypatch.setattr(Helper, "__init__", lambda *_: pytest.fail("there is a helper"))
    state = drawn("connect4", 26, 4)
    known = dragon.search("alphabeta").best(state)
    assert dragon.search("alphabeta(threads=2)").best(state).nodes == known.nodes


@pytest.mark.parametrize("settings", ["threads=2, table=false", "threads=2"])
def test_one_thread_where_there_is_no_table_or_nothing_compiled(settings: str) -> None:
    state = drawn("tictactoe", 3, 1)
    one = dragon.search(f"alphabeta({settings.replace('2', '1')})")
    with JIT.under("1" if "table" in settings else "0"):
        known, found = one.best(state), dragon.search(f"alphabeta({settings})").best(state)
    assert (found.nodes, found.line) == (known.nodes, known.line)


def test_the_table_grows_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "FIRST_MEGABYTES", 0.003)
    state = drawn("connect4", 22, 1)
    known = dragon.search("alphabeta").best(state)
    search = dragon.search("alphabeta(threads=2, megabytes=1)")
    drivers, grow = list[ThreadedDriver](), ThreadedDriver.grow

    def grown(self: ThreadedDriver) -> None:
        grow(self)
        drivers.append(self)
        for helper in self.helpers:
            assert helper.m.table is self.m.table
            assert helper.run["age"][0] == self.run["age"][0]

    monkeypatch.setattr(ThreadedDriver, "grow", grown)
    with search.open() as run:
        found = run.best(dragon.Position(state))
        assert len(run._lease.table.entries) > 1000
    assert any(driver.helpers for driver in drivers)
    assert found.nodes > 10_000
    assert (found.value, found.bound) == (known.value, known.bound)


def test_a_helper_that_is_done_first_has_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    state = drawn("connect4", 26, 4)
    known = dragon.search("alphabeta").best(state)
    search = dragon.search("alphabeta(threads=2)")
    search.best(state)  # compiles

    def waits(self: Any) -> int:
        time.sleep(0.01)  # so that the helper begins before the slice ends
        return PAUSED

    monkeypatch.setattr(ThreadedDriver, "_resume", waits)
    found = search.best(state)
    assert (found.value, found.bound, found.line[-1:]) == (
        known.value,
        known.bound,
        known.line[-1:],
    )
    assert len(found.line) == len(known.line)


def begun_since(before: set[threading.Thread]) -> set[threading.Thread]:
    """Give the threads that run now and did not before.

    Those of earlier tests may end meanwhile, and a daemon, which watches a search, begin.
    """
    return {thread for thread in threads() if not thread.daemon} - before


def threads() -> set[threading.Thread]:
    return set(threading.enumerate())


def test_what_goes_wrong_in_a_helper_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    state, before = drawn("connect4", 8, 4), threads()

    def broken(self: Any) -> int:
        if np.any(self.m.runs["stop"]):  # not while it is made
            raise ZeroDivisionError
        return PAUSED

    search: Any = dragon.search("alphabeta(threads=2)")
    driver: Any = search.prepare(state, Limit(), 0, Lease(1.0))
    with monkeypatch.context() as patch:
        patch.setattr(Helper, "_resume", broken)
        with pytest.raises(ZeroDivisionError):
            driver.search(30, -driver.most, driver.most)
    assert not begun_since(before)
    driver.restart(state, Limit(nodes=50_000))
    assert not driver.search(30, -driver.most, driver.most).finished, "the next one goes on"
    assert driver.budget.nodes == 50_000
    driver.release()
    assert not begun_since(before)


def test_ctrl_c_ends_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    state, before = drawn("connect4", 8, 4), threads()
    resume, slices = ThreadedDriver._resume, iter(range(100))

    def pressed(self: Any) -> int:
        if next(slices) == 5:
            raise KeyboardInterrupt
        return resume(self)

    monkeypatch.setattr(ThreadedDriver, "_resume", pressed)
    with pytest.raises(KeyboardInterrupt):
        dragon.search("alphabeta(threads=2)").best(state)
    assert not begun_since(before)


@pytest.mark.full
def test_a_run_that_is_left_early_leaves_no_threads() -> None:
    state, before = drawn("chess", 8, 4), threads()
    with dragon.search("alphabeta(threads=2)").open() as run:
        results = run.improve(dragon.Position(state), Limit(), np.random.default_rng(1))
        while next(results).nodes < 10_000:
            pass
        helpers = begun_since(before)
        assert helpers
        results.close()
    for helper in helpers:
        helper.join(timeout=10)
    assert not begun_since(before)


@pytest.mark.full
def test_threads_agree_on_what_they_have_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    state, seen = drawn("chess", 8, 4), []
    agree = ThreadedDriver._agree

    def agrees(self: ThreadedDriver) -> None:
        each = [driver.m.history.copy() for driver in (self, *self.helpers)]
        agree(self)
        for driver in (self, *self.helpers):
            assert (driver.m.history == sum(each) // len(each)).all()
        seen.append(any((one != each[0]).any() for one in each[1:]))

    monkeypatch.setattr(ThreadedDriver, "_agree", agrees)
    dragon.search("alphabeta(threads=3)").best(state, Limit(depth=7))
    assert any(seen)


def test_threads_do_not_repeat_themselves_and_say_so() -> None:
    assert dragon.search("alphabeta").deterministic
    assert not dragon.search("alphabeta(threads=2)").deterministic


def test_a_page_has_one_thread() -> None:
    from dragon.errors import ConfigError
    from dragon.publish.publication import player_of

    with pytest.raises(ConfigError, match="a page has one thread for it"):
        player_of(dragon.search("alphabeta(threads=2)"), dragon.game("tictactoe").start())


# ---- the table itself


@pytest.mark.parametrize("part", [name for name in ENTRY.names or () if name != "mark"])
def test_a_torn_entry_is_none(part: str) -> None:
    """An entry of which another thread has written one field so far."""
    table, other = np.zeros((2, 4), ENTRY)
    store(table.view(np.recarray), 1, u64(8), 65_533, 3, 5, EXACT)
    store(other.view(np.recarray), 1, u64(8), 65_532, 2, 4, LOWER)
    assert probe(table.view(np.recarray), 1, u64(8)) == (0, 65_533, 3, 5, EXACT)
    table[0][part] = other[0][part]
    assert probe(table.view(np.recarray), 1, u64(8)) == (-1, 0, -1, 0, 0)


def hammer(table: Any, seed: int, turns: int) -> int:
    """Stores and probes a few keys by turns; how many entries no thread had stored so."""
    wrong = 0
    for i in range(turns):
        drawn = mix(u64(seed + i))
        key, value = mix(drawn & u64(7)), int((drawn >> u64(8)) & u64(255)) - 128
        move, depth = (value + 128) * 3, (value + 128) % 100
        if drawn & u64(1 << 40):
            store(table, 1, key, value, move, depth, 1 + (value + 128) % 3)
        else:
            at, value, move, depth, bound = probe(table, 1, key)
            if at >= 0 and (move != (value + 128) * 3 or depth != (value + 128) % 100
                            or bound != 1 + (value + 128) % 3):  # fmt: skip
                wrong += 1
    return wrong


@pytest.mark.full
def test_no_thread_reads_what_no_thread_wrote() -> None:
    table, run = np.zeros(4, ENTRY), compile_function(hammer)  # type: ignore[arg-type]
    assert run.call(table, 1, 1000) == 0
    with ThreadPoolExecutor(2) as pool:
        wrong = pool.map(lambda seed: run.call(table, seed, 10_000_000), (10, 10**9))
    assert [*wrong] == [0, 0]


KEY = u64(123456789)


def frame(**others: Any) -> Any:
    """A frame in a zero window, back from its first move."""
    usual = {"at": 1, "n": 30, "base": 0, "put_off": 0, "depth": LEAST_DEPTH + 2, "key": KEY,
             "banked": 0, "alpha": 7, "first_alpha": 7, "beta": 8, "sign": -1,
             "seat": 1, "began": 1000}  # fmt: skip
    return SimpleNamespace(**usual | others)


@pytest.mark.parametrize(
    ("others", "decided"),
    [
        ({}, True),
        ({"depth": LEAST_DEPTH + 3}, False),
        ({"depth": LEAST_DEPTH - 1}, False),
        ({"at": 0}, False),
        ({"began": 1001}, False),
        ({"key": u64(5)}, False),
        ({"alpha": 8, "first_alpha": 8, "beta": 9}, True),
        ({"alpha": 9, "first_alpha": 9, "beta": 10}, False),
        ({"first_alpha": 3}, False),
    ],
)
def test_what_another_thread_has_found_decides(others: dict[str, Any], decided: bool) -> None:
    table = np.zeros(16, ENTRY).view(np.recarray)
    store(table, 1, KEY, 9, 0, LEAST_DEPTH + 2, LOWER)
    run = SimpleNamespace(age=1, nodes=1000 + LEAST_NODES)
    found = SimpleNamespace(hits=0, value_seat0=None, horizon=None, partial=1)
    m = SimpleNamespace(frames=[frame(), frame(**others)], table=table, runs=[run], results=[found])
    assert overtaken(m, 1) == decided
    assert (found.value_seat0, found.hits) == ((-9, 1) if decided else (None, 0))
    assert not overtaken(m, 0), "the root has a line to tell"


@pytest.mark.full
@pytest.mark.parametrize("seed", range(4))
def test_of_what_is_proven_the_line_goes_to_the_end(seed: int) -> None:
    state = dragon.game("chess").parse("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1")
    found = dragon.search("alphabeta(threads=2)").best(state, Limit(depth=6), seed=seed)
    assert (found.value, found.bound, len(found.line)) == (1.0, Bound.EXACT, 3)
    for move in found.line:
        state = state.after(move)
    assert state.turn == dragon.TERMINAL


def test_a_move_that_is_put_off_is_as_late_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "SHARED", True)
    on = AlphaBeta(late=True)
    m = SimpleNamespace(scores=[0] * 28 + [SECOND_KILLER, LAST - 1], settings=[on])
    for at, put_off in ((3, 0), (3, 1), (11, 0), (11, 1), (9, 3)):
        f = frame(at=at, put_off=put_off, depth=8)
        assert reduction(m, f) == late_move_reduction(on, 8, at + put_off, 0)
    assert reduction(m, frame(at=28, depth=8)) == 0
    assert reduction(m, frame(at=29, depth=8)) == 1


@pytest.mark.full
def test_threads_have_history_and_killers_of_their_own() -> None:
    """Both would wait for one another's lines, as two that write to one do."""
    search: Any = dragon.search("alphabeta(threads=2)")
    driver: Any = search.prepare(dragon.game("chess").start(), Limit(), 0, Lease(1.0))
    driver.search(3, -driver.most, driver.most)
    (helper,) = driver.helpers
    for name in ("history", "killers"):
        assert not np.shares_memory(getattr(helper.m, name), getattr(driver.m, name))
    for name in ("table", "claims"):
        assert np.shares_memory(getattr(helper.m, name), getattr(driver.m, name))
