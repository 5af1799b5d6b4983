"""Writing: one function of LLVM's assembly language, in the making.

Its blocks, stack slots and ways out; then operations on operands, with Python's meaning where
LLVM's is another.

The module stays apart from `values`, since it knows LLVM's language and no typed tree.
"""

from __future__ import annotations

import numpy as np

from dragon.compiler import tree as t
from dragon.compiler.assembly import MOST_TURNS, Assembly
from dragon.compiler.location import Endless
from dragon.compiler.tree import Instance
from dragon.compiler.types import INT, Array, Bool, Float, Int, Tuple, Type, storage

Operands = list[str]


INSTRUCTIONS = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}
ON_FLOATS = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
COMPARE = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
BELOW_ZERO = {"==": "false", "!=": "true", "<": "false", "<=": "false", ">": "true", ">=": "true"}
"""The result of comparing an unsigned number on the left with a negative one."""
FLAGGED = {"cttz", "ctlz", "abs"}
"""Intrinsics with a flag: whether their value is undefined for 0, or for the least number."""
FLIPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def axes(kind: Array, given: Operands) -> Operands:
    """The lengths of all axes of an array, given the dynamic ones."""
    rest = iter(given)
    return [next(rest) if n is None else str(n) for n in kind.shape]


def dynamic(lengths: Operands, shape: tuple[int | None, ...]) -> Operands:
    """The lengths of axes that are not known when compiling."""
    return [n for n, fixed in zip(lengths, shape, strict=True) if fixed is None]


class Writing:
    """The text of one function in the making."""

    def __init__(self, assembly: Assembly, instance: Instance) -> None:
        self.assembly, self.instance = assembly, instance
        self.lines: list[str] = []
        self.first: list[str] = []
        """The lines of the entry block, which allocate stack slots."""
        self.given: dict[str, Operands] = {}
        """The arguments that are never written: they need no slots."""
        self.slots: dict[str, list[str]] = {}
        self.loops: list[tuple[str, str]] = []
        self.names = 0
        self.block = "entry"
        self.open = True
        """True if the current block still waits for its last instruction."""

    def name(self) -> str:
        self.names += 1
        return f"%v{self.names}"

    def emit(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def set(self, line: str) -> str:
        """Add an instruction that has a value; return its register."""
        found = self.name()
        self.emit(f"{found} = {line}")
        return found

    def label(self) -> str:
        self.names += 1
        return f"b{self.names}"

    def begin(self, label: str) -> None:
        """Begin a block; the one before, unless it has ended, jumps to it."""
        if self.open:
            self.emit(f"br label %{label}")
        self.lines.append(f"{label}:")
        self.block, self.open = label, True

    def jump(self, label: str) -> None:
        if self.open:
            self.emit(f"br label %{label}")
            self.open = False

    def slot(self, name: str, kind: Type) -> list[str]:
        """Return the stack slots of a variable, made when it is first named."""
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
        for part, value, address in zip(kind.parts(), values, self.slot(name, kind), strict=True):
            self.emit(f"store {part} {value}, ptr {address}")

    def write(self, kind: Type, value: str, address: str) -> None:
        """Store a number in the width of its place."""
        stored = storage(kind)
        if isinstance(kind, Bool):
            value = self.set(f"zext i1 {value} to i8")
        elif isinstance(kind, Int) and kind.bits < 64:
            value = self.set(f"trunc i64 {value} to {stored}")
        self.emit(f"store {stored} {value}, ptr {address}, align 1")

    def fail(self, status: str) -> None:
        """Return a status, and nothing else."""
        _, *values = self.assembly.parts(self.instance)
        self.give([status, *("zeroinitializer" for _ in values)])

    def give(self, values: Operands) -> None:
        """Return values, as one if there are several."""
        parts, kind = self.assembly.parts(self.instance), self.assembly.returned(self.instance)
        made = values[0] if values else ""
        if len(parts) > 1:
            made = "poison"
            for i, (part, value) in enumerate(zip(parts, values, strict=True)):
                made = self.set(f"insertvalue {kind} {made}, {part} {value}, {i}")
        self.emit(f"ret {kind} {made}".rstrip())
        self.open = False

    def branch_on(self, bit: str, yes: str, no: str) -> None:
        """End the block: jump by a register that holds a truth value."""
        self.emit(f"br i1 {bit}, label %{yes}, label %{no}")
        self.open = False

    def require(self, holds: str, kind: type[BaseException], text: str, line: int) -> None:
        """Add an exception, raised unless a register is true."""
        self.fail_unless(holds, str(self.assembly.failure(self.instance, kind, text, line)))

    def fail_unless(self, holds: str, status: str) -> None:
        """Return a status unless a register is true."""
        wrong, right = self.label(), self.label()
        self.branch_on(holds, right, wrong)
        self.begin(wrong)
        self.fail(status)
        self.begin(right)

    def take_turn(self, text: str, line: int) -> None:
        """Count a turn of a loop, or a call; raise an exception beyond the number that a rule
        may take."""
        turn = self.set(f"add i64 {self.set('load i64, ptr %turns')}, 1")
        self.emit(f"store i64 {turn}, ptr %turns")
        last = self.set(f"load i64, ptr {self.set('getelementptr i64, ptr %turns, i64 1')}")
        self.require(self.set(f"icmp ult i64 {turn}, {last}"), Endless, text, line)

    def grant_turns(self) -> None:
        """Grant MOST_TURNS to the rule that is called next, and to all that it calls."""
        last = self.set(f"add i64 {self.set('load i64, ptr %turns')}, {MOST_TURNS}")
        self.emit(f"store i64 {last}, ptr {self.set('getelementptr i64, ptr %turns, i64 1')}")

    # ---- operations, with Python's meaning where LLVM's is another

    def count(self, kind: Array, lengths: Operands) -> str:
        """The number of elements of an array."""
        found = str(int(np.prod([n for n in kind.shape if n is not None], dtype=np.int64)))
        for length in lengths:
            found = length if found == "1" else self.set(f"mul nsw i64 {found}, {length}")
        return found

    def converted(self, values: Operands, old: Type, new: Type) -> Operands:
        """Operands of one type as those of another."""
        match old, new:
            case Tuple(), Tuple():
                found, rest = [], list(values)
                for a, b in zip(old.items, new.items, strict=True):
                    count = len(a.parts())
                    found += self.converted(rest[:count], a, b)
                    rest = rest[count:]
                return found
            case Array(), Array():
                return [values[0], *dynamic(axes(old, values[1:]), new.shape)]
        (value,) = values
        match old, new:
            case Bool(), Int():
                return [self.set(f"zext i1 {value} to i64")]
            case Bool(), Float():
                return [self.set(f"uitofp i1 {value} to {new.part}")]
            case Int(), Bool():
                return [self.set(f"icmp ne i64 {value}, 0")]
            case Float(), Bool():
                return [self.set(f"fcmp une {old.part} {value}, {0.0:e}")]
            case Int(), Float():
                convert = "sitofp" if old.signed else "uitofp"
                return [self.set(f"{convert} i64 {value} to {new.part}")]
            case Float(), Float():
                change = "fpext" if new.bits > old.bits else "fptrunc"
                return [self.set(f"{change} {old.part} {value} to {new.part}")]
            case Float(), Int():
                if old.bits < 64:
                    value = self.set(f"fpext float {value} to double")
                name = "fptosi" if new.signed else "fptoui"
                self.assembly.declare(f"declare i64 @llvm.{name}.sat.i64.f64(double)")
                whole = self.set(f"call i64 @llvm.{name}.sat.i64.f64(double {value})")
                return self.converted([whole], INT, new) if new.bits < 64 else [whole]
            case Int(), Int() if new.bits < 64 and (
                new.bits < old.bits or (new.signed != old.signed and old.bits == new.bits)
                or (old.signed and not new.signed)
            ):  # fmt: skip
                extend = "sext" if new.signed else "zext"
                cut = self.set(f"trunc i64 {value} to i{new.bits}")
                return [self.set(f"{extend} i{new.bits} {cut} to i64")]
        return [value]

    def shifted(self, node: t.Arithmetic, a: str, b: str, signed: bool) -> str:
        """A shift; its count modulo 64."""
        if not (isinstance(node.right, t.Constant) and 0 <= node.right.value < 64):
            if self.assembly.checked:
                fits = self.set(f"icmp ult i64 {b}, 64")
                self.require(fits, ValueError, "a shift by a count that is not 0 to 63", node.line)
            b = self.set(f"and i64 {b}, 63")
        name = "shl" if node.op == "<<" else "ashr" if signed else "lshr"
        return self.set(f"{name} i64 {a}, {b}")

    def divided(self, node: t.Arithmetic, a: str, b: str, signed: bool) -> str:
        """Division as Python has it, rounded down; 0 where the divisor is 0."""
        constant = isinstance(node.right, t.Constant) and node.right.value not in (0, -1)
        by = b
        if not constant:
            zero = self.set(f"icmp eq i64 {b}, 0")
            if self.assembly.checked:
                self.require(self.set(f"xor i1 {zero}, true"), ZeroDivisionError,
                           "division by zero", node.line)  # fmt: skip
            odd = zero
            if signed:  # -1, by which the least number cannot be divided
                odd = self.set(f"or i1 {zero}, {self.set(f'icmp eq i64 {b}, -1')}")
            by = self.set(f"select i1 {odd}, i64 1, i64 {b}")
        sign = "s" if signed else "u"
        rest = self.set(f"{sign}rem i64 {a}, {by}")
        whole = self.set(f"{sign}div i64 {a}, {by}") if node.op == "//" else ""
        if signed:  # towards zero so far
            apart = self.set(f"icmp slt i64 {self.set(f'xor i64 {rest}, {by}')}, 0")
            down = self.set(f"and i1 {apart}, {self.set(f'icmp ne i64 {rest}, 0')}")
            if node.op == "//":
                whole = self.set(f"sub i64 {whole}, {self.set(f'zext i1 {down} to i64')}")
            else:
                more = self.set(f"select i1 {down}, i64 {by}, i64 0")
                rest = self.set(f"add i64 {rest}, {more}")
        found = whole if node.op == "//" else rest
        if constant:
            return found
        if signed and node.op == "//":
            minus = self.set(f"icmp eq i64 {b}, -1")
            found = self.set(f"select i1 {minus}, i64 {self.set(f'sub i64 0, {a}')}, i64 {found}")
        return self.set(f"select i1 {zero}, i64 0, i64 {found}")

    def divided_mixed(self, node: t.Arithmetic, a: str, b: str, by_signed: bool) -> str:
        """Divide a uint64 and an int64, which is the divisor or else the dividend.

        The sign is left out at first. If it is minus, the quotient is rounded up before it gets
        its sign, and the remainder is counted from the other end of the divisor.
        """
        zero = self.set(f"icmp eq i64 {b}, 0")
        if self.assembly.checked:
            self.require(self.set(f"xor i1 {zero}, true"), ZeroDivisionError, "division by zero",
                         node.line)  # fmt: skip
        word = b if by_signed else a
        minus = self.set(f"icmp slt i64 {word}, 0")
        size = self.set(f"select i1 {minus}, i64 {self.set(f'sub i64 0, {word}')}, i64 {word}")
        over, under = (a, size) if by_signed else (size, b)
        under = self.set(f"select i1 {zero}, i64 1, i64 {under}")
        rest = self.set(f"urem i64 {over}, {under}")
        some = self.set(f"icmp ne i64 {rest}, 0")
        if node.op == "//":
            plain = self.set(f"udiv i64 {over}, {under}")
            up = self.set(f"add i64 {plain}, {self.set(f'zext i1 {some} to i64')}")
            other = self.set(f"sub i64 0, {up}")
        else:
            plain = rest
            apart = self.set(
                f"sub i64 {rest}, {under}" if by_signed else f"sub i64 {under}, {rest}"
            )
            other = self.set(f"select i1 {some}, i64 {apart}, i64 0")
        found = self.set(f"select i1 {minus}, i64 {other}, i64 {plain}")
        return self.set(f"select i1 {zero}, i64 0, i64 {found}")

    def compared(self, op: str, a: str, b: str, signed: bool, kind: str = "i64") -> str:
        name = COMPARE[op]
        if name not in ("eq", "ne"):
            name = f"{'s' if signed else 'u'}{name}"
        return self.set(f"icmp {name} {kind} {a}, {b}")

    def intrinsic(self, name: str, given: Operands, part: str = "i64") -> str:
        """A call of a function of LLVM's own, on words or on floats."""
        passed = [f"{part} {each}" for each in given] + ["i1 false"] * (name in FLAGGED)
        kinds = ", ".join(each.partition(" ")[0] for each in passed)
        called = f"{part} @llvm.{name}.{ {'double': 'f64', 'float': 'f32'}.get(part, part) }"
        self.assembly.declare(f"declare {called}({kinds})")
        return self.set(f"call {called}({', '.join(passed)})")

    def rounds(self, start: str, stop: str, step: str, kind: Type) -> str:
        """Return the length of a range; 0 where its step is 0."""
        signed = isinstance(kind, Int) and kind.signed
        up = self.set(f"icmp sgt i64 {step}, 0") if signed else self.set(f"icmp ne i64 {step}, 0")
        first = self.set(f"select i1 {up}, i64 {start}, i64 {stop}")
        last = self.set(f"select i1 {up}, i64 {stop}, i64 {start}")
        size = self.set(f"select i1 {up}, i64 {step}, i64 {self.set(f'sub i64 0, {step}')}")
        some = self.set(f"icmp {'slt' if signed else 'ult'} i64 {first}, {last}")
        some = self.set(f"and i1 {some}, {self.set(f'icmp ne i64 {step}, 0')}")
        by = self.set(f"select i1 {some}, i64 {size}, i64 1")
        span = self.set(f"sub i64 {self.set(f'sub i64 {last}, {first}')}, 1")
        rounds = self.set(f"add i64 {self.set(f'udiv i64 {span}, {by}')}, 1")
        return self.set(f"select i1 {some}, i64 {rounds}, i64 0")
