"""AMAF values ("all moves as first"): what a move was worth whenever its seat played it later.

RAVE (Gelly and Silver 2007) takes those of the state itself, GRAVE (Cazenave 2015) those of the
nearest ancestor with `ref` visits. Each state that counts has a table of its own, with places as
the history has them; a move played twice counts twice.

The functions run as they stand in both forms of the tree. Short names as in `kernel`; `node.tried`
is the number of its table, from 1 on, and `run.table` that of the one that counts; 0 for none.
"""

from typing import Any

from dragon.rules.template import kernel
from dragon.search.mcts.history import add, slot_of
from dragon.search.move_ordering import HISTORY

FIRST = 2.0
"""The score of a move of which nothing is known: it is tried before any other."""
APART = 36
"""Values between two tables. At a distance of a power of two, equal places of all tables would
have the same few lines of a processor's cache."""
MOST_TABLES = (1 << 31) - 1
"""That a tree can have; a NODE has the number of its own in `tried`, which AMAF does not need."""


@kernel
def blend(own: float, visits: int, amaf: float, gathered: int, bias: float) -> float:
    """A move's score: its own mean over `visits` and its AMAF mean over `gathered` simulations.

    The weight of the latter is Silver's (Gelly and Silver 2011, section 4.3): it begins at 1 and
    falls as the move is visited, the sooner the larger `bias`. Means are from 0 to 1.
    """
    if visits + gathered == 0:
        return FIRST
    weight = gathered / (gathered + visits + bias * gathered * visits)
    return (1.0 - weight) * own + weight * amaf


@kernel
def length_of(seats: int) -> int:
    """How many VALUEs lie from the beginning of a table to that of the next."""
    return seats * HISTORY + APART


@kernel
def gathers(visits: int, ref: int) -> bool:
    """Return True if a state of so many visits gathers AMAF values: from half of `ref` on."""
    return 2 * visits >= ref


@kernel
def refer(node: Any, depth: int, run: Any) -> None:
    """Notes in `run.table` whose AMAF values count at `node`, and may give it a table."""
    begins = depth == 0 or gathers(node.visits, run.ref)
    if begins and node.tried == 0 and run.tables < run.most_tables:
        run.tables += 1
        node.tried = run.tables
    if depth == 0 or (node.tried > 0 and node.visits >= run.ref):
        run.table = node.tried


@kernel
def value_of(m: Any, seat: int, code: Any, run: Any) -> Any:
    """The AMAF VALUE of a seat's move in the table that counts."""
    return m.amaf[(run.table - 1) * length_of(run.seats) + slot_of(seat, code)]


@kernel
def gather(m: Any, table: int, begin: int, end: int, run: Any) -> None:
    """Adds the plies of a simulation from `begin` to `end` to a table; to none if it is 0."""
    if table > 0:
        row = (table - 1) * length_of(run.seats)
        for ply in range(begin, end):
            at = m.played[ply]
            if at >= 0:
                add(m.amaf[row + at], m.pay[at // HISTORY])
