"""Portable Game Notation, for any game of two seats that move in turn; chess above all.

S. J. Edwards, "Portable Game Notation Specification and Implementation Guide" (1994). The first
seat is White. A move is as the game writes it, and a FEN is the game's own text of a position.
Variations are kept as comments, since a transcript is one line of play; evaluations of others,
`[%eval 0.3]`, are comments, too.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from attrs import frozen

from dragon.core import Game, State
from dragon.errors import BadNotation, GameError
from dragon.protocols import Form, Transcript
from dragon.transcripts.replay import (
    Replay,
    checked,
    first_state,
    line_of,
    outcome,
    replayed,
    shortened,
    state_move,
)

SYMBOL = re.compile(r"(?!\d+$)[A-Za-z0-9][A-Za-z0-9_+#=:/*-]{0,254}")
"""A move (section 7 of the standard); one that is a number alone would be that of a move."""
WIDTH = 79
ROSTER = {
    "Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?",
    "White": "?", "Black": "?", "Result": "*",
}  # fmt: skip
"""The tags that every game has, in this order, and what stands where nothing is known."""
RESULTS = {1: "1-0", -1: "0-1", 0: "1/2-1/2"}
TOKEN = re.compile(
    r"""(?P<space>\s+|^%[^\n]*|\be\.p\.?)
    |(?P<tag>\[\s*(?P<key>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\])
    |\{(?P<comment>[^}]*)\}|;(?P<rest>[^\n]*)
    |\$(?P<nag>\d{1,3})
    |(?P<open>\()|(?P<close>\))
    |(?P<result>1-0|0-1|1/2-1/2|½-½|\*)(?=$|[\s\[({;])
    |(?P<number>\d+\s*\.+|\d+(?=\s)|\.\.\.)
    |(?P<move>[^\s{}()\[\];$.]+)""",
    re.X | re.M,
)
NAGS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
SIGN = re.compile(r"[!?]+$")


@frozen
class Pgn(Form):
    """PGN of a game whose first seat is White."""

    name: ClassVar[str] = "pgn"
    title: ClassVar[str] = "Portable Game Notation"
    suffix: ClassVar[str] = ".pgn"
    general: ClassVar[bool] = True
    white: ClassVar[int] = 0
    """The seat that is White."""
    variants: ClassVar[tuple[str, ...]] = ()
    """What the tag Variant may say of the game, in small letters."""

    first: ClassVar[str] = ""
    """The pattern of how a move begins; a text whose first move does not is of another game."""

    def suits(self, game: Game[Any]) -> bool:
        """Return True for each game of two seats."""
        return len(game.teams) == 2

    # ---- what another notation than the game's own changes ---------------------------------------

    def position(self, game: Game[Any], fen: str) -> State[Any]:
        """Return the position of the tag FEN."""
        return game.parse(fen)

    def fen(self, state: State[Any]) -> str:
        """Return the text of a position for the tag FEN."""
        return str(state)

    def moves_of(self, state: State[Any], text: str, where: str) -> Sequence[str]:
        """Return the moves that a word says: one, unless a turn takes several."""
        return (checked(state, text, where),)

    def word(self, replay: Replay, numbers: Sequence[int]) -> str | None:
        """Return the word for the moves of a turn; None where there is none."""
        text = replay.moves[numbers[0]]
        return text if len(numbers) == 1 and SYMBOL.fullmatch(text) else None

    # ---- reading ---------------------------------------------------------------------------------

    def read(self, game: Game[Any], text: str) -> list[Transcript]:
        """Return all games of a text that begins with a tag or with a first move."""
        text = text.removeprefix("\ufeff")
        if not re.match(r'\s*(\[\s*\w+\s*"|1\s*\.|\{|;|%)', text):
            return []
        parts = list(_games(text))
        moves = (word.text for part in parts for word in part.words if word.kind == "move")
        if not re.match(self.first, next(moves, "")):
            return []
        return [self._game(game, part, n) for n, part in enumerate(parts, 1)]

    def _game(self, game: Game[Any], part: _Part, number: int) -> Transcript:
        tags, where = part.tags, f"game {number}"
        of = self._rules(game, tags, where)
        try:
            fen = tags.get("FEN", "")
            state = self.position(game, fen) if fen else first_state(game)
        except GameError as wrong:
            raise BadNotation(f"{where}, the tag FEN: {wrong}") from wrong
        begin = str(state) if fen else ""
        moves: list[str] = []
        comments: dict[int, str] = {}
        for word in part.words:
            if word.kind == "move":
                place = f"{where}, line {word.line}, move {word.text}"
                for move in self.moves_of(state, word.text, place):
                    moves.append(move)
                    state = state.after(state_move(state, move))
            else:
                at = len(moves)
                comments[at] = " ".join(filter(None, (comments.get(at, ""), word.text)))
        players = tuple(tags.get(key, "?") for key in self._colours())
        kept = {k: v for k, v in tags.items() if k not in {"FEN", "SetUp", "White", "Black"}}
        known = players if set(players) != {"?"} else ()
        return Transcript(of, tuple(moves), begin, 0, known, part.result, kept, comments)

    def _rules(self, game: Game[Any], tags: Mapping[str, str], where: str) -> str:
        """Return the spec of the game that the tag Variant names; raises BadNotation."""
        variant = tags.get("Variant", "").strip()
        if not variant or variant.lower() in {game.name, str(game), *self.variants}:
            return str(game)
        raise BadNotation(f"{where} is of {variant!r} (its tag Variant), and not of {game}")

    def _colours(self) -> tuple[str, str]:
        """Return the tags of the players, in the order of seats."""
        return ("White", "Black") if self.white == 0 else ("Black", "White")

    # ---- writing ---------------------------------------------------------------------------------

    def write(self, game: Game[Any], transcript: Transcript) -> str | None:
        """Return the game with its tags; None where the seats do not move in turn."""
        replay = replayed(game, transcript)
        tokens = self._tokens(replay, transcript.comments)
        if tokens is None or len(game.teams) != 2:
            return None
        result = self._result(replay, transcript)
        names = dict(zip(self._colours(), transcript.players, strict=False))
        start = {"SetUp": "1", "FEN": self.fen(replay.states[0])} if transcript.start else {}
        other = {"Variant": transcript.game} if game.name != "chess" else {}
        tags = {**ROSTER, **other, **transcript.tags, **names, **start, "Result": result}
        head = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
        body = textwrap.fill(
            " ".join([*tokens, result]), WIDTH, break_long_words=False, break_on_hyphens=False
        )
        return f"{head}\n{body}\n\n"

    def _tokens(self, replay: Replay, comments: Mapping[int, str]) -> list[str] | None:
        """Return the words of the moves, with numbers and comments."""
        tokens = [_comment(comments[0])] if comments.get(0) else []
        ply = int(replay.states[0].turn != self.white)
        number_due = True
        for seat, numbers in replay.turns():
            word = self.word(replay, numbers)
            if word is None or seat != (ply + self.white) % 2:
                return None
            if ply % 2 == 0 or number_due:
                tokens.append(f"{ply // 2 + 1}{'...' if ply % 2 else '.'}")
            tokens.append(word)
            said = " ".join(filter(None, (comments.get(n + 1, "") for n in numbers)))
            if said:
                tokens.append(_comment(said))
            number_due, ply = bool(said), ply + 1
        return tokens

    def _result(self, replay: Replay, transcript: Transcript) -> str:
        payoffs = outcome(replay.states[-1])
        if payoffs is None:
            return transcript.result if transcript.result in RESULTS.values() else "*"
        value = payoffs[self.white]
        return RESULTS[(value > 0) - (value < 0)]


@frozen
class _Word:
    """A move or a comment, and its line in the text."""

    kind: str
    text: str
    line: int


@frozen
class _Part:
    """The tags and words of one game, and its result."""

    tags: dict[str, str]
    words: tuple[_Word, ...]
    result: str = ""


def _games(text: str) -> Iterator[_Part]:
    """Yield the games of a text one after another; raises BadNotation with the line."""
    tags: dict[str, str] = {}
    words: list[_Word] = []
    opened: list[int] = []
    at = 0
    while at < len(text):
        token = TOKEN.match(text, at)
        line = line_of(text, at)
        if token is None:
            raise BadNotation(f"line {line}: {shortened(text[at:])} is not PGN")
        at, kind = token.end(), token.lastgroup
        if kind == "open":
            opened.append(token.start())
        elif kind == "close":
            if not opened:
                raise BadNotation(f"line {line}: ) closes no variation; take it out, or open one")
            begun = opened.pop()
            if not opened:
                words.append(_Word("comment", " ".join(text[begun:at].split()), line))
        elif opened:
            continue
        elif token["tag"] is not None:
            if words:
                yield _Part(tags, tuple(words), tags.get("Result", ""))
                tags, words = {}, []
            tags[token["key"]] = re.sub(r"\\(.)", r"\1", token["value"])
        elif (said := token["comment"] or token["rest"]) is not None:
            words.append(_Word("comment", " ".join(said.split()), line))
        elif kind == "nag":
            words.append(_Word("comment", NAGS.get(int(token["nag"]), f"${token['nag']}"), line))
        elif kind == "result":
            yield _Part(tags, tuple(words), token["result"].replace("½", "1/2"))
            tags, words = {}, []
        elif kind == "move" and token["move"] != "ep":
            move = token["move"]
            words.append(_Word("move", SIGN.sub("", move), line))
            if sign := SIGN.search(move):
                words.append(_Word("comment", sign[0], line))
    if opened:
        line = line_of(text, opened[0])
        raise BadNotation(f"line {line}: the variation that begins there does not end; write )")
    if words or tags:
        yield _Part(tags, tuple(words), tags.get("Result", ""))


def _escaped(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')


def _comment(text: str) -> str:
    return "{" + text.replace("{", "(").replace("}", ")") + "}"
