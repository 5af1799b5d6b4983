"""Hidden information: states of which each seat sees a part, and can imagine the rest.

A *world* is a whole state that agrees with all that a seat has seen. Searches are shown
no more than `seen`; those that want to look ahead draw worlds from it.

>>> import dragon
>>> dealt = dragon.game("kuhn").start().after("KQ")
>>> str(dealt.seen(0))
'K?'
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, TypeVar

from dragon.core import State

if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any, Self

    import numpy as np

M = TypeVar("M", bound="Hashable")


class Determinizable(State[M]):
    """A state of a HIDDEN game. Its author adds `seen` and `determinize`, and may add `opened`.

    The laws: a state that was seen has the same turn, moves and notation for the seat that
    sees it, and seen again it is itself; worlds look to the seat to move as the state does.
    """

    __slots__ = ()

    @abstractmethod
    def seen(self, seat: int) -> Self:
        """This state without what `seat` cannot know; states alike to a seat become equal.

        If `seat` is to move, its turn and moves are the same; more need not be possible.
        """

    @abstractmethod
    def determinize(self, rng: np.random.Generator) -> Self:
        """A world at random, each as likely as the deal makes it, for the seat to move.

        All that was seen counts: cards played, what somebody could not follow, what was
        announced. That somebody would have played otherwise does not. Nothing is read but
        what `seen(turn)` has; `rng` is consumed. Raises GameError where no world fits.
        """

    def opened(self) -> State[Any]:
        """The same state with nothing hidden, for searches that look at all; itself by default.

        A game by Rules gives the RecordState that its kernels work on.
        """
        return self
