"""The laws of dragon, each a test of its own."""

import pytest
from dragon_myname import MyName

from dragon.laws import laws_of

GAME = MyName()


@pytest.mark.parametrize("law", [*laws_of(GAME)], ids=str)
def test_law(law):
    law(GAME)
