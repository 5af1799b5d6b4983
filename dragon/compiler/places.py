"""The front end's places: what is assigned to, and whether it takes what is assigned."""

from __future__ import annotations

import ast

from dragon.compiler import tree as t
from dragon.compiler.expressions import Expressions
from dragon.compiler.refusal import name_of
from dragon.compiler.types import NOTHING, SOMETIMES, Array, Bool, Float, Int, Record, Tuple, Type


class Places(Expressions):
    """Reads the targets of assignments."""

    def assign(self, target: ast.expr, value: t.Expression, out: list[t.Statement]) -> None:
        if isinstance(target, ast.Name):
            self.bind(target.id, value, out)
        elif isinstance(target, ast.Tuple | ast.List):
            for each in target.elts:
                if isinstance(each, ast.Starred):
                    self.unknown(each)
            if not isinstance(value.type, Tuple) or len(value.type.items) != len(target.elts):
                self.refuse(f"{value.type} cannot be taken apart into {len(target.elts)} values")
            for i, each in enumerate(target.elts):
                self.assign(each, self.item(value, i), out)
        else:
            out.append(self.store(self.place(target), value))

    def bind(self, name: str, value: t.Expression, out: list[t.Statement]) -> None:
        if value.type in (NOTHING, SOMETIMES):
            self.refuse(f"{name!r} would hold nothing; does the function return a value always?")
        value = self.fitting(value)
        out.append(t.Assign(self.given(name, value.type), value))

    def place(self, target: ast.expr) -> t.Expression:
        """The place that a target names: a field, an element, a stretch of an array."""
        if not isinstance(target, ast.Attribute | ast.Subscript):
            self.refuse(f"the compiler cannot assign to {name_of(target)}", foreign=True)
        found = self.expression(target)
        if isinstance(found, t.Load):
            found = found.place
        within = found
        if isinstance(found, t.Field):
            within = found.record
        elif isinstance(found, t.Element | t.Slice):
            within = found.array
        elif isinstance(found, t.Item) or not isinstance(found.type, Array):  # as `a[:]` is
            self.refuse(f"{ast.unparse(target)} is not a place that can be written", foreign=True)
        if isinstance(within.type, Record | Array) and not within.type.writable:
            self.refuse("this is a constant, or memory that is there to be read only")
        return found

    def store(self, place: t.Expression, value: t.Expression) -> t.Statement:
        match place.type, value.type:
            case ((Int() | Bool()), Float()):
                self.refuse(f"a float64 would be cut where there is {place.type}; write int(...)")
            case ((Int() | Bool() | Float()), (Int() | Bool() | Float())):
                return t.Store(place, self.written(value, place.type), self.line)
            case Record(), Record() if (
                place.type.size == value.type.size and place.type.fields == value.type.fields
            ):
                return t.Copy(place, value)
            case Array(element=element), (Int() | Bool() | Float()) if not isinstance(
                element, Record
            ):
                return t.Fill(place, self.written(value, element), self.line)
            case Array(), Array() if (
                place.type.element == value.type.element and None not in place.type.shape
            ) and place.type.shape == value.type.shape:
                return t.Copy(place, value)
        self.refuse(f"{value.type} cannot be written where there is {place.type}",
                    foreign=isinstance(place.type, Array))  # fmt: skip

    def written(self, value: t.Expression, kind: Type) -> t.Expression:
        """A number for a place of a kind; an integer stays whole, so that checked code sees it."""
        value = self.fitting(value)
        if isinstance(value.type, Int) and isinstance(kind, Int):
            return value
        return self.convert(value, kind, cut=True)

    def held(self, value: t.Expression, out: list[t.Statement]) -> t.Expression:
        """A value worked out once, to be used again and again."""
        if isinstance(value, t.Several):
            return t.Several(value.type, [self.held(item, out) for item in value.items])
        if isinstance(value, t.Constant) and not isinstance(value.type, Array):
            return value
        slot = self.temporary()
        out.append(t.Assign(slot, value))
        return t.Local(value.type, slot)
