"""What processes do before their first job, so that it does not wait for the compiler."""

from __future__ import annotations

from contextlib import suppress


def searches() -> None:
    """Loads the compiler and the usual searches, compiled, on the smallest of boards."""
    from dragon import config
    from dragon.core import Limit
    from dragon.errors import UnknownName

    for spec in ("alphabeta", "mcts"):
        try:
            game, search = config.game("tictactoe"), config.search(spec)
        except UnknownName:
            continue  # not installed: there is nothing to warm
        search.best(game.start(), Limit(nodes=50, simulations=50))


def rules() -> None:
    """Loads what a position needs, and what is installed."""
    from dragon.errors import UnknownName
    from dragon.web.lists import games
    from dragon.web.page import Nothing
    from dragon.web.play import Course, position

    games(Nothing())
    with suppress(UnknownName):  # not installed: there is nothing to warm
        position(Course("tictactoe", moves=("b2",)))
