"""The process at the other end of a supervisor's pipe, which does one job after another.

Messages to it: `("job", function, parameters)` with an import path, as in `dragon.page`, and a
JSON object; `("stop",)`; if the pipe is closed, the server has ended. From it:
a `("note", {"message": ...})` for each thing that it compiles as it starts, and `("ready",)` after
the first warm-up, the others of which wait until there is nothing else to do; then
for each job any number of `("object", object)` and of notes, such as that rules are being compiled,
and at last `("done",)` or `("failed", Problem)`.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from multiprocessing.connection import Connection
from types import GeneratorType
from typing import Any

from dragon.config import from_elsewhere
from dragon.jsonable import plain
from dragon.modes import JIT, OPTIMISED
from dragon.page import load, parameters_of
from dragon.process.worker import bound_memory
from dragon.rules.watchdog import watch
from dragon.search.budget import unwanted
from dragon.web.limits import PAGE
from dragon.web.parameters import structure
from dragon.web.problem import log, problem_of, traced

GENTLE = 5
"""The niceness of a process that searches, above the server's, so that pages stay quick."""
IDLE = 3.0
"""Seconds without a job after which the next warm-up begins; one takes up to 1.3 seconds."""


def main(pipe: Connection, warm: tuple[str, ...], megabytes: int, patient: bool) -> None:
    """Serve jobs until the pipe is closed; the entry of the process.

    A process that is not patient runs rules in plain Python: for a few plies that is quicker than
    compiling.
    """
    if not patient:
        JIT.set("0")
    OPTIMISED.set("1")
    outbox = Outbox(pipe)
    hand_on(outbox)
    later = deque(warm)
    if later:
        warm_up(later.popleft())
    if patient and hasattr(os, "nice"):  # not before: a first reply waits for it
        os.nice(GENTLE)
    logging.getLogger("dragon").setLevel(logging.INFO)
    bound_memory(megabytes)
    watch()
    jobs: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(pipe, jobs, unwanted), daemon=True).start()
    outbox.send("ready")
    while True:
        try:
            function, given = jobs.get(timeout=IDLE if later else None)
        except queue.Empty:
            outbox.silent = True  # no client would read its notes
            warm_up(later.popleft())
            outbox.silent = False
            continue
        try:
            for found in answers(function, given):
                outbox.send("object", found)
                if unwanted.is_set():
                    break
            outbox.send("done")
        except Exception as wrong:  # answered to the client; the process goes on
            # A run that is broken off has no value, which may be a mistake to what asked for one.
            outbox.send(*(("done",) if unwanted.is_set() else ("failed", problem_of(wrong))))


def warm_up(name: str) -> None:
    """Call a function that loads and compiles what a page needs."""
    try:
        load(name)()
    except Exception as wrong:  # of one page; the others can be served
        log.error("the warm-up %s failed:\n%s", name, traced(wrong))


class Outbox:
    """The messages of a process to its supervisor; those of several threads do not mix."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe, self.lock = pipe, threading.Lock()
        self.silent = False
        """True while there is no client for notes."""

    def send(self, *message: Any) -> None:
        """Send one; raise OSError if the server has ended."""
        with self.lock:
            self.pipe.send(message)


class Notes(logging.Handler):
    """A handler that sends what dragon logs while a job runs to the client of the job."""

    def __init__(self, outbox: Outbox) -> None:
        super().__init__()
        self.outbox = outbox

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.WARNING or self.outbox.silent:
            return  # warnings are for the administrator of the server
        try:
            self.outbox.send("note", {"message": record.getMessage()})
        except OSError:  # the server is gone, and soon this process
            self.handleError(record)


def hand_on(outbox: Outbox) -> None:
    """Send the log of dragon, such as notes on compiling, to the server from now on.

    Warnings go to stderr, as before.
    """
    dragon = logging.getLogger("dragon")
    dragon.setLevel(logging.DEBUG)
    dragon.addHandler(Notes(outbox))
    if logging.lastResort is not None:
        dragon.addHandler(logging.lastResort)


def listen(pipe: Connection, jobs: queue.SimpleQueue[Any], stop: threading.Event) -> None:
    """Receive messages of the server, also while a job runs; end the process without a server."""
    while True:
        try:
            kind, *rest = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)  # the client of the job has disconnected
        if kind == "job":
            stop.clear()
            jobs.put(tuple(rest))
        else:
            stop.set()


def answers(function: str, given: dict[str, Any]) -> Iterator[Any]:
    """Yield the answer of a function as JSON: the objects of a generator, or the one returned.

    Specs cannot name files or programs, even if the page does not use `dragon.web.limits`.
    """
    with from_elsewhere(PAGE):
        answer = load(function)(structure(parameters_of(function), given))
        if isinstance(answer, GeneratorType):
            with closing(answer):
                yield from map(plain, answer)
        else:
            yield plain(answer)
