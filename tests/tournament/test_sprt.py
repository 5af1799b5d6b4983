"""SPRT: published ratios, counts that would trip it, its error rates, and runs that it ends."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dragon import ConfigError
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.pairing import Pairing
from dragon_tournament.plan import Plan
from dragon_tournament.records.record import Record, award
from dragon_tournament.report.reader import open_results
from dragon_tournament.report.text import to_text
from dragon_tournament.runner import Observer
from dragon_tournament.schedule import Schedule
from dragon_tournament.statistics.multinomial import Sample
from dragon_tournament.statistics.pairs import PENTANOMIAL, TRINOMIAL, Meeting
from dragon_tournament.statistics.sprt import MODELS, Sprt, Trial, verdict

ORACLES = tomllib.loads((Path(__file__).parents[1] / "oracles" / "ratings.toml").read_text())


@pytest.mark.parametrize("case", ORACLES["sprt"], ids=lambda c: f"{c['model']} {c['llr']}")
def test_the_ratio_is_what_others_compute(case: dict[str, Any]) -> None:
    paired = "pairs" in case
    sample = Sample(PENTANOMIAL, case["pairs"], 2) if paired else Sample(TRINOMIAL, case["games"])
    sprt = Sprt(case["elo0"], case["elo1"], model=case["model"])
    assert sprt.llr(sample) == pytest.approx(case["llr"], rel=0.01)


def test_the_bounds_are_walds() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert Sprt(0, 5, alpha=0.01, beta=0.1).bounds == pytest.approx((-2.293, 4.500), abs=1e-3)


sizes = st.integers(0, 10**6) | st.integers(0, 3) | st.just(0)
counts = st.lists(sizes, min_size=5, max_size=5)
elos = st.floats(-200, 200)


@pytest.mark.full
@example([0, 0, 1, 150755, 150755], 0.0, -56.58799057643316, "normalized")  # two likely shapes
@example([0, 41, 0, 951966, 0], 0.0, 0.001953125, "normalized")  # a score that was never made
@given(counts, elos, elos, st.sampled_from(MODELS))
def test_any_counts_have_a_finite_ratio_that_changes_sign_with_the_players(
    found: list[int], x: float, y: float, model: str
) -> None:
    sprt, swapped = Sprt(x, y, model=model), Sprt(-y, -x, model=model)
    there, back = Sample(PENTANOMIAL, found, 2), Sample(PENTANOMIAL, found[::-1], 2)
    llr = sprt.llr(there)
    assert math.isfinite(llr)
    assert llr == pytest.approx(-swapped.llr(back), rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 10), (-10, 0), (0, 200), (100, 200)])
def test_a_single_kind_of_pair_decides_or_stays_open_but_never_hangs(
    model: str, place: int, elo0: float, elo1: float
) -> None:
    found = [0] * 5
    found[place] = 5000
    llr = Sprt(elo0, elo1, model=model).llr(Sample(PENTANOMIAL, found, 2))
    if place == 2:  # nothing but ties speaks for the hypothesis that is nearer to them
        assert (llr > 0) == (abs(elo1) < abs(elo0))
    else:
        assert (llr > 0) == (place > 2)
    assert Sprt(0, 10, model=model).llr(Sample(PENTANOMIAL, (0,) * 5, 2)) == 0.0


class Deals:
    """Pairings of two players and their records, made up."""

    def __init__(
        self, results: list[tuple[float, float]], moves: tuple[str, ...] | None = None
    ) -> None:
        self.pairings, self.records = [], []
        for index, (there, back) in enumerate(results):
            for seats, won in ((("a", "b"), there), (("b", "a"), 1 - back)):
                name = f"{index}{seats}"
                self.pairings.append(Pairing(name, seats, index, (), index, 0))
                scores = (2 * won - 1, 1 - 2 * won)
                self.records.append(
                    Record(
                        id=name, game="g", seats=seats, teams=(0, 1), opening=(),
                        moves=(name,) if moves is None else moves, scores=scores,
                        points=award(scores, (0, 1)), reason="terminal",
                        nodes=(1, 1), seconds=(0.0, 0.0), seed=0, deal=index,
                    )
                )  # fmt: skip


results = st.lists(st.tuples(*[st.sampled_from([0.0, 0.5, 1.0, 1.0])] * 2), max_size=60)


@pytest.mark.full
@given(results, st.randoms(), st.booleans())
def test_the_verdict_does_not_depend_on_which_game_ends_first(
    found: list[tuple[float, float]], rng: Any, alike: bool
) -> None:
    deals = Deals(found)
    sprt = Sprt(-100, 100, alpha=0.2, beta=0.2)
    verdicts = []
    for _ in range(3):
        trial = Trial(sprt, "a", "b", iter(deals.pairings), alike)
        for record in deals.records:
            trial.add(record)
        verdicts.append(trial.verdict)
        rng.shuffle(deals.records)
    assert verdicts[0] == verdicts[1] == verdicts[2]
    assert verdicts[0].sample.size == len(found) or verdicts[0].accepted
    if found and not verdicts[0].accepted:
        assert verdicts[0].ended.startswith("no opening is left that has not been played")


def test_a_pair_counts_when_those_before_it_do() -> None:
    deals = Deals([(1.0, 1.0), (1.0, 0.0)])
    trial = Trial(Sprt(0, 10), "a", "b", iter(deals.pairings))
    one, two, three, four = deals.records
    for record, size in ((three, 0), (four, 0), (two, 0), (one, 2)):
        trial.add(record)
        assert trial.verdict.sample.size == size
    assert trial.verdict.sample.counts == (0, 0, 1, 0, 1)


def file(**more: Any) -> dict[str, Any]:
    """A tournament of two players that settle who is the stronger."""
    return {
        "game": "nim(pile=40)",
        "player": [{"search": "exhaustive"}, {"search": "random"}],
        "openings": {"random": 5},
        "sprt": {"elo0": 0, "elo1": 50},
        **more,
    }


def test_players_that_only_repeat_themselves_are_one_pair_and_not_waited_for() -> None:
    """Two games repeated 28 times each would accept H0."""
    deals = Deals([(1.0, 0.0)] * 60, moves=("1",))
    sprt = Sprt(0, 50, model="logistic")
    trial = Trial(sprt, "a", "b", iter(deals.pairings), alike=True)
    for record in deals.records:
        trial.add(record)
    assert trial.verdict.sample.size == 1
    assert trial.verdict.accepted == ""
    assert "repeated their first pair 20 times" in str(trial.verdict)
    apart = Trial(sprt, "a", "b", iter(deals.pairings))
    for record in deals.records:
        apart.add(record)
    assert apart.verdict.accepted == "H0"  # had each been of an opening of its own


def test_one_pair_that_differs_shows_that_the_players_draw_lots() -> None:
    deals = Deals([(1.0, 0.0)] * 8, moves=("1",))
    other = Deals([(1.0, 0.0)] * 8 + [(1.0, 1.0)], moves=("2",))
    trial = Trial(Sprt(0, 50), "a", "b", iter(other.pairings), alike=True)
    for record in [*deals.records, *other.records[-2:]]:
        trial.add(record)
    assert trial.verdict.sample.counts == (0, 0, 8, 0, 1)


@pytest.mark.full
@pytest.mark.parametrize(
    ("openings", "pairs"), [({"random": 1}, 3), ({"lines": ["1", "2", "1", "1 1"]}, 3)]
)
def test_only_fresh_openings_are_played_and_the_test_ends_with_them(
    tmp_path: Path, openings: dict[str, Any], pairs: int
) -> None:
    """One ply of nim has three openings, and a line that is given twice is one."""
    from dragon_tournament.runner import Observer, run

    said: list[str] = []

    class Ear(Observer):
        """Hears the notices."""

        def say(self, sentence: str) -> None:
            said.append(sentence)

    tournament = parse(file(openings=openings, sprt={"elo0": 0, "elo1": 5}))
    outcome = run(tournament, tmp_path, InlineExecutor(), observer=Ear())
    verdict = outcome.report.verdict
    assert verdict is not None
    assert (verdict.accepted, verdict.sample.size, outcome.missing) == ("", pairs, 0)
    assert f"undecided after {pairs} pairs" in str(verdict)
    assert "no opening is left that has not been played; give more of them" in str(verdict)
    assert any(f"there are {pairs} ways to begin" in sentence for sentence in said)
    lines = (tmp_path / "records.jsonl").read_text().splitlines()
    assert len(lines) == 2 * pairs
    reader = open_results(tmp_path)
    reader.read()
    assert str(reader.report().verdict) == str(verdict)
    again = run(tournament, tmp_path, InlineExecutor())
    assert again.report.verdict == verdict
    assert (tmp_path / "records.jsonl").read_text().splitlines() == lines


def test_an_opening_that_was_played_twice_is_one_pair_of_its_mean() -> None:
    won, lost = Sample(PENTANOMIAL, (0, 0, 2, 0, 0), 2), Sample((0.0, 0.625, 1.0), (0, 1, 0), 4)
    met = Meeting("a", "b", (won, lost, Sample(TRINOMIAL, (0, 0, 1))), won=5, drawn=1, lost=3)
    found = verdict(Sprt(0, 10), met, 2)
    assert found.sample.size == 3  # the game without its return is not counted
    assert found.sample.mean == pytest.approx((0.5 + 0.5 + 0.625) / 3)


@pytest.mark.full
def test_a_run_ends_when_the_test_has_decided(tmp_path: Path) -> None:
    from dragon_tournament.runner import run

    tournament = parse(file())
    assert Schedule(tournament).total() == 20_000
    outcome = run(tournament, tmp_path, InlineExecutor())
    verdict = outcome.report.verdict
    assert verdict is not None
    assert (verdict.accepted, outcome.missing) == ("H1", 0)
    lines = (tmp_path / "records.jsonl").read_text().splitlines()
    assert len(lines) == 2 * verdict.sample.size < 200
    assert verdict.llr >= verdict.sprt.bounds[1]
    again = run(tournament, tmp_path, InlineExecutor())
    assert again.report.verdict == verdict
    assert (tmp_path / "records.jsonl").read_text().splitlines() == lines


def shown_of(folder: Path) -> str:
    """Return the report of a folder on one line."""
    found = open_results(folder)
    found.read()
    return " ".join(to_text(found.report()).split())


@pytest.mark.full
def test_bounds_that_are_moved_after_games_are_reported(tmp_path: Path) -> None:
    """Also where nothing is left to play, and by each report from then on."""
    from dragon_tournament.runner import run

    table = file()
    run(parse(table), tmp_path, InlineExecutor())
    assert "were moved" not in shown_of(tmp_path)
    table["sprt"] = {**table["sprt"], "elo1": table["sprt"]["elo1"] + 40}
    said: list[str] = []

    class Listening(Observer):
        def say(self, sentence: str) -> None:
            said.append(sentence)

    run(parse(table), tmp_path, InlineExecutor(), observer=Listening())
    assert any("the bounds of the test were moved after its games (elo1 = " in s for s in said)
    run(parse(table), tmp_path, InlineExecutor())
    sentence = "does not have the risks that it states: the bounds of the test were moved"
    assert sentence in shown_of(tmp_path)


@pytest.mark.samples("20")
@pytest.mark.parametrize("cut", [1, 7, 20])
def test_a_test_that_was_interrupted_comes_to_the_same_verdict(tmp_path: Path, cut: int) -> None:
    tournament = parse(file())
    plan, again = Plan(tournament), Plan(tournament)
    for record in InlineExecutor().map(tournament, iter(plan)):
        plan.add(record)
    records = list(plan.records.values())
    for record in reversed(records[:cut]):
        again.add(record)
    resumed = Plan(tournament, again.records.values())
    for record in InlineExecutor().map(tournament, iter(resumed)):
        resumed.add(record)
    assert plan.trial is not None
    assert resumed.trial is not None
    assert resumed.trial.verdict == plan.trial.verdict
    assert resumed.records.keys() == plan.records.keys()
    assert plan.decided
    assert list(plan) == []


@pytest.mark.full
def test_games_in_progress_do_not_change_the_verdict() -> None:
    tournament = parse(file())
    plan = Plan(tournament)
    queue = iter(plan)
    drawn = [next(queue) for _ in range(8)]
    for record in InlineExecutor().map(tournament, iter(plan)):
        plan.add(record)
    assert plan.trial is not None
    verdict = plan.trial.verdict
    for record in InlineExecutor().map(
        tournament, Schedule(parse(file(sprt=None, games=100))).games()
    ):
        plan.add(record)
    assert plan.trial.verdict == verdict
    assert {p.id for p in drawn} <= plan.records.keys()


MISTAKES: list[tuple[dict[str, Any], str, str]] = [
    ({"elo0": 5, "elo1": 5}, "elo0 must be less than elo1, not 5 and 5", "@ sprt.elo0"),
    ({"elo0": 5, "elo1": 0}, "elo0 must be less than elo1", "@ sprt.elo0"),
    ({"elo0": 0, "elo1": 5, "alpha": 0.5, "beta": 0.5}, "less than 1", "@ sprt.alpha"),
    ({"elo0": 0, "elo1": 5, "alpha": 0}, "alpha", "@ sprt.alpha"),
    ({"elo0": 0, "elo1": 5, "model": "bayesian"}, "'normalized' or 'logistic'", "@ sprt.model"),
    ({"elo0": 0, "elo1": 5, "modl": "logistic"}, "did you mean 'model'?", "@ sprt"),
    ({"elo0": 0}, "elo1 is missing", "@ sprt"),
    ({"elo0": float("nan"), "elo1": 5}, "finite", "@ sprt.elo0"),
    ({"elo0": 0, "elo1": float("inf")}, "finite", "@ sprt.elo1"),
    ({"elo0": 0, "elo1": 300}, "within 201 normalized Elo", "@ sprt.elo1"),
    (
        {"elo0": -5000, "elo1": 0, "model": "logistic"},
        "within 4000 logistic Elo of 0, not -5000; take less",
        "@ sprt.elo0",
    ),
]


def test_a_pair_that_is_listed_twice_is_a_pair() -> None:
    names = [player["search"] for player in file()["player"]]
    table = file(sprt={"elo0": 0, "elo1": 195}, pairs=[names, names[::-1]])
    assert parse(table).sprt is not None


@pytest.mark.parametrize(("table", "reason", "address"), MISTAKES)
def test_a_mistake_has_reason_and_address(table: dict[str, Any], reason: str, address: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(file(sprt=table))
    (problem,) = caught.value.problems
    assert reason in problem
    assert address in problem


@pytest.mark.usefixtures("scripted")
@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"player": [{"search": "random"}] * 3}, "between two players, not 3"),
        ({"pairing": [{"seats": ["random", "random"]}]}, "exclude each other"),
        ({"game": "stairs", "openings": None}, "played alone"),
        ({"sprt": 3}, "must be a table such as"),
        ({"format": "swiss"}, "the test and format = 'swiss' exclude each other"),
        ({"pairs": [["random", "random"]]}, "must meet in every pair"),
    ],
)
def test_a_test_needs_two_players_that_meet(more: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        parse({k: v for k, v in file(**more).items() if v is not None})


@pytest.mark.full
def test_the_live_line_tells_how_a_test_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line promises no time, since how long it takes is not known."""
    from dragon_tournament.cli import ProgressBar
    from dragon_tournament.runner import run

    outcome = run(parse(file()), tmp_path, InlineExecutor(), observer=ProgressBar())
    verdict = outcome.report.verdict
    assert verdict is not None
    line = capsys.readouterr().err.splitlines()[-1]
    assert f"LLR {verdict.llr:+.2f} (-2.94 to 2.94), exhaustive" in line
    assert "20,000 at most" in line
    assert "left" not in line
