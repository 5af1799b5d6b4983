"""The meanings that a program has: in plain Python, checked, by compilers, and by mistake.

`checked` is plain Python in which every operation is also done with exact integers. It raises
`Leaves` where a program leaves the meaning that plain Python and compiled code have in common:
an integer overflows, a shift is too far, something is divided by zero, an index is out of
bounds. docs/rules-and-specialisation.md says what that meaning is.
"""

from __future__ import annotations

import ast
import itertools
import linecache
import math
import operator
import struct
import sys
import tempfile
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from programs import Input, Program, arguments, filled, seeded, shrunk

from dragon import bits

Back = Callable[[Any, types.ModuleType], Callable[..., Any]]
"""A back end: what to call for `entry`, given its module."""

MIN, MAX, SETS = -(2**63), 2**63 - 1, 2**64
STEPS = 20_000
"""A program that takes more is left out."""


class Leaves(Exception):
    """A program has left the meaning that is common to plain Python and compiled code."""


# ---- checked arithmetic ----

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "FloorDiv": operator.floordiv,
    "Mod": operator.mod,
    "BitAnd": operator.and_,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
    "LShift": operator.lshift,
    "RShift": operator.rshift,
}
ORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Eq": operator.eq,
    "NotEq": operator.ne,
}
WHOLE = (int, np.integer, np.bool_)
_REAL = (float, np.floating)


def _in_range(x: Any) -> Any:
    """An integer that fits its type; a float that is a number."""
    if isinstance(x, _REAL):
        if x != x:
            raise Leaves("not a number")
    elif isinstance(x, int) and not MIN <= x <= MAX:
        raise Leaves("overflow")
    return x


def binary(name: str, a: Any, b: Any) -> Any:
    """a + b, and so on; Leaves where compiled code may have another result."""
    function = OPERATORS[name]
    whole = isinstance(a, WHOLE) and isinstance(b, WHOLE)
    if name in ("Div", "FloorDiv", "Mod") and b == 0:
        raise Leaves("division by zero")
    if name in ("LShift", "RShift") and not 0 <= b < 64:
        raise Leaves("shift")
    if name == "Div" and whole and max(abs(int(a)), abs(int(b))) > 2**53:
        raise Leaves("division of integers that floats do not hold")
    try:
        result = function(a, b)
    except (TypeError, OverflowError) as error:  # bit sets with signed numpy integers
        raise Leaves(str(error)) from None
    if not whole or name == "Div":
        return _in_range(result)
    if not isinstance(result, WHOLE):
        raise Leaves("integers became a float")
    if int(result) != function(int(a), int(b)):
        raise Leaves("overflow of a numpy integer")
    unsigned = [int(x) for x in (a, b) if isinstance(x, np.uint64)]
    shifts = name in ("LShift", "RShift")
    if (
        len(unsigned) == 1
        and not (isinstance(a, np.uint64) and shifts)
        and max(*unsigned, int(result)) > MAX
        and name != "BitAnd"
        and not (name in ("FloorDiv", "Mod") and int(result) <= MAX)
    ):
        raise Leaves("a large bit set with a signed integer")
    return _in_range(result)


def unary(name: str, a: Any) -> Any:
    """-a and ~a."""
    if name == "UAdd":
        return a
    if name == "USub":
        if isinstance(a, np.unsignedinteger | bool | np.bool_):
            raise Leaves("the negative of what has no sign")
        result = -a
        if isinstance(a, np.integer) and int(result) != -int(a):
            raise Leaves("overflow of a numpy integer")
        return _in_range(result)
    if isinstance(a, bool | np.bool_) or (
        isinstance(a, np.unsignedinteger) and not isinstance(a, np.uint64)
    ):
        raise Leaves("the complement of what compiled code widens")
    return ~a


def compare(first: Any, *rest: tuple[str, Callable[[], Any]]) -> Any:
    """A comparison, perhaps chained; each operand is asked for once, and only if needed."""
    result: Any = True
    for name, other in rest:
        second = other()
        for a, b in ((first, second), (second, first)):
            if isinstance(a, _REAL) and isinstance(b, WHOLE) and abs(int(b)) > 2**53:
                raise Leaves("a float compared with an integer that floats do not hold")
        result = ORDERS[name](first, second)
        if not result:
            return result
        first = second
    return result


def change(container: Any, key: Any, name: str, given: Callable[[], Any]) -> None:
    """container[key] += given; key is a string for a field."""
    if isinstance(key, str):
        setattr(container, key, binary(name, getattr(container, key), given()))
    else:
        container[key] = binary(name, container[key], given())


_SHIFTED = (bits.shl, bits.shr, bits.has)


def called(function: Any, *given: Any) -> Any:
    """A call; Leaves where an argument is not what the function's documentation asks for."""
    if function in _SHIFTED and not 0 <= int(given[1]) < 64:
        raise Leaves("shift")
    if function is bits.bit and not 0 <= int(given[0]) < 64:
        raise Leaves("shift")
    if function is bits.select and not 0 <= given[1] < bits.popcount(given[0]):
        raise Leaves("select from too few")
    if function is bits.draw and not 0 < given[1] < 2**32:
        raise Leaves("draw")
    if function is int and isinstance(given[0], _REAL) and not abs(given[0]) < 2.0**63:
        raise Leaves("int() of a large float")
    if function in (math.sqrt, math.log) and given[0] <= (-1 if function is math.sqrt else 0):
        raise Leaves("no such root or logarithm")
    try:
        result = function(*given)
    except (OverflowError, TypeError) as error:
        raise Leaves(str(error)) from None
    if function is abs and isinstance(given[0], np.integer) and int(result) != abs(int(given[0])):
        raise Leaves("overflow of a numpy integer")
    return _in_range(result) if isinstance(result, int | float | np.number) else result


class Clock:
    """Counts steps, so that no program runs long."""

    left = STEPS


def step() -> None:
    """One turn of a loop."""
    Clock.left -= 1
    if Clock.left < 0:
        raise Leaves("too long")


CHECKS = {f"_{f.__name__}": f for f in (binary, unary, compare, change, called, step)}


SOMEWHERE: Any = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
"""A place for what is written into a program: to look for one takes longer than the writing."""


def _lazily(node: ast.expr) -> ast.Lambda:
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.Lambda(nothing, node, **SOMEWHERE)


def _call(name: str, *given: ast.expr) -> ast.Call:
    function = ast.Name(name, ast.Load(), **SOMEWHERE)
    return ast.Call(function, list(given), [], **SOMEWHERE)


def _text(text: str) -> ast.Constant:
    return ast.Constant(text, **SOMEWHERE)


class Check(ast.NodeTransformer):
    """Write a program whose operations are those above."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return _call("_binary", _text(type(node.op).__name__), node.left, node.right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            return node
        return _call("_unary", _text(type(node.op).__name__), node.operand)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if any(type(op).__name__ not in ORDERS for op in node.ops):  # `in` and `is`
            return node
        rest = [
            ast.Tuple([_text(type(op).__name__), _lazily(operand)], ast.Load(), **SOMEWHERE)
            for op, operand in zip(node.ops, node.comparators, strict=True)
        ]
        return _call("_compare", node.left, *rest)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in ("range", "ValueError"):
            return node
        return _call("_called", node.func, *node.args)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        name = _text(type(node.op).__name__)
        if isinstance(node.target, ast.Name):
            old = ast.Name(node.target.id, ast.Load(), **SOMEWHERE)
            return ast.Assign([node.target], _call("_binary", name, old, node.value), **SOMEWHERE)
        key: ast.expr
        if isinstance(node.target, ast.Attribute):
            key = _text(node.target.attr)
        else:
            key = node.target.slice
        changed = _call("_change", node.target.value, key, name, _lazily(node.value))
        return ast.Expr(changed, **SOMEWHERE)

    def visit_While(self, node: ast.While | ast.For) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(_call("_step"), **SOMEWHERE))
        return node

    visit_For = visit_While  # noqa: N815


# ---- programs as modules ----

_numbers = itertools.count()


def module(source: Any, folder: Path | None = None, **names: Any) -> types.ModuleType:
    """The module of a source text or tree, with a file if there is a folder, for compilers."""
    name = f"dragon_program_{next(_numbers)}"
    made = types.ModuleType(name)
    path = "<program>"
    if folder is not None:
        path = str(folder / f"{name}.py")
        Path(path).write_text(source)
        sys.modules[name] = made
    made.__file__ = path
    made.__dict__.update(names)
    exec(compile(source, path, "exec", dont_inherit=True), made.__dict__)
    return made


def forget(made: types.ModuleType) -> None:
    """Frees what a module with a file holds."""
    sys.modules.pop(made.__name__, None)
    linecache.cache.pop(str(made.__file__), None)
    Path(str(made.__file__)).unlink(missing_ok=True)


@dataclass(frozen=True)
class Outcome:
    """The outcome of a call: its result or the text of its ValueError, and all memory after it."""

    result: Any
    error: str | None
    memory: tuple[tuple[str, bytes], ...]


def plainly(value: Any) -> Any:
    """An argument as plain Python has it: records give their fields as attributes."""
    if isinstance(value, tuple):
        return tuple(plainly(each) for each in value)
    if isinstance(value, np.ndarray) and value.dtype.names:
        return value.view(np.recarray)
    return value


def _memory(given: dict[str, Any]) -> tuple[tuple[str, bytes], ...]:
    arrays = []
    for name, value in given.items():
        for n, each in enumerate(value if isinstance(value, tuple) else (value,)):
            if isinstance(each, np.ndarray):
                arrays.append(
                    (f"{name}[{n}]" if isinstance(value, tuple) else name, each.tobytes())
                )
    return tuple(arrays)


def _same_kind(kind: str, value: Any, exactly: bool) -> Any:
    """A result of a kind, floats as their bits; a compiler must give exactly that type."""
    wanted: type = {"b": bool, "f": float}.get(kind, int)
    if exactly and type(value) is not wanted:
        return f"{value!r}, which is a {type(value).__name__}"
    return struct.pack("d", value) if wanted is float else wanted(value)


def _canonical(program: Program, value: Any, exactly: bool) -> Any:
    if not program.returns:
        return value
    if len(program.returns) == 1:
        return _same_kind(program.returns[0], value, exactly)
    if not isinstance(value, tuple) or len(value) != len(program.returns):
        return f"{value!r}, which is no tuple of {len(program.returns)}"
    pairs = zip(program.returns, value, strict=True)
    return tuple(_same_kind(kind, each, exactly) for kind, each in pairs)


class Trial:
    """A program with its modules and the inputs on which it keeps to the common meaning."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.plain = module(program.source)
        tree = Check().visit(ast.parse(program.source))
        self._checked = module(tree, None, **CHECKS)
        names = [n for n in ("INNER", "RECORD") if n in vars(self.plain)]
        self.layouts = {name: getattr(self.plain, name) for name in names}
        self._arrays: dict[int, dict[str, Any]] = {}
        self.why: list[str] = []
        """Why inputs were left out."""

    def given(self, call: Input) -> dict[str, Any]:
        """Fresh arguments; what their memory holds is made up once."""
        if call.seed not in self._arrays:
            self._arrays[call.seed] = filled(self.program, self.layouts, call.seed)
        return arguments(self.program, self._arrays[call.seed], call)

    def run(self, function: Callable[..., Any], call: Input, plain: bool) -> Outcome:
        """Calls a meaning of `entry`."""
        given = self.given(call)
        values = [plainly(v) for v in given.values()] if plain else [*given.values()]
        result, error = None, None
        try:
            result = _canonical(self.program, function(*values), not plain)
        except ValueError as raised:
            if type(raised) is not ValueError:
                raise
            error = str(raised)
        return Outcome(result, error, _memory(given))

    def _stays(self, call: Input) -> bool:
        Clock.left = STEPS
        try:
            outcome = self.run(self._checked.entry, call, True)
        except (Leaves, IndexError, ZeroDivisionError, OverflowError) as reason:
            self.why.append(f"{type(reason).__name__}: {reason}")
            return False
        if outcome.error is not None and outcome.error not in self.program.source:
            self.why.append(outcome.error)
            return False
        return True

    @cached_property
    def expected(self) -> list[tuple[Input, Outcome]]:
        """The inputs that stay inside, and what plain Python makes of them."""
        with np.errstate(all="ignore"):
            inside = [call for call in self.program.inputs if self._stays(call)]
            return [(call, self.run(self.plain.entry, call, True)) for call in inside]

    @property
    def oversized(self) -> bool:
        """Tell whether constants make one that fits no integer: refused, even if unread."""
        tree = ast.parse(self.program.source)
        return any(_too_large(node, vars(self.plain)) for node in ast.walk(tree))

    def differences(self, function: Callable[..., Any]) -> list[str]:
        """Give the differences from another meaning, input by input."""
        found = []
        for call, expected in self.expected:
            actual = self.run(function, call, False)
            if actual != expected:
                found.append(self._told(call, expected, actual))
        return found

    def _told(self, call: Input, expected: Outcome, actual: Outcome) -> str:
        lines = ["", self.program.shown(), "", "called with"]
        lines += [f"    {name} = {value!r}" for name, value in self.given(call).items()]
        if (expected.result, expected.error) != (actual.result, actual.error):
            lines.append(f"plain Python: {_shown(self.program, expected)}")
            lines.append(f"compiled:     {_shown(self.program, actual)}")
        for (name, before), (_, after) in zip(expected.memory, actual.memory, strict=True):
            if before != after:
                at = next(i for i, (x, y) in enumerate(zip(before, after, strict=True)) if x != y)
                lines.append(f"{name} differs from byte {at} on")
                lines.append(f"    plain Python: {self._read(call, name, before)}")
                lines.append(f"    compiled:     {self._read(call, name, after)}")
        return "\n".join(lines)

    def _read(self, call: Input, name: str, memory: bytes) -> str:
        """Bytes as the array that they are."""
        stem, _, place = name.partition("[")
        array = self.given(call)[stem]
        if place:
            array = array[int(place[:-1])]
        return repr(np.frombuffer(memory, array.dtype).reshape(array.shape).tolist())


def _too_large(node: ast.AST, names: dict[str, Any]) -> bool:
    """Tell whether an expression of integer constants alone leaves 64 bits."""
    if not isinstance(node, ast.BinOp | ast.UnaryOp):
        return False
    leaves = [x for x in ast.walk(node) if isinstance(x, ast.expr) and not _operation(x)]
    values = [x.value if isinstance(x, ast.Constant) else names.get(getattr(x, "id", ""))
              for x in leaves]  # fmt: skip
    if not all(type(value) is int for value in values):
        return False
    try:
        made = eval(compile(ast.Expression(node), "<constant>", "eval"), names)
    except (ArithmeticError, ValueError, MemoryError):
        return False
    return isinstance(made, int) and not MIN <= made < SETS


def _operation(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp | ast.UnaryOp)


def _shown(program: Program, outcome: Outcome) -> str:
    if outcome.error is not None:
        return f"ValueError({outcome.error!r})"
    results = outcome.result if isinstance(outcome.result, tuple) else (outcome.result,)
    shown = [struct.unpack("d", x)[0] if isinstance(x, bytes) else x for x in results]
    return f"returns {', '.join(map(repr, shown))}"


# ---- compilers ----


def functions(made: types.ModuleType) -> list[types.FunctionType]:
    """The helpers of a program, in order, then `entry`."""
    pending, entry = [], made.entry
    known = [*vars(made).values(), *(cell.cell_contents for cell in entry.__closure__ or ())]
    while known:
        function = known.pop(0)
        own = isinstance(function, types.FunctionType) and function.__module__ == made.__name__
        if own and function.__name__.startswith("helper") and function not in pending:
            pending.append(function)
            known += [cell.cell_contents for cell in function.__closure__ or ()]
    return [*pending, entry]


def by_numba(made: types.ModuleType) -> Callable[..., Any]:
    """`entry` as dragon has numba compile rules and kernels."""
    import numba
    from numba.extending import register_jitable

    import dragon.compiler.fallback  # noqa: F401  numba's meaning of dragon.bits

    *helpers, entry = functions(made)
    for helper in helpers:
        register_jitable(error_model="numpy")(helper)
    options: Any = {"error_model": "numpy", "nogil": True, "forceinline": True, "_nrt": False}
    compiled: Callable[..., Any] = numba.njit(**options)(entry)
    return compiled


def by_dragon(made: types.ModuleType) -> Callable[..., Any]:
    """`entry` by dragon's own compiler."""
    from tests.compiler.compiled import compile_function

    compiled: Callable[..., Any] = compile_function(made.entry)
    return compiled


BACKS: dict[str, Back] = {"numba": by_numba, "dragon": by_dragon}
"""Every compiler that must agree with plain Python."""


def disagreements(program: Program, back: Back, folder: Path) -> list[str]:
    """Give the differences of a compiler from plain Python on a program; a refusal is one."""
    trial = Trial(program)
    if not trial.expected:
        return []
    made = module(program.source, folder)
    try:
        found = trial.differences(back(made))
    except Exception as error:
        found = [f"\n{program.shown()}\n\n{type(error).__name__}: {error}"]
    finally:
        forget(made)
    return [] if found and trial.oversized else found


def smallest(seed: int, size: int, back: str, folder: Path) -> str:
    """Give the difference on a small program that differs as that of a seed does."""

    def fails(program: Program) -> bool:
        return bool(disagreements(program, BACKS[back], folder))

    return disagreements(shrunk(seed, size, fails), BACKS[back], folder)[0]


def main(back: str, first: str, count: str, brief: str = "") -> int:
    """Try the programs of some seeds and print every difference; 1 if there is one.

    With a fourth word, programs are printed as they are and not made small.
    """
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for seed in range(int(first), int(first) + int(count)):
            size = seed % 3
            program = seeded(seed, size)
            if back == "dragon" or program.numba:
                for difference in disagreements(program, BACKS[back], folder)[:1]:
                    difference = difference if brief else smallest(seed, size, back, folder)
                    print(f"---- seed {seed}, size {size}\n{difference}\n")
                    failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
