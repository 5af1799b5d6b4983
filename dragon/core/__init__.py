"""The vocabulary of every game and algorithm: states and games, searches, limits and results."""

from dragon.core.game import CHANCE, TERMINAL, Game, Move, State, Trait, game_of
from dragon.core.search import (
    HORIZON,
    POLICY,
    Bound,
    Limit,
    Position,
    Result,
    Run,
    Search,
    move_time,
)

__all__ = [
    "CHANCE",
    "HORIZON",
    "POLICY",
    "TERMINAL",
    "Bound",
    "Game",
    "Limit",
    "Move",
    "Position",
    "Result",
    "Run",
    "Search",
    "State",
    "Trait",
    "game_of",
    "move_time",
]
