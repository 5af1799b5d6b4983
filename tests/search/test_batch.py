"""Values of many states by one search against a search for each."""

from __future__ import annotations

from importlib import import_module
from itertools import islice

import pytest

import dragon
from dragon import Limit
from dragon.modes import JIT
from dragon.search.alphabeta.search import Batch
from dragon_ulti.question import read_hand
from dragon_ulti.worlds import Worlds, deal_of, unseen

pytestmark = pytest.mark.samples(1)

GAMES = {
    "nim(pile=9)": 2,
    "tictactoe": 4,
    "hex(size=3)": 5,
    "ulti(contract='party')": 22,
    "ulti(contract='party', objective='points')": 24,
}
"""Games, and how many plies are played at random before a value is asked for."""
SPECS = ("alphabeta(deepening=false, megabytes=0.1)", "alphabeta", "alphabeta(table=false)")


def states(spec, plies, count=10):
    game = dragon.game(spec)
    for seed in range(count):
        state = game.start(seed)
        for i in range(plies - seed % 2):
            moves = state.moves()
            if not moves:
                break
            state = state.after(moves[(seed + 3 * i) % len(moves)])
        yield state


@pytest.mark.parametrize("jit", ["0", "1"])
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("game", GAMES)
def test_values_are_those_of_a_search_for_each(game, spec, jit, monkeypatch):
    monkeypatch.setattr(JIT, "value", jit)
    search = dragon.search(spec)
    values = Batch(search)
    asked = list(states(game, GAMES[game]))
    found = [values.value(state) for state in asked]
    values.close()
    expected = []
    for state in asked:
        sign = 1 if state.turn < 0 or state.teams[state.turn] == state.teams[0] else -1
        expected.append(search.best(state).value * sign)
    assert found == expected
    assert len(set(found)) > 1  # or the test would see nothing


def test_nothing_is_known_where_the_limit_came_first():
    state = dragon.game("connect4").start()
    values = Batch(dragon.search("alphabeta(deepening=false)"))
    assert values.value(state, Limit(nodes=100)) is None
    assert values.nodes == 100
    assert values.value(state, Limit(depth=2)) is None


@pytest.mark.parametrize("threads", [1, 2])
def test_a_state_is_asked_to_a_depth_and_then_to_its_end(threads: int):
    state = dragon.game("reversi(size=4)").start()
    values = Batch(dragon.search(f"alphabeta(threads={threads})"))
    values.value(state, Limit(depth=2))
    assert values.value(state) == -10


def test_its_table_grows_by_the_nodes_of_all_states(monkeypatch: pytest.MonkeyPatch):
    home = import_module("dragon.search.alphabeta.driver")
    monkeypatch.setattr(home, "FIRST_MEGABYTES", 0.01)
    monkeypatch.setattr(home, "_free", [])
    values, state = Batch(dragon.search("alphabeta")), dragon.game("connect4").start()
    for _ in range(12):
        values.value(state, Limit(nodes=100))
    assert len(values.lease.table.entries) == 8 * 256


@pytest.mark.full
def test_what_was_learnt_serves_the_next_state():
    game = dragon.game("ulti(contract='no_trump_party')")
    own = read_hand("HA HK HO HX H7 LA L8 AA B9 BX")
    worlds = islice(Worlds(unseen(own)).deals(0), 8)
    asked = [game.parse(str(deal_of(own, world))) for world in worlds]
    search = dragon.search("alphabeta(deepening=false, megabytes=1)")
    values = Batch(search)
    together = sum(values.value(state) is not None for state in asked)
    assert together == len(asked)
    assert values.nodes < sum(search.best(state).nodes for state in asked)


def test_another_game_is_refused():
    values = Batch(dragon.search("alphabeta"))
    values.value(dragon.game("tictactoe").start())
    with pytest.raises(ValueError, match="of one game at a time"):
        values.value(dragon.game("nim").start())
