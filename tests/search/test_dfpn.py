"""Df-pn against the searches that visit everything, in any table, and against its plain twin."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import dragon
from dragon import TERMINAL, Bound, Limit, Position, State
from dragon.bits import Random, mix
from dragon.modes import JIT, OPTIMISED
from dragon.search.dfpn.kernel import (
    NEVER,
    OPEN,
    PROOF_RECORD,
    consult,
    record,
    transfer,
)
from dragon.search.table import LOWER, UPPER, Lease, Table, age_of, borrow, bound_of, give_back

pytestmark = pytest.mark.samples(1)

VALUES = json.loads((Path(__file__).parents[1] / "oracles" / "nex_values.json").read_text())
SETTINGS = (
    "dfpn",
    "dfpn(megabytes=0.001)",
    "dfpn(epsilon=0, weak=false, focus=1)",
    "dfpn(order=false, history=false, reduce=false, bounds=false, focus=0.3)",
    "dfpn(ends=false, solved=true, focus=0.2)",
    "dfpn(epsilon=3, history=false, ends=false)",
)
ULTI = "ulti(contract='forty_hundred', trump='B', objective='points')"
BOARDS = (("connect4", 26), ("hex(size=3)", 1))


def positions(spec: str, count: int, plies: int) -> list[State[Any]]:
    """States some plies into random play that are not terminal."""
    random = Random(count + plies)
    found: list[State[Any]] = []
    while len(found) < count:
        state: State[Any] = dragon.game(spec).start(seed := len(found))
        for _ in range(plies + seed % 2):
            if state.turn != TERMINAL:
                state = state.after(state.sample(random))
        if state.turn != TERMINAL:
            found.append(state)
    return found


# ---- agreement ---------------------------------------------------------------------------------


@cache
def truth(state: State[Any]) -> float:
    """Give alpha-beta's value; each setting of df-pn is asked for the same states."""
    return dragon.search("alphabeta(sooner=false)").best(state).value


@pytest.mark.parametrize(
    ("spec", "plies", "search"),
    [  # other settings are also tried on boards of Nex, below
        pytest.param(
            *of, search, marks=[pytest.mark.full] * (of in BOARDS and search != SETTINGS[0])
        )
        for of in (("tictactoe", 1), ("nim(pile=9)", 0), (ULTI, 20), *BOARDS)
        for search in SETTINGS
    ],
)
def test_values_are_those_of_alphabeta(spec: str, plies: int, search: str) -> None:
    for state in positions(spec, 5, plies):
        result = dragon.search(search).best(state)
        assert (result.value, result.bound) == (truth(state), Bound.EXACT), str(state)
        end = state
        for move in result.line:
            end = end.after(move)
        if end.turn == TERMINAL:
            sign = 1 if state.teams[state.turn] == 0 else -1
            assert end.payoff()[0] * sign == result.value, result.line


def some(boards: Iterable[str]) -> list[Any]:
    """Boards, of which those are slow whose like is among the others; each is compiled for."""
    kept = ("3x2", "3x3")
    return [pytest.param(b, marks=[] if b in kept else pytest.mark.full) for b in boards]


@pytest.mark.parametrize("search", SETTINGS)
@pytest.mark.parametrize("board", some(["2x2", "2x3", "3x2", "2x4", "4x2", "3x3"]))
def test_nex_boards_have_their_known_values(board: str, search: str) -> None:
    rows, _, cols = board.partition("x")
    result = dragon.search(search).best(dragon.game(f"nex(rows={rows}, cols={cols})").start())
    assert (result.value, result.bound) == (VALUES[board]["value"], Bound.EXACT)


@pytest.mark.parametrize("board", some(VALUES))
def test_openings_and_positions_of_nex_have_their_known_values(board: str) -> None:
    rows, _, cols = board.partition("x")
    game, run = dragon.game(f"nex(rows={rows}, cols={cols})"), dragon.search("dfpn").open()
    for opening, (value, _) in VALUES[board]["openings"].items():
        result = run.best(Position(game.start().after(opening)))
        assert (-result.value, result.bound) == (value, Bound.EXACT), opening
    for text, value, *_, optimal in VALUES[board]["positions"]:
        state = game.parse(text)
        result = run.best(Position(state))
        black = 1 if state.turn == 0 else -1
        assert (result.value * black, result.bound) == (value, Bound.EXACT), text
        after = state.after(result.move)
        worth = after.payoff()[0] if after.turn == TERMINAL else None
        if worth is None:
            worth = -black * run.best(Position(after)).value
        assert worth == value, (text, result.move, optimal)
    run.close()


@pytest.mark.parametrize("jit", ["0", "1"])
def test_a_win_at_once_is_seen_at_once(jit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The moves that `focus` opens first, on the left, lead far astray here."""
    monkeypatch.setattr(JIT, "value", jit)
    text = "......./......./......./......./O..OX../XX.XO.O X"
    state = dragon.game("connect4").parse(text)
    result = dragon.search("dfpn").best(state, Limit(nodes=10))
    assert (result.value, result.bound, result.line) == (1.0, Bound.EXACT, ("3",))
    nodes = 10_000 if jit == "1" else 500  # as far astray in Python would take two seconds
    blind = dragon.search("dfpn(ends=false, reduce=false)").best(state, Limit(nodes=nodes))
    assert blind.bound is Bound.ESTIMATE


@pytest.mark.parametrize("search", ["dfpn", "dfpn(megabytes=0.001)"])
def test_the_move_that_it_plays_keeps_the_value(search: str) -> None:
    oracle = dragon.search("exhaustive")
    for state in positions("tictactoe", 12, 2) + positions("nex(rows=2, cols=3)", 6, 0):
        result = dragon.search(search).best(state)
        child = state.after(result.move)
        assert oracle.best(child).value == result.value * (1 if child.turn == TERMINAL else -1) or (
            child.turn == TERMINAL and child.payoff()[state.turn] == result.value
        )


# ---- answers, limits, objections -----------------------------------------------------------------


def test_a_draw_is_two_answers_and_a_win_is_one() -> None:
    draw = list(dragon.search("dfpn").results(dragon.game("tictactoe").start()))
    assert [(r.bound, r.value) for r in draw] == [(Bound.UPPER, 0.0), (Bound.EXACT, 0.0)]
    won = list(dragon.search("dfpn").results(dragon.game("nim(pile=7)").start()))
    assert [(r.bound, r.value) for r in won] == [(Bound.EXACT, 1.0)]


def test_where_nothing_can_be_drawn_a_loss_is_one_answer_too() -> None:
    lost = list(dragon.search("dfpn").results(dragon.game("nim(pile=8)").start()))
    assert [(r.bound, r.value) for r in lost] == [(Bound.EXACT, -1.0)]


@pytest.mark.parametrize("nodes", [1, 2, 50, 700, 5000])
def test_node_limits_are_kept_to_the_node(nodes: int) -> None:
    state = dragon.game("connect4").start()
    result = dragon.search("dfpn").best(state, Limit(nodes=nodes))
    assert result.nodes == nodes
    assert result.bound is Bound.ESTIMATE
    assert result.move in state.moves()


@pytest.mark.full
def test_seconds_are_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OPTIMISED, "value", "1")  # else it is compiled anew meanwhile
    state = dragon.game("connect4").start()
    dragon.search("dfpn").best(state, Limit(nodes=1))  # compiles
    assert 0.2 < dragon.search("dfpn").best(state, Limit(seconds=0.3)).seconds < 2.0


def test_what_was_answered_is_claimed_when_the_limit_comes() -> None:
    state = dragon.game("tictactoe").start()
    first, last = dragon.search("dfpn").results(state)
    between = dragon.search("dfpn").best(state, Limit(nodes=(first.nodes + last.nodes) // 2))
    assert (between.bound, between.value) == (Bound.UPPER, 0.0)
    assert between.nodes == (first.nodes + last.nodes) // 2


def test_a_run_keeps_what_is_proven_for_the_next_move() -> None:
    search = dragon.search("dfpn")
    run = search.open()
    state = dragon.game("nex(rows=3, cols=3)").start()
    first = run.best(Position(state))
    reply = state.after(first.move).after(first.line[1])
    again = run.best(Position(reply))
    fresh = search.best(reply)
    assert again.nodes < fresh.nodes
    assert (again.value, again.bound) == (fresh.value, Bound.EXACT)
    run.close()
    assert run.best(Position(reply)).nodes == fresh.nodes


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [("kuhn", "does not support chance and hidden"), ("queens(n=5)", "needs duel")],
)
def test_it_says_what_it_cannot_play(spec: str, sentence: str) -> None:
    assert sentence in (dragon.search("dfpn").objection(dragon.game(spec)) or "")


@pytest.mark.full
def test_long_lists_of_moves_grow_the_stack() -> None:
    state = dragon.game("nex(rows=6, cols=6)").start()
    result = dragon.search("dfpn(focus=1)").best(state, Limit(nodes=20_000))
    assert result.nodes == 20_000
    assert result.move in state.moves()


# ---- kernel and plain twin ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "plies", "search"),
    [  # all settings where there are draws, a rule `solved`, long lists of moves, and points
        pytest.param(*of, search, marks=[pytest.mark.full] * (further and search != SETTINGS[0]))
        for *of, further in (
            ("tictactoe", 1, False),
            ("hex(size=3)", 1, False),
            ("nex(rows=3, cols=3)", 2, False),
            ("connect4", 24, True),
            ("nex(rows=2, cols=3)", 0, True),
            ("nex(rows=3, cols=3, ending='fill')", 2, True),
            (ULTI, 18, False),
        )
        for search in SETTINGS
    ],
)
def test_kernel_and_plain_python_agree_node_for_node(
    spec: str, plies: int, search: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def results_of(state: State[Any], limit: Limit) -> list[Any]:
        results = dragon.search(search).results(state, limit)
        return [(r.value, r.bound, r.line, r.nodes, r.extra) for r in results]

    for state in positions(spec, 2, plies):
        for nodes in (7, 600, 3_000):
            monkeypatch.setattr(JIT, "value", "1")
            fast = results_of(state, Limit(nodes=nodes))
            monkeypatch.setattr(JIT, "value", "0")
            assert results_of(state, Limit(nodes=nodes)) == fast


# ---- the table ---------------------------------------------------------------------------------


def test_the_table_tells_an_answer_whoever_asks_and_forgets_the_least_work() -> None:
    table = borrow(0.0001)
    entries: Any = table.entries.view(PROOF_RECORD)
    assert len(entries) == 4

    def known(key: int, asked: int) -> tuple[int, int] | None:
        at = consult(entries, table.age, key, asked)
        return None if at < 0 else (int(bound_of(entries[at])), int(entries[at].asked))

    record(entries, table.age, 7, 1, 5, 6, 0, 10)
    assert (known(7, 1), known(7, 0), known(8, 1)) == ((OPEN, 1), None, None)
    record(entries, table.age, 7, 1, 0, NEVER, 3, 20)
    assert known(7, 1) == known(7, 3) == known(7, -9) == (LOWER, 3)
    assert known(7, 4) is None
    record(entries, table.age, 7, 5, NEVER, 0, 4, 30)
    assert (known(7, 3), known(7, 5), known(7, 4)) == ((LOWER, 3), (UPPER, 4), None)
    for key, work in ((11, 1), (12, 70_000), (13, 2)):
        record(entries, table.age, key, 1, 5, 6, 0, work)
    assert [known(key, 1) is not None for key in (7, 11, 12, 13)] == [True, False, True, True]
    give_back(table)


def test_a_larger_table_knows_all_that_a_smaller_one_did() -> None:
    def known(table: Table) -> set[tuple[int, ...]]:
        entries = [each for each in table.entries.view(PROOF_RECORD) if age_of(each) == table.age]
        return {(*each.tolist()[:-1], bound_of(each)) for each in entries}

    random, lease = Random(3), Lease(0.1)
    lease.table = small = borrow(0.002)
    entries: Any = small.entries.view(PROOF_RECORD)
    for _ in range(300):
        key, asked, work = mix(random(60) + 1), random(9) - 4, random(99)
        phi, delta = [(0, NEVER), (NEVER, 0), (5, 6)][random(3)]
        record(entries, small.age, key, asked, phi, delta, asked, work)
    held = known(small)
    assert 40 < len(held) < len(entries) == 64
    assert known(lease.grow(transfer, PROOF_RECORD)) == held
