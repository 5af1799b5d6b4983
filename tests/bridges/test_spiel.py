"""Games of OpenSpiel as games of dragon: rules, laws, worlds, equilibria."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import dragon
from dragon import CHANCE, TERMINAL, BadNotation, ConfigError, GameError, IllegalMove, Limit, Trait
from dragon.laws import GAME_LAWS, judge, laws_of

pyspiel = pytest.importorskip(
    "pyspiel", reason="OpenSpiel is not installed (the extra `openspiel`)"
)

from dragon.bridges.efg import nodes  # noqa: E402
from dragon.bridges.spiel import OpenSpiel, samples_worlds  # noqa: E402

LAWS = {law.name: law for law in GAME_LAWS}
SMALL = {
    "kuhn_poker": 30,
    "matrix_rps": 9,
}
HIDDEN = ["kuhn_poker", "leduc_poker", "phantom_ttt", "matrix_rps", "hearts", "gin_rummy"]


def walk(name: str, seed: int, plies: int = 60) -> list[dragon.State[str]]:
    """The states of a random game."""
    rng, state = np.random.default_rng(seed), OpenSpiel(name).start()
    found = [state]
    while state.turn != TERMINAL and len(found) <= plies:
        moves = state.moves()
        state = state.after(moves[int(rng.integers(len(moves)))])
        found.append(state)
    return found


def lines(state: dragon.State[str]) -> int:
    return 1 if state.turn == TERMINAL else sum(lines(state.after(m)) for m in state.moves())


@pytest.mark.parametrize(("name", "games"), [*SMALL.items()], ids=str)
def test_games_have_as_many_lines_as_there(name: str, games: int) -> None:
    assert lines(OpenSpiel(name).start()) == games


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "backgammon", "stones_and_gems"])
def test_positions_read_back_and_pickle(name: str) -> None:
    for state in walk(name, 3, 20):
        again = state.game.parse(str(state))
        assert again == state == pickle.loads(pickle.dumps(state))
        assert again.turn == state.turn
        assert str(again.picture()) == state.picture()


def test_draws_of_a_game_that_draws_by_itself_can_be_repeated() -> None:
    first, *_ = (walk("negotiation", 5, 6) for _ in range(2))
    again = first[-1].game.parse(str(first[-1]))
    assert first[0].turn == CHANCE
    assert again.picture() == first[-1].picture()


@pytest.mark.parametrize("name", HIDDEN)
def test_worlds_look_to_the_seat_as_the_state_does(name: str) -> None:
    tried = 0
    for state in walk(name, 11, 70)[:-1]:
        if state.turn >= 0:
            view = state.seen(state.turn)
            world = view.determinize(np.random.default_rng(tried))
            assert world.seen(state.turn) == view
            assert tuple(world.moves()) == tuple(state.moves()) == tuple(view.moves())
            tried += 1
    assert tried
    assert samples_worlds(name) == (name in ("kuhn_poker", "leduc_poker", "hearts", "gin_rummy"))


@pytest.mark.samples(2)
@pytest.mark.budget(40)
@pytest.mark.parametrize("name", ["kuhn_poker", "matrix_rps", "tic_tac_toe", "leduc_poker"])
def test_laws_hold(name: str) -> None:
    game = OpenSpiel(name)
    broken = {law.name: found.message for law in laws_of(game)
              if not (found := judge(law, game)).passed}  # fmt: skip
    assert broken == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kuhn_poker", -1 / 18),
        ("matrix_mp", 0),
        pytest.param("leduc_poker", -0.085606424, marks=pytest.mark.full),
    ],
)
def test_equilibria_have_the_published_values(name: str, value: float) -> None:
    result = dragon.search("cfr").best(
        OpenSpiel(name).start(), Limit(seconds=12 if name == "leduc_poker" else 1)
    )
    assert result.value == pytest.approx(value, abs=1e-3)


CARD = """EFG 2 R "A card, a bet" { "dealt" "other" }
c "" 1 "" { "red" 1/2 "black" 1/2 } 0
p "" 1 1 "" { "raise" "fold" } 0
p "" 2 1 "" { "meet" "pass" } 0
t "" 1 "" { 2, -2 }
t "" 2 "" { 1, -1 }
t "" 2 "" { 1, -1 }
p "" 1 2 "" { "raise" "fold" } 0
p "" 2 1 "" { "meet" "pass" } 0
t "" 3 "" { -2, 2 }
t "" 2 "" { 1, -1 }
t "" 4 "" { -1, 1 }
"""


def test_a_file_of_gambit_keeps_its_information_sets(tmp_path: Path) -> None:
    """The value of Myerson's card game is 1/3, and 0 if the other seat sees the card."""
    (tmp_path / "card.efg").write_text(CARD)
    game = OpenSpiel(f"efg_game(filename={tmp_path / 'card.efg'})")
    result = dragon.search("cfr").best(game.start(), Limit(nodes=20_000))
    assert result.value == pytest.approx(1 / 3, abs=1e-3)
    assert len({(n.seat, n.number) for n in nodes(game) if n.seat >= 0}) == 3


def test_searches_find_the_value_of_tic_tac_toe() -> None:
    result = dragon.search("alphabeta").best(OpenSpiel().start(), Limit(seconds=20))
    assert (result.value, result.bound) == (0, dragon.Bound.EXACT)


def test_traits_follow_what_openspiel_says() -> None:
    assert OpenSpiel("backgammon").traits == {Trait.DUEL, Trait.CHANCE}
    assert OpenSpiel("hearts").traits == {Trait.CHANCE, Trait.HIDDEN}
    assert OpenSpiel("hearts").teams == (0, 1, 2, 3)
    assert OpenSpiel("2048").traits == {Trait.SOLO, Trait.CHANCE}
    assert OpenSpiel("matrix_rps").traits == {Trait.DUEL, Trait.HIDDEN}


def test_mistakes_are_one_sentence() -> None:
    with pytest.raises(ConfigError, match="does not have a game 'ches'; did you mean 'chess'"):
        OpenSpiel("ches").start().moves()
    with pytest.raises(ConfigError, match="mean-field game"):
        OpenSpiel("mfg_garnet").start().moves()
    with pytest.raises(ConfigError, match="OpenSpiel refuses 'cached_tree'"):
        OpenSpiel("cached_tree").start().moves()
    with pytest.raises(ConfigError, match="OpenSpiel refuses 'nfg_game'"):
        OpenSpiel("nfg_game").start().moves()
    with pytest.raises(ConfigError, match="crossword does not list its legal actions"):
        OpenSpiel("crossword").start().moves()
    with pytest.raises(IllegalMove, match="'x' is not a legal move"):
        OpenSpiel().start().after("x")
    with pytest.raises(BadNotation, match="'9' in '0 9' is not the number of a legal action"):
        OpenSpiel().parse("0 9")
    with pytest.raises(BadNotation, match="is not what a seat that is to move knows"):
        OpenSpiel("kuhn_poker").parse("view nonsense")
    state = walk("tarok", 1, 2)[-1]
    with pytest.raises(GameError, match="draws chance by itself"):
        state.seen(state.turn).determinize(np.random.default_rng(0))


def test_a_sampler_that_shows_the_truth_is_found_with_two_positions() -> None:
    """The layoff of gin rummy, where `resample_from_infostate` returns the state itself."""
    found = judge(LAWS["law_worlds_are_drawn_without_the_truth"], OpenSpiel("gin_rummy"))
    assert not found.passed
    first = re.search(r"position: ([\d ]+)", found.message)
    second = re.search(r"there is: ([\d ]+)", found.message)
    assert first
    assert second
    here, there = (OpenSpiel("gin_rummy").parse(found[1].strip()) for found in (first, second))
    assert here != there
    assert here.seen(here.turn) == there.seen(here.turn)
    for state in (here, there):
        assert "Phase: Layoff" in state.picture()
        drawn = {state.determinize(np.random.default_rng(seed)).picture() for seed in range(9)}
        assert drawn == {state.picture()}


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "matrix_rps"])
def test_samplers_that_draw_keep_that_law(name: str) -> None:
    assert judge(LAWS["law_worlds_are_drawn_without_the_truth"], OpenSpiel(name)).passed


def test_a_world_whose_history_openspiel_does_not_tell_is_not_taken_for_the_truth() -> None:
    state = walk("gin_rummy", 11, 30)[-1]
    world = state.determinize(np.random.default_rng(0))
    assert world.picture() != state.picture()
    assert world != state
    assert world == state.determinize(np.random.default_rng(0))
    assert world.after(world.moves()[0]).picture() != state.after(state.moves()[0]).picture()
    with pytest.raises(BadNotation, match="whose history is not known"):
        state.game.parse(str(world))
    with pytest.raises(GameError, match="cannot be sent to another process"):
        pickle.dumps(world)
