"""Laws in a process of their own, with a time limit, so that the others are tried in any case.

Rules that corrupt memory crash their process, and rules that loop for ever never return. Either is
then the verdict of their law.

The module stays apart from the command, since plugins may use it.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from attrs import evolve

from dragon.core import Game, Search
from dragon.errors import SearchError, one_line
from dragon.files import scratch
from dragon.laws import LAWS, TRUST, WHOLE_LAWS, Law, Verdict, judge, laws_of
from dragon.laws.notes import Remarks, remarks_on
from dragon.laws.portrait import Portrait, portray
from dragon.modes import checked
from dragon.process.worker import Died, Pool, awaited
from dragon.rules.watchdog import watch

T = TypeVar("T")
NUMBER = re.compile(r"\d[\d,.]*")
"""Numbers, which are left out when causes are compared."""


def verdicts(
    game: Game[Any],
    searches: Sequence[Search],
    seed: int = 0,
    times: int = 1,
    seconds: float = 120.0,
    names: Collection[str] = (),
    small: Game[Any] | None = None,
    remark: Callable[[Remarks], object] | None = None,
) -> Iterator[tuple[Search | Game[Any] | None, Verdict]]:
    """Yield the verdict of each law as it comes: on the game (None), then on each of the searches.

    Each law is tried for `seconds` of wall time, times `times`, as it has as many games. If a law
    of TRUST is broken, the rest is not tried; nor are the other laws of a subject once one cause
    has ended two of them. names: the laws to be tried, if not all. small: a smaller game of the
    same rules, for the laws that look at every state. remark: called with the notes on the game.
    """
    smaller = [] if small is None else [small]
    with scratch() as folder, _pool(folder) as pool:
        for subject in (None, *smaller, *searches):
            of, by = (subject, None) if isinstance(subject, Game) else (game, subject)
            laws = [
                law for law in laws_of(of, by)
                if (not names or law.name in names) and (of is not small or law in WHOLE_LAWS)
            ]  # fmt: skip
            causes = set[str]()
            for left, law in enumerate(laws, 1 - len(laws)):
                verdict = _tried(pool, folder, law, of, by, seed, times, seconds)
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
            if subject is None and remark is not None:
                remark(_remarks(pool, folder, game, seed, seconds))


def portrait_apart(game: Game[Any], seed: int, seconds: float) -> Portrait | str:
    """Return the portrait of a game, made in another process, or the reason why that failed."""
    with scratch() as folder, _pool(folder) as pool:
        try:
            return _asked(pool, folder, seconds, portray, game, seed)
        except Exception as wrong:  # whatever the game raises
            return one_line(wrong)


def _pool(folder: Path) -> Pool:
    return Pool(1, partial(_begin, folder))


def _begin(folder: Path) -> None:
    """Prepare a new process."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # compiled code would hear of no other
    watch((folder / "last words").write_text, kernels=True)


def _tried(
    pool: Pool, folder: Path, law: Law, game: Game[Any], subject: Search | None,
    seed: int, times: int, seconds: float,
) -> Verdict:  # fmt: skip
    asked = law.name, game, subject, seed, times
    try:
        return _asked(pool, folder, seconds * times, _try, *asked)
    except SearchError as wrong:
        message = law.failure(str(wrong), *filter(None, (subject, game)))
        return Verdict(law.name, False, message, cause=str(wrong))


def _remarks(pool: Pool, folder: Path, game: Game[Any], seed: int, seconds: float) -> Remarks:
    try:
        return _asked(pool, folder, seconds, remarks_on, game, seed)
    except Exception as wrong:
        return Remarks((f"nothing could be noted: {one_line(wrong)}",), 0, False)


def _asked(
    pool: Pool, folder: Path, limit: float, function: Callable[..., T], *arguments: Any
) -> T:
    """Return the value of a function in the other process; raises SearchError if that ends."""
    words = folder / "last words"
    words.unlink(missing_ok=True)
    try:
        found: T = awaited(pool.submit(function, *arguments, seconds=limit))
        return found
    except TimeoutError:
        reason = f"no verdict after {limit:g} seconds, and the process was ended"
    except Died as died:
        reason = f"{died}; "
        if checked():
            reason += "checked rules do not: it is the game's other code, or no memory was left"
        else:
            reason += "with --checked the rule to blame is named"
        if words.exists():
            reason = words.read_text()
    raise SearchError(reason)


def _try(name: str, game: Game[Any], subject: Search | None, seed: int, times: int) -> Verdict:
    """Try a law; runs in the other process."""
    law = next(law for law in LAWS if law.name == name)
    return judge(law, game, subject, seed, times)
