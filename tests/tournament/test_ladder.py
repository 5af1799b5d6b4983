"""The ladder that the page Games shows: as its file says, and as searches say today."""

from __future__ import annotations

from pathlib import Path

import pytest

import dragon
from dragon.page import Nothing
from dragon.search.mcts.settings import style_for
from dragon_tournament.config.reading import read
from dragon_tournament.service import ladder

TOURNAMENT = read(Path(__file__).parents[2] / "tournaments" / "connect4-ladder.toml")
LADDERS = ladder(Nothing())["ladders"]


@pytest.mark.parametrize("one", LADDERS, ids=lambda one: one["game"])
def test_who_plays_is_who_can(one) -> None:
    game = dragon.game(one["game"])
    reasons = {player.name: player.search.objection(game) for player in TOURNAMENT.players}
    assert one["cannot"] == {name: why for name, why in reasons.items() if why is not None}
    assert one["strong"] == style_for(game.start())
    able = reasons.keys() - one["cannot"].keys()
    assert {each["name"] for each in one["players"]} == (able if len(able) > 1 else set())


@pytest.mark.parametrize("one", LADDERS, ids=lambda one: one["game"])
def test_every_pair_of_players_has_met_as_often_as_the_file_says(one) -> None:
    n = len(one["players"])
    assert one["games"] == n * (n - 1) * TOURNAMENT.games
    assert sum(each["points"] for each in one["players"]) == one["games"]
    for each in one["players"]:
        assert each["played"] == 2 * (n - 1) * TOURNAMENT.games
        assert each["won"] + each["drawn"] + each["lost"] == each["played"]
        assert each["won"] + each["drawn"] / 2 == each["points"]


def test_a_ladder_ranks_by_points() -> None:
    """With as many games for all, Elo by Bradley and Terry has the order of points."""
    for one in LADDERS:
        points = [each["points"] for each in one["players"]]
        assert points == sorted(points, reverse=True)
