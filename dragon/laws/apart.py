"""Laws apart: each is tried in another process with a time limit, so that the rest goes on.

Rules that corrupt memory end their process, and rules that go round for ever keep it. Either is
then what their law has found.
"""

from __future__ import annotations

import re
import signal
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve

from dragon.core import Game, Search
from dragon.errors import one_line
from dragon.laws import LAWS, TRUST, Law, Verdict, judge, laws_of
from dragon.laws.portrait import Portrait, portray
from dragon.modes import checked
from dragon.process.spawn import Spawn, how_ended
from dragon.rules.watchdog import watch

if TYPE_CHECKING:
    from pebble import ProcessPool

NUMBER = re.compile(r"\d[\d,.]*")
"""Numbers do not tell one cause from another."""


def verdicts(
    game: Game[Any],
    searches: Sequence[Search],
    seed: int = 0,
    times: int = 1,
    seconds: float = 120.0,
    names: Collection[str] = (),
) -> Iterator[tuple[Search | None, Verdict]]:
    """The verdict of each law as it comes: on the game (None), then on each of the searches.

    Each law is tried for `seconds` of wall time, `times` as long as it has as many games. Where
    rules do what compiled code cannot survive, the rest is not tried; nor are the other laws of
    a subject where the same cause has ended two of them. names: of the laws to be tried, if not
    all.
    """
    with tempfile.TemporaryDirectory(prefix="dragon-") as folder, _pool(Path(folder)) as pool:
        for subject in (None, *searches):
            laws = [law for law in laws_of(game, subject) if not names or law.name in names]
            causes = set[str]()
            for left, law in enumerate(laws, 1 - len(laws)):
                verdict = _tried(pool, Path(folder), law, game, subject, seed, times, seconds)
                cause = NUMBER.sub("", verdict.cause)
                if cause in causes and left:
                    more = f"{-left} more law{'s' * (left < -1)}"
                    stopped = f"the cause is that of another law too, so {more} will not be tried"
                    message = f"{verdict.message}\n  stopped:  {stopped}"
                    verdict = evolve(verdict, message=message, final=True)
                yield subject, verdict
                if law in TRUST and not verdict.passed:
                    return
                if verdict.final:
                    break
                causes |= {cause} - {""}


def portrait_apart(game: Game[Any], seed: int, seconds: float) -> Portrait | str:
    """Return the portrait of a game, made in another process, or the reason why there is none."""
    from pebble import ProcessExpired

    with tempfile.TemporaryDirectory(prefix="dragon-") as name, _pool(folder := Path(name)) as pool:
        future = pool.schedule(portray, args=(game, seed), timeout=seconds)
        try:
            found: Portrait = future.result()
        except TimeoutError:
            return f"no random games after {seconds:g} seconds"
        except ProcessExpired as died:
            words = folder / "last words"
            return words.read_text() if words.exists() else how_ended(died.exitcode)
        except Exception as raised:  # whatever the game raises
            return one_line(raised)
        return found


@contextmanager
def _pool(folder: Path) -> Iterator[ProcessPool]:
    from pebble import ProcessPool

    pool = ProcessPool(1, context=Spawn(), initializer=_begin, initargs=(folder,))
    try:
        yield pool
    finally:
        pool.stop()  # type: ignore[no-untyped-call]
        pool.join()


def _begin(folder: Path) -> None:
    """In a new process."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # compiled code would hear of no other
    watch((folder / "last words").write_text, kernels=True)


def _tried(
    pool: ProcessPool, folder: Path, law: Law, game: Game[Any], subject: Search | None,
    seed: int, times: int, seconds: float,
) -> Verdict:  # fmt: skip
    from pebble import ProcessExpired

    limit = seconds * times
    words = folder / "last words"
    words.unlink(missing_ok=True)
    future = pool.schedule(_try, args=(law.name, game, subject, seed, times), timeout=limit)
    try:
        return future.result()
    except TimeoutError:
        reason = f"no verdict after {limit:g} seconds, and the process was ended"
    except ProcessExpired as died:
        reason = f"the process ended with {how_ended(died.exitcode)}; "
        if checked():
            reason += "checked rules do not: it is the game's other code, or no memory was left"
        else:
            reason += "with --checked the rule to blame is named"
        if words.exists():
            reason = words.read_text()
    message = law.failure(reason, *filter(None, (subject, game)))
    return Verdict(law.name, False, message, cause=reason)


def _try(name: str, game: Game[Any], subject: Search | None, seed: int, times: int) -> Verdict:
    """In the other process."""
    law = next(law for law in LAWS if law.name == name)
    return judge(law, game, subject, seed, times)
