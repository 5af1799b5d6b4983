"""The grammar of a line of a deck list: copies and a name, a heading, or a remark.

No card is known here, and a name may look like a count (`Harpie Lady 3`), so that a line has
several readings, the plainest first; `decks` takes the first whose name is a card. The words that a
reading leaves out are its `left`, which is reported.

>>> [(r.copies, r.name, r.left) for r in readings("- 3x Card (2)")][:3]
[(1, '3x Card (2)', ''), (3, 'Card (2)', ''), (2, '3x Card', '')]
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from functools import partial

from attrs import evolve, frozen

from dragon_cards.names import unaccented

MAIN, EXTRA, SIDE = SECTIONS = ("main", "extra", "side")
GROUP, TOTAL, ASIDE = "group", "total", "aside"
"""Headings besides those of SECTIONS: a kind of cards; the number of all; cards outside the deck,
such as a commander, and cards that are only thought of.
"""
MAGIC, POKEMON, HEARTHSTONE = "Magic", "Pokémon", "Hearthstone"
SIZES = {"": 40, MAGIC: 60, POKEMON: 60, HEARTHSTONE: 30}
"""The usual sizes of decks; Yu-Gi-Oh!, whose cards alone are known, has the empty name."""

LONGEST = 250
"""The most letters of a card with the text beside it."""

# ---- readings ----------------------------------------------------------------------------------

_X = "[xX\u00d7\u2715\u2716\u2a2f\u0445\u0425*]"
_N = r"(\d{1,3})"
_UNIT = r"(?:copies|copy|cards?|pcs\.?|pieces|times)"
_BEFORE = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_N}\s+(?!{_X}\s|[-\u2013\u2014:;,|=]\s)(.+)",
        rf"{_N}\s*{_X}\s*[-\u2013\u2014:.]?\s+(.+)",
        rf"{_X}\s?{_N}\s*[-\u2013\u2014:.]?\s+(.+)",
        rf"[\[({{<]\s*{_X}?\s*{_N}\s*{_X}?\s*[\])}}>]\s*[-\u2013\u2014:]?\s*(.+)",
        rf"{_N}\s*(?:[:;|=]\s*|,\s*(?=\D)|[-\u2013\u2014]+>?\s+)(.+)",
        rf"{_N}\s*(?:copy\s+)?of\s+(.+)",
        rf"{_N}\s*(?:copies|pcs\.?|pieces)\s+(?:of\s+)?(.+)",
        rf"{_N}{_X}(?=[^\W\d_])(.+)",
    )
]
"""The copies before a name."""
_WORDS = ("one", "two", "three", "four")
_WORDY = re.compile(rf"({'|'.join(_WORDS)})\s+(?:copies\s+of\s+)?(.+)", re.IGNORECASE)
_AFTER = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(.+?)(?:\s+|\s*[-\u2013\u2014:,;=|]\s*|(?<=\w)(?=[\u00d7\u2715\u2716*])){_X} *{_N}",
        rf"(.+?)(?:\s+|\s*[-\u2013\u2014:,;=|]\s*){_N}\s*(?:{_X}|{_UNIT})",
        rf"(.+?)\s*[-\u2013\u2014:]?\s*[\[({{<]\s*{_X}?\s*{_N}\s*{_X}?\s*{_UNIT}?\s*[\])}}>]",
        rf"(.+?)(?:(?!(?<=\d),\d)\s*[:;=|,\t]\s*|\s+[-\u2013\u2014]+>?\s*|\s*(?:[.…_]\s?){{2,}}\s*){_N}",
    )
]
"""The copies after a name."""
_BARE = re.compile(rf"(.+?)\s+{_N}")
_CODE = re.compile(r"(\d{4,})\s+(\d{1,2})")
_ORDINAL = re.compile(r"(\d{1,3})[.)]\s+(\S.*)")
_SIGNED = re.compile(r"([-+\u2212])(\d.*)")
_BULLET = re.compile(
    r"(?:>\s*)*"
    r"(?:[-\u2013\u2014*+]\s+|[^\w\s!-~\u00ab\u00bb\u00d7\u2013-\u201e\u2212\u2715\u2716]\s*)*"
    r"(?:\[[ xX✓✔]?\]\s+)?"
)
_LINKED = re.compile(r"\[([^\[\]]+)\]\([^()\s]*\)|\[\[([^\[\]]+)\]\]|\{\{([^{}]+)\}\}")
_HIDDEN = re.compile("[\u200b-\u200f\u2060\ufeff\ufe0f\u00ad]")
_PRINT = re.compile(
    r"\s*(?:[\[(](?=[^)\]]*[A-Z])(?!X?\d+X?[\])])[A-Z0-9]{2,6}(?:[-:][A-Z]{0,3}\d*)?[\])](?:\s+[A-Z]{0,4}-?\d+[a-z★†]?)?"
    r"|\s\([a-z0-9]{3,5}\)\s\d+[a-z★†]?(?:\s\*F\*)?(?:\s\[[^\[\]]*\])?|\s[A-Z0-9]{3,4}-[A-Z]{2}\d{3}"
    r"|\|[A-Z0-9]{2,6}(?:\|\d+)?|\s\*[FE]\*|\s\((?:F|foil)\)"
    r"|\s(?:[A-Z][A-Z0-9]{1,3}(?:-[A-Z]{2,3})?|(?<=Energy\s)Energy|[A-Z]{2,3}Energy)\s[A-Z]{0,3}\d{1,3}[a-z]?(?:\sPH)?)"
)
"""The set and the number of a print, as Arena, Moxfield, Archidekt, Forge, Pokémon TCG Live and
databases of Yu-Gi-Oh! write them."""
_PRINT_BEFORE = re.compile(r"\[(?=\w*[A-Z])[A-Z0-9]{2,6}(?:[:#]\w+)?\]\s+(.+)")
_ENERGY = re.compile(
    r"((?:Basic .+|Grass|Fire|Water|Lightning|Psychic|Fighting|Darkness|Metal|Fairy)"
    r" Energy)\s\d{1,3}"
)
_REMARK = re.compile(r"(.+?)\s+(#(?!\d).*|//.*|--.*)")
_ASIDE = re.compile(
    r"(.*?)\s*([(\[{<][^()\[\]{}<>]*[)\]}>])\s*(.*)"
    r"|(.+?)(\s+[-\u2013\u2014]\s.*|:\s.*|\s*[|\t].*|\s+\(?(?:https?://|www\.)\S+|\s+[$€£]\s?\d.*)"
)
_GLUED = re.compile(rf"(.+[a-z.!)])x{_N}")
_MARKED = re.compile(
    r"\s*(?:\*(CMDR)\*|\[(?:[^\[\]]*[,{}])?(commander|maybeboard|considering|sideboard)\b[^\[\]]*\])",
    re.IGNORECASE,
)
_CELL = re.compile(rf"{_X}?\s*{_N}\s*{_X}?")
_HERO = re.compile(r"#?\s*(\d{1,2})x \(\d+\) (.+)")
_QUOTES = {'""', "\u201c\u201d", "\u201e\u201c", "«»", "''", "\u2018\u2019", "**", "__"}
_XML = re.compile(r"<\s*(?:cards?|Cards)\b[^>]*>")
_KEY = re.compile(r"(\w+)\s*=\s*\"([^\"]*)\"")


@frozen
class Reading:
    """A way to read a line."""

    name: str
    count: int | None = None
    """The number of copies; None if none is written."""
    left: str = ""
    """The part that is not understood."""
    plain: bool = True
    """False if a part was taken for a remark, or a number at the end for copies."""

    @property
    def copies(self) -> int:
        """The number of copies; 1 where none is written."""
        return 1 if self.count is None else self.count


def cleaned(line: str) -> str:
    """Return a line without invisible characters, HTML entities and marks of Markdown.

    >>> cleaned("3x **Ash Blossom &amp; Joyous Spring**")
    '3x Ash Blossom & Joyous Spring'
    """
    line = _HIDDEN.sub("", _unescaped(line))
    line = _LINKED.sub(lambda found: next(filter(None, found.groups())), line)
    for mark in ("**", "__", "~~", "`"):
        line = line.replace(mark, "")
    return re.sub(r"\s+", lambda found: "\t" if "\t" in found[0] else " ", line).strip()


def readings(line: str) -> Iterator[Reading]:
    """Yield the readings of a cleaned line, the plainest first; the first is the whole of it."""
    body = line[_BULLET.match(line).end() :] or line  # type: ignore[union-attr]
    body = body.strip("|").strip() or body
    if signed := _SIGNED.fullmatch(body):
        found = [Reading(signed[2], left=signed[1])]
    else:
        found = [Reading(_unquoted(body))]
    found += _row(body) if len(body) <= LONGEST else []
    for each in found:
        yield each
        if len(found) < 40 and len(body) <= LONGEST:
            found += (more for more in _simpler(each) if more not in found)


def _row(body: str) -> list[Reading]:
    """Return the reading of a row of a table without a head: a name, and one cell with copies."""
    cells = [cell.strip() for cell in re.split(r"[|\t]", body)]
    counts = [found for cell in cells if (found := _CELL.fullmatch(cell))]
    names = [cell for cell in cells if not _CELL.fullmatch(cell)]
    if len(counts) != 1 or len(cells) < 3 or not names or is_counted(names[0]):
        return []
    left = " | ".join(filter(None, names[1:]))
    return [Reading(_unquoted(names[0]), int(counts[0][1]), left, plain=not left)]


def is_counted(name: str) -> bool:
    """Return True if copies seem to be written in a name, other than by a bare number after it."""
    if len(name) > LONGEST:
        return False
    return any(pattern.fullmatch(name) for pattern in (*_BEFORE, *_AFTER, _CODE))


def bare(reading: Reading) -> Reading | None:
    """Return the reading in which a bare number at the end counts copies: `Card 3`."""
    if reading.count is not None or len(reading.name) > LONGEST:
        return None
    found = _BARE.fullmatch(reading.name)
    return found and evolve(reading, name=found[1], count=int(found[2]), plain=False)


def _simpler(given: Reading) -> Iterator[Reading]:
    """Yield the readings with one thing less in the name."""
    name = given.name
    for pattern in _BEFORE:
        if found := pattern.fullmatch(name):
            yield _counted(given, int(found[1]), found[2], found[1])
    for pattern in (*_AFTER, _CODE):
        if found := pattern.fullmatch(name):
            yield _counted(given, int(found[2]), found[1], name[found.end(1) :].strip())
    if (found := _GLUED.fullmatch(name)) and given.count is None:
        yield evolve(given, name=found[1], count=int(found[2]), plain=False)
    if (found := _WORDY.fullmatch(name)) and given.count is None:
        count = _WORDS.index(found[1].lower()) + 1
        yield evolve(given, name=found[2], count=count, plain=False)
    for pattern in (_PRINT_BEFORE, _ENERGY):
        if (found := pattern.fullmatch(name)) and given.count is not None:
            yield evolve(given, name=found[1])
    printed = [found for found in _PRINT.finditer(name) if found.start()]
    if printed and printed[-1].end() == len(name):
        yield evolve(given, name=name[: printed[-1].start()])
    if found := _REMARK.fullmatch(name):
        rest = "" if found[2][0] == "#" else found[2]
        left = f"{given.left} {rest}".strip()
        yield evolve(given, name=found[1], left=left, plain=given.plain and not rest)
    if found := _ASIDE.fullmatch(name):
        before, said, after, head, tail = found.groups()
        cuts = [(head, tail)] if head else [(f"{before} {after}".strip(), said)]
        cuts += [(f"{before} {said}", after)] if before and after else []
        for rest, cut in cuts:
            if rest and given.left != cut.strip():
                left = f"{given.left} {cut.strip()}".strip()
                yield evolve(given, name=rest, left=left, plain=False)


def _unescaped(text: str) -> str:
    if "&" not in text:
        return text
    from html import unescape  # a millisecond, for lists that were copied from a page

    return unescape(text)


def _counted(given: Reading, count: int, name: str, text: str) -> Reading:
    """Return a reading with this count; of two that differ the second is left over."""
    name = _unquoted(name.strip())
    if given.count in (None, count):
        return evolve(given, name=name, count=count)
    return evolve(given, name=name, left=f"{given.left} {text}".strip())


def _unquoted(text: str) -> str:
    """Return a text without quotation marks, or stars of Markdown, around all of it."""
    inner = text[1:-1]
    if inner and text[0] + text[-1] in _QUOTES and text[0] not in inner:
        return inner.strip()
    return text


def ordinal(line: str) -> tuple[int, str] | None:
    """Return the number and the rest of a line such as `3. Card` or `3) Card`."""
    found = _ORDINAL.fullmatch(line[_BULLET.match(line).end() :])  # type: ignore[union-attr]
    return found and (int(found[1]), found[2])


def hero(line: str) -> Reading | None:
    """Return the card of a line `# 2x (1) Name`, as Hearthstone copies a deck."""
    found = _HERO.fullmatch(line)
    return found and Reading(found[2].strip(), int(found[1]))


def marked(line: str) -> tuple[str, str]:
    """Return a line without the mark of a section that sites put after a card, and the section.

    >>> marked("1x Atraxa (c16) 28 [Commander{top}]"), marked("2 Duress")
    (('1x Atraxa (c16) 28', 'aside'), ('2 Duress', ''))
    """
    if not (found := _MARKED.search(line)):
        return line, ""
    side = (found[2] or "").casefold() == "sideboard"
    return line[: found.start()] + line[found.end() :], SIDE if side else ASIDE


def element(line: str) -> tuple[Reading, bool] | None:
    """Return the card of an element of a .dek or .cod file, and True if it is of the sideboard."""
    if not (found := _XML.search(line)):
        return None
    keys = {key.lower(): _unescaped(value) for key, value in _KEY.findall(found[0])}
    count, name = keys.get("quantity", keys.get("number", "")), keys.get("name", "")
    if not (count.isdecimal() and len(count) < 4 and name):
        return None
    return Reading(name, int(count)), keys.get("sideboard", "").lower() == "true"


def several(line: str) -> list[str]:
    """Return the cards of a line that has several with copies: `3 Card, 2x Other`.

    >>> several("3 Nibiru, the Primal Being, 2 Card"), several("Card x3; Other x2")
    (['3 Nibiru, the Primal Being', '2 Card'], ['Card x3', 'Other x2'])
    """
    if re.match(rf"{_N}\s*{_X}?\s+\D", line):
        return re.split(rf"\s*[,;]\s+(?=\d{{1,3}}\s*{_X}?\s+[^\d\s])", line)
    if re.search(rf"\s{_X}\s?\d{{1,3}}$", line):
        return re.split(r"(?<=[xX\u00d7*]\d)\s*[,;]\s+|(?<=[xX\u00d7*]\d\d)\s*[,;]\s+", line)
    return [line]


# ---- tables ------------------------------------------------------------------------------------

_NAME = {"name", "card", "card name", "cardname", "cards", "title"}
_QTY = {"qty", "cardq", "quantity", "count", "copies", "amount", "number", "#", "no", "no.", "x",
        "num"}  # fmt: skip
"""The names of columns."""
Table = Callable[[str], list[Reading] | None]
"""The reader of the rows of a table: no reading for a ruler, None for a line of another kind."""


def table(line: str) -> Table | None:
    """Return the reader of the rows below the head of a table, if that is what a line is."""
    for mark in ("|", "\t", ",", ";"):
        head = [cell.casefold() for cell in _cells(line, mark)]
        name = next((i for i, cell in enumerate(head) if cell in _NAME), None)
        qty = next((i for i, cell in enumerate(head) if cell in _QTY), None)
        if name is not None and qty is not None:
            return partial(_table_row, mark, name, qty, len(head))
    return None


def _table_row(mark: str, name: int, qty: int, most: int, line: str) -> list[Reading] | None:
    cells = _cells(line, mark)
    if not any(map(str.isalnum, line)):
        return []
    count = cells[qty].strip("xX\u00d7* ") if len(cells) > max(name, qty) else ""
    if not count.isdecimal() or len(count) > 3 or not cells[name]:
        return None
    return [Reading(cleaned(cells[name]), int(count), mark.join(cells[most:]))]


def _cells(line: str, mark: str) -> list[str]:
    line = line.strip().strip("|") if mark == "|" else line
    try:
        cells = next(csv.reader([line], delimiter=mark, skipinitialspace=True), [])
    except csv.Error:
        cells = line.split(mark)
    return [cell.strip() for cell in cells]


# ---- headings ----------------------------------------------------------------------------------

_HEADING = re.compile(
    r"(?:(\d{1,3})\s+)?([^\d]*?)\s*[-\u2013\u2014:=(\[]*\s*(?:(\d{1,3})(?:\s*/\s*\d{1,3})?\s*(?:cards?)?)?"
    r"[)\]]*\s*:?",
    re.IGNORECASE,
)
_NAMED = {
    **dict.fromkeys(("main", "deck", "decklist", "list", "mainboard", "library"), MAIN),
    **dict.fromkeys(("extra", "extradeck", "fusion deck"), EXTRA),
    **dict.fromkeys(("side", "sideboard", "sidedeck", "sb"), SIDE),
    **dict.fromkeys(("maindeck", "main board", "my deck", "the deck"), MAIN),
    **dict.fromkeys(("side board",), SIDE),
    **dict.fromkeys(
        ("commander", "commanders", "companion", "maybeboard", "considering", "tokens", "token"),
        ASIDE,
    ),
    **dict.fromkeys(
        ("total", "totals", "total cards", "cards", "cards total", "cards in total", "total main",
         "size", "deck size", "number of cards", "cards in deck", "card count", "total deck"),
        TOTAL,
    ),
}  # fmt: skip
_NOUNS = {
    **dict.fromkeys(
        ("monster", "monsters", "spell", "spells", "trap", "traps", "magic", "s/t", "rituals",
         "pendulums", "equips", "tuners"), ""),
    **dict.fromkeys(
        ("creature", "creatures", "land", "lands", "instant", "instants", "sorcery", "sorceries",
         "artifact", "artifacts", "enchantment", "enchantments", "planeswalker", "planeswalkers",
         "battles"), MAGIC),
    **dict.fromkeys(
        ("pokemon", "trainer", "trainers", "energy", "energies", "items", "supporter", "supporters",
         "stadium", "stadiums", "tools"), POKEMON),
    **dict.fromkeys(("minion", "minions", "weapons", "locations"), HEARTHSTONE),
}  # fmt: skip
"""The kinds of cards that lists are divided into, with the game that says so."""
_ABOVE = {"fusion", "fusions", "synchro", "synchros", "xyz", "link", "links"}
"""The kinds of monsters in the extra deck."""
_KINDS = _ABOVE | {
    "effect", "normal", "ritual", "pendulum", "tuner", "flip", "gemini", "union", "spirit", "toon",
    "quick", "play", "continuous", "field", "equip", "counter", "legendary", "basic",
    "nonbasic", "special", "other", "main", "extra", "side", "deck", "pokemon", "trainer",
}  # fmt: skip
_SOFT = {
    "starters", "extenders", "handtraps", "hand traps", "board breakers", "boardbreakers",
    "garnets", "bricks", "staples", "techs", "tech", "engine", "non engine", "removal", "ramp",
    "combo pieces", "searchers", "floodgates", "draw", "utility", "going first", "going second",
}  # fmt: skip
"""The groups of players, which a list may count as if each were a card."""
_ABOUT = re.compile(
    r"(?:deck\s?name|name|title|author|format|class|created by|date|event|player|price|source)\s*:"
    r"\s*\S.*|about|deck list generated by.*|pok[eé]mon trading card game deck list"
    r"|to use this deck.*|deck\s*:\s*[^\W\d].*",
    re.IGNORECASE,
)


@frozen
class Heading:
    """A heading of a deck list."""

    kind: str
    """One of SECTIONS, GROUP, TOTAL or ASIDE; empty for a counter such as `15/15`."""
    words: str
    count: int | None = None
    """The number of cards that it states."""
    game: str = ""
    """The game that has such headings, other than Yu-Gi-Oh!."""
    above: bool = False
    """True for monsters of the extra deck."""
    unsure: bool = False
    """True if it may be a card as well: it is a heading if its count is that of the lines below."""


def heading(line: str) -> Heading | None:
    """Return the heading that a line is, if any.

    >>> heading("== Side Deck (15 cards) =="), heading("Extra-Foolish Burial")
    (Heading(kind='side', words='Side Deck', count=15, game='', above=False, unsure=False), None)
    >>> heading("Spells: 10").kind, heading("24 Lands").unsure, heading("15/15").kind
    ('group', True, '')
    """
    if len(line) > 100:
        return None
    stripped = re.sub(r"^[^\w\[(]+", "", line).strip("#!=*-\u2013\u2014_~<>|/\\ \t")
    boxed = re.fullmatch(r"[\[(]([^\[\]()]*)[\])]", stripped)
    inner = (boxed[1] if boxed else stripped).strip()
    if re.fullmatch(r"\d{1,3}\s*/\s*\d{1,3}", inner):
        return Heading("", inner)
    found = _HEADING.fullmatch(inner) if len(inner) < 60 else None
    cut = re.split(r"[,;$€£]", inner)[0]  # `Main Deck (40 cards, $120)`
    whole = found is not None
    found = found or (_HEADING.fullmatch(cut) if any(map(str.isdecimal, cut)) else None)
    if found is None or not any(map(str.isalpha, inner)) or (found[1] and found[3]):
        return None
    title, words = found[2].strip(), " ".join(unaccented(found[2]).replace("-", " ").split())
    count = int(found[1] or found[3]) if found[1] or found[3] else None
    plain = words if words in _NAMED else re.sub(r"\s+(?:cards?|deck)$", "", words)
    kind = _NAMED.get(plain)
    if (kind == TOTAL and count is None) or not (whole or kind in SECTIONS):
        return None
    if kind:
        game = MAGIC if plain in ("commander", "commanders", "companion") else ""
        return Heading(kind, title, count, game, unsure=bool(found[1]) and kind == ASIDE)
    if words in _SOFT:
        return Heading(GROUP, title, count, unsure=count is not None)
    nouns, above = [], False
    joined = re.compile(r"\s*(?:/|&|\+|,|\band\b)\s*")
    for piece in [plain] if plain in _NOUNS else joined.split(plain):
        *kinds, last = piece.split() or [""]
        if not set(kinds) <= _KINDS or not (last in _NOUNS or last in _ABOVE):
            return None
        nouns.append(last)
        above = above or not _ABOVE.isdisjoint((*kinds, last))
    game = next((_NOUNS[noun] for noun in nouns if _NOUNS.get(noun)), "")
    section = SIDE if plain.startswith("side ") else EXTRA if plain.startswith("extra ") else GROUP
    return Heading(section, title, count, game, above, unsure=bool(found[1]))


def is_remark(line: str) -> bool:
    """Return True for a remark, a ruler, or a word about the deck such as `Format: Modern`."""
    stripped = line.strip("*=#- \t")
    return (
        line.startswith(("#", "//"))
        or not any(map(str.isalnum, line))
        or _ABOUT.fullmatch(stripped) is not None
    )
