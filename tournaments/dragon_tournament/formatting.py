"""Times, points, ratings, payoffs and names as text."""

from __future__ import annotations

import math
import re

NONE = "—"
HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that move the cursor, change the direction of writing, or cannot be encoded."""


def visible(text: str, kept: str = "") -> str:
    """A text with its control characters escaped, except those in `kept`.

    >>> print(visible("a\\x1b[2Jb\\n"), visible("two\\nlines", kept="\\n"))
    a\\x1b[2Jb\\n two
    lines
    """
    return HIDDEN.sub(lambda found: found[0] if found[0] in kept else ascii(found[0])[1:-1], text)


def seconds_text(seconds: float | None) -> str:
    """Seconds with three digits, in s, ms or µs.

    >>> [seconds_text(s) for s in (0.0000123, 0.0123, 1.234, 12345.6, None)]
    ['12.3 µs', '12.3 ms', '1.23 s', '12,346 s', '—']
    """
    if seconds is None:
        return NONE
    if seconds >= 999.5:
        return f"{seconds:,.0f} s"
    unit, scale = next(
        (found for found in (("s", 1.0), ("ms", 1e3)) if seconds * found[1] >= 0.9995), ("µs", 1e6)
    )
    return f"{seconds * scale:.3g} {unit}"


def payoff_text(payoff: float, error: float | None = None) -> str:
    """A mean payoff, with as many decimals as the first two digits of its error need.

    >>> payoff_text(-1.0642, 0.2134), payoff_text(31.4, 12.0), payoff_text(-0.5), payoff_text(2)
    ('-1.06', '+31', '-0.5', '+2')
    """
    if error is None:
        return f"{payoff + 0.0:+.4g}"
    return f"{round(payoff, digits := _decimals(error)) + 0.0:+.{digits}f}"


def error_text(error: float | None) -> str:
    """The half-width of an interval with two digits, if it is known.

    >>> error_text(0.2134), error_text(12.0), error_text(None)
    ('±0.21', '±12', '—')
    """
    return NONE if error is None else f"±{error:.{_decimals(error)}f}"


def _decimals(error: float) -> int:
    return max(0, 1 - math.floor(math.log10(error)))


def points_text(points: float) -> str:
    """Points with as many decimals as they need, two at most.

    >>> points_text(3.0), points_text(2.5)
    ('3', '2.5')
    """
    return f"{points:.2f}".rstrip("0").rstrip(".")


def half_text(error: float | None) -> str:
    """The half-width of an interval in Elo, if it is known.

    >>> half_text(20.6), half_text(None)
    ('±21', '—')
    """
    return NONE if error is None else f"±{error:.0f}"


def elo_text(value: float) -> str:
    """Elo with its sign; it is infinite after perfect scores.

    >>> elo_text(34.6), elo_text(-0.2), elo_text(float("inf"))
    ('+35', '+0', '+∞')
    """
    if math.isinf(value):
        return "+∞" if value > 0 else "-∞"
    return f"{round(value) + 0:+d}"


def sure_text(superiority: float | None) -> str:
    """A likelihood of superiority, if it is known; never 0% or 100%.

    >>> sure_text(0.9731), sure_text(0.99999), sure_text(None)
    ('97.3%', '>99.9%', '—')
    """
    if superiority is None:
        return NONE
    if superiority > 0.999:
        return ">99.9%"
    return "<0.1%" if superiority < 0.001 else f"{superiority:.1%}"


def identical_text(identical: int, played: int) -> str:
    """A sentence on the number of games that repeat others.

    >>> identical_text(1, 20)[:35]
    '1 of 20 games is identical move for'
    """
    return (
        f"{identical:,} of {played:,} games {'is' if identical == 1 else 'are'} identical move for "
        f"move to an earlier one of the same players in the same seats"
    )


def shortened(text: str, most: int, end: str = "…") -> str:
    """A text of at most `most` letters.

    >>> shortened("exhaustive", 5), shortened("mcts", 5)
    ('exha…', 'mcts')
    """
    return text if len(text) <= most else text[: most - len(end)] + end
