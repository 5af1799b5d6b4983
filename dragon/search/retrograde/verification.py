"""The check of a table: each entry must follow from those of the positions after it.

Of the making only `rank` and `unrank`, or the list of positions, are used: no counts, edges or
slots. A win needs a move to a loss of one ply less, a loss has moves to wins only; so each of them
is proven by those nearer to the end. A draw has a move to a draw and none to
better: neither side can be forced out of the draws. Scores count plies in the same way, so that no
cycle proves itself. A sweep, in the making, uses the same kernel for positions that are not settled
yet.

Places of a list are looked up in their order. Their bits are mixed, so that the index of a place
can be estimated from its value (interpolation search; Perl, Itai and Avni 1978). The places of a
batch are looked up together, so that reads of memory overlap. Threads share out positions.

It is a kernel of its own, apart from the one that makes tables: a check must not share mistakes.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call,assignment"

from __future__ import annotations

import numpy as np

from dragon.bits import u64
from dragon.core import TERMINAL
from dragon.rules.template import kernel, moves, payoff, play, rank, turn, unrank
from dragon.search.driver import DONE, PAUSED
from dragon.search.path.patterns import secured
from dragon.search.retrograde.positions import (
    BATCH,
    DRAWN,
    LISTED,
    NONE,
    SETTLED,
    SWEEP,
    UNKNOWN,
    WRONG,
    meet,
    place_of,
    result_of,
    sign_of,
)

NEVER = 1 << 40
"""The plies of a position that is not settled: more than any."""
NEARER = 3
"""The number of steps of interpolation, before the search goes step by step."""


@kernel
def open_rank(m, number):
    """Make states[1] the position of a number; return the seat to move, or -1."""
    m.states[1] = m.states[0]
    return unrank(m.states[1], number)


@kernel
def decode(m, code):
    """Return the units and the plies of a code; codes of this level or a later one count as not
    settled."""
    level = (code & SETTLED - 1) >> 2
    if code < SETTLED or level >= m.runs[0].level:
        return 0, NEVER
    return m.results[0].win * ((code & 3) - DRAWN), level


@kernel
def fold(best, soonest, latest, units, plies):
    """Return the first three arguments after one more move: the best units, the least plies to
    them, and the most."""
    if units > best or (units == best and plies < soonest):
        soonest = plies
    return max(best, units), soonest, max(latest, plies)


@kernel
def conclude(results, best, soonest, latest):
    """Return the units and the plies of a position from those of its moves; see `fold`."""
    if best > 0 and not results.scores:
        return best, soonest + 1
    if LISTED and best == 0 and not results.scores:
        return best, 0
    return best, min(latest + 1, NEVER)


# ---- positions with numbers


@kernel
def judge(m, run, number):
    """Return True if the code of a number follows from those after it; settle it in a sweep."""
    code = np.int64(m.codes[number])
    if run.phase == SWEEP and code >= SETTLED:
        return True
    seat, s, after = open_rank(m, number), m.states[1], m.states[2]
    if seat < 0:
        return code == NONE
    if turn(s) == TERMINAL:
        return code == SETTLED + result_of(sign_of(seat) * payoff(s, 0))
    if run.phase != SWEEP and (seat != turn(s) or rank(s) != number):
        return False
    sign, best, soonest, latest = sign_of(seat), UNKNOWN, NEVER, 0
    for i in range(moves(s, m.out)):
        m.states[2] = m.states[1]
        play(after, m.out[i])
        seat, units, plies = turn(after), 0, 0
        if seat == TERMINAL:
            units = sign * payoff(after, 0)
            meet(m.results[0], units)
        else:
            following = np.int64(m.codes[rank(after)])
            if following == NONE:
                return False
            units, plies = decode(m, following)
            units *= sign * sign_of(seat)
        best, soonest, latest = fold(best, soonest, latest, units, plies)
    units, plies = conclude(m.results[0], best, soonest, latest)
    if run.phase == SWEEP and plies < NEVER:
        m.codes[number] = SETTLED + 4 * plies + result_of(units)
        m.results[0].settled += 1
    own_units, own_plies = decode(m, code)
    return run.phase == SWEEP or (units == own_units and plies == own_plies)


# ---- positions in a list


@kernel
def ask(m, run, at, n):
    """List a position and its moves behind n entries; return how many there are then."""
    s, after, own = m.states[at], m.states[run.spare], m.asked[n]
    sign, base = sign_of(turn(s)), secured(s)
    own.opens, own.place = 1, place_of(s, m.words[at])
    count = moves(s, m.out)
    for i in range(count):
        m.states[run.spare] = m.states[at]
        play(after, m.out[i])
        seat, each = turn(after), m.asked[n + 1 + i]
        each.opens = 0
        if seat == TERMINAL:
            each.place, each.units = 0, sign * (payoff(after, 0) - base)
        else:
            each.place = place_of(after, m.words[run.spare])
            each.units, each.sign = sign * (secured(after) - base), sign * sign_of(seat)
    return n + 1 + count


@kernel
def high(place):
    """Return the upper half of a place."""
    return np.int64(place >> u64(32))


@kernel
def look_up(m, n):
    """Find the places of n entries among all, by interpolation, then step by step."""
    count = len(m.places)
    for i in range(n):
        m.asked[i].at = high(m.asked[i].place) * count >> 32
    for _ in range(NEARER):
        for i in range(n):
            each = m.asked[i]
            off = high(each.place) - high(m.places[each.at])
            each.at = min(max(each.at + (off * count >> 32), 0), count - 1)
    for i in range(n):
        each = m.asked[i]
        at, place = np.int64(each.at), each.place
        while at > 0 and m.places[at] > place:
            at -= 1
        while at + 1 < count and m.places[at] < place:
            at += 1
        each.at = at


@kernel
def right(m, run, first, n):
    """Return the entry behind a position and its moves, or -1 if the table is wrong about it."""
    here, best, soonest, latest, i = m.asked[first].at, UNKNOWN, NEVER, 0, first + 1
    if m.places[here] != m.asked[first].place:
        return -1
    while i < n and not m.asked[i].opens:
        each, plies = m.asked[i], 0
        units = np.int64(each.units)
        if each.place:
            if m.places[each.at] != each.place:
                return -1
            plies = np.int64(m.plies[each.at])
            units += each.sign * m.values[each.at]
        best, soonest, latest = fold(best, soonest, latest, units, plies)
        i += 1
    units, plies = conclude(m.results[0], best, soonest, latest)
    return i if m.values[here] == units and m.plies[here] == plies else -1


@kernel
def judge_some(m, run):
    """Check a batch of positions against the table; return False at the first wrong one."""
    n, at, first = 0, run.at, 0
    while at < run.end and n < BATCH:
        n = ask(m, run, at, n)
        at += 1
    look_up(m, n)
    while first < n:
        first = right(m, run, first, n)
        if first < 0:
            return False
        run.at += 1
    return True


@kernel
def follow(m, run):
    """Check positions by their successors, or settle them, depending on the phase."""
    while run.at < run.end:
        if LISTED:
            if not judge_some(m, run):
                return WRONG
        else:
            if not judge(m, run, run.at):
                return WRONG
            run.at += 1
    return DONE


@kernel
def resume(m):
    """Verify until DONE, or WRONG about the position `at`."""
    run = m.runs[0]
    return follow(m, run) if run.stop else PAUSED
