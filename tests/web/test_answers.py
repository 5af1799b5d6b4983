"""Answers are streamed and throttled, and mistakes find their field; without a server."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import suppress
from typing import Any

import pytest

pytest.importorskip("starlette")

from starlette.requests import ClientDisconnect

from dragon.errors import BadNotation, ConfigError
from dragon.page import Endpoint
from dragon.web import answer, throttle
from dragon.web.answer import Call, streamed
from dragon.web.problem import about, problem_of

ENDPOINT = Endpoint(path="run", function="builtins:dict", cost="search", stream=True)


def left(scope_version: str, before: list[tuple[Any, ...]]) -> bool:
    """Tell whether the job of a stream ends when its client is gone before anything is sent.

    scope_version: of the server interface, which decides how a leaving client is noticed.
    before: what the job has said by then.
    """

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        raise OSError("nobody is there")

    async def run() -> bool:
        call = Call(ENDPOINT, {}, 1.0)
        for message in before:
            call.messages.put_nowait(message)
        response = await streamed(call)
        scope = {"type": "http", "asgi": {"spec_version": scope_version}}
        with suppress(OSError, ClientDisconnect):  # as the server notices it
            await response(scope, receive, send)
        return call.job.unwanted.is_set()

    return asyncio.run(run())


@pytest.mark.parametrize("version", ["2.3", "2.4"])
@pytest.mark.parametrize("before", [[], [("object", {"n": 1})]])
def test_a_client_that_never_listened_ends_its_search(
    version: str, before: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer, "FIRST", 0.01)
    assert left(version, before)


def test_a_call_outlives_its_loop() -> None:
    async def made() -> Call:
        return Call(ENDPOINT, {}, 1.0)

    asyncio.run(made()).tell(("done",))  # the supervisor's thread goes on


class Clock:
    """A clock that goes on by a step whenever it is read."""

    def __init__(self, step: float) -> None:
        self.times = itertools.count(100, step)

    def monotonic(self) -> float:
        return next(self.times)


@pytest.mark.parametrize(
    ("step", "count", "expected"),
    [
        (1.0, 4, [0, 1, 2, 3]),
        (0.0, 4, [0, 3]),
        (0.0, 1, [0]),
        (0.0, 0, []),
        (0.5, 6, [0, 2, 4, 5]),
        (0.5, 5, [0, 2, 4]),
    ],
)
def test_the_first_and_the_last_are_always_shown(
    step: float, count: int, expected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "time", Clock(step))
    assert list(throttle.throttled(range(count), 1.0)) == expected


def test_floods_are_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "time", Clock(0.001))
    shown = list(throttle.throttled(range(10_000), 1 / 12, 40))
    assert shown[:40] == list(range(40))
    assert 120 < len(shown) < 180  # ten seconds of twelve, after forty
    assert shown[-1] == 9999
    assert list(throttle.throttled([])) == []


@pytest.mark.parametrize(
    ("raised", "field", "message"),
    [
        (ConfigError("it is odd"), "deck", "it is odd"),
        (ConfigError("it is odd @ request.hand"), "hand", "it is odd"),
        (ConfigError("a card A @ B is odd"), "deck", "a card A @ B is odd"),
        (BadNotation("no such card"), "deck", "no such card"),
    ],
)
def test_a_mistake_is_about_a_field(raised: Exception, field: str, message: str) -> None:
    with pytest.raises(ConfigError) as wrong, about("deck"):
        raise raised
    problem = problem_of(wrong.value)
    assert (problem.status, problem.field, problem.message) == (400, field, message)
