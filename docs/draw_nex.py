"""Draws how often mcts wins the won game of Nex on 4x4, for docs/games/nex.md.

`python docs/draw_nex.py results/nex-4x4` counts the games of `tournaments/nex-4x4.toml` in a run's
folder and keeps the counts in docs/images/nex-4x4-strength.json; without a folder the picture is
drawn again from those. The tests fail when it is not as it would be drawn.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

FOLDER = Path(__file__).parent / "images"
COUNTS = FOLDER / "nex-4x4-strength.json"
STYLE = (
    ".strength text{font:13px 'Helvetica Neue',Helvetica,Arial,sans-serif;text-anchor:middle}"
    ".strength .left{text-anchor:start;font-weight:600}.strength .right{text-anchor:end}"
    ".strength path{fill:none}.strength .grid{stroke-width:1}.strength .plain,.strength .sharp"
    "{stroke-width:2}.strength .bar{stroke-width:1.4}"
)
COLOURS = {
    "paper": ("fill", "#fbf6ec", "#22201d"),
    "grid": ("stroke", "#e2d7c0", "#3c3832"),
    "plain": ("stroke", "#35668f", "#7fb0d8"),
    "sharp": ("stroke", "#c2573f", "#e08a66"),
    "ink": ("fill", "#2f2a24", "#f0e9dc"),
    "soft": ("fill", "#6d6150", "#b3aa9a"),
}
"""The part that each class colours, and its colour by day and by night."""
PLAYERS = {"mcts": ("plain", "mcts", -3), "sharp": ("sharp", "mcts with reduce_playouts", 3)}
"""The class and label of each kind of player, and how far its points stand beside the grid."""
WIDE, HIGH, LEFT, TOP, RIGHT, FOOT = 640, 380, 64, 24, 24, 58
LEAST, MOST = 2.0, 5.0
"""The powers of ten between which simulations are."""

Counts = dict[str, dict[str, list[int]]]


def counted(lines: Iterable[str]) -> Counts:
    """Count the games won and played by each kind of player and number of simulations."""
    found: Counts = {kind: {} for kind in PLAYERS}
    for line in lines:
        record = json.loads(line)
        kind, simulations = re.fullmatch(r"(\w+)\((\d+)\)", record["seats"][0]).groups()  # type: ignore[union-attr]
        tally = found[kind].setdefault(simulations, [0, 0])
        tally[0] += record["scores"][0] > 0
        tally[1] += 1
    return {kind: dict(sorted(of.items(), key=lambda each: int(each[0])))
            for kind, of in found.items()}  # fmt: skip


def interval(won: int, games: int, z: float = 1.96) -> tuple[float, float]:
    """Between which shares the true one is, 19 times in 20; E. B. Wilson 1927."""
    share, spread = won / games, z * z / games
    middle = share + spread / 2
    around = math.sqrt(spread * (share * (1 - share) + spread / 4))
    return (middle - around) / (1 + spread), (middle + around) / (1 + spread)


def across(simulations: float) -> float:
    """Return the place of a number of simulations, by its logarithm."""
    part = (math.log10(simulations) - LEAST) / (MOST - LEAST)
    return LEFT + 18 + part * (WIDE - LEFT - RIGHT - 36)


def down(share: float) -> float:
    """Return the place of a share of games."""
    return TOP + (1 - share) * (HIGH - TOP - FOOT)


def grid() -> Iterator[str]:
    """Lines and their labels."""
    for percent in range(0, 101, 25):
        y = down(percent / 100)
        yield f'<path class="grid" d="M{LEFT} {y:g}H{WIDE - RIGHT}"/>'
        yield f'<text class="soft right" x="{LEFT - 10}" y="{y + 4:g}">{percent} %</text>'
    for power in range(int(LEAST), int(MOST) + 1):
        x = across(10**power)
        yield f'<path class="grid" d="M{x:g} {TOP}V{down(0):g}"/>'
        yield f'<text class="soft" x="{x:g}" y="{down(0) + 20:g}">{10**power:,}</text>'
    yield f'<text class="soft" x="{(LEFT + WIDE - RIGHT) / 2:g}" y="{HIGH - 14}">simulations a move</text>'  # noqa: E501


def curve(kind: str, of: dict[str, list[int]]) -> Iterator[str]:
    """The points of one kind of player, joined, with a bar for each one's interval."""
    name, _, aside = PLAYERS[kind]
    points = [(across(int(n)) + aside, won, games) for n, (won, games) in of.items()]
    way = "L".join(f"{x:.1f} {down(won / games):.1f}" for x, won, games in points)
    yield f'<path class="{name}" d="M{way}"/>'
    for x, won, games in points:
        low, high = interval(won, games)
        yield f'<path class="{name} bar" d="M{x:.1f} {down(low):.1f}V{down(high):.1f}"/>'
        yield (f'<circle class="{name} paper" cx="{x:.1f}" cy="{down(won / games):.1f}" r="4.5"/>')


def legend(counts: Counts) -> Iterator[str]:
    """Draw the names of the lines."""
    for row, kind in enumerate(kind for kind in counts if counts[kind]):
        name, label, _ = PLAYERS[kind]
        y = TOP + 22 + 24 * row
        yield f'<path class="{name}" d="M{LEFT + 24} {y}h30"/>'
        yield f'<circle class="{name} paper" cx="{LEFT + 39}" cy="{y}" r="4.5"/>'
        yield f'<text class="ink left" x="{LEFT + 64}" y="{y + 5}">{label}</text>'


def strength() -> str:
    """The picture, from the counts that are kept."""
    counts: Counts = json.loads(COUNTS.read_text(encoding="utf-8"))
    day, night = (
        "".join(f".strength .{n}{{{kind}:{pair[at]}}}" for n, (kind, *pair) in COLOURS.items())
        for at in (0, 1)
    )
    curves = [part for kind, of in counts.items() if of for part in curve(kind, of)]
    title = "How often mcts wins the won game of Nex on 4x4 against perfect play"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="strength" viewBox="0 0 {WIDE} {HIGH}" '
        f'width="{WIDE}" height="{HIGH}" role="img"><title>{title}</title>'
        f"<style>{STYLE}{day}@media (prefers-color-scheme:dark){{{night}}}</style>"
        f'<rect class="paper" width="{WIDE}" height="{HIGH}" rx="12"/>'
        f"{''.join([*grid(), *curves, *legend(counts)])}</svg>\n"
    )


PICTURES: dict[str, Callable[[], str]] = {"nex-4x4-strength.svg": strength}

if __name__ == "__main__":
    if len(sys.argv) > 1:
        with (Path(sys.argv[1]) / "records.jsonl").open(encoding="utf-8") as records:
            found = counted(records)
        rows = [f' "{kind}": {json.dumps(of)}' for kind, of in found.items()]
        COUNTS.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw(), encoding="utf-8")
