"""The application: pages, their files and their answers, behind the guard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from attrs import evolve
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from dragon.boards import material
from dragon.errors import PluginError
from dragon.page import Page
from dragon.plugins import warn_skipped
from dragon.web import openapi, site
from dragon.web.answer import handler, json_response, refused
from dragon.web.connections import sparing
from dragon.web.guard import Access, Guard
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
