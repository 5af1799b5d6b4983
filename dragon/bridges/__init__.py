"""Bridges: games and players of other programs in dragon, and dragon's in theirs.

Each bridge is one file:

- `thinker`: a game, a search and the thread in which it thinks, for all engines below.
- `uci`: dragon as an engine that speaks UCI (chess) or UGI (other games); `cecp`: XBoard's
  protocol.
- `engine`: the search that is played by another program; `engines`: the conversations by UCI and
CECP
  (that by GTP is in `dragon.gtp.client`).
- `compare`: two implementations of one game side by side, such as ours and one of theirs.
- `lines`: players in any language, by lines of JSON, both ways.
- `efg`: the trees of games for Gambit and LiteEFG.
- `spiel`: games of OpenSpiel as games of dragon, by the functions of `spiel_library`;
  `spiel_game`: games of dragon as games of OpenSpiel.
- `zoo`: games of dragon as environments of PettingZoo and Gymnasium. `encoding` has the numbers of
  moves and observations for both.
"""

from __future__ import annotations

import re
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from dragon.errors import ConfigError
from dragon.hookspecs import hookimpl

if TYPE_CHECKING:
    import click

    from dragon.core import Game, Search


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The games of OpenSpiel, where it is installed."""
    if find_spec("pyspiel") is None:
        return []
    from dragon.bridges.spiel import OpenSpiel

    return [OpenSpiel]


@hookimpl
def dragon_searches() -> list[type[Search]]:
    """The searches that another program carries out."""
    from dragon.bridges.engine import Engine
    from dragon.bridges.lines import Lines

    return [Engine, Lines]


@hookimpl
def dragon_commands() -> list[click.Command]:
    """The commands by which dragon is an engine, compares games and writes trees."""
    from dragon.bridges.cecp import cecp
    from dragon.bridges.compare import command as compare
    from dragon.bridges.efg import efg
    from dragon.bridges.lines import lines
    from dragon.bridges.uci import uci

    commands = [uci, cecp, lines, compare, efg]
    for command in commands:
        command.section = "Other programs"  # type: ignore[attr-defined]  # in `dragon --help`
    return commands


def check_versions(extra: str) -> None:
    """Raise ConfigError if a package of an extra is older than `pyproject.toml` requires.

    A package without a known version is accepted.
    """
    from importlib.metadata import PackageNotFoundError, requires, version

    wanted: list[str] = []
    with suppress(PackageNotFoundError):
        wanted = requires("dragon-search") or []
    for line in wanted:
        found = re.match(r"([\w-]+)>=([\d.]+).*extra == ['\"](\w+)", line)
        if found is None or found[3] != extra:
            continue
        package, least = found[1], found[2]
        with suppress(PackageNotFoundError):
            if _numbers(installed := version(package)) < _numbers(least):
                raise ConfigError(
                    f"{package} {installed} is too old, {least} is the least that was tried; pip "
                    f'install -U "dragon-search[{extra}]"'
                )


def _numbers(version: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", version)][:2]
