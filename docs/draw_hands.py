"""Draws the picture of docs/distinct-and-count.md: which cards the clauses of a hand can take.

`python docs/draw_hands.py` writes it again; the tests fail when it is not as it would be drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from dragon_hands.deck import And, Card, Clause
from dragon_hands.examples import assignment

FOLDER = Path(__file__).parent / "images"
STYLE = (
    ".hands text{font:600 14px 'Helvetica Neue',Helvetica,Arial,sans-serif;text-anchor:middle}"
    ".hands .say{font-weight:400;font-size:13px}.hands .can{stroke-dasharray:3 5}"
    ".hands .takes{stroke-width:3}"
)
COLOURS = {
    "paper": ("fill", "#fbf6ec", "#22201d"),
    "card": ("fill", "#bfe0bd", "#37603a"),
    "clause": ("fill", "#b9cfe3", "#35506a"),
    "can": ("stroke", "#5b5144", "#b9ae9c"),
    "takes": ("stroke", "#c2573f", "#e08a66"),
    "ink": ("fill", "#2f2a24", "#f0e9dc"),
    "say": ("fill", "#6d6150", "#b3aa9a"),
}
"""The part that each class colours, and its colour by day and by night."""
CLAUSES = (Clause("Starter"), Clause("Extender"))
ALPHA = Card("Alpha", 1, ("Starter",))
BETA = Card("Beta", 1, ("Starter", "Extender"))
OTHER = Card("Garnet", 1)
HANDS = ((BETA, OTHER), (BETA, ALPHA))
"""Cards of two hands: one for both clauses, and one for each."""
WIDE = 250


def frame(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    """An SVG text with its colours."""
    day, night = (
        "".join(f".hands .{name}{{{kind}:{pair[at]}}}" for name, (kind, *pair) in COLOURS.items())
        for at in (0, 1)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="hands" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img"><title>{title}</title>'
        f"<style>{STYLE}{day}@media (prefers-color-scheme:dark){{{night}}}</style>"
        f'<rect class="paper" width="{width}" height="{height}" rx="12"/>{"".join(parts)}</svg>\n'
    )


def box(x: int, y: int, kind: str, text: str) -> str:
    """A card or a clause, its middle at x."""
    return (
        f'<rect class="{kind}" x="{x - 48}" y="{y}" width="96" height="36" rx="6"/>'
        f'<text class="ink" x="{x}" y="{y + 23}">{text}</text>'
    )


def half(left: int, hand: tuple[Card, ...]) -> Iterable[str]:
    """Two clauses above a hand, with a line to each card that a clause can take."""
    given = dict(assignment(And(CLAUSES), hand, (), (), "distinct") or ())
    ways = {"distinct": bool(given), "count": False}
    ways["count"] = assignment(And(CLAUSES), hand, (), (), "count") is not None
    places = [left + 70, left + 180]
    for clause, x in zip(CLAUSES, places, strict=True):
        for card, at in zip(hand, places, strict=True):
            if card.answers(clause.name):
                kind = "takes" if card.name in given.get(str(clause), ()) else "can"
                yield f'<line class="{kind}" x1="{x}" y1="76" x2="{at}" y2="130"/>'
    for clause, x in zip(CLAUSES, places, strict=True):
        yield box(x, 40, "clause", str(clause))
    for card, x in zip(hand, places, strict=True):
        yield box(x, 130, "card", card.name)
    for row, (name, holds) in enumerate(ways.items()):
        said = f"{name}: {'passes' if holds else 'brick'}"
        yield f'<text class="say" x="{left + WIDE // 2}" y="{192 + 20 * row}">{said}</text>'


def sharing() -> str:
    """One card for two clauses, and a card for each."""
    parts = [each for i, hand in enumerate(HANDS) for each in half(i * (WIDE + 10), hand)]
    return frame(2 * WIDE + 10, 230, "Starter AND Extender in two hands", parts)


PICTURES: dict[str, Callable[[], str]] = {"hands-sharing.svg": sharing}

if __name__ == "__main__":
    for file, draw in PICTURES.items():
        (FOLDER / file).write_text(draw(), encoding="utf-8")
