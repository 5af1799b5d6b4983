"""Values: the operands of expressions, as instructions that make them.

A value is a list of operands, one for each part of its type. Conditions are branches: LLVM makes
selects of them where these are quicker, and not the other way about. Signed arithmetic must not
overflow (`nsw`), counts of shifts are taken modulo 64, division by zero gives zero.

They stay apart from `emission`, which writes statements by these values.
"""

from __future__ import annotations

import numpy as np

from dragon.compiler import tree as t
from dragon.compiler.types import Array, Bool, Float, Int, Record, Tuple, Type, size_of, storage
from dragon.compiler.writing import (
    BELOW_ZERO,
    COMPARE,
    FLIPPED,
    INSTRUCTIONS,
    ON_FLOATS,
    Operands,
    Writing,
    axes,
    dynamic,
)

SELECT = "declare i64 @select(i64, i64)"
"""The index of the k-th lowest bit set; `machine` defines it as its target does it best."""
OF_LLVM = {"floor", "ceil", "sqrt", "log", "log2", "log10", "exp", "sin", "cos", "fabs", "pow"}


class Values(Writing):
    """A writer of the instructions for expressions."""

    def branch(self, test: t.Expression, yes: str, no: str) -> None:
        if isinstance(test, t.Not):
            self.branch(test.value, no, yes)
        elif isinstance(test, t.Logical):
            second = self.label()
            self.branch(test.left, *((second, no) if test.op == "and" else (yes, second)))
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
                number = np.float64(node.value if node.type.bits == 64 else np.float32(node.value))
                return [f"0x{number.view(np.uint64):016X}"]
            case Array() | Record():
                return [self.assembly.table(node.value)]
        return []

    def on_Local(self, node: t.Local) -> Operands:
        if node.slot in self.given:
            return self.given[node.slot]
        slots = self.slot(node.slot, node.type)
        return [self.set(f"load {part}, ptr {slot}")
                for part, slot in zip(node.type.parts(), slots, strict=True)]  # fmt: skip

    def on_Keep(self, node: t.Keep) -> Operands:
        values = self.value(node.value)
        self.put(node.slot, node.type, values)
        return values

    def on_Load(self, node: t.Load) -> Operands:
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
        (record,) = self.value(node.record)
        if node.offset == 0:
            return [record]
        return [self.set(f"getelementptr inbounds i8, ptr {record}, i64 {node.offset}")]

    def array(self, node: t.Expression) -> tuple[Array, str, Operands]:
        """The type of an array, its address, and the lengths of its axes."""
        assert isinstance(node.type, Array)
        address, *given = self.value(node)
        return node.type, address, axes(node.type, given)

    def on_Element(self, node: t.Element) -> Operands:
        """The address of an element, and the lengths of the axes that are left."""
        kind, address, lengths = self.array(node.array)
        at = ""
        for index, length in zip(node.indices, lengths, strict=False):
            here = self.index(index, length, node.line)
            at = here if not at else self.set(
                f"add nsw i64 {self.set(f'mul nsw i64 {at}, {length}')}, {here}")  # fmt: skip
        left = lengths[len(node.indices) :]
        for length in left:
            at = self.set(f"mul nsw i64 {at}, {length}")
        found = self.set(f"getelementptr inbounds {storage(kind.element)}, ptr {address}, i64 {at}")
        return [found, *dynamic(left, kind.shape[len(node.indices) :])]

    def index(self, node: t.Expression, length: str, line: int) -> str:
        """An index; one below zero counts from the end."""
        if isinstance(node, t.Constant):
            at = str(node.value)
            if node.value < 0:
                at = self.set(f"add i64 {length}, {at}")
        else:
            (at,) = self.value(node)
            if isinstance(node.type, Int) and node.type.signed:
                at = self.from_end(at, length)
        if self.assembly.checked:
            within = self.set(f"icmp ult i64 {at}, {length}")
            reason = f"an index is out of bounds; the length is {length}"
            self.require(within, IndexError, reason if length.isdigit() else reason[:25], line)
        return at

    def from_end(self, at: str, length: str) -> str:
        """An index, counted from the end where it is below zero."""
        below = self.set(f"icmp slt i64 {at}, 0")
        wrapped = self.set(f"add i64 {at}, {length}")
        return self.set(f"select i1 {below}, i64 {wrapped}, i64 {at}")

    def on_Slice(self, node: t.Slice) -> Operands:
        kind, address, (first, *rest) = self.array(node.array)
        low = "0" if node.low is None else self.end(node.low, first)
        high = first if node.high is None else self.end(node.high, first)
        length = high
        if low != "0":
            length = self.set(f"sub nsw i64 {high}, {low}")
            if node.high is not None:  # else `low` is at most the length
                length = self.intrinsic("smax", [length, "0"])
        step = low
        for each in rest:
            step = self.set(f"mul nsw i64 {step}, {each}")
        if low != "0":
            unit = storage(kind.element)
            address = self.set(f"getelementptr inbounds {unit}, ptr {address}, i64 {step}")
        return [address, length, *dynamic(rest, kind.shape[1:])]

    def end(self, node: t.Expression, length: str) -> str:
        """One end of a slice, from 0 to the length."""
        (at,) = self.value(node)
        if isinstance(node, t.Constant) and node.value == 0:
            return "0"
        if isinstance(node.type, Int) and node.type.signed and not isinstance(node, t.Constant):
            return self.cut(at, length)
        if isinstance(node, t.Constant) and node.value < 0:
            at = self.intrinsic("smax", [self.set(f"add i64 {length}, {at}"), "0"])
        return self.intrinsic("umin", [at, length])

    def cut(self, at: str, length: str) -> str:
        """Clamp a number by a branch, since it nearly always lies within."""
        outside, end = self.label(), self.label()
        self.assembly.declare('!0 = !{!"branch_weights", i32 2000, i32 1}')
        within, before = self.set(f"icmp ule i64 {at}, {length}"), self.block
        self.emit(f"br i1 {within}, label %{end}, label %{outside}, !prof !0")
        self.open = False
        self.begin(outside)
        least = self.intrinsic("smax", [self.from_end(at, length), "0"])
        most = self.intrinsic("umin", [least, length])
        self.begin(end)
        return self.set(f"phi i64 [ {at}, %{before} ], [ {most}, %{outside} ]")

    def on_Length(self, node: t.Length) -> Operands:
        return [self.array(node.array)[2][node.axis]]

    def on_Scratch(self, node: t.Scratch) -> Operands:
        address, size = self.name(), size_of(node.type)
        self.first.append(f"  {address} = alloca [{size} x i8], align 16")
        if node.zeroed:
            self.assembly.declare("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
            self.emit(f"call void @llvm.memset.p0.i64(ptr {address}, i8 0, i64 {size}, i1 false)")
        return [address]

    def on_Convert(self, node: t.Convert) -> Operands:
        return self.converted(self.value(node.value), node.value.type, node.type)

    def on_Arithmetic(self, node: t.Arithmetic) -> Operands:
        (a,), (b,) = self.value(node.left), self.value(node.right)
        op, kind = node.op, node.type
        if isinstance(kind, Float):
            return [self.set(f"{ON_FLOATS[op]} {kind.part} {a}, {b}")]
        if isinstance(kind, Bool):
            return [self.set(f"{INSTRUCTIONS[op]} i1 {a}, {b}")]
        assert isinstance(kind, Int)
        if op in ("//", "%"):
            signs = [isinstance(x.type, Int) and x.type.signed for x in (node.left, node.right)]
            if signs[0] != signs[1]:
                return [self.divided_mixed(node, a, b, signs[1])]
            return [self.divided(node, a, b, signs[0])]
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
            return [self.set(f"fcmp {name} {left.part} {a}, {b}")]
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
        (value,) = self.value(node.value)
        return [self.set(f"xor i1 {value}, true")]

    def on_Logical(self, node: t.Logical) -> Operands:
        end = self.label()
        incoming: list[tuple[str, str]] = []
        self.decide(node, node.type, end, incoming)
        self.begin(end)
        (part,) = node.type.parts()
        entries = ", ".join(f"[ {value}, %{block} ]" for value, block in incoming)
        return [self.set(f"phi {part} {entries}")]

    def decide(
        self, node: t.Expression, kind: Type, end: str, incoming: list[tuple[str, str]]
    ) -> None:
        """Jump to `end` with the value of a condition; note the block that it comes from."""
        if isinstance(node, t.Logical) and node.type == kind:
            second, decided = self.label(), self.label()
            yes, no = (second, decided) if node.op == "and" else (decided, second)
            if isinstance(kind, Bool):
                self.branch(node.left, yes, no)
                left = "false" if node.op == "and" else "true"
            else:
                (left,) = self.value(node.left)
                part = kind.part
                compare = "icmp ne i64" if isinstance(kind, Int) else f"fcmp une {part}"
                zero = "0" if isinstance(kind, Int) else "0.0"
                self.branch_on(self.set(f"{compare} {left}, {zero}"), yes, no)
            self.begin(decided)
            incoming.append((left, decided))
            self.jump(end)
            self.begin(second)
            self.decide(node.right, kind, end, incoming)
        else:
            (value,) = self.value(node)
            incoming.append((value, self.block))
            self.jump(end)

    def on_Choice(self, node: t.Choice) -> Operands:
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
        return [operand for item in node.items for operand in self.value(item)]

    def on_Item(self, node: t.Item) -> Operands:
        kind = node.several.type
        assert isinstance(kind, Tuple)
        values = self.value(node.several)
        before = sum(len(item.parts()) for item in kind.items[: node.index])
        return values[before : before + len(node.type.parts())]

    def on_Call(self, node: t.Call) -> Operands:
        """A call; its exceptions are passed on."""
        instance, assembly = node.instance, self.assembly
        given = []
        for each in node.arguments:
            given += [f"{part} {operand}" for part, operand in
                      zip(each.type.parts(), self.value(each), strict=True)]  # fmt: skip
        given += assembly.passed(self.set("add i64 %depth, 1") if assembly.deep else "")
        if assembly.checked and self.instance.kernel and not instance.kernel:
            self.grant_turns()
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
            self.fail_unless(self.set(f"icmp eq i64 {status}, 0"), status)
        elif len(parts) == 1:
            return [found]
        return [self.set(f"extractvalue {returned} {found}, {i + raises}")
                for i in range(len(parts))]  # fmt: skip

    def on_Swap(self, node: t.Swap) -> Operands:
        address, *_ = self.value(node.array)
        (word,) = self.value(node.word)
        return [self.set(f"atomicrmw xchg ptr {address}, i64 {word} seq_cst, align 8")]

    def on_Intrinsic(self, node: t.Intrinsic) -> Operands:
        given = [operand for each in node.arguments for operand in self.value(each)]
        match node.name:
            case "turns":  # counted in checked code only
                return [self.set("load i64, ptr %turns") if self.assembly.checked else "0"]
            case "rounds":
                start, stop, step = given
                if self.assembly.checked:
                    forth = self.set(f"icmp ne i64 {step}, 0")
                    self.require(forth, ValueError, "the step of a range is zero", node.line)
                return [self.rounds(start, stop, step, node.arguments[0].type)]
            case "select":
                self.assembly.declare(SELECT)
                x, k = given
                return [self.set(f"call i64 @select(i64 {x}, i64 {k})")]
            case "fneg":
                return [self.set(f"fneg {node.type.part} {given[0]}")]
            case "fmin" | "fmax" as name:
                (b, a), op = given, "olt" if name == "fmin" else "ogt"
                part = node.type.part
                first = self.set(f"fcmp {op} {part} {a}, {b}")
                return [self.set(f"select i1 {first}, {part} {a}, {part} {b}")]
        return [self.intrinsic(node.name, given, node.type.part if node.name in OF_LLVM else "i64")]
