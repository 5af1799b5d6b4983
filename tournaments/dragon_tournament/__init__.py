"""dragon_tournament: players meet, games are recorded, standings and ratings follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dragon import hookimpl

if TYPE_CHECKING:
    import click

    from dragon.web.page import Page


@hookimpl
def dragon_referees() -> list[Any]:
    """The referees: match, race and estimate."""
    from dragon_tournament.referees.estimate import Estimate
    from dragon_tournament.referees.match import Match
    from dragon_tournament.referees.race import Race

    return [Match(), Race(), Estimate()]


@hookimpl
def dragon_executors() -> list[Any]:
    """The executors: worker processes, this process, and a Dask cluster."""
    from dragon_tournament.executors.dask import DaskExecutor
    from dragon_tournament.executors.inline import InlineExecutor
    from dragon_tournament.executors.process import ProcessExecutor

    return [ProcessExecutor, InlineExecutor, DaskExecutor]


@hookimpl
def dragon_commands() -> list[click.Command]:
    """`dragon tournament`, and what looks at its records."""
    from dragon_tournament.cli import tournament
    from dragon_tournament.view import export, report, show, standings

    return [tournament, standings, show, report, export]


@hookimpl
def dragon_pages() -> list[Page]:
    """The page of `dragon serve`."""
    from dragon_tournament.page import TOURNAMENTS

    return [TOURNAMENTS]
