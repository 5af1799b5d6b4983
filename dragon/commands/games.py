"""`dragon games`: what can be played."""

from __future__ import annotations

from typing import Any

import click

from dragon.commands.options import as_json, plain, print_json
from dragon.commands.settings import literal, settings, summary
from dragon.plugins import games as installed


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
        print_json(rows())
        return
    for name, cls in installed().items():
        listed = ", ".join(map(str, settings(cls)))
        click.echo(f"{name}({listed})" if listed else name)
        click.echo(f"  {summary(cls)}")
        for s in settings(cls):
            default = "required" if s.required else f"default {literal(s.default)}"
            about = f"  {s.description}" if s.description else ""
            click.echo(f"    {s.name}: {s.type}, {default}{about}")


def rows() -> list[dict[str, Any]]:
    """The installed games as JSON objects."""
    return [_row(cls) for cls in installed().values()]


def _row(cls: type[Any]) -> dict[str, Any]:
    parameters = settings(cls)
    usual = None if any(s.required for s in parameters) else cls()
    teams = (cls if usual is None else usual).teams
    teams = teams if isinstance(teams, tuple) else None  # they depend on what must be given
    return {
        "name": cls.name,
        "summary": summary(cls),
        "seats": None if teams is None else len(teams),
        "teams": teams,
        "traits": None if usual is None else sorted(map(str, usual.traits)),
        "parameters": [
            {
                "name": s.name,
                "type": s.type,
                "default": plain(s.default),
                "required": s.required,
                "description": s.description,
            }
            for s in parameters
        ],
    }
