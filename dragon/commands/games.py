"""`dragon games`: lists the installed games."""

from __future__ import annotations

import click

from dragon.cli_tools import as_json, print_json
from dragon.core.spec import literal
from dragon.jsonable import game_object
from dragon.plugins import games as installed
from dragon.settings import settings, summary


@click.command()
@as_json
def games(as_json: bool) -> None:
    """List the installed games and their parameters.

    A parameter shown without a value must be given.

    \b
    Examples:
      dragon games
      dragon games --json
    """
    if as_json:
        print_json([*map(game_object, installed().values())])
        return
    for name, cls in installed().items():
        listed = ", ".join(map(str, settings(cls)))
        click.echo(f"{name}({listed})" if listed else name)
        click.echo(f"  {summary(cls)}")
        for s in settings(cls):
            default = "required" if s.required else f"default {literal(s.default)}"
            about = f"  {s.description}" if s.description else ""
            click.echo(f"    {s.name}: {s.type}, {default}{about}")
