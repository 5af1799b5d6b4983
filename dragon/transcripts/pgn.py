"""Portable Game Notation, for any game of two seats that move in turn; chess above all.

S. J. Edwards, "Portable Game Notation Specification and Implementation Guide" (1994). The first
seat is White. A move is as the game writes it, and a FEN is the game's own text of a position.
Variations are kept as comments, since a transcript is one line of play; evaluations by others,
`[%eval 0.3]`, are comments, too. A mark at the beginning of a comment, `??`, is written by its
number, `$4`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from attrs import evolve, frozen

from dragon.core import Game, State
from dragon.core.spec import parse_call
from dragon.errors import BadNotation, ConfigError, GameError
from dragon.protocols import Form, Transcript
from dragon.transcripts.replay import (
    Replay,
    Unsayable,
    Walk,
    line_of,
    outcome,
    replayed,
    result_note,
    shortened,
)

SYMBOL = re.compile(r"(?!\d+$)[A-Za-z0-9][A-Za-z0-9_+#=:/*-]{0,254}")
"""A move (section 7 of the standard); one that is a number alone would be that of a move."""
WIDTH = 79
ROSTER = {
    "Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?",
    "White": "?", "Black": "?", "Result": "*",
}  # fmt: skip
"""The tags that every game has, in this order, and their values where nothing is known."""
RESULTS = {1: "1-0", -1: "0-1", 0: "1/2-1/2"}
TOKEN = re.compile(
    r"""(?P<space>\s+|^%[^\n]*|\be\.p\.?)
    |(?P<tag>\[\s*(?P<key>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\])
    |\{(?P<comment>[^}]*)\}|;(?P<rest>[^\n]*)
    |\$(?P<nag>\d{1,3})
    |(?P<open>\()|(?P<close>\))
    |(?P<result>1-0|0-1|1/2-1/2|½-½|\*)(?=$|[\s\[({;])
    |(?P<number>\d+\s*\.(?:[\s.]*\.)?|\d{1,3}(?=\s)|\.\.\.)
    |(?P<move>[^\s{}()\[\];$.]+)""",
    re.X | re.M,
)
NAGS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
NUMBERS = {sign: f"${number}" for number, sign in NAGS.items()}
SIGN = re.compile(r"[!?]+$")
MARKED = re.compile(r"([!?]{1,2}|\$\d{1,3})(?:\s+|$)(.*)", re.S)


@frozen
class Pgn(Form):
    """PGN of a game whose first seat is White."""

    name: ClassVar[str] = "pgn"
    title: ClassVar[str] = "Portable Game Notation"
    suffix: ClassVar[str] = ".pgn"
    general: ClassVar[bool] = True
    commented: ClassVar[bool] = True
    white: ClassVar[int] = 0
    """The seat that is White."""
    variants: ClassVar[tuple[str, ...]] = ()
    """The values of the tag Variant that mean this game, in small letters."""

    first: ClassVar[str] = ""
    """The pattern of how a move begins; a text whose first move does not is of another game."""

    def suits(self, game: Game[Any]) -> bool:
        """Return True for each game of two seats, unless `rules` names some."""
        return super().suits(game) if self.rules else len(game.teams) == 2

    # ---- what another notation than the game's own changes ---------------------------------------

    def position(self, game: Game[Any], fen: str) -> State[Any]:
        return game.parse(fen)

    def fen(self, state: State[Any]) -> str:
        """Return the text of a position for the tag FEN."""
        return str(state)

    def plies(self, state: State[Any]) -> int:
        """Return the plies before the first position; 0 or 1 where it does not have a number."""
        return int(state.turn != 0)

    def make(self, walk: Walk, text: str, where: str) -> None:
        """Make the moves that a word says: one, unless a turn takes several."""
        walk.make(text, where)

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
            walk = Walk(of, str(self.position(of, fen)) if fen else "")
        except GameError as wrong:
            raise BadNotation(f"{where}, the tag FEN: {wrong}") from wrong
        counted = None
        for word in part.words:
            if word.kind == "move":
                self.make(walk, word.text, f"{where}, line {word.line}, move {word.text}")
            elif word.kind == "comment":
                walk.say(word.text)
            else:
                before = walk.turns - _plies(word.text)
                counted = before if counted is None else counted
                if before != counted:
                    raise BadNotation(
                        f"{where}, line {word.line}: the number {word.text} is not the next one; "
                        "is a move missing before it?"
                    )
        said = (tags.get("Result", "").replace("½", "1/2"), part.result)
        walk.say(
            result_note((s for s in said if s in RESULTS.values()), self._of_board(walk.state))
        )
        players = tuple(tags.get(key, "?") for key in self._colours())
        kept = {k: v for k, v in tags.items() if k not in {"FEN", "SetUp", "White", "Black"}}
        known = players if set(players) != {"?"} else ()
        return walk.transcript(known, part.result, kept)

    def _rules(self, game: Game[Any], tags: Mapping[str, str], where: str) -> Game[Any]:
        """Return the game, which the tag Variant must name, of that size; raises BadNotation."""
        variant = tags.get("Variant", "").strip()
        if not variant or variant.lower() in {game.name, str(game), *self.variants}:
            return game
        with suppress(ConfigError, TypeError, ValueError):
            name, settings = parse_call(variant)
            if name == game.name and all(isinstance(each, int) for each in settings.values()):
                return type(game)(**settings)  # only numbers: other text is not trusted
        raise BadNotation(f"{where} is of {variant!r} (its tag Variant), and not of {game}")

    def _colours(self) -> tuple[str, str]:
        """Return the tags of the players, in the order of seats."""
        return ("White", "Black") if self.white == 0 else ("Black", "White")

    # ---- writing ---------------------------------------------------------------------------------

    def write(self, game: Game[Any], transcript: Transcript) -> str | None:
        """Return the game with its tags; None where the seats do not move in turn."""
        with suppress(Unsayable):
            return self.text(game, replayed(game, transcript), transcript)
        return None

    def text(self, game: Game[Any], replay: Replay, transcript: Transcript) -> str:
        """Return the PGN of a game that has been replayed; raises Unsayable."""
        if len(game.teams) != 2:
            raise Unsayable("it is not a game of two seats")
        tokens = self._tokens(replay, transcript.comments)
        return self._written(replay, transcript, tokens)

    def headers(self, replay: Replay, transcript: Transcript) -> str:
        """Return the tags and the result of a game, without its moves."""
        return self._written(replay, transcript, [])

    def _written(self, replay: Replay, transcript: Transcript, tokens: Sequence[str]) -> str:
        result = self._result(replay, transcript)
        names = dict(zip(self._colours(), transcript.players, strict=False))
        start = {"SetUp": "1", "FEN": self.fen(replay.states[0])} if transcript.start else {}
        kind = self.kind(transcript.game)
        tags = {**ROSTER, **names, **kind, **start, **transcript.tags, "Result": result}
        head = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
        body = textwrap.fill(
            " ".join([*tokens, result]), WIDTH, break_long_words=False, break_on_hyphens=False
        )
        return f"{head}\n{body}\n\n"

    def kind(self, spec: str) -> dict[str, str]:
        """Return the tags that say which game it is."""
        return {"Variant": spec}

    def _tokens(self, replay: Replay, comments: Mapping[int, str]) -> list[str]:
        """Return the words of the moves, with numbers and comments; raises Unsayable."""
        tokens = _said(comments.get(0, ""))
        ply = self.plies(replay.states[0])
        number_due = True
        for seat, numbers in replay.turns():
            word, moves = self.word(replay, numbers), [replay.moves[n] for n in numbers]
            if seat != ply % 2 or (word is None and len(moves) > 1):
                at = moves[seat == ply % 2]
                raise Unsayable(f"the seats do not move in turn (at {at})")
            if word is None:
                raise Unsayable(f"{moves[0]!r} is not a move there")
            if ply % 2 == 0 or number_due:
                tokens.append(f"{ply // 2 + 1}{'...' if ply % 2 else '.'}")
            tokens.append(word)
            said = " ".join(filter(None, (comments.get(n + 1, "") for n in numbers)))
            tokens += _said(said)
            number_due, ply = bool(said), ply + 1
        return tokens

    def _result(self, replay: Replay, transcript: Transcript) -> str:
        said = transcript.result if transcript.result in RESULTS.values() else "*"
        return self._of_board(replay.states[-1]) or said

    def _of_board(self, state: State[Any]) -> str:
        """Return the result of a game that is over by its rules; else nothing."""
        if (payoffs := outcome(state)) is None:
            return ""
        value = payoffs[self.white] - payoffs[1 - self.white]
        return RESULTS[(value > 0) - (value < 0)]


@frozen
class _Word:
    """A move, the number of one, or a comment, and its line in the text."""

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
    """Yield the games of a text, with the comments between them; raises BadNotation."""
    last = None
    for part in _parts(text):
        said = last is not None and all(word.kind == "comment" for word in last.words)
        rest = not part.tags and not part.result
        if last and rest and all(word.kind == "comment" for word in part.words):
            last = evolve(last, words=last.words + part.words)
        elif last and said and not last.tags and not last.result:
            last = evolve(part, words=last.words + part.words)
        else:
            if last:
                yield last
            last = part
    if last:
        yield last


def _parts(text: str) -> Iterator[_Part]:
    """Yield the games, and comments outside them, one after another."""
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
        elif kind == "number" and token["number"] != "...":
            words.append(_Word("number", "".join(token["number"].split()), line))
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


def beginning(text: str, plies: int) -> str:
    """Return the first moves of a text's first game, with the tags that say where it began."""
    part = next(_games(text), None)
    if part is None:
        raise BadNotation("there is no game in it")
    tags = {key: part.tags[key] for key in ("Variant", "SetUp", "FEN") if key in part.tags}
    head = "".join(f'[{k} "{_escaped(v)}"]' for k, v in ({"Event": "?"} | tags).items())
    moves = [word.text for word in part.words if word.kind == "move"]
    return f"{head} {' '.join(moves[:plies])}"


def _plies(number: str) -> int:
    """Return the plies before the move after a move number, from 2 on: `1.`, `1...`."""
    return 2 * int(number.rstrip(".")) + (number.count(".") > 1)


def _escaped(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')


def _said(comment: str) -> list[str]:
    """Return the number of a mark and a comment; nothing of an empty text."""
    signs = []
    while marked := MARKED.match(comment):
        signs.append(NUMBERS.get(marked[1], marked[1]))
        comment = marked[2]
    return signs + (["{" + comment.replace("{", "(").replace("}", ")") + "}"] if comment else [])
