"""The levels of a computer player: Easy, Medium and Strong, each a search with a number of nodes.

Numbers of simulations and nodes, unlike seconds, make a level the same on any machine.
`docs/measure_levels.py` plays them against one another; docs/serve.md has what came of it.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

NAMES = ("easy", "medium", "strong")
"""The levels from the weakest on."""


@frozen
class Level:
    """A search as a spec, and how much of it a move may take."""

    search: str
    simulations: int | None = None
    nodes: int | None = None


def sampled(*simulations: int) -> tuple[Level, ...]:
    """Levels of Monte Carlo tree search in its style for the game."""
    return tuple(Level("mcts(style='strong')", simulations=count) for count in simulations)


def searched(*nodes: int) -> tuple[Level, ...]:
    """Levels of alpha-beta."""
    return tuple(Level("alphabeta", nodes=count) for count in nodes)


USUAL = sampled(20, 150, 1500)
"""The levels of a game that is not in `LEVELS`."""
LEVELS: Mapping[str, tuple[Level, ...]] = {
    "chess": searched(100, 1000, 20000),
    "connect4": sampled(15, 220, 2500),
    "domineering": sampled(10, 600, 8000),
    "dots_and_boxes": sampled(20, 180, 3500),
    "einstein": sampled(500, 4000, 30000),
    "gomoku": sampled(50, 1500, 15000),
    "kalah": sampled(15, 800, 15000),
    "reversi": sampled(35, 350, 4000),
    "teeko": sampled(60, 300, 2000),
}
"""The levels of games by their names."""


def levels(name: str) -> dict[str, Level]:
    """The levels of a game of this name.

    >>> levels("hex")["easy"].simulations < levels("hex")["strong"].simulations
    True
    """
    return dict(zip(NAMES, LEVELS.get(name, USUAL), strict=True))
