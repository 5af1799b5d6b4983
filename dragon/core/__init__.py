"""The vocabulary of every game and algorithm: states and games, searches, limits and results."""

from dragon.core.game import CHANCE, TERMINAL, Game, Move, State, Trait, game_of
from dragon.core.search import Bound, Limit, Position, Result, Run, Search

__all__ = [
    "CHANCE",
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
]
