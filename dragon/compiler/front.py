"""The front end: from the syntax tree of a function to the typed tree, or a refusal with its line.

It walks a function as it would run and knows at every point what each variable holds: a
variable may be signed here and unsigned further down. Where ways meet, both sides' types
become one; a loop is read again until its types stay as they are. What a constant decides is
decided here, so that the side not taken need not make sense for this game.

`env` is what the variables hold at the current point, None where no way leads.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, NoReturn

import numpy as np

from dragon.compiler import tree as t
from dragon.compiler.meaning import BUILTINS
from dragon.compiler.program import Instance, Program, Refused, Unfinished
from dragon.compiler.source import NoSource, tree_of
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
    Record,
    Tuple,
    Type,
    Unsupported,
    arrays_in,
    common,
    of_dtype,
)

OPERATORS: dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]] = {
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
COMPARISONS: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}
SIGNS = "one is a signed integer, the other a bit set (uint64); write u64(...) or i64(...)"


class Variable(NamedTuple):
    """What a variable holds at some point."""

    type: Type | None
    """None where ways meet that leave it different things, which must then not be used."""
    maybe: bool = False
    """Whether some way leads here on which it has no value."""
    clash: tuple[Type, Type] | None = None


Env = dict[str, Variable]


class _Missing(Exception):
    """A variable that no way so far has given a value."""


class _Ends:
    """Where the breaks and continues of a loop leave its variables."""

    def __init__(self) -> None:
        self.breaks: list[tuple[t.Break, Env]] = []
        self.rounds: list[tuple[t.Continue, Env]] = []
        self.missing: dict[str, int] = {}


def read(program: Program, instance: Instance) -> None:
    """Fills in the body and the types of an instance; raises Refused."""
    Reader(program, instance).read()


class Reader:
    """Reads one function for certain types of its arguments."""

    def __init__(self, program: Program, instance: Instance) -> None:
        self.program, self.instance = program, instance
        self.function: FunctionType = instance.function
        code = self.function.__code__
        self.locals = {*code.co_varnames, *code.co_cellvars}
        self.env: Env | None = {}
        self.loops: list[_Ends] = []
        self.missing: dict[str, int] = {}
        self.returns: list[t.Return] = []
        self.temporaries = 0
        self.line = code.co_firstlineno

    # ---- the function

    def read(self) -> None:
        """Reads the whole function."""
        try:
            definition = tree_of(self.function)
        except NoSource as none:
            self.refuse(str(none), foreign=True)
        given = definition.args
        if given.vararg or given.kwarg or given.kwonlyargs:
            self.refuse("it takes any number of arguments; name each", foreign=True)
        instance = self.instance
        instance.zeroed, instance.raises = set(), False
        names = self.function.__code__.co_varnames
        self.env = {
            name: Variable(kind) for name, kind in zip(names, instance.arguments, strict=False)
        }
        body = self.block(definition.body)
        if self.missing:
            name, line = next(iter(self.missing.items()))
            self.line = line
            self.refuse(f"the variable {name!r} has no value here")
        if self.env is not None:
            self.returns.append(t.Return(None))
            body.append(self.returns[-1])
        instance.body = body
        instance.returns = self.returned()

    def returned(self) -> Type | None:
        """The type of what is returned, to which every `return` converts."""
        if not self.returns:
            return NOTHING if self.instance.raises else None
        kinds = [NOTHING if r.value is None else r.value.type for r in self.returns]
        found = kinds[0]
        for kind in kinds[1:]:
            joint = common(found, kind)
            if joint is None:
                if NOTHING in (found, kind):
                    return SOMETIMES  # to be refused where it is used
                self.line = self.function.__code__.co_firstlineno
                self.refuse(
                    f"it returns {found} on one way and {kind} on another{hint(found, kind)}"
                )
            found = joint
        for each in self.returns:
            if each.value is not None:
                each.value = self.convert(each.value, found)
        if any(array.scratch for array in arrays_in(found)):
            self.refuse("it returns an array of its own, which ends with it; pass one in")
        return found

    def refuse(self, reason: str, foreign: bool = False, line: int = 0) -> NoReturn:
        """Raises Refused for the current line."""
        raise Refused(self.function, line or self.line, reason, foreign)

    # ---- statements

    def block(self, nodes: Iterable[ast.stmt]) -> list[t.Statement]:
        """The statements of a block, as far as a way leads."""
        out: list[t.Statement] = []
        for node in nodes:
            if self.env is None:
                break
            self.line = node.lineno
            read_one = getattr(self, f"on_{type(node).__name__}", None)
            if read_one is None:
                self.refuse(f"the compiler knows no {name_of(node)}", foreign=True)
            try:
                out += read_one(node) or []
            except Unfinished:  # what follows is read when it is known what the function returns
                self.env = None
            except _Missing as missed:
                found = self.loops[-1].missing if self.loops else self.missing
                found[str(missed)] = self.line
        return out

    def on_Pass(self, node: ast.Pass) -> None:
        """Nothing."""

    def on_Expr(self, node: ast.Expr) -> list[t.Statement]:
        """A call whose value nobody uses, or a docstring."""
        if isinstance(node.value, ast.Constant):
            return []
        return [t.Evaluate(self.expression(node.value))]

    def on_Assign(self, node: ast.Assign) -> list[t.Statement]:
        """`a = b`, `a, b = b, a`, `a = b = c`."""
        value = self.expression(node.value)
        out: list[t.Statement] = []
        if len(node.targets) > 1 or isinstance(node.targets[0], ast.Tuple):
            value = self.held(value, out)
        for target in node.targets:
            self.assign(target, value, out)
        return out

    def on_AnnAssign(self, node: ast.AnnAssign) -> list[t.Statement]:
        """`a: int = b`; the annotation is for people."""
        out: list[t.Statement] = []
        if node.value is not None:
            self.assign(node.target, self.expression(node.value), out)
        return out

    def on_AugAssign(self, node: ast.AugAssign) -> list[t.Statement]:
        """`a += b`; the place is worked out once."""
        out: list[t.Statement] = []
        if isinstance(node.target, ast.Name):
            old = self.expression(ast.copy_location(ast.Name(node.target.id, ast.Load()), node))
            value = self.arithmetic(node.op, old, self.expression(node.value))
            self.assign(node.target, value, out)
            return out
        place = self.place(node.target)
        if not isinstance(place.type, Int | Bool | Float):
            self.refuse(f"`{OPERATORS[type(node.op)][0]}=` works on numbers, not on {place.type}")
        fixed = t.Fixed(place.type, place)
        old = t.Load(place.type, fixed)
        value = self.arithmetic(node.op, old, self.expression(node.value))
        return [t.Fix(fixed), self.store(fixed, value)]

    def on_If(self, node: ast.If) -> list[t.Statement]:
        """A branch; of one on a constant, the side taken."""
        test = self.test(node.test)
        if isinstance(test, t.Constant):
            return self.block(node.body if test.value else node.orelse)
        before = dict(self.env or {})
        then = self.block(node.body)
        after_then, self.env = self.env, before
        otherwise = self.block(node.orelse)
        self.env = self.join([(after_then, then), (self.env, otherwise)])
        return [t.If(test, then, otherwise)]

    def on_While(self, node: ast.While) -> list[t.Statement]:
        """A loop while something holds."""
        return self.loop(lambda: self.test(node.test), list, node.body, list, node.orelse)

    def on_For(self, node: ast.For) -> list[t.Statement]:
        """A loop over a range, a tuple or an array."""
        call = node.iter
        if isinstance(call, ast.Call) and self.callee(call.func) is range:
            return self.over_range(node, call)
        values = self.expression(node.iter)
        out: list[t.Statement] = []
        at = self.temporary()
        if isinstance(values.type, Tuple):
            values, length = self.as_array(values), t.whole(len(values.type.items))
        elif isinstance(values.type, Array):
            values = self.held(values, out)
            length = self.length(values, 0)
        else:
            self.refuse(f"a loop runs over a range, a tuple or an array, not over {values.type}")
        here = t.Local(INT, at)
        out.append(t.Assign(at, t.whole(0)))

        def begin() -> list[t.Statement]:
            found: list[t.Statement] = []
            self.assign(node.target, self.element(values, [here]), found)
            return found

        def step() -> list[t.Statement]:
            return [t.Assign(at, t.Arithmetic(INT, "+", here, t.whole(1)))]

        test = t.Compare(BOOL, "<", here, length)
        return out + self.loop(lambda: test, begin, node.body, step, node.orelse)

    def over_range(self, node: ast.For, call: ast.Call) -> list[t.Statement]:
        """`for i in range(...)`: the ends are worked out once; unsigned if they are."""
        given = [self.whole_number(self.expression(arg)) for arg in call.args]
        if call.keywords or not 1 <= len(given) <= 3:
            self.refuse("write range(stop), range(start, stop) or range(start, stop, step)")
        start, stop, step = [[t.whole(0), given[0], t.whole(1)], [*given, t.whole(1)], given][
            len(given) - 1
        ]
        bound = [g for g in given if not (isinstance(g, t.Constant) and g.value >= 0)]
        unsigned = bool(bound) and all(g.type == UINT for g in bound)
        kind = UINT if unsigned else INT
        out: list[t.Statement] = []
        at = self.temporary()
        here = t.Local(kind, at)
        if isinstance(step, t.Constant) and step.value in (1, -1):
            if not isinstance(stop, t.Constant):
                stop = self.held(stop, out)
            op = "<" if step.value == 1 else ">"
            test = t.Compare(BOOL, op, here, self.convert(stop, kind))
            following: list[t.Statement] = [
                t.Assign(at, t.Arithmetic(kind, "+", here, self.convert(step, kind)))
            ]
            out.append(t.Assign(at, self.convert(start, kind)))
        else:  # how many rounds there are is counted beforehand, lest the index run over
            if isinstance(step, t.Constant) and step.value == 0:
                self.refuse("the step of a range must not be zero")
            start, stop, step = (self.held(self.convert(v, kind), out) for v in (start, stop, step))
            left = self.temporary()
            rounds = t.Intrinsic(UINT, "rounds", [start, stop, step])
            out += [t.Assign(left, rounds), t.Assign(at, start)]
            remaining = t.Local(UINT, left)
            test = t.Compare(BOOL, "!=", remaining, t.Constant(UINT, 0))
            following = [
                t.Assign(at, t.Arithmetic(UINT, "+", here, step)),
                t.Assign(left, t.Arithmetic(UINT, "-", remaining, t.Constant(UINT, 1))),
            ]

        def begin() -> list[t.Statement]:
            found: list[t.Statement] = []
            self.assign(node.target, here, found)
            return found

        return out + self.loop(lambda: test, begin, node.body, lambda: following, node.orelse)

    def loop(
        self,
        test_of: Callable[[], t.Expression],
        begin: Callable[[], list[t.Statement]],
        body_nodes: list[ast.stmt],
        step: Callable[[], list[t.Statement]],
        rest_nodes: list[ast.stmt],
    ) -> list[t.Statement]:
        """A loop, read until the types of its variables stay as they are from round to round."""
        entry = self.env
        assert entry is not None
        head, line = dict(entry), self.line
        while True:
            self.env, self.line = dict(head), line
            ends = _Ends()
            test = test_of()
            if isinstance(test, t.Constant) and not test.value:
                return self.block(rest_nodes)
            self.loops.append(ends)
            after_test = dict(self.env)
            body = begin() + self.block(body_nodes)
            self.loops.pop()
            rounds = [env for _, env in ends.rounds] + ([self.env] if self.env is not None else [])
            latch = merged(rounds)
            new = merged([head, latch])
            assert new is not None
            wanted = {*head} | ({*(latch or {})} & {*ends.missing})
            new = {name: v for name, v in new.items() if name in wanted}
            if new == head:
                break
            head = new
        outer = self.loops[-1].missing if self.loops else self.missing
        outer |= ends.missing
        before = converted(entry, head)
        for each, env in ends.rounds:
            each.before += converted(env, head)
        if self.env is not None:
            body += converted(self.env, head)
        endless = isinstance(test, t.Constant)
        rest: list[t.Statement] = []
        self.env = None
        if not endless:
            fresh = {n: v._replace(maybe=True) for n, v in (latch or {}).items() if n not in head}
            self.env = {**fresh, **after_test}
            rest = self.block(rest_nodes)
        exits = [*((env, b.before) for b, env in ends.breaks), (self.env, rest)]
        self.env = self.join(exits)
        return [*before, t.Loop(None if endless else test, body, step(), rest)]

    def on_Break(self, node: ast.Break) -> list[t.Statement]:
        """Out of the loop."""
        assert self.env is not None
        made = t.Break()
        self.loops[-1].breaks.append((made, self.env))
        self.env = None
        return [made]

    def on_Continue(self, node: ast.Continue) -> list[t.Statement]:
        """To the next round."""
        assert self.env is not None
        made = t.Continue()
        self.loops[-1].rounds.append((made, self.env))
        self.env = None
        return [made]

    def on_Return(self, node: ast.Return) -> list[t.Statement]:
        """Out of the function."""
        value = None if node.value is None else self.expression(node.value)
        if value is not None and value.type == Known(None):
            value = None
        made = t.Return(value)
        self.returns.append(made)
        self.env = None
        return [made]

    def on_Raise(self, node: ast.Raise) -> list[t.Statement]:
        """An exception with a text that does not change."""
        raised, text = node.exc, ""
        if isinstance(raised, ast.Call):
            given = [a.value if isinstance(a, ast.Constant) else None for a in raised.args]
            if len(given) > 1 or raised.keywords or not all(isinstance(g, str) for g in given):
                self.refuse("what a rule raises takes one text that does not change", foreign=True)
            text, raised = str(given[0]) if given else "", raised.func
        kind = self.callee(raised) if raised is not None else None
        if not (isinstance(kind, type) and issubclass(kind, BaseException)) or node.cause:
            self.refuse('write `raise ValueError("...")`', foreign=True)
        return self.raising(kind, text)

    def on_Assert(self, node: ast.Assert) -> list[t.Statement]:
        """Raises AssertionError where something does not hold."""
        text = node.msg.value if isinstance(node.msg, ast.Constant) else ""
        test = self.test(node.test)
        env = self.env
        failing = self.raising(AssertionError, str(text))
        self.env = env
        return [t.If(test, [], failing)]

    def raising(self, kind: type[BaseException], text: str) -> list[t.Statement]:
        """An exception."""
        self.instance.raises = True
        self.env = None
        return [t.Raise(kind, text, self.line)]

    # ---- variables and places

    def assign(self, target: ast.expr, value: t.Expression, out: list[t.Statement]) -> None:
        """One target of an assignment."""
        if isinstance(target, ast.Name):
            self.bind(target.id, value, out)
        elif isinstance(target, ast.Tuple | ast.List):
            if not isinstance(value.type, Tuple) or len(value.type.items) != len(target.elts):
                self.refuse(f"{value.type} cannot be taken apart into {len(target.elts)} values")
            for i, each in enumerate(target.elts):
                self.assign(each, self.item(value, i), out)
        else:
            out.append(self.store(self.place(target), value))

    def bind(self, name: str, value: t.Expression, out: list[t.Statement]) -> None:
        """Gives a variable a value."""
        if value.type in (NOTHING, SOMETIMES):
            self.refuse(f"{name!r} would hold nothing; does the function return a value always?")
        value = self.fitting(value)
        slot = slot_of(name, value.type)
        out.append(t.Assign(slot, value))
        assert self.env is not None
        self.env[name] = Variable(value.type)

    def place(self, target: ast.expr) -> t.Expression:
        """The place that a target names: a field, an element, a stretch of an array."""
        if not isinstance(target, ast.Attribute | ast.Subscript):
            self.refuse(f"the compiler cannot assign to {name_of(target)}", foreign=True)
        found = self.expression(target)
        if isinstance(found, t.Load):
            found = found.place
        if isinstance(found, t.Field | t.Element | t.Slice):
            within = found.record if isinstance(found, t.Field) else found.array
            if isinstance(within.type, Record | Array) and not within.type.writable:
                self.refuse("this is a constant, or memory that is there to be read only")
        return found

    def store(self, place: t.Expression, value: t.Expression) -> t.Statement:
        """Writes a value to a place."""
        match place.type, value.type:
            case ((Int() | Bool() | Float()), (Int() | Bool() | Float())):
                return t.Store(place, self.convert(self.fitting(value), place.type, cut=True))
            case Record(fields=fields, size=size), Record(fields=others, size=other) if (
                size == other and [f[:2] for f in fields] == [f[:2] for f in others]
            ):
                return t.Copy(place, value)
            case Array(element=element), (Int() | Bool() | Float()) if not isinstance(
                element, Record
            ):
                return t.Fill(place, self.convert(self.fitting(value), element, cut=True))
            case Array(), Array() if (
                place.type.element == value.type.element and None not in place.type.shape
            ) and place.type.shape == value.type.shape:
                return t.Copy(place, value)
        self.refuse(f"{value.type} cannot be written where there is {place.type}")

    def temporary(self) -> str:
        """A new slot, which no variable has."""
        self.temporaries += 1
        return f".{self.temporaries}"

    def held(self, value: t.Expression, out: list[t.Statement]) -> t.Expression:
        """A value worked out once, to be used again and again."""
        if isinstance(value, t.Several):
            return t.Several(value.type, [self.held(item, out) for item in value.items])
        if isinstance(value, t.Constant) and not isinstance(value.type, Array):
            return value
        slot = self.temporary()
        out.append(t.Assign(slot, value))
        return t.Local(value.type, slot)

    def join(self, ways: list[tuple[Env | None, list[t.Statement]]]) -> Env | None:
        """What the variables hold where ways meet; each way converts what it leaves differently."""
        found = merged([env for env, _ in ways if env is not None])
        for env, statements in ways:
            if env is not None and found is not None:
                statements += converted(env, found)
        return found

    # ---- expressions

    def expression(self, node: ast.expr) -> t.Expression:
        """An expression."""
        read_one = getattr(self, f"on_{type(node).__name__}", None)
        if read_one is None:
            self.line = node.lineno
            self.refuse(f"the compiler knows no {name_of(node)}", foreign=True)
        self.line = node.lineno
        found: t.Expression = read_one(node)
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
            raise _Missing(node.id)
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
        slot = slot_of(node.target.id, value.type)
        self.instance.zeroed.add(slot)  # it may stand where it is not always come to
        assert self.env is not None
        self.env[node.target.id] = Variable(value.type)
        return t.Keep(value.type, slot, value)

    def on_Tuple(self, node: ast.Tuple) -> t.Expression:
        """`a, b`."""
        return several([self.expression(each) for each in node.elts])

    def on_Attribute(self, node: ast.Attribute) -> t.Expression:
        """A field of a record, something from a module or a class, or an array's shape."""
        base = self.expression(node.value)
        self.line = node.end_lineno or node.lineno
        match base.type:
            case Record() as record:
                return self.field(base, record, node.attr)
            case Array(shape=shape) if node.attr == "shape":
                return several([self.length(base, i) for i in range(len(shape))])
            case Array() if node.attr in ("ndim", "size") and len(base.type.shape) == 1:
                return t.whole(1) if node.attr == "ndim" else self.length(base, 0)
            case Known(value=ModuleType() | type() as value):
                if not hasattr(value, node.attr):
                    self.refuse(f"{value.__name__} has no {node.attr!r}")
                return self.constant(getattr(value, node.attr), node.attr)
        self.refuse(
            f"there is no {node.attr!r} in {base.type}", foreign=isinstance(base.type, Known)
        )

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
        self.refuse(f"{base.type} has no elements", foreign=isinstance(base.type, Known))

    def indexed(self, base: t.Expression, given: list[ast.expr]) -> t.Expression:
        """An element or a stretch of an array: indices first, then at most one slice, then `:`."""
        assert isinstance(base.type, Array)
        if len(given) > len(base.type.shape):
            self.refuse(
                f"{base.type} has {len(base.type.shape)} axes, and {len(given)} are indexed"
            )
        first = next((i for i, g in enumerate(given) if isinstance(g, ast.Slice)), len(given))
        indices = [self.whole_number(self.expression(g)) for g in given[:first]]
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
        assert isinstance(base.type, Tuple)
        ends = [None if e is None else self.expression(e) for e in (cut.lower, cut.upper, cut.step)]
        if not all(e is None or isinstance(e, t.Constant) for e in ends):
            self.refuse("the ends of a slice of a tuple must be constants", foreign=True)
        numbers = [e.value if isinstance(e, t.Constant) else None for e in ends]
        places = range(len(base.type.items))[slice(*numbers)]
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
        sign, reckon = OPERATORS.get(type(op), ("", None))
        if reckon is None:
            self.refuse(f"the compiler knows no {name_of(op)}", foreign=True)
        if isinstance(a, t.Constant) and isinstance(b, t.Constant) and a.folds and b.folds:
            try:
                return self.constant(reckon(a.value, b.value))
            except (ArithmeticError, ValueError, TypeError) as wrong:
                self.refuse(str(wrong))
        for each in (a, b):
            if not isinstance(each.type, Int | Bool | Float):
                self.refuse(f"`{sign}` works on numbers, not on {each.type}",
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
            reckon = {"-": operator.neg, "+": operator.pos, "~": operator.invert}[sign]
            return self.constant(reckon(value.value))
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
        """`a and b`, `a or b`; a constant decides here."""
        op = "and" if isinstance(node.op, ast.And) else "or"
        found: t.Expression | None = None
        for each in node.values:
            value = self.expression(each)
            if isinstance(value, t.Constant):
                if bool(value.value) == (op == "and"):
                    if each is node.values[-1]:
                        found = value if found is None else self.logical(op, found, value)
                    continue  # it leaves the choice to what follows
                return value if found is None else self.logical(op, found, value)
            found = value if found is None else self.logical(op, found, value)
        assert found is not None
        return found

    def logical(self, op: str, a: t.Expression, b: t.Expression) -> t.Expression:
        """Two values, of which the second is asked only where it decides."""
        kind = common(a.type, b.type)
        if kind is None or not isinstance(kind, Int | Bool | Float):
            kind, a, b = BOOL, self.truth(a), self.truth(b)
        return t.Logical(kind, op, self.convert(self.fitting(a), kind),
                         self.convert(self.fitting(b), kind))  # fmt: skip

    def on_Compare(self, node: ast.Compare) -> t.Expression:
        """`a < b`, `a < b < c`, `a is None`, `a in (1, 2)`."""
        left = self.expression(node.left)
        found: t.Expression | None = None
        for i, (op, right_node) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right = self.expression(right_node)
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
            if not (isinstance(a.type, Known) or isinstance(b.type, Known)):
                self.refuse("`is` compares with None; numbers are compared with `==`")
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
        """`a in (1, 2)`."""
        if not isinstance(b.type, Tuple) or isinstance(a, t.Call):
            self.refuse("`in` looks for a variable in a tuple", foreign=True)
        found: t.Expression = t.FALSE
        for i in range(len(b.type.items)):
            one = self.comparison(ast.Eq(), a, self.item(b, i))
            found = one if found is t.FALSE else self.logical("or", found, one)
        return t.Not(BOOL, found) if absent else found

    def on_IfExp(self, node: ast.IfExp) -> t.Expression:
        """`a if test else b`."""
        test = self.test(node.test)
        if isinstance(test, t.Constant):
            return self.expression(node.body if test.value else node.orelse)
        yes, no = self.expression(node.body), self.expression(node.orelse)
        self.line = node.lineno
        kind = common(yes.type, no.type)
        if kind is None or kind == NOTHING:
            self.refuse(f"it is {yes.type} or {no.type}{hint(yes.type, no.type)}")
        return t.Choice(kind, test, self.convert(self.fitting(yes), kind),
                        self.convert(self.fitting(no), kind))  # fmt: skip

    def on_Call(self, node: ast.Call) -> t.Expression:
        """A call of a function of the program, or of one that the compiler knows itself."""
        called = self.callee(node.func)
        called = getattr(called, "py_func", called)  # an author's own numba function
        meaning = BUILTINS.get(id(called)) if called is not None else None
        arguments = [self.expression(each) for each in node.args]
        self.line = node.lineno
        if any(isinstance(each, ast.Starred) for each in node.args):
            self.refuse("the compiler knows no `*`; write each argument", foreign=True)
        if meaning is not None:
            if node.keywords:
                arguments += [self.expression(k.value) for k in node.keywords]
            made: t.Expression = meaning(self, ast.unparse(node), arguments)
            return made
        if not isinstance(called, FunctionType):
            self.refuse(f"the compiler knows no {ast.unparse(node)}", foreign=True)
        named = {str(k.arg): self.expression(k.value) for k in node.keywords}
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
        names = code.co_varnames[: code.co_argcount]
        defaults = called.__defaults__ or ()
        known = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
        found = list(given)
        for name in names[len(given) :]:
            if name in named:
                found.append(named.pop(name))
            elif name in known:
                found.append(self.constant(known[name], name))
        if named or len(found) != len(names):
            self.refuse(f"{called.__name__} takes {len(names)} arguments: {', '.join(names)}")
        return found

    def call(self, called: FunctionType, arguments: list[t.Expression]) -> t.Expression:
        """A call of a function of the program."""
        arguments = [self.fitting(each) for each in arguments]
        for each in arguments:
            if each.type == NOTHING:
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
            return t.Constant(of_dtype(value.dtype), int(value))
        if isinstance(value, float):
            return t.Constant(FLOAT, float(value), True)
        if isinstance(value, tuple):
            return several([self.constant(item, name) for item in value])
        if isinstance(value, np.ndarray | np.void) and not value.dtype.hasobject:
            return self.table(value, name)
        if isinstance(getattr(value, "value", None), int) and hasattr(value, "name"):
            return self.constant(value.value)  # a member of an enum
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
        if isinstance(value, t.Constant) and isinstance(value.type, Int):
            if not -(1 << 63) <= value.value < 1 << 64:
                self.refuse(f"{value.value} does not fit in 64 bits")
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
        return self.truth(self.expression(node))

    def whole_number(self, value: t.Expression) -> t.Expression:
        """An index, or an end of a range."""
        value = self.fitting(value)
        if isinstance(value.type, Bool):
            return self.convert(value, INT)
        if not isinstance(value.type, Int):
            self.refuse(f"an index must be an integer, not {value.type}",
                        foreign=isinstance(value.type, Array | Known))  # fmt: skip
        return value

    def length(self, array: t.Expression, axis: int) -> t.Expression:
        """How long an axis is."""
        assert isinstance(array.type, Array)
        fixed = array.type.shape[axis]
        return t.Length(INT, array, axis) if fixed is None else t.whole(fixed)

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
        kinds = {n.type for n in numbers}
        if kinds <= {INT, BOOL}:
            dtype: Any = np.int64 if INT in kinds else np.bool_
        elif kinds == {UINT}:
            dtype = np.uint64
        elif kinds <= {INT, FLOAT}:
            dtype = np.float64
        else:
            self.refuse("only a tuple of numbers of one kind can be gone through", foreign=True)
        return self.table(np.array(found, dtype), "a tuple")


def slot_of(name: str, kind: Type) -> str:
    """The slot of a variable while it holds values of a type."""
    return f"{name}:{','.join(kind.parts())}"


def result(a: Type, b: Type) -> Type:
    """The integer that two make: unsigned if both are, but for truth values, which count as either."""
    signs = [kind.signed for kind in (a, b) if isinstance(kind, Int)]
    return UINT if signs and not any(signs) else INT


def several(items: list[t.Expression]) -> t.Several:
    """A tuple."""
    return t.Several(Tuple(tuple(item.type for item in items)), items)


def loaded(place: t.Field | t.Element) -> t.Expression:
    """What stands at a place: a number, or the record or array itself."""
    return t.Load(place.type, place) if isinstance(place.type, Int | Bool | Float) else place


def merged(ways: list[Env | None]) -> Env | None:
    """What variables hold where ways meet."""
    envs = [env for env in ways if env is not None]
    if len(envs) < 2:
        return envs[0] if envs else None
    found: Env = {}
    for name in {name: None for env in envs for name in env}:
        held = [env.get(name) for env in envs]
        joint = next(v for v in held if v is not None)
        for each in held:
            if each is None:
                joint = joint._replace(maybe=True)
            elif each != joint:
                joint = _meet(joint, each)
        found[name] = joint
    return found


def _meet(a: Variable, b: Variable) -> Variable:
    maybe = a.maybe or b.maybe
    if a.type is None or b.type is None:
        return Variable(None, maybe, a.clash or b.clash)
    kind = common(a.type, b.type)
    return Variable(kind, maybe, None if kind is not None else (a.type, b.type))


def converted(before: Env, after: Env) -> list[t.Statement]:
    """What a way has to do so that variables are kept as they are where it leads."""
    out: list[t.Statement] = []
    for name, new in after.items():
        old = before.get(name)
        if old is None or old.type is None or new.type is None:
            continue
        if old.type.parts() != new.type.parts():
            value = t.Local(old.type, slot_of(name, old.type))
            out.append(t.Assign(slot_of(name, new.type), t.Convert(new.type, value)))
    return out


def hint(a: Type, b: Type) -> str:
    """What to do where two types do not go together."""
    return f": {SIGNS}" if isinstance(a, Int) and isinstance(b, Int) else ""


NAMES = {
    "ListComp": "list comprehension", "GeneratorExp": "generator expression", "Try": "try",
    "With": "context manager (with)", "List": "list", "Dict": "dict", "Set": "set",
    "JoinedStr": "f-string", "Lambda": "lambda", "FunctionDef": "function in a function",
    "Import": "import", "Yield": "yield", "Delete": "del", "Global": "global", "Match": "match",
    "ClassDef": "class", "MatMult": "matrix product", "Starred": "star",
}  # fmt: skip


def name_of(node: ast.AST) -> str:
    """What an author calls a construct."""
    return NAMES.get(type(node).__name__, type(node).__name__)
