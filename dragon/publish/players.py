"""Searches as their scripts in the browser need them, with their kernels' memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import attrs
from attrs import frozen

from dragon.compiler.kernel import Bindings
from dragon.core import Limit, Search
from dragon.errors import ConfigError
from dragon.publish.arrays import described
from dragon.rules.preparation import RulesWith
from dragon.rules.record import RecordState
from dragon.search.alphabeta.search import AlphaBeta
from dragon.search.mcts.search import MCTS
from dragon.search.random import Random

K = TypeVar("K")


@frozen
class Player:
    """A search that can be published: its kernel, and what its script reads."""

    kernel: Callable[..., Any] | None
    """The kernel `resume`; None if the search does not need one."""
    memory: Any
    """Its argument, a NamedTuple of arrays."""
    script: str
    """The function that drives it."""
    growing: tuple[str, ...] = ()
    """Arrays that grow when the kernel asks for it; `longest` is their limit."""
    longest: int | None = None
    settings: dict[str, Any] = attrs.field(factory=dict)
    bound: Bindings | None = None
    """The bindings of the kernel, if they are more than the rules."""
    others: dict[str, tuple[Any, ...]] = attrs.field(factory=dict)
    """Other kernels that its script calls, with arguments as it gives them."""

    def object(self) -> dict[str, Any]:
        """Return it as JSON."""
        found: dict[str, Any] = {"script": self.script, "settings": self.settings}
        if self.kernel is not None:
            found |= {"kernel": self.script, "memory": described(self.memory._asdict())}
            found |= {"growing": self.growing}
            found |= {} if self.longest is None else {"longest": self.longest}
        return found


def bounded(search: Search, megabytes: float) -> Search:
    """The search with a table or tree of at most `megabytes` (10**6 bytes)."""
    if not isinstance(search, AlphaBeta | MCTS):
        return search
    return attrs.evolve(search, megabytes=min(search.megabytes, megabytes))


def player_of(search: Search, state: RecordState) -> Player:
    """The player for a search in games that begin at `state`.

    Raises ConfigError for a search that has no script, or settings that its script does not know.
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
    """A driver without a kernel, since only its memory is used."""
    return type("Memory", (driver,), {"prepare": lambda *_: None})  # type: ignore[arg-type]


def _alphabeta(search: AlphaBeta, state: RecordState) -> Player:
    from dragon.search.alphabeta.depth import (
        FIRST,
        LEAVES,
        NO_HORIZON,
        SECOND,
        horizon,
        longest_line,
        ply_by_ply,
        within_line,
    )
    from dragon.search.alphabeta.driver import Driver, deepened
    from dragon.search.alphabeta.kernel import resume, transfer
    from dragon.search.alphabeta.search import aspiration_of
    from dragon.search.alphabeta.values import DIGITS, scale_of
    from dragon.search.table import ENTRY, GROWTH, LOAD, Lease, entries_in

    if search.driver != "pvs":
        raise ConfigError(f"{search} cannot be published: a page has only its driver 'pvs'")
    _check_one_thread(search)
    search = within_line(search, state)  # a page keeps a line for each ply, and makes no more room
    lease, others = Lease(search.megabytes), dict[str, tuple[Any, ...]]()
    driver = _memory(Driver)(search, state, Limit(), 0, lease)
    memory = deepened(driver.m, max(longest_line(search, state) + 2, len(driver.m.frames)))
    lease.close()
    if search.table:  # a table that served before is not empty, though it counts as such
        table = _zeros(len(memory.table), ENTRY)
        memory = memory._replace(table=table)
        others["transfer"] = transfer, (table, 0, table, 0)
    settings = {
        "steps": scale_of(state), "sooner": driver.sooner, "selective": driver.selective,
        "aspiration": aspiration_of(search, state), "digits": DIGITS,
        "deepening": search.deepening, "plyByPly": ply_by_ply(search, state),
        "first": FIRST, "leaves": LEAVES, "second": SECOND, "width": state.rules.width,
        "horizon": horizon(search, Limit()), "noHorizon": NO_HORIZON,
        "entries": entries_in(search.megabytes) if search.table else 0,
        "load": LOAD, "growth": GROWTH,
    }  # fmt: skip
    return Player(resume, memory, "alphabeta", driver.stack, settings=settings, others=others)


def _mcts(search: MCTS, state: RecordState) -> Player:
    from dragon.search.mcts.driver import CompiledTree
    from dragon.search.mcts.kernel import resume
    from dragon.search.mcts.search import DEFAULT_SIMULATIONS
    from dragon.search.mcts.settings import SLICE_NODES
    from dragon.search.mcts.tree import UNPROVEN

    _check_one_thread(search)
    search = search.fitted(state)
    tree = _memory(CompiledTree)(search, state, None, 0, None)
    settings = {
        "simulations": search.simulations, "usual": DEFAULT_SIMULATIONS, "slice": SLICE_NODES,
        "unproven": UNPROVEN,
    }  # fmt: skip
    bound = RulesWith(state.rules, search.policies.bound)
    return Player(resume, tree.m, "mcts", tree.stack, tree.longest, settings, bound)


def _check_one_thread(search: AlphaBeta | MCTS) -> None:
    if search.threads > 1:
        raise ConfigError(f"{search} cannot be published: a page has one thread for it")


def _random(search: Random, state: RecordState) -> Player:
    return Player(None, None, "random")


def _zeros(length: int, dtype: Any) -> Any:
    import numpy as np

    return np.zeros(length, dtype)


MAKERS: dict[type[Search], Callable[..., Player]] = {
    AlphaBeta: _alphabeta, MCTS: _mcts, Random: _random,
}  # fmt: skip
"""Exact classes, since a derived class may search differently."""
