"""Retrograde analysis against plain searches of all there is, with cycles and without."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from attrs import evolve

import dragon
from dragon import TERMINAL, RecordGame, RecordState, Rules, Trait, frozen, rule
from dragon.bits import draw, u64
from dragon.errors import ConfigError, GameError, Objection, SearchError
from dragon.search.retrograde import making
from dragon.search.retrograde.making import Maker
from dragon.search.retrograde.positions import (
    EDGE,
    FOUND,
    NODE,
    SLOT,
    enter,
    fetch,
    refill,
    slot_of,
)
from dragon.search.retrograde.table import Table, place_of, read
from dragon_nex.table.lookup import table as nex_table

POINTS, WAYS = 40, 3
WIDTH = POINTS * WAYS // 2
"""Enough for all ways that lead to a point."""
CYCLIC = 0
"""A seed of a maze with cycles."""


def listing(state: Any, megabytes: float = 1024, **how: Any) -> Maker:
    """The maker of a table from a list, also where positions have numbers."""
    return Maker(state, megabytes, listed=True, **how)


@frozen
class Maze(RecordGame):
    """A stone walks over random ways; each point says who moves it on, or that it has arrived."""

    name = "maze"
    limit: int = 500
    traits = frozenset({Trait.DUEL, Trait.REPETITION})

    def setup(self, record: Any, random: Any) -> None:
        for point in range(POINTS):
            ends = point and draw(random, 6) == 0
            record.kind[point] = 2 + draw(random, 3) if ends else draw(random, 2)
            record.open[point] = 1 + draw(random, WAYS)
            for way in range(WAYS):
                record.way[point, way] = draw(random, POINTS)

    def rules(self) -> Rules:
        limit = self.limit

        @rule
        def turn(s):  # type: ignore[no-untyped-def]
            if s.kind[s.at] > 1 or s.ply >= limit:
                return TERMINAL
            return s.kind[s.at]

        @rule
        def moves(s, out):  # type: ignore[no-untyped-def]
            for way in range(s.open[s.at]):
                out[way] = way
            return s.open[s.at]

        @rule
        def play(s, move):  # type: ignore[no-untyped-def]
            s.at = s.way[s.at, move]
            s.ply += 1

        @rule
        def payoff(s, seat):  # type: ignore[no-untyped-def]
            return 0 if s.kind[s.at] < 3 else (1 if s.kind[s.at] - 3 == seat else -1)

        @rule
        def place(s):  # type: ignore[no-untyped-def]
            return s.at + 1

        @rule
        def rank(s):  # type: ignore[no-untyped-def]
            return s.at

        @rule
        def unrank(s, number):  # type: ignore[no-untyped-def]
            s.at = number
            return s.kind[number] if s.kind[number] < 2 else 0

        layout = [("at", "i8"), ("ply", "i8"), ("kind", "i8", (POINTS,)), ("open", "i8", (POINTS,)),
                  ("way", "i8", (POINTS, WAYS))]  # fmt: skip
        return Rules(
            layout, moves, play, turn, payoff, width=WIDTH, plies=limit, place=place, rank=rank,
            unrank=unrank, ranks=POINTS,
        )  # fmt: skip


def by_horizon(record: Any) -> list[dict[int, int]]:
    """Give each point's worth to seat 0 within so many plies: 0 where nothing is decided."""
    ends = {p: (0, 1, -1)[record.kind[p] - 2] for p in range(POINTS) if record.kind[p] > 1}
    found = [dict.fromkeys(range(POINTS), 0) | ends]
    for _ in range(POINTS):
        worth = dict(ends)
        for point in set(range(POINTS)) - ends.keys():
            after = [found[-1][record.way[point, i]] for i in range(record.open[point])]
            worth[point] = min(after) if record.kind[point] else max(after)
        found.append(worth)
    return found


def far(point: int, horizons: list[dict[int, int]]) -> int | None:
    """The least horizon within which a win or loss is seen."""
    worth = horizons[-1][point]
    return next(d for d, seen in enumerate(horizons) if seen[point] == worth) if worth else None


@pytest.mark.parametrize("seed", range(12))
def test_cycles_are_draws_and_distances_are_those_of_best_play(seed: int) -> None:
    state = Maze().start(seed)
    horizons = by_horizon(state.record)
    maker = listing(state, 10)
    table = maker.make()
    assert maker.verify(table) is None
    for point in range(POINTS):
        record = state.record
        record.at = point
        here = RecordState(state.game, record.tobytes())
        if here.turn == TERMINAL or np.uint64(place_of(here)) not in table.places:
            continue
        worth = horizons[-1][point]
        plies = far(point, horizons)
        answer = table.ask(here)
        assert (answer.value, answer.distance) == (worth * (1 - 2 * here.turn), plies)
        after = [here.after(move).record.at for move in here.moves()]
        best = [to for to in after if horizons[-1][to] == worth]
        if plies is not None:
            best = [to for to in best if (far(to, horizons) or 0) == plies - 1]
        assert [here.after(move).record.at for move in answer.moves] == best != []


def test_some_of_these_draws_are_cycles() -> None:
    made = [listing(Maze().start(seed), 10).make() for seed in range(12)]
    assert made[CYCLIC].cycles
    assert sum(table.cycles > 0 for table in made) > 3
    assert sum(table.longest > 5 for table in made) > 3


@frozen
class Walk(Maze):
    """The sides move the stone in turn: points are worth the same to both sides there."""

    name = "walk"
    shared: bool = True
    """Whether the place leaves out who moves."""
    tells: bool = True
    """Whether it has the rule `before`."""

    def rules(self) -> Rules:
        limit, shared = self.limit, self.shared

        @rule
        def turn(s):  # type: ignore[no-untyped-def]
            return TERMINAL if s.kind[s.at] > 1 or s.ply >= limit else s.ply % 2

        @rule
        def payoff(s, seat):  # type: ignore[no-untyped-def]
            for_mover = 0 if s.kind[s.at] < 3 else 2 * s.kind[s.at] - 7
            return for_mover if seat == s.ply % 2 else -for_mover

        @rule
        def place(s):  # type: ignore[no-untyped-def]
            return s.at + 1 if shared else 2 * s.at + 2 + s.ply % 2

        @rule
        def unrank(s, number):  # type: ignore[no-untyped-def]
            s.at = number
            return 0

        @rule
        def before(s, out):  # type: ignore[no-untyped-def]
            n = 0
            for point in range(POINTS):
                for way in range(s.open[point]):
                    if s.way[point, way] == s.at:
                        out[n] = point
                        n += 1
            return n

        return evolve(
            super().rules(), turn=turn, payoff=payoff, place=place, unrank=unrank,
            before=before if self.tells else None,
        )  # fmt: skip


@pytest.mark.full
def test_a_place_may_leave_out_who_moves_where_both_sides_are_alike() -> None:
    halved = 0
    for seed in range(12):
        both, each = (Walk(shared=shared).start(seed) for shared in (True, False))
        maker = listing(both, 10)
        table, larger = maker.make(), listing(each, 10).make()
        assert maker.verify(table) is None
        halved += len(larger) > len(table)
        for point in range(POINTS):
            record = both.record
            record.at = point
            one, other = (RecordState(s.game, record.tobytes()) for s in (both, each))
            if one.turn != TERMINAL and np.uint64(place_of(other)) in larger.places:
                assert table.ask(one) == larger.ask(other)
    assert halved > 3


def reachable(state: Any) -> Iterator[tuple[Any, tuple[float, int]]]:
    """Every state of a game without cycles, with what seat 0 gets, and the plies to the end."""
    known: dict[Any, tuple[float, int]] = {}

    def worth(state: Any) -> tuple[float, int]:
        if state.turn == TERMINAL:
            return state.payoff()[0], 0
        if state not in known:
            sign = 1 if state.turn == 0 else -1
            after = [worth(state.after(move)) for move in state.moves()]
            value = sign * max(sign * v for v, _ in after)
            plies = [p for v, p in after if v == value]
            known[state] = value, 1 + (min(plies) if sign * value > 0 else max(plies))
        return known[state]

    worth(state)
    yield from known.items()


FULL = pytest.mark.full
GAMES = [
    "tictactoe",
    "dots_and_boxes(rows=1, columns=2)",
    pytest.param("dots_and_boxes(rows=1, columns=3)", marks=FULL),
    pytest.param("kalah(pits=2, seeds=2)", marks=FULL),
    pytest.param("hex(size=3)", marks=FULL),
    pytest.param("breakthrough(rows=4, columns=3)", marks=FULL),
    pytest.param("domineering(rows=4, columns=4)", marks=FULL),
]


@pytest.mark.samples("tictactoe")
@pytest.mark.parametrize("spec", GAMES)
def test_every_position_is_worth_what_a_plain_search_says(spec: str) -> None:
    start: Any = dragon.game(spec).start()
    maker = listing(start)
    table, states = maker.make(), dict(reachable(start))
    assert maker.verify(table) is None
    assert len(table) == len({place_of(state) for state in states})
    for state, (value, plies) in states.items():
        answer = table.ask(state)
        assert answer.value == value * (1 if state.turn == 0 else -1)
        assert answer.distance == (plies if value and not table.scores else None)


def test_positions_of_one_tag_have_slots_of_their_own() -> None:
    """The last two of four places that differ in high bits are found by one batch."""
    places = [5 | n << 40 for n in range(4)]
    m = SimpleNamespace(
        slots=np.zeros(8, SLOT).view(np.recarray), nodes=np.zeros(8, NODE).view(np.recarray),
        found=np.zeros(3, FOUND).view(np.recarray), edges=np.zeros(8, EDGE).view(np.recarray),
        states=np.zeros(8, np.int64),
    )  # fmt: skip
    run, results = SimpleNamespace(filled=0), SimpleNamespace(count=2, edges=0)
    m.results = [results]
    m.nodes.place[:2] = places[:2]
    refill(m, run)
    m.found.place = [places[2], places[1], places[3]]
    fetch(m, 3)
    for i in range(3):
        enter(m, run, i, 2 + i)
    assert (results.count, run.filled) == (4, 4)
    assert m.nodes.place[:4].tolist() == places
    assert m.nodes.edges[:4].tolist() == [0, 2, 1, 3]
    assert [slot_of(m, u64(place), 5) for place in places] == [5, 6, 7, 0]


def test_the_start_of_hex_agrees_with_alphabeta() -> None:
    start: Any = dragon.game("hex(size=3)").start()
    found = dragon.search("alphabeta(sooner=true)").best(start)
    answer = listing(start).make().ask(start)
    assert (answer.value, answer.distance) == (found.value, found.extra["distance"])
    assert str(found.move) in answer.moves


@pytest.mark.full
def test_every_position_of_nex_agrees_with_its_own_table() -> None:
    """That one is made by counting places, without a list of positions (`dragon_nex.table`)."""
    start: Any = dragon.game("nex(rows=3, cols=3)").start()
    maker, own = listing(start), nex_table(3, 3)
    table = maker.make()
    found = np.searchsorted(table.places, maker.list.m.nodes["place"][: maker.count])
    for s, at in zip(maker.list.m.states[: maker.count], found, strict=True):
        worth = own.worth(*(int(stones[0]) for stones in (*s["stones"], s["neutral"])))
        assert (table.values[at], table.plies[at]) == (worth.value, worth.plies or 0)


@pytest.fixture(scope="module")
def made() -> tuple[Maker, Table]:
    start: Any = dragon.game("tictactoe").start()
    maker = listing(start)
    return maker, maker.make()


@pytest.mark.parametrize("column", ["values", "plies"])
def test_a_wrong_entry_is_found(made: tuple[Maker, Table], column: str) -> None:
    maker, table = made
    for at in range(0, len(table), 400):
        wrong = getattr(table, column).copy()
        wrong[at] += 1
        state: Any = table.game.parse(found := str(maker.verify(evolve(table, **{column: wrong}))))
        assert state.turn != TERMINAL
        places = {place_of(state), *(place_of(s) for s in map(state.after, state.moves()))}
        assert int(table.places[at]) in places, f"what is wrong is not at {found}, nor after it"


def test_threads_verify_all_positions(
    made: tuple[Maker, Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever of three threads comes to a wrong entry, it is told."""
    maker, table = made
    monkeypatch.setattr(making, "SLICE", 100)
    monkeypatch.setattr(maker, "threads", 3)
    done: list[int] = []
    assert maker.verify(table, lambda doing, now, of: done.append(now)) is None
    assert len(maker.workers) == 3
    assert done == sorted(done)
    assert done[-1] == len(table)
    for at in range(maker.count - 1, 0, -maker.count // 7):
        wrong = table.values.copy()
        wrong[np.searchsorted(table.places, maker.list.m.nodes["place"][at])] += 1
        assert maker.verify(evolve(table, values=wrong)) is not None


def test_a_missing_entry_is_found(made: tuple[Maker, Table]) -> None:
    maker, table = made
    less = {name: getattr(table, name)[1:] for name in ("places", "values", "plies")}
    assert maker.verify(evolve(table, **less)) is not None


def test_a_file_holds_the_same(made: tuple[Maker, Table], tmp_path: Path) -> None:
    maker, table = made
    table.write(tmp_path / "t")
    again = read(tmp_path / "t", table.root)
    assert all(np.array_equal(getattr(again, n), getattr(table, n)) for n in ("places", "values"))
    assert maker.verify(again) is None
    other: Any = dragon.game("hex(size=3)")
    with pytest.raises(ConfigError, match=r"is a table of tictactoe, not of hex\(size=3\)"):
        read(tmp_path / "t", other.start())


def test_what_does_not_fit_is_refused_with_the_positions_found() -> None:
    start: Any = dragon.game("connect4").start()
    with pytest.raises(SearchError, match=r"connect4 has more than [1-9][\d,]+ positions, which"):
        listing(start, 2).make()


def test_what_is_not_in_the_table_is_said(made: tuple[Maker, Table]) -> None:
    _, table = made
    state: Any = dragon.game("tictactoe").parse("XXX/OO./... O")
    with pytest.raises(GameError, match="the game is over"):
        table.ask(state)
    start: Any = dragon.game("backgammon").start()
    with pytest.raises(Objection, match="do not support chance"):
        listing(start)


@frozen
class Mirror(RecordGame):
    """Both walk along a line, of which the two sides are one except for the last ply."""

    name = "mirror"
    everywhere: bool = False

    def rules(self) -> Rules:
        @rule
        def turn(s):  # type: ignore[no-untyped-def]
            return TERMINAL if s.ply == 4 else s.ply % 2

        @rule
        def moves(s, out):  # type: ignore[no-untyped-def]
            out[0], out[1] = 0, 1
            return 2

        @rule
        def play(s, move):  # type: ignore[no-untyped-def]
            s.at += 2 * move - 1
            s.ply += 1

        @rule
        def payoff(s, seat):  # type: ignore[no-untyped-def]
            return (s.at == 0) == (seat == 0) or -1

        @rule
        def place(s):  # type: ignore[no-untyped-def]
            return u64(1 + abs(s.at) + 16 * s.ply)

        @rule
        def key(s):  # type: ignore[no-untyped-def]
            return u64(0) if s.ply == 3 else place(s)

        return Rules([("at", "i8"), ("ply", "i8")], moves, play, turn, payoff, width=2, plies=4,
                     key=key, place=place if self.everywhere else None)  # fmt: skip


@pytest.mark.full
def test_positions_that_only_what_was_joined_leads_to_are_not_listed() -> None:
    """One of 1 1 and 0 0 was opened, and what follows the other has no place."""
    start = Mirror().start()
    table = listing(start).make()
    assert table.ask(start).value == dragon.search("alphabeta").best(start).value
    with pytest.raises(GameError, match=r"its key is 0; give the game a rule `place`"):
        print(*(table.ask(start.after(move).after(move)) for move in "01"))
    start = Mirror(everywhere=True).start()
    whole = listing(start).make()
    for move in "01":
        for after in (end := start.after(move).after(move), end.after("0"), end.after("1")):
            assert whole.ask(after).value == dragon.search("alphabeta").best(after).value


@pytest.mark.full
def test_scores_with_cycles_are_refused() -> None:
    """A score says nothing of a cycle that no seat is made to leave."""

    @frozen
    class Scored(Maze):
        name = "scored"

        def rules(self) -> Rules:
            rules = super().rules()

            @rule
            def payoff(s, seat):  # type: ignore[no-untyped-def]
                kind = s.kind[s.at]
                return 0 if kind < 2 else (kind - 1) * (1 - 2 * seat)

            return evolve(rules, payoff=payoff, largest=3)

    maker = listing(Scored().start(CYCLIC), 10)
    with pytest.raises(SearchError, match="with cycles, tables know wins, draws and losses only"):
        maker.make()
