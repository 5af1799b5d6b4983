"""What `dragon cover` can do with a problem: list its covers, count, rank or sample them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import log10
from typing import TYPE_CHECKING, Any

import click
from attrs import asdict, evolve, field, frozen

from dragon.commands.options import print_json
from dragon.core import Bound, Limit
from dragon.cover.problem import Problem
from dragon.errors import ConfigError

if TYPE_CHECKING:
    from dragon.cover.enumeration import Covers
    from dragon.cover.search import CoverSearch

BETWEEN = " | "
"""Between the options of a cover, on one line."""
UNKNOWN = "unknown: it ended before a cover was found, and before the proof of none"
PLAIN = 1e15
"""Estimates from here on are written as powers of ten."""


@frozen
class Job:
    """What is to be searched, and how."""

    problem: Problem
    search: CoverSearch
    exact: bool
    size: int | None
    limit: Limit
    show: Callable[[str], None] | None
    """Prints a cover as soon as it is found; None where all are printed as JSON."""

    def line(self, chosen: tuple[int, ...]) -> str:
        """A cover on one line."""
        return BETWEEN.join(self.problem.names[o] for o in chosen) or "(no option)"


@frozen
class Told:
    """What was found."""

    solutions: int
    bound: Bound
    nodes: int = 0
    updates: int = 0
    seconds: float = 0.0
    covers: list[tuple[int, ...]] = field(factory=list)
    costs: list[int] | None = None
    what: str = "cover"
    interrupted: bool = False

    @property
    def verdict(self) -> str:
        """Whether there is a cover, as far as is proven."""
        if self.solutions:
            return "cover"
        return "no cover" if self.bound is Bound.EXACT else "unknown"

    def row(self, problem: Problem) -> dict[str, Any]:
        """As JSON; each cover is a list of its options' names."""
        names = problem.names
        row = {
            "solutions": self.solutions,
            "bound": str(self.bound),
            "verdict": self.verdict,
            "nodes": self.nodes,
            "updates": self.updates,
            "seconds": self.seconds,
            "covers": [[names[o] for o in chosen] for chosen in self.covers],
        }
        return row if self.costs is None else {**row, "costs": self.costs}

    def summary(self) -> str:
        """In one line, for people."""
        spent = f"{self.nodes:,} nodes, {self.seconds:.3f} s"
        if not self.solutions:
            return f"{'no cover' if self.bound is Bound.EXACT else UNKNOWN} ({spent})"
        if self.costs is not None and self.bound is not Bound.EXACT:
            few = "" if self.solutions == 1 else f" {self.solutions:,}"
            return f"the best{few} so far, not proven ({spent})"
        more = "" if self.bound is Bound.EXACT else " or more"
        plural = "" if self.solutions == 1 and not more else "s"
        return f"{self.solutions:,}{more} {self.what}{plural} ({spent})"


def listed(job: Job, given: dict[str, Any]) -> Told:
    """All covers, or the first few."""
    first, kept = given["first"], []
    with found_by(job, given["workers"], listing=True) as found, progress(found) as tick:
        interrupted = False
        try:
            for chosen in found:
                if job.show is not None:
                    job.show(job.line(chosen))
                else:
                    kept.append(chosen)
                tick()
                first = first and first - 1
                if first == 0:
                    break
        except KeyboardInterrupt:
            interrupted = True
    number = found.found if first is None else given["first"] - first
    bound = found.bound if first is None or first else Bound.LOWER
    told = Told(number, bound, found.nodes, found.updates, found.seconds, kept)
    return evolve(told, interrupted=interrupted)


def counted(job: Job, given: dict[str, Any]) -> Told:
    """Only how many there are."""
    with found_by(job, given["workers"], listing=False) as found, progress(found) as tick:
        interrupted = False
        try:
            while not found.over:
                found.advance(0)
                tick()
        except KeyboardInterrupt:
            interrupted = True
    told = Told(found.found, found.bound, found.nodes, found.updates, found.seconds)
    return evolve(told, interrupted=interrupted)


def ranked(job: Job, given: dict[str, Any]) -> Told:
    """The covers of least cost; where no option costs anything, those of fewest options."""
    from dragon.cover.optimum import improve

    problem = job.problem
    if not any(option.cost for option in problem.options):
        problem = evolve(problem, options=[evolve(o, cost=1) for o in problem.options])
    top, best, told, interrupted = given["top"] or 1, None, None, False
    try:
        for best in improve(problem, top, job.exact, "minimal", job.size, job.limit):
            if job.show is not None and best.covers and best.covers[0].cost != told:
                told = best.covers[0].cost
                click.echo(f"found one that costs {told} ({best.nodes:,} nodes)", err=True)
    except KeyboardInterrupt:
        interrupted = True
    if best is None:  # stopped before the first look
        return Told(0, Bound.ESTIMATE, interrupted=True)
    for found in best.covers:
        if job.show is not None:
            job.show(f"{found.cost}: {job.line(found.options)}")
    return Told(
        len(best.covers),
        best.bound,
        best.nodes,
        seconds=best.seconds,
        covers=[found.options for found in best.covers],
        costs=[found.cost for found in best.covers],
        what="best cover",
        interrupted=interrupted,
    )


def sampled(job: Job, given: dict[str, Any]) -> Told:
    """Covers drawn at random, each cover as likely as any other."""
    import numpy as np

    from dragon.cover.drawing import Drawing

    drawing, interrupted = Drawing(job.problem, job.limit), False
    try:
        while drawing.advance():
            pass
    except KeyboardInterrupt:
        interrupted = True
    diagram = drawing.diagram()
    number = diagram.count()
    bound = Bound.EXACT if drawing.done else Bound.LOWER
    told = Told(number, bound, drawing.nodes, seconds=drawing.seconds, interrupted=interrupted)
    if not drawing.done or not number:
        return told
    drawn = diagram.sample(given["sample"], np.random.default_rng(given["seed"]))
    for chosen in drawn:
        if job.show is not None:
            job.show(job.line(chosen))
    return evolve(told, covers=drawn)


def tell_why(job: Job, as_json: bool) -> None:
    """Items that no set of options covers together, as few as can be; or that there is a cover."""
    from dragon.cover.conflict import Inquiry

    inquiry, interrupted = Inquiry(job.problem, job.exact, job.size, job.limit), False
    try:
        found = inquiry.conflict()
    except KeyboardInterrupt:
        found, interrupted = inquiry.so_far(), True
    if as_json:
        known = found is not None and found.bound is not Bound.ESTIMATE
        print_json(
            {
                "items": found.items if found is not None and known else None,
                "bound": "=" if found is None else str(found.bound),
                "verdict": "cover" if found is None else found.verdict,
                "nodes": inquiry.nodes,
                "seconds": inquiry.seconds,
            }
        )
    elif found is None:
        click.echo("there is a cover; `dragon cover FILE --first 1` shows one")
    elif found.bound is Bound.ESTIMATE:
        click.echo(UNKNOWN)
    else:
        fewer = "; fewer may do" if found.bound is Bound.UPPER else ""
        few = "can be covered by no option" if len(found.items) == 1 else "cannot go together"
        click.echo(f"no cover: {', '.join(found.items)} {few}{fewer}")
    if interrupted:
        raise KeyboardInterrupt


def tell_size(job: Job, seed: int, as_json: bool) -> None:
    """How large the search tree will be, and how many covers there are, by random descents."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    from dragon.cover.descent import DESCENTS, estimates

    seconds, guess, interrupted = job.limit.seconds, None, False
    total, form = DESCENTS if seconds is None else None, "{n_fmt} descents [{elapsed}]"
    try:
        with tqdm(total=total, leave=False, disable=None, delay=1, bar_format=form) as bar:
            for guess in estimates(job.problem, seed=seed, seconds=seconds):
                bar.update(guess.descents - bar.n)
    except KeyboardInterrupt:
        interrupted = True
    if guess is not None and as_json:
        print_json({name: written(value) for name, value in asdict(guess).items()})
    elif guess is not None:
        click.echo(f"nodes   {grouped(guess.nodes)} +- {grouped(guess.nodes_error)}")
        click.echo(f"covers  {grouped(guess.covers)} +- {grouped(guess.covers_error)}")
        click.echo(f"after {guess.descents:,} random descents")
    if interrupted:
        raise KeyboardInterrupt


def grouped(value: float | int) -> str:
    """In full, or where that is too long as a power: `1,234`, `4.02e312`."""
    return f"{value:,.0f}" if value < PLAIN else scientific(value)


def written(value: float | int) -> float | int | str:
    """For JSON: a number that no float holds is a text, `4.02e312`."""
    return scientific(value) if value > sys.float_info.max else value


def scientific(value: float | int) -> str:
    """Three digits and a power of ten, of a number of any size above 1."""
    power = log10(value)
    whole = int(power)
    digits = f"{10 ** (power - whole):.2f}"
    return f"1.00e{whole + 1}" if digits == "10.00" else f"{digits}e{whole}"


WORK: dict[str, Callable[[Job, dict[str, Any]], Told]] = {
    "list": listed,
    "first": listed,
    "count": counted,
    "minimum": ranked,
    "sample": sampled,
}


@contextmanager
def found_by(job: Job, workers: int, listing: bool) -> Iterator[Covers]:
    """The covers, by this process or by several."""
    from dragon.cover.enumeration import Covers

    if workers == 1:
        yield job.search.covers(job.problem, job.exact, job.size, job.limit)
        return
    from dragon.cover.parallel import Parallel

    if job.search.name != "dlx" or not job.exact:
        raise ConfigError("--workers share out exact covers by dlx; leave it, or take these")
    if job.limit.nodes is not None:
        raise ConfigError(
            "--nodes cannot end several workers at once; give --seconds, or one worker"
        )
    with Parallel(job.problem, job.size, workers, listing) as stream:
        yield Covers(stream, job.limit)


@contextmanager
def progress(found: Covers) -> Iterator[Callable[[], None]]:
    """A bar on a terminal's stderr with Knuth's estimate of what is done; call it now and then."""
    from tqdm import tqdm

    form = "{l_bar}{bar}| {elapsed}, {postfix}"
    with tqdm(total=100, leave=False, disable=None, delay=1, bar_format=form) as bar:

        def tick() -> None:
            if not bar.disable:
                bar.n = round(100 * found.fraction(), 1)
                bar.set_postfix_str(f"{found.found:,} covers", refresh=False)
                bar.update(0)

        yield tick
