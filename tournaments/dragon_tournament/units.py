"""Units: times as people read them."""

from __future__ import annotations

NONE = "—"


def seconds_text(seconds: float | None) -> str:
    """Seconds with three digits, in the unit that suits them.

    >>> [seconds_text(s) for s in (0.0000123, 0.0123, 1.234, 12345.6, None)]
    ['12.3 µs', '12.3 ms', '1.23 s', '12,346 s', '—']
    """
    if seconds is None:
        return NONE
    if seconds >= 999.5:
        return f"{seconds:,.0f} s"
    unit, scale = next(
        (found for found in (("s", 1.0), ("ms", 1e3)) if seconds * found[1] >= 0.9995),
        ("µs", 1e6),
    )
    return f"{seconds * scale:.3g} {unit}"
