"""AMAF values ("all moves as first"): a move's mean over simulations that play it later.

RAVE (rapid action value estimation, Gelly and Silver 2007) uses those of the state itself, GRAVE
(generalised RAVE, Cazenave 2015) those of the nearest ancestor with `ref` visits. Each state whose
values are used has a table of its own, indexed as the history is; a move played twice counts twice.

Short names as in `kernel`; `node.table` is the number of its table, from 1 on, and `run.table` that
of the one that counts; 0 for none.
"""

from typing import Any

from dragon.rules.template import kernel
from dragon.search.mcts.statistics.history import add, slot_of
from dragon.search.move_ordering import HISTORY

FIRST = 2.0
"""The score of a move without statistics, which is tried before any other."""
APART = 36
"""Values between two tables. At a distance of a power of two, equal places of all tables would
have the same few lines of a processor's cache."""
MOST_TABLES = (1 << 31) - 1
"""The most tables that a tree can have: a node has the number of its own in four bytes."""


@kernel
def blend(own: float, visits: int, amaf: float, gathered: int, bias: float) -> float:
    """Return a move's score: its own mean over `visits` and its AMAF mean over `gathered`.

    The weight of the latter is Silver's (Gelly and Silver 2011, section 4.3): it begins at 1 and
    falls as the move is visited, the sooner the larger `bias`. Means are from 0 to 1.
    """
    if visits + gathered == 0:
        return FIRST
    weight = gathered / (gathered + visits + bias * gathered * visits)
    return (1.0 - weight) * own + weight * amaf


@kernel
def length_of(seats: int) -> int:
    """Return the VALUEs from the beginning of a table to that of the next."""
    return seats * HISTORY + APART


@kernel
def gathers(visits: int, ref: int) -> bool:
    """Return whether a state with these visits has a table of AMAF values: from half of `ref`
    on."""
    return 2 * visits >= ref


@kernel
def refer(m: Any, node: Any, depth: int, run: Any) -> None:
    """Note in `run.table` whose AMAF values count at `node`, and perhaps give it a table."""
    ref = m.settings[0].ref
    begins = depth == 0 or gathers(node.visits, ref)
    if begins and node.table == 0 and run.tables < m.budget[0].tables:
        run.tables += 1
        node.table = run.tables
    if depth == 0 or (node.table > 0 and node.visits >= ref):
        run.table = node.table


@kernel
def value_of(m: Any, seat: int, code: Any) -> Any:
    """Return the AMAF VALUE of a seat's move in the table that counts."""
    row = (m.runs[0].table - 1) * length_of(m.settings[0].seats)
    return m.amaf[row + slot_of(seat, code)]


@kernel
def gather(m: Any, table: int, begin: int, end: int) -> None:
    """Add the plies of a simulation from `begin` to `end` to a table; to none if it is 0."""
    if table > 0:
        row = (table - 1) * length_of(m.settings[0].seats)
        for ply in range(begin, end):
            at = m.played[ply]
            if at >= 0:
                add(m.amaf[row + at], m.pay[at // HISTORY])
