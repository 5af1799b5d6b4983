"""`dragon new`: a new distribution, with a game that works before a line is changed.

The files that are written are in `dragon/templates`, as code that runs: `common` is for all,
`laws` and `game` are for games, and each kind has a folder. A file that two of them have is joined.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from shutil import rmtree
from typing import cast

import click

from dragon.errors import ConfigError
from dragon.files import write
from dragon.plugins import GROUP, entry_points, games, searches

KINDS = {
    **{kind: ("common", "laws", "game", kind) for kind in ("grid", "cards", "puzzle", "state")},
    "domain": ("common", "laws", "domain"),
}
"""The kinds of game, and the folders of templates from which each is written."""
NAME = re.compile(r"[a-z](?:[a-z0-9_]{0,28}[a-z0-9])?")
"""The names that games and searches can have here: each becomes a module and part of a class."""


@click.command()
@click.argument("name")
@click.option("--kind", type=click.Choice([*KINDS]), default="grid", show_default=True,
              help="A grid of stones, hidden cards, a cover, a plain State, a domain.")  # fmt: skip
def new(name: str, kind: str) -> None:
    """Write a game of your own, called NAME, into a new folder of that name.

    It is a whole distribution: rules in one short file, the hook that dragon calls, tests with the
    laws, a tournament, a README. It works at once, so change it step by step. grid: compiled
    rules for stones on a board. cards: each seat sees its own hand alone. puzzle: an exact
    cover. state: any game, in plain Python. domain: a game, with a command, a page and a kernel.

    \b
    Examples:
      dragon new brook
      dragon new brook --kind domain
    """
    _check(name)
    _refuse_taken("game", name, games())
    if kind == "domain":
        _check_command_and_page(name.replace("_", "-"))
    _write(name, KINDS[kind])
    _tell(name, f"dragon laws {name}")


@click.command("new-search")
@click.argument("name")
def new_search(name: str) -> None:
    """Write a search of your own, called NAME, into a new folder of that name.

    It is a whole distribution: a search of a few lines in plain Python, the hook that dragon calls,
    tests with the laws, a tournament, a README.

    \b
    Examples:
      dragon new-search lucky
    """
    _check(name)
    _refuse_taken("search", name, searches())
    _write(name, ("common", "search"))
    _tell(name, f"dragon laws tictactoe --search {name}")


def _check(name: str) -> None:
    """Raise ConfigError for a name that cannot be, is taken, or is that of an existing folder."""
    if not NAME.fullmatch(name):
        raise ConfigError(
            f"{name!r:.80} cannot be a name here; write 1 to 30 small letters, digits and _, the "
            "first a letter and the last no _, such as 'brook'"
        )
    plugins = {"search", *(entry.name for entry in entry_points(GROUP))}  # and dragon-search
    _refuse_taken("plugin", name, plugins | {name} if find_spec(f"dragon_{name}") else plugins)
    if Path(name).exists():
        raise ConfigError(f"{name!r} exists here already; take another name, or move it away")


def _check_command_and_page(name: str) -> None:
    """Raise ConfigError for a name that a command or a page of `dragon serve` has already."""
    from dragon.web.site import RESERVED, pages

    context = click.get_current_context().find_root()
    commands = cast("click.Group", context.command).list_commands(context)
    _refuse_taken("command", name, commands)
    _refuse_taken("page", name, RESERVED | {page.name for page in pages()})


def _refuse_taken(kind: str, name: str, taken: Container[str]) -> None:
    if name in taken:
        raise ConfigError(f"a {kind} called {name!r} is installed already; take another name")


def _write(name: str, sources: tuple[str, ...]) -> None:
    """Write the files of some folders of templates into the new folder `name`.

    Raise ConfigError where the class of that name would hide one that the code needs.
    """
    texts: dict[str, str] = {}
    for source in sources:
        for path, text in _texts(files("dragon").joinpath("templates", source)):
            texts[path] = text + texts.get(path, "")
    cls = name.title().replace("_", "")
    words = {"myname": name, "MyName": cls, "my-name": name.replace("_", "-")}
    code = "".join(text for path, text in texts.items() if path.endswith(".py"))
    if iskeyword(cls) or re.search(rf"\b{cls}\b", code):
        raise ConfigError(f"{name!r} cannot be a name here, for the code uses {cls}; take another")
    made: dict[str, str] = {}
    for path, text in texts.items():
        for word, put in words.items():
            path, text = path.replace(word, put), text.replace(word, put)
        if path in made:
            raise ConfigError(f"{name!r} cannot be a name here, for the laws are in {path}")
        made[path] = text
    folder = Path(name)
    folder.mkdir()
    try:
        for path, text in made.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            write(folder / path, text)
    except BaseException:  # all of it, or nothing
        rmtree(folder)
        raise


def _texts(folder: Traversable, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path within a folder, and the text, of each file of a template."""
    for file in folder.iterdir():
        if file.is_file():
            yield path + file.name, file.read_text(encoding="utf-8")
        elif file.name != "__pycache__":
            yield from _texts(file, f"{path}{file.name}/")


def _tell(name: str, laws: str) -> None:
    """Describe what was written, and the next steps."""
    shown = sorted(path.name + "/" * path.is_dir() for path in Path(name).iterdir())
    click.echo(f"{name}: {', '.join(shown)}")
    install, play = "pip install -e '.[test]'", "dragon tournament tournament.toml"
    for step in (f"cd {name}", install, laws, play):
        click.echo(f"  {step}")
