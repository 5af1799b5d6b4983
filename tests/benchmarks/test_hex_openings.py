"""The winner after each first move at hex, as far as a search proves it, by a published table.

    HEX_SECONDS=600 pytest -s tests/benchmarks/test_hex_openings.py

Each opening has a number of seconds by the clock, by default 20; one of two that are images of one
another is tried. HEX_SEARCH names another search. The table lies beside the checkout; its letters
are rows.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

import dragon
from dragon import Bound, Limit

FACTS = Path(__file__).parents[3] / "shared" / "facts" / "hex" / "openings.tsv"
SECONDS = float(os.environ.get("HEX_SECONDS", "20"))
SEARCH = os.environ.get("HEX_SEARCH", "dfpn(solved=true, ends=false, weak=false, megabytes=2000)")


def test_none_is_wrong() -> None:
    if not FACTS.exists():
        pytest.skip("the table of openings is not beside this checkout")
    rows = [line.split("\t") for line in FACTS.read_text().splitlines()]
    search, wrong, proven = dragon.search(SEARCH), [], 0
    listed = [(cell, winner) for board, cell, winner in rows if board == "6x6"]
    for cell, winner in listed[: len(listed) // 2]:  # the others are their images
        move = f"{'abcdef'[int(cell[1:]) - 1]}{ord(cell[0]) - ord('a') + 1}"
        begun = time.process_time()
        best = search.best(dragon.game("hex(size=6)").start().after(move), Limit(seconds=SECONDS))
        found = "nobody yet"
        if best.bound is Bound.EXACT:
            found = "white" if best.value > 0 else "black"
            proven += 1
            wrong += [cell] * (found != winner)
        print(f"{cell} {winner}: proven for {found}, {best.nodes:,} nodes, "
              f"{time.process_time() - begun:.1f} s", flush=True)  # fmt: skip
    print(f"{proven} of {len(listed) // 2} proven")
    assert wrong == []
