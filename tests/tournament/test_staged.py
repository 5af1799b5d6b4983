"""Rounds, places and the winner of a Swiss or a knockout, as the records on disk tell them."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon.cli import main
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.formats import knockout
from dragon_tournament.formats.format import Bout
from dragon_tournament.formats.staged import StagedResult, staged_result
from dragon_tournament.pairing import Pairing
from dragon_tournament.plan import Plan
from dragon_tournament.records.files import RECORDS, SETTINGS
from dragon_tournament.records.record import Record, award
from dragon_tournament.report.table import aligned
from dragon_tournament.report.tables import places, rounds, staged_outcome
from dragon_tournament.runner import Observer, run
from dragon_tournament.schedule import Schedule
from dragon_tournament.statistics.tally import Tally

Draw = Any


def tournament(style: str, players: int, **more: Any) -> Any:
    """A tournament of players called a, b, c, ..."""
    table = [{"search": "random", "name": name} for name in "abcdefghij"[:players]]
    return parse({"game": "nim(pile=6)", "format": style, "player": table, **more})


def answered(pairing: Pairing, score: float) -> Record:
    """A record of a pairing that was not due; `score` is that of the first seat."""
    return Record(
        id=pairing.id, game="g", seats=pairing.seats, teams=(0, 1), opening=pairing.opening,
        moves=(), scores=(score, -score), points=award((score, -score), (0, 1)),
        reason="terminal", nodes=(1, 1), seconds=(0.0, 0.0), seed=pairing.seed, deal=pairing.deal,
        index=pairing.index,
    )  # fmt: skip


def held(settings_: Any, draw: Draw) -> list[Record]:
    """All its records; `draw` gives scores."""
    plan = Plan(settings_)
    for pairing in plan:
        plan.add(answered(pairing, draw(pairing)))
    return list(plan.records.values())


def staged(settings_: Any, records: list[Record]) -> StagedResult:
    """Give what the records tell."""
    found = staged_result(Tally.of(records).numbered(), settings_.summary())
    assert found is not None
    return found


SCORES = st.sampled_from([-1.0, 0.0, 1.0])


@pytest.mark.full
@settings(max_examples=25)
@given(st.sampled_from(["swiss", "knockout"]), st.integers(2, 7), st.integers(1, 2), st.data())
def test_the_records_tell_the_rounds_that_were_played(
    style: str, players: int, games: int, data: st.DataObject
) -> None:
    given_ = tournament(style, players, games=games, openings={"random": 1, "count": 1})
    records = held(given_, lambda pairing: data.draw(SCORES))
    found = staged(given_, data.draw(st.permutations(records)))
    assert [list(stage) for stage in found.rounds] == Schedule(given_).history(records)
    assert found.winner == found.places[0].name
    assert sorted(p.name for p in found.places) == sorted(p.name for p in given_.players)
    places = [p.place for p in found.places]
    assert places == sorted(places)
    assert places[0] == 1
    part = staged(given_, records[:-1])
    assert part.winner is None
    assert part.rounds == found.rounds[:-1]


def test_a_knockout_names_its_champion_and_who_came_how_far() -> None:
    given_ = tournament("knockout", 6)
    records = held(given_, lambda pairing: 1.0 if pairing.seats[0] < pairing.seats[1] else -1.0)
    found = staged(given_, records)
    assert found.winner == "a"
    assert staged_outcome(found) == "a wins the knockout."
    assert [(p.place, p.name) for p in found.places] == [
        (1, "a"), (2, "b"), (3, "c"), (3, "d"), (5, "e"), (5, "f"),
    ]  # fmt: skip
    assert found.titles() == ["1", "2", "3"]
    assert aligned(places(found)).splitlines()[0].split() == ["place", "player", "points"]
    assert (
        staged_outcome(staged(given_, records[:9]))
        == "The knockout goes on: 2 rounds are complete."
    )
    assert (
        staged_outcome(staged(given_, records[:5])) == "The knockout goes on: 1 round is complete."
    )


def test_a_tie_that_is_replayed_has_the_number_of_its_round() -> None:
    given_ = tournament("knockout", 2, replays=2)
    records = held(given_, lambda pairing: 0.0)
    found = staged(given_, records)
    assert found.titles() == ["1", "1 (replay)", "1 (replay)"]
    assert list(rounds(found).columns[0].cells) == found.titles()
    assert found.winner == "a"


@pytest.mark.full
@settings(max_examples=60)
@given(st.sampled_from(["swiss", "knockout"]), st.integers(2, 6), st.integers(1, 2), st.data())
def test_a_run_that_was_cut_short_anywhere_goes_on(
    style: str, players: int, replays: int, data: st.DataObject
) -> None:
    more = {"replays": replays} if style == "knockout" else {}
    given_ = tournament(style, players, **more)
    scores: dict[str, float] = {}
    plan = Plan(given_)
    known = []
    for pairing in plan:
        scores[pairing.id] = data.draw(SCORES)
        plan.add(answered(pairing, scores[pairing.id]))
        known.append(plan.total)
    records = list(plan.records.values())
    assert known == sorted(known)
    assert (plan.total, plan.left) == (len(records), 0)
    for cut, total in enumerate([Plan(given_).total, *known]):
        again = Plan(given_, records[:cut])
        assert (again.total, again.left) == (total, total - cut)
        for pairing in again:
            again.add(answered(pairing, scores[pairing.id]))
        assert again.records == plan.records
        assert again.left == 0


class RoundExecutor(InlineExecutor):
    """One that asks for all the games there are before it plays any."""

    def map(self, tournament: Any, pairings: Iterator[Pairing]) -> Generator[Record]:
        yield from super().map(tournament, iter(list(pairings)))


@pytest.mark.full
def test_ties_are_replayed_after_any_end_and_by_any_executor(tmp_path: Path) -> None:
    """Random players of this seed tie twice; the games that follow were left out."""
    given_ = tournament("knockout", 4, replays=1, seed=4, name="t", game="nex(rows=3, cols=3)",
                        openings={"random": 1})  # fmt: skip
    whole = run(given_, tmp_path / "whole", InlineExecutor()).report
    lines = (tmp_path / "whole" / RECORDS).read_text().splitlines(keepends=True)
    assert whole.staged is not None
    assert (len(lines), whole.planned, whole.staged.winner) == (8, 8, "a")
    for cut in range(len(lines) + 1):
        folder = tmp_path / str(cut)
        copytree(tmp_path / "whole", folder)
        (folder / RECORDS).write_text("".join(lines[:cut]))
        found = run(given_, folder, InlineExecutor())
        assert found.report.staged is not None
        assert (found.missing, found.report.played, found.report.staged.winner) == (0, 8, "a")
    rounds = run(given_, tmp_path / "rounds", RoundExecutor())
    assert rounds.report.staged is not None
    assert (rounds.missing, rounds.report.played, rounds.report.staged.winner) == (0, 8, "a")


def test_who_looks_on_is_told_of_the_games_that_a_tie_adds(tmp_path: Path) -> None:
    players = [{"search": "alphabeta", "name": name} for name in "ab"]
    given_ = tournament("knockout", 2, replays=2, name="t", game="tictactoe", player=players)
    seen: list[tuple[int, int]] = []

    class Watcher(Observer):
        games = 0

        def begin(self, games: int, records: Any) -> None:
            self.games = games

        def expect(self, games: int) -> None:
            self.games = games

        def record(self, record: Record) -> None:
            planned = json.loads((tmp_path / SETTINGS).read_text())["total"]
            assert planned == self.games
            seen.append((len((tmp_path / RECORDS).read_text().splitlines()), planned))

    run(given_, tmp_path, InlineExecutor(), observer=Watcher())
    assert seen == [(1, 2), (2, 4), (3, 4), (4, 6), (5, 6), (6, 6)]


def test_a_swiss_orders_by_points_then_by_those_of_the_opponents() -> None:
    given_ = tournament("swiss", 5, rounds=2)
    records = held(given_, lambda pairing: 1.0 if pairing.seats[0] < pairing.seats[1] else -1.0)
    found = staged(given_, records)
    points = {p.name: p.points for p in found.places}
    assert [len(stage) for stage in found.rounds] == [3, 3]
    byes = [bout for stage in found.rounds for bout in stage if len(bout.players) == 1]
    assert [bout.points for bout in byes] == [(2.0,), (2.0,)]
    assert sum(points.values()) == 2 * 2 * 3
    assert "(sits out)" in rounds(found).columns[2].cells
    for before, after in zip(found.places, found.places[1:], strict=False):
        assert (before.points, before.rivals) >= (after.points, after.rivals)
        equal = (before.points, before.rivals) == (after.points, after.rivals)
        assert (before.place == after.place) == equal
    for place in found.places:
        met = [
            points[next((n for n in bout.players if n != place.name), place.name)]
            for stage in found.rounds for bout in stage if place.name in bout.players
        ]  # fmt: skip
        assert place.rivals == sum(met)


def test_other_formats_and_records_of_old_tell_of_no_rounds() -> None:
    given_ = tournament("round-robin", 3)
    assert (
        staged_result(Tally.of(held(given_, lambda pairing: 1.0)).numbered(), given_.summary())
        is None
    )
    given_ = tournament("swiss", 4)
    old = [evolve(r, index=None) for r in held(given_, lambda pairing: 1.0)]
    assert staged(given_, old).rounds == ()
    assert staged_result(Tally.of(old).numbered(), {}) is None


def test_the_placing_of_a_knockout_in_progress_has_the_living_first() -> None:
    won = [Bout(("d", "e"), (2.0, 0.0)), Bout(("c", "f"), (0.0, 2.0))]
    assert knockout.state("abcdef", [won], 0).placing == (("a", "b", "d", "f"), (), ("c", "e"))
    assert knockout.state("ab", [], 0).placing[0] == ("a", "b")


@pytest.mark.parametrize("style", ["swiss", "knockout"])
def test_every_report_tells_of_it(style: str, tmp_path: Path) -> None:
    outcome_ = run(tournament(style, 4, name="t"), tmp_path, InlineExecutor())
    assert outcome_.report.staged is not None
    winner = outcome_.report.staged.winner
    assert winner == outcome_.report.players[0].name
    table = json.loads((tmp_path / "report.json").read_text())["event"]
    assert table["winner"] == winner == table["places"][0]["name"]
    assert sum(len(stage) for stage in table["rounds"]) >= 3
    assert table["titles"] == outcome_.report.staged.titles()
    text = CliRunner().invoke(main, ["standings", str(tmp_path)]).stdout
    assert f"{winner} wins the " in text
    assert "\nround" in text
    markdown = (tmp_path / "report.md").read_text()
    assert "| round | player | player 2 |" in markdown.replace("  ", " ")
    assert f"{winner} wins the " in markdown
    page = (tmp_path / "report.html").read_text()
    assert f"<p>{winner} wins the " in page
    assert 'aria-label="Rounds"' in page
