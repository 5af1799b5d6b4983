"""Alpha-beta with an explicit stack: `alphabeta_plain.PlainDriver.visit`, compiled.

A ply is a FRAME; the search enters a state, tries its next move, arrives at the child,
and learns its value.
It stops when the nodes of its slice are used up and goes on where it was at the next
call, so that the caller can watch the clock, give results, and be closed.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from typing import Any, NamedTuple

import numpy as np

from dragon.bits import draw, mix, u64
from dragon.search.driver import CHANCE_MET, DONE, GROW, PAUSED
from dragon.search.fading import STEPS, fade, faded, most_faded, stretch_high, stretch_low
from dragon.search.ordering import (
    FIRST,
    KILLER,
    MANY,
    ORDER_SHIFT,
    SECOND_KILLER,
    pick,
    reward,
    slot,
    sort,
)
from dragon.table import EXACT, EXHAUSTED, LOWER, UPPER, hash_words, probe, store
from dragon.template import (
    HAS_BANKED,
    HAS_BOUNDS,
    HAS_EVALUATE,
    HAS_KEY,
    HAS_ORDER,
    HAS_SOLVED,
    LARGEST,
    PLIES,
    TEAM,
    WIDTH,
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

CHANCE, TERMINAL = -1, -2
FAR = 1 << 62
ROOM = 2  # widths of moves that a ply needs on the stack: sorting needs a second one

FRAME = np.dtype(
    [
        ("alpha", "i8"),  # the window from the mover's side; alpha rises
        ("beta", "i8"),
        ("first_alpha", "i8"),  # as it was on entry
        ("best", "i8"),
        ("most", "i8"),  # no value exceeds it
        ("bank", "i8"),  # secured steps, from the mover's side
        ("key", "u8"),  # mixed
        ("base", "i8"),  # where the ply's moves begin on the stack
        ("n", "i8"),
        ("at", "i8"),  # the next move to try
        ("best_index", "i8"),
        ("depth", "i8"),
        ("low", "i8"),  # the window from seat 0's side, set by the parent
        ("high", "i8"),
        ("sign", "i8"),
        ("seat", "i8"),  # to move
        ("open", "i1"),
        ("narrow", "i1"),  # whether the move being tried has a zero window
        ("sorted", "i1"),
    ],
    align=True,
)
RUN = np.dtype(
    [
        ("mode", "i8"),
        ("ply", "i8"),
        ("value", "i8"),  # of the state just left, from seat 0's side
        ("open", "i8"),
        ("nodes", "i8"),
        ("stop", "i8"),  # pause when this many nodes have been visited,
        ("listed", "i8"),  # or this many moves listed: a list may be long
        ("pause", "i8"),
        ("hits", "i8"),
        ("seed", "u8"),
        ("lead", "i8"),  # index of the root's best move in the last iteration, or -1
        ("age", "i8"),  # of the table's entries that count
        ("table", "i1"),
        ("pvs", "i1"),
        ("killers", "i1"),
        ("history", "i1"),
        ("order", "i1"),
        ("sooner", "i1"),
        ("shuffle", "i1"),
        ("reduce", "i1"),
        ("bounds", "i1"),
        ("solved", "i1"),
    ],
    align=True,
)
START, ENTER, NEXT, ARRIVE, LEARN = 0, 1, 2, 3, 4


class Memory(NamedTuple):
    """What the kernel works on, for p plies and `room` moves on the stack."""

    states: Any  # records[p]
    words: Any  # uint64[p, itemsize / 8], the same memory
    frames: Any  # FRAME[p]
    codes: Any  # int64[room]
    scores: Any  # int64[room]
    places: Any  # int64[room], where the moves were in the game's list
    killers: Any  # int64[p, 2]
    history: Any  # int64[2, HISTORY]
    table: Any  # ENTRY[2**k]
    lines: Any  # int64[p, p], the line from each ply
    lengths: Any  # int64[p]
    random: Any  # uint64[1], scratch
    tablebase: Any  # uint8[any]
    runs: Any  # RUN[1]


@kernel
def rank(m, s, f, d, run, hint):
    """Scores the moves of frame f, most promising highest; sorts if there are many."""
    base, n = f.base, f.n
    f.sorted = 0
    score = m.scores[base : base + n]
    score[:] = 0
    if HAS_ORDER and run.order:
        order(s, m.codes[base : base + n], n, score)
        for i in range(n):
            score[i] <<= ORDER_SHIFT
    side = 0 if f.sign > 0 else 1
    for i in range(n):
        code = m.codes[base + i]
        if m.places[base + i] == hint:
            score[i] = FIRST
        elif run.killers and code == m.killers[d, 0]:
            score[i] = KILLER
        elif run.killers and code == m.killers[d, 1]:
            score[i] = SECOND_KILLER
        elif run.history:
            score[i] += m.history[side, slot(code)]
    if n > MANY:
        sort(m.codes[base:], m.places[base:], m.scores[base:], n)
        f.sorted = 1


@kernel
def enlist(m, s, f, d, run, hint):
    """Writes the moves of frame f, their places in the list and their scores."""
    base = f.base
    n = moves(s, m.codes[base:])
    if run.reduce:
        n = reduce(s, m.codes[base:], n)
    f.n = n
    run.listed += n
    f.at = 0
    f.sorted = 1
    for i in range(n):
        m.places[base + i] = i
    if d == 0 and run.shuffle:
        m.random[0] = run.seed
        for i in range(n - 1, 0, -1):
            j = draw(m.random, i + 1)
            m.codes[base + i], m.codes[base + j] = m.codes[base + j], m.codes[base + i]
            m.places[base + i], m.places[base + j] = m.places[base + j], m.places[base + i]
    if n > 1 and (hint >= 0 or run.killers or run.history or (HAS_ORDER and run.order)):
        rank(m, s, f, d, run, hint)


@kernel
def enter(m, d, run):
    """Turns the window to the mover of states[d], asks bounds and table, lists the moves.

    True if one of them decided: then run.value and run.open are set.
    """
    f = m.frames[d]
    f.sign = 1 if TEAM[f.seat] == TEAM[0] else -1
    if f.sign > 0:
        f.alpha, f.beta = f.low, f.high
    else:
        f.alpha, f.beta = -f.high, -f.low
    f.bank = 0
    if HAS_BANKED:
        f.bank = f.sign * banked(m.states[d]) * STEPS
    open_window = run.pvs and f.beta - f.alpha > 1  # the line must not break off here
    least, f.most = -FAR, FAR
    if run.bounds:
        if HAS_BOUNDS:
            low, high = bounds(m.states[d])
            if f.sign < 0:
                low, high = -high, -low
            least, f.most = low * STEPS, high * STEPS
            if run.sooner:
                least, f.most = -most_faded(-low, PLIES), most_faded(high, PLIES)
        elif run.sooner:
            f.most = LARGEST * STEPS - 1
        if d > 0 and not open_window and (least >= f.beta or f.most <= f.alpha):
            run.value = f.sign * (least if least >= f.beta else f.most)
            run.open = 0
            return True
    hint = np.int64(-1)
    f.key = 0
    if run.table:
        f.key = mix(u64(key(m.states[d]))) if HAS_KEY else mix(hash_words(m.words[d]))
        at = probe(m.table, run.age, f.key) if f.key else -1
        if at >= 0:
            entry = m.table[at]
            hint = np.int64(entry.move)
            value = entry.value + f.bank
            decides = entry.bound == EXACT
            if entry.bound == LOWER:
                decides = value >= f.beta
            elif entry.bound == UPPER:
                decides = value <= f.alpha
            deep = entry.depth >= f.depth or entry.depth == EXHAUSTED
            if d > 0 and deep and decides and not open_window:
                run.hits += 1
                run.value = f.sign * value
                run.open = entry.depth < EXHAUSTED
                return True
    if d == 0 and run.lead >= 0:
        hint = run.lead
    f.first_alpha = f.alpha
    f.best = -FAR
    f.best_index = -1
    f.open = 0
    enlist(m, m.states[d], f, d, run, hint)
    return False


@kernel
def close(m, f, run):
    """Keeps what frame f found and makes it the value of its state."""
    if f.key:
        bound = LOWER if f.best >= f.beta else EXACT if f.best > f.first_alpha else UPPER
        reach = min(f.depth, EXHAUSTED - 1) if f.open else EXHAUSTED
        store(m.table, run.age, f.key, f.best - f.bank, f.best_index, reach, bound)
    run.value = f.sign * f.best
    run.open = f.open


@kernel
def set_out(f, child, run, seat):
    """Gives the child its mover, its window, turned to seat 0's side, and its depth."""
    alpha, beta = f.alpha, f.beta
    if f.narrow:
        beta = alpha + 1
    if run.sooner:
        alpha, beta = stretch_low(alpha), stretch_high(beta)
    if f.sign > 0:
        child.low, child.high = alpha, beta
    else:
        child.low, child.high = -beta, -alpha
    child.depth = f.depth - 1
    child.base = f.base + f.n
    child.seat = seat


@kernel
def known(m, s, run):
    """Whether the game knows what `s` is worth: then run.value is set."""
    units, plies = solved(s, m.tablebase)
    if plies < 0 or (run.sooner and plies == 0 and units != 0):
        return False
    run.value = faded(units, plies) if run.sooner else units * STEPS
    return True


@kernel
def leaf(m, s, f, run, seat):
    """Whether a child of frame f needs no frame of its own: then run.value and run.open are set."""
    if seat == TERMINAL:
        run.value = payoff(s, 0) * STEPS
        run.open = 0
    elif HAS_SOLVED and run.solved and known(m, s, run):
        run.open = 0
    elif f.depth == 1:
        run.value = 0
        if HAS_EVALUATE:
            most = LARGEST * STEPS - STEPS // 2
            run.value = np.int64(evaluate(s, 0) * most)
        run.open = 1
    else:
        return False
    return True


@kernel
def learn(m, f, d, run, code):
    """Takes run.value for the move that frame f tries; False if it must be searched again."""
    value = f.sign * run.value
    if run.sooner:
        value = fade(value)
    if f.narrow and f.alpha < value < f.beta:
        return False
    f.open = f.open or run.open
    if value > f.best:
        f.best = value
        f.best_index = m.places[f.base + f.at]
        if d == 0 and value > f.first_alpha:
            run.lead = f.best_index
        if f.alpha < value < f.beta or d == 0:
            keep_line(m, d, code)
        f.alpha = max(f.alpha, value)
        if f.alpha >= f.beta or f.best >= f.most:
            f.open = run.open
            reward(f, d, run, code, m.killers, m.history)
            f.at = f.n - 1
    return True


@kernel
def keep_line(m, d, code):
    """The best line from ply d: a move and the child's line."""
    n = m.lengths[d + 1]
    m.lines[d, 0] = code
    for i in range(n):
        m.lines[d, i + 1] = m.lines[d + 1, i]
    m.lengths[d] = n + 1


@kernel
def resume(m):
    """Goes on until DONE, PAUSED, GROW where the stack of moves is too short, or CHANCE_MET."""
    run = m.runs[0]
    d = run.ply
    mode = run.mode
    while True:
        f = m.frames[d]
        if mode == NEXT:
            if f.at == f.n:
                close(m, f, run)
                if d == 0:
                    run.mode = NEXT
                    run.ply = 0
                    return DONE
                d -= 1
                mode = LEARN
                continue
            if not f.sorted:
                pick(f, m.codes, m.scores, m.places)
            f.narrow = run.pvs and f.at > 0
            m.states[d + 1] = m.states[d]
            play(m.states[d + 1], m.codes[f.base + f.at])
            mode = ARRIVE
        if mode == ARRIVE:  # at states[d + 1], a child of frame d
            if run.nodes >= run.stop or run.listed >= run.pause:
                run.ply, run.mode = d, mode
                return PAUSED
            run.nodes += 1
            m.lengths[d + 1] = 0
            seat = turn(m.states[d + 1])
            if not leaf(m, m.states[d + 1], f, run, seat):
                if seat == CHANCE:
                    run.ply = d
                    return CHANCE_MET
                set_out(f, m.frames[d + 1], run, seat)
                d += 1
                mode = ENTER
                continue
            mode = LEARN
        if mode == LEARN:  # the value of the move that frame d tries
            code = m.codes[f.base + f.at]
            if learn(m, f, d, run, code):
                f.at += 1
                mode = NEXT
            else:  # better than a zero window can tell: once more with an open one
                f.narrow = 0
                m.states[d + 1] = m.states[d]
                play(m.states[d + 1], code)
                mode = ARRIVE
            continue
        if mode == START:
            if run.nodes >= run.stop:
                return PAUSED
            run.nodes += 1
            m.lengths[0] = 0
            f.seat = turn(m.states[0])
            mode = ENTER
        if f.base + ROOM * WIDTH > len(m.codes):
            run.ply, run.mode = d, ENTER
            return GROW
        decided = enter(m, d, run)
        if decided:
            d -= 1
            mode = LEARN
        else:
            mode = NEXT
