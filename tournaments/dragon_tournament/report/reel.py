"""Reel: the games that a page can replay, drawn move by move and packed, within bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import define, field, frozen

from dragon_tournament.records.record import Record
from dragon_tournament.records.replay import (
    Step,
    Unplayable,
    game_of,
    lines_of,
    picture,
    replay,
    svg,
)
from dragon_tournament.report.film import Film
from dragon_tournament.report.showing import result

LENGTH = 500
"""Positions that are drawn of one game."""
NOTATION = 300
"""A position's notation is shown up to so many characters."""


@frozen
class Bounds:
    """How much is drawn at most; None: as much as there is."""

    games: int = 100
    positions: int | None = 3_000
    """In all: a few seconds of drawing where a board is large."""
    size: int | None = 3_000_000
    """Characters of drawings, packed."""


@frozen
class Take:
    """One game, or one seat's line of a race, ready to be shown."""

    number: int
    """The game's place among the records, from 1."""
    record: Record
    seat: int | None
    """Whose line it is, where each worked alone."""
    frames: list[list[int]]
    """Runs of the film, one for each position."""
    movers: list[int]
    """The seat that made each move, -1 for chance."""
    moves: list[str]
    notations: list[str]
    given: int
    """How many moves belong to the opening."""
    text: bool
    """Whether the drawings are plain text, not SVG."""
    note: str
    """Why it stops short, if it does."""


@define
class Reel:
    """The takes, and the film on which they are."""

    film: Film = field(factory=Film)
    takes: list[Take] = field(factory=list)
    left: int = 0
    """Games that were not drawn, for the bounds."""
    note: str = ""
    """Why nothing could be drawn, if so."""


def reel(records: Sequence[Record], bounds: Bounds | None = None) -> Reel:
    """The first games of every seating, and those that ended in a failure, as many as fit."""
    bounds, made = bounds or Bounds(), Reel()
    chosen = chosen_of(records, bounds.games)
    left = math.inf if bounds.positions is None else bounds.positions
    size = math.inf if bounds.size is None else bounds.size
    drawn: set[int] = set()
    for number in chosen:
        record = records[number]
        for seat, line in lines_of(record):
            if not line and not record.opening:
                continue  # an estimate, or a game that ended before it began
            if left <= 0 or made.film.size >= size:
                break
            try:
                take = _take(made.film, number + 1, record, seat, int(min(left, LENGTH)))
            except Unplayable as wrong:  # its game is not there: neither are its other games
                made.note = made.note or str(wrong)
                continue
            left -= len(take.frames)
            made.takes.append(take)
            drawn.add(number)
    made.left = sum(_moved(record) for record in records) - len(drawn)
    return made


def chosen_of(records: Sequence[Record], games: int) -> list[int]:
    """Which games are drawn, ascending: a few failures, then each seating in turn."""
    if len(records) <= games:
        return list(range(len(records)))
    failed = [i for i, record in enumerate(records) if record.failed][: max(games // 5, 1)]
    queues: dict[tuple[str, ...], list[int]] = {}
    for i, record in enumerate(records):
        queues.setdefault(record.seats, []).append(i)
    chosen = dict.fromkeys(failed)
    for turn in range(games):
        for queue in queues.values():
            if turn < len(queue) and len(chosen) < games:
                chosen.setdefault(queue[turn])
        if len(chosen) >= games:
            break
    return sorted(chosen)


def _moved(record: Record) -> bool:
    """Whether there is anything to replay."""
    return any(line or record.opening for _, line in lines_of(record))


def _take(film: Film, number: int, record: Record, seat: int | None, most: int) -> Take:
    """One game on the film; raises Unplayable where not even its start can be had."""
    game = game_of(record)
    note, text = "", False
    frames: list[list[int]] = []
    steps: list[Step] = []
    said: list[str] = []
    for step in _until(replay(record, seat), most, said):
        drawing = svg(game, step.state)
        text = drawing is None
        frames.append(film.add(picture(game, step.state) if drawing is None else drawing))
        steps.append(step)
    if not steps:
        raise Unplayable(said[0])
    total = len(record.opening) + len(dict(lines_of(record))[seat]) + 1
    if said:
        note = said[0]
    elif len(steps) < total:
        note = f"The first {len(steps) - 1:,} of {total - 1:,} plies are drawn."
    return Take(
        number=number, record=record, seat=seat, frames=frames, text=text, note=note,
        movers=[step.mover for step in steps[1:]],
        moves=[step.move for step in steps[1:]],
        notations=[_short(str(step.state)) for step in steps],
        given=sum(step.given for step in steps),
    )  # fmt: skip


def _until(steps: Iterator[Step], most: int, said: list[str]) -> Iterator[Step]:
    """So many steps at most; where they break off, why goes to `said`."""
    try:
        for _, step in zip(range(most), steps, strict=False):
            yield step
    except Unplayable as wrong:
        said.append(str(wrong))


def _short(text: str) -> str:
    return text if len(text) <= NOTATION else text[:NOTATION] + "…"


def packed(made: Reel) -> dict[str, Any]:
    """The reel as plain data for the page's script; each list stands in the order of play."""
    names = list(dict.fromkeys(name for t in made.takes for name in t.record.seats))
    place = {name: i for i, name in enumerate(names)}
    return {
        "names": names,
        "pieces": made.film.pieces,
        "games": [
            {
                "number": t.number,
                "game": t.record.game,
                "seats": [place[name] for name in t.record.seats],
                "seat": t.seat,
                "result": result(t.record).splitlines()[0],
                "given": t.given,
                "moves": t.moves,
                "movers": t.movers,
                "frames": t.frames,
                "notations": t.notations,
                "text": t.text,
                "note": t.note,
            }
            for t in made.takes
        ],
    }
