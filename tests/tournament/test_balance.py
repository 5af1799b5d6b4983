"""Laws of every schedule: balanced seats, deals and openings, nothing twice, resumed anywhere."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import permutations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragon_tournament.config.reading import parse
from dragon_tournament.pairing import Pairing
from dragon_tournament.plan import Plan
from dragon_tournament.records.record import Record
from dragon_tournament.schedule import Schedule

pytestmark = pytest.mark.usefixtures("scripted")
law = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])

LINES = ["1", "2", "3", "1 1", "2 1"]
openings = st.one_of(
    st.none(),
    st.builds(
        lambda n, order: {"lines": LINES[:n], "order": order},
        st.integers(1, 5),
        st.sampled_from(["given", "random"]),
    ),
    st.just({"positions": ["5 A", "4 B"]}),
    st.builds(lambda n: {"random": 1, "count": n}, st.integers(1, 4)),
    st.just({"random": 2}),
)


@st.composite
def tournaments(draw: st.DrawFn) -> Any:
    """Tournaments whose format says who meets whom from the first."""
    seats = draw(st.sampled_from([2, 3]))
    given_ = draw(openings) if seats == 2 else draw(st.sampled_from([None, {"random": 1}]))
    names = "abcde"[: draw(st.integers(2, 5))]
    style = draw(st.sampled_from(["round-robin", "gauntlet", "pairs"]))
    table: dict[str, Any] = {
        "game": "nim(pile=9)" if seats == 2 else "three",
        "player": [{"search": "random", "name": name} for name in names],
        "format": style,
        "seed": draw(st.integers(0, 5)),
    }
    if style == "pairs":
        some = st.lists(st.sampled_from(names), min_size=seats, max_size=seats)
        table["pairs"] = draw(st.lists(some, min_size=1, max_size=4))
    if given_ is not None:
        table["openings"] = given_
    least = len(given_.get("lines", given_.get("positions", []))) if given_ else 1
    least = max(least, given_.get("count", 1) if given_ else 1)
    return table | {"games": draw(st.integers(least, least + 4))}


def answered(pairing: Pairing, teams: tuple[int, ...]) -> Record:
    """A drawn game of a pairing that was not due."""
    n, share = len(pairing.seats), 1 / len(set(teams))
    return Record(
        id=pairing.id, game="g", seats=pairing.seats, teams=teams, opening=pairing.opening,
        moves=(), scores=(0.0,) * n, points=(share,) * n, reason="terminal", nodes=(0,) * n,
        seconds=(0.0,) * n, seed=pairing.seed, deal=pairing.deal, position=pairing.position,
        index=pairing.index,
    )  # fmt: skip


def pairs(records: list[Record]) -> dict[tuple[tuple[str, ...], object], list[Record]]:
    """The games of the same players with the same number."""
    found = defaultdict(list)
    for record in records:
        found[tuple(sorted(record.seats)), record.index].append(record)
    return found


@pytest.mark.full
@law
@given(tournaments())
def test_every_seating_is_played_as_often_as_the_file_says(table: dict[str, Any]) -> None:
    tournament = parse(table)
    played = list(Schedule(tournament).games())
    assert len(played) == len({p.id for p in played}) == Schedule(tournament).total()
    wanted: Counter[tuple[str, ...]] = Counter()
    for seats, games in Schedule(tournament).seatings.items():
        wanted[seats] += games
    assert Counter(p.seats for p in played) == wanted
    assert set(wanted.values()) == {tournament.games} or tournament.format.name == "pairs"


@pytest.mark.full
@law
@given(tournaments())
def test_every_deal_and_opening_is_played_from_all_seats(table: dict[str, Any]) -> None:
    """The games of a number share deal and opening, and hold every order of their players."""
    tournament = parse(table)
    shared: dict[int, set[Any]] = {}
    orders: dict[tuple[Any, ...], Counter[tuple[str, ...]]] = {}
    for p in Schedule(tournament).games():
        shared.setdefault(p.index, set()).add((p.deal, p.opening, p.position))
        orders.setdefault((p.index, *sorted(p.seats)), Counter())[p.seats] += 1
    assert all(len(same) == 1 for same in shared.values())
    for (_, *players), found in orders.items():
        assert set(found) == set(permutations(players))
        assert set(found.values()) == {1}


@pytest.mark.full
@law
@given(tournaments())
def test_nobody_has_the_better_seat_more_often(table: dict[str, Any]) -> None:
    tournament = parse(table)
    held: Counter[tuple[str, int]] = Counter()
    for p in Schedule(tournament).games():
        held.update((name, seat) for seat, name in enumerate(p.seats))
    for name in {name for name, _ in held}:
        seats = tournament.referee.seats(tournament.game)
        assert len({held[name, seat] for seat in range(seats)}) == 1


@pytest.mark.full
@law
@given(tournaments())
def test_openings_are_taken_equally_often(table: dict[str, Any]) -> None:
    tournament = parse(table)
    by_seats: dict[tuple[str, ...], Counter[Any]] = {}
    for p in Schedule(tournament).games():
        by_seats.setdefault(p.seats, Counter())[p.position, p.opening] += 1
    given_ = table.get("openings", {})
    kinds = len(given_.get("lines", given_.get("positions", [])))
    for found in by_seats.values():
        if kinds:
            assert len(found) == kinds
            assert max(found.values()) - min(found.values()) <= max(1, len(table.get("pairs", ())))


@pytest.mark.full
@law
@given(tournaments(), st.data())
def test_a_run_that_stops_anywhere_plays_the_rest_and_nothing_twice(
    table: dict[str, Any], data: st.DataObject
) -> None:
    tournament = parse(table)
    teams = tournament.game.teams
    played = list(Schedule(tournament).games())
    done = [p for p in played if data.draw(st.booleans())]
    plan = Plan(tournament, [answered(p, teams) for p in data.draw(st.permutations(done))])
    assert plan.left == len(played) - len(done)
    ids = {p.id for p in done}
    rest = list(plan)
    assert rest == [p for p in played if p.id not in ids]
    for p in rest:
        plan.add(answered(p, teams))
    assert plan.left == 0
    assert list(plan) == []


@pytest.mark.full
@law
@given(tournaments())
def test_the_statistics_find_the_pairs_that_the_schedule_made(table: dict[str, Any]) -> None:
    """Not a game is left over, but those that stand alone by their nature."""
    tournament = parse(table)
    records = [answered(p, tournament.game.teams) for p in Schedule(tournament).games()]
    for (players, _), pair in pairs(records).items():
        assert len(pair) == len(set(permutations(players)))
        assert len({(r.index, r.deal, r.opening) for r in pair}) == 1
        assert {r.seats for r in pair} == set(permutations(pair[0].seats))


@pytest.mark.full
@law
@given(tournaments(), st.integers(1, 3))
def test_more_games_only_add_to_those_there_were(table: dict[str, Any], more: int) -> None:
    before = {p.id for p in Schedule(parse(table)).games()}
    after = {p.id for p in Schedule(parse({**table, "games": table["games"] + more})).games()}
    assert before < after
