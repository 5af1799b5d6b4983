"""The exact count of opening hands by whichever of two ways is quicker.

A few prospects are counted in plain Python (`exact`), at once; for very many ways in which
sets overlap, compiled code goes through the kinds of hand (`packed`).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from dragon.modes import jit_enabled
from dragon_hands.exact import Allowance, TooLarge, successes
from dragon_hands.formula import Formula, either, every
from dragon_hands.packed import pack, tally

FEW = 3_000
"""What plain Python may do before compiled code is asked: some ten milliseconds."""


def counted(formulas: Sequence[Formula], copies: Sequence[int], hand: int) -> list[int]:
    """How many opening hands satisfy each formula, any, all; raises TooLarge."""
    with suppress(TooLarge):  # for plain Python at once; the compiler's way may still bear it
        return _counted(formulas, copies, hand, Allowance(FEW))
    if jit_enabled():
        with suppress(TooLarge):  # for packed words; slow and sure remains
            return tally(pack(formulas, copies, hand))
    return _counted(formulas, copies, hand, Allowance())


def _counted(
    formulas: Sequence[Formula], copies: Sequence[int], hand: int, allowance: Allowance
) -> list[int]:
    objectives = [*((each,) for each in formulas), either(formulas), every(formulas)]
    if len(formulas) == 1:
        objectives = objectives[:1]
    found = [successes(objective, copies, hand, allowance) for objective in objectives]
    return found * 3 if len(formulas) == 1 else found
