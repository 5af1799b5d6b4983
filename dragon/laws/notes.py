"""Notes: oddities that break no law, but are seldom intended, with the figures that show them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from attrs import frozen

from dragon.bits import Random
from dragon.boards.board import Board
from dragon.boards.cells import EMPTY
from dragon.compiler.fingerprint import reached
from dragon.core import CHANCE, TERMINAL, Game, State, Trait
from dragon.laws.compiled import said_by_options
from dragon.laws.kit import PATIENCE, clock, has_rules, some, visited, walk
from dragon.laws.whole import coverage, surveyed, whole, worths
from dragon.rules.evaluator import interpreted_of
from dragon.rules.playout import step
from dragon.rules.record import RecordGame, RecordState, defines, rules_of
from dragon.rules.rules import Rules

GAMES = 2000
"""Random games that are played,"""
SECONDS = 2.0
"""within this processor time;"""
FEWEST = 200
"""the least games for which notes are made,"""
KINDS = 10
"""and the least different positions."""
AGAINST = -0.1
"""A rank correlation below which an evaluation goes against results,"""
SURE = 6.0
"""and how many times its standard error it must be."""
SOLVED = 400
"""Positions near the end that are looked at in a game that is not small,"""
MOVES = 500
"""if they have no more moves than this."""
DRAWS = 40
"""Samples for each move of a position,"""
POSITIONS = 12
"""of this number of positions,"""
NEVER = 0.25
"""and the part of their moves that must never be drawn."""
STATES = 50_000
"""States that are compared field by field,"""
CHANGED = 12
"""and those in which a field is changed, to see whether any rule reads it."""


@frozen(eq=False)
class Played:
    """The results of random games."""

    games: int
    positions: tuple[State[Any], ...]
    """One of each game, at a ply drawn at random."""
    payoffs: tuple[tuple[float, ...], ...]
    last: tuple[State[Any], ...]
    """The last of each in which a seat was to move."""
    moved: Counter[int]
    """The number of turns of each seat, and of chance."""

    @property
    def enough(self) -> bool:
        """Return True if there are enough of them, of enough kinds, to be significant."""
        return self.games >= FEWEST and len({*map(str, self.positions)}) >= KINDS


@lru_cache(maxsize=4)
def played(game: Game[Any], seed: int) -> Played:
    """Return random games from many deals, as many as SECONDS allow."""
    spent, dice, drawn = clock(SECONDS), random.Random(seed), Random(seed)
    positions, payoffs, ends = list[State[Any]](), list[tuple[float, ...]](), list[State[Any]]()
    moved = Counter[int]()
    while len(payoffs) < GAMES and not spent():
        state = kept = last = game.start(seed + len(payoffs))
        turns, plies = Counter[int](), 0
        while state.turn != TERMINAL and plies < PATIENCE and not spent():
            turns[state.turn] += 1
            plies += 1
            if state.turn >= 0:
                kept, last = state if dice.randrange(plies) == 0 else kept, state
            state = step(state, drawn)
        if state.turn == TERMINAL and plies:
            positions.append(kept)
            payoffs.append(state.payoff())
            ends.append(last)
            moved += turns
    return Played(len(payoffs), tuple(positions), tuple(payoffs), tuple(ends), moved)


def notes_of(game: Game[Any], seed: int = 0) -> Iterator[str]:
    """The notes on a game, each a sentence."""
    for note in (_seats, _traits, _evaluate, _order, _sample, _written, _unread, _replay):
        yield from note(game, seed)


def _seats(game: Game[Any], seed: int) -> Iterator[str]:
    """Note a seat that never moves, or always wins against one other."""
    found = played(game, seed)
    if not found.enough or len(game.teams) == 1:
        return
    for seat in range(len(game.teams)):
        if not found.moved[seat]:
            yield f"seat {seat} never moves in {found.games:,} random games; is that meant?"
        if len(game.teams) == 2 and all(payoff[seat] > 0 for payoff in found.payoffs):
            yield f"seat {seat} wins each of {found.games:,} random games; is payoff right?"
    if not any(map(any, found.payoffs)):
        yield f"each of {found.games:,} random games is a draw; is payoff right?"


def _traits(game: Game[Any], seed: int) -> Iterator[str]:
    """Note a trait that random games never show, or one that they suggest."""
    found, traits = played(game, seed), game.traits
    if not found.enough:
        return
    if Trait.CHANCE in traits and not found.moved[CHANCE]:
        yield f"the trait CHANCE is given, and chance decides in none of {found.games:,} games"
    two = len(set(game.teams)) == len(game.teams) == 2 and any(map(any, found.payoffs))
    if two and Trait.DUEL not in traits and not any(map(sum, found.payoffs)):
        yield (f"the payoffs of each of {found.games:,} random games sum to zero, and the trait "
               "DUEL is not given; many searches need it")  # fmt: skip


def _evaluate(game: Game[Any], seed: int) -> Iterator[str]:
    """Note an evaluation that goes against results, or against the values of all states."""
    if not defines(game.start(), "evaluate") or Trait.HIDDEN in game.traits:
        return
    found = played(game, seed)
    if found.enough:
        guesses = [state.evaluate(0) for state in found.positions]
        rank = correlation(guesses, [payoff[0] for payoff in found.payoffs])
        if rank < AGAINST and -rank * found.games**0.5 > SURE:
            yield (f"evaluate goes against the results of {found.games:,} random games (rank "
                   f"correlation {rank:.2f}); is its sign right?")  # fmt: skip
            return
    guesses, worth = _guessed(game, seed)
    rank = correlation(guesses, worth)
    if rank < AGAINST and -rank * len(guesses) ** 0.5 > SURE:
        yield (f"evaluate goes against what {len(guesses):,} positions are worth when all play "
               f"best (rank correlation {rank:.2f}); is its sign right?")  # fmt: skip


def _guessed(game: Game[Any], seed: int) -> tuple[Any, Any]:
    """Pairs of evaluation and exact value of each position of a small game, for seat 0."""
    if (found := whole(game, seed)) is None:
        known = worths(game, seed) if visited(game, seed) else {}
        opened = [state for state in known if state.turn != TERMINAL]
        return [state.evaluate(0) for state in opened], [known[state] for state in opened]
    facts = found.facts[: found.count]
    facts = facts[(facts["seat"] != TERMINAL) & (facts["known"] > 0)]
    return facts["guess"], facts["worth"]


def correlation(one: Any, other: Any) -> float:
    """Spearman's rank correlation, equal numbers sharing a rank; 0 where all are equal, or none is.

    >>> correlation([1, 2, 3], [30, 20, 10])
    -1.0
    """
    import numpy as np

    if not len(one):
        return 0.0

    def ranks(numbers: Any) -> Any:
        _, places, counts = np.unique(numbers, return_inverse=True, return_counts=True)
        return (np.cumsum(counts) - counts / 2)[places]

    a, b = ranks(np.asarray(one, float)), ranks(np.asarray(other, float))
    a, b = a - a.mean(), b - b.mean()
    spread = np.sqrt((a * a).sum() * (b * b).sum())
    return float(round((a * b).sum() / spread, 9)) if spread else 0.0


def _order(game: Game[Any], seed: int) -> Iterator[str]:
    """Note an order that puts the best move last more often than first."""
    if not defines(game.start(), "order"):
        return
    first = last = solved = 0
    for mine, scores in _scored(game, seed):
        best = max(mine)
        if min(mine) == best or min(scores) == max(scores):
            continue
        solved += 1
        tried = sorted(range(len(scores)), key=lambda i: -scores[i])
        first += mine[tried[0]] == best
        last += mine[tried[-1]] == best
    if last > 1.5 * first and (last - first) > SURE * (last + first) ** 0.5:
        yield (f"order puts a best move last in {last:,} of {solved:,} solved positions, and first "
               f"in {first:,}; is its sign right?")  # fmt: skip


def _scored(game: Game[Any], seed: int) -> Iterator[tuple[list[float], list[int]]]:
    """Pairs of exact value to its mover and score of each move of a solved position.

    Only moves count that searches try, in positions that the game does not solve itself. In a game
    that is not small such a position is the last of a random game, where some move wins at once.
    """
    if (found := whole(game, seed)) is None:
        for state in some(played(game, seed).last, SOLVED):
            if state.turn >= 0 and len(moves := state.distinct()) <= MOVES and not state.solved():
                after = [state.after(move) for move in moves]
                wins = [float(_pays(each, state.turn)) for each in after]
                if any(wins) and (scores := state.order(moves)) is not None:
                    yield wins, [*scores]
        return
    rules = rules_of(game)
    facts, worth = found.facts, found.facts["worth"]
    for at in some(range(found.count), 20 * SOLVED):
        seat, first, n = (int(facts[at][name]) for name in ("seat", "first", "moves"))
        if seat >= 0 and facts[at]["known"] and facts[at]["plies"] < 0:
            edges = found.edges[first : first + n]
            edges = edges[edges["kept"] > 0]
            sign = 1 if rules.teams[seat] == rules.teams[0] else -1
            yield (sign * worth[edges["to"]]).tolist(), edges["score"].tolist()


def _pays(state: State[Any], seat: int) -> bool:
    """Return True if the game is over, and the seat gets the largest payoff."""
    return state.turn == TERMINAL and state.payoff()[seat] == state.largest


def _sample(game: Game[Any], seed: int) -> Iterator[str]:
    """Note a `sample` that never draws some of the moves."""
    every = missed = tried = 0
    example = ""
    for state in some([s for s in walk(game, seed) if s.turn >= 0], 3 * POSITIONS):
        moves = [*map(str, state.moves())] if len(state.moves()) <= 2 * DRAWS else []
        if len(moves) < 2 or not defines(state, "sample") or tried == POSITIONS:
            continue
        dice, draws = Random(seed), DRAWS * len(moves)
        seen = {str(state.sample(dice)) for _ in range(draws)}
        never = [move for move in moves if move not in seen]
        if never and not example:
            example = f"{', '.join(never[:5])} at {state} in {draws:,} samples"
        tried, every, missed = tried + 1, every + len(moves), missed + len(never)
    if every and missed >= NEVER * every:
        yield (f"sample never gives {missed:,} of the {every:,} moves of {tried} positions, such "
               f"as {example}; random games do not show what follows")  # fmt: skip


def _written(game: Game[Any], seed: int) -> Iterator[str]:
    """Note moves of a board that are written from an empty cell."""
    notation = rules_of(game).notation if has_rules(game) else None
    own = isinstance(notation, Board) and type(notation).move_text is Board.move_text
    if not isinstance(notation, Board) or not own or not notation.moving:
        return
    empty = moves = 0
    example = ""
    for state in walk(game, seed):
        assert isinstance(state, RecordState)
        for code in state.moves().codes.tolist() if state.turn >= 0 else ():  # type: ignore[union-attr]
            at, to = code // notation.span % notation.span, code % notation.span
            if at != to and code not in notation.words.values():
                moves += 1
                if notation.letter(state.view, at) == EMPTY:
                    empty += 1
                    example = example or f"{state.text(code)!r} at {state}"
    if empty > moves / 2:
        yield (f"{empty:,} of {moves:,} moves are written from an empty cell, such as {example}; a "
               "move's code is from * span + to")  # fmt: skip


def _replay(game: Game[Any], seed: int) -> Iterator[str]:
    """Note a game whose worlds are found by replay."""
    rules = rules_of(game) if has_rules(game) else None
    if rules is not None and rules.hide is not None and rules.deal is None:
        yield ("worlds are found by replay, as the rule `deal` is not given: not drawn by their "
               "odds, and not at all where few games fit what a seat has seen")  # fmt: skip


def _unread(game: Game[Any], seed: int) -> Iterator[str]:
    """Note fields in which positions differ, and which no rule reads."""
    import numpy as np

    if not has_rules(game):
        return
    assert isinstance(game, RecordGame)
    if (found := surveyed(game, seed)) is None:
        return
    rules = rules_of(game)
    states = found.states[: min(found.count, STATES)]
    for name in rules.layout.names if len(states) > 1 else ():
        rest = states.copy()
        rest[name] = 0
        _, firsts, places = np.unique(
            rest.view(f"V{rules.layout.itemsize}"), return_index=True, return_inverse=True
        )
        twice = np.flatnonzero(firsts[places] != np.arange(len(states)))
        if len(twice) and not _is_read(game, states, name):
            notation = rules.notation
            one, other = (
                notation.position_text(rules.record(states[at].tobytes()))
                for at in (firsts[places[twice[0]]], twice[0])
            )
            yield (f"{len(twice):,} of {len(states):,} positions differ from another in {name!r} "
                   f"alone, which no rule reads, such as {other} from {one}; leave it out of the "
                   "record, or read it")  # fmt: skip


def _is_read(game: RecordGame, states: Any, name: str) -> bool:
    """Return True if a rule besides `play` names a field, or `play` depends on its value."""
    rules = rules_of(game)
    others = [rule for key, rule in rules.named().items() if key != "play"]
    if any(name in function.__code__.co_names for function in reached(others)):
        return True
    for at in some(range(len(states)), CHANGED):
        record = states[at : at + 1].copy()
        try:
            before = _nature(game, record, name)
            for value in _values(rules, states, name):
                record[name] = value
                if _nature(game, record, name) != before:
                    return True
        except Exception:  # a rule that goes wrong has read it
            return True
    return False


def _values(rules: Rules, states: Any, name: str) -> Iterator[Any]:
    """The values to try for a field: those at other states, and numbers that rules name."""
    import numpy as np

    yield from some(states[name], CHANGED)
    if states[name].ndim > 1 or states.dtype[name].kind not in "iu":
        return
    numbers = {0, 1, 2, rules.plies - 1, rules.plies, rules.plies + 1}
    for function in rules.functions():
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        numbers |= {each for each in (*function.__code__.co_consts, *cells) if type(each) is int}
    limits = np.iinfo(states.dtype[name])
    yield from (n for n in sorted(numbers) if limits.min <= n <= limits.max)


def _nature(game: RecordGame, record: Any, name: str) -> list[Any]:
    """Return the values of the rules at a record, and the records after it, except one field."""
    import numpy as np

    state = RecordState(game, record.tobytes())
    plain, rules = interpreted_of(state.rules), state.rules
    if (turn := plain.turn(state.data)) == TERMINAL:
        return [turn, plain.payoff(state.data)]
    codes = plain.moves(state.data).tolist()
    said = [turn, codes, plain.distinct(state.data).tolist(), *said_by_options(state)]
    said += [plain.key(state.data)] if rules.key is not None else []
    for code in codes[:CHANGED]:
        after = np.frombuffer(bytearray(plain.play(state.data, code)), rules.layout)
        after[name] = 0
        said.append(after.tobytes())
    return said


@frozen
class Remarks:
    """The notes on a game, beside the verdicts of laws."""

    notes: tuple[str, ...]
    states: int
    """The number of states in which the rules were tried."""
    whole: bool
    """True if these are all that play can reach."""


def remarks_on(game: Game[Any], seed: int = 0) -> Remarks:
    """Return the notes on a game, and the number of states that were visited."""
    return Remarks(tuple(notes_of(game, seed)), *coverage(game, seed))
