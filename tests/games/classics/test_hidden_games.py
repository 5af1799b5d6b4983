"""Games with hidden information of the classics: counts that are published, and other forms."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import dragon
from dragon import TERMINAL, ConfigError, GameError
from dragon.core.search import informed
from dragon.laws.kit import unlikely
from dragon.search.equilibrium.sequences import SequenceForm
from dragon.search.equilibrium.tree import flattened
from tests.scripted.plain_kuhn import PlainKuhn


def test_kuhn_by_rules_is_kuhn_by_states() -> None:
    rules, plain = flattened(dragon.game("kuhn").start()), SequenceForm(PlainKuhn().start())
    assert plain.grow()
    assert [*map(str, rules.views)] == [*map(str, plain.views)]
    for name in ("seat", "parent", "first", "moves", "nodes"):
        assert getattr(rules, name) == getattr(plain, name), name
    for name in ("leaves", "chances", "payoffs"):
        assert np.array_equal(getattr(rules, name), getattr(plain, name)), name


def test_positions_of_one_seat_are_not_dealt_for_the_other() -> None:
    rng = np.random.default_rng(0)
    for text in ("K? pass", "?Q pass bet"):
        with pytest.raises(GameError, match="not all of its moves are seen"):
            dragon.game("kuhn").parse(text).determinize(rng)


def test_moves_are_drawn_in_rows() -> None:
    view = dragon.game("leduc").parse("Ks ? call raise call Kh")
    assert view.picture().splitlines() == [  # type: ignore[attr-defined]
        "chance Ks ?                 Kh", "first       call       call", "second           raise",
    ]  # fmt: skip
    assert (view.svg() or "").count("<rect") == 7


def reached(plies: int) -> set[Any]:
    """Return all that a seat can have seen and done in so many plies of phantom tic-tac-toe."""
    start = dragon.game("phantom").start()
    first = tuple(informed((), start.seen(seat)) for seat in (0, 1))
    waiting, found = [(start, first, 0)], set[Any]()
    while waiting:
        here, known, ply = waiting.pop()
        if here.turn == TERMINAL or ply > plies:
            continue
        found.add((here.turn, known[here.turn]))
        for move in here.moves() if ply < plies else ():
            after = here.after(move)
            own = [move if seat == here.turn else None for seat in (0, 1)]
            now = [informed(known[seat], after.seen(seat), own[seat]) for seat in (0, 1)]
            waiting.append((after, tuple(now), ply + 1))
    return found


@pytest.mark.parametrize(
    ("plies", "sets"), [(3, 1 + 10 + 9 + 72 + 9), pytest.param(5, 2405, marks=pytest.mark.full)]
)
def test_the_sets_of_phantom_tic_tac_toe(plies: int, sets: int) -> None:
    """By hand: the start; the second seat with and without the first's stone; the first seat's own
    stone, then one that it ran into; the second seat's own stone."""
    assert len(reached(plies)) == sets


def test_worlds_of_phantom_tic_tac_toe_are_the_positions_that_agree() -> None:
    """By brute force over the stones that are not seen, and what the other side knows."""
    game = dragon.game("phantom")
    view = game.parse("O../.X./... O known=0,16 ply=3")
    possible = []
    for cell in range(9):
        rows = [*"O../.X./..."]
        if rows[cell + cell // 3] == ".":
            rows[cell + cell // 3] = "X"
            possible += [f"{''.join(rows)} O known={known},16 ply=3" for known in (0, 1)]
    rng = np.random.default_rng(5)
    drawn = Counter(str(view.determinize(rng)) for _ in range(3000))
    assert set(drawn) == set(possible)
    assert not unlikely([drawn[each] for each in possible], [1 / len(possible)] * len(possible))


@pytest.mark.parametrize("board", ["connect4", "nim", "hex(size=3)"])
def test_what_cannot_be_a_phantom_says_why(board: str) -> None:
    with pytest.raises(ConfigError, match=r"does not have two sets .* @ phantom\.board"):
        dragon.game(f"phantom(board={board!r})")
