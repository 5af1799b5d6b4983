"""AMAF values ("all moves as first"): what a move was worth whenever its seat played it later.

RAVE (Gelly and Silver 2007) takes those of the state itself, GRAVE (Cazenave 2015) those of the
nearest ancestor with `ref` visits. Each state that counts has a table of its own, of every
seat's moves by `move_ordering.slot`, as history is; a move played twice counts twice.

Short names as in `kernel`. `node.tried` is the number of its table, from 1 on, and `run.table` that
of the one that counts; 0 for none.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.compiler.location import Breach
from dragon.core import TERMINAL
from dragon.rules.kernels.playout import step
from dragon.rules.rules import rule
from dragon.rules.template import CHECKED, LARGEST, PLIES, SEATS, kernel, play, turn
from dragon.search.move_ordering import HISTORY, slot

FIRST = 2.0
"""The score of a move of which nothing is known: it is tried before any other."""
MOST_TABLES = (1 << 31) - 1
"""That a tree can have; a NODE has the number of its own in `tried`, which GRAVE does not need."""


@rule
def blend(own: float, visits: int, amaf: float, gathered: int, bias: float) -> float:
    """A move's score: its own mean over `visits` and its AMAF mean over `gathered` simulations.

    The weight of the latter is Silver's (Gelly and Silver 2011, section 4.3): it begins at 1 and
    falls as the move is visited, the sooner the larger `bias`. Means are from 0 to 1.
    """
    if visits + gathered == 0:
        return FIRST
    weight = gathered / (gathered + visits + bias * gathered * visits)
    return (1.0 - weight) * own + weight * amaf


@rule
def gathers(visits: int, ref: int) -> bool:
    """Whether a state of so many visits gathers AMAF values: from half of `ref` on."""
    return 2 * visits >= ref


@kernel
def refer(m, node, depth, run):
    """Notes in `run.table` whose AMAF values count at `node`, and may give it a table."""
    begins = depth == 0 or gathers(node.visits, run.ref)
    if begins and node.tried == 0 and run.tables < run.most_tables:
        run.tables += 1
        node.tried = run.tables
    if depth == 0 or (node.tried > 0 and node.visits >= run.ref):
        run.table = node.tried


@kernel
def estimate(m, child, seat, run):
    """The score of a child without proof, from the side of `seat`, which is to choose."""
    own = amaf = 0.5
    gathered = 0
    if child.visits > 0:
        own = (child.total / (child.visits * LARGEST) + 1.0) * 0.5
    if run.table > 0:
        known = m.amaf[((run.table - 1) * SEATS + seat) * HISTORY + slot(child.code)]
        gathered = known.visits
        if gathered > 0:
            amaf = (known.total / (gathered * LARGEST) + 1.0) * 0.5
    return blend(own, child.visits, amaf, gathered, run.bias)


@kernel
def note(m, ply, seat, code):
    """Writes down who played what at this ply; of chance, that nobody did."""
    m.played[ply] = seat * HISTORY + slot(code) if seat >= 0 else -1


@kernel
def finish(m, s, ply, run):
    """Plays out as `dragon.rules.kernels.playout.finish`, noting moves for GRAVE; the last ply.

    Where two loops, one for each, called the same rules, the compiler would not put these inside.
    """
    seat = turn(s)
    while seat != TERMINAL:
        if CHECKED and ply >= PLIES:
            raise Breach("turn: the game goes on for more than plies = {plies}")
        code = step(s, seat, m.out, m.weights, m.random, run.reduce_playouts)
        if run.grave:
            note(m, ply, seat, code)
        play(s, code)
        ply += 1
        seat = turn(s)
    return ply


@kernel
def gather(m, depth, end):
    """Adds a simulation of `end` plies to the tables along its path of so many."""
    for d in range(depth + 1):
        table = m.tree[m.path[d]].tried
        if table > 0:
            for ply in range(d, end):
                at = m.played[ply]
                if at >= 0:
                    known = m.amaf[(table - 1) * SEATS * HISTORY + at]
                    known.visits += 1
                    known.total += m.pay[at // HISTORY]
