"""The language of what is printed for people: English, or Hungarian where that is asked for.

JSON and notation are the same in both. Hungarian of what is refused: `dragon_ulti.refusals`.

>>> with speaking("hu"):
...     tr("{n} units", n=3)
'3 egység'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from dragon.errors import BadNotation
from dragon_ulti.refusals import REFUSALS

LANGUAGES = ("en", "hu")
SPOKEN: ContextVar[str] = ContextVar("the language of Ulti", default="en")


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Within, `tr` speaks this language."""
    before = SPOKEN.set(language)
    try:
        yield
    finally:
        SPOKEN.reset(before)


def tr(text: str, /, **values: Any) -> str:
    """A text in the language that is spoken, with values in the place of its {names}."""
    found = HUNGARIAN.get(text, text) if SPOKEN.get() == "hu" else text
    return found.format(**values) if values else found


def bad_notation(text: str, /, **values: Any) -> BadNotation:
    """The error that says this; see `tr`."""
    return BadNotation(tr(text, **values))


HUNGARIAN = REFUSALS | {
    # suits, seats, contracts
    "hearts": "piros",
    "leaves": "zöld",
    "acorns": "makk",
    "bells": "tök",
    "no trump": "adu nélkül",
    "trump": "adu",
    "declarer": "felvevő",
    "seat 0": "felvevő",
    "seat 1": "1. védő",
    "seat 2": "2. védő",
    "talon": "talon",
    "on the table": "az asztalon",
    "contract": "bemondás",
    "party": "parti",
    "party without trump": "parti adu nélkül",
    "40-100": "40-100",
    "20-100": "20-100",
    "four aces": "négy ász",
    "four tens": "négy tízes",
    "ulti": "ulti",
    "betli": "betli",
    "plain durchmars": "színtelen durchmars",
    "trump durchmars": "színes durchmars",
    " and ": " és ",
    # verdicts
    "made": "megvan",
    "fails": "elbukik",
    "failed": "elbukott",
    "unknown": "nem tudni",
    "lost": "veszett",
    "best": "legjobb",
    "best play": "a legjobb játék",
    "1 unit": "1 egység",
    "{n} units": "{n} egység",
    "{n} of {need} units": "{n} egység a szükséges {need} közül",
    "{nodes} nodes in {seconds} s": "{nodes} csomópont, {seconds} mp",
    "interrupted: this is what is known so far": "félbeszakítva: eddig ennyi derült ki",
    "a prerequisite is unmet": "hiányzik egy feltétele",
    "the limit came first": "lejárt az idő",
    "not reached: interrupted": "nem jutott rá sor: félbeszakítva",
    # prerequisites
    "40-100 needs the trump marriage": "a 40-100-hoz az adu felső és király kell",
    "20-100 needs a marriage other than in trump ({ways}), and seat 0 holds none": (
        "a 20-100-hoz felső és király kell egy másik színből ({ways}), és a felvevőnek nincs"
    ),
    "four aces need the trump ace": "a négy ászhoz az adu ász kell",
    "four aces cannot be taken": "a négy ász nem üthető be",
    "four tens cannot be taken": "a négy tízes nem üthető be",
    "ulti needs the trump 7": "az ultihoz az adu hetes kell",
    "{what}, and seat 0 does not hold {cards}": "{what}, és a felvevőnél nincs: {cards}",
    "{what}: {cards} lies in the talon": "{what}: {cards} a talonban van",
    "{what}: {cards} lie in the talon": "{what}: {cards} a talonban van",
    # play, trick by trick
    "round": "ütés",
    "taken by": "viszi",
    "the hands, with the round of each card": "a lapok, és hogy hányadik ütésben mentek ki",
    "best play, with > who leads and * who takes the trick": (
        "a legjobb játék; > hívás, * viszi az ütést"
    ),
    "the refutation, with > who leads and * who takes the trick": (
        "a cáfolat; > hívás, * viszi az ütést"
    ),
    "all of play": "az egész lejátszás",
    "units": "egység",
    "aces": "ász",
    "tens": "tízes",
    "trump 7": "adu 7",
    "decided in round {round}: {how}": "eldőlt a(z) {round}. ütésben: {how}",
    # reviews
    "at first": "kezdetben",
    "mistake": "hiba",
    "mistake: it loses {cost}": "hiba: {cost} veszteség",
    "and the contract is made": "és megvan a bemondás",
    "and the contract fails": "és elbukik a bemondás",
    "which cards are right is unknown": "hogy melyik lap jó, nem tudni",
    "right: {cards}": "jó: {cards}",
    "not judged": "nem értékelve",
    "not over; with best play from here: {verdict}": (
        "nincs vége; innen a legjobb játékkal: {verdict}"
    ),
    "1 mistake": "1 hiba",
    "{n} mistakes": "{n} hiba",
    "{cost} lost": "{cost} veszteség",
    "{n} cards not judged": "{n} lap nincs értékelve",
    "after the decision, not judged": "az eldőlés után, értékelés nélkül",
    # advice
    "discard": "skart",
    "made, open": "nyíltan",
    "stakes": "tét",
    "deals": "osztás",
    "{bid}: made in {share} of {n} deals if all cards lie open, "
    "{stakes} {unit} from each defender": (
        "{bid}: ha minden lap nyílt, {n} osztás {share}-ában van meg; {stakes} {unit} védőnként"
    ),
    "made, open: all see every card and play perfectly, as nobody does at a table. "
    "Compare bids by it; it is no promise.": (
        "nyíltan: mindenki lát minden lapot, és hibátlanul játszik, ahogy asztalnál senki. "
        "A bemondások összevetésére jó, ígéretnek nem."
    ),
    "discard {cards}, then {bid}": "talonba {cards}, és {bid}",
    "with {cards} discarded": "ha {cards} a talonba kerül",
    "nothing was looked at": "egy osztás sem került sorra",
    "never made in these deals: {bids}": "ezekben az osztásokban sosem volt meg: {bids}",
    "cannot be bid: {bids}": "nem mondható be: {bids}",
    "several contracts at once are lost if one of them is": (
        "az együtt bemondottakból egyetlen bukás is az egész bukása"
    ),
    "stakes in {unit} from each defender, by {source}": "tét védőnként, {unit}; forrás: {source}",
    "the values of common tables": "a szokásos értékek",
    "points": "pont",
    "{n} deals are possible": "{n} osztás lehetséges",
    "interrupted: this is what was known by then": "félbeszakítva: addig ennyi derült ki",
    "out of time: this is what was known by then": "lejárt az idő: addig ennyi derült ki",
}
"""Hungarian of each text that `tr` is given."""
