"""Alpha-beta that prunes by guesses: null moves and futility."""

from __future__ import annotations

import random
from typing import Any

import pytest
from attrs import evolve, frozen

import dragon
from dragon import Bound, Limit
from dragon.search.alphabeta.search import AlphaBeta
from tests.rules.gather import Gather
from tests.search.test_quiescence import Noisy, Plain, grown
from tests.search.test_random_trees import minimax, soonest, view

pytestmark = pytest.mark.samples(1)

ON: tuple[dict[str, Any], ...] = (
    {"null": True, "futility": 0.0},
    {"null": False, "futility": 0.1},
    {"null": True, "futility": 0.05, "late": False},
    {"null": True, "futility": 0.05, "quiescence": 0, "pvs": False},
    {"null": True, "futility": 0.02, "driver": "mtdf", "sooner": True},
)


@pytest.mark.full
@pytest.mark.parametrize("on", ON, ids=str)
def test_compiled_and_plain_visit_the_same_nodes(on: dict[str, Any]) -> None:
    chess = dragon.game("chess").parse("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")
    asked = [(chess, 4), *((Gather(chance=chance).start(), 5) for chance in (False, True))]
    for state, depth in asked:
        found = [kind(depth=depth, megabytes=1, **on).best(state) for kind in (AlphaBeta, Plain)]
        one, other = ((each.nodes, each.value, each.line) for each in found)
        assert one == other


@frozen
class Passing(Noisy):
    """A noisy tree with passes, after which the other seat is to move among the same branches."""

    def skipped(self) -> Passing | None:
        if len(self.path) % 5 == 4:
            return None
        seat, pairs = self.node
        return evolve(self, node=(1 - seat, pairs), path=(*self.path, -1))


@pytest.mark.full
@pytest.mark.parametrize("on", [{"null": True}, {"futility": 0.1}], ids=str)
def test_what_is_proven_beside_guesses_is_true(on: dict[str, Any]) -> None:
    pruned = early = 0
    for seed in range(40):
        tree = grown(random.Random(seed), 5)
        if isinstance(tree, int):
            continue
        state = Passing(tree)
        value, plies = soonest(state)
        assert value == minimax(state)
        nodes = []
        for settings in ({}, on):
            plain = {"late": False, "null": False, "futility": 0.0}
            search = AlphaBeta(megabytes=0.01, **(plain | settings))
            for result in search.results(state, Limit(depth=12)):
                if result.bound is Bound.EXACT:
                    assert result.value == value * view(state)
                    early += result.extra["depth"] < 5
                    if value and (not settings or "distance" in result.extra):
                        assert result.extra["distance"] == plies
            assert result.bound is Bound.EXACT, "depth enough needs no guess"
            nodes.append(result.nodes)
        pruned += nodes[0] != nodes[1]
    assert pruned > 5
    assert early > 5, "wins are claimed before all is seen"


@frozen
class Rolling(Passing):
    """A game with chance, which makes no noise and never passes."""

    def noisy(self) -> tuple[int, ...] | None:
        assert self.turn >= 0
        return super().noisy()

    def skipped(self) -> Passing | None:
        assert self.turn >= 0
        return super().skipped()


def rolled(dice: random.Random, plies: int) -> Any:
    """A random tree in which chance decides at every third node."""
    if plies == 0 or dice.random() < 0.1:
        return dice.choice((-64, -1, 0, 2, 64))
    pairs = tuple((0, rolled(dice, plies - 1)) for _ in range(dice.randint(2, 4)))
    return dice.choice((dragon.CHANCE, 0, 1)), pairs


@pytest.mark.full
def test_averages_are_true_beside_guesses() -> None:
    pruned = 0
    for seed in range(25):
        tree = rolled(random.Random(seed), 5)
        if isinstance(tree, int):
            continue
        state, nodes = Rolling(tree), []
        for settings in ({"late": False, "futility": 0.0}, {"null": True, "futility": 0.02}):
            result = AlphaBeta(megabytes=0.01, **settings).best(state, Limit(depth=14))
            assert result.bound is Bound.EXACT
            assert result.value == pytest.approx(minimax(state) * view(state))
            nodes.append(result.nodes)
        pruned += nodes[0] != nodes[1]
    assert pruned > 5


def test_nobody_passes_where_that_may_be_best() -> None:
    """With pawns alone, where who must move often loses, nothing is pruned by null moves."""
    pawns = dragon.game("chess").parse("8/5k2/4p3/3pP1p1/3P2P1/5K2/8/8 w - - 0 1")
    rook = dragon.game("chess").parse("8/5k2/4p3/3pP1p1/3P2P1/5K2/8/R7 w - - 0 1")
    for state, same in ((pawns, True), (rook, False)):
        nodes = [AlphaBeta(depth=6, null=null).best(state).nodes for null in (True, False)]
        assert (nodes[0] == nodes[1]) is same


@pytest.mark.parametrize(
    ("game", "setting", "rule"),
    [
        ("connect4", "null=true", "evaluate"),
        ("connect4", "futility=0.1", "evaluate"),
        ("tictactoe", "null=true", "evaluate"),
    ],
)
def test_a_game_that_lacks_a_rule_is_told_so(game: str, setting: str, rule: str) -> None:
    sentence = dragon.search(f"alphabeta({setting})").objection(dragon.game(game))
    name = setting.split("=")[0]
    assert sentence is not None
    assert sentence.endswith(
        f"needs the rule `{rule}`, which {game} does not define; leave out {name}"
    )
    with pytest.raises(dragon.SearchError, match=f"needs the rule `{rule}`"):
        dragon.search(f"alphabeta({setting})").best(dragon.game(game).start())


def test_nothing_is_said_where_a_setting_is_off_or_the_game_has_the_rules() -> None:
    for game, search in (
        ("connect4", "alphabeta(null=false, futility=0.0)"),
        ("chess", "alphabeta(null=true, futility=0.1)"),
    ):
        assert dragon.search(search).objection(dragon.game(game)) is None


@pytest.mark.parametrize("margin", ["-0.1", "2.5"])
def test_a_margin_is_refused_that_is_none(margin: str) -> None:
    with pytest.raises(dragon.errors.ConfigError, match="futility"):
        dragon.search(f"alphabeta(futility={margin})")
