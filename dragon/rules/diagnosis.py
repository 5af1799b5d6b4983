"""Diagnosis: a mistake of a rule in one line, with file, line, rule and reason.

The compiler's front end reads every rule with the types that dragon calls it with, and knows
the line of what it refuses.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING, Any

from dragon.compiler.specialise import as_rule_error, by_numba, program_of
from dragon.rules.contract import RETURNS, RULES
from dragon.rules.rules import Rules

if TYPE_CHECKING:
    from dragon.compiler.types import Type

log = logging.getLogger("dragon")


def read_rules(rules: Rules, strict: bool) -> bool:
    """Let the compiler's front end read every rule; return whether it could. Raises RuleError.

    Rules outside the subset may be correct: they are refused where this is `strict` and numba is
    not installed to compile them.
    """
    from dragon.compiler.refusal import Refused
    from dragon.compiler.types import NOTHING, SOMETIMES

    try:
        kinds = _kinds(rules)
    except TypeError as wrong:  # of a layout that is outside the subset
        if by_numba(foreign=True) or not strict:
            return False
        raise rules.error("turn", f"the record has {wrong}; write i8, u8 or f8") from None
    compiles = True
    for name, function in rules.named().items():
        code, wanted = function.__code__, RULES[name].returns
        given = tuple(kinds[kind] for kind in RULES[name].kinds)
        if code.co_argcount != len(given):
            reason = f"takes {code.co_argcount} arguments, but dragon calls it with {len(given)}"
            if function.__defaults__ and code.co_argcount > len(given):
                reason += "; one that has a default counts, so give it a value outside the rule"
            raise rules.error(name, reason)
        try:
            returned = program_of(rules, False).typed(function, given).returns
        except Refused as refused:
            error = as_rule_error(rules, refused, name)
            if refused.foreign and (by_numba(foreign=True) or not strict):
                compiles = False
                if strict:
                    _note(str(error))
                continue
            raise error from refused
        if not _fits(returned, wanted):
            found = SOMETIMES if returned == NOTHING else returned
            reason = f"must return {RETURNS[wanted]}, but returns {found}"
            reason += "; write i64(...)" if "uint64" in reason else ""
            raise rules.error(name, reason)
    return compiles


@cache
def _note(refused: str) -> None:
    """Say, once in a process, which line makes rules slow to compile."""
    log.info("%s; numba compiles what asks this rule, which takes longer", refused)


def _kinds(rules: Rules) -> dict[str, Type]:
    """The types of what rules are called with."""
    import numpy as np

    from dragon.compiler.types import FLOAT, INT, UINT, Array, Int, of_dtype

    return {
        "record": of_dtype(np.dtype(rules.layout)),
        "number": INT,
        "moves": Array(INT, (None,)),
        "codes": Array(INT, (None,)),
        "weights": Array(FLOAT, (None,)),
        "random": Array(UINT, (None,)),
        "bytes": Array(Int(8, signed=False), (None,), writable=False),
    }


def _fits(returned: Any, wanted: str) -> bool:
    from dragon.compiler.types import UINT, Bool, Float, Int, Tuple

    match wanted:
        case "nothing":
            return True
        case "word":
            return isinstance(returned, Int | Bool)
        case "number":
            return isinstance(returned, Int | Bool | Float)
        case "units and units" | "units and plies":
            pair = returned.items if isinstance(returned, Tuple) else ()
            return len(pair) == 2 and all(_fits(item, "integer") for item in pair)
    return isinstance(returned, Int | Bool) and returned != UINT
