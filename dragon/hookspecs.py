"""The nine hooks of dragon: each a noun, each returning an iterable of values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    import click

    from dragon.core import Game, Search
    from dragon.page import Page
    from dragon.protocols import Checker, ExecutorFactory, Form, Referee

hookspec = pluggy.HookspecMarker("dragon")
hookimpl = pluggy.HookimplMarker("dragon")
"""Marker to be imported and used in plugins."""


@hookspec
def dragon_games() -> Iterable[type[Game[Any]]]:  # type: ignore[empty-body]
    """Game classes: `return [TicTacToe]`. Their `name` is what users type."""


@hookspec
def dragon_searches() -> Iterable[type[Search]]:  # type: ignore[empty-body]
    """Search classes: `return [AlphaBeta]`. Their `name` is what users type."""


@hookspec
def dragon_referees() -> Iterable[Referee]:  # type: ignore[empty-body]
    """Referees: `return [Match()]`. A tournament asks each in turn whether it suits the game."""


@hookspec
def dragon_formats() -> Iterable[type[Any]]:  # type: ignore[empty-body]
    """Classes of tournament formats: `return [Swiss]`. Their `name` is what files say.

    Derive one from `Format` or `StagedFormat` of `dragon_tournament.formats`.
    """


@hookspec
def dragon_executors() -> Iterable[ExecutorFactory]:  # type: ignore[empty-body]
    """Executor factories, by name: `return [ProcessExecutor]`. They run a tournament's games.

    A `concurrent.futures.Executor` with a name will do, too.
    """


@hookspec
def dragon_commands() -> Iterable[click.Command]:  # type: ignore[empty-body]
    """Commands for the `dragon` command line: `return [tournament]`.

    `dragon.cli_tools` has what they are made of, `dragon.jsonable` the JSON of results.
    `dragon --help` lists each with its first example, under Domains or under the heading that an
    attribute of the command names: `mine.section = "For authors"`.
    """


@hookspec
def dragon_pages() -> Iterable[Page]:  # type: ignore[empty-body]
    """Pages of `dragon serve`: `return [Page("ulti", "Ulti", folder="dragon_ulti:web", ...)]`.

    Import `dragon.page` inside the function; nothing of it is needed before.
    """


@hookspec
def dragon_transcripts() -> Iterable[Form]:  # type: ignore[empty-body]
    """Forms of whole games as text: `return [HexWorld()]`. Commands and pages read and write them.

    Import `dragon.transcripts` inside the function; nothing of it is needed before.
    """


@hookspec
def dragon_checkers() -> Iterable[Checker]:  # type: ignore[empty-body]
    """Checkers for `dragon check`, which checks proofs without one: `return [ResultsChecker()]`."""
