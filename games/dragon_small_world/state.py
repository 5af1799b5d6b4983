"""A set of bridges as a game of one seat: a move adds a bridge, the end pays the score."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

from attrs import field, frozen

from dragon.core import TERMINAL, Game, State
from dragon.errors import BadNotation, IllegalMove
from dragon_small_world.pool import Pool
from dragon_small_world.score import Bits, numerator

NOTHING, BETWEEN = "-", " | "


@frozen(eq=False)
class Table:
    """The data that all states of one game share."""

    pool: Pool
    bits: Bits
    size: int
    """Monsters in the deck."""
    bridges: int
    places: tuple[int, ...]
    """The possible bridges, in the order of the pool."""
    game: Game[str]

    def __deepcopy__(self, memo: Any) -> Table:
        return self  # which never changes

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the possible bridges, in the same order."""
        return tuple(self.pool.monsters[i].name for i in self.places)

    @cached_property
    def place(self) -> dict[str, int]:
        """The place in the pool of each of these names."""
        return dict(zip(self.names, self.places, strict=True))

    @cached_property
    def pairs(self) -> int:
        """The number of all pairs at the end."""
        return (self.size + self.bridges) ** 2


@frozen
class Bridging(State[str]):
    """The bridges so far. A move is the name of a monster; the order of moves does not matter."""

    table: Table = field(eq=False, repr=False)
    chosen: tuple[int, ...] = ()
    """Places in the pool, ascending."""

    teams: ClassVar[tuple[int, ...]] = (0,)

    @property
    def game(self) -> Game[str]:
        """The game, which its states share."""
        return self.table.game

    @property
    def unit(self) -> float:  # type: ignore[override]
        """The worth of one pair."""
        return 1 / self.table.pairs

    @property
    def turn(self) -> int:
        """Seat 0, until all bridges are added."""
        return TERMINAL if len(self.chosen) == self.table.bridges else 0

    def moves(self) -> tuple[str, ...]:
        """Return the bridges that can still be added, in the order of the pool."""
        if self.turn == TERMINAL:
            return ()
        if not self.chosen:
            return self.table.names
        names = zip(self.table.places, self.table.names, strict=True)
        return tuple(name for place, name in names if place not in self.chosen)

    def after(self, move: str) -> Bridging:
        """Return the state with that bridge added."""
        place = self.table.place.get(move)
        if place is None or place in self.chosen or self.turn == TERMINAL:
            shown = ", ".join(map(repr, self.moves()[:4])) or "nothing"
            raise IllegalMove(f"{move!r} cannot be added here; what can: {shown} ...")
        return Bridging(self.table, tuple(sorted((*self.chosen, place))))

    def parsed(self, text: str) -> Bridging:
        """Return the state with all these bridges added; raise BadNotation."""
        state = self
        for part in text.split("|") if text.strip() != NOTHING else ():
            name = part.strip()
            if name not in self.table.place:
                raise BadNotation(f"{name!r} cannot be a bridge here; write them 'a | b', or -")
            if state.turn == TERMINAL or self.table.place[name] in state.chosen:
                raise BadNotation(f"{name!r} is one too many, or stands twice, in {text!r}")
            state = state.after(name)
        return state

    @property
    def numerator(self) -> int:
        """The pairs that can be searched with the bridges so far."""
        return numerator(self.table.bits, self.chosen)

    def picture(self) -> str:
        """Return a text with the pairs that can be searched so far, and the bridges."""
        table = self.table
        reached = f"{self.numerator} of {(table.size + len(self.chosen)) ** 2} pairs"
        return "\n".join([reached, *(f"+ {table.pool.monsters[i].name}" for i in self.chosen)])

    def payoff(self) -> tuple[float]:
        """Return the part of all pairs that can be searched."""
        return (self.numerator / self.table.pairs,)

    def evaluate(self, seat: int) -> float:
        """Return the score so far, of the pairs that there are at the end."""
        return min(self.numerator / self.table.pairs, 1 - 1e-9)

    def bounds(self) -> tuple[float, float]:
        """Return the part that can be searched already, and 1."""
        return self.numerator / self.table.pairs, 1.0

    def __str__(self) -> str:
        return BETWEEN.join(self.table.pool.monsters[i].name for i in self.chosen) or NOTHING
