"""A position as a picture: three hands, the trick on the table and the talon, cards by suits.

Each card that can be seen has its name in `data-cell`, so that it is played by pointing at it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any

from attrs import frozen

from dragon.boards.material import LIGHTS, paint, rect, slab
from dragon.rules.notation import escape
from dragon_ulti.cards import RANKS, SUITS, by_suit, name, spoken

WIDE, HIGH, STEP, APART = 52, 74, 58, 92
"""A card, and from one card to the next, in user units; further where each has its note."""
WIDTH, ROW = 620, 112
FACE = "ivory"
RANK_SIGNS = {"X": "10"}
FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif"
INKS = ("#c02b28", "#2e7a34", "#8a5526", "#a87408")
"""The colours of hearts, leaves, acorns and bells."""
SQUARE = 24
"""The side of the square in which each shape is drawn, in its own units."""
SEATS = ("Declarer", "Defender 1", "Defender 2")


@frozen
class Row:
    """Cards side by side, with a word above."""

    title: str
    cards: tuple[int | None, ...]
    """None: the back of a card."""
    notes: tuple[str, ...] = ()
    """A word above each card, or none."""
    turn: bool = False
    """True if this seat is to play."""


def draw(rows: list[Row], status: str) -> str:
    """Return the SVG text of the rows, one below the other."""
    status = status[:1].upper() + status[1:]
    height = ROW * len(rows) + 50
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'font-family="{FONT}"><title>{escape(status)}</title><defs>{LIGHTS["face"]}</defs>'
        + slab(1, 1, WIDTH - 2, height - 4, paint("felt", "felt-edge"), 14)
    ]
    for number, row in enumerate(rows):
        parts += _row(row, 14 + number * ROW)
    parts.append(
        f'<text x="{WIDTH / 2:g}" y="{height - 18}" font-size="16" font-weight="600" '
        f'text-anchor="middle" {paint("won")}>{escape(status)}</text>'
    )
    return "".join(parts) + "</svg>"


def _row(row: Row, y: int) -> Iterator[str]:
    weight, ink = (700, paint("yellow")) if row.turn else (500, paint("won"))
    yield (
        f'<text x="22" y="{y + 12}" font-size="14" font-weight="{weight}" {ink}>'
        f"{escape(row.title)}</text>"
    )
    for number, card in enumerate(row.cards):
        x = 22 + number * (APART if row.notes else STEP)
        yield _back(x, y + 20) if card is None else _card(card, x, y + 20)
        if number < len(row.notes):
            yield (
                f'<text x="{x}" y="{y + 12}" font-size="14" '
                f"{paint('won')}>{escape(row.notes[number])}</text>"
            )


def _card(card: int, x: int, y: int) -> str:
    ink, rank = INKS[card >> 3], RANKS[card & 7]
    return (
        f'<g data-cell="{name(card)}" aria-label="{spoken(card)}">'
        f"{slab(x, y, WIDE, HIGH, paint(FACE, 'ivory-edge', 0.8), 7)}"
        f'<text x="{x + 8}" y="{y + 23}" font-size="19" font-weight="700" fill="{ink}">'
        f"{RANK_SIGNS.get(rank, rank)}</text>"
        f"{drawn(card >> 3, x + WIDE / 2 - 14, y + 34, 28, FACE)}</g>"
    )


def _back(x: int, y: int) -> str:
    inner = rect(x + 6, y + 6, WIDE - 12, HIGH - 12, paint("none", "ivory", 1), 4)
    return slab(x, y, WIDE, HIGH, paint("blue", "blue-edge", 1), 7) + inner


def rows_of(
    table: Any, turn: int, order: str, backs: tuple[int, int, int] = (0, 0, 0)
) -> list[Row]:
    """Return the rows of a table: defenders, trick, declarer, and the talon if it is seen.

    backs: how many cards each seat holds that are not seen.
    """

    def hand(seat: int) -> Row:
        shown: tuple[int | None, ...] = tuple(chain(*by_suit(table.deal.hands[seat], order)))
        hidden: tuple[int | None, ...] = () if shown else (None,) * backs[seat]
        return Row(SEATS[seat], shown or hidden, turn=seat == turn)

    played = tuple(SEATS[(table.lead + i) % 3] for i in range(len(table.trick)))
    trick = Row("" if played else "Table", tuple(table.trick), played)
    rows = [hand(1), hand(2), trick, hand(0)]
    if table.deal.talon:
        rows.append(Row("Talon", tuple(chain(*by_suit(table.deal.talon, order)))))
    return rows


@cache
def shapes() -> dict[str, list[dict[str, str]]]:
    """The paths of each suit, by its letter: `d`, and `kind` where it is not filled with ink."""
    text = files("dragon_ulti").joinpath("web/suits.js").read_text(encoding="utf-8")
    found: dict[str, list[dict[str, str]]] = json.loads(
        text.partition("\nexport default ")[2].rstrip().removesuffix(";")
    )
    return found


def drawn(suit: int, x: float, y: float, size: float, face: str) -> str:
    """SVG of a suit in a square of `size` whose corner is at (x, y), on a card of `face`."""
    paths = "".join(_paths(suit, face))
    return f'<g transform="translate({x:g} {y:g}) scale({size / SQUARE:g})">{paths}</g>'


def _paths(suit: int, face: str) -> Iterator[str]:
    ink = INKS[suit]
    looks = {
        "": f'fill="{ink}"',
        "cap": f'fill="{ink}" fill-opacity="0.62"',
        "vein": f'{paint("none", face, 1.4)} stroke-linecap="round"',
        "slit": paint(face),
    }
    for shape in shapes()[SUITS[suit]]:
        yield f'<path d="{shape["d"]}" {looks[shape.get("kind", "")]}/>'
