"""The commands on the results of a tournament: standings, show, report and export."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from io import TextIOWrapper
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from dragon.cli_tools import Seconds, as_json, judges, print_json, progress_bar
from dragon.columns import filled
from dragon.core import Game, Limit
from dragon.errors import ConfigError
from dragon.files import STDOUT, replacing, write
from dragon.protocols import Form
from dragon_tournament.config.reading import games_in
from dragon_tournament.formatting import identical_text, visible
from dragon_tournament.records.files import RECORDS, SETTINGS
from dragon_tournament.records.record import Record
from dragon_tournament.records.replay import Typed, Unplayable, game_of
from dragon_tournament.report.html import to_html
from dragon_tournament.report.reader import ResultsReader, open_results
from dragon_tournament.report.replays import Bounds, lines, table
from dragon_tournament.report.schema import to_json
from dragon_tournament.report.summary import Report
from dragon_tournament.report.text import to_text

if TYPE_CHECKING:
    from dragon.transcripts.replay import Replay

SHORTEST = 4
"""The fewest letters that stand for an id; fewer are a mistyped number."""
NEWS = 2.0  # seconds between looks at records that grow

TABLES = ("csv", "parquet")
FORMS = ("pgn", "sgf")
KINDS = (*TABLES, *FORMS, "json")  # what `export` can write

with_toml = click.option(
    "--toml",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The tournament's TOML file; only needed where its game reads a file.",
)
source = click.argument("source", metavar="FILE|DIR", type=click.Path(path_type=Path))


def read(given: Path) -> ResultsReader:
    """Read the results, with progress on stderr if that takes a while."""
    found = open_results(given)
    with _progress(found) as progress:
        found.read(progress)
    return found


@contextmanager
def _progress(found: ResultsReader) -> Iterator[Callable[[int], Any] | None]:
    """The function to call with the number of bytes read; None for few records or no terminal."""
    if not found.large or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    size = found.path.stat().st_size
    with progress_bar(total=size, unit="B", unit_scale=True, desc="reading", delay=0) as bar:
        yield bar.update


def _typed(source: Path, toml: Path | None) -> Typed | None:
    """The games of the TOML file that the user gives as FILE or by --toml; None without one.

    Raises ConfigError for a file of --toml that cannot be read.
    """
    if toml is not None:
        return games_in(toml)
    if source.suffix == ".toml":
        with suppress(ConfigError):  # its name says where the records are, and they may suffice
            return games_in(source)
    return None


def _streamed(given: Path) -> Report | None:
    """The report of very many records without keeping them in memory, if that is possible."""
    found = open_results(given)
    with _progress(found) as progress:
        return found.streamed(progress)


@click.command()
@source
@click.option("--follow", is_flag=True, help="Print them again as games end, until all have.")
@as_json
def standings(source: Path, follow: bool, as_json: bool) -> None:
    """Print the standings of a tournament, running or finished.

    FILE|DIR is the folder that `dragon tournament` writes to, its records.jsonl, or the
    TOML file, whose folder is then looked for in results. Nothing there is changed, and a
    run that is writing is not disturbed.

    \b
    Examples:
      dragon standings results/nex-3x3
      dragon standings tournaments/nex-3x3.toml --json
      dragon standings results/nex-3x3 --follow
    """
    if not follow and (report := _streamed(source)) is not None:
        _print(report, as_json)
        return
    found = read(source)
    report = found.report()
    _print(report, as_json)
    while follow and not _complete(found, report):
        time.sleep(NEWS)
        if found.read():
            click.echo("" if as_json else "\n" + "=" * 40 + "\n", nl=not as_json)
            report = found.report()
            _print(report, as_json)


def _complete(found: ResultsReader, report: Report) -> bool:
    """Return True if all games have ended, or a test has been decided before."""
    decided = report.verdict is not None and report.verdict.over
    return decided or (found.planned is not None and len(found.records) >= found.planned)


def _print(report: Report, as_json: bool) -> None:
    if as_json:
        print_json(to_json(report))
    else:
        click.echo(visible(to_text(report), kept="\n"), nl=False)


@click.command()
@click.argument("source", metavar="RECORD", type=click.Path(path_type=Path))
@click.option("--game", "which", metavar="N", help="Which game: its number from 1, or its id.")
@click.option("--seat", type=click.IntRange(min=0), metavar="N", help="Of a race, one seat's line.")
@click.option("--identical", is_flag=True, help="List the games that repeat another instead.")
@with_toml
@as_json
def show(
    source: Path,
    which: str | None,
    seat: int | None,
    identical: bool,
    toml: Path | None,
    as_json: bool,
) -> None:
    """Replay a recorded game in text, move by move.

    RECORD is a records.jsonl, or the folder it is in. Everything is shown, cards that the
    players did not see too. Of a race every seat's line is shown, or that of --seat.

    \b
    Examples:
      dragon show results/nex-3x3
      dragon show results/nex-3x3 --game 17
      dragon show results/nex-3x3/records.jsonl --game 17 --json
      dragon show results/nex-3x3 --identical
    """
    found = read(source)
    if identical:
        if which is not None or seat is not None:
            raise click.UsageError("--identical lists games; leave out --game and --seat")
        _list_identical(found, as_json)
        return
    number, record = _chosen(found, which)
    typed = _typed(source, toml)
    if as_json:
        print_json({"number": number, **table(record, seat, typed)})
        return
    for line in lines(record, number, len(found.records), seat, typed):
        click.echo(visible(line, kept="\n"))


def _list_identical(found: ResultsReader, as_json: bool) -> None:
    """The games that are identical move for move, a line for each group."""
    records, groups = found.records, found.tally.repeated()
    if as_json:
        print_json([{"games": g, "ids": [records[n - 1].id for n in g]} for g in groups])
        return
    for group in groups:
        first = records[group[0] - 1]
        numbers = ", ".join(map(str, group))
        line = visible(f"{len(group)} games of {' - '.join(first.seats)}: {numbers}")
        click.echo("\n".join(filled([line], 2)))
    extra = sum(map(len, groups)) - len(groups)
    click.echo("\n".join(filled([identical_text(extra, len(records))])))


def _chosen(found: ResultsReader, which: str | None) -> tuple[int, Record]:
    """The game of a number or an id, and its number; raises ConfigError."""
    total = len(found.records)
    if not total:
        raise ConfigError(f"{found.path} has no whole record yet; wait for the first game to end")
    if which is None:
        return 1, found.records[0]
    if which.isdecimal() and 1 <= int(which) <= total:
        return int(which), found.records[int(which) - 1]
    matching = [(i, r) for i, r in enumerate(found.records, 1) if r.id.startswith(which)]
    if len(matching) == 1 and len(which) >= SHORTEST:
        return matching[0]
    raise ConfigError(
        f"{found.path} has no game {which!r}; give a number from 1 to {total}, or the first "
        f"{SHORTEST} or more letters of an id, as many as leave no doubt"
    )


@click.command()
@source
@click.option(
    "--games",
    type=click.IntRange(min=0),
    metavar="N",
    help="Draw at most this number of games, and as many positions as they have.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Write report.html there instead.")
@with_toml
def report(source: Path, games: int | None, out: Path | None, toml: Path | None) -> None:
    """Write report.html again, of a tournament that runs or has ended.

    The page needs no network. `dragon tournament` writes it too, with up to 100 games to
    replay; --games asks for more, or for fewer.

    \b
    Examples:
      dragon report results/nex-3x3
      dragon report results/nex-3x3 --games 1000 --out all-games.html
      dragon report results/mine --toml mine.toml
    """
    found = read(source)
    bounds = Bounds() if games is None else Bounds(games, positions=None, size=None)
    path = out or found.path.parent / "report.html"
    typed = _typed(source, toml)
    page = to_html(found.report(), found.records, found.tally, bounds, typed)
    write(path, page)
    if path != STDOUT:
        click.echo(f"{path}: {len(page.encode()) / 1000:,.0f} kB")
    for record in {record.game: record for record in found.records}.values():
        try:
            game_of(record, typed)
        except Unplayable as wrong:  # of which the page has no drawings
            click.echo(f"note: {wrong}", err=True)
            break


@click.command()
@source
@click.option("--to", "kind", type=click.Choice(KINDS), required=True)
@click.option("--out", type=click.Path(path_type=Path), help="The file; - is stdout, for text.")
@click.option("--values", is_flag=True, help="Give each move its value in pgn or sgf.")
@click.option("--search", "spec", metavar="SPEC", help="The search of --values.")
@click.option("--seconds", type=Seconds(), metavar="S", help="The time of --values at a position.")
@with_toml
def export(
    source: Path, kind: str, out: Path | None, values: bool, spec: str | None,
    seconds: float | None, toml: Path | None,
) -> None:  # fmt: skip
    """Write the records for other programs: as a table, or as games.

    csv and parquet have one row for each seat of each game. Parquet needs pandas with pyarrow,
    or duckdb. pgn is for matches of two seats that move in turn, sgf for boards on which each
    move puts a stone; json has the moves of every game, and who made them.

    --values judges each move as `dragon annotate` does, and marks those that lose; each position
    has --seconds (0.5), or less where its value is proven before.

    Without --out the file is games.csv, games.pgn and so on, beside the records.

    \b
    Examples:
      dragon export results/nex-3x3 --to csv
      dragon export results/nex-3x3 --to csv --out -
      dragon export results/nex-3x3 --to parquet --out nex.parquet
      dragon export results/hex-5 --to sgf
      dragon export results/hex-5 --to pgn --out - | less
      dragon export results/hex-5 --to pgn --values --seconds 0.1
      dragon export results/kuhn --to json
    """
    from dragon_tournament.report.forms import rows, to_csv, to_parquet

    if values and kind not in FORMS:
        raise ConfigError(f"{kind} has no values of moves; give --to pgn or --to sgf")
    if not values and (spec is not None or seconds is not None):
        raise ConfigError("--search and --seconds judge moves; add --values")
    found = read(source)
    path = out or found.path.parent / f"games.{kind}"
    table: Any = rows(found.records)
    if kind == "parquet":
        if path == STDOUT:
            raise ConfigError("a Parquet file is not text; give --out FILE")
        to_parquet(table, path)
    else:
        text = None
        if kind != "csv":  # all, or a mistake
            parts = _games(found, kind, _typed(source, toml), values, spec, Limit(seconds=seconds))
            text = "".join(parts)
        stdout = nullcontext(sys.stdout) if path == STDOUT else None
        with stdout or _text_file(path) as file:
            to_csv(table, file) if text is None else file.write(text)
        if path == STDOUT:
            return
    games, seats = len(found.records), sum(len(record.seats) for record in found.records)
    click.echo(f"{path}: {f'{seats:,} rows' if kind in TABLES else f'{games:,} games'}")


@contextmanager
def _text_file(path: Path) -> Iterator[TextIO]:
    with replacing(path) as file, TextIOWrapper(file, "utf-8", newline="") as text:
        yield text


def _games(
    found: ResultsReader, kind: str, typed: Typed | None, values: bool, spec: str | None,
    limit: Limit,
) -> Iterator[str]:  # fmt: skip
    """Yield the text of a file of games in parts; typed: as for `game_of`.

    values: with the value of each move, by the search of a spec.
    """
    from dragon.transcripts.annotation import judged
    from dragon_tournament.report.forms import to_pgn, to_sgf, to_table

    if kind == "json":
        games = [to_table(record, typed) for record in found.records]
        event = str(found.about.get("name", ""))
        yield json.dumps({"event": event, "games": games}, ensure_ascii=False, indent=1) + "\n"
        return
    moves = sum(len(record.opening) + len(record.moves) for record in found.records)
    short: list[str] = []
    """Why the moves of games are left out, each as a part of a sentence."""
    with progress_bar(total=moves, unit="", desc="moves", disable=not values or None) as bar:

        def judge(of: Game[Any], played: Replay, form: Form) -> dict[int, str]:
            searches, each = judges(of, played.states[0], spec, limit)
            comments: dict[int, str] = {}
            for one in judged(of, played, searches, each):
                comments[one.number] = one.comment(form)
                bar.update()
            return comments

        for record in found.records:
            judging = judge if values else None
            if kind == "pgn":
                yield to_pgn(record, found.about, typed, judging, short.append)
            else:
                yield to_sgf(record, found.about, typed, judging)
    if short:
        click.echo(
            f"note: PGN cannot say the moves of {len(short):,} games ({short[0]}); they are "
            "written as tags and results alone, --to json has their moves",
            err=True,
        )


OWN = ("name", "shard", "sources", "total", "version")
"""The settings in which parts of a tournament may differ."""


@click.command()
@click.argument(
    "sources", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The new folder.")
def merge(sources: tuple[Path, ...], out: Path) -> None:
    """Join the records of parts of one tournament, played with --shard, in a new folder.

    A game that occurs twice counts once. The folder is one like that of a single run: `dragon
    report` reports it, and `dragon tournament FILE --out` plays the games that are missing.

    \b
    Examples:
      dragon merge results/mine-1-of-2 results/mine-2-of-2 --out results/mine
    """
    found = [open_results(source) for source in sources]
    for each in found:
        each.read()
    first = found[0]
    for each in found:
        keys = sorted({*first.about, *each.about} - {*OWN})
        if differ := [key for key in keys if first.about.get(key) != each.about.get(key)]:
            raise ConfigError(
                f"{each.path.parent} is of another tournament than {first.path.parent} (they "
                f"differ in {', '.join(differ)}); merge the parts of one"
            )
    path = out / RECORDS
    if path.exists():
        raise ConfigError(f"{path} exists; give a new folder by --out")
    out.mkdir(parents=True, exist_ok=True)
    ids = set[str]()
    with _text_file(path) as file:
        for turn in zip_longest(*(each.records for each in found)):  # as the schedule has them
            for record in turn:
                if record is not None and record.id not in ids:
                    ids.add(record.id)
                    file.write(record.to_line() + "\n")
    shards = {json.dumps(each.about.get("shard")): each.about.get("total") or 0 for each in found}
    about = {key: value for key, value in first.about.items() if key != "shard"}
    about["total"] = sum(shards.values())
    with _text_file(out / SETTINGS) as file:
        file.write(json.dumps(about, indent=1, ensure_ascii=False) + "\n")
    click.echo(f"{path}: {len(ids):,} games of {len(found)} folders")
