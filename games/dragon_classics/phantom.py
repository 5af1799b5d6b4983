"""Phantom games, such as dark hex: a game in which a side does not see the other's stones."""

from __future__ import annotations

from math import perm
from typing import Any

from attrs import field

from dragon import TERMINAL, Board, Grid, RecordGame, Rules, Trait, frozen, game, rule
from dragon.bits import bit, draw, elements, has, popcount, select, u64
from dragon.rules.record import rules_of


def _wrapped(spec: str) -> Any:
    """Return the rules of a game whose moves are the empty cells; raise an error of another."""
    made = game(spec)
    rules: Any = rules_of(made) if isinstance(made, RecordGame) else None
    grid: Any = getattr(rules, "notation", None)
    plain = isinstance(grid, Grid) and not grid.by_column and grid.where is None
    if not plain or len(grid.seat_letters) != 2 or grid.rows * grid.columns > 64:
        raise ValueError(
            f"{spec} is not a game in which two sides put stones on at most 64 cells, wherever "
            "they like; take one that is, as tictactoe, hex(size=3) or gomoku(rows=4, columns=4)"
        )
    return rules


def _stones_met(most: int) -> list[list[float]]:
    """Return, for each number n of a side's stones, the odds that the other side has met more than
    k, for each k below `most`.

    They count the histories of the other side's attempts: in its turn j there are j stones to meet,
    of which it meets any number in any order.
    """
    odds, ways = [[0.0] * most], [1] + [0] * most
    for n in range(1, most + 1):
        ways = [
            sum(perm(n - before, k - before) * ways[before] for before in range(min(k, n) + 1))
            for k in range(most + 1)
        ]
        odds.append([sum(ways[k + 1 :]) / sum(ways) for k in range(most)])
    return odds


@frozen
class Phantom(RecordGame):
    """A game of stones in which you see only your own, and those that you have met.

    Both sides play the game that is asked for. A side that chooses a cell where the other has a
    stone is shown that stone, and chooses again; the other side does not hear of it.
    """

    name = "phantom"
    traits = frozenset({Trait.DUEL, Trait.HIDDEN})

    board: str = field(default="tictactoe", validator=lambda *given: _wrapped(given[2]))
    """The game, in which each turn a stone is put on an empty cell."""

    def rules(self):
        from numpy import array, zeros  # not before a game is played

        seen = _wrapped(self.board)
        grid, ended, paid, put = seen.notation, seen.turn, seen.payoff, seen.play
        full = u64((1 << (area := grid.rows * grid.columns)) - 1)
        empty = zeros(1, seen.layout)
        met = array(_stones_met((area + 1) // 2))

        @rule
        def turn(s):
            return TERMINAL if ended(s.game[0]) == TERMINAL else s.ply % 2

        @rule
        def moves(s, out):
            return elements(~(s.stones[s.ply % 2] | s.known[s.ply % 2]) & full, out)

        @rule
        def settle(s):
            """Set the game, whose record may have more fields, from the stones that are known."""
            s.game[0] = empty[0]
            for cell in range(area):
                for seat in range(2):
                    if has(s.stones[seat], cell) and ended(s.game[0]) != TERMINAL:
                        s.game[0].ply = seat
                        put(s.game[0], cell)
            s.game[0].ply = s.ply

        @rule
        def play(s, cell):
            if has(s.stones[1 - s.ply % 2], cell):
                s.known[s.ply % 2] |= bit(cell)
                return
            put(s.game[0], cell)
            s.stones[s.ply % 2] |= bit(cell)
            s.ply += 1
            if turn(s) == TERMINAL:
                settle(s)  # so that equal positions have equal records

        @rule
        def payoff(s, seat):
            return paid(s.game[0], seat)

        @rule
        def hide(s, seat):
            s.stones[1 - seat] &= s.known[seat]
            s.known[1 - seat] = 0
            settle(s)

        @rule
        def deal(s, seat, random):
            """Deal stones and what the other side has met, by the number of games between them."""
            found, own = s.stones[1 - seat], s.stones[seat]
            point = draw(random, 1 << 30) / (1 << 30)
            for row in range(popcount(own)):
                if point < met[popcount(own), row]:
                    unmet = own & ~s.known[1 - seat]
                    s.known[1 - seat] |= bit(select(unmet, draw(random, popcount(unmet))))
            for _ in range(1000):  # until the stones dealt have not won already
                s.stones[1 - seat] = found
                for _ in range((s.ply + seat) // 2 - popcount(found)):
                    free = full & ~(s.stones[0] | s.stones[1])
                    s.stones[1 - seat] |= bit(select(free, draw(random, popcount(free))))
                settle(s)
                if turn(s) != TERMINAL:
                    return

        shown = Board(grid.rows, grid.columns, grid.stones, mover="ply", slant=grid.slant,
                      settled=("game",), settle=settle, in_line=grid.in_line)  # fmt: skip
        return Rules(
            [*shown.layout, ("known", "u8", (2,)), ("game", seen.layout, (1,))], moves, play, turn,
            payoff, hide=hide, deal=deal, width=area, plies=2 * area, largest=seen.largest,
            unit=seen.unit, notation=shown,
        )  # fmt: skip
