"""Pairs: which games belong together, and what two players scored in them."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_tournament.records.record import Record, award
from dragon_tournament.statistics.pairs import (
    PENTANOMIAL,
    TRINOMIAL,
    meetings,
    pairs,
    score,
    seatings,
)


def record(
    seats: str, scores: tuple[float, ...], deal: int = 0, teams: tuple[int, ...] = (), **more: Any
) -> Record:
    """A game between players called by letters; its id tells seats and deal."""
    teams = teams or tuple(range(len(seats)))
    table = {
        "id": f"{seats}{deal}{more}", "game": "g", "seats": tuple(seats), "teams": teams,
        "opening": (), "moves": (), "scores": scores, "points": award(scores, teams),
        "reason": "terminal", "nodes": (1,) * len(seats), "seconds": (0.1,) * len(seats),
        "seed": 1, "deal": deal,
    }  # fmt: skip
    return Record(**{**table, **more})


WIN, DRAW, LOSS = (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0)


def test_two_games_of_a_deal_with_the_seats_swapped_are_a_pair() -> None:
    first, second = record("ab", WIN, 1), record("ba", LOSS, 1)
    alone, other = record("ab", DRAW, 2), record("ba", WIN, 3)
    whole, single = pairs([first, alone, second, other])
    assert whole == [(first, second)]
    assert {r.id for r in single} == {alone.id, other.id}


def test_openings_keep_games_of_one_deal_apart() -> None:
    games = [record("ab", WIN, opening=("x",)), record("ba", WIN, opening=("y",))]
    assert pairs(games) == ([], games)


def test_a_deal_played_twice_makes_two_pairs() -> None:
    games = [record(s, WIN, 1, id=f"{s}{i}") for s in ("ab", "ba") for i in range(3)][:-1]
    whole, single = pairs(games)
    assert [[r.id for r in pair] for pair in whole] == [["ab0", "ba0"], ["ab1", "ba1"]]
    assert [r.id for r in single] == ["ab2"]


def test_three_seats_need_all_six_orders() -> None:
    games = [record("".join(s), (2.0, -1.0, -1.0)) for s in permutations("abc")]
    whole, single = pairs(games)
    assert ([len(pair) for pair in whole], single) == ([6], [])
    assert pairs(games[:5])[0] == []
    two = [record(s, (2.0, -1.0, -1.0)) for s in ("aab", "aba", "baa")]
    assert len(pairs(two)[0][0]) == 3


def test_a_player_against_itself_and_one_alone_make_no_pairs() -> None:
    games = [record("aa", WIN), record("a", (3.0,))]
    assert pairs(games) == ([], games)


@pytest.mark.parametrize(("players", "orders"), [("ab", 2), ("aa", 1), ("abc", 6), ("aabb", 6)])
def test_orders_are_counted(players: str, orders: int) -> None:
    assert seatings(players) == orders == len(set(permutations(players)))


def test_the_scores_of_two_players_are_the_mean_over_their_seats() -> None:
    assert score([record("ab", WIN), record("ba", DRAW)], "a", "b") == 0.75
    assert score([record("ab", WIN), record("ba", DRAW)], "b", "a") == 0.25
    assert score([record("aab", (1.0, -1.0, 0.0))], "a", "b") == 0.5
    assert score([record("aa", WIN)], "a", "b") is None
    allies = record("abc", (2.0, -1.0, -1.0), teams=(0, 1, 1))
    assert score([allies], "b", "c") is None
    assert score([allies], "b", "a") == 0.0


OUTCOMES = st.sampled_from([WIN, DRAW, LOSS])


@given(st.lists(st.tuples(OUTCOMES, OUTCOMES)), st.lists(OUTCOMES), st.randoms())
def test_a_meeting_counts_every_game_once_in_any_order(paired: Any, alone: Any, rng: Any) -> None:
    games = [
        record(seats, scores, deal)
        for deal, two in enumerate(paired)
        for seats, scores in zip(("ab", "ba"), two, strict=True)
    ]
    games += [record("ab", scores, 1000 + i) for i, scores in enumerate(alone)]
    rng.shuffle(games)
    found = meetings(games, ["b", "a"])
    assert len(found) == bool(games)
    for met in found:
        assert (met.first, met.second) == ("b", "a")
        assert met.played == len(games) == met.pairs.size * 2 + met.games.size
        assert (met.pairs.size, met.games.size) == (len(paired), len(alone))
        assert met.pairs.values == PENTANOMIAL
        assert met.games.values == TRINOMIAL
        total = met.won + met.drawn / 2
        weighed = sum(s.size * s.games * s.mean for s in met.samples)
        assert weighed == pytest.approx(total)


def test_pairs_are_counted_by_their_points() -> None:
    games = [record("ab", WIN, 1), record("ba", LOSS, 1)]  # a wins both
    games += [record("ab", WIN, 2), record("ba", WIN, 2)]  # the first seat wins
    games += [record("ab", DRAW, 3), record("ba", DRAW, 3), record("ab", DRAW, 4)]
    (met,) = meetings(games, ["a", "b"])
    assert met.pairs.counts == (0, 0, 2, 0, 1)
    assert met.games.counts == (0, 1, 0)
    assert (met.won, met.drawn, met.lost) == (3, 3, 1)
