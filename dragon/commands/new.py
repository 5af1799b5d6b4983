"""`dragon new`: a distribution of one's own, with a game that works before a line is changed.

What is written stands in `dragon/templates`, as code that runs: files in `common` for all, in
`game` for games, and in a folder for each kind. A file that two of them have is joined.
"""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from shutil import rmtree

import click

from dragon.errors import ConfigError
from dragon.files import write
from dragon.plugins import GROUP, entry_points, games, searches

KINDS = ("grid", "cards", "puzzle", "state")
NAME = re.compile(r"[a-z](?:[a-z0-9_]{0,28}[a-z0-9])?")
"""What games and searches may be called here: it becomes a module and part of a class."""


@click.command()
@click.argument("name")
@click.option("--kind", type=click.Choice(KINDS), default="grid", show_default=True,
              help="Stones on a grid, hidden cards, a cover puzzle, or a plain State.")  # fmt: skip
def new(name: str, kind: str) -> None:
    """Write a game of your own, called NAME, into a new folder of that name.

    It is a whole distribution: rules in one short file, the hook that dragon asks, tests with the
    laws, a tournament, a README. It works at once, so change it step by step. grid: compiled
    rules for stones on a board. cards: each seat sees its own hand alone. puzzle: an exact
    cover. state: any game, in plain Python.

    \b
    Examples:
      dragon new brook
      dragon new brook --kind cards
    """
    _check(name)
    if name in games():
        raise ConfigError(f"a game called {name!r} is installed already; take another name")
    _write(name, ("common", "game", kind))
    _tell(name, f"dragon laws {name}")


@click.command("new-search")
@click.argument("name")
def new_search(name: str) -> None:
    """Write a search of your own, called NAME, into a new folder of that name.

    It is a whole distribution: a search of a few lines in plain Python, the hook that dragon
    asks, tests with the laws, a tournament, a README.

    \b
    Examples:
      dragon new-search lucky
    """
    _check(name)
    if name in searches():
        raise ConfigError(f"a search called {name!r} is installed already; take another name")
    _write(name, ("common", "search"))
    _tell(name, f"dragon laws tictactoe --search {name}")


def _check(name: str) -> None:
    """Raises ConfigError for a name that cannot be, is taken, or is that of an existing folder."""
    if not NAME.fullmatch(name):
        raise ConfigError(
            f"{name!r:.80} cannot be a name here; write 1 to 30 small letters, digits and _, the "
            "first a letter and the last no _, such as 'brook'"
        )
    plugins = {"search", *(entry.name for entry in entry_points(GROUP))}  # and dragon-search
    if name in plugins or find_spec(f"dragon_{name}") is not None:
        raise ConfigError(f"a plugin called {name!r} is installed already; take another name")
    if Path(name).exists():
        raise ConfigError(f"{name!r} exists here already; take another name, or move it away")


def _write(name: str, sources: tuple[str, ...]) -> None:
    """Writes the files of some folders of templates into the new folder `name`.

    Raises ConfigError where the class of that name would hide one that the code needs.
    """
    texts: dict[str, str] = {}
    for source in sources:
        for file in files("dragon").joinpath("templates", source).iterdir():
            if file.is_file():
                texts[file.name] = file.read_text(encoding="utf-8") + texts.get(file.name, "")
    words = {"myname": name, "MyName": (cls := name.title().replace("_", ""))}
    code = "".join(text for file_name, text in texts.items() if file_name.endswith(".py"))
    if iskeyword(cls) or re.search(rf"\b{cls}\b", code):
        raise ConfigError(f"{name!r} cannot be a name here, for the code uses {cls}; take another")
    made: dict[str, str] = {}
    for file_name, text in texts.items():
        for word, put in words.items():
            file_name, text = file_name.replace(word, put), text.replace(word, put)
        if file_name in made:
            raise ConfigError(f"{name!r} cannot be a name here, for the laws are in {file_name}")
        made[file_name] = text
    folder = Path(name)
    folder.mkdir()
    try:
        for file_name, text in made.items():
            write(folder / file_name, text)
    except BaseException:  # all of it, or nothing
        rmtree(folder)
        raise


def _tell(name: str, laws: str) -> None:
    """Describe what was written, and the next steps."""
    click.echo(f"{name}: {', '.join(sorted(path.name for path in Path(name).iterdir()))}")
    install, play = "pip install -e '.[test]'", "dragon tournament tournament.toml"
    for step in (f"cd {name}", install, laws, play):
        click.echo(f"  {step}")
