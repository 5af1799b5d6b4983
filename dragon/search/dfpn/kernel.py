"""Df-pn with an explicit stack instead of recursion, in numbered steps.

Each ply has a FRAME; `resume` goes from one to another by modes, and where it pauses it goes on
at the next call, so that the caller can watch the clock and be closed::

    START --> ENTER -------> SCAN ----> LOOK ----> CHOOSE -----> ENTER
    the root  a new ply:     step 3     step 4     steps 5, 6    one ply down
              steps 1, 2                             |
                 |                                   | a limit is reached: step 7
                 | the table is enough               v
                 +-------------------------------> LOOK, one ply up; DONE at the root

Each move on the stack has a proof number (row 0: that seat 0's side gets the units asked) and a
disproof number (row 1). At a state of side s, row s has the phis of the paper (their minimum
counts), and row 1 - s the deltas (they are added up). Rows are never exchanged.

The table has buckets of four entries; the entry of least work is replaced. An entry says of
a position what its mover can still get, whichever side asks: *at least*, or *at most* so many
units, or, while a question is open, how far it is from a proof and from a disproof. Its memory is
that of `dragon.search.table`.

Short names: m the Memory, s a state, `words` the same as uint64, f the FRAME of ply d, `on` the
settings, `run` the budget and `found` the results, all of `driver`.

The kernel stays apart from `driver`, so that it can be read beside the paper's steps.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any

import numpy as np

from dragon.bits import mix, u64
from dragon.core import CHANCE, TERMINAL
from dragon.rules.layout import hash_words
from dragon.rules.rules import rule
from dragon.rules.template import (
    HAS_BANKED,
    HAS_BOUNDS,
    HAS_KEY,
    HAS_ORDER,
    HAS_SOLVED,
    TEAM,
    WIDTH,
    banked,
    bounds,
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
from dragon.search.driver import CHANCE_MET, DONE, GROW, PAUSED, ROOM
from dragon.search.move_ordering import ORDER_SHIFT, credit, slot, sort
from dragon.search.table import ENTRY, LOWER, UPPER, age_of, bound_of, marked

PROOF_ENTRY = np.dtype(
    [
        ("key", "u8"),  # mixed
        ("phi", "u4"),  # to prove that the mover gets `asked`
        ("delta", "u4"),  # to prove that it does not
        ("asked", "i4"),  # units from here on; of a LOWER or UPPER entry the bound itself
        ("work", "u2"),  # nodes visited below, as far as it counts
        ("mark", "u2"),  # bound and age, where the entries of other searches have theirs
    ]
)
"""The size of an ENTRY, with `mark` in the same place, so that memory is lent to both."""
assert PROOF_ENTRY.itemsize == ENTRY.itemsize
assert PROOF_ENTRY.fields["mark"] == ENTRY.fields["mark"]  # type: ignore[index]

PROOF_RECORD = np.dtype((np.record, PROOF_ENTRY))
"""Such an entry as a numpy record type, whose fields are attributes in plain Python."""

OPEN = 0
"""The bound of an entry whose question is still open."""
NEVER = (1 << 32) - 1
"""An infinite proof number: the contrary is proven."""
BUCKET = 4
PROOF_LOAD = 8
"""The nodes visited for each entry of a table before it grows. Few of the children that are looked
at are searched, and only these have entries. With 16, proofs are as quick, but visit more nodes."""
MOST_WORK = (1 << 16) - 1


@rule
def bucket_of(table: Any, key: Any) -> Any:
    """Return the index of the first entry of a mixed key's bucket."""
    return np.int64(key & u64(len(table) - 1)) & ~(BUCKET - 1)


@rule
def consult(table: Any, age: int, key: Any, asked: int) -> int:
    """Return the index of an entry for a mixed `key` that answers the question or has its numbers,
    else -1.

    The question is whether the mover gets `asked` units from here on.
    """
    start = bucket_of(table, key)
    found = -1
    for i in range(start, start + BUCKET):
        entry = table[i]
        if entry.key == key and age_of(entry) == age:
            if bound_of(entry) == LOWER:
                if entry.asked >= asked:
                    return i
            elif bound_of(entry) == UPPER:
                if entry.asked < asked:
                    return i
            elif entry.asked == asked:
                found = i
    return found


@rule
def record(
    table: Any, age: int, key: Any, asked: int, phi: int, delta: int, worth: int, work: int
) -> None:
    """Keep the numbers of a question; if one is 0, `worth` is the bound that was proven.

    It replaces an entry that it implies, else an empty one, else the one of least work.
    """
    bound = LOWER if phi == 0 else UPPER if delta == 0 else OPEN
    start = bucket_of(table, key)
    place = start
    least: Any = MOST_WORK + 1
    for i in range(start, start + BUCKET):
        entry = table[i]
        if age_of(entry) != age:
            if least >= 0:
                place, least = i, -1
        elif entry.key == key and (
            entry.asked == asked if bound_of(entry) == OPEN else bound_of(entry) == bound
        ):
            place, least = i, -2
        elif entry.work < least:
            place, least = i, np.int64(entry.work)
    entry = table[place]
    entry.key = key
    entry.phi = phi
    entry.delta = delta
    entry.asked = worth if bound != OPEN else asked
    entry.work = min(work, MOST_WORK)
    entry.mark = marked(bound, age)


@kernel
def transfer(old: Any, age: int, table: Any, new_age: int) -> None:
    """Put the entries of an age into an empty table that is larger.

    There is a place for all: entries that share a bucket shared one before.
    """
    for i in range(len(old)):
        entry = old[i]
        if age_of(entry) == age:
            at = bucket_of(table, entry.key)
            while age_of(table[at]) == new_age:
                at += 1
            table[at] = entry
            table[at].mark = marked(bound_of(entry), new_age)


START, ENTER, SCAN, LOOK, CHOOSE = 0, 1, 2, 3, 4


@kernel
def keyed(s, words):
    """Return the mixed key of a state, 0 if it is not kept in the table."""
    return mix(u64(key(s))) if HAS_KEY else mix(hash_words(words))


@kernel
def rest(m, s, sign):
    """Return the question from the mover's side, less the units that are banked already."""
    left = m.runs[0].asked_seat0
    if HAS_BANKED:
        left -= banked(s)
    return sign * left + (sign < 0)


@kernel
def answered(m, worth_seat0):
    """Set the numbers of a state whose value is known: equal to, at least or at most this."""
    found, proven = m.results[0], worth_seat0 >= m.runs[0].asked_seat0
    found.worth_seat0 = worth_seat0
    found.proof, found.disproof = (0, NEVER) if proven else (NEVER, 0)


@kernel
def numbers(m, s, entry, sign):
    """Set the numbers of a table's entry, for seat 0's side."""
    found = m.results[0]
    if bound_of(entry) != OPEN:
        found.hits += 1
        answered(m, sign * np.int64(entry.asked) + (banked(s) if HAS_BANKED else 0))
    elif sign > 0:
        found.proof, found.disproof = np.int64(entry.phi), np.int64(entry.delta)
    else:
        found.proof, found.disproof = np.int64(entry.delta), np.int64(entry.phi)


@kernel
def look(m, s, words, seat):
    """Set the numbers of a state as far as they are known without searching it."""
    on, run, found = m.settings[0], m.runs[0], m.results[0]
    if seat == TERMINAL:
        answered(m, payoff(s, 0))
        return
    if HAS_BOUNDS and on.bounds:
        low, high = bounds(s)
        if low >= run.asked_seat0 or high < run.asked_seat0:
            answered(m, low if low >= run.asked_seat0 else high)
            return
    if HAS_SOLVED and on.solved:
        units, plies = solved(s, m.tablebase)
        if plies >= 0:
            answered(m, units)
            return
    found.proof, found.disproof = 1, 1
    mixed = keyed(s, words)
    if mixed:
        sign = 1 if TEAM[seat] == TEAM[0] else -1
        at = consult(m.table, run.age, mixed, rest(m, s, sign))
        if at >= 0:
            numbers(m, s, m.table[at], sign)


@kernel
def list_moves(m, s, f):
    """List the moves of frame f, the most promising first."""
    on, base = m.settings[0], f.base
    n = moves(s, m.codes[base:])
    if on.reduce:
        n = reduce(s, m.codes[base:], n)
    ordered = HAS_ORDER and on.order
    if n > 1 and (ordered or on.history):
        scores = m.numbers[0, base:]  # neither m.numbers nor m.worths_seat0 are in use yet
        scores[:n] = 0
        if ordered:
            order(s, m.codes[base : base + n], n, scores[:n])
            for i in range(n):
                scores[i] <<= ORDER_SHIFT
        if on.history:
            row = 0 if f.sign > 0 else 1
            for i in range(n):
                scores[i] += m.history[row, slot(m.codes[base + i])]
        sort(m.codes[base:], m.worths_seat0[base:], scores, n)
    f.n = n
    f.seen = f.open = 0
    f.focus = max(2, np.int64(on.focus * n))
    f.scanned = 0 if on.ends and f.work == 0 and n > f.focus else n


@kernel
def enter(m, s, words, f, d):
    """Take steps 1 and 2; return True if the table's numbers reach a limit."""
    run, found = m.runs[0], m.results[0]
    # 1. Ask the table once more.
    f.sign = 1 if TEAM[f.seat] == TEAM[0] else -1
    f.asked = rest(m, s, f.sign)
    f.key = keyed(s, words)
    f.work = 0
    f.began = run.nodes
    if f.key and d > 0:
        at = consult(m.table, run.age, f.key, f.asked)
        if at >= 0:
            entry = m.table[at]
            numbers(m, s, entry, f.sign)
            if found.proof >= f.proof_limit or found.disproof >= f.disproof_limit:
                return True
            f.work = np.int64(entry.work)
    # 2. The moves, the most promising first.
    list_moves(m, s, f)
    return False


@kernel
def scan(m, d, f):
    """Look for a move that ends the game as the mover wants; goes on where it paused.

    Returns PAUSED, CHANCE_MET or DONE.
    """
    run, found = m.runs[0], m.results[0]
    # 3. At a first visit, a move that ends the game as the mover wants.
    row = 0 if f.sign > 0 else 1
    while f.scanned < f.n:
        if run.nodes >= run.stop:
            return PAUSED
        run.nodes += 1
        i = f.base + f.scanned
        m.states[d + 1] = m.states[d]
        play(m.states[d + 1], m.codes[i])
        seat = turn(m.states[d + 1])
        if seat == CHANCE:
            return CHANCE_MET
        f.scanned += 1
        if seat == TERMINAL:
            answered(m, payoff(m.states[d + 1], 0))
            if (found.disproof if row else found.proof) == 0:
                m.codes[f.base], m.codes[i] = m.codes[i], m.codes[f.base]
                m.numbers[0, f.base], m.numbers[1, f.base] = found.proof, found.disproof
                m.worths_seat0[f.base] = found.worth_seat0
                f.seen = 1
                f.scanned = f.n
    return DONE


@kernel
def choose(m, f):
    """Add up the children of frame f in the results, and choose one.

    Returns its index and the thresholds of its visit.
    """
    on, found = m.settings[0], m.results[0]
    mine = 0 if f.sign > 0 else 1
    end = f.base + f.seen
    phis, deltas = m.numbers[mine, f.base : end], m.numbers[1 - mine, f.base : end]
    best, phi, second = 0, NEVER, NEVER
    total = most = count = 0
    for i in range(f.seen):
        if phis[i] < phi:
            best, second, phi = i, phi, phis[i]
        elif phis[i] < second:
            second = phis[i]
        total += deltas[i]
        if deltas[i] > most:
            most = deltas[i]
        count += deltas[i] > 0
    if on.weak and count:
        total = most + count - 1
    delta = NEVER if most == NEVER else min(total, NEVER - 1)
    phi_limit, delta_limit = f.proof_limit, f.disproof_limit
    found.proof, found.disproof = phi, delta
    if mine:
        phi_limit, delta_limit = delta_limit, phi_limit
        found.proof, found.disproof = delta, phi
    if second < NEVER:  # the 1 + epsilon trick
        longer = np.int64(on.epsilon * second)
        phi_limit = min(phi_limit, second + (longer if longer > 1 else 1))
    if delta_limit < NEVER:  # the threshold less the others' numbers
        delta_limit -= count - 1 if on.weak else total - deltas[best]
    if mine:
        return best, delta_limit, phi_limit
    return best, phi_limit, delta_limit


@kernel
def close(m, s, f):
    """Keep the numbers of frame f, which are in the results, in the table."""
    run, found = m.runs[0], m.results[0]
    # 7. Keep what was found.
    mine = 0 if f.sign > 0 else 1
    phi, delta = (found.disproof, found.proof) if mine else (found.proof, found.disproof)
    if phi == 0 or delta == 0:
        phis = m.numbers[mine, f.base : f.base + f.seen]
        best = -(1 << 62)
        for i in range(f.seen):
            if phi > 0 or phis[i] == 0:
                best = max(best, f.sign * m.worths_seat0[f.base + i])
                if m.settings[0].history and phi == 0:
                    credit(m.history, mine, m.codes[f.base + i], 1)
        found.worth_seat0 = f.sign * best
    if f.key:
        secured = banked(s) if HAS_BANKED else 0
        work = min(MOST_WORK, f.work + run.nodes - f.began)
        worth = f.sign * (found.worth_seat0 - secured)
        record(m.table, run.age, f.key, f.asked, phi, delta, worth, work)


@kernel
def resume(m):
    """Go on until DONE, PAUSED, GROW where the stack of moves is too short, or CHANCE_MET."""
    run, found = m.runs[0], m.results[0]
    d = run.ply
    mode = run.mode
    while True:
        f = m.frames[d]
        if mode == SCAN:
            status = scan(m, d, f)
            if status != DONE:
                run.ply, run.mode = d, mode
                return status
            mode = CHOOSE if f.seen else LOOK
        if mode == LOOK:
            # 4. Look at children, until one is proven or enough are open.
            row = 0 if f.sign > 0 else 1
            while f.seen < f.n and f.open < f.focus:
                if run.nodes >= run.stop:
                    run.ply, run.mode = d, mode
                    return PAUSED
                run.nodes += 1
                i = f.base + f.seen
                m.states[d + 1] = m.states[d]
                play(m.states[d + 1], m.codes[i])
                seat = turn(m.states[d + 1])
                if seat == CHANCE:
                    run.ply = d
                    return CHANCE_MET
                look(m, m.states[d + 1], m.words[d + 1], seat)
                m.numbers[0, i], m.numbers[1, i] = found.proof, found.disproof
                m.worths_seat0[i] = found.worth_seat0
                f.seen += 1
                if m.numbers[row, i] == 0:
                    break
                f.open += m.numbers[row, i] < NEVER
            mode = CHOOSE
        if mode == CHOOSE:
            # 5. Add up; choose the child that is nearest to a proof, and its limits.
            at, proof_limit, disproof_limit = choose(m, f)
            f.at = at
            if found.proof < f.proof_limit and found.disproof < f.disproof_limit:
                # 6. Go into it, and learn what came of it.
                m.states[d + 1] = m.states[d]
                play(m.states[d + 1], m.codes[f.base + at])
                child = m.frames[d + 1]
                child.proof_limit, child.disproof_limit = proof_limit, disproof_limit
                child.base = f.base + f.n
                child.seat = turn(m.states[d + 1])
                d += 1
                mode = ENTER
                continue
            close(m, m.states[d], f)
            if d == 0:
                return DONE
        else:  # START or ENTER
            if mode == START:
                if run.nodes >= run.stop:
                    return PAUSED
                run.nodes += 1
                f.seat = turn(m.states[0])
                mode = ENTER
            if f.base + ROOM * WIDTH > len(m.codes):
                run.ply, run.mode = d, ENTER
                return GROW
            if not enter(m, m.states[d], m.words[d], f, d):
                mode = SCAN
                continue
        d -= 1  # back with what was found
        f = m.frames[d]
        i = f.base + f.at
        m.numbers[0, i], m.numbers[1, i] = found.proof, found.disproof
        m.worths_seat0[i] = found.worth_seat0
        f.open -= m.numbers[0 if f.sign > 0 else 1, i] == NEVER
        mode = LOOK
