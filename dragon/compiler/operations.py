"""Operations: of typed values, with Python's meaning, or a refusal with the line."""

from __future__ import annotations

import ast
import enum
import operator
from contextlib import suppress
from types import FunctionType, ModuleType
from typing import Any, NoReturn, Protocol

import numpy as np

from dragon.compiler import tree as t
from dragon.compiler.fingerprint import unreadable
from dragon.compiler.location import TEXT, Refused, name_of, private
from dragon.compiler.tree import Env, Instance, joint
from dragon.compiler.types import (
    BOOL,
    FLOAT,
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
    Nothing,
    Record,
    Sometimes,
    Tuple,
    Type,
    Unsupported,
    common,
    of_dtype,
)
from dragon.errors import did_you_mean

OPERATORS: dict[type[ast.operator], tuple[str, Any]] = {
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
COMPARISONS: dict[type[ast.cmpop], tuple[str, Any]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}
_OF_INTS = sorted({*vars(int), "__eq__", "__ne__"} & {
    f"__{side}{name}__" for side in ("", "r") for name in (
        "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or",
        "xor", "neg", "pos", "invert", "abs", "bool", "int", "eq", "ne", "lt", "le", "gt", "ge")
})  # fmt: skip
SIGNS = "one is a signed integer, the other a bit set (uint64); write u64(...) or i64(...)"
NO_MODULE = "a module is not a value; write the name of what you need of it, as in `math.sqrt`"


class Functions(Protocol):
    """A program as its readers need it: functions, and the values of names."""

    def value(self, function: FunctionType, name: str, line: int) -> Any:
        """Return the value of a name that is not local to `function`; raise Refused."""

    def instance(self, function: FunctionType, arguments: tuple[Type, ...]) -> Instance:
        """Return the function typed for these arguments; raise Refused, or Unfinished if it
        recurs."""


class Operations:
    """The operations on typed values in one function; `env` has the types of its variables."""

    def __init__(self, program: Functions, instance: Instance) -> None:
        self.program, self.instance = program, instance
        self.function: FunctionType = instance.function
        code = self.function.__code__
        self.locals = {*code.co_varnames, *code.co_cellvars}
        self.env: Env | None = {}
        self.loops: list[Any] = []
        """The loops that this point is in."""
        self.temporaries = 0
        self.waits = False
        """True if it calls a function whose type is not known yet."""
        self.line = code.co_firstlineno

    def refuse(self, reason: str, foreign: bool = False, line: int = 0) -> NoReturn:
        raise Refused(self.function, line or self.line, reason, foreign)

    def refuse_collection(self, value: t.Expression) -> None:
        """Refuse a list, dict or set from outside the function."""
        held = getattr(value.type, "value", None)
        if isinstance(held, list | dict | set):
            self.refuse(f"the compiler reads no {type(held).__name__} from outside the function; "
                        "make it a tuple or a numpy array", foreign=True)  # fmt: skip

    @staticmethod
    def remedy(kind: Type) -> str:
        """Return the remedy for a value that the program cannot work with."""
        match kind:
            case Known(value=str()):
                return f"; {TEXT}"
            case Array():
                return "; write a loop over its elements"
            case Sometimes() | Nothing():
                return "; end every way through the function with a `return`"
        return ""

    def plain(self, value: t.Expression) -> t.Expression:
        """Return a value that may be evaluated several times; refuse one with effects."""
        if t.acts(value):
            self.refuse("this would be worked out more than once; give it a name first",
                        foreign=True)  # fmt: skip
        return value

    def unasked(self, *values: t.Expression) -> None:
        """Refuse values with effects that are never evaluated.

        The truth and the length of a tuple are known without evaluating it, and taking one item
        leaves the others out.
        """
        if any(map(t.acts, values)):
            self.refuse("what this does would be left out, since its value is not asked for; give "
                        "it a name first", foreign=True)  # fmt: skip

    def temporary(self) -> str:
        self.temporaries += 1
        return f".{self.temporaries}"

    def kept(self, value: t.Expression) -> tuple[t.Expression, t.Expression]:
        """Return a value that is evaluated once: the expression that does so, and one to read
        it."""
        slot = self.temporary()
        return t.Keep(value.type, slot, value), t.Local(value.type, slot)

    def field(self, base: t.Expression, record: Record, name: str) -> t.Expression:
        found = record.find(name)
        if found is None:
            names = [known for known, *_ in record.fields]
            meant = did_you_mean(name, names)
            hint = private(name) or meant
            self.refuse(f"the record has no field {name!r}{hint} (fields: {', '.join(names)})")
        offset, kind = found
        return loaded(t.Field(kind, base, offset))

    def element(self, base: t.Expression, indices: list[t.Expression]) -> t.Expression:
        assert isinstance(base.type, Array)
        for i, length in enumerate(base.type.shape[: len(indices)]):
            index = indices[i]
            if isinstance(index, t.Constant) and length is not None:
                if not -length <= index.value < length:
                    self.refuse(f"there is no [{index.value}] where there are {length}")
                indices[i] = t.whole(index.value % length)
        return loaded(t.Element(base.type.within(len(indices)), base, indices, self.line))

    def arithmetic(self, op: ast.operator, a: t.Expression, b: t.Expression) -> t.Expression:
        """Return the result of two numbers: exact if both are constants, else in 64 bits."""
        if type(op) not in OPERATORS:
            self.refuse(f"the compiler does not support {name_of(op)}", foreign=True)
        sign, reckon = OPERATORS[type(op)]
        if isinstance(a, t.Constant) and isinstance(b, t.Constant) and a.folds and b.folds:
            try:
                return self.constant(reckon(a.value, b.value))
            except (ArithmeticError, ValueError, TypeError) as wrong:
                self.refuse(str(wrong))
        for each in (a, b):
            if not isinstance(each.type, Int | Bool | Float):
                given = f"{each.type}{self.remedy(each.type)}"
                self.refuse(f"`{sign}` works on numbers, not on {given}",
                            foreign=isinstance(each.type, Array | Tuple | Known))  # fmt: skip
        if sign == "**":
            self.refuse("the compiler does not support power; multiply, or shift", foreign=True)
        a, b = self.fitting(a), self.fitting(b)
        if SINGLE in (a.type, b.type):
            if sign not in "+-*/":
                self.refuse(f"`{sign}` works on integers; convert with int(...)", foreign=True)
            a, b = self.singles(sign, a, b)
            return t.Arithmetic(SINGLE, sign, a, b)
        if sign == "/" or FLOAT in (a.type, b.type):
            if sign not in "+-*/":
                self.refuse(f"`{sign}` works on integers; convert with int(...)", foreign=True)
            return t.Arithmetic(FLOAT, sign, self.convert(a, FLOAT), self.convert(b, FLOAT))
        if a.type == b.type == BOOL and sign in "&|^":
            return t.Arithmetic(BOOL, sign, a, b)
        if sign in ("//", "%") and UINT in (a.type, b.type):
            return self.division(sign, a, b)
        shifts = sign in ("<<", ">>")
        if shifts and isinstance(b, t.Constant) and not 0 <= b.value < 64:
            self.refuse(f"a shift by {b.value}; the count must be 0 to 63")
        kind = reckoned(sign, a.type, a.type if shifts else b.type)
        return t.Arithmetic(kind, sign, self.convert(a, INT), self.convert(b, INT), self.line)

    def singles(
        self, sign: str, a: t.Expression, b: t.Expression
    ) -> tuple[t.Expression, t.Expression]:
        """Return two float32, one of them maybe a constant; refuse any other number.

        To numpy a Python number beside a float32 is a float32, and a float64 makes a float64; in
        compiled code both would look the same.
        """
        for each in (a, b):
            if each.type != SINGLE and not (isinstance(each, t.Constant) and each.folds):
                self.refuse(f"`{sign}` has a float32 on one side and {each.type} on the other; "
                            "write np.float32(...) or float(...)")  # fmt: skip
        return self.convert(a, SINGLE), self.convert(b, SINGLE)

    def division(self, sign: str, a: t.Expression, b: t.Expression) -> t.Expression:
        """Return a floor quotient or remainder where one number is a uint64 and the other may not
        be.

        It is that of the two values, though an int64 cannot hold every uint64. A constant of 0 or
        more counts as a uint64.
        """
        kind = result(a.type, b.type)
        if isinstance(b, t.Constant) and b.value == 1 and sign == "//":
            kind = UINT if a.type == UINT else kind
        a, b = (
            self.convert(x, UINT)
            if x.type == BOOL or (isinstance(x, t.Constant) and x.value >= 0)
            else x if x.type == UINT else self.convert(x, INT)
            for x in (a, b)
        )  # fmt: skip
        return t.Arithmetic(kind, sign, a, b, self.line)

    def logical(self, op: str, a: t.Expression, b: t.Expression) -> t.Expression:
        """Return `a and b` or `a or b`: the second is evaluated only where it decides."""
        if isinstance(a, t.Constant) and a.type == BOOL:
            return b if a.value == (op == "and") else a
        kind = joint(a, b)
        if kind is None or not isinstance(kind, Int | Bool | Float):
            self.refuse(f"it is {a.type} or {b.type}{hint(a.type, b.type)}", foreign=True)
        return t.Logical(kind, op, self.convert(self.fitting(a), kind),
                         self.convert(self.fitting(b), kind))  # fmt: skip

    def comparison(self, op: ast.cmpop, a: t.Expression, b: t.Expression) -> t.Expression:
        if isinstance(op, ast.In | ast.NotIn):
            return self.membership(a, b, isinstance(op, ast.NotIn))
        if isinstance(op, ast.Is | ast.IsNot):
            unclear = a.type in (NOTHING, SOMETIMES) or t.acts(a) or t.acts(b)
            if unclear or not (isinstance(a.type, Known) or isinstance(b.type, Known)):
                self.refuse("`is` asks whether a variable holds None; numbers are compared "
                            "with `==`", foreign=True)  # fmt: skip
            same = getattr(a.type, "value", a) is getattr(b.type, "value", b)
            return t.Constant(BOOL, same == isinstance(op, ast.Is), True)
        sign, compare = COMPARISONS[type(op)]
        if isinstance(a, t.Constant) and isinstance(b, t.Constant):
            numbers = a.folds and b.folds
            if numbers or (isinstance(a.type, Known) and isinstance(b.type, Known)):
                with suppress(TypeError):  # such as of None < None
                    return t.Constant(BOOL, bool(compare(a.value, b.value)), True)
        for each in (a, b):
            if not isinstance(each.type, Int | Bool | Float):
                given = f"{each.type}{self.remedy(each.type)}"
                self.refuse(f"`{sign}` compares numbers, not {given}", foreign=True)
        a, b = self.fitting(a), self.fitting(b)
        if SINGLE in (a.type, b.type):
            a, b = self.singles(sign, a, b)
        elif FLOAT in (a.type, b.type):
            a, b = self.convert(a, FLOAT), self.convert(b, FLOAT)
        elif not a.type == b.type == BOOL:
            a, b = (self.convert(x, INT) if x.type == BOOL else x for x in (a, b))
        return t.Compare(BOOL, sign, a, b)

    def membership(self, a: t.Expression, b: t.Expression, absent: bool) -> t.Expression:
        """Return `a in (b, c)`: all are evaluated first, as in Python, and then compared."""
        self.refuse_collection(b)
        if not isinstance(b.type, Tuple):
            self.refuse("`in` looks for a number in a tuple; write a loop, or `low <= x < high` "
                        "for a range", foreign=True)  # fmt: skip
        if not (isinstance(b, t.Several) and b.items):
            self.plain(a)
            self.plain(b)
        first, again = self.kept(a) if t.acts(a) or t.acts(b) else (a, a)
        found: t.Expression = t.FALSE
        for i in range(len(b.type.items)):
            one = self.comparison(ast.Eq(), again if i else first, self.item(b, i))
            found = self.arithmetic(ast.BitOr(), found, one) if i else one
        return t.Not(BOOL, found) if absent else found

    def call(self, called: FunctionType, arguments: list[t.Expression]) -> t.Expression:
        arguments = [self.fitting(each) for each in arguments]
        for each in arguments:
            if each.type in (NOTHING, SOMETIMES):
                self.refuse(f"{called.__name__} is given the value of a function that returns none")
        line = self.line
        instance = self.program.instance(called, tuple(a.type for a in arguments))
        self.line = line
        assert instance.returns is not None
        self.instance.raises |= instance.raises
        return t.Call(instance.returns, instance, arguments)

    def no_module(self, value: t.Expression) -> t.Expression:
        """The value; refuses a module."""
        if isinstance(getattr(value.type, "value", None), ModuleType):
            self.refuse(NO_MODULE, foreign=True)
        return value

    def constant(self, value: Any, name: str = "") -> t.Expression:
        if isinstance(value, bool | np.bool_):
            return t.Constant(BOOL, bool(value), True)
        if isinstance(value, int):
            if type(value) is not int:  # a member of an IntEnum, say
                if any(getattr(type(value), each) is not getattr(int, each) for each in _OF_INTS):
                    self.refuse(f"{name!r} is {value!r}, whose operators are not those of an int; "
                                "write int(...) outside the function")  # fmt: skip
                value = int(value)
            fits = -(1 << 63) <= value < 1 << 63
            return t.Constant(INT if fits else UINT, value, True)
        if isinstance(value, np.integer):
            if value.dtype.kind not in "iu":
                self.refuse(f"{name!r} is {value!r}, which is not a number here", foreign=True)
            return t.Constant(of_dtype(value.dtype), int(value))
        if isinstance(value, float):
            return t.Constant(FLOAT, float(value), True)
        if isinstance(value, np.float32):
            return t.Constant(SINGLE, float(value))
        if isinstance(value, tuple):
            items = [self.no_module(self.constant(item, name)) for item in value]
            return several(items, getattr(value, "_fields", ()))
        if isinstance(value, np.ndarray | np.void) and not value.dtype.hasobject:
            return self.table(value, name)
        if isinstance(value, enum.Enum):
            self.refuse(f"{value} is not a number to Python; make it an IntEnum", foreign=True)
        if (wrong := unreadable(value)) is not None:
            self.refuse(f"it reads {name!r}: dragon compiles no value of type {wrong}, since it "
                        "could not tell when it changes; make it a number, text, a tuple, an "
                        "array or a function")  # fmt: skip
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
        """Return a value as the running program has it; refuse integers beyond 64 bits."""
        known = value.value if isinstance(value, t.Constant) else 0
        if isinstance(value.type, Int) and not -(1 << 63) <= known < 1 << 64:
            self.refuse(f"{known} does not fit in 64 bits")
        return value

    def convert(self, value: t.Expression, kind: Type, cut: bool = False) -> t.Expression:
        """Convert a value to another type; with `cut` the high bits of a number may be lost."""
        if value.type == kind:
            return value
        if isinstance(value, t.Constant) and isinstance(value.type, Int) and isinstance(kind, Int):
            bits, signed = (kind.bits, kind.signed)
            low = value.value & ((1 << bits) - 1)
            whole = low - (1 << bits) if signed and low >> (bits - 1) else low
            return t.Constant(kind, whole if cut or bits < 64 else value.value)
        if isinstance(value, t.Constant) and isinstance(kind, Float) and value.folds:
            return t.Constant(kind, float(value.value), kind == FLOAT)
        return t.Convert(kind, value)

    def truth(self, value: t.Expression) -> t.Expression:
        match value.type:
            case Bool():
                return value
            case Int():
                if isinstance(value, t.Constant):
                    return t.Constant(BOOL, bool(value.value), True)
                return t.Compare(BOOL, "!=", value, t.Constant(value.type, 0))
            case Float():
                return t.Compare(BOOL, "!=", value, t.Constant(value.type, 0.0))
            case Known(value=known) | Tuple(items=known):
                self.unasked(value)
                return t.Constant(BOOL, bool(known), True)
        self.refuse(f"{value.type} is neither true nor false{self.remedy(value.type)}")

    def whole_number(self, value: t.Expression, array: bool = False) -> t.Expression:
        """Return an index, or an end of a range; refuse all but whole numbers."""
        value = self.fitting(value)
        if isinstance(value.type, Bool):
            if not array:
                return self.convert(value, INT)
            self.refuse("numpy takes a truth value for a mask; write int(...)", foreign=True)
        if not isinstance(value.type, Int):
            self.refuse(f"an index must be an integer, not {value.type}",
                        foreign=isinstance(value.type, Array | Known))  # fmt: skip
        return value

    def length(self, array: t.Expression, axis: int) -> t.Expression:
        assert isinstance(array.type, Array)
        if not array.type.shape:
            self.refuse("an array without axes has no length")
        fixed, base = array.type.shape[axis], array
        while isinstance(base, t.Field):
            base = base.record
        if fixed is None or not isinstance(base, t.Local | t.Constant):  # it may call something
            return t.Length(INT, array, axis)
        return t.whole(fixed)

    def one_of(self, value: t.Expression, index: int) -> t.Expression:
        """Return the one value that is taken of several."""
        found = self.item(value, index)
        if isinstance(value, t.Several):
            self.unasked(*value.items[:index], *value.items[index + 1 :])
        elif isinstance(found, t.Constant):
            self.unasked(value)
        return found

    def item(self, value: t.Expression, index: int) -> t.Expression:
        if isinstance(value, t.Several):
            return value.items[index]
        assert isinstance(value.type, Tuple)
        kind = value.type.items[index]
        if isinstance(kind, Known):
            return t.Constant(kind, kind.value)
        return t.Item(kind, value, index)

    def as_array(self, value: t.Expression) -> t.Expression:
        """Return a tuple of constants as a table, since its index is known only at run time."""
        numbers = value.items if isinstance(value, t.Several) else []
        if any(isinstance(n.type, Tuple) for n in numbers):
            self.refuse("only a tuple of numbers can be gone through; make this one an array, "
                        "outside the function", foreign=True)  # fmt: skip
        found = [n.value for n in numbers if isinstance(n, t.Constant)]
        if not numbers or len(found) != len(numbers):
            self.refuse("only a tuple of constants can be gone through", foreign=True)
        kinds = {n.type for n in map(self.fitting, numbers)}
        dtypes: dict[Type, Any]
        dtypes = {INT: np.int64, UINT: np.uint64, FLOAT: np.float64, BOOL: np.bool_}
        if len(kinds) != 1 or not kinds <= dtypes.keys():
            self.refuse("only a tuple of numbers of one kind can be gone through", foreign=True)
        dtype = dtypes[kinds.pop()]
        return self.table(np.array(found, dtype), "a tuple")


def result(a: Type, b: Type) -> Type:
    """Return the type of the integer that two make: unsigned if both are; truth values are both."""
    signs = [kind.signed for kind in (a, b) if isinstance(kind, Int)]
    return UINT if signs and not any(signs) else INT


def reckoned(sign: str, a: Type, b: Type) -> Type:
    """Return the type of `a sign b`, or `sign a`, of integers.

    That of narrow unsigned numbers is signed unless it stays narrow, since a difference may be
    below zero; an int64 does not hold all products of two uint32, nor what is shifted up.
    """
    kinds = [kind for kind in (a, b) if isinstance(kind, Int)]
    bits = max((kind.bits for kind in kinds), default=64)
    if bits < 64 and not any(kind.signed for kind in kinds):
        if sign in ("&", "|", "^", ">>", "//", "%"):
            return Int(bits, signed=False)
        if sign != "<<" and not (sign == "*" and bits == 32):
            return INT
    return result(a, b)


def several(items: list[t.Expression], names: tuple[str, ...] = ()) -> t.Several:
    return t.Several(Tuple(tuple(item.type for item in items), names), items)


def loaded(place: t.Field | t.Element) -> t.Expression:
    """Load from a place: a number, or the record or array itself."""
    return t.Load(place.type, place) if isinstance(place.type, Int | Bool | Float) else place


def hint(a: Type, b: Type) -> str:
    """Return the remedy where two types do not go together."""
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.items) == len(b.items):
        hints = enumerate(map(hint, a.items, b.items), 1)
        return next((f": of value {i}, {each[2:]}" for i, each in hints if each), "")
    if Known(None) in (a, b):
        return ": a number has no None; write one that is never used, such as -1"
    both = isinstance(a, Int) and isinstance(b, Int) and common(a, b) is None
    return f": {SIGNS}" if both else ""
