"""The attrs value of a query or a JSON body, and the JSON Schema of its class."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from dragon.config import build
from dragon.core.spec import descriptions
from dragon.errors import ConfigError
from dragon.page import SCHEMA
from dragon.web.problem import AT

PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}


def structure(cls: type, given: Any) -> Any:
    """The attrs value of a JSON object; raises ConfigError with every mistake and its field."""
    if not isinstance(given, dict):
        raise ConfigError(f"the body must be a JSON object, not {type(given).__name__}")
    value: Any = build(attrs.resolve_types(cls), given, AT)
    if callable(getattr(cls, "examine", None)):
        value.examine()
    return value


def from_query(cls: type, pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The JSON object of a query: numbers, true, false and repeated keys are converted.

    A value that does not fit its field stays text, and `structure` reports it.
    """
    kinds = {str(a.alias): a.type for a in attrs.fields(attrs.resolve_types(cls))}
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
    """A value of a query converted to its type, or the text itself."""
    kinds = options(kind)
    if value == "" and type(None) in kinds and str not in kinds:
        return None
    try:
        return value if str in kinds else json.loads(value)
    except (ValueError, RecursionError):
        return value


def options(kind: Any) -> tuple[Any, ...]:
    """The types of a union, or the one."""
    if typing.get_origin(kind) in (types.UnionType, typing.Union):
        return typing.get_args(kind)
    return (kind,)


def schema(cls: type) -> dict[str, Any]:
    """The JSON Schema of the object that `structure` takes."""
    described = descriptions(cls)
    properties, required = {}, []
    for a in attrs.fields(attrs.resolve_types(cls)):
        shape = of_type(a.type, a.metadata.get(SCHEMA, {}))
        if a.default is attrs.NOTHING:
            required.append(a.alias)
        elif a.default is None or isinstance(a.default, str | int | float | bool):
            shape["default"] = a.default
        if a.name in described:
            shape["description"] = described[a.name]
        properties[a.alias] = shape
    made: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        made["required"] = required
    return made | {"additionalProperties": False}


def of_type(kind: Any, bounds: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of a type and its bounds: plain ones, lists, attrs classes, unions."""
    kinds = options(kind)
    if len(kinds) > 1:
        return {"anyOf": [of_type(each, bounds) for each in kinds]}
    if kind is type(None):
        return {"type": "null"}
    if kind in PLAIN:
        return {"type": PLAIN[kind], **bounds}
    if typing.get_origin(kind) is tuple:
        return {"type": "array", "items": of_type(typing.get_args(kind)[0], {}), **bounds}
    return schema(kind) if attrs.has(kind) else dict(bounds)
