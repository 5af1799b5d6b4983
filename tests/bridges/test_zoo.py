"""PettingZoo and Gymnasium: their own checkers on our games, and what environments must say."""

from __future__ import annotations

import io
import re
import runpy
import sys
import warnings
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dragon
from dragon import CHANCE, TERMINAL

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed (the extra `gym`)")
gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed (the extra `gym`)")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, parallel_api_test, seed_test  # noqa: E402

from dragon.bridges.zoo import RawEnv, SoloEnv, env, parallel_env  # noqa: E402

TWO = [
    "tictactoe", "nim", "kuhn", "leduc", "connect4", "hex(size=5)", "breakthrough", "kalah",
    "einstein", "nex(rows=3, cols=3)", "reversi", "backgammon", "liars_dice", "goofspiel", "chess",
    "checkers", "morris", "teeko", "gomoku", "domineering", "dots_and_boxes", "ulti",
    "phantom",
]  # fmt: skip
ONE = [
    "peg_solitaire", "sliding", "sokoban", "two048", "dominoes(rows=4, cols=4)", "queens", "hands",
]  # fmt: skip


@pytest.mark.samples(4)
@pytest.mark.parametrize("spec", TWO)
def test_their_own_tests_pass(spec: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of observations that are not pictures
        api_test(env(spec), num_cycles=100)
        seed_test(lambda: env(spec), num_cycles=30)
        parallel_api_test(parallel_env(spec), num_cycles=50)


@pytest.mark.samples(2)
@pytest.mark.parametrize("spec", ONE)
def test_games_of_one_seat_pass_the_check_of_gymnasium(spec: str) -> None:
    class Allowed(gymnasium.Wrapper):  # type: ignore[misc, name-defined]
        """Take the first legal action for one that is not, since the check draws any."""

        def step(self, action: Any) -> Any:
            mask = self.unwrapped.encoding.mask(self.unwrapped.state_now, 0)
            return self.env.step(int(action) if mask[action] else int(np.argmax(mask)))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(Allowed(SoloEnv(spec)), skip_render_check=True)


@pytest.mark.samples(3)
@pytest.mark.parametrize("spec", TWO)
def test_each_action_is_one_move_and_each_move_one_action(spec: str) -> None:
    board, rng = RawEnv(spec), np.random.default_rng(3)
    board.reset(seed=3)
    state = board.state_now
    while state.turn != TERMINAL:
        assert state.turn != CHANCE
        legal = board.encoding.legal(state)
        assert sorted(map(str, legal.values())) == sorted(map(str, state.moves()))
        seen = board.observe(board.agent_selection)
        assert np.flatnonzero(seen["action_mask"]).tolist() == sorted(legal)
        assert board.observation_space("seat_0").contains(seen)
        action = list(legal)[int(rng.integers(len(legal)))]
        assert board.action_text(action) == str(legal[action])
        board.step(action)
        state = board.state_now
    assert [board.rewards[agent] for agent in board.possible_agents] == list(state.payoff())


def test_planes_show_each_piece_and_whose_turn_it_is() -> None:
    board = RawEnv("connect4")
    board.reset()
    board.step(next(a for a, move in board.encoding.legal(board.state_now).items() if move == "4"))
    seen = board.observe("seat_1")["observation"]
    assert seen.shape == (4, 6, 7)
    assert np.argwhere(seen[0]).tolist() == [[5, 3]]
    assert not seen[1].any()
    assert seen[2].all()
    assert not board.observe("seat_0")["observation"][2].any()


def test_a_seat_does_not_see_what_is_hidden() -> None:
    seen = set()
    for seed in range(60):
        board = RawEnv("leduc")
        board.reset(seed=seed)
        seen.add(board.observe("seat_0")["observation"].tobytes())
    assert len(seen) == 6  # the own card alone, though 120 deals are possible


def test_seeds_decide_what_chance_does() -> None:
    def dice(seed: int) -> str:
        board = RawEnv("backgammon")
        board.reset(seed=seed)
        return str(board.state_now)

    assert dice(5) == dice(5)
    assert len({dice(seed) for seed in range(20)}) > 3


def test_wrong_actions_and_steps_after_the_end_are_sentences() -> None:
    board = RawEnv("tictactoe")
    board.reset()
    board.step(0)
    with pytest.raises(ValueError, match="the action 0 is not legal for seat_1; take one whose"):
        board.step(0)
    wrapped = env("nim(pile=1)")
    wrapped.reset()
    wrapped.step(int(np.argmax(wrapped.observe("seat_0")["action_mask"])))
    assert wrapped.terminations == {"seat_0": True, "seat_1": True}
    with pytest.raises(ValueError, match="only valid action is None"):
        wrapped.step(0)
    solo = SoloEnv("dominoes(rows=2, cols=2)")
    _, info = solo.reset()
    over = False
    while not over:
        _, reward, over, _, info = solo.step(int(np.argmax(info["action_mask"])))
    assert reward == 1
    with pytest.raises(ValueError, match=r"the game is over; call reset\(\)"):
        solo.step(0)
    with pytest.raises(dragon.ConfigError, match="is not a game of one seat"):
        SoloEnv("nim")


def test_a_game_that_luck_ends_at_once_has_one_step() -> None:
    """Most hands have no free card to be played."""
    solo, board, over = SoloEnv("hands"), RawEnv("hands"), 0
    for seed in range(20):
        _, info = solo.reset(seed=seed)
        assert info["action_mask"].any()
        board.reset(seed=seed)
        if solo.state_now.turn != TERMINAL:
            continue
        over += 1
        assert board.terminations == {"seat_0": True}
        assert board.last()[1] == board.state_now.payoff()[0]
        with pytest.raises(ValueError, match="is not legal"):
            solo.step(solo.action_space.n)
        _, reward, ended, _, info = solo.step(0)
        assert (reward, ended) == (solo.state_now.payoff()[0], True)
        assert not info["action_mask"].any()
        with pytest.raises(ValueError, match=r"the game is over; call reset\(\)"):
            solo.step(0)
    assert over


def test_pictures_are_text() -> None:
    board = env("tictactoe", render_mode="ansi")
    board.reset()
    assert "a1" not in board.render() or "1" in board.render()
    assert len(board.render().splitlines()) >= 3


RESVG = """#!{python}
import re, sys
from PIL import Image
_, _, width, svg, png = sys.argv
text = open(svg).read()
box = re.search(r'viewBox="[-\\d.]+ [-\\d.]+ ([\\d.]+) ([\\d.]+)"', text)
high = round(int(width) * float(box[2]) / float(box[1]))
Image.new("RGBA", (int(width), high), (3 * text.count("<circle"), 80, 160, 255)).save(png)
"""


def test_pictures_are_arrays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By a stand-in for the program that draws: its red is three for each circle.

    A stone is drawn by three circles.
    """
    pytest.importorskip("PIL", reason="pillow is not installed")
    program = tmp_path / "resvg"
    program.write_text(RESVG.format(python=sys.executable))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    board = env("hex(size=3)", render_mode="rgb_array")
    board.reset()
    empty = board.render()
    for cell in (0, 1, 2):
        board.step(cell)
    picture = board.render()
    assert (picture.dtype, picture.shape) == (np.uint8, empty.shape)
    assert max(picture.shape[:2]) == 600
    assert picture.shape[2] == 3
    assert picture[0, 0].tolist() == [int(empty[0, 0, 0]) + 27, 80, 160]
    monkeypatch.setenv("PATH", "")
    with pytest.raises(dragon.ConfigError, match="PNG is drawn by another program"):
        board.render()


@pytest.mark.full
@pytest.mark.budget(90)  # fewer games than 7,000 do not teach it enough
def test_the_example_learns_to_play_better_against_mcts(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    monkeypatch.setattr(sys, "argv", ["train.py", "--games", "7000", "--simulations", "20"])
    output = io.StringIO()
    with redirect_stdout(output):
        runpy.run_path(str(Path(__file__).parents[2] / "examples" / "train.py"), None, "__main__")
    before, after = map(float, re.findall(r"([\d.]+)%", output.getvalue()))
    assert after > before + 5


def test_an_environment_without_a_game_says_so() -> None:
    board = RawEnv("tictactoe", render_mode="ansi")

    def no_game() -> Any:
        return pytest.raises(ValueError, match=r"no game is on; call reset\(\)")

    for use in (lambda: board.step(0), lambda: board.observe("seat_0"), board.render):
        with no_game():
            use()
    with no_game():
        SoloEnv("sliding").step(0)
    board.reset(seed=1)
    while not any(board.terminations.values()):
        board.step(int(np.argmax(board.observe(board.agent_selection)["action_mask"])))
    with pytest.raises(ValueError, match="the only valid action is None"):
        board.step(0)
    for _ in board.possible_agents:
        board.step(None)
    for action in (None, 0):
        with no_game():
            board.step(action)
