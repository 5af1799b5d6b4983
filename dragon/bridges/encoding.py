"""Encoding: the moves of a game and what a seat sees as numbers, as other libraries want them."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any

import numpy as np

import dragon
from dragon.boards.cells import Cells
from dragon.core import CHANCE, TERMINAL, Game, State
from dragon.rules.record import Moves, RecordState

SPARE = 8
"""The last actions, which stand for legal moves that no random game has met, in their order."""
GAMES, PLIES = 200, 20_000
"""Random games in which moves are looked for, and their plies together at most."""
LETTERS = 256
"""Bytes of an observation that is a position's text."""


class Encoding:
    """The actions and observations of a game, as numbers.

    An action is the place of a move in a list of all moves that random games have met, the same in
    every position and process; the last `SPARE` are for moves beyond these. An observation is
    float32: planes (plane, row, column) on a rectangular board, for each kind of piece, then for
    the turn (1: the seat's own) and each other number of the record; else all numbers of the record
    in a row, or, of a game in plain Python, the bytes of its text divided by 255.
    """

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.words = _moves_met(game)
        self.numbers = {word: number for number, word in enumerate(self.words)}
        self.size = len(self.words) + SPARE
        first = game.start(0)
        self.shape = self.seen(first, 0).shape

    def __reduce__(self) -> Any:
        return encoding, (str(self.game),)

    def actions(self, state: State[Any]) -> dict[int, int]:
        """The actions of the legal moves, and the places of these in their list."""
        moves, found, spare = state.moves(), dict[int, int](), len(self.words)
        words = moves.codes.tolist() if isinstance(moves, Moves) else map(str, moves)
        for place, word in enumerate(words):
            number = self.numbers.get(word)
            if number is None and spare < self.size:
                number, spare = spare, spare + 1
            if number is not None:
                found[number] = place
        return found

    def legal(self, state: State[Any]) -> dict[int, Any]:
        """The legal moves by their actions."""
        moves = state.moves()
        return {number: moves[place] for number, place in self.actions(state).items()}

    def mask(self, state: State[Any], seat: int) -> np.ndarray[Any, Any]:
        """int8[actions]: 1 for each legal action of the seat, if it is to move."""
        mask = np.zeros(self.size, np.int8)
        if state.turn == seat:
            mask[[*self.actions(state)]] = 1
        return mask

    def seen(self, state: State[Any], seat: int) -> np.ndarray[Any, Any]:
        """float32: what a seat sees of a state; see the class."""
        view = state.seen(seat) if state.turn != TERMINAL else state
        if not isinstance(view, RecordState):
            text = str(view).encode()[:LETTERS]
            return np.frombuffer(text.ljust(LETTERS, b"\0"), np.uint8).astype(np.float32) / 255
        record, notation = view.view, view.rules.notation
        cells = notation if isinstance(notation, Cells) else notation.cells
        if not isinstance(cells, Cells):
            return _numbers(record, record.dtype.names)
        board = np.array(cells.board(record))
        letters = [letter for kinds in cells.stones.values() for letter in kinds]
        planes = [board == letter for letter in letters]
        planes.append(np.full(board.shape, state.turn == seat))
        for name in record.dtype.names:
            if name not in cells.stones:
                planes += _planes(np.atleast_1d(np.asarray(record[name])), cells)
        return np.stack(planes).astype(np.float32)


def _planes(values: np.ndarray[Any, Any], cells: Cells) -> list[np.ndarray[Any, Any]]:
    """A plane for each number of a field, the same on all cells, or for each of its bit sets."""
    shape = (cells.rows, cells.columns)
    if within := values.dtype.names:  # a record within the record
        return [
            plane for each in values for name in within
            for plane in _planes(np.atleast_1d(np.asarray(each[name])), cells)
        ]  # fmt: skip
    if values.dtype != np.uint64:
        return [np.full(shape, number) for number in values.ravel().astype(np.float32)]
    words = max(cells.bits.values()) // 64 + 1
    if values.size % words:  # not sets of cells
        return [np.full(shape, bit) for bit in _bits(values)]
    found = []
    for held in values.reshape(-1, words):
        plane, bits = np.zeros(shape), _bits(held)
        for place, bit in cells.bits.items():
            plane[place] = bits[bit]
        found.append(plane)
    return found


def _bits(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """float32: the bits of words of 64, the lowest first."""
    return np.unpackbits(values.astype("<u8").ravel().view(np.uint8), bitorder="little").astype(
        np.float32
    )


def _numbers(record: Any, names: Any) -> np.ndarray[Any, Any]:
    """float32: the numbers of some fields of a record; a word of bits becomes 64 numbers."""
    parts = []
    for name in names:
        values = np.atleast_1d(np.asarray(record[name])).ravel()
        if values.dtype == np.uint64:
            parts.append(_bits(values))
        elif values.dtype.names:  # a record within the record
            parts += [_numbers(each, values.dtype.names) for each in values]
        elif values.dtype.kind in "iuf":
            parts.append(values.astype(np.float32))
    return np.concatenate(parts) if parts else np.zeros(0, np.float32)


@lru_cache
def _moves_met(game: Game[Any]) -> tuple[Hashable, ...]:
    """The names of all moves of seats that random games meet, in order."""
    found, plies = set[Hashable](), 0
    rng = np.random.default_rng(0)
    for deal in range(GAMES):
        state = game.start(deal)
        while state.turn != TERMINAL and plies < PLIES:
            moves = state.moves()
            if state.turn != CHANCE:
                found.update(moves.codes.tolist() if isinstance(moves, Moves) else map(str, moves))
            state = state.after(drawn(state, rng))
            plies += 1
    numbers = sorted(each for each in found if isinstance(each, int))
    return (*numbers, *sorted(each for each in found if isinstance(each, str)))


def drawn(state: State[Any], rng: np.random.Generator) -> Any:
    """A legal move at random; of chance as often as its odds say."""
    moves = state.moves()
    if state.turn == CHANCE:
        return moves[int(rng.choice(len(moves), p=np.asarray(state.odds())))]
    return moves[int(rng.integers(len(moves)))]


@lru_cache
def encoding(spec: str) -> Encoding:
    """The encoding of a game, made once in a process."""
    return Encoding(dragon.game(spec))
