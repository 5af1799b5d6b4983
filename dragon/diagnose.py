"""What is wrong with a rule, in one line: file, line, rule, reason.

Numba's own messages are tens of lines that point into a kernel. So each rule is first
read for unknown field names, then compiled alone, then its return type is looked at.
"""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import os
import re
import textwrap
import time
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from types import FunctionType
from typing import TYPE_CHECKING, Any, NoReturn

from dragon.bits import Random
from dragon.core import CHANCE, TERMINAL
from dragon.errors import RuleError

if TYPE_CHECKING:
    from dragon.rules import Rules


_ARTICLES = {"integer": "an integer", "number": "a number", "pair": "two integers"}
_MAKES = "it makes an array; write into the record, or say Rules(allocates=True), at a price"


def check_rules(rules: Rules) -> None:
    """Raises RuleError for the first rule that cannot be compiled or returns nothing usable."""
    from dragon.specialise import prepare

    check_fields(rules)
    prepare(rules)
    for name, arguments, kind in _signatures(rules):
        _check_types(name, getattr(rules, name), arguments, kind, rules.allocates)
    rehearse(rules)


def check_fields(rules: Rules) -> None:
    """Raises RuleError for the first rule that speaks of a field or a name that there is not."""
    for name, function in rules.named().items():
        _check_fields(name, function, rules.layout.names)
        _check_globals(name, function)


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


def _check_fields(rule: str, function: FunctionType, names: tuple[str, ...]) -> None:
    """Reads the source for `s.field` on the first parameter; skipped where there is no source."""
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        return  # typed at a prompt: the compiler will tell
    tree = ast.parse(textwrap.dedent("".join(lines)))
    record = function.__code__.co_varnames[0] if function.__code__.co_argcount else ""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == record
            and node.attr not in names
        ):
            close = get_close_matches(node.attr, names, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise RuleError(
                rule,
                function.__code__.co_filename,
                first + node.lineno - 1,
                f"the record has no field {node.attr!r}{hint} (fields: {', '.join(names)})",
            )


def _check_globals(rule: str, function: FunctionType) -> None:
    """Reads the byte code for global names that nobody defines."""
    known = {**vars(builtins), **function.__globals__}
    for step in dis.get_instructions(function):
        if step.opname == "LOAD_GLOBAL" and step.argval not in known:
            code = function.__code__
            line = (step.positions and step.positions.lineno) or code.co_firstlineno
            close = get_close_matches(step.argval, [*known, *code.co_varnames], n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            reason = f"the name {step.argval!r} is not defined{hint}"
            raise RuleError(rule, code.co_filename, line, reason)


def _signatures(rules: Rules) -> Iterator[tuple[str, tuple[Any, ...], str]]:
    """Each rule of the game with the types of its arguments and what it must return."""
    from numba import from_dtype, types

    s = from_dtype(rules.layout)
    codes, scores = types.int64[::1], types.int64[::1]
    number = types.int64
    wanted: dict[str, tuple[tuple[Any, ...], str]] = {
        "turn": ((s,), "integer"),
        "moves": ((s, codes), "integer"),
        "play": ((s, number), "nothing"),
        "payoff": ((s, number), "integer"),
        "key": ((s,), "integer"),
        "order": ((s, codes, number, scores), "nothing"),
        "evaluate": ((s, number), "number"),
        "odds": ((s, types.float64[::1]), "nothing"),
        "sample": ((s, types.uint64[::1]), "integer"),
        "banked": ((s,), "integer"),
        "reduce": ((s, codes, number), "integer"),
        "bounds": ((s,), "pair"),
        "solved": ((s, types.Array(types.uint8, 1, "C", readonly=True)), "pair"),
    }
    for name, (arguments, kind) in wanted.items():
        if getattr(rules, name) is not None:
            yield name, arguments, kind


def _check_types(
    name: str, function: Callable[..., Any], arguments: Any, kind: str, allocates: bool
) -> None:
    import numba
    from numba.core import types

    code = function.__code__
    if code.co_argcount != len(arguments):
        raise RuleError(
            name,
            code.co_filename,
            code.co_firstlineno,
            f"takes {code.co_argcount} arguments, but dragon calls it with {len(arguments)}",
        )
    options: Any = {"error_model": "numpy", "_nrt": allocates}
    try:
        compiled = numba.njit(**options)(function)
        compiled.compile(tuple(arguments))
    except Exception as error:  # the compiler raises whatever it stumbles over
        file, line = _place(str(error), code)
        makes = not allocates and _compiles_with_memory(function, arguments)
        raise RuleError(name, file, line, _MAKES if makes else _reason(error)) from error
    returned = compiled.overloads[tuple(arguments)].signature.return_type
    fits = {
        "integer": isinstance(returned, types.Integer | types.Boolean | types.IntegerLiteral),
        "number": isinstance(returned, types.Number | types.Boolean),
        "nothing": True,
        "pair": isinstance(returned, types.BaseTuple) and len(returned) == 2,
    }
    if not fits[kind]:
        what = (
            "nothing on some way through it"
            if isinstance(returned, types.NoneType | types.Optional)
            else str(returned)
        )
        raise RuleError(
            name,
            code.co_filename,
            code.co_firstlineno,
            f"must return {_ARTICLES[kind]}, but returns {what}",
        )


def _compiles_with_memory(function: Callable[..., Any], arguments: Any) -> bool:
    """Whether memory of its own is all that a rule lacks, or a function that it calls.

    For a function that is called, the compiler's message need not speak of memory at all.
    """
    import numba

    try:
        numba.njit(error_model="numpy")(function).compile(tuple(arguments))
    except Exception:  # then memory is not its only fault, and the first message tells more
        return False
    return True


def _place(message: str, code: Any) -> tuple[str, int]:
    """The innermost place that numba names outside its own files, else the rule's first line.

    What it names first lies deepest: in the function that a rule calls, not in the rule.
    """
    for file, line in re.findall(r'File "([^"<]+)", line (\d+)', message):
        if "numba/" not in file:
            return os.path.abspath(file), int(line)  # numba writes paths from where it runs
    return code.co_filename, code.co_firstlineno


_REASONS = (
    r"Untyped global name '[^']+'[^\n]*",
    r"Unknown attribute[^\n]*",
    r"NameError: [^\n]*",
    r"Cannot unify [^\n]*",
    r"Cannot resolve setattr[^\n]*",
    r"Cannot cast [^\n:]*",
    r"No conversion from [^\n]*",
    r"Use of unsupported [^\n]*",
    r"The use of [^\n]*",
    r"Type of variable [^\n]*",
)


def _reason(error: Exception) -> str:
    """The one sentence of a compiler's message that a rule's author can use."""
    message = str(error)
    if "NRT required" in message:
        return _MAKES
    for pattern in _REASONS:
        if found := re.search(pattern, message):
            return re.sub(r"\s+", " ", found[0]).strip(" .:")
    if call := re.search(r"No implementation [\s\S]*?>>> ([^\n]+)", message):
        return f"the compiler knows no {call[1].strip()}"
    if isinstance(error, KeyError):
        return f"no such field: {message}"
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    useful = [line for line in lines if not line.startswith(("Failed in", "During:", "File"))]
    return (useful or lines or [f"the compiler raised {type(error).__name__}"])[0][:200]
