"""Kalah against a board of one ring of pits, searched plainly."""

from __future__ import annotations

from functools import cache

import pytest

import dragon
from dragon import TERMINAL, Bound
from dragon.laws.kit import walk

pytestmark = pytest.mark.samples(1)

Ring = tuple[int, ...]
"""The pits and the store of the side to move, then those of the other."""


def sown(ring: Ring, pit: int) -> tuple[Ring, bool]:
    """The ring after a move, seen by the same side, and whether it moves again."""
    pits, seeds = len(ring) // 2 - 1, list(ring)
    held, seeds[pit] = seeds[pit], 0
    at = pit
    while held:
        at = (at + 1) % (len(ring) - 1)  # the other side's store is the last
        seeds[at] += 1
        held -= 1
    across = 2 * pits - at
    if at < pits and seeds[at] == 1 and seeds[across]:
        seeds[pits] += 1 + seeds[across]
        seeds[at] = seeds[across] = 0
    return tuple(seeds), at == pits


def turned(ring: Ring) -> Ring:
    """The ring, seen by the other side."""
    half = len(ring) // 2
    return ring[half:] + ring[:half]


def over(ring: Ring) -> bool:
    half = len(ring) // 2
    return not any(ring[: half - 1]) or not any(ring[half:-1])


def after(ring: Ring) -> list[tuple[Ring, bool]]:
    """Give the position after a move, and whether the same side moves again."""
    if over(ring):
        return []
    return [sown(ring, pit) for pit in range(len(ring) // 2 - 1) if ring[pit]]


@cache
def lead(ring: Ring) -> int:
    """By how many seeds the side to move leads in the end."""
    found = [lead(each) if again else -lead(turned(each)) for each, again in after(ring)]
    half = len(ring) // 2
    return max(found) if found else sum(ring[:half]) - sum(ring[half:])


def paths(ring: Ring, depth: int) -> int:
    """Move paths of a length."""
    if depth == 0:
        return 1
    return sum(paths(each if again else turned(each), depth - 1) for each, again in after(ring))


@pytest.mark.parametrize(("pits", "seeds", "depth"), [(6, 4, 5), (3, 6, 7), (1, 8, 5), (8, 8, 4)])
def test_there_are_as_many_paths_as_on_a_ring(pits: int, seeds: int, depth: int) -> None:
    start = dragon.game(f"kalah(pits={pits}, seeds={seeds})").start()
    ring = (*[seeds] * pits, 0) * 2
    assert dragon.perft(start, depth) == paths(ring, depth)


@pytest.mark.full
@pytest.mark.parametrize(
    ("pits", "seeds"),
    [(2, 5), pytest.param(3, 3, marks=pytest.mark.full)],  # seeds of the first go round the ring
)
def test_a_position_has_the_value_that_a_plain_search_finds(pits: int, seeds: int) -> None:
    game = dragon.game(f"kalah(pits={pits}, seeds={seeds})")
    for state in (state for seed in range(9) for state in walk(game, seed)):
        fields = dict(word.split("=") for word in str(state).split())
        ring: Ring = tuple(map(int, fields["seeds"].split(",")))
        ring = turned(ring) if fields["seat"] == "1" else ring
        assert (state.turn == TERMINAL) == over(ring)
        if over(ring):
            assert state.payoff()[int(fields["seat"])] == lead(ring)
        else:
            best = dragon.search("alphabeta(megabytes=1)").best(state)
            assert (best.value, best.bound) == (lead(ring), Bound.EXACT)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("seeds=1,0,0,1 seat=2", "seat is from 0 to 1"),
        ("seeds=1,1,0,1", "cannot arise; write 2 seeds"),
        ("seeds=3,0,0,-1", "seeds is from 0 to 2"),
    ],
)
def test_a_position_that_cannot_arise_is_refused(text: str, reason: str) -> None:
    with pytest.raises(dragon.BadNotation, match=reason):
        dragon.game("kalah(pits=1, seeds=1)").parse(text)
