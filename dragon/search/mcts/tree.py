"""The tree's memory: its two layouts, its size, and the part that is kept for the next move.

No other module knows where a node lies; kernels read and write nodes as `m.tree[i]`, an index of
0 being the root. What a selection reads of a child, its mean and 1 / sqrt(visits), is written at
each backup, so that it takes no division, root or look at the total.

- *Records*: children lie side by side from `first` on, each a NODE with these two numbers. Where
  there are few, this is the quickest, since a child that is selected is in the cache already.
- *Blocks* (`BLOCKED`): eight children are a BLOCK of `m.blocks`, from `first` on, and a child gets
  its NODE when it is first tried. When all of a node's have been tried, it is given blocks of
  their numbers as well, from `numbers` on, whose scores are worked out by eights. Only for policies
  that try all children before they score any, and whose score is linear in these numbers.

Signs: `total`, `own` and `evaluation` are of a side to move, as each field says. A `proof_seat0`
is of the side of seat 0; `units_of` turns it.

Short names as in `kernel`.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from dragon.bits import draw, lanes
from dragon.rules.template import LARGEST, kernel, play
from dragon.search.driver import settings_of
from dragon.search.mcts.policies import KEEPS_TRANSPOSITIONS
from dragon.search.mcts.settings import Settings
from dragon.search.mcts.statistics.amaf import length_of
from dragon.search.mcts.statistics.history import GRAMS
from dragon.search.mcts.statistics.transpositions import UNPROVEN as UNPROVEN
from dragon.search.mcts.statistics.transpositions import shared_mean, single
from dragon.search.mcts.statistics.transpositions import units_of as units_of
from dragon.search.move_ordering import HISTORY

UNSEEN = -3
"""The seat of a node that no simulation has reached."""

NODE = np.dtype(
    [
        ("code", "i8"),  # the move that leads here
        ("total", "i8"),  # units, for the seat that moved here (at the root: that moves)
        ("visits", "i8"),
        ("proof_seat0", "i8"),  # exact units of seat 0's side, or UNPROVEN
        ("first", "i4"),  # index of the first child, or of its block
        ("count", "i4"),  # children; 0 before expansion
        ("tried", "i4"),  # children visited at least once, from the first on
        ("unproven", "i4"),  # children without proof
        ("seat", "i4"),  # to move, CHANCE, TERMINAL or UNSEEN
        ("own", "f4"),  # the mean from 0 to 1, for the seat that moved here; LOST by a proof
        ("spread", "f4"),  # 1 / sqrt(visits)
    ],
)
TABLE = ("table", "i4")
"""In a tree of records: the number of its AMAF table, from 1 on, or 0."""
FIGURES = ("numbers", "i4")
"""In a tree of blocks: its first block of numbers, or 0."""
SHIFT = 3
LANES = 1 << SHIFT
"""The children of a block, as many as one instruction takes."""
BLOCK = np.dtype(
    {
        "names": ["child", "own", "spread"],
        "formats": [("i8", LANES), ("f4", LANES), ("f4", LANES)],
        "offsets": [0, 0, 4 * LANES],
    }
)
"""Either children, each the index of its NODE, or its move before it has one; or numbers, as of a
NODE, where `own` is LOST if there is no child."""
LOST = -1e30
"""The mean of a child that is not selected, since it is proven to be lost."""
BLOCKED = False
"""True for a tree of blocks."""
KEPT_FIELDS = {
    "squares": ("squares", "f8"),  # payoffs from 0 to 1, squared and summed up
    "priors": ("prior", "f8"),  # of the move that leads here, among its parent's
    "evaluations": ("evaluation", "f8"),  # minimax of evaluations, for the seat that moved here
    "transpositions": ("shared", "i8"),  # the place of its SHARED_VALUE, from 1 on; 0 not yet known
}
"""More fields of a NODE, by what is kept."""
SMALLEST = 1 << 12
"""The least nodes of a tree."""
VALUE = np.dtype([("total", "i8"), ("visits", "i8")])
"""A move of a seat: the units for that seat, and the simulations in which it was played."""
SETTINGS = settings_of(Settings, seats="i8", largest="i8")
"""The settings, the seats of the game, and the most units that a side can get; `fpu` is a number
always."""
BUDGET = np.dtype(
    [
        ("simulations", "i8"),  # pause at this count,
        ("nodes", "i8"),  # at this number of plies played,
        ("entries", "i8"),  # or at this number of nodes and blocks in the tree
        ("room", "i8"),  # nodes that the tree may have; a block counts as one
        ("depth", "i8"),  # no node this deep is expanded
        ("tables", "i8"),  # AMAF tables that there may be
        ("shared", "i8"),  # the length of `shared`, a power of two
    ],
    align=True,
)
RUN = np.dtype(
    [
        ("nodes", "i8"),  # plies played, in the tree and beyond
        ("simulated", "i8"),  # simulations of this run
        ("size", "i8"),  # nodes in the tree
        ("blocks", "i8"),  # the index of the next block; the first one is not used
        ("tables", "i8"),  # AMAF tables in use
        ("shared", "i8"),  # values in `shared`
        ("table", "i8"),  # the AMAF table that counts at the node looked at
    ],
    align=True,
)
"""The results so far."""


class Memory(NamedTuple):
    """The arrays that a simulation works on."""

    states: Any  # records[3], the second and third are scratch
    words: Any  # uint64[3, any], the same memory
    tree: Any  # NODE[any], with the fields of what is kept
    blocks: Any  # BLOCK[any], of length 1 for a tree of records
    shared: Any  # SHARED_VALUE[any]
    path: Any  # int64[PLIES + 2], nodes
    slots: Any  # int64[PLIES + 2], the place among its siblings of each node of the path
    played: Any  # int64[PLIES + 2], where plies are noted: each one's place; -1 of chance
    amaf: Any  # VALUE[tables * length_of(SEATS)]
    history: Any  # VALUE[SEATS * HISTORY]
    grams: Any  # VALUE[2 * GRAMS]
    pay: Any  # int64[SEATS]
    out: Any  # int64[WIDTH]
    weights: Any  # float64[WIDTH], empty where neither `odds` nor priors are used
    scores: Any  # int64[WIDTH], for priors
    random: Any  # uint64[1]
    tablebase: Any  # uint8[any]
    lock: Any  # int64[4], of threads that share a tree: the lock, nodes, AMAF tables, blocks
    settings: Any  # SETTINGS[1]
    budget: Any  # BUDGET[1]
    runs: Any  # RUN[1]


class Children(NamedTuple):
    """The statistics of a node's visited children, in the order in which they were first tried.

    All have the same length, n. Values are in units, for the seat to move at the root.
    """

    places: Any
    """int64[n]: the indices of their nodes in the tree."""
    keys: list[Any]
    """Their moves, or the codes of these."""
    visits: Any
    """int64[n]"""
    totals: Any
    """int64[n]: the sums of payoffs."""
    proofs: Any
    """int64[n]: the proven values; UNPROVEN where there is none."""

    def value(self, i: int) -> float:
        """Return the proven value of a child, or the mean of its payoffs."""
        proof = int(self.proofs[i])
        return proof if proof != UNPROVEN else self.mean(i)

    def prove(self, key: Any, units: int) -> bool:
        """Return True if that move is proven to be worth so many units."""
        return key in self.keys and self.proofs[self.keys.index(key)] == units

    def mean(self, i: int) -> float:
        """Return the mean payoff of a child."""
        return int(self.totals[i]) / int(self.visits[i])

    def mean_of_all(self) -> float:
        """Return the mean payoff of all children together; 0 where there are none."""
        return int(self.totals.sum()) / max(1, int(self.visits.sum()))

    def most_visited(self, n: int) -> list[int]:
        """Return the indices of the n most visited, the most visited first."""
        order: list[int] = np.argsort(-self.visits, kind="stable")[:n].tolist()
        return order

    def best(self, proof: int | None, largest: int) -> int | None:
        """Return the index of the move to play: one that proves the root's value, else the most
        visited one that is not a proven loss."""
        if not self.keys:
            return None
        if proof is not None and proof in self.proofs:
            return int(np.flatnonzero(self.proofs == proof)[0])
        sound = self.proofs != -largest
        visits = np.where(sound, self.visits, 0) if sound.any() else self.visits
        most = np.flatnonzero(visits == visits.max())
        return int(most[np.argmax(self.totals[most])])


@cache
def node_of(keeps: frozenset[str], blocked: bool) -> np.dtype[Any]:
    """Return NODE with the fields of a layout and of what is kept; the same object each time.

    The same object makes calls of kernels quicker.
    """
    more = [field for name, field in KEPT_FIELDS.items() if name in keeps]
    return np.dtype([*NODE.descr, FIGURES if blocked else TABLE, *more], align=True)


def reserved(length: int, record: np.dtype[Any]) -> Any:
    """Return an array of zeros; only pages that are written take memory.

    Where the system does not grant so much, it is shorter.
    """
    while True:
        try:
            return np.zeros(length, record)
        except MemoryError:
            if length <= SMALLEST:
                raise
            length //= 2


def lengths(settings: Settings, seats: int) -> dict[str, int]:
    """Return the lengths of `amaf`, `history` and `grams`, 1 where they are not kept."""
    keeps = settings.policies.keeps
    kept = {
        "amaf": settings.tables(seats) * length_of(seats),
        "history": seats * HISTORY if "history" in keeps else 0,
        "grams": 2 * GRAMS if "grams" in keeps else 0,
    }
    return {name: max(length, 1) for name, length in kept.items()}


@kernel
def tell(m: Any, depth: Any, seat: Any) -> None:
    """Write the numbers that selections read of the node at `depth` of the path (from 1 on), where
    `seat` moved."""
    node = m.tree[m.path[depth]]
    visits = node.visits if node.visits > 0 else 1
    part = 1.0 / (visits * LARGEST)  # the one division
    mean = (node.total * part + 1.0) * 0.5
    if KEEPS_TRANSPOSITIONS and node.shared > 0:
        mean = shared_mean(m, node, max(seat, 0))
    if node.proof_seat0 != UNPROVEN and seat >= 0:
        units = units_of(node.proof_seat0, seat)
        mean = LOST if units == -LARGEST else (units / LARGEST + 1.0) * 0.5
    own = single(mean)
    spread = single(math.sqrt(part * LARGEST))
    if BLOCKED:
        numbers = m.tree[m.path[depth - 1]].numbers
        if numbers > 0:
            block = m.blocks[numbers + (m.slots[depth] >> SHIFT)]
            lane = m.slots[depth] & LANES - 1
            block.own[lane] = own
            block.spread[lane] = spread
            return
    node.own = own
    node.spread = spread


@kernel
def child_of(m: Any, node: Any, i: Any) -> Any:
    """Return the index of child i of a node; it has been tried, in a tree of blocks."""
    if BLOCKED:
        return m.blocks[node.first + (i >> SHIFT)].child[i & LANES - 1]
    return node.first + i


@kernel
def blocks_of(n: Any) -> Any:
    """Return the number of blocks that n children need."""
    return (n + LANES - 1) >> SHIFT


@kernel
def clear(child: Any, code: Any) -> None:
    """Reset a NODE to that of an untried move."""
    child.code = code
    child.total = child.visits = child.first = child.count = child.tried = 0
    child.proof_seat0 = UNPROVEN
    child.seat = UNSEEN
    child.own = 0.0
    child.spread = 0.0
    if BLOCKED:
        child.numbers = 0
    else:
        child.table = 0


@kernel
def first_try(m: Any, node: Any, run: Any) -> Any:
    """Draw one of the moves that a node of a tree of blocks has not tried; return its place.

    It changes places with the first of them, and gets a NODE. With the last of them the node gets
    blocks of numbers.
    """
    i = node.tried
    j = i + draw(m.random, node.count - i)
    node.tried += 1
    here = m.blocks[node.first + (i >> SHIFT)]
    there = m.blocks[node.first + (j >> SHIFT)]
    code = there.child[j & LANES - 1]
    there.child[j & LANES - 1] = here.child[i & LANES - 1]
    here.child[i & LANES - 1] = run.size
    clear(m.tree[run.size], code)
    if KEEPS_TRANSPOSITIONS:
        m.tree[run.size].shared = 0
    run.size += 1
    if node.tried == node.count:
        node.numbers = run.blocks
        run.blocks += blocks_of(node.count)
        for i in range(node.count):
            line = m.blocks[node.numbers + (i >> SHIFT)]
            child = m.tree[child_of(m, node, i)]
            line.own[i & LANES - 1] = child.own
            line.spread[i & LANES - 1] = child.spread
        for lane in range(node.count, LANES * blocks_of(node.count)):
            m.blocks[run.blocks - 1].own[lane & LANES - 1] = LOST
    return i


@kernel
def highest(m: Any, node: Any, shared: Any) -> Any:
    """Return the place of the child with the highest own + shared * spread, in blocks."""
    most = np.empty(LANES, np.float32)
    where = np.empty(LANES, np.int32)
    weight = np.float32(shared)
    if node.count <= LANES:  # often far fewer, so that one by one is quicker
        few = m.blocks[node.numbers]
        best = 0
        for k in range(1, node.count):
            if few.own[k] + weight * few.spread[k] > few.own[best] + weight * few.spread[best]:
                best = k
        return best
    for k in lanes(LANES):
        most[k] = LOST
        where[k] = 0
    for b in range(blocks_of(node.count)):
        block = m.blocks[node.numbers + b]
        for k in lanes(LANES):  # the greatest of each lane, without a branch
            value = block.own[k] + weight * block.spread[k]
            better = int(value > most[k])
            most[k] = max(most[k], value)
            where[k] += (b - where[k]) * better
    top = most[0]
    at = 0
    for k in range(1, LANES):
        if most[k] > top:
            top = most[k]
            at = k
    return LANES * where[at] + at


# ---- tree reuse: the part of a tree that lies below another state, found and copied


@kernel
def visited(m: Any, parent: Any, i: Any) -> Any:
    """Return the place of the first visited child of `parent` from place i on; -1 if there is
    none."""
    while i < (parent.tried if BLOCKED else parent.count):
        if m.tree[child_of(m, parent, i)].visits > 0:
            return i
        i += 1
    return -1


@kernel
def find(states: Any, words: Any, target: Any, m: Any, path: Any, places: Any, plies: Any) -> Any:
    """Return the visited node, at most `plies` below the root, whose record is `target`, or -1.

    states: records[plies + 1], states[0] the root's; words: the same memory as
    uint64[plies + 1, any]; target: uint64[any]; path, places: int64[plies + 1], scratch, the node
    looked at on each ply, and its place among its siblings.
    """
    d = 0
    path[0] = 0
    while True:
        same = True
        for i in range(len(target)):
            same = same and words[d, i] == target[i]
        if same:
            return path[d]
        following = visited(m, m.tree[path[d]], 0) if d < plies else -1
        if following >= 0:  # down
            d += 1
        while following < 0:  # along, or up and along
            if d == 0:
                return -1
            following = visited(m, m.tree[path[d - 1]], places[d] + 1)
            if following < 0:
                d -= 1
        places[d] = following
        path[d] = child_of(m, m.tree[path[d - 1]], following)
        states[d] = states[d - 1]
        play(states[d], m.tree[path[d]].code)


@kernel
def copied(old: Any, at: Any, blocks: Any, run: Any, n: Any) -> Any:
    """Copy the blocks of n children to the next free ones; return the first of these."""
    for b in range(blocks_of(n)):
        blocks[run.blocks] = old[at + b]
        run.blocks += 1
    return run.blocks - blocks_of(n)


@kernel
def graft(old: Any, old_blocks: Any, at: Any, tree: Any, blocks: Any, run: Any) -> None:
    """Copy the subtree of the node `at` of another tree to the front of this one, breadth
    first."""
    tree[0] = old[at]
    run.size = 1
    done = 0
    while done < run.size:
        node = tree[done]
        if KEEPS_TRANSPOSITIONS:
            node.shared = 0
        first = node.first
        if BLOCKED and node.count > 0:
            node.first = copied(old_blocks, first, blocks, run, node.count)
            if node.numbers > 0:
                node.numbers = copied(old_blocks, node.numbers, blocks, run, node.count)
            for i in range(node.tried):
                block = blocks[node.first + (i >> SHIFT)]
                tree[run.size] = old[block.child[i & LANES - 1]]
                block.child[i & LANES - 1] = run.size
                run.size += 1
        elif node.count > 0:
            node.first = run.size
            for i in range(node.count):
                tree[run.size + i] = old[first + i]
            run.size += node.count
        done += 1


@kernel
def take_table(m: Any, old: Any, begin: Any, to: Any) -> None:
    """Copy the AMAF table that begins at `begin` of other values to `to` of these."""
    for i in range(length_of(m.settings[0].seats)):
        m.amaf[to + i] = old[begin + i]


@kernel
def take_tables(m: Any, old: Any, run: Any) -> None:
    """Take the AMAF tables of the nodes that were taken, and number them from 1 on.

    old: the values of the tree that they come from.
    """
    for i in range(run.size):
        node = m.tree[i]
        if node.table > 0:
            length = length_of(m.settings[0].seats)
            take_table(m, old, (node.table - 1) * length, run.tables * length)
            run.tables += 1
            node.table = run.tables
