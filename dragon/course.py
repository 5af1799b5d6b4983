"""Course: how a game came to the state that a search is asked about.

A search needs the state alone. But one that keeps a board elsewhere, as a program on the other
end of a pipe does, must be told what was played. A caller that knows puts a Course into the
memory that it gives to the search, and keeps it up to date:

    memory["course"] = Course(game, start, moves)

Nothing is put there of a game whose seats do not see everything.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from dragon.core import Game, State, Trait

KEY = "course"


@frozen
class Course:
    """A game from its start to the state in question."""

    game: Game[Any]
    start: State[Any]
    """Where it began."""
    moves: tuple[str, ...] = ()
    """What all seats, and chance, have played since, in the game's notation."""
    remaining: float | None = None
    """Seconds on the clock of the seat to move; None where it has none."""
    left: int | None = None
    """For how many more of its moves these are; None: for all."""


def tell(
    memory: dict[str, Any],
    game: Game[Any],
    start: State[Any],
    moves: tuple[str, ...],
    remaining: float | None = None,
    left: int | None = None,
) -> None:
    """Puts the course of a game into the memory of a search, where nothing is hidden."""
    if Trait.HIDDEN not in game.traits:
        memory[KEY] = Course(game, start, moves, remaining, left)


def told(memory: dict[str, Any]) -> Course | None:
    """The course in a memory, if the caller has put one there."""
    course = memory.get(KEY)
    return course if isinstance(course, Course) else None
