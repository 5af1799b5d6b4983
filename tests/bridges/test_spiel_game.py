"""Games of dragon as games of OpenSpiel: its own checks, and its algorithms on them."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import dragon

pyspiel = pytest.importorskip(
    "pyspiel", reason="OpenSpiel is not installed (the extra `openspiel`)"
)

from open_spiel.python.algorithms import mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from dragon.bridges.spiel_game import spiel_game  # noqa: E402

GAMES = ["tictactoe", "kuhn", "leduc", "goofspiel", "nim", "hex(size=3)", "einstein", "ulti"]


@pytest.mark.samples(5)
@pytest.mark.parametrize("spec", [*GAMES, "backgammon", "sliding"])
def test_the_check_of_openspiel_passes(spec: str) -> None:
    pyspiel.random_sim_test(spiel_game(spec), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("dragon", "tictactoe"),
        ("dragon(game=hex(size=5))", "hex(size=5)"),
        ("dragon(game=kuhn())", "kuhn"),
        (
            "dragon(game=goofspiel(cards=3,prizes=rising))",
            "goofspiel(cards=3, prizes='rising')",
        ),
    ],
)
def test_games_are_loaded_by_name_and_written_down(name: str, spec: str) -> None:
    game = pyspiel.load_game(name)
    assert str(game) == str(spiel_game(spec))
    assert game.dragon == dragon.game(spec)
    again = pickle.loads(pickle.dumps(game))
    assert (str(again), again.dragon) == (str(game), game.dragon)


@pytest.mark.parametrize("spec", ["kuhn", "breakthrough"])
def test_a_state_goes_on_where_it_was_written_down(spec: str) -> None:
    game, dice = spiel_game(spec), np.random.RandomState(2)
    state = game.new_initial_state()
    for _ in range(2):
        state.apply_action(int(dice.choice(state.legal_actions())))
    _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    for other in (read, pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
        assert (str(other), other.history()) == (str(state), state.history())
        assert other.information_state_string(0) == state.information_state_string(0)
        assert other.legal_actions() == state.legal_actions()
        action = state.legal_actions()[0]
        assert str(other.child(action)) == str(state.child(action))


def test_a_name_that_is_wrong_is_refused() -> None:
    with pytest.raises(dragon.UnknownName, match="no game called 'hecks'"):
        pyspiel.load_game("dragon(game=hecks())")
    with pytest.raises(dragon.ConfigError, match="sice"):
        pyspiel.load_game("dragon(game=hex(sice=5))")


def paths(state: object, depth: int) -> int:
    if depth == 0 or state.is_terminal():  # type: ignore[attr-defined]
        return int(depth == 0)
    return sum(paths(state.child(action), depth - 1) for action in state.legal_actions())  # type: ignore[attr-defined]


@pytest.mark.parametrize(("spec", "depth"), [("connect4", 3), ("kuhn", 3), ("breakthrough", 2)])
def test_it_has_as_many_paths_as_the_game(spec: str, depth: int) -> None:
    start = dragon.game(spec).start()
    assert paths(spiel_game(spec).new_initial_state(), depth) == dragon.perft(start, depth)


def test_a_clone_goes_its_own_way() -> None:
    state = spiel_game("kuhn").new_initial_state()
    other = state.clone()
    other.apply_action(0)
    assert (str(state), str(other)) == ("-", "JQ")
    assert other.observation_string(0) == "J?"
    assert "Q" not in other.information_state_string(0)


def test_their_cfr_finds_the_value_of_our_kuhn() -> None:
    game = spiel_game("kuhn")
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.nash_conv(game, policy) < 0.005
    values = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert values[0] == pytest.approx(-1 / 18, abs=0.002)


@pytest.mark.parametrize(
    ("spec", "theirs"),
    [
        ("kuhn", "kuhn_poker"),
        pytest.param("leduc", "leduc_poker", marks=pytest.mark.full),
    ],
)
def test_a_uniform_player_is_as_exploitable_as_in_their_own_game(spec: str, theirs: str) -> None:
    lost = []
    for game in (spiel_game(spec), pyspiel.load_game(theirs)):
        lost.append(pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)))
    assert lost[0] == pytest.approx(lost[1])


def test_their_mcts_beats_a_random_player_at_our_game() -> None:
    game, dice = spiel_game("connect4"), np.random.RandomState(1)
    player = mcts.MCTSBot(game, 2, 60, mcts.RandomRolloutEvaluator(1, dice), random_state=dice)
    won = 0.0
    for number in range(4):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            ours = state.current_player() == number % 2
            state.apply_action(player.step(state) if ours else int(dice.choice(legal)))
        won += state.returns()[number % 2]
    assert won >= 2


def test_observations_are_those_of_the_seat() -> None:
    game = spiel_game("kuhn")
    seen = make_observation(game)
    state = game.new_initial_state()
    tensors = []
    for deal in (0, 1):  # JQ, JK: alike to seat 0
        here = state.child(deal)
        seen.set_from(here, player=0)
        tensors.append(seen.tensor.copy())
        seen.set_from(here, player=1)
        tensors.append(seen.tensor.copy())
    assert (tensors[0] == tensors[2]).all()
    assert (tensors[1] != tensors[3]).any()
