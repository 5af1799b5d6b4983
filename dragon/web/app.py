"""The application: pages, their files and their answers, behind the guard; and the process that
serves it on a socket, until Ctrl-C."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import FrameType
from typing import Any

import uvicorn
from attrs import evolve, frozen
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from dragon.boards import material
from dragon.errors import ConfigError, PluginError
from dragon.page import Page
from dragon.plugins import warn_skipped
from dragon.process.spawn import cores
from dragon.web import openapi, site
from dragon.web.answer import handler, json_response, refused
from dragon.web.guard import BACKLOG, LOCAL, Access, Guard, patient, room, sparing
from dragon.web.pool import Plan, Pool
from dragon.web.problem import Problem

KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
         ".json": "application/json", ".png": "image/png",
         ".woff2": "font/woff2"}  # fmt: skip
"""The media types of the files of a page's folder that are served, by their endings."""
QUICK = Plan("quick", 2, 500, ("dragon.web.play:warm_up_rules",), megabytes=512, patient=False)
"""The processes for quick answers: more than one, so that a slow answer does not block all."""


def application(
    access: Access, searching: Plan, quick: Plan = QUICK, pages: tuple[Page, ...] | None = None
) -> Guard:
    """The server as an ASGI application; its processes start and end with its lifespan."""
    pages = tuple(filter(complete, site.pages() if pages is None else pages))
    warm = searching.warm or tuple(page.warm for page in pages if page.warm)
    pools = {"search": Pool(evolve(searching, warm=warm)), "quick": Pool(quick)}

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_exception_handler(sparing)
        for pool in pools.values():
            pool.start()
        try:
            yield
        finally:
            for pool in pools.values():
                await run_in_threadpool(pool.close)

    routes = [*page_routes(pages), *api_routes(pages, pools)]
    wrong = {HTTPException: _missing(pages), Exception: lambda request, error: refused(error)}
    app = Starlette(routes=routes, lifespan=life, exception_handlers=wrong)
    app.router.redirect_slashes = False
    return Guard(app, access)


def complete(page: Page) -> bool:
    """Return True if a page has the files that it names; otherwise warn that it is skipped."""
    try:
        for name in filter(None, (page.script, page.style, page.picture)):
            address(page, name)
    except PluginError as missing:
        warn_skipped(str(missing))
        return False
    return True


def page_routes(pages: tuple[Page, ...]) -> Iterator[Route]:
    """The pages and their files; each file has its address, found when the server starts."""
    yield Route("/", _html(lambda: site.home(pages)))
    for name, file in sorted(folder(site.OWN).items()):
        yield Route(f"/static/{name}", _file(file))
    yield Route("/static/material.css", _text(material.css(), KINDS[".css"]))
    for page in pages:
        if page.folder and page.folder != site.OWN:
            for name, file in sorted(folder(page.folder).items()):
                yield Route(f"/static/{page.name}/{name}", _file(file))
        if page.script:
            names = (("script", page.script), ("style", page.style))
            url = {part: address(page, name) for part, name in names if name}
            yield Route(f"/{page.name}", _html(partial(site.document, page, pages, url)))


def address(page: Page, name: str) -> str:
    """Return the address of a page's file; raises PluginError if there is no such file."""
    if name not in folder(page.folder):
        raise PluginError(f"the page {page.name!r} names {name!r}, which is not in {page.folder!r}")
    return site.address(page, name)


def folder(place: str) -> dict[str, Traversable]:
    """The files of `package:folder` that may be served, by their names."""
    package, _, inner = place.partition(":")
    try:
        root = files(package).joinpath(inner)
        return {f.name: f for f in root.iterdir() if f.name[f.name.rfind(".") :] in KINDS}
    except (ImportError, OSError) as missing:
        raise PluginError(f"a page's files should be in {place!r}: {missing}") from missing


def api_routes(pages: tuple[Page, ...], pools: dict[str, Pool]) -> Iterator[Route]:
    """The endpoints, their documentation, and the state of the server."""
    described: list[dict[str, Any]] = []

    def document(request: Request) -> Response:
        if not described:
            described.append(openapi.document(pages))
        return json_response(described[0])

    def status(request: Request) -> Response:
        return json_response({name: pool.state() for name, pool in pools.items()})

    yield Route("/api", _html(lambda: site.filled("", "JSON", "", openapi.readable(pages), pages)))
    yield Route("/api/openapi.json", document)
    yield Route(openapi.STATUS, status)
    for page in pages:
        for endpoint in page.endpoints:
            path = openapi.address(page, endpoint)
            yield Route(path, handler(endpoint, pools), methods=[endpoint.method])


def _html(made: Callable[[], str]) -> Any:
    return lambda request: HTMLResponse(made(), headers={"Cache-Control": "no-cache"})


def _text(text: str, kind: str) -> Any:
    return lambda request: Response(text, media_type=kind, headers={"Cache-Control": "no-cache"})


def _file(file: Traversable) -> Any:
    kind, headers = KINDS[file.name[file.name.rfind(".") :]], {"Cache-Control": "no-cache"}
    return lambda request: Response(file.read_bytes(), media_type=kind, headers=headers)


def _missing(pages: tuple[Page, ...]) -> Any:
    def answer(request: Request, wrong: HTTPException) -> Response:
        sentence = {404: "There is nothing at this address.", 405: "Not with this method."}.get(
            wrong.status_code, str(wrong.detail)
        )
        headers = dict(wrong.headers or {})
        if request.url.path.startswith("/api"):
            return refused(Problem(wrong.status_code, sentence, headers=headers))
        return HTMLResponse(site.message("Not here", sentence, pages), wrong.status_code, headers)

    return answer


EVERYWHERE = ("0.0.0.0", "::")


@frozen
class Settings:
    """The settings by which the server is started."""

    host: str = "127.0.0.1"
    port: int = 8000
    token: str | None = None
    names: tuple[str, ...] = ()
    workers: int | None = None
    waiting: int = 64
    megabytes: int = 1024


def access(settings: Settings) -> Access:
    """Return the guard: clients on this machine may ask, others need the token."""
    local = settings.host in LOCAL
    token = settings.token or (None if local else secrets.token_urlsafe(24))
    hosts = LOCAL | {name.lower() for name in settings.names}
    own = socket.gethostname() if settings.host in EVERYWHERE else settings.host
    hosts |= {own.lower()}
    return Access(frozenset(hosts), settings.host in EVERYWHERE, token)


def listening(settings: Settings) -> socket.socket:
    """A socket on the address; port 0 takes a free one. Raises ConfigError."""
    kind = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    made = socket.socket(kind, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((settings.host, settings.port))
        made.listen(1024)  # who opens the address at once waits until the server is up
    except (OSError, OverflowError) as refused:
        made.close()
        reason = getattr(refused, "strerror", None) or refused
        raise ConfigError(
            f"cannot listen on {settings.host} port {settings.port}: {reason}; choose another "
            "with --port or --host"
        ) from refused
    return made


class Server(uvicorn.Server):  # type: ignore[misc]
    """A uvicorn server that shuts down in order, within seconds, even after a second Ctrl-C."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the server at the first signal, and ignore further ones."""
        if not self.should_exit:
            super().handle_exit(sig, frame)


def serve(settings: Settings, said: Callable[[str], None]) -> None:
    """Serve until the end; `said` is called with the address."""
    who = access(settings)
    plan = Plan(
        "search", settings.workers or cores(), settings.waiting, megabytes=settings.megabytes
    )
    app = application(who, plan)
    listener = listening(settings)
    said(url(settings.host, listener.getsockname()[1], who.token))
    server = Server(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="on",
            timeout_graceful_shutdown=2,
            timeout_keep_alive=15,
            http=patient(room(plan.processes + QUICK.processes)),
            backlog=BACKLOG,
            ws="none",
        )
    )
    server.run(sockets=[listener])


def url(host: str, port: int, token: str | None) -> str:
    """The address to open."""
    if host in EVERYWHERE:
        host = socket.gethostname()
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/" + (f"?token={token}" if token else "")
