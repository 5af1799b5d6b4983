"""Matches in PGN and SGF, as `dragon.transcripts` writes them, with what only records know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from dragon.core import Game
from dragon.protocols import Form, Transcript, notation_of
from dragon.transcripts import forms_of
from dragon.transcripts.annotation import with_comments
from dragon.transcripts.pgn import Pgn
from dragon.transcripts.replay import Replay, Unsayable
from dragon.transcripts.sgf import Sgf
from dragon_tournament.formatting import visible
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.records.replay import Typed, game_of, replay, unfit

RESULTS: dict[tuple[float, ...], str] = {
    (1.0, 0.0): "1-0",
    (0.0, 1.0): "0-1",
    (0.5, 0.5): "1/2-1/2",
}
"""The result in PGN by the points of White and of Black."""
WON: dict[tuple[float, ...], str] = {(1.0, 0.0): "B+", (0.0, 1.0): "W+", (0.5, 0.5): "Draw"}
"""The result in SGF by the points of the first seat, which is Black, and of the second."""
TERMINATION = {
    Reason.TERMINAL: "normal",
    Reason.RESIGNED: "normal",  # by a player itself; see Record.judged
    Reason.TIMEOUT: "time forfeit",
    Reason.ILLEGAL: "rules infraction",
    Reason.FALSE_CLAIM: "rules infraction",
    Reason.CRASH: "abandoned",
}
"""What the tag of PGN says of a reason, if the referee did not end the game."""
MARGINS = {
    Reason.RESIGNED: "R",
    Reason.TIMEOUT: "T",
    Reason.ILLEGAL: "F",
    Reason.FALSE_CLAIM: "F",
    Reason.CRASH: "F",
}
"""What stands behind the winner's colour in SGF: resigned, on time, forfeit."""


STAGED = ("swiss", "knockout")
"""The formats that have rounds of so many games of an encounter."""
Settings: TypeAlias = Mapping[str, Any]
"""The settings of a tournament, as `tournament.json` has them."""
UNKNOWN: Settings = {}
Judge: TypeAlias = Callable[[Game[Any], Replay, Form], Mapping[int, str]]
"""A function that gives the comment on each move by its number, as a form writes it."""


def to_pgn(
    record: Record, about: Settings = UNKNOWN, typed: Typed | None = None,
    judge: Judge | None = None, shorten: Callable[[str], object] | None = None,
) -> str:  # fmt: skip
    """A game with its tags, as text that ends in an empty line; typed: as for `game_of`.

    about: the settings of its tournament. shorten: called with the reason where PGN cannot say the
    moves, so that the tags and the result alone are returned.

    Raises ConfigError for a game that PGN cannot say, Unplayable where it cannot be replayed.
    """
    game = _match("PGN", record, typed)
    form = next(each for each in forms_of(game) if isinstance(each, Pgn))
    points = record.points if form.white == 0 else record.points[::-1]
    tags = {
        "Event": str(about.get("name") or "?"),
        **({"Date": record.date.replace("-", ".")} if record.date else {}),
        **_round(record, about),
        "Variant": record.game,
        "PlyCount": str(len(record.opening) + len(record.moves)),
        "Termination": "adjudication" if record.judged else TERMINATION[record.reason],
        **_time_controls(
            record, about, ("White", "Black") if form.white == 0 else ("Black", "White")
        ),
        "GameId": record.id,
    }
    return _written(
        "PGN", form, game, record, RESULTS.get(points, "*"), tags, typed, judge, shorten
    )


def _round(record: Record, about: Settings) -> dict[str, str]:
    """Return the tag of the round: the game's number, in a staged format after its stage."""
    if record.index is None:
        return {}
    games = about.get("games")
    if about.get("format") in STAGED and isinstance(games, int) and games > 0:
        stage, game = divmod(record.index, games)
        return {"Round": f"{stage + 1}.{game + 1}"}
    return {"Round": str(record.index + 1)}


def _time_controls(record: Record, about: Settings, colours: tuple[str, str]) -> dict[str, str]:
    """Return the tags of the time that the players had: one if it was the same for both.

    A clock is `40/60+0.5`, a limit in seconds `1/0.1` (one move in so much), anything else `-`.
    """
    tables = {table["name"]: table for table in about.get("players", ())}
    if not all(name in tables for name in record.seats):
        return {}
    found = [_time_control(tables[name]) for name in record.seats]
    if len({*found}) == 1:
        return {"TimeControl": found[0]}
    return {f"{c}TimeControl": time for c, time in sorted(zip(colours, found, strict=True))[::-1]}


def _time_control(player: Mapping[str, Any]) -> str:
    clock, seconds = player.get("clock"), player["limit"].get("seconds")
    if clock is not None:
        moves = f"{clock['moves']}/" if clock.get("moves") else ""
        gain = f"+{clock['increment']:g}" if clock.get("increment") else ""
        return f"{moves}{clock['seconds']:g}{gain}"
    return "-" if seconds is None else f"1/{seconds:g}"


def to_sgf(
    record: Record, about: Settings = UNKNOWN, typed: Typed | None = None,
    judge: Judge | None = None,
) -> str:  # fmt: skip
    """A game as a tree of one branch, on one line; typed: as for `game_of`.

    A game without a form of its own has the number of gomoku, on whose boards stones are put and
    never taken away, or that of Hex. Raises ConfigError for a game that is not a placing of stones,
    Unplayable where it cannot be replayed.
    """
    game = _match("SGF", record, typed)
    slant = bool(getattr(notation_of(game), "slant", False))
    other = Sgf(game.name, 11 if slant else 4, lettered=slant)
    form = next((each for each in forms_of(game) if isinstance(each, Sgf)), other)
    result = WON.get(record.points, "?")
    result += MARGINS.get(record.reason, "") if result.endswith("+") else ""
    tags = {
        "Name": record.id, "Rules": record.game, "Event": str(about.get("name", "")),
        **({"Date": record.date} if record.date else {}), **_round(record, about),
    }  # fmt: skip
    return _written("SGF", form, game, record, result, tags, typed, judge)


def comments(record: Record) -> dict[int, str]:
    """The comment on each move from its record, by its ply from 1: `+0.31/12 0.520s n=12345`.

    The value is for the seat that moved. Records without values or work have no comments.
    """
    found = {}
    blank = (None,) * len(record.moves)
    traces = zip(record.values or blank, record.work or blank, strict=True)
    for ply, (value, work) in enumerate(traces, len(record.opening) + 1):
        said = "" if value is None else f"{value:+.6g}"
        if work is not None:
            depth, nodes, seconds = work
            said += f"{'' if depth is None else f'/{depth}'} {seconds:.3f}s n={nodes}"
        if said := said.strip():
            found[ply] = said
    return found


def _match(kind: str, record: Record, typed: Typed | None) -> Game[Any]:
    """Return the game of a match of two seats; raises ConfigError for another record."""
    if len(record.seats) != 2 or record.attempts:
        raise unfit(kind, record, "it is not a match of two seats")
    return game_of(record, typed)


def _written(
    kind: str, form: Pgn | Sgf, game: Game[Any], record: Record, result: str,
    tags: Mapping[str, str], typed: Typed | None, judge: Judge | None,
    shorten: Callable[[str], object] | None = None,
) -> str:  # fmt: skip
    first, *steps = replay(record, typed=typed)
    played = Replay(
        (first.state, *(step.state for step in steps)), tuple(step.move for step in steps)
    )
    start = str(first.state)
    transcript = Transcript(
        record.game, played.moves, start if start != str(game.start(0)) else "", 0,
        tuple(map(visible, record.seats)), result,
        {key: visible(value) for key, value in tags.items()},
        comments(record),
    )  # fmt: skip
    if judge is not None:
        transcript = with_comments(transcript, judge(game, played, form))
    try:
        return form.text(game, played, transcript)
    except Unsayable as wrong:
        if shorten is not None and isinstance(form, Pgn):
            shorten(str(wrong))
            return form.headers(played, transcript)
        raise unfit(kind, record, str(wrong)) from wrong
