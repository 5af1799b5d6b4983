"""`dragon searches`: what can search, with which settings, and why not where it cannot."""

from __future__ import annotations

from typing import Any

import click

from dragon.commands.options import as_json, plain, print_json
from dragon.commands.settings import literal, settings, summary
from dragon.config import game, search
from dragon.core import Game
from dragon.plugins import searches as installed


@click.command()
@click.option("--game", "spec", metavar="GAME", help="Say which of them can play GAME.")
@as_json
def searches(spec: str | None, as_json: bool) -> None:
    """List the installed searches and their settings.

    \b
    Examples:
      dragon searches
      dragon searches --game "nex(rows=3, cols=3)"
      dragon searches --json
    """
    of = game(spec) if spec is not None else None
    if as_json:
        print_json(rows(of))
        return
    width = max(map(len, installed()), default=0)
    for name, cls in installed().items():
        if of is not None:
            click.echo(f"{name:<{width}} {_objection(name, of) or 'can play ' + str(of)}")
            continue
        click.echo(f"{name}: {summary(cls)}")
        click.echo(f"    limits: {', '.join(sorted(cls.limits)) or 'none; it ends at once'}.")
        for s in settings(cls):
            default = "required" if s.required else f"default {literal(s.default)}"
            click.echo(f"    {s.name}: {s.type}, {default}. {s.description}".rstrip(". ") + ".")


def rows(of: Game[Any] | None) -> list[dict[str, Any]]:
    """The installed searches as JSON objects, and whether they object to a game."""
    return [_row(name, cls, of) for name, cls in installed().items()]


def _objection(name: str, of: Game[Any]) -> str | None:
    return search(name).objection(of)


def _row(name: str, cls: type[Any], of: Game[Any] | None) -> dict[str, Any]:
    row = {
        "name": name,
        "summary": summary(cls),
        "needs": sorted(map(str, cls.needs)),
        "excludes": sorted(map(str, cls.excludes)),
        "proves": cls.proves,
        "limits": sorted(cls.limits),
        "settings": [
            {
                "name": s.name,
                "type": s.type,
                "default": plain(s.default),
                "required": s.required,
                "description": s.description,
            }
            for s in settings(cls)
        ],
    }
    if of is not None:
        row["objection"] = _objection(name, of)
    return row
