"""Publication: a game and its players as bytes of code and one JSON object, `about`."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import attrs
import numpy as np
from attrs import frozen

from dragon.compiler.kernel import Bindings
from dragon.core import Game, Limit, Search, Trait
from dragon.core.spec import how_to_play, summary, title
from dragon.errors import ConfigError
from dragon.modes import jit_enabled
from dragon.protocols import seat_names
from dragon.publish.wasm import Module, described, module_of
from dragon.publish.writing import LONGEST, find, point, spell_of, written
from dragon.rules.kernels.playout import roll_of
from dragon.rules.kernels.state import moves_of, payoffs_of, play_in, turn_of
from dragon.rules.record import RecordGame, RecordState
from dragon.rules.rehearsal import check_rules
from dragon.rules.rules import RulesWith
from dragon.search.alphabeta.search import AlphaBeta
from dragon.search.mcts.search import MCTS
from dragon.search.simple import Random
from dragon.web.lists import scene_of

K = TypeVar("K")


@frozen
class Player:
    """A search that can be published: its kernel, and the settings that its script reads."""

    kernel: Callable[..., Any] | None
    """The kernel `resume`; None for a search without a kernel."""
    memory: Any
    """The kernel's argument, a NamedTuple of arrays."""
    script: str
    """The name of the script that drives it."""
    growing: tuple[str, ...] = ()
    """The arrays that grow when the kernel returns GROW, and the most items that they may have."""
    longest: int | None = None
    settings: dict[str, Any] = attrs.field(factory=dict)
    bound: Bindings | None = None
    """The bindings of the kernel, if these are more than the rules."""
    others: dict[str, tuple[Any, ...]] = attrs.field(factory=dict)
    """Other kernels that its script calls, with arguments as it gives them."""

    def object(self) -> dict[str, Any]:
        found: dict[str, Any] = {"script": self.script, "settings": self.settings}
        if self.kernel is not None:
            found |= {"kernel": self.script, "memory": described(self.memory._asdict())}
            found |= {"growing": self.growing}
            found |= {} if self.longest is None else {"longest": self.longest}
        return found


def bounded(search: Search, megabytes: float) -> Search:
    """Return the search with a table or tree of at most `megabytes` (10**6 bytes)."""
    if not isinstance(search, AlphaBeta | MCTS):
        return search
    return attrs.evolve(search, megabytes=min(search.megabytes, megabytes))


def player_of(search: Search, state: RecordState) -> Player:
    """Return the player that a search makes, in games that begin at `state`.

    Raises ConfigError for a search that does not have a script, or settings that its script does
    not know.
    """
    make = MAKERS.get(type(search))
    if make is None:
        known = ", ".join(sorted(cls.name for cls in MAKERS))
        raise ConfigError(f"{search} cannot be published; take one of {known}")
    made: Player = make(search, state)
    if made.memory is not None and len(made.memory.tablebase):
        raise ConfigError(
            f"{search} reads the tables of {state.game}, which are too large for a page; add "
            "solved=false to its settings"
        )
    return made


def _memory(driver: Callable[..., K]) -> Callable[..., K]:
    """Return a driver class for its memory alone: it compiles no kernel for this machine."""
    return type("Memory", (driver,), {"prepare": lambda *_: None})  # type: ignore[arg-type]


def _alphabeta(search: AlphaBeta, state: RecordState) -> Player:
    from dragon.search.alphabeta.depth import horizon, longest_line, schedule_of, within_line
    from dragon.search.alphabeta.driver import Driver, deepened
    from dragon.search.alphabeta.kernel import resume, transfer
    from dragon.search.alphabeta.search import FINE_ENOUGH, aspiration_of
    from dragon.search.alphabeta.values import scale_of
    from dragon.search.table import ENTRY, Lease, entries_in

    if search.driver != "pvs":
        raise ConfigError(f"{search} cannot be published: a page has only its driver 'pvs'")
    _check_one_thread(search)
    search = within_line(search, state)  # a page keeps a line for each ply, and makes no more room
    lease, others = Lease(search.megabytes), dict[str, tuple[Any, ...]]()
    driver = _memory(Driver)(search, state, Limit(), 0, lease)
    memory = deepened(driver.m, max(longest_line(search, state) + 2, len(driver.m.frames)))
    lease.close()
    if search.table:  # a table that served before is not empty, though it counts as such
        table = np.zeros(len(memory.table), ENTRY)
        memory = memory._replace(table=table)
        others["transfer"] = transfer, (table, 0, table, 0)
    settings = {
        "steps": scale_of(state), "highest": driver.highest, "sooner": driver.sooner,
        "coarse": driver.met_chance and scale_of(state) < FINE_ENOUGH,
        "selective": driver.selective, "aspiration": aspiration_of(search, state),
        "schedule": attrs.asdict(schedule_of(search, state)),
        "horizon": horizon(search, Limit()),
        "entries": entries_in(search.megabytes) if search.table else 0,
    }  # fmt: skip
    return Player(resume, memory, "alphabeta", driver.stack, settings=settings, others=others)


def _mcts(search: MCTS, state: RecordState) -> Player:
    from dragon.search.mcts.driver import Tree
    from dragon.search.mcts.kernel import resume

    _check_one_thread(search)
    if search.transpositions:
        raise ConfigError(f"{search} needs memory, which a page lacks; leave out transpositions")
    search = search.fitted(state)
    tree = _memory(type("Page", (Tree,), {"growing": True}))(search, state, None, 0, None)
    settings = {"simulations": search.simulations}
    bound = RulesWith(state.rules, tree.policies.bound)
    growing = tree.stack if len(tree.m.blocks) == 1 else (*tree.stack, "blocks")
    return Player(resume, tree.m, "mcts", growing, tree.longest, settings, bound)


def _check_one_thread(search: AlphaBeta | MCTS) -> None:
    if search.threads > 1:
        raise ConfigError(f"{search} cannot be published: a page has one thread for it")


def _random(search: Random, state: RecordState) -> Player:
    return Player(None, None, "random")


MAKERS: dict[type[Search], Callable[..., Player]] = {
    AlphaBeta: _alphabeta, MCTS: _mcts, Random: _random,
}  # fmt: skip
"""The makers by class; a derived class is not published, since it may search in another way."""


def constants() -> dict[str, dict[str, Any]]:
    """Return the numbers that the scripts share with Python, by name; they import `constants.js`.

    A script takes its own of each group: `const { START } = ALPHABETA`.
    """
    from dragon.boards import clicks
    from dragon.core import CHANCE, TERMINAL
    from dragon.search import driver
    from dragon.search.alphabeta import depth, kernel, values
    from dragon.search.budget import FOREVER, QUICK
    from dragon.search.mcts import search, settings, tree
    from dragon.search.table import GROWTH, LOAD
    from dragon.web import analyse, play

    return {
        "STATE": {"CHANCE": CHANCE, "TERMINAL": TERMINAL},
        "KERNEL": {
            **_named(driver, "DONE", "GROW", "CHANCE_MET", "LONGER"),
            "FOREVER": FOREVER, "QUICK": QUICK,
        },
        "ALPHABETA": {
            **_named(kernel, "START"), **_named(driver, "FIRST_SLICE", "SLICE"),
            **_named(depth, "NO_HORIZON"), **_named(values, "STEPS", "DIGITS"),
            "GROWTH": GROWTH, "LOAD": LOAD,
        },
        "MCTS": {
            **_named(search, "TIMED_SLICE", "FIRST_SLICE", "LAST_SLICE", "DEFAULT_SIMULATIONS"),
            **_named(search, "MOVES_SHOWN"), **_named(settings, "SLICE_NODES"),
            **_named(tree, "LANES", "UNPROVEN"),
        },
        "PAGE": {**_named(play, "LISTED"), **_named(analyse, "SHARES", "LEAST"),
                 "WAYS": clicks.LISTED},
    }  # fmt: skip


def _named(module: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names}


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
        "how": how_to_play(type(game)), "won": scene_of(type(game)).won,
        "traits": sorted(map(str, game.traits)),
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
