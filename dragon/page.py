"""Page and Endpoint: what a plugin adds to the web server, and the parameters of its answers.

A Page is a place in the navigation with a script; its Endpoints answer JSON below /api/<page>.
Functions are given by import path, so that a page costs nothing until it is used. The parameters
are an attrs class, whose fields the functions below make, each with bounds, which the server
enforces and the OpenAPI document lists (`docs/write-a-page.md` has an example). Where the class has
a method `examine`, the server calls it before any work begins; it raises ConfigError, and is quick.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib import import_module
from operator import attrgetter
from typing import Any, Literal

import attrs
from attrs import field, frozen

from dragon.errors import PluginError

Cost = Literal["cheap", "quick", "search"]
METHODS = ("GET", "POST")
SCHEMA = "schema"
"""Key of a field's metadata: what JSON Schema has to say of its bounds."""
_NAME = re.compile(r"[a-z][a-z0-9-]*")
_ADDRESS = re.compile(r"([a-z][a-z0-9-]*(/[a-z][a-z0-9-]*)*)?")


@frozen
class Nothing:
    """The parameters of a function that has none."""


def _spelled(pattern: re.Pattern[str]) -> Any:
    def check(instance: object, attribute: attrs.Attribute[str], value: str) -> None:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise ValueError(
                f"{attribute.name} must be lower-case letters, digits and dashes, not {value!r}"
            )

    return check


def _reference(instance: object, attribute: attrs.Attribute[str], value: str) -> None:
    module, colon, name = str(value).rpartition(":")
    if value and not (name.isidentifier() and bool(module) == bool(colon)):
        raise ValueError(f"{attribute.name} must be a name or 'module:name', not {value!r}")


@frozen
class Endpoint:
    """A request of a page to the server: `GET /api/<page>/<path>`."""

    path: str = field(validator=_spelled(_ADDRESS))
    """Below /api/<page>/; empty: /api/<page> itself."""
    function: str = field(default="", validator=_reference)
    """A function of the page's service, from an attrs class to a JSON object; empty: the path's.

    With `stream`, or where the answer comes in steps, a generator of them; without `stream`
    its last object is the answer. A generator can be stopped between two objects, a function
    cannot.
    """
    summary: str = ""
    """A sentence for /api; empty: the first line of the function's docstring."""
    method: str = field(default="GET", validator=attrs.validators.in_(METHODS))
    """GET, or POST where the parameters are long or deep: then they are a JSON body."""
    cost: Cost = field(
        default="cheap", validator=attrs.validators.in_(("cheap", "quick", "search"))
    )
    """cheap: answered in the server itself, in milliseconds for every request, without kernels.
    quick: in a worker process that is ended after some seconds; what plugins' rules decide.
    search: in one of the few processes that search, after a place in the queue."""
    stream: bool = False
    """Answers with server-sent events, one for each object."""
    seconds: float = 60.0
    """The longest that a search may take before its process is ended."""
    policy: str = ""
    """A Content-Security-Policy: then the answer is a document of its own, the object's `html`,
    served under it. Let it begin with `sandbox`, so that the document is not a part of the site."""


def _path(name: str, page: Any) -> str:
    """`module:name` of a name in the page's service."""
    return f"{page.service}:{name}" if name and ":" not in name else name


def _with_paths(given: Iterable[Endpoint], page: Any) -> tuple[Endpoint, ...]:
    """The endpoints with import paths; loading reports their mistakes."""
    return tuple(
        attrs.evolve(each, function=_path(each.function or each.path, page)) for each in given
    )


_WITH_PATHS = attrs.Converter(_with_paths, takes_self=True)
_WITH_PATH = attrs.Converter(_path, takes_self=True)


@frozen
class Page:
    """A page of the server: a name for its address, a title, and a script that fills it."""

    name: str = field(validator=_spelled(_NAME))
    """Part of the address: /<name> and /api/<name>."""
    title: str
    """In the navigation and above the page."""
    summary: str = ""
    """A sentence below the title and on the first page."""
    folder: str = ""
    """`package:folder` of the page's own files, `dragon_ulti:web`; served at /static/<name>/."""
    script: str = ""
    """The ES module in that folder that fills the page; empty: there is no page, only answers."""
    style: str = ""
    """A further stylesheet in that folder, if the shared one is not enough."""
    service: str = ""
    """The module with the functions below; `module:name` names others."""
    endpoints: tuple[Endpoint, ...] = field(default=(), converter=_WITH_PATHS)  # type: ignore[misc]
    warm: str = field(default="", converter=_WITH_PATH)  # type: ignore[misc]
    """A function that each search process calls once when it starts."""
    picture: str = ""
    """An SVG in that folder for the first page, where it makes the page one of the domains."""
    example: str = ""
    """A sentence below the picture: an example of use, which leads to `link`."""
    link: str = field(default=attrs.Factory(lambda page: f"/{page.name}", takes_self=True))
    """The address of the example, and of the domain where there is no script."""


def load(path: str) -> Any:
    """Import the object `module:name`; raise PluginError if there is none."""
    module, _, name = path.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as missing:
        raise PluginError(
            f"a page names {path!r}, which cannot be imported: {missing}"
        ) from missing


@cache
def parameters_of(function: str) -> type:
    """The attrs class of a function's parameters; raises PluginError, as `load` does."""
    found = load(function)
    annotations = getattr(found, "__annotations__", {})
    kind = next((kind for name, kind in annotations.items() if name != "return"), None)
    with suppress(AttributeError):
        kind = attrgetter(kind)(sys.modules[found.__module__]) if isinstance(kind, str) else kind
    if not isinstance(kind, type) or not attrs.has(kind):
        raise PluginError(f"the parameter of {function!r} must have an attrs class as its type")
    return attrs.resolve_types(kind)


# ---- fields of parameters ----------------------------------------------------------------------


def whole(default: Any = attrs.NOTHING, *, least: int, most: int) -> Any:
    """A whole number from `least` to `most`; None is allowed where it is the default."""
    return _field(default, {"minimum": least, "maximum": most})


def number(default: Any = attrs.NOTHING, *, least: float, most: float) -> Any:
    """A number from `least` to `most`; None is allowed where it is the default."""
    return _field(default, {"minimum": least, "maximum": most})


def text(default: Any = attrs.NOTHING, *, longest: int = 400) -> Any:
    """Text of at most `longest` letters; None is allowed where it is the default."""
    return _field(default, {"maxLength": longest})


def choice(*words: str) -> Any:
    """One of the words; the first is the default."""
    return field(
        default=words[0],
        validator=attrs.validators.in_(words),
        metadata={SCHEMA: {"enum": list(words)}},
    )


def flag(default: bool = False) -> Any:
    """True or false."""
    return field(default=default)


def texts(*, most: int, longest: int = 100) -> Any:
    """A list of at most `most` texts of at most `longest` letters; empty by default.

    In the query of a GET the key is repeated: `moves=a1&moves=b2`.
    """
    items = {"type": "string", "maxLength": longest}
    return _field((), {"maxItems": most, "items": items})


def parts(*, most: int) -> Any:
    """A list of at most `most` objects of an attrs class; empty by default."""
    return _field((), {"maxItems": most})


def _field(default: Any, bounds: dict[str, Any]) -> Any:
    def check(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        complaint = _complaint(attribute.name, value, bounds)
        if complaint is not None and (value is not None or default is not None):
            raise ValueError(complaint)

    return field(default=default, validator=check, metadata={SCHEMA: bounds})


def _complaint(name: str, value: Any, bounds: dict[str, Any]) -> str | None:
    match bounds:
        case {"minimum": least, "maximum": most}:
            if not isinstance(value, int | float) or not least <= value <= most:  # nan is not
                return f"{name} must be from {least:,} to {most:,}, not {str(value)[:40]}"
        case {"maxLength": longest}:
            if isinstance(value, str) and len(value) > longest:
                return f"{name} must have at most {longest:,} letters, not {len(value):,}"
        case {"maxItems": most, **rest}:
            if len(value) > most:
                return f"{name} must have at most {most:,} parts, not {len(value):,}"
            items = rest.get("items", {})
            each = (_complaint(f"each of {name}", part, items) for part in value)
            return next(filter(None, each), None)
    return None
