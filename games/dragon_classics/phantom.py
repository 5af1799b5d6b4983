"""Phantom games: a game of stones in which a side does not see those of the other.

Phantom tic-tac-toe and dark hex are such. A stone that is put on a stone of the other side shows
it, and its side puts another; the other side does not learn of it.
"""

from __future__ import annotations

from typing import Any

import attrs
from attrs import field

from dragon import TERMINAL, Board, Grid, RecordGame, Rules, Trait, frozen, game, rule
from dragon.bits import bit, draw, elements, has, popcount, select, u64
from dragon.errors import DragonError
from dragon.rules.record import rules_of


def _wrapped(spec: str) -> Any:
    """Return the rules of a game whose record is the stones of two sides and their number."""
    made = game(spec)
    rules: Any = rules_of(made) if isinstance(made, RecordGame) else None
    grid: Any = rules.notation if rules is not None else None
    plain = isinstance(grid, Grid) and set(rules.layout.names) == {"stones", "ply"}
    if not plain or rules.layout["stones"].shape != (2,) or grid.by_column:
        raise ValueError(
            f"{spec} does not have two sets of at most 64 cells, one for each side, as its whole "
            "record; write such a game, as tictactoe is"
        )
    return rules


def _board(instance: Phantom, attribute: attrs.Attribute[str], value: str) -> None:
    try:
        _wrapped(value)
    except DragonError as wrong:
        raise ValueError(str(wrong)) from wrong


@frozen
class Phantom(RecordGame):
    """A game of stones in which you see your own alone, and those that you ran into.

    Both sides play the game that is asked for. A side that chooses a cell where the other has a
    stone is shown that stone, and chooses again; the other side does not hear of it.
    """

    name = "phantom"
    traits = frozenset({Trait.DUEL, Trait.HIDDEN})

    board: str = field(default="tictactoe", validator=_board)
    """The game, in which each turn a stone is put on an empty cell."""

    def rules(self):
        seen = _wrapped(self.board)
        grid, turn, payoff, put = seen.notation, seen.turn, seen.payoff, seen.play
        area = grid.rows * grid.columns
        full = u64((1 << area) - 1)

        @rule
        def moves(s, out):
            return elements(~(s.stones[s.ply % 2] | s.known[s.ply % 2]) & full, out)

        @rule
        def play(s, cell):
            if has(s.stones[1 - s.ply % 2], cell):
                s.known[s.ply % 2] |= bit(cell)
            else:
                put(s, cell)

        @rule
        def hide(s, seat):
            s.stones[1 - seat] &= s.known[seat]
            s.known[1 - seat] = 0

        @rule
        def deal(s, seat, random):  # positions that agree with what is seen, each as often
            found = s.stones[1 - seat]
            for cell in range(area):  # any of one's stones may have been run into
                if has(s.stones[seat], cell) and draw(random, 2):
                    s.known[1 - seat] |= bit(cell)
            for _ in range(1000):  # again, where the stones would have won
                s.stones[1 - seat] = found
                for _ in range((s.ply + seat) // 2 - popcount(found)):
                    free = full & ~(s.stones[0] | s.stones[1])
                    s.stones[1 - seat] |= bit(select(free, draw(random, popcount(free))))
                if turn(s) != TERMINAL:
                    return

        shown = Board(grid.rows, grid.columns, grid.stones, mover="ply", slant=grid.slant)
        return Rules(
            [*shown.layout, ("known", "u8", (2,))], moves, play, turn, payoff, hide=hide, deal=deal,
            width=area, plies=2 * area, largest=seen.largest, unit=seen.unit, notation=shown,
        )  # fmt: skip
