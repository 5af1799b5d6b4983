"""The memory of alpha-beta's kernel, and how it gets room for more plies."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dragon.core import State
from dragon.search.alphabeta.settings import (
    STARS,
    Settings,
    asks_solved,
    counts_distance,
    looks_beyond,
    margin_of,
    reduces_late,
    skips,
)
from dragon.search.driver import lengthened, run_of, words_of

LINE = 1024
"""Moves of a line that are kept: with all of them, memory would grow as the square of the plies."""
FRAME = np.dtype(
    [
        ("alpha", "i8"),  # the window from the mover's side; alpha rises
        ("beta", "i8"),
        ("first_alpha", "i8"),  # as it was on entry
        ("best", "i8"),
        ("upper", "i8"),  # no value exceeds it
        ("banked", "i8"),  # secured steps, from the mover's side
        ("key", "u8"),  # mixed
        ("began", "i8"),  # how many nodes had been visited on entry
        ("base", "i8"),  # where the ply's moves begin on the stack
        ("n", "i8"),
        ("at", "i8"),  # the next move to try; -1: a pass
        ("put_off", "i8"),  # how many of the last another thread was found to be at
        ("claim", "u8"),  # for the move being tried, or 0
        ("best_index", "i8"),
        ("depth", "i8"),
        ("low", "i8"),  # the window from seat 0's side, set by the parent
        ("high", "i8"),
        ("sign", "i8"),
        ("seat", "i8"),  # to move
        ("horizon", "i1"),  # whether it cut short what is below
        ("late", "i1"),  # plies that the move being tried, or the pass, is looked ahead less
        ("narrow", "i1"),  # whether the move being tried has a zero window
        ("sorted", "i1"),
        ("least", "f8"),  # of a chance node: what its outcomes are worth together
        ("most", "f8"),
        ("probing", "i1"),  # whether its outcomes are still probed
        ("single", "i1"),  # whether the most promising move alone is asked for,
        ("partial", "i1"),  # and others were left out
        ("lineless", "i1"),  # whether chance decides above, so that no line comes here
        ("passed", "i1"),  # whether the other side has passed
    ],
    align=True,
)
RUN = np.dtype(
    [
        ("mode", "i8"),
        ("ply", "i8"),
        ("value", "i8"),  # of the state just left, from seat 0's side
        ("horizon", "i8"),  # whether it cut that short
        ("nodes", "i8"),
        ("stop", "i8"),  # pause when this many nodes have been visited,
        ("listed", "i8"),  # or this many moves listed: a list may be long
        ("pause", "i8"),
        ("hits", "i8"),
        ("seed", "u8"),
        ("root_best", "i8"),  # index of the root's best move in the last iteration, or -1
        ("age", "i8"),  # of the table's entries that count
        ("learnt", "i8"),  # counters of history, of either side, beyond which all are 0
        ("table", "i1"),
        ("pvs", "i1"),
        ("killers", "i1"),
        ("history", "i1"),
        ("order", "i1"),
        ("sooner", "i1"),  # whether a quicker win is worth more
        ("shuffle", "i1"),
        ("reduce", "i1"),
        ("bounds", "i1"),
        ("solved", "i1"),
        ("quiescence", "i8"),  # plies beyond the horizon
        ("late", "i1"),  # whether late moves are looked ahead less
        ("null", "i1"),  # whether passes are tried
        ("futility", "i8"),  # its margin for each ply, in steps; 0: off
        ("refuses", "i1"),  # chance
        ("star", "i1"),  # whether outcomes have windows,
        ("probe", "i1"),  # and are probed first
        ("partial", "i1"),  # whether the value is that of a probe
    ],
    align=True,
)


class Memory(NamedTuple):
    """What the kernel works on, for p plies and `room` moves on the stack."""

    states: Any  # records[p]
    words: Any  # uint64[p, itemsize / 8], the same memory
    frames: Any  # FRAME[p]
    codes: Any  # int64[room]
    odds: Any  # float64[room], of outcomes
    lows: Any  # int64[room], what they are worth at least
    highs: Any  # int64[room], and at most
    scores: Any  # int64[room]
    places: Any  # int64[room], where the moves were in the game's list
    killers: Any  # int64[p, 2]
    history: Any  # int64[2, HISTORY]
    table: Any  # ENTRY[2**k], of all threads
    claims: Any  # uint64[CLAIMS], of all threads
    lines: Any  # int64[p, min(p, LINE)], the line from each ply, or its beginning
    lengths: Any  # int64[p]
    random: Any  # uint64[1], scratch
    tablebase: Any  # uint8[any]
    runs: Any  # RUN[1]


def run_for(settings: Settings, state: State[Any], age: int, seed: int, pause: int) -> Any:
    """Return the RUN[1] of a search: its settings, so far as the game has what they need.

    age: of the table's entries; pause: moves that are listed before the kernel pauses.
    """
    return run_of(
        RUN, settings, age=age, seed=seed, root_best=-1, pause=pause,
        sooner=counts_distance(settings, state), solved=asks_solved(settings, state),
        refuses=settings.chance is None, quiescence=looks_beyond(settings, state),
        late=reduces_late(settings, state), null=skips(settings, state),
        futility=margin_of(settings, state),
        star=settings.chance in STARS, probe=settings.chance == STARS[-1],
    )  # fmt: skip


def deepened(m: Memory, plies: int) -> Memory:
    """The same with room for more plies; what is there stays."""
    killers = np.full((plies, 2), -1, np.int64)
    killers[: len(m.killers)] = m.killers
    lines = np.zeros((plies, min(plies, LINE)), np.int64)
    lines[: len(m.lines), : m.lines.shape[1]] = m.lines
    states = lengthened(m.states, plies)
    return m._replace(
        states=states, words=words_of(states), frames=lengthened(m.frames, plies),
        killers=killers, lines=lines, lengths=lengthened(m.lengths, plies),
    )  # fmt: skip
