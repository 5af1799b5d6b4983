"""`dragon completion`: what a shell needs to complete commands, options, games and searches."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


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
