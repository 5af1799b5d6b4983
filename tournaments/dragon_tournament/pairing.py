"""A pairing: one game to be played, with its seats, its opening and its seeds."""

from __future__ import annotations

from attrs import frozen


@frozen
class Pairing:
    """A game to be played."""

    id: str
    """A content hash: equal games of equal tournaments have equal ids."""
    seats: tuple[str, ...]
    """The names of the players, from seat 0."""
    index: int
    """The number of the game among those of its seats, from 0."""
    opening: tuple[str, ...]
    deal: int
    """The seed of what the game deals and of its luck: the same for every seating."""
    seed: int
    """The seed of the players."""
    position: str = ""
    """Its first position, in the game's notation; empty for the game's start."""
