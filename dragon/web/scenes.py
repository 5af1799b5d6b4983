"""Scenes: what the Play page shows of a game beside its rules, from `scenes.toml` of its plugin.

A plugin's package may have such a file, with a table for each of its games:

- `moves`: from the beginning into mid-game, separated by commas, for a picture; `game`: the spec
  of which they are, where that is not the game at its defaults;
- `won`: how the side that has won did so, as "White joined its edges" goes on after the name;
- `simulations` or `nodes`: three numbers, the levels Easy, Medium and Strong of a computer player,
  or Easy and Strong, or Strong alone, where luck or best play leaves no room between; by Monte
  Carlo tree search in its style for the game, or by alpha-beta. Unlike seconds they make a level
  the same on any machine. `docs/measure_levels.py` plays them against one another.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any

from attrs import field, frozen

from dragon.core import Game

NAMES = ("easy", "medium", "strong")
"""The levels from the weakest on."""
USUAL = (20, 150, 1500)
"""The simulations of a game whose plugin does not say."""
SAMPLED, SEARCHED = "mcts(style='strong')", "alphabeta"


@frozen
class Level:
    """A search as a spec, and how much of it a move may take."""

    search: str
    simulations: int | None = None
    nodes: int | None = None


def _apart(moves: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return moves that a comma separates."""
    return tuple(moves.split(",")) if isinstance(moves, str) else moves


@frozen
class Scene:
    """The things shown of a game; empty where its plugin does not say."""

    game: str = ""
    moves: tuple[str, ...] = field(default=(), converter=_apart)
    won: str | None = None
    simulations: tuple[int, ...] = field(default=(), converter=tuple)
    nodes: tuple[int, ...] = field(default=(), converter=tuple)

    @property
    def levels(self) -> dict[str, Level]:
        """The levels by their names."""
        if self.nodes:
            found = [Level(SEARCHED, nodes=count) for count in self.nodes]
        else:
            found = [Level(SAMPLED, simulations=count) for count in self.simulations or USUAL]
        names = (*NAMES[: len(found) - 1], NAMES[-1]) if found else ()
        return dict(zip(names, found, strict=True))


def scene_of(cls: type[Game[Any]]) -> Scene:
    """Return the scene of a class of games."""
    return scenes(cls.__module__.partition(".")[0]).get(cls.name, Scene())


@cache
def scenes(package: str) -> dict[str, Scene]:
    """Return the scenes of a plugin's package, by the names of the games."""
    if not hasattr(import_module(package), "__path__"):  # a plugin of one module
        return {}
    file = files(package).joinpath("scenes.toml")
    if not file.is_file():
        return {}
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: Scene(**table) for name, table in tables.items()}
