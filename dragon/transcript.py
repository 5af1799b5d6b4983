"""Transcript: one game as text, to be kept and read again.

A game may have a format of its own, by two methods that this module looks for:

    def write(self, transcript: Transcript) -> str | None       # None: it cannot say this one
    def transcribed(self, text: str) -> Transcript | None       # None: this is not my format

The format of all others tells what is needed, a line each, and the moves:

    game: hex(size=3)
    seat 1: human
    seat 2: mcts
    moves:
    b2
    a3
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from dragon.core import Game
from dragon.errors import BadNotation

WORDS = ("game", "start", "deal", "result")
"""What stands before the moves, besides the seats."""


@frozen
class Transcript:
    """A game from its beginning, finished or not."""

    game: str
    """Its spec."""
    moves: tuple[str, ...] = ()
    """All of them, those of luck too."""
    start: str = ""
    """The position it began with; empty: the usual one."""
    deal: int = 0
    """The seed of what was dealt."""
    players: tuple[str, ...] = ()
    """Who sat where."""
    result: str = ""
    """How it ended, in words; not read again."""


def write(game: Game[Any], transcript: Transcript) -> str:
    """The text of a transcript, in the game's own format where it has one for it."""
    own = getattr(game, "write", None)
    if own is not None and (text := own(transcript)) is not None:
        return str(text)
    lines = [f"game: {transcript.game}"]
    if transcript.start:
        lines.append(f"start: {transcript.start}")
    if transcript.deal:
        lines.append(f"deal: {transcript.deal}")
    lines += [f"seat {number}: {name}" for number, name in enumerate(transcript.players, 1)]
    if transcript.result:
        lines.append(f"result: {transcript.result}")
    return "\n".join([*lines, "moves:", *transcript.moves]) + "\n"


def read(text: str, game: Game[Any]) -> Transcript:
    """The transcript of a text: of any game in the common format, of `game` in its own.

    Raises BadNotation with the line that is neither.
    """
    text = text.removeprefix("\ufeff").strip()
    if not text:
        raise BadNotation("the text is empty; a transcript has a line `game: NAME` and its moves")
    if not text.lower().startswith("game:"):
        own = getattr(game, "transcribed", None)
        if own is not None and (found := own(text)) is not None:
            assert isinstance(found, Transcript)
            return found
        raise BadNotation(
            f"this is no transcript that {game} knows; the first line should be `game: NAME`"
        )
    head, moves = _parts(text)
    deal = head.get("deal", "0")
    if not (deal.isdecimal() and deal.isascii() and len(deal) < 17):
        raise BadNotation(f"deal: {deal!r} is no seed; write a whole number")
    players = tuple(value for key, value in head.items() if key.startswith("seat "))
    return Transcript(head["game"], moves, head.get("start", ""), int(deal), players)


def _parts(text: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """What stands before the moves, and the moves."""
    head: dict[str, str] = {}
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        key, colon, value = line.partition(":")
        key = key.strip().lower()
        if key == "moves" and colon and not value.strip():
            return head, tuple(line.strip() for _, line in lines if line.strip())
        if not colon or not (key in WORDS or key.startswith("seat ")):
            raise BadNotation(
                f"line {number}: {line.strip()[:60]!r} is not `word: value` with one of "
                f"{', '.join(WORDS)}, seat 1, seat 2, ... or moves"
            )
        head[key] = value.strip()
    return head, ()
