"""The types that the variables of a function hold, and how they join where branches meet."""

from __future__ import annotations

from typing import NamedTuple

from dragon.compiler import tree as t
from dragon.compiler.types import INT, UINT, Type, common


class Variable(NamedTuple):
    """The type that a variable holds at some point."""

    type: Type | None
    """None where the branches that meet here leave values of types that do not go together."""
    maybe: bool = False
    """Whether it has no value on some path that leads here."""
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
