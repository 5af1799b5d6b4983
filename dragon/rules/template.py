"""Template: the names that kernels may use, which are `kernel`, a game's rules and its constants.

A template imports these names, so that people and type checkers read it as ordinary Python; the
compiler binds them to the game's own. They are those below and, for each rule in
`dragon.rules.contract`,

- its name, such as `banked`: its null form where a game has none, which the compiler removes;
- `HAS_BANKED`: whether the game has it.

A name is bound to the rule or, where the contract demands one, to its guard; see
`dragon.rules.kernels.guards`.
"""

from __future__ import annotations

from typing import Any

from dragon.compiler.kernel import kernel as kernel
from dragon.moved import missing
from dragon.rules.contract import RULES

PLIES = 0
"""No game lasts longer."""
WIDTH = 0
"""No state has more moves."""
SEATS = 2
"""The number of seats."""
TEAM = (0, 1)
"""The team of each seat."""
LARGEST = 1
"""No payoff exceeds this many units."""
RANKS = 0
"""The number of numbers that `rank` gives out."""
HAS_CHANCE = DUEL = False
"""True if the game has the trait."""
CHECKED = False
"""True if this is checked code."""


def __getattr__(name: str) -> Any:
    """Return the null form of a rule, or False for its `HAS_...`."""
    if (rule := RULES.get(name)) is not None:
        return rule.null
    if name.startswith("HAS_") and name.isupper() and name[4:].lower() in RULES:
        return False
    raise missing(__name__, name)
