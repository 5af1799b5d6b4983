"""Moves by pointing at cells: every legal move can be made, and nothing else."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

import dragon
from dragon import TERMINAL
from dragon.boards.clicks import cells, clicks, next_clicks
from dragon.modes import JIT
from dragon.protocols import Clicks

sys.path.insert(0, str(Path(__file__).parent))
board_games: Any = importlib.import_module("board_games")
GAMES = board_games.Breakthrough, board_games.Reversi, *board_games.dragon_games()
BOARDS = {str(game()): game() for game in GAMES}


def reached(game: Any, state: Any) -> set[str]:
    """Every move that pointing can make."""
    found: set[str] = set()
    rest: list[tuple[str, ...]] = [()]
    while rest:
        chosen = rest.pop()
        step = next_clicks(game, state, chosen)
        found.update(step.others)
        if step.move is not None:
            found.add(step.move)
            assert chosen in clicks(game, step.move)
        else:
            rest += [(*chosen, cell) for cell in step.cells]
    return found


@pytest.mark.samples("tictactoe", "dice", "hex*")
@pytest.mark.parametrize(
    "spec",
    ["tictactoe", "connect4", "hex(size=3)", "nex(rows=2, cols=3)",
     "nex(rows=3, cols=3, swap=true)",
     "nex(rows=3, cols=3, ending='fill')", "nex(rows=3, cols=3, transforms='without-generates')",
     "ulti(contract='betli')", "ulti(cards='hidden')", *BOARDS],
)  # fmt: skip
def test_every_legal_move_can_be_pointed_at(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    monkeypatch.setattr(JIT, "value", "0")
    game = BOARDS.get(spec) or dragon.game(spec)
    rng = np.random.default_rng(4)
    for seed in range(3):
        state = game.start(seed)
        while state.turn != TERMINAL:
            moves = [str(move) for move in state.moves()]
            assert reached(game, state) == set(moves)
            if seed == 0:  # pictures of one game do
                drawn = str(game.svg(state))
                for cell in next_clicks(game, state).cells:
                    assert f'data-cell="{cell}"' in drawn
            state = state.after(moves[int(rng.integers(len(moves)))])
        assert next_clicks(game, state) == Clicks()


def test_what_may_not_be_pointed_at_leads_nowhere() -> None:
    game = dragon.game("nex(rows=3, cols=3)")
    state = game.parse("B??/.../..W B")
    for chosen in (("a1",), ("a2", "a2"), ("z9",), ("a2", "b1"), ("a2", "a3", "c3")):
        assert next_clicks(game, state, chosen) == Clicks()


def test_the_cells_of_a_move() -> None:
    nex = dragon.game("nex(rows=3, cols=3)")
    assert cells(nex, "Ba1Bb2?c3") == ("a1", "b2", "c3")
    assert clicks(nex, "Ba1Bb2?c3") == (("a1", "b2", "c3"), ("b2", "a1", "c3"))
    assert cells(nex, "swap") == ()
    assert cells(dragon.game("hex(size=3)"), "b2") == ("b2",)


def test_a_piece_a_place_and_then_what_it_becomes() -> None:
    game = BOARDS["pawns"]
    state = game.parse("...p/P.../.p../N... w ply=2")
    assert next_clicks(game, state) == Clicks(cells=("a3", "a1"))
    assert next_clicks(game, state, ("a3",)) == Clicks(cells=("a4",), hint="the next cell")
    chosen = next_clicks(game, state, ("a3", "a4"))
    assert chosen == Clicks(others=("a3a4n", "a3a4r"), hint="which move")
    assert next_clicks(game, state, ("a1", "b3")) == Clicks(move="a1b3")
    waits = Clicks(cells=("b3", "c2"), hint="the next cell", others=("a1",))
    assert next_clicks(game, state, ("a1",)) == waits
    for wrong in (("a4",), ("a3", "b4"), ("a1", "b3", "b3"), ("a3", "a4", "a4")):
        assert next_clicks(game, state, wrong) == Clicks()
    assert clicks(game, "a3a4n") == (("a3", "a4"),)
    assert (cells(game, "a3a4n"), cells(game, "pass")) == (("a3", "a4"), ())


def test_a_pass_is_a_move_that_no_cell_stands_for() -> None:
    game = BOARDS["reversi"]
    blocked = game.parse("XO....../O......./" + "......../" * 5 + "........ O")
    assert next_clicks(game, blocked) == Clicks(others=("pass",))
    assert next_clicks(game, blocked.after("pass")) == Clicks(cells=("c1", "a3"))


@dragon.frozen
class Shop(dragon.State[str]):
    """Moves of one cell and of two that begin alike, and one in either order."""

    turn = 0

    def moves(self) -> tuple[str, ...]:
        return "a", "ab", "ac", "b+c"

    def after(self, move: str) -> Shop:
        return self

    def payoff(self) -> tuple[float, ...]:
        return 0.0, 0.0


@dragon.frozen
class ShopGame(dragon.Game[str]):
    name = "shop"

    def start(self, rng: Any = 0) -> Shop:
        return Shop()

    def parse(self, text: str) -> Shop:
        return Shop()

    def clicks(self, move: str) -> tuple[tuple[str, ...], ...]:
        return (("b", "c"), ("c", "b")) if move == "b+c" else (tuple(move),)


def test_ways_alone_say_what_may_be_pointed_at() -> None:
    game, state = ShopGame(), Shop()
    assert next_clicks(game, state) == Clicks(cells=("a", "b", "c"))
    assert next_clicks(game, state, ("a",)) == Clicks(
        ("b", "c"), hint="the next cell", others=("a",)
    )
    assert next_clicks(game, state, ("c", "b")) == Clicks(move="b+c")
    assert reached(game, state) == set(state.moves())
