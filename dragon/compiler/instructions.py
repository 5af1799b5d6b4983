"""Instructions: operations on operands, with Python's meaning where LLVM's is another."""

from __future__ import annotations

import numpy as np

from dragon.compiler import tree as t
from dragon.compiler.types import (
    INT,
    Array,
    Bool,
    Float,
    Int,
    Tuple,
    Type,
)
from dragon.compiler.writing import Operands, Writing

INSTRUCTIONS = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}
ON_FLOATS = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
COMPARE = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
BELOW_ZERO = {"==": "false", "!=": "true", "<": "false", "<=": "false", ">": "true", ">=": "true"}
"""What an unsigned number on the left compares like with a negative one."""
FLIPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Instructions(Writing):
    """Operations on the operands of typed values."""

    def count(self, kind: Array, lengths: Operands) -> str:
        """How many elements an array has."""
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
                address, *dynamic = values
                lengths = [str(n) if n is not None else dynamic.pop(0) for n in old.shape]
                return [address, *(n for n, fixed in zip(lengths, new.shape, strict=True)
                                   if fixed is None)]  # fmt: skip
        (value,) = values
        match old, new:
            case Bool(), Int():
                return [self.set(f"zext i1 {value} to i64")]
            case Bool(), Float():
                return [self.set(f"uitofp i1 {value} to double")]
            case Int(), Bool():
                return [self.set(f"icmp ne i64 {value}, 0")]
            case Float(), Bool():
                return [self.set(f"fcmp une double {value}, {0.0:e}")]
            case Int(), Float():
                convert = "sitofp" if old.signed else "uitofp"
                return [self.set(f"{convert} i64 {value} to double")]
            case Float(), Int():
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
                self.check(fits, ValueError, "a shift by a count that is not 0 to 63", node.line)
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
                self.check(self.set(f"xor i1 {zero}, true"), ZeroDivisionError,
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

    def compared(self, op: str, a: str, b: str, signed: bool, kind: str = "i64") -> str:
        """One instruction."""
        name = COMPARE[op]
        if name not in ("eq", "ne"):
            name = f"{'s' if signed else 'u'}{name}"
        return self.set(f"icmp {name} {kind} {a}, {b}")

    def intrinsic(self, name: str, given: Operands, more: str = "") -> str:
        """A call of an intrinsic on words."""
        kinds = ", ".join(["i64" for _ in given] + (["i1"] if more else []))
        self.assembly.declare(f"declare i64 @llvm.{name}.i64({kinds})")
        passed = ", ".join([f"i64 {g}" for g in given] + ([f"i1 {more}"] if more else []))
        return self.set(f"call i64 @llvm.{name}.i64({passed})")

    def as_cttz(self, x: str, kind: Type) -> str:
        """The lowest bit set, or 64."""
        return self.intrinsic("cttz", [x], "false")

    def as_ctlz(self, x: str, kind: Type) -> str:
        """How many bits are above the highest set, or 64."""
        return self.intrinsic("ctlz", [x], "false")

    def as_abs(self, x: str, kind: Type) -> str:
        """The absolute value."""
        return self.intrinsic("abs", [x], "false")

    def as_fneg(self, x: str, kind: Type) -> str:
        """A float64 with the other sign."""
        return self.set(f"fneg double {x}")

    def as_fmin(self, a: str, b: str, kind: Type) -> str:
        """a if it is less, else b."""
        return self.set(
            f"select i1 {self.set(f'fcmp olt double {a}, {b}')}, double {a}, double {b}"
        )

    def as_fmax(self, a: str, b: str, kind: Type) -> str:
        """a if it is more, else b."""
        return self.set(
            f"select i1 {self.set(f'fcmp ogt double {a}, {b}')}, double {a}, double {b}"
        )

    def as_rounds(self, start: str, stop: str, step: str, kind: Type) -> str:
        """How many numbers a range has; its step is not zero, or it has none."""
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
