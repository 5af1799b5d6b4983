"""`dragon cover`: the covers of a problem in Knuth's format: listed, counted, ranked, sampled."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import click
from attrs import asdict, define, evolve, frozen

from dragon.cli_tools import (
    as_json,
    limit_of,
    progress_bar,
    tell,
    with_nodes,
    with_seconds,
    with_seed,
)
from dragon.config import read_text
from dragon.config import search as named_search
from dragon.core import Bound, Limit
from dragon.cover.knuth_format import parse
from dragon.cover.problem import Problem
from dragon.errors import ConfigError, Objection
from dragon.plugins import searches

if TYPE_CHECKING:
    from dragon.cover.searches import CoverSearch
    from dragon.cover.stream import Covers

LIMITS = ("seconds", "nodes")
ENUMERATION = ("overlapping", "size", "search", "workers", *LIMITS)
TAKES = {
    "list": ENUMERATION,
    "count": ENUMERATION,
    "first": ENUMERATION,
    "minimum": ("top", "overlapping", "size", *LIMITS),
    "sample": ("seed", *LIMITS),
    "why": ("overlapping", "size", *LIMITS),
    "estimate": ("seed", "seconds"),
}
"""The exclusive ways to search, and the options that each uses."""


@click.command()
@click.argument("file")
@click.option("--count", is_flag=True, help="Only count the covers.")
@click.option("--first", type=click.IntRange(min=1), metavar="K", help="Stop after K covers.")
@click.option("--minimum", is_flag=True, help="The cover of least cost, or of fewest options.")
@click.option("--top", type=click.IntRange(min=1), metavar="K", help="With --minimum: the K best.")
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Draw N covers at random.")
@click.option(
    "--why", is_flag=True, help="Print a minimal set of items that cannot be covered together."
)
@click.option("--estimate", is_flag=True, help="Estimate the size of the search tree.")
@click.option("--overlapping", is_flag=True, help="Items may be covered more than once.")
@click.option("--size", type=click.IntRange(min=0), metavar="N", help="N options at most.")
@click.option(
    "--search",
    "spec",
    default="dlx",
    show_default=True,
    metavar="SPEC",
    help="One that searches for covers: dlx, dancing_cells, algorithm_x, count.",
)
@click.option("--workers", type=click.IntRange(1, 256), default=1, metavar="N", help="Processes.")
@with_seconds
@with_nodes
@with_seed
@as_json
def cover(
    file: str,
    spec: str,
    overlapping: bool,
    size: int | None,
    seconds: float | None,
    nodes: int | None,
    as_json: bool,
    **given: Any,
) -> None:
    """List, count, rank or sample the covers of the problem in FILE.

    FILE is in Knuth's format, - is stdin: the first line names the items, the secondary ones
    after a |; each further line is an option (`p q x:A`). `2:3|p` in the first line lets item p
    be covered two or three times; `|5` in an option is its cost. A matrix of 0 and 1, an
    option on each row, will do too. Each cover is one line.
    In an overlapping cover, none of the options is redundant. Ctrl-C ends the search: what is
    known is printed, with --json the first covers alone.

    \b
    Examples:
      dragon cover queens.txt --count
      dragon cover soma.txt --first 1
      dragon cover dominoes.txt --count --search count
      dragon cover teams.txt --overlapping --size 6 --minimum --top 10
      dragon cover puzzle.txt --workers 2 --json > covers.json
    """
    from dragon.cover.searches import CoverSearch

    asked = [f"--{way}" for way in TAKES if given.get(way)]
    if len(asked) > 1:
        raise click.UsageError(f"{asked[0]} and {asked[1]} exclude each other; give one of them")
    way = asked[0].removeprefix("--") if asked else "list"
    _refuse(way)
    problem = parse(read_text(file, "a problem"), "stdin" if file == "-" else file)
    search = named_search(spec)
    if not isinstance(search, CoverSearch):
        known = ", ".join(name for name, cls in searches().items() if issubclass(cls, CoverSearch))
        raise Objection(f"{search} does not search for covers; these do: {known}")
    job = Job(
        problem,
        search,
        exact=not overlapping,
        size=size,
        limit=limit_of({"seconds": seconds, "nodes": nodes}),
        show=not as_json,
    )
    reply = JOBS[way](job, given)
    if reply is not None:
        tell(as_json, reply.row | {"interrupted": job.interrupted}, reply.text)
    if job.interrupted:
        raise KeyboardInterrupt


def _refuse(way: str) -> None:
    """Raise UsageError for options that were given and would change nothing."""
    ctx = click.get_current_context()
    usual = {param.opts[0]: param.get_default(ctx) for param in ctx.command.params}
    given = {param.opts[0]: ctx.params[str(param.name)] for param in ctx.command.params}
    known = dict.fromkeys(f"--{name}" for names in TAKES.values() for name in names)
    takes = {f"--{name}" for name in TAKES[way]}
    idle = [n for n in known if n not in takes and given[n] not in (None, usual[n])]
    if "--top" in idle:
        raise click.UsageError("--top goes with --minimum; --first limits the covers")
    if idle:
        what = "a list of covers" if way == "list" else f"--{way}"
        raise click.UsageError(f"{what} makes no use of {' and '.join(idle)}; leave one out")


BETWEEN = " | "
"""Between the options of a cover, on one line."""
MOST_NAMES = 1_000_000
"""The names of options in JSON after Ctrl-C, about a second's worth: a longer list is cut."""
UNKNOWN = "unknown: it ended before a cover was found, and before the proof of none"
PLAIN = 1e15
"""Estimates from here on are written as powers of ten."""


@define
class Job:
    """A problem to be searched, and the way to search it."""

    problem: Problem
    search: CoverSearch
    exact: bool
    size: int | None
    limit: Limit
    show: bool
    """True if a cover is printed as soon as it is found, and not as JSON at the end."""
    interrupted: bool = False

    def print(self, chosen: tuple[int, ...], before: str = "") -> None:
        """Print a cover on one line, if covers are shown."""
        if self.show:
            names = BETWEEN.join(self.problem.names[o] for o in chosen)
            click.echo(before + (names or "(no option)"))

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """End the block at Ctrl-C, and remember it, so that the covers so far are printed first."""
        try:
            yield
        except KeyboardInterrupt:
            self.interrupted = True


@frozen
class Reply:
    """The answer of a job, as JSON and as text."""

    row: dict[str, Any]
    text: str


def reply(
    job: Job,
    solutions: int,
    bound: Bound,
    nodes: int,
    seconds: float,
    updates: int = 0,
    covers: Sequence[tuple[int, ...]] = (),
    costs: list[int] | None = None,
) -> Reply:
    """Return the reply about the covers; `costs`: those of `covers`, which are then the best."""
    names, proven = job.problem.names, bound is Bound.EXACT
    verdict = "cover" if solutions else "no cover" if proven else "unknown"
    row = {
        "solutions": solutions,
        "bound": str(bound),
        "verdict": verdict,
        "nodes": nodes,
        "updates": updates,
        "seconds": seconds,
        "covers": [[names[o] for o in chosen] for chosen in covers],
    }
    if not solutions:
        said = verdict if proven else UNKNOWN
    elif costs is not None and not proven:
        few = "" if solutions == 1 else f" {solutions:,}"
        said = f"the best{few} so far, not proven"
    else:
        what = "cover" if costs is None else "best cover"
        plural = "" if solutions == 1 and proven else "s"
        said = f"{solutions:,}{'' if proven else ' or more'} {what}{plural}"
    if costs is not None:
        row["costs"] = costs
    return Reply(row, f"{said} ({nodes:,} nodes, {seconds:.3f} s)")


def listed(job: Job, given: dict[str, Any]) -> Reply:
    """List all covers, or the first few."""
    first, number, kept, late = given["first"], 0, [], False
    with found_by(job, given, listing=True) as found, progress(found) as tick, job.interruptible():
        # The limit of `found` is one of the search alone, and to print takes longer.
        ends = time.monotonic() + (job.limit.seconds or math.inf)
        for chosen in found:
            job.print(chosen)
            if not job.show:
                kept.append(chosen)
            number += 1
            tick()
            late = time.monotonic() > ends
            if number == first or late:
                break
    bound = Bound.LOWER if number == first or (late and number < found.found) else found.bound
    if job.interrupted and kept:
        kept = kept[: MOST_NAMES // max(1, len(kept[0]))]
    number = found.found if first is None and not late else number
    return reply(job, number, bound, found.nodes, found.seconds, found.updates, kept)


def counted(job: Job, given: dict[str, Any]) -> Reply:
    """Count the covers."""
    with found_by(job, given, listing=False) as found, progress(found) as tick, job.interruptible():
        while not found.over:
            found.advance(0)
            tick()
    return reply(job, found.found, found.bound, found.nodes, found.seconds, found.updates)


def ranked(job: Job, given: dict[str, Any]) -> Reply:
    """The covers of least cost; without costs and weights, those of fewest options."""
    from dragon.cover.optimum import improve

    problem = job.problem
    if not any(option.cost or any(option.weights.values()) for option in problem.options):
        problem = evolve(problem, options=[evolve(o, cost=1) for o in problem.options])
    top, best, least = given["top"] or 1, None, None
    with job.interruptible():
        for best in improve(problem, top, job.exact, "minimal", job.size, job.limit):
            if job.show and best.covers and best.covers[0].cost != least:
                least = best.covers[0].cost
                click.echo(f"found one that costs {least} ({best.nodes:,} nodes)", err=True)
    if best is None:  # stopped before the first look
        return reply(job, 0, Bound.ESTIMATE, 0, 0.0)
    for found in best.covers:
        job.print(found.options, f"{found.cost}: ")
    covers, costs = [f.options for f in best.covers], [f.cost for f in best.covers]
    return reply(job, len(covers), best.bound, best.nodes, best.seconds, covers=covers, costs=costs)


def sampled(job: Job, given: dict[str, Any]) -> Reply:
    """Covers drawn at random, each cover as likely as any other."""
    import numpy as np

    from dragon.cover.diagram_builder import DiagramBuilder

    builder, drawn = DiagramBuilder(job.problem, job.limit), []
    with job.interruptible():
        while builder.advance():
            pass
    diagram = builder.diagram()
    number = diagram.count()
    if builder.done and number:
        drawn = diagram.sample(given["sample"], np.random.default_rng(given["seed"]))
        for chosen in drawn:
            job.print(chosen)
    bound = Bound.EXACT if builder.done else Bound.LOWER
    return reply(job, number, bound, builder.nodes, builder.seconds, covers=drawn)


def explained(job: Job, given: dict[str, Any]) -> Reply:
    """Find a smallest set of items that no options cover together; or say that there is a cover."""
    from dragon.cover.conflict import ConflictSearch

    search, found = ConflictSearch(job.problem, job.exact, job.size, job.limit), None
    with job.interruptible():
        found = search.conflict()
    if job.interrupted:
        found = search.so_far()
    unknown = found is not None and found.bound is Bound.ESTIMATE
    row = {
        "items": None if found is None or unknown else found.items,
        "bound": "=" if found is None else str(found.bound),
        "verdict": "cover" if found is None else found.verdict,
        "nodes": search.nodes,
        "seconds": search.seconds,
    }
    if found is None:
        return Reply(row, "there is a cover; `dragon cover FILE --first 1` shows one")
    if unknown:
        return Reply(row, UNKNOWN)
    fewer = "; fewer may do" if found.bound is Bound.UPPER else ""
    few = "can be covered by no option" if len(found.items) == 1 else "cannot go together"
    return Reply(row, f"no cover: {', '.join(found.items)} {few}{fewer}")


def estimated(job: Job, given: dict[str, Any]) -> Reply | None:
    """Estimate the size of the search tree, and the number of covers, by random descents."""
    from dragon.cover.subproblems import DESCENTS, estimates

    seconds, guess = job.limit.seconds, None
    total, form = DESCENTS if seconds is None else None, "{n_fmt} descents [{elapsed}]"
    with job.interruptible(), progress_bar(total=total, bar_format=form) as bar:
        for guess in estimates(job.problem, seed=given["seed"], seconds=seconds):
            bar.update(guess.descents - bar.n)
    if guess is None:
        return None
    text = (
        f"nodes   {grouped(guess.nodes)} +- {grouped(guess.nodes_error)}\n"
        f"covers  {grouped(guess.covers)} +- {grouped(guess.covers_error)}\n"
        f"after {guess.descents:,} random descents"
    )
    return Reply({name: written(value) for name, value in asdict(guess).items()}, text)


def grouped(value: float | int) -> str:
    """Return a number in full, or as a power of ten where that is too long: `1,234`, `4.02e312`."""
    return f"{value:,.0f}" if value < PLAIN else scientific(value)


def written(value: float | int) -> float | int | str:
    """Return a number for JSON; one too large for a float is a text, `4.02e312`."""
    return scientific(value) if value > sys.float_info.max else value


def scientific(value: float | int) -> str:
    """Return three digits and a power of ten, for a number of any size above 1."""
    return f"{Decimal(value):.2e}".replace("e+", "e")


JOBS: dict[str, Callable[[Job, dict[str, Any]], Reply | None]] = {
    "list": listed,
    "first": listed,
    "count": counted,
    "minimum": ranked,
    "sample": sampled,
    "why": explained,
    "estimate": estimated,
}


@contextmanager
def found_by(job: Job, given: dict[str, Any], listing: bool) -> Iterator[Covers]:
    """Yield the covers, found by this process or by several."""
    from dragon.cover.stream import Covers

    if given["workers"] == 1:
        yield job.search.covers(job.problem, job.exact, job.size, job.limit)
        return
    from dragon.cover.parallel import Parallel

    if job.search.name != "dlx" or not job.exact:
        raise ConfigError("--workers share out exact covers by dlx; leave it, or take these")
    if job.limit.nodes is not None:
        raise ConfigError(
            "--nodes cannot end several workers at once; give --seconds, or one worker"
        )
    with Parallel(job.problem, job.size, given["workers"], listing) as stream:
        yield Covers(stream, job.limit)


@contextmanager
def progress(found: Covers) -> Iterator[Callable[[], None]]:
    """A bar on a terminal's stderr with Knuth's estimate of what is done; call it now and then."""
    form = "{l_bar}{bar}| {elapsed}, {postfix}"
    with progress_bar(total=100, bar_format=form) as bar:

        def tick() -> None:
            if not bar.disable:
                bar.n = round(100 * found.fraction(), 1)
                bar.set_postfix_str(f"{found.found:,} covers", refresh=False)
                bar.update(0)

        yield tick
