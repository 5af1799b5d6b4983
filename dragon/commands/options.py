"""What several commands share: their options, the game and search they name, plain output."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Mapping
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dragon.config import build, search
from dragon.core import Bound, Game, Limit, Result, Search, State
from dragon.errors import Objection
from dragon.plugins import searches

if TYPE_CHECKING:
    F = TypeVar("F", bound=Callable[..., Any])

T = TypeVar("T")

PREFERRED = ("alphabeta", "exhaustive", "mcts")
"""The searches that a command tries first when none is asked for."""


def limits(command: F) -> F:
    """Adds --seconds, --nodes, --depth and --simulations; `limit_of` reads them."""
    whole, some = click.IntRange(min=1), click.FloatRange(min=0, min_open=True)
    for decorate in (
        click.option("--simulations", type=whole, metavar="N", help="Stop after N simulations."),
        click.option("--depth", type=whole, metavar="N", help="Look N plies ahead at most."),
        click.option("--nodes", type=whole, metavar="N", help="Stop after N nodes."),
        click.option("--seconds", type=some, metavar="S", help="Stop after S seconds."),
    ):
        command = decorate(command)
    return command


def limit_of(given: Mapping[str, Any]) -> Limit:
    """The Limit of the four options; raises ConfigError."""
    return build(Limit, {k: v for k, v in given.items() if v is not None}, "limit")


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")
with_seed = click.option("--seed", type=click.IntRange(min=0), default=0, metavar="N", help="Seed.")


def position(of: Game[Any], text: str | None, seed: int = 0) -> State[Any]:
    """The state that `text` writes, or the start dealt by `seed`."""
    return of.start(seed) if text is None else of.parse(text)


def chosen_search(spec: str | None, of: Game[Any]) -> Search:
    """The search of a spec, or the best of the installed ones that can play; raises Objection."""
    if spec is not None:
        asked = search(spec)
        asked.check(of)
        return asked
    known = searches()
    for name in [n for n in PREFERRED if n in known] + list(known):
        candidate = search(name)
        if candidate.objection(of) is None:
            return candidate
    raise Objection(f"no installed search can play {of}; `dragon searches --game {of}` says why")


def print_json(value: object) -> None:
    """One line of JSON on stdout, at once."""
    click.echo(json.dumps(plain(value), allow_nan=False))
    sys.stdout.flush()


def plain(value: Any) -> Any:
    """`value` in what JSON has: moves as their text, numpy numbers as numbers, no NaN."""
    if value is None or type(value) in (bool, int, str):
        return value
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(v) for v in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return str(value)


def number(value: float) -> str:
    """A value in few digits: 1, -0.25, 0.3333."""
    return f"{value:.4g}"


def claim(result: Result) -> str:
    """What a result says of the value: `= 1`, `~ 0.31 +- 0.02`."""
    error = f" +- {number(result.error)}" if result.error and result.bound is Bound.ESTIMATE else ""
    return f"{result.bound} {number(result.value)}{error}"


def words(line: tuple[Any, ...], most: int = 12) -> str:
    """A line of moves as text."""
    return " ".join(map(str, line[:most])) + (" ..." if len(line) > most else "")


def rate(count: float, seconds: float) -> float:
    """A count per second; 0 where the clock saw nothing."""
    return count / seconds if seconds > 0 else 0.0


def interruptible(function: Callable[..., T], *arguments: Any) -> T:
    """Calls `function` so that Ctrl-C ends the wait, even inside one long compiled call.

    The call runs in a daemon thread: Python handles signals only between steps of the
    main thread, and a compiled kernel is one step.
    """
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append((function(*arguments), None))
        except BaseException as raised:  # handed over to the waiting thread
            outcome.append((None, raised))

    thread = Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
    value, raised = outcome[0]
    if raised is not None:
        raise raised
    return value  # type: ignore[no-any-return]
