"""Cover problems as text, in the format of Knuth's programs (TAOCP 4B, 7.2.2.1).

The first line names the items, the secondary ones after a single `|`; every other line is an
option. In an option, `item:colour` gives a secondary item a colour, and `|5` adds 5 to the cost. In
the first line, `2:3|item` is a primary item to be covered two or three times, and `3|item` one to
be covered three times. A line that begins with `| ` is a comment.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from dragon.cover.problem import MOST, ONCE, Bounds, Hint, Option, Problem, mistakes
from dragon.errors import BadNotation, quoted

BOUNDED = re.compile(r"(?:(\d{1,18}):)?(\d{1,18})\|(.+)")
SHOWN = 10
"""The most mistakes that are reported."""
LARGEST = 256_000_000
"""The most bytes of a file; a problem of that size takes many times as much memory."""


def read(path: str | Path) -> Problem:
    """Return the problem in a file; raise BadNotation with the line of each mistake, or OSError.

    The file must be a regular one: a device or a pipe may have no end.
    """
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        raise BadNotation(f"{path}: not a regular file; copy its contents into one")
    if status.st_size > LARGEST:
        raise BadNotation(f"{path}: {status.st_size:,} bytes are more than {LARGEST:,}; split it")
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadNotation(f"{path}: not a text file in UTF-8 ({error.reason})") from error
    return parse(text, str(path))


def parse(text: str, name: str = "line") -> Problem:
    r"""Return the problem in a text; raise BadNotation with the line of each mistake.

    >>> parse("p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B").secondary
    ('x', 'y')
    """
    numbered = enumerate(text.splitlines(), 1)
    lines = [(i, s) for i, s in numbered if s.strip() not in ("", "|") and not s.startswith("| ")]
    if not lines:
        raise BadNotation(f"{name}: no items; the first line must name them")
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


def write(problem: Problem) -> str:
    """Return the text of a problem's visible part, without options that are left without items.

    The format does not have names of options and weights; `parse` reads back everything else.
    """
    secondary = [name for name in problem.secondary if name not in problem.hidden_items]
    primary = [name for name in problem.primary if name not in problem.hidden_items]
    bounded = [_bounded(name, problem.bounds_of(name)) for name in primary]
    lines = [" ".join([*bounded, "|", *secondary] if secondary else bounded)]
    for option in problem.options:
        left = set(option.items) - problem.hidden_items
        if left and str(option) not in problem.hidden_options:
            entries = [option.entry(i) for i in option.items if i not in problem.hidden_items]
            lines.append(" ".join(entries + [f"|{option.cost}"] * bool(option.cost)))
    return "\n".join(lines) + "\n"


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
        name = word
        if match := BOUNDED.fullmatch(word):
            low, high, name = match.groups()
            bounds[name] = int(low or high), int(high)
            if names is secondary:
                wrong.append(f"{quoted(word)}: a secondary item takes no bounds")
            elif not int(low or high) <= int(high) < MOST or not int(high):
                wrong.append(f"{quoted(word)}: write low:high|item, low <= high, 0 < high < {MOST}")
        if ":" in name or "|" in name:
            wrong.append(f"{quoted(word)}: the name of an item may not contain ':' or '|'")
        if name in seen:
            wrong.append(f"item {quoted(name)} is given twice")
        seen.add(name)
        names.append(name)
    if not primary:
        wrong.append("no primary items; there is nothing to cover")
    return primary, secondary, bounds, wrong


def _option(line: str) -> tuple[Option, list[str]]:
    items, colours, cost, wrong = [], {}, 0, []
    for word in line.split():
        if word.startswith("|"):
            if re.fullmatch(r"\|-?\d{1,99}", word):
                cost += int(word[1:])
            else:
                wrong.append(f"{quoted(word)} is not a cost; write |5 for a cost of 5")
            continue
        item, colon, colour = word.partition(":")
        items.append(item)
        if colon:
            colours[item] = colour
    if not items:
        wrong.append("an option without items")
    return Option(tuple(items), colours=colours, cost=cost), wrong


def _bounded(name: str, bounds: Bounds) -> str:
    low, high = bounds
    if bounds == ONCE:
        return name
    return f"{high}|{name}" if low == high else f"{low}:{high}|{name}"
