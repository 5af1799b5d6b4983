"""Random games in which every rule is asked at every ply; to be run as checked code."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.bits import draw
from dragon.blame import Breach
from dragon.kernels.playout import step
from dragon.template import (
    DUEL,
    HAS_BANKED,
    HAS_BOUNDS,
    HAS_EVALUATE,
    HAS_KEY,
    HAS_ODDS,
    HAS_ORDER,
    HAS_REDUCE,
    HAS_SAMPLE,
    HAS_SOLVED,
    LARGEST,
    PLIES,
    SEATS,
    TEAM,
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
    solved,
    turn,
)

QUICKLY_COMPILED = True
CHANCE, TERMINAL = -1, -2
ASKED = ("turn", "moves", "play", "payoff", "key", "order", "evaluate", "odds", "sample",
         "banked", "reduce", "bounds", "solved")  # fmt: skip
(TURN, MOVES, PLAY, PAYOFF, KEY, ORDER, EVALUATE, ODDS, SAMPLE, BANKED, REDUCE, BOUNDS,
 SOLVED) = range(13)  # fmt: skip
ROUNDING = 1e-9
"""By how much evaluations of opposite seats may differ."""


def same(words):
    """Whether the record is as it was when it was kept."""
    for i in range(words.shape[1]):
        if words[0, i] != words[1, i]:
            return False
    return True


def times(codes, code):
    """How often a move code is among others."""
    found = 0
    for each in codes:
        if each == code:
            found += 1
    return found


@kernel
def unchanged(words):
    """To be asked after every rule but `play`."""
    if not same(words):
        raise Breach("asked: it changes the record, which only play may do")


@kernel
def ask(s, words, seat, out, scores, random, asked, limits, tablebase):
    """Asks the rules that only searches ask, at the record `s`, where `seat` is to move."""
    if HAS_KEY:
        asked[0] = KEY
        key(s)
        unchanged(words)
    if HAS_BANKED:
        asked[0] = BANKED
        banked(s)
        unchanged(words)
    if HAS_BOUNDS:
        asked[0] = BOUNDS
        least, most = bounds(s)
        limits[0] = max(limits[0], least)
        limits[1] = min(limits[1], most)
        unchanged(words)
    if HAS_SOLVED and seat >= 0:
        asked[0] = SOLVED
        solved(s, tablebase)
        unchanged(words)
    if HAS_EVALUATE:
        asked[0] = EVALUATE
        first = evaluate(s, 0)
        unchanged(words)
        for each in range(SEATS):
            guess = evaluate(s, each)
            if DUEL and abs(guess - (first if TEAM[each] == TEAM[0] else -first)) > ROUNDING:
                raise Breach("evaluate: it must be the same for the seats of a team, and the "
                             "negative of it for the others")  # fmt: skip
        unchanged(words)
    asked[0] = MOVES
    n = moves(s, out)
    unchanged(words)
    if times(out[:n], out[draw(random, n)]) != 1:
        raise Breach("moves: it gives the same move twice")
    if HAS_ORDER and seat >= 0:
        asked[0] = ORDER
        order(s, out, n, scores)
        unchanged(words)
        if not legal(s, scores, out[draw(random, n)]):
            raise Breach("order: it writes into the list of moves")
    if HAS_REDUCE and seat >= 0:
        asked[0] = REDUCE
        left = reduce(s, out, n)
        unchanged(words)
        if not legal(s, scores, out[draw(random, left)]):
            raise Breach("reduce: it leaves a move that is not among those of moves")


@kernel
def legal(s, out, code):
    """Whether a code is among the moves of `s`, which are written into `out`."""
    return times(out[: moves(s, out)], code) > 0


@kernel
def rehearse(states, words, out, scores, weights, random, path, asked, limits, tablebase, most):
    """Random games from states[0] until they have `most` plies together; how many they have.

    states: records[3], the second is scratch and the third is what it was; words: the last two as
    uint64[2, any]; out and scores: int64[WIDTH]; weights: float64[WIDTH], empty for a game
    without `odds`; random: uint64[1]; path: int64[PLIES + 1], how many moves the game in progress
    has, and their codes; asked: int64[1], of ASKED the rule that is being asked; limits: int64[2],
    scratch; tablebase: uint8[any], empty if it is not to be asked.
    """
    plies = 0
    while plies < most:
        s = states[1]
        states[1] = states[0]
        states[2] = states[0]
        path[0] = 0
        limits[0] = -LARGEST
        limits[1] = LARGEST
        asked[0] = TURN
        seat = turn(s)
        unchanged(words)
        while seat != TERMINAL:
            ask(s, words, seat, out, scores, random, asked, limits, tablebase)
            asked[0] = ODDS if HAS_ODDS and seat == CHANCE else SAMPLE
            code = step(s, seat, out, weights, random, False)
            unchanged(words)
            if HAS_SAMPLE and not legal(s, out, code):
                raise Breach("sample: it gives a move that is not among those of moves")
            if path[0] == PLIES:
                raise Breach("turn: the game goes on for more than plies = {plies}")
            path[0] += 1
            path[path[0]] = code
            asked[0] = PLAY
            play(s, code)
            states[2] = s
            asked[0] = TURN
            seat = turn(s)
            unchanged(words)
        asked[0] = PAYOFF
        for each in range(SEATS):
            payoff(s, each)
        unchanged(words)
        if not limits[0] <= payoff(s, 0) <= limits[1]:
            raise Breach("bounds: seat 0 ends with a payoff that is outside them on the way to it")
        plies += path[0] + 1
    return plies
