"""The notation of Nex: moves such as `Ba1?c2` and `Ba2Bc2?a1`, positions, and boards to look at.

A move names each cell that changes with the stone that it gets. `Ba1?c2` generates (own
stone first), `Ba2Bc2?a1` transforms (the two converted cells in row-major order, then the
stone given up), `Ba1` fills the last empty cell or converts the last neutral where the
game ends that way, `swap` changes seats. What is read may have the pieces in any order
and either case; what is written has the order and the case above. On a page a move is made
by clicks: own cell, then neutral; or two neutrals, then the stone given up.

The module is imported when a game begins: a list of games must not wait for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from dragon import Grid
from dragon.errors import BadNotation, IllegalMove
from dragon.protocols import Clicks
from dragon.rules.notation import BaseNotation
from dragon_nex.board import (
    BLACK,
    BLACK_WON,
    COLOURS,
    DRAWN,
    NEUTRAL,
    STONES,
    WHITE,
    WHITE_WON,
    Board,
    Layers,
)

if TYPE_CHECKING:
    from dragon import RecordState

Cell = tuple[int, int]
ENDS = {
    BLACK_WON: "Black has won",
    DRAWN: "it is a draw: two empty cells or two neutral stones are needed to move",
    WHITE_WON: "White has won",
}


@frozen
class Pieces:
    """A move taken apart: the cells that become own stones, and the one that becomes neutral."""

    own: tuple[Cell, ...]
    neutral: Cell | None


@frozen(eq=False)
class NexNotation(BaseNotation):
    """The notation of one board and its options."""

    board: Board
    layers: Layers
    settle: Callable[[Any, int], None]
    """The rule that completes a record from its stones and the colour that has moved."""
    spell: Callable[..., int]
    """The rule that spells moves, as `BaseNotation.spell` has it."""

    # ---- moves -----------------------------------------------------------------------------

    def colour(self, s: Any) -> int:
        """Return the colour to move by the count of stones, or that would move if play went on."""
        if s.status < 2:
            return int(s.status)
        stones = list(self.board.read(s).values())
        return stones.count(BLACK) - stones.count(WHITE)

    def move_text(self, s: Any, code: int) -> str:
        if code == self.board.swap_code:
            return "swap"
        letter, name = STONES[self.colour(s)], self.board.name
        pieces = self.pieces(code)
        text = "".join(letter + name(cell) for cell in pieces.own)
        return text if pieces.neutral is None else f"{text}{NEUTRAL}{name(pieces.neutral)}"

    @property
    def vocabulary(self) -> list[str]:
        """The words of moves: cells by their points, letters of stones, and `swap`."""
        board = self.board
        cells = {board.point(cell): board.name(cell) for cell in board.cells()}
        return [*(cells.get(point, "") for point in range(64 * board.words)), *STONES, "swap"]

    def pieces(self, code: int) -> Pieces:
        """A move code, other than `swap`, taken apart."""
        shift = self.board.shift
        mask = (1 << shift) - 1
        one, two, given = code >> shift & mask, code & mask, code >> 2 * shift
        cell = self.board.cell_at
        if given:
            return Pieces((cell(one), cell(two)), cell(given - 1))
        return Pieces((cell(one),), None if one == two else cell(two))

    def move_code(self, s: Any, text: str) -> int:
        """The code of a move; raises BadNotation, or IllegalMove where no code can say it."""
        if text.lower() == "swap":
            return self.board.swap_code
        letters, pieces = self.read_move(text)
        if len(letters) > 1:
            raise IllegalMove(f"{text} places stones of both colours; a move places its own side's")
        if s.status > 1:
            raise IllegalMove(
                f"{text} cannot be played in {self.position_text(s)}: {ENDS[int(s.status)]}"
            )
        side = self.colour(s)
        if letters != {STONES[side]}:
            raise IllegalMove(
                f"{text} places a {COLOURS[1 - side].lower()} stone, but {COLOURS[side]} is to "
                f"move in {self.position_text(s)}"
            )
        if twice := self._twice(pieces):
            raise IllegalMove(f"{text} {twice}")
        points = [self.board.point(cell) for cell in pieces.own]
        other = None if pieces.neutral is None else self.board.point(pieces.neutral)
        shift = self.board.shift
        if len(points) == 1 or other is None:
            return points[0] << shift | (points[0] if other is None else other)
        return other + 1 << 2 * shift | points[0] << shift | points[1]

    def _twice(self, pieces: Pieces) -> str | None:
        """Return the fault of a move that names a cell twice, as the end of a sentence."""
        first = self.board.name(pieces.own[0])
        if len(set(pieces.own)) < len(pieces.own):
            return f"names {first} twice; a transform converts two neutral stones"
        if pieces.neutral is None or pieces.neutral not in pieces.own:
            return None
        if len(pieces.own) == 1:
            return f"names {first} twice; a generate takes two empty cells"
        return (
            f"gives up {self.board.name(pieces.neutral)}, which it has only just converted; give "
            "up a stone that was on the board before"
        )

    def read_move(self, text: str) -> tuple[set[str], Pieces]:
        """The letters of the coloured stones in a move's text, and its pieces in order."""
        parts = re.findall(r"[BWbw?][A-Za-z]\d+", text)
        if not parts or "".join(parts) != text:
            raise BadNotation(
                f"{text!r} is not a move; write stone and cell for each cell that changes: "
                f"{self._examples()}"
            )
        own: list[Cell] = []
        neutral: list[Cell] = []
        for part in parts:
            cell = self.board.cell(part[1:])
            if cell is None:
                raise BadNotation(
                    f"{part[1:]!r} in {text!r} is not a cell of this board; its cells are "
                    f"{self.board.span}"
                )
            (neutral if part[0] == NEUTRAL else own).append(cell)
        letters = {part[0].upper() for part in parts} - {NEUTRAL}
        shape = len(own), len(neutral)
        if shape not in {(1, 1), (2, 1)} and not (self.layers.fill and shape == (1, 0)):
            raise BadNotation(f"{text!r} {self._misshapen(*shape)}; write {self._examples()}")
        return letters, Pieces(tuple(sorted(own)), neutral[0] if neutral else None)

    def _examples(self) -> str:
        some = ["Ba1?c2 (generate)", "Ba2Bc2?a1 (transform)"]
        if self.layers.fill:
            some.append("Ba1 (fill)")
        if self.layers.swap:
            some.append("swap")
        return ", ".join(some[:-1]) + " or " + some[-1]

    @staticmethod
    def _misshapen(own: int, neutral: int) -> str:
        if not own:
            return "places no stone of its own"
        if not neutral and own == 2:
            return "gives up no stone: two neutrals become own, and one own stone neutral"
        if not neutral:
            return "leaves no neutral stone"
        return f"changes {own} cells to own and {neutral} to neutral stones, which no move does"

    def objection(self, s: Any, code: int, text: str, position: str) -> str:
        """Why a well-written move is not legal here, as a sentence."""
        if code != self.board.swap_code:
            reason = self.reason(s, self.pieces(code))
        elif not self.layers.swap:
            reason = "this game has no swap (swap=true allows it)"
        elif s.swapped:
            reason = "the seats have been swapped already"
        else:
            reason = "only White's first turn may swap"
        return f"{text} is not legal in {position}: {reason}"

    def reason(self, s: Any, pieces: Pieces) -> str:
        """Why a move of the side to move is not legal; the cells are on the board and distinct."""
        stones = self.board.read(s)
        empty = self.board.rows * self.board.cols - len(stones)
        neutrals = list(stones.values()).count(NEUTRAL)
        if pieces.neutral is None:
            return self._no_fill(stones, pieces.own[0], empty, neutrals)
        if len(pieces.own) == 1:
            if empty < 2:
                return f"a generate needs two empty cells, and there {_count(empty, 'is', 'are')}"
            taken = [c for c in (*pieces.own, pieces.neutral) if c in stones]
            return f"a generate needs empty cells, but {self._contents(stones, taken)}"
        if self.layers.late and empty >= 2:
            return (
                f"nothing is transformed while {empty} cells are empty "
                "(transforms='without-generates')"
            )
        if neutrals < 2:
            there = _count(neutrals, "is", "are")
            return f"a transform needs two neutral stones, and there {there}"
        wrong = [c for c in pieces.own if stones.get(c) != NEUTRAL]
        if wrong:
            return f"a transform converts neutral stones, but {self._contents(stones, wrong)}"
        given = self._contents(stones, [pieces.neutral])
        return f"{COLOURS[int(s.status)]} gives up a stone of its own, but {given}"

    def _no_fill(self, stones: dict[Cell, str], cell: Cell, empty: int, neutrals: int) -> str:
        if empty >= 2 or neutrals >= 2:
            return (
                "one stone alone is placed only when fewer than two cells are empty and fewer than "
                f"two stones neutral, and there are {empty} and {neutrals}"
            )
        kind = "empty cell" if empty else "neutral stone"
        return f"it takes the last {kind}, but {self._contents(stones, [cell])}"

    def _contents(self, stones: dict[Cell, str], cells: list[Cell]) -> str:
        kinds = {BLACK: "black", WHITE: "white", NEUTRAL: "neutral", None: "empty"}
        return " and ".join(f"{self.board.name(c)} is {kinds[stones.get(c)]}" for c in cells)

    @property
    def cells(self) -> Grid:
        """The board by which positions are drawn, also on pages without Python."""
        board = self.board
        stones = {"stones": BLACK + WHITE, "neutral": NEUTRAL}
        return Grid(
            board.rows, board.cols, stones, where=lambda row, column: board.point((row, column)),
            slant=True, edges=BLACK + WHITE, colours=("Black", "White", ""),
            pieces={NEUTRAL: NEUTRAL},
        )  # fmt: skip

    # ---- positions -------------------------------------------------------------------------

    def position_text(self, s: Any) -> str:
        """Rows from the top, the side to move, and whether the seats are swapped."""
        stones = self.board.read(s)
        rows = (
            "".join(stones.get((r, c), ".") for c in range(self.board.cols))
            for r in range(self.board.rows)
        )
        swapped = " swapped" if self.layers.swap and s.swapped else ""
        return f"{'/'.join(rows)} {STONES[self.colour(s)]}{swapped}"

    def parse(self, s: Any, text: str) -> None:
        """The inverse of `position_text`; raises BadNotation with what cannot be."""
        words = text.split()
        stones = self._read_rows(text, words[0] if words else "")
        letters = list(stones.values())
        black, white, neutral = (letters.count(stone) for stone in STONES)
        empty = self.board.rows * self.board.cols - len(letters)
        if reason := self.layers.objection(empty, neutral, black, white):
            raise BadNotation(f"{text!r} cannot arise: {reason}")
        mover = black - white
        swapped = self._read_rest(text, words[1:], mover, bool(letters))
        if self.board.chain(mover, (c for c, x in stones.items() if x == STONES[mover])):
            raise BadNotation(
                f"{text!r} cannot arise: {COLOURS[mover]} is to move, but its edges are joined "
                "already, and that ended the game"
            )
        self.board.write(s, stones)
        if swapped:
            s.swapped = 1
        if letters:
            self.settle(s, 1 - mover)

    def _read_rows(self, text: str, board: str) -> dict[Cell, str]:
        rows = board.split("/")
        if len(rows) != self.board.rows or any(len(row) != self.board.cols for row in rows):
            example = "/".join(["." * self.board.cols] * self.board.rows) + " B"
            raise BadNotation(
                f"{text!r:.80} is not a board of {self.board.rows} rows of {self.board.cols}; "
                f"write one like {example!r}"
            )
        stones = {}
        for cell in self.board.cells():
            letter = rows[cell[0]][cell[1]]
            if letter in STONES:
                stones[cell] = letter
            elif letter != ".":
                raise BadNotation(
                    f"{letter!r} at {self.board.name(cell)} in {text!r} is not a stone; write B, "
                    "W, ? or . (empty)"
                )
        return stones

    def _read_rest(self, text: str, words: list[str], mover: int, begun: bool) -> bool:
        """Check what follows the board; return True if the seats are swapped."""
        swapped = words[1:] == ["swapped"]
        if not words or words[0] not in STONES[:2] or (words[1:] and not swapped):
            ending = " (then 'swapped' if the seats are)" if self.layers.swap else ""
            raise BadNotation(
                f"{text!r} does not end as a position does; after the board write the side to "
                f"move, here {STONES[mover]}{ending}"
            )
        if words[0] != STONES[mover]:
            raise BadNotation(
                f"{text!r} cannot arise: by its stones it is {COLOURS[mover]}'s turn, not "
                f"{COLOURS[1 - mover]}'s"
            )
        if swapped and not self.layers.swap:
            raise BadNotation(f"{text!r}: this game has no swap (swap=true allows it)")
        if swapped and not begun:
            raise BadNotation(f"{text!r} cannot arise: there is no swap before the first move")
        return swapped

    # ---- pictures --------------------------------------------------------------------------

    def status(self, s: Any) -> str:
        """A few words on who moves or how the game ended."""
        if s.status > 1:
            return ENDS[int(s.status)].partition(":")[0]
        swapped = " (seats swapped)" if self.layers.swap and s.swapped else ""
        return f"{COLOURS[int(s.status)]} to move{swapped}"

    def picture(self, s: Any) -> str:
        """The board, each row half a cell further right, and who moves."""
        stones = self.board.read(s)
        numbers = "".join(f"{c + 1:<3}" for c in range(self.board.cols)).rstrip()
        lines = [f"   {numbers}"]
        for r in range(self.board.rows):
            row = "".join(f"{stones.get((r, c), '.'):<3}" for c in range(self.board.cols))
            lines.append(f"{' ' * r}{chr(97 + r)}\\  {row.rstrip()}  \\{chr(97 + r)}")
        lines.append(f"{' ' * (self.board.rows + 3)} {numbers}")
        return "\n".join([*lines, self.status(s)])

    def signed(self, s: Any) -> str:
        """The picture with stones for letters."""
        head, *rows, status = self.picture(s).split("\n")
        return "\n".join([head, *(row.translate({66: "●", 87: "○"}) for row in rows), status])

    def svg(self, s: Any, last: str = "") -> str:
        """The board as SVG; a winning chain is marked, and the cells of the move `last`."""
        marks: set[Cell] = set()
        if last and last != "swap":
            _, pieces = self.read_move(last)
            marks = {*pieces.own} | ({pieces.neutral} if pieces.neutral is not None else set())
        return evolve(self.cells.drawing_of(s), marks=marks, title=self.status(s)).svg()


def _count(n: int, one: str, more: str) -> str:
    return f"{one} only one" if n == 1 else f"{more} {n or 'none'}"


# ---- moves by clicks


def clicks(move: str) -> tuple[tuple[str, ...], ...]:
    """The orders in which a move's cells may be clicked: which neutral comes first is the same.

    >>> clicks("Ba1?c2"), clicks("Ba1Bb2?c3")
    ((('a1', 'c2'),), (('a1', 'b2', 'c3'), ('b2', 'a1', 'c3')))
    """
    named = [f"{row.lower()}{col}" for row, col in re.findall(r"[BWbw?]([A-Za-z])(\d+)", move)]
    if len(named) == 3:
        one, two, given = named
        return ((one, two, given), (two, one, given))
    return (tuple(named),)


def next_clicks(
    board: Board, layers: Layers, state: RecordState, chosen: tuple[str, ...]
) -> Clicks:
    """Return the cells that may be clicked after `chosen`, or the move that is complete."""
    s = state.record
    stones = board.read(s)
    side = int(s.status)
    letter = STONES[side]
    own = [cell for cell, stone in stones.items() if stone == letter]
    neutral = [cell for cell, stone in stones.items() if stone == NEUTRAL]
    empty = [cell for cell in board.cells() if cell not in stones]
    others = tuple(m for m in ("swap",) if layers.swap and not s.swapped and m in state.moves())
    done = [cell for cell in map(board.cell, chosen) if cell is not None]

    def among(places: list[Cell], hint: str) -> Clicks:
        return Clicks(tuple(map(board.name, places)), hint=hint)

    generates = len(empty) > 1
    transforms = len(neutral) > 1 and bool(own)
    transforms = transforms and not (generates and layers.late)
    if len(done) != len(chosen) or len(set(done)) < len(done):
        return Clicks()
    match done:
        case [] if generates or transforms:
            places = (empty if generates else []) + (neutral if transforms else [])
            stone = "" if transforms else f" for a {COLOURS[side].lower()} stone"
            first = [f"an empty cell{stone}"] if generates else []
            first += ["a neutral stone to convert"] if transforms else []
            return Clicks(tuple(map(board.name, places)), hint=" or ".join(first), others=others)
        case []:
            left = empty or neutral
            return Clicks(tuple(map(board.name, left)), hint="the last cell", others=others)
        case [one] if not (generates or transforms) and one in (empty or neutral):
            return Clicks(move=letter + board.name(one))
        case [one] if generates and one in empty:
            return among([c for c in empty if c != one], "another empty cell for a neutral stone")
        case [one, two] if generates and one in empty and two in empty:
            return Clicks(move=f"{letter}{board.name(one)}{NEUTRAL}{board.name(two)}")
        case [one] if transforms and one in neutral:
            return among([c for c in neutral if c != one], "a second neutral stone to convert")
        case [one, two] if transforms and one in neutral and two in neutral:
            return among(own, f"the {COLOURS[side].lower()} stone that is given up")
        case [one, two, given] if transforms and {one, two} <= set(neutral) and given in own:
            pair = "".join(letter + board.name(cell) for cell in sorted((one, two)))
            return Clicks(move=f"{pair}{NEUTRAL}{board.name(given)}")
    return Clicks()
