"""Moves by pointing at cells: every legal move can be made, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

import dragon
from dragon.modes import JIT
from dragon.picks import Picks, cells, picks, ways


def reached(game: Any, state: Any) -> set[str]:
    """Every move that pointing can make."""
    found, rest = set(picks(game, state).others), [()]
    while rest:
        chosen = rest.pop()
        step = picks(game, state, chosen)
        if step.move is not None:
            found.add(step.move)
            assert chosen in ways(game, step.move)
        else:
            rest += [(*chosen, cell) for cell in step.cells]
    return found


@pytest.mark.parametrize(
    "spec",
    ["tictactoe", "connect4", "hex(size=3)", "nex(rows=2, cols=3)",
     "nex(rows=3, cols=3, swap=true)",
     "nex(rows=3, cols=3, ending='fill')", "nex(rows=3, cols=3, transforms='without-generates')",
     "ulti(contract='betli')", "ulti(cards='hidden')"],
)  # fmt: skip
def test_every_legal_move_can_be_pointed_at(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    monkeypatch.setattr(JIT, "value", "0")
    game = dragon.game(spec)
    rng = np.random.default_rng(4)
    for seed in range(3):
        state = game.start(seed)
        while state.turn >= 0:
            moves = [str(move) for move in state.moves()]
            assert reached(game, state) == set(moves)
            drawn = game.svg(state) if hasattr(game, "svg") else state.svg()
            for cell in picks(game, state).cells:
                assert f'data-cell="{cell}"' in drawn
            state = state.after(moves[int(rng.integers(len(moves)))])
        assert picks(game, state) == Picks()


def test_what_may_not_be_pointed_at_leads_nowhere() -> None:
    game = dragon.game("nex(rows=3, cols=3)")
    state = game.parse("B??/.../..W B")
    for chosen in (("a1",), ("a2", "a2"), ("z9",), ("a2", "b1"), ("a2", "a3", "c3")):
        assert picks(game, state, chosen) == Picks()


def test_the_cells_of_a_move() -> None:
    nex = dragon.game("nex(rows=3, cols=3)")
    assert cells(nex, "Ba1Bb2?c3") == ("a1", "b2", "c3")
    assert ways(nex, "Ba1Bb2?c3") == (("a1", "b2", "c3"), ("b2", "a1", "c3"))
    assert cells(nex, "swap") == ()
    assert cells(dragon.game("hex(size=3)"), "b2") == ("b2",)
