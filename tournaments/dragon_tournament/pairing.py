"""Pairing: one game to be played; who sits where, how it begins, and its seeds."""

from __future__ import annotations

from attrs import frozen


@frozen
class Pairing:
    """One game to be played."""

    id: str
    """A content hash: equal games of equal tournaments have equal ids."""
    seats: tuple[str, ...]
    """The names of the players, from seat 0."""
    index: int
    """Which game of these seats it is, counted from 0."""
    opening: tuple[str, ...]
    deal: int
    """The seed of what the game deals and of its luck: the same for every seating."""
    seed: int
    """The seed of the players."""
    position: str = ""
    """Where it begins, in the game's notation; empty where that is the game's start."""
