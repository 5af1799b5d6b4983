"""The bids of a table in their order, with what they pay.

A bid is its contracts, a suit if that is hearts, and whether the hand is laid open. A party goes
with ulti and four aces where no hundred and no durchmars is bid beside them. Values are of
`dragon_ulti.stakes`, so that a table's own file changes the order too.

>>> from dragon_ulti.stakes import common
>>> [f"{each.said} {each.made:g}" for each in ladder(common())][3:6]
['4 ász 5', 'ulti 5', 'betli 5']
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from attrs import frozen

from dragon_ulti.cards import NO_TRUMP
from dragon_ulti.contracts import CONTRACTS, DOUBLED, HUNDREDS, Call, bid
from dragon_ulti.language import HUNGARIAN, READ, tr
from dragon_ulti.stakes import HEARTS, SILENT, Stakes, Value

BESIDE = ("ulti", "four_aces")
"""Contracts with which a party goes."""
WHOLE = 2.0
"""The factor of a bid that is played as another for twice the stakes."""


@frozen
class Listed:
    """A bid of a table."""

    call: Call
    parts: tuple[tuple[str, Value], ...]
    """The contracts that are settled by themselves and their worth; the party comes last."""

    @property
    def made(self) -> float:
        """The payment of each defender if all parts are made."""
        return sum(value.made for _, value in self.parts)

    @property
    def lost(self) -> float:
        """The payment to each defender if all parts fail."""
        return sum(value.lost for _, value in self.parts)

    @property
    def title(self) -> str:
        """The bid as it is said, in the chosen language."""
        return title(self.call)

    @property
    def said(self) -> str:
        """The bid as it is said in Hungarian."""
        return title(self.call, hungarian=True)

    def amounts(self, made: bool) -> str:
        """Return what the parts pay if all are made, or fail, as in `4+1`."""
        return "+".join(f"{value.made if made else value.lost:g}" for _, value in self.parts)


def parts_of(call: Call) -> tuple[str, ...]:
    """Return the contracts of a bid, and the party that goes with ulti and four aces."""
    return (*call.contracts, *(["party"] if {*call.contracts} <= {*BESIDE} else []))


def title(call: Call, hungarian: bool = False) -> str:
    """Return a bid as it is said: suit, contracts, and whether the hand is laid open."""

    def say(text: str) -> str:
        return SHORT.get(text, HUNGARIAN[text]) if hungarian else tr(text)

    words = [say(SUIT_TITLES[call.trump])] if call.trump else []
    for part in map(CONTRACTS.__getitem__, call.contracts):
        opened = call.open and (part.name == "betli" or part.name.startswith("durchmars"))
        name = SHORTER.get(part.title, part.title) if len(call.contracts) > 1 else part.title
        if call.trump and part.name == "durchmars_trump":
            name = SHORTER[part.title]
        words += [say("open")] * opened + [call.doubled or say(name)]
    return " ".join(words)


SUIT_TITLES = {"H": "hearts", "L": "leaves", "A": "acorns", "B": "bells"}
SHORTER = {"trump durchmars": "durchmars"}
SHORT = READ["short"]
"""What is said at tables for some titles."""


def listed(call: Call, stakes: Stakes) -> Listed:
    """Return a bid with the worth of its parts; ValueError if its contracts do not go together."""
    names = parts_of(call)
    made = bid("+".join(names))
    trump = HEARTS if call.trump == "H" else NO_TRUMP
    values = stakes.parts(made, trump, call.open)
    if len(values) < len(names):  # the table has a value of its own for all of it
        names = (made.name,)
    else:
        named = {part.name: value for part, value in zip(made.parts, values, strict=True)}
        values = tuple(named[name] for name in names)
    factor = WHOLE if call.doubled else 1.0
    return Listed(call, tuple((n, v.times(factor)) for n, v in zip(names, values, strict=True)))


def paid(name: str, value: Value, made: bool, level: int, stakes: Stakes) -> float:
    """Return what a defender pays for a part under kontra of a level; below 0 what it gets.

    >>> from dragon_ulti.stakes import common
    >>> [paid("ulti", Value(4, 8), False, level, common()) for level in range(3)]
    [-8.0, -12.0, -20.0]
    """
    factor = float(1 << level)
    if made:
        return value.made * factor
    if name == "ulti" and stakes.house.failed_ulti == "once":
        return -(value.made * factor + value.lost - value.made)
    return -value.lost * factor


def silent(kind: str, trump: str | None, stakes: Stakes) -> Value:
    """Return the worth of what was made without being bid, a kind of `SILENT`: half of what is."""
    suit = HEARTS if trump == "H" else NO_TRUMP
    return stakes.of(bid(SILENT[kind]), suit).times(0.5)


def ladder(stakes: Stakes) -> list[Listed]:
    """Return all bids of a table from the lowest to the highest."""
    found = [listed(call, stakes) for call in _calls(stakes.house.four_aces)]
    fewer = stakes.house.equal == "fewer"
    return sorted(found, key=lambda each: (each.made, -len(each.parts) if fewer else 0))


def _calls(four_aces: bool) -> Iterator[Call]:
    for trump in (None, "H"):
        yield Call(("party",), trump)
        for hundred, ulti, aces, durchmars in product(
            ("", *HUNDREDS), ("", "ulti"), ("", "four_aces"), ("", "durchmars_trump", "open")
        ):
            if aces and (durchmars or not four_aces):
                continue  # all tricks are all aces, but for those in the talon
            opened = durchmars == "open"
            parts = (hundred, ulti, aces, "durchmars_trump" if durchmars else "")
            if contracts := tuple(filter(None, parts)):
                yield Call(contracts, trump, opened)
    for name in ("betli", "durchmars_no_trump"):
        doubled = next(word for word, played in DOUBLED.items() if played == name)
        yield from (Call((name,)), Call((name,), doubled=doubled), Call((name,), open=True))
