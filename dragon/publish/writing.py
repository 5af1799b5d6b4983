"""Writing: the texts, the drawing and the clicks of a board's moves, as tables for a script.

The drawing is the game's own: the SVG of the empty board, cut at its cells, and what stands on a
cell for each letter, which may be another shape on another cell, as an edge of dots and boxes is.

The text and the clicks of a move are computed from its code (Grid, Board), or looked up in a table
of all moves (`listed`), or, where these would be too many, spelt by kernels from the notation's
rule `spell`.

The module stays apart from `publication`, which joins its tables with the game's kernels.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from attrs import frozen

from dragon.bits import Random
from dragon.boards.board import Board
from dragon.boards.clicks import clicks
from dragon.boards.grid import Grid
from dragon.boards.material import DOMINOES, won
from dragon.core import TERMINAL
from dragon.errors import ConfigError
from dragon.protocols import Part, Sum
from dragon.publish.wasm import fields, kind
from dragon.rules.record import RecordState
from dragon.rules.rules import Rules
from dragon.rules.template import kernel, moves

CELL = re.compile(r'<g data-cell="[^"]*" aria-label="([^"]*)" transform="([^"]*)">(.*?)</g>')
"""A cell of a drawing (`dragon.boards.drawing`): its label, its place and its shapes."""


def written(state: RecordState) -> dict[str, Any]:
    """Return the tables of the notation of the game that begins at `state`.

    Raises ConfigError unless it is a Grid or a Board or has `cells`, or too many moves.
    """
    rules, notation = state.rules, state.rules.notation
    drawn = notation if notation.cells is None else notation.cells
    if (parts := notation.drawing()) is not None:
        drawing = _counts(rules, parts)
    elif isinstance(drawn, Grid | Board):
        drawing = Sheet(rules, drawn).tables()
    else:
        raise ConfigError(
            f"{rules.label} cannot be published: its notation is a {type(notation).__name__}, and "
            "a page knows those of boards only; take dragon.Grid or dragon.Board, or add `cells` "
            "or `drawing`"
        )
    found = {"grid": False, "byColumn": False, "columns": 0, **_moves(state, notation), **drawing}
    if scores := notation.scores(state.view):
        found["scores"] = [_places(rules, each) for each in scores]
    return found


def _moves(state: RecordState, notation: Any) -> dict[str, Any]:
    """The meaning of move codes: rules of a Grid or a Board, or a table."""
    if _as(Grid, notation):
        return {"grid": True, "byColumn": notation.by_column, "columns": notation.columns}
    if _as(Board, notation):
        return {
            "columns": notation.columns, "span": notation.span, "moving": notation.moving,
            "promotions": notation.promotions, "words": dict(notation.words),
        }  # fmt: skip
    columns = {} if notation.cells is None else {"columns": notation.cells.columns}
    if notation.spell is not None:
        return {**columns, "vocabulary": notation.vocabulary}
    return {**columns, "table": listed(state)}


def _as(base: type, notation: Any) -> bool:
    """Return True if a notation writes and clicks moves as a Grid or a Board does."""
    own = type(notation)
    return isinstance(notation, base) and all(
        getattr(own, name, None) is getattr(base, name, None) for name in ("move_text", "clicks")
    )


def _counts(rules: Rules, parts: Sequence[Part]) -> dict[str, Any]:
    """Return the parts of a drawing: text, or places to be summed, and the index in `shown` of the
    texts by sum."""
    shown: list[Any] = [None]  # the digits themselves

    def added(part: Sum) -> list[Any]:
        if part.shown not in shown:
            shown.append(part.shown)
        return [_places(rules, part), shown.index(part.shown)]

    drawing = [part if isinstance(part, str) else added(part) for part in parts]
    return {"names": [], "bits": [], "sets": {}, "drawing": drawing, "shown": shown}


def _places(rules: Rules, part: Sum) -> list[list[Any]]:
    """Return the places of a sum: the offset of a number in a record, its kind, its factor, and for
    a set its bit."""
    first = rules.record(bytes(rules.layout.itemsize))

    def placed(factor: int, name: str, index: tuple[int, ...], *bits: int) -> list[Any]:
        array = first[name]
        at = fields(rules.layout)[name][0]
        at += sum(i * step for i, step in zip(index, array.strides, strict=True))
        if bits:
            return [at + bits[0] // 8, "u1", factor, bits[0] % 8]
        return [at, kind(array.dtype), factor]

    return [placed(factor, *place) for place, factor in part.places.items()]


@frozen
class Sheet:
    """The drawings of a board."""

    rules: Rules
    notation: Grid | Board

    def tables(self) -> dict[str, Any]:
        """Bits and names of cells, sets of stones, and the SVG in parts."""
        board, empty = self.notation, self._svg()
        found = list(CELL.finditer(empty))
        if len(found) != len(board.bits):
            raise ConfigError(
                f"{self.rules.label} cannot be published: its drawing does not have one "
                '<g data-cell="..." aria-label="..."> for each cell'
            )
        ends = [found[0].start(), *(match.end() for match in found)]
        sets, data = self._sets(), bytes(self.rules.layout.itemsize)
        cells = board.drawing_of(self.rules.record(data)).cells()
        return {
            "rows": board.rows,
            "names": [board.name(*cell) for cell in cells],
            "bits": [board.bits[cell] for cell in cells],
            "sets": sets,
            "stones": {letter: self._stone(letter, at, found) for letter, at in sets.items()},
            "head": empty[: found[0].start()],
            "cells": [empty[a:b] for a, b in pairwise(ends)],
            "label": found[0][1],
            "tail": empty[ends[-1] :],
            "won": self._won(),
            **self._die(),
        }

    def _sets(self) -> dict[str, int]:
        """Return, by letter, the byte offset of its set in a record."""
        found, placed = dict[str, int](), fields(self.rules.layout)
        first = self.rules.record(bytes(self.rules.layout.itemsize))
        for name, letters in self.notation.stones.items():
            step = first[name].nbytes // len(letters)
            for i, letter in enumerate(letters):
                found[letter] = placed[name][0] + i * step
        return found

    def _svg(self, offset: int | None = None) -> str:
        """Return the drawing of a record of zeros, or with all stones of the set at `offset`."""
        data = bytearray(self.rules.layout.itemsize)
        if offset is not None:
            for bit in self.notation.bits.values():
                data[offset + bit // 8] |= 1 << bit % 8
        return self.notation.svg(self.rules.record(data))

    def _stone(self, letter: str, offset: int, empty: Sequence[re.Match[str]]) -> dict[str, Any]:
        """Return the shapes of a stone, the one of each cell, and its label for screen readers.

        `pair`: the distance to the cell before, where a shape covers two cells.
        """
        held = [*CELL.finditer(self._svg(offset))]
        shapes: list[str] = []
        for bare, full in zip(empty, held, strict=True):
            assert full[3].startswith(bare[3]), "a stone is drawn on its cell"
            shapes.append(full[3][len(bare[3]) :])
        kinds = [*dict.fromkeys(shapes)]
        stone: dict[str, Any] = {"shapes": kinds, "label": held[0][1]}
        board = self.notation
        if (kind := board.pieces.get(letter)) in DOMINOES:
            stone |= {"pair": board.columns if kind == "upright" else 1}
        elif len(kinds) > 1:
            stone |= {"at": [kinds.index(shape) for shape in shapes]}
        return stone

    def _die(self) -> dict[str, Any]:
        """The place of a die's number in a record, and its shapes from 0 on."""
        if not (isinstance(self.notation, Board) and self.notation.die):
            return {}
        drawing = self.notation.drawing_of(self.rules.record(bytes(self.rules.layout.itemsize)))
        place = _places(self.rules, Sum({(self.notation.die, ()): 1}))
        return {"die": [place, [drawing.rolled(number) for number in range(7)]]}

    def _won(self) -> dict[str, Any]:
        """The lines or chains that a drawing shows as won, and their shapes with `%` for a path."""
        drawing = self.notation.drawing_of(self.rules.record(bytes(self.rules.layout.itemsize)))
        edges = self.notation.edges if isinstance(self.notation, Grid) else ""
        if not drawing.in_line and not edges:
            return {}
        return {"line": drawing.in_line, "edges": edges, "shape": won("%")}


# ---- moves in a table

MOST = 10_000
"""The most moves in a table, of all seats together."""
WITHOUT = 300
"""Games in a row without a new move after which the table is taken for complete. A page writes a
move that is not in it as a number."""


def listed(start: RecordState) -> list[dict[int, list[Any]]]:
    """Return for each seat, and last for chance, its moves by code: the text, and the orders in
    which cells are clicked.

    A notation lists them (`BaseNotation.texts`), or they are gathered in random games. Raises
    ConfigError for too many moves, and for those whose text depends on the position.
    """
    game, notation = start.game, start.rules.notation
    if (texts := notation.texts()) is not None:
        table = {code: [text, clicks(game, text)] for code, text in texts.items()}
        return [table] * (len(start.teams) + 1)
    random, quiet = Random(1), 0
    found: list[dict[int, list[Any]]] = [{} for _ in range(len(start.teams) + 1)]  # chance is -1
    while quiet < WITHOUT:
        quiet += 1
        state = start
        while state.turn != TERMINAL:
            known, codes = found[state.turn], state.moves().codes.tolist()  # type: ignore[union-attr]
            for code in [each for each in codes if each not in known]:
                known[code] = [text := state.text(code), clicks(game, text)]
                quiet = 0
            if sum(map(len, found)) > MOST:
                raise ConfigError(
                    f"{game} cannot be published: it has more than {MOST:,} moves, each of which "
                    "its page must know by name; take a smaller board, or let its notation spell "
                    "them (BaseNotation.spell)"
                )
            code = codes[random(len(codes))]
            if state.text(code) != known[code][0]:
                raise ConfigError(
                    f"{game} cannot be published: how its moves are written depends on more than "
                    f"who makes them ({known[code][0]}, {state.text(code)})"
                )
            state = state.play(code)
    return found


# ---- moves that are spelt

LONGEST = 16
"""The most words of a move."""


def spell(s, code, way, out):
    """The notation's rule, as `BaseNotation.spell` has it."""
    return -1


@kernel
def spell_of(states, code, way, words):
    """Write the words of a move at states[0], and return how many, or -1 where there is no such
    way."""
    return spell(states[0], code, way, words)


@kernel
def begins(words, wanted, n):
    """Return True if the first n words are the wanted ones."""
    for i in range(n):
        if words[i] != wanted[i]:
            return False
    return True


@kernel
def find(states, out, words, wanted, n):
    """Return the code of the legal move whose text is the n wanted words, or -1."""
    for i in range(moves(states[0], out)):
        if spell(states[0], out[i], 0, words) == n and begins(words, wanted, n):
            return out[i]
    return -1


@kernel
def point(states, out, words, wanted, n, cells, complete):
    """Return the number of moves that are complete after the n wanted cells have been clicked.

    Their codes are written into `complete`, as far as there is room; the cells that may come next
    are marked by 1 in `cells`, which is zero at first.
    """
    done = 0
    for i in range(moves(states[0], out)):
        way = 1
        count = spell(states[0], out[i], way, words)
        while count >= 0:
            if count >= n and begins(words, wanted, n):
                if count > n:
                    cells[words[n]] = 1
                else:
                    if done < len(complete):
                        complete[done] = out[i]
                    done += 1
            way += 1
            count = spell(states[0], out[i], way, words)
    return done
