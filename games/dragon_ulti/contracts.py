"""The contracts as data: what the declarer must hold, what must come to pass, how cards rank.

Values are in units of ten points: each ace and ten one, the last trick one. The goals,
which are looked at when a trick is complete:

    need      at least this many units, of nine with those of the talon, which the defenders get
    aces      no defender takes an ace          tens      no defender takes a ten
    ulti      the trump 7 takes the last trick
    none      the declarer takes no trick       all       the defenders take no trick
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import pairwise, product

from attrs import frozen

from dragon.errors import closest
from dragon_ulti.cards import (
    ACE,
    KING,
    NO_TRUMP,
    OVER,
    SEVEN,
    SIGNS,
    SUIT_NAMES,
    SUITS,
    TEN,
    UNDER,
    Deal,
    folded,
    marriages,
    name,
)
from dragon_ulti.language import HUNGARIAN, READ, tr

MARRIAGES = {"over-king": (OVER, KING), "under-over": (UNDER, OVER)}
"""The two cards of a marriage: the real one, and that of the original program."""


@frozen
class Contract:
    """One contract of the table below."""

    code: int
    """The original program's number."""
    name: str
    title: str
    order: str
    """`ace-ten` or `ace-king`."""
    trump: bool
    need: int = 0
    goal: str = ""
    """The condition besides the units; empty for none."""
    requires: str = ""
    """The prerequisite, by the name of a function of this module; empty: none."""


CONTRACTS = {
    each.name: each
    for each in (
        Contract(0, "no_trump_party", "party without trump", "ace-ten", False, 5),
        Contract(1, "party", "party", "ace-ten", True, 5),
        Contract(2, "forty_hundred", "40-100", "ace-ten", True, 6, "", "forty"),
        Contract(3, "four_aces", "four aces", "ace-ten", True, 0, "aces", "aces"),
        Contract(4, "ulti", "ulti", "ace-ten", True, 0, "ulti", "seven"),
        Contract(5, "betli", "betli", "ace-king", False, 0, "none"),
        Contract(6, "durchmars_no_trump", "plain durchmars", "ace-king", False, 0, "all"),
        Contract(7, "durchmars_trump", "trump durchmars", "ace-ten", True, 0, "all"),
        Contract(8, "twenty_hundred", "20-100", "ace-ten", True, 8, "", "twenty"),
        Contract(9, "four_tens", "four tens", "ace-ten", True, 0, "tens", "tens"),
    )
}
"""By name, in the order of the original program's numbers."""
PARTIES, HUNDREDS = ("party", "no_trump_party"), ("forty_hundred", "twenty_hundred")
JOINED = tuple(
    "+".join(filter(None, parts))
    for parts in product(
        ("", "party", "forty_hundred", "twenty_hundred"),
        ("", "four_aces"),
        ("", "ulti"),
        ("", "durchmars_trump"),
    )
    if sum(map(bool, parts)) > 1 and not {"party", "durchmars_trump"} <= {*parts}
)
"""The bids made together at tables: a party or a hundred, four aces, ulti, durchmars."""
ENGLISH = {
    "pass": "party", "simple": "party", "4 aces": "four_aces", "4 tens": "four_tens",
    "misere": "betli",
}  # fmt: skip
"""English words for contracts besides their titles."""
DOUBLED = {"rebetli": "betli", "redurchmars": "durchmars_no_trump"}
"""Contracts that are played as another, for stakes of twice as much."""
_PRINTED = {
    **{folded(each.name): each.title for each in CONTRACTS.values()},
    **{folded(HUNGARIAN[each.title]): HUNGARIAN[each.title] for each in CONTRACTS.values()},
    **{folded(word): word for word in (*DOUBLED, *READ["contracts"], *ENGLISH)},
}
"""The words for contracts, as people write them, by what `folded` makes of them."""
_SPELLINGS = {
    **{
        folded(word): each.name
        for each in CONTRACTS.values()
        for word in (each.name, each.title, HUNGARIAN[each.title])
    },
    **{folded(word): named for word, named in (READ["contracts"] | ENGLISH).items()},
    **dict(zip(DOUBLED, DOUBLED, strict=True)), "durchmars": "durchmars",
}  # fmt: skip
_MARKS = {
    folded(word): mark
    for mark, words in (
        ("open", ("open", *READ["open"])),
        ("plain", ("plain", "colourless", *READ["plain"])),
        ("trump", ("trump", "coloured", *READ["coloured"])),
        ("", ("and", "with", "in", "a", *READ["between"])),
    )
    for word in words
}
"""Words beside contracts: what they say of a durchmars or a betli; empty for nothing."""
_SUITS = {
    folded(word): SUITS[suit]
    for words in (SUIT_NAMES, READ["suits"], ("red",))
    for suit, word in enumerate(words)
}
_KNOWN = {*_SPELLINGS, *_MARKS, *_SUITS}
LONGEST = 6
"""Words of the longest name."""


@frozen
class Call:
    """A bid as players say it: its contracts, and what goes with them."""

    contracts: tuple[str, ...]
    """By dragon's names, without those that are not understood."""
    trump: str | None = None
    """H, L, A or B, if a suit is named."""
    open: bool = False
    """True if the hand is laid open."""
    doubled: str = ""
    """A name such as rebetli, played as betli for twice the stakes."""
    unknown: str = ""
    """The first words that are not understood."""

    @property
    def name(self) -> str:
        """The contracts' names, joined with `+`."""
        return "+".join(self.contracts)


def said(text: str, trump: str | None = None) -> Call:
    """Read a bid: contracts in either language, a suit, and words such as open and plain.

    `durchmars` alone is the plain one, and with a trump or others the one with a trump. A betli in
    hearts is a rebetli.

    >>> said("piros 40-100 ulti")
    Call(contracts=('forty_hundred', 'ulti'), trump='H', open=False, doubled='', unknown='')
    >>> said("terített betli").open, said("4 ász és durchmars").name
    (True, 'four_aces+durchmars_trump')
    """
    for sign, suit in SIGNS.items():
        text = text.replace(sign, f" {SUIT_NAMES[suit]} ")
    words = [word for word in re.split(r"[\s+,_/&\u2013-]+", text) if folded(word)]
    contracts, suits = [], {}
    unknown = "+" if "+" in text and not all(map(str.strip, text.split("+"))) else ""
    marks: dict[str, str] = {}
    while words:
        sizes = range(min(len(words), LONGEST), 0, -1)
        n = next((n for n in sizes if folded("".join(words[:n])) in _KNOWN), 1)
        key, word = folded("".join(words[:n])), " ".join(words[:n])
        if key in _SPELLINGS:
            contracts.append(_SPELLINGS[key])
        elif key in _SUITS:
            suits[_SUITS[key]] = word
        elif key in _MARKS:
            marks[_MARKS[key]] = word
        else:
            unknown = unknown or word
        del words[:n]
    return _called(contracts, suits, marks, unknown, trump)


def _called(
    contracts: list[str], suits: dict[str, str], marks: dict[str, str], unknown: str,
    trump: str | None,
) -> Call:  # fmt: skip
    """Return the bid of words that are understood; what does not go with the rest is unknown."""
    coloured = len(contracts) > 1 or bool(suits or trump or "trump" in marks)
    kind = "durchmars_trump" if coloured and "plain" not in marks else "durchmars_no_trump"
    doubled = next((word for word in contracts if word in DOUBLED), "")
    named = [DOUBLED.get(word, kind if word == "durchmars" else word) for word in contracts]
    if named == ["betli"] and suits.keys() == {"H"}:
        doubled, suits = "rebetli", {}
    free = {"betli", "durchmars_no_trump", "durchmars_trump"} & {*named}
    odd = [*suits.values()][1:] + [marks[mark] for mark in ("open",) if mark in marks and not free]
    if "plain" in marks and "durchmars_no_trump" not in named:
        odd.append(marks["plain"])
    return Call(
        tuple(named), next(iter(suits), None), "open" in marks, doubled,
        unknown or next(iter(odd), "")
    )  # fmt: skip


def canonical(names: str) -> str:
    """Return contracts by dragon's names, given those that people use; see `said`.

    A text that is not understood stays, and one that names a suit.

    >>> canonical("40-100 + ulti"), canonical("négy ász és durchmars"), canonical("rebetli")
    ('forty_hundred+ulti', 'four_aces+durchmars_trump', 'betli')
    """
    call = said(names)
    return names if call.unknown or call.trump or not call.contracts else call.name


@frozen
class Bid:
    """One contract or several at once, which must all be made."""

    parts: tuple[Contract, ...]
    order: str

    @property
    def name(self) -> str:
        """The contracts' names, joined with `+`."""
        return "+".join(part.name for part in self.parts)

    @property
    def title(self) -> str:
        """The contract in words of the chosen language."""
        return tr(" and ").join(tr(part.title) for part in self.parts)

    @property
    def trump(self) -> bool:
        """True if there is a trump."""
        return self.parts[0].trump

    @property
    def need(self) -> int:
        """Units that the declarer needs; 0 where points do not count."""
        return max(part.need for part in self.parts)

    @property
    def goals(self) -> frozenset[str]:
        """The conditions besides the units."""
        return frozenset(part.goal for part in self.parts if part.goal)

    @property
    def weds(self) -> bool:
        """True if marriages can count: it is a party, and no hundred counts its own beside it."""
        parts = {part.name for part in self.parts}
        return not parts.isdisjoint(PARTIES) and parts.isdisjoint(HUNDREDS)

    def unmet(self, deal: Deal, trump: int, marriage: str) -> str:
        """Return the condition of the bid that a full deal fails, as a sentence; empty if none."""
        checks = (PREREQUISITES[part.requires] for part in self.parts if part.requires)
        return next(filter(None, (check(deal, trump, marriage) for check in checks)), "")


def bid(names: str, durchmars_order: str = "ace-ten") -> Bid:
    """Return the bid of names joined with `+`; raise ValueError if they do not go together."""
    call = said(names)
    if call.unknown or not call.contracts:
        raise ValueError(no_contract(call.unknown, names))
    if call.trump:
        raise ValueError(
            tr(
                "{names!r} names a suit, which is the trump; write trump={suit!r} beside the "
                "contract",
                names=names, suit=call.trump,
            )
        )  # fmt: skip
    parts = []
    for word in call.contracts:
        if CONTRACTS[word] in parts:
            word = tr(CONTRACTS[word].title)
            raise ValueError(tr("{names!r} names {word} twice", names=names, word=word))
        parts.append(CONTRACTS[word])
    parts.sort(key=lambda part: part.code)
    orders = [durchmars_order if part.name == "durchmars_trump" else part.order for part in parts]
    for (one, a), (other, b) in pairwise(zip(parts, orders, strict=True)):
        both = {"one": tr(one.title), "other": tr(other.title)}
        if one.trump != other.trump:
            raise ValueError(tr("{one} and {other} do not go together: one has a trump", **both))
        if a != b:
            raise ValueError(
                tr(
                    "{one} and {other} do not go together: cards rank {a} in one, {b} in the other",
                    **both, a=a, b=b,
                )
            )  # fmt: skip
    made = Bid(tuple(parts), orders[0])
    if made.goals >= {"none", "all"}:
        raise ValueError(tr("betli and durchmars do not go together: no trick, and every trick"))
    return made


def no_contract(word: str, whole: str) -> str:
    """Return the sentence that a word of a bid names no contract, with the nearest that does."""
    word = word or whole.strip()
    if folded(word) in _MARKS | _SUITS:
        return tr(
            "{word!r} does not go with the rest of {whole!r}; it stands beside a contract, as in "
            "'piros ulti' and 'terített betli'",
            word=word, whole=whole.strip(),
        )  # fmt: skip
    near = closest(folded(word), _PRINTED) or closest(folded(whole), _PRINTED)
    hint = "" if near is None else tr("; did you mean {word!r}?", word=_PRINTED[near])
    known = ", ".join(tr(each.title) for each in CONTRACTS.values())
    return tr(
        "there is no contract {word!r}{hint} ({known}; + joins several)",
        word=word, hint=hint, known=known,
    )  # fmt: skip


# ---- prerequisites: each says what is missing, or nothing -------------------------------------


def forty(deal: Deal, trump: int, marriage: str) -> str:
    """40-100 needs the marriage in trump."""
    cards = [8 * trump + value for value in MARRIAGES[marriage]]
    return _missing(deal, cards, tr("40-100 needs the trump marriage"))


def twenty(deal: Deal, trump: int, marriage: str) -> str:
    """20-100 needs a marriage in another suit."""
    suits = [suit for suit in range(4) if suit != trump]
    pairs = [[8 * suit + value for value in MARRIAGES[marriage]] for suit in suits]
    if any(set(pair) <= {*deal.hands[0]} for pair in pairs):
        return ""
    ways = " or ".join("+".join(map(name, pair)) for pair in pairs)
    return tr(
        "20-100 needs a marriage other than in trump ({ways}), and seat 0 holds none", ways=ways
    )


def aces(deal: Deal, trump: int, marriage: str) -> str:
    """Four aces need the trump ace in hand and every other in some hand."""
    return _missing(deal, [8 * trump + ACE], tr("four aces need the trump ace")) or _in_talon(
        deal, ACE, tr("four aces cannot be taken")
    )


def tens(deal: Deal, trump: int, marriage: str) -> str:
    """Four tens need every ten in some hand."""
    return _in_talon(deal, TEN, tr("four tens cannot be taken"))


def seven(deal: Deal, trump: int, marriage: str) -> str:
    """Ulti needs the trump 7."""
    return _missing(deal, [8 * trump + SEVEN], tr("ulti needs the trump 7"))


PREREQUISITES: dict[str, Callable[[Deal, int, str], str]] = {
    each.__name__: each for each in (forty, twenty, aces, tens, seven)
}


def _missing(deal: Deal, cards: Iterable[int], what: str) -> str:
    missing = tr(" and ").join(name(each) for each in cards if each not in deal.hands[0])
    return missing and tr("{what}, and seat 0 does not hold {cards}", what=what, cards=missing)


def _in_talon(deal: Deal, value: int, what: str) -> str:
    lying = [name(each) for each in deal.talon if each & 7 == value]
    cards = tr(" and ").join(lying)
    if len(lying) > 1:
        return tr("{what}: {cards} lie in the talon", what=what, cards=cards)
    return cards and tr("{what}: {cards} lies in the talon", what=what, cards=cards)


def announcement(hand: Iterable[int], trump: int) -> str:
    """Return a player's announcement of marriages in a hand: each worth 40 or 20 points.

    >>> announcement((5, 6, 13, 14), 0)
    '40 20'
    """
    units = marriages(hand, trump)
    forty = {8 * trump + OVER, 8 * trump + KING} <= {*hand}
    twenties = (units - 4 * forty) // 2
    return " ".join(["40"] * forty + ["20"] * twenties) or "none"


def trump_name(trump: int) -> str:
    """Return the suit in words."""
    return tr("no trump") if trump == NO_TRUMP else f"{tr(SUIT_NAMES[trump])} ({SUITS[trump]})"
