"""A game with a mistake deep in one line, where random games do not come, and `dragon` with it."""

from __future__ import annotations

import os
import sys
import threading
import time
from multiprocessing import parent_process
from typing import Any

import numpy as np
from attrs import frozen

from dragon import TERMINAL, RecordGame, Rules, game, hookimpl, perft, rule
from dragon.cli import main
from dragon.plugins import manager

DEEP = 24
MISTAKES = "turn", "moves", "play", "slow", "calls", "memory", "payoff", "killed"
TURN, MOVES, PLAY, SLOW, CALLS, MEMORY, PAYOFF, _ = range(len(MISTAKES))


@frozen
class Endless(RecordGame):
    """Thirty plies of two moves; the mistake is where the first move was always played.

    Which it is is in the record, so that what is compiled for one serves them all.
    """

    name = "endless"
    mistake: str = "turn"

    def rules(self) -> Rules:
        @rule
        def turn(s):
            if s.wrong == TURN and s.ply == DEEP and s.path == 0:
                while s.path == 0:
                    s.ply ^= 1
            return TERMINAL if s.ply >= 30 else s.ply % 2

        @rule
        def moves(s, out):
            if s.wrong == MOVES and s.ply == DEEP and s.path == 0:
                while s.path == 0:
                    s.ply ^= 1
            out[0] = 0
            out[1] = 1
            return 2

        @rule
        def slowly(x):  # no more turns than a rule may take, and each of them is long
            room = np.zeros(8192, np.int64)
            for i in range(9_000_000):
                room[:] = x ^ i
                x ^= room[x & 8191]
                room[:] = x ^ i
                x ^= room[x & 8191]
            return x

        @rule
        def deeper(n):
            return 0 if n == -1 else deeper(n + 2) + 1

        @rule
        def play(s, move):
            if s.wrong == PLAY and s.ply == DEEP and s.path == 0:
                while s.ply >= 0:
                    s.ply ^= 1
            if s.wrong == SLOW and s.ply == DEEP and s.path == 0:
                s.path = slowly(s.ply)
            if s.wrong == CALLS and s.ply == DEEP and s.path == 0:
                s.path = deeper(s.ply)
            if s.wrong == MEMORY and s.ply == DEEP and s.path == 0:
                s.marks[s.ply << 40] = 1
            s.path = s.path << 1 | move
            s.ply += 1

        @rule
        def payoff(s, seat):
            if s.wrong == PAYOFF and s.path == 0:
                while s.path == 0:
                    s.ply ^= 1
            return 1 - 2 * seat if s.path & 1 else 2 * seat - 1

        return Rules(
            [("ply", "i8"), ("path", "i8"), ("marks", "i8", (2,)), ("wrong", "i8")],
            moves=moves, play=play, turn=turn, payoff=payoff, width=2, plies=30,
        )  # fmt: skip

    def setup(self, record: Any) -> None:
        record.wrong = MISTAKES.index(self.mistake)
        if self.mistake == "killed" and parent_process() is not None:
            os.kill(os.getpid(), 40)  # a signal without a name


@hookimpl
def dragon_games() -> list[type[Endless]]:
    return [Endless]


def beside() -> None:
    """Many short calls of compiled code, of another game."""
    while True:
        perft(game("tictactoe").start(), 4)


def tell() -> None:
    """Say when a call of compiled code has lasted for a second."""
    from dragon.compiler.entries import calls

    before: set[int] = set()
    while not before & {*calls()}:
        before = {*calls()}
        time.sleep(1)
    print("it lasts", file=sys.stderr, flush=True)


if __name__ == "__main__":
    threading.Thread(target=tell, daemon=True).start()
    manager().register(sys.modules["__main__"], "endless")
    if sys.argv[1] == "beside":
        threading.Thread(target=beside, daemon=True).start()
        del sys.argv[1]
    main(sys.argv[1:], prog_name="dragon")
