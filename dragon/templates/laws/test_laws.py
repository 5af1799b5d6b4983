"""The laws of dragon, each a test of its own."""

import pytest

import dragon
from dragon.laws import laws_of

GAME = dragon.game("myname")


@pytest.mark.parametrize("law", [*laws_of(GAME)], ids=str)
def test_law(law):
    law(GAME)
