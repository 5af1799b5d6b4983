"""`dragon publish`: games and searches as pages that need no server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from dragon.cli_tools import Number, interruptible, refuse_stdout
from dragon.config import game, search
from dragon.errors import ConfigError, DragonError

if TYPE_CHECKING:
    from dragon.core import Game
    from dragon.publish.publication import Publication

USUAL = ("alphabeta", "mcts")


class Address(click.ParamType):  # type: ignore[type-arg]  # of click 8.1 it takes none
    """The address of a page: of the web, or relative to the folder that is written."""

    name = "address"

    def convert(self, value: str, param: Any, ctx: Any) -> str:
        try:
            scheme, wrong = urlsplit(value).scheme, not value.isprintable() or not value.strip()
        except ValueError:
            scheme, wrong = "", True
        if wrong or " " in value or scheme not in ("", "http", "https", "file"):
            self.fail(f"{value!r} is not an address of a page; write one such as "
                      "https://example.org/games.html or ../index.html", param, ctx)  # fmt: skip
        return value


@click.command()
@click.argument("game_specs", metavar="[GAME]...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every installed game that can be published.")
@click.option("--to", metavar="DIR", required=True, help="The folder, or with --single the file.")
@click.option("--search", "specs", metavar="SPEC", multiple=True,
              help="A computer player to offer, the first as default; may be repeated. Default: "
              "alphabeta and mcts, as far as they support the game.")  # fmt: skip
@click.option("--nodes", type=click.IntRange(1, 1 << 53), metavar="N",
              help="Nodes that each may visit for a move.")  # fmt: skip
@click.option("--megabytes", type=Number(min=0.01, max=500), default=32.0, metavar="MB",
              show_default=True, help="Memory of a search in the browser, at most.")  # fmt: skip
@click.option("--single", is_flag=True, help="One HTML file instead of a folder.")
@click.option(
    "--home",
    metavar="ADDRESS",
    type=Address(),
    help="A page of yours to which a link above the page leads, as from its folder.",
)
def publish(
    game_specs: tuple[str, ...], every: bool, to: str, specs: tuple[str, ...], nodes: int | None,
    megabytes: float, single: bool, home: str | None,
) -> None:  # fmt: skip
    """Write GAME as a page for the browser that needs no server.

    It opens from the disk or from any host of files, with the rules and the searches in it as
    WebAssembly, and needs no server. Of several games, or of --all, a playground is made:
    a folder with a page that leads to one for each game. A GAME beside --all replaces the default
    one of its name.

    \b
    Examples:
      dragon publish connect4 --to four
      dragon publish "hex(size=5)" --to hex --search mcts --nodes 200000
      dragon publish tictactoe --to tictactoe.html --single
      dragon publish --all "nex(rows=7, cols=7)" --to playground
    """
    from dragon.publish.page import files
    from dragon.publish.publication import publication

    def made(of: Game[Any]) -> Publication:
        searches = [search(spec) for spec in specs or USUAL]
        if not specs:
            searches = [each for each in searches if each.objection(of) is None]
        return interruptible(publication, of, searches, megabytes, nodes)

    given, target = [game(spec) for spec in game_specs], Path(to)
    several = every or len(given) > 1
    if not given and not every:
        raise click.UsageError("name a GAME, or take --all")
    if several and single:
        raise click.UsageError("--single is for one GAME; a playground is a folder")
    refuse_stdout(target)
    if not single and target.exists() and not target.is_dir():
        raise ConfigError(f"{target} is a file, not a folder; give another --to")
    if several:
        _playground(target, given, every, made, home or "")
        return
    one = made(given[0])
    found = files(one, single, home or "")
    if single:
        _write({target: found["index.html"]})
    else:
        _write({target / name: text for name, text in found.items()})
    size = len(found["index.html"]) if single else sum(map(len, found.values()))
    first = target if single else target / "index.html"
    click.echo(f"{first}: {_about(one)}; {size / 1000:,.1f} kB in all, of which the code "
               f"takes {len(one.module.code) / 1000:,.1f}")  # fmt: skip


def _playground(target: Path, given: list[Game[Any]], every: bool, made: Any, home: str) -> None:
    """Write the games given, and with `every` the others installed that can be published."""
    from dragon.plugins import games
    from dragon.publish.page import playground

    found = [made(of) for of in given]
    names = {of.name for of in given}
    for name in games() if every else ():
        if name in names:
            continue
        try:
            found.append(made(game(name)))
        except DragonError as refused:
            click.echo(f"left out: {refused}", err=True)
            continue
        click.echo(_about(found[-1]))
    if not found:
        raise click.UsageError("no installed game can be published")
    files = playground(sorted(found, key=lambda each: str(each.game)), home)
    _write({target / name: text for name, text in files.items()})
    click.echo(f"{target / 'index.html'}: {len(found)} games; "
               f"{sum(map(len, files.values())) / 1e6:,.1f} MB in all")  # fmt: skip


def _write(files: dict[Path, bytes]) -> None:
    from dragon.files import write

    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, text)


def _about(made: Publication) -> str:
    return f"{made.game} against {', '.join(made.about['players']) or 'no search'}"
