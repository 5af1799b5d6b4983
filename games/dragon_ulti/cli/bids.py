"""`dragon ulti bids` and `score`: what bids pay, and the score sheet of an evening."""

from __future__ import annotations

from contextlib import nullcontext
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click
from attrs import asdict

from dragon.cli_tools import as_json, print_json
from dragon_ulti.cli import report
from dragon_ulti.cli.options import for_people, options, with_stakes
from dragon_ulti.contracts import bid
from dragon_ulti.language import speaking, tr

if TYPE_CHECKING:
    from dragon_ulti.sheet import Deal, Item, Sheet
    from dragon_ulti.stakes import Listed, Stakes

WIDE = 96
"""Letters of a line of notes."""


@click.command()
@options(with_stakes, *for_people, as_json)
def bids(stakes: Stakes, as_json: bool) -> None:
    """Print all bids of a table from the lowest to the highest, and what they pay.

    A bid pays by its parts, which are settled one by one: an ulti is 4+1, the ulti and the
    party that goes with it. Hearts as trump double all, and an ulti that fails costs twice.

    \b
    Examples:
      dragon ulti bids
      dragon ulti bids --language hu
      dragon ulti bids --stakes ours.toml --json
    """
    from dragon_ulti.stakes import ladder

    found = ladder(stakes)
    if as_json:
        with speaking("en"):
            rows = [_bid_json(each) for each in found]
            parts = [_part_json(each, stakes) for each in PARTS]
        about = {"unit": stakes.unit, "source": stakes.source, "table": asdict(stakes.house)}
        print_json({**about, "bids": rows, "parts": parts})
        return
    width = max(len(each.title) for each in found) + 2
    head = tr("bid"), tr("pays"), tr("fails at"), tr("in Hungarian")
    lines = ["{:{}}{:12}{:12}{}".format(head[0], width, *head[1:])]
    for each in found:
        made, lost = each.amounts(True), each.amounts(False)
        lines.append(f"{each.title:{width}}{made:12}{lost:12}{each.said}")
    lines += ["", *_parts(stakes), ""]
    report.say("\n".join([*lines, *(fill(note, WIDE) for note in _notes(stakes))]))


PARTS = ("party", "forty_hundred", "ulti", "four_aces", "betli", "durchmars_trump",
         "durchmars_no_trump", "twenty_hundred")  # fmt: skip


def _part_json(name: str, stakes: Stakes) -> dict[str, Any]:
    """Return what a part pays by itself, under each kontra, and made silently."""
    from dragon_ulti.sheet import LEVELS
    from dragon_ulti.stakes import SILENT, paid, silent

    value = stakes.values[name]
    levels = {"": 0, **LEVELS}
    rows = {
        word or "undoubled": [paid(name, value, made, n, stakes) for made in (True, False)]
        for word, n in levels.items()
    }
    kind = next((k for k, contract in SILENT.items() if contract == name), "")
    half = silent(kind, None, stakes) if kind in stakes.house.silent else None
    return {"contract": name, "title": tr(bid(name).title), "red": value.red, "open": value.open,
            **rows, "silent": half and [half.made, -half.lost]}  # fmt: skip


def _parts(stakes: Stakes) -> list[str]:
    """Return the table of the parts: made, failed, and under kontra."""
    rows = [_part_json(name, stakes) for name in PARTS]
    width = max(len(row["title"]) for row in rows) + 2
    columns = ("undoubled", "kontra", "rekontra", "silent")
    heads = tr("pays, fails at"), "kontra", "rekontra", tr("silent")
    lines = [f"{tr('part'):{width}}" + "".join(f"{head:>16}" for head in heads)]
    for row in rows:
        cells = (f"{row[c][0]:g}, {row[c][1]:g}" if row[c] else "" for c in columns)
        lines.append((f"{row['title']:{width}}" + "".join(f"{c:>16}" for c in cells)).rstrip())
    return lines


def _bid_json(each: Listed) -> dict[str, Any]:
    return {
        "bid": each.title,
        "said": each.said,
        "contract": each.call.name,
        "trump": each.call.trump,
        "open": each.call.open,
        "doubled": each.call.doubled or None,
        "made": each.made,
        "lost": each.lost,
        "parts": [
            {"contract": name, "made": value.made, "lost": value.lost} for name, value in each.parts
        ],
    }


def _notes(stakes: Stakes) -> list[str]:
    from dragon_ulti.stakes import SILENT

    house = stakes.house
    fewer = "of equal bids the one of fewer parts is higher"
    first = "of equal bids the one that was said first stands"
    names = {"hundred": "100", "four_aces": "four aces"}
    kinds = ", ".join(tr(names.get(kind, kind)) for kind in SILENT if kind in house.silent)
    notes = [
        tr("in {unit} from each defender, by {source}; a + divides parts, which are settled one by "
           "one", unit=tr(stakes.unit), source=tr(stakes.source)),
        tr("with a trump all is twice as much in hearts; each part has its own kontra"),
        tr(fewer if house.equal == "fewer" else first),
    ]  # fmt: skip
    return notes + [tr("silent, and at half the worth: {kinds}", kinds=kinds)] * bool(kinds)


@click.command()
@click.argument("file", metavar="FILE")
@options(with_stakes, *for_people, as_json)
def score(file: str, stakes: Stakes, as_json: bool) -> None:
    """Keep the score sheet of an evening: settle each deal part by part, with running totals.

    FILE, or - for stdin, names three or four players in its first line, and has a deal on
    each further one: who bid, what, and after semicolons how it went. What is not bid may be
    silent; # begins a comment.

    \b
      players: Anna, Béla, Csaba
      Anna: ulti; made
      Béla: piros 40-100 ulti; 40-100 made, ulti failed; kontra ulti
      Csaba: betli; failed; kontra Anna
      Anna: passz; failed; silent ulti Béla

    \b
    Examples:
      dragon ulti score evening.txt
      dragon ulti score evening.txt --stakes ours.toml --json
    """
    from dragon.config import read_text
    from dragon_ulti.sheet import read

    sheet = read(read_text(file, "a score sheet"), "stdin" if file == "-" else file, stakes)
    with speaking("en") if as_json else nullcontext():
        rows, last = _settled(sheet, stakes)
        if as_json:
            deals = [_row(*each) for each in rows]
            print_json(
                {"players": sheet.players, "unit": stakes.unit, "deals": deals, "totals": last}
            )
        else:
            report.say("\n".join(_sheet(sheet, rows, last)))


def _settled(sheet: Sheet, stakes: Stakes) -> tuple[list[Any], dict[str, float]]:
    """Return for each deal its items, what they change, and the totals then; and the last."""
    from dragon_ulti.sheet import settled, total

    sums = dict.fromkeys(sheet.players, 0.0)
    rows: list[tuple[Deal, list[Item], dict[str, float], dict[str, float]]] = []
    for deal in sheet.deals:
        items = settled(sheet, deal, stakes)
        change = total(items, sheet.players)
        sums = {who: sums[who] + change[who] for who in sheet.players}
        rows.append((deal, items, change, sums))
    return rows, sums


def _row(
    deal: Deal, items: list[Item], change: dict[str, float], sums: dict[str, float]
) -> dict[str, Any]:
    from dragon_ulti.stakes import title

    parts = [{"part": item.what, "result": item.how, "changes": item.changes} for item in items]
    return {"line": deal.line, "declarer": deal.declarer, "bid": title(deal.call), "parts": parts,
            "changes": change, "totals": sums}  # fmt: skip


def _sheet(sheet: Sheet, rows: list[Any], last: dict[str, float]) -> list[str]:
    from dragon_ulti.stakes import title

    names = max(map(len, (*sheet.players, tr("declarer")))) + 2
    said = max([len(tr("bid")), *(len(title(deal.call)) for deal, *_ in rows)]) + 2
    column = max([12, *(len(who) + 2 for who in sheet.players)])
    lines = [f"{'':4}{tr('declarer'):{names}}{tr('bid'):{said}}"
             + "".join(f"{who:>{column}}" for who in sheet.players)]  # fmt: skip
    for number, (deal, items, change, sums) in enumerate(rows, 1):
        cells = (f"{change[who]:+g} {sums[who]:6g}" for who in sheet.players)
        head = f"{number:2}  {deal.declarer:{names}}{title(deal.call):{said}}"
        lines.append(head + "".join(f"{cell:>{column}}" for cell in cells))
        for item in items:
            amounts = ", ".join(f"{who} {amount:+g}" for who, amount in item.changes.items())
            lines.append(f"{'':4}  {item.what}, {item.how}: {amounts}")
    lines.append(f"{'':4}{tr('total'):{names + said}}"
                 + "".join(f"{last[who]:>{column}g}" for who in sheet.players))  # fmt: skip
    return lines
