"""The front end's expressions: from Python's syntax to typed values, each with its meaning.

They stay apart from `front`, which reads statements: each is as long as a file should be.
"""

from __future__ import annotations

import ast
import inspect
import operator
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, NoReturn

from dragon.compiler import library
from dragon.compiler import tree as t
from dragon.compiler.fingerprint import of_library
from dragon.compiler.location import OF_NOBODY, Refused, Unfinished, instead_of, name_of
from dragon.compiler.meaning import BUILTINS
from dragon.compiler.operations import Operations, hint, reckoned, several
from dragon.compiler.tree import Variable, joint, slot_of
from dragon.compiler.types import (
    BOOL,
    INT,
    NOTHING,
    SINGLE,
    SOMETIMES,
    UINT,
    Array,
    Bool,
    Float,
    Int,
    Known,
    Record,
    Tuple,
    Type,
)
from dragon.moved import NAMES

VARIADIC = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


class Missing(Exception):
    """A variable does not have a value on any path that leads here."""


class Expressions(Operations):
    """A reader of the expressions of one function, and of the targets of its assignments."""

    def unknown(self, node: ast.AST) -> NoReturn:
        foreign = type(node).__name__ not in OF_NOBODY
        self.refuse(f"the compiler does not support {name_of(node)}", foreign)

    def given(self, name: str, kind: Type) -> str:
        """Note, also for the loops around, the type of a variable's new value; return its slot."""
        for loop in self.loops:
            loop.kinds.setdefault(name, set()).add(kind)
        assert self.env is not None
        self.env[name] = Variable(kind)
        return slot_of(name, kind)

    def perhaps(self, node: ast.expr, read_one: Callable[[ast.expr], Any]) -> Any:
        """Read an expression that may not be evaluated: it may not change the variables it
        names."""
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

    def expression(self, node: ast.expr) -> t.Expression:
        self.line = node.lineno
        read_one = getattr(self, f"on_{type(node).__name__}", None)
        if read_one is None:
            self.unknown(node)
        return self.no_module(read_one(node))

    def on_Constant(self, node: ast.Constant) -> t.Expression:
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
        value = self.fitting(self.expression(node.value))
        slot = self.given(node.target.id, value.type)
        self.instance.zeroed.add(slot)  # it may be in a part that is not always evaluated
        return t.Keep(value.type, slot, value)

    def on_Tuple(self, node: ast.Tuple) -> t.Expression:
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
            case Tuple(names=names) if node.attr in names:
                return self.one_of(base, names.index(node.attr))
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
                return self.no_module(self.constant(getattr(kind, node.attr), node.attr))
        self.refuse_collection(base)
        remedy = self.remedy(base.type)
        if isinstance(base.type, Int) and node.attr == "value":
            remedy = "; a member of an IntEnum is the number itself"
        self.refuse(f"there is no {node.attr!r} in {base.type}{remedy}",
                    foreign=isinstance(base.type, Known))  # fmt: skip

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
                    return self.one_of(base, index.value % len(base.type.items))
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

    def on_BinOp(self, node: ast.BinOp) -> t.Expression:
        left, right = self.expression(node.left), self.expression(node.right)
        self.line = node.lineno
        return self.arithmetic(node.op, left, right)

    def on_UnaryOp(self, node: ast.UnaryOp) -> t.Expression:
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
        if isinstance(value.type, Float) and sign != "~":
            return value if sign == "+" else t.Intrinsic(value.type, "fneg", [value])
        if not isinstance(value.type, Int | Bool) or (value.type == BOOL and sign == "~"):
            self.refuse(f"`{sign}` does not work on {value.type}"
                        f"{'; write `not`' if value.type == BOOL else ''}")  # fmt: skip
        value = self.fitting(value)
        kind = reckoned(sign, value.type, value.type)
        value = self.convert(value, INT)
        if sign == "+":
            return self.convert(value, kind)
        if sign == "~":
            return t.Arithmetic(kind, "^", value, t.whole(-1))
        return t.Arithmetic(kind, "-", t.whole(0), value)

    def on_BoolOp(self, node: ast.BoolOp) -> t.Expression:
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
            known = isinstance(value, t.Constant) and not isinstance(value.type, Array | Record)
            goes_on = known and bool(value.value) == (op == "and")
            if goes_on and each is not node.values[-1]:
                continue  # it leaves the choice to what follows
            found = value if found is None else self.logical(op, found, value)
            if known and not goes_on:
                break
        assert found is not None
        return found

    def on_Compare(self, node: ast.Compare) -> t.Expression:
        """`a < b`, `a < b < c`, `a is None`, `a in (1, 2)`."""
        left = self.expression(node.left)
        found: t.Expression | None = None
        for i, (op, right_node) in enumerate(zip(node.ops, node.comparators, strict=True)):
            # All but the first are not always come to.
            right = self.perhaps(right_node, self.expression) if i else self.expression(right_node)
            following = right
            if i + 1 < len(node.ops) and not isinstance(right, t.Constant | t.Local):
                right, following = self.kept(right)
            one = self.comparison(op, left, right)
            found = one if found is None else self.logical("and", found, one)
            left = following
        assert found is not None
        return found

    def on_IfExp(self, node: ast.IfExp) -> t.Expression:
        test = self.test(node.test)
        if isinstance(test, t.Constant):
            return self.expression(node.body if test.value else node.orelse)
        yes, no = (self.tried(each, self.expression) for each in (node.body, node.orelse))
        self.line = node.lineno
        if yes is None or no is None:  # the function is read again when the other is known
            if (known := yes or no) is None:
                raise Unfinished
            return known
        kind = joint(yes, no)
        if kind is None or kind == NOTHING:
            self.refuse(f"it is {yes.type} or {no.type}{hint(yes.type, no.type)}")
        return t.Choice(kind, test, self.convert(self.fitting(yes), kind),
                        self.convert(self.fitting(no), kind))  # fmt: skip

    def tried(self, node: ast.expr, read_one: Callable[[ast.expr], Any]) -> t.Expression | None:
        """Read what may not be evaluated; return None if it is a recursive call of unknown type."""
        try:
            found: t.Expression = self.perhaps(node, read_one)
            return found
        except Unfinished:
            self.waits = True
            return None

    def on_Call(self, node: ast.Call) -> t.Expression:
        """A call of a function of the program, or of one that the compiler knows itself."""
        called = self.callee(node.func)
        called = getattr(called, "py_func", called)  # an author's own numba function
        meaning = BUILTINS.get(id(called)) if called is not None else None
        self.line = node.lineno
        called = library.BY_IDENTITY.get(id(called), called)
        if node.keywords and called in library.KNOWN:
            meaning = None  # as it is written in the library, which has the names
        if meaning is None and (not isinstance(called, FunctionType) or of_library(called)):
            reason = f"the compiler does not support {ast.unparse(node)}{instead_of(called)}"
            self.refuse(reason, foreign=True)
        if any(isinstance(each, ast.Starred) for each in node.args):
            self.refuse("the compiler does not support `*`; write each argument", foreign=True)
        if called is bool and len(node.args) == 1:
            return self.test(node.args[0])
        arguments = [self.expression(each) for each in node.args]
        named = {str(k.arg): self.expression(k.value) for k in node.keywords}
        self.line = node.lineno
        if meaning is not None:
            if not named.keys() <= {"dtype"}:
                self.refuse(f"the compiler does not support {ast.unparse(node)}", foreign=True)
            made: t.Expression = meaning(self, ast.unparse(node), [*arguments, *named.values()])
            return made
        if called in library.KNOWN:
            return self.by_library(ast.unparse(node), called, arguments, named)
        return self.call(called, self.passed(called, arguments, named))

    def by_library(
        self, call: str, called: FunctionType, given: list[t.Expression],
        named: dict[str, t.Expression],
    ) -> t.Expression:  # fmt: skip
        """Return a call of a function of `library`; what that refuses is the caller's mistake."""
        kinds, line = ", ".join(str(each.type) for each in (*given, *named.values())), self.line
        match called, [g.type for g in given]:
            case (library.total, [Array(element=element)]) if element == UINT and not named:
                self.refuse(f"{call}: bit sets have no sum; add them up in a loop, from u64(0)")
        try:
            return self.call(called, self.passed(called, given, named))
        except Refused as refused:
            if refused.function not in library.KNOWN:
                raise
        self.line = line
        self.refuse(f"the compiler does not support {call} of {kinds or 'nothing'}", foreign=True)

    def callee(self, node: ast.expr) -> Any:
        found = self.expression(node)
        return found.type.value if isinstance(found.type, Known) else None

    def passed(
        self, called: FunctionType, given: list[t.Expression], named: dict[str, t.Expression]
    ) -> list[t.Expression]:
        """Return the arguments in order, with defaults for those left out."""
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
        for place, name in enumerate(names[len(given) :], len(given)):
            if name in named and place >= code.co_posonlyargcount:
                found.append(named.pop(name))
            elif name in known:
                found.append(self.no_module(self.constant(known[name], name)))
        if named or len(found) != len(names):
            became = NAMES.get(f"dragon.rules.kernels.playout.{called.__name__}", "")
            moved = became and f"; the kernel of this name {became}"
            self.refuse(
                f"{called.__name__} takes {len(names)} arguments: {', '.join(names)}{moved}"
            )
        return found

    def test(self, node: ast.expr) -> t.Expression:
        if isinstance(node, ast.BoolOp):
            return self.decided(node, self.test)
        return self.truth(self.expression(node))

    # ---- the targets of assignments

    def assign(self, target: ast.expr, value: t.Expression, out: list[t.Statement]) -> None:
        if isinstance(target, ast.Name):
            self.bind(target.id, value, out)
        elif isinstance(target, ast.Tuple | ast.List):
            for each in target.elts:
                if isinstance(each, ast.Starred):
                    self.unknown(each)
            if isinstance(value.type, Array) and value.type.shape[0] == len(target.elts):
                each_one = (self.element(value, [t.whole(i)]) for i in range(len(target.elts)))
                value = self.held(several([*each_one]), out)
            if not isinstance(value.type, Tuple) or len(value.type.items) != len(target.elts):
                self.refuse(f"{value.type} cannot be taken apart into {len(target.elts)} values")
            for i, each in enumerate(target.elts):
                self.assign(each, self.item(value, i), out)
        else:
            out.append(self.store(self.place(target), value))

    def bind(self, name: str, value: t.Expression, out: list[t.Statement]) -> None:
        if value.type in (NOTHING, SOMETIMES):
            self.refuse(f"{name!r} would hold nothing; does the function return a value always?")
        value = self.fitting(value)
        out.append(t.Assign(self.given(name, value.type), value))

    def place(self, target: ast.expr) -> t.Expression:
        """Return the place that a target names: a field, an element, a slice of an array."""
        if not isinstance(target, ast.Attribute | ast.Subscript):
            self.refuse(f"the compiler cannot assign to {name_of(target)}", foreign=True)
        found = self.expression(target)
        if isinstance(found, t.Load):
            found = found.place
        within = found
        if isinstance(found, t.Field):
            within = found.record
        elif isinstance(found, t.Element | t.Slice):
            within = found.array
        elif isinstance(found, t.Item) or not isinstance(found.type, Array):  # as `a[:]` is
            self.refuse(f"{ast.unparse(target)} is not a place that can be written", foreign=True)
        if isinstance(within.type, Record | Array) and not within.type.writable:
            self.refuse("this is a constant, or memory that is there to be read only")
        return found

    def store(self, place: t.Expression, value: t.Expression) -> t.Statement:
        match place.type, value.type:
            case ((Int() | Bool()), Float()):
                self.refuse(f"a {value.type} would be cut where there is {place.type}; "
                            "write int(...)")  # fmt: skip
            case Float(bits=32), _ if value.type != SINGLE and not isinstance(value, t.Constant):
                self.refuse(f"{value.type} would be rounded; write np.float32(...)")
            case ((Int() | Bool() | Float()), (Int() | Bool() | Float())):
                return t.Store(place, self.written(value, place.type), self.line)
            case Record(), Record() if (
                place.type.size == value.type.size and place.type.fields == value.type.fields
            ):
                return t.Copy(place, value)
            case Array(element=element), (Int() | Bool() | Float()) if not isinstance(
                element, Record
            ):
                return t.Fill(place, self.written(value, element), self.line)
            case Array(), Array() if (
                place.type.element == value.type.element and None not in place.type.shape
            ) and place.type.shape == value.type.shape:
                return t.Copy(place, value)
        lengths = isinstance(place.type, Array) and isinstance(value.type, Array)
        remedy = self.remedy(place.type) if lengths else ""
        self.refuse(f"{value.type} cannot be written where there is {place.type}{remedy}",
                    foreign=isinstance(place.type, Array))  # fmt: skip

    def written(self, value: t.Expression, kind: Type) -> t.Expression:
        """Convert a number for a place; an integer is not cut yet, so that checked code can test
        it."""
        value = self.fitting(value)
        if isinstance(value.type, Int) and isinstance(kind, Int):
            return value
        return self.convert(value, kind, cut=True)

    def held(self, value: t.Expression, out: list[t.Statement]) -> t.Expression:
        """Return a value that is evaluated once, by a statement in `out`, and used several
        times."""
        if isinstance(value, t.Several):
            return t.Several(value.type, [self.held(item, out) for item in value.items])
        if isinstance(value, t.Constant) and not isinstance(value.type, Array):
            return value
        slot = self.temporary()
        out.append(t.Assign(slot, value))
        return t.Local(value.type, slot)
