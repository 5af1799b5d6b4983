"""What a tree works on: records of its nodes and its run, and the arrays that it keeps."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from dragon.search.mcts.amaf import length_of
from dragon.search.mcts.history import GRAMS
from dragon.search.mcts.settings import Settings
from dragon.search.move_ordering import HISTORY

NODE = np.dtype(
    [
        ("code", "i8"),  # the move that leads here
        ("total", "i8"),  # units, for the seat that moved here (at the root: that moves)
        ("visits", "i8"),
        ("first", "i8"),  # index of the first child
        ("proof", "i8"),  # exact units of seat 0's side, or UNPROVEN
        ("best", "i8"),  # the most that a proven child gives the mover
        ("count", "i4"),  # children; 0 before expansion
        ("tried", "i4"),  # children visited at least once; of AMAF its table, from 1 on, or 0
        ("unproven", "i4"),  # children without proof
        ("seat", "i4"),  # to move, CHANCE, TERMINAL or UNSEEN
    ],
    align=True,
)
KEPT_FIELDS = {
    "squares": ("squares", "f8"),  # payoffs from 0 to 1, squared and summed up
    "priors": ("prior", "f8"),  # of the move that leads here, among its parent's
    "guesses": ("guess", "f8"),  # minimax value of evaluations, for the seat that moved here
}
"""More fields of a NODE, by what is kept."""
VALUE = np.dtype([("total", "i8"), ("visits", "i8")])
"""Of one move of one seat: units for that seat, and simulations in which it was played."""
RUN = np.dtype(
    [
        ("nodes", "i8"),  # plies played, in the tree and beyond
        ("simulated", "i8"),  # simulations of this run
        ("stop", "i8"),  # pause when so many are done,
        ("stop_nodes", "i8"),  # so many plies are played,
        ("stop_size", "i8"),  # or the tree has so many nodes
        ("size", "i8"),  # nodes in the tree
        ("room", "i8"),  # and how many it may have
        ("depth", "i8"),  # no node this deep is expanded
        ("tables", "i8"),  # tables of AMAF values in use,
        ("most_tables", "i8"),  # how many there may be,
        ("table", "i8"),  # and the one that counts at the node looked at
        ("ref", "i8"),
        ("cut", "i8"),
        ("seats", "i8"),  # of the game,
        ("largest", "i8"),  # and the most units that one can get
        ("c", "f8"),
        ("bias", "f8"),
        ("weight", "f8"),
        ("fpu", "f8"),
        ("epsilon", "f8"),
        ("minimax", "f8"),
        ("solver", "i1"),
        ("reduce", "i1"),
        ("reduce_playouts", "i1"),
        ("solved", "i1"),
    ],
    align=True,
)


class Memory(NamedTuple):
    """What a simulation works on."""

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
    lock: Any  # int64[3], of threads that share a tree; see `sharing`
    runs: Any  # RUN[1]


@cache
def node_of(keeps: frozenset[str]) -> np.dtype[Any]:
    """A NODE with a field more for each of what is kept of nodes; the same object each time.

    Kernels are called the quicker for that.
    """
    more = [field for name, field in KEPT_FIELDS.items() if name in keeps]
    return np.dtype(NODE.descr + more, align=True)


def values(settings: Settings, seats: int) -> dict[str, Any]:
    """`amaf`, `history` and `grams`: as long as they must be, or 1 where they are not kept."""
    keeps = settings.policies.keeps
    lengths = {
        "amaf": settings.tables(seats) * length_of(seats),
        "history": seats * HISTORY if "history" in keeps else 0,
        "grams": 2 * GRAMS if "grams" in keeps else 0,
    }
    return {name: np.zeros(max(length, 1), VALUE) for name, length in lengths.items()}
