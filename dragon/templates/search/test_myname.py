"""Known facts of MyName."""

from dragon_myname import MyName

import dragon


def test_it_takes_a_win():
    state = dragon.game("tictactoe").parse("XX./OO./... X")
    assert MyName().best(state).move == "a3"
