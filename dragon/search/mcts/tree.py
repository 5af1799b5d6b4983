"""The tree's memory: its layout, its size, and the part that is kept for the next move.

No other module knows where a node lies; kernels read and write nodes as `m.tree[i]`, an index of
0 being the root, and children lie side by side from `first` on.

Signs: `total`, `best` and `evaluation` are of a side to move, as each field says. A `proof_seat0`
is of the side of seat 0; `units_of` turns it.

Short names as in `kernel`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import attrs
import numpy as np

from dragon.rules.template import TEAM, kernel, play
from dragon.search.mcts.settings import Settings
from dragon.search.mcts.statistics.amaf import length_of
from dragon.search.mcts.statistics.history import GRAMS
from dragon.search.move_ordering import HISTORY

UNPROVEN = -(1 << 62)
UNSEEN = -3
"""The seat of a node that no simulation has reached."""

NODE = np.dtype(
    [
        ("code", "i8"),  # the move that leads here
        ("total", "i8"),  # units, for the seat that moved here (at the root: that moves)
        ("visits", "i8"),
        ("first", "i8"),  # index of the first child
        ("proof_seat0", "i8"),  # exact units of seat 0's side, or UNPROVEN
        ("best", "i8"),  # the most that a proven child gives the seat to move
        ("count", "i4"),  # children; 0 before expansion
        ("tried", "i4"),  # children visited at least once, from the first on
        ("unproven", "i4"),  # children without proof
        ("seat", "i4"),  # to move, CHANCE, TERMINAL or UNSEEN
    ],
    align=True,
)
KEPT_FIELDS = {
    "squares": ("squares", "f8"),  # payoffs from 0 to 1, squared and summed up
    "priors": ("prior", "f8"),  # of the move that leads here, among its parent's
    "evaluations": ("evaluation", "f8"),  # minimax of evaluations, for the seat that moved here
}
"""More fields of a NODE, by what is kept."""
AMAF_FIELD = ("table", "i4")
"""The number of a node's AMAF table, from 1 on, or 0. It stands in the place of `tried`, which
is not read where all children are scored."""
VALUE = np.dtype([("total", "i8"), ("visits", "i8")])
"""A move of a seat: the units for that seat, and the simulations in which it was played."""
NUMBERS = {"float": "f8", "int": "i8", "bool": "i1"}
SETTINGS = np.dtype(
    [
        *[
            (each.name, NUMBERS[kind])
            for each in attrs.fields(Settings)
            if (kind := str(each.type).partition(" |")[0]) in NUMBERS
        ],
        ("seats", "i8"),  # of the game,
        ("largest", "i8"),  # and the most units that one can get
    ],
    align=True,
)
"""All settings that are numbers, by their names; `fpu` is a number always."""
BUDGET = np.dtype(
    [
        ("simulations", "i8"),  # pause when so many are done,
        ("nodes", "i8"),  # so many plies are played,
        ("size", "i8"),  # or the tree has so many nodes
        ("room", "i8"),  # nodes that the tree may have
        ("depth", "i8"),  # no node this deep is expanded
        ("tables", "i8"),  # AMAF tables that there may be
    ],
    align=True,
)
RUN = np.dtype(
    [
        ("nodes", "i8"),  # plies played, in the tree and beyond
        ("simulated", "i8"),  # simulations of this run
        ("size", "i8"),  # nodes in the tree
        ("tables", "i8"),  # AMAF tables in use
        ("table", "i8"),  # the AMAF table that counts at the node looked at
    ],
    align=True,
)
"""The results so far."""


class Memory(NamedTuple):
    """The arrays that a simulation works on."""

    states: Any  # records[3], the second and third are scratch
    tree: Any  # NODE[any], with the fields of what is kept
    path: Any  # int64[PLIES + 2]
    played: Any  # int64[PLIES + 2], where plies are noted: each one's place; -1 of chance
    amaf: Any  # VALUE[tables * length_of(SEATS)]
    history: Any  # VALUE[SEATS * HISTORY]
    grams: Any  # VALUE[2 * GRAMS]
    pay: Any  # int64[SEATS]
    out: Any  # int64[WIDTH]
    weights: Any  # float64[WIDTH], empty where neither `odds` nor priors are asked
    scores: Any  # int64[WIDTH], for priors
    random: Any  # uint64[1]
    tablebase: Any  # uint8[any]
    lock: Any  # int64[3], of threads that share a tree: the lock, nodes, AMAF tables
    settings: Any  # SETTINGS[1]
    budget: Any  # BUDGET[1]
    runs: Any  # RUN[1]


@cache
def node_of(keeps: frozenset[str]) -> np.dtype[Any]:
    """Return NODE with the fields of what is kept of nodes; the same object each time.

    Kernels are called the quicker for that.
    """
    fields: list[Any] = [
        AMAF_FIELD if each[0] == "tried" and "amaf" in keeps else each for each in NODE.descr
    ]
    more = [field for name, field in KEPT_FIELDS.items() if name in keeps]
    return np.dtype(fields + more, align=True)


def values(settings: Settings, seats: int) -> dict[str, Any]:
    """Return `amaf`, `history` and `grams`, of length 1 where they are not kept."""
    keeps = settings.policies.keeps
    lengths = {
        "amaf": settings.tables(seats) * length_of(seats),
        "history": seats * HISTORY if "history" in keeps else 0,
        "grams": 2 * GRAMS if "grams" in keeps else 0,
    }
    return {name: np.zeros(max(length, 1), VALUE) for name, length in lengths.items()}


@kernel
def units_of(proof_seat0: Any, seat: Any) -> Any:
    """Return a proof from the side of `seat`."""
    return proof_seat0 if TEAM[seat] == TEAM[0] else -proof_seat0


# ---- tree reuse: the part of a tree that lies below another state, found and copied


@kernel
def visited(tree: Any, parent: Any, i: Any) -> Any:
    """Return the first visited child of `parent` from node i on; -1 if there is none."""
    while i < parent.first + parent.count:
        if tree[i].visits > 0:
            return i
        i += 1
    return -1


@kernel
def find(states: Any, words: Any, target: Any, tree: Any, path: Any, plies: Any) -> Any:
    """Return the visited node, at most `plies` below the root, whose record is `target`, or -1.

    states: records[plies + 1], states[0] the root's; words: the same memory as
    uint64[plies + 1, any]; target: uint64[any]; path: int64[plies + 1], scratch, the node
    looked at on each ply.
    """
    d = 0
    path[0] = 0
    while True:
        same = True
        for i in range(len(target)):
            same = same and words[d, i] == target[i]
        if same:
            return path[d]
        node = tree[path[d]]
        following = visited(tree, node, node.first) if d < plies else -1
        if following >= 0:  # down
            d += 1
        while following < 0:  # along, or up and along
            if d == 0:
                return -1
            following = visited(tree, tree[path[d - 1]], path[d] + 1)
            if following < 0:
                d -= 1
        path[d] = following
        states[d] = states[d - 1]
        play(states[d], tree[following].code)


@kernel
def graft(old: Any, at: Any, new: Any) -> Any:
    """Copy the subtree of old[at] to the front of `new`, breadth first; return its nodes."""
    new[0] = old[at]
    size = 1
    done = 0
    while done < size:
        node = new[done]
        first = node.first
        if node.count > 0:
            node.first = size
            for i in range(node.count):
                new[size + i] = old[first + i]
            size += node.count
        done += 1
    return size
