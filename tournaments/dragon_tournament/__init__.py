"""dragon_tournament: players meet, games are recorded, standings and ratings follow.

A file becomes a Tournament, its games are played, and reports are made of the records::

    cli, results           the commands that play, and those on results
    config, tournament     the reading of a file, and the values that it makes; formats: who meets
    schedule, pairing      all games in their order, and one of them with its seeds
    runner, plan           a run by way of a folder, and the games that are left
    interrupts, sources    Ctrl-C; hashes of the code that plays
    executors, referees    processes that play; a match, a race or an estimate in one
    clock, adjudication    a player's time; ends before the rules end a game
    records, statistics    the files of a run; ratings, tests, intervals; regret: losses by move
    report, formatting     tables and pages of the records, and their figures as text
    checking               every game replayed by the rules; tuning: `dragon tune`
    page, service          the page of `dragon serve`, and its answers
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragon import hookimpl

if TYPE_CHECKING:
    import click

    from dragon.page import Page
    from dragon.protocols import Checker, ExecutorFactory, Referee
    from dragon_tournament.formats import Format


@hookimpl
def dragon_referees() -> list[Referee]:
    """The referees: match, race and estimate."""
    from dragon_tournament.referees.match import Match
    from dragon_tournament.referees.race import Race
    from dragon_tournament.referees.solo import Estimate

    return [Match(), Race(), Estimate()]


@hookimpl
def dragon_formats() -> list[type[Format]]:
    """The formats of dragon itself."""
    from dragon_tournament.formats.registry import OWN

    return list(OWN)


@hookimpl
def dragon_executors() -> list[ExecutorFactory]:
    """The executors: worker processes, this process, and a Dask cluster."""
    from dragon_tournament.executors.dask import DaskExecutor
    from dragon_tournament.executors.local import InlineExecutor, ProcessExecutor

    return [ProcessExecutor, InlineExecutor, DaskExecutor]


@hookimpl
def dragon_commands() -> list[click.Command]:
    """`dragon tournament`, `dragon tune`, and what looks at their records."""
    from dragon_tournament.cli import tournament, tune
    from dragon_tournament.results import export, merge, report, show, standings

    commands = [tournament, tune, standings, show, report, export, merge]
    for command in commands:
        command.section = "Tournaments"  # type: ignore[attr-defined]  # in `dragon --help`
    return commands


@hookimpl
def dragon_checkers() -> list[Checker]:
    """The checker of records, for `dragon check`."""
    from dragon_tournament.checking import ResultsChecker

    return [ResultsChecker()]


@hookimpl
def dragon_pages() -> list[Page]:
    """The page of `dragon serve`."""
    from dragon_tournament.page import TOURNAMENTS

    return [TOURNAMENTS]
