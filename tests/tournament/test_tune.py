"""Tuning: which values are tried, what they play, what a run that is cut off keeps, and errors."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from statistics import fmean, median
from typing import Any

import attrs
import pytest
from click.testing import CliRunner

from dragon import ConfigError
from dragon.cli import main
from dragon.errors import TournamentError
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.record import Record
from dragon_tournament.referees.match import Match
from dragon_tournament.tournament import Tournament
from dragon_tournament.tuning import reading
from dragon_tournament.tuning.outcome import TuningOutcome
from dragon_tournament.tuning.reading import parse_tuning, read, run
from dragon_tournament.tuning.study import Study
from dragon_tournament.tuning.tuning import (
    PRUNERS,
    SAMPLERS,
    Choices,
    Range,
    Tuning,
    TuningBudget,
    Whole,
)

pytest.importorskip("optuna", reason="needs the extra `tune`")

FILES = sorted((Path(__file__).parents[2] / "tournaments").glob("tune-*.toml"))
C = {"low": 0.1, "high": 4.0, "log": True}
SMALL: dict[str, Any] = {
    "game": "tictactoe",
    "seed": 5,
    "games": 1,
    "openings": {"random": 2},
    "limit": {"simulations": 4},
    "player": [{"search": "mcts", "c": C}],
    "tune": {"games": 60, "trial": 8, "step": 4},
}


def tuning(**more: Any) -> Tuning:
    """The small one, with other tables."""
    return parse_tuning({**SMALL, **more}, "small", Path())


def problems(**more: Any) -> tuple[str, ...]:
    """Give what is wrong with other tables."""
    with pytest.raises(ConfigError) as caught:
        tuning(**more)
    return caught.value.problems


def games_in(folder: Path) -> list[Record]:
    """The lines of the records, none left out."""
    lines = (folder / "records.jsonl").read_text().splitlines()
    return [Record.from_line(line) for line in lines]


def trial_player(record: Record) -> str:
    (name,) = set(record.seats) - {"default", "opponent"}
    return name


def made(record: Record) -> float:
    return record.points[record.seats.index(trial_player(record))]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[TuningOutcome, Path]:
    """A tuning that was never cut off."""
    folder = tmp_path_factory.mktemp("whole")
    return run(tuning(), folder, InlineExecutor), folder


@pytest.mark.full
def test_budget_trials_and_steps_are_kept(whole: tuple[TuningOutcome, Path]) -> None:
    outcome, folder = whole
    records = games_in(folder)
    assert len({record.id for record in records}) == len(records) == outcome.games <= 60
    assert outcome.games > 60 - 8
    played = Counter(map(trial_player, records))
    assert sum(trial.pruned for trial in outcome.trials) > 0
    for trial in outcome.trials:
        assert 0.1 <= trial.settings["c"] <= 4
        assert played[trial.name] == (4 if trial.pruned else 8)
    for name in played:
        seats = Counter(r.seats.index(name) for r in records if trial_player(r) == name)
        assert seats[0] == seats[1]  # every opening from both


@pytest.mark.full
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("pruner", "sampler"), [
    ("hyperband", "random"), pytest.param("halving", "tpe", marks=pytest.mark.full),
])  # fmt: skip
def test_other_samplers_and_pruners_keep_the_budget(
    pruner: str, sampler: str, tmp_path: Path
) -> None:
    wanted = {"games": 24, "trial": 8, "step": 2, "pruner": pruner, "sampler": sampler}
    outcome = run(tuning(tune=wanted), tmp_path, InlineExecutor)
    assert 24 - 8 < outcome.games == len(games_in(tmp_path)) <= 24
    assert sum(trial.pruned for trial in outcome.trials) > 0


@pytest.mark.full
def test_openings_are_the_same_for_all_trials(whole: tuple[TuningOutcome, Path]) -> None:
    begun = defaultdict(set)
    for record in games_in(whole[1]):
        begun[record.index].add((record.opening, record.deal))
    assert len(begun) == 4
    assert all(len(openings) == 1 for openings in begun.values())


@pytest.mark.full
def test_who_is_pruned_did_worse_than_the_median_of_those_before(
    whole: tuple[TuningOutcome, Path],
) -> None:
    outcome, folder = whole
    first = defaultdict(list)
    for record in games_in(folder):
        if record.index is not None and record.index < 2:
            first[trial_player(record)].append(made(record))
    for number, trial in enumerate(outcome.trials):
        before = [fmean(first[each.name]) for each in outcome.trials[:number] if not each.pruned]
        if number < 5 or not trial.pruned:
            assert not (number < 5 and trial.pruned)
            continue
        assert fmean(first[trial.name]) < median(before)


@pytest.mark.full
def test_the_report_counts_what_the_records_say(whole: tuple[TuningOutcome, Path]) -> None:
    outcome, folder = whole
    points = defaultdict(list)
    for record in games_in(folder):
        points[trial_player(record)].append(made(record))
    table = json.loads((folder / "tune.json").read_text())
    assert {c["name"]: c["points"] for c in table["candidates"]} == {
        name: sum(each) for name, each in points.items()
    }
    best = max((fmean(p), len(p)) for n, p in points.items() if len(p) == 8)
    assert outcome.best is not None
    assert (outcome.best.score, outcome.best.games) == best
    for found in outcome.candidates:
        assert found.interval[0] <= found.score <= found.interval[1]
    assert table["test"]["meetings"][0]["players"] == [outcome.best.name, "default"]
    assert table["test"]["played"] == 2


@pytest.mark.full
def test_the_better_value_is_found(tmp_path: Path) -> None:
    given = tuning(
        limit={},
        player=[
            {"search": "mcts", "simulations": {"choices": [1, 60]}},
            {"search": "random"},
        ],
        tune={"games": 48, "trial": 12, "step": 6},
    )
    outcome = run(given, tmp_path, InlineExecutor)
    assert outcome.best is not None
    assert outcome.best.settings == {"simulations": 60}
    assert outcome.best.score > 0.8
    # The same settings again are the same player, and it goes on with openings of its own.
    assert len(outcome.trials) > len(outcome.candidates) == 2
    for name in {trial.name for trial in outcome.trials}:
        indices = [r.index for r in games_in(tmp_path) if trial_player(r) == name]
        assert sorted(map(int, filter(None, indices))) == sorted([*range(1, len(indices) // 2)] * 2)


def test_every_key_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "tune.md").read_text()
    for cls in (TuningBudget, Range, Choices):
        for attribute in attrs.fields(cls):
            assert f"`{attribute.name}`" in page, attribute.name
    for name in (*SAMPLERS, *PRUNERS):
        assert f'`"{name}"`' in page
    for text in re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        assert parse_tuning(tomllib.loads(text), "example", Path()).dimensions


@pytest.mark.full  # for it compiles a large game
def test_three_seats_are_scored_against_the_opponent(tmp_path: Path) -> None:
    given = tuning(
        game="ulti", openings=None, limit={"simulations": 40},
        tune={"games": 24, "trial": 12, "step": 6},
    )  # fmt: skip
    outcome = run(given, tmp_path, InlineExecutor)
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for record in games_in(tmp_path):
        own, points = trial_player(record), dict(zip(record.teams, record.points, strict=True))
        against = [
            (points[a] > points[b]) + (points[a] == points[b]) / 2
            for a, one in zip(record.teams, record.seats, strict=True)
            for b, other in zip(record.teams, record.seats, strict=True)
            if one == own != other and a != b
        ]
        scores[own] += [fmean(against)] if against else []
    assert len({each for found in scores.values() for each in found}) > 1
    assert {c.name: c.games for c in outcome.candidates} == {
        name: len(found) for name, found in scores.items()
    }
    assert all(c.score == pytest.approx(fmean(scores[c.name])) for c in outcome.candidates)


class Shuffled(InlineExecutor):
    """Give the records of what can be played at once in another order."""

    def map(self, tournament: Tournament, pairings: Iterator[Pairing]) -> Generator[Record]:
        while batch := list(zip(range(3), pairings, strict=False)):
            yield from reversed(list(super().map(tournament, (p for _, p in batch))))


@pytest.mark.full
def test_what_is_tried_does_not_depend_on_which_game_ends_first(
    whole: tuple[TuningOutcome, Path], tmp_path: Path
) -> None:
    few = tuning(tune={**SMALL["tune"], "games": 32})
    outcome = run(few, tmp_path, Shuffled)
    assert outcome.trials == whole[0].trials[: len(outcome.trials)]
    assert {r.id for r in games_in(tmp_path)} < {r.id for r in games_in(whole[1])}


class CutError(BaseException):
    """The end of a process."""


WRITES = ("create_new_trial", "set_trial_param", "set_trial_user_attr",
          "set_trial_intermediate_value", "set_trial_state_values")  # fmt: skip


@pytest.mark.full
def test_a_run_that_was_cut_off_comes_to_the_same(
    whole: tuple[TuningOutcome, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before and after each kind of write to the study, and in the middle of a step."""
    from optuna.storages import _CachedStorage

    cuts = {(name, 3 + 3 * after): after for name in WRITES for after in (0, 1)}
    calls: Counter[str] = Counter()

    def cutting(name: str) -> Any:
        write = getattr(_CachedStorage, name)

        def cut(self: Any, *given: Any, **more: Any) -> Any:
            calls[name] += 1
            after = cuts.pop((name, calls[name]), None)
            if after == 0:
                raise CutError
            done = write(self, *given, **more)
            if after == 1:
                raise CutError
            return done

        return cut

    for name in WRITES:
        monkeypatch.setattr(_CachedStorage, name, cutting(name))
    stopped = 0
    while cuts:
        with pytest.raises(CutError):
            run(tuning(), tmp_path, InlineExecutor)
        stopped += 1
        if stopped == 6:  # and a line that was being written
            lines = (tmp_path / "records.jsonl").read_text()
            (tmp_path / "records.jsonl").write_text(lines[:-30])
    outcome = run(tuning(), tmp_path, InlineExecutor)
    assert stopped == 10
    assert outcome.trials == whole[0].trials
    ids = [r.id for r in games_in(tmp_path)]
    assert len(ids) == len(set(ids))
    assert set(ids) == {r.id for r in games_in(whole[1])}


@pytest.mark.full
def test_a_process_that_was_killed_comes_to_the_same(tmp_path: Path) -> None:
    """At any moment: while the study is made, while games are played, in the test."""
    file = tmp_path / "small.toml"
    file.write_text(FILE)

    def begun(out: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dragon", "tune", file, "--workers", "1", "--json"]
        return subprocess.Popen([*map(str, command), "--out", str(tmp_path / out)],
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # fmt: skip

    whole, _ = begun("whole").communicate()
    for tenths in (5, 8, 11, 15, 20, 25, 30, 35):
        process = begun("cut")
        time.sleep(tenths / 10)  # whenever that is
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    found, _ = begun("cut").communicate()
    one, other = json.loads(whole), json.loads(found)
    for key in ("trials", "candidates", "best", "games", "stronger"):
        assert one[key] == other[key]
    ids = [r.id for r in games_in(tmp_path / "cut")]
    assert len(ids) == len(set(ids))
    assert set(ids) == {r.id for r in games_in(tmp_path / "whole")}


# ---- the file ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"player": [{"search": "mcts", "c": {"low": 2, "high": 1}}]},
         "low must be less than high, not 2 and 1 @ player[0].c"),
        ({"player": [{"search": "mcts", "c": {"low": -1.0, "high": 1.0}}]},
         "c must be at least 0, not -1.0 @ player[0].c"),
        ({"player": [{"search": "mcts", "c": {"low": 0, "high": 1, "log": True}}]},
         "with log = true, low must be more than 0, not 0 @ player[0].c"),
        ({"player": [{"search": "mcts", "c": {"low": 0.1}}]}, "high is missing @ player[0].c.high"),
        ({"player": [{"search": "mcts", "c": {"low": 0.1, "high": 1.0, "logg": True}}]},
         "no setting 'logg' here; did you mean 'log'? (settings: low, high, log) @ player[0].c"),
        ({"player": [{"search": "mcts", "c": {"low": "a", "high": 1}}]},
         "must be a number, not 'a' @ player[0].c.low"),
        ({"player": [{"search": "mcts", "c": {"low": 0, "high": float("inf")}}]},
         "high must be a finite number, not inf @ player[0].c.high"),
        ({"player": [{"search": "mcts", "ref": {"low": 1.5, "high": 9}}]},
         "must be a whole number, not 1.5 @ player[0].ref.low"),
        ({"player": [{"search": "mcts", "selection": {"low": 0, "high": 1}}]},
         "selection is text, and no number; give choices = [...] instead of low and high "
         "@ player[0].selection"),
        ({"player": [{"search": "mcts", "solver": {"low": 0, "high": 1}}]},
         "solver is true or false, and no number; give choices = [...] instead of low and high "
         "@ player[0].solver"),
        ({"player": [{"search": "mcts", "selection": {"choices": ["uct"]}}]},
         "choices must be two different values or more, not ['uct'] @ player[0].selection"),
        ({"player": [{"search": "mcts", "selection": {"choices": ["uct", "gravy"]}}]},
         "not 'gravy'; did you mean 'grave'? @ player[0].selection"),
        ({"player": [{"search": "mcts", "c": {"choices": [1.0, 2.0], "low": 1}}]},
         "choices and low exclude each other; leave one out @ player[0].c"),
        ({"player": [{"search": "mcts", "c": {"choices": 3}}]},
         "choices must be a list, not 3 @ player[0].c"),
        ({"player": [{"search": "mcts", "cc": C}]}, "no setting 'cc' here; did you mean 'c'?"),
        ({"player": [{"search": "mtcs", "c": C}]}, "no search called 'mtcs'; did you mean 'mcts'?"),
        ({"player": [{"search": "mcts"}]},
         "no setting is a range; write one, such as c = { low = 0.3, high = 2.0 } @ player[0]"),
        ({"player": [{"search": "mcts", "c": C, "name": "x"}]},
         "trials are called by their settings; leave it out @ player[0].name"),
        ({"player": []}, 'no player; write [[player]] with search = "..." and a range @ player'),
        ({"player": [{"search": "mcts", "c": C}, {"search": "random"}, {"search": "random"}]},
         "trials have one opponent, and here are 2; leave the others out @ player"),
        ({"player": [{"search": "mcts", "c": C}, {"search": "random", "name": "mcts(c=2.0)"}]},
         "trials are called by specs such as 'mcts(c=2.0)'; give another name @ player[1].name"),
        ({"game": "ulti(cards='hidden')"}, "mcts does not support hidden information"),
        ({"game": "kalah"}, "take another game @ game"),
        ({"game": "queens", "openings": None}, "is played alone, and a trial needs an opponent"),
        ({"game": "tictactoo"}, "no game called 'tictactoo'; did you mean 'tictactoe'?"),
        ({"tune": {"games": 7, "trial": 4, "step": 2}},
         "games must be a multiple of 2, so that every opening is played from all seats, not 7 "
         "@ tune.games"),
        ({"tune": {"games": 4, "trial": 8, "step": 2}},
         "trial must be at most games, 4, not 8 @ tune.trial"),
        ({"tune": {"trial": 8, "step": 10}}, "step must be at most trial, 8, not 10 @ tune.step"),
        ({"tune": {"sampler": "tpee"}},
         "sampler must be 'tpe' or 'random', not 'tpee'; did you mean 'tpe'? @ tune.sampler"),
        ({"tune": {"game": 3}}, "no setting 'game' here; did you mean 'games'?"),
        ({"tune": 3}, "must be a table such as { games = 1000 }, not 3 @ tune"),
        ({"sprt": {"elo0": 9, "elo1": 3}}, "elo0 must be less than elo1, not 9 and 3 @ sprt.elo0"),
        ({"trial": 8}, "trial is a key of the table [tune]; write it there @ trial"),
        ({"format": "swiss"}, "dragon tune has no use for format; leave it out @ format"),
        ({"colour": 3}, "no setting 'colour' here"),
    ],
)  # fmt: skip
def test_a_mistake_has_reason_and_address(more: dict[str, Any], sentence: str) -> None:
    given = {**SMALL, **more}
    with pytest.raises(ConfigError) as caught:
        parse_tuning({k: v for k, v in given.items() if v is not None}, "small", Path())
    (found,) = caught.value.problems
    assert sentence in found
    assert " @ " in found
    assert "player[1]" not in found or len(given["player"]) > 1


def test_every_mistake_is_told_at_once_with_its_file(tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text('game = "hex"\n[[player]]\nsearch = "mcts"\nc = {low = 2, high = 1}\n'
                    "[tune]\nstep = 0\n[sprt]\nelo0 = 0\n")  # fmt: skip
    result = CliRunner().invoke(main, ["tune", str(file)])
    assert result.exit_code == 2
    lines = [line.partition(f"{file}: ")[2] for line in result.stderr.splitlines()]
    assert [line.rpartition(" @ ")[2] for line in lines] == [
        "tune.step",
        "sprt.elo1",
        "player[0].c",
    ]


def test_a_tournament_that_is_one_says_so() -> None:
    with pytest.raises(ConfigError) as caught:
        parse(SMALL)
    sentence = "settings that are ranges are for dragon tune; run that, or leave it out @ tune"
    assert sentence in caught.value.problems


def test_without_optuna_there_is_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "available", lambda: False)
    remedy = "optuna is not installed here: pip install 'dragon-search[tune]' @ tune"
    assert problems() == (remedy,)


def test_fixed_settings_are_those_of_the_default_too() -> None:
    found = tuning(player=[{"search": "mcts(solver=false)", "c": C, "selection": "wins"}])
    assert str(found.default.search) == "mcts(selection='wins', solver=false)"
    assert str(found.opponent.search) == str(found.default.search)
    made = str(found.search({"c": 0.5}))
    assert made == "mcts(c=0.5, selection='wins', solver=false)"
    assert str(found.player(made).search) == made
    found = tuning(player=[{"search": "mcts(c=0.7)", "c": C}])
    assert str(found.default.search) == "mcts(c=0.7)"
    assert found.dimensions[0].default == 0.7
    assert str(found.search({"c": 0.5})) == "mcts(c=0.5)"


def test_numbers_of_few_digits_stay_within_their_range() -> None:
    assert Range(0.12341, 0.6).value(0.12342) == 0.12341
    assert Range(0.1, 0.99999).value(0.999989) == 0.99999
    assert Range(0.1, 3.0).value(1 / 3) == 0.3333
    assert Whole(1, 64).value(63.0) == 63
    assert Range(0.01, 100, log=True).place(1.0) == pytest.approx(0.5)
    assert Range(0, 4).place(1) == 0.25
    assert not 0 <= Range(1, 4).place(8) <= 1
    assert Choices(("a", "b")).place("b") == 0.75
    assert not 0 <= Choices(("a", "b")).place("c") <= 1


@pytest.mark.full
@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_the_files_of_the_repository_are_in_order(file: Path, tmp_path: Path) -> None:
    found = read(file)
    assert found.name == file.stem
    small = attrs.evolve(
        found, budget=attrs.evolve(found.budget, games=8, trial=4, step=2), test_games=1, games=2
    )
    outcome = run(small, tmp_path, InlineExecutor)
    assert outcome.games == 8
    assert outcome.test is not None
    assert outcome.test.played == 2


# ---- the folder and the command ---------------------------------------------------------------


@pytest.mark.full
def test_the_picture_has_a_point_for_every_try(whole: tuple[TuningOutcome, Path]) -> None:
    outcome, folder = whole
    tree = ET.parse(folder / "settings.svg")
    circles = [e for e in tree.iter() if e.tag.endswith("circle")]
    assert len(circles) == len(outcome.candidates)
    (best,) = (c for c in circles if c.get("class") == "best")
    assert outcome.best is not None
    assert outcome.best.name in "".join(best.itertext())
    by_value = sorted(circles, key=lambda c: float(str(c.get("cx"))))
    values = ["".join(c.itertext()).partition(":")[0] for c in by_value]
    expected = sorted(outcome.candidates, key=lambda c: float(c.settings["c"]))
    assert values == [c.name for c in expected]
    lowest = max(circles, key=lambda c: float(str(c.get("cy"))))
    assert min(outcome.candidates, key=lambda c: c.score).score == next(
        c.score for c in outcome.candidates if c.name in "".join(lowest.itertext())
    )


@pytest.mark.full
def test_more_games_go_on_and_other_ranges_are_refused(
    whole: tuple[TuningOutcome, Path], tmp_path: Path
) -> None:
    run(tuning(tune={"games": 8, "trial": 8, "step": 4}), tmp_path, InlineExecutor)
    more = run(tuning(tune={"games": 16, "trial": 8, "step": 4}), tmp_path, InlineExecutor)
    assert more.trials == whole[0].trials[: len(more.trials)]
    with pytest.raises(ConfigError, match="holds trials of other settings or ranges; give another"):
        run(tuning(player=[{"search": "mcts", "c": {"low": 1, "high": 2}}]), tmp_path,
            InlineExecutor)  # fmt: skip
    anew = run(tuning(tune={"games": 8, "trial": 8, "step": 4}), tmp_path, InlineExecutor, True)
    assert anew.games == 8
    assert len(anew.trials) == 1
    assert len((tmp_path / "records.1.jsonl").read_text().splitlines()) == more.games


FILE = """
game = "tictactoe"
seed = 5
games = 3
openings = { random = 2 }
limit = { simulations = 4 }
[[player]]
search = "mcts"
c = { low = 0.1, high = 4.0, log = true }
solver = { choices = [true, false] }
[tune]
games = 16
trial = 8
step = 4
"""


@pytest.mark.full
def test_the_command_goes_on_where_it_was_interrupted_and_prints_what_came_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "small.toml"
    file.write_text(FILE)
    given = ["tune", str(file), "--workers", "0", "--out", str(tmp_path / "out")]
    play, played = Match.play, 0

    def pressed(self: Match, *arguments: Any) -> Record:
        nonlocal played
        played += 1
        if played == 3:
            signal.raise_signal(signal.SIGINT)
        return play(self, *arguments)

    monkeypatch.setattr(Match, "play", pressed)
    result = CliRunner().invoke(main, given)
    assert result.exit_code == 130
    assert "small: 1 trial, 0 of them pruned, 3 games" in result.stdout
    assert "0 in progress" in result.stdout
    assert "13 games are left; the same command goes on from here" in result.stderr
    result = CliRunner().invoke(main, given)
    assert result.exit_code == 0, result.output
    assert "small: 2 trials, 0 of them pruned, 16 games against default, mcts" in result.stdout
    assert "The best: mcts(" in result.stdout
    assert "SPRT of 0 and 20 normalized Elo: undecided after 3 pairs" in result.stdout
    again = CliRunner().invoke(main, [*given, "--json"])
    table = json.loads(again.stdout)
    assert table == json.loads((tmp_path / "out" / "tune.json").read_text())
    assert table["stronger"] is None
    assert table["test"]["played"] == 6
    assert len(games_in(tmp_path / "out")) == 16


@pytest.mark.full
def test_a_damaged_study_is_one_sentence(whole: tuple[TuningOutcome, Path], tmp_path: Path) -> None:
    """optuna reads what SQLite holds without a check, and SQLite has no checksum."""
    data = (whole[1] / "study.db").read_bytes()
    assert b"FINITE" in data
    (tmp_path / "study.db").write_bytes(data.replace(b"FINITE", b"FMNITE"))
    with pytest.raises(TournamentError, match=r"study\.db is damaged .*give another --out"):
        Study(tuning(), tmp_path).trials()


@pytest.mark.full
def test_an_unusable_study_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "study.db").write_text("no database at all, but text " * 99)
    with pytest.raises(TournamentError, match=r"cannot use .*study\.db: .*; "):
        run(tuning(), tmp_path, InlineExecutor)
