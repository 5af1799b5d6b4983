"""Alpha-beta with an explicit stack instead of recursion, in numbered steps.

Each ply has a FRAME; `resume` goes from one to another by modes, and where it pauses it goes on
at the next call, so that the caller can watch the clock, give results, and be closed::

    START --> ENTER --------> NEXT --------> ARRIVE --------> LEARN --> NEXT
    the root  a new ply:      the next       its state:       its value
              steps 2 to 6    move: step 7   step 1           comes: step 8
                 |               |              |                |
                 | decided:      | no more:     | no leaf:       | a reduced search beats alpha, or
                 v               v              v                v a null window fails high:
               LEARN           LEARN          ENTER            ARRIVE
               one ply up      one ply up,    one ply down     once more
                               step 9; DONE
                               at the root

Quiescence search opens frames beyond the horizon that have only noisy moves. The mover may decline
them all and *stand pat* on the static evaluation. A null move is tried in NEXT before the moves,
and LEARN takes its value. At a chance node outcomes come in NEXT and LEARN as moves do.

Short names: m the Memory, f the FRAME of ply d, s a state, `on` the settings, `run` the budget and
`found` the results, all of `driver`. Values and windows are steps from the side of the mover, or of
seat 0 where a name says so. The search is fail-soft (Fishburn 1983): a value outside the window is
a bound. `horizon` is true of a value that rests on an evaluation, false of one that is proven.
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
    noisy,
    play,
    skip,
    turn,
)
from dragon.search.alphabeta.chance import (
    average,
    list_outcomes,
    next_outcome,
    weigh,
    window_of,
)
from dragon.search.alphabeta.depth import (
    FUTILITY_DEPTH,
    NULL_DEPTH,
    at_horizon,
    null_move_reduction,
    plies_left,
)
from dragon.search.alphabeta.moves import (
    SHARED,
    list_moves,
    look_up,
    overtaken,
    puts_off,
    reduction,
    release,
    remember_cutoff,
    score_moves,
)
from dragon.search.alphabeta.values import (
    FAR,
    evaluation,
    fixed_range,
    highest,
    leaf,
    ply_earlier,
    scale,
    upper_bound,
    window_later,
)
from dragon.search.driver import CHANCE_MET, DONE, GROW, PAUSED, ROOM
from dragon.search.move_ordering import pick
from dragon.search.table import EXACT, LOWER, UPPER, reach, store
from dragon.search.table import transfer as transfer  # which the driver calls

START, ENTER, NEXT, ARRIVE, LEARN = 0, 1, 2, 3, 4
NULL_MOVE = -1
"""The index of the null move in the list of moves."""
OPEN, DECIDED, NOISY = 0, 1, 2
"""The outcomes of futility pruning: none; a value; a search of noisy moves alone."""


@kernel
def enter(m, d):
    """Take steps 2 to 6 for ply d; return True if its value is known, and in the results."""
    f, on, run, found = m.frames[d], m.settings[0], m.runs[0], m.results[0]
    f.began = run.nodes
    # 2. The window, from the mover's side.
    chance = HAS_CHANCE and f.seat == CHANCE  # seen from seat 0's side
    if chance:
        found.met_chance = 1
    f.sign = 1 if chance or TEAM[f.seat] == TEAM[0] else -1
    if f.sign > 0:
        f.alpha, f.beta = f.low_seat0, f.high_seat0
    else:
        f.alpha, f.beta = -f.high_seat0, -f.low_seat0
    f.first_alpha, f.upper, f.key = f.alpha, FAR, 0
    f.best, f.best_index, f.horizon = -FAR, -1, 0
    if HAS_CHANCE:
        f.partial = 0
    open_window = on.pvs and f.beta - f.alpha > 1  # a cutoff would cut the line short
    if HAS_CHANCE and f.lineless:
        open_window = False
    if HAS_NOISY and f.depth < 1:
        return quiesce(m, d)
    # 3. Cut off by the game's bounds.
    lower = -FAR
    if on.bounds:
        if HAS_BOUNDS:
            low, high = bounds(m.states[d])
            low, high = max(low, -LARGEST), min(high, LARGEST)
            if f.sign < 0:
                low, high = -high, -low
            lower, f.upper = low * scale(), high * scale()
            if on.sooner:
                lower, f.upper = -upper_bound(-lower, PLIES), upper_bound(f.upper, PLIES)
        else:
            f.upper = LARGEST * scale() - on.sooner
        if d > 0 and not open_window and (lower >= f.beta or f.upper <= f.alpha):
            found.value_seat0 = f.sign * (lower if lower >= f.beta else f.upper)
            found.horizon = 0
            return True
    # 4. Cut off by the transposition table, or take its hash move.
    f.banked = 0
    if HAS_BANKED:
        f.banked = f.sign * banked(m.states[d]) * scale()
    hash_move = np.int64(-1)
    if on.table:
        f.key = mix(u64(key(m.states[d]))) if HAS_KEY else mix(hash_words(m.words[d]))
        if chance and f.key:  # a game may give a seat's state and chance's the same key
            f.key ^= u64(GOLDEN)
        if f.key:
            hash_move, decides = look_up(m, f)
            if d > 0 and decides and not open_window:
                found.hits += 1
                return True
    # 5. Futility pruning: by an evaluation far outside the window.
    if HAS_NOISY and on.futility and d > 0 and not chance:
        pruned = futile(m, d)
        if pruned != OPEN:
            return pruned == DECIDED
    # 6. The moves, the most promising first; before them a null move.
    if d == 0 and found.root_best >= 0:
        hash_move = found.root_best
    if chance:
        list_outcomes(m, d, lower)
        return False
    list_moves(m, d, hash_move)
    if HAS_CHANCE:
        f.partial = f.single and f.n > 1
        if f.partial:  # a probe: the most promising move alone
            if not f.sorted:
                pick(f, m.codes, m.scores, m.places)
            f.n = 1
    if HAS_SKIP and on.null and d > 0 and make_null_move(m, d):
        f.best_index = hash_move
    return False


@kernel
def asks_evaluation(alpha, beta):
    """Return whether an evaluation may decide a null window: only if the window lies within the
    range of evaluations."""
    return beta - alpha == 1 and -highest() <= alpha and beta <= highest()


@kernel
def open_noisy(m, d, best, n):
    """Open a frame with its n noisy moves; return True if `best`, the stand pat value, cuts off."""
    f, found = m.frames[d], m.results[0]
    f.upper, f.key = FAR, 0  # no bound of all moves holds, and nothing is stored
    f.best, f.horizon = best, 1
    if n == 0 or best >= f.beta:
        found.value_seat0 = f.sign * best
        found.horizon = 1
        return True
    f.alpha = max(f.alpha, best)
    score_moves(m, d, -1, n)
    return False


@kernel
def quiesce(m, d):
    """Stand pat, or open a frame of noisy moves, or of all moves where evaluations do not count.

    Sources: Harris 1975 and Beal 1990 (quiescence search).
    """
    f = m.frames[d]
    n = noisy(m.states[d], m.codes[f.base :])
    if n < 0:
        list_moves(m, d, -1)
        return False
    return open_noisy(m, d, f.sign * evaluation(m.states[d]), n)


@kernel
def futile(m, d):
    """Return OPEN, DECIDED or NOISY for frame d; if DECIDED, the value is in the results.

    An evaluation above the window by the futility margin is taken as the value. Where it is below
    the window by the margin, quiet moves are assumed not to raise it, and only noisy moves are
    searched (Heinz 1998).
    """
    f, s = m.frames[d], m.states[d]
    if not HAS_NOISY or f.depth > FUTILITY_DEPTH or not asks_evaluation(f.alpha, f.beta):
        return OPEN
    value, margin = f.sign * evaluation(s), m.settings[0].futility * f.depth
    above, below = value - margin >= f.beta, value + margin <= f.alpha
    if not above and not below:
        return OPEN
    n = noisy(s, m.codes[f.base :])
    if n < 0:
        return OPEN
    return DECIDED if open_noisy(m, d, value - margin if above else value + margin, n) else NOISY


@kernel
def make_null_move(m, d):
    """Return whether a null move is tried at frame d; it is then made in states[d + 1].

    If a pass fails high, so does the best move, unless every move is worse than a pass (zugzwang),
    which the game's `skip` rules out. There are never two null moves in a row. Sources: Beal 1989,
    Donninger 1993 and Heinz 1999.
    """
    f = m.frames[d]
    if not HAS_SKIP or f.after_null or f.depth < NULL_DEPTH:
        return False
    if not asks_evaluation(f.alpha, f.beta) or f.sign * evaluation(m.states[d]) < f.beta:
        return False
    m.states[d + 1] = m.states[d]
    if not skip(m.states[d + 1]):
        return False
    f.at = NULL_MOVE
    f.null_window = 0
    f.reduction = null_move_reduction(f.depth)
    return True


@kernel
def learn_null_move(m, f):
    """Take the value of the null move of frame f: the frame is done if it fails high.

    A value that is proven (not `horizon`) is not used: a pass proves nothing, and the moves
    themselves give the proof.
    """
    value, found = f.sign * m.results[0].value_seat0, m.results[0]
    if m.settings[0].sooner:
        value = ply_earlier(value, fixed_range())
    f.at = 0
    if value >= f.beta and found.horizon:
        f.best = min(value, highest())
        f.horizon = 1
        f.at = f.n


@kernel
def close(m, f):
    """Put the value of frame f into the results and the table."""
    run, found = m.runs[0], m.results[0]
    # 9. Keep what was found.
    if HAS_CHANCE and f.seat == CHANCE:
        f.best = average(f.least, f.most, f.alpha, f.beta)
    if f.key and not (HAS_CHANCE and f.partial):
        bound = LOWER if f.best >= f.beta else EXACT if f.best > f.first_alpha else UPPER
        depth = reach(f.depth, f.horizon, run.nodes - f.began + 1)
        store(m.table, run.age, f.key, f.best - f.banked, f.best_index, depth, bound)
    found.value_seat0 = f.sign * f.best
    found.horizon = f.horizon
    if HAS_CHANCE:
        found.partial = f.partial


@kernel
def descend(m, d, seat):
    """Open the frame of a child of ply d: its mover, its window and its depth."""
    f, child, sooner = m.frames[d], m.frames[d + 1], m.settings[0].sooner
    alpha, beta = f.alpha, f.beta
    if f.null_window:
        beta = alpha + 1
    if HAS_CHANCE:
        child.single, child.lineless = 0, f.lineless
        if f.seat == CHANCE:
            alpha, beta = window_of(m, f)
            child.single, child.lineless = f.probing, 1
    if sooner:
        alpha, beta = window_later(alpha, beta, fixed_range())
    if f.sign > 0:
        child.low_seat0, child.high_seat0 = alpha, beta
    else:
        child.low_seat0, child.high_seat0 = -beta, -alpha
    child.depth = plies_left(f)
    child.base = f.base + f.n
    child.seat = seat
    if HAS_SKIP:
        child.after_null = f.at == NULL_MOVE


@kernel
def learn(m, d, code):
    """Update ply d by the value of the move that it tries; return False if that must be searched
    again."""
    f, found = m.frames[d], m.results[0]
    value = f.sign * found.value_seat0
    if m.settings[0].sooner:
        value = ply_earlier(value, fixed_range())
    # Search again at full depth if the reduced search beats alpha, then with the full window if the
    # null window fails high.
    if HAS_EVALUATE and f.reduction and value > f.alpha:
        f.reduction = 0
        return False
    if f.null_window and f.alpha < value < f.beta:
        f.null_window = 0
        return False
    # 8. Learn its value; cut off by beta.
    f.horizon = f.horizon or found.horizon
    if value > f.best:
        f.best = value
        f.best_index = m.places[f.base + f.at]
        if d == 0 and value > f.first_alpha:
            found.root_best = f.best_index
        if f.alpha < value < f.beta or d == 0:
            keep_line(m, d, code)
        f.alpha = max(f.alpha, value)
        if f.alpha >= f.beta or f.best >= f.upper:
            f.horizon = found.horizon  # the value rests on this move alone
            remember_cutoff(m, d, code)
            f.at = f.n - 1
    return True


@kernel
def keep_line(m, d, code):
    """Keep the principal variation from ply d: a move and the child's line, if there is room."""
    n = min(m.lengths[d + 1], m.lines.shape[1] - 1)
    m.lines[d, 0] = code
    for i in range(n):
        m.lines[d, i + 1] = m.lines[d + 1, i]
    m.lengths[d] = n + 1


@kernel
def resume(m):
    """Go on until DONE, PAUSED, GROW where moves or plies do not have room, or CHANCE_MET."""
    # The work of each mode is in the functions above. Their order, and which ply is next, stay here
    # in one place: that is the recursion of the textbook, on a stack.
    on, run, found = m.settings[0], m.runs[0], m.results[0]
    mode = run.mode
    d = 0 if mode == START else run.ply
    while True:
        f = m.frames[d]
        if mode == NEXT:
            if HAS_CHANCE and f.seat == CHANCE:
                next_outcome(m, f)
            if f.at == f.n:
                close(m, f)
                if d == 0:
                    return DONE
                d -= 1
                mode = LEARN
                continue
            # 7. A child: by a null window first, by the full one if it fails high.
            if not HAS_SKIP or f.at != NULL_MOVE:
                if not f.sorted:
                    pick(f, m.codes, m.scores, m.places)
                if SHARED:
                    if overtaken(m, d):
                        d -= 1
                        mode = LEARN
                        continue
                    if puts_off(m, f):
                        continue
                f.null_window = on.pvs and f.at > 0
                if HAS_EVALUATE:
                    f.reduction = 0
                if HAS_CHANCE and f.seat == CHANCE:
                    f.null_window = 0
                elif HAS_EVALUATE:
                    f.reduction = reduction(m, f)
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
                found.partial = 0
            seat = turn(m.states[d + 1])
            # 1. A leaf: an end, a solved state, or the horizon.
            if not leaf(m, m.states[d + 1], seat, at_horizon(m, f, seat)):
                if seat == CHANCE and (not HAS_CHANCE or on.refuses):
                    run.ply = d
                    return CHANCE_MET
                descend(m, d, seat)
                d += 1
                mode = ENTER
                continue
            mode = LEARN
        if mode == LEARN:  # the value of the move that frame d tries
            if HAS_CHANCE and f.seat == CHANCE:
                weigh(m, f, found.value_seat0, m.frames[d + 1].sign)
                mode = NEXT
                continue
            if HAS_SKIP and f.at == NULL_MOVE:
                learn_null_move(m, f)
                mode = NEXT
                continue
            code = m.codes[f.base + f.at]
            if learn(m, d, code):
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
        if enter(m, d):
            d -= 1
            mode = LEARN
        else:
            mode = NEXT
