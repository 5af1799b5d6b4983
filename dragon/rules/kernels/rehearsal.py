"""Random games in which every rule is called at every ply; to be run as checked code.

A rule is called as it is declared (`asking`); those of SPECIAL, whose values are tested more
closely, by name.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from dragon.bits import draw
from dragon.compiler.location import Breach, turns_taken
from dragon.core import CHANCE, TERMINAL
from dragon.rules.contract import OPTIONAL, RULES, Contract
from dragon.rules.kernels.playout import step
from dragon.rules.template import (
    DUEL,
    HAS_BOUNDS,
    HAS_DEAL,
    HAS_EVALUATE,
    HAS_HIDE,
    HAS_ODDS,
    HAS_RANK,
    HAS_SAMPLE,
    HAS_SKIP,
    LARGEST,
    PLIES,
    SEATS,
    TEAM,
    bounds,
    deal,
    evaluate,
    hide,
    kernel,
    moves,
    payoff,
    play,
    rank,
    skip,
    turn,
    unrank,
)


def calling(rule: Contract, own: Any) -> Any:
    """Return the kernel `call(s, m, n)` that calls the rule `own`, declared as `rule` says.

    It passes the arrays in `m` that the contract names; the n moves of the record `s` are in
    `m.out` already. It returns a number that depends on the rule's value, so that the compiler
    cannot remove the call.
    """

    @kernel
    def of_record(s, m, n):
        return own(s)

    @kernel
    def pair_of_record(s, m, n):
        low, high = own(s)
        return low + high

    @kernel
    def of_number(s, m, n):
        return own(s, 0)

    @kernel
    def listing(s, m, n):
        return own(s, m.out)

    @kernel
    def of_moves(s, m, n):
        return own(s, m.out, n)

    @kernel
    def scoring(s, m, n):
        own(s, m.out, n, m.scores)
        return m.scores[0]

    @kernel
    def weighing(s, m, n):
        own(s, m.out, n, m.weights)
        return m.weights[0]

    @kernel
    def weighing_chance(s, m, n):
        own(s, m.weights[:n])
        return m.weights[0]

    @kernel
    def drawing(s, m, n):
        return own(s, m.random)

    @kernel
    def hiding(s, m, n):
        own(s, 0)
        return 0

    @kernel
    def dealing(s, m, n):
        own(s, 0, m.random)
        return 0

    @kernel
    def pair_of_bytes(s, m, n):
        units, plies = own(s, m.tablebase)
        return units + plies

    if rule.name == "hide":
        return hiding
    pair = " and " in rule.returns
    shapes = {
        (): pair_of_record if pair else of_record, ("number",): of_number, ("moves",): listing,
        ("codes",): listing, ("moves", "number"): of_moves,
        ("moves", "number", "codes"): scoring, ("moves", "number", "weights"): weighing,
        ("weights",): weighing_chance, ("random",): drawing, ("bytes",): pair_of_bytes,
        ("number", "random"): dealing,
    }  # fmt: skip
    return shapes[rule.kinds[1:]]


QUICKLY_COMPILED = True
ASKED = tuple(RULES)
MOVES, PLAY, TURN, PAYOFF = (ASKED.index(name) for name in ("moves", "play", "turn", "payoff"))
ORDER, ODDS, SAMPLE, REDUCE = (ASKED.index(name) for name in ("order", "odds", "sample", "reduce"))
BOUNDS, EVALUATE, SKIP = (ASKED.index(name) for name in ("bounds", "evaluate", "skip"))
RANK, UNRANK = ASKED.index("rank"), ASKED.index("unrank")
HIDE, DEAL = ASKED.index("hide"), ASKED.index("deal")
SPECIAL = ("odds", "sample", "bounds", "evaluate", "skip", "rank", "unrank", "hide", "deal")
"""Optional rules whose values are tested more closely than their declaration says."""
ROUNDING = 1e-9
"""The most by which evaluations of opposite seats may differ."""


class Memory(NamedTuple):
    """The arrays of a rehearsal."""

    states: Any
    """records[3]: where games begin, the one in progress, and what it was before a rule."""
    words: Any
    """uint64[2, any]: the last two again."""
    out: Any
    """int64[WIDTH]; twice as long in a game with `before`."""
    scores: Any
    """int64[WIDTH]."""
    weights: Any
    """float64[WIDTH], empty for a game without a rule that is given weights."""
    random: Any
    """uint64[1]."""
    path: Any
    """int64[PLIES + 1]: the number of moves of the game in progress, and their codes."""
    asked: Any
    """int64[1]: the index in ASKED of the rule that is being called."""
    limits: Any
    """int64[2], scratch."""
    tablebase: Any
    """uint8[any], empty if `solved` is not called."""


def same(words):
    """Return True if the record equals its copy."""
    for i in range(words.shape[1]):
        if words[0, i] != words[1, i]:
            return False
    return True


def times(codes, code):
    """Return how often a move code is among others."""
    found = 0
    for each in codes:
        if each == code:
            found += 1
    return found


@kernel
def unchanged(words):
    """Test, after every rule except `play`, that the record is as it was."""
    if not same(words):
        raise Breach("asked: it changes the record, which only play may do")


@kernel
def ask(m, s, seat):
    """Call the rules that only searches call, at the record `s`, where `seat` is to move."""
    if HAS_BOUNDS:
        m.asked[0] = BOUNDS
        least, most = bounds(s)
        m.limits[0] = max(m.limits[0], least)
        m.limits[1] = min(m.limits[1], most)
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
    if HAS_SKIP and seat >= 0:
        m.asked[0] = SKIP
        passed = m.states[2]
        if skip(passed):
            after = turn(passed)
            if after >= 0 and TEAM[after] == TEAM[seat]:
                raise Breach("skip: the side that passed is to move again")
        m.states[2] = m.states[1]
    if HAS_HIDE and seat >= 0:
        m.asked[0] = HIDE
        world = m.states[2]
        hide(world, seat)
        if turn(world) != seat:
            raise Breach("hide: the seat to move does not see that it is to move")
        if HAS_DEAL:
            m.asked[0] = DEAL
            deal(world, seat, m.random)
            if turn(world) != seat:
                raise Breach("deal: the seat to move is not to move in a world")
        m.states[2] = m.states[1]
    ask_others(m, s, seat, n)


@kernel
def ask_others(m, s, seat, n):
    """Call the other rules; this name is bound to the kernel of `others`."""


def others(bound: Mapping[str, Any]) -> Any:
    """Return the kernel that calls a game's rules that are not in SPECIAL.

    bound: the game's bindings.
    """

    @kernel
    def asked(m, s, seat, n):
        pass

    for name in reversed(OPTIONAL):
        if name in bound and name not in SPECIAL:
            asked = asking(name, bound[name], asked)
    return asked


def asking(name: str, own: Any, following: Any) -> Any:
    """Return the kernel that calls a rule, tests its value, and continues with the following
    rules."""
    rule, number = RULES[name], ASKED.index(name)
    call, changes = calling(rule, own), rule.changes
    ends = name == "finish"
    anywhere, given = rule.asked_at == "any", "moves" in rule.kinds
    lists = given and rule.returns == "integer"

    @kernel
    def ask(m, s, seat, n):
        if anywhere or seat >= 0:
            m.asked[0] = number
            if changes:
                call(m.states[2], m, n)
                if ends and turn(m.states[2]) != TERMINAL:
                    raise Breach("asked: it leaves a record at which the game is not over")
                m.states[2] = m.states[1]
            else:
                found = call(s, m, n)
                unchanged(m.words)
            if lists:
                if found > 0 and not legal(s, m.scores, m.out[draw(m.random, found)]):
                    raise Breach("asked: it gives a move that is not among those of moves")
                moves(s, m.out)
            elif given and not legal(s, m.scores, m.out[draw(m.random, n)]):
                raise Breach("asked: it writes into the list of moves")
        following(m, s, seat, n)

    return ask


@kernel
def ask_numbers(m, s, seat):
    """Call the rules that tables call, at the record `s`, where `seat` is to move."""
    m.asked[0] = RANK
    number = rank(s)
    unchanged(m.words)
    m.asked[0] = UNRANK
    again = m.states[2]
    m.states[2] = m.states[0]
    found = unrank(again, number)
    if found < 0 or rank(again) != number:
        raise Breach("unrank: it does not make a position with the number that rank gives")
    if found != turn(again):
        raise Breach("unrank: it returns another seat than the one that turn says moves")
    m.states[2] = s


@kernel
def legal(s, out, code):
    """Return True if a code is among the moves of `s`, which are written into `out`."""
    return times(out[: moves(s, out)], code) > 0


@kernel
def rehearse(m, most, turns):
    """Play random games from states[0] for `most` plies together, or `turns` turns of loops.

    Returns the number of plies.
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
