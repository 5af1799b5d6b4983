"""The schedule: who meets whom, on which deal, from which seeds; and the same every time."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import dragon
from dragon.bits import Random
from dragon.rules import playout
from dragon.rules.playout import pick
from dragon_tournament.config.reading import parse
from dragon_tournament.pairing import generator
from dragon_tournament.schedule import Schedule


def tournament(game: Any = "nim", players: int = 3, **more: Any) -> Any:
    """A tournament of players called a, b, c, ..."""
    table = {"game": game, "player": [{"search": "random", "name": n} for n in "abcdef"[:players]]}
    return parse({**table, **more})


def test_round_robin_seats_every_ordered_pair_as_often() -> None:
    games = Counter(p.seats for p in Schedule(tournament(games=4)).games())
    assert games == dict.fromkeys(permutations("abc", 2), 4)


def test_a_gauntlet_is_the_first_against_the_others() -> None:
    games = Counter(p.seats for p in Schedule(tournament(format="gauntlet", games=2)).games())
    assert games == {("a", "b"): 2, ("b", "a"): 2, ("a", "c"): 2, ("c", "a"): 2}


def test_listed_pairings_only_and_repeated_ones_add_up() -> None:
    listed = [{"seats": ["a", "b"], "games": 3}, {"seats": ["a", "a"]}, {"seats": ["a", "b"]}]
    played = list(Schedule(tournament(pairing=listed, games=2)).games())
    assert Counter(p.seats for p in played) == {("a", "b"): 5, ("a", "a"): 2}
    assert sorted(p.index for p in played if p.seats == ("a", "b")) == [0, 1, 2, 3, 4]


@pytest.mark.usefixtures("scripted")
def test_three_seats_are_taken_in_every_order() -> None:
    games = Counter(p.seats for p in Schedule(tournament("three", 4)).games())
    assert games == dict.fromkeys(permutations("abcd", 3), 1)
    two = {p.seats for p in Schedule(tournament("three", 2)).games()}
    assert two == {tuple(s) for s in ("aab", "aba", "baa", "abb", "bab", "bba")}


@pytest.mark.usefixtures("scripted")
def test_a_race_is_one_game_of_all() -> None:
    assert [p.seats for p in Schedule(tournament("stairs", games=2)).games()] == [
        ("a", "b", "c")
    ] * 2


def test_ids_are_distinct_and_repeatable() -> None:
    first, again = (list(Schedule(tournament(games=20)).games()) for _ in range(2))
    assert first == again
    assert len({p.id for p in first}) == len({p.seed for p in first}) == len(first) == 120


def test_more_games_or_players_keep_the_ids_there_were() -> None:
    few = {p.id for p in Schedule(tournament(games=3, openings={"random": 2})).games()}
    more = {p.id for p in Schedule(tournament(games=5, openings={"random": 2})).games()}
    four = {p.id for p in Schedule(tournament(games=3, players=4, openings={"random": 2})).games()}
    assert few < more
    assert few < four


CHANGES: list[dict[str, Any]] = [
    {"seed": 1},
    {"plies": 50},
    {"limit": {"seconds": 1.0}},
    {"limit": {"nodes": 5}},
    {"openings": {"lines": ["1"]}},
    {"game": "nim(pile=11)"},
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda c: next(iter(c)))
def test_what_is_played_is_in_the_id(change: dict[str, Any]) -> None:
    before = {p.id for p in Schedule(tournament()).games()}
    assert before.isdisjoint(p.id for p in Schedule(tournament(**change)).games())


def test_the_margin_counts_only_where_there_is_a_clock() -> None:
    def ids(**change: Any) -> set[str]:
        return {p.id for p in Schedule(tournament(**change)).games()}

    assert ids() == ids(margin=0.1)
    assert ids(limit={"seconds": 1.0}).isdisjoint(ids(limit={"seconds": 1.0}, margin=0.1))


def test_every_seating_has_the_same_deals_and_openings() -> None:
    by_index: dict[int, set[Any]] = {}
    for p in Schedule(tournament(games=6, openings={"random": 3, "count": 2})).games():
        by_index.setdefault(p.index, set()).add((p.deal, p.opening))
    assert all(len(same) == 1 for same in by_index.values())
    assert by_index[0] == by_index[2] == by_index[4] != by_index[1]


def test_given_lines_are_played_in_turn() -> None:
    openings = [
        p.opening for p in Schedule(tournament(games=4, openings={"lines": ["1 2", "3"]})).games()
    ]
    assert set(openings[:6]) == {("1", "2")}
    assert set(openings[6:12]) == {("3",)}


@pytest.mark.usefixtures("scripted")
def test_an_opening_of_a_dealt_game_fits_its_deal() -> None:
    settings = tournament("lucky", 2, games=30, openings={"random": 4, "count": 10})
    sizes = set()
    for p in Schedule(settings).games():
        state = settings.game.start(p.deal)
        sizes.add(state.left)
        for text in p.opening:
            state = state.after(dragon.parse_move(state, text))
    assert len(sizes) > 3


class Bent:
    """A roll of uneven odds."""

    def moves(self) -> tuple[str, ...]:
        return ("never", "rare", "often")

    def odds(self) -> tuple[float, ...]:
        return (0.0, 0.1, 0.9)


def drawn(rng: Any) -> str:
    """Give what a playout rolls with the next seed of `rng`."""
    random = Random(int(rng.integers(1 << 63)))
    return Bent().moves()[pick(random.state, Bent().odds())]


def test_luck_is_drawn_as_in_playouts() -> None:
    bent: Any = Bent()
    rng, again = generator(3), generator(3)
    assert [playout.roll(bent, rng) for _ in range(50)] == [drawn(again) for _ in range(50)]
    for seed in range(50):  # in the terminal and on the page
        assert playout.roll(bent, np.random.default_rng((seed, 0))) == drawn(generator(seed, 0))


def test_luck_follows_the_odds() -> None:
    rng = generator(5)
    rolled = Counter(playout.roll(Bent(), rng) for _ in range(20000))  # type: ignore[arg-type]
    assert rolled["never"] == 0
    assert abs(rolled["rare"] - 2000) < 4 * (20000 * 0.09) ** 0.5
