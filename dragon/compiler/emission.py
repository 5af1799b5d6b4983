"""Emission: from the typed tree to the text of LLVM's assembly language.

A value is a list of operands, one for each part of its type. Variables are stack slots, which
LLVM turns into registers. Conditions are branches: LLVM makes selects of them where these are
quicker, and not the other way about. Signed arithmetic must not overflow (`nsw`), counts of
shifts are taken modulo 64, division by zero gives zero.

Calls without end end the program with an exception: where a function calls itself, every function
is told how many calls deep it is. With `checked`, so do a loop of a rule without end, an index out
of bounds, a division by zero and a count of shifts that is not 0 to 63.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from dragon.blame import Endless
from dragon.compiler import tree as t
from dragon.compiler.instructions import (
    BELOW_ZERO,
    COMPARE,
    FLIPPED,
    INSTRUCTIONS,
    ON_FLOATS,
    Instructions,
)
from dragon.compiler.types import (
    Array,
    Bool,
    Float,
    Int,
    Record,
    Tuple,
    Type,
    size_of,
    storage,
)
from dragon.compiler.writing import Operands

OF_LLVM = {"floor", "ceil", "sqrt", "log", "log2", "log10", "exp", "sin", "cos", "fabs", "pow"}
MOST_TURNS = 10_000_000
"""How often the loops of a call may go round in checked code; those of kernels may for ever."""
MOST_CALLS = 1000
"""How many calls may be in progress when a function calls itself; plain Python allows no more."""


class Writer(Instructions):
    """Writes one function."""

    def text(self) -> str:
        """The whole function."""
        instance, assembly = self.instance, self.assembly
        names = instance.function.__code__.co_varnames
        given = []
        for name, kind in zip(names, instance.arguments, strict=False):
            slot = f"{name}:{','.join(kind.parts())}"
            values = [self.name() for _ in kind.parts()]
            given += [f"{part} {v}" for part, v in zip(kind.parts(), values, strict=True)]
            self.put(slot, kind, values)
        if assembly.deep:
            given.append("i64 %depth")
        if instance.recursive:
            self.require(self.set(f"icmp ult i64 %depth, {MOST_CALLS}"), Endless,
                       f"it calls itself, {MOST_CALLS:,} deep",
                       instance.function.__code__.co_firstlineno)  # fmt: skip
        self.statements(instance.body)
        if self.open:
            self.emit("unreachable")
        inline = "alwaysinline " if instance.kernel and not instance.recursive else ""
        name, passed = assembly.function(instance), ", ".join(given)
        head = f"define internal fastcc {assembly.returned(instance)} {name}({passed}) "
        head += f"{inline}nounwind {{\nentry:"
        return "\n".join([head, *self.first, *self.lines, "}"])

    def statements(self, nodes: Iterable[t.Statement]) -> None:
        """A block, up to where it leaves."""
        for node in nodes:
            if not self.open:
                return
            getattr(self, f"on_{type(node).__name__}")(node)

    def on_Assign(self, node: t.Assign) -> None:
        """A variable."""
        self.put(node.slot, node.value.type, self.value(node.value))

    def on_Evaluate(self, node: t.Evaluate) -> None:
        """A call."""
        self.value(node.value)

    def on_Fix(self, node: t.Fix) -> None:
        """The address of a place."""
        node.fixed.address[:] = self.value_of_place(node.fixed.place)

    def on_Store(self, node: t.Store) -> None:
        """A number in memory."""
        (value,) = self.value(node.value)
        (address, *_) = self.value_of_place(node.place)
        self.write(node.place.type, value, address)

    def on_Copy(self, node: t.Copy) -> None:
        """A record or an array over another, which may be the same."""
        (source, *_) = self.value(node.value)
        (target, *_) = self.value(node.place)
        # Two records are one and the same or lie apart; stretches of an array may overlap.
        name = "memcpy" if isinstance(node.place.type, Record) else "memmove"
        self.assembly.declare(f"declare void @llvm.{name}.p0.p0.i64(ptr, ptr, i64, i1)")
        given = f"ptr {target}, ptr {source}, i64 {size_of(node.place.type)}, i1 false"
        self.emit(f"call void @llvm.{name}.p0.p0.i64({given})")

    def on_Fill(self, node: t.Fill) -> None:
        """A loop over the elements."""
        (value,) = self.value(node.value)
        kind = node.array.type
        assert isinstance(kind, Array)
        address, *lengths = self.value(node.array)
        count = self.count(kind, lengths)
        again, end = self.label(), self.label()
        before, body = self.block, self.label()
        self.begin(again)
        at, following = self.name(), self.name()
        self.emit(f"{at} = phi i64 [ 0, %{before} ], [ {following}, %{body} ]")
        more = self.set(f"icmp slt i64 {at}, {count}")
        self.branch_on(more, body, end)
        self.begin(body)
        size = size_of(kind.element)
        offset = self.set(f"mul i64 {at}, {size}")
        self.write(kind.element, value, self.set(f"getelementptr i8, ptr {address}, i64 {offset}"))
        self.emit(f"{following} = add nuw nsw i64 {at}, 1")
        self.jump(again)
        self.begin(end)

    def on_If(self, node: t.If) -> None:
        """Two ways that meet again."""
        then, otherwise, end = self.label(), self.label(), self.label()
        self.branch(node.test, then, otherwise if node.otherwise else end)
        self.begin(then)
        self.statements(node.then)
        self.jump(end)
        if node.otherwise:
            self.begin(otherwise)
            self.statements(node.otherwise)
        self.begin(end)

    def on_Loop(self, node: t.Loop) -> None:
        """Test, body, step, and again."""
        test, body, step, rest, end = (self.label() for _ in range(5))
        counted = self.assembly.checked and not self.instance.kernel
        if counted and not self.turns:
            self.turns = self.name()
            self.first += [f"  {self.turns} = alloca i64", f"  store i64 0, ptr {self.turns}"]
        self.begin(test)
        if node.test is None:
            self.jump(body)
        else:
            self.branch(node.test, body, rest)
        self.begin(body)
        self.loops.append((end, step))
        self.statements(node.body)
        self.loops.pop()
        self.begin(step)
        if counted:
            turn = self.set(f"add i64 {self.set(f'load i64, ptr {self.turns}')}, 1")
            self.emit(f"store i64 {turn}, ptr {self.turns}")
            self.check(self.set(f"icmp ult i64 {turn}, {MOST_TURNS}"), Endless,
                       f"its loops have gone round {MOST_TURNS:,} times", node.line)  # fmt: skip
        self.statements(node.step)
        self.jump(test)
        if node.test is not None:
            self.begin(rest)
            self.statements(node.rest)
        self.begin(end)

    def on_Break(self, node: t.Break) -> None:
        """Out of the loop."""
        self.statements(node.before)
        self.jump(self.loops[-1][0])

    def on_Continue(self, node: t.Continue) -> None:
        """To its step."""
        self.statements(node.before)
        self.jump(self.loops[-1][1])

    def on_Return(self, node: t.Return) -> None:
        """Out of the function."""
        values = [] if node.value is None else self.value(node.value)
        kind = self.instance.returns
        parts = [] if kind is None else list(kind.parts())
        if not parts:
            values = []
        if self.assembly.raises(self.instance):
            parts, values = ["i64", *parts], ["0", *values]
        self.give(parts, values)

    def on_Raise(self, node: t.Raise) -> None:
        """Out of the program."""
        self.fail(str(self.assembly.failure(self.instance, node.kind, node.message, node.line)))

    def branch(self, test: t.Expression, yes: str, no: str) -> None:
        """Goes one way or the other."""
        if isinstance(test, t.Not):
            self.branch(test.value, no, yes)
        elif isinstance(test, t.Logical):
            second = self.label()
            if test.op == "and":
                self.branch(test.left, second, no)
            else:
                self.branch(test.left, yes, second)
            self.begin(second)
            self.branch(test.right, yes, no)
        elif isinstance(test, t.Choice):
            then, otherwise = self.label(), self.label()
            self.branch(test.test, then, otherwise)
            self.begin(then)
            self.branch(test.yes, yes, no)
            self.begin(otherwise)
            self.branch(test.no, yes, no)
        else:
            (bit,) = self.value(test)
            self.branch_on(bit, yes, no)

    def value(self, node: t.Expression) -> Operands:
        """The operands of a value."""
        found: Operands = getattr(self, f"on_{type(node).__name__}")(node)
        return found

    def on_Constant(self, node: t.Constant) -> Operands:
        """A number as LLVM writes it, or the address of a table."""
        match node.type:
            case Bool():
                return ["true" if node.value else "false"]
            case Int():
                low = node.value & 0xFFFFFFFFFFFFFFFF
                return [str(low - (1 << 64) if low >> 63 else low)]
            case Float():
                return [f"0x{np.float64(node.value).view(np.uint64):016X}"]
            case Array() | Record():
                return [self.assembly.table(node.value)]
        return []

    def on_Local(self, node: t.Local) -> Operands:
        """What a variable holds."""
        slots = self.slot(node.slot, node.type)
        return [self.set(f"load {part}, ptr {slot}")
                for part, slot in zip(node.type.parts(), slots, strict=True)]  # fmt: skip

    def on_Keep(self, node: t.Keep) -> Operands:
        """A value, noted on the way."""
        values = self.value(node.value)
        self.put(node.slot, node.type, values)
        return values

    def on_Load(self, node: t.Load) -> Operands:
        """A number in memory, widened to its register."""
        (address, *_) = self.value_of_place(node.place)
        stored = storage(node.type)
        found = self.set(f"load {stored}, ptr {address}, align 1")
        if isinstance(node.type, Bool):
            return [self.set(f"icmp ne i8 {found}, 0")]
        if isinstance(node.type, Int) and node.type.bits < 64:
            extend = "sext" if node.type.signed else "zext"
            return [self.set(f"{extend} {stored} {found} to i64")]
        return [found]

    def value_of_place(self, place: t.Expression) -> Operands:
        """The address of a place, with the lengths of what is there."""
        return place.address if isinstance(place, t.Fixed) else self.value(place)

    def on_Field(self, node: t.Field) -> Operands:
        """The address of a field."""
        (record,) = self.value(node.record)
        if node.offset == 0:
            return [record]
        return [self.set(f"getelementptr inbounds i8, ptr {record}, i64 {node.offset}")]

    def on_Element(self, node: t.Element) -> Operands:
        """The address of an element, and the lengths of the axes that are left."""
        kind = node.array.type
        assert isinstance(kind, Array)
        address, *dynamic = self.value(node.array)
        lengths = [str(n) if n is not None else dynamic.pop(0) for n in kind.shape]
        at = ""
        for index, length in zip(node.indices, lengths, strict=False):
            here = self.index(index, length, node.line)
            at = here if not at else self.set(
                f"add nsw i64 {self.set(f'mul nsw i64 {at}, {length}')}, {here}")  # fmt: skip
        left = lengths[len(node.indices) :]
        for length in left:
            at = self.set(f"mul nsw i64 {at}, {length}")
        if isinstance(kind.element, Record):
            unit = f"[{kind.element.size} x i8]"
        else:
            unit = storage(kind.element)
        found = self.set(f"getelementptr inbounds {unit}, ptr {address}, i64 {at}")
        return [found, *(n for n, fixed in zip(left, kind.shape[len(node.indices) :], strict=True)
                         if fixed is None)]  # fmt: skip

    def index(self, node: t.Expression, length: str, line: int) -> str:
        """An index; one below zero counts from the end."""
        if isinstance(node, t.Constant):
            at = str(node.value)
            if node.value < 0:
                at = self.set(f"add i64 {length}, {at}")
        else:
            (at,) = self.value(node)
            if isinstance(node.type, Int) and node.type.signed:
                below = self.set(f"icmp slt i64 {at}, 0")
                wrapped = self.set(f"add i64 {at}, {length}")
                at = self.set(f"select i1 {below}, i64 {wrapped}, i64 {at}")
        if self.assembly.checked:
            within = self.set(f"icmp ult i64 {at}, {length}")
            told = f"an index is out of bounds; the length is {length}"
            self.check(within, IndexError, told if length.isdigit() else told[:25], line)
        return at

    def on_Slice(self, node: t.Slice) -> Operands:
        """A stretch of the first axis, cut to what is there."""
        kind = node.array.type
        assert isinstance(kind, Array)
        address, *dynamic = self.value(node.array)
        first = str(kind.shape[0]) if kind.shape[0] is not None else dynamic.pop(0)
        low = "0" if node.low is None else self.end(node.low, first)
        high = first if node.high is None else self.end(node.high, first)
        length = high
        if low != "0":
            length = self.intrinsic("smax", [self.set(f"sub nsw i64 {high}, {low}"), "0"])
        step = low
        rest = list(dynamic)
        for fixed in kind.shape[1:]:
            step = self.set(f"mul nsw i64 {step}, {fixed if fixed is not None else rest.pop(0)}")
        size = size_of(kind.element)
        unit = f"[{size} x i8]" if isinstance(kind.element, Record) else storage(kind.element)
        if low != "0":
            address = self.set(f"getelementptr inbounds {unit}, ptr {address}, i64 {step}")
        return [address, length, *dynamic]

    def end(self, node: t.Expression, length: str) -> str:
        """One end of a slice, from 0 to the length."""
        (at,) = self.value(node)
        if isinstance(node, t.Constant) and node.value == 0:
            return "0"
        if isinstance(node.type, Int) and node.type.signed and not isinstance(node, t.Constant):
            below = self.set(f"icmp slt i64 {at}, 0")
            wrapped = self.set(f"add i64 {at}, {length}")
            at = self.set(f"select i1 {below}, i64 {wrapped}, i64 {at}")
            at = self.intrinsic("smax", [at, "0"])
        elif isinstance(node, t.Constant) and node.value < 0:
            at = self.intrinsic("smax", [self.set(f"add i64 {length}, {at}"), "0"])
        return self.intrinsic("umin", [at, length])

    def on_Length(self, node: t.Length) -> Operands:
        """The length of an axis."""
        kind = node.array.type
        assert isinstance(kind, Array)
        _, *dynamic = self.value(node.array)
        fixed = kind.shape[node.axis]
        return [dynamic[kind.shape[: node.axis].count(None)] if fixed is None else str(fixed)]

    def on_Scratch(self, node: t.Scratch) -> Operands:
        """Memory on the stack."""
        self.names += 1
        address, size = f"%v{self.names}", size_of(node.type)
        self.first.append(f"  {address} = alloca [{size} x i8], align 16")
        if node.zeroed:
            self.assembly.declare("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
            self.emit(f"call void @llvm.memset.p0.i64(ptr {address}, i8 0, i64 {size}, i1 false)")
        return [address]

    def on_Convert(self, node: t.Convert) -> Operands:
        """The value as another type."""
        return self.converted(self.value(node.value), node.value.type, node.type)

    def on_Arithmetic(self, node: t.Arithmetic) -> Operands:
        """Two numbers into one."""
        (a,), (b,) = self.value(node.left), self.value(node.right)
        op, kind = node.op, node.type
        if isinstance(kind, Float):
            return [self.set(f"{ON_FLOATS[op]} double {a}, {b}")]
        if isinstance(kind, Bool):
            return [self.set(f"{INSTRUCTIONS[op]} i1 {a}, {b}")]
        assert isinstance(kind, Int)
        if op in ("//", "%"):
            return [self.divided(node, a, b, kind.signed)]
        if op in ("<<", ">>"):
            return [self.shifted(node, a, b, kind.signed)]
        flag = " nsw" if kind.signed and op in "+-*" else ""
        return [self.set(f"{INSTRUCTIONS[op]}{flag} i64 {a}, {b}")]

    def on_Compare(self, node: t.Compare) -> Operands:
        """A comparison by value: of a signed with an unsigned word too."""
        (a,), (b,) = self.value(node.left), self.value(node.right)
        left, right = node.left.type, node.right.type
        if isinstance(left, Float):
            name = "une" if node.op == "!=" else f"o{COMPARE[node.op]}"
            return [self.set(f"fcmp {name} double {a}, {b}")]
        if isinstance(left, Bool):
            return [self.compared(node.op, a, b, False, "i1")]
        assert isinstance(left, Int)
        assert isinstance(right, Int)
        if left.signed == right.signed:
            return [self.compared(node.op, a, b, left.signed)]
        op, unsigned, other, word = node.op, left, node.right, b
        if left.signed:
            op, unsigned, other, a, word = FLIPPED[op], right, node.left, b, a
        if unsigned.bits < 64:
            return [self.compared(op, a, word, True)]
        if isinstance(other, t.Constant) and other.value >= 0:
            return [self.compared(op, a, word, False)]
        below = self.set(f"icmp slt i64 {word}, 0")
        plain = self.compared(op, a, word, False)
        return [self.set(f"select i1 {below}, i1 {BELOW_ZERO[op]}, i1 {plain}")]

    def on_Not(self, node: t.Not) -> Operands:
        """The contrary."""
        (value,) = self.value(node.value)
        return [self.set(f"xor i1 {value}, true")]

    def on_Logical(self, node: t.Logical) -> Operands:
        """The left side, or the right one where it decides."""
        end = self.label()
        ways: list[tuple[str, str]] = []
        self.decide(node, node.type, end, ways)
        self.begin(end)
        (part,) = node.type.parts()
        entries = ", ".join(f"[ {value}, %{block} ]" for value, block in ways)
        return [self.set(f"phi {part} {entries}")]

    def decide(self, node: t.Expression, kind: Type, end: str, ways: list[tuple[str, str]]) -> None:
        """Goes to `end` with the value of a condition, by as many ways as there are."""
        if isinstance(node, t.Logical) and node.type == kind:
            second, decided = self.label(), self.label()
            yes, no = (second, decided) if node.op == "and" else (decided, second)
            if isinstance(kind, Bool):
                self.branch(node.left, yes, no)
                left = "false" if node.op == "and" else "true"
            else:
                (left,) = self.value(node.left)
                compare = "icmp ne i64" if isinstance(kind, Int) else "fcmp une double"
                zero = "0" if isinstance(kind, Int) else "0.0"
                self.branch_on(self.set(f"{compare} {left}, {zero}"), yes, no)
            self.begin(decided)
            ways.append((left, decided))
            self.jump(end)
            self.begin(second)
            self.decide(node.right, kind, end, ways)
        else:
            (value,) = self.value(node)
            ways.append((value, self.block))
            self.jump(end)

    def on_Choice(self, node: t.Choice) -> Operands:
        """One of two values."""
        then, otherwise, end = self.label(), self.label(), self.label()
        self.branch(node.test, then, otherwise)
        self.begin(then)
        yes = self.value(node.yes)
        after_yes = self.block
        self.jump(end)
        self.begin(otherwise)
        no = self.value(node.no)
        after_no = self.block
        self.begin(end)
        return [self.set(f"phi {part} [ {a}, %{after_yes} ], [ {b}, %{after_no} ]")
                for part, a, b in zip(node.type.parts(), yes, no, strict=True)]  # fmt: skip

    def on_Several(self, node: t.Several) -> Operands:
        """A tuple's values one after another."""
        return [operand for item in node.items for operand in self.value(item)]

    def on_Item(self, node: t.Item) -> Operands:
        """One of them."""
        kind = node.several.type
        assert isinstance(kind, Tuple)
        values = self.value(node.several)
        before = sum(len(item.parts()) for item in kind.items[: node.index])
        return values[before : before + len(node.type.parts())]

    def on_Call(self, node: t.Call) -> Operands:
        """A call; what it raises is passed on."""
        instance, assembly = node.instance, self.assembly
        given = []
        for each in node.arguments:
            given += [f"{part} {operand}" for part, operand in
                      zip(each.type.parts(), self.value(each), strict=True)]  # fmt: skip
        if assembly.deep:
            given.append(f"i64 {self.set('add i64 %depth, 1')}")
        returned = assembly.returned(instance)
        call = f"call fastcc {returned} {assembly.function(instance)}({', '.join(given)})"
        if returned == "void":
            self.emit(call)
            return []
        found = self.set(call)
        parts = node.type.parts()
        raises = assembly.raises(instance)
        if raises:
            status = found if not parts else self.set(f"extractvalue {returned} {found}, 0")
            wrong, right = self.label(), self.label()
            self.branch_on(self.set(f"icmp eq i64 {status}, 0"), right, wrong)
            self.begin(wrong)
            self.fail(status)
            self.begin(right)
        elif len(parts) == 1:
            return [found]
        return [self.set(f"extractvalue {returned} {found}, {i + raises}")
                for i in range(len(parts))]  # fmt: skip

    def on_Intrinsic(self, node: t.Intrinsic) -> Operands:
        """An operation that LLVM has."""
        given = [operand for each in node.arguments for operand in self.value(each)]
        special: Callable[..., str] | None = getattr(self, f"as_{node.name}", None)
        if special is not None:
            return [special(*given, *(a.type for a in node.arguments[:1]))]
        if node.name in OF_LLVM:
            kinds = ", ".join("double" for _ in given)
            self.assembly.declare(f"declare double @llvm.{node.name}.f64({kinds})")
            passed = ", ".join(f"double {g}" for g in given)
            return [self.set(f"call double @llvm.{node.name}.f64({passed})")]
        return [self.intrinsic(node.name, given)]
