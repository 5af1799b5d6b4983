"""Replays of whole games, and the places of mistakes in them; the form that lists cells alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, ClassVar

from attrs import frozen

from dragon.core import TERMINAL, Game, State
from dragon.errors import BadNotation, GameError
from dragon.protocols import Form, Transcript, notation_of
from dragon.rules.notation import parse_move


class Unsayable(GameError):
    """A game that a form cannot express; the reason, as a part of a sentence."""


@frozen
class Replay:
    """The states of a game, one more than moves."""

    states: tuple[State[Any], ...]
    moves: tuple[str, ...]

    @property
    def movers(self) -> tuple[int, ...]:
        """The seat that made each move, or CHANCE."""
        return tuple(state.turn for state in self.states[:-1])

    def turns(self) -> list[tuple[int, list[int]]]:
        """The seat of each turn, and the numbers of its moves: a turn may take several."""
        return [
            (seat, list(numbers))
            for seat, numbers in groupby(range(len(self.moves)), self.movers.__getitem__)
        ]


class Walk:
    """A game that a reader goes through: each move is checked, kept and made."""

    def __init__(self, game: Game[Any], start: str = "", deal: int = 0) -> None:
        self.game, self.start, self.deal = game, start, deal
        self.states: list[State[Any]] = [game.parse(start) if start else game.start(deal)]
        self.moves: list[str] = []
        self.comments: dict[int, str] = {}
        self.turns = 0  # that are over; each may take several moves

    @property
    def state(self) -> State[Any]:
        """The state that the moves have led to."""
        return self.states[-1]

    def make(self, text: str, where: str) -> None:
        """Make the move of a text; raises BadNotation, which names the place."""
        if (seat := self.state.turn) == TERMINAL:
            raise BadNotation(f"{where}, {text!r}: the game is over before it")
        try:
            move = parse_move(self.state, text)
            self.states.append(self.state.after(move))
        except GameError as wrong:
            raise BadNotation(f"{where}: {wrong}") from wrong
        self.moves.append(str(move))
        self.turns += self.state.turn != seat

    def say(self, text: str) -> None:
        """Add a comment to those after the moves so far."""
        add_comment(self.comments, len(self.moves), text)

    def transcript(
        self, players: tuple[str, ...] = (), result: str = "", tags: Mapping[str, str] | None = None
    ) -> Transcript:
        """Return the game as it has been read."""
        return Transcript(
            str(self.game), tuple(self.moves), self.start, self.deal, players, result, tags or {},
            self.comments,
        )  # fmt: skip


def add_comment(comments: dict[int, str], number: int, text: str) -> None:
    """Append a comment to those after this number of moves."""
    if text:
        comments[number] = " ".join(filter(None, (comments.get(number, ""), text)))


def replayed(game: Game[Any], transcript: Transcript) -> Replay:
    """Return the states of a transcript; raises BadNotation with the number of a wrong move."""
    walk = Walk(game, transcript.start, transcript.deal)
    for number, text in enumerate(transcript.moves, 1):
        walk.make(text, f"move {number}")
    return Replay(tuple(walk.states), tuple(walk.moves))


def cells_of(game: Game[Any], transcript: Transcript) -> Iterator[tuple[int, int]]:
    """Yield the row and column of each move, in a game whose moves are cells of a board."""
    board: Any = notation_of(game)
    places = {board.name(row, column): (row, column) for row, column in board.bits}
    yield from (places[move] for move in replayed(game, transcript).moves)


def outcome(state: State[Any]) -> tuple[float, ...] | None:
    """Return the payoffs of a game that is over."""
    return tuple(state.payoff()) if state.turn == TERMINAL else None


def result_note(said: Iterable[str], board: str) -> str:
    """Return the comment at results that contradict one another, or that of the board; else "".

    >>> result_note(["1-0", "1-0"], "0-1"), result_note(["1-0"], "")
    ('The result is written as 1-0, and by the board it is 0-1.', '')
    """
    written = [*dict.fromkeys(filter(None, said))]
    if not written or {*written} == {board or written[0]}:
        return ""
    ends = f", and by the board it is {board}." if board else "."
    return f"The result is written as {' and '.join(written)}{ends}"


def line_of(text: str, at: int) -> int:
    """Return the number of the line of a place in a text."""
    return text.count("\n", 0, at) + 1


def shortened(text: str, most: int = 30) -> str:
    """Return the beginning of a text on one line, for a message."""
    words = " ".join(text.split())
    return repr(words if len(words) <= most else words[: most - 3] + "...")


BETWEEN = re.compile(r"\s+|,|;|\||\d+\s*[.)]+|-(?!-)|(?:\d+-\d+|1/2)$")
"""The text allowed between cells: spaces, commas, numbers of moves, a result at the end."""
PASS = re.compile(r"pass|pa(?![a-z0-9])|--", re.I)


@frozen
class Cells(Form):
    """The cells of moves, as players of the game write them down."""

    name: ClassVar[str] = "moves"
    title: ClassVar[str] = "Moves one after another"
    suffix: ClassVar[str] = ".txt"
    general: ClassVar[bool] = True
    rules: tuple[str, ...]
    """The names of the games."""
    passes: bool = False
    """True if a side that cannot move passes implicitly."""
    word: str = r"[a-z]\d{1,2}"
    """The pattern of a move: a cell, or the digit of a column."""

    def read(self, game: Game[Any], text: str) -> list[Transcript]:
        """Return the one game of a text of cells; none where it does not begin with two of them.

        Raises BadNotation where anything else comes later.
        """
        text = text.removeprefix("\ufeff").strip()
        words, at = [], 0
        while at < len(text):
            if found := BETWEEN.match(text, at):
                at = found.end()
            elif found := PASS.match(text, at) or re.compile(self.word, re.I).match(text, at):
                words.append(found[0])
                at = found.end()
            elif len(words) < 2:
                return []
            else:
                raise BadNotation(
                    f"move {len(words) + 1}: {shortened(text[at:])} does not begin with a move"
                )
        if not words:
            return []
        walk = Walk(game)
        for number, word in enumerate(words, 1):
            place, cell = f"move {number}", "pass" if PASS.fullmatch(word) else word.lower()
            if self.passes and cell != "pass" and [*map(str, walk.state.moves())] == ["pass"]:
                walk.make("pass", place)
            walk.make(cell, place)
        return [walk.transcript()]

    def write(self, game: Game[Any], transcript: Transcript) -> str | None:
        """Return the moves in one word; None for a game from another start."""
        if transcript.start or not transcript.moves:
            return None
        moves = replayed(game, transcript).moves
        return "".join(m for m in moves if not (self.passes and m == "pass")) + "\n"
