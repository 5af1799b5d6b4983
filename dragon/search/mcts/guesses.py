"""Guesses: what the game's `evaluate` says, in the tree and at the end of short playouts.

Implicit minimax backups (Lanctot, Winands, Pepels and Sturtevant 2014): every node has the minimax
value of the evaluations below it, beside the mean of its simulations. A node's `guess` is from -1
to 1 from the side of the seat that moved there, like its total.

Playouts that are cut short (Lorentz 2008; Winands and Bjornsson 2010) pay what the evaluation at
their last state says. Units are whole, so that what is between two of them is drawn: a guess of
0.5 is a win every other time, and a draw else.
"""

from typing import Any

from dragon.bits import draw
from dragon.core import TERMINAL
from dragon.rules.rules import rule
from dragon.rules.template import LARGEST, SEATS, TEAM, evaluate, kernel, payoff, play, turn

PARTS = 1 << 20
"""What is between two units is drawn in so many parts."""


@rule
def units_for(guess: Any, part: Any, largest: Any) -> int:
    """A guess in whole units, of either side alike; `part` of PARTS rounds up what is between."""
    units = int(abs(guess) * largest + part / PARTS)
    return units if guess > 0.0 else -units


@rule
def mixed(own: Any, guess: Any, share: Any) -> Any:
    """A mean from 0 to 1, and a guess from -1 to 1 that has this share of the whole."""
    return (1.0 - share) * own + share * (guess + 1.0) * 0.5


@kernel
def value_at(s: Any, seat: int) -> Any:
    """How well `seat` stands, from -1 to 1: a payoff where the game is over, else a guess."""
    if turn(s) == TERMINAL:
        return payoff(s, seat) / LARGEST
    return max(-1.0, min(1.0, evaluate(s, seat)))


@kernel
def guess_children(m: Any, s: Any, node: Any) -> None:
    """Evaluates the children of a node at the record `s`, where a seat is to move."""
    for i in range(node.first, node.first + node.count):
        m.states[2] = s
        play(m.states[2], m.tree[i].code)
        m.tree[i].guess = value_at(m.states[2], node.seat)


@kernel
def guess_again(m: Any, depth: int) -> None:
    """Makes the guesses along a path those of the best children; those of chance stay."""
    for d in range(depth, 0, -1):
        node = m.tree[m.path[d]]
        above = m.tree[m.path[d - 1]].seat
        if node.count > 0 and node.seat >= 0 and above >= 0:
            best = -1.0
            for i in range(node.first, node.first + node.count):
                best = max(best, m.tree[i].guess)
            node.guess = best if TEAM[node.seat] == TEAM[above] else -best


@kernel
def pay_guess(m: Any, s: Any) -> None:
    """Writes what a playout that is cut short at the record `s` pays."""
    part = draw(m.random, PARTS)
    for seat in range(SEATS):
        m.pay[seat] = units_for(value_at(s, seat), part, LARGEST)
