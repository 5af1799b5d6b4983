"""Tournament: what is to be played, as frozen values; everything else follows from it."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import attrs
from attrs import field, frozen
from attrs.validators import ge, optional

from dragon.core import Game, Limit, Search


@frozen
class Player:
    """A named search with the limit it plays under."""

    name: str
    search: Search
    limit: Limit


@frozen
class Openings:
    """The moves played before the players begin: given lines, or random plies."""

    lines: tuple[tuple[str, ...], ...] = ()
    """Each a list of moves, in the game's notation."""
    random: int | None = field(default=None, validator=optional(ge(1)))
    """Instead of lines: so many plies at random."""
    count: int | None = field(default=None, validator=optional(ge(1)))
    """How many random openings; by default one for every game of a pairing."""


@frozen
class Encounter:
    """An entry of the list that replaces the format: who sits where, how often."""

    seats: tuple[str, ...]
    games: int | None = field(default=None, validator=optional(ge(1)))


@frozen
class Tournament:
    """What a file says, as values; everything that is played follows from it."""

    name: str
    game: Game[Any]
    referee: Any
    players: tuple[Player, ...]
    format: str = "round-robin"
    games: int = 1
    seed: int = 0
    encounters: tuple[Encounter, ...] = ()
    openings: Openings = Openings()
    margin: float = 1.0
    stall: float = 600.0
    warmup: float = 120.0
    plies: int | None = None
    reference: Search | None = None
    reference_seconds: float = 60.0

    def player(self, name: str) -> Player:
        """The player of that name."""
        return next(p for p in self.players if p.name == name)

    def caveats(self) -> list[str]:
        """Which players take no account of the limit they are given, a sentence each.

        Of a search that heeds none, and so ends by itself, nothing needs to be said.
        """
        told = ((p.name, p.search.caveat(p.limit)) for p in self.players if p.search.limits)
        return [
            sentence if sentence.startswith(name) else f"{name}: {sentence}"
            for name, sentence in told
            if sentence is not None
        ]

    def summary(self) -> dict[str, Any]:
        """The configuration as plain data, kept beside the records."""
        return {
            "name": self.name,
            "version": version("dragon-search"),
            "game": str(self.game),
            "referee": self.referee.name,
            "format": self.format,
            "games": self.games,
            "seed": self.seed,
            "plies": self.plies,
            "margin": self.margin,
            "reference": None if self.reference is None else str(self.reference),
            "openings": attrs.asdict(self.openings),
            "pairings": [attrs.asdict(e) for e in self.encounters],
            "players": [
                {"name": p.name, "search": str(p.search), "limit": limit_table(p.limit)}
                for p in self.players
            ],
        }


def limit_table(limit: Limit) -> dict[str, float]:
    """The bounds of a limit that are set."""
    return {k: v for k, v in attrs.asdict(limit).items() if v is not None}
