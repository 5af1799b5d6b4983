"""Known facts of MyName: the command and the page give them too."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from dragon_myname import kernel
from dragon_myname.answers import least_prices, worth_of
from dragon_myname.cli import market
from dragon_myname.game import MyName
from dragon_myname.page import MARKET
from dragon_myname.service import prices

import dragon
from dragon.page import load


def test_one_thing_and_three_throws_of_a_die():
    answer = least_prices(MyName(buyers=3, goods=1, highest=6))
    assert answer["earned"] == pytest.approx(14 / 3)
    assert answer["least"] == [[1], [4], [5]]


def test_the_kernel_earns_what_a_search_of_the_whole_tree_does():
    game = MyName(buyers=3, goods=2, highest=4)
    result = dragon.search("exhaustive").best(game.start())
    assert result.bound == dragon.Bound.EXACT
    assert worth_of(game)[-1, -1] == pytest.approx(result.value)


def test_the_compiled_kernel_is_its_source():
    game = MyName(buyers=7, goods=3, highest=9)
    worth = np.zeros((8, 4))
    kernel.fill(worth, 9)
    assert worth_of(game).tolist() == worth.tolist()


def test_the_command_prints_what_the_page_is_given():
    asked = ["prices", "--buyers", "5", "--goods", "3", "--json"]
    done = CliRunner().invoke(market, asked)
    assert json.loads(done.output) == prices(MyName(buyers=5, goods=3))
    assert "earned on average: 8.92" in CliRunner().invoke(market, ["prices"]).output


@pytest.mark.parametrize("function", [*(e.function for e in MARKET.endpoints), MARKET.warm])
def test_what_the_page_names_is_there(function):
    assert callable(load(function))


def test_the_picture_in_the_readme():
    state = MyName().start()
    for move in ("2", "wait", "5", "sell", "3"):
        state = state.after(move)
    assert state.picture().splitlines() == [
        "o  5 earned",
        "3 is offered, 1 to come",
    ]
