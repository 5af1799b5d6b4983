"""The commands `dragon small-world`, one file for each few that belong together."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

HOMES = {
    "bridges": "rank",
    "explain": "look",
    "graph": "draw",
    "matrix": "draw",
    "pairs": "together",
    "paths": "look",
    "reach": "look",
    "sets": "together",
    "update": "fetch",
    "weak": "look",
}
"""Where each command is; its file is imported when it is asked for."""


class _Group(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(HOMES)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in HOMES:
            return None
        found: Any = getattr(import_module(f"dragon_small_world.cli.{HOMES[name]}"), name)
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as unknown:
            close = get_close_matches(args[0], HOMES, n=1)
            if not close or "did you mean" in unknown.message.lower():
                raise
            message = f"{unknown.message.rstrip('.')}; did you mean {close[0]!r}?"
            raise click.UsageError(message, ctx) from None


@click.group(name="small-world", cls=_Group)
def small_world() -> None:
    """Say which monsters bridge the others of a deck, for the card Small World.

    DECK is a .ydk file, a list of names, a ydke:// link, - for stdin, or the sample mathmech.
    The cards are those of --cards, else those that `update` has downloaded, else a starter
    pool of a few hundred monsters.

    \b
    Examples:
      dragon small-world bridges deck.ydk --top 10
      dragon small-world pairs mathmech
      dragon small-world explain "Mathmech Sigma" "Effect Veiler"
      dragon small-world update
    """
