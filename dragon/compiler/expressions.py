"""The front end's expressions: from Python's syntax to typed values, each with its meaning."""

from __future__ import annotations

import ast
import enum
import inspect
import operator
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, NoReturn

import numpy as np

from dragon.compiler import tree as t
from dragon.compiler.flow import Env, Variable, joint, slot_of
from dragon.compiler.meaning import BUILTINS
from dragon.compiler.program import Instance, Program, Refused, Unfinished
from dragon.compiler.types import (
    BOOL,
    FLOAT,
    INT,
    NOTHING,
    SOMETIMES,
    UINT,
    Array,
    Bool,
    Float,
    Int,
    Known,
    Nothing,
    Record,
    Sometimes,
    Tuple,
    Type,
    Unsupported,
    common,
    of_dtype,
)
from dragon.stamp import unreadable

OPERATORS: dict[type[ast.operator], tuple[str, Any]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
    ast.FloorDiv: ("//", operator.floordiv),
    ast.Mod: ("%", operator.mod),
    ast.LShift: ("<<", operator.lshift),
    ast.RShift: (">>", operator.rshift),
    ast.BitAnd: ("&", operator.and_),
    ast.BitOr: ("|", operator.or_),
    ast.BitXor: ("^", operator.xor),
    ast.Pow: ("**", operator.pow),
}
COMPARISONS: dict[type[ast.cmpop], tuple[str, Any]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}
VARIADIC = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
NO_MODULE = "a module is no value; write the name of what you need of it, as in `math.sqrt`"
SIGNS = "one is a signed integer, the other a bit set (uint64); write u64(...) or i64(...)"


class Missing(Exception):
    """A variable that no way so far has given a value."""


class Expressions:
    """Reads the expressions of one function; `env` is what its variables hold at this point."""

    def __init__(self, program: Program, instance: Instance) -> None:
        self.program, self.instance = program, instance
        self.function: FunctionType = instance.function
        code = self.function.__code__
        self.locals = {*code.co_varnames, *code.co_cellvars}
        self.env: Env | None = {}
        self.loops: list[Any] = []
        """The loops that this point is in."""
        self.temporaries = 0
        self.waits = False
        """Whether it calls what is not known yet."""
        self.line = code.co_firstlineno

    def refuse(self, reason: str, foreign: bool = False, line: int = 0) -> NoReturn:
        """Raises Refused for the current line."""
        raise Refused(self.function, line or self.line, reason, foreign)

    def unknown(self, node: ast.AST) -> NoReturn:
        """Refuses a construct."""
        foreign = type(node).__name__ not in OF_NOBODY
        self.refuse(f"the compiler knows no {name_of(node)}", foreign)

    def refuse_collection(self, value: t.Expression) -> None:
        """Refuses a list, dict or set from outside the function."""
        held = getattr(value.type, "value", None)
        if isinstance(held, list | dict | set):
            self.refuse(f"the compiler reads no {type(held).__name__} from outside the function; "
                        "make it a tuple or a numpy array", foreign=True)  # fmt: skip

    @staticmethod
    def remedy(kind: Type) -> str:
        """What to do where a value is none that the program can work with."""
        match kind:
            case Known(value=str()):
                return f"; {TEXT}"
            case Array():
                return "; write a loop over its elements"
            case Sometimes() | Nothing():
                return "; end every way through the function with a `return`"
        return ""

    def given(self, name: str, kind: Type) -> None:
        """Notes in the loops around what type a variable is given."""
        for loop in self.loops:
            loop.kinds.setdefault(name, set()).add(kind)

    def plain(self, value: t.Expression) -> t.Expression:
        """A value that can be worked out again and again; refuses what would do more."""
        if t.acts(value):
            self.refuse("this would be worked out more than once; give it a name first",
                        foreign=True)  # fmt: skip
        return value

    def perhaps(self, node: ast.expr, read_one: Callable[[ast.expr], Any]) -> Any:
        """An expression that is not always come to: what it does to variables may not happen."""
        before = self.env
        assert before is not None
        self.env = dict(before)
        value = read_one(node)
        for name, new in self.env.items():
            old = before.get(name)
            if old is None:
                self.env[name] = new._replace(maybe=True)
            elif old.type != new.type:
                self.refuse(f"{name!r} holds {old.type}, and {new.type} only if it comes to this")
        return value

    def temporary(self) -> str:
        """A new slot, which no variable has."""
        self.temporaries += 1
        return f".{self.temporaries}"

    def expression(self, node: ast.expr) -> t.Expression:
        """An expression."""
        read_one = getattr(self, f"on_{type(node).__name__}", None)
        if read_one is None:
            self.line = node.lineno
            self.unknown(node)
        self.line = node.lineno
        found: t.Expression = read_one(node)
        if isinstance(getattr(found.type, "value", None), ModuleType):
            self.refuse(NO_MODULE, foreign=True)
        return found

    def on_Constant(self, node: ast.Constant) -> t.Expression:
        """A number or a text."""
        return self.constant(node.value)

    def on_Name(self, node: ast.Name) -> t.Expression:
        """A variable, or something from outside."""
        if node.id not in self.locals:
            return self.constant(self.program.value(self.function, node.id, node.lineno), node.id)
        found = (self.env or {}).get(node.id)
        if found is None:
            raise Missing(node.id)
        if found.type is None:
            assert found.clash is not None
            one, other = found.clash
            self.refuse(f"{node.id!r} holds {one} on one way here and {other} on another"
                        f"{hint(one, other)}")  # fmt: skip
        if isinstance(found.type, Known):
            return t.Constant(found.type, found.type.value)
        slot = slot_of(node.id, found.type)
        if found.maybe:
            self.instance.zeroed.add(slot)
        return t.Local(found.type, slot)

    def on_NamedExpr(self, node: ast.NamedExpr) -> t.Expression:
        """`(a := b)`."""
        value = self.fitting(self.expression(node.value))
        self.given(node.target.id, value.type)
        slot = slot_of(node.target.id, value.type)
        self.instance.zeroed.add(slot)  # it may stand where it is not always come to
        assert self.env is not None
        self.env[node.target.id] = Variable(value.type)
        return t.Keep(value.type, slot, value)

    def on_Tuple(self, node: ast.Tuple) -> t.Expression:
        """`a, b`."""
        return several([self.fitting(self.expression(each)) for each in node.elts])

    def on_Attribute(self, node: ast.Attribute) -> t.Expression:
        """A field of a record, something from a module or a class, or an array's shape."""
        direct = isinstance(node.value, ast.Name | ast.Attribute)  # only so a module is named
        base = getattr(self, f"on_{type(node.value).__name__}")(node.value) if direct else (
            self.expression(node.value))  # fmt: skip
        self.line = node.end_lineno or node.lineno
        match base.type:
            case Record() as record:
                return self.field(base, record, node.attr)
            case Array(shape=shape) if node.attr == "shape":
                return several([self.length(self.plain(base), i) for i in range(len(shape))])
            case Array(shape=shape) if node.attr == "ndim":
                self.plain(base)
                return t.whole(len(shape))
            case Known(value=ModuleType() as module):
                if node.attr not in vars(module):
                    self.refuse(f"{module.__name__} has no {node.attr!r}")
                return self.constant(vars(module)[node.attr], node.attr)
            case Known(value=type() as kind):
                if not any(node.attr in vars(each) for each in kind.__mro__):
                    self.refuse(f"{kind.__name__} has no {node.attr!r}")
                found = self.constant(getattr(kind, node.attr), node.attr)
                if isinstance(getattr(found.type, "value", None), ModuleType):
                    self.refuse(NO_MODULE, foreign=True)
                return found
        self.refuse_collection(base)
        self.refuse(f"there is no {node.attr!r} in {base.type}{self.remedy(base.type)}",
                    foreign=isinstance(base.type, Known))  # fmt: skip

    def field(self, base: t.Expression, record: Record, name: str) -> t.Expression:
        """A field of a record."""
        from difflib import get_close_matches

        found = record.find(name)
        if found is None:
            names = [known for known, *_ in record.fields]
            close = get_close_matches(name, names, n=1)
            meant = f"; did you mean {close[0]!r}?" if close else ""
            self.refuse(f"the record has no field {name!r}{meant} (fields: {', '.join(names)})")
        offset, kind = found
        return loaded(t.Field(kind, base, offset))

    def on_Subscript(self, node: ast.Subscript) -> t.Expression:
        """`a[i]`, `a[i, j]`, `a[i:j]`, `record["field"]`, one of a tuple."""
        base = self.expression(node.value)
        given = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        match base.type:
            case Array():
                return self.indexed(base, given)
            case Tuple() if len(given) == 1:
                if isinstance(given[0], ast.Slice):
                    return self.part(base, given[0])
                index = self.whole_number(self.expression(given[0]))
                if isinstance(index, t.Constant):
                    if not -len(base.type.items) <= index.value < len(base.type.items):
                        self.refuse(f"a tuple of {len(base.type.items)} has no [{index.value}]")
                    return self.item(base, index.value % len(base.type.items))
                return self.element(self.as_array(base), [index])
            case Record() as record if isinstance(given[0], ast.Constant):
                return self.field(base, record, str(given[0].value))
        self.refuse_collection(base)
        self.refuse(f"{base.type} has no elements{self.remedy(base.type)}",
                    foreign=isinstance(base.type, Known))  # fmt: skip

    def indexed(self, base: t.Expression, given: list[ast.expr]) -> t.Expression:
        """An element or a stretch of an array: indices first, then at most one slice, then `:`."""
        assert isinstance(base.type, Array)
        if len(given) > len(base.type.shape):
            self.refuse(
                f"{base.type} has {len(base.type.shape)} axes, and {len(given)} are indexed"
            )
        first = next((i for i, g in enumerate(given) if isinstance(g, ast.Slice)), len(given))
        indices = [self.whole_number(self.expression(g), True) for g in given[:first]]
        cut = given[first:]
        found = self.element(base, indices) if indices else base
        plain = ast.dump(ast.Slice())
        if any(ast.dump(g) != plain for g in cut[1:]):
            self.refuse("after a slice only `:` may follow, so that the array is in one piece",
                        foreign=True)  # fmt: skip
        if not cut or ast.dump(cut[0]) == plain:
            return found
        ends = cut[0]
        assert isinstance(ends, ast.Slice)
        if ends.step is not None:
            self.refuse("a slice has no step here; write a loop", foreign=True)
        low, high = (
            None if end is None else self.whole_number(self.expression(end))
            for end in (ends.lower, ends.upper)
        )
        left = found.type
        assert isinstance(left, Array)
        kind = Array(left.element, (None, *left.shape[1:]), left.writable, left.scratch)
        return t.Slice(kind, found, low, high)

    def part(self, base: t.Expression, cut: ast.Slice) -> t.Expression:
        """A tuple of some values of another."""
        self.plain(base)
        assert isinstance(base.type, Tuple)
        ends = [None if e is None else self.expression(e) for e in (cut.lower, cut.upper, cut.step)]
        if not all(e is None or isinstance(e, t.Constant) for e in ends):
            self.refuse("the ends of a slice of a tuple must be constants", foreign=True)
        numbers = [e.value if isinstance(e, t.Constant) else None for e in ends]
        try:
            places = range(len(base.type.items))[slice(*numbers)]
        except (TypeError, ValueError) as wrong:
            self.refuse(str(wrong))
        return several([self.item(base, i) for i in places])

    def element(self, base: t.Expression, indices: list[t.Expression]) -> t.Expression:
        """What stands at some indices."""
        assert isinstance(base.type, Array)
        for i, length in enumerate(base.type.shape[: len(indices)]):
            index = indices[i]
            if isinstance(index, t.Constant) and length is not None:
                if not -length <= index.value < length:
                    self.refuse(f"there is no [{index.value}] where there are {length}")
                indices[i] = t.whole(index.value % length)
        return loaded(t.Element(base.type.within(len(indices)), base, indices, self.line))

    def on_BinOp(self, node: ast.BinOp) -> t.Expression:
        """`a + b` and the like."""
        left, right = self.expression(node.left), self.expression(node.right)
        self.line = node.lineno
        return self.arithmetic(node.op, left, right)

    def arithmetic(self, op: ast.operator, a: t.Expression, b: t.Expression) -> t.Expression:
        """Two numbers into one: exactly where both are constants, else in 64 bits."""
        if type(op) not in OPERATORS:
            self.refuse(f"the compiler knows no {name_of(op)}", foreign=True)
        sign, reckon = OPERATORS[type(op)]
        if isinstance(a, t.Constant) and isinstance(b, t.Constant) and a.folds and b.folds:
            try:
                return self.constant(reckon(a.value, b.value))
            except (ArithmeticError, ValueError, TypeError) as wrong:
                self.refuse(str(wrong))
        for each in (a, b):
            if not isinstance(each.type, Int | Bool | Float):
                told = f"{each.type}{self.remedy(each.type)}"
                self.refuse(f"`{sign}` works on numbers, not on {told}",
                            foreign=isinstance(each.type, Array | Tuple | Known))  # fmt: skip
        if sign == "**":
            self.refuse("the compiler knows no power; multiply, or shift", foreign=True)
        a, b = self.fitting(a), self.fitting(b)
        if sign == "/" or FLOAT in (a.type, b.type):
            if sign not in "+-*/":
                self.refuse(f"`{sign}` works on integers; convert with int(...)", foreign=True)
            return t.Arithmetic(FLOAT, sign, self.convert(a, FLOAT), self.convert(b, FLOAT))
        if a.type == b.type == BOOL and sign in "&|^":
            return t.Arithmetic(BOOL, sign, a, b)
        kind = result(a.type, a.type if sign in ("<<", ">>") else b.type)
        return t.Arithmetic(kind, sign, self.convert(a, INT), self.convert(b, INT), self.line)

    def on_UnaryOp(self, node: ast.UnaryOp) -> t.Expression:
        """`-a`, `+a`, `~a`, `not a`."""
        if isinstance(node.op, ast.Not):
            value = self.test(node.operand)
            return t.Constant(BOOL, not value.value, True) if isinstance(value, t.Constant) else (
                t.Not(BOOL, value))  # fmt: skip
        value = self.expression(node.operand)
        sign = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}[type(node.op)]
        if isinstance(value, t.Constant) and value.folds and (value.type != BOOL or sign != "~"):
            reckon: Any = {"-": operator.neg, "+": operator.pos, "~": operator.invert}[sign]
            try:
                return self.constant(reckon(value.value))
            except TypeError as wrong:
                self.refuse(str(wrong))
        if value.type == FLOAT and sign != "~":
            return value if sign == "+" else t.Intrinsic(FLOAT, "fneg", [value])
        if not isinstance(value.type, Int | Bool) or (value.type == BOOL and sign == "~"):
            self.refuse(f"`{sign}` does not work on {value.type}"
                        f"{'; write `not`' if value.type == BOOL else ''}")  # fmt: skip
        value = self.fitting(value)
        kind = result(value.type, value.type)
        value = self.convert(value, INT)
        if sign == "+":
            return self.convert(value, kind)
        if sign == "~":
            return t.Arithmetic(kind, "^", value, t.whole(-1))
        return t.Arithmetic(kind, "-", t.whole(0), value)

    def on_BoolOp(self, node: ast.BoolOp) -> t.Expression:
        """`a and b`, `a or b`: one of the values."""
        return self.decided(node, self.expression)

    def decided(self, node: ast.BoolOp, read_one: Callable[[ast.expr], Any]) -> t.Expression:
        """The values of `and` or `or`, each read by `read_one`; a constant decides here."""
        op = "and" if isinstance(node.op, ast.And) else "or"
        found: t.Expression | None = None
        for each in node.values:
            if found is None:
                value = read_one(each)
            else:
                value = self.tried(each, read_one)
                if value is None:
                    break
            goes_on = isinstance(value, t.Constant) and bool(value.value) == (op == "and")
            if goes_on and each is not node.values[-1]:
                continue  # it leaves the choice to what follows
            found = value if found is None else self.logical(op, found, value)
            if isinstance(value, t.Constant) and not goes_on:
                break
        assert found is not None
        return found

    def logical(self, op: str, a: t.Expression, b: t.Expression) -> t.Expression:
        """Two values, of which the second is asked only where it decides."""
        if isinstance(a, t.Constant) and a.type == BOOL:
            return b if a.value == (op == "and") else a
        kind = joint(a, b)
        if kind is None or not isinstance(kind, Int | Bool | Float):
            self.refuse(f"it is {a.type} or {b.type}{hint(a.type, b.type)}", foreign=True)
        return t.Logical(kind, op, self.convert(self.fitting(a), kind),
                         self.convert(self.fitting(b), kind))  # fmt: skip

    def on_Compare(self, node: ast.Compare) -> t.Expression:
        """`a < b`, `a < b < c`, `a is None`, `a in (1, 2)`."""
        left = self.expression(node.left)
        found: t.Expression | None = None
        for i, (op, right_node) in enumerate(zip(node.ops, node.comparators, strict=True)):
            later = i > 0  # then it is not always come to
            right = self.perhaps(right_node, self.expression) if later else (
                self.expression(right_node))  # fmt: skip
            following = right
            if i + 1 < len(node.ops) and not isinstance(right, t.Constant | t.Local):
                slot = self.temporary()
                right, following = t.Keep(right.type, slot, right), t.Local(right.type, slot)
            one = self.comparison(op, left, right)
            found = one if found is None else self.logical("and", found, one)
            left = following
        assert found is not None
        return found

    def comparison(self, op: ast.cmpop, a: t.Expression, b: t.Expression) -> t.Expression:
        """One comparison."""
        if isinstance(op, ast.In | ast.NotIn):
            return self.membership(a, b, isinstance(op, ast.NotIn))
        if isinstance(op, ast.Is | ast.IsNot):
            unclear = a.type in (NOTHING, SOMETIMES) or t.acts(a)
            if unclear or not (isinstance(a.type, Known) or isinstance(b.type, Known)):
                self.refuse("`is` asks whether a variable holds None; numbers are compared "
                            "with `==`", foreign=True)  # fmt: skip
            same = getattr(a.type, "value", a) is getattr(b.type, "value", b)
            return t.Constant(BOOL, same == isinstance(op, ast.Is), True)
        sign, compare = COMPARISONS[type(op)]
        if isinstance(a, t.Constant) and isinstance(b, t.Constant):
            numbers = a.folds and b.folds
            if numbers or (isinstance(a.type, Known) and isinstance(b.type, Known)):
                return t.Constant(BOOL, bool(compare(a.value, b.value)), True)
        for each in (a, b):
            if not isinstance(each.type, Int | Bool | Float):
                self.refuse(f"`{sign}` compares numbers, not {each.type}", foreign=True)
        a, b = self.fitting(a), self.fitting(b)
        if FLOAT in (a.type, b.type):
            a, b = self.convert(a, FLOAT), self.convert(b, FLOAT)
        elif not a.type == b.type == BOOL:
            a, b = (self.convert(x, INT) if x.type == BOOL else x for x in (a, b))
        return t.Compare(BOOL, sign, a, b)

    def membership(self, a: t.Expression, b: t.Expression, absent: bool) -> t.Expression:
        """`a in (b, c)`: all are worked out, as in Python, and then compared."""
        self.refuse_collection(b)
        if not isinstance(b.type, Tuple):
            self.refuse("`in` looks for a number in a tuple", foreign=True)
        if not (isinstance(b, t.Several) and b.items):
            self.plain(a)
            self.plain(b)
        first, again = a, a
        if t.acts(a):
            slot = self.temporary()
            first, again = t.Keep(a.type, slot, a), t.Local(a.type, slot)
        found: t.Expression = t.FALSE
        for i in range(len(b.type.items)):
            one = self.comparison(ast.Eq(), again if i else first, self.item(b, i))
            found = self.arithmetic(ast.BitOr(), found, one) if i else one
        return t.Not(BOOL, found) if absent else found

    def on_IfExp(self, node: ast.IfExp) -> t.Expression:
        """`a if test else b`."""
        test = self.test(node.test)
        if isinstance(test, t.Constant):
            return self.expression(node.body if test.value else node.orelse)
        yes, no = (self.tried(each, self.expression) for each in (node.body, node.orelse))
        self.line = node.lineno
        if yes is None or no is None:
            return self.one_of(yes, no)
        kind = joint(yes, no)
        if kind is None or kind == NOTHING:
            self.refuse(f"it is {yes.type} or {no.type}{hint(yes.type, no.type)}")
        return t.Choice(kind, test, self.convert(self.fitting(yes), kind),
                        self.convert(self.fitting(no), kind))  # fmt: skip

    def tried(self, node: ast.expr, read_one: Callable[[ast.expr], Any]) -> t.Expression | None:
        """What is not always come to; None where the function calls itself, of unknown type."""
        try:
            found: t.Expression = self.perhaps(node, read_one)
            return found
        except Unfinished:
            self.waits = True
            return None

    def one_of(self, a: t.Expression | None, b: t.Expression | None) -> t.Expression:
        """The side that is known; the function is read again when the other is."""
        if a is None and b is None:
            raise Unfinished
        known = b if a is None else a
        assert known is not None
        return known

    def on_Call(self, node: ast.Call) -> t.Expression:
        """A call of a function of the program, or of one that the compiler knows itself."""
        called = self.callee(node.func)
        called = getattr(called, "py_func", called)  # an author's own numba function
        meaning = BUILTINS.get(id(called)) if called is not None else None
        self.line = node.lineno
        if meaning is None and not isinstance(called, FunctionType):
            remedied = instead_of(called)
            self.refuse(f"the compiler knows no {ast.unparse(node)}{remedied}", foreign=True)
        if any(isinstance(each, ast.Starred) for each in node.args):
            self.refuse("the compiler knows no `*`; write each argument", foreign=True)
        if called is bool and len(node.args) == 1:
            return self.test(node.args[0])
        arguments = [self.expression(each) for each in node.args]
        named = {str(k.arg): self.expression(k.value) for k in node.keywords}
        self.line = node.lineno
        if meaning is not None:
            if not named.keys() <= {"dtype"}:
                self.refuse(f"the compiler knows no {ast.unparse(node)}", foreign=True)
            made: t.Expression = meaning(self, ast.unparse(node), [*arguments, *named.values()])
            return made
        return self.call(called, self.passed(called, arguments, named))

    def callee(self, node: ast.expr) -> Any:
        """The object that is called."""
        found = self.expression(node)
        return found.type.value if isinstance(found.type, Known) else None

    def passed(
        self, called: FunctionType, given: list[t.Expression], named: dict[str, t.Expression]
    ) -> list[t.Expression]:
        """The arguments in order, with defaults for those left out."""
        code = called.__code__
        if code.co_kwonlyargcount or code.co_flags & VARIADIC:
            self.refuse(f"{called.__name__} takes arguments by name only, or any number of them; "
                        "name each in its place", foreign=True)  # fmt: skip
        names = code.co_varnames[: code.co_argcount]
        defaults = called.__defaults__ or ()
        known = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
        found = list(given)
        if named.keys() <= {*names} and list(named) != [n for n in names if n in named]:
            self.refuse(f"give {called.__name__} its arguments in their order", foreign=True)
        for name in names[len(given) :]:
            if name in named:
                found.append(named.pop(name))
            elif name in known:
                if isinstance(known[name], ModuleType):
                    self.refuse(NO_MODULE, foreign=True)
                found.append(self.constant(known[name], name))
        if named or len(found) != len(names):
            self.refuse(f"{called.__name__} takes {len(names)} arguments: {', '.join(names)}")
        return found

    def call(self, called: FunctionType, arguments: list[t.Expression]) -> t.Expression:
        """A call of a function of the program."""
        arguments = [self.fitting(each) for each in arguments]
        for each in arguments:
            if each.type in (NOTHING, SOMETIMES):
                self.refuse(f"{called.__name__} is given the value of a function that returns none")
        line = self.line
        instance = self.program.instance(called, tuple(a.type for a in arguments))
        self.line = line
        assert instance.returns is not None
        self.instance.raises |= instance.raises
        return t.Call(instance.returns, instance, arguments)

    # ---- helpers

    def constant(self, value: Any, name: str = "") -> t.Expression:
        """A value known when compiling."""
        if isinstance(value, bool | np.bool_):
            return t.Constant(BOOL, bool(value), True)
        if isinstance(value, int):
            if type(value) is not int:
                value = int(value)  # of an IntEnum, say
            fits = -(1 << 63) <= value < 1 << 63
            return t.Constant(INT if fits else UINT, value, True)
        if isinstance(value, np.integer):
            if value.dtype.kind not in "iu":
                self.refuse(f"{name!r} is {value!r}, which is no number here", foreign=True)
            return t.Constant(of_dtype(value.dtype), int(value))
        if isinstance(value, float):
            return t.Constant(FLOAT, float(value), True)
        if isinstance(value, tuple):
            if any(isinstance(item, ModuleType) for item in value):
                self.refuse(NO_MODULE, foreign=True)
            return several([self.constant(item, name) for item in value])
        if isinstance(value, np.ndarray | np.void) and not value.dtype.hasobject:
            return self.table(value, name)
        if isinstance(value, enum.Enum):
            self.refuse(f"{value} is no number to Python; make it an IntEnum", foreign=True)
        if (wrong := unreadable(value)) is not None:
            self.refuse(f"it reads {name!r}: dragon compiles no value of type {wrong}, since it "
                        "could not tell when it changes; make it a number, text, a tuple, an "
                        "array or a function")  # fmt: skip
        return t.Constant(Known(value), value)

    def table(self, value: Any, name: str) -> t.Expression:
        """An array, or a record, that is part of the program."""
        try:
            kind = of_dtype(value.dtype)
        except Unsupported as wrong:
            self.refuse(f"{name!r} holds {wrong}", foreign=True)
        if isinstance(value, np.void):
            assert isinstance(kind, Record)
            return t.Constant(Record(kind.fields, kind.size, writable=False), value)
        return t.Constant(Array(kind, value.shape, writable=False), np.ascontiguousarray(value))

    def fitting(self, value: t.Expression) -> t.Expression:
        """A value that is to be there when the program runs; refuses integers beyond 64 bits."""
        known = value.value if isinstance(value, t.Constant) else 0
        if isinstance(value.type, Int) and not -(1 << 63) <= known < 1 << 64:
            self.refuse(f"{known} does not fit in 64 bits")
        return value

    def convert(self, value: t.Expression, kind: Type, cut: bool = False) -> t.Expression:
        """The same value as another type; `cut` lets a number lose what does not fit."""
        if value.type == kind:
            return value
        if isinstance(value, t.Constant) and isinstance(value.type, Int) and isinstance(kind, Int):
            bits, signed = (kind.bits, kind.signed)
            low = value.value & ((1 << bits) - 1)
            whole = low - (1 << bits) if signed and low >> (bits - 1) else low
            return t.Constant(kind, whole if cut or bits < 64 else value.value)
        if isinstance(value, t.Constant) and isinstance(kind, Float) and value.folds:
            return t.Constant(FLOAT, float(value.value), True)
        return t.Convert(kind, value)

    def truth(self, value: t.Expression) -> t.Expression:
        """Whether a value counts as true."""
        match value.type:
            case Bool():
                return value
            case Int():
                if isinstance(value, t.Constant):
                    return t.Constant(BOOL, bool(value.value), True)
                return t.Compare(BOOL, "!=", value, t.Constant(value.type, 0))
            case Float():
                return t.Compare(BOOL, "!=", value, t.Constant(FLOAT, 0.0))
            case Known(value=known):
                return t.Constant(BOOL, bool(known), True)
            case Tuple(items=items):
                return t.Constant(BOOL, bool(items), True)
        self.refuse(f"{value.type} is neither true nor false")

    def test(self, node: ast.expr) -> t.Expression:
        """A condition."""
        if isinstance(node, ast.BoolOp):
            return self.decided(node, self.test)
        return self.truth(self.expression(node))

    def whole_number(self, value: t.Expression, array: bool = False) -> t.Expression:
        """An index, of an array or not, or an end of a range."""
        value = self.fitting(value)
        if isinstance(value.type, Bool) and not array:
            return self.convert(value, INT)
        if isinstance(value.type, Bool):
            self.refuse("numpy takes a truth value for a mask; write int(...)", foreign=True)
        if not isinstance(value.type, Int):
            self.refuse(f"an index must be an integer, not {value.type}",
                        foreign=isinstance(value.type, Array | Known))  # fmt: skip
        return value

    def length(self, array: t.Expression, axis: int) -> t.Expression:
        """How long an axis is."""
        assert isinstance(array.type, Array)
        if not array.type.shape:
            self.refuse("an array without axes has no length")
        fixed, base = array.type.shape[axis], array
        while isinstance(base, t.Field):
            base = base.record
        if fixed is None or not isinstance(base, t.Local | t.Constant):  # it may call something
            return t.Length(INT, array, axis)
        return t.whole(fixed)

    def item(self, value: t.Expression, index: int) -> t.Expression:
        """One value of a tuple."""
        if isinstance(value, t.Several):
            return value.items[index]
        assert isinstance(value.type, Tuple)
        kind = value.type.items[index]
        if isinstance(kind, Known):
            return t.Constant(kind, kind.value)
        return t.Item(kind, value, index)

    def as_array(self, value: t.Expression) -> t.Expression:
        """A tuple of constants as a table, in which an index is looked up when the program runs."""
        numbers = value.items if isinstance(value, t.Several) else []
        found = [n.value for n in numbers if isinstance(n, t.Constant)]
        if not numbers or len(found) != len(numbers):
            self.refuse("only a tuple of constants can be gone through", foreign=True)
        kinds = {n.type for n in map(self.fitting, numbers)}
        dtypes: dict[Type, Any] = {
            INT: np.int64,
            UINT: np.uint64,
            FLOAT: np.float64,
            BOOL: np.bool_,
        }
        if len(kinds) != 1 or not kinds <= dtypes.keys():
            self.refuse("only a tuple of numbers of one kind can be gone through", foreign=True)
        dtype = dtypes[kinds.pop()]
        return self.table(np.array(found, dtype), "a tuple")


def result(a: Type, b: Type) -> Type:
    """The integer that two make: unsigned if both are; truth values count as either."""
    signs = [kind.signed for kind in (a, b) if isinstance(kind, Int)]
    return UINT if signs and not any(signs) else INT


def several(items: list[t.Expression]) -> t.Several:
    """A tuple."""
    return t.Several(Tuple(tuple(item.type for item in items)), items)


def loaded(place: t.Field | t.Element) -> t.Expression:
    """What stands at a place: a number, or the record or array itself."""
    return t.Load(place.type, place) if isinstance(place.type, Int | Bool | Float) else place


def hint(a: Type, b: Type) -> str:
    """What to do where two types do not go together."""
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.items) == len(b.items):
        told = [apart(*pair) for pair in zip(a.items, b.items, strict=True)]
        wrong = next((i for i, each in enumerate(told) if each), None)
        return "" if wrong is None else f": of value {wrong + 1}, {told[wrong][2:]}"
    return apart(a, b)


def apart(a: Type, b: Type) -> str:
    """What to do where two integers do not go together."""
    both = isinstance(a, Int) and isinstance(b, Int) and common(a, b) is None
    return f": {SIGNS}" if both else ""


TEXT = "rules make no text; the notation does"
LOOP = "write a loop"
TUPLE = "write a tuple, or keep what changes in the record"
BEFORE = "test beforehand what would raise"
FILE = "write it at the top of the file"
STATE = "rules keep nothing between calls; what changes is in the record"
NAMES = {
    "ListComp": ("list comprehension", LOOP), "SetComp": ("set comprehension", LOOP),
    "DictComp": ("dict comprehension", LOOP), "GeneratorExp": ("generator expression", LOOP),
    "Try": ("try", BEFORE), "TryStar": ("try", BEFORE), "With": ("context manager (with)", ""),
    "List": ("list", TUPLE), "Set": ("set", f"{TUPLE}; a set of small numbers is a bit set"),
    "Dict": ("dict", TUPLE), "JoinedStr": ("f-string", TEXT), "Lambda": ("lambda", FILE),
    "FunctionDef": ("function in a function", FILE), "ClassDef": ("class", FILE),
    "Import": ("import in a function", FILE), "ImportFrom": ("import in a function", FILE),
    "Yield": ("yield", "a rule writes into `out` what there are several of"),
    "YieldFrom": ("yield", "a rule writes into `out` what there are several of"),
    "Delete": ("del", "leave it out"), "Match": ("match", "write `if` and `elif`"),
    "Global": ("global", STATE), "Nonlocal": ("nonlocal", STATE),
    "MatMult": ("matrix product", LOOP), "Starred": ("star", "name each value"),
}  # fmt: skip
"""What an author calls a construct, and what to do instead."""
OF_NOBODY = {"Global", "Nonlocal", "Import", "ImportFrom", "ClassDef", "Yield", "YieldFrom"}
"""What numba cannot compile either."""
CALLS: dict[Any, str] = {
    **dict.fromkeys((sum, sorted, any, all, enumerate, zip, map, filter, reversed), LOOP),
    **dict.fromkeys((list, set, dict, frozenset, tuple), TUPLE),
    **dict.fromkeys((str, repr, format), TEXT),
    print: "set DRAGON_JIT=0, under which rules may",
    pow: "multiply, or shift",
    round: "write int(...), math.floor(...) or math.ceil(...)",
    isinstance: "types are known before the program runs",
}
"""Functions of Python's that the compiler knows not, and what to do instead."""


def name_of(node: ast.AST) -> str:
    """What an author calls a construct, with what to do instead."""
    return "; ".join(filter(None, NAMES.get(type(node).__name__, (type(node).__name__, ""))))


def instead_of(called: Any) -> str:
    """What to do instead of calling something."""
    known = next((remedy for each, remedy in CALLS.items() if each is called), "")
    module = str(getattr(called, "__module__", None) or type(called).__module__)
    if module.partition(".")[0] == "numpy":
        known = LOOP
    elif module == "random":
        known = "draw(random, n) of dragon.bits draws, in the rule `sample`"
    elif hasattr(called, "__wrapped__"):
        known = "take away its decorator"
    return known and f"; {known}"
