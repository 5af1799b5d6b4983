"""What is wrong with a rule, in one line: file, line, rule, reason.

The compiler's front end reads every rule with the types that dragon calls it with, and knows
the line of whatever it refuses. Then some games are played in checked code, for what types do
not tell.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dragon.errors import RuleError
from dragon.modes import jit_enabled
from dragon.specialise import numba_installed, program_of, rule_error, stamp_of

if TYPE_CHECKING:
    from dragon.compiler.types import Type
    from dragon.rules import Rules

_ARTICLES = {"integer": "an integer", "word": "an integer", "number": "a number",
             "pair": "two integers"}  # fmt: skip
SIGNATURES = {
    "turn": ("s", "integer"),
    "moves": ("s codes", "integer"),
    "play": ("s number", "anything"),
    "payoff": ("s number", "integer"),
    "key": ("s", "word"),
    "order": ("s codes number codes", "anything"),
    "evaluate": ("s number", "number"),
    "odds": ("s weights", "anything"),
    "sample": ("s random", "integer"),
    "banked": ("s", "integer"),
    "reduce": ("s codes number", "integer"),
    "bounds": ("s", "pair"),
    "solved": ("s bytes", "pair"),
}
"""Of each rule the kinds of its arguments, and what it returns."""
FIRST_MOVES = 20_000_000
"""So many moves are listed in first games, or one game is played: fewer plies of a wide board."""


@cache
def check_rules(rules: Rules) -> None:
    """Raises RuleError for the first rule that cannot be compiled, or goes wrong in first games.

    That first games went well is kept in the cache, for these rules and this first record.
    """
    from dragon.cache import load, save
    from dragon.rehearsal import FIRST_PLIES, rehearse

    mark, name = stamp_of("dragon.kernels.rehearsal", rules), _first_games(rules)
    if rules.first and load(mark, name) is not None:
        return
    whole = read_rules(rules, strict=jit_enabled())
    if rules.first and whole:
        plies = max(1, min(FIRST_PLIES, FIRST_MOVES // rules.width))
        if (mishap := rehearse(rules, rules.first, plies)) is not None:
            raise mishap.whole()
        told = {"template": "dragon.kernels.rehearsal", "label": rules.label}
        save(mark, name, json.dumps(told).encode(), b"")


def _first_games(rules: Rules) -> str:
    """A name for the first games of rules: of their first record, and of who plays them."""
    here = Path(__file__)
    played_by = here.read_bytes() + here.with_name("rehearsal.py").read_bytes()
    return f"first_games-{hashlib.sha256(rules.first + played_by).hexdigest()[:16]}"


def read_rules(rules: Rules, strict: bool) -> bool:
    """Has the compiler's front end read every rule; whether it could. Raises RuleError.

    What is outside the subset may be right for all that: it is refused where this is `strict`
    and numba is not there to compile it.
    """
    from dragon.compiler.program import Refused, Unfinished

    try:
        kinds = _kinds(rules)
    except TypeError as wrong:  # of a layout that is outside the subset
        if numba_installed() or not strict:
            return False
        code = rules.turn.__code__
        reason = f"the record has {wrong}; write i8, u8 or f8"
        raise RuleError("turn", code.co_filename, code.co_firstlineno, reason) from None
    whole = True
    for name, function in rules.named().items():
        names, wanted = SIGNATURES[name]
        code = function.__code__
        given = tuple(kinds[kind] for kind in names.split())
        if code.co_argcount != len(given):
            reason = f"takes {code.co_argcount} arguments, but dragon calls it with {len(given)}"
            if function.__defaults__ and code.co_argcount > len(given):
                reason += "; one that has a default counts, so give it a value outside the rule"
            raise RuleError(name, code.co_filename, code.co_firstlineno, reason)
        try:
            with (program := program_of(rules)).lock:
                returned = program.instance(function, given).returns
        except Unfinished:
            reason = "it calls itself for ever"
            raise RuleError(name, code.co_filename, code.co_firstlineno, reason) from None
        except Refused as refused:
            if refused.foreign and (numba_installed() or not strict):
                whole = False
                continue
            raise rule_error(rules, refused, name) from refused
        if not _fits(returned, wanted):
            reason = f"must return {_ARTICLES[wanted]}, but returns {_told(returned)}"
            reason += "; write i64(...)" if "uint64" in reason else ""
            raise RuleError(name, code.co_filename, code.co_firstlineno, reason)
    return whole


def _kinds(rules: Rules) -> dict[str, Type]:
    """The types of what rules are called with."""
    import numpy as np

    from dragon.compiler.types import FLOAT, INT, UINT, Array, Int, of_dtype

    return {
        "s": of_dtype(np.dtype(rules.layout)),
        "number": INT,
        "codes": Array(INT, (None,)),
        "weights": Array(FLOAT, (None,)),
        "random": Array(UINT, (None,)),
        "bytes": Array(Int(8, signed=False), (None,), writable=False),
    }


def _fits(returned: Any, wanted: str) -> bool:
    from dragon.compiler.types import UINT, Bool, Float, Int, Tuple

    match wanted:
        case "integer":
            return isinstance(returned, Int | Bool) and returned != UINT
        case "word":
            return isinstance(returned, Int | Bool)
        case "number":
            return isinstance(returned, Int | Bool | Float)
        case "pair":
            pair = returned.items if isinstance(returned, Tuple) else ()
            return len(pair) == 2 and all(_fits(item, "integer") for item in pair)
    return True


def _told(returned: Any) -> str:
    from dragon.compiler.types import NOTHING, SOMETIMES

    return str(SOMETIMES if returned == NOTHING else returned)
