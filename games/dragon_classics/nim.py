"""Nim with one pile: take one to three; taking the last wins. A State in plain Python."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen
from attrs.validators import ge

from dragon import TERMINAL, BadNotation, Game, IllegalMove, State


@frozen
class Pile(State[int]):
    """The number of objects left, and the seat to move."""

    left: int
    mover: int = 0
    game: Nim | None = field(default=None, eq=False, repr=False)

    @property
    def turn(self) -> int:
        """The mover, until nothing is left."""
        return self.mover if self.left else TERMINAL

    def moves(self) -> tuple[int, ...]:
        """Return the moves 1, 2 and 3, up to the number left."""
        return (1, 2, 3)[: self.left]

    def after(self, move: int) -> Pile:
        """Return the pile after taking `move` objects."""
        if move not in self.moves():
            raise IllegalMove(f"cannot take {move} from {self.left}; take {self.moves()}")
        return Pile(self.left - move, 1 - self.mover, self.game)

    def payoff(self) -> tuple[float, float]:
        """Return the payoff: the seat to move has lost."""
        return (-1.0, 1.0) if self.mover == 0 else (1.0, -1.0)

    def svg(self) -> str:
        """Draw the pile on a table for all of it: five counters a row and a hundred at most."""
        from dragon.boards import material as m

        shown, most = min(self.left, 100), max(self.left, self.game.pile if self.game else 1)
        high = 20 + 36 * -(-min(most, 100) // 5)
        table = m.slab(2, 2, 250, high, m.paint("felt", "walnut", 4), 8)
        pile = (m.disc("amber", 15, 30 + 36 * (i % 5), 30 + 36 * (i // 5)) for i in range(shown))
        count = m.text(220, high / 2 + 2, self.left, 26, m.paint("inlay"), 700)
        return m.sheet((0, 0, 254, high + 6), table + "".join(pile) + count)

    def __str__(self) -> str:
        return f"{self.left} {'AB'[self.mover]}"


@frozen
class Nim(Game[int]):
    """Take one to three from a pile; taking the last wins.

    The seats take one, two or three from the pile in turn. Taking the last one wins. The seat
    to move loses exactly when the pile is a multiple of four.
    """

    name = "nim"
    pile: int = field(default=10, validator=ge(1))

    def start(self, rng: Any = 0) -> Pile:
        """Return the whole pile, A to move."""
        return Pile(self.pile, game=self)

    def parse(self, text: str) -> Pile:
        """Read `7 B`: seven left, B to move."""
        left, _, mover = text.strip().partition(" ")
        if not left.isdecimal() or mover not in ("A", "B"):
            raise BadNotation(f"{text!r} is not a pile; write one like '7 B' (left, mover)")
        return Pile(int(left), "AB".index(mover), self)
