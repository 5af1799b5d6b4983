"""`dragon cover`: the covers of a problem in Knuth's format: listed, counted, ranked, sampled."""

from __future__ import annotations

from typing import Any

import click

from dragon.cli_tools import Seconds, as_json, tell, with_seed
from dragon.commands.cover_jobs import JOBS, Job
from dragon.config import build, read_text
from dragon.config import search as named_search
from dragon.core import Limit
from dragon.cover.knuth_format import parse
from dragon.errors import Objection
from dragon.plugins import searches

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
"""What can be asked for, one at a time, and the options that each makes use of."""


@click.command()
@click.argument("file")
@click.option("--count", is_flag=True, help="Only count the covers.")
@click.option("--first", type=click.IntRange(min=1), metavar="K", help="Stop after K covers.")
@click.option("--minimum", is_flag=True, help="The cover of least cost, or of fewest options.")
@click.option("--top", type=click.IntRange(min=1), metavar="K", help="With --minimum: the K best.")
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Draw N covers at random.")
@click.option("--why", is_flag=True, help="Which items cannot be covered together.")
@click.option("--estimate", is_flag=True, help="How large the search will be.")
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
@click.option("--seconds", type=Seconds(), metavar="S", help="Stop after S seconds.")
@click.option("--nodes", type=click.IntRange(min=1), metavar="N", help="Stop after N nodes.")
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
    be covered two or three times; `|5` in an option is its cost. Each cover is one line.
    Overlapping covers are those that can do without none of their options.

    \b
    Examples:
      dragon cover queens.txt --count
      dragon cover soma.txt --first 1
      dragon cover dominoes.txt --count --search count
      dragon cover teams.txt --overlapping --size 6 --minimum --top 10
      dragon cover puzzle.txt --workers 2 --json > covers.json
    """
    from dragon.cover.search import CoverSearch

    asked = [f"--{way}" for way in TAKES if given.get(way)]
    if len(asked) > 1:
        raise click.UsageError(f"{asked[0]} and {asked[1]} exclude each other; give one of them")
    way = asked[0].removeprefix("--") if asked else "list"
    _refuse(way)
    limits = {"seconds": seconds, "nodes": nodes}
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
        limit=build(Limit, {k: v for k, v in limits.items() if v is not None}, "limit"),
        show=not as_json,
    )
    reply = JOBS[way](job, given)
    if reply is not None:
        tell(as_json, reply.row, reply.text)
    if job.interrupted:
        raise KeyboardInterrupt


def _refuse(way: str) -> None:
    """Raises UsageError for options that were given and would change nothing."""
    ctx = click.get_current_context()
    usual = {param.opts[0]: param.get_default(ctx) for param in ctx.command.params}
    given = {param.opts[0]: ctx.params[str(param.name)] for param in ctx.command.params}
    known = dict.fromkeys(f"--{name}" for names in TAKES.values() for name in names)
    takes = {f"--{name}" for name in TAKES[way]}
    idle = [n for n in known if n not in takes and given[n] not in (None, usual[n])]
    if "--top" in idle:
        raise click.UsageError("--top goes with --minimum; --first stops after so many covers")
    if idle:
        what = "a list of covers" if way == "list" else f"--{way}"
        raise click.UsageError(f"{what} makes no use of {' and '.join(idle)}; leave one out")
