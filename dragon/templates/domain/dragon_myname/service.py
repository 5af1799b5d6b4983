"""The page's questions, and the answers: the objects of `dragon my-name ... --json`."""

from dragon_myname.answers import least_prices
from dragon_myname.game import MyName


def prices(asked: MyName):
    """Return the earnings of the stall, and the least price at which to sell."""
    return least_prices(asked)


def warm():
    """Load the kernel before the first question comes."""
    least_prices(MyName())
