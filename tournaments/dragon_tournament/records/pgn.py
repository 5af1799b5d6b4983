"""PGN: matches of two seats that move in turn, in Portable Game Notation.

S. J. Edwards, "Portable Game Notation Specification and Implementation Guide" (1994), in its
export format. The first seat is White. Moves are written as the game writes them, and what a FEN
is for chess is the game's own text of the position.
"""

from __future__ import annotations

import re
import textwrap

from dragon_tournament.formatting import visible
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.records.replay import Typed, game_of, replay, unfit

SYMBOL = re.compile(r"[A-Za-z][A-Za-z0-9_+#=:-]{0,254}")
"""A move in PGN (section 7); a number alone would be that of a move."""
WIDTH = 79
RESULTS: dict[tuple[float, ...], str] = {
    (1.0, 0.0): "1-0",
    (0.0, 1.0): "0-1",
    (0.5, 0.5): "1/2-1/2",
}
TERMINATION = {
    Reason.TERMINAL: "normal",
    Reason.RESIGNED: "normal",
    Reason.TIMEOUT: "time forfeit",
    Reason.ILLEGAL: "rules infraction",
    Reason.FALSE_CLAIM: "rules infraction",
    Reason.CRASH: "abandoned",
}
"""What the tag says of a reason; of the others `adjudication`."""


def to_pgn(record: Record, event: str = "", typed: Typed | None = None) -> str:
    """A game with its tags, as text that ends in an empty line; typed: as for `game_of`.

    Raises ConfigError for a game that PGN cannot say, Unplayable where it cannot be replayed.
    """
    if len(record.seats) != 2 or record.attempts:
        raise unfit("PGN", record, "it is not a match of two seats")
    first, *steps = replay(record, typed=typed)
    tokens: list[str] = []
    for ply, step in enumerate(steps, max(0, first.state.turn)):
        if step.mover != ply % 2:
            raise unfit("PGN", record, f"the seats do not move in turn (at {step.move})")
        if not SYMBOL.fullmatch(step.move):
            raise unfit("PGN", record, f"{step.move!r} is not a move there")
        if step.mover == 0 or not tokens:
            tokens.append(f"{ply // 2 + 1}{'.' if step.mover == 0 else '...'}")
        tokens.append(step.move)
    tokens.append(result := RESULTS.get(tuple(record.points), "*"))
    start = str(first.state)
    tags = {
        "Event": event or "?",
        "Site": "?",
        "Date": "????.??.??",
        "Round": "?",
        "White": record.seats[0],
        "Black": record.seats[1],
        "Result": result,
        "Variant": record.game,
        **({"SetUp": "1", "FEN": start} if start != str(game_of(record, typed).start(0)) else {}),
        "PlyCount": str(len(steps)),
        "Termination": TERMINATION.get(record.reason, "adjudication"),
        "GameId": record.id,
    }
    head = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    moves = textwrap.fill(" ".join(tokens), WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"{head}\n{moves}\n\n"


def _escaped(text: str) -> str:
    return visible(text).replace("\\", "\\\\").replace('"', '\\"')
