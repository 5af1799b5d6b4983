"""What seats are called, for people.

A game says so in `seat_names`, one for each seat; else the notation of its rules does. Where
neither does, or not of as many seats as there are, a seat goes by its number.
"""

from __future__ import annotations

from typing import Any

from dragon.core import CHANCE, TERMINAL, Game
from dragon.record import RecordGame, rules_of


def seat_names(of: Game[Any], drawn: bool = False) -> tuple[str, ...]:
    """The names of a game's seats; `drawn`: as its stones are drawn, not as text has them.

    >>> import dragon
    >>> seat_names(dragon.game("tictactoe")), seat_names(dragon.game("tictactoe"), drawn=True)
    (('X', 'O'), ('Black', 'White'))
    >>> seat_names(dragon.game("nim"))
    ('seat 0', 'seat 1')
    """
    own = getattr(of, "seat_names", None)
    if own is None and isinstance(of, RecordGame):
        notation = rules_of(of).notation
        own = getattr(notation, "seat_names", None)
        own = own if drawn else getattr(notation, "seat_letters", own)
    if own is not None and len(own) == len(of.teams):
        return tuple(map(str, own))
    return tuple(f"seat {seat}" for seat in range(len(of.teams)))


def turn_name(of: Game[Any], turn: int) -> str:
    """Who moves, by name.

    >>> import dragon
    >>> turn_name(dragon.game("tictactoe"), 1), turn_name(dragon.game("nim"), TERMINAL)
    ('O', 'nobody: the game is over')
    """
    other = {CHANCE: "chance", TERMINAL: "nobody: the game is over"}.get(turn)
    return seat_names(of)[turn] if other is None else other
