"""The options that Nex's commands share: sizes of boards, the search for them, progress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dragon.cli_tools import Seconds, chosen_search
from dragon.errors import ConfigError

if TYPE_CHECKING:
    from dragon import Search
    from dragon_nex.game import Nex


class Size(click.ParamType):  # type: ignore[type-arg]
    """A board: `3x4`."""

    name = "ROWSxCOLS"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Rows and columns."""
        from dragon_nex.records import read_size

        if isinstance(value, tuple):
            return value
        try:
            return read_size(str(value), "the size")
        except ConfigError as wrong:
            self.fail(str(wrong), param, ctx)


SIZE = Size()
with_search = click.option(
    "--search", "spec", metavar="SPEC", help="The search; a table if there is one, else alphabeta."
)
with_seconds = click.option(
    "--seconds", type=Seconds(), metavar="S", help="Stop each position's search after S seconds."
)
with_size = click.option("--size", type=SIZE, help="The board.")


def solver(game: Nex, spec: str | None) -> Search:
    """The search that is named, or a table, or the solver for larger boards."""
    from dragon_nex.nextable import NexTable
    from dragon_nex.table.files import MOST_CELLS
    from dragon_nex.table.lookup import lacking

    if spec is None and NexTable().objection(game) is None:
        return NexTable()
    if spec is None and game.rows * game.cols <= MOST_CELLS:
        click.echo(f"note: {lacking(game.rows, game.cols)}; searching without", err=True)
    return chosen_search(spec or "alphabeta", game)
