"""dragon_tournament: players meet, games are recorded, standings and ratings follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dragon import hookimpl

if TYPE_CHECKING:
    import click


@hookimpl
def dragon_referees() -> list[Any]:
    """The referees: match, race and estimate."""
    from dragon_tournament.referee import Match
    from dragon_tournament.solo import Estimate, Race

    return [Match(), Race(), Estimate()]


@hookimpl
def dragon_executors() -> list[Any]:
    """The executors: worker processes, and this process."""
    from dragon_tournament.executor import InlineExecutor, ProcessExecutor

    return [ProcessExecutor, InlineExecutor]


@hookimpl
def dragon_commands() -> list[click.Command]:
    """`dragon tournament`."""
    from dragon_tournament.cli import tournament

    return [tournament]
