"""Game: one recorded game as text for a terminal, and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dragon.core import CHANCE
from dragon.errors import ConfigError
from dragon_tournament.formatting import seconds_text
from dragon_tournament.records.record import Record
from dragon_tournament.records.replay import (
    Line,
    Step,
    Typed,
    Unplayable,
    game_of,
    lines_of,
    replay,
)
from dragon_tournament.statistics.pairs import observation

KEYS = ("id", "game", "seats", "points", "scores", "reason", "failed", "detail")


def lines(
    record: Record, number: int, total: int, seat: int | None = None, typed: Typed | None = None
) -> Iterator[str]:
    """The game line by line: who plays, every position with its move, and the result.

    typed: as for `game_of`.
    Raises Unplayable where the positions cannot be had; who played which moves has been said
    by then.
    """
    yield f"game {number} of {total}, {record.id}: {record.game}"
    if record.instance:
        yield f"instance: {record.instance}"
    for at, name in enumerate(record.seats):
        yield f"seat {at}: {name}" + (f"; {attempt(record, at)}" if record.attempts else "")
    if record.position:
        yield f"position: {record.position}"
    if record.truth is not None:
        yield f"true value: {record.truth:g}"
    if record.opening:
        yield f"opening: {' '.join(record.opening)}"
    try:
        game = game_of(record, typed)
    except Unplayable:
        for own, line in wanted(record, seat):
            yield f"{'moves' if own is None else f'line of seat {own}'}: {' '.join(line)}"
        yield result(record)
        raise
    for own, line in wanted(record, seat):
        if own is not None:
            yield f"\n---- seat {own}: {record.seats[own]}" + ("" if line else ": no line")
            if not line:
                continue
        for ply, step in enumerate(replay(record, own, typed)):
            if ply:
                yield f"\n{ply}. {step.move}   ({who(record, step)})"
            yield f"\n{game.draw(step.state)}"
    yield f"\n{result(record)}"


def identical(records: Sequence[Record], dealt: bool) -> list[list[int]]:
    """The games that are identical move for move and seat for seat: their numbers from 1, by group.

    `dealt`: whether deals differ.
    """
    groups: dict[tuple[Any, ...], list[int]] = {}
    for number, r in enumerate(records, 1):
        start = observation(r.deal, r.opening, r.position, dealt)
        groups.setdefault((r.game, r.seats, start, r.moves), []).append(number)
    return [group for group in groups.values() if len(group) > 1]


def wanted(record: Record, seat: int | None) -> Sequence[Line]:
    """The lines to be shown; raises ConfigError for a seat that has none."""
    found = lines_of(record)
    if seat is None:
        return found
    chosen = [(own, line) for own, line in found if own == seat]
    if not chosen:
        raise ConfigError(
            f"game {record.id} has no line of seat {seat} alone; leave --seat out to see it whole"
        )
    return chosen


def who(record: Record, step: Step) -> str:
    """The player that made the move of a step."""
    mover = "chance" if step.mover == CHANCE else record.seats[step.mover]
    return f"{mover}, opening" if step.given else mover


def attempt(record: Record, seat: int) -> str:
    """The result of a seat in a race or an estimate, and its time.

    >>> from dragon_tournament.records.attempt import Attempt
    >>> attempt(Record(id="x", game="nim", seats=("a",), teams=(0,), opening=(), moves=((),),
    ...     scores=(1.0,), points=(1.0,), reason="terminal", nodes=(0,), seconds=(0.5,), seed=0,
    ...     attempts=(Attempt(value=1.0, claim="checked", first=0.1, proof=0.5),)), 0)
    'value 1; first after 100 ms, proof after 500 ms (checked)'
    """
    own = record.attempts[seat]
    value = "no value" if own.value is None else f"value {own.value:g}"
    times = (("first", own.first), ("best", own.best), ("proof", own.proof))
    came = [f"{what} after {seconds_text(at)}" for what, at in times if at is not None]
    text = f"{value}; {', '.join(came)}" if came else value
    return f"{text} ({own.claim})" if str(own.claim) else text


def result(record: Record) -> str:
    """Describe the end of the game in a sentence.

    >>> from dragon_tournament.records.record import Reason
    >>> result(Record(id="x", game="nim", seats=("a", "b"), teams=(0, 1), opening=(), moves=(),
    ...     scores=(1.0, -1.0), points=(1.0, 0.0), reason=Reason.TERMINAL, nodes=(0, 0),
    ...     seconds=(0, 0), seed=0))
    'a wins, 1 : 0 (terminal)'
    """
    best = max(record.points)
    winners = [n for n, p in zip(record.seats, record.points, strict=True) if p == best]
    outcome = "draw" if len(winners) == len(record.seats) > 1 else f"{' and '.join(winners)} wins"
    if len(winners) > 1 and outcome != "draw":
        outcome = outcome.removesuffix("s")
    points = " : ".join(f"{p:g}" for p in record.points)
    text = f"{outcome}, {points} ({record.reason})"
    return f"{text}\n{record.detail}" if record.detail else text


def table(record: Record, seat: int | None = None, typed: Typed | None = None) -> dict[str, Any]:
    """Return it as plain data; raises Unplayable if the positions cannot be replayed."""
    game = game_of(record, typed)
    race = {
        "instance": record.instance,
        "truth": record.truth,
        "attempts": [attempt.table() for attempt in record.attempts],
    }
    return {
        **{key: getattr(record, key) for key in KEYS},
        **(race if record.attempts else {}),
        "lines": [
            {
                "seat": own,
                "steps": [
                    {
                        "move": step.move or None,
                        "mover": step.mover if step.move else None,
                        "opening": step.given,
                        "position": str(step.state),
                        "picture": game.draw(step.state),
                    }
                    for step in replay(record, own, typed)
                ],
            }
            for own, line in wanted(record, seat)
            if line or own is None
        ],
    }
