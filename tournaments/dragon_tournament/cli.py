"""The command `dragon tournament`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from dragon_tournament.record import Record
    from dragon_tournament.report import Report

FAILED, INTERRUPTED = 1, 130


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--workers",
    type=click.IntRange(min=0, max=1024),
    help="Worker processes; by default one a core. 0 plays in this process, for debuggers.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The folder of records and reports; by default results/NAME.",
)
@click.option("--restart", is_flag=True, help="Begin anew; the old records are kept beside.")
@click.option("--json", "as_json", is_flag=True, help="The report as JSON on stdout.")
@click.option("--executor", default="process", show_default=True, help="Who plays the games.")
def tournament(
    file: Path, workers: int | None, out: Path | None, restart: bool, as_json: bool, executor: str
) -> None:
    """Play the tournament of a TOML FILE, or go on where it stopped.

    Every game becomes a line of records.jsonl in the folder --out. Exit code 1: a
    player crashed, overran its time or broke the rules somewhere, and lost those games.

    \b
    Examples:
      dragon tournament tournaments/nex-3x3.toml
      dragon tournament mine.toml --workers 4 --out results/mine
      dragon tournament mine.toml --json > report.json
    """
    import json

    from dragon_tournament.config import read
    from dragon_tournament.report import to_json, to_text
    from dragon_tournament.runner import executor_of, run

    settings = read(file)
    folder = out or Path("results") / settings.name
    outcome = run(settings, folder, executor_of(executor, workers), restart, _bar())
    told = to_json(outcome.report)
    click.echo(json.dumps(told, indent=1) if as_json else to_text(outcome.report))
    if outcome.report.failures:
        click.echo(_failures(outcome.report), err=True)
    if outcome.missing:
        sentence = f"{outcome.missing} games are left; the same command goes on from here"
        if restart:
            sentence += ", without --restart"
        click.echo(sentence, err=True)
        raise SystemExit(INTERRUPTED)
    click.echo(f"records and reports are in {folder}", err=True)
    if outcome.report.failures:
        raise SystemExit(FAILED)


def _failures(report: Report) -> str:
    """Who lost how many games by failures of its own."""
    told = [
        f"{player.name}: {', '.join(f'{n} by {reason}' for reason, n in player.failures.items())}"
        for player in report.players
        if player.failures
    ]
    return f"lost by a player's failure ({report.records} has the details): {'; '.join(told)}"


def _bar() -> Any:
    """A watch that shows a bar with the score so far on stderr."""
    from sys import stderr

    from dragon_tournament.report import points_text
    from dragon_tournament.runner import Watch

    class Bar(Watch):
        """One line, rewritten; every ten seconds where nobody watches."""

        bar: Any = None

        def say(self, sentence: str) -> None:
            click.echo(sentence, err=True)

        def begin(self, games: int, records: Sequence[Record]) -> None:
            from tqdm import tqdm  # type: ignore[import-untyped]

            self.points: dict[str, float] = {}
            self.playing = False
            self.bar = tqdm(
                total=games,
                initial=len(records),
                unit="game",
                file=stderr,
                mininterval=0.2 if stderr is not None and stderr.isatty() else 10,
                dynamic_ncols=True,
            )
            for record in records:
                self._count(record)
            self._show(refresh=True)

        def record(self, record: Record) -> None:
            if not self.playing:  # the time until the first game went into compiling
                self.bar.unpause()
                self.playing = True
            self._count(record)
            self._show(refresh=False)
            self.bar.update()

        def _count(self, record: Record) -> None:
            for name, points in zip(record.seats, record.points, strict=True):
                self.points[name] = self.points.get(name, 0.0) + points

        def _show(self, refresh: bool) -> None:
            best = sorted(self.points.items(), key=lambda item: -item[1])
            score = ", ".join(f"{name} {points_text(points)}" for name, points in best[:4])
            self.bar.set_postfix_str(score + (", ..." if len(best) > 4 else ""), refresh=refresh)

        def end(self) -> None:
            if self.bar is not None:
                self.bar.close()

    return Bar()
