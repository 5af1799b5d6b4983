"""One tree for several threads, of which one at a time has it; playouts run side by side.

While a thread plays out, its path has lost a simulation more: this virtual loss keeps the others
from taking it, too (Chaslot, Winands and van den Herik 2008, section 3.3, with a global lock). So a
node never has room, proofs or children that two threads have given it.

`m.lock` has the lock, and what threads must agree on: how many nodes the tree has, and how many
tables of AMAF values. Short names as in `kernel`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.compiler.lock import acquire, release
from dragon.rules.template import LARGEST, kernel


@kernel
def enter(m, run):
    """Waits for the tree."""
    acquire(m.lock)
    run.size, run.tables = m.lock[1], m.lock[2]


@kernel
def leave(m, run):
    """Lets other threads have the tree."""
    m.lock[1], m.lock[2] = run.size, run.tables
    release(m.lock)


@kernel
def count_loss(m, depth, visits):
    """Counts a simulation that is lost along the path; visits: 1, or -1 to take it back."""
    for d in range(depth + 1):
        node = m.tree[m.path[d]]
        node.visits += visits
        node.total -= visits * LARGEST
