"""How cards look: seats around a table, and suits in the colours of the Hungarian deck."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import click

from dragon_ulti.cards import RANKS, SYMBOLS, place, pretty
from dragon_ulti.deal import PLAYERS, Hand

if TYPE_CHECKING:
    from dragon import RecordState
    from dragon_ulti import Ulti

COLOURS = dict(zip(SYMBOLS, ("red", "green", "yellow", "bright_yellow"), strict=True))
"""Hearts are red, leaves green, acorns brown, which terminals call yellow, and bells golden."""
CARDS = re.compile(rf"([{SYMBOLS}])((?: ?[{RANKS}](?!\w))*)")
"""A suit and the ranks that follow it, each with a space before it or without."""
COLUMN = 22


def say(text: str) -> None:
    """Prints, in colours if it is to a terminal and NO_COLOR is not set."""
    click.echo(text if os.environ.get("NO_COLOR") else painted(text))


def painted(text: str) -> str:
    """A text with its cards in the colours of their suits, for a terminal."""
    return CARDS.sub(lambda found: click.style(found[0], fg=COLOURS[found[1]], bold=True), text)


def table(state: RecordState) -> str:
    """The hands as they lie around a table, the declarer's in front, and the trick between."""
    from dragon_ulti.record import table_of

    game: Ulti = state.game  # type: ignore[assignment]
    order, lying = game.setting.order, table_of(state.record, game.setting)
    seats = [suits(hand, order) for hand in lying.deal.hands]
    trick = [
        f"{pretty(each)} {PLAYERS[(lying.lead + i) % 3]}" for i, each in enumerate(lying.trick)
    ]
    upper = zip(
        [PLAYERS[1], *seats[1]],
        ["", *(["on the table", *trick] if trick else []), "", "", "", ""][:5],
        [PLAYERS[2], *seats[2]],
        strict=True,
    )
    talon = ["talon", " ".join(map(pretty, lying.deal.talon))] if lying.deal.talon else []
    lower = zip([""] * 5, [PLAYERS[0], *seats[0]], [*talon, "", "", "", "", ""][:5], strict=True)
    lines = ("".join(f"{cell:{COLUMN}}" for cell in row).rstrip() for row in (*upper, *lower))
    return "\n".join(lines)


def suits(hand: Hand, order: str) -> list[str]:
    """A hand as four lines, one for each suit, the strongest card first."""
    lines = []
    for number, symbol in enumerate(SYMBOLS):
        cards = sorted(
            (each for each in hand if each >> 3 == number), key=lambda each: -place(each, order)
        )
        lines.append(" ".join([symbol, *(RANKS[each & 7] for each in cards)]))
    return lines
