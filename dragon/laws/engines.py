"""The laws of games by Rules: what is compiled does what is read."""

from __future__ import annotations

import random
from typing import Any

from dragon.bits import Random
from dragon.core import CHANCE, TERMINAL
from dragon.engine import Compiled, Interpreted
from dragon.laws.kit import (
    compiled,
    expect,
    game_law,
    has_rules,
    of_effort,
    some,
    state_law,
    uncompiled,
)
from dragon.playout import playouts
from dragon.record import RecordGame, RecordState, rules_of
from dragon.rehearsal import PLIES, rehearse
from dragon.specialise import specialise

DEALS = 50
"""Seeds whose deals are played, where a game has several."""


def _engines(game: RecordGame) -> tuple[Interpreted, Compiled]:
    rules = rules_of(game)
    return rules.interpreted, rules.compiled


@game_law(has_rules)
def law_moves_fit_the_width(game: RecordGame, seed: int) -> None:
    """No state has more moves than `width`, the length of the list that kernels give to `moves`."""
    import numpy as np

    rules = rules_of(game)
    engine, dice = rules.interpreted, random.Random(seed)
    out = np.zeros(2 * rules.width + 1000, np.int64)
    state = game.start(seed)
    data = state.data
    for _ in range(rules.plies):
        if engine.turn(data) == TERMINAL:
            return
        try:
            n = int(rules.moves(engine.record(data), out))
        except IndexError:
            n = len(out)
        expect(n <= rules.width, f"at most {rules.width} moves", n, RecordState(game, data))
        if n == 0:
            return
        data = engine.play(data, int(out[dice.randrange(n)]))


@game_law(has_rules)
def law_rules_keep_their_contract(game: RecordGame, seed: int) -> None:
    """In thousands of random games no rule goes out of bounds, beyond its limits or on for ever."""
    deals = dict.fromkeys(game.start(seed + i).data for i in range(DEALS))
    for first in deals:
        mishap = rehearse(rules_of(game), first, of_effort(PLIES) // len(deals), seed)
        if mishap is not None:
            played = f", after {' '.join(mishap.moves)}" if mishap.moves else ""
            expect(False, "no mistake of a rule", f"{mishap.error}{played}", mishap.position)


@state_law(has_rules)
def law_compiled_turn_agrees(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, a record has the same turn."""
    plain, fast = (engine.turn(state.data) for engine in _engines(game))
    expect(plain == fast, f"{plain}, interpreted", f"{fast}, compiled", state)


@state_law(has_rules)
def law_compiled_moves_agree(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, a record has the same moves in the same order."""
    if state.turn != TERMINAL:
        plain, fast = (engine.moves(state.data).tolist() for engine in _engines(game))
        expect(plain == fast, f"{plain[:20]}, interpreted", f"{fast[:20]}, compiled", state)


@state_law(has_rules)
def law_compiled_distinct_agrees(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, a record keeps the same of its equivalent moves."""
    if state.turn != TERMINAL:
        plain, fast = (engine.distinct(state.data).tolist() for engine in _engines(game))
        expect(plain == fast, f"{plain[:20]}, interpreted", f"{fast[:20]}, compiled", state)


@state_law(has_rules)
def law_compiled_play_agrees(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, a move leads to the same record, byte for byte."""
    plain, fast = _engines(game)
    for code in some(plain.moves(state.data).tolist() if state.turn != TERMINAL else [], 30):
        a, b = plain.play(state.data, code), fast.play(state.data, code)
        expect(a == b, f"{plain.record(a)} after {state.text(code)}, interpreted",
               f"{plain.record(b)}, compiled", state)  # fmt: skip


@state_law(has_rules)
def law_compiled_payoff_agrees(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, an end pays the same."""
    if state.turn == TERMINAL:
        plain, fast = (engine.payoff(state.data) for engine in _engines(game))
        expect(plain == fast, f"{plain}, interpreted", f"{fast}, compiled", state)


@state_law(has_rules)
def law_compiled_sample_agrees(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, one generator samples the same moves and ends in the same state."""
    if state.turn == TERMINAL:
        return
    seen = []
    for engine in _engines(game):
        dice = Random(1)
        codes = [engine.sample(state.data, dice) for _ in range(5)]
        seen.append((codes, int(dice.state[0])))
    expect(seen[0] == seen[1], f"{seen[0]}, interpreted", f"{seen[1]}, compiled", state)


@state_law(has_rules)
def law_compiled_key_agrees(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, a record has the same key."""
    plain, fast = (engine.key(state.data) for engine in _engines(game))
    expect(plain == fast, f"{plain}, interpreted", f"{fast}, compiled", state)


@state_law(has_rules)
def law_compiled_options_agree(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, the rules that a game need not have say the same."""
    import numpy as np

    rules = rules_of(game)
    if state.turn == TERMINAL:
        return
    module = specialise("dragon.kernels.options", rules)
    records = np.frombuffer(bytearray(state.data), rules.layout)
    codes = rules.engine.moves(state.data)
    n = len(codes)
    if rules.order is not None and state.turn != CHANCE:
        plain, fast = np.zeros(n, np.int64), np.zeros(n, np.int64)
        rules.order(state.record, codes.copy(), n, plain)
        module.order_of(records, codes.copy(), n, fast)
        _same("order", plain.tolist(), fast.tolist(), state)
    if rules.odds is not None and state.turn == CHANCE:
        chances = np.full(n, 1 / n)
        module.odds_of(records, chances)
        _same("odds", list(state.odds()), chances.tolist(), state)
    if rules.evaluate is not None:
        for seat in range(len(rules.teams)):
            _same("evaluate", state.evaluate(seat), float(module.evaluate_of(records, seat)), state)
    if rules.bounds is not None:
        fast_bounds = tuple(int(units) * rules.unit for units in module.bounds_of(records))
        _same("bounds", state.bounds(), fast_bounds, state)
    if rules.solved is not None:
        units, plies = module.solved_of(records, rules.opened())
        told = None if plies < 0 else (int(units) * rules.unit, int(plies))
        _same("solved", state.solved(), told, state)
    if rules.banked is not None:
        _same("banked", state.banked(), int(module.banked_of(records)) * rules.unit, state)


def _same(rule: str, plain: Any, fast: Any, state: RecordState) -> None:
    expect(plain == fast, f"{rule}: {plain}, interpreted", f"{rule}: {fast}, compiled", state)


@game_law(has_rules)
def law_compiled_playouts_agree(game: RecordGame, seed: int) -> None:
    """Compiled and interpreted, a seed plays out the same games."""
    start = game.start(seed)
    with compiled():
        fast = playouts(start, 2, Random(seed))
    with uncompiled():
        plain = playouts(start, 2, Random(seed))
    expect(plain == fast, f"{plain}, interpreted", f"{fast}, compiled", start)
