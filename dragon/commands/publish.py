"""`dragon publish`: a game and searches as a page that needs no server."""

from __future__ import annotations

from pathlib import Path

import click

from dragon.cli_tools import Number, interruptible
from dragon.config import game, search

USUAL = ("alphabeta", "mcts")


@click.command()
@click.argument("game_spec", metavar="GAME")
@click.option("--to", metavar="DIR", required=True, help="The folder, or with --single the file.")
@click.option("--search", "specs", metavar="SPEC", multiple=True,
              help="Whom one can play against, the first as it opens; may be repeated. Default: "
              "alphabeta and mcts, as far as they support the game.")  # fmt: skip
@click.option("--nodes", type=click.IntRange(1, 1 << 53), metavar="N",
              help="Nodes that each may visit for a move.")  # fmt: skip
@click.option("--megabytes", type=Number(min=0.01, max=500), default=32.0, metavar="MB",
              show_default=True, help="Memory of a search in the browser, at most.")  # fmt: skip
@click.option("--single", is_flag=True, help="One HTML file instead of a folder.")
def publish(
    game_spec: str, to: str, specs: tuple[str, ...], nodes: int | None, megabytes: float,
    single: bool,
) -> None:  # fmt: skip
    """Write GAME as a page for the browser that needs no server.

    It opens from the disk or from any host of files, with the rules and the searches in it as
    WebAssembly, and asks nothing of anybody.

    \b
    Examples:
      dragon publish connect4 --to four
      dragon publish "hex(size=5)" --to hex --search mcts --nodes 200000
      dragon publish tictactoe --to tictactoe.html --single
    """
    from dragon.files import write
    from dragon.publish.page import files
    from dragon.publish.publication import publication

    of = game(game_spec)
    searches = [search(spec) for spec in specs or USUAL]
    if not specs:
        searches = [each for each in searches if each.objection(of) is None]
    made = interruptible(publication, of, searches, megabytes, nodes)
    found = files(made, single)
    target = Path(to)
    if single:
        paths = {target: found["index.html"]}
    else:
        target.mkdir(parents=True, exist_ok=True)
        paths = {target / name: text for name, text in found.items()}
    for path, text in paths.items():
        write(path, text)
    size = sum(map(len, paths.values()))
    first = target if single else target / "index.html"
    against = ", ".join(made.about["players"]) or "no search"
    click.echo(f"{first}: {of} against {against}; {size / 1000:,.1f} kB in all, of which the code "
               f"takes {len(made.module.code) / 1000:,.1f}")  # fmt: skip
