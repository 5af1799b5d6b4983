"""The event log: incidents beside the games, one line of JSON each, only appended.

The record of a game is the same whatever happens meanwhile; incidents are kept here: runs that
began and ended, workers that died, interruptions. Two things need no entry: a run that was killed
has begun and not ended, and what the records themselves show (lines that are not records, games
that failed) is counted whenever they are read.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from attrs import field, frozen

NAME = "diary.jsonl"
FEW = 3  # details that a sentence lists


class IncidentKind(StrEnum):
    """The kinds of incidents beside the games."""

    BEGAN = "began"  # a run began to play
    ENDED = "ended"  # it ended by itself, in whatever way
    KILLED = "killed"
    """A run began, and never ended. Not written down: no process is left to do so."""
    INTERRUPTED = "interrupted"
    """Ctrl-C, or SIGTERM, ended a run; the games are those that it dropped."""
    FAILED = "failed"  # an error ended a run
    DIED = "died"
    """A worker's process died by no player's fault, and its game, if any, was begun again."""
    LOST = "lost"
    """A batch was lost with the machine that played it, and its games were begun again."""
    ASIDE = "aside"
    """A game was lost with its workers again and again, at the end too, and does not have a
    record."""
    GONE = "gone"
    """A machine left the cluster, and what it was playing was begun again elsewhere."""
    CROWDED = "crowded"
    """More processes or threads played under limits in seconds than there are cores."""
    STUCK = "stuck"  # written by earlier versions: no worker continued, and others replaced them
    UNREADY = "unready"  # a player could not get ready before its first game
    CHANGED = "changed"  # other code plays from here on
    MOVED = "moved"
    """The bounds of the test are others than when games on record were played."""
    TORN = "torn"  # a record that was cut short was dropped, and its game begun again
    JUNK = "junk"
    """A line of the records is none. Not written down: the line stays."""
    BROKEN = "broken"
    """A game was adjudicated since the game itself failed. Not written down: its record tells."""


@frozen
class Incident:
    """An entry of the event log."""

    what: IncidentKind = field(converter=IncidentKind)
    detail: str = ""
    games: tuple[str, ...] = field(default=(), converter=tuple[str, ...])
    """The ids of the games that it concerned."""
    at: str = field(factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    """The time in UTC, to the second (ISO 8601)."""

    def to_line(self) -> str:
        """Return the event as JSON on one line, without its newline."""
        table = {"at": self.at, "what": str(self.what), "games": self.games, "detail": self.detail}
        return json.dumps({key: value for key, value in table.items() if value}, ensure_ascii=False)

    @classmethod
    def from_line(cls, line: str) -> Incident:
        """The inverse; raises ValueError, TypeError or KeyError on anything else."""
        table = json.loads(line)
        return cls(table["what"], str(table.get("detail", "")), table.get("games", ()), table["at"])

    def __str__(self) -> str:
        """Return the sentence about it alone."""
        return _sentence(self.what, [self]).removesuffix(".") or str(self.what)


def read(folder: Path) -> list[Incident]:
    """The event log of a folder; lines that cannot be read are left out, and so is a link.

    The log is only information: a tournament is complete without it.
    """
    found: list[Incident] = []
    if (folder / NAME).is_symlink():
        return found
    with suppress(OSError):
        text = (folder / NAME).read_text(encoding="utf-8", errors="replace")
        for line in text.split("\n"):
            with suppress(ValueError, TypeError, KeyError, AttributeError):
                found.append(Incident.from_line(line))
    return found


def last_run(folder: Path) -> list[IncidentKind]:
    """The kinds of the incidents since the last run began, itself first; empty if none began."""
    kinds = [incident.what for incident in read(folder)]
    begun = max((i for i, kind in enumerate(kinds) if kind is IncidentKind.BEGAN), default=None)
    return [] if begun is None else kinds[begun:]


@frozen
class IncidentSummary:
    """A summary of all incidents of a kind."""

    what: IncidentKind
    count: int
    sentence: str


def summarised(incidents: Iterable[Incident], broken: int = 0) -> list[IncidentSummary]:
    """Summarise incidents for a report: the count of each kind, and a sentence.

    `broken`: the number of records of games that failed by themselves.

    >>> [s.sentence for s in summarised(map(Incident, ("began", "began", "ended")))]
    ['One run ended without a word, as a kill or a power failure does it.']
    """
    by_kind: dict[IncidentKind, list[Incident]] = {kind: [] for kind in IncidentKind}
    running = False
    for incident in incidents:
        if incident.what is IncidentKind.BEGAN and running:
            by_kind[IncidentKind.KILLED].append(incident)
        if incident.what in (IncidentKind.BEGAN, IncidentKind.ENDED):
            running = incident.what is IncidentKind.BEGAN
        by_kind[incident.what].append(incident)
    by_kind[IncidentKind.BROKEN] += [Incident(IncidentKind.BROKEN)] * broken
    return [
        IncidentSummary(kind, len(found), sentence)
        for kind, found in by_kind.items()
        if found and (sentence := _sentence(kind, found))
    ]


def _counted(count: int, one: str) -> str:
    """A number with its noun.

    >>> _counted(1, "game"), _counted(1200, "game")
    ('1 game', '1,200 games')
    """
    return f"{count:,} {one}" + ("" if count == 1 else "s")


def _details(incidents: Sequence[Incident]) -> str:
    """The different details, the most frequent first."""
    counts = Counter(incident.detail for incident in incidents if incident.detail)
    listed = [
        detail + (f", {count} times" if count > 1 else "")
        for detail, count in counts.most_common(FEW)
    ]
    return "; ".join(listed) + ("; ..." if len(counts) > FEW else "")


def _interrupted(incidents: Sequence[Incident]) -> str:
    n, dropped = len(incidents), sum(len(incident.games) for incident in incidents)
    signals = dict.fromkeys(incident.detail or "Ctrl-C" for incident in incidents)
    often = {1: "once", 2: "twice"}.get(n, f"{n:,} times")
    end = f", and {_counted(dropped, 'game')} in progress dropped." if dropped else "."
    return f"{' and '.join(signals)} interrupted it {often}{end}"


def _died(incidents: Sequence[Incident]) -> str:
    games = len({game for incident in incidents for game in incident.games})
    begun = f", and {_counted(games, 'game')} {'was' if games == 1 else 'were'} begun again."
    died = f"{_counted(len(incidents), 'worker')} died ({_details(incidents)})"
    return died + (begun if games else " between games.")


def _lost(incidents: Sequence[Incident]) -> str:
    games = sum(len(incident.games) for incident in incidents)
    return (
        f"{_counted(games, 'game')} {'was' if games == 1 else 'were'} lost with the worker that "
        f"had them ({_details(incidents)}), and begun again."
    )


def _aside(incidents: Sequence[Incident]) -> str:
    details = "; ".join(dict.fromkeys(incident.detail for incident in incidents))
    return f"No record: {details}. The same command tries again."


SENTENCES: dict[IncidentKind, str | tuple[str, str] | Callable[[Sequence[Incident]], str]] = {
    IncidentKind.KILLED: (
        "One run ended without a word, as a kill or a power failure does it.",
        "{n:,} runs ended without a word, as a kill or a power failure does it.",
    ),
    IncidentKind.INTERRUPTED: _interrupted,
    IncidentKind.FAILED: "{runs} ended with an error ({details}).",
    IncidentKind.DIED: _died,
    IncidentKind.LOST: _lost,
    IncidentKind.ASIDE: _aside,
    IncidentKind.CROWDED: "{details}.",
    IncidentKind.GONE: (
        "{workers} of the cluster went away ({details}); others took their games over."
    ),
    IncidentKind.STUCK: "The workers got stuck, and others took their place: {n} in all.",
    IncidentKind.UNREADY: "Before the first game: {details}.",
    IncidentKind.CHANGED: "Not all games were played by the same code: {details}.",
    IncidentKind.MOVED: "The verdict does not have the risks that it states: {details}.",
    IncidentKind.TORN: (
        "1 record was cut short and dropped; its game was begun again.",
        "{n:,} records were cut short and dropped; their games were begun again.",
    ),
    IncidentKind.JUNK: (
        "1 line of the records is unreadable and skipped ({details}).",
        "{n:,} lines of the records are unreadable and skipped ({details}).",
    ),
    IncidentKind.BROKEN: (
        "1 game was adjudicated since the game itself failed; `detail` says how.",
        "{n:,} games were adjudicated since the game itself failed; `detail` says how.",
    ),
}
"""The sentences of reports about one incident of a kind, and about several."""


def _sentence(kind: IncidentKind, incidents: Sequence[Incident]) -> str:
    """The sentence about all incidents of a kind, `{n}` of them; empty if there is none."""
    found, n = SENTENCES.get(kind, ""), len(incidents)
    if callable(found):
        return found(incidents)
    sentence = found if isinstance(found, str) else found[n != 1]
    runs, workers = _counted(n, "run"), _counted(n, "worker")
    return sentence.format(n=n, runs=runs, workers=workers, details=_details(incidents))
