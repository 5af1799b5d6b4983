"""The laws of dragon, each a test of its own."""

import pytest
from dragon_myname import MyName

import dragon
from dragon.laws import laws_of

SEARCH = MyName(count=5)
CASES = [
    pytest.param(law, game, id=f"{law}-{game}")
    for game in map(dragon.game, ("tictactoe", "nim"))
    for law in laws_of(game, SEARCH)
]


@pytest.mark.parametrize(("law", "game"), CASES)
def test_law(law, game):
    law(SEARCH, game)
