"""Spec: the text of a game or search, its name and the parameters that are not defaults.

>>> parse_call("nex(rows=3, swap=false)")
('nex', {'rows': 3, 'swap': False})
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from threading import Lock
from typing import Any, ClassVar

import attrs

from dragon.errors import ConfigError, quoted

# Held while Python parses: where two threads do at once, it may fail (CPython issue 106905).
PARSING = Lock()
_TOML_WORDS = {"true": True, "false": False, "none": None, "inf": float("inf")}
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
"""The names that can be typed in a spec."""


def literal(value: Any) -> str:
    """A value as a spec writes it: true, none, 'text', 1.5.

    >>> literal(None), literal(True), literal("uct"), literal((1, 2))
    ('none', 'true', "'uct'", '(1, 2)')
    """
    value = str(value) if isinstance(value, Named) else value
    return repr(value).lower() if value is None or isinstance(value, bool) else repr(value)


def shown(value: Any) -> str:
    """Return a value for a message: a text in part, and a list or a table by its kind.

    A file that was named by mistake may hold secrets, and aliases of YAML make lists of any size.
    """
    if value is None or isinstance(value, Mapping):
        return "nothing" if value is None else "a table of keys"
    if isinstance(value, list):
        return "a list"
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
