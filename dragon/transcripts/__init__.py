"""Whole games as text: the common form of all games, and those of other programs.

Read `replay` first, how games are replayed and mistakes placed; then `pgn` and `sgf`, two standards
for many games; `annotation` gives each move its value. Here are the common form that every game
has, a line for each fact and for each move, and which forms a game has beside it. A form of a
single game is in its plugin, which offers it by the hook `dragon_transcripts`:
`dragon.protocols.Form`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from attrs import NOTHING, fields

from dragon import plugins
from dragon.core import Game
from dragon.errors import BadNotation
from dragon.protocols import Form, Transcript
from dragon.transcripts.replay import shortened

WORDS = ("game", "start", "deal", "result")
"""The words before the moves, besides the seats."""


def write(game: Game[Any], transcript: Transcript) -> str:
    """Return a transcript in the usual form of the game that can say it, else in the common one."""
    return written(game, transcript)[0]


def written(game: Game[Any], transcript: Transcript) -> tuple[str, str]:
    """Return the text of a transcript and the usual end of its file's name, such as `.pgn`."""
    if (text := game.write_transcript(transcript)) is not None:
        return text, ".txt"
    for form in forms_of(game):
        if not form.general and (text := form.write(game, transcript)) is not None:
            return text, form.suffix
    return common(transcript), ".txt"


def common(transcript: Transcript) -> str:
    """Return a transcript in the form of all games."""
    first = {"start": transcript.start, "deal": transcript.deal}
    lines = [f"game: {transcript.game}", *(f"{k}: {v}" for k, v in first.items() if v)]
    lines += [f"seat {number}: {name}" for number, name in enumerate(transcript.players, 1)]
    lines += [f"result: {transcript.result}"] if transcript.result else []
    return "\n".join([*lines, "moves:", *transcript.moves]) + "\n"


def read(text: str, game: Game[Any]) -> Sequence[Transcript]:
    """Return the games of a text, at least one: of any game in the common form, which has one, of
    `game` in another.

    Raises BadNotation with the line that is neither.
    """
    text = text.removeprefix("\ufeff").strip()
    if not text:
        raise BadNotation("the text is empty; a transcript has a line `game: NAME` and its moves")
    if not text.lower().startswith("game:"):
        if found := game.read_transcripts(text):
            return found
        mistake = None
        for form in forms_of(game):
            try:
                if found := form.read(game, text):
                    return found
            except BadNotation as wrong:
                if not form.general:
                    raise
                mistake = mistake or wrong
        raise mistake or BadNotation(
            f"{shortened(text)} is not a game of {game} in a form that is known "
            f"({', '.join([*(form.title for form in forms_of(game)), '`game: NAME` and moves'])})"
        )
    head, moves = _parts(text)
    deal = head.get("deal", "0")
    if not (deal.isdecimal() and deal.isascii() and len(deal) < 17):
        raise BadNotation(f"deal: {deal!r} is not a seed; write a whole number")
    players = tuple(value for key, value in head.items() if key.startswith("seat "))
    return (Transcript(head["game"], moves, head.get("start", ""), int(deal), players),)


def _parts(text: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the lines before the moves, by their words, and the moves."""
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


def forms_of(game: Game[Any]) -> list[Form]:
    """Return the forms that suit a game, its usual one first, and last that of many games."""
    from dragon.transcripts.pgn import Pgn

    found: dict[str, Form] = {}
    for offer in plugins.offers("dragon_transcripts"):
        form = offer.value
        if not isinstance(form, Form):
            plugins.warn_skipped(
                f"{form!r}, a form of plugin {offer.plugin!r}{offer.place}; it must be a "
                "dragon.protocols.Form"
            )
        elif form.suits(game):
            found.setdefault(form.name, form)
    general = Pgn()
    if general.suits(game):
        found.setdefault(general.name, general)
    return list(found.values())


def recognised(
    text: str,
) -> tuple[list[tuple[Game[Any], list[Transcript]]], BadNotation | None]:
    """Return the games of which a text may be, with what it has of each, or the mistake in it.

    Games that need a setting are not tried. A list of moves may be of several games, so that it
    counts only where no other form reads the text.
    """
    found: list[tuple[Game[Any], list[Transcript]]] = []
    listed: list[tuple[Game[Any], list[Transcript]]] = []
    mistake = None
    for cls in plugins.games().values():
        if any(each.default is NOTHING for each in fields(cls)):
            continue
        of = cls()
        with suppress(BadNotation):  # a game's own format may accept any text
            if transcripts := list(of.read_transcripts(text)):
                found.append((of, transcripts))
                continue
        for form in forms_of(of):
            if form.general and form.name != "moves":
                continue
            try:
                transcripts = list(form.read(of, text))
            except BadNotation as wrong:
                mistake = mistake or (None if form.general else wrong)
                continue
            if transcripts:
                (listed if form.general else found).append((of, transcripts))
                break
    return found or listed, mistake
