"""`dragon ulti bids` and `score`: what bids pay, and the score sheet of an evening."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import click
from attrs import asdict

from dragon.cli_tools import as_json, print_json
from dragon.columns import filled, table
from dragon_ulti.cli import report
from dragon_ulti.cli.options import for_people, options, with_stakes
from dragon_ulti.contracts import bid
from dragon_ulti.language import speaking, tr

if TYPE_CHECKING:
    from dragon_ulti.sheet import Deal, Item, Sheet
    from dragon_ulti.stakes import Listed, Stakes


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
    heads = tr("bid"), tr("pays"), tr("fails at"), tr("in Hungarian")
    cells = [(each.title, each.amounts(True), each.amounts(False), each.said) for each in found]
    lines = [*table(heads, cells, (0, 3)), "", *_parts(stakes), "", *filled(_notes(stakes))]
    report.say("\n".join(lines))


PARTS = ("party", "forty_hundred", "ulti", "four_aces", "betli", "durchmars_trump",
         "durchmars_no_trump", "twenty_hundred")  # fmt: skip


def _part_json(name: str, stakes: Stakes) -> dict[str, Any]:
    """Return the pay of a part by itself, under each kontra, and made silently."""
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
    columns = ("undoubled", "kontra", "rekontra", "silent")
    heads = tr("part"), tr("pays, fails at"), "kontra", "rekontra", tr("silent")
    return table(heads, [
        (row["title"], *(f"{row[c][0]:g}, {row[c][1]:g}" if row[c] else "" for c in columns))
        for row in rows
    ])  # fmt: skip


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

    heads = "", tr("declarer"), tr("bid"), *sheet.players
    cells, below = [], []
    for number, (deal, items, change, sums) in enumerate(rows, 1):
        sums_now = (f"{change[who]:+g} {sums[who]:6g}" for who in sheet.players)
        cells.append((f"{number}", deal.declarer, title(deal.call), *sums_now))
        below.append(filled((_part(item) for item in items), 5))
    cells.append(("", tr("total"), "", *(f"{last[who]:g}" for who in sheet.players)))
    return table(heads, cells, (0, 1, 2), below=below)


def _part(item: Item) -> str:
    amounts = ", ".join(f"{who} {amount:+g}" for who, amount in item.changes.items())
    return f"   {item.what}, {item.how}: {amounts}"
