"""Reversi against known counts, and positions with exact scores, read beside the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

import dragon
from dragon import Bound

FORUM = Path(__file__).parents[4] / "shared" / "facts" / "othello" / "fforum-1-19.obf"
PERFT = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]


def test_there_are_as_many_paths_as_all_programs_count() -> None:
    start = dragon.game("reversi").start()
    assert [dragon.perft(start, depth) for depth in range(len(PERFT))] == PERFT


@pytest.mark.full
def test_a_score_is_the_published_one() -> None:
    if not FORUM.exists():
        pytest.skip("the positions with scores are not beside this checkout")
    game, search = dragon.game("reversi"), dragon.search("alphabeta")
    for line in FORUM.read_text().splitlines():
        board, side, *listed = line.replace(";", "").split()
        board = board.replace("-", ".")
        rows = "/".join(board[at : at + 8] for at in range(0, 64, 8))
        state = game.parse(f"{rows} {side}")
        scores = {move.lower(): int(score) for move, score in (x.split(":") for x in listed)}
        best = search.best(state)
        assert best.bound is Bound.EXACT
        assert best.value == max(scores.values()), line
        assert scores[str(best.move)] == max(scores.values()), line


@pytest.mark.full
def test_whoever_cannot_enclose_anything_passes() -> None:
    state = dragon.game("reversi(size=4)").parse("XXXX/XXXX/XXXO/XXX. O")
    assert list(state.moves()) == ["pass"]
    assert list(state.after("pass").moves()) == ["d4"]


@pytest.mark.full
def test_cells_that_stay_empty_count_for_the_winner() -> None:
    state = dragon.game("reversi(size=4)").parse("OOOO/O.../O.../.... X")
    assert (state.turn, state.payoff()) == (dragon.TERMINAL, (-16, 16))


def test_the_second_side_wins_four_by_four_by_eleven_to_three_and_two_empty_cells() -> None:
    start = dragon.game("reversi(size=4)").start()
    best = dragon.search("alphabeta").best(start)
    plain = dragon.search("alphabeta(order=false, bounds=false, reduce=false, table=false)").best(
        start
    )
    assert best.value == plain.value == -10
