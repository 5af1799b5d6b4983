"""Emission: from the typed tree of a function to the text of LLVM's assembly language.

Here are its statements; `values` has what they work with. Variables are stack slots, which LLVM
turns into registers.

Endless recursion ends the program with an exception: where a function calls itself, every function
gets the depth of its call, and the place on the stack of the first. In checked code, so do endless
loops of a rule, an index out of bounds, a division by zero, a shift by a count that is not 0 to 63,
and a number too large for its place; every function then gets the address where turns are counted.
"""

from __future__ import annotations

from collections.abc import Iterable

from dragon.compiler import tree as t
from dragon.compiler.assembly import MOST_TURNS, Assembly
from dragon.compiler.location import Endless
from dragon.compiler.tree import Instance, slot_of
from dragon.compiler.types import Array, Int, Record, Type, common, size_of
from dragon.compiler.values import Values

MOST_CALLS = 1000
"""The depth of calls where a function calls itself; plain Python allows no more."""
MOST_STACK = 1 << 20
"""Bytes of the stack that these calls may take."""
MOST_WORDS = 16
"""A record of no more words of eight bytes is copied word by word."""


def function_text(assembly: Assembly, instance: Instance) -> str:
    return Writer(assembly, instance).text()


class Writer(Values):
    """A writer of one function."""

    def text(self) -> str:
        instance, assembly = self.instance, self.assembly
        names = instance.function.__code__.co_varnames
        given = []
        changed = {slot for node in instance.body for slot in t.written(node)}
        for name, kind in zip(names, instance.arguments, strict=False):
            values, slot = [self.name() for _ in kind.parts()], slot_of(name, kind)
            given += [f"{part} {v}" for part, v in zip(kind.parts(), values, strict=True)]
            if slot in changed:
                self.put(slot, kind, values)
            else:
                self.given[slot] = values
        given += assembly.passed("%depth")
        if instance.recursive:
            self.bound_calls(instance.function.__code__.co_firstlineno)
        self.statements(instance.body)
        if self.open:
            self.emit("unreachable")
        head = f'define internal fastcc {assembly.returned(instance)} @"{instance.name}"'
        head += f"({', '.join(given)}) {assembly.attributes(instance)} {{\nentry:"
        return "\n".join([head, *self.first, *self.lines, "}"])

    def bound_calls(self, line: int) -> None:
        """Add the exception that ends endless recursion."""
        self.require(self.set(f"icmp ult i64 %depth, {MOST_CALLS}"), Endless,
                     f"it calls itself, {MOST_CALLS:,} deep", line)  # fmt: skip
        here = self.set(f"ptrtoint ptr {self.set(self.assembly.frame())} to i64")
        taken = self.set(f"sub i64 %base, {here}")
        self.require(self.set(f"icmp ult i64 {taken}, {MOST_STACK}"), Endless,
                     f"it calls itself, and its calls take more than {MOST_STACK >> 10:,} KB "
                     "of memory together", line)  # fmt: skip
        if self.assembly.checked and not self.instance.kernel:
            self.take_turn(f"it calls itself {MOST_TURNS:,} times", line)

    def statements(self, nodes: Iterable[t.Statement]) -> None:
        """Write the statements of a block, up to one that leaves it."""
        for node in nodes:
            if not self.open:
                return
            getattr(self, f"on_{type(node).__name__}")(node)

    def on_Assign(self, node: t.Assign) -> None:
        self.put(node.slot, node.value.type, self.value(node.value))

    def on_Evaluate(self, node: t.Evaluate) -> None:
        self.value(node.value)

    def on_Fix(self, node: t.Fix) -> None:
        node.fixed.address[:] = self.value_of_place(node.fixed.place)

    def on_Store(self, node: t.Store) -> None:
        (value,) = self.value(node.value)
        self.require_fit(value, node.value.type, node.place.type, node.line)
        (address, *_) = self.value_of_place(node.place)
        self.write(node.place.type, value, address)

    def require_fit(self, value: str, given: Type, kind: Type, line: int) -> None:
        """Add an exception to checked code, raised unless a number fits where it is written.

        A field of 64 bits takes all of them, signed or not.
        """
        if not self.assembly.checked or not isinstance(given, Int) or not isinstance(kind, Int):
            return
        if common(given, kind) == kind or kind.bits == 64:
            return
        half = 1 << kind.bits - 1
        least, most = (-half, half - 1) if kind.signed else (0, 2 * half - 1)
        fits = self.set(f"icmp {'s' if given.signed else 'u'}le i64 {value}, {most}")
        if given.signed:
            fits = self.set(f"and i1 {fits}, {self.set(f'icmp sge i64 {value}, {least}')}")
        field = f"{'i' if kind.signed else 'u'}{kind.bits // 8} ({least:,} to {most:,})"
        reason = f"a number does not fit into {field}, where it is written"
        self.require(fits, OverflowError, reason, line)

    def on_Copy(self, node: t.Copy) -> None:
        """A record or an array over another, which may be the same."""
        (source, *_) = self.value(node.value)
        (target, *_) = self.value(node.place)
        kind, size = node.place.type, size_of(node.place.type)
        if isinstance(kind, Record) and size <= MOST_WORDS * 8 and size % 8 == 0:
            self.copy_words(target, source, size // 8)
            return
        # Two records are one and the same or lie apart; stretches of an array may overlap.
        name = "memcpy" if isinstance(kind, Record) else "memmove"
        self.assembly.declare(f"declare void @llvm.{name}.p0.p0.i64(ptr, ptr, i64, i1)")
        given = f"ptr {target}, ptr {source}, i64 {size}, i1 false"
        self.emit(f"call void @llvm.{name}.p0.p0.i64({given})")

    def copy_words(self, target: str, source: str, count: int) -> None:
        """Copy words of eight bytes, one by one.

        LLVM would load two or four at a time. After a rule has stored words one by one, as one that
        plays a move does, such a load has to wait for these stores.
        """
        places = [
            [self.set(f"getelementptr i8, ptr {at}, i64 {8 * i}") for i in range(count)]
            for at in (source, target)
        ]
        words = [self.set(f"load i64, ptr {at}, align 1") for at in places[0]]
        for word, at in zip(words, places[1], strict=True):
            self.emit(f"store i64 {word}, ptr {at}, align 1")

    def on_Fill(self, node: t.Fill) -> None:
        (value,) = self.value(node.value)
        kind = node.array.type
        assert isinstance(kind, Array)
        self.require_fit(value, node.value.type, kind.element, node.line)
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
        test, body, step, rest, end = (self.label() for _ in range(5))
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
        if self.assembly.checked and not self.instance.kernel:
            self.take_turn(f"its loops have gone round {MOST_TURNS:,} times", node.line)
        self.statements(node.step)
        if node.lanes and self.open:
            self.emit(f"br label %{test}, !llvm.loop {self.assembly.at_once(node.lanes)}")
            self.open = False
        self.jump(test)
        if node.test is not None:
            self.begin(rest)
            self.statements(node.rest)
        self.begin(end)

    def on_Leave(self, node: t.Leave) -> None:
        self.statements(node.before)
        self.jump(self.loops[-1][node.again])

    def on_Return(self, node: t.Return) -> None:
        values = [] if node.value is None else self.value(node.value)
        status = ["0"] * self.assembly.raises(self.instance)
        self.give([*status, *values][: len(self.assembly.parts(self.instance))])

    def on_Raise(self, node: t.Raise) -> None:
        self.fail(str(self.assembly.failure(self.instance, node.kind, node.message, node.line)))
