"""The kernel of Monte Carlo tree search: selection, expansion, playout and backup.

Each simulation selects a path from the root, expands its last node, plays out from there and backs
up the payoffs. A node's total is from the side of the seat that moved into it.

Short names: m the Memory, run its RUN (the results so far), node a NODE of `m.tree`, all of `tree`;
s a state, `at` the index of a node. `m.settings[0]` and `m.budget[0]` do not change meanwhile.

The kernel stays apart from `driver`, which loads it by its name, as published pages do.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.bits import draw
from dragon.compiler.library import acquire, release
from dragon.compiler.location import Breach
from dragon.core import CHANCE, TERMINAL
from dragon.rules.kernels.playout import step
from dragon.rules.kernels.state import weigh_chance
from dragon.rules.playout import pick
from dragon.rules.template import (
    CHECKED,
    HAS_FINISH,
    HAS_MAKER,
    HAS_ODDS,
    HAS_REDUCE,
    HAS_SOLVED,
    LARGEST,
    PLIES,
    SEATS,
    WIDTH,
    finish,
    kernel,
    maker,
    moves,
    payoff,
    play,
    reduce,
    solved,
    turn,
)
from dragon.search.driver import DONE, GROW, PAUSED
from dragon.search.mcts.policies import (
    AT_ONCE,
    CUTS,
    DECISIVE,
    KEEPS_AMAF,
    KEEPS_EVALUATIONS,
    KEEPS_GRAMS,
    KEEPS_HISTORY,
    KEEPS_PRIORS,
    KEEPS_SQUARES,
    KEEPS_TRANSPOSITIONS,
    LISTS,
    NOTES,
    SCORES_UNTRIED,
    SHARED,
    UNTRIED_FIRST,
    choose,
    score,
    share,
)
from dragon.search.mcts.statistics.amaf import gather, refer
from dragon.search.mcts.statistics.history import learn, learn_grams, slot_of
from dragon.search.mcts.statistics.priors import (
    back_up_evaluations,
    evaluate_children,
    expect,
    mixed,
    pay_evaluation,
)
from dragon.search.mcts.statistics.transpositions import (
    add_shared,
    find_shared,
    known_elsewhere,
    renew,
)
from dragon.search.mcts.statistics.transpositions import lengthen_shared as lengthen_shared
from dragon.search.mcts.tree import (
    BLOCKED,
    LANES,
    SHIFT,
    UNPROVEN,
    UNSEEN,
    blocks_of,
    child_of,
    clear,
    first_try,
    highest,
    tell,
    units_of,
)
from dragon.search.mcts.tree import find as find
from dragon.search.mcts.tree import graft as graft
from dragon.search.mcts.tree import take_tables as take_tables

LOOKED_THROUGH = 1000
"""The most moves of a state in which a decisive move is looked for; with more it takes too long."""

# ---- playouts: the policy's moves, or at random


@kernel
def decide(m, s, seat, n):
    """Reduce the n moves in `m.out` to one that wins at once, if there is one; return the new n.

    Decisive moves (Teytaud and Teytaud 2010). That paper's anti-decisive moves, which take such a
    move away from the opponent, are not looked for: that would take the square of the time. For the
    same reason more than LOOKED_THROUGH moves are left as they are.
    """
    for i in range(n if n <= LOOKED_THROUGH else 0):
        m.states[2] = s
        play(m.states[2], m.out[i])
        if turn(m.states[2]) == TERMINAL and payoff(m.states[2], seat) == LARGEST:
            m.out[0] = m.out[i]
            return 1
    return n


@kernel
def drawn(m, s, seat, ply):
    """Return the code of a playout's next move."""
    settings = m.settings[0]
    if seat == CHANCE or not (LISTS or DECISIVE):
        return step(s, seat, m.out, m.weights, m.random, settings.reduce_playouts)
    n = moves(s, m.out)
    if HAS_REDUCE and settings.reduce_playouts:
        n = reduce(s, m.out, n)
    if DECISIVE:
        n = decide(m, s, seat, n)
    return m.out[choose(m, n, seat, ply, settings)]


@kernel
def note(m, ply, seat, code):
    """Write down the move of a seat at this ply; -1 for an outcome of chance."""
    m.played[ply] = slot_of(seat, code) if seat >= 0 else -1


@kernel
def finish_at_once(m, s, ply):
    """Play out from ply `ply` by the game's rule `finish`; return the last ply.

    Of AMAF moves are noted that have been played until the end, in any order.
    """
    if not KEEPS_AMAF:
        return ply + finish(s, m.random)
    n = moves(s, m.out)
    finish(s, m.random)
    for i in range(n):
        seat = maker(s, m.out[i])
        if seat >= 0:
            note(m, ply, seat, m.out[i])
            ply += 1
    return ply


@kernel
def play_out(m, s, ply):
    """Play out from ply `ply` by the policy; return the last ply.

    With CUTS it may end before the game does.
    """
    first = ply
    seat = turn(s)
    if HAS_FINISH and AT_ONCE and (HAS_MAKER or not KEEPS_AMAF):  # noqa: SIM102 - for constants
        if seat != TERMINAL and not m.settings[0].reduce_playouts:
            return finish_at_once(m, s, ply)
    while seat != TERMINAL and not (CUTS and ply - first >= m.settings[0].cut):
        if CHECKED and ply >= PLIES:
            raise Breach("turn: the game goes on for more than plies = {plies}")
        code = drawn(m, s, seat, ply)
        if NOTES:
            note(m, ply, seat, code)
        play(s, code)
        ply += 1
        seat = turn(s)
    return ply


# ---- one tree for several threads: only one of them has it at a time, playouts run side by side


@kernel
def enter(m, run):
    """Lock the tree that threads share."""
    acquire(m.lock)
    run.size, run.tables, run.blocks = m.lock[1], m.lock[2], m.lock[3]


@kernel
def leave(m, run):
    """Unlock the tree that threads share."""
    m.lock[1], m.lock[2], m.lock[3] = run.size, run.tables, run.blocks
    release(m.lock)


@kernel
def virtual_loss(m, depth, visits):
    """Count a lost simulation along the path; visits: 1, or -1 to take it back.

    While a thread plays out, each node of its path has one more simulation, a lost one, so that
    other threads choose other paths (Chaslot, Winands and van den Herik 2008, section 3.3, with a
    global lock).
    """
    for d in range(depth + 1):
        node = m.tree[m.path[d]]
        node.visits += visits
        node.total -= visits * LARGEST
        if d > 0:
            tell(m, d, m.tree[m.path[d - 1]].seat)


# ---- the four phases


@kernel
def expand(m, s, at, run):
    """Expansion: give node `at`, at the record `s`, children in random order.

    Returns False if the tree is full.
    """
    node = m.tree[at]
    n = moves(s, m.out)
    if m.settings[0].reduce and node.seat != CHANCE:
        n = reduce(s, m.out, n)
    if DECISIVE and node.seat != CHANCE:
        n = decide(m, s, node.seat, n)
    if not has_room(m, node, n, run):
        return False
    if BLOCKED:
        fill(m, node, n, run)
        return True
    if node.seat != CHANCE:
        shuffle(m.random, m.out, n)
    if KEEPS_PRIORS and node.seat != CHANCE:
        expect(m, s, n)
    node.first = run.size
    node.count = node.unproven = n
    node.tried = 0
    for i in range(n):
        child = m.tree[run.size + i]
        clear(child, m.out[i])
        if KEEPS_SQUARES:
            child.squares = 0.0
        if KEEPS_PRIORS:
            child.prior = m.weights[i] if node.seat != CHANCE else 0.0
        if KEEPS_EVALUATIONS:
            child.evaluation = 0.0
        if KEEPS_TRANSPOSITIONS:
            child.shared = 0
    run.size += n
    if KEEPS_EVALUATIONS and node.seat != CHANCE:
        evaluate_children(m, s, node)
    return True


@kernel
def shuffle(random, codes, n):
    """Bring the first n codes into a random order (Fisher and Yates)."""
    for i in range(n - 1, 0, -1):
        j = draw(random, i + 1)
        codes[i], codes[j] = codes[j], codes[i]


@kernel
def has_room(m, node, n, run):
    """Return True if the tree has room for n children of a node."""
    if BLOCKED:  # one child is tried at once, of a chance node all are
        tried = n if node.seat == CHANCE else 1
        return run.size + run.blocks + 2 * blocks_of(n) + tried <= m.budget[0].room
    return run.size + n <= m.budget[0].room


@kernel
def crowded(m, run):
    """Return True if the arrays may be too short for the children of another node."""
    if BLOCKED and run.blocks + 2 * blocks_of(WIDTH) > len(m.blocks):
        return True
    return run.size + WIDTH > len(m.tree)


@kernel
def fill(m, node, n, run):
    """Write the moves of the n children of a node of a tree of blocks.

    Children of chance get a NODE at once, since they are not tried in turn.
    """
    node.first = run.blocks
    node.count = node.unproven = n
    node.tried = 0
    count = blocks_of(n)
    for b in range(count):
        child = m.blocks[run.blocks + b].child
        for i in range(LANES * b, min(n, LANES * (b + 1))):
            child[i & LANES - 1] = m.out[i]
    run.blocks += count
    if node.seat == CHANCE:
        for i in range(n):
            clear(m.tree[run.size], m.out[i])
            if KEEPS_TRANSPOSITIONS:
                m.tree[run.size].shared = 0
            m.blocks[node.first + (i >> SHIFT)].child[i & LANES - 1] = run.size
            run.size += 1
        node.tried = n


@kernel
def select(m, at):
    """Selection: return the place among its siblings of the child of node `at` to visit next."""
    node, settings = m.tree[at], m.settings[0]
    if UNTRIED_FIRST and node.tried < node.count:
        if not BLOCKED:
            node.tried += 1
            return node.tried - 1
        run = m.runs[0]
        more = blocks_of(node.count) if node.tried == node.count - 1 else 0
        if node.tried == 0 or run.size + run.blocks + more < m.budget[0].room:
            return first_try(m, node, run)
    if BLOCKED and node.numbers > 0:
        return highest(m, node, share(node, settings))
    if KEEPS_TRANSPOSITIONS and not BLOCKED:  # blocks: written at backups only
        renew(m, node)
    return best(m, node, share(node, settings), settings)


@kernel
def best(m, node, shared, settings):
    """Return the place of the child with the highest score; of the tried ones if BLOCKED."""
    chosen = 0
    most = -1.0
    for i in range(node.tried if BLOCKED else node.count):
        child = m.tree[child_of(m, node, i)]
        value = float(child.own)
        if value < 0.0:
            continue
        known = child.proof_seat0 != UNPROVEN
        if not (UNTRIED_FIRST or child.visits > 0):
            value = settings.fpu
        if KEEPS_EVALUATIONS and not known:
            value = mixed(value, child.evaluation, settings.minimax)
        if UNTRIED_FIRST or SCORES_UNTRIED or child.visits > 0:
            value = score(m, node, child, value, known, shared, settings)
        if value > most:
            chosen, most = i, value
    return chosen


@kernel
def chance(m, s, at):
    """Return the place of a child of the CHANCE node `at`, drawn by its odds."""
    node = m.tree[at]
    if HAS_ODDS:
        weigh_chance(s, m.weights, node.count)
        return pick(m.random, m.weights[: node.count])
    return draw(m.random, node.count)


@kernel
def back_up(m, depth, proven, root_seat):
    """Backup: add the payoffs along the path, and back up a proof of its last node.

    MCTS-Solver (Winands, Bjornsson and Saito 2008).
    """
    for d in range(depth, -1, -1):
        node = m.tree[m.path[d]]
        node.visits += 1
        seat = m.tree[m.path[d - 1]].seat if d > 0 else root_seat
        units = m.pay[seat if seat > 0 else 0]
        node.total += units
        if KEEPS_SQUARES:
            share_won = (units / LARGEST + 1.0) * 0.5
            node.squares += share_won * share_won
        if KEEPS_TRANSPOSITIONS and d > 0:
            add_shared(m, node)
        if d > 0:
            tell(m, d, seat)
        if not proven or d == 0:
            continue
        parent = m.tree[m.path[d - 1]]
        if seat == CHANCE:
            proven = False
            continue
        units = units_of(node.proof_seat0, seat)
        parent.unproven -= 1
        proven = units == LARGEST or parent.unproven == 0
        if proven:
            for i in range(parent.count if units < LARGEST else 0):
                units = max(units, units_of(m.tree[child_of(m, parent, i)].proof_seat0, seat))
            parent.proof_seat0 = units_of(units, seat)


@kernel
def remember(m, depth, end):
    """Add a simulation of `end` plies, `depth` of them in the tree, to the statistics of moves."""
    if KEEPS_AMAF:
        for d in range(depth + 1):
            gather(m, m.tree[m.path[d]].table, d, end)
    if KEEPS_HISTORY:
        learn(m, end)
    if KEEPS_GRAMS:
        learn_grams(m, end)
    if KEEPS_EVALUATIONS:
        back_up_evaluations(m, depth)


@kernel
def simulate(m, run):
    """Simulate once from states[0]; states[1] is scratch."""
    s = m.states[1]
    m.states[1] = m.states[0]
    at = depth = 0
    proven = False
    end = 0
    if SHARED:
        enter(m, run)
    while True:
        node = m.tree[at]
        m.path[depth] = at
        # 1. A node whose value is known: proven before, solved, or an end.
        if node.seat == UNSEEN:
            node.seat = turn(s)
            if HAS_SOLVED and m.settings[0].solved and depth > 0 and node.seat >= 0:
                units, plies = solved(s, m.tablebase)
                if plies >= 0:
                    node.proof_seat0 = units
                    proven = True
        if KEEPS_TRANSPOSITIONS and depth > 0:
            if node.shared == 0:
                find_shared(m, node, s, max(m.tree[m.path[depth - 1]].seat, 0))
            if known_elsewhere(m, node):
                proven = True
        if node.proof_seat0 != UNPROVEN:
            for seat in range(SEATS):
                m.pay[seat] = units_of(node.proof_seat0, seat)
            break
        if node.seat == TERMINAL:
            for seat in range(SEATS):
                m.pay[seat] = payoff(s, seat)
            if m.settings[0].solver:
                node.proof_seat0 = m.pay[0]
                proven = True
            break
        # 2. Expand a node that is visited again, while there is room.
        ready = node.count > 0
        if not ready and (depth == 0 or node.visits > 0) and depth < m.budget[0].depth:
            ready = expand(m, s, at, run)
        # 3. Play out from a leaf.
        if not ready:
            if SHARED:
                virtual_loss(m, depth, 1)
                leave(m, run)
            end = play_out(m, s, depth)
            if CUTS and turn(s) != TERMINAL:
                pay_evaluation(m, s)
            else:
                for seat in range(SEATS):
                    m.pay[seat] = payoff(s, seat)
            if SHARED:
                enter(m, run)
                virtual_loss(m, depth, -1)
            break
        # 4. Select a child.
        if KEEPS_AMAF:
            refer(m, node, depth, run)
        place = chance(m, s, at) if node.seat == CHANCE else select(m, at)
        at = child_of(m, node, place)
        if BLOCKED:
            m.slots[depth + 1] = place
        if NOTES:
            note(m, depth, node.seat, m.tree[at].code)
        play(s, m.tree[at].code)
        depth += 1
        end = depth
    # 5. Back up.
    run.nodes += end
    run.simulated += 1
    remember(m, depth, end)
    back_up(m, depth, proven, m.tree[0].seat)
    if SHARED:
        leave(m, run)


@kernel
def resume(m):
    """Simulate until PAUSED, DONE where the root is proven, or GROW where the tree is full."""
    run, budget = m.runs[0], m.budget[0]
    while run.simulated < budget.simulations and run.nodes < budget.nodes:
        if run.size + run.blocks >= budget.entries:
            return PAUSED
        if m.tree[0].proof_seat0 != UNPROVEN:
            return DONE
        if len(m.tree) < budget.room and crowded(m, run):
            return GROW
        simulate(m, run)
    return DONE if m.tree[0].proof_seat0 != UNPROVEN else PAUSED
