"""The census of a small game by Rules: every state that play can reach, and the value of each.

Its kernels are run as checked code. Forwards, breadth-first from the first records: all rules are
called at each state, as in `dragon.rules.kernels.rehearsal`. Backwards, from the moves, odds and
payoffs alone: the optional rules are not used, so that their claims can be compared with the
values.

The module stays apart from `dragon.laws.whole`: it runs kernels, and knows no law.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from dragon.bits import u64
from dragon.compiler.location import turns_taken
from dragon.core import CHANCE, TERMINAL
from dragon.errors import RuleError
from dragon.rules.kernels.rehearsal import (
    EVALUATE,
    MOVES,
    ODDS,
    ORDER,
    PAYOFF,
    PLAY,
    REDUCE,
    TURN,
    ask,
    times,
    unchanged,
)
from dragon.rules.layout import hash_words
from dragon.rules.rehearsal import TURNS, Mishap, Stage
from dragon.rules.rule_errors import read_rules
from dragon.rules.rules import Rules
from dragon.rules.template import (
    HAS_BANKED,
    HAS_BOUNDS,
    HAS_EVALUATE,
    HAS_KEY,
    HAS_ODDS,
    HAS_ORDER,
    HAS_PLACE,
    HAS_REDUCE,
    HAS_SOLVED,
    LARGEST,
    SEATS,
    TEAM,
    banked,
    bounds,
    evaluate,
    kernel,
    key,
    moves,
    odds,
    order,
    payoff,
    place,
    play,
    reduce,
    solved,
    turn,
)

DONE, PAUSED, FULL = 0, 1, 2
"""All states have been visited; there are more to visit; there is no room for more."""
COUNT, AT, EDGES, CHILD = 0, 1, 2, 3
"""Indices of `Census.run`: the number of states found, of states visited, of moves found, and the
move that is being played."""
STATE = np.dtype(
    [
        ("first", "i8"),  # its moves lie there in `edges`
        ("moves", "i8"),
        ("parent", "i8"),  # the state from which it was found first, -1 for a first record
        ("seat", "i8"),
        ("worth", "f8"),  # units for seat 0 when all play best
        ("known", "i8"),  # whether it is known
        ("key", "u8"),
        ("place", "u8"),
        ("banked", "i8"),
        ("least", "i8"),  # of `bounds`
        ("most", "i8"),
        ("solved", "i8"),  # the units that `solved` gives
        ("plies", "i8"),  # and the plies
        ("guess", "f8"),  # by `evaluate`, for seat 0
    ]
)
EDGE = np.dtype(
    [
        ("code", "i8"),
        ("to", "i8"),  # the state that it leads to
        ("odds", "f8"),
        ("score", "i8"),  # by `order`
        ("kept", "i8"),  # whether `reduce` leaves it
    ]
)


class Census(NamedTuple):
    """The arrays beside those of a rehearsal, with room for c states and e moves."""

    states: Any
    """records[c + 1]: the last one found is followed by the one that may be new."""
    words: Any
    """uint64[c + 1, any]: the same memory."""
    facts: Any
    """STATE[c]."""
    edges: Any
    """EDGE[e]."""
    slots: Any
    """int64[2**k]: 1 + the number of a state, 0 in an empty slot."""
    run: Any
    """int64[4]."""


@kernel
def enter(c, parent):
    """Return the number of the state in the record after the last one; a new state is entered."""
    new = c.run[COUNT]
    last = len(c.slots) - 1
    slot = np.int64(hash_words(c.words[new]) & u64(last))
    while c.slots[slot]:
        other = c.slots[slot] - 1
        equal = True
        for i in range(c.words.shape[1]):
            if c.words[new, i] != c.words[other, i]:
                equal = False
        if equal:
            return other
        slot = (slot + 1) & last
    c.slots[slot] = new + 1
    c.facts[new].parent = parent
    c.run[COUNT] = new + 1
    return new


@kernel
def note_claims(m, s, fact):
    """Record the answers of the optional rules about a state."""
    if HAS_KEY:
        fact.key = key(s)
    if HAS_PLACE:
        fact.place = place(s)
    if HAS_BANKED:
        fact.banked = banked(s)
    fact.least, fact.most = -LARGEST, LARGEST
    if HAS_BOUNDS:
        fact.least, fact.most = bounds(s)
    fact.plies = -1
    if HAS_SOLVED and fact.seat >= 0:
        fact.solved, fact.plies = solved(s, m.tablebase)
    if HAS_EVALUATE:
        m.asked[0] = EVALUATE
        fact.guess = evaluate(s, 0)


@kernel
def note_moves(m, c, s, fact, n):
    """Record the answers of the optional rules about the n moves in `out`."""
    first = fact.first
    for i in range(n):
        edge = c.edges[first + i]
        edge.code, edge.odds, edge.score, edge.kept = m.out[i], 1.0 / n, 0, 1
    if HAS_ODDS and fact.seat == CHANCE:
        m.asked[0] = ODDS
        m.weights[:n] = 1.0 / n
        odds(s, m.weights[:n])
        unchanged(m.words)
        for i in range(n):
            c.edges[first + i].odds = m.weights[i]
    if HAS_ORDER and fact.seat >= 0:
        m.asked[0] = ORDER
        order(s, m.out, n, m.scores)
        for i in range(n):
            c.edges[first + i].score = m.scores[i]
    if HAS_REDUCE and fact.seat >= 0:
        m.asked[0] = REDUCE
        left = reduce(s, m.out, n)
        for i in range(n):
            c.edges[first + i].kept = times(m.out[:left], c.edges[first + i].code)


@kernel
def visit(m, c, at):
    """Ask all rules at a state, and enter the states that its moves lead to."""
    fact, s = c.facts[at], m.states[1]
    m.states[1] = c.states[at]
    m.states[2] = c.states[at]
    c.run[CHILD] = -1
    m.asked[0] = TURN
    fact.seat = turn(s)
    unchanged(m.words)
    fact.first, fact.moves = c.run[EDGES], 0
    if fact.seat == TERMINAL:
        m.asked[0] = PAYOFF
        for seat in range(SEATS):
            payoff(s, seat)
        unchanged(m.words)
        fact.worth, fact.known = payoff(s, 0), 1
        return True
    ask(m, s, fact.seat)
    note_claims(m, s, fact)
    m.asked[0] = MOVES
    n = moves(s, m.out)
    if fact.first + n > len(c.edges) or c.run[COUNT] + n > len(c.facts):
        return False
    c.run[EDGES] += n
    fact.moves = n
    note_moves(m, c, s, fact, n)
    for i in range(n):
        edge = c.edges[fact.first + i]
        new = c.run[COUNT]
        c.states[new] = c.states[at]
        m.asked[0] = PLAY
        c.run[CHILD] = edge.code
        play(c.states[new], edge.code)
        edge.to = enter(c, at)
    return True


@kernel
def explore(m, c, count, turns):
    """Visit `count` more states, or as many as take `turns` turns of loops and calls."""
    stop = c.run[AT] + count
    while c.run[AT] < c.run[COUNT]:
        if c.run[AT] >= stop or turns_taken() >= turns:
            return PAUSED
        if not visit(m, c, c.run[AT]):
            return FULL
        c.run[AT] += 1
    return DONE


@kernel
def worth_of(c, fact):
    """Return the value in units of seat 0 of a state whose successors all have known values."""
    total = 0.0
    best = 0.0
    sign = 1.0 if fact.seat < 0 or TEAM[fact.seat] == TEAM[0] else -1.0
    for i in range(fact.first, fact.first + fact.moves):
        worth = c.facts[c.edges[i].to].worth
        total += c.edges[i].odds * worth
        if i == fact.first or sign * worth > sign * best:
            best = worth
    return total if fact.seat == CHANCE else best


@kernel
def look_back(c):
    """Find the values of states from the last to the first, and return how many were found."""
    found = 0
    for at in range(c.run[AT] - 1, -1, -1):
        fact = c.facts[at]
        if fact.known == 0 and fact.moves > 0:
            known = 1
            for i in range(fact.first, fact.first + fact.moves):
                if c.facts[c.edges[i].to].known == 0:
                    known = 0
            if known:
                fact.worth, fact.known = worth_of(c, fact), 1
                found += 1
    return found


MOST = 250_000
"""The most states that are visited."""
MOST_MOVES = 4_000_000
"""The most moves of all states together."""
MEGABYTES = 200
"""The most memory that their records may take."""
SLICE = 1000
"""States between two looks at the clock."""


@frozen(eq=False)
class Survey:
    """The states that were visited, in the order in which they were found."""

    whole: bool
    """True if these are all that play can reach from the first records."""
    count: int
    """The number of states that were visited."""
    states: Any
    """records[count or more]."""
    facts: Any
    """STATE[count or more]: the values of the rules at each, and its value."""
    edges: Any
    """EDGE[any]: their moves."""
    mishap: Mishap | None = None
    """The mishap at the first state where a rule broke its contract."""


def survey(
    rules: Rules, firsts: Sequence[bytes], seconds: float, most: int = MOST
) -> Survey | None:
    """Visit every state that the first records can lead to, in checked code.

    It gives up where there are more than `most`, or after `seconds` of processor time (on a busy
    machine, after twice as many by the clock). Returns None for rules that only numba can compile;
    raises RuleError for rules that cannot be compiled.
    """
    if not read_rules(rules, strict=True):
        return None
    stage = _Surveyor(rules, firsts, most)
    try:
        status = stage.explore(seconds)
    except RuleError as error:
        return stage.found(False, stage.mishap(error))
    if status == DONE:
        stage.look_back()
    return stage.found(status == DONE)


class _Surveyor(Stage):
    """The kernels and their memory."""

    template = "dragon.rules.census"

    def __init__(self, rules: Rules, firsts: Sequence[bytes], most: int) -> None:
        super().__init__(rules, firsts[0], 0, True)
        firsts = list(dict.fromkeys(firsts))
        most = max(len(firsts), min(most, MEGABYTES * 1_000_000 // rules.layout.itemsize))
        states = np.zeros(most + 1, rules.layout)
        self._c = Census(
            states,
            words=states.view(np.uint64).reshape(most + 1, -1),
            facts=np.zeros(most, STATE),
            edges=np.zeros(max(MOST_MOVES, rules.width), EDGE),
            slots=np.zeros(1 << (2 * most).bit_length(), np.int64),
            run=np.zeros(4, np.int64),
        )
        for first in firsts:
            states[self._count] = np.frombuffer(first, rules.layout)[0]
            self._kernel.enter(self._c, -1)

    @property
    def _count(self) -> int:
        return int(self._c.run[COUNT])

    @property
    def path(self) -> list[int]:
        """The codes of the moves to the state that is being visited, and of the move being
        played."""
        at, codes = int(self._c.run[AT]), list[int]()
        if (playing := int(self._c.run[CHILD])) >= 0:
            codes.append(playing)
        while (parent := int(self._c.facts[at]["parent"])) >= 0:
            first, n = (int(self._c.facts[parent][name]) for name in ("first", "moves"))
            moves = self._c.edges[first : first + n]
            codes.append(int(moves["code"][(moves["to"] == at).argmax()]))
            at = parent
        self.first = self._c.states[at].tobytes()
        return codes[::-1]

    def explore(self, seconds: float) -> int:
        """Visit states until all have been (DONE), there are too many (FULL), or time is up."""
        begun, ends = time.perf_counter(), time.process_time() + seconds
        while True:
            status = self.asked(self._kernel.explore, self._m, self._c, SLICE, SLICE * TURNS)
            late = time.process_time() > ends or time.perf_counter() > begun + 2 * seconds
            if late or status in (DONE, FULL):
                return status

    def look_back(self) -> None:
        """Find the value of each state, unless it leads back to itself."""
        while self._kernel.look_back(self._c):
            pass

    def found(self, whole: bool, mishap: Mishap | None = None) -> Survey:
        return Survey(whole, int(self._c.run[AT]), self._c.states, self._c.facts, self._c.edges,
                      mishap)  # fmt: skip
