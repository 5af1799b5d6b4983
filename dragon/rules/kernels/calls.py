"""Calls: a kernel that asks a rule, whatever its arguments are, for rehearsals and profiles.

`calling` makes `call(s, m, n)`, which gives the rule what the contract says out of the arrays in
`m`, where the n moves of the record `s` stand in `m.out` already. It returns a number that depends
on the answer, so that the compiler cannot leave the call out.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any

from dragon.compiler.kernel import kernel
from dragon.rules.contract import Contract


def calling(rule: Contract, own: Any) -> Any:
    """Return the kernel that asks the rule `own`, which is declared as `rule` says."""

    @kernel
    def of_record(s, m, n):
        return own(s)

    @kernel
    def pair_of_record(s, m, n):
        low, high = own(s)
        return low + high

    @kernel
    def of_number(s, m, n):
        return own(s, 0)

    @kernel
    def listing(s, m, n):
        return own(s, m.out)

    @kernel
    def of_moves(s, m, n):
        return own(s, m.out, n)

    @kernel
    def scoring(s, m, n):
        own(s, m.out, n, m.scores)
        return m.scores[0]

    @kernel
    def weighing(s, m, n):
        own(s, m.out, n, m.weights)
        return m.weights[0]

    @kernel
    def weighing_chance(s, m, n):
        own(s, m.weights[:n])
        return m.weights[0]

    @kernel
    def drawing(s, m, n):
        return own(s, m.random)

    @kernel
    def pair_of_bytes(s, m, n):
        units, plies = own(s, m.tablebase)
        return units + plies

    pair = " and " in rule.returns
    shapes = {
        (): pair_of_record if pair else of_record, ("number",): of_number, ("moves",): listing,
        ("codes",): listing, ("moves", "number"): of_moves,
        ("moves", "number", "codes"): scoring, ("moves", "number", "weights"): weighing,
        ("weights",): weighing_chance, ("random",): drawing, ("bytes",): pair_of_bytes,
    }  # fmt: skip
    return shapes[rule.kinds[1:]]
