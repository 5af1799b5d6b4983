"""The typed tree: what the front end makes of a function, and emission reads.

Every expression knows its type. Conversions are written out, names are slots, and what a
constant decides is decided: of such a branch only one side is here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import define, field, fields

from dragon.compiler.types import BOOL, INT, NOTHING, Type

if TYPE_CHECKING:
    from dragon.compiler.program import Instance


@define(eq=False)
class Expression:
    """Something that has a value."""

    type: Type


@define(eq=False)
class Constant(Expression):
    """A value known when compiling: a number, or anything else, which only the compiler sees."""

    value: Any
    folds: bool = False
    """Whether it is a Python number, with which the compiler reckons exactly."""


@define(eq=False)
class Local(Expression):
    """What a variable or a temporary holds."""

    slot: str


@define(eq=False)
class Keep(Expression):
    """Puts a value into a slot, and is that value."""

    slot: str
    value: Expression


@define(eq=False)
class Load(Expression):
    """The number at a place."""

    place: Expression


@define(eq=False)
class Field(Expression):
    """A place: the field of a record, so many bytes from its beginning."""

    record: Expression
    offset: int


@define(eq=False)
class Element(Expression):
    """A place: one element of an array, or what fewer indices than axes leave of it."""

    array: Expression
    indices: list[Expression]
    line: int


@define(eq=False)
class Fixed(Expression):
    """A place whose address is worked out once, by Fix."""

    place: Expression
    address: list[str] = field(factory=list)


@define(eq=False)
class Slice(Expression):
    """A stretch of one axis, whose ends are cut to the array; None: from the first, to the last."""

    array: Expression
    low: Expression | None
    high: Expression | None


@define(eq=False)
class Length(Expression):
    """The length of an axis."""

    array: Expression
    axis: int


@define(eq=False)
class Scratch(Expression):
    """Memory of a function's own."""

    zeroed: bool


@define(eq=False)
class Convert(Expression):
    """The value as one of another type."""

    value: Expression


@define(eq=False)
class Arithmetic(Expression):
    """`left op right`, both of the result's kind; `op` is as Python writes it."""

    op: str
    left: Expression
    right: Expression
    line: int = 0


@define(eq=False)
class Compare(Expression):
    """`left op right`, by their values, signed or not."""

    op: str
    left: Expression
    right: Expression


@define(eq=False)
class Not(Expression):
    """The contrary of a truth value."""

    value: Expression


@define(eq=False)
class Logical(Expression):
    """`left and right`, `left or right`: the right side only where it decides."""

    op: str
    left: Expression
    right: Expression


@define(eq=False)
class Choice(Expression):
    """`yes if test else no`."""

    test: Expression
    yes: Expression
    no: Expression


@define(eq=False)
class Call(Expression):
    """A call of a function of the program."""

    instance: Instance
    arguments: list[Expression]


@define(eq=False)
class Intrinsic(Expression):
    """An operation that LLVM knows by name."""

    name: str
    arguments: list[Expression]


@define(eq=False)
class Several(Expression):
    """A tuple."""

    items: list[Expression]


@define(eq=False)
class Item(Expression):
    """One value of a tuple."""

    several: Expression
    index: int


# ---- statements


@define(eq=False)
class Statement:
    """Something that is done."""


@define(eq=False)
class Assign(Statement):
    """Puts a value into a slot."""

    slot: str
    value: Expression


@define(eq=False)
class Fix(Statement):
    """Works out the address of a place."""

    fixed: Fixed


@define(eq=False)
class Store(Statement):
    """Writes a number, converted to the place's kind; what its width does not hold is cut off."""

    place: Expression
    value: Expression


@define(eq=False)
class Copy(Statement):
    """Writes a record over another, or an array over one of the same shape."""

    place: Expression
    value: Expression


@define(eq=False)
class Fill(Statement):
    """Writes a number to every element of an array."""

    array: Expression
    value: Expression


@define(eq=False)
class Evaluate(Statement):
    """Works out a value that nobody uses."""

    value: Expression


@define(eq=False)
class If(Statement):
    """`then` or `otherwise`."""

    test: Expression
    then: list[Statement]
    otherwise: list[Statement]


@define(eq=False)
class Loop(Statement):
    """While `test` holds (None: for ever): `body`, then `step`; in the end `rest`.

    A `continue` goes to `step`, a `break` past `rest`.
    """

    test: Expression | None
    body: list[Statement]
    step: list[Statement]
    rest: list[Statement]
    line: int


@define(eq=False)
class Break(Statement):
    """Leaves the loop."""

    before: list[Statement] = field(factory=list)
    """Conversions of variables, added when the loop's end is known."""


@define(eq=False)
class Continue(Statement):
    """Goes to the loop's next round."""

    before: list[Statement] = field(factory=list)


@define(eq=False)
class Return(Statement):
    """Leaves the function."""

    value: Expression | None


@define(eq=False)
class Raise(Statement):
    """Leaves the program with an exception."""

    kind: type[BaseException]
    message: str
    line: int


def acts(value: Expression) -> bool:
    """Whether working a value out may do more than that: call a function, set a variable."""
    if isinstance(value, Call | Keep):
        return True
    for each in fields(type(value)):
        held = getattr(value, each.name)
        some = held if isinstance(held, list) else [held]
        if any(isinstance(inner, Expression) and acts(inner) for inner in some):
            return True
    return False


TRUE, FALSE = Constant(BOOL, True, True), Constant(BOOL, False, True)


def whole(value: int) -> Constant:
    """A whole number."""
    return Constant(INT, value, True)


VOID = Constant(NOTHING, None)
