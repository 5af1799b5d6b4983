"""The replay of a record: its game again, position by position, by the record alone."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from attrs import frozen

from dragon import config
from dragon.core import CHANCE, TERMINAL, Game, State
from dragon.errors import ConfigError, DragonError, PluginError, TournamentError
from dragon.rules.notation import parse_move
from dragon.rules.record import interpreted
from dragon.transcripts.replay import Replay
from dragon_tournament.records.attempt import Sought
from dragon_tournament.records.record import Reason, Record

Line = tuple[int | None, tuple[str, ...]]
"""The seat whose line it is, None if all made it together, and its moves."""

Typed = Mapping[str, Game[Any]]
"""The games of the TOML file that the user has named, by their specs."""
RECORD = config.Elsewhere(
    "a record",
    "to replay it, name the tournament's TOML file, as in `dragon show DIR --toml FILE`",
)
OTHERS = config.Elsewhere(
    "a record",
    "the TOML file has no game of this spec, in which paths begin where the games were played",
)
"""The origin of a record whose tournament's TOML file is known."""
TRIED = 4  # matches of a folder that are replayed before others join them
LOOKED = 100  # records among which those are looked for first
PLAIN = 1.0  # seconds of rules in plain Python after which the compiler is worth loading
_spent = 0.0


@frozen
class Step:
    """A position of a game, and how it came about."""

    state: State[Any]
    move: str = ""
    """The move that led here; empty at the start."""
    mover: int = CHANCE
    """The seat that made it, or CHANCE."""
    given: bool = False
    """True if it belongs to the opening."""


class Unplayable(TournamentError):
    """A record that cannot be replayed: its game is absent, or has other rules by now."""


def game_of(record: Record, typed: Typed | None = None) -> Game[Any]:
    """The game of a record: one of those that the user has typed, else what its spec says.

    Raises Unplayable where its plugin is absent or has changed, and where the spec reaches outside:
    a record may come from a stranger.
    """
    if typed is not None and record.game in typed:
        return typed[record.game]
    try:
        return config.game(record.game, elsewhere=RECORD if typed is None else OTHERS)
    except DragonError as wrong:
        remedy = "; install its plugin (`dragon games` lists what there is)"
        raise Unplayable(
            f"the records are of {record.game}, which cannot be had here: {wrong}"
            f"{remedy if isinstance(wrong, PluginError) else ''}"
        ) from wrong


def unfit(form: str, record: Record, reason: str) -> ConfigError:
    """A game that a format of files cannot hold, with the format that can."""
    return ConfigError(
        f"{form} cannot say game {record.id} of {record.game}: {reason}; take --to json"
    )


def lines_of(record: Record) -> Sequence[Line]:
    """The lines that were played, each with the seat that worked on it alone, or None.

    A match has one; a race has one for each seat that found any.
    """
    if any(isinstance(move, tuple) for move in record.moves):
        lines = enumerate(record.moves)
        return [(seat, tuple(map(str, line))) for seat, line in lines if line] or [(None, ())]
    return [(None, tuple(map(str, record.moves)))]


def replay(record: Record, seat: int | None = None, typed: Typed | None = None) -> Iterator[Step]:
    """The positions of a game from its start, one a ply; `seat`: that seat's line in a race.

    typed: as for `game_of`.
    Raises Unplayable where the game is absent, or a move on record is not legal any more: the
    positions before it have been given by then.
    """
    game = game_of(record, typed)
    lines = dict(lines_of(record))
    if seat not in lines:
        which = "seats that worked alone: choose one" if seat is None else f"no line of seat {seat}"
        raise Unplayable(f"game {record.id} has {which}")
    moves = (*record.opening, *lines[seat])
    try:
        with _plainly():
            state = game.parse(record.position) if record.position else game.start(record.deal)
        yield Step(state)
        for ply, text in enumerate(moves):
            with _plainly():
                mover = CHANCE if state.turn == CHANCE else state.turn if seat is None else seat
                state = state.after(parse_move(state, text))
            yield Step(state, text, mover, ply < len(record.opening))
    except Exception as wrong:  # the rules may be a plugin's, and not those it was played by
        raise Unplayable(
            f"game {record.id} cannot be replayed further ({type(wrong).__name__}: {wrong}); "
            f"the rules of {record.game} may have changed since"
        ) from wrong


def replayed(record: Record, typed: Typed | None = None) -> tuple[Replay, int]:
    """The positions and moves of a match, and how many of the moves are its opening's."""
    first, *steps = replay(record, typed=typed)
    states = (first.state, *(step.state for step in steps))
    return Replay(states, tuple(step.move for step in steps)), len(record.opening)


def check_rules(records: Sequence[Record], typed: Typed | None = None) -> None:
    """Raise Unplayable if a match would end differently by now, or not at all.

    A few that were played to their end, evenly chosen, are replayed. typed: as for `game_of`.
    """
    for some in (records[:: len(records) // LOOKED + 1], records):  # all are many to be read
        ended = [r for r in some if r.reason is Reason.TERMINAL and r.sought is Sought.NOTHING]
        if ended:
            break
    else:
        return
    for record in ended[:: max(1, -(-len(ended) // TRIED))]:
        *_, last = replay(record, typed=typed)
        if last.state.turn != TERMINAL or tuple(last.state.payoff()) != record.scores:
            raise Unplayable(
                f"game {record.id} does not end as it did; "
                f"the rules of {record.game} may have changed since"
            )


@contextmanager
def _plainly() -> Iterator[None]:
    """Run rules as plain Python, until that has taken `PLAIN` in this process."""
    global _spent
    if _spent > PLAIN:
        yield
        return
    begun = time.process_time()
    with interpreted():
        yield
    _spent += time.process_time() - begun
