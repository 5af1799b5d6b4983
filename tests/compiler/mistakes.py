"""Wrong meanings, planted to see that programs tell them from the right one.

Each is plain Python with one thing changed: in the text of a program, or in one of the
operations that `meanings.Check` writes into it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np
from meanings import (
    CHECKS,
    OPERATORS,
    ORDERS,
    SETS,
    STEPS,
    WHOLE,
    Check,
    Clock,
    Leaves,
    Trial,
    change,
    module,
    plainly,
)
from programs import Program

from dragon import bits


def _mistaken(**changed: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    return {f"_{name}": function for name, function in changed.items()}


def _logical_shift(name: str, a: Any, b: Any) -> Any:
    """>> that shifts zeros in, whatever the sign."""
    if name == "RShift" and a < 0:
        return (int(a) % SETS) >> int(b)
    return OPERATORS[name](a, b)


def _toward_zero(name: str, a: Any, b: Any) -> Any:
    """// that rounds toward zero, as C does."""
    if name == "FloorDiv" and (a < 0) != (b < 0):
        return -(abs(int(a)) // abs(int(b)))
    return OPERATORS[name](a, b)


def _sign_of_dividend(name: str, a: Any, b: Any) -> Any:
    """% whose result has the sign of the left side, as C's."""
    if name == "Mod" and isinstance(a, WHOLE):
        return abs(int(a)) % abs(int(b)) * (-1 if a < 0 else 1)
    return OPERATORS[name](a, b)


def _signed_sets_divided(name: str, a: Any, b: Any) -> Any:
    """// and % of a bit set by an integer that take both for signed."""
    if name in ("FloorDiv", "Mod") and isinstance(a, np.uint64) and not isinstance(b, np.uint64):
        a = int(bits.i64(a))
    return OPERATORS[name](a, b)


def _one_sign(first: Any, *rest: tuple[str, Callable[[], Any]]) -> Any:
    """Comparisons of a bit set with an integer that take both for unsigned."""
    for name, other in rest:
        second = other()
        a, b = first, second
        if isinstance(a, np.uint64) or isinstance(b, np.uint64):
            a, b = (int(x) % SETS if isinstance(x, WHOLE) else x for x in (a, b))
        if not ORDERS[name](a, b):
            return False
        first = second
    return True


def _signed_sets(first: Any, *rest: tuple[str, Callable[[], Any]]) -> Any:
    """Comparisons that take bit sets for signed."""
    for name, other in rest:
        second = other()
        a, b = (bits.i64(x) if isinstance(x, np.uint64) else x for x in (first, second))
        if not ORDERS[name](a, b):
            return False
        first = second
    return True


def _unchained(first: Any, *rest: tuple[str, Callable[[], Any]]) -> Any:
    """a < b < c as (a < b) < c."""
    for name, other in rest:
        first = bool(ORDERS[name](first, other()))
    return first


def _late_change(container: Any, key: Any, name: str, given: Callable[[], Any]) -> None:
    """a[i] += f() that reads a[i] after f has run."""
    value = given()
    change(container, key, name, lambda: value)


def _instead(wrong: dict[Any, Callable[..., Any]]) -> Callable[..., Any]:
    """Calls that run another function."""
    return lambda function, *given: wrong.get(function, function)(*given)


def _unextended(function: Any, *given: Any) -> Any:
    """Conversions that take narrow integers for unsigned."""
    if function in (int, np.int64) and isinstance(given[0], np.int8 | np.int16 | np.int32):
        return function(int(given[0]) % (1 << 8 * given[0].nbytes))
    return function(*given)


def _signed_float(function: Any, *given: Any) -> Any:
    """float() of a large bit set that comes out negative, and other conversions alike."""
    if function is np.uint64 and isinstance(given[0], int):
        return np.uint64(given[0] & 0xFFFFFFFF)
    return function(*given)


class _Without(ast.NodeTransformer):
    """Leaves one word out."""

    def __init__(self, word: type[ast.stmt]) -> None:
        self.word = word

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        return ast.Pass() if isinstance(node, self.word) else node


class _OneByOne(ast.NodeTransformer):
    """a, b = b, a as a = b; b = a."""

    def visit_Assign(self, node: ast.Assign) -> Any:
        target, value = node.targets[0], node.value
        if not (isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)):
            return node
        return [
            ast.Assign([one], other) for one, other in zip(target.elts, value.elts, strict=True)
        ]


class _FromZero(ast.NodeTransformer):
    """Slices that all begin at 0."""

    def visit_Slice(self, node: ast.Slice) -> ast.AST:
        return ast.Slice(None, node.upper, None)


class _NoWrap(ast.NodeTransformer):
    """Negative literal indices that count from the start."""

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        return node.operand if isinstance(node.op, ast.USub) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        at = node.slice
        literal = isinstance(at, ast.UnaryOp) and isinstance(at.operand, ast.Constant)
        node.slice = self.visit(at) if literal else at
        node.value = Keep(self).visit(node.value)
        return node


class Keep(ast.NodeTransformer):
    """Hands subscripts within to another transformer, and leaves the rest as it is."""

    def __init__(self, inner: ast.NodeTransformer) -> None:
        self.inner = inner

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        return self.inner.visit(node)


class _PastTheEnd(ast.NodeTransformer):
    """Loops whose variable is one step further at the end, as in C."""

    def visit_For(self, node: ast.For) -> Any:
        self.generic_visit(node)
        assert isinstance(node.target, ast.Name)
        if not isinstance(node.iter, ast.Call):
            return node
        node.orelse = [ast.AugAssign(node.target, ast.Add(), ast.Constant(1))]
        before = ast.parse(f"{node.target.id} = 0").body
        return [*before, node] if node.target.id.startswith("i") else node


class _Truth(ast.NodeTransformer):
    """`a and b`, `a or b` that are True or False."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name("bool", ast.Load()), [node], [])


class _Both(ast.NodeTransformer):
    """Conditional expressions that evaluate both sides."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        both = ast.Tuple([node.orelse, node.body], ast.Load())
        truth = ast.Call(ast.Name("bool", ast.Load()), [node.test], [])
        return ast.Subscript(both, truth, ast.Load())


class _Downward(ast.NodeTransformer):
    """Ranges with a negative step that are empty."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if len(node.args) == 3 and isinstance(node.args[2], ast.UnaryOp):
            node.args[1] = node.args[0]
        return node


MISTAKES: dict[str, tuple[ast.NodeTransformer | None, dict[str, Callable[..., Any]]]] = {
    ">> logical": (None, _mistaken(binary=_logical_shift)),
    "// toward zero": (None, _mistaken(binary=_toward_zero)),
    "% with the sign of the dividend": (None, _mistaken(binary=_sign_of_dividend)),
    "bit sets divided signed": (None, _mistaken(binary=_signed_sets_divided)),
    "min as max": (None, _mistaken(called=_instead({min: max}))),
    "max as min": (None, _mistaken(called=_instead({max: min}))),
    "abs forgotten": (None, _mistaken(called=_instead({abs: lambda x: x}))),
    "ctz of nothing is 0": (
        None,
        _mistaken(called=_instead({bits.ctz: lambda x: bits.ctz(x) % 64})),
    ),
    "shr of negative integers": (
        None,
        _mistaken(called=_instead({bits.shr: lambda x, n: bits.u64(int(x) >> int(n))})),
    ),
    "draw without advancing": (
        None,
        _mistaken(called=_instead({bits.draw: lambda random, n: bits.draw(random.copy(), n)})),
    ),
    "mixed signs compared unsigned": (None, _mistaken(compare=_one_sign)),
    "bit sets compared signed": (None, _mistaken(compare=_signed_sets)),
    "chains in pairs": (None, _mistaken(compare=_unchained)),
    "a[i] += f() in the wrong order": (None, _mistaken(change=_late_change)),
    "narrow integers not sign extended": (None, _mistaken(called=_unextended)),
    "uint64() of 32 bits": (None, _mistaken(called=_signed_float)),
    "continue missed": (_Without(ast.Continue), {}),
    "break missed": (_Without(ast.Break), {}),
    "raise missed": (_Without(ast.Raise), {}),
    "swaps one by one": (_OneByOne(), {}),
    "slices from 0": (_FromZero(), {}),
    "negative indices from the start": (_NoWrap(), {}),
    "loop variables past the end": (_PastTheEnd(), {}),
    "and, or as booleans": (_Truth(), {}),
    "both sides of a conditional evaluated": (_Both(), {}),
    "no downward ranges": (_Downward(), {}),
}
"""Wrong meanings, each a change of the program and of some checked operations."""


def by_mistake(program: Program, mistake: str) -> Callable[..., Any]:
    """`entry` with one of MISTAKES, in plain Python."""
    transformer, changed = MISTAKES[mistake]
    tree = ast.parse(program.source)
    for n, each in enumerate(tree.body):
        if transformer is not None and isinstance(each, ast.FunctionDef):
            tree.body[n] = transformer.visit(each)
    tree = ast.fix_missing_locations(Check().visit(ast.fix_missing_locations(tree)))
    usual = _mistaken(
        binary=lambda name, a, b: OPERATORS[name](a, b),
        called=lambda function, *given: function(*given),
    )
    made = module(tree, None, **{**CHECKS, **usual, **changed})

    def entry(*given: Any) -> Any:
        Clock.left = STEPS
        result = made.entry(*map(plainly, given))
        kinds = program.returns
        if isinstance(result, tuple):
            return tuple(_as(kind, each) for kind, each in zip(kinds, result, strict=True))
        return _as(kinds[0], result) if kinds else result

    return entry


def _as(kind: str, value: Any) -> Any:
    return {"b": bool, "f": float}.get(kind, int)(value)


def notices(trial: Trial, mistake: str) -> bool:
    """Tell whether a program notices a mistake."""
    if not trial.expected:
        return False
    function = by_mistake(trial.program, mistake)
    with np.errstate(all="ignore"):
        try:
            return bool(trial.differences(function))
        except (ArithmeticError, LookupError, TypeError, Leaves):
            return True  # it went where no memory is, or on for ever
