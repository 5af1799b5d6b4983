"""Each rule by itself, called on the states of random games: for `dragon profile`.

Compiled rules are woven into their kernels and cannot be timed there. So an `ask` calls a rule on
one record of a sample, and a `time` does so many times. Those of the optional rules follow from
their declarations (`timers`).
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from collections.abc import Mapping
from typing import Any, NamedTuple

from dragon.core import CHANCE, TERMINAL
from dragon.rules.contract import OPTIONAL, RULES
from dragon.rules.kernels.calls import calling
from dragon.rules.kernels.playout import finish, step
from dragon.rules.kernels.state import weigh_chance
from dragon.rules.template import HAS_ODDS, SEATS, kernel, moves, payoff, play, turn


class Scratch(NamedTuple):
    """The arrays that rules read and write beside a record; width: the most moves of a state."""

    codes: Any
    """int64[n]: the move that followed each record."""
    records: Any
    """records[any], to be played on."""
    out: Any
    """int64[width]; twice as long in a game with `before`."""
    scores: Any
    """int64[width]."""
    weights: Any
    """float64[width], empty for a game without a rule that is given weights."""
    random: Any
    """As for `step`."""
    tablebase: Any
    """As for the rule `solved`."""


@kernel
def gather(states, codes, rolls, counts, out, weights, random):
    """Fills `states` with those of random games, and `rolls` with those where chance has odds.

    states: records[n + 2]; the last but one is the first state of every game, the last is
    scratch. codes: int64[n], the move that followed. rolls: records[any]; counts: int64[3], set to
    how many states and rolls are kept, and how many games have ended. out, weights, random:
    as for `step`.
    """
    n = len(codes)
    s = states[n + 1]
    counts[:] = 0
    while counts[0] < n:
        states[n + 1] = states[n]
        seat = turn(s)
        while seat != TERMINAL and counts[0] < n:
            if HAS_ODDS and seat == CHANCE:
                if counts[1] < len(rolls):
                    rolls[counts[1]] = s
                    counts[1] += 1
                play(s, step(s, seat, out, weights, random, False))
            else:
                code = step(s, seat, out, weights, random, False)
                states[counts[0]] = s
                codes[counts[0]] = code
                counts[0] += 1
                play(s, code)
            seat = turn(s)
        counts[2] += 1
    return counts[2]


@kernel
def gather_ends(ends, first, out, weights, random):
    """Fills `ends` with the last states of random games from first[0]; how many plies they took."""
    plies = 0
    for i in range(len(ends)):
        ends[i] = first[0]
        plies += finish(ends[i], out, weights, random, False)
    return plies


def timing(ask):
    """The kernel that calls `ask(states, i, scratch)` so many times, through all states and again.

    It returns what depends on all that was answered, so that the compiler leaves nothing out.
    """

    @kernel
    def time(states, scratch, count):
        total = ask(states, 0, scratch)
        i = 0
        for _ in range(count):
            total += ask(states, i, scratch)
            i = i + 1 if i + 1 < len(states) else 0
        return total

    return time


@kernel
def ask_copy(states, i, scratch):
    """Copies the record, as `play` needs it."""
    scratch.records[i % len(scratch.records)] = states[i]
    return i


@kernel
def ask_turn(states, i, scratch):
    """Asks whose turn it is."""
    return turn(states[i])


@kernel
def ask_moves(states, i, scratch):
    """Lists the moves; how many they are."""
    return moves(states[i], scratch.out)


@kernel
def ask_play(states, i, scratch):
    """Plays the move that followed, on a copy."""
    scratch.records[i % len(scratch.records)] = states[i]
    play(scratch.records[i % len(scratch.records)], scratch.codes[i])
    return i


@kernel
def ask_payoff(states, i, scratch):
    """Asks for the payoffs of all seats, whose plain sum may always be 0."""
    total = 0
    for seat in range(SEATS):
        total += (seat + 1) * payoff(states[i], seat)
    return total


@kernel
def ask_odds(states, i, scratch):
    """Asks for the odds, with `moves`, which says how many they are."""
    n = moves(states[i], scratch.out)
    weigh_chance(states[i], scratch.weights, n)
    return scratch.weights[0]


def asking(name: str, own: Any) -> Any:
    """Return the kernel that asks an optional rule, as it is declared.

    It lists the moves before, where the rule is given them, and copies a record that it changes.
    """
    rule = RULES[name]
    call, given, changes = calling(rule, own), "number" in rule.kinds[2:], rule.changes

    @kernel
    def ask(states, i, scratch):
        n = moves(states[i], scratch.out) if given else 0
        if changes:
            at = i % len(scratch.records)
            scratch.records[at] = states[i]
            return call(scratch.records[at], scratch, n)
        return call(states[i], scratch, n)

    return ask


def timers(bound: Mapping[str, Any]) -> dict[str, Any]:
    """Return the kernel `time_...` of each optional rule among a game's bindings, except `odds`."""
    named = (name for name in OPTIONAL if name in bound and name != "odds")
    return {f"time_{name}": timing(asking(name, bound[name])) for name in named}


time_copy, time_turn, time_moves = timing(ask_copy), timing(ask_turn), timing(ask_moves)
time_play, time_payoff, time_odds = timing(ask_play), timing(ask_payoff), timing(ask_odds)
