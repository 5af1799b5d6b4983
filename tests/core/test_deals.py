"""Deals and seats: the game of the documentation, dealt to as many as a parameter says."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import dragon
from dragon import TERMINAL, plugins
from dragon.cli import main
from dragon.laws import check_game
from dragon.modes import JIT
from dragon.rules.record import rules_of

pytestmark = pytest.mark.samples(1)

PAGE = Path(__file__).parents[2] / "docs" / "rules-and-specialisation.md"


@pytest.fixture(scope="module")
def highcard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The module that the documentation shows."""
    text = PAGE.read_text(encoding="utf-8")
    (source,) = re.findall(r"<!-- highcard.py -->\n```python\n(.*?)^```$", text, re.M | re.S)
    path = tmp_path_factory.mktemp("docs") / "highcard.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("highcard", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["highcard"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["highcard"]


@pytest.fixture
def installed(highcard: Any) -> Iterator[None]:
    """Within, it is a plugin among the others."""
    manager = plugins.manager()
    manager.register(highcard, name="highcard")
    yield
    manager.unregister(highcard)


# Two seats are a duel, and more are none; that four are dealt to is tested below.
@pytest.mark.full
@pytest.mark.parametrize("players", [2, 3, pytest.param(4, marks=pytest.mark.full)])
def test_a_game_that_deals_keeps_the_laws(highcard: Any, players: int) -> None:
    verdicts = list(check_game(highcard.HighCard(players)))
    assert [str(v) for v in verdicts if not v.passed] == []
    names = {verdict.law for verdict in verdicts}
    assert {"law_a_seed_fixes_the_start", "law_teams_agree"} <= names


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("jit", ["0", "1"])
def test_a_deal_is_as_many_hands_as_there_are_seats(highcard: Any, players: int, jit: str) -> None:
    game = highcard.HighCard(players)
    assert game.teams == rules_of(game).teams == tuple(range(players))
    with JIT.under(jit):
        for seed in range(20):
            start = game.start(seed)
            hands = [{i for i in range(64) if int(h) >> i & 1} for h in start.record.hands]
            assert [len(hand) for hand in hands] == [3] * players
            assert set.union(*hands) == set(range(3 * players))
            assert start == game.start(seed) == game.parse(str(start))
            assert sorted(map(int, start.moves())) == sorted(hands[0])


def test_every_deal_comes_and_none_too_often(highcard: Any) -> None:
    """Six deals of two cards to each of two: 3000 draws, of each 500 give or take 6 deviations."""
    game = highcard.HighCard(2, 2)
    counts: dict[tuple[int, ...], int] = {}
    for seed in range(3000):
        hands = tuple(game.start(seed).record.hands.tolist())
        counts[hands] = counts.get(hands, 0) + 1
    assert len(counts) == 6
    assert all(abs(count - 500) < 6 * 20.4 for count in counts.values())


def test_the_deal_is_the_same_without_the_compiler(highcard: Any) -> None:
    game = highcard.HighCard(4)
    compiled = [game.start(seed).data for seed in range(10)]
    with JIT.under("0"):
        assert [game.start(seed).data for seed in range(10)] == compiled
    assert len(set(compiled)) == 10


def test_a_generator_is_consumed(highcard: Any) -> None:
    game, rng, twin = highcard.HighCard(4), np.random.default_rng(3), np.random.default_rng(3)
    dealt = [game.start(rng) for _ in range(4)]
    assert len(set(dealt)) == 4
    assert dealt == [game.start(twin) for _ in range(4)]
    assert dealt[0] == game.start(3)


def minimax(state: Any) -> tuple[float, ...]:
    """Give each seat's payoff when each looks after itself; the first of equals."""
    if state.turn == TERMINAL:
        return tuple(state.payoff())
    return max((minimax(state.after(m)) for m in state.moves()), key=lambda p: p[state.turn])


@pytest.mark.full
@given(seed=st.integers(0, 1 << 32))
def test_searches_value_a_deal_as_brute_force_does(highcard: Any, seed: int) -> None:
    start = highcard.HighCard(2).start(seed)
    with JIT.under("0"):
        value = minimax(start)[0]
    assert dragon.search("alphabeta").best(start).value == value


def test_more_than_two_sides(highcard: Any) -> None:
    game = highcard.HighCard(3, 2)
    assert dragon.search("alphabeta").objection(game) is not None
    assert dragon.search("mcts").objection(game) is None
    for seed in range(20):
        state = game.start(seed)
        with JIT.under("0"):
            truth = minimax(state)[0]
        assert dragon.search("exhaustive").best(state).value == truth


@pytest.mark.full
def test_commands_know_how_many_seats_there_are(installed: None) -> None:
    result = CliRunner().invoke(main, ["games", "--json"])
    (row,) = (row for row in json.loads(result.stdout) if row["name"] == "highcard")
    assert (row["seats"], row["teams"], row["traits"]) == (2, [0, 1], ["duel"])
    seats = ["play", "highcard(players=4)", "--seats", "random,random,random,mcts(simulations=9)"]
    played = CliRunner().invoke(main, [*seats, "--seed", "5"])
    assert played.exit_code == 0
    assert "\nseat 3 (mcts(simulations=9)): " in played.stdout


@pytest.mark.full
def test_the_page_deals_anew_where_something_is_dealt(installed: None) -> None:
    from dragon.web.play import Shown, position

    dealt = ("highcard(players=2)", "kuhn", "ulti(contract='betli')")
    assert [position(Shown(game=of))["dealt"] for of in dealt] == [True] * 3
    assert [position(Shown(game=of))["dealt"] for of in ("tictactoe", "nim")] == [False] * 2
    positions = [position(Shown(game="highcard", deal=seed))["position"] for seed in (1, 1, 2)]
    assert positions[0] == positions[1] != positions[2]


def test_a_game_that_must_be_told_how_many_play(highcard: Any) -> None:
    from attrs import field, frozen

    from dragon.jsonable import game_object

    @frozen
    class Asked(highcard.HighCard):  # type: ignore[misc]
        name = "asked"
        players: int = field(kw_only=True)

    row = game_object(Asked)
    assert (row["seats"], row["teams"], row["traits"]) == (None, None, None)


@pytest.mark.full
def test_tournaments_deal_by_seed(installed: None) -> None:
    from dragon_tournament.config.reading import parse
    from dragon_tournament.executors.local import InlineExecutor
    from dragon_tournament.schedule import Schedule

    table = {
        "game": {"name": "highcard", "players": 3},
        "games": 6,
        "player": [{"search": "random"}, {"search": "random", "name": "b"},
                   {"search": "mcts", "limit": {"simulations": 20}}],
    }  # fmt: skip
    tournament = parse(table)
    records: Any = list(InlineExecutor().map(tournament, Schedule(tournament).games()))
    game = dragon.game("highcard(players=3)")
    assert len({game.start(record.deal) for record in records}) > 3
    for record in records:
        state: Any = game.start(record.deal)
        for move in record.moves:
            state = state.after(move)
        assert state.payoff() == record.scores
