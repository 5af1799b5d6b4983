"""The rule `finish`: games that are played to the end in one step."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest

import dragon
from dragon.bits import Random
from dragon.core import TERMINAL, Limit
from dragon.laws.searches import all_said
from dragon.modes import JIT
from dragon.rules.playout import Playouts, playout, playouts
from dragon.rules.record import rules_of


def joins(stones: Any, size: int) -> bool:
    """Search the stones of the first side, rows of truths, for a chain from top to bottom."""
    waiting = deque((0, column) for column in range(size) if stones[0, column])
    seen = set(waiting)
    while waiting:
        row, column = waiting.popleft()
        if row == size - 1:
            return True
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
            cell = row + down, column + right
            if all(0 <= at < size for at in cell) and stones[cell] and cell not in seen:
                seen.add(cell)
                waiting.append(cell)
    return False


def board(words: Any, size: int) -> Any:
    """Return a set of cells as rows of truths."""
    bits = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), bitorder="little")
    return bits[: size * size].reshape(size, size).astype(bool)


@pytest.mark.samples("2", "11")
@pytest.mark.parametrize("size", [2, 3, 8, 11, pytest.param(19, marks=pytest.mark.full)])
def test_hex_is_filled_and_has_the_winner_of_the_full_board(size: int) -> None:
    game, dice = dragon.game(f"hex(size={size})"), Random(size)
    for number in range(40):
        state = game.start()
        for _ in range(min(number, size * size // 2)):
            if state.turn != TERMINAL:
                state = state.after(state.sample(dice))
        if state.turn == TERMINAL:
            continue
        end, plies = state.finished(dice)
        first, second = (board(end.record.stones[seat], size) for seat in range(2))
        assert (first ^ second).all(), "each cell has one stone"
        assert first.sum() == (size * size + 1) // 2
        for seat, stones in enumerate((first, second)):
            before = board(state.record.stones[seat], size)
            assert (stones | before == stones).all(), "no stone is taken away"
        assert plies == size * size - state.record.ply
        assert end.payoff() == ((1, -1) if joins(first, size) else (-1, 1))


def in_lines(stones: Any, line: int) -> Any:
    """Return the cells of an array of truths that are in an unbroken line of `line` or more."""
    found = np.zeros_like(stones)
    for cell in np.ndindex(stones.shape):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            at = [(cell[0] + n * down, cell[1] + n * right) for n in range(line)]
            if all(
                0 <= r < len(stones) and 0 <= c < len(stones[0]) and stones[r, c] for r, c in at
            ):
                found[tuple(np.transpose(at))] = True
    return found


@pytest.mark.samples("2-2-1", "4-5-4")
@pytest.mark.parametrize(
    ("rows", "columns", "line"),
    [(15, 15, 5), (9, 13, 4), (3, 3, 3), (1, 8, 3), (8, 1, 3), (2, 2, 1), (4, 5, 4), (26, 26, 6)],
)
def test_gomoku_ends_at_its_first_line(rows: int, columns: int, line: int) -> None:
    game, dice = dragon.game(f"gomoku({rows=}, {columns=}, {line=})"), Random(line)
    for number in range(3 if rows > 20 else 40):
        state = game.start()
        for _ in range(min(number, rows * columns - 1)):
            following = state.after(state.sample(dice))
            state = following if following.turn != TERMINAL else state
        end, plies = state.finished(dice)
        ply = state.record.ply + plies
        cells = [np.unpackbits(np.ascontiguousarray(words).view(np.uint8), bitorder="little")
                 [: rows * columns].reshape(rows, columns).astype(bool)
                 for words in end.record.stones]  # fmt: skip
        assert (not (cells[0] & cells[1]).any(), end.record.ply) == (True, ply)
        assert [int(each.sum()) for each in cells] == [(ply + 1) // 2, ply // 2]
        won = [in_lines(each, line) for each in cells]
        last = (ply - 1) % 2
        assert not won[1 - last].any(), "who does not have the last stone has no line"
        assert end.payoff()[last] == won[last].any()
        assert won[last].any() or ply == rows * columns
        if won[last].any():  # without one stone of them there is no line
            assert any(
                not in_lines(cells[last] & ~(np.arange(rows * columns).reshape(rows, columns) == n),
                             line).any() for n in np.flatnonzero(won[last])
            )  # fmt: skip


@pytest.mark.full
def test_every_division_of_the_board_is_as_likely() -> None:
    """The first side gets 5 of 3 x 3 cells, in each of 126 ways as often."""
    state, dice, games = dragon.game("hex(size=3)").start(), Random(5), 12_600
    seen: dict[int, int] = {}
    for _ in range(games):
        stones = int(state.finished(dice)[0].record.stones[0, 0])
        seen[stones] = seen.get(stones, 0) + 1
    assert len(seen) == 126
    square = sum((count - 100) ** 2 / 100 for count in seen.values())
    assert square < 250, "chi-square with 125 degrees of freedom; p < 1e-9 beyond"


def test_playouts_ask_it_compiled_and_interpreted() -> None:
    state, found = dragon.game("hex(size=5)").start(), []
    for mode in ("0", "1"):
        with JIT.under(mode):
            found.append(playouts(state, 20, Random(3)))
    assert found[0] == found[1]
    assert found[0].plies == 20 * 25


def test_one_playout_is_a_game_that_could_be_played() -> None:
    state = dragon.game("hex(size=5)").start()
    for seed in range(5):
        end = playout(state, Random(seed))
        assert end.turn == TERMINAL
        assert state.game.parse(str(end)) == end
        assert end.record.ply < 25 or rules_of(state.game).plies == 25


ASKING = {"uct": True, "grave": True, "wins": True}
STEPPING = ("playout='mast'", "playout='nst'", "decisive=true", "selection='progressive_history'")


@pytest.mark.samples("selection='uct'-True")
@pytest.mark.parametrize(
    ("settings", "asks"),
    [*((f"selection='{name}'", asks) for name, asks in ASKING.items()),
     *((each, False) for each in STEPPING)],
)  # fmt: skip
def test_mcts_asks_it_unless_a_policy_needs_the_plies(settings: str, asks: bool) -> None:
    state, said = dragon.game("hex(size=5)").start(), []
    search, limit = dragon.search(f"mcts({settings})"), Limit(simulations=30)
    for mode in ("0", "1"):
        with JIT.under(mode):
            said.append(all_said(search, state, limit, seed=3))
            nodes = search.best(state, limit, seed=3).nodes
    assert said[0] == said[1]
    assert (nodes == 30 * 25) is asks, "by it the board is full, else a game ends with a chain"


def test_reduced_playouts_go_move_by_move() -> None:
    search = dragon.search("mcts(reduce_playouts=true)")
    nodes = search.best(dragon.game("hex(size=5)").start(), Limit(simulations=30), seed=3).nodes
    assert nodes < 30 * 25


@pytest.mark.full
def test_outcomes_are_the_games_of_playouts() -> None:
    state = dragon.game("hex(size=4)").start()
    paid = Playouts(state).outcomes(50, Random(9), False)
    assert tuple(paid.sum(axis=0).tolist()) == playouts(state, 50, Random(9)).sums
