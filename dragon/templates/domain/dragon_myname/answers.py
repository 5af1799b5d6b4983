"""The answer that the command and the page share, as a JSON object."""

from math import ceil

import numpy as np

from dragon.compiler.specialise import Constants, specialise


def worth_of(game):
    """Return float64[buyers + 1, goods + 1]: what is still earned by the best play."""
    worth = np.zeros((game.buyers + 1, game.goods + 1))
    kernels = specialise("dragon_myname.kernel", Constants("myname"))
    kernels.fill(worth, game.highest)
    return worth


def least_prices(game):
    """Return the earnings of the stall, and the least price at which to sell.

    Row n of `least` is for n buyers to come after this one, and has a price for 1, 2, ... goods.
    To sell one thing is worth the price, and what is then earned by the others.
    """
    worth = worth_of(game)
    lost = worth[:-1, 1:] - worth[:-1, :-1]  # what the last of the goods would still earn
    least = [[max(1, ceil(price - 1e-9)) for price in row] for row in lost.tolist()]
    return {"earned": float(worth[-1, -1]), "least": least}
