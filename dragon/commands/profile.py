"""`dragon profile`: where a playout's time goes, rule by rule."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import click
from attrs import asdict, frozen

from dragon.bits import Random
from dragon.cli_tools import Seconds, as_json, print_json
from dragon.config import game
from dragon.core import Game
from dragon.errors import ConfigError
from dragon.plugins import games
from dragon.rules.contract import RULES
from dragon.rules.playout import Playouts
from dragon.rules.preparation import kernels_of
from dragon.rules.record import has_kernels
from dragon.search.budget import now, processor_time

BESIDE = ("tictactoe", "connect4", "hex")
"""Games that everybody knows, which are measured too."""
BYTES, LEAST = 1 << 18, 256
"""The sample of states: so many bytes, which a processor's caches hold, or so many states."""
MOST = 1 << 40
"""Calls of one that costs nothing, since the compiler knows what it returns."""
GAMES = 16
"""What is timed is at least so many playouts, or the states of as many."""
REPEATS = 10
"""Times that each is measured; the shortest counts, since other programs only make it longer."""


@frozen
class Row:
    """What one rule costs."""

    rule: str
    seconds: float
    """A call."""
    calls: float
    """In a playout; 0 for a rule that only searches ask."""


@frozen
class Profile:
    """Where the time of a game's playouts goes."""

    game: str
    playout: float
    """Seconds."""
    plies: float
    """Of a playout."""
    rows: tuple[Row, ...]

    @property
    def rest(self) -> float:
        """Seconds of a playout that no row explains; below 0 where rules are faster woven in."""
        return self.playout - sum(row.seconds * row.calls for row in self.rows)


@click.command()
@click.argument("spec", metavar="GAME")
@click.option("--beside", metavar="GAME", multiple=True,
              help="Measure this game too, not classics; may be given several times.")  # fmt: skip
@click.option("--seconds", type=Seconds(0.01), default=0.1, metavar="S",
              help="Seconds for each measurement (0.1).")  # fmt: skip
@as_json
def profile(spec: str, beside: tuple[str, ...], seconds: float, as_json: bool) -> None:
    """Show where a playout of GAME spends its time, rule by rule, beside the classics.

    Compiled, rules are woven into one another and cannot be timed there. So each is called by
    itself, on the states of random games, and the playout is timed as a whole: shares are close
    and not exact. `rest` is what the rules leave: drawing moves, what the processor guesses
    wrong, less what weaving saves. Rules that only searches ask have no share. Time is processor
    time, compiling left out.

    \b
    Examples:
      dragon profile connect4
      dragon profile "hex(size=7)" --beside "hex(size=11)"
      dragon profile tictactoe --json
    """
    of = game(spec)
    others = [game(each) for each in beside or [name for name in BESIDE if name in games()]]
    with processor_time():
        made = [measured(each, seconds) for each in (of, *(o for o in others if o != of))]
    if as_json:
        print_json([asdict(each) | {"rest": each.rest} for each in made])
        return
    for line in lines(made):
        click.echo(line)


def lines(made: list[Profile]) -> list[str]:
    """The table: the first with calls and shares, then of each the nanoseconds a call."""
    first, *others = made
    names = [each.game for each in others]
    widths = [max(12, len(name) + 2) for name in names]
    heads = "".join(f"{name:>{width}}" for name, width in zip(names, widths, strict=True))
    found = [
        f"{first.game}: a playout takes {first.playout * 1e6:,.2f} µs and {first.plies:.1f} plies",
        "",
        f"{'':<14}{'share':>8}{'calls':>10}{'ns a call':>12}{heads}",
    ]
    for row in first.rows:
        share = f"{row.seconds * row.calls / first.playout:.0%}" if row.calls else "-"
        calls = f"{row.calls:.1f}" if row.calls else "-"
        cells = [next((r for r in o.rows if r.rule == row.rule), None) for o in others]
        told = ["-" if cell is None else f"{cell.seconds * 1e9:,.1f}" for cell in cells]
        beside = "".join(f"{text:>{width}}" for text, width in zip(told, widths, strict=True))
        found.append(f"{row.rule:<14}{share:>8}{calls:>10}{row.seconds * 1e9:>12,.1f}{beside}")
    found.append(f"{'rest':<14}{first.rest / first.playout:>8.0%}")
    plies = [each.playout / each.plies * 1e9 for each in made]
    whole = "".join(f"{ns:>{width},.1f}" for ns, width in zip(plies, [30, *widths], strict=True))
    return [*found, f"{'a ply in all':<14}{whole}"]


def measured(of: Game[Any], seconds: float) -> Profile:
    """The profile of a game; raises ConfigError for one whose rules are not compiled."""
    import numpy as np

    state = of.start()
    if not has_kernels(state):
        raise ConfigError(
            f"{of} has no compiled rules to be measured one by one; Python's own profiler tells "
            f'where its time goes: python -m cProfile -s tottime -m dragon bench "{of}"'
        )
    rules, random = state.rules, Random(1)
    kernels, playouts = kernels_of("dragon.rules.kernels.profile", rules), Playouts(state)
    playout = _timed(lambda n: playouts.run(n, random), seconds, GAMES)
    plies = playouts.run(LEAST, random).plies / LEAST
    size = max(LEAST, BYTES // rules.layout.itemsize, int(4 * plies))
    states, rolls = np.zeros(size + 2, rules.layout), np.zeros(size, rules.layout)
    states[size] = np.frombuffer(state.data, rules.layout)[0]
    codes, counts = np.zeros(size, np.int64), np.zeros(3, np.int64)
    out, scores = np.zeros((2, rules.width), np.int64)
    weights = np.zeros(rules.width if rules.odds else 0)
    kernels.gather(states, codes, rolls, counts, out, weights, random.state)
    ends = np.zeros(LEAST, rules.layout)
    kernels.gather_ends(ends, states[size : size + 1].copy(), out, weights, random.state)
    states, rolls, scratch = states[:size], rolls[: counts[1]], np.zeros(16, rules.layout)
    rolled = plies * counts[1] / (counts[0] + counts[1])
    moved, rows = plies - rolled, list[Row]()

    def add(name: str, calls: float, less: float, over: Any, *arguments: Any) -> float:
        """The seconds of a call of a rule on each of the records `over`, `less` what is known."""
        kernel, few = getattr(kernels, f"time_{name}"), min(GAMES * math.ceil(plies), len(over))
        spent = _timed(lambda n: kernel(over, *arguments, n), seconds, few)
        rows.append(Row(name, max(spent - less, 0.0), float(calls)))
        return spent

    copy = add("copy", 1, 0.0, states, scratch)
    add("turn", plies + 1, 0.0, states)
    listed = 0.0 if rules.sample else moved
    moves = add("moves", listed, 0.0, states, out)
    if rules.sample:
        add("sample", moved, 0.0, states, random.state)
    if rules.odds and len(rolls):
        listed = add("moves", rolled, 0.0, rolls, out)
        rows[-1] = Row("moves of chance", rows[-1].seconds, rolled)
        add("odds", rolled, listed, rolls, out, weights)
    add("play", plies, copy, states, codes, scratch)
    add("payoff", 1, 0.0, ends)
    seats = len(rules.teams)
    rows[-1] = Row("payoff", rows[-1].seconds / seats, seats)
    further: dict[str, tuple[float, tuple[Any, ...]]] = {
        "order": (moves, (out, scores)), "reduce": (moves, (out,)), "evaluate": (0.0, ()),
        "banked": (0.0, ()), "bounds": (0.0, ()), "solved": (0.0, (rules.opened(),)),
        "key": (0.0, (np.zeros(1, np.uint64),)),
    }  # fmt: skip
    for name in RULES:
        if name in further and getattr(rules, name) is not None:
            less, arguments = further[name]
            add(name, 0, less, states, *arguments)
    return Profile(str(of), playout, plies, tuple(rows))


def _timed(work: Callable[[int], object], seconds: float, n: int) -> float:
    """Seconds that one of n takes in `work(n)`, n or more: the shortest of REPEATS times."""
    work(1)
    spent, least = 0.0, seconds / REPEATS
    while spent < least and n < MOST:
        begun = now()
        work(n)
        spent = now() - begun
        if spent < least:
            n = max(2 * n, min(16 * n, int(n * least / max(spent, 1e-7))))
    best = spent
    for _ in range(REPEATS - 1):
        begun = now()
        work(n)
        best = min(best, now() - begun)
    return best / n
