"""Cover problems as text, in the format of Knuth's programs (TAOCP 4B, 7.2.2.1).

The first line names the items, the secondary ones after a single `|`; every other line is an
option. In an option, `item:colour` gives a secondary item a colour, and `|5` adds 5 to the cost. In
the first line, `2:3|item` is a primary item to be covered two or three times, and `3|item` one to
be covered three times. A line that begins with `| ` is a comment.

Two things are not Knuth's. `|item=5` in an option is its weight for that item. And a name may hold
what would otherwise end it, in percent-encoding: `%20` is a blank, `%3A` a colon, `%7C` a bar, and
`%25` a percent sign before two such digits.

A matrix of 0 and 1 is read too, in which every column is an item to be covered once and every row
an option that covers the columns with a 1; names of the columns may be above it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from dragon.cover.problem import MOST, ONCE, Bounds, Hint, Option, Problem, mistakes
from dragon.errors import BadNotation, ConfigError, quoted

SEPARATORS = (
    ":|%\0\ufeff\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""The characters that a name can hold only as an escape: those of the grammar, and white space."""
ESCAPES = {quote(mark, safe=""): mark for mark in SEPARATORS}
ESCAPED = re.compile("|".join(ESCAPES), re.IGNORECASE)
SPECIAL = re.compile(f"%(?=[0-9A-Fa-f]{{2}})|[{re.escape(SEPARATORS.replace('%', ''))}]")
BOUNDED = re.compile(r"(?:(\d{1,18}):)?(\d{1,18})\|(.+)")
BESIDE = re.compile(r"[\s,;\[\](){}]+")
"""The marks between the numbers of a matrix."""
MATRIX = re.compile(rf"({BESIDE.pattern})?[01](({BESIDE.pattern})?[01])*({BESIDE.pattern})?")
BETWEEN_ROWS = re.compile(r"(?<=[\])}])[\s,;]*(?=[\[({])")
"""The place between two rows of a matrix that are on one line."""
SHOWN = 10
"""The most mistakes that are reported."""
LARGEST = 256_000_000
"""The most bytes of a file; a problem of that size takes many times as much memory."""


def read(path: str | Path) -> Problem:
    """Return the problem in a file; raise BadNotation with the line of each mistake, or OSError.

    The file must be a regular one: a device or a pipe may be endless.
    """
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        raise BadNotation(f"{path}: not a regular file; copy its contents into one")
    if status.st_size > LARGEST:
        raise BadNotation(f"{path}: {status.st_size:,} bytes are more than {LARGEST:,}; split it")
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadNotation(f"{path}: not a text file in UTF-8 ({error.reason})") from error
    return parse(text, str(path))


def parse(text: str, name: str = "line") -> Problem:
    r"""Return the problem in a text; raise BadNotation with the line of each mistake.

    >>> parse("p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B").secondary
    ('x', 'y')
    """
    numbered = enumerate(text.removeprefix("\ufeff").splitlines(), 1)
    lines = [
        (i, row)
        for i, s in numbered
        if s.strip() not in ("", "|") and not s.startswith("| ")
        for row in (BETWEEN_ROWS.split(s) if MATRIX.fullmatch(s) else [s])
    ]
    if not lines:
        raise BadNotation(f"{name}: no items; the first line must name them")
    if (matrix := _matrix(lines, name)) is not None:
        return matrix
    primary, secondary, bounds, misread = _header(lines[0][1])
    wrong = [(lines[0][0], mistake) for mistake in misread]
    options = []
    hint = Hint({*primary, *secondary})
    known = set(primary), set(secondary)
    for number, line in lines[1:]:
        option, misread = _option(line)
        options.append(option)
        misread += mistakes(option, *known, hint)
        wrong += [(number, mistake) for mistake in misread]
    if wrong:
        more = [f"... and {len(wrong) - SHOWN} more"] * (len(wrong) > SHOWN)
        raise BadNotation("\n".join([f"{name}:{i}: {m}" for i, m in wrong[:SHOWN]] + more))
    return Problem(tuple(primary), tuple(options), tuple(secondary), bounds)


def _matrix(lines: list[tuple[int, str]], name: str) -> Problem | None:
    """Return the problem of a matrix of 0 and 1; None for a text that may be a problem otherwise.

    Raises BadNotation for a title given twice, a row of another length, one without a 1, and signs
    except 0 and 1.
    """
    first, *more = (line for _, line in lines)
    titled = bool(more) and bool(MATRIX.fullmatch(more[0])) and not MATRIX.fullmatch(first)
    if not titled:
        words, single = first.split(), len(first.split()) == 1
        repeated = len({*words}) < len(words) or (single and any(line != first for line in more))
        if not MATRIX.fullmatch(first) or not (repeated or {*first} & {*"[({"}):
            return None  # items called 0 and 1
    rows = [(i, _bits(line)) for i, line in lines if _bits(line)]
    columns = rows[0][1] if titled else [str(n + 1) for n in range(len(rows[0][1]))]
    body = rows[titled:]
    if titled and (not _bits(first) or len(columns) != len(body[0][1])):
        return None
    wrong = [
        f"{name}:{rows[0][0]}: item {quoted(column)} is given twice; rename one of the columns"
        for n, column in enumerate(columns)
        if column in columns[:n]
    ]
    for i, cells in body:
        if len(cells) != len(columns):
            wrong.append(f"{name}:{i}: {len(cells)} columns, and the first row has {len(columns)}")
        elif odd := {*cells} - {"0", "1"}:
            wrong.append(
                f"{name}:{i}: {quoted(min(odd))} in a matrix of 0 and 1; write one of them"
            )
        elif "1" not in cells:
            wrong.append(f"{name}:{i}: a row of zeros covers nothing; leave it out")
    if wrong:
        raise BadNotation("\n".join(wrong[:SHOWN]))
    options = [
        Option((c for c, bit in zip(columns, cells, strict=True) if bit == "1"), f"row {n}")
        for n, (_, cells) in enumerate(body, 1)
    ]
    return Problem(columns, options)


def _bits(line: str) -> list[str]:
    """Return the numbers of a row of a matrix, which may be without separators."""
    cells = [*filter(None, BESIDE.split(line))]
    return [*cells[0]] if len(cells) == 1 else cells


def write(problem: Problem) -> str:
    """Return the text of a problem's visible part, without options that are left without items.

    `parse` reads back everything but the names of options: each is then called by its items. Raises
    ConfigError for an item without a name, and where there is not a primary item.
    """
    secondary = [name for name in problem.secondary if name not in problem.hidden_items]
    primary = [name for name in problem.primary if name not in problem.hidden_items]
    if "" in (*primary, *secondary):
        raise ConfigError("item '' cannot be written; give it a name")
    if not primary:
        raise ConfigError("a problem without primary items cannot be written; name one, or unhide")
    bounded = [_bounded(_escaped(name), problem.bounds_of(name)) for name in primary]
    hidden = "|", *map(_escaped, secondary)
    lines = [" ".join([*bounded, *hidden] if secondary else bounded)]
    for option in problem.options:
        left = [name for name in option.items if name not in problem.hidden_items]
        if left and str(option) not in problem.hidden_options:
            lines.append(" ".join(_words(option, left)))
    return "\n".join(lines) + "\n"


def _words(option: Option, items: list[str]) -> Iterator[str]:
    """Yield the words of an option's line, with those of these items alone."""
    for name in items:
        colour = option.colours.get(name)
        yield _escaped(name) if colour is None else f"{_escaped(name)}:{_escaped(colour)}"
    if option.cost:
        yield f"|{option.cost}"
    for name, weight in option.weights.items():
        if weight and name in items:
            yield f"|{_escaped(name)}={weight}"


def _escaped(name: str) -> str:
    """Return a name with escapes for what the grammar would take for something else."""
    return SPECIAL.sub(lambda match: quote(match[0], safe=""), name)


def _unescaped(word: str) -> str:
    """Return the name that `_escaped` writes as this word."""
    return ESCAPED.sub(lambda match: ESCAPES[match[0].upper()], word)


def _header(line: str) -> tuple[list[str], list[str], dict[str, Bounds], list[str]]:
    """Return the primary and secondary items, the bounds, and the mistakes."""
    primary: list[str] = []
    secondary: list[str] = []
    bounds: dict[str, Bounds] = {}
    seen: set[str] = set()
    wrong = []
    names = primary
    for word in line.split():
        if word == "|":
            if names is secondary:
                wrong.append("a second '|'; the secondary items follow the first")
            names = secondary
            continue
        match = BOUNDED.fullmatch(word)
        written = match[3] if match else word
        name = _unescaped(written)
        if match:
            low, high = match[1] or match[2], match[2]
            bounds[name] = int(low), int(high)
            if names is secondary:
                wrong.append(f"{quoted(word)}: a secondary item takes no bounds")
            elif not int(low) <= int(high) < MOST or not int(high):
                wrong.append(f"{quoted(word)}: write low:high|item, low <= high, 0 < high < {MOST}")
        if {":", "|"}.intersection(written):
            rule = "write %3A for ':' and %7C for '|' in the name of an item"
            if written.strip("|") != written:
                rule = "the bar before the secondary items has a space on both sides"
            wrong.append(f"{quoted(word)}: {rule}")
        if name in seen:
            wrong.append(f"item {quoted(name)} is given twice")
        seen.add(name)
        names.append(name)
    if not primary:
        wrong.append("no primary items; there is nothing to cover")
    return primary, secondary, bounds, wrong


def _option(line: str) -> tuple[Option, list[str]]:
    items, colours, weights, cost, wrong = [], {}, dict[str, int](), 0, []
    for word in line.split():
        if word.startswith("|"):
            if match := re.fullmatch(r"\|(?:(.+)=)?(-?\d{1,99})", word):
                name, number = _unescaped(match[1] or ""), int(match[2])
                if not name:
                    cost += number
                elif weights.setdefault(name, number) != number:
                    wrong.append(f"{quoted(word)}: a second weight for this item; keep one")
            else:
                wrong.append(f"{quoted(word)} is not a cost; write |5 for a cost of 5")
            continue
        item, colon, colour = word.partition(":")
        item = _unescaped(item)
        items.append(item)
        if colon:
            colours[item] = _unescaped(colour)
    if not items:
        wrong.append("an option without items")
    return Option(tuple(items), colours=colours, cost=cost, weights=weights), wrong


def _bounded(name: str, bounds: Bounds) -> str:
    low, high = bounds
    if bounds == ONCE:
        return name
    return f"{high}|{name}" if low == high else f"{low}:{high}|{name}"
