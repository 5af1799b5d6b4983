"""An instance: a position to be solved or estimated, of a set that all players work through."""

from __future__ import annotations

from typing import Any

import attrs
from attrs import frozen

from dragon.core import Game, State
from dragon.rules.notation import parse_move


@frozen
class Instance:
    """A game, and where it begins."""

    name: str
    game: Game[Any]
    position: str = ""
    """The position in the game's notation; empty for the game's start."""
    moves: tuple[str, ...] = ()
    """The moves made from there before a player is asked."""
    value: float | None = None
    """Its true value for the seat to move, if that is known beforehand."""
    file: str = ""
    """The path of a file that the game is about, where there is one."""
    digest: str = ""
    """A hash of what it holds."""

    def state(self, deal: int) -> State[Any]:
        """The position at which the players are asked; `deal` seeds what the game deals.

        Raises what the game does for a position or moves that are not its own.
        """
        state = self.game.parse(self.position) if self.position else self.game.start(deal)
        for text in self.moves:
            state = state.after(parse_move(state, text))
        return state

    def table(self) -> dict[str, Any]:
        """Return it as plain data, without what is absent."""
        table = attrs.asdict(self, recurse=False)
        given = {k: v for k, v in table.items() if k != "file" and v not in ("", (), None)}
        return {**given, "game": str(self.game)}

    def identity(self) -> dict[str, Any]:
        """The identity of this instance; a file counts by its content, wherever it is."""
        table = self.table()
        if self.file:
            table["game"] = table["game"].replace(repr(self.file), self.digest)
        return table
