"""perft: the number of move paths of a given length, the test of a move generator.

Finished games are not extended. Connect four has 823,536 paths of 7 moves and 5,673,234 of 8.
The kernel walks depth-first, with one record and one stretch of moves for each ply.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any

from dragon.core import TERMINAL, State
from dragon.errors import ConfigError
from dragon.rules.record import RecordState, has_kernels
from dragon.rules.rehearsal import kernels_of, rehearsed
from dragon.rules.template import WIDTH, kernel, moves, play, turn


def perft(state: State[Any], depth: int) -> int:
    """The number of move paths of length `depth` from `state`.

    >>> import dragon
    >>> [perft(dragon.game("tictactoe").start(), d) for d in range(4)]
    [1, 9, 72, 504]
    """
    if depth < 0:
        raise ConfigError(f"depth must be 0 or more, not {depth}")
    if has_kernels(state):
        return _Paths(state).count(depth)
    return _plain(state, depth)


def _plain(state: State[Any], depth: int) -> int:
    if depth == 0:
        return 1
    if state.turn == TERMINAL:
        return 0
    moves = state.moves()
    if depth == 1:
        return len(moves)
    return sum(_plain(state.after(move), depth - 1) for move in moves)


class _Paths:
    """The compiled counter of paths from one state."""

    def __init__(self, state: RecordState) -> None:
        import numpy as np

        self.rules = state.rules
        self._root = np.frombuffer(state.data, self.rules.layout)

    @rehearsed
    def count(self, depth: int) -> int:
        """Return the number of move paths of length `depth`."""
        import numpy as np

        rules = self.rules
        depth = min(depth, rules.plies + 1)
        module = kernels_of("dragon.rules.perft", rules)
        states = np.zeros(depth + 1, rules.layout)
        states[0] = self._root[0]
        first, last, at = np.zeros((3, depth + 1), np.int64)
        total, size = 0, 1 << 12
        while True:  # the kernel asks for a longer list of moves when it runs out of one
            codes = np.zeros(size + rules.width, np.int64)
            total = int(module.count(states, codes, first, last, at, depth))
            if total >= 0:
                return total
            size *= 4


@kernel
def count(states, codes, first, last, at, depth):
    """Return the number of paths of length `depth` from states[0]; -1 where `codes` is too short.

    states: records[depth + 1]; codes: int64[any], one stack for the moves of all plies;
    first, last, at: int64[depth + 1], for each ply the ends of its moves on the stack, and the
    next move.
    """
    if depth == 0:
        return 1
    total = 0
    d = 0
    top = 0
    while True:
        s = states[d]
        n = 0
        if turn(s) != TERMINAL:
            if top + WIDTH > len(codes):
                return -1
            out = codes[top:]
            n = moves(s, out)
        if d == depth - 1:
            total += n
            d -= 1
        else:
            first[d] = at[d] = top
            last[d] = top = top + n
        while d >= 0 and at[d] == last[d]:
            top = first[d]
            d -= 1
        if d < 0:
            return total
        states[d + 1] = states[d]
        play(states[d + 1], codes[at[d]])
        at[d] += 1
        d += 1
