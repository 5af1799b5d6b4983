"""The JSON below /api as an OpenAPI document, and as a page to read."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib.metadata import version
from typing import Any

from dragon.core.spec import summary
from dragon.errors import PluginError
from dragon.page import Endpoint, Page, load, parameters_of
from dragon.plugins import warn_skipped
from dragon.web.parameters import schema

_PROBLEM = {"message": {"type": "string"}, "field": {"type": "string"}}
_PROBLEMS = {"type": "array", "items": {"type": "object", "required": ["message"],
                                        "properties": _PROBLEM}}  # fmt: skip
ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["message"],
            "properties": {**_PROBLEM, "problems": _PROBLEMS},
        }
    },
}
REFUSALS = {
    "400": "A parameter is wrong; the message says which and why.",
    "401": "The token is missing, where the server has one.",
    "403": "The request came from another site, or calls the server by another name.",
    "413": "The body is too long.",
    "414": "The address is too long.",
    "415": "The body is not JSON.",
    "422": "It was understood and begun, but cannot be finished within the server's limits.",
    "500": "The server failed; its log tells more.",
    "503": "All processes are busy; Retry-After says when to come again.",
}


STATUS = "/api/status"
_COUNT = {"type": "integer", "minimum": 0}
_POOL = {
    "type": "object",
    "required": ["processes", "ready", "busy", "waiting", "starting"],
    "properties": {
        "processes": _COUNT | {"description": "How many there are."},
        "ready": _COUNT | {"description": "Of these the ones that are warm."},
        "busy": _COUNT | {"description": "Of these the ones that are at work."},
        "waiting": _COUNT | {"description": "Requests that wait for one."},
        "starting": {
            "type": ["string", "null"],
            "description": "While processes start: what they compile, since when, and how long "
            "it takes as a rule.",
        },
    },
}
EVENTS = (
    "Server-sent events: `data` with an object for each result, then the event `done`, or `failed` "
    "with an Error. Before them `queued` or `begun` where that takes a while, and `note` with what "
    "it is that takes long."
)
BUSY = "How busy the server is: the processes for `search` and for `quick` answers."


def status() -> dict[str, Any]:
    """The part of the document about STATUS, which is not an endpoint of a page."""
    shape = {"type": "object", "properties": {"search": _POOL, "quick": _POOL}}
    return {
        "operationId": "status",
        "summary": BUSY,
        "tags": ["Server"],
        "parameters": [],
        "responses": responses({"application/json": {"schema": shape}}),
    }


def responses(content: dict[str, Any], answer: str = "The answer.") -> dict[str, Any]:
    """The answer, by its media type, and all refusals."""
    refusal = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    refusals = {code: {"description": why, "content": refusal} for code, why in REFUSALS.items()}
    return {"200": {"description": answer, "content": content}, **refusals}


def document(pages: Iterable[Page]) -> dict[str, Any]:
    """The OpenAPI document, version 3.1."""
    paths: dict[str, dict[str, Any]] = {STATUS: {"get": status()}}
    for page in pages:
        for endpoint in sound(page):
            at = paths.setdefault(address(page, endpoint), {})
            at[endpoint.method.lower()] = operation(page, endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "dragon",
            "version": version("dragon-search"),
            "description": "What the pages of `dragon serve` ask of their server.",
        },
        "paths": paths,
        "components": {
            "schemas": {"Error": ERROR},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def sound(page: Page) -> list[Endpoint]:
    """The endpoints of a page whose function can be imported; others are skipped and logged."""
    found = []
    for endpoint in page.endpoints:
        try:
            parameters_of(endpoint.function)
            found.append(endpoint)
        except PluginError as missing:
            warn_skipped(f"{address(page, endpoint)}: {missing}")
    return found


def about(endpoint: Endpoint) -> str:
    """A sentence on an endpoint."""
    return endpoint.summary or summary(load(endpoint.function))


def address(page: Page, endpoint: Endpoint) -> str:
    return f"/api/{page.name}/{endpoint.path}".rstrip("/")


def answered(endpoint: Endpoint) -> dict[str, Any]:
    """Return its answer: JSON, a document, or events, for which version 3.1 does not have
    schemas."""
    if endpoint.stream:
        return responses({"text/event-stream": {}}, EVENTS)
    if endpoint.policy:
        return responses({"text/html": {"schema": {"type": "string"}}})
    return responses({"application/json": {"schema": {"type": "object"}}})


def operation(page: Page, endpoint: Endpoint) -> dict[str, Any]:
    """One endpoint's part of the document."""
    shape = schema(parameters_of(endpoint.function))
    found: dict[str, Any] = {
        "operationId": f"{page.name}-{endpoint.path.replace('/', '-')}".strip("-"),
        "summary": about(endpoint),
        "tags": [page.title],
        "responses": answered(endpoint),
    }
    if endpoint.method == "POST":
        body = {"required": True, "content": {"application/json": {"schema": shape}}}
        return found | {"requestBody": body}
    required = shape.get("required", [])
    parameters = [
        {"name": name, "in": "query", "required": name in required, "schema": inner}
        | ({"description": inner["description"]} if "description" in inner else {})
        for name, inner in shape["properties"].items()
    ]
    return found | {"parameters": parameters}


def readable(pages: Iterable[Page]) -> str:
    """Return the description as HTML."""
    parts = [
        "<h1>The same as JSON</h1>",
        '<p class="lead">What the pages show can be asked for by programs, too. '
        'For tools: <a href="/api/openapi.json">OpenAPI</a>.</p>',
    ]
    for page in pages:
        if endpoints := sound(page):
            parts.append(f"<h2>{escape(page.title)}</h2>")
            parts += [_section(page, endpoint) for endpoint in endpoints]
    parts.append(
        f"<h2>Server</h2><section><h3><code>GET {STATUS}</code></h3><p>{escape(BUSY)}</p></section>"
    )
    return "\n".join(parts)


def _section(page: Page, endpoint: Endpoint) -> str:
    shape = schema(parameters_of(endpoint.function))
    rows = "".join(
        f"<tr><th scope='row'><code>{escape(name)}</code></th><td class='text'>{_type(inner)}</td>"
        f"<td class='text wrap'>{escape(inner.get('description', ''))}</td></tr>"
        for name, inner in shape["properties"].items()
    )
    names = "".join(f"<th class='text'>{name}</th>" for name in ("parameter", "type", "meaning"))
    head = f"<thead><tr>{names}</tr></thead>"
    label = f"Parameters of {endpoint.method} {escape(address(page, endpoint))}"
    region = f"<div class='scroll' tabindex='0' role='region' aria-label='{label}'>"
    table = f"{region}<table>{head}<tbody>{rows}</tbody></table></div>" if rows else ""
    stream = " Server-sent events." if endpoint.stream else ""
    return (
        f"<section><h3><code>{endpoint.method} {escape(address(page, endpoint))}</code></h3>"
        f"<p>{escape(about(endpoint))}{stream}</p>{table}</section>"
    )


def _type(shape: dict[str, Any]) -> str:
    if "anyOf" in shape:
        return " or ".join(dict.fromkeys(_type(each) for each in shape["anyOf"]))
    words = {
        "integer": "whole number", "string": "text", "array": "list", "null": "none",
        "boolean": "true or false",
    }  # fmt: skip
    kind = str(shape.get("type", "value"))
    found = words.get(kind, kind)
    if "enum" in shape:
        found = " or ".join(f"<code>{escape(str(word))}</code>" for word in shape["enum"])
    if "minimum" in shape:
        found += f" from {shape['minimum']:,} to {shape['maximum']:,}"
    default = f", else <code>{escape(str(shape['default']))}</code>" if shape.get("default") else ""
    return found + default
