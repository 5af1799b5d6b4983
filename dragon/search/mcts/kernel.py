"""Monte Carlo tree search over an array of nodes: `plain.PlainTree.simulate`, compiled.

One simulation selects a path from the root, expands its last node, plays out at random
and backs up; the steps are those of the plain form. A node's total is from the side of
the seat that moved into it.

Short names: m the Memory, run the RUN, node a NODE of `m.tree`, all of `memory`; s a state, `at`
the index of a node.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.bits import draw
from dragon.core import CHANCE, TERMINAL
from dragon.rules.kernels.state import weigh_chance
from dragon.rules.playout import pick
from dragon.rules.template import (
    HAS_ODDS,
    HAS_SOLVED,
    LARGEST,
    SEATS,
    TEAM,
    WIDTH,
    kernel,
    moves,
    payoff,
    play,
    reduce,
    solved,
    turn,
)
from dragon.search.driver import DONE, GROW, PAUSED
from dragon.search.mcts.amaf import gather, refer
from dragon.search.mcts.guesses import guess_again, guess_children, mixed, pay_guess
from dragon.search.mcts.history import learn, learn_grams
from dragon.search.mcts.playing import decide, finish, note
from dragon.search.mcts.policies import (
    CUTS,
    DECISIVE,
    KEEPS_AMAF,
    KEEPS_GRAMS,
    KEEPS_GUESSES,
    KEEPS_HISTORY,
    KEEPS_PRIORS,
    KEEPS_SQUARES,
    NOTES,
    SCORES_UNTRIED,
    SHARED,
    UNTRIED_FIRST,
    score,
    share,
)
from dragon.search.mcts.priors import expect
from dragon.search.mcts.reuse import find as find
from dragon.search.mcts.reuse import graft as graft
from dragon.search.mcts.sharing import count_loss, enter, leave

UNPROVEN = -(1 << 62)
UNSEEN = -3  # seat of a node that no simulation has reached


@kernel
def units_of(proof, seat):
    """A proof from the side of `seat`."""
    return proof if TEAM[seat] == TEAM[0] else -proof


@kernel
def expand(m, s, at, run):
    """Gives node `at`, at the record `s`, children in random order; False without room."""
    node = m.tree[at]
    n = moves(s, m.out)
    if run.reduce and node.seat != CHANCE:
        n = reduce(s, m.out, n)
    if DECISIVE and node.seat != CHANCE:
        n = decide(m, s, node.seat, n)
    if run.size + n > run.room:
        return False
    if node.seat != CHANCE:
        for i in range(n - 1, 0, -1):
            j = draw(m.random, i + 1)
            m.out[i], m.out[j] = m.out[j], m.out[i]
    if KEEPS_PRIORS and node.seat != CHANCE:
        expect(m, s, n)
    node.first = run.size
    node.count = node.unproven = n
    node.tried = 0
    node.best = UNPROVEN
    for i in range(n):
        child = m.tree[run.size + i]
        child.code = m.out[i]
        child.total = child.visits = child.first = child.count = child.tried = 0
        child.proof = UNPROVEN
        child.seat = UNSEEN
        if KEEPS_SQUARES:
            child.squares = 0.0
        if KEEPS_PRIORS:
            child.prior = m.weights[i] if node.seat != CHANCE else 0.0
        if KEEPS_GUESSES:
            child.guess = 0.0
    run.size += n
    if KEEPS_GUESSES and node.seat != CHANCE:
        guess_children(m, s, node)
    return True


@kernel
def select(m, at, run):
    """The child of node `at` that the selection asks for next."""
    node = m.tree[at]
    if UNTRIED_FIRST and node.tried < node.count:
        node.tried += 1
        return node.first + node.tried - 1
    chosen = node.first
    most = -1.0
    shared = share(node, run)
    for i in range(node.first, node.first + node.count):
        child = m.tree[i]
        known = child.proof != UNPROVEN
        if known:
            units = units_of(child.proof, node.seat)
            if units == -LARGEST:
                continue
            value = (units / LARGEST + 1.0) * 0.5
        elif UNTRIED_FIRST or child.visits > 0:
            value = (child.total / (child.visits * LARGEST) + 1.0) * 0.5
        else:
            value = run.fpu
        if KEEPS_GUESSES and not known:
            value = mixed(value, child.guess, run.minimax)
        if UNTRIED_FIRST or SCORES_UNTRIED or child.visits > 0:
            value = score(m, node, child, value, known, shared, run)
        if value > most:
            chosen, most = i, value
    return chosen


@kernel
def chance(m, s, at):
    """A child of the CHANCE node `at`, drawn by its odds."""
    node = m.tree[at]
    if HAS_ODDS:
        weigh_chance(s, m.weights, node.count)
        return node.first + pick(m.random, m.weights[: node.count])
    return node.first + draw(m.random, node.count)


@kernel
def back_up(m, depth, proven, root_seat):
    """Adds a simulation's payoffs along its path, and what its last node's proof proves above."""
    for d in range(depth, -1, -1):
        node = m.tree[m.path[d]]
        node.visits += 1
        seat = m.tree[m.path[d - 1]].seat if d > 0 else root_seat
        node.total += m.pay[max(seat, 0)]
        if KEEPS_SQUARES:
            share_won = (m.pay[max(seat, 0)] / LARGEST + 1.0) * 0.5
            node.squares += share_won * share_won
        if not proven or d == 0:
            continue
        parent = m.tree[m.path[d - 1]]
        if seat == CHANCE:
            proven = False
            continue
        units = units_of(node.proof, seat)
        parent.unproven -= 1
        parent.best = max(parent.best, units)
        proven = parent.best == LARGEST or parent.unproven == 0
        if proven:
            parent.proof = units_of(parent.best, seat)


@kernel
def remember(m, depth, end, run):
    """Adds a simulation of `end` plies, `depth` of them in the tree, to what is kept of moves."""
    if KEEPS_AMAF:
        for d in range(depth + 1):
            gather(m, m.tree[m.path[d]].tried, d, end, run)
    if KEEPS_HISTORY:
        learn(m, end)
    if KEEPS_GRAMS:
        learn_grams(m, end)
    if KEEPS_GUESSES:
        guess_again(m, depth)


@kernel
def simulate(m, run):
    """One simulation from states[0]; states[1] is scratch."""
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
            if HAS_SOLVED and run.solved and depth > 0 and node.seat >= 0:
                units, plies = solved(s, m.tablebase)
                if plies >= 0:
                    node.proof = units
                    proven = True
        if node.proof != UNPROVEN:
            for seat in range(SEATS):
                m.pay[seat] = units_of(node.proof, seat)
            break
        if node.seat == TERMINAL:
            for seat in range(SEATS):
                m.pay[seat] = payoff(s, seat)
            if run.solver:
                node.proof = m.pay[0]
                proven = True
            break
        # 2. Expand a node that is visited again, while there is room.
        ready = node.count > 0
        if not ready and (depth == 0 or node.visits > 0) and depth < run.depth:
            ready = expand(m, s, at, run)
        # 3. Play out from a leaf.
        if not ready:
            if SHARED:
                count_loss(m, depth, 1)
                leave(m, run)
            end = finish(m, s, depth, run)
            if CUTS and turn(s) != TERMINAL:
                pay_guess(m, s)
            else:
                for seat in range(SEATS):
                    m.pay[seat] = payoff(s, seat)
            if SHARED:
                enter(m, run)
                count_loss(m, depth, -1)
            break
        # 4. Select a child.
        if KEEPS_AMAF:
            refer(node, depth, run)
        at = chance(m, s, at) if node.seat == CHANCE else select(m, at, run)
        if NOTES:
            note(m, depth, node.seat, m.tree[at].code)
        play(s, m.tree[at].code)
        depth += 1
        end = depth
    # 5. Back up.
    run.nodes += end
    run.simulated += 1
    remember(m, depth, end, run)
    back_up(m, depth, proven, m.tree[0].seat)
    if SHARED:
        leave(m, run)


@kernel
def resume(m):
    """Simulations until PAUSED, DONE where the root is proven, or GROW where the tree is full."""
    run = m.runs[0]
    while run.simulated < run.stop and run.nodes < run.stop_nodes:
        if run.size >= run.stop_size:
            return PAUSED
        if m.tree[0].proof != UNPROVEN:
            return DONE
        if run.size + WIDTH > len(m.tree) and len(m.tree) < run.room:
            return GROW
        simulate(m, run)
    return DONE if m.tree[0].proof != UNPROVEN else PAUSED
