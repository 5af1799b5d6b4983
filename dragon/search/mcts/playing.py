"""Playouts from the leaves of a tree: its policy's moves, or at random; and decisive moves."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.compiler.location import Breach
from dragon.core import CHANCE, TERMINAL
from dragon.rules.kernels.playout import step
from dragon.rules.template import (
    CHECKED,
    HAS_REDUCE,
    LARGEST,
    PLIES,
    kernel,
    moves,
    payoff,
    play,
    reduce,
    turn,
)
from dragon.search.mcts.history import slot_of
from dragon.search.mcts.policies import CUTS, DECISIVE, LISTS, NOTES, choose

LOOKED_THROUGH = 1000
"""Moves among which a decisive one is looked for; where there are more, it takes too long."""


@kernel
def decide(m, s, seat, n):
    """Keeps of n moves in `m.out` one that wins all at once, if there is one; how many are left.

    More than LOOKED_THROUGH are left as they are.

    Decisive moves (Teytaud and Teytaud 2010). That paper's second kind, what takes such a move
    away from the opponent, is not looked for: it would take the square of the time.
    """
    for i in range(n if n <= LOOKED_THROUGH else 0):
        m.states[2] = s
        play(m.states[2], m.out[i])
        if turn(m.states[2]) == TERMINAL and payoff(m.states[2], seat) == LARGEST:
            m.out[0] = m.out[i]
            return 1
    return n


@kernel
def drawn(m, s, seat, ply, run):
    """The code of a playout's next move."""
    if seat == CHANCE or not (LISTS or DECISIVE):
        return step(s, seat, m.out, m.weights, m.random, run.reduce_playouts)
    n = moves(s, m.out)
    if HAS_REDUCE and run.reduce_playouts:
        n = reduce(s, m.out, n)
    if DECISIVE:
        n = decide(m, s, seat, n)
    return m.out[choose(m, n, seat, ply, run)]


@kernel
def note(m, ply, seat, code):
    """Writes down who played what at this ply; of chance, that nobody did."""
    m.played[ply] = slot_of(seat, code) if seat >= 0 else -1


@kernel
def finish(m, s, ply, run):
    """Plays out as `dragon.rules.kernels.playout.finish`, by the policy; the last ply.

    With CUTS it may end before the game does.
    """
    first = ply
    seat = turn(s)
    while seat != TERMINAL and not (CUTS and ply - first >= run.cut):
        if CHECKED and ply >= PLIES:
            raise Breach("turn: the game goes on for more than plies = {plies}")
        code = drawn(m, s, seat, ply, run)
        if NOTES:
            note(m, ply, seat, code)
        play(s, code)
        ply += 1
        seat = turn(s)
    return ply
