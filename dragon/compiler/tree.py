"""The typed tree: what the front end makes of a function, and emission reads.

Every expression knows its type. Conversions are written out, names are slots, and what a
constant decides is decided: of such a branch only one side is here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, dataclass_transform

from attrs import define, field

from dragon.compiler.types import BOOL, INT, Type


@dataclass_transform(eq_default=False, field_specifiers=(field,))
class Node:
    """A part of the tree: a class of attrs, compared by identity, as each of its subclasses is."""

    def __init_subclass__(cls) -> None:
        define(cls, eq=False, slots=False)


class Expression(Node):
    """Something that has a value."""

    type: Type


class Constant(Expression):
    """A value known when compiling: a number, or anything else, which only the compiler sees."""

    value: Any
    folds: bool = False
    """Whether it is a Python number, with which the compiler reckons exactly."""


class Local(Expression):
    """The value of a variable or a temporary."""

    slot: str


class Keep(Expression):
    """Puts a value into a slot, and is that value."""

    slot: str
    value: Expression


class Load(Expression):
    """The number at a place."""

    place: Expression


class Field(Expression):
    """A place: the field of a record, so many bytes from its beginning."""

    record: Expression
    offset: int


class Element(Expression):
    """A place: one element of an array, or what fewer indices than axes leave of it."""

    array: Expression
    indices: list[Expression]
    line: int


class Fixed(Expression):
    """A place whose address is worked out once, by Fix."""

    place: Expression
    address: list[str] = field(factory=list)


class Slice(Expression):
    """A stretch of one axis, whose ends are cut to the array; None: from the first, to the last."""

    array: Expression
    low: Expression | None
    high: Expression | None


class Length(Expression):
    """The length of an axis."""

    array: Expression
    axis: int


class Scratch(Expression):
    """Memory of a function's own."""

    zeroed: bool


class Convert(Expression):
    """The value as one of another type."""

    value: Expression


class Arithmetic(Expression):
    """`left op right`, both of the result's kind; `op` is as Python writes it."""

    op: str
    left: Expression
    right: Expression
    line: int = 0


class Compare(Expression):
    """`left op right`, by their values, signed or not."""

    op: str
    left: Expression
    right: Expression


class Not(Expression):
    """The contrary of a truth value."""

    value: Expression


class Logical(Expression):
    """`left and right`, `left or right`: the right side only where it decides."""

    op: str
    left: Expression
    right: Expression


class Choice(Expression):
    """`yes if test else no`."""

    test: Expression
    yes: Expression
    no: Expression


class Call(Expression):
    """A call of a function of the program."""

    instance: Instance
    arguments: list[Expression]


class Intrinsic(Expression):
    """An operation that LLVM knows by name."""

    name: str
    arguments: list[Expression]
    line: int = 0


class Swap(Expression):
    """Writes the first word of an array, at once for all threads; what was there."""

    array: Expression
    word: Expression


class Several(Expression):
    """A tuple."""

    items: list[Expression]


class Item(Expression):
    """One value of a tuple."""

    several: Expression
    index: int


# ---- statements


class Statement(Node):
    """Something that is done."""


class Assign(Statement):
    """Puts a value into a slot."""

    slot: str
    value: Expression


class Fix(Statement):
    """Works out the address of a place."""

    fixed: Fixed


class Store(Statement):
    """Writes a number, an integer in the place's width: the rest is cut off, or told if checked."""

    place: Expression
    value: Expression
    line: int


class Copy(Statement):
    """Writes a record over another, or an array over one of the same shape."""

    place: Expression
    value: Expression


class Fill(Statement):
    """Writes a number to every element of an array, as Store does."""

    array: Expression
    value: Expression
    line: int


class Evaluate(Statement):
    """Evaluate a value that is not used."""

    value: Expression


class If(Statement):
    """`then` or `otherwise`."""

    test: Expression
    then: list[Statement]
    otherwise: list[Statement]


class Loop(Statement):
    """While `test` holds (None: for ever): `body`, then `step`; in the end `rest`.

    A `continue` goes to `step`, a `break` past `rest`.
    """

    test: Expression | None
    body: list[Statement]
    step: list[Statement]
    rest: list[Statement]
    line: int


class Leave(Statement):
    """Goes to the loop's next round, or leaves the loop."""

    again: bool
    before: list[Statement] = field(factory=list)
    """Conversions of variables, added when the loop's end is known."""


class Return(Statement):
    """Leaves the function."""

    value: Expression | None


class Raise(Statement):
    """Leaves the program with an exception."""

    kind: type[BaseException]
    message: str
    line: int


# ---- functions


class Instance(Node):
    """A function for arguments of certain types."""

    function: Any
    """A plain Python function."""
    arguments: tuple[Type, ...]
    name: str
    kernel: bool
    """Whether its author marked it as a kernel."""
    body: list[Statement] = field(factory=list)
    returns: Type | None = None
    """None while nothing is known of it."""
    zeroed: set[str] = field(factory=set)
    """The variables that may be read before anything is written."""
    raises: bool = False
    """Whether it can end with an exception."""
    recursive: bool = False


def acts(value: Expression) -> bool:
    """Return True if evaluating a value may have effects: a call, a write."""
    if isinstance(value, Call | Keep | Swap):
        return True
    for held in vars(value).values():
        some = held if isinstance(held, list) else [held]
        if any(isinstance(inner, Expression) and acts(inner) for inner in some):
            return True
    return False


def written(node: Expression | Statement) -> Iterator[str]:
    """The slots that a part of a function writes."""
    if isinstance(node, Assign | Keep):
        yield node.slot
    for held in vars(node).values():
        for inner in held if isinstance(held, list) else [held]:
            if isinstance(inner, Expression | Statement):
                yield from written(inner)


FALSE = Constant(BOOL, False, True)


def whole(value: int) -> Constant:
    """A whole number."""
    return Constant(INT, value, True)
