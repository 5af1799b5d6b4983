"""The two halves of retrograde analysis: all positions forwards, then their worth backwards.

Forwards, breadth-first from the root, each position gets a number, and each move an edge that hangs
in the list of the position it leads to. Moves that end the game are no edges: what they are worth
counts at once. Backwards (Thompson 1986), a position is settled when one of its moves is known to
win or when all are known, and each that is settled tells those that lead to it. They are settled
in the order of their distance from the end. Where wins, draws and losses are all there is, those
that are never settled are draws: neither side can be made to leave the cycles.

Nearly all of the time goes into waiting for memory, so both halves take a batch of moves or of
positions at a time, and read what all of them need before they use it.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dragon.bits import u64
from dragon.core import TERMINAL
from dragon.rules.layout import hash_words
from dragon.rules.template import HAS_BANKED, TEAM, WIDTH, kernel, moves, payoff, play, turn
from dragon.search.driver import DONE, PAUSED
from dragon.search.path.promise import placed, secured

FULL, CROWDED = 4, 5
"""Statuses beside those of `dragon.search.driver`: there is no room for the next positions' moves;
`slots` must be replaced by an empty array twice as long, and `filled` by 0."""
NODE = np.dtype(
    [
        ("place", "u8"),
        ("edges", "u4"),  # 1 + the last edge that leads here, 0 for none
        ("left", "i4"),  # moves that are not known yet
        ("value", "i4"),  # units still to come for the mover: the best that is known, then all
        ("level", "i4"),  # once it is settled, plies to the end
    ]
)
SLOT = np.dtype([("tag", "u4"), ("node", "u4")])
"""The low bits of a place, and 1 + the number of its position, 0 in an empty slot."""
EDGE = np.dtype([("origin", "u4"), ("next", "u4")])
"""Twice the number of the position that it comes from, and 1 where the same side moves on; 1 + the
next edge that leads to the same position, 0 for none."""
FOUND = np.dtype(
    [
        ("place", "u8"),
        ("slot", "i8"),  # where it belongs, as far as is known
        ("origin", "u4"),  # as an edge has it
        ("gain", "i4"),  # units that the move banks for the mover
    ]
)
"""A move that does not end the game."""
HEARD = np.dtype([("node", "u4"), ("edge", "u4"), ("origin", "u4"), ("gain", "i4")])
"""A position that is settled, 1 + the edge to it that is next, and what the last one says."""
BATCH = 128
"""Positions that tell those before them at a time; also moves entered at a time, at least."""
RUN = np.dtype(
    [
        ("stop", "i8"),  # pause when so many moves have been looked at
        ("nodes", "i8"),  # and how many have been
        ("ply", "i8"),
        ("phase", "i8"),
        ("count", "i8"),  # positions,
        ("edges", "i8"),  # moves between them,
        ("filled", "i8"),  # and how many positions are in `slots`
        ("at", "i8"),  # the position that is opened, or looked at, next
        ("settled", "i8"),  # how many are in the queue
        ("win", "i8"),  # units of a decisive end; 0: no game ended so
        ("read", "i8"),  # of no meaning; for it memory is read
        ("scores", "i8"),  # whether there is more than wins, draws and losses
    ]
)
FORWARDS, SWEEP, BACKWARDS = 0, 1, 2
LOW = (1 << 32) - 1
"""The bits of a place that are a tag; a slot is among the lowest of them."""
MOST = BATCH + WIDTH
"""Moves that are entered together, at most."""
UNKNOWN = -(1 << 31)
"""Units, less than anything is worth."""


class Memory(NamedTuple):
    """The arrays that the kernel works on, with room for c positions and e edges."""

    states: Any  # records[c]
    words: Any  # uint64[c, itemsize / 8]: the same memory
    nodes: Any  # NODE[c]
    queue: Any  # int32[c]: positions in the order in which they are settled
    edges: Any  # EDGE[e]
    gains: Any  # int32[e]: what each move banks for the mover; int32[0] where nothing is banked
    slots: Any  # SLOT[2**k]: positions by their places
    out: Any  # int64[width]
    found: Any  # FOUND[BATCH + width]
    heard: Any  # HEARD[BATCH]
    runs: Any  # RUN[1]


@kernel
def place_of(s, words):
    """Return what tells positions apart: `place`, `key`, or a hash of the record; never 0."""
    found = placed(s, words)
    return found if found else hash_words(words) | u64(1)


@kernel
def sign_of(seat):
    """Return 1 for the team of seat 0, -1 for the other."""
    return 1 if TEAM[seat] == TEAM[0] else -1


@kernel
def slot_of(m, place, slot):
    """Return the slot of a place, or the empty one where it belongs; start to look at `slot`."""
    last, tag = len(m.slots) - 1, np.int64(place & u64(LOW))
    while True:
        each = m.slots[slot]
        node = np.int64(each.node)
        if node == 0 or (each.tag == tag and m.nodes[node - 1].place == place):
            return slot
        slot = (slot + 1) & last


@kernel
def finish(run, node, units):
    """Count a move that ends the game with so many units for the mover."""
    node.value = max(node.value, units)
    if units and run.win == 0:
        run.win = abs(units)
    if units and abs(units) != run.win:
        run.scores = 1


@kernel
def play_all(m, run, at, found):
    """Play the moves of a position, and list those after which the game goes on.

    found: the number listed before; the number after is returned. The records after the moves
    stand behind the last position.
    """
    s, node, before = m.states[at], m.nodes[at], found
    sign, base = sign_of(turn(s)), secured(s)
    node.value, node.level = UNKNOWN, 0
    n = moves(s, m.out)
    for i in range(n):
        new = run.count + found
        after = m.states[new]
        m.states[new] = m.states[at]
        play(after, m.out[i])
        seat = turn(after)
        if seat == TERMINAL:
            finish(run, node, sign * (payoff(after, 0) - base))
        else:
            each = m.found[found]
            each.place = place_of(after, m.words[new])
            each.origin = 2 * at + (sign_of(seat) == sign)
            if HAS_BANKED:
                each.gain = sign * (secured(after) - base)
            found += 1
    run.nodes += n
    node.left = found - before
    return found


@kernel
def fetch(m, n):
    """Look for n places, and read their nodes, so that the memory is asked for all at once.

    Others may be in their slots by the time that they are entered.
    """
    last, read = len(m.slots) - 1, np.int64(0)
    for i in range(n):
        each = m.found[i]
        each.slot = np.int64(each.place & u64(last))
        read += m.slots[each.slot].node
    for i in range(n):
        each = m.found[i]
        slot, tag = each.slot, np.int64(each.place & u64(LOW))
        while m.slots[slot].node and m.slots[slot].tag != tag:
            slot = (slot + 1) & last
        each.slot, node = slot, np.int64(m.slots[slot].node)
        if node:
            read += m.nodes[node - 1].edges
    return read


@kernel
def enter(m, run, i, new):
    """Enter the i-th of the moves found and, if it is new, the position in the record `new`."""
    each = m.found[i]
    slot = m.slots[slot_of(m, each.place, each.slot)]
    if slot.node == 0:
        slot.tag, slot.node = np.int64(each.place & u64(LOW)), run.count + 1
        m.states[run.count] = m.states[new]
        m.nodes[run.count].place, m.nodes[run.count].edges = each.place, 0
        run.count += 1
        run.filled += 1
    to = m.nodes[np.int64(slot.node) - 1]
    edge = m.edges[run.edges]
    edge.origin, edge.next = each.origin, to.edges
    if HAS_BANKED:
        m.gains[run.edges] = each.gain
    run.edges += 1
    to.edges = run.edges


@kernel
def open_some(m, run):
    """Enter the moves of the next positions, and the positions they lead to that are new."""
    n, first = 0, run.count
    while run.at < first and n < BATCH:
        n = play_all(m, run, run.at, n)
        run.at += 1
    run.read = fetch(m, n)
    for i in range(n):
        enter(m, run, i, first + i)


@kernel
def refill(m, run):
    """Enter all positions into the slots, which are empty."""
    last = len(m.slots) - 1
    for i in range(run.count):
        place = m.nodes[i].place
        slot = m.slots[slot_of(m, place, np.int64(place & u64(last)))]
        slot.tag, slot.node = np.int64(place & u64(LOW)), i + 1
    run.filled = run.count


@kernel
def forwards(m, run):
    """Open positions until all are, or there is no room."""
    while run.at < run.count:
        if run.nodes >= run.stop:
            return PAUSED
        if 3 * (run.count + MOST) > 2 * len(m.slots):
            return CROWDED
        if run.count + MOST >= len(m.states) or run.edges + MOST > len(m.edges):
            return FULL
        open_some(m, run)
    return DONE


@kernel
def settle(m, run, at, level):
    """Settle a position where enough is known of it."""
    node = m.nodes[at]
    if node.left == 0 or (not run.scores and run.win and node.value == run.win):
        node.level = level
        m.queue[run.settled] = at
        run.settled += 1


@kernel
def take(m, run):
    """Take the next positions of the queue that are as far from the end; return their count."""
    n, level = 0, m.nodes[m.queue[run.at]].level
    while n < BATCH and run.at < run.settled and m.nodes[m.queue[run.at]].level == level:
        m.heard[n].node = m.queue[run.at]
        run.at += 1
        n += 1
    for i in range(n):
        m.heard[i].edge = m.nodes[m.heard[i].node].edges
    return n


@kernel
def hear(m, run, n):
    """Read the next edge to each of n positions; drop those without one, return the number left."""
    left, read = 0, np.int64(0)
    for i in range(n):
        at = np.int64(m.heard[i].edge)
        if at:
            edge, each = m.edges[at - 1], m.heard[left]
            each.node, each.origin, each.edge = m.heard[i].node, edge.origin, edge.next
            if HAS_BANKED:
                each.gain = m.gains[at - 1]
            left += 1
    for i in range(left):
        read += m.nodes[np.int64(m.heard[i].origin) >> 1].level
    run.read = read
    return left


@kernel
def tell(m, run, each):
    """Pass the worth of the position that an edge leads to on to the one that it comes from."""
    at = np.int64(each.origin) >> 1
    node, origin = m.nodes[each.node], m.nodes[at]
    if origin.level == 0:
        units = node.value if each.origin & 1 else -node.value
        if HAS_BANKED:
            units += each.gain
        origin.value = max(origin.value, units)
        origin.left -= 1
        settle(m, run, at, node.level + 1)


@kernel
def backwards(m, run):
    """Pass the worth of each position in the queue on to those with a move to it."""
    while run.at < run.settled:
        if run.nodes >= run.stop:
            return PAUSED
        n = take(m, run)
        while n:
            n = hear(m, run, n)
            for i in range(n):
                tell(m, run, m.heard[i])
            run.nodes += n
    return DONE


@kernel
def resume(m):
    """Go on until DONE, PAUSED at `stop`, FULL or CROWDED."""
    run = m.runs[0]
    if run.stop == 0:
        return PAUSED
    if run.count == 0:
        run.scores = 1 if HAS_BANKED else 0
        m.nodes[0].place, run.count = place_of(m.states[0], m.words[0]), 1
    if run.phase == FORWARDS:
        if run.filled == 0:
            refill(m, run)
        status = forwards(m, run)
        if status != DONE:
            return status
        run.phase, run.at = SWEEP, 0
    if run.phase == SWEEP:
        for i in range(run.count):
            settle(m, run, i, 1)
        run.phase = BACKWARDS
    return backwards(m, run)
