"""The typed tree: what the front end makes of a function, and emission reads.

Every expression knows its type. Conversions are explicit, names are slots, and of a branch on a
constant only the side that is taken is here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, dataclass_transform

from attrs import define, field

from dragon.compiler import tree as t
from dragon.compiler.types import BOOL, INT, UINT, Type, common


@dataclass_transform(eq_default=False, field_specifiers=(field,))
class Node:
    """A part of the tree: a class of attrs, compared by identity, as each of its subclasses is."""

    def __init_subclass__(cls) -> None:
        define(cls, eq=False, slots=False)


class Expression(Node):
    """A part of the tree that has a value."""

    type: Type


class Constant(Expression):
    """A value known at compile time: a number, or another object, which only the compiler sees."""

    value: Any
    folds: bool = False
    """True if it is a Python number, with which constants are folded exactly."""


class Local(Expression):
    """The value of a variable or a temporary."""

    slot: str


class Keep(Expression):
    """An assignment to a slot that has the value of what is assigned."""

    slot: str
    value: Expression


class Load(Expression):
    """The number at a place."""

    place: Expression


class Field(Expression):
    """A place: the field of a record, `offset` bytes from its beginning."""

    record: Expression
    offset: int


class Element(Expression):
    """A place: an element of an array, or the part that fewer indices than axes select."""

    array: Expression
    indices: list[Expression]
    line: int


class Fixed(Expression):
    """A place whose address is computed once, by Fix."""

    place: Expression
    address: list[str] = field(factory=list)


class Slice(Expression):
    """A slice of one axis, its ends clamped to the array; None: from the first, or to the last."""

    array: Expression
    low: Expression | None
    high: Expression | None


class Length(Expression):
    """The length of an axis."""

    array: Expression
    axis: int


class Scratch(Expression):
    """An array in a function's own memory."""

    zeroed: bool


class Convert(Expression):
    """A conversion to another type."""

    value: Expression


class Arithmetic(Expression):
    """The operation `left op right`, all of one type; `op` is as Python writes it."""

    op: str
    left: Expression
    right: Expression
    line: int = 0


class Compare(Expression):
    """The comparison `left op right`, by value, signed or not."""

    op: str
    left: Expression
    right: Expression


class Not(Expression):
    """The negation of a truth value."""

    value: Expression


class Logical(Expression):
    """The expression `left and right` or `left or right`, with Python's short circuit."""

    op: str
    left: Expression
    right: Expression


class Choice(Expression):
    """The conditional expression `yes if test else no`."""

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
    """An atomic exchange of the first word of an array; its value is what was there."""

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
    """A part of the tree that is executed."""


class Assign(Statement):
    """An assignment to a slot."""

    slot: str
    value: Expression


class Fix(Statement):
    """The computation of the address of a place."""

    fixed: Fixed


class Store(Statement):
    """A store of a number; an integer is cut to the width of the place, or tested in checked
    code."""

    place: Expression
    value: Expression
    line: int


class Copy(Statement):
    """A copy of a record over another, or of an array over one of the same shape."""

    place: Expression
    value: Expression


class Fill(Statement):
    """A store of a number to every element of an array."""

    array: Expression
    value: Expression
    line: int


class Evaluate(Statement):
    """The evaluation of an expression whose value is not used."""

    value: Expression


class If(Statement):
    """A branch: `then` if `test` holds, else `otherwise`."""

    test: Expression
    then: list[Statement]
    otherwise: list[Statement]


class Loop(Statement):
    """A loop: while `test` holds (None: for ever), `body` and then `step`; in the end `rest`.

    A `continue` goes to `step`, a `break` past `rest`.
    """

    test: Expression | None
    body: list[Statement]
    step: list[Statement]
    rest: list[Statement]
    line: int
    lanes: int = 0
    """The width of vectorisation; 0 where the loop is not marked."""


class Leave(Statement):
    """A `continue` (`again`) or a `break`."""

    again: bool
    before: list[Statement] = field(factory=list)
    """Conversions of variables, added when the loop's end is known."""


class Return(Statement):
    """The end of the function, with its value."""

    value: Expression | None


class Raise(Statement):
    """The end of the program, with an exception."""

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
    """True if its author marked it as a kernel."""
    body: list[Statement] = field(factory=list)
    returns: Type | None = None
    """The type of its value; None while that is not known."""
    zeroed: set[str] = field(factory=set)
    """The variables that may be read before anything is written."""
    raises: bool = False
    """True if it can end with an exception."""
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
    return Constant(INT, value, True)


class Variable(NamedTuple):
    """The type that a variable holds at some point."""

    type: Type | None
    """None where the branches that meet here leave values of types that do not go together."""
    maybe: bool = False
    """True if it does not have a value on some path that leads here."""
    clash: tuple[Type, Type] | None = None


Env = dict[str, Variable]


def slot_of(name: str, kind: Type) -> str:
    """Return the stack slot of a variable while it holds values of a type."""
    return f"{name}:{','.join(kind.parts())}"


def merged(branches: list[Env | None]) -> Env | None:
    """Join the types of variables where branches meet."""
    envs = [env for env in branches if env is not None]
    if len(envs) < 2:
        return envs[0] if envs else None
    found: Env = {}
    for name in {name: None for env in envs for name in env}:
        held = [env.get(name) for env in envs]
        joint = next(v for v in held if v is not None)
        for each in held:
            if each is None:
                joint = joint._replace(maybe=True)
            elif each != joint:
                joint = _meet(joint, each)
        found[name] = joint
    return found


def _meet(a: Variable, b: Variable) -> Variable:
    maybe = a.maybe or b.maybe
    if a.type is None or b.type is None:
        return Variable(None, maybe, a.clash or b.clash)
    kind = common(a.type, b.type)
    return Variable(kind, maybe, None if kind is not None else (a.type, b.type))


def converted(before: Env, after: Env) -> list[t.Statement]:
    """Return the conversions at the end of a branch: where it leads, variables have other types."""
    out: list[t.Statement] = []
    for name, new in after.items():
        old = before.get(name)
        if old is None or old.type is None or new.type is None:
            continue
        if old.type.parts() != new.type.parts():
            value = t.Local(old.type, slot_of(name, old.type))
            out.append(t.Assign(slot_of(name, new.type), t.Convert(new.type, value)))
    return out


def joint(a: t.Expression, b: t.Expression) -> Type | None:
    """Return the type that holds both values; a constant of 0 or more goes with a bit set."""
    for one, other in ((a, b), (b, a)):
        if isinstance(one, t.Constant) and one.folds and one.type == INT and other.type == UINT:
            return UINT if one.value >= 0 else None
    return common(a.type, b.type)
