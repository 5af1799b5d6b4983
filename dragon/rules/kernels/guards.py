"""Guards: kernels around a game's rules that hold them to their contract.

A guard is a kernel around a rule. It gives the rule arrays of the lengths that
`dragon.rules.contract` states, cut from the larger arrays of a kernel, so a rule with an array has
a guard in all code; so has one that returns a number, since that may be a float32, which kernels do
not mix with others. Ranges, and the other conditions on a rule's value, are tested in checked code
alone. A guard follows from the rule's declaration; SPECIAL has the guards that test more. The
module stays apart from `dragon.rules.rules`, since a fingerprint of compiled code includes its
source.

The text of a breach begins with the rule's name; see `dragon.rules.rule_errors`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call,untyped-decorator"

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

from dragon.compiler.kernel import kernel
from dragon.compiler.location import Breach
from dragon.core import CHANCE, TERMINAL
from dragon.rules.contract import RULES, Contract


class Sizes(NamedTuple):
    """The numbers of a game's Rules that guards compare with."""

    width: int
    plies: int
    seats: int
    largest: int
    ranks: int
    teams: tuple[int, ...]
    duel: bool
    chance: bool


@cache
def guard_of(name: str, own: FunctionType, checked: bool, sizes: Sizes) -> FunctionType | None:
    """Return the guard of a game's rule `own`, which is declared as `name`; None if it needs
    none."""
    rule = RULES[name]
    if not (
        rule.lengths or rule.returns == "number" or (checked and (rule.within or name in SPECIAL))
    ):
        return None
    made: FunctionType
    if name in SPECIAL:
        made = SPECIAL[name](own, checked, sizes)
    else:
        made = declared(own, rule, checked and rule.within is not None, sizes)
    return made


def declared(own: Any, rule: Contract, checked: bool, sizes: Sizes) -> Any:
    """Return the guard that follows from a declaration alone."""
    known = {"width": sizes.width, "ranks": sizes.ranks, "largest": sizes.largest,
             "plies": sizes.plies, "seats": sizes.seats}  # fmt: skip
    ends = rule.within or ("0", "0")
    least, most = (eval(end, {"__builtins__": {}}, known) for end in ends)
    room = (2 if "2 * width" in rule.lengths.values() else 1) * sizes.width
    wrong = f"{rule.name}: {rule.breach}"

    @kernel
    def tested(value):
        if checked and not least <= value <= most:
            raise Breach(wrong)
        return value

    @kernel
    def of_record(s):
        return tested(own(s))

    @kernel
    def of_number(s, number):
        return tested(own(s, number))

    @kernel
    def to_float(s, seat):
        return float(tested(own(s, seat)))

    @kernel
    def listing(s, out):
        return tested(own(s, out[:room]))

    @kernel
    def of_moves(s, out, n):
        return tested(own(s, out[:n], n))

    @kernel
    def scoring(s, out, n, scores):
        own(s, out[:n], n, scores[:n])

    @kernel
    def drawing(s, random):
        return tested(own(s, random[:1]))

    @kernel
    def dealing(s, seat, random):
        own(s, seat, random[:1])

    shapes = {
        (): of_record, ("number",): of_number, ("moves",): listing, ("codes",): listing,
        ("moves", "number"): of_moves, ("moves", "number", "codes"): scoring,
        ("moves", "number", "weights"): scoring, ("random",): drawing,
        ("number", "random"): dealing,
    }  # fmt: skip
    return to_float if rule.returns == "number" else shapes[rule.kinds[1:]]


SPECIAL: dict[str, Callable[[Any, bool, Sizes], Any]] = {}
"""The function that makes a rule's guard, by the rule's name."""


def special(make: Callable[[Any, bool, Sizes], Any]) -> Callable[[Any, bool, Sizes], Any]:
    """Register a function that makes the guard of the rule of its name."""
    SPECIAL[make.__name__] = make
    return make


@special
def turn(own, checked, sizes):
    """Check that it is an existing seat, TERMINAL, or CHANCE where the game has that trait."""
    seats, chance = sizes.seats, sizes.chance

    @kernel
    def guard(s):
        seat = own(s)
        if not TERMINAL <= seat < seats:
            raise Breach("turn: it is not a seat; they are 0 to {last}, chance is -1, the end -2")
        if seat == CHANCE and not chance:
            raise Breach("turn: it says that chance is to move, but the game has no trait CHANCE")
        return seat

    return guard


@special
def moves(own, checked, sizes):
    """Check that there are one to `width` codes."""
    width = sizes.width

    @kernel
    def guard(s, out):
        if checked and len(out) < width:
            raise ValueError("a kernel gives `moves` less room than the width of the game")
        n = own(s, out[:width])
        if checked and n > width:
            raise Breach("moves: it says that there are more moves than width = {width}")
        if checked and n < 1:
            raise Breach("moves: it gives no move, and turn does not say that the game is over")
        return n

    return guard


@special
def payoff(own, checked, sizes):
    """Check that payoffs do not exceed `largest`; in a DUEL what one team gets the other pays."""
    seats, largest, teams, duel = sizes.seats, sizes.largest, sizes.teams, sizes.duel

    @kernel
    def guard(s, seat):
        units = own(s, seat)
        if not -largest <= units <= largest:
            raise Breach("payoff: it is more than largest = {largest}")
        if duel:
            for each in range(seats):
                if own(s, each) != (units if teams[each] == teams[seat] else -units):
                    raise Breach("payoff: the seats of a team must get the same, and those of the "
                                 "other team the negative of it")  # fmt: skip
        return units

    return guard


@special
def prior(own, checked, sizes):
    """Check that there is a number above 0 for each of the n moves, and no more."""

    @kernel
    def guard(s, out, n, scores):
        if checked:
            for i in range(n):
                scores[i] = 0.0
        own(s, out[:n], n, scores[:n])
        if checked:
            for i in range(n):
                if not 0.0 < scores[i] < 1e300:
                    raise Breach("prior: not every move has a number above 0")

    return guard


@special
def reduce(own, checked, sizes):
    """Check that some of the n moves are left, at least one."""

    @kernel
    def guard(s, out, n):
        left = own(s, out[:n], n)
        if checked and not 1 <= left <= n:
            raise Breach("reduce: it must leave one move at least, and no more than it was given")
        return left

    return guard


@special
def bounds(own, checked, sizes):
    """Check that the least comes first."""

    @kernel
    def guard(s):
        least, most = own(s)
        if least > most:
            raise Breach("bounds: the least is more than the most")
        return least, most

    return guard


@special
def odds(own, checked, sizes):
    """Check that probabilities are above 0 and sum to one; `weigh_chance` gives `out` its
    length."""

    @kernel
    def guard(s, out):
        own(s, out)
        if checked:
            total = 0.0
            for i in range(len(out)):
                if not out[i] > 0.0:
                    raise Breach("odds: not every move has a probability above 0")
                total += out[i]
            if not -1e-6 < total - 1.0 < 1e-6:
                raise Breach("odds: the probabilities do not sum to 1")

    return guard


@special
def solved(own, checked, sizes):
    """Check a payoff that is neither beyond `largest` nor later than `plies`."""
    largest, most = sizes.largest, sizes.plies

    @kernel
    def guard(s, tablebase):
        units, plies = own(s, tablebase)
        if checked and plies >= 0 and not -largest <= units <= largest:
            raise Breach("solved: it is more than largest = {largest}")
        if checked and plies > most:
            raise Breach("solved: it says that the game goes on for more than plies = {plies}")
        return units, plies

    return guard


@special
def before(own, checked, sizes):
    """Check that there are at most 2 * `width` numbers, each of a position."""
    room, ranks = 2 * sizes.width, sizes.ranks

    @kernel
    def guard(s, out):
        n = own(s, out[:room])
        if checked and n > room:
            raise Breach("before: it says that there are more numbers than twice width = {width}")
        if checked:
            for i in range(n):
                if not 0 <= out[i] < ranks:
                    raise Breach("before: one is not a number from 0 to below ranks = {ranks}")
        return n

    return guard
