"""The part of a run that happens in a worker process; it does not know its caller."""

from __future__ import annotations

import io
import logging
import os
import pickle
import shutil
import signal
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from dragon.core import TERMINAL
from dragon.errors import TournamentError
from dragon.rules.watchdog import watch
from dragon_tournament.executors import process_group
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.in_flight import TRACE, InFlightLog, ProcessDeath
from dragon_tournament.records.record import Record
from dragon_tournament.referees import stopwatch
from dragon_tournament.referees.seat import Seat, warm_up
from dragon_tournament.tournament import Player, Tournament

log = logging.getLogger("dragon")
TOURNAMENT = "tournament.pickle"
OUTPUT = "output"


def settle(level: int, folder: Path) -> None:
    """Set up a new worker: stdout is left to the runner, and nothing of a worker outlives it."""
    import numpy  # noqa: F401 - first asked for within a search, it takes half as long again

    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # so that it is seen to be one
    if TRACE is not None:  # between two games it may come too late
        signal.signal(TRACE, lambda *_: None)
    process_group.begin(folder)
    _redirect(folder / OUTPUT)
    log.addHandler(logging.StreamHandler(os.fdopen(os.dup(2), "w")))  # which no player closes
    log.setLevel(level)
    watch()
    stopwatch.begin()


def abandoned(folder: Path) -> None:
    """Clean up, in a worker whose runner has ended and cannot do it."""
    shutil.rmtree(folder, ignore_errors=True)
    process_group.end(os.getpid(), spare=os.getpid())


def _redirect(pipe: Path) -> None:
    """Send the output of this process to the supervisor, if there is a pipe to it."""
    sys.stdout.flush()
    sys.stderr.flush()
    target = 2
    with suppress(OSError):
        # Opening it would block for ever if the supervisor has died meanwhile.
        target = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        os.set_blocking(target, True)
    os.dup2(target, 1)
    os.dup2(target, 2)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Lines of several workers do not mix, even if Python does not buffer (-u).
            stream.reconfigure(line_buffering=True, write_through=False)


@cache
def tournament_in(folder: Path) -> Tournament:
    """Return the tournament that is played; raise what a plugin that is not here leads to."""
    found: Tournament = pickle.loads((folder / TOURNAMENT).read_bytes())
    return found


def play(
    batch: tuple[Pairing, ...], folder: Path, deaths: tuple[ProcessDeath, ...]
) -> tuple[list[Record], float]:
    """Return the records of some games, and the seconds that they took.

    All that it raises can be pickled: a player's own error may not be. Raises TournamentError
    where the run must end, RuntimeError for anything else.
    """
    pairing, start = batch[0], time.perf_counter()
    notes, records = InFlightLog(folder, pairing.id), list[Record]()
    try:
        tournament = tournament_in(folder)
        notes.open()
        for pairing in batch:
            disturbed = True
            while disturbed:
                notes.begin(pairing.id)
                stopped = stopwatch.seconds()
                record: Record = tournament.referee.play(tournament, pairing, notes, deaths)
                # Deadlines inside a player are unreliable after a stop, so the game is played
                # again.
                disturbed = bool(record.failed) and stopwatch.seconds() > stopped
            notes.ended(record)
            records.append(record)
    except TournamentError as wrong:
        raise TournamentError(str(wrong)) from None
    except BaseException as wrong:
        raise RuntimeError(f"{type(wrong).__name__} while playing {pairing.id}") from wrong
    finally:
        notes.close()
    return records, time.perf_counter() - start


def open_game_in(folder: Path) -> str | None:
    """Open a game as `open_game` does, for the tournament of a folder."""
    return open_game(tournament_in(folder))


def open_game(tournament: Tournament) -> str | None:
    """Compile the game itself; return its objection, if any."""
    try:
        state = tournament.game.start(0)
        if state.turn != TERMINAL:
            state.after(state.moves()[0])
    except Exception as wrong:  # as text for the runner, since it may not be picklable
        return (
            f"{tournament.game} cannot make its first move ({type(wrong).__name__}: {wrong}); "
            f"mend its rules, `dragon laws` helps"
        )
    return None


def get_ready(folder: Path, number: int) -> None:
    """Warm the player of that number up, within the time it has for that."""
    tournament = tournament_in(folder)
    player: Player = tournament.players[number]
    notes = InFlightLog(folder, f"warmup-{number}")
    notes.open()
    try:
        warm_up(Seat(0, player, tournament, notes), tournament.game)
    finally:
        notes.close()
