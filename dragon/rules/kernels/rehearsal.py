"""Random games in which every rule is asked at every ply; to be run as checked code."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from typing import Any, NamedTuple

from dragon.bits import draw
from dragon.compiler.location import Breach, turns_taken
from dragon.core import CHANCE, TERMINAL
from dragon.rules.contract import RULES
from dragon.rules.kernels.playout import step
from dragon.rules.template import (
    DUEL,
    HAS_BANKED,
    HAS_BEFORE,
    HAS_BOUNDS,
    HAS_EVALUATE,
    HAS_KEY,
    HAS_NOISY,
    HAS_ODDS,
    HAS_ORDER,
    HAS_PLACE,
    HAS_PRIOR,
    HAS_RANK,
    HAS_REDUCE,
    HAS_SAMPLE,
    HAS_SKIP,
    HAS_SOLVED,
    LARGEST,
    PLIES,
    SEATS,
    TEAM,
    banked,
    before,
    bounds,
    evaluate,
    kernel,
    key,
    moves,
    noisy,
    order,
    payoff,
    place,
    play,
    prior,
    rank,
    reduce,
    skip,
    solved,
    turn,
    unrank,
)

QUICKLY_COMPILED = True
ASKED = tuple(RULES)
(MOVES, PLAY, TURN, PAYOFF, KEY, ORDER, EVALUATE, ODDS, SAMPLE, BANKED, REDUCE, BOUNDS, SOLVED,
 PLACE, PRIOR, NOISY, SKIP, RANK, UNRANK, BEFORE, *OTHERS) = range(len(ASKED))  # fmt: skip
ROUNDING = 1e-9
"""By how much evaluations of opposite seats may differ."""


class Memory(NamedTuple):
    """The arrays of a rehearsal."""

    states: Any
    """records[3]: where games begin, the one in progress, and what it was before a rule."""
    words: Any
    """uint64[2, any]: the last two again."""
    out: Any
    """int64[WIDTH]; so is `scores`."""
    scores: Any
    numbers: Any
    """int64[2 * WIDTH], empty for a game without `before`."""
    weights: Any
    """float64[WIDTH], empty for a game without `odds` and `prior`."""
    random: Any
    """uint64[1]."""
    path: Any
    """int64[PLIES + 1]: how many moves the game in progress has, and their codes."""
    asked: Any
    """int64[1]: of ASKED the rule that is being asked."""
    limits: Any
    """int64[2], scratch."""
    tablebase: Any
    """uint8[any], empty if it is not to be asked."""


def same(words):
    """Return True if the record is as it was when it was kept."""
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
def ask(m, s, seat):
    """Asks the rules that only searches ask, at the record `s`, where `seat` is to move."""
    if HAS_KEY:
        m.asked[0] = KEY
        key(s)
        unchanged(m.words)
    if HAS_BANKED:
        m.asked[0] = BANKED
        banked(s)
        unchanged(m.words)
    if HAS_BOUNDS:
        m.asked[0] = BOUNDS
        least, most = bounds(s)
        m.limits[0] = max(m.limits[0], least)
        m.limits[1] = min(m.limits[1], most)
        unchanged(m.words)
    if HAS_SOLVED and seat >= 0:
        m.asked[0] = SOLVED
        solved(s, m.tablebase)
        unchanged(m.words)
    if HAS_PLACE:
        m.asked[0] = PLACE
        place(s)
        unchanged(m.words)
    if HAS_EVALUATE:
        m.asked[0] = EVALUATE
        first = evaluate(s, 0)
        unchanged(m.words)
        for each in range(SEATS):
            guess = evaluate(s, each)
            if DUEL and abs(guess - (first if TEAM[each] == TEAM[0] else -first)) > ROUNDING:
                raise Breach("evaluate: it must be the same for the seats of a team, and the "
                             "negative of it for the others")  # fmt: skip
        unchanged(m.words)
    if HAS_RANK and seat >= 0:
        ask_numbers(m, s, seat)
    m.asked[0] = MOVES
    n = moves(s, m.out)
    unchanged(m.words)
    if times(m.out[:n], m.out[draw(m.random, n)]) != 1:
        raise Breach("moves: it gives the same move twice")
    if HAS_ORDER and seat >= 0:
        m.asked[0] = ORDER
        order(s, m.out, n, m.scores)
        unchanged(m.words)
        if not legal(s, m.scores, m.out[draw(m.random, n)]):
            raise Breach("order: it writes into the list of moves")
    if HAS_PRIOR and seat >= 0:
        m.asked[0] = PRIOR
        prior(s, m.out, n, m.weights)
        unchanged(m.words)
        if not legal(s, m.scores, m.out[draw(m.random, n)]):
            raise Breach("prior: it writes into the list of moves")
    if HAS_NOISY and seat >= 0:
        m.asked[0] = NOISY
        found = noisy(s, m.out)
        unchanged(m.words)
        if found > 0 and not legal(s, m.scores, m.out[draw(m.random, found)]):
            raise Breach("noisy: it gives a move that is not among those of moves")
        n = moves(s, m.out)
    if HAS_SKIP and seat >= 0:
        m.asked[0] = SKIP
        passed = m.states[2]
        if skip(passed):
            after = turn(passed)
            if after >= 0 and TEAM[after] == TEAM[seat]:
                raise Breach("skip: the side that passed is to move again")
        m.states[2] = m.states[1]
    if HAS_REDUCE and seat >= 0:
        m.asked[0] = REDUCE
        left = reduce(s, m.out, n)
        unchanged(m.words)
        if not legal(s, m.scores, m.out[draw(m.random, left)]):
            raise Breach("reduce: it leaves a move that is not among those of moves")


@kernel
def ask_numbers(m, s, seat):
    """Asks the rules that tables ask, at the record `s`, where `seat` is to move."""
    m.asked[0] = RANK
    number = rank(s)
    unchanged(m.words)
    if HAS_BEFORE:
        m.asked[0] = BEFORE
        before(s, m.numbers)
        unchanged(m.words)
    m.asked[0] = UNRANK
    again = m.states[2]
    m.states[2] = m.states[0]
    found = unrank(again, number)
    if found < 0 or rank(again) != number:
        raise Breach("unrank: it makes no position that has the number which rank gives")
    if found != turn(again):
        raise Breach("unrank: it returns another seat than the one that turn says moves")
    m.states[2] = s


@kernel
def legal(s, out, code):
    """Return True if a code is among the moves of `s`, which are written into `out`."""
    return times(out[: moves(s, out)], code) > 0


@kernel
def rehearse(m, most, turns):
    """Random games from states[0] until they have `most` plies together, or took so many `turns`.

    Gives the number of plies.
    """
    plies = 0
    while plies < most:
        s = m.states[1]
        m.states[1] = m.states[0]
        m.states[2] = m.states[0]
        m.path[0] = 0
        m.limits[0] = -LARGEST
        m.limits[1] = LARGEST
        m.asked[0] = TURN
        seat = turn(s)
        unchanged(m.words)
        while seat != TERMINAL:
            if turns_taken() >= turns:
                return plies + m.path[0]
            ask(m, s, seat)
            m.asked[0] = ODDS if HAS_ODDS and seat == CHANCE else SAMPLE
            code = step(s, seat, m.out, m.weights, m.random, False)
            unchanged(m.words)
            if HAS_SAMPLE and not legal(s, m.out, code):
                raise Breach("sample: it gives a move that is not among those of moves")
            if m.path[0] == PLIES:
                raise Breach("turn: the game goes on for more than plies = {plies}")
            m.path[0] += 1
            m.path[m.path[0]] = code
            m.asked[0] = PLAY
            play(s, code)
            m.states[2] = s
            m.asked[0] = TURN
            seat = turn(s)
            unchanged(m.words)
        m.asked[0] = PAYOFF
        for each in range(SEATS):
            payoff(s, each)
        unchanged(m.words)
        if not m.limits[0] <= payoff(s, 0) <= m.limits[1]:
            raise Breach("bounds: seat 0 ends with a payoff that is outside them on the way to it")
        plies += m.path[0] + 1
    return plies
