"""Bounds of a game in alpha-beta: the 8-puzzle, whose distances a breadth-first search counts.

A game of one seat pays what its moves have cost; what a tile has still to go is a bound. So
alpha-beta becomes IDA* (Korf 1985), if it asks for no more than the payoff.
"""

from __future__ import annotations

from functools import cache

import pytest

import dragon
from dragon import TERMINAL, Bound, Limit, RecordGame, Rules, Trait, frozen, rule
from dragon.laws import check_game, check_search
from dragon.modes import JIT
from dragon.search.alphabeta.values import STEPS, at_distance, upper_bound

pytestmark = pytest.mark.samples(1)

GOAL = "123456780"
NODES = 60_000
"""More than any board here takes; with `sooner` and without bounds 40 million are too few."""


@rule
def tile(board, cell):
    return board >> 4 * cell & 15


@rule
def distance(board):
    """Rows and columns that the tiles have still to go."""
    total = 0
    for cell in range(9):
        at = tile(board, cell) - 1
        if at >= 0:
            total += abs(cell // 3 - at // 3) + abs(cell % 3 - at % 3)
    return total


@frozen
class Eight(RecordGame):
    """The 8-puzzle, which 31 moves always solve; a player who has not done it then has lost."""

    name = "eight"
    teams = (0,)
    traits = frozenset({Trait.SOLO, Trait.REPETITION})
    board: str = "867254301"
    most: int = 31

    def setup(self, record):
        record.board = sum(int(text) << 4 * cell for cell, text in enumerate(self.board))
        record.gap = self.board.index("0")

    def rules(self):
        most = self.most

        @rule
        def turn(s):
            return TERMINAL if distance(s.board) == 0 or s.made == most else 0

        @rule
        def moves(s, out):
            n = 0
            for cell in range(9):
                if abs(cell // 3 - s.gap // 3) + abs(cell % 3 - s.gap % 3) == 1:
                    out[n] = cell
                    n += 1
            return n

        @rule
        def play(s, move):
            moved = tile(s.board, move)
            s.board += (moved << 4 * s.gap) - (moved << 4 * move)
            s.gap = move
            s.made += 1

        @rule
        def payoff(s, seat):
            return -s.made if distance(s.board) == 0 else -most - 1

        @rule
        def bounds(s):
            return -most - 1, -min(s.made + distance(s.board), most + 1)

        layout = [("board", "i8"), ("gap", "i8"), ("made", "i8")]
        return Rules(layout, moves, play, turn, payoff, width=4, plies=most, largest=most + 1,
                     bounds=bounds)  # fmt: skip


@cache
def distances() -> dict[str, int]:
    """Moves to the goal of every board that can be solved, by breadth-first search."""
    found, ahead = {GOAL: 0}, [GOAL]
    for board in ahead:
        gap = board.index("0")
        row, column = divmod(gap, 3)
        for other in range(9):
            if abs(other // 3 - row) + abs(other % 3 - column) == 1:
                swapped = list(board)
                swapped[gap], swapped[other] = swapped[other], swapped[gap]
                after = "".join(swapped)
                if after not in found:
                    found[after] = found[board] + 1
                    ahead.append(after)
    return found


@pytest.mark.full
def test_the_oracle_counts_what_is_known_of_the_puzzle() -> None:
    found = list(distances().values())
    assert (len(found), max(found), found.count(31), found.count(30)) == (181_440, 31, 2, 221)


def some() -> list[str]:
    """One board in many, and one of the hardest."""
    found = [board for board, moves in distances().items() if moves % 5 == 1]
    return [*found[::5003], "867254301"]


@pytest.mark.full
@pytest.mark.parametrize("n", range(9))
def test_the_defaults_prove_what_breadth_first_search_counts(n: int) -> None:
    assert len(some()) == 9
    board = some()[n]
    result = dragon.search("alphabeta").best(Eight(board).start(), Limit(nodes=NODES))
    assert (result.value, result.bound) == (-distances()[board], Bound.EXACT)
    assert len(result.line) == distances()[board]
    plain = dragon.search("alphabeta(sooner=false)").best(Eight(board).start(), Limit(nodes=NODES))
    assert result.nodes == plain.nodes


@pytest.mark.full
def test_who_asks_for_sooner_wins_gets_them_with_bounds_that_count() -> None:
    state = Eight("182043765").start()
    nodes = []
    for bounds in ("true", "false"):
        search = dragon.search(f"alphabeta(sooner=true, bounds={bounds})")
        result = search.best(state, Limit(nodes=100_000))
        assert (result.value, result.bound) == (-9, Bound.EXACT) or bounds == "false"
        nodes.append(result.nodes)
    assert 10 * nodes[0] < nodes[1]


@pytest.mark.parametrize("sooner", ["none", "true", "false"])
@pytest.mark.parametrize("board", ["123405786", "182043765"])
def test_kernel_and_plain_python_agree_node_for_node(board: str, sooner: str) -> None:
    runs = []
    for jit in ("1", "0"):
        with JIT.under(jit):
            results = dragon.search(f"alphabeta(sooner={sooner})").results(Eight(board).start())
            runs.append([(r.value, r.bound, r.line, r.nodes) for r in results])
    assert runs[0] == runs[1]


@pytest.mark.full
def test_the_puzzle_and_its_search_keep_the_laws() -> None:
    game = Eight("123405786", most=4)
    assert [v.message for v in check_game(game) if not v.passed] == []
    for spec in ("alphabeta(megabytes=1)", "alphabeta(megabytes=1, sooner=true)"):
        verdicts = check_search(dragon.search(spec), game)
        assert [v.message for v in verdicts if not v.passed] == []


@pytest.mark.parametrize("units", range(-3, 4))
@pytest.mark.parametrize("plies", [1, 2, 7])
def test_no_end_is_worth_more_than_its_bound_and_one_is_worth_that(units: int, plies: int) -> None:
    ends = range(-4 * STEPS, units * STEPS + 1, STEPS)
    worth = [at_distance(end, p) for end in ends for p in range(1, plies + 1)]
    assert max(worth) == upper_bound(units * STEPS, plies)
