"""The search `table`: perfect play from a file that `dragon table` has made."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from dragon.core import TERMINAL, Bound, Game, Limit, Result, Search, State
from dragon.core.game import game_of
from dragon.errors import ConfigError
from dragon.rules.record import RecordGame, RecordState
from dragon.search.budget import Budget

if TYPE_CHECKING:
    from numpy.random import Generator

    from dragon.search.retrograde.table import Asked, Weighed

LONGEST_LINE = 512
"""Plies of a line; drawn positions may lead on without end."""


@frozen
class TableSearch(Search):
    """Perfect play from a file of `dragon table`, for any game that it has tables of.

    The value is exact. The line is best play of both sides: where games have distances, the winner
    hurries and the loser delays. `extra` has the plies to the end (`distance`), the moves that keep
    the value (`optimal`), and the value of each move (`moves`).
    """

    name = "table"
    limits = frozenset()
    deterministic = True

    path: str = field(default="", metadata={"outside": True})
    """The file, as `dragon table GAME --out FILE` has made it."""

    def objection(self, game: Game[Any]) -> str | None:
        """Refuse a game that is not that of the file; only the head of the file is read."""
        from dragon.search.retrograde.making import objection

        if (sentence := objection(game)) is not None:
            return sentence
        if not self.path:
            return (
                f"table plays from a file; make one by `dragon table {str(game)!r} --out FILE`, "
                "and give it as table(path='FILE')"
            )
        try:
            self._table(game)
        except ConfigError as wrong:
            return str(wrong)
        return None

    def improve(self, state: State[Any], limit: Limit, rng: Generator) -> Iterator[Result]:
        """Yield one result, which is exact.

        Raises GameError for a position that no game from the table's first one comes to, and
        ConfigError for a damaged file.
        """
        budget = Budget(limit)
        known = self._table(game_of(state))
        course: list[list[Weighed]] = []
        here: Any = state
        seen = set[Any]()
        while here.turn != TERMINAL and here not in seen and len(course) < LONGEST_LINE:
            seen.add(here)
            course.append(known.weigh(here))
            here = here.after(course[-1][0].move)
        moves, best = course[0], course[0][0]
        yield Result(
            value=best.value,
            bound=Bound.EXACT,
            line=tuple(each[0].move for each in course),
            nodes=sum(map(len, course)),
            seconds=budget.seconds,
            extra={
                **_counted(best),
                "optimal": [each.move for each in moves if each.value == best.value],
                "moves": {each.move: {"value": each.value, **_counted(each)} for each in moves},
            },
        )

    def _table(self, game: Game[Any]) -> Asked:
        """Return the table of a game; raises ConfigError for another file."""
        assert isinstance(game, RecordGame)
        path = Path(self.path)
        try:
            stat = path.stat()
        except OSError as wrong:
            raise ConfigError(
                f"cannot read the table {path}: {wrong.strerror or wrong}; give the path of a file "
                "that `dragon table` has made"
            ) from wrong
        found: Asked = _read(path, (stat.st_mtime_ns, stat.st_size, stat.st_ino), game)
        return found


@lru_cache(maxsize=8)
def _read(path: Path, stamp: tuple[int, ...], game: RecordGame) -> Any:
    """Read a table once for each change of the file, which `stamp` tells."""
    from dragon.search.retrograde.choice import read

    root = game.start()
    assert isinstance(root, RecordState)
    return read(path, root)


def _counted(weighed: Weighed) -> dict[str, int]:
    """Return the plies to the end of a win or loss, for a result."""
    return {} if weighed.distance is None else {"distance": weighed.distance}
