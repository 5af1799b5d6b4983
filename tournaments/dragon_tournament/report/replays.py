"""A recorded game as text for a terminal, as plain data, and as drawings that a page replays."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from attrs import define, field, frozen

from dragon.core import CHANCE
from dragon.errors import ConfigError
from dragon_tournament.formatting import seconds_text, shortened
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
from dragon_tournament.statistics.tally import Tally

KEYS = ("id", "game", "seats", "points", "scores", "reason", "failed", "detail")
"""The fields of a record that the plain data of its game has."""
LENGTH = 500  # positions that are drawn of one game
NOTATION = 300  # the most characters of a position's notation that are shown
CUT = re.compile(r"(?=<[^/])")


def lines(
    record: Record, number: int, total: int, seat: int | None = None, typed: Typed | None = None
) -> Iterator[str]:
    """The game line by line: the players, every position with its move, and the result.

    typed: see `game_of`.
    Raises Unplayable if the positions cannot be replayed, after the lines on players and moves.
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
    """Return the replay as plain data; raises Unplayable if the positions cannot be replayed."""
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


@define
class FrameCodec:
    """Drawings that are much alike as runs of common pieces, each kept once.

    A drawing is cut before each opening tag. The pieces go to one list in the order in which
    they first occur, and a drawing becomes runs of it: the 200 cells of a board are one run, the
    stone that has come is another. Joining the pieces gives the drawing back, letter for letter.

    >>> codec = FrameCodec()
    >>> codec.add("<a/><b/>"), codec.add("<a/><c/><b/>")
    ([0, 2], [0, 1, 2, 3, 1, 2])
    >>> codec.text([0, 1, 2, 3, 1, 2])
    '<a/><c/><b/>'
    """

    pieces: list[str] = field(factory=list)
    size: int = 0
    """Characters in the pieces."""
    _known: dict[str, int] = field(factory=dict)

    def add(self, drawing: str) -> list[int]:
        """Its runs: first piece and the one after the last, one run after another."""
        runs: list[int] = []
        for piece in CUT.split(drawing):
            if not piece:
                continue
            follows = runs[-1] if runs else -1
            if 0 <= follows < len(self.pieces) and self.pieces[follows] == piece:
                runs[-1] += 1
                continue
            if (at := self._known.setdefault(piece, len(self.pieces))) == len(self.pieces):
                self.pieces.append(piece)
                self.size += len(piece)
            if at == follows:
                runs[-1] += 1
            else:
                runs += [at, at + 1]
        return runs

    def text(self, runs: Sequence[int]) -> str:
        """The drawing of such runs."""
        spans = zip(runs[::2], runs[1::2], strict=True)
        return "".join("".join(self.pieces[start:end]) for start, end in spans)


@frozen
class Bounds:
    """The limits of what is drawn; None means no limit."""

    games: int = 100
    positions: int | None = 3_000
    """Positions of all games: a few seconds of drawing if a board is large."""
    size: int | None = 3_000_000
    """Characters of the packed drawings."""


@frozen
class Replay:
    """One game, or one seat's line of a race, ready to be shown."""

    number: int
    """The game's place among the records, from 1."""
    record: Record
    seat: int | None
    """The seat whose line it is in a race; None in a match."""
    frames: list[list[int]]
    """Runs of the common pieces, one for each position."""
    movers: list[int]
    """The seat that made each move, -1 for chance."""
    moves: list[str]
    notations: list[str]
    given: int
    """The number of moves that belong to the opening."""
    text: bool
    """True if the drawings are plain text, not SVG."""
    note: str
    """The reason if it stops before the end."""


@define
class Replays:
    """The games that are drawn, and the pieces that their drawings share."""

    codec: FrameCodec = field(factory=FrameCodec)
    games: list[Replay] = field(factory=list)
    left: int = 0
    """The number of games beyond the bounds."""
    note: str = ""
    """The reason if a game could not be drawn."""


def replays_of(
    records: Sequence[Record], tally: Tally, bounds: Bounds, typed: Typed | None = None
) -> Replays:
    """The first games of every seating, and those that ended in a failure, within the bounds.

    typed: see `game_of`.
    """
    made = Replays()
    left = math.inf if bounds.positions is None else bounds.positions
    size = math.inf if bounds.size is None else bounds.size
    drawn: set[int] = set()
    for number in chosen_of(tally, bounds.games):
        record = records[number]
        for seat, line in lines_of(record):
            if not line and not record.opening:
                continue  # an estimate, or a game that ended before it began
            if left <= 0 or made.codec.size >= size:
                break
            try:
                game = _replay(made.codec, number + 1, record, seat, int(min(left, LENGTH)), typed)
            except Unplayable as wrong:  # its game is not there: neither are its other games
                made.note = made.note or str(wrong)
                continue
            left -= len(game.frames)
            made.games.append(game)
            drawn.add(number)
    made.left = len(tally) - tally.blank - len(drawn)
    return made


def chosen_of(tally: Tally, games: int) -> list[int]:
    """The numbers of the games that are drawn, ascending: a few failures, then each seating in
    turn."""
    if len(tally) <= games:
        return list(range(len(tally)))
    failed = list(islice(tally.failed(), max(games // 5, 1)))
    queues: dict[tuple[str, ...], list[int]] = {}
    for i, kind in enumerate(tally.played()):
        queue = queues.setdefault(kind.seats, [])
        if len(queue) < games:
            queue.append(i)
    chosen = dict.fromkeys(failed)
    for turn in range(games):
        for queue in queues.values():
            if turn < len(queue) and len(chosen) < games:
                chosen.setdefault(queue[turn])
        if len(chosen) >= games:
            break
    return sorted(chosen)


def _replay(
    codec: FrameCodec, number: int, record: Record, seat: int | None, most: int,
    typed: Typed | None,
) -> Replay:  # fmt: skip
    """Draw one game; raises Unplayable if its start cannot be set up."""
    game, note, text = game_of(record, typed), "", False
    frames: list[list[int]] = []
    steps: list[Step] = []
    total = len(record.opening) + len(dict(lines_of(record))[seat]) + 1
    try:
        for step in islice(replay(record, seat, typed), most):
            drawing = game.svg(step.state)
            text = drawing is None
            frames.append(codec.add(game.draw(step.state) if drawing is None else drawing))
            steps.append(step)
        if len(steps) < total:
            note = f"The first {len(steps) - 1:,} of {total - 1:,} plies are drawn."
    except Unplayable as wrong:
        if not steps:
            raise
        note = str(wrong)
    return Replay(
        number=number, record=record, seat=seat, frames=frames, text=text, note=note,
        movers=[step.mover for step in steps[1:]],
        moves=[step.move for step in steps[1:]],
        notations=[shortened(str(step.state), NOTATION) for step in steps],
        given=sum(step.given for step in steps),
    )  # fmt: skip


PACKED = ("number", "seat", "given", "moves", "movers", "frames", "notations", "text", "note")


def packed(made: Replays) -> dict[str, Any]:
    """The replays as plain data for the page's script; each list is in the order of play."""
    names = list(dict.fromkeys(name for t in made.games for name in t.record.seats))
    place = {name: i for i, name in enumerate(names)}
    return {
        "names": names,
        "pieces": made.codec.pieces,
        "games": [
            {
                **{key: getattr(t, key) for key in PACKED},
                "game": t.record.game,
                "seats": [place[name] for name in t.record.seats],
                "result": result(t.record).splitlines()[0],
            }
            for t in made.games
        ],
    }
