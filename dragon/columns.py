"""Tables and paragraphs for a terminal: no line is wider than it, and no figure is broken.

`table` aligns the cells of rows. Where they do not fit, texts go on below in their own column, and
the heads of figures do; what still does not fit comes below in a second table, whose rows begin
with the same names. `folded` has the lines of a paragraph.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, zip_longest

PIPED = 80
"""The width of what goes to a file or to another program."""
LEAST = 12
"""The width down to which a column of texts is narrowed, if its words allow it."""
GAP = 2
PART = re.compile(r"[-+±~]?\d+(?:[.,:/]\d+)*%?|.")
"""The parts between which a word may be cut: figures as a whole, other characters alone."""

WORD = re.compile(r"(\s*)(\S+)")


def room() -> int:
    """Return the width that lines may take: that of the terminal, or 80 where stdout is none."""
    out = sys.stdout
    if out is None or not out.isatty():
        return PIPED
    return max(20, shutil.get_terminal_size((PIPED, 24)).columns)


def _cut(word: str, width: int, later: int) -> Iterator[str]:
    """Yield the parts of a word: the first of at most `width`, others of at most `later`.

    It is cut after a sign if there is one, and within a figure never.
    """
    while len(word) > width:
        ends = [found.end() for found in PART.finditer(word)]
        near = [end for end in ends if end <= width] or ends[:1]
        signs = [end for end in near if word[end - 1] in ",;:/=(-_.)" and 2 * end > width]
        at = (signs or near)[-1]
        yield word[:at]
        word, width = word[at:], later
    yield word


def folded(text: str, width: int, hang: int = 0, whole: bool = False) -> list[str]:
    """Return the lines of a text; those after the first are indented by `hang` characters more.

    whole: a word that is too long stays as it is, as a position that one copies.

    >>> folded("the depth is 16.25 plies", 12, hang=2)
    ['the depth is', '  16.25', '  plies']
    """
    if len(text) <= width and "\n" not in text:
        return [text]
    first, *others = text.split("\n")
    lines, line, empty = [], "", True
    for gap, word in WORD.findall(first):
        if not empty and len(line) + len(gap) + len(word) > width:
            lines.append(line)
            line, empty = " " * hang, True
        elif not empty or not lines:
            line += gap  # that before the first word is the indentation
        least = len(word) if whole else 1
        *before, rest = _cut(word, max(least, width - len(line)), max(least, width - hang))
        for part in before:
            lines.append(line + part)
            line = " " * hang
        line, empty = line + rest, False
    below = (folded(each, width, hang, whole) for each in others)
    return [*lines, line, *chain.from_iterable(below)]


def filled(texts: Iterable[str], hang: int = 0, whole: bool = False) -> list[str]:
    """Return the lines of paragraphs, folded to the room that there is; see `folded`."""
    return [line for text in texts for line in folded(text, room(), hang, whole)]


def fields(shown: Iterable[tuple[str, str]]) -> list[str]:
    """Return the lines of names and values, as in the output of a result.

    >>> fields([("value", "= 1"), ("nodes", "12")])
    ['value     = 1', 'nodes     12']
    """
    rows = list(shown)
    wide = max(10, *(len(name) + GAP for name, _ in rows))
    return [
        f"{name:<{wide}}{line}" if at == 0 else " " * wide + line
        for name, said in rows
        for at, line in enumerate(folded(said, room() - wide, whole=True))
    ]


def table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: int | Collection[int] = 1,
    rule: bool = False,
    width: int | None = None,
    below: Sequence[Sequence[str]] = (),
) -> list[str]:
    """Return the lines of a table.

    left: the columns of texts, which are aligned left, or the number of the first ones; all others
    are figures, aligned right. rule: a line of dashes below the heads. width: of the lines,
    `room()` by default.
    below: of each row, the lines that follow it.

    >>> for line in table(("game", "won"), [("hex of five rows", "12"), ("nim", "3")], width=14):
    ...     print(line)
    game       won
    hex of      12
    five rows
    nim          3
    """
    width = room() if width is None else width
    texts = set(range(left)) if isinstance(left, int) else set(left)
    names = bool(heads[:1]) and 0 in texts
    cells = list(zip(*rows, strict=True)) or [()] * len(heads)
    columns = [[head, *own] for head, own in zip(heads, cells, strict=True)]
    found: list[str] = []
    for own in _blocks(columns, texts, names, width):
        shown = [columns[at] for at in own]
        left_ones = {place for place, at in enumerate(own) if at in texts}
        found += [""] * bool(found) + _lines(shown, left_ones, rule, width, below)
        below = ()
    return found


def natural(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Return the width of the lines of a table in which nothing is folded."""
    widths = (max(map(len, column)) for column in zip(heads, *rows, strict=True))
    return sum(width + GAP for width in widths) - GAP


def _least(column: Sequence[str], text: bool) -> int:
    """Return the width to which a column can be narrowed."""
    head, *cells = column
    word = max(map(len, head.split()), default=0)
    if text:
        longest = max((len(part) for cell in cells for part in cell.split()), default=0)
        return max(word, min(longest, LEAST))
    return max([word, *map(len, cells)])


def _blocks(
    columns: Sequence[Sequence[str]], texts: set[int], names: bool, width: int
) -> Iterator[list[int]]:
    """Yield the columns of each table that fits, from the first one on, which all begin with."""
    least = [_least(column, at in texts) for at, column in enumerate(columns)]
    first = [0] if names else []
    own = list(first)
    for at in range(len(first), len(columns)):
        if len(own) > len(first) and sum(least[i] + GAP for i in [*own, at]) - GAP > width:
            yield own
            own = list(first)
        own.append(at)
    yield own


def _lines(
    columns: Sequence[Sequence[str]], texts: set[int], rule: bool, width: int,
    below: Sequence[Sequence[str]],
) -> list[str]:  # fmt: skip
    """Return the lines of columns that fit if they are narrowed."""
    least = [_least(column, at in texts) for at, column in enumerate(columns)]
    wide = [max(map(len, column), default=0) for column in columns]
    most = width - GAP * (len(wide) - 1)
    heads_do = sum(wide[at] if at in texts else least[at] for at in range(len(wide))) <= most
    while sum(wide) > most:
        able = [at for at in range(len(wide)) if wide[at] > least[at]]
        if not able:
            break
        wide[max(able, key=lambda at: ((at in texts) != heads_do, wide[at]))] -= 1
    found: list[str] = []
    rows = zip_longest(zip(*columns, strict=True), ((), *below), fillvalue=())
    for number, (row, after) in enumerate(rows):
        found += [*aligned(row, wide, texts, head=number == 0), *after]
        if number == 0 and rule:
            found.append((" " * GAP).join("-" * w for w in wide).rstrip())
    return found


def aligned(
    cells: Sequence[str], wide: Sequence[int], texts: Collection[int] = (0,), head: bool = False
) -> Iterator[str]:
    """Yield the lines of a row whose columns are so wide; figures are not folded, heads are."""
    parts = [
        folded(cell if len(cell) <= w else cell.strip(), w) if head or at in texts else [cell]
        for at, (cell, w) in enumerate(zip(cells, wide, strict=True))
    ]
    for line in zip_longest(*parts, fillvalue=""):
        padded = (
            part.ljust(w) if at in texts else part.rjust(w)
            for at, (part, w) in enumerate(zip(line, wide, strict=True))
        )
        yield (" " * GAP).join(padded).rstrip()
