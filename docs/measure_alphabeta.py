"""Counts the nodes that alpha-beta visits, for the tables of docs/strength.md.

`python docs/measure_alphabeta.py SEARCH SEARCH` proves the same positions with each search: the
first hundred of the published sets of connect four, where these are beside the checkout, and
positions of other games after random plies. With `--depth` all look so far ahead and no
further. A position that takes more than `--most` nodes is counted up to there, marked with >.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dragon
from dragon import State
from dragon.bits import Random

FACTS = Path(__file__).parents[2] / "shared" / "facts" / "connect4"
SETS = "end-easy", "middle-easy", "middle-medium", "begin-easy"
RANDOM = (
    ("hex(size=5)", 6, 20),
    ("nex(rows=4, cols=4)", 2, 4),
    ("ulti", 0, 20),
    ("ulti(objective='points')", 0, 20),
    ("reversi", 48, 15),
    ("breakthrough(rows=5, columns=4)", 0, 1),
    ("dots_and_boxes", 6, 10),
    ("domineering(rows=6, columns=6)", 0, 1),
)
"""Games, how many random plies, and how many positions."""


def cases(only: str) -> Iterator[tuple[str, list[State[Any]]]]:
    """The name of each set of positions that has `only` in its name, and the positions."""
    start = dragon.game("connect4").start()
    for name in SETS if FACTS.exists() else ():
        lines = (FACTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()[:100]
        if only in f"connect4 {name}":
            yield f"connect4 {name}", [after(start, line.split()[0]) for line in lines]
    for spec, plies, count in RANDOM:
        if only in spec:
            yield spec, [*drawn(spec, plies, count)]


def after(state: State[Any], moves: str) -> State[Any]:
    """The state after moves of one letter each."""
    for move in moves:
        state = state.after(move)
    return state


def drawn(spec: str, plies: int, count: int) -> Iterator[State[Any]]:
    """Return some states that are not over after a number of random plies."""
    game, random, seed = dragon.game(spec), Random(1), 0
    while count:
        seed += 1
        state = game.start(seed)
        for _ in range(plies):
            if state.turn != dragon.TERMINAL:
                state = state.after(state.sample(random))
        if state.turn != dragon.TERMINAL:
            count -= 1
            yield state


def mean(spec: str, states: list[State[Any]], limit: dragon.Limit) -> str:
    """Nodes a state on average."""
    search, nodes, over = dragon.search(spec), 0, ""
    for state in states:
        result = search.best(state, limit)
        nodes += result.nodes
        if limit.nodes is not None and result.nodes >= limit.nodes:
            over = "> "
    return f"{over}{nodes / len(states):,.0f}"


def main() -> None:
    """Prints the table in Markdown."""
    parser = argparse.ArgumentParser(description="Count the nodes of alpha-beta.")
    parser.add_argument("searches", nargs="+", metavar="SEARCH")
    parser.add_argument("--only", default="", help="sets of positions that have this in their name")
    parser.add_argument("--depth", type=int)
    parser.add_argument("--most", type=int, default=30_000_000)
    asked = parser.parse_args()
    limit = dragon.Limit(depth=asked.depth, nodes=asked.most)
    print(f"| positions | {' | '.join(f'`{spec}`' for spec in asked.searches)} |")
    print(f"| --- |{' --- |' * len(asked.searches)}")
    for name, states in cases(asked.only):
        found = [mean(spec, states, limit) for spec in asked.searches]
        print(f"| {name} | {' | '.join(found)} |", flush=True)


if __name__ == "__main__":
    main()
