"""Parameters: from a query or a JSON body to an attrs value, and to its JSON Schema."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterable
from functools import cache
from typing import Any

import attrs

from dragon.commands.settings import descriptions
from dragon.config import build
from dragon.errors import ConfigError
from dragon.web.page import SCHEMA
from dragon.web.problem import AT

PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}
_WHOLE, _NUMBER = re.compile(r"-?\d{1,18}"), re.compile(r"-?\d{1,18}(\.\d{1,18})?([eE]-?\d{1,3})?")


def structure(cls: type, given: Any) -> Any:
    """The attrs value of a JSON object; raises ConfigError with every mistake and its field."""
    if not isinstance(given, dict):
        raise ConfigError(f"the body must be a JSON object, not {type(given).__name__}")
    return build(resolved(cls), given, AT)


@cache
def resolved(cls: type) -> type:
    """The class with its types as types, where they stand in it as text."""
    return attrs.resolve_types(cls)


def from_query(cls: type, pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The JSON object that a query writes: numbers, true, false and repeated keys understood.

    What is not as its field has it stays text, for `structure` to complain of.
    """
    kinds = {str(a.alias): kind for a, kind in fields(cls)}
    given: dict[str, Any] = {}
    for key, value in pairs:
        kind = kinds.get(key, str)
        if typing.get_origin(kind) is tuple:
            inner = typing.get_args(kind)[0]
            given.setdefault(key, []).append(read(inner, value))
        elif key in given:
            raise ConfigError(f"{key} is given twice; give it once @ {AT}.{key}")
        else:
            given[key] = read(kind, value)
    return given


def read(kind: Any, value: str) -> Any:
    """A value of a query as its type has it, or the text itself."""
    kinds = options(kind)
    if bool in kinds and value in ("true", "false"):
        return value == "true"
    if int in kinds and _WHOLE.fullmatch(value):
        return int(value)
    if float in kinds and _NUMBER.fullmatch(value):
        return float(value)
    if value == "" and type(None) in kinds and str not in kinds:
        return None
    return value


def options(kind: Any) -> tuple[Any, ...]:
    """The types of a union, or the one."""
    if typing.get_origin(kind) in (types.UnionType, typing.Union):
        return typing.get_args(kind)
    return (kind,)


def fields(cls: type) -> list[tuple[attrs.Attribute[Any], Any]]:
    """The fields of an attrs class with their types, which may stand there as text."""
    kinds = typing.get_type_hints(cls)
    return [(a, kinds.get(a.name, str)) for a in attrs.fields(cls)]


def schema(cls: type) -> dict[str, Any]:
    """The JSON Schema of the object that `structure` takes."""
    told = descriptions(cls)
    properties, required = {}, []
    for a, kind in fields(cls):
        shape = of_type(kind)
        if "anyOf" in shape:
            shape["anyOf"] = [
                each if each == {"type": "null"} else each | a.metadata.get(SCHEMA, {})
                for each in shape["anyOf"]
            ]
        else:
            shape |= a.metadata.get(SCHEMA, {})
        if a.default is attrs.NOTHING:
            required.append(a.alias)
        elif a.default is None or isinstance(a.default, str | int | float | bool):
            shape["default"] = a.default
        if a.name in told:
            shape["description"] = told[a.name]
        properties[a.alias] = shape
    made: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        made["required"] = required
    return made | {"additionalProperties": False}


def of_type(kind: Any) -> dict[str, Any]:
    """The JSON Schema of a type: plain ones, lists, tables, attrs classes, and None beside them."""
    kinds = options(kind)
    if len(kinds) > 1:
        return {"anyOf": [of_type(each) for each in kinds]}
    if kind is type(None):
        return {"type": "null"}
    if kind in PLAIN:
        return {"type": PLAIN[kind]}
    origin = typing.get_origin(kind)
    if origin is typing.Literal:
        return {"type": "string", "enum": list(typing.get_args(kind))}
    if origin is tuple:
        return {"type": "array", "items": of_type(typing.get_args(kind)[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": of_type(typing.get_args(kind)[1])}
    if attrs.has(kind):
        return schema(kind)
    return {}
