"""Policies: how a tree selects a child and how it plays out, each of them one file.

A selection is a module of `selections`, a playout one of `playouts`; the settings of these names
say which. The tree knows none of them. Its kernels call what stands below, and where they are
specialised the policy's own functions take that place, as a game's rules do; its plain form calls
the same functions. So they are plain Python in the compiler's subset.

A selection has

- `score(m, node, child, own, known, shared, run)`: how promising a child of `node` is, from 0 on.
  own: its mean, from 0 to 1; known: whether that is proven; shared: see next.
- `share(node, run)`, optional: a number that is the same for all children, 0 if left out.
- `SCORES_UNTRIED`, optional: true if it scores a child without visits, too. Else all are tried in
  turn before any is scored, unless `fpu` says what an untried one counts.

A playout has

- `choose(m, n, seat, ply, run)`: the index of one of n codes in `m.out`, for the seat to move.
- `LISTS`, optional: false if moves need not be listed, for any will do.

Either may have `KEEPS`, what of `KEPT` the tree keeps for it. m is the Memory and run the RUN of
`dragon.search.mcts.memory`; its settings are fields of both by the names that they have in
`settings`. A node has `code`, `visits`, `total`, `seat`, and what is kept of it.
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

KEPT = ("amaf", "history", "grams", "squares", "priors", "guesses")
"""What a tree can keep: AMAF tables of states (only where untried children are scored); the history
of moves, and of two and three in a row; of each node the sum of its squared payoffs, from 0 to 1,
the game's prior of its move, the minimax value of evaluations."""

SCORES_UNTRIED = DECISIVE = LISTS = CUTS = SHARED = False
UNTRIED_FIRST = True
KEEPS_AMAF = KEEPS_HISTORY = KEEPS_GRAMS = KEEPS_SQUARES = KEEPS_PRIORS = KEEPS_GUESSES = False
NOTES = False
"""Whether it is written down what was played at each ply."""


def share(node, run):
    """What the scores of all children have in common."""
    return 0.0


def score(m, node, child, own, known, shared, run):
    """How promising a child is."""
    return own


def choose(m, n, seat, ply, run):
    """The index of a move of a playout."""
    return draw(m.random, n)


def names(kind: str) -> tuple[str, ...]:
    """The policies of a kind, `selections` or `playouts`."""
    return tuple(sorted(each.name for each in iter_modules([str(Path(__file__).parent / kind)])))


@frozen
class Policies:
    """Those of one search, and what its kernels are compiled for besides."""

    selection: str
    playout: str
    decisive: bool = False
    urgency: bool = False
    """Whether a setting says what an untried child counts."""
    cuts: bool = False
    """Whether playouts may end before the game does."""
    guesses: bool = False
    """Whether the minimax value of evaluations counts."""
    shared: bool = False
    """Whether several threads grow the tree."""

    @property
    def keeps(self) -> frozenset[str]:
        """What the tree must keep for them."""
        return _keeps(self)

    @property
    def bound(self) -> dict[str, Any]:
        """The names of this module that kernels call, and what stands for them."""
        return _bound(self)


@cache
def _keeps(policies: Policies) -> frozenset[str]:
    asked = (name for each in _modules(policies) for name in getattr(each, "KEEPS", ()))
    return frozenset(asked) | ({"guesses"} if policies.guesses else set())


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
        "SHARED": policies.shared,
        "LISTS": getattr(playout, "LISTS", True),
        "NOTES": bool(keeps & {"amaf", "history", "grams"}),
        **{f"KEEPS_{name.upper()}": name in keeps for name in KEPT},
    }


def _modules(policies: Policies) -> tuple[ModuleType, ModuleType]:
    return (
        import_module(f"{__package__}.selections.{policies.selection}"),
        import_module(f"{__package__}.playouts.{policies.playout}"),
    )
