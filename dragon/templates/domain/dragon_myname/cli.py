"""The commands under `dragon my-name`."""

import click

from dragon.cli_tools import Group, as_json, tell
from dragon.config import build
from dragon.core.spec import settings
from dragon_myname.game import MyName


def with_market(command):
    """Add an option for each parameter of the game: --buyers, --goods, --highest."""
    for each in reversed(settings(MyName)):
        command = click.option(
            f"--{each.name}", type=int, default=each.default, show_default=True,
            metavar="N", help=each.description,
        )(command)  # fmt: skip
    return command


@click.group("my-name", cls=Group)
def market():
    """Sell at a market stall for as much as possible.

    \b
    Examples:
      dragon my-name prices
    """


@market.command()
@with_market
@as_json
def prices(as_json, **given):
    """Print the least price at which to sell, and what is earned on average.

    \b
    Examples:
      dragon my-name prices --buyers 10 --goods 3 --highest 20
    """
    from dragon_myname.answers import least_prices  # which imports numpy

    found = least_prices(build(MyName, given, "my-name"))
    tell(as_json, found, lines(found))


def lines(found):
    """Yield the answer as lines of text."""
    yield f"earned on average: {found['earned']:.2f}"
    yield "buyers to come: the least price with 1, 2, ... goods left"
    for buyers, row in enumerate(found["least"]):
        yield f"{buyers:14}: {' '.join(f'{price:4}' for price in row)}"
