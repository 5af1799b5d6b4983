"""Draws pictures for the documentation, those of dancing links from the links themselves.

`python docs/draw.py` writes all of them again; the tests fail if one of them is out of date. The
little problem below is searched by the functions of `dragon.cover.kernels.dlx`, run as the plain
Python that they are, and what is drawn are its lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import dragon
from dragon.cover import Problem
from dragon.cover.exact import links_of
from dragon.cover.kernels import dlx

FOLDER = Path(__file__).parent / "images"
PROBLEM = Problem.of("abcde", ["ab", "ac", "cde", "bd", "de"])
ACROSS, DOWN, SIZE, LEFT, TOP = 92, 62, 34, 128, 60
"""From column to column and from row to row, a node's side, and where the root is."""
STYLE = (
    ".dance text{font:600 15px 'Helvetica Neue',Helvetica,Arial,sans-serif;text-anchor:middle}"
    ".dance .small{font-weight:400;font-size:13px}.dance .out{stroke-dasharray:4 4}"
    ".dance path,.dance .tree{fill:none;stroke-width:2}.dance .gone{opacity:.42}"
)
COLOURS = {
    "paper": ("fill", "#fbf6ec", "#22201d"),
    "row": ("fill", "#efe5d0", "#34302a"),
    "head": ("fill", "#b9cfe3", "#35506a"),
    "node": ("fill", "#fffdf7", "#45403a"),
    "taken": ("fill", "#bfe0bd", "#37603a"),
    "edge": ("stroke", "#5b5144", "#b9ae9c"),
    "out": ("stroke", "#c2773f", "#d99a66"),
    "ink": ("fill", "#2f2a24", "#f0e9dc"),
    "soft": ("fill", "#7d705e", "#a39a8b"),
}
"""The part that each class colours, and its colour by day and by night."""


def frame(width: int, height: int, title: str, parts: Iterator[str]) -> str:
    """An SVG text with its colours."""
    rules = [
        "".join(f".dance .{name}{{{kind}:{pair[at]}}}" for name, (kind, *pair) in COLOURS.items())
        for at in (0, 1)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="dance" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img"><title>{title}</title>'
        f"<style>{STYLE}{rules[0]}@media (prefers-color-scheme:dark){{{rules[1]}}}</style>"
        f'<rect class="paper" width="{width}" height="{height}" rx="12"/>{"".join(parts)}</svg>\n'
    )


class Dance:
    """The links of the little problem, nodes and heads numbered alike, and what is chosen."""

    def __init__(self) -> None:
        links = links_of(PROBLEM)
        self.nodes: Any = links.nodes.view(np.recarray)
        self.items: Any = links.items.view(np.recarray)
        self.slack = links.slack
        self.option: list[int] = links.option.tolist()
        self.chosen: list[int] = []

    def branch(self, i: int) -> None:
        """Covers item i (step X4)."""
        dlx.unlink(self.items, i)
        dlx.cover(self.nodes, self.items, i)

    def take(self, i: int, number: int) -> None:
        """Chooses an option that covers item i (step X5)."""
        p = next(p for p in ring(self.nodes.down, i) if self.option[p] == number)
        dlx.take(self.nodes, self.items, p, len(PROBLEM.items))


def ring(following: Any, start: int) -> list[int]:
    """A circular list from its beginning."""
    found, p = [start], int(following[start])
    while p != start:
        found.append(p)
        p = int(following[p])
    return found


class Sheet:
    """The lists of a dance as they are now, nodes in the columns of their items."""

    def __init__(self, dance: Dance) -> None:
        self.dance = dance
        self.heads = len(PROBLEM.items)
        self.top = dance.nodes.top.tolist()
        self.nodes = [p for p, item in enumerate(self.top) if item]
        self.right = ring(dance.items.right, 0)
        self.down = {i: ring(dance.nodes.down, i) for i in range(1, self.heads + 1)}

    def place(self, p: int) -> tuple[int, int]:
        """The middle of a node, or of a head."""
        column, row = (p, 0) if p <= self.heads else (self.top[p], 1 + self.dance.option[p])
        return LEFT + ACROSS * column, TOP + DOWN * row

    def linked(self, p: int) -> bool:
        """True if a node is in its item's list."""
        return p in self.down[self.top[p]]

    def parts(self) -> Iterator[str]:
        """Rows, then links, then nodes."""
        for number, name in enumerate(PROBLEM.names):
            own = [p for p in self.nodes if self.dance.option[p] == number]
            x, y = self.place(own[0])
            far = self.place(own[-1])[0] - x + SIZE + 12
            yield f'<rect class="row" x="{x - SIZE / 2 - 6:g}" y="{y - SIZE / 2 - 6:g}" '
            yield f'width="{far}" height="{SIZE + 12}" rx="8"/>'
            yield f'<text class="small soft" x="{LEFT - 62}" y="{y + 5}">{name}</text>'
        yield from self.links()
        for i in range(self.heads + 1):
            gone = "" if i in self.right else " gone"
            yield self.box(i, "head" + gone, PROBLEM.items[i - 1] if i else "root")
        for p in self.nodes:
            kind = "taken" if self.dance.option[p] in self.dance.chosen else "node"
            gone = "" if self.linked(p) else " gone"
            yield self.box(p, kind + gone, PROBLEM.items[self.top[p] - 1])

    def links(self) -> Iterator[str]:
        """Draw the links of each list, and, broken, those of nodes that have left it."""
        for first, second in pairwise(self.right):
            yield self.across(first, second)
        for column in self.down.values():
            for first, second in pairwise(column):
                yield self.along(first, second)
        for i in range(1, self.heads + 1):
            if i not in self.right:
                left, right = int(self.dance.items[i].left), int(self.dance.items[i].right)
                yield self.across(left, i, "out")
                yield self.across(i, right, "out") if right else ""
        for p in self.nodes:
            if not self.linked(p):
                for other in map(int, (self.dance.nodes[p].up, self.dance.nodes[p].down)):
                    ahead = self.place(other)[1] > self.place(p)[1]
                    head = other <= self.heads and ahead
                    yield "" if head else self.along(min(p, other), max(p, other), "out")

    def across(self, first: int, second: int, kind: str = "edge") -> str:
        """A line from head to head: straight to the next, in a bow over others."""
        (x, y), (far, _) = self.place(first), self.place(second)
        half = SIZE // 2 + (8 if first == 0 else 0)
        if second == first + 1:
            return f'<path class="{kind}" d="M{x + half},{y}H{far - SIZE // 2}"/>'
        top = y - SIZE // 2
        return f'<path class="{kind}" d="M{x},{top}C{x},{top - 34} {far},{top - 34} {far},{top}"/>'

    def along(self, first: int, second: int, kind: str = "edge") -> str:
        """A line from node to node below: straight, or in a bow beside others of the column."""
        (x, y), (_, deep) = self.place(first), self.place(second)
        between = [p for p in self.nodes if self.place(p)[0] == x and y < self.place(p)[1] < deep]
        if not between:
            return f'<path class="{kind}" d="M{x},{y + SIZE // 2}V{deep - SIZE // 2}"/>'
        side, bow = x + SIZE // 2, x + SIZE + 10
        return f'<path class="{kind}" d="M{side},{y}C{bow},{y} {bow},{deep} {side},{deep}"/>'

    def box(self, p: int, kind: str, text: str) -> str:
        """A node with the name of its item."""
        x, y = self.place(p)
        half = SIZE // 2 + (8 if p == 0 else 0)
        return (
            f'<g class="{" ".join(kind.split()[1:])}"><rect class="{kind.split()[0]} edge" '
            f'stroke-width="1.4" x="{x - half}" y="{y - SIZE // 2}" width="{2 * half}" '
            f'height="{SIZE}" rx="7"/><text class="ink" x="{x}" y="{y + 5}">{text}</text></g>'
        )


def sheet(dance: Dance, title: str) -> str:
    """The lists of a dance as a picture."""
    width = LEFT + ACROSS * len(PROBLEM.items) + 60
    return frame(width, TOP + DOWN * len(PROBLEM.options) + 40, title, Sheet(dance).parts())


def whole() -> str:
    """All links."""
    return sheet(Dance(), "Five items, five options, all linked")


def covered() -> str:
    """Item a is covered."""
    dance = Dance()
    dance.branch(1)
    return sheet(dance, "Item a is covered: its options have left the lists of b and c")


def chosen() -> str:
    """Option a c is chosen: c is covered as well."""
    dance = Dance()
    dance.branch(1)
    dance.take(1, 1)
    dance.chosen.append(1)
    return sheet(dance, "Option a c is chosen: what is left is b, d, e with b d and d e")


def tree() -> str:
    """The whole search."""
    return frame(560, 300, "The tree of the search: five nodes, one cover", tree_parts())


def tree_parts() -> Iterator[str]:
    """Edges with their options, nodes with the item that they branch on."""
    places = {"": (280, 40), "0": (150, 140), "02": (150, 240), "1": (410, 140), "13": (410, 240)}
    for line, (x, y) in places.items():
        if line:
            px, py = places[line[:-1]]
            name = PROBLEM.names[int(line[-1])]
            side = -40 if x < 280 else 40
            yield f'<path class="edge" d="M{px},{py + 18}L{x},{y - 18}"/>'
            yield f'<text class="small soft" x="{(px + x) / 2 + side:g}" y="{(py + y) / 2 + 4:g}">'
            yield f"{name}</text>"
    for line, (x, y) in places.items():
        text, kind = label(line)
        half = 24 + 4 * max(0, len(text) - 4)
        yield f'<rect class="{kind} edge" stroke-width="1.4" x="{x - half}" y="{y - 18}" '
        yield f'width="{2 * half}" height="36" rx="9"/><text class="ink" x="{x}" y="{y + 5}">'
        yield f"{text}</text>"


def label(line: str) -> tuple[str, str]:
    """Return the step of the search at a node, after the options of `line`."""
    dance = Dance()
    for number in map(int, line):
        i = dlx.choose(dance.items, dance.slack)
        dance.branch(i)
        dance.take(i, number)
    if dance.items[0].right == 0:
        return "cover", "taken"
    i = dlx.choose(dance.items, dance.slack)
    name, length = PROBLEM.items[i - 1], dance.items[i].length
    return (f"{name}: {length}", "node") if length else (f"{name}: no option", "row")


def pentominoes() -> str:
    """The first cover of the usual board."""
    game: Any = dragon.game("pentominoes")
    line = dragon.search("dlx").best(game.start()).line
    return f"{game.svg(game.parse(' | '.join(line)))}\n"


def small_world() -> str:
    """The links of the Mathmech deck."""
    from dragon_small_world.links import links_of
    from dragon_small_world.pool import read_deck, starter_pool
    from dragon_small_world.svg import graph

    deck = read_deck("mathmech", starter_pool())
    return f"{graph(links_of(deck, 'text')).svg}\n"


PICTURES: dict[str, Callable[[], str]] = {
    "links.svg": whole,
    "links-covered.svg": covered,
    "links-chosen.svg": chosen,
    "search-tree.svg": tree,
    "pentominoes.svg": pentominoes,
    "small-world-graph.svg": small_world,
}

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw(), encoding="utf-8")
