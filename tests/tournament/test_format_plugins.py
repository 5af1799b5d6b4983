"""Formats of plugins: whole tournaments, and a sentence for each way to leave one unfinished."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import field
from attrs.validators import ge
from click.testing import CliRunner

from dragon import ConfigError, TournamentError, frozen, hookimpl, plugins
from dragon.cli import main
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.formats import Bout, Format, StagedFormat, totals
from dragon_tournament.formats.format import ROUNDS, History, Meetings
from dragon_tournament.formats.registry import installed
from dragon_tournament.report.forms import to_pgn
from dragon_tournament.report.reader import open_results
from dragon_tournament.runner import Outcome, run


@frozen
class Hill(StagedFormat):
    """The winner stays on the hill and meets the next player of the file."""

    name = "hill"
    title = "king of the hill"
    note = "Places by points; the king is the winner of the last encounter."
    laps: int = field(default=1, validator=ge(1))
    """The number of laps, in each of which every other player challenges."""

    def meetings(self, names: Sequence[str], history: History) -> Meetings:
        """The king and the next challenger."""
        king, stages = names[0], iter(history)
        for _ in range(self.laps):
            for challenger in [name for name in names if name != king]:
                stage = next(stages, None)
                if stage is None:
                    return [(king, challenger)]
                ((mine, other),) = [bout.points for bout in stage]
                king = challenger if other > mine else king
        return []


@frozen
class Neighbours(Format):
    """Each meets the next of the file, in this order of seats alone."""

    name = "neighbours"

    def seatings(self, names: Sequence[str], seats: int | None) -> Iterator[tuple[str, ...]]:
        """The players two by two."""
        return pairwise(names)


@pytest.fixture
def offer() -> Iterator[Callable[..., None]]:
    """Install formats as a plugin does, until the end of the test."""
    made: list[SimpleNamespace] = []

    def install(*classes: object) -> None:
        made.append(SimpleNamespace(dragon_formats=hookimpl(lambda: list(classes))))
        plugins.manager().register(made[-1], name=f"formats {len(made)}")

    yield install
    for each in made:
        if plugins.manager().is_registered(each):
            plugins.manager().unregister(each)


def tournament(style: str, players: int = 4, **more: Any) -> Any:
    """A tournament of players called a, b, c, ... that move at random."""
    table = [{"search": "random", "name": name} for name in "abcdefgh"[:players]]
    return parse({"game": "nim(pile=6)", "format": style, "player": table, "name": "t", **more})


def played(settings: Any, folder: Path) -> Outcome:
    """The outcome of a run."""
    return run(settings, folder, InlineExecutor())


def test_a_staged_format_is_played_and_reported(offer: Callable[..., None], tmp_path: Path) -> None:
    offer(Hill)
    outcome = played(tournament("hill", games=2), tmp_path)
    assert (outcome.missing, outcome.report.played, outcome.report.planned) == (0, 12, 12)
    found = outcome.report.staged
    assert found is not None
    assert [len(stage) for stage in found.rounds] == [1, 1, 1]
    assert {bout.players[1] for stage in found.rounds for bout in stage} == {"b", "c", "d"}
    assert found.titles() == ["1", "2", "3"]
    points = totals(found.rounds)
    assert [p.points for p in found.places] == sorted((points[n] for n in "abcd"), reverse=True)
    assert json.loads((tmp_path / "tournament.json").read_text())["laps"] == 1
    text = CliRunner().invoke(main, ["standings", str(tmp_path)]).stdout
    assert f"{found.winner} wins the king of the hill." in text
    assert Hill.note in (tmp_path / "report.html").read_text()
    reader = open_results(tmp_path)
    reader.read()
    texts = "".join(to_pgn(record, reader.about, shorten=print) for record in reader.records)
    for stage, game in product((1, 2, 3), (1, 2)):
        assert texts.count(f'[Round "{stage}.{game}"]') == 2  # from both seats


def test_a_run_that_was_cut_short_anywhere_goes_on(
    offer: Callable[..., None], tmp_path: Path
) -> None:
    offer(Hill)
    settings = tournament("hill")
    played(settings, tmp_path / "whole")
    lines = (tmp_path / "whole" / "records.jsonl").read_text().splitlines(keepends=True)
    assert len(lines) == 6
    for cut in range(len(lines)):
        folder = tmp_path / str(cut)
        folder.mkdir()
        (folder / "records.jsonl").write_text("".join(lines[:cut]))
        assert played(settings, folder).missing == 0
        again = (folder / "records.jsonl").read_text().splitlines()
        assert {json.loads(x)["id"] for x in again} == {json.loads(x)["id"] for x in lines}


def test_results_of_a_format_that_is_not_here_are_shown_without_its_rounds(
    offer: Callable[..., None], tmp_path: Path
) -> None:
    offer(Hill)
    played(tournament("hill"), tmp_path)
    settings = json.loads((tmp_path / "tournament.json").read_text())
    (tmp_path / "tournament.json").write_text(json.dumps({**settings, "format": "mountain"}))
    shown = CliRunner().invoke(main, ["standings", str(tmp_path)])
    assert shown.exit_code == 0
    assert "wins the" not in shown.stdout


def test_a_format_known_beforehand_is_played(offer: Callable[..., None], tmp_path: Path) -> None:
    offer(Neighbours)
    outcome = played(tournament("neighbours", games=3), tmp_path)
    assert (outcome.missing, outcome.report.played, outcome.report.staged) == (0, 9, None)
    assert {row.seats for row in outcome.report.rows} == {("a", "b"), ("b", "c"), ("c", "d")}


def test_its_keys_are_read_as_any_other(offer: Callable[..., None]) -> None:
    offer(Hill)
    assert tournament("hill", laps=2).format == Hill(laps=2)
    for more, sentence in (
        ({"format": "hill", "laps": 0}, r"laps .* @ laps"),
        ({"format": "hill", "lap": 2}, "did you mean 'laps'"),
        ({"format": "hill", "rounds": 2}, 'rounds is for format = "swiss"; leave it out; games is'),
        ({"format": "swiss", "laps": 2}, 'laps is for format = "hill"; leave it out @ laps'),
        ({"format": "hil"}, "did you mean 'hill'"),
        ({"format": 3}, "@ format"),
    ):
        with pytest.raises(ConfigError, match=sentence) as caught:
            tournament("", **more)
        assert len(caught.value.problems) == 1


def test_its_objections_are_those_of_every_staged_format(offer: Callable[..., None]) -> None:
    offer(Hill)
    with pytest.raises(ConfigError, match="a hill needs two players at least @ player"):
        tournament("hill", 1, pairing=None)
    with pytest.raises(ConfigError, match=r"the test and format = 'hill' exclude each other"):
        tournament("hill", 2, sprt={"elo0": 0, "elo1": 5})


# ---- formats that are not finished ---------------------------------------------------------------


class Rounds(StagedFormat):
    """A format whose rounds a test gives."""

    name = "mine"

    def meetings(self, names: Sequence[str], history: History) -> Any:
        """Two rounds of one encounter."""
        return [("a", "b")] if len(history) < 2 else []


class Endless(Rounds):
    """A format that never looks at the history."""

    def meetings(self, names: Sequence[str], history: History) -> Any:
        """Return the same meeting for ever."""
        return [("a", "b")]


class Stranger(Rounds):
    """It makes a name up."""

    def meetings(self, names: Sequence[str], history: History) -> Any:
        """A name that is not a player's."""
        return [("a", "bb")]


class Twice(Rounds):
    """It has a player meet two at once."""

    def meetings(self, names: Sequence[str], history: History) -> Any:
        """A name in two encounters."""
        return [("a", "b"), ("a", "c")]


class Forgets(Rounds):
    """It has no return."""

    def meetings(self, names: Sequence[str], history: History) -> Any:
        """Nothing."""


class Three(Rounds):
    """It has three meet."""

    def meetings(self, names: Sequence[str], history: History) -> Any:
        """A group."""
        return [("a", "b", "c")]


class Idle(Rounds):
    """All sit out."""

    def meetings(self, names: Sequence[str], history: History) -> Any:
        """Byes alone."""
        return [("a",), ("b",)]


class Raises(Rounds):
    """It fails after a round."""

    def meetings(self, names: Sequence[str], history: History) -> Any:
        """A mistake that shows in the second round."""
        return [("a", "b")] if not history else [history[0][0].winner]  # type: ignore[attr-defined]


class Misplaces(Rounds):
    """It leaves a player out of the places."""

    def placing(self, names: Sequence[str], history: History) -> Any:
        """All but the last."""
        return [names[:-1]]


class Untitled(Rounds):
    """It gives too few titles."""

    def titles(self, rounds: History) -> Any:
        """One title."""
        return ["all"]


class Seats(Format):
    """A format whose seatings a test gives."""

    name = "mine"

    def seatings(self, names: Sequence[str], seats: int | None) -> Any:
        """Too many players."""
        return [("a", "b", "c")]


class Nothing(Seats):
    """It has no return."""

    def seatings(self, names: Sequence[str], seats: int | None) -> Any:
        """Nothing."""


@frozen
class Listed(Rounds):
    """A format with a setting that can change."""

    order: list[str] = field(factory=list)
    """A list."""


@frozen
class Takes(Rounds):
    """A format with a key that tournaments have."""

    seed: int = 0
    """A second seed."""


class Objects(Rounds):
    """Its objections fail."""

    def objections(self, names: Sequence[str], game: str, seats: int | None) -> Any:
        """A mistake."""
        yield "format", names[99]


@pytest.mark.parametrize(
    ("cls", "sentence"),
    [
        (Endless, f"'mine' goes on after {ROUNDS:,} rounds; `meetings` returns"),
        (Stranger, "for round 1, with no player called 'bb'"),
        (Twice, "for round 1, where 'a' occurs twice; `meetings` returns pairs of names"),
        (Forgets, "gives None for round 1, which is not a list"),
        (Three, "is not one name or two"),
        (Idle, "in which all sit out"),
        (Raises, r"failed in `meetings`: AttributeError: .*test_format_plugins.py:\d+\)"),
        (Misplaces, r"gives the places \[\['a', 'b', 'c'\]\]; `placing` returns groups"),
        (Untitled, r"gives \['all'\] for 2 rounds; `titles` returns"),
        (Seats, r"the seating \('a', 'b', 'c'\), which is not a tuple of 2 players"),
        (Nothing, "gives the seatings None"),
        (Listed, "does not have a hash .* and tuples instead of lists"),
        (Takes, "'mine' has a key 'seed', which every tournament has"),
        (Objects, r"failed in `objections`: .*IndexError"),
    ],
)
def test_a_mistake_is_told_before_the_first_game(
    offer: Callable[..., None], cls: type[Format], sentence: str
) -> None:
    offer(cls)
    with pytest.raises(ConfigError, match=sentence) as caught:
        tournament("mine")
    (problem,) = caught.value.problems
    assert problem.endswith(" @ format")


def test_a_class_that_lacks_its_method_is_left_out(
    offer: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Bare(StagedFormat):
        name = "bare"

    warned: list[str] = []
    monkeypatch.setattr(plugins, "warn_skipped", warned.append)
    offer(Bare, 7)
    assert "bare" not in installed().classes
    assert [("StagedFormat that defines `meetings`" in line) for line in warned] == [True, True]
    with pytest.raises(ConfigError, match="no format called 'bare'"):
        tournament("bare")


@pytest.mark.full
def test_a_mistake_that_shows_only_in_games_ends_the_run_with_a_sentence(
    offer: Callable[..., None], tmp_path: Path
) -> None:
    """The first result of the rehearsal is not four draws each, that of the games is."""

    class Ties(Rounds):
        def meetings(self, names: Sequence[str], history: History) -> Any:
            """A round that cannot be, after one that was not rehearsed."""
            if len(history) == 1 and history[0][0].points == (4.0, 4.0):
                return [("a", "nobody")]
            return super().meetings(names, history)

    offer(Ties)
    players = [{"search": "exhaustive", "name": name} for name in "abc"]
    settings = tournament("mine", player=players, game="tictactoe", games=4)
    with pytest.raises(TournamentError, match="for round 2, with no player called 'nobody'"):
        played(settings, tmp_path)
    assert len((tmp_path / "records.jsonl").read_text().splitlines()) == 8


def test_what_it_says_of_games_to_come_cannot_stop_the_run(
    offer: Callable[..., None], tmp_path: Path
) -> None:
    class Hopes(Rounds):
        def left(self, names: Sequence[str], history: History) -> int:
            return 40

    class Fears(Rounds):
        def left(self, names: Sequence[str], history: History) -> int:
            return -1

    for number, cls in enumerate((Hopes, Fears)):
        offer(cls)
        outcome = played(tournament("mine"), tmp_path / str(number))
        assert (outcome.missing, outcome.report.played, outcome.report.planned) == (0, 4, 4)
        plugins.manager().unregister(name=f"formats {number + 1}")


def test_a_bye_counts_as_a_won_encounter(offer: Callable[..., None], tmp_path: Path) -> None:
    class Sits(Rounds):
        def meetings(self, names: Sequence[str], history: History) -> Any:
            return [] if history else [("a", "b"), ("c",)]

    offer(Sits)
    found = played(tournament("mine", 3, games=2), tmp_path).report.staged
    assert found is not None
    assert found.rounds[0][1] == Bout(("c",), (4.0,))
