"""Random games in which every rule is asked at every ply; to be run as checked code."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.blame import Breach
from dragon.kernels.playout import step
from dragon.template import (
    HAS_BANKED,
    HAS_BOUNDS,
    HAS_EVALUATE,
    HAS_KEY,
    HAS_ORDER,
    HAS_REDUCE,
    HAS_SAMPLE,
    PLIES,
    SEATS,
    banked,
    bounds,
    evaluate,
    kernel,
    key,
    moves,
    order,
    payoff,
    play,
    reduce,
    turn,
)

TERMINAL = -2


@kernel
def ask(s, seat, out, scores):
    """Asks the rules that only searches ask, at the record `s`, where `seat` is to move."""
    if HAS_KEY:
        key(s)
    if HAS_BANKED:
        banked(s)
    if HAS_BOUNDS:
        bounds(s)
    if HAS_EVALUATE:
        for each in range(SEATS):
            evaluate(s, each)
    if seat >= 0 and (HAS_ORDER or HAS_REDUCE):
        n = moves(s, out)
        if HAS_ORDER:
            order(s, out, n, scores)
        if HAS_REDUCE:
            reduce(s, out, n)


@kernel
def legal(s, out, code):
    """Whether a code is among the moves of `s`."""
    for i in range(moves(s, out)):
        if out[i] == code:
            return True
    return False


@kernel
def rehearse(states, out, scores, weights, random, path, most):
    """Random games from states[0] until they have `most` plies together; how many they have.

    states: records[2], the second is scratch; out and scores: int64[WIDTH]; weights:
    float64[WIDTH], empty for a game without `odds`; random: uint64[1]; path: int64[PLIES + 1], how
    many moves the game in progress has, and their codes.
    """
    plies = 0
    while plies < most:
        s = states[1]
        states[1] = states[0]
        path[0] = 0
        seat = turn(s)
        while seat != TERMINAL:
            ask(s, seat, out, scores)
            code = step(s, seat, out, weights, random, False)
            if HAS_SAMPLE and not legal(s, out, code):
                raise Breach("sample: it gives a move that is not among those of moves")
            if path[0] == PLIES:
                raise Breach("turn: the game goes on for more than plies = {plies}")
            path[0] += 1
            path[path[0]] = code
            play(s, code)
            seat = turn(s)
        for each in range(SEATS):
            payoff(s, each)
        plies += path[0] + 1
    return plies
