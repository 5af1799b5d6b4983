"""Win distances of chess against the truth: king and queen, or king and rook, against a king.

The truth is a retrograde analysis over all placements of three pieces that does not use dragon's
rules.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

import dragon
from dragon import Bound, Limit

pytestmark = pytest.mark.samples(2)

KING = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
ROOK = [(0, 1), (0, -1), (1, 0), (-1, 0)]
RAYS = {"R": ROOK, "Q": KING}


def step(cell: int, by: tuple[int, int]) -> int | None:
    row, column = cell // 8 + by[0], cell % 8 + by[1]
    return row * 8 + column if 0 <= row < 8 and 0 <= column < 8 else None


@cache
def near(cell: int) -> tuple[int, ...]:
    """The cells a king can step to."""
    return tuple(to for by in KING if (to := step(cell, by)) is not None)


@cache
def slides(piece: str, cell: int, blocked: int) -> tuple[int, ...]:
    """The cells that a queen or rook reaches where the cell `blocked` is taken."""
    reached = []
    for by in RAYS[piece]:
        to = step(cell, by)
        while to is not None and to != blocked:
            reached.append(to)
            to = step(to, by)
    return tuple(reached)


Placement = tuple[int, int, int]
"""The cells of the white king, the white piece and the black king."""


def black_moves(piece: str, at: Placement) -> Iterator[Placement | None]:
    """Each position after a move of the black king; None where it takes the piece."""
    white, other, black = at
    for to in near(black):
        if to in near(white):
            continue
        if to == other:
            yield None
        elif to != white and to not in slides(piece, other, white):
            yield white, other, to


def white_moves(piece: str, at: Placement) -> Iterator[Placement]:
    white, other, black = at
    for to in near(white):
        if to != other and to not in near(black):
            yield to, other, black
    for to in slides(piece, other, white):
        if to != black:
            yield white, to, black


def legal(piece: str, at: Placement) -> bool:
    """Return True if the kings stand apart; White to move must not have Black in check."""
    white, _, black = at
    return len(set(at)) == 3 and black not in near(white)


@cache
def mates(piece: str, plies: int) -> tuple[dict[Placement, int], dict[Placement, int]]:
    """Plies to mate of the positions of White, who wins, and of Black, who loses, up to `plies`."""
    places = [
        at
        for white in range(64)
        for other in range(64)
        for black in range(64)
        if legal(piece, at := (white, other, black))
    ]
    won: dict[Placement, int] = {}
    lost: dict[Placement, int] = {}
    replies = {at: [*black_moves(piece, at)] for at in places}
    for at in places:
        if not replies[at] and at[2] in slides(piece, at[1], at[0]):
            lost[at] = 0
    for ply in range(1, plies + 1):
        if ply % 2:
            for at in places:
                if at in won or at[2] in slides(piece, at[1], at[0]):
                    continue
                if any(after in lost for after in white_moves(piece, at)):
                    won[at] = ply
        else:
            for at in places:
                moves = replies[at]
                if at not in lost and moves and all(to in won for to in moves):
                    lost[at] = ply
    return won, lost


def fen(piece: str, at: Placement, side: str) -> str:
    cells = dict(zip(at, f"K{piece}k", strict=True))
    rows = []
    for row in range(7, -1, -1):
        text = "".join(cells.get(8 * row + column, ".") for column in range(8))
        for length in range(8, 0, -1):
            text = text.replace("." * length, str(length))
        rows.append(text)
    return f"{'/'.join(rows)} {side} - - 0 1"


def hold(position: str, value: float, plies: int, depth: int) -> str:
    """Hold every proven result of a search by defaults; return the kind of its last distance."""
    chess = dragon.game("chess")
    given = ""
    with dragon.search("alphabeta").open(chess) as run:
        for result in run.results(dragon.Position(chess.parse(position)), Limit(depth=depth)):
            if result.bound is not Bound.EXACT:
                continue
            assert result.value == value, (position, result)
            if "distance" in result.extra:
                given = "distance"
                assert result.extra["distance"] == plies, (position, result)
            else:
                given = "distance_at_most"
                assert result.extra["distance_at_most"] >= plies, (position, result)
    return given


KNOWN = [
    ("7k/8/6K1/Q7/8/8/8/8 w - - 0 1", 1.0, 1),
    ("8/8/8/8/5Q2/7K/8/6k1 w - - 0 1", 1.0, 3),
    ("8/8/8/5Q2/8/7K/8/4k3 w - - 0 1", 1.0, 5),
    ("8/8/8/8/2Q5/8/8/2K1k3 w - - 0 1", 1.0, 7),
    ("8/8/8/8/5Q2/7K/8/6k1 b - - 0 1", -1.0, 2),
    ("8/8/8/8/3K4/8/3Q4/k7 b - - 0 1", -1.0, 4),
    ("8/8/8/8/5R2/7K/8/6k1 w - - 0 1", 1.0, 3),
    ("3R4/8/8/7k/4K3/8/8/8 w - - 0 1", 1.0, 5),
    ("8/8/8/8/3K4/8/3R4/k7 w - - 0 1", 1.0, 7),
    ("8/8/8/8/5R2/7K/8/6k1 b - - 0 1", -1.0, 2),
    ("1k5R/8/2K5/8/8/8/8/8 b - - 0 1", -1.0, 4),
    ("6k1/4K3/8/8/8/8/8/6R1 b - - 0 1", -1.0, 6),
]
"""Positions, values and plies to mate, from `mates`."""


@pytest.mark.parametrize(("position", "value", "plies"), KNOWN)
def test_a_proven_mate_has_its_distance_or_no_less(position: str, value: float, plies: int) -> None:
    assert hold(position, value, plies, plies + 2)


@pytest.mark.full
@pytest.mark.budget(300)
@pytest.mark.parametrize("piece", RAYS)
def test_proven_mates_of_three_pieces_have_their_distances(piece: str) -> None:
    won, lost = mates(piece, 7)
    given = []
    for side, value, found in (("w", 1.0, won), ("b", -1.0, lost)):
        for at in random.Random(piece + side).sample(sorted(found), 60):
            if found[at]:
                given.append(hold(fen(piece, at, side), value, found[at], 8))
    assert given.count("distance") > 10
    assert "distance_at_most" in given
