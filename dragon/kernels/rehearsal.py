"""Random games in which every rule is asked at every ply; to be run as checked code."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.bits import draw
from dragon.blame import Breach
from dragon.kernels.playout import step
from dragon.template import (
    HAS_BANKED,
    HAS_BOUNDS,
    HAS_EVALUATE,
    HAS_KEY,
    HAS_ODDS,
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

QUICKLY_COMPILED = True
CHANCE, TERMINAL = -1, -2
ASKED = ("turn", "moves", "play", "payoff", "key", "order", "evaluate", "odds", "sample",
         "banked", "reduce", "bounds")  # fmt: skip
TURN, MOVES, PLAY, PAYOFF, KEY, ORDER, EVALUATE, ODDS, SAMPLE, BANKED, REDUCE, BOUNDS = range(12)


@kernel
def ask(s, seat, out, scores, random, asked):
    """Asks the rules that only searches ask, at the record `s`, where `seat` is to move."""
    if HAS_KEY:
        asked[0] = KEY
        key(s)
    if HAS_BANKED:
        asked[0] = BANKED
        banked(s)
    if HAS_BOUNDS:
        asked[0] = BOUNDS
        bounds(s)
    if HAS_EVALUATE:
        asked[0] = EVALUATE
        for each in range(SEATS):
            evaluate(s, each)
    asked[0] = MOVES
    n = moves(s, out)
    if HAS_ORDER and seat >= 0:
        asked[0] = ORDER
        order(s, out, n, scores)
    if HAS_REDUCE and seat >= 0:
        asked[0] = REDUCE
        left = reduce(s, out, n)
        if not legal(s, scores, out[draw(random, left)]):
            raise Breach("reduce: it leaves a move that is not among those of moves")


@kernel
def legal(s, out, code):
    """Whether a code is among the moves of `s`."""
    for i in range(moves(s, out)):
        if out[i] == code:
            return True
    return False


@kernel
def rehearse(states, out, scores, weights, random, path, asked, most):
    """Random games from states[0] until they have `most` plies together; how many they have.

    states: records[2], the second is scratch; out and scores: int64[WIDTH]; weights:
    float64[WIDTH], empty for a game without `odds`; random: uint64[1]; path: int64[PLIES + 1],
    how many moves the game in progress has, and their codes; asked: int64[1], of ASKED the rule
    that is being asked.
    """
    plies = 0
    while plies < most:
        s = states[1]
        states[1] = states[0]
        path[0] = 0
        asked[0] = TURN
        seat = turn(s)
        while seat != TERMINAL:
            ask(s, seat, out, scores, random, asked)
            asked[0] = ODDS if HAS_ODDS and seat == CHANCE else SAMPLE
            code = step(s, seat, out, weights, random, False)
            if HAS_SAMPLE and not legal(s, out, code):
                raise Breach("sample: it gives a move that is not among those of moves")
            if path[0] == PLIES:
                raise Breach("turn: the game goes on for more than plies = {plies}")
            path[0] += 1
            path[path[0]] = code
            asked[0] = PLAY
            play(s, code)
            asked[0] = TURN
            seat = turn(s)
        asked[0] = PAYOFF
        for each in range(SEATS):
            payoff(s, each)
        plies += path[0] + 1
    return plies
