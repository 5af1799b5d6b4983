"""The checks of every request before a page sees it, and the headers of every answer.

Host: a name of this server, so that a foreign page cannot reach it by a name of its own (DNS
rebinding). Token: if one is set, in a cookie or `Authorization: Bearer`. Origin: this server's own
or none, so that a foreign page cannot ask for answers in a user's name. Sizes: those of the address
and the body.

Connections: their number is less than the system allows, since each takes a descriptor, needs no
token, and may never send a request. A request's head must come within HEAD seconds, and at the
limit the connection that has waited longest for a request is closed for a new one.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import logging
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from attrs import frozen
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, RedirectResponse
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from dragon.web.problem import Problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


COOKIE = "dragon_token"
BODY, QUERY = 1_000_000, 16_000
"""The longest body and the longest query, in bytes."""
SLOWEST = 30.0
"""Seconds in which a body must be complete."""
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


@frozen
class Access:
    """The rule of access: the names of the server, and the token, None if it does not need one."""

    hosts: frozenset[str] = LOCAL
    addresses: bool = False
    """True if the server listens on all addresses, so that each IP address is a name of it."""
    token: str | None = None


class Guard:
    """The ASGI application around the pages."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request or pass it on; both answers get the headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = MutableHeaders(scope=message)
                if given.get("content-type", "").startswith("application/json"):
                    given.setdefault("cache-control", "no-store")  # it may be of games that go on
                for name, value in HEADERS.items():
                    given.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        try:
            self.check_sizes(scope, headers)
            self.check_host(headers)
            if entered := self.entering(scope):
                await entered(scope, receive, sent)
                return
            self.check_token(headers)
            self.check_origin(scope, headers)
            await self.app(scope, bounded(receive), sent)
        except Problem as problem:
            answer = JSONResponse(problem.json(), problem.status, headers=problem.headers)
            await answer(scope, receive, sent)

    def check_sizes(self, scope: Scope, headers: Headers) -> None:
        """Raise Problem 413 or 414 for a request that is too long."""
        if len(scope["query_string"]) > QUERY or len(scope["path"]) > 400:
            raise Problem(414, f"the address is longer than {QUERY:,} letters")
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length[:18]) > BODY:
            raise Problem(413, f"the body is longer than {BODY:,} bytes")

    def check_host(self, headers: Headers) -> None:
        """Raise Problem 403 if the request names a host that is not this server."""
        name = hostname(headers.get("host", ""))
        if name in self.access.hosts or (self.access.addresses and is_address(name)):
            return
        raise Problem(
            403,
            f"this server does not go by the name {name[:80]!r}; open it by its address, or start "
            "it with --name",
        )

    def check_token(self, headers: Headers) -> None:
        """Raise Problem 401 if a token is needed and not given."""
        kind, _, rest = headers.get("authorization", "").partition(" ")
        cookies = cookie_parser(headers.get("cookie", ""))
        given = rest.strip() if kind.lower() == "bearer" else cookies.get(COOKIE, "")
        if not self.accepts(given):
            raise Problem(
                401,
                "this server wants its token; open the address that it printed, or send it as "
                "Authorization: Bearer TOKEN",
                headers={"WWW-Authenticate": "Bearer"},
            )

    def accepts(self, given: str) -> bool:
        """Return True if a token is the right one, in a time that does not depend on it."""
        token = self.access.token
        return token is None or hmac.compare_digest(given.encode(), token.encode())

    def entering(self, scope: Scope) -> Any:
        """Answer the right token in an address with a cookie, and redirect to a clean address."""
        if self.access.token is None or scope["method"] != "GET":
            return None
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for key, value in pairs if key == "token"]
        if len(given) != 1 or not self.accepts(given[0]):
            return None
        rest = urlencode([pair for pair in pairs if pair[0] != "token"])
        path = "/" + scope["path"].lstrip("/")  # two slashes would lead to another host
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        answer.set_cookie(COOKIE, given[0], httponly=True, samesite="strict", max_age=30 * 86400)
        return answer

    def check_origin(self, scope: Scope, headers: Headers) -> None:
        """Raise Problem 403 if a page of another site asks; following a link is allowed."""
        origin, host = headers.get("origin"), headers.get("host", "")
        reading = scope["method"] in ("GET", "HEAD")
        foreign = origin is not None and authority(origin) != host.lower()
        site = headers.get("sec-fetch-site", "none")
        asks = scope["path"].startswith("/api") and headers.get("sec-fetch-mode") != "navigate"
        if foreign or (site not in ("same-origin", "none") and (asks or not reading)):
            raise Problem(403, "a page of another site may not ask this server")


def bounded(receive: Receive) -> Receive:
    """Yield the body; raise Problem 413 as soon as it is too long, 408 when it takes too long."""
    length, until = 0, asyncio.get_running_loop().time() + SLOWEST
    complete = False

    async def received() -> Message:
        nonlocal length, complete
        if complete:  # only the client's leaving can come
            return await receive()
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError:
            raise Problem(408, f"the body did not come within {SLOWEST:g} seconds") from None
        complete = not message.get("more_body", False)
        length += len(message.get("body", b""))
        if length > BODY:
            raise Problem(413, f"the body is longer than {BODY:,} bytes")
        return message

    return received


def authority(origin: str) -> str:
    """The host and port in an Origin header; empty if it has none or is malformed.

    >>> authority("http://localhost:80"), authority("null"), authority("http://[")
    ('localhost:80', '', '')
    """
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def hostname(host: str) -> str:
    """The name in a Host header, without the port and an address's brackets.

    >>> hostname("[::1]:8765"), hostname("localhost:80")
    ('::1', 'localhost')
    """
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_address(name: str) -> bool:
    """Return True if a name is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


log = logging.getLogger("dragon.web")
HEAD = 10.0
"""Seconds from the connection, or the first byte, to the end of a request's head."""
BACKLOG = 64
"""The connections that are accepted at a time, before the ones above the limit are closed."""
OTHERS = 200
"""Descriptors for the processes' pipes, for files, and for connections that were just accepted."""
MOST = 2000


def room(processes: int) -> int:
    """Return the number of connections allowed at once, by the limit of file descriptors."""
    try:
        import resource
    except ImportError:  # Windows
        return MOST
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft == resource.RLIM_INFINITY:
        return MOST
    return max(16, min(MOST, soft - OTHERS - 8 * processes))


class Patient(AutoHTTPProtocol):  # type: ignore[misc]  # uvicorn's types are not read
    """uvicorn's protocol with these bounds; `most` is set by `patient`."""

    most = MOST
    idle: dict[Patient, None]
    """The connections without a request in progress, the longest first."""
    deadline: asyncio.TimerHandle | None = None
    """The time by which the head of a request must be complete."""

    def connection_made(self, transport: Any) -> None:
        """Close the connection that waited longest if there are too many, or else this one."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            next(iter(self.idle), self).transport.abort()
        self.waits()

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self.works()

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of a head, or note that a request is in progress."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self.works()
        elif self.deadline is None:
            self.waits()

    def on_response_complete(self) -> None:
        """Wait for another request; until its first byte, uvicorn itself limits the time."""
        super().on_response_complete()
        if not self.transport.is_closing() and self.cycle.response_complete:
            self.idle[self] = None

    def waits(self) -> None:
        """Note that a head must come."""
        if not self.transport.is_closing():
            self.idle.setdefault(self)
            self.deadline = self.loop.call_later(HEAD, self.transport.abort)

    def works(self) -> None:
        """Note that no head is waited for."""
        self.idle.pop(self, None)
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None


def patient(most: int) -> type[Patient]:
    """The protocol of one server with a limit of connections."""
    return type("Patient", (Patient,), {"most": most, "idle": {}})


def sparing(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Handle errors of the event loop; if descriptors run out after all, log one line."""
    if "out of system resource" in str(context.get("message")):
        _full()
    else:
        loop.default_exception_handler(context)


@cache
def _full() -> None:
    """Log once; asyncio would log many times a second."""
    log.error("no more connections can be accepted: the process has no descriptors left")
