"""A game of Nex as a log of its own format (`dragon_nex.records`), for `dragon.transcript`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from dragon.errors import BadNotation
from dragon.transcript import Transcript
from dragon_nex.records import outcome, read_records

if TYPE_CHECKING:
    from dragon_nex import Nex


def write(game: Nex, transcript: Transcript) -> str | None:
    """A log of one game; None for what no log tells: options, another start, no moves at all."""
    if not transcript.moves or transcript.start or evolve(game, rows=3, cols=3) != type(game)(3, 3):
        return None
    state = game.start()
    for move in transcript.moves:
        state = state.after(move)
    black, white = (*transcript.players, "", "")[:2]
    moves = "".join(f"{move};" for move in transcript.moves)
    return (
        f"Black:{black}\nWhite:{white}\n#games:1;\nGame#1\n"
        f"Board:r{game.rows}-c{game.cols}\nInit_State:;\n{moves}{outcome(state) or ''}\n"
    )


def transcribed(game: Nex, text: str) -> Transcript:
    """The only or first game of a log or record; raises BadNotation.

    A record that does not tell its size is of this game's board, where its cells are on it.
    """
    record = read_records(text, "the record")[0]
    rows, cols = record.board
    if record.size is None and rows <= game.rows and cols <= game.cols:
        rows, cols = game.rows, game.cols
    played = evolve(record, size=(rows, cols))
    try:
        of = played.game()
    except ValueError as wrong:
        raise BadNotation(str(wrong)) from wrong
    players = (record.black, record.white) if record.black or record.white else ()
    return Transcript(str(of), record.moves, players=players)
