"""A game with a mistake deep in one line, where random games do not come, and `dragon` with it."""

from __future__ import annotations

import sys

from attrs import frozen

from dragon import TERMINAL, RecordGame, Rules, hookimpl, rule
from dragon.cli import main
from dragon.plugins import manager

DEEP = 24


@frozen
class Endless(RecordGame):
    """Thirty plies of two moves; the mistake is where the first move was always played."""

    name = "endless"
    mistake: str = "turn"

    def rules(self) -> Rules:
        wrong = self.mistake

        @rule
        def turn(s):
            if wrong == "turn" and s.ply == DEEP and s.path == 0:
                while s.path == 0:
                    s.ply ^= 1
            return TERMINAL if s.ply >= 30 else s.ply % 2

        @rule
        def moves(s, out):
            if wrong == "moves" and s.ply == DEEP and s.path == 0:
                while s.path == 0:
                    s.ply ^= 1
            out[0] = 0
            out[1] = 1
            return 2

        @rule
        def stirred(x):
            for _ in range(9_000_000):
                x ^= x << 13
                x ^= x >> 7
            return x

        @rule
        def slowly(x):
            for _ in range(9_000):
                x = stirred(x)
            return x

        @rule
        def deeper(n):
            return 0 if n == -1 else deeper(n + 2) + 1

        @rule
        def play(s, move):
            if wrong == "play" and s.ply == DEEP and s.path == 0:
                while s.ply >= 0:
                    s.ply ^= 1
            if wrong == "slow" and s.ply == DEEP and s.path == 0:
                s.path = slowly(s.ply)
            if wrong == "calls" and s.ply == DEEP and s.path == 0:
                s.path = deeper(s.ply)
            if wrong == "memory" and s.ply == DEEP and s.path == 0:
                s.marks[s.ply << 40] = 1
            s.path = s.path << 1 | move
            s.ply += 1

        @rule
        def payoff(s, seat):
            if wrong == "payoff" and s.path == 0:
                while s.path == 0:
                    s.ply ^= 1
            return 1 - 2 * seat if s.path & 1 else 2 * seat - 1

        return Rules(
            [("ply", "i8"), ("path", "i8"), ("marks", "i8", (2,))],
            moves=moves, play=play, turn=turn, payoff=payoff, width=2, plies=30,
        )  # fmt: skip


@hookimpl
def dragon_games() -> list[type[Endless]]:
    return [Endless]


if __name__ == "__main__":
    manager().register(sys.modules["__main__"], "endless")
    main(sys.argv[1:], prog_name="dragon")
