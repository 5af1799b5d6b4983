"""The numbers of positions, and the memory of all kernels here.

A game's rules may number its positions, by `rank` and `unrank`. Else they are listed, breadth-first
from the first one: each gets the next number, and each move becomes an edge in the list of the
position that it leads to. Moves that end the game are not edges: their worth counts at once. Nearly
all time is spent waiting for memory, so moves are processed in batches, and the memory for a whole
batch is read before it is used.
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
from dragon.search.path.patterns import placed, secured

FULL, CROWDED, WRONG = 4, 5, 6
"""Statuses beside those of `dragon.search.driver`: there is no room for more positions or moves,
or for entries; `slots` must be replaced by an empty array twice as long, and `filled` by 0; the
code of the position `at` is wrong."""
LISTED = False
"""True if positions are listed."""
SETTLED, NONE, DRAWABLE = 0x8000, 0xFFFF, 0x4000
"""A code, uint16, is SETTLED + 4 * level + result, NONE where there is no position, else the number
of moves left, and DRAWABLE where one of the others leads to a draw."""
PART, BLOCK = 19, 3
"""Codes that are applied to at a time, and that are marked together where one of them is settled,
as powers of two."""
FOR_LISTS = {"LISTED": True, "SETTLED": 1 << 31, "NONE": (1 << 32) - 1, "DRAWABLE": 1 << 30}
"""The values bound to these names where positions are listed: codes are uint32."""
LOST, DRAWN, WON = 0, 1, 2
COUNT, PROPAGATE, SWEEP, CHECK, LIST = 0, 1, 2, 3, 4
"""Phases: first codes, what a level settles by `before` or edges, or without, and verification;
before all of them, positions are listed."""
NODE = np.dtype(
    [
        ("place", "u8"),
        ("edges", "u4"),  # 1 + the last edge that leads here, 0 for none
        ("value", "i4"),  # the most units still to come for the mover by the moves that are known
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
HEARD = np.dtype(
    [
        ("node", "u4"),
        ("edge", "u4"),  # 1 + the edge to it that is next,
        ("origin", "u4"),  # and what the last one says
        ("gain", "i4"),
        ("result", "u4"),
    ]
)
"""A position that is settled, and its result."""
ASKED = np.dtype(
    [
        ("place", "u8"),  # 0: the game is over
        ("at", "i8"),  # where it is among all
        ("units", "i8"),  # what the mover has by the move: payoff, or banked
        ("sign", "i4"),  # whether what is still to come is the mover's, or the other side's: -1
        ("opens", "i4"),  # whether it is a position, of which the entries up to the next are moves
    ]
)
"""A position that is looked up, or a move of one."""
RUN = np.dtype(
    [
        ("stop", "i8"),  # pause listing at this number of moves; 0: do nothing
        ("nodes", "i8"),  # and how many have been
        ("phase", "i8"),
        ("level", "i8"),
        ("at", "i8"),  # the position that is next,
        ("end", "i8"),  # and the one where to stop
        ("spare", "i8"),  # a record of no position
        ("filled", "i8"),  # positions in `slots`,
        ("heard", "i8"),  # and in `heard`
        ("read", "i8"),  # a sum of no meaning, so that the compiler keeps the reads
    ]
)
"""The budget of a thread, and the place where it paused."""
RESULTS = np.dtype(
    [
        ("settled", "i8"),  # positions that have been
        ("win", "i8"),  # units of a decisive end; 0: none was met
        ("scores", "i8"),  # whether games end with more than a win, a draw and a loss
        ("count", "i8"),  # positions in the list,
        ("edges", "i8"),  # and moves between them
    ]
)
"""The results so far."""
BATCH = 128
"""Positions that propagate at a time; also moves entered, or looked up, at a time, at least."""
LOW = (1 << 32) - 1
"""The bits of a place that are a tag; a slot is among the lowest of them."""
MOST = BATCH + WIDTH
"""Moves that are entered together, at most."""
UNKNOWN = -(1 << 31)
"""A number below every value in units."""


class Memory(NamedTuple):
    """The arrays that one thread works on; those of lists have room for c positions and e edges.

    Threads share `states` of lists, `words`, `codes`, `nodes`, `edges`, `gains`, `fresh` and what
    is verified.
    """

    states: Any  # records[c]; else records[3]: the first one, a position, and one after it
    words: Any  # uint64[any, itemsize / 8]: the same memory
    codes: Any  # uint16[ranks], or uint32[c]
    nodes: Any  # NODE[c]
    edges: Any  # EDGE[e]
    gains: Any  # int32[e]: what each move banks for the mover; int32[0] where nothing is banked
    slots: Any  # SLOT[2**k]: positions by their places
    found: Any  # FOUND[BATCH + width]
    heard: Any  # HEARD[BATCH]
    lists: Any  # uint32[parts, room]: 4 * number within the part + result of the position after it
    units: Any  # int32[parts, room]: units of the position after it, where there are scores
    listed: Any  # int64[parts]: entries of each list
    fresh: Any  # uint64[2, any]: blocks of which the last even and odd level settled some
    places: Any  # uint64[n], rising: of a listed table that is verified,
    values: Any  # int32[n],
    plies: Any  # int32[n]
    asked: Any  # ASKED[BATCH + 1 + width]
    out: Any  # int64[2 * width]
    runs: Any  # RUN[1]
    results: Any  # RESULTS[1]


@kernel
def place_of(s, words):
    """Return the key of a position: `place`, `key`, or a hash of the record; never 0."""
    found = placed(s, words)
    return found if found else hash_words(words) | u64(1)


@kernel
def sign_of(seat):
    """Return 1 for the team of seat 0, -1 for the other."""
    return 1 if TEAM[seat] == TEAM[0] else -1


@kernel
def result_of(units):
    """Return the result that is worth these units."""
    return DRAWN + (1 if units > 0 else 0) - (1 if units < 0 else 0)


@kernel
def meet(results, units):
    """Note the payoff of an end, to find games with more than a win, a draw and a loss."""
    if units and results.win == 0:
        results.win = abs(units)
    if units and abs(units) != results.win:
        results.scores = 1


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
def play_all(m, run, at, found):
    """Play the moves of a position, and list those after which the game goes on.

    found: the number listed before; the number after is returned. The records after the moves are
    written behind the last position. The code is the number of moves that are listed.
    """
    s, node, before = m.states[at], m.nodes[at], found
    sign, base = sign_of(turn(s)), secured(s)
    node.value = UNKNOWN
    n = moves(s, m.out)
    for i in range(n):
        new = m.results[0].count + found
        after = m.states[new]
        m.states[new] = m.states[at]
        play(after, m.out[i])
        seat = turn(after)
        if seat == TERMINAL:
            units = sign * (payoff(after, 0) - base)
            node.value = max(node.value, units)
            meet(m.results[0], units)
        else:
            each = m.found[found]
            each.place = place_of(after, m.words[new])
            each.origin = 2 * at + (sign_of(seat) == sign)
            if HAS_BANKED:
                each.gain = sign * (secured(after) - base)
            found += 1
    run.nodes += n
    m.codes[at] = found - before
    return found


@kernel
def fetch(m, n):
    """Look up n places, and read their nodes, so that the reads overlap (a prefetch).

    Their slots may be taken by the time that they are entered.
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
    each, results = m.found[i], m.results[0]
    slot = m.slots[slot_of(m, each.place, each.slot)]
    if slot.node == 0:
        slot.tag, slot.node = np.int64(each.place & u64(LOW)), results.count + 1
        m.states[results.count] = m.states[new]
        m.nodes[results.count].place, m.nodes[results.count].edges = each.place, 0
        results.count += 1
        run.filled += 1
    to = m.nodes[np.int64(slot.node) - 1]
    edge = m.edges[results.edges]
    edge.origin, edge.next = each.origin, to.edges
    if HAS_BANKED:
        m.gains[results.edges] = each.gain
    results.edges += 1
    to.edges = results.edges


@kernel
def open_some(m, run):
    """Enter the moves of the next positions, and the positions they lead to that are new."""
    n, first = 0, m.results[0].count
    while run.at < first and n < BATCH:
        n = play_all(m, run, run.at, n)
        run.at += 1
    run.read = fetch(m, n)
    for i in range(n):
        enter(m, run, i, first + i)


@kernel
def refill(m, run):
    """Enter all positions into the slots, which are empty."""
    last, count = len(m.slots) - 1, m.results[0].count
    for i in range(count):
        place = m.nodes[i].place
        slot = m.slots[slot_of(m, place, np.int64(place & u64(last)))]
        slot.tag, slot.node = np.int64(place & u64(LOW)), i + 1
    run.filled = count


@kernel
def list_positions(m, run):
    """Open positions until all are, or there is no room, or `stop` moves have been looked at."""
    results = m.results[0]
    if results.count == 0:
        results.scores = 1 if HAS_BANKED else 0
        m.nodes[0].place, results.count = place_of(m.states[0], m.words[0]), 1
    if run.filled == 0:
        refill(m, run)
    while run.at < results.count:
        if run.nodes >= run.stop:
            return PAUSED
        if 3 * (results.count + MOST) > 2 * len(m.slots):
            return CROWDED
        if results.count + MOST >= len(m.states) or results.edges + MOST > len(m.edges):
            return FULL
        open_some(m, run)
    return DONE
