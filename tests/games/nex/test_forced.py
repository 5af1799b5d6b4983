"""Moves that Nex's rule `reduce` leaves out are never missed, in any position of small boards.

A position's worth is worked out from the end by the rules `moves` and `play` alone, in all
positions of the board, reachable or not; the best of the moves that `reduce` keeps has to be as
good as the best of all, and as quick. What the rule `solved` says without a table is true.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dragon.rules.record import RecordState, rules_of
from dragon_nex import Nex
from tests.compiler.compiled import compile_function


def checker(rules: Any) -> Any:
    """A compiled function that solves one layer of positions and compares, position by position.

    `worths` has the worth of each position for the side to move, by the bits of `place`:
    100 less the plies to a win, -100 and the plies to a defeat, 0 for a draw.
    """
    moves, play, reduce, solved = rules.moves, rules.play, rules.reduce, rules.solved

    def place(s, cells):  # type: ignore[no-untyped-def]
        black, white, neutral = s.stones[0, 0], s.stones[1, 0], s.neutral[0]
        return np.int64((black | neutral) | (white | neutral) << np.uint64(cells))

    def worth(code, s, t, worths, cells):  # type: ignore[no-untyped-def]
        """Give the value of a move to its mover."""
        t[0] = s
        play(t[0], code)
        status = t[0].status
        if status < 2:
            after = worths[place(t[0], cells)]
            return 0 if after == 0 else -after - (1 if after < 0 else -1)
        return 0 if status == 3 else 99 if status == 2 + 2 * s.status else -99

    def compare(positions, worths, cells, t, out, tablebase):  # type: ignore[no-untyped-def]
        """The first position that is wrong, or -1; how many were shortened, and how many solved."""
        shortened = known = 0
        for p in range(len(positions)):
            s = positions[p]
            n = moves(s, out)
            best = -1000
            for i in range(n):
                best = max(best, worth(out[i], s, t, worths, cells))
            worths[place(s, cells)] = best
            kept = reduce(s, out, n)
            among = -1000
            for i in range(kept):
                among = max(among, worth(out[i], s, t, worths, cells))
            units, plies = solved(s, tablebase)
            payoff = (1 - 2 * s.status) * units * (100 - plies)
            if among != best or (plies >= 0 and payoff != best):
                return p, shortened, known
            shortened += kept < n
            known += plies >= 0
        return -1, shortened, known

    return compile_function(compare)


def layers_of(game: Nex, rules: Any) -> Any:
    """The positions of each layer that are not over, the last layer first: records."""
    cells = game.rows * game.cols
    numbers = np.arange(1 << 2 * cells, dtype=np.uint64)
    low, high = numbers & np.uint64((1 << cells) - 1), numbers >> np.uint64(cells)
    neutral, black, white = low & high, low & ~high, high & ~low
    counts = [np.bitwise_count(each).astype(int) for each in (black, white, neutral)]
    for layer in sorted(game.layers, key=lambda layer: -layer.placed):
        chosen = (
            (counts[0] == (layer.placed + 1) // 2) & (counts[1] == layer.placed // 2)
            & (counts[2] == layer.neutral)
        )  # fmt: skip
        records = np.zeros(int(chosen.sum()), rules.layout)
        sides = records["stones"][:, :, 0]
        sides[:, 0], sides[:, 1] = black[chosen], white[chosen]
        records["neutral"][:, 0], records["status"] = neutral[chosen], layer.mover
        over = joined(game, sides[:, 0], 0) | joined(game, sides[:, 1], 1)
        records = records[~over]
        if game.layers.moves(layer):
            yield records.view(np.recarray)


def joined(game: Nex, stones: Any, colour: int) -> Any:
    """bool[n]: where a colour's edges are joined."""
    from dragon_nex.board import Board
    from dragon_nex.table.sweep import joined_sets

    return joined_sets(Board(game.rows, game.cols))[colour, stones.astype(np.int64)]


def compare_all(game: Nex) -> tuple[int, int, int, int]:
    """The game's value to Black as `checker` writes it; positions compared, shortened, solved."""
    rules = rules_of(game)
    cells = game.rows * game.cols
    worths = np.zeros(1 << 2 * cells, np.int16)
    compare = checker(rules)
    scratch, out = np.zeros(1, rules.layout), np.zeros(rules.width, np.int64)
    counts = np.zeros(3, int)
    for positions in layers_of(game, rules):
        at, *counted = compare(
            positions.view(rules.layout), worths, cells, scratch, out, rules.opened(False)
        )
        if at >= 0:
            state = RecordState(game, positions[at].tobytes())
            raise AssertionError(f"wrong in {state}: {state.solved()}, {list(state.distinct())}")
        counts += [len(positions), *counted]
    asked, shortened, known = map(int, counts)
    return int(worths[0]), asked, shortened, known


@pytest.mark.full
def test_forced_moves_are_right_in_every_position() -> None:
    worth, asked, shortened, known = compare_all(Nex(rows=3, cols=3))
    assert worth == 100 - 7
    assert 0 < shortened < asked < 37_117
    assert 0 < known < asked


@pytest.mark.full
@pytest.mark.parametrize("option", [{"ending": "fill"}, {"transforms": "without-generates"}])
@pytest.mark.parametrize(("rows", "cols"), [(2, 4), (3, 3)])
def test_and_under_other_rules(rows: int, cols: int, option: dict[str, str]) -> None:
    _, asked, shortened, known = compare_all(Nex(rows=rows, cols=cols, **option))  # type: ignore[arg-type]
    assert 0 < shortened < asked
    assert 0 < known < asked


@pytest.mark.full
@pytest.mark.parametrize(
    ("rows", "cols", "worth"),
    [(2, 4, 95), (4, 2, -94), (2, 5, 95), (5, 2, -94), (3, 4, 93), (4, 3, -92)],
)
def test_and_on_up_to_twelve_cells(rows: int, cols: int, worth: int) -> None:
    found, asked, shortened, known = compare_all(Nex(rows=rows, cols=cols))
    assert found == worth
    assert 0 < shortened < asked
    assert 0 < known < asked
