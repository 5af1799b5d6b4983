"""Page and Endpoint: what a plugin adds to the web server, and the parameters of its answers.

A Page is a place in the navigation with a script; its Endpoints answer JSON below /api/<page>.
Functions and parameter classes are given by import path, so that a page costs nothing until
somebody asks. Parameters are an attrs class whose fields are made by the functions below: each
has bounds, which the server holds and the OpenAPI document tells.

    @frozen
    class Roll:
        sides: int = whole(6, least=2, most=100)
        \"\"\"Sides of the die.\"\"\"
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Literal

import attrs
from attrs import field, frozen

from dragon.errors import PluginError

Cost = Literal["cheap", "quick", "search"]
METHODS = ("GET", "POST")
SCHEMA = "schema"
"""Key of a field's metadata: what JSON Schema has to say of its bounds."""
_NAME = re.compile(r"[a-z][a-z0-9-]*")
_PATH = re.compile(r"([a-z][a-z0-9-]*(/[a-z][a-z0-9-]*)*)?")


@frozen
class Nothing:
    """The parameters of an endpoint that has none."""


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
    """One question that a page asks of the server: `GET /api/<page>/<path>`."""

    path: str = field(validator=_spelled(_PATH))
    """Below /api/<page>/; empty: /api/<page> itself."""
    function: str = field(default="", validator=_reference)
    """A function of the page's service, from the parameters to a JSON object; empty: the path's.

    With `stream`, or where the answer comes in steps, a generator of them; without `stream`
    its last object is the answer. A generator can be stopped between two objects, a function
    cannot.
    """
    parameters: str = field(default="dragon.web.page:Nothing", validator=_reference)
    """An attrs class of the page's service."""
    summary: str = ""
    """A sentence for /api."""
    method: str = field(default="GET", validator=attrs.validators.in_(METHODS))
    """GET, or POST where the parameters are long or deep: then they are a JSON body."""
    cost: Cost = field(
        default="cheap", validator=attrs.validators.in_(("cheap", "quick", "search"))
    )
    """cheap: answered in the server itself, in milliseconds whatever is asked, without kernels.
    quick: in a worker process that is ended after some seconds; what plugins' rules decide.
    search: in one of the few processes that search, after a place in the queue."""
    stream: bool = False
    """Answers with server-sent events, one for each object."""
    seconds: float = 60.0
    """The longest that a search may take before its process is ended."""
    policy: str = ""
    """A Content-Security-Policy: then the answer is a document of its own, the object's `html`,
    served under it. Let it begin with `sandbox`, so that the document is no part of the site."""


def _whole(name: str, page: Any) -> str:
    """`module:name` of a name in the page's service."""
    return f"{page.service}:{name}" if name and ":" not in name else name


def _complete(given: Iterable[Endpoint], page: Any) -> tuple[Endpoint, ...]:
    """The endpoints with whole names; what is wrong with those is told when they are loaded."""
    return tuple(
        attrs.evolve(
            each,
            function=_whole(each.function or each.path, page),
            parameters=_whole(each.parameters, page),
        )
        for each in given
    )


_COMPLETE = attrs.Converter(_complete, takes_self=True)
_WHOLE = attrs.Converter(_whole, takes_self=True)


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
    """The module with the functions and classes below; `module:name` names others."""
    endpoints: tuple[Endpoint, ...] = field(default=(), converter=_COMPLETE)  # type: ignore[misc]
    warm: str = field(default="", converter=_WHOLE)  # type: ignore[misc]
    """A function that each search process calls once when it starts."""


def load(path: str) -> Any:
    """What `module:name` names; raises PluginError where there is no such thing."""
    module, _, name = path.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as missing:
        raise PluginError(
            f"a page names {path!r}, which cannot be imported: {missing}"
        ) from missing


# ---- fields of parameters ----------------------------------------------------------------------


def whole(default: Any = attrs.NOTHING, *, least: int, most: int) -> Any:
    """A whole number from `least` to `most`; None is allowed where it is the default."""
    return _numeric(default, least, most)


def number(default: Any = attrs.NOTHING, *, least: float, most: float) -> Any:
    """A number from `least` to `most`; None is allowed where it is the default."""
    return _numeric(default, least, most)


def _numeric(default: Any, least: float, most: float) -> Any:
    def check(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if value is None and default is None:
            return
        if not isinstance(value, int | float) or not least <= value <= most:  # NaN is not, either
            raise ValueError(
                f"{attribute.name} must be from {least:,} to {most:,}, not {str(value)[:40]}"
            )

    told = {"minimum": least, "maximum": most}
    return field(default=default, validator=check, metadata={SCHEMA: told})


def text(default: Any = attrs.NOTHING, *, longest: int = 400) -> Any:
    """Text of at most `longest` letters; None is allowed where it is the default."""

    def check(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if isinstance(value, str) and len(value) > longest:
            raise ValueError(
                f"{attribute.name} must have at most {longest:,} letters, not {len(value):,}"
            )

    return field(default=default, validator=check, metadata={SCHEMA: {"maxLength": longest}})


def choice(*words: str) -> Any:
    """One of the words; the first is the default."""
    return field(
        default=words[0],
        validator=attrs.validators.in_(words),
        metadata={SCHEMA: {"enum": list(words)}},
    )


def flag(default: bool = False) -> Any:
    """True or false."""
    return field(default=default, metadata={SCHEMA: {}})


def texts(*, most: int, longest: int = 100) -> Any:
    """A list of at most `most` texts of at most `longest` letters; empty by default.

    In the query of a GET the key is repeated: `moves=a1&moves=b2`.
    """

    def check(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
        if len(value) > most:
            raise ValueError(
                f"{attribute.name} must have at most {most:,} parts, not {len(value):,}"
            )
        for each in value:
            if len(each) > longest:
                raise ValueError(
                    f"each of {attribute.name} must have at most {longest:,} letters, "
                    f"not {len(each):,}"
                )

    told = {"maxItems": most, "items": {"type": "string", "maxLength": longest}}
    return field(default=(), validator=check, metadata={SCHEMA: told})
