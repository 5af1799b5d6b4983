"""Progressive history (Nijssen and Winands 2011): UCT plus a bias by the move's history.

The history of a move is its mean over all simulations in which its seat played it, in the tree or
in a playout. The bias shrinks with the number of times that the move did not win here.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.rules.template import kernel
from dragon.search.mcts.selections.uct import share as share
from dragon.search.mcts.statistics.history import mean, slot_of

KEEPS = ("history",)


@kernel
def score(m, node, child, own, known, shared, settings):
    """Return the score: UCT's + weight * history / (visits * (1 - own) + 1)."""
    past = mean(m.history[slot_of(node.seat, child.code)], 0.5, settings)
    explored = own + shared * float(child.spread)
    return explored + settings.weight * past / (child.visits * (1.0 - own) + 1.0)
