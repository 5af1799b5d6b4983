"""dragon: game search with rules in plain Python at the speed of C++.

Read the vocabulary (`core`, `protocols`) first, then `rules` or `cover`, `search`, `laws`::

    core, protocols, errors   State, Game, Search, Run, Limit, Result; what games offer; all errors
    rules, boards, cover      games by Rules, notations of boards, exact covers
    compiler, bits, modes     rules and kernels as machine code; integers that mean the same there
    search, gtp               searches for games; other programs as searches, and dragon as one
    laws, certificate         what games and searches must do; proofs of values
    config, settings, plugins specs and tables as values, their descriptions, what is installed
    hookspecs, index, inspection, moved  hooks, which plugin has what, mistakes in it, old names
    cli, commands, cli_tools  the command line; columns, jsonable, percent: tables, JSON, shares
    transcripts               whole games as text
    web, page, publish        `dragon serve`, pages of plugins, pages without a server
    files, folders, sealed, process  files written whole, the user's folders, checksums, processes
"""

import dragon.process  # noqa: I001  before what takes long to import
from typing import TYPE_CHECKING

from attrs import frozen

import dragon.search  # noqa: F401  the package first: below, the name `search` becomes the function
from dragon.config import game, search
from dragon.core import (
    CHANCE,
    TERMINAL,
    Bound,
    Game,
    Limit,
    Move,
    Position,
    Result,
    Run,
    Search,
    State,
    Trait,
)
from dragon.errors import (
    AmbiguousMove,
    BadNotation,
    ConfigError,
    DragonError,
    GameError,
    IllegalMove,
    Objection,
    PlayerCrashed,
    PluginError,
    RuleError,
    SearchError,
    TournamentError,
    UnknownName,
)
from dragon.hookspecs import hookimpl
from dragon.moved import install as _tell_moved
from dragon.plugins import games, searches

if TYPE_CHECKING:
    from dragon.boards.board import Board
    from dragon.boards.grid import Grid
    from dragon.protocols import Determinizable
    from dragon.rules.notation import parse_move
    from dragon.rules.perft import perft
    from dragon.rules.record import RecordGame, RecordState, has_kernels
    from dragon.rules.rules import Rules, rule

_tell_moved()

__all__ = [
    "CHANCE",
    "TERMINAL",
    "AmbiguousMove",
    "BadNotation",
    "Board",
    "Bound",
    "ConfigError",
    "Determinizable",
    "DragonError",
    "Game",
    "GameError",
    "Grid",
    "IllegalMove",
    "Limit",
    "Move",
    "Objection",
    "PlayerCrashed",
    "PluginError",
    "Position",
    "RecordGame",
    "RecordState",
    "Result",
    "RuleError",
    "Rules",
    "Run",
    "Search",
    "SearchError",
    "State",
    "TournamentError",
    "Trait",
    "UnknownName",
    "frozen",
    "game",
    "games",
    "has_kernels",
    "hookimpl",
    "parse_move",
    "perft",
    "rule",
    "search",
    "searches",
]

_LAZY = {
    "Board": "dragon.boards.board",
    "Determinizable": "dragon.protocols",
    "Grid": "dragon.boards.grid",
    "RecordGame": "dragon.rules.record",
    "RecordState": "dragon.rules.record",
    "Rules": "dragon.rules.rules",
    "has_kernels": "dragon.rules.record",
    "parse_move": "dragon.rules.notation",
    "perft": "dragon.rules.perft",
    "rule": "dragon.rules.rules",
}
"""The names that are imported at first use, as few commands need them."""


def __getattr__(name: str) -> object:
    """Import a name at its first use."""
    from importlib import import_module

    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(_LAZY[name]), name)
    return value
