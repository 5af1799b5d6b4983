"""Nex against known answers: perft, reachable positions, values, and old game records.

The figures in oracles/nex.json were computed by independent programs. Values are Black's
view; `openings` are [value, plies to the end].
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from attrs import define, field

from dragon import TERMINAL, perft
from dragon.rules.evaluator import Compiled
from dragon.rules.record import RecordState, rules_of
from dragon_nex import Nex

pytestmark = pytest.mark.samples(1)

HERE = Path(__file__).parents[2]
OUTSIDE = HERE.parent.parent / "shared" / "oracles" / "nex"
ORACLE = json.loads((HERE / "oracles" / "nex.json").read_text())
SMALL = [
    pytest.param(board, marks=[pytest.mark.full] * (board in ("2x3", "4x2")))  # 3x2 and 2x4, turned
    for board in ORACLE
    if "openings" in ORACLE[board]
]


def nex(board: str, **options: object) -> Nex:
    rows, cols = map(int, board.split("x"))
    return Nex(rows, cols, **options)


@define(eq=False)
class Node:
    """A position in the whole graph of a small board."""

    data: bytes
    ply: int
    payoff: int | None = None
    following: dict[int, Node] = field(factory=dict)
    value: int = 0
    distance: int = 0


@cache
def graph(game: Nex) -> tuple[Node, ...]:
    """Every reachable position, solved from the end: the first is the start."""
    engine = Compiled(rules_of(game))
    nodes = {game.start().data: Node(game.start().data, 0)}
    order = list(nodes.values())
    for node in order:  # grows while it is walked
        if engine.turn(node.data) == TERMINAL:
            node.payoff = engine.payoff(node.data)[0]
            continue
        for code in engine.moves(node.data).tolist():
            data = engine.play(node.data, code)
            if data not in nodes:
                nodes[data] = Node(data, node.ply + 1)
                order.append(nodes[data])
            node.following[code] = nodes[data]
    for node in reversed(order):
        if node.payoff is not None:
            node.value = node.payoff
            continue
        sign = 1 if engine.turn(node.data) == 0 else -1
        best = max(sign * child.value for child in node.following.values())
        lengths = [c.distance + 1 for c in node.following.values() if c.value == sign * best]
        node.value = sign * best
        node.distance = 0 if best == 0 else min(lengths) if best > 0 else max(lengths)
    return tuple(order)


@pytest.mark.parametrize(
    "board",  # 91 million paths of 3x3 take seconds; its positions are all looked at below
    [p for p in SMALL if p.values != ("3x3",)] + [pytest.param("3x3", marks=pytest.mark.full)],
)
def test_perft_of_small_boards_in_full(board):
    start = nex(board).start()
    counts = ORACLE[board]["perft"]
    assert [perft(start, depth) for depth in range(len(counts) + 1)] == [*counts, 0]


@pytest.mark.parametrize("board", ["3x3", "4x3", pytest.param("3x4", marks=pytest.mark.full)])
def test_perft_of_the_first_plies(board):
    start = nex(board).start()
    assert [perft(start, depth) for depth in range(5)] == ORACLE[board]["perft"][:5]


@pytest.mark.parametrize("board", SMALL)
def test_positions_reached_by_each_ply(board):
    nodes = graph(nex(board))
    row = ORACLE[board]
    assert len(nodes) == row["reachable"]
    assert [sum(n.ply == ply for n in nodes) for ply in range(len(row["unique"]))] == row["unique"]


@pytest.mark.parametrize("board", SMALL)
def test_values_and_lengths_of_all_openings(board):
    game, row = nex(board), ORACLE[board]
    start = graph(game)[0]
    assert (start.value, start.distance) == (row["value"], abs(row["distance"]))
    found = {
        game.start().text(code): [node.value, node.distance + 1 if node.value else 0]
        for code, node in start.following.items()
    }
    assert found == row["openings"]


@pytest.mark.full
@pytest.mark.parametrize(
    ("board", "wins", "draws", "losses"), [("2x2", 2, 0, 10), ("3x3", 44, 0, 28)]
)
def test_openings_where_the_last_cells_are_filled(board, wins, draws, losses):
    start = graph(nex(board, ending="fill"))[0]
    values = [node.value for node in start.following.values()]
    assert [values.count(value) for value in (1, 0, -1)] == [wins, draws, losses]


@pytest.mark.parametrize(
    ("board", "value"),
    [
        ("2x2", 0),
        ("3x2", -1),
        pytest.param("2x3", -1, marks=pytest.mark.full),
        pytest.param("3x3", 0, marks=pytest.mark.full),
    ],
)
def test_the_value_to_the_opener_who_may_be_swapped(board, value):
    assert graph(nex(board, swap=True))[0].value == value


@pytest.mark.full
@pytest.mark.parametrize(
    "board", ["3x2", *(pytest.param(b, marks=pytest.mark.full) for b in ("2x3", "3x3"))]
)
def test_keys_are_shared_by_half_turns_alone(board):
    game = nex(board)
    engine = Compiled(rules_of(game))
    keys: dict[int, set[str]] = {}
    for node in graph(game):
        text = str(RecordState(game, node.data))
        rows, mover = text.split()
        turned = f"{rows[::-1]} {mover}"
        keys.setdefault(engine.key(node.data), set()).add(min(text, turned))
    assert all(len(classes) == 1 for classes in keys.values())
    assert len({next(iter(c)) for c in keys.values()}) == len(keys)


# ---- outside data ----------------------------------------------------------------------------


def outside(name: str) -> object:
    path = OUTSIDE / name
    if not path.exists():
        pytest.skip(f"outside data {path.name} is not beside this checkout")
    return json.loads(path.read_text())


@pytest.mark.full
def test_old_game_records_end_as_they_were_recorded():
    records = outside("nex_records.json")
    assert len(records) == 61
    for record in records:
        state = Nex(record["rows"], record["cols"]).start()
        written = [move for move in record["record"].split(";") if len(move) > 1]
        for move, canonical in zip(written, record["moves"], strict=True):
            assert state.text(state.code(move)) == canonical
            state = state.after(move)
        assert str(state).split()[0] == "/".join(record["final"])
        assert state.turn == TERMINAL
        assert state.payoff()[0] == {"B": 1, "#": 0, "W": -1}[record["recorded_result"]]


def positions(board: str) -> Iterator[dict[str, object]]:
    yield from outside(f"nex_{board}.json")["positions"]


@pytest.mark.parametrize("board", list(ORACLE))
def test_positions_have_as_many_moves_as_told(board):
    for row in positions(board):
        state = nex(board).parse(row["pos"])
        assert str(state) == row["pos"]
        assert "BW"[state.turn] == row["to_move"]
        assert len(state.moves()) == row["legal_moves"]


@pytest.mark.parametrize("board", SMALL)
def test_positions_have_the_values_told(board):
    game = nex(board)
    nodes = {node.data: node for node in graph(game)}
    for row in positions(board):
        node = nodes[game.parse(row["pos"]).data]
        assert (node.value, node.distance) == (row["value"], row["dist"])
