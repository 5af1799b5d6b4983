"""The commands that play: `dragon tournament` and `dragon tune`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dragon.cli_tools import as_json as json_option
from dragon.cli_tools import progress_bar, refuse_stdout, with_checks
from dragon.errors import FAILED, INTERRUPTED
from dragon.process import say
from dragon_tournament.formatting import payoff_text, points_text, shortened, visible
from dragon_tournament.records.record import Record
from dragon_tournament.runner import Observer
from dragon_tournament.statistics.pairs import Played

if TYPE_CHECKING:
    from dragon_tournament.report.summary import Report

    F = TypeVar("F", bound=Callable[..., Any])


BEST = 4  # players whose score is shown
WIDTH = 24  # letters of a player's name
FORMAT = "{n_fmt}/{total_fmt} games |{bar:10}| {rate_noinv_fmt}, {remaining} left{postfix}"
TEST = "{n_fmt} games, {total_fmt} at most | {rate_noinv_fmt}{postfix}"
"""The length of a test is not known beforehand."""
OFTEN, SELDOM = 0.2, 30.0
"""Seconds between two updates on a terminal, and between two lines elsewhere."""


class ProgressBar(Observer):
    """Games, games per second, time left, the leaders and failures.

    A terminal has one line that is rewritten; a log or a file gets a line every SELDOM seconds.
    """

    def __init__(self) -> None:
        self.bar: Any = None  # none where stderr is not a terminal
        self.points: dict[str, float] = {}
        """The points of each player; in a graded game its payoffs."""
        self.played: dict[str, int] = {}
        self.failures = 0
        self.games = self.done = 0  # in all, and on record
        self.before = 0  # games on record before the first of this run
        self.began = 0.0
        """The time when the first game of this run ended, on the monotonic clock; 0 before."""
        self.shown = 0.0

    def say(self, sentence: str) -> None:
        """Print a sentence on a line of its own."""
        say(visible(sentence))

    def begin(self, games: int, records: Iterable[Played]) -> None:
        """Show the first line; games on record count as done, but not for the speed."""
        self.games, self.shown = games, time.monotonic()
        for record in records:
            self._count(record)
        if sys.stderr is None or not sys.stderr.isatty():
            return
        form = FORMAT if self.trial is None else TEST
        self.bar = progress_bar(
            total=games, initial=self.done, unit=" games", bar_format=form, mininterval=OFTEN,
            leave=True, delay=0,
        )  # fmt: skip
        self.bar.set_postfix_str(self._standing())

    def expect(self, games: int) -> None:
        """Set the number of games, which grows when a tie is replayed."""
        self.games = games
        if self.bar is not None:
            self.bar.total = games

    def record(self, record: Record) -> None:
        """Count a game; the speed leaves out the first one, during which code is compiled."""
        self._count(record)
        if not self.began:
            self.began, self.before = time.monotonic(), self.done
            if self.bar is not None:
                self.bar.unpause()
        if self.bar is not None:
            self.bar.set_postfix_str(self._standing(), refresh=False)
            self.bar.update()
        elif time.monotonic() - self.shown >= SELDOM:
            self.shown = time.monotonic()
            say(self._line())

    def _count(self, record: Played) -> None:
        self.done += 1
        made = record.scores if self.graded else record.points
        for name, points in zip(record.seats, made, strict=True):
            self.points[name] = self.points.get(name, 0.0) + points
            self.played[name] = self.played.get(name, 0) + 1
        self.failures += len(record.failed)

    def _standing(self) -> str:
        parts = [leaders(self.points, self.played, self.graded)]
        if self.trial is not None:
            verdict = self.trial.verdict
            lower, upper = verdict.sprt.bounds
            parts.insert(0, f"LLR {verdict.llr:+.2f} ({lower:.2f} to {upper:.2f})")
        if self.failures:
            parts.append(f"failures {self.failures}")
        return ", ".join(filter(None, parts))

    def _line(self) -> str:
        """The line for a log or a file."""
        played, seconds = self.done - self.before, time.monotonic() - self.began
        speed = played / seconds if self.began and seconds > 0 else 0.0
        parts = [f"{self.done:,} of {self.games:,} games"]
        if self.trial is not None:
            parts = [f"{self.done:,} games, {self.games:,} at most"]
        if speed:
            parts.append(f"{speed:,.2f} games/s")
        if speed and self.trial is None and self.done < self.games:
            parts.append(f"{(self.games - self.done) / speed:,.0f} s left")
        return ", ".join([*parts, self._standing()])

    def end(self) -> None:
        """Print the last line."""
        if self.bar is not None:
            self.bar.set_postfix_str(self._standing())
            self.bar.close()
            self.bar = None
        elif self.began:
            say(self._line())


def leaders(points: Mapping[str, float], played: Mapping[str, int], graded: bool = False) -> str:
    """The players with the most points per game, since their numbers of games may differ.

    If the game is graded, `points` are payoffs, and their mean is shown.

    >>> leaders({"a": 3.0, "b": 2.5, "c": 0}, {"a": 6, "b": 4, "c": 2})
    'b 2.5/4, a 3/6, c 0/2'
    >>> leaders({"a": -6.5, "b": 6.5}, {"a": 4, "b": 4}, graded=True)
    'b +1.625, a -1.625'
    >>> print(leaders({"a\\x1b[2J": 1.0}, {"a\\x1b[2J": 1}))
    a\\x1b[2J 1/1
    """
    best = sorted(points, key=lambda name: (-points[name] / played[name], -points[name], name))
    parts = [
        f"{visible(shortened(name, WIDTH, '...'))} "
        + (
            payoff_text(points[name] / played[name])
            if graded
            else f"{points_text(points[name])}/{played[name]}"
        )
        for name in best[:BEST]
    ]
    return ", ".join(parts) + (", ..." if len(best) > BEST else "")


def _played(command: F) -> F:
    """Add the argument FILE and the options of every command that plays games."""
    for option in reversed((
        click.argument("file", type=click.Path(path_type=Path)),
        click.option(
            "--workers",
            type=click.IntRange(min=0, max=1024),
            help="Worker processes; by default one for the cores of a player's threads. 0 plays in "
            "this process, for debuggers.",
        ),
        click.option(
            "--out",
            type=click.Path(path_type=Path),
            help="The folder of records and reports; by default results/NAME.",
        ),
        click.option(
            "--restart", is_flag=True,
            help="Start again; old records are kept under another name.",
        ),
        with_checks,
        json_option,
        click.option(
            "--executor",
            "name",
            metavar="NAME",
            default="process",
            show_default=True,
            help="The executor that plays the games.",
        ),
        click.option(
            "--scheduler", metavar="ADDRESS", help="The cluster's address, for --executor dask."
        ),
        click.option(
            "--wait",
            type=click.FloatRange(min=0, min_open=True),
            metavar="SECONDS",
            help="The time to wait for a cluster's scheduler that died (15 by default) and for its "
            "first worker (60).",
        ),
    )):  # fmt: skip
        command = option(command)
    return command


class Shard(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A parameter type: one part of several, such as `2/5`."""

    name = "K/N"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, int]:
        """Return the two numbers."""
        numbers = value.split("/")
        if len(numbers) == 2 and all(each.isdecimal() for each in numbers):
            first, step = map(int, numbers)
            if 1 <= first <= step:
                return first, step
        self.fail(f"{value!r} is not a part such as 2/5: the second of five")


@click.command()
@_played
@click.option(
    "--shard", type=Shard(), help="Play a part of the games, the K-th of N; see dragon merge."
)
def tournament(
    file: Path, out: Path | None, restart: bool, as_json: bool, shard: tuple[int, int] | None,
    **executor: Any,
) -> None:  # fmt: skip
    """Play the tournament of a TOML FILE, or go on where it stopped.

    The smallest FILE names a game and two players:

    \b
      game = "connect4"
      [[player]]
      search = "alphabeta"
      [[player]]
      search = "mcts"

    All players meet, from both seats. The file may ask for a gauntlet, a Swiss, a
    knockout or listed pairs instead, for openings, clocks and adjudication, for a test that
    ends the tournament when it knows who is the stronger, or for a race of solvers;
    docs/tournaments.md has every key, and the folder tournaments a file of each kind.

    Every game becomes a line of records.jsonl in the folder --out, and the same command goes
    on from there. Exit code 1: a player crashed, overran its time or broke the rules
    somewhere, and lost those games.

    \b
    Examples:
      dragon tournament tournaments/nex-3x3.toml
      dragon tournament tournaments/connect4-sprt.toml
      dragon tournament mine.toml --workers 4 --out results/mine
      dragon tournament mine.toml --workers 0 --restart
      dragon tournament mine.toml --json > report.json
      dragon tournament mine.toml --shard 2/5
      dragon tournament mine.toml --executor dask --scheduler tcp://192.168.0.7:8786
    """
    import json

    from dragon_tournament.config.reading import read
    from dragon_tournament.executors.executor import executor_of
    from dragon_tournament.formatting import visible
    from dragon_tournament.report.schema import to_json
    from dragon_tournament.report.text import to_text
    from dragon_tournament.runner import run

    refuse_stdout(out)
    settings = read(file)
    folder = out or Path("results") / settings.name
    if shard is not None:
        settings = settings.sharded(shard)
        folder = out or folder.with_name(f"{folder.name}-{shard[0]}-of-{shard[1]}")
    outcome = run(settings, folder, executor_of(**executor), restart, ProgressBar())
    table = to_json(outcome.report)
    text = visible(to_text(outcome.report), kept="\n")
    click.echo(json.dumps(table, indent=1) if as_json else text)
    if outcome.report.failures:
        click.echo(visible(_failures(outcome.report)), err=True)
    _end(outcome.missing, restart, folder, FAILED if outcome.aside else INTERRUPTED)
    if outcome.report.failures:
        raise SystemExit(FAILED)


def _end(missing: int, restart: bool, folder: Path, code: int = INTERRUPTED) -> None:
    """Print the folder of the results; end the command by a code if games are left."""
    if missing:
        sentence = f"{missing} games are left; the same command goes on from here"
        if restart:
            sentence += ", without --restart"
        click.echo(sentence, err=True)
        raise SystemExit(code)
    click.echo(f"records and reports are in {folder}", err=True)


@click.command()
@_played
def tune(file: Path, out: Path | None, restart: bool, as_json: bool, **executor: Any) -> None:
    """Find better settings for a player by games, as a TOML FILE says.

    An interrupted run continues.

    The smallest FILE names a game, and a player with a range among its settings:

    \b
      game = "connect4"
      limit = { simulations = 200 }
      openings = { random = 4 }
      [[player]]
      search = "mcts"
      c = { low = 0.2, high = 3.0, log = true }

    optuna (pip install 'dragon-search[tune]') chooses the values that are tried. Each trial plays
    against the same player at its defaults, or against a second [[player]]; one that looks
    bad ends early. Then the best settings meet the defaults in a test that ends when it is known
    whether they are stronger. docs/tune.md has every key.

    In the folder --out, settings.svg shows what each setting does, and tune.json has all trials;
    the same command goes on from there. Exit code 1: a player crashed, overran its time or broke
    the rules somewhere, and lost those games.

    \b
    Examples:
      dragon tune tournaments/tune-connect4.toml
      dragon tune mine.toml --workers 4 --out results/mine
      dragon tune mine.toml --restart
      dragon tune mine.toml --json > tune.json
    """
    import json

    from dragon_tournament.executors.executor import executor_of
    from dragon_tournament.formatting import visible
    from dragon_tournament.tuning.outcome import to_json, to_text
    from dragon_tournament.tuning.reading import read, run

    refuse_stdout(out)
    tuning = read(file)
    folder = out or Path("results") / tuning.name
    outcome = run(tuning, folder, lambda: executor_of(**executor), restart, ProgressBar)
    text = visible(to_text(outcome), kept="\n")
    click.echo(json.dumps(to_json(outcome), indent=1) if as_json else text)
    _end(outcome.missing, restart, folder)
    if outcome.failures:
        click.echo(f"{outcome.failures} games were lost by a player's failure", err=True)
        raise SystemExit(FAILED)


def _failures(report: Report) -> str:
    """The players that lost games by failures of their own, with counts."""
    players = [
        f"{player.name}: {', '.join(f'{n} by {reason}' for reason, n in player.failures.items())}"
        for player in report.players
        if player.failures
    ]
    return f"lost by a player's failure ({report.records} has the details): {'; '.join(players)}"
