"""The way to a table: read from a file, or made by rank or from a list, and verified."""

from __future__ import annotations

import time
from os import cpu_count
from pathlib import Path
from typing import Any

from dragon.errors import ConfigError, SearchError
from dragon.rules.record import RecordState
from dragon.search.retrograde.kept import clear
from dragon.search.retrograde.making import MEGABYTES, Maker, Watch
from dragon.search.retrograde.rank_making import RankMaker
from dragon.search.retrograde.rank_making import verify as verify_ranks
from dragon.search.retrograde.table import Asked, RankTable, Table, read


def maker_of(
    state: RecordState,
    megabytes: float = MEGABYTES,
    threads: int | None = None,
    kept: Path | None = None,
    listed: bool = False,
) -> Maker | RankMaker:
    """Return the maker of tables for a game: by rank if it has that rule, unless `listed`.

    kept: the file that the table will be, beside which checkpoints lie; the rest as the makers.
    """
    rules = state.rules
    if rules.rank is None or rules.banked is not None or listed:
        return Maker(state, megabytes, kept, threads)
    return RankMaker(state, megabytes, threads, kept)


def obtained(
    root: RecordState,
    kept: Path | None,
    out: Path | None,
    verify: bool,
    megabytes: float,
    threads: int | None,
    listed: bool,
    watch: Watch,
) -> tuple[Asked, dict[str, Any]]:
    """Return the table, read from `kept` or made, with the cost of making it; write it to `out`.

    Raises SearchError for a wrong one, and ConfigError where a file cannot be read or written.
    """
    found: Any = None if kept is None else read(kept, root)
    if found is not None and not verify:
        return found, {}
    cost: dict[str, Any] = {}
    if isinstance(found, RankTable):
        wrong = verify_ranks(found, root, threads or cpu_count() or 1, watch)
        return trusted(found, wrong), {}
    maker: Any = maker_of(root, megabytes, threads, out, listed or isinstance(found, Table))
    begun = time.perf_counter()
    made = maker.make(watch)  # for a file's table, the list of positions is what counts
    seconds = time.perf_counter() - begun
    if found is None:
        found, cost = made, {"seconds": seconds, "megabytes": maker.megabytes_taken,
                             "resumed": maker.resumed}  # fmt: skip
    if verify:
        trusted(found, maker.verify(found, watch))
    if out is not None:
        try:
            found.write(out)
        except OSError as error:
            raise ConfigError(
                f"cannot write {out}: {error.strerror or error}; give another path"
            ) from error
        clear(out)
    return found, cost


def trusted(found: Asked, wrong: str | None) -> Asked:
    """Return the table if nothing is wrong about it; else raise SearchError."""
    if wrong is not None:
        raise SearchError(f"the table is wrong about {wrong}, or about what follows it")
    return found
