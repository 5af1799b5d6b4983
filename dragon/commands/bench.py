"""`dragon bench`: rates of each game, or the functional signature."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import click

from dragon.cli_tools import Seconds, as_json, first_move, rate, tell, with_checks
from dragon.columns import aligned, room
from dragon.config import game, search
from dragon.core import Game, Limit
from dragon.core.spec import settings
from dragon.modes import OPTIMISED
from dragon.plugins import games
from dragon.rules.perft import perft
from dragon.search.budget import now, processor_time

BARE = (
    "alphabeta(table=false, deepening=false, pvs=false, aspiration=false, "
    "killers=false, history=false, order=false, sooner=false, reduce=false, bounds=false, "
    "solved=false)"
)
SUITE = (
    ("tictactoe", BARE, Limit()),
    ("tictactoe", "negamax", Limit(depth=6)),
    ("tictactoe", "exhaustive", Limit()),
    ("nim(pile=21)", "alphabeta", Limit()),
    ("connect4", "alphabeta", Limit(depth=9)),
    ("connect4", BARE, Limit(depth=8)),
    ("connect4", "mcts", Limit(simulations=5000)),
    ("hex(size=4)", "alphabeta", Limit(depth=6)),
    ("hex(size=5)", "montecarlo", Limit(simulations=500)),
    ("nex(rows=3, cols=3)", "alphabeta", Limit()),
    ("nex(rows=4, cols=4)", "alphabeta(shuffle=true)", Limit(depth=3)),
    ("nex(rows=4, cols=4)", "mcts", Limit(simulations=5000)),
)
"""Deterministic searches; the sum of their nodes changes when the behaviour of one does."""

MOST_PATHS = 10_000_000
"""The most paths of a perft that is measured."""


@click.command()
@click.argument("specs", nargs=-1, metavar="[GAME]...")
@click.option(
    "--seconds",
    type=Seconds(0.01),
    default=1.0,
    metavar="S",
    help="Seconds for each measurement (1).",
)
@click.option("--signature", "signed", is_flag=True, help="Print the signature instead.")
@with_checks
@as_json
def bench(specs: tuple[str, ...], seconds: float, signed: bool, as_json: bool) -> None:
    """Measure how fast each GAME runs (all that need no setting).

    Rates are per second of processor time on one core, so that other programs do not change
    them; compiling is left out. They are of playouts, simulations of mcts, nodes of
    alphabeta, move paths of perft. The signature is the number of nodes that a fixed
    suite of searches visits: it changes when, and only when, a search or a game behaves
    differently.

    \b
    Examples:
      dragon bench connect4 "hex(size=11)"
      dragon bench --signature
      dragon bench --seconds 0.2 --json
    """
    if signed and specs:
        raise click.UsageError("give games to measure or --signature, not both")
    if signed:
        counts = list(suite())
        total = sum(nodes for *_, nodes in counts)
        listed = [{"game": g, "search": s, "limit": str(b), "nodes": n} for g, s, b, n in counts]
        tell(as_json, {"signature": total, "suite": listed}, str(total))
        return
    chosen = [game(spec) for spec in specs or ready()]
    wide = (min(40, max(20, room() - 15 * len(MEASURES))), *[13] * len(MEASURES))
    if not as_json:
        tell(False, None, aligned(("per second", *MEASURES), wide))
    for of in chosen:
        with processor_time(), OPTIMISED.under("1"):
            rates = {name: measure(of, seconds) for name, measure in MEASURES.items()}
        shown = ("-" if r is None else f"{r:,.0f}" for r in rates.values())
        text = aligned((str(of), *shown), wide)
        tell(as_json, {"game": str(of), **rates}, text)


def ready() -> list[str]:
    """The installed games that need no setting."""
    found = games().items()
    return [name for name, cls in found if not any(s.required for s in settings(cls))]


def suite() -> Iterator[tuple[str, str, Limit, int]]:
    """Game, search, limit and nodes of each search of the suite."""
    for of, by, limit in SUITE:
        nodes = search(by).best(game(of).start(), limit, seed=1).nodes
        yield of, by, limit, nodes


def _playouts(of: Game[Any], seconds: float) -> float:
    from dragon.bits import Random
    from dragon.rules.playout import playouts

    state, random = first_move(of), Random(1)
    playouts(state, 1, random)
    return _repeated(lambda n: playouts(state, n, random).count, seconds)


def _perft(of: Game[Any], seconds: float) -> float:
    """Paths a second at the greatest depth that fits in the time."""
    state, depth = of.start(), 1
    branching = max(2, len(state.moves()))
    paths = perft(state, depth)
    while True:
        begun = now()
        deeper = perft(state, depth + 1) if paths * branching < MOST_PATHS else 0
        if deeper <= paths:  # the game is over before, or the next ply is too wide
            break
        paths, depth = deeper, depth + 1
        if (now() - begun) * branching > seconds:
            break
    return _repeated(lambda n: sum(perft(state, depth) for _ in range(n)), seconds)


def _searched(of: Game[Any], seconds: float, name: str, unit: str) -> float | None:
    """Measure the rate of `name` from the start, which it searches again when proven."""
    chosen = search(name)
    if chosen.objection(of) is not None:
        return None
    chosen.best(first_move(of), Limit(nodes=100))
    count, spent = 0.0, 0.0
    while spent < seconds:
        result = chosen.best(of.start(), Limit(seconds=seconds - spent), seed=1)
        count += result.nodes if unit == "nodes" else result.extra[unit]
        spent += max(result.seconds, 1e-6)
    return rate(count, spent)


def _repeated(work: Callable[[int], int], seconds: float) -> float:
    """Measure the rate of `work(n)` per second; n doubles until the time is filled."""
    n, count, begun = 1, 0, now()
    while (spent := now() - begun) < seconds:
        count += work(n)
        if now() - begun < seconds / 8:
            n *= 2
    return rate(count, spent)


MEASURES: dict[str, Callable[[Game[Any], float], float | None]] = {
    "playouts": _playouts,
    "simulations": partial(_searched, name="mcts", unit="simulations"),
    "nodes": partial(_searched, name="alphabeta", unit="nodes"),
    "perft": _perft,
}
