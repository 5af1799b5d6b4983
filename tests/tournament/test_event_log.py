"""Happenings of a tournament are kept, told once, and never taken for a game."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dragon import TournamentError
from dragon.cli import main
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.pairing import Pairing
from dragon_tournament.records import event_log
from dragon_tournament.records.event_log import Incident, IncidentKind, summarised
from dragon_tournament.records.in_flight import InFlightLog
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.report.summary import Report
from dragon_tournament.runner import Observer, run
from dragon_tournament.tournament import Tournament

TABLE: dict[str, Any] = {
    "name": "small",
    "game": "nim",
    "games": 4,
    "player": [{"search": "random"}, {"search": "negamax"}],
}


def sentences(incidents: list[Incident], broken: int = 0) -> list[str]:
    return [happening.sentence for happening in summarised(incidents, broken)]


def test_an_entry_comes_back_as_it_was() -> None:
    entry = Incident(IncidentKind.DIED, 'by "SIGKILL"\nö\u2028', ["a", "b"])
    assert Incident.from_line(entry.to_line()) == entry
    assert "\n" not in entry.to_line()
    assert entry.at.endswith("+00:00")


@pytest.mark.parametrize("junk", ["", "junk", "[1]", '"a"', "{}", '{"what": "tea", "at": "5"}'])
def test_what_cannot_be_read_is_left_out(tmp_path: Path, junk: str) -> None:
    entry = Incident(IncidentKind.TORN, "\u2028")
    text = f"{junk}\n{entry.to_line()}\n{junk}\n{entry.to_line()[:9]}"
    (tmp_path / event_log.NAME).write_text(text)
    assert event_log.read(tmp_path) == [entry]
    assert event_log.read(tmp_path / "none") == []


def test_a_run_that_goes_on_is_not_taken_for_one_that_was_killed() -> None:
    began, ended = Incident(IncidentKind.BEGAN), Incident(IncidentKind.ENDED)
    assert sentences([began]) == sentences([began, ended]) == sentences([began, ended, began]) == []
    assert sentences([began, began, ended]) == [
        "One run ended without a word, as a kill or a power failure does it."
    ]
    assert sentences([began, began, began])[0].startswith("2 runs ended without")


def test_each_kind_is_one_sentence() -> None:
    died = [Incident(IncidentKind.DIED, "killed by SIGKILL", [game]) for game in ("a", "b", "a")]
    lost = [Incident(IncidentKind.LOST, "OSError: gone", ["c", "d"])]
    stopped = [Incident(IncidentKind.INTERRUPTED), Incident(IncidentKind.INTERRUPTED, games=["e"])]
    assert sentences([*died, *stopped, *lost], broken=2) == [
        "Ctrl-C interrupted it twice, and 1 game in progress dropped.",
        "3 workers died (killed by SIGKILL, 3 times), and 2 games were begun again.",
        "2 games were lost with the worker that had them (OSError: gone), and begun again.",
        "2 games were adjudicated since the game itself failed; `detail` says how.",
    ]
    assert [h.count for h in summarised(died)] == [3]
    for what in IncidentKind:
        if sentences([Incident(what, "x", ["g"])]):
            assert str(Incident(what, "x", ["g"])) in sentences([Incident(what, "x", ["g"])])[0]


class Eventful(InlineExecutor):
    """Plays in this process; tells of a death after the second game, and fails after a fourth."""

    def __init__(self, fails: bool = False) -> None:
        super().__init__()
        object.__setattr__(self, "fails", fails)

    def map(
        self, tournament: Tournament, pairings: Iterator[Pairing]
    ) -> Generator[Record | Incident]:
        for number, pairing in enumerate(pairings, 1):
            yield tournament.referee.play(tournament, pairing, InFlightLog())
            if number == 2:
                yield Incident(IncidentKind.DIED, "by SIGKILL", [pairing.id])
            if number == 4 and self.fails:  # type: ignore[attr-defined]
                raise TournamentError("the cluster is gone; bring it back")


def everywhere(folder: Path, sentence: str, count: int = 1) -> bool:
    """Tell whether all reports tell it so often."""
    names = ("report.md", "report.json", "report.html")
    shown = [(folder / name).read_text() for name in names]
    shown.append(CliRunner().invoke(main, ["standings", str(folder)]).stdout)
    return [text.count(sentence) for text in shown] == [count] * 4


class Heard(Observer):
    def __init__(self) -> None:
        self.sentences: list[str] = []

    def say(self, sentence: str) -> None:
        self.sentences.append(sentence)


def played(folder: Path) -> int:
    ids = [json.loads(line)["id"] for line in (folder / "records.jsonl").read_text().splitlines()]
    assert len(set(ids)) == len(ids)
    return len(ids)


def test_what_befell_is_told_everywhere_and_outlives_the_run(tmp_path: Path) -> None:
    heard = Heard()
    run(parse(TABLE), tmp_path, Eventful(), observer=heard)
    sentence = "1 worker died (by SIGKILL), and 1 game was begun again"
    assert sentence in heard.sentences
    assert everywhere(tmp_path, sentence)
    again = run(parse({**TABLE, "games": 5}), tmp_path, InlineExecutor()).report
    assert everywhere(tmp_path, sentence)
    assert again.played == played(tmp_path) == 10
    whats = [incident.what for incident in event_log.read(tmp_path)]
    assert whats == [
        IncidentKind.BEGAN,
        IncidentKind.DIED,
        IncidentKind.ENDED,
        IncidentKind.BEGAN,
        IncidentKind.ENDED,
    ]
    run(parse({**TABLE, "games": 5}), tmp_path, InlineExecutor())
    assert len(event_log.read(tmp_path)) == 5  # there was nothing to play


def test_a_run_that_fails_reports_what_is_on_record(tmp_path: Path) -> None:
    with pytest.raises(TournamentError, match="the cluster is gone"):
        run(parse(TABLE), tmp_path, Eventful(fails=True))
    sentence = "1 run ended with an error (the cluster is gone; bring it back)."
    assert everywhere(tmp_path, sentence)
    assert json.loads((tmp_path / "report.json").read_text())["played"] == 4
    assert run(parse(TABLE), tmp_path, InlineExecutor()).report.played == 8
    assert everywhere(tmp_path, sentence)


def test_a_new_beginning_has_a_new_diary(tmp_path: Path) -> None:
    run(parse(TABLE), tmp_path, Eventful())
    report: Report = run(parse(TABLE), tmp_path, InlineExecutor(), restart=True).report
    assert report.incidents == ()
    assert (tmp_path / "records.1.jsonl").exists()
    old = (tmp_path / "diary.1.jsonl").read_text()
    assert "SIGKILL" in old
    run(parse(TABLE), tmp_path, InlineExecutor(), restart=True)
    assert (tmp_path / "diary.1.jsonl").read_text() == old
    assert (tmp_path / "diary.2.jsonl").exists()


def test_another_version_of_dragon_is_told(tmp_path: Path) -> None:
    run(parse(TABLE), tmp_path, InlineExecutor())
    about = json.loads((tmp_path / "tournament.json").read_text())
    (tmp_path / "tournament.json").write_text(json.dumps({**about, "version": "0.0.7"}))
    run(parse({**TABLE, "games": 5}), tmp_path, InlineExecutor())
    versions = f"dragon 0.0.7, then dragon {about['version']}"
    sentence = f"Not all games were played by the same code: {versions}."
    assert everywhere(tmp_path, sentence)
    run(parse({**TABLE, "games": 6}), tmp_path, InlineExecutor())
    assert everywhere(tmp_path, sentence)


@pytest.mark.samples(1)
@pytest.mark.parametrize(
    ("detail", "broken"),
    [
        ("9 plies without an end", False),
        ("a: 9 plies without an end\nb: 9 plies without an end", False),
        ("a: 9 plies without an end\nb: Traceback (most recent call last):\n  x", True),
        ("Traceback (most recent call last):\n  ZeroDivisionError", True),
        ("", False),
    ],
)
def test_games_that_failed_by_themselves_are_counted(
    tmp_path: Path, detail: str, broken: bool
) -> None:
    run(parse(TABLE), tmp_path, InlineExecutor())
    path = tmp_path / "records.jsonl"
    first, *others = path.read_text().splitlines()
    table = {**json.loads(first), "reason": str(Reason.ADJUDICATED), "detail": detail}
    path.write_text("\n".join([json.dumps(table), *others]) + "\n")
    report = run(parse(TABLE), tmp_path, InlineExecutor()).report
    assert Record.from_line(json.dumps(table)).broken == broken
    assert [h.what for h in report.incidents] == ([IncidentKind.BROKEN] if broken else [])
    assert everywhere(tmp_path, "1 game was adjudicated since the game itself failed", int(broken))
