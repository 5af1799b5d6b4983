"""The commands that play: `dragon tournament` and `dragon tune`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dragon.cli_tools import as_json as json_option
from dragon.cli_tools import refuse_stdout, with_checks
from dragon.errors import FAILED, INTERRUPTED

if TYPE_CHECKING:
    from dragon_tournament.report.summary import Report

    F = TypeVar("F", bound=Callable[..., Any])


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
        click.option("--restart", is_flag=True, help="Begin again; old records are kept beside."),
        with_checks,
        json_option,
        click.option(
            "--executor",
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
            help="How long a scheduler that died is waited for; 15 by default.",
        ),
    )):  # fmt: skip
        command = option(command)
    return command


class Shard(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A parameter type: a part of so many, `2/5`."""

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
    file: Path,
    workers: int | None,
    out: Path | None,
    restart: bool,
    as_json: bool,
    executor: str,
    scheduler: str | None,
    wait: float | None,
    shard: tuple[int, int] | None,
) -> None:
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
    from dragon_tournament.progress import ProgressBar
    from dragon_tournament.report.schema import to_json
    from dragon_tournament.report.text import to_text
    from dragon_tournament.runner import run

    refuse_stdout(out)
    settings = read(file)
    folder = out or Path("results") / settings.name
    if shard is not None:
        settings = settings.sharded(shard)
        folder = out or folder.with_name(f"{folder.name}-{shard[0]}-of-{shard[1]}")
    outcome = run(
        settings, folder, executor_of(executor, workers, scheduler, wait), restart, ProgressBar()
    )
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
def tune(
    file: Path,
    workers: int | None,
    out: Path | None,
    restart: bool,
    as_json: bool,
    executor: str,
    scheduler: str | None,
    wait: float | None,
) -> None:
    """Find better settings for a player by games, as a TOML FILE says.

    Where it was stopped it goes on.

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
    from dragon_tournament.progress import ProgressBar
    from dragon_tournament.tuning.outcome import to_json, to_text
    from dragon_tournament.tuning.reading import read, run

    refuse_stdout(out)
    tuning = read(file)
    folder = out or Path("results") / tuning.name
    outcome = run(
        tuning,
        folder,
        lambda: executor_of(executor, workers, scheduler, wait),
        restart,
        ProgressBar,
    )
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
