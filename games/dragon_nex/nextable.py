"""Perfect play from a table: every position of a small board has been solved before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from attrs import frozen

from dragon.core import TERMINAL, Bound, Game, Limit, Result, Search, State
from dragon.errors import Objection
from dragon.search.budget import Budget

if TYPE_CHECKING:
    import numpy as np

    from dragon import RecordState
    from dragon_nex.game import Nex
    from dragon_nex.table.lookup import Table, Worth


@frozen
class NexTable(Search):
    """Perfect play in Nex of up to 16 cells, from a table of all positions.

    The value is exact and the line is best play of both sides: the winner hurries and the loser
    delays, where the table has distances. `extra` has the moves that keep the value (`optimal`),
    the worth of each move, and for a win or a loss the plies to the end (`distance`), where
    the table has them. Tables up to 3x4 are made when they are first asked for, larger ones by
    `dragon nex table 4x4` or from the Analyse page.
    """

    name = "nextable"
    limits = frozenset()

    def objection(self, game: Game[Any]) -> str | None:
        """Refuse games other than plain Nex, boards that are too large, and tables not yet made."""
        if sentence := self._unfit(game):
            return sentence
        from dragon_nex.table.lookup import lacking

        sentence = lacking(*_size(game))
        return None if sentence is None else f"{self}: {sentence}"

    def offer(self, game: Game[Any]) -> str | None:
        """Return the use and the cost of a table of this board, if there is none yet."""
        if self._unfit(game) or self.objection(game) is None:
            return None
        from dragon_nex.table.lookup import expected

        rows, cols = _size(game)
        return (
            f"a table of {rows}x{cols} would say who wins in every position "
            f"({expected(rows, cols)})"
        )

    def make(self, game: Game[Any]) -> Iterator[float]:
        """Make the table; what is finished of it is kept when the stream is closed."""
        if sentence := self._unfit(game):
            raise Objection(sentence)
        from dragon_nex.table.files import Folder, Kind
        from dragon_nex.table.lookup import making

        for progress in making(Folder.open(Kind(*_size(game)))):
            yield progress.done / progress.total

    def _unfit(self, game: Game[Any]) -> str | None:
        """Why no table could help, as a sentence; asks for no file."""
        from dragon_nex.table.files import MOST_CELLS

        if type(game).name != "nex":  # no two games share a name
            return f"{self} knows Nex and no other game ({game})"
        game = cast("Nex", game)
        if game.rows * game.cols > MOST_CELLS:
            return f"{self} has tables of up to {MOST_CELLS} cells ({game})"
        if game.transforms != "always" or game.ending != "draw":
            return f"{self} has tables of the usual transforms and ending ({game})"
        return None

    def worth(self, state: State[Any]) -> Worth:
        """Return only the worth of a position that is not over; raise as `improve` does."""
        return worth_of(*self._looked_up(state))

    def _looked_up(self, state: State[Any]) -> tuple[Table, RecordState]:
        from dragon import RecordState
        from dragon_nex.table.lookup import table

        game: Nex = state.game  # type: ignore[assignment]
        if sentence := self._unfit(game):
            raise Objection(sentence)
        assert isinstance(state, RecordState)
        return table(game.rows, game.cols), state

    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """Yield one result, which is exact; raise SearchError where there is no table."""
        known, here = self._looked_up(state)
        budget = Budget(limit)
        course = []
        while here.turn != TERMINAL:
            course.append(ranked(known, here))
            here = here.after(course[-1][0][0])
        moves, worth = course[0], course[0][0][1]
        yield Result(
            value=float(worth.value),
            bound=Bound.EXACT,
            line=tuple(answers[0][0] for answers in course),
            nodes=sum(map(len, course)),
            seconds=budget.seconds,
            extra={
                **counted(worth),
                "optimal": [move for move, each in moves if each.value == worth.value],
                "moves": {m: {"value": w.value, **counted(w)} for m, w in moves},
            },
        )


def _size(game: Game[Any]) -> tuple[int, int]:
    """Return the rows and columns of a game of Nex."""
    board = cast("Nex", game)
    return board.rows, board.cols


def counted(worth: Worth) -> dict[str, int]:
    """The plies to the end, for a result; nothing for a draw, or where the table does not have
    plies."""
    return {} if worth.plies is None else {"distance": worth.plies}


def ranked(known: Table, state: RecordState) -> list[tuple[str, Worth]]:
    """Return each legal move with its worth to the side that makes it, the best first."""
    codes = [int(code) for code in state.moves().codes]  # type: ignore[union-attr]
    worths = [(state.text(code), worth_of(known, state.play(code)).turned()) for code in codes]
    return sorted(worths, key=lambda each: each[1].promise, reverse=True)


def worth_of(known: Table, state: RecordState) -> Worth:
    """Return the worth of a position to the seat to move, or that has lost or drawn."""
    from dragon_nex.board import DRAWN
    from dragon_nex.table.lookup import Worth

    s = state.record
    if state.turn == TERMINAL:
        drawn = s.status == DRAWN
        return Worth(0 if drawn else -1, None if drawn else 0)
    game: Nex = state.game  # type: ignore[assignment]
    (black, white), neutral = map(int, s.stones[:, 0]), int(s.neutral[0])
    if game.swap and not white and not s.swapped:  # the swap is to come
        return ranked(known, state)[0][1]
    return known.worth(black, white, neutral)
