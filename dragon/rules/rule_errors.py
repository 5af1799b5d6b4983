"""Rule errors: a mistake of a rule in one line, with file, line, rule and reason.

`read_rules` finds mistakes before anything is compiled: the compiler's front end reads every rule
with the types that dragon calls it with, and knows the line of what it refuses. `rule_error` makes
a RuleError of an exception that a rule raises as it runs, with the line of the author's code.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, TypeVar

from dragon.compiler.location import LIBRARY, OURS, Breach, compiled_place, places
from dragon.compiler.specialise import as_rule_error, by_numba, program_of
from dragon.errors import DragonError, RuleError, one_line
from dragon.rules.contract import RETURNS, RULES
from dragon.rules.rules import Rules

if TYPE_CHECKING:
    from dragon.compiler.types import Type


T = TypeVar("T")
LAST_CALLED: dict[int, tuple[Rules, Any]] = {}
"""The rules that each thread called last, and with which records, for the watchdog.

The records are the bytes of one, or a weak reference to an object that keeps arrays of them.
"""


def rule_error(rules: Rules, raised: BaseException) -> RuleError | None:
    """The RuleError for what a rule, or a function it called, raised; None if none did."""
    spans = {name: (f.__code__.co_filename, *_lines(f)) for name, f in rules.named().items()}
    files = {file for file, *_ in spans.values()}
    if isinstance(raised, Breach):
        name, _, reason = str(raised).partition(": ")
        file, line, _ = spans[name]
        return RuleError(name, file, line, reason.format(width=rules.width, plies=rules.plies,
                         last=len(rules.teams) - 1, largest=rules.largest,
                         ranks=rules.ranks))  # fmt: skip
    place = compiled_place(raised)
    if isinstance(raised, IndexError) and place is not None and place.file == LIBRARY:
        reason = f"{one_line(raised)} in {place.function}"
        reason += f"; are there more moves than width = {rules.width}?"
        return RuleError("moves", *spans["moves"][:2], reason)
    if isinstance(raised, IndexError) and place is not None and place.file.startswith(OURS):
        reason = (
            f"a search went past the end of its memory ({place}): does a game last longer than "
            f"plies = {rules.plies}, or has it other moves than it says?"
        )
        return RuleError("turn", *spans["turn"][:2], reason)
    own = [place for place in places(raised) if place.file in files]
    if not own and place is not None and not place.file.startswith(OURS):
        own = [place]  # of a helper in another file
    if not own:
        return None

    within = (
        name
        for place in reversed(own)
        for name, (file, first, last) in spans.items()
        if file == place.file and first <= place.line <= last
    )
    rule = next(within, own[-1].function)
    return RuleError(rule, own[-1].file, own[-1].line, one_line(raised))


def _lines(function: Any) -> tuple[int, int]:
    """The first and the last line of a function."""
    code = function.__code__
    lines = [line for *_, line in code.co_lines() if line is not None]
    return code.co_firstlineno, max(lines, default=code.co_firstlineno)


def as_rule_errors(method: Callable[..., T]) -> Callable[..., T]:
    """Decorate a method of an object with `rules`: exceptions of rules become RuleErrors."""

    @wraps(method)
    def call(self: Any, *arguments: Any) -> T:
        try:
            return method(self, *arguments)
        except Exception as raised:
            if (error := as_reported(self.rules, raised)) is raised:
                raise
            raise error from raised

    return call


def as_reported(rules: Rules, raised: Exception) -> Exception:
    """Return the RuleError that stands for an exception, or the exception where no rule raised it.

    RecursionError and MemoryError are not mistakes of a rule.
    """
    if isinstance(raised, DragonError | RecursionError | MemoryError):
        return raised
    return rule_error(rules, raised) or raised


log = logging.getLogger("dragon")


def read_rules(rules: Rules, strict: bool) -> bool:
    """Let the compiler's front end read every rule; return whether it could. Raises RuleError.

    Rules outside the subset may be correct: they are refused where this is `strict` and numba is
    not installed to compile them.
    """
    from dragon.compiler.location import Refused
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
    """Log, once in a process, the line that makes rules slow to compile."""
    log.info("%s; numba compiles the callers of this rule, which takes longer", refused)


def _kinds(rules: Rules) -> dict[str, Type]:
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
