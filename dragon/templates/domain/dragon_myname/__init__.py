"""MyName: the goods of a market stall, and the least price at which to sell them.

In the order in which to read it:

- `game`: buyers come one by one, each with a price; sell, or wait for the next one.
- `kernel`, `answers`: the best play for thousands of buyers, compiled, and the answer as JSON.
- `cli`: `dragon my-name`; `page`, `service`, `web`: the page of `dragon serve`.
"""

from dragon import hookimpl


@hookimpl
def dragon_games():
    """Return the games of this plugin."""
    from dragon_myname.game import MyName

    return [MyName]


@hookimpl
def dragon_commands():
    """Return the commands of this plugin."""
    from dragon_myname.cli import market

    return [market]


@hookimpl
def dragon_pages():
    """Return the pages of this plugin."""
    from dragon_myname.page import MARKET

    return [MARKET]
