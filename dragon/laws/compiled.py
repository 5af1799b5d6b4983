"""The laws of games by Rules: compiled code does what the source says."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import zip_longest
from types import FunctionType
from typing import Any

from dragon.bits import Random
from dragon.compiler.fingerprint import fingerprint, named_in
from dragon.core import CHANCE, TERMINAL
from dragon.laws.kit import (
    DEALS,
    GAMES,
    LawBroken,
    at_end,
    before_end,
    clock,
    expect,
    game_law,
    has_rules,
    of_effort,
    of_seat,
    posed,
    random_game,
    some,
    state_law,
    unlikely,
)
from dragon.laws.whole import every, surveyed
from dragon.modes import JIT
from dragon.rules.contract import REQUIRED, RULES
from dragon.rules.evaluator import compiled_of, evaluator_of, interpreted_of
from dragon.rules.playout import Playouts, playouts
from dragon.rules.record import RecordGame, RecordState, rules_of
from dragon.rules.rehearsal import PLIES, Mishap, kernels_of, rehearse
from dragon.rules.rules import Rules
from dragon.search.equilibrium.sequences import SequenceForm, estimated_nodes


def _agree(state: RecordState, ask: Callable[[Any], Any]) -> None:
    """Raise LawBroken unless the rules, interpreted and compiled, answer the same."""
    plain, fast = ask(interpreted_of(state.rules)), ask(compiled_of(state.rules))
    if plain != fast:
        shown = [value[:20] if isinstance(value, list) else value for value in (plain, fast)]
        raise LawBroken(f"{shown[0]}, interpreted", f"{shown[1]}, compiled", state)


@game_law(has_rules)
def law_moves_fit_the_width(game: RecordGame, seed: int) -> None:
    """No state has more moves than `width`, the length of the list that kernels give to `moves`."""
    import numpy as np

    rules = rules_of(game)
    evaluator, dice = interpreted_of(rules), random.Random(seed)
    out = np.zeros(rules.width, np.int64)
    state = game.start(seed)
    data = state.data
    for _ in range(rules.plies):
        if evaluator.turn(data) == TERMINAL:
            return
        try:
            n = int(rules.moves(evaluator.record(data), out))
        except IndexError:
            n = rules.width + 1
        expect(n <= rules.width, f"at most {rules.width} moves", n, RecordState(game, data))
        if n == 0:
            return
        data = evaluator.play(data, int(out[dice.randrange(n)]))


@game_law(has_rules)
def law_rules_keep_their_contract(game: RecordGame, seed: int) -> None:
    """In thousands of random games, and in every state of a small game, no rule leaves its bounds,
    exceeds its limits or loops for ever."""
    deals = dict.fromkeys(game.start(seed + i).data for i in range(DEALS))
    for first in deals:
        _expect_none(rehearse(rules_of(game), first, of_effort(PLIES) // len(deals), seed))
    if (found := surveyed(game, seed)) is not None:
        _expect_none(found.mishap)


def _expect_none(mishap: Mishap | None) -> None:
    """Raise LawBroken for a game in which a rule broke its contract."""
    if mishap is not None:
        played = f", after {' '.join(mishap.moves)}" if mishap.moves else ""
        expect(False, "no mistake of a rule", f"{mishap.error}{played}", mishap.position)


@game_law(has_rules)
def law_rules_read_what_stays(game: RecordGame, seed: int) -> None:
    """The arrays and numbers that rules read beside the record stay as they were when they were
    made, for compiled code keeps it."""
    rules = rules_of(game)
    before = _read_by(rules)
    for number in range(GAMES):
        for state in random_game(game, game.start(seed + number), random.Random(number)):
            str(game.parse(str(state)))
    for name, now in _read_by(rules).items():
        expect(now == before[name],
               f"{name[1]!r}, which {name[0]!r} reads, as it was when the rules were made",
               "it has changed since; keep what changes in the record")  # fmt: skip


def _read_by(rules: Rules) -> dict[tuple[str, str], str]:
    """Return a hash of each value that rules read, by the function's name and the value's."""
    return {
        (function.__name__, name): fingerprint(name, [(name, value)])
        for function in rules.functions()
        for name, value in named_in(function).items()
        if not isinstance(value, FunctionType)
    }


@state_law(has_rules, every)
def law_compiled_turn_agrees(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, a record has the same turn."""
    _agree(state, lambda evaluator: evaluator.turn(state.data))


@state_law(has_rules, every, at=before_end)
def law_compiled_moves_agree(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, a record has the same moves in the same order."""
    _agree(state, lambda evaluator: evaluator.moves(state.data).tolist())


@state_law(has_rules, every, at=before_end)
def law_compiled_distinct_agrees(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, a record keeps the same of its equivalent moves."""
    _agree(state, lambda evaluator: evaluator.distinct(state.data).tolist())


@state_law(has_rules, every, at=before_end)
def law_compiled_play_agrees(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, a move leads to the same record, byte for byte."""
    plain, fast = interpreted_of(state.rules), compiled_of(state.rules)
    for code in some(plain.moves(state.data).tolist(), 30):
        a, b = plain.play(state.data, code), fast.play(state.data, code)
        expect(a == b, f"{plain.record(a)} after {state.text(code)}, interpreted",
               f"{plain.record(b)}, compiled", state)  # fmt: skip


@state_law(has_rules, every, at=at_end)
def law_compiled_payoff_agrees(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, a terminal record has the same payoffs."""
    _agree(state, lambda evaluator: evaluator.payoff(state.data))


@state_law(has_rules, at=before_end)
def law_compiled_sample_agrees(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, one generator samples the same moves and ends in the same state."""

    def samples(evaluator: Any) -> tuple[list[int], int]:
        dice = Random(1)
        return [evaluator.sample(state.data, dice) for _ in range(5)], int(dice.state[0])

    _agree(state, samples)


@state_law(has_rules, every)
def law_compiled_key_agrees(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, a record has the same key."""
    _agree(state, lambda evaluator: evaluator.key(state.data))


@state_law(has_rules, every, at=before_end)
def law_compiled_options_agree(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, the optional rules return the same."""
    import numpy as np

    rules = state.rules
    fast = kernels_of("dragon.rules.kernels.state", rules)
    for name, seat, one in said_by_options(state):
        also = _arguments(name, state, seat)
        records = np.frombuffer(bytearray(state.data), rules.layout)
        other = _answer(name, getattr(fast, name)(records[0], *also), also)
        expect(one == other, f"{name}: {one}, interpreted", f"{name}: {other}, compiled", state)


def said_by_options(state: RecordState) -> Iterator[tuple[str, int, tuple[Any, ...]]]:
    """Yield the interpreted values of the optional rules at a state, with rule and seat.

    Those with laws of their own are left out.
    """
    plain = interpreted_of(state.rules)
    left_out = {*REQUIRED, "key", "sample", "reduce", "unrank", "before", "hide", "deal"}
    other = "seat" if state.turn == CHANCE else "chance"
    left_out |= {name for name in RULES if RULES[name].asked_at == other}
    for name in state.rules.named().keys() - left_out:
        for seat in range(len(state.rules.teams)):
            given = _arguments(name, state, seat)
            found = plain.call(name, plain.record(state.data), *given)
            yield name, seat, _answer(name, found, given)


def having(*names: str) -> Callable[[Any], bool]:
    """Return a function of a game: whether it has these rules."""
    return lambda game: has_rules(game) and rules_of(game).named().keys() >= {*names}


@state_law(having("rank"), at=of_seat)
def law_numbers_are_positions(game: RecordGame, state: RecordState) -> None:
    """`unrank` is the inverse of `rank`, and `before` lists the predecessors."""
    rules = rules_of(game)
    if game.start(1).data != rules.first:
        return  # where deals differ, it takes the first record of this one
    number, seat, again = _unranked(state)
    seen = f"{again}, which has number {again.rank()}, seat {again.turn} to move"
    wanted = f"number {number}, seat {seat} to move"
    expect((again.turn, again.rank()) == (seat, number), wanted, seen, state)
    codes = again.moves().codes.tolist()  # type: ignore[union-attr]
    expect(len(codes) == len(state.moves()), f"{len(state.moves())} moves, as in {state}",
           f"{len(codes)} moves", again)  # fmt: skip
    if rules.before is None:
        return
    after = [again.play(code) for code in codes]
    numbers = [each.rank() for each in after]
    for each in some(after, 30):
        expect(rules.teams[each.turn] != rules.teams[seat] if each.turn != TERMINAL else True,
               "the other side to move, or no rule before", f"seat {each.turn}", each)  # fmt: skip
        times, listed = numbers.count(each.rank()), _before(each).count(number)
        expect(listed == times, f"{number} listed {times} times by before, as {again} has moves",
               f"{listed} times", each)  # fmt: skip


def _unranked(state: RecordState) -> tuple[int, int, RecordState]:
    """Return the number of a state, and the state made of that, equal compiled and interpreted."""
    rules, kernels = state.rules, kernels_of("dragon.rules.kernels.state", state.rules)
    number = state.rank()
    assert number is not None
    same = int(kernels.rank(_records(rules, state.data)[0]))
    expect(same == number, f"number {number}, interpreted", f"{same}, compiled", state)
    record, records = rules.record(bytearray(rules.first)), _records(rules, rules.first)
    seat = interpreted_of(rules).call("unrank", record, number)
    same = int(kernels.unrank(records[0], number))
    expect((seat, record.tobytes()) == (same, records.tobytes()),
           f"seat {seat} and {record} of {number}, interpreted",
           f"seat {same} and {records[0]}, compiled", state)  # fmt: skip
    return number, seat, RecordState(state.game, record.tobytes())


def _before(state: RecordState) -> list[int]:
    """Return the list of the rule `before`, compiled and interpreted."""
    import numpy as np

    rules, kernels = state.rules, kernels_of("dragon.rules.kernels.state", state.rules)
    plain, fast = np.zeros((2, 2 * rules.width), np.int64)
    n = interpreted_of(rules).call("before", state.record, plain)
    m = int(kernels.before(_records(rules, state.data)[0], fast))
    found: list[int] = plain[:n].tolist()
    expect(found == fast[:m].tolist(), f"{found} before, interpreted", f"{fast[:m]}, compiled",
           state)  # fmt: skip
    return found


def _records(rules: Rules, data: bytes) -> Any:
    """A record of these bytes, as records[1]."""
    import numpy as np

    return np.frombuffer(bytearray(data), rules.layout)


def _arguments(name: str, state: RecordState, seat: int) -> list[Any]:
    """The arguments of a rule beside the record."""
    import numpy as np

    codes = evaluator_of(state.rules).moves(state.data)
    n, contract = len(codes), RULES[name]
    kind = dict(zip(contract.parameters, contract.kinds, strict=True))
    if contract.lengths.get("out") == "width":
        codes = np.zeros(state.rules.width, np.int64)
    known = {"out": np.full(n, 1 / n) if kind.get("out") == "weights" else codes, "n": n,
             "scores": np.zeros(n, "f8" if kind.get("scores") == "weights" else "i8"),
             "seat": seat, "move": int(codes[0]),
             "random": Random(1).state, "tablebase": state.rules.opened()}  # fmt: skip
    return [known[each] for each in contract.parameters if each != "s"]


def _answer(name: str, returned: Any, given: list[Any]) -> tuple[Any, ...]:
    """Return the value of a rule, unless it is ignored, and the contents of its arrays."""
    import numpy as np

    value = None if RULES[name].returns == "nothing" else returned
    return value, *(each.tolist() for each in given if isinstance(each, np.ndarray))


PLAYED = 20_000
"""Games by the rule `finish`, and as many move by move, at each position."""
MADE = 20
"""Games in which each seat's moves are played again."""


TREE = 20_000
"""The most states, by an estimate, of a tree whose information sets are compared,"""
GROWN = 2.0
"""and the processor time that it may take."""


@state_law(having("hide"), every, at=before_end)
def law_compiled_views_and_worlds_agree(game: RecordGame, state: RecordState) -> None:
    """Compiled and interpreted, each seat sees the same record, and a generator deals the same."""
    rules, kernels = state.rules, kernels_of("dragon.rules.kernels.state", state.rules)
    ask = interpreted_of(rules).call
    for seat in range(len(rules.teams)):
        plain, fast = interpreted_of(rules).record(state.data), _records(rules, state.data)
        ask("hide", plain, seat)
        kernels.hide(fast[0], seat)
        expect(plain.tobytes() == fast.tobytes(), f"{plain} seen by seat {seat}, interpreted",
               f"{fast[0]}, compiled", state)  # fmt: skip
        if rules.deal is not None and seat == state.turn:
            one, other = Random(seat), Random(seat)
            ask("deal", plain, seat, one.state)
            kernels.deal(fast[0], seat, other.state)
            expect((plain.tobytes(), one.state[0]) == (fast.tobytes(), other.state[0]),
                   f"{plain} dealt, interpreted", f"{fast[0]}, compiled", state)  # fmt: skip


@game_law(having("hide"))
def law_compiled_chains_are_histories(game: RecordGame, seed: int) -> None:
    """In a small tree, compiled chains distinguish the same information sets as the seats'
    histories."""
    start = game.start(seed)
    if estimated_nodes(start) > TREE:
        return
    plain, fast = SequenceForm(start, compiled=False), SequenceForm(start)
    late = clock(GROWN)
    if not (plain.grow(late) and fast.grow()):
        return
    for one, other in zip_longest(_sets(plain), _sets(fast)):
        expect(one == other, f"the information set {one}", f"{other}, compiled", start)


def _sets(form: SequenceForm) -> Iterator[str]:
    """Write down the information sets of a form, in its order."""
    for seat, parent, view, moves in zip(form.seat, form.parent, form.views, form.moves,
                                         strict=True):  # fmt: skip
        yield f"of seat {seat}, {view}, after sequence {parent}, with {' '.join(moves)}"


@game_law(having("finish"))
def law_finish_plays_as_moves_do(game: RecordGame, seed: int) -> None:
    """`finish` makes the same end compiled and interpreted; its payoffs in 20,000 games are
    distributed as move by move."""
    for number, state in enumerate(_positions(game, seed)):
        plain, fast = Random(seed), Random(seed)
        records = _records(state.rules, state.data)
        end, plies = state.finished(plain)  # type: ignore[misc]
        kernels = kernels_of("dragon.rules.kernels.state", state.rules)
        again = int(kernels.finish(records[0], fast.state)), records.tobytes(), fast.state[0]
        expect((plies, end.data, plain.state[0]) == again, f"{end} in {plies} plies, interpreted",
               f"{records[0]} in {again[0]}, compiled", state)  # fmt: skip
        expect(end.turn == TERMINAL, "an end", f"seat {end.turn} to move at {end}", state)
        stepped, finished = (_payoffs(state, seed + number, by) for by in (True, False))
        kinds = sorted(stepped | finished)
        counts = [[found[kind] for kind in kinds] for found in (stepped, finished)]
        one, other = ([n / PLAYED for n in found] for found in counts)
        expect(not unlikely(counts[1], one, PLAYED) and not unlikely(counts[0], other, PLAYED),
               f"payoffs as by {PLAYED:,} games move by move: {dict(stepped)}",
               f"{dict(finished)} by finish", state)  # fmt: skip


def _positions(game: RecordGame, seed: int) -> list[RecordState]:
    return [state for state in posed(game, seed) if isinstance(state, RecordState)]


def _payoffs(state: RecordState, seed: int, stepped: bool) -> Counter[tuple[int, ...]]:
    """Count the payoffs of PLAYED random games."""
    paid = Playouts(state).outcomes(PLAYED, Random(seed), stepped)
    return Counter(map(tuple, paid.tolist()))


@game_law(having("finish", "maker"))
def law_makers_play_to_the_payoff(game: RecordGame, seed: int) -> None:
    """After `finish`, the moves of each seat by `maker`, played in turn, lead to its payoff."""
    dice = Random(seed)
    for state in _positions(game, seed) * MADE:
        end, _ = state.finished(dice)  # type: ignore[misc]
        ask = interpreted_of(state.rules).call
        codes = state.moves().codes.tolist()  # type: ignore[union-attr]
        made = [(code, ask("maker", end.record, code)) for code in codes]
        here = state
        while here.turn != TERMINAL:
            own = [code for code, seat in made if seat == here.turn]
            expect(own, f"a move of seat {here.turn} among {made}, for {end}", "none is left", here)
            code = own[dice(len(own))]
            made.remove((code, here.turn))
            here = here.play(code)
        expect(here.payoff() == end.payoff(), f"{end.payoff()}, as at {end}", here.payoff(), here)


@game_law(has_rules)
def law_compiled_playouts_agree(game: RecordGame, seed: int) -> None:
    """Compiled and interpreted, a seed plays out the same games."""
    start = game.start(seed)
    with JIT.under("1"):
        fast = playouts(start, 2, Random(seed))
    with JIT.under("0"):
        plain = playouts(start, 2, Random(seed))
    expect(plain == fast, f"{plain}, interpreted", f"{fast}, compiled", start)
