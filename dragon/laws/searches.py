"""The laws of searches: how they treat limits, seeds and states, and what they may claim."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterable
from contextlib import closing
from functools import lru_cache
from typing import Any

from attrs import evolve

from dragon.bits import Random
from dragon.core import (
    CHANCE,
    TERMINAL,
    Bound,
    Game,
    Limit,
    Position,
    Result,
    Search,
    State,
    Trait,
)  # fmt: skip
from dragon.laws.kit import (
    LawBroken,
    copied,
    expect,
    game_law,
    has_rules,
    posed,
    reachable,
    reads_back,
    remedy,
    search_law,
    some,
    walk,
)
from dragon.modes import CHECKED, JIT, Mode
from dragon.rules.playout import step
from dragon.rules.record import RecordState

NODES = 500
"""The limit of nodes: enough for several iterations of a search, and few enough for a law."""
SLACK = 1.0
"""Seconds that a search may be late: a test machine may be busy."""
TRIES = 3
"""Times that a search is timed before it is called late."""
PLIES = 5
"""Plies for which a run plays on."""
SMALL = 1000
"""The most reachable states for which a claim is checked against the whole tree."""
CLAIMS = 12
"""States whose claims are checked."""
ROUNDING = 1e-9
LEAST = (0.001, 0.01, 0.1, 1.0)
"""Sizes of memory in megabytes; a search is tried with the first that it accepts."""
DECIDED, MOST_PLIES = 60, 3000
"""Random games whose last moves are looked at, and their plies in all."""
EACH = 3
"""The most of these for each seat and each sign of the payoff."""
WORLDS = 16
"""Worlds drawn of a hidden game's state, in all of which a move must decide alike."""
NEAR = 0.3
"""The part of the largest payoff by which an estimate may differ: a mean is not exact."""


def said(result: Result) -> tuple[Any, ...]:
    """Return the claim of a result, without its time."""
    return result.value, result.bound, result.line, result.error, result.nodes


def all_said(
    search: Search, state: State[Any], limit: Limit | None = None, seed: int = 5
) -> list[tuple[Any, ...]]:
    """Return the claim of each result, under a limit in nodes unless another is given."""
    return [said(result) for result in search.results(state, limit or Limit(nodes=NODES), seed)]


@search_law()
def law_a_seed_fixes_the_search(search: Search, game: Game[Any], state: State[Any]) -> None:
    """Under a limit in nodes a seed always gives the same results."""
    first, second = all_said(search, state), all_said(search, state)
    expect(first == second, first[-1], second[-1], state)


@search_law()
def law_deterministic_searches_ignore_the_seed(
    search: Search, game: Game[Any], state: State[Any]
) -> None:
    """A search that is `deterministic` gives the same results for every seed."""
    if search.deterministic:
        first, second = all_said(search, state), all_said(search, state, seed=6)
        expect(first == second, first[-1], second[-1], state)


@search_law()
def law_the_tightest_limit_still_gets_a_move(
    search: Search, game: Game[Any], state: State[Any]
) -> None:
    """However tight the limit, a result comes, and its move is legal."""
    if state.turn == CHANCE:
        return
    moves = state.moves()
    tight = (
        Limit(nodes=1),
        Limit(depth=1, nodes=NODES),
        Limit(simulations=1, nodes=NODES),
        Limit(seconds=1e-9),
    )
    for limit in tight:
        results = list(search.results(state, limit))
        expect(results, f"a result under {limit}", "none", state)
        move = results[-1].move
        expect(move in moves, f"a legal move under {limit}", repr(move), state)


@search_law()
def law_lines_are_legal(search: Search, game: Game[Any], state: State[Any]) -> None:
    """The moves of a line can be played one after another."""
    for result in search.results(state, Limit(nodes=NODES)):
        here = state
        for move in result.line:
            expect(move in here.moves(), f"a legal move at {here} in {result.line}", move, state)
            here = here.after(move)


@search_law()
def law_values_are_possible(search: Search, game: Game[Any], state: State[Any]) -> None:
    """No value exceeds the largest payoff, and no error is negative."""
    for result in search.results(state, Limit(nodes=NODES)):
        expect(abs(result.value) <= state.largest + 1e-9, f"at most {state.largest}",
               result.value, state)  # fmt: skip
        expect(result.error >= 0, "an error of 0 or more", result.error, state)
        expect(isinstance(result.bound, Bound), "a Bound", repr(result.bound), state)


@search_law()
def law_ignored_limits_change_nothing(search: Search, game: Game[Any], state: State[Any]) -> None:
    """A field of a limit that is not among the search's `limits` does not change its results."""
    counted = {"nodes": NODES, "depth": 2, "simulations": 20}
    base = Limit(**{name: n for name, n in counted.items() if name in search.limits})
    idle = {"seconds", *counted} - search.limits
    if not base and search.limits:  # the clock alone counts, and no two runs are alike
        return
    plain = said(search.best(state, base, seed=5))
    for name in sorted(idle):
        tightest: dict[str, Any] = {name: 1e-9 if name == "seconds" else 1}
        least = evolve(base, **tightest)
        limited = said(search.best(state, least, seed=5))
        expect(limited == plain, f"as under {base}: {plain}", f"{limited}, under {least}", state)


@search_law()
def law_node_limits_are_kept(search: Search, game: Game[Any], state: State[Any]) -> None:
    """A search visits no more nodes than its limit, except for what one more step takes."""
    for nodes in (50, NODES) if "nodes" in search.limits else ():
        seen = search.best(state, Limit(nodes=nodes)).nodes
        expect(seen <= 2 * nodes + 500, f"about {nodes} nodes at most", seen, state)


@search_law()
def law_depth_limits_are_kept(search: Search, game: Game[Any], state: State[Any]) -> None:
    """A search that looks ahead by depth looks no deeper than its limit."""
    for depth in (1, 2) if "depth" in search.limits else ():
        result = search.best(state, Limit(depth=depth, nodes=NODES))
        seen = result.extra.get("depth", 0)
        expect(seen <= depth, f"depth {depth} at most", seen, state)


@search_law()
def law_simulation_limits_are_kept(search: Search, game: Game[Any], state: State[Any]) -> None:
    """A search that simulates makes no more simulations than its limit."""
    for simulations in (10, 50) if "simulations" in search.limits else ():
        result = search.best(state, Limit(simulations=simulations, nodes=4 * NODES))
        seen = result.extra.get("simulations", 0)
        expect(seen <= simulations, f"{simulations} simulations at most", seen, state)


@game_law()
def law_time_limits_are_kept(search: Search, game: Game[Any], seed: int) -> None:
    """A search ends when its seconds are over, and reports the seconds that it took."""
    state = game.start(seed)
    if state.turn == TERMINAL:
        return
    search.best(state, Limit(nodes=1))  # compiles what is to be compiled
    for _ in range(TRIES):  # a busy machine takes the time away once, not every time
        begin = time.perf_counter()
        result = search.best(state, Limit(seconds=0.1))
        taken = time.perf_counter() - begin
        if taken < 0.1 + SLACK:
            break
    expect(taken < 0.1 + SLACK, "0.1 seconds", f"{taken:.2f}", state)
    expect(0 <= result.seconds <= taken + 0.01, f"0 to {taken:.2f} seconds",
           f"{result.seconds:.2f}", state)  # fmt: skip


@search_law()
def law_searches_can_be_closed(search: Search, game: Game[Any], state: State[Any]) -> None:
    """A stream of results can be closed after any of them, and a new one begun."""
    total = len(all_said(search, state))
    for taken in sorted({1, total // 2, total - 1} - {0}):
        with closing(search.results(state, Limit(nodes=NODES), 5)) as stream:  # type: ignore[type-var]
            for _ in range(taken):
                next(stream)
    again = len(all_said(search, state))
    expect(again == total, f"{total} results", again, state)


@search_law()
def law_runs_share_nothing(search: Search, game: Game[Any], state: State[Any]) -> None:
    """Two runs that are asked about the same positions of a game one after another agree."""
    first, second = (_game_of(search, game, state) for _ in range(2))
    expect(first == second, first[-1], second[-1], state)


def _game_of(search: Search, game: Game[Any], start: State[Any]) -> list[Any]:
    """Return the results of a run for a state, and for the next ones of the same seat."""
    here, claims = start, list[Any]()
    moves: tuple[str, ...] = ()
    with search.open(game) as run:
        while here.turn != TERMINAL and len(moves) < PLIES:
            if here.turn == start.turn:
                result = run.best(Position(here, start, moves), Limit(nodes=NODES), len(moves))
                claims.append(said(result))
            elif Trait.HIDDEN in game.traits:  # `start` is what one seat sees
                break
            move = here.moves()[0]
            here, moves = here.after(move), (*moves, str(move))
    return claims


@search_law()
def law_results_only_grow(search: Search, game: Game[Any], state: State[Any]) -> None:
    """Nodes and seconds never fall from result to result, and after an exact one none differs."""
    before = None
    for result in search.results(state, Limit(nodes=NODES)):
        if before is not None:
            expect(
                result.nodes >= before.nodes, f"{before.nodes} nodes or more", result.nodes, state
            )
            expect(result.seconds >= before.seconds, f"{before.seconds} seconds or more",
                   result.seconds, state)  # fmt: skip
            same = result.bound is Bound.EXACT and result.value == before.value
            expect(before.bound is not Bound.EXACT or same, f"{before.value}, which was exact",
                   f"{result.bound}{result.value}", state)  # fmt: skip
        before = result


@search_law()
def law_searching_leaves_the_state_alone(
    search: Search, game: Game[Any], state: State[Any]
) -> None:
    """A search leaves the state that it was given as it was."""
    before = str(state), state.turn, hash(state), [str(m) for m in state.moves()][:50]
    search.best(state, Limit(nodes=NODES))
    after = str(state), state.turn, hash(state), [str(m) for m in state.moves()][:50]
    expect(after == before, before, after, state)


@game_law()
def law_nodes_are_counted(search: Search, game: Game[Any], seed: int) -> None:
    """A search that keeps a limit in nodes counts those that it visits."""
    if "nodes" not in search.limits:
        return
    open_states = [s for s in posed(game, seed) if len(s.moves()) > 1 and not _known(s)]
    counted = (search.best(copied(s, game), Limit(nodes=NODES)).nodes for s in open_states)
    expect(not open_states or any(counted), "at least one node of some position", 0,
           open_states[0] if open_states else None)  # fmt: skip


def _known(state: State[Any]) -> bool:
    """Return True if a state knows its own value, so that a search need not visit others."""
    bounds = state.bounds()
    return state.solved() is not None or (bounds is not None and bounds[0] == bounds[1])


@game_law()
def law_claims_are_true(search: Search, game: Game[Any], seed: int) -> None:
    """An exact value or a bound agrees with the whole tree, and so does the first move of its line,
    where that is small enough to visit."""
    _hold_claims(search, game, seed)


@game_law()
def law_claims_are_true_in_little_memory(search: Search, game: Game[Any], seed: int) -> None:
    """With the least `megabytes` that a search accepts, its claims are still true."""
    for megabytes in LEAST if hasattr(search, "megabytes") else ():
        try:
            small = evolve(search, **{"megabytes": megabytes})
        except ValueError:  # which the search does not accept
            continue
        _hold_claims(small, game, seed)
        return


def _hold_claims(search: Search, game: Game[Any], seed: int) -> None:
    """Raise LawBroken where a result claims what the whole tree refutes."""
    for state in () if Trait.HIDDEN in game.traits else _small(game, seed):
        truth = _truth(game, state)
        for result in search.results(copied(state, game), Limit(nodes=4 * SMALL)):
            seen = f"{result.bound}{result.value}"
            holds = {
                Bound.EXACT: abs(result.value - truth) < ROUNDING,
                Bound.LOWER: result.value <= truth + ROUNDING,
                Bound.UPPER: result.value >= truth - ROUNDING,
                Bound.ESTIMATE: True,
            }[result.bound]
            expect(holds, f"a claim that agrees with the true value {truth}", seen, state)
            if result.bound in (Bound.EXACT, Bound.LOWER):
                _hold_line(game, state, result)


def _hold_line(game: Game[Any], state: State[Any], result: Result) -> None:
    """Raise LawBroken where a move of an exact line, or the first of a lower bound, is worth less
    than the result claims."""
    exact = result.bound is Bound.EXACT
    here = state
    for move in result.line if exact else result.line[:1]:
        if here.turn < 0:
            return
        least = _values(game, here)[here.turn] if exact else result.value
        worth = _values(game, after := here.after(move))[here.turn]
        expect(worth >= least - ROUNDING, f"a move at {here} that brings {least:g}, in the line "
               f"{' '.join(map(str, result.line))} of {result.bound}{result.value}",
               f"{move}, after which the value is {worth:g}", state)  # fmt: skip
        here = after


@lru_cache(maxsize=64)
def _small(game: Game[Any], seed: int) -> tuple[State[Any], ...]:
    """Open states of random games with a tree that is small enough to visit."""
    states = [*posed(game, seed), *walk(game, seed)[::2]]
    unique = dict.fromkeys(state for state in states if state.turn != TERMINAL)
    small = [s for s in unique if reachable(s, SMALL) <= SMALL and _has_value(game, s)]
    return tuple(some(small, CLAIMS))


def _has_value(game: Game[Any], state: State[Any]) -> bool:
    """Return False where play recurs without end, which is a mistake of the game and has a law of
    its own."""
    try:
        return bool(_values(game, state))
    except RecursionError:
        return False


def _truth(game: Game[Any], state: State[Any]) -> float:
    """The exact value of a state with a small tree, for the seat to move."""
    return _values(game, state)[max(state.turn, 0)]


@lru_cache(maxsize=4096)  # for it is asked for each search
def _values(game: Game[Any], state: State[Any]) -> tuple[float, ...]:
    """Return the payoffs of the seats by the whole tree."""
    from dragon.search.simple import values

    return values(state)


@lru_cache(maxsize=64)
def _decided(game: Game[Any], seed: int) -> tuple[tuple[State[Any], float, bool], ...]:
    """States of random games in which one move decides, its payoff for the seat that moves, and
    True if only chance follows some move."""
    found: dict[tuple[int, int, bool], list[tuple[State[Any], float, bool]]] = {}
    plies = 0
    for number in range(DECIDED):
        state, before, dice = game.start(seed + number), None, Random(seed + number)
        while state.turn != TERMINAL and plies < MOST_PLIES:
            before = state if state.turn >= 0 else before
            state, plies = step(state, dice), plies + 1
        if state.turn != TERMINAL or before is None or (known := _at_once(before)) is None:
            continue
        worth, lucky = known
        kind = before.turn, (worth > 0) - (worth < 0), lucky
        found.setdefault(kind, []).append((before, worth, lucky))
    return tuple(each for kind in found.values() for each in kind[:EACH])


def _at_once(state: State[Any]) -> tuple[float, bool] | None:
    """The value of a state in which no seat moves again, or one move wins the most at once; and
    True if chance follows. In a hidden game it must be so in each world that the seat may be in."""
    import numpy as np

    worlds = [state]
    if state.conceals:
        worlds += [state.determinize(np.random.default_rng(number)) for number in range(WORLDS)]
    moves = some(state.moves(), NODES)
    after = [[world.after(move) for world in worlds] for move in moves]
    brought = [_agreed(_brought(each, state.turn) for each in row) for row in after]
    known = [worth for worth in brought if worth is not None]
    won = any(
        row[0].turn == TERMINAL and worth == state.largest
        for row, worth in zip(after, brought, strict=True)
    )
    if not won and (not known or len(known) < len(state.moves())):
        return None
    return max(known), not won and any(each.turn == CHANCE for row in after for each in row)


def _agreed(values: Iterable[float | None]) -> float | None:
    """Return the value that all have, or None."""
    first, *others = values
    return first if all(other == first for other in others) else None


def _brought(state: State[Any], seat: int) -> float | None:
    """Return the payoff of a seat if the game is over, or is after one roll; else None."""
    if state.turn == TERMINAL:
        return state.payoff()[seat]
    if state.turn != CHANCE:
        return None
    ends = [state.after(move) for move in some(state.moves(), NODES)]
    if any(end.turn != TERMINAL for end in ends) or len(ends) < len(state.moves()):
        return None
    return sum(p * end.payoff()[seat] for p, end in zip(state.odds(), ends, strict=True))


@game_law()
def law_decided_positions_are_valued(search: Search, game: Game[Any], seed: int) -> None:
    """The value is near to the payoff of a move that decides the game."""
    looks = search.proves or not search.deterministic  # at ends, not only one ply ahead
    # A search that recalls may have learnt from the start, and come here only a few times.
    known = search.values and not search.recalls
    for state, worth, lucky in _decided(game, seed) if known else ():
        if lucky and not looks:
            continue
        near = NEAR * state.largest
        result = search.best(copied(state, game), Limit(nodes=4 * NODES), seed=5)
        if search.proves and result.bound is Bound.ESTIMATE and not result.value:
            continue  # it came to no end of the whole tree, and says so
        low = result.value < worth - near and result.bound is not Bound.LOWER
        high = result.value > worth + near and result.bound is not Bound.UPPER
        if low or high:
            about = f"a value of about {worth:g} for seat {state.turn}, which is to move"
            broken = LawBroken(about, f"{result.bound}{result.value:g}", state)
            if Trait.HIDDEN in game.traits:  # the search may have played on from a view
                broken.remedy = remedy(search, game)
            raise broken
        if Trait.HIDDEN in game.traits:
            continue  # a mixed strategy may draw any move
        brings = _brought(state.after(result.line[0]), state.turn) if result.line else None
        expect(brings is None or brings >= worth - near, f"a move that brings about {worth:g}",
               f"{result.line[0]}, which brings {brings}", state)  # fmt: skip


@game_law()
def law_searches_pickle(search: Search, game: Game[Any], seed: int) -> None:
    """A search survives pickling, as it must on its way to another process."""
    again = pickle.loads(pickle.dumps(search))
    expect(again == search, repr(search), repr(again))


@game_law()
def law_the_search_spec_reads_back(search: Search, game: Game[Any], seed: int) -> None:
    """The text of a search, read as a spec, is the same search."""
    reads_back(search)


@search_law(has_rules)
def law_kernels_agree_with_plain_python(search: Search, game: Game[Any], state: State[Any]) -> None:
    """Compiled and in plain Python, a search gives the same results after as many nodes."""
    assert isinstance(state, RecordState)
    _hold_modes(search, state, JIT, "0", "plain")


@search_law(has_rules)
def law_kernels_stay_in_bounds(search: Search, game: Game[Any], state: State[Any]) -> None:
    """Checked code, which stops at an index out of bounds, gives the results of other code."""
    _hold_modes(search, state, CHECKED, "1", "checked")


def _hold_modes(search: Search, state: State[Any], mode: Mode, value: str, how: str) -> None:
    """Raise LawBroken where a search says something else, or visits other nodes, in a mode."""
    limit = Limit(nodes=300, depth=3, simulations=40)
    with JIT.under("1"):
        fast = all_said(search, state, limit, seed=3)
        with mode.under(value):
            other = all_said(search, state, limit, seed=3)
    expect(other == fast, f"{other[-1]}, {how}", f"{fast[-1]}, compiled", state)
