"""Moves: the text and the clicks of each move of a game that has few, as a table.

A notation lists them (`BaseNotation.texts`), or they are gathered in random games until many
games have shown no new one.
"""

from __future__ import annotations

from typing import Any

from dragon.bits import Random
from dragon.boards.clicks import clicks
from dragon.core import TERMINAL
from dragon.errors import ConfigError
from dragon.rules.record import RecordState

MOST = 10_000
"""Moves that a table may have, of all seats together."""
WITHOUT = 300
"""Games in a row without a new move after which there is none, it is assumed. A page writes a move
that it does not know as a number."""


def listed(start: RecordState) -> list[dict[int, list[Any]]]:
    """For each seat, and last for chance, its moves by their codes: the text, and the orders of
    cells to be clicked.

    Raises ConfigError for too many moves, and for those whose text depends on the position.
    """
    game, notation = start.game, start.rules.notation
    if (texts := notation.texts()) is not None:
        table = {code: [text, clicks(game, text)] for code, text in texts.items()}
        return [table] * (len(start.teams) + 1)
    random, quiet = Random(1), 0
    found: list[dict[int, list[Any]]] = [{} for _ in range(len(start.teams) + 1)]  # chance is -1
    while quiet < WITHOUT:
        quiet += 1
        state = start
        while state.turn != TERMINAL:
            known, codes = found[state.turn], state.moves().codes.tolist()  # type: ignore[union-attr]
            for code in [each for each in codes if each not in known]:
                known[code] = [text := state.text(code), clicks(game, text)]
                quiet = 0
            if sum(map(len, found)) > MOST:
                raise ConfigError(
                    f"{game} cannot be published: it has more than {MOST:,} moves, each of which "
                    "its page must know by name; take a smaller board, or let its notation spell "
                    "them (BaseNotation.spell)"
                )
            code = codes[random(len(codes))]
            if state.text(code) != known[code][0]:
                raise ConfigError(
                    f"{game} cannot be published: how its moves are written depends on more than "
                    f"who makes them ({known[code][0]}, {state.text(code)})"
                )
            state = state.play(code)
    return found
