"""`dragon completion`, and the names of games and searches that a shell then completes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import click
from click.shell_completion import CompletionItem, get_completion_class

from dragon import index
from dragon.errors import PluginError
from dragon.plugins import games, searches


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a script by which SHELL completes what is typed after dragon.

    Commands and their options are completed, and the names of games and searches. Put the first
    line below into ~/.bashrc or the second into ~/.zshrc, or run the third once.

    \b
    Examples:
      eval "$(dragon completion bash)"
      eval "$(dragon completion zsh)"
      dragon completion fish > ~/.config/fish/completions/dragon.fish
    """
    made = get_completion_class(shell)
    assert made is not None  # click knows all three
    main = click.get_current_context().find_root().command
    script = made(main, {}, "dragon", "_DRAGON_COMPLETE")
    click.echo(script.source_template % script.source_vars())


class Named(click.types.StringParamType):
    """A parameter type: a game or a search, whose name a shell completes."""

    def __init__(self, hook: str, found: Callable[[], Iterable[str]]) -> None:
        """hook: the hook of the names; found: returns all names where there is no index."""
        self.hook, self.found = hook, found

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin so, from the index, which loads no plugin."""
        try:
            kept = index.read()
            names = self.found() if kept is None else names_of(kept, self.hook)
        except PluginError:  # a command that is run says what is wrong; a shell shows nothing
            return []
        return [CompletionItem(name) for name in sorted(names) if name.startswith(incomplete)]


def names_of(kept: Mapping[str, index.Entry], hook: str) -> set[str]:
    """Return the names that all plugins of the index offer by a hook."""
    return {name for entry in kept.values() for name in entry.offers[hook]}


def complete_names(command: click.Command) -> None:
    """Make the GAME and SPEC of a command, and of its subcommands, complete names."""
    kinds = {
        "GAME": Named("dragon_games", games),
        "SPEC": Named("dragon_searches", searches),
    }
    for parameter in command.params:
        if (metavar := (parameter.metavar or "").strip("[].")) in kinds:
            parameter.type = kinds[metavar]
    for inner in getattr(command, "commands", {}).values():
        complete_names(inner)
