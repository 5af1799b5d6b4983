"""Alpha-beta with an explicit stack: one iteration, by numbered steps.

Each ply has a FRAME; `resume` goes from one to another by modes, and where it pauses it goes on
at the next call, so that the caller can watch the clock, give results, and be closed::

    START --> ENTER --------> NEXT --------> ARRIVE --------> LEARN --> NEXT
    the root  a new ply:      the next       its state:       its value
              steps 2 to 6    move: step 7   step 1           comes: step 8
                 |               |              |                |
                 | decided:      | no more:     | no leaf:       | better than a zero window can
                 v               v              v                v tell: once more with an open one
               LEARN           LEARN          ENTER            ARRIVE
               one ply up      one ply up,    one ply down
                               step 9; DONE
                               at the root

A pass is tried in NEXT before the moves, and LEARN takes its value (`pruning`).

Moves are listed and scored in `listing`, and put off in `claims` where threads share the table,
so that a ply may be over in NEXT, as another thread has found its value; leaves are valued in
`leaves`, and a ply at which chance decides is weighed in `chance`: its outcomes come in NEXT and
LEARN as moves do.

Short names: m the Memory, s a state, f the FRAME of ply d, run the RUN, all of `memory`; values
and windows are steps from the mover's side, in `run.value`, `low` and `high` from seat 0's side.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import numpy as np

from dragon.bits import GOLDEN, mix, u64
from dragon.core import CHANCE
from dragon.rules.layout import hash_words
from dragon.rules.template import (
    HAS_BANKED,
    HAS_BOUNDS,
    HAS_CHANCE,
    HAS_EVALUATE,
    HAS_KEY,
    HAS_NOISY,
    HAS_SKIP,
    LARGEST,
    PLIES,
    TEAM,
    WIDTH,
    banked,
    bounds,
    kernel,
    key,
    play,
    turn,
)
from dragon.search.alphabeta.chance import average, cast, pass_by, scale, weigh, window_of
from dragon.search.alphabeta.claims import SHARED, lateness, overtaken, puts_off, release
from dragon.search.alphabeta.leaves import leaf
from dragon.search.alphabeta.listing import enlist, reward
from dragon.search.alphabeta.pruning import DECIDED, OPEN, futile, learn_pass, passes
from dragon.search.alphabeta.quiescence import guesses, plies_left, stand
from dragon.search.alphabeta.recall import recall
from dragon.search.alphabeta.settings import FAR
from dragon.search.alphabeta.win_distance import ply_earlier, upper_bound, window_later
from dragon.search.driver import CHANCE_MET, DONE, GROW, PAUSED, ROOM
from dragon.search.move_ordering import pick
from dragon.search.table import EXACT, LOWER, UPPER, reach, store
from dragon.search.table import transfer as transfer  # which the driver calls

START, ENTER, NEXT, ARRIVE, LEARN = 0, 1, 2, 3, 4


@kernel
def enter(m, d, run):
    """Steps 2 to 6; True if bounds, table or a guess decide: then run.value and horizon are set."""
    f = m.frames[d]
    f.began = run.nodes
    # 2. The window, from the mover's side.
    chance = HAS_CHANCE and f.seat == CHANCE  # seen from seat 0's side
    f.sign = 1 if chance or TEAM[f.seat] == TEAM[0] else -1
    if f.sign > 0:
        f.alpha, f.beta = f.low, f.high
    else:
        f.alpha, f.beta = -f.high, -f.low
    open_window = run.pvs and f.beta - f.alpha > 1  # the line must not break off here
    if HAS_CHANCE and f.lineless:
        open_window = False
    if HAS_NOISY and f.depth < 1:
        return stand(m, d, run)
    # 3. Cut off by the game's bounds.
    lower, f.upper = -FAR, FAR
    if run.bounds:
        if HAS_BOUNDS:
            low, high = bounds(m.states[d])
            low, high = max(low, -LARGEST), min(high, LARGEST)
            if f.sign < 0:
                low, high = -high, -low
            lower, f.upper = low * scale(), high * scale()
            if run.sooner:
                lower, f.upper = -upper_bound(-lower, PLIES), upper_bound(f.upper, PLIES)
        else:
            f.upper = LARGEST * scale() - run.sooner
        if d > 0 and not open_window and (lower >= f.beta or f.upper <= f.alpha):
            run.value = f.sign * (lower if lower >= f.beta else f.upper)
            run.horizon = 0
            return True
    # 4. Cut off by the table.
    f.banked = 0
    if HAS_BANKED:
        f.banked = f.sign * banked(m.states[d]) * scale()
    hint = np.int64(-1)
    f.key = 0
    if run.table:
        f.key = mix(u64(key(m.states[d]))) if HAS_KEY else mix(hash_words(m.words[d]))
        if chance and f.key:  # a game may give a seat's state and chance's the same key
            f.key ^= u64(GOLDEN)
        if f.key:
            hint, decides = recall(m, f, run)
            if d > 0 and decides and not open_window:
                run.hits += 1
                return True
    # 5. Prune by a guess far outside the window.
    if HAS_NOISY and run.futility and d > 0 and not chance:
        pruned = futile(m, d, run)
        if pruned != OPEN:
            return pruned == DECIDED
    # 6. The moves, the most promising first; before them a pass.
    if d == 0 and run.root_best >= 0:
        hint = run.root_best
    f.first_alpha = f.alpha
    f.best = -FAR
    f.best_index = -1
    f.horizon = 0
    if chance:
        cast(m, m.states[d], f, run, lower)
        return False
    enlist(m, m.states[d], f, d, run, hint)
    if HAS_CHANCE:
        f.partial = f.single and f.n > 1
        if f.partial:  # a probe: the most promising move alone
            if not f.sorted:
                pick(f, m.codes, m.scores, m.places)
            f.n = 1
    if HAS_SKIP and run.null and d > 0 and passes(m, d, run):
        f.best_index = hint
    return False


@kernel
def close(m, f, run):
    """Makes what frame f found the value of its state."""
    # 9. Keep what was found.
    if HAS_CHANCE and f.seat == CHANCE:
        f.best = average(f.least, f.most, f.alpha, f.beta)
    if f.key and not (HAS_CHANCE and f.partial):
        bound = LOWER if f.best >= f.beta else EXACT if f.best > f.first_alpha else UPPER
        depth = reach(f.depth, f.horizon, run.nodes - f.began + 1)
        store(m.table, run.age, f.key, f.best - f.banked, f.best_index, depth, bound)
    run.value = f.sign * f.best
    run.horizon = f.horizon
    if HAS_CHANCE:
        run.partial = f.partial


@kernel
def descend(m, f, child, run, seat):
    """Gives the child its mover, its window, turned to seat 0's side, and its depth."""
    alpha, beta = f.alpha, f.beta
    if f.narrow:
        beta = alpha + 1
    if run.sooner:
        alpha, beta = window_later(alpha, beta, guesses())
    if f.sign > 0:
        child.low, child.high = alpha, beta
    else:
        child.low, child.high = -beta, -alpha
    child.depth = plies_left(f)
    child.base = f.base + f.n
    child.seat = seat
    if HAS_SKIP:
        child.passed = f.at < 0
    if HAS_CHANCE:
        child.single, child.lineless = 0, f.lineless
        if f.seat == CHANCE:
            child.low, child.high = window_of(m, f, run)
            if run.sooner:
                child.low, child.high = window_later(child.low, child.high, guesses())
            child.single, child.lineless = f.probing, 1


@kernel
def learn(m, f, d, run, code):
    """Takes run.value for the move that frame f tries; False if it must be searched again."""
    # As far as others, if it is better; then by the whole window, if a zero one cannot tell.
    value = f.sign * run.value
    if run.sooner:
        value = ply_earlier(value, guesses())
    if HAS_EVALUATE and f.late and value > f.alpha:
        f.late = 0
        return False
    if f.narrow and f.alpha < value < f.beta:
        f.narrow = 0
        return False
    # 8. Learn its value; cut off by beta.
    f.horizon = f.horizon or run.horizon
    if value > f.best:
        f.best = value
        f.best_index = m.places[f.base + f.at]
        if d == 0 and value > f.first_alpha:
            run.root_best = f.best_index
        if f.alpha < value < f.beta or d == 0:
            keep_line(m, d, code)
        f.alpha = max(f.alpha, value)
        if f.alpha >= f.beta or f.best >= f.upper:
            f.horizon = run.horizon  # this move alone proves the bound
            reward(m, f, d, run, code)
            f.at = f.n - 1
    return True


@kernel
def keep_line(m, d, code):
    """The best line from ply d: a move and the child's line, as far as there is room."""
    n = min(m.lengths[d + 1], m.lines.shape[1] - 1)
    m.lines[d, 0] = code
    for i in range(n):
        m.lines[d, i + 1] = m.lines[d + 1, i]
    m.lengths[d] = n + 1


@kernel
def resume(m):
    """Goes on until DONE, PAUSED, GROW where moves or plies have no room, or CHANCE_MET."""
    run = m.runs[0]
    mode = run.mode
    d = 0 if mode == START else run.ply
    while True:
        f = m.frames[d]
        if mode == NEXT:
            if HAS_CHANCE and f.seat == CHANCE:
                pass_by(m, f)
            if f.at == f.n:
                close(m, f, run)
                if d == 0:
                    return DONE
                d -= 1
                mode = LEARN
                continue
            # 7. A child: by a zero window first, by the whole one if it is better.
            if not HAS_SKIP or f.at >= 0:
                if not f.sorted:
                    pick(f, m.codes, m.scores, m.places)
                if SHARED:
                    if overtaken(m, d, run):
                        d -= 1
                        mode = LEARN
                        continue
                    if puts_off(m, f, run):
                        continue
                f.narrow = run.pvs and f.at > 0
                if HAS_EVALUATE:
                    f.late = 0
                if HAS_CHANCE and f.seat == CHANCE:
                    f.narrow = 0
                elif HAS_EVALUATE and run.late:
                    f.late = lateness(m, f)
                m.states[d + 1] = m.states[d]
                play(m.states[d + 1], m.codes[f.base + f.at])
            mode = ARRIVE
        if mode == ARRIVE:  # at states[d + 1], a child of frame d
            if run.nodes >= run.stop or run.listed >= run.pause:
                run.ply, run.mode = d, mode
                return PAUSED
            run.nodes += 1
            m.lengths[d + 1] = 0
            if HAS_CHANCE:
                run.partial = 0
            seat = turn(m.states[d + 1])
            # 1. A leaf: an end, a solved state, or the horizon.
            if not leaf(m, m.states[d + 1], f, run, seat):
                if seat == CHANCE and (not HAS_CHANCE or run.refuses):
                    run.ply = d
                    return CHANCE_MET
                descend(m, f, m.frames[d + 1], run, seat)
                d += 1
                mode = ENTER
                continue
            mode = LEARN
        if mode == LEARN:  # the value of the move that frame d tries
            if HAS_CHANCE and f.seat == CHANCE:
                if run.sooner:
                    run.value = ply_earlier(run.value, guesses())
                weigh(m, f, run, m.frames[d + 1].sign)
                mode = NEXT
                continue
            if HAS_SKIP and f.at < 0:
                learn_pass(f, run)
                mode = NEXT
                continue
            code = m.codes[f.base + f.at]
            if learn(m, f, d, run, code):
                if SHARED and f.claim:
                    release(m, f)
                f.at += 1
                mode = NEXT
            else:
                m.states[d + 1] = m.states[d]
                play(m.states[d + 1], code)
                mode = ARRIVE
            continue
        if mode == START:
            m.lengths[0] = 0
            if run.nodes >= run.stop:
                return PAUSED
            run.nodes += 1
            f.seat = turn(m.states[0])
            f.single, f.lineless = 0, 0
            mode = ENTER
        if f.base + ROOM * WIDTH > len(m.codes) or d + 2 > len(m.frames):
            run.ply, run.mode = d, ENTER
            return GROW
        if enter(m, d, run):
            d -= 1
            mode = LEARN
        else:
            mode = NEXT
