"""The supervisor of worker processes: it hands out games, and handles deaths.

It also passes on the output of players, and ends players that stall.
"""

from __future__ import annotations

import logging
import os
import pickle
import threading
import time
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from attrs import define

from dragon.errors import TournamentError
from dragon.process import above_bars
from dragon.process.worker import Pool, awaited
from dragon_tournament.executors import process_group
from dragon_tournament.executors.process_group import alive, by_outsider, death_of
from dragon_tournament.executors.worker import (
    OUTPUT,
    TOURNAMENT,
    abandoned,
    get_ready,
    open_game_in,
    play,
    settle,
)  # fmt: skip
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.event_log import Incident, IncidentKind
from dragon_tournament.records.in_flight import (
    NOBODY,
    TRACE,
    InFlightLog,
    ProcessDeath,
    in_flight_state,
    process_death,
    question,
)
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.tournament import Tournament

POLL = 0.5  # seconds between looks at whether the run was stopped
PATIENCE = 1.0  # starts of a process that jobs wait before one more is started
LATE = 2.0  # seconds that a warm-up may take beyond its limit
BREAKS = 20  # deaths in a row in which no game was in progress, before the run gives up
RETRIES = 2  # of a game whose process died, as far as can be seen by no player's fault
BATCH = 0.2  # seconds that the games of a job should last together


@define
class _Job:
    batch: tuple[Pairing, ...]
    deaths: tuple[ProcessDeath, ...] = ()
    restarts: int = 0
    """The number of deaths of its process by no player's fault."""


class Supervisor:
    """A player of games in worker processes; a context for `contextlib.closing`."""

    def __init__(self, tournament: Tournament, workers: int, folder: Path) -> None:
        self.tournament, self.workers, self.folder = tournament, workers, folder
        self.jobs: dict[Future[Any], _Job] = {}
        level = logging.getLogger("dragon").getEffectiveLevel()
        begin, orphaned = partial(settle, level, folder), partial(abandoned, folder)
        self.pool = Pool(workers, begin, PATIENCE, orphaned, process_group.end)
        self.output = Output(folder / OUTPUT)
        self.keeper = Timekeeper(folder)
        self.batches = BatchSize(BATCH)
        self.breaks = 0
        self.incidents: list[Incident] = []
        """Those that have not been given to the caller of `records`."""
        self.halted = False  # set by another thread, it ends `records` with a TournamentError

    def begin(self) -> None:
        """Test that the game can be played, and warm up every player."""
        try:
            (self.folder / TOURNAMENT).write_bytes(self.tournament.pickled())
        except (TypeError, AttributeError, pickle.PicklingError) as wrong:
            raise TournamentError(_unfit(self.tournament, str(wrong))) from None
        except OSError as wrong:
            raise TournamentError(
                f"notes cannot be kept in {self.folder}: {wrong.strerror or wrong}; make room "
                f"there, or set TMPDIR to another folder"
            ) from None
        self.output.open()
        self.keeper.start()
        self._open_game()  # first, what all of the players share
        self._warm_up()

    def records(self, pairings: Iterator[Pairing]) -> Generator[Record | Incident]:
        """Play all of them; a second job waits for each worker while jobs are short."""
        while True:
            while len(self.jobs) < self.workers * (2 if self.batches.hasty else 1):
                batch = tuple(islice(pairings, self.batches.size))
                if not batch:
                    break
                self._submit(_Job(batch))
            incidents, self.incidents = self.incidents, []
            yield from incidents
            if not self.jobs:
                return
            if self.halted:
                raise TournamentError("the run was stopped")
            done, _ = wait(self.jobs, timeout=POLL, return_when=FIRST_COMPLETED)
            for future in done:
                yield from self._collect(future)

    def close(self) -> None:
        """End the processes, with all that they have started, and the games in them."""
        self.jobs.clear()
        self.keeper.close()
        self.pool.close()
        for leader in process_group.all_in(self.folder):  # of those that died by themselves
            process_group.end(leader)
        self.output.close()

    def _submit(self, job: _Job) -> None:
        self._notes_of(job).remove()
        self.jobs[self.pool.submit(play, job.batch, self.folder, job.deaths)] = job

    def _notes_of(self, job: _Job) -> InFlightLog:
        return InFlightLog(self.folder, job.batch[0].id)

    def _open_game(self) -> None:
        """Make sure that the game can be played at all; raise TournamentError otherwise."""
        tournament, sentence = self.tournament, None
        for attempt in range(RETRIES + 1):
            try:
                limit = tournament.warmup + LATE
                sentence = awaited(self.pool.submit(open_game_in, self.folder, seconds=limit))
            except TimeoutError:
                sentence = (
                    f"{tournament.game} did not make its first move within {tournament.warmup:g} "
                    f"seconds; mend its rules, or raise warmup"
                )
            except Exception as wrong:  # its rules took the process along, or are not there
                if by_outsider(wrong) and attempt < RETRIES:
                    self.incidents.append(Incident(IncidentKind.DIED, death_of(wrong)))
                    continue
                sentence = _unfit(tournament, death_of(wrong))
            break
        if sentence:
            raise TournamentError(sentence)

    def _warm_up(self) -> None:
        """Compile, in a worker, what every player needs, so that the games only load it."""
        players = {str(p.search): i for i, p in enumerate(self.tournament.players)}
        limit = self.tournament.warmup + LATE
        futures = {
            self.pool.submit(get_ready, self.folder, number, seconds=limit): number
            for number in players.values()
        }
        for future, number in futures.items():
            try:
                awaited(future)
            except TournamentError:
                raise
            except Exception as wrong:  # it died or stalled; in its games it will lose for it
                name = self.tournament.players[number].name
                detail = f"{name} could not get ready: {death_of(wrong)}"
                self.incidents.append(Incident(IncidentKind.UNREADY, detail))

    def _collect(self, future: Future[Any]) -> Generator[Record]:
        """Yield the records of a job that has come back; its other games go to the pool again."""
        job = self.jobs.pop(future)
        wrong = future.exception()
        if wrong is None:
            self.breaks = 0
            self._notes_of(job).remove()
            records, seconds = future.result()
            self.batches.took(len(records), seconds)
            yield from records
            return
        if isinstance(wrong, TournamentError):  # no game can be judged
            raise wrong
        noted = in_flight_state(self._notes_of(job))
        if noted.pid is not None and not alive(noted.pid):
            process_group.end(noted.pid)  # the processes that the dead one has started
        first, *others = job.batch[len(noted.records) :] or (None,)
        if noted.game and first is not None:
            stalled = noted.pid in self.keeper.ended
            self.keeper.ended -= {noted.pid}  # another process may get its number
            death = process_death(self._notes_of(job), len(first.seats), death_of(wrong), stalled)
            self._again(_Job((first,), job.deaths, job.restarts), death, wrong)
        else:  # none was in progress
            self.breaks += 1
            if self.breaks > BREAKS:
                raise TournamentError(
                    f"the worker processes keep breaking down ({death_of(wrong)}); the same "
                    f"command goes on from here, and with --workers 0 it shows why"
                )
            if by_outsider(wrong):
                self.incidents.append(Incident(IncidentKind.DIED, death_of(wrong)))
            others = [first, *others] if first is not None else []
        if others:
            self._submit(_Job(tuple(others)))
        yield from noted.records

    def _again(self, job: _Job, death: ProcessDeath, wrong: BaseException) -> None:
        """Play a game again; give the referee the death if it was a player's fault."""
        if death.seat == NOBODY and death.reason is Reason.TIMEOUT:  # the referee's own question
            asked, rules = f"reference {self.tournament.reference}", self.tournament.adjudication
            if self.tournament.reference is None:
                asked = f"check {rules and rules.check}"
            raise TournamentError(
                f"the {asked} {death.detail.splitlines()[0]} and "
                f"does not heed its limit; give another reference, or a smaller game"
            )
        if len(job.deaths) > len(job.batch[0].seats):  # it fails however it is unpickled
            raise TournamentError(
                f"the game {job.batch[0].id} cannot be recorded: {death.detail.splitlines()[0]}; "
                f"with --workers 0 it shows why"
            )
        blameless = death.seat == NOBODY or (
            by_outsider(wrong) and death.reason is not Reason.TIMEOUT
        )
        if blameless and job.restarts < RETRIES:
            games = (job.batch[0].id,)
            self.incidents.append(Incident(IncidentKind.DIED, death_of(wrong), games))
            job.restarts += 1
        else:
            job.deaths += (death,)
        self._submit(job)


def _unfit(tournament: Tournament, reason: str) -> str:
    return (
        f"{tournament.game} cannot be played in a worker: {reason}; with --workers 0 it shows where"
    )


# ---- what players print -------------------------------------------------------------------------


MOST = 256 * 1024
"""The most bytes of output that are passed on."""
LONGEST = 8192
"""The most bytes of a line; a longer one is passed on in pieces."""
END = b"\0dragon\0"


class Output:
    """A named pipe that workers write to, and the thread that reads it.

    It is read by the supervisor and not by the worker: so that the last output of a dying process
    is not lost, and endless output does not block. Whole lines are passed on, so that they do not
    run into the line that shows the progress.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.passed = 0
        self._line = b""  # the beginning of a line whose end has not come
        self._pipe: int | None = None
        self._reader: threading.Thread | None = None

    def open(self) -> None:
        """Make the pipe, if the system has named ones; otherwise workers print by themselves."""
        if not hasattr(os, "mkfifo"):
            return
        with suppress(OSError):  # some file systems have none
            os.mkfifo(self.path)
            self._pipe = os.open(self.path, os.O_RDWR)  # so that it never ends by itself
            reader = threading.Thread(target=self._read, args=(self._pipe,), daemon=True)
            reader.start()
            self._reader = reader  # after `start`: Ctrl-C may keep a thread from it

    def _read(self, pipe: int) -> None:
        tail = b""
        while END not in tail:
            data = os.read(pipe, 65536)
            tail = (tail + data)[-max(len(data), 2 * len(END)) :]
            whole, newline, rest = (self._line + data).replace(END, b"").rpartition(b"\n")
            if len(rest) > LONGEST:
                whole, newline, rest = whole + newline + rest, b"\n", b""
            self._line = rest
            self._pass(whole + newline)
        if self._line:
            self._pass(self._line + b"\n")

    def _pass(self, data: bytes) -> None:
        """Write whole lines, as many as the bound allows."""
        if self.passed >= MOST or not data:
            return
        room = MOST - self.passed
        self.passed += len(data)
        if self.passed >= MOST:
            data = data[:room] + b"\n(the players print too much; the rest is dropped)\n"
        # The listener may be gone; and `os.write` may write a part.
        with suppress(OSError), above_bars(), open(2, "wb", closefd=False) as stderr:
            stderr.write(data)

    def close(self) -> None:
        """Pass on the rest of the output, and end."""
        if self._pipe is not None and self._reader is not None:
            os.write(self._pipe, END)
            self._reader.join()
            os.close(self._pipe)
            self._pipe = None


# ---- players that do not come back --------------------------------------------------------------


LOOK = 0.25  # seconds between two looks


@define
class _Open:
    """A question that has not been answered."""

    asked: float
    spared: float = 0.0
    """Seconds that do not count."""
    warned: bool = False
    """True if its process was signalled to write its place in the code."""


class Timekeeper(threading.Thread):
    """A thread that ends worker processes whose player does not return.

    It reads from their notes which calls are in progress. A timer within the worker would need a
    thread for every call, which takes longer than a quick game. Time in which a worker is stopped
    (SIGSTOP), and time in which this process does not run itself, does not count.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(name="timekeeper", daemon=True)
        self.folder = folder
        self.ended: set[int] = set()
        """The processes that it has ended; readers remove those that they have dealt with."""
        self._open: dict[Path, _Open] = {}
        self._last = time.monotonic()
        self._closing = threading.Event()

    def run(self) -> None:
        while not self._closing.wait(LOOK):
            self.look(time.monotonic())

    def close(self) -> None:
        """End the thread."""
        self._closing.set()
        if self.is_alive():
            self.join()

    def look(self, now: float) -> None:
        """Look at all open questions; `now` is a time.monotonic()."""
        passed, self._last = now - self._last, now
        before, self._open = self._open, {}
        for path in self.folder.glob("*.jsonl"):
            if (found := question(path)) is None:
                continue
            pid, asked, patience = found
            held = before.get(path)
            if held is None or held.asked != asked:
                held = _Open(asked)
            self._open[path] = held
            state = process_group.state(pid)
            if state == "T":
                held.spared += passed
            elif passed > 4 * LOOK:
                held.spared += passed - LOOK
            if state == "Z":  # the process that waits for it will tell how it ended
                continue
            if held.warned:
                if process_group.alive(pid) and pid in process_group.all_in(self.folder):
                    self.ended.add(pid)  # first: its pool may report the death at once
                    process_group.end(pid)
            elif now > asked + patience + held.spared:
                held.warned = True
                with suppress(OSError):
                    os.kill(pid, TRACE or 0)


# ---- the size of a job --------------------------------------------------------------------------


SMOOTH = 0.5  # the weight of the last job in the mean


@define
class BatchSize:
    """The number of games in a job of about `target` seconds, so that handing it out is cheap.

    >>> batches = BatchSize(1.0)
    >>> batches.size
    1
    >>> batches.took(1, 0.01)
    >>> batches.size
    8
    """

    target: float
    most: int = 1000
    """Games in a job at most."""
    growth: int = 8
    """The factor by which a job may have more games than the largest that has ended."""
    mean: float | None = None
    """Seconds a game; None before the first has ended."""
    seen: int = 0
    """Games in the largest job that has ended."""

    def took(self, games: int, seconds: float) -> None:
        """Note how many seconds a job took, and how many games it had."""
        if games:
            each = seconds / games
            self.mean = each if self.mean is None else self.mean + SMOOTH * (each - self.mean)
            self.seen = max(self.seen, games)

    @property
    def size(self) -> int:
        """Games in the next job."""
        if self.mean is None:
            return 1
        fit = self.most if self.mean <= 0 else int(self.target / self.mean)
        return max(1, min(fit, self.growth * self.seen, self.most))

    @property
    def hasty(self) -> bool:
        """Return True if jobs are so short that a worker should find its next one waiting."""
        return self.mean is not None and self.mean * self.size < 1.0
