"""The laws of games with hidden information, and of searches that play them."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import islice, zip_longest
from typing import Any

from dragon.core import CHANCE, TERMINAL, Game, Limit, Search, State, Trait
from dragon.core.search import informed
from dragon.errors import GameError
from dragon.laws.kit import (
    clock,
    expect,
    game_law,
    has_rules,
    of_effort,
    random_game,
    search_law,
    some,
    state_law,
    unlikely,
)
from dragon.laws.searches import said
from dragon.rules.record import rules_of

WORLDS = 3
"""Worlds drawn for each state that a law is tried on."""
NODES = 200
DEALT = 4000
"""Games that are dealt, to count how often worlds occur,"""
LOOK = 400
"""those after which it is decided whether deals recur,"""
FEW = 20
"""the least average count of a deal for counts to be significant,"""
SECONDS = 2.0
"""the processor time that these games may take,"""
VIEWS = 30
"""and the views of seats in them that are looked at."""
DRAWN = 1000
"""The least worlds drawn for each view."""


PLAYED = 250
"""The random games in which worlds are held against the truth,"""
LAST = 4
"""the states at the end of each that are looked at, and as many before them,"""
SURE = 20
"""the worlds that are drawn where all have been the truth,"""
CHANGES = 400
"""and the histories that are tried to find another truth, of which the seat sees the same."""
HELD = 2.5
"""The processor time that all this may take."""

HISTORIES = 3000
"""The most random games whose histories are compared,"""
TOLD = 0.5
"""and the processor time that they may take."""


def hides(game: Any) -> bool:
    """Return True if the game has hidden information."""
    return Trait.HIDDEN in game.traits


def _decided(state: State[Any]) -> bool:
    return state.turn in (TERMINAL, CHANCE)


def _dice(seed: int) -> Any:
    import numpy as np

    return np.random.default_rng(seed)


@state_law(hides)
def law_what_is_seen_is_enough_to_move(game: Game[Any], state: State[Any]) -> None:
    """The seat to move sees its turn and all its moves, and what it sees reads back."""
    expect(state.conceals, "a dragon.Determinizable, or Rules with `hide`", type(state), state)
    if _decided(state):
        return
    view = state.seen(state.turn)
    expect(view.turn == state.turn, f"turn {state.turn}", view.turn, state)
    expect([*view.moves()] == [*state.moves()], [*state.moves()], [*view.moves()], state)
    expect(game.parse(str(view)) == view, view, game.parse(str(view)), state)


@state_law(hides)
def law_what_is_seen_is_seen_again(game: Game[Any], state: State[Any]) -> None:
    """The view of a view is the same view, at every turn."""
    for seat in range(len(game.teams) if state.turn != TERMINAL else 0):
        view = state.seen(seat)
        expect(view.seen(seat) == view, f"{view}, as seat {seat} sees it", view.seen(seat), state)


@state_law(hides)
def law_worlds_look_like_the_state(game: Game[Any], state: State[Any]) -> None:
    """For the seat to move, a world has the view of the state, and it is drawn from that view
    alone."""
    if _decided(state):
        return
    view = state.seen(state.turn)
    for seed in range(WORLDS):
        world = state.determinize(_dice(seed))
        expect(world.seen(state.turn) == view, view, world.seen(state.turn), state)
        again = view.determinize(_dice(seed))
        expect(again == world, f"{world}, from the view too", again, state)


@state_law(hides)
def law_opened_worlds_play_alike(game: Game[Any], state: State[Any]) -> None:
    """With nothing hidden the turn, moves, ends and payoffs are the same."""
    here = state.opened()
    expect(here.turn == state.turn, f"turn {state.turn}", here.turn, state)
    if state.turn == TERMINAL:
        expect(here.payoff() == state.payoff(), state.payoff(), here.payoff(), state)
        return
    for move in some(state.moves(), 10):
        after, opened = state.after(move), here.after(move)
        expect(opened.turn == after.turn, f"turn {after.turn} after {move}", opened.turn, state)
    expect([*map(str, here.moves())] == [*map(str, state.moves())], [*state.moves()],
           [*here.moves()], state)  # fmt: skip


@game_law(hides)
def law_equal_histories_have_equal_moves(game: Game[Any], seed: int) -> None:
    """A seat that has seen and done the same, in any two games, has the same moves."""
    known: dict[tuple[int, tuple[Any, ...]], tuple[tuple[Any, ...], str]] = {}
    spent, dice = clock(TOLD), random.Random(seed)
    for number in range(of_effort(HISTORIES)):
        played: list[Any] = []
        start = game.start(seed + number)
        information = [informed((), start.seen(seat)) for seat in range(len(start.teams))]
        before = start
        for state in random_game(game, start, dice, played):
            if spent():
                return
            if played and state.turn != TERMINAL:
                information = [
                    informed(each, state.seen(seat), played[-1] if seat == before.turn else None)
                    for seat, each in enumerate(information)
                ]
            before = state
            if state.turn >= 0:
                moves, line = tuple(state.moves()), " ".join(map(str, played)) or "the start"
                had, other = known.setdefault((state.turn, information[state.turn]), (moves, line))
                expect(moves == had,
                       f"the moves {_listed(had)} of seat {state.turn}, as after {other}, where it "
                       "has seen and done the same", f"{_listed(moves)} after {line}",
                       state)  # fmt: skip


def _listed(moves: Sequence[Any]) -> str:
    return ", ".join(map(str, some(moves, 10)))


@game_law(hides)
def law_worlds_are_drawn_without_the_truth(game: Game[Any], seed: int) -> None:
    """Worlds of two states that a seat cannot tell apart do not always show what is hidden."""
    spent, dice = clock(HELD), random.Random(seed)
    for number in range(of_effort(PLAYED)):
        played: list[Any] = []
        start = game.start(seed + number)
        states = [*random_game(game, start, dice, played)]
        early = dice.sample(range(len(states)), min(LAST, len(states)))
        for place in {*early, *range(max(0, len(states) - 1 - LAST), len(states) - 1)}:
            if spent():
                return
            state = states[place]
            if not _decided(state) and _all_true(state, WORLDS):
                other = _twin(start, played[:place], state, dice, spent)
                if other and _all_true(state, SURE) and _all_true(other, SURE):
                    expect(False, f"worlds of one kind for two states that seat {state.turn} "
                           "cannot tell apart", f"the truth in all {SURE} worlds drawn for each:"
                           f"\n{_apart(state, other)}", state)  # fmt: skip


def _hidden_from(seat: int, state: State[Any]) -> list[State[Any]]:
    """The state as each other seat sees it."""
    return [state.seen(other) for other in range(len(state.teams)) if other != seat]


def _all_true(state: State[Any], worlds: int) -> bool:
    """Return True if all worlds that are drawn show the other seats what they see."""
    known = _hidden_from(state.turn, state)
    try:
        drawn = (state.determinize(_dice(seed)) for seed in range(worlds))
        return all(_hidden_from(state.turn, world) == known for world in drawn)
    except GameError:  # no world was found; that they are is another law
        return False


def _twin(
    start: State[Any], played: Sequence[Any], state: State[Any], dice: random.Random,
    spent: Callable[[], bool],
) -> State[Any] | None:  # fmt: skip
    """Return a state in which the others see something else, and the seat to move the same.

    Its history differs by a move that the seat has not made, or by two that change places.
    """
    seat = state.turn
    view, known = state.seen(seat), _hidden_from(seat, state)
    for _ in range(min(CHANGES, CHANGES * len(played))):
        place, line, here = dice.randrange(len(played)), [*played], start
        for number in range(len(line)):
            moves = here.moves()
            if number == place:
                if here.turn == seat:
                    break
                new = moves[dice.randrange(len(moves))]
                if new in line[place:]:
                    line[line.index(new, place)] = line[place]
                line[place] = new
            if spent() or line[number] not in moves:
                break
            here = here.after(line[number])
        else:
            alike = here.turn == seat and here.seen(seat) == view
            other = here.picture() != state.picture() and _hidden_from(seat, here) != known
            if alike and other:
                return here
    return None


def _apart(first: State[Any], second: State[Any]) -> str:
    """The lines of two pictures that differ, and the text of the second state."""
    lines = [state.picture().splitlines() for state in (first, second)]
    pairs = [pair for pair in zip_longest(*lines, fillvalue="") if pair[0] != pair[1]]
    return (
        "\n".join(
            f"    {name}: {' / '.join(pair[k].strip() for pair in pairs[:6])}"
            for k, name in enumerate(("here", "there"))
        )
        + f"\n    there is: {second}"
    )


def _deals(game: Any) -> bool:
    return hides(game) and not (has_rules(game) and rules_of(game).deal is None)


@game_law(_deals)
def law_worlds_come_as_in_games(game: Game[Any], seed: int) -> None:
    """In a small game, worlds are those that games lead to, by chance's odds over all histories."""
    views, deals = _worlds_by_view(game, seed)
    for view in some([*views], VIEWS):
        worlds = views[view]
        total = sum(worlds.values())
        times = max(DRAWN, FEW * len(worlds))
        seen: Counter[State[Any]] = Counter()
        for number in range(times):
            world = view.determinize(_dice(1_000_000 * seed + number))
            expect(world in worlds, f"a world that games lead to, of {len(worlds)} such as "
                   f"{next(iter(worlds))}", f"{world}, drawn by determinize", view)  # fmt: skip
            seen[world] += 1
        share = {world: weight / total for world, weight in worlds.items()}
        known = total if deals > 1 else math.inf
        if unlikely([seen[world] for world in worlds], [*share.values()], known):
            worst = max(worlds, key=lambda world: abs(seen[world] / times - share[world]))
            expect(False, f"{worst} in {share[worst]:.1%} of the worlds, as in games",
                   f"in {seen[worst] / times:.1%} of {times:,} drawn by determinize",
                   view)  # fmt: skip


def _worlds_by_view(
    game: Game[Any], seed: int
) -> tuple[dict[State[Any], dict[State[Any], float]], int]:
    """Return the worlds of each view of the seat to move, with their weights.

    A world's weight is the sum, over the histories that end in it, of the product of chance's odds.
    The second value is the number of deals. Both are empty if there are too many deals for each to
    occur often, or too many states.
    """
    spent = clock(SECONDS)
    starts = (game.start(DEALT * seed + number) for number in range(DEALT))
    dealt = Counter(islice(starts, LOOK))
    if len(dealt) * FEW > DEALT:
        return {}, 0
    if len(dealt) > 1:
        for start in starts:
            dealt[start] += 1
            if spent():
                return {}, 0
    views: dict[State[Any], dict[State[Any], float]] = {}
    layer: dict[State[Any], float] = {start: float(n) for start, n in dealt.items()}
    while layer:
        after: defaultdict[State[Any], float] = defaultdict(float)
        for state, weight in layer.items():
            if spent():
                return {}, 0
            if state.turn == TERMINAL:
                continue
            moves = state.moves()
            odds: Sequence[float] = [1.0] * len(moves)  # of a seat's moves, which all count
            if state.turn == CHANCE:
                odds = state.odds()
            else:
                worlds = views.setdefault(state.seen(state.turn), {})
                worlds[state] = worlds.get(state, 0.0) + weight
            for move, p in zip(moves, odds, strict=True):
                after[state.after(move)] += weight * p
        layer = after
    return views, len(dealt)


@search_law(hides)
def law_no_search_peeks(search: Search, game: Game[Any], state: State[Any]) -> None:
    """A search returns the same, by one seed, for states that look alike to the seat to move."""
    if _decided(state):
        return
    first = said(search.best(state, Limit(nodes=NODES), seed=5))
    for seed in range(WORLDS):
        world = state.determinize(_dice(seed))
        again = said(search.best(world, Limit(nodes=NODES), seed=5))
        expect(again == first, first, f"{again} in {world}", state)
