"""Known facts of MyName."""

import pytest
from dragon_myname import MyName

from dragon.cover import covers


@pytest.mark.parametrize(
    ("rows", "columns", "count"), [(2, 3, 2), (3, 3, 0), (2, 6, 4), (3, 4, 4), (4, 6, 18)]
)
def test_how_many_covers_there_are(rows, columns, count):
    assert covers(MyName(rows, columns).problem()).count() == count


def test_the_picture_in_the_readme():
    game = MyName()
    state = game.start().after("a1-a2-b1").after("a5-a6-b6")
    assert game.draw(state).splitlines() == [
        "a a . . b b",
        "a . . . . b",
        ". . . . . .",
        ". . . . . .",
    ]
