"""Known facts of MyName."""

from dragon_myname import MyName

import dragon


def test_the_first_side_wins_with_three_in_a_row_on_three_by_four():
    result = dragon.search("alphabeta").best(MyName().start())
    assert (result.value, result.bound) == (1.0, dragon.Bound.EXACT)


def test_nobody_wins_tic_tac_toe():
    assert dragon.search("alphabeta").best(MyName(columns=3).start()).value == 0.0


def test_the_picture_in_the_readme():
    state = MyName().start()
    for move in ("b2", "a1", "b3"):
        state = state.after(move)
    assert state.picture().splitlines() == [
        "   1 2 3 4",
        "a  O . . .",
        "b  . X X .",
        "c  . . . .",
    ]
