"""Writing: instructions, blocks, stack slots and ways out of one function of LLVM's assembly."""

from __future__ import annotations

from dragon.compiler.assembly import Assembly
from dragon.compiler.program import Instance
from dragon.compiler.types import (
    Bool,
    Int,
    Type,
    storage,
)

Operands = list[str]


class Writing:
    """The text of one function in the making."""

    def __init__(self, assembly: Assembly, instance: Instance) -> None:
        self.assembly, self.instance = assembly, instance
        self.lines: list[str] = []
        self.first: list[str] = []
        """What the entry block does: stack slots."""
        self.slots: dict[str, list[str]] = {}
        self.loops: list[tuple[str, str]] = []
        self.names = 0
        self.turns = ""
        """Where it counts how often its loops have gone round."""
        self.block = "entry"
        self.open = True
        """Whether the current block still waits for its last instruction."""

    def name(self) -> str:
        """A new register."""
        self.names += 1
        return f"%v{self.names}"

    def emit(self, line: str) -> None:
        """Adds an instruction."""
        self.lines.append(f"  {line}")

    def set(self, line: str) -> str:
        """Adds an instruction that has a value; its register."""
        self.names += 1
        found = f"%v{self.names}"
        self.lines.append(f"  {found} = {line}")
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
                self.names += 1
                address = f"%v{self.names}"
                found.append(address)
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
        kind = self.instance.returns
        parts = [] if kind is None else list(kind.parts())
        self.give(["i64", *parts], [status, *("zeroinitializer" for _ in parts)])

    def give(self, parts: list[str], values: Operands) -> None:
        """Returns values, as one if there are several."""
        if not parts:
            self.emit("ret void")
        elif len(parts) == 1:
            self.emit(f"ret {parts[0]} {values[0]}")
        else:
            kind = "{ " + ", ".join(parts) + " }"
            made = "poison"
            for i, (part, value) in enumerate(zip(parts, values, strict=True)):
                made = self.set(f"insertvalue {kind} {made}, {part} {value}, {i}")
            self.emit(f"ret {kind} {made}")
        self.open = False

    def branch_on(self, bit: str, yes: str, no: str) -> None:
        """Ends the block by what a register says."""
        self.emit(f"br i1 {bit}, label %{yes}, label %{no}")
        self.open = False

    def check(self, holds: str, kind: type[BaseException], text: str, line: int) -> None:
        """In checked code: an exception unless a register is true."""
        if self.assembly.checked:
            self.require(holds, kind, text, line)

    def require(self, holds: str, kind: type[BaseException], text: str, line: int) -> None:
        """An exception unless a register is true."""
        status = self.assembly.failure(self.instance, kind, text, line)
        wrong, right = self.label(), self.label()
        self.branch_on(holds, right, wrong)
        self.begin(wrong)
        self.fail(str(status))
        self.begin(right)
