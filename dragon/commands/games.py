"""`dragon games` and `dragon searches`: what is installed, with its parameters."""

from __future__ import annotations

import click

from dragon import plugins
from dragon.cli_tools import as_json, print_json
from dragon.columns import filled, table
from dragon.core.spec import literal, settings, summary
from dragon.jsonable import game_object, search_object


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
        print_json([*map(game_object, plugins.games().values())])
        return
    for name, cls in plugins.games().items():
        listed = ", ".join(map(str, settings(cls)))
        say(f"{name}({listed})" if listed else name, 4)
        say(f"  {summary(cls)}", 2)
        for s in settings(cls):
            default = "required" if s.required else f"default {literal(s.default)}"
            about = f". {s.description}" if s.description else ""
            say(f"    {s.name}: {s.type}, {default}{about}", 8)


def say(text: str, hang: int) -> None:
    """Print a paragraph; lines after the first are indented by `hang` characters more."""
    for line in filled([text], hang):
        click.echo(line)


@click.command()
@click.option(
    "--game", "spec", metavar="GAME", help="Tell for each search whether it can play GAME."
)
@as_json
def searches(spec: str | None, as_json: bool) -> None:
    """List the installed searches and their settings.

    \b
    Examples:
      dragon searches
      dragon searches --game "nex(rows=3, cols=3)"
      dragon searches --json
    """
    from dragon.config import game, search

    installed = plugins.searches()
    of = game(spec) if spec is not None else None
    if as_json:
        print_json([search_object(cls, of) for cls in installed.values()])
        return
    if of is not None:
        answers = [(name, search(name).objection(of) or f"can play {of}") for name in installed]
        click.echo("\n".join(table(("search", "answer"), answers, left=2)))
        return
    for name, cls in installed.items():
        say(f"{name}: {summary(cls)}", 4)
        say(f"    limits: {', '.join(sorted(cls.limits)) or 'none; it ends at once'}.", 8)
        for s in settings(cls):
            default = "required" if s.required else f"default {literal(s.default)}"
            say(f"    {s.name}: {s.type}, {default}. {s.description}".rstrip(". ") + ".", 8)
