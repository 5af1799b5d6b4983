"""The common part of searches of two sides: objections, sides, units, chance."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

from dragon.core import CHANCE, Game, Run, Search, State, Trait
from dragon.errors import GameError, Objection
from dragon.rules.record import RecordGame, rules_of
from dragon.rules.rules import MOST

if TYPE_CHECKING:
    from dragon.search.table import Lease

MOST_IN_ENTRY = (1 << 30) - 1
"""Units of the largest payoff that an entry of 32 bits holds: twice as many may still come where
some are banked."""
CLOSE = 1e-6
"""A part of a unit that payoffs may be wrong by, which authors add up as floats."""


_TWO_SIDED = frozenset({Trait.SOLO, Trait.DUEL})


class TableRun(Run):
    """A run whose transposition table stays from move to move."""

    def __init__(self, search: Any, game: Game[Any] | None = None) -> None:
        super().__init__(search, game)
        self._lease = tables()(search.megabytes)

    def close(self) -> None:
        """Give the table back for searches to come."""
        self._lease.close()


@cache
def tables() -> type[Lease]:
    """Return the class that lends tables; imported once, when a search begins, for speed."""
    from dragon.search.table import Lease

    return Lease


def two_sided_objection(search: Search, game: Game[Any]) -> str | None:
    """Why a search of two sides cannot play `game`: what one gains the other must lose."""
    if not game.traits.isdisjoint(_TWO_SIDED):
        return None
    return f"{search} needs one side, or two whose payoffs sum to zero (not so in {game})"


def check_two_sided(search: Search, state: State[Any], chance: bool = False) -> None:
    """Raise Objection for a state of a game that a search of two sides cannot play.

    A game may claim two sides where its states do not. chance: whether it may be chance's turn.
    """
    if not chance:
        refuse_chance(search, state)
    if not state.zero_sum or len(set(state.teams)) > 2:
        raise Objection(f"{search} needs one side, or two whose payoffs sum to zero")


def side(state: State[Any]) -> int:
    """1 where seat 0's team or chance is to move, -1 where the other team is."""
    return 1 if state.turn == CHANCE or state.teams[state.turn] == state.teams[0] else -1


def units_objection(search: Search, state: State[Any], most: int = MOST["largest"]) -> str | None:
    """Why a search cannot count the payoffs of a state's game: they exceed `most` units."""
    if round(state.largest / state.unit) <= most:  # 107374182.3 / 0.1 is more than a whole number
        return None
    return (
        f"{search} counts payoffs of up to {most:,} units, and the largest is {state.largest:g}, "
        f"in units of {state.unit:g}; give the game a larger unit, or a smaller largest payoff"
    )


def game_units_objection(
    search: Search, game: Game[Any], most: int = MOST["largest"]
) -> str | None:
    """Return `units_objection` for a game, whose start is made only where its Rules do not tell."""
    if isinstance(game, RecordGame) and rules_of(game).largest <= most:
        return None
    return units_objection(search, game.start(), most)


def check_units(search: Search, state: State[Any], most: int = MOST["largest"]) -> None:
    """Raise Objection where `units_objection` has one."""
    if (sentence := units_objection(search, state, most)) is not None:
        raise Objection(sentence)


def whole_units(state: State[Any], payoff: float) -> int:
    """The payoff in units, up to rounding errors of floats; raises GameError if it is between two.

    Where the quotient is too large to be exact, the payoff itself is compared.
    """
    units = payoff / state.unit
    whole = round(units)
    if abs(units - whole) > CLOSE and abs(whole * state.unit - payoff) > 2 * math.ulp(payoff):
        raise GameError(f"payoff {payoff} in {state} is not a whole multiple of {state.unit}")
    return whole


def refuse_chance(search: Search, state: State[Any]) -> None:
    """Raise Objection where chance decides: there is no best move to look for."""
    if state.turn == CHANCE:
        raise Objection(f"{search} does not support chance, which decides in {state}")


def refuse_later(search: Search, state: State[Any], earlier: State[Any], chance: bool) -> None:
    """Raise Objection where `state` has what `earlier`, from which it came, did not show.

    That is chance, unless the search supports `chance`, and hidden information. Games declare both
    before a search begins. A state that does not know its game cannot tell what is to come.
    """
    if not chance:
        refuse_chance(search, state)
    if state.conceals and not earlier.conceals:
        raise Objection(
            f"{search} does not support hidden information, which there is in {state}; begin with "
            f"that state, and wrap it in determinize(search={str(search)!r})"
        )
