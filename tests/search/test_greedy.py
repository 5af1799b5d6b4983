"""The greedy search: what looks best one ply ahead, and with one seat a line to the end."""

from __future__ import annotations

import pytest

import dragon
from dragon import Bound, Limit


def test_it_takes_a_win_that_is_there():
    state = dragon.game("tictactoe").parse("XX./OO./... X")
    result = dragon.search("greedy").best(state)
    assert (str(result.move), result.value) == ("a3", 1.0)
    assert result.bound is Bound.ESTIMATE


def test_it_does_not_see_a_loss_two_plies_away():
    state = dragon.game("tictactoe").parse("OO./X../X.. X")
    moves = [str(move) for move in state.moves()]
    assert str(dragon.search("greedy").best(state).move) == moves[0]


def test_with_one_seat_the_line_is_what_it_is_worth():
    game = dragon.game("small_world(bridges=3)")
    results = list(dragon.search("greedy").results(game.start()))
    assert [len(result.line) for result in results] == [1, 2, 3]
    assert [result.bound for result in results] == [Bound.ESTIMATE, Bound.ESTIMATE, Bound.LOWER]
    state = game.start()
    for move in results[-1].line:
        best = max(state.after(m).evaluate(0) for m in state.moves())
        state = state.after(move)
        assert state.evaluate(0) == best
    assert state.payoff() == (results[-1].value,)
    assert results[-1].nodes == 350 + 349 + 348


@pytest.mark.parametrize("nodes", [1, 10, 360])
def test_a_limit_in_nodes_ends_it(nodes):
    game = dragon.game("small_world(bridges=3)")
    result = dragon.search("greedy").best(game.start(), Limit(nodes=nodes))
    assert result.nodes <= max(nodes, 1) + 1
    assert result.bound is Bound.ESTIMATE
    assert result.move in game.start().moves()


def test_chance_and_hidden_hands_are_refused():
    assert "does not support" in dragon.search("greedy").objection(dragon.game("kuhn"))
