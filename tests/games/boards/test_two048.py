"""2048 against slides of lists, and its rules of chance."""

from __future__ import annotations

import random

import pytest

import dragon
from dragon import CHANCE, TERMINAL, BadNotation

GAME = dragon.game("two048")


def slid(row: list[int]) -> tuple[list[int], int]:
    """A row that slides to its beginning, and what merges in it."""
    tiles, done, gained = [tile for tile in row if tile], [], 0
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile:
            tile += tiles.pop(0)
            gained += tile
        done.append(tile)
    return done + [0] * (len(row) - len(done)), gained


def expected(rows: list[list[int]], way: str) -> tuple[list[list[int]], int]:
    """The rows after a move, and what merges."""
    across = rows if way in ("left", "right") else [list(x) for x in zip(*rows, strict=True)]
    step = 1 if way in ("left", "up") else -1
    after = [slid(row[::step]) for row in across]
    board = [row[::step] for row, _ in after]
    board = board if way in ("left", "right") else [list(x) for x in zip(*board, strict=True)]
    return board, sum(gained for _, gained in after)


def test_tiles_slide_and_merge_as_lists_do() -> None:
    dice = random.Random(4)
    state = GAME.start()
    while state.turn != TERMINAL:
        if state.turn == 0:
            board, score, *_ = str(state).split()
            rows = [[int(x) for x in row.split(",")] for row in board.split("/")]
            ways = {w: expected(rows, w) for w in ("up", "right", "down", "left")}
            assert set(state.moves()) == {way for way, (after, _) in ways.items() if after != rows}
            for way in state.moves():
                after, gained = ways[way]
                text = "/".join(",".join(map(str, row)) for row in after)
                assert str(state.after(way)) == f"{text} {int(score) + gained} new"
        state = state.after(dice.choice(list(state.moves())))
    assert state.payoff() == (float(str(state).split()[1]),)


def test_chance_adds_a_two_nine_times_in_ten() -> None:
    state = GAME.parse("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,0 0 new")
    assert state.turn == CHANCE
    assert dict(zip(state.moves(), state.odds(), strict=True)) == pytest.approx(
        {"2d4": 0.9, "4d4": 0.1}
    )
    assert state.after("4d4").turn == 0
    assert state.after("2d4").turn == TERMINAL


def test_the_goal_ends_the_game() -> None:
    state = dragon.game("two048(goal=8)").parse("4,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0 8")
    after = state.after("left").after("2d4")
    assert (after.turn, after.payoff()) == (TERMINAL, (16,))


def test_no_more_is_scored_than_has_merged() -> None:
    game = dragon.game("two048(goal=8)")
    assert game.parse("4,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0 8").after("left").payoff() == (16,)
    with pytest.raises(BadNotation, match="write one like"):
        game.parse("4,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0 9")


def test_a_position_that_cannot_be_is_refused() -> None:
    for text in ("", "3,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0", "2,2/2,2 0", "0 new new new"):
        with pytest.raises(BadNotation, match="write one like"):
            GAME.parse(text)


@pytest.mark.parametrize("driver", ["pvs", "mtdf", "bisection"])
def test_large_scores_are_averaged_without_a_mistake(driver: str) -> None:
    """Steps of a unit were too many for floats: a score below 0 was said to be exact."""
    state = GAME.parse("4,8,16,2/2,16,2,4/8,2,64,16/0,16,8,2 460 new")
    truth = dragon.search("exhaustive").best(state)
    found = dragon.search({"search": "alphabeta", "driver": driver}).best(state)
    assert truth.value == 460
    assert (found.value, found.bound) == (truth.value, truth.bound)


@pytest.mark.full
@pytest.mark.parametrize("goal", [65536, 131072])
def test_every_goal_can_be_looked_ahead_for(goal: int) -> None:
    state = dragon.game(f"two048(goal={goal})").parse("4,2,4,16/8,32,2,4/32,16,128,8/2,2,32,2 1092")
    asked = dragon.Limit(depth=3)
    found = dragon.search("alphabeta").best(state, asked)
    assert found.value == pytest.approx(dragon.search("exhaustive").best(state, asked).value)
