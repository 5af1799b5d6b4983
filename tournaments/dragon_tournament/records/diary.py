"""Diary: what befell a tournament beside its games, one line of JSON each, only appended.

A record tells of one game, and is the same whatever happened meanwhile; what did happen is kept
here: runs that began and ended, workers that died, interruptions. Two things need no entry: a run
that was killed has begun and not ended, and what records tell of themselves (lines that are
none, games that failed) is counted whenever they are read.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

from attrs import field, frozen

NAME = "diary.jsonl"
FEW = 3
"""Details that a sentence lists."""


class What(Enum):
    """What may befall a tournament."""

    BEGAN = "began"
    """A run began to play."""
    ENDED = "ended"
    """It ended by itself, however that was."""
    KILLED = "killed"
    """One began, and never ended. Not written down: nobody is left to do so."""
    INTERRUPTED = "interrupted"
    """Ctrl-C, or SIGTERM, ended a run; the games are those that it dropped."""
    FAILED = "failed"
    """An error ended a run."""
    DIED = "died"
    """A worker's process died by no player's fault, and its game, if any, was begun anew."""
    LOST = "lost"
    """A batch was lost with the machine that played it, and its games were begun anew."""
    GONE = "gone"
    """A machine left the cluster, and what it was playing was begun anew elsewhere."""
    STUCK = "stuck"
    """No worker went on, and others took their place."""
    UNREADY = "unready"
    """A player could not get ready before its first game."""
    CHANGED = "changed"
    """Another version of dragon plays from here on."""
    TORN = "torn"
    """A record that was cut short was dropped, and its game begun anew."""
    JUNK = "junk"
    """A line of the records is none. Not written down: the line stays."""
    BROKEN = "broken"
    """A game was adjudicated since the game itself failed. Not written down: its record tells."""

    def __str__(self) -> str:
        return self.value


def _texts(value: Iterable[str]) -> tuple[str, ...]:
    return tuple(value)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@frozen
class Incident:
    """An entry of the diary."""

    what: What = field(converter=What)
    detail: str = ""
    games: tuple[str, ...] = field(default=(), converter=_texts)
    """The ids of the games that it befell."""
    at: str = field(factory=_now)
    """When, in UTC, to the second (ISO 8601)."""

    def to_line(self) -> str:
        """JSON on one line, without its newline."""
        table = {"at": self.at, "what": str(self.what), "games": self.games, "detail": self.detail}
        return json.dumps({key: value for key, value in table.items() if value}, ensure_ascii=False)

    @classmethod
    def from_line(cls, line: str) -> Incident:
        """The inverse; raises ValueError, TypeError or KeyError on anything else."""
        table = json.loads(line)
        return cls(table["what"], str(table.get("detail", "")), table.get("games", ()), table["at"])

    def __str__(self) -> str:
        """What a report would tell, were it the only one."""
        tell = SENTENCES.get(self.what)
        return tell([self]).removesuffix(".") if tell else str(self.what)


def read(folder: Path) -> list[Incident]:
    """What the diary of a folder holds; lines that cannot be read are left out.

    It only explains: a tournament without a diary is as good.
    """
    found: list[Incident] = []
    with suppress(OSError):
        text = (folder / NAME).read_text(encoding="utf-8", errors="replace")
        for line in text.split("\n"):
            with suppress(ValueError, TypeError, KeyError, AttributeError):
                found.append(Incident.from_line(line))
    return found


@frozen
class Happening:
    """What is told of all incidents of a kind."""

    what: What
    count: int
    told: str
    """A sentence."""


def happenings(incidents: Iterable[Incident], broken: int = 0) -> list[Happening]:
    """What a report tells: of each kind how often it befell, and a sentence.

    `broken`: how many records are of games that failed by themselves.

    >>> [h.told for h in happenings([Incident("began"), Incident("began"), Incident("ended")])]
    ['One run ended without a word, as a kill or a power failure does it.']
    """
    by_kind: dict[What, list[Incident]] = {what: [] for what in What}
    running = False
    for incident in incidents:
        if incident.what is What.BEGAN and running:
            by_kind[What.KILLED].append(incident)
        if incident.what in (What.BEGAN, What.ENDED):
            running = incident.what is What.BEGAN
        by_kind[incident.what].append(incident)
    found = [
        Happening(what, len(those), SENTENCES[what](those))
        for what, those in by_kind.items()
        if those and what in SENTENCES
    ]
    if broken:
        were = "game was" if broken == 1 else "games were"
        told = f"{broken:,} {were} adjudicated since the game itself failed; `detail` tells how."
        found.append(Happening(What.BROKEN, broken, told))
    return found


def _counted(count: int, one: str) -> str:
    """A number with its noun.

    >>> _counted(1, "game"), _counted(1200, "game")
    ('1 game', '1,200 games')
    """
    return f"{count:,} {one}" + ("" if count == 1 else "s")


def _sum(those: Sequence[Incident]) -> int:
    """Games that incidents befell, each once for every time."""
    return sum(len(incident.games) for incident in those)


def _details(those: Sequence[Incident]) -> str:
    """The different details, the most frequent first."""
    counts = Counter(incident.detail for incident in those if incident.detail)
    listed = [
        detail + (f", {count} times" if count > 1 else "")
        for detail, count in counts.most_common(FEW)
    ]
    return "; ".join(listed) + ("; ..." if len(counts) > FEW else "")


def _killed(those: Sequence[Incident]) -> str:
    runs = "One run" if len(those) == 1 else f"{len(those):,} runs"
    return f"{runs} ended without a word, as a kill or a power failure does it."


def _interrupted(those: Sequence[Incident]) -> str:
    dropped, often = _sum(those), {1: "once", 2: "twice"}.get(len(those), f"{len(those):,} times")
    signals = dict.fromkeys(incident.detail or "Ctrl-C" for incident in those)
    told = f"{' and '.join(signals)} interrupted it {often}"
    return told + (f", and {_counted(dropped, 'game')} in progress dropped." if dropped else ".")


def _failed(those: Sequence[Incident]) -> str:
    return f"{_counted(len(those), 'run')} ended with an error ({_details(those)})."


def _died(those: Sequence[Incident]) -> str:
    told = f"{_counted(len(those), 'worker')} died ({_details(those)})"
    games = len({game for incident in those for game in incident.games})
    if not games:
        return f"{told} between games."
    return f"{told}, and {_counted(games, 'game')} {'was' if games == 1 else 'were'} begun anew."


def _lost(those: Sequence[Incident]) -> str:
    games, were = _sum(those), "was" if _sum(those) == 1 else "were"
    return (
        f"{_counted(games, 'game')} {were} lost with the worker that had them "
        f"({_details(those)}), and begun anew."
    )


def _gone(those: Sequence[Incident]) -> str:
    workers = _counted(len(those), "worker")
    return f"{workers} of the cluster went away ({_details(those)}); others took their games over."


def _stuck(those: Sequence[Incident]) -> str:
    return f"The workers got stuck, and others took their place: {len(those)} in all."


def _unready(those: Sequence[Incident]) -> str:
    return f"Before the first game: {_details(those)}."


def _changed(those: Sequence[Incident]) -> str:
    return f"Not all games were played by the same dragon: {_details(those)}."


def _torn(those: Sequence[Incident]) -> str:
    one = len(those) == 1
    what = (
        "record was cut short and dropped; its game was"
        if one
        else ("records were cut short and dropped; their games were")
    )
    return f"{len(those):,} {what} begun anew."


def _junk(those: Sequence[Incident]) -> str:
    one = len(those) == 1
    what = "line of the records is none" if one else "lines of the records are none"
    return f"{len(those):,} {what}, and left out of account ({_details(those)})."


SENTENCES: dict[What, Callable[[Sequence[Incident]], str]] = {
    What.KILLED: _killed,
    What.INTERRUPTED: _interrupted,
    What.FAILED: _failed,
    What.DIED: _died,
    What.LOST: _lost,
    What.GONE: _gone,
    What.STUCK: _stuck,
    What.UNREADY: _unready,
    What.CHANGED: _changed,
    What.TORN: _torn,
    What.JUNK: _junk,
}
"""What is told of incidents of a kind; of others nothing."""
