"""The kernel of retrograde analysis: the worth of all positions, level by level from the ends.

First every position gets a code: how many moves it has, or how the game has ended. A level is the
plies to the end. On each, what the last one has settled is propagated to the positions before it,
by the rule `before` or by the edges of a list, each of which counts how many of its moves are left
(Thompson 1986). A position is settled when one of its moves is known to win, or when all are known;
where there are scores, when all are known. Those that never are can be kept going by either side
for ever, and are draws.

Propagation has two steps: entries are written into lists, one for each part of the codes, and then
applied part by part. So several threads can do both, each with lists of its own, no two write to
the same part, and codes that are applied to stay within a cache. Without `before`, a sweep on each
level looks at all that is not settled, and at the positions after it (`verification`). What is
written on a level does not depend on the order, since nothing but what earlier levels have settled
is looked at.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call,assignment"

from __future__ import annotations

import numpy as np

from dragon.bits import bit, ctz, shr
from dragon.core import TERMINAL
from dragon.rules.template import (
    HAS_BANKED,
    HAS_BEFORE,
    WIDTH,
    before,
    kernel,
    moves,
    payoff,
    turn,
)
from dragon.search.driver import DONE, PAUSED
from dragon.search.retrograde.positions import (
    BATCH,
    BLOCK,
    COUNT,
    DRAWABLE,
    DRAWN,
    FULL,
    LIST,
    LISTED,
    LOST,
    NONE,
    PART,
    SETTLED,
    WON,
    list_positions,
    meet,
    result_of,
)
from dragon.search.retrograde.verification import follow, open_rank

SPARE = BATCH + 2 * WIDTH
"""Entries that may be written into a list before it is told to be full."""


@kernel
def count(m, run):
    """Give each position its first code."""
    for at in range(run.at, run.end):
        m.codes[at] = count_listed(m, run, at) if LISTED else count_numbered(m, run, at)
    return DONE


@kernel
def count_numbered(m, run, number):
    """Return the code of a position with its moves, or its result where the game is over."""
    seat, s = open_rank(m, number), m.states[1]
    if seat < 0:
        return NONE
    if turn(s) != TERMINAL:
        return moves(s, m.out)
    units = payoff(s, seat)
    meet(run, units)
    run.settled += 1
    return SETTLED + result_of(units)


@kernel
def count_listed(m, run, number):
    """Return the code of a position of which `value` is known by moves that end the game."""
    code, value = np.int64(m.codes[number]), np.int64(m.nodes[number].value)
    won = run.win and value == run.win
    if code and (run.scores or not won):
        return code | (DRAWABLE if value == 0 and not run.scores else 0)
    run.settled += 1
    return SETTLED + 4 * run.level + result_of(value)


@kernel
def enter_for(m, number, result, units):
    """Write an entry for a position into the list of its part; return how many were there."""
    part = number >> PART
    at = m.listed[part]
    m.lists[part, at] = (number & (1 << PART) - 1) << 2 | result
    if LISTED and m.units.shape[1]:
        m.units[part, at] = units
    m.listed[part] = at + 1
    return at


@kernel
def propagate_numbered(m, number, result):
    """Write entries for the positions before one, by `before`; return True if a list is full."""
    open_rank(m, number)
    room, full = m.lists.shape[1] - SPARE, False
    for i in range(before(m.states[1], m.out)):
        full |= enter_for(m, m.out[i], result, 0) >= room
    return full


@kernel
def hear(m, run):
    """Read the next edge to each position in `heard`; drop those without one.

    The loop is short, so that many edges are read at a time.
    """
    left = 0
    for i in range(run.heard):
        at = np.int64(m.heard[i].edge)
        if at:
            edge, each = m.edges[at - 1], m.heard[left]
            each.node, each.result = m.heard[i].node, m.heard[i].result
            each.origin, each.edge = edge.origin, edge.next
            if HAS_BANKED:
                each.gain = m.gains[at - 1]
            left += 1
    run.heard = left


@kernel
def propagate_listed(m, run):
    """Write entries for the positions before those in `heard`; return True if a list is full."""
    room, full = m.lists.shape[1] - SPARE, False
    while run.heard and not full:
        hear(m, run)
        for i in range(run.heard):
            each = m.heard[i]
            same, result, units = each.origin & 1, np.int64(each.result), 0
            if run.scores:
                value = np.int64(m.nodes[each.node].value)
                units = value if same else -value
                if HAS_BANKED:
                    units += each.gain
            if same:  # then what is won here is won there
                result = WON - result
            full |= enter_for(m, np.int64(each.origin) >> 1, result, units) >= room
    return full


@kernel
def propagate(m, run):
    """Write entries for the positions before those that the last level has settled."""
    wanted, fresh = (SETTLED >> 2) + run.level - 1, m.fresh[(run.level - 1) & 1]
    at, end, full = run.at, run.end, LISTED and propagate_listed(m, run)
    while at < end and not full:
        block = at >> BLOCK
        marks = shr(fresh[block >> 6], block & 63)
        block = block + ctz(marks) if marks else (block >> 6) + 1 << 6
        at = max(at, block << BLOCK)
        last = min(block + 1 << BLOCK, end) if marks else at
        while at < last and not full:
            code = np.int64(m.codes[at])
            if code >> 2 == wanted:
                if LISTED:
                    heard = m.heard[run.heard]
                    heard.node, heard.edge, heard.result = at, m.nodes[at].edges, code & 3
                    run.heard += 1
                    full = run.heard == BATCH and propagate_listed(m, run)
                else:
                    full = propagate_numbered(m, at, code & 3)
            at += 1
    run.at = at
    if LISTED and not full:
        full = propagate_listed(m, run)
    return FULL if full else DONE


@kernel
def apply(codes, entries, level, fresh):
    """Apply entries to some codes; return how many positions that settles.

    codes: uint16 or uint32[2**PART or less]; entries: uint32[any]; fresh: uint64[any], a mark for
    each block in which a position is settled.
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
            fresh[at >> BLOCK + 6] |= bit(at >> BLOCK & 63)
            found += 1
        codes[at] = code
    return found


@kernel
def apply_scores(codes, entries, level, fresh, nodes, units):
    """Do what `apply` does where there are scores; nodes: NODE[any], units: int32[any]."""
    found = 0
    for i in range(len(entries)):
        at = np.int64(entries[i]) >> 2
        node, code = nodes[at], np.int64(codes[at]) - 1
        node.value = max(node.value, units[i])
        if code == 0:
            code = SETTLED + 4 * level + result_of(node.value)
            fresh[at >> BLOCK + 6] |= bit(at >> BLOCK & 63)
            found += 1
        codes[at] = code
    return found


@kernel
def resume(m):
    """Go on until DONE, PAUSED at `stop`, FULL, CROWDED or WRONG."""
    run = m.runs[0]
    if run.stop == 0:
        return PAUSED
    if LISTED and run.phase == LIST:
        return list_positions(m, run)
    if run.phase == COUNT:
        return count(m, run)
    if LISTED or HAS_BEFORE:
        return propagate(m, run)
    return follow(m, run)
