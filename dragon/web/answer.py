"""The answer to a request: an endpoint's JSON, from the server, from a process, or as a stream."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.responses import Response, StreamingResponse

from dragon.errors import ConfigError
from dragon.page import Endpoint, parameters_of
from dragon.web.parameters import from_query, structure
from dragon.web.pool import Job, Pool
from dragon.web.problem import Problem, problem_of
from dragon.web.worker import answers

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

FIRST = 1.0
"""Seconds before a stream begins, in which it can still be refused with an HTTP status."""
BEAT = 10.0
"""Seconds after which a silent stream sends a comment, so that the connection stays open."""
QUICK = 10.0
"""The longest that a quick answer may take, in seconds."""


def written(value: Any) -> bytes:
    """Encode JSON without spaces."""
    return json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode(
        errors="replace"
    )


def json_response(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(written(value), status, headers, "application/json")


def answered(endpoint: Endpoint, found: Any) -> Response:
    """A JSON answer, or a document under the policy of its endpoint."""
    if not endpoint.policy:
        return json_response(found)
    headers = {"Content-Security-Policy": endpoint.policy, "Cache-Control": "no-store"}
    return Response(found["html"], 200, headers, "text/html")


def refused(error: BaseException) -> Response:
    """The answer to a request that failed."""
    problem = problem_of(error)
    return json_response(problem.json(), problem.status, problem.headers)


def handler(endpoint: Endpoint, pools: dict[str, Pool]) -> Callable[[Request], Awaitable[Response]]:
    """Return the function that answers the requests to an endpoint."""

    async def answer(request: Request) -> Response:
        try:
            cls = await run_in_threadpool(parameters_of, endpoint.function)
            given = await read(endpoint, cls, request)
            if endpoint.cost == "cheap":
                found = await run_in_threadpool(lambda: [*answers(endpoint.function, given)])
                return answered(endpoint, found[-1] if found else None)
            await run_in_threadpool(structure, cls, given)  # mistakes need no queue
            seconds = endpoint.seconds if endpoint.cost == "search" else QUICK
            call = Call(endpoint, given, seconds, request.client.host if request.client else "")
            pools[endpoint.cost].submit(call.job)
            return await (streamed(call) if endpoint.stream else waited(call, request))
        except ClientDisconnect:
            return Response(status_code=499)  # the client has disconnected
        except Exception as wrong:  # answered as JSON, whatever it is
            return refused(wrong)

    return answer


async def read(endpoint: Endpoint, cls: type, request: Request) -> Any:
    """The parameters of a request as JSON; raises ConfigError, Problem."""
    body = await request.body()
    if endpoint.method == "GET":
        return from_query(cls, request.query_params.multi_items())
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Problem(415, "the body must be JSON, with Content-Type: application/json")
    try:
        return json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError) as wrong:
        raise ConfigError(f"the body is not JSON: {wrong}") from wrong


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is not a number of JSON")


class Call:
    """A job and its messages, as the event loop receives them."""

    def __init__(
        self, endpoint: Endpoint, given: dict[str, Any], seconds: float, client: str = ""
    ) -> None:
        self.endpoint = endpoint
        self.messages: asyncio.Queue[tuple[Any, ...]] = asyncio.Queue()
        self.loop = asyncio.get_running_loop()
        self.job = Job(endpoint.function, given, seconds, self.tell, client)

    def tell(self, message: tuple[Any, ...]) -> None:
        """Put a message of the supervisor's thread into the queue."""
        with suppress(RuntimeError):  # the loop is closed: the server has ended
            self.loop.call_soon_threadsafe(self.messages.put_nowait, message)

    async def next(self) -> tuple[Any, ...]:
        """Return the next message, and let another object be queued."""
        message = await self.messages.get()
        if message[0] == "object":
            self.job.room.release()
        return message

    async def last(self) -> Any:
        """The last object; raises Problem if the job failed."""
        found = None
        while (message := await self.next())[0] in ("object", "note"):
            if message[0] == "object":
                found = message[1]
        if message[0] == "failed":
            raise message[1]
        if found is None:
            raise Problem(422, "there is no answer: the search ended before its first result")
        return found


async def waited(call: Call, request: Request) -> Response:
    """Wait for the last object, as JSON; cancel the job if the client disconnects."""
    last = asyncio.create_task(call.last())
    gone = asyncio.ensure_future(request.receive())  # the body is read: only the end can come
    try:
        await asyncio.wait({last, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not last.done():
            raise ClientDisconnect
        return answered(call.endpoint, last.result())
    finally:
        call.job.cancel()
        for task in (last, gone):
            task.cancel()


async def streamed(call: Call) -> Response:
    """Server-sent events, one for each object; then `done` or `failed`.

    If it has to wait for a process, `queued` comes first; `note` explains a long wait.
    """
    try:
        first = await asyncio.wait_for(call.next(), FIRST)
    except TimeoutError:
        first = ("begun",) if call.job.begun.is_set() else ("queued",)
    except BaseException:
        call.job.cancel()
        raise
    if first[0] == "failed":
        raise first[1]
    return Events(call, first)


class Events(StreamingResponse):  # type: ignore[misc]  # its types are not read
    """Server-sent events, whose job ends with them, even if none was sent.

    The generator's own end is not enough: a client may have left before it began.
    """

    def __init__(self, call: Call, first: tuple[Any, ...]) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(events(call, first), 200, headers, "text/event-stream")
        self.call = call

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events until the last one, or until the client disconnects."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.call.job.cancel()


async def events(call: Call, message: tuple[Any, ...]) -> AsyncIterator[bytes]:
    """The text of the events from the first message on, with comments while there are none."""
    while True:
        kind, *rest = message
        value = rest[0].json() if kind == "failed" else rest[0] if rest else {}
        name = b"" if kind == "object" else b"event: " + kind.encode() + b"\n"
        yield name + b"data: " + written(value) + b"\n\n"
        if kind in ("done", "failed"):
            return
        while True:
            try:
                message = await asyncio.wait_for(call.next(), BEAT)
                break
            except TimeoutError:
                yield b": still here\n\n"
