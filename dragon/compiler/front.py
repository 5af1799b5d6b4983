"""The front end: from the syntax tree of a function to the typed tree, or a refusal with its line.

It walks a function as it would run and knows the type of each variable at every point: a variable
may be signed here and unsigned further down. Where branches meet, the types of both sides become
one; a loop is read again until its types stay as they are. Branches on constants are taken here, so
that the other side need not make sense for this game.

`env` has the types of the variables at the current point; it is None where no path leads.

The module stays apart from `program`, which joins the functions that are read here.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from dragon import bits
from dragon.compiler import tree as t
from dragon.compiler.expressions import Expressions, Missing
from dragon.compiler.fingerprint import NoSource, tree_of
from dragon.compiler.location import Unfinished
from dragon.compiler.operations import OPERATORS, Functions, hint
from dragon.compiler.tree import Env, Instance, Variable, converted, merged
from dragon.compiler.types import (
    BOOL,
    INT,
    NOTHING,
    SOMETIMES,
    UINT,
    Array,
    Bool,
    Float,
    Int,
    Known,
    Tuple,
    Type,
    common,
    references_in,
)

MOST_INT = (1 << 63) - 1


class _Ends:
    """The types of a loop's variables at its breaks and continues."""

    def __init__(self) -> None:
        self.exits: list[tuple[t.Leave, Env]] = []
        self.missing: dict[str, int] = {}
        self.kinds: dict[str, set[Type]] = {}
        """The types that variables are given within the loop."""


class Reader(Expressions):
    """A reader of one function for certain types of its arguments."""

    def __init__(self, program: Functions, instance: Instance) -> None:
        super().__init__(program, instance)
        self.loops: list[_Ends] = []
        self.missing: dict[str, int] = {}
        self.returns: list[t.Return] = []
        self.return_lines: list[int] = []
        """The lines on which it returns."""

    # ---- the function

    def read(self) -> None:
        """Fill in the body and the types of the instance; raise Refused."""
        try:
            definition = tree_of(self.function)
        except NoSource as none:
            self.refuse(str(none), foreign=True)
        if isinstance(definition, ast.AsyncFunctionDef):
            self.refuse("an async function cannot be a rule; write `def` alone")
        given = definition.args
        if given.vararg or given.kwarg or given.kwonlyargs:
            self.refuse("it takes arguments by name only, or any number of them", foreign=True)
        instance = self.instance
        instance.zeroed, instance.raises = set(), False
        names = self.function.__code__.co_varnames
        self.env = {
            name: Variable(kind) for name, kind in zip(names, instance.arguments, strict=False)
        }
        try:
            body = self.block(definition.body)
        except RecursionError:
            self.refuse("this is nested too deep; split it")
        if self.missing:
            name, line = next(iter(self.missing.items()))
            self.line = line
            self.refuse(f"the variable {name!r} has no value here")
        if self.env is not None:
            self.returns.append(t.Return(None))
            self.return_lines.append(self.line)
            body.append(self.returns[-1])
        instance.body = body
        instance.returns = self.returned()

    def returned(self) -> Type | None:
        """Return the type of the function's value, and convert the value of every `return` to
        it."""
        if not self.returns and not self.instance.raises and not self.waits:
            self.line = self.function.__code__.co_firstlineno
            self.refuse("it never returns; is there a `return` or a `break` missing in a loop?")
        if not self.returns:
            return NOTHING if self.instance.raises else None
        kinds = [NOTHING if r.value is None else r.value.type for r in self.returns]
        found = kinds[0]
        for kind, line in zip(kinds[1:], self.return_lines[1:], strict=True):
            joint = common(found, kind)
            if joint is None:
                if NOTHING in (found, kind):
                    return SOMETIMES  # to be refused where it is used
                self.line = line
                self.refuse(f"it returns {kind} here and {found} before{hint(found, kind)}")
            found = joint
        for each in self.returns:
            if each.value is not None:
                each.value = self.convert(each.value, found)
        if any(each.scratch for each in references_in(found)):
            self.refuse("it returns memory of its own, which ends with it; pass some in")
        return found

    # ---- statements

    def block(self, nodes: Iterable[ast.stmt]) -> list[t.Statement]:
        """Return the statements of a block that can be reached."""
        out: list[t.Statement] = []
        for node in nodes:
            if self.env is None:
                break
            self.line = node.lineno
            read_one = getattr(self, f"on_{type(node).__name__}", None)
            if read_one is None:
                self.unknown(node)
            try:
                out += read_one(node) or []
            except Unfinished:  # what follows is read when it is known what the function returns
                self.waits, self.env = True, None
            except Missing as missed:
                found = self.loops[-1].missing if self.loops else self.missing
                found.setdefault(str(missed), self.line)
        return out

    def on_Pass(self, node: ast.Pass) -> None:
        """Nothing."""

    def on_Expr(self, node: ast.Expr) -> list[t.Statement]:
        """A call whose value is not used, or a docstring."""
        if isinstance(node.value, ast.Constant):
            return []
        return [t.Evaluate(self.expression(node.value))]

    def on_Assign(self, node: ast.Assign) -> list[t.Statement]:
        """`a = b`, `a, b = b, a`, `a = b = c`."""
        value = self.expression(node.value)
        out: list[t.Statement] = []
        if len(node.targets) > 1 or isinstance(node.targets[0], ast.Tuple | ast.List):
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
        """`a += b`; the address of the place is computed once."""
        out: list[t.Statement] = []
        if isinstance(node.target, ast.Name):
            old = self.expression(ast.copy_location(ast.Name(node.target.id, ast.Load()), node))
            value = self.arithmetic(node.op, old, self.expression(node.value))
            self.assign(node.target, value, out)
            return out
        place = self.place(node.target)
        if not isinstance(place.type, Int | Bool | Float):
            sign = OPERATORS[type(node.op)][0]
            self.refuse(f"`{sign}=` works on numbers, not on {place.type}", foreign=True)
        fixed = t.Fixed(place.type, place)
        old = t.Load(place.type, fixed)
        value = self.arithmetic(node.op, old, self.expression(node.value))
        return [t.Fix(fixed), self.store(fixed, value)]

    def on_If(self, node: ast.If) -> list[t.Statement]:
        """A branch; if its condition is a constant, only the side that is taken."""
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
        return self.loop(node, lambda: self.test(node.test))

    def on_For(self, node: ast.For) -> list[t.Statement]:
        call = node.iter
        callee = self.callee(call.func) if isinstance(call, ast.Call) else None
        if isinstance(call, ast.Call) and callee is range:
            return self.over_range(node, call)
        if isinstance(call, ast.Call) and callee is bits.lanes:
            return self.over_lanes(node, call)
        if isinstance(call, ast.Call) and callee is bits.members:
            return self.over_members(node, call)
        values = self.expression(node.iter)
        out: list[t.Statement] = []
        at = self.temporary()
        length: t.Expression
        if isinstance(values.type, Tuple):
            if not values.type.items:
                self.unasked(values)
                return self.block(node.orelse)
            length = t.whole(len(values.type.items))
            values = self.as_array(values)
        elif isinstance(values.type, Array):
            values = self.held(values, out)
            length = self.length(values, 0)
        else:
            self.refuse_collection(values)
            self.refuse(f"a loop runs over a range, a tuple or an array, not over {values.type}")
        here = t.Local(INT, at)
        out.append(t.Assign(at, t.whole(0)))
        step = t.Assign(at, t.Arithmetic(INT, "+", here, t.whole(1)))
        test = t.Compare(BOOL, "<", here, length)
        return out + self.loop(node, lambda: test, self.element(values, [here]), [step])

    def over_range(self, node: ast.For, call: ast.Call) -> list[t.Statement]:
        """`for i in range(...)`: the ends are evaluated once; i is unsigned if they are."""
        given = [self.whole_number(self.expression(arg)) for arg in call.args]
        if call.keywords or not 1 <= len(given) <= 3:
            self.refuse("write range(stop), range(start, stop) or range(start, stop, step)")
        start, stop, step = [[t.whole(0), given[0], t.whole(1)], [*given, t.whole(1)], given][
            len(given) - 1
        ]
        bound = [g for g in given if not (isinstance(g, t.Constant) and g.value >= 0)]
        unsigned = bool(bound) and all(g.type == UINT for g in bound)
        kind = UINT if unsigned else INT
        if kind == INT and any(isinstance(g, t.Constant) and g.value > MOST_INT for g in given):
            self.refuse("an end of this range does not fit into int64, and another is signed")
        out: list[t.Statement] = []
        at = self.temporary()
        here = t.Local(kind, at)
        if isinstance(step, t.Constant) and step.value in (1, -1):
            out.append(t.Assign(at, self.convert(start, kind)))
            if not isinstance(stop, t.Constant):
                stop = self.held(stop, out)
            op = "<" if step.value == 1 else ">"
            test = t.Compare(BOOL, op, here, self.convert(stop, kind))
            following: list[t.Statement] = [
                t.Assign(at, t.Arithmetic(kind, "+", here, self.convert(step, kind)))
            ]
        else:  # how many rounds there are is counted beforehand, so that the index cannot overflow
            if isinstance(step, t.Constant) and step.value == 0:
                self.refuse("the step of a range must not be zero")
            start, stop, step = (self.held(self.convert(v, kind), out) for v in (start, stop, step))
            left = self.temporary()
            rounds = t.Intrinsic(UINT, "rounds", [start, stop, step], self.line)
            out += [t.Assign(left, rounds), t.Assign(at, start)]
            remaining = t.Local(UINT, left)
            test = t.Compare(BOOL, "!=", remaining, t.Constant(UINT, 0))
            following = [
                t.Assign(at, t.Arithmetic(UINT, "+", here, step)),
                t.Assign(left, t.Arithmetic(UINT, "-", remaining, t.Constant(UINT, 1))),
            ]
        return out + self.loop(node, lambda: test, here, following)

    def over_lanes(self, node: ast.For, call: ast.Call) -> list[t.Statement]:
        """`for i in lanes(8)`: 8 turns at once; i is unsigned, and never counts from an end."""
        given = [self.expression(arg) for arg in call.args]
        match given:
            case [t.Constant(type=Int(), value=2 | 4 | 8 | 16 as count)] if not call.keywords:
                pass
            case _:
                self.refuse("write lanes(n) with 2, 4, 8 or 16")
        at = self.temporary()
        here, zero, one = t.Local(UINT, at), t.Constant(UINT, 0), t.Constant(UINT, 1)
        test = t.Compare(BOOL, "<", here, t.Constant(UINT, count))
        step = t.Assign(at, t.Arithmetic(UINT, "+", here, one))
        out = [t.Assign(at, zero), *self.loop(node, lambda: test, here, [step])]
        found = out[-1]
        assert isinstance(found, t.Loop)
        found.lanes = count
        return out

    def over_members(self, node: ast.For, call: ast.Call) -> list[t.Statement]:
        """`for i in members(x)`: each turn takes the lowest bit that is left of the set."""
        if call.keywords or len(call.args) != 1:
            self.refuse("write members(x), of one bit set")
        at = self.temporary()
        rest = t.Local(UINT, at)
        word = self.expression(call.args[0])
        if not isinstance(word.type, Int | Bool):
            self.refuse(f"members(x) is of a bit set, not of {word.type}", foreign=True)
        begin = t.Assign(at, self.convert(self.fitting(word), UINT, cut=True))
        less = t.Arithmetic(UINT, "-", rest, t.Constant(UINT, 1))
        step = t.Assign(at, t.Arithmetic(UINT, "&", rest, less))
        test, lowest = self.truth(rest), t.Intrinsic(INT, "cttz", [rest])
        return [begin, *self.loop(node, lambda: test, lowest, [step])]

    def loop(
        self, node: ast.For | ast.While, test_of: Callable[[], t.Expression],
        value: t.Expression | None = None, step: Iterable[t.Statement] = (),
    ) -> list[t.Statement]:  # fmt: skip
        """Return a loop, read again until the types of its variables stay as they are.

        value: the value that each turn of a `for` assigns to its target.
        """
        entry = self.env
        assert entry is not None
        head, line = dict(entry), self.line
        while True:
            self.env, self.line = dict(head), line
            ends = _Ends()
            try:
                test = test_of()
            except Missing as missed:  # unless a round before gives it a value
                ends.missing[str(missed)], test = self.line, t.Not(BOOL, t.FALSE)
            if isinstance(test, t.Constant) and not test.value:
                return self.block(node.orelse)
            self.loops.append(ends)
            after_test = dict(self.env)
            for name, held in after_test.items():  # the test, too, gives them types
                if held != head.get(name) and held.type is not None:
                    ends.kinds.setdefault(name, set()).add(held.type)
            body: list[t.Statement] = []
            if isinstance(node, ast.For) and value is not None:
                self.assign(node.target, value, body)
            body += self.block(node.body)
            self.loops.pop()
            latch = merged([*(env for leave, env in ends.exits if leave.again), self.env])
            new = merged([head, latch])
            assert new is not None
            # What a round gives a variable is there in the next; it matters if that is read
            # there, or may be of another type than what that round gives it.
            fresh = {n: v._replace(maybe=True) for n, v in (latch or {}).items() if n not in head}
            carried = {n for n in fresh if n in ends.missing or len(ends.kinds.get(n, ())) > 1}
            new = {name: v for name, v in new.items() if name in head or name in carried}
            if new == head:
                break
            head = new
        outer = self.loops[-1].missing if self.loops else self.missing
        outer |= ends.missing
        before = converted(entry, head)
        for leave, env in ends.exits:
            leave.before += converted(env, head) if leave.again else []
        if self.env is not None:
            body += converted(self.env, head)
        endless = isinstance(test, t.Constant)
        rest: list[t.Statement] = []
        self.env = None
        if not endless:
            self.env = {**fresh, **after_test}
            rest = self.block(node.orelse)
        breaks = [({**fresh, **env}, b.before) for b, env in ends.exits if not b.again]
        self.env = self.join([*breaks, (self.env, rest)])
        return [*before, t.Loop(None if endless else test, body, [*step], rest, line)]

    def on_Break(self, node: ast.Break | ast.Continue) -> list[t.Statement]:
        assert self.env is not None
        made = t.Leave(isinstance(node, ast.Continue))
        self.loops[-1].exits.append((made, self.env))
        self.env = None
        return [made]

    on_Continue = on_Break  # noqa: N815  as the methods are named

    def on_Return(self, node: ast.Return) -> list[t.Statement]:
        value = None if node.value is None else self.fitting(self.expression(node.value))
        if value is not None and value.type == Known(None):
            value = None
        made = t.Return(value)
        self.returns.append(made)
        self.return_lines.append(node.lineno)
        self.env = None
        return [made]

    def on_Raise(self, node: ast.Raise) -> list[t.Statement]:
        """An exception with a constant text."""
        raised, text = node.exc, ""
        if isinstance(raised, ast.Call):
            given = [
                self.callee(a) if isinstance(a, ast.Name) else getattr(a, "value", None)
                for a in raised.args
            ]
            if len(given) > 1 or raised.keywords or not all(isinstance(g, str) for g in given):
                self.refuse("what a rule raises takes one text that does not change", foreign=True)
            text, raised = str(given[0]) if given else "", raised.func
        kind = self.callee(raised) if raised is not None else None
        if not (isinstance(kind, type) and issubclass(kind, BaseException)) or node.cause:
            self.refuse('write `raise ValueError("...")`', foreign=True)
        if "<locals>" in kind.__qualname__:
            self.refuse(f"{kind.__name__} is of a function; write it at the top of the file")
        self.instance.raises, self.env = True, None
        return [t.Raise(kind, text, self.line)]

    def on_Assert(self, node: ast.Assert) -> list[t.Statement]:
        """Raise AssertionError where something does not hold, unless Python runs with -O."""
        if not __debug__:
            return []
        if node.msg is not None and not isinstance(node.msg, ast.Constant):
            self.refuse("what an assert says is a text that does not change", foreign=True)
        text = node.msg.value if node.msg is not None else ""
        test = self.test(node.test)
        self.instance.raises = True
        return [t.If(test, [], [t.Raise(AssertionError, str(text), self.line)])]

    def join(self, branches: list[tuple[Env | None, list[t.Statement]]]) -> Env | None:
        """Join the types of variables where branches meet, with conversions at the ends of
        branches."""
        found = merged([env for env, _ in branches if env is not None])
        for env, statements in branches:
            if env is not None and found is not None:
                statements += converted(env, found)
        return found
