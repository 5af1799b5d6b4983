"""What several commands share: their options, the game and search they name, plain output."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dragon.blame import told
from dragon.config import build, search
from dragon.core import Bound, Game, Limit, Result, Search, State, Trait
from dragon.errors import BadNotation, ConfigError, DragonError, Objection, PluginError, UnknownName
from dragon.modes import CHECKED
from dragon.plugins import searches

if TYPE_CHECKING:
    F = TypeVar("F", bound=Callable[..., Any])

T = TypeVar("T")

LONGEST = 256_000_000
"""Letters of a file that a command reads."""
PREFERRED = ("alphabeta", "exhaustive", "mcts", "determinize")
"""The searches that a command tries first when none is asked for; dlx before, in cover games."""


class Seconds(click.FloatRange):
    """More than `least` seconds, and a number: no clock ever shows nan or infinity."""

    def __init__(self, least: float = 0.0) -> None:
        super().__init__(min=least, min_open=not least)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; fails as click's own types do."""
        seconds = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"{value} is no number of seconds.", param, ctx)
        return seconds


def limits(command: F) -> F:
    """Adds --seconds, --nodes, --depth and --simulations; `limit_of` reads them."""
    whole, some = click.IntRange(min=1), Seconds()
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


def say_caveats(players: Iterable[Search | None], limit: Limit) -> None:
    """A line on stderr for each search that ignores a limit that is given."""
    for sentence in dict.fromkeys(p.caveat(limit) for p in players if p is not None):
        if sentence is not None:
            click.echo(f"note: {sentence}", err=True)


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")
with_checks = click.option(
    "--checked", is_flag=True, expose_value=False, callback=lambda *given: _check(given[-1]),
    help="Stop at the first thing that compiled rules must not do.",
)  # fmt: skip
with_seed = click.option("--seed", type=click.IntRange(min=0), default=0, metavar="N", help="Seed.")


def _check(wanted: bool) -> None:
    if wanted:
        CHECKED.set("1")


def position(of: Game[Any], text: str | None, seed: int = 0) -> State[Any]:
    """The state that `text` writes, or the start dealt by `seed`."""
    return of.start(seed) if text is None else parsed(of, text)


def parsed(of: Game[Any], text: str) -> State[Any]:
    """The state that `text` writes; raises BadNotation, whatever the game's own `parse` raises."""
    try:
        state = of.parse(text)
    except (DragonError, RecursionError, MemoryError):
        raise
    except Exception as raised:  # a game's author may leave the refusal to int() or a dict
        raise BadNotation(f"{text!r} is not a position of {of}: {told(raised)}") from raised
    if not isinstance(state, State):
        raise PluginError(f"{of}: parse({text!r}) gave {state!r}, which is no State")
    return state


def read_text(file: str, what: str) -> str:
    """What is in a file in UTF-8, or in stdin for `-`, a mark of byte order left out.

    what: what it is read for, in a sentence. Raises ConfigError where it cannot be read, or has
    more than LONGEST letters: a device may have no end.
    """
    name = "stdin" if file == "-" else file
    if file == "-" and sys.stdin is None:
        raise ConfigError(f"there is no input to read {what} from; standard input is closed")
    try:
        with click.open_file(file, encoding="utf-8") as lines:
            text = str(lines.read(LONGEST + 1)).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name}: not a text file in UTF-8 ({error.reason})") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"cannot read {name}: {reason}") from error
    if len(text) > LONGEST:
        raise ConfigError(f"{name} has more than {LONGEST:,} letters; give a smaller file")
    return text


def chosen_search(spec: str | None, of: Game[Any]) -> Search:
    """The search of a spec, or the best of the installed ones that can play; raises Objection."""
    if spec is not None:
        asked = search(spec)
        asked.check(of)
        return asked
    for candidate in _candidates(of):
        if candidate.objection(of) is None:
            return candidate
    raise Objection(f"no installed search can play {of}; `dragon searches --game {of}` says why")


def _candidates(of: Game[Any]) -> Iterator[Search]:
    """Those preferred, then all, which are loaded only then."""
    for spec in (("dlx",) if Trait.COVER in of.traits else ()) + PREFERRED:
        with suppress(UnknownName):
            yield search(spec)
    yield from map(search, searches())


def print_json(value: object) -> None:
    """One line of JSON on stdout, at once."""
    click.echo(json.dumps(plain(value), allow_nan=False))
    if sys.stdout is not None:
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
