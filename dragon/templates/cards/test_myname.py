"""Known facts of MyName."""

from itertools import combinations

from dragon_myname import DECK, MyName

import dragon

GAME = MyName()


def test_the_two_highest_cards_take_both_tricks():
    search = dragon.search("determinize(search='exhaustive')")
    for held in combinations(DECK[:4], 2):
        state = GAME.parse(f"56 {''.join(held)} -")
        assert search.best(state).value == 1.0, held


def test_a_seat_does_not_see_the_other_hand():
    assert {str(GAME.parse(f"15 {other} -").seen(0)) for other in ("23", "46")} == {"15 ?? -"}


def test_the_picture_in_the_readme():
    state = GAME.parse("15 36 -").after("5").seen(0)
    assert state.picture() == "seat 0: 1\nseat 1: ? ?\nplayed: 5"
