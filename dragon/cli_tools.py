"""The parts of commands, those of plugins too: options, the search they name, plain output.

Options, to be put above a command: `as_json` (--json), `with_seed`, `with_checks` (--checked),
`with_position`, `with_search`, `with_seconds`, `with_nodes`, and `limits`, all four of a Limit,
which `limit_of` reads; `is_given` says whether one was typed. `Seconds` is the type of a time,
`Number` that of any other number in a range, `Group` that of a group of commands.

What they name: `chosen_search` is the search of a spec or one that can play, `judges` those that
say what each move of a game was worth; `say_caveats` says
which limits it ignores; `first_move` is the start of a game that has a move. Games, positions and
text files: `dragon.config`.

Work: `check_writable` says before it whether a file can be written after it;
`interruptible` lets Ctrl-C end one long call, `followed` a stream that a bar shows, `last`
one of which the last counts; `progress` is a bar for a part from 0 to 1, `progress_bar` any other.

Output: `check_stdout` lets one thing go there, `refuse_stdout` nothing; `print_json`, of whatever
`dragon.jsonable.plain` can write, and `tell`, of that or of text;
`claim` is what a result says, `words` a line of moves, `number` a value, `rate` a count per
second. Exit codes: `dragon.errors`.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import copy_context
from functools import wraps
from pathlib import Path
from threading import Thread
from time import time
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import evolve
from click.core import ParameterSource

from dragon.config import build, search
from dragon.core import TERMINAL, Bound, Game, Limit, Result, Search, State, Trait
from dragon.errors import ConfigError, Objection, UnknownName, cannot_write, did_you_mean
from dragon.files import STDOUT, draft_of, write
from dragon.jsonable import plain
from dragon.modes import CHECKED
from dragon.plugins import searches

if TYPE_CHECKING:
    F = TypeVar("F", bound=Callable[..., Any])

T = TypeVar("T")

__all__ = [
    "Group",
    "Number",
    "Seconds",
    "as_json",
    "check_stdout",
    "check_writable",
    "chosen_search",
    "claim",
    "first_move",
    "followed",
    "interruptible",
    "is_given",
    "judges",
    "last",
    "limit_of",
    "limits",
    "number",
    "print_json",
    "progress",
    "progress_bar",
    "rate",
    "refuse_stdout",
    "say_caveats",
    "tell",
    "with_checks",
    "with_nodes",
    "with_position",
    "with_search",
    "with_seconds",
    "with_seed",
    "words",
]  # fmt: skip

PREFERRED = ("alphabeta", "exhaustive", "mcts", "determinize")
"""The searches that a command tries first if none is named; dlx before, in cover games."""


STRONG = "mcts(style='strong')", "determinize(search='mcts(style=\"strong\")')"
"""The searches that `strong` stands for: the first that can play the game."""


class Group(click.Group):
    """A group of commands that suggests a name from `list_commands` for an unknown one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as unknown:
            hint = did_you_mean(args[0], self.list_commands(ctx))
            if not hint or "did you mean" in unknown.message.lower():
                raise
            raise click.UsageError(f"{unknown.message.rstrip('.')}{hint}", ctx) from None


class Number(click.FloatRange):
    """A parameter type: a number in a range, neither nan nor infinity."""

    what = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; fails as click's own types do."""
        found = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value} is not a {self.what}.", param, ctx)
        return found


class Seconds(Number):
    """A parameter type: more than `least` seconds."""

    what = "number of seconds"

    def __init__(self, least: float = 0.0) -> None:
        super().__init__(min=least, min_open=not least)


_count = click.IntRange(min=1)
with_seconds = click.option("--seconds", type=Seconds(), metavar="S", help="Stop after S seconds.")
with_nodes = click.option("--nodes", type=_count, metavar="N", help="Stop after N nodes.")
_depth = click.option("--depth", type=_count, metavar="N", help="Look N plies ahead at most.")
_simulations = click.option(
    "--simulations", type=_count, metavar="N", help="Stop after N simulations."
)


def limits(command: F) -> F:
    """Add --seconds, --nodes, --depth and --simulations; `limit_of` reads them."""
    return with_seconds(with_nodes(_depth(_simulations(command))))


def is_given(option: str) -> bool:
    """Return True if a parameter of the running command was typed, even with its default value."""
    source = click.get_current_context().get_parameter_source(option)
    return source is not ParameterSource.DEFAULT


def limit_of(given: Mapping[str, Any]) -> Limit:
    """The Limit of the four options; raises ConfigError."""
    return build(Limit, {k: v for k, v in given.items() if v is not None}, "limit")


def say_caveats(players: Iterable[Search | None], limit: Limit) -> None:
    """A line on stderr for each search that ignores a limit that is given."""
    for sentence in dict.fromkeys(p.caveat(limit) for p in players if p is not None):
        if sentence is not None:
            click.echo(f"note: {sentence}", err=True)


def _check(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted:
        CHECKED.set("1")


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")
with_checks = click.option(
    "--checked", is_flag=True, expose_value=False, callback=_check,
    help="Run compiled rules with all checks, and stop at the first mistake.",
)  # fmt: skip
with_seed = click.option("--seed", type=click.IntRange(min=0), default=0, metavar="N", help="Seed.")
with_position = click.option(
    "--position", "text", metavar="TEXT", help="The position; the start if not given."
)
with_search = click.option(
    "--search", "search_spec", metavar="SPEC", help="The search; see `dragon searches`."
)


def first_move(of: Game[Any]) -> State[Any]:
    """The start of a game, which must have a move; raises ConfigError where the game is over."""
    start = of.start()
    if start.turn == TERMINAL:
        raise ConfigError(
            f"{of} is over before its first move (position {start}), so that there is nothing to "
            "try; mend `turn` or what the game starts with, or give other parameters"
        )
    return start


def chosen_search(spec: str | None, of: Game[Any]) -> Search:
    """The search of a spec, or the best of the installed ones that can play; raises Objection.

    `strong` stands for the strongest player that is known without settings for the game.
    """
    if spec == "strong":
        spec = STRONG[-1 if Trait.HIDDEN in of.traits else 0]
    if spec is not None:
        asked = search(spec)
        asked.check(of)
        return asked
    for candidate in _candidates(of):
        if candidate.objection(of) is None:
            return candidate
    raise Objection(f"no installed search can play {of}; `dragon searches --game {of}` says why")


JUDGING = 0.5
"""Seconds of thought about a position whose moves are judged, where no limit is given."""
GUESSING = ("mcts",)
"""The searches for estimates in a game that does not say what a position is worth."""


def judges(
    of: Game[Any], start: State[Any], spec: str | None, limit: Limit | None
) -> tuple[list[Search], Limit]:
    """Return the searches that judge the moves of a game, and the limit of each at a position.

    Without a spec, one that estimates is used after one that proves, if `start` does not have an
    evaluation.
    """
    from dragon.rules.record import defines

    if limit is None or limit == Limit():
        limit = Limit(seconds=JUDGING)
    found = [chosen_search(spec, of)]
    if spec is None and not defines(start, "evaluate"):
        found += [each for each in map(search, GUESSING) if not each.objection(of)]
    if len(found) > 1 and limit.seconds is not None:
        limit = evolve(limit, seconds=limit.seconds / len(found))
    return found, limit


def _candidates(of: Game[Any]) -> Iterator[Search]:
    """Yield the preferred searches, then all installed ones, which are loaded only then."""
    for spec in (("dlx",) if Trait.COVER in of.traits else ()) + PREFERRED:
        with suppress(UnknownName):
            yield search(spec)
    yield from map(search, searches())


def refuse_stdout(path: Path | None) -> None:
    """Raise ConfigError where a file to be kept would go to stdout."""
    if path == STDOUT:
        raise ConfigError("-: what is kept cannot go to stdout; give another path")


def check_writable(file: str | Path) -> None:
    """Raise ConfigError now where a file could not be written later; stdout is none."""
    path = Path(file)
    refuse_stdout(path)
    try:
        if path.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        draft = draft_of(path)
        draft.touch(exist_ok=False)
        draft.unlink()
    except OSError as wrong:
        raise cannot_write(file, wrong) from wrong


def with_picture(old: str, dest: str, said: str) -> Callable[[Any], Any]:
    """The option `--out FILE` of a command that draws; the name it once had works, with a note."""
    file = click.Path(path_type=Path, dir_okay=False)

    def add(command: Callable[..., Any]) -> Any:
        @wraps(command)
        def either(*args: Any, former: Path | None, **given: Any) -> Any:
            if former is not None:
                click.echo(f"note: {old} is called --out now", err=True)
                given[dest] = given[dest] or former
            return command(*args, **given)

        older = click.option(old, "former", type=file, hidden=True)
        return click.option("--out", dest, type=file, metavar="FILE", help=said)(older(either))

    return add


def save_picture(file: Path, svg: str) -> int:
    """Write a picture as its name's ending says, `-` being SVG on stdout; the number of bytes.

    Raises ConfigError for another ending, or where nothing can make a PNG.
    """
    from dragon.boards.picture import png

    if file != STDOUT and file.suffix.lower() not in (".svg", ".png"):
        raise ConfigError(f"--out {file}: the name must end in .svg or .png, or be -")
    data = png(svg) if file.suffix.lower() == ".png" else svg.encode()
    write(file, svg if file == STDOUT else data)
    return len(data)


def check_stdout(option: str, file: Path | None, data: bool | None) -> None:
    """Raise UsageError where a picture and data would both go to stdout."""
    if file == STDOUT and data:
        raise click.UsageError(
            f"{option} - and --json or --csv go to stdout both; draw to a file, or drop one of them"
        )


def print_json(value: object) -> None:
    """Print one line of JSON on stdout, and flush."""
    click.echo(json.dumps(plain(value), allow_nan=False))
    if sys.stdout is not None:
        sys.stdout.flush()


def tell(as_json: bool, row: object, text: str | Iterable[str]) -> None:
    """Print an object, as JSON or as text, which may come in lines."""
    if as_json:
        print_json(row)
        return
    for line in (text,) if isinstance(text, str) else text:
        click.echo(line)


def number(value: float) -> str:
    """A value in few digits: 1, -0.25, 0.3333."""
    return f"{value:.4g}"


def claim(result: Result) -> str:
    """The claim of a result about the value: `= 1`, `~ 0.31 +- 0.02`."""
    error = f" +- {number(result.error)}" if result.error and result.bound is Bound.ESTIMATE else ""
    return f"{result.bound} {number(result.value)}{error}"


def words(line: tuple[Any, ...], most: int = 12) -> str:
    """A line of moves as text."""
    return " ".join(map(str, line[:most])) + (" ..." if len(line) > most else "")


def rate(count: float, seconds: float) -> float:
    """Return a count per second; 0 where no time was measured."""
    return count / seconds if seconds > 0 else 0.0


def interruptible(
    function: Callable[..., T], *arguments: Any, waiting: Callable[[], object] = lambda: None
) -> T:
    """Call `function` so that Ctrl-C ends the wait, even inside one long compiled call.

    The call runs in a daemon thread: Python handles signals only between steps of the
    main thread, and a compiled kernel is one step. waiting: called meanwhile, ten times a second.
    """
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append((function(*arguments), None))
        except BaseException as raised:  # handed over to the waiting thread
            outcome.append((None, raised))

    thread = Thread(target=copy_context().run, args=(run,), daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
        waiting()
    value, raised = outcome[0]
    if raised is not None:
        raise raised
    return value  # type: ignore[no-any-return]


def progress_bar(**shape: Any) -> Any:
    """Return a bar of tqdm on stderr, shown on a terminal after a second, and removed at the end.

    shape: further arguments of tqdm, which replace these.
    """
    from tqdm import tqdm  # type: ignore[import-untyped]

    off = sys.stderr is None or not sys.stderr.isatty()
    usual = {"file": sys.stderr, "disable": off, "delay": 1, "leave": False, "dynamic_ncols": True}
    return tqdm(**usual | shape)


def show_step(bar: Any, doing: str, done: int, total: int | None = None) -> None:
    """Move such a bar to the part of a task that is done; a new task begins a new bar."""
    if bar.disable:
        return
    if doing != bar.desc.removesuffix(": "):
        bar.reset(total)
        bar.set_description(doing)
    bar.update(done - bar.n)


@contextmanager
def progress(label: str = "") -> Iterator[Callable[..., None]]:
    """Show a bar; yield a function of the part that is done, from 0 to 1, and of a new label."""
    shape = "{desc}: {percentage:3.0f}%|{bar}| [{elapsed}<{remaining}]"
    with progress_bar(total=1.0, desc=label, bar_format=shape) as bar:

        def watch(part: float, text: str = "") -> None:
            if text:
                bar.set_description_str(text, refresh=False)
            bar.update(max(0.0, part - bar.n))

        yield watch


def followed(stream: Iterator[T], total: int, what: str) -> tuple[list[T], bool]:
    """Return the items of a stream until its end or Ctrl-C, and whether it was Ctrl-C.

    total: the expected number, for the bar that a terminal shows if it takes over a second.
    """
    found: list[T] = []
    with progress_bar(total=total, desc=what, unit="", unit_scale=total > 9999) as bar:

        def follow(each: T) -> None:
            found.append(each)
            bar.update()

        def tick() -> None:  # the clock beside the bar runs, however long the first takes
            if not bar.disable and time() - bar.start_t >= bar.delay:
                bar.refresh()
                bar.last_print_t = time()  # else it believes at its end that it was never shown

        _, interrupted = last(stream, follow, tick)
    return [*found], interrupted


def last(
    stream: Iterator[T],
    watch: Callable[[Any], object],
    waiting: Callable[[], object] = lambda: None,
) -> tuple[T | None, bool]:
    """Return the last item of a stream until its end or Ctrl-C, and whether it was Ctrl-C.

    watch: called with each. waiting: as for `interruptible`. The item is None where Ctrl-C came
    before the first.
    """
    found: T | None = None

    def follow() -> None:
        nonlocal found
        for found in stream:
            watch(found)

    try:
        interruptible(follow, waiting=waiting)
    except KeyboardInterrupt:
        return found, True
    return found, False
