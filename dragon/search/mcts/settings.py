"""The settings of Monte Carlo tree search, and what a tree says of a move.

Sources: Coulom 2006 (the four phases); Kocsis and Szepesvari 2006 (UCT); Winands,
Bjornsson and Saito 2008 (MCTS-Solver); Chaslot, Winands and van den Herik 2008 (root
parallelism); Wang and Gelly 2007 (first-play urgency); Teytaud and Teytaud 2010 (decisive
moves). Selections and playouts name theirs.
"""

from __future__ import annotations

from typing import Any, Self

from attrs import evolve, field, fields, frozen, validators

from dragon.core import Search, State, Trait
from dragon.search.budget import count_setting, megabytes_setting
from dragon.search.mcts.amaf import MOST_TABLES, length_of
from dragon.search.mcts.policies import Policies, names
from dragon.search.mcts.styles import STRONG, STYLES, says, settings_of

SLICE_NODES = 50_000
"""New nodes of the tree between two looks at the clock, where lists of moves are long."""
AMAF_BYTES = 16
"""What a table of AMAF values takes for each place of a seat."""
NODE_BYTES, FIELD_BYTES = 64, 8
"""What a node of the kernel takes, and each field that a policy adds."""
KEPT_OF_NODES = {"squares", "priors", "guesses"}
"""What takes such a field."""
COUNT = validators.le(1 << 40)
UNTRIED = 0.5
"""What a move that has not been tried counts, where it is scored and `fpu` does not say: half."""


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

    style: str | None = field(
        default=None, validator=validators.optional(validators.in_((*STYLES, STRONG)))
    )
    """Settings that win games together, in the place of those left as usual: "grave", that
    selection; "puct", that selection and `decisive`; "strong": that of the two which the
    game's rules name, or else "puct" where it has `prior` or `order`, with `cut=4` and
    `minimax=0.4` where it has an `evaluate`."""
    c: float = field(default=1.0, validator=[validators.ge(0), validators.le(1e6)])
    """The exploration constant, for values from 0 to 1; "wins" and "grave" have none."""
    selection: str = field(default="uct", validator=validators.in_(names("selections")))
    """"uct"; "wins": wins by visits alone, a draw being half a win; "grave": wins and AMAF values,
    what a move was worth whenever its seat played it later (Cazenave 2015); "progressive_history":
    UCT and what a move was worth anywhere (Nijssen and Winands 2011); "ucb1_tuned": UCT by the
    variance of payoffs (Auer et al. 2002); "puct": UCT by what the game's `prior` or `order`
    expects (Rosin 2011)."""
    bias: float = field(default=1e-5, validator=[validators.ge(0), validators.le(1e6)])
    """Of "grave": how soon a move's own visits count for more than its AMAF value."""
    ref: int = field(default=50, validator=[validators.ge(0), validators.le(1 << 40)])
    """Of "grave": AMAF values are those of the nearest ancestor visited so often; 0 is RAVE."""
    weight: float = field(default=3.0, validator=[validators.ge(0), validators.le(1e6)])
    """Of "progressive_history": how much history counts."""
    fpu: float | None = field(
        default=None,
        validator=validators.optional(validators.and_(validators.ge(0.0), validators.le(1e6))),
    )
    """First-play urgency: what a move that has not been tried counts, wins from 0 to 1 (Wang and
    Gelly 2007). None: all moves are tried first; of "puct" half a win. Not of "grave"."""
    playout: str = field(default="random", validator=validators.in_(names("playouts")))
    """"random"; "mast": moves that did well anywhere (Finnsson and Bjornsson 2008); "nst": the
    same, after the last one or two moves too (Tak et al. 2012)."""
    epsilon: float = field(default=0.2, validator=[validators.ge(0), validators.le(1)])
    """Of "mast" and "nst": the share of their moves that are drawn at random."""
    decisive: bool = False
    """In the tree and in playouts, play a move that wins at once (Teytaud and Teytaud 2010). It
    is looked for among up to 1,000 moves."""
    minimax: float = field(default=0.0, validator=[validators.ge(0), validators.le(1)])
    """Where the game has an `evaluate`: the share of a move's value that is the minimax value of
    evaluations in the tree (Lanctot et al. 2014)."""
    cut: int | None = field(
        default=None, validator=validators.optional(validators.and_(validators.ge(0), COUNT))
    )
    """Where the game has an `evaluate`: plies of a playout, which then pays what that says (Lorentz
    2008). None: to the end."""
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
    """Size of a tree; when it is full, playouts go on from its leaves. AMAF
    values take up to a quarter more."""
    threads: int = field(default=1, validator=[validators.ge(1), validators.le(256)])
    """Threads that simulate side by side."""
    parallel: str = field(default="root", validator=validators.in_(("root", "tree")))
    """What threads have: "root", a tree each, whose root moves are added up (Chaslot, Winands and
    van den Herik 2008); "tree", one that all grow, kept apart by a virtual loss (section 3.3
    there), for games by Rules. Then no two runs are the same."""
    simulations: int | None = count_setting()
    """Simulations for each move; none: until the limit, or 100,000 where there is none."""

    def fitted(self, state: State[Any]) -> Self:
        """These settings for the game of a state: with those of its style in the place of usual
        ones, and without what needs an `evaluate` that the game has not."""
        fit = self.styled(state)
        if (self.minimax or self.cut is not None) and not says(state, "evaluate"):
            fit = evolve(fit, minimax=0.0, cut=None)
        return fit

    def styled(self, state: State[Any]) -> Self:
        """These settings with those of its style in the place of usual ones."""
        if self.style is None:
            return self
        usual = {each.name: each.default for each in fields(type(self))}
        style = settings_of(self.style, state)
        new = {name: value for name, value in style.items() if getattr(self, name) == usual[name]}
        return evolve(self, style=None, **new)

    @property
    def policies(self) -> Policies:
        """How it selects and plays out, and what kernels are compiled for besides."""
        return Policies(
            self.selection, self.playout, self.decisive, urgency=self.fpu is not None,
            cuts=self.cut is not None, guesses=self.minimax > 0, shared=self.shares_tree,
        )  # fmt: skip

    @property
    def urgency(self) -> float:
        """What a move that has not been tried counts, where it is scored."""
        return UNTRIED if self.fpu is None else self.fpu

    def room(self) -> int:
        """How many nodes a tree may have."""
        more = len(self.policies.keeps & KEPT_OF_NODES)
        return max(int(self.megabytes * 1e6) // (NODE_BYTES + FIELD_BYTES * more), 1)

    def tables(self, seats: int) -> int:
        """How many tables of AMAF values a tree may have: in a quarter of `megabytes`, but one."""
        if "amaf" not in self.policies.keeps:
            return 0
        most = int(self.megabytes * 1e6) // (4 * AMAF_BYTES * length_of(seats))
        return min(max(most, 1), MOST_TABLES)

    @property
    def shares_tree(self) -> bool:
        """Return True if several threads grow one tree."""
        return self.threads > 1 and self.parallel == "tree"

    def backs_up_proofs(self, state: State[Any]) -> bool:
        """Return True if `solver` applies: of two sides one gains what the other loses."""
        return self.solver and state.zero_sum and len(set(state.teams)) <= 2
