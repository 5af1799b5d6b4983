"""The settings of Monte Carlo tree search, and what a tree says of a move.

Sources: Coulom 2006 (the four phases); Kocsis and Szepesvari 2006 (UCT); Winands,
Bjornsson and Saito 2008 (MCTS-Solver); Chaslot, Winands and van den Herik 2008 (root
parallelism); Gelly and Silver 2007 (RAVE); Cazenave 2015 (GRAVE).
"""

from __future__ import annotations

from typing import Any

from attrs import field, frozen, validators

from dragon.core import Search, State, Trait
from dragon.search.budget import count_setting, megabytes_setting
from dragon.search.mcts.amaf import MOST_TABLES
from dragon.search.move_ordering import HISTORY

SLICE_NODES = 50_000
"""New nodes of the tree between two looks at the clock, where lists of moves are long."""


AMAF_BYTES = 16
"""What a table of AMAF values takes for each slot of a seat."""


@frozen
class Child:
    """What a tree knows of one root move; units from the side of the seat to move at the root."""

    key: Any
    """The move, or what the tree writes for it."""
    visits: int
    total: int
    proof: int | None


@frozen
class Settings(Search):
    """How a tree grows."""

    name = "mcts"
    excludes = frozenset({Trait.HIDDEN})

    c: float = field(default=1.0, validator=[validators.ge(0), validators.le(1e6)])
    """UCT's exploration constant, for values from 0 to 1."""
    selection: str = field(default="uct", validator=validators.in_(("uct", "wins", "grave")))
    """"uct"; "wins": wins by visits alone, a draw being half a win; "grave": wins and AMAF values,
    what a move was worth whenever its seat played it later (Cazenave 2015)."""
    bias: float = field(default=1e-5, validator=[validators.ge(0), validators.le(1e6)])
    """Of "grave": how soon a move's own visits count for more than its AMAF value."""
    ref: int = field(default=50, validator=[validators.ge(0), validators.le(1 << 40)])
    """Of "grave": AMAF values are those of the nearest ancestor visited so often; 0 is RAVE."""
    solver: bool = True
    """Back up proven wins, losses and draws."""
    reduce: bool = True
    """Put into the tree one of several moves that the game calls equivalent."""
    solved: bool = False
    """With `solver`: ask the game's own `solved` at every new node, and search none it knows."""
    reduce_playouts: bool = False
    """Draw the moves of playouts, too, from those that `reduce` leaves: its wins in one, say."""
    reuse: bool = True
    """Keep the part of the tree that is still of use for the next move of a game."""
    megabytes: float = megabytes_setting(256.0)
    """Size of the tree, for each thread; when it is full, playouts go on from its leaves. AMAF
    values take up to a quarter more."""
    threads: int = field(default=1, validator=[validators.ge(1), validators.le(256)])
    """Trees grown side by side, their root moves added up."""
    simulations: int | None = count_setting()
    """Simulations for each move; none: until the limit, or 100,000 where there is none."""

    def tables(self, seats: int) -> int:
        """How many tables of AMAF values a tree may have: in a quarter of `megabytes`, but one."""
        if self.selection != "grave":
            return 0
        most = int(self.megabytes * 1e6) // (4 * AMAF_BYTES * seats * HISTORY)
        return min(max(most, 1), MOST_TABLES)

    def backs_up_proofs(self, state: State[Any]) -> bool:
        """Whether `solver` applies: of two sides one gains what the other loses."""
        return self.solver and state.zero_sum and len(set(state.teams)) <= 2
