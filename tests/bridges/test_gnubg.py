"""Backgammon held against GNU Backgammon: as many results of each roll, and what turns are worth.

Its position ID is the men of both sides as runs of ones, the side that is not to move first
("GNU Backgammon manual", chapter on technical notes).
"""

from __future__ import annotations

import base64
import random
import re
import shutil
import subprocess
from typing import Any

import numpy as np
import pytest

import dragon
from dragon import CHANCE, TERMINAL, Limit, Position, State
from dragon_boards.forms.gammon import STEP, _carry, _point

GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
pytestmark = pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
SETUP = """
set automatic roll off
set automatic game off
set automatic move off
set automatic bearoff off
set player 0 human
set player 1 human
set evaluation chequer evaluation plies 0
set display off
new game
set turn 0
"""


def position_id(state: Any) -> str:
    """The text of a position in GNU Backgammon; ours counts points from where men enter."""
    men = state.view["men"]
    runs = ["1" * int(men[side][24 - point]) + "0"
            for side in (1 - state.turn, state.turn) for point in range(25)]  # fmt: skip
    bits = "".join(runs).ljust(80, "0")
    number = int(bits[::-1], 2)
    return base64.b64encode(number.to_bytes(10, "little")).decode().rstrip("=")


def answers(lines: list[str]) -> str:
    """The answers to these commands."""
    assert GNUBG is not None
    return subprocess.run(
        [GNUBG, "-t", "-q"], input="".join(lines), capture_output=True, text=True, timeout=60
    ).stdout


def asking(state: Any, roll: str) -> str:
    """The commands that ask for all turns of a roll, the best first."""
    dice = " ".join(re.findall(r"[1-6]", roll))
    return f"set board {position_id(state)}\nset dice {dice}\nhint 2000\n"


def results(state: Any) -> int:
    """The number of positions that a roll can end in."""
    seat, found, seen, waiting = state.turn, set(), set[State[str]](), [state]
    while waiting:
        here = waiting.pop()
        if here.turn != seat:
            found.add(np.asarray(here.view["men"]).tobytes())
        elif here not in seen:
            seen.add(here)
            waiting += [here.after(move) for move in here.moves()]
    return len(found)


def test_the_start_has_its_known_id() -> None:
    first = dragon.game("backgammon").start()
    assert position_id(first.after(first.moves()[0])) == "4HPwATDgc/ABMA"


@pytest.mark.parametrize("games", [1, pytest.param(5, marks=pytest.mark.full)])
def test_each_roll_has_as_many_results_as_there(games: int) -> None:
    dice, asked, lines = random.Random(3), list[int](), [SETUP]
    for _ in range(games):
        state: Any = dragon.game("backgammon").start()
        while state.turn != TERMINAL:
            moves, rolled = state.moves(), state.turn == CHANCE
            move = moves[dice.randrange(len(moves))]
            state = state.after(move)
            if rolled and state.turn >= 0 and dice.random() < 0.3:
                asked.append(results(state))
                lines.append(asking(state, move))
    said = answers(lines)
    counts = list[int]()
    for line in said.splitlines():
        listed = re.match(r" +(\d+)\. Cube", line)
        if "There are no legal moves" in line or (listed and listed[1] == "1"):
            counts.append(0)
        if listed or "There are no legal moves" in line:
            counts[-1] += 1
    assert counts == asked
    assert len(asked) > 10 * games


def men_after(state: Any, turn: str) -> bytes:
    """The men after a turn as it writes them, such as `24/23 13/10*`."""
    men = state.view["men"]
    left = men.tolist()
    for step in STEP.finditer(turn):
        places = [step[1], *re.findall(r"bar|off|\d+", step[2], re.I)]
        for _ in range(int(step[3] or 1)):
            _carry(left, state.turn, [_point(place) for place in places], turn)
    return np.array(left, men.dtype).tobytes()


def mean_loss(spec: str, limit: Limit, turns: int) -> float:
    """The equity that a search gives away in a turn, in play against itself."""
    dice, game, lines = random.Random(3), dragon.game("backgammon"), [SETUP]
    asked: list[tuple[Any, bytes]] = []
    state: Any = game.start()
    with dragon.search(spec).open(game) as run:
        while len(asked) < turns:
            if state.turn == TERMINAL:
                state = game.start()
            moves = state.moves()
            roll = moves[dice.randrange(len(moves))]
            rolled = here = state.after(roll)
            while here.turn == rolled.turn >= 0:
                here = here.after(run.best(Position(here), limit, dice.randrange(1 << 30)).line[0])
            if rolled.turn >= 0:
                asked.append((rolled, np.asarray(here.view["men"]).tobytes()))
                lines.append(asking(rolled, roll))
            state = here
    listed = list[list[tuple[str, float]]]()
    for line in answers(lines).splitlines():
        hint = re.match(r" +(\d+)\. Cube\S* \S+ +(.*?) +Eq\.: +([-+]\d\.\d+)", line)
        if "There are no legal moves" in line or (hint and hint[1] == "1"):
            listed.append([])
        if hint:
            listed[-1].append((hint[2], float(hint[3])))
    assert len(listed) == len(asked)
    lost = []
    for (rolled, men), hints in zip(asked, listed, strict=True):
        worth = {men_after(rolled, turn): equity for turn, equity in reversed(hints)}
        if worth:
            lost.append(hints[0][1] - worth[men])  # each of our results is one of its own
    return sum(lost) / len(lost)


@pytest.mark.full
def test_it_judges_a_search_above_random_play() -> None:
    even = mean_loss("random", Limit(depth=1), 40)
    searched = mean_loss("alphabeta", Limit(nodes=2000), 40)
    assert 0 <= searched < 0.7 * even
