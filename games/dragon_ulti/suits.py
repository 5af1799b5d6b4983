"""How the suits of the Hungarian deck look: shapes that the page and the pictures share."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from dragon_ulti.cards import SUITS

INKS = ("#c02b28", "#2e7a34", "#8a5526", "#a87408")
"""The colours of hearts, leaves, acorns and bells."""
SQUARE = 24
"""The shapes' own units: each stands in a square of so many."""


@cache
def shapes() -> dict[str, list[dict[str, str]]]:
    """For each suit's letter its paths: `d`, and `kind` where one is not filled with the ink."""
    text = files("dragon_ulti").joinpath("web/suits.js").read_text(encoding="utf-8")
    found: dict[str, list[dict[str, str]]] = json.loads(
        text.partition("\nexport default ")[2].rstrip().removesuffix(";")
    )
    return found


def drawn(suit: int, x: float, y: float, size: float, face: str) -> str:
    """SVG of a suit in a square of `size` whose corner is at (x, y), on a card of colour `face`."""
    paths = "".join(_paths(suit, face))
    return f'<g transform="translate({x:g} {y:g}) scale({size / SQUARE:g})">{paths}</g>'


def _paths(suit: int, face: str) -> Iterator[str]:
    ink = INKS[suit]
    looks = {
        "": f'fill="{ink}"',
        "cap": f'fill="{ink}" fill-opacity="0.62"',
        "vein": f'fill="none" stroke="{face}" stroke-width="1.4" stroke-linecap="round"',
        "slit": f'fill="{face}"',
    }
    for shape in shapes()[SUITS[suit]]:
        yield f'<path d="{shape["d"]}" {looks[shape.get("kind", "")]}/>'
