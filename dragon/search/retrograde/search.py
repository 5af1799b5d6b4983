"""The search `table`: perfect play from a file that `dragon table` has written.

The value is exact, with the plies to the end where the table has them. The line is best play of
both sides: the winner hurries and the loser delays. `extra` has the moves that keep the value
(`optimal`) and the worth of every move (`moves`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from attrs import field, frozen

from dragon.core import TERMINAL, Bound, Game, Limit, Result, Search, State, Trait
from dragon.errors import ConfigError, GameError, Objection, SearchError
from dragon.search.budget import Budget

if TYPE_CHECKING:
    import numpy as np

    from dragon.rules.record import RecordGame, RecordState
    from dragon.search.retrograde.table import Table, Worth


@frozen
class TableSearch(Search):
    """Perfect play from a table of all positions, as `dragon table` makes them.

    Without `path` it plays from the table that `dragon table GAME --keep` has kept.
    """

    name = "table"
    needs = frozenset({Trait.DUEL})
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN})
    limits = frozenset()
    deterministic = True

    path: str = field(default="", metadata={"outside": True})
    """The file of the table, as `dragon table GAME --out FILE` writes it; empty: the kept one."""
    seed: int = 0
    """The seed of the first position that the table was made from; see `dragon table --seed`."""

    def objection(self, game: Game[Any]) -> str | None:
        """Return why there is no table to play from here; of a file its first line is read."""
        from dragon.search.retrograde.making import objection

        if sentence := objection(game):
            return f"{self}: {sentence}"
        try:
            self.table(game)
        except (ConfigError, Objection) as wrong:
            return str(wrong)
        return None

    def table(self, game: Game[Any]) -> Table:
        """Return the table of a game by Rules; raise Objection where there is none.

        Raises ConfigError for a file of another game, of other rules, or that cannot be read.
        """
        from dragon.search.retrograde.table import kept_file

        path = Path(self.path) if self.path else kept_file(game)
        try:
            status = path.stat()
        except OSError as wrong:
            if not self.path:
                spec = f'"{game}"' if "(" in str(game) else str(game)
                raise Objection(
                    f"{self}: there is no table of {game} yet; make it with `dragon table {spec} "
                    "--keep`, or name a file: table(path='FILE')"
                ) from wrong
            raise ConfigError(
                f"{self}: cannot read {path}: {wrong.strerror or wrong}; give the file that "
                "`dragon table --out` has written"
            ) from wrong
        return _opened(path.absolute(), (status.st_mtime_ns, status.st_size), game, self.seed)

    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """Yield one result, which is exact unless the game's limit of plies comes first.

        A table of a game that can repeat positions leaves the count of plies out. Where a forced
        win would take longer than the game goes on, the value is what the table says, and no more
        than an estimate.
        """
        budget, here = Budget(limit), cast("RecordState", state)
        try:
            table = self.table(here.game)
            answer, found = table.ask(here), table.ranked(here)
            line, end = played(table, here)
        except GameError as wrong:
            raise SearchError(f"{self}: {wrong}") from wrong
        agrees = end is None or end.payoff()[here.turn] == answer.value
        yield Result(
            value=answer.value,
            bound=Bound.EXACT if agrees else Bound.ESTIMATE,
            line=tuple(line),
            nodes=len(found) + len(line),
            seconds=budget.seconds,
            extra={
                **counted(answer.distance),
                "optimal": [move for move, worth in found if worth.value == found[0][1].value],
                "moves": {m: {"value": w.value, **counted(w.distance)} for m, w in found},
            },
        )


def counted(distance: int | None) -> dict[str, int]:
    """Return the plies to the end as a part of a result; nothing where they are not known."""
    return {} if distance is None else {"distance": distance}


def played(table: Table, state: RecordState) -> tuple[list[str], RecordState | None]:
    """Return the line of best play, and the state in which it ends.

    None in its place: the line came to a position for the second time, as draws by repetition do.
    """
    line: list[str] = []
    seen: set[int] = set()
    while state.turn != TERMINAL:
        place = state.place() or hash(state)
        if place in seen:
            return line, None
        seen.add(place)
        best: tuple[str, Worth] = table.ranked(state)[0]
        line.append(best[0])
        state = state.after(best[0])
    return line, state


@lru_cache(maxsize=4)  # a tournament opens the same file for each game
def _opened(path: Path, _changed: tuple[int, int], game: RecordGame, seed: int) -> Table:
    """Return the table in a file, which is read again when the file has changed."""
    from dragon.search.retrograde.table import read

    return read(path, game.start(seed))
