"""Tables that are lent: an empty one each time, however often its memory has served."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

import dragon
from dragon import Position
from dragon.bits import mix
from dragon.modes import JIT
from dragon.search.dfpn.kernel import PROOF_LOAD
from dragon.search.table import (
    ENTRY,
    EXACT,
    GROWTH,
    KEPT,
    LAST_AGE,
    LOAD,
    RECORD,
    Lease,
    Table,
    age_of,
    borrow,
    give_back,
    probe,
    reach,
    store,
    transfer,
)
from dragon.search.table import _free as free

pytestmark = pytest.mark.samples(1)


def begins_with(megabytes: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has tables begin so small that they soon grow."""
    for module in ("alphabeta.driver", "dfpn.driver"):
        home = import_module(f"dragon.search.{module}")
        monkeypatch.setattr(home, "FIRST_MEGABYTES", megabytes)


def size_after(search: str, limit: dragon.Limit) -> int:
    """Give how many entries the table has after a search of connect four."""
    with dragon.search(search).open() as run:
        run.best(Position(dragon.game("connect4").start()), limit)
        return len(run._lease.table.entries)  # type: ignore[attr-defined]


def kept(table: Table, key: int) -> bool:
    return probe(table.entries.view(np.recarray), table.age, key)[0] >= 0


def keep(table: Table, key: int, value: int, move: int, depth: int) -> None:
    store(table.entries.view(np.recarray), table.age, key, value, move, depth, EXACT)


def test_a_table_that_was_given_back_is_lent_again_and_empty() -> None:
    table = borrow(0.01)
    assert len(table.entries) == 256 == 1 << (10_000 // ENTRY.itemsize).bit_length() - 1
    keep(table, 77, 5, 0, 3)
    assert kept(table, 77)
    memory = table.entries
    give_back(table)
    again = borrow(0.01)
    assert again.entries is memory
    assert not kept(again, 77)
    assert len(borrow(0.02).entries) == 512


def test_an_old_deep_entry_does_not_keep_a_new_one_out() -> None:
    table = borrow(0.0005)
    keep(table, 8, 5, 0, 100)
    table.renew()
    keep(table, 8 + len(table.entries), 6, 1, 1)
    found = probe(table.entries.view(np.recarray), table.age, 8 + len(table.entries))
    assert found[:2] == (8, 6), "the first of its bucket"


def test_ages_begin_anew_without_reviving_what_was_kept() -> None:
    table = borrow(0.0005)
    first = table.age
    keep(table, 8, 5, 0, 100)
    for _ in range(LAST_AGE):
        table.renew()
        assert 1 <= table.age <= LAST_AGE
        if (table.age - first) % 64 == 0:  # as an age of fewer bits would be the same
            assert not kept(table, 8)
    assert table.age == first


def test_a_large_proof_does_not_give_way_to_small_ones() -> None:
    table = borrow(0.0005)
    count = len(table.entries)
    keep(table, 8, 5, 0, reach(9, False, 1000))
    for i in range(1, 9):
        keep(table, 8 + i * count, 6, 0, reach(9, False, 100 + i))
        assert kept(table, 8 + i * count)
        assert kept(table, 8)
    keep(table, 8 + 9 * count, 6, 0, reach(100, True, 10**6))
    assert kept(table, 8), "a guess is no proof, however many nodes it took"
    keep(table, 8 + 10 * count, 6, 0, reach(9, False, 2000))
    keep(table, 8 + 11 * count, 6, 0, reach(9, False, 1))
    assert not kept(table, 8)
    assert kept(table, 8 + 10 * count)


@pytest.mark.full
def test_a_search_does_with_a_small_table() -> None:
    """With 400 entries, and the newest of each two in the place of the larger: 541,102 nodes."""
    state = dragon.game("breakthrough(rows=5, columns=3)").start()
    assert dragon.search("alphabeta(megabytes=0.01)").best(state).nodes < 250_000


def test_few_tables_are_kept() -> None:
    for table in [borrow(0.0001 * 2**i) for i in range(6)]:
        give_back(table)
    assert len(free) <= KEPT
    give_back(None)


def test_what_was_kept_is_found_in_a_larger_table() -> None:
    old, lease = borrow(0.0016), Lease(0.1)
    lease.table = old
    keys = {int(mix(i + 1)): i for i in range(40)}
    for key, value in keys.items():
        keep(old, key, value, 0, value % 5)
    give_back(Table(np.zeros(2**8, ENTRY), 8))
    held = {key: value for key, value in keys.items() if kept(old, key)}
    assert 20 < len(held) < 40 < len(old.entries) == 64 == lease.grows_at() / LOAD
    new = lease.grow(transfer, RECORD)
    assert len(new.entries) == GROWTH * len(old.entries)
    entries = new.entries.view(np.recarray)
    for key, value in held.items():
        assert probe(entries, new.age, key)[1] == value
    assert (age_of(entries) == new.age).sum() == len(held)
    while lease.grows_at() < 1 << 60:
        lease.grow(transfer, RECORD)
    assert lease.table is not None
    assert lease.table.entries.nbytes <= 1e5 < 2 * lease.table.entries.nbytes, "all that may be"


def test_of_tables_that_were_outgrown_those_that_are_small_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home, left = import_module("dragon.search.table"), list[Table]()
    monkeypatch.setattr(home, "MOST_KEPT", 0.002)
    monkeypatch.setattr(home, "_free", left)
    lease = Lease(0.1)
    lease.table = first = borrow(0.0016)
    lease.grow(transfer, RECORD)
    lease.grow(transfer, RECORD)
    assert left == [first]


@pytest.mark.full
@pytest.mark.parametrize("search", ["alphabeta", "dfpn"])
def test_a_search_with_a_table_that_grows_is_the_same_in_plain_python(
    search: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins_with(0.003, monkeypatch)
    state, limit = dragon.game("tictactoe").start(), dragon.Limit(nodes=2500)
    grown, small = (dragon.search(f"{search}(megabytes={n})") for n in (1, 0.003))
    fast = grown.best(state, limit)
    with JIT.under("0"):
        plain = grown.best(state, limit)
    assert (fast.nodes, fast.line, fast.extra) == (plain.nodes, plain.line, plain.extra)
    assert fast.extra["hits"] > small.best(state, limit).extra["hits"]


@pytest.mark.full
def test_a_proof_by_a_table_that_grows_is_the_same_in_plain_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begins_with(0.002, monkeypatch)
    state, search = dragon.game("tictactoe").start(), dragon.search("dfpn(megabytes=1)")
    fast = search.best(state)
    with JIT.under("0"):
        plain = search.best(state)
    assert (fast.nodes, fast.line, fast.extra) == (plain.nodes, plain.line, plain.extra)
    assert len(fast.line) > 3


@pytest.mark.full
@pytest.mark.parametrize("search", ["alphabeta", "dfpn"])
@pytest.mark.parametrize("jit", ["0", "1"])
def test_a_table_grows_where_a_search_goes_on_alone(
    search: str, jit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins_with(0.01, monkeypatch)
    load = {"alphabeta": LOAD, "dfpn": PROOF_LOAD}[search]
    for nodes, size in ((256 * load, 256), (256 * load + 1, 2048)):
        with JIT.under(jit):
            assert size_after(f"{search}(megabytes=1)", dragon.Limit(nodes=nodes)) == size


@pytest.mark.parametrize("search", ["alphabeta", "alphabeta(threads=2)", "dfpn"])
def test_a_table_does_not_grow_where_time_is_short(
    search: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins_with(0.01, monkeypatch)
    monkeypatch.setattr(import_module("dragon.search.table"), "SECONDS_A_BYTE", 1.0)
    for seconds, size in ((100.0, 256), (None, 16384)):
        assert size_after(search, dragon.Limit(nodes=20_000, seconds=seconds)) == size


@pytest.mark.parametrize("search", ["alphabeta", "alphabeta(threads=2)", "dfpn"])
def test_where_memory_ends_a_table_stays_as_large_as_it_is(
    search: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins_with(0.003, monkeypatch)
    home, lend = import_module("dragon.search.table"), borrow

    def little(megabytes: float) -> Table:
        if megabytes > 0.01:
            raise MemoryError
        return lend(megabytes)

    state = dragon.game("tictactoe").start()
    known = dragon.search(search).best(state)
    monkeypatch.setattr(home, "borrow", little)
    found = dragon.search(search).best(state)
    assert (found.value, found.bound) == (known.value, known.bound)


@pytest.mark.full
@pytest.mark.parametrize("search", ["alphabeta", "dfpn"])
def test_a_table_grows_by_the_nodes_of_all_searches_that_it_serves(
    search: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins_with(0.01 if search == "alphabeta" else 0.005, monkeypatch)
    limit, found = dragon.Limit(nodes=400), []
    for mode in ("1", "0"):
        with JIT.under(mode), dragon.search(f"{search}(megabytes=1)").open() as run:
            state, seen = dragon.game("connect4").start(), []
            for _ in range(5):
                result = run.best(Position(state), limit)
                assert run._lease.table is not None  # type: ignore[attr-defined]
                entries = run._lease.table.entries  # type: ignore[attr-defined]
                seen.append((result.nodes, result.line, result.extra, len(entries)))
                state = state.after(result.move)
            found.append(seen)
    assert found[0] == found[1]
    sizes = [size for *_, size in found[0]]
    first = sizes[0]
    assert sizes == [first, first, *[GROWTH * first] * 3], "after 1024 nodes"


def test_a_search_repeats_itself_whatever_used_its_table_before() -> None:
    search = dragon.search("alphabeta(megabytes=0.01)")
    state, other = dragon.game("connect4").start(), dragon.game("nex(rows=3, cols=3)").start()
    limit = dragon.Limit(nodes=3000)
    first = search.best(state, limit)
    search.best(other, limit)
    assert search.best(state, limit).nodes == first.nodes
    assert search.best(state, limit).line == first.line


def test_a_run_gets_an_empty_table_for_another_game() -> None:
    search, limit = dragon.search("alphabeta(megabytes=0.01)"), dragon.Limit(nodes=3000)
    alone = search.best(dragon.game("connect4").start(), limit)
    lease, first, second = Lease(0.01), dragon.game("hex(size=3)"), dragon.game("connect4")
    table = lease.of(first.start())
    assert lease.of(first.start()) is table
    entries, age = table.entries, table.age
    assert lease.of(second.start()).entries is entries
    assert lease.of(second.start()).age != age
    lease.close()
    with search.open() as run:
        run.best(Position(first.start()), limit)
        after = run.best(Position(second.start()), limit)
    assert (after.nodes, after.line, after.value) == (alone.nodes, alone.line, alone.value)
