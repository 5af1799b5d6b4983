"""GRAVE (Cazenave 2015), and with `ref = 0` RAVE (Gelly and Silver 2007): means and AMAF values.

AMAF values count at first; the more a move is visited, the more its own mean counts. There is no
exploration constant.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.rules.template import kernel
from dragon.search.mcts.statistics.amaf import blend, value_of
from dragon.search.mcts.statistics.history import mean

KEEPS = ("amaf",)
SCORES_UNTRIED = True


@kernel
def score(m, node, child, own, known, shared, settings):
    """Return the score: (1 - w) * own + w * amaf; see `blend`."""
    if known:
        return own
    if m.runs[0].table == 0:
        return blend(own, child.visits, 0.5, 0, settings.bias)
    value = value_of(m, node.seat, child.code)
    return blend(own, child.visits, mean(value, 0.5, settings), value.visits, settings.bias)
