"""`dragon draw`: a picture of a position, as text, SVG or PNG."""

from __future__ import annotations

from pathlib import Path

import click

from dragon.boards.picture import board_text, svg_of
from dragon.cli_tools import save_picture, with_position, with_seed
from dragon.config import game, position
from dragon.errors import ConfigError
from dragon.files import STDOUT
from dragon.rules.notation import parse_move


@click.command()
@click.argument("game_spec", metavar="GAME")
@with_position
@click.option("--moves", metavar="LIST", default="", help="Moves from there, by spaces or by `;`.")
@click.option("--seat", type=click.IntRange(min=0), metavar="N",
              help="As this seat sees it, where cards are hidden; seats count from 0.")  # fmt: skip
@click.option("--out", metavar="FILE", help="An .svg or .png; - is SVG on stdout.")
@with_seed
def draw(
    game_spec: str, text: str | None, moves: str, seat: int | None, out: str | None, seed: int
) -> None:
    """Draw a position of GAME: in the terminal, or into a FILE.

    A game without a drawing of its own has its text in the picture. PNG needs a program that
    draws SVG: resvg, rsvg-convert, inkscape, or a browser.

    \b
    Examples:
      dragon draw tictactoe --moves "b2 a1"
      dragon draw "nex(rows=4, cols=4)" --moves "Bb2?c3;Wc2?b3" --out nex.svg
      dragon draw "hex(size=3)" --position "X../.O./... X" --out hex.png
      dragon draw "ulti(cards='hidden')" --seed 3 --seat 1 --out hand.png
    """
    of = game(game_spec)
    state = position(of, text, seed)
    for move in moves.split(";") if ";" in moves else moves.split():
        if move.strip():
            state = state.after(parse_move(state, move.strip()))
    if seat is not None:
        if seat >= len(of.teams):
            raise ConfigError(f"{of} has {len(of.teams)} seats, and --seat counts from 0")
        state = state.seen(seat)
    if out is None:
        click.echo(board_text(of, state))
        return
    size = save_picture(file := Path(out), svg_of(of, state))
    if file != STDOUT:
        click.echo(f"{out}: {size / 1000:,.1f} kB")
