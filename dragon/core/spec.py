"""Spec: the text of a game or search, its name and the parameters that are not defaults; and its
settings as a person reads them: name, type, default, description.

>>> parse_call("nex(rows=3, swap=false)")
('nex', {'rows': 3, 'swap': False})
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from threading import Lock
from types import ModuleType, UnionType
from typing import Any, ClassVar, get_args

import attrs
from attrs import frozen

from dragon.errors import ConfigError, quoted

# Held while Python parses: where two threads do at once, it may fail (CPython issue 106905).
PARSING = Lock()
_TOML_WORDS = {"true": True, "false": False, "none": None, "inf": float("inf")}
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
"""The pattern of names in a spec."""


def literal(value: Any) -> str:
    """A value as a spec writes it: true, none, 'text', 1.5.

    >>> literal(None), literal(True), literal("uct"), literal((1, 2))
    ('none', 'true', "'uct'", '(1, 2)')
    """
    value = str(value) if isinstance(value, Named) else value
    return repr(value).lower() if value is None or isinstance(value, bool) else repr(value)


def shown(value: Any) -> str:
    """Return a value for a message: the beginning of a text, and only the kind of a list or table.

    A file that was named by mistake may hold secrets, and aliases of YAML make lists of any size.
    """
    from datetime import date, time

    if value is None or isinstance(value, Mapping):
        return "nothing" if value is None else "a table of keys"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, (date, time)):  # of TOML and YAML
        return str(value)
    return quoted(value) if isinstance(value, str) else literal(value)


class Named:
    """An attrs value whose `str` is a spec: what users type, and what reads back as the value.

    >>> import dragon
    >>> str(dragon.search("alphabeta(depth=6)"))
    'alphabeta(depth=6)'
    """

    __slots__ = ()

    name: ClassVar[str]
    """The name that users type."""

    def __str__(self) -> str:
        shown = []
        for a in attrs.fields(type(self)):  # type: ignore[arg-type]
            given = getattr(self, a.name)
            if given != a.default:
                shown.append(f"{a.alias}={literal(given)}")  # attrs makes `rules` of `_rules`
        return f"{self.name}({', '.join(shown)})" if shown else self.name


def parse_call(spec: str) -> tuple[str, dict[str, Any]]:
    """The name and settings of a spec such as `mcts(c=0.7)`: parsed, never evaluated."""
    text = spec.strip()
    if NAME.fullmatch(text):
        return text, {}
    name, bracket, rest = text.partition("(")
    name = name.strip()
    if not bracket or not rest.endswith(")") or not NAME.fullmatch(name):
        raise ConfigError(f"cannot read {spec!r}; write a name or name(setting=value, ...)")
    try:
        with PARSING:
            call = ast.parse(f"_({rest}", mode="eval").body
    except (SyntaxError, ValueError) as wrong:
        raise ConfigError(
            f"cannot read {spec!r}: {wrong.args[0]}; write name(setting=value, ...)"
        ) from wrong
    except (RecursionError, MemoryError) as wrong:  # of Python's parser
        raise _too_deep(spec) from wrong
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise ConfigError(f"cannot read {spec!r}; write a name or name(setting=value, ...)")
    if call.args or any(k.arg is None for k in call.keywords):
        raise ConfigError(f"cannot read {spec!r}; name each setting: name(setting=value)")
    settings: dict[str, Any] = {}
    for keyword in call.keywords:
        if keyword.arg in settings:
            raise ConfigError(f"cannot read {spec!r}: {keyword.arg} is given twice; give it once")
        settings[str(keyword.arg)] = _literal(keyword.value, spec)
    return name, settings


def _too_deep(spec: str) -> ConfigError:
    return ConfigError(f"cannot read '{spec[:40]}...': it is too deep; write numbers in full")


def _literal(node: ast.expr, spec: str) -> Any:
    if isinstance(node, ast.Name) and node.id in _TOML_WORDS:
        return _TOML_WORDS[node.id]
    try:
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError):
            text = ast.unparse(node)
    except (MemoryError, RecursionError) as wrong:
        raise _too_deep(spec) from wrong
    raise ConfigError(
        f"cannot read the value {text} in {spec!r}; write a number, true, false, none or 'text'"
    )


@frozen
class Setting:
    """One field of a Game or Search class."""

    name: str
    type: str
    default: Any
    """None also if there is no default; see `required`."""
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


def title(cls: Any) -> str:
    """The title of a game, or else its name in words.

    >>> import dragon
    >>> title(dragon.games()["two048"]), title(dragon.games()["dots_and_boxes"])
    ('2048', 'Dots and boxes')
    """
    words = str(cls.name).replace("_", " ")
    return str(cls.title) or words[:1].upper() + words[1:]


def how_to_play(cls: type) -> tuple[str, ...]:
    """The rules of a game as its players read them, in paragraphs: the part of its class's
    docstring between the first line and the examples, if any.

    >>> import dragon
    >>> how_to_play(dragon.games()["nim"])[0].partition(".")[0]
    'The seats take one, two or three from the pile in turn'
    """
    doc = (inspect.getdoc(cls) or "").partition("\n>>> ")[0]
    return tuple(" ".join(part.split()) for part in doc.split("\n\n")[1:] if part.strip())


def descriptions(cls: type) -> dict[str, str]:
    """Return the text under each field in the source, of the class or its bases, followed by what
    the function `described` in the field's metadata returns.
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
    source = _class_in(_source(module), cls.__qualname__) if module else None
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
def _source(module: ModuleType) -> str:
    try:
        return inspect.getsource(module)
    except (OSError, TypeError):
        return ""  # built in, or typed at a prompt: there is no source to read


def _class_in(source: str, name: str) -> ast.ClassDef | None:
    """Return the class of a qualified name: parsed from its own lines where possible, since parsing
    the whole source takes several times as long."""
    lines = re.findall(rf"^class {re.escape(name)}\b.*(?:\n(?:[ \t#].*)?)*", source, re.MULTILINE)
    alone = _classes(lines[0]) if len(lines) == 1 else {}
    return alone.get(name) or _classes(source).get(name)


@cache
def _classes(source: str) -> dict[str, ast.ClassDef]:
    """The classes in a source by their qualified names; none where it cannot be parsed."""
    try:
        with PARSING:
            return dict(_within(ast.parse(source), ""))
    except SyntaxError:
        return {}


def _within(node: ast.AST, path: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for each in getattr(node, "body", ()):
        if isinstance(each, ast.ClassDef):
            yield path + each.name, each
            yield from _within(each, f"{path}{each.name}.")
        elif isinstance(each, ast.FunctionDef):
            yield from _within(each, f"{path}{each.name}.<locals>.")
