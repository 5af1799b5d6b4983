"""Standings, ratings and reports made from records; and the command as users run it."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterable
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dragon import ConfigError, UnknownName
from dragon_tournament.cli import tournament
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records.record import Reason, Record, award
from dragon_tournament.report.forms import COLUMNS
from dragon_tournament.report.schema import SCHEMA, to_json
from dragon_tournament.report.summary import report
from dragon_tournament.report.text import to_markdown, to_text
from dragon_tournament.schedule import Schedule
from dragon_tournament.statistics.elo import ELO
from dragon_tournament.statistics.rating import Rating, comparisons, ratings
from dragon_tournament.statistics.standings import crosstable, standings
from dragon_tournament.statistics.tally import Tally

VALUES = {"L": -1.0, "D": 0.0, "W": 1.0}
T99 = 1.984
"""Student's quantile for 100 observations."""
ORACLES = tomllib.loads((Path(__file__).parents[1] / "oracles" / "ratings.toml").read_text())
REPO = Path(__file__).parents[2]


def about(name: str, players: list[str]) -> dict[str, Any]:
    """Give tournament.json of a tournament of these players."""
    return {"name": name, "players": [{"name": player} for player in players]}


def record(
    seats: tuple[str, ...], scores: tuple[float, ...], teams: tuple[int, ...] = (), **more: Any
) -> Record:
    """A record of nothing but a result."""
    n = len(seats)
    teams = teams or tuple(range(n))
    table = {
        "id": "x", "game": "g", "seats": seats, "teams": teams, "opening": (), "moves": (),
        "scores": scores, "points": award(scores, teams), "reason": "terminal",
        "nodes": (10,) * n, "seconds": (0.5,) * n, "seed": 1,
    }  # fmt: skip
    return Record(**{**table, **more})


def dealt(seats: tuple[str, ...], scores: tuple[float, ...], deal: int) -> Record:
    """Copy a deal, for it takes long to check each of many."""
    made = copy(result(seats, scores))
    object.__setattr__(made, "deal", deal)  # it is frozen
    return made


result = cache(record)


def games(a: str, b: str, won: int, drawn: int, lost: int) -> list[Record]:
    """Give so many games of a against b, a first, each of a deal of its own."""
    outcomes = [(1.0, -1.0)] * won + [(0.0, 0.0)] * drawn + [(-1.0, 1.0)] * lost
    return [record((a, b), scores, deal=deal) for deal, scores in enumerate(outcomes)]


def rated(played: list[Record], names: Iterable[str]) -> dict[str, Rating]:
    """The ratings of those games."""
    return ratings(Tally.of(played), list(names)).players


def test_standings_count_every_seat() -> None:
    played = [*games("a", "b", 3, 2, 1), *games("b", "a", 1, 0, 0), *games("a", "a", 1, 0, 0)]
    a, b, idle = standings(Tally.of(played), ["a", "b", "idle"])
    assert (a.won, a.drawn, a.lost, a.points, a.played) == (4, 2, 3, 5.0, 9)
    assert (b.won, b.drawn, b.lost, b.points, b.played) == (2, 2, 3, 3.0, 7)
    assert (a.nodes, a.seconds) == (90, 4.5)
    assert (idle.played, idle.points) == (0, 0.0)


def test_the_crosstable_keeps_the_order_of_seatings() -> None:
    played = [*games("b", "a", 0, 0, 2), *games("a", "b", 3, 2, 1)]
    first, second = crosstable(Tally.of(played), [("a", "b"), ("c", "a"), ("b", "a")])
    assert (first.seats, first.played, first.won, first.drawn) == (("a", "b"), 6, (3, 1), 2)
    assert (second.seats, second.played, second.won, second.drawn) == (("b", "a"), 2, (0, 2), 0)


def test_failures_are_counted_for_who_failed() -> None:
    lost = record(("a", "b"), (-1.0, 1.0), reason="crash", failed=(0,))
    a, b = standings(Tally.of([lost]))
    assert a.failures == {Reason.CRASH: 1}
    assert b.failures == {}


@pytest.mark.samples("55.58")
@pytest.mark.parametrize("case", ORACLES["elo"], ids=lambda c: str(c["elo"]))
def test_elo_is_what_others_compute(case: dict[str, Any]) -> None:
    pairs = case["pairs"]
    won = 2 * pairs["WW"] + pairs["WD"] + pairs["WL"]
    drawn = 2 * pairs["DD"] + pairs["WD"] + pairs["LD"]
    lost = 2 * pairs["LL"] + pairs["LD"] + pairs["WL"]
    points, total = won + drawn / 2, won + drawn + lost
    assert points / total == pytest.approx(case["score"], abs=0.001)
    played = []
    for name, count in pairs.items():
        for number in range(count):
            there, back = (VALUES[letter] for letter in name[:: 1 - 2 * (number % 2)])
            deal = len(played)
            played.append(dealt(("a", "b"), (there, -there), deal))
            played.append(dealt(("b", "a"), (-back, back), deal))
    found = rated(played, "ab")
    assert found["a"].elo - found["b"].elo == pytest.approx(case["elo"], rel=0.01)
    if "error" in case:
        assert found["a"].error is not None
        assert 2 * found["a"].error == pytest.approx(case["error"], rel=0.03)


@pytest.mark.parametrize("case", ORACLES["score"], ids=lambda c: str(c["score"]))
def test_points_are_what_others_compute(case: dict[str, Any]) -> None:
    played = games("a", "b", case["wins"], case["draws"], case["losses"])
    (a, _) = standings(Tally.of(played))
    assert a.points / a.played == pytest.approx(case["score"], abs=0.0005)


def test_two_players_have_a_closed_form() -> None:
    found = rated(games("a", "b", 60, 20, 20), "ab")
    gap = found["a"].elo - found["b"].elo
    assert gap == pytest.approx(400 * math.log10(0.70 / 0.30), rel=0.02)
    # the variance of a game with 20% draws, not that of a coin of 0.7
    deviation = math.sqrt(0.6 * 0.3**2 + 0.2 * 0.2**2 + 0.2 * 0.7**2)
    spread = T99 * ELO * deviation / math.sqrt(100) / (0.7 * 0.3)
    assert found["a"].error == pytest.approx(spread / 2, rel=0.02)
    assert found["b"].error == pytest.approx(found["a"].error)
    assert found["a"].elo == pytest.approx(-found["b"].elo)


@pytest.mark.parametrize("wins", [1, 10, 1000])
def test_perfect_scores_stay_finite_and_more_wins_say_more(wins: int) -> None:
    found = rated(games("a", "b", wins, 0, 0), "ab")
    fewer = rated(games("a", "b", wins // 2, 0, 0), "ab")
    assert math.isfinite(found["a"].elo)
    assert (found["a"].error is None) == (wins == 1)
    assert found["a"].elo > fewer["a"].elo >= 0
    assert found["a"].elo > 0 > found["b"].elo


def test_players_that_never_met_and_those_who_met_only_themselves() -> None:
    assert rated([], []) == {}
    assert rated(games("a", "a", 5, 0, 5), "a")["a"] == Rating(0.0, None)
    assert rated([], ["idle"])["idle"] == Rating(0.0, None)
    apart = rated([*games("a", "b", 5, 0, 5), *games("c", "d", 9, 0, 1)], "abcd")
    assert apart["c"].elo > apart["a"].elo == pytest.approx(apart["b"].elo)


def test_seats_of_one_team_are_not_compared() -> None:
    allies = [record(("a", "b", "c"), (2.0, -1.0, -1.0), (0, 1, 1))]
    two = comparisons(Tally.of(allies), list("abc"))
    pairs = zip(two.first, two.second, two.weight, two.share, strict=True)
    assert sorted(pairs) == [(0, 1, 0.5, 1), (0, 2, 0.5, 1)]
    three = [record(("a", "b", "c"), (2.0, -1.0, -1.0))]
    assert comparisons(Tally.of(three), list("abc")).weight.sum() == pytest.approx(1.5)
    found = rated(three * 20, "abc")
    assert found["a"].elo > found["b"].elo == pytest.approx(found["c"].elo)


def test_the_report_in_its_three_forms() -> None:
    played = [*games("strong|one", "weak", 8, 1, 1), *games("weak", "strong|one", 2, 3, 5)]
    seatings = [("strong|one", "weak"), ("weak", "strong|one")]
    summary = report(
        Tally.of(played),
        about("demo", ["weak", "strong|one"]),
        Path("here/records.jsonl"),
        seatings,
    )
    assert to_text(summary).splitlines()[:5] == [
        "demo",
        "",
        "first seat  second seat  games  won  drawn  lost",
        "----------  -----------  -----  ---  -----  ----",
        "strong|one  weak            10    8      1     1",
    ]
    table = to_json(summary)
    assert list(table) == [
        "schema", "name", "game", "referee", "format", "version", "played", "planned", "drawn",
        "identical", "graded", "reasons", "players", "pairings", "meetings", "first_seat", "sprt",
        "event", "openings", "regret", "race", "happenings", "records",
    ]  # fmt: skip
    assert table["schema"] == SCHEMA
    best = table["players"][0]
    assert list(best) == [
        "name", "payoff", "payoff_error", "points", "played", "won", "drawn", "lost", "elo",
        "elo_error", "skill", "skill_error", "exploitability", "seconds", "nodes", "failures",
    ]  # fmt: skip
    assert (best["name"], best["points"], best["won"], best["played"]) == (
        "strong|one",
        15.0,
        13,
        20,
    )
    assert table["pairings"][1] == {
        "seats": ["weak", "strong|one"], "played": 10, "won": [2, 5], "drawn": 3, "payoffs": None,
    }  # fmt: skip
    assert table["records"] == "here/records.jsonl"
    assert "| strong\\|one | weak | 10 | 8 | 1 | 1 |" in to_markdown(summary)


def test_the_crosstable_of_three_seats() -> None:
    played = [record(("a", "b", "c"), (2.0, -1.0, -1.0)), record(("a", "b", "c"), (0.0, 0.0, 0.0))]
    summary = report(Tally.of(played), about("demo", list("abc")), Path())
    assert to_text(summary).splitlines()[2:5] == [
        "seat 1  seat 2  seat 3  games  won 1  won 2  won 3  drawn",
        "------  ------  ------  -----  -----  -----  -----  -----",
        "a       b       c           2      1      0      0      1",
    ]


SMALL = """
name = "small"
games = 3
[game]
name = "tictactoe"
[limit]
nodes = 300
[[player]]
search = "alphabeta"
[[player]]
search = "random"
"""


def invoke(*arguments: str) -> Result:
    """The command, in this process."""
    return CliRunner().invoke(tournament, arguments)


def test_the_command_plays_reports_and_plays_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SMALL)
    first = invoke("small.toml", "--workers", "1")
    assert first.exit_code == 0, first.output
    assert first.stdout.startswith("small\n\nfirst seat")
    assert "6 of 6 games" in first.stderr
    assert "records and reports are in results/small" in first.stderr
    again = invoke("small.toml", "--workers", "0", "--json")
    assert again.exit_code == 0
    table = json.loads(again.stdout)
    assert table == json.loads(Path("results/small/report.json").read_text())
    assert sum(row["played"] for row in table["pairings"]) == 6
    assert Path(table["records"]).read_text().count("\n") == 6
    assert Path("results/small/report.md").read_text().startswith("# small\n")


@pytest.mark.full
def test_json_keeps_stdout_to_itself(tmp_path: Path, scripted: Path) -> None:
    file = tmp_path / "noisy.toml"
    file.write_text('[game]\nname = "nim"\n[[player]]\nsearch = "scripted"\n' * 1)
    file.write_text(file.read_text() + '[[player]]\nsearch = "random"\n')
    for workers in ("0", "1"):
        result = invoke(str(file), "--out", str(tmp_path / workers), "--json", "--workers", workers)
        assert result.exit_code == 0
        assert json.loads(result.stdout)["name"] == "noisy"


def test_a_failure_is_told_and_is_the_exit_code(tmp_path: Path, scripted: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(
        '[game]\nname = "nim"\n[[player]]\nsearch = "random"\n'
        '[[player]]\nsearch = "scripted"\nname = "bad"\nmisdeed = "illegal"\nat = 0\n'
    )
    result = invoke(str(file), "--out", str(tmp_path / "out"), "--workers", "0")
    assert result.exit_code == 1
    assert "bad: 2 by illegal" in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["missing.toml"], ConfigError),
        (["small.toml", "--executor", "proces"], UnknownName),
    ],
)
def test_mistakes_are_raised_as_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], error: type[Exception]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SMALL)
    result = invoke(*arguments)
    assert isinstance(result.exception, error)
    assert "\n" not in str(result.exception)


def test_wrong_options_are_click_s() -> None:
    assert invoke("x.toml", "--workers", "-1").exit_code == 2
    assert invoke().exit_code == 2


def test_the_demonstration_is_what_the_readme_promises() -> None:
    table = tomllib.loads((REPO / "tournaments" / "nex-3x3.toml").read_text())
    assert table["game"] == {"name": "nex", "rows": 3, "cols": 3}
    assert [p["search"] for p in table["player"]] == ["alphabeta", "mcts", "random"]


def test_every_key_of_the_report_is_documented() -> None:
    page = (REPO / "docs" / "tournament-reports.md").read_text(encoding="utf-8")
    table: dict[str, Any] = {"game": "queens(n=5)", "player": [{"search": "dlx"}]}
    raced = parse(table)
    records = list(InlineExecutor().map(raced, Schedule(raced).games()))
    solo = to_json(report(Tally.of(records), raced.summary(), Path(), records=records))
    met = [*games("a", "b", 3, 1, 1), *games("b", "a", 1, 0, 0)]
    match = to_json(report(Tally.of(met), about("match", ["a", "b"]), Path()))
    tables = [
        solo,
        match,
        solo["race"],
        *solo["race"]["solvers"],
        *solo["race"]["instances"],
    ]
    tables += [*match["players"], *match["pairings"], *match["meetings"]]
    for key in {key for one in tables for key in one}:
        assert f"`{key}`" in page, key
    for column in COLUMNS:
        assert f"`{column}`" in page, column
