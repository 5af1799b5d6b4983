"""Backgammon held against GNU Backgammon: as many results of each roll, by its hints.

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
from dragon import CHANCE, TERMINAL, State

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
                lines.append(f"set board {position_id(state)}\n")
                lines.append(f"set dice {' '.join(re.findall(r'[1-6]', move))}\nhint 2000\n")
    assert GNUBG is not None
    said = subprocess.run(
        [GNUBG, "-t", "-q"], input="".join(lines), capture_output=True, text=True, timeout=60
    ).stdout
    counts = list[int]()
    for line in said.splitlines():
        listed = re.match(r" +(\d+)\. Cube", line)
        if "There are no legal moves" in line or (listed and listed[1] == "1"):
            counts.append(0)
        if listed or "There are no legal moves" in line:
            counts[-1] += 1
    assert counts == asked
    assert len(asked) > 10 * games
