"""Df-pn with an explicit stack: `dfpn_plain.PlainDriver.visit`, compiled.

A ply is a FRAME; the search enters a state, looks at each of its children once, then goes
again and again into the one that is nearest to a proof, and learns what came of it.
It stops when the nodes of its slice are used up and goes on where it was at the next
call, so that the caller can watch the clock and be closed.

Each move on the stack has two numbers, row 0 towards a proof that seat 0's side gets what is
asked, row 1 towards a disproof. At a state of side s it takes the least of row s, since one
move is enough, and all of row 1 - s. No sign is ever turned.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from typing import Any, NamedTuple

import numpy as np

from dragon.bits import mix, u64
from dragon.search.driver import CHANCE_MET, DONE, GROW, PAUSED
from dragon.search.ordering import ORDER_SHIFT, remember, slot, sort
from dragon.search.proof_table import MOST_WORK, NEVER, OPEN, consult, record
from dragon.table import hash_words
from dragon.template import (
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

CHANCE, TERMINAL = -1, -2
ROOM = 2  # widths of moves that a ply needs on the stack: sorting needs a second one

FRAME = np.dtype(
    [
        ("proof_limit", "i8"),  # go back when the proof number has come to this,
        ("disproof_limit", "i8"),  # or the disproof number to this
        ("key", "u8"),  # mixed
        ("asked", "i8"),  # units that the mover must still get
        ("began", "i8"),  # nodes visited before this visit
        ("work", "i8"),  # nodes that earlier visits took
        ("base", "i8"),  # where the ply's moves begin on the stack
        ("n", "i8"),
        ("seen", "i8"),  # how many of them have been looked at,
        ("live", "i8"),  # and how many of those are open
        ("focus", "i8"),  # so many should be
        ("scanned", "i8"),  # how many have been asked whether they end the game
        ("at", "i8"),  # the move that is gone into
        ("sign", "i8"),
        ("seat", "i8"),  # to move
    ],
    align=True,
)
RUN = np.dtype(
    [
        ("mode", "i8"),
        ("ply", "i8"),
        ("asked", "i8"),  # whether seat 0's side gets so many units is the question
        ("proof", "i8"),  # numbers of the state just left, or looked at
        ("disproof", "i8"),
        ("worth", "i8"),  # where one of them is 0: the units of seat 0 that it proves
        ("nodes", "i8"),
        ("stop", "i8"),  # pause when this many nodes have been visited
        ("hits", "i8"),
        ("age", "i8"),  # of the table's entries that count
        ("epsilon", "f8"),
        ("focus", "f8"),
        ("order", "i1"),
        ("history", "i1"),
        ("reduce", "i1"),
        ("bounds", "i1"),
        ("weak", "i1"),
        ("ends", "i1"),
        ("solved", "i1"),
    ],
    align=True,
)
START, ENTER, SCAN, LOOK, CHOOSE = 0, 1, 2, 3, 4


class Memory(NamedTuple):
    """What the kernel works on, for p plies and `room` moves on the stack."""

    states: Any  # records[p]
    words: Any  # uint64[p, itemsize / 8], the same memory
    frames: Any  # FRAME[p]
    codes: Any  # int64[room]
    numbers: Any  # int64[2, room]
    worths: Any  # int64[room], units of seat 0 where a number is 0
    table: Any  # PROOF_ENTRY[2**k]
    tablebase: Any  # uint8[any]
    history: Any  # int64[2, HISTORY]
    runs: Any  # RUN[1]


@kernel
def keyed(s, own):
    """The mixed key of a state, whose words are `own`; 0 where it is not kept."""
    return mix(u64(key(s))) if HAS_KEY else mix(hash_words(own))


@kernel
def rest(s, sign, run):
    """The question from the mover's side, of what is not banked yet."""
    if HAS_BANKED:
        return sign * (run.asked - banked(s)) + (sign < 0)
    return sign * run.asked + (sign < 0)


@kernel
def answer(run, worth):
    """The numbers of a state that is known to be worth `worth`, or that at least or at most."""
    run.worth = worth
    run.proof, run.disproof = (0, NEVER) if worth >= run.asked else (NEVER, 0)


@kernel
def known(s, entry, sign, run):
    """The numbers in a table's entry, turned to seat 0's side."""
    if entry.bound != OPEN:
        run.hits += 1
        bank = banked(s) if HAS_BANKED else 0
        answer(run, sign * np.int64(entry.asked) + bank)
    elif sign > 0:
        run.proof, run.disproof = np.int64(entry.phi), np.int64(entry.delta)
    else:
        run.proof, run.disproof = np.int64(entry.delta), np.int64(entry.phi)


@kernel
def look(m, s, own, run, seat):
    """The numbers of a state, as far as they are known without going into it."""
    if seat == TERMINAL:
        answer(run, payoff(s, 0))
        return
    if HAS_BOUNDS and run.bounds:
        low, high = bounds(s)
        if low >= run.asked or high < run.asked:
            answer(run, low if low >= run.asked else high)
            return
    if HAS_SOLVED and run.solved:
        units, plies = solved(s, m.tablebase)
        if plies >= 0:
            answer(run, units)
            return
    run.proof, run.disproof = 1, 1
    mixed = keyed(s, own)
    if mixed:
        sign = 1 if TEAM[seat] == TEAM[0] else -1
        at = consult(m.table, run.age, mixed, rest(s, sign, run))
        if at >= 0:
            known(s, m.table[at], sign, run)


@kernel
def enlist(m, s, f, run):
    """Writes the moves of frame f, the most promising first."""
    base = f.base
    n = moves(s, m.codes[base:])
    if run.reduce:
        n = reduce(s, m.codes[base:], n)
    asked = HAS_ORDER and run.order
    if n > 1 and (asked or run.history):
        scores = m.numbers[0, base:]  # neither m.numbers nor m.worths are in use yet
        scores[:n] = 0
        if asked:
            order(s, m.codes[base : base + n], n, scores[:n])
            for i in range(n):
                scores[i] <<= ORDER_SHIFT
        if run.history:
            row = 0 if f.sign > 0 else 1
            for i in range(n):
                scores[i] += m.history[row, slot(m.codes[base + i])]
        sort(m.codes[base:], m.worths[base:], scores, n)
    f.n = n
    f.seen = f.live = 0
    f.focus = max(2, np.int64(run.focus * n))
    f.scanned = 0 if run.ends and f.work == 0 and n > f.focus else n


@kernel
def enter(m, s, own, f, d, run):
    """Asks the table once more, and lists the moves; True if the table's numbers are enough."""
    f.sign = 1 if TEAM[f.seat] == TEAM[0] else -1
    f.asked = rest(s, f.sign, run)
    f.key = keyed(s, own)
    f.work = 0
    f.began = run.nodes
    if f.key and d > 0:
        at = consult(m.table, run.age, f.key, f.asked)
        if at >= 0:
            entry = m.table[at]
            known(s, entry, f.sign, run)
            if run.proof >= f.proof_limit or run.disproof >= f.disproof_limit:
                return True
            f.work = np.int64(entry.work)
    enlist(m, s, f, run)
    return False


@kernel
def scan(m, d, f, run):
    """Puts a move first, and looks at it, that ends the game as the mover wants, if any does.

    Goes on where it was; PAUSED, CHANCE_MET, or DONE.
    """
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
            answer(run, payoff(m.states[d + 1], 0))
            if (run.disproof if row else run.proof) == 0:
                m.codes[f.base], m.codes[i] = m.codes[i], m.codes[f.base]
                m.numbers[0, f.base], m.numbers[1, f.base] = run.proof, run.disproof
                m.worths[f.base] = run.worth
                f.seen = 1
                f.scanned = f.n
    return DONE


@kernel
def choose(m, f, run):
    """Adds up the children of frame f in run.proof and run.disproof, and chooses one.

    Returns its index and the limits that a visit to it has.
    """
    mine = 0 if f.sign > 0 else 1
    end = f.base + f.seen
    own, others = m.numbers[mine, f.base : end], m.numbers[1 - mine, f.base : end]
    best, least, second = 0, NEVER, NEVER
    total = most = count = 0
    for i in range(f.seen):
        if own[i] < least:
            best, second, least = i, least, own[i]
        elif own[i] < second:
            second = own[i]
        total += others[i]
        if others[i] > most:
            most = others[i]
        count += others[i] > 0
    if run.weak and count:
        total = most + count - 1
    against = NEVER if most == NEVER else min(total, NEVER - 1)
    mine_limit, other_limit = f.proof_limit, f.disproof_limit
    run.proof, run.disproof = least, against
    if mine:
        mine_limit, other_limit = other_limit, mine_limit
        run.proof, run.disproof = against, least
    if second < NEVER:
        longer = np.int64(run.epsilon * second)
        mine_limit = min(mine_limit, second + (longer if longer > 1 else 1))
    if other_limit < NEVER:
        other_limit -= count - 1 if run.weak else total - others[best]
    if mine:
        return best, other_limit, mine_limit
    return best, mine_limit, other_limit


@kernel
def close(m, s, f, run):
    """Keeps the numbers of frame f, which run has."""
    mine = 0 if f.sign > 0 else 1
    phi, delta = (run.disproof, run.proof) if mine else (run.proof, run.disproof)
    if phi == 0 or delta == 0:
        own = m.numbers[mine, f.base : f.base + f.seen]
        best = -(1 << 62)
        for i in range(f.seen):
            if phi > 0 or own[i] == 0:
                best = max(best, f.sign * m.worths[f.base + i])
                if run.history and phi == 0:
                    remember(m.history, mine, m.codes[f.base + i])
        run.worth = f.sign * best
    if f.key:
        bank = banked(s) if HAS_BANKED else 0
        work = min(MOST_WORK, f.work + run.nodes - f.began)
        record(m.table, run.age, f.key, f.asked, phi, delta, f.sign * (run.worth - bank), work)


@kernel
def resume(m):
    """Goes on until DONE, PAUSED, GROW where the stack of moves is too short, or CHANCE_MET."""
    run = m.runs[0]
    d = run.ply
    mode = run.mode
    while True:
        f = m.frames[d]
        if mode == SCAN:
            status = scan(m, d, f, run)
            if status != DONE:
                run.ply, run.mode = d, mode
                return status
            mode = CHOOSE if f.seen else LOOK
        if mode == LOOK:  # at the children of frame d, one after another
            row = 0 if f.sign > 0 else 1
            while f.seen < f.n and f.live < f.focus:
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
                look(m, m.states[d + 1], m.words[d + 1], run, seat)
                m.numbers[0, i], m.numbers[1, i], m.worths[i] = run.proof, run.disproof, run.worth
                f.seen += 1
                if m.numbers[row, i] == 0:
                    break
                f.live += m.numbers[row, i] < NEVER
            mode = CHOOSE
        if mode == CHOOSE:
            at, proof_limit, disproof_limit = choose(m, f, run)
            f.at = at
            if run.proof < f.proof_limit and run.disproof < f.disproof_limit:
                m.states[d + 1] = m.states[d]
                play(m.states[d + 1], m.codes[f.base + at])
                child = m.frames[d + 1]
                child.proof_limit, child.disproof_limit = proof_limit, disproof_limit
                child.base = f.base + f.n
                child.seat = turn(m.states[d + 1])
                d += 1
                mode = ENTER
                continue
            close(m, m.states[d], f, run)
            if d == 0:
                run.ply, run.mode = 0, CHOOSE
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
            if not enter(m, m.states[d], m.words[d], f, d, run):
                mode = SCAN
                continue
        d -= 1  # back with what was found
        f = m.frames[d]
        i = f.base + f.at
        m.numbers[0, i], m.numbers[1, i], m.worths[i] = run.proof, run.disproof, run.worth
        f.live -= m.numbers[0 if f.sign > 0 else 1, i] == NEVER
        mode = LOOK
