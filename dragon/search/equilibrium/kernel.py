"""Counterfactual regret minimization and best responses on a game in sequence form.

A *plan* gives each sequence the probability that its seat plays it, if the others and chance let it
(the realization plan of von Stengel 1996); sequences 0 to SEATS - 1 are the empty ones. The *worth*
of a sequence is its counterfactual value: what the leaves beyond it pay, each times the probability
that chance and the other seats come to it.

Sources: M. Zinkevich and others, "Regret Minimization in Games with Incomplete Information" (2007);
O. Tammelin, "Solving Large Imperfect Information Games Using CFR+" (2014); N. Brown and T.
Sandholm, "Solving Imperfect-Information Games via Discounted Regret Minimization" (2019); G.
Farina, C. Kroer and T. Sandholm, "Faster Game Solving via Predictive Blackwell Approachability"
(2021).
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import math
from typing import Any, NamedTuple

from attrs import frozen

from dragon.rules.template import SEATS, kernel


@frozen
class Variant:
    """The parameters of a variant of counterfactual regret minimization."""

    floor: bool = False
    """Set negative regrets to zero (CFR+)."""
    alpha: float = -1.0
    """The exponent by which positive regrets are discounted; below 0: they are not."""
    beta: float = -1.0
    """The exponent of negative ones."""
    gamma: float = 0.0
    """The exponent of an iteration's weight in the average."""
    predictive: bool = False
    """Add the last regret as a prediction of the next."""


VARIANTS = {
    "cfr": Variant(),
    "cfr+": Variant(floor=True, gamma=1.0),
    "linear": Variant(alpha=1.0, beta=1.0, gamma=1.0),
    "discounted": Variant(alpha=1.5, beta=0.0, gamma=2.0),
    "predictive": Variant(floor=True, gamma=2.0, predictive=True),
}
"""CFR (2007), CFR+ (2014), linear and discounted CFR (2019), predictive CFR+ (2021)."""


class Memory(NamedTuple):
    """A game in sequence form, and what has been learnt of it."""

    seat: Any  # int64[sets]
    parent: Any  # int64[sets], the sequence of the seat before the set
    first: Any  # int64[sets], the sequence of its first move
    count: Any  # int64[sets], its moves
    leaves: Any  # int32[seats, leaves], the last sequence of each seat
    paid: Any  # float64[seats, leaves], payoffs times the probability of chance
    plan: Any  # float64[sequences], by the current strategies
    total: Any  # float64[sequences], the weighted sum of plans
    regret: Any  # float64[sequences]
    last: Any  # float64[sequences], the regret of the last iteration alone
    worth: Any  # float64[sequences]


@kernel
def weigh(m, x, seat, paid):
    """Set the worth of a seat's sequences to that of the leaves directly after them."""
    for i in range(len(m.worth)):
        m.worth[i] = 0.0
    for leaf in range(len(paid)):
        value = paid[leaf]
        for other in range(SEATS):
            if other != seat:
                value *= x[m.leaves[other, leaf]]
        m.worth[m.leaves[seat, leaf]] += value


@kernel
def expected(m, x, seat):
    """Return the expected payoff of a seat if all follow the plans."""
    total = 0.0
    for leaf in range(len(m.paid[seat])):
        value = m.paid[seat, leaf]
        for each in range(SEATS):
            value *= x[m.leaves[each, leaf]]
        total += value
    return total


@kernel
def share(m, i, predictive):
    """Return the part of a sequence in regret matching: its regret, if positive."""
    regret = m.regret[i] + (m.last[i] if predictive else 0.0)
    return max(regret, 0.0)


@kernel
def learn(m, seat, floor, up, down, predictive):
    """Add the regrets of a seat, from its last information sets to its first.

    floor: negative regrets become zero (CFR+). up, down: the factors of positive and of negative
    ones.
    """
    for back in range(len(m.seat)):
        k = len(m.seat) - 1 - back
        if m.seat[k] != seat:
            continue
        begin, end = m.first[k], m.first[k] + m.count[k]
        if m.count[k] == 1:
            m.worth[m.parent[k]] += m.worth[begin]
            continue
        shares = value = 0.0
        for i in range(begin, end):
            part = share(m, i, predictive)
            shares += part
            value += part * m.worth[i]
        if shares > 0.0:
            value /= shares  # one division for each set: more would cost a third of the time
        else:
            for i in range(begin, end):
                value += m.worth[i] / m.count[k]
        for i in range(begin, end):
            m.last[i] = m.worth[i] - value
            regret = m.regret[i] + m.last[i]
            if floor:
                m.regret[i] = max(regret, 0.0)
            else:
                m.regret[i] = regret * (up if regret > 0.0 else down)
        m.worth[m.parent[k]] += value


@kernel
def follow(m, seat, predictive, keep, weight):
    """Make the plan of a seat from its regrets, and add it to the total.

    keep, weight: the factors of the total so far and of this plan.
    """
    m.plan[seat] = 1.0
    for k in range(len(m.seat)):
        if m.seat[k] != seat:
            continue
        begin, end = m.first[k], m.first[k] + m.count[k]
        if m.count[k] == 1:
            m.plan[begin] = m.plan[m.parent[k]]
            m.total[begin] = m.total[begin] * keep + weight * m.plan[begin]
            continue
        shares = 0.0
        for i in range(begin, end):
            shares += share(m, i, predictive)
        before = m.plan[m.parent[k]]
        for i in range(begin, end):
            part = share(m, i, predictive) / shares if shares > 0.0 else 1.0 / m.count[k]
            m.plan[i] = before * part
            m.total[i] = m.total[i] * keep + weight * m.plan[i]


@kernel
def iterate(m, done, iterations, floor, alpha, beta, gamma, predictive):
    """Make iterations, in which the seats learn one after another; `done` were made before.

    Regrets are discounted by t^alpha / (t^alpha + 1) and t^beta / (t^beta + 1), not where that
    exponent is below 0; plan t counts t^gamma in the total.
    """
    if done == 0:
        for seat in range(SEATS):
            follow(m, seat, predictive, 1.0, 0.0)
    for n in range(iterations):
        t = float(done + n + 1)
        up = down = 1.0
        if alpha >= 0.0:
            up = math.pow(t, alpha) / (math.pow(t, alpha) + 1.0)
        if beta >= 0.0:
            down = math.pow(t, beta) / (math.pow(t, beta) + 1.0)
        keep = math.pow((t - 1.0) / t, gamma)
        for seat in range(SEATS):
            weigh(m, m.plan, seat, m.paid[seat])
            learn(m, seat, floor, up, down, predictive)
            follow(m, seat, predictive, keep, 1.0)


@kernel
def average(m, x, probabilities):
    """Write the plans of the average strategies, and the probability of each sequence's move."""
    for seat in range(SEATS):
        x[seat] = 1.0
    for k in range(len(m.seat)):
        begin, end = m.first[k], m.first[k] + m.count[k]
        shares = 0.0
        for i in range(begin, end):
            shares += m.total[i]
        for i in range(begin, end):
            probabilities[i] = m.total[i] / shares if shares > 0.0 else 1.0 / m.count[k]
            x[i] = x[m.parent[k]] * probabilities[i]


@kernel
def respond(m, x, seat):
    """Return the gain of a seat's best response to the others' plans."""
    weigh(m, x, seat, m.paid[seat])
    for back in range(len(m.seat)):
        k = len(m.seat) - 1 - back
        if m.seat[k] == seat:
            begin = m.first[k]
            best = m.worth[begin]
            for i in range(begin + 1, begin + m.count[k]):
                best = max(best, m.worth[i])
            m.worth[m.parent[k]] += best
    return m.worth[seat]


@kernel
def expect(m, x, probabilities, seat, paid, values):
    """Write the counterfactual value of each information set of a seat; return that of the game.

    probabilities: of each sequence's move, where its set is reached. paid: float64[leaves].
    """
    weigh(m, x, seat, paid)
    for back in range(len(m.seat)):
        k = len(m.seat) - 1 - back
        if m.seat[k] == seat:
            value = 0.0
            for i in range(m.first[k], m.first[k] + m.count[k]):
                value += probabilities[i] * m.worth[i]
            values[k] = value
            m.worth[m.parent[k]] += value
    return m.worth[seat]
