"""Shares as people read them."""

from __future__ import annotations

from fractions import Fraction


def percent(share: float | Fraction, digits: int = 2) -> str:
    """A share of 0 to 1 in percent; only nothing is 0%, and only all of it is 100%.

    >>> percent(217 / 225), percent(Fraction(1, 10**20)), percent(0.9996, 1), percent(1.0, 0)
    ('96.44%', '<0.01%', '>99.9%', '100%')
    """
    shown, least = f"{100 * float(share):.{digits}f}", 10.0**-digits
    if share > 0 and float(shown) == 0:
        return f"<{least:.{digits}f}%"
    if share < 1 and float(shown) == 100:
        return f">{100 - least:.{digits}f}%"
    return f"{shown}%"
