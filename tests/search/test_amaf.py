"""AMAF values: what is gathered of a simulation, and how it is weighed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dragon
from dragon.modes import JIT
from dragon.rules.record import RecordState
from dragon.search.mcts.driver import Tree
from dragon.search.mcts.search import MCTS
from dragon.search.mcts.statistics.amaf import FIRST, blend
from dragon.search.move_ordering import HISTORY, slot


def test_the_weight_of_amaf_values_is_that_of_the_paper() -> None:
    assert blend(0.5, 0, 0.5, 0, 0.1) == FIRST
    assert blend(0.5, 0, 0.8, 7, 0.1) == 0.8
    assert blend(0.3, 7, 0.5, 0, 0.1) == 0.3
    # 100 / (100 + 10 + 0.09 * 100 * 10) = 1 / 2
    assert blend(0.2, 10, 0.6, 100, 0.09) == pytest.approx(0.4)
    assert blend(0.2, 10, 0.6, 100, 1e6) == pytest.approx(0.2, abs=1e-6)


def rows_of(compiled: bool, spec: str, simulations: int, **settings: Any) -> tuple[Any, Any]:
    """A tree and its root's AMAF values: for each seat and slot, total and visits."""
    state = dragon.game(spec).start()
    assert isinstance(state, RecordState)
    search = MCTS(selection="grave", solver=False, **settings)
    with JIT.under(str(int(compiled))):
        tree = Tree(search, state, None, 5)
        tree.advance(simulations, 1 << 60, lambda: False)
    known = [tree.m.amaf[at] for at in range(2 * HISTORY)]
    numbers = [tuple(each) if compiled else (each.total, each.visits) for each in known]
    return tree, np.array(numbers).reshape(2, HISTORY, 2)


@pytest.mark.samples("10-*")
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("ref", [0, 10])
def test_the_root_gathers_every_ply_of_every_simulation(compiled: bool, ref: int) -> None:
    tree, rows = rows_of(compiled, "hex(size=3)", 200, ref=ref)
    assert rows[:, :, 1].sum() == tree.nodes
    children = tree.children()
    for key, own in zip(children.keys, children.visits, strict=True):
        total, visits = rows[0, slot(key)]
        assert visits >= own  # a first move is one of all moves
        assert abs(total) <= visits


@pytest.mark.full
def test_both_forms_gather_the_same() -> None:
    plain, fast = (rows_of(compiled, "nex(rows=2, cols=3)", 200)[1] for compiled in (False, True))
    assert plain[:, :, 1].sum() > 200
    assert (plain == fast).all()


def test_a_move_of_which_nothing_is_known_is_tried_before_any_other() -> None:
    """The second simulation begins with a move that the first has not played at all."""
    one, rows = rows_of(True, "hex(size=5)", 1)
    two, _ = rows_of(True, "hex(size=5)", 2)
    first, second = (set(tree.children().keys) for tree in (one, two))
    (new,) = second - first
    assert rows[0, :, 1].sum() > 5
    assert rows[0, slot(new), 1] == 0


def test_tables_stay_within_a_quarter_of_the_memory() -> None:
    for megabytes, tables in ((0.001, 1), (1, 1), (2, 3), (256, 486)):
        assert MCTS(selection="grave", megabytes=megabytes).tables(2) == tables
    assert MCTS().tables(2) == 0
    tree, _ = rows_of(True, "hex(size=3)", 2000, ref=0, megabytes=2)
    assert tree.m.tree["table"].max() == 3
