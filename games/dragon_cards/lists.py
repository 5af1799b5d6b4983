"""A list of cards read line by line, as people write it: headings, tables, codes, and its size.

`lines` reads a line without knowing cards; here a line is given its card, and the counts and the
total that a list states are compared with its cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import evolve, field, frozen

from dragon_cards.card import EXTRA as EXTRA_KIND
from dragon_cards.card import OTHER, Card, Store
from dragon_cards.codes import HERO_CODE, Code, codes_in
from dragon_cards.lines import (
    ASIDE,
    EXTRA,
    GROUP,
    HEARTHSTONE,
    MAGIC,
    MAIN,
    SECTIONS,
    SIDE,
    SIZES,
    TOTAL,
    Heading,
    Reading,
    Table,
    bare,
    cleaned,
    element,
    heading,
    hero,
    is_counted,
    is_remark,
    marked,
    ordinal,
    readings,
    several,
    table,
)  # fmt: skip
from dragon_cards.names import BEGINS, BLANKS, Match

BLANK = Card(0, "other", kind=OTHER)
"""A card that does not matter: `11 other` in a list of names, or a blank of a YAML file's deck."""
LONGEST = 10_000
"""The most letters of a line; it may have several cards."""
_INLINE = re.compile(r"([^\W\d][^\d:]*):\s*(?=\S*\d)(.+)")
"""The cards of a heading on its own line, such as `SB: 2 Duress`."""
_PRINT = re.compile(r"\d\s.*\([A-Z0-9]{3,6}\)\s\d")


@frozen
class Entry:
    """A line of a deck: a card with its copies, or text that is not understood."""

    text: str
    """The name or passcode as it was given, without the copies."""
    copies: int
    """The number of copies; 0 for a line that is not a card."""
    section: str
    """The section, one of SECTIONS."""
    line: int
    """The line number, from 1; 0 for what fills a deck."""
    card: Card | None = None
    """The card; None if it is not known."""
    note: str = ""
    """The mistake in the line, or the reading of it, without its place; often empty."""


def called(entry: Entry) -> str:
    """Return the name of a card; one of which only the passcode is known is `Card 12345678`."""
    if entry.card:
        return entry.card.name
    return f"Card {entry.text}" if entry.text.isdecimal() else entry.text


# ---- lists -------------------------------------------------------------------------------------


@frozen
class _Headed:
    """A heading with its line, and the cards listed after it, up to the next one."""

    heading: Heading
    line: int
    listed: list[int] = field(factory=list)


class CardLines:
    """The lines of a list of cards; no more are read when there are more than `most` cards."""

    def __init__(self, text: str, store: Store, most: int) -> None:
        self.store, self.most = store, most
        self.rest, self.codes, self.beside = _without_codes(
            "\n".join(text.replace("\0", "\ufffd").splitlines())
        )
        self.lines = [cleaned(line) for line in self.rest]
        self.long = [n for n, line in enumerate(self.lines, 1) if len(line) > LONGEST]
        for number in self.long:
            self.lines[number - 1] = "#"
        if "About" in self.lines:  # of Arena, and below it the name of the deck
            at = self.lines.index("About") + 1
            self.lines[at : at + 1] = [
                re.sub("^Name ", "# ", line) for line in self.lines[at : at + 1]
            ]
        self.headed: list[_Headed] = []
        self.game = self._game()
        """The game, where headings or prints show another one than Yu-Gi-Oh!."""
        self.has_code = any(code.cards for _, code in self.codes)
        numbers = [found[0] for line in self.lines if (found := ordinal(line))]
        self.is_numbered = len(numbers) > 1 and numbers == [*range(1, len(numbers) + 1)]

    def entries(self) -> list[Entry]:
        """Return the cards of the list, the notes on its lines, and the blanks that fill it."""
        note = f"not read: more than {LONGEST:,} letters; write a card on each line"
        long = (Entry("", 0, MAIN, number, note=note) for number in self.long)
        found = [*self._coded(), *self._sideboarded([*self._listed()]), *long]
        found.sort(key=lambda entry: entry.line)
        return [*found, *self._counted(found), *self._sized(found)]

    def _game(self) -> str:
        heads = [h.game for h in map(self._heading, self.lines) if h and not h.unsure]
        cards = [line for line in self.lines if line and not heading(line)]
        prints = sum(_PRINT.search(line) is not None for line in cards)
        game = HEARTHSTONE if any(map(hero, cards)) else MAGIC if 2 * prints > len(cards) else ""
        game = game or next(filter(None, heads), "")
        known = [_sure([*readings(line)], None, self.store) for line in cards if game]
        return game if 2 * sum(each is not None for each in known) < len(cards) else ""

    def _heading(self, line: str) -> Heading | None:
        return None if self.store.names.literal(line) is not None else heading(line)

    def _coded(self) -> Iterator[Entry]:
        for line, code in self.codes:
            for section, number in code.cards:
                yield chosen([Reading(str(number))], section, line, self.store)
            for section, note in code.mistakes:
                if code.what != HERO_CODE or self.game != HEARTHSTONE:
                    yield Entry(code.what, 0, section, line, note=note)
        for line, words in self.beside.items():
            if words:
                note = f"beside a link or a code there is {words!r:.60}, which is not read"
                yield Entry("", 0, MAIN, line, note=note)

    def _listed(self) -> Iterator[Entry]:
        """Yield the cards of the lines; headings change the section."""
        section = explicit = MAIN
        rows: Table | None = None
        total = 0
        for number, line in enumerate(self.lines, 1):
            if total > self.most:
                return
            if not line:
                rows = None
            elif number in self.beside or (rows is None and (rows := table(line))):
                continue
            elif (head := self._heading(line)) and self._heads(head, number):
                if head.kind == GROUP:
                    section = EXTRA if head.above and explicit == MAIN else explicit
                elif head.kind in (*SECTIONS, ASIDE):
                    section = explicit = head.kind
                self.headed.append(_Headed(head, number))
            else:
                for entry in self._cards(line, number, section, rows, head):
                    if self.headed:
                        self.headed[-1].listed.append(entry.copies * (entry.card != BLANK))
                    total += entry.copies
                    yield entry if entry.section != ASIDE else _aside(entry)

    def _heads(self, head: Heading, number: int) -> bool:
        """Return True for a heading, False for cards that are called like one, as in `24 Lands`:
        the lines below, up to the next heading or gap, have another number of cards.
        """
        total = 0
        for line in self.lines[number:]:
            if not head.unsure or not line or self._heading(line):
                break
            counted = [r for r in readings(line) if r.count is not None]
            if not any(r.name.casefold() in BLANKS for r in counted):
                total += counted[0].copies if counted else 1
        return not head.unsure or total == head.count

    def _cards(
        self, line: str, number: int, section: str, rows: Table | None, head: Heading | None
    ) -> Iterator[Entry]:
        """Yield the cards of a line; head: the heading that it seems to be."""
        raw = self.rest[number - 1]
        line, apart = marked(line)
        section = apart or section
        if re.fullmatch(r"\W*~~.+~~\W*", raw):  # as Markdown strikes it out
            note = f"{line!r:.60} is struck out, and left out"
            yield Entry(line, 0, section, number, note=note)
        elif heroic := hero(line):
            yield self._entry([heroic], section, number)
        elif len(raw) <= LONGEST and (made := element(raw)):
            yield self._entry([made[0]], SIDE if made[1] else section, number)
        elif rows is not None and (row := rows(raw)) is not None:
            if row:
                yield self._entry(row, section, number)
        elif head is not None:
            group = next(r for r in readings(line) if r.count is not None)
            yield Entry(group.name, group.copies, section, number)
        elif self.store.names.literal(line) is not None:
            yield self._entry([Reading(line)], section, number)
        elif not is_remark(line):
            found = _INLINE.fullmatch(line)
            inline = heading(found[1]) if found else None
            if found and inline and inline.kind in (*SECTIONS, GROUP):
                section = section if inline.kind == GROUP else inline.kind
                line = found[2]
            if given := ordinal(line):
                yield self._numbered(*given, section, number)
            else:
                for part in several(line):
                    yield self._entry([*readings(part)], section, number)

    def _numbered(self, count: int, rest: str, section: str, line: int) -> Entry:
        """Return the card of `3. Card`: a number of the line, or else of copies."""
        if self.is_numbered or is_counted(rest):
            return self._entry([*readings(rest)], section, line)
        entry = self._entry([evolve(r, count=count) for r in readings(rest)], section, line)
        note = f"the number {count} is read as {count} copies; write `{count} {called(entry):.60}`"
        return evolve(entry, note="; ".join(filter(None, (entry.note, note))))

    def _entry(self, given: Sequence[Reading], section: str, line: int) -> Entry:
        """Return the entry of the readings of a line; words beside a code are not cards."""
        entry = chosen(given, section, line, self.store, exactly=bool(self.game))
        if self.has_code and not entry.card and not any(map(str.isdecimal, given[0].name)):
            note = f"{given[0].name!r:.60} is not known, and not read as a card"
            return evolve(entry, copies=0, note=note)
        return entry

    def _sideboarded(self, entries: list[Entry]) -> list[Entry]:
        """Return the entries with the second part of a list without headings as its sideboard.

        That is how Magic Online writes them: 60 cards or more, a gap, and up to 15 cards.
        """
        parts = "\n".join(self.lines).strip("\n").split("\n\n")
        if self.headed or len(parts) != 2 or any(entry.card for entry in entries):
            return entries
        gap = next(
            n for n, line in enumerate(self.lines, 1) if not line and any(self.lines[: n - 1])
        )
        side = [evolve(e, section=SIDE) for e in entries if e.line > gap]
        rest, many = [e for e in entries if e.line < gap], sum(e.copies for e in side)
        if sum(e.copies for e in rest) < SIZES[MAGIC] or not 0 < many <= 15:
            return entries
        note = f"the {many} cards below this gap are read as a sideboard"
        return [*rest, Entry("", 0, MAIN, gap, note=note), *side]

    # ---- the counts of a list ----

    def _stated(self, found: Sequence[Entry]) -> tuple[int, list[tuple[_Headed, int]]]:
        """Return the size of the main deck that headings and totals state, or 0; and the headings
        that state another number of cards than there is, each with that number.
        """
        listed = {each: sum(e.copies for e in found if e.section == each) for each in SECTIONS}
        main, every = listed[MAIN], sum(listed.values())
        sums = {main + listed[EXTRA], main + listed[SIDE], every}
        stated, wrong = 0, []
        for each in self.headed:
            count, kind = each.heading.count, each.heading.kind
            if count is None or kind not in (*SECTIONS, TOTAL):
                continue
            if kind in (EXTRA, SIDE):
                if count != listed[kind]:
                    wrong.append((each, listed[kind]))
            elif count == main or (count > main and (kind == MAIN or every == main)):
                stated = max(stated, count)
            elif count not in sums:
                wrong.append((each, main))
        return stated, wrong

    def _counted(self, found: Sequence[Entry]) -> Iterator[Entry]:
        """Yield notes on headings whose number of cards is not that of the list."""
        _, wrong = self._stated(found)
        main = sum(e.copies for e in found if e.section == MAIN)
        groups = [each for each in self.headed if each.heading.kind == GROUP and each.heading.count]
        empty = [each for each in groups if not sum(each.listed)]
        if sum(each.heading.count or 0 for each in empty) != main:  # else they sum the list up
            for each in empty:
                if not self._below(each):
                    name, count = each.heading.words, each.heading.count
                    note = (
                        f"{name!r} is a heading, and there is no card below it; for cards of that "
                        f"name write `{count}x {name}`"
                    )
                    yield Entry("", 0, MAIN, each.line, note=note)
        wrong += [(e, sum(e.listed)) for e in groups if sum(e.listed) and not self._below(e)]
        for each, has in wrong:
            note = f"says {each.heading.count} cards, and {has} are listed; mend one of the two"
            yield Entry("", 0, MAIN, each.line, note=note)

    def _below(self, group: _Headed) -> bool:
        """Return True if the lines below, up to some later heading, have a group's number."""
        total = 0
        for each in self.headed[self.headed.index(group) :]:
            total += sum(each.listed)
            if total == group.heading.count:
                return True
        return False

    def _sized(self, found: Sequence[Entry]) -> Iterator[Entry]:
        """Yield the blanks that fill the main deck, with a note."""
        main = sum(e.copies for e in found if e.section == MAIN)
        stated, _ = self._stated(found)
        is_whole = any(e.card == BLANK and e.section == MAIN for e in found)
        size = stated or (main if is_whole else SIZES[self.game])
        if 0 < main < size:
            why = "as it states" if stated else "the usual size"
            note = f"{main} of {size} cards, {why}, are listed; {size - main} blanks fill the deck"
            if not stated:
                note += "; write `17 other` for the cards that do not matter, a total, or a size"
            yield Entry(BLANK.name, size - main, MAIN, 0, BLANK, note)


def _aside(entry: Entry) -> Entry:
    """Return the note on a card that is not drawn, such as a commander."""
    note = f"{entry.copies} {called(entry):.60} is not in the main deck, and left out"
    return evolve(entry, copies=0, section=MAIN, card=None, note=note)


def _without_codes(text: str) -> tuple[list[str], list[tuple[int, Code]], dict[int, str]]:
    """Return the lines of a text without its codes; the codes, each with its line; and the text
    beside them, by line.
    """
    pieces: list[str] = []
    found: list[tuple[int, Code]] = []
    end = 0
    for code in codes_in(text):
        lines = text.count("\n", code.start, code.end)
        pieces += [text[end : code.start], "\0" + "\n\0" * lines]
        found.append((text.count("\n", 0, code.start) + 1, code))
        end = code.end
    rest = "".join([*pieces, text[end:]]).split("\n")
    beside = {}
    for number, line in enumerate(rest, 1):
        if "\0" in line:
            left = re.sub(r"\[[^\]]*\]\([\s>]*\0|\0", "\0", line)
            left = re.sub(r"^[\w '-]*:\s*\W*\0", "", left).strip("\0<>()[]\"'`*_|# \t-\u2013•!.,")
            beside[number] = left.replace("\0", " ")
    return [line.replace("\0", "") for line in rest], found, beside


# ---- names -------------------------------------------------------------------------------------


def chosen(
    given: Sequence[Reading], section: str, line: int, store: Store, exactly: bool = False
) -> Entry:
    """Return the entry of a line: of its first reading that is a card, or else of the best.

    A name as it is written comes before copies, copies before a name with other signs, and only
    then parts of names and names with a wrong letter. exactly: leave out these.
    """
    whole = given[0]
    last = bare(whole)
    every = [*given, *filter(None, [last])]
    for reading in every:
        if " ".join(reading.name.casefold().split()) in BLANKS:
            return _made(reading, section, line, BLANK)
    if known := _sure(given, last, store):
        reading, card = known
        doubt = (
            reading is whole and is_counted(whole.name) and store.names.literal(whole.name) is None
        )
        return _made(reading, section, line, card, _read_as(reading, card) * doubt)
    ranked = [r for r in reversed(given) if r.plain and not r.left] or [whole]
    best = max(ranked, key=lambda r: (r.count is not None, not is_counted(r.name)))
    best = last if last and best.count is None else best
    if best.name.isdecimal() or (exactly and best is not last):
        return _made(best, section, line, None)
    meant: Match | None = None
    for reading in dict.fromkeys((best, *(r for r in given if not is_counted(r.name)), whole)):
        match = store.names.match(reading.name)
        sure = match.how == BEGINS or not is_counted(reading.name)
        if reading is last:  # what ends in a number may be another of `Harpie Lady 1, 2, 3`
            sure = not any(map(str.isdecimal, "".join(match.names)))
        sure = sure and not exactly and "//" not in reading.left  # `Fire // Ice` is one card
        if match.place is not None and sure and _is_all(reading.name, match.names[0]):
            card = store.cards[match.place]
            return _made(reading, section, line, card, _read_as(reading, card))
        meant = meant or (match if match.names else None)
    note = meant.complaint("card") if meant and meant.places else ""
    numbers = any(map(str.isdecimal, best.name))
    if not note and (meant or best is last or numbers):
        hint = meant.hint if meant else ""
        note = f"{best.name!r:.60} is not known{hint} (cards: {store})"
    if best is last:
        note += f"; {whole.name!r:.60} is read as {best.copies} copies of it"
    elif numbers:
        note += f"; {whole.name!r:.60} is read as {best.copies} of that name; copies are `3 Name`"
    return _made(best, section, line, None, note)


def _sure(
    given: Sequence[Reading], last: Reading | None, store: Store
) -> tuple[Reading, Card] | None:
    """Return the first reading whose name or passcode is that of a card, with the card."""
    whole, names = given[0], store.names
    if (place := names.literal(whole.name)) is not None:
        return whole, store.cards[place]
    for reading in given:
        if reading.name.isdecimal():
            if card := store.by_id.get(int(reading.name[:20])):
                return reading, card
        elif names.literal(reading.name) is not None or not is_counted(reading.name):
            place = names.find(reading.name) if reading is not whole else None
            if place is not None:
                return reading, store.cards[place]
    for reading in (whole, *filter(None, [last])):
        if (place := names.find(reading.name)) is not None:
            return reading, store.cards[place]
    return None


def _made(reading: Reading, section: str, line: int, card: Card | None, *notes: str) -> Entry:
    """Return an entry; report parts not understood. Monsters of the extra deck go there."""
    if reading.left:
        what = f"{reading.copies} {card.name if card else reading.name}"
        notes = (*notes, f"{reading.left!r:.60} is not understood; read as {what}")
    if card and card.kind == EXTRA_KIND and section == MAIN:
        section = EXTRA
    said = "; ".join(filter(None, notes))
    return Entry(reading.name, reading.copies, section, line, card, said)


def _read_as(reading: Reading, card: Card) -> str:
    many = f"{reading.copies} " if reading.count is not None else ""
    return f"{reading.name!r:.60} is read as {many}{card.name!r}"


def _is_all(text: str, name: str) -> bool:
    """Return True if a text does not have brackets or bars that a name does not have."""
    return not any(sign in text and sign not in name for sign in "()[]{}<>|\t")
