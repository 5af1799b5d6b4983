"""Known facts of MyName: W. A. Wythoff, Nieuw Archief voor Wiskunde 7 (1907)."""

import math

from dragon_myname import MyName

import dragon


def test_the_lost_positions_follow_the_golden_ratio():
    golden = (1 + math.sqrt(5)) / 2
    lost = {(int(n * golden), int(n * golden) + n) for n in range(1, 4)}
    search = dragon.search("alphabeta")
    for first in range(1, 6):
        for second in range(first, 8):
            value = search.best(MyName(first, second).start()).value
            assert value == (-1.0 if (first, second) in lost else 1.0), (first, second)


def test_the_picture_in_the_readme():
    assert MyName().start().picture() == "a  oooo\nb  ooooooo"
