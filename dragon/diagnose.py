"""What is wrong with a rule, in one line: file, line, rule, reason.

The compiler's front end reads every rule with the types that dragon calls it with, and knows
the line of whatever it refuses. Then some games are played in plain Python, for what types do
not tell.
"""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

from dragon.bits import Random
from dragon.core import CHANCE, TERMINAL
from dragon.errors import RuleError
from dragon.modes import jit_enabled
from dragon.specialise import numba_installed, program_of, rule_error

if TYPE_CHECKING:
    from dragon.compiler.types import Type
    from dragon.rules import Rules

_ARTICLES = {"integer": "an integer", "number": "a number", "pair": "two integers"}
SIGNATURES = {
    "turn": ("s", "integer"),
    "moves": ("s codes", "integer"),
    "play": ("s number", "anything"),
    "payoff": ("s number", "integer"),
    "key": ("s", "integer"),
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


@cache
def check_rules(rules: Rules) -> None:
    """Raises RuleError for the first rule that cannot be compiled or returns nothing usable."""
    read_rules(rules, strict=jit_enabled())
    rehearse(rules)


def read_rules(rules: Rules, strict: bool) -> None:
    """Has the compiler's front end read every rule; raises RuleError.

    What is outside the subset may be right for all that: it is refused where this is `strict`
    and numba is not there to compile it.
    """
    from dragon.compiler.program import Refused, Unfinished

    try:
        kinds = _kinds(rules)
    except TypeError as wrong:  # of a layout that is outside the subset
        if numba_installed() or not strict:
            return
        code = rules.turn.__code__
        reason = f"the record has {wrong}; write i8, u8 or f8"
        raise RuleError("turn", code.co_filename, code.co_firstlineno, reason) from None
    for name, function in rules.named().items():
        names, wanted = SIGNATURES[name]
        code = function.__code__
        given = tuple(kinds[kind] for kind in names.split())
        if code.co_argcount != len(given):
            reason = f"takes {code.co_argcount} arguments, but dragon calls it with {len(given)}"
            raise RuleError(name, code.co_filename, code.co_firstlineno, reason)
        try:
            with (program := program_of(rules)).lock:
                returned = program.instance(function, given).returns
        except Unfinished:
            reason = "it calls itself for ever"
            raise RuleError(name, code.co_filename, code.co_firstlineno, reason) from None
        except Refused as refused:
            if refused.foreign and (numba_installed() or not strict):
                continue
            raise rule_error(rules, refused, name) from refused
        if not _fits(returned, wanted):
            reason = f"must return {_ARTICLES[wanted]}, but returns {_told(returned)}"
            raise RuleError(name, code.co_filename, code.co_firstlineno, reason)


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
    from dragon.compiler.types import Bool, Float, Int, Tuple

    match wanted:
        case "integer":
            return isinstance(returned, Int | Bool)
        case "number":
            return isinstance(returned, Int | Bool | Float)
        case "pair":
            pair = returned.items if isinstance(returned, Tuple) else ()
            return len(pair) == 2 and all(isinstance(item, Int | Bool) for item in pair)
    return True


def _told(returned: Any) -> str:
    from dragon.compiler.types import NOTHING, SOMETIMES

    return str(SOMETIMES if returned == NOTHING else returned)


def rehearse(rules: Rules, seconds: float = 0.2) -> None:
    """Plays random games in plain Python; raises RuleError for what compiled code cannot survive.

    A list longer than `width` or a game longer than `plies` would be written past the end
    of the kernels' memory.
    """
    begun = time.monotonic()
    for seed in range(8 if rules.first else 0):
        data, random = rules.first, Random(seed)
        for ply in range(rules.plies + 1):
            seat = rules.interpreted.turn(data)
            if seat == TERMINAL:
                break
            if seat != CHANCE and not 0 <= seat < len(rules.teams):
                _blame(rules, "turn", f"returned {seat}, which is no seat, CHANCE or TERMINAL")
            if ply == rules.plies:
                _blame(rules, "turn", f"the game goes on after plies={ply} moves; is one missing?")
            codes = _rehearsed_moves(rules, data)
            data = rules.interpreted.play(data, int(codes[random(len(codes))]))
            if time.monotonic() - begun > seconds:
                return


def _rehearsed_moves(rules: Rules, data: bytes) -> Any:
    import numpy as np

    record, out = rules.interpreted.record(data), np.zeros(rules.width, np.int64)
    try:
        n = rules.interpreted.whole("moves", record, out)
    except RuleError as told:
        overflow = f"index {rules.width} is out of bounds"
        if isinstance(told.__cause__, IndexError) and overflow in str(told.__cause__):
            _blame(rules, "moves", f"wrote more than width={rules.width} moves")
        raise
    if not 0 < n <= rules.width:
        _blame(rules, "moves", f"returned {n} before the end; there are 1 to width={rules.width}")
    return out[:n]


def _blame(rules: Rules, name: str, reason: str) -> NoReturn:
    code = getattr(rules, name).__code__
    raise RuleError(name, code.co_filename, code.co_firstlineno, reason)
