"""Measures what Ulti's deals cost, for the tables of docs/how-ulti-is-solved.md.

`python docs/measure_ulti.py` counts nodes, in thousands, with each help of the search and
without it, over the same random deals. A search that has not proven the value within the
limit is counted up to there, and the number is marked with >.
`python docs/measure_ulti.py --times` tells how long a verdict takes, contract by contract.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from statistics import median
from typing import Any

from attrs import evolve

import dragon
from dragon_ulti import Ulti
from dragon_ulti.answers import verdict
from dragon_ulti.contracts import CONTRACTS
from dragon_ulti.solver import SEARCH, VERDICT
from dragon_ulti.variant import VARIANTS

COLUMNS = {
    "party, units": {"contract": "party", "objective": "points"},
    "party": {"contract": "party"},
    "40-100": {"contract": "forty_hundred"},
    "ulti": {"contract": "ulti"},
    "four tens": {"contract": "four_tens"},
    "betli": {"contract": "betli"},
    "durchmars": {"contract": "durchmars_trump"},
}


class Keyless(Ulti):
    """Ulti without its own key: positions are told apart by a hash, within tricks too."""

    def rules(self) -> dragon.Rules:
        """The rules, less one."""
        return evolve(super().rules(), key=None)


ROWS: tuple[tuple[str, type[Ulti], str], ...] = (
    ("all", Ulti, ""),
    ("no `reduce`", Ulti, "reduce=false"),
    ("no `bounds`", Ulti, "bounds=false"),
    ("no `key`", Keyless, ""),
    ("no history", Ulti, "history=false"),
    ("no table", Ulti, "table=false"),
    ("killers", Ulti, "killers=true"),
    ("zero windows", Ulti, "pvs=true"),
    ("deepening by a ply", Ulti, "deepening=true"),
    ("deepening by itself", Ulti, "deepening="),
)


def nodes(cls: type[Ulti], given: dict[str, Any], change: str, deals: int, most: int) -> str:
    """The nodes of a column's deals in thousands; > where some took more than the limit."""
    spec = SEARCH if given.get("objective") == "points" else VERDICT
    word = change.partition("=")[0]
    if change:
        kept = [each for each in spec[10:-1].split(", ") if not each.startswith(word)]
        given_too = [] if change.endswith("=") else [change]  # without a value, the default
        spec = f"alphabeta({', '.join([*kept, *given_too])})"
    search, total, over = dragon.search(spec), 0, ""
    game = cls(**given)
    for seed in range(deals):
        result = search.best(game.start(seed), dragon.Limit(nodes=most))
        total += result.nodes
        if result.bound is not dragon.Bound.EXACT:
            over = "> "
    return f"{over}{total / 1000:,.0f}"


def table(deals: int, most: int) -> Iterator[list[str]]:
    """The rows of the table, head first."""
    yield ["", *COLUMNS]
    for label, cls, change in ROWS:
        yield [label, *(nodes(cls, given, change, deals, most) for given in COLUMNS.values())]


def times(deals: int) -> Iterator[list[str]]:
    """For each contract, under both sets of rules, median and longest time and mean nodes."""
    head = ("median ms", "longest ms", "nodes")
    yield ["contract", *(f"{rules}: {what}" for rules in VARIANTS for what in head)]
    for contract in CONTRACTS:
        row = [f"`{contract}`"]
        for rules in VARIANTS:
            game = Ulti(contract=contract, rules=rules)
            texts = [str(game.start(seed)) for seed in range(deals)]
            verdict(game, texts[0])
            answers = [verdict(game, text) for text in texts]
            spent = sorted(1000 * answer.seconds for answer in answers)
            nodes = sum(answer.nodes for answer in answers) / deals
            row += [f"{median(spent):.2f}", f"{spent[-1]:.1f}", f"{nodes:,.0f}"]
        yield row


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=50, help="of each column")
    parser.add_argument("--most", type=int, default=10_000_000, help="nodes for a deal")
    parser.add_argument("--times", action="store_true", help="measure times")
    asked = parser.parse_args()
    rows = times(asked.deals) if asked.times else table(asked.deals, asked.most)
    for i, row in enumerate(rows):
        print("| " + " | ".join(row) + " |", flush=True)
        if not i:
            print("| --- " + "| ---: " * (len(row) - 1) + "|")
