"""Proves what the openings of a Nex board are worth that has no table, one after another.

    python docs/prove_openings.py 4x5 docs/nex-openings-4x5.jsonl --megabytes 3300
    python docs/prove_openings.py 4x5 docs/nex-openings-4x5.jsonl --table

Each try of an opening is a line of JSON in the file: its value for Black, null where it stayed
open, and the nodes and seconds that it took so far; the last line of an opening counts. What is
settled is not searched again, so the script may be stopped and started at any time. Openings
get a number of nodes at first, and those that stay open four times as many in the next round;
what the table of proof numbers keeps of the one serves the next. Of two openings that a half
turn of the board makes the same one is searched.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import evolve

import dragon
from dragon import Limit, State
from dragon.search.dfpn.search import DfPn, DfPnRun
from dragon_nex.board import Board

FIRST, FACTOR = 100_000_000, 4
"""Nodes for each opening in the first round; how many times more in each that follows."""
SEARCH = DfPn(ends=False, solved=True, focus=0.2)  # Nex sees wins in one itself


def turned(board: Board, opening: str) -> str:
    """The opening after a half turn of the board."""

    def across(name: str) -> str:
        cell = board.cell(name)
        assert cell is not None
        return board.name((board.rows - 1 - cell[0], board.cols - 1 - cell[1]))

    own, neutral = opening[1:].split("?")
    return f"B{across(own)}?{across(neutral)}"


def openings(board: Board, start: State[str]) -> list[str]:
    """One of each two that a half turn makes the same, those that gain central cells first."""
    moves = list(start.moves())
    scores = start.order(moves) or [0] * len(moves)
    ranked = [moves[i] for i in sorted(range(len(moves)), key=lambda i: -scores[i])]
    kept: dict[str, None] = {}
    for move in ranked:
        if turned(board, move) not in kept:
            kept[move] = None
    return list(kept)


def tried(file: Path) -> dict[str, dict[str, Any]]:
    """The last row of each opening in the file."""
    if not file.exists():
        return {}
    rows = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    return {row["opening"]: row for row in rows}


def settled(file: Path) -> dict[str, dict[str, Any]]:
    """The rows of the openings whose value is known."""
    return {opening: row for opening, row in tried(file).items() if row["value"] is not None}


def value(
    run: DfPnRun, state: State[str], likely: int, nodes: int
) -> tuple[int | None, int, float]:
    """Return what Black gets, None where the nodes did not do; nodes and seconds spent.

    `likely` says which question comes first: where it is right there is no second.
    """
    driver = run.driver(state, Limit(nodes=nodes))
    found: dict[int, bool] = {}
    for asked in (1, 0) if likely > 0 else (0, 1):
        answer = driver.ask(state, asked)
        if answer.yes is None:
            return None, driver.budget.nodes, driver.budget.seconds
        found[asked] = answer.yes
        if found.get(1) or found.get(0) is False:
            break
    worth = 1 if found.get(1) else -1 if found.get(0) is False else 0
    return worth, driver.budget.nodes, driver.budget.seconds


def proving(size: str, file: Path, search: DfPn) -> Iterator[str]:
    """Proves opening after opening, and tells a line of each."""
    rows, cols = map(int, size.split("x"))
    start = dragon.game(f"nex(rows={rows}, cols={cols})").start()
    todo = openings(Board(rows, cols), start)
    known, before = settled(file), tried(file)
    likely = next((row["value"] for row in reversed(known.values())), 1)
    run, nodes = DfPnRun(search), FIRST  # one table for all
    while left := [opening for opening in todo if opening not in known]:
        yield f"{size}: {len(left)} of {len(todo)} open, {nodes:,} nodes for each"
        for opening in left:
            worth, visited, seconds = value(run, start.after(opening), likely, nodes)
            visited += before.get(opening, {}).get("nodes", 0)
            seconds += before.get(opening, {}).get("seconds", 0.0)
            row = {"opening": opening, "value": worth, "nodes": visited}
            before[opening] = row | {"seconds": round(seconds, 1)}
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(before[opening]) + "\n")
            yield f"{opening} {worth} {visited:,} nodes {seconds:.0f} s"
            if worth is not None:
                likely, known[opening] = worth, before[opening]
        nodes *= FACTOR
    yield f"{size}: all {len(todo)} are settled"


def table(size: str, file: Path) -> Iterator[str]:
    """The list as Markdown: what is known, then each cell of the black stone."""
    rows, cols = map(int, size.split("x"))
    board = Board(rows, cols)
    known = settled(file)
    names = [board.name(cell) for cell in board.cells()]
    judged = {**known, **{turned(board, opening): row for opening, row in known.items()}}
    counts = [sum(row["value"] == v for row in judged.values()) for v in (1, 0, -1)]
    left = len(names) * (len(names) - 1) - len(judged)
    rows = tried(file)
    vain = [row for row in rows.values() if row["value"] is None]
    nodes, seconds = (sum(row[key] for row in rows.values()) for key in ("nodes", "seconds"))
    lost = sum(row["seconds"] for row in vain)
    yield (
        f"Of the openings of {size}, {counts[0]} are proven to win for Black, {counts[1]} to draw "
        f"and {counts[2]} to lose; {left} are open. That took {nodes / 1e6:,.0f} million nodes and "
        f"{seconds / 3600:.1f} hours, of which {lost / 3600:.1f} were spent in vain on "
        f"{len(vain)} openings that stayed open; the others have not been tried."
    )
    yield ""
    yield "| black stone on | wins with the neutral one on | draws with | loses with | open |"
    yield "| --- | --- | --- | --- | --- |"
    for own in names:
        groups: dict[Any, list[str]] = {1: [], 0: [], -1: [], None: []}
        for neutral in names:
            if neutral != own:
                row = judged.get(f"B{own}?{neutral}")
                groups[None if row is None else row["value"]].append(neutral)
        cells = (_shortened(group, names) for group in groups.values())
        yield f"| {own} | " + " | ".join(cells) + " |"


def _shortened(group: list[str], names: list[str]) -> str:
    """A list of cells, in words where it is all others."""
    return "all" if len(group) == len(names) - 1 else ", ".join(group) or "-"


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("size", help="ROWSxCOLS, such as 4x5")
    parser.add_argument("file", type=Path, help="where the settled openings are kept")
    parser.add_argument("--megabytes", type=float, default=1600.0, help="of the table")
    parser.add_argument("--table", action="store_true", help="print what is known, in Markdown")
    given = parser.parse_args()
    if given.table:
        print("\n".join(table(given.size, given.file)))
        return
    search = evolve(SEARCH, megabytes=given.megabytes)
    for line in proving(given.size, given.file, search):
        print(time.strftime("%H:%M:%S"), line, flush=True)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
