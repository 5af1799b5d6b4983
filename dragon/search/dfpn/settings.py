"""The settings of df-pn, and what a question is answered with."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen, validators

from dragon.core import Game, Search, State, Trait
from dragon.search.budget import megabytes_setting
from dragon.search.two_sided import (
    MOST_IN_ENTRY,
    game_units_objection,
    side,
    two_sided_objection,
    whole_units,
)

NO_REPETITION = (
    "where positions recur, lines without end look no harder to prove than short ones; "
    "alphabeta and mcts do support it"
)
"""Why a game with REPETITION is refused, and what to take."""


@frozen
class Answer:
    """Whether seat 0's side gets what was asked; `yes` is None where the budget ended first."""

    yes: bool | None
    worth: int = 0
    """Units of seat 0 that the proof has shown: at least so many, or at most."""
    move: Any = None
    """The root's move that is proven, that loses least, or that looks nearest to a proof."""
    extra: dict[str, Any] = field(factory=dict)
    """What a result says of an early end."""


@frozen
class Settings(Search):
    """Which parts of df-pn are on, and how far it follows a move."""

    name = "dfpn"
    needs = frozenset({Trait.DUEL})
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN, Trait.REPETITION})
    limits = frozenset({"seconds", "nodes"})
    deterministic = True

    megabytes: float = megabytes_setting(64.0)
    """Size of the table, which begins with 1 at most; what took least work is forgotten first."""
    epsilon: float = field(default=0.25, validator=[validators.ge(0), validators.le(1000)])
    """How much longer than the second-best move the best is followed, as a share."""
    weak: bool = True
    """Count of the replies to be refuted the hardest and one for each other; else their sum."""
    focus: float = field(default=0.1, validator=[validators.gt(0), validators.le(1)])
    """Share of the moves, two at least, that are open at a time; for one refuted the next comes."""
    ends: bool = True
    """When a state is first gone into, ask of all its moves whether one wins at once."""
    order: bool = True
    """Use the game's own `order` to say which moves come first."""
    history: bool = True
    """Let of moves that are equal in that those come first that proved something elsewhere."""
    reduce: bool = True
    """Try one of several moves that the game calls equivalent."""
    bounds: bool = True
    """Go no further than the game's own `bounds` leave room for."""
    solved: bool = False
    """Ask the game's own `solved` at every state but the first, and search none that it knows."""

    def objection(self, game: Game[Any]) -> str | None:
        """A proof needs two sides that want the contrary of each other, and lines that end."""
        if Trait.REPETITION in game.traits:
            return f"{self} does not support repetition ({game}); {NO_REPETITION}"
        sentence = super().objection(game) or two_sided_objection(self, game)
        return sentence or game_units_objection(self, game, MOST_IN_ENTRY)

    def span(self, state: State[Any]) -> tuple[int, int]:
        """The least and the most units that the mover can get, before any search."""
        most = whole_units(state, state.largest)
        low, high = -most, most
        if self.bounds and (bounds := state.bounds()) is not None:
            least, greatest = (whole_units(state, units) for units in bounds)
            low, high = max(low, least), min(high, greatest)
        return (low, high) if side(state) > 0 else (-high, -low)
