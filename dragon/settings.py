"""The settings of a game or search as a person reads them: name, type, default, description."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from types import ModuleType, UnionType
from typing import Any, get_args

import attrs
from attrs import frozen

from dragon.core.game import Game
from dragon.core.spec import PARSING, literal


@frozen
class Setting:
    """One field of a Game or Search class."""

    name: str
    type: str
    default: Any
    """None both where it is none and where it must be given; see `required`."""
    required: bool
    description: str

    def __str__(self) -> str:
        return self.name if self.required else f"{self.name}={literal(self.default)}"


def settings(cls: type) -> list[Setting]:
    """The settings of an attrs class, in the order of its fields."""
    described = descriptions(cls)
    found = []
    for a in attrs.fields(cls):
        required = a.default is attrs.NOTHING
        made = isinstance(a.default, attrs.Factory)  # type: ignore[arg-type]
        default = None if required else a.default.factory() if made else a.default
        about = described.get(a.name, "")
        found.append(Setting(str(a.alias), kind(a.type), default, required, about))
    return found


def kind(annotation: Any) -> str:
    """A type in words: `whole number or none`, `'uct' or 'wins'`."""
    text = annotation if isinstance(annotation, str) else _text(annotation)
    text = text.replace("typing.", "").replace("NoneType", "None")
    if text.startswith("Literal["):
        return " or ".join(part.strip().replace('"', "'") for part in text[8:-1].split(","))
    words = {"int": "whole number", "float": "number", "bool": "true or false", "str": "text"}
    words["tuple[str, ...]"] = "list of texts"
    parts = [part.strip() for part in text.split("|")]
    return " or ".join(words.get(part, part.lower()) for part in parts)


def _text(annotation: Any) -> str:
    if isinstance(annotation, UnionType):
        return " | ".join(map(_text, get_args(annotation)))
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)


def summary(of: Any) -> str:
    """The first line of the docstring of a class or function."""
    return (inspect.getdoc(of) or "").partition("\n")[0]


def title(cls: type[Game[Any]]) -> str:
    """The title of a game, or else its name in words.

    >>> import dragon
    >>> title(dragon.games()["two048"]), title(dragon.games()["dots_and_boxes"])
    ('2048', 'Dots and boxes')
    """
    words = cls.name.replace("_", " ")
    return cls.title or words[:1].upper() + words[1:]


def how_to_play(cls: type) -> tuple[str, ...]:
    """The rules of a game as its players read them, in paragraphs: what stands in the docstring
    of its class between the first line and the examples, if anything.

    >>> import dragon
    >>> how_to_play(dragon.games()["nim"])[0].partition(".")[0]
    'The seats take one, two or three from the pile in turn'
    """
    doc = (inspect.getdoc(cls) or "").partition("\n>>> ")[0]
    return tuple(" ".join(part.split()) for part in doc.split("\n\n")[1:] if part.strip())


def descriptions(cls: type) -> dict[str, str]:
    """The string that stands under each field in the source, its own or a base class's.

    What the function `described` in a field's metadata returns follows it.
    """
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        found |= _described(base)
    for each in attrs.fields(cls) if attrs.has(cls) else ():
        if (more := each.metadata.get("described")) is not None:
            found[each.name] = f"{found.get(each.name, '')} {more()}".strip()
    return found


@cache
def _described(cls: type) -> dict[str, str]:
    module = sys.modules.get(cls.__module__)
    source = _classes(module).get(cls.__qualname__) if module else None
    found = {}
    for pair in pairwise(source.body if source else ()):
        match pair:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                found[name] = " ".join(text.split())
    return found


@cache
def _classes(module: ModuleType) -> dict[str, ast.ClassDef]:
    """The classes in the source of a module by their qualified names."""
    try:
        with PARSING:
            tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return {}  # built in, or typed at a prompt: there is no source to read
    return dict(_within(tree, ""))


def _within(node: ast.AST, path: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for each in getattr(node, "body", ()):
        if isinstance(each, ast.ClassDef):
            yield path + each.name, each
            yield from _within(each, f"{path}{each.name}.")
        elif isinstance(each, ast.FunctionDef):
            yield from _within(each, f"{path}{each.name}.<locals>.")
