"""The settings of Monte Carlo tree search and its styles.

Sources: Coulom 2006 (the four phases); Kocsis and Szepesvari 2006 (UCT); Winands,
Bjornsson and Saito 2008 (MCTS-Solver); Chaslot, Winands and van den Herik 2008 (root
parallelism); Wang and Gelly 2007 (first-play urgency); Teytaud and Teytaud 2010 (decisive
moves). Selections, playouts and statistics name their own sources.
"""

from __future__ import annotations

from typing import Any, Self

from attrs import evolve, field, fields, frozen, validators

from dragon.core import Search, State, Trait
from dragon.errors import PluginError
from dragon.rules.record import RecordState, defines
from dragon.search.budget import count_setting, megabytes_setting
from dragon.search.mcts.policies import Policies, described, names
from dragon.search.mcts.statistics.amaf import MOST_TABLES, length_of

SLICE_NODES = 50_000
"""New nodes and blocks of the tree between two looks at the clock, where there are many moves."""
AMAF_BYTES = 16
"""The bytes of a table of AMAF values for each place of a seat."""
NODE_BYTES, FIELD_BYTES = 64, 8
"""The bytes of a node, and of each field that a policy adds."""
MOST_NODES = (1 << 31) - 1
"""The most nodes of a tree: a node has the index of its children in four bytes."""
KEPT_OF_NODES = {"squares", "priors", "evaluations", "transpositions"}
"""The statistics that take such a field."""
SHARED_BYTES = 48
"""The bytes of shared values for each node."""
FEW = 16
"""The most moves of a game whose trees have a record for each child, and not blocks; see `tree`."""
COUNT = validators.le(1 << 40)
UNTRIED = 0.5
"""The default `fpu` of selections that score untried moves."""

STYLES: dict[str, dict[str, Any]] = {
    "grave": {"selection": "grave"},
    "puct": {"selection": "puct", "decisive": True},
}
"""Settings that were measured to be strong together, by name; see docs/strength.md."""
STRONG = "strong"
"""The style that is chosen by the game, with EVALUATING where that has an `evaluate`."""
EVALUATING: dict[str, Any] = {"cut": 4, "minimax": 0.4}


@frozen
class Settings(Search):
    """The settings by which a tree grows."""

    name = "mcts"
    excludes = frozenset({Trait.HIDDEN})

    style: str | None = field(
        default=None, validator=validators.optional(validators.in_((*STYLES, STRONG)))
    )
    """A set of settings that replaces their defaults: "grave", that selection; "puct", that
    selection and `decisive`; "strong": the one of these that the game's rules name, else "puct"
    where the game has `prior` or `order`; with `cut=4` and `minimax=0.4` where it has an
    `evaluate`."""
    c: float = field(default=1.0, validator=[validators.ge(0), validators.le(1e6)])
    """The exploration constant, for values from 0 to 1; "wins" and "grave" have none."""
    selection: str = field(
        default="uct",
        validator=validators.in_(names("selections")),
        metadata={"described": lambda: described("selections")},
    )
    """The selection policy, by which a child is chosen in the tree."""
    bias: float = field(default=1e-5, validator=[validators.ge(0), validators.le(1e6)])
    """For "grave": the RAVE bias; the larger, the sooner a move's own mean outweighs its AMAF
    value."""
    ref: int = field(default=50, validator=[validators.ge(0), validators.le(1 << 40)])
    """For "grave": AMAF values are those of the nearest ancestor with this many visits; 0 is
    RAVE."""
    weight: float = field(default=3.0, validator=[validators.ge(0), validators.le(1e6)])
    """For "progressive_history": the weight of its progressive bias, the move's history."""
    fpu: float | None = field(
        default=None,
        validator=validators.optional(validators.and_(validators.ge(0.0), validators.le(1e6))),
    )
    """First-play urgency: the mean of a move that has not been tried, from 0 to 1 (Wang and Gelly
    2007). None: every move is tried once first; with "puct", half a win. Not used by "grave"."""
    playout: str = field(
        default="random",
        validator=validators.in_(names("playouts")),
        metadata={"described": lambda: described("playouts")},
    )
    """The playout policy, by which moves are drawn beyond the tree."""
    epsilon: float = field(default=0.2, validator=[validators.ge(0), validators.le(1)])
    """For "mast" and "nst": the probability of a random move (epsilon-greedy)."""
    decisive: bool = False
    """In the tree and in playouts, play a move that wins at once (Teytaud and Teytaud 2010). It
    is looked for among up to 1,000 moves."""
    minimax: float = field(default=0.0, validator=[validators.ge(0), validators.le(1)])
    """The weight of implicit minimax backups in a move's value, that is of the minimax value of
    evaluations in the tree (Lanctot et al. 2014); only where the game has an `evaluate`."""
    cut: int | None = field(
        default=None, validator=validators.optional(validators.and_(validators.ge(0), COUNT))
    )
    """The plies of a playout, whose payoff is then the evaluation (early playout termination,
    Lorentz 2008); only where the game has an `evaluate`. None: to the end."""
    solver: bool = True
    """Back up proven wins, losses and draws (MCTS-Solver)."""
    reduce: bool = True
    """Expand only one of several moves that the game calls equivalent."""
    solved: bool = False
    """With `solver`: probe the game's own `solved` at every new node, and do not search below a
    node whose value it knows."""
    reduce_playouts: bool = False
    """Draw the moves of playouts, too, from those that `reduce` leaves."""
    transpositions: bool = False
    """Transpositions: nodes of equal states share one mean and one proof (UCT2 of Childs et al.
    2008); for zero-sum games of two sides."""
    reuse: bool = True
    """Tree reuse: keep the subtree of the position that is reached for the next move of a game."""
    megabytes: float = megabytes_setting(256.0)
    """Size of a tree; when it is full, playouts go on from its leaves. AMAF
    values take up to a quarter more."""
    threads: int = field(default=1, validator=[validators.ge(1), validators.le(256)])
    """Threads that simulate side by side."""
    parallel: str = field(default="root", validator=validators.in_(("root", "tree")))
    """Parallelism with several threads: "root", a tree each, whose root statistics are added up
    (Chaslot, Winands and van den Herik 2008); "tree", one shared tree with a virtual loss (section
    3.3 there), for games by Rules; runs are then not repeatable."""
    simulations: int | None = count_setting()
    """Simulations for each move; none: until the limit, or 100,000 without a limit."""

    def fitted(self, state: State[Any]) -> Self:
        """Return these settings for the game of a state.

        Those of the style take the place of defaults, and settings that need an `evaluate` are
        dropped where the game does not define it.
        """
        fit = self.styled(state)
        if (self.minimax or self.cut is not None) and not defines(state, "evaluate"):
            fit = evolve(fit, minimax=0.0, cut=None)
        return fit

    def styled(self, state: State[Any]) -> Self:
        """Return these settings with those of the style in the place of defaults."""
        if self.style is None:
            return self
        usual = {each.name: each.default for each in fields(type(self))}
        style = settings_of_style(self.style, state)
        new = {name: value for name, value in style.items() if getattr(self, name) == usual[name]}
        return evolve(self, style=None, **new)

    @property
    def policies(self) -> Policies:
        """The policies, and the other choices that kernels are compiled for."""
        return self.policies_for(0)

    def policies_for(self, width: int) -> Policies:
        """Return the policies for a game with a number of moves, 0 if that is not known."""
        return Policies(
            self.selection, self.playout, self.decisive, urgency=self.fpu is not None,
            cuts=self.cut is not None, evaluations=self.minimax > 0,
            transpositions=self.transpositions, shared=self.shares_tree,
            wide=width > FEW,
        )  # fmt: skip

    @property
    def urgency(self) -> float:
        """The mean of a move that has not been tried, where it is scored."""
        return UNTRIED if self.fpu is None else self.fpu

    def room(self) -> int:
        """Return the number of nodes that a tree may have."""
        more = len(self.policies.keeps & KEPT_OF_NODES)
        bytes_of_each = NODE_BYTES + FIELD_BYTES * more + SHARED_BYTES * self.transpositions
        nodes = int(self.megabytes * 1e6) // bytes_of_each
        return min(max(nodes, 1), MOST_NODES)

    def tables(self, seats: int) -> int:
        """Return the number of AMAF tables that a tree may have: at least one, else as many as fit
        into a quarter of `megabytes`."""
        if "amaf" not in self.policies.keeps:
            return 0
        most = int(self.megabytes * 1e6) // (4 * AMAF_BYTES * length_of(seats))
        return min(max(most, 1), MOST_TABLES)

    @property
    def shares_tree(self) -> bool:
        """True if several threads grow one tree."""
        return self.threads > 1 and self.parallel == "tree"

    def backs_up_proofs(self, state: State[Any]) -> bool:
        """Return whether `solver` applies: to zero-sum games of two sides."""
        return self.solver and state.zero_sum and len(set(state.teams)) <= 2


def style_for(state: State[Any]) -> str:
    """Return the style for a game: the one that its rules name, else by its optional rules.

    Raises PluginError for an unknown name.
    """
    if isinstance(state, RecordState) and (named := state.rules.style) is not None:
        if named not in STYLES:
            raise PluginError(
                f"the rules of {state.rules.label} name the style {named!r}; "
                f"write one of {', '.join(STYLES)}"
            )
        return named
    return "puct" if defines(state, "prior") or defines(state, "order") else "grave"


def settings_of_style(style: str, state: State[Any]) -> dict[str, Any]:
    """Return the settings of a style for a game that are not the defaults."""
    if style != STRONG:
        return STYLES[style]
    return STYLES[style_for(state)] | (EVALUATING if defines(state, "evaluate") else {})
