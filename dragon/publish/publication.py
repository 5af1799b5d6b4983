"""Publication: a game and its players as bytes of code and one JSON object, `about`."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from typing import Any

import numpy as np
from attrs import frozen

from dragon.core import Game, Search, Trait
from dragon.errors import ConfigError
from dragon.modes import jit_enabled
from dragon.protocols import seat_names
from dragon.publish.arrays import described
from dragon.publish.code import Module, module_of
from dragon.publish.players import Player, bounded, player_of
from dragon.publish.writing import written
from dragon.rules.kernels.state import moves_of, payoffs_of, play_in, turn_of
from dragon.rules.preparation import check_rules
from dragon.rules.record import RecordGame, RecordState
from dragon.settings import how_to_play, summary

MEGABYTES = 32.0
"""What a table or a tree may take in a browser, which may be that of a phone."""


@frozen
class Publication:
    """What a page holds."""

    game: Game[Any]
    module: Module
    about: dict[str, Any]


def publication(
    game: Game[Any], searches: Iterable[Search], megabytes: float = MEGABYTES,
    nodes: int | None = None,
) -> Publication:  # fmt: skip
    """A game with the searches that can be played against, in the order in which they are offered.

    megabytes: of a search's table or tree, at most. nodes: how many each may visit for a move.
    Raises ConfigError for a game or a search that cannot be published, Objection for a search that
    does not support the game, RuleError for rules outside the subset.
    """
    state = publishable(game)
    rules = state.rules
    check_rules(rules)
    board = written(state)
    players: dict[str, Player] = {}
    for search in searches:
        search.check(game)
        players[str(search)] = player_of(bounded(search, megabytes), state)
    memory = {
        "states": np.zeros(1, rules.layout),
        "out": np.zeros(rules.width, np.int64),
        "units": np.zeros(len(rules.teams), np.int64),
    }
    states, out, units = memory.values()
    kernels: dict[str, Any] = {
        "turn": (turn_of, (states,)), "moves": (moves_of, (states, out)),
        "play": (play_in, (states, 0)), "payoffs": (payoffs_of, (states, units)),
    }  # fmt: skip
    for player in players.values():
        if player.kernel is not None:
            kernels[player.script] = player.kernel, (player.memory,)
    bound = {player.bound for player in players.values() if player.bound is not None}
    if len(bound) > 1:
        raise ConfigError(f"{game} cannot be published with several ways of mcts; take one of them")
    module = module_of(next(iter(bound), rules), kernels)
    about = {
        "game": str(game), "name": game.name, "summary": summary(type(game)),
        "how": how_to_play(type(game)), "traits": sorted(map(str, game.traits)),
        "seats": [name[:1].upper() + name[1:] for name in seat_names(game, drawn=True)],
        "teams": rules.teams, "unit": rules.unit, "largest": rules.largest, "nodes": nodes,
        "first": b64encode(state.data).decode(), "end": module.end, "failures": module.failures,
        "rules": described(memory), "board": board,
        "players": {name: player.object() for name, player in players.items()},
    }  # fmt: skip
    return Publication(game, module, about)


def publishable(game: Game[Any]) -> RecordState:
    """The first state of a game that a page can play; raises ConfigError for any other."""
    reason = None
    if not isinstance(game, RecordGame):
        reason = "it is no game by Rules, and its states are plain Python; write a RecordGame"
    elif Trait.HIDDEN in game.traits:
        reason = "players do not see all of it, and a page has no secrets"
    elif Trait.CHANCE in game.traits:
        reason = "luck decides in it, and a page has no dice yet"
    elif not jit_enabled():
        reason = "DRAGON_JIT=0 turns the compiler off; unset it"
    if reason is not None or not isinstance(game, RecordGame):
        raise ConfigError(f"{game} cannot be published: {reason}")
    return game.start()
