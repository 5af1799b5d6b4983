"""Names found as people write them: in part, with small errors, ignoring case and accents."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property

from attrs import frozen

EXACT, BEGINS, PART, NEAR, NOTHING = "exact", "begins", "part", "near", "nothing"
"""The ways a text fits a name: it is the name, begins it, is within, nearly is it, or is not."""
BLANKS = {
    "other", "others", "other card", "other cards", "blank", "blanks", "blank card", "blank cards",
    "filler", "fillers", "empty card", "empty cards", "any", "any card", "any cards", "rest",
}  # fmt: skip
"""The names of blanks in lists and decks: of cards that do not matter."""
LEAST = 3
"""The least letters and digits of a part; any two letters are in some name."""
LONGEST = 100
"""The letters of a text that are compared; names are shorter than 80."""
CLOSE, FAR = 1 / 6, 2 / 5
"""The parts of wrong letters up to which a name is taken to be meant, or is suggested."""
BEGUN = 6
"""The least letters of a text, one of them wrong, that is taken for the beginning of a name."""
_WORDS = re.compile(r"[^\W_]+")


def unaccented(text: str) -> str:
    """Return a text without case and accents.

    >>> unaccented("L\u00f3rien")
    'lorien'
    """
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def folded(name: str) -> str:
    """Return the letters and digits of a name, without case or accents.

    >>> folded('Maxx "C"'), folded("D.D. Crow")
    ('maxxc', 'ddcrow')
    """
    if name.isascii():
        return "".join(filter(str.isalnum, name.lower()))
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(filter(str.isalnum, parts))


@frozen
class Match:
    """The meaning of a text among names."""

    text: str
    how: str
    """One of EXACT, BEGINS, PART, NEAR, NOTHING."""
    places: tuple[int, ...]
    """The places that fit equally well, the shortest name first; several if it is ambiguous."""
    names: tuple[str, ...]
    """The names of the first of these; if none fits, a suggestion."""

    @property
    def place(self) -> int | None:
        """The one place that fits; None for none or several."""
        return self.places[0] if len(self.places) == 1 else None

    @property
    def hint(self) -> str:
        """The words `; did you mean 'Effect Veiler'?` if a name is close, else nothing."""
        return f"; did you mean {self.names[0]!r}?" if self.names else ""

    def complaint(self, what: str) -> str:
        """Return the error for a text that means no name, or several; what: the kind of thing."""
        if not self.places:
            return f"no {what} called {self.text!r:.60}{self.hint}"
        more = len(self.places) - len(self.names)
        listed = " or ".join(map(repr, self.names)) + (f", or {more:,} more" if more else "")
        return f"{self.text!r:.60} may be {listed}; write more of the name"


class Names:
    """A list of names that finds the places of names in it.

    >>> known = Names(["Effect Veiler", "D.D. Crow", "Nibiru, the Primal Being"])
    >>> [known.match(text).place for text in ("dd crow", "Nibiru", "Veiler", "Efect Veiller")]
    [1, 2, 0, 0]
    >>> known.match("e").how, known.match("eiler").how
    ('nothing', 'nothing')
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    @cached_property
    def _exact(self) -> dict[str, int]:
        return {name: i for i, name in reversed(list(enumerate(self.names)))}

    @cached_property
    def _cased(self) -> dict[str, int]:
        return {_spaced(name): i for i, name in reversed(list(enumerate(self.names)))}

    @cached_property
    def _plain(self) -> list[str]:
        return list(map(folded, self.names))

    @cached_property
    def _folded(self) -> dict[str, int]:
        return {name: i for i, name in reversed(list(enumerate(self._plain)))}

    @cached_property
    def _trigrams(self) -> dict[str, list[int]]:
        """The places of the names with each three letters in a row."""
        found: dict[str, list[int]] = defaultdict(list)
        for i, name in enumerate(self._plain):
            for three in _threes(name):
                found[three].append(i)
        return found

    def literal(self, text: str) -> int | None:
        """Return the place of a name as it is written, ignoring case and repeated blanks."""
        exact = self._exact.get(text)
        return self._cased.get(_spaced(text)) if exact is None else exact

    def find(self, text: str) -> int | None:
        """Return the place of a name as it is written, or else ignoring case, accents and signs."""
        literal = self.literal(text)
        if literal is not None:
            return literal
        plain = folded(text)
        return self._folded.get(plain) if plain else None

    def having(self, text: str) -> list[int]:
        """Return the places of all names that contain a text, those that begin so first, by name.

        An empty text finds all; one without a letter or digit finds none.
        """
        plain = folded(text)
        found = [i for i, name in enumerate(self._plain) if plain in name and (plain or not text)]
        return sorted(found, key=lambda i: (not self._plain[i].startswith(plain), self.names[i]))

    def match(self, text: str) -> Match:
        """Match a text with a name, the beginning or a part of names, or a name nearly like it.

        Words count before letters: `Ash` begins `Ash Blossom` rather than `Ashoka Pillar`. A part
        that is not the beginning is made of words. A digit is never taken for a wrong letter.
        """
        place = self.find(text)
        if place is not None:
            return self._matched(text, EXACT, [place])
        plain = folded(text[:LONGEST])
        if len(plain) < LEAST:
            return self._matched(text, NOTHING, [])
        inside = [i for i, name in enumerate(self._plain) if plain in name]
        begins = [i for i in inside if self._plain[i].startswith(plain)]
        words = [i for i in inside if self._has_words(i, plain)]
        for how, places in (
            (BEGINS, [i for i in words if i in begins]), (BEGINS, begins), (PART, words),
        ):  # fmt: skip
            if places:
                return self._matched(text, how, places)
        wrong = self._wrong(plain)
        begun = min((least for least, _ in wrong.values()), default=len(plain))
        alike = min((each for _, each in wrong.values()), default=len(plain))
        nearly = [i for i in wrong if wrong[i][1] == alike and _same_digits(plain, self._plain[i])]
        if nearly and alike <= CLOSE * len(plain):
            return self._matched(text, NEAR, nearly)
        near = [i for i in wrong if wrong[i][0] == begun]
        begin = [i for i in near if _same_digits(plain, self._plain[i][: len(plain) + 1])]
        if begin and begun == 1 and len(plain) >= BEGUN:
            return self._matched(text, NEAR, begin)
        meant = (
            min(near, key=lambda i: wrong[i], default=None) if begun <= FAR * len(plain) else None
        )
        return Match(text, NOTHING, (), () if meant is None else (self.names[meant],))

    def _matched(self, text: str, how: str, places: list[int]) -> Match:
        places = sorted(places, key=lambda i: (len(self.names[i]), self.names[i]))
        return Match(text, how, tuple(places), tuple(self.names[i] for i in places[:4]))

    def _has_words(self, place: int, plain: str) -> bool:
        """Return True if a part of a name is made of words of it."""
        words = [folded(word) for word in _WORDS.findall(self.names[place])]
        return any(_runs(words[start:], plain) for start in range(len(words)))

    def _wrong(self, plain: str) -> dict[int, tuple[int, int]]:
        """Return, for the names with most in common with a text, the number of its letters that are
        wrong for a beginning of the name, and for the name.
        """
        counts: Counter[int] = Counter()
        for three in _threes(plain):
            counts.update(self._trigrams.get(three, ()))
        return {i: _wrong(plain, self._plain[i]) for i, _ in counts.most_common(40)}


def _spaced(text: str) -> str:
    text = text.casefold().replace("\u2019", "'")
    return text if "  " not in text else " ".join(filter(None, text.split(" ")))


def _same_digits(text: str, name: str) -> bool:
    return list(filter(str.isdigit, text)) == list(filter(str.isdigit, name))


def _threes(text: str) -> set[str]:
    return {text[i : i + 3] for i in range(len(text) - 2)}


def _runs(words: list[str], plain: str) -> bool:
    """Return True if the first of these words, joined, are the text."""
    made = ""
    for word in words:
        made += word
        if len(made) >= len(plain):
            break
    return made == plain


def _wrong(text: str, name: str) -> tuple[int, int]:
    """Return the letters to change, add, drop or swap to turn a text into the best beginning of
    a name, and the name.

    This is the distance of Levenshtein, with swaps (optimal string alignment).

    >>> _wrong("efect", "effectveiler"), _wrong("efefct", "effect")
    ((1, 7), (1, 1))
    """
    before: list[int] = []
    row = list(range(len(name) + 1))
    for i, letter in enumerate(text):
        last, before, row = before, row, [i + 1]
        for j, other in enumerate(name):
            least = min(before[j] + (letter != other), before[j + 1] + 1, row[j] + 1)
            if i and j and letter == name[j - 1] and text[i - 1] == other:
                least = min(least, last[j - 1] + 1)
            row.append(least)
    return min(row), row[-1]
