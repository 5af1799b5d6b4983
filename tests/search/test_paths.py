"""A*, IDA*, breadth-first and beam search against plain searches of all there is."""

from __future__ import annotations

import heapq
from functools import cache
from typing import Any

import numpy as np
import pytest
from attrs import evolve

import dragon
from dragon import TERMINAL, Bound, Limit, RecordGame, Rules, Trait, frozen, rule
from dragon.errors import ConfigError, Objection, PluginError
from dragon.rules.rules import Patterns
from dragon.search.path.patterns import tables_of
from dragon_puzzles.sliding import Sliding

pytestmark = pytest.mark.samples(1)

PROVING = ("astar", "astar(patterns=false)", "breadth", "idastar", "idastar(patterns=false)",
           "idastar(table=true)", "beam(width=1000)")  # fmt: skip
KORF = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
"""The first instance of Korf 1985, of 57 moves; its goal has the gap first."""
EIGHT = [
    1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878,
    16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
]  # fmt: skip
"""Positions of the 8-puzzle by their distance from the goal, the gap in a corner."""


def neighbours(board: tuple[int, ...], columns: int) -> list[tuple[tuple[int, ...], int]]:
    """The boards after each slide, and the tile that slid."""
    found, gap = [], board.index(0)
    for cell in range(len(board)):
        row, column = divmod(cell, columns)
        if abs(row - gap // columns) + abs(column - gap % columns) == 1:
            after = list(board)
            after[gap], after[cell] = after[cell], 0
            found.append((tuple(after), board[cell]))
    return found


@cache
def costs(goal: tuple[int, ...], columns: int, counted: frozenset[int]) -> dict[Any, int]:
    """The slides from every board of the counted tiles that it takes to the goal (Dijkstra)."""
    far, ahead = {goal: 0}, [(0, goal)]
    while ahead:
        cost, board = heapq.heappop(ahead)
        for after, tile in neighbours(board, columns):
            if cost + (tile in counted) < far.get(after, 1 << 30):
                far[after] = cost + (tile in counted)
                heapq.heappush(ahead, (far[after], after))
    return far


SIX = (1, 2, 3, 4, 5, 0)


@pytest.mark.full
@pytest.mark.parametrize("spec", PROVING)
def test_every_distance_of_the_five_puzzle_is_proven(spec: str) -> None:
    game, search = dragon.game("sliding(rows=2, columns=3)"), dragon.search(spec)
    far = costs(SIX, 3, frozenset(SIX))
    assert (len(far), max(far.values())) == (360, 21)
    for board in [b for b, n in far.items() if n][::23]:
        state = game.parse(" ".join(map(str, board)))
        result = search.best(state)
        assert (result.value, result.bound) == (-far[board], Bound.EXACT), board
        for move in result.line:
            state = state.after(move)
        assert (state.turn, state.payoff()) == (TERMINAL, (-far[board],))


@pytest.mark.full
@pytest.mark.parametrize("spec", PROVING)
def test_who_cannot_come_to_the_end_in_time_pays_for_that_alone(spec: str) -> None:
    state = dragon.game("sliding(rows=2, columns=3, most=5)").parse("4 5 0/1 2 3")
    assert costs(SIX, 3, frozenset(SIX))[4, 5, 0, 1, 2, 3] == 21
    result = dragon.search(spec).best(state)
    assert (result.value, result.bound) in ((-6, Bound.EXACT), (-6, Bound.UPPER))


def test_what_is_claimed_on_the_way_is_true_and_ever_closer() -> None:
    state = dragon.game("sliding(rows=3, columns=3)").parse("8 6 7 2 5 4 3 0 1")
    for spec in ("idastar(patterns=false)", "astar(patterns=false)"):
        *before, last = dragon.search(spec).results(state)
        assert (last.value, last.bound, len(last.line)) == (-31, Bound.EXACT, 31)
        values = [result.value for result in before]
        assert values == sorted(values, reverse=True)
        assert values[0] > -25 and min(values) == -31  # noqa: PT018
        assert {result.bound for result in before} == {Bound.UPPER}


@pytest.mark.full
def test_a_beam_finds_a_line_and_says_no_more_than_that() -> None:
    state = dragon.game("sliding(rows=3, columns=3)").parse("8 6 7 2 5 4 3 0 1")
    result = dragon.search("beam(width=40, patterns=false)").best(state)
    assert result.bound is Bound.LOWER
    assert -60 < result.value == -len(result.line) <= -31
    for move in result.line:
        state = state.after(move)
    assert state.payoff() == (result.value,)


@pytest.mark.parametrize("spec", ["astar(megabytes=0.02, patterns=false)",
                                  "breadth(megabytes=0.02)"])  # fmt: skip
def test_where_memory_ends_a_bound_is_left(spec: str) -> None:
    state = dragon.game("sliding(rows=3, columns=3)").parse("8 6 7 2 5 4 3 0 1")
    result = dragon.search(spec).best(state)
    assert result.bound is Bound.UPPER
    assert -31 <= result.value < 0
    assert "memory is full" in result.extra["stopped"]


# ---- costs that differ, and bounds that mislead -----------------------------------------------

TOWNS, WAYS = 9, 3


@frozen
class Roads(RecordGame):
    """The cheapest way from town 0 to the last; a guess of what is left is true and no more."""

    name = "roads"
    teams = (0,)

    @property
    def traits(self) -> frozenset[Trait]:
        return super().traits | {Trait.REPETITION}

    def setup(self, record: Any, seed: Any) -> None:
        random = np.random.default_rng(int(seed[0]))
        record.to[:] = [random.choice(TOWNS, WAYS, replace=False) for _ in range(TOWNS)]
        record.cost[:] = random.integers(1, 20, (TOWNS, WAYS))
        left = cheapest(record.to.tolist(), record.cost.tolist())
        record.guess[:] = [int(random.integers(0, n + 1)) for n in left]

    def rules(self) -> Rules:
        largest = 20 * TOWNS

        @rule
        def turn(s):
            return TERMINAL if s.at == TOWNS - 1 or s.made == TOWNS else 0

        @rule
        def moves(s, out):
            for way in range(WAYS):
                out[way] = way
            return WAYS

        @rule
        def play(s, way):
            s.paid += s.cost[s.at, way]
            s.at = s.to[s.at, way]
            s.made += 1

        @rule
        def payoff(s, seat):
            return -s.paid if s.at == TOWNS - 1 else -largest

        @rule
        def banked(s):
            return -s.paid

        @rule
        def bounds(s):
            return -largest, -min(largest, s.paid + s.guess[s.at])

        @rule
        def place(s):
            return s.at + 1

        shape = (TOWNS, WAYS)
        layout = [("to", "i8", shape), ("cost", "i8", shape), ("guess", "i8", (TOWNS,)),
                  ("at", "i8"), ("paid", "i8"), ("made", "i8")]  # fmt: skip
        return Rules(
            layout, moves, play, turn, payoff, width=WAYS, plies=TOWNS, largest=largest,
            banked=banked, bounds=bounds, place=place,
        )  # fmt: skip


def cheapest(to: list[list[int]], cost: list[list[int]]) -> list[int]:
    """Give the cost from each town to the last, most where there is no way (Bellman and Ford)."""
    left = [20 * TOWNS] * (TOWNS - 1) + [0]
    for _ in range(TOWNS):
        for town in range(TOWNS - 1):
            ways = zip(to[town], cost[town], strict=True)
            left[town] = min([left[town], *(left[after] + paid for after, paid in ways)])
    return left


@pytest.mark.full
@pytest.mark.parametrize("spec", PROVING)
def test_costs_that_differ_and_guesses_that_jump(spec: str) -> None:
    known = 0
    for seed in range(40):
        state = Roads().start(seed)
        truth = cheapest(state.view.to.tolist(), state.view.cost.tolist())[0]
        result = dragon.search(spec).best(state)
        if truth < 20 * TOWNS:
            assert (result.value, result.bound) == (-truth, Bound.EXACT), seed
            known += 1
        else:
            assert result.bound in (Bound.UPPER, Bound.EXACT), seed
    assert known > 25


# ---- pattern databases ------------------------------------------------------------------------


@frozen
class Kept(Sliding):
    """Sliding tiles of which patterns keep what a test wants."""

    kept: tuple[tuple[int, ...], ...] = ()

    def partitions(self) -> Any:
        return (self.kept,)


@pytest.mark.full
def test_a_pattern_of_all_tiles_counts_the_positions_of_the_8_puzzle() -> None:
    game = Kept(rows=3, columns=3, kept=(tuple(range(1, 9)),))
    assert np.bincount(tables_of(game).table)[:33].tolist() == [*EIGHT, 0]


def test_a_pattern_counts_the_moves_of_its_own_tiles() -> None:
    group = (1, 4, 5)
    tables = tables_of(Kept(rows=2, columns=3, kept=(group,)))
    placements: dict[tuple[int, ...], int] = {}
    goal = tuple(tile if tile in group else -(tile != 0) for tile in SIX)
    for board, cost in costs(goal, 3, frozenset(group)).items():
        at = tuple(board.index(tile) for tile in group)
        placements[at] = min(cost, placements.get(at, 1 << 30))
    assert len(placements) == 6 * 5 * 4
    for at, cost in placements.items():
        assert tables.table[sum(cell * 6**i for i, cell in enumerate(at))] == cost, at


def test_groups_that_share_a_piece_are_refused() -> None:
    with pytest.raises(PluginError, match="not a partition of pieces"):
        Patterns("tiles", (((1, 2), (2, 3)),), print)


def test_moves_of_two_pieces_at_once_are_noticed() -> None:
    @rule
    def play(s, cell):
        s.tiles[s.gap], s.tiles[cell] = s.tiles[cell], 0
        s.gap = cell
        s.made += 1
        if s.gap > 1:
            s.tiles[0], s.tiles[1] = s.tiles[1], s.tiles[0]

    @frozen
    class Twice(Sliding):
        def rules(self) -> Rules:
            return evolve(super().rules(), play=play)

    with pytest.raises(PluginError, match="moves more than one piece"):
        dragon.search("idastar").best(Twice(rows=2, columns=3).start())


# ---- who may ask ------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "why"), [("tictactoe", "needs solo"), ("queens", "by Rules"),
                                           ("hands", "chance")])  # fmt: skip
def test_games_that_are_no_puzzles_by_rules_are_refused(game: str, why: str) -> None:
    for name in ("astar", "beam", "breadth", "idastar"):
        with pytest.raises(Objection, match=why):
            dragon.search(name).check(dragon.game(game))


def test_a_beam_is_as_wide_as_one_state_at_least() -> None:
    with pytest.raises(ConfigError, match="width"):
        dragon.search("beam(width=0)")


@pytest.mark.full
def test_the_first_instance_of_korf_takes_57_moves() -> None:
    state = dragon.game("sliding(gap='first')").parse(KORF)
    for spec in ("idastar", "idastar(patterns=false)"):
        result = dragon.search(spec).best(state, Limit(seconds=300))
        assert (result.value, result.bound, len(result.line)) == (-57, Bound.EXACT, 57)
        here = state
        for move in result.line:
            here = here.after(move)
        assert here.payoff() == (-57,)
