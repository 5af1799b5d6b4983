"""Evaluations by the game's `evaluate`, in the tree and at the end of playouts that are cut short.

Implicit minimax backups (Lanctot, Winands, Pepels and Sturtevant 2014): every node has the minimax
value of the evaluations below it, beside the mean of its simulations. A node's `evaluation` is from
-1 to 1 from the side of the seat that moved there, like its total.

Playouts that are cut short (early playout termination: Lorentz 2008; Winands and Bjornsson 2010)
pay the evaluation of their last state. Units are whole, so a value between two of them is drawn: an
evaluation of 0.5 is a win every other time, and a draw otherwise.
"""

from typing import Any

from dragon.bits import draw
from dragon.core import TERMINAL
from dragon.rules.rules import rule
from dragon.rules.template import LARGEST, SEATS, TEAM, evaluate, kernel, payoff, play, turn

PARTS = 1 << 20
"""The parts of a unit of which a fraction is drawn."""


@rule
def units_for(evaluation: Any, part: Any, largest: Any) -> int:
    """Return an evaluation in whole units, symmetric in its sign.

    part: from 0 to PARTS - 1; a random one rounds up with the right probability.
    """
    units = int(abs(evaluation) * largest + part / PARTS)
    return units if evaluation > 0.0 else -units


@rule
def mixed(own: Any, evaluation: Any, share: Any) -> Any:
    """Return the weighted mean of `own`, from 0 to 1, and an evaluation, from -1 to 1.

    share: the weight of the evaluation.
    """
    return (1.0 - share) * own + share * (evaluation + 1.0) * 0.5


@kernel
def value_at(s: Any, seat: int) -> Any:
    """Return the value of `seat`, from -1 to 1: a payoff at an end, else an evaluation."""
    if turn(s) == TERMINAL:
        return payoff(s, seat) / LARGEST
    return max(-1.0, min(1.0, evaluate(s, seat)))


@kernel
def evaluate_children(m: Any, s: Any, node: Any) -> None:
    """Evaluate the children of a node at the record `s`, where a seat is to move."""
    for i in range(node.first, node.first + node.count):
        m.states[2] = s
        play(m.states[2], m.tree[i].code)
        m.tree[i].evaluation = value_at(m.states[2], node.seat)


@kernel
def back_up_evaluations(m: Any, depth: int) -> None:
    """Back up evaluations along a path by minimax; those of chance nodes stay."""
    for d in range(depth, 0, -1):
        node = m.tree[m.path[d]]
        above = m.tree[m.path[d - 1]].seat
        if node.count > 0 and node.seat >= 0 and above >= 0:
            best = -1.0
            for i in range(node.first, node.first + node.count):
                best = max(best, m.tree[i].evaluation)
            node.evaluation = best if TEAM[node.seat] == TEAM[above] else -best


@kernel
def pay_evaluation(m: Any, s: Any) -> None:
    """Write the payoffs of a playout that is cut short at the record `s`."""
    part = draw(m.random, PARTS)
    for seat in range(SEATS):
        m.pay[seat] = units_for(value_at(s, seat), part, LARGEST)
