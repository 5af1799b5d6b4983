"""Solves the games of docs/atlas.toml, each in more than one way, and writes docs/atlas.md.

    python docs/make_atlas.py                                  what is missing, a minute each
    python docs/make_atlas.py --seconds 3600 --megabytes 16000 what a minute did not reach, too
    python docs/make_atlas.py --only teeko --seconds 600
    python docs/make_atlas.py --page        solves nothing, writes the page

Each try is a line of JSON in docs/atlas.jsonl, written as soon as it is over, so the script may be
stopped and started at any time; of two lines on the same the last counts. What is settled is not
solved again, and what was not reached only within wider limits. A try is a process of its own,
whose peak of memory is what is given as its megabytes: Python takes about a hundred of these.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import time
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import dragon
from dragon import Bound, Limit
from dragon.errors import SearchError
from dragon.search.retrograde.making import Maker

HERE = Path(__file__).parent
LIST, DATA, PAGE = (HERE / f"atlas.{kind}" for kind in ("toml", "jsonl", "md"))
SECONDS, MEGABYTES = 60.0, 2000.0
NAMES = {1: "first", 0: "draw", -1: "second"}
SAID = {"first": "the first side wins", "second": "the second side wins", "draw": "a draw"}
Row: TypeAlias = dict[str, Any]


def entries() -> list[Row]:
    """The games of the list: game, methods, known, source, why."""
    found: list[Row] = tomllib.loads(LIST.read_text(encoding="utf-8"))["entry"]
    return found


def kept(file: Path = DATA) -> dict[tuple[str, str], Row]:
    """The last row of each game and method."""
    if not file.exists():
        return {}
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return {(row["game"], row["method"]): row for row in rows}


def solved(game: str, method: str, seconds: float, megabytes: float) -> Row:
    """One try: what the first to move gets, None where the limits end before it is known."""
    state: Any = dragon.game(game).start()
    worth, nodes, begun = None, 0, time.process_time()
    if method in ("table", "list"):
        maker = Maker(state, megabytes, listed=method == "list")
        with suppress(SearchError, TimeoutError):  # the memory or the time has ended
            worth = maker.make(Deadline(time.perf_counter() + seconds)).ask(state).value
        nodes = maker.count
    else:
        result = dragon.search(method).best(state, Limit(seconds=seconds))
        nodes = result.nodes
        if result.bound == Bound.EXACT:
            worth = result.value
    taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "game": game, "method": method, "value": worth, "nodes": nodes,
        "seconds": round(time.process_time() - begun, 2), "megabytes": round(taken / 1e3),
        "limits": [seconds, megabytes],
    }  # fmt: skip


class Deadline:
    """End the making of a table when its time is over."""

    def __init__(self, end: float) -> None:
        """end: seconds of `time.perf_counter`."""
        self.end = end

    def __call__(self, doing: str, done: int, total: int | None) -> None:
        if time.perf_counter() > self.end:
            raise TimeoutError


def missing(row: Row | None, seconds: float, megabytes: float) -> bool:
    """Return True if a game is still to be solved by a method within these limits."""
    if row is None:
        return True
    wider = seconds > row["limits"][0] or megabytes > row["limits"][1]
    return row["value"] is None and wider


def solve_missing(only: str, seconds: float, megabytes: float) -> None:
    """Solves what is missing, each in a process of its own, and tells a line of each."""
    known, spawn = kept(), multiprocessing.get_context("spawn")
    for entry in entries():
        for method in entry["methods"]:
            game = entry["game"]
            done = not missing(known.get((game, method)), seconds, megabytes)
            if done or not game.startswith(only):
                continue
            with spawn.Pool(1) as pool:
                row = pool.apply(solved, (game, method, seconds, megabytes))
            with DATA.open("a", encoding="utf-8") as out:
                out.write(json.dumps(row) + "\n")
            print(f"{game} by {method}: {row['value']} in {row['seconds']} s", flush=True)


def outcome(value: float) -> str:
    """Name the winner."""
    return NAMES[(value > 0) - (value < 0)]


def agrees(entry: Row, values: list[float]) -> bool:
    """Say whether the values of all methods are the same, and as published."""
    return len(set(values)) <= 1 and all(entry.get("known") in (None, outcome(v)) for v in values)


def line(entry: Row, known: dict[tuple[str, str], Row]) -> str:
    """A game as a row of the page's table."""
    rows = [known[key] for m in entry["methods"] if (key := (entry["game"], m)) in known]
    reached = [row for row in rows if row["value"] is not None]
    values = [row["value"] for row in reached]
    if not values:
        shown = "not reached" if rows else "not tried"
        shown += f": {entry['why']}" if "why" in entry else ""
    elif not agrees(entry, values):
        shown = "**disagrees**"
    else:
        shown = SAID[outcome(values[0])]
        shown += f", by {abs(values[0]):g}" if abs(values[0]) > 1 else ""
    costs = "; ".join(
        f"`{row['method']}` {row['seconds']:,.1f} s, {row['megabytes']:,} MB"
        + (" (not reached)" if row["value"] is None else "")
        for row in rows
    )
    second = "yes" if len(reached) > 1 else "-"
    published = SAID[entry["known"]] if "known" in entry else "-"
    source = entry.get("source", "-")
    parts = [f"`{entry['game']}`", shown, second, costs or "-", published, source]
    return "| " + " | ".join(parts) + " |"


def page() -> str:
    """The page, from the list and the data."""
    known, all_of_them = kept(), entries()
    open_ = [
        entry for entry in all_of_them
        if all(known.get((entry["game"], m), {}).get("value") is None for m in entry["methods"])
    ]  # fmt: skip
    head = HEAD.format(n=len(all_of_them), reached=len(all_of_them) - len(open_))
    table = "\n".join(line(entry, known) for entry in all_of_them)
    left = "\n".join(
        f"python docs/make_atlas.py --only '{entry['game']}' --seconds 36000 --megabytes 16000"
        for entry in open_
        if "why" not in entry
    )
    return f"{head}{table}\n{TAIL}```sh\n{left}\n```\n" if left else f"{head}{table}\n"


HEAD = """\
# Atlas: what games are worth

Who wins when both sides play best, from the start, found by dragon's own searches and
[tables](retrograde.md). Of {n} games and sizes on this list {reached} are settled. `python
docs/make_atlas.py` makes this page: the list with its sources is `docs/atlas.toml`, and each
try is a line of `docs/atlas.jsonl`, with the limits of time and memory that it had.

"A second method" says whether two methods or more reached the value and agree: `alphabeta` and
`dfpn` search from the front, one with values and one with proofs; `table` goes backwards through
all positions, by their numbers where the game gives them some, and `list` lists them before in any
case. All of them trust the rules of the game, which is why the values are also compared with the
published ones. Seconds are of processor time; megabytes are the peak of a whole process,
of which Python is about a hundred. What was not reached within its limits, on a machine that did
other work too, says nothing about what a longer try would reach.

| game | value | a second method | taken | published | source |
| --- | --- | --- | --- | --- | --- |
"""
TAIL = """
To go on with the games that are not solved:

"""


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", help="games whose spec begins so")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each try")
    parser.add_argument("--megabytes", type=float, default=MEGABYTES, help="for a table")
    parser.add_argument("--page", action="store_true", help="write the page, solve nothing")
    given = parser.parse_args()
    if not any(entry["game"].startswith(given.only) for entry in entries()):
        parser.error(f"no game of {LIST} begins with {given.only!r}; write it as it stands there")
    for name in ("seconds", "megabytes"):
        if not 0 < getattr(given, name) < float("inf"):
            parser.error(f"--{name} must be above 0, not {getattr(given, name):g}")
    if not given.page:
        solve_missing(given.only, given.seconds, given.megabytes)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
