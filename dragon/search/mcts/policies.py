"""The interface of policies: selections and playouts, one file each.

A selection is a module of `selections`, a playout one of `playouts`; the settings of these names
choose one, and list them with the first lines of their docstrings. The kernel calls the functions
below; when it is compiled, those of the chosen policies replace them, as a game's rules do.
Policies keep to the compiler's subset of Python.

A selection has

- `score(m, node, child, own, known, shared, settings)`: the score of a child of `node`, from 0 on;
  the highest is selected. own: its mean, from 0 to 1, for the seat to move at `node`; known: true
  if that is proven; shared: see next.
- `share(node, settings)`, optional: a number that is the same for all children, 0 if left out.
- `LINEAR`, optional: true if its score is own + shared * child.spread and nothing else. Then many
children are scored eight at a time, in float32; `score` is called where there are few.
- `SCORES_UNTRIED`, optional: true if it scores a child without visits, too. Else every child is
tried once before any is scored, unless `fpu` gives the mean of an untried one.

A playout has

- `choose(m, n, seat, ply, settings)`: the index of one of n codes in `m.out`, for the seat to move.
- `LISTS`, optional: false if the policy does not need the list of moves.

Either may have `KEEPS`, the names of `KEPT` that the tree keeps for it. m is the Memory of
`dragon.search.mcts.tree`; settings has all numbers of `dragon.search.mcts.settings` by their names,
so that a new one is declared there alone. A node has `code`, `visits`, `total`, `seat`, `spread`
(1 / sqrt(visits), a float32), and what is kept of it.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from attrs import frozen

from dragon.bits import draw

KEPT = ("amaf", "history", "grams", "squares", "priors", "evaluations", "transpositions")
"""Statistics that a tree can keep: AMAF tables of states (only where untried children are scored);
the history of moves, and of two and three in a row; of each node the sum of its squared payoffs,
from 0 to 1, the game's prior of its move, the minimax value of evaluations, the values that it
shares with equal states."""

IN_BLOCKS = {"history", "grams", "transpositions"}
"""Those that a tree of blocks can keep."""

SCORES_UNTRIED = DECISIVE = LISTS = CUTS = SHARED = False
UNTRIED_FIRST = True
AT_ONCE = False
"""True if playouts may end by the game's rule `finish`, since no policy needs their plies; for AMAF
values the cells that each side took are enough (`maker`)."""
KEEPS_AMAF = KEEPS_HISTORY = KEEPS_GRAMS = KEEPS_SQUARES = KEEPS_PRIORS = KEEPS_EVALUATIONS = False
KEEPS_TRANSPOSITIONS = False
NOTES = False
"""True if the place of each ply's move is written down."""


def share(node, settings):
    """Return a number that is the same for all children."""
    return 0.0


def score(m, node, child, own, known, shared, settings):
    """Return the score of a child."""
    return own


def choose(m, n, seat, ply, settings):
    """Return the index of a playout's next move."""
    return draw(m.random, n)


def names(kind: str) -> tuple[str, ...]:
    """Return the policies of a kind, `selections` or `playouts`."""
    return tuple(sorted(each.name for each in iter_modules([str(Path(__file__).parent / kind)])))


def described(kind: str) -> str:
    """Return the policies of a kind with the first lines of their docstrings."""
    modules = {name: import_module(f"{__package__}.{kind}.{name}") for name in names(kind)}
    return " ".join(
        f'"{name}": {(module.__doc__ or "").partition(chr(10))[0]}'
        for name, module in modules.items()
    )


@frozen
class Policies:
    """The policies of one search, and the other choices that its kernels are compiled for."""

    selection: str
    playout: str
    decisive: bool = False
    urgency: bool = False
    """Untried children are scored, by the setting `fpu`."""
    cuts: bool = False
    """Playouts may end before the game does."""
    evaluations: bool = False
    """The minimax value of evaluations counts."""
    transpositions: bool = False
    """Equal states share their values."""
    shared: bool = False
    """Several threads grow the tree."""
    wide: bool = False
    """The game has many moves."""

    @property
    def blocked(self) -> bool:
        """True for a tree of blocks: there are many children, and their score is linear."""
        return self.wide and self.linear and not (self.urgency or self.keeps - IN_BLOCKS)

    @property
    def linear(self) -> bool:
        """True if the selection is LINEAR."""
        return bool(getattr(_modules(self)[0], "LINEAR", False))

    @property
    def keeps(self) -> frozenset[str]:
        """The names of KEPT that the tree must keep for them."""
        return _keeps(self)

    @property
    def bound(self) -> dict[str, Any]:
        """The names that kernels import from this module, and the values bound to them."""
        return _bound(self)


@cache
def _keeps(policies: Policies) -> frozenset[str]:
    asked = (name for each in _modules(policies) for name in getattr(each, "KEEPS", ()))
    chosen = {name for name in ("evaluations", "transpositions") if getattr(policies, name)}
    return frozenset(asked) | chosen


@cache
def _bound(policies: Policies) -> dict[str, Any]:
    selection, playout = _modules(policies)
    scores_untried, keeps = getattr(selection, "SCORES_UNTRIED", False), policies.keeps
    return {
        "score": selection.score,
        "share": getattr(selection, "share", share),
        "choose": playout.choose,
        "SCORES_UNTRIED": scores_untried,
        "UNTRIED_FIRST": not (scores_untried or policies.urgency),
        "DECISIVE": policies.decisive,
        "CUTS": policies.cuts,
        "BLOCKED": policies.blocked,
        "AT_ONCE": not (
            getattr(playout, "LISTS", True)
            or policies.decisive
            or policies.cuts
            or keeps & {"history", "grams"}
        ),
        "SHARED": policies.shared,
        "LISTS": getattr(playout, "LISTS", True),
        "NOTES": bool(keeps & {"amaf", "history", "grams"}),
        **{f"KEEPS_{name.upper()}": name in keeps for name in KEPT},
    }


@cache
def _modules(policies: Policies) -> tuple[ModuleType, ModuleType]:
    return (
        import_module(f"{__package__}.selections.{policies.selection}"),
        import_module(f"{__package__}.playouts.{policies.playout}"),
    )
