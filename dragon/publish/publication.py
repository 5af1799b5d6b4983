"""Publication: a game and its players as bytes of code and one JSON object, `about`."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from typing import Any

import numpy as np
from attrs import frozen

from dragon.compiler.kernel import Bindings
from dragon.core import Game, Search, Trait
from dragon.errors import ConfigError
from dragon.modes import jit_enabled
from dragon.protocols import seat_names
from dragon.publish.arrays import described
from dragon.publish.players import Player, bounded, player_of
from dragon.publish.wasm import Module, module_of
from dragon.publish.writing import LONGEST, find, point, spell_of, written
from dragon.rules.kernels.playout import roll_of
from dragon.rules.kernels.state import moves_of, payoffs_of, play_in, turn_of
from dragon.rules.preparation import RulesWith, check_rules
from dragon.rules.record import RecordGame, RecordState
from dragon.settings import how_to_play, summary, title

MEGABYTES = 32.0
"""The size of a table or a tree in a browser, which may be that of a phone."""

MOST = 300
"""The most complete moves that a page offers after cells have been clicked."""
DEALS = 100
"""First positions that a page has of a game with deals, by the seeds from 0 on."""


@frozen
class Publication:
    """The content of a page."""

    game: Game[Any]
    module: Module
    about: dict[str, Any]


def publication(
    game: Game[Any], searches: Iterable[Search], megabytes: float = MEGABYTES,
    nodes: int | None = None,
) -> Publication:  # fmt: skip
    """Return a game with the searches to play against, in the order in which they are offered.

    megabytes: the most for a search's table or tree. nodes: the limit of each search for a move.
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
        "weights": np.zeros(rules.width if rules.odds is not None else 0),
        "random": np.zeros(1, np.uint64),
    }
    states, out, units, weights, random = memory.values()
    kernels: dict[str, Any] = {
        "turn": (turn_of, (states,)), "moves": (moves_of, (states, out)),
        "play": (play_in, (states, 0)), "payoffs": (payoffs_of, (states, units)),
    }  # fmt: skip
    if Trait.CHANCE in game.traits:
        kernels["roll"] = roll_of, (states, out, weights, random)
    for player in players.values():
        if player.kernel is not None:
            kernels |= {player.script: (player.kernel, (player.memory,)), **player.others}
    bound = {player.bound for player in players.values() if player.bound is not None}
    if len(bound) > 1:
        raise ConfigError(f"{game} cannot be published with several ways of mcts; take one of them")
    whole: Bindings = next(iter(bound), rules)
    if (notation := rules.notation).spell is not None:
        words, wanted = np.zeros((2, LONGEST), np.int64)
        cells, complete = np.zeros(len(notation.vocabulary), np.int64), np.zeros(MOST, np.int64)
        memory |= {"words": words, "wanted": wanted, "cells": cells, "complete": complete}
        kernels |= {
            "spell": (spell_of, (states, 0, 0, words)),
            "find": (find, (states, out, words, wanted, 0)),
            "point": (point, (states, out, words, wanted, 0, cells, complete)),
        }
        whole = RulesWith(whole, {"spell": notation.spell})
    module = module_of(whole, kernels)
    about = {
        "game": str(game), "name": game.name, "title": title(type(game)),
        "summary": summary(type(game)),
        "how": how_to_play(type(game)), "traits": sorted(map(str, game.traits)),
        "seats": [name[:1].upper() + name[1:] for name in seat_names(game, drawn=True)],
        "teams": rules.teams, "unit": rules.unit, "largest": rules.largest, "nodes": nodes,
        "firsts": [b64encode(each).decode() for each in deals(state)],
        "end": module.end, "failures": module.failures,
        "rules": described(memory), "board": board,
        "players": {name: player.object() for name, player in players.items()},
    }  # fmt: skip
    return Publication(game, module, about)


def publishable(game: Game[Any]) -> RecordState:
    """The first state of a game that a page can play; raises ConfigError for any other."""
    reason = None
    if not isinstance(game, RecordGame):
        reason = "it is not a game by Rules, and its states are plain Python; write a RecordGame"
    elif Trait.HIDDEN in game.traits:
        reason = "players do not see all of it, and a page has no secrets"
    elif not jit_enabled():
        reason = "DRAGON_JIT=0 turns the compiler off; unset it"
    if reason is not None or not isinstance(game, RecordGame):
        raise ConfigError(f"{game} cannot be published: {reason}")
    return game.start()


def deals(first: RecordState) -> list[bytes]:
    """The first records by the seed of the deal; one where they are all the same."""
    if len({first.game.start(seed) for seed in range(3)}) == 1:
        return [first.data]
    return [first.game.start(seed).data for seed in range(DEALS)]
