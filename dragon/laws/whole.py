"""Small games as a whole: every state that play can reach, and the laws of its text and claims.

What rules claim of a state is true of its whole tree. In a small game the laws are tried on every
state; in others on the states of random games from which a small tree is left, and on all states
below these.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, count, islice, pairwise
from typing import Any

from dragon.bits import Random
from dragon.core import CHANCE, TERMINAL, Game, State, Trait
from dragon.laws.kit import (
    DEALS,
    LawBroken,
    expect,
    game_law,
    has_rules,
    of_effort,
    random_game,
    some,
    visited,
    walk,
    within,
)
from dragon.rules.census import MOST, Survey, survey
from dragon.rules.notation import parse_move
from dragon.rules.playout import step
from dragon.rules.record import RecordGame, RecordState, rules_of
from dragon.search.two_sided import side

SECONDS = 5.0
"""Processor time that a law may take for the states of a game,"""
VISIT = 2.0
"""and that which may be taken to visit them."""
ROUNDING = 1e-9


@lru_cache(maxsize=4)
def surveyed(game: RecordGame, seed: int = 0) -> Survey | None:
    """Return the census of a game by Rules, from several deals if it has them; None if it fails."""
    firsts = [game.start(seed + number).data for number in range(DEALS)]
    return survey(rules_of(game), firsts, VISIT, MOST)


def whole(game: Game[Any], seed: int = 0) -> Survey | None:
    """The census of a game by Rules that is small, with nothing hidden; else None."""
    found = surveyed(game, seed) if has_rules(game) else None
    return found if found is not None and found.whole else None


def coverage(game: Game[Any], seed: int = 0) -> tuple[int, bool]:
    """The number of states visited; True if these are all that play can reach."""
    if not has_rules(game):
        return len(states := visited(game, seed)), bool(states)
    found = surveyed(game, seed)
    return (0, False) if found is None else (found.count, found.whole)


def every(game: Game[Any], seed: int = 0) -> Iterator[State[Any]]:
    """Yield the states of a small game in an order drawn at random, ends last."""
    found = whole(game, seed)
    if found is None:
        yield from visited(game, seed)
        return
    import numpy as np

    places = np.random.default_rng(seed).permutation(found.count)
    over = found.facts["seat"][places] == TERMINAL
    for at in np.concatenate([places[~over], places[over]]).tolist():
        yield state_at(game, found, at)


def state_at(game: Game[Any], found: Survey, at: int) -> RecordState:
    """The state of a census with that number."""
    assert isinstance(game, RecordGame)
    return RecordState(game, found.states[at].tobytes())


def suspects(game: Game[Any], found: Survey, claim: str) -> list[int]:
    """Return the states of a census where a claim contradicts the values.

    claim: `bounds`, `key`, `place`, `reduce` or `solved`.
    """
    import numpy as np

    rules = rules_of(game)
    facts = found.facts[: found.count]
    worth, sign = facts["worth"], np.ones(found.count)
    for seat, team in enumerate(rules.teams):
        sign[facts["seat"] == seat] = 1 if team == rules.teams[0] else -1
    open_ones = (facts["seat"] != TERMINAL) & (facts["known"] > 0)
    if getattr(rules, claim) is None:
        wrong = np.zeros(found.count, bool)
    elif claim == "bounds":
        wrong = (worth < facts["least"] - ROUNDING) | (worth > facts["most"] + ROUNDING)
    elif claim == "solved":
        wrong = (facts["plies"] >= 0) & (abs(facts["solved"] - worth) > ROUNDING)
    elif claim == "reduce":
        wrong = abs(_best_kept(found, sign) - worth) > ROUNDING
    else:
        shared = open_ones & (facts[claim] != 0)  # what is 0 is not kept
        if claim == "place":
            return _apart(shared, (facts["place"],), worth, facts["banked"])
        return _apart(shared, (facts["key"], facts["seat"] < 0), sign * (worth - facts["banked"]))
    return np.flatnonzero(open_ones & wrong).tolist()


def _best_kept(found: Survey, sign: Any) -> Any:
    """The value of each state for seat 0 by the best of the moves that `reduce` leaves."""
    import numpy as np

    facts = found.facts[: found.count]
    opened = np.flatnonzero(facts["moves"] > 0)
    owner = np.repeat(opened, facts["moves"][opened])
    edges = found.edges[: len(owner)]
    mine = np.where(edges["kept"] > 0, sign[owner] * facts["worth"][edges["to"]], -np.inf)
    best = facts["worth"].copy()
    if len(opened):
        best[opened] = sign[opened] * np.maximum.reduceat(mine, facts["first"][opened])
    return np.where(facts["seat"] >= 0, best, facts["worth"])


def _apart(shared: Any, names: tuple[Any, ...], worth: Any, banked: Any = None) -> list[int]:
    """Return pairs of states that share names and differ in value.

    banked: return only pairs where more is banked and the value is less.
    """
    import numpy as np

    places = np.flatnonzero(shared)
    keys = (worth, *names) if banked is None else (-worth, banked, *names)
    places = places[np.lexsort([key[places] for key in keys])]
    one, other = places[:-1], places[1:]
    gain = worth[other] - worth[one]
    wrong = abs(gain) > ROUNDING if banked is None else gain < -ROUNDING
    for name in names:
        wrong &= name[one] == name[other]
    return [int(each) for at in np.flatnonzero(wrong) for each in (one[at], other[at])]


FEW = 2000
"""States below those of one random game that are visited, the last first."""
SHOWN = 20
"""The most states of a small game, among those where a claim fails, that are examined again."""


def _judged(game: Any) -> bool:
    """Return True if a state has one value for all seats."""
    return bool(game.traits & {Trait.DUEL, Trait.SOLO}) and Trait.HIDDEN not in game.traits


@lru_cache(maxsize=8)
def worths(game: Game[Any], seed: int) -> dict[State[Any], float]:
    """The exact value for seat 0 of each state found with a small tree."""
    known: dict[State[Any], float] = {}
    left = 0
    if not _judged(game):
        return known
    if states := visited(game, seed):
        for number in range(DEALS):
            _visit(game.start(seed + number), known, 2 * len(states))
        return known
    for state in reversed(walk(game, seed)):
        if state.turn == TERMINAL:  # another game
            left = FEW
        left = _visit(state, known, left)
    return known


def claimed(game: Game[Any], seed: int, claim: str) -> dict[State[Any], float]:
    """Return the states on which a law of a claim is tried, with the values for seat 0.

    In a small game by Rules, whose claims were compared with the value of every state, they are the
    first states where the claim fails, and the states after them.
    """
    if not _judged(game) or (found := whole(game, seed)) is None:
        return worths(game, seed)
    unit = rules_of(game).unit
    places = list[int]()
    for at in suspects(game, found, claim)[:SHOWN]:
        first, n = (int(found.facts[at][name]) for name in ("first", "moves"))
        places += [at, *found.edges["to"][first : first + n].tolist()]
    return {state_at(game, found, at): float(found.facts["worth"][at] * unit) for at in places}


def _visit(state: State[Any], known: dict[State[Any], float], left: int) -> int:
    """Add the values of a state and of all below it; return the number of states that may still be
    visited."""
    waiting = [state]
    while waiting and left:
        here = waiting[-1]
        if here in known:
            waiting.pop()
        elif here.turn == TERMINAL:
            known[here] = here.payoff()[0]
        elif here.turn >= len(here.teams):
            return 0
        else:
            moves = here.moves()
            after = [here.after(move) for move in moves] if len(moves) <= left else []
            unknown = [each for each in after if each not in known]
            waiting += unknown
            left = max(0, left - len(unknown) - 1)
            if not after:
                return 0
            if not unknown:
                known[here] = _worth(here, [known[each] for each in after])
    return left


def _worth(state: State[Any], after: list[float]) -> float:
    """Return the value of a state for seat 0, from the values of its successors."""
    if state.turn == CHANCE:
        return sum(p * value for p, value in zip(state.odds(), after, strict=True))
    return max(after) if side(state) > 0 else min(after)


READ, READ_SLOWLY = 2000, 300
"""States of random games whose text is read back; fewer where they are not records."""
OF_EACH = 8
"""Moves of each state, drawn at random, whose text is read back."""


@game_law()
def law_positions_read_back(game: Game[Any], seed: int) -> None:
    """The text of a state, parsed, is that state; in many games, and in every state of a small
    game."""
    read = set[bytes]()
    small = within(SECONDS, every(game, seed))
    for state in chain(walk(game, seed), _many(game, seed), small):
        if isinstance(state, RecordState):
            if state.data in read:
                continue
            read.add(state.data)
        if (again := game.parse(str(state))) != state:
            raise LawBroken(_difference(state, again), _difference(again, state), state)


def _many(game: Game[Any], seed: int) -> Iterator[State[Any]]:
    """Yield states of random games, each of another deal; fewer where they are not records."""
    dice, deals = random.Random(seed), count(seed)
    if not isinstance(game.start(seed), RecordState):
        games = (random_game(game, game.start(deal), dice) for deal in deals)
        yield from islice(chain.from_iterable(games), of_effort(READ_SLOWLY))
        return
    state, drawn = game.start(next(deals)), Random(seed)
    for _ in range(of_effort(READ)):
        yield state
        state = game.start(next(deals)) if state.turn == TERMINAL else step(state, drawn)


def _difference(state: State[Any], other: State[Any]) -> str:
    """Describe a state by its difference from another, which may have an equal text."""
    if str(state) != str(other) or not (
        isinstance(state, RecordState) and isinstance(other, RecordState)
    ):
        return repr(state)
    mine, theirs = state.record, other.record
    names = [name for name in mine.dtype.names if mine[name].tobytes() != theirs[name].tobytes()]
    return f"{state} with {', '.join(f'{name} = {mine[name].tolist()}' for name in names)}"


@game_law()
def law_moves_read_back(game: Game[Any], seed: int) -> None:
    """The text of a move, parsed, is that move; in many games."""
    for state in walk(game, seed):
        for move in some(state.moves(), 20):
            again = parse_move(state, str(move))
            expect(again == move, repr(move), repr(again), state)
    if not isinstance(game.start(seed), RecordState):
        return
    dice, done = random.Random(seed), set[bytes]()
    for state in _many(game, seed):
        assert isinstance(state, RecordState)
        if state.turn == TERMINAL or state.data in done:
            continue
        codes = state.evaluator.moves(state.data).tolist()
        if len(codes) <= OF_EACH:  # of others the next time other moves are drawn
            done.add(state.data)
        for code in dice.sample(codes, min(OF_EACH, len(codes))):
            read = state.code(text := state.text(code))
            expect(read == code, f"{text!r} for the move {code}", f"it is read as {read}", state)


@game_law(_judged)
def law_reduce_keeps_a_best_move(game: Game[Any], seed: int) -> None:
    """The moves that searches try include a best one, where the tree is small."""
    known = claimed(game, seed, "reduce")
    for state, worth in known.items():
        if state.turn < 0 or len(kept := state.distinct()) == len(state.moves()):
            continue
        if any(state.after(move) not in known for move in kept):
            continue  # one after a state that does not fit, whose moves are not all known
        tried = [known[state.after(move)] for move in kept]
        best = max(tried) if side(state) > 0 else min(tried)
        expect(abs(best - worth) < ROUNDING, f"{worth:g} for seat 0, as with all moves",
               f"{best:g} with {', '.join(map(str, kept))} alone", state)  # fmt: skip


@game_law(_judged)
def law_bounds_hold_the_value(game: Game[Any], seed: int) -> None:
    """The bounds of a state contain the payoff of seat 0 under best play, where the tree is
    small."""
    for state, worth in claimed(game, seed, "bounds").items():
        if state.turn != TERMINAL and (bounds := state.bounds()) is not None:
            least, most = bounds
            expect(least - ROUNDING <= worth <= most + ROUNDING,
                   f"bounds about {worth:g}, which seat 0 gets", f"{least:g} to {most:g}",
                   state)  # fmt: skip


@game_law(_judged)
def law_equal_keys_are_worth_the_same(game: Game[Any], seed: int) -> None:
    """States that share a key have the same value for the mover, less what is banked."""
    first: dict[tuple[int, bool], tuple[State[Any], float]] = {}
    for state, worth in claimed(game, seed, "key").items():
        if state.turn == TERMINAL or not (key := state.key()):  # which is not kept
            continue
        coming = side(state) * (worth - state.banked())
        other, value = first.setdefault((key, state.turn == CHANCE), (state, coming))
        expect(abs(value - coming) < ROUNDING,
               f"{value:g} still to come for the mover, as in {other}, which has the same key",
               f"{coming:g}", state)  # fmt: skip


def _placed(game: Any) -> bool:
    """Return True for a game of one seat with the rule `place`."""
    return has_rules(game) and Trait.SOLO in game.traits and rules_of(game).place is not None


@game_law(_placed)
def law_more_banked_at_a_place_is_worth_no_less(game: Game[Any], seed: int) -> None:
    """At the same place, a state with more banked is not worse, where a tree is small."""
    alike: dict[int, list[tuple[float, float, State[Any]]]] = {}
    for state, worth in claimed(game, seed, "place").items():
        if state.turn != TERMINAL and (place := state.place()):
            alike.setdefault(place, []).append((state.banked(), worth, state))
    for each in alike.values():
        each.sort(key=lambda found: (found[0], -found[1]))
        for (_, less, other), (_, worth, state) in pairwise(each):
            expect(worth >= less - ROUNDING, f"{less:g} or more, as in {other}, which is at the "
                   "same place and has banked no more", f"{worth:g}", state)  # fmt: skip


@game_law(_judged)
def law_what_is_solved_is_true(game: Game[Any], seed: int) -> None:
    """The `solved` value of a state agrees with the whole tree, where that is small enough."""
    from dragon.search.alphabeta.search import AlphaBeta

    near = {*walk(game, seed)}
    for state, worth in claimed(game, seed, "solved").items():
        if state.turn == TERMINAL or (solved := state.solved()) is None:
            continue
        value, plies = solved
        expect(abs(value - worth) < ROUNDING, f"{worth:g} solved for seat 0", value, state)
        if state in near and AlphaBeta().objection(game) is None:
            known = AlphaBeta(sooner=True).best(state).extra.get("distance", plies)
            expect(plies in (0, known), f"solved to end in {known} plies, or 0 for unknown",
                   solved, state)  # fmt: skip
