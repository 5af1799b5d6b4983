"""Names found as people write them: in part, with small errors, whatever the case and accents."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property

from attrs import frozen

EXACT, BEGINS, PART, NEAR, NOTHING = "exact", "begins", "part", "near", "nothing"
"""How a text fits a name: it is the name, it begins the name, it is within, it nearly is, not."""
LEAST = 3
"""Letters and digits of a part; any two letters are somewhere."""
LONGEST = 100
"""So much of a text is compared; no name has 80 letters."""
CLOSE, FAR = 1 / 6, 2 / 5
"""With so many wrong letters, as a part of all, a name is taken to be meant, or perhaps is."""
BEGUN = 6
"""A text of so many letters, of which one is wrong, is taken for the beginning of a name."""
_WORDS = re.compile(r"[^\W_]+")


def folded(name: str) -> str:
    """Letters and digits alone, without case or accents.

    >>> folded('Maxx "C"'), folded("D.D. Crow")
    ('maxxc', 'ddcrow')
    """
    if name.isascii():
        return "".join(filter(str.isalnum, name.lower()))
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(filter(str.isalnum, parts))


@frozen
class Match:
    """What a text means among names."""

    text: str
    how: str
    """One of EXACT, BEGINS, PART, NEAR, NOTHING."""
    places: tuple[int, ...]
    """All that fit equally well, the shortest name first; one, unless the text is ambiguous."""
    names: tuple[str, ...]
    """The names of the first of these; where none fits, one that is perhaps meant."""

    @property
    def place(self) -> int | None:
        """The one that fits; None for none or several."""
        return self.places[0] if len(self.places) == 1 else None

    @property
    def hint(self) -> str:
        """`; did you mean 'Effect Veiler'?` where a name is close."""
        return f"; did you mean {self.names[0]!r}?" if self.names else ""

    def complaint(self, what: str) -> str:
        """What is wrong with a text that means no name, or several; what: what it should be."""
        if not self.places:
            return f"no {what} called {self.text!r:.80}{self.hint}"
        more = len(self.places) - len(self.names)
        listed = " or ".join(map(repr, self.names)) + (f", or {more:,} more" if more else "")
        return f"{self.text!r:.80} may be {listed}; write more of the name"


class Names:
    """A list of names that is asked for places.

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
    def _plain(self) -> list[str]:
        return list(map(folded, self.names))

    @cached_property
    def _folded(self) -> dict[str, int]:
        return {name: i for i, name in reversed(list(enumerate(self._plain)))}

    @cached_property
    def _trigrams(self) -> dict[str, list[int]]:
        """Where each three letters in a row stand."""
        found: dict[str, list[int]] = defaultdict(list)
        for i, name in enumerate(self._plain):
            for three in _threes(name):
                found[three].append(i)
        return found

    def find(self, text: str) -> int | None:
        """The place of a name, as it stands or whatever its case, accents and signs."""
        exact = self._exact.get(text)
        if exact is not None:
            return exact
        plain = folded(text)
        return self._folded.get(plain) if plain else None

    def having(self, text: str) -> list[int]:
        """The places of all names with a text in them, those that begin so first, then by name.

        All for no text; none for one without a letter or digit, which is in no name.
        """
        plain = folded(text)
        found = [i for i, name in enumerate(self._plain) if plain in name and (plain or not text)]
        return sorted(found, key=lambda i: (not self._plain[i].startswith(plain), self.names[i]))

    def match(self, text: str) -> Match:
        """What a text means: a name, the beginning or a part of names, or nearly one.

        Words count before letters: `Ash` begins `Ash Blossom` rather than `Ashoka Pillar`. A part
        that is not the beginning is made of words.
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
        if alike <= CLOSE * len(plain):
            return self._matched(text, NEAR, [i for i in wrong if wrong[i][1] == alike])
        near = [i for i in wrong if wrong[i][0] == begun]
        if begun == 1 and len(plain) >= BEGUN:
            return self._matched(text, NEAR, near)
        meant = (
            min(near, key=lambda i: wrong[i], default=None) if begun <= FAR * len(plain) else None
        )
        return Match(text, NOTHING, (), () if meant is None else (self.names[meant],))

    def _matched(self, text: str, how: str, places: list[int]) -> Match:
        places = sorted(places, key=lambda i: (len(self.names[i]), self.names[i]))
        return Match(text, how, tuple(places), tuple(self.names[i] for i in places[:4]))

    def _has_words(self, place: int, plain: str) -> bool:
        """Whether a part of a name is made of words of it."""
        words = [folded(word) for word in _WORDS.findall(self.names[place])]
        return any(_runs(words[start:], plain) for start in range(len(words)))

    def _wrong(self, plain: str) -> dict[int, tuple[int, int]]:
        """Of the names with most in common with a text: how many of its letters are wrong for it
        to begin the name, and for it to be the name.
        """
        counts: Counter[int] = Counter()
        for three in _threes(plain):
            counts.update(self._trigrams.get(three, ()))
        return {i: _wrong(plain, self._plain[i]) for i, _ in counts.most_common(40)}


def _threes(text: str) -> set[str]:
    return {text[i : i + 3] for i in range(len(text) - 2)}


def _runs(words: list[str], plain: str) -> bool:
    """Whether the first of these words in a row make up a text."""
    made = ""
    for word in words:
        made += word
        if len(made) >= len(plain):
            break
    return made == plain


def _wrong(text: str, name: str) -> tuple[int, int]:
    """Letters to change, add, drop or swap with the next, to make of a text the best beginning of
    a name, and the name.

    The distance of Levenshtein, with swaps (optimal string alignment).

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
