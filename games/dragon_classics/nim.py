"""Nim with one pile: take one to three, whoever takes the last wins. A State in plain Python."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen
from attrs.validators import ge

from dragon import TERMINAL, BadNotation, Game, IllegalMove, State


@frozen
class Pile(State[int]):
    """What is left, and who moves."""

    left: int
    mover: int = 0
    game: Nim | None = field(default=None, eq=False, repr=False)

    @property
    def turn(self) -> int:
        """The mover, until nothing is left."""
        return self.mover if self.left else TERMINAL

    def moves(self) -> tuple[int, ...]:
        """One, two or three, as far as they go."""
        return (1, 2, 3)[: self.left]

    def after(self, move: int) -> Pile:
        """The pile without what was taken."""
        if move not in self.moves():
            raise IllegalMove(f"cannot take {move} from {self.left}; take {self.moves()}")
        return Pile(self.left - move, 1 - self.mover, self.game)

    def payoff(self) -> tuple[float, float]:
        """Whoever is to move has lost."""
        return (-1.0, 1.0) if self.mover == 0 else (1.0, -1.0)

    def __str__(self) -> str:
        return f"{self.left} {'AB'[self.mover]}"


@frozen
class Nim(Game[int]):
    """Take one to three from a pile; whoever takes the last wins.

    The seats take one, two or three from the pile in turn. Whoever takes the last wins. The seat
    to move loses exactly when the pile is a multiple of four.
    """

    name = "nim"
    pile: int = field(default=10, validator=ge(1))

    def start(self, rng: Any = 0) -> Pile:
        """The whole pile, A to move."""
        return Pile(self.pile, game=self)

    def parse(self, text: str) -> Pile:
        """`7 B`: seven left, B to move."""
        left, _, mover = text.strip().partition(" ")
        if not left.isdecimal() or mover not in ("A", "B"):
            raise BadNotation(f"{text!r} is not a pile; write one like '7 B' (left, mover)")
        return Pile(int(left), "AB".index(mover), self)
