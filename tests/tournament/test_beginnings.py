"""Fresh: how many beginnings there are, which games must repeat, and who is told of it."""

from __future__ import annotations

from typing import Any

import pytest

from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.schedule import Schedule
from dragon_tournament.statistics.tally import Tally
from dragon_tournament.tournament import Tournament

pytestmark = pytest.mark.samples(1)

EXHAUSTIVE, GREEDY, RANDOM = ({"search": name} for name in ("exhaustive", "greedy", "random"))


def tournament(*players: dict[str, Any], **more: Any) -> Tournament:
    """A tournament of nim, whose first move takes one, two or three."""
    return parse({"game": "nim(pile=9)", "player": list(players), **more})


@pytest.mark.parametrize(
    ("game", "openings", "count"),
    [
        ("nim(pile=9)", None, 1),
        ("nim(pile=9)", {"lines": ["1", "2", "1"]}, 2),
        ("nim(pile=9)", {"random": 1}, 3),
        ("nim(pile=9)", {"random": 2}, 9),
        ("nim(pile=3)", {"random": 2}, 1),  # all lines of two plies but one end the game
        ("nim(pile=9)", {"random": 2, "count": 4}, 4),
        ("connect4", {"random": 2}, 49),
        ("kuhn", None, 500),
        ("kuhn", {"random": 1}, 6),  # the first ply deals
        ("kuhn", {"random": 1, "count": 4}, 4),
        ("kuhn", {"positions": ["KQ", "QJ", "KQ"]}, 2),
        ("ulti", None, 500),
        ("ulti", {"random": 1, "count": 7}, 7),
    ],
)
def test_beginnings_are_counted(game: str, openings: Any, count: int) -> None:
    table = {"game": game, "player": [RANDOM, RANDOM], "games": 500}
    made = parse({**table, **({"openings": openings} if openings else {})})
    assert Schedule(made).beginnings(500) == count
    assert Schedule(made).beginnings(2) == min(count, 2)
    if game.startswith(("nim", "kuhn")) and openings and "count" not in openings:
        assert len({(p.opening, p.position) for p in Schedule(made).games()}) == count
    assert made.dealt == (game == "ulti" or (game == "kuhn" and not openings))
    assert Schedule(made).alike == (game.startswith("nim") and openings is None)


@pytest.mark.parametrize(
    ("players", "more", "extra"),
    [
        ((EXHAUSTIVE, GREEDY), {"games": 50}, 98),
        ((EXHAUSTIVE, GREEDY, RANDOM), {"games": 50}, 98),
        ((EXHAUSTIVE, GREEDY), {"games": 4, "openings": {"lines": ["1", "2"]}}, 4),
        ((EXHAUSTIVE, GREEDY), {"games": 3, "openings": {"lines": ["1", "2", "3"]}}, 0),
        ((EXHAUSTIVE, GREEDY), {"games": 30, "openings": {"random": 1}}, 54),
        ((EXHAUSTIVE, RANDOM), {"games": 50}, 0),
        ((EXHAUSTIVE, {**GREEDY, "limit": {"seconds": 1}}), {"games": 50}, 0),
        ((EXHAUSTIVE, {"search": "alphabeta", "shuffle": True}), {"games": 50}, 0),
        ((EXHAUSTIVE, {"search": "alphabeta"}), {"games": 50}, 98),
    ],
)
def test_games_that_must_repeat_are_told_beforehand(
    players: tuple[dict[str, Any], ...], more: dict[str, Any], extra: int
) -> None:
    made = tournament(*players, **more)
    warnings = list(Schedule(made).repetitions())
    if not extra:
        assert warnings == []
        return
    (sentence,) = warnings
    assert f"so {extra} games will be identical move for move to others" in sentence
    assert "exhaustive" in sentence
    assert "random:" not in sentence
    played = list(InlineExecutor().map(made, Schedule(made).games()))
    ours = [r for r in played if "random" not in r.seats]
    assert Tally.of(ours, dealt=False).identical >= extra


@pytest.mark.parametrize("style", ["swiss", "knockout"])
def test_repetitions_within_an_encounter_are_told_beforehand(style: str) -> None:
    names = ({**EXHAUSTIVE, "name": name} for name in "abcd")
    made = tournament(*names, format=style, games=5, openings={"lines": ["1", "2"]})
    (sentence,) = Schedule(made).repetitions()
    assert "so 3 of 5 games of an encounter in each seating will be identical" in sentence
    assert list(Schedule(tournament(EXHAUSTIVE, GREEDY, format=style, games=1)).repetitions()) == []


def test_a_test_of_players_that_must_repeat_themselves_is_told_beforehand() -> None:
    sprt = {"elo0": 0, "elo1": 5}
    (sentence,) = Schedule(tournament(EXHAUSTIVE, GREEDY, sprt=sprt)).repetitions()
    assert "exhaustive, greedy: equal positions get equal moves" in sentence
    assert "the test ends undecided after 20 pairs" in sentence
    assert list(Schedule(tournament(EXHAUSTIVE, RANDOM, sprt=sprt)).repetitions()) == []


def test_of_a_test_only_the_first_pair_of_an_opening_is_played() -> None:
    made = tournament(EXHAUSTIVE, RANDOM, openings={"random": 1}, sprt={"elo0": 0, "elo1": 5})
    (sentence,) = Schedule(made).repetitions()
    assert "there are 3 ways to begin, and the test counts each once" in sentence
    found = list(Schedule(made).with_new_beginnings(Schedule(made).games()))
    assert [p.opening for p in found[::2]] == [p.opening for p in found[1::2]]
    assert len({p.opening for p in found}) * 2 == len(found) == 6
    dealt = parse({"game": "kuhn", "player": [RANDOM, RANDOM], "games": 30})
    assert list(Schedule(dealt).with_new_beginnings(Schedule(dealt).games())) == list(
        Schedule(dealt).games()
    )
