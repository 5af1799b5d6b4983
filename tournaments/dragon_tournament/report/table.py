"""A table, and its forms: text for a terminal, Markdown, HTML, and JSON.

`tables` makes every table of a report once, and the functions here give its forms. `values` has
the figures for programs, `drawn` the data that the page of `dragon serve` draws.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from html import escape
from typing import Any

from attrs import frozen

from dragon.columns import natural, room
from dragon.columns import table as lined
from dragon_tournament.formatting import visible
from dragon_tournament.report.charts import bar

FOLD = 100  # rows that a terminal shows
LONG = 1000  # rows in Markdown
ROWS = 200  # rows on a page
SHADE = 0.9  # the strength of the colour of a perfect score, of 1
NEGATIVE = re.compile(r"-(?=[\d.∞])")


class Shown(Enum):
    """The forms that have a column."""

    EVERYWHERE = 0
    PAGES = 1
    """Pages, which have more room than a terminal."""
    ROOMY = 3
    """Pages, Markdown, and a terminal where all such columns fit."""
    VALUES = 2
    """The figures for programs."""


@frozen(kw_only=True)
class Cell:
    """A cell: its value, the text that shows it, and its marks on pages."""

    text: str = ""
    value: Any = None
    note: str = ""
    """Small print under the text."""
    style: str = ""
    """A class of the style sheets: `best`, `wrong` or `self`."""
    shade: float | None = None
    """The strength of the colour, from -1 to 1."""
    bar: tuple[float, float, float, float] | None = None
    """An estimate that is drawn: low, middle, high and zero, all from 0 to 1."""


@frozen
class Column:
    """A column: its head and its cells; a str is a cell without value or marks."""

    head: str
    cells: Sequence[Cell | str]
    key: str = ""
    """The key of its figures; a column without one has none."""
    left: bool = False
    """Names are set flush left, figures flush right."""
    shown: Shown = Shown.EVERYWHERE


@frozen
class Table:
    """A table with a title. On pages it has a note that explains its marks."""

    title: str
    columns: Sequence[Column]
    note: str = ""
    rows: str = "rows"
    """The plural noun for the rows."""
    numbered: bool = False
    """Pages count the rows from 1."""

    def __len__(self) -> int:
        return len(self.columns[0].cells)

    def having(self, *shown: Shown) -> list[Column]:
        """The columns of a form."""
        return [column for column in self.columns if column.shown in shown]


def columns(heads: Sequence[str], rows: Iterable[Sequence[Cell | str]], names: int) -> list[Column]:
    """The columns of a table that is given by rows; the first `names` are flush left."""
    cells = list(zip(*rows, strict=True)) or [()] * len(heads)
    return [
        Column(head, own, left=number < names)
        for number, (head, own) in enumerate(zip(heads, cells, strict=True))
    ]


def _texts(
    table: Table, most: int, file: str, *shown: Shown
) -> tuple[list[Column], list[list[str]], str]:
    """The columns of a text, its first rows, and a sentence on the rows that are left out."""
    held = table.having(*shown)
    cells = [[visible(_cell(cell).text) for cell in column.cells[:most]] for column in held]
    left = len(table) - most
    more = f"({left:,} more are in {file})" if left > 0 else ""
    return held, [list(row) for row in zip(*cells, strict=True)], more


def _cell(cell: Cell | str) -> Cell:
    return Cell(text=cell, value=cell) if isinstance(cell, str) else cell


def aligned(table: Table, most: int = FOLD, file: str = "report.json") -> str:
    """The table for a terminal; `file` has the rows beyond the first."""
    for shown in ((Shown.EVERYWHERE, Shown.ROOMY), (Shown.EVERYWHERE,)):
        held, rows, more = _texts(table, most, file, *shown)
        heads = [visible(column.head) for column in held]
        if natural(heads, rows) <= room():
            break
    left = [place for place, column in enumerate(held) if column.left]
    return "\n".join([*lined(heads, rows, left, rule=True), *filter(None, [more])])


def piped(table: Table) -> str:
    """The table in Markdown."""
    shown = Shown.EVERYWHERE, Shown.ROOMY
    held, rows, more = _texts(table, LONG, "report.json", *shown)
    rule = ["---" if column.left else "---:" for column in held]
    safe = [[text.replace("|", "\\|") for text in row] for row in rows]
    lines = [[visible(column.head).replace("|", "\\|") for column in held], rule, *safe]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines) + (more and f"\n\n{more}")


def _page_rows(table: Table) -> Iterator[list[tuple[Column, Cell]]]:
    """The first rows for a page, each cell with its column; minus signs are those of print."""
    held = table.having(Shown.EVERYWHERE, Shown.ROOMY, Shown.PAGES)
    for row in zip(*(column.cells[:ROWS] for column in held), strict=True):
        yield [(column, _cell(cell)) for column, cell in zip(held, row, strict=True)]


def _signed(column: Column, text: str) -> str:
    return text if column.left else NEGATIVE.sub("\N{MINUS SIGN}", text)


def more(table: Table) -> str:
    """A sentence on the rows that a page leaves out."""
    left = len(table) - ROWS
    return f"{left:,} more {table.rows} are in the records." if left > 0 else ""


def html(table: Table) -> str:
    """The table in HTML, which scrolls by itself where it is too wide, with its note."""
    held = table.having(Shown.EVERYWHERE, Shown.ROOMY, Shown.PAGES)
    heads = "".join(
        f'<th scope="col"{" class=text" if column.left or not i else ""}>{escape(column.head)}</th>'
        for i, column in enumerate(held)
    )
    shaded = False
    body = []
    for number, ((name, first), *cells) in enumerate(_page_rows(table), 1):
        shaded = shaded or any(cell.shade is not None for _, cell in cells)
        count = f"{number}.&nbsp;" if table.numbered else ""
        rest = "".join(_data(column, cell) for column, cell in cells)
        body.append(f'<tr><th scope="row">{count}{_content(name, first)}</th>{rest}</tr>')
    below = filter(None, [table.note, more(table)])
    notes = "".join(f'<p class="soft">{escape(text)}</p>' for text in below)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(table.title)}">'
        f'<table class="{"cross" if shaded else ""}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>{notes}"
    )


def _content(column: Column, cell: Cell) -> str:
    """The text of a cell; a name is whole in its title, where the column cuts it."""
    text = escape(_signed(column, cell.text))
    shown = f'<span title="{text}">{text}</span>' if column.left else text
    return shown + (f"<small>{escape(_signed(column, cell.note))}</small>" if cell.note else "")


def _data(column: Column, cell: Cell) -> str:
    if cell.bar is not None:
        return f'<td class="plot">{bar(*cell.bar)}</td>'
    style, shade = cell.style or ("text" if column.left else ""), ""
    if cell.shade is not None:
        style, shade = _side(cell.shade), f' style="--a:{_strength(cell.shade)}"'
    return f"<td{f' class={style}' if style else ''}{shade}>{_content(column, cell)}</td>"


def _side(shade: float) -> str:
    return "plus" if shade > 0 else "minus"


def _strength(shade: float) -> str:
    return f"{round(SHADE * 100 * abs(shade), 1):g}%"


def values(table: Table) -> list[dict[str, Any]]:
    """The figures of each row by their keys, as JSON has them."""
    held = [column for column in table.columns if column.key]
    rows = zip(*(column.cells for column in held), strict=True)
    keys = [column.key for column in held]
    return [dict(zip(keys, (_cell(cell).value for cell in row), strict=True)) for row in rows]


def drawn(table: Table) -> dict[str, Any]:
    """The table as plain data for a page that draws it; a cell without marks is its text."""
    return {
        "title": table.title,
        "note": table.note,
        "more": more(table),
        "numbered": table.numbered,
        "columns": [
            {"text": column.head, "left": column.left}
            for column in table.having(Shown.EVERYWHERE, Shown.ROOMY, Shown.PAGES)
        ],
        "rows": [[_plain(*cell) for cell in row] for row in _page_rows(table)],
    }


def _plain(column: Column, cell: Cell) -> str | dict[str, Any]:
    text, note = _signed(column, cell.text), _signed(column, cell.note)
    marks: dict[str, Any] = {"note": note, "style": cell.style, "bar": cell.bar}
    if cell.shade is not None:
        marks |= {"style": _side(cell.shade), "shade": _strength(cell.shade)}
    kept = {key: mark for key, mark in marks.items() if mark}
    return {"text": text, **kept} if kept else text
