"""Formats: who meets whom in a Swiss, a knockout and a list of pairs, from any results."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon import ConfigError
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor, ProcessExecutor
from dragon_tournament.formats import knockout, swiss
from dragon_tournament.formats.format import Bout, totals
from dragon_tournament.pairing import Pairing
from dragon_tournament.plan import Plan
from dragon_tournament.records.record import Record, award
from dragon_tournament.runner import run
from dragon_tournament.schedule import Schedule

Next = Callable[[list[list[Bout]]], list[tuple[str, ...]]]


def held(next_round: Next, results: st.DataObject, points: Any) -> list[list[Bout]]:
    """A tournament whose encounters come to drawn results."""
    history: list[list[Bout]] = []
    while meeting := next_round(history):
        stage = []
        for players in meeting:
            made = (2.0,) if len(players) == 1 else results.draw(points)
            stage.append(Bout(players, made))
        history.append(stage)
    return history


RESULTS = st.sampled_from([(2.0, 0.0), (1.5, 0.5), (1.0, 1.0), (0.5, 1.5), (0.0, 2.0)])
edges = st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)).filter(lambda e: e[0] < e[1]))


@pytest.mark.full
@given(edges, st.integers(0, 9))
def test_a_graph_is_perfect_where_all_of_it_can_be_paired(
    chosen: set[tuple[int, int]], size: int
) -> None:
    every = range(size)
    graph = {v: {w for w in every if (min(v, w), max(v, w)) in chosen} for v in every}

    def paired(left: frozenset[int]) -> bool:
        if not left:
            return True
        v = min(left)
        return any(paired(left - {v, w}) for w in graph[v] & left)

    assert swiss.perfect(graph) == paired(frozenset(every))


@pytest.mark.full
@settings(max_examples=50)
@given(edges, st.randoms(use_true_random=False))
def test_each_in_turn_has_its_best_wish(chosen: set[tuple[int, int]], rng: Any) -> None:
    """Against a plain search through all pairings, in the order of the wishes."""
    size = 8
    allowed = {frozenset(edge) for edge in chosen if max(edge) < size}
    wishes = [rng.sample([w for w in range(size) if w != v], size - 1) for v in range(size)]

    def first(left: list[int]) -> list[tuple[int, int]] | None:
        if not left:
            return []
        v = left[0]
        for w in wishes[v]:
            if w in left and frozenset((v, w)) in allowed:
                rest = first([u for u in left if u not in (v, w)])
                if rest is not None:
                    return [(v, w), *rest]
        return None

    found = swiss.first_perfect(size, lambda v, w: frozenset((v, w)) in allowed, wishes.__getitem__)
    assert found == first(list(range(size)))


@pytest.mark.full
@settings(max_examples=60)
@given(st.data(), st.integers(2, 13))
def test_a_swiss_has_no_rematch_while_there_is_a_choice(data: st.DataObject, players: int) -> None:
    names = [f"p{i}" for i in range(players)]
    rounds = data.draw(st.integers(1, swiss.most(players)))
    history = held(lambda h: swiss.next_round(names, h, rounds), data, RESULTS)
    assert len(history) == rounds
    met: Counter[frozenset[str]] = Counter()
    byes: Counter[str] = Counter()
    for stage in history:
        at_table = Counter(name for bout in stage for name in bout.players)
        assert at_table == dict.fromkeys(names, 1)
        for bout in stage:
            if len(bout.players) == 1:
                byes[bout.players[0]] += 1
            else:
                pair = frozenset(bout.players)
                if met[pair]:  # only where every pairing of this round has a rematch
                    free = {v: {w for w in range(players) if w != v and not met[frozenset(
                        (names[v], names[w]))]} for v in range(players)}  # fmt: skip
                    assert players % 2 or not swiss.perfect(free)
        met.update(frozenset(b.players) for b in stage if len(b.players) == 2)
    assert sum(byes.values()) == (rounds if players % 2 else 0)
    assert not byes or max(byes.values()) == 1
    if 2 * rounds <= players:  # Dirac: a graph in which all meet half the others has a pairing
        assert max(met.values()) == 1


def every_pairing(names: tuple[str, ...]) -> Iterator[tuple[frozenset[str], ...]]:
    """All ways to pair players, of which there are an even number."""
    if not names:
        yield ()
    for other in names[1:]:
        rest = tuple(name for name in names[1:] if name != other)
        yield from ((frozenset((names[0], other)), *pairs) for pairs in every_pairing(rest))


def every_round(names: list[str], byes: Counter[str]) -> Iterator[tuple[frozenset[str], ...]]:
    """All rounds in which one that has sat out least sits out, if there must be one."""
    fewest = min(byes[name] for name in names)
    for out in [name for name in names if byes[name] == fewest] if len(names) % 2 else [""]:
        yield from every_pairing(tuple(name for name in names if name != out))


def check_rematches(players: int, seed: int) -> int:
    """The rematches of a whole Swiss, each round having as few as any round that is possible."""
    rng, names = random.Random(seed), [f"p{i}" for i in range(players)]
    history: list[list[Bout]] = []
    met: Counter[frozenset[str]] = Counter()
    byes: Counter[str] = Counter()
    rematches = 0
    while meeting := swiss.next_round(names, history, swiss.most(players)):
        made = [frozenset(who) for who in meeting if len(who) == 2]

        def costs(pairs: Iterable[frozenset[str]]) -> tuple[int, int]:
            return sum(met[pair] > 0 for pair in pairs), sum(met[pair] for pair in pairs)

        assert costs(made) == min(map(costs, every_round(names, byes)))
        rematches += costs(made)[0]
        met.update(made)
        byes.update(who[0] for who in meeting if len(who) == 1)
        results = [(2.0, 0.0), (1.5, 0.5), (1.0, 1.0), (0.0, 2.0)]
        history.append(
            [Bout(who, (2.0,) if len(who) == 1 else rng.choice(results)) for who in meeting]
        )
    return rematches


@pytest.mark.full
def test_a_swiss_has_as_few_rematches_as_any_round() -> None:
    assert sum(check_rematches(8, seed) for seed in range(12)) > 0
    for players in range(2, 8):
        check_rematches(players, players)


@pytest.mark.full
@pytest.mark.parametrize("players", range(2, 9))
def test_many_swisses_have_as_few_rematches_as_any_round(players: int) -> None:
    for seed in range(100):
        check_rematches(players, seed)


@pytest.mark.full
@given(st.data(), st.sampled_from([2, 4, 6]))
def test_the_cheapest_pairing_is_that_of_the_best_wishes(data: st.DataObject, size: int) -> None:
    costs = {pair: data.draw(st.integers(0, 3)) for pair in combinations(range(size), 2)}
    wishes = [data.draw(st.permutations([w for w in range(size) if w != v])) for v in range(size)]

    def cost(v: int, w: int) -> int:
        return costs[min(v, w), max(v, w)]

    def worth(pairs: tuple[frozenset[str], ...]) -> tuple[int, list[int]]:
        partner = {int(v): int(w) for pair in pairs for v, w in permutations(pair)}
        asked = sorted(partner.items(), key=lambda pair: min(pair))
        first = [(v, w) for v, w in asked if v < w]
        return sum(cost(v, w) for v, w in first), [wishes[v].index(w) for v, w in first]

    found = swiss.cheapest(size, cost, wishes.__getitem__)
    best = min(every_pairing(tuple(map(str, range(size)))), key=worth)
    assert {frozenset(map(str, pair)) for pair in found} == {*best}


def test_a_swiss_pairs_equals_upper_half_with_lower() -> None:
    names = list("abcdefgh")
    first = swiss.next_round(names, [], 3)
    assert first == [("a", "e"), ("b", "f"), ("c", "g"), ("d", "h")]
    won = [Bout(players, (2.0, 0.0)) for players in first]
    second = swiss.next_round(names, [won], 3)
    assert second == [("a", "c"), ("b", "d"), ("e", "g"), ("f", "h")]
    third = swiss.next_round(names, [won, [Bout(p, (2.0, 0.0)) for p in second]], 3)
    assert third[0] == ("a", "b")
    assert third[-1] == ("g", "h")


def test_the_lowest_sits_out_and_never_twice_before_all_have() -> None:
    names = list("abc")
    history: list[list[Bout]] = []
    out = []
    for _ in range(3):
        meeting = swiss.next_round(names, history, 3)
        out += [players[0] for players in meeting if len(players) == 1]
        history.append([Bout(p, (2.0,) if len(p) == 1 else (2.0, 0.0)) for p in meeting])
    assert sorted(out) == names
    assert out[0] == "c"
    assert totals(history) == {"a": 6.0, "b": 4.0, "c": 2.0} or sum(totals(history).values()) == 12


@pytest.mark.full
@given(st.data(), st.integers(2, 20), st.integers(0, 2))
def test_a_knockout_ends_with_one_who_never_lost(
    data: st.DataObject, players: int, replays: int
) -> None:
    names = [f"p{i}" for i in range(players)]
    history = held(lambda h: list(knockout.state(names, h, replays).next), data, RESULTS)
    ((winner,), *_) = knockout.state(names, history, replays).placing
    lost: Counter[str] = Counter()
    for stage in history:
        assert max(Counter(n for b in stage for n in b.players).values()) == 1
        for bout in stage:
            (a, b), (mine, other) = bout.players, bout.points
            assert not lost[a]
            assert not lost[b]
            if mine != other:
                lost[b if mine > other else a] += 1
    assert not lost[winner]
    decided = sum(lost.values())
    ties = sum(b.points[0] == b.points[1] for stage in history for b in stage)
    assert decided <= players - 1 <= decided + ties
    assert sum(map(len, history)) == decided + ties
    assert len({frozenset(b.players) for stage in history for b in stage}) == players - 1


def test_the_best_placed_can_meet_only_at_the_end() -> None:
    names = list("abcdef")
    history: list[list[Bout]] = []
    seen = []
    while meeting := list(knockout.state(names, history, 0).next):
        seen.append(meeting)
        history.append([Bout(p, (2.0, 0.0)) for p in meeting])
    assert seen == [[("d", "e"), ("c", "f")], [("a", "d"), ("b", "c")], [("a", "b")]]
    assert knockout.state(names, history, 0).alive == ("a",)


def test_a_tie_is_replayed_then_the_better_placed_goes_on() -> None:
    tie = [Bout(("a", "b"), (1.0, 1.0))]
    assert (
        list(knockout.state("ab", [], 1).next)
        == list(knockout.state("ab", [tie], 1).next)
        == [("a", "b")]
    )
    assert knockout.state("ab", [tie, tie], 1).next == ()
    assert knockout.state("ab", [tie, tie], 1).alive == ("a",)
    assert knockout.state("ab", [tie, [Bout(("a", "b"), (0.5, 1.5))]], 1).alive == ("b",)
    assert knockout.state("ab", [tie], 1).alive == ("a", "b")


def tournament(style: str, players: int = 5, **more: Any) -> Any:
    """A tournament of players called a, b, c, ..., of whom most move at random."""
    table = [{"search": "random", "name": name} for name in "abcdefghij"[:players]]
    table[1]["search"] = "exhaustive"
    return parse({"game": "nim(pile=6)", "format": style, "player": table, **more})


def answered(pairing: Pairing, first_wins: bool) -> Record:
    """A record of a pairing that was not due."""
    scores = (1.0, -1.0) if first_wins else (-1.0, 1.0)
    return Record(
        id=pairing.id, game="g", seats=pairing.seats, teams=(0, 1), opening=pairing.opening,
        moves=(), scores=scores, points=award(scores, (0, 1)), reason="terminal", nodes=(1, 1),
        seconds=(0.0, 0.0), seed=pairing.seed, deal=pairing.deal,
    )  # fmt: skip


@pytest.mark.full
@settings(max_examples=25)
@given(st.sampled_from(["swiss", "knockout"]), st.integers(2, 7), st.integers(1, 2), st.data())
def test_a_run_that_stops_anywhere_goes_on_to_the_same_games(
    style: str, players: int, games: int, data: st.DataObject
) -> None:
    held = tournament(style, players, games=games, openings={"random": 1})
    plan = Plan(held)
    for pairing in plan:
        plan.add(answered(pairing, data.draw(st.booleans())))
    assert plan.left == 0
    records = list(plan.records.values())
    assert list(Schedule(held).games(records)) == list(plan.known.values())
    assert len(records) == plan.total >= Schedule(held).total()
    seats = Counter(record.seats for record in records)
    assert all(seats[a, b] == seats[b, a] for a, b in seats)  # every deal in both seatings
    some = records[: data.draw(st.integers(0, len(records)))]
    again = Plan(held, data.draw(st.permutations(some)))
    by_id = {record.id: record for record in records}
    for pairing in again:
        again.add(by_id[pairing.id])
    assert again.records == plan.records
    history = Schedule(held).history(records)
    assert sum(len(b.players) == 2 for stage in history for b in stage) * 2 * games == len(records)


@pytest.mark.samples("swiss")
@pytest.mark.parametrize("style", ["swiss", "knockout"])
def test_rounds_are_played_and_resumed(style: str, tmp_path: Path) -> None:
    held = tournament(style, 4, games=2)
    whole = run(held, tmp_path / "whole", ProcessExecutor(1))
    assert whole.missing == 0
    lines = (tmp_path / "whole" / "records.jsonl").read_text().splitlines(keepends=True)
    assert len(lines) >= Schedule(held).total()
    part = tmp_path / "part"
    part.mkdir()
    (part / "records.jsonl").write_text("".join(lines[:5]))
    again = run(held, part, InlineExecutor())
    assert again.missing == 0
    ids = {Record.from_line(line).id for line in lines}
    written = (part / "records.jsonl").read_text().splitlines()
    assert {Record.from_line(line).id for line in written} == ids


@pytest.mark.parametrize("style", ["swiss", "knockout"])
def test_the_schedule_is_made_anew_for_a_round_and_not_for_a_game(
    style: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, games = [], Schedule.games

    def counted(*given: Any) -> Any:
        made.append(given)
        return games(*given)

    monkeypatch.setattr(Schedule, "games", counted)
    plan = Plan(tournament(style, 8, games=3))
    waiting: list[Pairing] = []
    while True:  # two games at a time
        while len(waiting) < 2 and (pairing := next(plan, None)) is not None:
            waiting.append(pairing)
        if not waiting:
            break
        pairing = waiting.pop(0)
        plan.add(answered(pairing, pairing.seats[0] < pairing.seats[1]))
    assert plan.left == 0
    assert plan.total == (72 if style == "swiss" else 42)
    assert len(made) == 1 + 3  # at the beginning, and after each round


def test_rounds_have_deals_and_openings_of_their_own() -> None:
    held = tournament("swiss", 4, games=2, openings={"lines": ["1", "2", "3", "1 1"]})
    plan = Plan(held)
    for pairing in plan:
        plan.add(answered(pairing, True))
    by_index: dict[int, set[Any]] = {}
    for pairing in plan.known.values():
        by_index.setdefault(pairing.index, set()).add((pairing.deal, pairing.opening))
    assert sorted(by_index) == [0, 1, 2, 3]
    assert all(len(same) == 1 for same in by_index.values())
    assert [next(iter(by_index[i]))[1] for i in range(4)] == [("1",), ("2",), ("3",), ("1", "1")]


def test_listed_pairs_meet_in_both_seatings() -> None:
    found = tournament("pairs", 4, pairs=[["a", "b"], ["c", "d"]], games=3)
    games = Counter(p.seats for p in Schedule(found).games())
    assert games == {("a", "b"): 3, ("b", "a"): 3, ("c", "d"): 3, ("d", "c"): 3}
    table = {"game": "nim", "player": [{"search": "random"}], "pairs": [["random", "random"]]}
    assert parse(table).format.name == "pairs"
    assert [p.seats for p in Schedule(parse(table)).games()] == [("random", "random")]


@pytest.mark.usefixtures("scripted")
def test_pairs_of_three_seats_take_every_order() -> None:
    players = [{"search": "guess", "name": name} for name in "abcd"]
    found = parse({"game": "three", "player": players, "pairs": [["a", "b", "d"]]})
    assert len({p.seats for p in Schedule(found).games()}) == 6


def test_every_pair_of_a_full_swiss_meets_once() -> None:
    plan = Plan(tournament("swiss", 4, rounds=3))
    for pairing in plan:
        plan.add(answered(pairing, pairing.seats[0] < pairing.seats[1]))
    met = Counter(frozenset(p.seats) for p in plan.known.values())
    assert met == {frozenset(two): 2 for two in combinations("abcd", 2)}


MISTAKES: list[tuple[dict[str, Any], str, str]] = [
    ({"format": "swis"}, "'swiss'", "@ format"),
    ({"format": "swiss", "rounds": 4}, "in 3 rounds without meeting again, not in 4", "@ rounds"),
    ({"format": "swiss", "rounds": 0}, "rounds", "@ rounds"),
    ({"rounds": 2}, 'for format = "swiss"', "@ rounds"),
    ({"format": "swiss", "replays": 1}, 'for format = "knockout"', "@ replays"),
    ({"format": "knockout", "replays": -1}, "replays", "@ replays"),
    ({"format": "pairs"}, "needs pairs", "@ pairs"),
    ({"pairs": [["a", "x"]]}, "no player called 'x'", "@ pairs[0]"),
    ({"pairs": [["alpha", "b"]]}, "no player called 'alpha'", "@ pairs[0]"),
    ({"pairs": [["a"]]}, "seats 2 players, not 1", "@ pairs[0]"),
    ({"pairs": ["ab"]}, "must be a list of players' names, not 'ab'", "@ pairs[0]"),
    ({"pairs": []}, "must be a list of lists", "@ pairs"),
    ({"pairs": [["a", "b"]], "format": "swiss"}, 'for format = "pairs"', "@ pairs"),
    ({"pairs": [["a", "b"]], "pairing": [{"seats": ["a", "b"]}]}, "exclude", "@ pairing"),
    ({"format": "swiss", "pairing": [{"seats": ["a", "b"]}]}, "exclude", "@ pairing"),
]


@pytest.mark.parametrize(("more", "reason", "address"), MISTAKES)
def test_a_mistake_has_reason_and_address(more: dict[str, Any], reason: str, address: str) -> None:
    players = [{"search": "random", "name": name} for name in "abcd"]
    with pytest.raises(ConfigError) as caught:
        parse({"game": "nim", "player": players, **more})
    (problem,) = caught.value.problems
    assert reason in problem
    assert problem.endswith(address)


@pytest.mark.usefixtures("scripted")
@pytest.mark.parametrize("style", ["swiss", "knockout"])
def test_more_seats_than_two_are_refused(style: str) -> None:
    with pytest.raises(ConfigError, match="is for games of two seats"):
        parse({"game": "three", "format": style, "player": [{"search": "guess"}] * 4})
    with pytest.raises(ConfigError, match="is for games of two seats"):
        parse({"game": "stairs", "format": style, "player": [{"search": "guess"}] * 4})
