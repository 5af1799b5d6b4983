"""The two halves of retrograde analysis: all positions forwards, then their worth backwards.

Forwards, breadth-first from the root, each position gets a number, and each move an edge that hangs
in the list of the position it leads to. Moves that end the game are no edges: what they are worth
counts at once. Backwards (Thompson 1986), a position is settled when one of its moves is known to
win or when all are known, and each that is settled tells those that lead to it. They are settled
in the order of their distance from the end. Where wins, draws and losses are all there is, those
that are never settled are draws: nobody is made to leave the cycles.
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
"""Statuses beside those of `dragon.search.driver`: there is no room for the next position's moves;
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
EDGE = np.dtype([("origin", "u4"), ("next", "u4")])
"""Twice the number of the position that it comes from, and 1 where the same side moves on; 1 + the
next edge that leads to the same position, 0 for none."""
FOUND = np.dtype(
    [
        ("place", "u8"),
        ("slot", "i8"),  # what is in its slot at first
        ("gain", "i4"),  # units that the move banks for the mover
        ("same", "i4"),  # whether the same side moves on
    ]
)
"""A move that does not end the game."""
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
UNKNOWN = -(1 << 31)
"""Units, less than anything is worth."""


class Memory(NamedTuple):
    """What the kernel works on, with room for c positions and e edges."""

    states: Any  # records[c]
    words: Any  # uint64[c, itemsize / 8]: the same memory
    nodes: Any  # NODE[c]
    queue: Any  # int32[c]: positions in the order in which they are settled
    edges: Any  # EDGE[e]
    gains: Any  # int32[e]: what each move banks for the mover; int32[0] where nothing is banked
    slots: Any  # int32[2**k]: 1 + a position by its place, 0 for none
    out: Any  # int64[width]
    found: Any  # FOUND[width]
    runs: Any  # RUN[1]


@kernel
def place_of(s, words):
    """What stands for a position: its `place`, its `key`, or a hash of the record; never 0."""
    found = placed(s, words)
    return found if found else hash_words(words) | u64(1)


@kernel
def sign_of(seat):
    """1 for the team of seat 0, -1 for the other."""
    return 1 if TEAM[seat] == TEAM[0] else -1


@kernel
def slot_of(m, place):
    """The slot of a place, or the empty one where it belongs."""
    last = len(m.slots) - 1
    slot = np.int64(place & u64(last))
    while m.slots[slot] and m.nodes[m.slots[slot] - 1].place != place:
        slot = (slot + 1) & last
    return slot


@kernel
def finish(run, node, units):
    """Counts a move that ends the game with so many units for the mover."""
    node.value = max(node.value, units)
    if units and run.win == 0:
        run.win = abs(units)
    if units and abs(units) != run.win:
        run.scores = 1


@kernel
def play_all(m, run, at):
    """Plays the moves of a position, and lists those after which the game goes on; how many.

    The records after them stand behind the last position.
    """
    s, node, found = m.states[at], m.nodes[at], 0
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
            each.place, each.same = place_of(after, m.words[new]), sign_of(seat) == sign
            if HAS_BANKED:
                each.gain = sign * (secured(after) - base)
            found += 1
    run.nodes += n
    node.left = found
    return found


@kernel
def fetch(m, n):
    """Reads what `enter` will need of n places, so that the memory is asked for all at once."""
    last, read = len(m.slots) - 1, np.int64(0)
    for i in range(n):
        m.found[i].slot = m.slots[np.int64(m.found[i].place & u64(last))]
    for i in range(n):
        held = np.int64(m.found[i].slot)
        read += np.int64(m.nodes[held - 1 if held else 0].edges)
    return read


@kernel
def enter(m, run, at, i, new):
    """Enters the i-th move of a position and, if it is new, the position in the record `new`."""
    each = m.found[i]
    slot = slot_of(m, each.place)
    if m.slots[slot] == 0:
        m.slots[slot] = run.count + 1
        m.states[run.count] = m.states[new]
        m.nodes[run.count].place, m.nodes[run.count].edges = each.place, 0
        run.count += 1
        run.filled += 1
    to = m.nodes[m.slots[slot] - 1]
    edge = m.edges[run.edges]
    edge.origin, edge.next = 2 * at + each.same, to.edges
    if HAS_BANKED:
        m.gains[run.edges] = each.gain
    run.edges += 1
    to.edges = run.edges


@kernel
def open_node(m, run, at):
    """Enters the moves of a position, and the positions they lead to that are new."""
    n, first = play_all(m, run, at), run.count
    run.read = fetch(m, n)
    for i in range(n):
        enter(m, run, at, i, first + i)


@kernel
def refill(m, run):
    """Enters all positions into the slots, which are empty."""
    for i in range(run.count):
        m.slots[slot_of(m, m.nodes[i].place)] = i + 1
    run.filled = run.count


@kernel
def forwards(m, run):
    """Opens positions until all are, or there is no room."""
    while run.at < run.count:
        if run.nodes >= run.stop:
            return PAUSED
        if 3 * (run.count + WIDTH) > 2 * len(m.slots):
            return CROWDED
        if run.count + WIDTH >= len(m.states) or run.edges + WIDTH > len(m.edges):
            return FULL
        open_node(m, run, run.at)
        run.at += 1
    return DONE


@kernel
def settle(m, run, at, level):
    """Settles a position where enough is known of it."""
    node = m.nodes[at]
    if node.left == 0 or (not run.scores and run.win and node.value == run.win):
        node.level = level
        m.queue[run.settled] = at
        run.settled += 1


@kernel
def backwards(m, run):
    """Tells the origins of each position in the queue what it is worth."""
    while run.at < run.settled:
        if run.nodes >= run.stop:
            return PAUSED
        node = m.nodes[m.queue[run.at]]
        e = np.int64(node.edges)
        while e:
            edge = m.edges[e - 1]
            at = np.int64(edge.origin) >> 1
            origin = m.nodes[at]
            if origin.level == 0:
                units = node.value if edge.origin & 1 else -node.value
                if HAS_BANKED:
                    units += m.gains[e - 1]
                origin.value = max(origin.value, units)
                origin.left -= 1
                settle(m, run, at, node.level + 1)
            e = np.int64(edge.next)
            run.nodes += 1
        run.at += 1
    return DONE


@kernel
def resume(m):
    """Goes on until DONE, PAUSED at `stop`, FULL or CROWDED."""
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
