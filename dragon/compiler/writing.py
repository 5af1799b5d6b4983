"""Writing: instructions, blocks, stack slots and ways out of one function of LLVM's assembly."""

from __future__ import annotations

from dragon.compiler.assembly import MOST_TURNS, Assembly
from dragon.compiler.location import Endless
from dragon.compiler.tree import Instance
from dragon.compiler.types import Bool, Int, Type, storage

Operands = list[str]


class Writing:
    """The text of one function in the making."""

    def __init__(self, assembly: Assembly, instance: Instance) -> None:
        self.assembly, self.instance = assembly, instance
        self.lines: list[str] = []
        self.first: list[str] = []
        """What the entry block does: stack slots."""
        self.given: dict[str, Operands] = {}
        """The arguments that are never written: they need no slots."""
        self.slots: dict[str, list[str]] = {}
        self.loops: list[tuple[str, str]] = []
        self.names = 0
        self.block = "entry"
        self.open = True
        """Whether the current block still waits for its last instruction."""

    def name(self) -> str:
        self.names += 1
        return f"%v{self.names}"

    def emit(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def set(self, line: str) -> str:
        """Adds an instruction that has a value; its register."""
        found = self.name()
        self.emit(f"{found} = {line}")
        return found

    def label(self) -> str:
        """A new name of a block."""
        self.names += 1
        return f"b{self.names}"

    def begin(self, label: str) -> None:
        """Begins a block; the one before falls into it unless it has ended."""
        if self.open:
            self.emit(f"br label %{label}")
        self.lines.append(f"{label}:")
        self.block, self.open = label, True

    def jump(self, label: str) -> None:
        """Ends the block."""
        if self.open:
            self.emit(f"br label %{label}")
            self.open = False

    def slot(self, name: str, kind: Type) -> list[str]:
        """The stack slots of a variable, made when it is first spoken of."""
        found = self.slots.get(name)
        if found is None:
            found = self.slots[name] = []
            for part in kind.parts():
                found.append(address := self.name())
                self.first.append(f"  {address} = alloca {part}")
                if name in self.instance.zeroed:
                    self.first.append(f"  store {part} zeroinitializer, ptr {address}")
        return found

    def put(self, name: str, kind: Type, values: Operands) -> None:
        """Writes a variable."""
        for part, value, address in zip(kind.parts(), values, self.slot(name, kind), strict=True):
            self.emit(f"store {part} {value}, ptr {address}")

    def write(self, kind: Type, value: str, address: str) -> None:
        """Writes a number as its place keeps it."""
        stored = storage(kind)
        if isinstance(kind, Bool):
            value = self.set(f"zext i1 {value} to i8")
        elif isinstance(kind, Int) and kind.bits < 64:
            value = self.set(f"trunc i64 {value} to {stored}")
        self.emit(f"store {stored} {value}, ptr {address}, align 1")

    def fail(self, status: str) -> None:
        """Returns a status, and nothing else."""
        _, *values = self.assembly.parts(self.instance)
        self.give([status, *("zeroinitializer" for _ in values)])

    def give(self, values: Operands) -> None:
        """Returns values, as one if there are several."""
        parts, kind = self.assembly.parts(self.instance), self.assembly.returned(self.instance)
        made = values[0] if values else ""
        if len(parts) > 1:
            made = "poison"
            for i, (part, value) in enumerate(zip(parts, values, strict=True)):
                made = self.set(f"insertvalue {kind} {made}, {part} {value}, {i}")
        self.emit(f"ret {kind} {made}".rstrip())
        self.open = False

    def branch_on(self, bit: str, yes: str, no: str) -> None:
        """Ends the block by what a register says."""
        self.emit(f"br i1 {bit}, label %{yes}, label %{no}")
        self.open = False

    def require(self, holds: str, kind: type[BaseException], text: str, line: int) -> None:
        """An exception unless a register is true."""
        self.fail_unless(holds, str(self.assembly.failure(self.instance, kind, text, line)))

    def fail_unless(self, holds: str, status: str) -> None:
        """Returns a status unless a register is true."""
        wrong, right = self.label(), self.label()
        self.branch_on(holds, right, wrong)
        self.begin(wrong)
        self.fail(status)
        self.begin(right)

    def take_turn(self, text: str, line: int) -> None:
        """Counts a turn of a loop, or a call; an exception where a rule has had all it may."""
        turn = self.set(f"add i64 {self.set('load i64, ptr %turns')}, 1")
        self.emit(f"store i64 {turn}, ptr %turns")
        last = self.set(f"load i64, ptr {self.set('getelementptr i64, ptr %turns, i64 1')}")
        self.require(self.set(f"icmp ult i64 {turn}, {last}"), Endless, text, line)

    def grant_turns(self) -> None:
        """Allows a rule that is called next as many turns as one may have, with all it calls."""
        last = self.set(f"add i64 {self.set('load i64, ptr %turns')}, {MOST_TURNS}")
        self.emit(f"store i64 {last}, ptr {self.set('getelementptr i64, ptr %turns, i64 1')}")
