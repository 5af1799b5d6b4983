"""Requests that no page would make: no 500, no hang, no trace of the inside, memory flat."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("uvicorn")
schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

QUIET = settings(
    max_examples=16, derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much,
                           HealthCheck.function_scoped_fixture],
)  # fmt: skip


@pytest.fixture(scope="module")
def server(serve: Callable[..., Any]) -> Any:
    return serve("--workers", "2", "--queue", "4")


def sound(status: int, body: bytes) -> None:
    """An answer that is none of the server's own failures and shows nothing of its inside."""
    assert status < 500 or status == 503, (status, body[:500])
    for word in (b"Traceback", b'File "', b".py"):
        assert word not in body, body[:500]


OWN = ("/api/play/", "/api/analyse/", "/api/games", "/api/status")


@pytest.mark.full
@pytest.mark.parametrize("own", [True, pytest.param(False, marks=pytest.mark.full)])
def test_what_the_openapi_document_says_holds(server: Any, own: bool) -> None:
    """own: of the server's own pages; else of those that plugins have added."""
    found = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    tried = []
    for result in found.get_all_operations():
        operation = result.ok()
        if operation.path.startswith(OWN) != own:
            continue
        tried.append(operation.path)

        @settings(QUIET, max_examples=8)  # of each operation
        @given(case=operation.as_strategy())
        def answered(case: Any) -> None:
            answer = case.call(base_url=server.url, timeout=60)
            sound(answer.status_code, answer.content)
            case.validate_response(answer, checks=CHECKS)

        answered()
    assert len(tried) >= (8 if own else 25)


CHECKS = [
    schemathesis.checks.not_a_server_error,
    schemathesis.checks.status_code_conformance,
    schemathesis.checks.content_type_conformance,
    schemathesis.checks.response_schema_conformance,
]
"""Whether a wild request is refused is for the server to say: few words name a game."""

SPECS = st.sampled_from(
    ["tictactoe", "nex(rows=3, cols=3)", "hex(size=11)", "kuhn", "hands", "ulti", "queens(n=8)",
     "nex(rows=19, cols=19)", "pokemon", "connect4", "langford(n=64)", "cover(file='/dev/zero')",
     "nim(pile=1000000000)", "small_world", "ulti(cards='hidden')", "queens(n=64)"]
)  # fmt: skip
MOVES = st.lists(
    st.sampled_from(["b2", "a1", "1", "Ba1?b2", "swap", "HA", "KQ", "", "%00", "é", "a" * 200])
    | st.text(max_size=8),
    max_size=4,
)


@pytest.mark.full
@QUIET
@given(
    game=SPECS, moves=MOVES, start=st.text(max_size=20) | st.just(""), eye=st.none() | st.integers()
)
def test_no_course_of_a_game_breaks_it(
    server: Any, game: str, moves: list[str], start: str, eye: int | None
) -> None:
    pairs = [("game", game), ("start", start), *(("moves", move) for move in moves)]
    pairs += [("eye", str(eye))] if eye is not None else []
    query = urlencode(pairs, errors="replace")
    began = time.monotonic()
    status, body = server.ask(f"/api/play/position?{query}")
    sound(status, body)
    assert time.monotonic() - began < 30


@pytest.mark.full
@QUIET
@given(spec=st.text(max_size=40) | st.text("()=,'[]{}.:_ainex01 ", max_size=60))
def test_no_spec_breaks_it(server: Any, spec: str) -> None:
    for name in ("game", "search"):
        other = "search=random" if name == "game" else "game=tictactoe"
        text = quote(spec, errors="replace")
        status, body = server.ask(f"/api/play/reply?{other}&{name}={text}&seconds=0.05")
        sound(status, body)


def crowd(server: Any, clients: int) -> tuple[list[tuple[int, bytes]], list[float]]:
    """The answers to as many analyses at once, and how long cheap questions took meanwhile."""
    path = "/api/analyse/run?" + urlencode(
        {"game": "hex(size=5)", "search": "mcts", "seconds": 0.25}
    )
    stop, cheap = threading.Event(), []

    def watch() -> None:
        while not stop.is_set():
            began = time.monotonic()
            assert server.ask("/api/status")[0] == 200
            cheap.append(time.monotonic() - began)
            time.sleep(0.02)

    watcher = threading.Thread(target=watch)
    watcher.start()
    with ThreadPoolExecutor(clients) as pool:
        answers = list(pool.map(lambda _: server.ask(path), range(clients)))
    stop.set()
    watcher.join()
    return answers, cheap


@pytest.mark.full
def test_many_at_once_and_then_it_is_as_before(server: Any) -> None:
    """Searches beyond the queue get 503; nothing is left behind."""
    server.warm()
    crowd(server, 8)  # every process has searched once
    assert server.idle()
    processes, size = len(server.family()), server.megabytes()
    answers, cheap = crowd(server, 40)
    assert sorted({status for status, _ in answers}) == [200, 503]
    for status, body in answers:
        assert body.endswith(b"event: done\ndata: {}\n\n") if status == 200 else b"again" in body
    assert sum(status == 200 for status, _ in answers) >= 6  # two run and four wait
    assert len(cheap) > 20
    assert server.idle()
    assert len(server.family()) == processes
    assert server.megabytes() < size + 60


@pytest.mark.full
def test_who_leaves_ends_the_search(server: Any) -> None:
    connection = HTTPConnection(server.host, server.port, timeout=60)
    connection.request("GET", "/api/analyse/run?game=hex(size=5)&search=mcts&seconds=60")
    answer = connection.getresponse()
    assert answer.status == 200
    assert answer.read(10)
    assert server.busy() >= 1
    answer.close()
    connection.close()
    assert server.idle(), "the search goes on though nobody waits for it"
