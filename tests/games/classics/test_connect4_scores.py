"""Connect four against published positions with exact scores, which are read beside the checkout.

A score is 22 less the stones that the winner has at the end, negative for a loss of the mover.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import dragon
from dragon import Bound, Limit, Result

FACTS = Path(__file__).parents[4] / "shared" / "facts" / "connect4"
SETS = {"end-easy": 100, "middle-easy": 100, "begin-easy": 30, "middle-medium": 10}
LATER = {**dict.fromkeys(SETS, 300), "begin-medium": 60, "begin-hard-small": 2}
"""What the full run tries of each set. All that is left takes twenty minutes: tests/benchmarks."""


def cases(name: str, count: int) -> list[tuple[str, int]]:
    """Moves and scores of the first positions of a set."""
    file = FACTS / f"{name}.txt"
    if not file.exists():
        pytest.skip("the positions with scores are not beside this checkout")
    lines = [line.split() for line in file.read_text().splitlines()[:count]]
    return [(moves, int(score)) for moves, score in lines]


def score(moves: str, result: Result) -> int:
    """The score of a proven result."""
    assert result.bound is Bound.EXACT
    if result.value == 0:
        return 0
    stones = len(moves) + result.extra["distance"]
    return int(result.value) * (22 - (stones + 1) // 2)


def solved(moves: str, search: dragon.Search, limit: Limit | None = None) -> Result:
    state = dragon.game("connect4").start()
    for move in moves:
        state = state.after(move)
    return search.best(state, limit or Limit())


@pytest.mark.samples("middle-easy")
@pytest.mark.parametrize("name", SETS)
def test_the_score_of_a_position_is_the_published_one(name: str) -> None:
    search = dragon.search("alphabeta")
    for moves, known in cases(name, SETS[name]):
        assert score(moves, solved(moves, search)) == known, moves


@pytest.mark.full
@pytest.mark.budget(120)
@pytest.mark.parametrize("name", LATER)
def test_the_score_of_more_positions_is_the_published_one(name: str) -> None:
    search = dragon.search("alphabeta(megabytes=1024)")
    for moves, known in cases(name, LATER[name]):
        assert score(moves, solved(moves, search)) == known, moves


def test_the_knowledge_changes_no_value() -> None:
    """Without the rules beyond the game's own the score stays the same."""
    bare = dragon.search("alphabeta(solved=false, reduce=false, order=false)")
    for moves, known in cases("end-easy", 20):
        assert score(moves, solved(moves, bare)) == known, moves
