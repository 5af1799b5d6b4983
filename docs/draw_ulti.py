"""Draws the pictures of docs/how-ulti-is-solved.md, each from what the rules themselves answer.

`python docs/draw_ulti.py` writes all of them again; the tests fail when one is not as it would
be drawn.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import dragon
from dragon_ulti.cards import ORDERS, RANKS, SUIT_NAMES
from dragon_ulti.record import table_of

FOLDER = Path(__file__).parent / "images"
CELL, GAP = 40, 6
STYLE = (
    ".ulti text{font:600 15px 'Helvetica Neue',Helvetica,Arial,sans-serif;text-anchor:middle}"
    ".ulti .say{font-weight:400;font-size:13px;text-anchor:start}.ulti .line{fill:none}"
    ".ulti .gone{fill:none;stroke-dasharray:4 4}.ulti .edge{stroke-width:1.4}"
)
COLOURS = {
    "paper": ("fill", "#fbf6ec", "#22201d"),
    "seat0": ("fill", "#bfe0bd", "#37603a"),
    "seat1": ("fill", "#b9cfe3", "#35506a"),
    "seat2": ("fill", "#ecc9a0", "#7a522a"),
    "open": ("fill", "#efe5d0", "#45403a"),
    "edge": ("stroke", "#5b5144", "#b9ae9c"),
    "line": ("stroke", "#c2573f", "#e08a66"),
    "ink": ("fill", "#2f2a24", "#f0e9dc"),
    "say": ("fill", "#6d6150", "#b3aa9a"),
}
"""The part that each class colours, and its colour by day and by night."""
SEATS = ("declarer", "seat 1", "seat 2")
PAIR = ("H7 HO / H8 LK / H9 LA", "H8 HU / H9 LX / HX LU")
"""Two positions that have one key."""
HELD = "H7 H9 HX HA / H8 HK L7 L8 / HU HO LA LX"
SEED = 11
"""The seed of the party whose bounds are drawn."""


def frame(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    """An SVG text with its colours."""
    day, night = (
        "".join(f".ulti .{name}{{{kind}:{pair[at]}}}" for name, (kind, *pair) in COLOURS.items())
        for at in (0, 1)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ulti" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img"><title>{title}</title>'
        f"<style>{STYLE}{day}@media (prefers-color-scheme:dark){{{night}}}</style>"
        f'<rect class="paper" width="{width}" height="{height}" rx="12"/>{"".join(parts)}</svg>\n'
    )


def box(x: int, y: int, kind: str, text: str = "", width: int = CELL) -> str:
    """A card, or a unit."""
    label = f'<text class="ink" x="{x + width // 2}" y="{y + 26}">{text}</text>' if text else ""
    return (
        f'<rect class="{kind} edge" x="{x}" y="{y}" width="{width}" height="{CELL}" rx="7"/>{label}'
    )


def say(x: int, y: int, text: str) -> str:
    """A remark that begins at x."""
    return f'<text class="say" x="{x}" y="{y}">{text}</text>'


def owners(state: Any) -> dict[int, int]:
    """Return the owner of each card that is in a hand."""
    hands = table_of(state.record, state.game.setting).deal.hands
    return {card: seat for seat, hand in enumerate(hands) for card in hand}


def suit_row(state: Any, suit: int, x: int, y: int) -> Iterator[str]:
    """The eight cards of a suit from the weakest, in the colours of their owners."""
    held = owners(state)
    yield say(x, y + 25, SUIT_NAMES[suit])
    for i, rank in enumerate(ORDERS[state.game.setting.order]):
        card = 8 * suit + RANKS.index(rank)
        kind = f"seat{held[card]}" if card in held else "gone"
        yield box(x + 62 + i * (CELL + GAP), y, kind, rank if card in held else "")


def legend(x: int, y: int) -> Iterator[str]:
    """Draw the names of the colours."""
    for seat, name in enumerate(SEATS):
        yield f'<rect class="seat{seat} edge" x="{x + 100 * seat}" y="{y}" width="16" '
        yield f'height="16" rx="4"/>{say(x + 24 + 100 * seat, y + 13, name)}'


def relative() -> str:
    """Two positions and the strings of owners that both are."""
    game: Any = dragon.game("ulti(contract='betli')")
    states = [game.parse(text) for text in PAIR]
    assert len({state.key() for state in states}) == 1, "they have one key"
    far = 62 + 8 * (CELL + GAP) + 40

    def parts() -> Iterator[str]:
        yield from legend(24, 18)
        for n, state in enumerate(states):
            for suit in (0, 1):
                yield from suit_row(state, suit, 24, 56 + n * 116 + suit * (CELL + GAP))
        middle = 56 + 116 - 12
        yield say(far, middle - 56, "both are, from the weakest card:")
        held = owners(states[0])
        for suit in (0, 1):
            string = [held[card] for card in sorted(held) if card >> 3 == suit]
            y = middle - 40 + suit * (CELL + GAP)
            yield say(far, y + 25, SUIT_NAMES[suit])
            for i, seat in enumerate(string):
                yield box(far + 62 + i * (CELL + GAP), y, f"seat{seat}")

    return frame(far + 280, 290, "Two positions with the same relative ranks", parts())


def equivalent() -> str:
    """The declarer's cards of one suit, and which of them a search tries, in two contracts."""

    def parts() -> Iterator[str]:
        yield from legend(24, 18)
        for n, contract in enumerate(("party", "four_tens")):
            game: Any = dragon.game(f"ulti(contract={contract!r}, prerequisites=false)")
            state, y = game.parse(HELD), 56 + n * 92
            yield from suit_row(state, 0, 24, y)
            tried = [str(move) for move in state.distinct()]
            yield say(62 + 8 * (CELL + GAP) + 40, y + 25, f"{contract}: {' '.join(tried)}")
            for rank in (move[1] for move in tried):
                x = 86 + ORDERS[game.setting.order].index(rank) * (CELL + GAP)
                yield f'<path class="line" stroke-width="3" d="M{x},{y + CELL + 8}h{CELL}"/>'

    return frame(650, 250, "Equivalent cards are tried once", parts())


def narrowing() -> str:
    """A party of random cards: after each trick the units that the declarer has and may yet get."""
    game: Any = dragon.game("ulti(objective='points')")
    state, dice, rows = game.start(SEED), random.Random(SEED), []
    while state.turn != dragon.TERMINAL:
        if not state.record.first:
            rows.append(state.bounds())
        state = state.after(dice.choice(list(state.moves())))
    need, left, top = game.bid.need, 150, 44
    place = next(i for i, (least, most) in enumerate(rows) if least >= need or most < need)

    def parts() -> Iterator[str]:
        yield say(left, 28, "units of the declarer: taken, and still to come")
        for i, (least, most) in enumerate(rows[: place + 1]):
            y = top + i * (CELL + GAP)
            yield say(24, y + 25, f"after {i} trick{'' if i == 1 else 's'}" if i else "at first")
            for unit in range(9):
                kind = "seat0" if unit < least else "open" if unit < most else "gone"
                yield box(left + unit * (CELL + GAP), y, kind, str(unit + 1))
        x = left + (need - 1) * (CELL + GAP) - GAP // 2
        deep = top + (place + 1) * (CELL + GAP)
        yield f'<path class="line" stroke-width="3" d="M{x},{top - 6}V{deep}"/>'
        verdict = "made" if rows[place][0] >= need else "failed: five are out of reach"
        yield say(left + 9 * (CELL + GAP) + 12, deep - 21, verdict)

    height = top + (place + 1) * (CELL + GAP) + 20
    return frame(800, height, "What can still come, trick by trick", parts())


PICTURES: dict[str, Callable[[], str]] = {
    "ulti-key.svg": relative,
    "ulti-reduce.svg": equivalent,
    "ulti-bounds.svg": narrowing,
}

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw(), encoding="utf-8")
