"""Retrograde analysis where positions have numbers: one code for each, and nothing else is kept.

First every number gets the code of its position: how many moves it has, or how the game has ended.
Then level by level, the plies to the end, what is settled is propagated to the positions before it,
by the rule `before`, each of which counts how many of its moves are left (Thompson 1986). This is
done in two steps: entries are written into lists, one for each part of the codes, and then applied
part by part. So several threads can do both, each with lists of its own, no two write to the same
part, and codes that are applied to stay within a cache. Without `before`, a sweep on each level
looks at all that is not settled, and at the positions after it.

A code, uint16: SETTLED + 4 * level + result, NONE where there is no position, else the moves left,
and DRAWABLE where one of the others leads to a draw. What is written on a level does not depend on
the order, since nothing but what earlier levels have settled is looked at.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call,assignment"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dragon.core import TERMINAL
from dragon.rules.template import (
    TEAM,
    WIDTH,
    before,
    kernel,
    moves,
    payoff,
    play,
    rank,
    turn,
    unrank,
)
from dragon.search.driver import DONE, PAUSED

SETTLED, NONE, DRAWABLE = 0x8000, 0xFFFF, 0x4000
LOST, DRAWN, WON = 0, 1, 2
MOST_LEVELS = (NONE - SETTLED) // 4 - 1
FULL, WRONG, SCORED = 4, 5, 6
"""Statuses beside those of `dragon.search.driver`: a list is full; the code of the position `at` is
wrong; games end with more than a win, a draw and a loss."""
COUNT, PROPAGATE, SWEEP, CHECK = 0, 1, 2, 3
PART = 19
"""Codes that are heard for at a time, as a power of two: a megabyte."""
BLOCK = 6
"""Codes that are marked together where one of them is settled, as a power of two."""
RUN = np.dtype(
    [
        ("stop", "i8"),  # 0: nothing is to be done
        ("phase", "i8"),
        ("level", "i8"),
        ("at", "i8"),  # the number that is next,
        ("end", "i8"),  # and the one where to stop
        ("settled", "i8"),  # how many have been
        ("win", "i8"),  # units of a decisive end; 0: none was met
    ]
)


class Memory(NamedTuple):
    """The arrays that one thread works on; t = 2 * WIDTH."""

    states: Any  # records[3]: the first one, a position, and one after it
    codes: Any  # uint16[ranks], of all threads
    lists: Any  # uint32[parts, room]: 4 * number within the part + result of the position after it
    filled: Any  # int64[parts]
    fresh: Any  # uint8[2, blocks], of all threads: the last even and odd level that settled some
    out: Any  # int64[t]
    runs: Any  # RUN[1]


@kernel
def open_rank(m, number):
    """Make states[1] the position of a number; return the seat to move, or -1."""
    m.states[1] = m.states[0]
    return unrank(m.states[1], number)


@kernel
def result_of(run, units):
    """Return the result that is worth these units, or -1 where there are several kinds of wins."""
    if units and run.win == 0:
        run.win = abs(units)
    if units and abs(units) != run.win:
        return -1
    return DRAWN + (1 if units > 0 else 0) - (1 if units < 0 else 0)


@kernel
def count(m, run):
    """Give each number its first code."""
    while run.at < run.end:
        seat, s = open_rank(m, run.at), m.states[1]
        if seat < 0:
            code = NONE
        elif turn(s) == TERMINAL:
            result = result_of(run, payoff(s, seat))
            if result < 0:
                return SCORED
            code = SETTLED + result
            run.settled += 1
        else:
            code = moves(s, m.out)
        m.codes[run.at] = code
        run.at += 1
    return DONE


@kernel
def propagate(m, run):
    """List the positions before those that the last level has settled."""
    wanted, room = (SETTLED >> 2) + run.level - 1, m.lists.shape[1] - 2 * WIDTH
    fresh = m.fresh[(run.level - 1) & 1]
    while run.at < run.end:
        last = min(((run.at >> BLOCK) + 1) << BLOCK, run.end)
        marked = fresh[run.at >> BLOCK] == (run.level - 1) & 255
        while marked and run.at < last:
            code = np.int64(m.codes[run.at])
            if code >> 2 == wanted:
                open_rank(m, run.at)
                full = False
                for i in range(before(m.states[1], m.out)):
                    number = m.out[i]
                    part = number >> PART
                    at = m.filled[part]
                    m.lists[part, at] = (number & (1 << PART) - 1) << 2 | code & 3
                    m.filled[part] = at + 1
                    full |= at >= room
                if full:
                    run.at += 1
                    return FULL
            run.at += 1
        run.at = last
    return DONE


@kernel
def apply(codes, entries, level, fresh):
    """Apply entries to some codes; return how many positions that settles.

    codes: uint16[2**PART or less]; entries: uint32[any]; fresh: uint8[any], the marks of blocks.
    """
    found = 0
    for each in entries:
        at, result = np.int64(each) >> 2, np.int64(each) & 3
        code = np.int64(codes[at])
        if code >= SETTLED:
            continue
        code -= 1
        if result == DRAWN:
            code |= DRAWABLE
        if result == LOST:
            code = SETTLED + 4 * level + WON
        elif code & ~DRAWABLE == 0:
            code = SETTLED + 4 * level + (DRAWN if code else LOST)
        if code >= SETTLED:
            fresh[at >> BLOCK] = level & 255
            found += 1
        codes[at] = code
    return found


@kernel
def entry_of(m, run, seat):
    """Return the code of the record states[2] to the team of a seat, as far as it is settled."""
    after = m.states[2]
    mover = turn(after)
    if mover == TERMINAL:
        result = result_of(run, payoff(after, seat))
        return SETTLED + result if result >= 0 else -1
    code = np.int64(m.codes[rank(after)])
    if code < SETTLED or code == NONE or TEAM[mover] == TEAM[seat]:
        return code
    return code ^ code & 3 | 2 - (code & 3)


@kernel
def code_of(m, run, seat):
    """Return the code of the position in states[1], as it follows from those after it.

    Of these, nothing counts that was settled on this level or later. -1: SCORED; -2: WRONG.
    """
    n, best, soonest, latest = moves(m.states[1], m.out), LOST - 1, run.level, 0
    left = 0
    for i in range(n):
        m.states[2] = m.states[1]
        play(m.states[2], m.out[i])
        code = entry_of(m, run, seat)
        if code < 0 or code == NONE:
            return -1 if code < 0 else -2
        level, result = (code & SETTLED - 1) >> 2, code & 3
        if code < SETTLED or level >= run.level:
            left += 1
            continue
        best, latest = max(best, result), max(latest, level)
        if result == WON:
            soonest = min(soonest, level)
    if best == WON:
        return SETTLED + 4 * (soonest + 1) + WON
    if left == 0:
        return SETTLED + 4 * (latest + 1) + best
    return left | (DRAWABLE if best == DRAWN else 0)


@kernel
def sweep(m, run):
    """Settle each position that those after it decide."""
    while run.at < run.end:
        if m.codes[run.at] < SETTLED:
            code = code_of(m, run, open_rank(m, run.at))
            if code < 0:
                return SCORED if code == -1 else WRONG
            run.settled += code >> 15
            m.codes[run.at] = code
        run.at += 1
    return DONE


@kernel
def check(m, run):
    """Compare every code with what follows from the codes after it."""
    while run.at < run.end:
        seat, s, code = open_rank(m, run.at), m.states[1], np.int64(m.codes[run.at])
        if seat < 0:
            right = code == NONE
        elif turn(s) == TERMINAL:
            right = code == SETTLED + result_of(run, payoff(s, seat))
        else:
            found = code_of(m, run, seat)
            right = seat == turn(s) and rank(s) == run.at and found >= 0
            right = right and (found == code if code >= SETTLED else found < SETTLED)
        if not right:
            return WRONG
        run.at += 1
    return DONE


@kernel
def resume(m):
    """Go on until DONE, FULL, WRONG or SCORED."""
    run = m.runs[0]
    if run.stop == 0:
        return PAUSED
    if run.phase == COUNT:
        return count(m, run)
    if run.phase == PROPAGATE:
        return propagate(m, run)
    return sweep(m, run) if run.phase == SWEEP else check(m, run)
